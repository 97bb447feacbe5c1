//! Strongly connected components.

use crate::{Automaton, Marks};

/// The components of the part of a graph that is reachable from a state.
#[derive(Clone, Debug)]
pub struct Components {
    /// Component of each state, `u32::MAX` if the state is not reachable. Edges lead to components
    /// with the same number or a lower one.
    pub of: Vec<u32>,
    /// Union of the marks on edges inside each component.
    pub marks: Vec<Marks>,
    /// Intersection of the marks on edges inside each component.
    pub common: Vec<Marks>,
    /// Whether the component has an edge inside.
    pub cyclic: Vec<bool>,
}

/// A graph with marks on its edges.
pub(crate) type Graph = Vec<Vec<(u32, Marks)>>;

/// The graph of an automaton.
pub(crate) fn graph(automaton: &Automaton) -> Graph {
    let edges = |edges: &Vec<crate::Edge>| edges.iter().map(|e| (e.target, e.marks)).collect();
    automaton.states.iter().map(edges).collect()
}

impl Components {
    /// The components of an automaton, from its initial state.
    pub fn of(automaton: &Automaton) -> Self {
        let edge = |state: u32, number: usize| {
            automaton.states[state as usize].get(number).map(|edge| (edge.target, edge.marks))
        };
        Self::of_edges_by(automaton.states.len(), edge, [automaton.initial])
    }

    /// The components of a graph, given as target and marks of the edges of each state, from a
    /// state.
    pub fn of_edges(graph: &[Vec<(u32, Marks)>], initial: u32) -> Self {
        let edge = |state: u32, number: usize| graph[state as usize].get(number).copied();
        Self::of_edges_by(graph.len(), edge, [initial])
    }

    /// Number of components.
    pub fn count(&self) -> usize {
        self.marks.len()
    }

    /// Whether a component has a cycle with all these marks.
    pub fn accepting(&self, component: u32, marks: Marks) -> bool {
        self.cyclic[component as usize] && self.marks[component as usize] & marks == marks
    }

    /// The components reachable from some states.
    pub(crate) fn of_graph(graph: &Graph, roots: impl IntoIterator<Item = u32>) -> Self {
        let edge = |state: u32, number: usize| graph[state as usize].get(number).copied();
        Self::of_edges_by(graph.len(), edge, roots)
    }

    /// The components reachable from some of a number of states, whose edges are asked for by their
    /// numbers, `None` after the last one (Tarjan 1972, with an explicit stack).
    pub(crate) fn of_edges_by(
        states: usize,
        edge: impl Fn(u32, usize) -> Option<(u32, Marks)>,
        roots: impl IntoIterator<Item = u32>,
    ) -> Self {
        const NONE: u32 = u32::MAX;
        let mut of = vec![NONE; states];
        let mut order = vec![NONE; states];
        let mut low = vec![NONE; states];
        let (mut time, mut count) = (0, 0);
        let mut open: Vec<u32> = Vec::new();
        let mut stack: Vec<(u32, usize)> = Vec::new();
        for root in roots {
            if root as usize >= states || order[root as usize] != NONE {
                continue;
            }
            stack.push((root, 0));
            while let Some((state, next)) = stack.pop() {
                let s = state as usize;
                if next == 0 {
                    order[s] = time;
                    low[s] = time;
                    time += 1;
                    open.push(state);
                }
                if let Some((target, _)) = edge(state, next) {
                    stack.push((state, next + 1));
                    let t = target as usize;
                    if order[t] == NONE {
                        stack.push((target, 0));
                    } else if of[t] == NONE {
                        low[s] = low[s].min(order[t]);
                    }
                    continue;
                }
                if low[s] == order[s] {
                    while let Some(top) = open.pop() {
                        of[top as usize] = count;
                        if top == state {
                            break;
                        }
                    }
                    count += 1;
                }
                if let Some(&(parent, _)) = stack.last() {
                    let p = parent as usize;
                    low[p] = low[p].min(low[s]);
                }
            }
        }
        let count = count as usize;
        let (mut marks, mut common) = (vec![0; count], vec![Marks::MAX; count]);
        let mut cyclic = vec![false; count];
        for state in 0..states as u32 {
            let component = of[state as usize];
            for (target, on_edge) in (0..).map_while(|number| edge(state, number)) {
                if component != NONE && of[target as usize] == component {
                    marks[component as usize] |= on_edge;
                    common[component as usize] &= on_edge;
                    cyclic[component as usize] = true;
                }
            }
        }
        Self { of, marks, common, cyclic }
    }
}
