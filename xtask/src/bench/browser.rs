//! Promenade's other side: the release build of the checker, in a worker of headless Chromium.

use super::models::Model;
use super::{Run, Subject};
use crate::setup::{self, WebTools};
use crate::shell::{Outcome, say};
use crate::site::Kind;
use crate::{npm_package, places};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::Duration;

/// A page with a checker, driven line by line.
pub struct Worker {
    driver: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

/// Builds the npm package and opens a page that uses it.
pub fn start() -> Outcome<Worker> {
    let tools = WebTools::ready()?;
    let browser = setup::browser::ready()?;
    npm_package::build(&tools, Kind::Release)?;
    let server = std::env::current_exe()
        .map_err(|error| format!("cannot tell where this program is: {error}"))?;
    say("opening the checker in headless Chromium");
    let mut driver = tools
        .command("node")
        .arg(places::root().join("tests/browser/bench.mjs"))
        .env("PROMENADE_XTASK", server)
        .env("PROMENADE_CHROMIUM", &browser.browser)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start node: {error}"))?;
    let requests = driver.stdin.take();
    let answers = driver.stdout.take().ok_or("node has no output")?;
    let mut worker = Worker { driver, requests, answers: BufReader::new(answers) };
    match worker.line() {
        Ok(line) if line.trim() == "ready" => Ok(worker),
        _ => Err("the checker did not start in the browser: see above".into()),
    }
}

impl Worker {
    /// The next line that is an answer: node's test library, which the tests' harness loads, writes
    /// lines of its own.
    fn line(&mut self) -> Result<String, String> {
        loop {
            let mut line = String::new();
            self.answers.read_line(&mut line).map_err(|error| error.to_string())?;
            if line.is_empty() {
                return Err("the browser is gone".into());
            }
            if line.starts_with('{') || line.trim() == "ready" {
                return Ok(line);
            }
        }
    }

    /// The answer to a request.
    fn ask(&mut self, request: &Value) -> Result<Value, String> {
        let requests = self.requests.as_mut().ok_or("the browser is gone")?;
        writeln!(requests, "{request}").map_err(|error| error.to_string())?;
        serde_json::from_str(&self.line()?).map_err(|error| error.to_string())
    }

    /// Seconds from sending a formula to having all that is said of it.
    pub fn formula(&mut self, text: &str) -> Result<f64, String> {
        let answer = self.ask(&json!({ "formula": text }))?;
        let message = answer["message"].as_str().unwrap_or("no time was measured");
        answer["seconds"].as_f64().ok_or_else(|| message.to_owned())
    }

    fn check(&mut self, model: &Model, count: bool, limit: Duration) -> Result<Run, String> {
        let files: Vec<Value> = model
            .texts()?
            .into_iter()
            .map(|(name, text)| json!({ "name": name, "text": text }))
            .collect();
        let memory = json!({ "memory_mib": 2048, "all_errors": count, "keep_violations": 1 });
        let request = json!({
            "experiment": { "files": files, "settings": memory },
            "claim": count,
            "limit": limit.as_secs_f64(),
        });
        let answer = self.ask(&request)?;
        let verdict = answer["verdict"]["verdict"].as_str().unwrap_or_default();
        if !matches!(verdict, "holds" | "violated") {
            let why = answer["verdict"]["why"].as_str().or(answer["message"].as_str());
            return Err(format!("{verdict} {}", why.unwrap_or_default()).trim().to_owned());
        }
        Ok(Run {
            seconds: answer["seconds"].as_f64().unwrap_or(f64::NAN),
            states: answer["statistics"]["states_stored"].as_u64().unwrap_or(0),
            bytes: answer["statistics"]["store_bytes"].as_f64().unwrap_or(0.0),
        })
    }
}

impl Subject for Worker {
    fn name(&self) -> &'static str {
        "promenade in a tab"
    }

    fn wanted_rate(&self) -> f64 {
        1.5
    }

    fn verdict(&mut self, model: &Model, limit: Duration) -> Result<Run, String> {
        self.check(model, false, limit)
    }

    fn exhaust(&mut self, model: &Model, limit: Duration) -> Result<Run, String> {
        self.check(model, true, limit)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.requests = None;
        let _ = self.driver.wait();
    }
}
