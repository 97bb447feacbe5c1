//! Assignments between a page and the worker for courses.
//!
//! These messages are apart from [`crate::Request`] and [`crate::Event`], because that worker is a program
//! of its own, which is loaded when an assignment is opened.

use crate::{DiagnosticData, Experiment, File, Grade, Property, Settings};
use serde::{Deserialize, Serialize};

/// What a student has done so far.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CourseWork {
    /// Fields of the assignment, such as the name, with their values.
    #[serde(default)]
    pub fields: Vec<(String, String)>,
    /// Starter files, changed or not.
    #[serde(default)]
    pub files: Vec<File>,
    /// Names of tasks with their answers.
    #[serde(default)]
    pub answers: Vec<(String, String)>,
}

/// What is asked. The assignment comes as its whole text each time; the worker keeps the last one that
/// it has read. `job` comes back in the answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CourseRequest {
    /// Read the assignment and show it as a student sees it.
    Open {
        /// Job number.
        job: u32,
        /// The assignment.
        text: String,
        /// Work that goes on.
        work: CourseWork,
    },
    /// Grade the work, as far as the checks are in this edition.
    Grade {
        /// Job number.
        job: u32,
        /// The assignment.
        text: String,
        /// The work.
        work: CourseWork,
        /// Only this task.
        task: Option<String>,
    },
    /// Make what is handed in.
    HandIn {
        /// Job number.
        job: u32,
        /// The assignment.
        text: String,
        /// The work.
        work: CourseWork,
    },
    /// Grade the author's sample solution and trivial answers.
    DryRun {
        /// Job number.
        job: u32,
        /// The author's edition.
        text: String,
    },
    /// Make small mistakes in the sample solution and see which checks notice them.
    Mutants {
        /// Job number.
        job: u32,
        /// The author's edition.
        text: String,
        /// At most so many mutants.
        most: u32,
    },
    /// Make the edition for students.
    Edition {
        /// Job number.
        job: u32,
        /// The author's edition.
        text: String,
        /// Hidden parts are left out, not sealed.
        private: bool,
    },
    /// Stop a job.
    Cancel {
        /// Job number.
        job: u32,
    },
}

/// What the worker answers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CourseEvent {
    /// The worker is up (sent once, before anything else).
    Ready {
        /// Version of the checker.
        version: String,
    },
    /// Answer to [`CourseRequest::Open`].
    Opened {
        /// Job number.
        job: u32,
        /// What is wrong with the text.
        diagnostics: Vec<DiagnosticData>,
        /// The assignment, unless there are errors.
        course: Option<Box<Course>>,
    },
    /// Some times a second while something runs.
    Progress {
        /// Job number.
        job: u32,
        /// Tasks, or mutants, that are done.
        done: u32,
        /// Of so many.
        of: u32,
        /// States of the check that runs.
        states: u64,
    },
    /// Answer to [`CourseRequest::Grade`]: what a student is told.
    Graded {
        /// Job number.
        job: u32,
        /// The grade; of one task, if only that was wanted.
        grade: Box<Grade>,
    },
    /// Answer to [`CourseRequest::HandIn`].
    HandedIn {
        /// Job number.
        job: u32,
        /// The file.
        text: String,
        /// The fragment of a link with the same content, without `#`, unless it would be too long.
        link: Option<String>,
    },
    /// Answer to [`CourseRequest::DryRun`].
    DryRun {
        /// Job number.
        job: u32,
        /// What was found.
        findings: Vec<CourseFinding>,
    },
    /// Answer to [`CourseRequest::Mutants`].
    Mutants {
        /// Job number.
        job: u32,
        /// The checks of models.
        checks: Vec<MutantCheck>,
        /// The mutants.
        mutants: Vec<MutantRow>,
    },
    /// Answer to [`CourseRequest::Edition`].
    Edition {
        /// Job number.
        job: u32,
        /// The edition, unless there are errors.
        text: Option<String>,
        /// What is wrong with the text.
        diagnostics: Vec<DiagnosticData>,
    },
    /// The job was cancelled, or cannot be done; then `message` says why.
    Ended {
        /// Job number.
        job: u32,
        /// Why it could not be done; empty after a cancellation.
        message: String,
    },
    /// A panic or trap: the sender is dead, start a new one.
    Crashed {
        /// What is known.
        message: String,
    },
}

/// An assignment as a student sees it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Course {
    /// Its name in submissions.
    pub id: String,
    /// For people.
    pub title: String,
    /// `author`, `sealed` or `private`.
    pub edition: String,
    /// All points.
    pub points: u32,
    /// What students say about themselves when they hand in.
    pub fields: Vec<String>,
    /// Text, files and tasks in their order.
    pub pieces: Vec<CoursePiece>,
    /// The files that students see.
    pub files: Vec<CourseFile>,
    /// The tasks.
    pub tasks: Vec<CourseTask>,
    /// What is in the editor if there are no files.
    pub blank: Experiment,
}

/// A part of the instructions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CoursePiece {
    /// Instructions.
    Text {
        /// HTML without anything that could do harm: it may be put into the page as it is.
        html: String,
    },
    /// A file belongs here.
    File {
        /// Its name.
        name: String,
    },
    /// A task belongs here.
    Task {
        /// Its name.
        id: String,
    },
}

/// A file of an assignment.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CourseFile {
    /// Its name.
    pub name: String,
    /// The student only reads it.
    pub given: bool,
    /// Its text in the assignment.
    pub starter: String,
    /// The file as the student has it, with what it is put together with, as a model to check.
    pub experiment: Experiment,
    /// Which of the experiment's files it is.
    pub at: u32,
    /// Lines that may be changed: first line from 0, and one past the last. All, if it is absent.
    pub editable: Option<Vec<(u32, u32)>>,
    /// Why the student's text does not fit: the line from 1, and what is wrong. Nothing is locked
    /// then.
    pub rejected: Option<(u32, String)>,
}

/// A task of an assignment.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CourseTask {
    /// Its name in submissions.
    pub id: String,
    /// For people.
    pub title: String,
    /// Its kind as the format calls it: `hold`, `find-bug`.
    pub kind: String,
    /// What it is worth.
    pub points: u32,
    /// Each check that passes counts.
    pub partial: bool,
    /// The file that it is about.
    pub file: Option<String>,
    /// The student hands in a text for it, apart from files.
    pub has_answer: bool,
    /// What is to be predicted: `states`, `assertions`, `runs`, `verdict`.
    pub question: Option<String>,
    /// Names and formulas of runs to choose from.
    pub runs: Vec<(String, String)>,
    /// Most steps of the run that is handed in.
    pub steps: Option<u32>,
    /// What a student is told is checked.
    pub asks: Vec<CourseAsk>,
    /// How many checks students are not told.
    pub hidden: u32,
    /// Checks are left out of this edition.
    pub withheld: bool,
    /// Hints, one after the other.
    pub hints: Vec<String>,
    /// Failed attempts before each of them.
    pub hints_after: u32,
}

/// Something that a task asks for.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CourseAsk {
    /// What: `Has to hold`.
    pub what: String,
    /// The property, formula or file.
    pub text: String,
    /// To try it: what is checked of the task's file, and how.
    pub check: Option<(Property, Settings)>,
}

/// What an author should know.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CourseFinding {
    /// `note`, `warning` or `error`.
    pub importance: String,
    /// The task; empty for the whole.
    pub task: String,
    /// What was found.
    pub message: String,
}

/// A check that mutants are tried on.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct MutantCheck {
    /// The task.
    pub task: String,
    /// What is checked.
    pub title: String,
    /// Students do not see it.
    pub hidden: bool,
}

/// A mutant of the sample solution.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct MutantRow {
    /// Its file.
    pub file: String,
    /// The line that was changed, from 1.
    pub line: u32,
    /// What was changed, in words.
    pub change: String,
    /// The text that was there.
    pub before: String,
    /// The text instead.
    pub after: String,
    /// Numbers of the checks that notice it.
    pub noticed: Vec<u32>,
}
