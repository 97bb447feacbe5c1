//! Many searches of one model at once, each with another seed and another order of steps: together
//! they miss less (G. J. Holzmann, R. Joshi, A. Groce, "Swarm Verification Techniques", 2011).

use crate::{Experiment, Progress, Report, StoppedBy, Verdict, grouped};

/// The experiment of searcher `me` of `of`: they share the memory.
pub fn variant(experiment: &Experiment, me: u32, of: u32) -> Experiment {
    let mut one = experiment.clone();
    let settings = &mut one.settings;
    settings.memory_mib = (settings.memory_mib / of.max(1)).max(1);
    settings.seed = settings.seed.wrapping_add(me);
    settings.shuffle = settings.shuffle.wrapping_add(me);
    one
}

/// What a report says of the memory, as the end of a sentence.
pub fn memory_used_up(mib: u64) -> String {
    format!("the memory limit of {mib} MiB leaves no room to go on")
}

/// Whether the other searches need not go on after this report.
pub fn decides(report: &Report) -> bool {
    !matches!(report.verdict, Verdict::NoViolationFound { .. })
}

/// Which report says most: an error, then a proof, then what covers most, then the most states.
fn rank(report: &Report) -> (u8, f64, u64) {
    let rank = match report.verdict {
        Verdict::InputError => 5,
        Verdict::Violated => 4,
        Verdict::InternalError { .. } => 3,
        Verdict::Holds => 2,
        Verdict::NoViolationFound { why: StoppedBy::Omissions } => 1,
        Verdict::NoViolationFound { .. } => 0,
    };
    let coverage = report.confidence.as_ref().map_or(0.0, |confidence| confidence.coverage);
    (rank, coverage, report.statistics.states_stored)
}

/// One report for all on the experiment that they are variants of: that which says most, with a note
/// on the others. Nothing for no reports.
pub fn merge(experiment: &Experiment, reports: Vec<Report>) -> Option<Report> {
    let of = reports.len();
    let visited: u64 = reports.iter().map(|report| report.statistics.states_stored).sum();
    let omissions = Verdict::NoViolationFound { why: StoppedBy::Omissions };
    let missed: Vec<f64> = reports
        .iter()
        .filter(|report| report.verdict == omissions)
        .filter_map(|report| report.confidence.as_ref())
        .map(|confidence| 1.0 - confidence.coverage)
        .collect();
    let best = reports.into_iter().reduce(|a, b| if rank(&b) > rank(&a) { b } else { a })?;
    if best.verdict == Verdict::InputError {
        // There are no numbers.
        return Some(Report { experiment: experiment.clone(), ..best });
    }
    let mut note = format!(
        "The numbers are those of one of {of} searches with different seeds and orders of steps."
    );
    if of > 1 {
        note.push_str(&format!(
            " Together they have visited {} states, those that several have met counted for \
             each.",
            grouped(visited)
        ));
    }
    if best.verdict == omissions && missed.len() > 1 {
        let all: f64 = missed.iter().product();
        note.push_str(&format!(
            " {} of them came to their end. That a certain state was missed by all of those has a \
             probability of about {all:.1e}.",
            missed.len()
        ));
    }
    let mut notes = best.notes.clone();
    notes.push(note);
    // Its limit was a part of what the user gave to all.
    let (own, all) = (best.experiment.settings.memory_mib, experiment.settings.memory_mib);
    let shared = format!("the search's share of the memory, {own} of {all} MiB, was used up");
    let summary = best.summary.replace(&memory_used_up(u64::from(own)), &shared);
    Some(Report { experiment: experiment.clone(), notes, summary, ..best })
}

/// The progress of several searches as one.
pub fn together(parts: &[Option<Progress>]) -> Progress {
    let mut sum = Progress::default();
    let largest = |a: Option<f64>, b: Option<f64>| match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    };
    for part in parts.iter().flatten() {
        sum.states += part.states;
        sum.transitions += part.transitions;
        sum.rate += part.rate;
        sum.errors += part.errors;
        sum.memory_bytes += part.memory_bytes;
        sum.budget_bytes += part.budget_bytes;
        sum.depth = sum.depth.max(part.depth);
        sum.max_depth = sum.max_depth.max(part.max_depth);
        sum.seconds = sum.seconds.max(part.seconds);
        sum.load = largest(sum.load, part.load);
        sum.coverage = largest(sum.coverage, part.coverage);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Statistics;

    fn cut_off(states_stored: u64) -> Report {
        Report {
            version: String::new(),
            experiment: Experiment::default(),
            verdict: Verdict::NoViolationFound { why: StoppedBy::Cancelled },
            summary: String::new(),
            notes: Vec::new(),
            violations: Vec::new(),
            statistics: Statistics { states_stored, ..Statistics::default() },
            unreached: Vec::new(),
            automaton: None,
            confidence: None,
            vacuity: None,
            layout: Vec::new(),
            stopped_by: None,
            diagnostics: Vec::new(),
        }
    }

    #[test]
    fn of_searches_that_were_cut_off_the_longest_is_reported_and_all_are_counted() {
        let reports = vec![cut_off(20), cut_off(300), cut_off(1)];
        let report = merge(&Experiment::default(), reports).expect("there are some");
        assert_eq!(report.statistics.states_stored, 300);
        let note = report.notes.last().expect("there is one");
        assert!(
            note.contains("one of 3 searches") && note.contains("visited 321 states"),
            "{note}"
        );
        let mut violated = cut_off(2);
        violated.verdict = Verdict::Violated;
        let report = merge(&Experiment::default(), vec![cut_off(300), violated]);
        assert_eq!(report.map(|it| it.verdict), Some(Verdict::Violated));
        assert!(merge(&Experiment::default(), Vec::new()).is_none());
    }
}
