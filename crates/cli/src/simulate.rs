//! `promenade simulate`.

use crate::arguments::Request;
use crate::output::{self, StatusLine};
use crate::{Exit, check, diagnostics, files, steps};
use promenade_protocol::{Event, Level, Trace};
use promenade_service::Session;
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
    let mut line = StatusLine::new();
    let mut session = Session::new(check::watch());
    session.submit(promenade_protocol::Request::Simulate {
        job: 1,
        experiment,
        seed: request.seed,
        steps: request.steps,
    });
    let mut result = (Trace::default(), String::new(), Vec::new());
    while !session.is_idle() {
        for event in session.advance(0.05) {
            check::has_read();
            match event {
                Event::Progress { progress, .. } if progress.seconds >= check::PATIENCE => {
                    let (made, most) = (progress.transitions, progress.max_depth);
                    line.show(&format!("{:.0} s: {made} of {most} steps", progress.seconds));
                }
                Event::Simulated { trace, ended, diagnostics, .. } => {
                    result = (*trace, ended, diagnostics);
                }
                _ => {}
            }
        }
    }
    line.clear();
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
        "the steps from here are too many to follow"
        | "the states are too large to show more steps" => Exit::NotConclusive,
        "end state" | "step limit" | "the claim cannot follow" | "cancelled" => Exit::Holds,
        _ => Exit::Violated,
    }
}
