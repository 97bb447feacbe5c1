//! From a formula to small automata: several routes, of which the smallest result is kept.

use crate::simplify::{filter, minimal_weak, simplify};
use crate::{
    Automaton, Effort, Goal, Method, Options, TooLarge, degeneralise, degeneralise_in_order,
    improve, translate_with_states,
};
use promenade_base::arrange::Arrange;
use promenade_ltl::print::to_text;
use promenade_ltl::{Formula, Formulas, Simplifier};

/// The automata of a formula.
#[derive(Clone, Debug)]
pub struct Built {
    /// With marks of several acceptance sets on edges.
    pub generalised: Automaton,
    /// With one set of accepting states, or none if every infinite run is accepting.
    pub buchi: Automaton,
    /// What the formula does not allow, generalised; `None` if that was too much work. The other
    /// automata are only as small as can be made without it then.
    pub negation: Option<Automaton>,
    /// Whether the language is an obligation, so that the least weak deterministic automaton was a
    /// candidate; `None` if that was too much work to find out.
    pub obligation: Option<bool>,
}

/// Small automata for a formula; atoms as in [`translate`](crate::translate). The formula itself has
/// to be translated; all else only makes the result smaller, and is left out where it takes more work
/// than the options allow.
///
/// # Errors
/// All routes lead to automata larger than the options allow, or the work was interrupted.
pub fn build(table: &mut Formulas, formula: Formula, options: &Options) -> Result<Built, TooLarge> {
    build_named(table, formula, &[], options)
}

/// As [`build`], with names for the atoms; states of small automata are named by the formulas that
/// they stand for, as long as the states are those of the construction.
///
/// # Errors
/// As [`build`].
pub fn build_named(
    table: &mut Formulas,
    formula: Formula,
    atoms: &[String],
    options: &Options,
) -> Result<Built, TooLarge> {
    let simplifier = &mut Simplifier::new();
    let mut own = side(table, simplifier, formula, atoms, options);
    let not = table.not(formula);
    // Only one of both has to succeed.
    let bounded = match own.automata {
        Ok(_) => *options,
        Err(TooLarge::Interrupted) => return Err(TooLarge::Interrupted),
        Err(_) => {
            own.automata = Ok(at_length(table, &own, atoms, options)?);
            Options { steps: options.steps / 8, ..*options }
        }
    };
    let other = side(table, simplifier, not, atoms, &bounded);
    let negation = other.automata.ok().map(|automata| best(automata, options.goal));
    finish(table, own, negation, atoms, options)
}

/// What [`build_named`] makes of a formula and of its negation, with less work than one after the
/// other. Either can fail for itself.
pub fn build_both(
    table: &mut Formulas,
    formula: Formula,
    atoms: &[String],
    options: &Options,
) -> [Result<Built, TooLarge>; 2] {
    let not = table.not(formula);
    let simplifier = &mut Simplifier::new();
    let [own, other] =
        [formula, not].map(|formula| side(table, simplifier, formula, atoms, options));
    let best = |side: &Side| side.automata.clone().ok().map(|list| best(list, options.goal));
    let (accepted, rejected) = (best(&own), best(&other));
    [(own, rejected), (other, accepted)]
        .map(|(side, negation)| finish(table, side, negation, atoms, options))
}

/// A formula, or its negation, on the way to automata.
struct Side {
    /// In negation normal form.
    plain: Formula,
    /// Simplified.
    short: Formula,
    /// What the simplified formula is translated to.
    automata: Result<Vec<Automaton>, TooLarge>,
}

/// One side of a formula.
fn side(
    table: &mut Formulas,
    simplifier: &mut Simplifier,
    formula: Formula,
    atoms: &[String],
    options: &Options,
) -> Side {
    let plain = table.negation_normal_form(formula);
    let short = simplifier.simplify(table, formula);
    Side { plain, short, automata: candidates(table, short, atoms, options) }
}

/// What a formula is translated to where the usual work did not suffice: by one method, with
/// patience.
fn at_length(
    table: &mut Formulas,
    side: &Side,
    atoms: &[String],
    options: &Options,
) -> Result<Vec<Automaton>, TooLarge> {
    let options = Options { steps: options.patience, ..*options };
    Ok(vec![candidate(table, side.short, atoms, &options)?])
}

/// From the automata of one side to the smallest ones; `negation` accepts the other words.
fn finish(
    table: &mut Formulas,
    side: Side,
    negation: Option<Automaton>,
    atoms: &[String],
    options: &Options,
) -> Result<Built, TooLarge> {
    let goal = options.goal;
    let mut generalised = side.automata?;
    let least = generalised.iter().map(|a| a.states.len()).min().unwrap_or(0);
    if side.plain != side.short && least > 2 {
        // A second route is worth less work.
        let bounded = Options {
            states: options.states.min(60),
            steps: options.steps.min(60_000),
            ..*options
        };
        generalised.extend(candidates(table, side.plain, atoms, &bounded).unwrap_or_default());
    }
    let mut buchi: Vec<Automaton> = Vec::new();
    let weak = negation.as_ref().and_then(|negation| {
        minimal_weak(&best(generalised.clone(), Goal::Small), negation, WEAK).ok()
    });
    if let Some(Some(weak)) = &weak {
        generalised.push(weak.clone());
        buchi.push(weak.clone());
    }
    let least = generalised.iter().map(|a| a.states.len()).min().unwrap_or(0);
    for automaton in generalised.iter().filter(|a| a.states.len() <= 4 * least + 4) {
        buchi.extend(state_based(automaton, options));
    }
    let language = best(generalised.clone(), Goal::Small);
    let half = Effort { trials: options.effort.trials / 2, ..options.effort };
    let (mut generalised, left) = improved(generalised, &language, negation.as_ref(), half, goal);
    buchi.extend(state_based(&generalised, options));
    if buchi.is_empty() {
        // The number of copies of each state is bounded.
        let copies = generalised.sets as usize + 1;
        let (states, edges) = (generalised.states.len(), generalised.edge_count());
        if edges.saturating_mul(copies * BYTES) > options.memory {
            return Err(TooLarge::Memory);
        }
        let mut result = degeneralise(&generalised, states * copies)?;
        simplify(&mut result);
        buchi.push(result);
    }
    let rest = Effort { trials: half.trials + left, ..half };
    let (buchi, _) = improved(buchi, &language, negation.as_ref(), rest, goal);
    // Marks on states are marks on edges too.
    if rank(&buchi, goal) < rank(&generalised, goal) {
        generalised = Automaton { state_based: false, ..buchi.clone() };
    }
    Ok(Built { generalised, buchi, negation, obligation: weak.map(|weak| weak.is_some()) })
}

/// The best of some automata with one language, and of what trial changes make of the smallest of
/// them; with the work that is left.
fn improved(
    mut list: Vec<Automaton>,
    language: &Automaton,
    negation: Option<&Automaton>,
    effort: Effort,
    goal: Goal,
) -> (Automaton, usize) {
    /// Automata that are worth trials.
    const STARTS: usize = 3;
    let Some(negation) = negation.filter(|_| goal == Goal::Small && effort.trials > 0) else {
        return (best(list, goal), effort.trials);
    };
    list.arrange_by_key(size);
    list.dedup();
    let mut left = effort.trials;
    let mut results = list.clone();
    for (number, automaton) in list.iter().take(STARTS).enumerate() {
        let share = if number == 0 { left * 2 / 3 } else { left / 2 };
        let mut automaton = automaton.clone();
        let effort = Effort { trials: share, ..effort };
        left -= share - improve(&mut automaton, language, negation, effort);
        results.push(automaton);
    }
    (best(results, goal), left)
}

/// State-based automata by several orders of the sets.
fn state_based(automaton: &Automaton, options: &Options) -> Vec<Automaton> {
    let limit = options.states.saturating_mul(2);
    let mut list = Vec::new();
    // Of large automata one order has to do.
    let tried = if automaton.states.len() > 100 { 1 } else { usize::MAX };
    for order in orders(automaton.sets).into_iter().take(tried) {
        if let Ok(mut result) = degeneralise_in_order(automaton, &order, limit) {
            simplify(&mut result);
            list.push(result);
        }
    }
    list
}

/// Bytes of an edge in several copies of an automaton.
const BYTES: usize = 256;

/// Most states of the powerset from which a weak automaton is made.
const WEAK: usize = 2000;

/// Simplified automata by both ways of Couvreur's construction.
fn candidates(
    table: &mut Formulas,
    formula: Formula,
    atoms: &[String],
    options: &Options,
) -> Result<Vec<Automaton>, TooLarge> {
    let mut list = Vec::new();
    let mut error = TooLarge::Steps;
    for method in [Method::Couvreur, Method::Postponing] {
        match candidate(table, formula, atoms, &Options { method, ..*options }) {
            Ok(automaton) if list.contains(&automaton) => {}
            Ok(automaton) => list.push(automaton),
            Err(TooLarge::Interrupted) => return Err(TooLarge::Interrupted),
            Err(reason) => error = reason,
        }
    }
    if list.is_empty() { Err(error) } else { Ok(list) }
}

/// One of them, by the method of the options.
fn candidate(
    table: &mut Formulas,
    formula: Formula,
    atoms: &[String],
    options: &Options,
) -> Result<Automaton, TooLarge> {
    /// Most states that get names.
    const NAMED: usize = 300;
    /// Most bytes of all names together.
    const TEXT: usize = 1 << 18;
    let (mut automaton, states) = translate_with_states(table, formula, options)?;
    automaton.name_atoms(atoms);
    if states.len() <= NAMED {
        let mut left = TEXT;
        let name = |&state: &Formula| {
            let text = to_text(table, state, atoms);
            left = left.checked_sub(text.len())?;
            Some(text)
        };
        automaton.names = states.iter().map_while(name).collect();
        if automaton.names.len() < states.len() {
            automaton.names.clear();
        }
    }
    simplify(&mut automaton);
    Ok(automaton)
}

/// Orders of acceptance sets to try: all of up to three, some of more.
fn orders(sets: u32) -> Vec<Vec<u32>> {
    let plain: Vec<u32> = (0..sets).collect();
    match sets {
        0 | 1 => vec![plain],
        2 => vec![plain, vec![1, 0]],
        3 => [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
            .map(Vec::from)
            .to_vec(),
        _ => vec![plain.clone(), plain.into_iter().rev().collect()],
    }
}

/// Size by which automata are compared.
pub(crate) fn size(automaton: &Automaton) -> (usize, usize, usize, u32) {
    /// Most edges that are compared with each other.
    const COMPARED: usize = 5_000;
    let edges = automaton.edge_count();
    let loose = if edges > COMPARED {
        automaton.states.len()
    } else {
        automaton.states.iter().filter(|edges| !deterministic(edges)).count()
    };
    (automaton.states.len(), edges, loose, automaton.sets)
}

fn deterministic(edges: &[crate::Edge]) -> bool {
    (0..edges.len()).all(|i| (0..i).all(|j| !edges[i].label.meets(&edges[j].label)))
}

/// What is best comes first. A deterministic automaton is worth three times the states; else states
/// with a choice count double.
fn rank(automaton: &Automaton, goal: Goal) -> (usize, usize, usize, u32) {
    let (states, edges, loose, sets) = size(automaton);
    match goal {
        Goal::Small => (states, edges, loose, sets),
        Goal::Deterministic if loose == 0 => (states, edges, 0, sets),
        Goal::Deterministic => (states * 2 + loose * 2, edges, loose, sets),
    }
}

fn best(list: Vec<Automaton>, goal: Goal) -> Automaton {
    let mut best = list.into_iter().min_by_key(|automaton| rank(automaton, goal));
    if let Some(best) = &mut best {
        filter(best);
    }
    best.unwrap_or_else(|| Automaton::nothing(Vec::new()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{accepts, contains_automaton, intersection, is_empty, testing};
    use promenade_base::random::Random;

    /// Both directions: the product with the negation is empty, and no word of the plain automaton
    /// is lost; for both goals.
    #[test]
    fn built_automata_are_right() {
        let mut random = Random::new(41);
        for round in 0..700 {
            let mut table = Formulas::new();
            let formula = testing::formula(&mut table, &mut random, 2 + round % 8, 3);
            let text = testing::show(&table, formula);
            let goal = if round % 2 == 0 { Goal::Small } else { Goal::Deterministic };
            let effort = Effort { trials: 60_000, restarts: 2 };
            let options = Options { goal, effort, states: 300, ..Options::default() };
            let Ok(built) = build(&mut table, formula, &options) else { continue };
            let not = table.not(formula);
            let negation = crate::translate(&mut table, not, &options);
            let plain = crate::translate(&mut table, formula, &options);
            for automaton in [&built.generalised, &built.buchi] {
                if let Ok(negation) = &negation {
                    let both = intersection(automaton, negation, 1 << 18);
                    assert!(both.is_ok_and(|both| is_empty(&both)), "gained: {text}");
                }
                if let Ok(plain) = &plain {
                    let lost = contains_automaton(automaton, plain, 20_000);
                    assert!(lost.is_ok_and(|word| word.is_none()), "lost: {text}");
                }
                for _ in 0..20 {
                    let word = testing::word(&mut random, 3);
                    assert_eq!(
                        accepts(automaton, &word),
                        word.satisfies(&table, formula),
                        "{text}"
                    );
                }
            }
            assert!(built.buchi.state_based && built.buchi.sets <= 1, "{text}");
        }
    }

    #[test]
    fn states_have_meanings() {
        let mut table = Formulas::new();
        let p = table.atom(0);
        let f = table.eventually(p);
        let g = table.always(f);
        let options = Options::for_checking();
        let built = build_named(&mut table, g, &["go".to_owned()], &options).expect("small");
        assert_eq!(built.generalised.names, vec!["[]<>go".to_owned()]);
    }
}
