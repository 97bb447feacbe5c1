//! From an experiment to a model, and from places in the core to places in files.

use promenade_base::{Diagnostic, FileId, Limits, Severity, SourceMap, Span};
use promenade_ir::Model;
use promenade_promela::CompileOptions;
use promenade_promela_syntax::ParseOptions;
use promenade_protocol::{DiagnosticData, Experiment, Level, Settings, SpanData};
use std::rc::Rc;

/// Files of one experiment.
const MAX_FILES: usize = 1000;

/// An experiment's files, ready to be read.
pub(crate) struct Sources {
    pub map: SourceMap,
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
        let mut map = SourceMap::default();
        for file in &experiment.files {
            map.add(file.name.clone(), file.text.clone());
        }
        Ok(Self { map })
    }

    /// A place for people.
    pub(crate) fn place(&self, span: Span) -> SpanData {
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
            message: diagnostic.message.clone(),
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
