//! Every model of the gallery says what its header promises, for each setting of its parameters.

use promenade_gallery::{ENTRIES, ErrorKind, ExpectedVerdict, Property, Setting};
use promenade_protocol::{Define, Experiment, File, Report, Settings, Verdict};

#[test]
fn verdicts_and_counts_are_those_of_the_headers() {
    let mut wrong = Vec::new();
    let mut checked = 0;
    for entry in ENTRIES {
        let header = entry.header().expect("headers parse");
        for expectation in &header.expectations {
            if expectation.property != Property::Safety {
                continue;
            }
            let say = |what: String| format!("{} {:?}: {what}", entry.name, expectation.settings);
            let full = run(entry.name, entry.text, &expectation.settings, true);
            let counted = full.statistics.states_stored;
            if let Some(states) = header.states_with(&expectation.settings)
                && states != counted
            {
                wrong.push(say(format!("{counted} states instead of {states}")));
            }
            let counted = full.statistics.transitions;
            if let Some(transitions) = header.transitions_with(&expectation.settings)
                && transitions != counted
            {
                wrong.push(say(format!("{counted} transitions instead of {transitions}")));
            }
            let first = run(entry.name, entry.text, &expectation.settings, false);
            for report in [&full, &first] {
                if let Some(what) = disagreement(&expectation.verdict, report) {
                    wrong.push(say(what));
                }
            }
            checked += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked >= 32, "only {checked} expectations were checked");
}

fn run(name: &str, text: &str, settings: &[Setting], all_errors: bool) -> Report {
    let defines = settings
        .iter()
        .map(|s| Define { name: s.name.clone(), value: Some(s.value.to_string()) })
        .collect();
    promenade_service::check(Experiment {
        files: vec![File { name: format!("{name}.pml"), text: text.to_owned() }],
        settings: Settings { all_errors, defines, ..Settings::default() },
        ..Experiment::default()
    })
}

fn disagreement(expected: &ExpectedVerdict, report: &Report) -> Option<String> {
    match expected {
        ExpectedVerdict::Holds if report.verdict == Verdict::Holds => None,
        ExpectedVerdict::Violated(kind) if report.verdict == Verdict::Violated => {
            let found = &report.violations.first()?.kind;
            let fits = match kind {
                Some(ErrorKind::Assertion) => found == "assertion",
                Some(ErrorKind::InvalidEndState) => found == "invalid_end_state",
                Some(ErrorKind::Trace) => found.starts_with("trace_"),
                Some(ErrorKind::RunTimeError) => true,
                None => true,
            };
            (!fits).then(|| format!("{found} instead of {kind:?}"))
        }
        _ => Some(format!("{:?} instead of {expected:?}: {}", report.verdict, report.summary)),
    }
}
