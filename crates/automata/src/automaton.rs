//! The automaton itself.

use crate::Label;

/// Acceptance sets that an edge belongs to, as a set of numbers.
pub type Marks = u64;

/// An edge: under the letters of the label to the target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Letters under which it can be taken.
    pub label: Label,
    /// State that it leads to.
    pub target: u32,
    /// Acceptance sets that it belongs to.
    pub marks: Marks,
}

/// An automaton over infinite words. A run is accepting if it takes edges of every acceptance set
/// again and again; with no sets, every infinite run is. One set and equal marks on all edges that
/// leave a state: a state-based Buchi automaton, see [`Automaton::state_based`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// Edges that leave each state.
    pub states: Vec<Vec<Edge>>,
    /// The initial state; there is none in an automaton without states, which accepts nothing.
    pub initial: u32,
    /// Number of acceptance sets, at most 64.
    pub sets: u32,
    /// Names of the propositions, by number.
    pub atoms: Vec<String>,
    /// What each state means, if known; as long as `states` or empty.
    pub names: Vec<String>,
    /// Acceptance is meant on states: edges that leave a state have equal marks.
    pub state_based: bool,
}

impl Automaton {
    /// All marks.
    pub fn all_marks(&self) -> Marks {
        if self.sets >= 64 { Marks::MAX } else { (1 << self.sets) - 1 }
    }

    /// Number of edges.
    pub fn edge_count(&self) -> usize {
        self.states.iter().map(Vec::len).sum()
    }
}
