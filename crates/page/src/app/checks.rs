//! The results of all properties of a text, and the check of all of them one after the other.

use super::{App, Outcome, Picture, Purpose, Shared, Shown, is_infinite, verdict_title};
use leptos::prelude::*;
use promenade_protocol::{
    Experiment, Fairness, Found, Level, Property, PropertyInfo, Report, Request, Verdict,
};

/// How it stands with a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// It was not checked.
    Unknown,
    /// It waits for its turn.
    Waiting,
    /// It is being checked.
    Running,
    /// It holds.
    Holds,
    /// It holds, and says nothing about the model, or nothing in part.
    Vacuous,
    /// It is violated.
    Violated,
    /// Another error ended the check first.
    OtherError,
    /// The check was not complete.
    Partial,
    /// It could not be checked.
    Failed,
}

impl Status {
    /// What a report says about its property.
    pub fn of(report: &Report) -> Self {
        match &report.verdict {
            Verdict::Holds if report.vacuity.is_some() => Self::Vacuous,
            Verdict::Holds => Self::Holds,
            Verdict::Violated
                if is_infinite(&report.experiment.property)
                    && !report.violations.iter().any(Found::is_of_infinite_runs)
                    && !report.violations.is_empty() =>
            {
                Self::OtherError
            }
            Verdict::Violated => Self::Violated,
            Verdict::NoViolationFound { .. } => Self::Partial,
            Verdict::InputError | Verdict::InternalError { .. } => Self::Failed,
        }
    }

    /// Whether the property was checked.
    pub fn is_result(self) -> bool {
        !matches!(self, Self::Unknown | Self::Waiting | Self::Running | Self::Failed)
    }

    /// In a word or two.
    pub fn word(self) -> &'static str {
        match self {
            Self::Unknown => "not checked",
            Self::Waiting => "waiting",
            Self::Running => "checking …",
            Self::Holds => "holds",
            Self::Vacuous => "holds vacuously",
            Self::Violated => "violated",
            Self::OtherError => "not decided: another error",
            Self::Partial => "partial",
            Self::Failed => "cannot be checked",
        }
    }

    /// Its colour.
    pub fn tone(self) -> &'static str {
        match self {
            Self::Unknown | Self::Waiting => "plain",
            Self::Running => "running",
            Self::Holds => "holds",
            Self::Violated | Self::OtherError => "violated",
            Self::Vacuous | Self::Partial | Self::Failed => "partial",
        }
    }
}

/// The results that are kept, and what is still to be checked. It is cheap to copy.
#[derive(Clone, Copy)]
pub struct Checks {
    /// The latest result for each property.
    results: RwSignal<Vec<Shared<Outcome>>>,
    /// Formulas of the user's own, in the order in which they came.
    own: RwSignal<Vec<String>>,
    /// Properties that wait for their turn.
    waiting: RwSignal<Vec<Property>>,
    /// How many there were when the check of all began.
    pub total: RwSignal<usize>,
    /// What was chosen until the text did not state it any more.
    pub(super) gone: StoredValue<Option<Property>>,
}

impl Checks {
    pub(super) fn new() -> Self {
        Self {
            results: RwSignal::new(Vec::new()),
            own: RwSignal::new(Vec::new()),
            waiting: RwSignal::new(Vec::new()),
            total: RwSignal::new(0),
            gone: StoredValue::new(None),
        }
    }

    /// Forgets everything; a document is opened with this property, and these formulas.
    pub(super) fn begin(&self, property: &Property, formulas: Vec<String>) {
        self.results.set(Vec::new());
        self.own.set(formulas);
        self.own_formula(property);
        self.gone.set_value(None);
        self.stop();
    }

    /// Keeps a formula of the user's own in the list.
    pub(super) fn own_formula(&self, property: &Property) {
        if let Property::Formula { text } = property
            && !text.is_empty()
            && !self.own.with_untracked(|own| own.contains(text))
        {
            self.own.update(|own| own.push(text.clone()));
        }
    }

    /// An own formula is written anew. It takes the place of the old one, unless that was checked.
    pub(super) fn rewrite(&self, old: &str, new: &str) {
        let property = Property::Formula { text: old.to_owned() };
        let checked = untrack(|| self.result(&property))
            .is_some_and(|it| Status::of(&it.report) != Status::Failed);
        if !checked {
            self.forget(old);
        }
        self.own_formula(&Property::Formula { text: new.to_owned() });
    }

    /// Takes an own formula off the list, with its result.
    pub(super) fn forget(&self, text: &str) {
        self.own.update(|own| own.retain(|it| it != text));
        let property = Property::Formula { text: text.to_owned() };
        self.results.update(|all| all.retain(|it| it.report.experiment.property != property));
    }

    /// Lets nothing more begin.
    pub(super) fn stop(&self) {
        self.waiting.set(Vec::new());
        self.total.set(0);
    }

    /// How many wait.
    pub fn left(&self) -> usize {
        self.waiting.with(Vec::len)
    }

    /// Keeps a result in the place of an earlier one.
    pub(super) fn keep(&self, outcome: &Shared<Outcome>) {
        if outcome.replayed {
            return;
        }
        self.results.update(|results| {
            results
                .retain(|it| it.report.experiment.property != outcome.report.experiment.property);
            results.push(outcome.clone());
        });
    }

    /// The latest result for a property.
    pub fn result(&self, property: &Property) -> Option<Shared<Outcome>> {
        self.results.with(|results| {
            results.iter().find(|it| it.report.experiment.property == *property).cloned()
        })
    }

    /// Formulas of the user's own.
    pub fn own(&self) -> Vec<String> {
        self.own.get()
    }
}

/// Which infinite runs a result is about, if it is not about all: to be put behind it.
pub fn fairly(report: &Report) -> &'static str {
    let Experiment { property, settings, .. } = &report.experiment;
    if settings.fairness == Fairness::Weak && is_infinite(property) { ", weakly fair" } else { "" }
}

impl App {
    /// All properties that the page knows of: those of the text, then formulas that were typed.
    pub fn properties(&self) -> Vec<PropertyInfo> {
        let mut list = self.summary.with(|summary| summary.properties.clone());
        if !list.iter().any(|it| it.property == Some(Property::Safety)) {
            let description = "Assertions, deadlocks and run-time errors".to_owned();
            list.insert(
                0,
                PropertyInfo {
                    property: Some(Property::Safety),
                    title: "Safety".to_owned(),
                    description,
                    ..PropertyInfo::default()
                },
            );
        }
        let own = self.property.get();
        let formulas = self.checks.own().into_iter().map(|text| Property::Formula { text });
        for property in formulas.chain([own]) {
            let empty = matches!(&property, Property::Formula { text } if text.is_empty());
            if empty || list.iter().any(|it| it.property.as_ref() == Some(&property)) {
                continue;
            }
            let description = match &property {
                Property::Formula { .. } => "A formula of your own: every run has to satisfy it.",
                _ => "The text does not state it (any more).",
            };
            let formula = match &property {
                Property::Formula { text } => Some(text.clone()),
                _ => None,
            };
            list.push(PropertyInfo {
                title: self.property_title(&property),
                description: description.to_owned(),
                formula,
                property: Some(property),
                ..PropertyInfo::default()
            });
        }
        list
    }

    /// How it stands with a property, and whether that belongs to another text or other settings.
    pub fn status(&self, property: &Property) -> (Status, bool) {
        let runs = self.running.with(|running| {
            running.as_ref().is_some_and(|it| {
                matches!(it.purpose, Purpose::Check | Purpose::All)
                    && it.experiment.property == *property
            })
        });
        if runs {
            return (Status::Running, false);
        }
        if self.checks.waiting.with(|waiting| waiting.contains(property)) {
            return (Status::Waiting, false);
        }
        if let Property::Formula { text } = property
            && self.formula.is_wrong(text)
        {
            return (Status::Failed, false);
        }
        let Some(outcome) = self.checks.result(property) else { return (Status::Unknown, false) };
        let was = &outcome.report.experiment;
        let old = self.files.with(|files| *files != was.files)
            || self.settings.with(|settings| *settings != was.settings);
        match Status::of(&outcome.report) {
            // Another text may well be checked.
            Status::Failed if old => (Status::Unknown, false),
            status => (status, old),
        }
    }

    /// The same in words.
    pub fn status_text(&self, property: &Property) -> String {
        let (status, old) = self.status(property);
        let outcome = self.checks.result(property).filter(|_| status.is_result());
        let fair = outcome.map_or("", |it| fairly(&it.report));
        format!("{}{fair}{}", status.word(), if old { ", out of date" } else { "" })
    }

    /// Checks all properties, one after the other.
    pub fn check_all(&self) {
        if self.running.with_untracked(Option::is_some) {
            return;
        }
        let list = untrack(|| self.properties());
        let wanted: Vec<Property> = list.into_iter().filter_map(|it| it.property).collect();
        self.checks.total.set(wanted.len());
        self.checks.waiting.set(wanted);
        self.check_next();
    }

    /// Begins the check of the next property that waits.
    pub(super) fn check_next(&self) {
        let next = self.checks.waiting.with_untracked(|waiting| waiting.first().cloned());
        let Some(property) = next else {
            let total = self.checks.total.get_untracked();
            self.checks.stop();
            if total > 0 {
                self.announcement.set(format!("All {total} properties were checked."));
            }
            return;
        };
        self.checks.waiting.update(|waiting| {
            waiting.remove(0);
        });
        let mut experiment = self.experiment();
        experiment.property = property;
        if self.begin(experiment.clone(), Purpose::All) {
            let job = self.running.with_untracked(|r| r.as_ref().map_or(0, |r| r.job));
            if let Some(client) = self.client() {
                client.send(Request::Check { job, experiment });
            }
        } else {
            self.checks.stop();
        }
    }

    /// Takes the result of one of them.
    pub(super) fn arrive_one(&self, outcome: Outcome) {
        let property = outcome.report.experiment.property.clone();
        let title = self.property_title(&property);
        self.announcement.set(format!("{title}: {}", verdict_title(&outcome, 0)));
        let outcome = Shared::new(outcome);
        self.checks.keep(&outcome);
        if self.property.with_untracked(|own| *own == property) {
            self.present(outcome);
        }
    }

    /// Makes a property the one that is checked, with its result if there is one. What the card shows
    /// belongs to the property from then on.
    pub fn select_property(&self, property: Property) {
        let outcome = untrack(|| self.checks.result(&property));
        self.choose_property(property);
        match outcome {
            Some(outcome) => self.present(outcome),
            // A random run is that of a text; it says by itself when that has changed.
            None if self.shown.with_untracked(|shown| matches!(shown, Shown::Run(_))) => {}
            None => self.shown.set(Shown::Nothing),
        }
    }

    /// A property that the text does not state any more gives way to safety; if the text states it
    /// again, it comes back. A text with errors may be on its way to something.
    pub(super) fn follow_text(&self) {
        let broken =
            self.diagnostics.with_untracked(|all| all.iter().any(|it| it.level == Level::Error));
        if broken || self.running.with_untracked(Option::is_some) {
            return;
        }
        let is_stated = |property: &Property| {
            self.summary.with_untracked(|summary| {
                let mut stated = summary.properties.iter().filter_map(|it| it.property.as_ref());
                stated.any(|it| match (it, property) {
                    // Without a name it is the first of the text.
                    (Property::Ltl { .. }, Property::Ltl { name: None })
                    | (Property::Claim { .. }, Property::Claim { name: None }) => true,
                    _ => it == property,
                })
            })
        };
        let chosen = self.property.get_untracked();
        let gone = self.checks.gone.get_value();
        let replaced = self.naming.try_update_value(|it| std::mem::take(&mut it.replaced));
        match (&chosen, gone) {
            (Property::Formula { text }, _)
                if replaced == Some(true) && untrack(|| self.formula.is_wrong(text)) =>
            {
                self.select_property(Property::Safety);
                self.notify(
                    format!("The formula {text} does not fit this text: Safety is chosen."),
                    None,
                );
            }
            (
                Property::Ltl { .. }
                | Property::Claim { .. }
                | Property::Acceptance { claim: Some(_) },
                _,
            ) if !is_stated(&chosen) => {
                let title = untrack(|| self.property_title(&chosen));
                self.select_property(Property::Safety);
                self.checks.gone.set_value(Some(chosen));
                self.notify(format!("The text does not state {title}: Safety is chosen."), None);
            }
            (Property::Safety, Some(gone)) if is_stated(&gone) => self.select_property(gone),
            _ => {}
        }
    }

    /// Why a property cannot be checked, as far as it is known, in a sentence.
    pub fn obstacle(&self, property: &Property) -> Option<String> {
        if let Property::Formula { text } = property
            && let Some(message) = self.formula.mistake(text)
        {
            return Some(message);
        }
        let outcome = self.checks.result(property)?;
        if outcome.report.verdict != Verdict::InputError
            || self.status(property).0 != Status::Failed
        {
            return None;
        }
        // What is wrong with the text is said beside the text.
        let mut all = outcome.report.diagnostics.iter();
        all.find(|it| it.level == Level::Error && !it.span.is_in_file())
            .map(|it| it.message.clone())
    }

    /// Takes a formula of the user's own off the list.
    pub fn delete_formula(&self, text: &str) {
        if self.running.with_untracked(Option::is_some) {
            return;
        }
        self.checks.forget(text);
        let own = Property::Formula { text: text.to_owned() };
        if self.property.with_untracked(|property| *property == own) {
            self.formula.typed.set(false);
            self.formula.text.set(String::new());
            self.select_property(Property::Safety);
        }
        self.keep();
    }

    /// Shows a result that is kept, in the card and in the views that are open.
    fn present(&self, outcome: Shared<Outcome>) {
        let steps = outcome.report.violations.first().map_or(0, |it| it.trace.steps.len());
        self.playing.set(false);
        self.violation.set(0);
        self.formula.picture.set(Picture::Report);
        self.shown.set(Shown::Outcome(outcome));
        self.step.set(steps);
        self.go_to(steps);
    }
}
