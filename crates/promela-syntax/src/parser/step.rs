//! Sequences of statements, labels, choices, blocks.

use super::Parser;
use crate::ast::*;
use crate::parser::item::DeclarationOrMtype;
use crate::token::{Keyword, Kind, Spot};
use promenade_base::Diagnostic;

impl Parser {
    /// `{ .. }`; the next token is the opening brace.
    pub(super) fn block(&mut self) -> Sequence {
        // A line end in front of the brace of a unit's body means nothing.
        self.eat(Kind::Implied);
        let start = self.start();
        let open = self.advance().span;
        self.cursor.nesting = 0;
        if !self.enter() {
            return Sequence::default();
        }
        let statements = self.sequence(false);
        self.leave();
        let mut unclosed = None;
        if !self.eat(Kind::RBrace) && !self.cut {
            let token = self.peek_token();
            let found = self.describe(&token);
            let diagnostic = Diagnostic::error(
                "unclosed-block",
                token.span,
                format!("expected `}}`, found {found}"),
            )
            .with_related(open, "the block starts here");
            self.report_unclosed(diagnostic, token.kind == Kind::Eof);
            // What is typed next still belongs to the block.
            unclosed = Some(match token.kind {
                Kind::Eof => self.text_end,
                _ => token.span,
            });
        }
        let mut span = self.span_from(start);
        if let Some(next) = unclosed
            && next.file == span.file
        {
            span.end = span.end.max(next.start);
        }
        Sequence { statements, span, end: self.end().span }
    }

    /// Whether the next token ends a sequence.
    fn at_end_of_sequence(&self) -> bool {
        match self.peek() {
            Kind::RBrace | Kind::Options | Kind::Eof => true,
            Kind::Colon => self.at_single_colon(),
            Kind::Keyword(word) => matches!(word, Keyword::Fi | Keyword::Od) || word.opens_unit(),
            _ => false,
        }
    }

    /// Statements up to what ends them; `option`: in an option of a choice.
    fn sequence(&mut self, option: bool) -> Vec<Statement> {
        let mut statements = Vec::new();
        let mut reported_empty = false;
        loop {
            if self.at_end_of_sequence() {
                if option || !self.skip_strays() {
                    break;
                }
                continue;
            }
            if self.at_separator() {
                let token = self.advance();
                if statements.is_empty() && !reported_empty && token.kind != Kind::Implied {
                    reported_empty = true;
                    self.say(Diagnostic::error(
                        "expected-statement",
                        token.span,
                        "expected a statement in front of this separator",
                    ));
                }
                continue;
            }
            let before = self.cursor.position();
            self.cursor.nesting = 0;
            self.step(&mut statements);
            if self.recovering {
                self.recover_in_body();
            } else if option && let [first] = statements.as_slice() {
                self.assignment_as_guard(first);
            }
            let separated = self.eat_separators()
                || self.cursor.last() == Kind::RBrace
                || self.cursor.last() == Kind::Keyword(Keyword::Else);
            if !separated && !self.at_end_of_sequence() {
                self.missing_separator();
            }
            if self.cursor.position() == before && !self.at_end_of_sequence() {
                self.advance();
            }
        }
        if statements.is_empty() && !reported_empty && !self.cut {
            let token = self.peek_token();
            let found = self.describe(&token);
            self.say(
                Diagnostic::error(
                    "empty-sequence",
                    token.span,
                    format!("expected a statement, found {found}"),
                )
                .with_hint("Write `skip` where nothing is to be done."),
            );
        }
        statements
    }

    /// In a block: drops a `fi`, `od` or `::` that belongs to nothing. False at a true end.
    fn skip_strays(&mut self) -> bool {
        let token = self.peek_token();
        let opener = match token.kind {
            Kind::Keyword(Keyword::Fi) => "if",
            Kind::Keyword(Keyword::Od) => "do",
            Kind::Options => "if` or `do",
            _ => return false,
        };
        let found = self.describe(&token);
        self.say(Diagnostic::error(
            "unmatched-choice",
            token.span,
            format!("{found} without `{opener}`"),
        ));
        self.advance();
        // Whether a separator follows does not matter any more.
        self.cursor.pretend(Kind::RBrace);
        true
    }

    fn missing_separator(&mut self) {
        let token = self.peek_token();
        let found = self.describe(&token);
        let mut diagnostic = Diagnostic::error(
            "missing-separator",
            token.span,
            format!("expected `;` between statements, found {found}"),
        );
        diagnostic.hint = match token.kind {
            Kind::Keyword(Keyword::Unless) => {
                Some("`unless` stands on the line where its statement ends, or behind `}`.".into())
            }
            Kind::Colon if self.choices > 0 => Some("An option begins with two colons.".into()),
            Kind::Ident | Kind::Number | Kind::Keyword(_) => None,
            _ => self.hint_for(&token),
        };
        self.report(diagnostic);
        let starts = match token.kind {
            Kind::Ident => true,
            Kind::Keyword(word) => !matches!(word, Keyword::Unless | Keyword::Of | Keyword::Else),
            Kind::LBrace => true,
            _ => false,
        };
        if starts {
            // It reads like the next statement.
            self.recovering = false;
        } else {
            self.recover_in_body();
        }
    }

    /// One step: a declaration, a claim about channels, or a labelled statement.
    fn step(&mut self, statements: &mut Vec<Statement>) {
        let labels = self.labels();
        let start = self.start();
        match self.peek() {
            Kind::Keyword(Keyword::Typedef | Keyword::Inline) => {
                self.nested_unit();
                return;
            }
            Kind::Keyword(word @ (Keyword::Xr | Keyword::Xs)) => {
                self.label_in_front_of(&labels, "`xr` and `xs`");
                self.advance();
                let mut channels = Vec::new();
                while let Some(channel) = self.reference("the name of a channel") {
                    channels.push(channel);
                    if !self.eat(Kind::Comma) {
                        break;
                    }
                }
                let kind = match word {
                    Keyword::Xr => StatementKind::ExclusiveReceive(channels),
                    _ => StatementKind::ExclusiveSend(channels),
                };
                statements.push(Statement { labels, kind, span: self.span_from(start) });
                return;
            }
            _ => {}
        }
        if self.at_declaration() {
            self.label_in_front_of(&labels, "a declaration");
            let kind = match self.declaration_or_mtype() {
                Some(DeclarationOrMtype::Declaration(d)) => StatementKind::Declaration(d),
                Some(DeclarationOrMtype::Mtype(list)) => StatementKind::Mtype(list),
                None => StatementKind::Error,
            };
            statements.push(Statement { labels: Vec::new(), kind, span: self.span_from(start) });
            return;
        }
        let mut statement = self.statement(labels);
        if self.at_keyword(Keyword::Unless) && !self.recovering {
            self.advance();
            let labels = std::mem::take(&mut statement.labels);
            let escape_labels = self.labels();
            let escape = self.statement(escape_labels);
            let kind = StatementKind::Unless(Box::new(statement), Box::new(escape));
            statement = Statement { labels, kind, span: self.span_from(start) };
            if self.at_keyword(Keyword::Unless) && !self.recovering {
                self.report(
                    Diagnostic::error(
                        "missing-separator",
                        self.peek_token().span,
                        "a statement has one `unless`",
                    )
                    .with_hint("Put braces around the inner statement and its `unless`."),
                );
            }
        }
        statements.push(statement);
    }

    fn label_in_front_of(&mut self, labels: &[Name], what: &str) {
        if let Some(label) = labels.first() {
            self.say(
                Diagnostic::error(
                    "misplaced-label",
                    label.span,
                    format!("a label cannot stand in front of {what}"),
                )
                .with_hint("Put it in front of the next statement."),
            );
        }
    }

    /// `typedef` or `inline` in a body: an error, but read so that the rest makes sense.
    fn nested_unit(&mut self) {
        let token = self.peek_token();
        let found = self.describe(&token);
        self.say(
            Diagnostic::error(
                "misplaced-unit",
                token.span,
                format!("{found} cannot stand inside a body"),
            )
            .with_hint("Move it in front of the process."),
        );
        let in_body = self.cursor.in_body;
        self.cursor.in_body = false;
        if token.kind == Kind::Keyword(Keyword::Typedef) {
            self.typedef();
        } else {
            self.inline_definition();
        }
        self.cursor.in_body = in_body;
    }

    /// `L: M:`
    fn labels(&mut self) -> Vec<Name> {
        let mut labels = Vec::new();
        loop {
            let token = self.peek_token();
            if self.ahead(1) != Kind::Colon {
                return labels;
            }
            match token.kind {
                Kind::Ident if !self.proctypes.contains(&token.text) => {
                    self.advance();
                    self.advance();
                    labels.push(self.name_of(&token));
                }
                // `mtype:set` is a type; the options of a choice may have been begun with one colon.
                Kind::Keyword(Keyword::Mtype | Keyword::If | Keyword::Do) => return labels,
                Kind::Keyword(word) => {
                    let message = format!("the reserved word `{}` cannot be a label", word.text());
                    self.say(Diagnostic::error("reserved-word", token.span, message));
                    self.advance();
                    self.advance();
                }
                _ => return labels,
            }
        }
    }

    /// A statement behind its labels.
    fn statement(&mut self, labels: Vec<Name>) -> Statement {
        let start = self.start();
        if !labels.is_empty()
            && (self.at_end_of_sequence()
                || self.at_separator()
                || self.at_keyword(Keyword::Unless))
        {
            let span = self.end().span;
            return Statement { labels, kind: StatementKind::Skip { implied: true }, span };
        }
        if !self.enter() {
            return Statement { labels, kind: StatementKind::Error, span: start.span };
        }
        let kind = self.statement_kind();
        self.leave();
        Statement { labels, kind, span: self.span_from(start) }
    }

    /// `if .. fi` or `do .. od`; the next token is the first word.
    pub(super) fn choice(&mut self, close: Keyword) -> StatementKind {
        let open = self.advance();
        let mut options = Vec::new();
        self.choices += 1;
        let mut begins = self.at(Kind::Options) || self.at(Kind::Colon);
        if !begins && self.not_an_option(close) {
            self.choices -= 1;
            return StatementKind::Error;
        }
        begins |= self.at(Kind::Options);
        while begins {
            if self.at(Kind::Colon) {
                self.single_colon();
            }
            let dots = self.advance();
            options.push(self.option(dots.spot()));
            begins = self.at(Kind::Options) || self.at_single_colon();
        }
        self.choices -= 1;
        let token = self.peek_token();
        match token.kind {
            Kind::Keyword(word) if word == close => {
                self.advance();
            }
            _ if self.recovering || self.cut => {}
            kind => {
                let found = self.describe(&token);
                let opener = self.describe(&open);
                let diagnostic = Diagnostic::error(
                    "unclosed-choice",
                    token.span,
                    format!("expected `{}`, found {found}", close.text()),
                )
                .with_related(open.span, format!("{opener} stands here"));
                self.report_unclosed(diagnostic, kind == Kind::Eof);
                // The wrong closing word is most likely a slip.
                if matches!(kind, Kind::Keyword(Keyword::Fi | Keyword::Od)) {
                    self.advance();
                }
            }
        }
        match close {
            Keyword::Fi => StatementKind::If(options),
            _ => StatementKind::Do(options),
        }
    }

    fn option(&mut self, dots: Spot) -> Sequence {
        if !self.enter() {
            return Sequence::default();
        }
        let start = self.start();
        let statements = self.sequence(true);
        self.leave();
        let span = if statements.is_empty() { dots.span } else { self.span_from(start) };
        let end = self.end().span;
        Sequence { statements, span, end: promenade_base::Span::new(end.file, end.end, end.end) }
    }

    /// There is no `::` where the options should start. True if the whole statement was read.
    fn not_an_option(&mut self, close: Keyword) -> bool {
        let token = self.peek_token();
        let found = self.describe(&token);
        let example = match close {
            Keyword::Fi => "Write `if :: condition -> .. :: else -> .. fi`.",
            _ => "Write `do :: condition -> .. :: else -> break od`.",
        };
        self.report(
            Diagnostic::error(
                "expected-option",
                token.span,
                format!("expected `::` in front of the first option, found {found}"),
            )
            .with_hint(example),
        );
        // Written as in C: skip condition and blocks so that the rest still makes sense.
        if token.kind == Kind::LParen || token.kind == Kind::LBrace {
            loop {
                if self.at(Kind::LParen) {
                    self.plain_expression();
                }
                if self.at(Kind::LBrace) {
                    self.recovering = false;
                    self.block();
                }
                self.recovering = true;
                if !self.at_keyword(Keyword::Else) {
                    break;
                }
                self.advance();
                if self.at_keyword(Keyword::If) {
                    self.advance();
                }
            }
            self.recovering = self.cursor.last() != Kind::RBrace;
            return true;
        }
        // Statements without `::`: read them as an option.
        self.recovering = false;
        self.option(token.spot());
        self.recovering = !self.at_keyword(close) && !self.at(Kind::Options);
        false
    }
}
