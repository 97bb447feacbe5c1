//! The suite: conformance table, gallery, corpus.
#![forbid(unsafe_code)]

pub mod comparison;
pub mod exceptions;
pub mod row;
pub mod table;
pub mod transformed;
