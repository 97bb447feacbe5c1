//! `promenade check`.

use crate::arguments::{Request, Threads};
use crate::engine::{Checked, Engines, Told};
use crate::output::{self, StatusLine};
use crate::{Exit, diagnostics, files, json, statistics, steps, swarm, team, usage};
use promenade_protocol::{
    DeadVariables, DiagnosticData, Event, Experiment, Found, Progress, Property, Reduction, Report,
    Settings, Verdict, WriteOnly,
};
use promenade_service::Clock;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Seconds before progress is shown.
pub(crate) const PATIENCE: f64 = 0.5;

/// Runs the command.
pub(crate) fn run(request: &Request) -> Exit {
    let mut experiment = match files::experiment(request) {
        Ok(experiment) => experiment,
        Err(message) => {
            output::complain(&message);
            if request.json {
                output::print_json(&json::unreadable(request, &message));
            }
            return Exit::Input;
        }
    };
    let left_out = if request.spin_counting { count_as_spin(&mut experiment) } else { Vec::new() };
    let engines = Engines::new(request.engine);
    let mut checked = with_threads(experiment, request.threads, &engines);
    checked.report.notes.extend(left_out);
    let report = &checked.report;
    if request.json {
        output::print_json(&json::render(&checked, request.threads));
        return exit(report);
    }
    if report.verdict == Verdict::InputError {
        let exit = diagnostics::refuse(&report.diagnostics, &report.experiment);
        let said = |it: &DiagnosticData| !it.span.is_in_file() && it.span.end == 0;
        // An error without a place says all that there is to say.
        if exit == Exit::Input && !report.diagnostics.iter().any(said) {
            output::print(&format!("{}\n", report.summary));
        }
        return exit;
    }
    output::print(&render(&checked));
    exit(report)
}

/// Checks with so many threads.
pub(crate) fn with_threads(experiment: Experiment, threads: Threads, engines: &Engines) -> Checked {
    let mut checked = match threads {
        Threads::One => check(experiment, engines),
        Threads::Searchers(of) => team::check(&experiment, of, &watch(), engines),
        Threads::Swarm(of) => swarm::check(&experiment, of, &watch(), engines),
    };
    usage::reword(&mut checked.report, threads);
    checked
}

/// All errors, with the first never claim of the text if there is one. Says what was asked for and
/// is left out for that.
pub(crate) fn count_as_spin(experiment: &mut Experiment) -> Vec<String> {
    let settings = &mut experiment.settings;
    let asked = [
        (settings.reduction == Reduction::AmpleSets, "No reduction was made"),
        (settings.merge, "No statements were merged"),
        (settings.dead_variables != DeadVariables::Keep, "No dead variables were reset"),
    ];
    let left_out = asked.into_iter().filter(|(asked, _)| *asked).map(|(_, what)| {
        format!(
            "{what}, although asked for: `--spin-counting` counts every state that SPIN counts."
        )
    });
    let left_out = left_out.collect();
    settings.all_errors = true;
    settings.reduction = Reduction::None;
    settings.merge = false;
    settings.dead_variables = DeadVariables::Keep;
    settings.write_only = WriteOnly::Keep;
    if settings.keep_violations == Settings::default().keep_violations {
        // It is the numbers that are asked for; one run shows what is wrong.
        settings.keep_violations = 1;
    }
    if experiment.property == Property::Safety {
        let (_, summary) = promenade_service::parse(experiment);
        if summary.symbols.iter().any(|symbol| symbol.kind == "never") {
            experiment.property = Property::Claim { name: None };
        }
    }
    left_out
}

/// The time, and how often the user has interrupted the program.
#[derive(Clone)]
pub(crate) struct Watch {
    begun: Instant,
    interrupts: Arc<AtomicUsize>,
}

impl Clock for Watch {
    fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    fn is_interrupted(&self) -> bool {
        self.interrupts.load(Ordering::Relaxed) > 0
    }
}

/// Whether the text is still being read and planned for.
static READING: AtomicBool = AtomicBool::new(true);

/// How long an interrupt may have no effect while the text is read.
const READING_PATIENCE: Duration = Duration::from_secs(1);

/// The text has been read: from now on there is a result to ask for.
pub(crate) fn has_read() {
    READING.store(false, Ordering::Relaxed);
}

/// The time from now on. The first interrupt asks for the result so far, the second ends the
/// program. So does the first one where reading the text does not end soon, as not all of it asks.
pub(crate) fn watch() -> Watch {
    let interrupts = Arc::new(AtomicUsize::new(0));
    let seen = interrupts.clone();
    // Without a handler an interrupt ends the program at once, which is acceptable.
    let _ = ctrlc::set_handler(move || {
        if seen.fetch_add(1, Ordering::Relaxed) > 0 {
            std::process::exit(130);
        }
        std::thread::spawn(|| {
            std::thread::sleep(READING_PATIENCE);
            if READING.load(Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
    });
    Watch { begun: Instant::now(), interrupts }
}

/// Progress in a line.
pub(crate) fn show(progress: &Progress) -> String {
    let load = progress.load.map(|load| format!(", load {:.1} %", 100.0 * load));
    let coverage = progress.coverage.map(|it| {
        // Never rounded up to everything.
        format!(", coverage {:.4} %", (1e6 * it).floor() / 1e4)
    });
    format!(
        "{:.0} s: {} states, {:.0}/s, depth {}, {} errors, {} of {} MiB{}{}",
        progress.seconds,
        progress.states,
        progress.rate,
        progress.depth,
        progress.errors,
        progress.memory_bytes >> 20,
        progress.budget_bytes >> 20,
        load.unwrap_or_default(),
        coverage.unwrap_or_default()
    )
}

/// Checks with a line of progress.
fn check(experiment: Experiment, engines: &Engines) -> Checked {
    let mut line = StatusLine::new();
    let mut told = Told::new();
    let mut session = engines.session(watch());
    session.submit(promenade_protocol::Request::Check { job: 1, experiment });
    let report = loop {
        let mut report = None;
        for event in session.advance(0.05) {
            told.hear(&event);
            match event {
                Event::Progress { progress, .. } if progress.seconds >= PATIENCE => {
                    line.show(&show(&progress));
                }
                Event::Report { report: done, .. } => report = Some(*done),
                _ => {}
            }
        }
        if let Some(report) = report {
            break report;
        }
    };
    line.clear();
    told.with(report)
}

/// The exit code of a verdict.
pub(crate) fn exit(report: &Report) -> Exit {
    match report.verdict {
        Verdict::Holds => Exit::Holds,
        Verdict::Violated => Exit::Violated,
        Verdict::NoViolationFound { .. } => Exit::NotConclusive,
        Verdict::InputError => diagnostics::exit(&report.diagnostics),
        Verdict::InternalError { .. } => Exit::Internal,
    }
}

/// The report as text: the verdict first.
fn render(checked: &Checked) -> String {
    let report = &checked.report;
    let files = &report.experiment.files;
    let mut out = String::new();
    let _ = writeln!(out, "{}", report.summary);
    if let Verdict::InternalError { message } = &report.verdict {
        let _ = writeln!(out, "internal error: {message}");
    }
    for note in &report.notes {
        let _ = writeln!(out, "  - {note}");
    }
    out.push('\n');
    if let Some(first) = report.violations.first() {
        out.push_str(&violation(first, &report.experiment, false));
        out.push('\n');
    }
    for (number, found) in report.violations.iter().enumerate().skip(1) {
        let place = found
            .span
            .map_or_else(String::new, |span| format!("{}: ", diagnostics::location(&span, files)));
        let _ = writeln!(out, "error {}: {place}{}", number + 1, found.message);
        out.push_str(&violation(found, &report.experiment, false));
        out.push('\n');
    }
    out.push_str(&statistics::render(&report.statistics, &checked.engine));
    if let Some(confidence) = &report.confidence {
        out.push('\n');
        out.push_str(&statistics::confidence(confidence));
    }
    if !report.unreached.is_empty() {
        out.push('\n');
        out.push_str(&statistics::unreached(&report.unreached, files));
    }
    if !report.diagnostics.is_empty() {
        out.push('\n');
        out.push_str(&diagnostics::render(&report.diagnostics, &report.experiment));
    }
    out
}

/// One violation: its place, who waits, its run.
pub(crate) fn violation(found: &Found, experiment: &Experiment, whole: bool) -> String {
    let files = &experiment.files;
    let mut out = String::new();
    if let Some(span) = &found.span {
        diagnostics::place(span, experiment, &mut out);
        out.push('\n');
    }
    for (pid, name, waits, span) in &found.blocked {
        let place = span
            .as_ref()
            .map_or_else(String::new, |span| format!("  [{}]", diagnostics::location(span, files)));
        let _ = writeln!(out, "  {name}({pid}) waits for {waits}{place}");
    }
    if !found.blocked.is_empty() {
        out.push('\n');
    }
    let numbers = steps::numbers(&found.trace, &experiment.property);
    let count = numbers.last().copied().unwrap_or(0);
    let number = |step: u32| numbers.get(step as usize).map_or(count + 1, |number| *number);
    if count == 0 {
        out.push_str("It happens in the initial state.\n");
    } else {
        let _ = writeln!(out, "Run, {count} step{}:", if count == 1 { "" } else { "s" });
        out.push_str(&steps::render(&found.trace, &experiment.property, files, whole));
    }
    if !found.fairness.is_empty() {
        out.push_str("\nThe run is weakly fair:\n");
    }
    for evidence in &found.fairness {
        let why = match (evidence.moves_at, evidence.disabled_at) {
            (Some(step), _) => format!("moves again and again, at step {}", number(step)),
            (None, Some(step)) => {
                format!("cannot move again and again, before step {}", number(step))
            }
            (None, None) => "has come to its end".to_owned(),
        };
        let _ = writeln!(out, "  {}({}) {why}", evidence.process, evidence.pid);
    }
    out
}
