//! What is wrong with a command line, as a sentence.

use super::commands;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use promenade_protocol::OptionId;
use promenade_protocol::options::{legality, words};

/// A sentence on what clap complains about, with what is probably meant.
pub(super) fn told(error: &clap::Error) -> String {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(all)) => all.first().cloned(),
        _ => None,
    };
    let suggested = |kind| text(kind).map_or(String::new(), |word| format!(": `{word}`?"));
    let given = text(ContextKind::InvalidArg).unwrap_or_default();
    // As clap shows it, with the name of its value.
    let name = match given.split([' ', '=', '[', '.']).next() {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => given.clone(),
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = text(ContextKind::InvalidSubcommand).unwrap_or_default();
            let meant = suggested(ContextKind::SuggestedSubcommand);
            format!("`{word}` is not a command{}", meant.replace(": `", ": `promenade "))
        }
        ErrorKind::UnknownArgument => {
            let similar = similar(&name);
            let meant = if similar.is_empty() {
                suggested(ContextKind::SuggestedArg)
            } else {
                similar.to_owned()
            };
            let here = if is_known(&name) { " here" } else { "" };
            format!("there is no option `{name}`{here}{meant}")
        }
        ErrorKind::InvalidValue => match text(ContextKind::InvalidValue) {
            Some(value) if !value.is_empty() => {
                let all = match error.get(ContextKind::ValidValue) {
                    Some(ContextValue::Strings(all)) => all.clone(),
                    _ => Vec::new(),
                };
                let all = legality::or(all.into_iter().map(|it| format!("`{it}`")).collect());
                let meant = suggested(ContextKind::SuggestedValue);
                format!("{} is {all}, not `{value}`{meant}", a_value(&name))
            }
            _ => format!("`{name}` needs a value"),
        },
        ErrorKind::TooManyValues => format!("`{name}` takes no value"),
        _ => format!("`{name}` needs a value"),
    }
}

/// What a value of an option is called.
fn a_value(name: &str) -> &'static str {
    match name {
        "--engine" => "an engine",
        "--format" => "a format",
        "--via" => "a way",
        "[SHELL]" => "a shell",
        _ => {
            let id = OptionId::ALL.iter().find(|id| words::option(**id) == name);
            id.map_or("a value", |id| words::a_value(*id))
        }
    }
}

/// Whether another command has an option of this name.
fn is_known(name: &str) -> bool {
    let Some(long) = name.strip_prefix("--") else { return false };
    let all = commands::all();
    all.get_subcommands().any(|it| it.get_arguments().any(|arg| arg.get_long() == Some(long)))
}

/// A hint for options that other programs have.
fn similar(name: &str) -> &'static str {
    match name {
        "--bfs" => ": `--search bfs`?",
        "--dfs" => ": `--search dfs`?",
        "--fair" => ": `--fairness weak`?",
        "--accept" => ": `--acceptance`?",
        "--max-states" => ": `--states`?",
        "--bitstate" => ": `--store bitstate`?",
        "--collapse" => ": `--store collapse`?",
        "--por" | "--reduce" => ": `--reduction ample`?",
        "--timeout" => ": `--time`?",
        _ => "",
    }
}
