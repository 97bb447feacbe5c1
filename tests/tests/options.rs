//! Every option has an effect, or the report says that it has none: all options, for every kind of
//! property and every search.

use promenade_base::random::Random;
use promenade_protocol::{
    DeadVariables, Emptiness, Experiment, Fairness, File, Probing, Property, Reduction, Report,
    Search, Settings, Store, Verdict, swarm,
};
use promenade_testkit::random_model::{Features, random_model};
use promenade_testkit::seeds;

/// Something for every option: a full channel, `unless`, dead variables, processes that are
/// independent, labels of both kinds, a failing assertion and a deadlock.
const MODEL: &str = "chan q = [1] of { byte }; byte x, y; bool z;
    active proctype A() { byte t = 1;
      do :: x < 4 -> t = x; x = t + 1 :: x > 0 -> x-- :: x == 4 -> q!1; t = 3; assert(x < 4)
         :: x == 2 -> break od;
      { { q!2; accept_a: y = 1 } unless { x == 3 -> y = 2 } } unless { x > 1 -> y = 3 } }
    active proctype B() { byte k;
      do :: k < 3 -> progress_b: k++ :: k > 0 -> k = 0 :: k == 2 -> q?k; k = 0 :: y > 0 -> break od }
    active proctype C() { do :: z = !z :: z -> break od }
    never given { do :: true :: x == 4 && y == 3 -> break od }
    ltl live { [] <> (x == 4) }
    ltl safe { [] (y < 3) }";

fn check(property: &Property, settings: Settings) -> Report {
    promenade_service::check(Experiment {
        files: vec![File { name: "model.pml".to_owned(), text: MODEL.to_owned() }],
        property: property.clone(),
        settings,
    })
}

/// What of a report could show that an option has an effect.
fn shown(report: &Report) -> String {
    let runs: Vec<_> = report.violations.iter().map(|it| (&it.kind, &it.trace.choices)).collect();
    let mut statistics = report.statistics.clone();
    (statistics.seconds, statistics.compile_seconds) = (0.0, 0.0);
    format!(
        "{:?} {runs:?} {statistics:?} {:?} {:?} {:?}",
        report.verdict, report.notes, report.confidence, report.diagnostics
    )
}

/// An option: its name, the settings with it, and those to compare with.
type Row = (&'static str, fn(&mut Settings), fn(&mut Settings));

const OPTIONS: [Row; 25] = [
    ("--search", |s| s.search = Search::BreadthFirst, |_| ()),
    ("--all-errors", |s| s.all_errors = true, |_| ()),
    ("--stop-at", |s| s.stop_at = Some(2), |_| ()),
    ("--keep", |s| s.keep_violations = 1, |s| s.all_errors = true),
    ("--depth", |s| s.depth_limit = Some(2), |_| ()),
    ("--states", |s| s.state_limit = Some(2), |_| ()),
    ("--no-assertions", |s| s.assertions = false, |_| ()),
    ("--no-end-states", |s| s.end_states = false, |_| ()),
    ("--empty-channels", |s| s.empty_channels_at_end = true, |_| ()),
    ("--empty-channels", |s| s.empty_channels_at_end = true, |s| s.end_states = false),
    ("--lose-messages", |s| s.lose_messages = true, |_| ()),
    ("--inner-unless", |s| s.inner_unless_first = true, |_| ()),
    ("--fairness", |s| s.fairness = Fairness::Weak, |_| ()),
    ("--algorithm", |s| s.emptiness = Emptiness::CouvreurShy, |_| ()),
    ("--merge", |s| s.merge = true, |s| s.all_errors = true),
    ("--dead-variables", |s| s.dead_variables = DeadVariables::Reset, |_| ()),
    ("--reduction", |s| s.reduction = Reduction::AmpleSets, |s| s.all_errors = true),
    ("--store", |s| s.store = Store::Collapse, |_| ()),
    ("--store", |s| s.store = Store::Tree, |_| ()),
    ("--store", |s| s.store = Store::Bitstate, |_| ()),
    ("--hashes", |s| s.hashes = 1, |s| s.store = Store::Bitstate),
    ("--cell-bits", |s| s.cell_bits = 8, |s| s.store = Store::HashCompact),
    ("--probing", |s| s.probing = Probing::Blocked, |s| s.store = Store::Bitstate),
    ("--define", |s| s.defines = defined(), |_| ()),
    ("--memory", |s| s.memory_mib = 1, |s| s.store = Store::Bitstate),
];

/// Options that are about errors.
const ERRORS: [&str; 3] = ["--all-errors", "--stop-at", "--keep"];

fn defined() -> Vec<promenade_protocol::Define> {
    vec![promenade_protocol::Define { name: "UNUSED".to_owned(), value: None }]
}

#[test]
fn an_option_has_an_effect_or_says_that_it_has_none() {
    let ltl = |name: &str| Property::Ltl { name: Some(name.to_owned()) };
    let properties = [
        Property::Safety,
        Property::Claim { name: None },
        Property::Acceptance { claim: None },
        Property::Progress,
        ltl("live"),
        ltl("safe"),
    ];
    let searches: [fn(&mut Settings); 5] = [
        |_| (),
        |s| s.search = Search::BreadthFirst,
        |s| s.emptiness = Emptiness::GeneralisedNestedDfs,
        |s| s.emptiness = Emptiness::GeldenhuysValmari,
        |s| s.fairness = Fairness::Weak,
    ];
    let mut silent = Vec::new();
    for property in &properties {
        for (number, search) in searches.iter().enumerate() {
            for (name, option, base) in &OPTIONS {
                let mut without = Settings::default();
                search(&mut without);
                base(&mut without);
                let mut with = without.clone();
                option(&mut with);
                if with == without {
                    continue;
                }
                let report = check(property, with);
                let other = check(property, without);
                let told = report.verdict == Verdict::InputError
                    || report.notes.iter().any(|note| note.contains("no effect"))
                    || ERRORS.contains(name) && other.violations.is_empty();
                if !told && shown(&report) == shown(&other) {
                    silent
                        .push(format!("{name}, search {number}, {property:?}: {}", report.summary));
                }
            }
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

/// All searches for infinite runs, each in several orders, say the same and go different ways.
#[test]
fn orders_change_the_way_and_not_the_verdict() {
    let all = [
        Emptiness::NestedDfs,
        Emptiness::OriginalNestedDfs,
        Emptiness::Couvreur,
        Emptiness::CouvreurShy,
        Emptiness::CouvreurWithoutRem,
        Emptiness::GeldenhuysValmari,
        Emptiness::GeneralisedNestedDfs,
    ];
    let mut differing = [0; 7];
    let mut violated = 0;
    for seed in seeds(1..=40) {
        let mut random = Random::new(seed);
        let text = random_model(seed, Features { assertions: false, ..Features::ALL });
        let formulas =
            ["[] <> (g == 1)", "<> [] (h > g)", "[] (g == 1 -> <> (b == 1))", "<> (h == 3)"];
        let formula = random.pick(&formulas).expect("formulas");
        let experiment = |emptiness: Emptiness, shuffle: u32, fairness| Experiment {
            files: vec![File { name: "model.pml".to_owned(), text: text.clone() }],
            property: Property::Formula { text: (*formula).to_owned() },
            settings: Settings {
                emptiness,
                shuffle,
                fairness,
                state_limit: Some(20_000),
                ..Settings::default()
            },
        };
        let report = promenade_service::check(experiment(Emptiness::Couvreur, 0, Fairness::None));
        if matches!(report.verdict, Verdict::NoViolationFound { .. }) {
            continue;
        }
        violated += u32::from(report.verdict == Verdict::Violated);
        for (place, emptiness) in all.into_iter().enumerate() {
            let ways: Vec<String> = (0..4)
                .map(|shuffle| {
                    let other =
                        promenade_service::check(experiment(emptiness, shuffle, Fairness::None));
                    let same = other.verdict == report.verdict;
                    assert!(
                        same || matches!(other.verdict, Verdict::NoViolationFound { .. }),
                        "seed {seed}, {emptiness:?}, order {shuffle}: {} / {}\n{text}\n{formula}",
                        other.summary,
                        report.summary
                    );
                    shown(&other)
                })
                .collect();
            differing[place] += u32::from(ways.iter().any(|way| *way != ways[0]));
        }
        let fair = [0, 1, 2].map(|shuffle| {
            promenade_service::check(experiment(Emptiness::Automatic, shuffle, Fairness::Weak))
                .verdict
        });
        assert!(fair.iter().all(|it| *it == fair[0]), "seed {seed}: {fair:?}\n{text}\n{formula}");
    }
    assert!(violated > 0 && differing.iter().all(|&it| it > 0), "{violated} {differing:?}");
}

const COUNTER: &str = "int x; bool bad;
    active proctype A() { do :: x < 3000000 -> x++ :: x == 3 -> bad = true; break od }";

#[test]
fn some_order_and_some_member_of_a_swarm_finds_what_hides_beside_a_counter() {
    let experiment = |shuffle| Experiment {
        files: vec![File { name: "model.pml".to_owned(), text: COUNTER.to_owned() }],
        property: Property::Formula { text: "[] !bad".to_owned() },
        settings: Settings { shuffle, state_limit: Some(2_000), ..Settings::default() },
    };
    let finds = |experiment: Experiment| {
        let report = promenade_service::check(experiment);
        report.verdict == Verdict::Violated && report.statistics.states_stored < 100
    };
    assert!(!finds(experiment(0)));
    assert!((1..=8).any(|shuffle| finds(experiment(shuffle))));
    assert!((0..8).any(|me| finds(swarm::variant(&experiment(0), me, 8))));
    // Of a breadth-first search it says that nothing changes.
    let mut broad = experiment(3);
    (broad.property, broad.settings.search) = (Property::Safety, Search::BreadthFirst);
    let report = promenade_service::check(broad);
    assert!(
        report.notes.iter().any(|note| note.contains("no effect on breadth-first")),
        "{report:?}"
    );
}
