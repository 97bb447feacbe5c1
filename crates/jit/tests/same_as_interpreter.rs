//! Generated code and the interpreter expand every reached state alike: corpus, gallery, random
//! models.

mod support;

use promenade_base::SourceMap;
use promenade_interp::RunOptions;
use promenade_testkit::corpus::Corpus;
use promenade_testkit::random_model::{Features, random_model};
use support::{Seen, compare, model};

fn add(sum: &mut Seen, seen: &Seen) {
    sum.states += seen.states;
    sum.items += seen.items;
    sum.statements += seen.statements;
    sum.compiled += seen.compiled;
    sum.calls += seen.calls;
    sum.stops += seen.stops;
}

fn all_options() -> [RunOptions; 3] {
    let plain = RunOptions::default();
    [
        plain.clone(),
        RunOptions { acceptance: true, check_assertions: false, ..plain.clone() },
        RunOptions { acceptance: true, weak_fairness: true, ..plain },
    ]
}

#[test]
fn random_models() {
    let count = std::env::var("PROMENADE_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let (mut sum, mut refused) = (Seen::default(), 0);
    for seed in 0..count {
        let mut features = Features::ALL;
        features.provided = seed % 8 == 0;
        let text = random_model(seed, features);
        let Some(model) = model(&text) else { panic!("seed {seed} is refused:\n{text}") };
        let which = (seed % 3) as usize;
        println!("seed {seed}");
        match compare(&model, &all_options()[which], 1500) {
            Ok(seen) => add(&mut sum, &seen),
            Err(_) => refused += 1,
        }
    }
    println!("{sum:?}, {refused} not compiled");
    assert!(sum.compiled * 2 > sum.statements, "most statements are compiled");
}

#[test]
fn gallery() {
    let mut sum = Seen::default();
    for entry in promenade_gallery::ENTRIES {
        let Some(model) = model(entry.text) else { continue };
        println!("{}", entry.name);
        for options in all_options() {
            match compare(&model, &options, 1000) {
                Ok(seen) => {
                    println!("  {seen:?}");
                    add(&mut sum, &seen);
                }
                Err(why) => println!("  {}", why.reason()),
            }
        }
    }
    println!("{sum:?}");
}

#[test]
fn corpus() {
    let corpus = match Corpus::find() {
        Ok(corpus) => corpus,
        Err(why) => return println!("skipped: {why}"),
    };
    let mut sum = Seen::default();
    for set in ["micro", "reports", "beem", "spin-examples"] {
        for file in corpus.files(set) {
            let Ok(text) = corpus.text(set, &file) else { continue };
            let source = SourceMap::single("model", text);
            let options = promenade_promela::CompileOptions::default();
            let Some(compiled) = promenade_promela::compile(&source, &options).value else {
                continue;
            };
            println!("{set}/{file}");
            let model = std::rc::Rc::new(compiled.model);
            match compare(&model, &RunOptions::default(), 400) {
                Ok(seen) => {
                    println!("  {seen:?}");
                    add(&mut sum, &seen);
                }
                Err(why) => println!("  {}", why.reason()),
            }
        }
    }
    println!("{sum:?}");
}
