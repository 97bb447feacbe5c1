//! `promenade share`.

use crate::arguments::Request;
use crate::engine::Engines;
use crate::{Exit, check, diagnostics, files, output};
use promenade_protocol::link::{self, Link, Trail};
use promenade_protocol::{VERSION, Verdict};

/// Runs the command.
pub(crate) fn run(request: &Request) -> Exit {
    let mut experiment = match files::experiment(request) {
        Ok(experiment) => experiment,
        Err(message) => {
            output::complain(&message);
            return Exit::Input;
        }
    };
    if request.spin_counting {
        for note in check::count_as_spin(&mut experiment) {
            output::complain(&note);
        }
    }
    // The link shows names, not where the files lie on this machine.
    let name = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned();
    if let Some(main) = experiment.files.first_mut() {
        main.name = name(&main.name);
    }
    let mut trail = None;
    if request.with_trace {
        let engines = Engines::new(request.engine);
        let checked = check::with_threads(experiment.clone(), request.threads, &engines);
        let report = checked.report;
        if report.verdict == Verdict::InputError {
            return diagnostics::refuse(&report.diagnostics, &report.experiment);
        }
        match report.violations.first() {
            Some(found) => {
                let trace = &found.trace;
                let (choices, checksum) = (trace.choices.clone(), trace.checksum);
                trail = Some(Trail { choices, checksum, stem: trace.stem });
            }
            None => output::complain(&format!("no counterexample: {}", report.summary)),
        }
    }
    // The default of the page, unless another limit was asked for.
    let default = promenade_protocol::Settings::default().memory_mib;
    if experiment.settings.memory_mib == crate::arguments::MEMORY_MIB {
        experiment.settings.memory_mib = default;
    }
    let link = Link { experiment, trail, notes: String::new(), version: VERSION.to_owned() };
    match link::encode(&link) {
        Ok(text) => {
            output::print(&format!("#{text}\n"));
            Exit::Holds
        }
        Err(error) => {
            output::complain(&error.to_string());
            Exit::Input
        }
    }
}
