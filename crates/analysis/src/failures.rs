//! Which expressions may be a run-time error.

use promenade_ir::{BinaryOp, Expr};

/// A divisor that is certainly not zero.
pub(crate) fn is_safe(divisor: &Expr) -> bool {
    matches!(divisor, Expr::Const(value) if *value != 0)
}

/// Whether evaluating an expression may be a run-time error: an index, a divisor, a channel or the
/// pid of a remote reference that is not known beforehand.
pub fn may_fail(expression: &Expr) -> bool {
    match expression {
        Expr::Const(_)
        | Expr::Pid
        | Expr::NrPr
        | Expr::Last
        | Expr::Priority
        | Expr::Timeout
        | Expr::NonProgress => false,
        Expr::Load(place) => !place.indices.is_empty(),
        Expr::Unary(_, a) => may_fail(a),
        Expr::Binary(op, a, b) => {
            let divides = matches!(op, BinaryOp::Div | BinaryOp::Mod);
            (divides && !is_safe(b)) || may_fail(a) || may_fail(b)
        }
        Expr::And(a, b) | Expr::Or(a, b) => may_fail(a) || may_fail(b),
        Expr::Conditional(a, b, c) => may_fail(a) || may_fail(b) || may_fail(c),
        Expr::PcValue(a) | Expr::GetPriority(a) => may_fail(a),
        Expr::RemoteLocation { index, .. } => index.is_some(),
        Expr::RemoteLoad { index, place, .. } => index.is_some() || !place.indices.is_empty(),
        Expr::Len(_) | Expr::ChannelTest(..) | Expr::Poll { .. } | Expr::Enabled(_) => true,
    }
}
