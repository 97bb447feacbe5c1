//! Formulas of linear temporal logic in `ltl { .. }`.
//!
//! Levels from loose to tight: `->` and `<->` (grouping to the left), `||`, `&&`, `U W V` (to the
//! left), then Promela's own operators. `[]`, `<>`, `X` and `!` apply to the very next operand, so
//! `[] y <= x` would compare a formula with a number; that is refused (`mixed`).
//!
//! Words of the logic may be names where they can be nothing else: `next == 0`, `[] until`.

use super::Parser;
use super::expression::{Parsed, binary_operator, prefix_operator};
use super::mixed::Mixed;
use crate::ast::*;
use crate::token::{Kind, Spot};
use promenade_base::{Diagnostic, Span};
use std::ops::Range;

/// A formula while it is being built.
pub(super) struct Built {
    pub formula: Formula,
    pub start: Spot,
    pub end: Spot,
    /// Its tokens.
    pub tokens: Range<usize>,
    pub height: u32,
    pub probe: Option<Span>,
    /// It contains a temporal operator.
    pub temporal: Option<Span>,
    /// It is a temporal prefix operator before something without one, which starts here.
    pub prefixed: Option<(Spot, usize)>,
    /// It is no formula, as a temporal operator in front of its first operand is part of a comparison.
    pub mixed: Option<Box<Mixed>>,
}

/// A binary operator of formulas.
#[derive(Clone, Copy)]
enum Operator {
    Formula(FormulaOperator),
    State(BinaryOperator),
}

/// A prefix operator of formulas.
#[derive(Clone, Copy)]
enum Prefix {
    Next,
    Always,
    Eventually,
    State(UnaryOperator),
}

impl Parser {
    /// `ltl name { formula }`.
    pub(super) fn ltl(&mut self) -> Option<LtlBlock> {
        let start = self.start();
        self.advance();
        let said = self.diagnostics.len();
        let name = self.optional_name();
        if !self.expect(Kind::LBrace, "in front of the formula") {
            return None;
        }
        let from = self.cursor.position();
        self.in_formula = true;
        let formula = if self.at(Kind::RBrace) {
            self.expected("expected-expression", "a formula");
            None
        } else {
            Some(self.formula())
        };
        self.in_formula = false;
        self.eat(Kind::Semi);
        if !self.at(Kind::RBrace) {
            self.expected("expected-token", "an operator or `}` behind the formula");
        }
        let failed = self.recovering;
        self.skip_to_brace();
        let text = self.words.join(self.cursor.slice(from, self.cursor.position()));
        self.cursor.nesting = 0;
        let closed = self.eat(Kind::RBrace);
        if !closed {
            self.expected("expected-token", "`}` behind the formula");
        }
        self.recovering = false;
        let formula = formula.filter(|_| !failed).map(|built| built.formula);
        let span = self.span_from(start);
        if closed && !self.cut {
            // What is wrong with it ends with it.
            for diagnostic in self.diagnostics.iter_mut().skip(said) {
                diagnostic.unit = Some(span);
            }
        }
        Some(LtlBlock { name, formula, text, span })
    }

    /// Skips the rest of the formula.
    fn skip_to_brace(&mut self) {
        let mut open = 0usize;
        loop {
            match self.peek() {
                Kind::Eof => return,
                Kind::Keyword(word) if word.opens_unit() => return,
                Kind::LBrace => open += 1,
                Kind::RBrace if open == 0 => return,
                Kind::RBrace => open -= 1,
                _ => {}
            }
            self.advance();
        }
    }

    fn formula(&mut self) -> Built {
        if !self.enter() {
            return self.no_formula();
        }
        let first = self.formula_operand();
        let mut operands = vec![first];
        let mut operators: Vec<(Operator, u8)> = Vec::new();
        while !self.recovering {
            let Some((operator, level, length)) = self.formula_operator() else { break };
            while operators.last().is_some_and(|&(_, top)| top >= level) {
                self.reduce_formula(&mut operands, &mut operators);
            }
            for _ in 0..length {
                self.advance();
            }
            operators.push((operator, level));
            let operand = self.formula_operand();
            operands.push(operand);
        }
        while !operators.is_empty() {
            self.reduce_formula(&mut operands, &mut operators);
        }
        self.leave();
        let built = operands.pop().unwrap_or_else(|| self.no_formula());
        self.settled(built)
    }

    fn no_formula(&self) -> Built {
        let at = self.cursor.position();
        lift(self.no_expression(), at..at)
    }

    /// Whether the next two tokens are these, side by side.
    fn adjacent(&self, first: Kind, second: Kind) -> bool {
        self.ahead(0) == first && self.ahead(1) == second && {
            let next = self.cursor.raw(1);
            !next.space && !next.line_start
        }
    }

    /// A backslash at `n` places ahead.
    fn backslash(&self, n: usize) -> bool {
        let token = self.cursor.raw(n);
        token.kind == Kind::Other && self.words.text(token.text) == "\\"
    }

    /// The next binary operator with its level and number of tokens.
    fn formula_operator(&self) -> Option<(Operator, u8, usize)> {
        use FormulaOperator::*;
        let token = self.peek_token();
        let (operator, level, length) = match token.kind {
            Kind::Arrow => (Implies, 1, 1),
            Kind::Less if self.adjacent(Kind::Less, Kind::Arrow) => (Equivalent, 1, 2),
            Kind::Slash if self.backslash(1) => (And, 3, 2),
            Kind::Other if self.backslash(0) && self.ahead(1) == Kind::Slash => (Or, 2, 2),
            Kind::OrOr => (Or, 2, 1),
            Kind::AndAnd => (And, 3, 1),
            Kind::Ident => match self.words.text(token.text) {
                "U" | "until" | "stronguntil" => (Until, 4, 1),
                "W" | "weakuntil" => (WeakUntil, 4, 1),
                "V" | "R" | "release" => (Release, 4, 1),
                "implies" => (Implies, 1, 1),
                "equivalent" => (Equivalent, 1, 1),
                _ => return None,
            },
            kind => {
                let (operator, level) = binary_operator(kind)?;
                return Some((Operator::State(operator), level + 4, 1));
            }
        };
        Some((Operator::Formula(operator), level, length))
    }

    /// The next prefix operator with its number of tokens.
    fn formula_prefix(&self) -> Option<(Prefix, usize)> {
        let token = self.peek_token();
        Some(match token.kind {
            Kind::LBracket if self.ahead(1) == Kind::RBracket => (Prefix::Always, 2),
            Kind::Less if self.ahead(1) == Kind::Greater => (Prefix::Eventually, 2),
            Kind::Ident => match self.words.text(token.text) {
                "X" | "next" if self.operand_follows() => (Prefix::Next, 1),
                "always" if self.operand_follows() => (Prefix::Always, 1),
                "eventually" if self.operand_follows() => (Prefix::Eventually, 1),
                "G" if self.operand_follows() => (Prefix::Always, 0),
                "F" if self.operand_follows() => (Prefix::Eventually, 0),
                _ => return None,
            },
            // `!!` is one token elsewhere.
            kind => (Prefix::State(prefix_operator(kind)?), 1),
        })
    }

    /// Whether an operand stands behind the next token, so that this is a prefix operator and not a
    /// name. In `next U p` it is a name: `U` is the operator if it has a right operand.
    fn operand_follows(&self) -> bool {
        let word = self.cursor.raw(1);
        let infix = word.kind == Kind::Ident && is_infix_word(self.words.text(word.text));
        self.operand_starts(1) && !(infix && self.operand_starts(2))
    }

    /// Whether the token `n` places on can only be the start of an operand.
    fn operand_starts(&self, n: usize) -> bool {
        match self.ahead(n) {
            Kind::LParen | Kind::Bang | Kind::Tilde => true,
            Kind::Number | Kind::Char | Kind::Keyword(_) | Kind::Ident => true,
            Kind::LBracket => self.ahead(n + 1) == Kind::RBracket,
            Kind::Less => self.ahead(n + 1) == Kind::Greater,
            _ => false,
        }
    }

    fn formula_operand(&mut self) -> Built {
        let mut prefixes: Vec<(Prefix, Spot, usize)> = Vec::new();
        while let Some((prefix, length)) = self.formula_prefix() {
            let (start, at) = (self.start(), self.cursor.position());
            if length == 0 {
                let token = self.peek_token();
                let found = self.describe(&token);
                let (symbol, word) = match prefix {
                    Prefix::Always => ("[]", "always"),
                    _ => ("<>", "eventually"),
                };
                self.report(
                    Diagnostic::error(
                        "unknown-temporal-operator",
                        token.span,
                        format!("{found} is no temporal operator here"),
                    )
                    .with_hint(format!("Write `{symbol}` or `{word}`.")),
                );
                return self.no_formula();
            }
            for _ in 0..length {
                self.advance();
            }
            prefixes.push((prefix, start, at));
        }
        let mut built = self.formula_primary();
        for (prefix, start, at) in prefixes.into_iter().rev() {
            built = self.apply_prefix(prefix, start, at, built);
            built = self.bounded_formula(built);
        }
        built
    }

    fn apply_prefix(&mut self, prefix: Prefix, start: Spot, at: usize, built: Built) -> Built {
        let (end, tokens) = (built.end, at..built.tokens.end);
        let span = start.to(end);
        let height = built.height + 1;
        if let Some(probe) = built.probe {
            self.say(
                Diagnostic::error(
                    "channel-test-operand",
                    probe,
                    "a channel test can only be joined by `&&` and `||`",
                )
                .with_hint("Compare the length instead: `len(q) == 0`."),
            );
        }
        let inner = Some((built.start, built.tokens.start)).filter(|_| built.temporal.is_none());
        let prefixed = built.prefixed.or(inner);
        let kind = match prefix {
            Prefix::State(UnaryOperator::Not) => {
                let formula = Formula { kind: FormulaKind::Not(Box::new(built.formula)), span };
                let (temporal, prefixed) = (built.temporal, built.prefixed);
                let joined = Built { temporal, prefixed, ..plain(formula, start, end, tokens) };
                return Built { height, ..joined };
            }
            Prefix::State(operator) => {
                let operand = Box::new(self.as_state(built, "an arithmetic operator"));
                let expr = Expr { kind: ExprKind::Unary(operator, operand), span };
                return lift(Parsed { expr, start, end, height, probe: None }, tokens);
            }
            Prefix::Next => FormulaKind::Next(Box::new(built.formula)),
            Prefix::Always => FormulaKind::Always(Box::new(built.formula)),
            Prefix::Eventually => FormulaKind::Eventually(Box::new(built.formula)),
        };
        let formula = Formula { kind, span };
        let temporal = Some(span);
        Built { height, temporal, prefixed, ..plain(formula, start, end, tokens) }
    }

    fn bounded_formula(&mut self, built: Built) -> Built {
        if built.height <= self.bounds.expression_height {
            return built;
        }
        self.stop(
            "nesting-limit",
            built.formula.span,
            "this formula is too long",
            "Split it into several `ltl` blocks.",
        );
        self.no_formula()
    }

    fn formula_primary(&mut self) -> Built {
        let at = self.cursor.position();
        if self.at(Kind::LParen) {
            let start = self.start();
            self.advance();
            let mut inner = self.formula();
            if self.at(Kind::Colon) && !self.recovering {
                inner = self.conditional_formula(inner);
            }
            self.expect(Kind::RParen, "behind the formula");
            let (end, tokens) = (self.end(), at..self.cursor.position());
            return Built { start, end, tokens, prefixed: None, ..inner };
        }
        let parsed = self.primary();
        let tokens = at..self.cursor.position();
        let at = self.peek();
        if !self.recovering
            && matches!(at, Kind::Question | Kind::RandomReceive)
            && self.ahead(1) != Kind::LBracket
        {
            let span = self.peek_token().span;
            self.report(
                Diagnostic::error(
                    "receive-in-formula",
                    span,
                    "a receive cannot stand in a formula",
                )
                .with_hint("To test a channel, write `q?[..]`."),
            );
        }
        lift(parsed, tokens)
    }

    /// Promela's `(condition -> value : value)`, behind the first two. SPIN reads none in formulas.
    fn conditional_formula(&mut self, head: Built) -> Built {
        let (start, from) = (head.start, head.tokens.start);
        let height = head.height + 1;
        let FormulaKind::Binary(FormulaOperator::Implies, condition, value) = head.formula.kind
        else {
            self.expected("expected-token", "`)` behind the formula");
            return head_again(head.formula.span, start, from);
        };
        let mut part = |formula: Formula, temporal: Option<Span>| {
            let built = Built { temporal, ..plain(formula, start, start, from..from) };
            Box::new(self.as_state(built, "a conditional expression"))
        };
        let (condition, value) = (part(*condition, head.temporal), part(*value, None));
        self.advance();
        let other = self.formula();
        let (end, height) = (other.end, height.max(other.height + 1));
        let other = Box::new(self.as_state(other, "a conditional expression"));
        let kind = ExprKind::Conditional(condition, value, other);
        let expr = Expr { kind, span: start.to(end) };
        let tokens = from..self.cursor.position();
        let built = lift(Parsed { expr, start, end, height, probe: None }, tokens);
        self.bounded_formula(built)
    }

    fn reduce_formula(&mut self, operands: &mut Vec<Built>, operators: &mut Vec<(Operator, u8)>) {
        let (Some((operator, _)), Some(right), Some(left)) =
            (operators.pop(), operands.pop(), operands.pop())
        else {
            return;
        };
        let (start, end) = (left.start, right.end);
        let tokens = left.tokens.start..right.tokens.end;
        let span = start.to(end);
        let height = left.height.max(right.height) + 1;
        let joins =
            matches!(operator, Operator::Formula(FormulaOperator::And | FormulaOperator::Or));
        let probe = left.probe.or(right.probe);
        if let Some(probe) = probe
            && !joins
        {
            self.say(
                Diagnostic::error(
                    "channel-test-operand",
                    probe,
                    "a channel test can only be joined by `&&` and `||`",
                )
                .with_hint("Compare the length instead: `len(q) == 0`."),
            );
        }
        let built = match operator {
            Operator::Formula(operator) => {
                let (left, right) = (self.settled(left), self.settled(right));
                let own = matches!(
                    operator,
                    FormulaOperator::Until | FormulaOperator::WeakUntil | FormulaOperator::Release
                );
                let temporal = if own { Some(span) } else { left.temporal.or(right.temporal) };
                let kind =
                    FormulaKind::Binary(operator, Box::new(left.formula), Box::new(right.formula));
                let probe = probe.filter(|_| joins);
                let formula = Formula { kind, span };
                Built { height, probe, temporal, ..plain(formula, start, end, tokens) }
            }
            Operator::State(_) if left.starts_mixed() => self.mix(left, right),
            Operator::State(operator) => {
                let what = match operator {
                    BinaryOperator::Equal
                    | BinaryOperator::NotEqual
                    | BinaryOperator::Less
                    | BinaryOperator::LessEqual
                    | BinaryOperator::Greater
                    | BinaryOperator::GreaterEqual => "a comparison",
                    _ => "an arithmetic operator",
                };
                let left = Box::new(self.as_state(left, what));
                let right = Box::new(self.as_state(right, what));
                let expr = Expr { kind: ExprKind::Binary(operator, left, right), span };
                lift(Parsed { expr, start, end, height, probe: None }, tokens)
            }
        };
        operands.push(self.bounded_formula(built));
    }

    /// The formula as a state expression, for an operator that needs a number.
    pub(super) fn as_state(&mut self, built: Built, what: &str) -> Expr {
        let built = self.settled(built);
        if let Some(temporal) = built.temporal {
            self.say(
                Diagnostic::error(
                    "temporal-operand",
                    temporal,
                    format!("a temporal operator cannot be an operand of {what}"),
                )
                .with_hint(
                    "Temporal operators apply to the very next operand; put the condition in \
                     parentheses: `[] (y <= x)`.",
                ),
            );
            return Expr { kind: ExprKind::Error, span: built.formula.span };
        }
        state(built.formula)
    }
}

/// Whether a word is an operator between two formulas.
fn is_infix_word(word: &str) -> bool {
    matches!(
        word,
        "U" | "V"
            | "W"
            | "R"
            | "until"
            | "stronguntil"
            | "weakuntil"
            | "release"
            | "implies"
            | "equivalent"
    )
}

/// A formula of which nothing else is known.
pub(super) fn plain(formula: Formula, start: Spot, end: Spot, tokens: Range<usize>) -> Built {
    let (probe, temporal) = (None, None);
    let height = 1;
    Built { formula, start, end, tokens, height, probe, temporal, prefixed: None, mixed: None }
}

/// What stands for a formula that cannot be read.
fn head_again(span: Span, start: Spot, at: usize) -> Built {
    let kind = FormulaKind::Atom(Expr { kind: ExprKind::Error, span });
    plain(Formula { kind, span }, start, start, at..at)
}

/// A state expression as a formula.
fn lift(parsed: Parsed, tokens: Range<usize>) -> Built {
    let span = parsed.expr.span;
    let formula = Formula { kind: FormulaKind::Atom(parsed.expr), span };
    let (height, probe) = (parsed.height, parsed.probe);
    Built { height, probe, ..plain(formula, parsed.start, parsed.end, tokens) }
}

/// A formula without temporal operators as a state expression.
fn state(formula: Formula) -> Expr {
    let span = formula.span;
    let not =
        |e: Expr| Expr { span: e.span, kind: ExprKind::Unary(UnaryOperator::Not, Box::new(e)) };
    let kind = match formula.kind {
        FormulaKind::Atom(expr) => return expr,
        FormulaKind::Not(inner) => ExprKind::Unary(UnaryOperator::Not, Box::new(state(*inner))),
        FormulaKind::Binary(operator, left, right) => {
            let (left, right) = (state(*left), state(*right));
            match operator {
                FormulaOperator::And => {
                    ExprKind::Binary(BinaryOperator::And, Box::new(left), Box::new(right))
                }
                FormulaOperator::Or => {
                    ExprKind::Binary(BinaryOperator::Or, Box::new(left), Box::new(right))
                }
                FormulaOperator::Implies => {
                    ExprKind::Binary(BinaryOperator::Or, Box::new(not(left)), Box::new(right))
                }
                FormulaOperator::Equivalent => ExprKind::Binary(
                    BinaryOperator::Equal,
                    Box::new(not(left)),
                    Box::new(not(right)),
                ),
                _ => ExprKind::Error,
            }
        }
        _ => ExprKind::Error,
    };
    Expr { kind, span }
}
