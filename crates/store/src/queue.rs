//! A visited set of any kind for a breadth-first search: the states that wait are kept beside it.

use crate::changes::{self, apply, encode, most_bytes, put_number, take_number};
use crate::{Approximation, Guarantee, Insert, StateId, StateStore, VisitedSet};
use std::collections::VecDeque;

const CHUNK_BYTES: usize = 1 << 16;
/// Where a set is full, a queue with more than one part in so many of the memory is in its way.
const LONG_QUEUE: u64 = 8;

/// The first byte of a record says: how many bytes follow, and whether among them there is the growth
/// of the id, and a length.
const NUMBERED: u8 = 1;
const RESIZED: u8 = 2;
const FLAG_BITS: u32 = 2;
/// From so many bytes on, four more bytes say how many.
const LONG: usize = 63;
const LONG_BYTES: usize = size_of::<u32>();

/// A state of the queue with its id in the set.
#[derive(Debug, Default)]
struct Waiting {
    state: Vec<u8>,
    id: u32,
}

impl Waiting {
    #[inline]
    fn set(&mut self, state: &[u8], id: StateId) {
        self.state.clear();
        self.state.extend_from_slice(state);
        self.id = id.0;
    }
}

/// A set with the states that wait to be expanded, first come, first served.
///
/// The state that came first is at the head until the search leaves it; only that one can be read.
/// Of each other one there is the difference to the one before it.
#[derive(Debug)]
pub struct QueueStore<V> {
    set: V,
    chunks: VecDeque<Vec<u8>>,
    /// Where the next record begins in the first chunk.
    at: usize,
    /// The head of the queue, and its end.
    head: Waiting,
    last: Waiting,
    waiting: u64,
    reserved: u64,
    budget: u64,
    /// The most that the set may reserve.
    share: u64,
    /// The last state that did not fit would have had room in the set.
    queue_is_full: bool,
}

impl<V: VisitedSet> QueueStore<V> {
    /// An empty store that reserves at most `budget` bytes, of them at most `share` for the set.
    pub fn new(mut set: V, budget: u64, share: u64) -> Self {
        set.set_budget(budget.min(share));
        Self {
            set,
            chunks: VecDeque::new(),
            at: 0,
            head: Waiting::default(),
            last: Waiting::default(),
            waiting: 0,
            reserved: 0,
            budget,
            share,
            queue_is_full: false,
        }
    }

    /// The set.
    pub fn set(&self) -> &V {
        &self.set
    }

    fn beside(&self) -> u64 {
        let states = self.head.state.capacity() + self.last.state.capacity();
        self.reserved + (states + self.chunks.capacity() * size_of::<Vec<u8>>()) as u64
    }

    /// The queue has more or less memory now.
    #[cold]
    fn share_out(&mut self) {
        self.set.set_budget(self.share.min(self.budget.saturating_sub(self.beside())));
    }

    /// The most bytes of the record of a state.
    #[inline]
    fn most(&self, length: usize) -> usize {
        most_bytes(self.last.state.len(), length) + 2 * LONG_BYTES + 1
    }

    /// Whether a state has room without further memory.
    #[inline]
    fn has_room(&self, length: usize) -> bool {
        let most = self.most(length);
        length <= self.head.state.capacity().min(self.last.state.capacity())
            && self.chunks.back().is_some_and(|chunk| chunk.capacity() - chunk.len() >= most)
    }

    /// Makes room; `false` if there is no memory for it.
    #[cold]
    fn make_room(&mut self, length: usize) -> bool {
        while !self.grow(length) {
            if !self.set.give_back() {
                return false;
            }
        }
        true
    }

    /// Takes more memory for the queue, if there is any.
    fn grow(&mut self, length: usize) -> bool {
        let most = self.most(length);
        for which in [true, false] {
            let available = self.budget.saturating_sub(self.memory_bytes());
            let waiting = if which { &mut self.head } else { &mut self.last };
            if length > waiting.state.capacity() {
                let more = length - waiting.state.len();
                if length as u64 > available || waiting.state.try_reserve_exact(more).is_err() {
                    return false;
                }
            }
        }
        if self.chunks.back().is_some_and(|chunk| chunk.capacity() - chunk.len() >= most) {
            return true;
        }
        if self.waiting <= 1 {
            self.chunks.clear();
            (self.at, self.reserved) = (0, 0);
        }
        let size = most.max(CHUNK_BYTES.min((self.budget / 64) as usize));
        let list = if self.chunks.len() == self.chunks.capacity() {
            (self.chunks.capacity().max(4) * 2 * size_of::<Vec<u8>>()) as u64
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
        self.chunks.push_back(bytes);
        self.share_out();
        true
    }

    /// Adds a state, for which there is room.
    #[inline]
    fn push(&mut self, state: &[u8], id: StateId) {
        self.waiting += 1;
        if self.waiting == 1 {
            self.head.set(state, id);
        } else if let Some(chunk) = self.chunks.back_mut() {
            let begin = chunk.len();
            chunk.push(0);
            let mut flags = 0;
            let difference = changes::zigzag(self.last.id, id.0);
            if difference != 0 {
                flags |= NUMBERED;
                put_number(difference, chunk);
            }
            if encode(&self.last.state, state, chunk) {
                flags |= RESIZED;
            }
            let length = chunk.len() - begin - 1;
            chunk[begin] = (length.min(LONG) as u8) << FLAG_BITS | flags;
            if length >= LONG {
                chunk.extend_from_slice(&(length as u32).to_le_bytes());
                chunk[begin + 1..].rotate_right(LONG_BYTES);
            }
        }
        self.last.set(state, id);
    }

    /// Makes the next state the head. There is one.
    #[inline]
    fn read(&mut self) {
        while self.chunks.front().is_some_and(|chunk| self.at >= chunk.len()) {
            self.at = 0;
            let dropped = self.chunks.pop_front().map_or(0, |chunk| chunk.capacity());
            self.reserved -= dropped as u64;
            self.share_out();
        }
        let Some(bytes) = self.chunks.front().and_then(|chunk| chunk.get(self.at..)) else {
            return;
        };
        let Some((head, mut rest)) = bytes.split_first() else { return };
        let mut length = usize::from(head >> FLAG_BITS);
        self.at += 1 + length;
        if length == LONG
            && let Some((long, behind)) = rest.split_first_chunk()
        {
            (length, rest) = (u32::from_le_bytes(*long) as usize, behind);
            self.at += length - LONG + LONG_BYTES;
        }
        let mut record = rest.get(..length).unwrap_or(rest);
        if head & NUMBERED != 0
            && let Some(difference) = take_number(&mut record)
        {
            self.head.id = changes::unzigzag(self.head.id, difference);
        }
        apply(record, head & RESIZED != 0, &mut self.head.state);
    }
}

impl<V: VisitedSet> VisitedSet for QueueStore<V> {
    fn insert(&mut self, state: &[u8], key_len: usize) -> Insert {
        if !self.has_room(state.len()) && !self.make_room(state.len()) {
            // The set must not take note of a state that is not explored.
            self.queue_is_full = !self.set.contains(state, key_len);
            let full = self.queue_is_full;
            return if full { Insert::Full } else { Insert::Seen(StateId::default()) };
        }
        let answer = self.set.insert(state, key_len);
        if let Insert::New(id) = answer {
            self.push(state, id);
            return Insert::New(StateId::default());
        }
        // Once the queue is shorter, the set has more room.
        self.queue_is_full = answer == Insert::Full && self.beside() > self.budget / LONG_QUEUE;
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
        self.waiting = self.waiting.saturating_sub(1);
        if self.waiting > 0 {
            self.read();
        }
    }

    /// They come from the head, whatever the id is.
    fn coming_from(&mut self, _: StateId, choice: u32) {
        if self.waiting > 0 {
            self.set.coming_from(StateId(self.head.id), choice);
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
        if self.waiting > 0 { &self.head.state } else { &[] }
    }

    fn find(&self, state: &[u8], key_len: usize) -> Option<StateId> {
        self.set.contains(state, key_len).then_some(StateId::default())
    }

    fn first(&self) -> Option<StateId> {
        (self.waiting > 0).then(StateId::default)
    }

    /// The head, whatever the id is.
    fn after(&self, _: StateId) -> Option<StateId> {
        self.first()
    }

    fn path_is_full(&self) -> bool {
        self.queue_is_full
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bitstate, Exact, bitstate};
    use promenade_base::random::Random;

    /// The answer is how many waited at most, and how often there was no room in the queue.
    fn run<V: VisitedSet>(set: V, budget: u64, share: u64) -> (usize, u32) {
        let (mut of_queue, mut most) = (0, 0);
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
            // Most are alike.
            let alike = random.chance(3, 4);
            let (length, filling) = if alike { (100, 7) } else { (random.below(300), round as u8) };
            state.resize(8 + length, filling);
            match store.insert(&state, state.len()) {
                Insert::New(_) => {
                    theirs.push_back(state);
                    most = most.max(theirs.len());
                }
                Insert::Seen(_) => assert!(store.contains(&state, state.len())),
                Insert::Full => {
                    assert!(!store.contains(&state, state.len()));
                    of_queue += u32::from(store.path_is_full());
                }
            }
        }
        while let Some(state) = theirs.pop_front() {
            assert_eq!(store.get(StateId::default(), &mut Vec::new()), &state[..]);
            store.leave(StateId::default());
        }
        assert_eq!(store.after(StateId::default()), None);
        (most, of_queue)
    }

    #[test]
    fn states_wait_in_order_inside_the_budget() {
        for budget in [2000, 40_000, 1 << 22] {
            run(Exact::new(budget), budget, u64::MAX);
            let settings = bitstate::Settings::default();
            let (most, of_queue) = run(Bitstate::new(budget, settings), budget, budget / 2);
            assert_eq!(of_queue > 0, budget < 1 << 20);
            // A number and some bytes of filling take some twenty bytes in most of them.
            assert!(budget != 40_000 || most > 150, "{most}");
        }
    }
}
