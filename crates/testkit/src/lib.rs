//! Random models, oracle comparisons, corpus reader for tests.
