//! Bits of words, gathered and put back, and strings of bits.

/// Shapes with a smaller number are told by so many ones and a zero; others by this many, a zero,
/// and the number.
pub(super) const SHORT: u32 = 7;
pub(super) const NUMBER_BITS: u32 = 16;

pub(super) const WORD: usize = size_of::<u64>();

#[inline]
pub(super) fn load(chunk: &[u8]) -> u64 {
    match chunk.first_chunk::<WORD>() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => {
            let mut padded = [0; WORD];
            padded[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(padded)
        }
    }
}

/// So many ones, at least one.
#[inline]
pub(super) fn ones(count: u32) -> u64 {
    u64::MAX >> (u64::BITS - count)
}

/// So many low bits of every group of so many.
pub(super) fn low(bits: u32, group: u32) -> u64 {
    (0..u64::BITS / group).fold(0, |mask, at| mask | ones(bits) << (at * group))
}

/// Runs of neighbouring bits that are taken from a word at once.
pub(super) const RUNS: usize = 4;

/// Some bits of a word.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Share {
    masks: [u64; RUNS],
    shifts: [u8; RUNS],
    /// How many bits there are.
    pub(super) width: u8,
    /// The same bits of every byte, taken together in three steps. Otherwise up to four runs:
    /// `value >> shift & mask` are the bits of one in their place.
    bytewise: bool,
    /// Number of the word.
    pub(super) word: u32,
}

impl Share {
    /// The low bits of each byte of a word.
    fn bytewise(word: u32, bits: u32) -> Self {
        let gap = (u8::BITS - bits) as u8;
        Self {
            masks: [low(bits, 8), low(bits, 16), low(2 * bits, 32), low(4 * bits, 64)],
            shifts: [0, gap, 2 * gap, 4 * gap],
            width: 8 * bits as u8,
            bytewise: true,
            word,
        }
    }

    #[inline(always)]
    pub(super) fn gather(&self, value: u64) -> u64 {
        let [first, second, third, fourth] = self.masks;
        let shift = |run: usize| self.shifts[run] & 63;
        if self.bytewise {
            // Of every two neighbours the upper one comes down to the lower one.
            let value = value & first;
            let value = value & second | (value & !second) >> shift(1);
            let value = value & third | (value & !third) >> shift(2);
            return value & fourth | (value & !fourth) >> shift(3);
        }
        value >> shift(0) & first
            | value >> shift(1) & second
            | value >> shift(2) & third
            | value >> shift(3) & fourth
    }

    #[inline(always)]
    pub(super) fn scatter(&self, bits: u64) -> u64 {
        let [first, second, third, fourth] = self.masks;
        let shift = |run: usize| self.shifts[run] & 63;
        if self.bytewise {
            let value = bits & fourth | (bits & !fourth) << shift(3);
            let value = value & third | (value & !third) << shift(2);
            return value & second | (value & !second) << shift(1);
        }
        (bits & first) << shift(0)
            | (bits & second) << shift(1)
            | (bits & third) << shift(2)
            | (bits & fourth) << shift(3)
    }
}
/// Bits that are written one after the other.
pub(super) struct Writer<'a> {
    out: &'a mut Vec<u8>,
    pending: u64,
    filled: u32,
}

impl<'a> Writer<'a> {
    /// Begins the code of a state of a shape.
    #[inline]
    pub(super) fn new(out: &'a mut Vec<u8>, number: u32) -> Self {
        if number < SHORT {
            return Self { out, pending: ones(number + 1) >> 1, filled: number + 1 };
        }
        let pending = ones(SHORT) | u64::from(number) << (SHORT + 1);
        Self { out, pending, filled: SHORT + 1 + NUMBER_BITS }
    }

    /// Writes the last bits, without zeros at the end.
    #[inline]
    pub(super) fn finish(self) {
        self.out.extend_from_slice(&self.pending.to_le_bytes());
        let zeros = if self.pending == 0 {
            self.out.iter().rev().take_while(|byte| **byte == 0).count()
        } else {
            self.pending.leading_zeros() as usize / 8
        };
        self.out.truncate(self.out.len() - zeros);
    }

    #[inline]
    pub(super) fn put(&mut self, bits: u64, width: u32) {
        self.pending |= bits << self.filled;
        let before = self.filled;
        self.filled += width;
        if self.filled >= u64::BITS {
            self.out.extend_from_slice(&self.pending.to_le_bytes());
            self.filled -= u64::BITS;
            // Two shifts, since a shift by all 64 bits is none.
            self.pending = bits >> 1 >> (u64::BITS - 1 - before);
        }
    }
}

/// The same bits, read again.
pub(super) struct Reader<'a> {
    chunks: std::slice::Chunks<'a, u8>,
    pending: u64,
    left: u32,
}

impl<'a> Reader<'a> {
    pub(super) fn new(code: &'a [u8]) -> Self {
        Self { chunks: code.chunks(WORD), pending: 0, left: 0 }
    }

    /// Whether there are only zeros from here on.
    pub(super) fn is_at_end(&self) -> bool {
        self.pending == 0 && self.chunks.len() == 0
    }

    /// The next bits, at least one; zeros behind the end.
    #[inline]
    pub(super) fn take(&mut self, width: u32) -> u64 {
        let mask = ones(width);
        if width <= self.left {
            let bits = self.pending & mask;
            self.pending = self.pending >> 1 >> (width - 1);
            self.left -= width;
            return bits;
        }
        let next = self.chunks.next().map_or(0, load);
        let bits = (self.pending | next << self.left) & mask;
        let used = width - self.left;
        self.pending = next >> 1 >> (used - 1);
        self.left = u64::BITS - used;
        bits
    }
}

/// Bits of a word that may be taken in vain so that the same bits of every byte are.
const IN_VAIN: u32 = 16;

/// How many low bits of every byte to take instead of these bits, if that is worth it.
pub(super) fn bytewise(bits: u64) -> Option<u32> {
    let runs = (bits & !(bits << 1)).count_ones();
    let all = bits.to_le_bytes().iter().fold(0, |all, byte| all | byte);
    let width = u8::BITS - all.leading_zeros();
    (runs > RUNS as u32 && 8 * width <= bits.count_ones() + IN_VAIN).then_some(width)
}

/// The layer of these bits, given by words.
pub(super) fn layer(bits: impl Iterator<Item = u64>) -> Vec<Share> {
    let mut shares = Vec::new();
    for (word, mut left) in (0..).zip(bits) {
        if let Some(width) = bytewise(left).filter(|width| low(*width, 8) == left) {
            shares.push(Share::bytewise(word, width));
            continue;
        }
        while left != 0 {
            let mut share = Share { word, ..Share::default() };
            let mut width = 0;
            for run in 0..RUNS {
                if left == 0 {
                    break;
                }
                let place = left.trailing_zeros();
                let length = (left >> place).trailing_ones();
                share.masks[run] = ones(length) << width;
                share.shifts[run] = (place - width) as u8;
                left &= !(ones(length) << place);
                width += length;
            }
            share.width = width as u8;
            shares.push(share);
        }
    }
    shares.shrink_to_fit();
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_base::random::Random;

    #[test]
    fn bits_of_a_word_are_taken_and_put_back() {
        let mut random = Random::new(9);
        let masks = (1..=8).map(|bits| low(bits, 8)).chain((0..500).map(|_| {
            // From few runs to many.
            (0..random.below(4)).fold(random.next_u64(), |mask, _| mask & random.next_u64())
        }));
        let masks: Vec<u64> = masks.collect();
        for mask in masks {
            let shares = layer([mask].into_iter());
            let taken: u32 = shares.iter().map(|share| u32::from(share.width)).sum();
            assert_eq!(taken, mask.count_ones());
            for _ in 0..50 {
                let value = random.next_u64();
                let again = shares.iter().fold(0, |again, share| {
                    let bits = share.gather(value);
                    assert_eq!(bits & !ones(u32::from(share.width)), 0);
                    again | share.scatter(bits)
                });
                assert_eq!(again, value & mask, "{mask:#x}");
            }
        }
    }
}
