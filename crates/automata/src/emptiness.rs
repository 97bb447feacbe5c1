//! Emptiness, with a word as proof of the contrary, and acceptance of a given word.

use crate::scc::Graph;
use crate::{Automaton, Components, Marks};
use promenade_ltl::{Lasso, Letter};
use std::collections::VecDeque;

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

/// A short word that the automaton accepts, if there is one: of the words with a cycle through a
/// given state, found breadth first, the shortest over the states tried.
pub fn accepting_word(automaton: &Automaton) -> Option<Lasso> {
    /// States at which a cycle is tried; more take longer and rarely give shorter words.
    const TRIED: usize = 200;
    let components = Components::of(automaton);
    let all = automaton.all_marks();
    let (order, from) = breadth_first(automaton, automaton.initial, &|_| true);
    let mut best: Option<Lasso> = None;
    let mut tried = 0;
    for &state in &order {
        let component = components.of[state as usize];
        if tried == TRIED || !components.accepting(component, all) {
            continue;
        }
        tried += 1;
        let prefix = path_back(automaton, automaton.initial, state, &from);
        if best.as_ref().is_some_and(|word| word.positions() <= prefix.len() + 1) {
            break;
        }
        let inside = |s: u32| components.of[s as usize] == component;
        let cycle = cycle(automaton, state, all, &inside);
        let length = prefix.len() + cycle.len();
        if best.as_ref().is_none_or(|word| length < word.positions()) {
            best = Lasso::new(prefix, cycle).or(best);
        }
    }
    best.map(|word| shortened(&word))
}

/// How each state was reached first: from which state, by which edge.
type From = Vec<Option<(u32, usize)>>;

fn breadth_first(
    automaton: &Automaton,
    start: u32,
    allowed: &dyn Fn(u32) -> bool,
) -> (Vec<u32>, From) {
    let mut from: From = vec![None; automaton.states.len()];
    let mut order = Vec::new();
    let mut seen = vec![false; automaton.states.len()];
    let mut queue = VecDeque::new();
    if let Some(first) = seen.get_mut(start as usize) {
        *first = true;
        queue.push_back(start);
    }
    while let Some(state) = queue.pop_front() {
        order.push(state);
        for (number, edge) in automaton.states[state as usize].iter().enumerate() {
            if allowed(edge.target) && !std::mem::replace(&mut seen[edge.target as usize], true) {
                from[edge.target as usize] = Some((state, number));
                queue.push_back(edge.target);
            }
        }
    }
    (order, from)
}

/// Letters of the path that was found to a state.
fn path_back(automaton: &Automaton, start: u32, end: u32, from: &From) -> Vec<Letter> {
    let mut letters = Vec::new();
    let mut state = end;
    while state != start {
        let Some((source, number)) = from[state as usize] else { break };
        let label = &automaton.states[source as usize][number].label;
        letters.push(label.some_letter().unwrap_or(0));
        state = source;
    }
    letters.reverse();
    letters
}

/// Letters of a cycle through a state with all marks, staying in a component that has them.
fn cycle(
    automaton: &Automaton,
    start: u32,
    all: Marks,
    inside: &dyn Fn(u32) -> bool,
) -> Vec<Letter> {
    let (mut letters, mut missing, mut state) = (Vec::new(), all, start);
    loop {
        let (order, from) = breadth_first(automaton, state, inside);
        // The nearest edge with a missing mark, or, when none is missing, back to the start.
        let found = order.iter().find_map(|&source| {
            let edges = automaton.states[source as usize].iter().enumerate();
            let mut good = edges.filter(|(_, edge)| {
                let useful =
                    if missing == 0 { edge.target == start } else { edge.marks & missing != 0 };
                inside(edge.target) && useful
            });
            // With all that is missing on a loop home, no further step is needed.
            let by_gain =
                |edge: &crate::Edge| ((edge.marks & missing).count_ones(), edge.target == start);
            good.by_ref()
                .max_by_key(|(number, edge)| (by_gain(edge), std::cmp::Reverse(*number)))
                .map(|(number, _)| (source, number))
        });
        let Some((source, number)) = found else { return letters };
        letters.extend(path_back(automaton, state, source, &from));
        let edge = &automaton.states[source as usize][number];
        letters.push(edge.label.some_letter().unwrap_or(0));
        missing &= !edge.marks;
        state = edge.target;
        if missing == 0 && state == start {
            return letters;
        }
    }
}

/// The same word with the shortest cycle and the shortest prefix.
pub(crate) fn shortened(word: &Lasso) -> Lasso {
    let mut cycle = word.cycle().to_vec();
    let length = cycle.len();
    let period = (1..=length)
        .find(|&p| length.is_multiple_of(p) && (p..length).all(|i| cycle[i] == cycle[i - p]));
    cycle.truncate(period.unwrap_or(length));
    let mut prefix = word.prefix().to_vec();
    while prefix.last().is_some_and(|letter| cycle.last() == Some(letter)) {
        prefix.pop();
        cycle.rotate_right(1);
    }
    Lasso::new(prefix, cycle).unwrap_or_else(|| word.clone())
}
