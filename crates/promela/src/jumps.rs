//! Labels and jumps of a complete body.

use crate::body::Body;
use crate::flow::{ATOMIC, D_STEP, ElementId, Flow, Jump, What};
use crate::hunt::{MAX_ALL_HOPS, MAX_HOPS};
use crate::lowering::Lowering;
use crate::names::Scopes;
use promenade_base::{Diagnostic, Span};

impl Flow {
    /// The element that a label name leads to from a scope: the label of that scope, else of an
    /// outer one, else any.
    fn find_label(&self, symbol: usize, scopes: &Scopes) -> Option<ElementId> {
        let wanted = &self.symbols[symbol];
        if let Some(own) = self.labels_in(&wanted.name, wanted.scope).last() {
            return Some(self.labels[*own].element);
        }
        let around = scopes.around(wanted.scope);
        let outer = around.filter_map(|scope| self.labels_in(&wanted.name, scope).first()).min();
        let any = || self.labels_named(&wanted.name).next_back();
        outer.map(|at| &self.labels[*at]).or_else(any).map(|label| label.element)
    }
}

impl Flow {
    /// By element: the number of jumps from it on that lead from one to the next; none where they go
    /// round in a circle.
    fn jumps_in_a_row(&self) -> Vec<Option<usize>> {
        let mut known: Vec<Option<Option<usize>>> = vec![None; self.elements.len()];
        let mut on_way = vec![false; self.elements.len()];
        for start in 0..self.elements.len() {
            let mut way = Vec::new();
            let mut at = start;
            let mut hops = loop {
                if let Some(hops) = known[at] {
                    break hops;
                }
                if on_way[at] {
                    break None;
                }
                let What::Goto(Jump::To(next)) = self.elements[at].what else {
                    known[at] = Some(Some(0));
                    break Some(0);
                };
                on_way[at] = true;
                way.push(at);
                at = next.0 as usize;
            };
            for at in way.into_iter().rev() {
                hops = hops.map(|hops| hops + 1);
                known[at] = Some(hops);
            }
        }
        known.into_iter().map(Option::flatten).collect()
    }
}

impl Lowering<'_> {
    /// Resolves all jumps of the body at hand and checks them.
    pub(crate) fn resolve_jumps(&mut self) {
        let flow = &self.body.flow;
        let mut found = Vec::new();
        for (i, element) in flow.elements.iter().enumerate() {
            let What::Goto(jump) = element.what else { continue };
            let target = match jump {
                Jump::To(target) => Some(target),
                Jump::Out(id) => flow.exits.get(id.0 as usize).copied().flatten(),
                Jump::Label(symbol) => {
                    let target = flow.find_label(symbol, &self.body.scopes);
                    if target.is_none() {
                        let name = flow.symbols[symbol].name.clone();
                        let mut diagnostic = Diagnostic::error(
                            "undefined-label",
                            element.span,
                            format!("there is no label `{name}` in `{}`", self.body.name),
                        );
                        let labels = flow.labels.iter().map(|l| &*l.name);
                        if let Some(close) = self.out.guess(&name, labels) {
                            diagnostic = diagnostic.with_hint(format!("Did you mean `{close}`?"));
                        }
                        self.out.report(diagnostic);
                    }
                    target
                }
            };
            if let Some(target) = target {
                found.push((i, target));
            }
        }
        for (i, target) in found {
            self.check_jump(i, target);
            self.body.flow.elements[i].what = What::Goto(Jump::To(target));
        }
        self.check_endless_jumps();
        self.check_special_labels();
    }

    /// Jumps into or out of a d_step.
    fn check_jump(&mut self, from: usize, to: ElementId) {
        let flow = &self.body.flow;
        let (from, to) = (&flow.elements[from], flow.element(to));
        if from.d_step == to.d_step {
            return;
        }
        let (message, hint) = if from.d_step.is_some() {
            (
                "this jump leaves the d_step",
                "A d_step runs from its start to its end; use `atomic`, or jump behind it.",
            )
        } else {
            (
                "this jump leads into a d_step",
                "A d_step runs from its start to its end; use `atomic`, or jump in front of it.",
            )
        };
        self.out.error_hint("jump-across-d-step", from.span, message, hint);
    }

    /// Gotos that lead to each other and nowhere else.
    fn check_endless_jumps(&mut self) {
        let flow = &self.body.flow;
        let mut endless: Option<(Span, String, &str)> = None;
        // Jumps in a row in front of all others: they are followed one by one later.
        let mut all = 0;
        for (element, hops) in flow.elements.iter().zip(flow.jumps_in_a_row()) {
            all += hops.unwrap_or(0);
            let (message, hint) = match hops {
                None => (
                    "these jumps lead round in a circle and nothing is ever done".to_owned(),
                    "Write `do :: skip od` for an endless loop.",
                ),
                Some(hops) if hops >= MAX_HOPS => (
                    format!("{MAX_HOPS} jumps or more lead from one to the next"),
                    "Jump to the last target at once.",
                ),
                Some(_) if all > MAX_ALL_HOPS => (
                    "too many jumps lead to other jumps".to_owned(),
                    "Jump to the last target at once.",
                ),
                Some(_) => continue,
            };
            endless = Some((element.span, message, hint));
            break;
        }
        if let Some((span, message, hint)) = endless {
            self.out.error_hint("endless-goto", span, message, hint);
        }
    }

    /// Labels that mean something, at places that are never seen.
    fn check_special_labels(&mut self) {
        let Body { flow, .. } = &self.body;
        for label in &flow.labels {
            let status = flow.element(label.element).status;
            let visible_end = label.name.starts_with("end") && status & D_STEP == 0;
            if status & (ATOMIC | D_STEP) == 0
                || visible_end
                || !crate::flow::is_special(&label.name)
            {
                continue;
            }
            self.out.warning(
                "invisible-label",
                label.span,
                format!("label `{}` stands inside an atomic sequence", label.name),
                "Its state is not visible unless the sequence blocks there.",
            );
        }
    }
}
