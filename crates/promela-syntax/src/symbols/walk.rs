//! The walk over the tree that collects definitions and uses.

use super::{Definition, SymbolKind, Symbols};
use crate::ast::*;
use crate::scan::{RawKind, Scanner};
use promenade_base::arrange::Arrange;
use promenade_base::{SourceMap, Span};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// A macro's name and place.
pub(super) struct MacroText {
    /// The name.
    pub name: Rc<str>,
    /// Where it is defined.
    pub place: Option<Span>,
    /// It takes arguments.
    pub function: bool,
}

/// A name that can only be looked up when everything is known.
pub(super) enum Later {
    Global(Name),
    Proctype(Name),
    Typedef(Name),
    Set(Name),
    Label { process: Rc<str>, name: Name },
    Variable { process: Rc<str>, variable: VarRef },
}

#[derive(Default)]
struct Process {
    labels: HashMap<Rc<str>, usize>,
    variables: HashMap<Rc<str>, usize>,
}

/// Names of one scope with their definitions.
type Names = HashMap<Rc<str>, usize>;

pub(super) struct Walker<'a> {
    sources: &'a SourceMap,
    pub(super) out: Symbols,
    seen_uses: HashSet<(Span, usize)>,
    by_place: HashMap<Span, usize>,
    pub(super) scopes: Vec<(Names, Option<Span>)>,
    globals: HashMap<Rc<str>, usize>,
    proctypes: HashMap<Rc<str>, usize>,
    pub(super) inlines: HashMap<Rc<str>, usize>,
    typedefs: HashMap<Rc<str>, usize>,
    sets: HashMap<Rc<str>, usize>,
    pub(super) fields: HashMap<(Rc<str>, Rc<str>), usize>,
    processes: HashMap<Rc<str>, Process>,
    /// Labels of the body being walked; one more for each inline call.
    pub(super) labels: Vec<HashMap<Rc<str>, usize>>,
    process: Option<Rc<str>>,
    owner: Option<usize>,
    pub(super) later: Vec<Later>,
}

/// Collects everything.
pub(super) fn collect(
    sources: &SourceMap,
    tree: &Specification,
    macros: &[MacroText],
    macro_uses: &[(Span, usize)],
) -> Symbols {
    let mut walker = Walker {
        sources,
        out: Symbols::default(),
        seen_uses: HashSet::new(),
        by_place: HashMap::new(),
        scopes: Vec::new(),
        globals: HashMap::new(),
        proctypes: HashMap::new(),
        inlines: HashMap::new(),
        typedefs: HashMap::new(),
        sets: HashMap::new(),
        fields: HashMap::new(),
        processes: HashMap::new(),
        labels: Vec::new(),
        process: None,
        owner: None,
        later: Vec::new(),
    };
    let mut indices = Vec::new();
    for one in macros {
        let index = one.place.map(|span| {
            let detail = if one.function {
                format!("#define {}(..)", one.name)
            } else {
                format!("#define {}", one.name)
            };
            walker.add(one.name.clone(), SymbolKind::Macro, span, None, detail)
        });
        indices.push(index);
    }
    for &(span, record) in macro_uses {
        if let (Some(&Some(index)), Some(one)) = (indices.get(record), macros.get(record)) {
            walker.use_at(&one.name, span, index);
        }
    }
    for item in &tree.items {
        walker.item(item);
    }
    walker.finish();
    let mut out = walker.out;
    out.uses.arrange_by_key(|(s, _)| (s.file, s.end, s.start));
    out
}

impl Walker<'_> {
    fn add(
        &mut self,
        name: Rc<str>,
        kind: SymbolKind,
        span: Span,
        scope: Option<Span>,
        detail: String,
    ) -> usize {
        // An inline that is expanded twice defines its names once.
        if let Some(&index) = self.by_place.get(&span) {
            return index;
        }
        let index = self.out.definitions.len();
        self.out.definitions.push(Definition {
            name,
            kind,
            span,
            scope,
            detail,
            owner: self.owner,
            structure: None,
        });
        self.by_place.insert(span, index);
        index
    }

    /// A definition, unless its name comes out of a macro.
    fn define(&mut self, name: &Name, kind: SymbolKind, detail: String) -> Option<usize> {
        if self.sources.text(name.span) != &*name.text {
            return None;
        }
        let scope = self.scopes.last().and_then(|(_, s)| *s);
        Some(self.add(name.text.clone(), kind, name.span, scope, detail))
    }

    fn use_at(&mut self, text: &str, span: Span, index: usize) {
        let own = self.out.definitions.get(index).map(|d| d.span) == Some(span);
        if !own && self.sources.text(span) == text && self.seen_uses.insert((span, index)) {
            self.out.uses.push((span, index));
        }
    }

    pub(super) fn use_name(&mut self, name: &Name, index: usize) {
        self.use_at(&name.text, name.span, index);
    }

    pub(super) fn lookup(&self, name: &str) -> Option<usize> {
        let local = self.scopes.iter().rev().find_map(|(names, _)| names.get(name));
        local.or_else(|| self.globals.get(name)).copied()
    }

    fn finish(&mut self) {
        for later in std::mem::take(&mut self.later) {
            let (name, index) = match later {
                Later::Global(name) => {
                    let index = self.globals.get(&name.text).copied();
                    (name, index)
                }
                Later::Proctype(name) => {
                    let index = self.proctypes.get(&name.text).copied();
                    (name, index)
                }
                Later::Typedef(name) => {
                    let index = self.typedefs.get(&name.text).copied();
                    (name, index)
                }
                Later::Set(name) => {
                    let index = self.sets.get(&name.text).copied();
                    (name, index)
                }
                Later::Label { process, name } => {
                    let index = self
                        .processes
                        .get(&process)
                        .and_then(|p| p.labels.get(&name.text))
                        .copied();
                    (name, index)
                }
                Later::Variable { process, variable } => {
                    let Some(first) = variable.segments.first() else { continue };
                    let index = self
                        .processes
                        .get(&process)
                        .and_then(|p| p.variables.get(&first.name.text))
                        .copied();
                    if let Some(index) = index {
                        self.fields_of(index, &variable);
                    }
                    (first.name.clone(), index)
                }
            };
            if let Some(index) = index {
                self.use_name(&name, index);
            }
        }
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Mtype(list) => self.mtype(list),
            Item::Typedef(typedef) => self.typedef(typedef),
            Item::Declaration(declaration) => self.declaration(declaration, SymbolKind::Global),
            Item::Proctype(proctype) => self.proctype(proctype),
            Item::Init(init) => self.body("init".into(), &init.body, init.span),
            Item::Never(claim) => {
                if let Some(name) = &claim.name {
                    self.define(name, SymbolKind::Claim, format!("never {}", name.text));
                }
                self.body("never".into(), &claim.body, claim.span);
            }
            Item::Trace(trace) => {
                if let Some(name) = &trace.name {
                    self.define(name, SymbolKind::Claim, format!("trace {}", name.text));
                }
                self.body("trace".into(), &trace.body, trace.span);
            }
            Item::Inline(inline) => self.inline(inline),
            Item::Ltl(ltl) => {
                if let Some(name) = &ltl.name {
                    self.define(name, SymbolKind::Formula, format!("ltl {}", name.text));
                }
                if let Some(formula) = &ltl.formula {
                    self.formula(formula);
                }
            }
            Item::CCode(_) => {}
        }
    }

    pub(super) fn mtype(&mut self, list: &MtypeList) {
        let mut prefix = "mtype".to_string();
        if let Some(set) = &list.set {
            prefix = format!("mtype:{}", set.text);
            if let Some(index) = self.define(set, SymbolKind::MtypeSet, prefix.clone()) {
                self.sets.entry(set.text.clone()).or_insert(index);
            }
        }
        for name in &list.names {
            if let Some(index) = self.define(name, SymbolKind::MtypeName, prefix.clone()) {
                self.globals.insert(name.text.clone(), index);
            }
        }
    }

    fn typedef(&mut self, typedef: &Typedef) {
        let detail = format!("typedef {}", typedef.name.text);
        let index = self.define(&typedef.name, SymbolKind::Typedef, detail);
        if let Some(index) = index {
            self.typedefs.insert(typedef.name.text.clone(), index);
        }
        let owner = std::mem::replace(&mut self.owner, index);
        for field in &typedef.fields {
            self.type_uses(&field.ty);
            for declarator in &field.declarators {
                self.declarator_parts(declarator);
                let detail = describe(field, declarator, self.sources);
                if let Some(index) = self.define(&declarator.name, SymbolKind::Field, detail) {
                    self.set_structure(index, &field.ty);
                    let key = (typedef.name.text.clone(), declarator.name.text.clone());
                    self.fields.insert(key, index);
                }
            }
        }
        self.owner = owner;
    }

    fn set_structure(&mut self, index: usize, ty: &TypeName) {
        if let (TypeName::Named(name), Some(definition)) = (ty, self.out.definitions.get_mut(index))
        {
            definition.structure = Some(name.text.clone());
        }
    }

    fn type_uses(&mut self, ty: &TypeName) {
        match ty {
            TypeName::Named(name) => self.later.push(Later::Typedef(name.clone())),
            TypeName::Mtype(Some(set)) => self.later.push(Later::Set(set.clone())),
            _ => {}
        }
    }

    fn declarator_parts(&mut self, declarator: &Declarator) {
        for part in declarator.width.iter().chain(&declarator.array) {
            self.expr(part);
        }
        match &declarator.initializer {
            Some(Initializer::Value(value)) => self.expr(value),
            Some(Initializer::List(values, _)) => values.iter().for_each(|v| self.expr(v)),
            Some(Initializer::Channel { capacity, fields, .. }) => {
                self.expr(capacity);
                fields.iter().for_each(|(ty, _)| self.type_uses(ty));
            }
            None => {}
        }
    }

    pub(super) fn declaration(&mut self, declaration: &Declaration, kind: SymbolKind) {
        self.type_uses(&declaration.ty);
        for declarator in &declaration.declarators {
            self.declarator_parts(declarator);
            let detail = describe(declaration, declarator, self.sources);
            let Some(index) = self.define(&declarator.name, kind, detail) else { continue };
            self.set_structure(index, &declaration.ty);
            let name = declarator.name.text.clone();
            if let Some(process) = &self.process
                && let Some(process) = self.processes.get_mut(process)
            {
                process.variables.entry(name.clone()).or_insert(index);
            }
            match self.scopes.last_mut() {
                Some((names, _)) => names.insert(name, index),
                None => self.globals.insert(name, index),
            };
        }
    }

    fn proctype(&mut self, proctype: &Proctype) {
        let name = &proctype.name;
        let detail = format!("proctype {}", name.text);
        let index = self.define(name, SymbolKind::Proctype, detail);
        if let Some(index) = index {
            self.proctypes.entry(name.text.clone()).or_insert(index);
        }
        let owner = std::mem::replace(&mut self.owner, index);
        self.process = Some(name.text.clone());
        self.processes.entry(name.text.clone()).or_default();
        self.scopes.push((HashMap::new(), Some(proctype.span)));
        for parameter in &proctype.parameters {
            self.declaration(parameter, SymbolKind::Parameter);
        }
        let count = proctype.active.iter().flatten();
        for part in count.chain(&proctype.priority).chain(&proctype.provided) {
            self.expr(part);
        }
        self.body(name.text.clone(), &proctype.body, proctype.span);
        self.scopes.pop();
        self.owner = owner;
    }

    /// A body with its own labels.
    fn body(&mut self, process: Rc<str>, body: &Sequence, span: Span) {
        self.process = Some(process.clone());
        let mut labels = HashMap::new();
        self.labels_in(&body.statements, span, &mut labels);
        let entry = self.processes.entry(process).or_default();
        entry.labels.extend(labels.iter().map(|(k, v)| (k.clone(), *v)));
        self.labels.push(labels);
        self.sequence(body);
        self.labels.pop();
        self.process = None;
    }

    /// Labels of statements, not those inside inline calls.
    pub(super) fn labels_in(
        &mut self,
        statements: &[Statement],
        scope: Span,
        out: &mut HashMap<Rc<str>, usize>,
    ) {
        for statement in statements {
            for label in &statement.labels {
                if self.sources.text(label.span) == &*label.text {
                    let index = self.add(
                        label.text.clone(),
                        SymbolKind::Label,
                        label.span,
                        Some(scope),
                        format!("label {}", label.text),
                    );
                    out.entry(label.text.clone()).or_insert(index);
                }
            }
            match &statement.kind {
                StatementKind::If(options) | StatementKind::Do(options) => {
                    for option in options {
                        self.labels_in(&option.statements, scope, out);
                    }
                }
                StatementKind::Atomic(body)
                | StatementKind::DStep(body)
                | StatementKind::Block(body)
                | StatementKind::ForRange { body, .. }
                | StatementKind::ForIn { body, .. } => {
                    self.labels_in(&body.statements, scope, out);
                }
                StatementKind::Unless(main, escape) => {
                    self.labels_in(std::slice::from_ref(main), scope, out);
                    self.labels_in(std::slice::from_ref(escape), scope, out);
                }
                _ => {}
            }
        }
    }

    fn inline(&mut self, inline: &InlineDefinition) {
        let names: Vec<&str> = inline.parameters.iter().map(|p| &*p.text).collect();
        let detail = format!("inline {}({})", inline.name.text, names.join(", "));
        if let Some(index) = self.define(&inline.name, SymbolKind::Inline, detail) {
            self.inlines.insert(inline.name.text.clone(), index);
        }
        // Parameters are replaced before parsing, so their uses are found as words of the body.
        let mut indices = HashMap::new();
        for parameter in &inline.parameters {
            if self.sources.text(parameter.span) == &*parameter.text {
                let detail = format!("parameter of inline {}", inline.name.text);
                let kind = SymbolKind::InlineParameter;
                let (text, span) = (parameter.text.clone(), parameter.span);
                let index = self.add(text, kind, span, Some(inline.span), detail);
                indices.insert(parameter.text.clone(), index);
            }
        }
        let text = self.sources.text(inline.body).to_string();
        for raw in Scanner::new(&text, false).filter(|r| r.kind == RawKind::Word) {
            let word = &text[raw.start..raw.end];
            if let Some(&index) = indices.get(word) {
                let start = inline.body.start;
                let span =
                    Span::new(inline.body.file, start + raw.start as u32, start + raw.end as u32);
                self.use_at(word, span, index);
            }
        }
    }
}

/// `byte x[3]`, as written.
fn describe(declaration: &Declaration, declarator: &Declarator, sources: &SourceMap) -> String {
    let ty = match &declaration.ty {
        TypeName::Bit => "bit".to_string(),
        TypeName::Bool => "bool".to_string(),
        TypeName::Byte => "byte".to_string(),
        TypeName::Short => "short".to_string(),
        TypeName::Int => "int".to_string(),
        TypeName::Unsigned => "unsigned".to_string(),
        TypeName::Pid => "pid".to_string(),
        TypeName::Chan => "chan".to_string(),
        TypeName::Mtype(None) => "mtype".to_string(),
        TypeName::Mtype(Some(set)) => format!("mtype:{}", set.text),
        TypeName::Named(name) => name.text.to_string(),
    };
    let mut text = format!("{ty} {}", declarator.name.text);
    if let Some(width) = &declarator.width {
        text += &format!(" : {}", sources.text(width.span));
    }
    if let Some(size) = &declarator.array {
        text += &format!("[{}]", sources.text(size.span));
    }
    if let Some(Initializer::Channel { span, .. }) = &declarator.initializer {
        text += &format!(" = {}", sources.text(*span));
    }
    text
}
