//! Expressions: operators by precedence with explicit stacks, so that long chains do not recurse.

use super::Parser;
use crate::ast::*;
use crate::token::{Kind, Spot};
use promenade_base::{Diagnostic, Span};

/// An expression while it is being built.
pub(super) struct Parsed {
    /// The expression.
    pub expr: Expr,
    /// Its first end (with parentheses).
    pub start: Spot,
    /// Its last end (with parentheses).
    pub end: Spot,
    /// Height of its tree.
    pub height: u32,
    /// It contains `full(q)` or its kin outside of brackets of their own, which only `&&` and
    /// `||` may join.
    pub probe: Option<Span>,
}

/// The binary operator and its level, loosest first.
pub(super) fn binary_operator(kind: Kind) -> Option<(BinaryOperator, u8)> {
    use BinaryOperator::*;
    Some(match kind {
        Kind::OrOr => (Or, 1),
        Kind::AndAnd => (And, 2),
        Kind::Bar => (BitOr, 3),
        Kind::Caret => (BitXor, 4),
        Kind::Amp => (BitAnd, 5),
        Kind::Equal => (Equal, 6),
        Kind::NotEqual => (NotEqual, 6),
        Kind::Less => (Less, 7),
        Kind::LessEqual => (LessEqual, 7),
        Kind::Greater => (Greater, 7),
        Kind::GreaterEqual => (GreaterEqual, 7),
        Kind::ShiftLeft => (ShiftLeft, 8),
        Kind::ShiftRight => (ShiftRight, 8),
        Kind::Plus => (Add, 9),
        Kind::Minus => (Sub, 9),
        Kind::Star => (Mul, 10),
        Kind::Slash => (Div, 10),
        Kind::Percent => (Mod, 10),
        _ => return None,
    })
}

/// The prefix operator.
pub(super) fn prefix_operator(kind: Kind) -> Option<UnaryOperator> {
    Some(match kind {
        Kind::Bang => UnaryOperator::Not,
        Kind::Minus => UnaryOperator::Negate,
        Kind::Tilde => UnaryOperator::Complement,
        _ => return None,
    })
}

impl Parser {
    /// An expression without channel tests and `run` on top: arguments, indices, sizes. Leaves its
    /// height in `inner_height`.
    pub(super) fn plain_expression(&mut self) -> Expr {
        let parsed = self.expression();
        self.refuse_probe(&parsed);
        self.refuse_run(&parsed);
        self.inner_height = parsed.height;
        parsed.expr
    }

    /// An expression that may join channel tests: assertions and conditions of processes.
    pub(super) fn full_expression(&mut self) -> Expr {
        let parsed = self.expression();
        self.refuse_run(&parsed);
        parsed.expr
    }

    /// An expression that is a statement or the right side of an assignment.
    pub(super) fn statement_expression(&mut self) -> Expr {
        self.expression().expr
    }

    /// The same, its first operand read already.
    pub(super) fn statement_expression_from(&mut self, first: Parsed) -> Expr {
        self.expression_from(first).expr
    }

    /// Any expression.
    pub(super) fn expression(&mut self) -> Parsed {
        if !self.enter() {
            return self.no_expression();
        }
        let first = self.operand();
        let parsed = self.expression_from(first);
        self.leave();
        parsed
    }

    /// A place holder after an error.
    pub(super) fn no_expression(&self) -> Parsed {
        let start = self.start();
        Parsed {
            expr: Expr { kind: ExprKind::Error, span: start.span },
            start,
            end: start,
            height: 1,
            probe: None,
        }
    }

    fn expression_from(&mut self, first: Parsed) -> Parsed {
        let Some(mut next) = self.operator() else { return first };
        let mut operands = vec![first];
        let mut operators: Vec<(BinaryOperator, u8)> = Vec::new();
        loop {
            let (operator, level) = next;
            while operators.last().is_some_and(|&(_, top)| top >= level) {
                self.reduce(&mut operands, &mut operators);
            }
            self.advance();
            operators.push((operator, level));
            let operand = self.operand();
            operands.push(operand);
            match self.operator() {
                Some(operator) => next = operator,
                None => break,
            }
        }
        while !operators.is_empty() {
            self.reduce(&mut operands, &mut operators);
        }
        operands.pop().unwrap_or_else(|| self.no_expression())
    }

    /// The operator that is next, not taken yet.
    fn operator(&mut self) -> Option<(BinaryOperator, u8)> {
        if self.recovering {
            return None;
        }
        binary_operator(self.peek()).or_else(|| self.word_operator())
    }

    fn reduce(&mut self, operands: &mut Vec<Parsed>, operators: &mut Vec<(BinaryOperator, u8)>) {
        let (Some((operator, _)), Some(right), Some(left)) =
            (operators.pop(), operands.pop(), operands.pop())
        else {
            return;
        };
        let joins = matches!(operator, BinaryOperator::And | BinaryOperator::Or);
        if !joins {
            self.refuse_probe(&left);
            self.refuse_probe(&right);
        }
        self.refuse_run(&left);
        self.refuse_run(&right);
        let probe = if joins { left.probe.or(right.probe) } else { None };
        let (start, end) = (left.start, right.end);
        let height = left.height.max(right.height) + 1;
        let kind = ExprKind::Binary(operator, Box::new(left.expr), Box::new(right.expr));
        let made = Parsed { expr: Expr { kind, span: start.to(end) }, start, end, height, probe };
        operands.push(self.bounded(made));
    }

    /// Refuses trees that are too high for the recursion of whoever walks them.
    pub(super) fn bounded(&mut self, parsed: Parsed) -> Parsed {
        if parsed.height <= self.bounds.expression_height {
            return parsed;
        }
        self.stop(
            "nesting-limit",
            parsed.expr.span,
            "this expression is too long",
            "Compute it in several statements.",
        );
        self.no_expression()
    }

    /// Prefix operators and what they apply to.
    pub(super) fn operand(&mut self) -> Parsed {
        let mut prefixes = Vec::new();
        loop {
            let start = self.start();
            if let Some(operator) = prefix_operator(self.peek()) {
                self.advance();
                prefixes.push((operator, start));
            } else if self.at_word_not() {
                self.word_not();
                prefixes.push((UnaryOperator::Not, start));
            } else {
                break;
            }
        }
        let mut parsed = self.primary();
        for (operator, start) in prefixes.into_iter().rev() {
            self.refuse_probe_under(&parsed, operator);
            self.refuse_run(&parsed);
            let end = parsed.end;
            let kind = ExprKind::Unary(operator, Box::new(parsed.expr));
            let expr = Expr { kind, span: start.to(end) };
            let made = Parsed { expr, start, end, height: parsed.height + 1, probe: None };
            parsed = self.bounded(made);
        }
        parsed
    }

    /// `run` is a statement or the whole right side of an assignment.
    pub(super) fn refuse_run(&mut self, parsed: &Parsed) {
        if let ExprKind::Run { .. } = parsed.expr.kind {
            self.say(
                Diagnostic::error(
                    "misplaced-run",
                    parsed.expr.span,
                    "`run` cannot be part of a larger expression",
                )
                .with_hint("Assign the result of `run` to a variable first: `x = run P()`."),
            );
        }
    }

    fn refuse_probe(&mut self, parsed: &Parsed) {
        if let Some(span) = parsed.probe {
            self.say(
                Diagnostic::error(
                    "channel-test-operand",
                    span,
                    "a channel test can only be joined by `&&` and `||`",
                )
                .with_hint("Use `len(q)` to compute with the number of messages."),
            );
        }
    }

    fn refuse_probe_under(&mut self, parsed: &Parsed, operator: UnaryOperator) {
        let Some(span) = parsed.probe else { return };
        let opposite = match &parsed.expr.kind {
            ExprKind::ChannelTest(test, _) if operator == UnaryOperator::Not => match test {
                ChannelTest::Full => "Write `nfull(q)` instead of `!full(q)`.",
                ChannelTest::Empty => "Write `nempty(q)` instead of `!empty(q)`.",
                ChannelTest::NotFull => "Write `full(q)` instead of `!nfull(q)`.",
                ChannelTest::NotEmpty => "Write `empty(q)` instead of `!nempty(q)`.",
            },
            _ => "Use `len(q)` to compute with the number of messages.",
        };
        self.say(
            Diagnostic::error(
                "channel-test-operand",
                span,
                "a channel test cannot be negated or compared",
            )
            .with_hint(opposite),
        );
    }
}
