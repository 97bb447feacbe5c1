//! Exact states in parts: each part is stored once, and a state is the list of their numbers.
//!
//! States of a concurrent system are combinations of few different records of its processes,
//! channels and globals. Each kind of part has a table of its own, and a state is kept as the
//! numbers of its parts, most of them in one byte (Holzmann, "State Compression in SPIN: Recursive
//! Indexing and Compression Training Runs", 1997). Numbers have variable length and tables grow, so
//! nothing has to be guessed before. The list of kinds of a state is itself a part, so that states
//! with different processes are never confused.

use crate::arena::Arena;
use crate::table::{Slot, Table};
use crate::{
    ChunkedVec, Exact, Guarantee, Insert, Made, Making, Recall, StateId, StateStore, VisitedSet,
};
use promenade_base::hash::hash64;
use promenade_base::varint;

/// For the list of stores.
pub(crate) fn build(making: &Making<'_>) -> Made {
    Made::growing(Collapse::cutting(making.budget, (making.cut)()))
}

/// A part of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Parts of one kind share a table. Small numbers, given without gaps, are cheapest.
    pub kind: u16,
    /// How many bytes of the state belong to it.
    pub length: u32,
}

/// Says which parts a state has.
pub trait Cut: std::fmt::Debug {
    /// Fills the empty list. What the parts leave is one more part.
    fn cut(&self, state: &[u8], parts: &mut Vec<Part>);
}

/// The table of the parts that no part description covers.
const REST: u16 = u16::MAX;

/// All different parts of one kind.
#[derive(Debug)]
struct Components {
    kind: u16,
    arena: Arena,
    table: Table,
    /// Where the part with a number is.
    places: ChunkedVec<StateId>,
}

/// What a search for a part found.
enum Numbered {
    Number(u32),
    Missing,
}

impl Components {
    fn new(kind: u16, budget: u64) -> Self {
        let (arena, table) = (Arena::default(), Table::new(budget));
        // Most tables stay small.
        Self { kind, arena, table, places: ChunkedVec::new(budget / 64) }
    }

    fn memory_bytes(&self) -> u64 {
        self.arena.memory_bytes() + self.table.memory_bytes() + self.places.memory_bytes()
    }

    #[inline]
    fn get(&self, number: u32) -> &[u8] {
        self.places.get(number as usize).map_or(&[], |place| self.arena.get(place))
    }

    #[inline]
    fn look(&self, part: &[u8], hash: u64) -> Slot {
        self.table.find(hash, |number| self.get(number.0) == part)
    }

    #[inline]
    fn find(&self, part: &[u8]) -> Numbered {
        match self.look(part, hash64(part, 0)) {
            Slot::Taken(number) => Numbered::Number(number.0),
            Slot::Vacant(_) | Slot::Crowded => Numbered::Missing,
        }
    }

    /// Gives a part that is not there the next number if `available` bytes are enough for that.
    #[cold]
    fn add(&mut self, part: &[u8], available: u64) -> Option<u32> {
        let hash = hash64(part, 0);
        let before = self.memory_bytes();
        let places = self.places.push_bytes();
        let placement = self.arena.place(part.len(), available.checked_sub(places)?)?;
        let mut slot = self.look(part, hash);
        let crowded = match slot {
            Slot::Taken(number) => return Some(number.0),
            Slot::Vacant(vacancy) => self.table.wants_growth(vacancy),
            Slot::Crowded => true,
        };
        if crowded {
            let (arena, list) = (&self.arena, &self.places);
            let free = available.saturating_sub(places + placement.bytes);
            let grown = self.table.grow(hash, free, |number| {
                hash64(list.get(number.0 as usize).map_or(&[], |place| arena.get(place)), 0)
            });
            if grown {
                slot = self.table.find(hash, |_| false);
            }
        }
        let Slot::Vacant(vacancy) = slot else { return None };
        let number = u32::try_from(self.places.len()).ok()?;
        let place = self.arena.push([part], placement)?;
        self.places.push(place);
        self.table.fill(vacancy, hash, StateId(number));
        debug_assert!(self.memory_bytes() <= before + available);
        Some(number)
    }
}

/// What one kind of part costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KindStatistics {
    /// The kind; `None` for the lists of kinds.
    pub kind: Option<u16>,
    /// How many different parts there are.
    pub parts: u64,
    /// Memory of their table.
    pub memory_bytes: u64,
}

/// The exact store with collapse compression.
///
/// Where the parts of a state end must follow from the bytes of its identity: equal states are cut
/// equally. Through [`VisitedSet`] states are cut as [`Self::set_parts`] said last.
#[derive(Debug)]
pub struct Collapse {
    main: Exact,
    /// In the order of their kinds.
    kinds: Vec<Components>,
    layouts: Components,
    /// How states are cut that come without a description: by this, or else in these parts.
    cutter: Option<Box<dyn Cut>>,
    parts: Vec<Part>,
    budget: u64,
    buffers: Buffers,
    /// Number of the layout in the buffer, if that is the one of the last state.
    last_layout: Option<u32>,
    /// Memory of all tables of parts.
    side: u64,
}

/// Room for the numbers of a state's parts and for the list of their kinds.
#[derive(Debug, Default)]
struct Buffers {
    record: Vec<u8>,
    layout: Vec<u8>,
}

/// Bytes that a number may need.
const NUMBER_BYTES: usize = 5;

impl Buffers {
    /// Bytes of a record and of a layout for this many described parts.
    fn sizes(parts: usize) -> (usize, usize) {
        (NUMBER_BYTES * (parts + 2), size_of::<u16>() * (parts + 1))
    }

    fn new(parts: usize) -> Option<Self> {
        let (record, layout) = Self::sizes(parts);
        let mut new = Self::default();
        new.record.try_reserve_exact(record).ok()?;
        new.layout.try_reserve_exact(layout).ok()?;
        Some(new)
    }

    fn are_enough(&self, parts: usize) -> bool {
        let (record, layout) = Self::sizes(parts);
        self.record.capacity() >= record && self.layout.capacity() >= layout
    }

    /// Twice what they are: a search by a shared reference makes its own for a moment.
    fn memory_bytes(&self) -> u64 {
        2 * (self.record.capacity() + self.layout.capacity()) as u64
    }
}

#[inline]
fn push_number(into: &mut Vec<u8>, number: u32) {
    varint::put(u64::from(number), &mut |byte| into.push(byte));
}

/// The parts of a key: those that the description gives, cut at the end of the key, and one for
/// what is left.
fn cut<'a>(key: &'a [u8], parts: &'a [Part]) -> impl Iterator<Item = (u16, &'a [u8])> {
    let mut rest = key;
    let mut described = parts.iter();
    let mut over = false;
    std::iter::from_fn(move || {
        if let Some(part) = described.next() {
            let (now, later) = rest.split_at(rest.len().min(part.length as usize));
            rest = later;
            return Some((part.kind.min(REST - 1), now));
        }
        let last = std::mem::take(&mut rest);
        (!std::mem::replace(&mut over, true) && !last.is_empty()).then_some((REST, last))
    })
}

impl Collapse {
    /// An empty store that reserves at most `budget` bytes.
    pub fn new(budget: u64) -> Self {
        Self {
            main: Exact::new(budget),
            kinds: Vec::new(),
            layouts: Components::new(REST, 0),
            cutter: None,
            parts: Vec::new(),
            budget,
            buffers: Buffers::default(),
            last_layout: None,
            side: 0,
        }
    }

    /// An empty store that cuts states in this way.
    pub fn cutting(budget: u64, cutter: Box<dyn Cut>) -> Self {
        Self { cutter: Some(cutter), ..Self::new(budget) }
    }

    /// How to cut states that come without a description, from now on. At first they are not cut.
    /// `false` if there is no memory for it, and nothing changes.
    pub fn set_parts(&mut self, parts: &[Part]) -> bool {
        if parts.len() > self.parts.capacity() {
            let bytes = size_of_val(parts) as u64;
            let mut list = Vec::new();
            if bytes > self.available() || list.try_reserve_exact(parts.len()).is_err() {
                return false;
            }
            self.parts = list;
        }
        self.parts.clear();
        self.parts.extend_from_slice(parts);
        true
    }

    /// Adds a state that consists of `parts`, as [`VisitedSet::insert`]. What the parts leave of
    /// the identity is one more part; what they have too much is ignored.
    pub fn insert_parts(&mut self, state: &[u8], key_len: usize, parts: &[Part]) -> Insert {
        let (key, tail) = state.split_at(key_len.min(state.len()));
        if !self.prepare(parts.len()) || self.encode(key, parts).is_none() {
            return Insert::Full;
        }
        self.main.set_budget(self.budget.saturating_sub(self.beside()));
        let Self { main, buffers, .. } = self;
        main.insert_with(&buffers.record, buffers.record.len(), tail)
    }

    /// The stored state with this identity that consists of `parts`.
    pub fn find_parts(&self, state: &[u8], key_len: usize, parts: &[Part]) -> Option<StateId> {
        let (key, tail) = state.split_at(key_len.min(state.len()));
        // No stored state has as many parts as that.
        if !self.buffers.are_enough(parts.len()) {
            return None;
        }
        let Buffers { mut record, mut layout } = Buffers::new(parts.len())?;
        cut(key, parts).for_each(|(kind, _)| layout.extend(kind.to_le_bytes()));
        let Numbered::Number(number) = self.layouts.find(&layout) else { return None };
        push_number(&mut record, number);
        for (kind, part) in cut(key, parts) {
            let components = self.kinds.get(self.place_of(kind).ok()?)?;
            let Numbered::Number(number) = components.find(part) else { return None };
            push_number(&mut record, number);
        }
        self.main.find_with(&record, record.len(), tail.len())
    }

    /// The state stored first.
    pub fn first(&self) -> Option<StateId> {
        self.main.first()
    }

    /// The state stored next after `id`.
    pub fn after(&self, id: StateId) -> Option<StateId> {
        self.main.after(id)
    }

    /// What each kind of part costs, the list of layouts last.
    pub fn kinds(&self) -> impl Iterator<Item = KindStatistics> + '_ {
        let named = self.kinds.iter().map(|c| (Some(c.kind), c));
        named.chain([(None, &self.layouts)]).map(|(kind, c)| KindStatistics {
            kind,
            parts: c.places.len() as u64,
            memory_bytes: c.memory_bytes(),
        })
    }

    /// Memory of everything but the main table.
    fn beside(&self) -> u64 {
        self.side
            + self.buffers.memory_bytes()
            + (self.kinds.capacity() * size_of::<Components>()) as u64
            + (self.parts.capacity() * size_of::<Part>()) as u64
    }

    fn available(&self) -> u64 {
        self.budget.saturating_sub(self.memory_bytes())
    }

    /// Makes the buffers large enough for this many parts.
    #[inline]
    fn prepare(&mut self, parts: usize) -> bool {
        self.buffers.are_enough(parts) || self.enlarge(parts)
    }

    #[cold]
    fn enlarge(&mut self, parts: usize) -> bool {
        let (record, layout) = Buffers::sizes(parts);
        let free = self.available() + self.buffers.memory_bytes();
        if 2 * (record + layout) as u64 > free {
            return false;
        }
        // The old ones are given back first: what they hold is not needed.
        (self.buffers, self.last_layout) = (Buffers::default(), None);
        Buffers::new(parts).map(|new| self.buffers = new).is_some()
    }

    #[inline]
    fn place_of(&self, kind: u16) -> Result<usize, usize> {
        let likely = usize::from(kind);
        if self.kinds.get(likely).is_some_and(|c| c.kind == kind) {
            return Ok(likely);
        }
        self.kinds.binary_search_by_key(&kind, |c| c.kind)
    }

    /// Writes the record of a key, with new numbers for new parts; `None` if they do not fit.
    #[inline]
    fn encode(&mut self, key: &[u8], parts: &[Part]) -> Option<()> {
        let known = self.last_layout.take().filter(|_| {
            let mut kinds = self.buffers.layout.chunks_exact(size_of::<u16>());
            cut(key, parts).all(|(kind, _)| kinds.next() == Some(&kind.to_le_bytes()[..]))
                && kinds.next().is_none()
        });
        let layout = match known {
            Some(number) => number,
            None => self.number_layout(key, parts)?,
        };
        self.last_layout = Some(layout);
        self.buffers.record.clear();
        push_number(&mut self.buffers.record, layout);
        for (kind, part) in cut(key, parts) {
            let found = self.place_of(kind).ok().and_then(|place| self.kinds.get(place));
            let number = match found.map(|components| components.find(part)) {
                Some(Numbered::Number(number)) => number,
                Some(Numbered::Missing) | None => self.number_part(kind, part)?,
            };
            push_number(&mut self.buffers.record, number);
        }
        Some(())
    }

    #[cold]
    fn number_layout(&mut self, key: &[u8], parts: &[Part]) -> Option<u32> {
        self.buffers.layout.clear();
        for (kind, _) in cut(key, parts) {
            self.buffers.layout.extend(kind.to_le_bytes());
        }
        if let Numbered::Number(number) = self.layouts.find(&self.buffers.layout) {
            return Some(number);
        }
        let available = self.available();
        let before = self.layouts.memory_bytes();
        let number = self.layouts.add(&self.buffers.layout, available);
        self.side += self.layouts.memory_bytes() - before;
        number
    }

    #[cold]
    fn number_part(&mut self, kind: u16, part: &[u8]) -> Option<u32> {
        let place = match self.place_of(kind) {
            Ok(place) => place,
            Err(place) => {
                self.make_room_for_kind()?;
                self.kinds.insert(place, Components::new(kind, self.budget));
                place
            }
        };
        let available = self.available();
        let components = self.kinds.get_mut(place)?;
        let before = components.memory_bytes();
        let number = components.add(part, available);
        self.side += components.memory_bytes() - before;
        number
    }

    /// Room for one more kind; for a moment there are the old list and the new one.
    fn make_room_for_kind(&mut self) -> Option<()> {
        let count = self.kinds.len();
        if count < self.kinds.capacity() {
            return Some(());
        }
        let wanted = (count * 2).max(4);
        if (wanted * size_of::<Components>()) as u64 > self.available() {
            return None;
        }
        self.kinds.try_reserve_exact(wanted - count).ok()
    }
}

impl VisitedSet for Collapse {
    #[inline]
    fn insert(&mut self, state: &[u8], key_len: usize) -> Insert {
        let mut parts = std::mem::take(&mut self.parts);
        if let Some(cutter) = &self.cutter {
            parts.clear();
            cutter.cut(state, &mut parts);
        }
        let held = (parts.capacity() * size_of::<Part>()) as u64;
        // The list is still there while it is away.
        self.side += held;
        let answer = self.insert_parts(state, key_len, &parts);
        self.side -= held;
        self.parts = parts;
        answer
    }

    fn contains(&self, state: &[u8], key_len: usize) -> bool {
        self.locate(state, key_len).is_some()
    }

    fn len(&self) -> u64 {
        self.main.len()
    }

    fn memory_bytes(&self) -> u64 {
        self.main.memory_bytes() + self.beside()
    }

    fn set_budget(&mut self, bytes: u64) {
        self.budget = bytes;
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }
}

impl Recall for Collapse {
    fn recall(&self, id: StateId, into: &mut Vec<u8>) {
        let mut buffer = Vec::new();
        let mut record = self.main.get(id, &mut buffer);
        let Some(layout) = varint::take_u32(&mut record) else { return };
        for kind in self.layouts.get(layout).chunks_exact(size_of::<u16>()) {
            let Some(number) = varint::take_u32(&mut record) else { return };
            let kind = kind.first_chunk().map_or(REST, |k| u16::from_le_bytes(*k));
            if let Some(c) = self.place_of(kind).ok().and_then(|place| self.kinds.get(place)) {
                into.extend_from_slice(c.get(number));
            }
        }
        into.extend_from_slice(record);
    }

    fn locate(&self, state: &[u8], key_len: usize) -> Option<StateId> {
        let Some(cutter) = &self.cutter else {
            return self.find_parts(state, key_len, &self.parts);
        };
        let mut parts = Vec::with_capacity(self.parts.capacity());
        cutter.cut(state, &mut parts);
        self.find_parts(state, key_len, &parts)
    }
}

#[cfg(test)]
mod tests;
