//! The text of a formula, read into a syntax tree.
//!
//! The operators are those of SPIN's `ltl` blocks in all spellings, the letters of Spot and the usual
//! mathematical signs. What is not an operator of the logic belongs to an atomic proposition: in
//! `(x > 3 && y == 2) U done` the propositions are `x > 3`, `y == 2` and `done`.

mod grammar;
mod lexer;
mod mixed;
mod primary;
mod readings;
#[cfg(test)]
mod tests;

use crate::{Formula, Formulas, MAX_ATOMS};
use promenade_base::{Checked, Diagnostic, Span};

pub(crate) use grammar::is_operator_word;
pub use readings::Ghost;

/// How deep parentheses and prefix operators may nest.
pub const MAX_NESTING: usize = 200;
/// How many operators and operands a formula may have.
pub const MAX_NODES: usize = 4000;
/// How high the tree may be: chains such as `a U b U c` count too.
pub const MAX_HEIGHT: usize = 600;

/// Which operators bind tighter, and to which side chains group.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Reading {
    /// As in `ltl` blocks of a model: from tight to loose the prefix operators, `U V W`, `&&`,
    /// `||`, then `->` and `<->` on one level; chains group to the left.
    #[default]
    Blocks,
    /// As in `spin -f`: `U V W` bind tighter than `&& || -> <->`, which share one level; chains
    /// group to the left.
    CommandLine,
    /// As in Spot: levels as in blocks, but `U V W R M` and `-> <->` group to the right.
    RightAssociative,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOperator {
    /// `!`
    Not,
    /// `X`
    Next,
    /// `<>`
    Eventually,
    /// `[]`
    Always,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOperator {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `^`
    Xor,
    /// `->`
    Implies,
    /// `<->`
    Equivalent,
    /// `U`
    Until,
    /// `W`
    WeakUntil,
    /// `V`
    Release,
    /// `M`
    StrongRelease,
}

impl UnaryOperator {
    /// SPIN's spelling.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Not => "!",
            Self::Next => "X",
            Self::Eventually => "<>",
            Self::Always => "[]",
        }
    }
}

impl BinaryOperator {
    /// SPIN's spelling, or Spot's where SPIN has none.
    pub fn sign(self) -> &'static str {
        match self {
            Self::And => "&&",
            Self::Or => "||",
            Self::Xor => "^",
            Self::Implies => "->",
            Self::Equivalent => "<->",
            Self::Until => "U",
            Self::WeakUntil => "W",
            Self::Release => "V",
            Self::StrongRelease => "M",
        }
    }

    /// Whether it speaks about more than one position.
    pub fn is_temporal(self) -> bool {
        matches!(self, Self::Until | Self::WeakUntil | Self::Release | Self::StrongRelease)
    }
}

/// A part of the formula as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Syntax {
    /// What it is.
    pub kind: SyntaxKind,
    /// Where it stands, with the parentheses directly around it.
    pub span: Span,
    /// Whether the text has parentheses directly around it.
    pub parenthesised: bool,
}

/// The topmost operator of a part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SyntaxKind {
    /// `true`, `1`, `false`, `0`.
    Constant(bool),
    /// A proposition, as an index of [`Parsed::atoms`].
    Atom(usize),
    /// An operator with its operand.
    Unary(UnaryOperator, Box<Syntax>),
    /// An operator with its operands.
    Binary(BinaryOperator, Box<Syntax>, Box<Syntax>),
}

/// An atomic proposition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atom {
    /// Its text in a regular spelling; equal texts are one proposition.
    pub text: String,
    /// Where it stands first.
    pub span: Span,
}

/// What was read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parsed {
    /// The tree; `None` if the text is no formula, which the diagnostics explain.
    pub syntax: Option<Syntax>,
    /// The propositions in the order of their first places.
    pub atoms: Vec<Atom>,
}

/// Texts of propositions by number, to share the numbers between several formulas.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Propositions {
    texts: Vec<String>,
}

impl Propositions {
    /// No proposition yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of a text, a new one if need be; `None` if [`MAX_ATOMS`] are used.
    pub fn number(&mut self, text: &str) -> Option<u32> {
        let known = self.texts.iter().position(|other| other == text);
        let index = known.unwrap_or(self.texts.len());
        if index >= MAX_ATOMS as usize {
            return None;
        }
        if known.is_none() {
            self.texts.push(text.to_owned());
        }
        Some(index as u32)
    }

    /// The texts in the order of their numbers.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }
}

impl Parsed {
    /// The formula with the propositions numbered as in [`Parsed::atoms`]; `None` if there is no
    /// tree.
    pub fn formula(&self, table: &mut Formulas) -> Option<Formula> {
        let numbers: Vec<u32> = (0..self.atoms.len() as u32).collect();
        self.build(table, &numbers)
    }

    /// The formula with numbers shared with other formulas; `None` if there is no tree or there
    /// are too many propositions.
    pub fn formula_with(&self, table: &mut Formulas, names: &mut Propositions) -> Option<Formula> {
        let numbers = self.atoms.iter().map(|atom| names.number(&atom.text));
        let numbers: Vec<u32> = numbers.collect::<Option<_>>()?;
        self.build(table, &numbers)
    }

    fn build(&self, table: &mut Formulas, numbers: &[u32]) -> Option<Formula> {
        self.syntax.as_ref().and_then(|syntax| syntax.formula(table, numbers))
    }

    /// The texts of the propositions in their order.
    pub fn atom_texts(&self) -> Vec<String> {
        self.atoms.iter().map(|atom| atom.text.clone()).collect()
    }
}

impl Syntax {
    /// The formula, with `numbers[i]` for proposition `i`; `None` if there is no such number.
    pub fn formula(&self, table: &mut Formulas, numbers: &[u32]) -> Option<Formula> {
        Some(match &self.kind {
            SyntaxKind::Constant(value) => table.constant(*value),
            SyntaxKind::Atom(index) => {
                table.atom(numbers.get(*index).copied().filter(|&n| n < MAX_ATOMS)?)
            }
            SyntaxKind::Unary(operator, operand) => {
                let f = operand.formula(table, numbers)?;
                match operator {
                    UnaryOperator::Not => table.not(f),
                    UnaryOperator::Next => table.next(f),
                    UnaryOperator::Eventually => table.eventually(f),
                    UnaryOperator::Always => table.always(f),
                }
            }
            SyntaxKind::Binary(operator, left, right) => {
                let f = left.formula(table, numbers)?;
                let g = right.formula(table, numbers)?;
                match operator {
                    BinaryOperator::And => table.and([f, g]),
                    BinaryOperator::Or => table.or([f, g]),
                    BinaryOperator::Xor => {
                        let same = table.equivalent(f, g);
                        table.not(same)
                    }
                    BinaryOperator::Implies => table.implies(f, g),
                    BinaryOperator::Equivalent => table.equivalent(f, g),
                    BinaryOperator::Until => table.until(f, g),
                    BinaryOperator::WeakUntil => table.weak_until(f, g),
                    BinaryOperator::Release => table.release(f, g),
                    BinaryOperator::StrongRelease => table.strong_release(f, g),
                }
            }
        })
    }
}

/// Reads a formula. There is a tree exactly if no diagnostic is an error; where other tools would
/// read the text differently, a warning says how it is read here.
pub fn parse(text: &str, reading: Reading) -> Checked<Parsed> {
    let mut checked = grammar::read(text, reading);
    if !checked.has_errors() {
        let ambiguity =
            checked.value.syntax.as_ref().and_then(|s| readings::compare(text, s, reading));
        checked.diagnostics.extend(ambiguity);
    }
    checked
}

/// Too many propositions.
fn too_many_atoms(span: Span) -> Diagnostic {
    let message = format!("more than {MAX_ATOMS} different propositions");
    Diagnostic::error("too-many-propositions", span, message)
        .with_hint("Split the property, or define a macro for a Boolean combination.")
}
