//! Successors that a depth-first search has still to come to, of states further back on its stack.

use crate::frames::Frames;
use crate::ring::{Ring, Slot};
use crate::walk::Frame;
use promenade_transition_system::{CHOICES, Item, Successors};

/// What is still to come of the states whose buffers the ring had to give to others. The search comes
/// back to them in the reverse order, so it is a stack, too: of blocks, each with whole entries.
///
/// To read an entry again costs a fraction of another expansion. There may be none of a state: then it
/// is expanded again.
#[derive(Debug)]
pub(crate) struct Pending {
    blocks: Vec<Vec<u8>>,
    block_bytes: usize,
    /// Memory of all blocks.
    pub bytes: u64,
    /// What it may become.
    pub limit: u64,
    /// An entry was left out as there was no block for it.
    pub wants_block: bool,
}

/// Whether a buffer was filled with what was kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Restored {
    No,
    InPlace,
    /// The buffer has taken more memory.
    WithMemory,
}

/// Behind each entry: whose it is, the number of its first item, its items and its bytes.
const TRAILER: usize = 4 * size_of::<u32>();
/// In front of each state: moves, atomic moves and length.
const HEADER: usize = 3 * size_of::<u32>();

impl Pending {
    pub(crate) fn new(budget: u64) -> Self {
        let block_bytes = (budget / 1024).clamp(256, 64 << 10) as usize;
        Self { blocks: Vec::new(), block_bytes, bytes: 0, limit: budget / 8, wants_block: false }
    }

    /// Memory of one more block, with what the list of blocks may grow by.
    pub(crate) fn more_bytes(&self) -> u64 {
        let list = if self.blocks.len() < self.blocks.capacity() {
            0
        } else {
            2 * self.blocks.len().max(4) * size_of::<Vec<u8>>()
        };
        (self.block_bytes + list) as u64
    }

    /// Adds a block if that keeps to its limit and there are `available` bytes for it.
    #[cold]
    pub(crate) fn add_block(&mut self, available: u64) {
        self.wants_block = false;
        let more = self.more_bytes();
        if self.bytes + more > self.limit || 2 * more > available {
            return;
        }
        let mut block = Vec::new();
        if block.try_reserve_exact(self.block_bytes).is_ok() {
            self.blocks.push(block);
            self.bytes += more;
        }
    }

    /// Keeps what is in a buffer that a place of the stack is about to get, if it belongs to a state
    /// further back.
    // One copy for all stores, as for the next ones.
    #[inline(never)]
    pub(crate) fn take_over(&mut self, slot: &Slot, stack: &Frames, place: usize) {
        let owner = slot.owner as usize;
        if owner < place
            && let Some(frame) = stack.get(owner)
        {
            self.push(slot, frame);
        }
    }

    /// Fills the buffer of a place with what was kept of its state.
    #[inline(never)]
    pub(crate) fn restore(&mut self, ring: &mut Ring, place: usize) -> Restored {
        let slot = ring.claim(place, 0);
        let before = slot.successors.memory_bytes();
        let first = self.pop(place as u32, &mut slot.successors);
        let after = slot.successors.memory_bytes();
        (slot.owner, slot.first) = (first.map_or(u32::MAX, |_| place as u32), first.unwrap_or(0));
        ring.bytes = ring.bytes + after as u64 - before as u64;
        match first {
            None => Restored::No,
            Some(_) if before == after => Restored::InPlace,
            Some(_) => Restored::WithMemory,
        }
    }

    /// Keeps what is still to come of the state that a buffer of the ring belongs to, whose frame is
    /// this one, if there is something and it fits.
    fn push(&mut self, slot: &Slot, frame: Frame) {
        let next = frame.next % CHOICES;
        if frame.next >= frame.count || next < slot.first {
            return;
        }
        let successors = &slot.successors;
        let items = successors.items.get((next - slot.first) as usize..).unwrap_or(&[]);
        let mut length = TRAILER;
        for item in items {
            let Item::Target { start, end, .. } = item else { return };
            length += HEADER + (end - start) as usize;
        }
        if length > self.block_bytes || !successors.marks.is_empty() {
            return;
        }
        let Some(block) = self.blocks.last_mut().filter(|it| it.len() + length <= self.block_bytes)
        else {
            self.wants_block = true;
            return;
        };
        for item in items {
            let Item::Target { start, end, moves, atomic_moves, .. } = *item else { return };
            for number in [moves, atomic_moves, end - start] {
                block.extend_from_slice(&number.to_le_bytes());
            }
            block.extend_from_slice(successors.slice((start, end)));
        }
        for number in [slot.owner, next, items.len() as u32, length as u32] {
            block.extend_from_slice(&number.to_le_bytes());
        }
    }

    /// Fills the buffer with what was kept of the state at this place; the answer is the number of its
    /// first item.
    fn pop(&mut self, place: u32, out: &mut Successors) -> Option<u32> {
        // An empty block behind others is kept: the next entry may be put there.
        let empty = self.blocks.last()?.is_empty();
        let at = self.blocks.len().checked_sub(1 + usize::from(empty))?;
        let block = self.blocks.get_mut(at)?;
        let trailer = block.last_chunk::<TRAILER>()?;
        let [owner, first, count, length] = numbers(trailer);
        if owner != place {
            return None;
        }
        let begin = block.len().checked_sub(length as usize)?;
        out.clear();
        let mut rest = block.get(begin..)?;
        for _ in 0..count {
            let (header, states) = rest.split_first_chunk::<HEADER>()?;
            let [moves, atomic_moves, length] = numbers(header);
            let (state, behind) = states.split_at_checked(length as usize)?;
            let start = out.bytes.len() as u32;
            out.bytes.extend_from_slice(state);
            let end = out.bytes.len() as u32;
            out.items.push(Item::Target { start, end, moves, atomic_moves, steps: (0, 0) });
            rest = behind;
        }
        block.truncate(begin);
        if begin == 0 && empty {
            self.blocks.pop();
            self.bytes = self.bytes.saturating_sub(self.block_bytes as u64);
        }
        Some(first)
    }

    /// Gives all memory back.
    #[cold]
    pub(crate) fn clear(&mut self) {
        self.blocks = Vec::new();
        self.bytes = 0;
    }
}

/// Numbers as they were written.
fn numbers<const BYTES: usize, const N: usize>(bytes: &[u8; BYTES]) -> [u32; N] {
    let mut all = bytes.as_chunks::<4>().0.iter();
    std::array::from_fn(|_| all.next().map_or(0, |number| u32::from_le_bytes(*number)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_base::random::Random;

    /// Successors with states of different lengths.
    fn successors(random: &mut Random, place: u32) -> Successors {
        let mut out = Successors::default();
        for item in 0..1 + random.below(5) as u32 {
            let start = out.bytes.len() as u32;
            let length = random.below(40);
            out.bytes.extend((0..length).map(|at| (at as u32 ^ place ^ item) as u8));
            let end = out.bytes.len() as u32;
            let (moves, atomic_moves) = (item + 1, place);
            out.items.push(Item::Target { start, end, moves, atomic_moves, steps: (0, 0) });
        }
        out
    }

    #[test]
    fn what_was_kept_comes_back_in_the_reverse_order() {
        let mut random = Random::new(7);
        let mut pending = Pending::new(1 << 20);
        let mut kept: Vec<(u32, u32, Successors)> = Vec::new();
        let (mut blocks, mut left_out) = (0, 0);
        for round in 0..200_000 {
            // Long ways up, and down again.
            if random.chance(if round / 5_000 % 2 == 0 { 3 } else { 1 }, 4) {
                let place = kept.len() as u32;
                let out = successors(&mut random, place);
                let next = random.below(out.items.len()) as u32;
                pending.wants_block = false;
                let before = pending.blocks.iter().map(Vec::len).sum::<usize>();
                let slot = Slot { owner: place, first: 0, successors: out.clone() };
                let frame = Frame { next, count: out.items.len() as u32, ..Frame::default() };
                pending.push(&slot, frame);
                let after = pending.blocks.iter().map(Vec::len).sum::<usize>();
                if pending.wants_block {
                    assert_eq!(before, after);
                    pending.add_block(u64::MAX);
                    pending.push(&slot, frame);
                }
                left_out += u32::from(pending.wants_block);
                kept.push((place, next, out));
            } else if let Some((place, next, out)) = kept.pop() {
                let mut again = Successors::default();
                if let Some(first) = pending.pop(place, &mut again) {
                    assert_eq!(first, next);
                    for choice in next as usize..out.items.len() {
                        let at = choice - next as usize;
                        assert_eq!(again.target(at), out.target(choice));
                    }
                    assert_eq!(again.items.len(), out.items.len() - next as usize);
                }
            }
            blocks = blocks.max(pending.blocks.len());
            assert!(pending.bytes <= pending.limit);
            assert!(pending.bytes >= (pending.blocks.len() * pending.block_bytes) as u64);
        }
        assert!(blocks > 20 && left_out > 0, "{blocks} {left_out}");
        pending.clear();
        assert_eq!(pending.bytes, 0);
        assert_eq!(pending.pop(0, &mut Successors::default()), None);
    }
}
