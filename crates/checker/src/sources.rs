//! From an experiment to a model, and from places in the core to places in files.

use crate::formula::fixed;
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
/// Memory that a token of a text takes while it is read, at most.
const TOKEN_BYTES: u64 = 1 << 10;
/// Tokens that are read however little memory there is.
const LEAST_TOKENS: usize = 100_000;
/// Characters of a formula that stands in no file.
const MAX_FORMULA: usize = 10_000;

/// An experiment's files, ready to be read.
pub(crate) struct Sources {
    pub map: SourceMap,
    /// The formula of the experiment, if it stands behind the main file's own text.
    formula: Option<Formula>,
}

/// A formula or an automaton as it stands behind the main file's text, so that it is read with the
/// text's macros and names.
pub(crate) struct Behind {
    /// What is put there.
    pub block: String,
    /// Which bytes of the block are taken from the user's text, and from where on there: those behind
    /// the first number. `None` if the block was made from it.
    pub taken: Option<(u32, u32)>,
}

/// The place of a formula.
struct Formula {
    /// Where the main file's own text ends.
    at: u32,
    taken: Option<(u32, u32)>,
    /// The user's text.
    own: SourceMap,
}

impl Sources {
    /// Takes the files over, or says why they are too many or too large.
    pub(crate) fn new(experiment: &Experiment) -> Result<Self, Box<DiagnosticData>> {
        let bytes: usize = experiment.files.iter().map(|f| f.text.len()).sum();
        let most = Limits::default().source_bytes;
        if experiment.files.is_empty() {
            return Err(general("no-file", "there is no file to read").into());
        }
        if experiment.files.len() > MAX_FILES {
            let message = format!("there are more than {MAX_FILES} files");
            return Err(general("too-many-files", &message).into());
        }
        if bytes as u64 > most {
            let message = format!("the text is longer than {} MiB", most >> 20);
            return Err(general("text-too-long", &message).into());
        }
        let formula = match &experiment.property {
            Property::Formula { text } if text.len() > MAX_FORMULA => {
                let what = match given::given(text) {
                    Given::Formula => "formula",
                    Given::NeverClaim | Given::Hoa => "automaton",
                };
                let message = format!("the {what} is longer than {MAX_FORMULA} characters");
                return Err(of_property("formula-too-large", &message).into());
            }
            Property::Formula { text } if given::given(text) != Given::Formula => {
                Some((given::as_claim(text)?, text))
            }
            Property::Formula { text } => Some((typed(text)?, text)),
            _ => None,
        };
        let mut map = SourceMap::default();
        let mut behind = None;
        for (number, file) in experiment.files.iter().enumerate() {
            let mut text = file.text.clone();
            if let Some((Behind { block, taken }, own)) = formula.as_ref().filter(|_| number == 0) {
                let own = SourceMap::single("formula", own.as_str());
                behind = Some(Formula { at: text.len() as u32, taken: *taken, own });
                text.push_str(block);
            }
            map.add(file.name.clone(), text);
        }
        Ok(Self { map, formula: behind })
    }

    /// The files alone, if there is a formula behind them.
    fn without_formula(&self) -> Option<Self> {
        let end = self.formula.as_ref()?.at as usize;
        let mut map = SourceMap::default();
        for (id, file) in self.map.files() {
            let own = id == FileId::default();
            let text = if own { file.text().get(..end)? } else { file.text() };
            map.add(file.name().to_owned(), text.to_owned());
        }
        Some(Self { map, formula: None })
    }

    /// Whether a place is in the formula of the experiment and not in a file.
    pub(crate) fn in_formula(&self, span: Span) -> bool {
        span.file == FileId::default()
            && self.formula.as_ref().is_some_and(|it| span.start >= it.at)
    }

    /// Where a finding is: as [`Sources::place`], but one in the formula has its place there.
    fn finding(&self, span: Span) -> SpanData {
        let Some(formula) = self.formula.as_ref().filter(|_| self.in_formula(span)) else {
            return self.place(span);
        };
        let Some((before, from)) = formula.taken else {
            return SpanData::about(SpanData::PROPERTY);
        };
        let length = formula.own.get(FileId::default()).map_or(0, |it| it.text().len() as u32);
        let own = |offset: u32| {
            (offset.saturating_sub(formula.at.saturating_add(before)))
                .saturating_add(from)
                .min(length)
        };
        let (start, end) = (own(span.start), own(span.end));
        let at = formula.own.line_column(Span { start, end, ..span });
        SpanData { file: SpanData::PROPERTY, start, end, line: at.line, column: at.column }
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
            span: self.finding(diagnostic.span),
            message: self.message(diagnostic),
            hint: diagnostic.hint.clone(),
            related: diagnostic
                .related
                .iter()
                .map(|related| (self.finding(related.span), related.message.clone()))
                .collect(),
            fix: diagnostic.fix.as_ref().map(|fix| fixed(fix, |span| self.finding(span))),
        }
    }

    /// What a finding says. Behind a formula stands the bracket that ends its block, which the user did
    /// not write.
    fn message(&self, diagnostic: &Diagnostic) -> String {
        let ends = self.finding(diagnostic.span);
        let ends = ends.file == SpanData::PROPERTY && ends.start == ends.end && ends.end > 0;
        if ends {
            return diagnostic.message.replace("found `}`", "found the end of the formula");
        }
        diagnostic.message.clone()
    }

    /// Reads the text: the model, unless there are errors, and all findings. An error in a formula
    /// that is not asked for is a warning.
    pub(crate) fn compile(
        &self,
        settings: &Settings,
        property: &Property,
    ) -> (Option<Rc<Model>>, Vec<DiagnosticData>) {
        let options = CompileOptions {
            parse: parse_options(settings),
            lose_messages: settings.lose_messages,
            inner_unless_first: settings.inner_unless_first,
        };
        let compiled = promenade_promela::compile(&self.map, &options);
        let formulas = compiled.value.as_ref().map_or(&[][..], |it| &it.formulas);
        let asked = match property {
            Property::Ltl { name: None } => formulas.first(),
            Property::Ltl { name: Some(name) } => formulas.iter().find(|it| it.name == *name),
            Property::Formula { .. } => formulas.iter().find(|it| it.name == TYPED),
            _ => None,
        };
        let asked = asked.map(|it| it.span);
        let elsewhere = |it: &Diagnostic| it.unit.is_some() && it.unit != asked;
        let failed = compiled.diagnostics.iter().any(|it| it.is_error() && !elsewhere(it));
        // An error of the text may only be met in the formula behind it.
        if failed && let Some(text) = self.without_formula() {
            let (model, diagnostics) = text.compile(settings, &Property::Safety);
            if model.is_none() {
                return (None, diagnostics);
            }
        }
        let told = |it: &Diagnostic| {
            let mut data = self.diagnostic(it);
            if it.is_error() && elsewhere(it) && compiled.value.is_some() {
                let name = formulas.iter().find(|known| Some(known.span) == it.unit);
                let name = name.map_or("", |known| known.name.as_str());
                data.level = Level::Warning;
                data.message = format!("formula `{name}` cannot be checked: {}", data.message);
            }
            data
        };
        let diagnostics: Vec<DiagnosticData> = compiled.diagnostics.iter().map(told).collect();
        let model = compiled.value.filter(|_| !failed).map(|compiled| Rc::new(compiled.model));
        (model, diagnostics)
    }
}

/// A formula that stands in no file, as an `ltl` block.
fn typed(formula: &str) -> Result<Behind, Box<DiagnosticData>> {
    let wrong = |(start, end): (usize, usize), message: &str| {
        let own = SourceMap::single("formula", formula);
        let file = FileId::default();
        let at = own.line_column(Span { file, start: start as u32, end: end as u32 });
        let (line, column) = (at.line, at.column);
        let (file, start, end) = (SpanData::PROPERTY, start as u32, end as u32);
        let span = SpanData { file, start, end, line, column };
        Err(Box::new(DiagnosticData { span, ..of_property("formula-syntax", message) }))
    };
    if formula.trim().is_empty() {
        return Err(of_property("formula-syntax", "there is no formula yet").into());
    }
    // Whatever could end the block would be read as a part of the model.
    let strange = |c: &char| matches!(c, '{' | '}' | ';' | '#' | '"' | '\'');
    if let Some((at, c)) = formula.char_indices().find(|(_, c)| strange(c)) {
        return wrong((at, at + c.len_utf8()), &format!("`{c}` does not belong into a formula"));
    }
    if let Some(at) = formula.find("/*").or_else(|| formula.find("//")) {
        return wrong((at, at + 2), "a comment does not belong into a formula");
    }
    let head = format!("\nltl {TYPED} {{ ");
    let taken = Some((head.len() as u32, 0));
    Ok(Behind { block: format!("{head}{formula}\n}}\n"), taken })
}

/// How the text is to be read.
pub(crate) fn parse_options(settings: &Settings) -> ParseOptions {
    let mut options = ParseOptions {
        defines: settings.defines.iter().map(|d| (d.name.clone(), d.value.clone())).collect(),
        ..ParseOptions::default()
    };
    // What is made of a text is not charged to the budget, but should not exceed it, either.
    let room = (u64::from(settings.memory_mib) << 20) / TOKEN_BYTES;
    let room = usize::try_from(room).unwrap_or(usize::MAX);
    options.bounds.tokens = options.bounds.tokens.min(room.max(LEAST_TOKENS));
    options
}

/// A finding about the property as a whole.
pub(crate) fn of_property(code: &str, message: &str) -> DiagnosticData {
    DiagnosticData { span: SpanData::about(SpanData::PROPERTY), ..general(code, message) }
}

/// A finding about what was chosen in the settings.
pub(crate) fn of_settings(code: &str, message: &str) -> DiagnosticData {
    DiagnosticData { span: SpanData::about(SpanData::SETTINGS), ..general(code, message) }
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
        fix: None,
    }
}
