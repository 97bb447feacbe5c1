//! What the catalogue says of options is what the checker does: for every pair of values and random
//! triples, with every kind of property, with one worker and with several.

use promenade_base::random::Random;
use promenade_protocol::options::{Effect, Titles, Values, Workers, refusals};
use promenade_protocol::{
    Emptiness, Event, Experiment, File, OptionId, Property, Report, Request, Settings, SpanData,
    Store, Traits, Verdict,
};
use promenade_service::{Session, Timeless};
use promenade_testkit::random_model::{Features, random_model};

/// Something for every option, small enough for thousands of checks.
const MODEL: &str = "byte x; bool z;
    active proctype A() { byte t; do :: x < 3 -> t = x; x = t + 1 :: x > 1 -> accept_a: x = 0 od }
    active proctype B() { byte k; do :: k < 2 -> progress_b: k++ :: k > 0 -> k = 0 od }
    never given { do :: true :: x == 9 -> break od }
    ltl live { [] <> (x == 1) }";

/// A report of members that share the states, all in one thread.
fn together(experiment: &Experiment, of: u32) -> Report {
    let mut sessions: Vec<Session<Timeless>> = (0..of).map(|_| Session::new(Timeless)).collect();
    for (me, session) in (0..).zip(&mut sessions) {
        session.submit(Request::Join { job: 1, experiment: experiment.clone(), me, of });
    }
    for _ in 0..1_000_000 {
        let mut carried = Vec::new();
        for (from, session) in (0..).zip(&mut sessions) {
            for event in session.advance(0.0) {
                match event {
                    Event::Team { to, message, .. } => carried.push((from, to, message)),
                    Event::Report { report, .. } => return *report,
                    _ => {}
                }
            }
        }
        for (from, to, message) in carried {
            sessions[to as usize].submit(Request::Team { job: 1, from, message });
        }
    }
    panic!("they wait for each other")
}

fn run(property: &Property, settings: &Settings, workers: Workers) -> Report {
    let experiment = Experiment {
        files: vec![File { name: "model.pml".to_owned(), text: MODEL.to_owned() }],
        property: property.clone(),
        settings: settings.clone(),
    };
    match workers {
        Workers::Share(of) => together(&experiment, of),
        _ => promenade_service::check(experiment),
    }
}

#[derive(Default, Debug)]
struct Counts {
    refused: usize,
    left_out: usize,
    legal: usize,
}

/// What the catalogue says, and what happens.
fn compare(property: &Property, settings: &Settings, workers: Workers, counts: &mut Counts) {
    let subject = property.subject(true);
    let all = refusals(&Values { settings, subject, workers });
    let report = run(property, settings, workers);
    let name = format!("{property:?} {workers:?} {settings:?}: {}", report.summary);
    let of_options: Vec<_> =
        report.diagnostics.iter().filter(|it| it.span.file == SpanData::SETTINGS).collect();
    match all.iter().find(|it| it.effect == Effect::Refused) {
        Some(refusal) => {
            counts.refused += 1;
            assert_eq!(report.verdict, Verdict::InputError, "{name}");
            let [finding] = of_options.as_slice() else { panic!("{of_options:?} {name}") };
            assert_eq!(finding.code, refusal.code, "{name}");
            assert_eq!(finding.message, refusal.message(&Titles), "{name}");
            assert_eq!(finding.hint, Some(refusal.hint(&Titles)), "{name}");
        }
        None => {
            counts.legal += 1;
            assert!(of_options.is_empty(), "{name}");
            let ran = matches!(
                report.verdict,
                Verdict::Holds | Verdict::Violated | Verdict::NoViolationFound { .. }
            );
            assert!(ran && report.statistics.states_stored > 0, "{name}");
            for refusal in all {
                counts.left_out += 1;
                let told = |note: &String| {
                    note.contains("although asked for") && note.contains(refusal.why)
                };
                assert!(report.notes.iter().any(told), "{refusal:?} {name} {:?}", report.notes);
            }
        }
    }
}

fn values() -> Vec<(OptionId, u32)> {
    let lists = OptionId::ALL.iter().copied();
    let lists = lists.flat_map(|id| id.spec().choices().iter().map(move |it| (id, it.link)));
    lists.chain([(OptionId::Merge, 1), (OptionId::AllErrors, 1)]).collect()
}

fn properties() -> [Property; 5] {
    [
        Property::Safety,
        Property::Claim { name: None },
        Property::Ltl { name: None },
        Property::Acceptance { claim: None },
        Property::Progress,
    ]
}

#[test]
fn pairs_and_triples_do_what_the_catalogue_says() {
    let small = Settings { memory_mib: 16, ..Settings::default() };
    let values = values();
    let mut counts = Counts::default();
    for (at, &(a, x)) in values.iter().enumerate() {
        for &(b, y) in values.iter().skip(at).filter(|it| it.0 != a) {
            let settings = small.with(a, x).with(b, y);
            for property in properties() {
                compare(&property, &settings, Workers::One, &mut counts);
            }
            compare(&Property::Safety, &settings, Workers::Share(2), &mut counts);
        }
    }
    let mut random = Random::new(14);
    for _ in 0..1500 {
        let mut settings = small.clone();
        for _ in 0..3 {
            let (id, value) = values[random.below(values.len())];
            settings = settings.with(id, value);
        }
        let property = &properties()[random.below(5)];
        let workers = [Workers::One, Workers::Share(1 + random.below(3) as u32)][random.below(2)];
        compare(property, &settings, workers, &mut counts);
    }
    println!("{counts:?}");
    assert!(counts.refused > 300 && counts.left_out > 100 && counts.legal > 2000, "{counts:?}");
}

/// Every store that gives states back serves every search, with the numbers of the exact one.
#[test]
fn stores_of_whole_states_serve_every_search() {
    let whole: Vec<Store> = Store::ALL
        .iter()
        .copied()
        .filter(|it| it.has(Traits::FINDS_AGAIN) && *it != Store::Automatic)
        .collect();
    assert!(whole.contains(&Store::Exact) && whole.contains(&Store::Tree));
    let (mut compared, mut violated) = (0, 0);
    for seed in 1..=40 {
        let text = random_model(seed, Features { assertions: false, ..Features::ALL });
        for emptiness in Emptiness::ALL.iter().copied() {
            for fair in [0, 1] {
                let settings = Settings {
                    emptiness,
                    memory_mib: 64,
                    state_limit: Some(5_000),
                    ..Settings::default()
                }
                .with(OptionId::Fairness, fair);
                let reports: Vec<Report> = whole
                    .iter()
                    .map(|store| {
                        promenade_service::check(Experiment {
                            files: vec![File { name: "m.pml".to_owned(), text: text.clone() }],
                            property: Property::Formula { text: "[] <> (g == 1)".to_owned() },
                            settings: Settings { store: *store, ..settings.clone() },
                        })
                    })
                    .collect();
                let shown = |it: &Report| {
                    let runs: Vec<_> =
                        it.violations.iter().map(|it| it.trace.choices.clone()).collect();
                    let numbers = (it.statistics.states_stored, it.statistics.states_matched);
                    (it.verdict.clone(), numbers, runs)
                };
                for report in &reports {
                    assert_eq!(shown(report), shown(&reports[0]), "seed {seed} {emptiness:?}");
                }
                compared += 1;
                violated += usize::from(reports[0].verdict == Verdict::Violated);
            }
        }
    }
    assert!(compared > 500 && violated > 100, "{violated} of {compared}");
}

#[test]
fn workers_share_the_states_of_every_store_that_they_may() {
    for store in Store::ALL.iter().copied().filter(|it| it.has(Traits::IS_SHARED)) {
        let settings = Settings { store, memory_mib: 64, ..Settings::default() };
        let alone = run(
            &Property::Safety,
            &Settings { store: Store::Exact, ..settings.clone() },
            Workers::One,
        );
        let shared = run(&Property::Safety, &settings, Workers::Share(3));
        assert_eq!(shared.verdict, alone.verdict, "{store:?}");
        assert_eq!(shared.statistics.states_stored, alone.statistics.states_stored, "{store:?}");
    }
}
