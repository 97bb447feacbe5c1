//! Constant expressions: sizes, widths, bounds.

use crate::lowering::Lowering;
use crate::names::Symbol;
use promenade_ir::{BinaryOp, Expr, UnaryOp};
use promenade_promela_syntax::ast;

/// Applies an operator to constants; none where the result is not defined.
pub(crate) fn apply(op: BinaryOp, a: i32, b: i32) -> Option<i32> {
    Some(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div if b == 0 => return None,
        BinaryOp::Mod if b == 0 => return None,
        BinaryOp::Div => a.wrapping_div(b),
        BinaryOp::Mod => a.wrapping_rem(b),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::ShiftLeft => a.wrapping_shl(b as u32),
        BinaryOp::ShiftRight => a.wrapping_shr(b as u32),
        BinaryOp::Equal => i32::from(a == b),
        BinaryOp::NotEqual => i32::from(a != b),
        BinaryOp::Less => i32::from(a < b),
        BinaryOp::LessEqual => i32::from(a <= b),
        BinaryOp::Greater => i32::from(a > b),
        BinaryOp::GreaterEqual => i32::from(a >= b),
    })
}

/// The value of a lowered expression that is constant. Children are constants where they can be, so
/// nothing is walked.
pub(crate) fn fold_unary(op: UnaryOp, a: &Expr) -> Option<i32> {
    let Expr::Const(a) = a else { return None };
    Some(match op {
        UnaryOp::Not => i32::from(*a == 0),
        UnaryOp::Negate => a.wrapping_neg(),
        UnaryOp::Complement => !a,
    })
}

/// The same for two operands.
pub(crate) fn fold_binary(op: BinaryOp, a: &Expr, b: &Expr) -> Option<i32> {
    match (a, b) {
        (Expr::Const(a), Expr::Const(b)) => apply(op, *a, *b),
        _ => None,
    }
}

impl Lowering<'_> {
    /// The value of a constant expression, or none after an error. `what` says what needs it:
    /// `the size of an array`.
    pub(crate) fn constant(&mut self, e: &ast::Expr, what: &str) -> Option<i32> {
        if matches!(e.kind, ast::ExprKind::Error) {
            return None;
        }
        let before = self.out.errors();
        let lowered = self.expr(e);
        if self.out.errors() > before {
            return None;
        }
        if let Expr::Const(value) = lowered {
            return Some(value);
        }
        if divides_by_zero(&lowered) {
            self.out.error("division-by-zero", e.span, format!("{what} divides by zero"));
        } else {
            self.out.error("constant-expected", e.span, format!("{what} must be a constant"));
        }
        None
    }

    /// A variable with a constant initial value that stands alone, as SPIN accepts it for sizes.
    pub(crate) fn initialized_variable(&self, e: &ast::Expr) -> Option<Option<i32>> {
        let ast::ExprKind::Var(reference) = &e.kind else { return None };
        let [segment] = reference.segments.as_slice() else { return None };
        if segment.index.is_some() {
            return None;
        }
        match &self.find(&segment.name.text)?.symbol {
            Symbol::Variable(var) => Some(var.constant),
            _ => None,
        }
    }
}

fn divides_by_zero(e: &Expr) -> bool {
    match e {
        Expr::Binary(op, a, b) => {
            let zero = matches!(op, BinaryOp::Div | BinaryOp::Mod)
                && matches!(**b, Expr::Const(0))
                && matches!(**a, Expr::Const(_));
            zero || divides_by_zero(a) || divides_by_zero(b)
        }
        Expr::Unary(_, a) => divides_by_zero(a),
        _ => false,
    }
}
