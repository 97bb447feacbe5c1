//! Whether a run is reduced, when, and why.

use crate::property::Goal;
use crate::report::counted;
use promenade_interp::Interpreter;
use promenade_ir::Model;
use promenade_protocol::options::{Names, OptionId, Part, Titles, Values, Workers, legality};
use promenade_protocol::{Emptiness, Proviso, Reduction, Search, Settings, Traits, grouped};
use promenade_reduction::{CycleProviso, Preserve, Selector};
use promenade_transition_system::{Selection, Successors, TransitionSystem};
use std::rc::Rc;

/// State spaces up to so many states are visited whole, unless a reduction is asked for: their
/// numbers are those of the text, and a reduction would save no time that anybody notices.
pub(crate) const LEAST_STATES: u64 = 10_000;

/// A reduction that leaves out less than one step in so many is not worth its trouble.
const LEAST_PART: usize = 25;
/// One state in so many is looked at to find out, and so many have to be.
const ONE_IN: usize = 8;
const LEAST_SAMPLE: usize = 100;

/// A reduction that begins once [`LEAST_STATES`] have been visited without.
#[derive(Clone, Debug)]
pub(crate) struct Later {
    /// What it keeps.
    pub goal: promenade_reduction::Goal,
    /// The sentence on it, from then on.
    pub note: String,
}

/// What becomes of the reduction.
pub(crate) struct Choice {
    pub now: Option<promenade_reduction::Goal>,
    pub later: Option<Later>,
    /// A sentence on how it begins.
    pub note: String,
    /// What was asked for and could not be done: a sentence, and the reason alone.
    pub refused: Option<String>,
    pub why: Option<String>,
}

/// What a reduction would have left out of a search without it, if that is not worth while: a
/// sentence on that. The condition on cycles is taken to be met.
pub(crate) fn not_worth(
    later: &Later,
    search: &dyn promenade_search::Search,
    system: &mut Interpreter,
) -> Option<String> {
    let mut selector = Selector::new(system.model().clone(), &later.goal);
    let (mut all, mut some) = (Successors::default(), Successors::default());
    let (mut at, mut looked, mut steps, mut taken) = (0, 0, 0, 0);
    search.states(&mut |state| {
        if at % ONE_IN == 0 {
            system.expand(state, Selection::All, &mut all);
            selector.expand(system, state, &mut some, &mut |_| true);
            looked += 1;
            steps += all.items.len();
            taken += some.items.len();
        }
        at += 1;
        !(all.incomplete || some.incomplete)
    });
    let left_out = steps.saturating_sub(taken);
    if looked < LEAST_SAMPLE || left_out * LEAST_PART >= steps {
        return None;
    }
    Some(format!(
        "None: of {} from {} that were looked at, ample sets would have left out {}.",
        counted(steps as u64, "step", "steps"),
        counted(looked as u64, "state", "states"),
        grouped(left_out as u64)
    ))
}

/// Chooses.
pub(crate) fn choose(settings: &Settings, model: &Rc<Model>, goal: &Goal) -> Choice {
    let none = |note: String| Choice { now: None, later: None, note, refused: None, why: None };
    let ample = |reduction: &promenade_reduction::Goal| {
        format!(
            "where the steps of one process suffice, those of the others are left out. The \
             verdict is the same; there are fewer states. {}",
            cycles_note(settings, model, goal, reduction)
        )
    };
    let planned = match settings.reduction {
        Reduction::None => return none("None: every state is visited.".to_owned()),
        Reduction::Automatic => match undesired(settings, goal) {
            Some(why) => Err(why.to_owned()),
            None => plan(settings, model, goal),
        },
        Reduction::AmpleSets => plan(settings, model, goal),
    };
    match (planned, settings.reduction) {
        (Ok(reduction), Reduction::Automatic) if !settings.store.has(Traits::TAKES_ALL) => {
            let least = grouped(LEAST_STATES);
            let note = format!(
                "Begun anew with ample sets, as there are more than {least} states; the numbers are \
                 those of the new search, but for time, pace and memory in all. With ample sets, {}",
                ample(&reduction)
            );
            let now = format!(
                "None up to {least} states: they are visited whole, larger state spaces with ample \
                 sets."
            );
            Choice { later: Some(Later { goal: reduction, note }), ..none(now) }
        }
        (Ok(reduction), _) => {
            let note = format!("Ample sets: {}", ample(&reduction));
            Choice { now: Some(reduction), ..none(note) }
        }
        (Err(why), Reduction::AmpleSets) => Choice {
            refused: Some(format!("No reduction was made, although asked for: {why}.")),
            why: Some(why.clone()),
            ..none(format!("None, although asked for: {why}."))
        },
        (Err(why), _) => none(format!("None: {why}.")),
    }
}

/// Why nobody would want a reduction that was not asked for.
fn undesired(settings: &Settings, goal: &Goal) -> Option<&'static str> {
    // Infinite runs are looked for in another order.
    if settings.search == Search::BreadthFirst && !goal.infinite {
        return Some("every state is visited, so that the run that is found is a shortest one");
    }
    if settings.state_limit.is_some_and(|most| u64::from(most) <= LEAST_STATES) {
        return Some("every state is visited, as there may be only a few");
    }
    if settings.all_errors || settings.stop_at.is_some_and(|most| most != 1) {
        return Some("every state is visited, as more than the first error is wanted");
    }
    None
}

/// What the reduction has to keep. An error says why there can be none.
pub(crate) fn plan(
    settings: &Settings,
    model: &Rc<Model>,
    goal: &Goal,
) -> Result<promenade_reduction::Goal, String> {
    let values = Values { settings, subject: goal.subject(), workers: Workers::One };
    if let Some(refusal) = legality::no_reduction(&values) {
        let off = Part::Value(OptionId::Reduction, Reduction::None.link());
        if refusal.ways.first() == Some(&off) {
            return Err(refusal.why.to_owned());
        }
        let ways = refusal.ways.iter().map(|way| Titles.name(*way)).collect();
        return Err(format!("{}: choose {}", refusal.why, legality::or(ways)));
    }
    let sticky = breaks_loops(settings, goal);
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
        Some(reason) => Err(reason.text(model, selector.facts())),
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
/// queue.
///
/// On the stack of a search for finite runs, both conditions leave out the same on average. The one on
/// the queue leaves out less, above all with stores that do not tell which states still wait, and so
/// does that on unfinished components.
fn breaks_loops(settings: &Settings, goal: &Goal) -> bool {
    match settings.proviso {
        Proviso::Static => true,
        Proviso::Dynamic => false,
        Proviso::Automatic => goal.infinite || settings.search == Search::BreadthFirst,
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
