//! An assignment as a student sees it.

use promenade_assignment::html::render;
use promenade_assignment::{
    Assignment, Body, FileRef, Judged, Kind, PropertySpec, Question, Role, SourceText, Stated,
    Submission, Task, Template, experiment, shown,
};
use promenade_base::{Diagnostic, Severity, SourceMap, Span};
use promenade_protocol::{
    Course, CourseAsk, CourseFile, CoursePiece, CourseTask, DiagnosticData, Experiment, File,
    Level, Property, Settings, SpanData,
};

/// The assignment with the work on it.
pub(crate) fn course(assignment: &Assignment, work: &Submission) -> Course {
    let edition = match (assignment.sealed, assignment.private) {
        (_, true) => "private",
        (true, _) => "sealed",
        _ => "author",
    };
    let seen = |file: &&SourceText| matches!(file.role, Role::Starter { .. } | Role::Given);
    Course {
        id: assignment.id.clone(),
        title: assignment.title.clone(),
        edition: edition.to_owned(),
        points: assignment.points(),
        fields: assignment.fields.clone(),
        pieces: assignment.pieces.iter().filter_map(|it| piece(assignment, it)).collect(),
        files: assignment.files.iter().filter(seen).map(|it| file(assignment, it, work)).collect(),
        tasks: assignment.tasks.iter().map(|it| task(assignment, it)).collect(),
        blank: Experiment {
            files: vec![File { name: "notes.pml".to_owned(), text: String::new() }],
            ..Experiment::default()
        },
    }
}

fn piece(assignment: &Assignment, piece: &promenade_assignment::Piece) -> Option<CoursePiece> {
    use promenade_assignment::Piece;
    match piece {
        Piece::Markdown(text) => Some(CoursePiece::Text { html: render(text) }),
        Piece::File(name) => {
            let file = assignment.file(name)?;
            let seen = matches!(file.role, Role::Starter { .. } | Role::Given);
            seen.then(|| CoursePiece::File { name: name.clone() })
        }
        Piece::Task(id) => Some(CoursePiece::Task { id: id.clone() }),
    }
}

/// The model that a task is about, unless it is about none.
fn model(task: &Task) -> Option<&Judged> {
    match &task.body {
        Body::Model { model, .. } | Body::FindBug { model, .. } | Body::Predict { model, .. } => {
            Some(model)
        }
        Body::Specification { .. } => None,
    }
}

fn file(assignment: &Assignment, file: &SourceText, work: &Submission) -> CourseFile {
    let about = assignment.tasks.iter().find(|it| model(it).is_some_and(|it| it.file == file.name));
    let alone = Judged { file: file.name.clone(), environment: Vec::new() };
    let judged = about.and_then(model).unwrap_or(&alone);
    let (files, at) = shown(assignment, work, judged);
    let settings = about.map_or_else(Settings::default, |task| Settings {
        fairness: task.settings.fairness,
        lose_messages: task.settings.lose_messages,
        defines: task.settings.defines.clone(),
        ..Settings::default()
    });
    let own = files.get(at).map_or("", |it| it.text.as_str());
    let (editable, rejected) = match file.role {
        Role::Starter { directives } => locks(&Template::new(&file.text, directives), own),
        _ => (Some(Vec::new()), None),
    };
    CourseFile {
        name: file.name.clone(),
        given: !matches!(file.role, Role::Starter { .. }),
        starter: file.text.clone(),
        experiment: Experiment { files, property: Property::Safety, settings },
        at: at as u32,
        editable,
        rejected,
    }
}

/// Ranges of lines that may be changed, and why a text does not fit its template.
type Locks = (Option<Vec<(u32, u32)>>, Option<(u32, String)>);

fn locks(template: &Template, text: &str) -> Locks {
    if template.is_free() {
        return (None, None);
    }
    match template.regions(text) {
        Ok(regions) => {
            let lines = regions.into_iter().map(|(_, it)| (it.start as u32, it.end as u32));
            (Some(lines.collect()), None)
        }
        Err(why) => (None, Some((why.line, why.message))),
    }
}

fn task(assignment: &Assignment, task: &Task) -> CourseTask {
    let question = match &task.body {
        Body::Predict { question, .. } => Some(match question {
            Question::States => "states",
            Question::Assertions => "assertions",
            Question::Runs => "runs",
            Question::Verdict => "verdict",
        }),
        _ => None,
    };
    let runs = match &task.body {
        Body::Predict { runs, .. } => runs
            .iter()
            .map(|run| {
                let formula = if run.hidden { String::new() } else { run.what.formula.clone() };
                (run.what.name.clone(), formula)
            })
            .collect(),
        _ => Vec::new(),
    };
    let steps = match &task.body {
        Body::FindBug { steps, .. } => *steps,
        _ => None,
    };
    let seen = |name: &&String| {
        assignment
            .file(name)
            .is_some_and(|file| matches!(file.role, Role::Starter { .. } | Role::Given))
    };
    let (asks, hidden) = asks(task);
    CourseTask {
        id: task.id.clone(),
        title: task.title.clone(),
        kind: task.kind.word().to_owned(),
        points: task.points,
        partial: task.partial,
        file: model(task).map(|it| &it.file).filter(seen).cloned(),
        has_answer: task.kind.has_answer(),
        question: question.map(str::to_owned),
        runs,
        steps,
        asks,
        hidden,
        withheld: task.withheld,
        hints: task.hints.clone(),
        hints_after: task.hints_after,
    }
}

/// What a student is told is checked, and how many checks he is not told.
fn asks(task: &Task) -> (Vec<CourseAsk>, u32) {
    let mut asks = Vec::new();
    let mut hidden = 0;
    let tried = |spec: &PropertySpec| {
        let Experiment { property, settings, .. } = *experiment(Vec::new(), &task.settings, spec);
        Some((property, settings))
    };
    let mut ask = |what: &str, text: &str, check| {
        asks.push(CourseAsk { what: what.to_owned(), text: text.to_owned(), check });
    };
    match &task.body {
        Body::Model { properties, witnesses, .. } => {
            for property in properties.iter().filter(|it| !it.hidden) {
                ask("Has to hold", &property.what.text, tried(&property.what));
            }
            for witness in witnesses.iter().filter(|it| !it.hidden) {
                ask("Has to stay possible", &witness.what, None);
            }
            hidden = hidden_of(properties) + hidden_of(witnesses);
        }
        Body::FindBug { property, .. } if property.hidden => hidden = 1,
        Body::FindBug { property, violation, .. } => {
            ask("A run that violates", &property.what.text, tried(&property.what));
            if let Some(violation) = violation {
                ask("The run has to end with", violation, None);
            }
        }
        Body::Specification { models, mutants, reference, next } => {
            files(models, "Has to hold on", &mut ask);
            files(mutants, "Has to fail on", &mut ask);
            if task.kind == Kind::Formula && !next {
                ask("Without the operator", "X", None);
            }
            hidden = hidden_of(models) + hidden_of(mutants) + u32::from(reference.is_some());
        }
        Body::Predict { question: Question::Verdict, property, .. } => {
            ask("The property", &property.text, None);
        }
        Body::Predict { .. } => {}
    }
    (asks, hidden)
}

fn files(
    list: &[FileRef],
    what: &str,
    ask: &mut impl FnMut(&str, &str, Option<(Property, Settings)>),
) {
    for file in list.iter().filter(|it| !it.hidden) {
        ask(what, &file.what, None);
    }
}

fn hidden_of<T>(list: &[Stated<T>]) -> u32 {
    list.iter().filter(|it| it.hidden).count() as u32
}

/// Findings with their places in the assignment.
pub(crate) fn told(text: &str, diagnostics: &[Diagnostic]) -> Vec<DiagnosticData> {
    let sources = SourceMap::single("assignment", text);
    let place = |span: Span| {
        let at = sources.line_column(span);
        SpanData { file: 0, start: span.start, end: span.end, line: at.line, column: at.column }
    };
    let finding = |it: &Diagnostic| DiagnosticData {
        level: match it.severity {
            Severity::Error => Level::Error,
            Severity::Warning => Level::Warning,
            Severity::Note => Level::Note,
        },
        code: it.code.to_owned(),
        span: place(it.span),
        message: it.message.clone(),
        hint: it.hint.clone(),
        related: it.related.iter().map(|it| (place(it.span), it.message.clone())).collect(),
        fix: None,
    };
    diagnostics.iter().map(finding).collect()
}
