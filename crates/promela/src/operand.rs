//! Checks of what may be assigned to what.

use crate::lowering::Lowering;
use crate::names::Symbol;
use crate::types::{Shape, Ty};
use promenade_base::{Diagnostic, Span};
use promenade_ir::{MtypeSetId, ScalarType};
use promenade_promela_syntax::ast::{BinaryOperator, Expr, ExprKind, UnaryOperator, VarRef};

impl Lowering<'_> {
    /// Checks the right side of an assignment or initial value: no arithmetic on channels, no
    /// names of another mtype set. `field`: it is a field of a structure, where SPIN lets channels be
    /// calculated with.
    pub(crate) fn check_assigned(
        &mut self,
        value: &Expr,
        to: &Shape,
        name: &str,
        span: Span,
        field: bool,
    ) {
        if matches!(to.ty, Ty::Struct(_)) {
            return;
        }
        if to.bits.is_some() && !self.is_bit(value) {
            self.warn_of_bytes(name, span);
        }
        if let Some((set, found)) = self.mtype_constant(value) {
            self.check_set(set, to, name, span, value.span, &found);
            return;
        }
        if !matches!(value.kind, ExprKind::Var(_)) && !field {
            self.check_no_channels(value);
        }
    }

    /// A number for a channel. SPIN refuses constants where a variable is assigned; elsewhere it takes
    /// them, above all 0 for "no channel". True if that was reported.
    pub(crate) fn number_for_channel(&mut self, value: &Expr, name: &str, refused: bool) -> bool {
        let number = match &value.kind {
            ExprKind::Int(number) => *number,
            ExprKind::Bool(value) => i32::from(*value),
            ExprKind::Var(_) if self.mtype_constant(value).is_some() => 1,
            _ => return false,
        };
        let message = format!("a number is assigned to the channel `{name}`");
        if refused {
            let hint = "Only channels can be assigned to a channel.";
            self.out.error_hint("channel-assignment", value.span, message, hint);
        } else {
            let hint = match number {
                0 => "0 means no channel: using it is a run-time error.",
                _ => {
                    "Channels are numbered from 1 in the order in which they are created; using a \
                     number without a channel is a run-time error."
                }
            };
            self.out.warning("channel-assignment", value.span, message, hint);
        }
        true
    }

    /// Says that an element of an array of bits may get another value than 0 and 1.
    pub(crate) fn warn_of_bytes(&mut self, name: &str, span: Span) {
        self.out.warning(
            "bit-array",
            span,
            format!("`{name}` is a whole byte, not a single bit"),
            "SPIN keeps elements of such arrays so; values other than 0 and 1 stay as they are.",
        );
    }

    /// Whether an expression is certainly 0 or 1.
    fn is_bit(&self, e: &Expr) -> bool {
        use BinaryOperator as Op;
        match &e.kind {
            ExprKind::Int(value) => matches!(value, 0 | 1),
            ExprKind::Var(r) => self.shape_of(r).is_some_and(|shape| {
                let bit = Ty::Scalar(ScalarType::Bit) == shape.ty;
                bit || Ty::Scalar(ScalarType::Bool) == shape.ty || shape.bits.is_some()
            }),
            ExprKind::Unary(operator, _) => *operator == UnaryOperator::Not,
            ExprKind::Binary(operator, a, b) => match operator {
                Op::BitAnd => self.is_bit(a) || self.is_bit(b),
                Op::BitOr | Op::BitXor | Op::Mul => self.is_bit(a) && self.is_bit(b),
                // What is left of 1 less a bit is a bit.
                Op::Sub => matches!(a.kind, ExprKind::Int(1)) && self.is_bit(b),
                Op::Equal | Op::NotEqual | Op::Less | Op::LessEqual | Op::Greater => true,
                Op::GreaterEqual | Op::And | Op::Or => true,
                Op::Add | Op::Div | Op::Mod | Op::ShiftLeft | Op::ShiftRight => false,
            },
            ExprKind::Conditional(_, a, b) => self.is_bit(a) && self.is_bit(b),
            ExprKind::Bool(_)
            | ExprKind::ChannelTest(..)
            | ExprKind::Poll { .. }
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::Enabled(_)
            | ExprKind::RemoteLabel { .. } => true,
            _ => false,
        }
    }

    /// The mtype set that the values of an expression belong to, as far as its names tell.
    pub(crate) fn mtype_set_of(&self, e: &Expr) -> Option<MtypeSetId> {
        match &e.kind {
            ExprKind::Var(r) => match self.mtype_constant(e) {
                Some((set, _)) => Some(set),
                None => match self.shape_of(r)?.ty {
                    Ty::Scalar(ScalarType::Mtype(set)) => Some(set),
                    _ => None,
                },
            },
            ExprKind::Conditional(_, a, b) => {
                self.mtype_set_of(a).filter(|&set| self.mtype_set_of(b) == Some(set))
            }
            _ => None,
        }
    }

    fn mtype_constant(&self, e: &Expr) -> Option<(MtypeSetId, String)> {
        let ExprKind::Var(r) = &e.kind else { return None };
        let [segment] = r.segments.as_slice() else { return None };
        match self.find(&segment.name.text)?.symbol {
            Symbol::Mtype(_, set) => Some((set, segment.name.text.to_string())),
            _ => None,
        }
    }

    fn check_set(
        &mut self,
        set: MtypeSetId,
        to: &Shape,
        name: &str,
        span: Span,
        at: Span,
        found: &str,
    ) {
        let Some(wanted) = to.set.filter(|&s| s != set) else { return };
        let sets = &self.model.mtypes;
        let name_of = |id: MtypeSetId| {
            let set = sets.get(usize::from(id.0)).and_then(|s| s.name.as_deref());
            set.map_or_else(|| "mtype".to_owned(), |n| format!("mtype:{n}"))
        };
        let message = format!(
            "`{name}` is of type `{}`, `{found}` is of type `{}`",
            name_of(wanted),
            name_of(set)
        );
        self.out.report(
            Diagnostic::error("mtype-mismatch", at, message).with_related(span, "assigned here"),
        );
    }

    /// Whether a reference is a whole channel variable.
    pub(crate) fn is_channel(&self, r: &VarRef) -> bool {
        self.shape_of(r).is_some_and(|shape| shape.ty.is_chan())
    }

    /// What a reference to a variable or a field is.
    fn shape_of(&self, r: &VarRef) -> Option<&Shape> {
        let (first, rest) = r.segments.split_first()?;
        let Symbol::Variable(var) = &self.find(&first.name.text)?.symbol else { return None };
        let mut shape = &var.shape;
        for segment in rest {
            let Ty::Struct(index) = shape.ty else { return None };
            shape = &self.structs.get(index)?.field(&segment.name.text)?.shape;
        }
        Some(shape)
    }

    /// Reports channels under operators.
    fn check_no_channels(&mut self, e: &Expr) {
        let mut work = vec![e];
        while let Some(e) = work.pop() {
            match &e.kind {
                ExprKind::Var(r) if self.is_channel(r) => self.out.error_hint(
                    "channel-arithmetic",
                    r.span,
                    format!("`{}` is a channel, not a number", crate::text::reference(r)),
                    "Channels can be compared, sent and assigned, not calculated with.",
                ),
                ExprKind::Unary(_, a) => work.push(a),
                ExprKind::Binary(_, a, b) => work.extend([&**a, &**b]),
                ExprKind::Conditional(_, a, b) => work.extend([&**a, &**b]),
                _ => {}
            }
        }
    }
}
