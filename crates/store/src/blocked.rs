//! What it costs to have all bits of a state in one block of the array.
//!
//! A block is as long as a line of the processor's cache, so a state waits for memory once, however
//! many bits it sets (F. Putze, P. Sanders and J. Singler, "Cache-, Hash- and Space-Efficient Bloom
//! Filters", WEA 2007). Inside its block the places of a state are independent of each other. But
//! blocks fill unevenly, by chance, and a full one misses more than an empty one saves: with `B` bits a
//! block and `i` states in an array of `m`, a block has `j` of them with the probability that a Poisson
//! distribution with the mean `iB/m` gives. Their `kj` bits fall on `s` places, whose distribution
//! follows from throw to throw, and a new state has all its `k` bits among them with `(s/B)^k`. (With
//! many bits a state the mean of `s` alone would tell too little.)

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
#[derive(Clone, Debug)]
pub(crate) struct Blocks {
    /// Bits of the array, and of a block.
    bits: f64,
    block: f64,
    hashes: i32,
    /// The logarithm of the probability that a new state is taken for a stored one in a block with one
    /// state, two, and so on.
    confused: Vec<f64>,
}

/// A block with so many times as many throws as places is as good as full.
const FULL: u64 = 6;

/// That probability for more and more states in a block.
fn confused(block: u64, hashes: u32) -> Vec<f64> {
    let places = block as f64;
    let powers: Vec<f64> = (0..=block).map(|s| (s as f64 / places).powi(hashes as i32)).collect();
    // How likely it is that so many places are taken.
    let mut taken = vec![0.0; powers.len()];
    taken[0] = 1.0;
    let states = (FULL * block).div_ceil(u64::from(hashes));
    let mut all = Vec::with_capacity(states as usize);
    for _ in 0..states {
        for _ in 0..hashes {
            let mut fewer = 0.0;
            for (s, now) in taken.iter_mut().enumerate() {
                let free = (places - s as f64 + 1.0) / places;
                let then = *now * (s as f64 / places) + fewer * free;
                fewer = std::mem::replace(now, then);
            }
        }
        all.push(taken.iter().zip(&powers).map(|(p, power)| p * power).sum::<f64>().ln());
    }
    all
}

impl Blocks {
    pub(crate) fn new(bits: u64, hashes: u32) -> Self {
        let hashes = hashes.clamp(1, MAX_HASHES);
        let confused = confused(block(bits), hashes);
        Self { bits: bits as f64, block: block(bits) as f64, hashes: hashes as i32, confused }
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
        let k = f64::from(self.hashes);
        let (mut sum, mut last, mut weight) = (0.0, 0.0, -mean);
        for count in 1_u32.. {
            weight += (mean / f64::from(count)).ln();
            let confused = self.confused.get(count as usize - 1).copied();
            let term = (weight + confused.unwrap_or_else(|| self.confused_when_full(count))).exp();
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

    /// As in the list, for more states than are in it: nearly all places are taken.
    fn confused_when_full(&self, states: u32) -> f64 {
        let empty = (f64::from(states) * self.spared().ln()).exp();
        f64::from(self.hashes) * (-empty).ln_1p()
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
            (102_400, 32, 9_000, 40),
            (102_400, 64, 5_000, 60),
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
