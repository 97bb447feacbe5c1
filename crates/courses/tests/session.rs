//! What the worker tells is what the command line says, and it can always be stopped.

use promenade_assignment::{Submission, grade, read, sample, visible};
use promenade_courses::Session;
use promenade_protocol::{
    Course, CourseEvent, CoursePiece, CourseRequest, CourseWork, File, TaskStatus,
};
use promenade_service::Timeless;
use std::cell::Cell;
use std::fs;
use std::path::PathBuf;

fn shipped() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/suite/assignments");
    let mut all: Vec<(String, String)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).unwrap())
        })
        .collect();
    all.sort();
    assert!(all.len() >= 5);
    all
}

fn ask(session: &mut Session<Timeless>, request: CourseRequest) -> CourseEvent {
    session.submit(request);
    let mut events = session.take_events();
    while events.is_empty() && !session.is_idle() {
        events = session.advance(0.0);
    }
    assert_eq!(events.len(), 1, "{events:?}");
    events.remove(0)
}

fn open(text: &str, work: CourseWork) -> Course {
    let request = CourseRequest::Open { job: 1, text: text.to_owned(), work };
    match ask(&mut Session::new(Timeless), request) {
        CourseEvent::Opened { course: Some(course), .. } => *course,
        other => panic!("{other:?}"),
    }
}

fn solved(text: &str) -> CourseWork {
    let Submission { files, answers, .. } = sample(&read(text).value);
    let files = files.into_iter().map(|(name, text)| File { name, text }).collect();
    CourseWork { fields: vec![("name".to_owned(), "Ada".to_owned())], files, answers }
}

#[test]
fn grades_are_those_of_what_is_handed_in() {
    for (name, text) in shipped() {
        let mut session = Session::new(Timeless);
        let assignment = read(&text).value;
        let mut wrong = solved(&text);
        wrong.answers.retain(|(task, _)| assignment.tasks[0].id != *task);
        wrong.files.clear();
        for work in [solved(&text), wrong] {
            let request = CourseRequest::HandIn { job: 7, text: text.clone(), work: work.clone() };
            let CourseEvent::HandedIn { text: file, link: Some(link), .. } =
                ask(&mut session, request)
            else {
                panic!("{name}")
            };
            let request = CourseRequest::Grade { job: 8, text: text.clone(), work, task: None };
            let CourseEvent::Graded { grade: told, .. } = ask(&mut session, request) else {
                panic!("{name}")
            };
            let files = [("ada.md".to_owned(), file.into_bytes())];
            let of_file = Submission::from_files("your work", &files, &assignment);
            let of_link = Submission::from_link("your work", &format!("#{link}"), &assignment);
            for submission in [of_file, of_link] {
                assert_eq!(submission.problems, Vec::<String>::new(), "{name}");
                let expected = visible(&grade(&assignment, submission), &assignment);
                assert_eq!(*told, expected, "{name}");
            }
        }
    }
}

#[test]
fn solutions_pass_and_single_tasks_are_graded_alone() {
    for (name, text) in shipped() {
        let work = solved(&text);
        let mut session = Session::new(Timeless);
        for task in read(&text).value.tasks {
            let request = CourseRequest::Grade {
                job: 3,
                text: text.clone(),
                work: work.clone(),
                task: Some(task.id.clone()),
            };
            let CourseEvent::Graded { grade, .. } = ask(&mut session, request) else {
                panic!("{name}")
            };
            assert_eq!(grade.tasks.len(), 1);
            assert_eq!((&grade.tasks[0].id, grade.tasks[0].status), (&task.id, TaskStatus::Passed));
        }
    }
}

#[test]
fn a_student_sees_files_locks_and_what_is_asked_but_nothing_hidden() {
    for (name, text) in shipped() {
        let course = open(&text, CourseWork::default());
        let seen = format!("{course:?}");
        let assignment = read(&text).value;
        for task in &assignment.tasks {
            if let Some(solution) = task.solution.as_ref().filter(|it| it.len() > 12) {
                assert!(!seen.contains(solution.trim()), "{name}: {solution}");
            }
        }
        for file in &course.files {
            let own = &file.experiment.files[file.at as usize];
            assert_eq!((&own.name, &own.text), (&file.name, &file.starter));
            let lines: Vec<&str> = own.text.lines().collect();
            for (from, to) in file.editable.iter().flatten() {
                assert!(lines[*from as usize - 1].contains("BEGIN EDIT"), "{name}");
                assert!(lines[*to as usize].contains("END EDIT"), "{name}");
            }
            assert!(!file.given || file.editable == Some(Vec::new()));
        }
        let tasks = course.pieces.iter().filter(|it| matches!(it, CoursePiece::Task { .. }));
        assert_eq!(tasks.count(), course.tasks.len());
    }
}

#[test]
fn work_goes_on_where_it_was_left() {
    let (_, text) = shipped().into_iter().find(|(name, _)| name == "mutual-exclusion").unwrap();
    let work = solved(&text);
    let course = open(&text, work.clone());
    let file = course.files.iter().find(|it| !it.given).unwrap();
    let own = &file.experiment.files[file.at as usize];
    assert_eq!(own.text, work.files.iter().find(|it| it.name == file.name).unwrap().text);
    assert_ne!(own.text, file.starter);
    // What does not fit is there too, with the reason.
    let mut broken = work;
    broken.files.iter_mut().for_each(|it| it.text.insert_str(0, "byte more;\n"));
    let course = open(&text, broken);
    let file = course.files.iter().find(|it| !it.given).unwrap();
    assert_eq!(file.rejected.as_ref().map(|(line, _)| *line), Some(1));
}

const ENDLESS: &str = "---\npromenade-assignment: 1\nid: endless\ntitle: Endless\nstates: 50000000\n\
    memory: 4096\n---\n<script>x</script>\n\n```promela given=\"a.pml\"\nint a, b, c;\nactive proctype P() \
    { do :: a++ :: b++ :: c++ od }\n```\n\n```task\nid: t\nkind: predict\ntitle: T\npoints: 1\nfile: a.pml\n\
    question: states\nsolution: 1\n```\n";

#[test]
fn an_endless_check_is_told_and_cancelled() {
    let time = Cell::new(0.0);
    let mut session = Session::new(|| {
        time.set(time.get() + 0.01);
        time.get()
    });
    let answers = vec![("t".to_owned(), "5".to_owned())];
    let work = CourseWork { answers, ..CourseWork::default() };
    let text = ENDLESS.to_owned();
    session.submit(CourseRequest::Grade { job: 4, text, work, task: None });
    let mut events = Vec::new();
    for _ in 0..40 {
        events.extend(session.advance(0.05));
    }
    assert!(!session.is_idle());
    let states = |event: &CourseEvent| match event {
        CourseEvent::Progress { job: 4, done: 0, of: 1, states } => *states,
        other => panic!("{other:?}"),
    };
    assert!(events.len() >= 2 && events.iter().map(states).is_sorted());
    assert!(states(events.last().unwrap()) > 1_000);
    // Reading goes on meanwhile.
    let work = CourseWork::default();
    session.submit(CourseRequest::Open { job: 5, text: ENDLESS.to_owned(), work });
    let events = session.take_events();
    let [CourseEvent::Opened { job: 5, course: Some(course), .. }] = events.as_slice() else {
        panic!("{events:?}")
    };
    assert!(matches!(&course.pieces[0], CoursePiece::Text { html } if !html.contains("<script")));
    session.submit(CourseRequest::Cancel { job: 4 });
    let ended = CourseEvent::Ended { job: 4, message: String::new() };
    assert_eq!(session.take_events(), [ended]);
    assert!(session.is_idle());
}

#[test]
fn texts_with_errors_are_told_with_their_places() {
    let mut session = Session::new(Timeless);
    let text = ENDLESS.replace("kind: predict", "kind: guess");
    let work = CourseWork::default();
    let request = CourseRequest::Open { job: 1, text: text.clone(), work: work.clone() };
    let CourseEvent::Opened { diagnostics, course: None, .. } = ask(&mut session, request) else {
        panic!("it was opened")
    };
    let line = text.lines().position(|line| line.contains("guess")).unwrap() as u32 + 1;
    assert!(diagnostics.iter().any(|it| it.span.line == line), "{diagnostics:?}");
    for request in [
        CourseRequest::Grade { job: 2, text: text.clone(), work: work.clone(), task: None },
        CourseRequest::HandIn { job: 2, text: text.clone(), work },
        CourseRequest::DryRun { job: 2, text: text.clone() },
        CourseRequest::Mutants { job: 2, text: text.clone(), most: 5 },
    ] {
        let event = ask(&mut session, request);
        assert!(matches!(event, CourseEvent::Ended { job: 2, message } if !message.is_empty()));
    }
}

#[test]
fn authors_get_findings_mutants_and_editions() {
    let (_, text) = shipped().into_iter().find(|(name, _)| name == "mutual-exclusion").unwrap();
    let mut session = Session::new(Timeless);
    let request = CourseRequest::DryRun { job: 1, text: text.clone() };
    let CourseEvent::DryRun { findings, .. } = ask(&mut session, request) else { panic!() };
    assert!(findings.iter().all(|it| it.importance != "error"), "{findings:?}");
    let request = CourseRequest::Mutants { job: 1, text: text.clone(), most: 12 };
    let CourseEvent::Mutants { checks, mutants, .. } = ask(&mut session, request) else { panic!() };
    assert!(!checks.is_empty() && !mutants.is_empty() && mutants.len() <= 12);
    assert!(mutants.iter().any(|it| !it.noticed.is_empty()));
    for (private, word) in [(false, "sealed"), (true, "private")] {
        let request = CourseRequest::Edition { job: 1, text: text.clone(), private };
        let CourseEvent::Edition { text: Some(made), .. } = ask(&mut session, request) else {
            panic!()
        };
        assert!(
            read(&made)
                .value
                .files
                .iter()
                .all(|file| !made.contains("solution=") || file.name.is_empty())
        );
        assert_eq!(open(&made, CourseWork::default()).edition, word);
    }
}
