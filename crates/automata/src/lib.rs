//! Automata over infinite words with transition-based generalised Buchi acceptance.

#![forbid(unsafe_code)]

mod automaton;
mod label;

pub use automaton::{Automaton, Edge, Marks};
pub use label::{Cube, Label};
