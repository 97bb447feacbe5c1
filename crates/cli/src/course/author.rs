//! `promenade assignment`: what authors need.

use super::arguments::{AuthorRequest, To, Wanted};
use super::grade::write_file;
use super::pool::grade_all;
use super::{html, load, text_of, told};
use crate::Exit;
use crate::output;
use promenade_assignment::{
    Edition, Importance, Submission, dry_run, mutant_checks, notices, of_sample, student_edition,
};
use std::fmt::Write;
use std::path::Path;

/// Runs the command.
pub(super) fn run(request: &AuthorRequest) -> Exit {
    match request.wanted {
        Wanted::Check => check(request),
        Wanted::Seal(edition) => seal(request, edition),
        Wanted::Mutants => mutants(request),
        Wanted::Html => match load(&request.file) {
            Some((_, assignment)) => put(request, &html::handout(&assignment)),
            None => Exit::Input,
        },
    }
}

fn put(request: &AuthorRequest, text: &str) -> Exit {
    match &request.out {
        To::Output => output::print(text),
        To::File(name) if write_file(Path::new(name), text) => {}
        To::File(_) => return Exit::Output,
    }
    Exit::Holds
}

/// The dry run.
fn check(request: &AuthorRequest) -> Exit {
    let Some((_, assignment)) = load(&request.file) else { return Exit::Input };
    let findings = dry_run(&assignment);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}: {} tasks, {} points",
        assignment.title,
        assignment.tasks.len(),
        assignment.points()
    );
    let mut worst = Importance::Note;
    for finding in &findings {
        let word = match finding.importance {
            Importance::Note => "",
            Importance::Warning => "warning: ",
            Importance::Error => "error: ",
        };
        worst = worst.max(finding.importance);
        let task = if finding.task.is_empty() { "assignment" } else { &finding.task };
        let _ = writeln!(out, "  {task}: {word}{}", finding.message);
    }
    output::print(&out);
    match worst {
        Importance::Note => Exit::Holds,
        Importance::Warning => Exit::NotConclusive,
        Importance::Error => Exit::Violated,
    }
}

/// The edition for students.
fn seal(request: &AuthorRequest, edition: Edition) -> Exit {
    let text = match text_of(&request.file) {
        Ok(text) => text,
        Err(message) => {
            output::complain(&format!("error: {message}"));
            return Exit::Input;
        }
    };
    match student_edition(&text, edition) {
        Ok(made) => put(request, &made),
        Err(diagnostics) => {
            for diagnostic in &diagnostics {
                output::complain(&told(&request.file, &text, diagnostic));
            }
            Exit::Input
        }
    }
}

/// Mutants of the sample solution, and the checks that notice them.
fn mutants(request: &AuthorRequest) -> Exit {
    let Some((text, assignment)) = load(&request.file) else { return Exit::Input };
    let mutants = of_sample(&assignment, request.most);
    if mutants.is_empty() {
        output::print("There is no sample solution of a model to be changed.\n");
        return Exit::Holds;
    }
    let submissions: Vec<Submission> = mutants.iter().map(|(_, _, it)| it.clone()).collect();
    let grades = grade_all(&text, &assignment, &submissions, request.jobs, &|_| {});
    let columns = mutant_checks(&assignment, &grades);
    let mut out = String::from("Checks:\n");
    for (number, (task, title, hidden)) in columns.iter().enumerate() {
        let hidden = if *hidden { " (hidden)" } else { "" };
        let _ = writeln!(out, "  {:>2}  {task}: {title}{hidden}", number + 1);
    }
    out.push_str("\nMutants, and the checks that notice them:\n");
    let mut survivors = 0;
    for ((name, mutant, _), grade) in mutants.iter().zip(&grades) {
        let noticed: Vec<String> = columns
            .iter()
            .enumerate()
            .filter(|(_, (task, title, _))| notices(grade, task, title))
            .map(|(number, _)| (number + 1).to_string())
            .collect();
        survivors += usize::from(noticed.is_empty());
        let noticed = if noticed.is_empty() { "none".to_owned() } else { noticed.join(" ") };
        let _ = writeln!(
            out,
            "  {name}:{}: {}, `{}` became `{}`: {noticed}",
            mutant.line,
            mutant.change.title(),
            one_line(&mutant.before),
            one_line(&mutant.after),
        );
    }
    let _ = writeln!(out, "\n{} mutants, {survivors} noticed by no check", mutants.len());
    if survivors > 0 {
        out.push_str(
            "A mutant that no check notices may be right as well; if it is not, a check is missing.\n",
        );
    }
    output::print(&out);
    if survivors > 0 { Exit::NotConclusive } else { Exit::Holds }
}

fn one_line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= 50 {
        return text;
    }
    format!("{}..", text.chars().take(48).collect::<String>())
}
