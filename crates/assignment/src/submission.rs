//! What a student hands in: files, answers, fields.
//!
//! A submission comes as one file in the format of assignments, as a link that holds its files, or as
//! the files themselves. Nothing in it is believed but texts and fields.

use crate::blocks::cut;
use crate::data::{Value, fields};
use crate::format::Assignment;
use crate::limits;
use promenade_base::FileId;
use promenade_protocol::link::{self, Link, LinkError, Target};
use promenade_protocol::{Experiment, File, VERSION};
use std::fmt::Write;

/// The file of a link that holds answers and fields.
pub const ANSWERS: &str = "answers.md";

/// What was handed in.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Submission {
    /// What it is called: its file or folder.
    pub label: String,
    /// The assignment that it names.
    pub assignment: Option<String>,
    /// What the student says about himself.
    pub fields: Vec<(String, String)>,
    /// Starter files, changed: name and text.
    pub files: Vec<(String, String)>,
    /// Answers: name of the task and text.
    pub answers: Vec<(String, String)>,
    /// What cannot be read of it.
    pub problems: Vec<String>,
}

impl Submission {
    /// A submission from files: names without folders and bytes.
    pub fn from_files(label: &str, files: &[(String, Vec<u8>)], assignment: &Assignment) -> Self {
        let mut submission = Self { label: clean(label), ..Self::default() };
        if files.is_empty() {
            submission.problem("it is empty");
        }
        if files.len() > limits::SUBMITTED_FILES {
            submission.problem(&format!("it has more than {} files", limits::SUBMITTED_FILES));
        }
        let mut total = 0;
        let mut loose = Vec::new();
        for (name, bytes) in files.iter().take(limits::SUBMITTED_FILES) {
            total += bytes.len();
            if bytes.len() > limits::SUBMITTED_FILE_BYTES && !is_link(bytes)
                || total > limits::SUBMISSION_BYTES
            {
                submission.problem(&format!("`{}` is too large to be graded", clean(name)));
                continue;
            }
            let Ok(text) = std::str::from_utf8(bytes) else {
                submission.problem(&format!("`{}` is not text in UTF-8", clean(name)));
                continue;
            };
            submission.add(name, text, assignment, &mut loose);
        }
        submission.place(loose, assignment);
        submission
    }

    /// A submission that is a link, given as its address or its fragment.
    pub fn from_link(label: &str, address: &str, assignment: &Assignment) -> Self {
        let mut submission = Self { label: clean(label), ..Self::default() };
        submission.add_link(address, assignment);
        submission
    }

    fn problem(&mut self, message: &str) {
        if self.problems.len() < 20 {
            self.problems.push(message.to_owned());
        }
    }

    fn add(
        &mut self,
        name: &str,
        text: &str,
        assignment: &Assignment,
        loose: &mut Vec<(String, String)>,
    ) {
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let starter = assignment.starters().any(|file| file.name == name);
        let task = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let task = assignment.task(task).filter(|task| task.kind.has_answer());
        if starter {
            self.put_file(name, text);
        } else if is_document(text) {
            self.add_document(text, assignment);
        } else if let Some(task) = task {
            self.answer(&task.id, text);
        } else if is_link(text.as_bytes()) {
            self.add_link(text, assignment);
        } else if name.ends_with(".pml") {
            loose.push((name.to_owned(), text.to_owned()));
        }
    }

    /// A model with a name of its own is the starter file that is missing, if there is one only.
    fn place(&mut self, loose: Vec<(String, String)>, assignment: &Assignment) {
        let missing: Vec<&str> = assignment
            .starters()
            .map(|file| file.name.as_str())
            .filter(|name| !self.files.iter().any(|(known, _)| known == name))
            .collect();
        match (loose.as_slice(), missing.as_slice()) {
            ([(_, text)], [name]) => self.put_file(name, text),
            (loose, _) => {
                for (name, _) in loose {
                    self.problem(&format!("`{}` is no file of this assignment", clean(name)));
                }
            }
        }
    }

    fn put_file(&mut self, name: &str, text: &str) {
        if self.files.iter().any(|(known, _)| known == name) {
            return self.problem(&format!("there are two files `{}`", clean(name)));
        }
        self.files.push((name.to_owned(), text.to_owned()));
    }

    fn answer(&mut self, task: &str, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        if text.len() > limits::ANSWER_BYTES && !is_link(text.as_bytes()) {
            return self.problem(&format!("the answer to `{}` is too long", clean(task)));
        }
        if self.answers.iter().any(|(known, _)| known == task) {
            return self.problem(&format!("there are two answers to `{}`", clean(task)));
        }
        self.answers.push((task.to_owned(), text.to_owned()));
    }

    fn add_document(&mut self, text: &str, assignment: &Assignment) {
        let mut findings = Vec::new();
        let document = cut(text, FileId(0), &mut findings);
        let front = document.front.clone().unwrap_or(0..0);
        for field in fields(text, front, FileId(0), &mut findings) {
            let Value::Text(value) = field.value else { continue };
            match field.key.as_str() {
                "promenade-submission" if value.text == "1" => {}
                "promenade-submission" => {
                    self.problem("it was written by another version of Promenade");
                }
                "assignment" => self.assignment = Some(clean(&value.text)),
                // What was not asked for is not kept.
                key if assignment.fields.iter().any(|name| key_of(name) == key) => {
                    self.fields.push((key.to_owned(), clean(&value.text)));
                }
                _ => {}
            }
        }
        for finding in findings.iter().take(3) {
            let line =
                text.get(..finding.span.start as usize).map_or(0, |it| it.matches('\n').count());
            self.problem(&format!("line {}: {}", line + 1, finding.message));
        }
        for block in &document.blocks {
            let inside = text.get(block.text.clone()).unwrap_or("");
            if let Some(name) = block.attribute("file") {
                if assignment.starters().any(|file| file.name == name) {
                    self.put_file(name, inside);
                } else {
                    self.problem(&format!("`{}` is no file of this assignment", clean(name)));
                }
            } else if let Some(task) = block.attribute("task") {
                if assignment.task(task).is_some_and(|task| task.kind.has_answer()) {
                    self.answer(task, inside);
                } else {
                    self.problem(&format!("there is no task `{}` to answer", clean(task)));
                }
            }
        }
    }

    fn add_link(&mut self, address: &str, assignment: &Assignment) {
        let fragment = match link::parse(address) {
            Ok(fragment) => fragment,
            Err(error) => return self.problem(&error.to_string()),
        };
        let Target::Content(content) = fragment.target else {
            return self.problem("the link holds no model");
        };
        let Link { experiment, trail, .. } = *content;
        let mut loose = Vec::new();
        for file in &experiment.files {
            if is_link(file.text.as_bytes()) {
                // No link within a link.
                continue;
            }
            self.add(&file.name, &file.text, assignment, &mut loose);
        }
        if trail.is_some() {
            let mut open = assignment.tasks.iter().filter(|task| {
                task.kind == crate::Kind::FindBug
                    && !self.answers.iter().any(|(known, _)| *known == task.id)
            });
            if let (Some(task), None) = (open.next(), open.next()) {
                let id = task.id.clone();
                return self.answer(&id, address);
            }
        }
        self.place(loose, assignment);
    }

    /// The submission as a file.
    pub fn to_text(&self) -> String {
        let mut out = String::from("---\npromenade-submission: 1\n");
        if let Some(assignment) = &self.assignment {
            let _ = writeln!(out, "assignment: {assignment}");
        }
        for (name, value) in &self.fields {
            let _ = writeln!(out, "{}: {}", key_of(name), clean(value));
        }
        out.push_str("---\n");
        for (name, text) in &self.files {
            block(&mut out, &format!("promela file=\"{name}\""), text);
        }
        for (task, text) in &self.answers {
            block(&mut out, &format!("answer task=\"{task}\""), text);
        }
        out
    }

    /// The submission as the fragment of a link.
    ///
    /// # Errors
    /// It is larger than a link may be.
    pub fn to_link(&self) -> Result<String, LinkError> {
        let answers = Self { files: Vec::new(), ..self.clone() };
        let mut files: Vec<File> = self
            .files
            .iter()
            .map(|(name, text)| File { name: name.clone(), text: text.clone() })
            .collect();
        files.push(File { name: ANSWERS.to_owned(), text: answers.to_text() });
        let experiment = Experiment { files, ..Experiment::default() };
        link::encode(&Link { experiment, version: VERSION.to_owned(), ..Link::default() })
    }
}

/// A fence longer than any in the text, and the text between two of them.
fn block(out: &mut String, info: &str, text: &str) {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let end = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
    let _ = write!(out, "\n{fence}{info}\n{text}{end}{fence}\n");
}

/// The key of a field in a submission: `Student number` is `Student-number`.
fn key_of(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    name.trim().chars().map(|c| if fits(c) { c } else { '-' }).collect()
}

/// A text in one line without control characters, not too long.
pub(crate) fn clean(text: &str) -> String {
    let kept = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    // Marks that turn the direction of text around would make names look like others.
    let turns = |c: &char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    kept.filter(|c| !turns(c)).take(limits::FIELD_CHARACTERS).collect::<String>().trim().to_owned()
}

/// Whether a text is a submission in the format of assignments.
fn is_document(text: &str) -> bool {
    let mut lines = text.lines().take(30);
    lines.next().is_some_and(|line| line.trim_end() == "---")
        && lines.any(|line| line.starts_with("promenade-submission:"))
}

/// Whether a text is one link.
pub(crate) fn is_link(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii();
    let one_line = !text.iter().any(u8::is_ascii_whitespace);
    let address = text.starts_with(b"http") || text.starts_with(b"#") || text.starts_with(b"file:");
    let bare = text.first() == Some(&b'1') && text.len() > 40;
    one_line && !text.is_empty() && (address && text.contains(&b'#') || bare)
}
