//! What every depth-first search does: a stack of states with their successors, inside the budget.
//!
//! The stack holds ids; successors of states on the stack wait in the ring and are computed again
//! where the ring has lost them.

mod backing_off;

use crate::frames::Frames;
use crate::pending::{Pending, Restored};
use crate::ring::{Ring, SMALLEST_RING, Slot};
use crate::run::Run;
use crate::{Evidence, Outcome, Progress, Setup, Statistics, StopReason};
use promenade_store::{Insert, StateId, StateStore};
use promenade_transition_system::{
    Blocked, CHOICES, Item, Marks, MoreMarks, Reducer, Selection, TransitionSystem, Violation,
    ViolationKind, pack, unpack,
};

/// A state on the search stack.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Frame {
    pub id: StateId,
    /// Number of the next item, packed with whose items they are (see [`pack`]).
    pub next: u32,
    /// How many items there are, packed likewise.
    pub count: u32,
    /// Moves from the initial state.
    pub depth: u32,
}

impl Frame {
    pub(crate) fn new(id: StateId, depth: u32) -> Self {
        Self { id, next: 0, count: 0, depth }
    }
}

/// Where a step led to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arrival {
    New(StateId),
    /// It was stored already.
    Seen(StateId),
    /// Not stored, and beyond the depth limit.
    Cut,
}

/// The path of a depth-first search, with everything that is charged to its budget.
#[derive(Debug)]
pub(crate) struct Walk<S> {
    pub run: Run,
    pub store: S,
    /// The path to the present state, without it.
    pub stack: Frames,
    pub top: Frame,
    pub ring: Ring,
    /// What the ring had to give up, if the search never goes back to a state's first item.
    pub pending: Option<Pending>,
    /// For the state that is expanded, if the store does not keep states as they are.
    pub buffer: Vec<u8>,
    /// The state in the buffer is this one: it was stored just now.
    fresh: Option<StateId>,
    /// Bytes at the end of a state that do not belong to its identity.
    pub hidden: usize,
    pub started: bool,
    /// Memory of what the search has beside this.
    pub also: u64,
    /// Memory to keep free for later, beside what the first piece of evidence needs.
    pub kept_free: u64,
    /// Largest buffer of successors so far, and for how many such buffers to keep memory free.
    pub largest: u64,
    pub buffers_free: u64,
    /// Another order of the items of a state; 0 for none.
    pub shuffle: u32,
    /// Takes a part of the successors where that suffices.
    pub reduction: Option<Reduction<S>>,
    /// The search keeps to the states that the store had from the start. This notes the visit of one;
    /// the answer is whether it is the first.
    visit: Option<fn(&mut S, StateId) -> bool>,
    /// Where the path has no room for another state, the search goes on elsewhere instead of ending.
    backs_off: bool,
}

/// Begins somewhere among the items of a state and goes around, forwards or backwards, as seed and
/// place say.
#[cold]
fn shuffled(seed: u32, place: usize, position: u32, count: u32) -> u32 {
    let (base, items) = (count - count % CHOICES, count % CHOICES);
    let hash = (u64::from(seed) << 32 | place as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let from = (hash >> 32) as u32 % items.max(1);
    let at = (position - base + from) % items.max(1);
    base + if hash >> 31 & 1 == 1 { items - 1 - at } else { at }
}

/// What a depth-first search leaves out.
#[derive(Debug)]
pub(crate) struct Reduction<S> {
    reducer: Box<dyn Reducer>,
    /// Whether a stored state is, or may be, on the path.
    on_path: fn(&S, StateId) -> bool,
}

impl<S> Reduction<S> {
    pub(crate) fn new(reducer: Box<dyn Reducer>, on_path: fn(&S, StateId) -> bool) -> Self {
        Self { reducer, on_path }
    }

    /// For a search that does not know its path, or expands states more than once: a reducer that
    /// chooses by the state alone. For it, every stored state counts as one of the path.
    pub(crate) fn by_state(reducer: Box<dyn Reducer>) -> Self {
        Self::new(reducer, |_, _| true)
    }
}

impl<S: StateStore> Walk<S> {
    /// A walk that has not begun; `also` is the memory of what stands around it.
    pub(crate) fn new(setup: &Setup, store: S, also: u64) -> Self {
        let budget = setup.limits.memory_bytes;
        Self {
            run: Run::new(setup),
            store,
            stack: Frames::plain(budget),
            top: Frame::default(),
            ring: Ring::new(budget),
            pending: None,
            buffer: Vec::new(),
            fresh: None,
            hidden: 0,
            started: false,
            also,
            kept_free: 0,
            largest: 0,
            buffers_free: 0,
            shuffle: setup.shuffle,
            reduction: None,
            visit: None,
            backs_off: false,
        }
    }

    /// Keeps the walk to the states of this store, and cuts off all others. `visit` notes the visit
    /// of one and answers whether it is the first.
    pub(crate) fn keep_to(&mut self, store: S, visit: fn(&mut S, StateId) -> bool) {
        self.store = store;
        self.visit = Some(visit);
        // So nothing is ever stored without looking here.
        self.run.state_limit = 0;
    }

    /// Memory beside the store, with what is kept free.
    fn beside(&self) -> u64 {
        let path = self.stack.reach() + 2;
        let free = self.run.setup.limits.expansion_bytes
            + self.kept_free
            + self.buffers_free * self.largest;
        self.used_beside() + self.reserve(path) + free
    }

    fn used_beside(&self) -> u64 {
        size_of::<Self>() as u64
            + self.stack.memory_bytes()
            + self.ring.bytes
            + self.pending.as_ref().map_or(0, |pending| pending.bytes)
            + self.buffer.capacity() as u64
            + self.run.evidence_bytes
            + self.also
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        self.store.memory_bytes() + self.used_beside()
    }

    fn available(&self) -> u64 {
        self.run.budget().saturating_sub(self.store.memory_bytes() + self.beside())
    }

    pub(crate) fn note_peak(&mut self) {
        let sum = self.memory_bytes();
        // A buffer that turns out too large is dropped at once.
        if sum <= self.run.budget() {
            self.run.statistics.memory_bytes = self.run.statistics.memory_bytes.max(sum);
        }
    }

    /// Makes sure that `more` bytes fit, giving up buffers for it, and tells the store what is left
    /// for it.
    #[cold]
    pub(crate) fn settle(&mut self, more: u64) -> Option<Outcome> {
        self.note_peak();
        let budget = self.run.budget();
        if self.store.memory_bytes() + self.beside() + more > budget {
            self.give_up_buffers();
        }
        let beside = self.beside() + more;
        if self.store.memory_bytes() + beside > budget {
            self.ring.clear();
            return Some(Outcome::Stopped(StopReason::Memory));
        }
        self.store.set_budget((budget - beside).saturating_sub(self.slack()));
        None
    }

    /// Gives up the successors of all states but the top frame's: they are expanded again later.
    #[cold]
    fn give_up_buffers(&mut self) {
        self.ring.shrink(self.stack.len(), SMALLEST_RING);
        if let Some(pending) = &mut self.pending {
            pending.clear();
        }
    }

    /// Whether `more` bytes fit if what is kept free is used for them. Gives up buffers for it.
    pub(crate) fn fits(&mut self, more: u64) -> bool {
        let limits = &self.run.setup.limits;
        let budget = limits.memory_bytes.saturating_sub(limits.expansion_bytes);
        if self.memory_bytes() + more > budget {
            self.give_up_buffers();
        }
        self.memory_bytes() + more <= budget
    }

    /// Fills the buffer of the top frame, and decides which successors suffice.
    pub(crate) fn expand(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        self.fill(system, None, true)
    }

    /// The same for a state that was expanded before, in another part of the search. Only for a
    /// reducer that chooses by the state alone.
    pub(crate) fn expand_again(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        self.fill(system, None, false)
    }

    /// Goes back to the first item of the top frame.
    pub(crate) fn restart(&mut self) {
        self.top.next = self.top.count - self.top.count % CHOICES;
    }

    /// Fills the buffer of the top frame, with the same successors as before if it was expanded.
    fn fill(
        &mut self,
        system: &mut dyn TransitionSystem,
        before: Option<Selection>,
        first: bool,
    ) -> Option<Outcome> {
        let place = self.stack.len();
        // Only a growing ring asks; the sum is not needed otherwise.
        let available = if place < self.ring.slots.len() { 0 } else { self.available() };
        let slot = self.ring.claim(place, available);
        let bytes_before = slot.successors.memory_bytes();
        if let Some(pending) = &mut self.pending {
            pending.take_over(slot, &self.stack, place);
        }
        (slot.owner, slot.first) = (place as u32, 0);
        let (store, hidden, out) = (&self.store, self.hidden, &mut slot.successors);
        let state = match self.fresh.take() {
            Some(id) if id == self.top.id => &self.buffer,
            _ => store.get(self.top.id, &mut self.buffer),
        };
        let selection = match (before, &mut self.reduction) {
            (None, Some(reduction)) => {
                let on_path = reduction.on_path;
                let mut open = |target: &[u8]| {
                    let key = target.len() - hidden.min(target.len());
                    store.find(target, key).is_none_or(|id| !on_path(store, id))
                };
                reduction.reducer.expand(system, state, out, &mut open)
            }
            (selection, _) => {
                let selection = selection.unwrap_or(Selection::All);
                system.expand(state, selection, out);
                selection
            }
        };
        if store.wants_announcements() {
            store.announce(&mut out.items.iter().filter_map(|item| {
                let Item::Target { start, end, .. } = *item else { return None };
                let state = out.slice((start, end));
                Some(&state[..state.len() - hidden.min(state.len())])
            }));
        }
        let after = slot.successors.memory_bytes();
        let count = slot.successors.items.len() as u32;
        let incomplete = slot.successors.incomplete;
        if bytes_before != after {
            self.ring.bytes = self.ring.bytes + after as u64 - bytes_before as u64;
        }
        if count >= CHOICES {
            self.ring.clear();
            return Some(Outcome::Stopped(StopReason::Memory));
        }
        self.top.count = pack(selection, count);
        if before.is_none() && selection != Selection::All {
            self.top.next = pack(selection, 0);
            self.run.statistics.states_reduced += u64::from(first);
        }
        if let Some(cancelled) = self.run.cancelled() {
            // An expansion may have been left unfinished.
            self.ring.clear();
            return Some(cancelled);
        }
        if incomplete && let Some(stop) = self.run.incomplete() {
            return Some(stop);
        }
        if bytes_before != after {
            self.largest = self.largest.max(after as u64);
            let length = self.ring.slots.len();
            if self.ring.bytes > self.ring.limit && length > SMALLEST_RING {
                self.note_peak();
                self.ring.shrink(place, length / 2);
            }
            return self.settle(0);
        }
        if self.pending.as_ref().is_some_and(|pending| pending.wants_block) {
            let available = self.available();
            self.pending.as_mut()?.add_block(available);
            return self.settle(0);
        }
        None
    }

    /// The next item of the top frame, if its buffer is there and has one.
    #[inline]
    pub(crate) fn item(&self) -> Option<&Item> {
        let next = self.choice(self.stack.len(), self.top.next, self.top.count) % CHOICES;
        let slot = self.ring.at(self.stack.len());
        slot.successors.items.get(next.wrapping_sub(slot.first) as usize)
    }

    /// The item that comes at a position in the order of the search, both packed, of a state at a
    /// place of the stack that has so many.
    #[inline]
    fn choice(&self, place: usize, position: u32, count: u32) -> u32 {
        if self.shuffle == 0 || position >= count {
            return position;
        }
        shuffled(self.shuffle, place, position, count)
    }

    /// The choice that was made at a place of the stack, or by the top frame.
    pub(crate) fn chosen(&self, place: usize) -> u32 {
        let frame = self.stack.get(place).unwrap_or(self.top);
        self.choice(place, frame.next - 1, frame.count)
    }

    /// The choices of the whole path, that of the top frame included.
    pub(crate) fn path(&self) -> impl Iterator<Item = u32> + use<'_, S> {
        (0..=self.stack.len()).map(|place| self.chosen(place))
    }

    /// The marks of the next item.
    #[inline]
    pub(crate) fn marks(&self) -> Marks {
        let next = self.choice(self.stack.len(), self.top.next, self.top.count) % CHOICES;
        self.ring.at(self.stack.len()).successors.marks_of(next as usize)
    }

    /// The sets of the next item that have no room in its marks.
    #[inline]
    pub(crate) fn more_marks(&self) -> Option<MoreMarks> {
        let successors = &self.ring.at(self.stack.len()).successors;
        if successors.more_marks.is_empty() {
            return None;
        }
        let next = self.choice(self.stack.len(), self.top.next, self.top.count) % CHOICES;
        successors.more_marks_of(next as usize)
    }

    /// Counts a violation and keeps it with the path if there is room.
    #[cold]
    pub(crate) fn report(
        &mut self,
        violation: Violation,
        moves: u32,
        at_item: bool,
    ) -> Option<Outcome> {
        let length = self.stack.len() + usize::from(at_item);
        if self.backs_off && self.run.ends_next() {
            self.store.drop_path();
        }
        let reserved = self.reserve(self.stack.reach() + 2);
        if self.run.keeps(length, self.available() + reserved) {
            let mut choices = Vec::with_capacity(length);
            let frames = &mut choices;
            self.stack.for_each(|f| {
                let place = frames.len();
                frames.push(self.choice(place, f.next - 1, f.count));
            });
            if at_item {
                let (place, top) = (self.stack.len(), self.top);
                choices.push(self.choice(place, top.next - 1, top.count));
            }
            let depth = u64::from(self.top.depth) + u64::from(moves);
            self.run.keep(Evidence { choices, stem: None, violation, depth });
            let beside = self.beside() + self.slack();
            self.store.set_budget(self.run.budget().saturating_sub(beside));
        }
        self.run.count(violation)
    }

    /// Reports a deadlock if the top frame, whose buffer is there, is one.
    #[inline]
    pub(crate) fn report_blocked(&mut self) -> Option<Outcome> {
        let successors = &self.ring.at(self.stack.len()).successors;
        if successors.blocked != Some(Blocked::InvalidEnd) {
            return None;
        }
        let kind = ViolationKind::InvalidEndState;
        self.report(Violation { kind, pid: None, edge: None }, 0, false)
    }

    /// Counts the moves of a step from the top frame, and how deep it leads.
    #[inline]
    pub(crate) fn count_step(&mut self, moves: u32, atomic_moves: u32) -> u32 {
        let depth = self.top.depth.saturating_add(moves);
        let statistics = &mut self.run.statistics;
        statistics.atomic_steps += u64::from(atomic_moves);
        let within = u64::from(depth.saturating_sub(1));
        statistics.depth = statistics.depth.max(within.min(self.run.depth_limit));
        depth
    }

    /// Stores a state that was arrived at.
    #[inline]
    pub(crate) fn arrive(&mut self, start: u32, end: u32, depth: u32) -> Result<Arrival, Outcome> {
        if let Some(position) = self.top.next.checked_sub(1) {
            let choice = self.choice(self.stack.len(), position, self.top.count);
            self.store.coming_from(self.top.id, choice);
        }
        let place = self.stack.len();
        let state = self.ring.at(place).successors.slice((start, end));
        let key = state.len() - self.hidden.min(state.len());
        let statistics = &mut self.run.statistics;
        let cut = u64::from(depth) >= self.run.depth_limit;
        if cut || statistics.states_stored >= self.run.state_limit {
            let stored = self.store.find(state, key);
            if let Some(visit) = self.visit
                && let Some(id) = stored
            {
                let length = state.len() as u64;
                return Ok(self.arrive_within(visit, id, length, u64::from(depth)));
            }
            let cut = cut || self.visit.is_some();
            if stored.is_none() && !cut {
                return Err(Outcome::Stopped(StopReason::States));
            }
            self.run.cut |= stored.is_none();
            statistics.states_matched += 1;
            return Ok(stored.map_or(Arrival::Cut, Arrival::Seen));
        }
        let length = state.len() as u64;
        if self.backs_off && self.stack.push_bytes() > 0 && !self.has_room_for_frames() {
            return Ok(self.turn_back(start, end, depth));
        }
        let state = self.ring.at(place).successors.slice((start, end));
        let mut insert = self.store.insert(state, key);
        if insert == Insert::Full {
            insert = self.insert_again(start, end);
        }
        let statistics = &mut self.run.statistics;
        match insert {
            Insert::Seen(id) => {
                statistics.states_matched += 1;
                Ok(Arrival::Seen(id))
            }
            Insert::New(id) => {
                remember(&mut self.buffer, self.ring.at(place), (start, end));
                self.fresh = Some(id);
                statistics.states_stored += 1;
                statistics.state_bytes = statistics.state_bytes.max(length);
                statistics.depth = statistics.depth.max(u64::from(depth));
                Ok(Arrival::New(id))
            }
            Insert::Full if self.backs_off && self.store.path_is_full() => {
                Ok(self.turn_back(start, end, depth))
            }
            Insert::Full => Err(Outcome::Stopped(StopReason::Memory)),
        }
    }

    /// Arrives at a state that the search may visit.
    #[cold]
    fn arrive_within(
        &mut self,
        visit: fn(&mut S, StateId) -> bool,
        id: StateId,
        length: u64,
        depth: u64,
    ) -> Arrival {
        let statistics = &mut self.run.statistics;
        if !visit(&mut self.store, id) {
            statistics.states_matched += 1;
            return Arrival::Seen(id);
        }
        statistics.states_stored += 1;
        statistics.state_bytes = statistics.state_bytes.max(length);
        statistics.depth = statistics.depth.max(depth);
        Arrival::New(id)
    }

    /// The stored state that an item of the top frame leads to, if there is one.
    #[inline]
    pub(crate) fn find(&self, start: u32, end: u32) -> Option<StateId> {
        let state = self.ring.at(self.stack.len()).successors.slice((start, end));
        let key = state.len() - self.hidden.min(state.len());
        self.store.find(state, key)
    }

    /// Tries again after the store was told of memory that a shorter stack has left.
    #[cold]
    fn insert_again(&mut self, start: u32, end: u32) -> Insert {
        if self.backs_off && self.store.path_is_full() {
            self.give_up_pending();
        }
        if self.settle(0).is_some() {
            return Insert::Full;
        }
        let state = self.ring.at(self.stack.len()).successors.slice((start, end));
        let key = state.len() - self.hidden.min(state.len());
        self.store.insert(state, key)
    }

    /// The initial step. Afterwards the initial state, if there is one, is the top frame, not yet
    /// expanded.
    pub(crate) fn begin(&mut self, system: &mut dyn TransitionSystem) -> Result<bool, Outcome> {
        self.started = true;
        self.hidden = system.hidden_bytes();
        if let Some(stop) = self.settle(0) {
            return Err(stop);
        }
        let slot = self.ring.claim(0, 0);
        let before = slot.successors.memory_bytes() as u64;
        system.initial(&mut slot.successors);
        let count = slot.successors.items.len();
        self.ring.bytes += slot.successors.memory_bytes() as u64;
        self.ring.bytes -= before;
        if let Some(stop) = self.run.cancelled().or_else(|| self.settle(0)) {
            return Err(stop);
        }
        // The initial state is there whatever the depth limit is.
        let limit = std::mem::replace(&mut self.run.depth_limit, u64::MAX);
        let mut stored = false;
        for index in 0..count {
            match self.ring.at(0).successors.items.get(index) {
                Some(&Item::Target { start, end, atomic_moves, .. }) => {
                    self.run.statistics.atomic_steps += u64::from(atomic_moves);
                    if let Arrival::New(id) = self.arrive(start, end, 0)? {
                        stored = true;
                        self.top = Frame::new(id, 0);
                        self.note_stack(1);
                    }
                }
                Some(&Item::Violation { violation, moves, .. }) => {
                    if let Some(end) = self.report(violation, moves, false) {
                        return Err(end);
                    }
                }
                None => {}
            }
        }
        self.run.depth_limit = limit;
        Ok(stored)
    }

    /// Puts the present state on the stack and goes on with this one, not yet expanded.
    #[inline]
    pub(crate) fn descend(&mut self, frame: Frame) -> Option<Outcome> {
        let more = self.stack.push_bytes();
        if more > 0 {
            // Its share of the reserve for evidence comes with it.
            let reserve = self.stack.growth() * 4;
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
        self.note_stack(self.stack.len() as u64 + 1);
        None
    }

    /// Notes how many states are on stacks.
    #[inline]
    pub(crate) fn note_stack(&mut self, states: u64) {
        let peak = &mut self.run.statistics.peak_stack;
        *peak = (*peak).max(states);
    }

    /// Goes back to the state before, if there is one. [`Self::refresh`] has to follow if the
    /// search goes on there.
    #[inline]
    pub(crate) fn back(&mut self) -> bool {
        self.store.leave(self.top.id);
        let frame = self.stack.pop();
        self.top = frame.unwrap_or(self.top);
        frame.is_some()
    }

    /// Whether the top frame has further items.
    #[inline]
    pub(crate) fn has_more(&self) -> bool {
        self.top.next < self.top.count
    }

    /// Computes the successors of the top frame again if the ring has lost them.
    #[inline]
    pub(crate) fn refresh(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        let place = self.stack.len();
        if self.ring.at(place).owner == place as u32 {
            return None;
        }
        if let Some(pending) = &mut self.pending {
            match pending.restore(&mut self.ring, place) {
                Restored::No => {}
                Restored::InPlace => return None,
                Restored::WithMemory => return self.settle(0),
            }
        }
        self.run.statistics.expanded_again += 1;
        self.fill(system, Some(unpack(self.top.count).0), false)
    }

    pub(crate) fn statistics(&self) -> Statistics {
        let store_bytes = self.store.memory_bytes();
        let stack_bytes = self.memory_bytes() - store_bytes;
        let memory_bytes = self.run.statistics.memory_bytes.max(store_bytes + stack_bytes);
        Statistics { store_bytes, stack_bytes, memory_bytes, ..self.run.statistics }
    }

    pub(crate) fn progress(&self) -> Progress {
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
            path: if self.started { self.stack.len() as u64 + 1 } else { 0 },
        }
    }
}

/// Puts a successor in the buffer for states that are expanded.
// One copy for all stores.
#[inline(never)]
fn remember(buffer: &mut Vec<u8>, slot: &Slot, range: (u32, u32)) {
    buffer.clear();
    buffer.extend_from_slice(slot.successors.slice(range));
}
