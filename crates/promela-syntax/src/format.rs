//! A formatter that changes white space only.
//!
//! Line breaks stay where they are, because a line end can separate statements; so do comments and
//! preprocessor lines. Lines are indented by their nesting, blanks inside a line follow a few
//! rules, and several empty lines become one. Embedded C keeps its own layout.

use crate::scan::{Raw, RawKind, Scanner};
use crate::token::{Keyword, Kind};

/// Blanks per level of braces.
const BLOCK: usize = 2;
/// Blanks of an option behind `::`.
const OPTION: usize = 3;
/// Blanks of a line that continues an expression.
const CONTINUATION: usize = 4;

/// The tokens of a text; a stray end of a comment is one, as `* /` would be something else.
fn raws(text: &str) -> Vec<Raw> {
    let mut list: Vec<Raw> = Vec::new();
    for raw in Scanner::new(text, true) {
        match list.last_mut() {
            Some(star)
                if star.kind == RawKind::Punct(Kind::Star)
                    && raw.kind == RawKind::Punct(Kind::Slash)
                    && star.end == raw.start =>
            {
                (star.kind, star.end) = (RawKind::Other, raw.end);
            }
            _ => list.push(raw),
        }
    }
    list
}

/// The text with its white space in order. None where that is not possible: a comment or string
/// has no end.
pub fn format(text: &str) -> Option<String> {
    let raws = raws(text);
    let broken = |r: &Raw| matches!(r.kind, RawKind::UnterminatedComment | RawKind::Unterminated);
    if raws.iter().any(broken) {
        return None;
    }
    let mut formatter = Formatter {
        text,
        raws: &raws,
        out: String::with_capacity(text.len() + 64),
        open: Vec::new(),
        last: None,
        angle: None,
        code: None,
        ltl: None,
    };
    formatter.run();
    let out = formatter.out;
    // The rules above keep every token; this makes sure that no pair of rules breaks the promise.
    same_tokens(text, &out).then_some(out)
}

/// Whether two texts have the same tokens and comments, broken into lines at the same places.
fn same_tokens(a: &str, b: &str) -> bool {
    let (mut left, mut right) = (Scanner::new(a, true), Scanner::new(b, true));
    let mut last: Option<(u32, u32)> = None;
    loop {
        match (left.next(), right.next()) {
            (None, None) => return true,
            (Some(x), Some(y)) => {
                let same = x.kind == y.kind
                    && x.first == y.first
                    && a[x.start..x.end] == b[y.start..y.end]
                    && last.is_none_or(|(l, r)| (x.line == l) == (y.line == r));
                if !same {
                    return false;
                }
                last = Some((x.line, y.line));
            }
            _ => return false,
        }
    }
}

/// An open bracket or choice.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Open {
    /// `{`; `list`: of values or names.
    Brace { list: bool },
    /// `(` or `[`.
    Bracket,
    /// `if` or `do`, in front of or inside an option.
    Choice { option: bool },
}

struct Formatter<'a> {
    text: &'a str,
    raws: &'a [Raw],
    out: String,
    open: Vec<Open>,
    /// The last token that is no comment.
    last: Option<usize>,
    /// Brackets open where `?<` was met.
    angle: Option<usize>,
    /// Embedded C is open: the number of its braces.
    code: Option<usize>,
    /// An `ltl` block is open: brackets open in front of it.
    ltl: Option<usize>,
}

impl Formatter<'_> {
    fn slice(&self, i: usize) -> &str {
        self.raws.get(i).map_or("", |r| &self.text[r.start..r.end])
    }

    fn keyword(&self, i: usize) -> Option<Keyword> {
        match self.raws.get(i)?.kind {
            RawKind::Word => Keyword::from_text(self.slice(i)),
            _ => None,
        }
    }

    fn punct(&self, i: usize) -> Option<Kind> {
        match self.raws.get(i)?.kind {
            RawKind::Punct(kind) => Some(kind),
            _ => None,
        }
    }

    fn run(&mut self) {
        let mut i = 0;
        while i < self.raws.len() {
            let raw = self.raws[i];
            let gap = self.gap(i);
            let breaks = gap.matches('\n').count();
            if raw.first && raw.kind == RawKind::Punct(Kind::Hash) {
                i = self.directive(i, breaks);
                continue;
            }
            // C keeps its layout, and so do continued lines.
            if self.code.is_some() || gap.contains('\\') {
                let gap = gap.to_string();
                self.out.push_str(&gap);
            } else if breaks > 0 || i == 0 {
                self.line_breaks(breaks);
                let indent = self.indent(i);
                self.out.extend(std::iter::repeat_n(' ', indent));
            } else if self.blank(i) {
                self.out.push(' ');
            }
            let token = self.slice(i).to_string();
            self.out.push_str(&token);
            self.track(i);
            i += 1;
        }
        while self.out.ends_with([' ', '\t', '\n', '\r']) {
            self.out.pop();
        }
        if !self.out.is_empty() {
            self.out.push('\n');
        }
    }

    /// The white space in front of a token.
    fn gap(&self, i: usize) -> &str {
        let from = if i == 0 { 0 } else { self.raws[i - 1].end };
        &self.text[from..self.raws[i].start]
    }

    fn line_breaks(&mut self, breaks: usize) {
        if self.out.is_empty() {
            return;
        }
        for _ in 0..breaks.min(2) {
            self.out.push('\n');
        }
    }

    /// Copies a preprocessor line with its continuations; gives the next token.
    fn directive(&mut self, i: usize, breaks: usize) -> usize {
        self.line_breaks(breaks);
        let mut end = i + 1;
        while self.raws.get(end).is_some_and(|r| !r.first && r.kind != RawKind::Comment)
            || self
                .raws
                .get(end)
                .is_some_and(|r| r.kind == RawKind::Comment && !self.gap_has_line_end(end))
        {
            end += 1;
        }
        let line = self.text[self.raws[i].start..self.raws[end - 1].end].to_string();
        self.out.push_str(&line);
        end
    }

    /// Whether a line ends in front of the token (continuation lines do not count).
    fn gap_has_line_end(&self, i: usize) -> bool {
        let gap = self.gap(i);
        let mut rest = gap;
        while let Some(at) = rest.find('\n') {
            if !rest[..at].trim_end_matches([' ', '\t', '\r']).ends_with('\\') {
                return true;
            }
            rest = &rest[at + 1..];
        }
        false
    }

    /// Blanks in front of the first token of a line.
    fn indent(&self, i: usize) -> usize {
        let mut open = self.open.as_slice();
        let mut extra = 0;
        let closes = match self.punct(i) {
            Some(Kind::RBrace | Kind::RParen | Kind::RBracket) => true,
            _ => matches!(self.keyword(i), Some(Keyword::Fi | Keyword::Od)),
        };
        let option = self.punct(i) == Some(Kind::Options);
        if closes {
            open = &open[..open.len().saturating_sub(1)];
        } else if !option && self.raws[i].kind != RawKind::Comment && self.continues() {
            extra = CONTINUATION;
        }
        let mut indent = extra;
        for (level, entry) in open.iter().enumerate() {
            let last = level + 1 == open.len();
            indent += match entry {
                Open::Brace { .. } => BLOCK,
                Open::Bracket => CONTINUATION,
                Open::Choice { option: true } if !(last && option) => OPTION,
                Open::Choice { .. } => 0,
            };
        }
        indent
    }

    /// Whether the last token leaves an expression or list open.
    fn continues(&self) -> bool {
        if matches!(self.open.last(), Some(Open::Bracket)) {
            return false;
        }
        let Some(last) = self.last else { return false };
        match self.punct(last) {
            Some(Kind::Comma) => !matches!(self.open.last(), Some(Open::Brace { list: true })),
            Some(kind) => {
                is_binary(kind) || matches!(kind, Kind::Less | Kind::Greater | Kind::Minus)
            }
            None => false,
        }
    }

    /// Whether a value ends with this token.
    fn ends_value(&self, i: usize) -> bool {
        match self.raws[i].kind {
            RawKind::Number | RawKind::Char | RawKind::Str => true,
            RawKind::Word => match self.keyword(i) {
                None => !(self.ltl.is_some() && crate::highlight::is_temporal_word(self.slice(i))),
                Some(word) => matches!(
                    word,
                    Keyword::True | Keyword::False | Keyword::Skip | Keyword::Timeout | Keyword::Np
                ),
            },
            RawKind::Punct(kind) => matches!(kind, Kind::RParen | Kind::RBracket),
            _ => false,
        }
    }

    /// Whether a blank stands in front of a token inside a line.
    fn blank(&self, i: usize) -> bool {
        let raw = self.raws[i];
        let Some(prior) = i.checked_sub(1) else { return false };
        let had = raw.start > self.raws[prior].end;
        let is_comment = |j: usize| self.raws[j].kind == RawKind::Comment;
        if is_comment(i) || is_comment(prior) {
            return had || is_comment(prior);
        }
        let wanted = self.wanted(prior, i, had);
        // Two tokens that would read as another one need a blank; two that read as one together
        // (temporal operators) must not get one.
        if !wanted && had && self.would_join(prior, i) { true } else { wanted }
    }

    fn would_join(&self, prior: usize, i: usize) -> bool {
        let pair = format!("{}{}", self.slice(prior), self.slice(i));
        let first = Scanner::new(&pair, true).next().map(|r| r.end);
        first != Some(self.slice(prior).len())
    }

    fn wanted(&self, prior: usize, i: usize, had: bool) -> bool {
        let (left, right) = (self.punct(prior), self.punct(i));
        if self.ltl.is_some() {
            return self.wanted_in_formula(left, right, had);
        }
        // Strange bytes keep their distance.
        if self.raws[prior].kind == RawKind::Other || self.raws[i].kind == RawKind::Other {
            return had;
        }
        match (left, right) {
            (_, Some(Kind::Semi | Kind::Comma | Kind::RParen | Kind::RBracket)) => return false,
            (Some(Kind::LParen | Kind::LBracket), _) => return false,
            (_, Some(Kind::Dot | Kind::At)) | (Some(Kind::Dot | Kind::At), _) => return false,
            (Some(Kind::Comma | Kind::Semi | Kind::Options | Kind::DotDot), _) => return true,
            (_, Some(Kind::Options | Kind::DotDot)) => return true,
            (Some(Kind::Colon), _) | (_, Some(Kind::Colon)) => return had,
            _ => {}
        }
        // Sends and receives are written without blanks; `!` elsewhere is a negation.
        let io = |kind: Option<Kind>| {
            matches!(kind, Some(Kind::Question | Kind::RandomReceive | Kind::SortedSend))
        };
        if io(left) || io(right) {
            return false;
        }
        if right == Some(Kind::Bang) && self.ends_value(prior) {
            return false;
        }
        if left == Some(Kind::Bang) {
            return false;
        }
        if matches!(right, Some(Kind::Increment | Kind::Decrement)) || left == Some(Kind::Tilde) {
            return false;
        }
        if self.angle == Some(self.open.len()) {
            if left == Some(Kind::Less) && prior > 0 && io(self.punct(prior - 1)) {
                return false;
            }
            if right == Some(Kind::Greater) {
                return false;
            }
        }
        if left == Some(Kind::Minus) {
            let binary = prior > 0 && self.ends_value(prior - 1);
            return binary;
        }
        match right {
            Some(Kind::LParen) => match self.raws[prior].kind {
                RawKind::Word => match self.keyword(prior) {
                    None => false,
                    Some(word) => !is_function(word),
                },
                RawKind::Punct(Kind::RParen | Kind::RBracket) => had,
                _ => true,
            },
            Some(Kind::LBracket) => {
                self.raws[prior].kind != RawKind::Word || self.keyword(prior).is_some()
            }
            _ => true,
        }
    }

    /// Formulas: temporal operators of two characters stay together.
    fn wanted_in_formula(&self, left: Option<Kind>, right: Option<Kind>, had: bool) -> bool {
        match (left, right) {
            (_, Some(Kind::RParen)) | (Some(Kind::LParen), _) => false,
            (Some(Kind::LBrace), _) | (_, Some(Kind::RBrace)) => true,
            // `<->` is one operator.
            (_, Some(Kind::Arrow)) => had || left != Some(Kind::Less),
            (Some(Kind::Arrow), _) => true,
            (Some(a), Some(_)) if is_binary(a) && a != Kind::Slash && !had => true,
            _ => had,
        }
    }

    /// Follows brackets and choices.
    fn track(&mut self, i: usize) {
        let raw = self.raws[i];
        if raw.kind == RawKind::Comment {
            return;
        }
        if let Some(depth) = self.code {
            match self.punct(i) {
                Some(Kind::LBrace) => self.code = Some(depth + 1),
                Some(Kind::RBrace) if depth <= 1 => self.code = None,
                Some(Kind::RBrace) => self.code = Some(depth - 1),
                _ => {}
            }
            self.last = Some(i);
            return;
        }
        let before = self.last;
        match raw.kind {
            RawKind::Punct(kind) => self.track_punctuator(kind, before),
            RawKind::Word => match self.keyword(i) {
                Some(Keyword::If | Keyword::Do) => self.open.push(Open::Choice { option: false }),
                Some(Keyword::Fi | Keyword::Od) => {
                    if matches!(self.open.last(), Some(Open::Choice { .. })) {
                        self.open.pop();
                    }
                }
                Some(Keyword::Ltl) => self.ltl = Some(self.open.len()),
                _ => {}
            },
            _ => {}
        }
        self.last = Some(i);
    }

    fn track_punctuator(&mut self, kind: Kind, before: Option<usize>) {
        match kind {
            Kind::LBrace => {
                let word = before.and_then(|j| self.keyword(j));
                let bracket = before.and_then(|j| self.punct(j)) == Some(Kind::RBracket);
                let guarded = bracket && before.is_some_and(|j| self.guards_code(j));
                if matches!(word, Some(Keyword::CCode | Keyword::CExpr | Keyword::CDecl)) || guarded
                {
                    self.code = Some(1);
                    return;
                }
                let assign = before.and_then(|j| self.punct(j)) == Some(Kind::Assign);
                let list = assign || matches!(word, Some(Keyword::Of | Keyword::Mtype));
                self.open.push(Open::Brace { list });
            }
            Kind::LParen | Kind::LBracket => self.open.push(Open::Bracket),
            Kind::RParen | Kind::RBracket if self.open.last() == Some(&Open::Bracket) => {
                self.open.pop();
            }
            Kind::RBrace => {
                // A closing brace ends what was left open inside its block.
                if let Some(at) = self.open.iter().rposition(|o| matches!(o, Open::Brace { .. })) {
                    self.open.truncate(at);
                }
                if self.ltl.is_some_and(|depth| self.open.len() <= depth) {
                    self.ltl = None;
                }
                self.angle = None;
            }
            Kind::Options => {
                if let Some(at) = self.open.iter().rposition(|o| *o != Open::Bracket)
                    && let Some(Open::Choice { option }) = self.open.get_mut(at)
                {
                    *option = true;
                    self.open.truncate(at + 1);
                }
            }
            Kind::Less => {
                let receive = before.and_then(|j| self.punct(j));
                if matches!(receive, Some(Kind::Question | Kind::RandomReceive)) {
                    self.angle = Some(self.open.len());
                }
            }
            Kind::Greater if self.angle == Some(self.open.len()) => self.angle = None,
            Kind::Semi | Kind::Arrow => self.angle = None,
            _ => {}
        }
    }

    /// Whether the bracket that closes at `i` is the guard of `c_code [..]`.
    fn guards_code(&self, i: usize) -> bool {
        let mut depth = 0usize;
        for j in (0..=i).rev().take(400) {
            match self.punct(j) {
                Some(Kind::RBracket) => depth += 1,
                Some(Kind::LBracket) => {
                    depth -= 1;
                    if depth == 0 {
                        let owner = j.checked_sub(1).and_then(|k| self.keyword(k));
                        return matches!(owner, Some(Keyword::CCode | Keyword::CExpr));
                    }
                }
                _ => {}
            }
        }
        false
    }
}

/// Operators that have two operands wherever they stand.
fn is_binary(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Assign
            | Kind::Equal
            | Kind::NotEqual
            | Kind::LessEqual
            | Kind::GreaterEqual
            | Kind::ShiftLeft
            | Kind::ShiftRight
            | Kind::AndAnd
            | Kind::OrOr
            | Kind::Plus
            | Kind::Star
            | Kind::Slash
            | Kind::Percent
            | Kind::Amp
            | Kind::Bar
            | Kind::Caret
    )
}

/// Words that are written like functions: no blank in front of the parenthesis.
fn is_function(word: Keyword) -> bool {
    use Keyword::*;
    matches!(
        word,
        Assert
            | Printf
            | Printm
            | Len
            | Full
            | Empty
            | Nfull
            | Nempty
            | Enabled
            | Eval
            | PcValue
            | GetPriority
            | SetPriority
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indents_and_spaces() {
        let text = "byte   x=1;\n\n\n\nactive proctype P( ) {\nif\n:: x==1->\nx = -1;q ! x+1\n:: else\nfi;\n\
                    /* a\n   b */\natomic{ x++ ; y=!x }   // end\n  }";
        let expected = "byte x = 1;\n\nactive proctype P() {\n  if\n  :: x == 1 ->\n     x = -1; q!x + 1\n  \
                        :: else\n  fi;\n  /* a\n   b */\n  atomic { x++; y = !x } // end\n}\n";
        assert_eq!(format(text).as_deref(), Some(expected));
        assert_eq!(format(expected).as_deref(), Some(expected));
    }

    #[test]
    fn keeps_what_must_stay() {
        for text in [
            "ltl p { [] <>(a -> b) }\n",
            "#define F(x)   x \\\n   + 1\nbyte x;\n",
            "init {\n  c_code {  int  x;\n    y }; q?<x>\n}\n",
            "init {\n  x = - -1; y = a - -b\n}\n",
        ] {
            assert_eq!(format(text).as_deref(), Some(text));
        }
        assert_eq!(format("/* a"), None);
        assert_eq!(format("x = \"a"), None);
        assert_eq!(format("").as_deref(), Some(""));
    }

    #[test]
    fn receives_and_ranges() {
        let text = "init {\n  q ?? < x , eval( y ) > ; for(i : 0..n-1) { a [i] = (c->1 : 2) }\n}\n";
        let expected =
            "init {\n  q??<x, eval(y)>; for (i : 0 .. n - 1) { a[i] = (c -> 1 : 2) }\n}\n";
        assert_eq!(format(text).as_deref(), Some(expected));
    }
}
