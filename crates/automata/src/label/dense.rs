//! Sets of letters that are compared again and again.

use super::{Label, TABLE};

/// A set of letters, as far as comparisons need it: a label, or its truth table over propositions
/// that all sets at hand have in common.
pub(crate) trait LetterSet: Clone {
    /// Whether it has no letter.
    fn is_empty(&self) -> bool;
    /// Letters in the first but not in the second.
    fn minus(&self, other: &Self) -> Self;
}

impl LetterSet for Label {
    fn is_empty(&self) -> bool {
        self.is_empty()
    }

    fn minus(&self, other: &Self) -> Self {
        self.minus(other)
    }
}

impl LetterSet for u64 {
    fn is_empty(&self) -> bool {
        *self == 0
    }

    fn minus(&self, other: &Self) -> Self {
        self & !other
    }
}

impl Label {
    /// The truth table over some propositions, among them those that the label depends on; `None` if
    /// these are too many for one.
    pub(crate) fn table_over(&self, propositions: u64) -> Option<u64> {
        (propositions.count_ones() <= TABLE).then(|| self.bits_over(propositions))
    }
}
