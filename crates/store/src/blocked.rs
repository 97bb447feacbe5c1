//! What it costs to have all bits of a state in one block of the array.
//!
//! A block is as long as a line of the processor's cache, so a state waits for memory once, however
//! many bits it sets (F. Putze, P. Sanders and J. Singler, "Cache-, Hash- and Space-Efficient Bloom
//! Filters", WEA 2007). Inside its block the places of a state are independent of each other. But
//! blocks fill unevenly, by chance, and a full one misses more than an empty one saves: with `B` bits a
//! block and `i` states in an array of `m`, a block has `j` of them with the probability that a Poisson
//! distribution with the mean `iB/m` gives, and a new state there has all its `k` bits set with
//! `(1 - (1 - 1/B)^(kj))^k`.

use crate::omission::MAX_HASHES;

/// Bits of a block, if the array has as many.
pub(crate) const BLOCK: u64 = 512;

/// The bits of an array of at most `bits` that lie in blocks, all of one length.
pub(crate) fn whole(bits: u64) -> u64 {
    bits - bits % block(bits)
}

/// Bits of a block of an array.
pub(crate) fn block(bits: u64) -> u64 {
    bits.clamp(1, BLOCK)
}

/// An array of blocks, with what is expected of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blocks {
    /// Bits of the array, and of a block.
    bits: f64,
    block: f64,
    hashes: i32,
}

impl Blocks {
    pub(crate) fn new(bits: u64, hashes: u32) -> Self {
        let hashes = hashes.clamp(1, MAX_HASHES) as i32;
        Self { bits: bits as f64, block: block(bits) as f64, hashes }
    }

    /// How likely it is that a state leaves a bit of its block as it is.
    fn spared(&self) -> f64 {
        (1.0 - 1.0 / self.block).powi(self.hashes)
    }

    /// How many different states set the part `filled` of the bits; infinite if that is all.
    pub(crate) fn states(&self, filled: f64) -> f64 {
        -(self.bits / self.block) * (-filled.min(1.0)).ln_1p() / (1.0 - self.spared())
    }

    /// Probability that a new state is taken for a stored one after `states` different ones.
    pub(crate) fn omission_after(&self, states: f64) -> f64 {
        let mean = states * self.block / self.bits;
        if mean <= 0.0 {
            return 0.0;
        }
        if !mean.is_finite() {
            return 1.0;
        }
        let (spared, k) = (self.spared(), f64::from(self.hashes));
        let (mut sum, mut last) = (0.0, 0.0);
        let (mut weight, mut empty) = (-mean, 1.0);
        for count in 1.. {
            weight += (mean / f64::from(count)).ln();
            empty *= spared;
            let term = (weight + k * (-empty).ln_1p()).exp();
            sum += term;
            // The terms grow to one largest and fall from there on.
            let falls = term < last || f64::from(count) > mean + k;
            if falls && term <= sum * 1e-12 {
                break;
            }
            last = term;
        }
        sum.min(1.0)
    }

    /// Expected omissions in an array of which the part `filled` is set.
    pub(crate) fn expected(&self, filled: f64) -> f64 {
        if filled >= 1.0 {
            return f64::INFINITY;
        }
        let states = self.states(filled);
        // Simpson's rule over the states that were stored before.
        const PARTS: u32 = 64;
        let at = |part: u32| self.omission_after(states * f64::from(part) / f64::from(PARTS));
        let inner: f64 = (1..PARTS).map(|part| at(part) * f64::from(2 + part % 2 * 2)).sum();
        (at(0) + inner + at(PARTS)) * states / f64::from(3 * PARTS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitstate::{Bitstate, Probing, Settings};
    use crate::testing::DifferentStates;
    use crate::{VisitedSet, omission};

    #[test]
    fn as_many_states_are_missed_as_expected() {
        // From arrays with a state in every third block to full ones.
        for (bits, hashes, states, runs) in [
            (40_960, 1, 400, 60),
            (81_920, 2, 2_000, 200),
            (40_960, 3, 2_000, 300),
            (40_960, 3, 10_000, 10),
            (102_400, 6, 20_000, 10),
            (102_400, 16, 12_000, 20),
            (500, 3, 60, 400),
        ] {
            let (mut missed, mut told, mut offered) = (0.0, 0.0, 0.0);
            for seed in 0..runs {
                let settings =
                    Settings { hashes, bits: Some(bits), probing: Probing::Blocked, seed };
                let mut set = Bitstate::new(u64::MAX, settings);
                for state in DifferentStates::new(seed).take(states as usize) {
                    set.insert(&state, state.len());
                }
                missed += states as f64 - set.len() as f64;
                told += set.approximation().expected_omissions;
                offered += set.estimated_states();
            }
            let deviation = (missed * 1.2_f64).sqrt() + 0.01 * told;
            let what = format!("m={bits} k={hashes} n={states}");
            assert!(missed > 20.0, "{what}: {missed} tell nothing");
            assert!((missed - told).abs() <= 4.0 * deviation, "{what}: {missed}, told {told}");
            let off = offered / (states * runs) as f64 - 1.0;
            assert!(off.abs() < 0.02, "{what}: {off}");
        }
    }

    #[test]
    fn more_is_missed_than_with_places_anywhere_and_less_with_more_bits() {
        for (bits, states) in [(1 << 30, 1e6), (1 << 30, 1e7), (1 << 30, 1e8), (1 << 20, 1e3)] {
            let omissions = |hashes| {
                let blocks = Blocks::new(bits, hashes);
                let filled = -(-states / blocks.states(0.5) * 2.0_f64.ln()).exp_m1();
                assert!((blocks.states(filled) / states - 1.0).abs() < 1e-6);
                (blocks.expected(filled), omission::bitstate(bits, hashes, states as u64))
            };
            let [three, six] = [3, 6].map(omissions);
            assert!(three.0 > three.1 && six.0 > six.1, "{bits} {states}: {three:?} {six:?}");
            // Twice as many bits in one place for the time of one.
            assert!(six.0 < three.1, "{bits} {states}: {six:?} {three:?}");
        }
    }

    #[test]
    fn empty_and_full_arrays() {
        let blocks = Blocks::new(1 << 16, 3);
        assert_eq!((blocks.expected(0.0), blocks.omission_after(0.0)), (0.0, 0.0));
        assert_eq!((blocks.expected(1.0), blocks.states(1.0)), (f64::INFINITY, f64::INFINITY));
        assert_eq!(blocks.omission_after(f64::INFINITY), 1.0);
        assert!(blocks.omission_after(1e7) > 0.999);
        for bits in [1, 2, 511, 512, 513, 1023, 1024, 100_003] {
            let whole = whole(bits);
            assert!(whole <= bits && bits - whole < BLOCK && whole.is_multiple_of(block(whole)));
            assert!(whole >= bits.min(BLOCK));
        }
    }
}
