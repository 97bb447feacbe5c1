//! Tokens to syntax tree: recursive descent that goes on after errors.
//!
//! After an error the parser is silent until it has found a place to go on: a separator, `::`, the
//! end of a choice or block, or a unit's first word. Nesting is counted, so deep texts end in a
//! diagnostic; operators are reduced with explicit stacks, so only brackets and blocks recurse.

mod declaration;
mod embedded;
mod expression;
mod foreign;
mod formula;
mod inline;
mod item;
mod message;
mod mixed;
mod primary;
mod statement;
mod step;
#[cfg(test)]
mod tests;

use crate::ast::{Name, Specification};
use crate::lexer::Cursor;
use crate::preprocessor::Preprocessed;
use crate::token::{Interner, Keyword, Kind, Spot, Symbol, Token};
use crate::{Bounds, ParseOptions};
use inline::InlineText;
use promenade_base::{Checked, Diagnostic, Span};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The parser's state.
struct Parser {
    cursor: Cursor,
    words: Interner,
    /// The end of the main file.
    text_end: Span,
    bounds: Bounds,
    implied_separators: bool,
    diagnostics: Vec<Diagnostic>,
    /// What was said already: an inline that is expanded twice has its errors once.
    said: HashSet<(&'static str, Span, String)>,
    /// An error was reported and no place to go on was found yet.
    recovering: bool,
    nesting: usize,
    /// A limit was reached: everything reads as the end of the text.
    cut: bool,
    /// Choices around the next statement.
    choices: usize,
    inlines: HashMap<Symbol, Rc<InlineText>>,
    /// The inlines being expanded, and whether their calls take a result.
    inline_stack: Vec<(Symbol, bool)>,
    /// `_last` is named in an argument of an inline.
    last_in_argument: bool,
    /// Tokens made by inline calls.
    expanded: usize,
    typedefs: HashSet<Symbol>,
    /// Names of functions as in C: their calls are not worth a second message.
    functions: HashSet<Symbol>,
    /// Proctypes defined so far.
    proctypes: HashSet<Symbol>,
    /// All proctypes of the text; formulas are read as if they stood at its end.
    all_proctypes: HashSet<Symbol>,
    in_formula: bool,
    /// Height of the last inner expression or of the indices of the last reference.
    inner_height: u32,
    /// Something without its end was reported at the end of the text.
    end_reported: bool,
}

/// Parses preprocessed tokens.
pub(crate) fn parse(input: Preprocessed, options: &ParseOptions) -> Checked<Specification> {
    if input.cut {
        return Checked { value: Specification::default(), diagnostics: input.diagnostics };
    }
    let end = input.tokens.last().map_or(Span::default(), |t| {
        let s = t.span;
        Span::new(s.file, s.end, s.end)
    });
    let mut all_proctypes = HashSet::new();
    for pair in input.tokens.windows(2) {
        let opens = Kind::Keyword(Keyword::Proctype);
        if (pair[0].kind == opens || pair[0].kind == Kind::Keyword(Keyword::DProctype))
            && pair[1].kind == Kind::Ident
        {
            all_proctypes.insert(pair[1].text);
        }
    }
    let mut parser = Parser {
        cursor: Cursor::new(Rc::new(input.tokens), end),
        words: input.words,
        text_end: input.end,
        bounds: options.bounds,
        implied_separators: options.implied_separators,
        diagnostics: input.diagnostics,
        said: HashSet::new(),
        recovering: false,
        nesting: 0,
        cut: false,
        choices: 0,
        inlines: HashMap::new(),
        inline_stack: Vec::new(),
        last_in_argument: false,
        expanded: 0,
        typedefs: HashSet::new(),
        functions: HashSet::new(),
        proctypes: HashSet::new(),
        all_proctypes,
        in_formula: false,
        inner_height: 0,
        end_reported: false,
    };
    let value = parser.specification();
    Checked { value, diagnostics: parser.diagnostics }
}

impl Parser {
    fn peek_token(&self) -> Token {
        if self.cut {
            return Token { kind: Kind::Eof, ..self.cursor.raw(0) };
        }
        self.cursor.peek()
    }

    /// The kind of the next token.
    fn peek(&self) -> Kind {
        self.peek_token().kind
    }

    /// The kind of a later token, implied separators not seen.
    fn ahead(&self, n: usize) -> Kind {
        if self.cut { Kind::Eof } else { self.cursor.raw(n).kind }
    }

    /// Whether this kind stands behind the next token with no separator implied between them.
    fn follows(&self, kind: Kind) -> bool {
        let next = self.cursor.raw(1);
        let broken = next.line_start && self.cursor.in_body && self.cursor.nesting == 0;
        self.ahead(1) == kind && !broken
    }

    fn advance(&mut self) -> Token {
        if self.cut { self.peek_token() } else { self.cursor.advance() }
    }

    fn at(&self, kind: Kind) -> bool {
        self.peek() == kind
    }

    fn at_keyword(&self, keyword: Keyword) -> bool {
        self.peek() == Kind::Keyword(keyword)
    }

    /// Takes the next token if it is of this kind.
    fn eat(&mut self, kind: Kind) -> bool {
        let found = self.at(kind);
        if found {
            self.advance();
        }
        found
    }

    /// Takes the next token, or says what was expected.
    fn expect(&mut self, kind: Kind, context: &str) -> bool {
        if self.eat(kind) {
            return true;
        }
        let what = format!("`{}` {context}", kind.punctuator());
        self.expected("expected-token", &what);
        false
    }

    /// The first end of a node that starts with the next token.
    fn start(&self) -> Spot {
        self.cursor.raw(0).spot()
    }

    /// The last end of a node that ends with the last token.
    fn end(&self) -> Spot {
        self.cursor.last_spot()
    }

    /// The span of a node from `start` to the last token.
    fn span_from(&self, start: Spot) -> Span {
        start.to(self.end())
    }

    fn name_of(&self, token: &Token) -> Name {
        Name { text: self.words.shared(token.text), span: token.span }
    }

    /// A name, or an error.
    fn name(&mut self, what: &str) -> Option<Name> {
        let token = self.peek_token();
        match token.kind {
            Kind::Ident => {
                self.advance();
                Some(self.name_of(&token))
            }
            Kind::Keyword(word) => {
                let message = format!("expected {what}, found the reserved word `{}`", word.text());
                self.report(
                    Diagnostic::error("reserved-word", token.span, message)
                        .with_hint("Reserved words cannot be names; choose another one."),
                );
                None
            }
            _ => {
                self.expected("expected-name", what);
                None
            }
        }
    }

    /// Reports unless an error is being recovered from.
    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.recovering {
            self.say(diagnostic);
        }
        self.recovering = true;
    }

    /// Reports something that does not disturb reading.
    fn say(&mut self, diagnostic: Diagnostic) {
        if self.cut && diagnostic.is_error() && self.diagnostics.iter().any(|d| d.is_error()) {
            return;
        }
        let key = (diagnostic.code, diagnostic.span, diagnostic.message.clone());
        if self.diagnostics.len() < self.bounds.diagnostics && self.said.insert(key) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports what was expected instead of the next token.
    fn expected(&mut self, code: &'static str, what: &str) {
        if !self.recovering {
            let token = self.peek_token();
            let found = self.describe(&token);
            let mut diagnostic =
                Diagnostic::error(code, token.span, format!("expected {what}, found {found}"));
            diagnostic.hint = self.hint_for(&token);
            self.report(diagnostic);
        }
    }

    /// Reports a missing end. At the end of the text only the innermost one is worth a message.
    fn report_unclosed(&mut self, diagnostic: Diagnostic, at_end: bool) {
        if !(at_end && self.end_reported) {
            self.report(diagnostic);
        }
        self.end_reported |= at_end;
        self.recovering = false;
    }

    /// Stops everything with a message.
    fn stop(&mut self, code: &'static str, span: Span, message: &str, hint: &str) {
        if !self.cut {
            self.diagnostics.push(Diagnostic::error(code, span, message).with_hint(hint));
            self.cut = true;
        }
    }

    /// Goes one level deeper; false (with an error) where that is too deep.
    fn enter(&mut self) -> bool {
        if self.nesting >= self.bounds.nesting {
            let span = self.peek_token().span;
            self.stop(
                "nesting-limit",
                span,
                "the text is nested too deeply",
                "Take some of the inner parts out into inlines, macros or variables.",
            );
            return false;
        }
        self.nesting += 1;
        true
    }

    fn leave(&mut self) {
        self.nesting = self.nesting.saturating_sub(1);
    }

    /// Whether the next token separates statements.
    fn at_separator(&self) -> bool {
        is_separator(self.peek())
    }

    /// Takes separators; whether there was one.
    fn eat_separators(&mut self) -> bool {
        let mut any = false;
        while self.at_separator() {
            self.advance();
            any = true;
        }
        any
    }

    /// After an error in a body: skips to a separator or to what ends a sequence, over whole
    /// brackets and choices.
    fn recover_in_body(&mut self) {
        self.cursor.nesting = 0;
        let mut open = 0usize;
        loop {
            let kind = self.peek();
            match kind {
                Kind::Eof => break,
                Kind::Keyword(word) if word.opens_unit() => break,
                _ if open == 0 && is_separator(kind) => break,
                Kind::Options if open == 0 => break,
                Kind::Colon if open == 0 && self.at_single_colon() => break,
                Kind::LBrace | Kind::Keyword(Keyword::If | Keyword::Do) => open += 1,
                Kind::RBrace | Kind::Keyword(Keyword::Fi | Keyword::Od) => {
                    if open == 0 {
                        break;
                    }
                    open -= 1;
                    if open == 0 && kind == Kind::RBrace {
                        // Any statement may follow a closing brace.
                        self.advance();
                        break;
                    }
                }
                _ => {}
            }
            self.advance();
            self.cursor.nesting = 0;
        }
        self.recovering = false;
    }

    /// After an error between units: skips to what can start one.
    fn recover_at_top(&mut self) {
        self.cursor.nesting = 0;
        let mut open = 0usize;
        loop {
            let token = self.peek_token();
            match token.kind {
                Kind::Eof => break,
                Kind::Keyword(word) if word.opens_unit() => break,
                Kind::Keyword(word)
                    if open == 0
                        && (word.is_type()
                            || matches!(
                                word,
                                Keyword::Inline
                                    | Keyword::Typedef
                                    | Keyword::Hidden
                                    | Keyword::Show
                                    | Keyword::Local
                                    | Keyword::CCode
                                    | Keyword::CDecl
                                    | Keyword::CState
                                    | Keyword::CTrack
                            )) =>
                {
                    break;
                }
                Kind::Semi if open == 0 => break,
                Kind::LBrace => open += 1,
                Kind::RBrace => {
                    open = open.saturating_sub(1);
                    if open == 0 {
                        self.advance();
                        break;
                    }
                }
                _ => {}
            }
            self.advance();
        }
        self.cursor.nesting = 0;
        self.recovering = false;
    }
}

/// Whether the token separates statements.
fn is_separator(kind: Kind) -> bool {
    matches!(kind, Kind::Semi | Kind::Arrow | Kind::Implied)
}
