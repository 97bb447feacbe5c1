//! What kind of automaton, what kind of language.

use crate::determinise::Parity;
use crate::emptiness::{TRIED, Tagged, accepting_path, shorten};
use crate::letters::{Letters, Moves};
use crate::map::Map;
use crate::scc::graph;
use crate::simplify::avoidable;
use crate::{Automaton, Components, Label, Marks, TooLarge, aligned};
use promenade_ltl::Lasso;
use promenade_ltl::class::Class;

/// Properties of an automaton's structure, over its reachable states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// No state has two edges under one letter.
    pub deterministic: bool,
    /// Each state has an edge under each letter.
    pub complete: bool,
    /// In each component all cycles are accepting or none is.
    pub weak: bool,
    /// Weak, and what enters an accepting component is accepted: its states have an edge inside it
    /// under each letter.
    pub terminal: bool,
    /// All cycles are loops on one state.
    pub very_weak: bool,
}

/// The shape of an automaton.
pub fn shape(automaton: &Automaton) -> Shape {
    let graph = graph(automaton);
    let components = Components::of_graph(&graph, [automaton.initial]);
    let all = automaton.all_marks();
    let count = components.count();
    let accepting: Vec<bool> = (0..count as u32).map(|c| components.accepting(c, all)).collect();
    let mut mixed = vec![false; count];
    for set in 0..automaton.sets {
        let avoided = avoidable(&graph, &components.of, 1 << set);
        for c in 0..count {
            mixed[c] |= accepting[c] && avoided[c];
        }
    }
    let mut members = vec![0; count];
    let mut shape = Shape {
        deterministic: true,
        complete: !automaton.states.is_empty(),
        weak: !mixed.contains(&true),
        terminal: !mixed.contains(&true),
        very_weak: true,
    };
    for (state, edges) in automaton.states.iter().enumerate() {
        let own = components.of[state];
        if own == u32::MAX {
            continue;
        }
        members[own as usize] += 1;
        shape.very_weak &= members[own as usize] == 1 || !components.cyclic[own as usize];
        let (mut covered, mut inside) = (Label::none(), Label::none());
        for edge in edges {
            shape.deterministic &= !covered.meets(&edge.label);
            covered = covered.or(&edge.label);
            if components.of[edge.target as usize] == own {
                inside = inside.or(&edge.label);
            }
        }
        shape.complete &= covered.is_all();
        shape.terminal &= !accepting[own as usize] || inside.is_all();
    }
    shape
}

/// The lowest class of the language in the hierarchy of Manna and Pnueli, by a deterministic parity
/// automaton: exact.
///
/// # Errors
/// The deterministic automaton has more than `limit` states.
pub fn class(automaton: &Automaton, limit: usize) -> Result<Class, TooLarge> {
    let letters = Letters::of([automaton])?;
    let parity = Parity::of(automaton, &letters, limit)?;
    Ok(match (parity.is_safety(), parity.is_guarantee()) {
        (true, true) => Class::SafetyGuarantee,
        (true, false) => Class::Safety,
        (false, true) => Class::Guarantee,
        (false, false) => match (parity.is_recurrence(true), parity.is_recurrence(false)) {
            (true, true) => Class::Obligation,
            (true, false) => Class::Recurrence,
            (false, true) => Class::Persistence,
            (false, false) => Class::Reactivity,
        },
    })
}

/// Two words that differ only in how often letters are repeated, one in the language and one not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stutter {
    /// In the language.
    pub inside: Lasso,
    /// Not in it.
    pub outside: Lasso,
}

/// `None` if the language does not depend on how often letters are repeated; else two words that
/// show that it does. `negation` accepts the words not in the language.
///
/// One of the two automata is closed under repetition of letters; what it then accepts must not be
/// accepted by the other (Michaud and Duret-Lutz 2015).
///
/// # Errors
/// There are too many letters to tell apart, or more than `limit` states.
pub fn stutter_difference(
    automaton: &Automaton,
    negation: &Automaton,
    limit: usize,
) -> Result<Option<Stutter>, TooLarge> {
    let (automaton, negation) = aligned(automaton, negation)?;
    let letters = Letters::of([&automaton, &negation])?;
    let (own, other) = (letters.moves(&automaton), letters.moves(&negation));
    let word = |(prefix, cycle): (Vec<u32>, Vec<u32>)| {
        let samples = |list: Vec<u32>| list.iter().map(|&c| letters.samples[c as usize]).collect();
        Lasso::new(samples(prefix), samples(cycle))
    };
    for (first, second, inside) in [
        (
            Side { automaton: &automaton, moves: &own },
            Side { automaton: &negation, moves: &other },
            true,
        ),
        (
            Side { automaton: &negation, moves: &other },
            Side { automaton: &automaton, moves: &own },
            false,
        ),
    ] {
        let Some((short, long)) = longer(first, second, limit)? else { continue };
        if let (Some(short), Some(long)) = (word(short), word(long)) {
            let (inside, outside) = if inside { (short, long) } else { (long, short) };
            return Ok(Some(Stutter { inside, outside }));
        }
    }
    Ok(None)
}

/// An automaton with its edges by class of letters.
#[derive(Clone, Copy)]
struct Side<'a> {
    automaton: &'a Automaton,
    moves: &'a Moves,
}

/// A word by classes of letters: prefix and cycle.
type ByClass = (Vec<u32>, Vec<u32>);

/// A word that the first accepts and a word, the same with letters repeated, that the second does.
fn longer(first: Side, second: Side, limit: usize) -> Result<Option<(ByClass, ByClass)>, TooLarge> {
    let sets = first.automaton.sets;
    if first.automaton.states.is_empty() || second.automaton.states.is_empty() {
        return Ok(None);
    }
    if sets + second.automaton.sets >= 63 {
        return Err(TooLarge::Sets);
    }
    // A state of the product: one of each, and the class of the letter that was read last, which the
    // second may read again while the first stays. There are not only such steps.
    let progress: Marks = 1 << sets;
    let start = (first.automaton.initial, second.automaton.initial, None);
    let mut pairs: Vec<(u32, u32, Option<u32>)> = vec![start];
    let mut numbers = Map::from_iter([(start, 0)]);
    let (mut edges, mut ranges) = (Vec::new(), Vec::new());
    while let Some(&(p, q, last)) = pairs.get(ranges.len()) {
        let from = edges.len();
        let mut step = |p: u32, class: u32, marks: Marks, repeated: bool| {
            for &(q, more) in second.moves.of(q, class as usize) {
                let pair = (p, q, Some(class));
                let number = *numbers.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    pairs.len() as u32 - 1
                });
                // Repetitions have odd tags.
                let tag = 2 * class + u32::from(repeated);
                edges.push((number, marks | more << (sets + 1), tag));
            }
        };
        for class in 0..first.moves.classes {
            for &(p, marks) in first.moves.of(p, class) {
                step(p, class as u32, marks | progress, false);
            }
        }
        if let Some(class) = last {
            step(p, class, 0, true);
        }
        ranges.push(from..edges.len());
        if pairs.len() > limit {
            return Err(TooLarge::States);
        }
    }
    let all = first.automaton.all_marks() | progress | second.automaton.all_marks() << (sets + 1);
    let graph = Tagged { edges: &edges, ranges: &ranges };
    let Some((prefix, cycle)) = accepting_path(graph, 0, all, TRIED) else { return Ok(None) };
    let word = |kept: fn(u32) -> bool| {
        let classes =
            |tags: &[u32]| tags.iter().filter(|&&tag| kept(tag)).map(|&tag| tag / 2).collect();
        let (mut prefix, mut cycle) = (classes(&prefix), classes(&cycle));
        shorten(&mut prefix, &mut cycle);
        (prefix, cycle)
    };
    Ok(Some((word(|tag| tag % 2 == 0), word(|_| true))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, build, testing};
    use promenade_base::random::Random;
    use promenade_ltl::Formulas;

    #[test]
    fn stuttering_words_differ_and_invariant_formulas_agree() {
        let mut random = Random::new(23);
        let (mut invariant, mut different) = (0, 0);
        for round in 0..600 {
            let mut table = Formulas::new();
            let formula = testing::formula(&mut table, &mut random, 2 + round % 5, 2);
            let options = Options { effort: crate::Effort::NONE, ..Options::default() };
            let Ok(built) = build(&mut table, formula, &options) else { continue };
            let text = testing::show(&table, formula);
            let negation = built.negation.expect("small automata");
            let found = stutter_difference(&built.generalised, &negation, 10_000);
            match found.expect("small automata") {
                Some(words) => {
                    different += 1;
                    assert!(words.inside.satisfies(&table, formula), "{text}");
                    assert!(!words.outside.satisfies(&table, formula), "{text}");
                }
                None => {
                    invariant += 1;
                    for _ in 0..30 {
                        let word = testing::word(&mut random, 2);
                        let more = promenade_ltl::random::stuttered(&mut random, &word);
                        assert_eq!(
                            word.satisfies(&table, formula),
                            more.satisfies(&table, formula),
                            "{text}"
                        );
                    }
                }
            }
        }
        assert!(invariant > 100 && different > 100, "{invariant} {different}");
    }

    #[test]
    fn proven_classes_hold() {
        let mut random = Random::new(29);
        for round in 0..600 {
            let mut table = Formulas::new();
            let formula = testing::formula(&mut table, &mut random, 2 + round % 6, 3);
            let options = Options { effort: crate::Effort::NONE, ..Options::default() };
            let Ok(built) = build(&mut table, formula, &options) else { continue };
            let exact = class(&built.generalised, 5000).expect("small automata");
            let proven = promenade_ltl::class::classes(&mut table, formula).lowest();
            let text = testing::show(&table, formula);
            assert!(exact.is_within(proven), "{text}: {exact:?} {proven:?}");
            if let Some(obligation) = built.obligation {
                assert_eq!(obligation, exact.is_within(Class::Obligation), "{text}");
            }
        }
    }
}
