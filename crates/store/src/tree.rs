//! Whole states as trees: pairs of numbers, each different pair kept once.
//!
//! A state is cut into words of four bytes, and neighbours are put together pair by pair until two
//! numbers are left, which are the root. All pairs but the roots share one table, so that states that
//! have parts in common share subtrees, and a state costs hardly more than its root (A. Laarman,
//! J. van de Pol, M. Weber, "Parallel Recursive State Compression for Free", 2011). Where the words
//! below a pair are those of the state that came before, its number is too: only pairs above a change
//! are looked up, which are as many as the tree is high.

use crate::table::{Slot, Table};
use crate::{ChunkedVec, Guarantee, Insert, StateId, StateStore, VisitedSet};
use promenade_base::hash::hash64;
use std::cell::RefCell;

const WORD: usize = size_of::<u32>();
/// Memory that each list of pairs may leave unused at its end is a part of this.
const SHARE: u64 = 4;

/// Two numbers: words of a state, or numbers of pairs.
type Pair = [u32; 2];

/// Different pairs, each with a number, and a kind that tells equal ones apart.
#[derive(Debug)]
struct Pairs {
    list: ChunkedVec<Pair>,
    table: Table,
}

fn hash_of([a, b]: Pair, kind: u16) -> u64 {
    let pair = (u64::from(a) | u64::from(b) << 32).to_le_bytes();
    hash64(&pair, u64::from(kind))
}

impl Pairs {
    fn new(budget: u64) -> Self {
        Self { list: ChunkedVec::new(budget / SHARE), table: Table::new(budget) }
    }

    fn memory_bytes(&self) -> u64 {
        self.list.memory_bytes() + self.table.memory_bytes()
    }

    fn get(&self, number: u32) -> Pair {
        self.list.get(number as usize).unwrap_or_default()
    }

    #[inline]
    fn look(&self, pair: Pair, kind: u16, kind_of: impl Fn(u32) -> u16) -> Slot {
        self.table.find(hash_of(pair, kind), |number| {
            self.get(number.0) == pair && kind_of(number.0) == kind
        })
    }

    #[inline]
    fn find(&self, pair: Pair, kind: u16, kind_of: impl Fn(u32) -> u16) -> Option<u32> {
        match self.look(pair, kind, kind_of) {
            Slot::Taken(number) => Some(number.0),
            Slot::Vacant(_) | Slot::Crowded => None,
        }
    }

    /// Gives a pair that is not there the next number, if `available` bytes are enough for that.
    fn add(
        &mut self,
        pair: Pair,
        kind: u16,
        available: u64,
        kind_of: impl Fn(u32) -> u16,
    ) -> Option<u32> {
        let hash = hash_of(pair, kind);
        let number = u32::try_from(self.list.len()).ok().filter(|number| *number < u32::MAX)?;
        let free = available.checked_sub(self.list.push_bytes())?;
        let mut slot = self.table.find(hash, |_| false);
        let crowded = match slot {
            Slot::Vacant(vacancy) => self.table.wants_growth(vacancy),
            _ => true,
        };
        if crowded {
            let list = &self.list;
            let hash_of = |number: StateId| {
                let pair = list.get(number.0 as usize).unwrap_or_default();
                hash_of(pair, kind_of(number.0))
            };
            if self.table.grow(hash, free, hash_of) {
                slot = self.table.find(hash, |_| false);
            }
        }
        let Slot::Vacant(vacancy) = slot else { return None };
        // A segment that cannot grow is not filled to the last place.
        if self.table.is_crowded(vacancy) {
            return None;
        }
        self.list.push(pair);
        self.table.fill(vacancy, hash, StateId(number));
        Some(number)
    }
}

/// The numbers of a state's tree, level by level from its words on; the last two are the root.
#[derive(Debug, Default)]
struct Levels {
    numbers: Vec<u32>,
    /// Bytes of the key that they belong to; none if they are not complete.
    length: Option<usize>,
}

#[derive(Debug, Default)]
struct Scratch {
    now: Levels,
    /// Those of the state before.
    last: Levels,
}

/// Words of a key; the root has two numbers at least.
fn words(length: usize) -> usize {
    length.div_ceil(WORD).max(2)
}

/// Numbers of all levels together.
fn numbers(length: usize) -> usize {
    let (mut level, mut all) = (words(length), 0);
    loop {
        all += level;
        if level <= 2 {
            return all;
        }
        level = level.div_ceil(2);
    }
}

impl Scratch {
    fn memory_bytes(&self) -> u64 {
        ((self.now.numbers.capacity() + self.last.numbers.capacity()) * WORD) as u64
    }

    /// Makes room for states of this length if that takes no more than `available` bytes.
    fn make_room(&mut self, length: usize, available: u64) -> bool {
        let wanted = numbers(length);
        if self.now.numbers.capacity().min(self.last.numbers.capacity()) >= wanted {
            return true;
        }
        let mut new = Self::default();
        let fits = (2 * wanted * WORD) as u64 <= available
            && new.now.numbers.try_reserve_exact(wanted).is_ok()
            && new.last.numbers.try_reserve_exact(wanted).is_ok();
        if fits {
            *self = new;
        }
        fits
    }

    /// Takes the words of a key.
    fn begin(&mut self, key: &[u8]) {
        self.now.length = None;
        self.now.numbers.clear();
        for chunk in key.chunks(WORD) {
            let mut word = [0; WORD];
            word[..chunk.len()].copy_from_slice(chunk);
            self.now.numbers.push(u32::from_le_bytes(word));
        }
        self.now.numbers.resize(words(key.len()), 0);
    }

    /// Puts pairs together up to the root, which is returned; nothing if a pair has no number.
    fn climb(
        &mut self,
        length: usize,
        mut number: impl FnMut(Pair) -> Option<u32>,
    ) -> Option<Pair> {
        let Self { now, last } = self;
        let same = last.length == Some(length);
        let (mut from, mut level) = (0, words(length));
        while level > 2 {
            let to = from + level;
            for at in 0..level / 2 {
                let place = from + 2 * at;
                let pair = [now.numbers[place], now.numbers[place + 1]];
                let known = same && last.numbers[place..place + 2] == pair;
                let found = if known { last.numbers[to + at] } else { number(pair)? };
                now.numbers.push(found);
            }
            if level % 2 == 1 {
                now.numbers.push(now.numbers[to - 1]);
            }
            (from, level) = (to, level.div_ceil(2));
        }
        now.length = Some(length);
        Some([now.numbers[from], now.numbers[from + 1]])
    }

    /// The next state is compared with this one.
    fn keep(&mut self) {
        std::mem::swap(&mut self.now, &mut self.last);
    }
}

/// The tree store.
#[derive(Debug)]
pub struct Tree {
    /// Pairs below the roots.
    inner: Pairs,
    /// One for each state, whose id is its number.
    roots: Pairs,
    /// For each state which of the lengths its key has.
    shapes: ChunkedVec<u16>,
    lengths: Vec<u32>,
    /// The hidden bytes of all states, each in whole words, filled up at the front.
    tails: ChunkedVec<u32>,
    hidden: usize,
    scratch: RefCell<Scratch>,
    budget: u64,
}

impl Tree {
    /// An empty store that reserves at most `budget` bytes.
    pub fn new(budget: u64) -> Self {
        Self {
            inner: Pairs::new(budget),
            roots: Pairs::new(budget),
            shapes: ChunkedVec::new(budget / SHARE),
            lengths: Vec::new(),
            tails: ChunkedVec::new(budget / SHARE),
            hidden: 0,
            scratch: RefCell::default(),
            budget,
        }
    }

    /// How many pairs the states share, beside their roots.
    pub fn pairs(&self) -> u64 {
        self.inner.list.len() as u64
    }

    fn available(&self) -> u64 {
        self.budget.saturating_sub(self.memory_bytes())
    }

    fn shape(&self, length: usize) -> Option<u16> {
        let at = self.lengths.iter().position(|it| *it as usize == length)?;
        u16::try_from(at).ok()
    }

    /// The number of a length, given now if there is none.
    fn new_shape(&mut self, length: usize) -> Option<u16> {
        if let Some(shape) = self.shape(length) {
            return Some(shape);
        }
        let shape = u16::try_from(self.lengths.len()).ok()?;
        if self.lengths.len() == self.lengths.capacity() {
            let more = self.lengths.capacity().max(4);
            // For a moment there are both lists.
            let bytes = ((self.lengths.capacity() + more) * WORD) as u64;
            if bytes > self.available() || self.lengths.try_reserve_exact(more).is_err() {
                return None;
            }
        }
        self.lengths.push(u32::try_from(length).ok()?);
        Some(shape)
    }

    /// The tree of a key; nothing if there is no memory for it.
    fn grow_tree(&mut self, key: &[u8]) -> Option<Pair> {
        let mut available = self.available();
        let Self { inner, scratch, .. } = self;
        let scratch = scratch.get_mut();
        scratch.begin(key);
        scratch.climb(key.len(), |pair| {
            inner.find(pair, 0, |_| 0).or_else(|| {
                let before = inner.memory_bytes();
                let number = inner.add(pair, 0, available, |_| 0);
                available = available.saturating_sub(inner.memory_bytes() - before);
                number
            })
        })
    }

    pub(crate) fn insert_with(&mut self, state: &[u8], key_len: usize, tail: &[u8]) -> Insert {
        let (key, behind) = state.split_at(key_len.min(state.len()));
        let available = self.available();
        if !self.scratch.get_mut().make_room(key.len(), available) {
            return Insert::Full;
        }
        let Some(shape) = self.new_shape(key.len()) else { return Insert::Full };
        let Some(root) = self.grow_tree(key) else { return Insert::Full };
        self.scratch.get_mut().keep();
        let shapes = &self.shapes;
        let kind_of = |number: u32| shapes.get(number as usize).unwrap_or(u16::MAX);
        if let Some(number) = self.roots.find(root, shape, kind_of) {
            return Insert::Seen(StateId(number));
        }
        if self.shapes.is_empty() {
            self.hidden = behind.len() + tail.len();
        }
        self.add(root, shape, behind, tail).map_or(Insert::Full, Insert::New)
    }

    fn add(&mut self, root: Pair, shape: u16, behind: &[u8], tail: &[u8]) -> Option<StateId> {
        // What is hidden takes a few words: they may begin two chunks.
        let words = self.tail_words();
        let more = self.shapes.push_bytes()
            + if words > 0 { self.tails.bytes_for((self.tails.len() + words) as u64) } else { 0 };
        let more = more.saturating_sub(if words > 0 { self.tails.memory_bytes() } else { 0 });
        let available = self.available().checked_sub(more)?;
        let Self { shapes, roots, .. } = self;
        let kind_of = |number: u32| shapes.get(number as usize).unwrap_or(u16::MAX);
        let number = roots.add(root, shape, available, kind_of)?;
        self.shapes.push(shape);
        let mut bytes = std::iter::repeat_n(0, words * WORD - self.hidden)
            .chain(behind.iter().copied())
            .chain(tail.iter().copied());
        for _ in 0..words {
            let word = [(); WORD].map(|()| bytes.next().unwrap_or_default());
            self.tails.push(u32::from_le_bytes(word));
        }
        Some(StateId(number))
    }

    fn tail_words(&self) -> usize {
        self.hidden.div_ceil(WORD)
    }

    pub(crate) fn find_with(&self, state: &[u8], key_len: usize, _: usize) -> Option<StateId> {
        let key = state.get(..key_len).unwrap_or(state);
        let shape = self.shape(key.len())?;
        let mut scratch = self.scratch.borrow_mut();
        if scratch.now.numbers.capacity() < numbers(key.len()) {
            return None;
        }
        scratch.begin(key);
        let root = scratch.climb(key.len(), |pair| self.inner.find(pair, 0, |_| 0))?;
        scratch.keep();
        let kind_of = |number: u32| self.shapes.get(number as usize).unwrap_or(u16::MAX);
        self.roots.find(root, shape, kind_of).map(StateId)
    }

    /// The last bytes of a state, which are hidden.
    pub(crate) fn tail<const N: usize>(&self, id: StateId) -> Option<[u8; N]> {
        let end = (id.0 as usize + 1) * self.tail_words();
        if N > self.hidden || end > self.tails.len() {
            return None;
        }
        let mut tail = [0; N];
        for (behind, byte) in tail.iter_mut().rev().enumerate() {
            let word = self.tails.get(end - 1 - behind / WORD)?.to_le_bytes();
            *byte = word[WORD - 1 - behind % WORD];
        }
        Some(tail)
    }

    /// Overwrites hidden bytes at the end of a state.
    pub(crate) fn set_tail(&mut self, id: StateId, tail: &[u8]) {
        let end = (id.0 as usize + 1) * self.tail_words();
        if tail.len() > self.hidden || end > self.tails.len() {
            return;
        }
        for (behind, byte) in tail.iter().rev().enumerate() {
            let at = end - 1 - behind / WORD;
            let mut word = self.tails.get(at).unwrap_or_default().to_le_bytes();
            word[WORD - 1 - behind % WORD] = *byte;
            self.tails.set(at, u32::from_le_bytes(word));
        }
    }

    /// Writes the words of a tree of so many below its root, in place of what the buffer holds.
    fn descend(&self, root: Pair, length: usize, into: &mut Vec<u8>) {
        // How many numbers each level has, from the words on.
        let mut sizes = [0; usize::BITS as usize];
        let (mut size, mut high) = (words(length), 0);
        while size > 2 {
            sizes[high] = size;
            size = size.div_ceil(2);
            high += 1;
        }
        into.clear();
        into.resize(words(length) * WORD, 0);
        let put = |into: &mut [u8], at: usize, number: u32| {
            if let Some(place) = into.get_mut(at * WORD..(at + 1) * WORD) {
                place.copy_from_slice(&number.to_le_bytes());
            }
        };
        let take = |into: &[u8], at: usize| {
            let word = into.get(at * WORD..(at + 1) * WORD).and_then(|it| it.try_into().ok());
            word.map_or(0, u32::from_le_bytes)
        };
        put(into, 0, root[0]);
        put(into, 1, root[1]);
        let mut above = 2;
        for level in (0..high).rev() {
            let size = sizes[level];
            // From the last on, so that nothing is overwritten before it is read.
            for at in (0..above).rev() {
                let number = take(into, at);
                let pair = if 2 * at + 1 < size { self.inner.get(number) } else { [number, 0] };
                for (side, number) in pair.into_iter().enumerate().rev() {
                    if 2 * at + side < size {
                        put(into, 2 * at + side, number);
                    }
                }
            }
            above = size;
        }
        into.truncate(length);
    }
}

impl VisitedSet for Tree {
    fn insert(&mut self, state: &[u8], key_len: usize) -> Insert {
        self.insert_with(state, key_len, &[])
    }

    fn contains(&self, state: &[u8], key_len: usize) -> bool {
        self.find_with(state, key_len, 0).is_some()
    }

    fn len(&self) -> u64 {
        self.shapes.len() as u64
    }

    fn memory_bytes(&self) -> u64 {
        self.inner.memory_bytes()
            + self.roots.memory_bytes()
            + self.shapes.memory_bytes()
            + self.tails.memory_bytes()
            + (self.lengths.capacity() * WORD) as u64
            + self.scratch.borrow().memory_bytes()
    }

    fn set_budget(&mut self, bytes: u64) {
        self.budget = bytes;
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }
}

impl StateStore for Tree {
    fn get<'s>(&'s self, id: StateId, buffer: &'s mut Vec<u8>) -> &'s [u8] {
        buffer.clear();
        let number = id.0 as usize;
        let Some(shape) = self.shapes.get(number) else { return buffer };
        let length = self.lengths.get(usize::from(shape)).map_or(0, |it| *it as usize);
        self.descend(self.roots.get(id.0), length, buffer);
        let words = self.tail_words();
        let mut padding = words * WORD - self.hidden;
        for at in number * words..(number + 1) * words {
            let word = self.tails.get(at).unwrap_or_default().to_le_bytes();
            buffer.extend_from_slice(&word[padding..]);
            padding = 0;
        }
        buffer
    }

    fn find(&self, state: &[u8], key_len: usize) -> Option<StateId> {
        self.find_with(state, key_len, 0)
    }

    fn first(&self) -> Option<StateId> {
        (!self.shapes.is_empty()).then_some(StateId(0))
    }

    fn after(&self, id: StateId) -> Option<StateId> {
        let next = id.0.checked_add(1)?;
        ((next as usize) < self.shapes.len()).then_some(StateId(next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_base::random::Random;
    use std::collections::HashMap;

    /// Neighbours in a state space: a state that was known with a few bytes changed, of some lengths.
    fn neighbour(random: &mut Random, known: &[Vec<u8>]) -> Vec<u8> {
        let lengths = [0, 1, 3, 4, 5, 8, 9, 12, 13, 31, 32, 33, 100, 257];
        let mut state = match random.pick(known) {
            Some(state) if random.chance(9, 10) => state.clone(),
            _ => vec![0; lengths[random.below(lengths.len())]],
        };
        for _ in 0..random.below(3) {
            let length = state.len();
            if length > 0 {
                state[random.below(length)] = random.below(7) as u8;
            }
        }
        state
    }

    #[test]
    fn answers_are_those_of_a_plain_set_and_states_come_back() {
        for seed in 0..60 {
            let mut random = Random::new(seed);
            let hidden = [0, 1, 3, 4, 6][random.below(5)];
            let tail = [0, 4][random.below(2)];
            let budget = [0, 300, 5000, 60_000, 1 << 30][random.below(5)];
            let mut ours = Tree::new(budget);
            let mut theirs: HashMap<Vec<u8>, (StateId, Vec<u8>)> = HashMap::new();
            let mut known = Vec::new();
            let mut full = false;
            for round in 0..4000u32 {
                let key = neighbour(&mut random, &known);
                let mut whole = key.clone();
                whole.extend((0..hidden).map(|at| (round + at) as u8));
                let before = ours.find_with(&whole, key.len(), tail);
                assert_eq!(before, theirs.get(&key).map(|(id, _)| *id), "seed {seed}");
                match ours.insert_with(&whole, key.len(), &[7, 8, 9, 10][..tail]) {
                    Insert::New(id) => {
                        whole.extend_from_slice(&[7, 8, 9, 10][..tail]);
                        known.push(key.clone());
                        assert!(theirs.insert(key, (id, whole)).is_none());
                    }
                    Insert::Seen(id) => assert_eq!(before, Some(id)),
                    Insert::Full => {
                        assert!(before.is_none() && budget < 1 << 30);
                        full = true;
                    }
                }
                assert!(ours.memory_bytes() <= budget, "seed {seed}: {}", ours.memory_bytes());
                assert_eq!(ours.len(), theirs.len() as u64);
                if tail > 0 && !known.is_empty() && random.chance(1, 4) {
                    let key = random.pick(&known).cloned().unwrap_or_default();
                    let (id, whole) = theirs.get_mut(&key).expect("a known state");
                    let tag = round.to_le_bytes();
                    ours.set_tail(*id, &tag);
                    let at = whole.len() - tail;
                    whole[at..].copy_from_slice(&tag);
                    assert_eq!(ours.tail::<4>(*id), Some(tag));
                }
            }
            assert!(full || budget == 1 << 30, "seed {seed}");
            let mut buffer = vec![1; 3];
            let mut count = 0;
            let mut next = ours.first();
            while let Some(id) = next {
                next = ours.after(id);
                count += 1;
                let state = ours.get(id, &mut buffer).to_vec();
                assert!(theirs.values().any(|it| *it == (id, state.clone())), "{state:?}");
            }
            assert_eq!(count, theirs.len());
        }
    }

    /// The combinations of few different parts cost little more than their roots.
    #[test]
    fn long_states_that_share_parts_are_small() {
        let mut store = Tree::new(1 << 26);
        let (parts, length) = (50u32, 256);
        for a in 0..parts {
            for b in 0..parts {
                let mut state = vec![3; length];
                state[..4].copy_from_slice(&a.to_le_bytes());
                state[length - 4..].copy_from_slice(&b.to_le_bytes());
                assert!(matches!(store.insert(&state, length), Insert::New(_)));
            }
        }
        assert_eq!(store.len(), u64::from(parts * parts));
        // Of each half there is a path of nodes for each of its values.
        assert!(store.pairs() <= u64::from(parts) * 2 * 6, "{}", store.pairs());
        assert!(store.memory_bytes() < store.len() * 40, "{}", store.memory_bytes());
    }
}
