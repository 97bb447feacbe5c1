//! What grading says about a submission.

use serde::{Deserialize, Serialize};

/// How a single check came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckStatus {
    /// As it should.
    Passed,
    /// Not as it should.
    Failed,
    /// A limit was reached, or what it needs is not in this edition: nobody knows.
    #[default]
    Inconclusive,
    /// What was handed in cannot be read or run.
    Unreadable,
    /// A mistake of the checker.
    InternalError,
}

/// How a task came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// Every check passed.
    Passed,
    /// Some checks passed, which counts in this task.
    Partial,
    /// Not passed.
    Failed,
    /// Nothing was handed in for it.
    #[default]
    Missing,
    /// Locked text was changed, or a region reaches out of itself.
    Rejected,
    /// No check failed, but some reached a limit.
    Inconclusive,
    /// A mistake of the checker.
    InternalError,
}

/// One check of a task.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CheckGrade {
    /// What is checked; of a hidden check, for teachers.
    pub title: String,
    /// Students do not see what is checked.
    pub hidden: bool,
    /// How it came out.
    pub status: CheckStatus,
    /// Why, in a sentence.
    pub message: String,
    /// States that were stored for it.
    pub states: u64,
    /// The fragment of a link to the counterexample, without `#`.
    pub link: Option<String>,
}

/// One task.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TaskGrade {
    /// Its name.
    pub id: String,
    /// For people.
    pub title: String,
    /// How it came out.
    pub status: TaskStatus,
    /// Points.
    pub score: f64,
    /// Points that it is worth.
    pub max: f64,
    /// Why, in a sentence; empty if the checks say all.
    pub message: String,
    /// Its checks.
    pub checks: Vec<CheckGrade>,
}

/// A submission, graded.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Grade {
    /// Name of the assignment.
    pub assignment: String,
    /// Version of the checker.
    pub version: String,
    /// What the submission is called: its file or folder.
    pub submission: String,
    /// What the student says about himself, in the order of the assignment.
    pub fields: Vec<(String, String)>,
    /// Points.
    pub score: f64,
    /// Points that there are.
    pub max: f64,
    /// What is wrong with the submission as a whole.
    pub problems: Vec<String>,
    /// The tasks.
    pub tasks: Vec<TaskGrade>,
}

impl Grade {
    /// Whether every task passed.
    pub fn is_complete(&self) -> bool {
        self.tasks.iter().all(|task| task.status == TaskStatus::Passed)
    }
}
