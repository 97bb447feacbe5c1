//! Bounds of one expansion. Where they are met, the expansion is given up and says so: what is too
//! large to follow is no violation.

use crate::expand::{Expansion, NODE_BYTES, Scratch};
use crate::options::MOST_EXPANSION_BYTES;

/// Steps within one expansion.
const MAX_MICRO_STEPS: u64 = 4_000_000;
/// How often, in steps, cancellation is looked at.
const CHECK_EVERY: u64 = 1024;
/// Bytes that are kept for later expansions.
const KEPT_BYTES: usize = 1 << 20;

/// How far the expansion that is under way may go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    micro_steps: u64,
    bytes: usize,
}

impl Bounds {
    /// A run that is executed again to be recorded has to arrive where it did without recording,
    /// which is counted a little differently: it is given more.
    pub(crate) fn new(expansion_bytes: usize, record: bool) -> Self {
        let times = if record { 2 } else { 1 };
        Self {
            micro_steps: MAX_MICRO_STEPS * times,
            bytes: expansion_bytes.min(MOST_EXPANSION_BYTES) * times as usize,
        }
    }
}

impl Expansion<'_> {
    /// Counts a step and looks whether there have been too many, or nobody wants the rest any more.
    #[inline(always)]
    pub(crate) fn count_step(&mut self) {
        self.micro_steps += 1;
        if self.micro_steps.is_multiple_of(CHECK_EVERY) {
            self.check_steps();
        }
    }

    #[cold]
    fn check_steps(&mut self) {
        if self.micro_steps > self.bounds.micro_steps || self.scratch.effects.interrupted() {
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
