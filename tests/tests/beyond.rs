//! Differences from SPIN that no model of the corpus shows: they are what is written down.

use promenade_protocol::{Experiment, File, Property, Settings};
use promenade_tests::exceptions::BEYOND;

fn ours(text: &str) -> (u64, u64, u64) {
    let file = File { name: "model.pml".to_owned(), text: text.to_owned() };
    let property =
        if text.contains("never") { Property::Claim { name: None } } else { Property::Safety };
    let settings = Settings { all_errors: true, ..Settings::default() };
    let report = promenade_service::check(Experiment { files: vec![file], property, settings });
    let numbers = report.statistics;
    (numbers.states_stored, numbers.states_matched, numbers.errors)
}

#[test]
fn differences_are_as_listed() {
    for row in BEYOND {
        println!("{:34} ours {:?}, SPIN {:?}: {}", row.name, row.ours, row.spins, row.reason);
        assert_eq!(ours(row.text), row.ours, "{}", row.name);
        assert_ne!(row.ours, row.spins, "{}", row.name);
    }
}

#[test]
fn the_pid_of_a_claim_is_zero() {
    let text = "byte x; active proctype P() { x = 1 } never { do :: _pid == 0 od }";
    assert_eq!(ours(text), (3, 1, 0));
}
