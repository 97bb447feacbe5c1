//! Embedded C: recognised, skipped, and refused with one clear text.

use super::Parser;
use crate::ast::CCode;
use crate::token::{Keyword, Kind};
use promenade_base::Diagnostic;

impl Parser {
    /// `c_code [guard] { .. }`, `c_expr { .. }`, `c_decl { .. }`, `c_state "..", ..`.
    pub(super) fn embedded(&mut self, word: Keyword) -> CCode {
        let start = self.start();
        let keyword_span = self.advance().span;
        let nesting = self.cursor.nesting;
        if matches!(word, Keyword::CState | Keyword::CTrack) {
            let mut strings = 0;
            while self.ahead(0) == Kind::Str && strings < 3 {
                self.advance();
                strings += 1;
            }
            if strings < 2 {
                self.expected("expected-string", "a text in quotes");
            }
        } else {
            if self.at(Kind::LBracket) {
                self.skip_balanced(Kind::LBracket, Kind::RBracket);
            }
            if self.at(Kind::LBrace) {
                self.skip_balanced(Kind::LBrace, Kind::RBrace);
            } else {
                let what = format!("`{{` behind `{}`", word.text());
                self.expected("expected-token", &what);
            }
        }
        self.cursor.nesting = nesting;
        self.cursor.pretend(Kind::Keyword(word));
        let hint = match word {
            Keyword::CExpr => "Write the condition as a Promela expression.",
            Keyword::CCode => "Write the statements in Promela; computations fit into a `d_step`.",
            _ => "Declare the data as Promela variables; a `typedef` groups them.",
        };
        let message = format!("`{}` holds C, which cannot be run here", word.text());
        self.say(Diagnostic::error("embedded-c", keyword_span, message).with_hint(hint));
        CCode { keyword: word.text(), span: self.span_from(start) }
    }

    /// Skips from an opening token to its partner.
    pub(super) fn skip_balanced(&mut self, open: Kind, close: Kind) {
        let first = self.peek_token().span;
        let mut depth = 0usize;
        loop {
            let kind = self.ahead(0);
            if kind == Kind::Eof {
                let message = format!("this `{}` has no partner", open.punctuator());
                self.report(Diagnostic::error("unclosed-block", first, message));
                return;
            }
            // Line ends mean nothing in C.
            self.cursor.nesting = 1;
            self.advance();
            if kind == open {
                depth += 1;
            } else if kind == close {
                depth -= 1;
                if depth == 0 {
                    return;
                }
            }
        }
    }
}
