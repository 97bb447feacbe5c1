//! Whole states, each compared byte by byte: nothing is ever confused or lost.
//!
//! A state costs its bytes, one or two for its length, and between 5.7 and 8.6 in the table.

use crate::arena::Arena;
use crate::table::{Slot, Table};
use crate::{Guarantee, Insert, StateId, StateStore, StoreEntry, VisitedSet};
use promenade_base::hash::hash64;

/// For the list of stores.
pub const ENTRY: StoreEntry = StoreEntry {
    id: "exact",
    title: "Exact",
    doc: "Keeps every state as it is and compares whole states. The result is a proof as far as \
          the search goes.",
    guarantee: Guarantee::Exact,
};

const SEED: u64 = 0;

/// The exact store.
#[derive(Debug)]
pub struct Exact {
    arena: Arena,
    table: Table,
    budget: u64,
    count: u64,
    hidden: usize,
}

impl Exact {
    /// An empty store that reserves at most `budget` bytes.
    pub fn new(budget: u64) -> Self {
        let table = Table::new(budget);
        Self { arena: Arena::default(), table, budget, count: 0, hidden: 0 }
    }

    fn available(&self) -> u64 {
        self.budget.saturating_sub(self.memory_bytes())
    }

    /// Looks for a state of this length, key and hash.
    #[inline]
    fn look(&self, length: usize, key: &[u8], hash: u64) -> Slot {
        self.table.find(hash, |id| {
            let stored = self.arena.get(id);
            stored.len() == length && stored.get(..key.len()) == Some(key)
        })
    }

    /// Grows the segment where `hash` belongs if there is memory for it.
    #[cold]
    fn grow(&mut self, hash: u64, kept_free: u64) -> bool {
        let available = self.available().saturating_sub(kept_free);
        let (arena, hidden) = (&self.arena, self.hidden);
        self.table.grow(hash, available, |id| {
            let stored = arena.get(id);
            hash64(&stored[..stored.len().saturating_sub(hidden)], SEED)
        })
    }

    /// As [`VisitedSet::insert`], with `tail` as further hidden bytes at the end of the state.
    #[inline]
    pub(crate) fn insert_with(&mut self, state: &[u8], key_len: usize, tail: &[u8]) -> Insert {
        let key = state.get(..key_len).unwrap_or(state);
        let hash = hash64(key, SEED);
        let length = state.len() + tail.len();
        let mut slot = match self.look(length, key, hash) {
            Slot::Taken(id) => return Insert::Seen(id),
            Slot::Vacant(vacancy) => Some(vacancy),
            Slot::Crowded => None,
        };
        if self.count == 0 {
            self.hidden = length - key.len();
        }
        let Some(placement) = self.arena.place(length, self.available()) else {
            return Insert::Full;
        };
        // A segment that cannot grow may be filled to the last slot.
        if slot.is_none_or(|vacancy| self.table.wants_growth(vacancy))
            && self.grow(hash, placement.bytes)
        {
            slot = match self.table.find(hash, |_| false) {
                Slot::Vacant(vacancy) => Some(vacancy),
                _ => None,
            };
        }
        let Some(vacancy) = slot else { return Insert::Full };
        let Some(id) = self.arena.push(state, tail, placement) else { return Insert::Full };
        self.table.fill(vacancy, hash, id);
        self.count += 1;
        Insert::New(id)
    }

    /// The stored state with this identity, if all states have `tail` further hidden bytes.
    #[inline]
    pub(crate) fn find_with(&self, state: &[u8], key_len: usize, tail: usize) -> Option<StateId> {
        let key = state.get(..key_len).unwrap_or(state);
        match self.look(state.len() + tail, key, hash64(key, SEED)) {
            Slot::Taken(id) => Some(id),
            Slot::Vacant(_) | Slot::Crowded => None,
        }
    }

    /// Overwrites hidden bytes at the end of a state.
    #[inline]
    pub(crate) fn set_tail(&mut self, id: StateId, tail: &[u8]) {
        if tail.len() <= self.hidden {
            self.arena.set_tail(id, tail);
        }
    }
}

impl VisitedSet for Exact {
    #[inline]
    fn insert(&mut self, state: &[u8], key_len: usize) -> Insert {
        self.insert_with(state, key_len, &[])
    }

    fn contains(&self, state: &[u8], key_len: usize) -> bool {
        self.find_with(state, key_len, 0).is_some()
    }

    fn len(&self) -> u64 {
        self.count
    }

    fn memory_bytes(&self) -> u64 {
        self.arena.memory_bytes() + self.table.memory_bytes()
    }

    fn set_budget(&mut self, bytes: u64) {
        self.budget = bytes;
    }

    fn guarantee(&self) -> Guarantee {
        ENTRY.guarantee
    }
}

impl StateStore for Exact {
    #[inline]
    fn get(&self, id: StateId) -> &[u8] {
        self.arena.get(id)
    }

    fn find(&self, state: &[u8], key_len: usize) -> Option<StateId> {
        self.find_with(state, key_len, 0)
    }

    fn first(&self) -> Option<StateId> {
        self.arena.first()
    }

    fn after(&self, id: StateId) -> Option<StateId> {
        self.arena.after(id)
    }
}
