//! Smaller automata with the same language.

mod filter;
mod simulation;
mod weak;

pub(crate) use filter::avoidable;
pub use filter::filter;
pub use simulation::{direct_simulation, reverse_simulation};
pub use weak::{minimal_weak, weak_candidate};

use crate::Automaton;

/// Filter, direct simulation and reverse simulation in turn until nothing gets smaller.
pub fn simplify(automaton: &mut Automaton) {
    filter(automaton);
    loop {
        let before = (automaton.states.len(), automaton.edge_count());
        direct_simulation(automaton);
        filter(automaton);
        reverse_simulation(automaton);
        filter(automaton);
        if (automaton.states.len(), automaton.edge_count()) >= before {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::*;
    use promenade_base::random::Random;
    use promenade_ltl::Formulas;

    /// Every step keeps the language: on random words, and against the negation's automaton.
    #[test]
    fn steps_keep_the_language() {
        let mut random = Random::new(17);
        for round in 0..2500 {
            let mut table = Formulas::new();
            let formula = testing::formula(&mut table, &mut random, 2 + round % 7, 3);
            let text = testing::show(&table, formula);
            let not = table.not(formula);
            let options = Options::default();
            let (Ok(mut plain), Ok(mut negation)) =
                (translate(&mut table, formula, &options), translate(&mut table, not, &options))
            else {
                continue;
            };
            if plain.states.len() > 200 || negation.states.len() > 200 {
                continue;
            }
            simplify(&mut negation);
            let words: Vec<_> = (0..25).map(|_| testing::word(&mut random, 3)).collect();
            let check = |automaton: &Automaton, step: &str| {
                for word in &words {
                    let holds = word.satisfies(&table, formula);
                    assert_eq!(accepts(automaton, word), holds, "{step}: {text} on {word:?}");
                }
                let both = intersection(automaton, &negation, 100_000);
                assert!(both.is_ok_and(|both| is_empty(&both)), "{step}: {text}");
            };
            check(&plain, "translation");
            filter(&mut plain);
            check(&plain, "filter");
            let mut automaton = plain.clone();
            direct_simulation(&mut automaton);
            check(&automaton, "direct simulation");
            filter(&mut automaton);
            reverse_simulation(&mut automaton);
            check(&automaton, "reverse simulation");
            simplify(&mut automaton);
            check(&automaton, "simplify");
            let Ok(mut states) = degeneralise(&automaton, 10_000) else { continue };
            for edges in &states.states {
                assert!(edges.iter().all(|e| e.marks == edges[0].marks), "{text}");
            }
            check(&states, "degeneralise");
            direct_simulation(&mut states);
            check(&states, "direct simulation, marks on states");
            reverse_simulation(&mut states);
            check(&states, "reverse simulation, marks on states");
            simplify(&mut states);
            check(&states, "simplify, marks on states");
            if let Ok(edges) = degeneralise_on_edges(&automaton, 10_000) {
                check(&edges, "degeneralise on edges");
            }
            if let Ok(Some(weak)) = minimal_weak(&automaton, &negation, 2000) {
                check(&weak, "weak");
            }
            if let Ok(difference) = equivalent_automata(&plain, &states, 5000) {
                assert!(difference.is_none(), "{text}: {difference:?}");
            }
            if let Ok(difference) = equivalent_automata(&states, &negation, 5000) {
                let first = difference.only_first;
                assert!(first.is_none_or(|word| word.satisfies(&table, formula)), "{text}");
                let second = difference.only_second;
                assert!(second.is_none_or(|word| !word.satisfies(&table, formula)), "{text}");
            }
        }
    }
}
