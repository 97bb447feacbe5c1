//! Submissions graded by processes of their own, so that one that brings the checker down takes no
//! other with it. A process is asked line by line, in JSON, and started anew if it dies.

use crate::Exit;
use promenade_assignment::{Assignment, Submission, grade, read};
use promenade_protocol::{Grade, TaskGrade, TaskStatus, VERSION};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// How long one submission may take. This is no limit of the assignment, whose limits count states:
/// whoever meets it is not graded, and the teacher is told so.
const PATIENCE: Duration = Duration::from_secs(1800);

/// A submission on its way.
#[derive(Serialize, Deserialize)]
struct Letter {
    label: String,
    assignment: Option<String>,
    fields: Vec<(String, String)>,
    files: Vec<(String, String)>,
    answers: Vec<(String, String)>,
    problems: Vec<String>,
}

impl From<&Submission> for Letter {
    fn from(it: &Submission) -> Self {
        let Submission { label, assignment, fields, files, answers, problems } = it.clone();
        Self { label, assignment, fields, files, answers, problems }
    }
}

impl From<Letter> for Submission {
    fn from(it: Letter) -> Self {
        let Letter { label, assignment, fields, files, answers, problems } = it;
        Self { label, assignment, fields, files, answers, problems }
    }
}

/// What a process does: the assignment in the first line, then a submission a line.
pub(super) fn serve() -> Exit {
    let mut lines = std::io::stdin().lock().lines();
    let Some(Ok(first)) = lines.next() else { return Exit::Input };
    let Ok(text) = serde_json::from_str::<String>(&first) else { return Exit::Input };
    let assignment = read(&text);
    if assignment.has_errors() {
        return Exit::Input;
    }
    let mut out = std::io::stdout().lock();
    for line in lines.map_while(Result::ok) {
        let Ok(letter) = serde_json::from_str::<Letter>(&line) else { return Exit::Input };
        let graded = grade(&assignment.value, letter.into());
        let Ok(answer) = serde_json::to_string(&graded) else { return Exit::Internal };
        if writeln!(out, "{answer}").and_then(|()| out.flush()).is_err() {
            return Exit::Output;
        }
    }
    Exit::Holds
}

/// A process and its answers.
struct Worker {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
}

impl Worker {
    fn start(text: &str) -> Result<Self, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut child = Command::new(program)
            .args(["grade", "--worker"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("no process can be started: {error}"))?;
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the process has no input and output".to_owned());
        };
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let first = serde_json::to_string(text).map_err(|error| error.to_string())?;
        // A process that is gone already is noticed when it is asked.
        let _ = writeln!(input, "{first}");
        Ok(Self { child, input, answers })
    }

    fn ask(&mut self, submission: &Submission) -> Result<Grade, String> {
        let line = serde_json::to_string(&Letter::from(submission)).map_err(|it| it.to_string())?;
        let died = || "the checker broke down on this submission".to_owned();
        writeln!(self.input, "{line}").and_then(|()| self.input.flush()).map_err(|_| died())?;
        match self.answers.recv_timeout(PATIENCE) {
            Ok(line) => serde_json::from_str(&line).map_err(|_| died()),
            Err(RecvTimeoutError::Disconnected) => Err(died()),
            Err(RecvTimeoutError::Timeout) => {
                let minutes = PATIENCE.as_secs() / 60;
                Err(format!("not graded: it took more than {minutes} minutes on this machine"))
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The grade of a submission that could not be graded.
fn not_graded(assignment: &Assignment, submission: &Submission, problem: String) -> Grade {
    let task = |task: &promenade_assignment::Task| TaskGrade {
        id: task.id.clone(),
        title: task.title.clone(),
        status: TaskStatus::InternalError,
        max: f64::from(task.points),
        message: problem.clone(),
        ..TaskGrade::default()
    };
    let mut problems = submission.problems.clone();
    problems.push(problem.clone());
    Grade {
        assignment: assignment.id.clone(),
        version: VERSION.to_owned(),
        submission: submission.label.clone(),
        fields: submission.fields.clone(),
        score: 0.0,
        max: f64::from(assignment.points()),
        problems,
        tasks: assignment.tasks.iter().map(task).collect(),
    }
}

/// Grades all submissions, `jobs` at a time, in their order. `done` is told after each.
pub(super) fn grade_all(
    text: &str,
    assignment: &Assignment,
    submissions: &[Submission],
    jobs: usize,
    done: &(dyn Fn(usize) + Sync),
) -> Vec<Grade> {
    let next = AtomicUsize::new(0);
    let finished = AtomicUsize::new(0);
    let grades: Mutex<Vec<Option<Grade>>> = Mutex::new(vec![None; submissions.len()]);
    let work = || {
        let mut worker: Option<Worker> = None;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(submission) = submissions.get(number) else { break };
            let started = match worker.take() {
                Some(worker) => Ok(worker),
                None => Worker::start(text),
            };
            let graded = started.and_then(|mut running| {
                let graded = running.ask(submission)?;
                worker = Some(running);
                Ok(graded)
            });
            let graded = graded.unwrap_or_else(|why| not_graded(assignment, submission, why));
            if let Ok(mut grades) = grades.lock() {
                grades[number] = Some(graded);
            }
            done(finished.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, submissions.len().max(1)) {
            scope.spawn(work);
        }
    });
    let grades = grades.into_inner().unwrap_or_default();
    grades
        .into_iter()
        .zip(submissions)
        .map(|(graded, submission)| {
            let lost = || not_graded(assignment, submission, "it was not graded".to_owned());
            graded.unwrap_or_else(lost)
        })
        .collect()
}
