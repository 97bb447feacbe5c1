//! A session from outside: events, order, cancellation, time.

use super::*;
use promenade_protocol::{Define, File, Property, Search, Settings, StoppedBy, Verdict};
use std::cell::Cell;
use std::rc::Rc;

fn experiment(text: &str) -> Experiment {
    Experiment {
        files: vec![File { name: "m.pml".to_owned(), text: text.to_owned() }],
        ..Experiment::default()
    }
}

/// Very many states: four counters of 32 bits.
const BIG: &str = "int a, b, c, d;\nactive proctype P() { do :: a++ :: b++ :: c++ :: d++ :: a + b + c + d < 0 od }\n";

const WRONG: &str = "byte x, done;\nactive [2] proctype P() {\n  byte t;\n  t = x; x = t + 1;\n  \
                     done++;\n  if :: done == 2 -> assert(x == 2) :: else fi\n}\n";

/// A clock that a test moves; each look takes a bit of time.
#[derive(Clone, Default)]
struct Hand(Rc<Cell<f64>>);

impl Clock for Hand {
    fn seconds(&self) -> f64 {
        self.0.set(self.0.get() + 0.005);
        self.0.get()
    }
}

#[test]
fn a_violation_has_a_run() {
    let report = check(experiment(WRONG));
    assert_eq!(report.verdict, Verdict::Violated, "{report:?}");
    let found = &report.violations[0];
    assert_eq!(found.kind, "assertion");
    assert!(found.message.starts_with("assertion violated: "), "{}", found.message);
    assert!(!found.trace.steps.is_empty() && !found.trace.truncated);
    // The same run from its choices.
    let mut session = Session::new(Timeless);
    session.submit(Request::Replay {
        job: 3,
        experiment: report.experiment.clone(),
        choices: found.trace.choices.clone(),
        checksum: found.trace.checksum,
        stem: None,
    });
    match session.advance(1.0).as_slice() {
        [Event::Replayed { job: 3, report: again, mismatch: None }] => {
            assert_eq!(again.violations[0], *found);
        }
        other => panic!("{other:?}"),
    }
    // Another checksum does not fit, and too many choices do not either.
    for (more, sum) in [(0, found.trace.checksum ^ 1), (5, found.trace.checksum)] {
        let mut choices = found.trace.choices.clone();
        choices.resize(choices.len() + more, 0);
        let experiment = report.experiment.clone();
        session.submit(Request::Replay { job: 4, experiment, choices, checksum: sum, stem: None });
        match session.advance(1.0).as_slice() {
            [Event::Replayed { mismatch: Some(_), .. }] => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn holds_says_what_was_proved_and_what_was_not() {
    let text = "byte x;\nactive proctype P() { x = 1; assert(x == 1); if :: x == 2 -> x = 3 :: else fi }\n\
                ltl p { <> (x == 1) }\n";
    let report = check(experiment(text));
    assert_eq!(report.verdict, Verdict::Holds, "{report:?}");
    assert!(report.summary.contains("no assertion fails"), "{}", report.summary);
    assert!(report.notes.iter().any(|n| n.contains("`p` was not checked")), "{:?}", report.notes);
    let texts: Vec<&str> = report.unreached.iter().map(|u| u.text.as_str()).collect();
    assert_eq!(texts, ["(x == 2)", "x = 3"]);
}

#[test]
fn deadlocks_name_who_waits_for_what() {
    let text = "chan a = [0] of { byte }; chan b = [0] of { byte };\n\
                active proctype P() { a!1; b?_ }\nactive proctype Q() { b!1; a?_ }\n";
    let report = check(experiment(text));
    assert_eq!(report.verdict, Verdict::Violated);
    let blocked = &report.violations[0].blocked;
    assert_eq!(blocked.len(), 2, "{blocked:?}");
    assert_eq!((blocked[0].0, blocked[0].1.as_str()), (0, "P"));
    assert!(blocked[0].2.contains("a!1"), "{blocked:?}");
}

#[test]
fn a_text_is_read_while_a_check_runs_and_cancelling_is_immediate() {
    let clock = Hand::default();
    let mut session = Session::new(clock.clone());
    session.submit(Request::Check { job: 1, experiment: experiment(BIG) });
    let events = session.advance(0.05);
    assert!(matches!(events[0], Event::Planned { job: 1, .. }), "{events:?}");
    let experiment_with_error = experiment("byte x = ; init { skip }");
    let formulas = Vec::new();
    session.submit(Request::Parse { job: 2, experiment: experiment_with_error, formulas });
    let events = session.take_events();
    match events.as_slice() {
        [Event::Parsed { job: 2, diagnostics, .. }] => assert!(!diagnostics.is_empty()),
        other => panic!("{other:?}"),
    }
    let mut progress = 0;
    for _ in 0..40 {
        let events = session.advance(0.05);
        progress += events.iter().filter(|e| matches!(e, Event::Progress { .. })).count();
    }
    assert!(progress >= 4, "{progress}");
    session.submit(Request::Check { job: 7, experiment: experiment(BIG) });
    session.submit(Request::Cancel { job: 7 });
    session.submit(Request::Cancel { job: 1 });
    session.submit(Request::Cancel { job: 99 });
    let events = session.advance(0.05);
    let why: Vec<(u32, Verdict)> = events
        .into_iter()
        .filter_map(|event| match event {
            Event::Report { job, report } => Some((job, report.verdict)),
            _ => None,
        })
        .collect();
    let cancelled = Verdict::NoViolationFound { why: StoppedBy::Cancelled };
    assert_eq!(why, [(7, cancelled.clone()), (1, cancelled)]);
    assert!(session.is_idle());
}

#[test]
fn limits_end_a_run_honestly() {
    let stopped = |settings: Settings, clock: bool| {
        let experiment = Experiment { settings, ..experiment(BIG) };
        let report =
            if clock { run(experiment, Hand::default(), |_, _| {}) } else { check(experiment) };
        match report.verdict {
            Verdict::NoViolationFound { why } => why,
            other => panic!("{other:?}"),
        }
    };
    let base = Settings::default;
    assert_eq!(stopped(Settings { memory_mib: 2, ..base() }, false), StoppedBy::Memory);
    assert_eq!(stopped(Settings { memory_mib: 0, ..base() }, false), StoppedBy::Memory);
    assert_eq!(stopped(Settings { state_limit: Some(100), ..base() }, false), StoppedBy::States);
    assert_eq!(stopped(Settings { depth_limit: Some(9), ..base() }, false), StoppedBy::Depth);
    let limit = Settings { time_limit_seconds: Some(1), ..base() };
    assert_eq!(stopped(limit, true), StoppedBy::Time);
}

/// A sequence that comes to its end, but not soon.
const LONG: &str = "int x; init { d_step { do :: x < 2000000000 -> x++ :: else -> break od } }";

#[test]
fn what_is_too_large_to_follow_is_no_violation() {
    let too_large = Verdict::NoViolationFound { why: StoppedBy::Successors };
    for text in [
        "int x; init { atomic { do :: x >= 0 -> x++ od } }",
        LONG,
        "byte a[30], i; init { atomic { do :: i < 30 -> if :: a[i] = 0 :: a[i] = 1 fi; i++ :: else -> break od } }",
    ] {
        for search in [Search::DepthFirst, Search::BreadthFirst] {
            let settings = Settings { memory_mib: 8, search, ..Settings::default() };
            let report = check(Experiment { settings, ..experiment(text) });
            assert_eq!(report.verdict, too_large, "{text}");
            assert!(report.summary.contains("atomic"), "{}", report.summary);
            assert!(report.unreached.is_empty());
        }
    }
    // What was found before counts, and can be executed again.
    for text in [
        "int x; init { atomic { do :: x++; assert(x != 500) od } }",
        "int x; init { atomic { do :: x++; assert(x < 500) od } }",
    ] {
        let report = check(experiment(text));
        assert_eq!(report.verdict, Verdict::Violated, "{text}");
        assert_eq!(report.violations[0].trace.steps.len(), 1000, "{text}");
    }
    // Proved: the state comes back.
    let report = check(experiment("byte x; init { atomic { do :: x++ od } }"));
    assert_eq!(report.violations[0].kind, "endless_atomic");
    let report = check(experiment("int x; init { atomic { do :: x++ od } }"));
    assert_eq!(report.violations[0].kind, "endless_atomic");
    let report = check(experiment("byte x; init { d_step { do :: x++ od } }"));
    assert_eq!(report.violations[0].kind, "endless_atomic");
    let text = "byte x; active proctype P() { atomic { do :: x = 1 :: x = 2 :: x == 1 -> break od }; x = 3 }";
    assert_eq!(check(experiment(text)).verdict, Verdict::Holds);
}

#[test]
fn time_passes_within_one_expansion() {
    let settings = Settings { time_limit_seconds: Some(1), ..Settings::default() };
    let experiment = Experiment { settings, ..experiment(LONG) };
    let clock = Hand::default();
    let report = run(experiment.clone(), clock.clone(), |_, _| {});
    assert_eq!(report.verdict, Verdict::NoViolationFound { why: StoppedBy::Time });
    assert!(clock.0.get() < 1.5, "{}", clock.0.get());

    struct Interrupted;
    impl Clock for Interrupted {
        fn seconds(&self) -> f64 {
            0.0
        }
        fn is_interrupted(&self) -> bool {
            true
        }
    }
    let report = run(experiment, Interrupted, |_, _| {});
    assert_eq!(report.verdict, Verdict::NoViolationFound { why: StoppedBy::Cancelled });
}

/// A formula whose automaton has more states than can be built.
fn endless_translation() -> Experiment {
    let names = |letter: char| (0..24).map(|i| format!("{letter}{i}")).collect::<Vec<_>>();
    let parts: Vec<String> = (0..24).map(|i| format!("(p{i} U q{i})")).collect();
    let [p, q] = ['p', 'q'].map(|letter| names(letter).join(", "));
    let text = format!("bool {p}, {q}; init {{ skip }} ltl f {{ !({}) }}", parts.join(" && "));
    Experiment { property: Property::Ltl { name: None }, ..experiment(&text) }
}

#[test]
fn translations_end_with_the_time_or_by_an_interrupt() {
    let settings = Settings { time_limit_seconds: Some(1), ..Settings::default() };
    let timed = Experiment { settings, ..endless_translation() };
    let clock = Hand::default();
    let report = run(timed.clone(), clock.clone(), |_, _| {});
    assert_eq!(report.verdict, Verdict::NoViolationFound { why: StoppedBy::Time });
    assert_eq!(report.stopped_by, Some(StoppedBy::Time));
    assert!(report.summary.contains("translated"), "{}", report.summary);
    assert!(clock.0.get() < 1.1, "{}", clock.0.get());

    /// Interrupted at the hundredth question.
    #[derive(Default)]
    struct Hundred(std::cell::Cell<u32>);
    impl Clock for Hundred {
        fn seconds(&self) -> f64 {
            0.0
        }
        fn is_interrupted(&self) -> bool {
            self.0.set(self.0.get() + 1);
            self.0.get() > 100
        }
    }
    let report = run(endless_translation(), Hundred::default(), |_, _| {});
    assert_eq!(report.verdict, Verdict::NoViolationFound { why: StoppedBy::Cancelled });
    assert!(report.summary.contains("translated"), "{}", report.summary);
    // Nor does it take more memory than there is.
    let settings = Settings { memory_mib: 16, ..Settings::default() };
    let report = check(Experiment { settings, ..endless_translation() });
    assert_eq!(report.verdict, Verdict::NoViolationFound { why: StoppedBy::Memory });
    assert!(report.summary.contains("16 MiB"), "{}", report.summary);
}

#[test]
fn input_errors_are_no_verdict_on_the_model() {
    for text in ["", "proctype P( {", "init { x = 1 }"] {
        let report = check(experiment(text));
        if text.is_empty() {
            continue;
        }
        assert_eq!(report.verdict, Verdict::InputError, "{text}");
        assert!(!report.diagnostics.is_empty());
    }
    assert_eq!(check(Experiment::default()).verdict, Verdict::InputError);
    let claim = Property::Claim { name: Some("nobody".to_owned()) };
    let experiment = Experiment { property: claim, ..experiment("init { skip }") };
    assert_eq!(check(experiment).verdict, Verdict::InputError);
}

#[test]
fn simulations_repeat() {
    let run = |seed| {
        let mut session = Session::new(Timeless);
        let experiment = Experiment {
            settings: Settings {
                defines: vec![Define { name: "N".to_owned(), value: Some("30".to_owned()) }],
                ..Settings::default()
            },
            ..experiment(
                "byte x; active [2] proctype P() { do :: x < N -> x++; printf(\"%d\", x) :: x == N -> break od }",
            )
        };
        session.submit(Request::Simulate { job: 1, experiment, seed, steps: 500 });
        match session.advance(1.0).pop() {
            Some(Event::Simulated { trace, ended, .. }) => (trace, ended),
            other => panic!("{other:?}"),
        }
    };
    let (trace, ended) = run(5);
    assert_eq!(ended, "end state");
    assert!(trace.steps.iter().any(|step| step.printed == "30"));
    assert_eq!(run(5).0, trace);
    assert_ne!(run(6).0, trace);
}

#[test]
fn names_are_printed_from_the_set_of_the_type() {
    let text = "mtype = { a, b }; mtype:fruit = { apple, pear };\n\
                typedef T { mtype:fruit f; mtype m }; T t; mtype:fruit basket[2]; byte n;\n\
                active proctype P() {\n  mtype:fruit l = apple;\n  t.f = pear; t.m = a; basket[1] = apple; n = 2;\n  \
                printf(\"%e %e %e %e %e\", t.f, t.m, basket[1], l, pear); printm(t.f);\n  \
                printf(\"%e %e %e\", (n -> t.f : l), n, n + 5)\n}\n";
    let mut session = Session::new(Timeless);
    let experiment = experiment(text);
    session.submit(Request::Simulate { job: 1, experiment, seed: 1, steps: 50 });
    let Some(Event::Simulated { trace, .. }) = session.advance(1.0).pop() else { panic!() };
    let printed: Vec<&str> =
        trace.steps.iter().map(|s| s.printed.as_str()).filter(|text| !text.is_empty()).collect();
    assert_eq!(printed, ["pear a apple apple pear", "pear", "pear a 7"]);
}

#[test]
fn summaries_list_what_a_text_defines() {
    let text = "#define N 2\nmtype = { a, b };\ntypedef T { byte f };\nT t; byte x;\nchan q = [1] of { byte };\n\
                inline step(v) { v++ }\nactive [N] proctype P() { step(x) }\ninit { skip }\n\
                ltl always_small { [] (x < 3) }\nnever { do :: true od }\n";
    let (diagnostics, summary) = parse(&experiment(text));
    assert!(
        !diagnostics.iter().any(|d| d.level == promenade_protocol::Level::Error),
        "{diagnostics:?}"
    );
    let kinds: Vec<(&str, &str)> =
        summary.symbols.iter().map(|s| (s.kind.as_str(), s.name.as_str())).collect();
    let expected = [
        ("mtype", "mtype"),
        ("typedef", "T"),
        ("global", "t"),
        ("global", "x"),
        ("channel", "q"),
        ("inline", "step"),
        ("proctype", "P"),
        ("proctype", "init"),
        ("ltl", "always_small"),
        ("never", "never"),
    ];
    assert_eq!(kinds, expected);
    assert_eq!(summary.initial_processes, 3);
    let decidable: Vec<bool> = summary.properties.iter().map(|p| p.property.is_some()).collect();
    assert_eq!(decidable, [true, true, true]);
    let formulas: Vec<&str> =
        summary.properties.iter().filter_map(|p| p.formula.as_deref()).collect();
    assert_eq!(formulas, ["[] (x < 3)"]);
}

#[test]
fn a_graph_is_drawn_and_can_be_cancelled() {
    let mut session = Session::new(Timeless);
    session.submit(Request::Graph { job: 1, experiment: experiment(WRONG), limit: 500 });
    match session.advance(1.0).as_slice() {
        [Event::Graph { job: 1, graph }] => {
            assert!(graph.counted && graph.partial.is_none() && graph.reduction.complete);
            assert_eq!(graph.nodes.len() as u64, graph.states);
        }
        other => panic!("{other:?}"),
    }
    let wrong = experiment("active proctype P() { x = 1 }");
    session.submit(Request::Graph { job: 2, experiment: wrong, limit: 500 });
    match session.advance(1.0).as_slice() {
        [Event::Graph { job: 2, graph }] => assert!(!graph.diagnostics.is_empty()),
        other => panic!("{other:?}"),
    }
    // Cancelled before it began, and under way.
    session.submit(Request::Graph { job: 3, experiment: experiment(BIG), limit: 500 });
    session.submit(Request::Cancel { job: 3 });
    match session.take_events().as_slice() {
        [Event::Graph { job: 3, graph }] => assert!(graph.partial.is_some()),
        other => panic!("{other:?}"),
    }
    let mut session = Session::new(Hand::default());
    session.submit(Request::Graph { job: 4, experiment: experiment(BIG), limit: 500 });
    assert!(session.advance(0.001).is_empty());
    session.submit(Request::Cancel { job: 4 });
    match session.advance(100.0).as_slice() {
        [Event::Graph { job: 4, graph }] => {
            assert_eq!(graph.partial.as_deref(), Some("It was cancelled."));
        }
        other => panic!("{other:?}"),
    }
}

/// States of 800 KB.
const LARGE: &str =
    "int a[200000], i;\nactive proctype P() { do :: a[i] = i; i = (i + 1) % 200000 od }\n";

#[test]
fn large_states_do_not_make_slices_long() {
    // Time passes only when the clock is looked at: 5 ms each time.
    let settings = Settings { time_limit_seconds: Some(1), ..Settings::default() };
    let report = run(Experiment { settings, ..experiment(LARGE) }, Hand::default(), |_, _| {});
    assert_eq!(report.verdict, Verdict::NoViolationFound { why: StoppedBy::Time });
    assert!(report.statistics.states_stored < 1000, "{:?}", report.statistics);

    let requests: [fn() -> Request; 3] = [
        || Request::Replay {
            job: 1,
            experiment: experiment(LARGE),
            choices: vec![0; 900_000],
            checksum: 0,
            stem: None,
        },
        || Request::Simulate { job: 1, experiment: experiment(LARGE), seed: 1, steps: 900_000 },
        || Request::Graph { job: 1, experiment: experiment(LARGE), limit: 500 },
    ];
    for (number, request) in requests.into_iter().enumerate() {
        let clock = Hand::default();
        let mut session = Session::new(clock.clone());
        session.submit(request());
        let mut told = 0;
        for _ in 0..12 {
            let events = session.advance(0.05);
            told += events.iter().filter(|e| matches!(e, Event::Progress { .. })).count();
        }
        assert!(told > 0 || session.is_idle(), "{number}: no progress");
        session.submit(Request::Cancel { job: 1 });
        session.advance(0.05);
        assert!(session.is_idle(), "{number}: not cancelled");
    }
}

#[test]
fn a_replay_ends_by_its_work() {
    // Each choice is a long way inside an atomic sequence.
    let text = "int x; active proctype P() { do :: atomic { x = 0; do :: x < 9000 -> x++ :: else -> break od } od }";
    let mut session = Session::new(Timeless);
    let choices = vec![0; 900_000];
    let experiment = experiment(text);
    session.submit(Request::Replay { job: 1, experiment, choices, checksum: 0, stem: None });
    match session.advance(1.0).as_slice() {
        [Event::Replayed { mismatch: Some(why), .. }] => {
            assert!(why.contains("it takes too long to execute"), "{why}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_time_limit_counts_reading() {
    // Reading takes as long as the clock says between two looks.
    struct Slow(Cell<f64>);
    impl Clock for Slow {
        fn seconds(&self) -> f64 {
            self.0.set(self.0.get() + 2.0);
            self.0.get()
        }
    }
    let settings = Settings { time_limit_seconds: Some(1), ..Settings::default() };
    let report = run(Experiment { settings, ..experiment(BIG) }, Slow(Cell::new(0.0)), |_, _| {});
    assert_eq!(report.verdict, Verdict::NoViolationFound { why: StoppedBy::Time });
    assert_eq!(report.statistics.transitions, 0, "{:?}", report.statistics);
}
