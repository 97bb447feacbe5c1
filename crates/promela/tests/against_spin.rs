//! Random models, compiled and counted here and by SPIN.
//!
//! Skipped with a message where SPIN or gcc is missing. `PROMENADE_SEEDS=first-last` chooses other
//! models than usual.

mod support;

use promenade_base::SourceMap;
use promenade_interp::RunOptions;
use promenade_promela::{CompileOptions, compile};
use promenade_testkit::random_model::{Features, random_model};
use promenade_testkit::seeds;
use promenade_testkit::spin::{self, Answer};
use std::ops::RangeInclusive;
use std::path::Path;
use std::rc::Rc;

/// `None` if equal or not comparable, else the difference in words.
fn difference(text: &str, folder: &Path, compared: &mut usize) -> Option<String> {
    let answer = match spin::reference(text, folder) {
        Ok(answer) => answer,
        Err(error) => return Some(format!("SPIN cannot be run: {error}")),
    };
    let checked = compile(&SourceMap::single("model.pml", text), &CompileOptions::default());
    let errors: Vec<String> = checked
        .diagnostics
        .iter()
        .filter(|d| d.is_error())
        .map(|d| format!("{}: {}", d.code, d.message))
        .collect();
    let model = match (&answer, checked.value) {
        (Answer::Unusable(_), _) => return None,
        (Answer::Refused(_), None) => {
            *compared += 1;
            return None;
        }
        // SPIN does not say the reason in its first line.
        (Answer::Refused(_), Some(_))
            if checked.diagnostics.iter().any(|d| d.code == "jump-to-d-step") =>
        {
            return None;
        }
        (Answer::Refused(why), Some(_)) => return Some(format!("SPIN refuses it: {why}")),
        (Answer::Counts(_), None) => return Some(format!("refused: {}", errors.join("; "))),
        (Answer::Counts(_), Some(compiled)) => compiled.model,
    };
    let Answer::Counts(expected) = answer else { return None };
    let ours = support::count(&Rc::new(model), RunOptions::default());
    if ours.fatal || ours.cut {
        return None;
    }
    *compared += 1;
    let equal = (ours.stored, ours.matched, ours.errors)
        == (expected.stored, expected.matched, expected.errors);
    (!equal).then(|| format!("SPIN {expected:?}, ours {ours:?}"))
}

fn compare(name: &str, usual: RangeInclusive<u64>, make: impl Fn(u64) -> String) {
    if !spin::available() {
        return println!("skipped: spin or gcc is not installed");
    }
    let folder = std::env::temp_dir().join(format!("promenade-{name}-{}", std::process::id()));
    let (mut compared, mut different) = (0, Vec::new());
    for seed in seeds(usual) {
        let text = make(seed);
        if let Some(what) = difference(&text, &folder, &mut compared) {
            println!("{name} seed {seed}: {what}\n{text}\n");
            different.push(seed);
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    println!("{compared} models compared");
    assert!(different.is_empty(), "different: {different:?}");
}

#[test]
fn random_models_count_as_in_spin() {
    compare("models", 1..=10, |seed| random_model(seed, Features::ALL));
}

#[test]
fn random_control_flow_counts_as_in_spin() {
    compare("flow", 1..=10, support::flow::random_flow);
}
