//! Inclusion and equality of languages, with words that tell them apart.

use crate::determinise::Parity;
use crate::letters::{Letters, Moves};
use crate::{
    Automaton, Components, Edge, Options, TooLarge, accepting_word, aligned, intersection,
    translate,
};
use promenade_ltl::{Formula, Formulas, Lasso};
use std::collections::HashMap;

/// Words that tell two languages apart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Difference {
    /// A word in the first only, if there is one.
    pub only_first: Option<Lasso>,
    /// A word in the second only, if there is one.
    pub only_second: Option<Lasso>,
}

impl Difference {
    /// Whether there is none.
    pub fn is_none(&self) -> bool {
        self.only_first.is_none() && self.only_second.is_none()
    }
}

/// A short word that the second formula allows and the first does not, if there is one: without
/// one the second implies the first.
///
/// # Errors
/// The automata get too large.
pub fn contains(
    table: &mut Formulas,
    larger: Formula,
    smaller: Formula,
    options: &Options,
) -> Result<Option<Lasso>, TooLarge> {
    let not = table.not(larger);
    let mut both = [smaller, not].into_iter().map(|f| {
        let mut automaton = translate(table, f, options)?;
        crate::simplify::simplify(&mut automaton);
        Ok(automaton)
    });
    let (Some(smaller), Some(not)) = (both.next(), both.next()) else { return Ok(None) };
    Ok(accepting_word(&intersection(&smaller?, &not?, options.states * 4)?))
}

/// Short words that tell two formulas apart.
///
/// # Errors
/// The automata get too large.
pub fn equivalent(
    table: &mut Formulas,
    first: Formula,
    second: Formula,
    options: &Options,
) -> Result<Difference, TooLarge> {
    Ok(Difference {
        only_first: contains(table, second, first, options)?,
        only_second: contains(table, first, second, options)?,
    })
}

/// A short word that the second automaton accepts and the first does not, if there is one. The
/// first is determinised.
///
/// # Errors
/// More than `limit` states in one of the automata built.
pub fn contains_automaton(
    larger: &Automaton,
    smaller: &Automaton,
    limit: usize,
) -> Result<Option<Lasso>, TooLarge> {
    let (larger, smaller) = aligned(larger, smaller)?;
    let letters = Letters::of([&larger, &smaller])?;
    let parity = Parity::of(&larger, &letters, limit)?;
    let lost = outside(&smaller, &parity, &letters, limit)?;
    Ok(lost.and_then(|automaton| accepting_word(&automaton)))
}

/// Short words that tell two automata apart.
///
/// # Errors
/// As [`contains_automaton`].
pub fn equivalent_automata(
    first: &Automaton,
    second: &Automaton,
    limit: usize,
) -> Result<Difference, TooLarge> {
    Ok(Difference {
        only_first: contains_automaton(second, first, limit)?,
        only_second: contains_automaton(first, second, limit)?,
    })
}

/// An automaton for some of the words of the automaton that the deterministic one rejects; `None`
/// if there are no such words.
pub(crate) fn outside(
    automaton: &Automaton,
    parity: &Parity,
    letters: &Letters,
    limit: usize,
) -> Result<Option<Automaton>, TooLarge> {
    if automaton.states.is_empty() {
        return Ok(None);
    }
    if automaton.sets >= 64 {
        return Err(TooLarge::Sets);
    }
    outside_moves(automaton, &letters.moves(automaton), parity, letters, limit)
}

/// As [`outside`], with the edges by class at hand.
pub(crate) fn outside_moves(
    automaton: &Automaton,
    moves: &Moves,
    parity: &Parity,
    letters: &Letters,
    limit: usize,
) -> Result<Option<Automaton>, TooLarge> {
    // Edges of the product: target, marks, colour, class.
    let mut edges: Vec<Vec<(u32, u64, u32, usize)>> = Vec::new();
    let mut pairs = vec![(automaton.initial, 0)];
    let mut numbers = HashMap::from([((automaton.initial, 0), 0)]);
    while let Some(&(state, other)) = pairs.get(edges.len()) {
        let mut row = Vec::new();
        for (class, targets) in moves[state as usize].iter().enumerate() {
            let (next, colour) = parity.next[other as usize][class];
            for &(target, marks) in targets {
                let pair = (target, next);
                let number = *numbers.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    pairs.len() as u32 - 1
                });
                row.push((number, marks, colour, class));
            }
        }
        edges.push(row);
        if pairs.len() > limit {
            return Err(TooLarge::States);
        }
    }
    let all = automaton.all_marks();
    let least = 1 << automaton.sets;
    for colour in parity.colours().into_iter().filter(|c| c % 2 == 1) {
        let graph = edges
            .iter()
            .map(|row| {
                let high = row.iter().filter(|edge| edge.2 >= colour);
                high.map(|e| (e.0, e.1 | if e.2 == colour { least } else { 0 })).collect()
            })
            .collect();
        let components = Components::of_graph(&graph, 0..edges.len() as u32);
        let good = |c: u32| components.accepting(c, all | least);
        if !(0..components.count() as u32).any(good) {
            continue;
        }
        // The product once without marks, and once within the good components.
        let shift = edges.len() as u32;
        let mut states: Vec<Vec<Edge>> = vec![Vec::new(); 2 * edges.len()];
        for (state, row) in edges.iter().enumerate() {
            for &(target, marks, own, class) in row {
                let label = letters.classes[class].clone();
                states[state].push(Edge { label: label.clone(), target, marks: 0 });
                let component = components.of[state];
                if own >= colour && good(component) && components.of[target as usize] == component {
                    let marks = marks | if own == colour { least } else { 0 };
                    let target = target + shift;
                    states[state].push(Edge { label: label.clone(), target, marks: 0 });
                    states[state + shift as usize].push(Edge { label, target, marks });
                }
            }
        }
        return Ok(Some(Automaton {
            states,
            initial: 0,
            sets: automaton.sets + 1,
            atoms: automaton.atoms.clone(),
            names: Vec::new(),
            state_based: false,
        }));
    }
    Ok(None)
}
