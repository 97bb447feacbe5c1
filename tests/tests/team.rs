//! Several checkers that share the states come to the numbers of one.

use promenade_protocol::{
    Event, Experiment, File, Property, Proviso, Reduction, Report, Request, Search, Settings,
    StoppedBy, Verdict,
};
use promenade_service::{Session, Timeless};
use promenade_testkit::random_model::{Features, random_model};
use promenade_testkit::write_only_model::{Uses, with_write_only};

/// All members in one thread.
fn team(experiment: &Experiment, of: u32) -> Report {
    let mut sessions: Vec<Session<Timeless>> = (0..of).map(|_| Session::new(Timeless)).collect();
    for (me, session) in (0..).zip(&mut sessions) {
        session.submit(Request::Join { job: 7, experiment: experiment.clone(), me, of });
    }
    let (mut report, mut left) = (None, 0);
    for round in 0.. {
        assert!(round < 1_000_000, "they wait for each other");
        let mut carried = Vec::new();
        for (from, session) in (0..).zip(&mut sessions) {
            for event in session.advance(0.0) {
                match event {
                    Event::Team { to, message, .. } => carried.push((from, to, message)),
                    Event::Report { report: one, .. } => report = Some(*one),
                    Event::Left { .. } => left += 1,
                    _ => {}
                }
            }
        }
        for (from, to, message) in carried {
            sessions[to as usize].submit(Request::Team { job: 7, from, message });
        }
        if let Some(report) = report.take_if(|_| left + 1 == of) {
            return report;
        }
    }
    unreachable!()
}

fn experiment(text: &str, settings: Settings) -> Experiment {
    let files = vec![File { name: "model.pml".to_owned(), text: text.to_owned() }];
    Experiment { files, property: Property::Safety, settings }
}

#[test]
fn numbers_and_verdicts_are_those_of_one() {
    let (mut violated, mut holds) = (0, 0);
    for seed in 0..200 {
        let text = random_model(seed, Features::ALL);
        let text = if seed % 3 == 0 { with_write_only(&text, seed, Uses::Chains) } else { text };
        let settings = Settings {
            search: Search::BreadthFirst,
            all_errors: seed % 2 == 0,
            depth_limit: (seed % 7 == 0).then_some(12),
            memory_mib: 64,
            ..Settings::default()
        };
        let experiment = experiment(&text, settings);
        let alone = promenade_service::check(experiment.clone());
        if alone.statistics.states_stored > 20_000 {
            continue;
        }
        let of = 1 + (seed % 4) as u32;
        let together = team(&experiment, of);
        // What was asked for, so that the page knows what the report is about.
        assert_eq!(together.experiment, experiment);
        assert_eq!(together.verdict, alone.verdict, "seed {seed}: {}\n{text}", together.summary);
        violated += u32::from(alone.verdict == Verdict::Violated);
        holds += u32::from(alone.verdict == Verdict::Holds);
        let first = alone.violations.first().map(|found| found.trace.choices.len());
        if let (Some(ours), Some(theirs)) = (together.violations.first(), first) {
            // Errors of one level: a deadlock is shown by its state, others by one choice more.
            assert!(ours.trace.choices.len().abs_diff(theirs) <= 1, "seed {seed}");
        }
        if experiment.settings.all_errors || alone.verdict == Verdict::Holds {
            let of = |report: &Report| {
                let s = &report.statistics;
                let numbers = (s.states_stored, s.states_matched, s.atomic_steps, s.errors);
                (numbers, s.depth, report.unreached.len())
            };
            assert_eq!(of(&together), of(&alone), "seed {seed}, {text}");
        }
    }
    assert!(violated > 30 && holds > 5, "{violated} {holds}");
}

#[test]
fn limits_and_wrong_wishes_are_told() {
    let text = "active [4] proctype P() { byte x; do :: x++ od }";
    let small = Settings { memory_mib: 2, ..Settings::default() };
    let report = team(&experiment(text, small), 2);
    assert_eq!(report.verdict, Verdict::NoViolationFound { why: StoppedBy::Memory });
    let states = Settings { state_limit: Some(1000), ..Settings::default() };
    let report = team(&experiment(text, states), 3);
    assert_eq!(report.verdict, Verdict::NoViolationFound { why: StoppedBy::States });
    let progress =
        Experiment { property: Property::Progress, ..experiment(text, Settings::default()) };
    assert_eq!(team(&progress, 2).verdict, Verdict::InputError);
    assert_eq!(team(&experiment("x", Settings::default()), 2).verdict, Verdict::InputError);
}

#[test]
fn reduced_numbers_are_those_of_one() {
    let (mut violated, mut holds, mut reduced) = (0, 0, 0);
    for seed in 0..200 {
        let text = random_model(seed, Features::ALL);
        let settings = Settings {
            search: Search::BreadthFirst,
            all_errors: seed % 2 == 0,
            memory_mib: 64,
            reduction: Reduction::AmpleSets,
            ..Settings::default()
        };
        let fixed = Settings { proviso: Proviso::Static, ..settings.clone() };
        let plain = Settings { reduction: Reduction::None, ..settings.clone() };
        let alone = promenade_service::check(experiment(&text, fixed));
        let plain = promenade_service::check(experiment(&text, plain));
        if plain.statistics.states_stored > 20_000 {
            continue;
        }
        let of = 1 + (seed % 4) as u32;
        let together = team(&experiment(&text, settings.clone()), of);
        assert_eq!(together.experiment, experiment(&text, settings.clone()));
        assert_eq!(together.verdict, plain.verdict, "seed {seed}: {}\n{text}", together.summary);
        violated += u32::from(alone.verdict == Verdict::Violated);
        holds += u32::from(alone.verdict == Verdict::Holds);
        if settings.all_errors || alone.verdict == Verdict::Holds {
            let of = |report: &Report| {
                let s = &report.statistics;
                (s.states_stored, s.states_matched, s.states_reduced, s.errors, s.depth)
            };
            assert_eq!(of(&together), of(&alone), "seed {seed}, {text}");
            reduced += together.statistics.states_reduced;
        }
        // The queue of one member says nothing about those of the others.
        if seed % 20 == 0 {
            let settings = Settings { proviso: Proviso::Dynamic, ..settings };
            let refused = team(&experiment(&text, settings), 2);
            assert_eq!(refused.statistics.states_reduced, 0);
            assert!(refused.notes.iter().any(|note| note.contains("No reduction was made")));
        }
    }
    assert!(violated > 30 && holds > 5 && reduced > 1000, "{violated} {holds} {reduced}");
}
