//! Elements: the statements of a body in SPIN's own shape, before control points are made of them.
//!
//! SPIN links the statements of a body to a list in which the head of a choice, the join behind it
//! (`.`), jumps, and blocks are elements too, and decides from that list which of them a process
//! can rest at. Counts of states depend on doing the same.

use promenade_base::Span;
use promenade_ir::{Action, StatementId};
use std::rc::Rc;

/// Index of an element.
pub(crate) type ElementId = usize;

/// What follows an element.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Link {
    /// Nothing yet.
    None,
    To(ElementId),
    /// Whatever follows that element.
    After(ElementId),
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// A step.
    Basic(Action),
    /// `goto`, with the label scope in which the name is looked up.
    Goto {
        label: Rc<str>,
        scope: usize,
        span: Span,
    },
    Break,
    /// The join behind a choice or loop.
    Join,
    /// `if` and `do`: first elements of the options.
    Choice(Vec<ElementId>),
    /// Blocks, atomics, inline calls.
    Block(ElementId),
    /// `unless`: first element of the main part.
    Unless(ElementId),
    /// The end of the body.
    End,
}

#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub kind: Kind,
    pub statement: StatementId,
    pub span: Span,
    pub next: Link,
    /// Inside an atomic and not its last step.
    pub atomic: bool,
    /// First elements of the escapes around it, outermost first.
    pub escapes: Vec<ElementId>,
    pub labels: Vec<Rc<str>>,
}

/// The elements of one body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elements {
    pub list: Vec<Element>,
    /// Label scopes: the body, and one for each inline call; each with its parent.
    pub scopes: Vec<Option<usize>>,
    /// Labels: scope, name, element, place.
    pub labels: Vec<(usize, Rc<str>, ElementId, Span)>,
    /// Ranges of elements that lie in escape parts.
    pub escape_parts: Vec<std::ops::Range<ElementId>>,
}

/// A goto that leads to itself.
pub(crate) struct GotoLoop(pub ElementId);

impl Elements {
    pub fn add(&mut self, kind: Kind, statement: StatementId, span: Span) -> ElementId {
        self.list.push(Element {
            kind,
            statement,
            span,
            next: Link::None,
            atomic: false,
            escapes: Vec::new(),
            labels: Vec::new(),
        });
        self.list.len() - 1
    }

    /// The element behind one.
    pub fn next(&self, id: ElementId) -> Option<ElementId> {
        let mut link = self.list[id].next;
        loop {
            match link {
                Link::None => return None,
                Link::To(next) => return Some(next),
                Link::After(outer) => link = self.list[outer].next,
            }
        }
    }

    pub fn label(&self, scope: usize, name: &str) -> Option<ElementId> {
        let mut at = Some(scope);
        while let Some(scope) = at {
            let found = self.labels.iter().find(|l| l.0 == scope && *l.1 == *name);
            if let Some(label) = found {
                return Some(label.2);
            }
            at = self.scopes[scope];
        }
        None
    }

    /// Where control really lands when it comes to `id`: jumps, joins and `unless` are passed
    /// through, but from inside an atomic (`from_atomic`) not out of it.
    pub fn hunt(&self, id: ElementId, from_atomic: bool) -> Result<ElementId, GotoLoop> {
        let mut at = id;
        for _ in 0..=self.list.len() {
            let next = match &self.list[at].kind {
                Kind::Goto { label, scope, .. } => self.label(*scope, label),
                Kind::Join | Kind::Break => self.next(at),
                Kind::Unless(main) => Some(*main),
                _ => return Ok(at),
            };
            let Some(next) = next else { return Ok(at) };
            if matches!(self.list[at].kind, Kind::Goto { .. }) && next == at {
                return Err(GotoLoop(at));
            }
            if from_atomic && !self.list[next].atomic {
                return Ok(at);
            }
            at = next;
        }
        Err(GotoLoop(id))
    }

    /// The element at which a sequence really starts.
    pub fn hunt_start(&self, id: ElementId) -> ElementId {
        let mut at = id;
        for _ in 0..=self.list.len() {
            at = match &self.list[at].kind {
                Kind::Join => match self.next(at) {
                    Some(next) => next,
                    None => return at,
                },
                Kind::Unless(main) => *main,
                _ => return at,
            };
        }
        at
    }

    /// Marks elements as parts of an atomic whose last element is `last`.
    pub fn make_atomic(&mut self, range: std::ops::Range<ElementId>, last: ElementId) {
        for element in &mut self.list[range] {
            element.atomic = true;
        }
        self.end_atomic(last);
    }

    fn end_atomic(&mut self, last: ElementId) {
        let inner = match self.list[last].kind {
            Kind::Block(first) | Kind::Unless(first) => Some(first),
            _ => None,
        };
        match inner {
            Some(first) => {
                // The last element of the inner sequence is the one linked behind the outer.
                let found = (0..self.list.len()).find(|&id| {
                    id >= first && matches!(self.list[id].next, Link::After(outer) if outer == last)
                });
                if let Some(found) = found {
                    self.end_atomic(found);
                }
            }
            None => self.list[last].atomic = false,
        }
    }

    /// Attaches an escape to the main part `range` of an `unless`.
    pub fn attach_escape(&mut self, range: std::ops::Range<ElementId>, escape: ElementId) {
        for id in range.clone() {
            let inner = self
                .escape_parts
                .iter()
                .any(|part| part.contains(&id) && part.start >= range.start);
            if !inner {
                self.list[id].escapes.insert(0, escape);
            }
        }
    }
}
