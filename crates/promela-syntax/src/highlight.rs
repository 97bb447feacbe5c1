//! Colours for an editor: a fast tokenizer that accepts any text.
//!
//! It works on the raw text, without preprocessing and without a parse, so it can run at every key
//! stroke. What it cannot know (is this name a macro?) it does not guess.

use crate::scan::{Raw, RawKind, Scanner};
use crate::token::{Keyword, Kind};
use std::ops::Range;

/// What a piece of text is, for colouring.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TokenClass {
    /// A word of the language's control structure.
    Keyword,
    /// A word that names a type, or the name behind `typedef` and `mtype:`.
    Type,
    /// `true`, `false`, `skip`, `timeout`, `np_`.
    Constant,
    /// A function-like word: `len`, `full`, `eval`, `printf`, ..
    Function,
    /// A predefined variable: `_pid`, `_last`, ..
    Predefined,
    /// A label where it is defined or jumped to.
    Label,
    /// The name of a process, inline, claim or formula where it is defined or run.
    Unit,
    /// Any other name.
    Name,
    /// A number.
    Number,
    /// A string or character constant.
    String,
    /// A comment.
    Comment,
    /// A preprocessor directive's first words.
    Directive,
    /// An operator.
    Operator,
    /// A temporal operator inside `ltl { .. }`.
    Temporal,
    /// A bracket or separator.
    Punctuation,
    /// Text that means nothing.
    Error,
}

/// The tokens of a text in order, white space left out. Ranges are bytes, on character boundaries.
pub fn tokens(text: &str) -> Vec<(Range<usize>, TokenClass)> {
    let raws: Vec<Raw> = Scanner::new(text, true).collect();
    let mut out = Vec::with_capacity(raws.len());
    let mut state = State { text, raws: &raws, directive: false, ltl: None, depth: 0 };
    for (i, raw) in raws.iter().enumerate() {
        let class = state.class(i);
        out.push((raw.start..raw.end, class));
    }
    out
}

struct State<'a> {
    text: &'a str,
    raws: &'a [Raw],
    /// Inside a preprocessor line.
    directive: bool,
    /// Inside an `ltl` block that opened at this depth of braces.
    ltl: Option<usize>,
    depth: usize,
}

impl State<'_> {
    fn word(&self, i: usize) -> &str {
        self.raws.get(i).map_or("", |r| &self.text[r.start..r.end])
    }

    /// The token in front that is no comment.
    fn before(&self, i: usize) -> Option<usize> {
        (0..i).rev().find(|&j| self.raws[j].kind != RawKind::Comment)
    }

    fn kind(&self, i: usize) -> Option<RawKind> {
        self.raws.get(i).map(|r| r.kind)
    }

    fn class(&mut self, i: usize) -> TokenClass {
        let raw = self.raws[i];
        if raw.kind == RawKind::Comment {
            return TokenClass::Comment;
        }
        if raw.first {
            self.directive = raw.kind == RawKind::Punct(Kind::Hash);
        }
        if self.directive {
            let name = i > 0 && self.raws[i - 1].first && self.word(i - 1) == "#";
            if raw.first || name || matches!(raw.kind, RawKind::Punct(Kind::Hash | Kind::HashHash))
            {
                return TokenClass::Directive;
            }
        }
        match raw.kind {
            RawKind::Word => self.word_class(i),
            RawKind::Number => {
                let digits = self.word(i).bytes().all(|b| b.is_ascii_digit());
                if digits || self.directive { TokenClass::Number } else { TokenClass::Error }
            }
            RawKind::Str | RawKind::Char => TokenClass::String,
            RawKind::UnterminatedComment | RawKind::Unterminated => TokenClass::Error,
            RawKind::Other => {
                let backslash = self.word(i) == "\\";
                if backslash && self.ltl.is_some() {
                    TokenClass::Operator
                } else if self.directive {
                    TokenClass::Name
                } else {
                    TokenClass::Error
                }
            }
            RawKind::Comment => TokenClass::Comment,
            RawKind::Punct(kind) => self.punctuator_class(i, kind),
        }
    }

    fn punctuator_class(&mut self, i: usize, kind: Kind) -> TokenClass {
        match kind {
            Kind::LBrace => self.depth += 1,
            Kind::RBrace => {
                self.depth = self.depth.saturating_sub(1);
                if self.ltl.is_some_and(|d| self.depth <= d) {
                    self.ltl = None;
                }
            }
            _ => {}
        }
        if self.ltl.is_some() {
            let pair = |a: Kind, b: Kind, j: usize| {
                self.kind(j) == Some(RawKind::Punct(a))
                    && self.kind(j + 1) == Some(RawKind::Punct(b))
                    && self.raws[j].end == self.raws[j + 1].start
            };
            let either = |a: Kind, b: Kind| {
                (kind == a && pair(a, b, i)) || (kind == b && i > 0 && pair(a, b, i - 1))
            };
            if either(Kind::LBracket, Kind::RBracket) || either(Kind::Less, Kind::Greater) {
                return TokenClass::Temporal;
            }
        }
        match kind {
            Kind::LParen
            | Kind::RParen
            | Kind::LBrace
            | Kind::RBrace
            | Kind::LBracket
            | Kind::RBracket
            | Kind::Semi
            | Kind::Comma
            | Kind::Colon
            | Kind::Dot => TokenClass::Punctuation,
            _ => TokenClass::Operator,
        }
    }

    fn word_class(&mut self, i: usize) -> TokenClass {
        let word = self.word(i);
        if let Some(keyword) = Keyword::from_text(word) {
            if keyword == Keyword::Ltl {
                self.ltl = Some(self.depth);
            } else if keyword.opens_unit() {
                self.ltl = None;
            }
            return keyword_class(keyword);
        }
        let before = self.before(i);
        let before_word = before.map_or("", |j| self.word(j));
        if self.ltl.is_some_and(|d| self.depth > d) && is_temporal_word(word) {
            return TokenClass::Temporal;
        }
        match before_word {
            "proctype" | "D_proctype" | "inline" | "run" | "ltl" | "never" | "trace"
            | "notrace" => return TokenClass::Unit,
            "goto" => return TokenClass::Label,
            "typedef" => return TokenClass::Type,
            ":" => {
                let owner = before.and_then(|j| self.before(j)).map_or("", |j| self.word(j));
                if owner == "mtype" {
                    return TokenClass::Type;
                }
            }
            _ => {}
        }
        if matches!(word, "_pid" | "_nr_pr" | "_last" | "_priority" | "_") {
            return TokenClass::Predefined;
        }
        if word == "in" && self.is_in_for(i) {
            return TokenClass::Keyword;
        }
        let colon = self.kind(i + 1) == Some(RawKind::Punct(Kind::Colon));
        let starts = before.is_none()
            || self.raws[i].first
            || matches!(before_word, ";" | "->" | "{" | "}" | "::" | ":" | "fi" | "od" | "unless");
        if colon && starts && !self.directive && self.depth > 0 && self.ltl.is_none() {
            return TokenClass::Label;
        }
        if before_word == "@" {
            return TokenClass::Label;
        }
        TokenClass::Name
    }

    /// `for ( name in`, where the name may have an index or fields.
    fn is_in_for(&self, i: usize) -> bool {
        let mut at = i;
        for _ in 0..40 {
            let Some(before) = self.before(at) else { return false };
            match self.word(before) {
                "for" => return true,
                ";" | "{" | "}" | "->" | "::" | ")" => return false,
                _ => at = before,
            }
        }
        false
    }
}

/// The temporal operators that are words.
pub(crate) fn is_temporal_word(word: &str) -> bool {
    matches!(
        word,
        "U" | "V"
            | "W"
            | "X"
            | "R"
            | "always"
            | "eventually"
            | "until"
            | "stronguntil"
            | "weakuntil"
            | "release"
            | "next"
            | "implies"
            | "equivalent"
    )
}

fn keyword_class(keyword: Keyword) -> TokenClass {
    use Keyword::*;
    match keyword {
        word if word.is_type() => TokenClass::Type,
        True | False | Skip | Timeout | Np => TokenClass::Constant,
        Len | Full | Empty | Nfull | Nempty | Enabled | PcValue | Eval | GetPriority
        | SetPriority | Printf | Printm | Assert => TokenClass::Function,
        _ => TokenClass::Keyword,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(text: &str) -> Vec<(&str, TokenClass)> {
        tokens(text).into_iter().map(|(r, c)| (&text[r], c)).collect()
    }

    #[test]
    fn a_small_model() {
        use TokenClass::*;
        let found = classes("active proctype P() { L: x = 1 -> goto L /* c */ }");
        assert_eq!(found[0], ("active", Keyword));
        assert_eq!(found[2], ("P", Unit));
        assert_eq!(found[6], ("L", Label));
        assert_eq!(found[8], ("x", Name));
        assert!(found.contains(&("->", Operator)));
        assert_eq!(found[found.len() - 3], ("L", Label));
        assert_eq!(found[found.len() - 2], ("/* c */", Comment));
    }

    #[test]
    fn temporal_operators_only_in_formulas() {
        use TokenClass::*;
        let found = classes("byte U; ltl p { [] <> (U == 1) U x } init { U = 1 }");
        assert_eq!(found[1], ("U", Name));
        assert_eq!(found[6], ("[", Temporal));
        assert_eq!(found[7], ("]", Temporal));
        assert_eq!(found[8], ("<", Temporal));
        assert_eq!(found[15], ("U", Temporal));
        assert_eq!(found[20], ("U", Name));
    }

    #[test]
    fn directives_and_broken_text() {
        use TokenClass::*;
        let found = classes("#define N 0x10 // c\nx = 0x10 $ \"abc");
        assert_eq!(found[0].1, Directive);
        assert_eq!(found[1], ("define", Directive));
        assert_eq!(found[3], ("0x10", Number));
        assert_eq!(found[4].1, Comment);
        assert_eq!(found[7], ("0x10", Error));
        assert_eq!(found[8], ("$", Error));
        assert_eq!(found[9], ("\"abc", Error));
    }
}
