//! What names mean, for navigation: definitions, their scopes, and where they are used.
//!
//! This is name resolution for an editor: it never reports, it accepts half-written models, and
//! where a name is unknown it says nothing. The meaning of a model is resolved elsewhere.

mod uses;
mod walk;

use crate::{ParseOptions, ast, parser, preprocessor};
use promenade_base::arrange::Arrange;
use promenade_base::{Checked, FileId, SourceMap, Span};
use std::rc::Rc;

/// What a definition defines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum SymbolKind {
    /// A variable of a process or block.
    Local,
    /// A parameter of a process type.
    Parameter,
    /// A label.
    Label,
    /// A global variable.
    Global,
    /// A name in an mtype list.
    MtypeName,
    /// An mtype set (`mtype:set`).
    MtypeSet,
    /// A process type.
    Proctype,
    /// An inline.
    Inline,
    /// A parameter of an inline.
    InlineParameter,
    /// A macro.
    Macro,
    /// A typedef.
    Typedef,
    /// A field of a typedef.
    Field,
    /// A never claim or trace assertion.
    Claim,
    /// An `ltl` formula.
    Formula,
}

/// A definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The name.
    pub name: Rc<str>,
    /// What it is.
    pub kind: SymbolKind,
    /// The name where it is defined.
    pub span: Span,
    /// Where the name can be used; none for the whole model.
    pub scope: Option<Span>,
    /// The definition in short: `byte x[3]`.
    pub detail: String,
    /// The definition it belongs to: the typedef of a field, the process of a label.
    pub owner: Option<usize>,
    /// The typedef of a structure variable.
    pub structure: Option<Rc<str>>,
}

/// All definitions of a model with their uses.
#[derive(Clone, Default, Debug)]
pub struct Symbols {
    definitions: Vec<Definition>,
    /// Sorted by place.
    uses: Vec<(Span, usize)>,
}

/// Collects the names of a model.
pub fn symbols(sources: &SourceMap, options: &ParseOptions) -> Symbols {
    analyse(sources, options).1
}

/// One reading for both the tree and the names.
pub fn analyse(
    sources: &SourceMap,
    options: &ParseOptions,
) -> (Checked<ast::Specification>, Symbols) {
    let mut preprocessed = preprocessor::preprocess(sources, options);
    let macros = std::mem::take(&mut preprocessed.macros);
    let uses = std::mem::take(&mut preprocessed.uses);
    let macros: Vec<walk::MacroText> = macros
        .into_iter()
        .map(|m| walk::MacroText {
            name: preprocessed.words.shared(m.name),
            place: m.place,
            function: m.function,
        })
        .collect();
    let tree = parser::parse(preprocessed, options);
    let symbols = walk::collect(sources, &tree.value, &macros, &uses);
    (tree, symbols)
}

impl Symbols {
    /// All definitions.
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// The definition under a position, whether it stands on the definition or on a use.
    pub fn at(&self, file: FileId, offset: u32) -> Option<usize> {
        let inside = |s: Span| s.file == file && s.start <= offset && offset <= s.end;
        let mut found = None;
        let from = self.uses.partition_point(|(s, _)| (s.file, s.end) < (file, offset));
        for &(span, index) in
            self.uses[from..].iter().take_while(|(s, _)| s.file == file && s.start <= offset)
        {
            if inside(span) {
                found = Some(index);
                break;
            }
        }
        found.or_else(|| self.definitions.iter().position(|d| inside(d.span)))
    }

    /// The definition under a position.
    pub fn definition_at(&self, file: FileId, offset: u32) -> Option<&Definition> {
        self.at(file, offset).and_then(|i| self.definitions.get(i))
    }

    /// All places of a definition's name, its own first.
    pub fn places(&self, definition: usize) -> Vec<Span> {
        let own = self.definitions.get(definition).map(|d| d.span);
        let uses = self.uses.iter().filter(|(_, i)| *i == definition).map(|(s, _)| *s);
        own.into_iter().chain(uses).collect()
    }

    /// What can be named at a position, inner definitions first.
    pub fn visible_at(&self, file: FileId, offset: u32) -> Vec<&Definition> {
        let mut visible: Vec<&Definition> = self
            .definitions
            .iter()
            .filter(|d| match d.scope {
                None => true,
                Some(scope) => scope.file == file && scope.start <= offset && offset <= scope.end,
            })
            .collect();
        visible.arrange_by_key(|d| d.scope.map_or(u32::MAX, |s| s.end - s.start));
        visible
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "#define LIMIT 3\n\
        mtype = { red, green }\n\
        typedef Pair { byte a; byte b }\n\
        Pair pair; byte count;\n\
        inline add(v, n) { byte tmp; tmp = n; v = v + tmp }\n\
        proctype P(byte id) {\n  byte local_x;\n\
        again: add(local_x, id); count = LIMIT; pair.a = red;\n  { byte inner; inner = local_x }\n  goto again }\n\
        init { run P(1) }\n\
        ltl safe { [] (count < LIMIT && !P@again && P:local_x == 0) }\n";

    fn setup() -> (SourceMap, Symbols) {
        let map = SourceMap::single("m", MODEL);
        let (tree, symbols) = analyse(&map, &ParseOptions::default());
        assert!(!tree.has_errors(), "{:?}", tree.diagnostics);
        (map, symbols)
    }

    /// The definition behind the n-th occurrence of a text.
    fn definition(symbols: &Symbols, text: &str, n: usize) -> Option<(SymbolKind, u32)> {
        let at = MODEL.match_indices(text).nth(n).unwrap().0 as u32;
        symbols.definition_at(FileId(0), at).map(|d| (d.kind, d.span.start))
    }

    fn place(text: &str) -> u32 {
        MODEL.find(text).unwrap() as u32
    }

    #[test]
    fn names_lead_to_their_definitions() {
        let (_, symbols) = setup();
        let check = |text: &str, n: usize, kind: SymbolKind, at: u32| {
            assert_eq!(definition(&symbols, text, n), Some((kind, at)), "{text} {n}");
        };
        check("LIMIT", 1, SymbolKind::Macro, place("LIMIT"));
        check("count", 1, SymbolKind::Global, place("count"));
        check("count", 2, SymbolKind::Global, place("count"));
        check("red", 1, SymbolKind::MtypeName, place("red"));
        check("local_x", 1, SymbolKind::Local, place("local_x"));
        check("local_x", 2, SymbolKind::Local, place("local_x"));
        check("local_x", 3, SymbolKind::Local, place("local_x"));
        check("tmp", 1, SymbolKind::Local, place("tmp"));
        check("add", 1, SymbolKind::Inline, place("add"));
        check("again", 1, SymbolKind::Label, place("again"));
        check("again", 2, SymbolKind::Label, place("again"));
        check("P(1)", 0, SymbolKind::Proctype, place("P(byte"));
        check("P@", 0, SymbolKind::Proctype, place("P(byte"));
        check("id)", 1, SymbolKind::Parameter, place("id)"));
        check("a = red", 0, SymbolKind::Field, place("a; byte"));
        check("Pair pair", 0, SymbolKind::Typedef, place("Pair"));
        check("v = v", 0, SymbolKind::InlineParameter, place("v, n"));
    }

    #[test]
    fn places_and_scopes() {
        let (_, symbols) = setup();
        let count = symbols.at(FileId(0), place("count")).unwrap();
        assert_eq!(symbols.places(count).len(), 3);
        let inside = symbols.visible_at(FileId(0), place("inner = local_x"));
        let names: Vec<&str> = inside.iter().map(|d| &*d.name).collect();
        assert_eq!(names[0], "inner");
        assert!(names.contains(&"local_x") && names.contains(&"count"));
        let outside = symbols.visible_at(FileId(0), place("run P"));
        assert!(!outside.iter().any(|d| &*d.name == "local_x"));
    }

    #[test]
    fn half_written_models_have_names_too() {
        let text = "byte x; proctype P(byte y) { byte z; x = y + \n z = ; if :: x == ";
        let map = SourceMap::single("m", text);
        let symbols = symbols(&map, &ParseOptions::default());
        let visible = symbols.visible_at(FileId(0), text.len() as u32);
        let names: Vec<&str> = visible.iter().map(|d| &*d.name).collect();
        for name in ["x", "y", "z", "P"] {
            assert!(names.contains(&name), "{name} in {names:?}");
        }
    }
}
