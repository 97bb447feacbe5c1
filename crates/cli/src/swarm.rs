//! Many searches at once, each with another seed and another order: together they miss less.

use crate::check::{PATIENCE, Watch, show};
use crate::engine::{Checked, Engines, Told};
use crate::output::StatusLine;
use promenade_protocol::swarm::{decides, merge, together, variant};
use promenade_protocol::{Event, Experiment, Request};
use promenade_service::Session;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

fn search(
    me: u32,
    experiment: Experiment,
    mut session: Session<Watch>,
    over: &AtomicBool,
    told: &Sender<(u32, Event)>,
) {
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

/// Checks with so many threads. The first error, or the first proof, ends all.
pub(crate) fn check(experiment: &Experiment, of: u32, watch: &Watch, engines: &Engines) -> Checked {
    let over = Arc::new(AtomicBool::new(false));
    let (told, hear) = channel();
    let threads: Vec<_> = (0..of)
        .map(|me| {
            let one = variant(experiment, me, of);
            let (watch, engines) = (watch.clone(), engines.clone());
            let (over, told) = (over.clone(), told.clone());
            thread::spawn(move || search(me, one, engines.session(watch), &over, &told))
        })
        .collect();
    drop(told);
    let mut line = StatusLine::new();
    let mut parts = vec![None; of as usize];
    let mut reports = Vec::new();
    let mut engine = Told::new();
    while let Ok((from, event)) = hear.recv() {
        engine.hear(&event);
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
                if decides(&report) {
                    over.store(true, Ordering::Relaxed);
                }
                reports.push(*report);
            }
            _ => {}
        }
    }
    line.clear();
    let whole = threads.into_iter().map(|thread| thread.join().is_ok()).filter(|ok| *ok).count();
    let report = merge(experiment, reports).filter(|_| whole > 0);
    engine.with(report.unwrap_or_else(|| promenade_service::lost(experiment)))
}
