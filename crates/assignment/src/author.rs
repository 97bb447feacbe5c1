//! The author's dry run: does the sample solution pass, and do trivial answers fail?

use crate::format::{Assignment, Body, Kind, Role, Task};
use crate::grade::{grade, shortest_run};
use crate::regions::Template;
use crate::submission::Submission;
use promenade_protocol::{CheckStatus, Grade, TaskGrade, TaskStatus};
use std::cell::Cell;

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Importance {
    /// Good to know.
    Note,
    /// The task probably does not ask for what it should.
    Warning,
    /// The task cannot be solved, or its solution is wrong.
    Error,
}

/// What the dry run found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// How bad it is.
    pub importance: Importance,
    /// The task.
    pub task: String,
    /// What was found.
    pub message: String,
}

/// The sample solution as a submission.
pub fn sample(assignment: &Assignment) -> Submission {
    let mut submission =
        Submission { label: "sample solution".to_owned(), ..Submission::default() };
    for file in assignment.files.iter().filter(|file| file.role == Role::Solution) {
        submission.files.push((file.name.clone(), file.text.clone()));
    }
    for task in &assignment.tasks {
        let found = task.solution.clone().or_else(|| shortest_run(assignment, task).ok());
        if let Some(answer) = found {
            submission.answers.push((task.id.clone(), answer));
        }
    }
    submission
}

/// Grades the sample solution and trivial answers.
pub fn dry_run(assignment: &Assignment) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut say = |importance, task: &str, message: String| {
        findings.push(Finding { importance, task: task.to_owned(), message });
    };
    if assignment.sealed || assignment.private {
        say(
            Importance::Error,
            "",
            "this is an edition for students: its solutions are left out".to_owned(),
        );
        return findings;
    }
    let solution = sample(assignment);
    let graded = grade(assignment, solution);
    for (task, result) in assignment.tasks.iter().zip(&graded.tasks) {
        for (importance, message) in judge(assignment, task, result) {
            say(importance, &task.id, message);
        }
    }
    for (what, submission) in trivial(assignment) {
        let graded = grade(assignment, submission);
        for task in &graded.tasks {
            let (importance, verb) = match task.status {
                TaskStatus::Passed => (Importance::Warning, "passes"),
                TaskStatus::Partial => (Importance::Note, "gets points"),
                _ => continue,
            };
            let points = task.score;
            let message = format!("a trivial answer {verb} ({points} points): {what}");
            say(importance, &task.id, message);
        }
    }
    findings
}

/// Task, title and hiddenness of every check of models that some grade has.
pub fn mutant_checks(assignment: &Assignment, grades: &[Grade]) -> Vec<(String, String, bool)> {
    let mut found: Vec<(String, String, bool)> = Vec::new();
    for task in assignment.tasks.iter().filter(|task| task.file().is_some()) {
        let checks = grades.iter().flat_map(|grade| &grade.tasks).filter(|it| it.id == task.id);
        for check in checks.flat_map(|it| &it.checks) {
            let column = (task.id.clone(), check.title.clone(), check.hidden);
            if !found.contains(&column) {
                found.push(column);
            }
        }
    }
    found
}

/// Whether a check did not pass, or its model could not be read.
pub fn notices(grade: &Grade, task: &str, title: &str) -> bool {
    let checks = grade.tasks.iter().filter(|it| it.id == task).flat_map(|it| &it.checks);
    checks
        .filter(|check| check.title == title)
        .any(|check| matches!(check.status, CheckStatus::Failed | CheckStatus::Unreadable))
}

fn judge(assignment: &Assignment, task: &Task, result: &TaskGrade) -> Vec<(Importance, String)> {
    let mut found = Vec::new();
    let failing = result.checks.iter().filter(|check| check.status != CheckStatus::Passed);
    match result.status {
        TaskStatus::Passed => {
            found.push((Importance::Note, "the sample solution passes".to_owned()));
        }
        TaskStatus::Missing if task.kind == Kind::FindBug => {
            let why = shortest_run(assignment, task).err().unwrap_or_default();
            found.push((Importance::Error, format!("there is nothing to be found: {why}")));
        }
        TaskStatus::Missing => {
            found.push((Importance::Error, "there is no sample solution".to_owned()));
        }
        _ => {
            let mut message = "the sample solution does not pass".to_owned();
            if !result.message.is_empty() {
                message.push_str(&format!(": {}", result.message));
            }
            found.push((Importance::Error, message));
        }
    }
    for check in failing {
        found.push((Importance::Error, format!("{}: {}", check.title, check.message)));
    }
    if let Body::Model { witnesses, properties, .. } = &task.body
        && witnesses.is_empty()
        && !properties.is_empty()
    {
        let message = "there are no witnesses: a model that does nothing may pass";
        found.push((Importance::Note, message.to_owned()));
    }
    found
}

/// Answers that should not pass, with what they are.
fn trivial(assignment: &Assignment) -> Vec<(String, Submission)> {
    let mut found = Vec::new();
    let with_files = |fill: &dyn Fn(&Template, &str) -> String| {
        let files = assignment.starters().map(|file| {
            let template = Template::new(&file.text, false);
            (file.name.clone(), fill(&template, &file.text))
        });
        Submission { files: files.collect(), ..Submission::default() }
    };
    if assignment.starters().next().is_some() {
        found.push((
            "the starter files as they are".to_owned(),
            with_files(&|_, text| text.to_owned()),
        ));
        // The last one gets stuck in what counts as a valid end.
        let fillings =
            [("empty", ""), ("`skip`", "skip"), ("`false`", "false"), ("`end: false`", "end")];
        for (what, inside) in fillings {
            let number = Cell::new(0);
            let body = || match inside {
                "end" => {
                    number.set(number.get() + 1);
                    format!("end_{}: false", number.get())
                }
                inside => inside.to_owned(),
            };
            let fill = |template: &Template, _: &str| {
                if template.is_free() {
                    let body = if inside.is_empty() { "skip".to_owned() } else { body() };
                    return format!("active proctype Nothing() {{ {body} }}\n");
                }
                template.filled(&|_, _| body())
            };
            found.push((format!("every region {what}"), with_files(&fill)));
        }
    }
    let mut answers = |kinds: &[Kind], text: &str| {
        let tasks = assignment.tasks.iter().filter(|task| kinds.contains(&task.kind));
        let answers: Vec<(String, String)> =
            tasks.map(|task| (task.id.clone(), text.to_owned())).collect();
        if !answers.is_empty() {
            found.push((format!("`{text}`"), Submission { answers, ..Submission::default() }));
        }
    };
    for text in ["true", "false"] {
        answers(&[Kind::Formula], text);
    }
    for text in ["never { skip }", "never { false }", "never { do :: skip od }"] {
        answers(&[Kind::Claim], text);
    }
    answers(&[Kind::Predict], "none");
    found
}
