//! Whole checks, reduced and merged ones too, over every store and with every search: generated code
//! and the interpreter come to one report.

use promenade_base::random::Random;
use promenade_checker::{Check, Start, start};
use promenade_protocol::{
    DeadVariables, Emptiness, Experiment, Fairness, File, Property, Proviso, Reduction, Report,
    Search, Settings, Statistics, Store,
};
use promenade_testkit::local_model::local_model;
use promenade_testkit::random_model::{Features, random_model};
use promenade_testkit::write_only_model::{Uses, with_write_only};
use promenade_wasmtime_engine::Wasmtime;

const ALGORITHMS: [Emptiness; 5] = [
    Emptiness::NestedDfs,
    Emptiness::Couvreur,
    Emptiness::CouvreurShy,
    Emptiness::GeneralisedNestedDfs,
    Emptiness::GeldenhuysValmari,
];
const FORMULAS: [&str; 4] =
    ["[] <> (g == 1)", "<> [] (h > g)", "[] (b == 1 -> <> (g == 0))", "<> (h == 2)"];

fn pick<T: Copy>(random: &mut Random, from: &[T]) -> T {
    from[random.below(from.len())]
}

/// A legal combination, as random as it may be.
fn experiment(text: &str, random: &mut Random) -> Experiment {
    let formula = Property::Formula { text: pick(random, &FORMULAS).to_owned() };
    let properties = [Property::Safety, Property::Safety, Property::Progress, formula];
    let property = properties[random.below(properties.len())].clone();
    let finite = property == Property::Safety;
    let mut settings = Settings {
        memory_mib: 16,
        all_errors: random.chance(1, 2),
        keep_violations: 20,
        state_limit: Some(3000),
        reduction: pick(random, &[Reduction::None, Reduction::AmpleSets]),
        proviso: pick(random, &[Proviso::Dynamic, Proviso::Static]),
        dead_variables: pick(random, &[DeadVariables::Keep, DeadVariables::Reset]),
        ..Settings::default()
    };
    if finite {
        settings.store = pick(random, Store::ALL);
        settings.merge = random.chance(1, 2);
        if settings.store != Store::Caching {
            settings.search = pick(random, &[Search::DepthFirst, Search::BreadthFirst]);
        }
    } else {
        settings.emptiness = pick(random, &ALGORITHMS);
        settings.proviso = Proviso::Static;
        if settings.reduction == Reduction::None {
            settings.fairness = pick(random, &[Fairness::None, Fairness::Weak]);
        }
    }
    let files = vec![File { name: "model.pml".to_owned(), text: text.to_owned() }];
    Experiment { files, property, settings }
}

fn run(mut check: Box<Check>) -> Report {
    while !check.advance(10_000) {}
    check.finish()
}

/// What a report says of the search; not how long it took, or how much its buffers hold.
fn told(report: Report) -> (Report, String) {
    let Statistics { seconds, compile_seconds, stack_bytes, memory_bytes, .. } =
        Statistics::default();
    let statistics =
        Statistics { seconds, compile_seconds, stack_bytes, memory_bytes, ..report.statistics };
    let violations = format!("{:?}", report.violations);
    (Report { statistics, violations: Vec::new(), ..report }, violations)
}

fn compare(text: &str, seed: u64, counts: &mut [u64; 4]) {
    let mut random = Random::new(seed);
    let experiment = experiment(text, &mut random);
    let Start::Running(interpreted) = start(&experiment, None) else {
        counts[0] += 1;
        return;
    };
    let Start::Running(mut compiled) = start(&experiment, None) else {
        panic!("{seed}: accepted once")
    };
    // Some change over in the middle.
    let before = random.below(200) as u64;
    if random.chance(1, 2) {
        compiled.advance(before);
    }
    assert!(compiled.accelerate(&Wasmtime::eager()), "{seed}");
    let (interpreted, compiled) = (told(run(interpreted)), told(run(compiled)));
    let name = format!("{seed}: {:?} {:?}\n{text}", experiment.property, experiment.settings);
    assert_eq!(interpreted.0.statistics, compiled.0.statistics, "{name}");
    assert_eq!(interpreted.0.summary, compiled.0.summary, "{name}");
    assert!(interpreted == compiled, "{name}");
    counts[1] += 1;
    counts[2] += u64::from(compiled.0.statistics.states_reduced > 0);
    counts[3] += u64::from(compiled.0.statistics.errors > 0);
}

#[test]
fn one_report() {
    let mut counts = [0; 4];
    for seed in 1..=300 {
        let assertions = seed % 3 == 0;
        let text = if seed % 2 == 0 {
            local_model(seed)
        } else {
            random_model(seed, Features { assertions, ..Features::ALL })
        };
        let text = if seed % 5 == 0 { with_write_only(&text, seed, Uses::Any) } else { text };
        compare(&text, seed, &mut counts);
    }
    println!("[rejected, compared, reduced, with errors]: {counts:?}");
    assert!(counts[1] > 200 && counts[2] > 40 && counts[3] > 40, "{counts:?}");
}
