//! What kind of automaton, what kind of language.

use crate::determinise::Parity;
use crate::letters::Letters;
use crate::map::Map;
use crate::scc::graph;
use crate::simplify::avoidable;
use crate::{Automaton, Components, Edge, Label, TooLarge, accepting_word, aligned, intersection};
use promenade_ltl::class::Class;
use promenade_ltl::{Lasso, Letter};

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
/// There are too many letters to tell apart, 64 propositions or more than `limit` states.
pub fn stutter_difference(
    automaton: &Automaton,
    negation: &Automaton,
    limit: usize,
) -> Result<Option<Stutter>, TooLarge> {
    let (automaton, negation) = aligned(automaton, negation)?;
    let used = (automaton.support() | negation.support()).count_ones();
    let used = used.max(64 - (automaton.support() | negation.support()).leading_zeros());
    if used >= 64 {
        return Err(TooLarge::Atoms);
    }
    let letters = Letters::of([&automaton, &negation])?;
    if let Some((short, long)) = longer(&automaton, &negation, &letters, used, limit)? {
        return Ok(Some(Stutter { inside: short, outside: long }));
    }
    if let Some((short, long)) = longer(&negation, &automaton, &letters, used, limit)? {
        return Ok(Some(Stutter { inside: long, outside: short }));
    }
    Ok(None)
}

/// A word that the first accepts and a word, the same with letters repeated, that the second does.
fn longer(
    first: &Automaton,
    second: &Automaton,
    letters: &Letters,
    repeated: u32,
    limit: usize,
) -> Result<Option<(Lasso, Lasso)>, TooLarge> {
    if first.states.is_empty() || second.states.is_empty() || first.sets >= 64 {
        return Ok(None);
    }
    // States of the closed automaton: a state and the class of the letter that was read last. A
    // fresh proposition says which letters are repetitions; there are not only such.
    let moves = letters.moves(first);
    let again = Label::atom(repeated);
    let progress = 1u64 << first.sets;
    let mut pairs: Vec<(u32, Option<usize>)> = vec![(first.initial, None)];
    let mut numbers = Map::from_iter([((first.initial, None), 0)]);
    let mut states: Vec<Vec<Edge>> = Vec::new();
    while let Some(&(state, last)) = pairs.get(states.len()) {
        let own = states.len() as u32;
        let mut edges = Vec::new();
        for class in 0..moves.classes {
            for &(target, marks) in moves.of(state, class) {
                let pair = (target, Some(class));
                let number = *numbers.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    pairs.len() as u32 - 1
                });
                let sample = Label::letter(letters.samples[class], class_atoms(letters));
                edges.push(Edge {
                    label: sample.minus(&again),
                    target: number,
                    marks: marks | progress,
                });
            }
        }
        if let Some(class) = last {
            let sample = Label::letter(letters.samples[class], class_atoms(letters));
            edges.push(Edge { label: sample.and(&again), target: own, marks: 0 });
        }
        states.push(edges);
        if pairs.len() > limit {
            return Err(TooLarge::States);
        }
    }
    let mut atoms = first.atoms.clone();
    atoms.resize(repeated as usize + 1, String::new());
    let closed = Automaton {
        states,
        initial: 0,
        sets: first.sets + 1,
        atoms: atoms.clone(),
        names: Vec::new(),
        state_based: false,
    };
    let second = Automaton { atoms, ..second.clone() };
    let Some(word) = accepting_word(&intersection(&closed, &second, limit)?) else {
        return Ok(None);
    };
    let bit: Letter = 1 << repeated;
    let long = |list: &[Letter]| list.iter().map(|letter| letter & !bit).collect::<Vec<_>>();
    let short = |list: &[Letter]| {
        list.iter().copied().filter(|letter| letter & bit == 0).collect::<Vec<_>>()
    };
    let words = (
        Lasso::new(short(word.prefix()), short(word.cycle())),
        Lasso::new(long(word.prefix()), long(word.cycle())),
    );
    Ok(match words {
        (Some(short), Some(long)) => {
            Some((crate::emptiness::shortened(&short), crate::emptiness::shortened(&long)))
        }
        _ => None,
    })
}

/// The propositions that the classes depend on.
fn class_atoms(letters: &Letters) -> u64 {
    letters.classes.iter().fold(0, |set, class| set | class.support())
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
            let found = stutter_difference(&built.generalised, &built.negation, 10_000);
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
