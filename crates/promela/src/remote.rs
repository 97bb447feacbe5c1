//! Remote references: `P[i]@label`, `P[i]:x`.

use crate::body::{Body, BodyKind};
use crate::lowering::{Lowering, RemoteUse};
use crate::types::Ty;
use promenade_base::{Diagnostic, Span};
use promenade_ir::{Expr, LocationId, ProctypeId};
use promenade_promela_syntax::ast::{self, Name, VarRef};
use std::collections::HashSet;

/// Processes that there can be at a time.
const MOST_PROCESSES: usize = 255;

impl Lowering<'_> {
    /// The process type of a remote reference.
    fn remote_process(&mut self, name: &Name) -> Option<ProctypeId> {
        let id = if &*name.text == "init" {
            self.proctype_names.iter().position(|p| &*p.0 == "init").map(|i| ProctypeId(i as u16))
        } else {
            self.proctype_ids.get(&name.text).copied()
        };
        if id.is_none() {
            let mut diagnostic = Diagnostic::error(
                "unknown-proctype",
                name.span,
                format!("`{}` is not a process type", name.text),
            );
            if let Some(close) = self.out.guess(&name.text, self.proctype_ids.keys().map(|k| &**k))
            {
                diagnostic = diagnostic.with_hint(format!("Did you mean `{close}`?"));
            }
            self.out.report(diagnostic);
        }
        id
    }

    /// The complete or present body of a process type.
    fn remote_body(&mut self, id: ProctypeId, name: &Name) -> Option<&mut Body> {
        if self.body.kind == BodyKind::Process(id) {
            return Some(&mut self.body);
        }
        match self.proctype_bodies.get(usize::from(id.0)).copied().flatten() {
            Some(index) => Some(&mut self.bodies[index]),
            None => {
                self.out.error_hint(
                    "proctype-below",
                    name.span,
                    format!("process type `{}` is defined below", name.text),
                    "A remote reference needs the process type above it; move this one down.",
                );
                None
            }
        }
    }

    /// `P[i]@label`. The location is filled in when the graphs are done; until then its id is the
    /// element's.
    pub(crate) fn remote_label(
        &mut self,
        process: &Name,
        index: Option<&ast::Expr>,
        label: &Name,
        span: Span,
    ) -> Expr {
        let index = index.map(|e| Box::new(self.expr(e)));
        let Some(id) = self.remote_process(process) else { return Expr::Const(0) };
        let Some(body) = self.remote_body(id, process) else { return Expr::Const(0) };
        let found = body.flow.labels_named(&label.text).next().map(|l| l.element);
        let Some(element) = found else {
            let names: Vec<_> = body.flow.labels.iter().map(|l| l.name.clone()).collect();
            let mut diagnostic = Diagnostic::error(
                "undefined-label",
                label.span,
                format!("`{}` has no label `{}`", process.text, label.text),
            );
            if let Some(close) = self.out.guess(&label.text, names.iter().map(|n| &**n)) {
                diagnostic = diagnostic.with_hint(format!("Did you mean `{close}`?"));
            }
            self.out.report(diagnostic);
            return Expr::Const(0);
        };
        body.flow.refer_to(element);
        self.note_remote(id, index.as_deref(), span);
        Expr::RemoteLocation { proctype: id, index, locations: vec![LocationId(element.0)] }
    }

    /// `P[i]:x`
    pub(crate) fn remote_variable(
        &mut self,
        process: &Name,
        index: Option<&ast::Expr>,
        variable: &VarRef,
        span: Span,
    ) -> Expr {
        let index = index.map(|e| Box::new(self.expr(e)));
        let Some(id) = self.remote_process(process) else { return Expr::Const(0) };
        let Some(first) = variable.segments.first() else { return Expr::Const(0) };
        let Some(body) = self.remote_body(id, process) else { return Expr::Const(0) };
        let found = body.var(&first.name.text).cloned();
        let Some(var) = found else {
            let names: Vec<_> = body.vars.iter().map(|v| v.name.clone()).collect();
            let mut diagnostic = Diagnostic::error(
                "undeclared-variable",
                first.name.span,
                format!("`{}` has no variable `{}`", process.text, first.name.text),
            );
            if let Some(close) = self.out.guess(&first.name.text, names.iter().map(|n| &**n)) {
                diagnostic = diagnostic.with_hint(format!("Did you mean `{close}`?"));
            }
            self.out.report(diagnostic);
            return Expr::Const(0);
        };
        let Some(cell) = self.cell(var, &variable.segments) else { return Expr::Const(0) };
        if let Ty::Struct(index) = cell.shape.ty {
            self.whole_structure(variable, index);
            return Expr::Const(0);
        }
        self.note_remote(id, index.as_deref(), span);
        Expr::RemoteLoad { proctype: id, index, place: cell.place }
    }

    /// Keeps a reference to a process that is known by its number, or by its type alone.
    fn note_remote(&mut self, proctype: ProctypeId, index: Option<&Expr>, span: Span) {
        let pid = match index {
            None => None,
            Some(Expr::Const(pid)) => Some(*pid),
            Some(_) => return,
        };
        self.uses.remotes.push(RemoteUse { proctype, pid, span });
    }

    /// Warns about references to processes that are never there. Processes that are there from the
    /// start have the numbers of their order; which number a `run` gives is not known beforehand, but
    /// there are 255 at most.
    pub(crate) fn check_remotes(&mut self, run: &[ProctypeId]) {
        let run: HashSet<ProctypeId> = run.iter().copied().collect();
        for RemoteUse { proctype, pid, span } in std::mem::take(&mut self.uses.remotes) {
            let own: Vec<usize> = (0..)
                .zip(&self.model.initial_processes)
                .filter_map(|(pid, id)| (*id == proctype).then_some(pid))
                .collect();
            let by_run = run.contains(&proctype);
            let there = match pid {
                None => by_run || !own.is_empty(),
                Some(pid) => usize::try_from(pid)
                    .is_ok_and(|pid| own.contains(&pid) || by_run && pid < MOST_PROCESSES),
            };
            if there {
                continue;
            }
            let name = &self.proctype_names[usize::from(proctype.0)].0;
            let (message, hint) = match (pid, own.as_slice()) {
                (Some(pid), _) if by_run => (
                    format!("there is never a process {pid}"),
                    "There are at most 255 processes, numbered from 0.".to_owned(),
                ),
                (_, []) => (
                    format!("no process of type `{name}` is ever started"),
                    "Start it with `active` or with `run`.".to_owned(),
                ),
                (pid, [first, .., last]) => (
                    format!("process {} is never of type `{name}`", pid.unwrap_or(0)),
                    format!("Those of this type have numbers from {first} to {last}."),
                ),
                (pid, [only]) => (
                    format!("process {} is never of type `{name}`", pid.unwrap_or(0)),
                    format!("The only one of this type has the number {only}."),
                ),
            };
            self.out.warning("no-such-process", span, message, hint);
        }
    }
}
