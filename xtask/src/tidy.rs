//! `cargo xtask tidy`: house rules that no compiler checks.
//!
//! Every complaint is one line `file:line: what is wrong and what to do`.

mod hosts;

use crate::places;
use crate::shell::{Outcome, capture, say};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

const LONGEST: usize = 800;

/// Words that only make sense on the machine where they were written. Put together here, so that
/// this file does not contain them.
const DENIED: [&str; 4] = [
    concat!("/wo", "rk/"),
    concat!("/tmp/", "target"),
    concat!("/ro", "ot/"),
    concat!("/home", "/"),
];

/// Checks all tracked files and the crate layers.
pub fn check() -> Outcome {
    let list = capture(Command::new("git").args(["ls-files", "-z"]).current_dir(places::root()))
        .map_err(|error| format!("{error}; tidy looks at the files that git tracks"))?;
    let mut complaints = Vec::new();
    let mut count = 0;
    for name in list.split('\0').filter(|name| !name.is_empty()) {
        // Deleted but not yet committed, or not text: nothing to say about it.
        let Ok(text) = std::fs::read_to_string(places::root().join(name)) else { continue };
        count += 1;
        check_file(name, &text, &mut complaints);
        hosts::check(name, &text, &mut complaints);
    }
    check_layers(&mut complaints)?;
    for complaint in &complaints {
        println!("{complaint}");
    }
    if complaints.is_empty() {
        say(format!("{count} files are tidy"));
        return Ok(());
    }
    Err(format!("{} house rules are broken: see above", complaints.len()))
}

fn check_file(name: &str, text: &str, complaints: &mut Vec<String>) {
    let extension = Path::new(name).extension().and_then(|part| part.to_str()).unwrap_or_default();
    let is_test = name.split('/').rev().skip(1).any(|folder| folder == "tests");
    if extension == "rs" && !is_test && !text.starts_with("//!") {
        complaints
            .push(format!("{name}:1: begin with a `//!` line that says what the file is for"));
    }
    let lines = text.lines().count();
    if matches!(extension, "rs" | "js" | "mjs" | "css" | "html") && lines > LONGEST {
        complaints.push(format!("{name}:{LONGEST}: {lines} lines; split files above {LONGEST}"));
    }
    for (at, line) in (1..).zip(text.lines()) {
        for word in DENIED {
            if line.contains(word) {
                complaints
                    .push(format!("{name}:{at}: `{word}` is a path of one machine: remove it"));
            }
        }
        let setting: String = line.split_whitespace().collect();
        if extension == "toml"
            && setting.starts_with("strip=")
            && !setting.starts_with("strip=false")
        {
            complaints.push(format!(
                "{name}:{at}: no `strip` in a profile: wasm-opt needs the section of target features"
            ));
        }
    }
}

/// A row of the table of crates.
#[derive(Debug, PartialEq)]
struct Layer {
    level: u32,
    imports: Vec<String>,
}

/// Compares the table in ARCHITECTURE.md with what the crates really import.
fn check_layers(complaints: &mut Vec<String>) -> Outcome {
    let name = "ARCHITECTURE.md";
    let Ok(text) = std::fs::read_to_string(places::root().join(name)) else {
        say(format!("the crate layers are not checked: there is no {name} yet"));
        return Ok(());
    };
    let table = match table(&text) {
        Ok(table) => table,
        Err(complaint) => {
            complaints.push(format!("{name}:1: {complaint}"));
            return Ok(());
        }
    };
    let json = capture(places::cargo().args(["metadata", "--format-version", "1", "--no-deps"]))?;
    let metadata: Value = serde_json::from_str(&json)
        .map_err(|error| format!("cargo metadata gave something unreadable: {error}"))?;
    complaints.extend(
        compare(&table, &imports(&metadata)).into_iter().map(|it| format!("{name}:1: {it}")),
    );
    Ok(())
}

/// Reads the table with the columns Level, Crate and May import; the others are for people.
fn table(text: &str) -> Result<BTreeMap<String, Layer>, String> {
    let cells = |line: &str| -> Option<Vec<String>> {
        let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
        Some(inner.split('|').map(|cell| cell.trim().replace('`', "")).collect())
    };
    let mut columns = None;
    let mut layers = BTreeMap::new();
    for line in text.lines() {
        let Some(row) = cells(line) else {
            if columns.is_some() {
                break;
            }
            continue;
        };
        let Some((level, name, imports)) = columns else {
            let find = |title: &str| row.iter().position(|cell| cell == title);
            if let (Some(level), Some(name), Some(imports)) =
                (find("Level"), find("Crate"), find("May import"))
            {
                columns = Some((level, name, imports));
            }
            continue;
        };
        let cell = |at: usize| row.get(at).map(String::as_str).unwrap_or_default();
        if cell(level).starts_with(['-', ':']) {
            continue;
        }
        let parsed = cell(level)
            .parse()
            .map_err(|_| format!("`{}` is not a level: write a number", cell(level)))?;
        let imports = cell(imports)
            .split(',')
            .map(str::trim)
            .filter(|import| !import.is_empty() && *import != "-")
            .map(str::to_owned)
            .collect();
        layers.insert(cell(name).to_owned(), Layer { level: parsed, imports });
    }
    if layers.is_empty() {
        return Err("no table with the columns Level, Crate and May import".into());
    }
    Ok(layers)
}

/// What each crate of crates/ imports of the others; what its tests import does not count.
fn imports(metadata: &Value) -> BTreeMap<String, Vec<String>> {
    let short = |name: &str| name.strip_prefix("promenade-").map(str::to_owned);
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut found = BTreeMap::new();
    for package in list(&metadata["packages"]) {
        let in_crates = package["manifest_path"]
            .as_str()
            .is_some_and(|path| path.replace('\\', "/").contains("/crates/"));
        let Some(name) = package["name"].as_str().and_then(short).filter(|_| in_crates) else {
            continue;
        };
        let imports = list(&package["dependencies"])
            .iter()
            .filter(|dependency| dependency["kind"].as_str() != Some("dev"))
            .filter_map(|dependency| dependency["name"].as_str().and_then(short))
            .collect();
        found.insert(name, imports);
    }
    found
}

fn compare(table: &BTreeMap<String, Layer>, crates: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let mut complaints = Vec::new();
    for (name, imports) in crates {
        let Some(layer) = table.get(name) else {
            complaints.push(format!("the crate `{name}` is not in the table: add a row"));
            continue;
        };
        for import in imports.iter().filter(|import| !layer.imports.contains(import)) {
            complaints.push(format!("`{name}` imports `{import}`, which its row does not allow"));
        }
    }
    for (name, layer) in table {
        if !crates.contains_key(name) {
            complaints.push(format!("there is no crate `{name}`: remove its row"));
        }
        for import in &layer.imports {
            match table.get(import) {
                None => {
                    complaints.push(format!("`{name}` may import `{import}`, which has no row"))
                }
                Some(below) if below.level >= layer.level => complaints.push(format!(
                    "`{name}` (level {}) may not import `{import}` (level {}): only lower levels",
                    layer.level, below.level
                )),
                Some(_) => {}
            }
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "text\n\n| Level | Crate | One line | May import |\n|---|---|---|---|\n\
        | 1 | `base` | spans | - |\n| 2 | `ir` | models | base |\n\nmore\n";

    fn crates(list: &[(&str, &[&str])]) -> BTreeMap<String, Vec<String>> {
        list.iter()
            .map(|(name, imports)| {
                ((*name).to_owned(), imports.iter().map(|import| (*import).to_owned()).collect())
            })
            .collect()
    }

    #[test]
    fn reads_the_table() {
        let table = table(TABLE).unwrap();
        assert_eq!(table.len(), 2);
        assert_eq!(table["ir"], Layer { level: 2, imports: vec!["base".into()] });
        assert!(super::table("| a | b |\n").is_err());
    }

    #[test]
    fn compares_the_table_with_the_crates() {
        let table = table(TABLE).unwrap();
        assert!(compare(&table, &crates(&[("base", &[]), ("ir", &["base"])])).is_empty());
        let upwards = compare(&table, &crates(&[("base", &["ir"]), ("ir", &[])]));
        assert_eq!(upwards, ["`base` imports `ir`, which its row does not allow"]);
        let unknown = compare(&table, &crates(&[("base", &[]), ("ir", &[]), ("new", &[])]));
        assert_eq!(unknown, ["the crate `new` is not in the table: add a row"]);
    }

    #[test]
    fn complains_about_files() {
        let complain = |name: &str, text: &str| {
            let mut complaints = Vec::new();
            check_file(name, text, &mut complaints);
            complaints.len()
        };
        assert_eq!(complain("crates/a/src/lib.rs", "//! Right.\n"), 0);
        assert_eq!(complain("crates/a/src/lib.rs", "use b;\n"), 1);
        assert_eq!(complain("crates/a/tests/b.rs", "use b;\n"), 0);
        assert_eq!(complain("Cargo.toml", "strip = true\n"), 1);
        assert_eq!(complain("README.md", concat!("see /wo", "rk/x\n")), 1);
        assert_eq!(complain("a.rs", &"//! Long.\n".repeat(801)), 1);
    }
}
