//! `cargo xtask test`: every check of the project, one stage after another, and a summary.

use crate::setup::{self, WebTools};
use crate::shell::{Outcome, run, say};
use crate::site::{self, Kind};
use crate::{derive, lint, npm_package, places, tidy};
use std::path::Path;
use std::time::{Duration, Instant};

/// The crates that only make sense in a browser, where their tests run, in the profile of the
/// page's development build.
const WASM_ONLY: [&str; 2] = ["promenade-worker", "promenade-page"];

/// What to run.
pub struct Plan {
    /// Test the development build of the page, which compiles faster.
    pub quick: bool,
    /// Only the stage of this name.
    pub only: Option<String>,
    /// Only the tests whose names contain this.
    pub filter: Option<String>,
}

/// A stage: its name, what it is for, and what it does.
struct Stage {
    name: &'static str,
    about: &'static str,
    run: fn(&Plan) -> Outcome,
    /// Runs tests that a filter can choose from.
    filtered: bool,
}

const STAGES: [Stage; 5] = [
    Stage {
        name: "tidy",
        about: "house rules: first lines, file lengths, crate layers, derived files",
        run: |_| derive::check().and_then(|()| tidy::check()),
        filtered: false,
    },
    Stage { name: "native", about: "tests of the core, natively", run: native, filtered: true },
    Stage { name: "lint", about: "formatting and clippy", run: |_| lint::check(), filtered: false },
    Stage {
        name: "wasm",
        about: "tests of the wasm crates, in a browser",
        run: wasm,
        filtered: true,
    },
    Stage { name: "browser", about: "the built page, end to end", run: browser, filtered: true },
];

/// The names of the stages, for messages.
pub fn names() -> String {
    STAGES.map(|stage| stage.name).join(", ")
}

/// Runs the stages; all of them, even after one has failed.
pub fn all(plan: &Plan) -> Outcome {
    let chosen: Vec<&Stage> = STAGES
        .iter()
        .filter(|stage| match (&plan.only, &plan.filter) {
            (Some(only), _) => only == stage.name,
            (None, Some(_)) => stage.filtered,
            (None, None) => true,
        })
        .collect();
    if chosen.is_empty() {
        return Err(format!("no stage of that name: --only takes one of {}", names()));
    }
    let mut results: Vec<(&Stage, Outcome, Duration)> = Vec::new();
    for stage in chosen {
        say(format!("=== {}: {} ===", stage.name, stage.about));
        let started = Instant::now();
        let result = (stage.run)(plan);
        let took = started.elapsed();
        match &result {
            Ok(()) => say(format!("=== {}: passed in {:.1} s ===", stage.name, took.as_secs_f32())),
            Err(failure) => say(format!("=== {}: FAILED: {failure} ===", stage.name)),
        }
        results.push((stage, result, took));
    }
    summary(&results)
}

fn summary(results: &[(&Stage, Outcome, Duration)]) -> Outcome {
    let ran_native = results.iter().any(|(stage, ..)| stage.name == "native");
    if ran_native && let Ok(table) = std::fs::read_to_string(conformance()) {
        println!("\n{}", table.trim_end());
    }
    println!("\nSummary");
    for (stage, result, took) in results {
        let word = if result.is_ok() { "passed" } else { "FAILED" };
        println!("  {:<8} {word:<7} {:>7.1} s", stage.name, took.as_secs_f32());
    }
    let failed: Vec<&str> = results
        .iter()
        .filter(|(_, result, _)| result.is_err())
        .map(|(stage, ..)| stage.name)
        .collect();
    match failed.as_slice() {
        [] => Ok(()),
        names => Err(format!(
            "failed: {}; `cargo xtask test --only {}` runs that stage again",
            names.join(", "),
            names[0]
        )),
    }
}

/// Where the native tests leave the table of models, our numbers and SPIN's.
fn conformance() -> std::path::PathBuf {
    places::root().join("tests/out/conformance.txt")
}

fn native(plan: &Plan) -> Outcome {
    // A table of an earlier run must not stand for this one.
    let _ = std::fs::remove_file(conformance());
    let mut cargo = places::cargo();
    cargo.args(["test", "--workspace", "--profile", "quick", "--no-fail-fast"]);
    for name in WASM_ONLY {
        cargo.args(["--exclude", name]);
    }
    cargo.args(plan.filter.as_slice());
    run(&mut cargo).map_err(|_| "some native tests failed: see above".into())
}

fn wasm(plan: &Plan) -> Outcome {
    let tools = WebTools::ready()?;
    let browser = setup::browser::ready()?;
    let runner = tools.program("wasm-bindgen-test-runner")?;
    // chromedriver looks for Chrome before Chromium in places of its own; PATH comes first.
    let folders =
        std::env::split_paths(tools.path()).chain(browser.browser.parent().map(Path::to_path_buf));
    let path = std::env::join_paths(folders)
        .map_err(|error| format!("a folder cannot be part of PATH: {error}"))?;
    let mut failed = Vec::new();
    let profile = site::profile(Kind::Quick);
    for name in WASM_ONLY {
        let mut cargo = tools.command("cargo");
        site::flags(&mut cargo)
            .args(["test", "--tests", "--no-fail-fast", "--package", name, "--profile", profile])
            .args(["--target", "wasm32-unknown-unknown"])
            .args(plan.filter.as_slice())
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", &runner)
            .env("CHROMEDRIVER", &browser.driver)
            .env("WASM_BINDGEN_TEST_TIMEOUT", "120")
            .env("PATH", &path);
        if run(&mut cargo).is_err() {
            failed.push(name);
        }
    }
    match failed.as_slice() {
        [] => Ok(()),
        names => Err(format!("tests of {} failed in the browser: see above", names.join(", "))),
    }
}

fn browser(plan: &Plan) -> Outcome {
    let tools = WebTools::ready()?;
    let browser = setup::browser::ready()?;
    let kind = if plan.quick { Kind::Quick } else { Kind::Release };
    site::build(&tools, kind)?;
    npm_package::build(&tools, kind)?;
    // Built as a part of its own tests, with the features of the native stage: nothing is compiled twice.
    let mut cargo = places::cargo();
    cargo.args([
        "test",
        "--quiet",
        "--workspace",
        "--profile",
        "quick",
        "--no-run",
        "--test",
        "command",
    ]);
    for name in WASM_ONLY {
        cargo.args(["--exclude", name]);
    }
    run(&mut cargo).map_err(|_| "the command could not be built: see above".to_owned())?;
    let command = places::target().join("quick").join(places::executable("promenade"));
    let folder = places::root().join("tests/browser");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .map_err(|error| format!("cannot read {}: {error}", folder.display()))?
        .flatten()
        .map(|entry| entry.path())
        .filter(|file| file.to_string_lossy().ends_with(".test.mjs"))
        .collect();
    files.sort();
    let server = std::env::current_exe()
        .map_err(|error| format!("cannot tell where this program is: {error}"))?;
    let mut node = tools.command("node");
    node.args(["--test", "--test-reporter=spec", "--test-concurrency=1"]);
    if let Some(filter) = &plan.filter {
        node.arg(format!("--test-name-pattern={filter}"));
    }
    node.args(files)
        .env("PROMENADE_XTASK", server)
        .env("PROMENADE_COMMAND", command)
        .env("PROMENADE_CHROMIUM", &browser.browser)
        .env("PROMENADE_BUILD", if plan.quick { "quick" } else { "release" });
    run(&mut node).map_err(|_| "some browser tests failed: see above and tests/out/".into())
}
