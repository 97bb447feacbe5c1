//! Depth-first search in SPIN's order, with an explicit stack.
//!
//! Frames remember a state's id and the next item. The items themselves lie on a second stack of
//! bounded size; when it is full its contents are dropped, and a frame whose items are gone expands
//! its state again when the search comes back to it. So the memory of a deep search is that of its
//! frames, and each drop costs at most one more expansion a frame.

use crate::common::{Reports, invalid_end_state};
use crate::{Evidence, Outcome, Search, SearchEntry, Statistics, Step, StopReason};
use promenade_base::Limits;
use promenade_store::{Insert, StateId, StateStore};
use promenade_transition_system::{Blocked, Item, Selection, Successors, TransitionSystem};

/// The catalogue's entry.
pub const ENTRY: SearchEntry = SearchEntry {
    id: "dfs",
    title: "Depth first",
    doc: "SPIN's order; needs the least memory beside the states.",
};

/// Moves between two looks at the budget.
const SLICE: usize = 64;

#[derive(Clone, Copy, Debug)]
struct Frame {
    state: StateId,
    /// Next item to look at.
    next: u32,
    /// Moves from the initial state.
    depth: u32,
    /// Where its items and bytes begin, if they are on the buffer stack.
    first_item: u32,
    first_byte: u32,
}

/// See the module.
#[derive(Debug)]
pub struct DepthFirst<S> {
    store: S,
    limits: Limits,
    statistics: Statistics,
    reports: Reports,
    frames: Vec<Frame>,
    items: Vec<Item>,
    bytes: Vec<u8>,
    /// Frames below this index have lost their items.
    dropped_below: usize,
    scratch: Successors,
    started: bool,
    cut: bool,
    done: Option<Outcome>,
}

impl<S: StateStore> DepthFirst<S> {
    /// A search that has not begun.
    pub fn new(store: S, limits: Limits) -> Self {
        Self {
            store,
            reports: Reports::new(&limits),
            limits,
            statistics: Statistics::default(),
            frames: Vec::new(),
            items: Vec::new(),
            bytes: Vec::new(),
            dropped_below: 0,
            scratch: Successors::new(false),
            started: false,
            cut: false,
            done: None,
        }
    }

    /// Bytes that buffered successors may take. Vectors grow by doubling and hold old and new
    /// contents for a moment, so three times as much is set aside.
    fn buffer_limit(&self) -> usize {
        (self.limits.memory_bytes / 32).min(16 << 20) as usize
    }

    fn frame_bytes(&self) -> usize {
        self.frames.capacity() * size_of::<Frame>()
    }

    /// Makes room for the next moves and shares the budget between stack and store; false when it
    /// is used up.
    fn within_budget(&mut self) -> bool {
        let budget = self.limits.memory_bytes;
        let buffers = (3 * self.buffer_limit() + 2 * self.scratch.memory_bytes()) as u64;
        let stored = self.store.memory_bytes();
        if self.frames.capacity() - self.frames.len() < SLICE {
            let more = self.frames.capacity().max(4 * SLICE);
            let coming = self.frame_bytes() + (self.frames.capacity() + more) * size_of::<Frame>();
            if stored + buffers + coming as u64 > budget {
                return false;
            }
            self.frames.reserve_exact(more);
        }
        let stack = buffers + self.frame_bytes() as u64;
        self.store.set_budget(budget.saturating_sub(stack));
        self.statistics.store_bytes = stored;
        self.statistics.stack_bytes = (self.frame_bytes()
            + self.items.capacity() * size_of::<Item>()
            + self.bytes.capacity()
            + self.scratch.memory_bytes()) as u64;
        let sum = self.statistics.stack_bytes + stored;
        self.statistics.peak_bytes = self.statistics.peak_bytes.max(sum);
        stack + stored <= budget
    }

    fn choices(frames: &[Frame]) -> Vec<u32> {
        frames.iter().map(|frame| frame.next.saturating_sub(1)).collect()
    }

    /// Reports a violation; the frames' last choices lead to it.
    fn report(&mut self, violation: promenade_transition_system::Violation) -> Option<Outcome> {
        let frames = &self.frames;
        let over = self.reports.add(&mut self.statistics, violation, || Self::choices(frames));
        over.then_some(Outcome::Found)
    }

    /// Puts the items of `scratch` on the buffer stack, for the frame on top.
    fn buffer(&mut self) {
        let need = self.scratch.bytes.len() + self.scratch.items.len() * size_of::<Item>();
        let used = self.bytes.len() + self.items.len() * size_of::<Item>();
        if used > 0 && used + need > self.buffer_limit() {
            self.items.clear();
            self.bytes.clear();
            self.dropped_below = self.frames.len() - 1;
        }
        let Some(frame) = self.frames.last_mut() else { return };
        frame.first_item = self.items.len() as u32;
        frame.first_byte = self.bytes.len() as u32;
        self.items.extend_from_slice(&self.scratch.items);
        self.bytes.extend_from_slice(&self.scratch.bytes);
    }

    fn expand(&mut self, system: &mut dyn TransitionSystem, id: StateId) {
        system.expand(self.store.get(id), Selection::All, &mut self.scratch);
    }

    /// Enters a state that has just been stored.
    fn enter(
        &mut self,
        system: &mut dyn TransitionSystem,
        state: StateId,
        depth: u32,
    ) -> Option<Outcome> {
        if self.limits.states.is_some_and(|n| self.statistics.stored >= n) {
            return Some(Outcome::Stopped(StopReason::States));
        }
        self.statistics.stored += 1;
        self.statistics.max_depth = self.statistics.max_depth.max(u64::from(depth));
        self.expand(system, state);
        if self.scratch.blocked == Some(Blocked::InvalidEnd)
            && let Some(outcome) = self.report(invalid_end_state())
        {
            return Some(outcome);
        }
        if !self.scratch.items.is_empty() {
            self.frames.push(Frame { state, next: 0, depth, first_item: 0, first_byte: 0 });
            self.buffer();
        }
        None
    }

    fn start(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        self.started = true;
        if !self.within_budget() {
            return Some(Outcome::Stopped(StopReason::Memory));
        }
        system.initial(&mut self.scratch);
        let items = std::mem::take(&mut self.scratch.items);
        let bytes = std::mem::take(&mut self.scratch.bytes);
        for item in &items {
            match *item {
                Item::Violation { violation, .. } => {
                    if let Some(outcome) = self.report(violation) {
                        return Some(outcome);
                    }
                }
                Item::Target { start, end, .. } => {
                    let state = &bytes[start as usize..end as usize];
                    match self.insert(system, state) {
                        Insert::New(id) => {
                            if let Some(outcome) = self.enter(system, id, 0) {
                                return Some(outcome);
                            }
                        }
                        Insert::Seen(_) => {}
                        Insert::Full => return Some(Outcome::Stopped(StopReason::Memory)),
                    }
                }
            }
        }
        None
    }

    fn insert(&mut self, system: &dyn TransitionSystem, state: &[u8]) -> Insert {
        let key = state.len().saturating_sub(system.hidden_bytes());
        self.statistics.state_bytes = self.statistics.state_bytes.max(key as u64);
        self.store.insert(state, key)
    }

    /// One item of the frame on top.
    fn step(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        let top = self.frames.len() - 1;
        if top < self.dropped_below {
            let id = self.frames[top].state;
            self.expand(system, id);
            self.items.clear();
            self.bytes.clear();
            self.dropped_below = top;
            self.buffer();
        }
        let frame = &mut self.frames[top];
        let index = (frame.first_item + frame.next) as usize;
        let Some(item) = self.items.get(index) else {
            self.items.truncate(frame.first_item as usize);
            self.bytes.truncate(frame.first_byte as usize);
            self.frames.pop();
            self.statistics.depth = self.frames.last().map_or(0, |f| u64::from(f.depth));
            return None;
        };
        frame.next += 1;
        match *item {
            Item::Violation { violation, moves, .. } => {
                let depth = u64::from(frame.depth) + u64::from(moves);
                self.statistics.max_depth = self.statistics.max_depth.max(depth);
                self.report(violation)
            }
            Item::Target { start, end, moves, atomic_moves, .. } => {
                let depth = frame.depth.saturating_add(moves);
                let base = frame.first_byte as usize;
                self.statistics.atomic_steps += u64::from(atomic_moves);
                self.statistics.max_depth = self.statistics.max_depth.max(u64::from(depth));
                self.statistics.depth = u64::from(depth);
                if self.limits.depth.is_some_and(|limit| u64::from(depth) > limit) {
                    self.cut = true;
                    self.statistics.matched += 1;
                    return None;
                }
                let state = &self.bytes[base + start as usize..base + end as usize];
                let key = state.len().saturating_sub(system.hidden_bytes());
                self.statistics.state_bytes = self.statistics.state_bytes.max(key as u64);
                match self.store.insert(state, key) {
                    Insert::New(id) => self.enter(system, id, depth),
                    Insert::Seen(_) => {
                        self.statistics.matched += 1;
                        None
                    }
                    Insert::Full => Some(Outcome::Stopped(StopReason::Memory)),
                }
            }
        }
    }

    fn run(&mut self, system: &mut dyn TransitionSystem, fuel: u64) -> Option<Outcome> {
        if !self.started {
            let outcome = self.start(system);
            if outcome.is_some() {
                return outcome;
            }
        }
        for turn in 0..fuel {
            if turn % SLICE as u64 == 0 && !self.within_budget() {
                return Some(Outcome::Stopped(StopReason::Memory));
            }
            if self.frames.is_empty() {
                return Some(if self.cut {
                    Outcome::Stopped(StopReason::Depth)
                } else {
                    Outcome::Exhausted
                });
            }
            let outcome = self.step(system);
            if outcome.is_some() {
                return outcome;
            }
        }
        None
    }
}

impl<S: StateStore> Search for DepthFirst<S> {
    fn advance(&mut self, system: &mut dyn TransitionSystem, fuel: u64) -> Step {
        if self.done.is_none() {
            self.done = self.run(system, fuel);
            self.within_budget();
        }
        self.done.map_or(Step::Running, Step::Done)
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn evidence(&self) -> &[Evidence] {
        &self.reports.kept
    }
}
