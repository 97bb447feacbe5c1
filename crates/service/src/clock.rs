//! Time, handed in.

/// Seconds since some moment; never runs backwards.
pub trait Clock {
    /// Now.
    fn seconds(&self) -> f64;
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
