//! How many states a lossy visited set is expected to miss, and what to take the next time.
//!
//! The model is ideal hashing: the hash of a state is random, and states come in an order that has
//! nothing to do with it. For `m` bits of which every state sets `k`, the `i`-th state is taken for
//! a stored one with probability `(1 - e^(-ki/m))^k`; for a table of cells with `l` signatures, see
//! [`hash_compact`] and [`ordered_hash_compact`]. Sums over all states are in closed form. What
//! follows for a whole search is an estimate all the same: a missed state hides its successors
//! unless another way leads to them. After Dillinger and Manolios, "Bloom Filters in Probabilistic
//! Verification" (2004) and "Enhanced Probabilistic Verification with 3Spin and 3Murphi" (2005),
//! and Stern and Dill, "Improved Probabilistic Verification by Hash Compaction" (1995).

use crate::Guarantee;

/// The largest number of hash functions of a bit array.
pub const MAX_HASHES: u32 = 64;

/// Smallest and largest width of a cell in bits.
pub const CELL_BITS: std::ops::RangeInclusive<u32> = 4..=64;

/// What a report says about a visited set after a search that found no error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Approximation {
    /// What `Seen` is worth.
    pub guarantee: Guarantee,
    /// States stored.
    pub stored: u64,
    /// Bits or cells in all; 0 where their number is not fixed.
    pub places: u64,
    /// Bits set or cells taken.
    pub places_used: u64,
    /// Probability that the next new state is taken for a stored one.
    pub next_omission: f64,
    /// Expected number of states that were taken for stored ones so far. Infinite where nothing
    /// can be said since every bit is set.
    pub expected_omissions: f64,
    /// Stored states that were forgotten to make room.
    pub replaced: u64,
}

impl Approximation {
    /// Of a set that misses nothing.
    pub fn none(guarantee: Guarantee, stored: u64) -> Self {
        Self {
            guarantee,
            stored,
            places: 0,
            places_used: 0,
            next_omission: 0.0,
            expected_omissions: 0.0,
            replaced: 0,
        }
    }

    /// Part of the places that is used, 0 to 1; `None` where their number is not fixed.
    pub fn load(&self) -> Option<f64> {
        (self.places > 0).then(|| self.places_used as f64 / self.places as f64)
    }

    /// Probability that at least one state was missed.
    pub fn any_omission(&self) -> f64 {
        any_omission(self.expected_omissions)
    }

    /// Expected part of the states offered that was stored, 0 to 1.
    pub fn coverage(&self) -> f64 {
        let stored = self.stored as f64;
        if self.expected_omissions <= 0.0 {
            1.0
        } else {
            stored / (stored + self.expected_omissions)
        }
    }

    /// Expected number of different states offered: what to size the next search for. `None` where
    /// nothing can be said.
    pub fn estimated_states(&self) -> Option<u64> {
        let sum = self.stored as f64 + self.expected_omissions;
        sum.is_finite().then_some(sum.round() as u64)
    }
}

/// Probability of at least one event of a rare kind if `expected` are expected.
pub fn any_omission(expected: f64) -> f64 {
    -(-expected).exp_m1()
}

/// `v^(k+1)/(k+1) + v^(k+2)/(k+2) + ...`, for `v` below 1.
pub(crate) fn log_tail(v: f64, k: u32) -> f64 {
    if v >= 1.0 {
        return f64::INFINITY;
    }
    if v > 0.9 {
        let head: f64 = (1..=k).map(|j| v.powi(j as i32) / f64::from(j)).sum();
        return (-(-v).ln_1p() - head).max(0.0);
    }
    let mut power = v.powi(k as i32 + 1);
    let (mut sum, mut j) = (0.0, f64::from(k) + 1.0);
    while power > 0.0 && power > sum * 1e-17 {
        sum += power / j;
        power *= v;
        j += 1.0;
    }
    sum
}

/// Expected omissions of an array of `bits` bits, `hashes` per state, after `states` different
/// states.
///
/// The integral of `(1 - e^(-ki/m))^k` over `i`: with the expected part `v` of bits that are set it
/// is `(m/k) (v^(k+1)/(k+1) + v^(k+2)/(k+2) + ...)`.
pub fn bitstate(bits: u64, hashes: u32, states: u64) -> f64 {
    if bits == 0 {
        return states as f64;
    }
    let filled = -(-f64::from(hashes) * states as f64 / bits as f64).exp_m1();
    if filled >= 1.0 {
        // Too full for the series: what is stored is the sum that it lacks.
        let stored: f64 = (1..=hashes).map(|j| 1.0 / f64::from(j)).sum();
        return states as f64 - stored * bits as f64 / f64::from(hashes);
    }
    bitstate_filled(bits, hashes, filled)
}

/// The same for an array of which the part `filled` is set, so for as many states as set that many.
pub fn bitstate_filled(bits: u64, hashes: u32, filled: f64) -> f64 {
    bits as f64 / f64::from(hashes.max(1)) * log_tail(filled, hashes)
}

/// How many different states set the part `filled` of the bits; infinite if that is all.
pub fn bitstate_states(bits: u64, hashes: u32, filled: f64) -> f64 {
    -(bits as f64) / f64::from(hashes.max(1)) * (-filled.min(1.0)).ln_1p()
}

/// The number of hash functions with the fewest expected omissions for `states` different states.
///
/// It is a little above `(m/n) ln 2`, the best for a full array, since the array is emptier
/// earlier.
pub fn best_hashes(bits: u64, states: u64) -> u32 {
    let expected = |k: &u32| bitstate(bits, *k, states);
    (1..=MAX_HASHES).min_by(|a, b| expected(a).total_cmp(&expected(b))).unwrap_or(1)
}

/// The bits that keep the expected omissions of `states` states at or below `expected`, with the
/// best number of hash functions, to within a thousandth.
pub fn bits_for(states: u64, expected: f64) -> u64 {
    let enough = |bits: u64| bitstate(bits, best_hashes(bits, states), states) <= expected;
    let (mut low, mut high) = (states, states.max(1));
    while !enough(high) {
        if high > u64::MAX / 4 {
            return high;
        }
        (low, high) = (high, high * 2);
    }
    while high - low > high / 1000 + 1 {
        let middle = low + (high - low) / 2;
        if enough(middle) { high = middle } else { low = middle }
    }
    high
}

/// How many signatures cells of this width have: 0 stands for an empty cell.
pub fn signatures(cell_bits: u32) -> u64 {
    u64::MAX >> (64 - cell_bits.clamp(1, 64))
}

/// Expected omissions of a table of `cells` cells after `stored` states were stored.
///
/// A new state meets `i/(T-i+1)` of the `i` stored ones in the mean before it comes to an empty
/// cell, and is confused with each with probability `1/l`. The sum over all `i` below the number
/// stored is `((T+1) (H(T+1) - H(T+1-n)) - n) / l` with the harmonic numbers `H`. Infinite above
/// the size of the table.
pub fn hash_compact(cells: u64, cell_bits: u32, stored: u64) -> f64 {
    if stored > cells {
        return f64::INFINITY;
    }
    let (t, n) = (cells as f64 + 1.0, stored as f64);
    let part = n / t;
    // The difference of two almost equal numbers is a series.
    let visits = if part < 1e-4 {
        n * part * (0.5 + part / 3.0 + part * part / 4.0)
    } else {
        t * (harmonic(t) - harmonic(t - n)) - n
    };
    visits / signatures(cell_bits) as f64
}

/// The sum of `1/j` for `j` from 1 to `n`.
fn harmonic(n: f64) -> f64 {
    if n < 64.0 {
        return (1..=n as u32).map(|j| 1.0 / f64::from(j)).sum();
    }
    const EULER: f64 = 0.577_215_664_901_532_9;
    let square = 1.0 / (n * n);
    n.ln() + EULER + 0.5 / n - square / 12.0 + square * square / 120.0
}

/// The same with cells kept in order along each path, where a search for a new state ends earlier.
///
/// The sum of `(2/l)(H(T+1) - H(T-i)) - (2T + i(T-i)) / (T l (T-i+1))` over all `i` below the
/// number stored, with the harmonic numbers `H`.
pub fn ordered_hash_compact(cells: u64, cell_bits: u32, stored: u64) -> f64 {
    if stored > cells {
        return f64::INFINITY;
    }
    let (t, n) = (cells as f64, stored as f64);
    // Of one state the terms cancel to nothing, or to a rounding error below it.
    let plain = hash_compact(cells, cell_bits, stored).max(0.0);
    // The two agree while the table is almost empty, where the sum loses its digits.
    if n <= t * 1e-5 {
        return plain;
    }
    let above = |x: f64| (x + 1.0) * harmonic(x) - x;
    let first = 2.0 * (n * harmonic(t + 1.0) - above(t) + above(t - n));
    let numbers = n * (2.0 * t - n + 3.0) / 2.0;
    let harmonics = harmonic(t + 1.0) - harmonic(t - n + 1.0);
    let second = ((t - 1.0) * harmonics + n * (t + 2.0) - numbers) / t;
    ((first - second) / signatures(cell_bits) as f64).clamp(0.0, plain)
}

/// Probability that the state after `stored` stored ones is confused with one of them, in a table
/// of `cells` cells, kept in order or not. The `i`-th term of the sums above, which are sums of
/// odds; 0 for a full table, where a new state is refused.
pub fn next_confusion(cells: u64, cell_bits: u32, ordered: bool, stored: u64) -> f64 {
    if stored >= cells {
        return 0.0;
    }
    let (t, i) = (cells as f64, stored as f64);
    let visits = if ordered {
        let harmonics = harmonic(t + 1.0) - harmonic(t - i);
        2.0 * harmonics - (2.0 * t + i * (t - i)) / (t * (t - i + 1.0))
    } else {
        i / (t - i + 1.0)
    };
    let odds = visits.max(0.0) / signatures(cell_bits) as f64;
    odds / (1.0 + odds)
}

/// How far the estimate for the states offered holds for the whole state space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trust {
    /// States have few predecessors: one that was missed often hides others.
    Weak,
    /// In between.
    Fair,
    /// Most states are reached in several ways.
    Good,
}

/// The trust that the mean number of predecessors of a state gives.
pub fn trust(transitions: u64, states: u64) -> Trust {
    match transitions as f64 / states.max(1) as f64 {
        ratio if ratio >= 2.0 => Trust::Good,
        ratio if ratio >= 1.3 => Trust::Fair,
        _ => Trust::Weak,
    }
}

/// Which lossy store to take, and how to set it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Advice {
    /// An array of as many bits as memory allows, with this many hash functions.
    Bitstate {
        /// Bits set per state.
        hashes: u32,
    },
    /// A table of cells of this width.
    HashCompact {
        /// Bits of a cell.
        cell_bits: u32,
    },
}

/// The number of hash functions while the number of states is unknown: few states are missed over a
/// wide range of sizes.
pub const FIRST_HASHES: u32 = 3;

/// Advice and the omissions to expect with it, for a search of about `states` states in `memory`
/// bytes. `trusted`: the number is not a guess; a table of cells is useless once it is full.
pub fn advise(memory: u64, states: u64, trusted: bool) -> (Advice, f64) {
    let bits = memory.saturating_mul(8);
    let hashes = best_hashes(bits, states);
    let expected = bitstate(bits, hashes, states);
    let array = (Advice::Bitstate { hashes }, expected);
    // A fiftieth more cells than states.
    let room = (states as f64 * 1.02).max(1.0);
    let cell_bits = ((bits as f64 / room) as u32).min(*CELL_BITS.end());
    if !trusted || cell_bits < *CELL_BITS.start() {
        return array;
    }
    let compact = ordered_hash_compact(bits / u64::from(cell_bits), cell_bits, states);
    if compact < expected { (Advice::HashCompact { cell_bits }, compact) } else { array }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 8 << 20;

    fn close(value: f64, wanted: f64, relative: f64) {
        assert!((value / wanted - 1.0).abs() <= relative, "{value} is not {wanted}");
    }

    /// The sum itself, for comparison.
    fn summed(bits: u64, hashes: u32, states: u64) -> f64 {
        let (m, k) = (bits as f64, f64::from(hashes));
        (0..states).map(|i| (-(-k * i as f64 / m).exp_m1()).powf(k)).sum()
    }

    #[test]
    fn the_figures_of_3spin() {
        close(bitstate(1024 * MIB, 21, 300_000_000), 20.7, 0.005);
        assert_eq!(best_hashes(1024 * MIB, 300_000_000), 21);
        close(any_omission(bitstate(1750 * MIB, 21, 300_000_000)), 0.0042, 0.02);
        close(any_omission(bitstate(1750 * MIB, 35, 300_000_000)), 0.00073, 0.02);
        assert_eq!(best_hashes(1750 * MIB, 300_000_000), 35);
        assert_eq!(best_hashes(400 * MIB, 100_000_000), 25);
        let best = bitstate(400 * MIB, 25, 100_000_000);
        close(bitstate(400 * MIB, 24, 100_000_000), best, 0.002);
    }

    #[test]
    fn the_table_for_400_mebibytes() {
        let m = 400 * MIB;
        for (states, hc, hc_part, k24, k3_part) in [
            (1e7, 1.2e-4, 1.2e-11, 6e-23, 1.8e-7),
            (3e7, 1.2e-3, 4.1e-11, 9.6e-12, 4.7e-6),
            (5e7, 4.2e-3, 8.4e-11, 7.1e-7, 2.1e-5),
            (7e7, 0.0105, 1.5e-10, 6.9e-4, 5.7e-5),
            (8e7, 0.0164, 2.1e-10, 9.2e-3, 8.4e-5),
            (9e7, 0.0264, 3.0e-10, 0.080, 1.2e-4),
            (1e8, 0.050, 5.2e-10, 0.43, 1.6e-4),
        ] {
            let n = states as u64;
            let compact = hash_compact(m / 32, 32, n);
            close(any_omission(compact), hc, 0.045);
            close(compact / states, hc_part, 0.045);
            close(any_omission(bitstate(m, 24, n)), k24, 0.06);
            close(bitstate(m, 3, n) / states, k3_part, 0.03);
        }
        for (states, k24_part, k3_part) in [(1.2e8, 1.1e-7, 2.7e-4), (2e8, 1.1e-4, 1.2e-3)] {
            close(bitstate(m, 24, states as u64) / states, k24_part, 0.05);
            close(bitstate(m, 3, states as u64) / states, k3_part, 0.04);
        }
        close(bitstate(m, 24, 300_000_000) / 3e8, 0.0057, 0.01);
        close(bitstate(m, 3, 300_000_000) / 3e8, 0.0035, 0.01);
        assert_eq!(hash_compact(m / 32, 32, 120_000_000), f64::INFINITY);
        for (n, p) in [(80, 0.0135), (90, 0.019), (100, 0.028), (104, 0.034)] {
            close(any_omission(ordered_hash_compact(m / 32, 32, n * 1_000_000)), p, 0.02);
        }
    }

    #[test]
    fn small_arrays_and_tables() {
        for (m, k, wanted) in [
            (100_003, 1, 1873.0),
            (100_003, 3, 547.0),
            (100_003, 4, 476.0),
            (100_003, 5, 475.9),
            (200_003, 7, 26.9),
            (200_003, 8, 25.9),
            (65_536, 3, 1401.0),
        ] {
            close(bitstate(m, k, 20_000), wanted, 0.003);
            close(bitstate(m, k, 20_000), summed(m, k, 20_000), 0.002);
        }
        assert_eq!(best_hashes(100_003, 20_000), 5);
        assert_eq!(best_hashes(200_003, 20_000), 8);
        close(hash_compact(1000, 12, 900), 0.340, 0.01);
        close(hash_compact(1000, 12, 990), 0.850, 0.01);
        close(hash_compact(500, 10, 400), 0.391, 0.01);
        // Far too full: a state is stored while one of its bits is free.
        close(bitstate(1000, 2, 1_000_000), 1e6 - 750.0, 1e-9);
        assert_eq!(bitstate(0, 3, 5), 5.0);
        assert_eq!(bitstate(64, 3, 0), 0.0);
        assert_eq!(hash_compact(0, 8, 0), 0.0);
        assert_eq!(ordered_hash_compact(0, 8, 0), 0.0);
    }

    #[test]
    fn ordered_sum_in_closed_form() {
        let h = |n: u64| (1..=n).map(|j| 1.0 / j as f64).sum::<f64>();
        for (t, n) in [(10u64, 10u64), (100, 50), (997, 990), (3000, 30)] {
            let sum: f64 = (0..n)
                .map(|i| {
                    let (tf, i_f) = (t as f64, i as f64);
                    2.0 * (h(t + 1) - h(t - i))
                        - (2.0 * tf + i_f * (tf - i_f)) / (tf * (tf - i_f + 1.0))
                })
                .sum();
            close(ordered_hash_compact(t, 16, n), sum / 65535.0, 1e-6);
        }
        // Where the closed form takes over from the series there is no step.
        for cells in [10_000_000u64, 1_000_000_000] {
            let n = cells / 100_000;
            let (a, b) =
                (ordered_hash_compact(cells, 16, n - 1), ordered_hash_compact(cells, 16, n + 1));
            close(b, a, 0.05);
        }
    }

    #[test]
    fn occupancy_gives_the_states_back() {
        for (m, k, n) in [(100_003, 3, 20_000), (1 << 20, 7, 5), (4096, 2, 30_000)] {
            let filled = -(-f64::from(k) * f64::from(n) / m as f64).exp_m1();
            close(bitstate_states(m, k, filled), f64::from(n), 1e-6);
            close(bitstate_filled(m, k, filled), bitstate(m, k, n as u64), 1e-9);
        }
        assert_eq!(bitstate_states(64, 3, 1.0), f64::INFINITY);
        assert_eq!(bitstate_filled(64, 3, 1.0), f64::INFINITY);
    }

    #[test]
    fn advice() {
        assert_eq!(advise(1024 << 20, 300_000_000, false).0, Advice::Bitstate { hashes: 21 });
        // Above about ten bits per state a table that is almost full is better.
        assert_eq!(advise(400 << 20, 100_000_000, true).0, Advice::HashCompact { cell_bits: 32 });
        assert!(matches!(advise(1 << 20, 1_500_000, true).0, Advice::Bitstate { .. }));
        assert!(matches!(advise(1 << 20, 100_000_000, true).0, Advice::Bitstate { .. }));
        assert_eq!(advise(400 << 20, 50_000_000, true).0, Advice::HashCompact { cell_bits: 64 });
        let bits = bits_for(300_000_000, 0.01);
        let k = best_hashes(bits, 300_000_000);
        let expected = bitstate(bits, k, 300_000_000);
        assert!((0.009..=0.01).contains(&expected), "{expected}");
        for (memory, states) in [(0, 0), (0, 10), (10, 0), (u64::MAX, u64::MAX)] {
            let (_, expected) = advise(memory, states, true);
            assert!(!expected.is_nan());
        }
    }

    #[test]
    fn single_steps_sum_up() {
        for (cells, ordered) in [(997, false), (997, true), (5000, true), (1, true), (1, false)] {
            let odds = |i| {
                let p = next_confusion(cells, 16, ordered, i);
                p / (1.0 - p)
            };
            let whole = if ordered { ordered_hash_compact } else { hash_compact };
            for stored in [cells / 2, cells * 9 / 10, cells] {
                let sum: f64 = (0..stored).map(odds).sum();
                assert!((sum - whole(cells, 16, stored)).abs() <= 1e-6 * sum, "{cells} {stored}");
            }
            assert_eq!(next_confusion(cells, 16, ordered, cells), 0.0);
        }
        assert_eq!(
            [(5, 10), (13, 10), (20, 10)].map(|(t, s)| trust(t, s)),
            [Trust::Weak, Trust::Fair, Trust::Good]
        );
    }

    #[test]
    fn reports() {
        let mut report = Approximation::none(Guarantee::Exact, 100);
        assert_eq!((report.coverage(), report.any_omission(), report.load()), (1.0, 0.0, None));
        report.guarantee = Guarantee::Approximate;
        report.expected_omissions = 25.0;
        assert_eq!((report.coverage(), report.estimated_states()), (0.8, Some(125)));
        report.expected_omissions = f64::INFINITY;
        assert_eq!((report.coverage(), report.any_omission()), (0.0, 1.0));
        assert_eq!(report.estimated_states(), None);
    }
}
