//! Sets of numbers below 64 as words.

/// The numbers in a set of numbers, lowest first.
#[inline]
pub(crate) fn bits_of(set: u64) -> Bits {
    Bits(set)
}

/// What is left of a set of numbers that is gone through from one of its ends, or both.
#[derive(Clone, Debug)]
pub(crate) struct Bits(u64);

impl Iterator for Bits {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let lowest = (self.0 != 0).then(|| self.0.trailing_zeros());
        self.0 &= self.0.wrapping_sub(1);
        lowest
    }
}

impl DoubleEndedIterator for Bits {
    fn next_back(&mut self) -> Option<u32> {
        let highest = (self.0 != 0).then(|| 63 - self.0.leading_zeros())?;
        self.0 &= !(1 << highest);
        Some(highest)
    }
}
