//! The assignment that has every kind of task, and submissions made from its solution.
#![allow(dead_code)]

use promenade_assignment::{Assignment, Submission, grade, read, sample};
use promenade_protocol::{Grade, TaskStatus};

pub const KINDS: &str = include_str!("kinds.md");

pub fn kinds() -> Assignment {
    let checked = read(KINDS);
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
    checked.value
}

/// The sample solution with one file or answer changed.
pub struct Change(pub Assignment, pub Submission);

impl Change {
    pub fn new() -> Self {
        let assignment = kinds();
        let submission = sample(&assignment);
        Self(assignment, submission)
    }

    pub fn file(mut self, name: &str, edit: impl Fn(&str) -> String) -> Self {
        let file = self.1.files.iter_mut().find(|(known, _)| known == name).expect("a file");
        let edited = edit(&file.1);
        assert_ne!(edited, file.1, "the edit changes something");
        file.1 = edited;
        self
    }

    pub fn answer(mut self, task: &str, text: &str) -> Self {
        self.1.answers.retain(|(known, _)| known != task);
        self.1.answers.push((task.to_owned(), text.to_owned()));
        self
    }

    pub fn without(mut self, name: &str) -> Self {
        self.1.answers.retain(|(known, _)| known != name);
        self.1.files.retain(|(known, _)| known != name);
        self
    }

    pub fn grade(self) -> Grade {
        grade(&self.0, self.1)
    }
}

pub fn status(grade: &Grade, task: &str) -> TaskStatus {
    grade.tasks.iter().find(|it| it.id == task).expect("a task").status
}

/// Everything that is said about a task.
pub fn told(grade: &Grade, task: &str) -> String {
    let task = grade.tasks.iter().find(|it| it.id == task).expect("a task");
    let checks = task.checks.iter().map(|it| format!("{}: {}", it.title, it.message));
    std::iter::once(task.message.clone()).chain(checks).collect::<Vec<_>>().join("\n")
}
