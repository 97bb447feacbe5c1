//! Macro expansion: a stack of token lists, as in the preprocessors of C compilers.
//!
//! A macro is disabled while its own expansion is on the stack; a name met then is painted and
//! never expands again (ISO C 6.10.3.4). Arguments are expanded on their own before they are
//! inserted, except next to `#` and `##`.

use super::{Macro, Preprocessor};
use crate::token::{Interner, Kind, Symbol, Token};
use promenade_base::{Diagnostic, FileId, Span};
use std::rc::Rc;

/// Nesting of macro calls inside arguments of macro calls.
const ARGUMENT_DEPTH: usize = 100;

/// Tokens waiting to be read.
pub(super) struct Context {
    tokens: Vec<Token>,
    at: usize,
    /// The macro they come from.
    owner: Option<Symbol>,
    /// The line to go back to, for a token that was put back.
    line: Option<(FileId, u32)>,
}

/// An argument: as written, and expanded when somebody asked for that.
struct Argument {
    raw: Vec<Token>,
    expanded: Option<Vec<Token>>,
}

impl Preprocessor<'_> {
    /// The next token without expansion; painted if it must not expand.
    fn next_raw(&mut self) -> Option<Token> {
        let mut token = loop {
            if self.contexts.len() <= self.base {
                break if self.argument_depth > 0 { None } else { self.next_of_file() };
            }
            let Some(context) = self.contexts.last_mut() else { break None };
            if let Some(&token) = context.tokens.get(context.at) {
                context.at += 1;
                if let Some(line) = context.line {
                    self.line = line;
                }
                break Some(token);
            }
            self.pop_context();
        }?;
        if is_name(token.kind) && self.disabled.contains(&token.text) {
            token.no_expand = true;
        }
        Some(token)
    }

    fn pop_context(&mut self) {
        if let Some(owner) = self.contexts.pop().and_then(|done| done.owner) {
            self.disabled.remove(&owner);
        }
    }

    /// Puts the token just read back, with its line.
    fn push_back(&mut self, token: Token) {
        let line = Some(self.line);
        self.contexts.push(Context { tokens: vec![token], at: 0, owner: None, line });
    }

    /// The next token with all macros expanded.
    pub(super) fn next_expanded(&mut self) -> Option<Token> {
        loop {
            let token = self.next_raw()?;
            if self.out.cut {
                return None;
            }
            if !is_name(token.kind) || token.no_expand {
                return Some(token);
            }
            if let Some(made) = self.predefined(&token) {
                return Some(made);
            }
            let Some(definition) = self.macros.get(&token.text).cloned() else {
                return Some(token);
            };
            let line = self.line;
            let arguments = match &definition.parameters {
                None => Vec::new(),
                Some(_) => match self.next_raw() {
                    Some(open) if open.kind == Kind::LParen => {
                        match self.arguments(&definition, &token) {
                            Some(arguments) => arguments,
                            None => return Some(token),
                        }
                    }
                    Some(other) => {
                        self.push_back(other);
                        self.line = line;
                        return Some(token);
                    }
                    None => {
                        self.line = line;
                        return Some(token);
                    }
                },
            };
            self.line = line;
            self.out.uses.push((token.span, definition.record));
            let tokens = self.substitute(&definition, &token, arguments);
            self.spend(tokens.len() + 1, token.span);
            self.disabled.insert(token.text);
            self.contexts.push(Context { tokens, at: 0, owner: Some(token.text), line: None });
        }
    }

    /// `__LINE__` and `__FILE__`.
    fn predefined(&mut self, token: &Token) -> Option<Token> {
        let text = match self.words.text(token.text) {
            "__LINE__" => (self.line.1 + 1).to_string(),
            "__FILE__" => {
                let name = self.sources.get(self.line.0).map_or("", |f| f.name());
                format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
            }
            _ => return None,
        };
        let kind = if text.starts_with('"') { Kind::Str } else { Kind::Number };
        Some(Token { kind, text: self.words.intern(&text), ..*token })
    }

    /// Reads the arguments behind the opening parenthesis.
    fn arguments(&mut self, definition: &Macro, name: &Token) -> Option<Vec<Argument>> {
        let parameters = definition.parameters.as_ref().map_or(0, Vec::len);
        let mut arguments = vec![Vec::new()];
        let mut depth = 0usize;
        loop {
            let Some(token) = self.next_raw() else {
                if !self.out.cut {
                    let text = self.words.text(name.text).to_string();
                    self.report(
                        Diagnostic::error(
                            "unterminated-macro-call",
                            name.span,
                            format!("the arguments of macro `{text}` have no closing parenthesis"),
                        )
                        .with_hint("Add `)` behind the last argument."),
                    );
                }
                return None;
            };
            self.spend(1, name.span);
            match token.kind {
                Kind::LParen => depth += 1,
                Kind::RParen if depth == 0 => break,
                Kind::RParen => depth -= 1,
                Kind::Comma
                    if depth == 0 && !(definition.variadic && arguments.len() == parameters) =>
                {
                    arguments.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            if let Some(last) = arguments.last_mut() {
                last.push(token);
            }
        }
        if parameters == 0 && arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        if definition.variadic && arguments.len() + 1 == parameters {
            arguments.push(Vec::new());
        }
        if arguments.len() != parameters {
            let text = self.words.text(name.text).to_string();
            let mut diagnostic = Diagnostic::error(
                "macro-arguments",
                name.span,
                format!("macro `{text}` takes {parameters} arguments, found {}", arguments.len()),
            );
            if let Some(place) = definition.place {
                diagnostic = diagnostic.with_related(place, "defined here");
            }
            self.report(diagnostic);
            arguments.resize_with(parameters, Vec::new);
        }
        Some(arguments.into_iter().map(|raw| Argument { raw, expanded: None }).collect())
    }

    /// A list of tokens with all macros expanded.
    pub(super) fn expand_list(&mut self, tokens: Vec<Token>, span: Span) -> Vec<Token> {
        if self.argument_depth >= ARGUMENT_DEPTH {
            self.cut(span, "macro calls are nested too deeply");
            return Vec::new();
        }
        let (base, line) = (self.base, self.line);
        self.base = self.contexts.len();
        self.argument_depth += 1;
        self.contexts.push(Context { tokens, at: 0, owner: None, line: None });
        let mut expanded = Vec::new();
        while let Some(token) = self.next_expanded() {
            expanded.push(token);
            self.spend(1, span);
            if self.out.cut {
                break;
            }
        }
        while self.contexts.len() > self.base {
            self.pop_context();
        }
        self.argument_depth -= 1;
        (self.base, self.line) = (base, line);
        expanded
    }

    /// The body with arguments in place of parameters.
    fn substitute(
        &mut self,
        definition: &Rc<Macro>,
        name: &Token,
        mut arguments: Vec<Argument>,
    ) -> Vec<Token> {
        let mut out: Vec<Token> = Vec::new();
        let (mut pasting, mut left_empty, mut comma) = (false, false, false);
        for body in &definition.body {
            let own = Token { span: name.span, line_start: false, ..body.token };
            let mut sequence = match body.parameter {
                None => vec![own],
                Some(index) => {
                    let Some(argument) = arguments.get_mut(index as usize) else { continue };
                    if body.stringify {
                        let text = stringify(&self.words, &argument.raw);
                        vec![Token { kind: Kind::Str, text: self.words.intern(&text), ..own }]
                    } else if pasting || body.paste {
                        argument.raw.clone()
                    } else {
                        if argument.expanded.is_none() {
                            let raw = argument.raw.clone();
                            let expanded = self.expand_list(raw, name.span);
                            if let Some(argument) = arguments.get_mut(index as usize) {
                                argument.expanded = Some(expanded);
                            }
                        }
                        arguments
                            .get(index as usize)
                            .and_then(|a| a.expanded.clone())
                            .unwrap_or_default()
                    }
                }
            };
            self.spend(sequence.len(), name.span);
            if self.out.cut {
                return Vec::new();
            }
            if let Some(first) = sequence.first_mut() {
                first.space = body.token.space;
            }
            let empty = sequence.is_empty();
            let rest = body.parameter.map(usize::from)
                == definition.parameters.as_ref().map(|p| p.len().wrapping_sub(1));
            if pasting && comma && definition.variadic && rest {
                // GNU: `, ## __VA_ARGS__` drops the comma when nothing was passed.
                if empty {
                    out.pop();
                }
                out.append(&mut sequence);
            } else if pasting && !left_empty {
                if !empty {
                    let right = sequence.remove(0);
                    if let Some(left) = out.pop() {
                        out.append(&mut self.paste(left, right, name.span));
                    }
                    out.append(&mut sequence);
                }
            } else {
                out.append(&mut sequence);
            }
            left_empty = if pasting { left_empty && empty } else { empty };
            pasting = body.paste;
            comma = body.token.kind == Kind::Comma;
        }
        if let Some(first) = out.first_mut() {
            first.space = name.space;
        }
        out
    }

    /// `left ## right`.
    fn paste(&mut self, left: Token, right: Token, span: Span) -> Vec<Token> {
        let text = format!("{}{}", self.words.spelling(&left), self.words.spelling(&right));
        let place = if left.span == span { right.span } else { left.span };
        let mut made = self.scan_text(&text, place);
        if made.len() != 1 {
            self.error(
                "bad-paste",
                span,
                format!("`##` makes `{text}`, which is not a single token"),
            );
        }
        if let Some(first) = made.first_mut() {
            first.space = left.space;
        }
        made.iter_mut().for_each(|t| t.line_start = false);
        made
    }
}

fn is_name(kind: Kind) -> bool {
    matches!(kind, Kind::Ident | Kind::Keyword(_))
}

/// The text of `#parameter`: blanks kept as one, quotes and backslashes of constants escaped.
fn stringify(words: &Interner, tokens: &[Token]) -> String {
    let mut out = String::from("\"");
    for (i, token) in tokens.iter().enumerate() {
        if i > 0 && (token.space || token.line_start) {
            out.push(' ');
        }
        let quoted = matches!(token.kind, Kind::Str | Kind::Char);
        for c in words.spelling(token).chars() {
            if quoted && matches!(c, '"' | '\\') {
                out.push('\\');
            }
            out.push(c);
        }
    }
    out.push('"');
    out
}
