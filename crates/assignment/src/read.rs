//! From a text to an assignment.

mod task;

use crate::blocks::{Block, Document, cut};
use crate::data::{Field, Text, Value, fields};
use crate::format::{Assignment, Feedback, Piece, Role, SourceText};
use crate::keys::{FRONT_KEYS, find, similar};
use crate::regions::Template;
use crate::{limits, seal};
use promenade_base::{Checked, Diagnostic, FileId, Span};

/// What the front matter says that tasks inherit.
#[derive(Clone, Copy, Debug)]
struct Defaults {
    feedback: Feedback,
    states: u32,
    memory_mib: u32,
}

/// Reads an assignment of any edition. There is always a value; it can be used exactly if no
/// diagnostic is an error. Spans are those of the text; what is wrong in the sealed part is told at
/// its block.
pub fn read(text: &str) -> Checked<Assignment> {
    let defaults = Defaults {
        feedback: Feedback::default(),
        states: limits::STATES_DEFAULT,
        memory_mib: limits::MEMORY_MIB_DEFAULT,
    };
    let mut reader =
        Reader { text, diagnostics: Vec::new(), assignment: Assignment::default(), defaults };
    if text.len() > limits::ASSIGNMENT_BYTES {
        let message =
            format!("an assignment is not longer than {} MiB", limits::ASSIGNMENT_BYTES >> 20);
        reader.error("assignment-too-long", Span::default(), message);
    } else {
        reader.read();
    }
    let Reader { mut diagnostics, assignment, .. } = reader;
    diagnostics.truncate(limits::DIAGNOSTICS);
    Checked { value: assignment, diagnostics }
}

/// The word and the fields of a task's block; those of the sealed part are appended.
struct TaskBlock {
    fields: Vec<Field>,
    /// How many of the fields are the text's own.
    own: usize,
    span: Span,
}

struct Reader<'a> {
    text: &'a str,
    diagnostics: Vec<Diagnostic>,
    assignment: Assignment,
    defaults: Defaults,
}

impl Reader<'_> {
    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, span, message));
    }

    fn read(&mut self) {
        let document = cut(self.text, FileId(0), &mut self.diagnostics);
        self.front(&document);
        let mut tasks = Vec::new();
        for block in &document.blocks {
            self.file(block, self.text, None);
            if block.word == "task" {
                let file = FileId(0);
                let fields = fields(self.text, block.text.clone(), file, &mut self.diagnostics);
                tasks.push(TaskBlock { own: fields.len(), fields, span: block.info });
            } else if block.word == "answer" {
                let message = "an answer belongs into a submission, not into an assignment";
                self.error("answer-in-assignment", block.info, message);
            }
        }
        for block in document.blocks.iter().filter(|block| block.word == "sealed") {
            self.sealed(block, &mut tasks);
        }
        self.pieces(&document, &tasks);
        if tasks.len() > limits::TASKS {
            let message = format!("more than {} tasks", limits::TASKS);
            self.error("too-many-tasks", tasks[limits::TASKS].span, message);
            tasks.truncate(limits::TASKS);
        }
        for block in &tasks {
            if let Some(task) = task::read(self, block) {
                if let Some(first) = self.assignment.task(&task.id) {
                    let (message, first) =
                        (format!("there are two tasks `{}`", task.id), first.span);
                    let error = Diagnostic::error("task-twice", task.span, message);
                    self.diagnostics.push(error.with_related(first, "the first one"));
                } else {
                    self.assignment.tasks.push(task);
                }
            }
        }
        if tasks.is_empty() && !self.diagnostics.iter().any(Diagnostic::is_error) {
            let end = self.text.len() as u32;
            self.error("no-task", Span::new(FileId(0), end, end), "there is no task");
        }
        self.solutions();
    }

    /// The front matter.
    fn front(&mut self, document: &Document) {
        let start = Span::new(FileId(0), 0, self.text.lines().next().map_or(0, str::len) as u32);
        let Some(range) = document.front.clone() else {
            if !self.diagnostics.iter().any(|it| it.code == "front-matter-open") {
                let error = Diagnostic::error("no-front-matter", start, "there is no front matter");
                self.diagnostics.push(error.with_hint(
                    "Begin with a line `---`, then `promenade-assignment: 1`, `id: ..`, `title: ..`, \
                     and another line `---`.",
                ));
            }
            return;
        };
        let fields = fields(self.text, range, FileId(0), &mut self.diagnostics);
        for field in &fields {
            if find(FRONT_KEYS, &field.key).is_none() {
                let hint = similar(FRONT_KEYS, &field.key);
                self.unknown(field, "front matter", hint);
            }
        }
        match single(&fields, "promenade-assignment") {
            None => self.error("no-version", start, "there is no line `promenade-assignment: 1`"),
            Some(version) if version.text != "1" => {
                let newer = version.text.parse::<u32>().is_ok_and(|version| version > 1);
                let message = if newer {
                    "this assignment was written for a newer version of Promenade"
                } else {
                    "this version of the format is not known; the present one is 1"
                };
                self.error("unknown-version", version.span, message);
            }
            Some(_) => {}
        }
        match single(&fields, "id") {
            Some(id) if is_name(&id.text) => self.assignment.id = id.text.clone(),
            Some(id) => {
                let message = "the id is made of letters, digits, `-` and `_`, at most 100";
                self.error("bad-id", id.span, message);
            }
            None => self.error("no-id", start, "there is no line `id: ..`"),
        }
        self.assignment.title =
            single(&fields, "title").map_or(self.assignment.id.clone(), |it| it.text.clone());
        if let Some(names) = single(&fields, "fields") {
            let names = names.text.split(',').map(|name| name.trim().to_owned());
            let names: Vec<String> = names.filter(|name| !name.is_empty()).take(20).collect();
            self.assignment.fields = names;
        }
        if let Some(feedback) = single(&fields, "feedback") {
            self.defaults.feedback = self.feedback(feedback);
        }
        if let Some(edition) = single(&fields, "edition") {
            match edition.text.as_str() {
                "author" => {}
                "sealed" => self.assignment.sealed = true,
                "private" => self.assignment.private = true,
                _ => self.error("bad-value", edition.span, "expected author, sealed or private"),
            }
        }
        let states = single(&fields, "states").cloned();
        self.defaults.states =
            self.number(states.as_ref(), 1, limits::STATES, self.defaults.states);
        let memory = single(&fields, "memory").cloned();
        self.defaults.memory_mib =
            self.number(memory.as_ref(), 1, limits::MEMORY_MIB, self.defaults.memory_mib);
    }

    fn unknown(&mut self, field: &Field, place: &str, similar: Option<&str>) {
        let message = format!("`{}` is not a key of the {place}", field.key);
        let mut error = Diagnostic::error("unknown-key", field.place, message);
        if let Some(similar) = similar {
            error = error.with_hint(format!("Did you mean `{similar}`?"));
        }
        self.diagnostics.push(error);
    }

    fn feedback(&mut self, value: &Text) -> Feedback {
        match value.text.as_str() {
            "verdict" => Feedback::Verdict,
            "counterexample" => Feedback::Counterexample,
            _ => {
                self.error("bad-value", value.span, "expected verdict or counterexample");
                Feedback::default()
            }
        }
    }

    fn number(&mut self, value: Option<&Text>, least: u32, most: u32, default: u32) -> u32 {
        let Some(value) = value else { return default };
        match value.text.replace('_', "").parse::<u32>() {
            Ok(number) if (least..=most).contains(&number) => number,
            _ => {
                let message = format!("expected a number from {least} to {most}");
                self.error("bad-value", value.span, message);
                default
            }
        }
    }

    /// Takes a file of the assignment over. `within` is the block that it was sealed in.
    fn file(&mut self, block: &Block, text: &str, within: Option<Span>) {
        for (name, role) in [
            ("file", Role::Starter { directives: false }),
            ("given", Role::Given),
            ("hidden", Role::Hidden),
            ("solution", Role::Solution),
        ] {
            let Some((_, value, span)) = block.attributes.iter().find(|it| it.0 == name) else {
                continue;
            };
            let span = within.unwrap_or(*span);
            if !is_file_name(value) {
                let message = "a file's name is made of letters, digits, `.`, `-` and `_`";
                self.error("bad-file-name", span, message);
                return;
            }
            if self.assignment.files.len() >= limits::FILES {
                let message = format!("more than {} files", limits::FILES);
                self.error("too-many-files", span, message);
                return;
            }
            let directives = block.attribute("directives") == Some("yes");
            let role = match role {
                Role::Starter { .. } => Role::Starter { directives },
                other => other,
            };
            let inside = text.get(block.text.clone()).unwrap_or("").replace("\r\n", "\n");
            let place = match within {
                Some(within) => within,
                None => Span::new(FileId(0), block.text.start as u32, block.text.end as u32),
            };
            let is_solution = |role: Role| role == Role::Solution;
            let twice = self
                .assignment
                .files
                .iter()
                .any(|file| file.name == *value && is_solution(file.role) == is_solution(role));
            if twice {
                self.error("file-twice", span, format!("there are two files `{value}`"));
                return;
            }
            if matches!(role, Role::Starter { .. }) {
                let own = text.get(block.text.clone()).unwrap_or("");
                Template::read(own, place.start, directives, &mut self.diagnostics);
            }
            let file = SourceText { name: value.clone(), role, text: inside, span: place };
            self.assignment.files.push(file);
            return;
        }
    }

    /// Opens a sealed part, and adds what it holds.
    fn sealed(&mut self, block: &Block, tasks: &mut [TaskBlock]) {
        let text = self.text.get(block.text.clone()).unwrap_or("");
        let opened = match seal::open(&self.assignment.id, text) {
            Ok(opened) => opened,
            Err(message) => return self.error("sealed-part", block.info, message),
        };
        let mut inner = Vec::new();
        let document = cut(&opened, FileId(0), &mut inner);
        for part in &document.blocks {
            self.file(part, &opened, Some(block.info));
            if part.word != "task" {
                continue;
            }
            let mut hidden = fields(&opened, part.text.clone(), FileId(0), &mut inner);
            let id = single(&hidden, "id").map(|id| id.text.clone());
            hidden.retain(|field| field.key != "id");
            for field in &mut hidden {
                place_at(field, block.info);
            }
            let owner = tasks
                .iter_mut()
                .find(|task| single(&task.fields, "id").map(|it| &it.text) == id.as_ref());
            match owner {
                Some(task) => task.fields.extend(hidden),
                None => {
                    let message = "the sealed part belongs to a task that is not here";
                    self.error("sealed-part", block.info, message);
                }
            }
        }
        if let Some(first) = inner.first() {
            let message = format!("in the sealed part: {}", first.message);
            self.error("sealed-part", block.info, message);
        }
        self.assignment.sealed = true;
    }

    /// Markdown, files and tasks as a student sees them.
    fn pieces(&mut self, document: &Document, tasks: &[TaskBlock]) {
        let mut pieces = Vec::new();
        let mut at = document.body;
        let mut tasks = tasks.iter();
        let markdown = |range: std::ops::Range<usize>, pieces: &mut Vec<Piece>| {
            let text = self.text.get(range).unwrap_or("").trim();
            if !text.is_empty() {
                pieces.push(Piece::Markdown(text.to_owned()));
            }
        };
        for block in &document.blocks {
            markdown(at..block.whole.start, &mut pieces);
            at = block.whole.end;
            if let Some(name) = block.attribute("file").or(block.attribute("given")) {
                pieces.push(Piece::File(name.to_owned()));
            }
            if block.word == "task"
                && let Some(id) = tasks.next().and_then(|task| single(&task.fields, "id"))
            {
                pieces.push(Piece::Task(id.text.clone()));
            }
        }
        markdown(at..self.text.len(), &mut pieces);
        self.assignment.pieces = pieces;
    }

    /// Solutions have to be those of starter files, and follow them.
    fn solutions(&mut self) {
        let mut wrong = Vec::new();
        for solution in self.assignment.files.iter().filter(|file| file.role == Role::Solution) {
            let starter = self.assignment.file(&solution.name);
            match starter.map(|starter| (starter, starter.role)) {
                Some((starter, Role::Starter { directives })) => {
                    let template = Template::new(&starter.text, directives);
                    if let Err(why) = template.verify(&solution.text) {
                        let message =
                            format!("line {} of this solution: {}", why.line, why.message);
                        wrong.push((solution.span, message));
                    }
                }
                _ => {
                    let message = format!("there is no starter file `{}`", solution.name);
                    wrong.push((solution.span, message));
                }
            }
        }
        for (span, message) in wrong {
            self.error("bad-solution", span, message);
        }
    }
}

/// The text of a key that has no list.
fn single<'a>(fields: &'a [Field], key: &str) -> Option<&'a Text> {
    let field = fields.iter().find(|field| field.key == key)?;
    match &field.value {
        Value::Text(text) if !text.text.is_empty() => Some(text),
        _ => None,
    }
}

/// Moves a field of the sealed part to a place of the text.
fn place_at(field: &mut Field, span: Span) {
    field.place = span;
    match &mut field.value {
        Value::Text(text) => text.span = span,
        Value::List(items) => items.iter_mut().for_each(|item| item.span = span),
    }
}

/// Letters, digits, `-` and `_`.
pub(crate) fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    !text.is_empty() && text.len() <= 100 && text.chars().all(fits)
}

/// A name without folders.
pub(crate) fn is_file_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !text.is_empty() && text.len() <= 100 && !text.starts_with('.') && text.chars().all(fits)
}
