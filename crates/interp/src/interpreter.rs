//! The transition system of a model.

use crate::acceptance::Acceptance;
use crate::bounds::{self, Bounds};
use crate::eval::{Context, Faults};
use crate::expand::{Expansion, Scratch};
use crate::native::Native;
use crate::options::RunOptions;
use crate::program::Program;
use crate::step;
use crate::{channel, compile};
use promenade_ir::Model;
use promenade_transition_system::{
    Item, Marks, Selection, Successors, TransitionSystem, Violation,
};
use std::rc::Rc;

/// Runs a model, with a claim or without.
///
/// A state is: number of processes; the last pid, if used; the claim's location and locals, if one
/// runs along; the trace assertion's location, if there is one; globals; global channels; process
/// records (type, location, priority if used, locals, own channels); hidden globals.
///
/// **Bounds.** One expansion makes at most 4 million steps (fewer where states are larger than a
/// kibibyte, as it copies 4 GiB at most) and 20 million in one `d_step`, and holds at most [`RunOptions::expansion_bytes`]. Beyond that it is given up, and says so
/// ([`Successors::incomplete`]) beside the successors found so far. So it is when its cancel token
/// is set or its interrupt is raised. `EndlessAtomic` is reported only where a state came back from
/// which no step leads out of the sequence.
pub struct Interpreter {
    pub(crate) model: Rc<Model>,
    pub(crate) program: Program,
    options: RunOptions,
    scratch: Scratch,
    faults: Faults,
    native: Option<Box<dyn Native>>,
    work: u64,
}

impl Interpreter {
    /// Prepares a model for running.
    pub fn new(model: Rc<Model>, options: RunOptions) -> Self {
        let mut program = compile::compile(&model, options.claim);
        if !options.check_promises {
            program.promises.clear();
        }
        let mut scratch = Scratch::default();
        scratch.effects.executed = vec![false; model.edge_count as usize];
        scratch.effects.check_assertions = options.check_assertions;
        scratch.effects.cancel = options.cancel.clone();
        scratch.effects.interrupt = options.interrupt.clone();
        Self { model, program, options, scratch, faults: Faults::default(), native: None, work: 0 }
    }

    /// The model that is run.
    pub fn model(&self) -> &Rc<Model> {
        &self.model
    }

    /// The choices that it is run with.
    pub fn options(&self) -> &RunOptions {
        &self.options
    }

    /// How much work all expansions so far have been, about: one for each step, and one for each
    /// kibibyte copied. Generated code is counted by what it wrote.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Bytes of the initial state. States grow with processes that are created.
    pub fn state_bytes(&self) -> usize {
        let p = &self.program;
        let initial = p.initial_processes.iter();
        let records = initial.filter_map(|ty| p.types.get(*ty as usize)).map(|ty| ty.record_bytes);
        (p.first_process + p.hidden_bytes + records.sum::<u32>()) as usize
    }

    /// The compact form of the model.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// From now on expands by generated code as far as it goes; it was made from
    /// [`Interpreter::program`] for these [`Interpreter::options`]. Expansions that record steps are
    /// interpreted all the same.
    pub fn accelerate(&mut self, native: Box<dyn Native>) {
        self.native = Some(native);
    }

    /// Builds the initial state in `s`; faults say what went wrong.
    fn build_initial(&mut self, s: &mut Vec<u8>) {
        let p = &self.program;
        s.resize((p.first_process + p.hidden_bytes) as usize, 0);
        let context =
            Context { p, faults: &self.faults, pid: 0, base: 0, locals: 0, timeout: false };
        step::initialize(&p.initializers, &context, s, 0);
        if let Some(claim) = &p.claim {
            p.write_location(s, claim.location_offset as usize, claim.process.entry);
            let own = Context {
                pid: crate::CLAIM_PID,
                base: claim.location_offset,
                locals: claim.locals_offset,
                ..context
            };
            step::initialize(&claim.process.initializers, &own, s, 0);
        }
        if let Some(trace) = &p.trace {
            p.write_location(s, trace.location_offset as usize, trace.process.entry);
        }
        for &proctype in &p.initial_processes {
            let priority = p.types[proctype as usize].priority;
            step::create(&context, s, proctype, &[], priority);
        }
    }
}

impl TransitionSystem for Interpreter {
    fn hidden_bytes(&self) -> usize {
        self.program.hidden_bytes as usize
    }

    fn initial(&mut self, out: &mut Successors) {
        out.clear();
        let mut s = std::mem::take(&mut out.bytes);
        self.build_initial(&mut s);
        out.bytes = s;
        let steps = (0, 0);
        if let Some(fault) = self.faults.take().into_iter().find(|f| f.hard) {
            let violation = Violation { kind: fault.kind, pid: None, edge: None };
            out.items.push(Item::Violation { violation, moves: 0, steps });
            return;
        }
        let end = out.bytes.len() as u32;
        out.items.push(Item::Target { start: 0, end, moves: 0, atomic_moves: 0, steps });
    }

    fn expand(&mut self, state: &[u8], selection: Selection, out: &mut Successors) {
        out.clear();
        self.scratch.effects.record = out.record;
        self.scratch.effects.gave_up = false;
        self.scratch.effects.went_round = false;
        self.faults.gave_up.set(false);
        self.scratch.clear_path();
        let bounds = Bounds::new(self.options.expansion_bytes, out.record);
        let mut expansion = Expansion {
            p: &self.program,
            options: &self.options,
            scratch: &mut self.scratch,
            faults: &self.faults,
            out,
            timeout: false,
            work: 0,
            next_check: 0,
            weight: bounds::weight(state.len()),
            bounds,
            aborted: false,
            acceptance: None,
            native: self.native.as_deref_mut(),
        };
        if self.options.acceptance {
            expansion.acceptance = Some(Acceptance::new(&self.program, &self.options, state));
        }
        expansion.run(state, selection);
        let work = expansion.work;
        let written = bounds::weight(state.len() + out.bytes.len());
        self.work += 1 + work + written + std::mem::take(&mut self.scratch.effects.work);
        // A run that stays inside an atomic sequence for ever has no stored states, and so is not
        // among the runs that are looked at.
        let effects = &self.scratch.effects;
        out.incomplete = effects.gave_up
            || self.faults.gave_up.get()
            || effects.went_round && self.options.acceptance;
        self.scratch.trim();
    }

    fn acceptance(&self) -> Marks {
        if self.options.acceptance { Acceptance::all(&self.program, &self.options) } else { 0 }
    }

    fn control(&self, state: &[u8], out: &mut Vec<(u32, u32)>) {
        out.clear();
        let p = &self.program;
        let mut base = p.first_process as usize;
        for _ in 0..state[0] {
            let ty = p.type_at(state, base);
            out.push((ty as u32, p.location_at(state, base)));
            base += p.types[ty].record_bytes as usize;
        }
    }

    fn channel_fill(&self, state: &[u8], number: u32) -> Option<(u32, u32)> {
        let q = self.program.channel(state, i32::try_from(number).ok()?)?;
        let capacity = self.program.channel_types[q.ty as usize].capacity;
        Some((channel::length(&self.program, state, q), capacity))
    }

    fn locals<'s>(&self, state: &'s [u8], pid: u8) -> Option<&'s [u8]> {
        let base = self.program.process_base(state, u32::from(pid))?;
        let end =
            base + self.program.types[self.program.type_at(state, base)].record_bytes as usize;
        state.get(base + self.program.locals_offset as usize..end)
    }

    fn executed(&self) -> &[bool] {
        &self.scratch.effects.executed
    }
}
