//! SPIN's side: the command itself, and verifiers that it generates.

use super::Run;
use super::largest::Filling;
use super::models::Model;
use crate::setup::apt;
use crate::shell::{Outcome, say, which};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Finds SPIN and a C compiler, or installs Debian's.
pub fn ready() -> Outcome {
    let missing: Vec<&str> =
        ["spin", "gcc"].into_iter().filter(|program| which(program).is_none()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names = missing.join(" and ");
    if !apt::may_install() {
        return Err(format!(
            "{names} missing: the benchmark compares with SPIN; install it (spinroot.com, Debian: \
             `apt-get install spin gcc`), then run this again"
        ));
    }
    say(format!("installing the Debian packages {names}: the benchmark compares with SPIN"));
    apt::install(&["spin", "gcc", "libc6-dev"])
}

/// `spin -run`: translates, compiles, and searches to the first error.
pub fn verdict(model: &Model, limit: Duration) -> Result<Run, String> {
    let folder = Scratch::new()?;
    let mut command = Command::new("spin");
    command.args(["-run", "-noclaim", "-DSAFETY"]).arg(depth(model)).arg(&model.file);
    command.current_dir(&folder.path);
    let (output, seconds) = timed(&mut command, limit)?;
    parse(&String::from_utf8_lossy(&output.stdout), seconds)
}

/// A compiled verifier for exhaustive searches.
pub struct Verifier {
    folder: Scratch,
    depth: String,
}

impl Verifier {
    /// Generates and compiles it without anything that reduces; this is not measured.
    pub fn compile(model: &Model) -> Result<Self, String> {
        let gcc = ["-DSAFETY", "-DNOREDUCE", "-DNOCLAIM"];
        Self::compile_with(model, &["-o1", "-o2", "-o3"], &gcc)
    }

    /// The same with other options of spin and gcc.
    pub fn compile_with(model: &Model, spin: &[&str], gcc: &[&str]) -> Result<Self, String> {
        let folder = Scratch::new()?;
        let spin = Command::new("spin")
            .arg("-a")
            .args(spin)
            .arg(&model.file)
            .current_dir(&folder.path)
            .output()
            .map_err(|error| format!("cannot start `spin`: {error}"))?;
        if !folder.path.join("pan.c").is_file() {
            let text = String::from_utf8_lossy(&spin.stdout);
            return Err(format!("spin: {}", text.lines().next().unwrap_or("no verifier")));
        }
        let gcc = Command::new("gcc")
            .args(["-O2", "-w"])
            .args(gcc)
            .args(["-o", "pan", "pan.c"])
            .current_dir(&folder.path)
            .output()
            .map_err(|error| format!("cannot start `gcc`: {error}"))?;
        if !gcc.status.success() {
            return Err("gcc refuses the verifier".into());
        }
        Ok(Self { folder, depth: depth(model) })
    }

    /// Searches every state.
    pub fn run(&self, limit: Duration) -> Result<Run, String> {
        self.run_with(&["-c0", "-n"], limit)
    }

    /// The same with other options of pan.
    pub fn run_with(&self, options: &[&str], limit: Duration) -> Result<Run, String> {
        let mut command = Command::new(self.folder.path.join("pan"));
        command.args(options).arg(&self.depth).current_dir(&self.folder.path);
        let (output, seconds) = timed(&mut command, limit)?;
        parse(&String::from_utf8_lossy(&output.stdout), seconds)
    }

    /// Searches until all states are found or the memory is used up, as deep as the stack goes.
    pub fn fill(&self, options: &[&str], limit: Duration) -> Result<Filling, String> {
        let mut command = Command::new(self.folder.path.join("pan"));
        command.args(options).current_dir(&self.folder.path);
        let (output, seconds) = timed(&mut command, limit)?;
        let text = String::from_utf8_lossy(&output.stdout);
        // It goes on beyond a path that is too deep.
        let deep = "max search depth too small";
        let complete = !text.contains("MEMLIM") && !text.contains(deep);
        Ok(Filling { run: parse(&text.replace(deep, ""), seconds)?, complete })
    }
}

/// A search depth that is enough, without a stack so large that clearing it is what is measured.
fn depth(model: &Model) -> String {
    format!("-m{}", model.depth.map_or(100_000, |depth| depth * 2 + 10_000))
}

/// Reads pan's report.
fn parse(text: &str, seconds: f64) -> Result<Run, String> {
    let number = |ending: &str| {
        text.lines()
            .find_map(|line| line.trim().strip_suffix(ending))
            .and_then(|start| start.trim().parse::<f64>().ok())
    };
    if text.contains("max search depth too small") {
        return Err("depth limit too small".into());
    }
    let states = number("states, stored").or_else(|| {
        // With claims or ignored errors pan adds remarks to the number.
        let line = text.lines().find(|line| line.contains("states, stored"))?;
        line.split_whitespace().next()?.parse().ok()
    });
    let Some(states) = states else {
        return Err("no statistics".into());
    };
    let bytes = text
        .lines()
        .find(|line| line.contains("actual memory usage for states"))
        .and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok())
        .unwrap_or(0.0)
        * 1024.0
        * 1024.0;
    Ok(Run { seconds, states: states as u64, bytes })
}

/// Runs a command to its end and takes the time; ends it when it takes longer than the limit.
pub fn timed(command: &mut Command, limit: Duration) -> Result<(Output, f64), String> {
    // A group of its own, so that the verifier below `spin -run` can be ended with it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let started = Instant::now();
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start: {error}"))?;
    let id = child.id();
    let (done, wait) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let output = child.wait_with_output();
        // Nobody listens after the limit.
        let _ = done.send((output, started.elapsed()));
    });
    match wait.recv_timeout(limit) {
        Ok((Ok(output), elapsed)) => Ok((output, elapsed.as_secs_f64())),
        Ok((Err(error), _)) => Err(format!("lost: {error}")),
        Err(_) => {
            let _ = Command::new("kill").args(["-KILL", "--", &format!("-{id}")]).status();
            Err(format!("more than {} s", limit.as_secs()))
        }
    }
}

/// A folder for generated files, removed at the end.
struct Scratch {
    path: PathBuf,
}

impl Scratch {
    fn new() -> Result<Self, String> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("promenade-bench-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path)
            .map_err(|error| format!("cannot make {}: {error}", path.display()))?;
        Ok(Self { path })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

fn remove(folder: &Path) {
    let _ = std::fs::remove_dir_all(folder);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_report_of_a_verifier() {
        let text = "State-vector 36 byte, depth reached 47, errors: 0\n       38 states, stored\n\
            \x20      27 states, matched\n    0.289\tactual memory usage for states\n";
        let run = parse(text, 0.5).unwrap();
        assert_eq!((run.states, run.seconds), (38, 0.5));
        assert!((run.bytes - 0.289 * 1_048_576.0).abs() < 1.0);
        assert!(parse("spin: error", 0.1).is_err());
    }

    #[test]
    fn ends_what_takes_too_long() {
        let mut command = Command::new("sleep");
        let result = timed(command.arg("30"), Duration::from_millis(50));
        assert!(result.is_err());
    }
}
