//! Random Promela texts about corners of the language, run here and by SPIN: stored, matched and
//! errors must agree.
//!
//! Skipped with a message where SPIN or gcc is missing. `PROMENADE_SEEDS=first-last` chooses other
//! models than usual.

mod support;

use promenade_base::SourceMap;
use promenade_interp::RunOptions;
use promenade_promela::{CompileOptions, compile};
use promenade_testkit::corner_model::{Corner, corner_model};
use promenade_testkit::{seeds, spin};
use promenade_transition_system::ViolationKind;
use std::rc::Rc;

fn compare(corner: Corner) {
    if !spin::available() {
        return println!("skipped: spin or gcc is not installed");
    }
    let name = format!("promenade-corner-{corner:?}-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let (mut compared, mut refused, mut different) = (0, 0, Vec::new());
    for seed in seeds(1..=6) {
        let text = corner_model(corner, seed);
        let answer = match spin::reference(&text, &folder) {
            Ok(spin::Answer::Counts(counts)) => counts,
            Ok(other) => {
                println!("seed {seed}: {other:?}");
                refused += 1;
                continue;
            }
            Err(error) => return println!("skipped: {error}"),
        };
        let compiled =
            compile(&SourceMap::single("model", text.as_str()), &CompileOptions::default());
        let Some(compiled) = compiled.value else {
            println!("seed {seed}: refused: {:?}\n{text}", compiled.diagnostics);
            different.push(seed);
            continue;
        };
        let ours = support::count_up_to(&Rc::new(compiled.model), RunOptions::default(), 500_000);
        compared += 1;
        // SPIN reads memory that is not its own there.
        let undefined = [ViolationKind::UninitializedChannel, ViolationKind::ClosedChannel];
        if ours.kinds.iter().any(|k| undefined.contains(k)) && answer.errors > 0 {
            continue;
        }
        let same = (ours.stored, ours.matched, ours.errors)
            == (answer.stored, answer.matched, answer.errors);
        if !same {
            println!("seed {seed}: ours {ours:?}, SPIN's {answer:?}\n{text}");
            different.push(seed);
        }
    }
    let _ = std::fs::remove_dir_all(folder);
    println!("{corner:?}: {compared} models compared, {refused} without an answer of SPIN");
    assert!(different.is_empty(), "{corner:?}, different: {different:?}");
}

#[test]
fn an_else_in_every_position() {
    compare(Corner::Else);
}

#[test]
fn sorted_sends_of_large_values() {
    compare(Corner::SortedSends);
}

#[test]
fn remote_references_in_d_steps() {
    compare(Corner::RemoteInDStep);
}

#[test]
fn messages_with_too_few_or_too_many_fields() {
    compare(Corner::ShortMessages);
}

#[test]
fn values_of_structures_and_numbers_for_channels() {
    compare(Corner::Structures);
}

#[test]
fn enabled_about_processes_that_ask() {
    compare(Corner::Enabled);
}

#[test]
fn jumps_into_atomic_sequences() {
    compare(Corner::AtomicLoops);
}
