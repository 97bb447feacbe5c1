//! Many searches at once, each with another seed and another order: together they miss less.

use crate::check::{PATIENCE, Watch, show};
use crate::output::StatusLine;
use crate::team::together;
use promenade_protocol::{Event, Experiment, Report, Request, StoppedBy, Verdict};
use promenade_service::Session;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

/// The experiment of one of `of` searchers.
fn variant(experiment: &Experiment, me: u32, of: u32) -> Experiment {
    let mut one = experiment.clone();
    let settings = &mut one.settings;
    settings.memory_mib = (settings.memory_mib / of).max(1);
    settings.seed = settings.seed.wrapping_add(me);
    settings.shuffle = settings.shuffle.wrapping_add(me);
    one
}

fn search(
    me: u32,
    experiment: Experiment,
    watch: Watch,
    over: &AtomicBool,
    told: &Sender<(u32, Event)>,
) {
    let mut session = Session::new(watch);
    session.submit(Request::Check { job: 1, experiment });
    let mut cancelled = false;
    loop {
        if over.load(Ordering::Relaxed) && !cancelled {
            cancelled = true;
            session.submit(Request::Cancel { job: 1 });
        }
        for event in session.advance(0.02) {
            let last = matches!(event, Event::Report { .. });
            if told.send((me, event)).is_err() || last {
                return;
            }
        }
    }
}

/// Which report says most: an error, then a proof, then what covers most.
fn rank(report: &Report) -> (u8, f64) {
    let rank = match report.verdict {
        Verdict::InputError => 5,
        Verdict::InternalError { .. } => 4,
        Verdict::Violated => 3,
        Verdict::Holds => 2,
        Verdict::NoViolationFound { why: StoppedBy::Omissions } => 1,
        Verdict::NoViolationFound { .. } => 0,
    };
    (rank, report.confidence.as_ref().map_or(0.0, |confidence| confidence.coverage))
}

/// One report for all.
fn merge(reports: Vec<Report>) -> Option<Report> {
    let of = reports.len();
    let complete = |report: &&Report| {
        report.verdict == Verdict::NoViolationFound { why: StoppedBy::Omissions }
    };
    let missed: Vec<f64> = reports
        .iter()
        .filter(complete)
        .filter_map(|report| report.confidence.as_ref())
        .map(|confidence| 1.0 - confidence.coverage)
        .collect();
    let states: u64 = reports.iter().map(|report| report.statistics.states_stored).sum();
    let best = reports.into_iter().reduce(|a, b| if rank(&b) > rank(&a) { b } else { a })?;
    let mut note = format!(
        "One of {of} searches with different seeds and orders; together they stored {states} states."
    );
    if best.verdict == (Verdict::NoViolationFound { why: StoppedBy::Omissions }) {
        let all: f64 = missed.iter().product();
        note.push_str(&format!(
            " {} of them came to their end: that all of those missed a given state has the \
             probability {all:.1e}.",
            missed.len()
        ));
    }
    let mut notes = best.notes.clone();
    notes.push(note);
    Some(Report { notes, ..best })
}

/// Checks with so many threads. The first error, or the first proof, ends all.
pub(crate) fn check(experiment: &Experiment, of: u32, watch: &Watch) -> Report {
    let over = Arc::new(AtomicBool::new(false));
    let (told, hear) = channel();
    let threads: Vec<_> = (0..of)
        .map(|me| {
            let (one, watch) = (variant(experiment, me, of), watch.clone());
            let (over, told) = (over.clone(), told.clone());
            thread::spawn(move || search(me, one, watch, &over, &told))
        })
        .collect();
    drop(told);
    let mut line = StatusLine::new();
    let mut parts = vec![None; of as usize];
    let mut reports = Vec::new();
    while let Ok((from, event)) = hear.recv() {
        match event {
            Event::Progress { progress, .. } => {
                if let Some(part) = parts.get_mut(from as usize) {
                    *part = Some(progress);
                }
                let sum = together(&parts);
                if sum.seconds >= PATIENCE && !over.load(Ordering::Relaxed) {
                    line.show(&show(&sum));
                }
            }
            Event::Report { report, .. } => {
                if !matches!(report.verdict, Verdict::NoViolationFound { .. }) {
                    over.store(true, Ordering::Relaxed);
                }
                reports.push(*report);
            }
            _ => {}
        }
    }
    line.clear();
    let whole = threads.into_iter().map(|thread| thread.join().is_ok()).filter(|ok| *ok).count();
    let report = merge(reports).filter(|_| whole > 0);
    report.unwrap_or_else(|| promenade_service::lost(experiment))
}
