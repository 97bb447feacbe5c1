//! What is done with a cycle that was found: it is counted, and its run is constructed.

use super::{GeneralisedNestedDfs, Making};
use crate::Outcome;
use crate::component::{ComponentOf, Found};
use crate::lasso::{Lasso, LassoStep, NUMBER, Place};
use crate::run::EVIDENCE_BYTES;
use promenade_store::StateId;
use promenade_transition_system::{MoreMarks, TransitionSystem, Violation, ViolationKind};

impl GeneralisedNestedDfs {
    /// Counts the cycle through a state of the outer search's stack; false if there is no more to do
    /// for it.
    fn count(&mut self, id: StateId) -> bool {
        let place = (self.walk.store.tag(id) & NUMBER) as usize;
        let top = self.inner.map_or(self.walk.stack.len(), |begin| begin - 1);
        self.reported = Some((place, top));
        let violation = Violation { kind: ViolationKind::AcceptanceCycle, pid: None, edge: None };
        self.ending = self.walk.run.count(violation);
        self.walk.run.keeps(0, u64::MAX)
    }

    #[cold]
    pub(super) fn report(
        &mut self,
        id: StateId,
        system: &mut dyn TransitionSystem,
    ) -> Option<Outcome> {
        if self.count(id) { self.component(id, system) } else { self.ending.take() }
    }

    /// Begins to look for the component of a state.
    pub(super) fn component(
        &mut self,
        id: StateId,
        system: &mut dyn TransitionSystem,
    ) -> Option<Outcome> {
        self.account(0);
        let done = self.known.len() as u32;
        let Some(mut component) = ComponentOf::new(&mut self.walk, self.all, done) else {
            return self.found(Found::Done(None), system);
        };
        let found = component.begin(&mut self.walk, system, id);
        self.making = Some(Making::Component(component));
        self.found(found, system)
    }

    /// Goes on with the counterexample.
    #[cold]
    pub(super) fn construct(
        &mut self,
        system: &mut dyn TransitionSystem,
        fuel: &mut u64,
    ) -> Option<Outcome> {
        match self.making.as_mut()? {
            Making::Component(component) => {
                *fuel -= 1;
                let found = component.step(&mut self.walk, system);
                self.found(found, system)
            }
            Making::Lasso(lasso) => match lasso.advance(&mut self.walk, system, fuel) {
                LassoStep::Running => None,
                LassoStep::Cancelled => {
                    let cancelled = self.walk.run.cancelled();
                    cancelled.or(self.end_report(None, system))
                }
                LassoStep::Done(found) => self.end_report(found, system),
            },
        }
    }

    /// Goes on to the lasso when the component is there.
    fn found(&mut self, found: Found, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        let members = match found {
            Found::Running => return None,
            Found::Ended(end) => {
                if self.doubt.take().is_none() {
                    self.keep(None);
                }
                return Some(end);
            }
            Found::Done(members) => members,
        };
        self.making = None;
        self.account(0);
        if let Some(passing) = self.doubt.take() {
            if members.is_none() {
                let states = self.walk.run.statistics.states_stored;
                self.doubted_from = states + states / 8 + 1;
                let end = self.walk.settle(0).or_else(|| self.pass(passing, system));
                return end.or_else(|| self.resume(system));
            }
            if !self.count(passing.id) {
                return self.ending.take().or_else(|| self.resume(system));
            }
        }
        let done = self.known.len() as u32;
        let lasso = members.and_then(|members| {
            Lasso::new(&mut self.walk, Place::Members, done, (self.all, MoreMarks::NONE), members)
        });
        match lasso {
            Some(lasso) => {
                self.making = Some(Making::Lasso(lasso));
                None
            }
            None => self.end_report(None, system),
        }
    }

    /// Keeps what was found, or the run on the stack if that is a counterexample and shorter.
    fn keep(&mut self, found: Option<(Vec<u32>, usize)>) {
        self.making = None;
        self.account(0);
        let length = self.walk.stack.len() + 1;
        let closes_at = self.closes_at.take();
        let better = |choices: &Vec<u32>| closes_at.is_none() || choices.len() <= length;
        if let Some((choices, stem)) = found.filter(|(choices, _)| better(choices)) {
            self.kept = true;
            self.walk.run.keep_cycle(choices, stem);
        } else if let Some(stem) = closes_at
            && self.walk.fits(EVIDENCE_BYTES + length as u64 * 4)
        {
            let mut choices = Vec::new();
            if choices.try_reserve_exact(length).is_ok() {
                choices.extend(self.walk.path());
                self.kept = true;
                self.walk.run.keep_cycle(choices, stem);
            }
        }
        self.walk.note_peak();
        self.account(0);
    }

    /// Goes on after a report, or ends with it.
    fn end_report(
        &mut self,
        found: Option<(Vec<u32>, usize)>,
        system: &mut dyn TransitionSystem,
    ) -> Option<Outcome> {
        self.keep(found);
        self.ending.take().or_else(|| self.walk.settle(0)).or_else(|| self.resume(system))
    }
}
