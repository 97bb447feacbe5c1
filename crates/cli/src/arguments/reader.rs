//! The arguments of a command that works on a model, read one after the other.

use super::{Engine, Kind, MEMORY_MIB, Request, Threads, words};
use promenade_protocol::{Define, Property, Settings};

/// Megabytes that can be asked for: 16 TiB.
const MOST_MIB: u32 = 16 << 20;
/// Errors that are kept with a run, as the checker does it.
const MOST_KEPT: u32 = 1000;

/// Where the reading is, and what was chosen so far.
pub(super) struct Reader {
    pub(super) kind: Kind,
    rest: Vec<String>,
    at: usize,
    file: Option<String>,
    /// An option whose value is the name of a file, read so far as a name of the text.
    doubtful: Option<String>,
    /// Choices made so far: what is chosen, and the words that do.
    pub(super) given: Vec<(&'static str, String)>,
}

impl Reader {
    pub(super) fn new(kind: Kind, rest: &[String]) -> Self {
        let (file, doubtful) = (None, None);
        Self { kind, rest: rest.to_vec(), at: 0, file, doubtful, given: Vec::new() }
    }

    pub(super) fn request(mut self) -> Result<Request, String> {
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
        let mut options = true;
        while let Some(text) = self.next() {
            if options && text == "--" {
                options = false;
                continue;
            }
            if !options {
                if let Some(first) = self.file.replace(text) {
                    return Err(one_file(&first));
                }
            } else if let Some(define) = text.strip_prefix("-D") {
                let define = match define {
                    "" => self.value("-D", None)?,
                    define => define.to_owned(),
                };
                self.allow("-D", &[Kind::Check, Kind::Simulate, Kind::Share])?;
                request.settings.defines.push(read_define(&define)?);
            } else if text.starts_with("--") {
                let (name, value) = match text.split_once('=') {
                    Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                    None => (text.clone(), None),
                };
                let from = self.at;
                self.option(&name, value, &mut request)?;
                let words = self.rest.get(from..self.at).unwrap_or(&[]);
                let words = std::iter::once(&text).chain(words).map(String::as_str);
                self.only_once(&name, words.collect::<Vec<_>>().join(" "))?;
            } else if text.starts_with('-') && text != "-" {
                return Err(format!("there is no option `{text}`"));
            } else if let Some(first) = self.file.replace(text) {
                return Err(one_file(&first));
            }
        }
        if self.file.is_none() && self.doubtful.is_some() {
            // `check --ltl model`: the name was that of the file.
            self.file = self.doubtful.take();
            match &mut request.property {
                Property::Claim { name } | Property::Ltl { name } => *name = None,
                Property::Acceptance { claim } => *claim = None,
                _ => {}
            }
        }
        request.file = self.file.clone().ok_or("there is no file")?;
        self.effects(&request)?;
        Ok(request)
    }

    fn next(&mut self) -> Option<String> {
        let text = self.rest.get(self.at).cloned();
        self.at += 1;
        text
    }

    fn value(&mut self, name: &str, given: Option<String>) -> Result<String, String> {
        given.or_else(|| self.next()).ok_or_else(|| format!("`{name}` needs a value"))
    }

    fn number<T: std::str::FromStr>(
        &mut self,
        name: &str,
        given: Option<String>,
    ) -> Result<T, String> {
        let text = self.value(name, given)?;
        text.parse().map_err(|_| {
            if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
                format!("`{name}` cannot be as large as {text}")
            } else {
                format!("`{name}` needs a number, not `{text}`")
            }
        })
    }

    fn within(
        &mut self,
        name: &str,
        given: Option<String>,
        least: u32,
        most: u32,
    ) -> Result<u32, String> {
        let number = self.number(name, given)?;
        if (least..=most).contains(&number) {
            return Ok(number);
        }
        Err(format!("`{name}` needs a number from {least} to {most}, not {number}"))
    }

    fn allow(&self, name: &str, kinds: &[Kind]) -> Result<(), String> {
        if kinds.contains(&self.kind) {
            return Ok(());
        }
        Err(format!("there is no option `{name}` here"))
    }

    fn option(
        &mut self,
        name: &str,
        value: Option<String>,
        request: &mut Request,
    ) -> Result<(), String> {
        use Kind::{Check, Share, Simulate};
        let flags = [
            "--all-errors",
            "--no-assertions",
            "--no-end-states",
            "--empty-channels",
            "--lose-messages",
            "--inner-unless",
            "--spin-counting",
            "--merge",
            "--json",
            "--trace",
            "--progress",
            "--non-progress",
        ];
        if value.is_some() && flags.contains(&name) {
            return Err(format!("`{name}` takes no value"));
        }
        let settings = &mut request.settings;
        let kinds: &[Kind] = match name {
            "--define" | "--claim" | "--ltl" | "--formula" | "--acceptance" | "--progress"
            | "--non-progress" | "--no-assertions" | "--lose-messages" | "--inner-unless" => {
                &[Check, Simulate, Share]
            }
            "--seed" => &[Check, Simulate, Share],
            "--steps" => &[Simulate],
            "--trace" => &[Share],
            "--json" | "--engine" => &[Check],
            _ => &[Check, Share],
        };
        match name {
            "--search" => settings.search = words::SEARCHES.read(&self.value(name, value)?)?,
            "--all-errors" => settings.all_errors = true,
            "--stop-at" => settings.stop_at = Some(self.number(name, value)?),
            "--keep" => settings.keep_violations = self.within(name, value, 1, MOST_KEPT)?,
            "--memory" => settings.memory_mib = self.within(name, value, 1, MOST_MIB)?,
            "--depth" => settings.depth_limit = Some(self.number(name, value)?),
            "--states" => settings.state_limit = Some(self.number(name, value)?),
            "--time" => settings.time_limit_seconds = Some(self.number(name, value)?),
            "--no-assertions" => settings.assertions = false,
            "--no-end-states" => settings.end_states = false,
            "--empty-channels" => settings.empty_channels_at_end = true,
            "--lose-messages" => settings.lose_messages = true,
            "--inner-unless" => settings.inner_unless_first = true,
            "--define" => {
                let define = self.value(name, value)?;
                settings.defines.push(read_define(&define)?);
            }
            "--claim" => {
                let name = value.or_else(|| self.claim_name());
                request.property = Property::Claim { name };
            }
            "--ltl" => {
                let name = value.or_else(|| self.claim_name());
                request.property = Property::Ltl { name };
            }
            "--formula" => {
                request.property = Property::Formula { text: self.value(name, value)? };
            }
            "--acceptance" => {
                let claim = value.or_else(|| self.claim_name());
                request.property = Property::Acceptance { claim };
            }
            "--progress" | "--non-progress" => request.property = Property::Progress,
            "--fairness" => settings.fairness = words::FAIRNESS.read(&self.value(name, value)?)?,
            "--algorithm" => {
                settings.emptiness = words::ALGORITHMS.read(&self.value(name, value)?)?
            }
            "--merge" => settings.merge = true,
            "--shuffle" => settings.shuffle = self.number(name, value)?,
            "--searchers" => {
                request.threads = Threads::Searchers(self.within(name, value, 1, 64)?);
            }
            "--swarm" => request.threads = Threads::Swarm(self.within(name, value, 1, 64)?),
            "--engine" => request.engine = words::ENGINES.read(&self.value(name, value)?)?,
            "--spin-counting" => request.spin_counting = true,
            "--json" => request.json = true,
            "--trace" => request.with_trace = true,
            "--store" => settings.store = words::STORES.read(&self.value(name, value)?)?,
            "--hashes" => settings.hashes = self.within(name, value, 1, 64)?,
            "--probing" => settings.probing = words::PROBING.read(&self.value(name, value)?)?,
            "--cell-bits" => settings.cell_bits = self.within(name, value, 4, 64)?,
            "--chain" => settings.chain = self.within(name, value, 0, 63)?,
            "--reduction" => {
                settings.reduction = words::REDUCTIONS.read(&self.value(name, value)?)?
            }
            "--proviso" => settings.proviso = words::PROVISOS.read(&self.value(name, value)?)?,
            "--dead-variables" => {
                settings.dead_variables = words::DEAD_VARIABLES.read(&self.value(name, value)?)?
            }
            "--write-only" => {
                settings.write_only = words::WRITE_ONLY.read(&self.value(name, value)?)?
            }
            "--seed" if self.kind == Simulate => request.seed = self.number(name, value)?,
            "--seed" => settings.seed = self.number(name, value)?,
            "--steps" => request.steps = self.number(name, value)?,
            _ => return Err(format!("there is no option `{name}`{}", similar(name))),
        }
        self.allow(name, kinds)
    }

    /// The next argument if it can be the name of a claim. It is the file's name only if no other
    /// argument is.
    fn claim_name(&mut self) -> Option<String> {
        let text = self.rest.get(self.at)?;
        let mut characters = text.chars();
        let starts = characters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
        let is_name = starts && characters.all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_name {
            return None;
        }
        if self.file.is_none() && std::path::Path::new(text).exists() {
            self.doubtful = Some(text.clone());
        }
        self.next()
    }
}

fn one_file(first: &str) -> String {
    format!("one file at a time, please: `{first}` is not the only one")
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
        "--help" => ": `promenade help`?",
        _ => "",
    }
}
