//! Exact as long as that is possible, signatures from then on.
//!
//! When no further state fits as it is, a table of signatures for all states so far is filled in the
//! memory that is left, a few with each new state; then their memory is given to a second table, for
//! what comes. So nothing of the work done is lost.

use crate::{
    Approximation, Exact, Guarantee, HashCompact, Insert, Signatures, StateId, StateStore,
    VisitedSet,
};
use crate::{Made, Making, hash_compact};

/// For the list of stores.
pub(crate) fn build(making: &Making<'_>) -> Made {
    let signatures = hash_compact::Settings {
        cell_bits: making.settings.cell_bits,
        seed: making.settings.seed.into(),
        ..hash_compact::Settings::default()
    };
    Made::growing(Automatic::new(making.budget, signatures))
}

/// Part of the budget that exact states may have: this many thirds.
const EXACT_THIRDS: u64 = 2;
/// Of what is left, what the first further table takes: the rest is for the search's path, or for more
/// tables.
const FIRST_TABLE: (u64, u64) = (1, 2);
/// Exact states that become signatures with every new state, so that the search does not stand
/// still meanwhile.
const AT_ONCE: u64 = 64;
/// States stay exact unless their signatures take less than half of their memory.
const WORTH: u64 = 2;
/// Tables become slow when they are fuller than this many tenths.
const FILL_TENTHS: u64 = 9;

/// How states are stored.
#[derive(Debug)]
enum Stage {
    /// All as they are.
    Exact,
    /// The exact ones become signatures, one after the other; new ones are signatures.
    Converting { next: Option<StateId>, buffer: Vec<u8> },
    /// All as signatures.
    Converted,
    /// The exact ones stay, there would be little gain; further ones are signatures.
    Both,
}

/// An exact store, and tables of signatures for when it is full.
#[derive(Debug)]
pub struct Automatic {
    stage: Stage,
    exact: Exact,
    /// Signatures of what was exact, and of what came while it was converted.
    old: HashCompact,
    /// Signatures of what came then.
    rest: Signatures,
    budget: u64,
    /// Bytes at the end of a state that are not part of its identity, and of the longest state.
    hidden: usize,
    longest: usize,
    /// States stored, and how many of them as they are, as long as any are.
    count: u64,
    exact_count: u64,
}

impl Automatic {
    /// An empty store that reserves at most `budget` bytes.
    pub fn new(budget: u64, settings: hash_compact::Settings) -> Self {
        let settings = hash_compact::Settings { cells: None, ..settings };
        let mut new = Self {
            stage: Stage::Exact,
            exact: Exact::new(budget),
            old: HashCompact::new(0, settings),
            rest: Signatures::new(0, settings, FIRST_TABLE),
            budget: 0,
            hidden: 0,
            longest: 0,
            count: 0,
            exact_count: 0,
        };
        new.set_budget(budget);
        new
    }

    /// How many states were stored as they are: all, unless the memory for that was used up.
    pub fn exact_states(&self) -> u64 {
        self.exact_count
    }

    /// Decides how the search goes on when no further state can be stored as it is.
    #[cold]
    fn leave_exact(&mut self) {
        let settings = self.old.settings();
        let new = self.exact_count / AT_ONCE + 1;
        let cells = (self.exact_count + new) * 10 / FILL_TENTHS + 1;
        let room = self.longest + size_of::<u64>();
        let left = self.budget.saturating_sub(self.exact.memory_bytes() + room as u64);
        let settings = hash_compact::Settings { cells: Some(cells), ..settings };
        let old = HashCompact::new(left, settings);
        let bytes = cells * u64::from(settings.cell_bits) / 8;
        let worth = bytes * WORTH <= self.exact.memory_bytes();
        let mut buffer = Vec::new();
        let fits = worth && old.room() >= cells && buffer.try_reserve_exact(room).is_ok();
        self.stage = if fits {
            self.old = old;
            Stage::Converting { next: self.exact.first(), buffer }
        } else {
            Stage::Both
        };
        self.set_budget(self.budget);
    }

    /// Makes signatures of some exact states; `false` if the host has no memory for that.
    fn convert(&mut self) -> bool {
        let Stage::Converting { next, buffer } = &mut self.stage else { return true };
        for _ in 0..AT_ONCE {
            let Some(id) = *next else {
                self.exact = Exact::new(0);
                self.stage = Stage::Converted;
                self.set_budget(self.budget);
                return true;
            };
            let state = self.exact.get(id, buffer);
            let key = state.len().saturating_sub(self.hidden);
            // Two exact states may have one signature.
            if self.old.insert(state, key) == Insert::Full {
                return false;
            }
            *next = self.exact.after(id);
        }
        true
    }
}

impl VisitedSet for Automatic {
    #[inline]
    fn insert(&mut self, state: &[u8], key_len: usize) -> Insert {
        if matches!(self.stage, Stage::Exact) {
            match self.exact.insert(state, key_len) {
                Insert::Full => self.leave_exact(),
                Insert::New(id) => {
                    self.hidden = state.len().saturating_sub(key_len);
                    self.longest = self.longest.max(state.len());
                    self.exact_count += 1;
                    self.count += 1;
                    return Insert::New(id);
                }
                seen @ Insert::Seen(_) => return seen,
            }
        }
        let known = match self.stage {
            Stage::Exact | Stage::Both => self.exact.contains(state, key_len),
            Stage::Converting { .. } => {
                self.exact.contains(state, key_len) || self.old.contains(state, key_len)
            }
            Stage::Converted => self.old.contains(state, key_len),
        };
        if known {
            return Insert::Seen(StateId::default());
        }
        let answer = if matches!(self.stage, Stage::Converting { .. }) {
            if !self.convert() {
                return Insert::Full;
            }
            self.old.insert(state, key_len)
        } else {
            self.rest.insert(state, key_len)
        };
        self.count += u64::from(matches!(answer, Insert::New(_)));
        answer
    }

    fn contains(&self, state: &[u8], key_len: usize) -> bool {
        let has = |table: &HashCompact| table.cells() > 0 && table.contains(state, key_len);
        self.exact.contains(state, key_len) || has(&self.old) || self.rest.contains(state, key_len)
    }

    fn len(&self) -> u64 {
        self.count
    }

    fn memory_bytes(&self) -> u64 {
        let buffer = match &self.stage {
            Stage::Converting { buffer, .. } => buffer.capacity() as u64,
            _ => 0,
        };
        self.exact.memory_bytes() + self.old.memory_bytes() + self.rest.memory_bytes() + buffer
    }

    fn set_budget(&mut self, bytes: u64) {
        self.budget = bytes;
        match self.stage {
            Stage::Exact => self.exact.set_budget(bytes / 3 * EXACT_THIRDS),
            // The table takes all of its memory at once.
            Stage::Converting { .. } => {}
            Stage::Converted | Stage::Both => {
                let kept = self.exact.memory_bytes() + self.old.memory_bytes();
                self.rest.set_budget(bytes.saturating_sub(kept));
            }
        }
    }

    fn guarantee(&self) -> Guarantee {
        if matches!(self.stage, Stage::Exact) { Guarantee::Exact } else { Guarantee::Approximate }
    }

    fn approximation(&self) -> Approximation {
        if matches!(self.stage, Stage::Exact) {
            return Approximation::none(Guarantee::Exact, self.count);
        }
        let (old, rest) = (self.old.approximation(), self.rest.approximation());
        // Nothing was missed while all states were exact. What came then was offered to the first
        // table, too, which may not have been as full as it is now.
        let new = (self.count - self.exact_count) as f64;
        Approximation {
            guarantee: Guarantee::Approximate,
            stored: self.count,
            places: old.places + rest.places,
            places_used: old.places_used + rest.places_used,
            next_omission: old.next_omission + rest.next_omission,
            expected_omissions: new * old.next_omission + rest.expected_omissions,
            replaced: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{DifferentStates, lossy_agrees_with_oracle};
    use promenade_base::random::Random;

    #[test]
    fn exact_at_first_and_approximate_beyond() {
        let mut set = Automatic::new(1 << 16, hash_compact::Settings::default());
        let states: Vec<Vec<u8>> = DifferentStates::new(7).take(5000).collect();
        let mut stored = 0;
        for state in &states {
            let exact = set.exact_states() == stored;
            assert!(exact || set.guarantee() == Guarantee::Approximate);
            match set.insert(state, state.len()) {
                Insert::New(_) => stored += 1,
                Insert::Seen(_) => assert_eq!(set.guarantee(), Guarantee::Approximate),
                Insert::Full => break,
            }
            assert!(set.memory_bytes() <= 1 << 16);
            assert_eq!(set.len(), stored);
        }
        // Far more than an exact store of that size could hold.
        let mut exact = Exact::new(1 << 16);
        let fit = states.iter().take_while(|s| exact.insert(s, s.len()) != Insert::Full).count();
        assert!(stored > 2 * fit as u64, "{stored} against {fit}");
        let report = set.approximation();
        assert_eq!((report.guarantee, report.stored), (Guarantee::Approximate, stored));
        assert!(report.expected_omissions > 0.0 && report.expected_omissions < 0.1);
        // What was said to be exact is still there.
        assert!(states.iter().take(stored as usize).all(|s| set.contains(s, s.len())));
    }

    #[test]
    fn what_was_exact_is_converted_and_still_known() {
        // States of 90 bytes, all of which vary, with hidden bytes behind them.
        let state = |number: u64| -> Vec<u8> {
            let mut random = Random::new(number);
            let key = std::iter::repeat_with(|| random.next_u64()).take(12);
            let mut state: Vec<u8> = key.flat_map(u64::to_le_bytes).take(90).collect();
            state.extend((number as u16).to_le_bytes());
            state
        };
        let budget = 1 << 19;
        let mut set = Automatic::new(budget, hash_compact::Settings::default());
        let (mut converting, mut stored) = (0, 0);
        while set.insert(&state(stored), 90) != Insert::Full {
            stored += 1;
            assert_eq!(set.len(), stored);
            assert!(set.memory_bytes() <= budget);
            if let Stage::Converting { .. } = set.stage {
                converting += 1;
                // Whatever has been converted, and what has not.
                for number in (0..stored).step_by(97).chain([stored - 1]) {
                    assert!(set.contains(&state(number), 90), "{number} of {stored}");
                    let again = state(number ^ (1 << 16));
                    assert!(!set.contains(&again, 90) || number ^ (1 << 16) < stored);
                }
            }
        }
        assert!(matches!(set.stage, Stage::Converted) && converting > 10);
        assert!(set.exact_states() / AT_ONCE <= converting && set.exact.memory_bytes() < 1000);
        // Exact states fill two thirds of the memory; signatures of four bytes three quarters.
        assert!(stored > 10 * set.exact_states(), "{stored} and {}", set.exact_states());
        assert!((0..stored).all(|number| set.insert(&state(number), 90) != Insert::Full));
        let report = set.approximation();
        assert_eq!((report.stored, set.len()), (stored, stored));
        // A few of them share a signature.
        assert!(report.places_used.abs_diff(stored) < 5);
        assert!(report.expected_omissions > 0.0 && report.expected_omissions < 1.0);
    }

    #[test]
    fn agrees_with_an_oracle_and_keeps_its_budget() {
        for budget in [0, 100, 5000, 1 << 16, 1 << 20] {
            let set = Automatic::new(budget, hash_compact::Settings::default());
            lossy_agrees_with_oracle(set, budget, 30_000);
        }
    }
}
