//! Labels and jumps of a complete body.

use crate::body::Body;
use crate::flow::{ATOMIC, D_STEP, ElementId, Flow, Jump, What};
use crate::hunt::MAX_HOPS;
use crate::lowering::Lowering;
use crate::names::Scopes;
use crate::report::suggest;
use promenade_base::{Diagnostic, Span};

impl Flow {
    /// The element that a label name leads to from a scope: the label of that scope, else of an
    /// outer one, else any.
    fn find_label(&self, symbol: usize, scopes: &Scopes) -> Option<ElementId> {
        let wanted = &self.symbols[symbol];
        let mut outer: Option<ElementId> = None;
        let mut any: Option<ElementId> = None;
        for label in self.labels_named(&wanted.name).rev() {
            if label.scope == wanted.scope {
                return Some(label.element);
            }
            if scopes.within(wanted.scope, label.scope) {
                outer = Some(label.element);
            } else {
                any.get_or_insert(label.element);
            }
        }
        outer.or(any)
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
                        if let Some(close) = suggest(&name, labels) {
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
        let mut endless: Option<(Span, bool)> = None;
        for element in &flow.elements {
            let What::Goto(Jump::To(mut target)) = element.what else { continue };
            let mut steps = 0;
            while let What::Goto(Jump::To(next)) = flow.element(target).what {
                target = next;
                steps += 1;
                if steps + 1 >= MAX_HOPS {
                    // More jumps than there are elements come to one of them twice.
                    let ends = (0..=flow.elements.len()).any(|_| {
                        let What::Goto(Jump::To(next)) = flow.element(target).what else {
                            return true;
                        };
                        target = next;
                        false
                    });
                    endless = Some((element.span, ends));
                    break;
                }
            }
            if endless.is_some() {
                break;
            }
        }
        let (message, hint) = match endless {
            Some((_, true)) => (
                format!("{MAX_HOPS} jumps or more lead from one to the next"),
                "Jump to the last target at once.",
            ),
            _ => (
                "these jumps lead round in a circle and nothing is ever done".to_owned(),
                "Write `do :: skip od` for an endless loop.",
            ),
        };
        if let Some((span, _)) = endless {
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
