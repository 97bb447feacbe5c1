//! Depth-first search in SPIN's order.
//!
//! The items of a state are taken one after the other, each successor explored to its end before
//! the next item is looked at, so that violations come in SPIN's order too.

use crate::on_walk::OnWalk;
use crate::pending::Pending;
use crate::walk::{Arrival, Frame, Reduction, Walk};
use crate::{Outcome, Parts, Search, SearchEntry, Setup, whole};
use promenade_store::{OnPath, PathStore, StateStore};
use promenade_transition_system::{Item, Reducer, TransitionSystem};

/// For the list of searches.
pub const ENTRY: SearchEntry = SearchEntry {
    id: "depth_first",
    shortest: false,
    liveness: false,
    generalised: false,
    more_marks: false,
    build: |setup| Box::new(DepthFirst::new(setup, whole(setup))),
    build_with: Some(build_with),
};

fn build_with(setup: &Setup, parts: Parts) -> Box<dyn Search> {
    let budget = setup.limits.memory_bytes;
    match (parts.store, parts.reducer) {
        (None, None) => Box::new(DepthFirst::new(setup, whole(setup))),
        (None, reducer) => {
            Box::new(DepthFirst::reduced(setup, OnPath::new(setup.store, budget), reducer))
        }
        (Some(store), reducer) => {
            let store = PathStore::new(store.set, budget, store.share, reducer.is_some());
            let mut search = DepthFirst::reduced(setup, store, reducer);
            search.walk.back_off();
            Box::new(search)
        }
    }
}

/// Depth-first search over a store.
#[derive(Debug)]
pub struct DepthFirst<S> {
    walk: Walk<S>,
}

impl<S: StateStore> DepthFirst<S> {
    /// A search that has not begun.
    pub fn new(setup: &Setup, store: S) -> Self {
        let mut walk = Walk::new(setup, store, 0);
        // In another order what is still to come has no first item.
        walk.pending = (setup.shuffle == 0).then(|| Pending::new(setup.limits.memory_bytes));
        Self { walk }
    }

    /// A search that leaves out what the reducer says, over a store that knows its path.
    pub fn reduced(setup: &Setup, store: S, reducer: Option<Box<dyn Reducer>>) -> Self {
        let mut new = Self::new(setup, store);
        new.walk.reduction = reducer.map(|reducer| Reduction::new(reducer, S::on_path));
        new
    }

    /// Goes back to the last state with further items; `Some` if there is none or its successors
    /// are too many now.
    #[inline]
    fn ascend(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        loop {
            if !self.walk.back() {
                return Some(self.walk.run.explored());
            }
            // A state that is done needs no successors any more.
            if self.walk.has_more() {
                return self.walk.refresh(system);
            }
        }
    }

    fn begin(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        match self.walk.begin(system) {
            Ok(true) => self.walk.expand(system),
            Ok(false) => Some(self.walk.run.explored()),
            Err(end) => Some(end),
        }
    }
}

impl<S: StateStore> OnWalk for DepthFirst<S> {
    type Store = S;

    fn walk(&self) -> &Walk<S> {
        &self.walk
    }

    fn walk_mut(&mut self) -> &mut Walk<S> {
        &mut self.walk
    }

    fn work(&mut self, system: &mut dyn TransitionSystem, mut fuel: u64) -> Option<Outcome> {
        let walk = &mut self.walk;
        if let Some(cancelled) = walk.run.cancelled() {
            return Some(cancelled);
        }
        while fuel > 0 {
            fuel -= 1;
            let walk = &mut self.walk;
            if !walk.started {
                if let Some(end) = self.begin(system) {
                    return Some(end);
                }
                continue;
            }
            let end = match walk.item() {
                Some(&Item::Target { start, end, moves, atomic_moves, .. }) => {
                    walk.top.next += 1;
                    let depth = walk.count_step(moves, atomic_moves);
                    match walk.arrive(start, end, depth) {
                        Ok(Arrival::New(id)) => {
                            walk.descend(Frame::new(id, depth)).or_else(|| walk.expand(system))
                        }
                        Ok(Arrival::Seen(_) | Arrival::Cut) => None,
                        Err(stop) => Some(stop),
                    }
                }
                Some(&Item::Violation { violation, moves, .. }) => {
                    walk.top.next += 1;
                    walk.report(violation, moves, true)
                }
                None => walk.report_blocked().or_else(|| self.ascend(system)),
            };
            if end.is_some() {
                return end;
            }
        }
        None
    }
}
