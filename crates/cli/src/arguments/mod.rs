//! The command line, read.

mod conflicts;
mod formula;
mod reader;
#[cfg(test)]
mod tests;
pub(crate) mod words;

use crate::help::Topic;
use promenade_protocol::{Property, Settings};
use reader::Reader;
use std::ffi::OsString;

/// Memory in mebibytes unless something else is asked for.
pub(crate) const MEMORY_MIB: u32 = 1024;

/// What to do.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Command {
    Help(Topic),
    Version,
    Check(Request),
    Simulate(Request),
    Trace(Request),
    Share(Request),
    Ltl(FormulaRequest),
    /// `grade` and `assignment`
    Course(crate::course::arguments::Request),
}

/// How an automaton is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    Text,
    Hoa,
    Dot,
    Never,
    Latex,
    Json,
}

/// A formula and what is wanted of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FormulaRequest {
    pub formula: String,
    /// A file with a never claim, in place of a formula.
    pub never: Option<String>,
    pub format: Format,
    pub buchi: bool,
    pub raw: bool,
    pub alternating: bool,
    pub negated: bool,
}

/// How many threads do a check, and how they share it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Threads {
    One,
    /// Each has a part of the states.
    Searchers(u32),
    /// Each searches alone, in another way.
    Swarm(u32),
}

/// Who makes the steps of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Engine {
    /// The interpreter, and generated code if the search lasts.
    Automatic,
    /// The interpreter.
    Interpret,
    /// Generated code from the start, as far as there is some.
    Compiled,
}

/// A command's file and options.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Request {
    pub file: String,
    pub property: Property,
    pub settings: Settings,
    pub spin_counting: bool,
    pub threads: Threads,
    pub engine: Engine,
    pub json: bool,
    pub seed: u64,
    pub steps: u32,
    /// `share --trace`
    pub with_trace: bool,
}

/// Which commands an option belongs to.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Check,
    Simulate,
    Trace,
    Share,
}

/// Reads the arguments behind the program's name; an error is a sentence for the user.
pub(crate) fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Command, String> {
    let mut texts = Vec::new();
    for argument in arguments {
        let text = argument.into_string();
        texts.push(text.map_err(|a| format!("`{}` is not Unicode text", a.display()))?);
    }
    let Some((command, rest)) = texts.split_first() else {
        return Err("there is no command".to_owned());
    };
    let kind = match command.as_str() {
        "check" => Kind::Check,
        "simulate" => Kind::Simulate,
        "trace" => Kind::Trace,
        "share" => Kind::Share,
        "ltl" => return formula::read(rest),
        "grade" | "assignment" => return course(command, rest),
        "help" | "--help" | "-h" => return help(rest),
        "version" | "--version" | "-V" => return Ok(Command::Version),
        other if other.ends_with(".pml") => {
            return Err(format!("`{other}` is not a command: `promenade check {other}`?"));
        }
        other => return Err(format!("`{other}` is not a command")),
    };
    let topic = match kind {
        Kind::Check => Topic::Check,
        Kind::Simulate => Topic::Simulate,
        Kind::Trace => Topic::Trace,
        Kind::Share => Topic::Share,
    };
    let options = rest.iter().take_while(|text| *text != "--");
    if options.clone().any(|text| text == "--help" || text == "-h") {
        return Ok(Command::Help(topic));
    }
    let request = Reader::new(kind, rest).request()?;
    Ok(match kind {
        Kind::Check => Command::Check(request),
        Kind::Simulate => Command::Simulate(request),
        Kind::Trace => Command::Trace(request),
        Kind::Share => Command::Share(request),
    })
}

fn course(command: &str, rest: &[String]) -> Result<Command, String> {
    let options = rest.iter().take_while(|text| *text != "--");
    if options.clone().any(|text| text == "--help" || text == "-h") {
        let grade = command == "grade";
        return Ok(Command::Help(if grade { Topic::Grade } else { Topic::Assignment }));
    }
    crate::course::arguments::read(command, rest).map(Command::Course)
}

fn help(rest: &[String]) -> Result<Command, String> {
    let topic = match rest.first().map(String::as_str) {
        None => Topic::All,
        Some("check") => Topic::Check,
        Some("simulate") => Topic::Simulate,
        Some("trace") => Topic::Trace,
        Some("share") => Topic::Share,
        Some("ltl") => Topic::Ltl,
        Some("grade") => Topic::Grade,
        Some("assignment") => Topic::Assignment,
        Some(other) => return Err(format!("there is no help about `{other}`")),
    };
    Ok(Command::Help(topic))
}
