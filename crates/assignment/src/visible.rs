//! What a student may see of a grade.

use crate::format::{Assignment, Feedback};
use promenade_protocol::{CheckStatus, Grade};

/// The grade with what the assignment does not tell students taken out: titles of hidden checks, and
/// counterexamples where only verdicts are told.
pub fn visible(grade: &Grade, assignment: &Assignment) -> Grade {
    let mut grade = grade.clone();
    for task in &mut grade.tasks {
        let Some(stated) = assignment.task(&task.id) else { continue };
        let mut number = 0;
        for check in &mut task.checks {
            let feedback = if check.hidden { stated.hidden_feedback } else { stated.feedback };
            let tells = feedback == Feedback::Counterexample;
            if check.hidden {
                number += 1;
                check.title = format!("hidden check {number}");
            }
            // What cannot be read is the student's own text, and no secret.
            if tells || check.status == CheckStatus::Unreadable {
                if !tells {
                    check.link = None;
                }
                continue;
            }
            check.link = None;
            check.states = 0;
            check.message = match check.status {
                CheckStatus::Passed => "passed",
                CheckStatus::Failed => "not passed",
                CheckStatus::Inconclusive => "not conclusive: a limit was reached",
                CheckStatus::Unreadable | CheckStatus::InternalError => "could not be checked",
            }
            .to_owned();
        }
    }
    grade
}
