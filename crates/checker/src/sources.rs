//! From an experiment to a model, and from places in the core to places in files.

use crate::given;
use crate::property::TYPED;
use promenade_base::{Diagnostic, FileId, Limits, Severity, SourceMap, Span};
use promenade_ir::Model;
use promenade_promela::CompileOptions;
use promenade_promela_syntax::ParseOptions;
use promenade_protocol::{DiagnosticData, Experiment, Given, Level, Property, Settings, SpanData};
use std::rc::Rc;

/// Files of one experiment.
const MAX_FILES: usize = 1000;
/// Characters of a formula that stands in no file.
const MAX_FORMULA: usize = 10_000;

/// An experiment's files, ready to be read.
pub(crate) struct Sources {
    pub map: SourceMap,
    /// Where the main file's own text ends, if a formula of the experiment stands behind it.
    formula_at: Option<u32>,
}

impl Sources {
    /// Takes the files over, or says why they are too many or too large.
    pub(crate) fn new(experiment: &Experiment) -> Result<Self, DiagnosticData> {
        let bytes: usize = experiment.files.iter().map(|f| f.text.len()).sum();
        let most = Limits::default().source_bytes;
        if experiment.files.is_empty() {
            return Err(general("no-file", "there is no file to read"));
        }
        if experiment.files.len() > MAX_FILES {
            return Err(general(
                "too-many-files",
                &format!("there are more than {MAX_FILES} files"),
            ));
        }
        if bytes as u64 > most {
            let message = format!("the text is longer than {} MiB", most >> 20);
            return Err(general("text-too-long", &message));
        }
        let formula = match &experiment.property {
            Property::Formula { text } if text.len() > MAX_FORMULA => {
                let message = format!("the formula is longer than {MAX_FORMULA} characters");
                return Err(general("formula-too-large", &message));
            }
            Property::Formula { text } if given::given(text) != Given::Formula => {
                Some(given::as_claim(text).map_err(|error| *error)?)
            }
            Property::Formula { text } => Some(typed(text)?),
            _ => None,
        };
        let mut map = SourceMap::default();
        let mut formula_at = None;
        for (number, file) in experiment.files.iter().enumerate() {
            let mut text = file.text.clone();
            if let Some(formula) = formula.as_ref().filter(|_| number == 0) {
                // Behind the text, so that it is read with the text's macros and names.
                formula_at = Some(text.len() as u32);
                text.push_str(formula);
            }
            map.add(file.name.clone(), text);
        }
        Ok(Self { map, formula_at })
    }

    /// Whether a place is in the formula of the experiment and not in a file.
    pub(crate) fn in_formula(&self, span: Span) -> bool {
        span.file == FileId::default() && self.formula_at.is_some_and(|at| span.start >= at)
    }

    /// A place for people.
    pub(crate) fn place(&self, span: Span) -> SpanData {
        if self.in_formula(span) {
            return SpanData { file: 0, start: 0, end: 0, line: 1, column: 1 };
        }
        let at = self.map.line_column(span);
        SpanData {
            file: span.file.0,
            start: span.start,
            end: span.end,
            line: at.line,
            column: at.column,
        }
    }

    pub(crate) fn diagnostic(&self, diagnostic: &Diagnostic) -> DiagnosticData {
        DiagnosticData {
            level: match diagnostic.severity {
                Severity::Error => Level::Error,
                Severity::Warning => Level::Warning,
                Severity::Note => Level::Note,
            },
            code: diagnostic.code.to_owned(),
            span: self.place(diagnostic.span),
            message: if self.in_formula(diagnostic.span) {
                format!("in the formula: {}", diagnostic.message)
            } else {
                diagnostic.message.clone()
            },
            hint: diagnostic.hint.clone(),
            related: diagnostic
                .related
                .iter()
                .map(|related| (self.place(related.span), related.message.clone()))
                .collect(),
        }
    }

    /// Reads the text: the model, unless there are errors, and all findings.
    pub(crate) fn compile(&self, settings: &Settings) -> (Option<Rc<Model>>, Vec<DiagnosticData>) {
        let options = CompileOptions {
            parse: parse_options(settings),
            lose_messages: settings.lose_messages,
            inner_unless_first: settings.inner_unless_first,
        };
        let compiled = promenade_promela::compile(&self.map, &options);
        let failed = compiled.has_errors();
        let diagnostics: Vec<DiagnosticData> =
            compiled.diagnostics.iter().map(|d| self.diagnostic(d)).collect();
        let model = compiled.value.filter(|_| !failed).map(|compiled| Rc::new(compiled.model));
        (model, diagnostics)
    }
}

/// A formula that stands in no file, as an `ltl` block.
fn typed(formula: &str) -> Result<String, DiagnosticData> {
    // Whatever could end the block would be read as a part of the model.
    if let Some(wrong) = formula.chars().find(|c| matches!(c, '{' | '}' | ';' | '#' | '"' | '\'')) {
        let message = format!("in the formula: `{wrong}` does not belong there");
        return Err(general("formula-syntax", &message));
    }
    if formula.contains("/*") || formula.contains("//") {
        return Err(general("formula-syntax", "in the formula: a comment does not belong there"));
    }
    Ok(format!("\nltl {TYPED} {{ {formula}\n}}\n"))
}

/// How the text is to be read.
pub(crate) fn parse_options(settings: &Settings) -> ParseOptions {
    ParseOptions {
        defines: settings.defines.iter().map(|d| (d.name.clone(), d.value.clone())).collect(),
        ..ParseOptions::default()
    }
}

/// A finding that has no place of its own: it stands at the start of the main file.
pub(crate) fn general(code: &str, message: &str) -> DiagnosticData {
    DiagnosticData {
        level: Level::Error,
        code: code.to_owned(),
        span: SpanData { file: FileId::default().0, start: 0, end: 0, line: 1, column: 1 },
        message: message.to_owned(),
        hint: None,
        related: Vec::new(),
    }
}
