//! How long a course's submissions take to be graded.

use super::aims::{Aim, Bound};
use super::ours::Promenade;
use super::{Section, columns};
use crate::places;
use crate::shell::{Outcome, say};
use std::fs;
use std::path::Path;
use std::time::Instant;

/// Submissions, over all assignments.
const SUBMISSIONS: usize = 200;
/// Graded at once.
const JOBS: usize = 2;
/// In seconds.
const MOST: f64 = 60.0;

/// The table: submissions made of the sample solutions, some of them broken.
pub fn section(promenade: &Promenade) -> Outcome<Section> {
    let folder = places::root().join("tests/suite/assignments");
    let mut names: Vec<_> = fs::read_dir(&folder)
        .map_err(|error| format!("cannot read {}: {error}", folder.display()))?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|it| it == "md"))
        .collect();
    names.sort();
    let each = SUBMISSIONS.div_ceil(names.len().max(1));
    say(format!("{} submissions are graded, {JOBS} at once", each * names.len()));
    let scratch = std::env::temp_dir().join(format!("promenade-grading-{}", std::process::id()));
    let measured: Outcome<Vec<(String, f64)>> =
        names.iter().map(|path| one(promenade, path, &scratch, each)).collect();
    let _ = fs::remove_dir_all(&scratch);
    let measured = measured?;
    let total: f64 = measured.iter().map(|(_, seconds)| seconds).sum();
    let rows = measured
        .into_iter()
        .map(|(name, seconds)| vec![name, each.to_string(), format!("{seconds:.2}")])
        .collect();
    Ok(Section {
        title: "Grading".to_owned(),
        about: format!(
            "In seconds, `promenade grade --jobs {JOBS}` on submissions to the assignments of \
             `tests/suite/assignments`: their sample solutions, and every third with its regions \
             emptied."
        ),
        columns: columns(&["assignment", "submissions", "seconds"]),
        rows,
        verdict: vec![format!("All together: {total:.2} s.")],
        aims: vec![Aim {
            what: format!("seconds to grade {SUBMISSIONS} submissions, {JOBS} at once"),
            bound: Bound::AtMost(MOST),
            value: Some(total),
            reason: "some of these models take a long time.",
        }],
    })
}

/// Grades so many submissions to one assignment.
fn one(promenade: &Promenade, path: &Path, scratch: &Path, each: usize) -> Outcome<(String, f64)> {
    let text = fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let name = path.file_stem().map_or_else(String::new, |it| it.to_string_lossy().into_owned());
    let folder = scratch.join(&name);
    let solutions = blocks(&text, "solution");
    for number in 0..each {
        let own = folder.join(format!("student-{number:03}"));
        let written = fs::create_dir_all(&own).and_then(|()| {
            for (file, solution) in &solutions {
                let text = if number % 3 == 2 { emptied(solution) } else { solution.clone() };
                fs::write(own.join(file), text)?;
            }
            Ok(())
        });
        written.map_err(|error| format!("cannot write {}: {error}", own.display()))?;
        if solutions.is_empty() {
            fs::write(own.join("answers.md"), "---\npromenade-submission: 1\n---\n")
                .map_err(|error| format!("cannot write {}: {error}", own.display()))?;
        }
        for (task, answer) in answers(&text) {
            fs::write(own.join(format!("{task}.txt")), answer)
                .map_err(|error| format!("cannot write {}: {error}", own.display()))?;
        }
    }
    let begun = Instant::now();
    promenade.grade(path, &folder, JOBS)?;
    Ok((name, begun.elapsed().as_secs_f64()))
}

/// Fenced blocks with this attribute: its value and the text.
fn blocks(text: &str, attribute: &str) -> Vec<(String, String)> {
    let mark = format!(" {attribute}=\"");
    let mut found = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in text.lines() {
        if line.starts_with("```") {
            found.extend(open.take());
            let name = line.split_once(&mark).and_then(|(_, rest)| rest.split_once('"'));
            open = name.map(|(name, _)| (name.to_owned(), String::new()));
        } else if let Some((_, inside)) = &mut open {
            inside.push_str(line);
            inside.push('\n');
        }
    }
    found
}

/// The sample answers of tasks that have one line.
fn answers(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut id = String::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("id: ") {
            name.clone_into(&mut id);
        } else if let Some(answer) = line.strip_prefix("solution: ").filter(|it| *it != "|") {
            found.push((id.clone(), answer.to_owned()));
        }
    }
    found
}

/// A solution with nothing in its regions.
fn emptied(solution: &str) -> String {
    let mut inside = false;
    let mut kept = String::new();
    for line in solution.lines() {
        if line.contains("END EDIT") {
            inside = false;
        }
        if !inside {
            kept.push_str(line);
            kept.push('\n');
        }
        if line.contains("BEGIN EDIT") {
            inside = true;
        }
    }
    kept
}
