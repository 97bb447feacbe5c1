//! The words of a formula's text.

use promenade_base::{FileId, Span};

/// What a token is. Kinds name the role in a formula or in a Promela expression, not the spelling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Word,
    Number,
    /// `{ .. }` or `".."`: one piece, whatever is in it.
    Opaque,
    /// An opening brace or quote without its partner.
    Unclosed,
    Always,
    Eventually,
    Next,
    Not,
    Tilde,
    And,
    Amp,
    Or,
    Bar,
    Xor,
    Caret,
    Implies,
    Equivalent,
    /// An operator of values, with its level: the higher, the tighter.
    Value(u8),
    Minus,
    LParen,
    RParen,
    LBracket,
    RBracket,
    Dot,
    Comma,
    Colon,
    At,
    Query,
    Other,
    End,
}

/// A token with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

impl Token {
    pub fn span(self) -> Span {
        span(self.start, self.end)
    }
}

/// A span of the text; texts of 4 GiB are refused before.
pub(super) fn span(start: usize, end: usize) -> Span {
    Span::new(FileId::default(), start as u32, end as u32)
}

/// Longest spellings first.
const SIGNS: &[(&str, Kind)] = &[
    ("<->", Kind::Equivalent),
    ("<=>", Kind::Equivalent),
    ("??", Kind::Query),
    ("[]", Kind::Always),
    ("<>", Kind::Eventually),
    ("->", Kind::Implies),
    ("=>", Kind::Implies),
    ("&&", Kind::And),
    ("||", Kind::Or),
    ("/\\", Kind::And),
    ("\\/", Kind::Or),
    ("==", Kind::Value(16)),
    ("!=", Kind::Value(16)),
    ("<=", Kind::Value(17)),
    (">=", Kind::Value(17)),
    ("<<", Kind::Value(18)),
    (">>", Kind::Value(18)),
    ("++", Kind::Other),
    ("--", Kind::Other),
    ("<", Kind::Value(17)),
    (">", Kind::Value(17)),
    ("+", Kind::Value(19)),
    ("-", Kind::Minus),
    ("*", Kind::Value(20)),
    ("/", Kind::Value(20)),
    ("%", Kind::Value(20)),
    ("!", Kind::Not),
    ("~", Kind::Tilde),
    ("&", Kind::Amp),
    ("|", Kind::Bar),
    ("^", Kind::Caret),
    ("(", Kind::LParen),
    (")", Kind::RParen),
    ("[", Kind::LBracket),
    ("]", Kind::RBracket),
    (".", Kind::Dot),
    (",", Kind::Comma),
    (":", Kind::Colon),
    ("@", Kind::At),
    ("?", Kind::Query),
    ("□", Kind::Always),
    ("◇", Kind::Eventually),
    ("○", Kind::Next),
    ("¬", Kind::Not),
    ("∧", Kind::And),
    ("∨", Kind::Or),
    ("⊕", Kind::Xor),
    ("→", Kind::Implies),
    ("⇒", Kind::Implies),
    ("↔", Kind::Equivalent),
    ("⇔", Kind::Equivalent),
];

/// Level of binary minus among the operators of values.
pub(super) const MINUS_LEVEL: u8 = 19;

/// All tokens; the last is [`Kind::End`].
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut list = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let space = blank(rest);
        if space > 0 {
            at += space;
            continue;
        }
        let (kind, length) = token(rest);
        list.push(Token { kind, start: at, end: at + length });
        at += length;
    }
    list.push(Token { kind: Kind::End, start: text.len(), end: text.len() });
    list
}

/// Bytes of white space or of a comment at the start.
fn blank(rest: &str) -> usize {
    if rest.starts_with("/*") {
        return rest.find("*/").map_or(rest.len(), |end| end + 2);
    }
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    rest.len() - rest.trim_start().len()
}

fn token(rest: &str) -> (Kind, usize) {
    let first = rest.chars().next().unwrap_or(' ');
    let run = |accept: &dyn Fn(char) -> bool| rest.find(|c| !accept(c)).unwrap_or(rest.len());
    if first.is_ascii_alphabetic() || first == '_' {
        return (Kind::Word, run(&|c| c.is_ascii_alphanumeric() || c == '_'));
    }
    if first.is_ascii_digit() {
        return (Kind::Number, run(&|c| c.is_ascii_alphanumeric()));
    }
    match first {
        '"' => return opaque(string_end(rest), rest),
        '{' => return opaque(brace_end(rest), rest),
        '\'' => {
            return match character_end(rest) {
                Some(end) => (Kind::Number, end),
                None => (Kind::Other, 1),
            };
        }
        _ => {}
    }
    match SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
        Some(&(sign, kind)) => (kind, sign.len()),
        None => (Kind::Other, first.len_utf8()),
    }
}

fn opaque(end: Option<usize>, rest: &str) -> (Kind, usize) {
    end.map_or((Kind::Unclosed, rest.len()), |end| (Kind::Opaque, end))
}

fn string_end(rest: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '"' if !escaped => return Some(at + 1),
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    None
}

fn brace_end(rest: &str) -> Option<usize> {
    let mut open = 0usize;
    let mut quoted = false;
    for (at, c) in rest.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '{' if !quoted => open += 1,
            '}' if !quoted => {
                open -= 1;
                if open == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// `'c'` or `'\n'`.
fn character_end(rest: &str) -> Option<usize> {
    let mut chars = rest.char_indices().skip(1);
    let (_, c) = chars.next()?;
    if c == '\\' {
        chars.next()?;
    }
    chars.next().filter(|&(_, c)| c == '\'').map(|(at, _)| at + 1)
}

/// The same expression in one spelling: comments gone, white space regular, redundant outer
/// parentheses, braces and quotes removed.
pub(super) fn normal_text(text: &str) -> String {
    let mut text = text;
    let mut list = tokens(text);
    list.pop();
    // Each round takes off one pair, so the text gets shorter.
    loop {
        match list.as_slice() {
            [only] if only.kind == Kind::Opaque => {
                text = &text[only.start + 1..only.end - 1];
                list = tokens(text);
                list.pop();
            }
            [first, .., last] if first.kind == Kind::LParen && partner(&list) == last.start => {
                list.remove(0);
                list.pop();
            }
            _ => break,
        }
    }
    let mut out = String::new();
    // Per open parenthesis: whether `->` stood in it, so that a colon is that of a conditional.
    let mut conditional = vec![false];
    let mut before = Kind::End;
    for token in &list {
        let raw = &text[token.start..token.end];
        let after_operand = matches!(
            before,
            Kind::Word | Kind::Number | Kind::Opaque | Kind::RParen | Kind::RBracket
        );
        let raw = match (token.kind, raw) {
            (Kind::And, _) | (Kind::Word, "and") => "&&",
            (Kind::Or, _) | (Kind::Word, "or") => "||",
            (Kind::Not, _) | (Kind::Word, "not") => "!",
            (Kind::Implies, _) => "->",
            _ => raw,
        };
        match token.kind {
            Kind::LParen | Kind::LBracket => conditional.push(false),
            Kind::RParen | Kind::RBracket => {
                conditional.pop();
            }
            Kind::Implies => {
                if let Some(top) = conditional.last_mut() {
                    *top = true;
                }
            }
            _ => {}
        }
        let spaced = match token.kind {
            Kind::Minus => after_operand,
            Kind::Colon => conditional.last() == Some(&true),
            kind => is_infix(kind) || matches!(raw, "&&" | "||"),
        };
        let gap = before == Kind::Comma
            || matches!(before, Kind::Word | Kind::Number | Kind::Opaque)
                && matches!(token.kind, Kind::Word | Kind::Number | Kind::Opaque);
        if (spaced || gap) && !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
        if token.kind == Kind::Opaque {
            out.extend(raw.split_whitespace().flat_map(|word| [word, " "]));
            out.truncate(out.trim_end().len());
        } else {
            out.push_str(raw);
        }
        if spaced {
            out.push(' ');
        }
        before = token.kind;
    }
    out.truncate(out.trim_end().len());
    out
}

fn is_infix(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::And
            | Kind::Amp
            | Kind::Or
            | Kind::Bar
            | Kind::Xor
            | Kind::Caret
            | Kind::Implies
            | Kind::Equivalent
            | Kind::Value(_)
    )
}

/// Where the parenthesis that closes the first token starts.
fn partner(list: &[Token]) -> usize {
    let mut open = 0usize;
    for token in list {
        match token.kind {
            Kind::LParen => open += 1,
            Kind::RParen => {
                open = open.saturating_sub(1);
                if open == 0 {
                    return token.start;
                }
            }
            _ => {}
        }
    }
    usize::MAX
}
