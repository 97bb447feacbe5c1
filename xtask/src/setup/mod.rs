//! Set-up: everything that a fresh clone needs, installed when it is first needed.
//!
//! Each part finds out by itself whether there is something to do, says what it installs and why,
//! and costs next to nothing when all is there. Nothing is written outside the checkout and the
//! cache folder, except for Debian packages, which are installed only by root.

pub mod apt;
pub mod browser;
pub mod cargo_tools;
pub mod node;
pub mod wasm;

use crate::places;
use crate::shell::{Outcome, is_program, path_with, say};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::path::PathBuf;
use std::process::Command;

/// What is needed to build the page: the wasm compiler, Trunk and wasm-bindgen, the npm packages.
pub struct WebTools {
    rust: wasm::WasmRust,
    path: OsString,
}

impl WebTools {
    /// Finds or installs all of it.
    pub fn ready() -> Outcome<Self> {
        let _lock = Lock::take()?;
        let node = node::ready()?;
        let rust = wasm::ready()?;
        let wasm_bindgen = cargo_tools::ready(&cargo_tools::WASM_BINDGEN)?;
        let trunk = cargo_tools::ready(&cargo_tools::TRUNK)?;
        Ok(Self { rust, path: path_with(&[node.bin, wasm_bindgen, trunk])? })
    }

    /// PATH with the tools in front.
    pub fn path(&self) -> &OsStr {
        &self.path
    }

    /// Where a program of the tools is.
    pub fn program(&self, name: &str) -> Outcome<PathBuf> {
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        std::env::split_paths(&self.path)
            .map(|folder| folder.join(&name))
            .find(|file| is_program(file))
            .ok_or_else(|| {
                format!(
                    "{name} is missing: remove the tools in {:?} and run this again",
                    places::cache()
                )
            })
    }

    /// A program that finds these tools, and compiles with the wasm compiler when it is cargo or
    /// calls it.
    pub fn command(&self, program: &str) -> Command {
        let mut command = match program {
            "cargo" => places::cargo(),
            _ => Command::new(program),
        };
        command.current_dir(places::root()).env("PATH", &self.path);
        self.rust.apply(&mut command);
        command
    }
}

/// Installs everything, for `cargo xtask setup`.
pub fn everything() -> Outcome {
    let _tools = WebTools::ready()?;
    let _browser = browser::ready()?;
    say("everything is set up");
    Ok(())
}

/// Keeps two runs from installing the same thing at once.
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Waits until no other run is installing.
    pub fn take() -> Outcome<Self> {
        let folder = places::cache()?;
        std::fs::create_dir_all(&folder).map_err(|error| {
            format!(
                "cannot make the folder for tools {}: {error}; set PROMENADE_CACHE to another one",
                folder.display()
            )
        })?;
        let name = folder.join("lock");
        let file = File::create(&name).map_err(|error| {
            format!("cannot write {}: {error}; make the folder writable", name.display())
        })?;
        if file.try_lock().is_err() {
            say("waiting for another run that is installing tools");
            file.lock().map_err(|error| format!("cannot lock {}: {error}", name.display()))?;
        }
        Ok(Self { _file: file })
    }
}
