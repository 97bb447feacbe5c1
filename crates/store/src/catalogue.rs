//! What stores are made from.

use crate::VisitedSet;
use crate::collapse::Cut;
use crate::delta::Stepper;
use promenade_options::Settings;

/// What a store may ask for when it is made.
pub struct Making<'a> {
    /// Its parameters are among them.
    pub settings: &'a Settings,
    /// All the memory, in bytes.
    pub budget: u64,
    /// Of it, what a store may have that takes all of that at once: the rest is for the path or the
    /// queue of the search.
    pub share: u64,
    /// Makes what cuts states into parts.
    pub cut: &'a dyn Fn() -> Box<dyn Cut>,
    /// Makes what executes steps again.
    pub steps: &'a dyn Fn() -> Box<dyn Stepper>,
}

/// A store that only tells new states from stored ones.
#[derive(Debug)]
pub struct Made {
    /// It.
    pub set: Box<dyn VisitedSet>,
    /// The most memory that it may reserve, in bytes.
    pub share: u64,
}

impl Made {
    /// A store that grows as states come.
    pub(crate) fn growing(set: impl VisitedSet + 'static) -> Self {
        Self::within(u64::MAX, set)
    }

    /// A store that may take so much.
    pub(crate) fn within(share: u64, set: impl VisitedSet + 'static) -> Self {
        Self { set: Box::new(set), share }
    }
}
