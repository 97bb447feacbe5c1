//! Promenade's side: the release build of the command line.

use super::largest::Filling;
use super::models::Model;
use super::spin::timed;
use super::{Run, Subject};
use crate::places;
use crate::shell::{Outcome, run, say};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The built command.
pub struct Promenade {
    program: PathBuf,
}

/// Builds it.
pub fn build() -> Outcome<Promenade> {
    say("building promenade in release mode");
    run(places::cargo().args([
        "build",
        "--quiet",
        "--profile",
        "release",
        "--package",
        "promenade-cli",
    ]))
    .map_err(|_| "promenade could not be built: see above".to_owned())?;
    let name = format!("promenade{}", std::env::consts::EXE_SUFFIX);
    Ok(Promenade { program: places::target().join("release").join(name) })
}

impl Subject for Promenade {
    fn name(&self) -> &'static str {
        "promenade"
    }

    fn wanted_rate(&self) -> f64 {
        2.0
    }

    fn verdict(&mut self, model: &Model, limit: Duration) -> Result<Run, String> {
        self.check(model, &[], limit)
    }

    fn exhaust(&mut self, model: &Model, limit: Duration) -> Result<Run, String> {
        self.check(model, &["--spin-counting"], limit)
    }
}

impl Promenade {
    /// Grades a folder of submissions. That some do not pass is no error.
    pub fn grade(&self, assignment: &Path, submissions: &Path, jobs: usize) -> Outcome {
        let output = Command::new(&self.program)
            .arg("grade")
            .args([assignment, submissions])
            .arg(format!("--jobs={jobs}"))
            .output()
            .map_err(|error| format!("promenade cannot be run: {error}"))?;
        match output.status.code() {
            Some(0..=2) => Ok(()),
            _ => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }

    /// A whole search with these options.
    pub fn states(&self, model: &Model, options: &[&str], limit: Duration) -> Result<Run, String> {
        self.check(model, options, limit)
    }

    /// The same, also if the memory does not suffice.
    pub fn fill(
        &self,
        model: &Model,
        options: &[&str],
        limit: Duration,
    ) -> Result<Filling, String> {
        let (report, seconds) = self.report(model, options, limit)?;
        if !matches!(report["verdict"].as_str(), Some("holds" | "violated"))
            && report["why"] != "memory"
        {
            return Err(said(&report));
        }
        let complete = report["why"].is_null();
        Ok(Filling { run: numbers(&report, seconds), complete })
    }

    /// How many states a search has stored, and why it was not complete, if it was not.
    pub fn reach(
        &self,
        model: &Model,
        options: &[&str],
        limit: Duration,
    ) -> Result<(u64, Option<String>), String> {
        let (report, _) = self.report(model, options, limit)?;
        match report["states_stored"].as_u64() {
            Some(states) => Ok((states, report["why"].as_str().map(str::to_owned))),
            None => Err(said(&report)),
        }
    }

    fn check(&self, model: &Model, options: &[&str], limit: Duration) -> Result<Run, String> {
        let (report, seconds) = self.report(model, options, limit)?;
        let done = report["why"] == "omissions";
        if !done && !matches!(report["verdict"].as_str(), Some("holds" | "violated")) {
            return Err(said(&report));
        }
        Ok(numbers(&report, seconds))
    }

    fn report(
        &self,
        model: &Model,
        options: &[&str],
        limit: Duration,
    ) -> Result<(Value, f64), String> {
        let mut command = Command::new(&self.program);
        command.arg("check").arg(&model.file).arg("--json").args(options);
        let (output, seconds) = timed(&mut command, limit)?;
        let report = serde_json::from_slice(&output.stdout)
            .map_err(|_| format!("no report, {}", output.status))?;
        Ok((report, seconds))
    }
}

fn numbers(report: &Value, seconds: f64) -> Run {
    Run {
        seconds,
        states: report["states_stored"].as_u64().unwrap_or(0),
        bytes: report["store_bytes"].as_f64().unwrap_or(0.0),
    }
}

/// Why a report gives no number.
fn said(report: &Value) -> String {
    let verdict = report["verdict"].as_str().unwrap_or_default();
    let why = report["why"].as_str().or(report["message"].as_str()).unwrap_or_default();
    format!("{verdict} {why}").trim().to_owned()
}
