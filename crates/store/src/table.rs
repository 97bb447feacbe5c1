//! From hashes to state ids: open addressing in segments that grow one at a time.
//!
//! Extendible hashing (Fagin, Nievergelt, Pippenger and Strong 1979): a directory maps the upper
//! bits of a hash to a segment; a full segment grows by half until it is large, then it is split in
//! two by one more bit. So growth never needs the whole table twice. Inside a segment there are
//! groups of eight slots, and one byte of hash per slot decides for all eight at once, with word
//! arithmetic, which ones are worth a look at the state (as in Kulukundis' "Swiss tables", 2017).

use crate::StateId;

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;
/// Bytes of a group: eight bytes of hash and eight ids.
const GROUP_BYTES: u64 = size_of::<Group>() as u64;
/// A segment grows when this many of eight slots are taken.
const SOFT: u32 = 7;
const MAX_DEPTH: u32 = 24;
/// Taken slots of a group on average where a table begins, or a half that was split off.
const FILLED: u64 = 4;

/// Eight slots, side by side in memory with what decides about them.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
struct Group {
    /// Eight hash bytes; 0 is an empty slot. Slots fill from the lowest byte.
    tags: [u32; 2],
    ids: [u32; 8],
}

impl Group {
    #[inline]
    fn tags(&self) -> u64 {
        u64::from(self.tags[0]) | u64::from(self.tags[1]) << 32
    }
}

#[derive(Debug, Default)]
struct Segment {
    groups: Vec<Group>,
    used: u32,
    /// How many upper bits all hashes here share.
    depth: u32,
}

/// An empty slot for a hash.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vacancy {
    segment: u32,
    group: u32,
    slot: u32,
}

/// What [`Table::find`] found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slot {
    Taken(StateId),
    Vacant(Vacancy),
    /// Not there, and the segment has no empty slot.
    Crowded,
}

#[derive(Debug)]
pub(crate) struct Table {
    directory: Vec<u32>,
    segments: Vec<Segment>,
    depth: u32,
    /// Segments above two thirds of this many groups split instead of growing.
    max_groups: usize,
    reserved: u64,
}

#[inline]
fn tag(hash: u64) -> u64 {
    ((hash >> 32) & 0xff).max(1)
}

/// High bits of the bytes that are zero; those above the lowest may be wrong.
#[inline]
fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(LOW) & !word & HIGH
}

impl Segment {
    /// `None` if the host has no memory left.
    fn new(groups: usize, depth: u32) -> Option<Self> {
        let mut empty = Vec::new();
        empty.try_reserve_exact(groups).ok()?;
        empty.resize(groups, Group::default());
        Some(Self { groups: empty, used: 0, depth })
    }

    fn bytes(&self) -> u64 {
        self.groups.capacity() as u64 * GROUP_BYTES
    }

    #[inline]
    fn start(&self, hash: u64) -> usize {
        ((u64::from(hash as u32) * self.groups.len() as u64) >> 32) as usize
    }

    fn vacancy(&self, hash: u64) -> Option<(usize, usize)> {
        let start = self.start(hash);
        let order = (start..self.groups.len()).chain(0..start);
        order.into_iter().find_map(|g| {
            let empty = zero_bytes(self.groups[g].tags());
            (empty != 0).then(|| (g, empty.trailing_zeros() as usize / 8))
        })
    }

    fn set(&mut self, group: usize, slot: usize, hash: u64, id: u32) {
        let group = &mut self.groups[group];
        let tags = tag(hash) << (8 * slot);
        group.tags[0] |= tags as u32;
        group.tags[1] |= (tags >> 32) as u32;
        group.ids[slot] = id;
        self.used += 1;
    }

    fn add(&mut self, hash: u64, id: u32) {
        if let Some((group, slot)) = self.vacancy(hash) {
            self.set(group, slot, hash, id);
        }
    }

    /// All ids in ascending order: read one after the other, their states lie one behind the other
    /// in memory. In the order of the table each read would wait for another page.
    fn ordered(&self) -> Option<Vec<u32>> {
        let mut ids = Vec::new();
        ids.try_reserve_exact(self.used as usize).ok()?;
        for group in &self.groups {
            let count = (8 - group.tags().leading_zeros() / 8) as usize;
            ids.extend_from_slice(&group.ids[..count]);
        }
        ids.sort_unstable();
        Some(ids)
    }

    /// Bytes of that list.
    fn list_bytes(&self) -> u64 {
        u64::from(self.used) * size_of::<u32>() as u64
    }
}

impl Table {
    /// An empty table. The size of segments is a small part of the budget.
    pub(crate) fn new(budget: u64) -> Self {
        let max_groups = (budget / GROUP_BYTES / 512).clamp(8, 8192) as usize;
        Self { directory: Vec::new(), segments: Vec::new(), depth: 0, max_groups, reserved: 0 }
    }

    /// An empty table with places for `count` ids, if it takes no more than `available` bytes.
    pub(crate) fn with_places(budget: u64, count: u64, available: u64) -> Option<Self> {
        let mut table = Self::new(budget);
        let groups_all = count.div_ceil(FILLED);
        while groups_all >> table.depth > table.max_groups as u64 / 2 && table.depth < MAX_DEPTH {
            table.depth += 1;
        }
        let segments = 1usize << table.depth;
        let groups = (groups_all >> table.depth) + 2;
        let each = groups * GROUP_BYTES + size_of::<Segment>() as u64 + size_of::<u32>() as u64;
        if each * segments as u64 > available {
            return None;
        }
        table.directory = (0..segments as u32).collect();
        table.segments.try_reserve_exact(segments).ok()?;
        for _ in 0..segments {
            let segment = Segment::new(groups as usize, table.depth)?;
            table.reserved += segment.bytes();
            table.segments.push(segment);
        }
        Some(table)
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        self.reserved
            + (self.directory.capacity() * 4) as u64
            + (self.segments.capacity() * size_of::<Segment>()) as u64
    }

    #[inline]
    fn segment_of(&self, hash: u64) -> usize {
        // Two shifts, since a shift by all 64 bits is none.
        let index = (hash >> 1 >> (63 - self.depth)) as usize;
        self.directory.get(index).map_or(usize::MAX, |s| *s as usize)
    }

    /// Looks for an id that `same` accepts among those with this hash.
    #[inline]
    pub(crate) fn find(&self, hash: u64, mut same: impl FnMut(StateId) -> bool) -> Slot {
        let number = self.segment_of(hash);
        let Some(segment) = self.segments.get(number) else { return Slot::Crowded };
        let pattern = tag(hash).wrapping_mul(LOW);
        let groups = segment.groups.len();
        let mut group = segment.start(hash);
        for _ in 0..groups {
            let Some(here) = segment.groups.get(group) else { break };
            let tags = here.tags();
            let mut candidates = zero_bytes(tags ^ pattern);
            while candidates != 0 {
                let slot = candidates.trailing_zeros() as usize / 8;
                let id = StateId(here.ids[slot & 7]);
                if same(id) {
                    return Slot::Taken(id);
                }
                candidates &= candidates - 1;
            }
            let empty = zero_bytes(tags);
            if empty != 0 {
                let slot = empty.trailing_zeros() / 8;
                let (segment, group) = (number as u32, group as u32);
                return Slot::Vacant(Vacancy { segment, group, slot });
            }
            group += 1;
            if group == groups {
                group = 0;
            }
        }
        Slot::Crowded
    }

    /// Whether the segment of an empty slot should grow before the slot is filled.
    #[inline]
    pub(crate) fn wants_growth(&self, vacancy: Vacancy) -> bool {
        let segment = &self.segments[vacancy.segment as usize];
        segment.used >= segment.groups.len() as u32 * SOFT
    }

    /// Whether that place is one of the last in its segment: to find out that a state is not there
    /// would take ever longer.
    #[cold]
    pub(crate) fn is_crowded(&self, vacancy: Vacancy) -> bool {
        let segment = &self.segments[vacancy.segment as usize];
        let groups = segment.groups.len() as u32;
        segment.used >= groups * 8 - groups / 2
    }

    #[inline]
    pub(crate) fn fill(&mut self, vacancy: Vacancy, hash: u64, id: StateId) {
        let segment = &mut self.segments[vacancy.segment as usize];
        segment.set(vacancy.group as usize, vacancy.slot as usize, hash, id.0);
    }

    /// Makes room where `hash` belongs, if that can be done with `available` more bytes at any
    /// moment. `hash_of` gives the hash of a stored state.
    #[cold]
    pub(crate) fn grow(
        &mut self,
        hash: u64,
        available: u64,
        hash_of: impl Fn(StateId) -> u64,
    ) -> bool {
        let number = self.segment_of(hash);
        let Some(segment) = self.segments.get(number) else {
            return self.begin(available);
        };
        let (groups, depth) = (segment.groups.len(), segment.depth);
        let split = groups * 3 / 2 > self.max_groups && depth < MAX_DEPTH;
        if !split {
            let groups = (groups * 3).div_ceil(2);
            if groups as u64 * GROUP_BYTES + segment.list_bytes() > available {
                return false;
            }
            let Some(ids) = segment.ordered() else { return false };
            let Some(mut larger) = Segment::new(groups, depth) else { return false };
            for id in ids {
                larger.add(hash_of(StateId(id)), id);
            }
            self.replace(number, larger);
            return true;
        }
        self.split(number, available, hash_of)
    }

    fn begin(&mut self, available: u64) -> bool {
        let bytes = 4 + 4 * size_of::<Segment>() as u64 + GROUP_BYTES * 2;
        if !self.segments.is_empty() || bytes > available {
            return false;
        }
        let Some(segment) = Segment::new(2, 0) else { return false };
        self.directory = vec![0; 1];
        self.segments = Vec::with_capacity(4);
        self.reserved = segment.bytes();
        self.segments.push(segment);
        true
    }

    fn replace(&mut self, number: usize, segment: Segment) {
        self.reserved += segment.bytes();
        let old = std::mem::replace(&mut self.segments[number], segment);
        self.reserved -= old.bytes();
    }

    fn split(&mut self, number: usize, available: u64, hash_of: impl Fn(StateId) -> u64) -> bool {
        let segment = &self.segments[number];
        let depth = segment.depth;
        let upper = |hash: u64| hash >> (63 - depth) & 1 == 1;
        let list = segment.list_bytes() + segment.used as u64 * size_of::<u64>() as u64;
        if list > available {
            return false;
        }
        let mut hashes = Vec::new();
        if hashes.try_reserve_exact(segment.used as usize).is_err() {
            return false;
        }
        let Some(ids) = segment.ordered() else { return false };
        hashes.extend(ids.iter().map(|id| hash_of(StateId(*id))));
        let above = hashes.iter().filter(|h| upper(**h)).count();
        let below = segment.used as usize - above;
        let sizes = [below, above].map(|n| n / FILLED as usize + 2);
        let mut bytes = list + (sizes[0] + sizes[1]) as u64 * GROUP_BYTES;
        let full = self.segments.len() == self.segments.capacity();
        let list = if full { self.segments.capacity() * 2 } else { 0 };
        bytes += (list * size_of::<Segment>()) as u64;
        if depth == self.depth {
            bytes += (self.directory.len() * 2 * 4) as u64;
        }
        if bytes > available {
            return false;
        }
        let [Some(low), Some(high)] = sizes.map(|groups| Segment::new(groups, depth + 1)) else {
            return false;
        };
        let mut halves = [low, high];
        if full {
            self.segments.reserve_exact(list - self.segments.len());
        }
        if depth == self.depth {
            let mut directory = Vec::with_capacity(self.directory.len() * 2);
            directory.extend(self.directory.iter().flat_map(|&s| [s, s]));
            self.directory = directory;
            self.depth += 1;
        }
        for (id, &hash) in ids.into_iter().zip(&hashes) {
            halves[usize::from(upper(hash))].add(hash, id);
        }
        let [low, high] = halves;
        let second = self.segments.len() as u32;
        self.replace(number, low);
        self.reserved += high.bytes();
        self.segments.push(high);
        // The second half of the segment's run of directory entries goes to the new one.
        let run = 1usize << (self.depth - depth);
        let first = self.directory.iter().position(|&s| s == number as u32).unwrap_or(0);
        let end = (first + run).min(self.directory.len());
        self.directory[(first + run / 2).min(end)..end].fill(second);
        true
    }
}
