//! Exact breadth-first search by several searchers that share the states among them.
//!
//! Every state belongs to one of the searchers, by its hash; that one stores and expands it, and
//! sends what does not belong to it to the others in batches (U. Stern and D. L. Dill, "Parallelizing
//! the Murphi verifier", 1997). Levels are finished together, so that distances are those of one
//! searcher, and so are all numbers of a complete search. The searchers know nothing of threads or
//! messages; [`Coordinator`] says what they have to be told.
//!
//! The result does not depend on which message comes first. A level in which something is found is
//! finished, and the least of all that was found counts ([`FoundAt::order`]). Of the ways to reach a
//! state in its level, the least is kept: that from the state with the least hash, by the least choice.

mod coordinator;
mod member;
#[cfg(test)]
mod tests;

pub use coordinator::{Coordinator, Order, Told};
pub use member::Member;

use crate::run::Run;
use crate::{Evidence, Outcome, Progress, Setup, Statistics, StopReason};
use promenade_base::hash::hash64;
use promenade_store::{ChunkedVec, Insert, StateId, StateStore, VisitedSet, Whole};
use promenade_transition_system::{
    Blocked, Item, Reducer, Selection, Successors, TransitionSystem, Violation, ViolationKind, pack,
};

/// Decides whose a state is; another hash than that of the store, whose tables would be half empty.
const SEED: u64 = 0x7061_7274;
/// Bytes after which a batch is sent.
const BATCH: usize = 1 << 15;
const HEADER: usize = 3 * size_of::<u32>() + size_of::<u64>();
/// Decides among states of a level; another hash again.
const ORDER: u64 = 0x6f72_6465;

/// How a state was first reached: from which state of which searcher, by which choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// The searcher.
    pub searcher: u32,
    /// The state's number there.
    pub number: u32,
    /// The choice made there.
    pub choice: u32,
}

impl Link {
    /// That of the initial state.
    pub const INITIAL: Self = Self { searcher: 0, number: 0, choice: u32::MAX };
}

impl Default for Link {
    fn default() -> Self {
        Self::INITIAL
    }
}

/// What a searcher has found: the run leads to its state with this number, and maybe one
/// choice further.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FoundAt {
    /// What.
    pub violation: Violation,
    /// Where; nothing for the initial step.
    pub number: Option<u32>,
    /// The choice that reports it, if it is one.
    pub choice: Option<u32>,
    /// Choices of the run.
    pub length: u64,
    /// The hash of the state.
    pub key: u64,
}

impl FoundAt {
    /// What decides between two: the shorter run, the earlier level (a state without successors is
    /// one level later than a choice that leads there), then the state and the choice.
    pub fn order(&self) -> (u64, bool, u64, u32) {
        (self.length, self.choice.is_none(), self.key, self.choice.unwrap_or(0))
    }
}

/// The less of two.
fn less(one: Option<FoundAt>, other: Option<FoundAt>) -> Option<FoundAt> {
    one.into_iter().chain(other).min_by_key(FoundAt::order)
}

/// A state of the level to come, and the hash of the state from which it was reached.
#[derive(Clone, Copy, Default, Debug)]
struct Waiting {
    id: StateId,
    from: u64,
}

/// Where a searcher is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// There are states of this level to be expanded.
    Working,
    /// All states of this level have been expanded, and everything was sent.
    LevelDone,
    /// It cannot go on.
    Stopped(Outcome),
}

/// One of the searchers.
#[derive(Debug)]
pub struct Partition {
    me: u32,
    of: u32,
    run: Run,
    store: Whole,
    links: ChunkedVec<Link>,
    /// The states behind `level_end`.
    waiting: ChunkedVec<Waiting>,
    /// The state that was expanded last, or is expanded now, and the number of the next one, or of
    /// that.
    present: Option<StateId>,
    number: u32,
    /// The hash of the present state.
    key: u64,
    /// One past the last state of this level, and its distance.
    level_end: u32,
    distance: u64,
    /// For the state that is expanded.
    buffer: Vec<u8>,
    successors: Successors,
    /// Takes a part of the successors where that suffices; whose they are.
    reducer: Option<Box<dyn Reducer>>,
    selection: Selection,
    next: usize,
    buffer_bytes: u64,
    hidden: usize,
    /// The present state has been expanded.
    expanded: bool,
    outgoing: Vec<Vec<u8>>,
    /// Batches sent to each in this level, and received in it.
    sent: Vec<u32>,
    received: u32,
    /// Batches of the next level that came before its beginning.
    early: Vec<Vec<u8>>,
    found: Option<FoundAt>,
    /// Something was found after which nothing counts.
    fatal: bool,
    pace: Pace,
}

/// Whose a state is, of so many.
#[inline]
fn owner(key: &[u8], of: u32) -> u32 {
    (((hash64(key, SEED) >> 32) * u64::from(of)) >> 32) as u32
}

impl Partition {
    /// Searcher `me` of `of`. The limits are its own: its share of the memory. It has not begun.
    pub fn new(setup: &Setup, me: u32, of: u32) -> Self {
        let budget = setup.limits.memory_bytes;
        let of = of.max(1);
        Self {
            me,
            of,
            run: Run::new(setup),
            store: Whole::new(setup.store, budget),
            links: ChunkedVec::new(budget),
            waiting: ChunkedVec::new(budget),
            present: None,
            number: 0,
            key: 0,
            level_end: 0,
            distance: 0,
            buffer: Vec::new(),
            successors: Successors::default(),
            reducer: None,
            selection: Selection::All,
            next: 0,
            buffer_bytes: 0,
            hidden: 0,
            expanded: false,
            outgoing: vec![Vec::new(); of as usize],
            sent: vec![0; of as usize],
            received: 0,
            early: Vec::new(),
            found: None,
            fatal: false,
            pace: Pace::LevelDone,
        }
    }

    /// The same, leaving out what the reducer says, which has to choose by the state alone: no
    /// searcher knows what waits at the others.
    pub fn reduced(setup: &Setup, me: u32, of: u32, reducer: Option<Box<dyn Reducer>>) -> Self {
        Self { reducer, ..Self::new(setup, me, of) }
    }

    /// The initial step. The state is stored by the searcher that it belongs to, and its violations
    /// are reported by the first one.
    pub fn begin(&mut self, system: &mut dyn TransitionSystem) {
        self.hidden = system.hidden_bytes();
        self.pace = Pace::Working;
        if let Some(stop) = self.settle(0) {
            self.pace = Pace::Stopped(stop);
            return;
        }
        system.initial(&mut self.successors);
        self.buffer_bytes = self.successors.memory_bytes() as u64;
        for index in 0..self.successors.items.len() {
            let end = match self.successors.items.get(index) {
                Some(&Item::Target { start, end, atomic_moves, .. }) => {
                    let state = self.successors.slice((start, end)).to_vec();
                    let key = state.len() - self.hidden.min(state.len());
                    if owner(&state[..key], self.of) == self.me {
                        self.run.statistics.atomic_steps += u64::from(atomic_moves);
                        self.arrive(&state, Link::default(), 0, 0).err()
                    } else {
                        None
                    }
                }
                Some(&Item::Violation { violation, .. }) if self.me == 0 => {
                    self.report(violation, None, None);
                    None
                }
                _ => None,
            };
            if let Some(end) = end {
                self.pace = Pace::Stopped(end);
                return;
            }
        }
        self.successors.clear();
        self.level_end = self.stored();
        self.waiting = ChunkedVec::new(self.run.budget());
    }

    /// Works for about `fuel` steps, and gives batches to `send` with whom they are for.
    pub fn advance(
        &mut self,
        system: &mut dyn TransitionSystem,
        mut fuel: u64,
        send: &mut dyn FnMut(u32, Vec<u8>),
    ) -> Pace {
        if let Some(cancelled) = self.run.cancelled() {
            self.pace = Pace::Stopped(cancelled);
        }
        while fuel > 0 && self.pace == Pace::Working {
            fuel -= 1;
            self.pace = self.step(system, send);
        }
        self.pace
    }

    fn step(
        &mut self,
        system: &mut dyn TransitionSystem,
        send: &mut dyn FnMut(u32, Vec<u8>),
    ) -> Pace {
        if !self.expanded {
            let next = match self.present {
                _ if self.number >= self.level_end => None,
                Some(last) => self.store.after(last),
                None => self.store.first(),
            };
            let Some(present) = next else {
                self.flush(send);
                return Pace::LevelDone;
            };
            self.present = next;
            let state = self.store.get(present, &mut self.buffer);
            self.key = hash64(&state[..state.len() - self.hidden.min(state.len())], ORDER);
            if let Some(reducer) = &mut self.reducer {
                let out = &mut self.successors;
                self.selection = reducer.expand(system, state, out, &mut |_| false);
                let reduced = self.selection != Selection::All;
                self.run.statistics.states_reduced += u64::from(reduced);
            } else {
                system.expand(state, Selection::All, &mut self.successors);
            }
            self.expanded = true;
            self.next = 0;
            return self.filled().map_or(Pace::Working, Pace::Stopped);
        }
        let choice = pack(self.selection, self.next as u32);
        let end = match self.successors.items.get(self.next) {
            Some(&Item::Target { start, end, atomic_moves, .. }) => {
                self.next += 1;
                self.run.statistics.atomic_steps += u64::from(atomic_moves);
                self.go((start, end), choice, send)
            }
            Some(&Item::Violation { violation, .. }) => {
                self.next += 1;
                self.report(violation, Some(self.number), Some(choice));
                None
            }
            None => {
                self.leave();
                None
            }
        };
        end.map_or(Pace::Working, Pace::Stopped)
    }

    /// The present state has no further items.
    fn leave(&mut self) {
        if self.successors.blocked == Some(Blocked::InvalidEnd) {
            let kind = ViolationKind::InvalidEndState;
            let violation = Violation { kind, pid: None, edge: None };
            self.report(violation, Some(self.number), None);
        }
        self.expanded = false;
        self.number += 1;
    }

    /// Takes a step to a state, of whomever it is.
    fn go(
        &mut self,
        range: (u32, u32),
        choice: u32,
        send: &mut dyn FnMut(u32, Vec<u8>),
    ) -> Option<Outcome> {
        let state = self.successors.slice(range);
        let key = state.len() - self.hidden.min(state.len());
        let whose = owner(&state[..key], self.of);
        if whose == self.me {
            let link = Link { searcher: self.me, number: self.number, choice };
            // The buffer is not touched by the store.
            let successors = std::mem::take(&mut self.successors);
            let answer = self.arrive(successors.slice(range), link, self.key, self.distance + 1);
            self.successors = successors;
            return answer.err();
        }
        let batch = self.outgoing.get_mut(whose as usize)?;
        if batch.capacity() == 0 {
            batch.reserve_exact(BATCH + HEADER + state.len());
        }
        for number in [self.number, choice, state.len() as u32] {
            batch.extend_from_slice(&number.to_le_bytes());
        }
        batch.extend_from_slice(&self.key.to_le_bytes());
        batch.extend_from_slice(state);
        if batch.len() >= BATCH {
            self.send(whose, send);
        }
        None
    }

    fn send(&mut self, whose: u32, send: &mut dyn FnMut(u32, Vec<u8>)) {
        let Some(batch) = self.outgoing.get_mut(whose as usize) else { return };
        if batch.is_empty() {
            return;
        }
        // From whom, as links name the searcher, and in which level.
        let mut bytes = std::mem::take(batch);
        bytes.extend_from_slice(&self.me.to_le_bytes());
        bytes.extend_from_slice(&(self.distance as u32).to_le_bytes());
        if let Some(sent) = self.sent.get_mut(whose as usize) {
            *sent += 1;
        }
        send(whose, bytes);
    }

    fn flush(&mut self, send: &mut dyn FnMut(u32, Vec<u8>)) {
        for whose in 0..self.of {
            self.send(whose, send);
        }
    }

    /// Takes a batch from another searcher. One of the level to come waits for it.
    pub fn deliver(&mut self, batch: Vec<u8>) {
        let Some((rest, level)) = batch.split_last_chunk() else { return };
        if u64::from(u32::from_le_bytes(*level)) > self.distance {
            self.early.push(batch);
            return;
        }
        let Some((records, from)) = rest.split_last_chunk() else { return };
        self.received += 1;
        let searcher = u32::from_le_bytes(*from);
        let mut rest = records;
        while let Some((header, states)) = rest.split_first_chunk::<HEADER>() {
            let number = |at: usize| {
                let bytes = header.get(at..).and_then(|bytes| bytes.first_chunk());
                bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
            };
            let Some((state, later)) = states.split_at_checked(number(8) as usize) else { return };
            rest = later;
            let link = Link { searcher, number: number(0), choice: number(4) };
            let from = u64::from(number(12)) | u64::from(number(16)) << 32;
            if let Err(end) = self.arrive(state, link, from, self.distance + 1) {
                self.pace = Pace::Stopped(end);
                return;
            }
        }
    }

    /// How many batches were sent to each searcher in this level.
    pub fn sent(&self) -> &[u32] {
        &self.sent
    }

    /// How many batches of this level have come.
    pub fn received(&self) -> u32 {
        self.received
    }

    /// States of the next level so far.
    pub fn waiting(&self) -> u64 {
        u64::from(self.stored() - self.level_end)
    }

    /// Goes on with the next level.
    pub fn next_level(&mut self) {
        if self.pace != Pace::LevelDone {
            return;
        }
        self.distance += 1;
        self.level_end = self.stored();
        self.waiting = ChunkedVec::new(self.run.budget());
        self.sent.fill(0);
        self.received = 0;
        self.pace = self.settle(0).map_or(Pace::Working, Pace::Stopped);
        for batch in std::mem::take(&mut self.early) {
            self.deliver(batch);
        }
    }

    fn stored(&self) -> u32 {
        self.store.len() as u32
    }

    /// How a state was reached. The initial state's link leads nowhere.
    pub fn link(&self, number: u32) -> Option<Link> {
        self.links.get(number as usize)
    }

    /// Whether something was found after which nothing counts.
    pub fn is_fatal(&self) -> bool {
        self.fatal
    }

    /// The least of what was found.
    pub fn found(&self) -> Option<FoundAt> {
        self.found
    }

    /// Where it is.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// Ends it from outside.
    pub fn stop(&mut self, reason: StopReason) {
        if !matches!(self.pace, Pace::Stopped(_)) {
            self.pace = Pace::Stopped(Outcome::Stopped(reason));
        }
    }

    /// Whether the depth limit cut something off, or an expansion was given up.
    pub fn explored(&self) -> Outcome {
        self.run.explored()
    }

    fn beside(&self) -> u64 {
        let outgoing: usize = self.outgoing.iter().chain(&self.early).map(Vec::capacity).sum();
        size_of::<Self>() as u64
            + self.links.memory_bytes()
            + self.waiting.memory_bytes()
            + self.buffer_bytes
            + self.buffer.capacity() as u64
            + outgoing as u64
    }

    /// Memory charged now.
    pub fn memory_bytes(&self) -> u64 {
        self.store.memory_bytes() + self.beside()
    }

    /// Makes sure that `more` bytes fit and tells the store what is left for it.
    #[cold]
    fn settle(&mut self, more: u64) -> Option<Outcome> {
        let sum = self.memory_bytes();
        if sum <= self.run.budget() {
            self.run.statistics.memory_bytes = self.run.statistics.memory_bytes.max(sum);
        }
        // Batches that come or go at the same time.
        let batches = 2 * u64::from(self.of) * BATCH as u64;
        let beside = self.beside() + more + batches.min(self.run.budget() / 8);
        if self.store.memory_bytes() + beside > self.run.budget() {
            return Some(Outcome::Stopped(StopReason::Memory));
        }
        self.store.set_budget(self.run.budget() - beside);
        None
    }

    /// Counts the buffer anew after it was filled.
    fn filled(&mut self) -> Option<Outcome> {
        if let Some(cancelled) = self.run.cancelled() {
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

    /// Counts a violation. The search ends with the level, if at all.
    fn report(&mut self, violation: Violation, number: Option<u32>, choice: Option<u32>) {
        let (length, key) = match number {
            Some(_) => (self.distance + u64::from(choice.is_some()), self.key),
            None => (0, 0),
        };
        let found = FoundAt { violation, number, choice, length, key };
        self.found = less(self.found, Some(found));
        self.fatal |= self.run.count(violation) == Some(Outcome::Fatal);
    }

    /// Stores a state that belongs to this searcher. `from` is the hash of the state from which it was
    /// reached.
    fn arrive(
        &mut self,
        state: &[u8],
        link: Link,
        from: u64,
        distance: u64,
    ) -> Result<(), Outcome> {
        let key = state.len() - self.hidden.min(state.len());
        let cut = distance > 0 && distance >= self.run.depth_limit;
        if cut || self.run.statistics.states_stored >= self.run.state_limit {
            let stored = self.store.contains(state, key);
            if !stored && !cut {
                return Err(Outcome::Stopped(StopReason::States));
            }
            self.run.cut |= !stored;
            self.run.statistics.states_matched += 1;
            return Ok(());
        }
        let more = self.links.push_bytes() + self.waiting.push_bytes();
        if more > 0
            && let Some(stop) = self.settle(more)
        {
            return Err(stop);
        }
        let statistics = &mut self.run.statistics;
        match self.store.insert(state, key) {
            Insert::Seen(id) => {
                statistics.states_matched += 1;
                self.relink(id, state, link, from);
            }
            Insert::New(id) => {
                statistics.states_stored += 1;
                statistics.state_bytes = statistics.state_bytes.max(state.len() as u64);
                statistics.depth = statistics.depth.max(distance);
                self.links.push(link);
                self.waiting.push(Waiting { id, from });
            }
            Insert::Full => return Err(Outcome::Stopped(StopReason::Memory)),
        }
        Ok(())
    }

    /// Another way to a state, which counts if it is less than that known so far. What is hidden in the
    /// state comes with it.
    fn relink(&mut self, id: StateId, state: &[u8], link: Link, from: u64) {
        // Ids grow.
        let (mut low, mut high) = (0, self.waiting.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.waiting.get(middle) {
                Some(one) if one.id < id => low = middle + 1,
                _ => high = middle,
            }
        }
        let Some(known) = self.waiting.get(low).filter(|known| known.id == id) else { return };
        let number = self.level_end as usize + low;
        let Some(before) = self.links.get(number) else { return };
        if (from, link.choice) < (known.from, before.choice) {
            self.waiting.set(low, Waiting { id, from });
            self.links.set(number, link);
            self.store.set_hidden(id, &state[state.len() - self.hidden.min(state.len())..]);
        }
    }

    /// Numbers so far.
    pub fn statistics(&self) -> Statistics {
        let store_bytes = self.store.memory_bytes();
        let stack_bytes = self.beside();
        let memory_bytes = self.run.statistics.memory_bytes.max(store_bytes + stack_bytes);
        Statistics { store_bytes, stack_bytes, memory_bytes, ..self.run.statistics }
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        let statistics = &self.run.statistics;
        Progress {
            states: statistics.states_stored,
            transitions: statistics.transitions(),
            depth: self.distance,
            max_depth: statistics.depth,
            errors: statistics.errors,
            memory_bytes: self.memory_bytes(),
            budget_bytes: self.run.budget(),
            queued: u64::from(self.stored().saturating_sub(self.number)),
            path: 0,
        }
    }
}

/// The numbers of all searchers together.
pub fn together(all: &[Statistics]) -> Statistics {
    let mut sum = Statistics::default();
    for one in all {
        sum.states_stored += one.states_stored;
        sum.states_matched += one.states_matched;
        sum.states_reduced += one.states_reduced;
        sum.atomic_steps += one.atomic_steps;
        sum.errors += one.errors;
        sum.depth = sum.depth.max(one.depth);
        sum.state_bytes = sum.state_bytes.max(one.state_bytes);
        sum.store_bytes += one.store_bytes;
        sum.stack_bytes += one.stack_bytes;
        sum.memory_bytes += one.memory_bytes;
        sum.peak_stack += one.peak_stack;
    }
    sum
}

/// Evidence of what was found, from the links along its run, the last one first.
pub fn evidence(found: &FoundAt, links: &[Link]) -> Evidence {
    let mut choices: Vec<u32> = links.iter().rev().map(|link| link.choice).collect();
    choices.extend(found.choice);
    Evidence { depth: choices.len() as u64, choices, stem: None, violation: found.violation }
}
