//! Automata over infinite words with transition-based generalised Buchi acceptance.

#![forbid(unsafe_code)]

mod automaton;
mod emptiness;
mod label;
mod scc;
mod translate;

pub use automaton::{Automaton, Edge, Marks, TooLarge};
pub use emptiness::{accepting_word, accepts, is_empty};
pub use label::{Cube, Label};
pub use scc::Components;
pub use translate::{Method, Options, translate, translate_with_states};

#[cfg(test)]
mod testing;
