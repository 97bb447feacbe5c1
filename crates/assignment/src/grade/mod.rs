//! Grading: from an assignment and a submission to verdicts, in slices.

mod judge;
mod models;
mod plan;
mod specification;

pub use models::{experiment, shown};

use crate::format::{Assignment, Task};
use crate::limits;
use crate::submission::Submission;
use judge::Expect;
use promenade_base::Interrupt;
use promenade_checker::{Check, Replay, Start, start, start_replay};
use promenade_protocol::link::Trail;
use promenade_protocol::{
    CheckGrade, CheckStatus, Experiment, Grade, StoppedBy, TaskGrade, TaskStatus, VERSION,
};
use std::cell::Cell;
use std::collections::VecDeque;
use std::ops::{Deref, Range};
use std::rc::Rc;

/// Search steps between two looks at the limit. Always the same, so that a check that meets its
/// limit meets it at the same step on every machine, however it is sliced.
const CHUNK: u64 = 2_000;

/// What is to be done for one check of a task.
struct Planned {
    title: String,
    hidden: bool,
    work: Work,
}

enum Work {
    /// It is known already.
    Known { status: CheckStatus, message: String },
    /// A model is checked.
    Check { experiment: Box<Experiment>, expect: Expect },
    /// A run is replayed.
    Replay { experiment: Box<Experiment>, trail: Trail, wanted: Wanted },
    /// Two languages are compared; done in one go, within the limits of automata.
    Compare(Box<specification::Comparison>),
}

/// What a run that is handed in has to be.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Wanted {
    steps: Option<u32>,
    violation: Option<String>,
}

enum Running {
    Check { check: Box<Check>, expect: Expect, left: u64, experiment: Box<Experiment> },
    Replay { replay: Box<Replay>, wanted: Wanted },
}

/// Grades one submission. [`Grader::advance`] works in slices, [`Grader::finish`] gives the result.
///
/// `A` is a way to an assignment: a reference, or a shared pointer.
pub struct Grader<A> {
    assignment: A,
    submission: Submission,
    /// The task that is being graded, or comes next.
    task: usize,
    /// One past the last task that is graded.
    end: usize,
    /// Its checks have been planned.
    begun: bool,
    plan: VecDeque<Planned>,
    running: Option<(CheckGrade, Running)>,
    done: Vec<CheckGrade>,
    /// The checks of the task could not be planned.
    refused: Option<(TaskStatus, String)>,
    grade: Grade,
}

impl<A: Deref<Target = Assignment>> Grader<A> {
    /// Begins to grade.
    pub fn new(assignment: A, submission: Submission) -> Self {
        let tasks = 0..assignment.tasks.len();
        Self::of_tasks(assignment, submission, tasks)
    }

    /// Begins to grade some of the tasks; the points are those of all.
    pub fn of_tasks(assignment: A, submission: Submission, tasks: Range<usize>) -> Self {
        let mut problems = submission.problems.clone();
        if let Some(other) = submission.assignment.as_ref().filter(|it| **it != assignment.id) {
            problems.push(format!("it was handed in for another assignment, `{other}`"));
        }
        let grade = Grade {
            assignment: assignment.id.clone(),
            version: VERSION.to_owned(),
            submission: submission.label.clone(),
            fields: submission.fields.clone(),
            max: f64::from(assignment.points()),
            problems,
            ..Grade::default()
        };
        let end = tasks.end.min(assignment.tasks.len());
        Self {
            assignment,
            submission,
            task: tasks.start.min(end),
            end,
            begun: false,
            plan: VecDeque::new(),
            running: None,
            done: Vec::new(),
            refused: None,
            grade,
        }
    }

    /// How many tasks are graded, of how many.
    pub fn progress(&self) -> (usize, usize) {
        let done = self.grade.tasks.len();
        (done, done + (self.end - self.task))
    }

    /// The states that the check which runs has stored.
    pub fn states(&self) -> u64 {
        match &self.running {
            Some((_, Running::Check { check, .. })) => check.progress().states,
            _ => 0,
        }
    }

    /// Works for about `fuel` search steps; true when everything is graded.
    pub fn advance(&mut self, fuel: u64) -> bool {
        let mut fuel = fuel;
        while fuel > 0 {
            let task = self.assignment.tasks.get(self.task).filter(|_| self.task < self.end);
            let Some(task) = task else { return true };
            if let Some((grade, running)) = self.running.take() {
                fuel = fuel.saturating_sub(CHUNK);
                match work(running) {
                    Ok(running) => self.running = Some((grade, running)),
                    Err(outcome) => self.done.push(CheckGrade {
                        title: grade.title,
                        hidden: grade.hidden,
                        ..*outcome
                    }),
                }
            } else if !self.begun {
                self.begun = true;
                match plan::plan(&self.assignment, task, &self.submission) {
                    Ok(plan) => self.plan = plan.into(),
                    Err(refused) => self.refused = Some(refused),
                }
            } else if let Some(planned) = self.plan.pop_front() {
                fuel = fuel.saturating_sub(CHUNK);
                let grade = CheckGrade {
                    title: planned.title,
                    hidden: planned.hidden,
                    ..CheckGrade::default()
                };
                match begin(planned.work, task) {
                    Ok(running) => self.running = Some((grade, running)),
                    Err(outcome) => self.done.push(CheckGrade {
                        title: grade.title,
                        hidden: grade.hidden,
                        ..*outcome
                    }),
                }
            } else {
                let checks = std::mem::take(&mut self.done);
                let graded = sum_up(task, checks, self.refused.take());
                self.grade.score = rounded(self.grade.score + graded.score);
                self.grade.tasks.push(graded);
                self.begun = false;
                self.task += 1;
            }
        }
        self.task >= self.end
    }

    /// The result; tasks that were not reached are missing from it.
    pub fn finish(self) -> Grade {
        self.grade
    }
}

/// Ends the translation of a formula that takes too long. It counts how often it is asked, which is
/// the same on every machine, and not the time.
struct Patience(Rc<Cell<u64>>);

impl Patience {
    fn new() -> Self {
        Self(Rc::new(Cell::new(limits::TRANSLATION_ASKS)))
    }

    fn interrupt(&self) -> Interrupt {
        let left = self.0.clone();
        Interrupt::new(move || {
            left.set(left.get().saturating_sub(1));
            left.get() == 0
        })
    }

    /// The formula is translated; the search has limits of its own.
    fn forget(&self) {
        self.0.set(u64::MAX);
    }
}

/// Grades a submission to the end.
pub fn grade(assignment: &Assignment, submission: Submission) -> Grade {
    let mut grader = Grader::new(assignment, submission);
    while !grader.advance(u64::MAX) {}
    grader.finish()
}

fn known(status: CheckStatus, message: impl Into<String>) -> Box<CheckGrade> {
    Box::new(CheckGrade { status, message: message.into(), ..CheckGrade::default() })
}

/// Starts a check; an error is its outcome.
fn begin(work: Work, task: &Task) -> Result<Running, Box<CheckGrade>> {
    let patience = Patience::new();
    match work {
        Work::Known { status, message } => Err(known(status, message)),
        Work::Compare(comparison) => Err(Box::new(comparison.run())),
        Work::Check { experiment, expect } => {
            match start(&experiment, Some(patience.interrupt())) {
                Start::Rejected(report) => Err(Box::new(judge::report(&report, &expect))),
                Start::Running(check) => {
                    patience.forget();
                    let states = u64::from(task.settings.states);
                    let left = (states * limits::STEPS_PER_STATE).max(limits::STEPS_LEAST);
                    Ok(Running::Check { check, expect, left, experiment })
                }
            }
        }
        Work::Replay { experiment, trail, wanted } => {
            let Trail { choices, checksum, stem } = trail;
            match start_replay(&experiment, choices, checksum, stem, Some(&patience.interrupt())) {
                Ok(replay) => {
                    patience.forget();
                    Ok(Running::Replay { replay: Box::new(replay), wanted })
                }
                Err(report) => Err(Box::new(judge::report(&report, &Expect::Holds))),
            }
        }
    }
}

/// One chunk; an error is the outcome.
fn work(running: Running) -> Result<Running, Box<CheckGrade>> {
    match running {
        Running::Check { mut check, expect, mut left, experiment } => {
            if !check.advance(CHUNK) {
                let before = left;
                left = left.saturating_sub(CHUNK);
                if before > 0 && left == 0 {
                    // The replay of what was found goes on for a while, and then gives up by itself.
                    check.stop(StoppedBy::Cancelled);
                }
                return Ok(Running::Check { check, expect, left, experiment });
            }
            let report = check.finish();
            Err(Box::new(judge::report(&report, &expect)))
        }
        Running::Replay { mut replay, wanted } => {
            if !replay.advance(CHUNK) {
                return Ok(Running::Replay { replay, wanted });
            }
            let (report, mismatch) = replay.finish();
            Err(Box::new(judge::replayed(&report, mismatch, &wanted)))
        }
    }
}

/// Two decimals, so that sums are the same everywhere.
fn rounded(score: f64) -> f64 {
    (score * 100.0).round() / 100.0
}

fn sum_up(
    task: &Task,
    checks: Vec<CheckGrade>,
    refused: Option<(TaskStatus, String)>,
) -> TaskGrade {
    let max = f64::from(task.points);
    let (id, title) = (task.id.clone(), task.title.clone());
    if let Some((status, message)) = refused {
        return TaskGrade { id, title, status, score: 0.0, max, message, checks };
    }
    let count = |status: CheckStatus| checks.iter().filter(|it| it.status == status).count();
    let passed = count(CheckStatus::Passed);
    let failed = count(CheckStatus::Failed) + count(CheckStatus::Unreadable);
    let share = passed as f64 / checks.len().max(1) as f64;
    let status = if count(CheckStatus::InternalError) > 0 {
        TaskStatus::InternalError
    } else if passed == checks.len() {
        TaskStatus::Passed
    } else if task.partial && passed > 0 {
        TaskStatus::Partial
    } else if failed > 0 {
        TaskStatus::Failed
    } else {
        TaskStatus::Inconclusive
    };
    let score = match status {
        TaskStatus::Passed => max,
        TaskStatus::Partial => rounded(max * share),
        _ => 0.0,
    };
    TaskGrade { id, title, status, score, max, message: String::new(), checks }
}

/// A link to a shortest run that solves a task of kind [`crate::Kind::FindBug`]; an error says why
/// there is none.
pub(crate) fn shortest_run(assignment: &Assignment, task: &Task) -> Result<String, String> {
    let crate::Body::FindBug { model, property, .. } = &task.body else {
        return Err("no run is asked for".to_owned());
    };
    let files = models::files(assignment, &Submission::default(), model).map_err(|(_, why)| why)?;
    let mut experiment = models::experiment(files, &task.settings, &property.what);
    if !matches!(
        experiment.property,
        promenade_protocol::Property::Ltl { .. }
            | promenade_protocol::Property::Formula { .. }
            | promenade_protocol::Property::Acceptance { .. }
            | promenade_protocol::Property::Progress
    ) {
        experiment.settings.search = promenade_protocol::Search::BreadthFirst;
    }
    let work = Work::Check { experiment, expect: Expect::Holds };
    let mut running = match begin(work, task) {
        Ok(running) => running,
        Err(outcome) => return Err(outcome.message),
    };
    loop {
        match self::work(running) {
            Ok(next) => running = next,
            Err(outcome) => {
                return outcome.link.map(|link| format!("#{link}")).ok_or(outcome.message);
            }
        }
    }
}
