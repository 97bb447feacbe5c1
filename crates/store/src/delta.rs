//! Exact states, most of them as one step from another: little memory for long states, much time.
//!
//! Every `k`-th state of a path is kept as it is, the others as the state that the search came from
//! and the choice made there, twelve bytes whatever their length (S. Evangelista and
//! J.-F. Pradat-Peyre, "Memory Efficient State Space Storage in Explicit Software Model Checking",
//! 2005). Where a hash says that a state may be stored, that one is executed again from the last
//! explicit state before it, and compared whole. A few states that were executed lately are kept.

use crate::arena::Arena;
use crate::{ChunkedVec, Guarantee, Insert, Made, Making, StateId, VisitedSet};
use promenade_base::hash::hash64;
use std::cell::RefCell;

/// For the list of stores.
pub(crate) fn build(making: &Making<'_>) -> Made {
    Made::growing(Delta::new(making.budget, making.settings.chain, (making.steps)()))
}

/// Executes one step again.
pub trait Stepper: std::fmt::Debug {
    /// Replaces `state` by the state that the search has reached from it by this choice; `false` if
    /// there is no such step.
    fn step(&mut self, state: &mut Vec<u8>, choice: u32) -> bool;
}

/// Longest chains of steps, at most.
pub const MAX_CHAIN: u32 = 63;
const HASH_BITS: u32 = 26;
const SEED: u64 = 0x6465_6c74;
const EMPTY: u32 = u32::MAX;
const CACHED: usize = 64;

/// A stored state.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    /// The record before, or the place of an explicit state.
    link: u32,
    choice: u32,
    /// A part of the hash, and in the lowest bits the number of steps from an explicit state.
    tag: u32,
}

impl Record {
    fn chain(self) -> u32 {
        self.tag & MAX_CHAIN
    }
}

/// What executing states again needs; behind a cell because it changes nothing that is seen.
#[derive(Debug)]
struct Rebuilder {
    stepper: Box<dyn Stepper>,
    /// By number modulo its length: states that were executed lately.
    cache: Vec<(u32, Vec<u8>)>,
    /// The state under construction, and the choices that lead to it.
    state: Vec<u8>,
    choices: Vec<u32>,
    /// Steps executed.
    steps: u64,
}

/// The store. Ids are numbers of records.
#[derive(Debug)]
pub struct Delta {
    records: ChunkedVec<Record>,
    explicit: Arena,
    /// Numbers of records by hash, open addressing.
    slots: Vec<u32>,
    rebuilder: RefCell<Rebuilder>,
    chain: u32,
    budget: u64,
    /// Longest state so far.
    longest: usize,
    hidden: usize,
    /// Where the next new states come from.
    from: Option<(u32, u32)>,
    explicit_states: u64,
}

impl Delta {
    /// An empty store that reserves at most `budget` bytes. At most `chain` steps, up to
    /// [`MAX_CHAIN`], lead from an explicit state to another one.
    pub fn new(budget: u64, chain: u32, stepper: Box<dyn Stepper>) -> Self {
        let cache = vec![(EMPTY, Vec::new()); CACHED];
        let (state, choices) = (Vec::new(), Vec::new());
        let rebuilder = RefCell::new(Rebuilder { stepper, cache, state, choices, steps: 0 });
        Self {
            records: ChunkedVec::new(budget),
            explicit: Arena::default(),
            slots: Vec::new(),
            rebuilder,
            chain: chain.min(MAX_CHAIN),
            budget,
            longest: 0,
            hidden: 0,
            from: None,
            explicit_states: 0,
        }
    }

    /// How many states are kept as they are.
    pub fn explicit_states(&self) -> u64 {
        self.explicit_states
    }

    /// How many steps were executed again.
    pub fn steps(&self) -> u64 {
        self.rebuilder.borrow().steps
    }

    fn hash(key: &[u8]) -> u32 {
        (hash64(key, SEED) >> (64 - HASH_BITS)) as u32
    }

    /// Where the search for a hash begins.
    fn home(&self, hash: u32) -> usize {
        ((u64::from(hash) * self.slots.len() as u64) >> HASH_BITS) as usize
    }

    /// Whether the state with a number has this key.
    fn same(&self, number: u32, key: &[u8], length: usize) -> bool {
        let mut rebuilder = self.rebuilder.borrow_mut();
        let rebuilder = &mut *rebuilder;
        rebuilder.choices.clear();
        let mut at = number;
        loop {
            let Some(record) = self.records.get(at as usize) else { return false };
            let cached = &rebuilder.cache[at as usize % CACHED];
            if cached.0 == at {
                rebuilder.state.clone_from(&cached.1);
                break;
            }
            if record.chain() == 0 {
                rebuilder.state.clear();
                rebuilder.state.extend_from_slice(self.explicit.get(StateId(record.link)));
                break;
            }
            rebuilder.choices.push(record.choice);
            at = record.link;
        }
        while let Some(choice) = rebuilder.choices.pop() {
            rebuilder.steps += 1;
            if !rebuilder.stepper.step(&mut rebuilder.state, choice) {
                // It was executed before; without it nothing may be called seen.
                return false;
            }
        }
        let slot = &mut rebuilder.cache[number as usize % CACHED];
        if slot.0 != number {
            slot.0 = number;
            slot.1.clone_from(&rebuilder.state);
        }
        rebuilder.state.len() == length && rebuilder.state.get(..key.len()) == Some(key)
    }

    /// The number of the state with this key, or the slot where it would go.
    fn look(&self, key: &[u8], length: usize, hash: u32) -> Result<u32, Option<usize>> {
        if self.slots.is_empty() {
            return Err(None);
        }
        let mut at = self.home(hash);
        for _ in 0..self.slots.len() {
            let number = self.slots[at];
            if number == EMPTY {
                return Err(Some(at));
            }
            let tag = self.records.get(number as usize).map_or(0, |record| record.tag);
            if tag >> (32 - HASH_BITS) == hash && self.same(number, key, length) {
                return Ok(number);
            }
            at = if at + 1 == self.slots.len() { 0 } else { at + 1 };
        }
        Err(None)
    }

    fn available(&self) -> u64 {
        self.budget.saturating_sub(self.memory_bytes())
    }

    /// Doubles the slots, if there is memory for the old and the new ones.
    fn grow(&mut self) -> bool {
        let length = (self.slots.len() * 2).max(64);
        let bytes = (length * size_of::<u32>()) as u64;
        let mut slots = Vec::new();
        if bytes > self.available() || slots.try_reserve_exact(length).is_err() {
            return false;
        }
        slots.resize(length, EMPTY);
        let old = std::mem::replace(&mut self.slots, slots);
        for number in old.into_iter().filter(|number| *number != EMPTY) {
            let tag = self.records.get(number as usize).map_or(0, |record| record.tag);
            let mut at = self.home(tag >> (32 - HASH_BITS));
            while self.slots[at] != EMPTY {
                at = if at + 1 == length { 0 } else { at + 1 };
            }
            self.slots[at] = number;
        }
        true
    }

    /// Adds a record for a new state; nothing if there is no room.
    fn add(&mut self, state: &[u8], hash: u32) -> Option<u32> {
        let number = u32::try_from(self.records.len()).ok().filter(|n| *n < EMPTY)?;
        let chain = self.from.and_then(|(parent, _)| self.records.get(parent as usize));
        let chain = chain.map_or(0, |parent| parent.chain() + 1);
        let more = self.records.push_bytes();
        let tag = hash << (32 - HASH_BITS);
        let record = match self.from {
            Some((parent, choice)) if chain > 0 && chain <= self.chain => {
                (more <= self.available()).then_some(())?;
                Record { link: parent, choice, tag: tag | chain }
            }
            _ => {
                let available = self.available().checked_sub(more)?;
                let placement = self.explicit.place(state.len(), available)?;
                let id = self.explicit.push([state], placement)?;
                self.explicit_states += 1;
                Record { link: id.0, choice: 0, tag }
            }
        };
        self.records.push(record);
        Some(number)
    }
}

impl VisitedSet for Delta {
    fn insert(&mut self, state: &[u8], key_len: usize) -> Insert {
        let key = state.get(..key_len).unwrap_or(state);
        let hash = Self::hash(key);
        // The buffers of the rebuilder grow with the longest state.
        self.longest = self.longest.max(state.len());
        let mut slot = match self.look(key, state.len(), hash) {
            Ok(number) => return Insert::Seen(StateId(number)),
            Err(slot) => slot,
        };
        self.hidden = state.len() - key.len();
        let crowded = self.records.len() * 4 >= self.slots.len() * 3;
        if (crowded || slot.is_none()) && self.grow() {
            slot = self.look(&[], usize::MAX, hash).err().flatten();
        }
        let Some(slot) = slot else { return Insert::Full };
        let Some(number) = self.add(state, hash) else { return Insert::Full };
        self.slots[slot] = number;
        Insert::New(StateId(number))
    }

    fn contains(&self, state: &[u8], key_len: usize) -> bool {
        let key = state.get(..key_len).unwrap_or(state);
        self.look(key, state.len(), Self::hash(key)).is_ok()
    }

    fn len(&self) -> u64 {
        self.records.len() as u64
    }

    fn memory_bytes(&self) -> u64 {
        let buffers = (CACHED + 1) * (self.longest * 2 + size_of::<(u32, Vec<u8>)>());
        self.records.memory_bytes()
            + self.explicit.memory_bytes()
            + (self.slots.capacity() * size_of::<u32>()) as u64
            + buffers as u64
    }

    fn set_budget(&mut self, bytes: u64) {
        self.budget = bytes;
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn coming_from(&mut self, parent: StateId, choice: u32) {
        self.from = Some((parent.0, choice));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_base::random::Random;
    use std::collections::HashMap;

    /// A walk on a grid of so many sides; a choice is the dimension.
    #[derive(Debug)]
    struct Grid(Vec<u8>);

    impl Stepper for Grid {
        fn step(&mut self, state: &mut Vec<u8>, choice: u32) -> bool {
            let Some(side) = self.0.get(choice as usize) else { return false };
            let place = &mut state[choice as usize];
            *place = (*place + 1) % side;
            true
        }
    }

    fn explore(budget: u64, chain: u32, sides: &[u8], seed: u64) -> (Delta, bool) {
        let mut random = Random::new(seed);
        let mut set = Delta::new(budget, chain, Box::new(Grid(sides.to_vec())));
        let first = vec![0u8; sides.len() + 40];
        let Insert::New(id) = set.insert(&first, first.len()) else { return (set, false) };
        let mut known = HashMap::from([(first.clone(), id)]);
        let mut open = vec![(first, id)];
        let mut full = false;
        while !open.is_empty() {
            let (state, id) = open.swap_remove(random.below(open.len()));
            for choice in 0..sides.len() as u32 {
                let mut next = state.clone();
                assert!(Grid(sides.to_vec()).step(&mut next, choice));
                set.coming_from(id, choice);
                assert_eq!(set.contains(&next, next.len()), known.contains_key(&next));
                match set.insert(&next, next.len()) {
                    Insert::New(new) => {
                        assert!(known.insert(next.clone(), new).is_none());
                        open.push((next, new));
                    }
                    Insert::Seen(seen) => assert_eq!(known.get(&next), Some(&seen)),
                    Insert::Full => {
                        full = true;
                        assert!(!known.contains_key(&next));
                    }
                }
                assert!(set.memory_bytes() <= budget, "{} of {budget}", set.memory_bytes());
            }
        }
        assert_eq!(set.len(), known.len() as u64);
        (set, full)
    }

    #[test]
    fn agrees_with_an_oracle_whatever_the_length_of_chains() {
        for chain in [0, 1, 4, 9, 49] {
            let (set, full) = explore(1 << 24, chain, &[5, 7, 6, 4], u64::from(chain));
            assert_eq!((set.len(), full), (840, false));
            match chain {
                0 => assert_eq!((set.explicit_states(), set.steps()), (840, 0)),
                _ => assert!(set.explicit_states() < 420 && set.steps() > 0),
            }
        }
        let (set, full) = explore(40_000, 9, &[9, 9, 9, 9, 9], 1);
        assert!(full && set.len() > 500);
    }

    #[test]
    fn a_chain_of_a_thousand_has_every_tenth_state() {
        let mut set = Delta::new(1 << 20, 9, Box::new(Grid(vec![250, 250, 250, 250])));
        let mut state = vec![0u8; 4];
        let Insert::New(mut id) = set.insert(&state, 4) else { panic!("there is room") };
        for n in 1..1000u32 {
            let choice = n / 250;
            assert!(Grid(vec![251; 4]).step(&mut state, choice));
            set.coming_from(id, choice);
            let Insert::New(new) = set.insert(&state, 4) else { panic!("it is new: {state:?}") };
            id = new;
        }
        assert_eq!((set.len(), set.explicit_states()), (1000, 100));
    }
}
