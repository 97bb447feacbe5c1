//! Statements.

use super::Parser;
use crate::ast::*;
use crate::token::{Keyword, Kind};
use promenade_base::Diagnostic;

impl Parser {
    /// What a statement does. Large arms are functions of their own to keep this frame small.
    pub(super) fn statement_kind(&mut self) -> StatementKind {
        match self.peek() {
            Kind::Ident => self.variable_statement(),
            Kind::LBrace => StatementKind::Block(self.block()),
            Kind::Keyword(word) => match word {
                Keyword::If => self.choice(Keyword::Fi),
                Keyword::Do => self.choice(Keyword::Od),
                Keyword::Atomic => self.atomic(false),
                Keyword::DStep => self.atomic(true),
                Keyword::For => self.for_loop(),
                Keyword::Else => {
                    self.advance();
                    StatementKind::Else
                }
                Keyword::Break => {
                    self.advance();
                    StatementKind::Break
                }
                Keyword::CCode | Keyword::CDecl | Keyword::CState | Keyword::CTrack => {
                    StatementKind::CCode(self.embedded(word))
                }
                _ => self.simple_statement(word),
            },
            _ => self.expression_statement(),
        }
    }

    /// Statements that contain no others.
    #[inline(never)]
    fn simple_statement(&mut self, word: Keyword) -> StatementKind {
        match word {
            Keyword::Goto => {
                self.advance();
                match self.name("a label behind `goto`") {
                    Some(label) => StatementKind::Goto(label),
                    None => StatementKind::Error,
                }
            }
            Keyword::Assert => {
                self.advance();
                StatementKind::Assert(self.full_expression())
            }
            Keyword::Printf => self.printf(),
            Keyword::Printm => self.printm(),
            Keyword::Select => self.select(),
            Keyword::SetPriority => {
                self.advance();
                if !self.expect(Kind::LParen, "behind `set_priority`") {
                    return StatementKind::Error;
                }
                let process = self.plain_expression();
                self.expect(Kind::Comma, "between process and priority");
                let priority = self.plain_expression();
                self.expect(Kind::RParen, "behind the priority");
                StatementKind::SetPriority(process, priority)
            }
            Keyword::Return => self.return_statement(),
            Keyword::Fi | Keyword::Od => StatementKind::Error,
            _ => self.expression_statement(),
        }
    }

    #[inline(never)]
    fn atomic(&mut self, d_step: bool) -> StatementKind {
        self.advance();
        if !self.at(Kind::LBrace) {
            self.expected("expected-token", "`{` in front of the statements");
            return StatementKind::Error;
        }
        let body = self.block();
        if d_step { StatementKind::DStep(body) } else { StatementKind::Atomic(body) }
    }

    /// A statement that begins with a name.
    #[inline(never)]
    fn variable_statement(&mut self) -> StatementKind {
        let token = self.peek_token();
        if self.ahead(1) == Kind::LParen && self.inlines.contains_key(&token.text) {
            return self.inline_call(None);
        }
        if self.at_word_not() {
            let first = self.operand();
            return self.expression_rest(first);
        }
        if self.follows(Kind::LParen) {
            return self.unknown_call();
        }
        let first = self.primary();
        let ExprKind::Var(_) = &first.expr.kind else {
            return self.expression_rest(first);
        };
        let kind = self.peek();
        let statement = matches!(
            kind,
            Kind::Assign
                | Kind::Increment
                | Kind::Decrement
                | Kind::Bang
                | Kind::SortedSend
                | Kind::Question
                | Kind::RandomReceive
        );
        let ExprKind::Var(variable) = first.expr.kind else { return StatementKind::Error };
        if !statement {
            let expr = Expr { kind: ExprKind::Var(variable), span: first.expr.span };
            return self.expression_rest(super::expression::Parsed { expr, ..first });
        }
        self.advance();
        match kind {
            Kind::Increment | Kind::Decrement => {
                self.increment_as_value();
                match kind {
                    Kind::Increment => StatementKind::Increment(variable),
                    _ => StatementKind::Decrement(variable),
                }
            }
            Kind::Bang | Kind::SortedSend => self.send(variable, kind == Kind::SortedSend),
            Kind::Question | Kind::RandomReceive => {
                self.receive(variable, kind == Kind::RandomReceive)
            }
            _ => self.assignment(variable),
        }
    }

    /// Behind `x =`.
    fn assignment(&mut self, variable: VarRef) -> StatementKind {
        let token = self.peek_token();
        if token.kind == Kind::Ident && self.inlines.contains_key(&token.text) {
            return self.inline_call(Some(variable));
        }
        let function = self.functions.contains(&token.text);
        if token.kind == Kind::Ident && self.follows(Kind::LParen) && !function {
            return self.unknown_call();
        }
        let value = self.statement_expression();
        if self.at(Kind::Assign) {
            self.report(
                Diagnostic::error(
                    "chained-assignment",
                    self.peek_token().span,
                    "an assignment has no value",
                )
                .with_hint("Write one assignment after the other; use `==` to compare."),
            );
        }
        StatementKind::Assign(variable, value)
    }

    /// A name with arguments that is no inline known here.
    fn unknown_call(&mut self) -> StatementKind {
        let token = self.peek_token();
        if self.functions.contains(&token.text) {
            self.recovering = true;
            return StatementKind::Error;
        }
        let text = self.words.text(token.text).to_string();
        let hint = if self.all_proctypes.contains(&token.text) {
            format!("To start the process, write `run {text}(..)`.")
        } else if let Some(hint) =
            self.suggest(&text, Keyword::ALL).or_else(|| self.suggest_inline(&text))
        {
            hint
        } else {
            format!("Define `inline {text}(..) {{ .. }}` above its first use.")
        };
        self.report(
            Diagnostic::error(
                "unknown-inline",
                token.span,
                format!("there is no inline `{text}` above this place"),
            )
            .with_hint(hint),
        );
        StatementKind::Error
    }

    /// An expression whose first operand was read already.
    fn expression_rest(&mut self, first: super::expression::Parsed) -> StatementKind {
        let expr = self.statement_expression_from(first);
        self.after_expression();
        StatementKind::Expr(expr)
    }

    #[inline(never)]
    fn expression_statement(&mut self) -> StatementKind {
        let token = self.peek_token();
        let starts = match token.kind {
            Kind::Number | Kind::Char | Kind::LParen | Kind::Bang | Kind::Minus | Kind::Tilde => {
                true
            }
            Kind::Keyword(word) => starts_expression(word),
            _ => false,
        };
        if !starts {
            self.expected("expected-statement", "a statement");
            if matches!(token.kind, Kind::Keyword(_)) {
                self.advance();
            }
            return StatementKind::Error;
        }
        let before = self.cursor.position();
        let expr = self.statement_expression();
        if token.kind == Kind::Keyword(Keyword::Skip)
            && self.cursor.position() == before + 1
            && !self.recovering
        {
            return StatementKind::Skip { implied: false };
        }
        self.after_expression();
        StatementKind::Expr(expr)
    }

    /// What cannot follow an expression although people write it.
    fn after_expression(&mut self) {
        if self.recovering {
            return;
        }
        let token = self.peek_token();
        match token.kind {
            Kind::Assign => {
                self.report(
                    Diagnostic::error(
                        "bad-assignment-target",
                        token.span,
                        "only a variable can be assigned",
                    )
                    .with_hint("Use `==` to compare."),
                );
            }
            Kind::Colon => {
                self.report(
                    Diagnostic::error(
                        "unexpected-colon",
                        token.span,
                        "expected `;` between statements, found `:`",
                    )
                    .with_hint(
                        "A conditional expression has parentheses: `(c -> a : b)`. \
                         A process type must be defined above `P:x`.",
                    ),
                );
            }
            _ => {}
        }
    }

    /// Behind `q!`.
    fn send(&mut self, channel: VarRef, sorted: bool) -> StatementKind {
        let mut arguments = vec![self.plain_expression()];
        if self.at(Kind::LParen) && !self.recovering {
            self.advance();
            self.expressions(&mut arguments);
            self.expect(Kind::RParen, "behind the message");
        } else {
            while !self.recovering && self.eat(Kind::Comma) {
                arguments.push(self.plain_expression());
            }
        }
        StatementKind::Send { channel, sorted, arguments }
    }

    /// `a, b, c`: at least one.
    pub(super) fn expressions(&mut self, out: &mut Vec<Expr>) {
        loop {
            out.push(self.plain_expression());
            if self.recovering || !self.eat(Kind::Comma) {
                break;
            }
        }
    }

    /// Behind `q?`.
    fn receive(&mut self, channel: VarRef, random: bool) -> StatementKind {
        let keep = self.eat(Kind::Less);
        let mut arguments = Vec::new();
        self.receive_arguments(&mut arguments);
        if keep {
            self.expect(Kind::Greater, "behind the message");
        }
        StatementKind::Receive { channel, random, keep, arguments }
    }

    fn printf(&mut self) -> StatementKind {
        self.advance();
        if !self.expect(Kind::LParen, "behind `printf`") {
            return StatementKind::Error;
        }
        let token = self.peek_token();
        if token.kind != Kind::Str {
            self.expected("expected-string", "a format in quotes");
            return StatementKind::Error;
        }
        self.advance();
        let text = self.words.text(token.text);
        let format = text.get(1..text.len().saturating_sub(1)).unwrap_or("").to_string();
        let mut arguments = Vec::new();
        if self.eat(Kind::Comma) {
            self.expressions(&mut arguments);
        }
        self.expect(Kind::RParen, "behind the arguments of `printf`");
        StatementKind::Printf(format, arguments)
    }

    fn printm(&mut self) -> StatementKind {
        self.advance();
        if !self.expect(Kind::LParen, "behind `printm`") {
            return StatementKind::Error;
        }
        let value = match self.peek() {
            Kind::Ident => {
                let start = self.start();
                match self.reference("a name") {
                    Some(variable) => {
                        Expr { kind: ExprKind::Var(variable), span: self.span_from(start) }
                    }
                    None => return StatementKind::Error,
                }
            }
            _ => self.constant("a name or a number"),
        };
        self.expect(Kind::RParen, "behind the argument of `printm`");
        StatementKind::Printm(value)
    }

    fn select(&mut self) -> StatementKind {
        self.advance();
        if !self.expect(Kind::LParen, "behind `select`") {
            return StatementKind::Error;
        }
        let Some(variable) = self.reference("a variable") else { return StatementKind::Error };
        if !self.expect(Kind::Colon, "behind the variable of `select`") {
            return StatementKind::Error;
        }
        let (from, to) = self.range();
        self.expect(Kind::RParen, "behind the range");
        let in_inline = !self.inline_stack.is_empty();
        StatementKind::Select { variable, from, to, in_inline }
    }

    /// `a .. b`
    fn range(&mut self) -> (Expr, Expr) {
        let from = self.plain_expression();
        self.expect(Kind::DotDot, "between the ends of the range");
        (from, self.plain_expression())
    }

    #[inline(never)]
    fn for_loop(&mut self) -> StatementKind {
        self.advance();
        if !self.expect(Kind::LParen, "behind `for`") {
            return StatementKind::Error;
        }
        let c_style = self.c_style_for();
        let variable = if c_style { None } else { self.reference("a variable") };
        let mut ends = None;
        let mut container = None;
        let token = self.peek_token();
        if self.recovering {
            // Said already.
        } else if self.eat(Kind::Colon) {
            ends = Some(self.range());
        } else if token.kind == Kind::Ident && self.words.text(token.text) == "in" {
            self.advance();
            container = self.reference("an array or a channel");
        } else {
            self.expected("expected-token", "`:` or `in` behind the variable of `for`");
            if token.kind == Kind::Assign
                && let Some(last) = self.diagnostics.last_mut()
            {
                last.hint = Some("Write `for (i : 1 .. 10) { .. }`.".into());
            }
        }
        self.expect(Kind::RParen, "behind the range of `for`");
        if self.recovering {
            // The body is worth reading all the same.
            let mut depth = 0;
            while !matches!(self.peek(), Kind::LBrace | Kind::RBrace | Kind::Eof) && depth < 64 {
                self.advance();
                self.cursor.nesting = 0;
                depth += 1;
            }
        }
        self.cursor.nesting = 0;
        if matches!(self.peek(), Kind::Semi | Kind::Implied) && self.for_body_follows() {
            self.advance();
        }
        if !self.at(Kind::LBrace) {
            self.expected("expected-token", "`{` in front of the body of `for`");
            return StatementKind::Error;
        }
        self.recovering = false;
        let body = self.block();
        match (variable, ends, container) {
            (Some(variable), Some((from, to)), _) => {
                StatementKind::ForRange { variable, from, to, body }
            }
            (Some(variable), None, Some(container)) => {
                StatementKind::ForIn { variable, container, body }
            }
            _ => StatementKind::Error,
        }
    }

    /// Whether `{` stands behind the separator that is next.
    fn for_body_follows(&self) -> bool {
        let next = usize::from(self.at(Kind::Semi));
        self.ahead(next) == Kind::LBrace
    }
}

/// Words that can open an expression.
fn starts_expression(word: Keyword) -> bool {
    use Keyword::*;
    matches!(
        word,
        Run | Len
            | Full
            | Empty
            | Nfull
            | Nempty
            | Enabled
            | PcValue
            | GetPriority
            | Timeout
            | Np
            | True
            | False
            | Skip
            | CExpr
    )
}
