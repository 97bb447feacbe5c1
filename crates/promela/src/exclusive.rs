//! `xr` and `xs`: promises of exclusive use.

use crate::body::BodyKind;
use crate::lowering::Lowering;
use promenade_base::Diagnostic;
use promenade_base::Span;
use promenade_ir::{Action, Expr, Graph, Model, Place, Promise, Region};
use promenade_promela_syntax::ast::VarRef;

impl Lowering<'_> {
    /// `xs list` or `xr list`.
    pub(crate) fn exclusive(&mut self, list: &[VarRef], send: bool, span: Span) {
        let BodyKind::Process(proctype) = self.body.kind else {
            for r in list {
                self.channel(r);
            }
            self.out.error(
                "misplaced-exclusive",
                span,
                "only a process type can promise exclusive use of a channel",
            );
            return;
        };
        for r in list {
            let channel = self.channel(r);
            self.model.promises.push(Promise { proctype, channel, send, span: r.span });
        }
    }

    /// Warns of statements that break a promise if they are executed while the process that gave it
    /// lives. Only channels that a global name always stands for are looked at here.
    pub(crate) fn check_promises(&mut self, model: &Model) {
        let mut stores = Vec::new();
        for graph in model.proctypes.iter().map(|p| &p.graph) {
            each_action(graph, &mut |action, _| match action {
                Action::Assign { target: Some(place), .. } => stores.extend(global(place)),
                Action::Receive { patterns, .. } => {
                    for pattern in patterns {
                        if let promenade_ir::Pattern::Store(place) = pattern {
                            stores.extend(global(place));
                        }
                    }
                }
                _ => {}
            });
        }
        for promise in &model.promises {
            let Expr::Load(place) = &promise.channel else { continue };
            let Some(wanted) = global(place).filter(|at| !stores.contains(at)) else { continue };
            let word = if promise.send { "xs" } else { "xr" };
            let started = model.initial_processes.iter().filter(|p| **p == promise.proctype);
            let several = started.count() > 1;
            for (number, proctype) in model.proctypes.iter().enumerate() {
                if number == usize::from(promise.proctype.0) && !several {
                    continue;
                }
                each_action(&proctype.graph, &mut |action, statement| {
                    let used = match action {
                        Action::Send { channel, .. } if promise.send => channel,
                        Action::Receive { channel, .. } if !promise.send => channel,
                        _ => return,
                    };
                    let same = matches!(used, Expr::Load(at) if global(at) == Some(wanted));
                    let Some(info) = model.statements.get(statement).filter(|_| same) else {
                        return;
                    };
                    let verb = if promise.send { "sends to" } else { "receives from" };
                    let message = if number == usize::from(promise.proctype.0) {
                        format!("every `{}` {verb} a channel that each claims alone", proctype.name)
                    } else {
                        format!(
                            "`{}` {verb} a channel that another process claims alone",
                            proctype.name
                        )
                    };
                    let diagnostic = Diagnostic::warning("broken-promise", info.span, message)
                        .with_hint(
                            "SPIN's reduction relies on such promises. A safety check here reports a \
                             broken one, unless it is without reduction.",
                        )
                        .with_related(promise.span, format!("promised here (`{word}`)"));
                    self.out.report(diagnostic);
                });
            }
        }
    }
}

/// The offset of a global that is no array.
fn global(place: &Place) -> Option<u32> {
    (place.region == Region::Global && place.indices.is_empty()).then_some(place.offset)
}

fn each_action(graph: &Graph, visit: &mut dyn FnMut(&Action, usize)) {
    for edge in graph.locations.iter().flat_map(|l| &l.edges) {
        match &edge.action {
            Action::DStep(step) => each_action(&step.graph, visit),
            action => visit(action, edge.statement.0 as usize),
        }
    }
}
