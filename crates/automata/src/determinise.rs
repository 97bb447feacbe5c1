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
use crate::map::Map;
use crate::scc::Graph;
use crate::{Automaton, Components, TooLarge, degeneralise_on_edges};
use std::ops::Range;

/// A complete deterministic automaton with a colour on each edge. A run is accepting if the least
/// colour that it meets again and again is even.
#[derive(Clone, Debug)]
pub(crate) struct Parity {
    /// By state and class of letters: target and colour. State 0 is initial.
    pub(crate) next: Vec<Vec<(u32, u32)>>,
}

/// A set of states, each with the nodes that it lies in, outermost first: the state, the number of
/// nodes, the nodes.
type Nested = Vec<u32>;

/// The states of a set in turn, each with its path of nodes.
fn members(mut rest: &[u32]) -> impl Iterator<Item = (u32, &[u32])> {
    std::iter::from_fn(move || {
        let [state, length, after @ ..] = rest else { return None };
        let (path, after) = after.split_at_checked(*length as usize)?;
        rest = after;
        Some((*state, path))
    })
}

/// Paths meet: whether the first is to stay.
fn wins(a: &[u32], b: &[u32]) -> bool {
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
        let edge = |state: u32, number: usize| moves.row(state).get(number).copied();
        let components = Components::of_edges_by(moves.states(), edge, start);
        // Marks outside accepting components are not needed.
        let accepting: Vec<bool> =
            (0..components.count() as u32).map(|c| components.accepting(c, marks)).collect();
        let is_accepting = |from: u32, to: u32, on_edge: u64| {
            let component = components.of[from as usize];
            component == components.of[to as usize]
                && accepting[component as usize]
                && on_edge & marks == marks
        };
        let alike = moves.alike();
        let mut step = Step::new(moves.states());
        let start: Nested = start.into_iter().flat_map(|state| [state, 1, 0]).collect();
        let mut numbers: Map<Nested, u32> = Map::from_iter([(start.clone(), 0)]);
        let mut states = vec![start];
        let mut next: Vec<Vec<(u32, u32)>> = Vec::new();
        while let Some(state) = states.get(next.len()).cloned() {
            let mut row: Vec<(u32, u32)> = Vec::with_capacity(moves.classes);
            for class in 0..moves.classes {
                // Classes that no state of the set tells apart lead to the same.
                let same = |&other: &usize| {
                    let of = |member: u32| &alike[member as usize];
                    members(&state).all(|(it, _)| of(it)[other] == of(it)[class])
                };
                if let Some(other) = (0..class).find(same) {
                    row.push(row[other]);
                    continue;
                }
                let colour = step.take(&state, moves, class, &is_accepting);
                let number = match numbers.get(step.target.as_slice()) {
                    Some(&number) => number,
                    None => {
                        let number = states.len() as u32;
                        numbers.insert(step.target.clone(), number);
                        states.push(step.target.clone());
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

/// One step of the construction at a time, in memory that is used again.
struct Step {
    /// The set that the last step led to.
    target: Nested,
    /// Paths to the states of the set in the making, one after the other.
    paths: Vec<u32>,
    /// For each state the place of its path; empty if the state is not in the set.
    place: Vec<Range<usize>>,
    /// The states of the set in the making.
    reached: Vec<u32>,
    /// What is known of each node.
    nodes: Vec<Known>,
}

/// What is known of a node during a step.
#[derive(Clone, Copy, Default)]
struct Known {
    /// The fresh child that it got, if any.
    child: Option<u32>,
    /// Some state lies in it.
    present: bool,
    /// Some state lies in it and in none of its children.
    bare: bool,
    /// All its states lie in children.
    green: bool,
    /// Its number after the step, if it is present then.
    number: u32,
}

impl Step {
    fn new(states: usize) -> Self {
        Self {
            target: Vec::new(),
            paths: Vec::new(),
            place: vec![0..0; states],
            reached: Vec::new(),
            nodes: Vec::new(),
        }
    }

    /// Takes the step from a set under a class of letters; gives its colour.
    fn take(
        &mut self,
        from: &[u32],
        moves: &Moves,
        class: usize,
        is_accepting: &impl Fn(u32, u32, u64) -> bool,
    ) -> u32 {
        let older = members(from).flat_map(|(_, path)| path).max().map_or(0, |&node| node + 1);
        self.nodes.clear();
        self.nodes.resize(older as usize, Known::default());
        self.move_states(from, moves, class, is_accepting);
        self.survey();
        for node in &mut self.nodes {
            node.green = node.present && !node.bare;
        }
        for &state in &self.reached {
            let place = &mut self.place[state as usize];
            let mut path = self.paths[place.clone()].iter();
            if let Some(last) = path.position(|&node| self.nodes[node as usize].green) {
                place.end = place.start + last + 1;
            }
        }
        self.survey();
        let mut colour = 2 * u32::from(u16::MAX) + 3;
        for (number, node) in self.nodes[..older as usize].iter().enumerate().rev() {
            if !node.present {
                colour = 2 * number as u32 + 1;
            } else if node.green {
                colour = 2 * number as u32 + 2;
            }
        }
        self.finish();
        colour
    }

    /// Moves all states, each on the path that wins. Accepting edges lead into fresh nodes.
    fn move_states(
        &mut self,
        from: &[u32],
        moves: &Moves,
        class: usize,
        is_accepting: &impl Fn(u32, u32, u64) -> bool,
    ) {
        for (state, path) in members(from) {
            for &(to, marks) in moves.of(state, class) {
                let start = self.paths.len();
                self.paths.extend_from_slice(path);
                if is_accepting(state, to, marks)
                    && let Some(&innermost) = path.last()
                {
                    let fresh = self.nodes.len() as u32;
                    let child = *self.nodes[innermost as usize].child.get_or_insert(fresh);
                    if child == fresh {
                        self.nodes.push(Known::default());
                    }
                    self.paths.push(child);
                }
                let place = &mut self.place[to as usize];
                if place.start == place.end {
                    self.reached.push(to);
                    *place = start..self.paths.len();
                } else if wins(&self.paths[start..], &self.paths[place.clone()]) {
                    *place = start..self.paths.len();
                } else {
                    self.paths.truncate(start);
                }
            }
        }
    }

    /// Finds out which nodes are present, and bare.
    fn survey(&mut self) {
        for node in &mut self.nodes {
            (node.present, node.bare) = (false, false);
        }
        for &state in &self.reached {
            let path = &self.paths[self.place[state as usize].clone()];
            for &node in path {
                self.nodes[node as usize].present = true;
            }
            if let Some(&node) = path.last() {
                self.nodes[node as usize].bare = true;
            }
        }
    }

    /// Writes the set down, its nodes renumbered, and forgets it.
    fn finish(&mut self) {
        let mut present = 0;
        for node in &mut self.nodes {
            node.number = present;
            present += u32::from(node.present);
        }
        self.reached.sort_unstable();
        self.target.clear();
        for state in self.reached.drain(..) {
            let place = std::mem::take(&mut self.place[state as usize]);
            self.target.extend([state, place.len() as u32]);
            let path = self.paths[place].iter();
            self.target.extend(path.map(|&node| self.nodes[node as usize].number));
        }
        self.paths.clear();
    }
}
