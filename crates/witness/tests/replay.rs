//! Runs of a small system, right ones and wrong ones.

use promenade_base::random::Random;
use promenade_transition_system::{
    Blocked, Item, MicroStep, Selection, Successors, TransitionSystem, Violation, ViolationKind,
};
use promenade_witness::{Mismatch, checksum, confirm, decode, encode, replay};

/// Counts to nine by one or (in two moves) by two. Reaching 5 violates an assertion and goes on;
/// from 7 on, a division by zero ends the way by two; 9 is a deadlock.
struct Counter {
    broken_start: bool,
}

const ASSERTION: Violation =
    Violation { kind: ViolationKind::Assertion, pid: Some(1), edge: Some(4) };
const DIVISION: Violation =
    Violation { kind: ViolationKind::DivisionByZero, pid: Some(1), edge: Some(7) };
const DEADLOCK: Violation =
    Violation { kind: ViolationKind::InvalidEndState, pid: None, edge: None };

fn put(out: &mut Successors, n: u8) -> (u32, u32) {
    let start = out.bytes.len() as u32;
    out.bytes.extend_from_slice(&[n, 99]);
    (start, start + 2)
}

fn step(out: &mut Successors, n: Option<u8>, edge: u32) {
    if out.record {
        let state = n.map_or((0, 0), |n| put(out, n));
        out.steps.push(MicroStep {
            pid: 1,
            edge,
            partner: None,
            message: None,
            printed: String::new(),
            created: None,
            state,
            atomic: false,
        });
    }
}

impl TransitionSystem for Counter {
    fn hidden_bytes(&self) -> usize {
        1
    }

    fn initial(&mut self, out: &mut Successors) {
        out.clear();
        if self.broken_start {
            out.items.push(Item::Violation { violation: DIVISION, moves: 1, steps: (0, 0) });
            return;
        }
        let (start, end) = put(out, 0);
        out.items.push(Item::Target { start, end, moves: 0, atomic_moves: 0, steps: (0, 0) });
    }

    fn expand(&mut self, state: &[u8], _: Selection, out: &mut Successors) {
        out.clear();
        let n = state[0];
        for by in [1, 2] {
            let first = out.steps.len() as u32;
            for move_ in 1..=by {
                let to = n + move_;
                step(out, (to <= 9).then_some(to), u32::from(n));
            }
            let steps = (first, out.steps.len() as u32);
            let moves = u32::from(by);
            if by == 2 && n == 7 {
                out.items.push(Item::Violation { violation: DIVISION, moves, steps });
                continue;
            }
            if n + by > 9 {
                continue;
            }
            if n + by == 5 {
                out.items.push(Item::Violation { violation: ASSERTION, moves, steps });
            }
            let (start, end) = put(out, n + by);
            out.items.push(Item::Target { start, end, moves, atomic_moves: 0, steps });
        }
        if n == 9 {
            out.blocked = Some(Blocked::InvalidEnd);
        }
    }

    fn executed(&self) -> &[bool] {
        &[]
    }
}

fn system() -> Counter {
    Counter { broken_start: false }
}

#[test]
fn a_prefix_gives_its_moves_and_states() {
    let run = replay(&mut system(), &[1, 0]).unwrap();
    assert_eq!(run.initial, [0, 99]);
    let states: Vec<u8> = run.steps.iter().map(|s| s.state[0]).collect();
    assert_eq!(states, [1, 2, 3]);
    let choices: Vec<u32> = run.steps.iter().map(|s| s.choice).collect();
    assert_eq!(choices, [0, 0, 1]);
    assert_eq!(run.violation, None);
    assert_eq!(run.last, [3, 99]);
    assert_eq!(run.checksum, checksum(&[3, 99], 1));
    assert_eq!(run.checksum, checksum(&[3, 12], 1));
    assert_eq!(run.radices, [2, 2]);
    assert_eq!(replay(&mut system(), &[]).unwrap().last, [0, 99]);
}

#[test]
fn evidence_is_confirmed_where_it_shows_its_violation() {
    // 0, 2, 4, then the assertion on the way to 5.
    let run = confirm(&mut system(), &[1, 1, 0], ASSERTION).unwrap();
    assert_eq!(run.last, [4, 99]);
    assert_eq!(run.steps.last().unwrap().state, [5, 99]);
    // 0, 2, 4, 6, 7, then the division.
    assert!(confirm(&mut system(), &[1, 1, 2, 0, 1], DIVISION).is_ok());
    // 0, 2, 4, 6, 8, 9.
    let run = confirm(&mut system(), &[1, 1, 2, 1, 0], DEADLOCK).unwrap();
    assert_eq!((run.last[0], run.violation), (9, Some(DEADLOCK)));

    let wrong = |choices: &[u32], expected| confirm(&mut system(), choices, expected).unwrap_err();
    let found = Some(ASSERTION);
    assert_eq!(wrong(&[1, 1, 0], DIVISION), Mismatch::Violation { expected: DIVISION, found });
    let found = None;
    assert_eq!(wrong(&[1, 1, 2, 0], DEADLOCK), Mismatch::Violation { expected: DEADLOCK, found });
    assert_eq!(wrong(&[1, 1, 0, 0], ASSERTION), Mismatch::Continued { index: 2 });
    assert_eq!(wrong(&[0, 2], ASSERTION), Mismatch::Choice { index: 1, choice: 2, available: 2 });
    for mismatch in [wrong(&[1, 1, 0], DIVISION), wrong(&[0, 2], ASSERTION), Mismatch::Initial] {
        assert!(!mismatch.to_string().is_empty());
    }
}

#[test]
fn a_violation_in_the_initial_step_is_an_empty_run() {
    let mut broken = Counter { broken_start: true };
    assert_eq!(confirm(&mut broken, &[], DIVISION).unwrap().violation, Some(DIVISION));
    assert_eq!(replay(&mut broken, &[0]), Err(Mismatch::Initial));
    assert!(confirm(&mut system(), &[], DIVISION).is_err());
}

#[test]
fn any_list_of_numbers_gives_a_run_or_a_mismatch() {
    let mut random = Random::new(8);
    let mut runs = 0;
    for _ in 0..5000 {
        let choices: Vec<u32> = (0..random.below(12)).map(|_| random.below(4) as u32).collect();
        if let Ok(run) = replay(&mut system(), &choices) {
            runs += 1;
            assert_eq!(run.radices.len(), choices.len());
            assert_eq!(decode(&encode(&choices), 12).as_deref(), Ok(&choices[..]));
        }
    }
    assert!(runs > 500);
}
