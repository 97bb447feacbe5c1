//! Statements and expressions as one line of Promela, for traces.

use promenade_promela_syntax::ast::{
    BinaryOperator, ChannelTest, Expr, ExprKind, ReceiveArgument, UnaryOperator, VarRef,
};
use std::fmt::Write;

/// Texts longer than this end in dots.
const MAX_CHARS: usize = 240;

/// An expression with as few parentheses as it needs.
pub(crate) fn expression(e: &Expr) -> String {
    let mut out = Text::default();
    out.expr(e, 0);
    out.finish()
}

/// An expression as a statement: operators in parentheses.
pub(crate) fn condition(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Binary(..) | ExprKind::Unary(..) | ExprKind::Var(_) | ExprKind::Int(_) => {
            format!("({})", expression(e))
        }
        _ => expression(e),
    }
}

/// A reference.
pub(crate) fn reference(r: &VarRef) -> String {
    let mut out = Text::default();
    out.reference(r);
    out.finish()
}

/// `q!a,b`
pub(crate) fn send(channel: &VarRef, sorted: bool, arguments: &[Expr]) -> String {
    let mut out = Text::default();
    out.reference(channel);
    out.push(if sorted { "!!" } else { "!" });
    out.list(arguments);
    out.finish()
}

/// `q?a,b`
pub(crate) fn receive(
    channel: &VarRef,
    random: bool,
    keep: bool,
    arguments: &[ReceiveArgument],
) -> String {
    let mut out = Text::default();
    out.reference(channel);
    out.push(if random { "??" } else { "?" });
    out.push(if keep { "<" } else { "" });
    out.fields(arguments);
    out.push(if keep { ">" } else { "" });
    out.finish()
}

/// `printf("..",a,b)`
pub(crate) fn printf(format: &str, arguments: &[Expr]) -> String {
    let mut out = Text::default();
    out.push("printf(\"");
    out.push(format);
    out.push("\"");
    if !arguments.is_empty() {
        out.push(",");
        out.list(arguments);
    }
    out.push(")");
    out.finish()
}

#[derive(Default)]
struct Text {
    text: String,
}

impl Text {
    fn push(&mut self, part: &str) {
        if self.text.len() <= MAX_CHARS {
            self.text.push_str(part);
        }
    }

    fn full(&self) -> bool {
        self.text.len() > MAX_CHARS
    }

    fn finish(mut self) -> String {
        if self.full() {
            let end = (0..=MAX_CHARS).rev().find(|&i| self.text.is_char_boundary(i));
            self.text.truncate(end.unwrap_or(0));
            self.text.push_str(" ..");
        }
        self.text.replace(['\n', '\r', '\t'], " ")
    }

    fn reference(&mut self, r: &VarRef) {
        for (i, segment) in r.segments.iter().enumerate() {
            if i > 0 {
                self.push(".");
            }
            self.push(&segment.name.text);
            if let Some(index) = &segment.index {
                self.push("[");
                self.expr(index, 0);
                self.push("]");
            }
        }
    }

    fn list(&mut self, list: &[Expr]) {
        for (i, e) in list.iter().enumerate() {
            if i > 0 {
                self.push(",");
            }
            self.expr(e, 0);
        }
    }

    fn fields(&mut self, list: &[ReceiveArgument]) {
        for (i, argument) in list.iter().enumerate() {
            if i > 0 {
                self.push(",");
            }
            match argument {
                ReceiveArgument::Variable(r) => self.reference(r),
                ReceiveArgument::Constant(value, _) => {
                    let _ = write!(self.text, "{value}");
                }
                ReceiveArgument::Eval(e, _) => self.call("eval", e),
            }
        }
    }

    fn call(&mut self, name: &str, e: &Expr) {
        self.push(name);
        self.push("(");
        self.expr(e, 0);
        self.push(")");
    }

    /// `level`: operators that bind less tightly stand in parentheses.
    fn expr(&mut self, e: &Expr, level: u8) {
        if self.full() {
            return;
        }
        match &e.kind {
            ExprKind::Int(value) => {
                let _ = write!(self.text, "{value}");
            }
            ExprKind::Bool(value) => self.push(if *value { "true" } else { "false" }),
            ExprKind::Var(r) => self.reference(r),
            ExprKind::Unary(op, a) => {
                self.push(match op {
                    UnaryOperator::Not => "!",
                    UnaryOperator::Negate => "-",
                    UnaryOperator::Complement => "~",
                });
                self.expr(a, 12);
            }
            ExprKind::Binary(op, a, b) => {
                let (symbol, own) = operator(*op);
                if own < level {
                    self.push("(");
                }
                self.expr(a, own);
                self.push(" ");
                self.push(symbol);
                self.push(" ");
                self.expr(b, own + 1);
                if own < level {
                    self.push(")");
                }
            }
            ExprKind::Conditional(c, a, b) => {
                self.push("(");
                self.expr(c, 0);
                self.push(" -> ");
                self.expr(a, 0);
                self.push(" : ");
                self.expr(b, 0);
                self.push(")");
            }
            ExprKind::Run { name, arguments, priority } => {
                self.push("run ");
                self.push(&name.text);
                self.push("(");
                self.list(arguments);
                self.push(")");
                if let Some(priority) = priority {
                    self.push(" priority ");
                    self.expr(priority, 0);
                }
            }
            ExprKind::Len(q) => self.channel_call("len", q),
            ExprKind::ChannelTest(test, q) => {
                let name = match test {
                    ChannelTest::Full => "full",
                    ChannelTest::Empty => "empty",
                    ChannelTest::NotFull => "nfull",
                    ChannelTest::NotEmpty => "nempty",
                };
                self.channel_call(name, q);
            }
            ExprKind::Poll { channel, random, arguments } => {
                self.reference(channel);
                self.push(if *random { "??[" } else { "?[" });
                self.fields(arguments);
                self.push("]");
            }
            ExprKind::Timeout => self.push("timeout"),
            ExprKind::NonProgress => self.push("np_"),
            ExprKind::Enabled(p) => self.call("enabled", p),
            ExprKind::PcValue(p) => self.call("pc_value", p),
            ExprKind::GetPriority(p) => self.call("get_priority", p),
            ExprKind::RemoteLabel { process, index, label } => {
                self.remote(&process.text, index.as_deref());
                self.push("@");
                self.push(&label.text);
            }
            ExprKind::RemoteVar { process, index, variable } => {
                self.remote(&process.text, index.as_deref());
                self.push(":");
                self.reference(variable);
            }
            ExprKind::CExpr(_) => self.push("c_expr"),
            ExprKind::Error => self.push("?"),
        }
    }

    fn channel_call(&mut self, name: &str, q: &VarRef) {
        self.push(name);
        self.push("(");
        self.reference(q);
        self.push(")");
    }

    fn remote(&mut self, process: &str, index: Option<&Expr>) {
        self.push(process);
        if let Some(index) = index {
            self.push("[");
            self.expr(index, 0);
            self.push("]");
        }
    }
}

/// Symbol and tightness.
fn operator(op: BinaryOperator) -> (&'static str, u8) {
    match op {
        BinaryOperator::Or => ("||", 1),
        BinaryOperator::And => ("&&", 2),
        BinaryOperator::BitOr => ("|", 3),
        BinaryOperator::BitXor => ("^", 4),
        BinaryOperator::BitAnd => ("&", 5),
        BinaryOperator::Equal => ("==", 6),
        BinaryOperator::NotEqual => ("!=", 6),
        BinaryOperator::Less => ("<", 7),
        BinaryOperator::LessEqual => ("<=", 7),
        BinaryOperator::Greater => (">", 7),
        BinaryOperator::GreaterEqual => (">=", 7),
        BinaryOperator::ShiftLeft => ("<<", 8),
        BinaryOperator::ShiftRight => (">>", 8),
        BinaryOperator::Add => ("+", 9),
        BinaryOperator::Sub => ("-", 9),
        BinaryOperator::Mul => ("*", 10),
        BinaryOperator::Div => ("/", 10),
        BinaryOperator::Mod => ("%", 10),
    }
}
