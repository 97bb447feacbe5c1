//! The state of the page, and what can be done with it.

mod checks;
mod documents;
mod focus;
mod formula;
mod graph;
mod interrupted;
mod patterns;
mod race;
mod results;
mod running;
mod simulation;
mod techniques;
mod trials;
mod words;

pub use checks::{Checks, Status, fairly};
pub use documents::{MAX_TEXT, missing_file};
pub use formula::{FormulaBox, Picture, Reading, is_automaton, stated_formula};
pub use graph::{DrawnGraph, GraphPath, GraphTool, LIMITS, way_to};
pub use interrupted::interrupted;
pub use patterns::PatternHelper;
pub use race::{Entrant, Race, is_infinite};
pub use results::{
    FORMULA_ERROR, process_colour, process_label, process_name, refused, verdict_title,
    without_verdict,
};
pub use simulation::{NO_RUN, Run};
pub use techniques::{Combination, Row, Techniques, combinations, ended_early};
pub use trials::{Together, Trials};
pub use words::{Trial, WordTester};

use crate::crew::{self, Cores, Crew};
use crate::document::{Document, body, resembles};
use crate::editor::TextEditor;
use crate::naming::Naming;
use crate::playback::{Playback, Snapshot};
use crate::worker_client::Client;
use leptos::prelude::*;
use promenade_gallery::Entry;
use promenade_protocol::{
    DiagnosticData, Experiment, File, ModelSummary, PlanNote, Progress, Property, Report, Settings,
    SpanData,
};
use std::ops::Deref;
use std::sync::Arc;

/// A value that is shared and compared by identity.
#[derive(Debug, Default)]
pub struct Shared<T>(Arc<T>);

impl<T> Shared<T> {
    /// A new one.
    pub fn new(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

/// Dialogs and panels; at most one is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialog {
    /// Models to begin with.
    Gallery,
    /// How to check.
    Options,
    /// A link.
    Share,
    /// Help.
    Help,
    /// Earlier texts.
    Drafts,
}

/// The two halves of the page on a phone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Half {
    /// The editor.
    Edit,
    /// The result.
    Result,
}

/// The checker's worker, as far as the page knows.
#[derive(Clone, PartialEq, Debug)]
pub enum WorkerState {
    /// Not ready yet.
    Starting,
    /// Ready, with its version.
    Ready(String),
    /// There is none, and why.
    Unavailable(String),
}

/// A check that runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Running {
    /// Its number.
    pub job: u32,
    /// What is checked.
    pub experiment: Experiment,
    /// When it was started, in milliseconds.
    pub since: f64,
    /// When the checker was last heard.
    pub heard: f64,
    /// How far it is.
    pub progress: Progress,
    /// How it is done.
    pub notes: Vec<PlanNote>,
    /// Whether it was asked to stop.
    pub cancelled: bool,
    /// What is done with the answer.
    pub purpose: Purpose,
}

/// Why something runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// The user wants it checked.
    Check,
    /// The counterexample of a link is replayed; the step to show.
    Replay(Option<u32>),
    /// All properties are checked, and this is one of them.
    All,
    /// Algorithms are compared, and this is one of them.
    Race,
    /// Techniques are compared, and this is one of them.
    Techniques,
    /// One random run with this seed.
    Simulate(u64),
}

/// What came out.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The report.
    pub report: Report,
    /// A replayed counterexample did not arrive where it should.
    pub mismatch: Option<String>,
    /// It was replayed from a link, not found by a search.
    pub replayed: bool,
    /// How it was done.
    pub plan: Vec<PlanNote>,
}

/// What the verdict card shows while nothing runs.
#[derive(Clone, PartialEq, Debug)]
pub enum Shown {
    /// Nothing was checked yet.
    Nothing,
    /// A result.
    Outcome(Shared<Outcome>),
    /// One random run.
    Run(Shared<Run>),
    /// The formula that should have been checked has an error, which its box shows.
    WrongFormula,
    /// Something went wrong that is no verdict about the model.
    Trouble {
        /// In a few words.
        title: String,
        /// What happened, and that nothing is lost.
        text: String,
        /// What can be begun again.
        again: Option<Again>,
    },
}

/// A check that did not come to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Again {
    /// That of one property.
    Check,
    /// That of all properties.
    All,
}

/// A message at the edge of the page.
#[derive(Clone, PartialEq, Debug)]
pub struct Notice {
    /// What it says.
    pub text: String,
    /// A button.
    pub action: Option<NoticeAction>,
    /// It stays until it is closed.
    pub stays: bool,
}

/// What a notice offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoticeAction {
    /// Save the text as a file.
    Download,
    /// List the drafts.
    Drafts,
    /// Open the file again that was closed last.
    Reopen,
    /// Take the new version of the page.
    Update,
    /// Go back to the options before a button changed them.
    Options,
}

impl NoticeAction {
    /// Its label.
    pub fn label(self) -> &'static str {
        match self {
            Self::Download => "Download",
            Self::Drafts => "Show drafts",
            Self::Reopen | Self::Options => "Undo",
            Self::Update => "Reload now",
        }
    }
}

/// The state of the page. It is cheap to copy.
#[derive(Clone, Copy)]
pub struct App {
    /// Identity of the open document.
    pub id: RwSignal<String>,
    /// The files; the texts are those of the editor.
    pub files: RwSignal<Vec<File>>,
    /// The file in the editor.
    pub active: RwSignal<usize>,
    /// Included files that were closed, with their places, the latest last.
    pub closed: RwSignal<Vec<(usize, File)>>,
    /// Names of texts that are pasted.
    naming: StoredValue<Naming>,
    /// The gallery's model that the document began as.
    pub origin: RwSignal<Option<String>>,
    /// What is checked.
    pub property: RwSignal<Property>,
    /// How.
    pub settings: RwSignal<Settings>,
    /// The text of the document was edited since it was opened.
    pub edited: RwSignal<bool>,
    /// What is in the text.
    pub summary: RwSignal<ModelSummary>,
    /// What is wrong with it, with the texts that the places belong to.
    pub diagnostics: RwSignal<Vec<DiagnosticData>>,
    /// The worker.
    pub worker: RwSignal<WorkerState>,
    /// The check that runs.
    pub running: RwSignal<Option<Running>>,
    /// A check runs long enough to be shown.
    pub visible: RwSignal<bool>,
    /// What the card shows.
    pub shown: RwSignal<Shown>,
    /// Which violation.
    pub violation: RwSignal<usize>,
    /// Which step of its trace.
    pub step: RwSignal<usize>,
    /// The trace plays.
    pub playing: RwSignal<bool>,
    /// The view under the verdict.
    pub view: RwSignal<&'static str>,
    /// The view that shows a new result, until it is looked at.
    pub fresh: RwSignal<Option<&'static str>>,
    /// The half that a phone shows.
    pub half: RwSignal<Half>,
    /// The open dialog.
    pub dialog: RwSignal<Option<Dialog>>,
    /// The page of the help.
    pub help: RwSignal<&'static str>,
    /// The notice.
    pub notice: RwSignal<Option<Notice>>,
    /// What a screen reader says.
    pub announcement: RwSignal<String>,
    /// The formula box.
    pub formula: FormulaBox,
    /// The results of all properties.
    pub checks: Checks,
    /// The word that is tried.
    pub words: WordTester,
    /// The pattern that is filled in.
    pub patterns: PatternHelper,
    /// The comparison of algorithms.
    pub race: Race,
    /// What each technique buys.
    pub techniques: Techniques,
    /// Runs with different seeds.
    pub trials: Trials,
    /// The state graph.
    pub graph: GraphTool,
    /// The result belongs to another text, property or setting.
    pub stale: Memo<bool>,
    /// The trace that is shown.
    pub playback: Memo<Option<Shared<Playback>>>,
    /// The state at the step that is shown.
    pub snapshot: Memo<Shared<Snapshot>>,
    editor: StoredValue<Option<TextEditor>, LocalStorage>,
    client: StoredValue<Option<Client>, LocalStorage>,
    /// The workers of the check that runs, if there are several.
    crew: StoredValue<Option<Crew>, LocalStorage>,
    /// How many workers a check has.
    pub cores: RwSignal<Cores>,
    /// The parse that is waited for: its number, and when it was sent.
    parse: StoredValue<Option<(u32, f64)>>,
    /// Counts edits, for what waits until typing stops.
    edits: StoredValue<u32>,
    /// The text that the checker crashed on.
    crashed_on: StoredValue<Option<Vec<File>>>,
    /// The user was told that the browser keeps nothing.
    unkept: StoredValue<bool>,
    /// The options before a button changed them.
    former: StoredValue<Settings>,
}

impl App {
    /// The state at the start; it is found by [`App::get`] from then on.
    pub fn provide() -> Self {
        let files = RwSignal::new(Vec::new());
        let property = RwSignal::new(Property::default());
        let settings = RwSignal::new(Settings::default());
        let shown = RwSignal::new(Shown::Nothing);
        let violation = RwSignal::new(0);
        let step = RwSignal::new(0);
        let stale = Memo::new(move |_| {
            shown.with(|shown| {
                let was = match shown {
                    Shown::Outcome(outcome) => &outcome.report.experiment,
                    Shown::Run(run) => &run.experiment,
                    Shown::Nothing | Shown::WrongFormula | Shown::Trouble { .. } => return false,
                };
                files.with(|files: &Vec<File>| *files != was.files)
                    || property.with(|property| *property != was.property)
                    || settings.with(|settings| *settings != was.settings)
            })
        });
        let playback = Memo::new(move |_| {
            let index = violation.get();
            shown.with(|shown| match shown {
                Shown::Outcome(outcome) => outcome.report.violations.get(index).map(|found| {
                    let trace = found.trace.clone();
                    let property = &outcome.report.experiment.property;
                    Shared::new(if property.claim_has_statements() {
                        Playback::new(trace)
                    } else {
                        Playback::with_automaton(trace)
                    })
                }),
                Shown::Run(run) if run.experiment.property.claim_has_statements() => {
                    Some(Shared::new(Playback::new(run.trace.clone())))
                }
                Shown::Run(run) => Some(Shared::new(Playback::with_automaton(run.trace.clone()))),
                _ => None,
            })
        });
        let snapshot = Memo::new(move |_| {
            let step = step.get();
            Shared::new(playback.with(|playback| {
                playback.as_ref().map(|playback| playback.state(step)).unwrap_or_default()
            }))
        });
        let app = Self {
            id: RwSignal::new(String::new()),
            files,
            active: RwSignal::new(0),
            closed: RwSignal::new(Vec::new()),
            naming: StoredValue::new(Naming::default()),
            origin: RwSignal::new(None),
            property,
            settings,
            edited: RwSignal::new(false),
            summary: RwSignal::new(ModelSummary::default()),
            diagnostics: RwSignal::new(Vec::new()),
            worker: RwSignal::new(WorkerState::Starting),
            running: RwSignal::new(None),
            visible: RwSignal::new(false),
            shown,
            violation,
            step,
            playing: RwSignal::new(false),
            view: RwSignal::new("lesson"),
            fresh: RwSignal::new(None),
            half: RwSignal::new(Half::Edit),
            dialog: RwSignal::new(None),
            help: RwSignal::new("getting-started"),
            notice: RwSignal::new(None),
            announcement: RwSignal::new(String::new()),
            formula: FormulaBox::new(),
            checks: Checks::new(),
            words: WordTester::new(),
            patterns: PatternHelper::new(),
            race: Race::new(),
            techniques: Techniques::new(),
            trials: Trials::new(),
            graph: GraphTool::new(),
            stale,
            playback,
            snapshot,
            editor: StoredValue::new_local(None),
            client: StoredValue::new_local(None),
            crew: StoredValue::new_local(None),
            cores: RwSignal::new(crew::kept()),
            parse: StoredValue::new(None),
            edits: StoredValue::new(0),
            crashed_on: StoredValue::new(None),
            unkept: StoredValue::new(false),
            former: StoredValue::new(Settings::default()),
        };
        provide_context(app);
        app
    }

    /// The state, from inside a component.
    pub fn get() -> Self {
        expect_context()
    }

    /// What is in the editor, with property and settings.
    pub fn experiment(&self) -> Experiment {
        Experiment {
            files: self.files.get_untracked(),
            property: self.property.get_untracked(),
            settings: self.settings.get_untracked(),
        }
    }

    /// The document as it is now.
    pub fn document(&self) -> Document {
        Document {
            id: self.id.get_untracked(),
            changed_at: crate::events::clock(),
            experiment: self.experiment(),
            origin: self.origin.get_untracked(),
            formulas: untrack(|| self.checks.own()),
            typed: self.formula.typed.get_untracked().then(|| self.formula.text.get_untracked()),
        }
    }

    /// The gallery's model that the text still is in essence.
    pub fn entry(&self) -> Option<&'static Entry> {
        let origin = self.origin.get()?;
        let entry = promenade_gallery::find(&origin)?;
        self.files.with(|files| {
            let text = &files.first()?.text;
            let first = body(entry);
            if *text == first {
                return Some(entry);
            }
            // Models of one problem share lines: one may have been pasted over another.
            let other =
                promenade_gallery::ENTRIES.iter().find(|it| *text == body(it) || *text == it.text);
            other.or_else(|| resembles(text, &first).then_some(entry))
        })
    }

    /// The result, if there is one.
    pub fn outcome(&self) -> Option<Shared<Outcome>> {
        self.shown.with(|shown| match shown {
            Shown::Outcome(outcome) => Some(outcome.clone()),
            _ => None,
        })
    }

    /// The property of the result, where another one is chosen now.
    pub fn other_property(&self) -> Option<Property> {
        let was = self.shown.with(|shown| match shown {
            Shown::Outcome(outcome) => Some(outcome.report.experiment.property.clone()),
            _ => None,
        })?;
        self.property.with(|property| *property != was).then_some(was)
    }

    /// A file's text as it was when the result was made.
    pub fn shown_text<T>(&self, file: u16, call: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        self.shown.with(|shown| {
            let experiment = match shown {
                Shown::Outcome(outcome) => &outcome.report.experiment,
                Shown::Run(run) => &run.experiment,
                Shown::Nothing | Shown::WrongFormula | Shown::Trouble { .. } => return None,
            };
            experiment.files.get(usize::from(file)).and_then(|file| call(&file.text))
        })
    }

    /// The name of a file, where there are several.
    pub fn file_label(&self, file: u16) -> Option<String> {
        self.files.with_untracked(|files| {
            let several = files.len() > 1;
            files.get(usize::from(file)).filter(|_| several).map(|file| file.name.clone())
        })
    }

    /// A place for people: its line, and its file where there are several.
    pub fn place_label(&self, span: SpanData) -> String {
        let line = format!("line {}", span.line);
        match self.file_label(span.file) {
            Some(name) => format!("{name}, {line}"),
            None => line,
        }
    }

    /// The same in short: `12`, `part.h:12`.
    pub fn line_label(&self, span: SpanData) -> String {
        match self.file_label(span.file) {
            Some(name) => format!("{name}:{}", span.line),
            None => span.line.to_string(),
        }
    }

    /// Gives the editor to the state; the open document is shown in it.
    pub fn set_editor(&self, editor: TextEditor) {
        let texts = self.files.with_untracked(|f| f.iter().map(|f| f.text.clone()).collect());
        editor.open(texts);
        self.editor.set_value(Some(editor));
        self.lock_course();
    }

    /// Does something with the editor, once it is there.
    pub fn with_editor<T>(&self, call: impl FnOnce(&TextEditor) -> T) -> Option<T> {
        self.editor.with_value(|editor| editor.as_ref().map(call))
    }

    fn client(&self) -> Option<Client> {
        self.client.get_value()
    }

    /// Shows a place of the text, with the cursor on it.
    pub fn show_span(&self, span: SpanData) {
        let app = *self;
        let reveal = move || {
            app.files.with_untracked(|files| {
                if let Some(file) = files.get(usize::from(span.file)) {
                    app.with_editor(|editor| editor.reveal(&file.text, &span, true));
                }
            });
        };
        let hidden = self.half.get_untracked() == Half::Result && crate::events::is_narrow();
        self.half.set(Half::Edit);
        self.active.set(usize::from(span.file));
        // What is hidden can neither be scrolled nor have the focus.
        if hidden { request_animation_frame(reveal) } else { reveal() }
    }

    /// The same for UTF-16 units, as the editor counts.
    pub fn show_units(&self, file: usize, from: usize, to: usize) {
        self.active.set(file);
        self.with_editor(|editor| editor.reveal_units(file, from, to));
    }

    /// Says something to the user.
    pub fn notify(&self, text: impl Into<String>, action: Option<NoticeAction>) {
        self.notice.set(Some(Notice { text: text.into(), action, stays: false }));
    }

    /// The same, until it is closed.
    pub fn warn(&self, text: impl Into<String>, action: Option<NoticeAction>) {
        self.notice.set(Some(Notice { text: text.into(), action, stays: true }));
    }

    /// Takes back what offers one of these, as there is nothing to undo any more.
    pub fn withdraw(&self, actions: &[NoticeAction]) {
        let offers = |it: &Notice| it.action.is_some_and(|it| actions.contains(&it));
        if self.notice.with_untracked(|it| it.as_ref().is_some_and(offers)) {
            self.notice.set(None);
        }
    }

    /// The name of a property, as the text states it.
    pub fn property_title(&self, property: &Property) -> String {
        let known = self.summary.with(|summary| {
            let mut all = summary.properties.iter();
            all.find(|it| it.property.as_ref() == Some(property)).map(|it| it.title.clone())
        });
        known.unwrap_or_else(|| match property {
            Property::Safety => "Safety".to_owned(),
            Property::Claim { name: Some(name) } => format!("Claim {name}"),
            Property::Claim { name: None } => "Never claim".to_owned(),
            Property::Ltl { name } => format!("ltl {}", name.as_deref().unwrap_or("")),
            Property::Formula { text } if is_automaton(text) => "Given automaton".to_owned(),
            Property::Formula { text } if text.is_empty() => "A formula of your own".to_owned(),
            Property::Formula { text } => text.clone(),
            Property::Acceptance { .. } => "Acceptance cycles".to_owned(),
            Property::Progress => "Progress".to_owned(),
        })
    }
}
