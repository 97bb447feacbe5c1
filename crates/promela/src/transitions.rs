//! Elements to transitions: one list for each element.

use crate::flow::{ATOMIC, Class, ElementId, Flow, Jump, Nesting, SequenceId, What};

/// What a transition is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Heads the list of a choice or block; never taken.
    Head,
    /// Leads to an option; replaced by the option's own transition.
    Link,
    /// The step of its origin.
    Step,
}

/// A transition.
#[derive(Clone, Debug)]
pub(crate) struct Transition {
    pub kind: Kind,
    /// The element whose step it is.
    pub origin: ElementId,
    pub target: Option<ElementId>,
    pub keeps_atomic: bool,
    /// Escape states of the step, the outermost first.
    pub escapes: Vec<ElementId>,
    /// It was copied from this escape state.
    pub escape: Option<ElementId>,
}

/// Flags that labels give to control points.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Flags {
    pub valid_end: bool,
    pub progress: bool,
    pub accept: bool,
}

impl Flags {
    pub(crate) fn join(&mut self, other: Flags) {
        self.valid_end |= other.valid_end;
        self.progress |= other.progress;
        self.accept |= other.accept;
    }
}

/// The transitions of a body, by element.
#[derive(Default, Debug)]
pub(crate) struct Table {
    pub lists: Vec<Vec<Transition>>,
    pub flags: Vec<Flags>,
    /// An element from which control goes round in a circle.
    pub circle: Option<ElementId>,
    /// Jumps that lead to a d_step.
    pub landings: Vec<ElementId>,
    done: Vec<bool>,
}

/// Builds the transitions of a body.
pub(crate) fn build(flow: &mut Flow) -> Table {
    flow.tie_ends();
    let count = flow.elements.len();
    let mut table = Table {
        lists: vec![Vec::new(); count],
        flags: vec![Flags::default(); count],
        circle: None,
        landings: Vec::new(),
        done: vec![false; count],
    };
    for label in &flow.labels {
        let flags = &mut table.flags[label.element.0 as usize];
        flags.valid_end |= label.name.starts_with("end");
        flags.progress |= label.name.starts_with("progress");
        flags.accept |= label.name.starts_with("accept");
    }
    if let Some(body) = flow.body {
        table.sequence(flow, body);
    }
    table
}

impl Table {
    fn sequence(&mut self, flow: &mut Flow, sequence: SequenceId) {
        let mut at = flow.sequence(sequence).first;
        while let Some(id) = at {
            if !std::mem::replace(&mut self.done[id.0 as usize], true) {
                match flow.element(id).what.clone() {
                    What::Unless { main, .. } => self.sequence(flow, main),
                    What::Choice { options, .. } => self.choice(flow, id, &options),
                    What::Nested(kind, inner) => self.nested(flow, id, kind, inner),
                    _ => self.step(flow, id),
                }
            }
            if flow.sequence(sequence).last == Some(id) {
                return;
            }
            at = flow.element(id).next;
        }
    }

    fn push(&mut self, at: ElementId, kind: Kind, target: Option<ElementId>, keeps: bool) {
        self.lists[at.0 as usize].push(Transition {
            kind,
            origin: at,
            target,
            keeps_atomic: keeps,
            escapes: Vec::new(),
            escape: None,
        });
    }

    fn choice(&mut self, flow: &mut Flow, id: ElementId, options: &[SequenceId]) {
        self.push(id, Kind::Head, None, false);
        for &option in options {
            let Some(first) = flow.sequence(option).first else { continue };
            let Some(opening) = flow.opening(first) else {
                self.circle = Some(first);
                continue;
            };
            let element = flow.element(opening);
            // An option that opens with `false` is left out.
            let dead =
                matches!(element.what, What::Step(_, Class::False)) && element.escapes.is_empty();
            if !dead {
                self.push(id, Kind::Link, Some(opening), false);
            }
        }
        for &option in options {
            self.sequence(flow, option);
        }
    }

    fn nested(&mut self, flow: &mut Flow, id: ElementId, kind: Nesting, inner: SequenceId) {
        flow.patch_jumps(inner);
        let s = flow.sequence(inner);
        let next = flow.element(id).next;
        if let Some(last) = s.last {
            flow.element_mut(last).next = next;
        }
        if kind == Nesting::DStep {
            self.go_on(flow, id);
            return;
        }
        let opening = s.first.and_then(|first| flow.opening(first));
        if opening.is_none() {
            self.circle = Some(id);
        }
        self.push(id, Kind::Head, None, false);
        self.push(id, Kind::Link, opening, false);
        self.sequence(flow, inner);
    }

    fn step(&mut self, flow: &mut Flow, id: ElementId) {
        let element = flow.element(id);
        if let What::Goto(Jump::To(target)) = element.what {
            let target = flow.hunt(target, element.status);
            let on_d_step =
                |t: ElementId| matches!(flow.element(t).what, What::Nested(Nesting::DStep, _));
            if target.is_some_and(on_d_step) {
                self.landings.push(id);
            }
            self.add_step(flow, id, target, true);
        } else {
            self.go_on(flow, id);
        }
    }

    /// A step to what follows the element.
    fn go_on(&mut self, flow: &mut Flow, id: ElementId) {
        let element = flow.element(id);
        match element.next {
            Some(next) => {
                let target = flow.hunt(next, element.status);
                self.add_step(flow, id, target, true);
            }
            None => self.add_step(flow, id, None, false),
        }
    }

    fn add_step(
        &mut self,
        flow: &mut Flow,
        id: ElementId,
        target: Option<ElementId>,
        must_lead: bool,
    ) {
        if must_lead && target.is_none() {
            self.circle = Some(id);
        }
        let element = flow.element(id);
        let keeps = element.status & ATOMIC != 0;
        let status = element.status;
        let watching = match element.what {
            What::Join => Vec::new(),
            _ => element.escapes.clone(),
        };
        self.push(id, Kind::Step, target, keeps);
        let states: Vec<ElementId> = watching
            .iter()
            .filter_map(|&escape| flow.sequence(escape).first)
            .filter_map(|first| flow.hunt(first, status))
            .collect();
        if let Some(step) = self.lists[id.0 as usize].last_mut() {
            step.escapes = states;
        }
        for escape in watching {
            self.sequence(flow, escape);
        }
    }
}
