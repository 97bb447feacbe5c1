//! The command line, read.

pub(crate) mod commands;
mod conflicts;
mod formula;
mod given;
mod names;
mod reader;
#[cfg(test)]
mod tests;
mod told;

use crate::help::Topic;
use clap::ArgMatches;
pub(crate) use names::Names;
use promenade_protocol::options::Workers;
use promenade_protocol::{Property, Settings};
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
    /// For this shell.
    Completions(clap_complete::Shell),
    Man,
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
    /// Each has a part of the states. With the word that asks for it.
    Share(u32, &'static str),
    /// Each searches alone, in another way.
    Swarm(u32),
}

impl Threads {
    /// As legality sees them.
    pub(crate) fn workers(self) -> Workers {
        match self {
            Self::One => Workers::One,
            Self::Share(of, _) => Workers::Share(of),
            Self::Swarm(of) => Workers::Swarm(of),
        }
    }
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
    let Some(command) = texts.first() else {
        return Err("there is no command".to_owned());
    };
    match command.as_str() {
        "--version" | "-V" => return Ok(Command::Version),
        other if other.ends_with(".pml") => {
            return Err(format!("`{other}` is not a command: `promenade check {other}`?"));
        }
        other if other.starts_with('-') && !matches!(other, "--help" | "-h") => {
            return Err(format!("`{other}` is not a command"));
        }
        _ => {}
    }
    let raw = texts.clone();
    let (texts, doubtful) = joined(texts);
    let program = std::iter::once("promenade").chain(texts.iter().map(String::as_str));
    let matches = match commands::all().try_get_matches_from(program) {
        Ok(matches) => matches,
        Err(error) if error.kind() == clap::error::ErrorKind::DisplayHelp => {
            return Ok(Command::Help(Topic::of(texts.first().map_or("", String::as_str))));
        }
        Err(error) => return Err(told::told(&error)),
    };
    let Some((name, matches)) = matches.subcommand() else {
        return Err("there is no command".to_owned());
    };
    let model = |kind| reader::request(kind, matches, &raw, doubtful.clone());
    Ok(match name {
        "check" => Command::Check(model(Kind::Check)?),
        "simulate" => Command::Simulate(model(Kind::Simulate)?),
        "trace" => Command::Trace(model(Kind::Trace)?),
        "share" => Command::Share(model(Kind::Share)?),
        "ltl" => Command::Ltl(formula::request(matches)?),
        "completions" => {
            let shell = value(matches, "shell").ok_or("completions are for bash, zsh or fish")?;
            Command::Completions(shell.parse().map_err(|_| format!("`{shell}` is no shell"))?)
        }
        "man" => Command::Man,
        "version" => Command::Version,
        "help" => match value(matches, "command") {
            None => Command::Help(Topic::All),
            Some(about) if commands::all().find_subcommand(&about).is_some() => {
                Command::Help(Topic::of(&about))
            }
            Some(about) => return Err(format!("there is no help about `{about}`")),
        },
        command => Command::Course(crate::course::arguments::request(command, matches)?),
    })
}

/// Options whose value may be left out.
const MAY_HAVE: [&str; 3] = ["--claim", "--ltl", "--acceptance"];

/// Joins such options with the word behind them if that can be the name of a claim or formula. The word
/// is the file's name only if no other is; it is returned if that may be so.
fn joined(texts: Vec<String>) -> (Vec<String>, Option<String>) {
    let (mut out, mut doubtful) = (Vec::new(), None);
    if texts.first().is_some_and(|command| command == "ltl") {
        return (formula_last(texts), None);
    }
    let model = ["check", "simulate", "share"].map(str::to_owned);
    if !texts.first().is_some_and(|command| model.contains(command)) {
        return (texts, None);
    }
    let mut rest = texts.into_iter().peekable();
    let mut is_value = false;
    while let Some(text) = rest.next() {
        if text == "--" && !is_value {
            out.push(text);
            out.extend(rest.by_ref());
            break;
        }
        if !is_value && MAY_HAVE.contains(&text.as_str()) {
            let name = rest.next_if(|word| is_name(word));
            if let Some(name) = &name
                && std::path::Path::new(name).exists()
            {
                doubtful = Some(name.clone());
            }
            out.push(name.map_or(text.clone(), |name| format!("{text}={name}")));
            continue;
        }
        is_value = !is_value && text == "--formula";
        out.push(text);
    }
    (out, doubtful)
}

/// Puts a formula such as `-x == 1`, which is no option, behind all options.
fn formula_last(texts: Vec<String>) -> Vec<String> {
    let mut is_over = false;
    let (formulas, mut rest): (Vec<_>, Vec<_>) = texts.into_iter().partition(|text| {
        is_over |= text == "--";
        let is_option = text.starts_with("--") || matches!(text.as_str(), "-" | "-h");
        !is_over && text.starts_with('-') && !is_option
    });
    if !formulas.is_empty() {
        if !is_over {
            rest.push("--".to_owned());
        }
        rest.extend(formulas);
    }
    rest
}

fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    let starts = characters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    starts && characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The last value of an option.
pub(crate) fn value(matches: &ArgMatches, name: &str) -> Option<String> {
    matches.try_get_many::<String>(name).ok().flatten()?.next_back().cloned()
}

/// What is no option.
pub(crate) fn files(matches: &ArgMatches) -> Vec<String> {
    matches.get_many::<String>("files").into_iter().flatten().cloned().collect()
}

/// Whether a flag is given.
pub(crate) fn has(matches: &ArgMatches, name: &str) -> bool {
    matches.try_get_one::<bool>(name).ok().flatten().is_some_and(|it| *it)
}
