//! Elements and sequences: a body before it is a graph.
//!
//! A body is a chain of elements; choices, blocks and escapes hang on it as sequences of their own.
//! How chains are closed, and in which order elements come into being, follows SPIN's construction,
//! since it decides which positions in the text are the same control point.

use crate::names::ScopeId;
use promenade_base::Span;
use promenade_ir::{Action, StatementId};
use std::collections::HashMap;
use std::rc::Rc;

/// An element of a body, numbered in the order of creation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ElementId(pub u32);

/// A sequence of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SequenceId(pub u32);

/// A loop of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LoopId(pub u32);

/// Part of an atomic sequence, not its end.
pub(crate) const ATOMIC: u8 = 1;
/// The last element of an atomic sequence.
pub(crate) const LAST: u8 = 2;
/// Part of a d_step.
pub(crate) const D_STEP: u8 = 4;

/// What the rules ask about a basic statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// `skip`, `true`, `1`.
    Skip,
    /// `false`, `0`.
    False,
    /// printf, printm.
    Print,
    Condition,
    Send,
    Receive,
    Else,
    Other,
}

/// Where a goto leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Jump {
    /// `goto`: the symbol of the label.
    Label(usize),
    /// `break`
    Out(LoopId),
    /// Found.
    To(ElementId),
}

/// Kinds of nested sequences.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Nesting {
    Block,
    Atomic,
    DStep,
}

/// What an element is.
#[derive(Clone, Debug)]
pub(crate) enum What {
    /// A basic statement.
    Step(Action, Class),
    Goto(Jump),
    /// The exit of a loop.
    Exit,
    /// Where the branches of a choice or unless meet; in front of a loop, its way back.
    Join,
    Choice {
        options: Vec<SequenceId>,
        is_loop: bool,
        /// The part of the text that stands for it.
        head: Span,
    },
    Unless {
        main: SequenceId,
        escape: SequenceId,
    },
    Nested(Nesting, SequenceId),
    /// The end of the body.
    End,
}

/// An element.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub what: What,
    pub next: Option<ElementId>,
    pub status: u8,
    /// Escapes that watch this element, the outermost first.
    pub escapes: Vec<SequenceId>,
    pub statement: StatementId,
    pub span: Span,
    /// The d_step that it stands in.
    pub d_step: Option<u32>,
}

/// A chain of elements.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Sequence {
    pub first: Option<ElementId>,
    pub last: Option<ElementId>,
    /// The last element when the sequence was closed.
    pub extent: Option<ElementId>,
}

/// A label on an element.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub name: Rc<str>,
    pub scope: ScopeId,
    pub element: ElementId,
    pub span: Span,
    /// The inline call it stands in.
    pub inline: u32,
}

/// A name that was used as a label, at its first use in text order.
#[derive(Clone, Debug)]
pub(crate) struct LabelSymbol {
    pub name: Rc<str>,
    pub scope: ScopeId,
}

/// A body as elements.
#[derive(Default, Debug)]
pub(crate) struct Flow {
    pub elements: Vec<Element>,
    pub sequences: Vec<Sequence>,
    /// Sequences being built, innermost last.
    pub open: Vec<SequenceId>,
    pub labels: Vec<Label>,
    /// Positions in `labels`, by element and by name.
    by_element: HashMap<ElementId, Vec<usize>>,
    by_name: HashMap<Rc<str>, Vec<usize>>,
    by_scope: HashMap<(Rc<str>, ScopeId), Vec<usize>>,
    pub symbols: Vec<LabelSymbol>,
    /// Positions in `symbols`, by name and scope.
    symbols_by_scope: HashMap<(Rc<str>, ScopeId), usize>,
    /// Loops whose exit is known.
    pub exits: Vec<Option<ElementId>>,
    /// Loops that `break` can leave, innermost last.
    pub breaks: Vec<LoopId>,
    /// The whole body.
    pub body: Option<SequenceId>,
}

impl Flow {
    pub(crate) fn element(&self, id: ElementId) -> &Element {
        &self.elements[id.0 as usize]
    }

    pub(crate) fn element_mut(&mut self, id: ElementId) -> &mut Element {
        &mut self.elements[id.0 as usize]
    }

    pub(crate) fn sequence(&self, id: SequenceId) -> Sequence {
        self.sequences[id.0 as usize]
    }

    pub(crate) fn sequence_mut(&mut self, id: SequenceId) -> &mut Sequence {
        &mut self.sequences[id.0 as usize]
    }

    pub(crate) fn create(
        &mut self,
        what: What,
        statement: StatementId,
        span: Span,
        d_step: Option<u32>,
    ) -> ElementId {
        let id = ElementId(self.elements.len() as u32);
        let element =
            Element { what, next: None, status: 0, escapes: Vec::new(), statement, span, d_step };
        self.elements.push(element);
        id
    }

    pub(crate) fn open_sequence(&mut self) {
        let id = SequenceId(self.sequences.len() as u32);
        self.sequences.push(Sequence::default());
        self.open.push(id);
    }

    /// Ends the innermost open sequence.
    pub(crate) fn close_sequence(&mut self) -> SequenceId {
        let id = self.open.pop().unwrap_or(SequenceId(0));
        let sequence = self.sequence_mut(id);
        sequence.extent = sequence.last;
        id
    }

    /// The innermost open sequence.
    pub(crate) fn current(&self) -> SequenceId {
        self.open.last().copied().unwrap_or(SequenceId(0))
    }

    pub(crate) fn add_label(&mut self, label: Label) {
        let number = self.labels.len();
        self.by_element.entry(label.element).or_default().push(number);
        self.by_name.entry(label.name.clone()).or_default().push(number);
        self.by_scope.entry((label.name.clone(), label.scope)).or_default().push(number);
        self.labels.push(label);
    }

    /// Labels of an element, in the order in which they were set.
    pub(crate) fn labels_of(&self, id: ElementId) -> impl DoubleEndedIterator<Item = &Label> {
        self.by_element.get(&id).into_iter().flatten().map(|&i| &self.labels[i])
    }

    /// Labels of this name.
    pub(crate) fn labels_named(&self, name: &str) -> impl DoubleEndedIterator<Item = &Label> {
        self.by_name.get(name).into_iter().flatten().map(|&i| &self.labels[i])
    }

    /// Positions of the labels of this name in this very scope, in text order.
    pub(crate) fn labels_in(&self, name: &Rc<str>, scope: ScopeId) -> &[usize] {
        self.by_scope.get(&(name.clone(), scope)).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn has_label(&self, id: ElementId) -> bool {
        self.by_element.get(&id).is_some_and(|list| !list.is_empty())
    }

    pub(crate) fn add_symbol(&mut self, symbol: LabelSymbol) -> usize {
        let number = self.symbols.len();
        self.symbols_by_scope.insert((symbol.name.clone(), symbol.scope), number);
        self.symbols.push(symbol);
        number
    }

    /// The symbol of this name in this very scope.
    pub(crate) fn symbol_in(&self, name: &Rc<str>, scope: ScopeId) -> Option<usize> {
        self.symbols_by_scope.get(&(name.clone(), scope)).copied()
    }

    /// Whether an element is an `else`, or a d_step that opens with one.
    pub(crate) fn opens_with_else(&self, id: ElementId) -> bool {
        let mut at = Some(id);
        for _ in 0..crate::hunt::MAX_HOPS {
            let Some(id) = at else { return false };
            at = match &self.element(id).what {
                What::Step(_, class) => return *class == Class::Else,
                What::Nested(Nesting::DStep | Nesting::Block, inner) => self.sequence(*inner).first,
                _ => return false,
            };
        }
        false
    }

    /// A label that means something to the search.
    pub(crate) fn has_special_label(&self, id: ElementId) -> bool {
        self.labels_of(id).any(|l| is_special(&l.name))
    }

    /// Appends an element to a sequence. A goto with a special label gets a skip in front that
    /// takes its label.
    pub(crate) fn append(&mut self, id: ElementId, to: SequenceId) {
        if matches!(self.element(id).what, What::Goto(_)) && self.has_special_label(id) {
            let (statement, span, d_step) = {
                let e = self.element(id);
                (e.statement, e.span, e.d_step)
            };
            let what = What::Step(Action::Skip, Class::Skip);
            let skip = self.create(what, statement, span, d_step);
            if let Some(last) = self.by_element.get_mut(&id).and_then(Vec::pop) {
                self.labels[last].element = skip;
                self.by_element.entry(skip).or_default().push(last);
            }
            self.append_plain(skip, to);
        }
        self.append_plain(id, to);
    }

    fn append_plain(&mut self, id: ElementId, to: SequenceId) {
        let sequence = self.sequence_mut(to);
        match sequence.last.replace(id) {
            Some(last) => self.element_mut(last).next = Some(id),
            None => sequence.first = Some(id),
        }
    }

    /// A remote reference leads here: a goto becomes a skip with the goto behind it.
    pub(crate) fn refer_to(&mut self, id: ElementId) {
        let element = self.element(id);
        if !matches!(element.what, What::Goto(_)) {
            return;
        }
        let copy = element.clone();
        let goto = self.create(copy.what, copy.statement, copy.span, copy.d_step);
        self.element_mut(goto).next = copy.next;
        let element = self.element_mut(id);
        element.what = What::Step(Action::Skip, Class::Skip);
        element.next = Some(goto);
    }
}

/// Whether a label means something to the search: only the beginning counts.
pub(crate) fn is_special(name: &str) -> bool {
    name.starts_with("end") || name.starts_with("progress") || name.starts_with("accept")
}
