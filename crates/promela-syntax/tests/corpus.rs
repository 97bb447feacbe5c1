//! Every model of the corpus: accepted or refused as by SPIN.

use promenade_base::{Diagnostic, SourceMap};
use promenade_promela_syntax::format::format;
use promenade_promela_syntax::highlight::tokens;
use promenade_promela_syntax::{ParseOptions, parse};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The corpus, or none with a message.
fn corpus() -> Option<PathBuf> {
    let path = match std::env::var_os("PROMENADE_CORPUS") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"),
    };
    if path.is_dir() {
        return Some(path);
    }
    println!("NO CORPUS: {} is absent, nothing was checked", path.display());
    None
}

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned()
}

/// A model with the other files of its folder that can be included.
fn sources(path: &Path) -> SourceMap {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let text = read(path);
    let mut map = SourceMap::single(name, text.as_str());
    if text.contains("#include") {
        for entry in fs::read_dir(path.parent().unwrap()).unwrap() {
            let other = entry.unwrap().path();
            let name = other.file_name().unwrap().to_string_lossy().into_owned();
            if other != path
                && (name.ends_with(".h")
                    || name.ends_with(".inc")
                    || text.contains(&format!("\"{name}\"")))
            {
                map.add(name, read(&other));
            }
        }
    }
    map
}

/// Parses with SPIN's own flags.
fn errors(path: &Path, flags: &str) -> Vec<String> {
    let map = sources(path);
    let mut options = ParseOptions::default();
    for flag in flags.split_whitespace() {
        if flag == "-o7" {
            options.implied_separators = false;
        } else if let Some(define) = flag.strip_prefix("-D") {
            let (name, value) = match define.split_once('=') {
                Some((name, value)) => (name, Some(value.to_string())),
                None => (define, None),
            };
            options.defines.push((name.to_string(), value));
        }
    }
    let show = |d: &Diagnostic| {
        let at = map.line_column(d.span);
        format!("{}:{} {}: {}", at.line, at.column, d.code, d.message)
    };
    parse(&map, &options).diagnostics.iter().filter(|d| d.is_error()).map(show).collect()
}

/// Refused by SPIN 6.5.2 but accepted here, on purpose.
const ACCEPTED: &[&str] =
    &["l34-multi-decl-chan.pml", "p14-comma-after-list.pml", "h57-ltl-and-forms.pml"];

/// Syntax errors of SPIN that depend on what a name means: found by name resolution.
const BY_RESOLUTION: &[&str] = &[
    "b39-same-proctype.pml",
    "l59-invalid-assign-const.pml",
    "l60-proctype-as-var.pml",
    "p06-typedef-forward.pml",
    "p07-typedef-self.pml",
];

/// Accepted by SPIN 6.5.2, which then computes nonsense (a temporal operator under a comparison).
const REFUSED: &[&str] = &["m58-ltl-nested-in-compare.pml", "r24-ltl-precedence-trap.pml"];

/// Models that use embedded C.
fn embedded_c(path: &Path) -> bool {
    let text = read(path);
    ["c_code", "c_expr", "c_decl", "c_state", "c_track"].iter().any(|w| text.contains(w))
}

fn table(folder: &Path) -> Vec<(String, String, String)> {
    let text = read(&folder.join("expected.tsv"));
    let mut rows = Vec::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        if let (Some(file), Some(flags), Some(first)) = (cells.first(), cells.get(1), cells.get(8))
        {
            rows.push((file.to_string(), flags.to_string(), first.to_string()));
        }
    }
    rows
}

#[test]
fn micro_models_are_accepted_or_refused_as_by_spin() {
    let Some(root) = corpus() else { return };
    let mut wrong = Vec::new();
    let mut checked = BTreeMap::new();
    for folder in ["micro", "reports"] {
        let folder = root.join(folder);
        for (file, flags, first) in table(&folder) {
            let path = folder.join(&file);
            let found = errors(&path, &flags);
            let syntax = first.starts_with("spin-error: syntax error")
                || first.starts_with("spin-error: ltl definition not terminated");
            let refused = first.starts_with("spin-error");
            *checked.entry((refused, syntax)).or_insert(0) += 1;
            let name = file.as_str();
            if REFUSED.contains(&name) {
                if found.is_empty() {
                    wrong.push(format!("{file}: must be refused"));
                }
            } else if ACCEPTED.contains(&name)
                || BY_RESOLUTION.contains(&name)
                || (!refused && !embedded_c(&path))
            {
                if !found.is_empty() {
                    wrong.push(format!("{file} {flags}: {found:?}"));
                }
            } else if (syntax || embedded_c(&path)) && found.is_empty() {
                wrong.push(format!("{file} {flags}: no error; SPIN: {first}"));
            }
        }
    }
    println!("(refused, by syntax) -> rows: {checked:?}");
    assert!(wrong.is_empty(), "{} rows differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn public_models_are_accepted() {
    let Some(root) = corpus() else { return };
    let mut wrong = Vec::new();
    let mut count = 0;
    let mut folders = vec![root.join("beem"), root.join("spin-examples")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let extension = path.extension().unwrap_or_default();
            if extension != "pml" && extension != "pm" && extension != "prom" {
                continue;
            }
            count += 1;
            let found = errors(&path, "");
            if path.ends_with("LTL/patterns.pml") {
                // `!R& X(..)` in one of its formulas: a slip for `&&` that SPIN takes for bits.
                assert_eq!(found.len(), 1, "{found:?}");
                continue;
            }
            if !found.is_empty() && !embedded_c(&path) {
                wrong.push(format!("{}: {:?}", path.display(), &found[..found.len().min(3)]));
            }
        }
    }
    println!("{count} models");
    assert!(wrong.is_empty(), "{} of {count} models:\n{}", wrong.len(), wrong.join("\n"));
}

/// All models of the corpus with their texts.
fn all_texts(root: &Path) -> Vec<(PathBuf, String)> {
    let mut texts = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "pml" || e == "pm") {
                texts.push((path.clone(), read(&path)));
            }
        }
    }
    texts
}

#[test]
fn formatting_keeps_tokens_and_settles_at_once() {
    let Some(root) = corpus() else { return };
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (path, text) in all_texts(&root) {
        count += 1;
        let Some(once) = format(&text) else {
            wrong.push(format!("{}: not formatted", path.display()));
            continue;
        };
        if format(&once).as_deref() != Some(once.as_str()) {
            wrong.push(format!("{}: a second time differs", path.display()));
        }
        let (before, after) = (parse_text(&text), parse_text(&once));
        if before != after {
            wrong.push(format!("{}: {before:?} became {after:?}", path.display()));
        }
    }
    println!("{count} models");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

/// The messages of a text.
fn parse_text(text: &str) -> Vec<String> {
    let map = SourceMap::single("m", text);
    let found = parse(&map, &ParseOptions::default());
    found.diagnostics.into_iter().map(|d| d.message).collect()
}

#[test]
fn colours_cover_every_model_in_order() {
    let Some(root) = corpus() else { return };
    for (path, text) in all_texts(&root) {
        let mut at = 0;
        for (range, _) in tokens(&text) {
            assert!(range.start >= at && range.end > range.start, "{}", path.display());
            assert!(text[at..range.start].chars().all(|c| c.is_whitespace() || c == '\\'));
            at = range.end;
        }
    }
}
