//! Walks over actions and expressions.

use promenade_ir::{Action, Expr, Pattern, Place};

/// Calls `see` with the basic statements inside an action: itself, or the parts of a `d_step` or a
/// sequence.
pub fn each_action<'a>(action: &'a Action, see: &mut dyn FnMut(&'a Action)) {
    match action {
        Action::DStep(step) => {
            for edge in step.graph.locations.iter().flat_map(|l| &l.edges) {
                each_action(&edge.action, see);
            }
        }
        Action::Sequence(actions) => actions.iter().for_each(|a| each_action(a, see)),
        other => see(other),
    }
}

/// What a statement evaluates and stores, in terms of the model.
pub trait Visitor {
    /// An expression node; its operands follow by themselves.
    fn expression(&mut self, expr: &Expr);
    /// A place is read.
    fn read(&mut self, place: &Place);
    /// A place is written.
    fn write(&mut self, place: &Place);
}

fn indices(place: &Place, visitor: &mut dyn Visitor) {
    for index in &place.indices {
        visit_expr(&index.value, visitor);
    }
}

/// A write, with the reads of its indices.
pub fn visit_target(place: &Place, visitor: &mut dyn Visitor) {
    indices(place, visitor);
    visitor.write(place);
}

fn visit_patterns(patterns: &[Pattern], visitor: &mut dyn Visitor) {
    for pattern in patterns {
        match pattern {
            Pattern::Match(e) => visit_expr(e, visitor),
            Pattern::Store(place) => visit_target(place, visitor),
            Pattern::Any => {}
        }
    }
}

/// An expression and all below it.
pub fn visit_expr(expr: &Expr, visitor: &mut dyn Visitor) {
    visitor.expression(expr);
    match expr {
        Expr::Const(_)
        | Expr::Pid
        | Expr::NrPr
        | Expr::Last
        | Expr::Priority
        | Expr::Timeout
        | Expr::NonProgress => {}
        Expr::Load(place) => {
            indices(place, visitor);
            visitor.read(place);
        }
        Expr::Unary(_, a)
        | Expr::Len(a)
        | Expr::ChannelTest(_, a)
        | Expr::Enabled(a)
        | Expr::PcValue(a)
        | Expr::GetPriority(a) => visit_expr(a, visitor),
        Expr::Binary(_, a, b) | Expr::And(a, b) | Expr::Or(a, b) => {
            visit_expr(a, visitor);
            visit_expr(b, visitor);
        }
        Expr::Conditional(a, b, c) => {
            visit_expr(a, visitor);
            visit_expr(b, visitor);
            visit_expr(c, visitor);
        }
        Expr::Poll { channel, patterns, .. } => {
            visit_expr(channel, visitor);
            visit_patterns(patterns, visitor);
        }
        Expr::RemoteLocation { index, .. } => {
            index.iter().for_each(|i| visit_expr(i, visitor));
        }
        Expr::RemoteLoad { index, place, .. } => {
            index.iter().for_each(|i| visit_expr(i, visitor));
            indices(place, visitor);
        }
    }
}

/// A basic statement (see [`each_action`]).
pub fn visit_action(action: &Action, visitor: &mut dyn Visitor) {
    match action {
        Action::Skip | Action::Else | Action::End | Action::DStep(_) | Action::Sequence(_) => {}
        Action::Condition(e) | Action::Assert(e) => visit_expr(e, visitor),
        Action::Assign { target, value } => {
            visit_expr(value, visitor);
            target.iter().for_each(|t| visit_target(t, visitor));
        }
        Action::Print(print) => {
            use promenade_ir::PrintPart;
            for part in &print.parts {
                match part {
                    PrintPart::Text(_) => {}
                    PrintPart::Decimal(e)
                    | PrintPart::Unsigned(e)
                    | PrintPart::Hexadecimal(e)
                    | PrintPart::Octal(e)
                    | PrintPart::Character(e)
                    | PrintPart::Symbol(e, _) => visit_expr(e, visitor),
                }
            }
        }
        Action::Send { channel, arguments, .. } => {
            visit_expr(channel, visitor);
            arguments.iter().for_each(|a| visit_expr(a, visitor));
        }
        Action::Receive { channel, patterns, .. } => {
            visit_expr(channel, visitor);
            visit_patterns(patterns, visitor);
        }
        Action::Run { arguments, priority, target, .. } => {
            arguments.iter().chain(priority).for_each(|a| visit_expr(a, visitor));
            target.iter().for_each(|t| visit_target(t, visitor));
        }
        Action::SetPriority { process, priority } => {
            visit_expr(process, visitor);
            visit_expr(priority, visitor);
        }
    }
}
