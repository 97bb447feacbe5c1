//! The front end's state, and the way through the top level of a text.

use crate::process::Body;
use crate::types::{StructType, VarInfo};
use crate::{CompileOptions, Compiled};
use promenade_base::{Checked, Diagnostic, Span};
use promenade_ir::{LocationId, Model, MtypeSet, Options, ProctypeId, StatementId, StatementInfo};
use promenade_promela_syntax::ast::{self, Item};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// What a name means.
#[derive(Clone, Debug)]
pub(crate) enum Symbol {
    Variable(VarInfo),
    Mtype(i32),
}

/// A proctype as others see it.
#[derive(Clone, Debug)]
pub(crate) struct ProcessName {
    pub id: ProctypeId,
    pub span: Span,
    /// Names of all locals, and locations of all labels, once its body is done.
    pub locals: HashMap<Rc<str>, VarInfo>,
    pub labels: HashMap<Rc<str>, Vec<LocationId>>,
    pub done: bool,
}

pub(crate) struct Lower<'a> {
    pub options: &'a CompileOptions,
    pub diagnostics: Vec<Diagnostic>,
    pub model: Model,
    pub structs: Vec<StructType>,
    pub struct_names: HashMap<Rc<str>, usize>,
    /// Global scope first, then the body's, innermost last.
    pub scopes: Vec<HashMap<Rc<str>, (Symbol, Span)>>,
    pub processes: HashMap<Rc<str>, ProcessName>,
    /// Labels that a remote reference names, as far as known from an earlier pass.
    pub remote_labels: HashSet<Rc<str>>,
    /// Those met in this pass.
    pub remote_labels_seen: HashSet<Rc<str>>,
    pub inside: Inside,
    /// The widest channel's number of fields.
    pub widest: usize,
    pub body: Body,
    /// Runs with their number of arguments, checked when all types are known.
    pub pending_runs: Vec<(ProctypeId, usize, Span)>,
}

/// Which kind of body is being lowered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Inside {
    Nothing,
    Process,
    Claim,
    Trace,
}

/// Lowers a tree. A `goto` whose label is named by a remote reference is a control point of its own
/// (as in SPIN), and references may stand behind it: where there are any, a second pass knows them.
pub(crate) fn run(
    spec: &ast::Specification,
    options: &CompileOptions,
) -> Checked<Option<Compiled>> {
    let mut lower = pass(spec, options, HashSet::new());
    if !lower.remote_labels_seen.is_empty() {
        lower = pass(spec, options, lower.remote_labels_seen);
    }
    let failed = lower.diagnostics.iter().any(Diagnostic::is_error);
    let value = (!failed).then_some(Compiled { model: lower.model });
    Checked { value, diagnostics: lower.diagnostics }
}

fn pass<'a>(
    spec: &ast::Specification,
    options: &'a CompileOptions,
    remote_labels: HashSet<Rc<str>>,
) -> Lower<'a> {
    let mut lower = Lower {
        options,
        diagnostics: Vec::new(),
        model: Model::default(),
        structs: Vec::new(),
        struct_names: HashMap::new(),
        scopes: vec![HashMap::new()],
        processes: HashMap::new(),
        remote_labels,
        remote_labels_seen: HashSet::new(),
        inside: Inside::Nothing,
        widest: 0,
        body: Body::default(),
        pending_runs: Vec::new(),
    };
    lower.model.options = Options { lose_messages: options.lose_messages };
    // Statement 0 stands for what is not in the text.
    lower.statement(Span::default(), String::new());
    lower.specification(spec);
    lower
}

impl Lower<'_> {
    pub fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, span, message));
    }

    pub fn error_hint(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.diagnostics.push(Diagnostic::error(code, span, message).with_hint(hint));
    }

    pub fn warn(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.diagnostics.push(Diagnostic::warning(code, span, message).with_hint(hint));
    }

    pub fn statement(&mut self, span: Span, text: String) -> StatementId {
        self.model.statements.push(StatementInfo { span, text });
        StatementId(self.model.statements.len() as u32 - 1)
    }

    fn specification(&mut self, spec: &ast::Specification) {
        let mut order = 0u16;
        for item in &spec.items {
            match item {
                Item::Proctype(p) => {
                    self.name_process(&p.name, order);
                    order += 1;
                }
                Item::Init(_) => order += 1,
                _ => {}
            }
        }
        for item in &spec.items {
            match item {
                Item::Mtype(list) => self.mtype(list),
                Item::Typedef(def) => self.typedef(def),
                Item::Declaration(d) => self.global(d),
                Item::Proctype(p) => self.proctype(p),
                Item::Init(init) => self.init(init),
                Item::Never(_)
                | Item::Trace(_)
                | Item::Inline(_)
                | Item::Ltl(_)
                | Item::CCode(_) => {}
            }
        }
        let mut claims = HashSet::new();
        for item in &spec.items {
            match item {
                Item::Never(claim) => {
                    if let Some(name) = &claim.name
                        && !claims.insert(name.text.clone())
                    {
                        self.error(
                            "duplicate-claim",
                            name.span,
                            format!("claim `{}` is defined twice", name.text),
                        );
                    }
                    self.claim(claim);
                }
                Item::Ltl(block) => {
                    let name = block.name.as_ref().map(|n| n.text.clone());
                    if let Some(name) = name
                        && !claims.insert(name.clone())
                    {
                        self.error(
                            "duplicate-claim",
                            block.span,
                            format!("claim `{name}` is defined twice"),
                        );
                    }
                    self.ltl(block);
                }
                Item::Trace(trace) => self.trace(trace),
                _ => {}
            }
        }
        self.check_runs();
        let claims_or_processes = self.model.initial_processes.len();
        if claims_or_processes == 0 && !self.diagnostics.iter().any(Diagnostic::is_error) {
            let span = spec.items.first().map_or(Span::default(), item_span);
            self.error_hint(
                "no-process",
                span,
                "the model has no process that runs",
                "Add `active` in front of a proctype, or an `init { .. }` that runs one.",
            );
        }
        if self.model.initial_processes.len() > 255 {
            let span = spec.items.first().map_or(Span::default(), item_span);
            self.error("too-many-processes", span, "more than 255 processes at the start");
        }
    }

    fn name_process(&mut self, name: &ast::Name, id: u16) {
        if let Some(earlier) = self.processes.get(&name.text) {
            let related = earlier.span;
            self.diagnostics.push(
                Diagnostic::error(
                    "duplicate-proctype",
                    name.span,
                    format!("proctype `{}` is defined twice", name.text),
                )
                .with_related(related, "first definition"),
            );
            return;
        }
        let process = ProcessName {
            id: ProctypeId(id),
            span: name.span,
            locals: HashMap::new(),
            labels: HashMap::new(),
            done: false,
        };
        self.processes.insert(name.text.clone(), process);
    }

    fn mtype(&mut self, list: &ast::MtypeList) {
        let set_name = list.set.as_ref().map(|n| n.text.to_string());
        let index = match self.model.mtypes.iter().position(|s| s.name == set_name) {
            Some(index) => index,
            None => {
                self.model.mtypes.push(MtypeSet { name: set_name, members: Vec::new() });
                self.model.mtypes.len() - 1
            }
        };
        let base = self.model.mtypes[index].members.len();
        let count = list.names.len();
        if base + count > 255 {
            self.error("too-many-mtypes", list.span, "more than 255 names in one mtype set");
            return;
        }
        for (i, name) in list.names.iter().enumerate() {
            let value = (base + count - i) as i32;
            self.declare(name, Symbol::Mtype(value));
            self.model.mtypes[index].members.push((name.text.to_string(), value));
        }
    }

    /// Enters a name into the innermost scope. Names of enclosing scopes may not be used again.
    pub fn declare(&mut self, name: &ast::Name, symbol: Symbol) {
        if let Some((_, earlier)) = self.scopes.iter().rev().find_map(|s| s.get(&name.text)) {
            let earlier = *earlier;
            self.diagnostics.push(
                Diagnostic::error(
                    "redeclared",
                    name.span,
                    format!("`{}` is declared already", name.text),
                )
                .with_related(earlier, "first declaration")
                .with_hint("Names of enclosing blocks cannot be declared again; choose another."),
            );
            return;
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.text.clone(), (symbol, name.span));
        }
    }

    pub fn lookup(&self, name: &str) -> Option<&Symbol> {
        self.scopes.iter().rev().find_map(|s| s.get(name)).map(|(symbol, _)| symbol)
    }
}

fn item_span(item: &Item) -> Span {
    match item {
        Item::Mtype(x) => x.span,
        Item::Typedef(x) => x.span,
        Item::Declaration(x) => x.span,
        Item::Proctype(x) => x.span,
        Item::Init(x) => x.span,
        Item::Never(x) => x.span,
        Item::Trace(x) => x.span,
        Item::Inline(x) => x.span,
        Item::Ltl(x) => x.span,
        Item::CCode(x) => x.span,
    }
}
