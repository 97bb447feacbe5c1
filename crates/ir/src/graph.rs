//! Program graphs: locations and edges.

use crate::Action;
use promenade_base::Span;

/// A location of one graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LocationId(pub u32);

/// An edge, numbered through the whole model: `0..Model::edge_count`.
/// Edges inside a d_step have ids too (for coverage).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EdgeId(pub u32);

/// A statement of the text, numbered through the whole model; several edges may stem from one
/// statement (copies at block entries).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StatementId(pub u32);

/// What is known of a statement.
#[derive(Clone, Debug)]
pub struct StatementInfo {
    /// Its place.
    pub span: Span,
    /// Its text in one line, for traces: `x = x + 1`, `q!msg,3`, `-end-`.
    pub text: String,
    /// The calls of inlines that it stems from, from the innermost out; empty for most.
    pub calls: Vec<Span>,
}

/// A guarded step.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Unique in the model.
    pub id: EdgeId,
    /// The statement it stems from.
    pub statement: StatementId,
    /// Guard and effect.
    pub action: Action,
    /// Where control goes.
    pub target: LocationId,
    /// The process keeps the exclusive right after this edge: the edge lies inside an `atomic` and
    /// does not end it.
    pub keeps_atomic: bool,
    /// 0 for an ordinary edge; edges of an `unless` escape carry a number of their escape and stand
    /// in front. As soon as an edge with a number `n > 0` was executable, later edges of the
    /// location with a number other than `n` are not tried.
    pub escape: u16,
}

/// A control point.
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// Outgoing edges in order.
    pub edges: Vec<Edge>,
    /// A process may rest here: an `end` label, or the end of the body.
    pub valid_end: bool,
    /// Carries a `progress` label.
    pub progress: bool,
    /// Carries an `accept` label.
    pub accept: bool,
    /// The text that is about to be executed, for display; none for inner d_step points.
    pub span: Option<Span>,
    /// Labels by name.
    pub labels: Vec<String>,
    /// Bytes of the locals that are zero whenever a process rests here, that is, when a step is over
    /// that brought it here or created it. Empty unless dead variables are reset.
    pub dead: Vec<Stretch>,
}

/// Bytes of a region that follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stretch {
    /// The first.
    pub offset: u32,
    /// How many.
    pub bytes: u32,
}

/// A program graph.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Locations by [`LocationId`].
    pub locations: Vec<Location>,
}

impl Graph {
    /// The location behind an id.
    ///
    /// # Panics
    /// If the id belongs to another graph.
    pub fn location(&self, id: LocationId) -> &Location {
        &self.locations[id.0 as usize]
    }
}
