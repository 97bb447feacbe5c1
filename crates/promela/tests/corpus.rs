//! The corpus of models: SPIN's refusals are refusals here, and SPIN's counts are the counts here.
//!
//! Without the corpus the tests say so and pass. `PROMENADE_FILTER` chooses files by their name.

mod support;

use promenade_base::{Severity, SourceMap};
use promenade_interp::RunOptions;
use promenade_ir::Model;
use promenade_promela::{CompileOptions, compile};
use promenade_testkit::corpus::{Corpus, Row};
use std::collections::HashSet;
use std::rc::Rc;

/// Models that SPIN or its verifier refuses and that are accepted here, and why.
const ACCEPTED: &[(&str, &str)] = &[
    ("a14-", "an unconditional self loop is a loop"),
    ("a15-", "an unconditional self loop is a loop"),
    ("d65-", "eval of a structure compares its fields"),
    ("h38-", "X in formulas"),
    ("h57-", "the other spellings of and and or"),
    ("l13-", "priorities with rendezvous channels, with a warning"),
    ("l34-", "a comma behind a channel initializer"),
    ("l52-", "for over an array in a structure"),
    ("p14-", "a comma behind a list of values"),
    ("r08-", "an array name as argument of an inline"),
    ("r22-", "inlines nested deeply"),
];

/// Models that SPIN accepts with a wrong meaning and that are refused here.
const REFUSED: &[&str] = &["m58-", "r24-"];

/// Reference rows whose numbers differ, and why.
const OTHER_COUNTS: &[(&str, &str)] = &[
    ("c07-", "the path ends at an index out of bounds"),
    ("c08-", "the path ends at an index out of bounds"),
    ("c09-", "the path ends at an index out of bounds"),
    ("c29-", "the path ends at an index out of bounds"),
    ("d36-", "the path ends at an index out of bounds"),
    ("d38-", "guards are evaluated once, so a fault is reported once"),
    ("d39-", "guards are evaluated once, so a fault is reported once"),
    ("e25-", "a loop that never leaves its atomic sequence is an error"),
    ("h08-", "a remote reference to a process of another type is an error"),
    ("h12-", "location numbers are our own"),
    ("h27-", "timeout in a claim always means the same"),
    ("l43-", "no limit on the size of a state"),
    ("b07-", "no limit on the size of a state"),
    ("d32-", "the interpreter's matter: a copying receive on a rendezvous channel"),
    ("h20-", "the interpreter's matter: how often the end of a claim is reported"),
];

fn corpus() -> Option<Corpus> {
    match Corpus::find() {
        Ok(corpus) => Some(corpus),
        Err(why) => {
            println!("skipped: {why}");
            None
        }
    }
}

fn chosen(file: &str) -> bool {
    std::env::var("PROMENADE_FILTER").map_or(true, |filter| file.contains(&filter))
}

fn options(row: &Row) -> CompileOptions {
    let mut options = CompileOptions::default();
    for flag in &row.spin_flags {
        match flag.as_str() {
            "-m" => options.lose_messages = true,
            "-J" => options.inner_unless_first = true,
            "-o7" => options.parse.implied_separators = false,
            _ => {
                if let Some(define) = flag.strip_prefix("-D") {
                    let (name, value) = match define.split_once('=') {
                        Some((name, value)) => (name, Some(value.to_owned())),
                        None => (define, None),
                    };
                    options.parse.defines.push((name.to_owned(), value));
                }
            }
        }
    }
    options
}

struct Found {
    model: Option<Rc<Model>>,
    errors: Vec<String>,
}

fn load(corpus: &Corpus, set: &str, file: &str, options: &CompileOptions) -> Found {
    let text = corpus.text(set, file).expect("a model of the corpus");
    let mut sources = SourceMap::single(file, text);
    let path = corpus.path(set, file);
    for entry in std::fs::read_dir(path.parent().expect("a folder")).expect("the folder").flatten()
    {
        let name = entry.file_name().to_string_lossy().into_owned();
        if (name.ends_with(".h") || name.contains('.'))
            && !name.ends_with(".tsv")
            && name != file
            && entry.path().is_file()
            && let Ok(text) = std::fs::read_to_string(entry.path())
        {
            sources.add(name, text);
        }
    }
    let checked = compile(&sources, options);
    let errors = checked
        .diagnostics
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .map(|d| format!("{}: {}", d.code, d.message))
        .collect();
    Found { model: checked.value.map(|c| Rc::new(c.model)), errors }
}

fn is_refused(row: &Row) -> bool {
    ["spin-error", "error: proctype", "cc-error"].iter().any(|p| row.first_error.starts_with(p))
}

#[test]
fn refusals_are_those_of_spin() {
    let Some(corpus) = corpus() else { return };
    let mut wrong = Vec::new();
    let mut seen = HashSet::new();
    for set in ["micro", "reports"] {
        for row in corpus.rows(set) {
            if !seen.insert((row.file.clone(), row.spin_flags.clone())) || !chosen(&row.file) {
                continue;
            }
            let found = load(&corpus, set, &row.file, &options(&row));
            let accepted = ACCEPTED.iter().any(|(p, _)| row.file.starts_with(p));
            let embedded = found.errors.iter().any(|e| e.starts_with("embedded-c"));
            // A formula alone may be what is refused.
            if is_refused(&row) && !accepted && found.errors.is_empty() {
                wrong.push(format!("{}: accepted, SPIN says {}", row.file, row.first_error));
            }
            let refused =
                REFUSED.iter().any(|p| row.file.starts_with(p)) && !row.file.starts_with("r24b");
            let should_work = (!is_refused(&row) || accepted) && !refused;
            if should_work && found.model.is_none() && !embedded {
                wrong.push(format!("{}: refused: {}", row.file, found.errors.join("; ")));
            }
        }
    }
    println!("{}", wrong.join("\n"));
    assert!(wrong.is_empty(), "{} models differ", wrong.len());
}

#[test]
fn counts_are_those_of_spin() {
    let Some(corpus) = corpus() else { return };
    let (mut compared, mut different, mut skipped) = (0, Vec::new(), 0);
    for set in ["micro", "reports", "spin-examples", "beem"] {
        for row in corpus.rows(set) {
            let reference = row.is_reference()
                || row.way == "full"
                || (row.compile_flags == ["-DSAFETY", "-DNOREDUCE"]
                    && row.run_flags == ["-c0"]
                    && ["-o1", "-o2", "-o3"].iter().all(|f| row.spin_flags.iter().any(|g| g == f)));
            let (Some(stored), Some(matched), Some(errors)) = (row.stored, row.matched, row.errors)
            else {
                continue;
            };
            if !reference
                || !chosen(&row.file)
                || stored > 100_000
                || row.spin_flags.iter().any(|f| f == "-o6")
            {
                continue;
            }
            if OTHER_COUNTS.iter().any(|(p, _)| row.file.starts_with(p)) {
                continue;
            }
            let found = load(&corpus, set, &row.file, &options(&row));
            let Some(model) = found.model else {
                if found.errors.iter().any(|e| e.starts_with("embedded-c")) {
                    skipped += 1;
                } else {
                    different.push(format!("{}: refused: {}", row.name(), found.errors.join("; ")));
                }
                continue;
            };
            let claim = (!model.claims.is_empty()).then_some(0);
            if claim.is_none() && !model.formulas.is_empty() {
                skipped += 1;
                continue;
            }
            let ours = support::count(&model, RunOptions { claim, ..RunOptions::default() });
            compared += 1;
            if ours.fatal && errors > 0 {
                continue;
            }
            if (ours.stored, ours.matched, ours.errors) != (stored, matched, errors) {
                different.push(format!(
                    "{}: {stored}/{matched} e{errors} expected ({}), found {}/{} e{}{}",
                    row.name(),
                    row.first_error,
                    ours.stored,
                    ours.matched,
                    ours.errors,
                    if ours.fatal {
                        " fatal"
                    } else if ours.cut {
                        " cut"
                    } else {
                        ""
                    },
                ));
            }
        }
    }
    println!("{compared} compared, {skipped} skipped\n{}", different.join("\n"));
    assert!(different.is_empty(), "{} models differ", different.len());
}
