//! The store and the reduction of a run: which are legal, why, and how they are made.

use crate::catalog::store as entry;
use crate::property::Goal;
use crate::reducing::{self, Later};
use crate::report::counted;
use crate::sources::of_settings;
use promenade_analysis::reset_dead;
use promenade_interp::{Cutter, Interpreter, RunOptions};
use promenade_ir::Model;
use promenade_protocol::{
    Advice, Confidence, DeadVariables, DiagnosticData, Experiment, Probing, Property, Proviso,
    Reduction, Report, Search, Settings, Store, grouped,
};
use promenade_reduction::{Preserve, Selector, coarsen};
use promenade_search::{ChosenStore, Parts, Statistics};
use promenade_store::collapse::{Cut, Part};
use promenade_store::delta::Stepper;
use promenade_store::{
    Approximation, Automatic, Automaton, Bitstate, Caching, Collapse, Delta, Guarantee, Signatures,
    VisitedSet, bitstate, caching, hash_compact, omission,
};
use promenade_transition_system::{Reducer, Successors, TransitionSystem, unpack};
use std::rc::Rc;

/// Of the memory, what a set that takes all at once may have: the rest is for the path or the
/// queue. The array of bits gives some of that back where they need more.
const SHARE: (u64, u64) = (3, 4);
/// What a step of the path or a state of the queue takes beside a lossy store, about.
const STEP_BYTES: u64 = 12;
/// Of the memory, what the first table of signatures takes. Further ones take what nothing else needs.
const FIRST_TABLE: (u64, u64) = (1, 4);

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
    let reducing = reducing::choose(settings, model, goal);
    refused.extend(reducing.refused);
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
    })
}

fn store(settings: &Settings, goal: &Goal) -> Result<(Store, &'static str), Box<DiagnosticData>> {
    let wanted = settings.store;
    if goal.infinite && wanted != Store::Exact {
        if wanted == Store::Automatic {
            let why = " Searches for infinite runs have to find states again, so the automatic \
                       store stays exact.";
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

/// Whether a store takes all its memory when it is made.
pub(crate) fn at_once(store: Store) -> bool {
    matches!(store, Store::Caching | Store::HashCompact | Store::Bitstate)
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
        reduction: match experiment.settings.reduction {
            Reduction::AmpleSets if experiment.settings.proviso != Proviso::Dynamic => {
                Reduction::AmpleSets
            }
            _ => Reduction::None,
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
        Probing::Blocked => bitstate::Probing::Blocked,
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
    /// Whether there is a reduction, or is to be one later.
    pub(crate) fn is_reduced(&self) -> bool {
        self.reduction.is_some() || self.later.is_some()
    }

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
            Store::HashCompact => {
                Some((Box::new(Signatures::new(budget, compact, FIRST_TABLE)), all))
            }
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
