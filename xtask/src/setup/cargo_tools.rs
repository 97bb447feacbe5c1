//! Trunk and wasm-bindgen, installed from crates.io into the cache, one folder a version.

use crate::places;
use crate::shell::{Outcome, is_program, run, say};
use std::path::PathBuf;
use std::process::Stdio;

/// A program from crates.io in a fixed version.
pub struct Tool {
    package: &'static str,
    version: &'static str,
    /// The program that shows that the tool is there.
    program: &'static str,
    why: &'static str,
    /// Arguments for cargo install.
    arguments: &'static [&'static str],
    /// How much the compiler optimises: the tools run for seconds and compile for minutes.
    opt_level: &'static str,
}

/// Makes JavaScript glue; its version must be the one of the crate wasm-bindgen in Cargo.toml.
pub const WASM_BINDGEN: Tool = Tool {
    package: "wasm-bindgen-cli",
    version: "0.2.130",
    program: "wasm-bindgen",
    why: "it makes the JavaScript glue of the wasm modules and runs wasm tests",
    arguments: &["--bin", "wasm-bindgen", "--bin", "wasm-bindgen-test-runner"],
    opt_level: "1",
};

/// Builds the page.
pub const TRUNK: Tool = Tool {
    package: "trunk",
    version: "0.21.14",
    program: "trunk",
    why: "it builds the page",
    arguments: &[],
    opt_level: "0",
};

/// The folder with the tool's programs, after installing it where it is missing.
pub fn ready(tool: &Tool) -> Outcome<PathBuf> {
    let cache = places::cache()?;
    let name = format!("{}-{}", tool.package, tool.version);
    let home = cache.join("tools").join(&name);
    let bin = home.join("bin");
    if is_program(&bin.join(format!("{}{}", tool.program, std::env::consts::EXE_SUFFIX))) {
        return Ok(bin);
    }
    say(format!(
        "installing {} {}: {} (once, takes some minutes, into {})",
        tool.package,
        tool.version,
        tool.why,
        home.display()
    ));
    let build = cache.join("build").join(&name);
    let install = |extra: &[&str], stderr: Stdio| {
        run(places::cargo()
            .current_dir(&cache)
            .args(["install", "--quiet", "--debug", "--no-default-features"])
            .args(["--version", tool.version, "--root"])
            .arg(&home)
            .args(extra)
            .args(tool.arguments)
            .arg(tool.package)
            .stderr(stderr)
            .env("CARGO_TARGET_DIR", &build)
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", tool.opt_level)
            .env_remove("RUSTFLAGS"))
    };
    // A lock file that names a withdrawn release makes --locked fail; the second try resolves anew,
    // and shows what is wrong if that was not it.
    install(&["--locked"], Stdio::null()).or_else(|_| install(&[], Stdio::inherit())).map_err(
        |error| {
            format!(
                "{} could not be installed ({error}); see the messages above, and check that \
                 crates.io can be reached",
                tool.package
            )
        },
    )?;
    // The intermediate files are several hundred megabytes that nobody needs again.
    let _ = std::fs::remove_dir_all(&build);
    Ok(bin)
}
