//! Stores, reduction and several searchers, against what SPIN has for the same purpose.

use super::aims::{Aim, Bound};
use super::models::Model;
use super::ours::Promenade;
use super::{LIMIT, RATED, Run, Section, alternate, columns, mean, rate, spin, spread, times};

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Measure {
    /// Memory for states over states.
    Bytes,
    /// States a second.
    Rate,
    /// States stored.
    States,
}

/// One technique on both sides.
struct Variant {
    title: &'static str,
    about: &'static str,
    /// Options of `spin -a`, of gcc, of pan.
    spin: &'static [&'static str],
    gcc: &'static [&'static str],
    pan: &'static [&'static str],
    /// Options of `promenade check`.
    ours: &'static [&'static str],
    measure: Measure,
    aim: Bound,
    /// What is known of the reason if the aim is missed.
    reason: &'static str,
}

const PLAIN: &[&str] = &["-o1", "-o2", "-o3"];

const VARIANTS: &[Variant] = &[
    Variant {
        title: "Collapse",
        about: "Bytes a state with collapse compression: `gcc -DCOLLAPSE`, `--store collapse`. \
                Promenade's number is all memory for states, tables included.",
        spin: PLAIN,
        gcc: &["-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-DCOLLAPSE"],
        pan: &["-c0", "-n"],
        ours: &["--all-errors", "--keep", "1", "--store", "collapse"],
        measure: Measure::Bytes,
        aim: Bound::AtMost(0.8),
        reason: "the tables of parts take their memory at once, which counts in small searches.",
    },
    Variant {
        title: "Bitstate",
        about: "States a second with three bits a state in 128 MiB: `gcc -DBITSTATE`, \
                `pan -k3 -w30`; `--store bitstate --probing blocked --hashes 3 --memory 170`, three \
                quarters of which are for the array. The bits of a state are beside each other, which \
                misses more than three anywhere; six of them miss less.",
        spin: PLAIN,
        gcc: &["-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-DBITSTATE"],
        pan: &["-c0", "-n", "-k3", "-w30"],
        ours: &[
            "--all-errors",
            "--keep",
            "1",
            "--store",
            "bitstate",
            "--probing",
            "blocked",
            "--memory",
            "170",
        ],
        measure: Measure::Rate,
        aim: Bound::AtLeast(1.5),
        reason: "setting up 128 MiB takes both as long as a search of some ten thousand states. In \
                 larger ones half of the time is waiting for memory: to have a state's bits beside \
                 each other, and to fetch those of all successors together, has gained a fifth. Arrays \
                 that the system makes zero where they are touched made it no faster.",
    },
    Variant {
        title: "Partial-order reduction",
        about: "States stored: `spin -a` and `gcc -DSAFETY` with all that SPIN reduces by default \
                (ample sets, statement merging), `--reduction ample` (ample sets only).",
        spin: &[],
        gcc: &["-DSAFETY", "-DNOCLAIM"],
        pan: &["-c0", "-n"],
        ours: &["--all-errors", "--keep", "1", "--reduction", "ample"],
        measure: Measure::States,
        aim: Bound::AtMost(1.1),
        reason: "SPIN merges statements, too.",
    },
];

/// All tables, for models that have enough states.
pub fn sections(promenade: &Promenade, models: &[Model], repeat: usize) -> Vec<Section> {
    let enough = |model: &&Model| model.states.is_some_and(|states| states >= RATED);
    let models: Vec<&Model> = models.iter().filter(enough).collect();
    let mut sections: Vec<Section> =
        VARIANTS.iter().map(|variant| compare(variant, promenade, &models, repeat)).collect();
    sections.push(searchers(promenade, &models, repeat));
    sections
}

fn cell(measure: Measure, run: &Run) -> String {
    match measure {
        Measure::Bytes => format!("{:.1}", run.bytes_per_state()),
        Measure::Rate => rate(run),
        Measure::States => run.states.to_string(),
    }
}

/// Ours over theirs.
fn ratio(measure: Measure, theirs: &Run, ours: &Run) -> f64 {
    match measure {
        Measure::Bytes => ours.bytes_per_state() / theirs.bytes_per_state(),
        Measure::Rate => {
            (ours.states as f64 / ours.seconds) / (theirs.states as f64 / theirs.seconds)
        }
        Measure::States => ours.states as f64 / theirs.states.max(1) as f64,
    }
}

fn compare(variant: &Variant, promenade: &Promenade, models: &[&Model], repeat: usize) -> Section {
    let mut rows = Vec::new();
    let mut ratios = Vec::new();
    // Only times vary.
    let repeat = if variant.measure == Measure::Rate { repeat } else { 1 };
    for model in models {
        let mut row = vec![model.name.clone()];
        match spin::Verifier::compile_with(model, variant.spin, variant.gcc) {
            Err(reason) => row.push(reason),
            Ok(verifier) => {
                let (theirs, ours) = alternate(
                    repeat,
                    || verifier.run_with(variant.pan, LIMIT),
                    || promenade.states(model, variant.ours, LIMIT),
                );
                match (theirs, ours) {
                    (Ok(theirs), Ok(ours)) => {
                        row.push(cell(variant.measure, &theirs));
                        row.push(cell(variant.measure, &ours));
                        let ratio = ratio(variant.measure, &theirs, &ours);
                        ratios.extend(Some(ratio).filter(|ratio| ratio.is_finite()));
                        row.push(times(ratio));
                    }
                    (Err(reason), _) => row.push(format!("pan: {reason}")),
                    (_, Err(reason)) => row.push(format!("promenade: {reason}")),
                }
            }
        }
        eprintln!("  {}", row.join("  "));
        rows.push(row);
    }
    Section {
        title: variant.title.to_owned(),
        about: variant.about.to_owned(),
        columns: columns(&["model", "pan", "promenade", "ratio"]),
        rows,
        verdict: vec![spread("Promenade's over pan's", &mut ratios)],
        aims: vec![Aim {
            what: format!("{}: Promenade's over pan's", variant.title),
            bound: variant.aim,
            value: mean(&ratios),
            reason: variant.reason,
        }],
    }
}

/// From this many states on, sharing them should pay.
const SHARED: u64 = 1_000_000;

fn searchers(promenade: &Promenade, models: &[&Model], repeat: usize) -> Section {
    let mut rows = Vec::new();
    let mut ratios = Vec::new();
    for model in models.iter().filter(|model| model.states.is_some_and(|n| n >= SHARED)) {
        let run = |of: &str| {
            let options = ["--all-errors", "--keep", "1", "--search", "bfs", "--searchers", of];
            promenade.states(model, &options, LIMIT)
        };
        let (one, two) = alternate(repeat, || run("1"), || run("2"));
        let mut row = vec![model.name.clone()];
        match (one, two) {
            (Ok(one), Ok(two)) => {
                row.push(one.states.to_string());
                row.push(format!("{:.2}", one.seconds));
                row.push(format!("{:.2}", two.seconds));
                if one.states == two.states {
                    ratios.push(one.seconds / two.seconds);
                    row.push(times(one.seconds / two.seconds));
                } else {
                    row.push(format!("{} states", two.states));
                }
            }
            (Err(reason), _) | (_, Err(reason)) => row.push(reason),
        }
        eprintln!("  {}", row.join("  "));
        rows.push(row);
    }
    Section {
        title: "Two searchers".to_owned(),
        about: format!(
            "Seconds of an exact breadth-first search by one and by two threads that share the \
             states, on models of {SHARED} states and more."
        ),
        columns: columns(&["model", "states", "one", "two", "times faster"]),
        rows,
        verdict: vec![spread("Time of one over time of two", &mut ratios)],
        aims: vec![Aim {
            what: format!("time of one searcher over that of two, from {SHARED} states on"),
            bound: Bound::AtLeast(1.6),
            value: mean(&ratios),
            reason: "two threads share the processor's caches and the way to memory.",
        }],
    }
}
