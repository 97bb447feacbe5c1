//! Operator-precedence reading: one pass, a stack of operators, recursion only for parentheses.
//!
//! Operands are either formulas or values (pieces of a proposition). An operator of values takes
//! values; a formula of `!`, `&&` and `||` alone can become one again, as in `(a && b) == c`.

use super::lexer::{Kind, MINUS_LEVEL, Token, normal_text, span, tokens};
use super::{
    Atom, BinaryOperator, MAX_HEIGHT, MAX_NESTING, MAX_NODES, Parsed, Reading, Syntax, SyntaxKind,
    UnaryOperator, too_many_atoms,
};
use crate::MAX_ATOMS;
use promenade_base::{Checked, Diagnostic, Span};

/// A finding that ends the reading.
pub(super) type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// What an operand is so far.
pub(super) enum Shape {
    /// A piece of a proposition.
    Value {
        /// `true`, `false` or a number, read as a truth value.
        constant: Option<bool>,
        /// A number or the result of arithmetic.
        number: bool,
    },
    /// A formula.
    Formula {
        kind: SyntaxKind,
        /// Where an operator stands that no expression of Promela has.
        logical: Option<Span>,
    },
}

pub(super) struct Operand {
    pub shape: Shape,
    pub start: usize,
    pub end: usize,
    pub parenthesised: bool,
    pub height: usize,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Infix {
    Formula(BinaryOperator),
    /// `&`, `|` or `^`: of the logic unless an operand is a number.
    Either(BinaryOperator),
    Value,
}

pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<Token>,
    at: usize,
    reading: Reading,
    pub(super) nesting: usize,
    nodes: usize,
    diagnostics: Vec<Diagnostic>,
}

/// Reads the whole text; errors are among the diagnostics.
pub(super) fn read(text: &str, reading: Reading) -> Checked<Parsed> {
    let Ok(length) = u32::try_from(text.len()) else {
        let d = Diagnostic::error("formula-too-large", span(0, 0), "the text is too long");
        return Checked { value: Parsed::default(), diagnostics: vec![d] };
    };
    let mut reader = Reader {
        text,
        tokens: tokens(text),
        at: 0,
        reading,
        nesting: 0,
        nodes: 0,
        diagnostics: Vec::new(),
    };
    let value = match reader.whole() {
        Ok(parsed) => parsed,
        Err(diagnostic) => {
            reader.diagnostics.push(*diagnostic);
            Parsed::default()
        }
    };
    debug_assert!(reader.diagnostics.iter().all(|d| d.span.end <= length));
    Checked { value, diagnostics: reader.diagnostics }
}

impl Reader<'_> {
    fn whole(&mut self) -> Result<Parsed> {
        if self.peek().kind == Kind::End {
            return Err(error("expected-formula", self.peek().span(), "there is no formula")
                .hint("Write a formula such as `[] (request -> <> answer)`."));
        }
        let operand = self.expression()?;
        let token = self.peek();
        if token.kind != Kind::End {
            return Err(self.unexpected_after_operand(token));
        }
        let mut syntax = self.formula(operand);
        let mut atoms = Vec::new();
        self.number_atoms(&mut syntax, &mut atoms)?;
        Ok(Parsed { syntax: Some(syntax), atoms })
    }

    pub(super) fn peek(&self) -> Token {
        self.ahead(0)
    }

    /// The last token is the end, and nothing moves past it.
    pub(super) fn ahead(&self, n: usize) -> Token {
        self.tokens[(self.at + n).min(self.tokens.len() - 1)]
    }

    pub(super) fn advance(&mut self) -> Token {
        let token = self.peek();
        self.at += 1;
        token
    }

    pub(super) fn word(&self, token: Token) -> &str {
        self.text.get(token.start..token.end).unwrap_or("")
    }

    pub(super) fn count_node(&mut self, at: Span) -> Result<()> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            let message = format!("more than {MAX_NODES} operators and operands");
            return Err(error("formula-too-large", at, message));
        }
        Ok(())
    }

    pub(super) fn enter(&mut self, at: Span) -> Result<()> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            let message = format!("more than {MAX_NESTING} levels of parentheses and operators");
            return Err(error("formula-too-deep", at, message));
        }
        Ok(())
    }

    pub(super) fn expression(&mut self) -> Result<Operand> {
        let mut operands = vec![self.operand()?];
        let mut operators: Vec<(Infix, u8, Token)> = Vec::new();
        while let Some((infix, level)) = self.infix(self.peek()) {
            let right = self.reading == Reading::RightAssociative && (level == 1 || level == 5);
            while let Some(&(top, top_level, token)) = operators.last() {
                if top_level < level || top_level == level && right {
                    break;
                }
                operators.pop();
                self.reduce(&mut operands, top, token)?;
            }
            let token = self.advance();
            operators.push((infix, level, token));
            operands.push(self.operand()?);
        }
        while let Some((infix, _, token)) = operators.pop() {
            self.reduce(&mut operands, infix, token)?;
        }
        operands.pop().ok_or_else(|| error("expected-formula", self.peek().span(), "no operand"))
    }

    fn reduce(&mut self, operands: &mut Vec<Operand>, infix: Infix, token: Token) -> Result<()> {
        let (Some(right), Some(left)) = (operands.pop(), operands.pop()) else { return Ok(()) };
        self.count_node(token.span())?;
        let operator = match infix {
            Infix::Formula(operator) => Some(operator),
            Infix::Either(operator) => {
                let number = |o: &Operand| matches!(o.shape, Shape::Value { number: true, .. });
                let temporal = left.logical().is_some() || right.logical().is_some();
                (temporal || !number(&left) && !number(&right)).then_some(operator)
            }
            Infix::Value => None,
        };
        let (start, end) = (left.start, right.end);
        let height = left.height.max(right.height) + 1;
        if height > MAX_HEIGHT {
            let message = format!("more than {MAX_HEIGHT} operators one inside the other");
            return Err(error("formula-too-deep", token.span(), message));
        }
        let shape = match operator {
            Some(operator) => {
                let plain = matches!(operator, BinaryOperator::And | BinaryOperator::Or);
                let own = (!plain).then_some(token.span());
                let logical = left.logical().or(right.logical()).or(own);
                let left = Box::new(self.formula(left));
                let right = Box::new(self.formula(right));
                Shape::Formula { kind: SyntaxKind::Binary(operator, left, right), logical }
            }
            None => {
                if let Some(mistake) = self.mixed(&left, token) {
                    return Err(mistake);
                }
                self.must_be_value(&left, token)?;
                self.must_be_value(&right, token)?;
                // A comparison gives a truth value.
                let number = !matches!(token.kind, Kind::Value(16 | 17));
                Shape::Value { constant: None, number }
            }
        };
        operands.push(Operand { shape, start, end, parenthesised: false, height });
        Ok(())
    }

    pub(super) fn must_be_value(&self, operand: &Operand, by: Token) -> Result<()> {
        let Some(place) = operand.logical() else { return Ok(()) };
        let sign = self.word(by).to_owned();
        let message = format!("`{sign}` needs values, and one side is a formula of temporal logic");
        Err(error("formula-as-value", span(operand.start, operand.end), message)
            .related(place, "this operator makes it a formula")
            .hint(format!(
                "Prefix operators apply to the very next operand: put the comparison in \
                 parentheses, as in `[] (x {sign} y)`."
            )))
    }

    /// The operand as a formula.
    fn formula(&mut self, operand: Operand) -> Syntax {
        let place = span(operand.start, operand.end);
        let kind = match operand.shape {
            Shape::Formula { kind, .. } => kind,
            Shape::Value { constant: Some(value), .. } => SyntaxKind::Constant(value),
            // Numbered at the end, when it is settled that no operator of values takes it.
            Shape::Value { constant: None, .. } => SyntaxKind::Atom(0),
        };
        Syntax { kind, span: place, parenthesised: operand.parenthesised }
    }

    fn number_atoms(&mut self, syntax: &mut Syntax, atoms: &mut Vec<Atom>) -> Result<()> {
        match &mut syntax.kind {
            SyntaxKind::Constant(value) => {
                let place = syntax.span;
                let source = self.text.get(place.start as usize..place.end as usize).unwrap_or("");
                let number = normal_text(source);
                let digit = number.starts_with(|c: char| c.is_ascii_digit() || c == '\'');
                if digit && !matches!(number.as_str(), "0" | "1") {
                    let message = format!("the number `{number}` stands for `{value}` here");
                    self.diagnostics.push(
                        Diagnostic::warning("number-as-truth", place, message)
                            .with_hint("Compare it with something, or write `true` or `false`."),
                    );
                }
            }
            SyntaxKind::Atom(index) => {
                let place = syntax.span;
                let source = self.text.get(place.start as usize..place.end as usize).unwrap_or("");
                let text = normal_text(source);
                if text.is_empty() {
                    return Err(error("empty-proposition", place, "the proposition is empty"));
                }
                *index = atoms.iter().position(|atom| atom.text == text).unwrap_or(atoms.len());
                if *index == atoms.len() {
                    atoms.push(Atom { text, span: place });
                }
                if atoms.len() > MAX_ATOMS as usize {
                    return Err(Box::new(too_many_atoms(place)));
                }
            }
            SyntaxKind::Unary(_, operand) => self.number_atoms(operand, atoms)?,
            SyntaxKind::Binary(_, left, right) => {
                self.number_atoms(left, atoms)?;
                self.number_atoms(right, atoms)?;
            }
        }
        Ok(())
    }

    /// Prefix operators and what they apply to.
    fn operand(&mut self) -> Result<Operand> {
        let outer = self.nesting;
        let mut prefixes = Vec::new();
        while let Some(prefix) = self.prefix() {
            let token = self.advance();
            self.enter(token.span())?;
            prefixes.push((prefix, token));
        }
        let mut operand = self.primary()?;
        for (prefix, token) in prefixes.into_iter().rev() {
            self.count_node(token.span())?;
            operand = self.apply(prefix, token, operand)?;
        }
        self.nesting = outer;
        Ok(operand)
    }

    fn apply(
        &mut self,
        prefix: Option<UnaryOperator>,
        token: Token,
        operand: Operand,
    ) -> Result<Operand> {
        let (start, end, height) = (token.start, operand.end, operand.height + 1);
        let shape = match prefix {
            Some(operator) => {
                let own = (operator != UnaryOperator::Not).then_some(token.span());
                let logical = operand.logical().or(own);
                let operand = Box::new(self.formula(operand));
                Shape::Formula { kind: SyntaxKind::Unary(operator, operand), logical }
            }
            None => {
                self.must_be_value(&operand, token)?;
                Shape::Value { constant: None, number: true }
            }
        };
        Ok(Operand { shape, start, end, parenthesised: false, height })
    }

    /// The prefix operator here; `Some(None)` is the minus sign.
    fn prefix(&self) -> Option<Option<UnaryOperator>> {
        use UnaryOperator::*;
        let token = self.peek();
        Some(Some(match token.kind {
            Kind::Minus => return Some(None),
            Kind::Not | Kind::Tilde => Not,
            Kind::Next => Next,
            Kind::Always => Always,
            Kind::Eventually => Eventually,
            Kind::Word if self.operand_follows() => match self.word(token) {
                "always" | "G" => Always,
                "eventually" | "F" => Eventually,
                "next" | "X" => Next,
                "not" => Not,
                _ => return None,
            },
            _ => return None,
        }))
    }

    /// Whether the word here is an operator and not a name: an operand comes next, and the word is
    /// not itself the left operand of a word such as `U`.
    fn operand_follows(&self) -> bool {
        self.operand_at(1)
    }

    /// Whether an operand, not an operator between two, stands `n` tokens ahead.
    pub(super) fn operand_at(&self, n: usize) -> bool {
        let token = self.ahead(n);
        let between = token.kind == Kind::Word
            && infix_word(self.word(token)).is_some()
            && starts_operand(self.ahead(n + 1).kind);
        starts_operand(token.kind) && !between
    }

    /// The infix operator that a token is, with its level.
    pub(super) fn infix(&self, token: Token) -> Option<(Infix, u8)> {
        use BinaryOperator::*;
        let infix = match token.kind {
            Kind::And => Infix::Formula(And),
            Kind::Or => Infix::Formula(Or),
            Kind::Xor => Infix::Formula(Xor),
            // Beside a number they surely are Promela's operators on bits.
            Kind::Amp if self.ahead(1).kind == Kind::Number => return Some((Infix::Value, 15)),
            Kind::Caret if self.ahead(1).kind == Kind::Number => return Some((Infix::Value, 14)),
            Kind::Bar if self.ahead(1).kind == Kind::Number => return Some((Infix::Value, 13)),
            Kind::Amp => Infix::Either(And),
            Kind::Bar => Infix::Either(Or),
            Kind::Caret => Infix::Either(Xor),
            Kind::Implies => Infix::Formula(Implies),
            Kind::Equivalent => Infix::Formula(Equivalent),
            Kind::Value(level) => return Some((Infix::Value, level)),
            Kind::Minus => return Some((Infix::Value, MINUS_LEVEL)),
            Kind::Word => Infix::Formula(infix_word(self.word(token))?.0),
            _ => return None,
        };
        let (Infix::Formula(operator) | Infix::Either(operator)) = infix else { return None };
        Some((infix, level(operator, self.reading)))
    }
}

/// How tight an operator binds.
pub(super) fn level(operator: BinaryOperator, reading: Reading) -> u8 {
    use BinaryOperator::*;
    match operator {
        Until | WeakUntil | Release | StrongRelease => 5,
        _ if reading == Reading::CommandLine => 1,
        And => 4,
        Or => 3,
        Xor => 2,
        Implies | Equivalent => 1,
    }
}

impl Operand {
    /// An operator in it that no expression of Promela has.
    fn logical(&self) -> Option<Span> {
        match &self.shape {
            Shape::Formula { logical, .. } => *logical,
            Shape::Value { .. } => None,
        }
    }
}

fn starts_operand(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Word
            | Kind::Number
            | Kind::Opaque
            | Kind::LParen
            | Kind::Not
            | Kind::Tilde
            | Kind::Next
            | Kind::Always
            | Kind::Eventually
    )
}

/// The infix operator a word names, and whether the word is never a name.
pub(super) fn infix_word(word: &str) -> Option<(BinaryOperator, bool)> {
    use BinaryOperator::*;
    Some(match word {
        "U" => (Until, false),
        "W" => (WeakUntil, false),
        "V" | "R" => (Release, false),
        "M" => (StrongRelease, false),
        "until" | "stronguntil" => (Until, true),
        "weakuntil" => (WeakUntil, true),
        "release" => (Release, true),
        "strongrelease" => (StrongRelease, true),
        "and" => (And, true),
        "or" => (Or, true),
        "xor" => (Xor, true),
        "implies" => (Implies, true),
        "equivalent" => (Equivalent, true),
        _ => return None,
    })
}

/// Whether the reader takes the word as an operator at some place.
pub(crate) fn is_operator_word(word: &str) -> bool {
    infix_word(word).is_some()
        || matches!(word, "G" | "F" | "X" | "always" | "eventually" | "next" | "not")
}

pub(super) fn error(
    code: &'static str,
    place: Span,
    message: impl Into<String>,
) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(code, place, message))
}

/// Additions to a finding in a box.
pub(super) trait Build {
    fn hint(self, hint: impl Into<String>) -> Self;
    fn related(self, place: Span, message: &str) -> Self;
}

impl Build for Box<Diagnostic> {
    fn hint(self, hint: impl Into<String>) -> Self {
        Box::new(self.with_hint(hint))
    }

    fn related(self, place: Span, message: &str) -> Self {
        Box::new(self.with_related(place, message))
    }
}
