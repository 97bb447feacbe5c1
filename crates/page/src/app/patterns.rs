//! The specification pattern that is being filled in.

use super::{App, Shared};
use leptos::prelude::*;
use promenade_protocol::{PatternReport, Request};

/// The state of the pattern helper. It is cheap to copy.
#[derive(Clone, Copy)]
pub struct PatternHelper {
    /// It is open.
    pub open: RwSignal<bool>,
    /// The pattern that is chosen.
    pub pattern: RwSignal<String>,
    /// The scope that is chosen.
    pub scope: RwSignal<String>,
    /// Letters with their events. A letter that is not used at the moment keeps its event.
    pub events: RwSignal<Vec<(String, String)>>,
    /// The latest answer.
    pub report: RwSignal<Option<Shared<PatternReport>>>,
    /// The request that is waited for.
    asked: StoredValue<Option<u32>>,
}

impl PatternHelper {
    pub(super) fn new() -> Self {
        Self {
            open: RwSignal::new(false),
            pattern: RwSignal::new("response".to_owned()),
            scope: RwSignal::new("globally".to_owned()),
            events: RwSignal::new(Vec::new()),
            report: RwSignal::new(None),
            asked: StoredValue::new(None),
        }
    }

    /// The event of a letter.
    pub fn event(&self, letter: &str) -> String {
        self.events.with(|events| {
            let found = events.iter().find(|(own, _)| own == letter);
            found.map(|(_, event)| event.clone()).unwrap_or_default()
        })
    }

    /// Changes the event of a letter.
    pub fn put(&self, letter: &str, event: String) {
        self.events.update(|events| match events.iter_mut().find(|(own, _)| own == letter) {
            Some((_, old)) => *old = event,
            None => events.push((letter.to_owned(), event)),
        });
    }
}

impl App {
    /// Asks whenever something is changed, while the helper is open.
    pub fn follow_pattern(&self) {
        let app = *self;
        Effect::new(move |_| {
            app.patterns.pattern.track();
            app.patterns.scope.track();
            app.patterns.events.track();
            if app.patterns.open.get() {
                app.ask_pattern();
            }
        });
    }

    fn ask_pattern(&self) {
        let Some(client) = self.client() else { return };
        let job = client.next_job();
        self.patterns.asked.set_value(Some(job));
        client.send(Request::Pattern {
            job,
            pattern: self.patterns.pattern.get_untracked(),
            scope: self.patterns.scope.get_untracked(),
            events: self.patterns.events.get_untracked(),
        });
    }

    /// Takes an answer; only the latest question counts.
    pub(super) fn hear_pattern(&self, job: u32, report: PatternReport) {
        if self.patterns.asked.with_value(|asked| *asked == Some(job)) {
            self.patterns.asked.set_value(None);
            self.patterns.report.set(Some(Shared::new(report)));
        }
    }

    /// Asks again after the worker was replaced.
    pub(super) fn renew_pattern(&self) {
        if self.patterns.asked.with_value(Option::is_some) {
            self.ask_pattern();
        }
    }

    /// Writes the formula that was made into the box.
    pub fn use_pattern(&self) {
        let formula = self.patterns.report.with_untracked(|report| {
            report.as_ref().map(|report| report.formula.clone()).unwrap_or_default()
        });
        if !formula.is_empty() {
            self.set_formula(formula);
            crate::events::focus("#formula");
        }
    }
}
