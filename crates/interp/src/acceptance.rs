//! Marks of acceptance: accept labels, sets of a claim's edges, weak fairness.
//!
//! Weak fairness as generalised Buchi acceptance: one set for every pid, with the transitions in
//! which the process moves or before which it cannot move. A run that meets all of them again and
//! again is weakly fair, and no copies of states are needed (J.-M. Couvreur, A. Duret-Lutz,
//! D. Poitrenaud, On-the-fly emptiness checks for generalized Buchi automata, SPIN 2005). The sets
//! of the processes for which 64 bits are too few are given apart, where there are such processes.

use crate::RunOptions;
use crate::expand::Expansion;
use crate::program::{Claim, Program};
use promenade_transition_system::{Blocked, Marks, MoreMarks, Selection, ViolationKind};

/// What is known of the marks of the transition under construction.
#[derive(Debug)]
pub(crate) struct Acceptance {
    /// Sets before those of fairness.
    sets: u32,
    /// All sets that are marks.
    most: u32,
    fair: bool,
    /// There are processes with a set that is not among the marks.
    many: bool,
    /// Marks that all transitions of the state have.
    state: Marks,
    /// Marks of the claim's edge.
    claim: Marks,
    /// Fairness marks of the processes that have moved, and the sets of the others.
    moved: Marks,
    more_moved: MoreMarks,
    /// Fairness marks of the processes that can move, and the sets of the others.
    enabled: Marks,
    more_enabled: MoreMarks,
}

/// The fairness marks of the processes that have moved on the way to a state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moved {
    marks: Marks,
    /// Nothing where all processes have their sets among the marks.
    more: Option<Box<MoreMarks>>,
}

/// Bits from `first` on.
fn from(first: u32) -> Marks {
    Marks::MAX.checked_shl(first).unwrap_or(0)
}

/// How many sets are marks.
fn most(options: &RunOptions, sets: u32) -> u32 {
    options.most_marks.clamp(sets.max(2), 64)
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
        let sets = sets(p);
        let most = most(options, sets);
        let by_labels = p.claim.as_ref().is_none_or(|claim| claim.acceptance.is_none());
        Self {
            sets,
            most,
            fair: options.weak_fairness,
            many: options.weak_fairness && u32::from(s[0]) > most - sets,
            state: Marks::from(by_labels && labelled(p, s)),
            claim: 0,
            moved: 0,
            more_moved: MoreMarks::NONE,
            enabled: 0,
            more_enabled: MoreMarks::NONE,
        }
    }

    /// The condition: all marks there are.
    pub(crate) fn all(p: &Program, options: &RunOptions) -> Marks {
        let sets = sets(p);
        !from(if options.weak_fairness { most(options, sets) } else { sets })
    }

    /// The fairness mark of a process.
    fn fairness(&self, pid: u8) -> Marks {
        let bit = self.sets + u32::from(pid);
        if self.fair && bit < self.most { 1 << bit } else { 0 }
    }

    /// Adds the set of a process that is not among the marks, if it has one.
    fn add_more(&self, pid: u8, marks: &mut MoreMarks) {
        if let Some(set) = (self.sets + u32::from(pid)).checked_sub(self.most) {
            marks.add(set);
        }
    }

    /// A process moves first.
    fn moves(&mut self, pid: u8) {
        self.moved = self.fairness(pid);
        if self.many {
            let mut more = MoreMarks::NONE;
            self.add_more(pid, &mut more);
            self.more_moved = more;
        }
    }

    /// A process could move.
    fn could_move(&mut self, pid: u8) {
        self.enabled |= self.fairness(pid);
        if self.many {
            let mut more = self.more_enabled;
            self.add_more(pid, &mut more);
            self.more_enabled = more;
        }
    }

    /// These processes have moved after those before.
    fn have_moved(&mut self, before: &Moved, pids: &[u8]) {
        self.moved = pids.iter().fold(before.marks, |marks, pid| marks | self.fairness(*pid));
        if self.many {
            let mut more = before.more.as_deref().copied().unwrap_or_default();
            pids.iter().for_each(|pid| self.add_more(*pid, &mut more));
            self.more_moved = more;
        }
    }

    /// Marks of a transition that ends here; those of processes that cannot move are added later.
    fn marks(&self) -> Marks {
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
        if !self.options.more_marks && self.acceptance.as_ref().is_some_and(|it| it.many) {
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
                self.nobody_has_moved();
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
        let mut disabled = MoreMarks::ALL;
        disabled.remove(&acceptance.more_enabled);
        for marks in &mut self.out.more_marks {
            marks.unite(&disabled);
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
                    run.nobody_has_moved();
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
            acceptance.moves(pid);
        }
    }

    /// A process could move from the state.
    #[inline(always)]
    pub(crate) fn is_enabled(&mut self, pid: u8) {
        if let Some(acceptance) = &mut self.acceptance {
            acceptance.could_move(pid);
        }
    }

    /// These processes have moved after those before, on the way to what comes next.
    #[inline(always)]
    pub(crate) fn have_moved(&mut self, before: &Moved, pids: &[u8]) {
        if let Some(acceptance) = &mut self.acceptance {
            acceptance.have_moved(before, pids);
        }
    }

    /// What comes next comes without a move.
    fn nobody_has_moved(&mut self) {
        self.have_moved(&Moved::default(), &[]);
    }

    /// Who has moved on the way to what comes next.
    #[inline(always)]
    pub(crate) fn moved(&self) -> Moved {
        self.acceptance.as_ref().map_or_else(Moved::default, |acceptance| Moved {
            marks: acceptance.moved,
            more: acceptance.many.then(|| Box::new(acceptance.more_moved)),
        })
    }

    /// Writes down the marks of a transition, or what stands for those of a violation.
    #[inline(always)]
    pub(crate) fn mark(&mut self, transition: bool) {
        if let Some(acceptance) = &self.acceptance {
            self.out.marks.push(if transition { acceptance.marks() } else { 0 });
            if acceptance.many {
                let none = MoreMarks::NONE;
                self.out.more_marks.push(if transition { acceptance.more_moved } else { none });
            }
        }
    }
}
