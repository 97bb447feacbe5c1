//! Statements and expressions as one line of text, for traces.

use promenade_promela_syntax::ast::*;
use std::fmt::Write;

pub(crate) fn expr(e: &Expr) -> String {
    let mut out = String::new();
    write_expr(&mut out, e, 0);
    out
}

pub(crate) fn var(v: &VarRef) -> String {
    let mut out = String::new();
    for (i, segment) in v.segments.iter().enumerate() {
        if i > 0 {
            out.push('.');
        }
        out.push_str(&segment.name.text);
        if let Some(index) = &segment.index {
            let _ = write!(out, "[{}]", expr(index));
        }
    }
    out
}

pub(crate) fn list(items: &[Expr]) -> String {
    items.iter().map(expr).collect::<Vec<_>>().join(",")
}

pub(crate) fn receive(arguments: &[ReceiveArgument]) -> String {
    let one = |a: &ReceiveArgument| match a {
        ReceiveArgument::Variable(v) => var(v),
        ReceiveArgument::Constant(n, _) => n.to_string(),
        ReceiveArgument::Eval(e, _) => format!("eval({})", expr(e)),
    };
    arguments.iter().map(one).collect::<Vec<_>>().join(",")
}

fn operator(op: BinaryOperator) -> (&'static str, u8) {
    use BinaryOperator as B;
    match op {
        B::Or => ("||", 1),
        B::And => ("&&", 2),
        B::BitOr => ("|", 3),
        B::BitXor => ("^", 4),
        B::BitAnd => ("&", 5),
        B::Equal => ("==", 6),
        B::NotEqual => ("!=", 6),
        B::Less => ("<", 7),
        B::LessEqual => ("<=", 7),
        B::Greater => (">", 7),
        B::GreaterEqual => (">=", 7),
        B::ShiftLeft => ("<<", 8),
        B::ShiftRight => (">>", 8),
        B::Add => ("+", 9),
        B::Sub => ("-", 9),
        B::Mul => ("*", 10),
        B::Div => ("/", 10),
        B::Mod => ("%", 10),
    }
}

fn write_expr(out: &mut String, e: &Expr, outer: u8) {
    match &e.kind {
        ExprKind::Int(n) => {
            let _ = write!(out, "{n}");
        }
        ExprKind::Bool(b) => {
            let _ = write!(out, "{b}");
        }
        ExprKind::Var(v) => out.push_str(&var(v)),
        ExprKind::Unary(op, inner) => {
            out.push(match op {
                UnaryOperator::Not => '!',
                UnaryOperator::Negate => '-',
                UnaryOperator::Complement => '~',
            });
            write_expr(out, inner, 11);
        }
        ExprKind::Binary(op, a, b) => {
            let (text, level) = operator(*op);
            if level < outer {
                out.push('(');
            }
            write_expr(out, a, level);
            let _ = write!(out, " {text} ");
            write_expr(out, b, level + 1);
            if level < outer {
                out.push(')');
            }
        }
        ExprKind::Conditional(c, a, b) => {
            let _ = write!(out, "({} -> {} : {})", expr(c), expr(a), expr(b));
        }
        ExprKind::Run { name, arguments, .. } => {
            let _ = write!(out, "run {}({})", name.text, list(arguments));
        }
        ExprKind::Len(q) => {
            let _ = write!(out, "len({})", var(q));
        }
        ExprKind::ChannelTest(test, q) => {
            let name = match test {
                ChannelTest::Full => "full",
                ChannelTest::Empty => "empty",
                ChannelTest::NotFull => "nfull",
                ChannelTest::NotEmpty => "nempty",
            };
            let _ = write!(out, "{name}({})", var(q));
        }
        ExprKind::Poll { channel, random, arguments } => {
            let mark = if *random { "??" } else { "?" };
            let _ = write!(out, "{}{mark}[{}]", var(channel), receive(arguments));
        }
        ExprKind::Timeout => out.push_str("timeout"),
        ExprKind::NonProgress => out.push_str("np_"),
        ExprKind::Enabled(p) => {
            let _ = write!(out, "enabled({})", expr(p));
        }
        ExprKind::PcValue(p) => {
            let _ = write!(out, "pc_value({})", expr(p));
        }
        ExprKind::GetPriority(p) => {
            let _ = write!(out, "get_priority({})", expr(p));
        }
        ExprKind::RemoteLabel { process, index, label } => {
            let index = index.as_ref().map(|i| format!("[{}]", expr(i))).unwrap_or_default();
            let _ = write!(out, "{}{index}@{}", process.text, label.text);
        }
        ExprKind::RemoteVar { process, index, variable } => {
            let index = index.as_ref().map(|i| format!("[{}]", expr(i))).unwrap_or_default();
            let _ = write!(out, "{}{index}:{}", process.text, var(variable));
        }
        ExprKind::CExpr(_) => out.push_str("c_expr"),
        ExprKind::Error => out.push('?'),
    }
}
