//! Whether a changed automaton has a word in common with what it is compared with.

use super::explicit::Explicit;
use crate::bits::bits_of;
use crate::emptiness::{Tagged, accepting_path};
use crate::letters::Letters;
use crate::{Automaton, Marks};
use std::ops::Range;

/// An infinite word by numbers of classes of letters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Word {
    pub(super) prefix: Vec<u32>,
    pub(super) cycle: Vec<u32>,
}

/// What an automaton is compared with. A word is such a thing too, with one state per position.
#[derive(Clone, Debug)]
pub(super) struct Partner {
    /// Class, target and marks of each edge.
    edges: Vec<(u32, u32, Marks)>,
    /// Where the edges of each state begin, and at last where all end.
    starts: Vec<usize>,
    initial: u32,
    all: Marks,
}

impl Partner {
    pub(super) fn of(automaton: &Automaton, letters: &Letters) -> Self {
        let moves = letters.moves(automaton);
        let mut edges = Vec::new();
        let mut starts = vec![0];
        for state in 0..automaton.states.len() as u32 {
            let from = edges.len();
            for class in 0..moves.classes {
                edges.extend(moves.of(state, class).iter().map(|e| (class as u32, e.0, e.1)));
            }
            // A deep search dives into the last edge first: the most marked one.
            edges[from..].sort_unstable_by_key(|&(_, _, marks)| marks.count_ones());
            starts.push(edges.len());
        }
        Self { edges, starts, initial: automaton.initial, all: automaton.all_marks() }
    }

    pub(super) fn word(word: &Word) -> Self {
        let positions = word.prefix.len() + word.cycle.len();
        let after = |position: usize| {
            if position + 1 == positions { word.prefix.len() } else { position + 1 }
        };
        let classes = word.prefix.iter().chain(&word.cycle).enumerate();
        let edges = classes.map(|(position, &class)| (class, after(position) as u32, 0)).collect();
        Self { edges, starts: (0..=positions).collect(), initial: 0, all: 0 }
    }

    fn states(&self) -> usize {
        self.starts.len() - 1
    }

    fn edges(&self, state: usize) -> &[(u32, u32, Marks)] {
        &self.edges[self.starts[state]..self.starts[state + 1]]
    }
}

/// Pairs whose component is known to lack a mark.
const CLOSED: u32 = u32::MAX;

/// A component on the path of the search.
#[derive(Clone, Copy)]
struct Root {
    /// When its first pair was met.
    time: u32,
    /// Marks met inside.
    inside: Marks,
    /// Marks on the edge that led there.
    entering: Marks,
}

/// A search through the product of an automaton and a partner, depth first, up to the first
/// component with all marks (Couvreur 1999), in memory that is used again.
#[derive(Default)]
pub(super) struct Search {
    /// Edges of the pairs met: target, marks, class.
    edges: Vec<(u32, Marks, u32)>,
    /// The edges of each pair.
    ranges: Vec<Range<usize>>,
    /// When each pair was met: 0 if it was not.
    order: Vec<u32>,
    /// Pairs whose component is not complete.
    open: Vec<u32>,
    roots: Vec<Root>,
    /// Pairs on the path, each with the place of the edge to follow next.
    path: Vec<(u32, usize)>,
}

impl Search {
    /// Whether a word is accepted by both. Adds the number of edges seen to `work`.
    pub(super) fn meets(&mut self, own: &Explicit, other: &Partner, work: &mut usize) -> bool {
        let width = other.states();
        if width == 0 || own.len() == 0 || own.sets + other.all.count_ones() > 64 {
            return false;
        }
        let all = own.all() | other.all << own.sets;
        self.edges.clear();
        self.ranges.clear();
        self.ranges.resize(own.len() * width, 0..0);
        self.order.clear();
        self.order.resize(own.len() * width, 0);
        self.open.clear();
        self.roots.clear();
        self.path.clear();
        let mut time = 1;
        let mut fresh = Some((own.initial * width as u32 + other.initial, 0));
        loop {
            if let Some((pair, entering)) = fresh.take() {
                self.order[pair as usize] = time;
                self.roots.push(Root { time, inside: 0, entering });
                time += 1;
                self.open.push(pair);
                *work += self.expand(own, other, pair) + 1;
            }
            let Some((pair, place)) = self.path.last_mut() else { return false };
            let pair = *pair as usize;
            if *place == self.ranges[pair].start {
                self.path.pop();
                self.close(pair);
                continue;
            }
            *place -= 1;
            let (target, marks, _) = self.edges[*place];
            let reached = self.order[target as usize];
            if reached == 0 {
                fresh = Some((target, marks));
            } else if reached != CLOSED && self.join(reached, marks) & all == all {
                return true;
            }
        }
    }

    /// As [`Self::meets`], with a word as proof.
    pub(super) fn common_word(
        &mut self,
        own: &Explicit,
        other: &Partner,
        work: &mut usize,
    ) -> Option<Word> {
        if !self.meets(own, other, work) {
            return None;
        }
        let graph = Tagged { edges: &self.edges, ranges: &self.ranges };
        let all = own.all() | other.all << own.sets;
        let start = own.initial * other.states() as u32 + other.initial;
        let (prefix, cycle) = accepting_path(graph, start, all, 1)?;
        Some(Word { prefix, cycle })
    }

    /// Finds the edges of a pair; gives their number.
    fn expand(&mut self, own: &Explicit, other: &Partner, pair: u32) -> usize {
        let width = other.states() as u32;
        let from = self.edges.len();
        for &(class, next, marks) in other.edges((pair % width) as usize) {
            let marks = marks << own.sets;
            let targets = own.targets((pair / width) as usize, class as usize);
            for (on_edge, &set) in targets.iter().enumerate() {
                for target in bits_of(set) {
                    self.edges.push((target * width + next, on_edge as Marks | marks, class));
                }
            }
        }
        self.ranges[pair as usize] = from..self.edges.len();
        self.path.push((pair, self.edges.len()));
        self.edges.len() - from
    }

    /// An edge leads back to a pair met before: components between are one. Gives their marks.
    fn join(&mut self, reached: u32, marks: Marks) -> Marks {
        let mut met = marks;
        while let Some(root) = self.roots.last_mut() {
            met |= root.inside;
            if root.time <= reached {
                root.inside |= met;
                break;
            }
            met |= root.entering;
            self.roots.pop();
        }
        met
    }

    /// A pair is left for good; so is its component if it was met there first.
    fn close(&mut self, pair: usize) {
        if self.roots.last().is_some_and(|root| root.time == self.order[pair]) {
            self.roots.pop();
            while let Some(top) = self.open.pop() {
                self.order[top as usize] = CLOSED;
                if top as usize == pair {
                    break;
                }
            }
        }
    }
}
