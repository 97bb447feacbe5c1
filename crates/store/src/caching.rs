//! Exact states in bounded memory: when it is full, states that are done make room for new ones.
//!
//! State caching: a depth-first search needs the states of its path; those it has left only save
//! work (Holzmann 1985; Godefroid, Holzmann and Pirottin 1992; Geldenhuys 1999). A state that was
//! forgotten and is met again is explored again. So `Seen` is never wrong and no state is missed,
//! but counts are those of explorations, and a search ends only if it holds the states of its path.
//! State spaces of up to about 1.7 times the room cost little more; at twice the room the work
//! grows many times over.
//!
//! One table, open addressing with double hashing. What is replaced is the first state on the path
//! of the new one that may be, after some probes, which is as good as random. The whole window is
//! searched for the state itself before anything is replaced: a state of the search's path may
//! stand behind the first replaceable one.

use crate::arena::{Arena, record_bytes};
use crate::hash_compact::prime_below;
use crate::{Approximation, Guarantee, Insert, Made, Making, Recall, StateId, VisitedSet};
use promenade_base::hash::hash128;

/// For the list of stores.
pub(crate) fn build(making: &Making<'_>) -> Made {
    let settings = Settings { seed: making.settings.seed.into(), ..Settings::default() };
    Made::within(making.share, Caching::new(making.share, settings))
}

/// What one may choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// How many states fit, at most; `None`: all that the budget allows.
    pub states: Option<u64>,
    /// Probes before a state may be replaced. Few are fast and forget more.
    pub probes_before: u32,
    /// Probes before giving up. Not more than `probes_before`: nothing is replaced, and the store
    /// is full when it is.
    pub probes: u32,
    /// Seed of the hash.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { states: None, probes_before: 100, probes: 200, seed: 0 }
    }
}

/// A place of the table, in one word: which record, how many bytes it may have, some bits of the
/// hash, and whether the state is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Place(u64);

const TAG_BITS: u32 = 11;
const CAPACITY_BITS: u32 = 20;
const HELD: u64 = 1 << 63;

impl Place {
    const EMPTY: Self = Self(0);
    /// A state was here, and others may stand behind it.
    const LEFT: Self = Self(HELD);

    /// `None` for a state that is too long.
    fn held(record: StateId, capacity: usize, tag: u64) -> Option<Self> {
        let capacity = u64::try_from(capacity).ok().filter(|c| *c < 1 << CAPACITY_BITS)?;
        Some(Self(HELD | tag << (32 + CAPACITY_BITS) | capacity << 32 | u64::from(record.0)))
    }

    fn record(self) -> StateId {
        StateId(self.0 as u32)
    }

    /// 0 where there is no state.
    fn capacity(self) -> usize {
        (self.0 >> 32) as usize & ((1 << CAPACITY_BITS) - 1)
    }

    fn tag(self) -> u64 {
        (self.0 & !HELD) >> (32 + CAPACITY_BITS)
    }

    fn is_taken(self) -> bool {
        self.capacity() > 0
    }

    fn is_held(self) -> bool {
        self.0 & HELD != 0
    }

    /// Whether the state may be replaced by one that needs this many bytes.
    fn may_hold(self, bytes: usize) -> bool {
        !self.is_held() && self.capacity() >= bytes
    }
}

/// The path of a state through the system.
#[derive(Clone, Copy)]
struct Path {
    at: usize,
    step: usize,
    size: usize,
    tag: u64,
}

impl Path {
    #[inline]
    fn advance(&mut self) {
        self.at += self.step;
        if self.at >= self.size {
            self.at -= self.size;
        }
    }
}

/// The bounded store.
///
/// A new state is held until [`Self::release`] says that the search has left it; only then may it
/// be replaced. An id means its state as long as that is held, and some state of the store later.
#[derive(Debug)]
pub struct Caching {
    places: Vec<Place>,
    arena: Arena,
    settings: Settings,
    budget: u64,
    count: u64,
    held: u64,
    replaced: u64,
    longest: u32,
}

/// How a search ended.
enum Found {
    Same(usize),
    /// Where the state may go.
    Room(usize),
    Nowhere,
}

impl Caching {
    /// An empty store that reserves at most `budget` bytes.
    pub fn new(budget: u64, settings: Settings) -> Self {
        let settings = Settings { probes: settings.probes.max(1), ..settings };
        Self {
            places: Vec::new(),
            arena: Arena::default(),
            settings,
            budget,
            count: 0,
            held: 0,
            replaced: 0,
            longest: 0,
        }
    }

    /// What was chosen.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Places for states; 0 before the first insertion.
    pub fn places(&self) -> u64 {
        self.places.len() as u64
    }

    /// How many states were forgotten.
    pub fn replaced(&self) -> u64 {
        self.replaced
    }

    /// How many states are held.
    pub fn held(&self) -> u64 {
        self.held
    }

    /// The longest search for a state so far, in probes.
    pub fn longest_search(&self) -> u32 {
        self.longest
    }

    /// The bytes of a stored state, hidden ones included; empty for an id of another store.
    #[inline]
    pub fn get(&self, id: StateId) -> &[u8] {
        let place = self.places.get(id.0 as usize).filter(|place| place.is_taken());
        place.map_or(&[], |place| self.arena.get(place.record()))
    }

    /// Whether a state is held: if the search holds its path, whether it is on that.
    #[inline]
    pub fn is_held(&self, id: StateId) -> bool {
        self.places.get(id.0 as usize).is_some_and(|place| place.is_taken() && place.is_held())
    }

    /// Allows a state to be replaced.
    pub fn release(&mut self, id: StateId) {
        if self.is_held(id)
            && let Some(place) = self.places.get_mut(id.0 as usize)
        {
            place.0 &= !HELD;
            self.held -= 1;
        }
    }

    /// Forbids replacing a state that is stored.
    pub fn hold(&mut self, id: StateId) {
        if let Some(place) = self.places.get_mut(id.0 as usize).filter(|place| place.is_taken())
            && !place.is_held()
        {
            place.0 |= HELD;
            self.held += 1;
        }
    }

    /// All stored states, in no particular order.
    pub fn ids(&self) -> impl Iterator<Item = StateId> + '_ {
        let taken = self.places.iter().enumerate().filter(|(_, place)| place.is_taken());
        taken.map(|(at, _)| StateId(at as u32))
    }

    fn available(&self) -> u64 {
        self.budget.saturating_sub(self.memory_bytes())
    }

    /// Reserves the table for states like this one.
    #[cold]
    fn reserve(&mut self, record: usize) -> bool {
        let each = (size_of::<Place>() + record) as u64;
        let wanted = (self.budget / each).min(self.settings.states.unwrap_or(u64::MAX));
        let wanted = prime_below(wanted.min(u64::from(u32::MAX)));
        let Ok(count) = usize::try_from(wanted) else { return false };
        let mut empty = Vec::new();
        if count == 0 || empty.try_reserve_exact(count).is_err() {
            return false;
        }
        empty.resize(count, Place::EMPTY);
        self.places = empty;
        true
    }

    #[inline]
    fn path(&self, key: &[u8]) -> Path {
        let hash = hash128(key, self.settings.seed);
        let (low, high) = (hash as u64, (hash >> 64) as u64);
        let size = self.places.len();
        let scale = |hash: u64, bound: usize| ((u128::from(hash) * bound as u128) >> 64) as usize;
        let step = if size > 1 { 1 + scale(high, size - 1) } else { 0 };
        Path { at: scale(low, size), step, size, tag: low & ((1 << TAG_BITS) - 1) }
    }

    /// Probes before replacement and in all: fewer in a table that is smaller than the window.
    fn window(&self) -> (usize, usize) {
        let (before, all) = (self.settings.probes_before as usize, self.settings.probes as usize);
        let size = self.places.len();
        if all <= size { (before, all) } else { ((before * size).div_ceil(all), size) }
    }

    /// Searches the whole window for the state before it says where there is room for it.
    #[inline]
    fn look(&self, key: &[u8], length: usize, mut path: Path) -> (Found, u32) {
        let (before, all) = self.window();
        let bytes = record_bytes(length);
        let (mut room, mut early) = (None, None);
        for probe in 0..all {
            let Some(&place) = self.places.get(path.at) else { break };
            if place == Place::EMPTY {
                return (Found::Room(room.unwrap_or(path.at)), probe as u32 + 1);
            }
            if place.is_taken() && place.tag() == path.tag {
                let stored = self.arena.get(place.record());
                if stored.len() == length && stored.get(..key.len()) == Some(key) {
                    return (Found::Same(path.at), probe as u32 + 1);
                }
            }
            let may = place.may_hold(bytes);
            if room.is_none() && (place == Place::LEFT || probe >= before && may) {
                room = Some(path.at);
            }
            if early.is_none() && may && before < all {
                early = Some(path.at);
            }
            path.advance();
        }
        // Where records have many lengths, none of those further on may be long enough.
        (room.or(early).map_or(Found::Nowhere, Found::Room), all as u32)
    }

    /// Room for a record where no state is: new memory, or that of a state on the same path.
    fn find_record(&mut self, state: &[u8], mut path: Path) -> Option<(StateId, usize)> {
        let bytes = record_bytes(state.len());
        if let Some(placement) = self.arena.place(state.len(), self.available()) {
            return Some((self.arena.push([state], placement)?, bytes));
        }
        let (before, all) = self.window();
        if before >= all {
            return None;
        }
        for _ in 0..all {
            let place = self.places.get_mut(path.at)?;
            if place.may_hold(bytes) {
                let (record, capacity) = (place.record(), place.capacity());
                *place = Place::LEFT;
                self.arena.overwrite(record, state);
                (self.count, self.replaced) = (self.count - 1, self.replaced + 1);
                return Some((record, capacity));
            }
            path.advance();
        }
        None
    }

    fn store(&mut self, state: &[u8], path: Path, at: usize) -> Option<StateId> {
        if record_bytes(state.len()) >= 1 << CAPACITY_BITS {
            return None;
        }
        let place = *self.places.get(at)?;
        let (record, capacity) = if place.is_taken() {
            self.arena.overwrite(place.record(), state);
            (self.count, self.replaced) = (self.count - 1, self.replaced + 1);
            (place.record(), place.capacity())
        } else {
            self.find_record(state, path)?
        };
        *self.places.get_mut(at)? = Place::held(record, capacity, path.tag)?;
        (self.count, self.held) = (self.count + 1, self.held + 1);
        Some(StateId(at as u32))
    }
}

impl VisitedSet for Caching {
    /// A new state is held. [`Insert::Full`]: there is nothing that may be replaced; what was
    /// stored before is still there.
    #[inline]
    fn insert(&mut self, state: &[u8], key_len: usize) -> Insert {
        if self.places.is_empty() && !self.reserve(record_bytes(state.len())) {
            return Insert::Full;
        }
        let key = state.get(..key_len).unwrap_or(state);
        let path = self.path(key);
        let (found, probes) = self.look(key, state.len(), path);
        self.longest = self.longest.max(probes);
        match found {
            Found::Same(at) => Insert::Seen(StateId(at as u32)),
            Found::Room(at) => self.store(state, path, at).map_or(Insert::Full, Insert::New),
            Found::Nowhere => Insert::Full,
        }
    }

    fn contains(&self, state: &[u8], key_len: usize) -> bool {
        self.locate(state, key_len).is_some()
    }

    /// How many states are stored now.
    fn len(&self) -> u64 {
        self.count
    }

    fn memory_bytes(&self) -> u64 {
        (self.places.capacity() * size_of::<Place>()) as u64 + self.arena.memory_bytes()
    }

    fn set_budget(&mut self, bytes: u64) {
        self.budget = bytes;
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Forgetful
    }

    fn leave(&mut self, id: StateId) {
        self.release(id);
    }

    fn approximation(&self) -> Approximation {
        Approximation {
            places: self.places(),
            places_used: self.count,
            replaced: self.replaced,
            ..Approximation::none(Guarantee::Forgetful, self.count)
        }
    }
}

impl Recall for Caching {
    fn recall(&self, id: StateId, into: &mut Vec<u8>) {
        into.extend_from_slice(self.get(id));
    }

    fn locate(&self, state: &[u8], key_len: usize) -> Option<StateId> {
        let key = state.get(..key_len).unwrap_or(state);
        match self.look(key, state.len(), self.path(key)).0 {
            Found::Same(at) => Some(StateId(at as u32)),
            Found::Room(_) | Found::Nowhere => None,
        }
    }
}

#[cfg(test)]
mod tests;
