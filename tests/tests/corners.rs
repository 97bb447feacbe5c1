//! Corners of the language where checkers go wrong: each with the numbers of SPIN, and random models of
//! each kind with every reduction.
//!
//! `PROMENADE_SEEDS=first-last` chooses other random models than usual.

use promenade_base::random::Random;
use promenade_protocol::{
    DeadVariables, Fairness, Property, Reduction, Report, Search, Settings, Verdict, WriteOnly,
};
use promenade_testkit::corner_model::{Corner, corner_model};
use promenade_testkit::{seeds, spin};
use promenade_tests::comparison::{base, check, kinds};

fn safety(text: &str, settings: Settings) -> Report {
    check(text, &Property::Safety, settings)
}

/// Counts as SPIN does without reduction.
fn whole() -> Settings {
    Settings { reduction: Reduction::None, write_only: WriteOnly::Keep, ..base() }
}

/// Stored, matched, errors.
fn numbers(text: &str) -> (u64, u64, u64) {
    let report = safety(text, whole());
    assert!(report.verdict != Verdict::InputError, "{:?}\n{text}", report.diagnostics);
    let statistics = &report.statistics;
    (statistics.states_stored, statistics.states_matched, statistics.errors)
}

fn codes(report: &Report) -> Vec<&str> {
    report.diagnostics.iter().map(|d| d.code.as_str()).collect()
}

#[test]
fn an_else_that_opens_a_d_step_belongs_to_the_choice_around() {
    let text = "byte w = 1, r; active proctype A() { if :: d_step { w == 1 -> r = 1 } \
                :: d_step { else -> r = 2 } fi; assert(r == 1) }";
    assert_eq!(numbers(text), (4, 0, 0));
    // It looks at the options in front of it only, as in SPIN.
    let first = "byte w = 1, r; active proctype A() { if :: d_step { else -> r = 2 } \
                 :: d_step { w == 1 -> r = 1 } fi; assert(r == 1) }";
    assert_eq!(numbers(first), (7, 0, 1));
    let report = safety(first, whole());
    assert!(codes(&report).contains(&"nested-else"), "{:?}", report.diagnostics);
}

#[test]
fn sorted_sends_compare_values_before_they_are_cut() {
    let text = "chan q0 = [2] of { byte } byte x, y \
                active proctype P1() { q0!0; q0!!-1; q0?x; q0?y; assert(x == 0) }";
    assert_eq!(numbers(text), (7, 0, 1));
}

#[test]
fn remote_variables_may_stand_in_d_steps() {
    let text = "byte v0; active proctype P0() { byte x0 = 3; x0++; L: x0++} \
                active proctype P1() { d_step { v0 = P0[0]:x0; v0++ } }";
    assert_eq!(numbers(text), (18, 3, 0));
}

#[test]
fn values_of_structures_are_ignored() {
    let text = "typedef Ref { byte key; byte port } active proctype Broker() { \
                Ref refs[3] = 255; byte n = refs[1].key; refs[2].port = 7; assert(n == 0) }";
    assert_eq!(numbers(text), (4, 0, 0));
    assert_eq!(codes(&safety(text, whole())), ["structure-value"]);
    let list = "typedef T { byte a = 4; byte b } T t[2] = { 1, 2 }; init { assert(t[1].a == 4) }";
    assert_eq!(numbers(list), (3, 0, 0));
}

#[test]
fn numbers_for_channels() {
    let text = "typedef Slot { bool used; chan back } chan answers = [2] of { byte }; \
                active proctype Server() { Slot s; s.used = true; s.back = answers; s.back!1; \
                s.used = false; s.back = 0 }";
    assert_eq!(numbers(text), (7, 0, 0));
    assert_eq!(codes(&safety(text, whole())), ["channel-assignment"]);
    assert_eq!(numbers("chan c = 0; init { c == 0 }"), (3, 0, 0));
    // SPIN reads whatever stands in front of its channels there.
    let used = "typedef T { chan c } T t; chan d = [1] of { byte }; init { t.c = 0; t.c!1 }";
    assert_eq!(
        kinds(&safety(used, whole())).into_iter().collect::<Vec<_>>(),
        ["uninitialized_channel"]
    );
    let report = safety("chan c = [1] of { byte }; init { c = 0 }", whole());
    assert_eq!(report.verdict, Verdict::InputError);
}

#[test]
fn short_messages_are_reported_where_they_are_sent_and_where_they_are_received() {
    let text = "chan c = [0] of { byte, byte };\n\
                active proctype S() { byte x; x = 1; c!1 }\n\
                active proctype R() { byte a; byte y; y = 1; c?a }\n";
    assert_eq!(numbers(text), (7, 1, 3));
    let report = safety(text, whole());
    let sent = report.violations.iter().find(|v| v.kind == "too_few_send_arguments");
    let received = report.violations.iter().find(|v| v.kind == "wrong_receive_arguments");
    let line = |span: Option<&promenade_protocol::SpanData>| {
        span.map(|s| text[..s.start as usize].matches('\n').count() + 1)
    };
    assert_eq!(line(sent.and_then(|v| v.span.as_ref())), Some(2));
    assert_eq!(line(received.and_then(|v| v.span.as_ref())), Some(3));
}

#[test]
fn predefined_names_are_no_targets() {
    for name in ["_pid", "_nr_pr", "_last"] {
        let text = format!("chan c = [1] of {{ byte }}; init {{ c!1; c?{name} }}");
        let report = safety(&text, whole());
        let hint = report.diagnostics.iter().find(|d| d.code == "read-only");
        let hint = hint.and_then(|d| d.hint.as_deref()).unwrap_or("");
        assert!(hint.contains(&format!("eval({name})")), "{hint}");
    }
}

#[test]
fn last_is_part_of_the_state_wherever_it_is_named() {
    let text = |argument: &str| {
        format!("byte v; inline f(a) {{ v = 1 }} active [2] proctype P() {{ f({argument}) }}")
    };
    assert_eq!(numbers(&text("_last")), (9, 2, 0));
    assert_eq!(numbers(&text("0")), (7, 2, 0));
    let unused = "byte v; inline f(a) { v = _last } active [2] proctype P() { v = 1 }";
    assert_eq!(numbers(unused), (7, 2, 0));
}

#[test]
fn enabled_in_a_circle_is_a_fault_of_the_model() {
    for text in [
        "active [2] proctype P0() { enabled(1 - _pid) }",
        "active [3] proctype P() { !enabled((_pid + 1) % 3) || enabled((_pid + 2) % 3) }",
        "byte v; active proctype A() provided (enabled(1)) { v = 1 } \
         active proctype B() { enabled(2) } active proctype C() { enabled(1) }",
    ] {
        let report = safety(text, Settings::default());
        assert_eq!(report.verdict, Verdict::Violated, "{}", report.summary);
        assert!(kinds(&report).contains("enabled_circle"), "{}", report.summary);
    }
    // One that is not looked at is none.
    let open = "byte v = 1; active [2] proctype P0() { v == 1 || enabled(1 - _pid) }";
    assert_eq!(safety(open, Settings::default()).verdict, Verdict::Holds);
    // Long chains of questions are no circles, and are answered once each.
    let mut chain = "byte v;\n".to_owned();
    for next in 1..40 {
        chain += &format!("active proctype P{next}() {{ enabled({next}) && enabled({next}) }}\n");
    }
    chain += "active proctype Last() { v == 1 }\n";
    let report = safety(&chain, Settings::default());
    assert_eq!(kinds(&report).into_iter().collect::<Vec<_>>(), ["invalid_end_state"]);
}

#[test]
fn merging_leaves_a_rest_on_every_cycle() {
    let text = "active proctype P() { atomic { do :: true -> L1: skip :: break od }; goto L1 }";
    let report = safety(text, Settings { merge: true, ..Settings::default() });
    assert_eq!(report.verdict, Verdict::Holds, "{}", report.summary);
}

#[test]
fn a_limit_of_fairness_is_no_violation() {
    let text = "byte x; active [64] proctype P() { end: x == 1 } ltl p { [] (x == 0) }";
    let settings = Settings { fairness: Fairness::Weak, ..Settings::default() };
    let report = check(text, &Property::Ltl { name: Some("p".to_owned()) }, settings);
    assert!(report.violations.is_empty(), "{}", report.summary);
}

#[test]
fn random_corners_with_every_reduction() {
    let (mut compared, mut violated) = (0, 0);
    for corner in Corner::ALL {
        for seed in seeds(1..=60) {
            let text = corner_model(corner, seed);
            let plain = safety(&text, Settings { state_limit: Some(4000), ..whole() });
            // What SPIN refuses may be refused here too.
            if !matches!(plain.verdict, Verdict::Holds | Verdict::Violated)
                || plain.statistics.states_stored >= 4000
            {
                let name = format!("{corner:?} {seed}: {}\n{text}", plain.summary);
                assert!(!matches!(plain.verdict, Verdict::InternalError { .. }), "{name}");
                continue;
            }
            compared += 1;
            violated += u32::from(plain.verdict == Verdict::Violated);
            for merge in [false, true] {
                for reduction in [Reduction::None, Reduction::AmpleSets] {
                    for dead_variables in [DeadVariables::Keep, DeadVariables::Reset] {
                        for search in [Search::DepthFirst, Search::BreadthFirst] {
                            let settings =
                                Settings { merge, reduction, dead_variables, search, ..base() };
                            let report = safety(&text, settings.clone());
                            let name = format!("{corner:?} {seed}, {settings:?}\n{text}");
                            assert_eq!(report.verdict, plain.verdict, "{name}: {}", report.summary);
                            // Some end the search, so others may come before or not at all.
                            let fatal = ["closed_channel", "enabled_circle", "enabled_self"];
                            if !kinds(&plain).iter().any(|kind| fatal.contains(kind)) {
                                assert_eq!(kinds(&report), kinds(&plain), "{name}");
                            }
                        }
                    }
                }
            }
        }
    }
    println!("{compared} compared, {violated} violated");
    assert!(compared > 200 && violated > 50, "{compared}, {violated}");
}

/// Models with promises that are kept or broken. The first of a channel's users claims it, so that
/// SPIN, which remembers who used a channel after they have ended, sees the same.
fn with_promises(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0xf00d);
    let mut text = "chan a = [1] of { byte }; chan b = [2] of { byte }; byte g;\n".to_owned();
    for process in 0..2 + random.below(2) {
        text += &format!("active proctype P{process}() {{ byte x;\n");
        for (word, channel) in [("xs", "a"), ("xr", "a"), ("xs", "b"), ("xr", "b")] {
            if random.chance(1, 4) {
                text += &format!("  {word} {channel};\n");
            }
        }
        for _ in 0..1 + random.below(3) {
            let statements = [
                "a!x",
                "a?x",
                "b!1",
                "b?x",
                "x++",
                "g = x",
                "g == 0",
                "len(a) == 0",
                "nempty(b)",
                "nfull(a)",
                "b!2",
                "a?x",
            ];
            let chosen = statements[random.below(statements.len())];
            text += &format!("  {chosen};\n");
        }
        // Nobody ends, so whoever promised is there.
        text += "end: false\n}\n";
    }
    text
}

#[test]
fn promises_are_watched_as_in_spin() {
    if !spin::available() {
        return println!("skipped: spin or gcc is not installed");
    }
    let folder = std::env::temp_dir().join(format!("promenade-promises-{}", std::process::id()));
    let (mut compared, mut broken, mut different) = (0, 0, Vec::new());
    for seed in seeds(1..=10) {
        let text = with_promises(seed);
        let answer = match spin::reduced(&text, &folder) {
            Ok(spin::Answer::Counts(counts)) => counts,
            Ok(other) => {
                println!("seed {seed}: {other:?}");
                continue;
            }
            Err(error) => return println!("skipped: {error}"),
        };
        compared += 1;
        let report = safety(&text, base());
        let ours = report.violations.iter().any(|v| v.kind == "exclusive_channel");
        broken += u32::from(ours);
        let violated = report.verdict == Verdict::Violated;
        if violated != (answer.errors > 0) {
            println!("seed {seed}: {}, SPIN's {answer:?}\n{text}", report.summary);
            different.push(seed);
        }
    }
    let _ = std::fs::remove_dir_all(folder);
    println!("{compared} compared, {broken} with broken promises");
    assert!(different.is_empty(), "{different:?}");
}

/// A reduction never trusts a promise: with it, verdicts on everything else are those without.
#[test]
fn broken_promises_mislead_no_reduction() {
    let mut broken = 0;
    for seed in seeds(1..=300) {
        let text = with_promises(seed);
        let plain = safety(&text, whole());
        for search in [Search::DepthFirst, Search::BreadthFirst] {
            for merge in [false, true] {
                let reduction = Reduction::AmpleSets;
                let report = safety(&text, Settings { search, merge, reduction, ..base() });
                let mut found = kinds(&report);
                broken += u32::from(found.remove("exclusive_channel"));
                assert_eq!(found, kinds(&plain), "seed {seed}, {search:?} {merge}\n{text}");
            }
        }
    }
    assert!(broken > 50, "{broken}");
}

#[test]
fn a_promise_is_broken_where_another_process_uses_the_channel() {
    let text = "chan line = [1] of { byte }; active [2] proctype Writer() { xs line; line!_pid } \
                active proctype Reader() { byte x; line?x; line?x }";
    let report = safety(text, Settings::default());
    assert_eq!(report.verdict, Verdict::Violated, "{}", report.summary);
    assert_eq!(report.violations[0].kind, "exclusive_channel");
    assert_eq!(codes(&report), ["broken-promise"]);
    assert_eq!(numbers(text), (12, 1, 0));
    // A channel that is handed over is looked at when the model runs.
    let handed = "chan a = [1] of { byte }; chan b = [1] of { byte }; \
                  proctype P(chan q) { xs q; q!1 } init { run P(a); run P(b) }";
    assert_eq!(safety(handed, Settings::default()).verdict, Verdict::Holds);
    let twice = handed.replace("run P(b)", "run P(a)");
    assert_eq!(safety(&twice, Settings::default()).verdict, Verdict::Violated);
}
