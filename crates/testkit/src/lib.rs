//! Random models, oracle comparisons, corpus reader for tests.
#![forbid(unsafe_code)]

pub mod corpus;
pub mod local_model;
pub mod random_claim;
pub mod random_model;
pub mod scratch_model;
pub mod spin;
