//! A Rust compiler with the library for wasm32-unknown-unknown.
//!
//! With rustup this is `rustup target add`. Where that does not work, on Debian, the compiler that
//! Debian builds its browsers with is unpacked into the cache and the library is built from the
//! source of the same version: compiler and library must be of one version, so the whole wasm
//! build then uses that compiler, while native builds keep the one of the machine. Nothing is
//! written to /usr and root is not needed. `PROMENADE_WASM=debian` asks for this route.

use crate::places;
use crate::setup::apt;
use crate::shell::{Outcome, ask, capture, is_program, run, say, which};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const TARGET: &str = "wasm32-unknown-unknown";
const HOST: &str = "x86_64-unknown-linux-gnu";
/// Changed when the way the toolchain is made changes, so that old ones are not taken.
const LAYOUT: &str = "1";

/// The compiler for wasm builds.
pub enum WasmRust {
    /// The one that native builds use too.
    Same,
    /// Another one, in this folder (`bin/rustc` and `bin/rustdoc`).
    Private(PathBuf),
}

impl WasmRust {
    /// Makes a command (cargo, or a program that calls it) use this compiler.
    pub fn apply(&self, command: &mut Command) {
        if let Self::Private(folder) = self {
            command
                .env("RUSTC", folder.join("bin/rustc"))
                .env("RUSTDOC", folder.join("bin/rustdoc"));
        }
    }
}

/// Finds or installs it.
pub fn ready() -> Outcome<WasmRust> {
    let debian = std::env::var("PROMENADE_WASM").is_ok_and(|way| way == "debian");
    if !debian {
        if has_library("rustc") {
            return Ok(WasmRust::Same);
        }
        if which("rustup").is_some() {
            say(format!("adding the Rust target {TARGET}: the page runs as wasm"));
            let added = run(Command::new("rustup")
                .args(["target", "add", TARGET])
                .stdin(Stdio::null())
                .stdout(std::io::stderr()));
            if added.is_ok() && has_library("rustc") {
                return Ok(WasmRust::Same);
            }
            say("rustup could not add the target");
        }
    }
    if !apt::exists() || std::env::consts::ARCH != "x86_64" {
        return Err(format!(
            "the Rust target {TARGET} is missing: install Rust with rustup (rustup.rs) and run \
             `rustup target add {TARGET}`, then this again"
        ));
    }
    let folder = places::cache()?.join("wasm-rust");
    if fs::read_to_string(folder.join("ok")).is_ok_and(|layout| layout == LAYOUT) {
        return Ok(WasmRust::Private(folder));
    }
    unpack_and_build(&folder)?;
    Ok(WasmRust::Private(folder))
}

fn has_library(rustc: &str) -> bool {
    let Some(sysroot) = ask(rustc, &["--print", "sysroot"]) else { return false };
    let folder = Path::new(&sysroot).join("lib/rustlib").join(TARGET).join("lib");
    fs::read_dir(folder).is_ok_and(|entries| {
        entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("libstd-"))
    })
}

fn unpack_and_build(folder: &Path) -> Outcome {
    say(format!(
        "unpacking Debian's Rust compiler for wasm and building its library, because rustup cannot \
         provide the target {TARGET} here (once, about two minutes, 560 MB in {})",
        folder.display()
    ));
    // Made under another name, so that an interrupted run leaves nothing that looks ready. The
    // compiler finds its library from where it lies, so the folder may be moved; only the wrapper
    // scripts name it, and they are written for the final place.
    let work = folder.with_extension("new");
    for old in [&work, &folder.to_path_buf()] {
        if old.exists() {
            fs::remove_dir_all(old)
                .map_err(|error| format!("cannot remove {}: {error}", old.display()))?;
        }
    }
    unpack(&work)?;
    write_programs(&work, folder)?;
    fs::rename(&work, folder)
        .map_err(|error| format!("cannot rename {}: {error}", work.display()))?;
    build_library(folder)?;
    write(&folder.join("ok"), LAYOUT)
}

/// Downloads the packages and unpacks what is needed of them.
fn unpack(work: &Path) -> Outcome {
    let library = "libstd-rust-web-dev";
    apt::update_lists_for(&["rustc-web", "rust-web-src", library])?;
    let runtime = depends_on(library, "libstd-rust-web-")?;
    let llvm = depends_on(&runtime, "libllvm")?;
    unpack_packages(work, &["rustc-web", "rust-web-src", library, &runtime, &llvm])?;
    // LLVM's own libraries are on most machines, but not on a bare one.
    if runs(work) {
        return Ok(());
    }
    let needed = libraries_of(&llvm)?;
    unpack_packages(work, &needed.iter().map(String::as_str).collect::<Vec<_>>())
}

/// True when the unpacked compiler starts.
fn runs(work: &Path) -> bool {
    Command::new(work.join("usr/bin/rustc"))
        .arg("--version")
        .env("LD_LIBRARY_PATH", work.join("usr/lib/x86_64-linux-gnu"))
        .output()
        .is_ok_and(|output| output.status.success())
}

/// What a package needs, all the way down, but for the C and C++ libraries: those are on every
/// Debian machine, and a second C library beside the first would not start.
fn libraries_of(package: &str) -> Outcome<Vec<String>> {
    let kinds = ["recommends", "suggests", "conflicts", "breaks", "replaces", "enhances"];
    let text = capture(
        Command::new("apt-cache")
            .args(["depends", "--recurse"])
            .args(kinds.map(|kind| format!("--no-{kind}")))
            .arg(package),
    )?;
    let base = ["libc6", "libgcc-s1", "libstdc++6", "libcrypt1"];
    Ok(text
        .lines()
        .filter(|line| line.starts_with("lib") || line.starts_with("zlib"))
        .filter(|name| !name.contains(':') && *name != package && !base.contains(name))
        .map(str::to_owned)
        .collect())
}

fn unpack_packages(work: &Path, packages: &[&str]) -> Outcome {
    let downloads = work.join("deb");
    make_folder(&downloads)?;
    run(apt::apt_get()
        .arg("download")
        .args(packages)
        .current_dir(&downloads)
        .stdout(std::io::stderr()))
    .map_err(|error| format!("{error}; check that Debian's packages can be reached"))?;
    let files = fs::read_dir(&downloads)
        .map_err(|error| format!("cannot read {}: {error}", downloads.display()))?;
    for file in files.flatten() {
        unpack_file(&file.path(), work)?;
    }
    // Some libraries lie outside /usr on Debian 12.
    let outside = work.join("lib/x86_64-linux-gnu");
    if let Ok(entries) = fs::read_dir(&outside) {
        let inside = work.join("usr/lib/x86_64-linux-gnu");
        make_folder(&inside)?;
        for entry in entries.flatten() {
            fs::rename(entry.path(), inside.join(entry.file_name()))
                .map_err(|error| format!("cannot move {}: {error}", entry.path().display()))?;
        }
    }
    let _ = fs::remove_dir_all(&downloads);
    Ok(())
}

fn unpack_file(package: &Path, work: &Path) -> Outcome {
    let mut reader = Command::new("dpkg-deb")
        .arg("--fsys-tarfile")
        .arg(package)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start `dpkg-deb`: {error}"))?;
    let Some(stream) = reader.stdout.take() else {
        return Err("`dpkg-deb` has no output to read".into());
    };
    // Anchored and without wildcards across slashes: else every crate's src would be left out.
    run(Command::new("tar").arg("x").arg("-C").arg(work).stdin(stream).args([
        "--anchored",
        "--no-wildcards-match-slash",
        "--exclude=./usr/share",
        "--exclude=./usr/src/*/compiler",
        "--exclude=./usr/src/*/src",
    ]))?;
    let read = reader.wait().map_err(|error| format!("`dpkg-deb` was lost: {error}"))?;
    if !read.success() {
        return Err(format!("{} is damaged: run this again", package.display()));
    }
    Ok(())
}

/// The package with this prefix that a package depends on.
fn depends_on(package: &str, prefix: &str) -> Outcome<String> {
    let text = capture(Command::new("apt-cache").args(["depends", package]))?;
    text.lines()
        .filter_map(|line| line.trim().strip_prefix("Depends: "))
        .find(|name| {
            name.strip_prefix(prefix)
                .is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
        })
        .map(str::to_owned)
        .ok_or_else(|| {
            format!(
                "Debian's package {package} does not name the {prefix} that it needs: use a machine \
                 with rustup, where `rustup target add {TARGET}` works"
            )
        })
}

/// Puts the linker in its place and writes wrappers that find the compiler's own libraries.
fn write_programs(work: &Path, folder: &Path) -> Outcome {
    let linkers = work.join("usr/lib/rustlib").join(HOST).join("bin");
    make_folder(&linkers)?;
    link(&linker()?, &linkers.join("rust-lld"))?;
    let programs = work.join("bin");
    make_folder(&programs)?;
    let usr = folder.join("usr");
    for name in ["rustc", "rustdoc"] {
        let file = programs.join(name);
        let script = format!(
            "#!/bin/sh\n\
             LD_LIBRARY_PATH='{usr}/lib/x86_64-linux-gnu'\"${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}\" \
             exec '{usr}/bin/{name}' \"$@\"\n",
            usr = usr.display()
        );
        write(&file, &script)?;
        make_program(&file)?;
    }
    Ok(())
}

/// rust-lld of the machine's toolchain, or LLVM's lld, which is the same program.
fn linker() -> Outcome<PathBuf> {
    let of_toolchain = ask("rustc", &["--print", "sysroot"])
        .map(|sysroot| Path::new(&sysroot).join("lib/rustlib").join(HOST).join("bin/rust-lld"));
    of_toolchain
        .into_iter()
        .chain(["lld-22", "lld-21", "lld-20", "lld-19"].iter().filter_map(|name| which(name)))
        .find(|file| is_program(file))
        .ok_or_else(|| {
            "no linker for wasm: install Rust with rustup, or Debian's package lld-19, then run \
             this again"
                .into()
        })
}

/// Builds the standard library from Debian's source with Debian's compiler.
fn build_library(folder: &Path) -> Outcome {
    let seed = folder.join("seed");
    make_folder(&seed.join("src"))?;
    write(
        &seed.join("Cargo.toml"),
        "[package]\nname = \"seed\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[workspace]\n",
    )?;
    write(&seed.join("src/lib.rs"), "#![no_std]\n")?;
    // RUSTC_BOOTSTRAP allows -Zbuild-std, for this one build. The bitcode is for link-time
    // optimisation of the release build. The crate `test` is for wasm tests.
    run(places::cargo()
        .args(["build", "-q", "-Zbuild-std=std,panic_abort,test", "--target", TARGET])
        .args(["--release", "--target-dir", "target"])
        .current_dir(&seed)
        .env("RUSTC", folder.join("bin/rustc"))
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", "-Cembed-bitcode=yes"))
    .map_err(|error| format!("the library for {TARGET} could not be built: {error}"))?;
    let library = folder.join("usr/lib/rustlib").join(TARGET).join("lib");
    make_folder(&library)?;
    let built = seed.join("target").join(TARGET).join("release/deps");
    let entries = fs::read_dir(&built)
        .map_err(|error| format!("cannot read {}: {error}", built.display()))?;
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".rlib") && !name.starts_with("libseed-") {
            fs::copy(entry.path(), library.join(&name))
                .map_err(|error| format!("cannot copy {name}: {error}"))?;
        }
    }
    let _ = fs::remove_dir_all(&seed);
    Ok(())
}

fn make_folder(folder: &Path) -> Outcome {
    fs::create_dir_all(folder)
        .map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))
}

fn write(file: &Path, text: &str) -> Outcome {
    fs::write(file, text).map_err(|error| format!("cannot write {}: {error}", file.display()))
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> Outcome {
    std::os::unix::fs::symlink(from, to)
        .map_err(|error| format!("cannot link {}: {error}", to.display()))
}

#[cfg(not(unix))]
fn link(from: &Path, to: &Path) -> Outcome {
    fs::copy(from, to).map(drop).map_err(|error| format!("cannot copy {}: {error}", to.display()))
}

#[cfg(unix)]
fn make_program(file: &Path) -> Outcome {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755))
        .map_err(|error| format!("cannot make {} executable: {error}", file.display()))
}

#[cfg(not(unix))]
fn make_program(_file: &Path) -> Outcome {
    Ok(())
}
