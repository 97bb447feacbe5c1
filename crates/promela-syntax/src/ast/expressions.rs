//! Expressions and references.

use super::{CCode, Name, ReceiveArgument};
use promenade_base::Span;

/// `a.b[i].c`
#[derive(Clone, Debug)]
pub struct VarRef {
    /// At least one segment.
    pub segments: Vec<Segment>,
    /// The whole reference.
    pub span: Span,
}

/// One name of a reference with its index.
#[derive(Clone, Debug)]
pub struct Segment {
    /// Variable or field; special names such as `_pid`, `_nr_pr`, `_last`, `_priority` and `_` too.
    pub name: Name,
    /// `[e]`
    pub index: Option<Box<Expr>>,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its place.
    pub span: Span,
}

/// Kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number or character constant, already cut to 32 bits as SPIN does.
    Int(i32),
    /// `true`, `skip` (1) or `false` (0).
    Bool(bool),
    /// A variable, an mtype name, or a special name.
    Var(VarRef),
    /// Prefix operator.
    Unary(UnaryOperator, Box<Expr>),
    /// Infix operator.
    Binary(BinaryOperator, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `run P(args) priority n`
    Run {
        /// The proctype.
        name: Name,
        /// Arguments.
        arguments: Vec<Expr>,
        /// `priority n`
        priority: Option<Box<Expr>>,
    },
    /// `len(q)`
    Len(VarRef),
    /// `full(q)` and its kin.
    ChannelTest(ChannelTest, VarRef),
    /// `q?[args]`, `q??[args]`
    Poll {
        /// The channel.
        channel: VarRef,
        /// `??`
        random: bool,
        /// The fields.
        arguments: Vec<ReceiveArgument>,
    },
    /// `timeout`
    Timeout,
    /// `np_`
    NonProgress,
    /// `enabled(p)`
    Enabled(Box<Expr>),
    /// `pc_value(p)`
    PcValue(Box<Expr>),
    /// `get_priority(p)`
    GetPriority(Box<Expr>),
    /// `P[i]@label` or `P@label`
    RemoteLabel {
        /// The proctype.
        process: Name,
        /// `[i]`
        index: Option<Box<Expr>>,
        /// The label.
        label: Name,
    },
    /// `P[i]:x` or `P:x`
    RemoteVar {
        /// The proctype.
        process: Name,
        /// `[i]`
        index: Option<Box<Expr>>,
        /// The variable of that process.
        variable: VarRef,
    },
    /// `c_expr { .. }`
    CExpr(CCode),
    /// Something that could not be read; an error was reported.
    Error,
}

/// Prefix operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOperator {
    /// `!`
    Not,
    /// `-`
    Negate,
    /// `~`
    Complement,
}

/// Infix operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOperator {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Mod,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Channel tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChannelTest {
    /// `full`
    Full,
    /// `empty`
    Empty,
    /// `nfull`
    NotFull,
    /// `nempty`
    NotEmpty,
}
