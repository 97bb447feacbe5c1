//! Variables on whose values nothing depends are left out of states: no verdict changes, the number of
//! states only to fewer, and to SPIN's where SPIN leaves out the same.
//!
//! `PROMENADE_SEEDS=first-last` chooses other models than usual.

use promenade_base::random::Random;
use promenade_ltl::Formulas;
use promenade_ltl::print::{Parentheses, Spelling, print};
use promenade_ltl::random::{Shape, formula};
use promenade_protocol::{
    DeadVariables, Emptiness, Fairness, Property, Reduction, Search, Settings, StoppedBy, Verdict,
    WriteOnly,
};
use promenade_testkit::random_model::{Features, random_model};
use promenade_testkit::scratch_model::scratch_model;
use promenade_testkit::seeds;
use promenade_testkit::spin::{self, Answer};
use promenade_testkit::write_only_model::{Uses, with_write_only};
use promenade_tests::comparison::{base, check, is_conclusive, kinds};
use promenade_tests::transformed::{Totals, compare};

/// Larger models are left out.
const STATES: u32 = 6_000;

fn model(seed: u64) -> String {
    let uses = [Uses::Chains, Uses::Any, Uses::AsSpin][seed as usize % 3];
    let text = match seed % 4 {
        0 => scratch_model(seed),
        _ => random_model(seed, Features::ALL),
    };
    with_write_only(&text, seed, uses)
}

fn keep() -> Settings {
    Settings { write_only: WriteOnly::Keep, ..base() }
}

#[test]
fn finite_runs() {
    let mut totals = Totals::default();
    let transformed = [
        base(),
        Settings { merge: true, ..base() },
        Settings { merge: true, dead_variables: DeadVariables::Reset, ..base() },
    ];
    for seed in seeds(1..=700) {
        compare(&format!("seed {seed}"), &model(seed), STATES, &transformed, &mut totals);
    }
    println!("{totals:?}");
    assert!(totals.models > 200 && totals.violated > 70, "{totals:?}");
    assert!(totals.without < totals.kept * 9 / 10 && totals.fewer > 100, "{totals:?}");
}

#[test]
fn infinite_runs() {
    let atoms = ["(g == 1)", "(wn == 1)", "(wl[1])", "(wt.k == 0)", "(g > wb)"];
    let names = atoms.map(str::to_owned);
    let (mut totals, mut holds, mut drifts) = (Totals::default(), 0, 0);
    for seed in seeds(1..=300) {
        let features = Features { accept: seed % 5 == 0, ..Features::ALL };
        let uses = if seed % 2 == 0 { Uses::Chains } else { Uses::Any };
        let mut text = with_write_only(&random_model(seed, features), seed, uses);
        if seed % 2 == 1 {
            text.push_str("active proctype C() { do :: wn++; wt.k = wn + 1 od }\n");
        }
        let mut random = Random::new(seed ^ 0xdead);
        let mut table = Formulas::new();
        let size = 1 + random.below(6);
        // Most formulas look at none of the variables.
        let some = if seed % 3 == 0 { atoms.len() } else { 1 };
        let shape = Shape { atoms: some as u32, size, next: false, ..Shape::default() };
        let formula = formula(&mut random, &mut table, &shape);
        let formula = print(&table, formula, &names, Spelling::Spin, Parentheses::Full);
        let property = match seed % 5 {
            0 => Property::Acceptance { claim: None },
            1 => Property::Progress,
            _ => Property::Formula { text: formula.clone() },
        };
        let settings = Settings {
            memory_mib: 64,
            state_limit: Some(4 * STATES),
            fairness: if seed % 7 == 0 { Fairness::Weak } else { Fairness::None },
            write_only: WriteOnly::Keep,
            ..Settings::default()
        };
        let kept = check(&text, &property, settings.clone());
        if !is_conclusive(&kept) {
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
                for dead_variables in [DeadVariables::Keep, DeadVariables::Reset] {
                    let settings = Settings {
                        emptiness,
                        reduction,
                        dead_variables,
                        write_only: WriteOnly::LeaveOut,
                        ..settings.clone()
                    };
                    let report = check(&text, &property, settings);
                    let gave_up = Verdict::NoViolationFound { why: StoppedBy::Successors };
                    if report.verdict == Verdict::InputError || report.verdict == gave_up {
                        continue;
                    }
                    drifts += u32::from(report.notes.iter().any(|it| it.starts_with("The cycle")));
                    let name = format!(
                        "seed {seed}, {emptiness:?} {reduction:?} {dead_variables:?}: {formula}\n{text}"
                    );
                    assert_eq!(report.verdict, kept.verdict, "{name}: {}", report.summary);
                    if kept.verdict == Verdict::Holds && reduction == Reduction::None {
                        let states = report.statistics.states_stored;
                        assert!(states <= kept.statistics.states_stored, "{name}");
                        totals.kept += kept.statistics.states_stored;
                        totals.without += states;
                        totals.fewer += u32::from(states < kept.statistics.states_stored);
                    }
                }
            }
        }
    }
    println!("{totals:?}, {holds} hold, {drifts} cycles change something");
    assert!(totals.models > 150 && totals.violated > 80 && holds > 30, "{totals:?}");
    assert!(totals.without < totals.kept && totals.fewer > 20 && drifts > 20, "{totals:?}");
}

/// Where SPIN leaves out the same variables, it counts the same; elsewhere it counts more.
#[test]
fn as_many_states_as_spin() {
    if !spin::available() {
        return println!("skipped: there is no SPIN");
    }
    let folder = std::env::temp_dir().join(format!("promenade-write-only-{}", std::process::id()));
    let (mut equal, mut fewer, mut left_out) = (0, 0, 0);
    for seed in seeds(1..=60) {
        let uses = if seed % 3 == 0 { Uses::Chains } else { Uses::AsSpin };
        let text = with_write_only(&random_model(seed, Features::ALL), seed, uses);
        let limited = Settings { state_limit: Some(STATES), reduction: Reduction::None, ..base() };
        let report = check(&text, &Property::Safety, limited);
        // The paths behind some errors differ.
        let complete = report.verdict == Verdict::Holds
            || report
                .violations
                .iter()
                .all(|it| ["assertion", "invalid_end_state"].contains(&it.kind.as_str()));
        if !is_conclusive(&report) || !complete {
            continue;
        }
        let answer = spin::without_write_only(&text, &folder);
        let Ok(Answer::Counts(counts)) = answer else { continue };
        let ours = &report.statistics;
        left_out += u32::from(report.notes.iter().any(|it| it.ends_with("not part of a state.")));
        if uses == Uses::AsSpin {
            equal += 1;
            let found = (ours.states_stored, ours.states_matched, ours.errors);
            assert_eq!(
                found,
                (counts.stored, counts.matched, counts.errors),
                "seed {seed}\n{text}"
            );
        } else {
            fewer += 1;
            assert!(ours.states_stored <= counts.stored, "seed {seed}: {counts:?}\n{text}");
        }
    }
    let _ = std::fs::remove_dir_all(folder);
    println!("{equal} equal, {fewer} not more, {left_out} with something left out");
    assert!(equal > 15 && fewer > 5 && left_out > 15, "{equal} {fewer} {left_out}");
}

fn states(text: &str, property: &Property, write_only: WriteOnly) -> u64 {
    let report = check(text, property, Settings { write_only, ..base() });
    assert_eq!(report.verdict, Verdict::Holds, "{:?}\n{text}", report.diagnostics);
    report.statistics.states_stored
}

/// One model for each way in which a value can be used after all.
#[test]
fn what_is_looked_at_is_kept() {
    // `x` gets one of four values; then the rest follows.
    let one = |rest: &str, more: &str| {
        format!(
            "byte g, h, x, y; bit b; byte a[4]; chan q = [1] of {{ byte }};\nactive proctype P() {{\n  byte l;\n  \
             if :: x = 0 :: x = 1 :: x = 2 :: x = 3 fi;\n  {rest}\n}}\n{more}\n"
        )
    };
    let compared = |text: &str, property: &Property| {
        (states(text, property, WriteOnly::Keep), states(text, property, WriteOnly::LeaveOut))
    };
    let used = [
        ("skip; h = x; h < 9", ""),
        ("skip; l = x", ""),
        ("skip; x = 3 - x", ""),
        ("skip; x = x * 2 + 1", ""),
        ("skip; q!x; q?_", ""),
        ("skip; q!1; if :: q?eval(x) :: q?_ fi", ""),
        ("skip; assert(x < 4)", ""),
        ("skip; a[x] = 1", ""),
        ("skip; y = a[x]", ""),
        ("skip; y = 1 / (x + 1)", ""),
        ("skip; y = 1 % (x + 1)", ""),
        ("skip; y = (x > 1 && a[g] > 0)", ""),
        ("skip; y = (x > 1 -> 1 / (g + 1) : 0)", ""),
        ("skip; printf(\"%d\", a[x])", ""),
        ("skip; run Q(x)", "proctype Q(byte n) { skip }"),
        ("skip; run Q()", "proctype Q() { byte n = x; skip }"),
        ("skip; d_step { y = x; g = y; l = g }", ""),
        ("skip; if :: x > 1 -> skip :: else fi", ""),
        ("{ g = 1; g = 2 } unless { g == 9; g = x; l = g }", ""),
        ("skip; g = 1", "active proctype R() { end: x == 9 }"),
        ("skip; g = 1", "active proctype R() provided (x < 9) { skip }"),
        // Claims and formulas that are not checked count, too.
        ("skip; g = 1", "ltl f { [] (x < 9) }"),
        ("skip; g = 1", "never { do :: x == 9 -> break :: else od }"),
    ];
    for (rest, more) in used {
        let text = one(rest, more);
        let (kept, without) = compared(&text, &Property::Safety);
        // Four states after the choice at least, beside the first one.
        assert!(without >= 5 && without <= kept, "{without} of {kept}\n{text}");
    }
    // Not used: what comes after the choice is a chain.
    let unused = [
        ("skip; g = 1", ""),
        ("skip; x++", ""),
        ("skip; x = x + 2 - g", ""),
        ("skip; h = x", ""),
        ("skip; y = x; h = y + g", ""),
        ("skip; a[g] = x", ""),
        ("skip; a[g % 4] = a[g % 4] + x", ""),
        ("skip; y = x / 2 + x % 3", ""),
        ("skip; y = (x > 1 && g > 0)", ""),
        ("skip; y = (x > 1 -> 1 : g)", ""),
        ("skip; b = x; printf(\"%d %d\", x, b)", ""),
        ("skip; q!1; q?x", ""),
        ("skip; atomic { y = x; h = y }", ""),
        ("skip; d_step { y = x; h = y }", ""),
        ("skip; x = run Q()", "proctype Q() { skip }"),
    ];
    for (rest, more) in unused {
        let text = one(rest, more);
        let (kept, without) = compared(&text, &Property::Safety);
        assert!(without + 3 <= kept, "{without} of {kept}\n{text}");
    }
    // What the property that is checked looks at.
    for (property, more) in [
        (Property::Ltl { name: None }, "ltl f { [] (x < 9) }"),
        (Property::Formula { text: "[] (x < 9)".to_owned() }, ""),
        (Property::Claim { name: None }, "never { do :: x == 9 -> break :: else od }"),
    ] {
        let text = one("skip", more);
        let (kept, without) = compared(&text, &property);
        assert!(without == kept && kept >= 9, "{without} of {kept}\n{text}");
    }
}

/// An error is met where it would be.
#[test]
fn errors_stay() {
    for (text, kind) in [
        ("byte n, a[3]; active proctype P() { do :: a[n]++; n++ od }", "index_out_of_bounds"),
        ("byte n, x; active proctype P() { n = 3; do :: x = 1 / n; n-- od }", "division_by_zero"),
        ("byte n, a[3]; active proctype P() { n = 4; a[n] = n }", "index_out_of_bounds"),
        ("byte n, a[3]; active proctype P() { a[0] = 7; a[a[0]] = 1 }", "index_out_of_bounds"),
    ] {
        let report = check(text, &Property::Safety, base());
        assert!(kinds(&report).contains(kind), "{:?}\n{text}", kinds(&report));
    }
}

const FERRY: &str = "int trips; bit side;\nactive proctype Ferry() {\n  do\n  \
                     :: side = 1 - side; trips++\n  od\n}\n";
const LIGHTS: &str = "bool lamp[5]; int presses; bool open;
inline toggle(k) { lamp[k] = !lamp[k] }
active proctype Player() {
  byte i;
  lamp[0] = true; lamp[2] = true; lamp[3] = true;
  do
  :: lamp[0] && lamp[1] && lamp[2] && lamp[3] && lamp[4] -> open = true; break
  :: else -> select(i : 0 .. 4);
     toggle(i); toggle((i + 1) % 5); toggle((i + 4) % 5); presses++
  od
}
ltl shut { [] !open }
";

#[test]
fn counters_without_an_end() {
    let report = check(FERRY, &Property::Safety, base());
    assert_eq!(report.verdict, Verdict::Holds);
    assert_eq!(report.statistics.states_stored, 4);
    let said = "`trips` is only counted: not part of a state.";
    assert!(report.notes.iter().any(|note| note == said), "{:?}", report.notes);
    let property = Property::Ltl { name: Some("shut".to_owned()) };
    for search in [Search::DepthFirst, Search::BreadthFirst] {
        for reduction in [Reduction::None, Reduction::Automatic] {
            let settings = Settings { search, reduction, ..Settings::default() };
            let report = check(LIGHTS, &property, settings);
            assert_eq!(report.verdict, Verdict::Violated, "{}", report.summary);
            let said = "`presses` is only counted: not part of a state.";
            assert!(report.notes.iter().any(|note| note == said), "{:?}", report.notes);
            // The counter of the run is that of the text: one for each press.
            let trace = &report.violations[0].trace;
            let presses = trace.steps.iter().filter(|it| it.text.starts_with("presses")).count();
            let slot = trace.slots.iter().position(|slot| slot.name == "presses").unwrap() as u32;
            let mut values = trace.steps.iter().flat_map(|step| &step.changes);
            let last = values.rfind(|change| change.slot == slot).unwrap();
            assert_eq!(last.value, Some(presses.to_string()));
        }
    }
}

/// A cycle closes although a counter goes on; it is said, and the run can be shared.
#[test]
fn a_cycle_with_a_counter() {
    let text = "int n; byte k; bool up; active proctype P() { do :: n++; up = !up; k = n; printf(\"%d\\n\", n) od }
                ltl f { <> [] up }";
    let property = Property::Ltl { name: None };
    let report = check(text, &property, Settings::default());
    assert_eq!(report.verdict, Verdict::Violated, "{}", report.summary);
    let said = "The cycle changes `n` and `k`, which are not part of a state: their values are those of \
                the first round.";
    assert!(report.notes.iter().any(|note| note == said), "{:?}", report.notes);
    let printed = report.violations[0].trace.steps.iter().map(|it| it.printed.as_str());
    let printed = printed.filter(|it| !it.is_empty());
    for (at, printed) in printed.enumerate() {
        assert_eq!(printed.trim(), (at + 1).to_string());
    }
    let kept =
        Settings { write_only: WriteOnly::Keep, state_limit: Some(1000), ..Settings::default() };
    assert!(!is_conclusive(&check(text, &property, kept)));
}

/// A run shows the values that the text gives.
#[test]
fn values_are_those_of_the_text() {
    let text = "typedef T { byte f = 5; short g[2] = 6; int h = 1 }; byte first; T t[3]; chan c = [1] of { byte };
        byte last = 7; int sum = 3; unsigned bits : 3 = 6;
        active proctype P() { byte i; do :: i < 3 -> t[i].g[i % 2] = i + t[i].f; sum = sum + t[i].g[1];
            t[i].h = t[i].h - 1; bits++; c!i; c?last; printf(\"%d %d\", sum, t[i].h); i++
            :: else -> break od; assert(t[1].f == 4) }";
    let run = |write_only| {
        let report = check(text, &Property::Safety, Settings { write_only, ..Settings::default() });
        assert_eq!(report.verdict, Verdict::Violated, "{:?}", report.diagnostics);
        let trace = report.violations[0].trace.clone();
        let mut values: Vec<String> = Vec::new();
        let steps = trace.steps.iter().map(|step| (step.text.as_str(), &step.changes));
        for (step, changes) in std::iter::once(("", &trace.initial)).chain(steps) {
            let said = |it: &promenade_protocol::Change| {
                format!("{step}: {} {:?}", trace.slots[it.slot as usize].name, it.value)
            };
            let mut changes: Vec<String> = changes.iter().map(said).collect();
            changes.sort();
            values.extend(changes);
        }
        let printed: String = trace.steps.iter().map(|step| step.printed.as_str()).collect();
        (values, printed, report.notes)
    };
    let (kept, without) = (run(WriteOnly::Keep), run(WriteOnly::LeaveOut));
    assert_eq!((&without.0, &without.1), (&kept.0, &kept.1));
    assert!(kept.0.len() > 20 && !kept.1.is_empty());
    let said =
        without.2.iter().any(|it| it == "`t.g` is only used for `sum`: not part of a state.");
    assert!(said, "{:?}", without.2);
}

/// Loops inside atomic sequences are left where a state comes back.
#[test]
fn loops_inside_atomic_sequences() {
    for text in [
        "byte g, n; active proctype P() { atomic { do :: n++ :: g = 1; break od }; assert(g == 0) }",
        "byte g, n; active proctype P() { g = 1; atomic { do :: n++; g = 1 - g od } }",
        "byte g, n; active proctype P() { g = 1; d_step { do :: n++; g = 1 - g od } }",
        "byte g, n; active proctype P() { atomic { do :: n++; g < 3 -> g++ :: g == 3 -> break od } }",
    ] {
        let kept = check(text, &Property::Safety, keep());
        for merge in [false, true] {
            let without = check(text, &Property::Safety, Settings { merge, ..base() });
            assert_eq!(without.verdict, kept.verdict, "{}\n{text}", without.summary);
            assert_eq!(kinds(&without), kinds(&kept), "{text}");
            let with_int = text.replace("byte g, n", "byte g; int n");
            let endless = check(&with_int, &Property::Safety, Settings { merge, ..base() });
            assert_eq!(kinds(&endless), kinds(&kept), "{}\n{text}", endless.summary);
        }
    }
}
