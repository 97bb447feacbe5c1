//! Generated code and the interpreter expand every reached state alike: corpus, gallery, random
//! models; by whatever executes the code.

use crate::compare::{Load, Seen, compare, model};
use promenade_base::SourceMap;
use promenade_base::random::Random;
use promenade_interp::RunOptions;
use promenade_testkit::corner_model::{Corner, corner_model};
use promenade_testkit::corpus::Corpus;
use promenade_testkit::random_model::{Features, random_model};
use promenade_testkit::scratch_model::scratch_model;
use promenade_testkit::write_only_model::{Uses, with_write_only};

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

/// Random models.
pub fn random_models(load: Load) {
    let count = std::env::var("PROMENADE_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let (mut sum, mut refused) = (Seen::default(), 0);
    for seed in 0..count {
        let mut features = Features::ALL;
        features.provided = seed % 8 == 0;
        let text = random_model(seed, features);
        let Some(model) = model(&text) else { panic!("seed {seed} is refused:\n{text}") };
        let which = (seed % 3) as usize;
        println!("seed {seed}");
        match compare(&model, &all_options()[which], 1500, load) {
            Ok(seen) => add(&mut sum, &seen),
            Err(_) => refused += 1,
        }
    }
    println!("{sum:?}, {refused} not compiled");
    assert!(sum.compiled * 2 > sum.statements, "most statements are compiled");
}

/// Random models about corners of the language.
pub fn corners(load: Load) {
    let count = std::env::var("PROMENADE_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let mut sum = Seen::default();
    for corner in Corner::ALL {
        for seed in 0..count {
            let text = corner_model(corner, seed);
            // What SPIN refuses may be refused here too.
            let Some(model) = model(&text) else { continue };
            println!("{corner:?} {seed}\n{text}");
            let which = (seed % 3) as usize;
            if let Ok(seen) = compare(&model, &all_options()[which], 1000, load) {
                add(&mut sum, &seen);
            }
        }
    }
    println!("{sum:?}");
    assert!(sum.compiled * 2 > sum.statements, "most statements are compiled");
}

/// A claim over the variables that every random model has.
fn claim(random: &mut Random) -> String {
    let mut text = String::from("\nnever {\n");
    let states = 1 + random.below(3);
    for state in 0..states {
        let accept = if random.chance(1, 2) { "accept_" } else { "T" };
        text += &format!("{accept}{state}:\n  if\n");
        for _ in 0..1 + random.below(3) {
            let value = random.below(3);
            let guard = match random.below(8) {
                0 => format!("g == {value}"),
                1 => format!("h > {value}"),
                2 => "!b".to_owned(),
                3 => "a[g % 2] > 0 || timeout".to_owned(),
                4 => "np_".to_owned(),
                5 => format!("a[h] == {value}"),
                6 => "atomic { g > 0 -> assert(h < 3) }".to_owned(),
                _ => "true".to_owned(),
            };
            let next = random.below(states + 1);
            // Labels are found by their number, whatever they are called.
            text += &format!("  :: {guard} -> goto X{next}\n");
        }
        text += "  fi;\n";
    }
    text += &format!("T{states}: skip\n}}\n");
    for state in 0..=states {
        let accept = text.contains(&format!("accept_{state}:"));
        let name = if accept { "accept_" } else { "T" };
        text = text.replace(&format!("X{state}"), &format!("{name}{state}"));
    }
    text
}

/// Random models with a claim that runs along.
pub fn random_models_with_claims(load: Load) {
    let count = std::env::var("PROMENADE_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let mut sum = Seen::default();
    for seed in 0..count {
        let features = Features { provided: false, ..Features::ALL };
        let mut random = Random::new(seed);
        let text = random_model(seed, features) + &claim(&mut random);
        let Some(model) = model(&text) else { panic!("seed {seed} is refused:\n{text}") };
        println!("seed {seed}\n{text}");
        let mut options = all_options()[(seed % 3) as usize].clone();
        options.claim = Some(0);
        options.stutter = seed % 2 == 0;
        if let Ok(seen) = compare(&model, &options, 1000, load) {
            add(&mut sum, &seen);
        }
    }
    println!("{sum:?}");
    assert!(sum.compiled * 2 > sum.statements, "most statements are compiled");
}

/// Models in which dead variables are reset.
pub fn dead_variables(load: Load) {
    let count = std::env::var("PROMENADE_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    let (mut sum, mut reset) = (Seen::default(), 0);
    for seed in 0..count {
        let features = Features { provided: false, ..Features::ALL };
        let text = if seed % 3 == 0 { random_model(seed, features) } else { scratch_model(seed) };
        let Some(model) = model(&text) else { panic!("seed {seed} is refused:\n{text}") };
        let Some((model, _)) = promenade_analysis::reset_dead(&model) else { continue };
        reset += 1;
        println!("seed {seed}\n{text}");
        let model = std::rc::Rc::new(model);
        if let Ok(seen) = compare(&model, &all_options()[(seed % 3) as usize], 1000, load) {
            add(&mut sum, &seen);
        }
    }
    println!("{sum:?}, {reset} reset");
    assert!(sum.compiled * 2 > sum.statements && reset * 2 > count, "most are compiled");
}

/// Models in which write-only variables are no part of states.
pub fn write_only_variables(load: Load) {
    let count = std::env::var("PROMENADE_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    let (mut sum, mut without) = (Seen::default(), 0);
    for seed in 0..count {
        let features = Features { provided: false, ..Features::ALL };
        let text = random_model(seed, features);
        let uses = if seed % 3 == 0 { Uses::AsSpin } else { Uses::Chains };
        let text = with_write_only(&text, seed, uses) + &claim(&mut Random::new(seed));
        let Some(model) = model(&text) else { panic!("seed {seed} is refused:\n{text}") };
        let with_claim = (seed % 2 == 0).then_some(0);
        let Some((model, _)) = promenade_analysis::leave_out(&model) else { continue };
        without += 1;
        println!("seed {seed}\n{text}");
        let mut options = all_options()[(seed % 3) as usize].clone();
        options.claim = with_claim;
        let model = std::rc::Rc::new(model);
        if let Ok(seen) = compare(&model, &options, 1000, load) {
            add(&mut sum, &seen);
        }
    }
    println!("{sum:?}, {without} without");
    assert!(sum.compiled * 2 > sum.statements && without * 2 > count, "most are compiled");
}

/// The gallery.
pub fn gallery(load: Load) {
    let mut sum = Seen::default();
    for entry in promenade_gallery::ENTRIES {
        let Some(model) = model(entry.text) else { continue };
        println!("{}", entry.name);
        for options in all_options() {
            match compare(&model, &options, 1000, load) {
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

/// The corpus, if it is there.
pub fn corpus(load: Load) {
    let corpus = match Corpus::find() {
        Ok(corpus) => corpus,
        Err(why) => return println!("skipped: {why}"),
    };
    let mut sum = Seen::default();
    for set in ["micro", "reports", "beem", "spin-examples", "ltl"] {
        for file in corpus.files(set) {
            let Ok(text) = corpus.text(set, &file) else { continue };
            let source = SourceMap::single("model", text);
            let options = promenade_promela::CompileOptions::default();
            let Some(compiled) = promenade_promela::compile(&source, &options).value else {
                continue;
            };
            println!("{set}/{file}");
            let model = std::rc::Rc::new(compiled.model);
            let mut options = RunOptions::default();
            let claims = (0..model.claims.len()).map(Some);
            for claim in std::iter::once(None).chain(claims) {
                options.claim = claim;
                match compare(&model, &options, 400, load) {
                    Ok(seen) => {
                        println!("  {seen:?}");
                        add(&mut sum, &seen);
                    }
                    Err(why) => println!("  {}", why.reason()),
                }
            }
        }
    }
    println!("{sum:?}");
}
