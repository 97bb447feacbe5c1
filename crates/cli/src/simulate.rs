//! `promenade simulate`.

use crate::arguments::Request;
use crate::{Exit, diagnostics, files, output, steps};
use promenade_protocol::{Event, Level, Trace};
use promenade_service::{Session, Timeless};
use std::fmt::Write;

/// Runs the command.
pub(crate) fn run(request: &Request) -> Exit {
    let experiment = match files::experiment(request) {
        Ok(experiment) => experiment,
        Err(message) => {
            output::complain(&message);
            return Exit::Input;
        }
    };
    let asked = experiment.clone();
    let mut session = Session::new(Timeless);
    session.submit(promenade_protocol::Request::Simulate {
        job: 1,
        experiment,
        seed: request.seed,
        steps: request.steps,
    });
    let mut result = (Trace::default(), String::new(), Vec::new());
    while !session.is_idle() {
        for event in session.advance(0.05) {
            if let Event::Simulated { trace, ended, diagnostics, .. } = event {
                result = (*trace, ended, diagnostics);
            }
        }
    }
    let (trace, ended, findings) = result;
    if findings.iter().any(|finding| finding.level == Level::Error) {
        return diagnostics::refuse(&findings, &asked);
    }
    let mut out = steps::render(&trace, &asked.property, &asked.files, true);
    let count = steps::numbers(&trace, &asked.property).last().copied().unwrap_or(0);
    let s = if count == 1 { "" } else { "s" };
    let _ = writeln!(out, "The run ended after {count} step{s}: {ended} (seed {}).", request.seed);
    output::print(&out);
    match ended.as_str() {
        "the steps from here are too many to follow" => Exit::NotConclusive,
        "end state" | "step limit" | "the claim cannot follow" | "cancelled" => Exit::Holds,
        _ => Exit::Violated,
    }
}
