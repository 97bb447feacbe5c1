//! Every legal combination of search, store, reduction and property comes to the verdict of the plain
//! search, on random models.
//!
//! `PROMENADE_SEEDS=first-last` chooses other models than usual.

use promenade_base::random::Random;
use promenade_ltl::Formulas;
use promenade_ltl::print::{Parentheses, Spelling, print};
use promenade_ltl::random::{Shape, formula};
use promenade_protocol::{
    Emptiness, Fairness, Probing, Property, Proviso, Reduction, Report, Search, Settings,
    StoppedBy, Store, Verdict,
};
use promenade_testkit::local_model::local_model;
use promenade_testkit::random_model::{Features, random_model};
use promenade_testkit::seeds;
use promenade_tests::comparison::{base, check, kinds};
use std::collections::BTreeSet;

/// Propositions over the variables of every random model.
const ATOMS: [&str; 5] = ["(g == 1)", "(h > g)", "(b == 1)", "(a[0] == a[1])", "(h + 1 >= g)"];
/// Larger models are left out.
const STATES: u32 = 8_000;

const SEARCHES: [Search; 2] = [Search::DepthFirst, Search::BreadthFirst];
const REDUCTIONS: [Reduction; 2] = [Reduction::None, Reduction::AmpleSets];
/// Reductions with their conditions on cycles.
const REDUCED: [(Reduction, Proviso); 3] = [
    (Reduction::None, Proviso::Automatic),
    (Reduction::AmpleSets, Proviso::Dynamic),
    (Reduction::AmpleSets, Proviso::Static),
];
const ALGORITHMS: [Emptiness; 8] = [
    Emptiness::Automatic,
    Emptiness::NestedDfs,
    Emptiness::Couvreur,
    Emptiness::CouvreurShy,
    Emptiness::CouvreurWithoutRem,
    Emptiness::GeneralisedNestedDfs,
    Emptiness::OriginalNestedDfs,
    Emptiness::GeldenhuysValmari,
];

#[derive(Debug, Default)]
struct Totals {
    models: usize,
    violated: usize,
    full: u64,
    reduced: u64,
    /// With the static condition on cycles.
    fixed: u64,
    runs: usize,
}

/// The plain search of a small model for errors of finite runs, if it came to its end.
fn conclusive(text: &str) -> Option<Report> {
    let plain = check(text, &Property::Safety, Settings { state_limit: Some(STATES), ..base() });
    let ended = plain.statistics.states_stored < u64::from(STATES);
    (ended && matches!(plain.verdict, Verdict::Holds | Verdict::Violated)).then_some(plain)
}

/// All combinations on one model, for a property of finite runs.
fn compare(text: &str, seed: u64, totals: &mut Totals) {
    let plain = check(text, &Property::Safety, Settings { state_limit: Some(STATES), ..base() });
    let partial = matches!(plain.verdict, Verdict::NoViolationFound { .. })
        || plain.notes.iter().any(|note| note.contains("were kept"))
        || plain.statistics.states_stored >= u64::from(STATES);
    if partial || matches!(plain.verdict, Verdict::InputError) {
        return;
    }
    assert!(!matches!(plain.verdict, Verdict::InternalError { .. }), "{seed}: {}", plain.summary);
    totals.models += 1;
    totals.full += plain.statistics.states_stored;
    let wanted = kinds(&plain);
    totals.violated += usize::from(!wanted.is_empty());
    let mut fixed = None;
    for search in SEARCHES {
        for store in Store::ALL.iter().copied() {
            for (reduction, proviso) in REDUCED {
                let settings = Settings { search, store, reduction, proviso, ..base() };
                let report = check(text, &Property::Safety, settings);
                let name =
                    format!("seed {seed}, {search:?} {store:?} {reduction:?} {proviso:?}\n{text}");
                if store == Store::Caching && search == Search::BreadthFirst {
                    assert_eq!(report.verdict, Verdict::InputError, "{name}");
                    continue;
                }
                totals.runs += 1;
                let lossy = store.is_lossy() && store != Store::Automatic;
                assert_eq!(
                    report.confidence.is_some_and(|c| c.any_omission > 0.0),
                    lossy,
                    "{name}"
                );
                if reduction == Reduction::AmpleSets && store == Store::Exact {
                    let states = report.statistics.states_stored;
                    match proviso {
                        Proviso::Static => totals.fixed += states,
                        _ => totals.reduced += states,
                    }
                    assert!(report.statistics.states_stored <= plain.statistics.states_stored);
                }
                if proviso == Proviso::Static && plain.verdict == Verdict::Holds && !lossy {
                    // What is taken depends on the state alone, so the states are always the same.
                    let states = report.statistics.states_stored;
                    assert_eq!(*fixed.get_or_insert(states), states, "{name}");
                }
                if reduction == Reduction::None {
                    let counts = (report.statistics.states_stored, report.statistics.transitions);
                    let expected = (plain.statistics.states_stored, plain.statistics.transitions);
                    let same = search == Search::DepthFirst && store != Store::Caching;
                    if same && !lossy {
                        assert_eq!(counts, expected, "{name}");
                    }
                    assert_eq!(report.statistics.states_stored, expected.0, "{name}");
                }
                let found = report.violations.iter().map(|found| found.kind.as_str());
                assert_eq!(found.collect::<BTreeSet<_>>(), wanted, "{name}");
                let expected = match (&plain.verdict, lossy) {
                    (Verdict::Holds, true) => {
                        Verdict::NoViolationFound { why: StoppedBy::Omissions }
                    }
                    (verdict, _) => verdict.clone(),
                };
                assert_eq!(report.verdict, expected, "{name}: {}", report.summary);
                let holds = report.summary.starts_with("Holds");
                assert_eq!(holds, report.verdict == Verdict::Holds, "{}", report.summary);
            }
        }
    }
}

/// However small the probability that a state was missed, it is not rounded to a proof.
#[test]
fn a_nearly_certain_run_is_no_proof() {
    let text = "byte x;\nactive proctype P() { do :: x < 9 -> x++ :: else -> break od }\n";
    for settings in [
        Settings { store: Store::Bitstate, hashes: 64, memory_mib: 64, ..base() },
        Settings { store: Store::HashCompact, cell_bits: 64, memory_mib: 64, ..base() },
    ] {
        let report = check(text, &Property::Safety, settings);
        let why = StoppedBy::Omissions;
        assert_eq!(report.verdict, Verdict::NoViolationFound { why }, "{}", report.summary);
        assert!(report.summary.contains("less than 0.000001 %"), "{}", report.summary);
        assert!(report.summary.contains("more than 99.999999 %"), "{}", report.summary);
        assert!(report.unreached.is_empty());
        assert!(report.confidence.is_some_and(|c| c.any_omission > 0.0 && c.coverage < 1.0));
    }
}

#[test]
fn safety_with_every_store_and_reduction() {
    let mut totals = Totals::default();
    for seed in seeds(1..=250) {
        compare(&random_model(seed, Features::ALL), seed, &mut totals);
    }
    println!("{totals:?}");
    assert!(totals.models > 50 && totals.violated > 10, "{totals:?}");
    assert!(totals.reduced < 2 * totals.full && totals.fixed < 2 * totals.full, "{totals:?}");
}

#[test]
fn the_order_of_steps_changes_no_verdict() {
    let mut other = 0;
    for seed in seeds(1..=300) {
        let text = random_model(seed, Features::ALL);
        let plain =
            check(&text, &Property::Safety, Settings { state_limit: Some(STATES), ..base() });
        if plain.statistics.states_stored >= u64::from(STATES) || plain.violations.is_empty() {
            continue;
        }
        for reduction in REDUCTIONS {
            let shuffle = 1 + seed as u32 % 5;
            let settings = Settings { shuffle, reduction, ..base() };
            let report = check(&text, &Property::Safety, settings);
            assert_eq!(kinds(&report), kinds(&plain), "seed {seed}, {shuffle}\n{text}");
            if reduction == Reduction::None {
                assert_eq!(report.statistics.states_stored, plain.statistics.states_stored);
                let run = |report: &Report| report.violations[0].trace.choices.clone();
                other += u32::from(run(&report) != run(&plain));
            }
        }
    }
    assert!(other > 20, "{other}");
}

#[test]
fn merged_statements_change_no_verdict() {
    let (mut plain_states, mut merged_states, mut violated) = (0, 0, 0);
    for seed in seeds(1..=400) {
        let text = random_model(seed, Features::ALL);
        let Some(plain) = conclusive(&text) else { continue };
        violated += u32::from(plain.verdict == Verdict::Violated);
        for search in SEARCHES {
            for reduction in REDUCTIONS {
                let settings = Settings { merge: true, search, reduction, ..base() };
                let report = check(&text, &Property::Safety, settings);
                let name = format!("seed {seed}, {search:?}, {reduction:?}\n{text}");
                assert_eq!(report.verdict, plain.verdict, "{name}: {}", report.summary);
                assert_eq!(kinds(&report), kinds(&plain), "{name}");
                if reduction == Reduction::None {
                    plain_states += plain.statistics.states_stored;
                    merged_states += report.statistics.states_stored;
                }
            }
        }
    }
    println!("{merged_states} of {plain_states} states");
    assert!(violated > 20 && merged_states < plain_states);
}

#[test]
fn formulas_with_reduction() {
    let names = ATOMS.map(str::to_owned);
    let (mut compared, mut violated, mut full, mut reduced) = (0, 0, 0, 0);
    let mut static_states = 0;
    for seed in seeds(1..=300) {
        let mut random = Random::new(seed);
        let model = random_model(seed, Features { assertions: false, ..Features::ALL });
        let mut table = Formulas::new();
        let next = seed % 4 == 0;
        let size = 2 + random.below(7);
        let shape = Shape { atoms: ATOMS.len() as u32, size, next, ..Shape::default() };
        let formula = formula(&mut random, &mut table, &shape);
        let text = print(&table, formula, &names, Spelling::Spin, Parentheses::Full);
        let property = Property::Formula { text: text.clone() };
        let settings =
            Settings { memory_mib: 64, state_limit: Some(5 * STATES), ..Settings::default() };
        let plain = check(&model, &property, settings.clone());
        if !matches!(plain.verdict, Verdict::Holds | Verdict::Violated) {
            assert!(!matches!(plain.verdict, Verdict::InternalError { .. }), "{}", plain.summary);
            continue;
        }
        compared += 1;
        violated += usize::from(plain.verdict == Verdict::Violated);
        let mut fixed = None;
        for emptiness in ALGORITHMS {
            for proviso in [Proviso::Automatic, Proviso::Dynamic, Proviso::Static] {
                let reduction = Reduction::AmpleSets;
                let settings = Settings { reduction, proviso, emptiness, ..settings.clone() };
                let report = check(&model, &property, settings);
                let name = format!("seed {seed}, {emptiness:?} {proviso:?}: {text}\n{model}");
                assert_eq!(report.verdict, plain.verdict, "{name}: {}", report.summary);
                let once = matches!(emptiness, Emptiness::Automatic | Emptiness::Couvreur);
                if proviso == Proviso::Dynamic && !once {
                    assert_eq!(report.statistics.states_reduced, 0, "{name}");
                    assert!(report.notes.iter().any(|n| n.contains("No reduction")), "{name}");
                }
                if plain.verdict != Verdict::Holds {
                    continue;
                }
                let states = report.statistics.states_stored;
                assert!(report.statistics.states_reduced <= states, "{name}");
                if emptiness == Emptiness::Automatic && proviso == Proviso::Automatic {
                    full += plain.statistics.states_stored;
                    reduced += states;
                }
                if proviso == Proviso::Static {
                    // The states that stand for all are the same, whoever looks at them.
                    assert_eq!(*fixed.get_or_insert(states), states, "{name}");
                    static_states += states;
                }
            }
        }
        for store in Store::ALL.iter().copied() {
            let report = check(&model, &property, Settings { store, ..settings.clone() });
            let legal = store.has(promenade_protocol::Traits::FINDS_AGAIN);
            let expected = if legal { plain.verdict.clone() } else { Verdict::InputError };
            assert_eq!(report.verdict, expected, "seed {seed}, {store:?}");
        }
    }
    let static_states = static_states / ALGORITHMS.len() as u64;
    println!(
        "{compared} compared, {violated} violated, {reduced} of {full} states, static {static_states}"
    );
    assert!(compared > 50 && violated > 10 && reduced < full && static_states < full);
}

/// Models with much local work, where a reduction has much to leave out, and much to get wrong.
#[test]
fn formulas_on_local_work_with_the_static_condition() {
    let atoms = ["(g == 1)", "(h == 0)", "(len(q0) > 0)", "(h > g)", "(g + h > 1)"];
    let names = atoms.map(str::to_owned);
    let (mut violated, mut holds, mut full, mut reduced) = (0, 0, 0, 0);
    for seed in seeds(1..=300) {
        let mut random = Random::new(seed ^ 0x10ca1);
        let model = local_model(seed);
        let mut table = Formulas::new();
        let size = 1 + random.below(6);
        let shape = Shape { atoms: atoms.len() as u32, size, next: false, ..Shape::default() };
        let formula = formula(&mut random, &mut table, &shape);
        let text = print(&table, formula, &names, Spelling::Spin, Parentheses::Full);
        // Properties that hold are rare among random ones; this one does, but has to be looked for.
        let text = if seed % 3 == 0 { format!("([] (g < 3)) || ({text})") } else { text };
        let property = Property::Formula { text: text.clone() };
        let settings =
            Settings { memory_mib: 64, state_limit: Some(STATES), ..Settings::default() };
        let plain = check(&model, &property, settings.clone());
        if !matches!(plain.verdict, Verdict::Holds | Verdict::Violated) {
            assert!(!matches!(plain.verdict, Verdict::InternalError { .. }), "{}", plain.summary);
            continue;
        }
        for emptiness in ALGORITHMS {
            let (reduction, proviso) = (Reduction::AmpleSets, Proviso::Static);
            let settings = Settings { reduction, proviso, emptiness, ..settings.clone() };
            let report = check(&model, &property, settings);
            let name = format!("seed {seed}, {emptiness:?}: {text}\n{model}");
            assert_eq!(report.verdict, plain.verdict, "{name}: {}", report.summary);
            if plain.verdict == Verdict::Holds {
                full += plain.statistics.states_stored;
                reduced += report.statistics.states_stored;
            }
        }
        violated += usize::from(plain.verdict == Verdict::Violated);
        holds += usize::from(plain.verdict == Verdict::Holds);
    }
    println!("{violated} violated, {holds} hold, {reduced} of {full} states");
    assert!(violated > 50 && holds > 20 && reduced < full * 9 / 10);
}

#[test]
fn local_work_with_the_static_condition() {
    let (mut violated, mut full, mut reduced) = (0, 0, 0);
    for seed in seeds(1..=300) {
        let text = local_model(seed);
        let Some(plain) = conclusive(&text) else { continue };
        violated += u32::from(plain.verdict == Verdict::Violated);
        for search in SEARCHES {
            for (store, merge) in [
                (Store::Exact, false),
                (Store::Exact, true),
                (Store::Collapse, false),
                (Store::Caching, false),
                (Store::HashCompact, true),
                (Store::Bitstate, false),
            ] {
                if store == Store::Caching && search == Search::BreadthFirst {
                    continue;
                }
                let (reduction, proviso) = (Reduction::AmpleSets, Proviso::Static);
                let settings = Settings { search, store, reduction, proviso, merge, ..base() };
                let report = check(&text, &Property::Safety, settings);
                let name = format!("seed {seed}, {search:?} {store:?} {merge}\n{text}");
                assert_eq!(kinds(&report), kinds(&plain), "{name}");
                if store == Store::Exact && !merge {
                    full += plain.statistics.states_stored;
                    reduced += report.statistics.states_stored;
                }
            }
        }
    }
    println!("{violated} violated, {reduced} of {full} states");
    assert!(violated > 50 && reduced < full * 3 / 4);
}

#[test]
fn accept_labels_with_reduction() {
    let (mut violated, mut reduced) = (0, 0);
    for seed in seeds(1..=200) {
        let model = random_model(seed, Features { assertions: false, ..Features::ALL });
        // Some locations become accepting ones.
        let model = model.replacen("do\n", "accept: do\n", 1);
        let property = Property::Acceptance { claim: None };
        let settings =
            Settings { memory_mib: 64, state_limit: Some(STATES), ..Settings::default() };
        let plain = check(&model, &property, settings.clone());
        if !matches!(plain.verdict, Verdict::Holds | Verdict::Violated) {
            continue;
        }
        violated += usize::from(plain.verdict == Verdict::Violated);
        for emptiness in ALGORITHMS {
            for proviso in [Proviso::Automatic, Proviso::Static] {
                let reduction = Reduction::AmpleSets;
                let settings = Settings { reduction, emptiness, proviso, ..settings.clone() };
                let report = check(&model, &property, settings);
                let name = format!("seed {seed}, {emptiness:?} {proviso:?}");
                assert_eq!(report.verdict, plain.verdict, "{name}: {}\n{model}", report.summary);
                reduced += report.statistics.states_reduced;
            }
        }
    }
    println!("{violated} violated, {reduced} states reduced");
    assert!(violated > 10 && reduced > 100);
}

/// Fairness goes with no reduction, whatever the condition on cycles, and says so.
#[test]
fn fairness_is_not_reduced() {
    let model = "byte g; active [2] proctype P() { byte x; do :: x = 1 - x :: g = 1 od }";
    let property = Property::Formula { text: "<> (g == 1)".to_owned() };
    for proviso in [Proviso::Automatic, Proviso::Dynamic, Proviso::Static] {
        let (reduction, fairness) = (Reduction::AmpleSets, Fairness::Weak);
        let settings = Settings { reduction, fairness, proviso, ..Settings::default() };
        let report = check(model, &property, settings);
        assert_eq!(report.statistics.states_reduced, 0);
        assert!(report.notes.iter().any(|note| note.contains("weak fairness watches")));
    }
}

/// Lossy searches with every way to place bits find what there is to find where there is room.
#[test]
fn bits_placed_in_every_way() {
    let mut violated = 0;
    for seed in seeds(1..=60) {
        let text = random_model(seed, Features::ALL);
        let Some(plain) = conclusive(&text) else { continue };
        violated += u32::from(plain.verdict == Verdict::Violated);
        let ways = [
            Probing::Double,
            Probing::EnhancedDouble,
            Probing::Triple,
            Probing::Independent,
            Probing::Blocked,
        ];
        for probing in ways {
            for (reduction, proviso) in REDUCED {
                let settings = Settings {
                    store: Store::Bitstate,
                    hashes: 1 + seed as u32 % 20,
                    probing,
                    reduction,
                    proviso,
                    seed: seed as u32,
                    ..base()
                };
                let report = check(&text, &Property::Safety, settings);
                let name = format!("seed {seed}, {probing:?} {proviso:?}\n{text}");
                assert_eq!(kinds(&report), kinds(&plain), "{name}");
                assert!(report.confidence.is_some_and(|c| c.any_omission > 0.0), "{name}");
            }
        }
    }
    assert!(violated > 5, "{violated}");
}

/// A path that is all there is, longer than the memory: the search says below which depth it did not
/// go, and the lossy stores go deeper than the exact one.
#[test]
fn a_long_path_beside_a_lossy_store() {
    let text = "int n; active proctype P() { do :: n >= 0 -> n++ od }";
    let run = |store, search| {
        // With so many bits no state of the only path is missed.
        let settings = Settings { store, search, memory_mib: 4, hashes: 12, ..Settings::default() };
        let report = check(text, &Property::Safety, settings);
        let why = StoppedBy::Memory;
        assert_eq!(report.verdict, Verdict::NoViolationFound { why }, "{}", report.summary);
        let told =
            report.notes.iter().any(|note| note.contains("comparing techniques measures it"));
        assert!(told, "{:?}", report.notes);
        report
    };
    let exact = run(Store::Exact, Search::DepthFirst);
    assert!(!exact.summary.contains("not searched below"), "{}", exact.summary);
    assert_eq!(exact.statistics.not_followed, 0);
    for store in [Store::HashCompact, Store::Bitstate] {
        let deep = run(store, Search::DepthFirst);
        let statistics = &deep.statistics;
        assert!(statistics.depth > exact.statistics.depth, "{store:?} {statistics:?}");
        assert!(deep.summary.contains("not searched below depth "), "{}", deep.summary);
        assert!(statistics.not_followed > 0 && statistics.not_followed_depth > 0);
        assert!(statistics.memory_bytes <= 4 << 20);
    }
    let wide = run(Store::Bitstate, Search::BreadthFirst);
    assert!(wide.statistics.depth > exact.statistics.depth, "{:?}", wide.statistics);
}

/// Where the queue has no room, breadth-first search goes on with what fits, and says so.
#[test]
fn a_long_queue_beside_a_lossy_store() {
    let text = "byte a[9]; active [6] proctype P() { byte i; \
                do :: i < 9 && a[i] < 9 -> a[i]++; i++ :: i > 0 -> i-- od }";
    let run = |store| {
        let search = Search::BreadthFirst;
        let settings = Settings { store, search, memory_mib: 2, ..Settings::default() };
        check(text, &Property::Safety, settings)
    };
    let exact = run(Store::Exact);
    let wide = run(Store::Bitstate);
    assert_eq!(wide.verdict, Verdict::NoViolationFound { why: StoppedBy::Memory });
    assert!(wide.summary.contains("not followed, at distance "), "{}", wide.summary);
    let (ours, theirs) = (&wide.statistics, &exact.statistics);
    assert!(ours.states_stored > 5 * theirs.states_stored, "{ours:?} {theirs:?}");
    assert!(ours.not_followed > 0 && ours.memory_bytes <= 2 << 20, "{ours:?}");
}
