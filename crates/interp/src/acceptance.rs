//! Marks of acceptance: accept labels, sets of a claim's edges, weak fairness.
//!
//! Weak fairness as generalised Buchi acceptance: one set for every pid, with the transitions in
//! which the process moves or before which it cannot move. A run that meets all of them again and
//! again is weakly fair, and no copies of states are needed (J.-M. Couvreur, A. Duret-Lutz,
//! D. Poitrenaud, On-the-fly emptiness checks for generalized Buchi automata, SPIN 2005).

use crate::RunOptions;
use crate::expand::Expansion;
use crate::program::{Claim, Program};
use promenade_transition_system::{Blocked, Marks, Selection, ViolationKind};

/// What is known of the marks of the transition under construction.
#[derive(Debug)]
pub(crate) struct Acceptance {
    /// Sets before those of fairness.
    sets: u32,
    fair: bool,
    /// Marks that all transitions of the state have.
    state: Marks,
    /// Marks of the claim's edge.
    claim: Marks,
    /// Fairness marks of the processes that have moved.
    pub(crate) moved: Marks,
    /// Fairness marks of the processes that can move.
    enabled: Marks,
}

/// Bits from `first` on.
fn from(first: u32) -> Marks {
    Marks::MAX.checked_shl(first).unwrap_or(0)
}

/// Acceptance sets without those of fairness.
fn sets(p: &Program) -> u32 {
    match p.claim.as_ref().and_then(|claim| claim.acceptance.as_ref()) {
        Some((sets, _)) => *sets,
        None => 1,
    }
}

impl Acceptance {
    pub(crate) fn new(p: &Program, options: &RunOptions, s: &[u8]) -> Self {
        let by_labels = p.claim.as_ref().is_none_or(|claim| claim.acceptance.is_none());
        Self {
            sets: sets(p),
            fair: options.weak_fairness,
            state: Marks::from(by_labels && labelled(p, s)),
            claim: 0,
            moved: 0,
            enabled: 0,
        }
    }

    /// The condition: all marks there are.
    pub(crate) fn all(p: &Program, options: &RunOptions) -> Marks {
        let sets = sets(p);
        if options.weak_fairness { Marks::MAX } else { !from(sets) }
    }

    /// The fairness mark of a process.
    fn fairness(&self, pid: u8) -> Marks {
        if self.fair { 1u64.checked_shl(self.sets + u32::from(pid)).unwrap_or(0) } else { 0 }
    }

    /// Marks of a transition that ends here; those of processes that cannot move are added later.
    pub(crate) fn marks(&self) -> Marks {
        self.state | self.claim | self.moved
    }
}

/// Whether a process, or the claim, is at an accept label.
fn labelled(p: &Program, s: &[u8]) -> bool {
    let at_claim = p.claim.as_ref().is_some_and(|claim| {
        let here = p.read_location(s, claim.location_offset as usize);
        claim.process.graph.locations[here as usize].accept
    });
    let mut base = p.first_process as usize;
    let mut at_process = false;
    for _ in 0..s[0] {
        let ty = &p.types[p.type_at(s, base)];
        at_process |= ty.graph.locations[p.location_at(s, base) as usize].accept;
        base += ty.record_bytes as usize;
    }
    at_claim || at_process
}

impl Expansion<'_> {
    /// Expands a state for a search for infinite runs.
    pub(crate) fn with_acceptance(&mut self, s: &[u8], selection: Selection) {
        let room = 64 - sets(self.p);
        if self.options.weak_fairness && u32::from(s[0]) > room {
            self.scratch.effects.gave_up = true;
            return;
        }
        if self.p.claim.is_some() {
            self.with_claim_for_ever(s, selection);
        } else {
            self.alone(s, selection);
            let accepting = self.acceptance.as_ref().is_some_and(|a| a.state != 0);
            if self.out.blocked.is_some() && accepting && self.options.stutter {
                // SPIN reports this in place of an invalid end state.
                self.out.blocked = Some(Blocked::ValidEnd);
                self.have_moved(0);
                self.scratch.path.clear();
                self.target(s, 0, 0);
            }
        }
        let Some(acceptance) = self.acceptance.as_ref().filter(|acceptance| acceptance.fair) else {
            return;
        };
        if self.aborted {
            // Who has not been tried is not known to be unable to move.
            return;
        }
        let disabled = from(acceptance.sets) & !acceptance.enabled;
        for marks in &mut self.out.marks {
            *marks |= disabled;
        }
    }

    /// The claim moves, then the system; where the system has come to its end, the claim moves
    /// alone.
    fn with_claim_for_ever(&mut self, s: &[u8], selection: Selection) {
        let Some(claim) = &self.p.claim else { return };
        let exit = claim.process.exit;
        let at = claim.location_offset as usize;
        if self.p.read_location(s, at) == exit {
            self.violation(ViolationKind::ClaimCompleted, None, None, 0);
            return;
        }
        for timeout in [false, true] {
            let mut stuck = false;
            self.timeout = timeout;
            self.claim_steps(s, 0, &mut |run, state, moves| {
                if run.p.read_location(state, at) == exit {
                    run.violation(ViolationKind::ClaimCompleted, None, None, moves);
                    return;
                }
                run.timeout = timeout;
                let path = run.scratch.path.len();
                if run.processes(state, selection, moves, path)
                    || run.aborted
                    || selection != Selection::All
                {
                    return;
                }
                stuck = true;
                if timeout && run.options.stutter {
                    run.have_moved(0);
                    run.target(state, moves, 0);
                }
            });
            if !stuck || self.aborted {
                return;
            }
        }
    }

    /// An edge of the claim is tried.
    pub(crate) fn claim_takes(&mut self, claim: &Claim, edge: usize) {
        if let Some(acceptance) = &mut self.acceptance {
            let marks = claim.acceptance.as_ref().and_then(|(_, marks)| marks.get(edge));
            acceptance.claim = marks.copied().unwrap_or(0);
        }
    }

    /// A process is going to move from the state.
    #[inline(always)]
    pub(crate) fn now_moves(&mut self, pid: u8) {
        if let Some(acceptance) = &mut self.acceptance {
            acceptance.moved = acceptance.fairness(pid);
        }
    }

    /// A process could move from the state.
    #[inline(always)]
    pub(crate) fn is_enabled(&mut self, pid: u8) {
        if let Some(acceptance) = &mut self.acceptance {
            acceptance.enabled |= acceptance.fairness(pid);
        }
    }

    /// These processes have moved on the way to what comes next.
    #[inline(always)]
    pub(crate) fn have_moved(&mut self, moved: Marks) {
        if let Some(acceptance) = &mut self.acceptance {
            acceptance.moved = moved;
        }
    }

    /// The fairness mark of a process.
    #[inline(always)]
    pub(crate) fn fairness(&self, pid: u8) -> Marks {
        self.acceptance.as_ref().map_or(0, |acceptance| acceptance.fairness(pid))
    }
}
