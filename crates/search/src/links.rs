//! How the states of a breadth-first search were reached, in a byte or two each.
//!
//! States are numbered in the order in which they were stored, so the numbers of their parents never
//! fall: a link says by how much the parent's number has grown, and the choice made there.

use promenade_base::varint;
use promenade_transition_system::CHOICES;

/// Links in a block, at most and at least.
const LARGEST_BLOCK: u64 = 1 << 10;
const LEAST_BLOCK: u64 = 16;
/// The most bytes of a link.
const MOST_BYTES: usize = 16;

/// A link in one byte: growth in the upper bits, choice in the lower ones. The largest growth stands
/// for one that follows as a number, the largest choice for one that follows with its selection.
const CHOICE_BITS: u32 = 5;
const MORE_CHOICE: u32 = (1 << CHOICE_BITS) - 1;
const MORE_GROWTH: u32 = 7;

/// Links by number.
#[derive(Debug)]
pub(crate) struct Links {
    blocks: Vec<Block>,
    block: u32,
    /// The block that is not complete; all its memory from the start.
    open: Vec<u8>,
    /// The parent before its first link, and the last one.
    first: u32,
    last: u32,
    length: u32,
    bytes: u64,
}

#[derive(Debug)]
struct Block {
    bytes: Box<[u8]>,
    /// The parent before its first link.
    parent: u32,
}

fn put_number(number: u32, out: &mut Vec<u8>) {
    varint::put(u64::from(number), &mut |byte| out.push(byte));
}

/// Takes a link from the front: growth and choice.
fn take(bytes: &mut &[u8]) -> Option<(u32, u32)> {
    let (head, rest) = bytes.split_first()?;
    *bytes = rest;
    let (mut growth, mut choice) = (u32::from(head >> CHOICE_BITS), u32::from(*head) & MORE_CHOICE);
    if growth == MORE_GROWTH {
        growth = varint::take_u32(bytes)?;
    }
    if choice == MORE_CHOICE {
        choice = varint::take_u32(bytes)?;
        choice += varint::take_u32(bytes)? * CHOICES;
    }
    Some((growth, choice))
}

impl Links {
    /// No links, for use inside a budget.
    pub(crate) fn new(budget: u64) -> Self {
        let block = budget / 512 / MOST_BYTES as u64;
        let block = block.clamp(LEAST_BLOCK, LARGEST_BLOCK) as u32;
        let open = Vec::with_capacity(block as usize * MOST_BYTES);
        Self { blocks: Vec::new(), block, open, first: 0, last: 0, length: 0, bytes: 0 }
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        self.bytes
            + self.open.capacity() as u64
            + (self.blocks.capacity() * size_of::<Block>()) as u64
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.length > 0 && self.length.is_multiple_of(self.block) && !self.open.is_empty()
    }

    fn list(&self) -> usize {
        (self.blocks.capacity() * 2).max(4)
    }

    /// Bytes that the next push reserves, including what it needs only for a moment.
    #[inline]
    pub(crate) fn push_bytes(&self) -> u64 {
        if !self.is_full() {
            return 0;
        }
        let more = if self.blocks.len() < self.blocks.capacity() { 0 } else { self.list() };
        (self.open.len() + more * size_of::<Block>()) as u64
    }

    #[cold]
    fn close(&mut self) {
        if self.blocks.len() == self.blocks.capacity() {
            self.blocks.reserve_exact(self.list() - self.blocks.len());
        }
        let bytes: Box<[u8]> = self.open.as_slice().into();
        self.bytes += bytes.len() as u64;
        self.blocks.push(Block { bytes, parent: self.first });
        self.open.clear();
        self.first = self.last;
    }

    /// Adds the link of the next state. Its parent is not before that of the last one.
    #[inline]
    pub(crate) fn push(&mut self, parent: u32, choice: u32) {
        if self.is_full() {
            self.close();
        }
        let growth = parent.wrapping_sub(self.last);
        let head = growth.min(MORE_GROWTH) << CHOICE_BITS | choice.min(MORE_CHOICE);
        self.open.push(head as u8);
        if growth >= MORE_GROWTH {
            put_number(growth, &mut self.open);
        }
        if choice >= MORE_CHOICE {
            put_number(choice % CHOICES, &mut self.open);
            put_number(choice / CHOICES, &mut self.open);
        }
        self.last = parent;
        self.length += 1;
    }

    /// Parent and choice of the state with a number.
    pub(crate) fn get(&self, number: u32) -> Option<(u32, u32)> {
        let at = (number / self.block) as usize;
        let (mut bytes, mut parent) = match self.blocks.get(at) {
            Some(block) => (&block.bytes[..], block.parent),
            None if at == self.blocks.len() => (&self.open[..], self.first),
            None => return None,
        };
        for _ in 0..number % self.block {
            parent = parent.wrapping_add(take(&mut bytes)?.0);
        }
        let (growth, choice) = take(&mut bytes)?;
        Some((parent.wrapping_add(growth), choice))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_base::random::Random;
    use promenade_transition_system::{Selection, pack};

    #[test]
    fn links_come_back_and_plan_their_growth() {
        for budget in [0, 1 << 20, 1 << 30] {
            let mut random = Random::new(budget);
            let (mut ours, mut theirs) = (Links::new(budget), Vec::new());
            let mut parent = 0;
            for _ in 0..50_000 {
                parent += match random.below(50) {
                    0 => random.below(100_000) as u32,
                    1..=9 => random.below(9) as u32,
                    _ => random.below(2) as u32,
                };
                let choices = if random.chance(1, 9) { 1000 } else { 33 };
                let choice = random.below(choices) as u32;
                let by = match random.below(3) {
                    0 => Selection::Process(random.below(255) as u8),
                    _ => Selection::All,
                };
                let (before, more) = (ours.memory_bytes(), ours.push_bytes());
                ours.push(parent, pack(by, choice));
                assert!(ours.memory_bytes() <= before + more);
                theirs.push((parent, pack(by, choice)));
                let number = random.below(theirs.len() + 1);
                assert_eq!(ours.get(number as u32), theirs.get(number).copied());
            }
        }
    }

    #[test]
    fn a_usual_link_takes_a_byte() {
        let mut links = Links::new(1 << 26);
        for number in 0..100_000 {
            links.push(number / 2, number % 2);
        }
        assert!(links.memory_bytes() < 130_000, "{}", links.memory_bytes());
    }
}
