//! Directives: definitions, inclusion, conditions, messages.

use super::{
    BodyToken, CONDITION_DEPTH, Condition, INCLUDE_DEPTH, Macro, MacroRecord, OPTIONS,
    Preprocessor, RawToken,
};
use crate::token::{Kind, Symbol, Token};
use promenade_base::{Diagnostic, FileId, Span};
use std::collections::HashSet;
use std::rc::Rc;

impl Preprocessor<'_> {
    /// Carries out the directive behind `#`.
    pub(super) fn directive(&mut self, hash: RawToken) {
        let line = self.rest_of_line();
        let Some((&name, rest)) = line.split_first() else { return };
        let place = hash.token.span.to(name.span);
        match self.words.text(name.text) {
            _ if name.kind == Kind::Number => {}
            "define" => self.define(rest, place),
            "undef" => {
                if let Some(name) = self.name_of(rest, place) {
                    self.macros.remove(&name.text);
                }
            }
            "include" => self.include(rest.to_vec(), place),
            "if" => {
                let value = self.condition(rest.to_vec(), place);
                self.open_condition(place, value);
            }
            "ifdef" => {
                let name = self.name_of(rest, place);
                let value = name.is_some_and(|n| self.is_defined(n.text));
                self.open_condition(place, value);
            }
            "ifndef" => {
                let name = self.name_of(rest, place);
                let value = name.is_some_and(|n| !self.is_defined(n.text));
                self.open_condition(place, value);
            }
            "elif" | "else" => {
                // Met at the end of a branch that was taken.
                let last = self.words.text(name.text) == "else";
                if self.continue_condition(place, last) {
                    self.skip_branch();
                }
            }
            "endif" => self.close_condition(place),
            "error" => {
                let text = self.words.join(rest);
                let span = rest.first().zip(rest.last()).map_or(place, |(a, b)| a.span.to(b.span));
                self.error("error-directive", span, format!("#error {text}"));
            }
            "warning" => {
                let text = self.words.join(rest);
                let span = rest.first().zip(rest.last()).map_or(place, |(a, b)| a.span.to(b.span));
                self.report(Diagnostic::warning(
                    "warning-directive",
                    span,
                    format!("#warning {text}"),
                ));
            }
            "line" => {
                let tokens = self.expand_list(rest.to_vec(), place);
                if tokens.first().map(|t| t.kind) != Some(Kind::Number) {
                    self.error("bad-directive", place, "expected a line number behind `#line`");
                }
            }
            "pragma" | "ident" => {}
            other => {
                let other = other.to_string();
                self.report(
                    Diagnostic::error(
                        "bad-directive",
                        place,
                        format!("unknown preprocessor directive `#{other}`"),
                    )
                    .with_hint("Directives are define, undef, include, if, ifdef, ifndef, elif, else, endif, error, warning and line."),
                );
            }
        }
    }

    /// The single name a directive wants.
    fn name_of(&mut self, rest: &[Token], place: Span) -> Option<Token> {
        match rest.first() {
            Some(name) if matches!(name.kind, Kind::Ident | Kind::Keyword(_)) => {
                if let Some(more) = rest.get(1) {
                    self.report(Diagnostic::warning(
                        "bad-directive",
                        more.span,
                        "text behind the name is ignored",
                    ));
                }
                Some(*name)
            }
            other => {
                let span = other.map_or(place, |t| t.span);
                self.error("bad-directive", span, "expected the name of a macro");
                None
            }
        }
    }

    /// A definition from outside.
    pub(super) fn define_option(&mut self, name: &str, value: Option<&str>) {
        let span = OPTIONS;
        let tokens = self.scan_text(&format!("{name} {}", value.unwrap_or("1")), span);
        match tokens.first() {
            Some(first) if matches!(first.kind, Kind::Ident | Kind::Keyword(_)) => {
                self.define_tokens(&tokens, span, None);
            }
            _ => self.error("bad-definition", span, format!("`{name}` is not a name for a macro")),
        }
    }

    fn define(&mut self, rest: &[Token], place: Span) {
        if self.name_of(rest.get(..1).unwrap_or(&[]), place).is_some() {
            self.define_tokens(rest, place, Some(()));
        }
    }

    /// `name body` or `name(parameters) body`.
    fn define_tokens(&mut self, tokens: &[Token], place: Span, in_text: Option<()>) {
        let Some((name, mut rest)) = tokens.split_first() else { return };
        if self.words.text(name.text) == "defined" {
            self.error("bad-directive", name.span, "`defined` cannot be the name of a macro");
            return;
        }
        let (mut parameters, mut variadic) = (None, false);
        if let Some(open) = rest.first()
            && open.kind == Kind::LParen
            && !open.space
        {
            match self.parameters(rest, open.span) {
                Some((names, is_variadic, used)) => {
                    parameters = Some(names);
                    variadic = is_variadic;
                    rest = rest.get(used..).unwrap_or(&[]);
                }
                None => return,
            }
        }
        if in_text.is_some()
            && let [first, _, ..] = rest
            && first.kind == Kind::Assign
            && parameters.is_none()
        {
            let text = self.words.text(name.text).to_string();
            self.report(
                Diagnostic::warning(
                    "macro-with-sign",
                    first.span,
                    format!("the `=` becomes part of the macro `{text}`"),
                )
                .with_hint(format!("Write the value only: `#define {text} ..`.")),
            );
        }
        let Some(body) = self.body(rest, parameters.as_deref(), place) else { return };
        let record = self.out.macros.len();
        let own_place = in_text.map(|()| name.span);
        self.out.macros.push(MacroRecord {
            name: name.text,
            place: own_place,
            function: parameters.is_some(),
        });
        let new = Macro { record, place: own_place, parameters, variadic, body };
        let old = self.macros.insert(name.text, Rc::new(new));
        let new = self.macros.get(&name.text).cloned();
        if let (Some(old), Some(new)) = (old, new)
            && !self.same(&old, &new)
        {
            let diagnostic = self.redefined(name, &old, &new);
            self.report(diagnostic);
        }
    }

    /// A macro is defined again with another text.
    fn redefined(&self, name: &Token, old: &Macro, new: &Macro) -> Diagnostic {
        let text = self.words.text(name.text);
        let value = |of: &Macro| {
            let words: Vec<&str> =
                of.body.iter().map(|it| self.words.spelling(&it.token)).collect();
            words.join(" ")
        };
        let code = "macro-redefined";
        match (old.place, new.place) {
            (None, None) => {
                let last = value(new);
                let message = format!(
                    "macro `{text}` is given twice in the options: the last counts, `{last}`"
                );
                Diagnostic::warning(code, OPTIONS, message)
            }
            (None, Some(_)) => {
                let (given, own) = (value(old), value(new));
                let message = format!(
                    "the text defines `{text}` as `{own}`, which takes the place of `{given}` from the \
                     options"
                );
                let hint = format!(
                    "To let the options choose, put the definition between `#ifndef {text}` and \
                     `#endif`."
                );
                Diagnostic::warning(code, name.span, message).with_hint(hint)
            }
            (Some(first), _) => {
                let message = format!("macro `{text}` is defined again with another text");
                Diagnostic::warning(code, name.span, message)
                    .with_related(first, "first defined here")
            }
        }
    }

    /// Whether a macro is defined, for a condition of the text.
    pub(super) fn is_defined(&mut self, name: Symbol) -> bool {
        self.asked.insert(name);
        self.macros.contains_key(&name)
    }

    /// Says which definitions of the options had no effect.
    pub(super) fn unused_options(&mut self) {
        let used: HashSet<usize> = self.out.uses.iter().map(|(_, record)| *record).collect();
        // A definition in the text takes its place, which is said there.
        let known: HashSet<Symbol> = (self.out.macros.iter().enumerate())
            .filter(|(at, record)| record.place.is_some() || used.contains(at))
            .map(|(_, record)| record.name)
            .collect();
        let mut unused: Vec<Symbol> = Vec::new();
        for name in self.out.macros.iter().filter(|it| it.place.is_none()).map(|it| it.name) {
            if !known.contains(&name) && !self.asked.contains(&name) && !unused.contains(&name) {
                unused.push(name);
            }
        }
        for name in unused {
            let text = self.words.text(name);
            let message = format!("macro `{text}` of the options is not used in the text");
            self.report(Diagnostic::note("macro-unused", OPTIONS, message));
        }
    }

    /// Whether two definitions say the same.
    fn same(&self, a: &Macro, b: &Macro) -> bool {
        a.parameters == b.parameters
            && a.body.len() == b.body.len()
            && a.body.iter().zip(&b.body).enumerate().all(|(i, (x, y))| {
                self.words.spelling(&x.token) == self.words.spelling(&y.token)
                    && x.stringify == y.stringify
                    && x.paste == y.paste
                    && (i == 0 || x.token.space == y.token.space)
            })
    }

    /// `(a, b, ...)`: the names, whether variadic, how many tokens.
    fn parameters(&mut self, tokens: &[Token], open: Span) -> Option<(Vec<Symbol>, bool, usize)> {
        let mut names: Vec<Symbol> = Vec::new();
        let mut at = 1;
        if tokens.get(at).map(|t| t.kind) == Some(Kind::RParen) {
            return Some((names, false, 2));
        }
        loop {
            let token = tokens.get(at).copied();
            let dots = |at: usize| {
                tokens.get(at).map(|t| t.kind) == Some(Kind::DotDot)
                    && tokens.get(at + 1).map(|t| t.kind) == Some(Kind::Dot)
            };
            let mut variadic = false;
            match token {
                Some(name) if matches!(name.kind, Kind::Ident | Kind::Keyword(_)) => {
                    if names.contains(&name.text) {
                        self.error("bad-directive", name.span, "this parameter stands here twice");
                        return None;
                    }
                    names.push(name.text);
                    at += 1;
                    if dots(at) {
                        variadic = true;
                        at += 2;
                    }
                }
                Some(_) if dots(at) => {
                    names.push(self.words.intern("__VA_ARGS__"));
                    variadic = true;
                    at += 2;
                }
                other => {
                    let span = other.map_or(open, |t| t.span);
                    self.error("bad-directive", span, "expected a parameter of the macro");
                    return None;
                }
            }
            match tokens.get(at).map(|t| t.kind) {
                Some(Kind::RParen) => return Some((names, variadic, at + 1)),
                Some(Kind::Comma) if !variadic => at += 1,
                _ => {
                    let span = tokens.get(at).map_or(open, |t| t.span);
                    self.error(
                        "bad-directive",
                        span,
                        "expected `,` or `)` in the parameters of the macro",
                    );
                    return None;
                }
            }
        }
    }

    /// The body with its operators resolved.
    fn body(
        &mut self,
        tokens: &[Token],
        parameters: Option<&[Symbol]>,
        place: Span,
    ) -> Option<Vec<BodyToken>> {
        let index = |token: &Token| {
            parameters
                .filter(|_| matches!(token.kind, Kind::Ident | Kind::Keyword(_)))
                .and_then(|p| p.iter().position(|&s| s == token.text))
                .map(|i| i as u16)
        };
        let mut body: Vec<BodyToken> = Vec::new();
        let mut stringify = None;
        for token in tokens {
            if token.kind == Kind::HashHash {
                match body.last_mut() {
                    Some(last) if stringify.is_none() => last.paste = true,
                    _ => {
                        self.error("bad-directive", token.span, "`##` needs a token on both sides");
                        return None;
                    }
                }
                continue;
            }
            if token.kind == Kind::Hash && parameters.is_some() && stringify.is_none() {
                stringify = Some(*token);
                continue;
            }
            let parameter = index(token);
            if let Some(hash) = stringify.take() {
                if parameter.is_none() {
                    self.error("bad-directive", hash.span, "`#` needs a parameter of the macro");
                    return None;
                }
                let token = Token { space: hash.space, ..*token };
                body.push(BodyToken { token, parameter, stringify: true, paste: false });
            } else {
                body.push(BodyToken { token: *token, parameter, stringify: false, paste: false });
            }
        }
        if stringify.is_some() || body.last().is_some_and(|b| b.paste) {
            self.error("bad-directive", place, "the text of this macro ends in an operator");
            return None;
        }
        Some(body)
    }

    /// `#include "name"`.
    fn include(&mut self, mut rest: Vec<Token>, place: Span) {
        if !matches!(rest.first().map(|t| t.kind), Some(Kind::Str | Kind::Less)) {
            rest = self.expand_list(rest, place);
        }
        let name = match rest.first() {
            Some(first) if first.kind == Kind::Str => {
                self.words.text(first.text).trim_matches('"').to_string()
            }
            Some(first) if first.kind == Kind::Less => {
                let inner: Vec<Token> =
                    rest[1..].iter().take_while(|t| t.kind != Kind::Greater).copied().collect();
                self.words.join(&inner)
            }
            other => {
                let span = other.map_or(place, |t| t.span);
                self.error("bad-directive", span, "expected a file name in quotes");
                return;
            }
        };
        let span = rest.first().map_or(place, |t| t.span);
        let Some(file) = self.find(&name) else {
            let others: Vec<String> = self
                .sources
                .files()
                .filter(|(id, _)| *id != self.sources.main())
                .map(|(_, f)| format!("`{}`", f.name()))
                .collect();
            let hint = if others.is_empty() {
                "There are no other files; add one with this name.".to_string()
            } else {
                format!("Files that can be included: {}.", others.join(", "))
            };
            let message = format!("there is no file `{name}` to include");
            self.report(Diagnostic::error("missing-include", span, message).with_hint(hint));
            return;
        };
        if self.readers.len() >= INCLUDE_DEPTH {
            self.report(
                Diagnostic::error("include-depth", span, "files include each other too deeply")
                    .with_hint("Does the file include itself?"),
            );
            return;
        }
        self.spend(1, span);
        self.open(file);
    }

    /// A file by the name in the directive: as written, or beside the file that includes it.
    fn find(&self, name: &str) -> Option<FileId> {
        let plain = name.strip_prefix("./").unwrap_or(name);
        if let Some(reader) = self.readers.last()
            && let Some(includer) = self.sources.get(reader.file)
            && let Some((folder, _)) = includer.name().rsplit_once('/')
            && let Some(found) = self.sources.find(&format!("{folder}/{plain}"))
        {
            return Some(found);
        }
        self.sources.find(name).or_else(|| self.sources.find(plain))
    }

    fn open_condition(&mut self, place: Span, value: bool) {
        if self.conditions.len() >= CONDITION_DEPTH {
            self.cut(place, "conditions are nested too deeply");
            return;
        }
        self.conditions.push(Condition { place, taken: value, last: false });
        if !value {
            self.skip_branch();
        }
    }

    /// Checks an `#elif` or `#else` and notes it; whether its branch belongs to an open condition.
    fn continue_condition(&mut self, place: Span, last: bool) -> bool {
        let floor = self.readers.last().map_or(0, |r| r.conditions);
        if self.conditions.len() <= floor {
            self.error("bad-directive", place, "there is no `#if` for this");
            return false;
        }
        let mut late = false;
        if let Some(open) = self.conditions.last_mut() {
            late = open.last;
            open.last |= last;
        }
        if late {
            self.error("bad-directive", place, "this stands behind the `#else` of its condition");
        }
        true
    }

    fn close_condition(&mut self, place: Span) {
        let floor = self.readers.last().map_or(0, |r| r.conditions);
        if self.conditions.len() > floor {
            self.conditions.pop();
        } else {
            self.error("bad-directive", place, "there is no `#if` for this `#endif`");
        }
    }

    /// Skips to the next branch that is taken, or behind the `#endif`.
    fn skip_branch(&mut self) {
        let mut nested = 0usize;
        loop {
            let Some(reader) = self.readers.last_mut() else { return };
            let Some(&raw) = reader.tokens.get(reader.at) else { return };
            reader.at += 1;
            if !raw.first || raw.token.kind != Kind::Hash {
                continue;
            }
            let line = self.rest_of_line();
            let Some((&name, rest)) = line.split_first() else { continue };
            let place = raw.token.span.to(name.span);
            match self.words.text(name.text) {
                "if" | "ifdef" | "ifndef" => nested += 1,
                "endif" if nested > 0 => nested -= 1,
                "endif" => {
                    self.close_condition(place);
                    return;
                }
                word @ ("elif" | "else") if nested == 0 => {
                    let last = word == "else";
                    if !self.continue_condition(place, last) {
                        return;
                    }
                    if self.conditions.last().is_some_and(|c| c.taken) {
                        continue;
                    }
                    if last || self.condition(rest.to_vec(), place) {
                        if let Some(open) = self.conditions.last_mut() {
                            open.taken = true;
                        }
                        return;
                    }
                }
                _ => {}
            }
        }
    }
}
