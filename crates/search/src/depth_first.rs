//! Depth-first search in SPIN's order.
//!
//! The items of a state are taken one after the other, each successor explored to its end before
//! the next item is looked at, so that violations come in SPIN's order too. The stack holds ids;
//! successors of states on the stack wait in a bounded ring of buffers and are computed again where
//! the ring has lost them.

use crate::run::Run;
use crate::{
    Evidence, Outcome, Progress, Search, SearchEntry, Setup, Statistics, Step, StopReason, exact,
};
use promenade_store::{ChunkedVec, Insert, StateId, StateStore};
use promenade_transition_system::{
    Blocked, Item, Selection, Successors, TransitionSystem, Violation, ViolationKind,
};

/// For the list of searches.
pub const ENTRY: SearchEntry = SearchEntry {
    id: "depth_first",
    title: "Depth-first",
    doc: "SPIN's order. Needs little memory beside the states; counterexamples can be long.",
    shortest: false,
    build: |setup| Box::new(DepthFirst::new(setup, exact(setup))),
};

/// A state on the search stack.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    id: StateId,
    /// Number of the next item.
    next: u32,
    /// How many items there are.
    count: u32,
    /// Moves from the initial state.
    depth: u32,
}

/// The successors of one state on the stack.
#[derive(Debug)]
struct Slot {
    /// Its place on the stack; `u32::MAX` if there is none.
    owner: u32,
    successors: Successors,
}

impl Slot {
    fn new() -> Self {
        Self { owner: u32::MAX, successors: Successors::default() }
    }
}

/// A ring of successor buffers: the state at place `i` of the stack uses the buffer `i` modulo its
/// length, a power of two.
#[derive(Debug)]
struct Ring {
    slots: Vec<Slot>,
    bytes: u64,
    limit: u64,
}

const SLOT_BYTES: u64 = size_of::<Slot>() as u64;
const SMALLEST_RING: usize = 2;
const LARGEST_RING: usize = 1 << 20;

impl Ring {
    fn new(budget: u64) -> Self {
        let slots = (0..SMALLEST_RING).map(|_| Slot::new()).collect();
        Self { slots, bytes: SMALLEST_RING as u64 * SLOT_BYTES, limit: budget / 16 }
    }

    #[inline]
    fn at(&self, place: usize) -> &Slot {
        &self.slots[place & (self.slots.len() - 1)]
    }

    /// The buffer for a place of the stack, after growing the ring where that helps and fits.
    #[inline]
    fn claim(&mut self, place: usize, available: u64) -> &mut Slot {
        if place >= self.slots.len() && self.bytes * 2 <= self.limit {
            self.grow(available);
        }
        let mask = self.slots.len() - 1;
        &mut self.slots[place & mask]
    }

    #[cold]
    fn grow(&mut self, available: u64) {
        let (old, new) = (self.slots.len(), self.slots.len() * 2);
        if new > LARGEST_RING || new as u64 * SLOT_BYTES > available {
            return;
        }
        self.slots.reserve_exact(old);
        self.slots.resize_with(new, Slot::new);
        self.bytes += old as u64 * SLOT_BYTES;
        for i in 0..old {
            let owner = self.slots[i].owner;
            if owner != u32::MAX && owner as usize & (new - 1) != i {
                self.slots.swap(i, i + old);
            }
        }
    }

    /// Drops every buffer but the one of `place`, and makes the ring this long.
    #[cold]
    fn shrink(&mut self, place: usize, length: usize) {
        let mask = self.slots.len() - 1;
        let kept = std::mem::replace(&mut self.slots[place & mask], Slot::new());
        self.slots = (0..length.max(SMALLEST_RING)).map(|_| Slot::new()).collect();
        let mask = self.slots.len() - 1;
        self.bytes = self.slots.len() as u64 * SLOT_BYTES + kept.successors.memory_bytes() as u64;
        self.slots[place & mask] = kept;
    }

    fn clear(&mut self) {
        self.slots = vec![Slot::new(), Slot::new()];
        self.bytes = SMALLEST_RING as u64 * SLOT_BYTES;
    }
}

/// Depth-first search over a store.
#[derive(Debug)]
pub struct DepthFirst<S> {
    run: Run,
    store: S,
    /// The path to the present state, without it.
    stack: ChunkedVec<Frame>,
    top: Frame,
    ring: Ring,
    /// Bytes at the end of a state that do not belong to its identity.
    hidden: usize,
    started: bool,
}

impl<S: StateStore> DepthFirst<S> {
    /// A search that has not begun.
    pub fn new(setup: &Setup, store: S) -> Self {
        let budget = setup.limits.memory_bytes;
        Self {
            run: Run::new(setup),
            store,
            stack: ChunkedVec::new(budget),
            top: Frame::default(),
            ring: Ring::new(budget),
            hidden: 0,
            started: false,
        }
    }

    /// Memory beside the store, with what is kept free for the first violation.
    fn beside(&self) -> u64 {
        let path = self.stack.memory_bytes() / size_of::<Frame>() as u64 + 2;
        self.used_beside() + self.run.reserve(path)
    }

    fn used_beside(&self) -> u64 {
        size_of::<Self>() as u64
            + self.stack.memory_bytes()
            + self.ring.bytes
            + self.run.evidence_bytes
    }

    fn available(&self) -> u64 {
        self.run.budget().saturating_sub(self.store.memory_bytes() + self.beside())
    }

    fn note_peak(&mut self) {
        let sum = self.memory_bytes();
        // A buffer that turns out too large is dropped at once.
        if sum <= self.run.budget() {
            self.run.statistics.memory_bytes = self.run.statistics.memory_bytes.max(sum);
        }
    }

    /// Makes sure that `more` bytes fit, giving up buffers for it, and tells the store what is left
    /// for it.
    #[cold]
    fn settle(&mut self, more: u64) -> Option<Outcome> {
        self.note_peak();
        let budget = self.run.budget();
        if self.store.memory_bytes() + self.beside() + more > budget {
            self.ring.shrink(self.stack.len(), SMALLEST_RING);
        }
        let beside = self.beside() + more;
        if self.store.memory_bytes() + beside > budget {
            self.ring.clear();
            return Some(Outcome::Stopped(StopReason::Memory));
        }
        self.store.set_budget(budget - beside);
        None
    }

    /// Fills the buffer of the top frame.
    fn expand(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        let place = self.stack.len();
        // Only a growing ring asks; the sum is not needed otherwise.
        let available = if place < self.ring.slots.len() { 0 } else { self.available() };
        let slot = self.ring.claim(place, available);
        let before = slot.successors.memory_bytes();
        slot.owner = place as u32;
        system.expand(self.store.get(self.top.id), Selection::All, &mut slot.successors);
        let after = slot.successors.memory_bytes();
        self.top.count = slot.successors.items.len() as u32;
        if before != after {
            self.ring.bytes = self.ring.bytes + after as u64 - before as u64;
        }
        if let Some(cancelled) = self.run.cancelled() {
            // An expansion may have been left unfinished.
            self.ring.clear();
            return Some(cancelled);
        }
        if before != after {
            let length = self.ring.slots.len();
            if self.ring.bytes > self.ring.limit && length > SMALLEST_RING {
                self.note_peak();
                self.ring.shrink(place, length / 2);
            }
            return self.settle(0);
        }
        None
    }

    /// Counts a violation and keeps it with the path if there is room.
    #[cold]
    fn report(&mut self, violation: Violation, moves: u32, at_item: bool) -> Option<Outcome> {
        let length = self.stack.len() + usize::from(at_item);
        let reserved = self.run.reserve(self.stack.memory_bytes() / size_of::<Frame>() as u64 + 2);
        if self.run.keeps(length, self.available() + reserved) {
            let mut choices = Vec::with_capacity(length);
            choices.extend(self.stack.iter().map(|f| f.next - 1));
            if at_item {
                choices.push(self.top.next - 1);
            }
            let depth = u64::from(self.top.depth) + u64::from(moves);
            self.run.keep(Evidence { choices, stem: None, violation, depth });
            self.store.set_budget(self.run.budget().saturating_sub(self.beside()));
        }
        self.run.count(violation)
    }

    /// Stores a state that was arrived at; `Ok(None)` if it was there.
    #[inline]
    fn arrive(&mut self, start: u32, end: u32, depth: u32) -> Result<Option<StateId>, Outcome> {
        let slot = self.ring.at(self.stack.len());
        let state = slot.successors.slice((start, end));
        let key = state.len() - self.hidden.min(state.len());
        let statistics = &mut self.run.statistics;
        let cut = u64::from(depth) >= self.run.depth_limit;
        if cut || statistics.states_stored >= self.run.state_limit {
            let stored = self.store.contains(state, key);
            if !stored && !cut {
                return Err(Outcome::Stopped(StopReason::States));
            }
            self.run.cut |= !stored;
            statistics.states_matched += 1;
            return Ok(None);
        }
        match self.store.insert(state, key) {
            Insert::Seen(_) => {
                statistics.states_matched += 1;
                Ok(None)
            }
            Insert::New(id) => {
                statistics.states_stored += 1;
                statistics.state_bytes = statistics.state_bytes.max(state.len() as u64);
                statistics.depth = statistics.depth.max(u64::from(depth));
                Ok(Some(id))
            }
            Insert::Full => Err(Outcome::Stopped(StopReason::Memory)),
        }
    }
}

impl<S: StateStore> DepthFirst<S> {
    /// The initial step.
    fn begin(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        self.started = true;
        self.hidden = system.hidden_bytes();
        if let Some(stop) = self.settle(0) {
            return Some(stop);
        }
        let slot = self.ring.claim(0, 0);
        let before = slot.successors.memory_bytes() as u64;
        system.initial(&mut slot.successors);
        let count = slot.successors.items.len();
        self.ring.bytes += slot.successors.memory_bytes() as u64;
        self.ring.bytes -= before;
        if let Some(stop) = self.run.cancelled().or_else(|| self.settle(0)) {
            return Some(stop);
        }
        // The initial state is there whatever the depth limit is.
        let limit = std::mem::replace(&mut self.run.depth_limit, u64::MAX);
        let mut stored = false;
        for index in 0..count {
            match self.ring.at(0).successors.items.get(index) {
                Some(&Item::Target { start, end, atomic_moves, .. }) => {
                    self.run.statistics.atomic_steps += u64::from(atomic_moves);
                    match self.arrive(start, end, 0) {
                        Ok(Some(id)) => {
                            stored = true;
                            self.top = Frame { id, ..Frame::default() };
                        }
                        Ok(None) => {}
                        Err(stop) => return Some(stop),
                    }
                }
                Some(&Item::Violation { violation, moves, .. }) => {
                    if let Some(end) = self.report(violation, moves, false) {
                        return Some(end);
                    }
                }
                None => {}
            }
        }
        self.run.depth_limit = limit;
        if stored { self.expand(system) } else { Some(self.run.explored()) }
    }

    /// Puts the present state on the stack and goes on with this one.
    #[inline]
    fn descend(&mut self, frame: Frame) -> Option<Outcome> {
        let more = self.stack.push_bytes();
        if more > 0 {
            // Its share of the reserve for evidence comes with it.
            let reserve = more / size_of::<Frame>() as u64 * 4;
            if let Some(stop) = self.settle(more + reserve) {
                return Some(stop);
            }
        }
        self.stack.push(self.top);
        if more > 0
            && let Some(stop) = self.settle(0)
        {
            return Some(stop);
        }
        self.top = frame;
        None
    }

    /// Goes back to the state before; `Some` if there is none or its successors are too many now.
    #[inline]
    fn ascend(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        loop {
            let Some(frame) = self.stack.pop() else { return Some(self.run.explored()) };
            self.top = frame;
            // A state that is done needs no successors any more.
            if frame.next < frame.count {
                break;
            }
        }
        let place = self.stack.len();
        if self.ring.at(place).owner == place as u32 {
            return None;
        }
        self.run.statistics.expanded_again += 1;
        self.expand(system)
    }

    fn work(&mut self, system: &mut dyn TransitionSystem, mut fuel: u64) -> Option<Outcome> {
        if let Some(cancelled) = self.run.cancelled() {
            return Some(cancelled);
        }
        while fuel > 0 {
            fuel -= 1;
            if !self.started {
                if let Some(end) = self.begin(system) {
                    return Some(end);
                }
                continue;
            }
            let successors = &self.ring.at(self.stack.len()).successors;
            match successors.items.get(self.top.next as usize) {
                Some(&Item::Target { start, end, moves, atomic_moves, .. }) => {
                    self.top.next += 1;
                    let depth = self.top.depth.saturating_add(moves);
                    let statistics = &mut self.run.statistics;
                    statistics.atomic_steps += u64::from(atomic_moves);
                    let within = u64::from(depth.saturating_sub(1));
                    statistics.depth = statistics.depth.max(within.min(self.run.depth_limit));
                    match self.arrive(start, end, depth) {
                        Ok(None) => {}
                        Ok(Some(id)) => {
                            let frame = Frame { id, depth, next: 0, count: 0 };
                            if let Some(end) = self.descend(frame) {
                                return Some(end);
                            }
                            if let Some(end) = self.expand(system) {
                                return Some(end);
                            }
                        }
                        Err(stop) => return Some(stop),
                    }
                }
                Some(&Item::Violation { violation, moves, .. }) => {
                    self.top.next += 1;
                    if let Some(end) = self.report(violation, moves, true) {
                        return Some(end);
                    }
                }
                None => {
                    if successors.blocked == Some(Blocked::InvalidEnd) {
                        let kind = ViolationKind::InvalidEndState;
                        let violation = Violation { kind, pid: None, edge: None };
                        if let Some(end) = self.report(violation, 0, false) {
                            return Some(end);
                        }
                    }
                    if let Some(end) = self.ascend(system) {
                        return Some(end);
                    }
                }
            }
        }
        None
    }
}

impl<S: StateStore> Search for DepthFirst<S> {
    fn advance(&mut self, system: &mut dyn TransitionSystem, fuel: u64) -> Step {
        if self.run.outcome.is_none() {
            self.run.outcome = self.work(system, fuel);
            if self.run.outcome.is_some() {
                self.note_peak();
            }
        }
        self.run.outcome.map_or(Step::Running, Step::Done)
    }

    fn stop(&mut self, reason: StopReason) -> Outcome {
        *self.run.outcome.get_or_insert(Outcome::Stopped(reason))
    }

    fn outcome(&self) -> Option<Outcome> {
        self.run.outcome
    }

    fn statistics(&self) -> Statistics {
        let store_bytes = self.store.memory_bytes();
        let stack_bytes = self.memory_bytes() - store_bytes;
        let memory_bytes = self.run.statistics.memory_bytes.max(store_bytes + stack_bytes);
        Statistics { store_bytes, stack_bytes, memory_bytes, ..self.run.statistics }
    }

    fn progress(&self) -> Progress {
        let statistics = &self.run.statistics;
        Progress {
            states: statistics.states_stored,
            transitions: statistics.transitions(),
            depth: u64::from(self.top.depth),
            max_depth: statistics.depth,
            errors: statistics.errors,
            memory_bytes: self.memory_bytes(),
            budget_bytes: self.run.budget(),
            queued: 0,
        }
    }

    fn evidence(&self) -> &[Evidence] {
        &self.run.evidence
    }

    fn memory_bytes(&self) -> u64 {
        self.store.memory_bytes() + self.used_beside()
    }
}
