//! Visited sets: how explored states are remembered inside a memory budget.
