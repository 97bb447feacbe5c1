//! A visited set of any kind for a depth-first search: the states of the path are kept beside it.
//!
//! Sets that do not keep states as they are cannot give them back. The search reads only the last
//! state of its path, and goes back one by one; so that one is kept, and of each other one what the
//! step from it has changed. Where the search has to know whether a state is on its path, their hashes
//! are counted; two states with one hash are then taken for one, which makes a search more careful and
//! nothing wrong.

use crate::fingerprints::Fingerprints;
use crate::undo::UndoStack;
use crate::{Approximation, Guarantee, Insert, StateId, StateStore, VisitedSet};
use promenade_base::hash::hash64;

const SEED: u64 = 0x7061_7468;
/// Where a set is full, a path with more than one part in so many of the memory is in its way.
const LONG_PATH: u64 = 8;

/// A set with the states of the path.
///
/// Every new state is on the path until the search leaves it; the last one that came is left first.
/// An id means a place on the path. Only the last state can be read.
#[derive(Debug)]
pub struct PathStore<V> {
    set: V,
    /// States of the path, each with its id in the set.
    states: UndoStack,
    /// The hashes of the states of the path, if that is wanted.
    prints: Option<Fingerprints>,
    /// Bytes at the end of a state that are not part of its identity.
    hidden: usize,
    budget: u64,
    /// The most that the set may reserve.
    share: u64,
    /// The last state that did not fit would have had room in the set.
    path_is_full: bool,
}

/// The id of a stored state that is on the path, and of one that is not or of which that is not
/// known.
const ON_PATH: StateId = StateId(0);
const ELSEWHERE: StateId = StateId(u32::MAX);

impl<V: VisitedSet> PathStore<V> {
    /// An empty store that reserves at most `budget` bytes, of them at most `share` for the set.
    /// With `track` it knows which states are on the path.
    pub fn new(mut set: V, budget: u64, share: u64, track: bool) -> Self {
        let prints = track.then(|| Fingerprints::new(budget));
        let beside = prints.as_ref().map_or(0, Fingerprints::memory_bytes);
        set.set_budget(budget.saturating_sub(beside).min(share));
        let states = UndoStack::new(budget);
        Self { set, states, prints, hidden: 0, budget, share, path_is_full: false }
    }

    /// The set.
    pub fn set(&self) -> &V {
        &self.set
    }

    fn beside(&self) -> u64 {
        self.states.memory_bytes() + self.prints.as_ref().map_or(0, Fingerprints::memory_bytes)
    }

    /// The path has more or less memory now.
    #[cold]
    fn share_out(&mut self) {
        self.set.set_budget(self.share.min(self.budget.saturating_sub(self.beside())));
    }

    fn print(state: &[u8], key_len: usize) -> u32 {
        (hash64(state.get(..key_len).unwrap_or(state), SEED) >> 32) as u32
    }

    fn is_on_path(&self, state: &[u8], key_len: usize) -> bool {
        self.prints.as_ref().is_some_and(|prints| prints.contains(Self::print(state, key_len)))
    }

    /// `false` if there is no room for one more state on the path.
    #[cold]
    fn make_room(&mut self, length: usize, print: u32) -> bool {
        if self.states.len() >= ELSEWHERE.0 as usize {
            return false;
        }
        while !self.grow(length, print) {
            if !self.set.give_back() {
                return false;
            }
        }
        self.share_out();
        true
    }

    /// Takes more memory for the path, if there is any.
    fn grow(&mut self, length: usize, print: u32) -> bool {
        let available = self.budget.saturating_sub(self.memory_bytes());
        if !self.states.has_room(length) && !self.states.make_room(length, available) {
            return false;
        }
        let available = self.budget.saturating_sub(self.memory_bytes());
        self.prints
            .as_mut()
            .is_none_or(|prints| prints.has_room(print) || prints.make_room(print, available))
    }

    fn has_room(&self, length: usize, print: u32) -> bool {
        self.states.has_room(length)
            && self.states.len() < ELSEWHERE.0 as usize
            && self.prints.as_ref().is_none_or(|prints| prints.has_room(print))
    }
}

impl<V: VisitedSet> VisitedSet for PathStore<V> {
    fn insert(&mut self, state: &[u8], key_len: usize) -> Insert {
        let print = if self.prints.is_some() { Self::print(state, key_len) } else { 0 };
        if !self.has_room(state.len(), print) && !self.make_room(state.len(), print) {
            // The set must not take note of a state that is not explored.
            let known = self.find(state, key_len);
            self.path_is_full = known.is_none();
            return known.map_or(Insert::Full, Insert::Seen);
        }
        match self.set.insert(state, key_len) {
            Insert::Full => {
                // A set that forgets has room once states of the path are left, any other one once
                // the path has given back what it takes.
                self.path_is_full = self.set.guarantee() == Guarantee::Forgetful
                    || self.beside() > self.budget / LONG_PATH;
                Insert::Full
            }
            Insert::Seen(_) => match &self.prints {
                Some(prints) if prints.contains(print) => Insert::Seen(ON_PATH),
                _ => Insert::Seen(ELSEWHERE),
            },
            Insert::New(inner) => {
                let id = StateId(self.states.len() as u32);
                self.states.push(state, inner.0);
                self.hidden = state.len().saturating_sub(key_len);
                if let Some(prints) = &mut self.prints {
                    prints.add(print);
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

    /// The last state of the path is left, whatever the id is.
    fn leave(&mut self, _: StateId) {
        if self.states.len() == 0 {
            return;
        }
        let state = self.states.state();
        if let Some(prints) = &mut self.prints {
            prints.remove(Self::print(state, state.len().saturating_sub(self.hidden)));
        }
        self.set.leave(StateId(self.states.number()));
        if self.states.pop() {
            self.share_out();
        }
    }

    /// They come from the last state of the path, whatever the id is.
    fn coming_from(&mut self, _: StateId, choice: u32) {
        if self.states.len() > 0 {
            self.set.coming_from(StateId(self.states.number()), choice);
        }
    }

    fn approximation(&self) -> Approximation {
        self.set.approximation()
    }
}

impl<V: VisitedSet> StateStore for PathStore<V> {
    /// The last state of the path, whatever the id is.
    #[inline]
    fn get<'s>(&'s self, _: StateId, _: &'s mut Vec<u8>) -> &'s [u8] {
        self.states.state()
    }

    fn find(&self, state: &[u8], key_len: usize) -> Option<StateId> {
        if self.is_on_path(state, key_len) {
            return Some(ON_PATH);
        }
        self.set.contains(state, key_len).then_some(ELSEWHERE)
    }

    /// None: states of the path are not listed.
    fn first(&self) -> Option<StateId> {
        None
    }

    /// None: states of the path are not listed.
    fn after(&self, _: StateId) -> Option<StateId> {
        None
    }

    fn on_path(&self, id: StateId) -> bool {
        id != ELSEWHERE
    }

    fn path_is_full(&self) -> bool {
        self.path_is_full
    }

    fn path_bytes(&self) -> u64 {
        self.states.chunk_bytes()
    }

    fn drop_path(&mut self) {
        self.states.clear();
        if let Some(prints) = &mut self.prints {
            prints.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bitstate, Caching, Exact, bitstate, caching};
    use promenade_base::random::Random;

    /// A random walk up and down a path, against a plain list.
    /// The answer is how long it was in the end, and how often there was no room on it.
    fn walk<V: VisitedSet>(set: V, budget: u64, share: u64, track: bool) -> (usize, u32) {
        let mut of_path = 0;
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
                let last = path.last().map_or(&[][..], |(_, state)| state);
                assert_eq!(store.get(ON_PATH, &mut Vec::new()), last);
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
                Insert::Full => {
                    assert!(known.is_none());
                    of_path += u32::from(store.path_is_full());
                }
            }
        }
        let depth = path.len();
        let (before, freed) = (store.memory_bytes(), store.path_bytes());
        store.drop_path();
        assert!(store.memory_bytes() + freed <= before);
        (depth, of_path)
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
