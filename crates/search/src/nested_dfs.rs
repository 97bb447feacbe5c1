//! Nested depth-first search for accepting cycles, for one acceptance set.
//!
//! The improved algorithm of S. Schwoon and J. Esparza ("A note on on-the-fly verification
//! algorithms", TACAS 2005) on transitions: an accepting transition is treated as if an accepting
//! state stood in its middle. The outer search colours states cyan (on its stack) and then blue;
//! when it is done with an accepting transition, an inner search colours red what can be reached
//! behind it, and a cyan state among that closes an accepting cycle. The outer search finds those
//! cycles at once that lie on its stack. A state all of whose successors are red becomes red itself
//! (A. Gaiser and S. Schwoon, 2009).
//!
//! Where more than one violation is asked for, every accepting transition is reported once at most;
//! not all of those on cycles are found.
//!
//! [`ENTRY_ORIGINAL`] is the algorithm in its first form, to compare with: C. Courcoubetis, M. Vardi,
//! P. Wolper and M. Yannakakis, Memory-efficient algorithms for the verification of temporal
//! properties, 1992. There the inner search looks for the state before the accepting transition only,
//! and the outer search finds nothing by itself.

use crate::lasso::{DONE, FLAG, Lasso, LassoStep, NUMBER, Place, visit};
use crate::on_walk::OnWalk;
use crate::one_set::OneSet;
use crate::run::EVIDENCE_BYTES;
use crate::walk::{Arrival, Frame, Reduction, Walk};
use crate::{Outcome, Search, SearchEntry, Setup};
use promenade_store::{ChunkedVec, StateId, Tagged};
use promenade_transition_system::{
    Item, Marks, MoreMarks, Reducer, TransitionSystem, Violation, ViolationKind,
};

/// For the list of searches.
pub const ENTRY: SearchEntry = SearchEntry {
    id: "nested_dfs",
    shortest: false,
    liveness: true,
    generalised: false,
    more_marks: false,
    build: |setup| Box::new(OneSet::new(setup, None, make)),
    build_with: Some(|setup, parts| Box::new(OneSet::new(setup, parts.reducer, make))),
};

/// For the list of searches: the first form of the algorithm.
pub const ENTRY_ORIGINAL: SearchEntry = SearchEntry {
    id: "original_nested_dfs",
    build: |setup| Box::new(OneSet::new(setup, None, make_original)),
    build_with: Some(|setup, parts| Box::new(OneSet::new(setup, parts.reducer, make_original))),
    ..ENTRY
};

fn make(setup: &Setup, reducer: Option<Box<dyn Reducer>>) -> Box<dyn Search> {
    Box::new(Nested::new(setup, false, reducer))
}

fn make_original(setup: &Setup, reducer: Option<Box<dyn Reducer>>) -> Box<dyn Search> {
    Box::new(Nested::new(setup, true, reducer))
}

/// What the next step does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Takes the next item of the top frame.
    Search,
    /// The top frame is done.
    Leave,
}

/// Search for accepting cycles, and for violations on the way, for one acceptance set.
///
/// Tags: a cyan state has its place on the stack, with [`FLAG`] if some successor is not red; other
/// states are numbered one by one and have [`DONE`], red ones [`FLAG`] too. In the original form
/// [`FLAG`] is the colour of cyan states as well.
#[derive(Debug)]
pub(crate) struct Nested {
    walk: Walk<Tagged>,
    all: Marks,
    /// The first form of the algorithm.
    original: bool,
    /// Places on the stack of the outer search from which an accepting transition leads on, with
    /// [`FLAG`] if a cycle through it was reported.
    accepting: ChunkedVec<u32>,
    done: u32,
    /// Place on the stack where the inner search begins, if there is one.
    inner: Option<usize>,
    /// A cycle through the accepting transition before the inner search was reported.
    inner_reported: bool,
    phase: Phase,
    /// A counterexample in the making; where on the stack its cycle begins, and how the search
    /// ends after it.
    lasso: Option<Box<Lasso>>,
    closes_at: usize,
    ending: Option<Outcome>,
    kept: bool,
}

impl Nested {
    /// A search that has not begun. The inner search expands states again, so a reducer has to
    /// choose by the state alone: with the condition on cycles of one search, the other one could
    /// miss the step that closes a cycle (G. J. Holzmann, D. Peled, M. Yannakakis, On nested depth
    /// first search, 1996).
    fn new(setup: &Setup, original: bool, reducer: Option<Box<dyn Reducer>>) -> Self {
        let budget = setup.limits.memory_bytes;
        let around = size_of::<Self>() - size_of::<Walk<Tagged>>();
        let mut walk = Walk::new(setup, Tagged::new(setup.store, budget), around as u64);
        walk.reduction = reducer.map(Reduction::by_state);
        Self {
            walk,
            all: 0,
            original,
            accepting: ChunkedVec::new(budget),
            done: 0,
            inner: None,
            inner_reported: false,
            phase: Phase::Search,
            lasso: None,
            closes_at: 0,
            ending: None,
            kept: setup.limits.kept_violations == 0,
        }
    }

    /// A search among the states of a store, all of them [`UNVISITED`].
    pub(crate) fn within(setup: &Setup, store: Tagged) -> Self {
        let mut new = Self::new(setup, false, None);
        new.walk.keep_to(store, visit);
        new
    }

    /// Tells the walk what memory is used, and what to keep free for the first cycle.
    fn account(&mut self, more: u64) {
        let around = size_of::<Self>() - size_of::<Walk<Tagged>>();
        self.walk.also = around as u64 + self.accepting.memory_bytes();
        let frames = (self.walk.stack.memory_bytes() + more) / size_of::<Frame>() as u64 + 2;
        self.walk.kept_free = if self.kept { 0 } else { EVIDENCE_BYTES + frames * 4 };
    }

    /// Goes on to a state, which is not expanded yet.
    #[inline]
    fn descend(&mut self, frame: Frame) -> Option<Outcome> {
        let more = self.walk.stack.push_bytes();
        if more > 0 {
            self.account(more);
        }
        self.walk.descend(frame)
    }

    /// Notes that the step from this place on the stack is accepting.
    fn mark(&mut self, place: usize) -> Option<Outcome> {
        let more = self.accepting.push_bytes();
        if more > 0
            && let Some(stop) = self.walk.settle(more)
        {
            return Some(stop);
        }
        self.accepting.push(place as u32);
        if more > 0 {
            self.account(0);
            return self.walk.settle(0);
        }
        None
    }

    /// Notes that a successor of the present state is not red.
    #[inline]
    fn not_all_red(&mut self) {
        let id = self.walk.top.id;
        let tag = self.walk.store.tag(id);
        if tag & FLAG == 0 && !self.original {
            self.walk.store.set_tag(id, tag | FLAG);
        }
    }

    /// Begins an inner search with a blue state, a successor of the present one.
    fn begin_inner(
        &mut self,
        id: StateId,
        depth: u32,
        reported: bool,
        system: &mut dyn TransitionSystem,
    ) -> Option<Outcome> {
        self.inner = Some(self.walk.stack.len() + 1);
        self.inner_reported = reported;
        self.redden(id, depth, system)
    }

    /// Makes a blue state red and goes on to it.
    fn redden(
        &mut self,
        id: StateId,
        depth: u32,
        system: &mut dyn TransitionSystem,
    ) -> Option<Outcome> {
        let tag = self.walk.store.tag(id);
        self.walk.store.set_tag(id, tag | FLAG);
        self.phase = Phase::Search;
        self.descend(Frame::new(id, depth)).or_else(|| self.walk.expand_again(system))
    }

    /// The outer search meets a stored state.
    #[inline]
    fn meet(
        &mut self,
        id: StateId,
        accepting: bool,
        depth: u32,
        system: &mut dyn TransitionSystem,
    ) -> Option<Outcome> {
        let tag = self.walk.store.tag(id);
        if self.original {
            return match accepting {
                true if id == self.walk.top.id => {
                    let place = self.walk.stack.len();
                    self.report(place, place, Some(id))
                }
                true if tag & FLAG == 0 => self.begin_inner(id, depth, false, system),
                _ => None,
            };
        }
        if tag & DONE == 0 {
            self.not_all_red();
            let closes_at = (tag & NUMBER) as usize;
            if accepting {
                return self.report(closes_at, self.walk.stack.len(), Some(id));
            }
            // If a cycle through it was reported, or it stands further down, nothing is new.
            let last = self.accepting.last()?;
            if last & FLAG != 0 || (last as usize) < closes_at {
                return None;
            }
            self.accepting.set(self.accepting.len() - 1, last | FLAG);
            return self.report(closes_at, last as usize, None);
        }
        if tag & FLAG != 0 {
            return None;
        }
        if accepting {
            return self.begin_inner(id, depth, false, system);
        }
        self.not_all_red();
        None
    }

    /// Reports the cycle that the present step closes at a place on the stack. The step from
    /// `place` is accepting; it leads to `to` or on along the stack.
    #[cold]
    fn report(&mut self, closes_at: usize, place: usize, to: Option<StateId>) -> Option<Outcome> {
        let violation = Violation { kind: ViolationKind::AcceptanceCycle, pid: None, edge: None };
        let ending = self.walk.run.count(violation);
        if !self.walk.run.keeps(0, u64::MAX) {
            return ending;
        }
        self.ending = ending;
        self.closes_at = closes_at;
        let frame = |at: usize| self.walk.stack.get(at).unwrap_or(self.walk.top);
        let (from, choice) = (frame(place).id, self.walk.chosen(place));
        let to = to.unwrap_or(frame(place + 1).id);
        let place = Place::Transition { from, choice, to };
        self.lasso =
            Lasso::new(&mut self.walk, place, self.done, (self.all, MoreMarks::NONE), Vec::new());
        if self.lasso.is_none() { self.end_report(None) } else { None }
    }

    /// Goes on with the counterexample.
    #[cold]
    fn construct(&mut self, system: &mut dyn TransitionSystem, fuel: &mut u64) -> Option<Outcome> {
        let lasso = self.lasso.as_mut()?;
        let (found, cancelled) = match lasso.advance(&mut self.walk, system, fuel) {
            LassoStep::Running => return None,
            LassoStep::Cancelled => (None, self.walk.run.cancelled()),
            LassoStep::Done(found) => (found, None),
        };
        self.lasso = None;
        let end = self.end_report(found);
        cancelled.or(end)
    }

    /// Keeps what was found, or the run on the stack, which is a counterexample as well; then goes
    /// on or ends.
    fn end_report(&mut self, found: Option<(Vec<u32>, usize)>) -> Option<Outcome> {
        let length = self.walk.stack.len() + 1;
        if let Some((choices, stem)) = found.filter(|(choices, _)| choices.len() <= length) {
            self.kept = true;
            self.walk.run.keep_cycle(choices, stem);
        } else if self.walk.fits(EVIDENCE_BYTES + length as u64 * 4) {
            let mut choices = Vec::new();
            if choices.try_reserve_exact(length).is_ok() {
                choices.extend(self.walk.path());
                self.kept = true;
                self.walk.run.keep_cycle(choices, self.closes_at);
            }
        }
        self.walk.note_peak();
        self.account(0);
        self.ending.take().or_else(|| self.walk.settle(0))
    }

    /// The present state is done.
    fn leave(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        let frame = self.walk.top;
        if let Some(begin) = self.inner {
            if self.walk.stack.len() == begin {
                self.inner = None;
            }
            self.walk.back();
            return self.resume(system);
        }
        let mut red = false;
        if self.all != 0 {
            // In the original form a state is red before it is done, or is not.
            red = (self.walk.store.tag(frame.id) & FLAG == 0) != self.original;
            let tag = DONE | self.done | if red { FLAG } else { 0 };
            self.walk.store.set_tag(frame.id, tag);
            self.done += 1;
        }
        if !self.walk.back() {
            return Some(self.walk.run.explored());
        }
        let place = self.walk.stack.len() as u32;
        let step = self.accepting.last().filter(|last| last & NUMBER == place);
        if step.is_some() {
            self.accepting.pop();
        }
        if self.all != 0 && !red {
            if let Some(step) = step {
                return self.begin_inner(frame.id, frame.depth, step & FLAG != 0, system);
            }
            self.not_all_red();
        }
        self.resume(system)
    }

    /// Goes on with the top frame after a successor.
    fn resume(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        if self.walk.has_more() {
            self.phase = Phase::Search;
            return self.walk.refresh(system);
        }
        // A state that is done needs no successors any more.
        self.phase = Phase::Leave;
        None
    }

    fn begin(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        self.all = system.acceptance();
        self.account(0);
        match self.walk.begin(system) {
            // The initial state's tag is its place, 0.
            Ok(true) => self.walk.expand(system),
            Ok(false) => Some(self.walk.run.explored()),
            Err(end) => Some(end),
        }
    }

    /// Takes the next item of the top frame in the outer search.
    #[inline]
    fn follow(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        let walk = &mut self.walk;
        match walk.item() {
            Some(&Item::Target { start, end, moves, atomic_moves, .. }) => {
                let accepting = walk.marks() & self.all != 0;
                walk.top.next += 1;
                let depth = walk.count_step(moves, atomic_moves);
                match walk.arrive(start, end, depth) {
                    Ok(Arrival::New(id)) => self.arrive(id, accepting, depth, system),
                    Ok(Arrival::Seen(_)) if self.all == 0 => None,
                    Ok(Arrival::Seen(id)) => self.meet(id, accepting, depth, system),
                    Ok(Arrival::Cut) => {
                        self.not_all_red();
                        None
                    }
                    Err(stop) => Some(stop),
                }
            }
            Some(&Item::Violation { violation, moves, .. }) => {
                walk.top.next += 1;
                walk.report(violation, moves, true)
            }
            None => {
                self.phase = Phase::Leave;
                walk.report_blocked()
            }
        }
    }

    /// The outer search goes on to a new state.
    #[inline]
    fn arrive(
        &mut self,
        id: StateId,
        accepting: bool,
        depth: u32,
        system: &mut dyn TransitionSystem,
    ) -> Option<Outcome> {
        let place = self.walk.stack.len();
        self.walk.store.set_tag(id, (place as u32 + 1) & NUMBER);
        if accepting && let Some(stop) = self.mark(place) {
            return Some(stop);
        }
        self.descend(Frame::new(id, depth)).or_else(|| self.walk.expand(system))
    }

    /// Takes the next item of the top frame in the inner search.
    #[inline]
    fn follow_inner(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        let walk = &mut self.walk;
        let Some(item) = walk.item() else {
            self.phase = Phase::Leave;
            return None;
        };
        let &Item::Target { start, end, moves, .. } = item else {
            // The outer search has reported it.
            walk.top.next += 1;
            return None;
        };
        let found = walk.find(start, end);
        walk.top.next += 1;
        walk.run.statistics.inner_transitions += 1;
        let id = found?;
        let tag = walk.store.tag(id);
        let accepting_at = self.inner.map_or(0, |begin| begin - 1);
        let closes = if self.original {
            walk.stack.get(accepting_at).is_some_and(|frame| frame.id == id)
        } else {
            tag & DONE == 0
        };
        if closes {
            if std::mem::replace(&mut self.inner_reported, true) {
                return None;
            }
            let at = if self.original { accepting_at } else { (tag & NUMBER) as usize };
            return self.report(at, accepting_at, None);
        }
        if tag & FLAG != 0 {
            return None;
        }
        let depth = walk.top.depth.saturating_add(moves);
        self.redden(id, depth, system)
    }
}

impl OnWalk for Nested {
    type Store = Tagged;

    fn walk(&self) -> &Walk<Tagged> {
        &self.walk
    }

    fn walk_mut(&mut self) -> &mut Walk<Tagged> {
        &mut self.walk
    }

    fn work(&mut self, system: &mut dyn TransitionSystem, mut fuel: u64) -> Option<Outcome> {
        if let Some(cancelled) = self.walk.run.cancelled() {
            return Some(cancelled);
        }
        while fuel > 0 {
            if self.lasso.is_some() {
                if let Some(end) = self.construct(system, &mut fuel) {
                    return Some(end);
                }
                continue;
            }
            fuel -= 1;
            let end = match self.phase {
                _ if !self.walk.started => self.begin(system),
                Phase::Leave => self.leave(system),
                Phase::Search if self.inner.is_some() => self.follow_inner(system),
                Phase::Search => self.follow(system),
            };
            if end.is_some() {
                return end;
            }
        }
        None
    }
}
