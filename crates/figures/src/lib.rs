//! From report data to drawings, without a browser.
//!
//! A [`Graph`] is laid out in layers and becomes a [`Drawing`]: exact geometry, the same on every
//! machine and in every run. The page renders a drawing as interactive SVG, [`svg::write`] writes it
//! as a file of its own, and tests compare it as text. No fonts are needed: how much room a text
//! takes follows from [`Metrics`].

#![forbid(unsafe_code)]

pub mod automaton;
pub mod dot;
mod drawing;
mod geometry;
mod graph;
mod groups;
mod layered;
mod ranked;
mod states;
pub mod svg;
mod text;

pub use automaton::{AutomatonOptions, automaton_drawing, automaton_graph};
pub use drawing::{Arrow, Bead, Drawing, DrawnEdge, DrawnNode, Group, Label, Start};
pub use geometry::{Curve, Path, Point, Rect};
pub use graph::{
    Direction, FigureError, Graph, GraphEdge, GraphGroup, GraphNode, Shape, Style, draw,
};
pub use states::{StateOptions, can_have_texts, should_have_texts, state_drawing};
pub use text::{LABEL_CHARACTERS, Metrics, capped, printable};
