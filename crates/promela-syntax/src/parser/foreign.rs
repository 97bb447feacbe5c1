//! Habits of other languages: said once, in words that help, and read on as what was meant.

use super::Parser;
use crate::ast::*;
use crate::token::{Keyword, Kind, Token};
use promenade_base::Diagnostic;

impl Parser {
    /// The operator that a word such as `and` stands for behind an operand, with its level; an
    /// error. The word itself is the next token and is not taken.
    pub(super) fn word_operator(&mut self) -> Option<(BinaryOperator, u8)> {
        let token = self.peek_token();
        if token.kind != Kind::Ident || !self.operand_on_line(1) {
            return None;
        }
        let (sign, kind) = operator_of(self.words.text(token.text))?;
        self.no_operator(&token, sign);
        super::expression::binary_operator(kind)
    }

    /// Whether `p and q` or `not p` is next, which is no declaration of a type `p` or `not`.
    pub(super) fn at_word_expression(&self) -> bool {
        let next = self.cursor.raw(1);
        let word = next.kind == Kind::Ident && operator_of(self.words.text(next.text)).is_some();
        self.at_word_not() || (word && self.operand_on_line(2))
    }

    /// Whether `not` is next, in front of an operand.
    pub(super) fn at_word_not(&self) -> bool {
        let token = self.peek_token();
        token.kind == Kind::Ident
            && matches!(self.words.text(token.text), "not" | "NOT" | "Not")
            && !self.inlines.contains_key(&token.text)
            && self.operand_on_line(1)
    }

    /// Takes `not` as `!`; an error.
    pub(super) fn word_not(&mut self) {
        let token = self.advance();
        self.no_operator(&token, "!");
    }

    fn no_operator(&mut self, token: &Token, sign: &str) {
        let text = self.words.text(token.text).to_string();
        self.say(
            Diagnostic::error("word-operator", token.span, format!("`{text}` is no operator"))
                .with_hint(format!("Write `{sign}`.")),
        );
    }

    /// Whether an operand stands so many tokens behind the next one, on the same line as the one
    /// before it.
    fn operand_on_line(&self, n: usize) -> bool {
        let next = self.cursor.raw(n);
        let starts = match next.kind {
            Kind::Ident | Kind::Number | Kind::Char | Kind::LParen | Kind::Bang | Kind::Tilde => {
                true
            }
            Kind::Keyword(word) => matches!(
                word,
                Keyword::True
                    | Keyword::False
                    | Keyword::Len
                    | Keyword::Full
                    | Keyword::Empty
                    | Keyword::Nfull
                    | Keyword::Nempty
                    | Keyword::Timeout
                    | Keyword::Enabled
            ),
            _ => false,
        };
        starts && !next.line_start && self.ahead(n + 1) != Kind::Colon
    }

    /// Whether `int i = 0; ..` or `i = 0; ..` stands behind `for (`: an error.
    pub(super) fn c_style_for(&mut self) -> bool {
        let token = self.peek_token();
        let typed = matches!(token.kind, Kind::Keyword(word) if word.is_type());
        let mut header = (1..40).map(|n| self.ahead(n));
        let parts = header
            .find(|kind| matches!(kind, Kind::Semi | Kind::RParen | Kind::LBrace | Kind::DotDot));
        if !typed && (self.ahead(1) != Kind::Assign || parts != Some(Kind::Semi)) {
            return false;
        }
        let named = self.cursor.raw(usize::from(typed));
        let name = match named.kind {
            Kind::Ident => self.words.text(named.text).to_string(),
            _ => "i".to_owned(),
        };
        let declare = if typed {
            format!("Declare `{name}` in front of the loop, and write")
        } else {
            "Write".to_owned()
        };
        self.report(
            Diagnostic::error("c-style-for", token.span, "`for` is not written as in C here")
                .with_hint(format!("{declare} `for ({name} : 0 .. 9) {{ .. }}` with both ends.")),
        );
        true
    }

    /// At the parenthesis behind a type and a name: a function as in C; an error. It is skipped.
    pub(super) fn c_function(&mut self, name: &Name, symbol: crate::token::Symbol) {
        self.report(
            Diagnostic::error("c-function", name.span, "there are no functions in Promela")
                .with_hint(format!(
                    "Write `inline {}(a, b) {{ .. }}`, which can give its result in a parameter, \
                     or a `proctype`.",
                    name.text
                )),
        );
        self.functions.insert(symbol);
        self.skip_balanced(Kind::LParen, Kind::RParen);
        if self.at(Kind::LBrace) {
            self.skip_balanced(Kind::LBrace, Kind::RBrace);
        }
        self.cursor.nesting = 0;
    }

    /// A call of such a function where a value is wanted: it was said already.
    pub(super) fn c_function_call(&mut self) -> bool {
        let token = self.peek_token();
        if !self.functions.contains(&token.text) || self.ahead(1) != Kind::LParen {
            return false;
        }
        let nesting = self.cursor.nesting;
        self.advance();
        self.skip_balanced(Kind::LParen, Kind::RParen);
        self.cursor.nesting = nesting;
        true
    }

    /// Whether a colon is next that begins a statement in a choice: `::` is meant.
    pub(super) fn at_single_colon(&self) -> bool {
        let begins =
            matches!(self.cursor.last(), Kind::Semi | Kind::Arrow | Kind::Implied | Kind::RBrace)
                || self.cursor.raw(0).line_start;
        self.choices > 0 && self.at(Kind::Colon) && begins
    }

    /// At a colon where an option begins: an error.
    pub(super) fn single_colon(&mut self) {
        let token = self.peek_token();
        self.say(
            Diagnostic::error("single-colon", token.span, "expected `::`, found `:`")
                .with_hint("An option begins with two colons."),
        );
        if self.ahead(1) == Kind::Options {
            self.advance();
        }
    }

    /// Behind `x++`: an operator, as if it had a value.
    pub(super) fn increment_as_value(&mut self) {
        let token = self.peek_token();
        if super::expression::binary_operator(token.kind).is_none() {
            return;
        }
        self.report(
            Diagnostic::error(
                "increment-as-value",
                token.span,
                "`++` and `--` make a statement, which has no value",
            )
            .with_hint("Write the condition and the change one after the other: `x < 3 -> x++`."),
        );
    }

    /// An assignment in front of `->` looks like a condition, but is always executable.
    pub(super) fn assignment_as_guard(&mut self, first: &Statement) {
        if !self.at(Kind::Arrow) || !matches!(first.kind, StatementKind::Assign(..)) {
            return;
        }
        self.say(
            Diagnostic::warning(
                "assignment-as-guard",
                first.span,
                "this is an assignment, which is always executable",
            )
            .with_hint("Write `==` to compare, or `;` behind the assignment if it is meant."),
        );
    }
}

/// The sign of an operator that is a word elsewhere.
fn operator_of(word: &str) -> Option<(&'static str, Kind)> {
    Some(match word {
        "and" | "AND" | "And" => ("&&", Kind::AndAnd),
        "or" | "OR" | "Or" => ("||", Kind::OrOr),
        "mod" | "MOD" => ("%", Kind::Percent),
        "div" | "DIV" => ("/", Kind::Slash),
        _ => return None,
    })
}

/// What to write for a word that is an operator elsewhere.
pub(super) fn hint_for_word(word: &str) -> Option<String> {
    let sign = match word {
        "not" | "NOT" | "Not" => "!",
        word => operator_of(word)?.0,
    };
    Some(format!("Write `{sign}`."))
}

#[cfg(test)]
mod tests {
    use crate::{ParseOptions, parse};
    use promenade_base::SourceMap;

    /// Codes of everything said, with the hints.
    fn said(text: &str) -> Vec<(&'static str, String)> {
        let read = parse(&SourceMap::single("m", text), &ParseOptions::default());
        let mut list: Vec<_> =
            read.diagnostics.iter().map(|d| (d.code, d.hint.clone().unwrap_or_default())).collect();
        list.dedup_by_key(|(code, _)| *code);
        list
    }

    /// One code, however often, and a hint with these words.
    fn one(text: &str, code: &str, words: &str) {
        let said = said(text);
        assert!(
            matches!(said.as_slice(), [(c, hint)] if *c == code && hint.contains(words)),
            "{text}: {said:?}"
        );
    }

    fn nothing(text: &str) {
        assert_eq!(said(text), [], "{text}");
    }

    #[test]
    fn words_are_no_operators() {
        one("bool p, q; init { (p and q) }", "word-operator", "`&&`");
        one("bool p, q; init { p or q }", "word-operator", "`||`");
        one("bool p; init { if :: not p -> skip :: not (p) -> skip fi }", "word-operator", "`!`");
        one("int x; init { x = x mod 2; x = 7 div (x) }", "word-operator", "`%`");
        one("bool p, q; ltl l { [] (p and q) } init { skip }", "expected-token", "`&&`");
        // They are names like others.
        nothing(
            "byte not, and; init { not = and + not; if :: not == 1 -> and++ :: else fi; and = not }",
        );
        nothing("byte x; inline not(a) { x = a } init { not(x) }");
    }

    #[test]
    fn loops_of_c() {
        one("init { for (int i = 0; i < 3; i++) { x = i; y = i } }", "c-style-for", "Declare `i`");
        one(
            "int i; init { for (i = 0; i < 3; i++) { skip } i = 1 }",
            "c-style-for",
            "(i : 0 .. 9)",
        );
        one("int i; init { for (i = 0 .. 3) { skip } }", "expected-token", "(i : 1 .. 10)");
        nothing("int i; init { for (i : 0 .. 3) { skip } }");
    }

    #[test]
    fn functions_of_c() {
        let text = "int f(int a, int b) { if (a) { return b } }\nint x;\n\
                    init { x = f(1, 2); f(x, x); if :: f(0, 0) > 1 -> skip fi; assert(f(1, 1)) }";
        one(text, "c-function", "`inline f(a, b) { .. }`");
    }

    #[test]
    fn options_with_one_colon() {
        one(
            "byte x; init { if\n: x == 0 -> x = 1\n: else -> x = 2\nfi; x = 3 }",
            "single-colon",
            "two colons",
        );
        one("byte x; init { do : x == 0 -> L: x = 1; :: break od }", "single-colon", "two colons");
        one("byte x; init { if: :: x == 0 fi }", "single-colon", "two colons");
        nothing("byte x; init { if :: x == 0 -> L: x = (x -> 1\n: 2) :: else fi }");
    }

    #[test]
    fn assignments_in_front_of_an_arrow() {
        let text = |statement: &str| format!("byte x; init {{ do :: {statement} od }}");
        one(&text("x = 3 -> break"), "assignment-as-guard", "`==`");
        one(&text("L: x = 3 -> break"), "assignment-as-guard", "`==`");
        nothing(&text("x = 3; break"));
        nothing(&text("x == 3 -> x = 4 -> break"));
        nothing(&text("x++ -> break"));
        one("byte x; init { if :: x++ < 3 -> x = 1 fi }", "increment-as-value", "x < 3 -> x++");
    }

    #[test]
    fn macros_with_a_sign() {
        one("#define N = 3\ninit { skip }", "macro-with-sign", "`#define N ..`");
        nothing("#define EQ ==\n#define SET =\nbyte x; init { x SET 3; x EQ 3 }");
    }

    #[test]
    fn a_mark_of_the_encoding_is_no_text() {
        nothing("\u{feff}byte x; init { x = 1 }");
        nothing("\u{feff}#define N 3\nbyte x; init { x = N }");
        assert_eq!(crate::format::format("\u{feff}byte  x").as_deref(), Some("byte x\n"));
    }

    #[test]
    fn macros_are_named_only_where_there_are_some() {
        let hint = |text: &str| {
            let mut options = ParseOptions::default();
            options.bounds.tokens = 200;
            let read = parse(&SourceMap::single("m", text), &options);
            read.diagnostics.iter().find_map(|d| d.hint.clone()).unwrap_or_default()
        };
        assert!(!hint(&"byte x; ".repeat(300)).contains("macro"));
        let doubling =
            "#define A x; x; x; x;\n#define B A A A A\n#define C B B B B\ninit { C C C C }";
        assert!(hint(doubling).contains("macro"));
    }
}
