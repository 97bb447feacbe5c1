//! A few bits per state: many states in little memory, and some of them missed.
//!
//! Every state sets `k` bits of one array of any size; a state is taken for a stored one if all its
//! bits are set (Holzmann 1987; a Bloom filter). The places of the bits come from one 128-bit hash
//! without further hashing, unless independent functions are asked for, see [`Probing`].
//!
//! The array cannot grow: a bit says nothing of where it would be in a longer one. But it can be made
//! half as long without forgetting a state: places are numbers in order, so every two neighbours become
//! one bit, set if one of them was. That is the array that would be there if it had been so short from
//! the start. So it takes nearly all memory at first, and gives half of it back when that is wanted
//! beside it, as long as few of its bits are set.

use crate::blocked::{self, Blocks};
use crate::omission::{self, Approximation, FIRST_HASHES, MAX_HASHES};
use crate::probing::{Excess, Probes};
use crate::words::Words;
use crate::{Guarantee, Insert, Made, Making, StateId, VisitedSet};

pub use crate::probing::Probing;
use std::hint::black_box;

/// For the list of stores.
pub(crate) fn build(making: &Making<'_>) -> Made {
    let settings = Settings {
        hashes: making.settings.hashes,
        probing: making.settings.probing,
        seed: making.settings.seed.into(),
        ..Settings::default()
    };
    Made::within(making.share, Bitstate::new(making.share, settings))
}

/// What one may choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Bits per state, 1 to [`MAX_HASHES`].
    pub hashes: u32,
    /// Size of the array in bits; `None`: all that the budget allows.
    pub bits: Option<u64>,
    /// How the bits of a state are placed.
    pub probing: Probing,
    /// Another seed is an independent trial.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { hashes: FIRST_HASHES, bits: None, probing: Probing::default(), seed: 0 }
    }
}

/// Half of the array is given back only while no more than this part is set, the next time a quarter
/// of that, and so on: more states are to come, and a short array is full soon.
const MOST_FILLED: f64 = 1.0 / 16.0;
/// Shorter arrays stay as they are.
const LEAST_BITS: u64 = 1 << 13;

/// So many states that are announced together are looked for in advance.
const ANNOUNCED: usize = 16;

/// The bit array. All its memory is reserved with the first insertion, inside the budget of that
/// moment. States have no ids of their own: all answers carry the default id.
#[derive(Debug)]
pub struct Bitstate {
    words: Words,
    bits: u64,
    /// How many there were at first, and how often they were made half as many.
    bits_at_first: u64,
    fold: u32,
    settings: Settings,
    budget: u64,
    count: u64,
    set: u64,
    excess: Excess,
    /// If the bits of a state lie in one block, from the first insertion on.
    blocks: Option<Blocks>,
}

impl Bitstate {
    /// An empty set that reserves at most `budget` bytes.
    pub fn new(budget: u64, settings: Settings) -> Self {
        let hashes = settings.hashes.clamp(1, MAX_HASHES);
        let settings = Settings { hashes, ..settings };
        let excess = Excess::new(settings.probing, hashes);
        Self {
            words: Words::default(),
            bits: 0,
            bits_at_first: 0,
            fold: 0,
            settings,
            budget,
            count: 0,
            set: 0,
            excess,
            blocks: None,
        }
    }

    /// What was chosen, with values out of range replaced by the nearest.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Size of the array; 0 before the first insertion.
    pub fn bits(&self) -> u64 {
        self.bits
    }

    /// How many bits are set.
    pub fn bits_set(&self) -> u64 {
        self.set
    }

    /// How many different states were offered, judged from the bits that are set; infinite if that
    /// is all.
    pub fn estimated_states(&self) -> f64 {
        let hashes = self.settings.hashes;
        match self.settings.probing {
            Probing::Blocked => {
                self.blocks.as_ref().map_or(0.0, |blocks| blocks.states(self.filled()))
            }
            _ => omission::bitstate_states(self.bits, hashes, self.filled()),
        }
    }

    /// Forgets all states and continues with another seed in the same memory.
    pub fn restart(&mut self, seed: u64) {
        self.words.clear();
        self.settings.seed = seed;
        (self.count, self.set) = (0, 0);
    }

    fn filled(&self) -> f64 {
        if self.bits == 0 { 0.0 } else { self.set as f64 / self.bits as f64 }
    }

    /// `false` if there is no memory for a single word.
    #[cold]
    fn reserve(&mut self) -> bool {
        let words = Words::fitting(self.budget);
        let wanted = self.settings.bits.map_or(words, |bits| bits.div_ceil(64).min(words));
        let Ok(count) = usize::try_from(wanted) else { return false };
        let Some(words) = Words::new(count) else { return false };
        self.words = words;
        self.bits = self.settings.bits.map_or(wanted * 64, |bits| bits.min(wanted * 64));
        if self.settings.probing == Probing::Blocked {
            self.bits = blocked::whole(self.bits);
            self.blocks = Some(Blocks::new(self.bits, self.settings.hashes));
        }
        self.bits_at_first = self.bits;
        true
    }

    /// Makes the array half as long.
    #[cold]
    fn fold(&mut self) {
        let blocked = self.settings.probing == Probing::Blocked;
        self.words.fold(blocked);
        self.fold += 1;
        let unit = if blocked { blocked::BLOCK } else { 1 };
        self.bits = (self.bits / unit).div_ceil(2) * unit;
        self.set = self.words.iter().map(|word| u64::from(word.count_ones())).sum();
        if blocked {
            self.blocks = Some(Blocks::new(self.bits, self.settings.hashes));
        }
    }

    #[inline]
    fn probes<'a>(&self, state: &'a [u8], key_len: usize) -> Probes<'a> {
        let key = state.get(..key_len).unwrap_or(state);
        let Settings { seed, probing, .. } = self.settings;
        Probes::new(key, seed, self.bits_at_first, self.fold, probing)
    }
}

impl VisitedSet for Bitstate {
    /// [`Insert::Full`] only if not even a few bits fit into the budget.
    #[inline]
    fn insert(&mut self, state: &[u8], key_len: usize) -> Insert {
        if self.bits == 0 && !self.reserve() {
            return Insert::Full;
        }
        let mut probes = self.probes(state, key_len);
        let mut set = 0;
        for _ in 0..self.settings.hashes {
            let (word, bit) = probes.next();
            let Some(word) = self.words.get_mut(word) else { return Insert::Full };
            set += u64::from(*word & bit == 0);
            *word |= bit;
        }
        if set == 0 {
            return Insert::Seen(StateId::default());
        }
        self.set += set;
        self.count += 1;
        Insert::New(StateId::default())
    }

    fn contains(&self, state: &[u8], key_len: usize) -> bool {
        if self.bits == 0 {
            return false;
        }
        let mut probes = self.probes(state, key_len);
        (0..self.settings.hashes).all(|_| {
            let (word, bit) = probes.next();
            self.words.get(word) & bit != 0
        })
    }

    fn len(&self) -> u64 {
        self.count
    }

    fn memory_bytes(&self) -> u64 {
        self.words.memory_bytes()
    }

    /// Of bits anywhere in the array too many places would be waited for at once.
    fn wants_announcements(&self) -> bool {
        self.settings.probing == Probing::Blocked && self.bits > 0
    }

    fn announce(&self, keys: &mut dyn Iterator<Item = &[u8]>) {
        // All places first: while one is fetched, the processor looks only so many instructions ahead.
        let mut places = [0; ANNOUNCED];
        let mut count = 0;
        for (place, key) in places.iter_mut().zip(keys) {
            *place = self.probes(key, key.len()).next().0;
            count += 1;
        }
        let fetched = places[..count].iter().fold(0, |all, place| all ^ self.words.get(*place));
        // Nobody waits for the value.
        black_box(fetched);
    }

    fn set_budget(&mut self, bytes: u64) {
        self.budget = bytes;
    }

    /// Half of the array, as long as few of its bits are set.
    fn give_back(&mut self) -> bool {
        let may = self.bits >= LEAST_BITS && self.settings.bits.is_none();
        if may && self.filled() <= MOST_FILLED * 0.25_f64.powi(self.fold as i32) {
            self.fold();
            return true;
        }
        false
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Approximate
    }

    fn approximation(&self) -> Approximation {
        let filled = self.filled();
        let hashes = self.settings.hashes;
        let (next_omission, expected_omissions) = if let Some(blocks) = &self.blocks {
            (blocks.omission_after(blocks.states(filled)), blocks.expected(filled))
        } else {
            (
                filled.powi(hashes as i32),
                omission::bitstate_filled(self.bits, hashes, filled)
                    + self.excess.expected(self.bits, hashes, filled),
            )
        };
        Approximation {
            guarantee: Guarantee::Approximate,
            stored: self.count,
            places: self.bits,
            places_used: self.set,
            next_omission,
            expected_omissions,
            replaced: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probing::scale;
    use crate::testing::{DifferentStates, lossy_agrees_with_oracle};
    use promenade_base::random::Random;

    const ALL: [Probing; 5] = [
        Probing::Double,
        Probing::EnhancedDouble,
        Probing::Triple,
        Probing::Independent,
        Probing::Blocked,
    ];

    fn omitted(settings: Settings, states: u64) -> (u64, Bitstate) {
        let mut set = Bitstate::new(u64::MAX, settings);
        for state in DifferentStates::new(settings.seed).take(states as usize) {
            set.insert(&state, state.len());
        }
        (states - set.len(), set)
    }

    #[test]
    fn as_many_states_are_missed_as_the_formula_says() {
        for (bits, hashes) in
            [(100_003, 1), (100_003, 3), (100_003, 4), (200_003, 7), (65_536, 3), (100_003, 16)]
        {
            for probing in
                [Probing::Double, Probing::EnhancedDouble, Probing::Triple, Probing::Independent]
            {
                let expected = omission::bitstate(bits, hashes, 20_000);
                let runs = 8;
                let mut sum = 0.0;
                for seed in 0..runs {
                    let settings = Settings { hashes, bits: Some(bits), probing, seed };
                    let (missed, set) = omitted(settings, 20_000);
                    sum += missed as f64;
                    let report = set.approximation();
                    let off = (report.expected_omissions - missed as f64).abs();
                    // Four standard deviations of what happened and of what is estimated.
                    assert!(off <= 4.0 * (missed as f64 * 1.2 + 1.0).sqrt(), "{settings:?}: {off}");
                    let states = set.estimated_states();
                    assert!((states / 20_000.0 - 1.0).abs() < 0.02, "{states} for 20000");
                    assert_eq!(
                        set.bits_set(),
                        set.words.iter().map(|w| u64::from(w.count_ones())).sum::<u64>()
                    );
                }
                let off = (sum / f64::from(runs as u32) - expected).abs();
                // With many hash functions two numbers are no longer enough.
                let accurate = matches!(probing, Probing::Triple | Probing::Independent);
                let slack = if accurate { 0.01 } else { 0.05 };
                let bound = 3.0 * (expected / f64::from(runs as u32)).sqrt() + slack * expected;
                assert!(off <= bound, "m={bits} k={hashes} {probing:?}: {off} > {bound}");
            }
        }
    }

    /// In small arrays two numbers are the same for two states now and then, in either direction;
    /// three are not.
    #[test]
    fn triple_hashing_is_the_accurate_one() {
        let runs = 20_000;
        let missed = |probing| {
            let settings = Settings { hashes: 14, bits: Some(2003), probing, seed: 0 };
            let mut set = Bitstate::new(u64::MAX, settings);
            let mut states = DifferentStates::new(6);
            let (mut omitted, mut told) = (0, 0.0);
            for seed in 0..runs {
                set.restart(seed);
                for state in states.by_ref().take(100) {
                    set.insert(&state, state.len());
                }
                omitted += 100 - set.len();
                told += set.approximation().expected_omissions;
            }
            (omitted as f64, told)
        };
        let expected = runs as f64 * omission::bitstate(2003, 14, 100);
        let all = [Probing::Double, Probing::EnhancedDouble, Probing::Triple, Probing::Independent];
        let [double, enhanced, triple, independent] = all.map(missed);
        for accurate in [triple, independent] {
            assert!(accurate.0 < expected + 4.0 * expected.sqrt(), "{accurate:?} for {expected}");
        }
        assert!(
            double.0 > 2.0 * triple.0,
            "{double:?} with double hashing, {triple:?} with triple"
        );
        assert!(enhanced.0 <= double.0);
        // The estimate of each knows that.
        for (omitted, told) in [double, enhanced, triple, independent] {
            assert!((omitted - told).abs() < 4.0 * (told + 1.0).sqrt(), "{omitted}, told {told}");
        }
    }

    #[test]
    fn half_an_array_is_as_if_it_had_been_so_short_from_the_start() {
        for probing in ALL {
            for bits in [1 << 16, 100_003] {
                let settings = Settings { hashes: 3, bits: Some(bits), probing, seed: 1 };
                let states: Vec<Vec<u8>> = DifferentStates::new(3).take(3000).collect();
                let mut early = Bitstate::new(u64::MAX, settings);
                early.insert(&states[0], states[0].len());
                early.fold();
                early.fold();
                let mut late = Bitstate::new(u64::MAX, settings);
                for (number, state) in states.iter().enumerate() {
                    early.insert(state, state.len());
                    late.insert(state, state.len());
                    if number == 500 || number == 1500 {
                        late.fold();
                        // What was stored still is.
                        assert!(states[..number].iter().all(|s| late.contains(s, s.len())));
                    }
                }
                let bits = |set: &Bitstate| set.words.iter().collect::<Vec<_>>();
                assert_eq!(bits(&early), bits(&late), "{probing:?}");
                assert_eq!((early.bits, early.set), (late.bits, late.set));
                let set: u64 = late.words.iter().map(|word| u64::from(word.count_ones())).sum();
                assert_eq!(late.bits_set(), set);
                // As many are missed as expected of the short array, or fewer.
                let missed = 3000 - early.len();
                let told = early.approximation().expected_omissions;
                assert!(
                    (missed as f64 - told).abs() < 5.0 * (told + 1.0).sqrt(),
                    "{missed} {told}"
                );
                assert!(late.len() >= early.len());
            }
        }
    }

    #[test]
    fn memory_is_given_back_while_few_bits_are_set() {
        let mut set = Bitstate::new(1 << 16, Settings::default());
        let mut states = DifferentStates::new(8);
        let mut lengths = Vec::new();
        for state in states.by_ref().take(20_000) {
            set.insert(&state, state.len());
            let (bytes, filled) = (set.memory_bytes(), set.filled());
            if set.len().is_multiple_of(50) && set.give_back() {
                assert!(filled <= MOST_FILLED && set.filled() <= 2.0 * MOST_FILLED);
                assert!(set.memory_bytes() <= bytes / 2 + 64);
                lengths.push(set.len());
            }
        }
        // At first several times, then never again.
        assert!(lengths.len() > 2 && lengths[lengths.len() - 1] < 10_000, "{lengths:?}");
        assert!(set.bits() >= LEAST_BITS / 2);
    }

    /// A size with many divisors: some distances lead through few places only.
    #[test]
    fn double_hashing_knows_its_divisors() {
        let runs = 4000;
        let settings = Settings { hashes: 12, bits: Some(4096), probing: Probing::Double, seed: 0 };
        let mut set = Bitstate::new(u64::MAX, settings);
        let mut states = DifferentStates::new(8);
        let (mut omitted, mut told) = (0.0, 0.0);
        for seed in 0..runs {
            set.restart(seed);
            for state in states.by_ref().take(200) {
                set.insert(&state, state.len());
            }
            omitted += (200 - set.len()) as f64;
            told += set.approximation().expected_omissions;
        }
        let plain = runs as f64 * omission::bitstate(4096, 12, 200);
        assert!((omitted - told).abs() < 4.0 * f64::sqrt(told), "{omitted}, told {told}");
        assert!(told > 1.5 * plain, "{told}, {plain}");
    }

    #[test]
    fn the_advice_after_a_bad_run_leads_to_a_good_one() {
        let bad = Settings { bits: Some(65_536), seed: 9, ..Settings::default() };
        let (missed, set) = omitted(bad, 20_000);
        let report = set.approximation();
        assert!((1200..1600).contains(&missed) && report.any_omission() > 0.999);
        assert!((report.coverage() - 0.93).abs() < 0.01);
        let states = report.estimated_states().unwrap();
        assert!((states as f64 / 20_000.0 - 1.0).abs() < 0.02, "{states}");
        let bits = omission::bits_for(states, 0.005);
        let hashes = omission::best_hashes(bits, states);
        let (missed, set) = omitted(Settings { bits: Some(bits), hashes, ..bad }, 20_000);
        assert!(missed == 0 && set.approximation().any_omission() < 0.01);
    }

    #[test]
    fn agrees_with_an_oracle_and_keeps_its_budget() {
        for (budget, hashes) in [(8, 3), (100, 1), (999, 64), (40_000, 2), (1 << 20, 5)] {
            for probing in ALL {
                let settings = Settings { hashes, probing, ..Settings::default() };
                lossy_agrees_with_oracle(Bitstate::new(budget, settings), budget, 60_000);
            }
        }
        let mut none = Bitstate::new(7, Settings::default());
        assert_eq!(none.insert(&[1], 1), Insert::Full);
        assert!(!none.contains(&[1], 1));
        assert_eq!(none.memory_bytes(), 0);
        assert_eq!(none.approximation().load(), None);
        none.set_budget(64);
        assert!(matches!(none.insert(&[1], 1), Insert::New(_)));
        assert_eq!(none.bits(), 512);
    }

    #[test]
    fn sizes_of_all_kinds_and_values_out_of_range() {
        let sizes = [1, 2, 3, 63, 64, 65, 127, 1009];
        for (bits, probing) in sizes.into_iter().flat_map(|bits| ALL.map(|it| (bits, it))) {
            let settings =
                Settings { hashes: 1000, bits: Some(bits), probing, ..Settings::default() };
            let mut set = Bitstate::new(u64::MAX, settings);
            assert_eq!(set.settings().hashes, MAX_HASHES);
            for state in DifferentStates::new(bits).take(3000) {
                set.insert(&state, state.len());
                assert!(set.contains(&state, state.len()));
            }
            let bits = if probing == Probing::Blocked { blocked::whole(bits) } else { bits };
            assert_eq!((set.bits(), set.bits_set()), (bits, bits), "{probing:?}");
            assert_eq!(set.approximation().coverage(), 0.0);
        }
        let mut empty =
            Bitstate::new(100, Settings { hashes: 0, bits: Some(0), ..Settings::default() });
        assert_eq!(empty.insert(&[], 0), Insert::Full);
    }

    #[test]
    fn hidden_bytes_do_not_count_and_seeds_do() {
        let mut set = Bitstate::new(1 << 16, Settings::default());
        assert!(matches!(set.insert(&[1, 2, 3], 2), Insert::New(_)));
        assert!(matches!(set.insert(&[1, 2, 9], 2), Insert::Seen(_)));
        set.restart(1);
        assert_eq!((set.len(), set.bits_set()), (0, 0));
        assert!(matches!(set.insert(&[1, 2, 9], 2), Insert::New(_)));
        // Two seeds miss different states.
        let missed = |seed| {
            let mut set = Bitstate::new(4096, Settings { seed, ..Settings::default() });
            let states = DifferentStates::new(7).take(20_000);
            states.map(|s| matches!(set.insert(&s, s.len()), Insert::Seen(_))).collect::<Vec<_>>()
        };
        let (a, b) = (missed(1), missed(2));
        let both = a.iter().zip(&b).filter(|(a, b)| **a && **b).count();
        let one = a.iter().filter(|a| **a).count();
        assert!(one > 1000 && both < one, "{both} of {one}");
        let mut random = Random::new(1);
        assert!((0..1000).all(|_| scale(random.next_u64(), 10) < 10));
    }
}
