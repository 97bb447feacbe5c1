//! Whole states, each with a number that a search may change.
//!
//! The number stands in four hidden bytes behind the state, so it costs no table of its own and is
//! found together with the state.

use crate::{Guarantee, Insert, StateId, StateStore, Store, VisitedSet, Whole};

const TAG_BYTES: usize = size_of::<u32>();

/// A store of whole states that carry a number, 0 at first unless another one is chosen.
#[derive(Debug)]
pub struct Tagged {
    states: Whole,
    first: [u8; TAG_BYTES],
}

impl Tagged {
    /// An empty store that keeps states in this way and reserves at most `budget` bytes.
    pub fn new(kind: Store, budget: u64) -> Self {
        Self::numbered(kind, budget, 0)
    }

    /// An empty store that gives this number to every new state.
    pub fn numbered(kind: Store, budget: u64, first: u32) -> Self {
        Self { states: Whole::new(kind, budget), first: first.to_le_bytes() }
    }

    /// The number of a stored state; 0 for an id of another store.
    #[inline]
    pub fn tag(&self, id: StateId) -> u32 {
        self.states.tail::<TAG_BYTES>(id).map_or(0, u32::from_le_bytes)
    }

    /// Gives a stored state another number.
    #[inline]
    pub fn set_tag(&mut self, id: StateId, tag: u32) {
        self.states.set_tail(id, &tag.to_le_bytes());
    }
}

impl VisitedSet for Tagged {
    #[inline]
    fn insert(&mut self, state: &[u8], key_len: usize) -> Insert {
        self.states.insert_with(state, key_len, &self.first)
    }

    fn contains(&self, state: &[u8], key_len: usize) -> bool {
        self.find(state, key_len).is_some()
    }

    fn len(&self) -> u64 {
        self.states.len()
    }

    fn memory_bytes(&self) -> u64 {
        self.states.memory_bytes()
    }

    fn set_budget(&mut self, bytes: u64) {
        self.states.set_budget(bytes);
    }

    fn guarantee(&self) -> Guarantee {
        self.states.guarantee()
    }
}

impl StateStore for Tagged {
    #[inline]
    fn get<'s>(&'s self, id: StateId, buffer: &'s mut Vec<u8>) -> &'s [u8] {
        let stored = self.states.get(id, buffer);
        stored.get(..stored.len().saturating_sub(TAG_BYTES)).unwrap_or(stored)
    }

    #[inline]
    fn find(&self, state: &[u8], key_len: usize) -> Option<StateId> {
        self.states.find_with(state, key_len, TAG_BYTES)
    }

    fn first(&self) -> Option<StateId> {
        self.states.first()
    }

    fn after(&self, id: StateId) -> Option<StateId> {
        self.states.after(id)
    }
}

/// An exact store that knows which of its states are on the path of a depth-first search: those
/// that came and that the search has not left.
#[derive(Debug)]
pub struct OnPath(Tagged);

const LEFT: u32 = 1;

impl OnPath {
    /// An empty store that keeps states in this way and reserves at most `budget` bytes.
    pub fn new(kind: Store, budget: u64) -> Self {
        Self(Tagged::new(kind, budget))
    }
}

impl VisitedSet for OnPath {
    #[inline]
    fn insert(&mut self, state: &[u8], key_len: usize) -> Insert {
        self.0.insert(state, key_len)
    }

    fn contains(&self, state: &[u8], key_len: usize) -> bool {
        self.0.contains(state, key_len)
    }

    fn len(&self) -> u64 {
        self.0.len()
    }

    fn memory_bytes(&self) -> u64 {
        self.0.memory_bytes()
    }

    fn set_budget(&mut self, bytes: u64) {
        self.0.set_budget(bytes);
    }

    fn guarantee(&self) -> Guarantee {
        self.0.guarantee()
    }

    #[inline]
    fn leave(&mut self, id: StateId) {
        self.0.set_tag(id, LEFT);
    }
}

impl StateStore for OnPath {
    #[inline]
    fn get<'s>(&'s self, id: StateId, buffer: &'s mut Vec<u8>) -> &'s [u8] {
        self.0.get(id, buffer)
    }

    #[inline]
    fn find(&self, state: &[u8], key_len: usize) -> Option<StateId> {
        self.0.find(state, key_len)
    }

    fn first(&self) -> Option<StateId> {
        self.0.first()
    }

    fn after(&self, id: StateId) -> Option<StateId> {
        self.0.after(id)
    }

    #[inline]
    fn on_path(&self, id: StateId) -> bool {
        self.0.tag(id) != LEFT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_base::random::Random;
    use std::collections::HashMap;

    #[test]
    fn tags_belong_to_states_and_change_nothing_else() {
        // The stores of whole states; the others stand for the exact one.
        for kind in Store::ALL.iter().copied() {
            tags_belong_to_states(kind);
        }
    }

    fn tags_belong_to_states(kind: Store) {
        let mut random = Random::new(3);
        let mut ours = Tagged::new(kind, 1 << 20);
        let mut theirs: HashMap<Vec<u8>, (StateId, u32)> = HashMap::new();
        for round in 0..20_000u32 {
            let length = [0, 1, 2, 3, 4, 5, 130][random.below(7)];
            let mut state = vec![0; length];
            let bits = random.next_u64().to_le_bytes();
            state.iter_mut().zip(bits).for_each(|(s, b)| *s = b & 7);
            let key = state.clone();
            state.push(round as u8);
            match ours.insert(&state, key.len()) {
                Insert::New(id) => {
                    assert_eq!(ours.get(id, &mut Vec::new()), &state[..]);
                    assert_eq!(ours.tag(id), 0);
                    assert!(theirs.insert(key, (id, 0)).is_none());
                }
                Insert::Seen(id) => {
                    let known = theirs.get_mut(&key).unwrap();
                    assert_eq!((id, ours.tag(id)), *known);
                    known.1 = round;
                    ours.set_tag(id, round);
                    assert_eq!(ours.find(&state, key.len()), Some(id));
                }
                Insert::Full => panic!("there is room"),
            }
        }
        assert_eq!(ours.len(), theirs.len() as u64);
        for (key, (id, tag)) in &theirs {
            assert_eq!(ours.tag(*id), *tag);
            assert_eq!(&ours.get(*id, &mut Vec::new())[..key.len()], &key[..]);
        }
        assert_eq!(Tagged::new(kind, 0).tag(StateId::default()), 0);
    }
}
