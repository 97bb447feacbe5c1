//! Models built by hand, with the counts that SPIN has for the same text.

mod support;

use promenade_interp::{CLAIM_PID, Interpreter, RunOptions};
use promenade_ir::*;
use promenade_transition_system::{
    Item, MessageKind, Selection, Successors, TransitionSystem, ViolationKind,
};
use std::rc::Rc;
use support::*;

#[test]
fn one_and_two_processes() {
    let one = Builder::default().active(vec![vec![edge(Action::Skip, 1)]]);
    assert_eq!(one.numbers(), (3, 0, 0));
    let two = Builder::default()
        .active(vec![vec![edge(Action::Skip, 1)]])
        .active(vec![vec![edge(Action::Skip, 1)]]);
    assert_eq!(two.numbers(), (7, 2, 0));
}

#[test]
fn deadlock_and_end_label() {
    let stuck = || Builder::globals(1).active(vec![vec![edge(when(equal(byte(0), 1)), 1)]]);
    assert_eq!(stuck().numbers(), (1, 0, 1));
    assert_eq!(stuck().end_label(0, 0).numbers(), (1, 0, 0));
}

#[test]
fn else_and_timeout() {
    // do :: x < 2 -> x++ :: else -> break od; timeout
    let less = binary(BinaryOp::Less, Expr::Load(byte(0)), number(2));
    let add = binary(BinaryOp::Add, Expr::Load(byte(0)), number(1));
    let model = Builder::globals(1).active(vec![
        vec![edge(when(less), 1), edge(Action::Else, 2)],
        vec![edge(set(byte(0), add), 0)],
        vec![edge(when(Expr::Timeout), 3)],
    ]);
    assert_eq!(model.numbers(), (8, 0, 0));
}

#[test]
fn bytes_wrap() {
    let add = binary(BinaryOp::Add, Expr::Load(byte(0)), number(1));
    let model = Builder::globals(1).active(vec![vec![edge(set(byte(0), add), 0)]]);
    assert_eq!(model.numbers(), (256, 1, 0));
}

#[test]
fn atomic_hides_its_inside() {
    let inside = |b: Builder| {
        b.active(vec![
            vec![edge(set(byte(0), number(1)), 1).atomic()],
            vec![edge(set(byte(0), number(2)), 2)],
        ])
    };
    assert_eq!(inside(Builder::globals(1)).numbers(), (3, 0, 0));
    // Blocked in the middle: stored there, and the other one may move.
    let model = Builder::globals(1)
        .active(vec![
            vec![edge(set(byte(0), number(1)), 1).atomic()],
            vec![edge(when(equal(byte(0), 2)), 2)],
        ])
        .active(vec![
            vec![edge(when(equal(byte(0), 1)), 1)],
            vec![edge(set(byte(0), number(2)), 2)],
        ]);
    assert_eq!(model.numbers(), (8, 1, 0));
}

#[test]
fn loop_in_atomic_is_cut_and_left() {
    // atomic { do :: skip :: x = 1; break od }
    let model = Builder::globals(1)
        .active(vec![vec![edge(Action::Skip, 0).atomic(), edge(set(byte(0), number(1)), 1)]]);
    let counts = count(&Rc::new(model.model), RunOptions::default());
    assert_eq!((counts.stored, counts.errors), (3, 0));
}

#[test]
fn endless_atomic_is_reported() {
    let model = Builder::globals(1).active(vec![vec![edge(Action::Skip, 0).atomic()]]);
    assert_eq!(model.kinds(), [ViolationKind::EndlessAtomic]);
    let add = binary(BinaryOp::Add, Expr::Load(byte(0)), number(1));
    let model = Builder::globals(1).active(vec![vec![edge(set(byte(0), add), 0).atomic()]]);
    assert_eq!(model.kinds(), [ViolationKind::EndlessAtomic]);
}

#[test]
fn d_step_is_one_step() {
    let mut b = Builder::globals(1);
    let graph = b.graph(vec![
        vec![edge(set(byte(0), number(1)), 1)],
        vec![edge(Action::Assert(equal(byte(0), 2)), 2)],
        vec![edge(set(byte(0), number(3)), 3)],
        vec![],
    ]);
    let step = DStep { graph, entry: LocationId(0), exit: LocationId(3), start_edges: None };
    let model = b.active(vec![vec![edge(Action::DStep(Box::new(step)), 1)]]);
    assert_eq!(model.numbers(), (3, 0, 1));
}

#[test]
fn blocked_and_endless_d_steps() {
    let mut b = Builder::globals(1);
    let graph =
        b.graph(vec![vec![edge(Action::Skip, 1)], vec![edge(when(equal(byte(0), 1)), 2)], vec![]]);
    let step = DStep { graph, entry: LocationId(0), exit: LocationId(2), start_edges: None };
    let model = b.active(vec![vec![edge(Action::DStep(Box::new(step)), 1)]]);
    assert_eq!(model.kinds(), [ViolationKind::BlockedDStep]);

    let mut b = Builder::globals(1);
    let add = binary(BinaryOp::Add, Expr::Load(byte(0)), number(1));
    let graph = b.graph(vec![vec![edge(set(byte(0), add), 0)], vec![]]);
    let step = DStep { graph, entry: LocationId(0), exit: LocationId(1), start_edges: None };
    let model = b.active(vec![vec![edge(Action::DStep(Box::new(step)), 1)]]);
    assert_eq!(model.kinds(), [ViolationKind::EndlessAtomic]);
}

#[test]
fn buffer_keeps_order_and_forgets() {
    let model = Builder::globals(2).channel(2, &[ScalarType::Byte]).active(vec![
        vec![edge(send(channel(1), &[5]), 1)],
        vec![edge(send(channel(1), &[7]), 2)],
        vec![edge(receive(channel(1), vec![Pattern::Store(byte(0))]), 3)],
        vec![edge(receive(channel(1), vec![Pattern::Store(byte(1))]), 4)],
        vec![edge(Action::Assert(equal(byte(0), 5)), 5)],
        vec![edge(Action::Assert(equal(byte(1), 7)), 6)],
    ]);
    assert_eq!(model.numbers(), (8, 0, 0));
}

fn handshake() -> Model {
    Builder::globals(1)
        .channel(0, &[ScalarType::Byte])
        .active(vec![vec![edge(send(channel(1), &[9]), 1)]])
        .active(vec![vec![edge(receive(channel(1), vec![Pattern::Store(byte(0))]), 1)]])
        .model
}

#[test]
fn rendezvous_is_one_step_of_two() {
    assert_eq!(numbers(handshake()), (4, 0, 0));
    let mut system = Interpreter::new(Rc::new(handshake()), RunOptions::default());
    let mut out = Successors::new(true);
    system.initial(&mut out);
    let initial = out.bytes.clone();
    system.expand(&initial, Selection::All, &mut out);
    let [Item::Target { moves, steps, .. }] = out.items.as_slice() else {
        panic!("one successor: {:?}", out.items)
    };
    assert_eq!((*moves, *steps), (2, (0, 1)));
    let step = &out.steps[0];
    assert_eq!((step.pid, step.partner.map(|p| p.0)), (0, Some(1)));
    let message = step.message.as_ref().expect("a message");
    assert_eq!((message.kind, message.values.as_slice()), (MessageKind::Rendezvous, &[9][..]));
    let view = system.decode(out.slice(step.state));
    assert_eq!(view.globals[0].value, "9");
    assert!(view.processes.iter().all(|p| p.ended));
}

#[test]
fn nobody_talks_to_himself() {
    let model = Builder::default().channel(0, &[ScalarType::Byte]).active(vec![vec![
        edge(send(channel(1), &[1]), 1),
        edge(receive(channel(1), vec![Pattern::Any]), 1),
    ]]);
    assert_eq!(model.numbers(), (1, 0, 1));
}

#[test]
fn zombies_wait_for_the_youngest() {
    let mut b = Builder::default();
    let child = b.proctype(vec![vec![edge(Action::Skip, 1)]], 0);
    b.model.proctypes.push(child);
    let run = Action::Run {
        proctype: ProctypeId(0),
        arguments: Vec::new(),
        priority: None,
        target: None,
    };
    let init = b.proctype(vec![vec![edge(run, 1)]], 0);
    b.model.proctypes.push(init);
    b.model.initial_processes.push(ProctypeId(1));
    assert_eq!(b.numbers(), (5, 0, 0));
}

#[test]
fn run_time_errors_end_the_path() {
    let divide = binary(BinaryOp::Div, number(1), Expr::Load(byte(0)));
    let model = Builder::globals(1).active(vec![vec![edge(set(byte(0), divide), 1)]]);
    assert_eq!(model.kinds(), [ViolationKind::DivisionByZero]);
    let mut cell = byte(0);
    let index = IndexTerm { value: number(7), length: 3, stride: 1, span: Default::default() };
    cell.indices.push(index);
    let model = Builder::globals(3).active(vec![vec![edge(set(cell, number(1)), 1)]]);
    assert_eq!(model.kinds(), [ViolationKind::IndexOutOfBounds]);
    let model = Builder::default().active(vec![vec![edge(send(channel(0), &[1]), 1)]]);
    assert_eq!(model.kinds(), [ViolationKind::UninitializedChannel]);
    let model = Builder::default().active(vec![vec![edge(send(channel(3), &[1]), 1)]]);
    assert_eq!(model.kinds(), [ViolationKind::ClosedChannel]);
}

#[test]
fn escape_goes_first_and_alone() {
    // { x == 0; x = 1 } unless { x == 0 -> x = 2 }
    let model = Builder::globals(1).active(vec![
        vec![edge(when(equal(byte(0), 0)), 2).escape(1), edge(when(equal(byte(0), 0)), 1)],
        vec![edge(set(byte(0), number(1)), 3)],
        vec![edge(set(byte(0), number(2)), 3)],
    ]);
    assert_eq!(model.numbers(), (4, 0, 0));
}

#[test]
fn claim_moves_first() {
    // never { do :: true od } beside x = 1
    let mut b = Builder::globals(1);
    let process = b.proctype(vec![vec![edge(Action::Skip, 0)]], 0);
    b.model.claims.push(Claim { process, name: None, acceptance: None, labels: None });
    let model = Rc::new(b.active(vec![vec![edge(set(byte(0), number(1)), 1)]]).model);
    let options = RunOptions { claim: Some(0), ..RunOptions::default() };
    let counts = count(&model, options.clone());
    assert_eq!((counts.stored, counts.matched, counts.errors), (3, 1, 0));
    let mut system = Interpreter::new(model, options);
    let mut out = Successors::new(true);
    system.initial(&mut out);
    let initial = out.bytes.clone();
    system.expand(&initial, Selection::All, &mut out);
    let pids: Vec<u8> = out.steps.iter().map(|s| s.pid).collect();
    assert_eq!(pids, [CLAIM_PID, 0]);
}
