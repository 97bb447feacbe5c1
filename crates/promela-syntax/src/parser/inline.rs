//! Inlines: definitions, and calls expanded by substituting tokens.

use super::Parser;
use crate::ast::*;
use crate::lexer::Cursor;
use crate::token::{Keyword, Kind, Spot, Symbol, Token};
use promenade_base::{Diagnostic, Span};
use std::rc::Rc;

/// A defined inline.
pub(super) struct InlineText {
    name: Span,
    parameters: Vec<Symbol>,
    /// The body with its braces.
    body: Vec<Token>,
}

impl Parser {
    /// `inline name(a, b) { .. }`.
    pub(super) fn inline_definition(&mut self) -> Option<InlineDefinition> {
        let start = self.start();
        self.advance();
        let token = self.peek_token();
        let name = self.name("the name of the inline")?;
        if !self.expect(Kind::LParen, "behind the name of the inline") {
            return None;
        }
        let mut parameters = Vec::new();
        let mut symbols: Vec<Symbol> = Vec::new();
        while !self.at(Kind::RParen) || !parameters.is_empty() {
            let token = self.peek_token();
            let parameter = self.name("the name of a parameter")?;
            if symbols.contains(&token.text) {
                self.say(Diagnostic::error(
                    "duplicate-parameter",
                    parameter.span,
                    format!("parameter `{}` stands here twice", parameter.text),
                ));
            }
            symbols.push(token.text);
            parameters.push(parameter);
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        if !self.expect(Kind::RParen, "behind the parameters of the inline") {
            return None;
        }
        if !self.at(Kind::LBrace) {
            self.expected("expected-token", "`{` in front of the body of the inline");
            return None;
        }
        let from = self.cursor.position();
        let body_start = self.start();
        let closed = self.skip_inline_body(body_start);
        let body = self.cursor.slice(from, self.cursor.position()).to_vec();
        if let Some(old) = self.inlines.get(&token.text) {
            let diagnostic = Diagnostic::error(
                "duplicate-inline",
                name.span,
                format!("inline `{}` is defined twice", name.text),
            )
            .with_related(old.name, "first defined here");
            self.say(diagnostic);
        }
        if closed {
            let text = InlineText { name: name.span, parameters: symbols, body };
            self.inlines.insert(token.text, Rc::new(text));
        }
        let body = self.span_from(body_start);
        Some(InlineDefinition { name, parameters, body, span: self.span_from(start) })
    }

    /// Skips `{ .. }`; false when the closing brace is missing.
    fn skip_inline_body(&mut self, start: Spot) -> bool {
        let mut depth = 0usize;
        loop {
            match self.peek() {
                Kind::LBrace => depth += 1,
                Kind::RBrace => depth -= 1,
                Kind::Keyword(
                    Keyword::Proctype | Keyword::Init | Keyword::Never | Keyword::Ltl,
                )
                | Kind::Eof => {
                    let token = self.peek_token();
                    let found = self.describe(&token);
                    self.report(
                        Diagnostic::error(
                            "unclosed-block",
                            token.span,
                            format!("expected `}}`, found {found}"),
                        )
                        .with_related(start.span, "the inline's body starts here"),
                    );
                    return false;
                }
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return true;
            }
        }
    }

    /// A known inline with a similar name.
    pub(super) fn suggest_inline(&self, text: &str) -> Option<String> {
        let mut best: Option<&str> = None;
        for symbol in self.inlines.keys() {
            let candidate = self.words.text(*symbol);
            let close = super::message::distance(text, candidate, 2) <= 2 && candidate.len() > 2;
            // The smallest, so that the answer does not depend on the table's order.
            if close && best.is_none_or(|b| candidate < b) {
                best = Some(candidate);
            }
        }
        best.map(|b| format!("Did you mean `{b}`?"))
    }

    /// `f(..)`, the next token is the name of a known inline.
    #[inline(never)]
    pub(super) fn inline_call(&mut self, result: Option<VarRef>) -> StatementKind {
        let token = self.advance();
        let name = self.name_of(&token);
        let Some(text) = self.inlines.get(&token.text).cloned() else {
            return StatementKind::Error;
        };
        self.skip_line_end_before_parenthesis();
        if !self.expect(Kind::LParen, "behind the name of the inline") {
            return StatementKind::Error;
        }
        let mut arguments: Vec<Vec<Token>> = Vec::new();
        while !self.at(Kind::RParen) || !arguments.is_empty() {
            let from = self.cursor.position();
            self.plain_expression();
            if self.recovering {
                return StatementKind::Error;
            }
            arguments.push(self.cursor.slice(from, self.cursor.position()).to_vec());
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        if !self.expect(Kind::RParen, "behind the arguments of the inline") {
            return StatementKind::Error;
        }
        self.last_in_argument |= arguments
            .iter()
            .flatten()
            .any(|token| token.kind == Kind::Ident && self.words.text(token.text) == "_last");
        if arguments.len() != text.parameters.len() {
            let wanted = text.parameters.len();
            let plural = if wanted == 1 { "" } else { "s" };
            let message = format!(
                "inline `{}` takes {wanted} argument{plural}, found {}",
                name.text,
                arguments.len()
            );
            self.say(
                Diagnostic::error("inline-arguments", name.span, message)
                    .with_related(text.name, "defined here"),
            );
            return StatementKind::Error;
        }
        if self.inline_stack.iter().any(|&(s, _)| s == token.text) {
            let message = format!("inline `{}` calls itself", name.text);
            self.say(
                Diagnostic::error("recursive-inline", name.span, message)
                    .with_hint("Inlines are copied into the text; use a loop or a process instead.")
                    .with_related(text.name, "defined here"),
            );
            return StatementKind::Error;
        }
        let Some(body) = self.expand(&text, arguments, &name, result.is_some()) else {
            return StatementKind::Error;
        };
        // The body ends in a brace, so any statement may follow directly.
        self.cursor.pretend(Kind::RBrace);
        StatementKind::InlineCall { name, result, body }
    }

    /// The body with arguments in place of parameters, parsed.
    fn expand(
        &mut self,
        text: &InlineText,
        arguments: Vec<Vec<Token>>,
        name: &Name,
        has_result: bool,
    ) -> Option<Sequence> {
        let mut tokens = Vec::with_capacity(text.body.len());
        for &token in &text.body {
            let argument = (token.kind == Kind::Ident)
                .then(|| text.parameters.iter().position(|&p| p == token.text))
                .flatten()
                .and_then(|i| arguments.get(i));
            match argument {
                None => tokens.push(token),
                Some(argument) => {
                    for (i, &part) in argument.iter().enumerate() {
                        let line_start = i == 0 && token.line_start;
                        tokens.push(Token { place: token.place, line_start, ..part });
                    }
                }
            }
            if self.expanded + tokens.len() > self.bounds.tokens {
                break;
            }
        }
        self.expanded += tokens.len();
        if self.expanded > self.bounds.tokens {
            self.stop(
                "expansion-limit",
                name.span,
                "inline calls make the text too large",
                "Look for inlines that call each other again and again.",
            );
            return None;
        }
        if !self.enter() {
            return None;
        }
        let end = text.body.last().map_or(name.span, |t| t.span);
        let symbol = self.words.intern(&name.text);
        let mut inner = Cursor::new(Rc::new(tokens), Span::new(end.file, end.end, end.end));
        inner.in_body = self.cursor.in_body;
        let outer = std::mem::replace(&mut self.cursor, inner);
        let recovering = std::mem::replace(&mut self.recovering, false);
        self.inline_stack.push((symbol, has_result));
        let body = self.block();
        self.inline_stack.pop();
        self.recovering = recovering;
        self.cursor = outer;
        self.leave();
        Some(body)
    }

    /// `return e`.
    pub(super) fn return_statement(&mut self) -> StatementKind {
        let token = self.advance();
        let value = self.statement_expression();
        let (message, hint) = match self.inline_stack.last() {
            Some((_, true)) => return StatementKind::Return(value),
            Some((symbol, false)) => {
                let name = self.words.text(*symbol);
                (
                    format!("inline `{name}` returns a value that nobody takes"),
                    format!("Call it as `x = {name}(..)`."),
                )
            }
            None => (
                "`return` stands outside of an inline".to_string(),
                "To end a process early, jump with `goto` to a label at its end.".to_string(),
            ),
        };
        self.say(Diagnostic::error("misplaced-return", token.span, message).with_hint(hint));
        StatementKind::Error
    }
}
