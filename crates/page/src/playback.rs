//! A trace that can be entered at any step: values and positions after each one.
//!
//! A trace holds changes only. Complete states are kept every [`EVERY`] steps, so that a jump
//! applies at most that many changes.

use promenade_base::arrange::Arrange;
use promenade_protocol::{Change, ProcessPosition, ProcessState, SlotOwner, Trace, TraceStep};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// Steps between kept states.
const EVERY: usize = 256;

// The number that stands for the claim, which moves along but is no process.
pub use promenade_protocol::CLAIM;

fn position_of_claim(positions: &[ProcessPosition]) -> Option<u32> {
    positions.iter().rev().find(|it| it.pid == CLAIM)?.automaton_state
}

/// The move of the claim in one of its steps; a loop changes no position.
fn claim_move(step: &TraceStep, here: &mut Option<u32>) -> Option<AutomatonMove> {
    let from = *here;
    *here = position_of_claim(&step.positions).or(from);
    from.zip(*here).map(|(from, to)| AutomatonMove { from, to })
}

/// Values and positions at one moment.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Snapshot {
    /// By slot; none where it does not exist.
    pub values: Vec<Option<Arc<str>>>,
    /// By pid.
    pub positions: BTreeMap<u8, ProcessPosition>,
}

impl Snapshot {
    fn apply(&mut self, changes: &[Change], positions: &[ProcessPosition]) {
        for change in changes {
            if let Some(value) = self.values.get_mut(change.slot as usize) {
                *value = change.value.as_deref().map(Arc::from);
            }
        }
        for position in positions {
            if position.state == ProcessState::Gone {
                self.positions.remove(&position.pid);
            } else {
                self.positions.insert(position.pid, position.clone());
            }
        }
    }
}

/// A heading of the table of values with the slots under it.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// Whose.
    pub owner: SlotOwner,
    /// Indices of slots, in the order of the trace.
    pub slots: Vec<usize>,
}

/// A move of the automaton of a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AutomatonMove {
    /// The state before.
    pub from: u32,
    /// The state after.
    pub to: u32,
}

/// A trace with the states that are kept.
#[derive(Debug, Default)]
pub struct Playback {
    /// The trace.
    pub trace: Trace,
    kept: Vec<Snapshot>,
    /// The automaton's move in each step.
    moves: Vec<Option<AutomatonMove>>,
    /// The claim's steps became parts of the model's, and are not shown as those of a process.
    merged: bool,
    /// The automaton's state at the start.
    begins: Option<u32>,
    /// For each step of the trace as it was given, the index of the step that it became part of.
    places: Vec<u32>,
}

impl Playback {
    /// Goes through the trace once.
    pub fn new(trace: Trace) -> Self {
        let mut state = Snapshot { values: vec![None; trace.slots.len()], ..Snapshot::default() };
        state.apply(&trace.initial, &trace.initial_positions);
        let mut kept = vec![state.clone()];
        let begins = position_of_claim(&trace.initial_positions);
        let mut here = begins;
        let mut moves = Vec::with_capacity(trace.steps.len());
        for (i, step) in trace.steps.iter().enumerate() {
            state.apply(&step.changes, &step.positions);
            if (i + 1) % EVERY == 0 {
                kept.push(state.clone());
            }
            moves.push((step.pid == CLAIM).then(|| claim_move(step, &mut here)).flatten());
        }
        Self { trace, kept, begins, moves, ..Self::default() }
    }

    /// The same, with the steps of the claim shown as moves of an automaton: each of them reads the
    /// values before the next step of the model, so that both become one step. A move of the
    /// automaton alone is a step in which the model stands still.
    pub fn with_automaton(mut trace: Trace) -> Self {
        let begins = position_of_claim(&trace.initial_positions);
        let mut here = begins;
        let mut moves = Vec::new();
        let mut steps: Vec<TraceStep> = Vec::new();
        let mut waiting: Option<(TraceStep, Option<AutomatonMove>)> = None;
        let mut cycle = None;
        let places = trace.places();
        let alone = |steps: &mut Vec<TraceStep>, moves: &mut Vec<_>, it: Option<_>| {
            if let Some((step, done)) = it {
                steps.push(step);
                moves.push(done);
            }
        };
        for (index, step) in std::mem::take(&mut trace.steps).into_iter().enumerate() {
            if trace.cycle_start == Some(index as u32) {
                alone(&mut steps, &mut moves, waiting.take());
                cycle = Some(steps.len() as u32);
            }
            if step.pid == CLAIM {
                alone(&mut steps, &mut moves, waiting.take());
                let done = claim_move(&step, &mut here);
                waiting = Some((step, done));
                continue;
            }
            match waiting.take() {
                Some((claim, done)) => {
                    steps.push(TraceStep {
                        changes: [claim.changes, step.changes].concat(),
                        positions: [claim.positions, step.positions].concat(),
                        ..step
                    });
                    moves.push(done);
                }
                None => {
                    steps.push(step);
                    moves.push(None);
                }
            }
        }
        alone(&mut steps, &mut moves, waiting.take());
        trace.steps = steps;
        trace.cycle_start = cycle;
        let merged = begins.is_some();
        Self { moves, begins, places, merged, ..Self::new(trace) }
    }

    /// The index of the step that a step of the given trace, by its index, is part of.
    pub fn place(&self, given: usize) -> usize {
        if self.places.is_empty() {
            given.min(self.steps())
        } else {
            self.places.get(given).map_or(self.steps(), |place| *place as usize)
        }
    }

    /// Whether the claim is shown as an automaton only, and not as a process.
    pub fn has_automaton(&self) -> bool {
        self.merged
    }

    /// Whether it is known where an automaton is in each step.
    pub fn follows_automaton(&self) -> bool {
        self.begins.is_some()
    }

    /// The automaton's move in the step that leads to this state.
    pub fn automaton_move(&self, step: usize) -> Option<AutomatonMove> {
        step.checked_sub(1).and_then(|index| *self.moves.get(index)?)
    }

    /// The automaton's state after this many steps.
    pub fn automaton_state(&self, step: usize) -> Option<u32> {
        let made = self.moves.iter().take(step).rev().flatten().next();
        made.map(|made| made.to).or(self.begins)
    }

    /// How many steps come before the cycle of an infinite run.
    pub fn cycle_start(&self) -> Option<usize> {
        let start = self.trace.cycle_start? as usize;
        (start < self.steps()).then_some(start)
    }

    /// Of a step in which only the automaton moves: whether the model has come to its end. Otherwise it
    /// is the last one of a finite run, which the automaton needs no more of.
    pub fn stands_still(&self, step: usize) -> bool {
        self.cycle_start().is_some() || step < self.steps()
    }

    /// The step after this one: an infinite run goes on at the start of its cycle.
    pub fn next(&self, step: usize) -> Option<usize> {
        match self.cycle_start() {
            _ if step < self.steps() => Some(step + 1),
            Some(start) if !self.trace.truncated => Some(start + 1),
            _ => None,
        }
    }

    /// The number of steps; states are numbered from 0 to this.
    pub fn steps(&self) -> usize {
        self.trace.steps.len()
    }

    /// Whether this is the state in which the violation shows.
    pub fn is_end(&self, step: usize) -> bool {
        step >= self.steps() && !self.trace.truncated
    }

    /// The state after this many steps.
    pub fn state(&self, step: usize) -> Snapshot {
        let step = step.min(self.steps());
        let from = (step / EVERY).min(self.kept.len().saturating_sub(1));
        let mut state = self.kept.get(from).cloned().unwrap_or_default();
        for step in self.trace.steps.iter().take(step).skip(from * EVERY) {
            state.apply(&step.changes, &step.positions);
        }
        state
    }

    /// Calls with the states from the initial one on, up to the one after this many steps.
    pub fn visit(&self, steps: usize, mut call: impl FnMut(&Snapshot)) {
        let mut state = self.state(0);
        call(&state);
        for step in self.trace.steps.iter().take(steps) {
            state.apply(&step.changes, &step.positions);
            call(&state);
        }
    }

    /// The slots that the step before this state changed.
    pub fn changed(&self, step: usize) -> HashSet<usize> {
        let step = step.checked_sub(1).and_then(|i| self.trace.steps.get(i));
        step.map(|step| step.changes.iter().map(|c| c.slot as usize).collect()).unwrap_or_default()
    }

    /// Globals, then channels, then processes by pid.
    pub fn groups(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for (i, slot) in self.trace.slots.iter().enumerate() {
            match groups.iter_mut().find(|group| group.owner == slot.owner) {
                Some(group) => group.slots.push(i),
                None => groups.push(Group { owner: slot.owner.clone(), slots: vec![i] }),
            }
        }
        // A process without variables has a place all the same.
        let places = self.trace.steps.iter().flat_map(|step| &step.positions);
        for place in self.trace.initial_positions.iter().chain(places) {
            let owner = SlotOwner::Process { pid: place.pid };
            if place.pid == CLAIM && self.has_automaton() {
                continue;
            }
            if !groups.iter().any(|group| group.owner == owner) {
                groups.push(Group { owner, slots: Vec::new() });
            }
        }
        groups.arrange_by_key(|group| match group.owner {
            SlotOwner::Global => (0, 0),
            SlotOwner::Channel => (1, 0),
            SlotOwner::Process { pid } => (2, pid),
        });
        groups
    }

    /// Text printed up to a state, with the step of each piece.
    pub fn printed(&self, step: usize) -> Vec<(usize, &str)> {
        let steps = self.trace.steps.iter().take(step).enumerate();
        steps.filter(|(_, s)| !s.printed.is_empty()).map(|(i, s)| (i + 1, &*s.printed)).collect()
    }

    /// Whether anything is ever printed.
    pub fn prints(&self) -> bool {
        self.trace.steps.iter().any(|step| !step.printed.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_protocol::{Slot, SpanData};

    fn position(pid: u8, state: ProcessState) -> ProcessPosition {
        ProcessPosition { pid, name: "P".to_owned(), state, span: None, automaton_state: None }
    }

    fn counting(steps: usize) -> Playback {
        let slot = |owner, name: &str| Slot {
            owner,
            name: name.to_owned(),
            type_name: "int".to_owned(),
            born: 0,
        };
        let step = |i: usize| TraceStep {
            pid: 0,
            process: "P".to_owned(),
            text: "x++".to_owned(),
            span: SpanData::default(),
            calls: Vec::new(),
            partner: None,
            message: None,
            printed: if i == 2 { "two\n".to_owned() } else { String::new() },
            atomic: false,
            changes: vec![Change { slot: 1, value: Some((i + 1).to_string()) }],
            positions: if i == 9 { vec![position(1, ProcessState::Gone)] } else { Vec::new() },
        };
        Playback::new(Trace {
            slots: vec![slot(SlotOwner::Process { pid: 0 }, "l"), slot(SlotOwner::Global, "x")],
            initial: vec![Change { slot: 1, value: Some("0".to_owned()) }],
            initial_positions: vec![
                position(0, ProcessState::Running),
                position(1, ProcessState::Running),
            ],
            steps: (0..steps).map(step).collect(),
            ..Trace::default()
        })
    }

    #[test]
    fn any_step_can_be_entered() {
        let playback = counting(1000);
        for step in [0, 1, 9, 10, 255, 256, 257, 999, 1000] {
            let state = playback.state(step);
            assert_eq!(state.values[1].as_deref(), Some(&*step.to_string()));
            assert_eq!(state.positions.len(), if step < 10 { 2 } else { 1 });
        }
        assert_eq!(playback.state(5000), playback.state(1000));
        assert_eq!(playback.changed(0), HashSet::new());
        assert_eq!(playback.changed(7), HashSet::from([1]));
        assert_eq!(playback.printed(3), [(3, "two\n")]);
    }

    #[test]
    fn groups_are_in_order() {
        let owners: Vec<SlotOwner> = counting(1).groups().into_iter().map(|g| g.owner).collect();
        let process = |pid| SlotOwner::Process { pid };
        assert_eq!(owners, [SlotOwner::Global, process(0), process(1)]);
    }

    #[test]
    fn a_trace_that_names_no_slot_does_no_harm() {
        let changes = vec![Change { slot: 9, value: None }];
        let playback = Playback::new(Trace { initial: changes, ..Trace::default() });
        assert_eq!(playback.state(3), Snapshot::default());
    }

    #[test]
    fn steps_of_a_claim_become_moves_of_the_automaton() {
        let claim = |to: Option<u32>| TraceStep {
            pid: CLAIM,
            process: "claim".to_owned(),
            positions: to
                .map(|to| ProcessPosition {
                    automaton_state: Some(to),
                    ..position(CLAIM, ProcessState::Running)
                })
                .into_iter()
                .collect(),
            changes: Vec::new(),
            ..counting(1).trace.steps[0].clone()
        };
        let mut trace = counting(2).trace;
        trace.initial_positions.push(ProcessPosition {
            automaton_state: Some(0),
            ..position(CLAIM, ProcessState::Running)
        });
        let own = trace.steps.clone();
        // A loop, then a move, then the model stands still twice: the second time is the cycle.
        trace.steps = vec![
            claim(None),
            own[0].clone(),
            claim(Some(1)),
            own[1].clone(),
            claim(Some(2)),
            claim(None),
        ];
        trace.cycle_start = Some(5);
        let playback = Playback::with_automaton(trace);
        assert_eq!(playback.steps(), 4);
        // Steps are where the places say.
        let last = playback.places.iter().copied().max();
        assert_eq!(last, Some(3), "{:?}", playback.places);
        let moved = |step| playback.automaton_move(step).map(|it| (it.from, it.to));
        assert_eq!(moved(0), None);
        assert_eq!([1, 2, 3, 4].map(moved), [(0, 0), (0, 1), (1, 2), (2, 2)].map(Some));
        assert_eq!([0, 1, 2, 3].map(|it| playback.automaton_state(it)), [0, 0, 1, 2].map(Some));
        assert_eq!(playback.cycle_start(), Some(3));
        assert_eq!([3, 4].map(|it| playback.next(it)), [Some(4), Some(4)]);
        assert_eq!(playback.state(2).values[1].as_deref(), Some("2"));
        assert!(!playback.groups().iter().any(|it| it.owner == SlotOwner::Process { pid: CLAIM }));
    }

    #[test]
    fn steps_of_a_claim_in_the_text_stay() {
        let mut trace = counting(3).trace;
        let at = |state| ProcessPosition {
            automaton_state: Some(state),
            ..position(CLAIM, ProcessState::Running)
        };
        trace.initial_positions.push(at(0));
        trace.steps[0].pid = CLAIM;
        trace.steps[2].pid = CLAIM;
        trace.steps[2].positions.push(at(4));
        let playback = Playback::new(trace);
        assert_eq!(playback.steps(), 3);
        assert!(playback.follows_automaton() && !playback.has_automaton());
        let moved = |step| playback.automaton_move(step).map(|it| (it.from, it.to));
        assert_eq!([0, 1, 2, 3].map(moved), [None, Some((0, 0)), None, Some((0, 4))]);
        assert_eq!([0, 1, 2, 3].map(|it| playback.automaton_state(it)), [0, 0, 0, 4].map(Some));
        assert!(playback.groups().iter().any(|it| it.owner == SlotOwner::Process { pid: CLAIM }));
    }

    #[test]
    fn a_finite_run_ends() {
        let playback = counting(3);
        assert_eq!([0, 2, 3].map(|it| playback.next(it)), [Some(1), Some(3), None]);
        assert!(!playback.has_automaton());
    }
}
