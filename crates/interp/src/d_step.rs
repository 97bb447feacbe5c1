//! Indivisible deterministic sequences.

use crate::bounds;
use crate::eval::Context;
use crate::program::{DStep, Op};
use crate::step::{Applied, Effects, Tested, apply, channel_number, store_fields, test};
use promenade_transition_system::ViolationKind;

/// Steps after which a d_step is given up; comparing large states counts, too.
const MAX_STEPS: u64 = 20_000_000;

/// Whether it may start: always, or if one of the edges that count is executable. `earlier`: an
/// earlier edge of the location that the sequence stands at was. An `else` that opens the sequence
/// belongs to the selection around it; one of an inner selection lets the sequence start anyway.
pub(crate) fn can_start(step: &DStep, c: &Context<'_>, s: &[u8], earlier: bool) -> bool {
    let edges = step.graph.edges_of(step.entry);
    let executable = |number: usize| {
        let Some(edge) = edges.get(number) else { return false };
        match &edge.op {
            Op::Else => !earlier,
            op => yes(op, c, s),
        }
    };
    match &step.start_edges {
        Some(list) => list.iter().any(|&number| executable(number)),
        None => true,
    }
}

/// A rendezvous send counts, to be told apart when it is executed.
fn yes(op: &Op, c: &Context<'_>, s: &[u8]) -> bool {
    test(op, c, s, false) != Tested::No
}

/// Runs it from the start.
pub(crate) fn run(
    step: &DStep,
    c: &Context<'_>,
    s: &mut Vec<u8>,
    effects: &mut Effects,
) -> Applied {
    run_from(step, step.entry, c, s, effects)
}

/// The first edge of the entry that takes a message handed over on channel `number`.
pub(crate) fn receiving_edge(
    step: &DStep,
    c: &Context<'_>,
    s: &[u8],
    number: u8,
    message: &[i32],
) -> Option<usize> {
    step.graph.edges_of(step.entry).iter().position(|edge| match &edge.op {
        Op::Receive(receive) => {
            !receive.keep
                && channel_number(&receive.channel, c, s) == Some(number)
                && crate::channel::matches(c, s, message, &receive.patterns)
        }
        _ => false,
    })
}

/// Runs it from such an edge.
pub(crate) fn run_received(
    step: &DStep,
    edge: usize,
    c: &Context<'_>,
    s: &mut Vec<u8>,
    message: &[i32],
    effects: &mut Effects,
) -> Applied {
    let Some(edge) = step.graph.edges_of(step.entry).get(edge) else { return Applied::Blocked };
    if let Op::Receive(receive) = &edge.op {
        store_fields(&receive.patterns, c, s, message);
    }
    effects.mark(edge.id);
    if c.faults.is_hard() {
        return Applied::Ended;
    }
    run_from(step, edge.target, c, s, effects)
}

/// Runs to the exit. A state that comes back (found by comparing with one kept from a power of two
/// steps ago, as Brent's cycle finding does) is a loop that is never left. What is merely too long
/// is given up, which makes the expansion incomplete.
fn run_from(
    step: &DStep,
    from: u32,
    c: &Context<'_>,
    s: &mut Vec<u8>,
    effects: &mut Effects,
) -> Applied {
    if effects.gave_up {
        return Applied::Ended;
    }
    let mut location = from;
    let mut kept = (from, Vec::new());
    let mut steps: u64 = 0;
    let mut next_keep: u64 = 64;
    let (mut work, mut next_check): (u64, u64) = (0, 4096);
    while location != step.exit {
        let mut earlier = false;
        let mut chosen = None;
        for edge in step.graph.edges_of(location) {
            let tested = test(&edge.op, c, s, earlier);
            if c.faults.is_hard() {
                return Applied::Ended;
            }
            match tested {
                Tested::No => {}
                Tested::Rendezvous(_) => {
                    c.faults.hard(ViolationKind::RendezvousInDStep);
                    return Applied::Ended;
                }
                Tested::Yes(slot) => {
                    earlier = true;
                    chosen = Some((edge, slot));
                    break;
                }
            }
        }
        let Some((edge, slot)) = chosen.filter(|_| earlier) else {
            c.faults.hard(ViolationKind::BlockedDStep);
            return Applied::Ended;
        };
        match apply(&edge.op, c, s, slot, effects) {
            Applied::Done => {}
            Applied::Ended => return Applied::Ended,
            Applied::Blocked => {
                c.faults.hard(ViolationKind::BlockedDStep);
                return Applied::Ended;
            }
        }
        effects.mark(edge.id);
        location = edge.target;
        steps += 1;
        if steps < 64 {
            continue;
        }
        work += 1;
        if kept.0 == location {
            work += bounds::weight(s.len());
        }
        if kept.0 == location && c.p.essence(&kept.1) == c.p.essence(s) {
            c.faults.hard(ViolationKind::EndlessAtomic);
            return Applied::Ended;
        }
        if work > MAX_STEPS || (work >= next_check && effects.interrupted()) {
            effects.work += work;
            effects.gave_up = true;
            return Applied::Ended;
        }
        if work >= next_check {
            next_check = work + 4096;
        }
        if steps >= next_keep {
            kept = (location, s.clone());
            next_keep = steps * 2;
        }
    }
    effects.work += work;
    Applied::Done
}
