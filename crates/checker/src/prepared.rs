//! A model and a property that are read, planned, and ready to run.

use crate::edges::Edges;
use crate::plan::{Plan, plan};
use crate::play::Player;
use crate::property;
use crate::report;
use crate::sources::Sources;
use crate::trace::{Room, TraceBuilder};
use crate::words;
use promenade_base::Interrupt;
use promenade_interp::Interpreter;
use promenade_ir::Model;
use promenade_protocol::{
    DiagnosticData, Experiment, Fairness, FairnessEvidence, Found, Property, Report, Trace,
};
use promenade_search::{Interleaved, Search};
use promenade_transition_system::{Violation, ViolationKind};
use std::rc::Rc;

/// A model that is ready to run.
pub(crate) struct Prepared {
    pub experiment: Experiment,
    pub sources: Rc<Sources>,
    pub model: Rc<Model>,
    pub edges: Rc<Edges>,
    pub plan: Plan,
    pub diagnostics: Vec<DiagnosticData>,
}

impl Prepared {
    /// Reads the text and plans; a report if that is all that can be done.
    pub(crate) fn new(experiment: &Experiment) -> Result<Self, Box<Report>> {
        let reject = |diagnostics| Box::new(report::input_error(experiment, diagnostics));
        let sources = Sources::new(experiment).map_err(|d| reject(vec![d]))?;
        let (model, mut diagnostics) = sources.compile(&experiment.settings);
        let Some(model) = model else { return Err(reject(diagnostics)) };
        let mut model = Rc::unwrap_or_clone(model);
        let settings = &experiment.settings;
        let goal = match property::attach(&mut model, &experiment.property, settings) {
            Ok(goal) => goal,
            Err(diagnostic) => {
                diagnostics.push(*diagnostic);
                return Err(reject(diagnostics));
            }
        };
        let model = Rc::new(model);
        let plan = match plan(experiment, &model, goal) {
            Ok(plan) => plan,
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

    /// A system that a cancelled search does not stop.
    pub(crate) fn replay_system(&self) -> Interpreter {
        let options = promenade_interp::RunOptions {
            cancel: None,
            ..self.plan.run_options(&self.experiment)
        };
        Interpreter::new(self.model.clone(), options)
    }

    pub(crate) fn builder(&self, system: &Interpreter, room: Room) -> TraceBuilder {
        let sink = self.plan.goal.sink;
        TraceBuilder::new(system, self.sources.clone(), self.edges.clone(), room, sink)
    }

    /// Why an infinite run is fair, if that was asked for.
    pub(crate) fn fairness(
        &self,
        violation: &Violation,
        builder: &TraceBuilder,
    ) -> Vec<FairnessEvidence> {
        let fair = self.experiment.settings.fairness == Fairness::Weak;
        if violation.kind == ViolationKind::AcceptanceCycle && fair {
            builder.fairness(self.plan.goal.sets)
        } else {
            Vec::new()
        }
    }

    /// The stable name of a violation.
    pub(crate) fn kind(&self, violation: &Violation) -> &'static str {
        match (violation.kind, &self.experiment.property) {
            (ViolationKind::AcceptanceCycle, Property::Progress) => "non_progress_cycle",
            (kind, _) => kind.name(),
        }
    }

    /// A violation with its run, ready to show.
    pub(crate) fn found(&self, violation: &Violation, player: &Player, trace: Trace) -> Found {
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
        }
    }
}
