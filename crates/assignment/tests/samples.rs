//! The assignments that ship with the project: each can be solved as its author says, no trivial
//! answer passes, and the student's editions are the same assignment.

use promenade_assignment::{
    Edition, FRONT_KEYS, Importance, Kind, TASK_KEYS, dry_run, grade, of_sample, read, sample,
    student_edition,
};
use promenade_protocol::{CheckStatus, TaskStatus};
use std::collections::BTreeSet;
use std::path::PathBuf;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn texts() -> Vec<(String, String)> {
    let folder = root().join("tests/suite/assignments");
    let mut found: Vec<(String, String)> = std::fs::read_dir(folder)
        .expect("the folder")
        .flatten()
        .map(|it| it.path())
        .filter(|path| path.extension().is_some_and(|it| it == "md"))
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).expect("text"))
        })
        .collect();
    found.sort();
    found
}

#[test]
fn every_assignment_is_sound() {
    let texts = texts();
    assert_eq!(texts.len(), 5);
    let mut kinds = BTreeSet::new();
    for (name, text) in texts {
        let checked = read(&text);
        assert!(checked.diagnostics.is_empty(), "{name}: {:?}", checked.diagnostics);
        let assignment = checked.value;
        assert_eq!(assignment.id, name);
        kinds.extend(assignment.tasks.iter().map(|task| task.kind.word()));
        let bad: Vec<_> = dry_run(&assignment)
            .into_iter()
            .filter(|it| it.importance > Importance::Note)
            .collect();
        assert!(bad.is_empty(), "{name}: {bad:#?}");
    }
    assert_eq!(kinds.len(), Kind::ALL.len(), "{kinds:?}");
}

#[test]
fn editions_for_students_are_the_same_assignment() {
    for (name, text) in texts() {
        let assignment = read(&text).value;
        let full = grade(&assignment, sample(&assignment));
        assert!(full.is_complete(), "{name}: {full:#?}");
        let sealed = student_edition(&text, Edition::Sealed).expect("an edition");
        assert_eq!(grade(&read(&sealed).value, sample(&assignment)), full, "{name}");
        let private = student_edition(&text, Edition::Private).expect("an edition");
        let opened = read(&private);
        assert!(opened.diagnostics.is_empty(), "{name}: {:?}", opened.diagnostics);
        let partly = grade(&opened.value, sample(&assignment));
        for task in &partly.tasks {
            let known = matches!(task.status, TaskStatus::Passed | TaskStatus::Inconclusive);
            assert!(known, "{name}, {}: {task:?}", task.id);
        }
    }
}

#[test]
fn checks_notice_most_mutants() {
    for (name, text) in texts() {
        let assignment = read(&text).value;
        let mutants = of_sample(&assignment, 30);
        let mut survivors = Vec::new();
        for (_, mutant, submission) in &mutants {
            let grade = grade(&assignment, submission.clone());
            let checks = grade.tasks.iter().flat_map(|it| &it.checks);
            if checks.clone().all(|it| it.status == CheckStatus::Passed) {
                survivors.push(format!("{}: {} -> {}", mutant.line, mutant.before, mutant.after));
            }
        }
        let most = mutants.len() * 4 / 10;
        assert!(survivors.len() <= most, "{name}: of {} {survivors:#?}", mutants.len());
    }
}

#[test]
fn the_schema_lists_the_keys() {
    let file = root().join("docs/assignment.schema.json");
    let text = std::fs::read_to_string(file).expect("the schema");
    let schema: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    for (place, keys) in [("front", FRONT_KEYS), ("task", TASK_KEYS)] {
        let listed = schema["$defs"][place]["properties"].as_object().expect("properties");
        let names: BTreeSet<&str> = listed.keys().map(String::as_str).collect();
        let known: BTreeSet<&str> = keys.iter().map(|key| key.name).collect();
        assert_eq!(names, known, "{place}");
        for key in keys {
            let property = &listed[key.name];
            assert_eq!(property["description"].as_str(), Some(key.doc), "{}", key.name);
            let list = property["$ref"] == "#/$defs/list";
            assert_eq!(list, key.list, "{}", key.name);
        }
    }
    let kinds = schema["$defs"]["task"]["properties"]["kind"]["enum"].as_array().expect("kinds");
    let kinds: Vec<&str> = kinds.iter().filter_map(serde_json::Value::as_str).collect();
    assert_eq!(kinds, Kind::ALL.map(Kind::word));
}

#[test]
fn the_help_names_every_key() {
    let help = std::fs::read_to_string(root().join("www/help/teaching.md")).expect("the help");
    for key in FRONT_KEYS.iter().chain(TASK_KEYS) {
        assert!(help.contains(&format!("`{}`", key.name)), "`{}` is not in the help", key.name);
    }
    for kind in Kind::ALL {
        assert!(help.contains(&format!("`{}`", kind.word())), "{kind:?}");
    }
}
