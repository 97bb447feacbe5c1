//! Rendezvous: a send that another process receives at once.

use crate::enabled::{Taking, takes};
use crate::eval::{Context, Fault};
use crate::expand::{Arrival, Expansion, Node};
use crate::program::{ChannelRef, Edge, Op};
use crate::step::{self, Applied, Effects};
use crate::trace;
use promenade_transition_system::{Message, MessageKind, MicroStep, ViolationKind};

/// One outcome of a rendezvous.
#[derive(Debug)]
pub(crate) struct Handshake {
    state: Vec<u8>,
    /// The receiver.
    pid: u8,
    base: u32,
    ty: u16,
    keeps_atomic: bool,
    step: Option<MicroStep>,
    faults: Vec<Fault>,
    ended: bool,
    /// The receiver's edge.
    edge: u32,
}

impl<'a> Expansion<'a> {
    /// Tries a rendezvous send: every other process that takes the message gives an outcome.
    pub(crate) fn rendezvous(
        &mut self,
        node: &mut Node,
        edge: &Edge,
        q: ChannelRef,
        c: &Context<'a>,
        s: &[u8],
    ) {
        let Op::Send(send) = &edge.op else { return };
        let mut message = std::mem::take(&mut self.scratch.message);
        step::message(send, c, s, q, &mut message);
        // What is wrong with the send is reported whether or not somebody receives, as SPIN does.
        if c.faults.any() {
            self.scratch.path.truncate(node.path);
            if self.refused(edge, node) {
                self.scratch.message = message;
                return;
            }
        }
        let mut middle = std::mem::take(&mut self.scratch.middle);
        middle.clear();
        middle.extend_from_slice(s);
        self.p.write_location(&mut middle, (node.base + self.p.type_bytes) as usize, edge.target);
        // Whoever goes on, it is not the sender.
        self.p.rest(&mut middle, node.base as usize);
        if let Some(at) = self.p.last_offset {
            middle[at as usize] = node.pid;
        }
        let mut bases = std::mem::take(&mut self.scratch.partner_bases);
        bases.clear();
        let mut base = self.p.first_process;
        for _ in 0..s[0] {
            bases.push(base);
            base += self.p.types[self.p.type_at(s, base as usize)].record_bytes;
        }
        for (pid, &base) in bases.iter().enumerate().rev() {
            let pid = pid as u8;
            let ty = self.p.type_at(&middle, base as usize);
            let process = &self.p.types[ty];
            let partner = self.context(pid, base);
            if pid == node.pid
                || process.provided.as_ref().is_some_and(|e| partner.eval(e, &middle) == 0)
            {
                continue;
            }
            let mut earlier = false;
            let mut escape = 0;
            for taker in process.graph.edges_of(self.p.location_at(&middle, base as usize)) {
                if escape > 0 && taker.escape != escape {
                    break;
                }
                let taking = takes(taker, &partner, &middle, q.number, &message);
                if partner.faults.any() {
                    self.scratch.path.truncate(node.path);
                    if self.report(pid, Some(taker.id), node.moves + 1) {
                        node.earlier = true;
                        continue;
                    }
                }
                let Some(taking) = taking else { continue };
                if earlier && process.deterministic {
                    partner.faults.soft(ViolationKind::Nondeterminism);
                }
                let mut state = self.scratch.spare.pop().unwrap_or_default();
                state.clear();
                state.extend_from_slice(&middle);
                self.prepare();
                let effects = &mut self.scratch.effects;
                let applied =
                    hand_over(taker, taking, &partner, &mut state, q.number, &message, effects);
                if applied == Applied::Blocked {
                    continue;
                }
                self.p.write_location(
                    &mut state,
                    (base + self.p.type_bytes) as usize,
                    taker.target,
                );
                if let Some(at) = self.p.last_offset {
                    state[at as usize] = pid;
                }
                if !earlier {
                    escape = taker.escape;
                }
                earlier = true;
                self.scratch.effects.mark(taker.id);
                let effects = &mut self.scratch.effects;
                let micro = self.out.record.then(|| MicroStep {
                    pid: node.pid,
                    edge: edge.id,
                    partner: Some((pid, taker.id)),
                    message: Some(Message {
                        channel: q.number,
                        kind: MessageKind::Rendezvous,
                        values: message.clone(),
                    }),
                    printed: std::mem::take(&mut effects.printed),
                    created: effects.created,
                    state: (0, 0),
                    atomic: !self.scratch.nodes.is_empty(),
                });
                let faults = partner.faults.take();
                node.handshakes.push(Handshake {
                    state,
                    pid,
                    base,
                    ty: ty as u16,
                    keeps_atomic: taker.keeps_atomic,
                    step: micro,
                    faults,
                    ended: applied == Applied::Ended,
                    edge: taker.id,
                });
            }
        }
        if !node.handshakes.is_empty() {
            node.handshakes.reverse();
            self.scratch.effects.mark(edge.id);
            self.note_choice(node, edge, c);
            self.report(node.pid, Some(edge.id), node.moves + 1);
        }
        self.scratch.message = message;
        self.scratch.middle = middle;
        self.scratch.partner_bases = bases;
    }

    /// Follows the outcomes of a rendezvous until one opens an atomic sequence.
    pub(crate) fn follow_handshakes(&mut self, node: &mut Node, s: &[u8]) -> Option<Node> {
        while let Some(mut outcome) = node.handshakes.pop() {
            if let Some(step) = outcome.step {
                self.scratch.path.truncate(node.path);
                self.scratch.path.push((step, outcome.state.clone()));
            }
            let moves = node.moves + 2;
            for &fault in &outcome.faults {
                self.violation(fault.kind, Some(outcome.pid), Some(outcome.edge), moves);
            }
            if outcome.ended || outcome.faults.iter().any(|f| f.hard) {
                continue;
            }
            self.have_moved(&node.moved, &[node.pid, outcome.pid]);
            let arrival = Arrival {
                pid: outcome.pid,
                base: outcome.base,
                ty: outcome.ty,
                moves,
                atomic_moves: node.atomic_moves + u32::from(!self.scratch.nodes.is_empty()),
            };
            if !outcome.keeps_atomic {
                self.p.rest(&mut outcome.state, outcome.base as usize);
                self.target(&outcome.state, moves, arrival.atomic_moves);
            } else if let Some(child) = self.enter(node, s, arrival, &mut outcome.state) {
                return Some(child);
            }
            self.scratch.spare.push(outcome.state);
        }
        None
    }
}

/// Completes a rendezvous in `s`, in which the sender has moved already.
fn hand_over(
    edge: &Edge,
    taking: Taking,
    c: &Context<'_>,
    s: &mut Vec<u8>,
    channel: u8,
    message: &[i32],
    effects: &mut Effects,
) -> Applied {
    trace::event(c, s, channel, true, message);
    trace::event(c, s, channel, false, message);
    match (&edge.op, taking) {
        (Op::Receive(receive), _) => {
            step::store_fields(&receive.patterns, c, s, message);
            if c.faults.is_hard() { Applied::Ended } else { Applied::Done }
        }
        (Op::DStep(step), Taking::DStep(first)) => {
            crate::d_step::run_received(step, first, c, s, message, effects)
        }
        _ => Applied::Blocked,
    }
}
