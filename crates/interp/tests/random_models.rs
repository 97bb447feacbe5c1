//! Random Promela texts, compiled and run here and by SPIN: stored, matched and errors must agree.
//!
//! Skipped with a message where SPIN or gcc is missing. `PROMENADE_SEEDS=first-last` chooses other
//! models than usual.

mod support;

use promenade_base::SourceMap;
use promenade_interp::RunOptions;
use promenade_promela::{CompileOptions, compile};
use promenade_testkit::random_model::{Features, random_model};
use promenade_testkit::{seeds, spin};
use std::rc::Rc;

#[test]
fn random_texts_count_as_in_spin() {
    if !spin::available() {
        return println!("skipped: spin or gcc is not installed");
    }
    let folder = std::env::temp_dir().join(format!("promenade-texts-{}", std::process::id()));
    let (mut compared, mut states, mut different) = (0, 0, Vec::new());
    for seed in seeds(1..=8) {
        let text = random_model(seed, Features::ALL);
        let answer = match spin::reference(&text, &folder) {
            Ok(spin::Answer::Counts(counts)) => counts,
            Ok(other) => {
                println!("seed {seed}: {other:?}");
                continue;
            }
            Err(error) => return println!("skipped: {error}"),
        };
        if answer.stored > 400_000 {
            continue;
        }
        let compiled =
            compile(&SourceMap::single("model", text.as_str()), &CompileOptions::default());
        let Some(compiled) = compiled.value else {
            println!("seed {seed}: refused: {:?}\n{text}", compiled.diagnostics);
            different.push(seed);
            continue;
        };
        let ours = support::count_up_to(&Rc::new(compiled.model), RunOptions::default(), 500_000);
        compared += 1;
        states += ours.stored;
        let same = (ours.stored, ours.matched, ours.errors)
            == (answer.stored, answer.matched, answer.errors);
        if !same {
            let (stored, matched, errors) = (ours.stored, ours.matched, ours.errors);
            println!("seed {seed}: ours {stored}/{matched} e{errors}, SPIN's {answer:?}\n{text}");
            different.push(seed);
        }
    }
    let _ = std::fs::remove_dir_all(folder);
    println!("{compared} models compared, {states} states");
    assert!(different.is_empty(), "different: {different:?}");
}

/// SPIN's numbers, which do not need SPIN to be there.
#[test]
fn a_bit_that_is_the_whole_message_is_a_byte() {
    let text = "short s = -1; chan q = [3] of { bit };\nactive proctype P() { q!s }\n\
                active proctype Q() { s = 1 }\n";
    let compiled = compile(&SourceMap::single("model", text), &CompileOptions::default());
    let model = Rc::new(compiled.value.expect("a model").model);
    let ours = support::count_up_to(&model, RunOptions::default(), 1000);
    assert_eq!((ours.stored, ours.matched, ours.errors), (10, 1, 0));
}

/// A loop inside an atomic sequence is endless only if nothing leads out of it, not even by way of a
/// state further back on the path.
#[test]
fn loops_with_a_way_out_are_not_endless() {
    let count = |body: &str| {
        let text = format!("byte x; active proctype P() {{ atomic {{ {body} }}; x = 3 }}\n");
        let compiled =
            compile(&SourceMap::single("model", text.as_str()), &CompileOptions::default());
        let model = Rc::new(compiled.value.expect("a model").model);
        support::count_up_to(&model, RunOptions::default(), 1000).errors
    };
    assert_eq!(count("do :: x = 1 :: x = 2 :: x == 1 -> break od"), 0);
    assert_eq!(count("do :: x == 1 -> break :: x = 2 :: x = 1 od"), 0);
    assert!(count("do :: x = 1 :: x = 2 od") > 0);
    assert!(count("do :: x = 1 :: x = 2 :: x == 3 -> break od") > 0);
}
