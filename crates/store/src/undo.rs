//! A stack of states of which only the uppermost is whole; of the others there is what the steps from
//! them have changed.

use crate::changes::{self, apply, encode, most_bytes, put_number, take_number};

/// The last byte of a record says: how many bytes are in front of it, and whether among them there is
/// a number that is not 0, and a length.
const NUMBERED: u8 = 1;
const RESIZED: u8 = 2;
const FLAG_BITS: u32 = 2;
/// From so many bytes on, four more bytes say how many.
const LONG: usize = 63;
const LONG_BYTES: usize = size_of::<u32>();

/// Memory kept beside the chunks for records under construction.
const LEAST_CHUNK: u64 = 256;
const LARGEST_CHUNK: u64 = 1 << 16;

/// The stack. With each state goes a number.
#[derive(Debug)]
pub(crate) struct UndoStack {
    /// The uppermost state, its number, and how many states there are.
    state: Vec<u8>,
    number: u32,
    length: usize,
    /// Records from the lowest on, none in two chunks. The last chunk may be empty.
    chunks: Vec<Vec<u8>>,
    chunk_bytes: usize,
    reserved: u64,
}

impl UndoStack {
    /// An empty stack for use inside a budget.
    pub(crate) fn new(budget: u64) -> Self {
        let chunk_bytes = (budget / 1024).clamp(LEAST_CHUNK, LARGEST_CHUNK) as usize;
        Self {
            state: Vec::new(),
            number: 0,
            length: 0,
            chunks: Vec::new(),
            chunk_bytes,
            reserved: 0,
        }
    }

    /// The uppermost state; empty if there is none.
    #[inline]
    pub(crate) fn state(&self) -> &[u8] {
        &self.state
    }

    /// Its number.
    #[inline]
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// How many states there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        self.reserved
            + self.state.capacity() as u64
            + (self.chunks.capacity() * size_of::<Vec<u8>>()) as u64
    }

    /// Memory that [`Self::clear`] gives back.
    pub(crate) fn chunk_bytes(&self) -> u64 {
        self.reserved
    }

    /// The most bytes of a record of a state on top of the present one.
    #[inline]
    fn most(&self, length: usize) -> usize {
        most_bytes(self.state.len(), length) + 2 * LONG_BYTES
    }

    /// Whether a state of this length has room without further memory.
    #[inline]
    pub(crate) fn has_room(&self, length: usize) -> bool {
        let most = self.most(length);
        length <= self.state.capacity()
            && self.chunks.last().is_some_and(|last| last.capacity() - last.len() >= most)
    }

    /// Makes room, if that takes no more than `available` bytes.
    #[cold]
    pub(crate) fn make_room(&mut self, length: usize, available: u64) -> bool {
        let most = self.most(length);
        let size = self.chunk_bytes.max(most);
        let list = if self.chunks.len() < self.chunks.capacity() {
            0
        } else {
            (self.chunks.capacity() * 2).max(4)
        };
        // The state moves when it grows.
        let grown = if length > self.state.capacity() { length } else { 0 };
        let bytes = size + list * size_of::<Vec<u8>>() + grown;
        let mut chunk = Vec::new();
        if bytes as u64 > available || chunk.try_reserve_exact(size).is_err() {
            return false;
        }
        if grown > 0 {
            let mut state = Vec::new();
            if state.try_reserve_exact(grown).is_err() {
                return false;
            }
            state.extend_from_slice(&self.state);
            self.state = state;
        }
        if self.chunks.last().is_some_and(|last| last.capacity() - last.len() >= most) {
            return true;
        }
        if list > 0 {
            self.chunks.reserve_exact(list - self.chunks.len());
        }
        // One that is too small for this state is not in the way of others.
        if self.chunks.last().is_some_and(Vec::is_empty) {
            self.reserved -= self.chunks.pop().map_or(0, |chunk| chunk.capacity()) as u64;
        }
        self.reserved += chunk.capacity() as u64;
        self.chunks.push(chunk);
        true
    }

    /// Puts a state on top. [`Self::has_room`] has to be so.
    #[inline]
    pub(crate) fn push(&mut self, state: &[u8], number: u32) {
        let Some(chunk) = self.chunks.last_mut() else { return };
        let begin = chunk.len();
        let mut flags = 0;
        let difference = changes::zigzag(number, self.number);
        if difference != 0 {
            flags |= NUMBERED;
            put_number(difference, chunk);
        }
        if encode(state, &self.state, chunk) {
            flags |= RESIZED;
        }
        let length = chunk.len() - begin;
        if length >= LONG {
            chunk.extend_from_slice(&(length as u32).to_le_bytes());
        }
        chunk.push((length.min(LONG) as u8) << FLAG_BITS | flags);
        self.state.clear();
        self.state.extend_from_slice(state);
        self.number = number;
        self.length += 1;
    }

    /// Takes the uppermost state away. The answer is whether a chunk was given back.
    #[inline]
    pub(crate) fn pop(&mut self) -> bool {
        if self.length == 0 {
            return false;
        }
        let at = self.chunks.len() - 1;
        // An empty chunk behind others is kept: the next record may go there.
        let at = if self.chunks[at].is_empty() { at.saturating_sub(1) } else { at };
        let chunk = &mut self.chunks[at];
        let Some((tail, rest)) = chunk.split_last() else { return false };
        let (mut length, mut rest) = (usize::from(tail >> FLAG_BITS), rest);
        if length == LONG
            && let Some((before, long)) = rest.split_last_chunk()
        {
            (length, rest) = (u32::from_le_bytes(*long) as usize, before);
        }
        let begin = rest.len().saturating_sub(length);
        let mut record = &rest[begin..];
        if tail & NUMBERED != 0
            && let Some(difference) = take_number(&mut record)
        {
            self.number = changes::unzigzag(self.number, difference);
        }
        apply(record, tail & RESIZED != 0, &mut self.state);
        chunk.truncate(begin);
        self.length -= 1;
        let drop = begin == 0 && at + 1 < self.chunks.len();
        if drop {
            self.reserved -= self.chunks.pop().map_or(0, |chunk| chunk.capacity()) as u64;
        }
        drop
    }

    /// Forgets all states.
    pub(crate) fn clear(&mut self) {
        self.chunks = Vec::new();
        self.state = Vec::new();
        (self.reserved, self.length, self.number) = (0, 0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_base::random::Random;

    #[test]
    fn states_come_back_bit_by_bit_inside_the_memory() {
        for (budget, hidden) in [(10_000, 0), (200_000, 3), (1 << 26, 0)] {
            let mut random = Random::new(budget);
            let mut ours = UndoStack::new(budget);
            let mut theirs: Vec<(Vec<u8>, u32)> = Vec::new();
            let mut full = 0;
            for round in 0..80_000u32 {
                if random.chance(if round / 9_000 % 2 == 0 { 1 } else { 3 }, 4) {
                    theirs.pop();
                    ours.pop();
                } else {
                    let mut state = theirs.last().map_or(vec![1; 60 + hidden], |(s, _)| s.clone());
                    if random.chance(1, 10) {
                        state.resize(random.below(400), 9);
                    }
                    for _ in 0..random.below(5).min(state.len()) {
                        let at = random.below(state.len());
                        state[at] = random.next_u64() as u8;
                    }
                    let number = match random.below(3) {
                        0 => random.next_u64() as u32,
                        _ => ours.number(),
                    };
                    if !ours.has_room(state.len()) {
                        let available = budget.saturating_sub(ours.memory_bytes());
                        if !ours.make_room(state.len(), available) {
                            full += 1;
                            continue;
                        }
                        assert!(ours.has_room(state.len()));
                    }
                    let before = ours.memory_bytes();
                    ours.push(&state, number);
                    assert_eq!(ours.memory_bytes(), before);
                    theirs.push((state, number));
                }
                assert!(ours.memory_bytes() <= budget, "{}", ours.memory_bytes());
                assert_eq!(ours.len(), theirs.len());
                let (state, number) = theirs.last().map_or((&[][..], 0), |(s, n)| (&s[..], *n));
                assert_eq!((ours.state(), ours.number()), (state, number));
            }
            assert_eq!(full > 0, budget < 1 << 26);
            ours.clear();
            assert_eq!((ours.memory_bytes(), ours.len()), (0, 0));
        }
    }

    #[test]
    fn a_step_takes_a_few_bytes() {
        let mut stack = UndoStack::new(1 << 26);
        let mut state = vec![0u8; 80];
        for step in 0..100_000u32 {
            state[step as usize % 7 * 11] ^= 5;
            state[step as usize % 80] = step as u8;
            if !stack.has_room(80) {
                assert!(stack.make_room(80, u64::MAX));
            }
            stack.push(&state, 0);
        }
        assert!(stack.memory_bytes() < 600_000, "{}", stack.memory_bytes());
    }
}
