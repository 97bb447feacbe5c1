//! A visited set of any kind for a breadth-first search: the states that wait are kept beside it.

use crate::{Approximation, Guarantee, Insert, StateId, StateStore, VisitedSet};
use std::collections::VecDeque;

const CHUNK_BYTES: usize = 1 << 16;
const NUMBER_BYTES: usize = size_of::<u32>();
/// In front of a state: its length and its id in the set.
const HEAD_BYTES: usize = 2 * NUMBER_BYTES;

/// Waiting states, each behind its length and its id in the set.
#[derive(Debug)]
struct Chunk {
    bytes: Vec<u8>,
}

/// A set with the states that wait to be expanded, first come, first served.
///
/// The state that came first is at the head until the search leaves it; only that one can be read.
#[derive(Debug)]
pub struct QueueStore<V> {
    set: V,
    chunks: VecDeque<Chunk>,
    /// Where the head begins in the first chunk.
    head: usize,
    waiting: u64,
    reserved: u64,
    budget: u64,
    /// The most that the set may reserve.
    share: u64,
}

impl<V: VisitedSet> QueueStore<V> {
    /// An empty store that reserves at most `budget` bytes, of them at most `share` for the set.
    pub fn new(mut set: V, budget: u64, share: u64) -> Self {
        set.set_budget(budget.min(share));
        let chunks = VecDeque::new();
        Self { set, chunks, head: 0, waiting: 0, reserved: 0, budget, share }
    }

    /// The set.
    pub fn set(&self) -> &V {
        &self.set
    }

    fn beside(&self) -> u64 {
        self.reserved + (self.chunks.capacity() * size_of::<Chunk>()) as u64
    }

    /// The queue has more or less memory now.
    #[cold]
    fn share_out(&mut self) {
        self.set.set_budget(self.share.min(self.budget.saturating_sub(self.beside())));
    }

    /// Whether a record has room in the last chunk.
    #[inline]
    fn has_room(&self, record: usize) -> bool {
        self.chunks.back().is_some_and(|c| c.bytes.capacity() - c.bytes.len() >= record)
    }

    /// A new chunk for a record; `false` if there is no memory for it.
    #[cold]
    fn add_chunk(&mut self, record: usize) -> bool {
        if self.waiting == 0 {
            self.chunks.clear();
            (self.head, self.reserved) = (0, 0);
        }
        let size = record.max(CHUNK_BYTES.min((self.budget / 64) as usize));
        let list = if self.chunks.len() == self.chunks.capacity() {
            (self.chunks.capacity().max(4) * 2 * size_of::<Chunk>()) as u64
        } else {
            0
        };
        let mut bytes = Vec::new();
        if self.memory_bytes() + list + size as u64 > self.budget
            || bytes.try_reserve_exact(size).is_err()
        {
            return false;
        }
        if list > 0 {
            self.chunks.reserve_exact(self.chunks.capacity().max(4));
        }
        self.reserved += bytes.capacity() as u64;
        self.chunks.push_back(Chunk { bytes });
        self.share_out();
        true
    }

    /// The head, if there is one.
    #[inline]
    fn front(&self) -> Option<&[u8]> {
        let bytes = &self.chunks.front().filter(|_| self.waiting > 0)?.bytes;
        let length = u32::from_le_bytes(*bytes.get(self.head..)?.first_chunk()?) as usize;
        bytes.get(self.head + HEAD_BYTES..self.head + HEAD_BYTES + length)
    }

    /// The head's id in the set.
    fn front_id(&self) -> Option<StateId> {
        let bytes = &self.chunks.front().filter(|_| self.waiting > 0)?.bytes;
        let id = bytes.get(self.head + NUMBER_BYTES..)?.first_chunk()?;
        Some(StateId(u32::from_le_bytes(*id)))
    }
}

impl<V: VisitedSet> VisitedSet for QueueStore<V> {
    fn insert(&mut self, state: &[u8], key_len: usize) -> Insert {
        let record = state.len() + HEAD_BYTES;
        if !self.has_room(record) && !self.add_chunk(record) {
            // The set must not take note of a state that is not explored.
            let known = self.set.contains(state, key_len);
            return if known { Insert::Seen(StateId::default()) } else { Insert::Full };
        }
        let answer = self.set.insert(state, key_len);
        if let Insert::New(id) = answer
            && let Some(last) = self.chunks.back_mut()
        {
            last.bytes.extend_from_slice(&(state.len() as u32).to_le_bytes());
            last.bytes.extend_from_slice(&id.0.to_le_bytes());
            last.bytes.extend_from_slice(state);
            self.waiting += 1;
            return Insert::New(StateId::default());
        }
        answer
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

    /// The head is done, whatever the id is.
    fn leave(&mut self, _: StateId) {
        let Some(length) = self.front().map(<[u8]>::len) else { return };
        self.waiting -= 1;
        self.head += HEAD_BYTES + length;
        while self.chunks.front().is_some_and(|chunk| self.head >= chunk.bytes.len()) {
            self.head = 0;
            if self.chunks.len() == 1 {
                self.chunks.iter_mut().for_each(|chunk| chunk.bytes.clear());
                break;
            }
            let dropped = self.chunks.pop_front().map_or(0, |chunk| chunk.bytes.capacity());
            self.reserved -= dropped as u64;
            self.share_out();
        }
    }

    /// They come from the head, whatever the id is.
    fn coming_from(&mut self, _: StateId, choice: u32) {
        if let Some(id) = self.front_id() {
            self.set.coming_from(id, choice);
        }
    }

    fn approximation(&self) -> Approximation {
        self.set.approximation()
    }
}

impl<V: VisitedSet> StateStore for QueueStore<V> {
    /// The head, whatever the id is.
    #[inline]
    fn get<'s>(&'s self, _: StateId, _: &'s mut Vec<u8>) -> &'s [u8] {
        self.front().unwrap_or(&[])
    }

    fn find(&self, state: &[u8], key_len: usize) -> Option<StateId> {
        self.set.contains(state, key_len).then_some(StateId::default())
    }

    fn first(&self) -> Option<StateId> {
        self.front().map(|_| StateId::default())
    }

    /// The head, whatever the id is.
    fn after(&self, _: StateId) -> Option<StateId> {
        self.first()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bitstate, Exact, bitstate};
    use promenade_base::random::Random;

    fn run<V: VisitedSet>(set: V, budget: u64, share: u64) {
        let mut store = QueueStore::new(set, budget, share);
        let mut random = Random::new(budget);
        let mut theirs: VecDeque<Vec<u8>> = VecDeque::new();
        for round in 0..30_000u64 {
            assert!(store.memory_bytes() <= budget, "{} of {budget}", store.memory_bytes());
            assert_eq!(store.first().is_some(), !theirs.is_empty());
            if random.chance(2, 5)
                && let Some(state) = theirs.pop_front()
            {
                assert_eq!(store.get(StateId::default(), &mut Vec::new()), &state[..]);
                store.leave(StateId::default());
                continue;
            }
            let mut state = round.to_le_bytes().to_vec();
            state.resize(8 + random.below(300), round as u8);
            match store.insert(&state, state.len()) {
                Insert::New(_) => theirs.push_back(state),
                Insert::Seen(_) => assert!(store.contains(&state, state.len())),
                Insert::Full => assert!(!store.contains(&state, state.len())),
            }
        }
        while let Some(state) = theirs.pop_front() {
            assert_eq!(store.get(StateId::default(), &mut Vec::new()), &state[..]);
            store.leave(StateId::default());
        }
        assert_eq!(store.after(StateId::default()), None);
    }

    #[test]
    fn states_wait_in_order_inside_the_budget() {
        for budget in [2000, 40_000, 1 << 22] {
            run(Exact::new(budget), budget, u64::MAX);
            let settings = bitstate::Settings::default();
            run(Bitstate::new(budget, settings), budget, budget / 2);
        }
    }
}
