//! The C preprocessor in front of Promela: gnu99 behaviour, files from the [`SourceMap`] only.
//!
//! Every token that comes out carries a place in the original text: tokens of a macro's body stand
//! where the macro's name was used (the outermost one), tokens of an argument where the argument
//! stands. A token starts a line when the place of its outermost use is on another line than the
//! token before it, which is what `gcc -E` prints and what implied separators depend on.

mod comments;
mod condition;
mod directive;
mod expand;
#[cfg(test)]
mod tests;

use crate::scan::{Raw, RawKind, Scanner, unspliced};
use crate::token::{Interner, Keyword, Kind, Symbol, Token};
use crate::{Bounds, ParseOptions};
use expand::Context;
use promenade_base::{Diagnostic, FileId, SourceMap, Span};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Nesting of `#include`.
const INCLUDE_DEPTH: usize = 40;
/// Nesting of `#if`.
const CONDITION_DEPTH: usize = 200;

/// The place of what the options give.
const OPTIONS: Span = Span { file: FileId::OPTIONS, start: 0, end: 0 };

/// A macro that was defined, for navigation.
#[derive(Clone, Debug)]
pub(crate) struct MacroRecord {
    /// The name.
    pub name: Symbol,
    /// Where it was defined; none for definitions from options.
    pub place: Option<Span>,
    /// It takes arguments.
    pub function: bool,
}

/// What comes out.
pub(crate) struct Preprocessed {
    /// The tokens, without an end marker.
    pub tokens: Vec<Token>,
    /// The end of the main file.
    pub end: Span,
    /// Their spellings.
    pub words: Interner,
    /// What there was to say.
    pub diagnostics: Vec<Diagnostic>,
    /// Macros in the order of their definitions.
    pub macros: Vec<MacroRecord>,
    /// Places where a macro's name was used, with the index of the macro.
    pub uses: Vec<(Span, usize)>,
    /// A limit was reached: the tokens are not the whole text.
    pub cut: bool,
}

/// A macro.
#[derive(Debug)]
struct Macro {
    record: usize,
    place: Option<Span>,
    /// Parameters of a function-like macro.
    parameters: Option<Vec<Symbol>>,
    variadic: bool,
    body: Vec<BodyToken>,
}

/// One token of a macro's body.
#[derive(Clone, Copy, Debug)]
struct BodyToken {
    token: Token,
    parameter: Option<u16>,
    /// `#` stood in front of it.
    stringify: bool,
    /// `##` stands behind it.
    paste: bool,
}

/// One open `#if`.
struct Condition {
    place: Span,
    /// A branch was taken already.
    taken: bool,
    /// `#else` was met.
    last: bool,
}

/// A file being read.
struct Reader {
    file: FileId,
    tokens: Rc<Vec<RawToken>>,
    at: usize,
    /// Open conditions when it was opened.
    conditions: usize,
}

/// A token of a file with its line.
#[derive(Clone, Copy)]
struct RawToken {
    token: Token,
    line: u32,
    first: bool,
}

struct Preprocessor<'a> {
    sources: &'a SourceMap,
    words: Interner,
    scanned: HashMap<FileId, Rc<Vec<RawToken>>>,
    macros: HashMap<Symbol, Rc<Macro>>,
    readers: Vec<Reader>,
    conditions: Vec<Condition>,
    contexts: Vec<Context>,
    /// Contexts below this one belong to somebody else.
    base: usize,
    disabled: HashSet<Symbol>,
    /// Names that conditions of the text ask for.
    asked: HashSet<Symbol>,
    argument_depth: usize,
    /// Line of the outermost macro name being expanded, or of the last token of a file.
    line: (FileId, u32),
    last_line: Option<(FileId, u32)>,
    bounds: Bounds,
    work: usize,
    out: Preprocessed,
}

/// Runs the preprocessor over the main file.
pub(crate) fn preprocess(sources: &SourceMap, options: &ParseOptions) -> Preprocessed {
    let mut words = Interner::new();
    words.intern("defined");
    let length = sources.get(sources.main()).map_or(0, |f| f.text().len() as u32);
    let mut p = Preprocessor {
        sources,
        words,
        scanned: HashMap::new(),
        macros: HashMap::new(),
        readers: Vec::new(),
        conditions: Vec::new(),
        contexts: Vec::new(),
        base: 0,
        disabled: HashSet::new(),
        asked: HashSet::new(),
        argument_depth: 0,
        line: (sources.main(), 0),
        last_line: None,
        bounds: options.bounds,
        work: 0,
        out: Preprocessed {
            tokens: Vec::new(),
            end: Span::new(sources.main(), length, length),
            words: Interner::new(),
            diagnostics: Vec::new(),
            macros: Vec::new(),
            uses: Vec::new(),
            cut: false,
        },
    };
    for (name, value) in &options.defines {
        p.define_option(name, value.as_deref());
    }
    for name in &options.undefines {
        let symbol = p.words.intern(name);
        p.macros.remove(&symbol);
    }
    p.open(sources.main());
    p.run();
    if !p.out.cut {
        p.unused_options();
    }
    let mut out = p.out;
    out.words = p.words;
    out
}

impl Preprocessor<'_> {
    fn run(&mut self) {
        while !self.out.cut {
            let Some(mut token) = self.next_expanded() else { break };
            token.line_start = self.last_line != Some(self.line);
            self.last_line = Some(self.line);
            token.no_expand = false;
            token.place = token.span;
            self.emit(token);
            if self.out.tokens.len() > self.bounds.tokens {
                let message = "the model is too large after preprocessing";
                self.cut(token.span, message);
            }
        }
        if let Some(open) = self.conditions.pop()
            && !self.out.cut
        {
            self.error("unterminated-condition", open.place, "this `#if` has no `#endif`");
        }
    }

    /// Hands a token on. For C `2fi` is one number, for Promela a number and a keyword.
    fn emit(&mut self, token: Token) {
        if token.kind == Kind::Number {
            let text = self.words.text(token.text);
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            if let Some(keyword) = text.get(digits..).and_then(Keyword::from_text) {
                let number = text.get(..digits).unwrap_or("").to_string();
                let cut = token.span.start + digits as u32;
                // The cut lies in the text only if the token does, too.
                let whole = self.sources.text(token.span) == text;
                let (mut first, mut second) = (token, token);
                if whole {
                    first.span.end = cut;
                    second.span.start = cut;
                }
                first.text = self.words.intern(&number);
                second.text = self.words.intern(keyword.text());
                second.kind = Kind::Keyword(keyword);
                (second.line_start, second.space) = (false, false);
                (first.place, second.place) = (first.span, second.span);
                self.out.tokens.extend([first, second]);
                return;
            }
        }
        self.out.tokens.push(token);
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.out.diagnostics.len() < self.bounds.diagnostics {
            self.out.diagnostics.push(diagnostic);
        }
    }

    /// Stops everything with a message.
    fn cut(&mut self, span: Span, message: &str) {
        if !self.out.cut {
            self.out.cut = true;
            let hint = if self.work * 2 > self.out.tokens.len() {
                "Look for a macro that doubles its own text again and again."
            } else {
                "A text of that size is not read; say more of it with arrays and loops, include \
                 less, or allow more memory."
            };
            self.out
                .diagnostics
                .push(Diagnostic::error("expansion-limit", span, message).with_hint(hint));
        }
    }

    /// Accounts for tokens made on the way.
    fn spend(&mut self, amount: usize, span: Span) {
        self.work += amount;
        if self.work > self.bounds.tokens.saturating_mul(4) {
            self.cut(span, "macro expansion makes the text too large");
        }
    }

    /// Starts reading a file.
    fn open(&mut self, file: FileId) {
        let tokens = match self.scanned.get(&file) {
            Some(tokens) => tokens.clone(),
            None => {
                let tokens = Rc::new(self.scan(file));
                self.scanned.insert(file, tokens.clone());
                tokens
            }
        };
        self.readers.push(Reader { file, tokens, at: 0, conditions: self.conditions.len() });
    }

    fn scan(&mut self, file: FileId) -> Vec<RawToken> {
        let Some(text) = self.sources.get(file).map(|f| f.text()) else { return Vec::new() };
        let mut tokens: Vec<RawToken> = Vec::new();
        let mut stray = Vec::new();
        for raw in Scanner::new(text, false) {
            if raw.kind == RawKind::Punct(Kind::Slash)
                && let Some(star) = tokens.last().map(|last| last.token)
                && star.kind == Kind::Star
                && star.span.end as usize == raw.start
            {
                // SPIN skips it, too.
                stray.push(star.span.start as usize);
                tokens.pop();
                continue;
            }
            let span = Span::new(file, raw.start as u32, raw.end as u32);
            if raw.kind == RawKind::UnterminatedComment {
                let open = Span::new(file, raw.start as u32, raw.start as u32 + 2);
                self.report(
                    Diagnostic::error("unterminated-comment", open, "this comment has no end")
                        .with_hint("Close it with `*/`."),
                );
                continue;
            }
            tokens.push(self.raw_token(text, raw, span));
        }
        if !stray.is_empty() {
            let found = comments::stray_ends(file, text, &stray);
            found.into_iter().for_each(|diagnostic| self.report(diagnostic));
        }
        tokens
    }

    fn raw_token(&mut self, text: &str, raw: Raw, span: Span) -> RawToken {
        let slice = text.get(raw.start..raw.end).unwrap_or("");
        let (kind, text) = match raw.kind {
            RawKind::Punct(kind) => (kind, Symbol(0)),
            other => {
                let symbol = if raw.spliced {
                    self.words.intern(&unspliced(slice))
                } else {
                    self.words.intern(slice)
                };
                (kind_of(other, symbol), symbol)
            }
        };
        let token = Token {
            kind,
            text,
            span,
            place: span,
            line_start: raw.first,
            space: raw.space,
            no_expand: false,
        };
        RawToken { token, line: raw.line, first: raw.first }
    }

    /// The tokens of a text that stands in no file (an option, or the result of `##`).
    fn scan_text(&mut self, text: &str, span: Span) -> Vec<Token> {
        let raws: Vec<Raw> = Scanner::new(text, false).collect();
        raws.into_iter().map(|raw| self.raw_token(text, raw, span).token).collect()
    }

    /// The next token of the files, directives carried out on the way. None at the very end.
    fn next_of_file(&mut self) -> Option<Token> {
        loop {
            if self.out.cut {
                return None;
            }
            let reader = self.readers.last_mut()?;
            let Some(&raw) = reader.tokens.get(reader.at) else {
                self.close();
                continue;
            };
            reader.at += 1;
            if raw.first && raw.token.kind == Kind::Hash {
                self.directive(raw);
                continue;
            }
            self.line = (raw.token.span.file, raw.line);
            return Some(raw.token);
        }
    }

    /// Ends the file on top.
    fn close(&mut self) {
        let Some(reader) = self.readers.pop() else { return };
        while self.conditions.len() > reader.conditions {
            if let Some(open) = self.conditions.pop() {
                self.error("unterminated-condition", open.place, "this `#if` has no `#endif`");
            }
        }
    }

    /// The rest of the directive's logical line, taken.
    fn rest_of_line(&mut self) -> Vec<Token> {
        let mut rest = Vec::new();
        if let Some(reader) = self.readers.last_mut() {
            while let Some(raw) = reader.tokens.get(reader.at)
                && !raw.first
            {
                rest.push(raw.token);
                reader.at += 1;
            }
        }
        rest
    }
}

/// The token kind of a raw token that is no punctuator.
fn kind_of(kind: RawKind, symbol: Symbol) -> Kind {
    match kind {
        RawKind::Word => match Keyword::from_symbol(symbol) {
            Some(keyword) => Kind::Keyword(keyword),
            None => Kind::Ident,
        },
        RawKind::Number => Kind::Number,
        RawKind::Char => Kind::Char,
        RawKind::Str => Kind::Str,
        RawKind::Unterminated => Kind::Unterminated,
        RawKind::Punct(kind) => kind,
        RawKind::Other | RawKind::Comment | RawKind::UnterminatedComment => Kind::Other,
    }
}
