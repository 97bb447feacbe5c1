//! The end of a compilation: checks of the whole, graphs, initial values.

use crate::emit::Emitted;
use crate::flow::ElementId;
use crate::lowering::{GlobalValues, Lowering};
use promenade_base::arrange::Arrange;
use promenade_base::{Diagnostic, Span};
use promenade_ir::{
    Action, Claim, DStep, Expr, Formula, Graph, Initializer, LocationId, Model, Pattern, Place,
    PrintPart, Region, TraceAssertion,
};
use std::collections::HashMap;

type Locations = HashMap<ElementId, LocationId>;

impl Lowering<'_> {
    /// The model, if there was no error.
    pub(crate) fn finish(&mut self) -> Option<Model> {
        self.check_whole();
        self.global_initializers();
        if self.out.text_errors() > 0 {
            return None;
        }
        let bodies = std::mem::take(&mut self.bodies);
        let mut emitted: Vec<Option<Emitted>> =
            bodies.into_iter().map(|body| self.emit(body)).collect();
        if self.out.text_errors() > 0 {
            return None;
        }
        let mut locations = Vec::new();
        for body in std::mem::take(&mut self.proctype_bodies) {
            let done = emitted.get_mut(body?)?.take()?;
            locations.push(done.locations);
            self.model.proctypes.push(done.process);
        }
        for (body, name, _) in std::mem::take(&mut self.claims) {
            let mut done = emitted.get_mut(body)?.take()?;
            fuse_atomic(&mut done.process.graph);
            let process = done.process;
            self.model.claims.push(Claim { process, name, acceptance: None, labels: None });
        }
        if let Some((body, _)) = self.trace_body {
            let done = emitted.get_mut(body)?.take()?;
            self.model.trace = Some(TraceAssertion {
                negated: self.trace_negated,
                process: done.process,
                events: done.events,
            });
        }
        self.model.globals = self.display(&self.global_vars, Region::Global);
        self.model.hidden = self.display(&self.global_vars, Region::Hidden);
        self.model.global_bytes = self.global_bytes as u32;
        self.model.hidden_bytes = self.hidden_bytes as u32;
        let mut model = std::mem::take(&mut self.model);
        fill_in(&mut model, &locations);
        self.check_promises(&model);
        Some(model)
    }

    fn check_whole(&mut self) {
        if self.model.initial_processes.is_empty() {
            let span = self.proctype_names.first().map_or(Span::default(), |p| p.1);
            self.out.error_hint(
                "no-process",
                span,
                "no process is started",
                "Write `active` in front of a `proctype`, or add `init { run .. }`.",
            );
        }
        if self.model.initial_processes.len() > 255 {
            let last = self.model.initial_processes[255];
            let span = self.proctype_names[usize::from(last.0)].1;
            self.out.error(
                "too-many-processes",
                span,
                format!(
                    "{} processes are active, more than 255",
                    self.model.initial_processes.len()
                ),
            );
        }
        let runs = std::mem::take(&mut self.uses.runs);
        self.check_remotes(&runs.iter().map(|call| call.proctype).collect::<Vec<_>>());
        for call in runs {
            let Some(body) = self.proctype_bodies[usize::from(call.proctype.0)] else { continue };
            let body = &self.bodies[body];
            let wanted = body.parameters.len();
            if wanted != call.arguments {
                let plural = if wanted == 1 { "" } else { "s" };
                let message = format!(
                    "`{}` takes {wanted} argument{plural}, found {}",
                    body.name, call.arguments
                );
                let diagnostic = Diagnostic::error("run-arguments", call.span, message)
                    .with_related(body.span, "defined here");
                self.out.report(diagnostic);
            }
        }
        for (fields, span) in std::mem::take(&mut self.uses.sends) {
            if fields > self.uses.widest {
                let message = format!(
                    "{fields} message fields are sent, the widest channel has {}",
                    self.uses.widest
                );
                // They are not dropped where no channel takes them.
                self.out.withdraw("field-count", span);
                self.out.error("too-many-fields", span, message);
            }
        }
        if let Some(span) = self.uses.enabled
            && self.uses.rendezvous
        {
            self.out.error_hint(
                "enabled-with-rendezvous",
                span,
                "`enabled` cannot be used in a model with rendezvous channels",
                "Whether a process can move depends on its partner there.",
            );
        }
        if let Some(span) = self.uses.priority
            && self.uses.rendezvous
        {
            self.out.warning(
                "priority-with-rendezvous",
                span,
                "SPIN cannot verify models with priorities and rendezvous channels",
                "Use channels with slots to compare with SPIN.",
            );
        }
    }

    /// Global initial values in SPIN's order: sorted by type, then as in the text.
    fn global_initializers(&mut self) {
        let mut values = std::mem::take(&mut self.global_values);
        values.arrange_by_key(|v| v.rank);
        self.check_order(&values);
        for value in values {
            let first = self.model.channels.len() as u32;
            self.model.channels.extend(value.channels);
            if self.model.channels.len() > 255 {
                self.out.error_hint(
                    "too-many-channels",
                    value.span,
                    "there are more than 255 channels",
                    "A channel number is one byte.",
                );
                return;
            }
            for mut initializer in value.initializers {
                if let Initializer::Channel { channel, .. } = &mut initializer {
                    *channel += first;
                }
                self.model.initializers.push(initializer);
            }
        }
    }

    /// Warns where a value is read before it is there.
    fn check_order(&mut self, sorted: &[GlobalValues]) {
        let mut position = HashMap::new();
        for (i, value) in sorted.iter().enumerate() {
            if !value.initializers.is_empty() {
                position.insert(value.number, i);
            }
        }
        for (i, value) in sorted.iter().enumerate() {
            let early = value.reads.iter().find(|r| position.get(r).is_some_and(|&at| at > i));
            if let Some(&early) = early {
                let name = &self.global_vars[early].name;
                self.out.warning(
                    "initialization-order",
                    value.span,
                    format!("the initial value is taken before `{name}` has its own"),
                    "SPIN sets globals in the order of their types: unsigned, bit, byte, chan, \
                     mtype, short, int, structures.",
                );
            }
        }
    }
}

/// An atomic sequence of a claim is one move: steps that cannot block are joined to the one in
/// front.
fn fuse_atomic(graph: &mut Graph) {
    let old = graph.clone();
    for location in &mut graph.locations {
        for edge in &mut location.edges {
            let mut actions = vec![edge.action.clone()];
            let mut keeps = edge.keeps_atomic;
            while keeps && actions.len() < 1000 {
                let next = &old.location(edge.target).edges;
                let [only] = next.as_slice() else { break };
                if !never_blocks(&only.action) {
                    break;
                }
                actions.push(only.action.clone());
                edge.target = only.target;
                keeps = only.keeps_atomic;
            }
            edge.keeps_atomic = keeps;
            if actions.len() > 1 {
                edge.action = Action::Sequence(actions);
            }
        }
    }
}

fn never_blocks(action: &Action) -> bool {
    matches!(action, Action::Skip | Action::Assign { .. } | Action::Assert(_) | Action::Print(_))
}

/// Replaces elements by locations in all remote references.
fn fill_in(model: &mut Model, locations: &[Locations]) {
    let visit = &mut |e: &mut Expr| {
        if let Expr::RemoteLocation { proctype, locations: list, .. } = e {
            let table = &locations[usize::from(proctype.0)];
            *list = list.iter().filter_map(|l| table.get(&ElementId(l.0)).copied()).collect();
        }
    };
    for initializer in &mut model.initializers {
        initializer_exprs(initializer, visit);
    }
    let traces = model.trace.iter_mut().map(|t| &mut t.process);
    let claims = model.claims.iter_mut().map(|c| &mut c.process);
    for process in model.proctypes.iter_mut().chain(claims).chain(traces) {
        for initializer in &mut process.initializers {
            initializer_exprs(initializer, visit);
        }
        if let Some(e) = &mut process.provided {
            expr(e, visit);
        }
        graph(&mut process.graph, visit);
    }
    for property in &mut model.formulas {
        formula(&mut property.formula, visit);
    }
}

type Visit<'a> = dyn FnMut(&mut Expr) + 'a;

fn initializer_exprs(initializer: &mut Initializer, visit: &mut Visit<'_>) {
    if let Initializer::Value { value, .. } = initializer {
        expr(value, visit);
    }
}

fn graph(graph: &mut Graph, visit: &mut Visit<'_>) {
    for edge in graph.locations.iter_mut().flat_map(|l| &mut l.edges) {
        action(&mut edge.action, visit);
    }
}

fn action(a: &mut Action, visit: &mut Visit<'_>) {
    match a {
        Action::Skip | Action::Else | Action::End => {}
        Action::Condition(e) | Action::Assert(e) => expr(e, visit),
        Action::Assign { target, value } => {
            if let Some(target) = target {
                place(target, visit);
            }
            expr(value, visit);
        }
        Action::Print(print) => {
            for part in &mut print.parts {
                match part {
                    PrintPart::Text(_) => {}
                    PrintPart::Decimal(e)
                    | PrintPart::Unsigned(e)
                    | PrintPart::Hexadecimal(e)
                    | PrintPart::Octal(e)
                    | PrintPart::Character(e)
                    | PrintPart::Symbol(e, _) => expr(e, visit),
                }
            }
        }
        Action::Send { channel, arguments, .. } => {
            expr(channel, visit);
            arguments.iter_mut().for_each(|e| expr(e, visit));
        }
        Action::Receive { channel, patterns: list, .. } => {
            expr(channel, visit);
            patterns(list, visit);
        }
        Action::Run { arguments, target, .. } => {
            arguments.iter_mut().for_each(|e| expr(e, visit));
            if let Some(target) = target {
                place(target, visit);
            }
        }
        Action::SetPriority { process, priority } => {
            expr(process, visit);
            expr(priority, visit);
        }
        Action::DStep(step) => {
            let DStep { graph: inner, .. } = &mut **step;
            graph(inner, visit);
        }
        Action::Sequence(list) => list.iter_mut().for_each(|a| action(a, visit)),
    }
}

fn patterns(list: &mut [Pattern], visit: &mut Visit<'_>) {
    for pattern in list {
        match pattern {
            Pattern::Match(e) => expr(e, visit),
            Pattern::Store(target) => place(target, visit),
            Pattern::Any => {}
        }
    }
}

fn place(p: &mut Place, visit: &mut Visit<'_>) {
    p.indices.iter_mut().for_each(|i| expr(&mut i.value, visit));
}

fn formula(f: &mut Formula, visit: &mut Visit<'_>) {
    match f {
        Formula::Atom(e, ..) => expr(e, visit),
        Formula::Not(a) | Formula::Next(a) | Formula::Always(a) | Formula::Eventually(a) => {
            formula(a, visit);
        }
        Formula::Binary(_, a, b) => {
            formula(a, visit);
            formula(b, visit);
        }
    }
}

fn expr(e: &mut Expr, visit: &mut Visit<'_>) {
    visit(e);
    match e {
        Expr::Const(_)
        | Expr::Pid
        | Expr::NrPr
        | Expr::Last
        | Expr::Priority
        | Expr::Timeout
        | Expr::NonProgress => {}
        Expr::Load(p) => place(p, visit),
        Expr::Unary(_, a)
        | Expr::Len(a)
        | Expr::ChannelTest(_, a)
        | Expr::Enabled(a)
        | Expr::PcValue(a)
        | Expr::GetPriority(a) => expr(a, visit),
        Expr::Binary(_, a, b) | Expr::And(a, b) | Expr::Or(a, b) => {
            expr(a, visit);
            expr(b, visit);
        }
        Expr::Conditional(c, a, b) => {
            expr(c, visit);
            expr(a, visit);
            expr(b, visit);
        }
        Expr::Poll { channel, patterns: list, .. } => {
            expr(channel, visit);
            patterns(list, visit);
        }
        Expr::RemoteLocation { index, .. } => {
            if let Some(index) = index {
                expr(index, visit);
            }
        }
        Expr::RemoteLoad { index, place: p, .. } => {
            if let Some(index) = index {
                expr(index, visit);
            }
            place(p, visit);
        }
    }
}
