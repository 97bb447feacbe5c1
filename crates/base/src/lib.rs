//! Spans, diagnostics, limits, cancellation and hashing: what every core crate shares.
#![forbid(unsafe_code)]

pub mod arrange;
mod cancel;
mod diagnostic;
pub mod hash;
mod limits;
pub mod random;
mod source;
pub mod varint;

pub use cancel::{CancelToken, Interrupt};
pub use diagnostic::{Checked, Diagnostic, Fix, Related, Severity};
pub use limits::Limits;
pub use source::{FileId, LineColumn, SourceFile, SourceMap, Span};
