//! The syntax tree of Promela: what the parser hands to name resolution.
//!
//! The tree holds what the text says after preprocessing and inline expansion, with a span of the
//! original text at every node. It has no semantics: names are unresolved, widths unchecked.

use promenade_base::Span;
use std::rc::Rc;

/// An identifier with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The text.
    pub text: Rc<str>,
    /// Where it stands.
    pub span: Span,
}

/// A whole model.
#[derive(Clone, Debug, Default)]
pub struct Specification {
    /// Top-level units in the order of the text.
    pub items: Vec<Item>,
}

/// A top-level unit.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // most units are process types anyway
pub enum Item {
    /// `mtype = { a, b }` or `mtype:set = { .. }`.
    Mtype(MtypeList),
    /// `typedef T { .. }`.
    Typedef(Typedef),
    /// A global declaration.
    Declaration(Declaration),
    /// `proctype`, `active proctype`, `D_proctype`.
    Proctype(Proctype),
    /// `init { .. }`.
    Init(Init),
    /// `never { .. }`.
    Never(Claim),
    /// `trace { .. }` or `notrace { .. }`.
    Trace(TraceAssertion),
    /// `inline f(..) { .. }`: kept for navigation, its calls are already expanded.
    Inline(InlineDefinition),
    /// `ltl name { .. }`.
    Ltl(LtlBlock),
    /// `c_decl`, `c_code`, `c_state`, `c_track` at top level.
    CCode(CCode),
}

/// `mtype = { .. }`.
#[derive(Clone, Debug)]
pub struct MtypeList {
    /// The set in `mtype:set`, or none for the plain one.
    pub set: Option<Name>,
    /// Names in the order of the text (numbered by the front end from the end of the list).
    pub names: Vec<Name>,
    /// The whole declaration.
    pub span: Span,
}

/// `typedef name { fields }`.
#[derive(Clone, Debug)]
pub struct Typedef {
    /// The new type's name.
    pub name: Name,
    /// Its fields.
    pub fields: Vec<Declaration>,
    /// The whole declaration.
    pub span: Span,
}

/// A type as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeName {
    /// `bit`
    Bit,
    /// `bool`
    Bool,
    /// `byte`
    Byte,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `unsigned`, width with the declarator
    Unsigned,
    /// `pid`
    Pid,
    /// `chan`
    Chan,
    /// `mtype` or `mtype:set`
    Mtype(Option<Name>),
    /// a typedef's name
    Named(Name),
}

/// `hidden`, `show`, `local` in front of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Visibility {
    /// nothing written
    #[default]
    Plain,
    /// `hidden`: not part of the state
    Hidden,
    /// `show`
    Show,
    /// `local`
    Local,
}

/// `byte a, b[3] = 1`: one type, several declarators.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Prefix.
    pub visibility: Visibility,
    /// Type.
    pub ty: TypeName,
    /// Place of the type.
    pub type_span: Span,
    /// What is declared.
    pub declarators: Vec<Declarator>,
    /// The whole declaration without its separator.
    pub span: Span,
}

/// One declared name.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// The name.
    pub name: Name,
    /// `: n`, for `unsigned`.
    pub width: Option<Expr>,
    /// `[n]`.
    pub array: Option<Expr>,
    /// `= ..`.
    pub initializer: Option<Initializer>,
}

/// What stands behind `=` in a declaration.
#[derive(Clone, Debug)]
pub enum Initializer {
    /// A value.
    Value(Expr),
    /// `{ a, b, .. }`.
    List(Vec<Expr>, Span),
    /// `[capacity] of { types }`.
    Channel {
        /// Number of slots; 0 is rendezvous.
        capacity: Expr,
        /// Message fields.
        fields: Vec<(TypeName, Span)>,
        /// The whole initializer.
        span: Span,
    },
}

/// A process type.
#[derive(Clone, Debug)]
pub struct Proctype {
    /// `D_proctype`.
    pub deterministic: bool,
    /// `active` without a number is `Some(None)`.
    pub active: Option<Option<Expr>>,
    /// The name.
    pub name: Name,
    /// Parameters.
    pub parameters: Vec<Declaration>,
    /// `priority n`.
    pub priority: Option<Expr>,
    /// `provided (e)`.
    pub provided: Option<Expr>,
    /// The body.
    pub body: Sequence,
    /// From the first keyword to the closing brace.
    pub span: Span,
}

/// `init priority n { .. }`.
#[derive(Clone, Debug)]
pub struct Init {
    /// `priority n`.
    pub priority: Option<Expr>,
    /// The body.
    pub body: Sequence,
    /// The keyword, for messages.
    pub keyword: Span,
    /// The whole unit.
    pub span: Span,
}

/// `never name { .. }`.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The optional name.
    pub name: Option<Name>,
    /// The body.
    pub body: Sequence,
    /// The whole unit.
    pub span: Span,
}

/// `trace name { .. }` or `notrace name { .. }`.
#[derive(Clone, Debug)]
pub struct TraceAssertion {
    /// `notrace`.
    pub negated: bool,
    /// The optional name.
    pub name: Option<Name>,
    /// The body.
    pub body: Sequence,
    /// The whole unit.
    pub span: Span,
}

/// `inline name(parameters) { .. }`.
#[derive(Clone, Debug)]
pub struct InlineDefinition {
    /// The name.
    pub name: Name,
    /// Parameter names.
    pub parameters: Vec<Name>,
    /// The body with its braces, in the original text.
    pub body: Span,
    /// The whole unit.
    pub span: Span,
}

/// `ltl name { formula }`.
#[derive(Clone, Debug)]
pub struct LtlBlock {
    /// The optional name.
    pub name: Option<Name>,
    /// The formula; absent when it could not be read.
    pub formula: Option<Formula>,
    /// The formula as written (between the braces, after preprocessing).
    pub text: String,
    /// The whole unit.
    pub span: Span,
}

/// A linear temporal logic formula over Promela expressions.
#[derive(Clone, Debug)]
pub struct Formula {
    /// What it is.
    pub kind: FormulaKind,
    /// Its place.
    pub span: Span,
}

/// Kinds of formulas.
#[derive(Clone, Debug)]
pub enum FormulaKind {
    /// A state expression (constants included).
    Atom(Expr),
    /// `! f`
    Not(Box<Formula>),
    /// `X f`
    Next(Box<Formula>),
    /// `[] f`
    Always(Box<Formula>),
    /// `<> f`
    Eventually(Box<Formula>),
    /// `f op g`
    Binary(FormulaOperator, Box<Formula>, Box<Formula>),
}

/// Binary operators of formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormulaOperator {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `->`
    Implies,
    /// `<->`
    Equivalent,
    /// `U`
    Until,
    /// `W`
    WeakUntil,
    /// `V`, `R`
    Release,
}

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
