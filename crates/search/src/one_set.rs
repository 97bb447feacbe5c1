//! Searches for one acceptance set, where there may be several.

use crate::couvreur::Couvreur;
use crate::{Evidence, Outcome, Progress, Search, Setup, Statistics, Step, StopReason};
use promenade_transition_system::TransitionSystem;

/// A search that takes one acceptance set. Where there are several, which is known with the first
/// slice, [`Couvreur`] does the work.
pub(crate) struct OneSet {
    setup: Setup,
    search: Box<dyn Search>,
    begun: bool,
}

impl OneSet {
    /// Around a search that has not begun.
    pub(crate) fn new(setup: &Setup, search: Box<dyn Search>) -> Self {
        Self { setup: setup.clone(), search, begun: false }
    }
}

impl Search for OneSet {
    fn advance(&mut self, system: &mut dyn TransitionSystem, fuel: u64) -> Step {
        let first = !std::mem::replace(&mut self.begun, true);
        if first && self.outcome().is_none() && system.acceptance().count_ones() > 1 {
            self.search = Box::new(Couvreur::new(&self.setup));
        }
        self.search.advance(system, fuel)
    }

    fn stop(&mut self, reason: StopReason) -> Outcome {
        self.search.stop(reason)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.search.outcome()
    }

    fn statistics(&self) -> Statistics {
        self.search.statistics()
    }

    fn progress(&self) -> Progress {
        self.search.progress()
    }

    fn evidence(&self) -> &[Evidence] {
        self.search.evidence()
    }

    fn memory_bytes(&self) -> u64 {
        self.search.memory_bytes()
    }
}
