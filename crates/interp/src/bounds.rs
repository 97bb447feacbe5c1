//! Bounds of one expansion. Where they are met, the expansion is given up and says so: what is too
//! large to follow is no violation.

use crate::expand::{Expansion, NODE_BYTES, Scratch};
use crate::options::MOST_EXPANSION_BYTES;

/// Work within one expansion: steps, and bytes of states that they copy.
const MAX_WORK: u64 = 4_000_000;
/// How often, in units of work, cancellation is looked at.
const CHECK_EVERY: u64 = 1024;
/// Bytes of a state that are copied in the time of a step, about.
const BYTES_A_STEP: usize = 1024;
/// Bytes that are kept for later expansions.
const KEPT_BYTES: usize = 1 << 20;

/// How far the expansion that is under way may go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    work: u64,
    bytes: usize,
}

/// The work of a step that copies a state of so many bytes, beside the one of every step.
pub(crate) fn weight(bytes: usize) -> u64 {
    (bytes / BYTES_A_STEP) as u64
}

impl Bounds {
    /// A run that is executed again to be recorded has to arrive where it did without recording,
    /// which is counted a little differently: it is given more.
    pub(crate) fn new(expansion_bytes: usize, record: bool) -> Self {
        let times = if record { 2 } else { 1 };
        Self {
            work: MAX_WORK * times,
            bytes: expansion_bytes.min(MOST_EXPANSION_BYTES) * times as usize,
        }
    }
}

impl Expansion<'_> {
    /// Counts a step and looks whether there have been too many, or nobody wants the rest any more.
    #[inline(always)]
    pub(crate) fn count_step(&mut self) {
        self.work += 1 + self.weight;
        if self.work >= self.next_check {
            self.check_work();
        }
    }

    /// Counts a step of a state that is so large that this matters.
    #[inline(always)]
    pub(crate) fn count_copy(&mut self) {
        if self.weight > 0 {
            self.count_step();
        }
    }

    #[cold]
    fn check_work(&mut self) {
        self.next_check = self.work + CHECK_EVERY;
        if self.work > self.bounds.work || self.scratch.effects.interrupted() {
            self.give_up();
        }
    }

    /// Looks at the memory, after it has grown.
    #[inline(always)]
    pub(crate) fn check_bytes(&mut self) {
        let steps = self.out.steps.len() * size_of::<promenade_transition_system::MicroStep>();
        if self.scratch.state_bytes + self.out.bytes.len() + steps > self.bounds.bytes {
            self.give_up();
        }
    }

    /// Leaves the rest of the expansion out.
    #[cold]
    pub(crate) fn give_up(&mut self) {
        self.scratch.effects.gave_up = true;
        self.aborted = true;
    }
}

impl Scratch {
    /// Gives memory back that an unusually large expansion has taken.
    pub(crate) fn trim(&mut self) {
        let each = self.spare.last().map_or(0, Vec::capacity) + NODE_BYTES;
        let most = (KEPT_BYTES / each).max(1);
        if self.spare.len() > most {
            self.spare.truncate(most);
            self.spare.shrink_to(most);
            self.states.shrink_to(most);
            self.nodes.shrink_to(most);
            self.on_path.shrink_to(most);
        }
    }
}
