//! What the tests of several stores share.

use crate::{Insert, VisitedSet};
use promenade_base::random::Random;
use std::collections::HashSet;

/// Pairwise different states of 8 to 40 bytes, the same for the same seed.
pub(crate) struct DifferentStates {
    random: Random,
    number: u64,
}

impl DifferentStates {
    pub(crate) fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), number: 0 }
    }
}

impl Iterator for DifferentStates {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        self.number += 1;
        let mut state = self.number.to_le_bytes().to_vec();
        state.resize(8 + self.random.below(33), self.random.next_u64() as u8);
        Some(state)
    }
}

/// A state that has probably been there: small numbers are more frequent.
pub(crate) fn likely_state(random: &mut Random, range: usize) -> Vec<u8> {
    let bound = 1 + random.below(range);
    let number = random.below(bound) as u64;
    let mut state = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).to_le_bytes().to_vec();
    state.resize(8 + (number % 50) as usize, number as u8);
    state
}

/// A lossy set never calls a stored state new, stores what it calls new, counts it, and keeps its
/// budget.
pub(crate) fn lossy_agrees_with_oracle<S: VisitedSet>(mut set: S, budget: u64, rounds: usize) {
    let mut random = Random::new(budget);
    let mut offered = HashSet::new();
    let (mut stored, mut full) = (0, false);
    for _ in 0..rounds {
        let state = likely_state(&mut random, rounds / 3);
        let known = set.contains(&state, state.len());
        match set.insert(&state, state.len()) {
            Insert::New(_) => {
                assert!(!known && !offered.contains(&state));
                stored += 1;
            }
            Insert::Seen(_) => assert!(known),
            Insert::Full => {
                assert!(!known && !offered.contains(&state));
                full = true;
                continue;
            }
        }
        assert!(set.contains(&state, state.len()));
        offered.insert(state);
        assert!(set.memory_bytes() <= budget, "{} of {budget}", set.memory_bytes());
        assert_eq!(set.len(), stored);
    }
    assert!(offered.iter().all(|s| set.contains(s, s.len())));
    let report = set.approximation();
    assert_eq!(report.stored, stored);
    if full {
        return;
    }
    // What is missing lies within the bounds of the estimate, if that says anything.
    let missed = offered.len() as f64 - stored as f64;
    let expected = report.expected_omissions;
    if expected.is_finite() && report.load().is_some_and(|load| load < 0.9) {
        let bound = 5.0 * (expected + 1.0).sqrt() + 0.1 * expected;
        assert!((missed - expected).abs() <= bound, "{missed} missed, {expected} expected");
    }
}
