//! Bounds that make every run end in a message instead of a trap.

/// The limits of one run. Reaching one ends the run with an honest partial verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Memory for states, search stack and tables, in bytes. Never exceeded.
    pub memory_bytes: u64,
    /// Of this, what a search leaves free for the expansion of one state.
    pub expansion_bytes: u64,
    /// At most this many stored states.
    pub states: Option<u64>,
    /// At most this search depth, in moves.
    pub depth: Option<u64>,
    /// At most this many violations are reported; the search stops at the last of them.
    /// `None`: all are counted and the first [`Limits::kept_violations`] are kept.
    pub violations: Option<u64>,
    /// How many violations are kept with a trace.
    pub kept_violations: usize,
    /// Source text after preprocessing and inline expansion, in bytes.
    pub source_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory_bytes: 512 << 20,
            expansion_bytes: 0,
            states: None,
            depth: None,
            violations: Some(1),
            kept_violations: 100,
            source_bytes: 16 << 20,
        }
    }
}
