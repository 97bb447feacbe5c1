//! Marks of atomic sequences and d_steps, and escapes on elements.

use crate::flow::{ATOMIC, D_STEP, ElementId, Flow, LAST, Nesting, SequenceId, What};

impl Flow {
    /// Marks all elements of a sequence; the last one ends the exclusive right.
    pub(crate) fn make_atomic(&mut self, sequence: SequenceId, added: u8) {
        let mut sequence = sequence;
        loop {
            let s = self.sequence(sequence);
            self.mark(s.first, s.last, added);
            let Some(last) = s.last else { return };
            match &self.element(last).what {
                What::Nested(Nesting::Block | Nesting::Atomic, inner) => sequence = *inner,
                What::Unless { main, .. } => sequence = *main,
                _ => {
                    let element = self.element_mut(last);
                    element.status = element.status & !ATOMIC | LAST;
                    return;
                }
            }
        }
    }

    fn mark(&mut self, first: Option<ElementId>, last: Option<ElementId>, added: u8) {
        let mut at = first;
        while let Some(id) = at {
            self.element_mut(id).status |= added;
            let in_d_step = added & D_STEP != 0;
            let mut inner: Vec<SequenceId> = Vec::new();
            match &mut self.element_mut(id).what {
                // Atomic inside atomic has no effect; inside a d_step everything is one step.
                What::Nested(kind, sequence) if *kind != Nesting::DStep || in_d_step => {
                    *kind = Nesting::Block;
                    inner.push(*sequence);
                }
                What::Choice { options, .. } => inner.extend(options.iter().copied()),
                What::Unless { main, escape } => inner.extend([*main, *escape]),
                _ => {}
            }
            for sequence in inner {
                let s = self.sequence(sequence);
                self.mark(s.first, s.last, added);
            }
            if Some(id) == last {
                return;
            }
            at = self.element(id).next;
        }
    }

    /// Lets an escape watch all elements of a sequence.
    pub(crate) fn attach_escape(&mut self, sequence: SequenceId, escape: SequenceId) {
        let s = self.sequence(sequence);
        let mut at = s.first;
        while let Some(id) = at {
            self.watch(id, escape);
            if s.extent == Some(id) {
                return;
            }
            at = self.element(id).next;
        }
    }

    fn watch(&mut self, id: ElementId, escape: SequenceId) {
        if self.element(id).escapes.contains(&escape) {
            return;
        }
        // The new escape watches the escapes inside too.
        for inner in self.element(id).escapes.clone() {
            let first = self.sequence(inner).first;
            if first.is_some_and(|f| !self.element(f).escapes.contains(&escape)) {
                self.attach_escape(inner, escape);
            }
        }
        self.element_mut(id).escapes.insert(0, escape);
        match self.element(id).what.clone() {
            What::Unless { main, .. } => self.attach_escape(main, escape),
            What::Choice { options, .. } => {
                for option in options {
                    self.attach_escape(option, escape);
                }
            }
            What::Nested(Nesting::DStep, inner) => {
                if let Some(first) = self.sequence(inner).first {
                    self.watch(first, escape);
                }
            }
            What::Nested(_, inner) => self.attach_escape(inner, escape),
            _ => {}
        }
    }
}
