//! From a formula to small automata: several routes, of which the smallest result is kept.

use crate::simplify::{filter, minimal_weak, simplify};
use crate::{
    Automaton, Effort, Method, Options, TooLarge, degeneralise_in_order, improve, translate,
};
use promenade_ltl::{Formula, Formulas, Simplifier};

/// The automata of a formula.
#[derive(Clone, Debug)]
pub struct Built {
    /// With marks of several acceptance sets on edges.
    pub generalised: Automaton,
    /// With one set of accepting states, or none if every infinite run is accepting.
    pub buchi: Automaton,
    /// What the formula does not allow, generalised.
    pub negation: Automaton,
    /// Whether the language is an obligation, so that the least weak deterministic automaton was a
    /// candidate; `None` if that was too much work to find out.
    pub obligation: Option<bool>,
}

/// Small automata for a formula; atoms as in [`translate`].
///
/// # Errors
/// All routes lead to automata larger than the options allow.
pub fn build(table: &mut Formulas, formula: Formula, options: &Options) -> Result<Built, TooLarge> {
    let mut simplifier = Simplifier::new();
    let plain = table.negation_normal_form(formula);
    let short = simplifier.simplify(table, formula);
    let not = table.not(formula);
    let not = simplifier.simplify(table, not);
    let negation = smallest(candidates(table, not, options)?);
    let mut generalised = candidates(table, short, options)?;
    let least = generalised.iter().map(|a| a.states.len()).min().unwrap_or(0);
    if plain != short && least > 2 {
        // A second route is worth less work.
        let bounded = Options {
            states: options.states.min(60),
            steps: options.steps.min(60_000),
            ..*options
        };
        generalised.extend(candidates(table, plain, &bounded).unwrap_or_default());
    }
    let mut buchi: Vec<Automaton> = Vec::new();
    let weak = minimal_weak(&smallest(generalised.clone()), &negation, WEAK).ok();
    if let Some(Some(weak)) = &weak {
        generalised.push(weak.clone());
        buchi.push(weak.clone());
    }
    for automaton in &generalised {
        buchi.extend(state_based(automaton, options));
    }
    if buchi.is_empty() || generalised.is_empty() {
        return Err(TooLarge::States);
    }
    let language = smallest(generalised.clone());
    let half = Effort { trials: options.effort.trials / 2, ..options.effort };
    let (generalised, left) = improved(generalised, &language, &negation, half);
    buchi.extend(state_based(&generalised, options));
    let (buchi, _) =
        improved(buchi, &language, &negation, Effort { trials: half.trials + left, ..half });
    let mut generalised = generalised;
    // Marks on states are marks on edges too.
    if size(&buchi) < size(&generalised) {
        generalised = Automaton { state_based: false, ..buchi.clone() };
    }
    Ok(Built { generalised, buchi, negation, obligation: weak.map(|weak| weak.is_some()) })
}

/// The smallest of some automata with one language, and of what trial changes make of the smallest
/// of them; with the work that is left.
fn improved(
    mut list: Vec<Automaton>,
    language: &Automaton,
    negation: &Automaton,
    effort: Effort,
) -> (Automaton, usize) {
    /// Automata that are worth trials.
    const STARTS: usize = 3;
    list.sort_by_key(size);
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
    (smallest(results), left)
}

/// State-based automata by several orders of the sets.
fn state_based(automaton: &Automaton, options: &Options) -> Vec<Automaton> {
    let limit = options.states.saturating_mul(2);
    let mut list = Vec::new();
    for order in orders(automaton.sets) {
        if let Ok(mut result) = degeneralise_in_order(automaton, &order, limit) {
            simplify(&mut result);
            list.push(result);
        }
    }
    list
}

/// Most states of the powerset from which a weak automaton is made.
const WEAK: usize = 2000;

/// Simplified automata by all methods.
fn candidates(
    table: &mut Formulas,
    formula: Formula,
    options: &Options,
) -> Result<Vec<Automaton>, TooLarge> {
    let mut list = Vec::new();
    let mut error = TooLarge::Steps;
    for method in [Method::Couvreur, Method::Postponing] {
        match translate(table, formula, &Options { method, ..*options }) {
            Ok(mut automaton) => {
                simplify(&mut automaton);
                if !list.contains(&automaton) {
                    list.push(automaton);
                }
            }
            Err(reason) => error = reason,
        }
    }
    if list.is_empty() { Err(error) } else { Ok(list) }
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
    let loose = automaton.states.iter().filter(|edges| !deterministic(edges)).count();
    (automaton.states.len(), automaton.edge_count(), loose, automaton.sets)
}

fn deterministic(edges: &[crate::Edge]) -> bool {
    (0..edges.len()).all(|i| (0..i).all(|j| !edges[i].label.meets(&edges[j].label)))
}

fn smallest(list: Vec<Automaton>) -> Automaton {
    let mut best = list.into_iter().min_by_key(size);
    if let Some(best) = &mut best {
        filter(best);
    }
    best.unwrap_or_else(|| Automaton::nothing(Vec::new()))
}
