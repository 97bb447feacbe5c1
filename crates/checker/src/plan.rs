//! Decides how an experiment is checked, with a sentence for each choice.

use crate::catalog;
use crate::sources::general;
use promenade_base::{CancelToken, Limits};
use promenade_interp::RunOptions;
use promenade_ir::Model;
use promenade_protocol::{DiagnosticData, Experiment, PlanNote, Property};
use promenade_search::Setup;

/// The most that a run may use where addresses have 32 bits: beside it there are the program, the
/// model and the counterexample, and the browser gives 4 GiB at most.
const NARROW_HOST_MIB: u64 = 3072;
/// Below this no search can begin.
const LEAST_MIB: u64 = 1;
/// Violations with a trace.
const MOST_KEPT: u32 = 1000;

/// How a run is done.
pub(crate) struct Plan {
    /// Index of the claim that runs along.
    pub claim: Option<usize>,
    /// Limits and cancellation of the search.
    pub setup: Setup,
    /// Id of the search.
    pub search: &'static str,
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
            claim: self.claim,
            check_assertions: settings.assertions,
            end_states: settings.end_states,
            empty_channels_at_end: settings.empty_channels_at_end,
            cancel: Some(self.setup.cancel.clone()),
        }
    }
}

/// Plans a run; an error is a choice of the user that does not fit the model.
pub(crate) fn plan(experiment: &Experiment, model: &Model) -> Result<Plan, Box<DiagnosticData>> {
    let claim = claim(&experiment.property, model).map_err(Box::new)?;
    let (limits, memory_note) = limits(experiment);
    let search = catalog::search(experiment.settings.search);
    let mut notes = vec![
        note("property", property_note(claim, model)),
        note("search", format!("{}. {}", search.title, search.doc)),
        note("store", format!("{}. {}", catalog::store().title, catalog::store().doc)),
        note("reduction", "None: every state is visited.".to_owned()),
    ];
    if let Some(text) = &memory_note {
        notes.push(note("memory", text.clone()));
    }
    let mut restrictions = restrictions(experiment, model, claim);
    restrictions.extend(memory_note);
    let setup = Setup { limits, cancel: CancelToken::default() };
    Ok(Plan { claim, setup, search: search.id, notes, restrictions })
}

fn note(topic: &str, text: String) -> PlanNote {
    PlanNote { topic: topic.to_owned(), text }
}

/// What a claim is called.
fn claim_name(model: &Model, claim: usize) -> String {
    let name = model.claims.get(claim).and_then(|claim| claim.name.as_deref());
    name.map_or_else(|| "the never claim".to_owned(), |name| format!("the never claim `{name}`"))
}

/// The claim that a property asks for.
fn claim(property: &Property, model: &Model) -> Result<Option<usize>, DiagnosticData> {
    let Property::Claim { name } = property else { return Ok(None) };
    let Some(name) = name else {
        let message = "there is no never claim in the text";
        let missing = || DiagnosticData {
            hint: Some("Write one, or check safety without a claim.".to_owned()),
            ..general("no-claim", message)
        };
        return if model.claims.is_empty() { Err(missing()) } else { Ok(Some(0)) };
    };
    let found = model.claims.iter().position(|claim| claim.name.as_ref() == Some(name));
    if found.is_some() {
        return Ok(found);
    }
    if model.formulas.iter().any(|formula| formula.name == *name) {
        let message = format!("`{name}` is a formula, and formulas cannot be checked yet");
        return Err(DiagnosticData {
            hint: Some("Check safety; the formula is then left out.".to_owned()),
            ..general("formula-as-claim", &message)
        });
    }
    let names: Vec<&str> = model.claims.iter().filter_map(|c| c.name.as_deref()).collect();
    let hint = match names.as_slice() {
        [] => "No never claim in the text has a name.".to_owned(),
        names => format!("The text has these: {}.", names.join(", ")),
    };
    let message = format!("there is no never claim `{name}`");
    Err(DiagnosticData { hint: Some(hint), ..general("no-claim", &message) })
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
        states: settings.state_limit.map(u64::from),
        depth: settings.depth_limit.map(u64::from),
        violations,
        kept_violations: settings.keep_violations.clamp(1, MOST_KEPT) as usize,
        ..Limits::default()
    };
    (limits, note)
}

fn property_note(claim: Option<usize>, model: &Model) -> String {
    let trace = if model.trace.is_some() { ", trace assertion" } else { "" };
    let safety = format!("Safety: assertions, invalid end states, run-time errors{trace}");
    match claim {
        None => format!("{safety}."),
        Some(claim) => format!("{safety}, with {} moving along.", claim_name(model, claim)),
    }
}

/// What the verdict does not speak about.
fn restrictions(experiment: &Experiment, model: &Model, claim: Option<usize>) -> Vec<String> {
    let settings = &experiment.settings;
    let mut notes = Vec::new();
    let mut say = |text: &str| notes.push(text.to_owned());
    if !settings.assertions {
        say("Assertions were not checked, as asked.");
    }
    if !settings.end_states {
        say("Invalid end states were not reported, as asked.");
    }
    if settings.empty_channels_at_end && settings.end_states {
        say("An end state is valid only if all channels are empty, as asked.");
    }
    if settings.lose_messages {
        say("Messages sent to full channels are lost, as asked.");
    }
    if settings.inner_unless_first {
        say("Inner `unless` escapes win over outer ones, as asked.");
    }
    match claim {
        Some(claim) => {
            let name = claim_name(model, claim);
            say(&format!(
                "Only runs that {name} can follow were explored. Whether it accepts an infinite \
                 run (acceptance cycles) was not checked."
            ));
            if model.claims.len() > 1 {
                say("The other never claims in the text were left out.");
            }
        }
        None if model.claims.len() == 1 => say("The never claim in the text was left out."),
        None if !model.claims.is_empty() => say("The never claims in the text were left out."),
        None => {}
    }
    match model.formulas.as_slice() {
        [] => {}
        [one] => say(&format!(
            "The formula `{}` was not checked: this version reads ltl formulas and keeps them, but \
             checks safety only.",
            one.name
        )),
        several => {
            let names: Vec<String> = several.iter().map(|f| format!("`{}`", f.name)).collect();
            say(&format!(
                "The formulas {} were not checked: this version reads ltl formulas and keeps them, \
                 but checks safety only.",
                names.join(", ")
            ));
        }
    }
    if model.proctypes.iter().any(|p| p.graph.locations.iter().any(|l| l.progress)) {
        say("Progress labels were not used: non-progress cycles are not looked for.");
    }
    if claim.is_none() && model.proctypes.iter().any(|p| p.graph.locations.iter().any(|l| l.accept))
    {
        say("Accept labels were not used: acceptance cycles are not looked for.");
    }
    notes
}
