//! The embeddable npm package of the checker, put together in pkg/ after the site is built.
//!
//! It holds the same worker that the site uses, byte for byte, and a small client for it. The parts
//! that people write are in www/npm.

use crate::places;
use crate::shell::{Outcome, say};
use std::fs;
use std::path::Path;

/// What comes from the site.
const BUILT: [&str; 2] = ["promenade-worker.js", "promenade-worker_bg.wasm"];

/// Makes pkg/ anew.
pub fn assemble() -> Outcome {
    let package = places::root().join("pkg");
    if package.exists() {
        fs::remove_dir_all(&package)
            .map_err(|error| format!("cannot remove {}: {error}", package.display()))?;
    }
    fs::create_dir_all(&package)
        .map_err(|error| format!("cannot make {}: {error}", package.display()))?;
    for name in BUILT {
        copy(&places::dist().join(name), &package.join(name))?;
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
