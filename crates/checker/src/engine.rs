//! The store and the reduction of a run: which are legal, why, and how they are made.

use crate::catalog::store as entry;
use crate::property::Goal;
use crate::report::counted;
use crate::sources::of_settings;
use promenade_analysis::reset_dead;
use promenade_interp::{Cutter, Interpreter, RunOptions};
use promenade_ir::Model;
use promenade_protocol::{
    Advice, Confidence, DeadVariables, DiagnosticData, Emptiness, Experiment, Fairness, Probing,
    Property, Proviso, Reduction, Report, Search, Settings, Store, grouped,
};
use promenade_reduction::{CycleProviso, Preserve, Selector, coarsen};
use promenade_search::{ChosenStore, Parts, Statistics};
use promenade_store::collapse::{Cut, Part};
use promenade_store::delta::Stepper;
use promenade_store::{
    Approximation, Automatic, Automaton, Bitstate, Caching, Collapse, Delta, Guarantee,
    HashCompact, VisitedSet, bitstate, caching, hash_compact, omission,
};
use promenade_transition_system::{Reducer, Successors, TransitionSystem, unpack};
use std::rc::Rc;

/// Of the memory, what a set that takes all at once may have: the rest is for the path or the
/// queue.
const SHARE: (u64, u64) = (3, 4);

/// The store and the reduction of a run.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    pub store: Store,
    /// What the reduction keeps, if there is one.
    pub reduction: Option<promenade_reduction::Goal>,
    /// The model that is searched instead, if statements are merged or dead variables reset.
    pub coarse: Option<Rc<Model>>,
}

/// An engine with a sentence on its store and one on its reduction.
pub(crate) struct Choice {
    pub engine: Engine,
    pub store_note: String,
    pub reduction_note: String,
    pub merging_note: Option<String>,
    pub dead_note: Option<String>,
    /// What was asked for and could not be done, a sentence each.
    pub refused: Vec<String>,
}

fn error(code: &str, message: String, hint: &str) -> Box<DiagnosticData> {
    Box::new(DiagnosticData { hint: Some(hint.to_owned()), ..of_settings(code, &message) })
}

/// Chooses; an error is a store that does not go with the search.
pub(crate) fn choose(
    experiment: &Experiment,
    model: &Rc<Model>,
    goal: &Goal,
) -> Result<Choice, Box<DiagnosticData>> {
    let settings = &experiment.settings;
    let (store, why) = store(settings, goal)?;
    let entry = entry(store);
    let mut refused = Vec::new();
    let (reduction, reduction_note) = match reduction(settings, model, goal) {
        Ok(reduction) => {
            let note = format!(
                "Ample sets: where the steps of one process suffice, those of the others are left \
                 out. The verdict is the same; there are fewer states. {}",
                cycles_note(settings, model, goal, &reduction)
            );
            (Some(reduction), note)
        }
        Err(None) => (None, "None: every state is visited.".to_owned()),
        Err(Some(why)) => {
            refused.push(format!("No reduction was made, although asked for: {why}."));
            (None, format!("None, although asked for: {why}."))
        }
    };
    let (coarse, merging_note) = match settings.merge.then(|| merging(model, goal)) {
        None => (None, None),
        Some(Ok((coarse, merged))) => {
            let points = counted(merged as u64, "control point is", "control points are");
            let note = format!("{points} passed at once: nobody can notice the step made there.");
            (Some(coarse), Some(note))
        }
        Some(Err(why)) => {
            refused.push(format!("No statements were merged, although asked for: {why}."));
            (None, Some(format!("None, although asked for: {why}.")))
        }
    };
    let (coarse, dead_note) = match settings.dead_variables {
        DeadVariables::Keep => (coarse, None),
        DeadVariables::Reset => match reset_dead(coarse.as_ref().unwrap_or(model)) {
            Some((reset, points)) => (Some(Rc::new(reset)), Some(dead_note(points, model))),
            None => {
                let note = "No local variable is ever dead, so none is reset.";
                (coarse, Some(note.to_owned()))
            }
        },
    };
    Ok(Choice {
        engine: Engine { store, reduction, coarse },
        merging_note,
        dead_note,
        refused,
        store_note: format!("{}. {}{why}", entry.title, entry.doc),
        reduction_note,
    })
}

fn store(settings: &Settings, goal: &Goal) -> Result<(Store, &'static str), Box<DiagnosticData>> {
    let wanted = settings.store;
    if goal.infinite && wanted != Store::Exact {
        if wanted == Store::Automatic {
            let why = " Searches for infinite runs have to find states again, so nothing else \
                       can be used.";
            return Ok((Store::Exact, why));
        }
        let message = format!(
            "the store `{}` cannot be used for a property of infinite runs",
            entry(wanted).title
        );
        let hint = "Such searches have to find states again: choose the exact or the automatic \
                    store.";
        return Err(error("store-and-property", message, hint));
    }
    if wanted == Store::Caching && settings.search == Search::BreadthFirst {
        let message = "the state cache cannot be used with breadth-first search".to_owned();
        let hint = "A state that was forgotten would be queued again and again: choose \
                    depth-first search, or another store.";
        return Err(error("store-and-search", message, hint));
    }
    Ok((wanted, ""))
}

/// At how many control points something is dead.
fn dead_note(points: usize, model: &Model) -> String {
    let all: usize = model.proctypes.iter().map(|p| p.graph.locations.len()).sum();
    format!(
        "Local variables that will not be read before they are written are set to 0 (at {} of {}): \
         there are fewer states, and the verdict is the same. Runs are shown with the values that \
         the text gives.",
        grouped(points as u64),
        counted(all as u64, "control point", "control points")
    )
}

/// The model with merged statements, and how many control points it passes at once. An error says
/// why there is none.
fn merging(model: &Rc<Model>, goal: &Goal) -> Result<(Rc<Model>, usize), String> {
    if goal.infinite || goal.claim.is_some() {
        return Err("a claim that moves along would see fewer steps".to_owned());
    }
    let selector = Selector::new(model.clone(), &promenade_reduction::Goal::new(Preserve::Safety));
    if let Some(reason) = selector.nowhere() {
        return Err(reason.text(model, selector.facts()));
    }
    let coarse = coarsen(model, &selector);
    let (coarse, merged) = coarse.ok_or("every step may be noticed by another process")?;
    Ok((Rc::new(coarse), merged))
}

/// What the reduction has to keep. An error says why there is none; nothing, if none was asked for.
pub(crate) fn reduction(
    settings: &Settings,
    model: &Rc<Model>,
    goal: &Goal,
) -> Result<promenade_reduction::Goal, Option<String>> {
    let no = |why: &str| Err(Some(why.to_owned()));
    if settings.reduction == Reduction::None {
        return Err(None);
    }
    if goal.infinite && settings.fairness == Fairness::Weak {
        return no("weak fairness watches which processes can move");
    }
    if goal.claim.is_some() && !goal.generated() {
        return no("a never claim can count steps, which a reduction changes");
    }
    if goal.progress {
        return no("progress looks at the places of all processes");
    }
    if goal.sees_repetition {
        return no(
            "the formula can tell runs apart that differ in repeated states only (look for \
                   `X`)",
        );
    }
    let Some(sticky) = breaks_loops(settings, goal) else {
        return no(
            "the search expands states more than once, and what it had on its path then is not \
                   what it has now: choose the static condition on cycles, accepting components or \
                   the automatic search",
        );
    };
    let preserve = if goal.infinite { Preserve::Liveness } else { Preserve::Safety };
    let mut wanted =
        promenade_reduction::Goal { sticky, ..promenade_reduction::Goal::new(preserve) };
    if let Some(claim) = goal.claim.and_then(|claim| model.claims.get(claim)) {
        let facts = promenade_analysis::Facts::of(model);
        let mut observed = facts.nothing_observed(model);
        facts.observe_claim(&mut observed, claim);
        wanted.observed = Some(observed);
        wanted.accept_labels = false;
    }
    let selector = Selector::new(model.clone(), &wanted);
    match selector.nowhere() {
        Some(reason) => Err(Some(reason.text(model, selector.facts()))),
        None => Ok(wanted),
    }
}

/// Whether a search for a goal expands states more than once. What it then has on its path, or in a
/// queue, is not what it had there before, so it would leave out something else (G. J. Holzmann,
/// D. Peled, M. Yannakakis, On nested depth first search, 1996).
fn expands_again(settings: &Settings, goal: &Goal) -> bool {
    let once = match settings.emptiness {
        Emptiness::Couvreur => true,
        Emptiness::Automatic => settings.proviso == Proviso::Dynamic,
        _ => false,
    };
    goal.infinite && !once
}

/// Whether loops of processes are broken beforehand; if not, the search looks at its path or its
/// queue. Nothing if that is asked for and cannot be.
///
/// On the stack of a search for finite runs, both conditions leave out the same on average. The one on
/// the queue leaves out less, above all with stores that do not tell which states still wait, and so
/// does that on unfinished components.
fn breaks_loops(settings: &Settings, goal: &Goal) -> Option<bool> {
    match settings.proviso {
        Proviso::Static => Some(true),
        Proviso::Dynamic => (!expands_again(settings, goal)).then_some(false),
        Proviso::Automatic => Some(goal.infinite || settings.search == Search::BreadthFirst),
    }
}

/// How processes are kept from being put off for ever, and why so.
fn cycles_note(
    settings: &Settings,
    model: &Rc<Model>,
    goal: &Goal,
    reduction: &promenade_reduction::Goal,
) -> String {
    if !reduction.sticky {
        let all = reduction.proviso() == CycleProviso::AllOpen;
        let what = if all { "all of them have" } else { "one of them has" };
        let (infinite, queue) = (goal.infinite, settings.search == Search::BreadthFirst);
        let where_to = match (infinite, queue) {
            (true, _) => "to leave the components that are not complete",
            (false, true) => "to lead to a state that still waits for its turn",
            (false, false) => "to lead away from the path of the search",
        };
        return format!("So that nobody is put off for ever, {what} {where_to}.");
    }
    let selector = Selector::new(model.clone(), reduction);
    let points: usize = model.proctypes.iter().map(|p| p.graph.locations.len()).sum();
    let marked = selector.sticky().iter().flatten().filter(|mark| **mark).count();
    let why = match settings.proviso {
        Proviso::Automatic if expands_again(settings, goal) => {
            " (chosen because the search expands states more than once)"
        }
        Proviso::Automatic if goal.infinite => {
            " (chosen because it leaves out more than a condition on unfinished components)"
        }
        Proviso::Automatic => " (chosen because it leaves out more than a condition on the queue)",
        Proviso::Dynamic | Proviso::Static => "",
    };
    let how = match marked {
        0 => "No loop of a process has to be broken for that".to_owned(),
        n => format!(
            "At {} of {} all steps are taken",
            grouped(n as u64),
            counted(points as u64, "control point", "control points")
        ),
    };
    format!(
        "So that nobody is put off for ever, loops of processes are broken beforehand{why}. {how}."
    )
}

/// Most members of a team.
const MOST_MEMBERS: u32 = 64;

/// The experiment as a team of so many checks it: breadth first, exact. What asks for something else
/// is rejected. A reduction needs the static condition on cycles: no member knows what waits at the
/// others.
pub(crate) fn for_team(experiment: &Experiment, of: u32) -> Result<Experiment, Box<Report>> {
    let reject = |code: &str, message: &str| {
        let error = error(code, message.to_owned(), "Use one searcher for this.");
        Err(Box::new(crate::report::input_error(experiment, vec![*error])))
    };
    if of == 0 || of > MOST_MEMBERS {
        return reject("team-size", "there can be 1 to 64 searchers");
    }
    if !matches!(experiment.property, Property::Safety | Property::Claim { .. }) {
        return reject("team-and-property", "several searchers cannot look for infinite runs");
    }
    if !matches!(experiment.settings.store, Store::Exact | Store::Automatic) {
        return reject("team-and-store", "several searchers need the exact store");
    }
    let settings = Settings {
        search: Search::BreadthFirst,
        store: Store::Exact,
        reduction: match experiment.settings.proviso {
            Proviso::Dynamic => Reduction::None,
            Proviso::Automatic | Proviso::Static => experiment.settings.reduction,
        },
        proviso: Proviso::Static,
        ..experiment.settings.clone()
    };
    Ok(Experiment { settings, ..experiment.clone() })
}

fn probing(wanted: Probing) -> bitstate::Probing {
    match wanted {
        Probing::Double => bitstate::Probing::Double,
        Probing::EnhancedDouble => bitstate::Probing::EnhancedDouble,
        Probing::Triple => bitstate::Probing::Triple,
        Probing::Independent => bitstate::Probing::Independent,
    }
}

/// Cuts states for the collapse store.
#[derive(Debug)]
struct Pieces(Cutter);

impl Cut for Pieces {
    fn cut(&self, state: &[u8], parts: &mut Vec<Part>) {
        self.0.cut(state, |kind, length| parts.push(Part { kind, length }));
    }
}

/// Executes steps again for the delta store.
struct Steps {
    system: Interpreter,
    out: Successors,
}

impl Steps {
    fn new(system: &Interpreter) -> Self {
        let options = RunOptions { cancel: None, interrupt: None, ..system.options().clone() };
        Self {
            system: Interpreter::new(system.model().clone(), options),
            out: Successors::default(),
        }
    }
}

impl std::fmt::Debug for Steps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Steps").finish_non_exhaustive()
    }
}

impl Stepper for Steps {
    fn step(&mut self, state: &mut Vec<u8>, choice: u32) -> bool {
        let (selection, choice) = unpack(choice);
        self.out.wanted = Some(choice);
        self.system.expand(state, selection, &mut self.out);
        let Some(target) = self.out.target(choice as usize) else { return false };
        state.clear();
        state.extend_from_slice(target);
        true
    }
}

impl Engine {
    /// The parts of a search, fresh.
    pub(crate) fn parts(&self, settings: &Settings, system: &Interpreter, budget: u64) -> Parts {
        let seed = u64::from(settings.seed);
        let share = budget / SHARE.1 * SHARE.0;
        let all = u64::MAX;
        let compact = hash_compact::Settings {
            cell_bits: settings.cell_bits,
            seed,
            ..hash_compact::Settings::default()
        };
        let chosen: Option<(Box<dyn VisitedSet>, u64)> = match self.store {
            Store::Exact => None,
            Store::Automatic => Some((Box::new(Automatic::new(budget, compact)), all)),
            Store::Collapse => {
                let pieces = Box::new(Pieces(system.cutter()));
                Some((Box::new(Collapse::cutting(budget, pieces)), all))
            }
            Store::Automaton => Some((Box::new(Automaton::new(budget)), all)),
            Store::Delta => {
                let stepper = Box::new(Steps::new(system));
                Some((Box::new(Delta::new(budget, settings.chain, stepper)), all))
            }
            Store::Caching => {
                let settings = caching::Settings { seed, ..caching::Settings::default() };
                Some((Box::new(Caching::new(share, settings)), share))
            }
            Store::HashCompact => Some((Box::new(HashCompact::new(share, compact)), share)),
            Store::Bitstate => {
                let settings = bitstate::Settings {
                    hashes: settings.hashes,
                    probing: probing(settings.probing),
                    seed,
                    ..bitstate::Settings::default()
                };
                Some((Box::new(Bitstate::new(share, settings)), share))
            }
        };
        let reducer = self.reduction.as_ref().map(|goal| {
            let reducer: Box<dyn Reducer> = Box::new(Selector::new(system.model().clone(), goal));
            reducer
        });
        Parts { store: chosen.map(|(set, share)| ChosenStore { set, share }), reducer }
    }

    /// Where the memory went, if a store of fixed size left too little for the path or the queue of a
    /// search: an exact store can get deeper then.
    pub(crate) fn crowded(&self, settings: &Settings) -> Option<String> {
        let (what, advice) = match (self.store, settings.search) {
            (Store::Caching, _) => {
                ("the path of the search, which keeps whole states", "A depth limit")
            }
            (Store::HashCompact | Store::Bitstate, Search::DepthFirst) => (
                "the path of the search, which keeps whole states",
                "Breadth-first search, where only states that wait are kept, or a depth limit",
            ),
            (Store::HashCompact | Store::Bitstate, Search::BreadthFirst) => (
                "the queue of the search, which keeps whole states, and how each was reached",
                "Depth-first search, where only the path is kept,",
            ),
            _ => return None,
        };
        Some(format!(
            "Three quarters of the memory are the store's from the start; the rest was filled by \
             {what}. {advice} may get further, and so may an exact store where states are few and \
             paths are long."
        ))
    }

    /// What is said about states that the store may have missed or has forgotten.
    pub(crate) fn confidence(
        &self,
        settings: &Settings,
        found: &Approximation,
        statistics: &Statistics,
        budget: u64,
    ) -> Option<Confidence> {
        if found.guarantee == Guarantee::Exact {
            return None;
        }
        let store = self.store;
        let kept_as = match store {
            Store::Bitstate => match settings.hashes.clamp(1, omission::MAX_HASHES) {
                1 => "one bit of an array".to_owned(),
                n => match settings.probing {
                    Probing::Triple => format!("{n} bits of an array"),
                    Probing::Double => format!("{n} bits of an array, at equal distances"),
                    Probing::EnhancedDouble => {
                        format!("{n} bits of an array, at distances that grow")
                    }
                    Probing::Independent => {
                        format!("{n} bits of an array, by a hash function each")
                    }
                },
            },
            Store::HashCompact | Store::Automatic => {
                let bits = settings.cell_bits.clamp(4, 64);
                let what = format!("a signature of {bits} bits");
                if store == Store::Automatic {
                    format!("{what} where not all states had room")
                } else {
                    what
                }
            }
            Store::Exact | Store::Collapse | Store::Automaton | Store::Delta | Store::Caching => {
                "whole states".to_owned()
            }
        };
        let approximate = found.guarantee == Guarantee::Approximate;
        let finite = found.expected_omissions.is_finite();
        let (any_omission, coverage) = match (approximate, finite) {
            (false, _) => (0.0, 1.0),
            (true, false) => (1.0, 0.0),
            // However small the probability: rounded to nothing it would be a proof.
            (true, true) => (
                found.any_omission().max(f64::MIN_POSITIVE),
                found.coverage().min(1.0 - f64::EPSILON / 2.0),
            ),
        };
        Some(Confidence {
            store: entry(store).title.to_owned(),
            kept_as,
            stored: found.stored,
            places: found.places,
            places_used: found.places_used,
            expected_omissions: (approximate && finite).then_some(found.expected_omissions),
            any_omission,
            coverage,
            replaced: found.replaced,
            partial: false,
            advice: advice(settings, found, statistics, budget).filter(|_| approximate),
        })
    }
}

/// Better settings, if there are some that leave out fewer states.
fn advice(
    settings: &Settings,
    found: &Approximation,
    statistics: &Statistics,
    budget: u64,
) -> Option<Advice> {
    let states = found.estimated_states()?;
    let before = found.expected_omissions;
    let per_state = statistics.state_bytes + 10;
    let exact = states.saturating_mul(per_state) + states.saturating_mul(20);
    let of = |store, text: String, expected, change: &dyn Fn(&mut Settings)| {
        let mut settings = Settings { store, ..settings.clone() };
        change(&mut settings);
        Some(Advice { settings, text, expected_omissions: expected })
    };
    if exact < budget / 2 {
        let text = format!(
            "The exact store: about {} states fit into the memory, and the result is a proof.",
            grouped(states)
        );
        return of(Store::Exact, text, 0.0, &|_| {});
    }
    let trusted = omission::trust(statistics.transitions(), statistics.states_stored)
        == omission::Trust::Good
        && before < states as f64 / 10.0;
    let share = budget / SHARE.1 * SHARE.0;
    let (advice, expected) = omission::advise(share, states, trusted);
    if expected > before * 0.9 {
        return None;
    }
    match advice {
        omission::Advice::Bitstate { hashes } => {
            let text = format!(
                "Bitstate with {hashes} bits a state, the best number for about {} states in this \
                 memory.",
                grouped(states)
            );
            of(Store::Bitstate, text, expected, &|settings| {
                settings.hashes = hashes;
                // The number is for places that are as good as independent.
                if matches!(settings.probing, Probing::Double | Probing::EnhancedDouble) {
                    settings.probing = Probing::default();
                }
            })
        }
        omission::Advice::HashCompact { cell_bits } => {
            let text = format!(
                "Hash compaction with {cell_bits} bits a state, as about {} states are expected.",
                grouped(states)
            );
            of(Store::HashCompact, text, expected, &|settings| settings.cell_bits = cell_bits)
        }
    }
}
