//! A cursor over preprocessed tokens that sees the separators a line end implies.
//!
//! SPIN's rule: inside a body and outside parentheses, a line end is a separator when the last
//! token could end a statement. A closing brace is not one of them here, because the parser lets
//! any statement follow it directly.

use crate::token::{Keyword, Kind, Spot, Symbol, Token};
use promenade_base::Span;
use std::rc::Rc;

/// A place in a list of tokens.
#[derive(Clone, Debug)]
pub(crate) struct Cursor {
    tokens: Rc<Vec<Token>>,
    at: usize,
    end: Token,
    /// The kind of the last token taken.
    last: Kind,
    /// Its place.
    last_spot: Spot,
    /// The implied separator in front of the next token was taken.
    taken: bool,
    /// Open parentheses and brackets since the last reset.
    pub nesting: usize,
    /// Whether line ends can be separators here.
    pub in_body: bool,
}

impl Cursor {
    /// A cursor at the start; `end` is the place of the end marker.
    pub(crate) fn new(tokens: Rc<Vec<Token>>, end: Span) -> Self {
        let end = Token {
            kind: Kind::Eof,
            text: Symbol(0),
            span: end,
            place: end,
            line_start: true,
            space: true,
            no_expand: false,
        };
        let start = Span::new(end.span.file, 0, 0);
        Self {
            tokens,
            at: 0,
            end,
            last: Kind::Semi,
            last_spot: Spot { span: start, place: start },
            taken: false,
            nesting: 0,
            in_body: false,
        }
    }

    /// The token `ahead` places on, without implied separators.
    pub(crate) fn raw(&self, ahead: usize) -> Token {
        self.tokens.get(self.at + ahead).copied().unwrap_or(self.end)
    }

    /// The next token, which may be an implied separator.
    pub(crate) fn peek(&self) -> Token {
        let next = self.raw(0);
        if next.line_start
            && self.in_body
            && self.nesting == 0
            && !self.taken
            && ends_statement(self.last)
            && next.kind != Kind::Eof
        {
            let behind = |s: Span| Span::new(s.file, s.end, s.end);
            let (span, place) = (behind(self.last_spot.span), behind(self.last_spot.place));
            return Token { kind: Kind::Implied, span, place, ..next };
        }
        next
    }

    /// Takes the next token.
    pub(crate) fn advance(&mut self) -> Token {
        let token = self.peek();
        if token.kind == Kind::Implied {
            self.taken = true;
            self.last = Kind::Implied;
            return token;
        }
        if token.kind == Kind::Eof {
            return token;
        }
        match token.kind {
            Kind::LParen | Kind::LBracket => self.nesting += 1,
            Kind::RParen | Kind::RBracket => self.nesting = self.nesting.saturating_sub(1),
            _ => {}
        }
        self.at += 1;
        self.taken = false;
        self.last = token.kind;
        self.last_spot = token.spot();
        token
    }

    /// How many tokens were taken.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// The tokens from one position to another.
    pub(crate) fn slice(&self, from: usize, to: usize) -> &[Token] {
        self.tokens.get(from..to).unwrap_or(&[])
    }

    /// The last token's kind.
    pub(crate) fn last(&self) -> Kind {
        self.last
    }

    /// The last token's place.
    pub(crate) fn last_spot(&self) -> Spot {
        self.last_spot
    }

    /// Acts as if a token of this kind had just been taken.
    pub(crate) fn pretend(&mut self, kind: Kind) {
        self.last = kind;
        self.taken = false;
    }
}

/// Whether a line end behind this token is a separator.
fn ends_statement(kind: Kind) -> bool {
    use Keyword::*;
    match kind {
        Kind::RParen
        | Kind::RBracket
        | Kind::Ident
        | Kind::Number
        | Kind::Char
        | Kind::Increment
        | Kind::Decrement => true,
        Kind::Keyword(word) => matches!(
            word,
            Od | Fi | Else | Break | CCode | CExpr | CDecl | True | False | Skip | Timeout
        ),
        _ => false,
    }
}

/// The value of a decimal number cut to 32 bits, and whether something was cut off. None if it
/// has letters in it.
pub(crate) fn number(text: &str) -> Option<(i32, bool)> {
    let mut value: i64 = 0;
    let mut cut = false;
    for b in text.bytes() {
        if !b.is_ascii_digit() {
            return None;
        }
        let next = value.checked_mul(10).and_then(|v| v.checked_add(i64::from(b - b'0')));
        match next {
            Some(next) if !cut => value = next,
            _ => {
                value = i64::MAX;
                cut = true;
            }
        }
    }
    Some((value as i32, i64::from(value as i32) != value))
}

/// The value of a character constant with its quotes; none if there is not exactly one character.
pub(crate) fn character(text: &str) -> Option<i32> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let bytes = inner.as_bytes();
    match *bytes {
        [c] if c.is_ascii() => Some(i32::from(c)),
        [b'\\', c] if c.is_ascii() => Some(match c {
            b'n' => 10,
            b'r' => 13,
            b't' => 9,
            b'f' => 12,
            other => i32::from(other),
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_cut_to_32_bits() {
        assert_eq!(number("007"), Some((7, false)));
        assert_eq!(number("4294967297"), Some((1, true)));
        assert_eq!(number("99999999999999999999999"), Some((-1, true)));
        assert_eq!(number("0x10"), None);
    }

    #[test]
    fn characters() {
        assert_eq!(character("'a'"), Some(97));
        assert_eq!(character("'\\n'"), Some(10));
        assert_eq!(character("'\\''"), Some(39));
        assert_eq!(character("'ab'"), None);
        assert_eq!(character("'é'"), None);
    }
}
