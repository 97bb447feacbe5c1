//! From parsed statements to elements: choices, escapes and labels find their places.

use crate::flow::{ATOMIC, Class, D_STEP, ElementId, Jump, LoopId, Nesting, SequenceId, What};
use crate::lowering::Lowering;
use promenade_base::{Diagnostic, Span};
use promenade_ir::{Action, StatementId};
use promenade_promela_syntax::ast::Name;

/// A statement that is parsed but not yet placed.
pub(crate) enum Node {
    Step {
        action: Action,
        class: Class,
        statement: StatementId,
        span: Span,
    },
    Goto {
        jump: Jump,
        statement: StatementId,
        span: Span,
    },
    /// The head is what stands for the whole: `if`, `do`, `for`, a whole `select`.
    Choice {
        options: Vec<SequenceId>,
        looping: Option<LoopId>,
        span: Span,
        head: Span,
    },
    Unless {
        main: SequenceId,
        escape: SequenceId,
        span: Span,
    },
    Nested {
        kind: Nesting,
        sequence: SequenceId,
        span: Span,
    },
    Labelled {
        name: Name,
        symbol: usize,
        node: Box<Node>,
    },
}

/// The first bytes of a place, such as its keyword.
pub(crate) fn leading(span: Span, bytes: u32) -> Span {
    Span::new(span.file, span.start, (span.start + bytes).min(span.end))
}

/// Which construct a sequence belongs to: where labels on its first element are misplaced.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    Escape,
    Main,
    Atomic,
    DStep,
    Block,
    Option,
    Other,
}

impl Lowering<'_> {
    /// Creates the element of a basic statement in the open sequence.
    pub(crate) fn add_step(
        &mut self,
        action: Action,
        class: Class,
        statement: StatementId,
        span: Span,
    ) {
        self.add(Node::Step { action, class, statement, span });
    }

    fn create(&mut self, what: What, statement: StatementId, span: Span) -> ElementId {
        let d_step = self.body.d_step;
        self.body.flow.create(what, statement, span, d_step)
    }

    /// Places a node at the end of the open sequence.
    pub(crate) fn add(&mut self, node: Node) {
        let mut labels = Vec::new();
        let mut node = node;
        while let Node::Labelled { name, symbol, node: inner } = node {
            labels.push((name, symbol));
            node = *inner;
        }
        let placed = matches!(node, Node::Choice { .. } | Node::Unless { .. });
        let element = match node {
            Node::Step { action, class, statement, span } => {
                self.create(What::Step(action, class), statement, span)
            }
            Node::Goto { jump, statement, span } => self.create(What::Goto(jump), statement, span),
            Node::Nested { kind, sequence, span } => {
                let statement = self.statement_id(span, nesting_text(kind));
                self.create(What::Nested(kind, sequence), statement, span)
            }
            Node::Choice { options, looping, span, head } => {
                self.choice(options, looping, span, head)
            }
            Node::Unless { main, escape, span } => self.unless(main, escape, span),
            Node::Labelled { .. } => return,
        };
        for (name, symbol) in labels.into_iter().rev() {
            self.set_label(&name, symbol, element);
        }
        if !placed {
            let current = self.body.flow.current();
            self.body.flow.append(element, current);
        }
    }

    fn set_label(&mut self, name: &Name, symbol: usize, element: ElementId) {
        let inline = self.body.inlines.last().map_or(0, |call| call.0);
        let flow = &mut self.body.flow;
        let scope = flow.symbols[symbol].scope;
        let twice = flow.labels_named(&name.text).find(|l| l.scope == scope && l.inline == inline);
        if let Some(first) = twice {
            let diagnostic = Diagnostic::error(
                "duplicate-label",
                name.span,
                format!("label `{}` is defined twice", name.text),
            );
            self.out.report(diagnostic.with_related(first.span, "first defined here"));
        }
        let label =
            crate::flow::Label { name: name.text.clone(), scope, element, span: name.span, inline };
        flow.add_label(label);
    }

    /// `if` and `do`: the head, the point where the branches meet, and for loops their exit.
    fn choice(
        &mut self,
        mut options: Vec<SequenceId>,
        looping: Option<LoopId>,
        span: Span,
        shown: Span,
    ) -> ElementId {
        self.move_else(&mut options);
        let end = Span::new(span.file, span.end.saturating_sub(2).max(span.start), span.end);
        let text = if looping.is_some() { "od" } else { "fi" };
        let statement = self.statement_id(end, text);
        let what =
            What::Choice { options: options.clone(), is_loop: looping.is_some(), head: shown };
        let head = self.create(what, statement, span);
        let join = self.create(What::Join, statement, end);
        for &option in &options {
            self.body.flow.append(join, option);
        }
        let current = self.body.flow.current();
        let Some(id) = looping else {
            self.body.flow.append(head, current);
            self.body.flow.append(join, current);
            return head;
        };
        self.body.flow.append(join, current);
        let exit = self.create(What::Exit, statement, end);
        let flow = &mut self.body.flow;
        flow.exits[id.0 as usize] = Some(exit);
        flow.breaks.pop();
        flow.append(head, current);
        flow.append(exit, current);
        head
    }

    /// An `else` option goes to the end of its choice.
    fn move_else(&mut self, options: &mut Vec<SequenceId>) {
        let flow = &self.body.flow;
        let class = |option: &SequenceId| {
            let first = flow.sequence(*option).first?;
            match &flow.element(first).what {
                What::Step(_, class) => Some((*class, flow.element(first).span)),
                _ => None,
            }
        };
        let is_else = |o: &SequenceId| matches!(class(o), Some((Class::Else, _)));
        let found: Vec<usize> = (0..options.len()).filter(|&i| is_else(&options[i])).collect();
        let Some(&first) = found.first() else { return };
        let spans: Vec<Span> =
            found.iter().filter_map(|&i| class(&options[i])).map(|c| c.1).collect();
        let talks = options.iter().any(|o| {
            let Some(first) = flow.sequence(*o).first else { return false };
            match &flow.element(first).what {
                What::Step(_, Class::Send | Class::Receive) => true,
                What::Step(Action::Condition(e), _) => tests_channel(e),
                _ => false,
            }
        });
        let moved = options.remove(first);
        options.push(moved);
        if let [first, second, ..] = spans.as_slice() {
            let diagnostic =
                Diagnostic::error("duplicate-else", *second, "the choice has two `else` options");
            self.out.report(diagnostic.with_related(*first, "the other one"));
        } else if talks && let Some(&span) = spans.first() {
            self.out.warning(
                "else-with-channels",
                span,
                "this `else` stands beside channel operations",
                "It is taken whenever they are not possible now, even if they soon will be.",
            );
        }
    }

    /// `main unless escape`
    fn unless(&mut self, main: SequenceId, escape: SequenceId, span: Span) -> ElementId {
        let statement = self.statement_id(span, "unless");
        let head = self.create(What::Unless { main, escape }, statement, span);
        let end = Span::new(span.file, span.end, span.end);
        let join = self.create(What::Join, statement, end);
        self.body.flow.append(join, main);
        self.body.flow.append(join, escape);
        self.body.flow.attach_escape(main, escape);
        let current = self.body.flow.current();
        self.body.flow.append(head, current);
        self.body.flow.append(join, current);
        head
    }

    /// Opens a sequence inside a body.
    pub(crate) fn open_sequence(&mut self) {
        self.body.flow.open_sequence();
        self.body.early = false;
    }

    /// Closes the innermost sequence. `span` is used where it is empty after an error.
    pub(crate) fn close_sequence(&mut self, owner: Owner, span: Span) -> SequenceId {
        let current = self.body.flow.current();
        match self.body.flow.sequence(current).first {
            None => {
                if self.out.errors() == 0 {
                    self.out.error_hint(
                        "empty-sequence",
                        span,
                        "there is no statement here",
                        "Write `skip` where nothing is to be done.",
                    );
                }
                let statement = self.statement_id(span, "skip");
                self.add_step(Action::Skip, Class::Skip, statement, span);
            }
            Some(first) if owner != Owner::Other => self.check_first_label(first, owner),
            Some(_) => {}
        }
        self.body.flow.close_sequence()
    }

    /// A label on the first statement of a block has no state of its own.
    fn check_first_label(&mut self, first: ElementId, owner: Owner) {
        let Some(label) = self.body.flow.labels_of(first).next() else {
            return;
        };
        let (name, span) = (label.name.clone(), label.span);
        let hint = match owner {
            Owner::Escape => "The first statement of an escape cannot be a target of jumps.".into(),
            Owner::Main => format!("Write `{name}: {{ .. unless .. }}`."),
            Owner::Atomic => format!("Write `{name}: atomic {{ .. }}`."),
            Owner::DStep => format!("Write `{name}: d_step {{ .. }}`."),
            Owner::Block => format!("Write `{name}: {{ .. }}`."),
            Owner::Option | Owner::Other => {
                let hint = if crate::flow::is_special(&name) {
                    "Here it marks the point behind this statement; put it in front of the choice."
                } else {
                    "A choice has no state of its own for each option; put it in front of the \
                     choice."
                };
                self.out.warning(
                    "misplaced-label",
                    span,
                    format!("label `{name}` stands on the first statement of an option"),
                    hint,
                );
                return;
            }
        };
        self.out.error_hint(
            "misplaced-label",
            span,
            format!("label `{name}` cannot stand on the first statement of a block"),
            hint,
        );
    }

    /// Removes skips that follow another skip-like statement in an option, except the last one.
    pub(crate) fn prune_option(&mut self, option: SequenceId) {
        let flow = &mut self.body.flow;
        let sequence = flow.sequence(option);
        let mut count = 0;
        let mut previous: Option<ElementId> = None;
        let mut at = sequence.first;
        while let Some(id) = at {
            let element = flow.element(id);
            let next = element.next;
            let class = match &element.what {
                What::Step(_, class) => Some(*class),
                _ => None,
            };
            let skips = matches!(class, Some(Class::Skip | Class::Print)) && !flow.has_label(id);
            at = next;
            if !skips {
                count = 0;
                previous = Some(id);
                continue;
            }
            count += 1;
            let ends = sequence.last == Some(id) || sequence.first == Some(id);
            match previous {
                Some(before) if count > 1 && class == Some(Class::Skip) && !ends => {
                    flow.element_mut(before).next = next;
                }
                _ => previous = Some(id),
            }
        }
    }

    /// Marks a closed sequence as atomic or as a d_step.
    pub(crate) fn make_atomic(&mut self, sequence: SequenceId, d_step: bool) {
        let added = if d_step { ATOMIC | D_STEP } else { ATOMIC };
        self.body.flow.make_atomic(sequence, added);
    }
}

/// Whether a condition tests a channel.
fn tests_channel(e: &promenade_ir::Expr) -> bool {
    use promenade_ir::Expr as E;
    match e {
        E::ChannelTest(..) => true,
        E::And(a, b) | E::Or(a, b) => tests_channel(a) || tests_channel(b),
        _ => false,
    }
}

fn nesting_text(kind: Nesting) -> &'static str {
    match kind {
        Nesting::Block => "{ .. }",
        Nesting::Atomic => "atomic { .. }",
        Nesting::DStep => "d_step { .. }",
    }
}
