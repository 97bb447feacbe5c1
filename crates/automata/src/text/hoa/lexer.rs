//! Words of the format.

use promenade_base::{Diagnostic, FileId, Span};

/// A word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// `States:`, without the colon.
    Header(String),
    Word(String),
    /// `@name`, without the sign.
    Alias(String),
    Text(String),
    Number(u64),
    /// One of `( ) [ ] { } ! & |`.
    Sign(char),
    Body,
    End,
    Abort,
}

/// Words with their places; a place where no word starts is an error and left out.
pub(super) fn words(text: &str, errors: &mut Vec<Diagnostic>) -> Vec<(Token, Span)> {
    let bytes = text.as_bytes();
    let span = |from: usize, to: usize| Span::new(FileId::default(), from as u32, to as u32);
    let mut error = |from, to, message: &str| {
        errors.push(Diagnostic::error("hoa-syntax", span(from, to), message));
    };
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let from = at;
        let run = |from: usize, good: fn(u8) -> bool| {
            from + bytes[from..].iter().take_while(|&&b| good(b)).count()
        };
        let in_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
        let token = match byte {
            b if b.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = comment(bytes, at);
                continue;
            }
            b'"' => {
                let (value, end) = string(text, at);
                at = end;
                let Some(value) = value else {
                    error(from, at, "text without closing quote");
                    continue;
                };
                Token::Text(value)
            }
            b'-' if text[at..].starts_with("--BODY--") => {
                at += 8;
                Token::Body
            }
            b'-' if text[at..].starts_with("--END--") => {
                at += 7;
                Token::End
            }
            b'-' if text[at..].starts_with("--ABORT--") => {
                at += 9;
                Token::Abort
            }
            b'@' => {
                at = run(at + 1, in_word);
                Token::Alias(text[from + 1..at].to_owned())
            }
            b if b.is_ascii_digit() => {
                at = run(at, |b| b.is_ascii_digit());
                let Ok(number) = text[from..at].parse() else {
                    error(from, at, "the number is too large");
                    continue;
                };
                Token::Number(number)
            }
            b if b.is_ascii_alphabetic() || b == b'_' => {
                at = run(at, in_word);
                let word = text[from..at].to_owned();
                if bytes.get(at) == Some(&b':') {
                    at += 1;
                    Token::Header(word)
                } else {
                    Token::Word(word)
                }
            }
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'!' | b'&' | b'|' => {
                at += 1;
                Token::Sign(byte as char)
            }
            _ => {
                at += text[at..].chars().next().map_or(1, char::len_utf8);
                error(from, at, "no word starts with this character");
                continue;
            }
        };
        words.push((token, span(from, at)));
    }
    words
}

/// The end of a comment; comments nest.
fn comment(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0;
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'/', Some(b'*')) => {
                depth += 1;
                at += 2;
            }
            (b'*', Some(b'/')) => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    break;
                }
            }
            _ => at += 1,
        }
    }
    at.min(bytes.len())
}

/// A text from its opening quote, and where it ends; `None` if it does not.
fn string(text: &str, from: usize) -> (Option<String>, usize) {
    let mut value = String::new();
    let mut escaped = false;
    for (offset, c) in text[from + 1..].char_indices() {
        match c {
            _ if escaped => {
                value.push(c);
                escaped = false;
            }
            '\\' => escaped = true,
            '"' => return (Some(value), from + 1 + offset + 1),
            c => value.push(c),
        }
    }
    (None, text.len())
}
