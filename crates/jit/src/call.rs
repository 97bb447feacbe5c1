//! How the exported function is called.
//!
//! `expand(state, len, control) -> i32` with addresses in the imported memory. The control block is
//! an array of 32-bit words: the caller fills in the words below [`WORDS_IN`], the function answers
//! in the words [`OUT`], [`RECORDS`] and from [`WORDS_IN`] on. The result is one of [`DONE`],
//! [`INTERPRET`] and [`ROOM`].
//!
//! The function reads `state[..len]`, writes successors to `OUT..OUT_END`, records of two words each
//! (see [`promenade_interp::Record`]) to `RECORDS..RECORDS_END`, sets bytes at `EXECUTED` plus an edge
//! id below [`crate::Compiled::edges`], and uses `STACK..STACK_END` for itself. The stack is at least
//! [`LEAST_STACK`] bytes.

/// Word: where the next successor goes; afterwards, where the next one would go.
pub const OUT: usize = 0;
/// Word: end of the room for successors.
pub const OUT_END: usize = 1;
/// Word: where the next record goes; afterwards, where the next one would go.
pub const RECORDS: usize = 2;
/// Word: end of the room for records.
pub const RECORDS_END: usize = 3;
/// Word: address of the coverage bytes.
pub const EXECUTED: usize = 4;
/// Word: start of the working space.
pub const STACK: usize = 5;
/// Word: its end.
pub const STACK_END: usize = 6;
/// Word: 1 on the second try of a state in which nobody could move.
pub const TIMEOUT: usize = 7;
/// Word: the process to begin with, or the claim: [`promenade_interp::CLAIM_PID`].
pub const HIGH: usize = 8;
/// Word: the process to end with.
pub const LOW: usize = 9;
/// Number of words that the caller fills in.
pub const WORDS_IN: usize = 10;
/// Word: the process at which it stopped.
pub const PID: usize = 10;
/// Word: the edge at which it stopped, as an index in the graph.
pub const EDGE: usize = 11;
/// Word: whether an earlier edge was executable.
pub const EARLIER: usize = 12;
/// Word: the escape that is under way.
pub const ESCAPE: usize = 13;
/// Number of words.
pub const WORDS: usize = 14;

/// Result: all processes were tried.
pub const DONE: u32 = 0;
/// Result: the process [`PID`] goes on in the interpreter, from [`EDGE`] on.
pub const INTERPRET: u32 = 1;
/// Result: there is too little room for the successors of the process [`PID`]. Nothing of it was
/// written: call again from it on with more, or let the interpreter do it.
pub const ROOM: u32 = 2;

/// Bytes of working space.
pub const LEAST_STACK: usize = 64 << 10;
