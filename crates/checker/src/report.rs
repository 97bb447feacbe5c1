//! The verdict in plain words, and the report around it.

use crate::edges::{Edges, Owner, owner};
use crate::plan::Plan;
use crate::property::Goal;
use crate::sources::Sources;
use promenade_ir::Model;
use promenade_protocol::swarm;
use promenade_protocol::{
    Confidence, DiagnosticData, Experiment, Found, Report, Search, Settings, SpanData, Statistics,
    StoppedBy, Unreached, VERSION, Verdict, grouped,
};
use promenade_search::{Outcome, StopReason};
use std::collections::BTreeMap;

/// A report without results.
pub(crate) fn empty(experiment: &Experiment, verdict: Verdict, summary: &str) -> Report {
    let stopped_by = match &verdict {
        Verdict::NoViolationFound { why } => Some(*why),
        _ => None,
    };
    Report {
        version: VERSION.to_owned(),
        experiment: experiment.clone(),
        verdict,
        summary: summary.to_owned(),
        vacuity: None,
        notes: Vec::new(),
        violations: Vec::new(),
        statistics: Statistics::default(),
        unreached: Vec::new(),
        automaton: None,
        confidence: None,
        layout: Vec::new(),
        stopped_by,
        diagnostics: Vec::new(),
    }
}

/// The report on a run that was cancelled before it began.
pub fn cancelled(experiment: &Experiment) -> Report {
    let verdict = Verdict::NoViolationFound { why: StoppedBy::Cancelled };
    empty(experiment, verdict, "Nothing was explored: the run was cancelled before it began.")
}

/// The report on a run that ended while its formula was translated.
pub(crate) fn untranslated(experiment: &Experiment, why: StoppedBy) -> Report {
    let limit = experiment.settings.memory_mib;
    let reason = match why {
        StoppedBy::Time => "the time limit was reached while the formula was being translated",
        StoppedBy::Memory => &format!(
            "the automaton of the formula takes more than its share of the {limit} MiB memory limit"
        ),
        _ => "the run was cancelled while the formula was being translated",
    };
    let verdict = Verdict::NoViolationFound { why };
    empty(experiment, verdict, &format!("Nothing was explored: {reason}."))
}

/// What is reported instead if it was the time limit that ended a run before it began.
pub fn out_of_time(report: Box<Report>) -> Box<Report> {
    match report.stopped_by {
        Some(StoppedBy::Cancelled) => Box::new(untranslated(&report.experiment, StoppedBy::Time)),
        _ => report,
    }
}

/// The report on a run that came to no end.
pub fn lost(experiment: &Experiment) -> Report {
    let message = "the run ended without a report".to_owned();
    let summary = "The checker made a mistake: the run ended without a report.";
    empty(experiment, Verdict::InternalError { message }, summary)
}

/// The report on a text that cannot be checked.
pub(crate) fn input_error(experiment: &Experiment, diagnostics: Vec<DiagnosticData>) -> Report {
    let errors = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.level == promenade_protocol::Level::Error)
        .count();
    let is_error = |it: &&DiagnosticData| it.level == promenade_protocol::Level::Error;
    let first = diagnostics.iter().find(is_error);
    let in_file = diagnostics.iter().filter(is_error).any(|it| it.span.is_in_file());
    let summary = match (first, errors) {
        (Some(error), _) if !in_file => match error.span.file {
            SpanData::PROPERTY if error.span.end > 0 => {
                "The formula cannot be checked: there is an error in it.".to_owned()
            }
            // It is about a choice, and says itself what is wrong with it.
            _ => sentence(&error.message),
        },
        (_, 0) => "The text cannot be checked.".to_owned(),
        (_, 1) => "The text cannot be checked: there is an error in it.".to_owned(),
        (_, n) => format!("The text cannot be checked: there are {n} errors in it."),
    };
    Report { diagnostics, ..empty(experiment, Verdict::InputError, &summary) }
}

/// A message as a sentence: a capital and a full stop.
fn sentence(message: &str) -> String {
    let mut characters = message.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    let mut text: String = first.chain(characters).collect();
    if !text.ends_with('.') {
        text.push('.');
    }
    text
}

/// `1 state`, `2 states`.
pub(crate) fn counted(n: u64, one: &str, several: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{} {several}", grouped(n)) }
}

pub(crate) fn stopped_by(reason: StopReason) -> StoppedBy {
    match reason {
        StopReason::Memory => StoppedBy::Memory,
        StopReason::States => StoppedBy::States,
        StopReason::Depth => StoppedBy::Depth,
        StopReason::Time => StoppedBy::Time,
        StopReason::Cancelled => StoppedBy::Cancelled,
        StopReason::Successors => StoppedBy::Successors,
    }
}

/// What a search left out for want of memory, as the end of a sentence.
fn not_followed(settings: &Settings, plan: &Plan, of: &promenade_search::Statistics) -> String {
    let steps = counted(of.not_followed, "step to a new state was", "steps to new states were");
    let mib = plan.setup.limits.memory_bytes >> 20;
    let depth = grouped(of.not_followed_depth);
    match settings.search {
        Search::BreadthFirst => format!(
            "{steps} not followed, at distance {depth} or more, as the memory limit of {mib} MiB has \
             no room for a longer queue"
        ),
        Search::DepthFirst => format!(
            "not searched below depth {depth}: {steps} not followed, as the memory limit of {mib} MiB \
             has no room for longer paths"
        ),
    }
}

/// Why a run is partial, as the end of a sentence.
fn because(
    why: StoppedBy,
    experiment: &Experiment,
    plan: &Plan,
    statistics: &promenade_search::Statistics,
) -> String {
    let settings = &experiment.settings;
    let budget = plan.setup.limits.memory_bytes.saturating_mul(u64::from(plan.searchers));
    let limit = |limit: Option<u32>| grouped(u64::from(limit.unwrap_or(0)));
    match why {
        StoppedBy::Memory if statistics.not_followed > 0 => {
            not_followed(settings, plan, statistics)
        }
        StoppedBy::Memory => swarm::memory_used_up(budget >> 20),
        StoppedBy::States => {
            let states = u64::from(settings.state_limit.unwrap_or(0));
            let limit = format!("the limit of {}", counted(states, "state", "states"));
            if plan.searchers > 1 {
                format!(
                    "{limit} was passed within a level of the search, which several searchers finish"
                )
            } else {
                format!("{limit} was reached")
            }
        }
        StoppedBy::Depth => {
            format!("runs of more than {} steps were cut off", limit(settings.depth_limit))
        }
        StoppedBy::Time => {
            let seconds = u64::from(settings.time_limit_seconds.unwrap_or(0));
            format!("the time limit of {} was reached", counted(seconds, "second", "seconds"))
        }
        StoppedBy::Cancelled => "the run was cancelled".to_owned(),
        StoppedBy::Fatal => "nothing can be said beyond the last error".to_owned(),
        StoppedBy::Omissions => "some states may have been missed".to_owned(),
        StoppedBy::Successors => "the steps from some state are too many to follow, or take too \
                                  much memory (a very long `atomic` or `d_step` sequence), or an \
                                  infinite run may stay inside an `atomic` sequence"
            .to_owned(),
    }
}

/// What a complete run proves.
fn proved(
    experiment: &Experiment,
    plan: &Plan,
    statistics: &promenade_search::Statistics,
    replaced: u64,
) -> String {
    let goal = &plan.goal;
    let settings = &experiment.settings;
    let mut parts = Vec::new();
    let holds = goal.holds_under(settings.fairness);
    if goal.infinite {
        parts.push(holds.as_str());
    }
    // Along a claim not every state of the model is seen.
    let whole = !(goal.infinite && goal.claim.is_some());
    if settings.assertions && whole {
        parts.push("no assertion fails");
    }
    if settings.end_states && goal.claim.is_none() {
        parts.push("no process gets stuck in an invalid end state");
    }
    if whole {
        parts.push("no run-time error happens");
    }
    if goal.claim.is_some() && !goal.infinite {
        parts.push("the never claim cannot be followed to its end");
    }
    let last = parts.pop().unwrap_or_default();
    let what =
        if parts.is_empty() { last.to_owned() } else { format!("{} and {last}", parts.join(", ")) };
    let decided = goal.formula.is_some() && statistics.transitions() == 0;
    let reached = match statistics.states_stored {
        _ if decided => {
            return format!(
                "Holds: decided in the initial state, no other one was explored; {what}."
            );
        }
        _ if replaced > 0 => "all reachable states were".to_owned(),
        n if plan.engine.reduction.is_some() || plan.engine.coarse.is_some() => {
            format!("{}, which stand for all reachable ones, were", counted(n, "state", "states"))
        }
        1 if goal.formula.is_some() => {
            "the only reachable state of model and automaton was".to_owned()
        }
        1 => "the only reachable state was".to_owned(),
        n if goal.formula.is_some() => {
            format!("all {} reachable states of model and automaton were", grouped(n))
        }
        n => format!("all {} reachable states were", grouped(n)),
    };
    format!("Holds: {reached} explored; {what}.")
}

/// A part as a percentage with as many digits as tell it from 0 and 100.
pub(crate) fn percent(part: f64) -> String {
    let percent = part * 100.0;
    let distance = percent.min(100.0 - percent);
    if distance <= 0.0 {
        return format!("{percent:.0} %");
    }
    if distance < 1e-6 {
        let near = if percent < 50.0 { "less than 0.000001 %" } else { "more than 99.999999 %" };
        return near.to_owned();
    }
    let digits = (1.0 - distance.log10().floor()).clamp(0.0, 8.0) as usize;
    format!("{percent:.digits$} %")
}

/// What a store may have missed, in a sentence.
fn missed(confidence: &Confidence) -> String {
    let kept = format!("The store keeps {}, so this is no proof", confidence.kept_as);
    match confidence.expected_omissions {
        None => format!("{kept}: every bit is set, and most states may have been missed."),
        Some(_) => format!(
            "{kept}: the probability that a collision hid a state is {}. Of the states that the \
             search came to, {} are expected not to have been missed; that is no share of all \
             reachable states.",
            percent(confidence.any_omission),
            percent(confidence.coverage)
        ),
    }
}

/// The verdict and its summary.
pub(crate) fn conclude(
    experiment: &Experiment,
    plan: &Plan,
    outcome: Outcome,
    statistics: &promenade_search::Statistics,
    found: &[Found],
    confidence: Option<&Confidence>,
) -> (Verdict, String) {
    let states = counted(statistics.states_stored, "state", "states");
    if let Some(first) = found.first() {
        let mut summary = format!("Violated: {}.", first.message);
        let more = match outcome {
            Outcome::Exhausted => format!(
                " {} in all {states}.",
                counted(statistics.errors, "violation was found", "violations were found")
            ),
            Outcome::Stopped(reason) => format!(
                " {} in the {states} explored, but not everything was explored: {}.",
                counted(statistics.errors, "violation was found", "violations were found"),
                because(stopped_by(reason), experiment, plan, statistics)
            ),
            Outcome::ViolationLimit if statistics.errors > 1 => format!(
                " The search stopped after {} violations, as asked.",
                grouped(statistics.errors)
            ),
            Outcome::ViolationLimit => format!(" Found after {states}."),
            Outcome::Fatal if statistics.errors > 1 => format!(
                " {} violations were found in the {states} explored, but not everything was \
                 explored: {}.",
                grouped(statistics.errors),
                because(StoppedBy::Fatal, experiment, plan, statistics)
            ),
            Outcome::Fatal => format!(" Found after {states}; nothing can be said beyond it."),
        };
        summary.push_str(&more);
        if plan.goal.infinite && !found.iter().any(Found::is_of_infinite_runs) {
            summary.push_str(" The property itself is not decided by that.");
        }
        return (Verdict::Violated, summary);
    }
    match outcome {
        Outcome::Stopped(reason) => {
            let why = stopped_by(reason);
            let because = because(why, experiment, plan, statistics);
            let summary = format!(
                "No violation found in the {states} explored, but not everything was explored: \
                 {because}."
            );
            (Verdict::NoViolationFound { why }, summary)
        }
        _ if statistics.errors > 0 => {
            let message = "a violation was counted, but its run was not kept".to_owned();
            let summary = "The checker made a mistake: it lost a violation.".to_owned();
            (Verdict::InternalError { message }, summary)
        }
        _ if let Some(confidence) = confidence.filter(|c| c.any_omission > 0.0) => {
            let summary =
                format!("No violation found in the {states} explored. {}", missed(confidence));
            (Verdict::NoViolationFound { why: StoppedBy::Omissions }, summary)
        }
        _ => {
            let replaced = confidence.map_or(0, |confidence| confidence.replaced);
            let summary = proved(experiment, plan, statistics, replaced);
            (Verdict::Holds, summary)
        }
    }
}

/// Numbers of a search, as reported.
pub(crate) fn numbers(statistics: &promenade_search::Statistics) -> Statistics {
    Statistics {
        states_stored: statistics.states_stored,
        states_matched: statistics.states_matched,
        states_reduced: statistics.states_reduced,
        states_before: 0,
        transitions: statistics.transitions(),
        atomic_steps: statistics.atomic_steps,
        depth: statistics.depth,
        errors: statistics.errors,
        steps: statistics.steps(),
        peak_stack: statistics.peak_stack,
        not_followed: statistics.not_followed,
        not_followed_depth: statistics.not_followed_depth,
        state_bytes: statistics.state_bytes,
        store_bytes: statistics.store_bytes,
        stack_bytes: statistics.stack_bytes,
        memory_bytes: statistics.memory_bytes,
        seconds: 0.0,
        compile_seconds: 0.0,
    }
}

/// Statements none of whose edges was executed, in the order of process types and of the text. The
/// death of a process is no statement: processes that never end are normal.
pub(crate) fn unreached(
    model: &Model,
    edges: &Edges,
    sources: &Sources,
    goal: &Goal,
    executed: &[bool],
) -> Vec<Unreached> {
    let mut statements: BTreeMap<(usize, u32), (Owner, bool)> = BTreeMap::new();
    for (number, info) in edges.all() {
        let rank = match info.owner {
            Owner::Proctype(index) => index,
            // A claim that was made from a formula has no statements.
            Owner::Claim(index) if goal.claim == Some(index) && !goal.generated() => {
                model.proctypes.len()
            }
            Owner::Claim(_) | Owner::Trace => continue,
        };
        if info.end {
            continue;
        }
        let done = executed.get(number).copied().unwrap_or(false);
        let entry = statements.entry((rank, info.statement.0)).or_insert((info.owner, false));
        entry.1 |= done;
    }
    let mut list = Vec::new();
    for ((_, statement), (whose, done)) in statements {
        let Some(info) = model.statements.get(statement as usize) else { continue };
        if done {
            continue;
        }
        list.push(Unreached {
            process: owner(model, whose).map_or_else(String::new, |p| p.name.clone()),
            text: info.text.clone(),
            span: sources.place(info.span),
        });
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(counted(1, "state", "states"), "1 state");
        assert_eq!(counted(1_234_567, "state", "states"), "1,234,567 states");
    }
}
