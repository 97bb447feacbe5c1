//! `for` and `select`: written out as assignments and loops.

use crate::flow::{Class, LoopId, SequenceId};
use crate::lowering::Lowering;
use crate::names::Symbol;
use crate::nodes::{Node, Owner, leading};
use crate::reference::Referent;
use crate::statement::step_by_one;
use crate::text;
use crate::types::{Shape, Ty, Var, leaves};
use promenade_base::Span;
use promenade_ir::{Action, BinaryOp, Expr, Pattern, Place, Region, ScalarType};
use promenade_promela_syntax::ast::{self, ExprKind, Sequence, VarRef};
use std::rc::Rc;

/// Up to this many steps from the first to the last value, `select` is one choice.
const MAX_SELECT_OPTIONS: i32 = 32;

impl Lowering<'_> {
    /// `for (i : a .. b) { .. }`
    pub(crate) fn for_range(
        &mut self,
        variable: &VarRef,
        from: &ast::Expr,
        to: &ast::Expr,
        body: &Sequence,
        span: Span,
    ) -> Option<Node> {
        let place = self.loop_variable(variable, "for");
        if let (ExprKind::Int(a), ExprKind::Int(b)) = (&from.kind, &to.kind)
            && a > b
        {
            self.out.error_hint(
                "empty-range",
                from.span.to(to.span),
                format!("the range from {a} to {b} is empty"),
                "The first value must not be larger than the last one.",
            );
        }
        let (first, last) = (self.expr(from), self.expr(to));
        let name = text::reference(variable);
        let place = place.unwrap_or_else(nowhere);
        let start = format!("{name} = {}", text::expression(from));
        let test = format!("({name} <= {})", text::expression(to));
        self.count_through(variable, place, (first, start), (last, test), body, span)
    }

    /// The loop that `for` stands for: start value, condition, body, increment.
    fn count_through(
        &mut self,
        variable: &VarRef,
        place: Place,
        (first, start): (Expr, String),
        (last, test): (Expr, String),
        body: &Sequence,
        span: Span,
    ) -> Option<Node> {
        let id = self.push_loop();
        let action = Action::Assign { target: Some(place.clone()), value: first };
        let node = self.step(action, Class::Other, variable.span, start);
        self.add(node);
        self.open_sequence();
        let at_most =
            Expr::Binary(BinaryOp::LessEqual, Box::new(Expr::Load(place.clone())), Box::new(last));
        let node = self.step(Action::Condition(at_most), Class::Condition, variable.span, test);
        self.add(node);
        self.scoped(body);
        Some(self.close_loop(variable, place, id, true, span))
    }

    /// The increment at the end of the open sequence, and the way out.
    fn close_loop(
        &mut self,
        variable: &VarRef,
        place: Place,
        id: LoopId,
        with_else: bool,
        span: Span,
    ) -> Node {
        let up = format!("{}++", text::reference(variable));
        let node = self.step(step_by_one(place, BinaryOp::Add), Class::Other, variable.span, up);
        self.add(node);
        let again = self.close_sequence(Owner::Other, span);
        // Without an `else` it is a `select`.
        let head = if with_else { leading(span, 3) } else { span };
        let out = self.way_out(id, with_else, span, head);
        Node::Choice { options: vec![out, again], looping: Some(id), span, head }
    }

    fn way_out(&mut self, id: LoopId, with_else: bool, span: Span, head: Span) -> SequenceId {
        self.open_sequence();
        if with_else {
            let node = self.step(Action::Else, Class::Else, head, "else");
            self.add(node);
        }
        let statement = self.statement_id(head, "break");
        let jump = crate::flow::Jump::Out(id);
        self.add(Node::Goto { jump, statement, span: head });
        self.close_sequence(Owner::Other, span)
    }

    /// The variable of `for` or `select`: a plain scalar.
    fn loop_variable(&mut self, r: &VarRef, construct: &str) -> Option<Place> {
        let indexed = r.segments.len() != 1 || r.segments.iter().any(|s| s.index.is_some());
        let plain = match r.segments.first().and_then(|s| self.find(&s.name.text)) {
            Some(named) => match &named.symbol {
                Symbol::Variable(var) => {
                    let scalar = matches!(var.shape.ty, Ty::Scalar(ty) if ty != ScalarType::Chan);
                    scalar && var.shape.length.is_none() && !indexed
                }
                _ => true,
            },
            None => true,
        };
        if !plain {
            self.out.error_hint(
                "loop-variable",
                r.span,
                format!("`{}` cannot be the variable of `{construct}`", text::reference(r)),
                "Use a variable that is a number and no array element or field.",
            );
            return None;
        }
        self.target(r)?.map(|cell| cell.place)
    }

    /// `for (i in container) { .. }`
    pub(crate) fn for_in(
        &mut self,
        variable: &VarRef,
        container: &VarRef,
        body: &Sequence,
        span: Span,
    ) -> Option<Node> {
        let is_struct = match variable.segments.first().and_then(|s| self.find(&s.name.text)) {
            Some(named) => match &named.symbol {
                Symbol::Variable(var) => matches!(var.shape.ty, Ty::Struct(_)),
                _ => false,
            },
            None => false,
        };
        if is_struct {
            return self.for_message(variable, container, body, span);
        }
        let place = self.loop_variable(variable, "for");
        let shape = self.container(container)?;
        let Some(length) = shape.length else {
            let hint = if shape.ty.is_chan() {
                "To go through the messages of a channel, the variable must be a structure of the \
                 type that the channel carries."
            } else {
                "Name an array, or write `for (i : 0 .. 9)`."
            };
            let message = format!("`{}` is not an array", text::reference(container));
            self.out.error_hint("for-container", container.span, message, hint);
            // Names in the body are worth checking all the same.
            let _ = self.count_through(
                variable,
                nowhere(),
                (Expr::Const(0), String::new()),
                (Expr::Const(0), String::new()),
                body,
                span,
            );
            self.body.flow.breaks.pop();
            return None;
        };
        let name = text::reference(variable);
        let last = length as i32 - 1;
        let test = format!("({name} <= {last})");
        let start = (Expr::Const(0), format!("{name} = 0"));
        let place = place.unwrap_or_else(nowhere);
        self.count_through(variable, place, start, (Expr::Const(last), test), body, span)
    }

    /// What a container was declared as; its last index is missing.
    fn container(&mut self, r: &VarRef) -> Option<Shape> {
        let first = r.segments.first()?;
        let symbol = self.find(&first.name.text).map(|n| n.symbol.clone());
        let Some(Symbol::Variable(var)) = symbol else {
            self.resolve(r);
            return None;
        };
        let mut shape = var.shape.clone();
        for (i, segment) in r.segments.iter().enumerate() {
            if i > 0 {
                let Ty::Struct(index) = shape.ty else {
                    self.resolve(r);
                    return None;
                };
                let Some(field) = self.structs[index].field(&segment.name.text) else {
                    self.resolve(r);
                    return None;
                };
                shape = field.shape.clone();
            }
            if let Some(index) = &segment.index {
                self.expr(index);
                if i + 1 == r.segments.len() {
                    shape.length = None;
                }
            }
        }
        Some(shape)
    }

    /// `for (m in q) { .. }`: takes each message out, puts it back, and runs the body.
    fn for_message(
        &mut self,
        variable: &VarRef,
        container: &VarRef,
        body: &Sequence,
        span: Span,
    ) -> Option<Node> {
        let Some(Referent::Cell(message)) = self.resolve(variable) else { return None };
        let Some(Referent::Cell(channel)) = self.resolve(container) else { return None };
        let ty = channel.shape.channel.and_then(|c| {
            let ty = self.model.channel_types.get(usize::from(c.0))?;
            Some((ty.capacity, ty.fields.clone()))
        });
        let cells = leaves(&self.structs, message.shape.ty, 4096).unwrap_or_default();
        let fits = ty.as_ref().is_some_and(|(capacity, fields)| {
            *capacity > 0 && fields.iter().eq(cells.iter().map(|c| &c.ty))
        });
        if !fits {
            self.out.error_hint(
                "for-container",
                container.span,
                format!(
                    "`{}` is not a channel whose messages are like `{}`",
                    text::reference(container),
                    text::reference(variable)
                ),
                "The channel must be declared with slots and with this structure as its only \
                 field.",
            );
            return None;
        }
        let counter = self.counter(ty.map_or(0, |t| t.0), container.span);
        let place = Place {
            region: Region::Local,
            offset: counter.offset,
            ty: match counter.shape.ty {
                Ty::Scalar(ty) => ty,
                Ty::Struct(_) => ScalarType::Byte,
            },
            indices: Vec::new(),
        };
        let number = Expr::Load(channel.place.clone());
        let fields: Vec<Place> = cells
            .iter()
            .map(|c| {
                let mut place = message.place.clone();
                place.offset += c.offset;
                place.ty = c.ty;
                place
            })
            .collect();
        let (name, queue) = (text::reference(variable), text::reference(container));
        let at = variable.span;
        let id = self.push_loop();
        let start = Action::Assign { target: Some(place.clone()), value: Expr::Const(0) };
        let node = self.step(start, Class::Other, at, format!("for {name} in {queue}"));
        self.add(node);
        self.open_sequence();
        let less = Expr::Binary(
            BinaryOp::Less,
            Box::new(Expr::Load(place.clone())),
            Box::new(Expr::Len(Box::new(number.clone()))),
        );
        let node =
            self.step(Action::Condition(less), Class::Condition, at, format!("(more in {queue})"));
        self.add(node);
        let receive = Action::Receive {
            channel: number.clone(),
            random: false,
            keep: false,
            patterns: fields.iter().cloned().map(Pattern::Store).collect(),
        };
        let node = self.step(receive, Class::Receive, at, format!("{queue}?{name}"));
        self.add(node);
        let send = Action::Send {
            channel: number,
            sorted: false,
            arguments: fields.into_iter().map(Expr::Load).collect(),
        };
        let node = self.step(send, Class::Send, at, format!("{queue}!{name}"));
        self.add(node);
        self.scoped(body);
        Some(self.close_loop(variable, place, id, true, span))
    }

    /// The hidden counter of loops over channels in this scope.
    fn counter(&mut self, capacity: u32, span: Span) -> Rc<Var> {
        let scope = self.body.scopes.current();
        if let Some(known) = self.body.counters.get(&scope) {
            return known.clone();
        }
        let ty = if capacity > 255 { ScalarType::Short } else { ScalarType::Byte };
        let shape = Shape {
            ty: Ty::Scalar(ty),
            length: None,
            element_bytes: ty.bytes(),
            set: None,
            channel: None,
            bits: None,
        };
        let offset = self.body.bytes as u32;
        self.body.bytes += shape.bytes();
        let var = Rc::new(Var {
            name: "_for".into(),
            shape,
            region: Region::Local,
            offset,
            span,
            parameter: false,
            constant: None,
            number: self.body.vars.len(),
        });
        self.body.add_var(var.clone());
        self.body.counters.insert(scope, var.clone());
        var
    }

    /// `select (i : a .. b)`
    pub(crate) fn select(
        &mut self,
        variable: &VarRef,
        from: &ast::Expr,
        to: &ast::Expr,
        in_inline: bool,
        span: Span,
    ) -> Option<Node> {
        let place = self.loop_variable(variable, "select");
        let ends = match (&from.kind, &to.kind) {
            (ExprKind::Int(a), ExprKind::Int(b)) if *a >= 0 && *b >= 0 => Some((*a, *b)),
            _ => None,
        };
        if let Some((a, b)) = ends
            && a > b
        {
            self.out.error_hint(
                "empty-range",
                from.span.to(to.span),
                format!("the range from {a} to {b} is empty"),
                "The first value must not be larger than the last one.",
            );
            return None;
        }
        let (first, last) = (self.expr(from), self.expr(to));
        let place = place?;
        // SPIN's short forms need a name of letters and digits.
        let plain = text::reference(variable).bytes().all(|b| b.is_ascii_alphanumeric());
        match ends {
            Some((a, b)) if plain && !in_inline && b - a <= MAX_SELECT_OPTIONS => {
                Some(self.select_choice(variable, place, a, b, span))
            }
            Some((a, b)) if plain && !in_inline => {
                Some(self.select_large(variable, place, a, b, span))
            }
            _ => Some(self.select_loop(variable, place, (from, first), (to, last), span)),
        }
    }

    /// One option for each value.
    fn select_choice(
        &mut self,
        variable: &VarRef,
        place: Place,
        a: i32,
        b: i32,
        span: Span,
    ) -> Node {
        let name = text::reference(variable);
        let mut options = Vec::new();
        for value in a..=b {
            self.open_sequence();
            let action = Action::Assign { target: Some(place.clone()), value: Expr::Const(value) };
            let node = self.step(action, Class::Other, span, format!("{name} = {value}"));
            self.add(node);
            options.push(self.close_sequence(Owner::Other, span));
        }
        Node::Choice { options, looping: None, span, head: span }
    }

    /// The smallest value, then a loop of increments that may stop anywhere.
    fn select_large(
        &mut self,
        variable: &VarRef,
        place: Place,
        a: i32,
        b: i32,
        span: Span,
    ) -> Node {
        let name = text::reference(variable);
        let start = Action::Assign { target: Some(place.clone()), value: Expr::Const(a) };
        let start = self.step(start, Class::Other, span, format!("{name} = {a}"));
        let id = self.push_loop();
        self.open_sequence();
        self.select_test(&place, Expr::Const(b), span, format!("({name} < {b})"));
        let up = step_by_one(place, BinaryOp::Add);
        let node = self.step(up, Class::Other, span, format!("{name}++"));
        self.add(node);
        let again = self.close_sequence(Owner::Other, span);
        let out = self.way_out(id, false, span, span);
        let options = vec![again, out];
        self.trailing = Some(Node::Choice { options, looping: Some(id), span, head: span });
        start
    }

    fn select_test(&mut self, place: &Place, last: Expr, span: Span, text: String) {
        let less =
            Expr::Binary(BinaryOp::Less, Box::new(Expr::Load(place.clone())), Box::new(last));
        let node = self.step(Action::Condition(less), Class::Condition, span, text);
        self.add(node);
    }

    /// The same loop where the bounds are expressions; a label in front marks the loop.
    fn select_loop(
        &mut self,
        variable: &VarRef,
        place: Place,
        (from, first): (&ast::Expr, Expr),
        (to, last): (&ast::Expr, Expr),
        span: Span,
    ) -> Node {
        let name = text::reference(variable);
        let start = Action::Assign { target: Some(place.clone()), value: first };
        let text = format!("{name} = {}", text::expression(from));
        let node = self.step(start, Class::Other, span, text);
        self.add(node);
        self.open_sequence();
        let text = format!("({name} < {})", text::expression(to));
        self.select_test(&place, last, span, text);
        let id = self.push_loop();
        self.close_loop(variable, place, id, false, span)
    }
}

/// A cell that stands in after an error.
fn nowhere() -> Place {
    Place { region: Region::Global, offset: 0, ty: ScalarType::Int, indices: Vec::new() }
}
