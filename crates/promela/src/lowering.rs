//! The state of a compilation, and its course.

use crate::body::{Body, BodyKind};
use crate::names::{Named, Symbol};
use crate::nodes::Node;
use crate::report::{Reporter, suggest};
use crate::types::{Struct, Var};
use crate::{CompileOptions, Compiled};
use promenade_base::{Checked, Diagnostic, Span};
use promenade_ir::{
    Channel, ChannelType, ChannelTypeId, Initializer, Model, MtypeSet, ProctypeId, StatementId,
    StatementInfo,
};
use promenade_promela_syntax::ast::{self, Item, Name};
use std::collections::HashMap;
use std::rc::Rc;

/// Initial values of one global declarator; SPIN runs them sorted by type.
pub(crate) struct GlobalValues {
    /// The position of the type in SPIN's order.
    pub rank: u8,
    /// Channel numbers count from the declarator's own first channel.
    pub initializers: Vec<Initializer>,
    pub channels: Vec<Channel>,
    /// Which globals are set, and which are read.
    pub number: usize,
    pub span: Span,
    pub reads: Vec<usize>,
}

/// A call of `run`, checked when all process types are known.
pub(crate) struct RunCall {
    pub proctype: ProctypeId,
    pub arguments: usize,
    pub span: Span,
}

/// A remote reference, checked when all processes that can be started are known.
pub(crate) struct RemoteUse {
    pub proctype: ProctypeId,
    /// The number of the process, where it is a constant.
    pub pid: Option<i32>,
    pub span: Span,
}

/// What is only known at the end of the text.
#[derive(Default)]
pub(crate) struct Uses {
    pub runs: Vec<RunCall>,
    pub remotes: Vec<RemoteUse>,
    /// Number of fields of every send.
    pub sends: Vec<(usize, Span)>,
    /// Fields of the widest channel.
    pub widest: usize,
    pub rendezvous: bool,
    pub enabled: Option<Span>,
    pub priority: Option<Span>,
    /// Globals that the initializer at hand reads.
    pub reads: Vec<usize>,
}

/// A compilation.
pub(crate) struct Lowering<'a> {
    pub options: &'a CompileOptions,
    pub out: Reporter,
    pub model: Model,
    pub globals: HashMap<Rc<str>, Named>,
    pub global_vars: Vec<Rc<Var>>,
    pub global_bytes: u64,
    pub hidden_bytes: u64,
    /// Scalar variables and fields so far.
    pub scalars: u64,
    pub global_values: Vec<GlobalValues>,
    pub structs: Vec<Struct>,
    pub channel_types: HashMap<ChannelType, ChannelTypeId>,
    /// All process types of the text by name; ids are positions in the text.
    pub proctype_ids: HashMap<Rc<str>, ProctypeId>,
    pub next_proctype: usize,
    pub proctype_names: Vec<(Rc<str>, Span)>,
    /// Bodies that are complete.
    pub bodies: Vec<Body>,
    /// By process type: its body, once complete.
    pub proctype_bodies: Vec<Option<usize>>,
    /// The body at hand; of kind [`BodyKind::None`] between units.
    pub body: Body,
    pub uses: Uses,
    /// Where `return` puts its value.
    pub result: Option<ast::VarRef>,
    /// What stands behind the statement at hand and belongs to it.
    pub trailing: Option<Node>,
    /// Never claims: body, name and place.
    pub claims: Vec<(usize, Option<String>, Span)>,
    /// Names of claims and formulas.
    pub claim_names: Vec<(Rc<str>, Span)>,
    pub unnamed_formulas: usize,
    pub trace_body: Option<(usize, Span)>,
    pub trace_negated: bool,
}

/// Compiles a syntax tree.
pub(crate) fn lower(
    specification: &ast::Specification,
    options: &CompileOptions,
) -> Checked<Option<Compiled>> {
    let mut lowering = Lowering::new(options);
    lowering.collect_proctypes(specification);
    for item in &specification.items {
        lowering.item(item);
    }
    for item in &specification.items {
        if let Item::Ltl(block) = item {
            lowering.ltl(block);
        }
    }
    let model = lowering.finish();
    Checked { value: model.map(|model| Compiled { model }), diagnostics: lowering.out.into_list() }
}

impl<'a> Lowering<'a> {
    fn new(options: &'a CompileOptions) -> Self {
        let mut model = Model::default();
        model.options.lose_messages = options.lose_messages;
        model.mtypes.push(MtypeSet { name: None, members: Vec::new() });
        Self {
            options,
            out: Reporter::default(),
            model,
            globals: HashMap::new(),
            global_vars: Vec::new(),
            global_bytes: 0,
            hidden_bytes: 0,
            scalars: 0,
            global_values: Vec::new(),
            structs: Vec::new(),
            channel_types: HashMap::new(),
            proctype_ids: HashMap::new(),
            next_proctype: 0,
            proctype_names: Vec::new(),
            bodies: Vec::new(),
            proctype_bodies: Vec::new(),
            body: Body::new(BodyKind::None, "".into(), Span::default()),
            uses: Uses::default(),
            result: None,
            trailing: None,
            claims: Vec::new(),
            claim_names: Vec::new(),
            unnamed_formulas: 0,
            trace_body: None,
            trace_negated: false,
        }
    }

    /// Process types can be run before their text.
    fn collect_proctypes(&mut self, specification: &ast::Specification) {
        for item in &specification.items {
            let (name, span): (Rc<str>, Span) = match item {
                Item::Proctype(p) => (p.name.text.clone(), p.name.span),
                Item::Init(init) => ("init".into(), init.keyword),
                _ => continue,
            };
            let id = ProctypeId(self.proctype_names.len().min(usize::from(u16::MAX)) as u16);
            if matches!(item, Item::Proctype(_)) {
                self.proctype_ids.entry(name.clone()).or_insert(id);
            }
            self.proctype_names.push((name, span));
        }
        self.proctype_bodies = vec![None; self.proctype_names.len()];
        if self.proctype_names.len() > 65_535 {
            self.out.error(
                "too-many-proctypes",
                self.proctype_names[65_535].1,
                "there are more than 65535 process types",
            );
        }
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Mtype(list) => self.mtype_list(list),
            Item::Typedef(typedef) => self.typedef(typedef),
            Item::Declaration(declaration) => self.global(declaration),
            Item::Proctype(proctype) => self.proctype(proctype),
            Item::Init(init) => self.init(init),
            Item::Never(claim) => self.claim(claim),
            Item::Trace(trace) => self.trace(trace),
            // The parser expands inlines and reports embedded C; formulas come last.
            Item::Inline(_) | Item::CCode(_) | Item::Ltl(_) => {}
        }
    }

    /// What a name means here.
    pub(crate) fn find(&self, name: &str) -> Option<&Named> {
        self.body.scopes.find(name).or_else(|| self.globals.get(name))
    }

    /// Reports an unknown variable.
    pub(crate) fn undeclared(&mut self, name: &Name) {
        let known = self.body.scopes.names().chain(self.globals.keys().map(|k| &**k));
        let mut diagnostic = Diagnostic::error(
            "undeclared-variable",
            name.span,
            format!("`{}` is not declared", name.text),
        );
        let lower = name.text.to_ascii_lowercase();
        if lower == "true" || lower == "false" {
            diagnostic = diagnostic.with_hint(format!("Did you mean `{lower}`?"));
        } else if let Some(close) = suggest(&name.text, known) {
            diagnostic = diagnostic.with_hint(format!("Did you mean `{close}`?"));
        } else if self.body.kind == BodyKind::Formula {
            let local = self.bodies.iter().find(|b| b.vars.iter().any(|v| v.name == name.text));
            diagnostic.hint = local.map(|b| {
                format!("It is a local of `{}`; write `{}:{}`.", b.name, b.name, name.text)
            });
        } else if self.body.vars.iter().any(|v| v.name == name.text) {
            diagnostic = diagnostic
                .with_hint("Its block has ended; declare it outside of the block.".to_string());
        }
        self.out.report(diagnostic);
    }

    /// Whether a name can be declared here; reports if not.
    pub(crate) fn check_free(&mut self, name: &Name) -> bool {
        if crate::names::is_predefined(&name.text) {
            self.out.error(
                "redeclaration",
                name.span,
                format!("`{}` is predefined and cannot be declared", name.text),
            );
            return false;
        }
        let Some(known) = self.find(&name.text) else { return true };
        let what = known.symbol.describe();
        let mut diagnostic = Diagnostic::error(
            "redeclaration",
            name.span,
            format!("`{}` is already the name of {what}", name.text),
        )
        .with_related(known.span, "declared here");
        if matches!(known.symbol, Symbol::Variable(_)) && self.body.kind != BodyKind::None {
            diagnostic =
                diagnostic.with_hint("An inner name cannot hide an outer one; choose another.");
        }
        self.out.report(diagnostic);
        false
    }

    /// Numbers a statement.
    pub(crate) fn statement_id(&mut self, span: Span, text: impl Into<String>) -> StatementId {
        let id = StatementId(self.model.statements.len() as u32);
        let calls = self.body.inlines.iter().rev().map(|call| call.1).collect();
        self.model.statements.push(StatementInfo { span, text: text.into(), calls });
        id
    }

    /// The id of a kind of channel.
    pub(crate) fn channel_type(&mut self, ty: ChannelType) -> ChannelTypeId {
        if let Some(&id) = self.channel_types.get(&ty) {
            return id;
        }
        let id = ChannelTypeId(self.model.channel_types.len().min(usize::from(u16::MAX)) as u16);
        self.model.channel_types.push(ty.clone());
        self.channel_types.insert(ty, id);
        id
    }
}
