//! The automaton itself.

use crate::Label;
use std::fmt;

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

/// A bound was reached before an answer was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooLarge {
    /// More states than allowed.
    States,
    /// More steps of work than allowed.
    Steps,
    /// More than 64 acceptance sets.
    Sets,
    /// More than 64 propositions.
    Atoms,
    /// More bytes than allowed.
    Memory,
    /// The work was interrupted from outside.
    Interrupted,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::States => "the automaton has too many states",
            Self::Steps => "the automaton takes too much work",
            Self::Sets => "more than 64 acceptance sets",
            Self::Atoms => "more than 64 propositions",
            Self::Memory => "the automaton takes too much memory",
            Self::Interrupted => "the construction was interrupted",
        })
    }
}

impl std::error::Error for TooLarge {}

impl Automaton {
    /// All marks.
    pub fn all_marks(&self) -> Marks {
        if self.sets >= 64 { Marks::MAX } else { (1 << self.sets) - 1 }
    }

    /// Number of edges.
    pub fn edge_count(&self) -> usize {
        self.states.iter().map(Vec::len).sum()
    }

    /// The automaton that accepts nothing: one state without edges.
    pub fn nothing(atoms: Vec<String>) -> Self {
        Self {
            states: vec![Vec::new()],
            initial: 0,
            sets: 0,
            atoms,
            names: Vec::new(),
            state_based: false,
        }
    }

    /// Whether a state of a state-based automaton is accepting. A state without edges, or of an
    /// automaton without sets, is: no run ends there, and every infinite run is accepting.
    pub fn accepting(&self, state: u32) -> bool {
        self.states[state as usize].iter().all(|edge| edge.marks == self.all_marks())
    }

    /// The propositions that labels depend on.
    pub fn support(&self) -> u64 {
        self.states.iter().flatten().fold(0, |set, edge| set | edge.label.support())
    }

    /// Joins edges with equal target and marks; drops those without letters. Sorts edges.
    pub fn merge_edges(&mut self) {
        for edges in &mut self.states {
            edges.sort_by_key(|edge| (edge.target, edge.marks));
            let mut merged: Vec<Edge> = Vec::with_capacity(edges.len());
            for edge in edges.drain(..) {
                if edge.label.is_empty() {
                    continue;
                }
                match merged.last_mut() {
                    Some(last) if last.target == edge.target && last.marks == edge.marks => {
                        last.label = last.label.or(&edge.label);
                    }
                    _ => merged.push(edge),
                }
            }
            *edges = merged;
        }
    }

    /// The states for which `keep` holds and which are reachable through such, renumbered in
    /// breadth-first order; one state without edges if the initial state is not kept. Gives the old
    /// number of each state.
    pub fn restrict(&mut self, keep: &dyn Fn(u32) -> bool) -> Vec<u32> {
        let mut new = vec![u32::MAX; self.states.len()];
        let mut old = Vec::new();
        if (self.initial as usize) < self.states.len() {
            new[self.initial as usize] = 0;
            old.push(self.initial);
            let mut next = 0;
            while let Some(&state) = old.get(next) {
                next += 1;
                if !keep(state) {
                    continue;
                }
                for edge in &self.states[state as usize] {
                    if keep(edge.target) && new[edge.target as usize] == u32::MAX {
                        new[edge.target as usize] = old.len() as u32;
                        old.push(edge.target);
                    }
                }
            }
        } else {
            *self = Self::nothing(std::mem::take(&mut self.atoms));
            return vec![0];
        }
        let states = old
            .iter()
            .map(|&state| {
                let edges = self.states[state as usize].iter();
                edges
                    .filter(|edge| keep(state) && new[edge.target as usize] != u32::MAX)
                    .map(|edge| Edge { target: new[edge.target as usize], ..edge.clone() })
                    .collect()
            })
            .collect();
        self.states = states;
        if !self.names.is_empty() {
            self.names = old.iter().map(|&state| self.names[state as usize].clone()).collect();
        }
        self.initial = 0;
        old
    }

    /// Gives names to the propositions, by number; missing ones keep theirs.
    pub fn name_atoms(&mut self, names: &[String]) {
        for (atom, name) in self.atoms.iter_mut().zip(names) {
            atom.clone_from(name);
        }
    }

    /// The automaton over a list of propositions, which takes its own by name.
    ///
    /// # Errors
    /// [`TooLarge::Atoms`] if a proposition that it depends on is not in the list's first 64.
    pub fn over(&self, atoms: &[String]) -> Result<Self, TooLarge> {
        if atoms.starts_with(&self.atoms) {
            return Ok(Self { atoms: atoms.to_vec(), ..self.clone() });
        }
        let support = self.support();
        let mut map = [0; 64];
        for atom in crate::bits::bits_of(support) {
            let name = self.atoms.get(atom as usize);
            let place = atoms.iter().position(|other| Some(other) == name);
            map[atom as usize] = place.filter(|&at| at < 64).ok_or(TooLarge::Atoms)? as u32;
        }
        let mut result = Self { atoms: atoms.to_vec(), ..self.clone() };
        for edge in result.states.iter_mut().flatten() {
            edge.label = edge.label.renumber(&|atom| map[atom as usize]);
        }
        Ok(result)
    }
}
