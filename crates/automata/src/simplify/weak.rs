//! Minimal weak deterministic automata.
//!
//! The powerset of an automaton follows the language that is left to accept. For an obligation all
//! cycles of one of its components are alike, accepting or not, so one word per component decides
//! (Dax, Eisinger and Klaedtke 2007); the weak automaton is then brought to a normal form, in which
//! minimisation as of finite words gives the least one (Loding 2001).

use crate::letters::Letters;
use crate::map::Map;
use crate::scc::Graph;
use crate::{Automaton, Components, Edge, Label, TooLarge, accepts};
use promenade_ltl::{Lasso, Letter};
use std::collections::VecDeque;

/// A complete deterministic automaton whose states accept or not, by class of letters.
struct Deterministic {
    letters: Letters,
    next: Vec<Vec<u32>>,
}

/// The least weak deterministic automaton, without rejecting sink, for an automaton whose language
/// is an obligation; for others an automaton with another language, so compare. It is state-based.
///
/// # Errors
/// The powerset has more than `limit` states, or there are too many letters to tell apart.
pub fn weak_candidate(automaton: &Automaton, limit: usize) -> Result<Automaton, TooLarge> {
    let (powerset, accepting) = powerset(automaton, limit)?;
    Ok(minimise(automaton, powerset, accepting))
}

/// The least weak deterministic automaton, if the language is an obligation; `None` if it is not.
/// `negation` accepts exactly the other words.
///
/// # Errors
/// As [`weak_candidate`], or the comparison takes more than `limit` states.
pub fn minimal_weak(
    automaton: &Automaton,
    negation: &Automaton,
    limit: usize,
) -> Result<Option<Automaton>, TooLarge> {
    let mut candidate = weak_candidate(automaton, limit)?;
    let flipped = complement(&candidate);
    let lost = crate::intersection(automaton, &flipped, limit * 8)?;
    let gained = crate::intersection(&candidate, negation, limit * 8)?;
    if !crate::is_empty(&lost) || !crate::is_empty(&gained) {
        return Ok(None);
    }
    super::filter(&mut candidate);
    Ok(Some(candidate))
}

/// The complement of a deterministic weak state-based automaton with one set.
fn complement(automaton: &Automaton) -> Automaton {
    let mut result = automaton.clone();
    let sink = result.states.len() as u32;
    for (edges, accepting) in result.states.iter_mut().zip(marked(automaton)) {
        let covered = edges.iter().fold(Label::none(), |label, edge| label.or(&edge.label));
        let rest = covered.not();
        if !rest.is_empty() {
            edges.push(Edge { label: rest, target: sink, marks: 0 });
        }
        for edge in edges {
            edge.marks = u64::from(!accepting);
        }
    }
    result.states.push(vec![Edge { label: Label::all(), target: sink, marks: 1 }]);
    result.names.clear();
    result
}

fn marked(automaton: &Automaton) -> Vec<bool> {
    automaton.states.iter().map(|edges| edges.iter().any(|e| e.marks != 0)).collect()
}

/// Most edges that are followed to build the powerset.
const WORK: usize = 4_000_000;

/// The powerset and which of its states lie on accepting cycles.
fn powerset(
    automaton: &Automaton,
    limit: usize,
) -> Result<(Deterministic, Vec<Option<bool>>), TooLarge> {
    let letters = Letters::of([automaton])?;
    let moves = &letters.moves(automaton);
    let classes = letters.classes.len();
    let start = if automaton.states.is_empty() { Vec::new() } else { vec![automaton.initial] };
    let mut numbers: Map<Vec<u32>, u32> = Map::from_iter([(start.clone(), 0)]);
    let mut sets = vec![start];
    let mut next: Vec<Vec<u32>> = Vec::new();
    // How each state was reached first.
    let mut from: Vec<Option<(u32, usize)>> = vec![None];
    let mut work = 0;
    while let Some(set) = sets.get(next.len()).cloned() {
        work += set.iter().map(|&state| moves.row(state).len()).sum::<usize>();
        if work > WORK {
            return Err(TooLarge::Steps);
        }
        let own = next.len() as u32;
        let mut row = Vec::with_capacity(letters.classes.len());
        let edges = |class: usize| set.iter().flat_map(move |&s| moves.of(s, class).iter());
        for class in 0..classes {
            let mut target: Vec<u32> = edges(class).map(|&(target, _)| target).collect();
            target.sort_unstable();
            target.dedup();
            let number = match numbers.get(&target) {
                Some(&number) => number,
                None => {
                    let number = sets.len() as u32;
                    numbers.insert(target.clone(), number);
                    sets.push(target);
                    from.push(Some((own, class)));
                    number
                }
            };
            row.push(number);
        }
        next.push(row);
        if sets.len() > limit || sets.len() * letters.classes.len() > limit * 64 {
            return Err(TooLarge::States);
        }
    }
    let graph: Graph = next.iter().map(|row| row.iter().map(|&t| (t, 0)).collect()).collect();
    let components = Components::of_graph(&graph, [0]);
    let mut verdicts: Vec<Option<bool>> = vec![None; components.count()];
    for state in 0..next.len() {
        let component = components.of[state] as usize;
        if components.cyclic[component] && verdicts[component].is_none() {
            let mut prefix = Vec::new();
            let mut at = state as u32;
            while let Some((source, class)) = from[at as usize] {
                prefix.push(letters.samples[class]);
                at = source;
            }
            prefix.reverse();
            let cycle = cycle(&next, &letters, &components, state as u32);
            verdicts[component] = Lasso::new(prefix, cycle).map(|word| accepts(automaton, &word));
        }
    }
    let accepting = components.of.iter().map(|&c| verdicts[c as usize]).collect();
    Ok((Deterministic { letters, next }, accepting))
}

/// Letters of a shortest cycle through a state.
fn cycle(next: &[Vec<u32>], letters: &Letters, components: &Components, start: u32) -> Vec<Letter> {
    let mut from: Map<u32, (u32, usize)> = Map::default();
    let mut queue = VecDeque::from([start]);
    'search: while let Some(state) = queue.pop_front() {
        for (class, &target) in next[state as usize].iter().enumerate() {
            let inside = components.of[target as usize] == components.of[start as usize];
            if inside && !from.contains_key(&target) {
                from.insert(target, (state, class));
                if target == start {
                    break 'search;
                }
                queue.push_back(target);
            }
        }
    }
    let mut word = Vec::new();
    let mut at = start;
    while let Some(&(source, class)) = from.get(&at) {
        word.push(letters.samples[class]);
        at = source;
        if at == start {
            break;
        }
    }
    word.reverse();
    word
}

/// The least automaton: states outside cycles are coloured as what follows them, then states are
/// merged that no finite word tells apart.
fn minimise(
    automaton: &Automaton,
    powerset: Deterministic,
    accepting: Vec<Option<bool>>,
) -> Automaton {
    let Deterministic { letters, next } = powerset;
    let graph: Graph = next.iter().map(|row| row.iter().map(|&t| (t, 0)).collect()).collect();
    let components = Components::of_graph(&graph, [0]);
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); components.count()];
    for (state, &component) in components.of.iter().enumerate() {
        members[component as usize].push(state as u32);
    }
    // Colours rise against the edges; even ones accept.
    let mut colour = vec![0u32; components.count()];
    for component in 0..components.count() {
        let below = members[component]
            .iter()
            .flat_map(|&state| &next[state as usize])
            .map(|&target| components.of[target as usize] as usize)
            .filter(|&other| other != component)
            .map(|other| colour[other])
            .max();
        let least = below.unwrap_or(0);
        colour[component] = match accepting[members[component][0] as usize] {
            None => least,
            Some(good) => {
                least + (least % 2) * u32::from(good) + (1 - least % 2) * u32::from(!good)
            }
        };
    }
    let mut class: Vec<u32> = components.of.iter().map(|&c| colour[c as usize] % 2).collect();
    let mut count = 0;
    loop {
        let mut numbers: Map<(u32, Vec<u32>), u32> = Map::default();
        let finer: Vec<u32> = (0..next.len())
            .map(|state| {
                let row = next[state].iter().map(|&t| class[t as usize]).collect();
                let fresh = numbers.len() as u32;
                *numbers.entry((class[state], row)).or_insert(fresh)
            })
            .collect();
        let before = std::mem::replace(&mut count, numbers.len());
        class = finer;
        if before == count {
            break;
        }
    }
    let mut states: Vec<Vec<Edge>> = vec![Vec::new(); count];
    let mut done = vec![false; count];
    for state in 0..next.len() {
        let own = class[state] as usize;
        if std::mem::replace(&mut done[own], true) {
            continue;
        }
        let marks = u64::from(colour[components.of[state] as usize].is_multiple_of(2));
        for (letter, &target) in next[state].iter().enumerate() {
            let label = letters.classes[letter].clone();
            states[own].push(Edge { label, target: class[target as usize], marks });
        }
    }
    let mut result = Automaton {
        states,
        initial: class[0],
        sets: 1,
        atoms: automaton.atoms.clone(),
        names: Vec::new(),
        state_based: true,
    };
    result.merge_edges();
    result
}
