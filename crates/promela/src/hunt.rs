//! Which element control really reaches: jumps, joins and loop exits are passed for free.

use crate::flow::{ATOMIC, ElementId, Flow, Jump, LAST, SequenceId, What};

/// Jumps that lead to each other; more than this count as a circle.
pub(crate) const MAX_HOPS: usize = 5_000;
/// Jumps in rows, those of all places together.
pub(crate) const MAX_ALL_HOPS: usize = 20_000_000;

impl Flow {
    /// The first real element from `from` on. Within an atomic sequence (`status` of the element
    /// that control comes from) the hunt stops where the next one lies outside. `None`: a circle.
    pub(crate) fn hunt(&self, from: ElementId, status: u8) -> Option<ElementId> {
        let mut at = from;
        for _ in 0..MAX_HOPS {
            let element = self.element(at);
            let next = match &element.what {
                What::Goto(Jump::To(target)) => *target,
                What::Join | What::Exit => match element.next {
                    Some(next) => next,
                    None => return Some(at),
                },
                What::Unless { main, .. } => self.hunt(self.sequence(*main).first?, status)?,
                _ => return Some(at),
            };
            if status & ATOMIC != 0 && self.element(next).status & ATOMIC == 0 {
                return Some(at);
            }
            at = next;
        }
        None
    }

    /// The element that opens an option, a block or an escape.
    pub(crate) fn opening(&self, first: ElementId) -> Option<ElementId> {
        let mut at = first;
        for _ in 0..MAX_HOPS {
            let element = self.element(at);
            at = match (&element.what, element.next) {
                (What::Join, Some(next)) => next,
                (What::Unless { main, .. }, _) => self.sequence(*main).first?,
                _ => return Some(at),
            };
        }
        None
    }

    /// Ties the ends of nested sequences to what follows them.
    pub(crate) fn tie_ends(&mut self) {
        for i in (0..self.elements.len()).rev() {
            let What::Nested(_, inner) = self.elements[i].what else { continue };
            let mut after = self.elements[i].next;
            if after.is_none() {
                continue;
            }
            while let Some(id) = after
                && matches!(self.element(id).what, What::Join)
            {
                after = self.element(id).next;
            }
            let Some(last) = self.sequence(inner).last else { continue };
            match self.element(last).next {
                None => self.element_mut(last).next = after,
                Some(next) if matches!(self.element(next).what, What::Goto(_)) => {
                    self.sequence_mut(inner).last = Some(next);
                }
                Some(_) => {}
            }
        }
    }

    /// Jumps that leave an atomic sequence end it, jumps from its end into one go on with it.
    pub(crate) fn patch_jumps(&mut self, sequence: SequenceId) {
        let s = self.sequence(sequence);
        let mut at = s.first;
        while let Some(id) = at {
            match self.element(id).what.clone() {
                What::Goto(Jump::To(target)) => {
                    let there = self.element(target).status & (ATOMIC | LAST) != 0;
                    let status = &mut self.element_mut(id).status;
                    if *status & (ATOMIC | LAST) != 0 && !there {
                        *status = *status & !ATOMIC | LAST;
                    }
                    if *status & LAST != 0 && there {
                        *status = *status & !LAST | ATOMIC;
                    }
                }
                What::Choice { options, .. } => {
                    for option in options {
                        self.patch_jumps(option);
                    }
                }
                What::Unless { main, escape } => {
                    self.patch_jumps(main);
                    self.patch_jumps(escape);
                }
                _ => {}
            }
            if s.extent == Some(id) {
                return;
            }
            at = self.element(id).next;
        }
    }
}
