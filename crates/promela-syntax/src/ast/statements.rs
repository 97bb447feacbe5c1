//! Statements.

use super::{Declaration, Expr, MtypeList, Name, VarRef};
use promenade_base::Span;

/// `{ .. }`: statements in order.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    /// The statements.
    pub statements: Vec<Statement>,
    /// From brace to brace, or from the first to the last statement of an option.
    pub span: Span,
    /// The last byte position: the closing brace, or the end of the option.
    pub end: Span,
}

/// A labelled statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Labels in front of it. A label right before `}` labels an added `skip`, whose
    /// [`StatementKind::Skip`] has `implied: true`.
    pub labels: Vec<Name>,
    /// What it does.
    pub kind: StatementKind,
    /// Its place without labels.
    pub span: Span,
}

/// Kinds of statements.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// A declaration inside a body.
    Declaration(Declaration),
    /// `mtype` list inside a body (an error that resolution reports).
    Mtype(MtypeList),
    /// `xr q1, q2`.
    ExclusiveReceive(Vec<VarRef>),
    /// `xs q1, q2`.
    ExclusiveSend(Vec<VarRef>),
    /// `skip` (written so, not `true` or `1`); `implied` when added behind a last label.
    Skip {
        /// Not in the text.
        implied: bool,
    },
    /// `x = e`; the right side may be a [`ExprKind::Run`].
    Assign(VarRef, Expr),
    /// `x++`
    Increment(VarRef),
    /// `x--`
    Decrement(VarRef),
    /// An expression as a statement (`run P()` alone, `timeout`, conditions).
    Expr(Expr),
    /// `else`
    Else,
    /// `break`
    Break,
    /// `goto L`
    Goto(Name),
    /// `assert(e)`
    Assert(Expr),
    /// `printf("..", args)`; the format without quotes, escapes as written.
    Printf(String, Vec<Expr>),
    /// `printm(e)`
    Printm(Expr),
    /// `q!args` or `q!!args`; `q!a(b,c)` is stored as `a,b,c`.
    Send {
        /// The channel.
        channel: VarRef,
        /// `!!`
        sorted: bool,
        /// The fields.
        arguments: Vec<Expr>,
    },
    /// `q?args`, `q??args`, `q?<args>`, `q??<args>`.
    Receive {
        /// The channel.
        channel: VarRef,
        /// `??`
        random: bool,
        /// `<..>`: the message stays.
        keep: bool,
        /// The fields.
        arguments: Vec<ReceiveArgument>,
    },
    /// `if :: .. fi`
    If(Vec<Sequence>),
    /// `do :: .. od`
    Do(Vec<Sequence>),
    /// `atomic { .. }`
    Atomic(Sequence),
    /// `d_step { .. }`
    DStep(Sequence),
    /// `{ .. }`
    Block(Sequence),
    /// `main unless escape`
    Unless(Box<Statement>, Box<Statement>),
    /// `for (v : a .. b) { .. }`
    ForRange {
        /// Loop variable.
        variable: VarRef,
        /// First value.
        from: Expr,
        /// Last value.
        to: Expr,
        /// Body.
        body: Sequence,
    },
    /// `for (v in container) { .. }`
    ForIn {
        /// Loop variable.
        variable: VarRef,
        /// An array or a channel.
        container: VarRef,
        /// Body.
        body: Sequence,
    },
    /// `select (v : a .. b)`
    Select {
        /// The variable.
        variable: VarRef,
        /// Smallest value.
        from: Expr,
        /// Largest value.
        to: Expr,
        /// The statement was expanded from an inline (SPIN then uses the loop form).
        in_inline: bool,
    },
    /// An expanded call of an inline. The body's spans lie in the inline's text (arguments' spans
    /// at the call). With `x = f(..)`, `result` is the target and the body's
    /// [`StatementKind::Return`] assigns to it.
    InlineCall {
        /// The inline's name at the call.
        name: Name,
        /// Where a returned value goes.
        result: Option<VarRef>,
        /// The body with arguments substituted.
        body: Sequence,
    },
    /// `return e` inside an inline.
    Return(Expr),
    /// `set_priority(p, n)`
    SetPriority(Expr, Expr),
    /// `c_code { .. }` or `c_code [guard] { .. }`
    CCode(CCode),
    /// Something that could not be read; an error was reported.
    Error,
}

/// A field of a receive or poll.
#[derive(Clone, Debug)]
pub enum ReceiveArgument {
    /// A variable to assign, `_`, or an mtype name (resolution decides which).
    Variable(VarRef),
    /// A constant, with sign.
    Constant(i64, Span),
    /// `eval(e)`
    Eval(Expr, Span),
}

/// Embedded C, recognised so that the message can say what to do instead.
#[derive(Clone, Debug)]
pub struct CCode {
    /// `c_code`, `c_expr`, `c_decl`, `c_state` or `c_track`.
    pub keyword: &'static str,
    /// The whole unit.
    pub span: Span,
}
