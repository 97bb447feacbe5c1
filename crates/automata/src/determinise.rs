//! Deterministic parity automata, and what they tell: complements, inclusion, the class of a
//! language.
//!
//! Safra's construction with the numbering of Piterman (2007), written as one list of nested nodes
//! per state. A node is older than those with greater numbers. On an accepting edge a state moves
//! into a fresh child node; where paths meet, the one that is older at the first difference stays; a
//! node all of whose states sit in children has seen each of them pass an accepting edge: it is
//! green and swallows its children. A run is accepting if, from some point on, a node stays and is
//! green again and again.

use crate::letters::{Letters, Moves};
use crate::scc::Graph;
use crate::{Automaton, Components, TooLarge, degeneralise_on_edges};
use std::collections::HashMap;

/// A complete deterministic automaton with a colour on each edge. A run is accepting if the least
/// colour that it meets again and again is even.
#[derive(Clone, Debug)]
pub(crate) struct Parity {
    /// By state and class of letters: target and colour. State 0 is initial.
    pub(crate) next: Vec<Vec<(u32, u32)>>,
}

/// A state of the powerset with the nodes that it lies in, outermost first.
type Nested = Vec<(u32, Vec<u16>)>;

/// Paths meet: whether the first is to stay.
fn wins(a: &[u16], b: &[u16]) -> bool {
    match a.iter().zip(b).find(|(x, y)| x != y) {
        Some((x, y)) => x < y,
        None => a.len() > b.len(),
    }
}

impl Parity {
    /// The automaton with the same language over classes of letters.
    ///
    /// # Errors
    /// It has more than `limit` states.
    pub(crate) fn of(
        automaton: &Automaton,
        letters: &Letters,
        limit: usize,
    ) -> Result<Self, TooLarge> {
        let automaton = &degeneralise_on_edges(automaton, limit)?;
        let start = (!automaton.states.is_empty()).then_some(automaton.initial);
        Self::of_moves(&letters.moves(automaton), start, automaton.all_marks(), limit)
    }

    /// The same for at most one acceptance set, which an edge with marks `marks` belongs to.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub(crate) fn of_moves(
        moves: &Moves,
        start: Option<u32>,
        marks: u64,
        limit: usize,
    ) -> Result<Self, TooLarge> {
        let graph = moves.iter().map(|row| row.iter().flatten().copied().collect()).collect();
        let components = Components::of_graph(&graph, start);
        // Marks outside accepting components are not needed.
        let accepting: Vec<bool> =
            (0..components.count() as u32).map(|c| components.accepting(c, marks)).collect();
        let classes = moves.first().map_or(0, Vec::len);
        let start: Nested = start.map(|state| (state, vec![0])).into_iter().collect();
        let mut numbers: HashMap<Nested, u32> = HashMap::from([(start.clone(), 0)]);
        let mut states = vec![start];
        let mut next = Vec::new();
        while let Some(state) = states.get(next.len()).cloned() {
            let mut row = Vec::with_capacity(classes);
            for class in 0..classes {
                let is_accepting = |from: u32, to: u32, on_edge: u64| {
                    let component = components.of[from as usize];
                    component == components.of[to as usize]
                        && accepting[component as usize]
                        && on_edge & marks == marks
                };
                let (target, colour) = step(&state, moves, class, &is_accepting);
                let number = match numbers.get(&target) {
                    Some(&number) => number,
                    None => {
                        let number = states.len() as u32;
                        numbers.insert(target.clone(), number);
                        states.push(target);
                        number
                    }
                };
                row.push((number, colour));
            }
            next.push(row);
            if states.len() > limit {
                return Err(TooLarge::States);
            }
        }
        Ok(Self { next })
    }

    /// The colours that occur.
    pub(crate) fn colours(&self) -> Vec<u32> {
        let mut colours: Vec<u32> = self.next.iter().flatten().map(|&(_, c)| c).collect();
        colours.sort_unstable();
        colours.dedup();
        colours
    }

    /// States that lie on a cycle whose least colour is even, or odd, within some states.
    fn on_cycle(&self, even: bool, within: &[bool]) -> Vec<bool> {
        let mut on = vec![false; self.next.len()];
        for colour in self.colours().into_iter().filter(|c| c.is_multiple_of(2) == even) {
            let (graph, components) = self.above(colour, within);
            for (state, edges) in graph.iter().enumerate() {
                let own = components.of[state];
                if edges.iter().any(|&(t, m)| m != 0 && components.of[t as usize] == own) {
                    for (other, on) in on.iter_mut().enumerate() {
                        *on |= components.of[other] == own;
                    }
                }
            }
        }
        on
    }

    /// The edges with at least a colour, those that have just it marked, and their components.
    fn above(&self, colour: u32, within: &[bool]) -> (Graph, Components) {
        let graph: Graph = self
            .next
            .iter()
            .enumerate()
            .map(|(state, row)| {
                let kept = row.iter().filter(|&&(target, c)| {
                    c >= colour && within[state] && within[target as usize]
                });
                kept.map(|&(target, c)| (target, u64::from(c == colour))).collect()
            })
            .collect();
        let components = Components::of_graph(&graph, 0..graph.len() as u32);
        (graph, components)
    }

    /// States from which one of the given states can be reached.
    fn reaching(&self, goal: &[bool]) -> Vec<bool> {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.next.len()];
        for (state, row) in self.next.iter().enumerate() {
            for &(target, _) in row {
                before[target as usize].push(state as u32);
            }
        }
        let mut reaching = goal.to_vec();
        let mut queue: Vec<u32> =
            (0..goal.len() as u32).filter(|&state| goal[state as usize]).collect();
        while let Some(state) = queue.pop() {
            for &source in &before[state as usize] {
                if !std::mem::replace(&mut reaching[source as usize], true) {
                    queue.push(source);
                }
            }
        }
        reaching
    }

    /// Whether the language is a safety property: whatever prefix can be continued well, for ever.
    pub(crate) fn is_safety(&self) -> bool {
        let everywhere = vec![true; self.next.len()];
        let alive = self.reaching(&self.on_cycle(true, &everywhere));
        !self.on_cycle(false, &alive).contains(&true)
    }

    /// Whether the language is a guarantee: each word in it has a prefix that settles it.
    pub(crate) fn is_guarantee(&self) -> bool {
        let everywhere = vec![true; self.next.len()];
        let open = self.reaching(&self.on_cycle(false, &everywhere));
        !self.on_cycle(true, &open).contains(&true)
    }

    /// Whether a deterministic Buchi automaton has the language (`even`), or one its complement:
    /// no accepting cycle lies inside a rejecting one, or the other way round (Landweber 1969).
    pub(crate) fn is_recurrence(&self, even: bool) -> bool {
        let everywhere = vec![true; self.next.len()];
        for colour in self.colours().into_iter().filter(|c| c.is_multiple_of(2) != even) {
            let (graph, components) = self.above(colour, &everywhere);
            let mut outer = vec![false; components.count()];
            for (state, edges) in graph.iter().enumerate() {
                let own = components.of[state];
                outer[own as usize] |=
                    edges.iter().any(|&(t, m)| m != 0 && components.of[t as usize] == own);
            }
            // A cycle of the other kind with the same component, hence with greater colours.
            let inner = Self {
                next: self
                    .next
                    .iter()
                    .enumerate()
                    .map(|(state, row)| {
                        let own = components.of[state];
                        let inside = row.iter().filter(|&&(target, c)| {
                            c > colour
                                && outer[own as usize]
                                && components.of[target as usize] == own
                        });
                        inside.copied().collect()
                    })
                    .collect(),
            };
            if inner.on_cycle(even, &everywhere).contains(&true) {
                return false;
            }
        }
        true
    }
}

/// One step of the construction, with its colour.
fn step(
    state: &Nested,
    moves: &Moves,
    class: usize,
    is_accepting: &dyn Fn(u32, u32, u64) -> bool,
) -> (Nested, u32) {
    let nodes = state.iter().flat_map(|(_, path)| path).max().map_or(0, |&n| n + 1);
    let mut fresh: HashMap<u16, u16> = HashMap::new();
    let mut target: Nested = Vec::new();
    for (from, path) in state {
        for &(to, marks) in &moves[*from as usize][class] {
            let mut path = path.clone();
            if is_accepting(*from, to, marks)
                && let Some(&innermost) = path.last()
            {
                let number = nodes + fresh.len() as u16;
                path.push(*fresh.entry(innermost).or_insert(number));
            }
            match target.binary_search_by_key(&to, |entry| entry.0) {
                Ok(place) => {
                    if wins(&path, &target[place].1) {
                        target[place].1 = path;
                    }
                }
                Err(place) => target.insert(place, (to, path)),
            }
        }
    }
    let total = nodes as usize + fresh.len();
    let mut bare = vec![false; total];
    let mut present = vec![false; total];
    let survey = |target: &Nested, present: &mut [bool], bare: &mut [bool]| {
        for (_, path) in target {
            for &node in path {
                present[node as usize] = true;
            }
            if let Some(&node) = path.last() {
                bare[node as usize] = true;
            }
        }
    };
    survey(&target, &mut present, &mut bare);
    let green: Vec<bool> = (0..total).map(|node| present[node] && !bare[node]).collect();
    for (_, path) in &mut target {
        if let Some(place) = path.iter().position(|&node| green[node as usize]) {
            path.truncate(place + 1);
        }
    }
    present.fill(false);
    survey(&target, &mut present, &mut bare);
    let mut colour = 2 * u32::from(u16::MAX) + 3;
    for node in (0..nodes as usize).rev() {
        if !present[node] {
            colour = 2 * node as u32 + 1;
        } else if green[node] {
            colour = 2 * node as u32 + 2;
        }
    }
    let mut number = 0;
    let numbers: Vec<u16> = present
        .iter()
        .map(|&there| {
            number += u16::from(there);
            number.saturating_sub(1)
        })
        .collect();
    for node in target.iter_mut().flat_map(|(_, path)| path) {
        *node = numbers[*node as usize];
    }
    (target, colour)
}
