//! What all searches that keep a walk have in common.

use crate::walk::Walk;
use crate::{Evidence, Outcome, Progress, Search, Statistics, Step, StopReason};
use promenade_store::{Approximation, StateStore, VisitedSet};
use promenade_transition_system::TransitionSystem;

/// A depth-first search: what it does with its walk. All else that a search is asked for is the
/// walk's to say.
pub(crate) trait OnWalk {
    /// Where it keeps its states.
    type Store: StateStore;

    fn walk(&self) -> &Walk<Self::Store>;

    fn walk_mut(&mut self) -> &mut Walk<Self::Store>;

    /// Works for about `fuel` steps; how the search ended, if it did.
    fn work(&mut self, system: &mut dyn TransitionSystem, fuel: u64) -> Option<Outcome>;
}

impl<T: OnWalk> Search for T {
    fn advance(&mut self, system: &mut dyn TransitionSystem, fuel: u64) -> Step {
        if self.walk().run.outcome.is_none() {
            let outcome = self.work(system, fuel);
            self.walk_mut().run.outcome = outcome;
            if outcome.is_some() {
                self.walk_mut().note_peak();
            }
        }
        self.walk().run.outcome.map_or(Step::Running, Step::Done)
    }

    fn stop(&mut self, reason: StopReason) -> Outcome {
        *self.walk_mut().run.outcome.get_or_insert(Outcome::Stopped(reason))
    }

    fn outcome(&self) -> Option<Outcome> {
        self.walk().run.outcome
    }

    fn statistics(&self) -> Statistics {
        self.walk().statistics()
    }

    fn progress(&self) -> Progress {
        self.walk().progress()
    }

    fn evidence(&self) -> &[Evidence] {
        &self.walk().run.evidence
    }

    fn memory_bytes(&self) -> u64 {
        self.walk().memory_bytes()
    }

    fn states(&self, visit: &mut dyn FnMut(&[u8]) -> bool) {
        let store = &self.walk().store;
        let mut buffer = Vec::new();
        let mut next = store.first();
        while let Some(id) = next {
            if !visit(store.get(id, &mut buffer)) {
                return;
            }
            next = store.after(id);
        }
    }

    fn approximation(&self) -> Approximation {
        self.walk().store.approximation()
    }
}
