//! Running other programs and telling the user about it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What went wrong, as one sentence for the user, with the remedy in it.
pub type Failure = String;

/// The result of every step.
pub type Outcome<T = ()> = Result<T, Failure>;

/// Tells the user what is going on, on standard error, so that standard output stays for results.
pub fn say(message: impl AsRef<str>) {
    eprintln!("xtask: {}", message.as_ref());
}

/// Runs a command and turns every way of not succeeding into a sentence.
pub fn run(command: &mut Command) -> Outcome {
    let name = name_of(command);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{}` ended with {status}", shown(command))),
        Err(error) => Err(format!("cannot start `{name}`: {error}")),
    }
}

/// Runs a command and gives what it wrote to standard output, trimmed.
pub fn capture(command: &mut Command) -> Outcome<String> {
    let name = name_of(command);
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot start `{name}`: {error}"))?;
    if !output.status.success() {
        return Err(format!("`{}` ended with {}", shown(command), output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Like [`capture`], but silent, and `None` where the program is missing or fails.
pub fn ask(program: impl AsRef<Path>, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program.as_ref())
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}

/// The full path of a program that PATH knows.
pub fn which(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| is_program(file))
}

/// True for a file that may be executed.
pub fn is_program(file: &Path) -> bool {
    let Ok(metadata) = file.metadata() else { return false };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        metadata.is_file() && metadata.permissions().mode() & 0o111 != 0
    }
    #[cfg(not(unix))]
    metadata.is_file()
}

/// PATH with some folders put in front.
pub fn path_with(folders: &[PathBuf]) -> Outcome<std::ffi::OsString> {
    let old = std::env::var_os("PATH").unwrap_or_default();
    let all = folders.iter().cloned().chain(std::env::split_paths(&old));
    std::env::join_paths(all).map_err(|error| format!("a folder cannot be part of PATH: {error}"))
}

/// The command line as a user would type it.
pub fn shown(command: &Command) -> String {
    let mut text = name_of(command);
    for argument in command.get_args() {
        text.push(' ');
        text.push_str(&argument.to_string_lossy());
    }
    text
}

fn name_of(command: &Command) -> String {
    let program = Path::new(command.get_program());
    program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned()
}
