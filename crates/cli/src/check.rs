//! `promenade check`.

use crate::arguments::{Request, Threads};
use crate::engine::{Checked, Engines, Told};
use crate::output::{self, StatusLine};
use crate::{Exit, diagnostics, files, json, statistics, steps, swarm, team, usage};
use promenade_protocol::{
    DeadVariables, DiagnosticData, Event, Experiment, Fairness, Found, Progress, Property,
    Reduction, Report, Search, Settings, Verdict, WriteOnly,
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
    output::print(&render(&checked, request.threads));
    exit(report)
}

/// Checks with so many threads.
pub(crate) fn with_threads(experiment: Experiment, threads: Threads, engines: &Engines) -> Checked {
    let mut checked = match threads {
        Threads::One => check(experiment, engines),
        Threads::Share(of, _) => team::check(&experiment, of, &watch(), engines),
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
            #[expect(clippy::disallowed_methods, reason = "a thread that does nothing else")]
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
        format!(", about {:.4} % of the states met stored", (1e6 * it).floor() / 1e4)
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
fn render(checked: &Checked, threads: Threads) -> String {
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
        out.push_str(&hints(report, threads));
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
    if let Some(fair) = found.fair {
        let is = if fair { "is" } else { "is not" };
        let states = match found.cycle_states {
            1 => "the one state".to_owned(),
            states => format!("the {states} states"),
        };
        let _ = writeln!(out, "\nThe run {is} weakly fair. In {states} of its cycle:");
    }
    for it in &found.fairness {
        let can = match it.enabled {
            0 => "is never enabled".to_owned(),
            all if all == found.cycle_states => "is always enabled".to_owned(),
            some => format!("is enabled in {some}"),
        };
        let moves = match (it.moves, it.moves_at) {
            (0, _) => ", never moves".to_owned(),
            (moves, Some(step)) => {
                format!(", moves {}, first at step {}", times(moves), number(step))
            }
            (moves, None) => format!(", moves {}", times(moves)),
        };
        let disabled = it.disabled_at.filter(|_| it.enabled > 0 && it.moves == 0);
        let disabled = disabled.map(|step| format!(", not enabled before step {}", number(step)));
        let moves = if it.enabled == 0 && it.moves == 0 { String::new() } else { moves };
        let disabled = disabled.unwrap_or_default();
        let unfair = if it.is_fair() { "" } else { " (unfair)" };
        let _ = writeln!(out, "  {}({}) {can}{moves}{disabled}{unfair}", it.process, it.pid);
    }
    out
}

/// `once`, `3 times`.
fn times(count: u32) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

/// Longer runs may be worth a search for a shortest one.
const FEW_STEPS: usize = 5;

/// What to try next, in the words of the command line.
fn hints(report: &Report, threads: Threads) -> String {
    let mut out = String::new();
    let Some(first) = report.violations.first() else { return out };
    let Experiment { property, settings, .. } = &report.experiment;
    let finite = matches!(property, Property::Safety | Property::Claim { .. });
    let depth_first =
        settings.search == Search::DepthFirst && !matches!(threads, Threads::Share(..));
    let steps = steps::numbers(&first.trace, property).last().copied().unwrap_or(0);
    if finite && depth_first && steps > FEW_STEPS {
        out.push_str("Hint: `--search bfs` finds a shortest run to the error.\n");
    }
    if first.fair == Some(false) && settings.fairness == Fairness::None {
        out.push_str("Hint: `--fairness weak` checks weakly fair runs only.\n");
    }
    out
}
