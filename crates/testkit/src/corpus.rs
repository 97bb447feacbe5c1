//! The corpus of models with SPIN's numbers, when it is there.
//!
//! It is found by the variable `PROMENADE_CORPUS` or as `../shared/corpus` beside the checkout.

use std::path::{Path, PathBuf};

/// One row of an `expected.tsv`: a model, a way to run it, and what SPIN said.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// `micro`, `reports`, `beem` or `spin-examples`.
    pub set: String,
    /// Path inside the set.
    pub file: String,
    /// Options of `spin -a`.
    pub spin_flags: Vec<String>,
    /// Options of gcc.
    pub compile_flags: Vec<String>,
    /// Options of pan.
    pub run_flags: Vec<String>,
    /// `full`, `default`, `first`, `np`, `live:..` where the table has ways; else empty.
    pub way: String,
    /// `ok` or why there is no answer; always `ok` in tables without this column.
    pub status: String,
    /// Distinct states.
    pub stored: Option<u64>,
    /// Arrivals at stored states.
    pub matched: Option<u64>,
    /// Their sum.
    pub transitions: Option<u64>,
    /// Reports.
    pub errors: Option<u64>,
    /// The first error's text, empty if there is none.
    pub first_error: String,
    /// SPIN's wall time for the whole run, where the table has it.
    pub seconds: Option<f64>,
}

impl Row {
    /// The reference way: no reduction, no merging, all errors counted.
    pub fn is_reference(&self) -> bool {
        self.spin_flags == ["-o1", "-o2", "-o3"]
            && self.compile_flags == ["-DSAFETY", "-DNOREDUCE"]
            && self.run_flags == ["-c0"]
    }

    /// `set/file`
    pub fn name(&self) -> String {
        format!("{}/{}", self.set, self.file)
    }
}

/// Where the corpus lies.
#[derive(Clone, Debug)]
pub struct Corpus {
    root: PathBuf,
}

impl Corpus {
    /// The corpus, or a sentence that says where it was looked for.
    pub fn find() -> Result<Self, String> {
        let root = match std::env::var_os("PROMENADE_CORPUS") {
            Some(path) => PathBuf::from(path),
            None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"),
        };
        if root.join("micro/expected.tsv").is_file() {
            Ok(Self { root })
        } else {
            Err(format!(
                "the corpus of models is not at {} (set PROMENADE_CORPUS to its folder)",
                root.display()
            ))
        }
    }

    /// The full path of a model.
    pub fn path(&self, set: &str, file: &str) -> PathBuf {
        self.root.join(set).join(file)
    }

    /// A model's text (bytes that are not UTF-8 replaced).
    pub fn text(&self, set: &str, file: &str) -> std::io::Result<String> {
        std::fs::read(self.path(set, file)).map(|b| String::from_utf8_lossy(&b).into_owned())
    }

    /// All rows of a set, in the order of its table.
    pub fn rows(&self, set: &str) -> Vec<Row> {
        let table = self.root.join(set).join("expected.tsv");
        let Ok(text) = std::fs::read_to_string(table) else { return Vec::new() };
        let mut lines = text.lines().filter(|l| !l.starts_with('#') && !l.is_empty());
        let Some(header) = lines.next() else { return Vec::new() };
        let columns: Vec<&str> = header.split('\t').collect();
        lines
            .map(|line| {
                let cells: Vec<&str> = line.split('\t').collect();
                let cell = |name: &str| {
                    let i = columns.iter().position(|c| *c == name);
                    i.and_then(|i| cells.get(i)).copied().unwrap_or("").trim()
                };
                row(set, cell)
            })
            .collect()
    }

    /// Every model file of a set (`.pml`, `.pm`), sorted.
    pub fn files(&self, set: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![PathBuf::new()];
        while let Some(folder) = folders.pop() {
            let Ok(entries) = std::fs::read_dir(self.root.join(set).join(&folder)) else {
                continue;
            };
            for entry in entries.flatten() {
                let path = folder.join(entry.file_name());
                if entry.path().is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|e| e == "pml" || e == "pm") {
                    found.push(path.to_string_lossy().into_owned());
                }
            }
        }
        found.sort();
        found
    }
}

fn row<'a>(set: &str, cell: impl Fn(&str) -> &'a str) -> Row {
    let flags = |name: &str| -> Vec<String> {
        cell(name).split_whitespace().filter(|f| *f != "-").map(str::to_owned).collect()
    };
    let mut row = Row {
        set: set.to_owned(),
        file: cell("file").to_owned(),
        spin_flags: flags("spin_flags"),
        compile_flags: flags("pan_compile_flags"),
        run_flags: flags("pan_run_flags"),
        way: cell("way").to_owned(),
        status: cell("status").to_owned(),
        stored: cell("stored").parse().ok(),
        matched: cell("matched").parse().ok(),
        transitions: cell("transitions").parse().ok(),
        errors: cell("errors").parse().ok(),
        first_error: cell("first_error_kind").to_owned(),
        seconds: cell("seconds").parse().ok(),
    };
    if row.status.is_empty() {
        row.status = "ok".to_owned();
    }
    if row.first_error.is_empty() {
        row.first_error = cell("first_error").to_owned();
    }
    if row.first_error == "-" {
        row.first_error.clear();
    }
    let (spin, gcc, pan): (&[&str], &[&str], &[&str]) = match row.way.as_str() {
        "full" => (&["-o1", "-o2", "-o3"], &["-DSAFETY", "-DNOREDUCE"], &["-c0"]),
        "default" => (&[], &["-DSAFETY"], &["-c0"]),
        "first" => (&[], &["-DSAFETY"], &[]),
        _ => return row,
    };
    let own = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect();
    (row.spin_flags, row.compile_flags, row.run_flags) = (own(spin), own(gcc), own(pan));
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_where_they_are() {
        let corpus = match Corpus::find() {
            Ok(corpus) => corpus,
            Err(why) => return println!("skipped: {why}"),
        };
        let rows = corpus.rows("micro");
        let first = &rows[0];
        assert!(first.is_reference());
        assert_eq!((first.stored, first.matched, first.errors), (Some(3), Some(0), Some(0)));
        let full = corpus.rows("beem").into_iter().find(|r| r.file == "adding.1.pm").unwrap();
        assert!(full.is_reference());
        assert_eq!(full.errors, Some(1130));
        assert_eq!(full.first_error, "invalid end state");
        assert!(corpus.files("spin-examples").contains(&"LTL/bakery.pml".to_owned()));
    }
}
