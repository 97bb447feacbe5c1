//! Successors that suffice, and choice numbers that say among which they were chosen.

use crate::{Selection, Successors, TransitionSystem};

/// Chooses successors of a state that stand for all of them (partial-order reduction).
pub trait Reducer: std::fmt::Debug {
    /// Fills `out` with the successors of `state` that suffice, and says whose they are. `open`
    /// tells of a target whether the search will still expand it, or does not lie on its path: what
    /// the condition on cycles is about. It may be asked for any target, any number of times.
    fn expand(
        &mut self,
        system: &mut dyn TransitionSystem,
        state: &[u8],
        out: &mut Successors,
        open: &mut dyn FnMut(&[u8]) -> bool,
    ) -> Selection;
}

/// Choice numbers of one expansion are below this.
pub const CHOICES: u32 = 1 << 24;

/// A choice number together with the selection that it counts in. Among all successors
/// ([`Selection::All`]) it is the number itself.
#[inline]
pub fn pack(selection: Selection, choice: u32) -> u32 {
    let by = match selection {
        Selection::All => 0,
        Selection::Process(pid) => u32::from(pid) + 1,
    };
    (by.min(255) * CHOICES) | (choice & (CHOICES - 1))
}

/// The selection and the choice number that [`pack`] has put together. A process with pid 255
/// cannot be packed; there is none.
#[inline]
pub fn unpack(packed: u32) -> (Selection, u32) {
    let selection = match (packed / CHOICES) as u8 {
        0 => Selection::All,
        by => Selection::Process(by - 1),
    };
    (selection, packed & (CHOICES - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_choices_come_back() {
        for selection in [Selection::All, Selection::Process(0), Selection::Process(254)] {
            for choice in [0, 1, CHOICES - 1] {
                assert_eq!(unpack(pack(selection, choice)), (selection, choice));
            }
        }
        assert_eq!(pack(Selection::All, 17), 17);
    }
}
