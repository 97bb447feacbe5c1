//! The syntax tree of Promela: what the parser hands to name resolution.
//!
//! The tree holds what the text says after preprocessing and inline expansion, with a span of the
//! original text at every node. It has no semantics: names are unresolved, widths unchecked.

mod expressions;
mod statements;

pub use expressions::*;
pub use statements::*;

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
    /// `_last` is named in an argument of an inline, used there or not. SPIN keeps it in the state
    /// wherever it is named.
    pub last_in_argument: bool,
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
