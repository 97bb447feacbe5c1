//! Words of a claim's text.

use promenade_base::{Diagnostic, FileId, Span};

/// A word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A name or keyword.
    Name,
    /// `::`
    Option,
    /// `->`
    Arrow,
    /// Any other character, or a number or text in quotes as a whole by its first character.
    Sign(char),
}

/// Words with their places, and the text of the first comment inside of braces.
pub(super) struct Words {
    pub words: Vec<(Token, Span)>,
    pub comment: Option<String>,
}

/// Words of a text; an error is a comment or a text in quotes that does not end.
pub(super) fn words(text: &str) -> Result<Words, Box<Diagnostic>> {
    let bytes = text.as_bytes();
    let span = |from: usize, to: usize| Span::new(FileId::default(), from as u32, to as u32);
    let error = |from, to, message: &str| {
        Box::new(Diagnostic::error("never-syntax", span(from, to), message))
    };
    let (mut words, mut comment) = (Vec::new(), None);
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let from = at;
        let rest = &text[at..];
        let run = |good: fn(u8) -> bool| bytes[from..].iter().take_while(|&&b| good(b)).count();
        let token = if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        } else if let Some(inside) = rest.strip_prefix("/*") {
            let Some(length) = inside.find("*/") else {
                return Err(error(from, from + 2, "the comment does not end"));
            };
            if comment.is_none()
                && words.iter().any(|word: &(Token, Span)| word.0 == Token::Sign('{'))
            {
                comment = Some(inside[..length].trim().to_owned());
            }
            at += length + 4;
            continue;
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if rest.starts_with("::") {
            at += 2;
            Token::Option
        } else if rest.starts_with("->") {
            at += 2;
            Token::Arrow
        } else if c.is_ascii_alphabetic() || c == '_' {
            at += run(|b| b.is_ascii_alphanumeric() || b == b'_');
            Token::Name
        } else if c.is_ascii_digit() {
            at += run(|b| b.is_ascii_alphanumeric());
            Token::Sign(c)
        } else if c == '"' {
            let Some(length) = rest[1..].find('"') else {
                return Err(error(from, from + 1, "the text in quotes does not end"));
            };
            at += length + 2;
            Token::Sign('"')
        } else {
            at += c.len_utf8();
            Token::Sign(c)
        };
        words.push((token, span(from, at)));
    }
    Ok(Words { words, comment })
}
