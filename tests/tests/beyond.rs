//! Differences from SPIN that no model of the corpus shows: they are what is written down.

use promenade_protocol::{Experiment, File, Property, Settings};
use promenade_testkit::spin;
use promenade_tests::exceptions::{BEYOND, Beyond};

fn ours(text: &str, cycles: bool) -> (u64, u64, u64) {
    let file = File { name: "model.pml".to_owned(), text: text.to_owned() };
    let property = match (cycles, text.contains("never")) {
        (true, _) => Property::Acceptance { claim: None },
        (false, true) => Property::Claim { name: None },
        (false, false) => Property::Safety,
    };
    let settings = Settings { all_errors: true, end_states: !cycles, ..Settings::default() };
    let report = promenade_service::check(Experiment { files: vec![file], property, settings });
    let numbers = report.statistics;
    (numbers.states_stored, numbers.states_matched, numbers.errors)
}

#[test]
fn differences_are_as_listed() {
    for row in BEYOND {
        println!("{:34} ours {:?}, SPIN {:?}: {}", row.name, row.ours, row.spins, row.reason);
        assert_eq!(ours(row.text, row.cycles), row.ours, "{}", row.name);
        assert_ne!(Some(row.ours), row.spins, "{}", row.name);
    }
}

/// What is listed is still so.
#[test]
fn spin_is_as_listed() {
    if !spin::available() {
        return println!("skipped: spin or gcc is not installed");
    }
    let folder = std::env::temp_dir().join(format!("promenade-beyond-{}", std::process::id()));
    for row in BEYOND {
        let Beyond { text, cycles, .. } = *row;
        let answer =
            if cycles { spin::cycles(text, &folder) } else { spin::reference(text, &folder) };
        let theirs = match answer {
            Ok(spin::Answer::Counts(it)) => Some((it.stored, it.matched, it.errors)),
            Ok(spin::Answer::Refused(_)) => None,
            other => panic!("{}: {other:?}", row.name),
        };
        assert_eq!(theirs, row.spins, "{}", row.name);
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn the_pid_of_a_claim_is_zero() {
    let text = "byte x; active proctype P() { x = 1 } never { do :: _pid == 0 od }";
    assert_eq!(ours(text, false), (3, 1, 0));
}
