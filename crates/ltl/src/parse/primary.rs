//! Operands without operators: names with what belongs to them, numbers, parentheses.

use super::grammar::{Build, Operand, Reader, Result, Shape, error, infix_word};
use super::lexer::{Kind, Token, span};
use super::{BinaryOperator, Syntax, SyntaxKind, UnaryOperator};
use promenade_base::Diagnostic;

impl Reader<'_> {
    pub(super) fn primary(&mut self) -> Result<Operand> {
        let token = self.peek();
        match token.kind {
            Kind::Number => {
                self.advance();
                self.count_node(token.span())?;
                let digits = self.word(token);
                let truth = !digits.bytes().all(|b| b == b'0');
                if !matches!(digits, "0" | "1") && !digits.bytes().all(|b| b.is_ascii_digit()) {
                    let literal = digits.starts_with('\'');
                    if !literal {
                        let message = format!("`{digits}` is neither a number nor a name");
                        return Err(error("expected-operand", token.span(), message));
                    }
                }
                let shape = Shape::Value { constant: Some(truth), number: true };
                Ok(value(shape, token.start, token.end))
            }
            Kind::Opaque => {
                self.advance();
                self.count_node(token.span())?;
                Ok(value(Shape::Value { constant: None, number: false }, token.start, token.end))
            }
            Kind::Word => self.name(),
            Kind::LParen => self.parenthesised(),
            Kind::Unclosed => {
                let place = span(token.start, token.start + 1);
                let sign = if self.word(token).starts_with('{') { "}" } else { "\"" };
                Err(error("unclosed", place, format!("the `{sign}` to this is missing")))
            }
            _ => Err(self.expected_operand(token)),
        }
    }

    fn expected_operand(&self, token: Token) -> Box<Diagnostic> {
        let found = self.describe(token);
        let built =
            error("expected-operand", token.span(), format!("expected an operand, found {found}"));
        match token.kind {
            Kind::LBracket if self.ahead(1).kind == Kind::RBracket => {
                built.hint("Write `[]` without a space.")
            }
            _ => built,
        }
    }

    fn describe(&self, token: Token) -> String {
        match token.kind {
            Kind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", self.word(token)),
        }
    }

    pub(super) fn unexpected_after_operand(&self, token: Token) -> Box<Diagnostic> {
        let found = self.describe(token);
        if token.kind == Kind::RParen {
            return error("unopened", token.span(), "there is no `(` to this `)`");
        }
        let built = error(
            "expected-operator",
            token.span(),
            format!("expected an operator, found {found}"),
        );
        match self.word(token) {
            "=" => built.hint("Write `==` to compare."),
            "++" | "--" | ":=" => {
                built.hint("A property only looks at values; it cannot change them.")
            }
            "[]" | "<>" | "G" | "F" | "X" => built.hint(
                "Two operands side by side: put `&&`, `->` or another operator between them.",
            ),
            _ => built,
        }
    }

    /// A name with what belongs to it: indexes, fields, `P@label`, `P:x`, `q?[msg]`, `len(q)`.
    fn name(&mut self) -> Result<Operand> {
        let token = self.advance();
        self.count_node(token.span())?;
        let word = self.word(token);
        let constant = match word {
            "true" | "skip" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        if constant.is_some() {
            return Ok(value(Shape::Value { constant, number: false }, token.start, token.end));
        }
        if infix_word(word).is_some_and(|(_, long)| long) && self.operand_at(0) {
            return Err(self.expected_operand(token).hint(format!(
                "`{word}` is an operator between two operands; as a name it stands in \
                 parentheses: `({word})`."
            )));
        }
        let mut end = token.end;
        if word == "c_expr" && self.peek().kind == Kind::Opaque {
            end = self.advance().end;
            return Ok(value(Shape::Value { constant: None, number: false }, token.start, end));
        }
        if self.peek().kind == Kind::LParen {
            end = self.balanced()?;
        }
        loop {
            let next = self.peek();
            match next.kind {
                Kind::LBracket => end = self.balanced()?,
                Kind::Query => {
                    self.advance();
                    if self.peek().kind != Kind::LBracket {
                        return Err(error(
                            "receive-in-formula",
                            next.span(),
                            "a formula cannot receive a message",
                        )
                        .hint("Write `q?[msg]` to ask whether the message could be received."));
                    }
                    end = self.balanced()?;
                }
                // A colon with space around it is that of a conditional expression.
                Kind::Colon if next.start != end || self.ahead(1).start != next.end => break,
                Kind::Dot | Kind::At | Kind::Colon if self.ahead(1).kind == Kind::Word => {
                    self.advance();
                    end = self.advance().end;
                }
                _ => break,
            }
        }
        Ok(value(Shape::Value { constant: None, number: false }, token.start, end))
    }

    /// Skips a bracketed list that belongs to a name, and gives its end.
    fn balanced(&mut self) -> Result<usize> {
        let open = self.peek();
        let mut expected = Vec::new();
        loop {
            let token = self.advance();
            match token.kind {
                Kind::LParen => expected.push(Kind::RParen),
                Kind::LBracket => expected.push(Kind::RBracket),
                Kind::RParen | Kind::RBracket => {
                    if expected.pop() != Some(token.kind) {
                        return Err(error("unclosed", open.span(), "the brackets do not match")
                            .related(token.span(), "this one has no partner"));
                    }
                    if expected.is_empty() {
                        return Ok(token.end);
                    }
                }
                Kind::End | Kind::Unclosed => {
                    return Err(error("unclosed", open.span(), "the bracket is not closed"));
                }
                _ => {}
            }
        }
    }

    fn parenthesised(&mut self) -> Result<Operand> {
        let open = self.advance();
        self.enter(open.span())?;
        let mut inner = self.expression()?;
        if self.peek().kind == Kind::Colon {
            inner = self.conditional(inner)?;
        }
        let close = self.peek();
        if close.kind != Kind::RParen {
            return Err(match close.kind {
                Kind::End => error("unclosed", open.span(), "the parenthesis is not closed"),
                _ => self
                    .unexpected_after_operand(close)
                    .related(open.span(), "inside this parenthesis"),
            });
        }
        self.advance();
        self.nesting -= 1;
        Ok(Operand { start: open.start, end: close.end, parenthesised: true, ..inner })
    }

    /// Promela's `(condition -> value : value)`, after the first two.
    fn conditional(&mut self, head: Operand) -> Result<Operand> {
        let colon = self.advance();
        let parts = match &head.shape {
            Shape::Formula { kind: SyntaxKind::Binary(BinaryOperator::Implies, l, r), .. } => {
                !head.parenthesised && !has_logical(l) && !has_logical(r)
            }
            _ => false,
        };
        if !parts {
            let message =
                "a colon belongs to `(condition -> value : value)` over plain expressions";
            return Err(error("expected-operator", colon.span(), message));
        }
        let other = self.expression()?;
        self.must_be_value(&other, colon)?;
        let shape = Shape::Value { constant: None, number: true };
        let height = head.height.max(other.height) + 1;
        Ok(Operand { shape, start: head.start, end: other.end, parenthesised: false, height })
    }
}

fn value(shape: Shape, start: usize, end: usize) -> Operand {
    Operand { shape, start, end, parenthesised: false, height: 1 }
}

/// Whether a tree has an operator that no expression of Promela has.
fn has_logical(syntax: &Syntax) -> bool {
    match &syntax.kind {
        SyntaxKind::Constant(_) | SyntaxKind::Atom(_) => false,
        SyntaxKind::Unary(operator, f) => *operator != UnaryOperator::Not || has_logical(f),
        SyntaxKind::Binary(operator, f, g) => {
            !matches!(operator, BinaryOperator::And | BinaryOperator::Or)
                || has_logical(f)
                || has_logical(g)
        }
    }
}
