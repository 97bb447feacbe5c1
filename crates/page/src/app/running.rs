//! The worker: what is asked of it, what it answers, and what happens when it does not.

use super::{Again, App, Half, Outcome, Purpose, Running, Shown, WorkerState, interrupted};
use crate::crew::{Crew, Heard};
use crate::events::{now, set_root_attribute};
use crate::worker_client::{Client, Signal};
use leptos::prelude::*;
use promenade_protocol::link::Trail;
use promenade_protocol::{
    Event, Experiment, Progress, Property, Report, Request, Statistics, StoppedBy, Verdict,
};
use std::time::Duration;

/// A check is shown as running only after this time, so that quick ones do not flicker.
const VISIBLE: Duration = Duration::from_millis(150);
/// A worker that does not answer a cancellation within this time is ended.
const PATIENCE: Duration = Duration::from_millis(200);
/// A worker that takes longer to read a text is stuck (milliseconds).
const STUCK: f64 = 8_000.0;
/// A worker that used more memory than this is replaced: it cannot give memory back.
const LARGE: u64 = 192 << 20;

impl App {
    /// Starts the worker, and looks after it from now on.
    pub fn start_worker(&self) {
        let app = *self;
        let client = Client::new(move |signal| app.hear(signal));
        self.client.set_value(Some(client.clone()));
        client.restart();
        set_interval(move || app.look_after(), Duration::from_secs(1));
    }

    /// Starts the worker again after it could not be started.
    pub fn try_again(&self) {
        let Some(client) = self.client() else { return };
        self.shown.set(Shown::Nothing);
        self.worker.set(WorkerState::Starting);
        client.forgive();
        self.restart_worker();
        self.parse_now();
    }

    fn restart_worker(&self) {
        self.parse.set_value(None);
        set_root_attribute("data-worker", Some("starting"));
        self.worker.set(WorkerState::Starting);
        if let Some(client) = self.client() {
            client.restart();
        }
    }

    /// Has the text read.
    pub fn parse_now(&self) {
        let Some(client) = self.client().filter(|_| !self.is_written_course()) else { return };
        let files = self.files.get_untracked();
        // A text that made the checker crash is not sent again until it changes.
        if self.crashed_on.with_value(|crashed| crashed.as_ref() == Some(&files)) {
            return;
        }
        self.crashed_on.set_value(None);
        let job = client.next_job();
        self.parse.set_value(Some((job, now())));
        let formulas = self.formulas();
        client.send(Request::Parse { job, experiment: self.experiment(), formulas });
    }

    /// Checks what is in the editor.
    pub fn check(&self) {
        let experiment = self.experiment();
        if let Property::Formula { text } = &experiment.property
            && self.stops_at_formula(text)
        {
            return;
        }
        if self.begin(experiment.clone(), Purpose::Check) {
            let job = self.running.with_untracked(|r| r.as_ref().map_or(0, |r| r.job));
            if let Some(client) = self.client() {
                self.send_check(&client, job, experiment);
            }
            self.half.set(Half::Result);
        }
    }

    /// Goes to the box of the formula instead of checking one that is empty or wrong.
    fn stops_at_formula(&self, text: &str) -> bool {
        let said = if text.is_empty() {
            self.formula.wanted.set(true);
            "Write a formula first: it is what is checked.".to_owned()
        } else if let Some(mistake) = untrack(|| self.formula.mistake(text)) {
            self.shown.set(Shown::WrongFormula);
            format!("The formula has an error: {mistake}")
        } else {
            return false;
        };
        self.announcement.set(said);
        self.go_to_formula();
        true
    }

    /// Sends a check to the worker, or to several.
    fn send_check(&self, client: &Client, job: u32, experiment: Experiment) {
        let cores = self.cores.get_untracked();
        if !cores.suit(&experiment.property, &experiment.settings) {
            client.send(Request::Check { job, experiment });
            return;
        }
        let app = *self;
        let guest = move |from, signal| match signal {
            Signal::Event(event) => app.hear_guest(from, event),
            Signal::Died(message) | Signal::Unavailable(message) => {
                if app.is_running(job) {
                    app.mourn(&message);
                }
            }
        };
        self.crew.set_value(Some(Crew::start(client, job, &experiment, cores, guest)));
    }

    /// One of several workers says something.
    fn hear_guest(&self, from: u32, event: Event) {
        let heard = match (self.crew.get_value(), self.client()) {
            (Some(crew), Some(client)) => crew.hear(&client, from, event),
            _ => return,
        };
        if let Heard::Event(event) = heard {
            self.take_event(event);
        }
    }

    /// Replays the counterexample of a link.
    pub fn replay(&self, experiment: Experiment, trail: Trail, step: Option<u32>) {
        if self.begin(experiment.clone(), Purpose::Replay(step)) {
            let job = self.running.with_untracked(|r| r.as_ref().map_or(0, |r| r.job));
            if let Some(client) = self.client() {
                let Trail { choices, checksum, stem } = trail;
                client.send(Request::Replay { job, experiment, choices, checksum, stem });
            }
            self.half.set(Half::Result);
        }
    }

    pub(super) fn begin(&self, experiment: Experiment, purpose: Purpose) -> bool {
        if self.is_written_course() {
            self.notify("This is the text of an assignment. Its tools are beside it.", None);
            return false;
        }
        if self.running.with_untracked(Option::is_some) {
            return false;
        }
        if matches!(self.worker.get_untracked(), WorkerState::Unavailable(_)) {
            self.try_again();
        }
        let Some(client) = self.client() else { return false };
        let job = client.next_job();
        self.playing.set(false);
        self.keep();
        let budget = u64::from(experiment.settings.memory_mib) << 20;
        self.running.set(Some(Running {
            job,
            experiment,
            since: now(),
            heard: now(),
            progress: Progress { budget_bytes: budget, ..Progress::default() },
            notes: Vec::new(),
            cancelled: false,
            purpose,
        }));
        let app = *self;
        set_timeout(
            move || {
                if app.is_running(job) {
                    app.visible.set(true);
                    app.running.with_untracked(|it| it.iter().for_each(interrupted::note));
                    let what = match purpose {
                        Purpose::Simulate(_) => "The run is being made.",
                        Purpose::Replay(_) => "The run of the link is being replayed.",
                        _ => "The check is running.",
                    };
                    app.announcement.set(what.to_owned());
                }
            },
            VISIBLE,
        );
        true
    }

    fn is_running(&self, job: u32) -> bool {
        self.running.with_untracked(|running| running.as_ref().is_some_and(|r| r.job == job))
    }

    pub(super) fn end(&self) -> Option<Running> {
        let running = self.running.get_untracked();
        self.running.set(None);
        self.visible.set(false);
        interrupted::forget();
        // Ends all workers but the first.
        self.crew.set_value(None);
        running
    }

    /// Stops the check that runs. If the worker does not react, it is ended.
    pub fn cancel(&self) {
        let Some(job) = self.running.with_untracked(|r| r.as_ref().map(|r| r.job)) else { return };
        let Some(client) = self.client() else { return };
        self.checks.stop();
        self.running.update(|running| {
            if let Some(running) = running {
                running.cancelled = true;
            }
        });
        self.race.stop();
        self.techniques.stop();
        match self.crew.get_value() {
            Some(crew) => crew.cancel(&client),
            None => client.send(Request::Cancel { job }),
        }
        let app = *self;
        set_timeout(
            move || {
                if app.is_running(job) {
                    app.cut_off();
                }
            },
            PATIENCE,
        );
    }

    /// Ends a worker that does not react to a cancellation; what was seen last is the result.
    fn cut_off(&self) {
        self.restart_worker();
        let Some(running) = self.end() else { return };
        if let Purpose::Simulate(_) = running.purpose {
            self.say_stopped();
            self.parse_now();
            return;
        }
        let progress = running.progress;
        let summary = match progress.errors {
            0 => {
                "You cancelled the check. Up to then nothing wrong was found; this is not a proof."
            }
            _ => {
                "You cancelled the check. Errors had been found, but the checker had to be ended \
                 before it could report them; check again and let it stop at the first."
            }
        };
        let report = Report {
            version: self.version(),
            experiment: running.experiment,
            verdict: Verdict::NoViolationFound { why: StoppedBy::Cancelled },
            summary: summary.to_owned(),
            vacuity: None,
            notes: Vec::new(),
            violations: Vec::new(),
            statistics: Statistics {
                states_stored: progress.states,
                states_matched: progress.transitions.saturating_sub(progress.states),
                transitions: progress.transitions,
                depth: progress.max_depth,
                errors: progress.errors,
                memory_bytes: progress.memory_bytes,
                seconds: progress.seconds,
                ..Statistics::default()
            },
            unreached: Vec::new(),
            automaton: None,
            confidence: None,
            layout: Vec::new(),
            stopped_by: Some(StoppedBy::Cancelled),
            diagnostics: Vec::new(),
        };
        let outcome = Outcome { report, mismatch: None, replayed: false, plan: running.notes };
        match running.purpose {
            Purpose::All => self.arrive_one(outcome),
            Purpose::Race => self.arrive_race(outcome),
            Purpose::Techniques => self.arrive_technique(outcome),
            _ => self.show_outcome(outcome, Purpose::Check),
        }
        self.parse_now();
    }

    /// Forgets a check whose document is closed.
    pub(super) fn abandon(&self) {
        self.checks.stop();
        self.race.stop();
        self.techniques.stop();
        if let Some(running) = self.end()
            && let Some(client) = self.client()
        {
            client.send(Request::Cancel { job: running.job });
        }
    }

    /// The version of the checker, as far as it is known.
    pub fn version(&self) -> String {
        match self.worker.get_untracked() {
            WorkerState::Ready(version) => version,
            _ => promenade_protocol::VERSION.to_owned(),
        }
    }

    fn hear(&self, signal: Signal) {
        match signal {
            Signal::Event(event) if self.crew.with_value(Option::is_some) => {
                self.hear_guest(0, event);
            }
            Signal::Event(event) => self.take_event(event),
            Signal::Died(message) => self.mourn(&message),
            Signal::Unavailable(message) => {
                self.end();
                self.worker.set(WorkerState::Unavailable(message.clone()));
                set_root_attribute("data-worker", Some("unavailable"));
                self.trouble(
                    "There is no checker",
                    format!("{message} Your text is safe; you can go on editing."),
                );
            }
        }
    }

    fn take_event(&self, event: Event) {
        self.running.update(|running| {
            if let Some(running) = running {
                running.heard = now();
            }
        });
        match event {
            Event::Ready { version } => {
                self.worker.set(WorkerState::Ready(version));
                set_root_attribute("data-worker", Some("ready"));
                self.renew_formula();
                self.renew_word();
                self.renew_pattern();
                self.renew_graph();
            }
            Event::Parsed { job, diagnostics, summary, formulas } if self.awaits(job) => {
                self.parse.set_value(None);
                self.summary.set(summary);
                self.formula.findings.set(formulas);
                self.diagnostics.set(diagnostics);
                self.follow_text();
            }
            Event::Formula { job, report } => self.hear_formula(job, *report),
            Event::Word { job, report } => self.hear_word(job, *report),
            Event::Pattern { job, report } => self.hear_pattern(job, *report),
            Event::Graph { job, graph } => self.hear_graph(job, *graph),
            Event::Planned { job, notes } if self.is_running(job) => {
                self.running.update(|running| {
                    if let Some(running) = running {
                        running.notes = notes;
                    }
                });
            }
            Event::Progress { job, progress } if self.is_running(job) => {
                self.running.update(|running| {
                    if let Some(running) = running {
                        running.progress = progress;
                    }
                });
            }
            Event::Report { job, report } if self.is_running(job) => self.arrive(*report, None),
            Event::Replayed { job, report, mismatch } if self.is_running(job) => {
                self.arrive(*report, mismatch);
            }
            Event::Simulated { job, trace, ended, diagnostics } if self.is_running(job) => {
                self.arrive_run(*trace, ended, diagnostics);
            }
            // Answers to what was abandoned.
            _ => {}
        }
    }

    /// Whether this is the parse that is waited for.
    fn awaits(&self, job: u32) -> bool {
        self.parse.with_value(|parse| parse.is_some_and(|(latest, _)| latest == job))
    }

    fn arrive(&self, report: Report, mismatch: Option<String>) {
        let Some(running) = self.end() else { return };
        let large = report.statistics.memory_bytes > LARGE;
        let replayed = matches!(running.purpose, Purpose::Replay(_));
        let outcome = Outcome { report, mismatch, replayed, plan: running.notes };
        let purpose = running.purpose;
        match purpose {
            Purpose::All => self.arrive_one(outcome),
            Purpose::Race => self.arrive_race(outcome),
            Purpose::Techniques => self.arrive_technique(outcome),
            _ => self.show_outcome(outcome, purpose),
        }
        if large {
            self.restart_worker();
        }
        match purpose {
            Purpose::All => self.check_next(),
            Purpose::Race => self.go_on_racing(),
            Purpose::Techniques => self.go_on_with_techniques(),
            _ => {}
        }
    }

    /// The worker ended by itself.
    fn mourn(&self, message: &str) {
        self.drop_graph();
        self.checks.stop();
        self.race.stop();
        self.techniques.stop();
        let running = self.end();
        let reading = self.parse.with_value(Option::is_some);
        if running.is_some() || reading {
            self.crashed_on.set_value(Some(self.files.get_untracked()));
        }
        let text =
            format!("It ended unexpectedly ({message}) and was started again. Your text is safe.");
        if running.is_some() {
            self.trouble(
                "The checker failed",
                format!("{text} Check again, with a smaller memory budget or a smaller model."),
            );
        } else {
            self.warn(format!("The checker failed. {text}"), None);
        }
        self.restart_worker();
        self.parse_now();
    }

    fn trouble(&self, title: &str, text: String) {
        self.announcement.set(format!("{title}. {text}"));
        self.shown.set(Shown::Trouble { title: title.to_owned(), text, again: Some(Again::Check) });
    }

    /// Notices a worker that has stopped answering.
    fn look_after(&self) {
        let idle = self.running.with_untracked(Option::is_none);
        let ready = matches!(self.worker.get_untracked(), WorkerState::Ready(_));
        let since = self.parse.with_value(|parse| parse.map(|(_, since)| since));
        if let Some(since) = since
            && idle
            && ready
            && now() - since > STUCK
        {
            self.crashed_on.set_value(Some(self.files.get_untracked()));
            self.warn(
                "The checker did not answer for a while and was started again. Your text is safe; \
                 it will be read again when you change it.",
                None,
            );
            self.restart_worker();
        }
    }
}
