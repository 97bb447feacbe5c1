//! From several acceptance sets to one, with marks on states or on edges.
//!
//! A copy of a state has a level: how many sets, in some order, were met since the last mark. An
//! edge skips all levels whose sets it meets. Levels mean nothing across components: on entry a level
//! is chosen that the state has already, or the highest it allows; components without accepting
//! cycle have one level. (Gastin and Oddoux 2001; Babiak, Badie, Duret-Lutz, Kretinsky and Strejcek,
//! Compositional approach to suspension and other improvements to LTL translation, 2013.)

use crate::map::Map;
use crate::scc::graph;
use crate::simplify::avoidable;
use crate::{Automaton, Components, Edge, Marks, TooLarge};

/// The state-based Buchi automaton with the same language, sets met in the order of their numbers.
///
/// # Errors
/// It has more than `limit` states.
pub fn degeneralise(automaton: &Automaton, limit: usize) -> Result<Automaton, TooLarge> {
    let order: Vec<u32> = (0..automaton.sets).collect();
    levels(automaton, &order, true, limit)
}

/// As [`degeneralise`], with a given order of the sets.
///
/// # Errors
/// As there.
pub fn degeneralise_in_order(
    automaton: &Automaton,
    order: &[u32],
    limit: usize,
) -> Result<Automaton, TooLarge> {
    levels(automaton, order, true, limit)
}

/// The automaton with one set, on edges.
///
/// # Errors
/// It has more than `limit` states.
pub fn degeneralise_on_edges(automaton: &Automaton, limit: usize) -> Result<Automaton, TooLarge> {
    if automaton.sets <= 1 {
        return Ok(automaton.clone());
    }
    let order: Vec<u32> = (0..automaton.sets).collect();
    levels(automaton, &order, false, limit)
}

fn levels(
    automaton: &Automaton,
    order: &[u32],
    on_states: bool,
    limit: usize,
) -> Result<Automaton, TooLarge> {
    let all = automaton.all_marks();
    let top = order.len() as u32;
    let graph = graph(automaton);
    let components = Components::of_graph(&graph, [automaton.initial]);
    let count = components.count();
    let accepting: Vec<bool> = (0..count as u32).map(|c| components.accepting(c, all)).collect();
    // Components all of whose cycles are accepting.
    let mut weak = accepting.clone();
    for set in 0..automaton.sets {
        let avoided = avoidable(&graph, &components.of, 1 << set);
        for c in 0..count {
            weak[c] = weak[c] && !avoided[c];
        }
    }
    // Marks that every edge inside the component has, by state that it leaves.
    let coming: Vec<Marks> = (0..automaton.states.len())
        .map(|state| {
            let own = components.of[state];
            let inside = graph[state].iter().filter(|e| components.of[e.0 as usize] == own);
            inside.fold(Marks::MAX, |marks, edge| marks & edge.1)
        })
        .collect();
    let loops: Vec<bool> = (0..automaton.states.len())
        .map(|s| graph[s].iter().any(|&(t, marks)| t as usize == s && marks & all == all))
        .collect();
    let climb = |mut level: u32, marks: Marks| {
        while level < top && marks >> order[level as usize] & 1 == 1 {
            level += 1;
        }
        level
    };
    let mut numbers: Map<(u32, u32), u32> = Map::default();
    let mut copies: Vec<(u32, u32)> = Vec::new();
    let mut by_state: Vec<Vec<u32>> = vec![Vec::new(); automaton.states.len()];
    let mut number = |copies: &mut Vec<(u32, u32)>,
                      by_state: &mut Vec<Vec<u32>>,
                      state: u32,
                      level: Option<u32>| {
        let component = components.of[state as usize] as usize;
        let level = if weak[component] {
            top
        } else if !accepting[component] {
            0
        } else {
            let cached = by_state[state as usize].iter().max().copied();
            level.or(cached).unwrap_or_else(|| {
                if !on_states {
                    0
                } else if loops[state as usize] {
                    top
                } else {
                    climb(0, coming[state as usize])
                }
            })
        };
        *numbers.entry((state, level)).or_insert_with(|| {
            copies.push((state, level));
            by_state[state as usize].push(level);
            copies.len() as u32 - 1
        })
    };
    let mut states: Vec<Vec<Edge>> = Vec::new();
    if (automaton.initial as usize) < automaton.states.len() {
        number(&mut copies, &mut by_state, automaton.initial, None);
    }
    while let Some(&(state, level)) = copies.get(states.len()) {
        let own = components.of[state as usize];
        let mut edges = Vec::new();
        for edge in &automaton.states[state as usize] {
            let inside = components.of[edge.target as usize] == own;
            let mut marked = on_states && level == top;
            let next = if !inside {
                None
            } else if weak[own as usize] {
                marked = true;
                Some(top)
            } else {
                let from = if on_states && level == top { 0 } else { level };
                let mut reached = climb(from, edge.marks);
                if on_states {
                    // What every way on from there meets may count on arrival.
                    reached = climb(reached, coming[edge.target as usize]);
                } else if reached == top && accepting[own as usize] {
                    marked = true;
                    reached = climb(0, edge.marks);
                    reached = if reached == top { 0 } else { reached };
                }
                Some(reached)
            };
            let target = number(&mut copies, &mut by_state, edge.target, next);
            edges.push(Edge { label: edge.label.clone(), target, marks: u64::from(marked) });
        }
        states.push(edges);
        if copies.len() > limit {
            return Err(TooLarge::States);
        }
    }
    let names = if automaton.names.is_empty() {
        Vec::new()
    } else {
        copies.iter().map(|&(state, _)| automaton.names[state as usize].clone()).collect()
    };
    let mut result = Automaton {
        states,
        initial: 0,
        sets: 1,
        atoms: automaton.atoms.clone(),
        names,
        state_based: on_states,
    };
    if result.states.is_empty() {
        result = Automaton { state_based: on_states, ..Automaton::nothing(result.atoms) };
    }
    result.merge_edges();
    Ok(result)
}
