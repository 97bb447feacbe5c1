//! `promenade grade`.

use super::arguments::{GradeRequest, To};
use super::collect::collect;
use super::pool::grade_all;
use super::report::{self, Alike};
use super::{html, load};
use crate::Exit;
use crate::output::{self, StatusLine};
use promenade_assignment::{Assignment, Submission, fingerprints, similar_pairs, visible};
use promenade_protocol::{Grade, TaskStatus};
use std::path::Path;
use std::sync::Mutex;

/// Pairs that are listed.
const MOST_PAIRS: usize = 200;

/// Runs the command.
pub(super) fn run(request: &GradeRequest) -> Exit {
    let Some((text, assignment)) = load(&request.assignment) else { return Exit::Input };
    if assignment.sealed || assignment.private {
        output::complain(
            "note: this is an edition for students; what counts is grading with the teacher's file",
        );
    }
    let submissions = collect(&request.submissions, &assignment);
    let line = Mutex::new(StatusLine::new());
    let of = submissions.len();
    let grades = grade_all(&text, &assignment, &submissions, request.jobs, &|done| {
        if let Ok(mut line) = line.lock() {
            line.show(&format!("{done} of {of} graded"));
        }
    });
    if let Ok(mut line) = line.lock() {
        line.clear();
    }
    let exit = exit(&grades);
    let shown: Vec<Grade> = if request.everything {
        grades
    } else {
        grades.iter().map(|grade| visible(grade, &assignment)).collect()
    };
    let alike = alike(&assignment, &submissions, request.similarity);
    if write(request, &assignment, &shown, &alike) { exit } else { Exit::Output }
}

/// Writes all that was asked for; false if something could not be written.
fn write(
    request: &GradeRequest,
    assignment: &Assignment,
    grades: &[Grade],
    alike: &[Alike],
) -> bool {
    let mut written = true;
    let mut put = |to: &Option<To>, text: &dyn Fn() -> String| match to {
        None => {}
        Some(To::Output) => output::print(&text()),
        Some(To::File(name)) => written &= write_file(Path::new(name), &text()),
    };
    put(&request.csv, &|| report::csv(assignment, grades));
    put(&request.json, &|| report::json(grades, alike));
    put(&request.junit, &|| report::junit(assignment, grades));
    put(&request.gradescope, &|| report::gradescope(grades));
    let taken = [&request.csv, &request.json, &request.junit, &request.gradescope]
        .iter()
        .any(|to| **to == Some(To::Output));
    if !taken {
        output::print(&report::text(grades, alike));
    }
    match &request.report {
        Some(name) if name.ends_with(".html") || name.ends_with(".htm") => {
            let text = html::report(assignment, grades, alike, &request.page);
            written & write_file(Path::new(name), &text)
        }
        Some(folder) => written & write_folder(request, folder, assignment, grades, alike),
        None => written,
    }
}

/// One file per submission, and a list of them.
fn write_folder(
    request: &GradeRequest,
    folder: &str,
    assignment: &Assignment,
    grades: &[Grade],
    alike: &[Alike],
) -> bool {
    let folder = Path::new(folder);
    if let Err(error) = std::fs::create_dir_all(folder) {
        output::complain(&format!("error: cannot make `{}`: {error}", folder.display()));
        return false;
    }
    let mut written = true;
    let names: Vec<String> = grades.iter().enumerate().map(|(at, it)| file_name(at, it)).collect();
    for (grade, name) in grades.iter().zip(&names) {
        let one = std::slice::from_ref(grade);
        let text = html::report(assignment, one, &[], &request.page);
        written &= write_file(&folder.join(name), &text);
    }
    let index = html::index(assignment, grades, &names, alike);
    written & write_file(&folder.join("index.html"), &index)
}

/// A name that is safe on every system and tells whose file it is.
fn file_name(number: usize, grade: &Grade) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let name: String =
        grade.submission.chars().map(|c| if fits(c) { c } else { '-' }).take(60).collect();
    format!("{:04}-{name}.html", number + 1)
}

pub(super) fn write_file(path: &Path, text: &str) -> bool {
    match std::fs::write(path, text) {
        Ok(()) => true,
        Err(error) => {
            output::complain(&format!("error: cannot write `{}`: {error}", path.display()));
            false
        }
    }
}

/// Submissions that look alike.
fn alike(assignment: &Assignment, submissions: &[Submission], percent: u32) -> Vec<Alike> {
    let prints: Vec<_> = submissions.iter().map(|it| fingerprints(assignment, it)).collect();
    let pairs = similar_pairs(&prints, f64::from(percent) / 100.0);
    let label = |number: usize| submissions.get(number).map_or("", |it| &it.label).to_owned();
    pairs
        .into_iter()
        .take(MOST_PAIRS)
        .map(|pair| Alike {
            first: label(pair.first),
            second: label(pair.second),
            percent: (pair.share * 100.0).round() as u32,
            shared: pair.shared,
        })
        .collect()
}

/// The worst that happened.
fn exit(grades: &[Grade]) -> Exit {
    let any = |status: TaskStatus| {
        grades.iter().flat_map(|grade| &grade.tasks).any(|task| task.status == status)
    };
    if any(TaskStatus::InternalError) {
        Exit::Internal
    } else if grades.iter().any(|grade| !grade.problems.is_empty()) {
        Exit::Input
    } else if grades.iter().all(Grade::is_complete) {
        Exit::Holds
    } else if any(TaskStatus::Inconclusive)
        && !any(TaskStatus::Failed)
        && !any(TaskStatus::Partial)
        && !any(TaskStatus::Missing)
        && !any(TaskStatus::Rejected)
    {
        Exit::NotConclusive
    } else {
        Exit::Violated
    }
}
