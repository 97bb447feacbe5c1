//! Debian packages: installed when this runs as root on Debian or a relative of it.

use crate::shell::{Outcome, run, say, which};
use std::process::{Command, Stdio};

/// True where apt-get exists.
pub fn exists() -> bool {
    which("apt-get").is_some()
}

/// True where packages can be installed without asking anybody.
pub fn may_install() -> bool {
    exists() && crate::shell::ask("id", &["-u"]).as_deref() == Some("0")
}

/// Installs packages; the caller has said why.
pub fn install(packages: &[&str]) -> Outcome {
    update_lists_for(packages)?;
    run(apt_get().args(["install", "-y", "--no-install-recommends"]).args(packages))
        .map_err(|error| format!("{error}; try `apt-get install {}` by hand", packages.join(" ")))
}

/// Fetches the package lists when they do not know one of these packages.
pub fn update_lists_for(packages: &[&str]) -> Outcome {
    if packages.iter().all(|package| known(package)) {
        return Ok(());
    }
    say("fetching the lists of Debian packages (apt-get update)");
    run(apt_get().arg("update"))
        .map_err(|error| format!("{error}; run `apt-get update` as root, then this again"))?;
    match packages.iter().find(|package| !known(package)) {
        None => Ok(()),
        Some(missing) => Err(format!(
            "Debian has no package `{missing}` here: enable the release that has it (Debian 12 or \
             newer, with security updates) and run this again"
        )),
    }
}

/// An apt-get that asks nothing and keeps its chatter off standard output.
pub fn apt_get() -> Command {
    let mut command = Command::new("apt-get");
    command.arg("-q").env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null());
    command
}

fn known(package: &str) -> bool {
    crate::shell::ask("apt-cache", &["show", "--no-all-versions", package])
        .is_some_and(|text| !text.is_empty())
}
