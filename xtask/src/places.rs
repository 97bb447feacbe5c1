//! Where things are: the checkout, the cache of tools, the build outputs.

use crate::shell::Outcome;
use std::path::PathBuf;
use std::process::Command;

/// The folder with the workspace's Cargo.toml.
pub fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map(PathBuf::from).unwrap_or(here)
}

/// The folder for tools that are worth keeping between checkouts: `PROMENADE_CACHE`, or
/// `promenade` in the user's cache folder.
pub fn cache() -> Outcome<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    set("PROMENADE_CACHE")
        .map(PathBuf::from)
        .or_else(|| set("XDG_CACHE_HOME").map(|folder| PathBuf::from(folder).join("promenade")))
        .or_else(|| set("HOME").map(|home| PathBuf::from(home).join(".cache/promenade")))
        .or_else(|| set("LOCALAPPDATA").map(|folder| PathBuf::from(folder).join("promenade")))
        .ok_or_else(|| "no folder for tools: set PROMENADE_CACHE to one that may be written".into())
}

/// The built site.
pub fn dist() -> PathBuf {
    root().join("dist")
}

/// The npm folder of the page's JavaScript.
pub fn js() -> PathBuf {
    root().join("www/js")
}

/// A cargo that runs in the workspace, with the toolchain that runs this program.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root()).env_remove("RUSTC").env_remove("RUSTDOC");
    command
}

/// The file name of a program.
pub fn executable(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

/// Where cargo puts what it builds.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}
