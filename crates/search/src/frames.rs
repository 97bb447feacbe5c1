//! The frames of a search stack: as they are, or those further down packed to a byte or two each.

use crate::walk::Frame;
use promenade_base::varint;
use promenade_store::{ChunkedVec, StateId};
use promenade_transition_system::CHOICES;

/// The frames of a path.
#[derive(Debug)]
pub(crate) enum Frames {
    Plain(ChunkedVec<Frame>),
    Packed(Packed),
}

/// So many frames are packed at once, at most.
const LARGEST_BLOCK: usize = 1 << 10;
const LEAST_BLOCK: usize = 8;
/// Blocks of frames that are not packed, at most.
const LOOSE: usize = 3;

/// Packed frames, and those on top of them as they are. What a frame says of its id is lost.
#[derive(Debug)]
pub(crate) struct Packed {
    blocks: Vec<Block>,
    block: usize,
    /// From one block of frames on, if there is a packed one, to three; all memory from the start.
    loose: Vec<Frame>,
    /// Bytes in all blocks.
    bytes: u64,
}

/// A block of frames, one after the other.
#[derive(Debug)]
struct Block {
    bytes: Box<[u8]>,
    /// The depth of the frame before it, and of its last one.
    depth: u32,
    last: u32,
}

/// A frame as its parts. In one byte: up to 7 for the next item, up to 15 items, and one move from the
/// frame before. Or two bytes, with a selection. Or as many as it takes.
const SELECTED: u8 = 0x80;
const LARGE: u8 = 0xc0;

/// Writes a frame that follows one of this depth.
fn write(frame: &Frame, depth: u32, out: &mut impl FnMut(u8)) {
    let (next, count) = (frame.next % CHOICES, frame.count % CHOICES);
    let (of_next, selection) = (frame.next / CHOICES, frame.count / CHOICES);
    let moves = frame.depth.wrapping_sub(depth);
    let usual = of_next == selection && moves == 1 && next < 8;
    if usual && selection == 0 && count < 16 {
        out((next << 4 | count) as u8);
    } else if usual && count < 8 {
        out(SELECTED | (next << 3 | count) as u8);
        out(selection as u8);
    } else {
        out(LARGE);
        [frame.next, frame.count, moves]
            .into_iter()
            .for_each(|number| varint::put(u64::from(number), out));
    }
}

/// Reads a frame that follows one of this depth.
fn read(bytes: &mut impl Iterator<Item = u8>, depth: u32) -> Option<Frame> {
    let id = StateId::default();
    let head = bytes.next()?;
    if head == LARGE {
        let mut number = || u32::try_from(varint::read(bytes)?).ok();
        let (next, count) = (number()?, number()?);
        return Some(Frame { id, next, count, depth: depth.wrapping_add(number()?) });
    }
    let depth = depth.wrapping_add(1);
    let head = u32::from(head);
    if head < u32::from(SELECTED) {
        return Some(Frame { id, next: head >> 4, count: head & 15, depth });
    }
    let base = u32::from(bytes.next()?) * CHOICES;
    Some(Frame { id, next: base + (head >> 3 & 7), count: base + (head & 7), depth })
}

impl Block {
    fn frames(&self) -> impl Iterator<Item = Frame> + '_ {
        let (mut bytes, mut depth) = (self.bytes.iter().copied(), self.depth);
        std::iter::from_fn(move || {
            let frame = read(&mut bytes, depth)?;
            depth = frame.depth;
            Some(frame)
        })
    }
}

impl Packed {
    fn new(budget: u64) -> Self {
        let frame = size_of::<Frame>() as u64;
        let block = (budget / 256 / frame / LOOSE as u64).min(LARGEST_BLOCK as u64) as usize;
        let block = block.max(LEAST_BLOCK);
        Self { blocks: Vec::new(), block, loose: Vec::with_capacity(LOOSE * block), bytes: 0 }
    }

    fn packed(&self) -> usize {
        self.blocks.len() * self.block
    }

    fn is_full(&self) -> bool {
        self.loose.len() >= LOOSE * self.block
    }

    /// The depth of the last packed frame.
    fn depth(&self) -> u32 {
        self.blocks.last().map_or(0, |block| block.last)
    }

    /// The lowest frames that are not packed, as bytes.
    fn write(&self, out: &mut impl FnMut(u8)) {
        let mut depth = self.depth();
        for frame in self.loose.iter().take(self.block) {
            write(frame, depth, out);
            depth = frame.depth;
        }
    }

    fn list(&self) -> usize {
        (self.blocks.capacity() * 2).max(4)
    }

    /// Bytes that the next push takes.
    #[cold]
    fn more_bytes(&self) -> u64 {
        let mut bytes = 0;
        self.write(&mut |_| bytes += 1);
        let more = if self.blocks.len() < self.blocks.capacity() { 0 } else { self.list() };
        bytes + (more * size_of::<Block>()) as u64
    }

    #[cold]
    fn pack(&mut self) {
        let mut bytes = Vec::new();
        let mut length = 0;
        self.write(&mut |_| length += 1);
        bytes.reserve_exact(length);
        self.write(&mut |byte| bytes.push(byte));
        if self.blocks.len() == self.blocks.capacity() {
            self.blocks.reserve_exact(self.list() - self.blocks.len());
        }
        let last = self.loose.get(self.block - 1).map_or(0, |frame| frame.depth);
        let block = Block { bytes: bytes.into_boxed_slice(), depth: self.depth(), last };
        self.bytes += block.bytes.len() as u64;
        self.blocks.push(block);
        self.loose.drain(..self.block);
    }

    #[cold]
    fn unpack(&mut self) {
        let Some(block) = self.blocks.pop() else { return };
        self.bytes -= block.bytes.len() as u64;
        let above = self.loose.len();
        self.loose.extend(block.frames());
        self.loose.rotate_left(above);
    }
}

impl Frames {
    /// No frames, for use inside a budget.
    pub(crate) fn plain(budget: u64) -> Self {
        Self::Plain(ChunkedVec::new(budget))
    }

    /// The same for a search whose store needs no ids to find the states of the path.
    pub(crate) fn packed(budget: u64) -> Self {
        Self::Packed(Packed::new(budget))
    }

    /// How many there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Plain(frames) => frames.len(),
            Self::Packed(packed) => packed.packed() + packed.loose.len(),
        }
    }

    /// Bytes reserved.
    #[inline]
    pub(crate) fn memory_bytes(&self) -> u64 {
        match self {
            Self::Plain(frames) => frames.memory_bytes(),
            Self::Packed(packed) => {
                packed.bytes
                    + (packed.blocks.capacity() * size_of::<Block>()) as u64
                    + (packed.loose.capacity() * size_of::<Frame>()) as u64
            }
        }
    }

    /// How many there may be before a push takes more memory.
    #[inline]
    pub(crate) fn reach(&self) -> u64 {
        match self {
            Self::Plain(frames) => frames.memory_bytes() / size_of::<Frame>() as u64,
            Self::Packed(packed) => (packed.packed() + LOOSE * packed.block) as u64,
        }
    }

    /// By how much [`Self::reach`] grows with the next push if that takes more memory, at most.
    pub(crate) fn growth(&self) -> u64 {
        match self {
            Self::Plain(frames) => frames.push_bytes() / size_of::<Frame>() as u64,
            Self::Packed(packed) => packed.block as u64,
        }
    }

    /// Bytes that the next push reserves, including what it needs only for a moment.
    #[inline]
    pub(crate) fn push_bytes(&self) -> u64 {
        match self {
            Self::Plain(frames) => frames.push_bytes(),
            Self::Packed(packed) if packed.is_full() => packed.more_bytes(),
            Self::Packed(_) => 0,
        }
    }

    /// Adds a frame on top.
    #[inline]
    pub(crate) fn push(&mut self, frame: Frame) {
        match self {
            Self::Plain(frames) => frames.push(frame),
            Self::Packed(packed) => {
                if packed.is_full() {
                    packed.pack();
                }
                packed.loose.push(frame);
            }
        }
    }

    /// Takes the frame on top.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Frame> {
        match self {
            Self::Plain(frames) => frames.pop(),
            Self::Packed(packed) => {
                if packed.loose.len() <= packed.block {
                    packed.unpack();
                }
                packed.loose.pop()
            }
        }
    }

    /// The frame at a place, from the bottom.
    #[inline]
    pub(crate) fn get(&self, place: usize) -> Option<Frame> {
        match self {
            Self::Plain(frames) => frames.get(place),
            Self::Packed(packed) => match place.checked_sub(packed.packed()) {
                Some(above) => packed.loose.get(above).copied(),
                None => packed.blocks.get(place / packed.block)?.frames().nth(place % packed.block),
            },
        }
    }

    /// Shows all frames, from the bottom.
    pub(crate) fn for_each(&self, mut show: impl FnMut(Frame)) {
        match self {
            Self::Plain(frames) => frames.iter().for_each(show),
            Self::Packed(packed) => {
                packed.blocks.iter().flat_map(Block::frames).for_each(&mut show);
                packed.loose.iter().copied().for_each(show);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_base::random::Random;
    use promenade_transition_system::{Selection, pack};

    #[test]
    fn packed_frames_come_back_but_for_their_ids() {
        for budget in [0, 1 << 20, 1 << 30] {
            let mut random = Random::new(budget);
            let (mut ours, mut plain) = (Frames::packed(budget), Frames::plain(budget));
            let (mut depth, mut deepest) = (0, 0);
            for round in 0..120_000 {
                if random.chance(if round / 15_000 % 2 == 0 { 1 } else { 3 }, 4) {
                    let frame = plain.pop();
                    assert_eq!(ours.pop(), frame);
                    depth = frame.map_or(depth, |frame: Frame| frame.depth);
                } else {
                    let count = [3, 9, 200, 70_000][random.below(4)];
                    let next = 1 + random.below(count) as u32;
                    let by = match random.below(3) {
                        0 => Selection::Process(random.below(255) as u8),
                        _ => Selection::All,
                    };
                    depth += if random.chance(9, 10) { 1 } else { random.below(500) as u32 };
                    let (next, count) = (pack(by, next), pack(by, count as u32));
                    let frame = Frame { id: StateId::default(), next, count, depth };
                    let (before, more) = (ours.memory_bytes(), ours.push_bytes());
                    assert!(ours.reach() > ours.len() as u64 || more > 0);
                    ours.push(frame);
                    assert!(ours.memory_bytes() <= before + more);
                    plain.push(frame);
                }
                deepest = deepest.max(ours.len());
                assert_eq!(ours.len(), plain.len());
                let place = random.below(ours.len() + 2);
                assert_eq!(ours.get(place), plain.get(place), "{place} of {}", ours.len());
            }
            assert!(deepest > 5_000);
            let (mut all, mut theirs) = (Vec::new(), Vec::new());
            ours.for_each(|frame| all.push(frame));
            plain.for_each(|frame| theirs.push(frame));
            assert_eq!(all, theirs);
        }
    }

    #[test]
    fn a_usual_frame_takes_a_byte() {
        let mut frames = Frames::packed(1 << 26);
        for depth in 1..=100_000 {
            frames.push(Frame { id: StateId::default(), next: 1 + depth % 5, count: 6, depth });
        }
        assert!(frames.memory_bytes() < 160_000, "{}", frames.memory_bytes());
    }
}
