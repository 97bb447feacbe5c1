//! Searches for one acceptance set, where there may be several.

use crate::couvreur::Couvreur;
use crate::{Evidence, Outcome, Progress, Search, Setup, Statistics, Step, StopReason};
use promenade_transition_system::{Reducer, TransitionSystem};

/// Makes a search that leaves out what the reducer says.
type Make = fn(&Setup, Option<Box<dyn Reducer>>) -> Box<dyn Search>;

/// A search that takes one acceptance set. Where there are several, which is known with the first
/// slice, [`Couvreur`] does the work.
pub(crate) struct OneSet {
    setup: Setup,
    make: Make,
    reducer: Option<Box<dyn Reducer>>,
    search: Box<dyn Search>,
    begun: bool,
}

impl OneSet {
    /// Around a search that has not begun. The reducer chooses by the state alone.
    pub(crate) fn new(setup: &Setup, reducer: Option<Box<dyn Reducer>>, make: Make) -> Self {
        Self { setup: setup.clone(), make, reducer, search: make(setup, None), begun: false }
    }
}

impl Search for OneSet {
    fn advance(&mut self, system: &mut dyn TransitionSystem, fuel: u64) -> Step {
        let first = !std::mem::replace(&mut self.begun, true);
        if first && self.outcome().is_none() {
            let reducer = self.reducer.take();
            if system.acceptance().count_ones() > 1 {
                self.search = Box::new(Couvreur::reduced(&self.setup, reducer));
            } else if reducer.is_some() {
                self.search = (self.make)(&self.setup, reducer);
            }
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
