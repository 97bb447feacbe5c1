//! Numbers of a run, laid out as SPIN's users know them.

use promenade_protocol::{File, Statistics, Unreached};
use std::fmt::Write;

/// The block of statistics.
pub(crate) fn render(statistics: &Statistics) -> String {
    let s = statistics;
    let mebibytes = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "State-vector {} byte, depth reached {}, errors: {}",
        s.state_bytes, s.depth, s.errors
    );
    for (number, text) in [
        (s.states_stored, "states, stored"),
        (s.states_matched, "states, matched"),
        (s.transitions, "transitions (= stored+matched)"),
        (s.atomic_steps, "atomic steps"),
    ] {
        let _ = writeln!(out, "{number:>12} {text}");
    }
    let _ = writeln!(
        out,
        "{:>12.1} MiB of memory ({:.1} for states, {:.1} for the search)",
        mebibytes(s.memory_bytes),
        mebibytes(s.store_bytes),
        mebibytes(s.stack_bytes)
    );
    let rate = if s.seconds > 0.0 { s.states_stored as f64 / s.seconds } else { 0.0 };
    let _ = write!(out, "{:>12.2} seconds", s.seconds);
    if s.seconds >= 0.01 {
        let _ = write!(out, ", {rate:.0} states/second");
    }
    let _ = writeln!(out, " ({:.2} seconds to read the model)", s.compile_seconds);
    out
}

/// Code that was never executed, by process type.
pub(crate) fn unreached(list: &[Unreached], files: &[File]) -> String {
    let mut out = String::new();
    for group in list.chunk_by(|a, b| a.process == b.process) {
        let Some(first) = group.first() else { continue };
        let _ = writeln!(out, "unreached in {}", first.process);
        for statement in group {
            let place = crate::diagnostics::location(&statement.span, files);
            let _ = writeln!(out, "    {place}  {}", statement.text);
        }
    }
    out
}
