//! A short error beside a counter that never ends is found, whatever the property, and without one the
//! report says what was explored.

use promenade_protocol::{
    Emptiness, Fairness, Property, Reduction, Report, Settings, StoppedBy, Verdict,
};
use promenade_tests::comparison::check;

/// The counter is read, so it belongs to the state; its process is the one that moves first.
const COUNTER: &str =
    "int c; active proctype Clock() { do :: c++; if :: c < 0 -> break :: else fi od }
";

fn report(text: &str, property: &Property, change: impl Fn(&mut Settings)) -> Report {
    let mut settings = Settings { memory_mib: 16, ..Settings::default() };
    change(&mut settings);
    check(text, property, settings)
}

fn says(report: &Report, what: &str) -> bool {
    report.notes.iter().any(|note| note.contains(what))
}

#[test]
fn a_failing_assertion() {
    let model = "byte x; active proctype A() {
        do :: x < 200 -> x++ :: x > 3 -> break od; assert(x != 5) }";
    for text in [format!("{COUNTER}{model}"), format!("{model}\n{COUNTER}")] {
        for reduction in [Reduction::None, Reduction::Automatic] {
            let report = report(&text, &Property::Safety, |it| it.reduction = reduction);
            assert_eq!(report.verdict, Verdict::Violated, "{}", report.summary);
        }
    }
    let report = report(&format!("{COUNTER}{model}"), &Property::Safety, |it| {
        it.reduction = Reduction::None;
    });
    assert!(report.violations[0].trace.steps.len() < 15);
    assert!(
        says(&report, "took turns with the unbounded depth-first search"),
        "{:?}",
        report.notes
    );
}

#[test]
fn a_puzzle_whose_presses_are_counted() {
    let text = "bool lamp[5]; int presses; bool open;
        inline toggle(k) { lamp[k] = !lamp[k] }
        active proctype Player() {
          byte i;
          lamp[0] = true; lamp[2] = true; lamp[3] = true;
          do
          :: lamp[0] && lamp[1] && lamp[2] && lamp[3] && lamp[4] -> open = true; break
          :: else -> select(i : 0 .. 4);
             toggle(i); toggle((i + 1) % 5); toggle((i + 4) % 5); presses++;
             if :: presses < 0 -> skip :: else fi
          od
        }
        ltl shut { [] !open }";
    let found = report(text, &Property::Formula { text: "[] !open".to_owned() }, |_| {});
    assert_eq!(found.verdict, Verdict::Violated, "{}", found.summary);
    let steps = found.violations[0].trace.steps.len();
    assert!(steps < 45, "{steps} steps: {:?}", found.notes);
    // Nothing is wrong otherwise.
    let partial = report(text, &Property::Safety, |it| it.memory_mib = 2);
    let why = StoppedBy::Memory;
    assert_eq!(partial.verdict, Verdict::NoViolationFound { why }, "{}", partial.summary);
    assert!(says(&partial, "All runs of up to"), "{:?}", partial.notes);
    assert!(says(&partial, "Depth-first search with a depth bound of"), "{:?}", partial.notes);
}

#[test]
fn a_cycle() {
    let model = "byte x; bool q; active proctype A() {
        do :: x < 20 -> x++ :: x > 3 -> break od; q = true; do :: x = 0 od }";
    let text = format!("{COUNTER}{model}");
    let property = Property::Formula { text: "<> (x == 19)".to_owned() };
    for emptiness in
        [Emptiness::Automatic, Emptiness::Couvreur, Emptiness::NestedDfs, Emptiness::CouvreurShy]
    {
        let report = report(&text, &property, |it| it.emptiness = emptiness);
        assert_eq!(report.verdict, Verdict::Violated, "{emptiness:?}: {}", report.summary);
    }
    // The counter goes on for ever in all fair runs, so no state comes again.
    let fair = report(&text, &property, |it| {
        it.fairness = Fairness::Weak;
        it.memory_mib = 2;
    });
    assert!(matches!(fair.verdict, Verdict::NoViolationFound { .. }), "{}", fair.summary);
    assert!(says(&fair, "All cycles among states at a distance of up to"), "{:?}", fair.notes);
}

#[test]
fn a_counter_that_ends() {
    // As many states on the path as it has; the numbers are those of the search alone.
    let text =
        "int c; bool b; active proctype Clock() { do :: c < 300000 -> c++ :: else -> break od }";
    let report = report(text, &Property::Safety, |it| it.memory_mib = 64);
    assert_eq!(report.verdict, Verdict::Holds, "{}", report.summary);
    assert_eq!(report.statistics.states_stored, 600_003);
    assert!(report.statistics.states_before > 0);
    assert!(!says(&report, "turns"), "{:?}", report.notes);
}
