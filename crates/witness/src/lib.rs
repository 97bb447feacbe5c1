//! Counterexamples: replay on the plain model, choice-number trails.
