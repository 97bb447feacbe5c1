//! Small models with known counts: what reductions must find, and how little they may need.

mod support;

use promenade_analysis::Facts;
use promenade_interp::{Interpreter, RunOptions};
use promenade_reduction::{CycleProviso, Goal, Preserve, Reason, Selector};
use promenade_transition_system::{Successors, TransitionSystem, ViolationKind};
use support::{Found, Order, Run};

const ORDERS: [Order; 2] = [Order::DepthFirst, Order::BreadthFirst];

fn full(text: &str) -> Found {
    Run::full(&support::model(text).unwrap()).search()
}

fn reduced(text: &str, order: Order) -> Found {
    Run::reduced(&support::model(text).unwrap(), Preserve::Safety, order).search()
}

/// States of the full search, and of both reduced ones; verdicts agree.
fn states(text: &str) -> [usize; 3] {
    let full = full(text);
    let [depth, breadth] = ORDERS.map(|order| reduced(text, order));
    for found in [&depth, &breadth] {
        assert_eq!((&found.kinds, &found.blocked), (&full.kinds, &full.blocked), "{text}");
    }
    [full.states, depth.states, breadth.states]
}

/// Why processes do not suffice in the initial state.
fn reasons(text: &str) -> Vec<Option<Reason>> {
    let model = support::model(text).unwrap();
    let mut system = Interpreter::new(model.clone(), RunOptions::default());
    let mut out = Successors::new(false);
    system.initial(&mut out);
    let state = out.target(0).unwrap().to_vec();
    Selector::new(model, &Goal::new(Preserve::Safety)).explain(&system, &state)
}

fn sentence(text: &str, pid: usize) -> String {
    let model = support::model(text).unwrap();
    let facts = Facts::of(&model);
    reasons(text)[pid].map_or_else(String::new, |reason| reason.text(&model, &facts))
}

#[test]
fn lines_become_one_path() {
    let line = "active [3] proctype P() { byte x; x = 1; x = 2 }";
    // 27 interleavings of two steps each; deaths from the youngest on.
    assert_eq!(states(line)[1..], [10, 10]);
    assert!(full(line).states > 27);
}

#[test]
fn diamonds_are_cut_down() {
    let mut p = String::from("byte g; active proctype P() { byte a;");
    (0..10).for_each(|_| p.push_str("if :: a = 1 :: a = 2 fi; a = 0;"));
    p.push_str("} active proctype Q() {");
    (0..10).for_each(|_| p.push_str("g++;"));
    p.push('}');
    assert_eq!(states(&p), [31 * 12 + 1, 43, 43]);
}

#[test]
fn cycles_of_counters_are_kept() {
    for (n, m, all) in [(2, 3, 9), (3, 4, 64), (2, 10, 100)] {
        let text = format!("active [{n}] proctype P() {{ byte c; do :: c = (c + 1) % {m} od }}");
        assert_eq!(states(&text), [all; 3]);
        let model = support::model(&text).unwrap();
        let run = Run::reduced(&model, Preserve::Safety, Order::DepthFirst);
        assert_eq!(Run { proviso: Some(CycleProviso::Nothing), ..run }.search().states, m);
    }
}

#[test]
fn nobody_is_ignored() {
    let text = "active proctype Q() { assert(false) }
        active proctype P() { byte a; do :: a = 1; a = 0 od }";
    for order in ORDERS {
        assert!(reduced(text, order).kinds.contains(&ViolationKind::Assertion));
        let model = support::model(text).unwrap();
        let run = Run::reduced(&model, Preserve::Safety, order);
        let none = Run { proviso: Some(CycleProviso::Nothing), ..run }.search();
        assert_eq!((none.states, none.kinds.len()), (2, 0));
    }
}

/// The rule that looks at enabled statements only takes `x = 1` alone here.
#[test]
fn disabled_alternatives_count() {
    let text = "byte g = 0;
        active proctype P() { byte x; if :: x = 1 :: (g == 1) -> assert(false) fi }
        active proctype Q() { g = 1 }";
    states(text);
    assert!(reduced(text, Order::DepthFirst).kinds.contains(&ViolationKind::Assertion));
    assert!(matches!(reasons(text)[0], Some(Reason::Variable { by: 1, .. })));
    assert_eq!(sentence(text, 0), "`(g == 1)` uses the global `g`, as process 1 may");
}

#[test]
fn rendezvous_that_decide_an_escape() {
    let escape = "active proctype B() { { assert(false) } unless { c!1 } }";
    for (a, violated) in [
        ("skip; c?1", true),
        ("c?1", false),
        ("bit x; do :: x = 1 - x :: c?1 od", false),
        ("bit x; L: if :: x = 1 - x -> goto L :: c?1 fi", true),
        ("bit x; L: x = 1 - x; if :: goto L :: c?1 fi", true),
    ] {
        let text = format!("chan c = [0] of {{ bit }}; active proctype A() {{ {a} }} {escape}");
        let all = full(&text).kinds.contains(&ViolationKind::Assertion);
        states(&text);
        if a.starts_with("skip") || a.starts_with("c?") {
            assert_eq!(all, violated, "{a}");
        }
    }
    // Where nothing depends on it, a step to a rendezvous stays free.
    let plain = "chan c = [0] of { bit }; active proctype A() { skip; c?1 }
        active proctype B() { skip; c!1 }";
    assert_eq!(reasons(plain), [None, None]);
    // A rendezvous beside `else`, and one that an atomic sequence may have to wait for.
    states(
        "chan c = [0] of { bit }; active proctype A() { skip; c?1 }
        active proctype B() { if :: c!1 :: else -> assert(false) fi }",
    );
    states(
        "byte g; chan c = [0] of { bit }; active proctype A() { skip; c?1 }
        active proctype B() { atomic { g = 1; c!1; g = 0 } }
        active proctype C() { assert(g == 0) }",
    );
}

#[test]
fn pids_depend_on_deaths() {
    let text = "proctype C() { assert(_pid == 2) } proctype D() { skip } 
        init { run D(); run C() }";
    let all = full(text).kinds;
    assert!(all.contains(&ViolationKind::Assertion));
    states(text);
}

#[test]
fn channels_with_one_user_on_each_side() {
    let pipe = "chan q = [2] of { byte };
        active proctype A() { byte i; do :: i < 6 -> q!i; i++ :: else -> break od }
        active proctype B() { byte x; do :: q?x :: x == 5 -> break od }";
    let [full, depth, breadth] = states(pipe);
    assert!(depth * 2 < full && breadth * 2 < full, "{full} {depth} {breadth}");
    // The receiver's `else` sees every send.
    let seen = "chan q = [1] of { byte };
        active proctype A() { q!1 }
        active proctype B() { if :: q?1 :: else -> assert(false) fi }";
    states(seen);
    assert!(matches!(reasons(seen)[0], Some(Reason::Channel { channel: 1, by: 1, .. })));
    assert!(matches!(reasons(seen)[1], Some(Reason::Empty { channel: 1, by: 0, .. })));
    // An atomic sequence waits for a message in the middle, where others see it, or not.
    for (first, waits) in [("g = 1", true), ("x = 1", false)] {
        let text = format!(
            "byte g; chan q = [1] of {{ byte }};
            active proctype R() {{ assert(g == 0) }}
            active proctype B() {{ byte x; atomic {{ {first}; q?x; g = 0 }} }}
            active proctype A() {{ q!1 }}"
        );
        states(&text);
        assert_eq!(reasons(&text)[2].is_some(), waits, "{first}");
    }
    // Two receivers.
    let two = "chan q = [1] of { byte }; active proctype A() { q!1; q!2 }
        active [2] proctype B() { byte x; q?x; assert(x != 2) }";
    states(two);
}

/// A ring: every process has its own two channels, given as arguments.
#[test]
fn channels_given_as_arguments() {
    let text = "chan q[3] = [2] of { byte };
        proctype N(chan in, out; byte me) { byte x; out!me;
          do :: in?x -> if :: x > me -> out!x :: x == me -> break :: else fi
             :: timeout -> break od }
        init { atomic { run N(q[0], q[1], 1); run N(q[1], q[2], 2); run N(q[2], q[0], 3) } }";
    let [full, depth, _] = states(text);
    assert!(depth < full, "{depth} of {full}");
    // Messages that carry channels.
    let sent = "chan a = [1] of { chan }; chan b = [1] of { byte }; chan d = [1] of { byte };
        active proctype S() { a!b; b!1; d!1 }
        active proctype T() { chan c; byte x; a?c; c?x; assert(false) }
        active proctype U() { byte y; b?y; d?y }";
    states(sent);
}

#[test]
fn remote_references_and_counts() {
    states(
        "active proctype A() { byte x; x = 1; L: x = 2; x = 3 }
        active proctype B() { if :: A@L -> assert(false) :: skip fi }",
    );
    states(
        "active proctype A() { byte x; x = 1; x = 0 }
        active proctype B() { assert(A:x == 0) }",
    );
    states(
        "active proctype A() { skip } active proctype B() { assert(_nr_pr == 2) }
        active proctype C() { skip }",
    );
}

/// A goal that sees what the first claim of the model sees.
fn goal_of_claim(model: &promenade_ir::Model, preserve: Preserve) -> Goal {
    let facts = Facts::of(model);
    let mut observed = facts.nothing_observed(model);
    facts.observe_claim(&mut observed, &model.claims[0]);
    Goal { observed: Some(observed), ..Goal::new(preserve) }
}

/// The claim sees the process in the middle of an atomic sequence, where it waits after local work.
#[test]
fn claims_see_where_atomic_sequences_wait() {
    let text = "chan q = [1] of { byte };
        active proctype Q() { byte x; atomic { x = 1; M: q?x } }
        active proctype P() { q!1 }
        never { do :: Q@M -> break :: else od }";
    let model = support::model(text).unwrap();
    let options = RunOptions { claim: Some(0), ..RunOptions::default() };
    for goal in [None, Some(goal_of_claim(&model, Preserve::Safety))] {
        for order in ORDERS {
            let run = Run { options: options.clone(), order, ..Run::full(&model) };
            let found = Run { goal: goal.clone(), ..run }.search();
            assert!(found.kinds.contains(&ViolationKind::ClaimCompleted), "{order:?}");
        }
    }
}

#[test]
fn liveness_needs_all_successors_open() {
    let text = "bool x, y;
        active proctype P() { byte l; do :: l = 0 :: break od; y = 1 }
        active proctype Q() { x = 1 }
        never { T: do :: true :: x && !y -> goto accept_S od; accept_S: do :: !y od }";
    let model = support::model(text).unwrap();
    let options = RunOptions { claim: Some(0), acceptance: true, ..RunOptions::default() };
    let condition = Interpreter::new(model.clone(), options.clone()).acceptance();
    let goal = goal_of_claim(&model, Preserve::Liveness);
    for order in ORDERS {
        let run = Run { options: options.clone(), order, ..Run::full(&model) };
        assert!(run.search().accepts(condition));
        let run = Run { options: options.clone(), order, ..Run::full(&model) };
        assert!(Run { goal: Some(goal.clone()), ..run }.search().accepts(condition));
    }
}

/// A false guard over locals keeps a statement away, however much it shares behind it.
#[test]
fn guards_that_only_the_process_can_open() {
    let text = "byte g;
        active proctype P() { byte x, y; x = 0;
          do :: x < 5 -> x++; y = 0; y = 1 :: x == 5 && g < 9 -> g = g + x; x = 6 :: x == 6 -> break od }
        active proctype Q() { byte i; do :: i < 5 -> g++; i++ :: else -> break od }";
    let [full, depth, breadth] = states(text);
    assert!(depth * 2 < full && breadth * 2 < full, "{full} {depth} {breadth}");
}

/// A search through the channel may find what is sent later.
#[test]
fn random_receives_wait_for_what_comes() {
    let text = "chan q = [2] of { byte };
        active proctype A() { q!0; q!1 }
        active proctype B() { byte x; nempty(q); if :: q??1 -> assert(false) :: x = 1 fi }";
    states(text);
    assert!(full(text).kinds.contains(&ViolationKind::Assertion));
}

/// That there is one message says nothing about the second receive.
#[test]
fn later_steps_of_an_atomic_sequence_see_more() {
    let text = "chan q = [2] of { byte };
        active proctype A() { q!1; q!1 }
        active proctype B() { byte x, y;
          atomic { q?x; if :: q?x -> y = 1 :: else fi }; assert(y == 0) }";
    states(text);
    assert!(full(text).kinds.contains(&ViolationKind::Assertion));
}

/// The order of events on different channels is what a trace assertion is about.
#[test]
fn traced_events_keep_their_order() {
    let text =
        "chan q = [1] of { byte }; chan r = [1] of { byte }; byte g; chan s = [2] of { byte };
        active proctype R() { r!1 } active proctype P() { q!1 }
        active proctype A() { s!1; s!2 } active proctype B() { byte x; s?x; s?x }
        trace { q!1; r!1 }";
    let [full, depth, _] = states(text);
    assert!(self::full(text).kinds.contains(&ViolationKind::TraceMismatch));
    assert!(depth < full);
    assert!(matches!(
        reasons(text)[..],
        [Some(Reason::Traced(_)), Some(Reason::Traced(_)), None, _]
    ));
}

/// Accept labels of processes: the atomic sequence may wait at one.
#[test]
fn accept_labels_within_atomic_sequences() {
    let text = "chan q = [1] of { byte };
        active proctype R() { do :: skip od }
        active proctype Q() { byte x; atomic { x = 1; accept_M: q?x } }
        active proctype P() { q!1; q!1 }
        active proctype S() { byte x; q?x; x = 2 }";
    let model = support::model(text).unwrap();
    let options = RunOptions { acceptance: true, ..RunOptions::default() };
    let condition = Interpreter::new(model.clone(), options.clone()).acceptance();
    for goal in [None, Some(Goal::new(Preserve::Liveness))] {
        for order in ORDERS {
            let run = Run { options: options.clone(), order, ..Run::full(&model) };
            assert!(Run { goal: goal.clone(), ..run }.search().accepts(condition), "{order:?}");
        }
    }
}

/// A guard that goes wrong does so whatever stands behind it.
#[test]
fn guards_that_go_wrong() {
    let text = "byte g;
        active proctype Q() { g = 5 }
        active proctype P() { byte x, t[2]; if :: (t[g] == 1 && x == 1) -> skip :: x = 0 fi }";
    states(text);
    assert!(full(text).kinds.contains(&ViolationKind::IndexOutOfBounds));
}

/// An atomic loop takes what is there, also what comes after the first message.
#[test]
fn the_same_receive_again_within_an_atomic_sequence() {
    let text = "chan q = [2] of { byte };
        active proctype A() { q!1; q!1; q!1 }
        active proctype B() { byte x, n; atomic { do :: q?x -> n++ :: n == 2 -> break od } }";
    states(text);
    assert!(full(text).kinds.contains(&ViolationKind::InvalidEndState));
}

/// A loop within an atomic sequence takes more than one message.
#[test]
fn receives_within_an_atomic_loop() {
    states("byte g; chan q = [2] of { byte };
        active proctype A() { q!1; g = 1; q!1; g = 0 }
        active proctype B() { byte x; atomic { do :: q?x :: x > 0 && empty(q) -> break od; assert(g == 0) } }");
}

/// Whole models that are left alone say why.
#[test]
fn where_nothing_is_reduced() {
    for (text, reason) in [
        ("active proctype P() { skip } active proctype Q() { enabled(0) }", Reason::Enabled),
        ("active proctype P() { skip } active proctype Q() { (_last == 0) }", Reason::Last),
        ("active proctype P() priority 3 { skip }", Reason::Priorities),
    ] {
        let model = support::model(text).unwrap();
        let selector = Selector::new(model.clone(), &Goal::new(Preserve::Safety));
        assert_eq!(selector.nowhere(), Some(reason), "{text}");
        assert!(!reason.text(&model, selector.facts()).is_empty());
    }
    let text =
        "active proctype P() { timeout } active proctype Q() { run R() } proctype R() { skip }";
    assert!(matches!(reasons(text)[..], [Some(Reason::Timeout(_)), Some(Reason::Creates(_))]));
}
