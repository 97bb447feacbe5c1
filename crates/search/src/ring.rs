//! Successors of the states on a search stack: a bounded ring of buffers.

use promenade_transition_system::Successors;

/// The successors of one state on the stack.
#[derive(Debug)]
pub(crate) struct Slot {
    /// Its place on the stack; `u32::MAX` if there is none.
    pub owner: u32,
    /// The number of its first item that is here.
    pub first: u32,
    pub successors: Successors,
}

impl Slot {
    fn new() -> Self {
        Self { owner: u32::MAX, first: 0, successors: Successors::default() }
    }
}

/// A ring of successor buffers: the state at place `i` of the stack uses the buffer `i` modulo its
/// length, a power of two.
#[derive(Debug)]
pub(crate) struct Ring {
    pub slots: Vec<Slot>,
    pub bytes: u64,
    pub limit: u64,
    /// How long it may become: less than the largest once such a long one did not fit.
    most: usize,
}

const SLOT_BYTES: u64 = size_of::<Slot>() as u64;
pub(crate) const SMALLEST_RING: usize = 2;
/// What is further back is kept as it is still needed, or is expanded again where the search comes
/// back to it: that costs less than to go through as much memory as longer rings take.
const LARGEST_RING: usize = 1 << 10;

impl Ring {
    pub(crate) fn new(budget: u64) -> Self {
        let slots = (0..SMALLEST_RING).map(|_| Slot::new()).collect();
        Self {
            slots,
            bytes: SMALLEST_RING as u64 * SLOT_BYTES,
            limit: budget / 16,
            most: LARGEST_RING,
        }
    }

    #[inline]
    pub(crate) fn at(&self, place: usize) -> &Slot {
        &self.slots[place & (self.slots.len() - 1)]
    }

    /// The buffer for a place of the stack, after growing the ring where that helps and fits.
    #[inline]
    pub(crate) fn claim(&mut self, place: usize, available: u64) -> &mut Slot {
        if place >= self.slots.len() && self.bytes * 2 <= self.limit {
            self.grow(available);
        }
        let mask = self.slots.len() - 1;
        &mut self.slots[place & mask]
    }

    #[cold]
    fn grow(&mut self, available: u64) {
        let (old, new) = (self.slots.len(), self.slots.len() * 2);
        if new > self.most || new as u64 * SLOT_BYTES > available {
            return;
        }
        self.slots.reserve_exact(old);
        self.slots.resize_with(new, Slot::new);
        self.bytes += old as u64 * SLOT_BYTES;
        for i in 0..old {
            let owner = self.slots[i].owner;
            if owner != u32::MAX && owner as usize & (new - 1) != i {
                self.slots.swap(i, i + old);
            }
        }
    }

    /// Drops every buffer but the one of `place`, and makes the ring this long.
    #[cold]
    pub(crate) fn shrink(&mut self, place: usize, length: usize) {
        let mask = self.slots.len() - 1;
        let kept = std::mem::replace(&mut self.slots[place & mask], Slot::new());
        self.most = length.max(SMALLEST_RING);
        self.slots = (0..self.most).map(|_| Slot::new()).collect();
        let mask = self.slots.len() - 1;
        self.bytes = self.slots.len() as u64 * SLOT_BYTES + kept.successors.memory_bytes() as u64;
        self.slots[place & mask] = kept;
    }

    pub(crate) fn clear(&mut self) {
        self.slots = vec![Slot::new(), Slot::new()];
        self.bytes = SMALLEST_RING as u64 * SLOT_BYTES;
    }
}
