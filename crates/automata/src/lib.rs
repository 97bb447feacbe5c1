//! Automata over infinite words with transition-based generalised Buchi acceptance.

#![forbid(unsafe_code)]

pub mod alternating;
mod automaton;
mod bits;
mod classify;
mod compare;
mod degeneralise;
mod determinise;
mod emptiness;
mod fuel;
mod improve;
mod label;
mod letters;
mod map;
mod pipeline;
mod product;
mod scc;
pub mod simplify;
pub mod text;
mod translate;
mod wide;

pub use automaton::{Automaton, Edge, Marks, TooLarge};
pub use classify::{Shape, Stutter, class, shape, stutter_difference};
pub use compare::{Difference, contains, contains_automaton, equivalent, equivalent_automata};
pub use degeneralise::{degeneralise, degeneralise_in_order, degeneralise_on_edges};
pub use emptiness::{accepting_word, accepts, is_empty};
pub use improve::{Effort, improve};
pub use label::{Cube, Label};
pub use pipeline::{Built, build, build_both, build_named};
pub use product::{aligned, intersection, union};
pub use scc::Components;
pub use translate::{Goal, Method, Options, translate, translate_with_states};
pub use wide::{Condition, is_wide, shorten_conditions};

#[cfg(test)]
mod testing;
