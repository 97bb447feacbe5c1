//! Variables, channels and mtype lists.

use super::Parser;
use super::item::DeclarationOrMtype;
use crate::ast::*;
use crate::token::{Keyword, Kind};
use promenade_base::{Diagnostic, Span};

impl Parser {
    /// Whether a declaration starts here.
    pub(super) fn at_declaration(&self) -> bool {
        match self.peek() {
            Kind::Keyword(Keyword::Hidden | Keyword::Show | Keyword::Local) => true,
            Kind::Keyword(word) => word.is_type(),
            Kind::Ident => {
                let token = self.cursor.raw(0);
                (self.ahead(1) == Kind::Ident && self.typedefs.contains(&token.text))
                    || (self.follows(Kind::Ident) && !self.at_word_expression())
            }
            _ => false,
        }
    }

    /// A declaration up to, without, its separator.
    pub(super) fn declaration_or_mtype(&mut self) -> Option<DeclarationOrMtype> {
        let start = self.start();
        let mut visibility = Visibility::Plain;
        let found = match self.peek() {
            Kind::Keyword(Keyword::Hidden) => Some(Visibility::Hidden),
            Kind::Keyword(Keyword::Show) => Some(Visibility::Show),
            Kind::Keyword(Keyword::Local) => Some(Visibility::Local),
            _ => None,
        };
        if let Some(found) = found {
            self.advance();
            visibility = found;
        }
        let type_start = self.start();
        if self.at_keyword(Keyword::Mtype) {
            self.advance();
            let mut set = None;
            if self.at(Kind::Colon) {
                self.advance();
                set = Some(self.name("the name of the set behind `mtype:`")?);
            }
            if self.at(Kind::Assign) || (self.at(Kind::LBrace) && set.is_none()) {
                self.eat(Kind::Assign);
                let names = self.mtype_names()?;
                return Some(DeclarationOrMtype::Mtype(MtypeList {
                    set,
                    names,
                    span: self.span_from(start),
                }));
            }
            let type_span = self.span_from(type_start);
            return self.declarators(visibility, TypeName::Mtype(set), type_span, start);
        }
        let (ty, type_span) = self.type_name("a type")?;
        if self.at(Kind::Assign) || self.at(Kind::LBrace) {
            self.report(
                Diagnostic::error(
                    "expected-name",
                    self.peek_token().span,
                    "expected the name of a variable behind the type",
                )
                .with_hint("Lists of names are declared with `mtype = { a, b }`."),
            );
            return None;
        }
        self.declarators(visibility, ty, type_span, start)
    }

    /// A type other than an mtype list.
    fn type_name(&mut self, what: &str) -> Option<(TypeName, Span)> {
        let token = self.peek_token();
        let start = self.start();
        let ty = match token.kind {
            Kind::Keyword(word) => match word {
                Keyword::Bit => TypeName::Bit,
                Keyword::Bool => TypeName::Bool,
                Keyword::Byte => TypeName::Byte,
                Keyword::Short => TypeName::Short,
                Keyword::Int => TypeName::Int,
                Keyword::Unsigned => TypeName::Unsigned,
                Keyword::Pid => TypeName::Pid,
                Keyword::Chan => TypeName::Chan,
                Keyword::Mtype => {
                    self.advance();
                    let mut set = None;
                    if self.eat(Kind::Colon) {
                        set = Some(self.name("the name of the set behind `mtype:`")?);
                    }
                    return Some((TypeName::Mtype(set), self.span_from(start)));
                }
                _ => {
                    self.expected("expected-type", what);
                    return None;
                }
            },
            Kind::Ident => TypeName::Named(self.name_of(&token)),
            _ => {
                self.expected("expected-type", what);
                return None;
            }
        };
        self.advance();
        Some((ty, self.span_from(start)))
    }

    /// `{ a, b c }`.
    fn mtype_names(&mut self) -> Option<Vec<Name>> {
        if !self.expect(Kind::LBrace, "in front of the names") {
            return None;
        }
        let mut names = Vec::new();
        loop {
            match self.peek() {
                Kind::Comma if !names.is_empty() => {
                    self.advance();
                }
                Kind::Implied => {
                    self.advance();
                }
                Kind::RBrace if !names.is_empty() => break,
                _ => names.push(self.name("a name")?),
            }
        }
        self.expect(Kind::RBrace, "behind the names");
        Some(names)
    }

    fn declarators(
        &mut self,
        visibility: Visibility,
        ty: TypeName,
        type_span: Span,
        start: crate::token::Spot,
    ) -> Option<DeclarationOrMtype> {
        let mut declarators = Vec::new();
        while let Some(declarator) = self.declarator() {
            declarators.push(declarator);
            if self.recovering || !self.at(Kind::Comma) {
                break;
            }
            if matches!(self.ahead(1), Kind::Keyword(word) if word.is_type()) {
                let span = self.peek_token().span;
                self.report(
                    Diagnostic::error(
                        "expected-token",
                        span,
                        "expected `;` between declarations of different types, found `,`",
                    )
                    .with_hint("Write `byte x; byte y` or `byte x, y`."),
                );
                break;
            }
            self.advance();
        }
        if declarators.is_empty() {
            return None;
        }
        let span = self.span_from(start);
        Some(DeclarationOrMtype::Declaration(Declaration {
            visibility,
            ty,
            type_span,
            declarators,
            span,
        }))
    }

    fn declarator(&mut self) -> Option<Declarator> {
        let token = self.peek_token();
        let name = self.name("the name of a variable")?;
        if self.at(Kind::LParen) && !self.cursor.in_body {
            self.c_function(&name, token.text);
            return None;
        }
        let (mut width, mut array, mut initializer) = (None, None, None);
        if self.eat(Kind::Colon) {
            width = Some(self.constant("the number of bits behind `:`"));
        }
        if self.eat(Kind::LBracket) {
            array = Some(self.plain_expression());
            self.expect(Kind::RBracket, "behind the array size");
            if self.at(Kind::LBracket) && !self.recovering {
                self.report(
                    Diagnostic::error(
                        "array-dimensions",
                        self.peek_token().span,
                        "arrays have one dimension",
                    )
                    .with_hint("Make a `typedef` with an array in it, and an array of that type."),
                );
            }
        }
        if !self.recovering && self.eat(Kind::Assign) {
            initializer = Some(self.initializer());
        }
        Some(Declarator { name, width, array, initializer })
    }

    fn initializer(&mut self) -> Initializer {
        let start = self.start();
        if self.eat(Kind::LBrace) {
            let mut values = Vec::new();
            loop {
                values.push(self.plain_expression());
                while self.eat(Kind::Implied) {}
                if self.recovering || !self.eat(Kind::Comma) {
                    break;
                }
            }
            self.expect(Kind::RBrace, "behind the initial values");
            return Initializer::List(values, self.span_from(start));
        }
        if self.eat(Kind::LBracket) {
            let capacity = self.plain_expression();
            let mut fields = Vec::new();
            self.expect(Kind::RBracket, "behind the capacity of the channel");
            if !self.at_keyword(Keyword::Of) {
                self.expected("expected-token", "`of` behind the capacity of the channel");
            } else {
                self.advance();
                if self.expect(Kind::LBrace, "in front of the message fields") {
                    fields = self.message_fields();
                    self.expect(Kind::RBrace, "behind the message fields");
                }
            }
            return Initializer::Channel { capacity, fields, span: self.span_from(start) };
        }
        Initializer::Value(self.plain_expression())
    }

    fn message_fields(&mut self) -> Vec<(TypeName, Span)> {
        let mut fields = Vec::new();
        while let Some(mut field) = self.type_name("the type of a message field") {
            if field.0 == TypeName::Unsigned {
                self.say(
                    Diagnostic::error(
                        "unsigned-field",
                        field.1,
                        "`unsigned` cannot be the type of a message field",
                    )
                    .with_hint("Use `byte`, `short` or `int`."),
                );
                if self.eat(Kind::Colon) {
                    self.constant("the number of bits behind `:`");
                }
                field.0 = TypeName::Int;
            }
            fields.push(field);
            while self.eat(Kind::Implied) {}
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        fields
    }
}
