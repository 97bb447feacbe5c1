//! The embeddable npm package of the checker, put together in pkg/ after the site is built.
//!
//! It holds the checker's worker alone, compiled like the site's program, and a small client for it.
//! The parts that people write are in www/npm.

use crate::places;
use crate::setup::WebTools;
use crate::shell::{Outcome, run, say};
use crate::site::{self, Kind};
use std::fs;
use std::path::Path;

/// The worker's crate and program.
const WORKER: &str = "promenade-worker";
/// The crate of the site's program.
const SITE: &str = "promenade-site";

/// Makes pkg/ anew.
pub fn build(tools: &WebTools, kind: Kind) -> Outcome {
    say("building the checker alone for the npm package");
    site::fetch(tools)?;
    let profile = site::profile(kind);
    // Together with the site, so that what they share has the same features and is compiled once.
    run(site::flags(&mut tools.command("cargo"))
        .args(["build", "--quiet", "--package", SITE, "--package", WORKER, "--bin", WORKER])
        .args(["--target", "wasm32-unknown-unknown", "--profile", profile]))
    .map_err(|_| "the npm package could not be built: see the messages above".to_owned())?;
    let package = places::root().join("pkg");
    if package.exists() {
        fs::remove_dir_all(&package)
            .map_err(|error| format!("cannot remove {}: {error}", package.display()))?;
    }
    fs::create_dir_all(&package)
        .map_err(|error| format!("cannot make {}: {error}", package.display()))?;
    let program = places::target()
        .join("wasm32-unknown-unknown")
        .join(profile)
        .join(format!("{WORKER}.wasm"));
    run(tools
        .command("wasm-bindgen")
        .args(["--target=web", "--no-typescript", "--out-name", WORKER, "--out-dir"])
        .arg(&package)
        .arg(&program))?;
    if kind == Kind::Release {
        let bound = package.join(format!("{WORKER}_bg.wasm"));
        // As www/index.html says it for the site.
        let passes = ["-Oz", "--reorder-functions-by-name"];
        run(tools.command("wasm-opt").args(passes).arg(&bound).arg("-o").arg(&bound))?;
    }
    let written = places::root().join("www/npm");
    let entries = fs::read_dir(&written)
        .map_err(|error| format!("cannot read {}: {error}", written.display()))?;
    for entry in entries.flatten() {
        copy(&entry.path(), &package.join(entry.file_name()))?;
    }
    // The version stands in Cargo.toml only, from where this program has it too.
    let manifest = package.join("package.json");
    let text = fs::read_to_string(&manifest)
        .map_err(|error| format!("cannot read {}: {error}", manifest.display()))?;
    let placeholder = "\"version\": \"0.0.0\"";
    if !text.contains(placeholder) {
        return Err(format!("www/npm/package.json has to say {placeholder}, which is filled in"));
    }
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    fs::write(&manifest, text.replace(placeholder, &version))
        .map_err(|error| format!("cannot write {}: {error}", manifest.display()))?;
    say(format!("the npm package is in {}", package.display()));
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Outcome {
    fs::copy(from, to).map(drop).map_err(|error| format!("cannot copy {}: {error}", from.display()))
}
