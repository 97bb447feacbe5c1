//! `cargo xtask bench`: Promenade and SPIN side by side, on the same models, in one run.
//!
//! Two questions are asked. How long from source text to verdict, as a user at a prompt sees it:
//! `spin -run`, which translates, compiles and runs, against `promenade check`; both stop at the
//! first error. And how many states a second in an exhaustive search that counts every state once:
//! a verifier that gcc -O2 has compiled without reduction, against `promenade check
//! --spin-counting`. Runs alternate between the two, and the median of several counts. Where the
//! two disagree about the number of states, the row says so instead of giving a ratio.
//!
//! Both are asked of the command, and of the worker in a tab of headless Chromium, from sending the
//! text to having the report. Each question is a [`Section`], each of ours a [`Subject`]. Without SPIN
//! beside it, the tab is also asked how long it reads a formula.

mod aims;
mod browser;
mod formulas;
mod grading;
mod largest;
mod machine;
mod models;
mod ours;
mod reach;
mod spin;
mod variants;

use crate::places;
use crate::shell::{Outcome, say};
use aims::{Aim, Bound};
use models::Model;
use ours::Promenade;
use std::time::Duration;

/// What to measure.
pub struct Plan {
    /// How often each run is repeated.
    pub repeat: usize,
    /// Only models whose names contain this.
    pub filter: Option<String>,
    /// No models with more states than this.
    pub max_states: u64,
    /// Whether searches that fill the memory are measured, too.
    pub largest: bool,
    /// Whether only it is measured how far stores get in little memory.
    pub reach: bool,
    /// Whether only the reading of formulas is measured.
    pub formulas: bool,
    /// Whether only grading is measured.
    pub grading: bool,
}

/// One of our programs.
trait Subject {
    /// What the tables call it.
    fn name(&self) -> &'static str;

    /// How many times pan's states a second it should reach.
    fn wanted_rate(&self) -> f64;

    /// To the first error, as a user would.
    fn verdict(&mut self, model: &Model, limit: Duration) -> Result<Run, String>;

    /// Every state once, going on after errors.
    fn exhaust(&mut self, model: &Model, limit: Duration) -> Result<Run, String>;
}

/// One question and its answer: a heading, what was measured, a table.
struct Section {
    title: String,
    about: String,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    /// Lines under the table.
    verdict: Vec<String>,
    aims: Vec<Aim>,
}

/// A run that takes longer is ended and gives no number.
const LIMIT: Duration = Duration::from_secs(120);
/// Below this many states a rate would measure how fast a program starts.
const RATED: u64 = 10_000;
/// Below this many states compiling decides how long SPIN takes.
const PROMPT: u64 = 100_000;

/// Measures, prints, and writes BENCHMARKS.md.
pub fn run(plan: &Plan) -> Outcome {
    if plan.formulas {
        let section = formulas::section(&mut browser::start()?, plan.repeat);
        println!("{}", report(section.as_slice()));
        say("BENCHMARKS.md is left as it is: no model was run");
        return Ok(());
    }
    let mut promenade = ours::build()?;
    if plan.grading {
        println!("{}", report(&[grading::section(&promenade)?]));
        say("BENCHMARKS.md is left as it is: no model was run");
        return Ok(());
    }
    spin::ready()?;
    if plan.reach {
        return reached(&promenade, plan);
    }
    let models = models::list(plan)?;
    say(format!(
        "{} models, each run {} times; lines appear as they are done",
        models.len(),
        plan.repeat
    ));
    let mut sections = Vec::new();
    let mut ask = |subject: &mut dyn Subject| {
        sections.push(verdicts(subject, &models, plan.repeat));
        sections.push(rates(subject, &models, plan.repeat));
    };
    ask(&mut promenade);
    // The browser takes a part of the processors even when it is idle: it is there only while needed.
    let mut browser = browser::start()?;
    ask(&mut browser);
    sections.extend(formulas::section(&mut browser, plan.repeat));
    drop(browser);
    sections.extend(variants::sections(&promenade, &models, plan.repeat));
    sections.push(grading::section(&promenade)?);
    if plan.largest {
        sections.extend(largest::section(&promenade));
    }
    let file = places::root().join("BENCHMARKS.md");
    let mut text = report(&sections);
    if !plan.largest {
        let before = std::fs::read_to_string(&file).unwrap_or_default();
        text = largest::carried(&before, text);
    }
    let before = std::fs::read_to_string(&file).unwrap_or_default();
    if let Some(section) = reach::taken(&before) {
        text = reach::placed(&text, section);
    }
    println!("{text}");
    if plan.filter.is_none() {
        std::fs::write(&file, text)
            .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
        say("written to BENCHMARKS.md");
    } else {
        say("BENCHMARKS.md is left as it is: not every model was run");
    }
    Ok(())
}

/// Measures how far stores get, and puts that into BENCHMARKS.md.
fn reached(promenade: &Promenade, plan: &Plan) -> Outcome {
    let file = places::root().join("BENCHMARKS.md");
    let before = std::fs::read_to_string(&file).unwrap_or_default();
    let section = reach::section(promenade, plan.filter.as_deref(), &before);
    let Some(section) = section else { return Err("that needs the corpus".into()) };
    let text = shown(&section);
    println!("{text}");
    std::fs::write(&file, reach::placed(&before, &text))
        .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    say("written to BENCHMARKS.md");
    Ok(())
}

/// From source text to verdict.
fn verdicts(subject: &mut dyn Subject, models: &[Model], repeat: usize) -> Section {
    let mut rows = Vec::new();
    let mut ratios = Vec::new();
    let mut late = Vec::new();
    let mut without = Vec::new();
    let mut above = Vec::new();
    for model in models {
        let (theirs, ours) =
            alternate(repeat, || spin::verdict(model, LIMIT), || subject.verdict(model, LIMIT));
        let (cells, ratio) = match (theirs, ours) {
            (Ok(theirs), Ok(ours)) => {
                let ratio = theirs.seconds / ours.seconds;
                if ratio < 1.0 {
                    late.push(model.name.clone());
                }
                let large = model.states.is_some_and(|states| states >= PROMPT);
                if large { &mut above } else { &mut ratios }.push(ratio);
                (vec![seconds(theirs.seconds), seconds(ours.seconds)], Some(ratio))
            }
            (theirs, ours) => {
                without.push(model.name.clone());
                let cell = |result: Result<Run, String>| match result {
                    Ok(run) => seconds(run.seconds),
                    Err(reason) => reason,
                };
                (vec![cell(theirs), cell(ours)], None)
            }
        };
        let mut row = vec![model.name.clone()];
        row.extend(cells);
        row.push(ratio.map_or_else(|| "-".into(), times));
        eprintln!("  {}", row.join("  "));
        rows.push(row);
    }
    let worst = |ratios: &[f64]| ratios.iter().copied().reduce(f64::min).map(|least| 1.0 / least);
    let small = "generating and compiling a verifier takes SPIN 0.6 s; the slowest of these models \
                 are searched for more than a tenth of that.";
    let large = "of some models SPIN's reduction leaves less; of others nothing can be left out, and \
                 several hundred thousand states take longer than generating and compiling a \
                 verifier; and a long run to an error is written out here.";
    let cases = [(&ratios, "fewer", 0.1, small), (&above, "more", 0.5, large)];
    let aims = cases.map(|(ratios, size, most, reason)| Aim {
        what: format!(
            "time to a verdict, {}, over that of `spin -run`, the largest for {PROMPT} states and \
             {size}",
            subject.name()
        ),
        bound: Bound::AtMost(most),
        value: worst(ratios),
        reason,
    });
    let of =
        |size: &str| format!("SPIN's time over Promenade's, models of {PROMPT} states and {size}");
    let mut verdict = vec![spread(&of("fewer"), &mut ratios), spread(&of("more"), &mut above)];
    verdict.push(if late.is_empty() {
        "Promenade was never later.".into()
    } else {
        format!("Promenade was later on: {}.", late.join(", "))
    });
    if !without.is_empty() {
        verdict.push(format!("No comparison on: {}.", without.join(", ")));
    }
    Section {
        title: format!("From source text to verdict, {}", subject.name()),
        about: "In seconds, to the first error, on the gallery and on corpus models: the whole \
                command `spin -run -noclaim -DSAFETY`; the whole command `promenade check`, or in a \
                tab of headless Chromium, whose worker has been started, from sending the text to \
                having the report."
            .to_owned(),
        columns: columns(&["model", "spin -run", subject.name(), "times faster"]),
        rows,
        verdict,
        aims: aims.into(),
    }
}

/// States a second and bytes a state.
fn rates(subject: &mut dyn Subject, models: &[Model], repeat: usize) -> Section {
    let mut rows = Vec::new();
    let mut ratios = Vec::new();
    let mut bytes = Vec::new();
    for model in models.iter().filter(|model| model.states.is_some_and(|states| states >= RATED)) {
        let verifier = match spin::Verifier::compile(model) {
            Ok(verifier) => verifier,
            Err(reason) => {
                rows.push(vec![model.name.clone(), reason]);
                continue;
            }
        };
        let (theirs, ours) =
            alternate(repeat, || verifier.run(LIMIT), || subject.exhaust(model, LIMIT));
        let mut row = vec![model.name.clone()];
        match (theirs, ours) {
            (Ok(theirs), Ok(ours)) => {
                row.push(theirs.states.to_string());
                row.push(rate(&theirs));
                row.push(rate(&ours));
                if theirs.states == ours.states {
                    let ratio = theirs.seconds / ours.seconds;
                    ratios.push(ratio);
                    row.push(times(ratio));
                } else {
                    row.push(format!("{} states", ours.states));
                }
                row.push(format!("{:.1}", theirs.bytes_per_state()));
                row.push(format!("{:.1}", ours.bytes_per_state()));
                bytes.push(ours.bytes_per_state() / theirs.bytes_per_state());
            }
            (Err(reason), _) => row.push(format!("pan: {reason}")),
            (_, Err(reason)) => row.push(format!("promenade: {reason}")),
        }
        eprintln!("  {}", row.join("  "));
        rows.push(row);
    }
    let aims = vec![
        Aim {
            what: format!("states a second, {}, over those of pan", subject.name()),
            bound: Bound::AtLeast(subject.wanted_rate()),
            value: mean(&ratios),
            reason: "two thirds of the time go into the store, most of it waiting for memory: to \
                     find a state, and to compare it with what is stored. Touching the places of \
                     all successors beforehand, other sizes of pages and of what is kept whole \
                     made it no faster. What pan needs beside that, gcc has compiled for the one \
                     model.",
        },
        Aim {
            what: format!("bytes a state, {}, over those of pan", subject.name()),
            bound: Bound::AtMost(0.5),
            value: mean(&bytes),
            reason: "states are kept whole until they take 2 MiB, which is all there is of small \
                     state spaces, and the table of states takes six to ten bytes for each, which \
                     pan's number leaves out.",
        },
    ];
    Section {
        title: format!("States a second, {}", subject.name()),
        about: format!(
            "Exhaustive searches that go on after errors and count every state: `pan -c0` made by \
             `spin -a -o1 -o2 -o3` and `gcc -O2 -DSAFETY -DNOREDUCE`, without the time to compile, \
             and Promenade counting alike, including its time to read the text, on models of {RATED} \
             states and more. Bytes a state: memory for states over states; Promenade's with all tables, \
             pan's without its hash table."
        ),
        columns: columns(&[
            "model",
            "states",
            "pan, states/s",
            "promenade, states/s",
            "ratio",
            "pan, bytes",
            "promenade, bytes",
        ]),
        rows,
        verdict: vec![
            spread("Promenade's states a second over pan's", &mut ratios),
            spread("Promenade's bytes a state over pan's", &mut bytes),
        ],
        aims,
    }
}

/// What one run gave.
#[derive(Clone, Debug)]
struct Run {
    seconds: f64,
    states: u64,
    /// Memory for states.
    bytes: f64,
}

impl Run {
    fn bytes_per_state(&self) -> f64 {
        self.bytes / (self.states.max(1) as f64)
    }
}

/// Runs both several times, in turn, and gives the medians; an error ends its side.
fn alternate(
    repeat: usize,
    mut one: impl FnMut() -> Result<Run, String>,
    mut two: impl FnMut() -> Result<Run, String>,
) -> (Result<Run, String>, Result<Run, String>) {
    let (mut first, mut second) = (Ok(Vec::new()), Ok(Vec::new()));
    for _ in 0..repeat {
        first = first.and_then(|runs| grown(runs, one()));
        second = second.and_then(|runs| grown(runs, two()));
    }
    (first.and_then(median), second.and_then(median))
}

fn grown(mut runs: Vec<Run>, next: Result<Run, String>) -> Result<Vec<Run>, String> {
    runs.push(next?);
    Ok(runs)
}

/// The run with the median time.
fn median(mut runs: Vec<Run>) -> Result<Run, String> {
    runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    runs.get(runs.len() / 2).cloned().ok_or_else(|| "not run".into())
}

/// The geometric mean.
fn mean(ratios: &[f64]) -> Option<f64> {
    let sum: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
    (!ratios.is_empty()).then(|| (sum / ratios.len() as f64).exp())
}

/// Smallest, geometric mean and largest of ratios, as a sentence.
fn spread(what: &str, ratios: &mut [f64]) -> String {
    ratios.sort_by(f64::total_cmp);
    let (Some(least), Some(most), Some(mean)) = (ratios.first(), ratios.last(), mean(ratios))
    else {
        return format!("{what}: nothing to compare.");
    };
    format!("{what}: {least:.2} to {most:.2}, geometric mean {mean:.2} ({} models).", ratios.len())
}

fn columns(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn seconds(value: f64) -> String {
    format!("{value:.3}")
}

fn times(ratio: f64) -> String {
    format!("{ratio:.2}")
}

fn rate(run: &Run) -> String {
    format!("{:.0}", run.states as f64 / run.seconds)
}

fn report(sections: &[Section]) -> String {
    let mut text = String::from("# Benchmarks\n\nWritten by `cargo xtask bench`; do not edit.\n\n");
    text.push_str(&machine::described());
    text.push_str(&aims::told(sections.iter().flat_map(|section| &section.aims)));
    for section in sections {
        text.push_str(&shown(section));
    }
    text
}

/// A section as text.
fn shown(section: &Section) -> String {
    let mut text = format!("\n## {}\n\n{}\n\n", section.title, section.about);
    text.push_str(&format!("| {} |\n", section.columns.join(" | ")));
    text.push_str(&format!("|---{}|\n", "|---:".repeat(section.columns.len() - 1)));
    for row in &section.rows {
        let missing = section.columns.len().saturating_sub(row.len());
        text.push_str(&format!("| {}{} |\n", row.join(" | "), " | ".repeat(missing)));
    }
    if !section.verdict.is_empty() {
        text.push('\n');
    }
    for line in &section.verdict {
        text.push_str(&format!("- {line}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_median_and_stops_at_errors() {
        let mut times = [3.0, 1.0, 2.0].into_iter();
        let (one, two) = alternate(
            3,
            || Ok(Run { seconds: times.next().unwrap(), states: 1, bytes: 8.0 }),
            || Err("no".into()),
        );
        assert_eq!(one.unwrap().seconds, 2.0);
        assert_eq!(two.unwrap_err(), "no");
    }

    #[test]
    fn writes_a_table_with_every_cell() {
        let section = Section {
            title: "T".into(),
            about: "A".into(),
            columns: columns(&["a", "b", "c"]),
            rows: vec![vec!["x".into()], vec!["1".into(), "2".into(), "3".into()]],
            verdict: vec![spread("r", &mut [1.0, 4.0])],
            aims: Vec::new(),
        };
        let text = report(&[section]);
        assert!(
            text.contains("| a | b | c |\n|---|---:|---:|\n| x |  |  |\n| 1 | 2 | 3 |"),
            "{text}"
        );
        assert!(text.contains("r: 1.00 to 4.00, geometric mean 2.00 (2 models)."));
    }
}
