//! Random never claims and accept labels over random models, here and in SPIN.
//!
//! Along a claim that cannot end, the numbers of a safety search are SPIN's, and so are the states of
//! a search for acceptance cycles without a claim that finds none (SPIN counts the transitions of its
//! second search too). Where a claim or a run comes to its end, numbers differ by design (see the
//! exceptions): verdicts are compared there. `PROMENADE_SEEDS=first-last` chooses other models than
//! usual. Skipped with a message where SPIN or gcc is missing.

use promenade_protocol::{
    Emptiness, Experiment, File, Property, Report, Settings, Verdict, WriteOnly,
};
use promenade_testkit::random_claim::random_claim;
use promenade_testkit::random_model::{Features, random_model};
use promenade_testkit::{seeds, spin};
use std::path::PathBuf;

/// Conditions over the variables of every random model.
const ATOMS: [&str; 5] = ["(g == 1)", "(h > g)", "(b == 1)", "(a[0] == a[1])", "(h + 1 >= g)"];
/// Larger models are left out.
const STATES: u32 = 100_000;

fn check(text: &str, property: Property, emptiness: Emptiness, all_errors: bool) -> Report {
    promenade_service::check(Experiment {
        files: vec![File { name: "model.pml".to_owned(), text: text.to_owned() }],
        property,
        settings: Settings {
            emptiness,
            all_errors,
            // Along a claim they are no errors; without one they would answer in place of the cycles.
            end_states: false,
            state_limit: Some(STATES),
            // SPIN is asked to keep all variables.
            write_only: WriteOnly::Keep,
            ..Settings::default()
        },
    })
}

/// A random model without `_nr_pr`, in which SPIN counts the claim too.
fn model(seed: u64, features: Features) -> String {
    random_model(seed, features).replace("_nr_pr", "2")
}

/// A folder of its own for each test, which goes with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("promenade-{name}-{}", std::process::id())))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn safety_along_claims_counts_as_in_spin() {
    if !spin::available() {
        return println!("skipped: spin or gcc is not installed");
    }
    let folder = Folder::new("claims-safety");
    let (mut counted, mut verdicts, mut violated, mut wrong) = (0, 0, 0, Vec::new());
    for seed in seeds(1..=9) {
        let model = model(seed, Features::ALL);
        let ends = seed % 3 == 0;
        let text = format!("{model}{}", random_claim(seed, &ATOMS, ends));
        let report = check(&text, Property::Claim { name: None }, Emptiness::Automatic, true);
        match report.verdict {
            Verdict::Holds | Verdict::Violated => {}
            Verdict::NoViolationFound { .. } => continue,
            _ => {
                wrong.push(format!(
                    "seed {seed}: {} {:?}\n{text}",
                    report.summary, report.diagnostics
                ));
                continue;
            }
        }
        let ours = &report.statistics;
        let Ok(spin::Answer::Counts(theirs)) = spin::reference(&text, &folder.0) else { continue };
        let same = if ends {
            verdicts += 1;
            (ours.errors > 0) == (theirs.errors > 0)
        } else {
            counted += 1;
            (ours.states_stored, ours.states_matched, ours.errors)
                == (theirs.stored, theirs.matched, theirs.errors)
        };
        violated += u32::from(ours.errors > 0);
        if !same {
            wrong.push(format!(
                "seed {seed}: {}/{} e{}, SPIN's {theirs:?}\n{text}",
                ours.states_stored, ours.states_matched, ours.errors
            ));
        }
    }
    println!("{counted} counts and {verdicts} verdicts compared, {violated} violated");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(counted > 0 && verdicts > 0);
}

#[test]
fn acceptance_cycles_are_those_of_spin() {
    if !spin::available() {
        return println!("skipped: spin or gcc is not installed");
    }
    let folder = Folder::new("claims-acceptance");
    let (mut compared, mut violated, mut counted, mut wrong) = (0, 0, 0, Vec::new());
    for seed in seeds(1..=12) {
        // Other errors would answer in place of the cycles.
        let features = Features { assertions: false, accept: true, ..Features::ALL };
        let model = model(seed, features);
        // Without a claim, with one, and with one that can end.
        let ends = seed % 3 == 2;
        let text = match seed % 3 {
            0 => model,
            _ => format!("{model}{}", random_claim(seed, &ATOMS, ends)),
        };
        let property = || Property::Acceptance { claim: None };
        let reports = [Emptiness::Automatic, Emptiness::Couvreur, Emptiness::GeldenhuysValmari]
            .map(|emptiness| check(&text, property(), emptiness, false));
        if reports.iter().any(|it| matches!(it.verdict, Verdict::NoViolationFound { .. })) {
            continue;
        }
        let verdict = reports[0].verdict == Verdict::Violated;
        let Ok(spin::Answer::Counts(counts)) = spin::cycles(&text, &folder.0) else { continue };
        let theirs = counts.errors > 0;
        compared += 1;
        violated += u32::from(theirs);
        let known = |it: &Report| matches!(it.verdict, Verdict::Holds | Verdict::Violated);
        let same = |it: &Report| known(it) && (it.verdict == Verdict::Violated) == verdict;
        // All is explored where nothing is found. Where a run has come to its end, SPIN passes over
        // every other state of a claim.
        let claimed = seed % 3 != 0;
        let as_theirs = |it: &Report| {
            let stored = it.statistics.states_stored;
            stored == counts.stored || claimed && stored > counts.stored
        };
        let equal = theirs || ends || reports.iter().all(as_theirs);
        counted += u32::from(reports[0].statistics.states_stored == counts.stored && !theirs);
        if verdict != theirs || !reports.iter().all(same) || !equal {
            let ours = reports.map(|it| it.summary).join(" / ");
            wrong.push(format!("seed {seed}: SPIN says {counts:?}, {ours}\n{text}"));
        }
    }
    println!("{compared} models compared, {violated} violated, {counted} of the others by states");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(violated > 0 && counted > 0);
}
