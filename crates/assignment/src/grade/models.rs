//! From the files of an assignment and a submission to an experiment.

use crate::format::{Assignment, Judged, ModelSettings, Role, SourceText};
use crate::properties::PropertySpec;
use crate::regions::Template;
use crate::submission::Submission;
use promenade_protocol::{Experiment, File, Property, Settings, TaskStatus};

/// Why a task is not graded.
pub(super) type Refused = (TaskStatus, String);

/// The text of a starter file as it was handed in, if its locked text is as it was. Without a file
/// of that name the starter's own text stands in its place where `needed` is false.
fn handed_in(
    assignment: &Assignment,
    submission: &Submission,
    name: &str,
    needed: bool,
) -> Result<String, Refused> {
    let starter = assignment.file(name);
    let starter = starter.map(|file| (file, file.role));
    let Some((starter, Role::Starter { directives })) = starter else {
        return Err((TaskStatus::Inconclusive, format!("`{name}` is not in this edition")));
    };
    let found = submission.files.iter().find(|(known, _)| known == name);
    let Some((_, text)) = found else {
        if needed {
            return Err((TaskStatus::Missing, format!("`{name}` was not handed in")));
        }
        return Ok(starter.text.clone());
    };
    if let Err(why) = Template::new(&starter.text, directives).verify(text) {
        return Err((TaskStatus::Rejected, format!("{name}, line {}: {}", why.line, why.message)));
    }
    Ok(text.clone())
}

/// The files of a model, the main file first.
///
/// # Errors
/// Something was not handed in, was changed where it must not be, or is not in this edition.
pub(super) fn files(
    assignment: &Assignment,
    submission: &Submission,
    model: &Judged,
) -> Result<Vec<File>, Refused> {
    let mut files = Vec::new();
    let missing = |name: &str| {
        let message = format!("`{name}` is not in this edition: grade with the teacher's file");
        (TaskStatus::Inconclusive, message)
    };
    let main = assignment.file(&model.file).ok_or_else(|| missing(&model.file))?;
    let text = match main.role {
        Role::Starter { .. } => handed_in(assignment, submission, &model.file, true)?,
        _ => main.text.clone(),
    };
    files.push(File { name: model.file.clone(), text });
    for part in &model.environment {
        let file = assignment.file(&part.what).ok_or_else(|| missing(&part.what))?;
        files.push(File { name: file.name.clone(), text: file.text.clone() });
    }
    if !model.environment.is_empty() {
        files.insert(0, together(assignment, &files));
    }
    // What is included, directly or by what is included.
    let mut at = 0;
    while let Some(text) = files.get(at).map(|file| file.text.clone()) {
        at += 1;
        let wanted = assignment.files.iter().filter(|file| includes(&text, &file.name));
        for file in wanted {
            if files.iter().any(|known| known.name == file.name) {
                continue;
            }
            let text = match file.role {
                Role::Given => file.text.clone(),
                Role::Starter { .. } => handed_in(assignment, submission, &file.name, false)?,
                Role::Hidden | Role::Solution => continue,
            };
            files.push(File { name: file.name.clone(), text });
        }
    }
    Ok(files)
}

/// The model of a file as a student sees it: the texts of the submission, without hidden files, and which
/// of them the file is. What does not fit its template is there all the same.
pub fn shown(
    assignment: &Assignment,
    submission: &Submission,
    model: &Judged,
) -> (Vec<File>, usize) {
    let text = |file: &SourceText| {
        let own = submission.files.iter().find(|(known, _)| *known == file.name);
        let own = own.filter(|_| matches!(file.role, Role::Starter { .. }));
        own.map_or_else(|| file.text.clone(), |(_, text)| text.clone())
    };
    let seen = |file: &&SourceText| matches!(file.role, Role::Starter { .. } | Role::Given);
    let names = std::iter::once(&model.file).chain(model.environment.iter().map(|it| &it.what));
    let mut files: Vec<File> = names
        .filter_map(|name| assignment.file(name).filter(seen))
        .map(|file| File { name: file.name.clone(), text: text(file) })
        .collect();
    let at = usize::from(files.len() > 1);
    if at == 1 {
        files.insert(0, together(assignment, &files));
    }
    let mut next = 0;
    while let Some(inside) = files.get(next).map(|file| file.text.clone()) {
        next += 1;
        for file in assignment.files.iter().filter(seen).filter(|it| includes(&inside, &it.name)) {
            if !files.iter().any(|known| known.name == file.name) {
                files.push(File { name: file.name.clone(), text: text(file) });
            }
        }
    }
    (files, at)
}

/// A file that includes others, one after the other: so errors keep the names of their files.
fn together(assignment: &Assignment, files: &[File]) -> File {
    let mut name = "model".to_owned();
    while assignment.files.iter().any(|file| file.name == name) {
        name.push('_');
    }
    let text = files.iter().map(|file| format!("#include \"{}\"\n", file.name)).collect();
    File { name, text }
}

/// Whether a line of directives names a file.
fn includes(text: &str, name: &str) -> bool {
    let directive = |line: &&str| line.trim_start().starts_with('#');
    text.lines().filter(directive).any(|line| {
        [("\"", "\""), ("<", ">")]
            .iter()
            .any(|(open, close)| line.contains(&format!("{open}{name}{close}")))
    })
}

/// The experiment of a property.
pub fn experiment(
    files: Vec<File>,
    settings: &ModelSettings,
    spec: &PropertySpec,
) -> Box<Experiment> {
    let settings = Settings {
        memory_mib: settings.memory_mib,
        state_limit: Some(settings.states),
        assertions: spec.assertions,
        end_states: spec.end_states,
        fairness: spec.fairness.unwrap_or(settings.fairness),
        lose_messages: settings.lose_messages,
        defines: settings.defines.clone(),
        keep_violations: 1,
        ..Settings::default()
    };
    Box::new(Experiment { files, property: spec.property.clone(), settings })
}

/// The experiment of a formula, or an automaton, that every run has to satisfy.
pub(super) fn of_formula(
    files: Vec<File>,
    settings: &ModelSettings,
    formula: &str,
) -> Box<Experiment> {
    let property = Property::Formula { text: formula.to_owned() };
    experiment(files, settings, &PropertySpec { property, ..PropertySpec::default() })
}
