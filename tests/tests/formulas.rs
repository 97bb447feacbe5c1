//! Random formulas over random models: every search and SPIN come to the same verdict.
//!
//! `PROMENADE_SEEDS=first-last` chooses other models than usual. Without SPIN and gcc the searches
//! are compared with each other only.

use promenade_base::random::Random;
use promenade_ltl::Formulas;
use promenade_ltl::print::{Parentheses, Spelling, print};
use promenade_ltl::random::{Shape, formula};
use promenade_protocol::{
    Emptiness, Experiment, Fairness, File, Property, Report, Settings, StoppedBy, Verdict,
};
use promenade_testkit::random_model::{Features, random_model};
use promenade_testkit::{seeds, spin};

/// Propositions over the variables of every random model.
const ATOMS: [&str; 5] = ["(g == 1)", "(h > g)", "(b == 1)", "(a[0] == a[1])", "(h + 1 >= g)"];
/// Larger models are left out.
const STATES: u32 = 200_000;

fn check(text: &str, property: Property, emptiness: Emptiness, fairness: Fairness) -> Report {
    promenade_service::check(Experiment {
        files: vec![File { name: "model.pml".to_owned(), text: text.to_owned() }],
        property,
        settings: Settings {
            emptiness,
            fairness,
            state_limit: Some(STATES),
            ..Settings::default()
        },
    })
}

#[test]
fn searches_and_spin_agree_on_random_formulas() {
    let with_spin = spin::available();
    let folder = std::env::temp_dir().join(format!("promenade-formulas-{}", std::process::id()));
    let names = ATOMS.map(str::to_owned);
    let (mut compared, mut violated, mut against_spin) = (0, 0, 0);
    let mut wrong = Vec::new();
    for seed in seeds(1..=20) {
        let mut random = Random::new(seed);
        // Assertions would answer in place of the formula.
        let features = Features { assertions: false, ..Features::ALL };
        let model = random_model(seed, features);
        let mut table = Formulas::new();
        // SPIN as Debian builds it reads no `X`.
        let shape = Shape {
            atoms: ATOMS.len() as u32,
            size: 2 + random.below(7),
            next: false,
            ..Shape::default()
        };
        let formula = formula(&mut random, &mut table, &shape);
        let formula = print(&table, formula, &names, Spelling::Spin, Parentheses::Full);
        let text = format!("{model}\nltl p {{ {formula} }}\n");
        let ltl = || Property::Ltl { name: None };
        let none = Fairness::None;
        let report = check(&text, ltl(), Emptiness::Automatic, none);
        let verdict = match &report.verdict {
            Verdict::Holds => false,
            Verdict::Violated => true,
            Verdict::NoViolationFound { .. } => continue,
            other => {
                wrong.push(format!("seed {seed}: {other:?} {:?}\n{text}", report.diagnostics));
                continue;
            }
        };
        compared += 1;
        violated += u32::from(verdict);
        let mut others = vec![
            check(&text, ltl(), Emptiness::NestedDfs, none),
            check(&text, ltl(), Emptiness::Couvreur, none),
            check(&text, ltl(), Emptiness::CouvreurShy, none),
            check(&text, ltl(), Emptiness::CouvreurWithoutRem, none),
            check(&text, ltl(), Emptiness::GeneralisedNestedDfs, none),
            check(&model, Property::Formula { text: formula.clone() }, Emptiness::Automatic, none),
        ];
        // Under fairness the searches for several sets agree.
        let fair = [Emptiness::Automatic, Emptiness::GeneralisedNestedDfs, Emptiness::CouvreurShy]
            .map(|emptiness| check(&text, ltl(), emptiness, Fairness::Weak));
        if fair.iter().any(|report| report.verdict != fair[0].verdict) {
            wrong.push(format!("seed {seed}, fair: {:?}\n{text}", fair.map(|r| r.summary)));
        }
        if !verdict {
            // Fewer runs count, so what holds still holds.
            others.push(check(&text, ltl(), Emptiness::Automatic, Fairness::Weak));
        }
        for other in others {
            let same = (other.verdict == Verdict::Violated) == verdict;
            if !same && !matches!(other.verdict, Verdict::NoViolationFound { .. }) {
                wrong.push(format!("seed {seed}: {} / {}\n{text}", report.summary, other.summary));
            }
        }
        // With a claim, SPIN counts it in `_nr_pr`, so that the model itself changes.
        if with_spin && !model.contains("_nr_pr") {
            match spin::violates(&text, &folder).expect("spin runs") {
                Some(theirs) if theirs != verdict => {
                    wrong.push(format!(
                        "seed {seed}: SPIN says {theirs}, {}\n{text}",
                        report.summary
                    ));
                }
                Some(_) => against_spin += 1,
                None => {}
            }
        }
    }
    let _ = std::fs::remove_dir_all(folder);
    println!("{compared} formulas compared, {violated} violated, {against_spin} of them with SPIN");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(compared > 0);
}

#[test]
fn runs_that_stay_inside_an_atomic_sequence_are_not_forgotten() {
    let text = "byte x; bool done;
        active proctype A() { atomic { do :: x = 1 - x :: x == 0 -> break od }; done = 1 }";
    for emptiness in [Emptiness::Couvreur, Emptiness::NestedDfs] {
        let property = Property::Formula { text: "<> done".to_owned() };
        let report = check(text, property, emptiness, Fairness::None);
        // SPIN goes round in it until its stack is full, and finds nothing either.
        let why = StoppedBy::Successors;
        assert_eq!(report.verdict, Verdict::NoViolationFound { why }, "{}", report.summary);
        // What is violated anyway is still found.
        let property = Property::Formula { text: "[] !done".to_owned() };
        let report = check(text, property, emptiness, Fairness::None);
        assert_eq!(report.verdict, Verdict::Violated, "{}", report.summary);
    }
    let safe = check(text, Property::Safety, Emptiness::Automatic, Fairness::None);
    assert_eq!(safe.verdict, Verdict::Holds, "{}", safe.summary);
}
