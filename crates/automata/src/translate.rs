//! From formulas to automata with transition-based generalised Buchi acceptance.

mod nodes;
mod tableau;

use crate::alternating::alternating;
use crate::{Automaton, Effort, TooLarge};
use promenade_base::Interrupt;
use promenade_ltl::{Formula, Formulas};

/// How formulas become automata.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Sets of pending obligations, expanded step by step into sums of products (Couvreur 1999).
    Couvreur,
    /// As Couvreur, but choices between edges with equal marks are put off: a state is a
    /// disjunction of sets of obligations.
    Postponing,
    /// By way of the very weak alternating automaton (Gastin and Oddoux 2001), see
    /// [`crate::alternating`].
    Alternating,
    /// Nodes split on obligations (Gerth, Peled, Vardi and Wolper 1995): larger, to be shown.
    Nodes,
}

/// Which of several automata with one language is best.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Fewest states, then fewest edges.
    Small,
    /// Deterministic if that is not much larger; no trial changes. Products with a model tend to be
    /// smaller, and states that accept everything stay.
    Deterministic,
}

/// What bounds and steers a translation.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The construction; [`crate::build`] tries the first two whatever is said here.
    pub method: Method,
    /// Most states of the automaton as constructed.
    pub states: usize,
    /// Most steps of work, where a step is about one edge or product handled.
    pub steps: usize,
    /// Most steps that [`crate::build`] spends on the formula itself if `steps` do not suffice; its
    /// negation, and whatever else only makes an automaton smaller, gets no more than `steps`.
    pub patience: usize,
    /// Most bytes, about, of the automaton and of what is kept while it is constructed.
    pub memory: usize,
    /// Asked now and then during a construction; once raised, the work ends with
    /// [`TooLarge::Interrupted`].
    pub interrupt: Option<&'a Interrupt>,
    /// What [`crate::build`] spends on trial changes that make an automaton smaller.
    pub effort: Effort,
    /// What [`crate::build`] prefers.
    pub goal: Goal,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            method: Method::Couvreur,
            states: 20_000,
            steps: 8_000_000,
            patience: 8_000_000,
            memory: 256 << 20,
            interrupt: None,
            effort: Effort::QUICK,
            goal: Goal::Small,
        }
    }
}

impl Options<'_> {
    /// What suits products with a model: [`Goal::Deterministic`].
    pub fn for_checking() -> Self {
        Self { effort: Effort::NONE, goal: Goal::Deterministic, ..Self::default() }
    }
}

/// An automaton that accepts the words which satisfy the formula. Its atoms are named `p0`, `p1`,
/// ..., up to the highest number in the formula; give them names with
/// [`Automaton::name_atoms`].
///
/// # Errors
/// The automaton would have more states, or take more steps, than the options allow.
pub fn translate(
    table: &mut Formulas,
    formula: Formula,
    options: &Options,
) -> Result<Automaton, TooLarge> {
    Ok(translate_with_states(table, formula, options)?.0)
}

/// As [`translate`], with the formula that each state stands for: the state accepts the words that
/// satisfy it.
///
/// # Errors
/// As [`translate`].
pub fn translate_with_states(
    table: &mut Formulas,
    formula: Formula,
    options: &Options,
) -> Result<(Automaton, Vec<Formula>), TooLarge> {
    let formula = table.negation_normal_form(formula);
    match options.method {
        Method::Couvreur | Method::Postponing => tableau::build(table, formula, options),
        Method::Nodes => nodes::build(table, formula, options),
        Method::Alternating => {
            let alternating = alternating(table, formula, options)?;
            let (automaton, sets) = alternating.generalised(options)?;
            let mut meaning = |set: &Option<Vec<u32>>| match set {
                Some(set) => {
                    let parts = set.iter().map(|&state| alternating.formulas[state as usize]);
                    table.and(parts.collect::<Vec<_>>())
                }
                None => formula,
            };
            let states = sets.iter().map(&mut meaning).collect();
            Ok((automaton, states))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{accepting_word, accepts, is_empty, testing};
    use promenade_base::random::Random;

    #[test]
    fn automata_agree_with_formulas_on_words() {
        let mut random = Random::new(11);
        for round in 0..3000 {
            let mut table = Formulas::new();
            let formula = testing::formula(&mut table, &mut random, 2 + round % 7, 3);
            let methods =
                [Method::Couvreur, Method::Postponing, Method::Nodes, Method::Alternating];
            for method in methods {
                let options = Options { method, ..Options::default() };
                let Ok(automaton) = translate(&mut table, formula, &options) else { continue };
                for _ in 0..20 {
                    let word = testing::word(&mut random, 3);
                    let holds = word.satisfies(&table, formula);
                    assert_eq!(
                        accepts(&automaton, &word),
                        holds,
                        "{} {word:?}",
                        testing::show(&table, formula)
                    );
                }
                match accepting_word(&automaton) {
                    Some(word) => assert!(word.satisfies(&table, formula)),
                    None => assert!(is_empty(&automaton)),
                }
            }
        }
    }

    #[test]
    fn bounds_are_kept() {
        let mut table = Formulas::new();
        let mut parts = Vec::new();
        for i in 0..30 {
            let atom = table.atom(i);
            let f = table.eventually(atom);
            parts.push(table.always(f));
        }
        let formula = table.and(parts);
        assert!(translate(&mut table, formula, &Options::default()).is_err());
    }
}
