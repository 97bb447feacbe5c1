//! Expansion of a state by an ample set where there is one.

use crate::{CycleProviso, Selector};
use promenade_transition_system::{Item, Reducer, Selection, Successors, TransitionSystem};

impl Selector {
    /// Fills `out` with the successors that suffice in `state`, and says whose they are. `open` tells of a
    /// target whether it is open in the sense of [`CycleProviso`]; it is not asked where the proviso is
    /// [`CycleProviso::Nothing`].
    ///
    /// A choice number in `out` counts among these successors only.
    pub fn expand<S: TransitionSystem + ?Sized>(
        &mut self,
        system: &mut S,
        state: &[u8],
        out: &mut Successors,
        open: &mut dyn FnMut(&[u8]) -> bool,
    ) -> Selection {
        let proviso = self.proviso();
        self.expand_with(proviso, system, state, out, open)
    }

    /// The same with another condition on cycles, to show what it is good for.
    pub fn expand_with<S: TransitionSystem + ?Sized>(
        &mut self,
        proviso: CycleProviso,
        system: &mut S,
        state: &[u8],
        out: &mut Successors,
        open: &mut dyn FnMut(&[u8]) -> bool,
    ) -> Selection {
        self.prepare(system, state);
        let mut limit = 256;
        while let Some(pid) = self.candidate_below(system, state, limit) {
            limit = u16::from(pid);
            system.expand(state, Selection::Process(pid), out);
            if suffices(proviso, out, open) {
                return Selection::Process(pid);
            }
        }
        system.expand(state, Selection::All, out);
        Selection::All
    }
}

impl Reducer for Selector {
    fn expand(
        &mut self,
        system: &mut dyn TransitionSystem,
        state: &[u8],
        out: &mut Successors,
        open: &mut dyn FnMut(&[u8]) -> bool,
    ) -> Selection {
        Self::expand(self, system, state, out, open)
    }
}

impl std::fmt::Debug for Selector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Selector").field("nowhere", &self.nowhere()).finish_non_exhaustive()
    }
}

/// Whether the successors of a candidate may stand for all: there are some, no path ends with an
/// error (it would hide what others do), and the proviso is met.
fn suffices(proviso: CycleProviso, out: &Successors, open: &mut dyn FnMut(&[u8]) -> bool) -> bool {
    let ends = |item: &Item| matches!(item, Item::Violation { violation, .. } if violation.kind.ends_path());
    if out.incomplete || out.items.iter().any(ends) {
        return false;
    }
    let mut targets = (0..out.items.len()).filter_map(|choice| out.target(choice)).peekable();
    targets.peek().is_some()
        && match proviso {
            CycleProviso::Nothing => true,
            CycleProviso::OneOpen => targets.any(open),
            CycleProviso::AllOpen => targets.all(open),
        }
}
