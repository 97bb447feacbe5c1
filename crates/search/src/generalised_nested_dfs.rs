//! Nested depth-first search for accepting cycles, for up to 64 acceptance sets.
//!
//! The algorithm of J.-M. Couvreur, A. Duret-Lutz and D. Poitrenaud ("On-the-fly emptiness checks
//! for generalized Büchi automata", SPIN 2005), after H. Tauriainen's: each state has the marks
//! that are known to lie on a path to it. When the outer search is done with a transition, it
//! hands those of its source and its own on to its target; an inner search carries them further,
//! to whatever does not have them all. A state on the outer search's stack to which all marks come
//! back lies on an accepting cycle. The marks on the stack from that state on count as well, so
//! that cycles that lie on the stack are found at once.
//!
//! For these the authors keep, with each state on the stack, how often each mark was seen before.
//! Here the place of the last step with each mark is kept, which says the same (a mark was seen
//! behind a state exactly if its last step stands behind it), and what was there before on a
//! trail: memory for marks that are seen, not for all of them at every state.
//!
//! If the depth limit has cut something off, a state may be new although one behind which it stands
//! is done, and marks may be known to it that come from there and lie on no cycle. From then on what
//! is found is reported only if it lies on the stack, or if the component of the state has all marks
//! indeed; now and then one that has not is enough.
//!
//! Transitions are looked at once for every set and once more at most. Where more than one
//! violation is asked for, a component may be reported more than once.

mod reporting;

use crate::component::ComponentOf;
use crate::lasso::{DONE, Lasso, NUMBER};
use crate::on_walk::OnWalk;
use crate::run::EVIDENCE_BYTES;
use crate::walk::{Arrival, Frame, Reduction, Walk};
use crate::{Outcome, SearchEntry, Setup};
use promenade_store::{ChunkedVec, StateId, Tagged};
use promenade_transition_system::{Item, Marks, Reducer, TransitionSystem};

/// For the list of searches.
pub const ENTRY: SearchEntry = SearchEntry {
    id: "generalised_nested_dfs",
    shortest: false,
    liveness: true,
    generalised: true,
    more_marks: false,
    build: |setup| Box::new(GeneralisedNestedDfs::new(setup)),
    build_with: Some(|setup, parts| Box::new(GeneralisedNestedDfs::reduced(setup, parts.reducer))),
};

/// A state on the stack of the outer search.
#[derive(Clone, Copy, Debug, Default)]
struct Cyan {
    /// Marks on paths to it.
    known: Marks,
    /// Marks of the step that led to it.
    entry: Marks,
}

/// Marks to hand on over a transition.
#[derive(Clone, Copy, Debug)]
struct Passing {
    /// Known at its source.
    source: Marks,
    /// To be handed on.
    handed: Marks,
    /// Its own.
    entry: Marks,
    /// Where it leads.
    id: StateId,
    depth: u32,
}

/// What the next step does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Takes the next item of the top frame.
    Search,
    /// The top frame is done.
    Leave,
}

/// A counterexample in the making.
#[derive(Debug)]
enum Making {
    Component(Box<ComponentOf>),
    Lasso(Box<Lasso>),
}

/// Search for accepting cycles, and for violations on the way.
///
/// Tags: a state on the outer search's stack has its place there; others are numbered one by one
/// and have [`DONE`].
#[derive(Debug)]
pub struct GeneralisedNestedDfs {
    walk: Walk<Tagged>,
    all: Marks,
    cyan: ChunkedVec<Cyan>,
    /// Marks on paths to the states that are done.
    known: ChunkedVec<Marks>,
    /// For every mark, one more than the place of the last state on the outer search's stack whose
    /// step has it; 0 if none has.
    last: Vec<u32>,
    /// What these were before the steps on the stack, mark by mark.
    trail: ChunkedVec<u32>,
    /// Place on the stack where the inner search begins, if there is one, the marks that it hands
    /// on, and those of the step before it.
    inner: Option<usize>,
    handed: Marks,
    inner_entry: Marks,
    /// The states between these places of the stack belong to a component that was reported.
    reported: Option<(usize, usize)>,
    phase: Phase,
    making: Option<Making>,
    /// Where on the stack the cycle begins that the stack is, if its marks suffice; and how the
    /// search ends after the report.
    closes_at: Option<usize>,
    ending: Option<Outcome>,
    kept: bool,
    /// The component in the making is to show whether there is a cycle; what to hand on if not.
    doubt: Option<Passing>,
    /// From how many states on this is tried.
    doubted_from: u64,
}

/// The numbers of the bits.
fn bits(mut marks: Marks) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = marks.trailing_zeros();
        marks &= marks.wrapping_sub(1);
        (bit < Marks::BITS).then_some(bit as usize)
    })
}

impl GeneralisedNestedDfs {
    /// A search that leaves out what the reducer says, which has to choose by the state alone.
    pub fn reduced(setup: &Setup, reducer: Option<Box<dyn Reducer>>) -> Self {
        let mut new = Self::new(setup);
        new.walk.reduction = reducer.map(Reduction::by_state);
        new
    }

    /// A search that has not begun.
    pub fn new(setup: &Setup) -> Self {
        let budget = setup.limits.memory_bytes;
        let around = size_of::<Self>() - size_of::<Walk<Tagged>>();
        Self {
            walk: Walk::new(setup, Tagged::new(setup.store, budget), around as u64),
            all: 0,
            cyan: ChunkedVec::new(budget),
            known: ChunkedVec::new(budget),
            last: Vec::new(),
            trail: ChunkedVec::new(budget),
            inner: None,
            handed: 0,
            inner_entry: 0,
            reported: None,
            phase: Phase::Search,
            making: None,
            closes_at: None,
            ending: None,
            kept: setup.limits.kept_violations == 0,
            doubt: None,
            doubted_from: 0,
        }
    }

    /// Tells the walk what memory is used, and what to keep free for the first cycle.
    fn account(&mut self, more: u64) {
        let around = size_of::<Self>() - size_of::<Walk<Tagged>>();
        let tables = self.cyan.memory_bytes()
            + self.known.memory_bytes()
            + self.trail.memory_bytes()
            + self.last.capacity() as u64 * 4;
        self.walk.also = around as u64 + tables;
        let frames = (self.walk.stack.memory_bytes() + more) / size_of::<Frame>() as u64 + 2;
        self.walk.kept_free = if self.kept { 0 } else { EVIDENCE_BYTES + frames * 4 };
    }

    /// Makes sure that a table can grow by so many bytes.
    #[cold]
    fn room(&mut self, more: u64) -> Option<Outcome> {
        self.account(0);
        self.walk.settle(more)
    }

    #[cold]
    fn grown(&mut self) -> Option<Outcome> {
        self.account(0);
        self.walk.settle(0)
    }

    /// Goes on to a state, which is not expanded yet.
    #[inline]
    fn descend(&mut self, frame: Frame, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        let more = self.walk.stack.push_bytes();
        if more > 0 {
            self.account(more);
        }
        let again = self.inner.is_some();
        let end = self.walk.descend(frame);
        end.or_else(
            || if again { self.walk.expand_again(system) } else { self.walk.expand(system) },
        )
    }

    /// Puts a new state on the stack of the outer search, at this place.
    #[inline]
    fn enter(&mut self, id: StateId, place: u32, entry: Marks) -> Option<Outcome> {
        let more = self.cyan.push_bytes();
        if more > 0
            && let Some(stop) = self.room(more)
        {
            return Some(stop);
        }
        self.walk.store.set_tag(id, place & NUMBER);
        self.cyan.push(Cyan { known: 0, entry });
        if more > 0
            && let Some(stop) = self.grown()
        {
            return Some(stop);
        }
        for mark in bits(entry) {
            let more = self.trail.push_bytes();
            if more > 0
                && let Some(stop) = self.room(more)
            {
                return Some(stop);
            }
            if let Some(last) = self.last.get_mut(mark) {
                self.trail.push(std::mem::replace(last, place));
            }
            if more > 0
                && let Some(stop) = self.grown()
            {
                return Some(stop);
            }
        }
        None
    }

    /// Takes the present state from the stack of the outer search; gives the marks of the step to
    /// it.
    fn finish(&mut self) -> Result<Marks, Outcome> {
        let more = self.known.push_bytes();
        if more > 0
            && let Some(stop) = self.room(more)
        {
            return Err(stop);
        }
        let done = self.known.len() as u32;
        let state = self.cyan.pop().unwrap_or_default();
        self.known.push(state.known);
        self.walk.store.set_tag(self.walk.top.id, DONE | done & NUMBER);
        let mut rest = state.entry;
        while rest != 0 {
            let mark = rest.ilog2() as usize;
            rest &= !(1 << mark);
            if let (Some(last), Some(before)) = (self.last.get_mut(mark), self.trail.pop()) {
                *last = before;
            }
        }
        if let Some((low, high)) = self.reported {
            let place = self.walk.stack.len();
            self.reported = (low < place).then_some((low, high.min(place.saturating_sub(1))));
        }
        if more > 0
            && let Some(stop) = self.grown()
        {
            return Err(stop);
        }
        Ok(state.entry)
    }

    /// Marks known to lie on paths to a stored state.
    #[inline]
    fn known(&self, tag: u32) -> Marks {
        let number = (tag & NUMBER) as usize;
        if tag & DONE != 0 {
            self.known.get(number).unwrap_or_default()
        } else {
            self.cyan.get(number).unwrap_or_default().known
        }
    }

    /// Which of these marks stand on the stack of the outer search behind a place.
    #[inline]
    fn behind(&self, place: u32, marks: Marks) -> Marks {
        bits(marks).fold(0, |found, mark| {
            let last = self.last.get(mark).copied().unwrap_or(0);
            if last > place { found | 1 << mark } else { found }
        })
    }

    /// Hands marks on to a stored state, unless all of them are on cycles with it.
    #[inline]
    fn hand_on(&mut self, passing: Passing, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        let tag = self.walk.store.tag(passing.id);
        if tag & DONE == 0 {
            let missing = self.all & !(passing.source | passing.handed | self.known(tag));
            if missing == 0 || self.behind(tag, missing) == missing {
                return self.meet(tag, passing, system);
            }
        }
        self.pass(passing, system)
    }

    /// An inner search begins or goes on if the marks are new at the state.
    #[inline]
    fn pass(&mut self, passing: Passing, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        let Passing { handed, entry, id, depth, .. } = passing;
        let tag = self.walk.store.tag(id);
        let known = self.known(tag);
        if handed & !known == 0 {
            return None;
        }
        let number = (tag & NUMBER) as usize;
        if tag & DONE != 0 {
            self.known.set(number, known | handed);
        } else if let Some(state) = self.cyan.get(number) {
            self.cyan.set(number, Cyan { known: known | handed, ..state });
        }
        if self.inner.is_none() {
            self.inner = Some(self.walk.stack.len() + 1);
            self.handed = handed;
            self.inner_entry = entry;
        }
        self.phase = Phase::Search;
        self.descend(Frame::new(id, depth), system)
    }

    /// A state on the outer search's stack lies on an accepting cycle. Nothing needs to be handed on
    /// to it any more: what lies behind it and not on cycles with it does not need its marks.
    #[cold]
    fn meet(
        &mut self,
        tag: u32,
        passing: Passing,
        system: &mut dyn TransitionSystem,
    ) -> Option<Outcome> {
        let place = (tag & NUMBER) as usize;
        let top = self.inner.map_or(self.walk.stack.len(), |begin| begin - 1);
        // All states from that place on are on cycles with each other.
        if let Some((low, high)) = self.reported
            && place <= high
        {
            self.reported = Some((low.min(place), top));
            return None;
        }
        let on_stack = passing.entry | self.inner.map_or(0, |_| self.inner_entry);
        let missing = self.all & !on_stack;
        self.closes_at = (self.behind(tag, missing) == missing).then_some(place);
        if self.walk.run.cut && self.closes_at.is_none() {
            if self.walk.run.statistics.states_stored < self.doubted_from {
                return self.pass(passing, system);
            }
            self.doubt = Some(passing);
            return self.component(passing.id, system);
        }
        self.report(passing.id, system)
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
        let entry = if self.all == 0 {
            0
        } else {
            match self.finish() {
                Ok(entry) => entry,
                Err(stop) => return Some(stop),
            }
        };
        if !self.walk.back() {
            return Some(self.walk.run.explored());
        }
        let source = self.cyan.last().unwrap_or_default().known;
        let (id, depth) = (frame.id, frame.depth);
        let passing = Passing { source, handed: source | entry, entry, id, depth };
        let end = self.hand_on(passing, system);
        if end.is_some() || self.inner.is_some() || self.making.is_some() {
            return end;
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
            Ok(true) if self.all == 0 => self.walk.expand(system),
            Ok(true) => {
                let sets = (Marks::BITS - self.all.leading_zeros()) as usize;
                if let Some(stop) = self.room(sets as u64 * 4) {
                    return Some(stop);
                }
                self.last.reserve_exact(sets);
                self.last.resize(sets, 0);
                if let Some(stop) = self.grown() {
                    return Some(stop);
                }
                let id = self.walk.top.id;
                self.enter(id, 0, 0).or_else(|| self.walk.expand(system))
            }
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
                let entry = walk.marks() & self.all;
                walk.top.next += 1;
                let depth = walk.count_step(moves, atomic_moves);
                match walk.arrive(start, end, depth) {
                    Ok(Arrival::New(id)) => {
                        let place = walk.stack.len() as u32 + 1;
                        let stop = if self.all == 0 { None } else { self.enter(id, place, entry) };
                        stop.or_else(|| self.descend(Frame::new(id, depth), system))
                    }
                    Ok(Arrival::Seen(_)) if self.all == 0 => None,
                    Ok(Arrival::Seen(id)) => {
                        let source = self.cyan.last().unwrap_or_default().known;
                        let passing = Passing { source, handed: source | entry, entry, id, depth };
                        self.hand_on(passing, system)
                    }
                    Ok(Arrival::Cut) => None,
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
        let entry = walk.marks() & self.all;
        walk.top.next += 1;
        walk.run.statistics.inner_transitions += 1;
        let id = found?;
        let depth = walk.top.depth.saturating_add(moves);
        let source = self.known(self.walk.store.tag(self.walk.top.id));
        let passing = Passing { source, handed: self.handed, entry, id, depth };
        self.hand_on(passing, system)
    }
}

impl OnWalk for GeneralisedNestedDfs {
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
            if self.making.is_some() {
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
