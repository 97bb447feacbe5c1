//! Builds a [`Trace`] while a run is played: changes only, within bounds.

use crate::claim;
use crate::edges::{Edges, location, owner};
use crate::fairness::Round;
use crate::play::Watcher;
use crate::sources::Sources;
use crate::state_diff::{SlotTable, channel_label, channel_of, messages};
use crate::value_names::ValueNames;
use promenade_interp::{CLAIM_PID, ChannelView, Interpreter, StateView};
use promenade_ir::Model;
use promenade_protocol::{
    Change, FairnessEvidence, MessageData, ProcessPosition, ProcessState, SlotOwner, SpanData,
    Trace, TraceStep,
};
use promenade_transition_system::{Message, MessageKind, MicroStep};
use std::rc::Rc;

/// Steps that one trace shows at most.
pub(crate) const MOST_STEPS: usize = 100_000;
/// Cells that are decoded for one trace at most, all steps together: about a second.
const MOST_CELLS: usize = 5_000_000;

/// Moves shown however little memory there is.
const LEAST_STEPS: usize = 1000;
/// Memory of a move that is shown, about.
const STEP_BYTES: u64 = 1000;

/// How much a trace may show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// Moves.
    pub steps: usize,
    /// Cells decoded.
    pub cells: usize,
}

impl Room {
    /// For one trace.
    pub(crate) const ONE: Self = Self { steps: MOST_STEPS, cells: MOST_CELLS };
    /// For all traces of one report, if they may take so many bytes.
    pub(crate) fn within(bytes: u64) -> Self {
        let steps = usize::try_from(bytes / STEP_BYTES).unwrap_or(usize::MAX);
        Self { steps: steps.clamp(LEAST_STEPS, 2 * MOST_STEPS), cells: MOST_CELLS * 3 / 2 }
    }

    /// What is left after a trace.
    pub(crate) fn without(self, used: Self) -> Self {
        Self {
            steps: self.steps.saturating_sub(used.steps),
            cells: self.cells.saturating_sub(used.cells),
        }
    }
}

/// A trace under construction.
pub(crate) struct TraceBuilder {
    model: Rc<Model>,
    sources: Rc<Sources>,
    edges: Rc<Edges>,
    names: Rc<ValueNames>,
    slots: SlotTable,
    view: StateView,
    /// The state that is in view.
    state: Vec<u8>,
    trace: Trace,
    room: Room,
    cells: usize,
    /// Where each process is, as last told.
    positions: Vec<Position>,
    claim: Option<u32>,
    /// Where the steps of each choice of the cycle begin.
    rounds: Vec<u32>,
    /// The automaton's state that stands for the end of the claim.
    sink: Option<u32>,
    /// The states of a claim's picture by control point; empty if the two are the same.
    states: Vec<Option<u32>>,
}

/// A process as last told: type, control point.
#[derive(Clone, PartialEq)]
struct Position {
    type_index: usize,
    location: u32,
    ended: bool,
}

impl TraceBuilder {
    /// A builder that shows no more than there is room for.
    pub(crate) fn new(
        system: &Interpreter,
        sources: Rc<Sources>,
        edges: Rc<Edges>,
        names: Rc<ValueNames>,
        room: Room,
        sink: Option<u32>,
    ) -> Self {
        let model = system.model().clone();
        let claim = system.options().claim.and_then(|claim| model.claims.get(claim));
        let states = claim.map_or_else(Vec::new, claim::numbers);
        Self {
            model,
            sources,
            edges,
            names,
            slots: SlotTable::new(system),
            view: StateView::default(),
            state: Vec::new(),
            trace: Trace::default(),
            room: Room { steps: room.steps.min(MOST_STEPS), cells: room.cells.min(MOST_CELLS) },
            cells: 0,
            positions: Vec::new(),
            claim: None,
            rounds: Vec::new(),
            sink,
            states,
        }
    }

    /// Steps shown so far.
    pub(crate) fn steps(&self) -> usize {
        self.trace.steps.len()
    }

    /// Room taken so far.
    pub(crate) fn used(&self) -> Room {
        Room { steps: self.steps(), cells: self.cells }
    }

    /// How each process fares on the cycle, of which these are the states.
    pub(crate) fn fairness(&self, states: &[Round]) -> Vec<FairnessEvidence> {
        let moves = |step: &TraceStep, pid: u8| {
            step.pid == pid || step.partner.as_ref().is_some_and(|partner| partner.0 == pid)
        };
        let cycle = self.trace.cycle_start.unwrap_or(u32::MAX) as usize;
        let steps = self.trace.steps.get(cycle..).unwrap_or(&[]);
        let count = |holds: &dyn Fn(&Round) -> bool| {
            states.iter().filter(|round| holds(round)).count() as u32
        };
        let evidence = |process: &promenade_interp::ProcessView| {
            let pid = process.pid;
            let moves_at = steps.iter().position(|step| moves(step, pid));
            let disabled = states.iter().position(|round| !round.enabled.has(pid));
            let disabled_at = disabled.and_then(|number| self.rounds.get(number));
            FairnessEvidence {
                pid,
                process: process.proctype.clone(),
                moves_at: moves_at.map(|at| (cycle + at) as u32),
                disabled_at: disabled_at.copied(),
                enabled: count(&|round| round.enabled.has(pid)),
                moves: count(&|round| round.moved.has(pid)),
            }
        };
        self.view.processes.iter().map(evidence).collect()
    }

    /// The trace, with what is needed to reproduce it.
    pub(crate) fn finish(self, choices: &[u32], stem: Option<u32>, checksum: u32) -> Trace {
        let choices = choices.to_vec();
        Trace { slots: self.slots.slots, choices, stem, checksum, ..self.trace }
    }

    fn place(&self, edge: u32) -> (String, SpanData) {
        match self.edges.statement(&self.model, edge) {
            Some((text, span)) => (text.to_owned(), self.sources.place(span)),
            None => (String::new(), SpanData::default()),
        }
    }

    fn process_name(&self, edge: u32) -> String {
        let info = self.edges.get(edge);
        info.and_then(|info| owner(&self.model, info.owner))
            .map_or_else(String::new, |proctype| proctype.name.clone())
    }

    fn message(&self, system: &Interpreter, message: &Message, after: &[u8]) -> MessageData {
        let number = message.channel;
        let name = self.view.channels.iter().find(|channel| channel.number == number);
        let channel = channel_of(&self.model, &self.view, number);
        let ty = channel.and_then(|c| self.model.channel_types.get(usize::from(c.ty.0)));
        let value = |(index, value): (usize, &i32)| {
            let shown = match ty.and_then(|ty| ty.fields.get(index)) {
                Some(field) => system.show_value(after, *field, *value),
                None => value.to_string(),
            };
            name.map_or(shown.clone(), |it| self.field(it, index, &shown))
        };
        MessageData {
            channel: name.map_or_else(|| format!("channel {number}"), |c| c.name.clone()),
            kind: match message.kind {
                MessageKind::Send => "send",
                MessageKind::Receive => "receive",
                MessageKind::Peek => "peek",
                MessageKind::Rendezvous => "rendezvous",
                MessageKind::Lost => "lost",
            }
            .to_owned(),
            values: message.values.iter().enumerate().map(value).collect(),
        }
    }

    /// A field of a message, with the name that the text has for its value.
    fn field(&self, channel: &ChannelView, index: usize, value: &str) -> String {
        let owner = channel.owner.and_then(|pid| self.view.processes.get(usize::from(pid)));
        let scope = owner.map(|process| process.proctype.as_str());
        let named = self.names.field(scope, &channel.name, index, value);
        named.unwrap_or_else(|| value.to_owned())
    }

    /// Gives values the names that the text has for them.
    fn name_values(&self, changes: &mut [Change]) {
        if self.names.is_empty() {
            return;
        }
        for change in changes {
            let (Some(value), Some(slot)) =
                (&mut change.value, self.slots.slots.get(change.slot as usize))
            else {
                continue;
            };
            let process = |pid: u8| self.view.processes.iter().find(|it| it.pid == pid);
            let named = match &slot.owner {
                SlotOwner::Global => self.names.variable(None, &slot.name, value),
                SlotOwner::Process { pid } => process(*pid).and_then(|process| {
                    self.names.variable(Some(&process.proctype), &slot.name, value)
                }),
                SlotOwner::Channel => {
                    let mut all = self.view.channels.iter();
                    all.find(|it| channel_label(&self.view, it) == slot.name).map(|channel| {
                        let named = |fields: &Vec<String>| {
                            let fields = fields.iter().enumerate();
                            fields.map(|(at, value)| self.field(channel, at, value)).collect()
                        };
                        messages(&channel.messages.iter().map(named).collect::<Vec<_>>())
                    })
                }
            };
            if let Some(named) = named {
                *value = named;
            }
        }
    }

    /// Positions that differ from those told last.
    fn positions(&mut self, system: &Interpreter) -> Vec<ProcessPosition> {
        let mut told = Vec::new();
        while self.positions.len() > self.view.processes.len() {
            if let Some(gone) = self.positions.pop() {
                let name = self.model.proctypes.get(gone.type_index).map(|p| p.name.clone());
                told.push(ProcessPosition {
                    pid: self.positions.len() as u8,
                    name: name.unwrap_or_default(),
                    state: ProcessState::Gone,
                    span: None,
                    automaton_state: None,
                });
            }
        }
        for (pid, process) in self.view.processes.iter().enumerate() {
            let now = Position {
                type_index: process.type_index,
                location: process.location,
                ended: process.ended,
            };
            match self.positions.get_mut(pid) {
                Some(before) if *before == now => continue,
                Some(before) => before.clone_from(&now),
                None => self.positions.push(now),
            }
            let at = self.model.proctypes.get(process.type_index);
            let at = at.and_then(|proctype| location(proctype, process.location));
            let span = at.and_then(|at| at.span).filter(|_| !process.ended);
            told.push(ProcessPosition {
                pid: process.pid,
                name: process.proctype.clone(),
                state: if process.ended { ProcessState::Ended } else { ProcessState::Running },
                span: span.map(|span| self.sources.place(span)),
                automaton_state: None,
            });
        }
        if self.view.claim != self.claim {
            self.claim = self.view.claim;
            told.extend(self.claim_position(system));
        }
        told
    }

    fn claim_position(&self, system: &Interpreter) -> Option<ProcessPosition> {
        let claim = self.model.claims.get(system.options().claim?)?;
        let here = self.claim?;
        let ended = here == claim.process.exit.0;
        let span = location(&claim.process, here).and_then(|at| at.span).filter(|_| !ended);
        let state = match self.states.get(here as usize) {
            Some(&state) => state,
            None => Some(here),
        };
        Some(ProcessPosition {
            pid: CLAIM_PID,
            name: claim.process.name.clone(),
            state: if ended { ProcessState::Ended } else { ProcessState::Running },
            span: span.map(|span| self.sources.place(span)),
            automaton_state: if ended { self.sink.or(state) } else { state },
        })
    }
}

impl Watcher for TraceBuilder {
    fn begin(&mut self, system: &Interpreter, state: &[u8]) {
        self.view = system.decode(state);
        self.state = state.to_vec();
        let mut initial = self.slots.update(&self.model, &self.view, 0);
        self.name_values(&mut initial);
        self.trace.initial = initial;
        self.trace.initial_positions = self.positions(system);
    }

    fn wants_steps(&self) -> bool {
        self.trace.steps.len() < self.room.steps && self.cells < self.room.cells
    }

    fn cycle(&mut self) {
        self.trace.cycle_start = Some(self.trace.steps.len() as u32);
    }

    fn round(&mut self) {
        self.rounds.push(self.trace.steps.len() as u32);
    }

    fn skip(&mut self) {
        self.trace.truncated = true;
    }

    fn step(&mut self, system: &Interpreter, step: &MicroStep, state: &[u8]) {
        if !self.wants_steps() {
            self.trace.truncated = true;
            return;
        }
        self.cells += self.slots.width();
        let (text, span) = self.place(step.edge);
        let partner = step.partner.map(|(pid, edge)| {
            let (text, span) = self.place(edge);
            (pid, self.process_name(edge), text, span)
        });
        let message = step.message.as_ref().map(|m| self.message(system, m, state));
        let (mut changes, mut positions) = (Vec::new(), Vec::new());
        if !state.is_empty() {
            system.decode_next(&self.state, state, &mut self.view);
            self.state.clear();
            self.state.extend_from_slice(state);
            let number = self.trace.steps.len() as u32 + 1;
            changes = self.slots.update(&self.model, &self.view, number);
            self.name_values(&mut changes);
            positions = self.positions(system);
        }
        self.trace.steps.push(TraceStep {
            pid: step.pid,
            process: self.process_name(step.edge),
            text,
            span,
            calls: self
                .edges
                .calls(&self.model, step.edge)
                .iter()
                .map(|call| self.sources.place(*call))
                .collect(),
            partner,
            message,
            printed: step.printed.clone(),
            atomic: step.atomic,
            changes,
            positions,
        });
    }
}

/// A number that tells whether a run arrived at the same state: FNV-1a (Fowler, Noll, Vo) of the
/// state as it is shown. It does not depend on how states are laid out in memory, so that links keep
/// working.
pub(crate) fn checksum(view: &StateView) -> u32 {
    let mut hash = 0x811c_9dc5_u32;
    let mut eat = |text: &str| {
        for byte in text.bytes().chain([0xff]) {
            hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    };
    for cell in view.globals.iter().chain(&view.claim_locals) {
        eat(&cell.name);
        eat(&cell.value);
    }
    for process in &view.processes {
        eat(&process.proctype);
        eat(if process.ended { "ended" } else { "running" });
        for cell in &process.locals {
            eat(&cell.name);
            eat(&cell.value);
        }
    }
    for channel in &view.channels {
        eat(&channel.name);
        for message in &channel.messages {
            message.iter().for_each(|field| eat(field));
            eat("");
        }
    }
    hash
}
