//! One random run.

use crate::play::Watcher;
use crate::prepared::Prepared;
use crate::trace::{MOST_STEPS, Room, TraceBuilder, checksum};
use crate::words;
use promenade_base::Interrupt;
use promenade_base::random::Random;
use promenade_interp::Interpreter;
use promenade_protocol::{
    DiagnosticData, Experiment, Progress, Property, Report, Trace, WriteOnly,
};
use promenade_transition_system::{
    Blocked, Item, Selection, Successors, TransitionSystem, Violation, ViolationKind,
};

/// A simulation under way.
pub struct Simulation {
    prepared: Prepared,
    system: Interpreter,
    builder: TraceBuilder,
    random: Random,
    most: usize,
    interrupt: Option<Interrupt>,
    out: Successors,
    state: Vec<u8>,
    choices: Vec<u32>,
    begun: bool,
    ended: Option<String>,
}

/// Begins a random run of at most `steps` moves; a report if the text cannot be run.
/// If the interrupt is raised, [`Simulation::stop`] has to follow.
pub fn start_simulation(
    experiment: &Experiment,
    seed: u64,
    steps: u32,
    interrupt: Option<&Interrupt>,
) -> Result<Simulation, Box<Report>> {
    // Formulas and labels say which runs are wrong, not which there are.
    let property = match &experiment.property {
        claim @ Property::Claim { .. } => claim.clone(),
        _ => Property::Safety,
    };
    let mut experiment = Experiment { property, ..experiment.clone() };
    experiment.settings.write_only = WriteOnly::Keep;
    let prepared = Prepared::new(&experiment, interrupt)?;
    let system = prepared.replay_system(interrupt.cloned());
    let most = (steps as usize).min(MOST_STEPS);
    let builder = prepared.builder(&system, Room::ONE);
    Ok(Simulation {
        prepared,
        system,
        builder,
        random: Random::new(seed),
        most,
        interrupt: interrupt.cloned(),
        out: Successors::new(true),
        state: Vec::new(),
        choices: Vec::new(),
        begun: false,
        ended: None,
    })
}

impl Simulation {
    /// Makes about `fuel` choices; true when the run is over.
    pub fn advance(&mut self, fuel: u64) -> bool {
        for _ in 0..fuel {
            if self.ended.is_some() {
                break;
            }
            if self.begun {
                self.step();
            } else {
                self.begun = true;
                self.begin();
            }
        }
        self.ended.is_some()
    }

    /// Bytes of a state.
    pub fn state_bytes(&self) -> usize {
        self.system.state_bytes()
    }

    /// How far it is: `transitions` moves of at most `max_depth`.
    pub fn progress(&self) -> Progress {
        let steps = self.builder.steps() as u64;
        let max_depth = self.most as u64;
        Progress {
            states: steps,
            transitions: steps,
            depth: steps,
            max_depth,
            ..Progress::default()
        }
    }

    /// Ends it from outside.
    pub fn stop(&mut self) {
        self.ended.get_or_insert_with(|| "cancelled".to_owned());
    }

    fn begin(&mut self) {
        self.system.initial(&mut self.out);
        let target = (0..self.out.items.len()).find_map(|index| self.out.target(index));
        match target {
            Some(state) => {
                self.state.extend_from_slice(state);
                self.builder.begin(&self.system, &self.state);
            }
            None => {
                let violation = self.out.items.iter().find_map(|item| match item {
                    Item::Violation { violation, .. } => Some(*violation),
                    Item::Target { .. } => None,
                });
                self.end(violation);
            }
        }
    }

    fn step(&mut self) {
        if self.builder.steps() >= self.most || !self.builder.wants_steps() {
            let few = self.builder.steps() < self.most;
            let why =
                if few { "the states are too large to show more steps" } else { "step limit" };
            self.ended = Some(why.to_owned());
            return;
        }
        self.system.expand(&self.state, Selection::All, &mut self.out);
        if self.out.incomplete && self.interrupt.as_ref().is_some_and(Interrupt::is_raised) {
            return;
        }
        if self.out.items.is_empty() {
            match self.out.blocked {
                None if self.out.incomplete => {
                    self.ended = Some("the steps from here are too many to follow".to_owned());
                }
                Some(Blocked::ValidEnd) => self.ended = Some("end state".to_owned()),
                Some(Blocked::InvalidEnd) => self.ended = Some("deadlock".to_owned()),
                // The system may be able to move, but the claim is not.
                None => self.ended = Some("the claim cannot follow".to_owned()),
            }
            return;
        }
        let mut choice = self.random.below(self.out.items.len());
        // What goes on after a violation is not shown: the run ends with the violation.
        if let Some(before) = choice.checked_sub(1)
            && let Some(Item::Violation { violation, .. }) = self.out.items.get(before)
            && !violation.kind.ends_path()
        {
            choice = before;
        }
        let (steps, violation) = match self.out.items.get(choice) {
            Some(&Item::Target { steps, .. }) => (steps, None),
            Some(&Item::Violation { violation, steps, .. }) => (steps, Some(violation)),
            None => return,
        };
        let range = steps.0 as usize..steps.1 as usize;
        for step in self.out.steps.get(range).unwrap_or(&[]) {
            self.builder.step(&self.system, step, self.out.slice(step.state));
        }
        self.choices.push(choice as u32);
        match violation {
            Some(violation) => self.end(Some(violation)),
            None => {
                self.state.clear();
                self.state.extend_from_slice(self.out.target(choice).unwrap_or(&[]));
            }
        }
    }

    fn end(&mut self, violation: Option<Violation>) {
        let message = match violation {
            Some(violation) if violation.kind != ViolationKind::InvalidEndState => words::message(
                &self.prepared.model,
                &self.prepared.edges,
                &violation,
                &self.system,
                &self.state,
            ),
            _ => "deadlock".to_owned(),
        };
        self.ended = Some(message);
    }

    /// The run, why it ended, and what there is to say about the text.
    pub fn finish(self) -> (Trace, String, Vec<DiagnosticData>) {
        let sum = checksum(&self.system.decode(&self.state));
        let trace = self.builder.finish(&self.choices, None, sum);
        let ended = self.ended.unwrap_or_else(|| "cancelled".to_owned());
        (trace, ended, self.prepared.diagnostics)
    }
}
