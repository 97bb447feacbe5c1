//! Rarer features on models built by hand, with SPIN's counts for the same text.

mod support;

use promenade_base::{CancelToken, Interrupt};
use promenade_interp::{Component, Interpreter, RunOptions};
use promenade_ir::*;
use promenade_transition_system::{Item, Selection, Successors, TransitionSystem, ViolationKind};
use std::cell::Cell;
use std::rc::Rc;
use support::*;

fn assert_that(e: Expr) -> Action {
    Action::Assert(e)
}

fn add_one(place: Place) -> Action {
    set(place.clone(), binary(BinaryOp::Add, Expr::Load(place), number(1)))
}

#[test]
fn provided_holds_back_even_the_end() {
    let mut b = Builder::globals(2)
        .active(vec![vec![edge(add_one(byte(1)), 1)], vec![edge(set(byte(0), number(1)), 2)]])
        .active(vec![
            vec![edge(add_one(byte(1)), 1)],
            vec![edge(assert_that(equal(byte(1), 2)), 2)],
        ]);
    b.model.proctypes[0].provided = Some(equal(byte(0), 0));
    b.model.proctypes[1].provided = Some(equal(byte(0), 1));
    assert_eq!(b.numbers(), (6, 0, 0));
}

#[test]
fn two_choices_of_a_deterministic_process() {
    let mut b = Builder::globals(1)
        .active(vec![vec![edge(set(byte(0), number(1)), 1), edge(set(byte(0), number(2)), 1)]]);
    b.model.proctypes[0].deterministic = true;
    assert_eq!(b.kinds(), [ViolationKind::Nondeterminism]);
}

#[test]
fn priorities() {
    let mut b =
        Builder::globals(1).active(vec![vec![edge(set(byte(0), number(1)), 1)]]).active(vec![
            vec![edge(set(byte(0), number(2)), 1)],
            vec![edge(set(byte(0), number(3)), 2)],
        ]);
    b.model.uses_priorities = true;
    b.model.proctypes[1].priority = 5;
    assert_eq!(b.numbers(), (6, 0, 0));
    // An old one of high priority that has ended does not hold back the rest.
    let mut b = Builder::globals(1)
        .active(vec![vec![edge(set(byte(0), number(1)), 1)]])
        .active(vec![vec![edge(set(byte(0), number(2)), 1)]]);
    b.model.uses_priorities = true;
    b.model.proctypes[0].priority = 9;
    assert_eq!(b.numbers(), (5, 0, 0));
}

#[test]
fn full_buffers_can_lose_messages() {
    let build = |lose| {
        let mut b = Builder::default().channel(1, &[ScalarType::Byte]).active(vec![
            vec![edge(send(channel(1), &[1]), 1)],
            vec![edge(send(channel(1), &[2]), 2)],
            vec![edge(receive(channel(1), vec![Pattern::Match(number(1))]), 3)],
            vec![edge(assert_that(Expr::ChannelTest(ChannelTest::Empty, Box::new(channel(1)))), 4)],
        ]);
        b.model.options.lose_messages = lose;
        b.numbers()
    };
    assert_eq!(build(true), (6, 0, 0));
    assert_eq!(build(false), (2, 0, 1));
}

#[test]
fn sorted_sends_and_random_receives() {
    let fields = [ScalarType::Byte, ScalarType::Byte];
    let sorted = |a: i32, b: i32| Action::Send {
        channel: channel(1),
        sorted: true,
        arguments: vec![number(a), number(b)],
    };
    let take = |a: i32, b: i32| {
        receive(channel(1), vec![Pattern::Match(number(a)), Pattern::Match(number(b))])
    };
    let model = Builder::default().channel(4, &fields).active(vec![
        vec![edge(sorted(2, 1), 1)],
        vec![edge(sorted(1, 5), 2)],
        vec![edge(sorted(2, 0), 3)],
        vec![edge(sorted(1, 5), 4)],
        vec![edge(take(1, 5), 5)],
        vec![edge(take(1, 5), 6)],
        vec![edge(take(2, 0), 7)],
        vec![edge(take(2, 1), 8)],
    ]);
    assert_eq!(model.numbers(), (10, 0, 0));
    let random = |a: i32| Action::Receive {
        channel: channel(1),
        random: true,
        keep: false,
        patterns: vec![Pattern::Match(number(a)), Pattern::Store(byte(0))],
    };
    let model = Builder::globals(1).channel(3, &fields).active(vec![
        vec![edge(send(channel(1), &[1, 1]), 1)],
        vec![edge(send(channel(1), &[2, 2]), 2)],
        vec![edge(send(channel(1), &[2, 3]), 3)],
        vec![edge(random(2), 4)],
        vec![edge(assert_that(equal(byte(0), 2)), 5)],
        vec![edge(random(2), 6)],
        vec![edge(assert_that(equal(byte(0), 3)), 7)],
        vec![edge(random(1), 8)],
        vec![edge(assert_that(equal(byte(0), 1)), 9)],
    ]);
    assert_eq!(model.numbers(), (11, 0, 0));
}

#[test]
fn channels_live_and_die_with_their_process() {
    // q is [1] of { chan }; the second process sends its own channel and dies.
    let mut b = Builder::globals(0)
        .channel(1, &[ScalarType::Chan])
        .active(vec![
            vec![edge(
                receive(
                    channel(1),
                    vec![Pattern::Store(Place { ty: ScalarType::Chan, ..local(0) })],
                ),
                1,
            )],
            vec![edge(when(binary(BinaryOp::Equal, Expr::NrPr, number(1))), 2)],
            vec![edge(
                Action::Send {
                    channel: Expr::Load(Place { ty: ScalarType::Chan, ..local(0) }),
                    sorted: false,
                    arguments: vec![number(7)],
                },
                3,
            )],
        ])
        .active(vec![vec![edge(
            Action::Send {
                channel: channel(1),
                sorted: false,
                arguments: vec![Expr::Load(Place { ty: ScalarType::Chan, ..local(0) })],
            },
            1,
        )]]);
    let ty = ChannelTypeId(b.model.channel_types.len() as u16);
    b.model.channel_types.push(ChannelType { capacity: 1, fields: vec![ScalarType::Byte] });
    let owner = &mut b.model.proctypes[1];
    owner.channels.push(Channel { ty, name: "l".to_owned() });
    let place = Place { ty: ScalarType::Chan, ..local(0) };
    owner.initializers.push(Initializer::Channel { place, channel: 0 });
    let counts = count(&Rc::new(b.model), RunOptions::default());
    assert_eq!((counts.stored, counts.matched), (5, 0));
    assert_eq!(counts.kinds, [ViolationKind::ClosedChannel]);
}

#[test]
fn last_mover_is_part_of_the_state() {
    let build = |uses_last: bool| {
        let last = if uses_last { Expr::Last } else { number(0) };
        let mut b = Builder::globals(1)
            .active(vec![
                vec![edge(set(byte(0), number(1)), 1)],
                vec![edge(set(byte(0), number(2)), 2)],
            ])
            .active(vec![
                vec![edge(set(byte(0), number(3)), 1)],
                vec![edge(assert_that(binary(BinaryOp::LessEqual, last, number(1))), 2)],
            ]);
        b.model.uses_last = uses_last;
        b.numbers()
    };
    assert_eq!(build(true), (24, 8, 0));
}

fn traced(negated: bool, first: i32, second: i32) -> Builder {
    let patterns = |v: i32| vec![Pattern::Match(number(v))];
    let mut b = Builder::default()
        .channel(1, &[ScalarType::Byte])
        .active(vec![
            vec![edge(send(channel(1), &[first]), 1)],
            vec![edge(send(channel(1), &[second]), 2)],
        ])
        .active(vec![
            vec![edge(receive(channel(1), patterns(first)), 1)],
            vec![edge(receive(channel(1), patterns(second)), 2)],
        ]);
    let process = b.proctype(vec![vec![edge(Action::Skip, 1)], vec![edge(Action::Skip, 2)]], 0);
    let event = |v: i32| TraceEvent { channel: channel(1), send: true, patterns: patterns(v) };
    let id = |location: usize| process.graph.locations[location].edges[0].id;
    let events = vec![(id(0), event(1)), (id(1), event(2))];
    b.model.trace = Some(TraceAssertion { negated, process, events });
    b
}

#[test]
fn trace_and_notrace() {
    assert_eq!(traced(false, 1, 2).kinds(), []);
    assert_eq!(traced(false, 2, 1).kinds()[0], ViolationKind::TraceMismatch);
    assert_eq!(traced(true, 1, 2).kinds(), [ViolationKind::TraceCompleted]);
    assert_eq!(traced(true, 2, 1).kinds(), []);
    assert_eq!(traced(true, 1, 2).numbers(), (7, 0, 1));
}

#[test]
fn enabled_of_oneself_is_fatal() {
    let model = Builder::default()
        .active(vec![vec![edge(assert_that(Expr::Enabled(Box::new(Expr::Pid))), 1)]]);
    assert_eq!(model.kinds(), [ViolationKind::EnabledSelf]);
}

#[test]
fn hidden_variables_travel_along() {
    let hidden = Place { region: Region::Hidden, ..byte(0) };
    let mut b = Builder::globals(1).active(vec![
        vec![edge(add_one(hidden.clone()), 1)],
        vec![edge(assert_that(equal(hidden, 1)), 2)],
    ]);
    b.model.hidden_bytes = 1;
    assert_eq!(b.numbers(), (4, 0, 0));
}

#[test]
fn claims_complete_and_get_stuck() {
    let system = || {
        Builder::globals(1).active(vec![
            vec![edge(set(byte(0), number(1)), 1)],
            vec![edge(set(byte(0), number(2)), 2)],
        ])
    };
    let run = |mut b: Builder, claim: Vec<Vec<EdgeSpec>>| {
        let process = b.proctype(claim, 0);
        b.model.claims.push(Claim { process, name: None, acceptance: None, labels: None });
        count(&Rc::new(b.model), RunOptions { claim: Some(0), ..RunOptions::default() })
    };
    let not_two = binary(BinaryOp::NotEqual, Expr::Load(byte(0)), number(2));
    let counts =
        run(system(), vec![vec![edge(when(not_two), 0), edge(when(equal(byte(0), 2)), 1)]]);
    assert_eq!((counts.stored, counts.matched), (4, 0));
    assert_eq!(counts.kinds[0], ViolationKind::ClaimCompleted);
    let less = binary(BinaryOp::Less, Expr::Load(byte(0)), number(2));
    let counts = run(system(), vec![vec![edge(when(less), 0)]]);
    assert_eq!((counts.stored, counts.matched, counts.errors), (3, 0, 0));
}

#[test]
fn cancelled_inside_a_huge_expansion() {
    // atomic { x++ } for ever over four bytes: more states than anyone waits for.
    let step = |b: u32| edge(add_one(byte(b)), 0).atomic();
    let model = Builder::globals(4).active(vec![vec![step(0), step(1), step(2), step(3)]]);
    let cancel = CancelToken::default();
    cancel.cancel();
    let options = RunOptions { cancel: Some(cancel), ..RunOptions::default() };
    let mut system = Interpreter::new(Rc::new(model.model), options);
    let mut out = Successors::new(false);
    system.initial(&mut out);
    let initial = out.bytes.clone();
    system.expand(&initial, Selection::All, &mut out);
    assert!(out.items.is_empty() && out.blocked.is_none() && out.incomplete);
}

/// The first expansion of a counter that goes up in an atomic sequence, with an assertion that fails
/// at 3.
fn counter(options: RunOptions, out: &mut Successors) {
    let mut b = Builder::globals(4);
    let x = Place { ty: ScalarType::Int, ..byte(0) };
    b.model.globals.truncate(1);
    b.model.globals[0].ty = ScalarType::Int;
    let model = b.active(vec![
        vec![edge(add_one(x.clone()), 1).atomic()],
        vec![edge(assert_that(binary(BinaryOp::NotEqual, Expr::Load(x), number(3))), 0).atomic()],
    ]);
    let mut system = Interpreter::new(Rc::new(model.model), options);
    let mut initial = Successors::new(false);
    system.initial(&mut initial);
    system.expand(&initial.bytes, Selection::All, out);
}

#[test]
fn a_sequence_that_is_too_long_is_no_violation() {
    for bytes in [20_000, 1 << 20, usize::MAX] {
        let mut out = Successors::new(false);
        counter(RunOptions { expansion_bytes: bytes, ..RunOptions::default() }, &mut out);
        let [Item::Violation { violation, .. }] = out.items.as_slice() else {
            panic!("{bytes}: {:?}", out.items)
        };
        assert_eq!(violation.kind, ViolationKind::Assertion);
        assert!(out.incomplete && out.blocked.is_none());
        // Only that item, with its steps.
        let mut only = Successors::new(true);
        only.wanted = Some(0);
        counter(RunOptions { expansion_bytes: bytes, ..RunOptions::default() }, &mut only);
        assert_eq!((only.items.len(), only.steps.len(), only.incomplete), (1, 6, false));
    }
}

#[test]
fn an_interrupt_is_asked_within_an_expansion() {
    let asked = Rc::new(Cell::new(0));
    let also = asked.clone();
    let interrupt = Interrupt::new(move || {
        also.set(also.get() + 1);
        also.get() > 10
    });
    let mut out = Successors::new(false);
    counter(RunOptions { interrupt: Some(interrupt), ..RunOptions::default() }, &mut out);
    assert!(out.incomplete);
    assert_eq!(asked.get(), 11);
}

#[test]
fn one_wanted_item_is_the_same_as_among_all() {
    // atomic { x++ or y++; x++ or y++ }: four ways.
    let model = || {
        let ways = |to, then: bool| {
            (0..2)
                .map(|n| {
                    if then {
                        edge(add_one(byte(n)), to).atomic()
                    } else {
                        edge(add_one(byte(n)), to)
                    }
                })
                .collect::<Vec<_>>()
        };
        Builder::globals(2).active(vec![ways(1, true), ways(2, false)])
    };
    let expand = |wanted| {
        let mut system = Interpreter::new(Rc::new(model().model), RunOptions::default());
        let mut initial = Successors::new(false);
        system.initial(&mut initial);
        let mut out = Successors::new(true);
        out.wanted = wanted;
        system.expand(&initial.bytes, Selection::All, &mut out);
        out
    };
    let all = expand(None);
    assert_eq!((all.items.len(), all.steps.len()), (4, 8));
    for choice in 0..4 {
        let one = expand(Some(choice));
        assert_eq!((one.items.len(), one.steps.len()), (choice as usize + 1, 2));
        assert_eq!(one.target(choice as usize), all.target(choice as usize));
        for step in 0..2 {
            let there = &all.steps[choice as usize * 2 + step];
            assert_eq!(one.steps[step].edge, there.edge);
            assert_eq!(one.slice(one.steps[step].state), all.slice(there.state));
        }
    }
}

#[test]
fn violations_are_recorded_with_their_step() {
    let model = Builder::globals(1).active(vec![
        vec![edge(add_one(byte(0)), 1).atomic()],
        vec![edge(assert_that(equal(byte(0), 0)), 2)],
    ]);
    let mut system = Interpreter::new(Rc::new(model.model), RunOptions::default());
    let mut out = Successors::new(true);
    system.initial(&mut out);
    let initial = out.bytes.clone();
    system.expand(&initial, Selection::All, &mut out);
    let [Item::Violation { violation, moves, steps }, Item::Target { steps: then, .. }] =
        out.items.as_slice()
    else {
        panic!("a violation and a target: {:?}", out.items)
    };
    assert_eq!((violation.kind, *moves), (ViolationKind::Assertion, 2));
    assert_eq!((steps.1 - steps.0, then.1 - then.0), (2, 2));
    assert!(!out.steps[0].atomic && out.steps[1].atomic);
    let faulty = &out.steps[steps.1 as usize - 1];
    assert_eq!(system.decode(out.slice(faulty.state)).globals[0].value, "1");
    assert_eq!(system.executed(), [true, true, false]);
}

#[test]
fn layout_and_view_agree() {
    let model = Builder::globals(2)
        .channel(2, &[ScalarType::Byte])
        .active(vec![vec![edge(send(channel(1), &[4]), 1)]]);
    let mut system = Interpreter::new(Rc::new(model.model), RunOptions::default());
    let mut out = Successors::new(false);
    system.initial(&mut out);
    let initial = out.bytes.clone();
    system.expand(&initial, Selection::All, &mut out);
    let state = out.target(0).expect("a successor");
    let view = system.decode(state);
    assert_eq!(view.channels[0].messages, [["4"]]);
    let layout = system.layout();
    let q = layout.iter().find(|e| e.component == Component::Channel).expect("the channel");
    assert_eq!((q.name.as_str(), q.offset, q.bytes), ("q0", 3, 3));
    // Up to two messages of a byte: three lengths, two slots.
    assert_eq!((q.range.as_str(), q.bits), ("2 messages of {byte}", 18));
    let global = layout.iter().find(|e| e.component == Component::Global).expect("a variable");
    assert_eq!((global.range.as_str(), global.bits), ("byte: 0 to 255", 8));
    assert!(layout.iter().all(|e| e.bits <= 8 * u64::from(e.bytes)));
    assert_eq!(&state[q.offset as usize..][..2], [1, 4]);
    assert_eq!(system.decode(&[200, 1, 2]), Default::default());
}

#[test]
fn provided_interrupts_an_atomic() {
    // A provided (x == 0) { atomic { x = 1; y = 1 } }, B { x == 1 -> x = 0 }
    let mut b = Builder::globals(2)
        .active(vec![
            vec![edge(set(byte(0), number(1)), 1).atomic()],
            vec![edge(set(byte(1), number(1)), 2)],
        ])
        .active(vec![
            vec![edge(when(equal(byte(0), 1)), 1)],
            vec![edge(set(byte(0), number(0)), 2)],
        ]);
    b.model.proctypes[0].provided = Some(equal(byte(0), 0));
    assert_eq!(b.numbers(), (8, 1, 0));
}
