//! How a model is run.

use promenade_base::{CancelToken, Interrupt};

/// The most that one expansion may hold, in bytes.
pub const MOST_EXPANSION_BYTES: usize = 256 << 20;

/// Choices that decide what is checked while states are expanded.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The never claim to run along, an index into [`promenade_ir::Model::claims`]. The claim moves
    /// first, then it alternates with the system.
    pub claim: Option<usize>,
    /// Evaluate assertions (`pan -A` turns them off).
    pub check_assertions: bool,
    /// Tell invalid from valid end states (`pan -E` takes every end state as valid).
    pub end_states: bool,
    /// A valid end state also needs empty channels (`pan -q`).
    pub empty_channels_at_end: bool,
    /// Give marks of acceptance to transitions, for searches for infinite runs.
    pub acceptance: bool,
    /// With `acceptance`: a run that comes to an end stays in its last state for ever (the stutter
    /// extension). A claim goes on reading that state; without a claim, the state has itself as a
    /// successor if it is at an accept label.
    pub stutter: bool,
    /// With `acceptance`: only runs that are weakly fair to every process count, as one more mark
    /// for each pid: given where the process moves or cannot move.
    pub weak_fairness: bool,
    /// With `weak_fairness`: processes for which the marks have no room are given
    /// [`promenade_transition_system::Successors::more_marks`], for searches that look at them.
    /// Otherwise a state with so many processes is given up.
    pub more_marks: bool,
    /// How many acceptance sets are marks, from 2 to 64. Fewer than 64 are for tests of the others.
    pub most_marks: u32,
    /// Report the use of a channel that another process, which lives, has promised to use alone.
    pub check_promises: bool,
    /// Bytes that one expansion may hold, in its successors and in states inside atomic sequences;
    /// at most [`MOST_EXPANSION_BYTES`].
    pub expansion_bytes: usize,
    /// Looked at every few thousand steps within one expansion, which is then given up.
    pub cancel: Option<CancelToken>,
    /// Asked likewise.
    pub interrupt: Option<Interrupt>,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            claim: None,
            check_assertions: true,
            end_states: true,
            empty_channels_at_end: false,
            acceptance: false,
            stutter: true,
            weak_fairness: false,
            more_marks: false,
            most_marks: 64,
            check_promises: false,
            expansion_bytes: MOST_EXPANSION_BYTES,
            cancel: None,
            interrupt: None,
        }
    }
}
