//! The page's build: Trunk makes the site in dist/.

use crate::setup::WebTools;
use crate::shell::{Outcome, run, say};
use crate::{help, places};
use std::process::Command;
use std::time::Instant;

/// How the site is built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Compiled quickly, kept by no service worker.
    Quick,
    /// Small and fast, works offline after the first visit.
    Release,
}

/// Builds the site into dist/.
pub fn build(tools: &WebTools, kind: Kind) -> Outcome {
    let started = Instant::now();
    say(match kind {
        Kind::Quick => "building the page for development into dist/",
        Kind::Release => "building the release page into dist/ (some minutes the first time)",
    });
    // Trunk is offline so that a tool of the wrong version is an error and not a download; cargo
    // would then be offline too, so what it needs is fetched first.
    fetch(tools)?;
    help::render()?;
    let mut trunk = tools.command("trunk");
    trunk.args(["build", "--offline"]).env("TRUNK_SKIP_VERSION_CHECK", "true");
    if std::env::var_os("RUST_LOG").is_none() {
        trunk.arg("--quiet");
    }
    flags(&mut trunk);
    // A failed build is no crash of Trunk.
    trunk.env("RUST_BACKTRACE", "0");
    // Trunk takes NO_COLOR for a flag that is true or false.
    trunk.env_remove("NO_COLOR");
    if kind == Kind::Release {
        trunk.arg("--release");
    }
    run(&mut trunk).map_err(|_| {
        "the page could not be built: see the messages above (RUST_LOG=info shows more)".to_owned()
    })?;
    say(format!(
        "the page is in {} ({:.1} s)",
        places::dist().display(),
        started.elapsed().as_secs_f32()
    ));
    Ok(())
}

/// Gets the crates from which everything in the browser is compiled.
pub fn fetch(tools: &WebTools) -> Outcome {
    run(tools.command("cargo").args(["fetch", "--quiet", "--target", "wasm32-unknown-unknown"]))
        .map_err(|error| format!("{error}; check that crates.io can be reached"))
}

/// The profile in which the site's program is compiled; www/index.html names the same.
pub fn profile(kind: Kind) -> &'static str {
    match kind {
        Kind::Quick => "site-quick",
        Kind::Release => "site",
    }
}

/// Sets the compiler's flags for everything that is compiled for the site.
pub fn flags(command: &mut Command) -> &mut Command {
    // Leptos then makes one type of all views: a smaller page, compiled in less time.
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "--cfg=erase_components")
}
