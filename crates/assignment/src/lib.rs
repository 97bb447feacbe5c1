//! Assignments: one readable text file with instructions, starter files and tasks; submissions; and
//! the grading of the ones by the others.
//!
//! [`read`] turns a text into an [`Assignment`] and never fails: what is wrong is said by
//! diagnostics at its place. [`Grader`] takes a [`Submission`] and works in slices, as a check does:
//! there are no files, threads or clocks here, so the page's worker and the command line grade alike.
//! Limits count states and steps, never seconds, so that a verdict does not depend on the machine.
//!
//! **Nothing that a submission claims is believed.** Locked text is compared, runs are replayed and
//! every verdict is computed again from the teacher's file.
#![forbid(unsafe_code)]

mod author;
mod blocks;
mod data;
mod edition;
mod format;
mod grade;
#[cfg(feature = "html")]
pub mod html;
mod keys;
pub mod limits;
mod mutants;

mod properties;
mod read;
mod regions;
mod seal;
mod similarity;
mod submission;
mod visible;

pub use author::{Finding, Importance, dry_run, mutant_checks, notices, sample};
pub use edition::{Edition, student_edition};
pub use format::{
    Assignment, Body, Feedback, FileRef, Judged, Kind, ModelSettings, Piece, Question, Role, Run,
    SourceText, Stated, Task,
};
pub use grade::{Grader, experiment, grade, shown};
pub use keys::{FRONT_KEYS, Key, TASK_KEYS};

pub use mutants::{Change, Mutant, mutants, of_sample};
pub use properties::{PropertySpec, property};
pub use read::read;
pub use regions::{Rejection, Template};

pub use similarity::{Fingerprints, Similar, fingerprints, similar_pairs};
pub use submission::{ANSWERS, Submission};
pub use visible::visible;
