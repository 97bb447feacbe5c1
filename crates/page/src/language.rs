//! What the page asks the front end by itself, without the worker: completion, definitions, layout.

use promenade_base::{FileId, SourceMap, Span};
use promenade_promela_syntax::complete::{self, Completions};
use promenade_promela_syntax::{ParseOptions, format, symbols};
use promenade_protocol::{Define, File};

/// A name under the cursor.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// Where it is defined.
    pub defined: Span,
    /// Where it was found.
    pub used: Span,
    /// The definition in short.
    pub detail: String,
}

fn setup(files: &[File], defines: &[Define]) -> (SourceMap, ParseOptions) {
    let mut map = SourceMap::default();
    for file in files {
        map.add(file.name.as_str(), file.text.as_str());
    }
    let defines = defines.iter().map(|d| (d.name.clone(), d.value.clone())).collect();
    (map, ParseOptions { defines, ..ParseOptions::default() })
}

/// What can be written at a byte offset.
pub fn complete(files: &[File], defines: &[Define], file: usize, offset: usize) -> Completions {
    let (map, options) = setup(files, defines);
    complete::complete(&map, &options, FileId(file as u16), offset as u32)
}

/// What can be written at a byte offset of a formula over the variables of a model, and the bytes of
/// the formula that it replaces.
pub fn complete_formula(
    files: &[File],
    defines: &[Define],
    formula: &str,
    offset: usize,
) -> Completions {
    // As if it stood in a block at the end of the main file.
    let Some(main) = files.first() else { return Completions::default() };
    let mut at = offset.min(formula.len());
    while !formula.is_char_boundary(at) {
        at -= 1;
    }
    let head = format!("{}\nltl formula_of_the_page {{ ", main.text);
    let begins = head.len();
    let mut files = files.to_vec();
    files[0].text = head + &formula[..at];
    let offset = files[0].text.len();
    let found = complete(&files, defines, 0, offset);
    let shift = |place: u32| place.saturating_sub(begins as u32);
    Completions {
        replace: shift(found.replace.start)..shift(found.replace.end),
        candidates: found.candidates,
    }
}

/// The definition of the name at a byte offset.
pub fn definition(files: &[File], defines: &[Define], file: usize, offset: usize) -> Option<Found> {
    let (map, options) = setup(files, defines);
    let symbols = symbols::symbols(&map, &options);
    let (id, at) = (FileId(file as u16), offset as u32);
    let index = symbols.at(id, at)?;
    let definition = symbols.definitions().get(index)?;
    let inside = |span: &Span| span.file == id && span.start <= at && at <= span.end;
    let used = symbols.places(index).into_iter().find(inside)?;
    Some(Found { defined: definition.span, used, detail: definition.detail.clone() })
}

/// The text with its white space in order.
pub fn formatted(text: &str) -> Option<String> {
    format::format(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_across_files() {
        let file = |name: &str, text: &str| File { name: name.to_owned(), text: text.to_owned() };
        let main = "#include \"lib.h\"\ninit { count++ }\n";
        let files = [file("main.pml", main), file("lib.h", "byte count;\n")];
        let at = main.find("count").unwrap();
        let found = definition(&files, &[], 0, at + 2).unwrap();
        assert_eq!(found.defined, Span::new(FileId(1), 5, 10));
        assert_eq!(found.used, Span::new(FileId(0), at as u32, at as u32 + 5));
        assert!(definition(&files, &[], 0, 0).is_none());
        assert!(definition(&files, &[], 7, 0).is_none());
        let found = complete(&files, &[], 0, at + 2);
        assert!(found.candidates.iter().any(|it| it.text == "count"));
    }

    #[test]
    fn formulas_know_the_model() {
        let text = "byte count; proctype P() { wait: skip }\n".to_owned();
        let files = [File { name: "m.pml".to_owned(), text }];
        let words = |formula: &str| {
            let found = complete_formula(&files, &[], formula, formula.len());
            let words: Vec<String> = found.candidates.into_iter().map(|it| it.text).collect();
            (found.replace, words)
        };
        let (place, found) = words("[] (co");
        assert_eq!(place, 4..6);
        assert!(found.iter().any(|it| it == "count"), "{found:?}");
        assert!(words("alw").1.iter().any(|it| it == "always"));
        assert!(words("<> P@wa").1.iter().any(|it| it == "wait"));
        assert!(complete_formula(&[], &[], "p", 1).candidates.is_empty());
    }
}
