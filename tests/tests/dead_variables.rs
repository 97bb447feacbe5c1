//! Resetting dead variables changes no verdict, and the number of states only to fewer.
//!
//! `PROMENADE_SEEDS=first-last` chooses other models than usual.

use promenade_base::random::Random;
use promenade_ltl::Formulas;
use promenade_ltl::print::{Parentheses, Spelling, print};
use promenade_ltl::random::{Shape, formula};
use promenade_protocol::{
    DeadVariables, Emptiness, Fairness, Property, Reduction, Settings, StoppedBy, Verdict,
    WriteOnly,
};
use promenade_testkit::local_model::local_model;
use promenade_testkit::random_model::{Features, random_model};
use promenade_testkit::scratch_model::scratch_model;
use promenade_testkit::seeds;
use promenade_tests::comparison::{base, check, kinds};
use promenade_tests::transformed::{Totals, compare};

/// Larger models are left out.
const STATES: u32 = 6_000;

fn model(seed: u64) -> String {
    match seed % 5 {
        0 => random_model(seed, Features::ALL),
        1 => local_model(seed),
        _ => scratch_model(seed),
    }
}

#[test]
fn finite_runs() {
    let mut totals = Totals::default();
    let reset = |merge| Settings {
        merge,
        dead_variables: DeadVariables::Reset,
        write_only: WriteOnly::Keep,
        ..base()
    };
    for seed in seeds(1..=900) {
        let transformed = [reset(false), reset(true)];
        compare(&format!("seed {seed}"), &model(seed), STATES, &transformed, &mut totals);
    }
    println!("{totals:?}");
    assert!(totals.models > 300 && totals.violated > 100, "{totals:?}");
    assert!(totals.without < totals.kept * 9 / 10 && totals.fewer > 200, "{totals:?}");
}

#[test]
fn infinite_runs() {
    let atoms = ["(g == 1)", "(P0:x == 1)", "(P0:t.f == 0)", "(len(c) > 0)", "(g > P0:x)"];
    let names = atoms.map(str::to_owned);
    let (mut totals, mut holds, mut inconclusive) = (Totals::default(), 0, 0);
    for seed in seeds(1..=700) {
        let text = scratch_model(seed).replace("\n  do\n", "\naccept: do\n");
        let mut random = Random::new(seed ^ 0xdead);
        let mut table = Formulas::new();
        let size = 1 + random.below(6);
        let shape = Shape { atoms: atoms.len() as u32, size, next: false, ..Shape::default() };
        let formula = formula(&mut random, &mut table, &shape);
        let formula = print(&table, formula, &names, Spelling::Spin, Parentheses::Full);
        // Properties that hold are rare among random ones.
        let formula = if seed % 3 == 0 { format!("([] (g < 3)) || ({formula})") } else { formula };
        let property = match seed % 5 {
            0 => Property::Acceptance { claim: None },
            1 => Property::Progress,
            _ => Property::Formula { text: formula.clone() },
        };
        let settings = Settings {
            memory_mib: 64,
            state_limit: Some(4 * STATES),
            fairness: if seed % 7 == 0 { Fairness::Weak } else { Fairness::None },
            ..Settings::default()
        };
        let kept = check(&text, &property, settings.clone());
        if !matches!(kept.verdict, Verdict::Holds | Verdict::Violated) {
            let expected = matches!(kept.verdict, Verdict::NoViolationFound { .. });
            assert!(expected, "{seed} {formula}: {:?}\n{text}", kept.diagnostics);
            continue;
        }
        totals.models += 1;
        totals.violated += u32::from(kept.verdict == Verdict::Violated);
        holds += u32::from(kept.verdict == Verdict::Holds);
        for emptiness in [
            Emptiness::Automatic,
            Emptiness::NestedDfs,
            Emptiness::Couvreur,
            Emptiness::GeldenhuysValmari,
        ] {
            for reduction in [Reduction::None, Reduction::AmpleSets] {
                let settings = Settings {
                    emptiness,
                    reduction,
                    dead_variables: DeadVariables::Reset,
                    ..settings.clone()
                };
                let report = check(&text, &property, settings);
                // Where states are expanded depends on the order, and so does how many of them are met
                // whose infinite runs may stay inside an atomic sequence: a search gives up after some.
                let gave_up = Verdict::NoViolationFound { why: StoppedBy::Successors };
                inconclusive += u32::from(report.verdict == gave_up);
                if report.verdict == Verdict::InputError || report.verdict == gave_up {
                    continue;
                }
                let name = format!("seed {seed}, {emptiness:?} {reduction:?}: {formula}\n{text}");
                assert_eq!(report.verdict, kept.verdict, "{name}: {}", report.summary);
                if kept.verdict == Verdict::Holds && reduction == Reduction::None {
                    let states = report.statistics.states_stored;
                    assert!(states <= kept.statistics.states_stored, "{name}");
                    if emptiness == Emptiness::Automatic {
                        totals.kept += kept.statistics.states_stored;
                        totals.without += states;
                        totals.fewer += u32::from(states < kept.statistics.states_stored);
                    }
                }
            }
        }
    }
    println!("{totals:?}, {holds} hold, {inconclusive} inconclusive");
    assert!(inconclusive < totals.models / 4, "{inconclusive}");
    assert!(totals.models > 200 && totals.violated > 100 && holds > 40, "{totals:?}");
    assert!(totals.without < totals.kept && totals.fewer > 20, "{totals:?}");
}

fn states(text: &str, dead_variables: DeadVariables) -> u64 {
    let settings = Settings { dead_variables, ..base() };
    let report = check(text, &Property::Safety, settings);
    assert_eq!(report.verdict, Verdict::Holds, "{:?}\n{text}", report.diagnostics);
    report.statistics.states_stored
}

/// One model for each way in which a value can be used after all.
#[test]
fn what_is_looked_at_is_kept() {
    // One of four values is chosen; then the rest follows.
    let one = |rest: &str, more: &str| {
        format!(
            "byte g; chan q = [1] of {{ byte }};\nactive proctype P() {{\n  byte x, y; byte a[4];\n  \
             if :: x = 0 :: x = 1 :: x = 2 :: x = 3 fi;\n  {rest}\n}}\n{more}\n"
        )
    };
    // Used: the four values stay four states.
    let used = [
        ("skip; g = x", ""),
        ("skip; q!x; q?_", ""),
        ("skip; q!1; q?<eval(1)>; if :: q?eval(x) :: q?_ fi", ""),
        ("skip; printf(\"%d\", x)", ""),
        ("skip; assert(x < 4)", ""),
        ("skip; a[x] = 1", ""),
        ("skip; y = a[x]; g = y", ""),
        ("skip; x++; g = x", ""),
        ("skip; run Q(x)", "proctype Q(byte n) { skip }"),
        ("skip; d_step { y = x; g = y }", ""),
        ("skip; atomic { g = 1; g = x }", ""),
        ("skip; g = (g == 7 -> 1 : x)", ""),
        ("skip; if :: x > 1 -> skip :: else fi", ""),
        ("{ g = 1; g = 2 } unless { g == 9; g = x }", ""),
        ("skip; g = 1", "active proctype R() { P:x == 9 -> g = 5 }"),
        ("skip; g = 1", "ltl f { [] (P:x < 9) }"),
        ("skip; g = 1", "never { do :: P:x == 9 -> break :: else od }"),
    ];
    for (rest, more) in used {
        let text = one(rest, more).replace("active proctype R() {", "active proctype R() { end:");
        let (kept, reset) =
            (states(&text, DeadVariables::Keep), states(&text, DeadVariables::Reset));
        // Four states after the choice at least, beside the first one.
        assert!(reset >= 5 && reset <= kept, "{reset} of {kept}\n{text}");
    }
    // Not used: what comes after the choice is a chain.
    let unused = [
        ("skip; g = 1", ""),
        ("skip; x = 1; g = x", ""),
        ("skip; q!1; q?x; g = x", ""),
        ("skip; d_step { x = 1; g = x }", ""),
        ("skip; atomic { x = 2; g = x }", ""),
        ("skip; run Q(1)", "proctype Q(byte x) { g = x }"),
        ("{ g = 1; g = 2 } unless { g == 9; g = 3 }", ""),
        ("skip; g = 1", "active proctype R() { end: R:y == 9 -> g = 5; byte y }"),
    ];
    for (rest, more) in unused {
        let text = one(rest, more).replace("end: R:y == 9 -> g = 5; byte y", "end: g == 9");
        let (kept, reset) =
            (states(&text, DeadVariables::Keep), states(&text, DeadVariables::Reset));
        assert!(reset + 3 < kept, "{reset} of {kept}\n{text}");
    }
}

/// The values that are not used any more differ when a cycle is entered: it closes a round later.
#[test]
fn a_cycle_that_closes_a_round_later() {
    let text = "byte g; active proctype P() {\n  byte x = 1; g = x;\n  \
                do :: g = 1; g = 2; x = 2; g = x od\n}\n";
    let property = Property::Formula { text: "<> [] (g == 1)".to_owned() };
    for dead_variables in [DeadVariables::Keep, DeadVariables::Reset] {
        for reduction in [Reduction::None, Reduction::AmpleSets] {
            let settings = Settings { dead_variables, reduction, ..Settings::default() };
            let report = check(text, &property, settings);
            assert_eq!(report.verdict, Verdict::Violated, "{}", report.summary);
            let shown = &report.violations[0].trace;
            assert!(shown.cycle_start.is_some());
            let said =
                report.notes.iter().any(|note| note.starts_with("Dead variables were reset"));
            assert_eq!(said, dead_variables == DeadVariables::Reset);
        }
    }
}

/// A loop inside an atomic sequence in which a dead variable is written: it is left where a state comes
/// back, which depends on dead values.
#[test]
fn loops_inside_atomic_sequences() {
    for text in [
        "byte g; active proctype P() {\n  byte x = 5; g = x;\n  g = 1;\n  \
         atomic { do :: x = 5; g = 1 - g :: g == 0 -> break od; assert(g == 1) }\n}\n",
        "byte g; active proctype P() {\n  byte x = 5; g = x;\n  g = 1;\n  \
         atomic { do :: x = 5; g = 1 od }\n}\n",
        "byte g; active proctype P() {\n  byte x = 5; g = x; g = 1;\n  \
         atomic { do :: x = 5; g = 1 :: x = 6; g = 1 :: x = 7 -> break od; g = 2; x = g; assert(false) }\n}\n",
    ] {
        let kept = check(text, &Property::Safety, base());
        for merge in [false, true] {
            let settings = Settings { dead_variables: DeadVariables::Reset, merge, ..base() };
            let reset = check(text, &Property::Safety, settings);
            assert_eq!(reset.verdict, kept.verdict, "{}\n{text}", reset.summary);
            assert_eq!(kinds(&reset), kinds(&kept), "{text}");
        }
    }
}

/// A trace shows the values that the text gives.
#[test]
fn runs_are_those_of_the_text() {
    let text = "byte g; active proctype P() { byte x; x = 7; g = x; g = 1; assert(false) }";
    let settings = Settings { dead_variables: DeadVariables::Reset, ..Settings::default() };
    let reset = check(text, &Property::Safety, settings);
    let kept = check(text, &Property::Safety, Settings::default());
    assert_eq!(reset.violations[0].trace, kept.violations[0].trace);
}
