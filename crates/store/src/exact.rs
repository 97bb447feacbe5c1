//! Whole states: nothing is ever confused or lost.
//!
//! A state costs its bits that vary from state to state (see [`crate::tight`]), one or two bytes for
//! its length, and between 5.7 and 10 in the table.

use crate::arena::Arena;
use crate::table::{Slot, Table, Vacancy};
use crate::tight::{CODE_MORE, Tight, WHOLE};
use crate::{Guarantee, Insert, StateId, StateStore, VisitedSet};
use promenade_base::hash::hash64;
use std::cell::RefCell;

const SEED: u64 = 0;

/// Memory for whole states from which on further ones are kept without the bits that never vary:
/// that makes a long search a few per cent slower or, as more of it stays in caches, faster, and one of
/// some ten thousand states slower.
const WHOLE_BYTES: u64 = 2 << 20;
/// Or this part of the budget.
const WHOLE_SHARE: u64 = 16;

/// Bytes beyond twice the table's that one more place may take while the table grows.
const MOST_FOR_PLACE: u64 = 64;

/// The exact store.
#[derive(Debug)]
pub struct Exact {
    arena: Arena,
    table: Table,
    tight: Tight,
    budget: u64,
    count: u64,
    hidden: usize,
    codes: RefCell<Codes>,
    /// So much memory is for whole states.
    whole_bytes: u64,
    /// The host gave no memory where that left something undone: nothing is added any more.
    broken: bool,
}

/// Room for codes.
#[derive(Debug, Default)]
struct Codes {
    /// Of the state that is looked for.
    sought: Vec<u8>,
    /// Of another one.
    other: Vec<u8>,
}

impl Codes {
    fn memory_bytes(&self) -> u64 {
        (self.sought.capacity() + self.other.capacity()) as u64
    }

    /// Whether there is room for the codes of states of this length.
    #[inline]
    fn are_enough(&self, length: usize) -> bool {
        self.sought.capacity().min(self.other.capacity()) >= length + CODE_MORE
    }

    /// Makes room, if that takes no more than `available` bytes.
    #[cold]
    fn enlarge(&mut self, length: usize, available: u64) -> bool {
        let bytes = length + CODE_MORE;
        let mut new = Self::default();
        // For a moment there are old and new ones.
        let fits = 2 * bytes as u64 + self.memory_bytes() <= available
            && new.sought.try_reserve_exact(bytes).is_ok()
            && new.other.try_reserve_exact(bytes).is_ok();
        if fits {
            *self = new;
        }
        fits
    }
}

/// The hash of a state as it is looked for, given what is stored of it: a state that was stored
/// whole may have a code now.
fn hash_of(tight: &Tight, stored: &[u8], hidden: usize, other: &mut Vec<u8>) -> u64 {
    let code = &stored[..stored.len().saturating_sub(hidden)];
    match code.split_first() {
        Some((&WHOLE, key)) if tight.encode(key, other) => hash64(other, SEED),
        Some((&WHOLE, key)) => hash64(key, SEED),
        _ => hash64(code, SEED),
    }
}

/// Looks for a state with this key, code if it has one, hash of what there is, and `extra` bytes
/// behind the key.
#[inline(always)]
fn look(
    table: &Table,
    arena: &Arena,
    key: &[u8],
    code: Option<&[u8]>,
    hash: u64,
    extra: usize,
) -> Slot {
    table.find(hash, |id| {
        let stored = arena.get(id);
        match (stored.split_first(), code) {
            (Some((&WHOLE, whole)), _) => {
                whole.len() == key.len() + extra && whole.get(..key.len()) == Some(key)
            }
            (_, Some(code)) => {
                stored.len() == code.len() + extra && stored.get(..code.len()) == Some(code)
            }
            _ => false,
        }
    })
}

impl Exact {
    /// An empty store that reserves at most `budget` bytes.
    pub fn new(budget: u64) -> Self {
        Self {
            arena: Arena::default(),
            table: Table::new(budget),
            tight: Tight::default(),
            budget,
            count: 0,
            hidden: 0,
            codes: RefCell::default(),
            whole_bytes: WHOLE_BYTES.min(budget / WHOLE_SHARE),
            broken: false,
        }
    }

    fn available(&self) -> u64 {
        self.budget.saturating_sub(self.memory_bytes())
    }

    /// Grows the segment where `hash` belongs if there is memory for it.
    #[cold]
    fn grow(&mut self, hash: u64, kept_free: u64) -> bool {
        let available = self.available().saturating_sub(kept_free);
        let Self { arena, tight, table, hidden, codes, .. } = self;
        table.grow(hash, available, |id| {
            hash_of(tight, arena.get(id), *hidden, &mut codes.borrow_mut().other)
        })
    }

    /// As [`VisitedSet::insert`], with `tail` as further hidden bytes at the end of the state.
    #[inline]
    pub(crate) fn insert_with(&mut self, state: &[u8], key_len: usize, tail: &[u8]) -> Insert {
        // Codes of states as long as this have been there if such a state is stored.
        if !self.codes.get_mut().are_enough(state.len()) && !self.enlarge_codes(state.len()) {
            return Insert::Full;
        }
        let (key, behind) = state.split_at(key_len.min(state.len()));
        let code = &mut self.codes.get_mut().sought;
        let packed = self.tight.encode(key, code);
        let code = packed.then_some(&code[..]);
        let hash = hash64(code.unwrap_or(key), SEED);
        let extra = behind.len() + tail.len();
        match look(&self.table, &self.arena, key, code, hash, extra) {
            Slot::Taken(id) => Insert::Seen(id),
            Slot::Vacant(vacancy) => self.add(state, key, hash, packed, tail, Some(vacancy)),
            Slot::Crowded => self.add(state, key, hash, packed, tail, None),
        }
    }

    #[cold]
    fn enlarge_codes(&mut self, length: usize) -> bool {
        let available = self.available() + self.codes.get_mut().memory_bytes();
        self.codes.get_mut().enlarge(length, available)
    }

    /// Adds a state that is not there, but its code is, if it has one, and maybe a place for it.
    #[inline]
    fn add(
        &mut self,
        state: &[u8],
        key: &[u8],
        hash: u64,
        packed: bool,
        tail: &[u8],
        place: Option<Vacancy>,
    ) -> Insert {
        let behind = &state[key.len()..];
        let extra = behind.len() + tail.len();
        if self.count == 0 {
            self.hidden = extra;
        }
        let length = if packed { self.codes.get_mut().sought.len() } else { 1 + key.len() };
        let placement = self.arena.place(length + extra, self.available());
        let Some(placement) = placement.filter(|_| !self.broken) else { return Insert::Full };
        let mut vacancy = place;
        // A segment that cannot grow may be filled almost to the last slot.
        if place.is_none_or(|vacancy| self.table.wants_growth(vacancy)) {
            vacancy = if self.grow(hash, placement.bytes) {
                match self.table.find(hash, |_| false) {
                    Slot::Vacant(vacancy) => Some(vacancy),
                    _ => None,
                }
            } else {
                vacancy.filter(|vacancy| !self.table.is_crowded(*vacancy))
            };
        }
        let Some(vacancy) = vacancy else { return Insert::Full };
        let id = if packed {
            self.arena.push([&self.codes.get_mut().sought, behind, tail], placement)
        } else {
            self.arena.push([&[WHOLE], state, tail], placement)
        };
        let Some(id) = id else { return Insert::Full };
        self.table.fill(vacancy, hash, id);
        self.count += 1;
        if !packed {
            self.added_whole(key, id);
        }
        Insert::New(id)
    }

    /// Sees whether further states should be kept in another way.
    #[inline]
    fn added_whole(&mut self, key: &[u8], id: StateId) {
        if self.tight.is_used() {
            if let Some(shape) = self.tight.note_whole(key, id, self.available()) {
                self.add_layer(shape);
            }
        } else if self.arena.memory_bytes() >= self.whole_bytes {
            self.begin_to_pack();
        }
    }

    /// Learns from all states stored so far, and finds them by their codes from now on.
    #[cold]
    fn begin_to_pack(&mut self) {
        let mut next = self.arena.first();
        while let Some(id) = next {
            next = self.arena.after(id);
            let stored = self.arena.get(id);
            let key = stored.get(1..stored.len().saturating_sub(self.hidden)).unwrap_or(&[]);
            let available = self.available();
            if !self.tight.learn(key, available) {
                self.whole_bytes = u64::MAX;
                return;
            }
        }
        // The old table is there until then.
        let Some(table) = Table::with_places(self.budget, self.count, self.available()) else {
            self.whole_bytes = u64::MAX;
            return;
        };
        if !self.tight.begin(self.available().saturating_sub(table.memory_bytes())) {
            self.whole_bytes = u64::MAX;
            return;
        }
        self.table = table;
        let mut next = self.arena.first();
        while let Some(id) = next {
            next = self.arena.after(id);
            self.broken |= !self.place_again(id);
        }
    }

    /// Finds a state by its code from now on; `false` if there is no memory for that.
    fn place_again(&mut self, id: StateId) -> bool {
        let other = &mut self.codes.get_mut().other;
        let hash = hash_of(&self.tight, self.arena.get(id), self.hidden, other);
        let mut slot = self.table.find(hash, |_| false);
        let crowded = match slot {
            Slot::Vacant(vacancy) => self.table.wants_growth(vacancy),
            _ => true,
        };
        if crowded && self.grow(hash, 0) {
            slot = self.table.find(hash, |_| false);
        }
        let Slot::Vacant(vacancy) = slot else { return false };
        self.table.fill(vacancy, hash, id);
        true
    }

    /// Gives codes to the states of a shape that were kept whole: each gets a second place in the
    /// table.
    #[cold]
    fn add_layer(&mut self, shape: usize) {
        // Halfway it is too late to find out that the table cannot grow.
        let places = self.tight.whole(shape).len() as u64 * MOST_FOR_PLACE;
        if self.table.memory_bytes() + places > self.available() {
            return self.tight.close(shape);
        }
        self.tight.add_layer(shape);
        for at in 0.. {
            let Some(&id) = self.tight.whole(shape).get(at) else { break };
            self.broken |= !self.place_again(id);
        }
        self.tight.forget_whole(shape);
    }

    /// Replaces the hidden bytes at the end of a state.
    pub fn set_hidden(&mut self, id: StateId, hidden: &[u8]) {
        self.set_tail(id, hidden);
    }

    /// The stored state with this identity, if all states have `tail` further hidden bytes.
    #[inline]
    pub(crate) fn find_with(&self, state: &[u8], key_len: usize, tail: usize) -> Option<StateId> {
        let (key, behind) = state.split_at(key_len.min(state.len()));
        let code = &mut self.codes.borrow_mut().sought;
        if code.capacity() < state.len() + CODE_MORE {
            return None;
        }
        let code = self.tight.encode(key, code).then_some(&code[..]);
        let (hash, extra) = (hash64(code.unwrap_or(key), SEED), behind.len() + tail);
        match look(&self.table, &self.arena, key, code, hash, extra) {
            Slot::Taken(id) => Some(id),
            Slot::Vacant(_) | Slot::Crowded => None,
        }
    }

    /// The last bytes of a state.
    #[inline]
    pub(crate) fn tail<const N: usize>(&self, id: StateId) -> Option<[u8; N]> {
        self.arena.get(id).last_chunk().copied()
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
        let codes = self.codes.borrow().memory_bytes();
        self.arena.memory_bytes() + self.table.memory_bytes() + self.tight.memory_bytes() + codes
    }

    fn set_budget(&mut self, bytes: u64) {
        self.budget = bytes;
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }
}

impl StateStore for Exact {
    #[inline]
    fn get<'s>(&'s self, id: StateId, buffer: &'s mut Vec<u8>) -> &'s [u8] {
        let stored = self.arena.get(id);
        if let Some((&WHOLE, state)) = stored.split_first() {
            return state;
        }
        let (code, behind) = stored.split_at(stored.len().saturating_sub(self.hidden));
        buffer.clear();
        self.tight.decode(code, buffer);
        buffer.extend_from_slice(behind);
        buffer
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

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_base::random::Random;
    use std::collections::HashMap;

    /// Different states of a few lengths; later on more of their bits vary, and there are other
    /// lengths.
    fn state(random: &mut Random, number: u32, late: bool) -> Vec<u8> {
        let lengths = if late { &[12, 13, 40, 41, 100][..] } else { &[12, 40, 41][..] };
        let mut state = vec![0x81; lengths[number as usize % lengths.len()]];
        state[1..5].copy_from_slice(&number.to_le_bytes());
        for (at, byte) in state.iter_mut().enumerate().skip(5) {
            if at % 3 == 0 || late && at % 7 == 0 && number.is_multiple_of(5) {
                *byte ^= (number >> (at % 11)) as u8 & random.next_u64() as u8 & 0x47;
            }
        }
        state
    }

    #[test]
    fn whole_and_packed_states_are_one_set() {
        for (seed, whole_bytes) in [(1, 0), (2, 3000), (3, 100_000), (4, u64::MAX)] {
            for (hidden, budget) in [(0, 1 << 30), (3, 1 << 30), (2, 400_000)] {
                let mut random = Random::new(seed);
                let mut ours = Exact { whole_bytes, ..Exact::new(budget) };
                let mut theirs: HashMap<Vec<u8>, (StateId, Vec<u8>)> = HashMap::new();
                let mut known: Vec<Vec<u8>> = Vec::new();
                for round in 0..60_000u32 {
                    let again = random.chance(1, 2) && !known.is_empty();
                    let key = if again {
                        known[random.below(known.len())].clone()
                    } else {
                        state(&mut random, round, round > 20_000)
                    };
                    let mut whole = key.clone();
                    whole.extend((0..hidden).map(|at| round as u8 + at));
                    let before = ours.find(&whole, key.len());
                    assert_eq!(before, theirs.get(&key).map(|(id, _)| *id));
                    match ours.insert(&whole, key.len()) {
                        Insert::New(id) => {
                            known.push(key.clone());
                            assert!(theirs.insert(key, (id, whole)).is_none());
                        }
                        Insert::Seen(id) => assert_eq!(before, Some(id)),
                        Insert::Full => assert!(before.is_none() && budget < 1 << 30),
                    }
                    assert!(ours.memory_bytes() <= budget);
                    assert_eq!(ours.len(), theirs.len() as u64);
                }
                assert!(!ours.broken);
                assert_eq!(ours.tight.is_used(), whole_bytes < u64::MAX);
                let mut buffer = Vec::new();
                for (id, whole) in theirs.values() {
                    assert_eq!(ours.get(*id, &mut buffer), &whole[..]);
                }
            }
        }
    }
}
