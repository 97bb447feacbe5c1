//! Emptiness, with a word as proof of the contrary, and acceptance of a given word.

use crate::map::Map;
use crate::scc::Graph;
use crate::{Automaton, Components, Label, Marks};
use promenade_ltl::{Lasso, Letter};
use std::collections::VecDeque;
use std::ops::Range;

/// Whether the automaton accepts no word.
pub fn is_empty(automaton: &Automaton) -> bool {
    let components = Components::of(automaton);
    let all = automaton.all_marks();
    !(0..components.count() as u32).any(|c| components.accepting(c, all))
}

/// Whether the automaton accepts the word.
pub fn accepts(automaton: &Automaton, word: &Lasso) -> bool {
    let positions = word.positions();
    if automaton.states.is_empty() {
        return false;
    }
    let node = |state: u32, position: usize| state * positions as u32 + position as u32;
    let mut graph: Graph = Vec::with_capacity(automaton.states.len() * positions);
    for edges in &automaton.states {
        for position in 0..positions {
            let letter = word.letter(position);
            let after = word.after(position);
            let taken = edges.iter().filter(|edge| edge.label.contains(letter));
            graph.push(taken.map(|edge| (node(edge.target, after), edge.marks)).collect());
        }
    }
    let components = Components::of_graph(&graph, [node(automaton.initial, 0)]);
    let all = automaton.all_marks();
    (0..components.count() as u32).any(|c| components.accepting(c, all))
}

/// A graph with marks and a tag, say a label's number, on each edge.
#[derive(Clone, Copy)]
pub(crate) struct Tagged<'g> {
    /// Target, marks and tag.
    pub(crate) edges: &'g [(u32, Marks, u32)],
    /// The edges of each state.
    pub(crate) ranges: &'g [Range<usize>],
}

impl<'g> Tagged<'g> {
    fn row(self, state: u32) -> &'g [(u32, Marks, u32)] {
        &self.edges[self.ranges[state as usize].clone()]
    }
}

/// States at which a cycle is tried; more take longer and rarely give shorter words.
pub(crate) const TRIED: usize = 200;

/// A short word that the automaton accepts, if there is one: of the words with a cycle through a
/// given state, found breadth first, the shortest over the states tried.
pub fn accepting_word(automaton: &Automaton) -> Option<Lasso> {
    let mut letters: Vec<Letter> = Vec::new();
    let mut known: Map<&Label, u32> = Map::default();
    let mut edges = Vec::with_capacity(automaton.edge_count());
    let mut ranges = Vec::with_capacity(automaton.states.len());
    for row in &automaton.states {
        let from = edges.len();
        for edge in row {
            let tag = *known.entry(&edge.label).or_insert_with(|| {
                letters.push(edge.label.some_letter().unwrap_or(0));
                letters.len() as u32 - 1
            });
            edges.push((edge.target, edge.marks, tag));
        }
        ranges.push(from..edges.len());
    }
    let all = automaton.all_marks();
    let graph = Tagged { edges: &edges, ranges: &ranges };
    let (prefix, cycle) = accepting_path(graph, automaton.initial, all, TRIED)?;
    let word = |tags: Vec<u32>| tags.into_iter().map(|tag| letters[tag as usize]).collect();
    Lasso::new(word(prefix), word(cycle)).map(|word| shortened(&word))
}

/// Tags of a short path to a cycle with all marks, and of the cycle. At most `tried` states are
/// looked at as places where the cycle is entered.
pub(crate) fn accepting_path(
    graph: Tagged<'_>,
    initial: u32,
    all: Marks,
    tried: usize,
) -> Option<(Vec<u32>, Vec<u32>)> {
    let edge = |state: u32, number: usize| graph.row(state).get(number).map(|e| (e.0, e.1));
    let components = Components::of_edges_by(graph.ranges.len(), edge, [initial]);
    let mut order = Vec::new();
    let (_, from) = breadth_first(graph, initial, &|_| true, |state| {
        order.push(state);
        None::<()>
    });
    let good = |&&state: &&u32| components.accepting(components.of[state as usize], all);
    let mut best: Option<(Vec<u32>, Vec<u32>)> = None;
    let length = |found: &Option<(Vec<u32>, Vec<u32>)>| {
        found.as_ref().map_or(usize::MAX, |(prefix, cycle)| prefix.len() + cycle.len())
    };
    for &state in order.iter().filter(good).take(tried) {
        let component = components.of[state as usize];
        let prefix = path_back(graph, initial, state, &from);
        if length(&best) <= prefix.len() + 1 {
            break;
        }
        let inside = |s: u32| components.of[s as usize] == component;
        let found = Some((prefix, cycle(graph, state, all, &inside)));
        if length(&found) < length(&best) {
            best = found;
        }
    }
    best
}

/// How each state was reached first: from which state, by which edge.
type From = Vec<Option<(u32, u32)>>;

/// Visits the states that can be reached from one by way of allowed ones, breadth first, until
/// `found` says something of one of them.
fn breadth_first<T>(
    graph: Tagged<'_>,
    start: u32,
    allowed: &dyn Fn(u32) -> bool,
    mut found: impl FnMut(u32) -> Option<T>,
) -> (Option<T>, From) {
    let mut from: From = vec![None; graph.ranges.len()];
    if start as usize >= from.len() {
        return (None, from);
    }
    let mut queue = VecDeque::from([start]);
    while let Some(state) = queue.pop_front() {
        if let Some(found) = found(state) {
            return (Some(found), from);
        }
        for (number, &(target, ..)) in graph.row(state).iter().enumerate() {
            let reached = &mut from[target as usize];
            if target != start && reached.is_none() && allowed(target) {
                *reached = Some((state, number as u32));
                queue.push_back(target);
            }
        }
    }
    (None, from)
}

/// Tags of the path that was found to a state.
fn path_back(graph: Tagged<'_>, start: u32, end: u32, from: &From) -> Vec<u32> {
    let mut tags = Vec::new();
    let mut state = end;
    while state != start {
        let Some((source, number)) = from[state as usize] else { break };
        tags.push(graph.row(source)[number as usize].2);
        state = source;
    }
    tags.reverse();
    tags
}

/// Tags of a cycle through a state with all marks, staying in a component that has them.
fn cycle(graph: Tagged<'_>, start: u32, all: Marks, inside: &dyn Fn(u32) -> bool) -> Vec<u32> {
    let (mut tags, mut missing, mut state) = (Vec::new(), all, start);
    loop {
        // The nearest edge with a missing mark, or, when none is missing, back to the start.
        let (found, from) = breadth_first(graph, state, inside, |source| {
            let edges = graph.row(source).iter().enumerate();
            edges
                .filter(|(_, (target, marks, _))| {
                    let home = missing == 0 && *target == start;
                    inside(*target) && (home || marks & missing != 0)
                })
                .max_by_key(|(number, (target, marks, _))| {
                    let gain = (marks & missing).count_ones();
                    (gain, *target == start, std::cmp::Reverse(*number))
                })
                .map(|(number, _)| (source, number))
        });
        let Some((source, number)) = found else { return tags };
        tags.extend(path_back(graph, state, source, &from));
        let (target, marks, tag) = graph.row(source)[number];
        tags.push(tag);
        missing &= !marks;
        state = target;
        if missing == 0 && state == start {
            return tags;
        }
    }
}

/// The same word with the shortest cycle and the shortest prefix.
pub(crate) fn shortened(word: &Lasso) -> Lasso {
    let (mut prefix, mut cycle) = (word.prefix().to_vec(), word.cycle().to_vec());
    shorten(&mut prefix, &mut cycle);
    Lasso::new(prefix, cycle).unwrap_or_else(|| word.clone())
}

/// Makes the prefix and the cycle of a word as short as they can be.
pub(crate) fn shorten<T: PartialEq>(prefix: &mut Vec<T>, cycle: &mut Vec<T>) {
    let length = cycle.len();
    let period = (1..=length)
        .find(|&p| length.is_multiple_of(p) && (p..length).all(|i| cycle[i] == cycle[i - p]));
    cycle.truncate(period.unwrap_or(length));
    while prefix.last().is_some_and(|letter| cycle.last() == Some(letter)) {
        prefix.pop();
        cycle.rotate_right(1);
    }
}
