//! Expressions.

use crate::body::BodyKind;
use crate::constant::{fold_binary, fold_unary};
use crate::lowering::Lowering;
use crate::reference::Referent;
use crate::types::Ty;
use promenade_base::Span;
use promenade_ir::{BinaryOp, ChannelTest, Expr, UnaryOp};
use promenade_promela_syntax::ast::{self, BinaryOperator, ExprKind, UnaryOperator, VarRef};

impl Lowering<'_> {
    /// Lowers an expression. After an error the result is 0.
    pub(crate) fn expr(&mut self, e: &ast::Expr) -> Expr {
        match &e.kind {
            ExprKind::Int(value) => Expr::Const(*value),
            ExprKind::Bool(value) => Expr::Const(i32::from(*value)),
            ExprKind::Var(r) => self.read(r),
            ExprKind::Unary(op, a) => self.unary(*op, a),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Conditional(c, a, b) => {
                let (c, a, b) = (self.expr(c), self.expr(a), self.expr(b));
                Expr::Conditional(Box::new(c), Box::new(a), Box::new(b))
            }
            // The parser lets `run` stand only where statements take it apart.
            ExprKind::Run { .. } => {
                self.out.error("misplaced-run", e.span, "`run` cannot stand here");
                Expr::Const(0)
            }
            ExprKind::Len(q) => Expr::Len(Box::new(self.channel(q))),
            ExprKind::ChannelTest(test, q) => {
                let test = match test {
                    ast::ChannelTest::Full => ChannelTest::Full,
                    ast::ChannelTest::Empty => ChannelTest::Empty,
                    ast::ChannelTest::NotFull => ChannelTest::NotFull,
                    ast::ChannelTest::NotEmpty => ChannelTest::NotEmpty,
                };
                Expr::ChannelTest(test, Box::new(self.channel(q)))
            }
            ExprKind::Poll { channel, random, arguments } => {
                self.poll(channel, *random, arguments, e.span)
            }
            ExprKind::Timeout => Expr::Timeout,
            ExprKind::NonProgress => self.non_progress(e.span),
            ExprKind::Enabled(p) => {
                self.uses.enabled.get_or_insert(e.span);
                Expr::Enabled(Box::new(self.expr(p)))
            }
            ExprKind::PcValue(p) => Expr::PcValue(Box::new(self.expr(p))),
            ExprKind::GetPriority(p) => {
                self.use_priority(e.span);
                Expr::GetPriority(Box::new(self.expr(p)))
            }
            ExprKind::RemoteLabel { process, index, label } => {
                self.remote_label(process, index.as_deref(), label, e.span)
            }
            ExprKind::RemoteVar { process, index, variable } => {
                self.remote_variable(process, index.as_deref(), variable, e.span)
            }
            // Reported by the parser.
            ExprKind::CExpr(_) | ExprKind::Error => Expr::Const(0),
        }
    }

    fn unary(&mut self, op: UnaryOperator, a: &ast::Expr) -> Expr {
        let op = match op {
            UnaryOperator::Not => UnaryOp::Not,
            UnaryOperator::Negate => UnaryOp::Negate,
            UnaryOperator::Complement => UnaryOp::Complement,
        };
        let a = self.expr(a);
        match fold_unary(op, &a) {
            Some(value) => Expr::Const(value),
            None => Expr::Unary(op, Box::new(a)),
        }
    }

    fn binary(&mut self, op: BinaryOperator, a: &ast::Expr, b: &ast::Expr) -> Expr {
        let divisor = b.span;
        let (a, b) = (self.expr(a), self.expr(b));
        let op = match op {
            BinaryOperator::And => return Expr::And(Box::new(a), Box::new(b)),
            BinaryOperator::Or => return Expr::Or(Box::new(a), Box::new(b)),
            BinaryOperator::Add => BinaryOp::Add,
            BinaryOperator::Sub => BinaryOp::Sub,
            BinaryOperator::Mul => BinaryOp::Mul,
            BinaryOperator::Div => BinaryOp::Div,
            BinaryOperator::Mod => BinaryOp::Mod,
            BinaryOperator::BitAnd => BinaryOp::BitAnd,
            BinaryOperator::BitOr => BinaryOp::BitOr,
            BinaryOperator::BitXor => BinaryOp::BitXor,
            BinaryOperator::ShiftLeft => BinaryOp::ShiftLeft,
            BinaryOperator::ShiftRight => BinaryOp::ShiftRight,
            BinaryOperator::Equal => BinaryOp::Equal,
            BinaryOperator::NotEqual => BinaryOp::NotEqual,
            BinaryOperator::Less => BinaryOp::Less,
            BinaryOperator::LessEqual => BinaryOp::LessEqual,
            BinaryOperator::Greater => BinaryOp::Greater,
            BinaryOperator::GreaterEqual => BinaryOp::GreaterEqual,
        };
        if matches!(op, BinaryOp::Div | BinaryOp::Mod) && matches!(b, Expr::Const(0)) {
            self.out.warning(
                "zero-divisor",
                divisor,
                "this divides by zero",
                "It is an error of the run when it is evaluated.",
            );
        }
        match fold_binary(op, &a, &b) {
            Some(value) => Expr::Const(value),
            None => Expr::Binary(op, Box::new(a), Box::new(b)),
        }
    }

    /// The value of a variable or name.
    fn read(&mut self, r: &VarRef) -> Expr {
        match self.resolve(r) {
            None => Expr::Const(0),
            Some(Referent::Mtype(value)) => Expr::Const(value),
            Some(Referent::Pid) => {
                let outside = match self.body.kind {
                    BodyKind::Formula => "formula",
                    BodyKind::Claim => "never claim",
                    _ => return Expr::Pid,
                };
                self.out.warning(
                    "pid-in-formula",
                    r.span,
                    format!("a {outside} belongs to no process, its `_pid` is 0"),
                    "Refer to a process by its number, as in `P[1]@label`.",
                );
                Expr::Const(0)
            }
            Some(Referent::NrPr) => Expr::NrPr,
            Some(Referent::Last) => Expr::Last,
            Some(Referent::Priority) => Expr::Priority,
            Some(Referent::Nothing) => {
                self.out.error_hint(
                    "read-of-nothing",
                    r.span,
                    "`_` has no value",
                    "It can only be assigned and received into.",
                );
                Expr::Const(0)
            }
            Some(Referent::Cell(cell)) => {
                if let Ty::Struct(index) = cell.shape.ty {
                    self.whole_structure(r, index);
                    return Expr::Const(0);
                }
                Expr::Load(cell.place)
            }
        }
    }

    /// A structure stands where a value is needed.
    pub(crate) fn whole_structure(&mut self, r: &VarRef, index: usize) {
        let fields = self.structs[index].fields.first().map_or("", |f| &*f.name).to_owned();
        self.out.error_hint(
            "structure-as-value",
            r.span,
            format!("`{}` is a structure and has no value as a whole", crate::text::reference(r)),
            format!("Name a field, such as `{}.{fields}`.", crate::text::reference(r)),
        );
    }

    fn non_progress(&mut self, span: Span) -> Expr {
        if !matches!(self.body.kind, BodyKind::Claim | BodyKind::Formula) {
            self.out.error_hint(
                "np-outside-claim",
                span,
                "`np_` can only be used in a never claim or a formula",
                "To find cycles without progress, check for non-progress cycles.",
            );
        }
        Expr::NonProgress
    }

    /// The model mentions priorities.
    pub(crate) fn use_priority(&mut self, span: Span) {
        self.uses.priority.get_or_insert(span);
        self.model.uses_priorities = true;
    }
}
