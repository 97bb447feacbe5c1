//! `#if` expressions: C's integer operators on 64 bits.

use super::Preprocessor;
use crate::token::{Kind, Token};
use promenade_base::{Diagnostic, Span};

/// Nesting of parentheses, prefix operators and conditionals.
const DEPTH: usize = 100;

/// Reads an expression from tokens without macros.
struct Evaluator<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
    place: Span,
    words: &'a crate::token::Interner,
    problem: Option<(Span, String)>,
}

impl Preprocessor<'_> {
    /// The truth of a condition; false with an error when it cannot be read.
    pub(super) fn condition(&mut self, tokens: Vec<Token>, place: Span) -> bool {
        if tokens.is_empty() {
            self.error("bad-condition", place, "expected a condition");
            return false;
        }
        let tokens = self.replace_defined(tokens);
        let tokens = self.expand_list(tokens, place);
        let mut evaluator = Evaluator {
            tokens: &tokens,
            at: 0,
            depth: 0,
            place,
            words: &self.words,
            problem: None,
        };
        let value = evaluator.conditional(true);
        if evaluator.at < tokens.len() && evaluator.problem.is_none() {
            evaluator.complain("this does not belong to the condition");
        }
        match evaluator.problem {
            None => value != 0,
            Some((span, message)) => {
                self.report(Diagnostic::error("bad-condition", span, message));
                false
            }
        }
    }

    /// `defined X` and `defined(X)` become 1 or 0 before macros are expanded.
    fn replace_defined(&mut self, tokens: Vec<Token>) -> Vec<Token> {
        let mut out = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while let Some(&token) = tokens.get(at) {
            at += 1;
            if token.kind != Kind::Ident || self.words.text(token.text) != "defined" {
                out.push(token);
                continue;
            }
            let parenthesis = tokens.get(at).is_some_and(|t| t.kind == Kind::LParen);
            let name = tokens.get(at + usize::from(parenthesis)).copied();
            match name {
                Some(name) if matches!(name.kind, Kind::Ident | Kind::Keyword(_)) => {
                    at += 1 + usize::from(parenthesis);
                    let known = self.is_defined(name.text);
                    let text = self.words.intern(if known { "1" } else { "0" });
                    out.push(Token { kind: Kind::Number, text, ..name });
                    if parenthesis {
                        match tokens.get(at) {
                            Some(t) if t.kind == Kind::RParen => at += 1,
                            _ => self.error(
                                "bad-condition",
                                name.span,
                                "expected `)` behind the name in `defined`",
                            ),
                        }
                    }
                }
                _ => {
                    self.error("bad-condition", token.span, "expected a name behind `defined`");
                    let text = self.words.intern("0");
                    out.push(Token { kind: Kind::Number, text, ..token });
                }
            }
        }
        out
    }
}

/// Binary operators by their level, loosest first.
fn level(kind: Kind) -> Option<u8> {
    Some(match kind {
        Kind::OrOr => 1,
        Kind::AndAnd => 2,
        Kind::Bar => 3,
        Kind::Caret => 4,
        Kind::Amp => 5,
        Kind::Equal | Kind::NotEqual => 6,
        Kind::Less | Kind::Greater | Kind::LessEqual | Kind::GreaterEqual => 7,
        Kind::ShiftLeft | Kind::ShiftRight => 8,
        Kind::Plus | Kind::Minus => 9,
        Kind::Star | Kind::Slash | Kind::Percent => 10,
        _ => return None,
    })
}

impl Evaluator<'_> {
    fn peek(&self) -> Option<Kind> {
        self.tokens.get(self.at).map(|t| t.kind)
    }

    fn complain(&mut self, message: &str) {
        if self.problem.is_none() {
            let span = self.tokens.get(self.at).map_or(self.place, |t| t.span);
            self.problem = Some((span, message.to_string()));
        }
    }

    /// `a ? b : c`; without `live` the value does not matter (and may divide by zero).
    fn conditional(&mut self, live: bool) -> i64 {
        if self.depth >= DEPTH {
            self.complain("the condition is nested too deeply");
            return 0;
        }
        self.depth += 1;
        let mut value = self.binary(1, live);
        if self.peek() == Some(Kind::Question) && self.problem.is_none() {
            self.at += 1;
            let yes = self.conditional(live && value != 0);
            if self.peek() == Some(Kind::Colon) {
                self.at += 1;
            } else {
                self.complain("expected `:` in the condition");
            }
            let no = self.conditional(live && value == 0);
            value = if value != 0 { yes } else { no };
        }
        self.depth -= 1;
        value
    }

    fn binary(&mut self, least: u8, live: bool) -> i64 {
        let mut left = self.unary(live);
        while let Some(kind) = self.peek()
            && let Some(own) = level(kind)
            && own >= least
            && self.problem.is_none()
        {
            self.at += 1;
            let needed = match kind {
                Kind::OrOr => live && left == 0,
                Kind::AndAnd => live && left != 0,
                _ => live,
            };
            let right = self.binary(own + 1, needed);
            left = self.apply(kind, left, right, live);
        }
        left
    }

    fn apply(&mut self, kind: Kind, a: i64, b: i64, live: bool) -> i64 {
        match kind {
            Kind::OrOr => i64::from(a != 0 || b != 0),
            Kind::AndAnd => i64::from(a != 0 && b != 0),
            Kind::Bar => a | b,
            Kind::Caret => a ^ b,
            Kind::Amp => a & b,
            Kind::Equal => i64::from(a == b),
            Kind::NotEqual => i64::from(a != b),
            Kind::Less => i64::from(a < b),
            Kind::Greater => i64::from(a > b),
            Kind::LessEqual => i64::from(a <= b),
            Kind::GreaterEqual => i64::from(a >= b),
            Kind::ShiftLeft if (0..64).contains(&b) => a.wrapping_shl(b as u32),
            Kind::ShiftRight if (0..64).contains(&b) => a.wrapping_shr(b as u32),
            Kind::Plus => a.wrapping_add(b),
            Kind::Minus => a.wrapping_sub(b),
            Kind::Star => a.wrapping_mul(b),
            Kind::Slash | Kind::Percent if b == 0 => {
                if live {
                    self.at -= 1;
                    self.complain("division by zero in the condition");
                    self.at += 1;
                }
                0
            }
            Kind::Slash => a.wrapping_div(b),
            Kind::Percent => a.wrapping_rem(b),
            _ => 0,
        }
    }

    fn unary(&mut self, live: bool) -> i64 {
        let mut prefixes = Vec::new();
        while let Some(kind @ (Kind::Bang | Kind::Minus | Kind::Plus | Kind::Tilde)) = self.peek() {
            prefixes.push(kind);
            self.at += 1;
        }
        // `!!` and `--` are one token for Promela.
        let mut value = match self.peek() {
            Some(Kind::SortedSend) => {
                self.at += 1;
                i64::from(self.unary_nested(live) != 0)
            }
            Some(Kind::Decrement) => {
                self.at += 1;
                self.unary_nested(live)
            }
            _ => self.primary(live),
        };
        for prefix in prefixes.into_iter().rev() {
            value = match prefix {
                Kind::Bang => i64::from(value == 0),
                Kind::Minus => value.wrapping_neg(),
                Kind::Tilde => !value,
                _ => value,
            };
        }
        value
    }

    fn unary_nested(&mut self, live: bool) -> i64 {
        if self.depth >= DEPTH {
            self.complain("the condition is nested too deeply");
            return 0;
        }
        self.depth += 1;
        let value = self.unary(live);
        self.depth -= 1;
        value
    }

    fn primary(&mut self, live: bool) -> i64 {
        let Some(&token) = self.tokens.get(self.at) else {
            self.complain("the condition is not complete");
            return 0;
        };
        match token.kind {
            Kind::Number => {
                self.at += 1;
                number(self.words.text(token.text)).unwrap_or_else(|| {
                    self.at -= 1;
                    self.complain("this is not a whole number");
                    self.at += 1;
                    0
                })
            }
            Kind::Char => {
                self.at += 1;
                character(self.words.text(token.text))
            }
            Kind::Ident | Kind::Keyword(_) => {
                self.at += 1;
                0
            }
            Kind::LParen => {
                self.at += 1;
                let value = self.conditional(live);
                if self.peek() == Some(Kind::RParen) {
                    self.at += 1;
                } else {
                    self.complain("expected `)` in the condition");
                }
                value
            }
            _ => {
                self.complain("this cannot stand in a condition");
                0
            }
        }
    }
}

/// A C integer constant with its prefix and suffix.
fn number(text: &str) -> Option<i64> {
    let lower = text.to_ascii_lowercase();
    let digits = lower.trim_end_matches(['u', 'l']);
    let value = if let Some(hex) = digits.strip_prefix("0x") {
        u64::from_str_radix(hex, 16)
    } else if let Some(binary) = digits.strip_prefix("0b") {
        u64::from_str_radix(binary, 2)
    } else if digits.len() > 1 && digits.starts_with('0') {
        u64::from_str_radix(digits, 8)
    } else {
        digits.parse()
    };
    value.ok().map(|v| v as i64)
}

/// The value of a character constant.
fn character(text: &str) -> i64 {
    let mut inner = text.chars().skip(1);
    match (inner.next(), inner.next()) {
        (Some('\\'), Some(c)) => match c {
            'n' => 10,
            'r' => 13,
            't' => 9,
            'f' => 12,
            '0' => 0,
            other => i64::from(u32::from(other)),
        },
        (Some(c), _) => i64::from(u32::from(c)),
        (None, _) => 0,
    }
}
