//! Top-level units.

use super::Parser;
use crate::ast::*;
use crate::token::{Keyword, Kind};
use promenade_base::Diagnostic;

impl Parser {
    /// The whole text.
    pub(super) fn specification(&mut self) -> Specification {
        let mut items = Vec::new();
        loop {
            let before = self.cursor.position();
            match self.peek() {
                Kind::Eof => break,
                Kind::Semi | Kind::Arrow => {
                    self.advance();
                    continue;
                }
                _ => {}
            }
            self.cursor.in_body = false;
            self.cursor.nesting = 0;
            if let Some(item) = self.item() {
                items.push(item);
            }
            if self.recovering {
                self.recover_at_top();
            }
            if self.cursor.position() == before && !self.cut {
                self.advance();
            }
        }
        Specification { items, last_in_argument: self.last_in_argument }
    }

    /// One unit.
    fn item(&mut self) -> Option<Item> {
        let token = self.peek_token();
        match token.kind {
            Kind::Keyword(word) => match word {
                Keyword::Active | Keyword::Proctype | Keyword::DProctype => {
                    self.proctype().map(Item::Proctype)
                }
                Keyword::Init => self.init().map(Item::Init),
                Keyword::Never => self.never().map(Item::Never),
                Keyword::Trace | Keyword::Notrace => self.trace().map(Item::Trace),
                Keyword::Typedef => self.typedef().map(Item::Typedef),
                Keyword::Inline => self.inline_definition().map(Item::Inline),
                Keyword::Ltl => self.ltl().map(Item::Ltl),
                Keyword::CCode | Keyword::CDecl | Keyword::CState | Keyword::CTrack => {
                    Some(Item::CCode(self.embedded(word)))
                }
                _ if word.is_type() => match self.declaration_or_mtype()? {
                    DeclarationOrMtype::Mtype(list) => Some(Item::Mtype(list)),
                    DeclarationOrMtype::Declaration(d) => Some(Item::Declaration(d)),
                },
                Keyword::Hidden | Keyword::Show | Keyword::Local => {
                    match self.declaration_or_mtype()? {
                        DeclarationOrMtype::Mtype(list) => Some(Item::Mtype(list)),
                        DeclarationOrMtype::Declaration(d) => Some(Item::Declaration(d)),
                    }
                }
                _ => {
                    self.misplaced_at_top();
                    None
                }
            },
            Kind::Ident if self.ahead(1) == Kind::Ident => {
                if !self.typedefs.contains(&token.text) {
                    let text = self.words.text(token.text);
                    if let Some(hint) = self.suggest(text, UNIT_WORDS) {
                        let message = format!("`{text}` does not start a unit");
                        self.report(
                            Diagnostic::error("expected-unit", token.span, message).with_hint(hint),
                        );
                        return None;
                    }
                }
                match self.declaration_or_mtype()? {
                    DeclarationOrMtype::Mtype(list) => Some(Item::Mtype(list)),
                    DeclarationOrMtype::Declaration(d) => Some(Item::Declaration(d)),
                }
            }
            Kind::RBrace => {
                self.report(Diagnostic::error(
                    "unmatched-brace",
                    token.span,
                    "this `}` closes nothing",
                ));
                self.advance();
                self.recovering = false;
                None
            }
            _ => {
                self.misplaced_at_top();
                None
            }
        }
    }

    fn misplaced_at_top(&mut self) {
        let token = self.peek_token();
        let found = self.describe(&token);
        let mut diagnostic = Diagnostic::error(
            "expected-unit",
            token.span,
            format!("expected a declaration or a process, found {found}"),
        );
        diagnostic.hint = match token.kind {
            Kind::Ident => self.suggest(self.words.text(token.text), UNIT_WORDS),
            _ => None,
        }
        .or_else(|| {
            Some("Statements stand inside `proctype .. { }`, `init { }` or `inline .. { }`.".into())
        });
        self.report(diagnostic);
    }

    /// `priority n`.
    fn priority(&mut self) -> Option<Expr> {
        if !self.at_keyword(Keyword::Priority) {
            return None;
        }
        self.advance();
        Some(self.constant("a number behind `priority`"))
    }

    fn proctype(&mut self) -> Option<Proctype> {
        let start = self.start();
        let mut active = None;
        if self.at_keyword(Keyword::Active) {
            self.advance();
            let mut count = None;
            if self.eat(Kind::LBracket) {
                count = Some(self.plain_expression());
                self.expect(Kind::RBracket, "behind the number of processes");
            }
            active = Some(count);
        }
        let deterministic = self.at_keyword(Keyword::DProctype);
        if !deterministic && !self.at_keyword(Keyword::Proctype) {
            self.expected("expected-token", "`proctype` behind `active`");
            return None;
        }
        self.advance();
        let name_token = self.peek_token();
        let name = self.name("the name of the process type")?;
        self.proctypes.insert(name_token.text);
        let mut parameters = Vec::new();
        if self.at(Kind::LBrace) {
            let message = format!("expected `()` behind `{}`, found `{{`", name.text);
            let hint = format!("Write `proctype {}() {{ .. }}`.", name.text);
            let span = self.peek_token().span;
            self.say(Diagnostic::error("expected-token", span, message).with_hint(hint));
        } else if self.expect(Kind::LParen, "behind the name of the process type") {
            parameters = self.parameters();
            self.expect(Kind::RParen, "behind the parameters");
        }
        let priority = self.priority();
        let mut provided = None;
        if self.at_keyword(Keyword::Provided) {
            self.advance();
            if self.expect(Kind::LParen, "behind `provided`") {
                provided = Some(self.full_expression());
                self.expect(Kind::RParen, "behind the condition of `provided`");
            }
        }
        let body = self.unit_body()?;
        let span = self.span_from(start).to(body.span);
        Some(Proctype { deterministic, active, name, parameters, priority, provided, body, span })
    }

    /// Parameters up to the closing parenthesis.
    fn parameters(&mut self) -> Vec<Declaration> {
        let mut parameters = Vec::new();
        if self.at(Kind::RParen) {
            return parameters;
        }
        loop {
            if !self.at_declaration() {
                self.expected("expected-parameter", "a parameter such as `byte x`");
                break;
            }
            match self.declaration_or_mtype() {
                Some(DeclarationOrMtype::Declaration(d)) => parameters.push(d),
                Some(DeclarationOrMtype::Mtype(list)) => {
                    self.report(Diagnostic::error(
                        "misplaced-mtype",
                        list.span,
                        "a list of names cannot be a parameter",
                    ));
                }
                None => break,
            }
            if self.recovering {
                break;
            }
            if !matches!(self.peek(), Kind::Semi | Kind::Arrow) {
                break;
            }
            while matches!(self.peek(), Kind::Semi | Kind::Arrow) {
                self.advance();
            }
        }
        parameters
    }

    /// `{ .. }` of a process or claim.
    fn unit_body(&mut self) -> Option<Sequence> {
        if self.recovering {
            // Something in the head is wrong; the body may be fine.
            while !matches!(self.peek(), Kind::LBrace | Kind::Eof | Kind::RBrace)
                && !matches!(self.peek(), Kind::Keyword(w) if w.opens_unit())
            {
                self.advance();
            }
            self.cursor.nesting = 0;
            if self.at(Kind::LBrace) {
                self.recovering = false;
            }
        }
        if !self.at(Kind::LBrace) {
            self.expected("expected-token", "`{` in front of the body");
            return None;
        }
        let outer = std::mem::replace(&mut self.cursor.in_body, self.implied_separators);
        let body = self.block();
        self.cursor.in_body = outer;
        Some(body)
    }

    fn init(&mut self) -> Option<Init> {
        let start = self.start();
        let keyword = self.advance().span;
        let priority = self.priority();
        if self.at(Kind::LParen) {
            let span = self.peek_token().span;
            self.say(Diagnostic::error("expected-token", span, "`init` has no parameters"));
            self.advance();
            self.eat(Kind::RParen);
        }
        let body = self.unit_body()?;
        let span = self.span_from(start).to(body.span);
        Some(Init { priority, body, keyword, span })
    }

    fn never(&mut self) -> Option<Claim> {
        let start = self.start();
        self.advance();
        let name = self.optional_name();
        let body = self.unit_body()?;
        let span = self.span_from(start).to(body.span);
        Some(Claim { name, body, span })
    }

    fn trace(&mut self) -> Option<TraceAssertion> {
        let start = self.start();
        let negated = self.at_keyword(Keyword::Notrace);
        self.advance();
        let name = self.optional_name();
        let body = self.unit_body()?;
        let span = self.span_from(start).to(body.span);
        Some(TraceAssertion { negated, name, body, span })
    }

    /// A name, if the next token is one.
    pub(super) fn optional_name(&mut self) -> Option<Name> {
        if !self.at(Kind::Ident) {
            return None;
        }
        let token = self.advance();
        Some(self.name_of(&token))
    }

    /// `typedef name { fields }`.
    pub(super) fn typedef(&mut self) -> Option<Typedef> {
        let start = self.start();
        self.advance();
        let token = self.peek_token();
        let name = self.name("the name of the new type")?;
        if !self.expect(Kind::LBrace, "in front of the fields") {
            return None;
        }
        let outer = std::mem::replace(&mut self.cursor.in_body, self.implied_separators);
        let mut fields = Vec::new();
        loop {
            if self.at(Kind::RBrace) && !fields.is_empty() {
                break;
            }
            if !self.at_declaration() {
                self.expected("expected-field", "a field such as `byte x`");
                break;
            }
            match self.declaration_or_mtype() {
                Some(DeclarationOrMtype::Declaration(d)) => fields.push(d),
                Some(DeclarationOrMtype::Mtype(list)) => {
                    self.report(Diagnostic::error(
                        "misplaced-mtype",
                        list.span,
                        "a list of names cannot be a field",
                    ));
                }
                None => break,
            }
            if self.recovering {
                break;
            }
            let separated = self.eat_separators() || self.cursor.last() == Kind::RBrace;
            if !separated && !self.at(Kind::RBrace) {
                self.expected("missing-separator", "`;` between fields");
                break;
            }
        }
        self.cursor.in_body = outer;
        if self.recovering {
            // The rest of the fields is not worth a second message.
            while !matches!(self.peek(), Kind::RBrace | Kind::Eof)
                && !matches!(self.peek(), Kind::Keyword(w) if w.opens_unit())
            {
                self.advance();
            }
            self.recovering = false;
            self.cursor.nesting = 0;
        }
        self.expect(Kind::RBrace, "behind the fields");
        self.typedefs.insert(token.text);
        Some(Typedef { name, fields, span: self.span_from(start) })
    }
}

/// Words that start a unit.
const UNIT_WORDS: &[Keyword] = &[
    Keyword::Active,
    Keyword::Proctype,
    Keyword::DProctype,
    Keyword::Init,
    Keyword::Never,
    Keyword::Trace,
    Keyword::Notrace,
    Keyword::Typedef,
    Keyword::Inline,
    Keyword::Ltl,
    Keyword::Mtype,
    Keyword::Byte,
    Keyword::Bool,
    Keyword::Short,
    Keyword::Int,
    Keyword::Chan,
    Keyword::Unsigned,
    Keyword::Hidden,
];

/// What starts with a type.
pub(super) enum DeclarationOrMtype {
    /// Variables.
    Declaration(Declaration),
    /// `mtype = { .. }`.
    Mtype(MtypeList),
}
