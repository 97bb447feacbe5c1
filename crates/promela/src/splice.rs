//! Transitions to control points: options are spliced into their choices, escapes put in front.

use crate::flow::{ElementId, Flow, What};
use crate::transitions::{Kind, Table, Transition};
use std::collections::HashSet;

/// Beyond this many transitions splicing stops; texts that get there are refused.
const MAX_TRANSITIONS: usize = 1_000_000;

/// Splices; false where there would be too many transitions.
pub(crate) fn splice(table: &mut Table, flow: &Flow, inner_first: bool) -> bool {
    if !splice_choices(table) {
        return false;
    }
    pull(table);
    if !add_escapes(table, inner_first) {
        return false;
    }
    for i in 0..table.lists.len() {
        let passes = matches!(flow.elements[i].what, What::Join) && table.lists[i].len() == 1;
        if passes
            && table.flags[i].valid_end
            && let Some(target) = table.lists[i][0].target
        {
            table.flags[target.0 as usize].valid_end = true;
        }
    }
    true
}

/// Choices that open an option of another choice give it their own options, until there are none.
fn splice_choices(table: &mut Table) -> bool {
    loop {
        let mut changed = false;
        let mut total = 0;
        for i in 0..table.lists.len() {
            total += table.lists[i].len();
            let links = table.lists[i].get(1..).unwrap_or(&[]);
            let is_choice = |t: &Transition| {
                t.target.is_some_and(|target| table.lists[target.0 as usize].len() > 1)
            };
            if !links.iter().any(is_choice) {
                continue;
            }
            changed = true;
            let old = std::mem::take(&mut table.lists[i]);
            let mut new = vec![old[0].clone()];
            for link in &old[1..] {
                let Some(target) = link.target else { continue };
                let inner = &table.lists[target.0 as usize];
                if inner.len() < 2 {
                    new.push(link.clone());
                    continue;
                }
                for option in &inner[1..] {
                    new.push(option.clone());
                    if let Some(state) = option.target {
                        let flags = table.flags[target.0 as usize];
                        table.flags[state.0 as usize].join(flags);
                    }
                }
            }
            table.lists[i] = new;
            if total > MAX_TRANSITIONS {
                return false;
            }
        }
        if !changed {
            return true;
        }
    }
}

/// Links are replaced by the steps that they lead to.
fn pull(table: &mut Table) {
    for i in 0..table.lists.len() {
        if table.lists[i].len() < 2 {
            continue;
        }
        let links = table.lists[i].split_off(1);
        let first = links.first().and_then(|l| l.target);
        if first.is_none_or(|target| table.lists[target.0 as usize].is_empty()) {
            table.lists[i].extend(links);
            continue;
        }
        let mut steps = Vec::with_capacity(links.len());
        for link in links {
            let Some(target) = link.target else { continue };
            let Some(step) = table.lists[target.0 as usize].first().cloned() else { continue };
            if let Some(state) = step.target {
                let flags = table.flags[target.0 as usize];
                table.flags[state.0 as usize].join(flags);
            }
            steps.push(step);
        }
        table.lists[i] = steps;
    }
}

/// Copies the transitions of escape states in front of the transitions that they watch; false where
/// there would be too many.
fn add_escapes(table: &mut Table, inner_first: bool) -> bool {
    let mut total = 0;
    for i in 0..table.lists.len() {
        let own = &table.lists[i];
        if own.iter().all(|t| t.escapes.is_empty()) {
            continue;
        }
        let mut known: HashSet<ElementId> = own.iter().map(|t| t.origin).collect();
        let mut front: Vec<Transition> = Vec::new();
        let mut done: HashSet<ElementId> = HashSet::new();
        for step in own {
            for &state in step.escapes.iter().rev() {
                if !done.insert(state) {
                    continue;
                }
                for transition in &table.lists[state.0 as usize] {
                    if known.insert(transition.origin) {
                        front.push(Transition { escape: Some(state), ..transition.clone() });
                    }
                }
            }
        }
        if !inner_first {
            front.reverse();
        }
        total += front.len();
        if total > MAX_TRANSITIONS {
            return false;
        }
        front.append(&mut table.lists[i]);
        table.lists[i] = front;
    }
    true
}

impl Transition {
    /// Whether it can ever be taken.
    pub(crate) fn is_step(&self) -> bool {
        self.kind == Kind::Step
    }
}
