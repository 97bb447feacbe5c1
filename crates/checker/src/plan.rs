//! Decides how an experiment is checked, with a sentence for each choice.

use crate::catalog::{self, Chosen};
use crate::engine::{self, Engine};
use crate::property::{Goal, claim_name};
use crate::reducing::{self, LEAST_STATES};
use crate::report::counted;
use crate::sources::general;
use promenade_analysis::promises_are_kept;
use promenade_base::{CancelToken, Limits};
use promenade_interp::{Interpreter, MOST_EXPANSION_BYTES, RunOptions};
use promenade_ir::Model;
use promenade_protocol::options::{Values, Workers, idle};
use promenade_protocol::{
    DeadVariables, DiagnosticData, Emptiness, Experiment, Fairness, PlanNote, Proviso, Reduction,
};
use promenade_search::{Search, Setup};
use std::rc::Rc;

/// The most that a run may use where addresses have 32 bits: beside it there are the program, the
/// model and the counterexample, and the browser gives 4 GiB at most.
const NARROW_HOST_MIB: u64 = 3072;
/// Below this no search can begin.
const LEAST_MIB: u64 = 1;
/// The expansion of one state may take one part in so many of the memory.
const EXPANSION_SHARE: u64 = 16;
/// Violations with a trace.
const MOST_KEPT: u32 = 1000;

/// Topics of notes that change.
const REDUCTION: &str = "reduction";
const SEARCH: &str = "search";

/// How a run is done.
pub(crate) struct Plan {
    /// What is looked for.
    pub goal: Goal,
    /// Limits and cancellation of the search.
    pub setup: Setup,
    /// Id of the search.
    pub search: &'static str,
    /// It takes more than 64 acceptance sets.
    pub more_marks: bool,
    /// Its store and its reduction.
    pub engine: Engine,
    /// Promises of exclusive use are watched.
    pub check_promises: bool,
    /// How many searchers share the states.
    pub searchers: u32,
    /// Choices with reasons, for the user.
    pub notes: Vec<PlanNote>,
    /// What the verdict is restricted by, one sentence each.
    pub restrictions: Vec<String>,
}

impl Plan {
    /// How the model is executed.
    pub(crate) fn run_options(&self, experiment: &Experiment) -> RunOptions {
        let settings = &experiment.settings;
        RunOptions {
            claim: self.goal.claim,
            acceptance: self.goal.infinite,
            stutter: !self.goal.progress,
            weak_fairness: self.goal.infinite && settings.fairness == Fairness::Weak,
            more_marks: self.more_marks,
            most_marks: 64,
            check_promises: self.check_promises,
            check_assertions: settings.assertions,
            end_states: settings.end_states,
            empty_channels_at_end: settings.empty_channels_at_end,
            expansion_bytes: usize::try_from(self.setup.limits.expansion_bytes)
                .unwrap_or(usize::MAX),
            cancel: Some(self.setup.cancel.clone()),
            interrupt: None,
        }
    }
}

impl Plan {
    /// What the search may do before a reduction begins, if one is to begin later.
    pub(crate) fn first_setup(&self) -> Setup {
        let mut setup = self.setup.clone();
        if self.engine.later.is_some() {
            setup.limits.states = Some(LEAST_STATES);
        }
        setup
    }

    /// The search has come to where a reduction was to begin. From now on with it, unless it is not
    /// worth while; `false` if none was to begin.
    pub(crate) fn reduce(&mut self, search: &dyn Search, system: &mut Interpreter) -> bool {
        let Some(later) = self.engine.later.take() else { return false };
        let text = match reducing::not_worth(&later, search, system) {
            Some(why) => why,
            None => {
                self.engine.reduction = Some(later.goal);
                later.note
            }
        };
        self.say_of_reduction(&text);
        true
    }

    /// Adds a sentence to the note on the search.
    pub(crate) fn add_to_search(&mut self, text: &str) {
        if let Some(note) = self.notes.iter_mut().find(|note| note.topic == SEARCH) {
            note.text.push_str(text);
        }
    }

    /// Replaces the note on the reduction.
    pub(crate) fn say_of_reduction(&mut self, text: &str) {
        for note in self.notes.iter_mut().filter(|note| note.topic == REDUCTION) {
            text.clone_into(&mut note.text);
        }
    }

    /// Says which variables are no part of a state.
    pub(crate) fn leaving_out(mut self, sentences: Vec<String>) -> Self {
        if !sentences.is_empty() {
            self.notes.push(note("write-only variables", sentences.join(" ")));
            self.restrictions.extend(sentences);
        }
        self
    }

    /// One of so many checkers that share the memory and the states.
    pub(crate) fn share(&mut self, of: u32) {
        let limits = &mut self.setup.limits;
        limits.memory_bytes /= u64::from(of);
        self.searchers = of;
        let text = format!("{of} searchers share the states: each stores and expands its part.");
        self.notes.push(note("searchers", text));
    }
}

/// Plans a run; an error is a choice of the user that does not fit the model.
pub(crate) fn plan(
    experiment: &Experiment,
    model: &Rc<Model>,
    goal: Goal,
) -> Result<Plan, Box<DiagnosticData>> {
    let (limits, memory_note) = limits(experiment);
    let choice = engine::choose(experiment, model, &goal)?;
    let (search, why) = search(experiment, model, &goal, choice.engine.is_reduced())?;
    let mut notes = vec![
        note("property", property_note(&goal, model, experiment.settings.fairness)),
        note(SEARCH, format!("{}. {}{why}", search.choice.title, search.choice.doc)),
        note("store", choice.store_note),
        PlanNote { refused: choice.reduction_refused, ..note(REDUCTION, choice.reduction_note) },
    ];
    if let Some(text) = choice.merging_note {
        notes.push(note("merging", text));
    }
    if let Some(text) = choice.dead_note {
        notes.push(note("dead variables", text));
    }
    if let Some(text) = &memory_note {
        notes.push(note("memory", text.clone()));
    }
    let settings = &experiment.settings;
    let mut restrictions = restrictions(experiment, model, &goal);
    restrictions.extend(choice.refused);
    restrictions.extend(memory_note);
    let doubtful = !goal.infinite && !promises_are_kept(model);
    let check_promises = doubtful && settings.reduction != Reduction::None;
    if doubtful && !check_promises {
        restrictions.push(
            "The promises `xr` and `xs` were not checked, as in SPIN without reduction.".to_owned(),
        );
    }
    let store = choice.engine.store;
    let setup = Setup { limits, cancel: CancelToken::default(), shuffle: settings.shuffle, store };
    Ok(Plan {
        goal,
        setup,
        search: search.entry.id,
        more_marks: search.entry.more_marks,
        engine: choice.engine,
        check_promises,
        searchers: 1,
        notes,
        restrictions,
    })
}

fn note(topic: &str, text: String) -> PlanNote {
    PlanNote { topic: topic.to_owned(), text, refused: None }
}

/// The search for a goal, and a sentence why.
fn search(
    experiment: &Experiment,
    model: &Model,
    goal: &Goal,
    reduced: bool,
) -> Result<(Chosen, String), Box<DiagnosticData>> {
    let settings = &experiment.settings;
    if !goal.infinite {
        let missing = || Box::new(general("no-search", "there is no such search"));
        return Ok((catalog::search(settings.search).ok_or_else(missing)?, String::new()));
    }
    let fair = settings.fairness == Fairness::Weak;
    let several = fair || goal.sets > 1;
    let (emptiness, why) = match settings.emptiness {
        Emptiness::Automatic if fair => {
            (Emptiness::Couvreur, " Chosen because fairness needs several acceptance sets.")
        }
        Emptiness::Automatic if several => {
            (Emptiness::Couvreur, " Chosen because the automaton has several acceptance sets.")
        }
        Emptiness::Automatic if reduced && settings.proviso == Proviso::Dynamic => {
            let why = " Chosen because it goes with a condition on the search's own path.";
            (Emptiness::Couvreur, why)
        }
        Emptiness::Automatic => {
            (Emptiness::NestedDfs, " Chosen because one acceptance set needs no more.")
        }
        chosen => (chosen, ""),
    };
    let missing = || Box::new(general("no-search", "there is no search for infinite runs"));
    let chosen = catalog::emptiness(emptiness).ok_or_else(missing)?;
    if !fair || chosen.entry.more_marks {
        return Ok((chosen, why.to_owned()));
    }
    let room = 64usize.saturating_sub(goal.sets as usize);
    let processes = model.initial_processes.len();
    if processes <= room {
        let why = format!(
            "{why} With fairness, it ends at a state of more than {room} processes: each needs an \
             acceptance set."
        );
        return Ok((chosen, why));
    }
    let why = format!(
        " Chosen because each of the {processes} processes needs an acceptance set for fairness: \
         {} takes 64 sets.",
        chosen.choice.title.to_lowercase()
    );
    Ok((catalog::emptiness(Emptiness::Couvreur).ok_or_else(missing)?, why))
}

fn limits(experiment: &Experiment) -> (Limits, Option<String>) {
    let settings = &experiment.settings;
    let asked = u64::from(settings.memory_mib);
    let most = if cfg!(target_pointer_width = "32") { NARROW_HOST_MIB } else { u64::MAX };
    let mib = asked.clamp(LEAST_MIB, most);
    let note = if mib < asked {
        Some(format!("The memory limit is {mib} MiB instead of {asked}: a page cannot have more."))
    } else if mib > asked {
        Some(format!("The memory limit is {mib} MiB: nothing can be stored with less."))
    } else {
        None
    };
    let violations = match settings.stop_at {
        Some(0) => None,
        Some(n) => Some(u64::from(n)),
        None if settings.all_errors => None,
        None => Some(1),
    };
    let limits = Limits {
        memory_bytes: mib << 20,
        expansion_bytes: ((mib << 20) / EXPANSION_SHARE).min(MOST_EXPANSION_BYTES as u64),
        states: settings.state_limit.map(u64::from),
        depth: settings.depth_limit.map(u64::from),
        violations,
        kept_violations: settings.keep_violations.clamp(1, MOST_KEPT) as usize,
        ..Limits::default()
    };
    (limits, note)
}

fn property_note(goal: &Goal, model: &Model, fairness: Fairness) -> String {
    let trace = if model.trace.is_some() { ", trace assertion" } else { "" };
    if goal.infinite {
        let mut text = goal.holds_under(fairness);
        if let Some(first) = text.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        let automaton = goal.automaton.as_ref().map_or_else(String::new, |automaton| {
            format!(
                " Its negation is an automaton with {} and {}.",
                counted(automaton.states.len() as u64, "state", "states"),
                counted(automaton.edge_count() as u64, "edge", "edges")
            )
        });
        return format!(
            "{text}.{automaton} Assertions and run-time errors{trace} are reported if they are met."
        );
    }
    let safety = format!("Safety: assertions, invalid end states, run-time errors{trace}");
    match goal.claim {
        None => format!("{safety}."),
        Some(claim) => format!("{safety}, with {} moving along.", claim_name(model, claim)),
    }
}

/// What the verdict does not speak about.
fn restrictions(experiment: &Experiment, model: &Model, goal: &Goal) -> Vec<String> {
    let settings = &experiment.settings;
    let mut notes = Vec::new();
    let mut say = |text: &str| notes.push(text.to_owned());
    let defines = settings.defines.iter().map(|it| match &it.value {
        Some(value) => format!("`{}` is `{value}`", it.name),
        None => format!("`{}` is defined", it.name),
    });
    if let [others @ .., last] = defines.collect::<Vec<_>>().as_slice() {
        let list = if others.is_empty() { "" } else { " and " };
        say(&format!("As the options define: {}{list}{last}.", others.join(", ")));
    }
    if !settings.assertions {
        say("Assertions were not checked, as asked.");
    }
    // Along a claim of infinite runs, a run that ends goes on in its last state.
    let ends = !(goal.infinite && goal.claim.is_some());
    match (settings.end_states, settings.empty_channels_at_end) {
        (true, false) => {}
        _ if !ends => {
            say("Options on end states have no effect: this property is about infinite runs.")
        }
        (true, true) => say("An end state is valid only if all channels are empty, as asked."),
        (false, false) => say("Invalid end states were not reported, as asked."),
        (false, true) => say(
            "Invalid end states were not reported, as asked: that they need empty channels has no \
             effect.",
        ),
    }
    if settings.lose_messages {
        say("Messages sent to full channels are lost, as asked.");
    }
    if settings.dead_variables == DeadVariables::Reset {
        say(
            "Dead variables were reset, as asked: the numbers of states and transitions are not those \
             of the text as it stands.",
        );
    }
    if settings.inner_unless_first {
        say("Inner `unless` escapes win over outer ones, as asked.");
    }
    // Claims and formulas that are part of the text; one made from the property stands behind them.
    let made = usize::from(goal.generated());
    let claims = model.claims.len() - made;
    let taken = goal.claim.filter(|_| made == 0);
    match goal.constant {
        Some(true) => {
            say("The formula holds in every run of every model: it says nothing about this one.")
        }
        Some(false) => say("No run of any model satisfies the formula."),
        None => {}
    }
    if goal.infinite {
        if settings.fairness == Fairness::Weak {
            say(
                "Only weakly fair runs were looked at, as asked: a process that can always move from \
                 some point on moves again and again.",
            );
        }
        if goal.progress {
            say(
                "Runs that come to an end were not looked at: only infinite ones can lack progress.",
            );
        } else {
            say("Runs that come to an end were taken as staying in their last state for ever.");
        }
        if goal.unlabelled {
            say("There is no accept label in the text, so no run can be accepted.");
        }
        if goal.claim.is_some() {
            say(
                "Only runs along which the property can still be violated were explored: check safety \
                 for assertions, run-time errors and invalid end states.",
            );
        }
    }
    let values = Values { settings, subject: goal.subject(), workers: Workers::One };
    for idle in idle(&values) {
        say(idle.note);
    }
    match taken {
        Some(claim) => {
            if !goal.infinite {
                let name = claim_name(model, claim);
                say(&format!(
                    "Only runs that {name} can follow were explored. Whether it accepts an infinite \
                     run was not checked: that is the property `acceptance`."
                ));
            }
            if claims > 1 {
                say("The other never claims in the text were left out.");
            }
        }
        None if claims == 1 => say("The never claim in the text was left out."),
        None if claims > 1 => say("The never claims in the text were left out."),
        None => {}
    }
    let others: Vec<String> = model
        .formulas
        .iter()
        .filter(|formula| goal.formula.as_ref() != Some(&formula.text))
        .map(|formula| format!("`{}`", formula.name))
        .collect();
    match others.as_slice() {
        [] => {}
        [one] => say(&format!("The formula {one} was not checked: it is a property of its own.")),
        several => say(&format!(
            "The formulas {} were not checked: each is a property of its own.",
            several.join(", ")
        )),
    }
    let labelled = |accept: bool| {
        let has = |l: &promenade_ir::Location| if accept { l.accept } else { l.progress };
        model.proctypes.iter().any(|p| p.graph.locations.iter().any(has))
    };
    if labelled(false) && !goal.progress {
        say("Progress labels were not used: that is the property `progress`.");
    }
    if labelled(true) && (!goal.infinite || goal.generated()) {
        say("Accept labels were not used: that is the property `acceptance`.");
    }
    notes
}
