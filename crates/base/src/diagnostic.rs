//! What a front end has to say about a text.

use crate::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// Worth knowing, nothing to do.
    Note,
    /// Legal, but probably not what was meant, or a place where SPIN differs.
    Warning,
    /// The model cannot be checked like this.
    Error,
}

/// Another place that explains a diagnostic, such as an earlier declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Related {
    /// Where.
    pub span: Span,
    /// What is there: lower case, no full stop.
    pub message: String,
}

/// A change of the text that puts a finding right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What it does, as a command: `write \`[] (x == 1)\``. Lower case, no full stop.
    pub title: String,
    /// Places with what stands there afterwards, from left to right; they do not overlap.
    pub edits: Vec<(Span, String)>,
}

/// One finding: where, what, and what to do about it.
///
/// Messages are short and lower case without a full stop, and name what was expected and what was
/// found; hints are whole sentences that say what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A stable kebab-case name of the rule, such as `undeclared-variable`.
    pub code: &'static str,
    /// The place.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Other places that matter.
    pub related: Vec<Related>,
    /// What is probably meant, if the text can be changed to that.
    pub fix: Option<Fix>,
    /// The unit that it is about, if the rest of the text can be used without it: a formula.
    pub unit: Option<Span>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span, message)
    }

    /// A warning at `span`.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, span, message)
    }

    /// Something worth knowing at `span`.
    pub fn note(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, span, message)
    }

    fn new(severity: Severity, code: &'static str, span: Span, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            severity,
            code,
            span,
            message,
            hint: None,
            related: Vec::new(),
            fix: None,
            unit: None,
        }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn with_related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push(Related { span, message: message.into() });
        self
    }

    /// Adds a change of the text that puts it right.
    #[must_use]
    pub fn with_fix(mut self, title: impl Into<String>, edits: Vec<(Span, String)>) -> Self {
        self.fix = Some(Fix { title: title.into(), edits });
        self
    }

    /// Whether it prevents checking.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// A value with what there was to say while making it. Broken input is normal: there is always a
/// value, and nothing panics.
#[derive(Clone, Debug)]
pub struct Checked<T> {
    /// The value, as good as it could be made.
    pub value: T,
    /// Everything found on the way, in the order of the text where possible.
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> Checked<T> {
    /// Whether any diagnostic is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}
