//! What is asked of a command that works on a model.

use super::given::{Given, given, number, within};
use super::{Engine, Kind, MEMORY_MIB, Request, Threads};
use clap::ArgMatches;
use promenade_protocol::options::{Kind as Takes, words};
use promenade_protocol::{Define, OptionId, Property, Settings};

/// Most workers.
const MOST_WORKERS: u32 = 64;

/// Reads the options of a command. `raw` is what was written, `doubtful` the name of a claim or formula
/// that may be the file's.
pub(super) fn request(
    kind: Kind,
    matches: &ArgMatches,
    raw: &[String],
    doubtful: Option<String>,
) -> Result<Request, String> {
    let settings = Settings { memory_mib: MEMORY_MIB, ..Settings::default() };
    let mut request = Request {
        file: String::new(),
        property: Property::Safety,
        settings,
        spin_counting: false,
        threads: Threads::One,
        engine: Engine::Automatic,
        json: false,
        seed: 1,
        steps: 1000,
        with_trace: false,
    };
    let all = given(matches, raw);
    for option in &all {
        take(kind, option, &mut request)?;
    }
    super::conflicts::only_once(&all)?;
    request.file = match super::files(matches).as_slice() {
        [file] => file.clone(),
        [] => match doubtful {
            // `check --ltl model`: the name was that of the file.
            Some(file) => {
                match &mut request.property {
                    Property::Claim { name } | Property::Ltl { name } => *name = None,
                    Property::Acceptance { claim } => *claim = None,
                    _ => {}
                }
                file
            }
            None => return Err("there is no file".to_owned()),
        },
        [first, ..] => {
            return Err(format!("one file at a time, please: `{first}` is not the only one"));
        }
    };
    super::conflicts::effects(kind, &all, &request)?;
    Ok(request)
}

/// Takes one option.
fn take(kind: Kind, given: &Given, request: &mut Request) -> Result<(), String> {
    let name = given.name.as_str();
    let text = given.value.as_deref().unwrap_or_default();
    let named = || (!text.is_empty()).then(|| text.to_owned());
    match name {
        "claim" => request.property = Property::Claim { name: named() },
        "ltl" => request.property = Property::Ltl { name: named() },
        "formula" => request.property = Property::Formula { text: text.to_owned() },
        "acceptance" => request.property = Property::Acceptance { claim: named() },
        "progress" => request.property = Property::Progress,
        "define" => request.settings.defines.push(read_define(text)?),
        "workers" | "searchers" => {
            let word = if name == "workers" { "--workers" } else { "--searchers" };
            request.threads = Threads::Share(within(name, text, 1, MOST_WORKERS)?, word);
        }
        "swarm" => request.threads = Threads::Swarm(within(name, text, 1, MOST_WORKERS)?),
        "engine" => {
            request.engine = match text {
                "interpret" => Engine::Interpret,
                "compiled" => Engine::Compiled,
                _ => Engine::Automatic,
            }
        }
        "spin-counting" => request.spin_counting = true,
        "json" => request.json = true,
        "trace" => request.with_trace = true,
        "steps" => request.steps = number(name, text)?,
        "seed" if kind == Kind::Simulate => request.seed = number(name, text)?,
        _ => return catalogued(name, text, &mut request.settings),
    }
    Ok(())
}

/// Takes an option of the catalogue.
fn catalogued(name: &str, text: &str, settings: &mut Settings) -> Result<(), String> {
    let mut all = OptionId::ALL.iter().copied();
    let Some(id) = all.find(|id| super::commands::long(*id) == name) else {
        return Err(format!("there is no option `--{name}`"));
    };
    let spec = id.spec();
    let value = match spec.kind {
        Takes::Flag => 1 - Settings::default().get(id).unwrap_or_default(),
        Takes::Number { least: 0, most: u32::MAX } | Takes::Limit => number(name, text)?,
        Takes::Number { least, most } => within(name, text, least, most)?,
        Takes::Choice(choices) => {
            let chosen = choices.iter().find(|it| words::value(id, it) == text);
            chosen.map(|it| it.link).ok_or_else(|| format!("`--{name}` has no value `{text}`"))?
        }
    };
    settings.field_mut(id).set_number(Some(value));
    Ok(())
}

/// `N=3` or `N`.
fn read_define(text: &str) -> Result<Define, String> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (text, None),
    };
    if name.trim().is_empty() || name.starts_with('-') {
        return Err(format!("`{text}` does not name a macro: write N=3"));
    }
    Ok(Define { name: name.to_owned(), value })
}
