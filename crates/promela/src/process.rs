//! Proctypes, init, claims, trace assertions, formulas.

use crate::elements::{ElementId, Elements, Kind, Link};
use crate::graph::{self, Built};
use crate::lower::{Inside, Lower};
use crate::types::VarInfo;
use promenade_base::Span;
use promenade_ir::{
    Action, Channel, Claim, DStep, EdgeId, Formula, Initializer, LtlProperty, Proctype, ProctypeId,
    StatementId, TemporalOp, TraceAssertion, TraceEvent, Variable,
};
use promenade_promela_syntax::ast::{self, FormulaKind, FormulaOperator, Sequence, VarRef};
use std::collections::HashMap;
use std::rc::Rc;

/// The body that is being lowered.
#[derive(Debug)]
pub(crate) struct Body {
    pub local_bytes: u32,
    pub locals: Vec<Variable>,
    pub initializers: Vec<Initializer>,
    pub channels: Vec<Channel>,
    pub names: HashMap<Rc<str>, VarInfo>,
    pub elements: Elements,
    /// Joins behind the loops around; `None` where a d_step begins.
    pub breaks: Vec<Option<ElementId>>,
    /// Breaks with their targets, linked when all elements are there.
    pub jumps: Vec<(ElementId, Option<ElementId>)>,
    /// Label scope.
    pub scope: usize,
    /// Nesting of d_steps.
    pub d_steps: usize,
    /// Targets of `x = f()` around.
    pub results: Vec<Option<VarRef>>,
    /// Events of a trace assertion by statement.
    pub events: Vec<(StatementId, TraceEvent)>,
}

impl Default for Body {
    fn default() -> Self {
        Self {
            local_bytes: 0,
            locals: Vec::new(),
            initializers: Vec::new(),
            channels: Vec::new(),
            names: HashMap::new(),
            elements: Elements { scopes: vec![None], ..Elements::default() },
            breaks: Vec::new(),
            jumps: Vec::new(),
            scope: 0,
            d_steps: 0,
            results: Vec::new(),
            events: Vec::new(),
        }
    }
}

impl Lower<'_> {
    pub fn proctype(&mut self, p: &ast::Proctype) {
        let id = self.processes.get(&p.name.text).map_or(ProctypeId(0), |n| n.id);
        let made = self.process(
            &p.name.text,
            p.span,
            &p.parameters,
            &p.body,
            Inside::Process,
            Some(&p.name.text),
        );
        let (mut proctype, _) = made;
        proctype.deterministic = p.deterministic;
        if let Some(e) = &p.provided {
            self.inside = Inside::Process;
            proctype.provided = Some(self.expr(e));
            self.inside = Inside::Nothing;
        }
        proctype.priority = self.priority(p.priority.as_ref());
        if let Some(active) = &p.active {
            let count = match active {
                None => Some(1),
                Some(e) => self.constant(e).filter(|n| *n >= 0),
            };
            match count {
                Some(n) if n <= 255 => {
                    for _ in 0..n {
                        self.model.initial_processes.push(id);
                    }
                }
                Some(_) => self.error("too-many-processes", p.name.span, "more than 255 processes"),
                None => self.error(
                    "bad-count",
                    p.name.span,
                    "the number of active processes must be a constant",
                ),
            }
        }
        self.model.proctypes.push(proctype);
    }

    pub fn init(&mut self, init: &ast::Init) {
        let (mut proctype, _) =
            self.process("init", init.span, &[], &init.body, Inside::Process, None);
        proctype.priority = self.priority(init.priority.as_ref());
        self.model.initial_processes.push(ProctypeId(self.model.proctypes.len() as u16));
        self.model.proctypes.push(proctype);
    }

    fn priority(&mut self, e: Option<&ast::Expr>) -> u8 {
        let Some(e) = e else { return 1 };
        self.model.uses_priorities = true;
        match self.constant(e) {
            Some(n) if (1..=255).contains(&n) => n as u8,
            _ => {
                self.error("bad-priority", e.span, "a priority must be a constant from 1 to 255");
                1
            }
        }
    }

    pub fn claim(&mut self, claim: &ast::Claim) {
        let name = claim.name.as_ref().map(|n| n.text.to_string());
        let shown = name.clone().unwrap_or_else(|| "never".into());
        let (process, _) = self.process(&shown, claim.span, &[], &claim.body, Inside::Claim, None);
        self.model.claims.push(Claim { process, name });
    }

    pub fn trace(&mut self, trace: &ast::TraceAssertion) {
        if self.model.trace.is_some() {
            self.error("second-trace", trace.span, "a second trace assertion");
            return;
        }
        let name = if trace.negated { "notrace" } else { "trace" };
        let (process, events) =
            self.process(name, trace.span, &[], &trace.body, Inside::Trace, None);
        for location in &process.graph.locations {
            for edge in &location.edges {
                let event = events.iter().any(|(id, _)| *id == edge.id);
                let silent = matches!(edge.action, Action::Skip | Action::End | Action::Else);
                if !event && !silent {
                    let span = self.model.statements[edge.statement.0 as usize].span;
                    self.error(
                        "not-an-event",
                        span,
                        "a trace assertion consists of sends and receives",
                    );
                    return;
                }
            }
        }
        self.model.trace = Some(TraceAssertion { negated: trace.negated, process, events });
    }

    fn process(
        &mut self,
        name: &str,
        span: Span,
        parameters: &[ast::Declaration],
        body: &Sequence,
        inside: Inside,
        register: Option<&Rc<str>>,
    ) -> (Proctype, Vec<(EdgeId, TraceEvent)>) {
        self.body = Body::default();
        self.inside = inside;
        self.scopes.push(HashMap::new());
        let cells = self.parameters(parameters);
        let mut chain = self.body_chain(body);
        self.scopes.truncate(1);
        let statement = self.statement(body.end, "-end-".into());
        let exit = self.body.elements.add(Kind::End, statement, body.end);
        if let Some(&last) = chain.last() {
            self.body.elements.list[last].next = Link::To(exit);
        }
        chain.push(exit);
        let built = self.build(chain[0], exit);
        let events = std::mem::take(&mut self.body.events);
        let mut found = Vec::new();
        for location in &built.graph.locations {
            for edge in &location.edges {
                if let Some((_, event)) = events.iter().find(|(s, _)| *s == edge.statement) {
                    found.push((edge.id, event.clone()));
                }
            }
        }
        if let Some(register) = register {
            self.register(register, &built);
        }
        self.inside = Inside::Nothing;
        let body = std::mem::take(&mut self.body);
        let proctype = Proctype {
            name: name.to_owned(),
            span,
            parameters: cells,
            locals: body.locals,
            local_bytes: body.local_bytes,
            initializers: body.initializers,
            channels: body.channels,
            graph: built.graph,
            entry: built.entry,
            exit: built.exit,
            provided: None,
            deterministic: false,
            priority: 1,
        };
        (proctype, found)
    }

    /// Makes names and labels of a finished body known to remote references.
    fn register(&mut self, name: &Rc<str>, built: &Built) {
        let mut labels: HashMap<Rc<str>, Vec<promenade_ir::LocationId>> = HashMap::new();
        for (_, label, id, _) in &self.body.elements.labels {
            let real = self.body.elements.hunt(*id, false).unwrap_or(*id);
            if let Some(location) = built.location_of.get(&real) {
                labels.entry(label.clone()).or_default().push(*location);
            }
        }
        let names = self.body.names.clone();
        if let Some(process) = self.processes.get_mut(name) {
            process.labels = labels;
            process.locals = names;
            process.done = true;
        }
    }

    /// Checks jumps and builds the graph of the elements.
    fn build(&mut self, first: ElementId, exit: ElementId) -> Built {
        for (id, target) in std::mem::take(&mut self.body.jumps) {
            if let Some(target) = target {
                self.body.elements.list[id].next = Link::To(target);
            }
        }
        let mut missing = Vec::new();
        for element in &self.body.elements.list {
            if let Kind::Goto { label, scope, span } = &element.kind
                && self.body.elements.label(*scope, label).is_none()
            {
                missing.push((label.clone(), *span));
            }
        }
        for (label, span) in missing {
            let message = if self.body.d_steps > 0 {
                format!("no label `{label}` in this `d_step`; jumps out of it are not possible")
            } else {
                format!("undefined label `{label}`")
            };
            self.error("undefined-label", span, message);
        }
        let mut count = self.model.edge_count;
        let inner = self.options.inner_unless_first;
        let built = graph::build(&self.body.elements, first, exit, inner, &mut count);
        self.model.edge_count = count;
        match built {
            Ok(built) => built,
            Err(goto) => {
                let span = self.body.elements.list[goto.0].span;
                self.error("goto-loop", span, "a `goto` that leads to itself");
                Built {
                    graph: promenade_ir::Graph { locations: vec![Default::default()] },
                    entry: promenade_ir::LocationId(0),
                    exit: promenade_ir::LocationId(0),
                    location_of: HashMap::new(),
                }
            }
        }
    }

    /// A d_step: a graph of its own, one step of the process.
    pub fn d_step(&mut self, sequence: &Sequence, span: Span) -> ElementId {
        let outer = std::mem::replace(
            &mut self.body.elements,
            Elements { scopes: vec![None], ..Elements::default() },
        );
        let jumps = std::mem::take(&mut self.body.jumps);
        let scope = std::mem::replace(&mut self.body.scope, 0);
        self.body.breaks.push(None);
        self.body.d_steps += 1;
        let chain = self.block_chain(sequence);
        let exit = self.body.elements.add(Kind::End, graph::NO_STATEMENT, sequence.end);
        self.body.elements.list[chain[chain.len() - 1]].next = Link::To(exit);
        let built = self.build(chain[0], exit);
        let start_edges = start_edges(&built, &self.body.elements, chain[0]);
        self.body.d_steps -= 1;
        self.body.breaks.pop();
        self.body.scope = scope;
        self.body.jumps = jumps;
        let text = match built.graph.locations.first().and_then(|l| l.edges.first()) {
            Some(edge) => format!(
                "d_step {{ {}; .. }}",
                self.model.statements[edge.statement.0 as usize].text
            ),
            None => "d_step".to_owned(),
        };
        self.body.elements = outer;
        let action = Action::DStep(Box::new(DStep {
            graph: built.graph,
            entry: built.entry,
            exit: built.exit,
            start_edges,
        }));
        let statement = self.statement(span, text);
        self.body.elements.add(Kind::Basic(action), statement, span)
    }

    pub fn ltl(&mut self, block: &ast::LtlBlock) {
        let Some(formula) = &block.formula else { return };
        self.inside = Inside::Nothing;
        let lowered = self.formula(formula);
        let name = match &block.name {
            Some(name) => name.text.to_string(),
            None => format!("ltl_{}", self.model.formulas.len()),
        };
        self.model.formulas.push(LtlProperty {
            name,
            text: block.text.clone(),
            span: block.span,
            formula: lowered,
        });
    }

    fn formula(&mut self, f: &ast::Formula) -> Formula {
        match &f.kind {
            FormulaKind::Atom(e) => Formula::Atom(self.expr(e), f.span),
            FormulaKind::Not(g) => Formula::Not(Box::new(self.formula(g))),
            FormulaKind::Next(g) => Formula::Next(Box::new(self.formula(g))),
            FormulaKind::Always(g) => Formula::Always(Box::new(self.formula(g))),
            FormulaKind::Eventually(g) => Formula::Eventually(Box::new(self.formula(g))),
            FormulaKind::Binary(op, g, h) => {
                let op = match op {
                    FormulaOperator::And => TemporalOp::And,
                    FormulaOperator::Or => TemporalOp::Or,
                    FormulaOperator::Implies => TemporalOp::Implies,
                    FormulaOperator::Equivalent => TemporalOp::Equivalent,
                    FormulaOperator::Until => TemporalOp::Until,
                    FormulaOperator::WeakUntil => TemporalOp::WeakUntil,
                    FormulaOperator::Release => TemporalOp::Release,
                };
                Formula::Binary(op, Box::new(self.formula(g)), Box::new(self.formula(h)))
            }
        }
    }

    /// Arguments of `run` against the parameters of the type, once all types are known.
    pub fn check_runs(&mut self) {
        for (id, count, span) in std::mem::take(&mut self.pending_runs) {
            let Some(process) = self.model.proctypes.get(id.0 as usize) else { continue };
            let wanted = process.parameters.len();
            if count != wanted {
                let message = format!("`{}` has {wanted} parameters, {count} given", process.name);
                self.error("wrong-arguments", span, message);
            }
        }
    }
}

/// Which edges decide whether a d_step may start: where it opens with a choice, SPIN's test looks
/// only at options that open with a condition, a send, a receive, `else` or another choice.
fn start_edges(built: &Built, elements: &Elements, first: ElementId) -> Option<Vec<usize>> {
    let entry = &built.graph.locations[built.entry.0 as usize];
    let start = elements.hunt_start(first);
    if !matches!(elements.list[start].kind, Kind::Choice(_)) {
        return Some((0..entry.edges.len()).collect());
    }
    let counted: Vec<usize> = entry
        .edges
        .iter()
        .enumerate()
        .filter(|(_, edge)| {
            matches!(
                edge.action,
                Action::Condition(_)
                    | Action::Send { .. }
                    | Action::Receive { .. }
                    | Action::Else
                    | Action::Skip
            )
        })
        .map(|(i, _)| i)
        .collect();
    (!counted.is_empty()).then_some(counted)
}
