//! Automata as text: the Hanoi Omega-Automata format, SPIN's never claims, Graphviz.

pub mod dot;
pub mod hoa;
pub mod never;
