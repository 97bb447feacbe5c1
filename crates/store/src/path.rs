//! A visited set of any kind for a depth-first search: the states of the path are kept beside it.
//!
//! Sets that do not keep states as they are cannot give them back, so the path's states stand in an
//! arena of their own that grows and shrinks with it. Where the search has to know whether a state
//! is on its path, their hashes are counted; two states with one hash are then taken for one, which
//! makes a search more careful and nothing wrong.

use crate::arena::Arena;
use crate::{Approximation, Guarantee, Insert, StateId, StateStore, VisitedSet};
use promenade_base::hash::hash64;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

const SEED: u64 = 0x7061_7468;
const ID_BYTES: usize = size_of::<u32>();
/// What an entry of a hash table costs, with its share of unused places.
const ENTRY_BYTES: usize = 32;

/// Hands a hash through.
#[derive(Debug, Default)]
struct Through(u64);

impl Hasher for Through {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash64(bytes, self.0);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

type Counts = HashMap<u64, u32, BuildHasherDefault<Through>>;

/// A set with the states of the path.
///
/// Every new state is on the path until the search leaves it; the last one that came is left first.
/// An id means a state of the path.
#[derive(Debug)]
pub struct PathStore<V> {
    set: V,
    /// States of the path, each with its id in the set.
    states: Arena,
    /// How many states of the path have a hash, if that is wanted.
    counts: Option<Counts>,
    /// Its largest capacity: what it says itself changes with every removal.
    counts_capacity: usize,
    /// Bytes at the end of a state that are not part of its identity.
    hidden: usize,
    budget: u64,
    /// The most that the set may reserve.
    share: u64,
}

/// The id of a stored state that is on the path, and of one that is not or of which that is not
/// known.
const ON_PATH: StateId = StateId(0);
const ELSEWHERE: StateId = StateId(u32::MAX);

fn counts_bytes(capacity: usize) -> u64 {
    (capacity * ENTRY_BYTES) as u64
}

impl<V: VisitedSet> PathStore<V> {
    /// An empty store that reserves at most `budget` bytes, of them at most `share` for the set.
    /// With `track` it knows which states are on the path.
    pub fn new(mut set: V, budget: u64, share: u64, track: bool) -> Self {
        set.set_budget(budget.min(share));
        let counts = track.then(Counts::default);
        Self { set, states: Arena::default(), counts, counts_capacity: 0, hidden: 0, budget, share }
    }

    /// The set.
    pub fn set(&self) -> &V {
        &self.set
    }

    fn beside(&self) -> u64 {
        self.states.memory_bytes() + counts_bytes(self.counts_capacity)
    }

    /// The path has more or less memory now.
    #[cold]
    fn share_out(&mut self) {
        self.set.set_budget(self.share.min(self.budget.saturating_sub(self.beside())));
    }

    fn hash(state: &[u8], key_len: usize) -> u64 {
        hash64(state.get(..key_len).unwrap_or(state), SEED)
    }

    fn is_counted(&self, state: &[u8], key_len: usize) -> bool {
        let hash = || Self::hash(state, key_len);
        self.counts.as_ref().is_some_and(|counts| counts.contains_key(&hash()))
    }

    /// `false` if there is no room for one more hash.
    fn make_room(&mut self) -> bool {
        let available = self.budget.saturating_sub(self.memory_bytes());
        let Some(counts) = &mut self.counts else { return true };
        if counts.len() < counts.capacity() {
            return true;
        }
        // Old and new table are there at once, and the new one has up to twice the places.
        let more = self.counts_capacity.max(16);
        if counts_bytes(3 * more) > available || counts.try_reserve(more).is_err() {
            return false;
        }
        self.counts_capacity = self.counts_capacity.max(counts.capacity());
        self.share_out();
        true
    }
}

impl<V: VisitedSet> VisitedSet for PathStore<V> {
    fn insert(&mut self, state: &[u8], key_len: usize) -> Insert {
        let available = self.budget.saturating_sub(self.memory_bytes());
        let placement = self.states.place(state.len() + ID_BYTES, available);
        let room = self.make_room();
        let Some(placement) = placement.filter(|_| room) else {
            // The set must not take note of a state that is not explored.
            return self.find(state, key_len).map_or(Insert::Full, Insert::Seen);
        };
        match self.set.insert(state, key_len) {
            Insert::Full => Insert::Full,
            Insert::Seen(_) if self.is_counted(state, key_len) => Insert::Seen(ON_PATH),
            Insert::Seen(_) => Insert::Seen(ELSEWHERE),
            Insert::New(inner) => {
                let grown = placement.bytes > 0;
                // The set may have grown since there was room.
                let fits = self.memory_bytes() + placement.bytes <= self.budget;
                let id = fits.then(|| self.states.push([state, &inner.0.to_le_bytes()], placement));
                let Some(id) = id.flatten() else { return Insert::Full };
                self.hidden = state.len().saturating_sub(key_len);
                if let Some(counts) = &mut self.counts {
                    *counts.entry(Self::hash(state, key_len)).or_default() += 1;
                }
                if grown {
                    self.share_out();
                }
                Insert::New(id)
            }
        }
    }

    fn contains(&self, state: &[u8], key_len: usize) -> bool {
        self.set.contains(state, key_len)
    }

    fn len(&self) -> u64 {
        self.set.len()
    }

    fn memory_bytes(&self) -> u64 {
        self.set.memory_bytes() + self.beside()
    }

    fn set_budget(&mut self, bytes: u64) {
        self.budget = bytes;
        self.share_out();
    }

    fn guarantee(&self) -> Guarantee {
        self.set.guarantee()
    }

    fn wants_announcements(&self) -> bool {
        self.set.wants_announcements()
    }

    fn announce(&self, keys: &mut dyn Iterator<Item = &[u8]>) {
        self.set.announce(keys);
    }

    fn leave(&mut self, id: StateId) {
        let stored = self.states.get(id);
        let Some((state, inner)) = stored.split_last_chunk::<ID_BYTES>() else { return };
        if let Some(counts) = &mut self.counts {
            let hash = Self::hash(state, state.len().saturating_sub(self.hidden));
            if let Some(count) = counts.get_mut(&hash) {
                *count -= 1;
                if *count == 0 {
                    counts.remove(&hash);
                }
            }
        }
        self.set.leave(StateId(u32::from_le_bytes(*inner)));
        let before = self.states.memory_bytes();
        self.states.truncate(id);
        if self.states.memory_bytes() < before {
            self.share_out();
        }
    }

    fn coming_from(&mut self, parent: StateId, choice: u32) {
        if let Some((_, inner)) = self.states.get(parent).split_last_chunk::<ID_BYTES>() {
            self.set.coming_from(StateId(u32::from_le_bytes(*inner)), choice);
        }
    }

    fn approximation(&self) -> Approximation {
        self.set.approximation()
    }
}

impl<V: VisitedSet> StateStore for PathStore<V> {
    #[inline]
    fn get<'s>(&'s self, id: StateId, _: &'s mut Vec<u8>) -> &'s [u8] {
        let stored = self.states.get(id);
        stored.get(..stored.len().saturating_sub(ID_BYTES)).unwrap_or(stored)
    }

    fn find(&self, state: &[u8], key_len: usize) -> Option<StateId> {
        if self.is_counted(state, key_len) {
            return Some(ON_PATH);
        }
        self.set.contains(state, key_len).then_some(ELSEWHERE)
    }

    fn first(&self) -> Option<StateId> {
        self.states.first()
    }

    /// None: states of the path are not listed.
    fn after(&self, _: StateId) -> Option<StateId> {
        None
    }

    fn on_path(&self, id: StateId) -> bool {
        id != ELSEWHERE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bitstate, Caching, Exact, bitstate, caching};
    use promenade_base::random::Random;

    /// A random walk up and down a path, against a plain list.
    fn walk<V: VisitedSet>(set: V, budget: u64, share: u64, track: bool) {
        let mut store = PathStore::new(set, budget, share, track);
        let mut random = Random::new(budget);
        let mut path: Vec<(StateId, Vec<u8>)> = Vec::new();
        for round in 0..30_000u64 {
            assert!(store.memory_bytes() <= budget, "{} of {budget}", store.memory_bytes());
            if random.chance(2, 5)
                && let Some((id, state)) = path.pop()
            {
                assert_eq!(store.get(id, &mut Vec::new()), &state[..]);
                store.leave(id);
                continue;
            }
            let number = random.next_u64() % 3000;
            let mut state = number.to_le_bytes().to_vec();
            let key = 8 + number as usize % 300;
            state.resize(key, 0);
            state.extend((round as u32).to_le_bytes());
            let on_path = path.iter().any(|(_, s)| s[..s.len() - 4] == state[..key]);
            let known = store.find(&state, key);
            if track {
                assert_eq!(known.is_some_and(|id| store.on_path(id)), on_path);
            }
            match store.insert(&state, key) {
                Insert::New(id) => {
                    assert!(!on_path && known.is_none());
                    assert_eq!(store.get(id, &mut Vec::new()), &state[..]);
                    path.push((id, state));
                }
                Insert::Seen(id) => {
                    assert!(known.is_some());
                    if track {
                        assert_eq!(store.on_path(id), on_path);
                    }
                }
                Insert::Full => assert!(known.is_none()),
            }
            if round % 500 == 0 {
                assert!(path.iter().all(|(id, s)| store.get(*id, &mut Vec::new()) == &s[..]));
            }
        }
    }

    #[test]
    fn the_path_is_kept_inside_the_budget() {
        for budget in [2000, 40_000, 1 << 22] {
            for track in [false, true] {
                walk(Exact::new(budget), budget, u64::MAX, track);
                let settings = bitstate::Settings::default();
                walk(Bitstate::new(budget, settings), budget, budget / 2, track);
            }
            // A path state that the cache were to forget could be met as a new one.
            let settings = caching::Settings::default();
            walk(Caching::new(budget, settings), budget, budget / 2, true);
        }
    }
}
