//! States and steps of a state graph as they are shown.

use crate::edges::{Edges, location, owner};
use crate::prepared::Prepared;
use crate::sources::Sources;
use crate::state_diff::SlotTable;
use crate::write_only::decode_without;
use promenade_interp::{CLAIM_PID, Interpreter, StateView};
use promenade_ir::{Action, Model};
use promenade_protocol::{Change, ProcessPosition, ProcessState, Slot, SpanData, StateNode};
use promenade_transition_system::MicroStep;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Characters of a line of a state.
const LINE: usize = 26;
/// Lines for places, and for changes.
const LINES: usize = 3;
/// Statements in a list of choices.
const CHOICES: usize = 5;
/// Characters of a label.
const LABEL: usize = 240;

/// A step in words.
pub(super) struct Step {
    pub label: String,
    pub pid: u8,
    pub process: String,
    pub span: SpanData,
    pub steps: u32,
}

/// Puts states and steps into words, and numbers everything that has a value.
pub(super) struct Names {
    pub model: Rc<Model>,
    edges: Rc<Edges>,
    sources: Rc<Sources>,
    sink: Option<u32>,
    claim: Option<usize>,
    /// The claim is an automaton made from a formula.
    generated: bool,
    slots: Vec<Slot>,
    numbers: HashMap<String, u32>,
    without: bool,
    /// Cells decoded so far.
    pub cells: usize,
}

/// What a state holds, by slot.
type Cells = BTreeMap<u32, String>;

impl Names {
    /// `without` write-only variables, or with them.
    pub(super) fn new(prepared: &Prepared, system: &Interpreter, without: bool) -> Self {
        Self {
            model: system.model().clone(),
            edges: prepared.edges.clone(),
            sources: prepared.sources.clone(),
            sink: prepared.plan.goal.sink,
            claim: prepared.plan.goal.claim,
            generated: prepared.plan.goal.generated(),
            slots: Vec::new(),
            numbers: HashMap::new(),
            without,
            cells: 0,
        }
    }

    pub(super) fn slots(self) -> Vec<Slot> {
        self.slots
    }

    /// A state, as it differs from the one before.
    pub(super) fn node(
        &mut self,
        system: &Interpreter,
        before: Option<&[u8]>,
        state: &[u8],
    ) -> StateNode {
        let decode = if self.without { decode_without } else { Interpreter::decode };
        let view = decode(system, state);
        let old = before.map(|before| decode(system, before));
        let now = self.cells_of(system, &view);
        let was = old.as_ref().map(|old| self.cells_of(system, old)).unwrap_or_default();
        let mut changes = Vec::new();
        for slot in was.keys().filter(|slot| !now.contains_key(slot)) {
            changes.push(Change { slot: *slot, value: None });
        }
        for (slot, value) in &now {
            if was.get(slot) != Some(value) {
                changes.push(Change { slot: *slot, value: Some(value.clone()) });
            }
        }
        let mut lines = self.places(&view);
        if before.is_some() {
            lines.extend(self.changed(&changes));
        }
        let positions = self.positions(old.as_ref(), &view);
        StateNode { lines, changes, positions, ..StateNode::default() }
    }

    fn cells_of(&mut self, system: &Interpreter, view: &StateView) -> Cells {
        let mut table = SlotTable::new(system);
        let changes = table.update(&self.model, view, 0);
        self.cells += changes.len();
        let mut cells = Cells::new();
        for change in changes {
            let (Some(slot), Some(value)) = (table.slots.get(change.slot as usize), change.value)
            else {
                continue;
            };
            let key = format!("{:?}\0{}\0{}", slot.owner, slot.name, slot.type_name);
            let number = *self.numbers.entry(key).or_insert_with(|| {
                self.slots.push(slot.clone());
                self.slots.len() as u32 - 1
            });
            cells.insert(number, value);
        }
        cells
    }

    /// Where the processes are: `P0:7` is process 0, of a type with P, before line 7.
    fn places(&self, view: &StateView) -> Vec<String> {
        let mut words = Vec::new();
        if let Some(claim) = view.claim {
            words.push(format!("A{}", self.automaton_state(claim).unwrap_or(claim)));
        }
        for process in &view.processes {
            let letter = process.proctype.chars().find(char::is_ascii_alphanumeric).unwrap_or('P');
            let name = format!("{}{}", letter.to_ascii_uppercase(), process.pid);
            let at = self.model.proctypes.get(process.type_index);
            let span = at.and_then(|at| location(at, process.location)).and_then(|at| at.span);
            words.push(match span.filter(|_| !process.ended) {
                Some(span) => format!("{name}:{}", self.sources.place(span).line),
                None => format!("{name} end"),
            });
        }
        fold(&words, " ")
    }

    fn changed(&self, changes: &[Change]) -> Vec<String> {
        let word = |change: &Change| {
            let slot = self.slots.get(change.slot as usize)?;
            let value = change.value.as_deref()?;
            // Locals of the same name are told apart by their process.
            Some(match &slot.owner {
                promenade_protocol::SlotOwner::Process { pid } if *pid != CLAIM_PID => {
                    format!("{pid}.{}={value}", slot.name)
                }
                _ => format!("{}={value}", slot.name),
            })
        };
        fold(&changes.iter().filter_map(word).collect::<Vec<_>>(), " ")
    }

    /// The state of the automaton that a location of the claim stands for.
    fn automaton_state(&self, here: u32) -> Option<u32> {
        let claim = self.model.claims.get(self.claim?)?;
        let ended = here == claim.process.exit.0;
        Some(if ended { self.sink.unwrap_or(here) } else { here })
    }

    fn positions(&self, old: Option<&StateView>, view: &StateView) -> Vec<ProcessPosition> {
        let mut told = Vec::new();
        let before = old.map_or(&[][..], |old| &old.processes);
        for gone in before.iter().skip(view.processes.len()).rev() {
            told.push(ProcessPosition {
                pid: gone.pid,
                name: gone.proctype.clone(),
                state: ProcessState::Gone,
                span: None,
                automaton_state: None,
            });
        }
        for (pid, process) in view.processes.iter().enumerate() {
            let same = before.get(pid).is_some_and(|old| {
                (old.type_index, old.location, old.ended)
                    == (process.type_index, process.location, process.ended)
            });
            if same {
                continue;
            }
            let at = self.model.proctypes.get(process.type_index);
            let at = at.and_then(|at| location(at, process.location));
            let span = at.and_then(|at| at.span).filter(|_| !process.ended);
            told.push(ProcessPosition {
                pid: process.pid,
                name: process.proctype.clone(),
                state: if process.ended { ProcessState::Ended } else { ProcessState::Running },
                span: span.map(|span| self.sources.place(span)),
                automaton_state: None,
            });
        }
        if view.claim != old.and_then(|old| old.claim) {
            told.extend(self.claim_position(view));
        }
        told
    }

    fn claim_position(&self, view: &StateView) -> Option<ProcessPosition> {
        let claim = self.model.claims.get(self.claim?)?;
        let here = view.claim?;
        let ended = here == claim.process.exit.0;
        let at = location(&claim.process, here).and_then(|at| at.span).filter(|_| !ended);
        Some(ProcessPosition {
            pid: CLAIM_PID,
            name: claim.process.name.clone(),
            state: if ended { ProcessState::Ended } else { ProcessState::Running },
            span: at.map(|span| self.sources.place(span)),
            automaton_state: self.automaton_state(here),
        })
    }

    /// A step in words. Steps of an automaton made from a formula have no text of their own.
    pub(super) fn step(&self, made: &[MicroStep]) -> Step {
        let own = made.iter().find(|step| step.pid != CLAIM_PID);
        let mut texts: Vec<String> = Vec::new();
        for step in made {
            if step.pid == CLAIM_PID && (self.generated || own.is_some()) {
                continue;
            }
            let mut text = self.text(step.edge);
            if let Some((_, edge)) = step.partner {
                text = format!("{text} → {}", self.text(edge));
            }
            texts.push(text);
        }
        let mut label = texts.join("; ");
        if own.is_none() && label.is_empty() {
            "stands still".clone_into(&mut label);
        }
        if let Some((at, _)) = label.char_indices().nth(LABEL) {
            label.truncate(at);
            label.push('…');
        }
        let first = own.or(made.first());
        let whose = first.and_then(|step| self.edges.get(step.edge));
        let process = whose.and_then(|info| owner(&self.model, info.owner));
        let place = first.and_then(|step| self.edges.statement(&self.model, step.edge));
        Step {
            label,
            pid: own.map_or(CLAIM_PID, |step| step.pid),
            process: process.map_or_else(String::new, |process| process.name.clone()),
            span: place.map_or_else(SpanData::default, |(_, span)| self.sources.place(span)),
            steps: made.len() as u32,
        }
    }

    fn text(&self, edge: u32) -> String {
        match (self.edges.get(edge), self.edges.statement(&self.model, edge)) {
            (Some(info), _) if info.end => "ends".to_owned(),
            (_, Some((text, _))) => text.to_owned(),
            _ => String::new(),
        }
    }

    /// What a process may do at its place, as a list in words; none if it only ends.
    pub(super) fn choices(&self, view: &StateView, pid: u8) -> Option<String> {
        let process = view.processes.get(usize::from(pid))?;
        let proctype = self.model.proctypes.get(process.type_index)?;
        let at = location(proctype, process.location)?;
        if at.edges.iter().any(|edge| matches!(edge.action, Action::End)) {
            return None;
        }
        let mut texts: Vec<String> = Vec::new();
        for edge in &at.edges {
            let text = format!("`{}`", self.text(edge.id.0));
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        Some(match texts.as_slice() {
            [] => "nothing".to_owned(),
            [one] => one.clone(),
            [some @ .., last] if texts.len() <= CHOICES => format!("{} or {last}", some.join(", ")),
            all => {
                let more = all.len() - CHOICES;
                format!("{} or one of {more} more", all[..CHOICES].join(", "))
            }
        })
    }
}

/// Words in as few lines as fit; what does not is announced.
fn fold(words: &[String], between: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let full = lines.len() == LINES;
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < LINE => {
                line.push_str(between);
                line.push_str(word);
            }
            Some(line) if full => {
                line.push_str(&format!(" +{}", words.len() - at));
                break;
            }
            _ => lines.push(word.clone()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_folded() {
        let words: Vec<String> = (0..30).map(|i| format!("P{i}:{i}")).collect();
        let lines = fold(&words, " ");
        assert_eq!(lines.len(), LINES);
        assert_eq!(lines[0], "P0:0 P1:1 P2:2 P3:3 P4:4");
        assert!(lines[LINES - 1].ends_with(" +17"), "{lines:?}");
        assert_eq!(fold(&[], " "), Vec::<String>::new());
    }
}
