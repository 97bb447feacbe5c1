//! Spans, diagnostics, limits, cancellation and hashing: what every core crate shares.
