//! Numbers of a run, laid out as SPIN's users know them.

use promenade_protocol::{Confidence, File, Statistics, Unreached};
use std::fmt::Write;

/// The block of statistics; `engine` is who made the steps.
pub(crate) fn render(statistics: &Statistics, engine: &str) -> String {
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
    if s.states_reduced > 0 {
        let _ =
            writeln!(out, "{:>12} states, with the steps of one process only", s.states_reduced);
    }
    if s.states_before > 0 {
        let _ = writeln!(
            out,
            "{:>12} states of other searches (before a reduction, or with a bound)",
            s.states_before
        );
    }
    let _ = writeln!(
        out,
        "{:>12.1} MiB of memory ({:.1} for states, {:.1} for the search)",
        mebibytes(s.memory_bytes),
        mebibytes(s.store_bytes),
        mebibytes(s.stack_bytes)
    );
    let rate = s.states_per_second().unwrap_or_default();
    let _ = write!(out, "{:>12.2} seconds", s.seconds);
    if s.seconds >= 0.01 {
        let _ = write!(out, ", {rate:.0} states/second");
    }
    let _ = writeln!(out, " ({:.2} seconds to read the model)", s.compile_seconds);
    let _ = writeln!(out, "    {engine}");
    out
}

/// What a lossy store may have missed.
pub(crate) fn confidence(confidence: &Confidence) -> String {
    let c = confidence;
    let mut out = String::new();
    let _ = writeln!(out, "{}: keeps {}", c.store, c.kept_as);
    if c.partial {
        let _ = writeln!(
            out,
            "    The search was cut off: these numbers are about the part that was explored, and say\n    nothing about the rest."
        );
    }
    if c.places > 0 {
        let load = 100.0 * c.places_used as f64 / c.places as f64;
        let _ = writeln!(out, "{:>12} of {} places used ({load:.2} %)", c.places_used, c.places);
    }
    if c.replaced > 0 {
        let _ =
            writeln!(out, "{:>12} states forgotten and, if met again, explored again", c.replaced);
    }
    match c.expected_omissions {
        Some(expected) => {
            let _ = writeln!(out, "{expected:>12.2e} states missed, expected");
            let _ = writeln!(out, "{:>12.2e} probability that any was missed", c.any_omission);
            // Never rounded up to everything.
            let percent = (1e8 * c.coverage).floor() / 1e6;
            let _ = writeln!(
                out,
                "{percent:>11.6} % of the states met, expected not to be lost to hash collisions"
            );
            let _ = writeln!(out, "    What only missed states lead to is not counted.");
        }
        None if c.any_omission > 0.0 => {
            let _ = writeln!(out, "    Nothing can be said: every place is used.");
        }
        None => {}
    }
    if let Some(advice) = &c.advice {
        let _ = writeln!(out, "    Better: {}", advice.text);
    }
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
