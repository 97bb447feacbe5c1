//! Time, handed in.

/// Seconds since some moment; never runs backwards.
pub trait Clock {
    /// Now.
    fn seconds(&self) -> f64;

    /// Whether somebody wants the present check to end soon, with what it has found. Asked also from
    /// within long steps, when no request can be submitted; it ends as if it was cancelled.
    fn is_interrupted(&self) -> bool {
        false
    }
}

impl<F: Fn() -> f64> Clock for F {
    fn seconds(&self) -> f64 {
        self()
    }
}

/// No time passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Timeless;

impl Clock for Timeless {
    fn seconds(&self) -> f64 {
        0.0
    }
}
