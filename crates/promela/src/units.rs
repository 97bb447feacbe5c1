//! Process types and claims: bodies from their first brace to their last.

use crate::body::{Body, BodyKind};
use crate::flow::What;
use crate::lowering::Lowering;
use crate::names::{Named, Symbol};
use promenade_base::{Diagnostic, Span};
use promenade_ir::ProctypeId;
use promenade_promela_syntax::ast::{self, Claim, Expr, ExprKind, Init, Proctype, Sequence};
use std::rc::Rc;

impl Lowering<'_> {
    /// The id of the next process type of the text.
    fn next_id(&mut self) -> ProctypeId {
        let id = ProctypeId(self.next_proctype.min(usize::from(u16::MAX)) as u16);
        self.next_proctype += 1;
        id
    }

    /// A process type.
    pub(crate) fn proctype(&mut self, proctype: &Proctype) {
        let name = &proctype.name;
        if self.check_free(name) {
            let named = Named { symbol: Symbol::Proctype, span: name.span };
            self.globals.insert(name.text.clone(), named);
        }
        let id = self.next_id();
        let active = match &proctype.active {
            None => 0,
            Some(None) => 1,
            Some(Some(count)) => self.instances(count),
        };
        let priority = self.priority(proctype.priority.as_ref());
        self.body = Body::new(BodyKind::Process(id), name.text.clone(), name.span);
        self.body.deterministic = proctype.deterministic;
        self.body.priority = if active > 0 { priority } else { 1 };
        self.body.scopes.enter();
        self.parameters(&proctype.parameters);
        if let Some(clause) = &proctype.provided {
            self.check_provided(clause);
            self.body.provided = Some(self.expr(clause));
        }
        self.body(&proctype.body);
        for _ in 0..active {
            self.model.initial_processes.push(id);
        }
        self.finish_body(Some(id));
    }

    /// `init { .. }`
    pub(crate) fn init(&mut self, init: &Init) {
        let id = self.next_id();
        let priority = self.priority(init.priority.as_ref());
        self.body = Body::new(BodyKind::Process(id), "init".into(), init.keyword);
        self.body.priority = priority;
        self.body.scopes.enter();
        self.body(&init.body);
        self.model.initial_processes.push(id);
        self.finish_body(Some(id));
    }

    /// `never { .. }`
    pub(crate) fn claim(&mut self, claim: &Claim) {
        let name: Rc<str> = claim.name.as_ref().map_or("never".into(), |n| n.text.clone());
        if let Some(name) = &claim.name {
            self.check_claim_name(&name.text, name.span);
        }
        self.body = Body::new(BodyKind::Claim, name, claim.span);
        self.body.scopes.enter();
        self.body(&claim.body);
        self.finish_body(None);
        let names = claim.name.as_ref().map(|n| n.text.to_string());
        self.claims.push((self.bodies.len() - 1, names, claim.span));
    }

    /// Claims and formulas have names of their own.
    pub(crate) fn check_claim_name(&mut self, name: &str, span: Span) {
        if let Some(first) = self.claim_names.get(name) {
            let diagnostic = Diagnostic::error(
                "duplicate-claim",
                span,
                format!("there are two claims with the name `{name}`"),
            );
            let diagnostic = diagnostic.with_related(*first, "the other one");
            self.out.report(diagnostic);
        }
        self.claim_names.entry(name.into()).or_insert(span);
    }

    /// The body proper, with its end.
    pub(crate) fn body(&mut self, sequence: &Sequence) {
        self.body.flow.open_sequence();
        self.body.early = true;
        self.scoped(sequence);
        let end = sequence.end;
        let statement = self.statement_id(end, "-end-");
        let flow = &mut self.body.flow;
        let element = flow.create(What::End, statement, end, None);
        let current = flow.current();
        flow.append(element, current);
        let closed = flow.close_sequence();
        flow.body = Some(closed);
    }

    pub(crate) fn finish_body(&mut self, id: Option<ProctypeId>) {
        self.resolve_jumps();
        let next = Body::new(BodyKind::None, "".into(), Span::default());
        let done = std::mem::replace(&mut self.body, next);
        self.bodies.push(done);
        if let Some(id) = id {
            self.proctype_bodies[usize::from(id.0)] = Some(self.bodies.len() - 1);
        }
    }

    /// `active [n]`
    fn instances(&mut self, count: &Expr) -> usize {
        let value = match self.initialized_variable(count) {
            Some(Some(value)) => value,
            Some(None) => {
                self.out.error(
                    "constant-expected",
                    count.span,
                    "the number of instances must be a constant",
                );
                return 1;
            }
            None => match self.constant(count, "the number of instances") {
                Some(value) => value,
                None => return 1,
            },
        };
        if value > 255 {
            self.out.error_hint(
                "too-many-processes",
                count.span,
                format!("{value} processes cannot be active"),
                "There are at most 255 processes.",
            );
            return 1;
        }
        if value <= 0 {
            self.out.warning(
                "no-instance",
                count.span,
                format!("`active [{value}]` starts no process"),
                "Give the number of processes that are there at the start, or leave out `active`.",
            );
        }
        value.max(0) as usize
    }

    fn priority(&mut self, priority: Option<&Expr>) -> u8 {
        let Some(e) = priority else { return 1 };
        self.use_priority(e.span);
        match self.constant(e, "a priority") {
            Some(value) => self.priority_value(value, e.span).unwrap_or(1),
            None => 1,
        }
    }

    /// A provided clause sees globals and `_pid` only.
    fn check_provided(&mut self, clause: &Expr) {
        let mut work = vec![clause];
        while let Some(e) = work.pop() {
            match &e.kind {
                ExprKind::Unary(_, a)
                | ExprKind::Enabled(a)
                | ExprKind::PcValue(a)
                | ExprKind::GetPriority(a) => work.push(a),
                ExprKind::Binary(_, a, b) => work.extend([&**a, &**b]),
                ExprKind::Conditional(c, a, b) => work.extend([&**c, &**a, &**b]),
                ExprKind::Var(r) | ExprKind::Len(r) | ExprKind::ChannelTest(_, r) => {
                    let local = r.segments.first().and_then(|s| {
                        let named = self.body.scopes.find(&s.name.text)?;
                        Some((s.name.clone(), named.span))
                    });
                    if let Some((name, declared)) = local {
                        let diagnostic = Diagnostic::error(
                            "provided-local",
                            name.span,
                            format!("`{}` is local and cannot stand here", name.text),
                        )
                        .with_hint("A provided clause sees global variables and `_pid`.")
                        .with_related(declared, "declared here");
                        self.out.report(diagnostic);
                    }
                }
                ExprKind::Run { .. } => {
                    self.out.error("misplaced-run", e.span, "`run` cannot stand here");
                }
                _ => {}
            }
        }
    }

    /// `trace { .. }` or `notrace { .. }`
    pub(crate) fn trace(&mut self, trace: &ast::TraceAssertion) {
        if let Some((_, first)) = &self.trace_body {
            let diagnostic = Diagnostic::error(
                "duplicate-trace",
                trace.span,
                "there is more than one trace assertion",
            );
            let diagnostic = diagnostic.with_related(*first, "the first one");
            self.out.report(diagnostic);
        }
        let name: Rc<str> = if trace.negated { "notrace" } else { "trace" }.into();
        self.body = Body::new(BodyKind::Trace, name, trace.span);
        self.body.scopes.enter();
        self.body(&trace.body);
        self.finish_body(None);
        self.trace_negated = trace.negated;
        self.trace_body = Some((self.bodies.len() - 1, trace.span));
    }
}
