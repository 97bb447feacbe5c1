//! Automata with edges by class of letters, made to be changed and compared quickly.

use crate::letters::{Letters, Moves};
use crate::scc::Graph;
use crate::{Automaton, Components, Edge, Marks};
use std::ops::Range;

/// An infinite word by numbers of classes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Word {
    pub(super) prefix: Vec<usize>,
    pub(super) cycle: Vec<usize>,
}

/// An automaton by state and class of letters. Lists of edges are sorted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Explicit {
    pub(super) moves: Moves,
    pub(super) initial: u32,
    pub(super) sets: u32,
    pub(super) state_based: bool,
    /// Marks of each state, if they are on states.
    on_state: Vec<Marks>,
}

impl Explicit {
    pub(super) fn of(automaton: &Automaton, letters: &Letters) -> Self {
        let mut automaton = automaton.clone();
        // Trial needs a set to leave states unmarked.
        let all = automaton.all_marks().max(1);
        if automaton.sets == 0 {
            automaton.sets = 1;
            for edge in automaton.states.iter_mut().flatten() {
                edge.marks = 1;
            }
        }
        let mut moves = letters.moves(&automaton);
        moves.iter_mut().flatten().for_each(|edges| edges.sort_unstable());
        let on_state = automaton
            .states
            .iter()
            .map(|edges| edges.iter().fold(all, |marks, edge| marks & edge.marks))
            .collect();
        Self {
            moves,
            initial: automaton.initial,
            sets: automaton.sets,
            state_based: automaton.state_based,
            on_state,
        }
    }

    pub(super) fn automaton(&self, letters: &Letters, atoms: &[String]) -> Automaton {
        let edges = |row: &Vec<Vec<(u32, Marks)>>| {
            let by_class = row.iter().zip(&letters.classes);
            by_class
                .flat_map(|(list, label)| {
                    list.iter().map(|&(target, marks)| Edge { label: label.clone(), target, marks })
                })
                .collect()
        };
        let mut automaton = Automaton {
            states: self.moves.iter().map(edges).collect(),
            initial: self.initial,
            sets: self.sets,
            atoms: atoms.to_vec(),
            names: Vec::new(),
            state_based: self.state_based,
        };
        automaton.merge_edges();
        automaton
    }

    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    pub(super) fn all(&self) -> Marks {
        if self.sets >= 64 { Marks::MAX } else { (1 << self.sets) - 1 }
    }

    pub(super) fn marks(&self, state: u32) -> Marks {
        self.on_state[state as usize]
    }

    /// Whether it accepts a word.
    pub(super) fn accepts(&self, word: &Word) -> bool {
        let positions = word.prefix.len() + word.cycle.len();
        let mut graph: Graph = Vec::with_capacity(self.len() * positions);
        for row in &self.moves {
            for position in 0..positions {
                let class = match position.checked_sub(word.prefix.len()) {
                    Some(in_cycle) => word.cycle[in_cycle],
                    None => word.prefix[position],
                };
                let after =
                    if position + 1 == positions { word.prefix.len() } else { position + 1 };
                let node = |state: u32| state * positions as u32 + after as u32;
                graph.push(row[class].iter().map(|&(t, marks)| (node(t), marks)).collect());
            }
        }
        let components = Components::of_graph(&graph, [self.initial * positions as u32]);
        (0..components.count() as u32).any(|c| components.accepting(c, self.all()))
    }

    /// About how many edges a product with another automaton has.
    pub(super) fn work(&self, other: &Self) -> usize {
        let edges = |a: &Self| a.moves.iter().flatten().map(Vec::len).sum::<usize>();
        let classes = self.moves.first().map_or(1, Vec::len).max(1);
        edges(self) * edges(other) / classes + self.len() * other.len()
    }

    /// Whether a word is accepted by both.
    pub(super) fn meets(&self, other: &Self) -> bool {
        if self.moves.is_empty() || other.moves.is_empty() {
            return false;
        }
        let width = other.len() as u32;
        let mut graph: Graph = vec![Vec::new(); self.len() * other.len()];
        let start = self.initial * width + other.initial;
        let mut seen = vec![false; graph.len()];
        seen[start as usize] = true;
        let mut queue = vec![start];
        while let Some(pair) = queue.pop() {
            let (state, with) = ((pair / width) as usize, (pair % width) as usize);
            let mut edges = Vec::new();
            for (left, right) in self.moves[state].iter().zip(&other.moves[with]) {
                for &(s, marks) in left {
                    for &(t, more) in right {
                        let target = s * width + t;
                        let both = marks | more.checked_shl(self.sets).unwrap_or(0);
                        edges.push((target, both));
                        if !std::mem::replace(&mut seen[target as usize], true) {
                            queue.push(target);
                        }
                    }
                }
            }
            graph[pair as usize] = edges;
        }
        let components = Components::of_graph(&graph, [start]);
        let all = self.all() | other.all().checked_shl(self.sets).unwrap_or(0);
        (0..components.count() as u32).any(|c| components.accepting(c, all))
    }

    fn tidy(&mut self) {
        for edges in self.moves.iter_mut().flatten() {
            edges.sort_unstable();
            edges.dedup();
        }
    }

    /// State `q` merged into `p`; the marks of both.
    pub(super) fn merged(&self, p: u32, q: u32) -> Self {
        let mut result = self.clone();
        let more = std::mem::take(&mut result.moves[q as usize]);
        for (edges, more) in result.moves[p as usize].iter_mut().zip(more) {
            edges.extend(more);
        }
        for edge in result.moves.iter_mut().flatten().flatten() {
            if edge.0 == q {
                edge.0 = p;
            }
        }
        if result.initial == q {
            result.initial = p;
        }
        let marks = self.marks(p) | self.marks(q);
        let classes = self.moves.first().map_or(0, Vec::len);
        result.moves[q as usize] = vec![Vec::new(); classes];
        if self.state_based {
            result = result.with_marks(p, marks);
        }
        result.tidy();
        result
    }

    /// A state with other marks on its edges.
    pub(super) fn with_marks(&self, state: u32, marks: Marks) -> Self {
        let mut result = self.clone();
        result.on_state[state as usize] = marks;
        for edge in result.moves[state as usize].iter_mut().flatten() {
            edge.1 = marks;
        }
        result.tidy();
        result
    }

    /// For each bundle of edges and each mark that it lacks: its edges with that mark.
    pub(super) fn with_more_marks(&self) -> Vec<(u32, u32, Marks, Marks)> {
        let mut list = Vec::new();
        for (source, target, marks) in self.bundles() {
            for set in 0..self.sets {
                if marks >> set & 1 == 0 {
                    list.push((source, target, marks, 1 << set));
                }
            }
        }
        list
    }

    /// With a change from [`Self::with_more_marks`].
    pub(super) fn joined(&self, change: &(u32, u32, Marks, Marks)) -> Self {
        let &(source, target, marks, more) = change;
        let mut result = self.clone();
        for edge in result.moves[source as usize].iter_mut().flatten() {
            if edge.0 == target && edge.1 & marks == marks {
                edge.1 |= more;
            }
        }
        result.tidy();
        result
    }

    /// With edges between two states under some classes; less marked ones beside them go.
    pub(super) fn with_edges(
        &self,
        source: u32,
        target: u32,
        classes: Range<usize>,
        marks: Marks,
    ) -> Self {
        let mut result = self.clone();
        for edges in &mut result.moves[source as usize][classes] {
            if edges.iter().any(|&(to, on)| to == target && marks & !on == 0) {
                continue;
            }
            edges.retain(|&(to, on)| to != target || on & !marks != 0);
            edges.push((target, marks));
            edges.sort_unstable();
        }
        result
    }

    /// Without a state; the initial state is as given.
    pub(super) fn without(&self, state: u32, initial: u32) -> Self {
        let mut result = self.clone();
        result.initial = initial;
        result.moves[state as usize].iter_mut().for_each(Vec::clear);
        for edges in result.moves.iter_mut().flatten() {
            edges.retain(|edge| edge.0 != state);
        }
        result
    }

    /// Source, target and marks of edges, each once.
    pub(super) fn bundles(&self) -> Vec<(u32, u32, Marks)> {
        let mut list: Vec<_> = self
            .moves
            .iter()
            .enumerate()
            .flat_map(|(source, row)| {
                row.iter().flatten().map(move |&(target, marks)| (source as u32, target, marks))
            })
            .collect();
        list.sort_unstable();
        list.dedup();
        list
    }

    /// Without the edges of a bundle, under one class or all.
    pub(super) fn without_edges(
        &self,
        source: u32,
        target: u32,
        marks: Marks,
        class: Option<usize>,
    ) -> Self {
        let mut result = self.clone();
        for (number, edges) in result.moves[source as usize].iter_mut().enumerate() {
            if class.is_none_or(|class| class == number) {
                edges.retain(|&edge| edge != (target, marks));
            }
        }
        result
    }

    /// How many edges a state has under a class.
    pub(super) fn choices(&self, state: u32, class: usize) -> usize {
        self.moves[state as usize][class].len()
    }
}
