//! Statements to elements.

use crate::declare::Owner;
use crate::elements::{ElementId, Kind, Link};
use crate::graph::NO_STATEMENT;
use crate::lower::{Inside, Lower, Symbol};
use crate::text;
use crate::types::Type;
use promenade_base::Span;
use promenade_ir::{
    Action, BinaryOp, Expr, Pattern, Place, Print, PrintPart, ScalarType, TraceEvent,
};
use promenade_promela_syntax::ast::{self, ExprKind, Sequence, Statement, StatementKind as S};
use std::rc::Rc;

/// Whether a label may stand in front of a statement here.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum First {
    No,
    OfBlock,
    OfOption,
}

impl Lower<'_> {
    pub fn add(&mut self, kind: Kind, span: Span, text: String) -> ElementId {
        let statement = self.statement(span, text);
        self.body.elements.add(kind, statement, span)
    }

    pub fn step(&mut self, action: Action, span: Span, text: impl Into<String>) -> ElementId {
        self.add(Kind::Basic(action), span, text.into())
    }

    pub fn link(&mut self, from: ElementId, link: Link) {
        self.body.elements.list[from].next = link;
    }

    pub fn link_chain(&mut self, chain: &[ElementId]) {
        for pair in chain.windows(2) {
            self.link(pair[0], Link::To(pair[1]));
        }
    }

    /// The elements of a body's top level; declarations at its start cost no step.
    pub fn body_chain(&mut self, sequence: &Sequence) -> Vec<ElementId> {
        let head = sequence
            .statements
            .iter()
            .take_while(|s| {
                matches!(s.kind, S::Declaration(_) | S::ExclusiveReceive(_) | S::ExclusiveSend(_))
            })
            .count();
        for statement in &sequence.statements[..head] {
            match &statement.kind {
                S::Declaration(d) => self.declaration(d, Owner::Body),
                _ => self.exclusive(statement),
            }
        }
        self.chain(&sequence.statements[head..], First::No)
    }

    fn exclusive(&mut self, statement: &Statement) {
        self.warn(
            "exclusive-channel",
            statement.span,
            "`xr` and `xs` are not used by this search",
            "They promise who uses a channel and only help a reduction.",
        );
    }

    pub fn chain(&mut self, statements: &[Statement], first: First) -> Vec<ElementId> {
        let mut chain = Vec::new();
        for (i, statement) in statements.iter().enumerate() {
            let position = if i == 0 { first } else { First::No };
            let mut made = self.labelled(statement, position);
            chain.append(&mut made);
        }
        self.link_chain(&chain);
        chain
    }

    /// A block's elements with a scope of its own; never empty.
    pub fn block_chain(&mut self, sequence: &Sequence) -> Vec<ElementId> {
        self.scopes.push(Default::default());
        let mut chain = self.chain(&sequence.statements, First::OfBlock);
        self.scopes.pop();
        if chain.is_empty() {
            chain.push(self.step(Action::Skip, sequence.span, "skip"));
        }
        chain
    }

    /// Wraps a chain into a block element; the chain's last goes on behind it.
    pub fn block(&mut self, chain: &[ElementId], span: Span) -> ElementId {
        let block = self.body.elements.add(Kind::Block(chain[0]), NO_STATEMENT, span);
        self.link(chain[chain.len() - 1], Link::After(block));
        block
    }

    fn option_chain(&mut self, option: &Sequence) -> Vec<ElementId> {
        let statements = remove_redundant_skips(&option.statements, self.inside);
        let mut chain = self.chain(&statements, First::OfOption);
        if chain.is_empty() {
            chain.push(self.step(Action::Skip, option.span, "skip"));
        }
        chain
    }

    fn labelled(&mut self, statement: &Statement, first: First) -> Vec<ElementId> {
        let start = self.body.elements.list.len();
        let mut made = self.statement_elements(statement);
        let Some(label) = statement.labels.first() else { return made };
        match first {
            First::OfBlock => self.error_hint(
                "misplaced-label",
                label.span,
                format!("label `{}` on the first statement of a block", label.text),
                "Put the label in front of the block.",
            ),
            First::OfOption => self.warn(
                "misplaced-label",
                label.span,
                format!("label `{}` on the first statement of an option", label.text),
                "As in SPIN, an end, progress or accept label here marks the point after the statement.",
            ),
            First::No => {}
        }
        let special = statement.labels.iter().any(|l| {
            ["end", "progress", "accept"].iter().any(|p| l.text.starts_with(p))
                || self.remote_labels.contains(&l.text)
        });
        if special && matches!(statement.kind, S::Goto(_)) {
            let skip = self.step(Action::Skip, label.span, "skip");
            self.link(skip, Link::To(made[0]));
            made.insert(0, skip);
        }
        let Some(&target) = made.first() else { return made };
        debug_assert!(target >= start);
        for label in &statement.labels {
            let scope = self.body.scope;
            let name: Rc<str> = label.text.clone();
            if self.body.elements.labels.iter().any(|l| l.0 == scope && l.1 == name) {
                self.error("duplicate-label", label.span, format!("label `{name}` is used twice"));
                continue;
            }
            self.body.elements.labels.push((scope, name.clone(), target, label.span));
            self.body.elements.list[target].labels.push(name);
        }
        made
    }

    fn statement_elements(&mut self, statement: &Statement) -> Vec<ElementId> {
        let span = statement.span;
        let one = match &statement.kind {
            S::Declaration(d) => return self.late_declaration(d),
            S::Mtype(list) => {
                self.error("local-mtype", list.span, "an mtype list must be global");
                return Vec::new();
            }
            S::ExclusiveReceive(_) | S::ExclusiveSend(_) => {
                self.exclusive(statement);
                return Vec::new();
            }
            S::Skip { implied } => {
                self.step(Action::Skip, span, if *implied { "" } else { "skip" })
            }
            S::Assign(target, value) => self.assign(target, value, span),
            S::Increment(v) => self.count(v, BinaryOp::Add, span),
            S::Decrement(v) => self.count(v, BinaryOp::Sub, span),
            S::Expr(e) => self.condition(e, span),
            S::Else => self.step(Action::Else, span, "else"),
            S::Break => {
                if self.body.breaks.last().is_none_or(Option::is_none) {
                    let d_step =
                        self.body.d_steps > 0 && self.body.breaks.iter().any(Option::is_some);
                    let message = if d_step {
                        "`break` out of a `d_step`"
                    } else {
                        "`break` outside of a loop"
                    };
                    self.error("misplaced-break", span, message);
                    return vec![self.step(Action::Skip, span, "break")];
                }
                let target = self.body.breaks.last().copied().flatten();
                let id = self.add(Kind::Break, span, "break".into());
                self.body.jumps.push((id, target));
                id
            }
            S::Goto(label) => {
                let kind = Kind::Goto {
                    label: label.text.clone(),
                    scope: self.body.scope,
                    span: label.span,
                };
                self.add(kind, span, format!("goto {}", label.text))
            }
            S::Assert(e) => {
                let value = self.expr(e);
                self.step(Action::Assert(value), span, format!("assert({})", text::expr(e)))
            }
            S::Printf(format, arguments) => {
                let print = self.printf(format, arguments, span);
                self.step(Action::Print(print), span, format!("printf(\"{format}\")"))
            }
            S::Printm(e) => {
                let value = self.expr(e);
                let print = Print { parts: vec![PrintPart::Symbol(value)] };
                self.step(Action::Print(print), span, format!("printm({})", text::expr(e)))
            }
            S::Send { channel, sorted, arguments } => self.send(channel, *sorted, arguments, span),
            S::Receive { channel, random, keep, arguments } => {
                let mark = if *random { "??" } else { "?" };
                let fields = text::receive(arguments);
                let line = match keep {
                    true => format!("{}{mark}<{fields}>", text::var(channel)),
                    false => format!("{}{mark}{fields}", text::var(channel)),
                };
                if self.inside == Inside::Claim {
                    self.error("claim-io", span, "a never claim cannot send or receive");
                }
                let target = self.channel(channel);
                let patterns = self.patterns(arguments, self.inside == Inside::Trace);
                if self.inside == Inside::Trace {
                    return vec![self.event(target, false, patterns, span, line)];
                }
                let action =
                    Action::Receive { channel: target, random: *random, keep: *keep, patterns };
                self.step(action, span, line)
            }
            S::If(options) => return self.choice(options, span, false),
            S::Do(options) => return self.choice(options, span, true),
            S::Atomic(body) => {
                let start = self.body.elements.list.len();
                let chain = self.block_chain(body);
                let last = chain[chain.len() - 1];
                let range = start..self.body.elements.list.len();
                let block = self.block(&chain, span);
                self.body.elements.make_atomic(range, last);
                self.body.elements.list[block].atomic = false;
                block
            }
            S::DStep(body) => self.d_step(body, span),
            S::Block(body) => {
                let chain = self.block_chain(body);
                self.block(&chain, span)
            }
            S::Unless(main, escape) => self.unless(main, escape, span),
            S::ForRange { variable, from, to, body } => {
                self.for_range(variable, from, to, body, span)
            }
            S::ForIn { variable, container, body } => self.for_in(variable, container, body, span),
            S::Select { variable, from, to, in_inline } => {
                return self.select(variable, from, to, *in_inline, span);
            }
            S::InlineCall { name: _, result, body } => {
                let outer = self.body.scope;
                self.body.elements.scopes.push(Some(outer));
                self.body.scope = self.body.elements.scopes.len() - 1;
                self.body.results.push(result.clone());
                let chain = self.block_chain(body);
                self.body.results.pop();
                self.body.scope = outer;
                self.block(&chain, span)
            }
            S::Return(e) => match self.body.results.last().cloned().flatten() {
                Some(target) => self.assign(&target, e, span),
                None => {
                    self.error("misplaced-return", span, "`return` without a target for its value");
                    return Vec::new();
                }
            },
            S::SetPriority(process, priority) => {
                self.model.uses_priorities = true;
                let line =
                    format!("set_priority({},{})", text::expr(process), text::expr(priority));
                let (process, priority) = (self.expr(process), self.expr(priority));
                self.step(Action::SetPriority { process, priority }, span, line)
            }
            S::CCode(_) | S::Error => return Vec::new(),
        };
        vec![one]
    }

    fn late_declaration(&mut self, d: &ast::Declaration) -> Vec<ElementId> {
        let mut made = Vec::new();
        for declarator in &d.declarators {
            let Some(info) = self.allocate(d, declarator, Owner::Body, false) else { continue };
            let name = &declarator.name;
            let mut value = Expr::Const(0);
            let mut shown = "0".to_owned();
            match &declarator.initializer {
                None => {}
                Some(ast::Initializer::Value(e)) => {
                    value = self.expr(e);
                    shown = text::expr(e);
                }
                Some(ast::Initializer::List(_, span)) => {
                    self.error(
                        "late-list",
                        *span,
                        "a list of initial values after the first statement",
                    );
                }
                Some(ast::Initializer::Channel { span, .. }) => {
                    self.error_hint(
                        "late-channel",
                        *span,
                        format!("channel `{}` is created after the first statement", name.text),
                        "Move the declaration to the start of the body.",
                    );
                }
            }
            self.declare(name, Symbol::Variable(info.clone()));
            let place = Place {
                region: info.region,
                offset: info.offset,
                ty: ScalarType::Byte,
                indices: Vec::new(),
            };
            let action = match info.ty {
                Type::Scalar(ty) => {
                    if info.length.is_some() {
                        self.warn(
                            "late-array",
                            name.span,
                            format!("only the first element of `{}` is set here", name.text),
                            "As in SPIN; declare the array at the start of the body.",
                        );
                    }
                    Action::Assign { target: Some(Place { ty, ..place }), value }
                }
                Type::Struct(_) => {
                    self.warn(
                        "late-structure",
                        name.span,
                        format!("`{}` is not reset here", name.text),
                        "As in SPIN; declare the structure at the start of the body.",
                    );
                    Action::Skip
                }
            };
            made.push(self.step(action, name.span, format!("{} = {shown}", name.text)));
        }
        made
    }

    fn target(&mut self, v: &ast::VarRef) -> Option<Option<Place>> {
        if let [segment] = &v.segments[..] {
            match &*segment.name.text {
                "_" => return Some(None),
                "_priority" => return None,
                name @ ("_pid" | "_nr_pr" | "_last") => {
                    self.error("read-only", v.span, format!("`{name}` cannot be assigned"));
                    return None;
                }
                _ => {}
            }
        }
        self.place(v).map(Some)
    }

    fn assign(&mut self, v: &ast::VarRef, value: &ast::Expr, span: Span) -> ElementId {
        let line = format!("{} = {}", text::var(v), text::expr(value));
        if let ExprKind::Run { name, arguments, priority } = &value.kind {
            let target = self.target(v).flatten();
            let action = self.run(name, arguments, priority.as_deref(), target);
            return self.step(action, span, line);
        }
        if let [segment] = &v.segments[..]
            && &*segment.name.text == "_priority"
        {
            self.model.uses_priorities = true;
            let priority = self.expr(value);
            return self.step(Action::SetPriority { process: Expr::Pid, priority }, span, line);
        }
        let target = self.target(v);
        let lowered = self.expr(value);
        let action = match target {
            Some(target) => {
                if let Some(place) = &target {
                    self.check_mtype(place.ty, value);
                }
                Action::Assign { target, value: lowered }
            }
            None => Action::Skip,
        };
        self.step(action, span, line)
    }

    fn count(&mut self, v: &ast::VarRef, op: BinaryOp, span: Span) -> ElementId {
        let sign = if op == BinaryOp::Add { "++" } else { "--" };
        let line = format!("{}{sign}", text::var(v));
        let action = match self.target(v) {
            Some(Some(place)) if place.ty == ScalarType::Chan => {
                self.error("channel-arithmetic", span, "arithmetic on a channel");
                Action::Skip
            }
            Some(Some(place)) => {
                let value =
                    Expr::Binary(op, Box::new(Expr::Load(place.clone())), Box::new(Expr::Const(1)));
                Action::Assign { target: Some(place), value }
            }
            _ => Action::Skip,
        };
        self.step(action, span, line)
    }

    fn condition(&mut self, e: &ast::Expr, span: Span) -> ElementId {
        if let ExprKind::Run { name, arguments, priority } = &e.kind {
            let action = self.run(name, arguments, priority.as_deref(), None);
            return self.step(action, span, text::expr(e));
        }
        let value = self.expr(e);
        let action = match value {
            Expr::Const(n) if n != 0 => Action::Skip,
            value => Action::Condition(value),
        };
        let line = text::expr(e);
        let line = if line.starts_with('(') && matches!(e.kind, ExprKind::Conditional(..)) {
            line
        } else {
            format!("({line})")
        };
        self.step(action, span, line)
    }

    fn run(
        &mut self,
        name: &ast::Name,
        arguments: &[ast::Expr],
        priority: Option<&ast::Expr>,
        target: Option<Place>,
    ) -> Action {
        if self.body.d_steps > 0 {
            self.error("run-in-d-step", name.span, "`run` inside a `d_step`");
        }
        let values = self.values(arguments);
        let priority = priority.map(|p| {
            self.model.uses_priorities = true;
            self.expr(p)
        });
        let Some(process) = self.processes.get(&name.text) else {
            let near = self
                .processes
                .keys()
                .find(|k| crate::expression::distance(k, &name.text) <= 2)
                .cloned();
            let message = format!("unknown proctype `{}`", name.text);
            match near {
                Some(near) => self.error_hint(
                    "unknown-proctype",
                    name.span,
                    message,
                    format!("Did you mean `{near}`?"),
                ),
                None => self.error("unknown-proctype", name.span, message),
            }
            return Action::Skip;
        };
        let id = process.id;
        self.pending_runs.push((id, values.len(), name.span));
        Action::Run { proctype: id, arguments: values, priority, target }
    }

    fn send(
        &mut self,
        channel: &ast::VarRef,
        sorted: bool,
        arguments: &[ast::Expr],
        span: Span,
    ) -> ElementId {
        let line = format!(
            "{}{}{}",
            text::var(channel),
            if sorted { "!!" } else { "!" },
            text::list(arguments)
        );
        if self.inside == Inside::Claim {
            self.error("claim-io", span, "a never claim cannot send or receive");
        }
        let target = self.channel(channel);
        if self.inside == Inside::Trace {
            let mut patterns = Vec::new();
            for argument in arguments {
                if let ExprKind::Var(v) = &argument.kind
                    && let [segment] = &v.segments[..]
                    && &*segment.name.text == "_"
                {
                    patterns.push(Pattern::Any);
                    continue;
                }
                let value = self.expr(argument);
                patterns.push(Pattern::Match(value));
            }
            return self.event(target, true, patterns, span, line);
        }
        let values = self.values(arguments);
        if values.len() > self.widest && self.widest > 0 {
            self.error(
                "too-many-fields",
                span,
                format!("{} fields, but no channel has more than {}", values.len(), self.widest),
            );
        }
        self.step(Action::Send { channel: target, sorted, arguments: values }, span, line)
    }

    fn event(
        &mut self,
        channel: Expr,
        send: bool,
        patterns: Vec<Pattern>,
        span: Span,
        line: String,
    ) -> ElementId {
        let id = self.step(Action::Skip, span, line);
        let statement = self.body.elements.list[id].statement;
        self.body.events.push((statement, TraceEvent { channel, send, patterns }));
        id
    }

    fn choice(&mut self, options: &[Sequence], span: Span, repeat: bool) -> Vec<ElementId> {
        let head = self.body.elements.add(Kind::Choice(Vec::new()), NO_STATEMENT, span);
        let join = self.body.elements.add(Kind::Join, NO_STATEMENT, span);
        if repeat {
            self.body.breaks.push(Some(join));
        }
        let mut starts = Vec::new();
        let mut last_starts = Vec::new();
        for option in options {
            if opens_with_false(option) {
                continue;
            }
            let chain = self.option_chain(option);
            let behind = if repeat { head } else { join };
            self.link(chain[chain.len() - 1], Link::To(behind));
            let is_else = matches!(option.statements.first().map(|s| &s.kind), Some(S::Else));
            if is_else { &mut last_starts } else { &mut starts }.push(chain[0]);
        }
        if repeat {
            self.body.breaks.pop();
        }
        if last_starts.len() > 1 {
            self.error("two-else", span, "two `else` in one choice");
        }
        starts.extend(last_starts);
        self.body.elements.list[head].kind = Kind::Choice(starts);
        vec![head, join]
    }

    fn unless(&mut self, main: &Statement, escape: &Statement, span: Span) -> ElementId {
        let unless = self.body.elements.add(Kind::Join, NO_STATEMENT, span);
        let start = self.body.elements.list.len();
        let main_chain = self.parts(main);
        let range = start..self.body.elements.list.len();
        let escape_start = self.body.elements.list.len();
        let escape_chain = self.parts(escape);
        let escape_end = self.body.elements.list.len();
        for chain in [&main_chain, &escape_chain] {
            self.link(chain[chain.len() - 1], Link::After(unless));
        }
        self.body.elements.list[unless].kind = Kind::Unless(main_chain[0]);
        self.body.elements.attach_escape(range, escape_chain[0]);
        self.body.elements.escape_parts.push(escape_start..escape_end);
        unless
    }

    /// The elements of one side of an `unless`: of a plain block its contents.
    fn parts(&mut self, statement: &Statement) -> Vec<ElementId> {
        let mut chain = match &statement.kind {
            S::Block(body) if statement.labels.is_empty() => self.block_chain(body),
            _ => self.labelled(statement, First::No),
        };
        if chain.is_empty() {
            chain.push(self.step(Action::Skip, statement.span, "skip"));
        }
        self.link_chain(&chain);
        chain
    }
}

fn opens_with_false(option: &Sequence) -> bool {
    match option.statements.first() {
        Some(Statement { kind: S::Expr(e), .. }) => {
            matches!(e.kind, ExprKind::Bool(false) | ExprKind::Int(0))
        }
        _ => false,
    }
}

fn skip_like(statement: &Statement) -> bool {
    match &statement.kind {
        S::Skip { .. } => true,
        S::Expr(e) => matches!(e.kind, ExprKind::Bool(true) | ExprKind::Int(1)),
        _ => false,
    }
}

/// Of several skips in a row in an option, SPIN keeps the first, and the last of the sequence.
fn remove_redundant_skips(statements: &[Statement], inside: Inside) -> Vec<Statement> {
    if inside != Inside::Process {
        return statements.to_vec();
    }
    let mut kept: Vec<Statement> = Vec::new();
    for (i, statement) in statements.iter().enumerate() {
        let last = i + 1 == statements.len();
        let after_skip = kept.last().is_some_and(|s| {
            s.labels.is_empty() && (skip_like(s) || matches!(s.kind, S::Printf(..) | S::Printm(_)))
        });
        if after_skip && !last && statement.labels.is_empty() && skip_like(statement) {
            continue;
        }
        kept.push(statement.clone());
    }
    kept
}
