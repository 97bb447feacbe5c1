//! The command line, read.

use crate::help::Topic;
use promenade_protocol::{
    Define, Emptiness, Fairness, Probing, Property, Proviso, Reduction, Search, Settings, Store,
};
use std::ffi::OsString;

/// Memory in mebibytes unless something else is asked for.
pub(crate) const MEMORY_MIB: u32 = 1024;

/// Megabytes that can be asked for: 16 TiB.
const MOST_MIB: u32 = 16 << 20;
/// Errors that are kept with a run, as the checker does it.
const MOST_KEPT: u32 = 1000;

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
        "ltl" => return formula(rest),
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
    let request = Reader { kind, rest: rest.to_vec(), at: 0, given: Vec::new() }.request()?;
    Ok(match kind {
        Kind::Check => Command::Check(request),
        Kind::Simulate => Command::Simulate(request),
        Kind::Trace => Command::Trace(request),
        Kind::Share => Command::Share(request),
    })
}

/// `promenade ltl`
fn formula(rest: &[String]) -> Result<Command, String> {
    let mut request = FormulaRequest {
        formula: String::new(),
        never: None,
        format: Format::Text,
        buchi: false,
        raw: false,
        alternating: false,
        negated: false,
    };
    let mut formula = None;
    let mut rest = rest.iter();
    let mut options = true;
    while let Some(text) = rest.next() {
        if options && text == "--" {
            options = false;
            continue;
        }
        if !options {
            if formula.replace(text.clone()).is_some() {
                return Err("one formula at a time, please: put it into quotes".to_owned());
            }
            continue;
        }
        let (name, given) = match text.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value)),
            _ => (text.as_str(), None),
        };
        match name {
            "--help" | "-h" => return Ok(Command::Help(Topic::Ltl)),
            "--ba" => request.buchi = true,
            "--tgba" => request.buchi = false,
            "--raw" => request.raw = true,
            "--negate" => request.negated = true,
            "--via" => {
                let value = given.or_else(|| rest.next().map(String::as_str));
                request.alternating = match value.ok_or("`--via` needs a value")? {
                    "best" => false,
                    "alternating" => true,
                    other => {
                        return Err(format!("a way is `best` or `alternating`, not `{other}`"));
                    }
                };
            }
            "--never" => {
                let value = given.or_else(|| rest.next().map(String::as_str));
                let value = value.ok_or("`--never` needs a file, or `-` for the standard input")?;
                request.never = Some(value.to_owned());
            }
            "--format" => {
                let value = given.or_else(|| rest.next().map(String::as_str));
                request.format = match value.ok_or("`--format` needs a value")? {
                    "text" => Format::Text,
                    "hoa" => Format::Hoa,
                    "dot" => Format::Dot,
                    "never" => Format::Never,
                    "latex" => Format::Latex,
                    "json" => Format::Json,
                    other => {
                        return Err(format!(
                            "a format is `text`, `hoa`, `dot`, `never`, `latex` or `json`, not \
                             `{other}`"
                        ));
                    }
                };
            }
            _ if name.starts_with("--") => return Err(format!("there is no option `{name}`")),
            _ if formula.is_some() => {
                return Err("one formula at a time, please: put it into quotes".to_owned());
            }
            _ => formula = Some(text.clone()),
        }
    }
    match (formula, &request.never) {
        (Some(_), Some(_)) => return Err("a formula or a claim, not both".to_owned()),
        (None, None) => return Err("there is no formula".to_owned()),
        (formula, _) => request.formula = formula.unwrap_or_default(),
    }
    Ok(Command::Ltl(request))
}

fn help(rest: &[String]) -> Result<Command, String> {
    let topic = match rest.first().map(String::as_str) {
        None => Topic::All,
        Some("check") => Topic::Check,
        Some("simulate") => Topic::Simulate,
        Some("trace") => Topic::Trace,
        Some("share") => Topic::Share,
        Some("ltl") => Topic::Ltl,
        Some(other) => return Err(format!("there is no help about `{other}`")),
    };
    Ok(Command::Help(topic))
}

struct Reader {
    kind: Kind,
    rest: Vec<String>,
    at: usize,
    /// Choices made so far: what is chosen, and the words that do.
    given: Vec<(&'static str, String)>,
}

impl Reader {
    fn request(mut self) -> Result<Request, String> {
        let mut file = None;
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
                if let Some(first) = file.replace(text) {
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
            } else if let Some(first) = file.replace(text) {
                return Err(one_file(&first));
            }
        }
        request.file = file.ok_or("there is no file")?;
        self.effects(&request)?;
        Ok(request)
    }

    /// Complains about options that the others leave without effect.
    fn effects(&self, request: &Request) -> Result<(), String> {
        let Request { settings, threads, .. } = request;
        let given = |what: &str| self.given.iter().find(|(it, _)| *it == what).map(|(_, it)| it);
        let store = settings.store;
        let swarm = matches!(threads, Threads::Swarm(_));
        for (what, has_effect, needs) in [
            ("the number of hashes", store == Store::Bitstate, "`--store bitstate`"),
            ("how bits are placed", store == Store::Bitstate, "`--store bitstate`"),
            (
                "the condition on cycles",
                settings.reduction == Reduction::AmpleSets,
                "`--reduction ample`",
            ),
            (
                "the size of a cell",
                store.has_signatures(),
                "`--store hash-compact` or `--store automatic`",
            ),
            ("the length of chains", store == Store::Delta, "`--store delta`"),
            (
                "the seed",
                self.kind == Kind::Simulate || store.has_seed() || swarm,
                "`--store bitstate`, `hash-compact`, `automatic` or `caching`, or `--swarm`",
            ),
        ] {
            if let Some(words) = given(what).filter(|_| !has_effect) {
                return Err(format!("`{words}` has no effect without {needs}"));
            }
        }
        let search = given("the order of the search");
        if let (Some(words), Threads::Searchers(_), Search::DepthFirst) =
            (search, threads, settings.search)
        {
            return Err(format!(
                "`{words}` does not go with `--searchers`, which is breadth-first"
            ));
        }
        let of = given("the number of threads");
        if let Some(words) = of.filter(|_| self.kind == Kind::Share && !request.with_trace) {
            return Err(format!(
                "`{words}` has no effect without `--trace`: a link does not say how many threads a \
                 check has"
            ));
        }
        Ok(())
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

    /// Complains about a second choice of the same thing.
    fn only_once(&mut self, name: &str, words: String) -> Result<(), String> {
        let what = match name {
            "--claim" | "--ltl" | "--formula" | "--acceptance" | "--progress"
            | "--non-progress" => "the property",
            "--searchers" | "--swarm" => "the number of threads",
            "--engine" => "the engine",
            "--search" => "the order of the search",
            "--stop-at" => "where to stop",
            "--keep" => "how many errors are kept",
            "--memory" => "the memory",
            "--depth" => "the depth",
            "--states" => "the number of states",
            "--time" => "the time",
            "--fairness" => "fairness",
            "--algorithm" => "the algorithm",
            "--store" => "the store",
            "--hashes" => "the number of hashes",
            "--probing" => "how bits are placed",
            "--cell-bits" => "the size of a cell",
            "--reduction" => "the reduction",
            "--proviso" => "the condition on cycles",
            "--chain" => "the length of chains",
            "--shuffle" => "the order of steps",
            "--seed" => "the seed",
            "--steps" => "the number of steps",
            _ => return Ok(()),
        };
        match self.given.iter().find(|(other, _)| *other == what) {
            Some((_, first)) if *first != words => {
                Err(format!("`{first}` and `{words}` both choose {what}: give one of them"))
            }
            Some(_) => Ok(()),
            None => {
                self.given.push((what, words));
                Ok(())
            }
        }
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
            "--search" => {
                settings.search = match self.value(name, value)?.as_str() {
                    "dfs" => Search::DepthFirst,
                    "bfs" => Search::BreadthFirst,
                    other => return Err(format!("a search is `dfs` or `bfs`, not `{other}`")),
                }
            }
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
            "--fairness" => {
                settings.fairness = match self.value(name, value)?.as_str() {
                    "none" => Fairness::None,
                    "weak" => Fairness::Weak,
                    other => return Err(format!("fairness is `none` or `weak`, not `{other}`")),
                }
            }
            "--algorithm" => {
                settings.emptiness = match self.value(name, value)?.as_str() {
                    "automatic" => Emptiness::Automatic,
                    "nested-dfs" => Emptiness::NestedDfs,
                    "couvreur" => Emptiness::Couvreur,
                    "couvreur-shy" => Emptiness::CouvreurShy,
                    "couvreur-without-rem" => Emptiness::CouvreurWithoutRem,
                    "generalised-nested-dfs" => Emptiness::GeneralisedNestedDfs,
                    "nested-dfs-original" => Emptiness::OriginalNestedDfs,
                    "geldenhuys-valmari" => Emptiness::GeldenhuysValmari,
                    other => {
                        return Err(format!(
                            "an algorithm is `automatic`, `nested-dfs`, \
                             `generalised-nested-dfs`, `couvreur`, `couvreur-shy`, \
                             `couvreur-without-rem`, `geldenhuys-valmari` or \
                             `nested-dfs-original`, not `{other}`"
                        ));
                    }
                }
            }
            "--merge" => settings.merge = true,
            "--shuffle" => settings.shuffle = self.number(name, value)?,
            "--searchers" => {
                request.threads = Threads::Searchers(self.within(name, value, 1, 64)?);
            }
            "--swarm" => request.threads = Threads::Swarm(self.within(name, value, 1, 64)?),
            "--engine" => {
                request.engine = match self.value(name, value)?.as_str() {
                    "auto" => Engine::Automatic,
                    "interpret" => Engine::Interpret,
                    "compiled" => Engine::Compiled,
                    other => {
                        return Err(format!(
                            "an engine is `auto`, `interpret` or `compiled`, not `{other}`"
                        ));
                    }
                }
            }
            "--spin-counting" => request.spin_counting = true,
            "--json" => request.json = true,
            "--trace" => request.with_trace = true,
            "--store" => {
                settings.store = match self.value(name, value)?.as_str() {
                    "exact" => Store::Exact,
                    "automatic" => Store::Automatic,
                    "collapse" => Store::Collapse,
                    "automaton" => Store::Automaton,
                    "delta" => Store::Delta,
                    "caching" => Store::Caching,
                    "hash-compact" => Store::HashCompact,
                    "bitstate" => Store::Bitstate,
                    other => {
                        return Err(format!(
                            "a store is `exact`, `automatic`, `collapse`, `automaton`, \
                             `delta`, `caching`, `hash-compact` or `bitstate`, not `{other}`"
                        ));
                    }
                }
            }
            "--hashes" => settings.hashes = self.within(name, value, 1, 64)?,
            "--probing" => {
                settings.probing = match self.value(name, value)?.as_str() {
                    "double" => Probing::Double,
                    "enhanced" => Probing::EnhancedDouble,
                    "triple" => Probing::Triple,
                    "independent" => Probing::Independent,
                    other => {
                        return Err(format!(
                            "bits are placed by `double`, `enhanced`, `triple` or `independent` \
                             probing, not `{other}`"
                        ));
                    }
                }
            }
            "--cell-bits" => settings.cell_bits = self.within(name, value, 4, 64)?,
            "--chain" => settings.chain = self.within(name, value, 0, 63)?,
            "--reduction" => {
                settings.reduction = match self.value(name, value)?.as_str() {
                    "none" => Reduction::None,
                    "ample" => Reduction::AmpleSets,
                    other => {
                        return Err(format!("a reduction is `none` or `ample`, not `{other}`"));
                    }
                }
            }
            "--proviso" => {
                settings.proviso = match self.value(name, value)?.as_str() {
                    "automatic" => Proviso::Automatic,
                    "dynamic" => Proviso::Dynamic,
                    "static" => Proviso::Static,
                    other => {
                        return Err(format!(
                            "a condition on cycles is `automatic`, `dynamic` or `static`, not \
                             `{other}`"
                        ));
                    }
                }
            }
            "--seed" if self.kind == Simulate => request.seed = self.number(name, value)?,
            "--seed" => settings.seed = self.number(name, value)?,
            "--steps" => request.steps = self.number(name, value)?,
            _ => return Err(format!("there is no option `{name}`{}", similar(name))),
        }
        self.allow(name, kinds)
    }

    /// The next argument if it can only be the name of a claim.
    fn claim_name(&mut self) -> Option<String> {
        let text = self.rest.get(self.at)?;
        let mut characters = text.chars();
        let starts = characters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
        let is_name = starts && characters.all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_name || std::path::Path::new(text).exists() {
            return None;
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
    if name.trim().is_empty() {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Command, String> {
        parse(line.split_whitespace().map(OsString::from))
    }

    fn check(line: &str) -> Request {
        match read(line) {
            Ok(Command::Check(request)) => request,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn options_are_read() {
        let request = check(
            "check --search bfs a.pml --all-errors --memory=64 -DN=3 -D M --define K=a=b --time 5 \
             --no-assertions --empty-channels --json --spin-counting --stop-at 4",
        );
        assert_eq!(request.file, "a.pml");
        let settings = &request.settings;
        assert_eq!(settings.search, Search::BreadthFirst);
        assert_eq!((settings.memory_mib, settings.time_limit_seconds), (64, Some(5)));
        assert_eq!(settings.stop_at, Some(4));
        assert!(!settings.assertions && settings.empty_channels_at_end && settings.end_states);
        assert!(request.json && request.spin_counting);
        let defines: Vec<(&str, Option<&str>)> =
            settings.defines.iter().map(|d| (d.name.as_str(), d.value.as_deref())).collect();
        assert_eq!(defines, [("N", Some("3")), ("M", None), ("K", Some("a=b"))]);
    }

    #[test]
    fn claims_may_have_names() {
        let claim = |line: &str| match check(line).property {
            Property::Claim { name } => name,
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(claim("check --claim a.pml"), None);
        assert_eq!(claim("check a.pml --claim"), None);
        assert_eq!(claim("check a.pml --claim wait"), Some("wait".to_owned()));
        assert_eq!(claim("check --claim=wait a.pml"), Some("wait".to_owned()));
    }

    #[test]
    fn formulas_are_read() {
        let read = |arguments: &[&str]| parse(arguments.iter().map(OsString::from));
        let Ok(Command::Ltl(request)) = read(&["ltl", "[] (p -> <> q)", "--ba", "--format=hoa"])
        else {
            panic!("no formula");
        };
        assert_eq!(request.formula, "[] (p -> <> q)");
        assert!(request.buchi && request.format == Format::Hoa && !request.negated);
        for wrong in [
            &["ltl"][..],
            &["ltl", "p", "q"],
            &["ltl", "p", "--format", "x"],
            &["ltl", "--all", "p"],
            &["ltl", "--never"],
            &["ltl", "--never", "a.never", "p"],
        ] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn mistakes_are_explained() {
        for line in [
            "check a --keep 0",
            "check a --memory 0",
            "check a -- b",
            "check a --ltl p --progress",
            "check a --claim --claim=x",
            "check a --search bfs --search dfs",
            "check a --memory 1 --memory=2",
            "",
            "chek a.pml",
            "a.pml",
            "check",
            "check a b",
            "check a --memory",
            "check a --memory x",
            "check a --seed x",
            "check a --store lossy",
            "check a --hashes 0",
            "check a --cell-bits 65",
            "check a --reduction all",
            "check a --proviso never",
            "check a --probing once",
            "simulate a --json",
            "check a -x",
            "check a --json=1",
            "check a --search random",
            "trace x --define N",
            "check a -D =3",
            "help me",
        ] {
            assert!(read(line).is_err(), "{line}");
        }
        assert_eq!(read("check --help"), Ok(Command::Help(Topic::Check)));
        assert_eq!(check("check -- --help").file, "--help");
        assert_eq!(check("check --json -- -x.pml").file, "-x.pml");
        assert!(
            check("check a --search bfs --search bfs --progress --progress").settings.search
                == Search::BreadthFirst
        );
        let both = read("check a.pml --ltl p --fairness weak --progress");
        let told = "`--ltl p` and `--progress` both choose the property: give one of them";
        assert_eq!(both, Err(told.to_owned()));
        let large = read("check a.pml --memory 99999999999");
        assert_eq!(large, Err("`--memory` cannot be as large as 99999999999".to_owned()));
        let large = read("check a.pml --memory 999999999");
        let told = "`--memory` needs a number from 1 to 16777216, not 999999999";
        assert_eq!(large, Err(told.to_owned()));
        assert_eq!(read("--version"), Ok(Command::Version));
    }
}
