//! The promenade command.
#![forbid(unsafe_code)]

mod arguments;
mod check;
mod course;
mod diagnostics;
mod engine;
mod files;
mod help;
mod json;
mod ltl;
mod output;
mod share;
mod simulate;
mod statistics;
mod steps;
mod swarm;
mod team;
mod trace;
mod usage;

use arguments::{Command, parse};
use std::ffi::OsString;
use std::process::ExitCode;

/// What the command ends with; the help lists the numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// The property holds, or the command did what it was asked.
    Holds = 0,
    /// A violation was found.
    Violated = 1,
    /// No violation, but not everything was explored.
    NotConclusive = 2,
    /// The text, the file or the link cannot be used.
    Input = 3,
    /// The command line is wrong.
    Usage = 4,
    /// A mistake of the checker.
    Internal = 5,
    /// The result could not be written.
    Output = 6,
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let exit = match parse(arguments.iter().cloned()) {
        Ok(Command::Help(topic)) => {
            output::print(&help::text(topic));
            Exit::Holds
        }
        Ok(Command::Version) => {
            output::print(&format!("promenade {}\n", promenade_protocol::VERSION));
            Exit::Holds
        }
        Ok(Command::Completions(shell)) => {
            output::print(&help::completions(shell));
            Exit::Holds
        }
        Ok(Command::Man) => {
            output::print(&help::manual());
            Exit::Holds
        }
        Ok(Command::Check(request)) => check::run(&request),
        Ok(Command::Simulate(request)) => simulate::run(&request),
        Ok(Command::Trace(request)) => trace::run(&request),
        Ok(Command::Share(request)) => share::run(&request),
        Ok(Command::Ltl(request)) => ltl::run(&request),
        Ok(Command::Course(request)) => course::run(&request),
        Err(message) => {
            output::complain(&format!("{message}\nTry `promenade help`."));
            if wants_json(&arguments) {
                output::print_json(&json::misused(&message));
            }
            Exit::Usage
        }
    };
    // A verdict that nobody can read is none.
    let exit = if output::is_complete() { exit } else { Exit::Output };
    ExitCode::from(exit as u8)
}

/// Whether a script reads the answer, as far as that can be told of a command line that is wrong.
fn wants_json(arguments: &[OsString]) -> bool {
    arguments
        .iter()
        .take_while(|it| *it != "--")
        .any(|it| it.to_str().is_some_and(|it| it == "--json" || it.starts_with("--json=")))
}
