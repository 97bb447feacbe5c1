//! From a report to the outcome of a check.

use super::Wanted;
use promenade_protocol::link::{self, Link, Trail};
use promenade_protocol::{
    CheckGrade, CheckStatus, DiagnosticData, Experiment, Found, Level, Report, SpanData, StoppedBy,
    VERSION, Verdict, grouped,
};
use std::collections::BTreeSet;

/// Characters of a link in a grade; a longer counterexample goes without one.
const LINK_CHARACTERS: usize = 100_000;

/// What a check has to come out as.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Expect {
    /// The property holds.
    Holds,
    /// The formula fails: the model is a mutant.
    Fails,
    /// Some run satisfies the formula whose negation is checked.
    Exists(String),
    /// A prediction: so many states.
    States(u64),
    /// A prediction: these lines have assertions that fail, and no others.
    Lines(BTreeSet<u32>),
    /// A prediction: this run exists, or does not.
    Run { name: String, exists: bool },
    /// A prediction: whether the property holds.
    Predicted { holds: bool },
}

/// The outcome of a check with this report.
pub(super) fn report(report: &Report, expect: &Expect) -> CheckGrade {
    let (status, message) = judge(report, expect);
    let shows = status == CheckStatus::Failed && matches!(expect, Expect::Holds | Expect::Fails);
    let link = report.violations.first().filter(|_| shows);
    CheckGrade {
        status,
        message,
        states: report.statistics.states_stored,
        link: link.and_then(|found| link_of(&report.experiment, found)),
        ..CheckGrade::default()
    }
}

fn judge(report: &Report, expect: &Expect) -> (CheckStatus, String) {
    use CheckStatus::{Failed, Inconclusive, InternalError, Passed, Unreadable};
    let states = || states(report.statistics.states_stored);
    match &report.verdict {
        Verdict::InternalError { message } => {
            return (InternalError, format!("the checker made a mistake: {message}"));
        }
        Verdict::InputError => return (Unreadable, first_error(report)),
        _ => {}
    }
    let found = report.violations.first();
    let partial = match report.verdict {
        Verdict::NoViolationFound { why } => Some(why),
        _ => report.stopped_by,
    };
    let limit = |why: StoppedBy| (Inconclusive, format!("{} {}", limit(why), states()));
    let decided = || -> Result<bool, (CheckStatus, String)> {
        match (&report.verdict, found, partial) {
            (Verdict::Holds, ..) => Ok(true),
            (Verdict::Violated, Some(found), _) if found.is_of_infinite_runs() => Ok(false),
            (Verdict::Violated, Some(found), _) => {
                Err((Failed, format!("the model has an error of its own: {}", found.message)))
            }
            (_, _, why) => Err(limit(why.unwrap_or(StoppedBy::Cancelled))),
        }
    };
    match expect {
        Expect::Holds => match (&report.verdict, found) {
            (Verdict::Holds, _) => (Passed, format!("holds; {}", states())),
            (Verdict::Violated, Some(found)) => {
                (Failed, format!("violated: {}", told(report, found)))
            }
            _ => limit(partial.unwrap_or(StoppedBy::Cancelled)),
        },
        Expect::Fails => match decided() {
            Ok(false) => (Passed, "fails on this wrong model, as it should".to_owned()),
            Ok(true) => (Failed, "holds on this wrong model, but should fail".to_owned()),
            Err(other) => other,
        },
        Expect::Exists(formula) => match decided() {
            Ok(false) => (Passed, format!("possible: {formula}")),
            Ok(true) => (Failed, format!("no run does this any more: {formula}")),
            Err(other) => other,
        },
        Expect::Run { name, exists } => match decided() {
            Ok(holds) if holds != *exists => (Passed, format!("right about run {name}")),
            Ok(_) if *exists => (Failed, format!("run {name} does not exist")),
            Ok(_) => (Failed, format!("run {name} exists")),
            Err(other) => other,
        },
        Expect::Predicted { holds } => match (&report.verdict, partial) {
            (Verdict::Holds | Verdict::Violated, _) => {
                let actual = report.verdict == Verdict::Holds;
                let word = if actual { "it holds" } else { "it is violated" };
                (if actual == *holds { Passed } else { Failed }, word.to_owned())
            }
            (_, why) => limit(why.unwrap_or(StoppedBy::Cancelled)),
        },
        Expect::States(wanted) => match partial {
            Some(why) => limit(why),
            None => {
                let right = report.statistics.states_stored == *wanted;
                (if right { Passed } else { Failed }, format!("a full search stores {}", states()))
            }
        },
        Expect::Lines(lines) => match partial {
            Some(why) => limit(why),
            None if report.violations.len() as u64 != report.statistics.errors => {
                (Inconclusive, "more violations were found than could be looked at".to_owned())
            }
            None => lines_of(report, lines),
        },
    }
}

fn lines_of(report: &Report, expected: &BTreeSet<u32>) -> (CheckStatus, String) {
    let fails = |found: &&Found| found.kind == "assertion";
    let lines = report.violations.iter().filter(fails).filter_map(|found| found.span);
    let lines: BTreeSet<u32> = lines.map(|span| span.line).collect();
    let right = lines == *expected;
    let shown: Vec<String> = lines.iter().map(u32::to_string).collect();
    let message = match shown.as_slice() {
        [] => "no assertion can fail".to_owned(),
        shown => format!("assertions that can fail stand in line {}", shown.join(", ")),
    };
    (if right { CheckStatus::Passed } else { CheckStatus::Failed }, message)
}

/// What was found, with its line.
fn told(report: &Report, found: &Found) -> String {
    match &found.span {
        Some(span) if span.is_in_file() => {
            format!("{} ({})", found.message, place(&report.experiment, span))
        }
        _ => found.message.clone(),
    }
}

fn states(number: u64) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} state{plural}", grouped(number))
}

fn limit(why: StoppedBy) -> &'static str {
    match why {
        StoppedBy::Memory => "not conclusive: the memory limit was reached after",
        StoppedBy::States => "not conclusive: the limit of states was reached after",
        StoppedBy::Depth => "not conclusive: the depth limit was reached after",
        StoppedBy::Successors => "not conclusive: a state has too many successors; there were",
        StoppedBy::Cancelled | StoppedBy::Time => {
            "not conclusive: the limit of search steps was reached after"
        }
        StoppedBy::Fatal => "not conclusive: an error ended the search after",
        StoppedBy::Omissions => "not conclusive: states may have been missed among",
    }
}

fn place(experiment: &Experiment, span: &SpanData) -> String {
    match experiment.files.get(usize::from(span.file)) {
        Some(file) => format!("{}:{}:{}", file.name, span.line, span.column),
        None => format!("formula, column {}", span.column),
    }
}

/// The first error of a text that cannot be run.
fn first_error(report: &Report) -> String {
    let error = |it: &&DiagnosticData| it.level == Level::Error;
    match report.diagnostics.iter().find(error) {
        Some(error) => format!(
            "cannot be checked: {}: {}",
            place(&report.experiment, &error.span),
            error.message
        ),
        None => format!("cannot be checked: {}", report.summary),
    }
}

/// The outcome of a run that was handed in.
pub(super) fn replayed(report: &Report, mismatch: Option<String>, wanted: &Wanted) -> CheckGrade {
    use CheckStatus::{Failed, Passed};
    let found = report.violations.first();
    let judged = match (mismatch, found) {
        (Some(why), _) => Err(format!("the run does not fit the model: {why}")),
        (None, Some(found)) if report.verdict == Verdict::Violated => {
            let steps = found.trace.places().last().map_or(0, |last| last + 1);
            let right_kind = wanted.violation.as_ref().is_none_or(|kind| *kind == found.kind);
            let short = wanted.steps.is_none_or(|most| steps <= most);
            if found.trace.truncated {
                Err("the run is longer than can be judged".to_owned())
            } else if !right_kind {
                let kind = wanted.violation.as_deref().unwrap_or("");
                Err(format!("the run shows `{}`, not `{kind}`: {}", found.kind, found.message))
            } else if !short {
                let most = wanted.steps.unwrap_or(u32::MAX);
                Err(format!("the run has {steps} steps, more than {most}"))
            } else {
                Ok(format!("a run of {steps} steps: {}", found.message))
            }
        }
        _ => Err("the run shows no violation".to_owned()),
    };
    let status = if judged.is_ok() { Passed } else { Failed };
    let link = found.filter(|_| status == Passed);
    CheckGrade {
        status,
        message: judged.unwrap_or_else(|message| message),
        link: link.and_then(|found| link_of(&report.experiment, found)),
        ..CheckGrade::default()
    }
}

/// The fragment of a link to a counterexample.
fn link_of(experiment: &Experiment, found: &Found) -> Option<String> {
    let trace = &found.trace;
    let trail =
        Trail { choices: trace.choices.clone(), checksum: trace.checksum, stem: trace.stem };
    let link = Link {
        experiment: experiment.clone(),
        trail: Some(trail),
        notes: String::new(),
        version: VERSION.to_owned(),
    };
    link::encode(&link).ok().filter(|text| text.len() <= LINK_CHARACTERS)
}
