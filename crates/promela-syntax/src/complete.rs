//! Completion: what can be written at a place, from the words in front of it and the names in scope.

use crate::ParseOptions;
use crate::scan::{Raw, RawKind, Scanner};
use crate::symbols::{Definition, SymbolKind, Symbols, symbols};
use crate::token::{Keyword, Kind};
use promenade_base::arrange::Arrange;
use promenade_base::{FileId, SourceMap};
use std::collections::HashSet;
use std::ops::Range;

/// Where a candidate comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CandidateKind {
    /// A word of the language.
    Keyword,
    /// A name of the model.
    Symbol(SymbolKind),
    /// A predefined variable.
    Predefined,
    /// A preprocessor directive.
    Directive,
    /// A file that can be included.
    File,
}

/// One thing that can be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The text to write.
    pub text: String,
    /// Where it comes from.
    pub kind: CandidateKind,
    /// The definition in short, or nothing.
    pub detail: String,
}

/// Candidates for one place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Completions {
    /// The bytes that the candidate replaces: the word in front of the place.
    pub replace: Range<u32>,
    /// The candidates, most fitting first.
    pub candidates: Vec<Candidate>,
}

/// What stands around the place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Top,
    Fields,
    Statement,
    Expression,
    Formula,
    MessageFields,
}

/// Candidates at a byte offset of a file.
pub fn complete(
    sources: &SourceMap,
    options: &ParseOptions,
    file: FileId,
    offset: u32,
) -> Completions {
    let Some(text) = sources.get(file).map(|f| f.text()) else { return Completions::default() };
    let mut at = (offset as usize).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let head = &text[..at];
    let word =
        head.len() - head.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
    let start = at - word;
    let prefix = &head[start..];
    let mut completer = Completer { prefix, candidates: Vec::new(), seen: HashSet::new() };
    let none = Completions { replace: start as u32..at as u32, candidates: Vec::new() };
    if prefix.starts_with(|c: char| c.is_ascii_digit()) {
        return none;
    }
    let raws: Vec<Raw> = Scanner::new(&head[..start], true).collect();
    let tokens: Vec<Raw> = raws.iter().copied().filter(|r| r.kind != RawKind::Comment).collect();
    let view = View { text: head, tokens: &tokens };
    if completer.directive(&view, sources, file) {
        return Completions { replace: start as u32..at as u32, candidates: completer.candidates };
    }
    let inside = raws.last().is_some_and(|r| {
        let open_line = r.kind == RawKind::Comment
            && head[r.start..].starts_with("//")
            && !head[r.end..start].contains('\n');
        let open = matches!(r.kind, RawKind::UnterminatedComment | RawKind::Unterminated)
            && !head[r.end..start].contains('\n');
        open_line || open
    });
    if inside {
        return none;
    }
    let names = symbols(sources, options);
    completer.names(&view, &names, file, start as u32);
    Completions { replace: start as u32..at as u32, candidates: completer.candidates }
}

/// The tokens in front of the place.
struct View<'a> {
    text: &'a str,
    tokens: &'a [Raw],
}

impl View<'_> {
    /// The n-th token from the end.
    fn back(&self, n: usize) -> &str {
        let index = self.tokens.len().checked_sub(n + 1);
        index.and_then(|i| self.tokens.get(i)).map_or("", |r| &self.text[r.start..r.end])
    }

    /// What stands around the place, and whether a statement can start there.
    fn place(&self) -> Place {
        let mut open: Vec<&str> = Vec::new();
        let mut unit = "";
        for (i, raw) in self.tokens.iter().enumerate() {
            let word = &self.text[raw.start..raw.end];
            match raw.kind {
                RawKind::Word if open.is_empty() => match word {
                    "proctype" | "D_proctype" | "init" | "never" | "trace" | "notrace"
                    | "inline" => unit = "body",
                    "ltl" => unit = "ltl",
                    "typedef" => unit = "typedef",
                    "mtype" => unit = "mtype",
                    _ => {}
                },
                // A unit that starts inside braces: a brace is missing.
                RawKind::Word
                    if matches!(word, "proctype" | "init" | "never" | "ltl") && raw.first =>
                {
                    open.clear();
                    unit = if word == "ltl" { "ltl" } else { "body" };
                }
                RawKind::Punct(Kind::LBrace) => {
                    let before = i.checked_sub(1).and_then(|j| self.tokens.get(j));
                    let of = before.is_some_and(|b| &self.text[b.start..b.end] == "of");
                    open.push(if of { "of" } else { "{" });
                }
                RawKind::Punct(Kind::LParen) => open.push("("),
                RawKind::Punct(Kind::LBracket) => open.push("["),
                RawKind::Punct(Kind::RBrace | Kind::RParen | Kind::RBracket) => {
                    open.pop();
                    if open.is_empty() && word == "}" {
                        unit = "";
                    }
                }
                _ => {}
            }
        }
        match (open.last().copied(), unit) {
            (Some("of"), _) => Place::MessageFields,
            (None, _) => Place::Top,
            (Some("("), "body") if open.len() == 1 => Place::Fields,
            (_, "ltl") => Place::Formula,
            (Some("{"), "typedef") => Place::Fields,
            (Some("{"), "body") if self.starts_statement() => Place::Statement,
            _ => Place::Expression,
        }
    }

    fn starts_statement(&self) -> bool {
        matches!(
            self.back(0),
            "{" | "}" | ";" | "->" | "::" | ":" | "fi" | "od" | "else" | "unless" | ""
        ) || self.line_break()
    }

    /// Whether a line ends between the last token, which could end a statement, and the place.
    fn line_break(&self) -> bool {
        let Some(last) = self.tokens.last() else { return true };
        let ends = match last.kind {
            RawKind::Word | RawKind::Number | RawKind::Char => true,
            RawKind::Punct(kind) => {
                matches!(kind, Kind::RParen | Kind::RBracket | Kind::Increment | Kind::Decrement)
            }
            _ => false,
        };
        ends && self.text[last.end..].contains('\n')
    }

    /// The names of a reference that ends in front of the dot: `a.b[i].` gives `a`, `b`.
    fn path(&self) -> Vec<&str> {
        let mut path = Vec::new();
        let mut at = self.tokens.len().saturating_sub(1);
        // At a dot; the token in front is a name or a bracket.
        while let Some(mut i) = at.checked_sub(1) {
            let slice = |i: usize| &self.text[self.tokens[i].start..self.tokens[i].end];
            if slice(i) == "]" {
                let mut depth = 0usize;
                loop {
                    match slice(i) {
                        "]" => depth += 1,
                        "[" => depth -= 1,
                        _ => {}
                    }
                    let Some(next) = i.checked_sub(1) else { return path };
                    i = next;
                    if depth == 0 {
                        break;
                    }
                }
            }
            if self.tokens[i].kind != RawKind::Word {
                break;
            }
            path.insert(0, slice(i));
            match i.checked_sub(1) {
                Some(dot) if slice(dot) == "." => at = dot,
                _ => break,
            }
        }
        path
    }
}

struct Completer<'a> {
    prefix: &'a str,
    candidates: Vec<Candidate>,
    seen: HashSet<String>,
}

impl Completer<'_> {
    fn offer(&mut self, text: &str, kind: CandidateKind, detail: &str) {
        let fits = text.len() >= self.prefix.len()
            && text.as_bytes()[..self.prefix.len()].eq_ignore_ascii_case(self.prefix.as_bytes());
        if fits && self.seen.insert(text.to_string()) {
            self.candidates.push(Candidate {
                text: text.to_string(),
                kind,
                detail: detail.to_string(),
            });
        }
    }

    fn keywords(&mut self, words: &[Keyword]) {
        for word in words {
            self.offer(word.text(), CandidateKind::Keyword, "");
        }
    }

    fn definitions<'d>(
        &mut self,
        definitions: impl IntoIterator<Item = &'d Definition>,
        wanted: impl Fn(&Definition) -> bool,
    ) {
        let mut fitting: Vec<&Definition> = definitions.into_iter().filter(|d| wanted(d)).collect();
        fitting.arrange_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
        for definition in fitting {
            let kind = CandidateKind::Symbol(definition.kind);
            self.offer(&definition.name, kind, &definition.detail);
        }
    }

    /// Candidates of a preprocessor line; whether the place is in one.
    fn directive(&mut self, view: &View, sources: &SourceMap, file: FileId) -> bool {
        let Some(first) = view.tokens.iter().rposition(|r| r.first) else { return false };
        let Some(hash) = view.tokens.get(first) else { return false };
        let line = &view.text[hash.start..];
        if hash.kind != RawKind::Punct(Kind::Hash) || line.contains('\n') {
            return false;
        }
        match view.tokens.len() - first {
            1 => {
                for word in [
                    "define", "undef", "include", "if", "ifdef", "ifndef", "elif", "else", "endif",
                    "error", "warning",
                ] {
                    self.offer(word, CandidateKind::Directive, "");
                }
                true
            }
            _ if line.trim_start_matches(['#', ' ']).starts_with("include") => {
                for (id, other) in sources.files() {
                    if id != file {
                        self.offer(other.name(), CandidateKind::File, "");
                    }
                }
                true
            }
            _ => false,
        }
    }

    fn names(&mut self, view: &View, names: &Symbols, file: FileId, offset: u32) {
        use SymbolKind::*;
        let visible = names.visible_at(file, offset);
        let all = names.definitions();
        let kind_is = |kind: SymbolKind| move |d: &Definition| d.kind == kind;
        match view.back(0) {
            "." => return self.fields(view, names, &visible),
            "goto" => return self.definitions(visible, kind_is(Label)),
            "run" => return self.definitions(all, kind_is(Proctype)),
            "@" => return self.definitions(all, kind_is(Label)),
            "typedef" | "proctype" | "D_proctype" | "inline" | "ltl" | "never" => return,
            "active" => return self.keywords(&[Keyword::Proctype]),
            ":" if view.back(1) == "mtype" => return self.definitions(all, kind_is(MtypeSet)),
            _ => {}
        }
        let values = |d: &Definition| {
            matches!(d.kind, Local | Parameter | Global | MtypeName | Macro | InlineParameter)
        };
        match view.place() {
            Place::Top => {
                self.keywords(TOP);
                self.keywords(TYPES);
                self.definitions(all, |d| matches!(d.kind, Typedef | Macro));
            }
            Place::Fields => {
                self.keywords(TYPES);
                self.definitions(all, |d| matches!(d.kind, Typedef | Macro));
                self.definitions(visible, values);
            }
            Place::MessageFields => {
                self.keywords(TYPES);
                self.definitions(all, |d| matches!(d.kind, Typedef | Macro));
            }
            Place::Statement => {
                self.definitions(visible.iter().copied(), values);
                self.definitions(all, |d| matches!(d.kind, Inline | Typedef));
                self.keywords(STATEMENT);
                self.keywords(TYPES);
                self.keywords(EXPRESSION);
                self.predefined();
            }
            Place::Expression => {
                self.definitions(visible.iter().copied(), values);
                self.definitions(all, |d| matches!(d.kind, Inline | Proctype));
                self.keywords(EXPRESSION);
                self.predefined();
            }
            Place::Formula => {
                self.definitions(visible, values);
                self.definitions(all, |d| d.kind == Proctype);
                for word in [
                    "always",
                    "eventually",
                    "until",
                    "weakuntil",
                    "release",
                    "next",
                    "implies",
                    "equivalent",
                ] {
                    self.offer(word, CandidateKind::Keyword, "");
                }
                self.keywords(&[Keyword::Len, Keyword::True, Keyword::False]);
                self.predefined();
            }
        }
    }

    fn predefined(&mut self) {
        for (name, detail) in [
            ("_pid", "number of this process"),
            ("_nr_pr", "number of processes"),
            ("_last", "process that moved last"),
            ("_priority", "priority of this process"),
        ] {
            self.offer(name, CandidateKind::Predefined, detail);
        }
    }

    /// Fields behind a dot; all fields where the structure is unknown.
    fn fields(&mut self, view: &View, names: &Symbols, visible: &[&Definition]) {
        let all = names.definitions();
        let mut owner: Option<usize> = None;
        for (i, name) in view.path().iter().enumerate() {
            let found = if i == 0 {
                visible.iter().copied().find(|d| &*d.name == *name && d.structure.is_some())
            } else {
                all.iter().find(|d| d.owner == owner && owner.is_some() && &*d.name == *name)
            };
            let structure = found.and_then(|d| d.structure.as_ref());
            owner = structure.and_then(|s| {
                all.iter().position(|d| d.kind == SymbolKind::Typedef && d.name == *s)
            });
        }
        let is_field = |d: &Definition| d.kind == SymbolKind::Field;
        self.definitions(all, |d| is_field(d) && (owner.is_none() || d.owner == owner));
    }
}

const TYPES: &[Keyword] = &[
    Keyword::Byte,
    Keyword::Bool,
    Keyword::Bit,
    Keyword::Short,
    Keyword::Int,
    Keyword::Unsigned,
    Keyword::Chan,
    Keyword::Mtype,
    Keyword::Pid,
];

const TOP: &[Keyword] = &[
    Keyword::Active,
    Keyword::Proctype,
    Keyword::Init,
    Keyword::Inline,
    Keyword::Typedef,
    Keyword::Ltl,
    Keyword::Never,
    Keyword::Trace,
    Keyword::Notrace,
    Keyword::DProctype,
    Keyword::Hidden,
    Keyword::Show,
    Keyword::Local,
];

const STATEMENT: &[Keyword] = &[
    Keyword::If,
    Keyword::Do,
    Keyword::For,
    Keyword::Select,
    Keyword::Atomic,
    Keyword::DStep,
    Keyword::Assert,
    Keyword::Goto,
    Keyword::Break,
    Keyword::Else,
    Keyword::Skip,
    Keyword::Printf,
    Keyword::Printm,
    Keyword::Unless,
    Keyword::Return,
    Keyword::Xr,
    Keyword::Xs,
    Keyword::SetPriority,
];

const EXPRESSION: &[Keyword] = &[
    Keyword::Run,
    Keyword::Len,
    Keyword::Full,
    Keyword::Empty,
    Keyword::Nfull,
    Keyword::Nempty,
    Keyword::Timeout,
    Keyword::True,
    Keyword::False,
    Keyword::Eval,
    Keyword::Enabled,
    Keyword::PcValue,
    Keyword::GetPriority,
    Keyword::Np,
    Keyword::Priority,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Candidates at the `|` of a text.
    fn at(text: &str) -> Vec<String> {
        let offset = text.find('|').unwrap();
        let mut map = SourceMap::single("m", text.replacen('|', "", 1));
        map.add("lib.h", "");
        let found = complete(&map, &ParseOptions::default(), FileId(0), offset as u32);
        found.candidates.into_iter().map(|c| c.text).collect()
    }

    fn has(text: &str, wanted: &[&str], unwanted: &[&str]) {
        let found = at(text);
        for word in wanted {
            assert!(found.iter().any(|f| f == word), "{word} missing in {found:?} for {text}");
        }
        for word in unwanted {
            assert!(!found.iter().any(|f| f == word), "{word} in {found:?} for {text}");
        }
    }

    #[test]
    fn words_by_place() {
        has("pro|", &["proctype"], &["printf"]);
        has("init { pri| }", &["printf", "printm"], &["proctype"]);
        has("byte xyz; init { x = xy| }", &["xyz"], &[]);
        has("typedef T { by| }", &["byte"], &[]);
        has("chan q = [1] of { by| }", &["byte"], &[]);
        has("byte x; ltl p { al| }", &["always"], &[]);
        has("byte x; proctype P() { byte y; skip } init { | }", &["x", "if"], &["y"]);
        has("#inc|", &["include"], &[]);
        has("#include \"|", &["lib.h"], &[]);
        has("init { // if|", &[], &["if"]);
        has("init { printf(\"if|", &[], &["if"]);
    }

    #[test]
    fn names_by_context() {
        let model = "typedef T { byte aa; byte ab } typedef U { T t[2] } U u; mtype:set = { m1 }\n";
        has(&format!("{model} init {{ u.| }}"), &["t"], &["aa"]);
        has(&format!("{model} init {{ u.t[1].a| }}"), &["aa", "ab"], &["t"]);
        has(&format!("{model} proctype P() {{ L1: skip; goto | }}"), &["L1"], &["u"]);
        has(&format!("{model} proctype P() {{ skip }} init {{ run | }}"), &["P"], &["u"]);
        has(&format!("{model} mtype:| "), &["set"], &["u"]);
        has(
            &format!("{model} proctype P(byte q) {{ byte z\n z = 1\n | }}"),
            &["q", "z", "do"],
            &[],
        );
    }

    #[test]
    fn replaces_the_word_in_front() {
        let map = SourceMap::single("m", "init { asse }");
        let found = complete(&map, &ParseOptions::default(), FileId(0), 11);
        assert_eq!(found.replace, 7..11);
        assert_eq!(found.candidates[0].text, "assert");
    }
}
