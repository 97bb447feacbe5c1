//! Statements: what they do and how they nest.

use crate::body::BodyKind;
use crate::flow::{Class, Jump, LabelSymbol, LoopId, Nesting};
use crate::lowering::{Lowering, RunCall};
use crate::nodes::{Node, Owner, leading};
use crate::reference::Referent;
use crate::report::suggest;
use crate::text;
use crate::types::Ty;
use promenade_base::{Diagnostic, Span};
use promenade_ir::{Action, BinaryOp, Expr, Place};
use promenade_promela_syntax::ast::{
    self, ExprKind, Name, Sequence, Statement, StatementKind, VarRef,
};

impl Lowering<'_> {
    /// The statements of a sequence, placed in the open one.
    pub(crate) fn statements(&mut self, sequence: &Sequence) {
        for statement in &sequence.statements {
            if let Some(node) = self.statement(statement) {
                self.place(node);
            }
        }
    }

    /// Places a node, and the loop that belongs to a large `select`.
    pub(crate) fn place(&mut self, node: Node) {
        self.add(node);
        if let Some(node) = self.trailing.take() {
            self.add(node);
        }
    }

    /// `{ .. }` in a scope of its own.
    pub(crate) fn scoped(&mut self, sequence: &Sequence) {
        self.body.scopes.enter();
        self.statements(sequence);
        self.body.scopes.leave();
    }

    /// A statement with its labels; declarations place themselves.
    pub(crate) fn statement(&mut self, statement: &Statement) -> Option<Node> {
        if let StatementKind::Unless(main, escape) = &statement.kind {
            let node = self.unless_node(&statement.labels, main, escape, statement.span);
            self.body.early = false;
            return node;
        }
        let symbols: Vec<usize> = statement.labels.iter().map(|l| self.label_symbol(l)).collect();
        let node = self.kind(&statement.kind, statement.span);
        let node = node.map(|node| labelled(&statement.labels, &symbols, node));
        let declares = matches!(
            statement.kind,
            StatementKind::Declaration(_)
                | StatementKind::Mtype(_)
                | StatementKind::ExclusiveReceive(_)
                | StatementKind::ExclusiveSend(_)
        );
        if !declares {
            self.body.early = false;
        }
        node
    }

    fn kind(&mut self, kind: &StatementKind, span: Span) -> Option<Node> {
        self.check_allowed(kind, span);
        match kind {
            StatementKind::Declaration(declaration) => {
                self.local(declaration);
                None
            }
            StatementKind::Mtype(list) => {
                self.out.error_hint(
                    "local-mtype",
                    list.span,
                    "mtype names must be declared at top level",
                    "Move the list above the process types.",
                );
                None
            }
            StatementKind::ExclusiveReceive(list) => {
                self.exclusive(list, span);
                None
            }
            StatementKind::ExclusiveSend(list) => {
                self.exclusive(list, span);
                None
            }
            StatementKind::Skip { .. } => Some(self.step(Action::Skip, Class::Skip, span, "skip")),
            StatementKind::Assign(target, value) => self.assign(target, value, span),
            StatementKind::Increment(target) => self.count(target, BinaryOp::Add, span),
            StatementKind::Decrement(target) => self.count(target, BinaryOp::Sub, span),
            StatementKind::Expr(e) => self.expression_statement(e, span),
            StatementKind::Else => Some(self.step(Action::Else, Class::Else, span, "else")),
            StatementKind::Break => self.break_node(span),
            StatementKind::Goto(label) => {
                let symbol = self.label_symbol(label);
                let statement = self.statement_id(span, format!("goto {}", label.text));
                Some(Node::Goto { jump: Jump::Label(symbol), statement, span: label.span })
            }
            StatementKind::Assert(e) => {
                let action = Action::Assert(self.expr(e));
                let text = format!("assert({})", text::expression(e));
                Some(self.step(action, Class::Other, span, text))
            }
            StatementKind::Printf(format, arguments) => {
                let action = self.printf(format, arguments, span);
                Some(self.step(action, Class::Print, span, text::printf(format, arguments)))
            }
            StatementKind::Printm(value) => {
                let action = self.printm(value);
                let text = format!("printm({})", text::expression(value));
                Some(self.step(action, Class::Print, span, text))
            }
            StatementKind::Send { channel, sorted, arguments } => {
                let action = self.send(channel, *sorted, arguments, span);
                let text = text::send(channel, *sorted, arguments);
                Some(self.step(action, Class::Send, span, text))
            }
            StatementKind::Receive { channel, random, keep, arguments } => {
                let action = self.receive(channel, *random, *keep, arguments, span);
                let text = text::receive(channel, *random, *keep, arguments);
                Some(self.step(action, Class::Receive, span, text))
            }
            StatementKind::If(options) => Some(self.options(options, None, span)),
            StatementKind::Do(options) => {
                let id = self.push_loop();
                Some(self.options(options, Some(id), span))
            }
            StatementKind::Atomic(inner) => {
                self.open_sequence();
                self.scoped(inner);
                let sequence = self.close_sequence(Owner::Atomic, inner.span);
                self.make_atomic(sequence, false);
                Some(Node::Nested { kind: Nesting::Atomic, sequence, span })
            }
            StatementKind::DStep(inner) => Some(self.d_step_node(inner, span)),
            StatementKind::Block(inner) => Some(self.block(inner, span)),
            // Taken apart by the caller; one inside another stands in a block.
            StatementKind::Unless(main, escape) => self.unless_node(&[], main, escape, span),
            StatementKind::ForRange { variable, from, to, body } => {
                self.for_range(variable, from, to, body, span)
            }
            StatementKind::ForIn { variable, container, body } => {
                self.for_in(variable, container, body, span)
            }
            StatementKind::Select { variable, from, to, in_inline } => {
                self.select(variable, from, to, *in_inline, span)
            }
            StatementKind::InlineCall { result, body, .. } => {
                self.body.early = false;
                self.body.inline_calls += 1;
                self.body.inlines.push((self.body.inline_calls, span));
                let outer = std::mem::replace(&mut self.result, result.clone());
                let node = self.block(body, span);
                self.result = outer;
                self.body.inlines.pop();
                Some(node)
            }
            StatementKind::Return(value) => {
                let target = self.result.clone()?;
                self.assign(&target, value, span)
            }
            StatementKind::SetPriority(process, priority) => {
                self.use_priority(span);
                let text = format!(
                    "set_priority({}, {})",
                    text::expression(process),
                    text::expression(priority)
                );
                let action = Action::SetPriority {
                    process: self.expr(process),
                    priority: self.expr(priority),
                };
                Some(self.step(action, Class::Other, span, text))
            }
            // Reported by the parser.
            StatementKind::CCode(_) | StatementKind::Error => {
                Some(self.step(Action::Skip, Class::Other, span, "?"))
            }
        }
    }

    /// Statements that a trace or a claim cannot have.
    fn check_allowed(&mut self, kind: &StatementKind, span: Span) {
        use StatementKind as K;
        match self.body.kind {
            BodyKind::Trace => {
                let event = matches!(
                    kind,
                    K::Send { sorted: false, .. }
                        | K::Receive { random: false, keep: false, .. }
                        | K::If(_)
                        | K::Do(_)
                        | K::Goto(_)
                        | K::Break
                        | K::Declaration(_)
                        | K::Skip { implied: true }
                        | K::Error
                        | K::CCode(_)
                );
                if !event {
                    self.out.error_hint(
                        "not-an-event",
                        span,
                        "a trace consists of sends and receives only",
                        "`if`, `do`, `goto` and `break` may arrange them.",
                    );
                }
            }
            BodyKind::Claim => match kind {
                K::Send { .. } | K::Receive { .. } => self.out.error_hint(
                    "claim-with-channels",
                    span,
                    "a never claim cannot send or receive",
                    "Test a channel with `q?[..]`, `len(q)` or `full(q)`.",
                ),
                K::Assign(..) | K::Increment(_) | K::Decrement(_) => self.out.warning(
                    "claim-with-effect",
                    span,
                    "the never claim changes a variable",
                    "A claim should only watch.",
                ),
                _ => {}
            },
            _ => {}
        }
    }

    pub(crate) fn step(
        &mut self,
        action: Action,
        class: Class,
        span: Span,
        text: impl Into<String>,
    ) -> Node {
        let statement = self.statement_id(span, text);
        Node::Step { action, class, statement, span }
    }

    fn block(&mut self, inner: &Sequence, span: Span) -> Node {
        self.open_sequence();
        self.scoped(inner);
        let sequence = self.close_sequence(Owner::Block, inner.span);
        Node::Nested { kind: Nesting::Block, sequence, span }
    }

    fn d_step_node(&mut self, inner: &Sequence, span: Span) -> Node {
        self.open_sequence();
        let outer = self.body.d_step;
        if outer.is_none() {
            self.body.d_steps += 1;
            self.body.d_step = Some(self.body.d_steps);
        }
        self.scoped(inner);
        let sequence = self.close_sequence(Owner::DStep, inner.span);
        self.body.d_step = outer;
        self.make_atomic(sequence, true);
        Node::Nested { kind: Nesting::DStep, sequence, span }
    }

    fn options(&mut self, options: &[Sequence], looping: Option<LoopId>, span: Span) -> Node {
        let mut sequences = Vec::with_capacity(options.len());
        for option in options {
            self.open_sequence();
            self.statements(option);
            sequences.push(self.close_sequence(Owner::Option, option.span));
        }
        if self.body.kind != BodyKind::Claim {
            for &option in &sequences {
                self.prune_option(option);
            }
        }
        let head = leading(span, 2);
        Node::Choice { options: sequences, looping, span, head }
    }

    /// A new innermost loop.
    pub(crate) fn push_loop(&mut self) -> LoopId {
        let flow = &mut self.body.flow;
        let id = LoopId(flow.exits.len() as u32);
        flow.exits.push(None);
        flow.breaks.push(id);
        id
    }

    fn break_node(&mut self, span: Span) -> Option<Node> {
        let Some(&id) = self.body.flow.breaks.last() else {
            self.out.error_hint(
                "misplaced-break",
                span,
                "`break` stands outside of a loop",
                "It leaves the innermost `do` or `for`; use `goto` to jump elsewhere.",
            );
            return None;
        };
        let statement = self.statement_id(span, "break");
        Some(Node::Goto { jump: Jump::Out(id), statement, span })
    }

    /// `main unless escape`, with the labels in front.
    fn unless_node(
        &mut self,
        labels: &[Name],
        main: &Statement,
        escape: &Statement,
        span: Span,
    ) -> Option<Node> {
        let all: Vec<&Name> = labels.iter().chain(&main.labels).collect();
        let symbols: Vec<usize> = all.iter().map(|l| self.label_symbol(l)).collect();
        let names: Vec<Name> = all.into_iter().cloned().collect();
        let main_node = self.kind(&main.kind, main.span);
        self.body.early = false;
        // A `break` in the escape leaves the loop around.
        let looping = matches!(main_node, Some(Node::Choice { looping: Some(_), .. }));
        let held = if looping && names.is_empty() { self.body.flow.breaks.pop() } else { None };
        let escape_node = self.statement(escape);
        self.body.flow.breaks.extend(held);
        let (main_node, escape_node) = (main_node?, escape_node?);
        let escape_sequence = match escape_node {
            Node::Nested { kind: Nesting::Block, sequence, .. } => sequence,
            node => {
                self.open_sequence();
                self.place(node);
                self.close_sequence(Owner::Escape, escape.span)
            }
        };
        match main_node {
            Node::Nested { kind: Nesting::Block, sequence, .. } if names.is_empty() => {
                Some(Node::Unless { main: sequence, escape: escape_sequence, span })
            }
            Node::Nested { kind, sequence, .. } if names.len() == 1 => {
                self.open_sequence();
                self.add(Node::Unless { main: sequence, escape: escape_sequence, span });
                let outer = self.close_sequence(Owner::Other, span);
                let node = Node::Nested { kind, sequence: outer, span };
                Some(labelled(&names, &symbols, node))
            }
            node => {
                self.open_sequence();
                self.place(labelled(&names, &symbols, node));
                let main = self.close_sequence(Owner::Main, main.span);
                Some(Node::Unless { main, escape: escape_sequence, span })
            }
        }
    }

    /// The symbol of a label: the nearest one around, or a new one.
    pub(crate) fn label_symbol(&mut self, name: &Name) -> usize {
        let scope = self.body.scopes.current();
        let scopes = &self.body.scopes;
        let flow = &self.body.flow;
        let known =
            flow.symbols_named(&name.text).find(|&s| scopes.within(scope, flow.symbols[s].scope));
        if let Some(known) = known {
            return known;
        }
        if let Some(other) = self.find(&name.text) {
            let diagnostic = Diagnostic::error(
                "label-name",
                name.span,
                format!("`{}` is {} and cannot be a label", name.text, other.symbol.describe()),
            );
            let diagnostic = diagnostic.with_related(other.span, "declared here");
            self.out.report(diagnostic);
        }
        self.body.flow.add_symbol(LabelSymbol { name: name.text.clone(), scope })
    }

    /// The cell that is assigned; `Ok(None)` is `_`.
    pub(crate) fn target(&mut self, r: &VarRef) -> Option<Option<crate::reference::Cell>> {
        match self.resolve(r)? {
            Referent::Nothing => Some(None),
            Referent::Priority => {
                self.out.error_hint(
                    "read-only",
                    r.span,
                    "`_priority` cannot be assigned",
                    "Use `set_priority(_pid, ..)`.",
                );
                None
            }
            Referent::Pid | Referent::NrPr | Referent::Last => {
                self.read_only(r);
                None
            }
            Referent::Mtype(_) => {
                self.out.error(
                    "not-a-variable",
                    r.span,
                    format!("`{}` is an mtype name, not a variable", text::reference(r)),
                );
                None
            }
            Referent::Cell(cell) => {
                if let Ty::Struct(index) = cell.shape.ty {
                    self.whole_structure(r, index);
                    return None;
                }
                Some(Some(cell))
            }
        }
    }

    fn assign(&mut self, target: &VarRef, value: &ast::Expr, span: Span) -> Option<Node> {
        let text = format!("{} = {}", text::reference(target), text::expression(value));
        if text::reference(target) == "_priority" && !matches!(value.kind, ExprKind::Run { .. }) {
            self.use_priority(target.span);
            let priority = self.expr(value);
            let action = Action::SetPriority { process: Expr::Pid, priority };
            return Some(self.step(action, Class::Other, span, text));
        }
        let cell = self.target(target);
        if let ExprKind::Run { name, arguments, priority } = &value.kind {
            let place = cell.flatten().map(|c| c.place);
            let action = self.run(name, arguments, priority.as_deref(), place, value.span)?;
            return Some(self.step(action, Class::Other, span, text));
        }
        if let Some(Some(cell)) = &cell {
            let shape = cell.shape.clone();
            self.check_assigned(value, &shape, &text::reference(target), target.span);
        }
        let value = self.expr(value);
        let place = cell?.map(|c| c.place);
        Some(self.step(Action::Assign { target: place, value }, Class::Other, span, text))
    }

    fn count(&mut self, target: &VarRef, op: BinaryOp, span: Span) -> Option<Node> {
        if text::reference(target) == "_priority" {
            self.use_priority(target.span);
            let (one, own) = (Box::new(Expr::Const(1)), Box::new(Expr::Priority));
            let priority = Expr::Binary(op, own, one);
            let action = Action::SetPriority { process: Expr::Pid, priority };
            let sign = if op == BinaryOp::Add { "++" } else { "--" };
            return Some(self.step(action, Class::Other, span, format!("_priority{sign}")));
        }
        let cell = self.target(target)?;
        let name = text::reference(target);
        let Some(cell) = cell else {
            self.read_nothing(target.span);
            return None;
        };
        if cell.shape.ty.is_chan() {
            self.out.error_hint(
                "channel-arithmetic",
                target.span,
                format!("`{name}` is a channel, not a number"),
                "Channels can be compared, sent and assigned, not calculated with.",
            );
            return None;
        }
        if cell.shape.bits.is_some() {
            self.warn_of_bytes(&name, target.span);
        }
        let sign = if op == BinaryOp::Add { "++" } else { "--" };
        let action = step_by_one(cell.place, op);
        Some(self.step(action, Class::Other, span, format!("{name}{sign}")))
    }

    fn read_nothing(&mut self, span: Span) {
        self.out.error_hint(
            "read-of-nothing",
            span,
            "`_` has no value",
            "It can only be assigned and received into.",
        );
    }

    fn expression_statement(&mut self, e: &ast::Expr, span: Span) -> Option<Node> {
        if matches!(e.kind, ExprKind::Error | ExprKind::CExpr(_)) {
            return None;
        }
        if let ExprKind::Run { name, arguments, priority } = &e.kind {
            let action = self.run(name, arguments, priority.as_deref(), None, e.span)?;
            return Some(self.step(action, Class::Condition, span, text::expression(e)));
        }
        let value = self.expr(e);
        let text = text::condition(e);
        // Only what is written as a constant counts as a skip, not what is equal to one.
        let written = matches!(e.kind, ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Var(_));
        let class = match &value {
            Expr::Const(1) if written => Class::Skip,
            Expr::Const(0) if written => Class::False,
            _ => Class::Condition,
        };
        let action = if class == Class::Skip { Action::Skip } else { Action::Condition(value) };
        Some(self.step(action, class, span, text))
    }

    /// `run P(arguments)`
    fn run(
        &mut self,
        name: &Name,
        arguments: &[ast::Expr],
        priority: Option<&ast::Expr>,
        target: Option<Place>,
        span: Span,
    ) -> Option<Action> {
        if self.body.d_step.is_some() {
            self.out.error_hint(
                "run-in-d-step",
                span,
                "`run` cannot stand in a d_step",
                "Use `atomic` instead.",
            );
        }
        if !self.body.is_process() {
            self.out.error("misplaced-run", span, "only a process can start a process");
        }
        let values = self.values(arguments);
        let priority = match priority {
            None => None,
            Some(e) => {
                self.use_priority(e.span);
                let value = self.constant(e, "a priority")?;
                self.priority_value(value.max(1), e.span).map(|p| Expr::Const(i32::from(p)))
            }
        };
        let Some(&proctype) = self.proctype_ids.get(&name.text) else {
            let mut diagnostic = Diagnostic::error(
                "unknown-proctype",
                name.span,
                format!("there is no process type `{}`", name.text),
            );
            if let Some(close) = suggest(&name.text, self.proctype_ids.keys().map(|k| &**k)) {
                diagnostic = diagnostic.with_hint(format!("Did you mean `{close}`?"));
            }
            self.out.report(diagnostic);
            return None;
        };
        self.uses.runs.push(RunCall { proctype, arguments: values.len(), span });
        Some(Action::Run { proctype, arguments: values, priority, target })
    }

    /// A priority in range.
    pub(crate) fn priority_value(&mut self, value: i32, span: Span) -> Option<u8> {
        match u8::try_from(value) {
            Ok(priority) if priority > 0 => Some(priority),
            _ => {
                self.out.error(
                    "priority-range",
                    span,
                    format!("a priority is a number from 1 to 255, not {value}"),
                );
                None
            }
        }
    }
}

/// Wraps labels around a node, the first one outermost.
fn labelled(names: &[Name], symbols: &[usize], node: Node) -> Node {
    names.iter().zip(symbols).rev().fold(node, |node, (name, &symbol)| Node::Labelled {
        name: name.clone(),
        symbol,
        node: Box::new(node),
    })
}

/// `place = place + 1`
pub(crate) fn step_by_one(place: Place, op: BinaryOp) -> Action {
    let value = Expr::Binary(op, Box::new(Expr::Load(place.clone())), Box::new(Expr::Const(1)));
    Action::Assign { target: Some(place), value }
}
