//! The formula of the page: what is typed into its box, and what the checker knows of it.

use super::{App, Half, Shared, Shown};
use leptos::prelude::*;
use promenade_protocol::{
    AutomatonData, DiagnosticData, FormulaFindings, FormulaOptions, FormulaReport, Given, Level,
    Property, PropertyInfo, Request,
};
use std::time::Duration;

/// Typing has to pause this long before a formula is read.
const PAUSE: Duration = Duration::from_millis(120);

/// What the checker said about a formula.
#[derive(Clone, PartialEq, Debug)]
pub struct Reading {
    /// The formula that was read.
    pub text: String,
    /// How its automata were wanted.
    pub options: FormulaOptions,
    /// What is known.
    pub report: FormulaReport,
}

impl Reading {
    /// Whether the formula can be read.
    pub fn is_good(&self) -> bool {
        !self.report.diagnostics.iter().any(|it| it.level == Level::Error)
    }
}

/// Which automaton is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Picture {
    /// That along which the counterexample that is shown was found.
    Report,
    /// That of the formula in the box.
    Formula,
    /// That of its negation.
    Negation,
    /// The alternating automaton of the formula in the box.
    Alternating,
    /// The never claim that is chosen as property.
    Claim,
}

/// The state of the formula box. It is cheap to copy.
#[derive(Clone, Copy)]
pub struct FormulaBox {
    /// What stands in the box.
    pub text: RwSignal<String>,
    /// The user wrote it; otherwise it follows the property that is chosen.
    pub typed: RwSignal<bool>,
    /// How automata are wanted.
    pub options: RwSignal<FormulaOptions>,
    /// The latest answer; it may be that of an earlier text.
    pub reading: RwSignal<Option<Shared<Reading>>>,
    /// What is wrong with formulas, in the box and in the list, given the names of the model.
    pub findings: RwSignal<Vec<FormulaFindings>>,
    /// Which automaton is drawn, if there is it.
    pub picture: RwSignal<Picture>,
    /// A check was asked for while the box was empty.
    pub wanted: RwSignal<bool>,
    /// The request that is waited for.
    asked: StoredValue<Option<(u32, String, FormulaOptions)>>,
    /// Counts changes.
    changes: StoredValue<u32>,
}

impl FormulaBox {
    pub(super) fn new() -> Self {
        Self {
            text: RwSignal::new(String::new()),
            typed: RwSignal::new(false),
            options: RwSignal::new(FormulaOptions::default()),
            reading: RwSignal::new(None),
            findings: RwSignal::new(Vec::new()),
            picture: RwSignal::new(Picture::Report),
            wanted: RwSignal::new(false),
            asked: StoredValue::new(None),
            changes: StoredValue::new(0),
        }
    }

    /// The answer, if it is about what stands in the box.
    pub fn current(&self) -> Option<Shared<Reading>> {
        let text = self.text.get();
        self.reading.get().filter(|reading| reading.text == text)
    }

    /// What is wrong with a formula, given the names of the model; nothing if it is not known yet.
    /// For what stands in the box it is what is said there.
    pub fn wrong(&self, text: &str) -> Vec<DiagnosticData> {
        let text = text.trim();
        let read = self.reading.get().filter(|it| !it.is_good() && it.text.trim() == text);
        if let Some(reading) = read {
            let all = reading.report.diagnostics.iter();
            return all.filter(|it| it.level == Level::Error).cloned().collect();
        }
        self.findings.with(|all| {
            let found = all.iter().find(|it| it.formula.trim() == text);
            let found = found.map_or(&[][..], |it| &it.diagnostics);
            found.iter().filter(|it| it.level == Level::Error).cloned().collect()
        })
    }

    /// Whether a formula has errors, given the names of the model.
    pub fn is_wrong(&self, text: &str) -> bool {
        !self.wrong(text).is_empty()
    }

    /// The first of the errors.
    pub fn mistake(&self, text: &str) -> Option<String> {
        self.wrong(text).into_iter().next().map(|it| it.message)
    }
}

/// Whether a text is an automaton in place of a formula, a never claim or one in the Hanoi format. The
/// checker looks closer; no formula has braces.
pub fn is_automaton(text: &str) -> bool {
    text.trim_start().starts_with("HOA:") || text.contains("never") && text.contains('{')
}

/// The formula that a property of the text states.
pub fn stated_formula(info: &PropertyInfo) -> Option<String> {
    match &info.property {
        Some(Property::Formula { text }) => Some(text.clone()),
        _ => info.formula.clone(),
    }
}

impl App {
    /// Keeps the box in step with the property, and the reading with the box.
    pub fn follow_formula(&self) {
        let app = *self;
        Effect::new(move |_| {
            let own = app.property.get();
            let text = match &own {
                Property::Formula { text } => Some(text.clone()),
                property => app.summary.with(|summary| {
                    let mut all = summary.properties.iter();
                    all.find(|it| it.property.as_ref() == Some(property)).and_then(stated_formula)
                }),
            };
            // The box is that of the formula, if it is one of the user's own.
            let own = matches!(own, Property::Formula { .. });
            if let Some(text) = text
                && (own || !app.formula.typed.get_untracked())
                && app.formula.text.with_untracked(|old| old.trim() != text)
            {
                app.formula.text.set(text);
            }
        });
        Effect::new(move |_| {
            app.formula.text.track();
            app.formula.options.track();
            app.formula.changes.update_value(|count| *count = count.wrapping_add(1));
            let change = app.formula.changes.get_value();
            set_timeout(
                move || {
                    if app.formula.changes.get_value() == change {
                        app.read_formula();
                        app.look_at_names();
                        if app.formula.typed.get_untracked() {
                            app.keep();
                        }
                    }
                },
                PAUSE,
            );
        });
    }

    /// Has the formula in the box read.
    pub(super) fn read_formula(&self) {
        let text = self.formula.text.get_untracked();
        if text.trim().is_empty() {
            self.formula.asked.set_value(None);
            self.formula.reading.set(None);
            return;
        }
        let Some(client) = self.client() else { return };
        let options = self.formula.options.get_untracked();
        let job = client.next_job();
        self.formula.asked.set_value(Some((job, text.clone(), options)));
        client.send(Request::Formula { job, formula: text, options });
    }

    /// Takes an answer; only the latest request counts.
    pub(super) fn hear_formula(&self, job: u32, report: FormulaReport) {
        let Some((_, text, options)) =
            self.formula.asked.get_value().filter(|(asked, _, _)| *asked == job)
        else {
            return;
        };
        self.formula.asked.set_value(None);
        self.formula.reading.set(Some(Shared::new(Reading { text, options, report })));
    }

    /// Asks again after the worker was replaced.
    pub(super) fn renew_formula(&self) {
        if self.formula.asked.with_value(Option::is_some) {
            self.read_formula();
        }
    }

    /// The formulas that have to be over names of the model: those of the user's own, and the box.
    pub(super) fn formulas(&self) -> Vec<String> {
        let mut all = untrack(|| self.checks.own());
        all.push(self.formula.text.get_untracked());
        if let Property::Formula { text } = self.property.get_untracked() {
            all.push(text);
        }
        let mut out: Vec<String> = Vec::new();
        for text in all.iter().map(|it| it.trim()).filter(|it| !it.is_empty()) {
            if !out.iter().any(|it| it == text) {
                out.push(text.to_owned());
            }
        }
        out
    }

    /// Has the names of the formula in the box looked up in the model.
    fn look_at_names(&self) {
        let text = self.formula.text.get_untracked();
        let known = self
            .formula
            .findings
            .with_untracked(|all| all.iter().any(|it| it.formula == text.trim()));
        if !known && !text.trim().is_empty() {
            self.parse_now();
        }
    }

    /// Writes something into the box. While the property is a formula of the user's own, it is what
    /// stands in the box.
    pub fn set_formula(&self, text: String) {
        self.formula.typed.set(!text.trim().is_empty());
        self.formula.wanted.set(false);
        let old = match self.property.get_untracked() {
            Property::Formula { text } => Some(text),
            _ => None,
        };
        let new = text.trim().to_owned();
        self.formula.text.set(text);
        if let Some(old) = old.filter(|old| *old != new)
            && self.running.with_untracked(Option::is_none)
        {
            self.checks.rewrite(&old, &new);
            self.rewritten(new);
        }
    }

    /// The formula that is chosen is written anew. While it is written the result of the earlier one
    /// stays, out of date; one that was checked before has its own.
    fn rewritten(&self, text: String) {
        let keeps = !text.is_empty()
            && self
                .shown
                .with_untracked(|shown| matches!(shown, Shown::Outcome(_) | Shown::Run(_)));
        let property = Property::Formula { text };
        if keeps && untrack(|| self.checks.result(&property)).is_none() {
            self.choose_property(property);
        } else {
            self.select_property(property);
        }
    }

    /// Writes a formula of the text into the box. One of the user's own that is chosen stays in the list.
    pub fn examine(&self, text: String) {
        self.formula.typed.set(true);
        if let Property::Formula { .. } = self.property.get_untracked()
            && self.running.with_untracked(Option::is_none)
        {
            let property = Property::Formula { text: text.clone() };
            self.checks.own_formula(&property);
            self.select_property(property);
        }
        self.formula.text.set(text);
        crate::events::focus("#formula");
    }

    /// The user wants to write a formula, and to have it checked.
    pub fn write_formula(&self) {
        let text = self.formula.text.get_untracked().trim().to_owned();
        // What stands in the box may be that of the property chosen up to now.
        let text = if self.formula.typed.get_untracked() { text } else { String::new() };
        let property = Property::Formula { text };
        self.checks.own_formula(&property);
        self.select_property(property);
        self.go_to_formula();
    }

    /// Shows the box, with the cursor in it.
    pub fn go_to_formula(&self) {
        self.view.set("properties");
        self.half.set(Half::Result);
        request_animation_frame(|| {
            crate::events::focus("#formula");
            // With what is said of it.
            if let Ok(Some(about)) = document().query_selector("#formula-about :is(.finding, p)") {
                let options = web_sys::ScrollIntoViewOptions::new();
                options.set_block(web_sys::ScrollLogicalPosition::Nearest);
                about.scroll_into_view_with_scroll_into_view_options(&options);
            }
        });
    }

    /// Makes the formula in the box the property, and checks.
    pub fn check_formula(&self) {
        let text = self.formula.text.get_untracked().trim().to_owned();
        if text.is_empty() || self.running.with_untracked(Option::is_some) {
            return;
        }
        let property = Property::Formula { text };
        self.checks.own_formula(&property);
        self.choose_property(property);
        self.check();
    }

    /// Changes what is checked.
    pub fn choose_property(&self, property: Property) {
        if self.property.with_untracked(|own| *own != property) {
            self.property.set(property);
            self.checks.gone.set_value(None);
            self.formula.picture.set(Picture::Report);
            self.changed();
        }
    }

    /// Appends the formula in the box to the text, as a block with a name of its own; an automaton as
    /// a never claim.
    pub fn append_formula(&self) {
        let Some(reading) = untrack(|| self.formula.current()).filter(|it| it.is_good()) else {
            return;
        };
        let taken = |name: &str| {
            self.summary.with_untracked(|it| it.symbols.iter().any(|it| it.name == name))
        };
        let name = (1..).map(|i| format!("f{i}")).find(|name| !taken(name)).unwrap_or_default();
        let (what, block) = match reading.report.given {
            Given::Formula => ("block ltl", format!("ltl {name} {{ {} }}", reading.text.trim())),
            Given::NeverClaim | Given::Hoa => {
                let claim = reading.report.never_claim.trim();
                let body = claim.strip_prefix("never").unwrap_or(claim).trim();
                ("never claim", format!("never {name} {body}"))
            }
        };
        let old = self.files.with_untracked(|files| files.first().map(|file| file.text.clone()));
        let Some(old) = old else { return };
        let text = format!("{}\n\n{block}\n", old.trim_end());
        self.show_file(0);
        self.with_editor(|editor| editor.replace(0, &text));
        self.notify(format!("The {what} {name} was added at the end of the text."), None);
    }

    /// The never claim that moves along with the property that is chosen.
    pub fn claim_automaton(&self) -> Option<AutomatonData> {
        let claim = match self.property.get() {
            Property::Claim { name } => name,
            Property::Acceptance { claim } => claim,
            _ => return None,
        };
        self.summary.with(|summary| {
            let mut all = summary.properties.iter().filter(|it| it.automaton.is_some());
            let found = all.find(|it| match &it.property {
                // Without a name it is the first one.
                Some(Property::Claim { name }) => claim.is_none() || *name == claim,
                _ => false,
            });
            found.and_then(|it| it.automaton.clone())
        })
    }

    /// The automaton along which the counterexample that is shown was found.
    pub fn report_automaton(&self) -> Option<AutomatonData> {
        self.outcome().and_then(|outcome| outcome.report.automaton.clone())
    }
}
