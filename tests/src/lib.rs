//! The suite: conformance table, gallery, corpus.
