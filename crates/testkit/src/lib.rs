//! Random models, oracle comparisons, corpus reader for tests.
#![forbid(unsafe_code)]

pub mod corner_model;
pub mod corpus;
pub mod local_model;
pub mod random_claim;
pub mod random_model;
pub mod scratch_model;
pub mod spin;
pub mod write_only_model;

use std::ops::RangeInclusive;

/// Seeds of random models: those that `PROMENADE_SEEDS=first-last` asks for, or the usual ones.
pub fn seeds(usual: RangeInclusive<u64>) -> RangeInclusive<u64> {
    let asked = std::env::var("PROMENADE_SEEDS").unwrap_or_default();
    let range = |(a, b): (&str, &str)| Some(a.parse().ok()?..=b.parse().ok()?);
    asked.split_once('-').and_then(range).unwrap_or(usual)
}
