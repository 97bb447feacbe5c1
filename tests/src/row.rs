//! From a row of SPIN's table to an experiment, and from a report to an outcome.

use promenade_protocol::{
    Define, Experiment, Fairness, File, Property, Reduction, Report, Settings, Verdict, WriteOnly,
};
use promenade_testkit::corpus::{Corpus, Row};
use std::fmt;

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Demand {
    /// Stored, matched and errors are equal.
    Counts,
    /// Violated or not.
    Verdict,
    /// The text is refused.
    Refusal,
}

/// What either side says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A complete run's numbers.
    Counts {
        /// Distinct states.
        stored: u64,
        /// Arrivals at stored states.
        matched: u64,
        /// Reports.
        errors: u64,
    },
    /// Violated or not, where numbers mean nothing.
    Verdict {
        /// Whether there was a violation.
        violated: bool,
    },
    /// The text was refused.
    Refused,
    /// Anything else, in words.
    Other(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Counts { stored, matched, errors } => {
                write!(f, "{stored}/{matched}/{} e{errors}", stored + matched)
            }
            Self::Verdict { violated: true } => f.write_str("violated"),
            Self::Verdict { violated: false } => f.write_str("no violation"),
            Self::Refused => f.write_str("refused"),
            Self::Other(text) => f.write_str(text),
        }
    }
}

/// Why a row is not compared.
pub type NotCompared = &'static str;

/// What to demand of a row, or why nothing can be.
pub fn demand(row: &Row) -> Result<Demand, NotCompared> {
    let has = |list: &[String], flag: &str| list.iter().any(|f| f == flag);
    if row.status == "spin-error" {
        return Ok(Demand::Refusal);
    }
    if row.status != "ok" {
        return Err("SPIN gave no answer");
    }
    let refused = ["spin-error", "cc-error", "error:", "pan: error"];
    let cut = row.first_error.contains("max search depth");
    if !cut && refused.iter().any(|r| row.first_error.starts_with(r)) {
        return Ok(Demand::Refusal);
    }
    if has(&row.compile_flags, "-DBFS") || has(&row.compile_flags, "-DREACH") {
        return Err("another search of SPIN's, with other counts");
    }
    if infinite(row) {
        return Ok(Demand::Verdict);
    }
    let full = ["-o1", "-o2", "-o3"].iter().all(|f| has(&row.spin_flags, f));
    if row.way == "first" {
        return Ok(Demand::Verdict);
    }
    if full && has(&row.compile_flags, "-DNOREDUCE") && row.stored.is_some() {
        return Ok(Demand::Counts);
    }
    if full && has(&row.compile_flags, "-DNOREDUCE") {
        return Ok(Demand::Verdict);
    }
    Err("reduced counts")
}

/// Whether the row is about infinite runs.
fn infinite(row: &Row) -> bool {
    let flag = |wanted: &str| row.run_flags.iter().any(|flag| flag == wanted);
    row.way.starts_with("live") || row.way == "np" || flag("-a") || flag("-l")
}

/// What a text has that SPIN takes along without being asked.
#[derive(Clone, Debug, Default)]
pub struct Content {
    /// Never claims.
    pub claims: bool,
    /// Names of `ltl` blocks.
    pub formulas: Vec<String>,
    /// All names that `-N` can give.
    pub names: Vec<String>,
}

/// The property of a row about infinite runs; an error names what has no counterpart.
fn property_of_infinite(row: &Row, content: &Content) -> Result<Property, String> {
    let flag = |wanted: &str| row.run_flags.iter().any(|flag| flag == wanted);
    let named = match row.way.strip_prefix("live:") {
        Some("never") => None,
        Some(name) => Some(name.to_owned()),
        None => {
            let at = row.run_flags.iter().position(|flag| flag == "-N");
            at.and_then(|at| row.run_flags.get(at + 1)).cloned()
        }
    };
    if row.way == "np" || flag("-l") {
        return Ok(Property::Progress);
    }
    Ok(match named {
        Some(name) if content.formulas.contains(&name) => Property::Ltl { name: Some(name) },
        Some(name) => Property::Acceptance { claim: Some(name) },
        None if !content.claims && !content.formulas.is_empty() => Property::Ltl { name: None },
        None => Property::Acceptance { claim: None },
    })
}

/// SPIN's outcome.
pub fn expected(row: &Row, demand: Demand) -> Outcome {
    match (demand, row.stored, row.matched, row.errors) {
        (Demand::Refusal, ..) => Outcome::Refused,
        (Demand::Verdict, _, _, Some(errors)) => Outcome::Verdict { violated: errors > 0 },
        (Demand::Counts, Some(stored), Some(matched), Some(errors)) => {
            Outcome::Counts { stored, matched, errors }
        }
        _ => Outcome::Other(row.first_error.clone()),
    }
}

/// The experiment that a row describes. An error names a flag that has no counterpart.
pub fn experiment(corpus: &Corpus, row: &Row, content: &Content) -> Result<Experiment, String> {
    let mut settings = Settings { memory_mib: 2048, keep_violations: 1, ..Settings::default() };
    let mut property = match content.claims {
        _ if infinite(row) => property_of_infinite(row, content)?,
        true => Property::Claim { name: None },
        false => Property::Safety,
    };
    for flag in &row.spin_flags {
        match flag.as_str() {
            "-o1" | "-o3" => {}
            "-o2" => settings.write_only = WriteOnly::Keep,
            "-m" => settings.lose_messages = true,
            "-J" => settings.inner_unless_first = true,
            _ => match flag.strip_prefix("-D") {
                Some(define) => settings.defines.push(read_define(define)),
                None => return Err(format!("spin {flag}")),
            },
        }
    }
    for flag in &row.compile_flags {
        match flag.as_str() {
            "-DNOCLAIM" => property = Property::Safety,
            // Without reduction, promises of exclusive use are not checked.
            "-DNOREDUCE" if demand(row) == Ok(Demand::Counts) => {
                settings.reduction = Reduction::None;
            }
            "-DSAFETY" | "-DNOREDUCE" | "-DCOLLAPSE" | "-DNP" | "-DHC4" | "-DBITSTATE" => {}
            flag if flag.starts_with("-DVECTORSZ=") || flag.starts_with("-DNFAIR=") => {}
            flag => return Err(format!("gcc {flag}")),
        }
    }
    for flag in &row.run_flags {
        match flag.as_str() {
            "-a" | "-l" | "-N" => {}
            // The depth limit is an error; none is reached in these rows.
            "-b" if infinite(row) => {}
            "-f" => settings.fairness = Fairness::Weak,
            name if content.names.iter().any(|known| known == name) => {}
            "-c0" => settings.all_errors = true,
            "-E" => settings.end_states = false,
            "-A" => settings.assertions = false,
            "-q" => settings.empty_channels_at_end = true,
            "-J" => settings.inner_unless_first = true,
            flag => match (flag.strip_prefix("-c"), flag.strip_prefix("-m")) {
                (Some(n), _) if n.parse::<u32>().is_ok() => settings.stop_at = n.parse().ok(),
                (_, Some(n)) if n.parse::<u32>().is_ok() => settings.depth_limit = n.parse().ok(),
                _ => return Err(format!("pan {flag}")),
            },
        }
    }
    let text = corpus
        .text(&row.set, &row.file)
        .map_err(|error| format!("the model cannot be read: {error}"))?;
    let mut files = vec![File { name: row.file.clone(), text: text.clone() }];
    include_files(corpus, row, &text, &mut files);
    Ok(Experiment { files, property, settings })
}

/// Files that the text includes, from the folder of the model.
fn include_files(corpus: &Corpus, row: &Row, text: &str, files: &mut Vec<File>) {
    let folder = row.file.rsplit_once('/').map_or("", |(folder, _)| folder);
    for line in text.lines() {
        let Some(rest) = line.trim().strip_prefix("#include") else { continue };
        let name = rest.trim().trim_matches(['"', '<', '>']);
        if files.iter().any(|f| f.name == name) {
            continue;
        }
        let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        if let Ok(text) = corpus.text(&row.set, &path) {
            files.push(File { name: name.to_owned(), text: text.clone() });
            include_files(corpus, row, &text, files);
        }
    }
}

fn read_define(text: &str) -> Define {
    match text.split_once('=') {
        Some((name, value)) => Define { name: name.to_owned(), value: Some(value.to_owned()) },
        None => Define { name: text.to_owned(), value: None },
    }
}

/// Our outcome.
pub fn ours(report: &Report, demand: Demand) -> Outcome {
    let violated = report.statistics.errors > 0 || report.verdict == Verdict::Violated;
    // SPIN refuses the whole text for a wrong formula.
    let formula = report.diagnostics.iter().any(|it| it.message.contains("cannot be checked"));
    match &report.verdict {
        Verdict::InputError => Outcome::Refused,
        _ if demand == Demand::Refusal && formula => Outcome::Refused,
        Verdict::InternalError { message } => Outcome::Other(format!("internal error: {message}")),
        _ if demand == Demand::Counts => Outcome::Counts {
            stored: report.statistics.states_stored,
            matched: report.statistics.states_matched,
            errors: report.statistics.errors,
        },
        Verdict::NoViolationFound { why } => Outcome::Other(format!("stopped: {why:?}")),
        _ => Outcome::Verdict { violated },
    }
}
