//! A model and a property that are read, planned, and ready to run.

use crate::edges::Edges;
use crate::plan::{Plan, plan};
use crate::play::Player;
use crate::property::{self, Refusal};
use crate::report;
use crate::sources::{Sources, parse_options};
use crate::trace::{Room, TraceBuilder};
use crate::value_names::ValueNames;
use crate::words;
use crate::write_only;
use promenade_base::Interrupt;
use promenade_interp::Interpreter;
use promenade_ir::Model;
use promenade_protocol::{
    DiagnosticData, Experiment, FairnessEvidence, Found, Property, Report, Trace, WriteOnly,
};
use promenade_search::{Interleaved, Search};
use promenade_transition_system::{Violation, ViolationKind};
use std::cell::OnceCell;
use std::rc::Rc;

/// Longer texts are not read again for the names of values.
const MOST_TEXT: usize = 256 << 10;

/// A model that is ready to run.
pub(crate) struct Prepared {
    pub experiment: Experiment,
    pub sources: Rc<Sources>,
    pub model: Rc<Model>,
    pub edges: Rc<Edges>,
    pub plan: Plan,
    pub diagnostics: Vec<DiagnosticData>,
    names: OnceCell<Rc<ValueNames>>,
}

impl Prepared {
    /// Reads the text and plans; a report if that is all that can be done. A formula that takes long
    /// to translate asks the interrupt.
    pub(crate) fn new(
        experiment: &Experiment,
        interrupt: Option<&Interrupt>,
    ) -> Result<Self, Box<Report>> {
        let reject = |diagnostics| Box::new(report::input_error(experiment, diagnostics));
        let sources = Sources::new(experiment).map_err(|d| reject(vec![*d]))?;
        let (model, mut diagnostics) = sources.compile(&experiment.settings, &experiment.property);
        let Some(model) = model else { return Err(reject(diagnostics)) };
        let mut model = Rc::unwrap_or_clone(model);
        let settings = &experiment.settings;
        let goal = match property::attach(&mut model, &experiment.property, settings, interrupt) {
            Ok(goal) => goal,
            Err(Refusal::Stopped(why)) => {
                return Err(Box::new(report::untranslated(experiment, why)));
            }
            Err(Refusal::Wrong(diagnostic)) => {
                diagnostics.push(*diagnostic);
                return Err(reject(diagnostics));
            }
        };
        let left_out = match settings.write_only {
            WriteOnly::LeaveOut => write_only::take_out(&mut model),
            WriteOnly::Keep => Vec::new(),
        };
        let model = Rc::new(model);
        let plan = match plan(experiment, &model, goal) {
            Ok(plan) => plan.leaving_out(left_out),
            Err(diagnostic) => {
                diagnostics.push(*diagnostic);
                return Err(reject(diagnostics));
            }
        };
        Ok(Self {
            experiment: experiment.clone(),
            sources: Rc::new(sources),
            edges: Rc::new(Edges::new(&model)),
            model,
            plan,
            diagnostics,
            names: OnceCell::new(),
        })
    }

    /// A fresh system.
    pub(crate) fn system(&self, interrupt: Option<Interrupt>) -> Interpreter {
        let options =
            promenade_interp::RunOptions { interrupt, ..self.plan.run_options(&self.experiment) };
        let model = self.plan.engine.coarse.as_ref().unwrap_or(&self.model);
        Interpreter::new(model.clone(), options)
    }

    /// A fresh search.
    pub(crate) fn search(&self, system: &Interpreter) -> Option<Box<dyn Search>> {
        let plan = &self.plan;
        let setup = &plan.first_setup();
        let entry = promenade_search::ENTRIES.iter().find(|entry| entry.id == plan.search)?;
        let search = match entry.build_with {
            None => (entry.build)(setup),
            Some(build_with) => {
                let budget = plan.setup.limits.memory_bytes;
                build_with(setup, plan.engine.parts(&self.experiment.settings, system, budget))
            }
        };
        Some(Interleaved::around(entry, setup, search))
    }

    /// A system that a cancelled search does not stop, but the interrupt does.
    pub(crate) fn replay_system(&self, interrupt: Option<Interrupt>) -> Interpreter {
        let options = promenade_interp::RunOptions {
            cancel: None,
            interrupt,
            ..self.plan.run_options(&self.experiment)
        };
        Interpreter::new(self.model.clone(), options)
    }

    pub(crate) fn builder(&self, system: &Interpreter, room: Room) -> TraceBuilder {
        let sink = self.plan.goal.sink;
        let names = self.names.get_or_init(|| Rc::new(self.value_names())).clone();
        TraceBuilder::new(system, self.sources.clone(), self.edges.clone(), names, room, sink)
    }

    /// The names that the text has for values; none for a text that would take long to read again.
    fn value_names(&self) -> ValueNames {
        let bytes: usize = self.experiment.files.iter().map(|file| file.text.len()).sum();
        if bytes > MOST_TEXT {
            return ValueNames::default();
        }
        let options = parse_options(&self.experiment.settings);
        let tree = promenade_promela_syntax::parse(&self.sources.map, &options).value;
        ValueNames::new(&tree, &self.sources.map, &self.model)
    }

    /// The stable name of a violation.
    pub(crate) fn kind(&self, violation: &Violation) -> &'static str {
        match (violation.kind, &self.experiment.property) {
            (ViolationKind::AcceptanceCycle, Property::Progress) => "non_progress_cycle",
            (kind, _) => kind.name(),
        }
    }

    /// The run of a violation, which `builder` has followed to its end, ready to show.
    pub(crate) fn shown(
        &self,
        violation: &Violation,
        player: &mut Player,
        builder: TraceBuilder,
        checksum: u32,
    ) -> Found {
        let endless = violation.kind == ViolationKind::AcceptanceCycle;
        let cycle = endless.then(|| player.cycle()).flatten().unwrap_or_default();
        let fairness = if cycle.is_empty() { Vec::new() } else { builder.fairness(&cycle) };
        let trace = builder.finish(player.choices(), player.stem(), checksum);
        Found {
            // A run that is shown in part only does not say who moves on its cycle.
            fair: (!fairness.is_empty() && !trace.truncated)
                .then(|| fairness.iter().all(FairnessEvidence::is_fair)),
            fairness: if trace.truncated { Vec::new() } else { fairness },
            cycle_states: cycle.len() as u32,
            ..self.found(violation, player, trace)
        }
    }

    /// A violation with its run.
    fn found(&self, violation: &Violation, player: &Player, trace: Trace) -> Found {
        let state = &player.state;
        let edge = violation.edge;
        let span = edge.and_then(|edge| self.edges.statement(&self.model, edge));
        let goal = &self.plan.goal;
        let message = match violation.kind {
            ViolationKind::AcceptanceCycle => goal.violated.clone(),
            ViolationKind::ClaimCompleted if goal.formula.is_some() => goal.violated.clone(),
            _ => words::message(&self.model, &self.edges, violation, &player.system, state),
        };
        let blocked = if violation.kind == ViolationKind::InvalidEndState {
            words::blocked(&self.model, &self.sources, &player.system.decode(state))
        } else {
            Vec::new()
        };
        Found {
            kind: self.kind(violation).to_owned(),
            message,
            span: span.map(|(_, span)| self.sources.place(span)),
            blocked,
            trace,
            fairness: Vec::new(),
            cycle_states: 0,
            fair: None,
        }
    }
}
