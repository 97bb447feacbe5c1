//! How many states fit into a budget: searches that are too large for it, on both sides.

use super::aims::{Aim, Bound};
use super::ours::Promenade;
use super::{Section, columns, mean, models, spin, spread, times};
use crate::shell::say;
use std::time::Duration;

/// The budget.
const MIB: u64 = 2048;
/// A depth that pan's stack, which is part of its budget, has room for.
const PAN_DEPTH: &str = "-m5000000";
/// Such searches take minutes.
const LIMIT: Duration = Duration::from_secs(1200);
/// Models with more states than fit into it.
const MODELS: &[&str] = &["lamport_nonatomic.5.pm", "peterson.5.pm"];

/// The table; none without the corpus.
pub fn section(promenade: &Promenade) -> Option<Section> {
    let folder = models::corpus()?.join("beem");
    let mut rows = Vec::new();
    let mut ratios = Vec::new();
    say(format!("searches that fill {MIB} MiB take minutes each"));
    for name in MODELS {
        let model = models::Model {
            name: format!("beem/{name}"),
            file: folder.join(name),
            states: None,
            depth: None,
        };
        let memory = MIB.to_string();
        let limit = format!("-DMEMLIM={MIB}");
        let gcc = ["-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", &limit];
        let theirs = spin::Verifier::compile_with(&model, &["-o1", "-o2", "-o3"], &gcc)
            .and_then(|verifier| verifier.fill(&["-c0", "-n", PAN_DEPTH], LIMIT));
        let ours = promenade.fill(&model, &["--spin-counting", "--memory", &memory], LIMIT);
        let mut row = vec![model.name.clone()];
        match (theirs, ours) {
            (Ok(theirs), Ok(ours)) => {
                row.push(told(&theirs));
                row.push(told(&ours));
                let ratio = ours.run.states as f64 / theirs.run.states.max(1) as f64;
                // With all states found, more would have fitted.
                let least = if ours.complete { "at least " } else { "" };
                row.push(format!("{least}{}", times(ratio)));
                ratios.push(ratio);
            }
            (Err(reason), _) => row.push(format!("pan: {reason}")),
            (_, Err(reason)) => row.push(format!("promenade: {reason}")),
        }
        eprintln!("  {}", row.join("  "));
        rows.push(row);
    }
    let aim = Aim {
        what: format!("states of the largest search in {MIB} MiB, over those of pan"),
        bound: Bound::AtLeast(2.0),
        value: mean(&ratios),
        reason: "where the search ended, there was room for more states than the model has.",
    };
    Some(Section {
        title: format!("The largest search in {MIB} MiB"),
        about: format!(
            "States stored when the memory was used up: `gcc -DSAFETY -DNOREDUCE -DMEMLIM={MIB}`, \
             `pan {PAN_DEPTH}`, whose stack is a part of that; `--spin-counting --memory {MIB}`."
        ),
        columns: columns(&["model", "pan", "promenade", "ratio"]),
        rows,
        verdict: vec![spread("Promenade's states over pan's", &mut ratios)],
        aims: vec![aim],
    })
}

/// A search that may have ended for want of memory.
#[derive(Debug)]
pub struct Filling {
    pub run: super::Run,
    /// All states were found.
    pub complete: bool,
}

fn told(filling: &Filling) -> String {
    let all = if filling.complete { ", all" } else { "" };
    let mib = filling.run.bytes / 1_048_576.0;
    format!("{}{all} ({mib:.0} MiB for states)", filling.run.states)
}

/// A report with the section and the aim of an earlier one, as a run without these searches has none of
/// its own; the section says so.
pub fn carried(before: &str, text: String) -> String {
    const HEADING: &str = "\n## The largest search";
    const AIM: &str = "\n| states of the largest search";
    const SAID: &str = "- Measured in an earlier run, with `--largest`.\n";
    let Some(start) = before.find(HEADING) else { return text };
    let rest = &before[start..];
    let end = rest[1..].find("\n## ").map_or(rest.len(), |end| end + 1);
    let section = rest[..end].trim_end().trim_end_matches(SAID.trim_end()).trim_end();
    let mut text = format!("{text}{section}\n{SAID}");
    let aim = before.find(AIM).map(|at| &before[at..]);
    let aim = aim.and_then(|aim| aim[1..].find('\n').map(|end| &aim[..=end]));
    let rows = text.find("\n## Aims").and_then(|at| Some(at + text[at..].find("|\n\n")? + 1));
    if let (Some(aim), Some(rows)) = (aim, rows) {
        text.insert_str(rows, aim);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_keeps_what_an_earlier_one_measured() {
        let new = "# B\n\n## Aims\n\n| what | |\n|---|---|\n| x | met |\n\n## T\n\ntext\n";
        let old = "# B\n\n## Aims\n\n| y | |\n| states of the largest search in 2 | met |\n\n\
                   ## The largest search in 2\n\n| a |\n\n- c\n\n## Z\n\nmore\n";
        let once = carried(old, new.to_owned());
        assert!(once.contains("| x | met |\n| states of the largest search in 2 | met |\n\n## T"));
        assert!(once.ends_with("text\n\n## The largest search in 2\n\n| a |\n\n- c\n- Measured in an earlier run, with `--largest`.\n"), "{once}");
        assert_eq!(carried(&once, new.to_owned()), once);
        assert_eq!(carried("", new.to_owned()), new);
    }
}
