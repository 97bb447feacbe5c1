//! How long reading a formula takes in a tab: every formula of the corpus.

use super::aims::{Aim, Bound};
use super::browser::Worker;
use super::{Section, columns, models};
use crate::shell::say;
use std::fs;

/// Rows of the table: the slowest formulas.
const SHOWN: usize = 10;
/// In milliseconds.
const MOST: f64 = 50.0;

/// A formula of the corpus, with the median of its times in milliseconds.
struct Timed {
    id: String,
    text: String,
    milliseconds: f64,
}

/// The table; none without the corpus.
pub fn section(worker: &mut Worker, repeat: usize) -> Option<Section> {
    let table = models::corpus()?.join("ltl/formulas.tsv");
    let text = match fs::read_to_string(&table) {
        Ok(text) => text,
        Err(error) => {
            say(format!("no formulas: cannot read {}: {error}", table.display()));
            return None;
        }
    };
    let formulas: Vec<(String, String)> = listed(&text);
    say(format!("{} formulas, each read {repeat} times in a tab", formulas.len()));
    // What is compiled when it is first used is compiled now.
    for (_, text) in &formulas {
        worker.formula(text).ok()?;
    }
    let mut timed = Vec::new();
    let mut verdict = Vec::new();
    for (id, text) in formulas {
        let times: Result<Vec<f64>, String> = (0..repeat).map(|_| worker.formula(&text)).collect();
        match times {
            Ok(mut times) => {
                times.sort_by(f64::total_cmp);
                let milliseconds = times[times.len() / 2] * 1000.0;
                timed.push(Timed { id, text, milliseconds });
            }
            Err(reason) => verdict.push(format!("{id}: {reason}")),
        }
    }
    timed.sort_by(|a, b| b.milliseconds.total_cmp(&a.milliseconds));
    let slowest = timed.first().map(|first| first.milliseconds);
    let sum: f64 = timed.iter().map(|one| one.milliseconds).sum();
    let above = timed.iter().filter(|one| one.milliseconds > MOST).count();
    verdict.insert(
        0,
        format!(
            "{} formulas take {:.2} s together; {above} of them more than {MOST} ms.",
            timed.len(),
            sum / 1000.0
        ),
    );
    let rows = timed.iter().take(SHOWN).map(|one| {
        let row = vec![one.id.clone(), told(&one.text), format!("{:.1}", one.milliseconds)];
        eprintln!("  {}", row.join("  "));
        row
    });
    Some(Section {
        title: "Reading a formula, promenade in a tab".to_owned(),
        about: format!(
            "In milliseconds, the {SHOWN} slowest formulas of the corpus: from sending the text to \
             having the report, with small automata of the formula and of its negation, their \
             pictures and texts, the class, and whether repetition is seen. Medians of {repeat} runs \
             in headless Chromium, after each formula was read once."
        ),
        columns: columns(&["formula", "text", "ms"]),
        rows: rows.collect(),
        verdict,
        aims: vec![Aim {
            what: "milliseconds for a formula in a tab, the slowest of formulas.tsv".to_owned(),
            bound: Bound::AtMost(MOST),
            value: slowest,
            reason: "small automata are found by trying, which the longest formulas of the corpus \
                     leave most room for.",
        }],
    })
}

/// Numbers and texts of the formulas in a table of the corpus.
fn listed(text: &str) -> Vec<(String, String)> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let names: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| names.iter().position(|other| *other == name);
    let (Some(id), Some(formula)) = (column("id"), column("formula")) else { return Vec::new() };
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        Some(((*cells.get(id)?).to_owned(), (*cells.get(formula)?).to_owned()))
    };
    lines.filter_map(row).collect()
}

/// A formula as a cell of a table.
fn told(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_found_by_the_names_of_columns() {
        let text = "# a comment\nid\tn\tformula\nf1\t2\tp || q\nf2\t1\n";
        assert_eq!(listed(text), vec![("f1".to_owned(), "p || q".to_owned())]);
        assert_eq!(told("p || q"), "`p \\|\\| q`");
    }
}
