//! Breadth-first search: states in the order of their distance.
//!
//! The store is the queue: states are expanded in the order in which they were stored. One link a
//! state, to its parent and the choice made there, gives the runs back. Where a queue beside a lossy
//! store has no room for a new state, that one is left out, and the search goes on with what fits.

use crate::links::Links;
use crate::run::Run;
use crate::{
    Evidence, Outcome, Parts, Progress, Search, SearchEntry, Setup, Statistics, Step, StopReason,
    whole,
};
use promenade_store::{Approximation, Insert, QueueStore, StateId, StateStore};
use promenade_transition_system::{
    Blocked, Item, Reducer, Selection, Successors, TransitionSystem, Violation, ViolationKind, pack,
};

/// For the list of searches.
pub const ENTRY: SearchEntry = SearchEntry {
    id: "breadth_first",
    shortest: true,
    liveness: false,
    generalised: false,
    more_marks: false,
    build: |setup| Box::new(BreadthFirst::new(setup, whole(setup))),
    build_with: Some(build_with),
};

fn build_with(setup: &Setup, parts: Parts) -> Box<dyn Search> {
    match parts.store {
        None => {
            // Ids grow in the order of the queue.
            let waits = |present, id| id > present;
            Box::new(BreadthFirst::reduced(setup, whole(setup), parts.reducer, waits))
        }
        Some(store) => {
            let store = QueueStore::new(store.set, setup.limits.memory_bytes, store.share);
            // Whether a stored state still waits is not known.
            let search = BreadthFirst::reduced(setup, store, parts.reducer, |_, _| false);
            Box::new(BreadthFirst { leaves_out: true, ..search })
        }
    }
}

/// Breadth-first search over a store.
#[derive(Debug)]
pub struct BreadthFirst<S> {
    run: Run,
    store: S,
    /// How each state was first reached.
    links: Links,
    /// The state that is being expanded, and its number.
    present: StateId,
    number: u32,
    /// Its distance, and the number of the first state beyond that distance.
    distance: u64,
    next_distance_at: u32,
    /// For the state that is expanded, if the store does not keep states as they are.
    buffer: Vec<u8>,
    successors: Successors,
    /// Takes a part of the successors where that suffices; whose they are.
    reducer: Option<Box<dyn Reducer>>,
    /// Whether a stored state still waits for its expansion, given the one that is expanded.
    waits: fn(StateId, StateId) -> bool,
    selection: Selection,
    /// Next item.
    next: usize,
    buffer_bytes: u64,
    hidden: usize,
    started: bool,
    /// Where the queue is full, the search goes on with what fits.
    leaves_out: bool,
}

/// A search that goes on where its queue is full keeps one part in so many of its memory free for
/// buffers.
const SLACK: u64 = 64;

impl<S: StateStore> BreadthFirst<S> {
    /// A search that has not begun.
    pub fn new(setup: &Setup, store: S) -> Self {
        Self {
            run: Run::new(setup),
            store,
            links: Links::new(setup.limits.memory_bytes),
            present: StateId::default(),
            number: 0,
            distance: 0,
            next_distance_at: 1,
            buffer: Vec::new(),
            successors: Successors::default(),
            reducer: None,
            waits: |_, _| false,
            selection: Selection::All,
            next: 0,
            buffer_bytes: 0,
            hidden: 0,
            started: false,
            leaves_out: false,
        }
    }

    /// A search that leaves out what the reducer says. `waits` tells of a stored state, the second
    /// one, whether it waits while the first one is expanded; it may say no for want of knowledge.
    pub fn reduced(
        setup: &Setup,
        store: S,
        reducer: Option<Box<dyn Reducer>>,
        waits: fn(StateId, StateId) -> bool,
    ) -> Self {
        Self { reducer, waits, ..Self::new(setup, store) }
    }

    /// Gives up the search, but not its store.
    pub(crate) fn into_store(self) -> S {
        self.store
    }

    fn reserve(&self) -> u64 {
        self.run.reserve(self.distance + 2) + self.run.setup.limits.expansion_bytes
    }

    /// Makes sure that `more` bytes fit and tells the store what is left for it.
    #[cold]
    fn settle(&mut self, more: u64) -> Option<Outcome> {
        self.note_peak();
        let beside = self.beside() + self.reserve() + more;
        if self.store.memory_bytes() + beside > self.run.budget() {
            self.successors = Successors::default();
            self.next = 0;
            self.buffer_bytes = 0;
            return Some(Outcome::Stopped(StopReason::Memory));
        }
        self.store.set_budget((self.run.budget() - beside).saturating_sub(self.slack()));
        None
    }

    fn note_peak(&mut self) {
        let sum = self.memory_bytes();
        // A buffer that turns out too large is dropped at once.
        if sum <= self.run.budget() {
            self.run.statistics.memory_bytes = self.run.statistics.memory_bytes.max(sum);
        }
    }

    fn beside(&self) -> u64 {
        size_of::<Self>() as u64
            + self.links.memory_bytes()
            + self.buffer_bytes
            + self.buffer.capacity() as u64
            + self.run.evidence_bytes
    }

    /// Counts the buffer anew after it was filled.
    #[inline]
    fn filled(&mut self) -> Option<Outcome> {
        self.next = 0;
        if let Some(cancelled) = self.run.cancelled() {
            // An expansion may have been left unfinished.
            self.successors = Successors::default();
            self.buffer_bytes = 0;
            return Some(cancelled);
        }
        if self.successors.incomplete
            && let Some(stop) = self.run.incomplete()
        {
            return Some(stop);
        }
        let bytes = self.successors.memory_bytes() as u64;
        if bytes == self.buffer_bytes {
            return None;
        }
        self.buffer_bytes = bytes;
        self.settle(0)
    }

    #[inline]
    fn expand(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        let state = self.store.get(self.present, &mut self.buffer);
        if let Some(reducer) = &mut self.reducer {
            let (store, present, waits, hidden) =
                (&self.store, self.present, self.waits, self.hidden);
            let mut open = |target: &[u8]| {
                let key = target.len() - hidden.min(target.len());
                store.find(target, key).is_none_or(|id| waits(present, id))
            };
            self.selection = reducer.expand(system, state, &mut self.successors, &mut open);
            self.run.statistics.states_reduced += u64::from(self.selection != Selection::All);
        } else {
            system.expand(state, Selection::All, &mut self.successors);
        }
        self.filled()
    }

    /// Counts a violation and keeps it if there is room. `item` is its own choice, if it has one.
    #[cold]
    fn report(&mut self, violation: Violation, item: Option<u32>) -> Option<Outcome> {
        let length = self.distance as usize + usize::from(item.is_some());
        let charged = self.store.memory_bytes() + self.beside();
        if self.run.keeps(length, self.run.budget().saturating_sub(charged)) {
            let mut choices = Vec::with_capacity(length);
            choices.extend(item);
            let mut number = self.number;
            while number > 0
                && let Some((parent, choice)) = self.links.get(number)
            {
                choices.push(choice);
                number = parent;
            }
            choices.reverse();
            self.run.keep(Evidence { depth: choices.len() as u64, choices, stem: None, violation });
            let beside = self.beside() + self.reserve() + self.slack();
            self.store.set_budget(self.run.budget().saturating_sub(beside));
        }
        self.run.count(violation)
    }

    /// Stores a state that was arrived at by a choice, at this distance.
    #[inline]
    fn arrive(
        &mut self,
        range: (u32, u32),
        choice: u32,
        distance: u64,
    ) -> Result<Option<StateId>, Outcome> {
        if distance > 0 {
            self.store.coming_from(self.present, choice);
        }
        let state = self.successors.slice(range);
        let key = state.len() - self.hidden.min(state.len());
        let cut = distance > 0 && distance >= self.run.depth_limit;
        if cut || self.run.statistics.states_stored >= self.run.state_limit {
            let stored = self.store.contains(state, key);
            if !stored && !cut {
                return Err(Outcome::Stopped(StopReason::States));
            }
            self.run.cut |= !stored;
            self.run.statistics.states_matched += 1;
            return Ok(None);
        }
        let more = self.links.push_bytes();
        if more > 0 {
            if self.store.contains(state, key) {
                self.run.statistics.states_matched += 1;
                return Ok(None);
            }
            let beside = self.beside() + self.reserve() + more;
            if self.store.memory_bytes() + beside > self.run.budget() {
                return self.leave_out(distance);
            }
            self.store.set_budget((self.run.budget() - beside).saturating_sub(self.slack()));
        }
        let statistics = &mut self.run.statistics;
        match self.store.insert(state, key) {
            Insert::Seen(_) => {
                statistics.states_matched += 1;
                Ok(None)
            }
            Insert::New(id) => {
                statistics.states_stored += 1;
                let queue = statistics.states_stored - u64::from(self.number);
                statistics.peak_stack = statistics.peak_stack.max(queue);
                statistics.state_bytes = statistics.state_bytes.max(state.len() as u64);
                statistics.depth = statistics.depth.max(distance);
                self.links.push(self.number, choice);
                if more > 0 {
                    let beside = self.beside() + self.reserve() + self.slack();
                    self.store.set_budget(self.run.budget().saturating_sub(beside));
                }
                Ok(Some(id))
            }
            Insert::Full if self.store.path_is_full() => self.leave_out(distance),
            Insert::Full => Err(Outcome::Stopped(StopReason::Memory)),
        }
    }

    /// Goes on without a new state, for which there is no room in the queue.
    #[cold]
    fn leave_out(&mut self, distance: u64) -> Result<Option<StateId>, Outcome> {
        if !self.leaves_out {
            return Err(Outcome::Stopped(StopReason::Memory));
        }
        self.run.statistics.states_matched += 1;
        self.run.not_followed(distance);
        Ok(None)
    }

    /// What a queue that is to leave room for buffers must not take.
    fn slack(&self) -> u64 {
        if self.leaves_out { self.run.budget() / SLACK } else { 0 }
    }

    fn begin(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        self.started = true;
        self.hidden = system.hidden_bytes();
        if let Some(stop) = self.settle(0) {
            return Some(stop);
        }
        system.initial(&mut self.successors);
        if let Some(stop) = self.filled() {
            return Some(stop);
        }
        for index in 0..self.successors.items.len() {
            match self.successors.items.get(index) {
                Some(&Item::Target { start, end, atomic_moves, .. }) => {
                    self.run.statistics.atomic_steps += u64::from(atomic_moves);
                    if let Err(stop) = self.arrive((start, end), 0, 0) {
                        return Some(stop);
                    }
                }
                Some(&Item::Violation { violation, .. }) => {
                    if let Some(end) = self.report(violation, None) {
                        return Some(end);
                    }
                }
                None => {}
            }
        }
        let Some(first) = self.store.first() else { return Some(self.run.explored()) };
        self.present = first;
        self.expand(system)
    }

    /// Goes on with the next state of the queue.
    #[inline]
    fn proceed(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        self.store.leave(self.present);
        let Some(next) = self.store.after(self.present) else {
            return Some(self.run.explored());
        };
        self.present = next;
        self.number += 1;
        if self.number == self.next_distance_at {
            self.distance += 1;
            self.next_distance_at =
                u32::try_from(self.run.statistics.states_stored).unwrap_or(u32::MAX);
            if let Some(stop) = self.settle(0) {
                return Some(stop);
            }
        }
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
            let choice = pack(self.selection, self.next as u32);
            match self.successors.items.get(self.next) {
                Some(&Item::Target { start, end, atomic_moves, .. }) => {
                    self.next += 1;
                    self.run.statistics.atomic_steps += u64::from(atomic_moves);
                    if let Err(stop) = self.arrive((start, end), choice, self.distance + 1) {
                        return Some(stop);
                    }
                }
                Some(&Item::Violation { violation, .. }) => {
                    self.next += 1;
                    if let Some(end) = self.report(violation, Some(choice)) {
                        return Some(end);
                    }
                }
                None => {
                    if self.successors.blocked == Some(Blocked::InvalidEnd) {
                        let kind = ViolationKind::InvalidEndState;
                        let violation = Violation { kind, pid: None, edge: None };
                        if let Some(end) = self.report(violation, None) {
                            return Some(end);
                        }
                    }
                    if let Some(end) = self.proceed(system) {
                        return Some(end);
                    }
                }
            }
        }
        None
    }
}

impl<S: StateStore> Search for BreadthFirst<S> {
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
        let stack_bytes = self.beside();
        let memory_bytes = self.run.statistics.memory_bytes.max(store_bytes + stack_bytes);
        Statistics { store_bytes, stack_bytes, memory_bytes, ..self.run.statistics }
    }

    fn progress(&self) -> Progress {
        let statistics = &self.run.statistics;
        Progress {
            states: statistics.states_stored,
            transitions: statistics.transitions(),
            depth: self.distance,
            max_depth: statistics.depth,
            errors: statistics.errors,
            memory_bytes: self.memory_bytes(),
            budget_bytes: self.run.budget(),
            queued: statistics.states_stored.saturating_sub(u64::from(self.number) + 1),
            path: 0,
        }
    }

    fn evidence(&self) -> &[Evidence] {
        &self.run.evidence
    }

    fn memory_bytes(&self) -> u64 {
        self.store.memory_bytes() + self.beside()
    }

    fn approximation(&self) -> Approximation {
        self.store.approximation()
    }
}
