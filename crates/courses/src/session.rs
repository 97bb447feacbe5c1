//! The state machine.

use crate::student::{course, told};
use promenade_assignment::{
    Assignment, Edition, Grader, Importance, Mutant, Submission, dry_run, mutant_checks, notices,
    of_sample, read, student_edition, visible,
};
use promenade_base::{Checked, Diagnostic};
use promenade_protocol::{
    CourseEvent, CourseFinding, CourseRequest, CourseWork, Grade, MutantCheck, MutantRow,
};
use promenade_service::Clock;
use std::collections::VecDeque;
use std::rc::Rc;

/// Search steps between two looks at the clock.
const STEPS: u64 = 2_000;
/// Seconds between two progress events.
const PROGRESS: f64 = 0.2;

/// One user's assignments: takes requests, does one thing at a time, gives events.
pub struct Session<C> {
    clock: C,
    /// The assignment that was read last, with its text.
    known: Option<Known>,
    /// Requests that wait for the present one to end.
    waiting: VecDeque<CourseRequest>,
    job: Option<Job>,
    events: Vec<CourseEvent>,
}

struct Known {
    text: String,
    assignment: Rc<Assignment>,
    diagnostics: Vec<Diagnostic>,
    errors: bool,
}

struct Job {
    number: u32,
    work: Work,
    /// When progress was last told.
    told: f64,
}

enum Work {
    Grade(Box<Grader<Rc<Assignment>>>, Rc<Assignment>),
    Mutants(Box<Mutants>),
}

/// Mutants that are graded one after the other.
struct Mutants {
    assignment: Rc<Assignment>,
    all: Vec<(String, Mutant, Submission)>,
    grades: Vec<Grade>,
    running: Option<Grader<Rc<Assignment>>>,
}

impl<C: Clock> Session<C> {
    /// A session with nothing to do.
    pub fn new(clock: C) -> Self {
        Self { clock, known: None, waiting: VecDeque::new(), job: None, events: Vec::new() }
    }

    /// Whether there is nothing to do and nothing to tell, until a request comes.
    pub fn is_idle(&self) -> bool {
        self.job.is_none() && self.waiting.is_empty() && self.events.is_empty()
    }

    /// Takes a request. What takes no time is done here, also while something runs; the rest waits
    /// for [`Session::advance`].
    pub fn submit(&mut self, request: CourseRequest) {
        let event = match request {
            CourseRequest::Open { job, text, work } => {
                let known = self.read(&text);
                let submission = submission(&known.assignment, &work);
                let course = (!known.errors).then(|| course(&known.assignment, &submission));
                let diagnostics = told(&text, &known.diagnostics);
                CourseEvent::Opened { job, diagnostics, course: course.map(Box::new) }
            }
            CourseRequest::HandIn { job, text, work } => {
                let known = self.read(&text);
                if known.errors {
                    refused(job)
                } else {
                    let submission = submission(&known.assignment, &work);
                    let (text, link) = (submission.to_text(), submission.to_link().ok());
                    CourseEvent::HandedIn { job, text, link }
                }
            }
            CourseRequest::Edition { job, text, private } => {
                let edition = if private { Edition::Private } else { Edition::Sealed };
                match student_edition(&text, edition) {
                    Ok(made) => {
                        CourseEvent::Edition { job, text: Some(made), diagnostics: Vec::new() }
                    }
                    Err(found) => {
                        CourseEvent::Edition { job, text: None, diagnostics: told(&text, &found) }
                    }
                }
            }
            CourseRequest::Cancel { job } => return self.cancel(job),
            request => return self.waiting.push_back(request),
        };
        self.events.push(event);
    }

    /// Reads an assignment, unless it is the one that was read last.
    fn read(&mut self, text: &str) -> &Known {
        let known = self.known.take().filter(|known| known.text == text);
        let known = known.unwrap_or_else(|| {
            let checked = read(text);
            let errors = checked.has_errors();
            let Checked { value, diagnostics } = checked;
            Known { text: text.to_owned(), assignment: Rc::new(value), diagnostics, errors }
        });
        self.known.insert(known)
    }

    fn cancel(&mut self, number: u32) {
        let runs = self.job.as_ref().is_some_and(|job| job.number == number);
        let waits = self.waiting.iter().any(|it| number_of(it) == number);
        if runs {
            self.job = None;
        }
        self.waiting.retain(|it| number_of(it) != number);
        if runs || waits {
            self.events.push(CourseEvent::Ended { job: number, message: String::new() });
        }
    }

    /// The events so far, without doing anything.
    pub fn take_events(&mut self) -> Vec<CourseEvent> {
        std::mem::take(&mut self.events)
    }

    /// Works for about `budget` seconds, less if there is nothing more to do, and gives the events up
    /// to then. With a clock that stands still it works until the present job is done.
    pub fn advance(&mut self, budget: f64) -> Vec<CourseEvent> {
        let begun = self.clock.seconds();
        while self.work() {
            if self.clock.seconds() - begun >= budget {
                break;
            }
        }
        self.take_events()
    }

    /// One slice; false if there is nothing to do, or a job has come to its end.
    fn work(&mut self) -> bool {
        let Some(mut job) = self.job.take() else {
            let Some(request) = self.waiting.pop_front() else { return false };
            self.begin(request);
            return self.job.is_some();
        };
        let now = self.clock.seconds();
        if now - job.told >= PROGRESS {
            job.told = now;
            self.events.push(job.progress());
        }
        match job.advance() {
            Some(event) => {
                self.events.push(event);
                false
            }
            None => {
                self.job = Some(job);
                true
            }
        }
    }

    /// Begins a job, or answers at once.
    fn begin(&mut self, request: CourseRequest) {
        let (number, work) = match request {
            CourseRequest::Grade { job, text, work, task } => {
                let known = self.read(&text);
                if known.errors {
                    return self.events.push(refused(job));
                }
                let assignment = Rc::clone(&known.assignment);
                let submission = submission(&assignment, &work);
                let tasks = match &task {
                    Some(id) => assignment.tasks.iter().position(|it| it.id == *id),
                    None => Some(0),
                };
                let Some(first) = tasks else {
                    let message = "there is no such task".to_owned();
                    return self.events.push(CourseEvent::Ended { job, message });
                };
                let end = if task.is_some() { first + 1 } else { assignment.tasks.len() };
                let grader = Grader::of_tasks(Rc::clone(&assignment), submission, first..end);
                (job, Work::Grade(Box::new(grader), assignment))
            }
            CourseRequest::Mutants { job, text, most } => {
                let known = self.read(&text);
                if known.errors {
                    return self.events.push(refused(job));
                }
                let assignment = Rc::clone(&known.assignment);
                let all = of_sample(&assignment, most as usize);
                let mutants = Mutants { assignment, all, grades: Vec::new(), running: None };
                (job, Work::Mutants(Box::new(mutants)))
            }
            CourseRequest::DryRun { job, text } => {
                let known = self.read(&text);
                if known.errors {
                    return self.events.push(refused(job));
                }
                let findings = dry_run(&known.assignment).into_iter().map(|it| CourseFinding {
                    importance: match it.importance {
                        Importance::Note => "note",
                        Importance::Warning => "warning",
                        Importance::Error => "error",
                    }
                    .to_owned(),
                    task: it.task,
                    message: it.message,
                });
                let event = CourseEvent::DryRun { job, findings: findings.collect() };
                return self.events.push(event);
            }
            // Done when they are submitted.
            CourseRequest::Open { .. }
            | CourseRequest::HandIn { .. }
            | CourseRequest::Edition { .. }
            | CourseRequest::Cancel { .. } => return self.submit(request),
        };
        self.job = Some(Job { number, work, told: self.clock.seconds() });
    }
}

impl Job {
    fn progress(&self) -> CourseEvent {
        let (done, of, states) = match &self.work {
            Work::Grade(grader, _) => {
                let (done, of) = grader.progress();
                (done, of, grader.states())
            }
            Work::Mutants(mutants) => {
                let states = mutants.running.as_ref().map_or(0, Grader::states);
                (mutants.grades.len(), mutants.all.len(), states)
            }
        };
        CourseEvent::Progress { job: self.number, done: done as u32, of: of as u32, states }
    }

    /// One slice; the answer, if that was the last.
    fn advance(&mut self) -> Option<CourseEvent> {
        let job = self.number;
        match &mut self.work {
            Work::Grade(grader, assignment) => {
                if !grader.advance(STEPS) {
                    return None;
                }
                let tasks = Grader::of_tasks(Rc::clone(assignment), Submission::default(), 0..0);
                let done = std::mem::replace(grader.as_mut(), tasks).finish();
                Some(CourseEvent::Graded { job, grade: Box::new(visible(&done, assignment)) })
            }
            Work::Mutants(mutants) => mutants.advance().then(|| mutants.table(job)),
        }
    }
}

impl Mutants {
    /// One slice; true after the last.
    fn advance(&mut self) -> bool {
        let Some(mut grader) = self.running.take() else {
            let Some((_, _, submission)) = self.all.get(self.grades.len()) else { return true };
            self.running = Some(Grader::new(Rc::clone(&self.assignment), submission.clone()));
            return false;
        };
        if grader.advance(STEPS) {
            self.grades.push(grader.finish());
        } else {
            self.running = Some(grader);
        }
        false
    }

    fn table(&self, job: u32) -> CourseEvent {
        let checks = mutant_checks(&self.assignment, &self.grades);
        let row = |((file, mutant, _), grade): (&(String, Mutant, Submission), &Grade)| {
            let noticed = (0..checks.len() as u32).zip(&checks);
            let noticed = noticed.filter(|(_, (task, title, _))| notices(grade, task, title));
            MutantRow {
                file: file.clone(),
                line: mutant.line,
                change: mutant.change.title().to_owned(),
                before: mutant.before.clone(),
                after: mutant.after.clone(),
                noticed: noticed.map(|(number, _)| number).collect(),
            }
        };
        let mutants = self.all.iter().zip(&self.grades).map(row).collect();
        let check = |(task, title, hidden)| MutantCheck { task, title, hidden };
        let checks = checks.iter().cloned().map(check).collect();
        CourseEvent::Mutants { job, checks, mutants }
    }
}

fn number_of(request: &CourseRequest) -> u32 {
    match request {
        CourseRequest::Open { job, .. }
        | CourseRequest::Grade { job, .. }
        | CourseRequest::HandIn { job, .. }
        | CourseRequest::DryRun { job, .. }
        | CourseRequest::Mutants { job, .. }
        | CourseRequest::Edition { job, .. }
        | CourseRequest::Cancel { job } => *job,
    }
}

fn refused(job: u32) -> CourseEvent {
    CourseEvent::Ended { job, message: "the assignment has errors".to_owned() }
}

/// The work as a submission, read back from what would be handed in: so what is graded here is what is
/// graded there.
fn submission(assignment: &Assignment, work: &CourseWork) -> Submission {
    let mut given = Submission {
        assignment: Some(assignment.id.clone()),
        fields: work.fields.iter().filter(|(_, value)| !value.trim().is_empty()).cloned().collect(),
        ..Submission::default()
    };
    let mut problems = Vec::new();
    for file in &work.files {
        if assignment.starters().any(|it| it.name == file.name) {
            given.files.push((file.name.clone(), file.text.clone()));
        } else {
            problems.push(format!("`{}` is no file of this assignment", file.name));
        }
    }
    for (task, answer) in &work.answers {
        if assignment.task(task).is_some_and(|it| it.kind.has_answer()) {
            given.answers.push((task.clone(), answer.clone()));
        } else {
            problems.push(format!("there is no task `{task}` to answer"));
        }
    }
    let files = [("submission.md".to_owned(), given.to_text().into_bytes())];
    let mut read = Submission::from_files("your work", &files, assignment);
    read.problems.append(&mut problems);
    read
}
