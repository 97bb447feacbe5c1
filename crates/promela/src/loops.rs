//! `for` and `select`, spelled out as SPIN spells them out.

use crate::elements::{ElementId, Kind, Link};
use crate::graph::NO_STATEMENT;
use crate::lower::{Lower, Symbol};
use crate::statement::First;
use crate::text;
use crate::types::Type;
use promenade_base::Span;
use promenade_ir::{Action, BinaryOp, Expr, Pattern, Place, Region, ScalarType};
use promenade_promela_syntax::ast::{self, ExprKind, Sequence};

/// Largest difference for which `select` is a choice of assignments, as in SPIN.
const SELECT_CHOICE: i64 = 32;

impl Lower<'_> {
    fn plain(&self, v: &ast::VarRef) -> bool {
        v.segments.len() == 1 && v.segments[0].index.is_none()
    }

    fn loop_variable(&mut self, v: &ast::VarRef) -> Option<Place> {
        if !self.plain(v) {
            self.error_hint(
                "loop-variable",
                v.span,
                format!("`{}` cannot count a loop", text::var(v)),
                "Use a plain scalar variable.",
            );
            return None;
        }
        self.place(v)
    }

    pub fn for_range(
        &mut self,
        v: &ast::VarRef,
        from: &ast::Expr,
        to: &ast::Expr,
        body: &Sequence,
        span: Span,
    ) -> ElementId {
        let low = self.expr(from);
        let high = self.expr(to);
        if let (Expr::Const(a), Expr::Const(b)) = (&low, &high)
            && a > b
        {
            self.error(
                "empty-range",
                from.span,
                format!("the first value {a} is larger than the last, {b}"),
            );
        }
        let Some(place) = self.loop_variable(v) else {
            return self.step(Action::Skip, span, "for");
        };
        let name = text::var(v);
        let init = Action::Assign { target: Some(place.clone()), value: low };
        let first = self.step(init, v.span.to(from.span), format!("{name} = {}", text::expr(from)));
        let load = || Box::new(Expr::Load(place.clone()));
        let test = Action::Condition(Expr::Binary(BinaryOp::LessEqual, load(), Box::new(high)));
        let line = format!("({name} <= {})", text::expr(to));
        let next = Action::Assign {
            target: Some(place.clone()),
            value: Expr::Binary(BinaryOp::Add, load(), Box::new(Expr::Const(1))),
        };
        let mut chain = vec![first];
        chain.extend(self.counting_loop(
            test,
            line,
            v.span.to(to.span),
            body,
            next,
            format!("{name}++"),
        ));
        self.link_chain(&chain);
        self.block(&chain, span)
    }

    /// `do :: test -> body; next :: else -> break od`
    fn counting_loop(
        &mut self,
        test: Action,
        line: String,
        span: Span,
        body: &Sequence,
        next: Action,
        next_line: String,
    ) -> Vec<ElementId> {
        let head = self.body.elements.add(Kind::Choice(Vec::new()), NO_STATEMENT, span);
        let join = self.body.elements.add(Kind::Join, NO_STATEMENT, span);
        let test = self.step(test, span, line);
        self.body.breaks.push(Some(join));
        self.scopes.push(Default::default());
        let mut chain = vec![test];
        chain.extend(self.chain(&body.statements, First::No));
        self.scopes.pop();
        self.body.breaks.pop();
        chain.push(self.step(next, span, next_line));
        self.link_chain(&chain);
        self.link(chain[chain.len() - 1], Link::To(head));
        let otherwise = self.step(Action::Else, span, "else");
        self.link(otherwise, Link::To(join));
        self.body.elements.list[head].kind = Kind::Choice(vec![test, otherwise]);
        vec![head, join]
    }

    pub fn for_in(
        &mut self,
        v: &ast::VarRef,
        container: &ast::VarRef,
        body: &Sequence,
        span: Span,
    ) -> ElementId {
        let failed = |this: &mut Self| this.step(Action::Skip, span, "for");
        let length = self.array_of(container);
        if let Some(length) = length {
            let Some(place) = self.loop_variable(v) else { return failed(self) };
            let name = text::var(v);
            let init = Action::Assign { target: Some(place.clone()), value: Expr::Const(0) };
            let first = self.step(init, v.span, format!("{name} = 0"));
            let load = || Box::new(Expr::Load(place.clone()));
            let last = length as i32 - 1;
            let test = Action::Condition(Expr::Binary(
                BinaryOp::LessEqual,
                load(),
                Box::new(Expr::Const(last)),
            ));
            let next = Action::Assign {
                target: Some(place.clone()),
                value: Expr::Binary(BinaryOp::Add, load(), Box::new(Expr::Const(1))),
            };
            let mut chain = vec![first];
            chain.extend(self.counting_loop(
                test,
                format!("({name} <= {last})"),
                v.span.to(container.span),
                body,
                next,
                format!("{name}++"),
            ));
            self.link_chain(&chain);
            return self.block(&chain, span);
        }
        self.for_messages(v, container, body, span).unwrap_or_else(|| failed(self))
    }

    fn array_of(&mut self, v: &ast::VarRef) -> Option<u32> {
        let Some(Symbol::Variable(info)) = self.lookup(&v.segments[0].name.text) else {
            return None;
        };
        let (mut ty, mut length) = (info.ty.clone(), info.length);
        for segment in &v.segments[1..] {
            let Type::Struct(index) = ty else { return None };
            let field = self.structs[index].fields.iter().find(|f| f.name == segment.name.text)?;
            (ty, length) = (field.ty.clone(), field.length);
        }
        let last = &v.segments[v.segments.len() - 1];
        length.filter(|_| last.index.is_none())
    }

    /// `for (m in q)`: takes each message out and puts it back, counting in a hidden local.
    fn for_messages(
        &mut self,
        v: &ast::VarRef,
        container: &ast::VarRef,
        body: &Sequence,
        span: Span,
    ) -> Option<ElementId> {
        let (place, ty) = self.reference(v)?;
        let Type::Struct(_) = ty else {
            self.error_hint("for-in", container.span, format!("`{}` cannot be looped over", text::var(container)), "Use an array, or a channel whose messages are one structure, with a variable of that structure.");
            return None;
        };
        let cells = self.cells(&place, &ty, v.span);
        let channel = self.place(container)?;
        if channel.ty != ScalarType::Chan {
            self.error(
                "for-in",
                container.span,
                format!("`{}` cannot be looped over", text::var(container)),
            );
            return None;
        }
        let queue = || Expr::Load(channel.clone());
        let counter = Place {
            region: Region::Local,
            offset: self.body.local_bytes,
            ty: ScalarType::Int,
            indices: Vec::new(),
        };
        self.body.local_bytes += 4;
        let load = || Box::new(Expr::Load(counter.clone()));
        let init = Action::Assign { target: Some(counter.clone()), value: Expr::Const(0) };
        let first = self.step(init, span, "index = 0");
        let head = self.body.elements.add(Kind::Choice(Vec::new()), NO_STATEMENT, span);
        let join = self.body.elements.add(Kind::Join, NO_STATEMENT, span);
        let length = Expr::Len(Box::new(queue()));
        let test = self.step(
            Action::Condition(Expr::Binary(BinaryOp::Less, load(), Box::new(length))),
            span,
            format!("(index < len({}))", text::var(container)),
        );
        let patterns = cells.iter().cloned().map(Pattern::Store).collect();
        let name = text::var(container);
        let take = self.step(
            Action::Receive { channel: queue(), random: false, keep: false, patterns },
            span,
            format!("{name}?{}", text::var(v)),
        );
        let values = cells.into_iter().map(Expr::Load).collect();
        let put = self.step(
            Action::Send { channel: queue(), sorted: false, arguments: values },
            span,
            format!("{name}!{}", text::var(v)),
        );
        let next = self.step(
            Action::Assign {
                target: Some(counter.clone()),
                value: Expr::Binary(BinaryOp::Add, load(), Box::new(Expr::Const(1))),
            },
            span,
            "index++",
        );
        self.body.breaks.push(Some(join));
        self.scopes.push(Default::default());
        let inner = self.chain(&body.statements, First::No);
        self.scopes.pop();
        self.body.breaks.pop();
        let mut chain = vec![test, take, put];
        chain.extend(inner);
        chain.push(next);
        self.link_chain(&chain);
        self.link(next, Link::To(head));
        let otherwise = self.step(Action::Else, span, "else");
        self.link(otherwise, Link::To(join));
        self.body.elements.list[head].kind = Kind::Choice(vec![test, otherwise]);
        let whole = [first, head, join];
        self.link_chain(&whole);
        Some(self.block(&whole, span))
    }

    pub fn select(
        &mut self,
        v: &ast::VarRef,
        from: &ast::Expr,
        to: &ast::Expr,
        in_inline: bool,
        span: Span,
    ) -> Vec<ElementId> {
        let literal = |e: &ast::Expr| match e.kind {
            ExprKind::Int(n) => Some(i64::from(n)),
            _ => None,
        };
        let (low, high) = (self.expr(from), self.expr(to));
        if let (Expr::Const(a), Expr::Const(b)) = (&low, &high)
            && a > b
        {
            self.error("empty-range", span, format!("no value from {a} to {b}"));
        }
        let Some(place) = self.loop_variable(v) else { return Vec::new() };
        let name = text::var(v);
        if let (Some(a), Some(b), false) = (literal(from), literal(to), in_inline)
            && b - a <= SELECT_CHOICE
            && a >= 0
            && b >= a
        {
            let head = self.body.elements.add(Kind::Choice(Vec::new()), NO_STATEMENT, span);
            let join = self.body.elements.add(Kind::Join, NO_STATEMENT, span);
            let mut starts = Vec::new();
            for value in a..=b {
                let action = Action::Assign {
                    target: Some(place.clone()),
                    value: Expr::Const(value as i32),
                };
                let id = self.step(action, span, format!("{name} = {value}"));
                self.link(id, Link::To(join));
                starts.push(id);
            }
            self.body.elements.list[head].kind = Kind::Choice(starts);
            return vec![head, join];
        }
        let init = Action::Assign { target: Some(place.clone()), value: low };
        let first = self.step(init, span, format!("{name} = {}", text::expr(from)));
        let head = self.body.elements.add(Kind::Choice(Vec::new()), NO_STATEMENT, span);
        let join = self.body.elements.add(Kind::Join, NO_STATEMENT, span);
        let load = || Box::new(Expr::Load(place.clone()));
        let test = self.step(
            Action::Condition(Expr::Binary(BinaryOp::Less, load(), Box::new(high))),
            span,
            format!("({name} < {})", text::expr(to)),
        );
        let next = self.step(
            Action::Assign {
                target: Some(place.clone()),
                value: Expr::Binary(BinaryOp::Add, load(), Box::new(Expr::Const(1))),
            },
            span,
            format!("{name}++"),
        );
        self.link(test, Link::To(next));
        self.link(next, Link::To(head));
        let stop = self.add(Kind::Break, span, "break".into());
        self.link(stop, Link::To(join));
        self.body.elements.list[head].kind = Kind::Choice(vec![test, stop]);
        let whole = [first, head, join];
        self.link_chain(&whole);
        vec![self.block(&whole, span)]
    }
}
