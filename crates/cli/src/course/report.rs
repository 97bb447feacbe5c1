//! Grades as text, CSV, JSON, JUnit and for Gradescope.

use promenade_assignment::Assignment;
use promenade_assignment::html::escape;
use promenade_protocol::{CheckStatus, Grade, TaskGrade, TaskStatus};
use serde::Serialize;
use std::fmt::Write;

/// Two submissions that look alike.
#[derive(Serialize)]
pub(super) struct Alike {
    pub first: String,
    pub second: String,
    /// Part of the smaller one that is shared.
    pub percent: u32,
    /// Fingerprints that they share.
    pub shared: usize,
}

/// A status in a word or two.
pub(super) fn word(status: TaskStatus) -> &'static str {
    match status {
        TaskStatus::Passed => "passed",
        TaskStatus::Partial => "partial",
        TaskStatus::Failed => "failed",
        TaskStatus::Missing => "missing",
        TaskStatus::Rejected => "rejected",
        TaskStatus::Inconclusive => "not conclusive",
        TaskStatus::InternalError => "internal error",
    }
}

/// Why a task came out as it did: its message and the checks that did not pass.
pub(super) fn reasons(task: &TaskGrade) -> Vec<String> {
    let mut lines = Vec::new();
    if !task.message.is_empty() {
        lines.push(task.message.clone());
    }
    let failing = task.checks.iter().filter(|check| check.status != CheckStatus::Passed);
    lines.extend(failing.map(|check| format!("{}: {}", check.title, check.message)));
    lines
}

/// For the terminal.
pub(super) fn text(grades: &[Grade], alike: &[Alike]) -> String {
    let mut out = String::new();
    for grade in grades {
        let _ = writeln!(out, "{}: {} of {}", grade.submission, grade.score, grade.max);
        for problem in &grade.problems {
            let _ = writeln!(out, "  ! {problem}");
        }
        for task in &grade.tasks {
            let (id, score, max) = (&task.id, task.score, task.max);
            let _ = writeln!(out, "  {id}: {} ({score} of {max})", word(task.status));
            for reason in reasons(task) {
                let _ = writeln!(out, "    - {reason}");
            }
        }
    }
    if !alike.is_empty() {
        out.push_str("\nSubmissions that look alike (a hint to look at them, no proof):\n");
        for Alike { first, second, percent, .. } in alike {
            let _ = writeln!(out, "  {percent} %: {first} and {second}");
        }
    }
    if grades.len() > 1 {
        let complete = grades.iter().filter(|grade| grade.is_complete()).count();
        let _ = writeln!(out, "\n{} submissions, {complete} with full points", grades.len());
    }
    out
}

/// A line a submission.
pub(super) fn csv(assignment: &Assignment, grades: &[Grade]) -> String {
    let mut head = vec!["submission".to_owned()];
    head.extend(assignment.fields.iter().cloned());
    head.extend(["score".to_owned(), "max".to_owned()]);
    for task in &assignment.tasks {
        head.extend([task.id.clone(), format!("{} status", task.id)]);
    }
    head.push("problems".to_owned());
    let mut out = line(&head);
    for grade in grades {
        let mut cells = vec![grade.submission.clone()];
        for at in 0..assignment.fields.len() {
            cells.push(field(assignment, grade, at));
        }
        cells.extend([grade.score.to_string(), grade.max.to_string()]);
        for task in &assignment.tasks {
            let found = grade.tasks.iter().find(|it| it.id == task.id);
            cells.push(found.map_or(String::new(), |it| it.score.to_string()));
            cells.push(found.map_or(String::new(), |it| word(it.status).to_owned()));
        }
        cells.push(grade.problems.join("; "));
        out.push_str(&line(&cells));
    }
    out
}

/// What the student says in a field.
pub(super) fn field(assignment: &Assignment, grade: &Grade, number: usize) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let Some(name) = assignment.fields.get(number) else { return String::new() };
    let key: String = name.chars().map(|c| if fits(c) { c } else { '-' }).collect();
    let found = grade.fields.iter().find(|(known, _)| *known == key || known == name);
    found.map_or(String::new(), |(_, value)| value.clone())
}

/// Cells with commas between. What a spreadsheet would take for a formula is marked as text.
fn line(cells: &[String]) -> String {
    let cell = |text: &String| {
        let number = text.parse::<f64>().is_ok();
        let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && !number;
        let text = if formula { format!("'{text}") } else { text.clone() };
        if text.contains(['"', ',', '\n', '\r', ';']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text
        }
    };
    cells.iter().map(cell).collect::<Vec<_>>().join(",") + "\r\n"
}

/// Everything.
pub(super) fn json(grades: &[Grade], alike: &[Alike]) -> String {
    #[derive(Serialize)]
    struct All<'a> {
        version: &'a str,
        grades: &'a [Grade],
        similar: &'a [Alike],
    }
    let all = All { version: promenade_protocol::VERSION, grades, similar: alike };
    serde_json::to_string_pretty(&all).unwrap_or_default() + "\n"
}

/// A test suite a submission, a test case a task.
pub(super) fn junit(assignment: &Assignment, grades: &[Grade]) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites name=\"{}\">", escape(&assignment.title));
    for grade in grades {
        let count = |statuses: &[TaskStatus]| {
            grade.tasks.iter().filter(|task| statuses.contains(&task.status)).count()
        };
        let passed = count(&[TaskStatus::Passed]);
        let errors = count(&[TaskStatus::InternalError, TaskStatus::Inconclusive]);
        let failures = grade.tasks.len() - passed - errors;
        let _ = writeln!(
            out,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\">",
            escape(&grade.submission),
            grade.tasks.len()
        );
        for task in &grade.tasks {
            let _ = write!(
                out,
                "    <testcase classname=\"{}\" name=\"{}\"",
                escape(&assignment.id),
                escape(&task.id)
            );
            let why = escape(&reasons(task).join("\n"));
            let status = word(task.status);
            let _ = match task.status {
                TaskStatus::Passed => writeln!(out, "/>"),
                TaskStatus::InternalError | TaskStatus::Inconclusive => {
                    writeln!(out, "><error message=\"{status}\">{why}</error></testcase>")
                }
                _ => writeln!(out, "><failure message=\"{status}\">{why}</failure></testcase>"),
            };
        }
        if !grade.problems.is_empty() {
            let problems = escape(&grade.problems.join("\n"));
            let _ = writeln!(out, "    <system-err>{problems}</system-err>");
        }
        out.push_str("  </testsuite>\n");
    }
    out + "</testsuites>\n"
}

/// What Gradescope's autograder reads as `results.json`, for one submission.
pub(super) fn gradescope(grades: &[Grade]) -> String {
    #[derive(Serialize)]
    struct Test {
        name: String,
        score: f64,
        max_score: f64,
        status: &'static str,
        output: String,
        visibility: &'static str,
    }
    #[derive(Serialize)]
    struct Results {
        score: f64,
        output: String,
        visibility: &'static str,
        stdout_visibility: &'static str,
        tests: Vec<Test>,
    }
    let Some(grade) = grades.first() else { return String::new() };
    let test = |task: &TaskGrade| Test {
        name: task.title.clone(),
        score: task.score,
        max_score: task.max,
        status: if task.status == TaskStatus::Passed { "passed" } else { "failed" },
        output: std::iter::once(word(task.status).to_owned())
            .chain(reasons(task))
            .collect::<Vec<_>>()
            .join("\n"),
        visibility: "visible",
    };
    let mut problems = grade.problems.clone();
    if grades.len() > 1 {
        problems.push("several submissions were found; this is the first".to_owned());
    }
    let results = Results {
        score: grade.score,
        output: problems.join("\n"),
        visibility: "visible",
        stdout_visibility: "hidden",
        tests: grade.tasks.iter().map(test).collect(),
    };
    serde_json::to_string_pretty(&results).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_no_formulas() {
        let cells = ["=1+1", "-3", "-x", "a,b", "say \"hi\"", "@x", "2.5"].map(str::to_owned);
        assert_eq!(line(&cells), "'=1+1,-3,'-x,\"a,b\",\"say \"\"hi\"\"\",'@x,2.5\r\n");
    }
}
