//! Whether a process could move: `enabled(p)` and priorities.

use crate::channel;
use crate::d_step;
use crate::eval::Context;
use crate::program::{CLAIM_PID, Edge, Ex, Op};
use crate::step::{self, Tested, channel_number};
use promenade_transition_system::ViolationKind;

impl<'a> Context<'a> {
    /// The same moment seen by another process.
    pub(crate) fn of_process(&self, pid: u8, base: usize) -> Context<'a> {
        let base = base as u32;
        Context { pid, base, locals: base + self.p.locals_offset, ..*self }
    }

    /// `enabled(e)`. A question that leads back to a process about which is being asked has no answer:
    /// that is a fault of the model, as is to ask for oneself.
    pub(crate) fn enabled(&self, s: &[u8], e: &Ex) -> bool {
        let pid = self.eval(e, s);
        if pid == i32::from(self.pid) && self.pid != CLAIM_PID {
            self.faults.hard(ViolationKind::EnabledSelf);
            return false;
        }
        match self.process(s, pid) {
            Some(base) => self.can_move(s, pid as u8, base),
            None => false,
        }
    }

    /// Whether some edge of a process is executable. What goes wrong while looking is not reported,
    /// but for questions in a circle.
    pub(crate) fn can_move(&self, s: &[u8], pid: u8, base: usize) -> bool {
        let (asked, answers) = (&self.faults.asked, &self.faults.answers);
        let depth = asked.borrow().len();
        if depth == 0 {
            answers.borrow_mut().clear();
        } else if let Some(known) = answers.borrow().iter().find(|a| a.0 == pid) {
            return known.1;
        } else if asked.borrow().contains(&pid) {
            self.faults.hard(ViolationKind::EnabledCircle);
            return false;
        } else if depth >= self.p.most_questions {
            self.faults.gave_up.set(true);
            return false;
        }
        asked.borrow_mut().push(pid);
        let found = self.some_edge(s, pid, base);
        asked.borrow_mut().pop();
        if depth > 0 {
            answers.borrow_mut().push((pid, found));
        }
        found
    }

    fn some_edge(&self, s: &[u8], pid: u8, base: usize) -> bool {
        let c = self.of_process(pid, base);
        let ty = &c.p.types[c.p.type_at(s, base)];
        let before = c.faults.len();
        let edges = ty.graph.edges_of(c.p.location_at(s, base));
        let found = edges.iter().any(|edge| match step::test(&edge.op, &c, s, false) {
            Tested::No => false,
            Tested::Yes(_) => true,
            Tested::Rendezvous(q) => {
                let Op::Send(send) = &edge.op else { return true };
                let mut message = Vec::new();
                step::message(send, &c, s, q, &mut message);
                c.has_partner(s, q.number, &message)
            }
        });
        let circle = c.faults.has(ViolationKind::EnabledCircle, before);
        c.faults.truncate(before);
        if circle {
            c.faults.hard(ViolationKind::EnabledCircle);
        }
        found && !circle
    }

    /// Whether the provided clause of a process holds. What goes wrong while looking is reported
    /// when it is its turn.
    fn is_provided(&self, s: &[u8], pid: u8, base: usize) -> bool {
        let Some(clause) = &self.p.types[self.p.type_at(s, base)].provided else { return true };
        let before = self.faults.len();
        let holds = self.of_process(pid, base).eval(clause, s) != 0;
        self.faults.truncate(before);
        holds
    }

    /// Whether a process other than this one would take a message on a rendezvous channel.
    fn has_partner(&self, s: &[u8], number: u8, message: &[i32]) -> bool {
        let mut base = self.p.first_process as usize;
        for pid in 0..s[0] {
            let ty = &self.p.types[self.p.type_at(s, base)];
            let c = self.of_process(pid, base);
            let edges = ty.graph.edges_of(self.p.location_at(s, base));
            if pid != self.pid && edges.iter().any(|e| takes(e, &c, s, number, message).is_some()) {
                return true;
            }
            base += ty.record_bytes as usize;
        }
        false
    }

    /// With priorities: whether no other process of a higher one could move.
    pub(crate) fn highest_priority(&self, s: &[u8]) -> bool {
        let Some(offset) = self.p.priority_offset else { return true };
        let own = s[(self.base + offset) as usize];
        let mut base = self.p.first_process as usize;
        for pid in 0..s[0] {
            let higher = pid != self.pid && s[base + offset as usize] > own;
            if higher && self.is_provided(s, pid, base) && self.can_move(s, pid, base) {
                return false;
            }
            base += self.p.types[self.p.type_at(s, base)].record_bytes as usize;
        }
        true
    }
}

/// How an edge takes a message that is handed over: by itself, or as a d_step that starts with
/// this edge of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Taking {
    Receive,
    DStep(usize),
}

/// Whether `edge` takes the message on the rendezvous channel `number`.
pub(crate) fn takes(
    edge: &Edge,
    c: &Context<'_>,
    s: &[u8],
    number: u8,
    message: &[i32],
) -> Option<Taking> {
    match &edge.op {
        Op::Receive(receive) => {
            if channel_number(&receive.channel, c, s) != Some(number) {
                return None;
            }
            if receive.keep {
                // A message that is handed over cannot stay.
                c.faults.soft(ViolationKind::PollRendezvous);
                return None;
            }
            let fits = channel::matches(c, s, message, &receive.patterns);
            fits.then_some(Taking::Receive)
        }
        Op::DStep(step) => d_step::receiving_edge(step, c, s, number, message).map(Taking::DStep),
        _ => None,
    }
}
