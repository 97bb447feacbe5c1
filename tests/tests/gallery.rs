//! Every model of the gallery says what its header promises, for each setting of its parameters.

use promenade_gallery::{ENTRIES, ErrorKind, ExpectedVerdict, Property, Setting};
use promenade_protocol::{
    Define, Emptiness, Experiment, Fairness, File, Property as Checked, Report, Settings, Verdict,
    WriteOnly,
};

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

/// Formulas and progress, by every search that can be used.
#[test]
fn infinite_runs_are_those_of_the_headers() {
    let mut wrong = Vec::new();
    let mut checked = 0;
    for entry in ENTRIES {
        for expectation in &entry.header().expect("headers parse").expectations {
            let (property, fair) = match &expectation.property {
                Property::Safety => continue,
                Property::Formula { name, fair } => {
                    (Checked::Ltl { name: Some(name.clone()) }, *fair)
                }
                Property::Progress { fair } => (Checked::Progress, *fair),
            };
            for emptiness in [
                Emptiness::Automatic,
                Emptiness::NestedDfs,
                Emptiness::Couvreur,
                Emptiness::CouvreurShy,
                Emptiness::CouvreurWithoutRem,
                Emptiness::GeneralisedNestedDfs,
            ] {
                if fair && emptiness == Emptiness::NestedDfs {
                    continue;
                }
                let fairness = if fair { Fairness::Weak } else { Fairness::None };
                let report = promenade_service::check(Experiment {
                    files: vec![File { name: entry.name.to_owned(), text: entry.text.to_owned() }],
                    property: property.clone(),
                    settings: Settings {
                        defines: defines(&expectation.settings),
                        fairness,
                        emptiness,
                        ..Settings::default()
                    },
                });
                let expected = matches!(expectation.verdict, ExpectedVerdict::Violated(_));
                let verdict = if expected { Verdict::Violated } else { Verdict::Holds };
                if report.verdict != verdict {
                    let summary = &report.summary;
                    wrong.push(format!("{} {property:?} {emptiness:?}: {summary}", entry.name));
                }
                checked += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked >= 80, "only {checked} expectations were checked");
}

fn defines(settings: &[Setting]) -> Vec<Define> {
    let define = |s: &Setting| Define { name: s.name.clone(), value: Some(s.value.to_string()) };
    settings.iter().map(define).collect()
}

/// All errors, with all variables as parts of states, or the first one as the page looks for it.
fn run(name: &str, text: &str, settings: &[Setting], all_errors: bool) -> Report {
    let defines = defines(settings);
    let write_only = if all_errors { WriteOnly::Keep } else { WriteOnly::LeaveOut };
    promenade_service::check(Experiment {
        files: vec![File { name: format!("{name}.pml"), text: text.to_owned() }],
        settings: Settings { all_errors, write_only, defines, ..Settings::default() },
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
