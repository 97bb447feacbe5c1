//! From the fields of a block to a task.

use super::{Reader, TaskBlock, is_name};
use crate::data::{Text, Value};
use crate::format::{
    Body, FileRef, Judged, Kind, ModelSettings, Question, Role, Run, Stated, Task,
};
use crate::keys::{TASK_KEYS, find, similar};
use crate::limits;
use crate::properties::{PropertySpec, property};
use promenade_base::Span;
use promenade_protocol::{Define, Fairness};

/// Reads a task; `None` if it cannot be used, which the diagnostics say.
pub(super) fn read(reader: &mut Reader, block: &TaskBlock) -> Option<Task> {
    let mut fields = Fields { reader, block };
    let kind = fields.kind();
    let id = fields.text("id");
    let id = match id {
        Some(id) if is_name(&id.text) => Some(id.text),
        Some(id) => {
            fields.reader.error("bad-id", id.span, "an id is made of letters, digits, `-` and `_`");
            None
        }
        None => {
            fields.reader.error("no-id", block.span, "the task has no id");
            None
        }
    };
    fields.unknown(kind);
    let kind = kind?;
    let settings = fields.settings();
    let body = fields.body(kind)?;
    let id = id?;
    // What a prediction is told would be the answer.
    let default = match kind {
        Kind::Predict => crate::Feedback::Verdict,
        _ => fields.reader.defaults.feedback,
    };
    let feedback = fields.text("feedback").map(|it| fields.reader.feedback(&it));
    let hidden_feedback = fields.text("hidden-feedback").map(|it| fields.reader.feedback(&it));
    Some(Task {
        title: fields.text("title").map_or_else(|| id.clone(), |it| it.text),
        id,
        kind,
        points: fields.number("points", 0, limits::POINTS, 1),
        partial: fields.yes("partial"),
        feedback: feedback.unwrap_or(default),
        hidden_feedback: hidden_feedback.unwrap_or(crate::Feedback::Verdict),
        hints: fields.list("hints").into_iter().map(|it| it.what.text).collect(),
        hints_after: fields.number("hints-after", 1, 1000, 3),
        settings,
        body,
        solution: fields.text("solution").map(|it| it.text),
        withheld: fields.yes("withheld"),
        span: block.span,
    })
}

struct Fields<'a, 'b> {
    reader: &'a mut Reader<'b>,
    block: &'a TaskBlock,
}

impl Fields<'_, '_> {
    fn text(&mut self, key: &str) -> Option<Text> {
        let field = self.block.fields.iter().find(|field| field.key == key)?;
        match &field.value {
            Value::Text(text) if text.text.is_empty() => {
                self.reader.error("no-value", field.place, format!("`{key}` has no value"));
                None
            }
            Value::Text(text) => Some(text.clone()),
            Value::List(_) => {
                self.reader.error(
                    "no-list",
                    field.place,
                    format!("`{key}` has one value, no list"),
                );
                None
            }
        }
    }

    /// The items of a list; one value is a list of one. Those of a hidden key, or sealed, are hidden.
    fn list(&mut self, key: &str) -> Vec<Stated<Text>> {
        let found = self.block.fields.iter().enumerate().find(|(_, field)| field.key == key);
        let Some((at, field)) = found else { return Vec::new() };
        let hidden = at >= self.block.own || find(TASK_KEYS, key).is_some_and(|key| key.hidden);
        let items = match &field.value {
            Value::Text(text) if text.text.is_empty() => {
                self.reader.error("no-value", field.place, format!("`{key}` has no value"));
                return Vec::new();
            }
            Value::Text(text) => vec![text.clone()],
            Value::List(items) => items.clone(),
        };
        if items.len() > limits::ITEMS {
            let message = format!("`{key}` has more than {} items", limits::ITEMS);
            self.reader.error("too-many-items", field.place, message);
        }
        let items = items.into_iter().take(limits::ITEMS).filter(|item| !item.text.is_empty());
        items.map(|what| Stated { span: what.span, what, hidden }).collect()
    }

    /// The items of a list and of its hidden twin.
    fn both(&mut self, key: &str) -> Vec<Stated<Text>> {
        let mut items = self.list(key);
        items.extend(self.list(&format!("hidden-{key}")));
        items
    }

    fn number(&mut self, key: &str, least: u32, most: u32, default: u32) -> u32 {
        let value = self.text(key);
        self.reader.number(value.as_ref(), least, most, default)
    }

    fn yes(&mut self, key: &str) -> bool {
        self.choice(key, &[("yes", true), ("no", false)]).unwrap_or(false)
    }

    fn choice<T: Copy>(&mut self, key: &str, choices: &[(&str, T)]) -> Option<T> {
        let value = self.text(key)?;
        let chosen = choices.iter().find(|(word, _)| *word == value.text).map(|(_, it)| *it);
        if chosen.is_none() {
            let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
            let message = format!("`{}`: expected {}", value.text, words.join(", "));
            self.reader.error("bad-value", value.span, message);
        }
        chosen
    }

    fn kind(&mut self) -> Option<Kind> {
        if !self.block.fields.iter().any(|field| field.key == "kind") {
            self.reader.error("no-kind", self.block.span, "the task has no kind");
        }
        let kinds = Kind::ALL.map(|kind| (kind.word(), kind));
        self.choice("kind", &kinds)
    }

    /// Complains about keys that are not known, or do not belong to this kind of task.
    fn unknown(&mut self, kind: Option<Kind>) {
        for field in &self.block.fields {
            let Some(key) = find(TASK_KEYS, &field.key) else {
                self.reader.unknown(field, "task", similar(TASK_KEYS, &field.key));
                continue;
            };
            if let Some(kind) = kind
                && !key.kinds.is_empty()
                && !key.kinds.contains(&kind)
            {
                let message =
                    format!("`{}` does not belong to a task of kind {}", field.key, kind.word());
                self.reader.error("key-and-kind", field.place, message);
            }
        }
    }

    fn settings(&mut self) -> ModelSettings {
        let (states, memory) = (self.reader.defaults.states, self.reader.defaults.memory_mib);
        let fairness = [("none", Fairness::None), ("weak", Fairness::Weak)];
        let mut defines = Vec::new();
        for item in self.list("defines") {
            let (name, value) = match item.what.text.split_once('=') {
                Some((name, value)) => (name.trim().to_owned(), Some(value.trim().to_owned())),
                None => (item.what.text.clone(), None),
            };
            if name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.is_empty() {
                defines.push(Define { name, value });
            } else {
                self.reader.error("bad-value", item.span, "expected a macro: `N=3`");
            }
        }
        ModelSettings {
            states: self.number("states", 1, limits::STATES, states),
            memory_mib: self.number("memory", 1, limits::MEMORY_MIB, memory),
            fairness: self.choice("fairness", &fairness).unwrap_or(Fairness::None),
            lose_messages: self.yes("lose-messages"),
            defines,
        }
    }

    fn required(&mut self, key: &str) -> Option<Text> {
        let there = self.block.fields.iter().any(|field| field.key == key);
        if !there {
            self.reader.error("no-value", self.block.span, format!("the task has no `{key}`"));
        }
        self.text(key)
    }

    /// A file of the assignment with one of these roles.
    fn file(&mut self, name: &Text, fits: &dyn Fn(Role) -> bool, what: &str) -> Option<bool> {
        let role = self.reader.assignment.file(&name.text).map(|file| file.role);
        match role {
            Some(role) if fits(role) => Some(role == Role::Hidden),
            Some(_) => {
                self.reader.error("file-role", name.span, format!("`{}` is not {what}", name.text));
                None
            }
            // It was hidden, and is left out.
            None if self.reader.assignment.private => Some(true),
            None => {
                let message = format!("there is no file `{}` in this assignment", name.text);
                self.reader.error("no-file", name.span, message);
                None
            }
        }
    }

    fn files(&mut self, items: Vec<Stated<Text>>) -> Vec<FileRef> {
        let mut files = Vec::new();
        for item in items {
            let fits = |role: Role| matches!(role, Role::Given | Role::Hidden);
            if let Some(hidden) = self.file(&item.what, &fits, "given or hidden") {
                let hidden = hidden || item.hidden;
                files.push(Stated { what: item.what.text, hidden, span: item.span });
            }
        }
        files
    }

    fn judged(&mut self, fits: &dyn Fn(Role) -> bool, what: &str) -> Option<Judged> {
        let file = self.required("file")?;
        self.file(&file, fits, what)?;
        let environment = self.list("environment");
        Some(Judged { file: file.text, environment: self.files(environment) })
    }

    fn property(&mut self, text: &Text) -> Option<PropertySpec> {
        match property(&text.text) {
            Ok(spec) => Some(spec),
            Err(message) => {
                self.reader.error("bad-property", text.span, message);
                None
            }
        }
    }

    fn body(&mut self, kind: Kind) -> Option<Body> {
        match kind {
            Kind::Hold | Kind::DeadlockFree | Kind::Model => self.model(kind),
            Kind::FindBug => {
                let model = self.judged(&|role| role == Role::Given, "a given file")?;
                let text = self.required("property")?;
                let what = self.property(&text)?;
                let property = Box::new(Stated { what, hidden: false, span: text.span });
                let violation = self.text("violation").map(|it| it.text);
                let steps = self.number("steps", 1, 1_000_000, u32::MAX);
                let steps = (steps != u32::MAX).then_some(steps);
                Some(Body::FindBug { model, property, violation, steps })
            }
            Kind::Formula | Kind::Claim => self.specification(),
            Kind::Predict => self.predict(),
        }
    }

    fn model(&mut self, kind: Kind) -> Option<Body> {
        let starter = |role: Role| matches!(role, Role::Starter { .. });
        let model = self.judged(&starter, "a starter file")?;
        let mut properties = Vec::new();
        if kind == Kind::DeadlockFree {
            let what = property("deadlock").unwrap_or_default();
            properties.push(Stated { what, hidden: false, span: self.block.span });
        }
        for item in self.both("properties") {
            if let Some(what) = self.property(&item.what) {
                properties.push(Stated { what, hidden: item.hidden, span: item.span });
            }
        }
        let witnesses = self.both("witnesses").into_iter();
        let witnesses: Vec<Stated<String>> = witnesses
            .map(|it| Stated { what: it.what.text, hidden: it.hidden, span: it.span })
            .collect();
        for witness in &witnesses {
            let text = Text { text: witness.what.clone(), span: witness.span };
            self.formula(&text);
        }
        let withheld = self.reader.assignment.private;
        if properties.is_empty() && witnesses.is_empty() && !withheld {
            let message = "the task has no properties and no witnesses";
            self.reader.error("no-value", self.block.span, message);
        }
        Some(Body::Model { model, properties, witnesses })
    }

    /// Complains about what is no formula.
    fn formula(&mut self, text: &Text) {
        let parsed = promenade_ltl::parse(&text.text, promenade_ltl::Reading::Blocks);
        if let Some(error) = parsed.diagnostics.iter().find(|it| it.is_error()) {
            let start = text.span.start.saturating_add(error.span.start);
            // A text of several lines is cut, so places within it are not exact.
            let exact = text.span.end - text.span.start == text.text.len() as u32;
            let end = text.span.start.saturating_add(error.span.end);
            let span = if exact { Span::new(text.span.file, start, end) } else { text.span };
            self.reader.error("bad-formula", span, error.message.clone());
        }
    }

    fn specification(&mut self) -> Option<Body> {
        let items = self.both("models");
        let models = self.files(items);
        let items = self.both("mutants");
        let mutants = self.files(items);
        let next = self.yes("next");
        let reference = self.text("reference");
        let reference = reference.map(|it| {
            let span = it.span;
            if !is_automaton(&it.text) {
                self.formula(&it);
            }
            Stated { what: it.text, hidden: true, span }
        });
        let nothing = models.is_empty() && mutants.is_empty() && reference.is_none();
        if nothing && !self.reader.assignment.private {
            let message = "the task has no reference, no models and no mutants";
            self.reader.error("no-value", self.block.span, message);
        }
        Some(Body::Specification { models, mutants, reference, next })
    }

    fn predict(&mut self) -> Option<Body> {
        let model = self.judged(&|role| role == Role::Given, "a given file")?;
        let questions = [
            ("states", Question::States),
            ("assertions", Question::Assertions),
            ("runs", Question::Runs),
            ("verdict", Question::Verdict),
        ];
        self.required("question");
        let question = self.choice("question", &questions)?;
        let text = self.text("property");
        let spec = match &text {
            Some(text) => self.property(text)?,
            None if question == Question::Verdict => {
                let message = "the task has no `property`";
                self.reader.error("no-value", self.block.span, message);
                return None;
            }
            None => property("safety").unwrap_or_default(),
        };
        let mut runs: Vec<Stated<Run>> = Vec::new();
        for item in self.list("runs") {
            let Some((name, formula)) = item.what.text.split_once(':') else {
                self.reader.error("bad-value", item.span, "expected `A: formula`");
                continue;
            };
            let (name, formula) = (name.trim().to_owned(), formula.trim().to_owned());
            if !is_name(&name) || runs.iter().any(|run| run.what.name == name) {
                self.reader.error("bad-value", item.span, "each run has a name of its own");
                continue;
            }
            self.formula(&Text { text: formula.clone(), span: item.span });
            runs.push(Stated { what: Run { name, formula }, hidden: false, span: item.span });
        }
        if (question == Question::Runs) == runs.is_empty() {
            let message = "runs are given exactly where they are asked about";
            self.reader.error("no-value", self.block.span, message);
        }
        Some(Body::Predict { model, question, property: Box::new(spec), runs })
    }
}

/// Whether a text is meant as a never claim or an automaton.
fn is_automaton(text: &str) -> bool {
    text.trim_start().starts_with("HOA:") || promenade_automata::text::never::is_claim(text)
}
