//! SPIN itself as an oracle, where it and a C compiler are installed.

use std::path::Path;
use std::process::{Command, Stdio};

/// What pan counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Distinct states.
    pub stored: u64,
    /// Arrivals at stored states.
    pub matched: u64,
    /// Reports.
    pub errors: u64,
}

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A complete run.
    Counts(Counts),
    /// SPIN refused the text; its first line of output.
    Refused(String),
    /// No statistics: the C compiler failed, pan died, or the depth limit cut the search.
    Unusable(String),
}

/// Whether both programs can be started.
pub fn available() -> bool {
    ["spin", "gcc"].iter().all(|program| {
        let version = if *program == "spin" { "-V" } else { "--version" };
        Command::new(program)
            .arg(version)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok()
    })
}

/// Runs the reference way (`spin -a -o1 -o2 -o3`, `-DSAFETY -DNOREDUCE`, `pan -c0`) in `folder`,
/// which must be private to the caller.
pub fn reference(text: &str, folder: &Path) -> std::io::Result<Answer> {
    safety(text, folder, &KEEP_ALL, &["-DNOREDUCE"])
}

/// Like [`reference`], but with SPIN's partial-order reduction.
pub fn reduced(text: &str, folder: &Path) -> std::io::Result<Answer> {
    safety(text, folder, &KEEP_ALL, &[])
}

/// Like [`reference`], but write-only variables are no part of states.
pub fn without_write_only(text: &str, folder: &Path) -> std::io::Result<Answer> {
    safety(text, folder, &["-o1", "-o3"], &["-DNOREDUCE"])
}

const KEEP_ALL: [&str; 3] = ["-o1", "-o2", "-o3"];

fn safety(text: &str, folder: &Path, keep: &[&str], flags: &[&str]) -> std::io::Result<Answer> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("model.pml"), text)?;
    let _ = std::fs::remove_file(folder.join("pan.c"));
    let run = |program: &str, arguments: &[&str]| {
        Command::new(program).args(arguments).current_dir(folder).stdin(Stdio::null()).output()
    };
    let spin = run("spin", &[&["-a"], keep, &["model.pml"]].concat())?;
    let said = String::from_utf8_lossy(&spin.stdout).into_owned();
    if !spin.status.success() || !folder.join("pan.c").is_file() {
        return Ok(Answer::Refused(said.lines().next().unwrap_or("").to_owned()));
    }
    let fixed = ["-w", "-O0", "-DSAFETY", "-DVECTORSZ=4096", "-o", "pan", "pan.c"];
    let gcc = run("gcc", &[flags, &fixed].concat())?;
    if !gcc.status.success() {
        return Ok(Answer::Unusable("gcc".to_owned()));
    }
    let pan = run("timeout", &["20", "./pan", "-c0", "-m200000"])?;
    Ok(read_statistics(&String::from_utf8_lossy(&pan.stdout)))
}

/// Whether SPIN finds a violation in a search for acceptance cycles (`pan -a`) along the formula or
/// claim of the text, or through accept labels; without reduction, fairness and invalid end states.
/// `None` if there is no answer.
pub fn violates(text: &str, folder: &Path) -> std::io::Result<Option<bool>> {
    Ok(match cycles(text, folder)? {
        Answer::Counts(counts) => Some(counts.errors > 0),
        _ => None,
    })
}

/// The same with the numbers. States are counted once, in whichever of the two searches.
pub fn cycles(text: &str, folder: &Path) -> std::io::Result<Answer> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("model.pml"), text)?;
    let _ = std::fs::remove_file(folder.join("pan.c"));
    let run = |program: &str, arguments: &[&str]| {
        Command::new(program).args(arguments).current_dir(folder).stdin(Stdio::null()).output()
    };
    let spin = run("timeout", &["20", "spin", "-a", "-o1", "-o2", "-o3", "model.pml"])?;
    if spin.status.code() == Some(124) {
        return Ok(Answer::Unusable("SPIN takes too long to translate the formula".to_owned()));
    }
    if !folder.join("pan.c").is_file() {
        let said = String::from_utf8_lossy(&spin.stdout);
        return Ok(Answer::Refused(said.lines().next().unwrap_or("").to_owned()));
    }
    let flags = ["-w", "-O0", "-DNOREDUCE", "-DVECTORSZ=4096", "-o", "pan", "pan.c"];
    if !run("gcc", &flags)?.status.success() {
        return Ok(Answer::Unusable("gcc".to_owned()));
    }
    let pan = run("timeout", &["20", "./pan", "-a", "-E", "-m200000"])?;
    Ok(read_statistics(&String::from_utf8_lossy(&pan.stdout)))
}

fn read_statistics(output: &str) -> Answer {
    let number = |marker: &str| {
        let line = output.lines().find(|l| l.contains(marker))?;
        let at = line.find(marker)?;
        line[..at].split_whitespace().last()?.parse().ok()
    };
    let errors = output
        .lines()
        .find_map(|l| l.split("errors: ").nth(1))
        .and_then(|rest| rest.trim().parse().ok());
    match (number("states, stored"), number("states, matched"), errors) {
        _ if output.contains("max search depth too small") => {
            Answer::Unusable("depth limit".to_owned())
        }
        (Some(stored), Some(matched), Some(errors)) => {
            Answer::Counts(Counts { stored, matched, errors })
        }
        _ => Answer::Unusable(output.lines().last().unwrap_or("no output").to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_read() {
        let text = "State-vector 20 byte, depth reached 2, errors: 7\n        3 states, stored\n        \
                    1 states, matched\n        4 transitions (= stored+matched)\n";
        assert_eq!(
            read_statistics(text),
            Answer::Counts(Counts { stored: 3, matched: 1, errors: 7 })
        );
    }
}
