//! Expressions and places. All arithmetic is 32 bits signed and wraps, as compiled C does.

use crate::{LocationId, Pattern, ProctypeId, ScalarType};
use promenade_base::Span;

/// Where a place lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Region {
    /// Global variables, part of the state.
    Global,
    /// Locals of the process that executes (or of the process named by a remote reference).
    Local,
    /// `hidden` globals: carried along with a state but not part of its identity.
    Hidden,
}

/// An assignable cell: a fixed byte offset plus index terms.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where.
    pub region: Region,
    /// Byte offset with all indices 0.
    pub offset: u32,
    /// The type of the cell.
    pub ty: ScalarType,
    /// Array indices from left to right; constant ones that are in range are folded into `offset`.
    pub indices: Vec<IndexTerm>,
}

/// One array index: adds `value * stride` to the offset; a value outside `0..length` is the
/// run-time error "index out of bounds".
#[derive(Clone, Debug)]
pub struct IndexTerm {
    /// The index.
    pub value: Expr,
    /// Number of elements.
    pub length: u32,
    /// Bytes per element.
    pub stride: u32,
    /// The index expression, for messages.
    pub span: Span,
}

/// Prefix operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// 1 if zero, else 0
    Not,
    /// two's complement
    Negate,
    /// bitwise
    Complement,
}

/// Strict infix operators; comparisons give 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// Division by zero is a run-time error.
    Div,
    /// Division by zero is a run-time error.
    Mod,
    BitAnd,
    BitOr,
    BitXor,
    /// The count is taken modulo 32, as x86 does.
    ShiftLeft,
    /// Arithmetic shift; the count is taken modulo 32.
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// Channel tests. A rendezvous channel is always empty and never full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum ChannelTest {
    Full,
    Empty,
    NotFull,
    NotEmpty,
}

/// An expression without side effects.
#[derive(Clone, Debug)]
pub enum Expr {
    /// A constant.
    Const(i32),
    /// The value of a cell.
    Load(Place),
    /// `_pid`
    Pid,
    /// `_nr_pr`: processes present, zombies included, claim excluded.
    NrPr,
    /// `_last`: pid of the process that made the previous step, 0 at first.
    Last,
    /// `_priority` of the executing process.
    Priority,
    /// True when no process can make a step without it.
    Timeout,
    /// `np_`: no process is at a progress location.
    NonProgress,
    /// Prefix operator.
    Unary(UnaryOp, Box<Expr>),
    /// Strict infix operator.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Short-circuit and, 0 or 1.
    And(Box<Expr>, Box<Expr>),
    /// Short-circuit or, 0 or 1.
    Or(Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `len(q)`; the operand is a channel number.
    Len(Box<Expr>),
    /// `full(q)` and kin.
    ChannelTest(ChannelTest, Box<Expr>),
    /// `q?[..]` or `q??[..]`: whether a receive would succeed; variables match anything.
    Poll {
        /// Channel number.
        channel: Box<Expr>,
        /// Any message, not only the oldest.
        random: bool,
        /// One per field ([`Pattern::Store`] does not occur).
        patterns: Vec<Pattern>,
    },
    /// `enabled(p)`
    Enabled(Box<Expr>),
    /// `pc_value(p)`: the location number plus one; 0 if there is no such process.
    PcValue(Box<Expr>),
    /// `get_priority(p)`
    GetPriority(Box<Expr>),
    /// `P[i]@label`: 1 if process `i` is at one of these locations; 0 if it does not exist. Without
    /// an index the oldest instance of the type.
    RemoteLocation {
        /// The type that process `i` must have (another one is a run-time error).
        proctype: ProctypeId,
        /// The pid.
        index: Option<Box<Expr>>,
        /// The locations that carry the label.
        locations: Vec<LocationId>,
    },
    /// `P[i]:x`; 0 if there is no such process.
    RemoteLoad {
        /// The type that process `i` must have (another one is a run-time error).
        proctype: ProctypeId,
        /// The pid.
        index: Option<Box<Expr>>,
        /// A place in its locals; index expressions are evaluated by the executing process.
        place: Place,
    },
}
