//! How far the stores get in little memory, beside pan: states reached in each order, on models that
//! are too large or too deep for it.

use super::models::{self, Model};
use super::ours::Promenade;
use super::{Section, columns, spin};
use crate::shell::say;
use std::time::Duration;

/// Budgets, with what pan gets of each: bits of its array or of its table of slots as powers of two,
/// and the depth of its stack, which it reserves at the start.
const BUDGETS: &[Budget] = &[
    Budget { mib: 16, array: "-w26", slots: "-w18", depth: "-m80000" },
    Budget { mib: 64, array: "-w28", slots: "-w20", depth: "-m320000" },
    Budget { mib: 256, array: "-w30", slots: "-w22", depth: "-m1280000" },
];

struct Budget {
    mib: u32,
    array: &'static str,
    slots: &'static str,
    depth: &'static str,
}

/// A run that takes longer is ended; what it has reached by then counts, with a sign.
const SECONDS: u64 = 60;

/// Large models of the corpus: the first two are deep.
const MODELS: &[&str] = &[
    "wild/deep-anderson.6.pm",
    "beem/adding.6.pm",
    "beem/at.4.pm",
    "beem/blocks.4.pm",
    "beem/elevator.4.pm",
    "beem/firewire_link.5.pm",
    "beem/frogs.4.pm",
    "beem/krebs.4.pm",
    "beem/lamport_nonatomic.5.pm",
    "beem/peterson.5.pm",
];

/// Ours: a column with its options.
const OURS: &[(&str, &[&str])] = &[
    ("exact", &["--store", "exact"]),
    ("automatic", &["--store", "automatic"]),
    ("collapse", &["--store", "collapse"]),
    ("hash-compact", &["--store", "hash-compact"]),
    ("bitstate", &["--store", "bitstate"]),
    ("exact, bfs", &["--store", "exact", "--search", "bfs"]),
    ("hash-compact, bfs", &["--store", "hash-compact", "--search", "bfs"]),
    ("bitstate, bfs", &["--store", "bitstate", "--search", "bfs"]),
];

/// Theirs: a column with options of gcc.
const THEIRS: &[(&str, &str)] =
    &[("pan BITSTATE", "-DBITSTATE"), ("pan HC4", "-DHC4"), ("pan COLLAPSE", "-DCOLLAPSE")];

/// The table, with new rows for models whose names contain the filter and the others as an earlier
/// report has them; none without the corpus.
pub fn section(promenade: &Promenade, filter: Option<&str>, before: &str) -> Option<Section> {
    let corpus = models::corpus()?;
    let known = rows_of(taken(before).unwrap_or_default());
    let mut rows = Vec::new();
    say(format!("states reached in little memory: up to {SECONDS} s a run"));
    for name in MODELS {
        let file = corpus.join(name);
        let model = Model { name: (*name).to_owned(), file, states: None, depth: None };
        for budget in BUDGETS {
            let title = format!("{name}, {} MiB", budget.mib);
            if filter.is_some_and(|text| !title.contains(text)) {
                rows.extend(known.iter().find(|row| row.first() == Some(&title)).cloned());
                continue;
            }
            let mut row = vec![title];
            row.extend(OURS.iter().map(|(_, options)| ours(promenade, &model, budget, options)));
            row.extend(THEIRS.iter().map(|(_, flag)| theirs(&model, budget, flag)));
            eprintln!("  {}", row.join("  "));
            rows.push(row);
        }
    }
    let names = OURS.iter().map(|(name, _)| *name).chain(THEIRS.iter().map(|(name, _)| *name));
    let names: Vec<&str> = std::iter::once("model, memory").chain(names).collect();
    Some(Section {
        title: TITLE.to_owned(),
        about: format!(
            "States stored in so much memory, depth first but for the columns with bfs, without a \
             reduction: `--reduction none --all-errors --keep 1 --time {SECONDS}`; pan made by `gcc \
             -DSAFETY -DNOREDUCE -DNOCLAIM -DMEMLIM`, with the largest array and the deepest stack \
             that fit (`-w26 -m80000`, `-w28 -m320000`, `-w30 -m1280000`; slots of the tables `-w18`, \
             `-w20`, `-w22`). *: all states, but for collisions in lossy stores. t: ended by the time \
             limit of {SECONDS} s, after as many. Others ended for want of memory, or have left \
             something out where a path, a queue or pan's stack had no room."
        ),
        columns: columns(&names),
        rows,
        verdict: Vec::new(),
        aims: Vec::new(),
    })
}

/// The heading of the table.
pub const TITLE: &str = "How far stores get in little memory";

fn ours(promenade: &Promenade, model: &Model, budget: &Budget, options: &[&str]) -> String {
    let (memory, time) = (budget.mib.to_string(), SECONDS.to_string());
    let common = ["--reduction", "none", "--all-errors", "--keep", "1", "--memory", &memory];
    let options = [&common[..], &["--time", &time], options].concat();
    // Its own limit ends it; the other one is for what hangs.
    match promenade.reach(model, &options, Duration::from_secs(2 * SECONDS)) {
        Ok((states, why)) => match why.as_deref() {
            None | Some("omissions") => format!("{states}*"),
            Some("time") => format!("{states} t"),
            Some(_) => states.to_string(),
        },
        Err(reason) => reason,
    }
}

fn theirs(model: &Model, budget: &Budget, flag: &str) -> String {
    let limit = format!("-DMEMLIM={}", budget.mib);
    let gcc = ["-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", flag, &limit];
    let table = if flag == "-DBITSTATE" { budget.array } else { budget.slots };
    let pan = ["-c0", "-n", table, budget.depth];
    let filled = spin::Verifier::compile_with(model, &["-o1", "-o2", "-o3"], &gcc)
        .and_then(|verifier| verifier.fill(&pan, Duration::from_secs(SECONDS)));
    match filled {
        Ok(filled) => {
            let all = if filled.complete { "*" } else { "" };
            format!("{}{all}", filled.run.states)
        }
        Err(reason) => reason,
    }
}

/// A report in which this section stands instead of the one with the same heading, or at the end.
pub fn placed(before: &str, section: &str) -> String {
    let heading = format!("\n## {TITLE}");
    let Some(start) = before.find(&heading) else {
        return format!("{}\n{section}", before.trim_end_matches('\n'));
    };
    let rest = &before[start..];
    let end = rest[1..].find("\n## ").map_or(rest.len(), |end| end + 1);
    let (head, tail) = (&before[..=start], &rest[end..]);
    format!("{head}{}{tail}", section.trim_start_matches('\n'))
}

/// The rows of the table of a section.
fn rows_of(section: &str) -> Vec<Vec<String>> {
    let lines = section.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    lines.skip(1).map(|line| line.split(" | ").map(str::to_owned).collect()).collect()
}

/// The section of a report, if it has one.
pub fn taken(report: &str) -> Option<&str> {
    let start = report.find(&format!("\n## {TITLE}"))?;
    let rest = &report[start..];
    let end = rest[1..].find("\n## ").map_or(rest.len(), |end| end + 1);
    Some(&rest[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_takes_the_place_of_the_earlier_one() {
        let section = |what: &str| format!("\n## {TITLE}\n\n{what}\n");
        let first = placed("# B\n\n## Other\n\ntext\n", &section("one"));
        assert_eq!(first, format!("# B\n\n## Other\n\ntext\n\n## {TITLE}\n\none\n"));
        assert_eq!(taken(&first), Some(section("one").as_str()));
        assert_eq!(placed(&first, &section("two")), first.replace("one", "two"));
        let between = format!("# B\n{}\n## Z\n\nend\n", section("one"));
        assert_eq!(placed(&between, &section("three")), between.replace("one", "three"));
        assert_eq!(taken("# B\n"), None);
        let table = "\n| model | a |\n|---|---:|\n| x, 16 MiB | 1* |\n| y, 16 MiB | 2 |\n";
        assert_eq!(rows_of(table), [["x, 16 MiB", "1*"], ["y, 16 MiB", "2"]]);
    }
}
