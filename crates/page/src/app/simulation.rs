//! Simulations: one random run in the place of a result. It proves nothing, and the page says so.

use super::{App, Half, Purpose, Shared, Shown};
use crate::numbers::counted;
use leptos::prelude::*;
use promenade_protocol::{Experiment, Level, Property, Request, Trace};

/// The most steps of a run; the command line has the same default.
const RUN_STEPS: u32 = 1000;
/// The title where a text with errors should have been run.
pub const NO_RUN: &str = "The text cannot be run";
/// Seeds that the page draws are below this, so that they are short enough to be told to others.
const SEEDS: f64 = 1e6;

/// A random run that was made.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// What was run.
    pub experiment: Experiment,
    /// The seed; the same one gives the same run again.
    pub seed: u64,
    /// The run.
    pub trace: Trace,
    /// Why it ended.
    pub end: RunEnd,
}

/// Why a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// All processes are where they may stop.
    EndState,
    /// No process can move, and not all are where they may stop.
    Deadlock,
    /// The claim that moves along has no step; what the run would do is not of interest.
    Claim,
    /// It was long enough.
    Limit,
    /// The user stopped it.
    Cancelled,
    /// Something went wrong, in the checker's words.
    Error(String),
}

impl RunEnd {
    fn new(ended: String) -> Self {
        match ended.as_str() {
            "end state" => Self::EndState,
            "deadlock" => Self::Deadlock,
            "the claim cannot follow" => Self::Claim,
            "step limit" => Self::Limit,
            "cancelled" => Self::Cancelled,
            _ => Self::Error(ended),
        }
    }

    /// Whether a check would report what this run ended with.
    pub fn is_bad(&self) -> bool {
        matches!(self, Self::Deadlock | Self::Error(_))
    }

    /// In a line, for the last row of the steps.
    pub fn line(&self) -> String {
        match self {
            Self::EndState => "the run ends here".to_owned(),
            Self::Deadlock => "deadlock: no process can move".to_owned(),
            Self::Claim => "the claim cannot follow the run any more".to_owned(),
            Self::Limit => "the run could go on; it is stopped here".to_owned(),
            Self::Cancelled => "you stopped the run here".to_owned(),
            Self::Error(message) => message.clone(),
        }
    }

    /// The title of the card.
    pub fn title(&self) -> &'static str {
        match self {
            Self::EndState => "One run: comes to an end",
            Self::Deadlock => "One run: gets stuck",
            Self::Claim => "One run: left by the claim",
            Self::Limit => "One run: could go on",
            Self::Cancelled => "One run: stopped",
            Self::Error(_) => "One run: goes wrong",
        }
    }

    /// What it means, in a sentence.
    pub fn sentence(&self, steps: usize) -> String {
        let steps = counted(steps as u64, "step", "steps");
        match self {
            Self::EndState => {
                format!("After {steps} all processes are where they may stop.")
            }
            Self::Deadlock => {
                format!("After {steps} no process can move, and not all may stop there.")
            }
            Self::Claim => {
                format!("After {steps} the claim cannot follow: this run is not against it.")
            }
            Self::Limit => format!("The run was stopped after {steps}."),
            Self::Cancelled => format!("You stopped the run after {steps}."),
            Self::Error(message) => format!("After {steps}: {message}."),
        }
    }
}

impl App {
    /// A random run with a new seed.
    pub fn simulate(&self) {
        self.simulate_with((js_sys::Math::random() * SEEDS) as u64 + 1);
    }

    /// A random run with this seed.
    pub fn simulate_with(&self, seed: u64) {
        let mut experiment = self.experiment();
        if let Property::Formula { text } = &experiment.property
            && (text.is_empty() || untrack(|| self.formula.is_wrong(text)))
        {
            // A run can be made all the same.
            experiment.property = Property::Safety;
        }
        if self.begin(experiment.clone(), Purpose::Simulate(seed)) {
            let job = self.running.with_untracked(|r| r.as_ref().map_or(0, |r| r.job));
            if let Some(client) = self.client() {
                client.send(Request::Simulate { job, experiment, seed, steps: RUN_STEPS });
            }
            self.half.set(Half::Result);
        }
    }

    /// Shows a run that was made.
    pub(super) fn show_run(&self, experiment: Experiment, seed: u64, trace: Trace, ended: String) {
        let run = Run { experiment, seed, trace, end: RunEnd::new(ended) };
        let sentence = run.end.sentence(run.trace.steps.len());
        self.announcement.set(format!("{}. {sentence} One run proves nothing.", run.end.title()));
        self.violation.set(0);
        self.step.set(0);
        self.shown.set(Shown::Run(Shared::new(run)));
        self.view.set("trace");
    }

    /// Says that a text cannot be run; the problems say why.
    pub(super) fn show_no_run(&self, errors: bool) {
        let text = if errors {
            "The text has errors; they are listed below and marked in the editor."
        } else {
            "The run could not be begun."
        };
        self.announcement.set(format!("No run. {text}"));
        self.shown.set(Shown::Trouble {
            title: NO_RUN.to_owned(),
            text: text.to_owned(),
            again: None,
        });
        if errors {
            self.view.set("problems");
        }
    }

    /// Takes the answer to a simulation.
    pub(super) fn arrive_run(
        &self,
        trace: Trace,
        ended: String,
        diagnostics: Vec<promenade_protocol::DiagnosticData>,
    ) {
        let Some(running) = self.end() else { return };
        let Purpose::Simulate(seed) = running.purpose else { return };
        let errors = diagnostics.iter().any(|it| it.level == Level::Error);
        let same = self.files.with_untracked(|files| *files == running.experiment.files);
        if same && !diagnostics.is_empty() {
            self.take_findings(&diagnostics);
        }
        // A run has a state at least; without one nothing was run.
        if errors || (trace.initial_positions.is_empty() && trace.steps.is_empty()) {
            match ended.as_str() {
                "cancelled" => self.say_stopped(),
                _ => self.show_no_run(errors),
            }
        } else {
            self.show_run(running.experiment, seed, trace, ended);
        }
    }

    /// Says that there is no run because the user stopped it.
    pub(super) fn say_stopped(&self) {
        self.announcement.set("The run was stopped.".to_owned());
        self.shown.set(Shown::Trouble {
            title: "The run was stopped".to_owned(),
            text: "You stopped it before there was anything to show.".to_owned(),
            again: None,
        });
    }

    /// The run that is shown, if it is one.
    pub fn run(&self) -> Option<Shared<Run>> {
        self.shown.with(|shown| match shown {
            Shown::Run(run) => Some(run.clone()),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_told_apart() {
        let end = |text: &str| RunEnd::new(text.to_owned());
        assert_eq!(end("end state"), RunEnd::EndState);
        assert!(!end("step limit").is_bad() && !end("end state").is_bad());
        assert!(end("deadlock").is_bad());
        assert!(!end("the claim cannot follow").is_bad());
        let error = end("assertion violated: x == 2");
        assert!(error.is_bad());
        assert!(error.sentence(1).ends_with(": assertion violated: x == 2."));
    }
}
