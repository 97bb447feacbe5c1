//! A report as one JSON object. The names of the fields are fixed.

use crate::Exit;
use crate::arguments::{Request, Threads};
use crate::diagnostics;
use crate::engine::{Checked, Told};
use promenade_protocol::{
    Confidence, DiagnosticData, Experiment, File, FixData, Found, Level, Property, Report,
    Settings, SpanData, StoppedBy, Trace, Vacuity, Verdict,
};
use serde::Serialize;

#[derive(Serialize)]
struct Object<'a> {
    promenade: &'a str,
    file: &'a str,
    property: String,
    options: &'a Settings,
    /// Threads that shared the states, or those of a swarm.
    searchers: Option<u32>,
    swarm: Option<u32>,
    verdict: &'static str,
    why: Option<&'static str>,
    /// Where the property holds without saying anything about the model.
    vacuity: Option<&'a Vacuity>,
    kind: Option<&'a str>,
    message: Option<&'a str>,
    location: Option<Location<'a>>,
    states_stored: u64,
    states_matched: u64,
    transitions: u64,
    atomic_steps: u64,
    depth: u64,
    errors: u64,
    state_bytes: u64,
    /// Of it, for states: with all tables.
    store_bytes: u64,
    memory_bytes: u64,
    seconds: f64,
    compile_seconds: f64,
    states_reduced: u64,
    states_before: u64,
    confidence: Option<&'a Confidence>,
    trail: Option<Trail<'a>>,
    /// All that were kept, the first included.
    violations: Vec<Violation<'a>>,
    fairness: Option<CycleFairness<'a>>,
    unreached: Vec<Unreached<'a>>,
    diagnostics: Vec<Diagnostic<'a>>,
    summary: &'a str,
    notes: &'a [String],
    engine: &'a str,
}

#[derive(Serialize)]
struct Location<'a> {
    file: &'a str,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Violation<'a> {
    kind: &'a str,
    message: &'a str,
    location: Option<Location<'a>>,
    trail: Trail<'a>,
}

#[derive(Serialize)]
struct Trail<'a> {
    prefix: &'a [u32],
    cycle: &'a [u32],
    /// Index of the first step of the cycle.
    cycle_start: Option<u32>,
    checksum: u32,
    truncated: bool,
    steps: Vec<Step<'a>>,
}

#[derive(Serialize)]
struct Step<'a> {
    process: &'a str,
    pid: u8,
    location: Location<'a>,
    /// The calls of inlines that it stems from, from the innermost out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    calls: Vec<Location<'a>>,
    text: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    printed: &'a str,
}

/// How the processes fare on the cycle of an infinite run.
#[derive(Serialize)]
struct CycleFairness<'a> {
    weakly_fair: bool,
    cycle_states: u32,
    processes: Vec<CycleProcess<'a>>,
}

#[derive(Serialize)]
struct CycleProcess<'a> {
    process: &'a str,
    pid: u8,
    /// States of the cycle in which it is enabled.
    enabled: u32,
    /// States of the cycle from which it moves.
    moves: u32,
}

#[derive(Serialize)]
struct Unreached<'a> {
    process: &'a str,
    file: &'a str,
    line: u32,
    text: &'a str,
}

#[derive(Serialize)]
struct Diagnostic<'a> {
    level: Level,
    code: &'a str,
    message: &'a str,
    location: Location<'a>,
    hint: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<Fix<'a>>,
}

/// A change of the text that puts a finding right.
#[derive(Serialize)]
struct Fix<'a> {
    title: &'a str,
    edits: Vec<Edit<'a>>,
}

#[derive(Serialize)]
struct Edit<'a> {
    location: Location<'a>,
    /// Bytes from the start of the text.
    start: u32,
    end: u32,
    text: &'a str,
}

/// The object, with a line end.
pub(crate) fn render(checked: &Checked, threads: Threads) -> String {
    let report = &checked.report;
    let experiment = &report.experiment;
    let first = report.violations.first();
    let statistics = &report.statistics;
    let (verdict, why, internal) = match &report.verdict {
        Verdict::Holds => ("holds", None, None),
        Verdict::NoViolationFound { why } => ("no_violation_found", Some(*why), None),
        Verdict::Violated => ("violated", report.stopped_by, None),
        Verdict::InputError if diagnostics::exit(&report.diagnostics) == Exit::Usage => {
            ("usage_error", None, None)
        }
        Verdict::InputError => ("input_error", None, None),
        Verdict::InternalError { message } => ("internal_error", None, Some(message.as_str())),
    };
    let at = |span: &SpanData| location(experiment, span);
    let error = report.diagnostics.iter().find(|d| d.level == Level::Error);
    // A file that cannot be read has no place in a text.
    let unreadable = (report.verdict == Verdict::InputError).then_some(report.summary.as_str());
    let object = Object {
        promenade: &report.version,
        file: experiment.files.first().map_or("", |file| &file.name),
        property: property(&experiment.property),
        options: &experiment.settings,
        searchers: match threads {
            Threads::Share(of, _) => Some(of),
            _ => None,
        },
        swarm: match threads {
            Threads::Swarm(of) => Some(of),
            _ => None,
        },
        verdict,
        why: why.map(word),
        vacuity: report.vacuity.as_ref(),
        kind: first.map(|found| found.kind.as_str()),
        message: internal
            .or(first.map(|found| found.message.as_str()))
            .or(error.map(|error| error.message.as_str()))
            .or(unreadable),
        location: match first {
            Some(found) => place(experiment, found),
            None => error.map(|error| at(&error.span)),
        },
        states_stored: statistics.states_stored,
        states_matched: statistics.states_matched,
        transitions: statistics.transitions,
        atomic_steps: statistics.atomic_steps,
        depth: statistics.depth,
        errors: statistics.errors,
        state_bytes: statistics.state_bytes,
        store_bytes: statistics.store_bytes,
        memory_bytes: statistics.memory_bytes,
        seconds: statistics.seconds,
        compile_seconds: statistics.compile_seconds,
        states_reduced: statistics.states_reduced,
        states_before: statistics.states_before,
        confidence: report.confidence.as_ref(),
        trail: first.map(|found| trail(experiment, &found.trace)),
        violations: report.violations.iter().map(|found| violation(experiment, found)).collect(),
        fairness: first.and_then(fairness),
        unreached: report
            .unreached
            .iter()
            .map(|statement| Unreached {
                process: &statement.process,
                file: at(&statement.span).file,
                line: statement.span.line,
                text: &statement.text,
            })
            .collect(),
        diagnostics: report.diagnostics.iter().map(|d| diagnostic(experiment, d)).collect(),
        summary: &report.summary,
        notes: &report.notes,
        engine: &checked.engine,
    };
    let mut text = serde_json::to_string(&object).unwrap_or_else(|error| {
        format!("{{\"verdict\":\"internal_error\",\"message\":\"{error}\"}}")
    });
    text.push('\n');
    text
}

/// Where a violation shows: at its statement, or at the last step of its run.
fn place<'a>(experiment: &'a Experiment, found: &Found) -> Option<Location<'a>> {
    let last = found.trace.steps.last().map(|step| &step.span);
    found.span.as_ref().or(last).map(|span| location(experiment, span))
}

fn violation<'a>(experiment: &'a Experiment, found: &'a Found) -> Violation<'a> {
    Violation {
        kind: &found.kind,
        message: &found.message,
        location: place(experiment, found),
        trail: trail(experiment, &found.trace),
    }
}

/// The object for a file that cannot be read.
pub(crate) fn unreadable(request: &Request, message: &str) -> String {
    let file = File { name: request.file.clone(), text: String::new() };
    let (property, settings) = (request.property.clone(), request.settings.clone());
    let experiment = Experiment { files: vec![file], property, settings };
    let report = promenade_service::lost(&experiment);
    let report = Report { verdict: Verdict::InputError, summary: message.to_owned(), ..report };
    render(&Told::new().with(report), request.threads)
}

/// The object for a command line that is wrong.
pub(crate) fn misused(message: &str) -> String {
    let error = DiagnosticData {
        level: Level::Error,
        code: "usage".to_owned(),
        span: SpanData::about(SpanData::SETTINGS),
        message: message.to_owned(),
        hint: None,
        related: Vec::new(),
        fix: None,
    };
    let report = Report {
        verdict: Verdict::InputError,
        summary: message.to_owned(),
        diagnostics: vec![error],
        ..promenade_service::lost(&Experiment::default())
    };
    render(&Told::new().with(report), Threads::One)
}

/// `safety`, `claim`, `claim NAME`.
pub(crate) fn property(property: &Property) -> String {
    match property {
        Property::Safety => "safety".to_owned(),
        Property::Claim { name: None } => "claim".to_owned(),
        Property::Claim { name: Some(name) } => format!("claim {name}"),
        Property::Ltl { name: None } => "ltl".to_owned(),
        Property::Ltl { name: Some(name) } => format!("ltl {name}"),
        Property::Formula { text } => format!("formula {text}"),
        Property::Acceptance { claim: None } => "acceptance".to_owned(),
        Property::Acceptance { claim: Some(name) } => format!("acceptance {name}"),
        Property::Progress => "progress".to_owned(),
    }
}

/// The other way round.
pub(crate) fn read_property(text: &str) -> Option<Property> {
    match text.split_once(' ') {
        None if text == "safety" => Some(Property::Safety),
        None if text == "claim" => Some(Property::Claim { name: None }),
        None if text == "ltl" => Some(Property::Ltl { name: None }),
        None if text == "acceptance" => Some(Property::Acceptance { claim: None }),
        None if text == "progress" => Some(Property::Progress),
        Some(("ltl", name)) => Some(Property::Ltl { name: Some(name.to_owned()) }),
        Some(("formula", text)) => Some(Property::Formula { text: text.to_owned() }),
        Some(("acceptance", name)) => Some(Property::Acceptance { claim: Some(name.to_owned()) }),
        Some(("claim", name)) => Some(Property::Claim { name: Some(name.to_owned()) }),
        _ => None,
    }
}

/// Why a run is partial, in one word.
pub(crate) fn word(why: StoppedBy) -> &'static str {
    match why {
        StoppedBy::Memory => "memory",
        StoppedBy::States => "states",
        StoppedBy::Depth => "depth",
        StoppedBy::Time => "time",
        StoppedBy::Cancelled => "cancelled",
        StoppedBy::Successors => "successors",
        StoppedBy::Fatal => "fatal",
        StoppedBy::Omissions => "omissions",
    }
}

fn location<'a>(experiment: &'a Experiment, span: &SpanData) -> Location<'a> {
    let file = match span.file {
        SpanData::PROPERTY => "formula",
        SpanData::SETTINGS => "options",
        file => experiment.files.get(usize::from(file)).map_or("", |file| &file.name),
    };
    Location { file, line: span.line, column: span.column }
}

fn diagnostic<'a>(experiment: &'a Experiment, data: &'a DiagnosticData) -> Diagnostic<'a> {
    Diagnostic {
        level: data.level,
        code: &data.code,
        message: &data.message,
        location: location(experiment, &data.span),
        hint: data.hint.as_deref(),
        fix: data.fix.as_ref().map(|it| fix(experiment, it)),
    }
}

fn fix<'a>(experiment: &'a Experiment, data: &'a FixData) -> Fix<'a> {
    let edit = |(span, text): &'a (SpanData, String)| Edit {
        location: location(experiment, span),
        start: span.start,
        end: span.end,
        text,
    };
    Fix { title: &data.title, edits: data.edits.iter().map(edit).collect() }
}

fn fairness(found: &Found) -> Option<CycleFairness<'_>> {
    let processes = found.fairness.iter().map(|it| CycleProcess {
        process: &it.process,
        pid: it.pid,
        enabled: it.enabled,
        moves: it.moves,
    });
    Some(CycleFairness {
        weakly_fair: found.fair?,
        cycle_states: found.cycle_states,
        processes: processes.collect(),
    })
}

fn trail<'a>(experiment: &'a Experiment, trace: &'a Trace) -> Trail<'a> {
    let stem = trace.stem.map_or(trace.choices.len(), |stem| stem as usize);
    Trail {
        prefix: trace.choices.get(..stem).unwrap_or(&trace.choices),
        cycle: trace.choices.get(stem..).unwrap_or(&[]),
        cycle_start: trace.cycle_start,
        checksum: trace.checksum,
        truncated: trace.truncated,
        steps: trace
            .steps
            .iter()
            .map(|step| Step {
                process: &step.process,
                pid: step.pid,
                location: location(experiment, &step.span),
                calls: step.calls.iter().map(|call| location(experiment, call)).collect(),
                text: &step.text,
                printed: &step.printed,
            })
            .collect(),
    }
}
