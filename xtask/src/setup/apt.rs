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

/// Makes sure that the package lists know these packages, in the newest version where this runs as
/// root: old lists may name versions that cannot be had any more, or miss the security updates.
pub fn update_lists_for(packages: &[&str]) -> Outcome {
    let missing = || packages.iter().find(|package| !known(package));
    if may_install() {
        say("fetching the lists of Debian packages (apt-get update)");
        if let Err(error) = run(apt_get().arg("update").stdout(Stdio::null())) {
            say(format!("{error}; going on with the lists that are there"));
        }
    }
    match missing() {
        None => Ok(()),
        Some(package) if !may_install() => Err(format!(
            "the lists of Debian packages do not name `{package}`: run `apt-get update` as root, \
             then this again"
        )),
        Some(package) => Err(format!(
            "Debian has no package `{package}` here: enable the release that has it (Debian 12 or \
             newer, with security updates) and run this again"
        )),
    }
}

/// An apt-get that asks nothing and keeps its chatter off standard output.
pub fn apt_get() -> Command {
    let mut command = Command::new("apt-get");
    // The download user cannot write into a folder of root's; without this apt warns about it.
    command.args(["-qq", "-o", "APT::Sandbox::User=root", "-o", "Dpkg::Use-Pty=0"]);
    command.env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null());
    command
}

fn known(package: &str) -> bool {
    crate::shell::ask("apt-cache", &["show", "--no-all-versions", package])
        .is_some_and(|text| !text.is_empty())
}
