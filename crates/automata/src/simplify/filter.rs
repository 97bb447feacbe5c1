//! What components tell: dead states, marks without meaning, superfluous acceptance sets.

use crate::scc::{Graph, graph};
use crate::{Automaton, Components, Marks};

/// Removes states from which no word is accepted, marks outside accepting cycles, acceptance sets
/// that every accepting cycle has, and sets that contain another one. Joins parallel edges.
///
/// Of a state-based automaton the result is state-based: states outside accepting components become
/// unmarked.
pub fn filter(automaton: &mut Automaton) {
    let all = automaton.all_marks();
    let components = Components::of(automaton);
    let useful = useful_components(automaton, &components);
    let keep: Vec<bool> =
        components.of.iter().map(|&c| c != u32::MAX && useful[c as usize]).collect();
    let accepting = |state: u32| {
        let component = components.of[state as usize];
        component != u32::MAX && components.accepting(component, all)
    };
    let state_based = automaton.state_based;
    for state in 0..automaton.states.len() as u32 {
        let own = components.of[state as usize];
        let cycles = accepting(state);
        for edge in &mut automaton.states[state as usize] {
            let inside = cycles && components.of[edge.target as usize] == own;
            if !(inside || state_based && cycles) {
                edge.marks = 0;
            }
        }
    }
    automaton.restrict(&|state| keep[state as usize]);
    drop_sets(automaton);
    automaton.merge_edges();
}

/// Components from which an accepting one is reachable.
fn useful_components(automaton: &Automaton, components: &Components) -> Vec<bool> {
    let all = automaton.all_marks();
    let mut useful: Vec<bool> =
        (0..components.count() as u32).map(|c| components.accepting(c, all)).collect();
    // Edges lead to lower numbers: in the order of numbers one round is enough.
    let mut by_component: Vec<Vec<u32>> = vec![Vec::new(); components.count()];
    for (state, edges) in automaton.states.iter().enumerate() {
        let own = components.of[state];
        if own != u32::MAX {
            by_component[own as usize]
                .extend(edges.iter().map(|e| components.of[e.target as usize]));
        }
    }
    for own in 0..useful.len() {
        useful[own] = useful[own] || by_component[own].iter().any(|&c| useful[c as usize]);
    }
    useful
}

/// Whether the graph has a cycle inside a component that avoids a mark.
pub(crate) fn avoidable(graph: &Graph, of: &[u32], mark: Marks) -> Vec<bool> {
    let count = of.iter().filter(|&&c| c != u32::MAX).max().map_or(0, |&c| c as usize + 1);
    let without: Graph = graph
        .iter()
        .enumerate()
        .map(|(state, edges)| {
            let stays = |&&(target, marks): &&(u32, Marks)| {
                marks & mark != mark && of[target as usize] == of[state]
            };
            edges.iter().filter(stays).copied().collect()
        })
        .collect();
    let inner = Components::of_graph(&without, 0..graph.len() as u32);
    let mut avoidable = vec![false; count];
    for (state, &component) in inner.of.iter().enumerate() {
        if inner.cyclic[component as usize] && of[state] != u32::MAX {
            avoidable[of[state] as usize] = true;
        }
    }
    avoidable
}

/// Makes acceptance sets as few as they need be, after marks are gone from all but accepting
/// components. In each component a set is without meaning if each cycle meets it, or if it contains
/// another one: there all edges get its mark. The sets with a meaning are then numbered per component.
fn drop_sets(automaton: &mut Automaton) {
    if automaton.sets == 0 {
        return;
    }
    let graph = graph(automaton);
    let components = Components::of_graph(&graph, [automaton.initial]);
    let all = automaton.all_marks();
    let count = components.count();
    let accepting: Vec<bool> = (0..count as u32).map(|c| components.accepting(c, all)).collect();
    let mut relevant: Vec<Marks> = vec![0; count];
    for set in 0..automaton.sets {
        let avoided = avoidable(&graph, &components.of, 1 << set);
        for c in 0..count {
            relevant[c] |= u64::from(accepting[c] && avoided[c]) << set;
        }
    }
    // `contained[c][b]`: sets that are parts of set b in component c.
    let mut contained = vec![vec![all; automaton.sets as usize]; count];
    for (state, edges) in graph.iter().enumerate() {
        let own = components.of[state];
        for &(target, marks) in edges {
            if own != u32::MAX && components.of[target as usize] == own {
                for set in (0..automaton.sets).filter(|set| marks >> set & 1 == 0) {
                    contained[own as usize][set as usize] &= !marks;
                }
            }
        }
    }
    for c in 0..count {
        for set in 0..automaton.sets {
            if relevant[c] >> set & 1 == 1
                && contained[c][set as usize] & relevant[c] & !(1 << set) != 0
            {
                relevant[c] &= !(1 << set);
            }
        }
    }
    let rejecting = (0..count).any(|c| components.cyclic[c] && !accepting[c]);
    let needed = relevant.iter().map(|set| set.count_ones()).max().unwrap_or(0);
    let needed = needed.max(u32::from(rejecting));
    let compress = needed < automaton.sets;
    let state_based = automaton.state_based;
    for (state, edges) in automaton.states.iter_mut().enumerate() {
        let own = components.of[state];
        for edge in edges {
            let inside = own != u32::MAX
                && accepting[own as usize]
                && (state_based || components.of[edge.target as usize] == own);
            if !inside {
                edge.marks = 0;
                continue;
            }
            let used = relevant[own as usize];
            edge.marks |= all & !used;
            if compress {
                let kept = crate::bits::bits_of(used);
                let marks: Marks =
                    kept.enumerate().map(|(new, old)| (edge.marks >> old & 1) << new).sum();
                let filled = Marks::MAX.checked_shl(used.count_ones()).unwrap_or(0);
                edge.marks = (marks | filled) & ((1 << needed) - 1);
            }
        }
    }
    automaton.sets = needed;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Edge, Label};

    #[test]
    fn superfluous_sets_go() {
        let edge = |target, marks| Edge { label: Label::all(), target, marks };
        let mut automaton = Automaton {
            states: vec![vec![edge(0, 0), edge(1, 0b11)], vec![edge(1, 0b11)], vec![edge(0, 1)]],
            initial: 0,
            sets: 2,
            atoms: Vec::new(),
            names: Vec::new(),
            state_based: false,
        };
        filter(&mut automaton);
        assert_eq!((automaton.states.len(), automaton.sets), (2, 1));
        assert_eq!(automaton.states[0], vec![edge(0, 0), edge(1, 0)]);
        assert_eq!(automaton.states[1], vec![edge(1, 1)]);
    }
}
