//! `promenade trace`.

use crate::arguments::Request;
use crate::output::{self, StatusLine};
use crate::{Exit, check, diagnostics, files, json};
use promenade_protocol::link::{self, Target, Trail};
use promenade_protocol::{Event, Experiment, Report, Settings, Verdict};
use promenade_service::Session;
use serde_json::Value;

/// Runs the command.
pub(crate) fn run(request: &Request) -> Exit {
    let (experiment, trail) = match find(&request.file) {
        Ok(found) => found,
        Err(message) => {
            output::complain(&message);
            return Exit::Input;
        }
    };
    let Some((report, mismatch)) = replay(experiment, trail) else {
        output::complain("the replay came to no end");
        return Exit::Internal;
    };
    if report.verdict == Verdict::InputError {
        return diagnostics::refuse(&report.diagnostics, &report.experiment);
    }
    let mut out = String::new();
    if let Some(found) = report.violations.first() {
        out.push_str(&found.message);
        out.push_str("\n\n");
        out.push_str(&check::violation(found, &report.experiment, true));
    }
    output::print(&out);
    match mismatch {
        None => Exit::Violated,
        Some(why) => {
            output::complain(&format!("the counterexample does not fit: {why}"));
            Exit::NotConclusive
        }
    }
}

fn replay(experiment: Experiment, trail: Trail) -> Option<(Report, Option<String>)> {
    let mut line = StatusLine::new();
    let mut session = Session::new(check::watch());
    session.submit(promenade_protocol::Request::Replay {
        job: 1,
        experiment,
        choices: trail.choices,
        checksum: trail.checksum,
        stem: trail.stem,
    });
    while !session.is_idle() {
        for event in session.advance(0.05) {
            check::has_read();
            match event {
                Event::Progress { progress, .. } if progress.seconds >= check::PATIENCE => {
                    let (made, of) = (progress.transitions, progress.max_depth);
                    line.show(&format!(
                        "{:.0} s: replayed {made} of {of} choices",
                        progress.seconds
                    ));
                }
                Event::Replayed { report, mismatch, .. } => {
                    line.clear();
                    return Some((*report, mismatch));
                }
                _ => {}
            }
        }
    }
    None
}

/// The model and its counterexample: from a link, a file with a link, or a file with a report.
fn find(argument: &str) -> Result<(Experiment, Trail), String> {
    let text = match files::text(argument) {
        Ok(text) => text,
        // A link is no file.
        Err(_) if argument.contains('#') || argument.starts_with('1') => argument.to_owned(),
        Err(error) => {
            return Err(format!("`{argument}` is no link, and cannot be read as a file: {error}"));
        }
    };
    let text = text.trim();
    if text.starts_with('{') {
        return from_report(text);
    }
    let fragment = link::parse(text).map_err(|error| error.to_string())?;
    match fragment.target {
        Target::Content(link) => match link.trail {
            Some(trail) => Ok((link.experiment, trail)),
            None => Err("this link contains a model, but no counterexample".to_owned()),
        },
        Target::Assignment(name) => {
            Err(format!("the link names the assignment `{name}`, not a counterexample"))
        }
        Target::Example(name) => Err(format!(
            "this link is to the model `{name}` of the gallery; it has no counterexample"
        )),
        Target::Nothing => Err("this is no link to a model".to_owned()),
    }
}

/// From what `promenade check --json` has written.
fn from_report(text: &str) -> Result<(Experiment, Trail), String> {
    let report: Value = serde_json::from_str(text)
        .map_err(|error| format!("the file looks like a report, but cannot be read: {error}"))?;
    let bad = |field: &str| format!("the report has no usable field `{field}`");
    let trail = report.get("trail").filter(|trail| !trail.is_null());
    let trail = trail.ok_or("the report contains no counterexample")?;
    let read = |field: &str| trail.get(field).cloned().ok_or_else(|| bad(field));
    let list = |field: &str| -> Result<Vec<u32>, String> {
        serde_json::from_value(read(field)?).map_err(|_| bad(&format!("trail.{field}")))
    };
    let mut choices = list("prefix")?;
    let cycle = list("cycle")?;
    let stem = (!cycle.is_empty()).then_some(choices.len() as u32);
    choices.extend(cycle);
    let checksum: u32 =
        serde_json::from_value(read("checksum")?).map_err(|_| bad("trail.checksum"))?;
    let name = report.get("file").and_then(Value::as_str).ok_or_else(|| bad("file"))?;
    let options = report.get("options").cloned().ok_or_else(|| bad("options"))?;
    warn_of_unknown(&options);
    let settings: Settings = serde_json::from_value(options).map_err(|_| bad("options"))?;
    let property = report.get("property").and_then(Value::as_str).and_then(json::read_property);
    let property = property.ok_or_else(|| bad("property"))?;
    let files = files::read(name)?;
    Ok((Experiment { files, property, settings }, Trail { choices, checksum, stem }))
}

/// Says which options of a report are not known: they were not taken into account.
fn warn_of_unknown(options: &Value) {
    let Ok(Value::Object(known)) = serde_json::to_value(Settings::default()) else { return };
    let unknown = options.as_object().into_iter().flatten().map(|(name, _)| name);
    for name in unknown.filter(|name| !known.contains_key(*name)) {
        output::complain(&format!(
            "warning: the report's option `{name}` is not known and ignored"
        ));
    }
}
