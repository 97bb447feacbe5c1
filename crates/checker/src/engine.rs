//! The store and the reduction of a run: which are legal, why, and how they are made.

use crate::property::Goal;
use crate::reducing::{self, Later};
use crate::report::counted;
use crate::sources::of_settings;
use promenade_analysis::reset_dead;
use promenade_interp::{Cutter, Interpreter, RunOptions};
use promenade_ir::Model;
use promenade_protocol::options::{Effect, Refusal, Titles, Values, Workers, refusals};
use promenade_protocol::{
    Advice, Confidence, DeadVariables, DiagnosticData, Experiment, Probing, Proviso, Reduction,
    Report, Search, Settings, Store, Traits, grouped,
};
use promenade_reduction::{Preserve, Selector, coarsen};
use promenade_search::{Parts, Statistics};
use promenade_store::collapse::{Cut, Part};
use promenade_store::delta::Stepper;
use promenade_store::{Approximation, Guarantee, Making, omission};
use promenade_transition_system::{Reducer, Successors, TransitionSystem, unpack};
use std::rc::Rc;

/// Of the memory, what a set that takes all at once may have: the rest is for the path or the
/// queue. The array of bits gives some of that back where they need more.
const SHARE: (u64, u64) = (3, 4);
/// What a step of the path or a state of the queue takes beside a lossy store, about.
const STEP_BYTES: u64 = 12;

/// The store and the reduction of a run.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    pub store: Store,
    /// What the reduction keeps, if there is one.
    pub reduction: Option<promenade_reduction::Goal>,
    /// A reduction to begin anew with, once so many states have been visited without.
    pub later: Option<Later>,
    /// The model that is searched instead, if statements are merged or dead variables reset.
    pub coarse: Option<Rc<Model>>,
}

/// An engine with a sentence on its store and one on its reduction.
pub(crate) struct Choice {
    pub engine: Engine,
    pub store_note: String,
    pub reduction_note: String,
    /// Why there is none, although asked for.
    pub reduction_refused: Option<String>,
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
    let left_out = legality(settings, goal)?;
    let (store, why) = store(settings.store, goal);
    let entry = store.choice();
    let mut refused = Vec::new();
    let reducing = reducing::choose(settings, model, goal);
    refused.extend(reducing.refused);
    let not_merged = left_out.iter().find(|it| it.code == "merging-and-property");
    let merging = |wanted: bool| {
        wanted.then(|| not_merged.map_or_else(|| merging(model), |it| Err(it.why.to_owned())))
    };
    let (coarse, merging_note) = match merging(settings.merge) {
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
    let watched = !goal.infinite
        && settings.reduction != Reduction::None
        && !promenade_analysis::promises_are_kept(model);
    let (coarse, dead_note) = match settings.dead_variables {
        DeadVariables::Keep => (coarse, None),
        // A promise names its channel by a variable that nothing else may read any more.
        DeadVariables::Reset if watched => {
            let why = "`xr` and `xs` are watched, which name channels by variables";
            refused.push(format!("No dead variables were reset, although asked for: {why}."));
            (coarse, Some(format!("None were reset, although asked for: {why}.")))
        }
        DeadVariables::Reset => match reset_dead(coarse.as_ref().unwrap_or(model)) {
            Some((reset, points)) => (Some(Rc::new(reset)), Some(dead_note(points, model))),
            None => {
                let note = "No local variable is ever dead, so none is reset.";
                (coarse, Some(note.to_owned()))
            }
        },
    };
    Ok(Choice {
        engine: Engine { store, reduction: reducing.now, later: reducing.later, coarse },
        merging_note,
        dead_note,
        refused,
        store_note: format!("{}. {}{why}", entry.title, entry.doc),
        reduction_note: reducing.note,
        reduction_refused: reducing.why,
    })
}

/// The store that a search has, and a sentence why if it is not the one that was asked for.
fn store(wanted: Store, goal: &Goal) -> (Store, &'static str) {
    if goal.infinite && wanted == Store::Automatic {
        let why = " Searches for infinite runs have to find states again, so the automatic store \
                   stays exact.";
        return (Store::Exact, why);
    }
    (wanted, "")
}

/// The first thing that ends a check before it begins, as an error; also what is left out of it.
pub(crate) fn legality(
    settings: &Settings,
    goal: &Goal,
) -> Result<Vec<Refusal>, Box<DiagnosticData>> {
    let values = Values { settings, subject: goal.subject(), workers: Workers::One };
    let (refused, left_out) = parted(&values);
    refused.map_or(Ok(left_out), |it| Err(told(&it)))
}

fn parted(values: &Values<'_>) -> (Option<Refusal>, Vec<Refusal>) {
    let (refused, left_out): (Vec<_>, Vec<_>) =
        refusals(values).into_iter().partition(|it| it.effect == Effect::Refused);
    (refused.into_iter().next(), left_out)
}

/// A refusal in the names of the page; the command line finds the same one and says it in its own.
fn told(refusal: &Refusal) -> Box<DiagnosticData> {
    error(refusal.code, refusal.message(&Titles), &refusal.hint(&Titles))
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
fn merging(model: &Rc<Model>) -> Result<(Rc<Model>, usize), String> {
    let selector = Selector::new(model.clone(), &promenade_reduction::Goal::new(Preserve::Safety));
    if let Some(reason) = selector.nowhere() {
        return Err(reason.text(model, selector.facts()));
    }
    let coarse = coarsen(model, &selector);
    let (coarse, merged) = coarse.ok_or("every step may be noticed by another process")?;
    Ok((Rc::new(coarse), merged))
}

/// The experiment as a team of so many checks it: breadth first, exact. What asks for something else
/// is rejected. A reduction needs the static condition on cycles: no member knows what waits at the
/// others.
pub(crate) fn for_team(experiment: &Experiment, of: u32) -> Result<Experiment, Box<Report>> {
    let settings = &experiment.settings;
    let subject = experiment.property.subject(false);
    let (refused, left_out) = parted(&Values { settings, subject, workers: Workers::Share(of) });
    if let Some(refusal) = refused {
        return Err(Box::new(crate::report::input_error(experiment, vec![*told(&refusal)])));
    }
    let ample = settings.reduction == Reduction::AmpleSets
        && left_out.iter().all(|it| it.code != "reduction-and-workers");
    let settings = Settings {
        search: Search::BreadthFirst,
        store: if settings.store == Store::Automatic { Store::Exact } else { settings.store },
        reduction: if ample { Reduction::AmpleSets } else { Reduction::None },
        proviso: Proviso::Static,
        ..settings.clone()
    };
    Ok(Experiment { settings, ..experiment.clone() })
}

/// What a team of so many leaves out because several share the states, a sentence each.
pub(crate) fn left_out_of_team(experiment: &Experiment, of: u32) -> Vec<String> {
    let (settings, subject) = (&experiment.settings, experiment.property.subject(false));
    let (_, left_out) = parted(&Values { settings, subject, workers: Workers::Share(of) });
    let of_workers = left_out.iter().filter(|it| it.code == "reduction-and-workers");
    let sentence = |it: &Refusal| {
        let (why, hint) = (it.why, it.hint(&Titles));
        format!("No reduction was made, although asked for: {why}. {hint}")
    };
    of_workers.map(sentence).collect()
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
    /// Whether there is a reduction, or is to be one later.
    pub(crate) fn is_reduced(&self) -> bool {
        self.reduction.is_some() || self.later.is_some()
    }

    /// The parts of a search, fresh.
    pub(crate) fn parts(&self, settings: &Settings, system: &Interpreter, budget: u64) -> Parts {
        let making = Making {
            settings,
            budget,
            share: budget / SHARE.1 * SHARE.0,
            cut: &|| Box::new(Pieces(system.cutter())),
            steps: &|| Box::new(Steps::new(system)),
        };
        let reducer = self.reduction.as_ref().map(|goal| {
            let reducer: Box<dyn Reducer> = Box::new(Selector::new(system.model().clone(), goal));
            reducer
        });
        Parts { store: promenade_store::build(self.store, &making), reducer }
    }

    /// What is to be said where the memory was too small. Which store or order gets further depends on
    /// the model, so nothing is recommended that was not measured.
    pub(crate) fn crowded(&self, infinite: bool, statistics: &Statistics) -> Option<String> {
        if infinite {
            return None;
        }
        let measured = "Which store gets further in the same memory depends on the model: \
                        comparing techniques measures it.";
        if statistics.not_followed > 0 && self.store != Store::Exact {
            return Some(format!(
                "Where the memory had no room, the search went on elsewhere. Nothing is known about \
                 states that only the steps not followed lead to. {measured}"
            ));
        }
        Some(measured.to_owned())
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
                    Probing::Blocked => format!("{n} bits of one block of an array"),
                },
            },
            _ if store.has(Traits::USES_SIGNATURES) => {
                let bits = settings.cell_bits.clamp(4, 64);
                let what = format!("a signature of {bits} bits");
                if store == Store::Automatic {
                    format!("{what} where not all states had room")
                } else {
                    what
                }
            }
            _ => "whole states".to_owned(),
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
            store: store.choice().title.to_owned(),
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
            "The exact store: the memory suffices for the {} states that are expected, and the result \
             is a proof.",
            grouped(states)
        );
        return of(Store::Exact, text, 0.0, &|_| {});
    }
    let trusted = omission::trust(statistics.transitions(), statistics.states_stored)
        == omission::Trust::Good
        && before < states as f64 / 10.0;
    // What path or queue have taken in this run, they will take again.
    let steps = statistics.peak_stack.saturating_mul(STEP_BYTES);
    let links = if settings.search == Search::BreadthFirst { 2 * states } else { 0 };
    let beside = (steps + links).saturating_add(budget / 8);
    let share = (budget / SHARE.1 * SHARE.0).min(budget.saturating_sub(beside));
    if share < budget / 64 {
        return None;
    }
    let (advice, expected) = omission::advise(share, states, trusted);
    if expected > before * 0.9 {
        return None;
    }
    match advice {
        omission::Advice::Bitstate { hashes } => {
            let place = match settings.probing {
                Probing::Triple | Probing::Independent => "",
                _ => ", placed by triple hashing",
            };
            let text = format!(
                "Bitstate with {hashes} bits a state{place}, the best number for about {} states in \
                 this memory.",
                grouped(states)
            );
            of(Store::Bitstate, text, expected, &|settings| {
                settings.hashes = hashes;
                // The number is for places that are as good as independent.
                if settings.probing != Probing::Independent {
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
