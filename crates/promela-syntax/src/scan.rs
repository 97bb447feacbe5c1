//! Bytes to raw tokens: the lowest layer, shared by preprocessor, highlighting and formatting.
//!
//! Splices (a backslash before the line end) are removed, comments are white space or, on request,
//! tokens of their own. Never fails: what has no meaning becomes [`RawKind::Other`].

use crate::token::{Kind, punctuator_at};

/// What a raw token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RawKind {
    /// A word.
    Word,
    /// Digits and the letters that follow them.
    Number,
    /// `'a'`
    Char,
    /// `"..."`
    Str,
    /// A quote without its partner; a string runs to the end of its line.
    Unterminated,
    /// A punctuator.
    Punct(Kind),
    /// Any other character.
    Other,
    /// `/* .. */` or `// ..`, only when asked for.
    Comment,
    /// `/* ..` to the end of the text.
    UnterminatedComment,
}

/// A raw token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Raw {
    /// What it is.
    pub kind: RawKind,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The line its first byte is on, from 0; continuation lines count.
    pub line: u32,
    /// It is the first one of a logical line (continuation lines joined, comments removed).
    pub first: bool,
    /// White space, a comment or a line end stood in front of it.
    pub space: bool,
    /// A splice lies inside it.
    pub spliced: bool,
}

/// Reads raw tokens one by one.
pub(crate) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    first: bool,
    space: bool,
    comments: bool,
}

/// The length of a splice at the start of `bytes`: a backslash, blanks, a line end.
fn splice(bytes: &[u8]) -> usize {
    if bytes.first() != Some(&b'\\') {
        return 0;
    }
    let blanks = bytes[1..].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r')).count();
    if bytes.get(1 + blanks) == Some(&b'\n') { blanks + 2 } else { 0 }
}

/// The text of a spliced token without its splices.
pub(crate) fn unspliced(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        match splice(rest.as_bytes()) {
            0 => {
                clean.push(c);
                rest = &rest[c.len_utf8()..];
            }
            n => rest = &rest[n..],
        }
    }
    clean
}

impl<'a> Scanner<'a> {
    /// A scanner at the start of `text`; with `comments` they are tokens.
    pub(crate) fn new(text: &'a str, comments: bool) -> Self {
        // Some editors write a mark of the encoding in front of a text.
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self { text, at, line: 0, first: true, space: false, comments }
    }

    /// The byte at the position, splices skipped (and counted as lines).
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        loop {
            match splice(bytes.get(self.at..)?) {
                0 => return bytes.get(self.at).copied(),
                n => {
                    self.at += n;
                    self.line += 1;
                }
            }
        }
    }

    /// Takes bytes while `keep` holds.
    fn take_while(&mut self, keep: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&keep) {
            self.at += 1;
        }
    }

    /// Takes a quoted constant behind its opening quote; whether the closing one was found.
    fn quoted(&mut self, quote: u8) -> bool {
        while let Some(b) = self.peek() {
            match b {
                b'\n' => return false,
                b'\\' => {
                    self.at += 1;
                    match self.peek() {
                        Some(b'\n') | None => return false,
                        Some(_) => self.at += 1,
                    }
                }
                _ => {
                    self.at += 1;
                    if b == quote {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Takes a comment behind its two opening bytes; whether it was closed.
    fn comment(&mut self, block: bool) -> bool {
        let bytes = self.text.as_bytes();
        if !block {
            while self.peek().is_some_and(|b| b != b'\n') {
                self.at += 1;
            }
            return true;
        }
        while let Some(&b) = bytes.get(self.at) {
            self.at += 1;
            if b == b'\n' {
                self.line += 1;
            } else if b == b'*' {
                // The closing slash may stand behind a splice.
                if self.peek() == Some(b'/') {
                    self.at += 1;
                    return true;
                }
            }
        }
        false
    }

    /// Moves to a character boundary at or behind the position.
    fn align(&mut self) {
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
    }
}

impl Iterator for Scanner<'_> {
    type Item = Raw;

    fn next(&mut self) -> Option<Raw> {
        loop {
            let b = self.peek()?;
            let (start, line) = (self.at, self.line);
            if b == b'\n' {
                self.at += 1;
                self.line += 1;
                self.first = true;
                self.space = true;
                continue;
            }
            if b.is_ascii_whitespace() || b == 0x0b || b == 0 {
                self.at += 1;
                self.space = true;
                continue;
            }
            let kind = match b {
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                    self.take_while(|b| b.is_ascii_alphanumeric() || b == b'_');
                    RawKind::Word
                }
                b'0'..=b'9' => {
                    self.take_while(|b| b.is_ascii_alphanumeric() || b == b'_');
                    RawKind::Number
                }
                b'"' => {
                    self.at += 1;
                    if self.quoted(b'"') { RawKind::Str } else { RawKind::Unterminated }
                }
                b'\'' => {
                    self.at += 1;
                    let (at, line) = (self.at, self.line);
                    if self.quoted(b'\'') {
                        RawKind::Char
                    } else {
                        (self.at, self.line) = (at, line);
                        RawKind::Unterminated
                    }
                }
                b'/' => {
                    self.at += 1;
                    match self.peek() {
                        Some(c @ (b'/' | b'*')) => {
                            self.at += 1;
                            let closed = self.comment(c == b'*');
                            self.align();
                            if closed && !self.comments {
                                self.space = true;
                                continue;
                            }
                            if closed { RawKind::Comment } else { RawKind::UnterminatedComment }
                        }
                        _ => {
                            self.at = start + 1;
                            self.line = line;
                            RawKind::Punct(Kind::Slash)
                        }
                    }
                }
                _ => match punctuator_at(&self.text[start..]) {
                    Some((length, kind)) => {
                        self.at += length;
                        RawKind::Punct(kind)
                    }
                    None => {
                        self.at += 1;
                        RawKind::Other
                    }
                },
            };
            self.align();
            let end = self.at;
            let spliced = matches!(kind, RawKind::Word | RawKind::Number | RawKind::Str)
                && self.text[start..end].contains('\\')
                && self.text[start..end].contains('\n');
            let raw = Raw { kind, start, end, line, first: self.first, space: self.space, spliced };
            // A comment token does not hide that the next token is the first of its line.
            if kind != RawKind::Comment {
                self.first = false;
                self.space = false;
            } else {
                self.space = true;
            }
            return Some(raw);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        Scanner::new(text, true).map(|r| unspliced(&text[r.start..r.end])).collect()
    }

    #[test]
    fn splices_join_words() {
        assert_eq!(texts("ab\\\ncd e\\ \r\nf"), ["abcd", "ef"]);
    }

    #[test]
    fn quotes_and_comments() {
        assert_eq!(
            texts("\"a\\\"b\" 'x' '\\'' /* it's */ z // y\nw"),
            ["\"a\\\"b\"", "'x'", "'\\''", "/* it's */", "z", "// y", "w"]
        );
        let open: Vec<_> = Scanner::new("a \"b\n c", true).map(|r| r.kind).collect();
        assert_eq!(open, [RawKind::Word, RawKind::Unterminated, RawKind::Word]);
        let lone: Vec<_> = Scanner::new("' a", true).map(|r| r.kind).collect();
        assert_eq!(lone, [RawKind::Unterminated, RawKind::Word]);
        let open = Scanner::new("a /* b", false).last().unwrap();
        assert_eq!(open.kind, RawKind::UnterminatedComment);
    }

    #[test]
    fn lines_and_first_tokens() {
        let raw: Vec<_> = Scanner::new("a \\\n b\n/* \n */ c\n d", false).collect();
        assert_eq!(raw.iter().map(|r| r.line).collect::<Vec<_>>(), [0, 1, 3, 4]);
        assert_eq!(raw.iter().map(|r| r.first).collect::<Vec<_>>(), [true, false, true, true]);
    }

    #[test]
    fn spans_are_on_character_boundaries() {
        let text = "é \"ü\\é' 'é /*é";
        for raw in Scanner::new(text, true) {
            assert!(text.get(raw.start..raw.end).is_some());
        }
    }
}
