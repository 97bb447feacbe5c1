//! Every legal combination of search, store, reduction and property comes to the verdict of the plain
//! search, on random models.
//!
//! `PROMENADE_SEEDS=first-last` chooses other models than usual.

use promenade_base::random::Random;
use promenade_ltl::Formulas;
use promenade_ltl::print::{Parentheses, Spelling, print};
use promenade_ltl::random::{Shape, formula};
use promenade_protocol::{
    Emptiness, Experiment, File, Property, Reduction, Report, Search, Settings, StoppedBy, Store,
    Verdict,
};
use promenade_testkit::random_model::{Features, random_model};
use std::collections::BTreeSet;

/// Propositions over the variables of every random model.
const ATOMS: [&str; 5] = ["(g == 1)", "(h > g)", "(b == 1)", "(a[0] == a[1])", "(h + 1 >= g)"];
/// Larger models are left out.
const STATES: u32 = 8_000;

const STORES: [Store; 8] = [
    Store::Exact,
    Store::Automatic,
    Store::Collapse,
    Store::Automaton,
    Store::Delta,
    Store::Caching,
    Store::HashCompact,
    Store::Bitstate,
];
const SEARCHES: [Search; 2] = [Search::DepthFirst, Search::BreadthFirst];
const REDUCTIONS: [Reduction; 2] = [Reduction::None, Reduction::AmpleSets];

fn seeds(usual: u64) -> std::ops::RangeInclusive<u64> {
    let given = std::env::var("PROMENADE_SEEDS").unwrap_or_default();
    let pair = given.split_once('-');
    let pair = pair.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    let (first, last) = pair.unwrap_or((1, usual));
    first..=last
}

fn check(text: &str, property: &Property, settings: Settings) -> Report {
    promenade_service::check(Experiment {
        files: vec![File { name: "model.pml".to_owned(), text: text.to_owned() }],
        property: property.clone(),
        settings,
    })
}

fn base() -> Settings {
    Settings { all_errors: true, keep_violations: 1000, memory_mib: 16, ..Settings::default() }
}

/// Kinds of violations that were found.
fn kinds(report: &Report) -> BTreeSet<&str> {
    report.violations.iter().map(|found| found.kind.as_str()).collect()
}

#[derive(Debug, Default)]
struct Totals {
    models: usize,
    violated: usize,
    full: u64,
    reduced: u64,
    runs: usize,
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
    for search in SEARCHES {
        for store in STORES {
            for reduction in REDUCTIONS {
                let settings = Settings { search, store, reduction, ..base() };
                let report = check(text, &Property::Safety, settings);
                let name = format!("seed {seed}, {search:?} {store:?} {reduction:?}\n{text}");
                if store == Store::Caching && search == Search::BreadthFirst {
                    assert_eq!(report.verdict, Verdict::InputError, "{name}");
                    continue;
                }
                totals.runs += 1;
                let lossy = matches!(store, Store::HashCompact | Store::Bitstate);
                assert_eq!(
                    report.confidence.is_some_and(|c| c.any_omission > 0.0),
                    lossy,
                    "{name}"
                );
                if reduction == Reduction::AmpleSets && store == Store::Exact {
                    totals.reduced += report.statistics.states_stored;
                    assert!(report.statistics.states_stored <= plain.statistics.states_stored);
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
    for seed in seeds(250) {
        compare(&random_model(seed, Features::ALL), seed, &mut totals);
    }
    println!("{totals:?}");
    assert!(totals.models > 50 && totals.violated > 10, "{totals:?}");
    assert!(totals.reduced < 2 * totals.full, "{totals:?}");
}

#[test]
fn the_order_of_steps_changes_no_verdict() {
    let mut other = 0;
    for seed in seeds(300) {
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
    for seed in seeds(400) {
        let text = random_model(seed, Features::ALL);
        let plain =
            check(&text, &Property::Safety, Settings { state_limit: Some(STATES), ..base() });
        if plain.statistics.states_stored >= u64::from(STATES)
            || !matches!(plain.verdict, Verdict::Holds | Verdict::Violated)
        {
            continue;
        }
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
    for seed in seeds(300) {
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
        for emptiness in [Emptiness::Automatic, Emptiness::Couvreur, Emptiness::NestedDfs] {
            let reduction = Reduction::AmpleSets;
            let settings = Settings { reduction, emptiness, ..settings.clone() };
            let report = check(&model, &property, settings);
            let name = format!("seed {seed}, {emptiness:?}: {text}\n{model}");
            assert_eq!(report.verdict, plain.verdict, "{name}: {}", report.summary);
            if emptiness == Emptiness::Automatic && plain.verdict == Verdict::Holds {
                full += plain.statistics.states_stored;
                reduced += report.statistics.states_stored;
            }
        }
        for store in STORES {
            let report = check(&model, &property, Settings { store, ..settings.clone() });
            let legal = matches!(store, Store::Exact | Store::Automatic);
            let expected = if legal { plain.verdict.clone() } else { Verdict::InputError };
            assert_eq!(report.verdict, expected, "seed {seed}, {store:?}");
        }
    }
    println!("{compared} compared, {violated} violated, {reduced} of {full} states");
    assert!(compared > 50 && violated > 10 && reduced < full);
}

#[test]
fn accept_labels_with_reduction() {
    let mut violated = 0;
    for seed in seeds(200) {
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
        let settings = Settings { reduction: Reduction::AmpleSets, ..settings };
        let report = check(&model, &property, settings);
        assert_eq!(report.verdict, plain.verdict, "seed {seed}: {}\n{model}", report.summary);
    }
    println!("{violated} violated");
    assert!(violated > 10);
}
