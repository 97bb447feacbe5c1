//! Breadth-first search: the first violation found has a shortest run (in stored states).
//!
//! Ids of the store count in the order of storing, which is the order of the queue, so the queue is
//! one number. Every state remembers where it came from.

use crate::common::{Reports, invalid_end_state};
use crate::{Evidence, Outcome, Search, SearchEntry, Statistics, Step, StopReason};
use promenade_base::Limits;
use promenade_store::{Insert, StateId, StateStore};
use promenade_transition_system::{
    Blocked, Item, Selection, Successors, TransitionSystem, Violation,
};

/// The catalogue's entry.
pub const ENTRY: SearchEntry = SearchEntry {
    id: "bfs",
    title: "Breadth first",
    doc: "Finds a shortest counterexample; remembers where every state came from.",
};

#[derive(Clone, Copy, Debug)]
struct Link {
    parent: u32,
    choice: u32,
    /// Moves from the initial state.
    depth: u32,
}

const CHUNK: usize = 1 << 12;

/// See the module.
#[derive(Debug)]
pub struct BreadthFirst<S> {
    store: S,
    limits: Limits,
    statistics: Statistics,
    reports: Reports,
    /// By state id, in chunks so that growing never doubles.
    links: Vec<Vec<Link>>,
    scratch: Successors,
    /// The state whose items are being looked at, and the next item.
    current: Option<(u32, usize)>,
    next: u32,
    started: bool,
    cut: bool,
    done: Option<Outcome>,
}

impl<S: StateStore> BreadthFirst<S> {
    /// A search that has not begun.
    pub fn new(store: S, limits: Limits) -> Self {
        Self {
            store,
            reports: Reports::new(&limits),
            limits,
            statistics: Statistics::default(),
            links: Vec::new(),
            scratch: Successors::new(false),
            current: None,
            next: 0,
            started: false,
            cut: false,
            done: None,
        }
    }

    fn link(&self, id: u32) -> Link {
        self.links[id as usize / CHUNK][id as usize % CHUNK]
    }

    fn within_budget(&mut self) -> bool {
        let links = self.links.len() * CHUNK * size_of::<Link>();
        // One more chunk of links, and a scratch buffer that doubles.
        let coming = CHUNK * size_of::<Link>() + 2 * self.scratch.memory_bytes();
        let stack = (links + self.scratch.memory_bytes()) as u64;
        let budget = self.limits.memory_bytes.saturating_sub(stack + coming as u64);
        self.store.set_budget(budget);
        self.statistics.stack_bytes = stack;
        self.statistics.store_bytes = self.store.memory_bytes();
        let sum = stack + self.statistics.store_bytes;
        self.statistics.peak_bytes = self.statistics.peak_bytes.max(sum);
        sum + coming as u64 <= self.limits.memory_bytes
    }

    /// The choices that lead to a state.
    fn choices(&self, id: u32) -> Vec<u32> {
        let mut choices = Vec::new();
        let mut at = id;
        while at != 0 {
            let link = self.link(at);
            choices.push(link.choice);
            at = link.parent;
        }
        choices.reverse();
        choices
    }

    fn report(&mut self, violation: Violation, state: u32, item: Option<u32>) -> Option<Outcome> {
        let mut choices = Vec::new();
        if self.reports.wants_more() {
            choices = self.choices(state);
            choices.extend(item);
        }
        let over = self.reports.add(&mut self.statistics, violation, || choices);
        over.then_some(Outcome::Found)
    }

    fn insert(&mut self, hidden: usize, target: (u32, u32), link: Link) -> Option<Outcome> {
        let state = self.scratch.slice(target);
        let key = state.len().saturating_sub(hidden);
        self.statistics.state_bytes = self.statistics.state_bytes.max(key as u64);
        match self.store.insert(state, key) {
            Insert::Seen(_) => {
                self.statistics.matched += 1;
                None
            }
            Insert::Full => Some(Outcome::Stopped(StopReason::Memory)),
            Insert::New(StateId(id)) => {
                if self.limits.states.is_some_and(|n| self.statistics.stored >= n) {
                    return Some(Outcome::Stopped(StopReason::States));
                }
                self.statistics.stored += 1;
                self.statistics.max_depth = self.statistics.max_depth.max(u64::from(link.depth));
                if id as usize / CHUNK == self.links.len() {
                    self.links.push(Vec::with_capacity(CHUNK));
                }
                if let Some(chunk) = self.links.last_mut() {
                    chunk.push(link);
                }
                None
            }
        }
    }

    fn start(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        self.started = true;
        if !self.within_budget() {
            return Some(Outcome::Stopped(StopReason::Memory));
        }
        system.initial(&mut self.scratch);
        for index in 0..self.scratch.items.len() {
            let outcome = match self.scratch.items[index] {
                Item::Violation { violation, .. } => self.report(violation, 0, None),
                Item::Target { start, end, .. } => {
                    let link = Link { parent: 0, choice: 0, depth: 0 };
                    self.insert(system.hidden_bytes(), (start, end), link)
                }
            };
            if outcome.is_some() {
                return outcome;
            }
        }
        None
    }

    /// One item, or the next state's expansion.
    fn step(&mut self, system: &mut dyn TransitionSystem) -> Option<Outcome> {
        let Some((state, item)) = self.current else {
            let state = self.next;
            self.next += 1;
            system.expand(self.store.get(StateId(state)), Selection::All, &mut self.scratch);
            self.current = Some((state, 0));
            self.statistics.depth = u64::from(self.link(state).depth);
            if self.scratch.blocked == Some(Blocked::InvalidEnd) {
                return self.report(invalid_end_state(), state, None);
            }
            return None;
        };
        let Some(found) = self.scratch.items.get(item) else {
            self.current = None;
            return None;
        };
        self.current = Some((state, item + 1));
        match *found {
            Item::Violation { violation, .. } => self.report(violation, state, Some(item as u32)),
            Item::Target { start, end, moves, atomic_moves, .. } => {
                self.statistics.atomic_steps += u64::from(atomic_moves);
                let depth = self.link(state).depth.saturating_add(moves);
                if self.limits.depth.is_some_and(|limit| u64::from(depth) > limit) {
                    self.cut = true;
                    self.statistics.matched += 1;
                    return None;
                }
                let link = Link { parent: state, choice: item as u32, depth };
                self.insert(system.hidden_bytes(), (start, end), link)
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
            if turn % 64 == 0 && !self.within_budget() {
                return Some(Outcome::Stopped(StopReason::Memory));
            }
            if self.current.is_none() && self.next >= self.store.len() {
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

impl<S: StateStore> Search for BreadthFirst<S> {
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
