//! Depth-first and breadth-first search in slices, with statistics.
