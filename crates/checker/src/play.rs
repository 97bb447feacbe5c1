//! Executes choice numbers step by step on a fresh interpreter, so that long runs neither block nor
//! have to be held in memory.

use crate::fairness::{self, Round};
use crate::write_only;
use promenade_interp::Interpreter;
use promenade_transition_system::{
    Blocked, CHOICES, Item, Marks, MicroStep, MoreMarks, Selection, Successors, TransitionSystem,
    Violation, ViolationKind,
};
use promenade_witness::Mismatch;

/// Who looks at a run while it is played.
pub(crate) trait Watcher {
    /// The initial state.
    fn begin(&mut self, system: &Interpreter, state: &[u8]);
    /// Whether moves are still looked at. Without, a run is played faster.
    fn wants_steps(&self) -> bool;
    /// A move and the state after it, empty where a violation left none.
    fn step(&mut self, system: &Interpreter, step: &MicroStep, state: &[u8]);
    /// A choice was executed whose moves were not wanted.
    fn skip(&mut self);
    /// The cycle of an infinite run begins here.
    fn cycle(&mut self);
    /// A choice of the cycle is executed; its moves follow.
    fn round(&mut self);
}

/// A run being played.
pub(crate) struct Player {
    pub system: Interpreter,
    choices: Vec<u32>,
    /// For an infinite run: how many choices come before its cycle.
    stem: Option<usize>,
    /// The state in which the cycle begins.
    entry: Vec<u8>,
    /// Marks met on the cycle.
    marks: Marks,
    more_marks: MoreMarks,
    at: usize,
    out: Successors,
    /// The last stored state.
    pub state: Vec<u8>,
    begun: bool,
    /// The violations of the initial step.
    initial: Vec<Violation>,
    /// What the run shows at its end.
    pub violation: Option<Violation>,
}

impl Player {
    pub(crate) fn new(system: Interpreter, choices: Vec<u32>, stem: Option<usize>) -> Self {
        Self {
            system,
            choices,
            stem,
            entry: Vec::new(),
            marks: 0,
            more_marks: MoreMarks::NONE,
            at: 0,
            out: Successors::new(true),
            state: Vec::new(),
            begun: false,
            initial: Vec::new(),
            violation: None,
        }
    }

    /// The choices of the run.
    pub(crate) fn choices(&self) -> &[u32] {
        &self.choices
    }

    /// For an infinite run: how many choices come before its cycle.
    pub(crate) fn stem(&self) -> Option<u32> {
        self.stem.map(|stem| stem as u32)
    }

    /// Whether the run has come back to where its cycle begins and met all marks on the way.
    fn closes(&self) -> bool {
        let wanted = self.system.acceptance();
        let identity = |state: &[u8]| state.len().saturating_sub(self.system.hidden_bytes());
        let same = self.entry.len() == self.state.len()
            && self.entry.get(..identity(&self.entry)) == self.state.get(..identity(&self.state));
        let moved = self.stem.is_some_and(|stem| self.at > stem);
        let all = self.marks & wanted == wanted && self.more_marks.has_all(&MoreMarks::ALL);
        same && moved && wanted != 0 && all
    }

    /// What a cycle that was closed does to variables that are no part of states.
    pub(crate) fn drift(&self) -> Option<String> {
        self.stem.and_then(|_| write_only::drift(&self.system, &self.entry, &self.state))
    }

    /// The states of the cycle of an infinite run, once it is over; `None` if there is none, or it is
    /// too long to be looked at.
    pub(crate) fn cycle(&mut self) -> Option<Vec<Round>> {
        let choices = self.choices.get(self.stem?..self.at)?;
        fairness::rounds(&mut self.system, &self.entry, choices)
    }

    /// Choices executed so far.
    pub(crate) fn played(&self) -> usize {
        self.at
    }

    /// Whether the run shows this violation, once it is over.
    pub(crate) fn shows(&self, expected: &Violation) -> bool {
        self.violation.as_ref() == Some(expected)
            || (self.choices.is_empty() && self.initial.contains(expected))
    }

    /// Executes the next choice; true when the run is over.
    pub(crate) fn advance(&mut self, watcher: &mut dyn Watcher) -> Result<bool, Mismatch> {
        if !self.begun {
            self.begun = true;
            return self.begin(watcher);
        }
        if self.stem == Some(self.at) {
            self.entry.clone_from(&self.state);
            self.marks = 0;
            self.more_marks = MoreMarks::NONE;
            watcher.cycle();
        }
        let index = self.at;
        self.lift(index)?;
        self.out.wanted = self.choices.get(index).copied();
        self.out.record = watcher.wants_steps() && self.out.wanted.is_some();
        self.system.expand(&self.state, Selection::All, &mut self.out);
        let Some(&choice) = self.choices.get(index) else {
            if self.stem.is_some() {
                let kind = ViolationKind::AcceptanceCycle;
                self.violation = self.closes().then_some(Violation { kind, pid: None, edge: None });
            } else if self.out.blocked == Some(Blocked::InvalidEnd) {
                let kind = ViolationKind::InvalidEndState;
                self.violation = Some(Violation { kind, pid: None, edge: None });
            } else if index == 0 {
                self.violation = self.initial.first().copied();
            }
            return Ok(true);
        };
        let available = self.out.items.len();
        let Some(item) = self.out.items.get(choice as usize) else {
            return Err(Mismatch::Choice { index, choice, available });
        };
        let (steps, violation) = match *item {
            Item::Target { steps, .. } => (steps, None),
            Item::Violation { violation, steps, .. } => (steps, Some(violation)),
        };
        let range = steps.0 as usize..steps.1 as usize;
        if self.stem.is_some_and(|stem| index >= stem) {
            watcher.round();
        }
        for step in self.out.steps.get(range).unwrap_or(&[]) {
            watcher.step(&self.system, step, self.out.slice(step.state));
        }
        if !self.out.record {
            watcher.skip();
        }
        self.at += 1;
        self.marks |= self.out.marks_of(choice as usize);
        let more = self.out.more_marks_of(choice as usize);
        self.more_marks.unite(&more.unwrap_or(MoreMarks::ALL));
        if violation.is_some() {
            self.violation = violation;
            if self.at < self.choices.len() {
                return Err(Mismatch::Continued { index });
            }
            return Ok(true);
        }
        self.state.clear();
        self.state.extend_from_slice(self.out.target(choice as usize).unwrap_or(&[]));
        Ok(false)
    }

    /// Counts the next choice among all successors, if it counts among some of them.
    fn lift(&mut self, index: usize) -> Result<(), Mismatch> {
        let Some(choice) = self.choices.get_mut(index).filter(|choice| **choice >= CHOICES) else {
            return Ok(());
        };
        let lifted = promenade_witness::lift(&mut self.system, &self.state, *choice);
        let missing = Mismatch::Choice { index, choice: *choice, available: 0 };
        *choice = lifted.ok_or(missing)?;
        Ok(())
    }

    fn begin(&mut self, watcher: &mut dyn Watcher) -> Result<bool, Mismatch> {
        self.system.initial(&mut self.out);
        let mut state = None;
        for (index, item) in self.out.items.iter().enumerate() {
            match item {
                Item::Violation { violation, .. } => self.initial.push(*violation),
                Item::Target { .. } if state.is_none() => state = self.out.target(index),
                Item::Target { .. } => {}
            }
        }
        match state {
            Some(state) => {
                self.state.extend_from_slice(state);
                watcher.begin(&self.system, &self.state);
                Ok(false)
            }
            None if self.choices.is_empty() && !self.initial.is_empty() => {
                self.violation = self.initial.first().copied();
                Ok(true)
            }
            None => Err(Mismatch::Initial),
        }
    }
}
