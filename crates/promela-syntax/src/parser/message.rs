//! Words for tokens, and guesses at what was meant.

use super::Parser;
use crate::token::{Keyword, Kind, Token};

impl Parser {
    /// A token in a message.
    pub(super) fn describe(&self, token: &Token) -> String {
        match token.kind {
            Kind::Eof => "the end of the text".to_string(),
            Kind::Implied => "the end of the line".to_string(),
            Kind::Unterminated => {
                format!(
                    "{} without its end",
                    if self.words.text(token.text).starts_with('"') {
                        "a string"
                    } else {
                        "a quote"
                    }
                )
            }
            Kind::Str => "a string".to_string(),
            _ => format!("`{}`", shorten(self.words.spelling(token))),
        }
    }

    /// What to do about a token that does not fit.
    pub(super) fn hint_for(&self, token: &Token) -> Option<String> {
        let (next, last) = (self.ahead(1), self.cursor.last());
        Some(match token.kind {
            Kind::SortedSend => "`!!` is the sorted send; write `!(!x)` to negate twice.".into(),
            Kind::Decrement | Kind::Increment => {
                "`++` and `--` stand behind a variable, as a statement of their own.".into()
            }
            Kind::Assign if next == Kind::Greater => "Did you mean `->`?".into(),
            Kind::Assign if last == Kind::Colon => {
                "Write `x = ..`; a name with `:` is a label.".into()
            }
            Kind::Assign
                if matches!(
                    last,
                    Kind::Plus | Kind::Minus | Kind::Star | Kind::Slash | Kind::Percent
                ) =>
            {
                "There are no combined assignments; write `x = x + 1`.".into()
            }
            kind if last == Kind::Implied && super::expression::binary_operator(kind).is_some() => {
                "The line end in front of it ended the statement; break the line behind the \
                 operator or put the expression in parentheses."
                    .into()
            }
            Kind::Assign => "An assignment is a statement; use `==` to compare.".into(),
            Kind::Implied => "A line end separates statements; break the line behind an operator \
                              or put the expression in parentheses."
                .into(),
            Kind::Number => {
                let text = self.words.text(token.text);
                if text.starts_with("0x") || text.starts_with("0X") {
                    "Numbers are decimal only.".into()
                } else {
                    return None;
                }
            }
            Kind::Unterminated => "Close it on the same line.".into(),
            Kind::Other => match self.words.text(token.text) {
                "$" => "Names consist of letters, digits and `_`.".into(),
                text if !text.is_ascii() => {
                    "Names consist of the letters a-z and A-Z, digits and `_`.".into()
                }
                _ => return None,
            },
            Kind::Question if next == Kind::LParen || next == Kind::Ident => {
                "A receive is a statement; to test a channel in a condition, write `q?[..]`.".into()
            }
            Kind::Bang => {
                "A send is a statement of its own and cannot be part of a condition.".into()
            }
            Kind::Ident => {
                let text = self.words.text(token.text);
                return super::foreign::hint_for_word(text)
                    .or_else(|| self.suggest(text, Keyword::ALL));
            }
            _ => return None,
        })
    }

    /// "Did you mean" with the closest of some words.
    pub(super) fn suggest(&self, text: &str, words: &[Keyword]) -> Option<String> {
        let plain = match text {
            "while" => return Some("Write `do :: condition -> .. :: else -> break od`.".into()),
            "elseif" | "elif" | "switch" | "case" => {
                return Some("Write `if :: condition -> .. :: else -> .. fi`.".into());
            }
            "end" => return None,
            text => text,
        };
        let limit = match plain.len() {
            0..=3 => return None,
            4 | 5 => 1,
            _ => 2,
        };
        let (distance, word) =
            words.iter().map(|&w| (distance(plain, w.text(), limit), w)).min_by_key(|p| p.0)?;
        (distance <= limit).then(|| format!("Did you mean `{}`?", word.text()))
    }
}

/// At most 40 characters of a text, on one line.
fn shorten(text: &str) -> String {
    let line: String =
        text.chars().take(40).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if line.len() < text.len() { format!("{line}..") } else { line }
}

/// The Levenshtein distance (with neighbours exchanged as one step), or more than `limit`.
pub(crate) fn distance(a: &str, b: &str, limit: usize) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit || a.len() > 40 {
        return limit + 1;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}
