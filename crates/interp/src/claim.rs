//! A never claim alongside: it moves first, then alternates with the system.

use crate::CLAIM_PID;
use crate::eval::Context;
use crate::expand::Expansion;
use crate::program::Op;
use crate::step::{self, Applied, Tested};
use promenade_transition_system::{Selection, ViolationKind};

impl Expansion<'_> {
    /// The claim moves, then the system. Where the system is stuck even with a timeout, the claim
    /// goes on alone; the last hidden byte then says that it is the system's turn, and that it is
    /// stuck.
    pub(crate) fn with_claim(&mut self, s: &[u8], selection: Selection) {
        let Some(claim) = &self.p.claim else { return };
        let here = self.p.read_location(s, claim.location_offset as usize);
        if here == claim.process.exit {
            self.violation(ViolationKind::ClaimCompleted, None, None, 0);
        }
        if s.last().is_some_and(|&flag| flag != 0) {
            self.timeout = true;
            if !self.processes(s, selection, 0, 0) && !self.aborted {
                self.claim_steps(s, 0, &mut |run, state, moves| run.claim_alone(state, moves));
            }
            return;
        }
        let mut stuck = false;
        for timeout in [false, true] {
            self.claim_steps(s, 0, &mut |run, state, moves| {
                run.timeout = timeout;
                if claim.process.exit == run.p.read_location(state, claim.location_offset as usize)
                {
                    run.violation(ViolationKind::ClaimCompleted, None, None, moves);
                }
                let path = run.scratch.path.len();
                let moved = run.processes(state, selection, moves, path);
                if moved || run.aborted || selection != Selection::All {
                    return;
                }
                stuck = true;
                if timeout {
                    let state = state.to_vec();
                    run.claim_steps(&state, moves, &mut |run, state, moves| {
                        run.claim_alone(state, moves);
                    });
                }
            });
            if !stuck || self.aborted {
                return;
            }
            self.timeout = true;
        }
    }

    /// A target that the claim reached without the system.
    pub(crate) fn claim_alone(&mut self, state: &[u8], moves: u32) {
        let mut state = state.to_vec();
        if let Some(flag) = state.last_mut() {
            *flag = 1;
        }
        self.target(&state, moves, 0);
    }

    /// Calls `then` with each state that a step of the claim leads to.
    pub(crate) fn claim_steps(
        &mut self,
        s: &[u8],
        moves: u32,
        then: &mut dyn FnMut(&mut Self, &[u8], u32),
    ) {
        let Some(claim) = &self.p.claim else { return };
        let at = claim.location_offset as usize;
        let here = self.p.read_location(s, at);
        let before = self.timeout;
        let path = self.scratch.path.len();
        let Some((from, mut earlier)) = self.native_claim(claim, s, moves, then) else { return };
        let first = claim.process.graph.locations[here as usize].first as usize;
        for (number, edge) in claim.process.graph.edges_of(here).iter().enumerate().skip(from) {
            self.claim_takes(claim, first + number);
            self.timeout = before;
            self.scratch.path.truncate(path);
            let c = Context {
                locals: claim.locals_offset,
                ..self.context(CLAIM_PID, claim.location_offset)
            };
            let mut tested = step::test(&edge.op, &c, s, earlier);
            if c.faults.any() {
                match claim.labels.as_ref().and_then(|labels| labels.settled(first + number, &c, s))
                {
                    Some(true) => tested = Tested::Yes(0),
                    Some(false) => continue,
                    None if self.refused_by(edge, CLAIM_PID, path, moves) => continue,
                    None => {}
                }
            }
            let Tested::Yes(slot) = tested else { continue };
            if matches!(edge.op, Op::End) {
                continue;
            }
            let mut next = s.to_vec();
            self.prepare();
            let applied = step::apply(&edge.op, &c, &mut next, slot, &mut self.scratch.effects);
            if applied == Applied::Blocked {
                continue;
            }
            earlier = true;
            self.p.write_location(&mut next, at, edge.target);
            self.scratch.effects.mark(edge.id);
            self.record(path, CLAIM_PID, edge.id, None, &next);
            if self.report(CLAIM_PID, Some(edge.id), moves + 1) || applied == Applied::Ended {
                continue;
            }
            then(self, &next, moves + 1);
            if self.aborted {
                return;
            }
        }
        self.timeout = before;
        self.scratch.path.truncate(path);
    }
}
