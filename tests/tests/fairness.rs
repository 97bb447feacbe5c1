//! Whether the cycle of a counterexample is weakly fair is counted state by state; the search for weakly
//! fair runs decides the same by acceptance sets. Both have to agree.
//!
//! `PROMENADE_SEEDS=first-last` chooses other models than usual.

use promenade_base::random::Random;
use promenade_ltl::Formulas;
use promenade_ltl::print::{Parentheses, Spelling, print};
use promenade_ltl::random::{Shape, formula};
use promenade_protocol::{
    Event, Experiment, Fairness, File, Found, Property, Report, Request, Settings, Verdict,
};
use promenade_service::{Session, Timeless};
use promenade_testkit::random_model::{Features, random_model};
use promenade_testkit::seeds;

const ATOMS: [&str; 3] = ["(g == 1)", "(h > g)", "(b == 1)"];

fn experiment(text: &str, formula: &str, fairness: Fairness) -> Experiment {
    let settings = Settings { fairness, state_limit: Some(20_000), ..Settings::default() };
    Experiment {
        files: vec![File { name: "m.pml".to_owned(), text: text.to_owned() }],
        property: Property::Formula { text: formula.to_owned() },
        settings,
    }
}

/// Whether the run is accepted where only weakly fair runs count.
fn counts_as_fair(text: &str, formula: &str, found: &Found) -> bool {
    let mut session = Session::new(Timeless);
    session.submit(Request::Replay {
        job: 1,
        experiment: experiment(text, formula, Fairness::Weak),
        choices: found.trace.choices.clone(),
        checksum: found.trace.checksum,
        stem: found.trace.stem,
    });
    while !session.is_idle() {
        for event in session.advance(0.05) {
            if let Event::Replayed { mismatch, .. } = event {
                return mismatch.is_none();
            }
        }
    }
    panic!("the replay came to no end");
}

fn cycle(report: &Report) -> Option<&Found> {
    let found = report.violations.first()?;
    (report.verdict == Verdict::Violated && found.kind == "acceptance_cycle").then_some(found)
}

#[test]
fn fair_cycles_are_those_that_the_search_takes() {
    let names = ATOMS.map(str::to_owned);
    let (mut fair, mut unfair) = (0, 0);
    for seed in seeds(1..=150) {
        let mut random = Random::new(seed);
        let mut model = random_model(seed, Features { assertions: false, ..Features::ALL });
        if seed % 2 == 0 {
            // So that there are cycles on which others could move.
            model.push_str("active proctype Loop() { do :: true od }\n");
        }
        let mut table = Formulas::new();
        let size = 2 + random.below(5);
        let shape = Shape { atoms: ATOMS.len() as u32, size, next: false, ..Shape::default() };
        let formula = formula(&mut random, &mut table, &shape);
        let formula = print(&table, formula, &names, Spelling::Spin, Parentheses::Full);
        let report = promenade_service::check(experiment(&model, &formula, Fairness::None));
        if let Some(found) = cycle(&report)
            && let Some(said) = found.fair
        {
            assert_eq!(
                said,
                counts_as_fair(&model, &formula, found),
                "seed {seed}\n{model}{formula}"
            );
            *if said { &mut fair } else { &mut unfair } += 1;
        }
        let report = promenade_service::check(experiment(&model, &formula, Fairness::Weak));
        if let Some(found) = cycle(&report) {
            assert_ne!(found.fair, Some(false), "seed {seed}\n{model}{formula}");
        }
    }
    assert!(fair > 5 && unfair > 5, "{fair} fair cycles, {unfair} others");
}

/// Who waits is not treated unfairly, and who could always move is.
#[test]
fn an_unfair_cycle_names_its_victim() {
    let text = "bool flag, stays; active proctype Loop() { do :: true od }\n\
                active proctype Once() { flag = true }\n\
                active proctype Waits() { stays }\n";
    let report = promenade_service::check(experiment(text, "<> flag", Fairness::None));
    let found = cycle(&report).expect("a cycle");
    assert_eq!(found.fair, Some(false));
    let row = |name: &str| found.fairness.iter().find(|it| it.process == name).expect("a process");
    let states = found.cycle_states;
    assert!(states > 0);
    assert_eq!((row("Loop").enabled, row("Loop").moves), (states, states));
    assert_eq!((row("Once").enabled, row("Once").moves), (states, 0));
    assert_eq!((row("Waits").enabled, row("Waits").moves), (0, 0));
    let victims: Vec<&str> =
        found.fairness.iter().filter(|it| !it.is_fair()).map(|it| it.process.as_str()).collect();
    assert_eq!(victims, ["Once"]);
    let report = promenade_service::check(experiment(text, "<> flag", Fairness::Weak));
    assert_eq!(report.verdict, Verdict::Holds, "{}", report.summary);
}
