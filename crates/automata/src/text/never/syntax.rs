//! A claim's text as a tree of statements.

use super::lexer::{Token, words};
use crate::Label;
use promenade_base::{Diagnostic, FileId, Span};
use promenade_ltl::{Formulas, Propositions, Reading, parse};

/// How deep blocks may nest.
const DEPTH: usize = 100;

/// What a statement does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A step under these letters.
    Condition(Label),
    /// An error under the letters that are missing.
    Assert(Label),
    /// `if` or, if it repeats, `do`.
    Choice {
        repeats: bool,
        options: Vec<Vec<Statement>>,
    },
    /// A step if no other option has one.
    Else,
    Goto(String),
    Break,
    /// `atomic` or `d_step`: one step.
    Atomic(Vec<Statement>),
    Block(Vec<Statement>),
}

/// A statement with the labels in front of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Statement {
    pub labels: Vec<(String, Span)>,
    pub kind: Kind,
    pub span: Span,
}

/// What was read.
pub(super) struct Tree {
    pub name: Option<String>,
    pub comment: Option<String>,
    pub body: Vec<Statement>,
    pub braces: Span,
    pub atoms: Vec<String>,
}

pub(super) type Outcome<T> = Result<T, Box<Diagnostic>>;

/// Reads a claim.
pub(super) fn read(text: &str) -> Outcome<Tree> {
    let words = words(text)?;
    let mut reader = Reader {
        text,
        words: &words.words,
        at: 0,
        depth: 0,
        table: Formulas::new(),
        names: Propositions::new(),
    };
    let (name, body, braces) = reader.claim()?;
    let atoms = reader.names.texts().to_vec();
    Ok(Tree { name, comment: words.comment, body, braces, atoms })
}

struct Reader<'a> {
    text: &'a str,
    words: &'a [(Token, Span)],
    at: usize,
    depth: usize,
    table: Formulas,
    names: Propositions,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<Token> {
        self.words.get(self.at).map(|word| word.0)
    }

    fn span(&self) -> Span {
        let end = self.text.len() as u32;
        let behind = Span::new(FileId::default(), end, end);
        self.words.get(self.at).map_or(behind, |word| word.1)
    }

    fn word(&self) -> &'a str {
        let span = self.span();
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    fn is_word(&self, word: &str) -> bool {
        self.peek() == Some(Token::Name) && self.word() == word
    }

    fn take(&mut self, token: Token) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    fn error<T>(&self, message: impl Into<String>) -> Outcome<T> {
        Err(Box::new(Diagnostic::error("never-syntax", self.span(), message)))
    }

    fn refuse<T>(&self, message: &str, hint: &str) -> Outcome<T> {
        let diagnostic = Diagnostic::error("never-unsupported", self.span(), message);
        Err(Box::new(diagnostic.with_hint(hint)))
    }

    fn expect(&mut self, sign: char) -> Outcome<()> {
        if self.take(Token::Sign(sign)) {
            return Ok(());
        }
        let found = self.found();
        self.error(format!("expected `{sign}`, found {found}"))
    }

    fn found(&self) -> String {
        match self.word() {
            "" => "the end of the text".to_owned(),
            word => format!("`{word}`"),
        }
    }

    fn claim(&mut self) -> Outcome<(Option<String>, Vec<Statement>, Span)> {
        if self.peek() == Some(Token::Sign('#')) {
            return self.refuse(
                "a macro is not read here, only the claim",
                "Put the macro into the model, or write its text in place of its name.",
            );
        }
        if !self.take_word("never") {
            return self.error("a never claim begins with `never`");
        }
        let name = (self.peek() == Some(Token::Name)).then(|| self.word().to_owned());
        self.at += usize::from(name.is_some());
        let open = self.span();
        self.expect('{')?;
        let body =
            if self.peek() == Some(Token::Sign('}')) { Vec::new() } else { self.sequence()? };
        let close = self.span();
        self.expect('}')?;
        if self.peek().is_some() {
            return self.refuse(
                "there is more text behind the claim",
                "One claim at a time, without anything around it.",
            );
        }
        Ok((name, body, open.to(close)))
    }

    /// Statements up to what ends a block.
    fn sequence(&mut self) -> Outcome<Vec<Statement>> {
        self.depth += 1;
        if self.depth > DEPTH {
            return self.error("too many nested blocks");
        }
        let mut list = Vec::new();
        loop {
            let statement = self.statement()?;
            let closed =
                matches!(statement.kind, Kind::Choice { .. } | Kind::Atomic(_) | Kind::Block(_));
            list.push(statement);
            let mut separated = closed;
            while self.take(Token::Sign(';')) || self.take(Token::Arrow) {
                separated = true;
            }
            if self.ends_block() {
                self.depth -= 1;
                return Ok(list);
            }
            if !separated {
                let found = self.found();
                return self.error(format!("expected `;` or `->`, found {found}"));
            }
        }
    }

    fn ends_block(&self) -> bool {
        match self.peek() {
            None | Some(Token::Option | Token::Sign('}')) => true,
            Some(Token::Name) => matches!(self.word(), "od" | "fi"),
            _ => false,
        }
    }

    fn statement(&mut self) -> Outcome<Statement> {
        let mut labels = Vec::new();
        while self.peek() == Some(Token::Name)
            && self.words.get(self.at + 1).map(|word| word.0) == Some(Token::Sign(':'))
        {
            labels.push((self.word().to_owned(), self.span()));
            self.at += 2;
        }
        let begins = self.span();
        let kind = self.kind()?;
        let last = self.words.get(self.at.saturating_sub(1)).map_or(begins, |word| word.1);
        Ok(Statement { labels, kind, span: begins.to(last) })
    }

    fn kind(&mut self) -> Outcome<Kind> {
        if self.take(Token::Sign('{')) {
            return self.block().map(Kind::Block);
        }
        let word = if self.peek() == Some(Token::Name) { self.word() } else { "" };
        match word {
            "if" | "do" => self.choice(),
            "skip" => {
                self.at += 1;
                Ok(Kind::Condition(Label::all()))
            }
            "else" => {
                self.at += 1;
                Ok(Kind::Else)
            }
            "break" => {
                self.at += 1;
                Ok(Kind::Break)
            }
            "goto" => {
                self.at += 1;
                if self.peek() != Some(Token::Name) {
                    return self.error("expected a label behind `goto`");
                }
                let label = self.word().to_owned();
                self.at += 1;
                Ok(Kind::Goto(label))
            }
            "atomic" | "d_step" => {
                self.at += 1;
                self.expect('{')?;
                self.block().map(Kind::Atomic)
            }
            "assert" => {
                self.at += 1;
                if self.peek() != Some(Token::Sign('(')) {
                    return self.error("expected `(` behind `assert`");
                }
                self.condition().map(Kind::Assert)
            }
            "unless" => self.refuse("`unless` is not read in a claim", "Use `if` and `goto`."),
            "bit" | "bool" | "byte" | "short" | "int" | "unsigned" | "mtype" | "chan" | "pid"
            | "hidden" | "local" | "show" => self.refuse(
                "a claim with variables of its own is no automaton",
                "Write it into the model: there it can be checked.",
            ),
            "printf" | "printm" | "run" | "for" | "select" | "c_code" | "c_expr" | "timeout" => {
                self.refuse(
                    &format!("`{word}` is not read in a claim that stands for itself"),
                    "Write the claim into the model: there it can be checked.",
                )
            }
            _ => self.condition().map(Kind::Condition),
        }
    }

    fn block(&mut self) -> Outcome<Vec<Statement>> {
        let list = self.sequence()?;
        self.expect('}')?;
        Ok(list)
    }

    fn choice(&mut self) -> Outcome<Kind> {
        let repeats = self.is_word("do");
        let (begins, end) = if repeats { ("do", "od") } else { ("if", "fi") };
        self.at += 1;
        let mut options = Vec::new();
        while self.take(Token::Option) {
            options.push(self.sequence()?);
        }
        if options.is_empty() {
            let found = self.found();
            return self.error(format!("expected `::` behind `{begins}`, found {found}"));
        }
        if !self.take_word(end) {
            let found = self.found();
            return self.error(format!("expected `::` or `{end}`, found {found}"));
        }
        Ok(Kind::Choice { repeats, options })
    }

    /// An expression over propositions, up to what ends a statement.
    fn condition(&mut self) -> Outcome<Label> {
        let first = self.span();
        let (mut depth, mut last) = (0usize, None);
        while let Some(token) = self.peek() {
            match token {
                Token::Sign('(' | '[') => depth += 1,
                Token::Sign(')' | ']') => depth = depth.saturating_sub(1),
                Token::Sign('{' | '}') => break,
                Token::Option => break,
                Token::Arrow | Token::Sign(';') if depth == 0 => break,
                Token::Name if depth == 0 && matches!(self.word(), "od" | "fi") => break,
                _ => {}
            }
            last = Some(self.span());
            self.at += 1;
        }
        let Some(last) = last else {
            let found = self.found();
            return self.error(format!("expected a condition, found {found}"));
        };
        let (start, end) = (first.start, last.end);
        let text = self.text.get(start as usize..end as usize).unwrap_or("");
        let parsed = parse(text, Reading::Blocks);
        if let Some(error) = parsed.diagnostics.into_iter().find(Diagnostic::is_error) {
            return Err(Box::new(moved(error, start)));
        }
        let whole = Span::new(FileId::default(), start, end);
        let formula = parsed.value.formula_with(&mut self.table, &mut self.names);
        let Some(formula) = formula else {
            let message = "there are more than 64 different propositions";
            return Err(Box::new(Diagnostic::error("never-unsupported", whole, message)));
        };
        Label::from_formula(&self.table, formula).ok_or_else(|| {
            let message = "a temporal operator in a claim: each step is one condition";
            Box::new(
                Diagnostic::error("never-unsupported", whole, message).with_hint(
                    "The claim itself says what comes when; a formula has none of `never`.",
                ),
            )
        })
    }
}

/// A finding about a part of the text, told about the whole.
fn moved(mut diagnostic: Diagnostic, by: u32) -> Diagnostic {
    let shift = |span: Span| Span::new(span.file, span.start + by, span.end + by);
    diagnostic.span = shift(diagnostic.span);
    for related in &mut diagnostic.related {
        related.span = shift(related.span);
    }
    diagnostic
}
