//! Runs that may have missed something, repeated with other seeds: what all of them together miss.

use super::{App, Outcome, Shared};
use leptos::prelude::*;
use promenade_protocol::{Advice, Confidence, Experiment, Settings, StoppedBy, Verdict};

/// Runs that are kept.
const MOST: usize = 100;

/// The runs that differ in the seed only. It is cheap to copy.
#[derive(Clone, Copy)]
pub struct Trials {
    runs: RwSignal<Vec<Shared<Outcome>>>,
    /// The button that was pressed is drawn anew with the next result, and gets the focus back.
    pressed: StoredValue<bool>,
}

/// What several independent runs say together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Together {
    /// How many.
    pub runs: usize,
    /// Probability that all of them missed a given state.
    pub missed: f64,
    /// Probability that there is a state that all of them missed.
    pub any: f64,
    /// The largest seed.
    pub last_seed: u32,
}

/// An experiment without what distinguishes independent runs of it.
fn without_seed(experiment: &Experiment) -> Experiment {
    let settings = Settings { seed: 0, ..experiment.settings.clone() };
    Experiment { settings, ..experiment.clone() }
}

/// What a complete run that found nothing says about states that it may have missed.
fn confidence(outcome: &Outcome) -> Option<&Confidence> {
    let whole = outcome.report.verdict == Verdict::NoViolationFound { why: StoppedBy::Omissions }
        && !outcome.replayed;
    outcome.report.confidence.as_ref().filter(|_| whole)
}

/// The probabilities multiply, as the hash functions of different seeds are independent.
fn together<'a>(runs: impl Iterator<Item = (&'a Confidence, u32)>) -> Together {
    let mut sum = Together { runs: 0, missed: 1.0, any: 0.0, last_seed: 0 };
    let mut states: f64 = 0.0;
    for (it, seed) in runs {
        sum.runs += 1;
        sum.missed *= (1.0 - it.coverage).clamp(0.0, 1.0);
        sum.last_seed = sum.last_seed.max(seed);
        states = states.max(it.stored as f64 + it.expected_omissions.unwrap_or(0.0));
    }
    sum.any = -(-states * sum.missed).exp_m1();
    sum
}

impl Trials {
    pub(super) fn new() -> Self {
        Self { runs: RwSignal::new(Vec::new()), pressed: StoredValue::new(false) }
    }

    /// Whether the next run was asked for since this was last asked.
    pub fn was_pressed(&self) -> bool {
        let pressed = self.pressed.get_value();
        self.pressed.set_value(false);
        pressed
    }

    /// Adds a run to those of the same experiment, or begins anew with it.
    pub(super) fn keep(&self, outcome: &Shared<Outcome>) {
        if confidence(outcome).is_none() {
            return;
        }
        let experiment = &outcome.report.experiment;
        self.runs.update(|runs| {
            let same = runs.first().is_some_and(|first| {
                without_seed(&first.report.experiment) == without_seed(experiment)
            });
            if !same || runs.len() >= MOST {
                runs.clear();
            }
            // The same seed gives the same run.
            runs.retain(|it| it.report.experiment.settings.seed != experiment.settings.seed);
            runs.push(outcome.clone());
        });
    }

    /// What the runs of this experiment say together, if it is among them.
    pub fn together(&self, outcome: &Shared<Outcome>) -> Option<Together> {
        self.runs.with(|runs| {
            let known = runs.iter().any(|it| it == outcome);
            let each = runs
                .iter()
                .filter_map(|it| Some((confidence(it)?, it.report.experiment.settings.seed)));
            known.then(|| together(each))
        })
    }
}

impl App {
    /// Checks again with the settings that the last run recommends.
    pub fn check_as_recommended(&self, advice: &Advice) {
        self.check_with(|settings| *settings = advice.settings.clone());
    }

    /// Checks again with hash functions that were not used yet.
    pub fn check_with_new_seed(&self, outcome: &Shared<Outcome>) {
        let own = outcome.report.experiment.settings.seed;
        let last = untrack(|| self.trials.together(outcome)).map_or(own, |it| it.last_seed);
        self.trials.pressed.set_value(true);
        self.settings.update(|settings| settings.seed = own.max(last).wrapping_add(1));
        self.changed();
        self.check();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(coverage: f64, stored: u64) -> Confidence {
        Confidence {
            store: "Bitstate".to_owned(),
            kept_as: "3 bits of an array".to_owned(),
            stored,
            places: 1000,
            places_used: 10,
            expected_omissions: Some(stored as f64 / coverage - stored as f64),
            any_omission: 1.0,
            coverage,
            replaced: 0,
            partial: false,
            advice: None,
        }
    }

    #[test]
    fn probabilities_of_independent_runs_multiply() {
        let (a, b, c) = (of(0.9, 900), of(0.99, 990), of(0.5, 500));
        let all = together([(&a, 4), (&b, 9), (&c, 2)].into_iter());
        assert_eq!((all.runs, all.last_seed), (3, 9));
        assert!((all.missed - 0.1 * 0.01 * 0.5).abs() < 1e-12);
        // A thousand states, each missed by all with probability 0.0005.
        assert!((all.any - (1.0 - (-0.5f64).exp())).abs() < 1e-9, "{}", all.any);
    }
}
