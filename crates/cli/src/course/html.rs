//! Grades as a page that needs no other file and loads nothing.

use super::report::{Alike, field, word};
use promenade_assignment::html::{escape, render};
use promenade_assignment::{Assignment, Piece, Role};
use promenade_protocol::{CheckStatus, Grade, TaskGrade, TaskStatus};
use std::fmt::Write;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;\
padding:0 1rem;color:#1a1a1a;background:#fff}h1,h2,h3{line-height:1.2}table{border-collapse:collapse;\
width:100%}th,td{border:1px solid #bbb;padding:.3rem .5rem;text-align:left;vertical-align:top}\
.passed{color:#0a5c2b}.failed{color:#9b1c1c}.open{color:#7a4d00}pre{overflow:auto;padding:.5rem;\
background:#f3f3f3}article{border-top:2px solid #bbb;margin-top:2rem}.math{font-style:italic}\
@media (prefers-color-scheme:dark){body{color:#e6e6e6;background:#161616}pre{background:#222}\
.passed{color:#6fd08c}.failed{color:#ff9a9a}.open{color:#f0c060}a{color:#8ab4ff}}";

/// Nothing is loaded or run, whatever a submission holds.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

fn page(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}</body>\n</html>\n"
    )
}

/// All grades on one page.
pub(super) fn report(
    assignment: &Assignment,
    grades: &[Grade],
    alike: &[Alike],
    address: &str,
) -> String {
    let mut body = String::new();
    if grades.len() > 1 {
        let targets: Vec<String> = (0..grades.len()).map(|number| format!("#s{number}")).collect();
        body.push_str(&table(assignment, grades, &targets));
        body.push_str(&similar(alike));
    }
    for (number, grade) in grades.iter().enumerate() {
        let _ = write!(
            body,
            "<article id=\"s{number}\">\n{}</article>\n",
            article(assignment, grade, address)
        );
    }
    page(&assignment.title, &body)
}

/// A list of pages with a grade each.
pub(super) fn index(
    assignment: &Assignment,
    grades: &[Grade],
    names: &[String],
    alike: &[Alike],
) -> String {
    let body = table(assignment, grades, names) + &similar(alike);
    page(&assignment.title, &body)
}

fn table(assignment: &Assignment, grades: &[Grade], targets: &[String]) -> String {
    let mut out = String::from("<table>\n<thead><tr><th>Submission</th>");
    for name in &assignment.fields {
        let _ = write!(out, "<th>{}</th>", escape(name));
    }
    for task in &assignment.tasks {
        let _ = write!(out, "<th>{} ({})</th>", escape(&task.title), task.points);
    }
    let _ = write!(out, "<th>Points ({})</th></tr></thead>\n<tbody>\n", assignment.points());
    for (grade, target) in grades.iter().zip(targets) {
        let (target, label) = (escape(target), escape(&grade.submission));
        let _ = write!(out, "<tr><td><a href=\"{target}\">{label}</a></td>");
        for at in 0..assignment.fields.len() {
            let _ = write!(out, "<td>{}</td>", escape(&field(assignment, grade, at)));
        }
        for task in &assignment.tasks {
            let found = grade.tasks.iter().find(|it| it.id == task.id);
            let cell = found.map_or(String::new(), |it| {
                format!(
                    "<span class=\"{}\">{}: {}</span>",
                    class(it.status),
                    word(it.status),
                    it.score
                )
            });
            let _ = write!(out, "<td>{cell}</td>");
        }
        let _ = writeln!(out, "<td>{}</td></tr>", grade.score);
    }
    out + "</tbody>\n</table>\n"
}

fn similar(alike: &[Alike]) -> String {
    if alike.is_empty() {
        return String::new();
    }
    let mut out = String::from(
        "<h2>Submissions that look alike</h2>\n<p>Names, comments and layout are left out of the \
         comparison, and so is what stands in the assignment. This is a hint to look at them, no \
         proof.</p>\n<ul>\n",
    );
    for Alike { first, second, percent, .. } in alike {
        let _ = writeln!(out, "<li>{percent} %: {} and {}</li>", escape(first), escape(second));
    }
    out + "</ul>\n"
}

fn class(status: TaskStatus) -> &'static str {
    match status {
        TaskStatus::Passed => "passed",
        TaskStatus::Failed | TaskStatus::Missing | TaskStatus::Rejected => "failed",
        TaskStatus::Partial | TaskStatus::Inconclusive | TaskStatus::InternalError => "open",
    }
}

fn article(assignment: &Assignment, grade: &Grade, address: &str) -> String {
    let (label, score, max) = (escape(&grade.submission), grade.score, grade.max);
    let mut out = format!("<h2>{label}: {score} of {max} points</h2>\n");
    let told: Vec<String> = (0..assignment.fields.len())
        .map(|at| (assignment.fields[at].as_str(), field(assignment, grade, at)))
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("{}: {}", escape(name), escape(&value)))
        .collect();
    if !told.is_empty() {
        let _ = writeln!(out, "<p>{}</p>", told.join("<br>"));
    }
    for problem in &grade.problems {
        let _ = writeln!(out, "<p class=\"failed\">{}</p>", escape(problem));
    }
    for task in &grade.tasks {
        out.push_str(&task_section(task, address));
    }
    let version = escape(&grade.version);
    let _ = writeln!(out, "<p><small>Graded by Promenade {version}.</small></p>");
    out
}

fn task_section(task: &TaskGrade, address: &str) -> String {
    let mut out = format!(
        "<h3>{}: <span class=\"{}\">{}</span>, {} of {}</h3>\n",
        escape(&task.title),
        class(task.status),
        word(task.status),
        task.score,
        task.max
    );
    if !task.message.is_empty() {
        let _ = writeln!(out, "<p>{}</p>", escape(&task.message));
    }
    if task.checks.is_empty() {
        return out;
    }
    out.push_str("<ul>\n");
    for check in &task.checks {
        let (class, sign) = match check.status {
            CheckStatus::Passed => ("passed", "passed"),
            CheckStatus::Failed => ("failed", "failed"),
            CheckStatus::Unreadable => ("failed", "cannot be read"),
            CheckStatus::Inconclusive => ("open", "not conclusive"),
            CheckStatus::InternalError => ("open", "internal error"),
        };
        let _ = write!(
            out,
            "<li><span class=\"{class}\">{sign}</span> <code>{}</code>: {}",
            escape(&check.title),
            escape(&check.message)
        );
        if let Some(link) = &check.link {
            let (address, link) = (escape(address), escape(link));
            let _ = write!(out, " <a href=\"{address}#{link}\">open the run</a>");
        }
        out.push_str("</li>\n");
    }
    out + "</ul>\n"
}

/// The assignment as students see it.
pub(super) fn handout(assignment: &Assignment) -> String {
    let mut body = String::new();
    for piece in &assignment.pieces {
        match piece {
            Piece::Markdown(text) => body.push_str(&render(text)),
            Piece::File(name) => {
                let Some(file) = assignment.file(name) else { continue };
                let what = match file.role {
                    Role::Starter { .. } => "to work on",
                    _ => "given",
                };
                let _ = write!(
                    body,
                    "<h3>{} ({what})</h3>\n<pre><code>{}</code></pre>\n",
                    escape(name),
                    escape(&file.text)
                );
            }
            Piece::Task(id) => {
                let Some(task) = assignment.task(id) else { continue };
                let plural = if task.points == 1 { "" } else { "s" };
                let _ = writeln!(
                    body,
                    "<h3>Task {}: {} ({} point{plural})</h3>",
                    escape(id),
                    escape(&task.title),
                    task.points
                );
            }
        }
    }
    page(&assignment.title, &body)
}
