//! `cargo xtask fmt` and `cargo xtask lint`.

use crate::places;
use crate::shell::{Outcome, run};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Formats all Rust code.
pub fn format() -> Outcome {
    run(places::cargo().args(["fmt", "--all"])).map_err(rustfmt_missing)?;
    run(&mut rustfmt(&[])?).map_err(rustfmt_missing)
}

/// Formats the stores, whose modules are declared by a macro: `cargo fmt` does not see them.
fn rustfmt(more: &[&str]) -> Outcome<Command> {
    let folder = places::root().join("crates/store/src");
    let entries = fs::read_dir(&folder)
        .map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let is_code = |path: &PathBuf| path.extension().is_some_and(|it| it == "rs");
    let mut command = Command::new("rustfmt");
    command.args(["--edition", "2024", "--config-path"]).arg(places::root()).args(more);
    command.args(entries.flatten().map(|it| it.path()).filter(is_code));
    Ok(command)
}

/// Fails where code is not formatted or clippy complains.
pub fn check() -> Outcome {
    let formatted = run(places::cargo().args(["fmt", "--all", "--check"]))
        .and_then(|()| run(&mut rustfmt(&["--check"])?))
        .map_err(|_| "some files are not formatted: run `cargo xtask fmt`".to_owned());
    // In the profile of the tests, so that build scripts and macros are compiled once. The wasm
    // crates compile natively too, which spares a second clippy for the wasm compiler.
    let clean = run(places::cargo()
        .args(["clippy", "--workspace", "--all-targets", "--profile", "quick", "--quiet"])
        .args(["--", "-D", "warnings"]))
    .map_err(|_| "clippy has complaints: see above".to_owned());
    match (formatted, clean) {
        (Err(one), Err(two)) => Err(format!("{one}; {two}")),
        (one, two) => one.and(two),
    }
}

fn rustfmt_missing(error: String) -> String {
    format!("{error}; if rustfmt is missing, run `rustup component add rustfmt`")
}
