//! Node and the npm packages of the page: the editor, the bundler, wasm-opt, the browser driver.

use crate::places;
use crate::setup::apt;
use crate::shell::{Outcome, ask, run, say, which};
use std::path::PathBuf;
use std::process::Command;

/// Where the npm packages put their programs.
pub struct Node {
    /// `node_modules/.bin`.
    pub bin: PathBuf,
}

/// The oldest version with everything that the build scripts and the test runner use.
const OLDEST: (u32, u32) = (18, 19);

/// Finds Node, and installs the packages of www/js/package-lock.json when they changed.
pub fn ready() -> Outcome<Node> {
    node_itself()?;
    let folder = places::js();
    let modules = folder.join("node_modules");
    let bin = modules.join(".bin");
    let lock_file = folder.join("package-lock.json");
    let wanted = std::fs::read(&lock_file).map_err(|error| {
        format!("cannot read {}: {error}; is the checkout complete?", lock_file.display())
    })?;
    let stamp = modules.join(".installed-lock");
    if std::fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(Node { bin });
    }
    say("installing npm packages into www/js/node_modules: the editor, its bundler, wasm-opt and \
         the browser driver for tests (once, 20 seconds)");
    // Install scripts are not needed: every program used comes inside its package.
    run(Command::new("npm")
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
        .current_dir(&folder)
        .stdout(std::io::stderr()))
    .map_err(|error| {
        format!("{error}; check that the npm registry can be reached, then run this again")
    })?;
    std::fs::write(&stamp, wanted)
        .map_err(|error| format!("cannot write {}: {error}", stamp.display()))?;
    Ok(Node { bin })
}

fn node_itself() -> Outcome {
    if which("node").is_none() || which("npm").is_none() {
        if !apt::may_install() {
            return Err(format!("Node is missing: {}", remedy()));
        }
        say("installing the Debian packages nodejs and npm: they bundle the editor");
        apt::install(&["nodejs", "npm"])?;
    }
    let version = ask("node", &["--version"]).unwrap_or_default();
    let mut numbers = version.trim_start_matches('v').split('.').map(|part| part.parse().ok());
    match (numbers.next().flatten(), numbers.next().flatten()) {
        (Some(major), Some(minor)) if (major, minor) >= OLDEST => Ok(()),
        _ => Err(format!("Node {version} is too old: {}", remedy())),
    }
}

fn remedy() -> String {
    let (major, minor) = OLDEST;
    format!("install Node {major}.{minor} or newer with npm (nodejs.org), then run this again")
}
