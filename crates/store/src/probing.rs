//! The places of a state's bits in an array of any size, and what their choice costs.
//!
//! Few numbers of one hash can give many places: by double hashing at equal distances, which is
//! cheapest, by enhanced double hashing at distances that grow, by triple hashing at distances that
//! change by a third number. (P. C. Dillinger and P. Manolios, "Bloom Filters in Probabilistic
//! Verification", FMCAD 2004, and "Fast and Accurate Bitstate Verification for SPIN", 2004.)
//! Independent functions need a hash for every second place. Or all places lie in one block, whose own
//! place is the hash's, see [`crate::blocked`].
//!
//! The usual formulas of [`crate::omission`] are for independent places. With two numbers it happens
//! now and then that two states have the same two, or that their places are the same but for a few;
//! [`Excess`] adds that.

use crate::blocked;
use crate::omission::log_tail;
use promenade_base::hash::hash128;
pub use promenade_options::Probing;

/// `hash` brought to `0..bound`.
#[inline]
pub(crate) fn scale(hash: u64, bound: u64) -> u64 {
    ((u128::from(hash) * u128::from(bound)) >> 64) as u64
}

/// `a + b` modulo `m`, both below `m`, which is below 2^63.
#[inline]
fn add(a: u64, b: u64, m: u64) -> u64 {
    let sum = a + b;
    if sum >= m { sum - m } else { sum }
}

/// Bits of a number that make one place of a block, and how many there are.
const SLICE: u32 = 16;
const SLICES: u32 = 64 / SLICE;

/// The places of a state's bits.
#[derive(Clone, Copy)]
pub(crate) struct Probes<'a> {
    place: u64,
    step: u64,
    change: u64,
    bits: u64,
    probing: Probing,
    /// For independent functions: the state, the seed of the next hash, and whether a place of the
    /// last one is left, which is `step`.
    key: &'a [u8],
    seed: u64,
    left: bool,
    /// In a block, which begins at `place`: its length, and how many places are left in `change`,
    /// which come from `step`.
    block: u64,
    slices: u32,
    /// How often the array was made half as long, unless that is in `place` already.
    fold: u32,
}

impl<'a> Probes<'a> {
    /// Places in an array that had so many bits and was made half as long `fold` times.
    #[inline]
    pub(crate) fn new(key: &'a [u8], seed: u64, bits: u64, fold: u32, probing: Probing) -> Self {
        let hash = hash128(key, seed);
        let (low, high) = (hash as u64, (hash >> 64) as u64);
        let new = Self {
            place: scale(low, bits),
            step: 0,
            change: 0,
            bits,
            probing,
            key,
            seed,
            left: true,
            block: 0,
            slices: 0,
            fold,
        };
        if probing == Probing::Independent {
            return Self { step: scale(high, bits), ..new };
        }
        if probing == Probing::Blocked {
            let block = blocked::block(bits);
            let place = (scale(low, bits / block) >> fold) * block;
            let fold = 0;
            return Self { place, step: high, change: high, block, slices: SLICES, fold, ..new };
        }
        // The third number is made of what the first two do not use, their lower bits.
        let mixed = (low.rotate_left(32) ^ high).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let third = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let change = match probing {
            Probing::Double | Probing::Independent | Probing::Blocked => 0,
            Probing::EnhancedDouble => 1 % bits,
            Probing::Triple => scale(third, bits),
        };
        // A step of 0 would set one bit only.
        let step = if bits > 1 { 1 + scale(high, bits - 1) } else { 0 };
        Self { step, change, ..new }
    }

    /// The next word and the bit in it.
    #[inline]
    pub(crate) fn next(&mut self) -> (usize, u64) {
        let mut here = self.place;
        if self.probing == Probing::Blocked {
            here += self.in_block();
        } else if self.probing == Probing::Independent {
            self.another();
        } else {
            self.place = add(self.place, self.step, self.bits);
            self.step = add(self.step, self.change, self.bits);
            if self.probing == Probing::EnhancedDouble {
                self.change = add(self.change, 1 % self.bits, self.bits);
            }
        }
        here >>= self.fold;
        ((here / 64) as usize, 1 << (here % 64))
    }

    /// The next place in the block, from sixteen bits of a number after the other, then of another
    /// number.
    #[inline]
    fn in_block(&mut self) -> u64 {
        if self.slices == 0 {
            // The steps of the generator SplitMix64.
            self.step = self.step.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (self.step ^ (self.step >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (self.change, self.slices) = (mixed ^ (mixed >> 31), SLICES);
        }
        let slice = self.change & ((1 << SLICE) - 1);
        self.change >>= SLICE;
        self.slices -= 1;
        (slice * self.block) >> SLICE
    }

    /// The place of the next function.
    fn another(&mut self) {
        self.left = !self.left;
        if !self.left {
            self.place = self.step;
            return;
        }
        // Seeds that users take are near each other.
        self.seed = self.seed.wrapping_add(0xd1b5_4a32_d192_ed03).rotate_left(17);
        let hash = hash128(self.key, self.seed);
        self.place = scale(hash as u64, self.bits);
        self.step = scale((hash >> 64) as u64, self.bits);
    }
}

/// Omissions beyond those of independent places.
///
/// Two states have `t` of their `k` places in common, for `t` from 3 on, in `c(t)` of `m^2` cases: with
/// equal distances the places of both lie on one line of the ring, with `u` steps of the one for `v`
/// of the other, and are shifted against each other. The second one is then taken for stored if the
/// other `k - t` bits are set by chance. And if a distance and `m` have a large common divisor, a state
/// has few places.
#[derive(Clone, Debug, Default)]
pub(crate) struct Excess {
    /// `c(t)`, by `t`.
    common: Vec<f64>,
}

impl Excess {
    pub(crate) fn new(probing: Probing, hashes: u32) -> Self {
        let k = hashes as usize;
        let mut common = vec![0.0; k + 1];
        match probing {
            Probing::EnhancedDouble if k >= 3 => common[k] = 1.0,
            Probing::Double if k >= 3 => {
                for u in 1..=(k - 1) / 2 {
                    for v in (1..=(k - 1) / 2).filter(|v| divisor(u, *v) == 1) {
                        lines(k, u, v, &mut common);
                    }
                }
            }
            _ => common.clear(),
        }
        Self { common }
    }

    /// What is expected in an array of which a part is set; `hashes` bits a state.
    pub(crate) fn expected(&self, bits: u64, hashes: u32, filled: f64) -> f64 {
        if self.common.is_empty() || bits < 2 || filled <= 0.0 {
            return 0.0;
        }
        if filled >= 1.0 {
            return f64::INFINITY;
        }
        let (m, k) = (bits as f64, f64::from(hashes));
        let states = -(m / k) * (-filled).ln_1p();
        // Simpson's rule over the states that were stored before.
        const PARTS: u32 = 64;
        let at = |part: u32| {
            let before = states * f64::from(part) / f64::from(PARTS);
            let set = -(-k * before / m).exp_m1();
            // From the largest t down: 1 + set + set^2 + ...
            let chance = self
                .common
                .iter()
                .rev()
                .fold((0.0, 1.0), |(sum, power), count| (sum + count * power, power * set));
            before / m / m * chance.0
        };
        let inner: f64 = (1..PARTS).map(|part| at(part) * f64::from(2 + part % 2 * 2)).sum();
        let close = (at(0) + inner + at(PARTS)) * states / f64::from(3 * PARTS);
        let few: f64 = (2..u64::from(hashes))
            .filter(|d| self.common.len() > 1 && bits.is_multiple_of(*d) && self.is_double())
            .map(|d| totient(d) / (m - 1.0) * m / k * log_tail(filled, d as u32))
            .sum();
        close + few
    }

    /// Whether distances are equal: otherwise there is one way only to have places in common.
    fn is_double(&self) -> bool {
        self.common.last().is_some_and(|count| *count > 1.0)
    }
}

/// How many numbers below `n` have no divisor in common with it.
fn totient(n: u64) -> f64 {
    (1..n).filter(|a| divisor(*a as usize, n as usize) == 1).count() as f64
}

/// The greatest common divisor.
fn divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// Counts how long the runs of common places are if `u` steps of one state are `v` of the other, in
/// the same direction or against it.
fn lines(k: usize, u: usize, v: usize, common: &mut [f64]) {
    for i in 0..k {
        for j in 0..k {
            if i >= u && j >= v {
                continue;
            }
            let length = 1 + ((k - 1 - i) / u).min((k - 1 - j) / v);
            if length >= 3 {
                common[length] += 2.0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_places_are_counted_right() {
        // By brute force on a prime ring: every distance, every shift.
        for k in [3, 4, 5, 7, 9] {
            let m = 211_i64;
            let b = 1;
            let own: Vec<i64> = (0..k as i64).map(|i| i * b).collect();
            let mut found = vec![0.0; k + 1];
            for other in 1..m {
                for shift in 0..m {
                    let places = (0..k as i64).map(|j| (shift + j * other) % m);
                    let same = places.filter(|place| own.contains(place)).count();
                    if same >= 3 {
                        found[same] += 1.0;
                    }
                }
            }
            let counted = Excess::new(Probing::Double, k as u32).common;
            assert_eq!(&counted[3..], &found[3..], "{k}");
        }
        assert!(Excess::new(Probing::Triple, 9).common.is_empty());
        assert!(Excess::new(Probing::Double, 2).common.is_empty());
        assert_eq!((totient(2), totient(8), totient(9)), (1.0, 4.0, 6.0));
    }
}
