//! The state graph of a small model, with what partial-order reduction leaves out of it.
//!
//! First all states are visited breadth first: those up to the limit are shown, some more are only
//! counted. Then a reduced search goes through the model in the order that the settings name, and
//! what it visits is found again in the graph.

mod names;
mod reduced;
#[cfg(test)]
mod tests;

use crate::prepared::Prepared;
use crate::words;
use names::{Names, Step};
use promenade_base::Interrupt;
use promenade_base::arrange::Arrange;
use promenade_interp::Interpreter;
use promenade_protocol::{
    DeadVariables, DiagnosticData, Experiment, Level, Progress, Reduction, StateEdge, StateEnd,
    StateGraph, StepViolation, Store,
};
use promenade_transition_system::{
    Blocked, Item, MicroStep, Selection, Successors, TransitionSystem,
};
use reduced::Reduced;
use std::collections::HashMap;

/// States that are shown at most, whatever is asked for.
const MOST_SHOWN: u32 = 2_000;
/// Transitions that are shown at most.
const MOST_EDGES: usize = 8_000;
/// States that are counted if there are more than are shown.
const MOST_COUNTED: usize = 20_000;
/// Bytes of the states that are counted.
const MOST_BYTES: usize = 64 << 20;
/// Cells decoded for all states that are shown: about a second.
const MOST_CELLS: usize = 1_000_000;

/// States by their bytes, numbered in the order in which they were found.
#[derive(Default)]
struct States {
    numbers: HashMap<Box<[u8]>, u32>,
    all: Vec<Box<[u8]>>,
    bytes: usize,
    hidden: usize,
}

impl States {
    fn key<'s>(&self, state: &'s [u8]) -> &'s [u8] {
        &state[..state.len() - self.hidden.min(state.len())]
    }

    fn find(&self, state: &[u8]) -> Option<u32> {
        self.numbers.get(self.key(state)).copied()
    }

    /// The number of a state, and whether it is new.
    fn insert(&mut self, state: &[u8]) -> (u32, bool) {
        if let Some(number) = self.find(state) {
            return (number, false);
        }
        let number = self.all.len() as u32;
        self.numbers.insert(self.key(state).into(), number);
        self.all.push(state.into());
        self.bytes += 2 * state.len();
        (number, true)
    }

    fn is_full(&self) -> bool {
        self.all.len() >= MOST_COUNTED || self.bytes >= MOST_BYTES
    }
}

/// Where the work is.
enum Phase {
    /// Visiting all states; the next one to expand.
    Full(usize),
    /// The reduced search.
    Reduced(Box<Reduced>),
    Done,
}

/// A state graph under construction.
pub struct Graph {
    prepared: Prepared,
    system: Interpreter,
    names: Names,
    states: States,
    phase: Phase,
    out: Successors,
    /// How many states are shown at most; less if they are large.
    shown: usize,
    limit: u32,
    /// Write-only variables are not shown. They are, until a state is met with other values.
    without: bool,
    drifts: bool,
    graph: StateGraph,
}

/// Begins to draw; the graph holds the errors of a text that cannot be run. If the interrupt is raised,
/// [`Graph::stop`] has to follow.
pub fn start_graph(
    experiment: &Experiment,
    limit: u32,
    interrupt: Option<&Interrupt>,
) -> Result<Graph, Box<StateGraph>> {
    let limit = limit.clamp(1, MOST_SHOWN);
    // Which store a check uses changes no state, and the reduction is what is to be seen.
    let mut experiment = experiment.clone();
    experiment.settings.store = Store::Exact;
    experiment.settings.reduction = Reduction::AmpleSets;
    // Runs of reports are those of the text as it stands, with its steps in its order.
    experiment.settings.merge = false;
    experiment.settings.dead_variables = DeadVariables::Keep;
    experiment.settings.shuffle = 0;
    let prepared = Prepared::new(&experiment, interrupt).map_err(|report| {
        let errors = |it: &DiagnosticData| it.level == Level::Error;
        let partial = report.stopped_by.is_some().then(|| report.summary.clone());
        let diagnostics = report.diagnostics.into_iter().filter(errors).collect();
        Box::new(StateGraph { diagnostics, limit, partial, ..StateGraph::default() })
    })?;
    let system = prepared.replay_system(interrupt.cloned());
    let mut graph = Graph {
        names: Names::new(&prepared, &system, false),
        prepared,
        system,
        states: States::default(),
        phase: Phase::Done,
        out: Successors::default(),
        shown: limit as usize,
        limit,
        without: false,
        drifts: false,
        graph: StateGraph::default(),
    };
    graph.begin();
    Ok(graph)
}

impl Graph {
    /// From the initial state on.
    fn begin(&mut self) {
        let system = &mut self.system;
        self.names = Names::new(&self.prepared, system, self.without);
        self.states = States { hidden: system.hidden_bytes(), ..States::default() };
        let product = self.prepared.plan.goal.claim.is_some();
        self.graph = StateGraph { limit: self.limit, product, ..StateGraph::default() };
        self.shown = self.limit as usize;
        self.out = Successors::new(true);
        let out = &mut self.out;
        system.initial(out);
        let first = (0..out.items.len()).find_map(|item| out.target(item)).map(<[u8]>::to_vec);
        for item in &out.items {
            if let Item::Violation { violation, .. } = item {
                let (model, edges) = (&self.prepared.model, &self.prepared.edges);
                let said = words::message(model, edges, violation, system, &[]);
                self.graph.initial_violation.get_or_insert(said);
            }
        }
        self.phase = Phase::Done;
        if let Some(first) = &first {
            self.states.insert(first);
            self.graph.nodes.push(self.names.node(system, None, first));
            self.graph.states = 1;
            self.phase = Phase::Full(0);
        }
    }

    /// Expands about `fuel` states; true when the graph is complete.
    pub fn advance(&mut self, fuel: u64) -> bool {
        for _ in 0..fuel {
            match &mut self.phase {
                Phase::Full(next) => {
                    let at = *next;
                    *next += 1;
                    if at >= self.states.all.len() || self.states.is_full() {
                        self.counted(at);
                    } else {
                        self.expand(at);
                        if std::mem::take(&mut self.drifts) && !self.without {
                            self.without = true;
                            self.begin();
                        }
                    }
                }
                Phase::Reduced(reduced) => {
                    if reduced.step(&mut self.system, &mut self.out) {
                        self.finish_reduced();
                    }
                }
                Phase::Done => break,
            }
        }
        matches!(self.phase, Phase::Done)
    }

    /// Bytes of a state.
    pub fn state_bytes(&self) -> usize {
        self.system.state_bytes()
    }

    /// How far it is: states expanded, and found.
    pub fn progress(&self) -> Progress {
        let found = self.states.all.len() as u64;
        let transitions = match self.phase {
            Phase::Full(next) => next as u64,
            Phase::Reduced(_) | Phase::Done => found,
        };
        Progress { states: found, transitions, max_depth: found, ..Progress::default() }
    }

    /// Ends it from outside.
    pub fn stop(&mut self) {
        if !matches!(self.phase, Phase::Done) {
            self.graph.partial.get_or_insert_with(|| "It was cancelled.".to_owned());
            self.finish_reduced();
        }
    }

    /// The graph, as far as it came.
    pub fn finish(mut self) -> StateGraph {
        self.stop();
        self.graph.slots = self.names.slots();
        self.graph
    }

    /// All states were visited, or enough of them.
    fn counted(&mut self, next: usize) {
        let all = self.states.all.len();
        let graph = &mut self.graph;
        let nodes = graph.nodes.len();
        graph.counted = next >= all;
        if nodes < all {
            let found = promenade_protocol::grouped(all as u64);
            let total = if graph.counted {
                format!("{found} states")
            } else {
                format!("at least {found} states")
            };
            let more = if nodes < graph.limit as usize {
                format!("its states are large or have many transitions, so only the first {nodes}")
            } else {
                format!("the first {nodes}")
            };
            graph.partial =
                Some(format!("The model has {total}; {more}, breadth first, are shown."));
        }
        self.phase = Phase::Reduced(Box::new(Reduced::new(&self.prepared, self.states.hidden)));
        self.out = Successors::new(false);
    }

    /// Computes the successors of a state.
    fn expand(&mut self, at: usize) {
        let state = self.states.all[at].clone();
        let visible = at < self.graph.nodes.len();
        self.out.record = visible;
        self.system.expand(&state, Selection::All, &mut self.out);
        let blocked = self.out.blocked;
        if visible {
            self.graph.nodes[at].end = match blocked {
                Some(Blocked::ValidEnd) => StateEnd::Valid,
                Some(Blocked::InvalidEnd) => StateEnd::Invalid,
                None if self.out.items.is_empty() => StateEnd::Claim,
                None => StateEnd::None,
            };
        }
        let mut waiting: Vec<(StepViolation, Vec<MicroStep>)> = Vec::new();
        for choice in 0..self.out.items.len() {
            match &self.out.items[choice] {
                Item::Violation { violation, steps, .. } if visible => {
                    let after = self.out.steps.get(steps.0 as usize..steps.1 as usize);
                    let last = after.and_then(|it| it.last()).map_or((0, 0), |it| it.state);
                    let shown = match self.out.slice(last) {
                        [] => &state[..],
                        after => after,
                    };
                    let message = words::message(
                        &self.prepared.model,
                        &self.prepared.edges,
                        violation,
                        &self.system,
                        shown,
                    );
                    let kind = violation.kind.name().to_owned();
                    let wrong = StepViolation { choice: choice as u32, kind, message };
                    let made = after.unwrap_or(&[]).to_vec();
                    if violation.kind.ends_path() {
                        let step = self.names.step(&made);
                        self.edge(at, None, step, choice, vec![wrong]);
                    } else {
                        waiting.push((wrong, made));
                    }
                }
                Item::Violation { .. } => {}
                Item::Target { start, end, steps, .. } => {
                    self.graph.transitions += 1;
                    let target = self.out.slice((*start, *end)).to_vec();
                    let made = self.out.steps.get(steps.0 as usize..steps.1 as usize);
                    let step = visible.then(|| self.names.step(made.unwrap_or(&[])));
                    let wrong = Self::before(&mut waiting, made.unwrap_or(&[]));
                    let (to, new) = self.states.insert(&target);
                    if new {
                        self.arrive(at, to, &target);
                    } else {
                        let p = self.system.program();
                        let known = p.write_only(&self.states.all[to as usize]);
                        self.drifts |= known != p.write_only(&target);
                    }
                    let Some(step) = step else { continue };
                    if (to as usize) < self.graph.nodes.len() && self.graph.edges.len() < MOST_EDGES
                    {
                        self.edge(at, Some(to), step, choice, wrong);
                        if new {
                            let edge = self.graph.edges.len() as u32 - 1;
                            self.graph.nodes[to as usize].parent = Some(edge);
                        }
                    } else {
                        self.graph.nodes[at].hidden += 1;
                    }
                }
            }
        }
        // What is not followed by its step stands alone.
        for (wrong, made) in waiting {
            let step = self.names.step(&made);
            let choice = wrong.choice as usize;
            self.edge(at, None, step, choice, vec![wrong]);
        }
        self.graph.states = self.states.all.len() as u64;
    }

    /// The violations that happen on the way of a step: they stand before it.
    fn before(
        waiting: &mut Vec<(StepViolation, Vec<MicroStep>)>,
        made: &[MicroStep],
    ) -> Vec<StepViolation> {
        let same =
            |a: &MicroStep, b: &MicroStep| (a.pid, a.edge, a.partner) == (b.pid, b.edge, b.partner);
        let mut wrong = Vec::new();
        waiting.retain(|(violation, steps)| {
            let fits = steps.len() <= made.len() && steps.iter().zip(made).all(|(a, b)| same(a, b));
            if fits {
                wrong.push(violation.clone());
            }
            !fits
        });
        wrong
    }

    /// A state was found; it is shown if there is room.
    fn arrive(&mut self, from: usize, to: u32, state: &[u8]) {
        let nodes = self.graph.nodes.len();
        let room = nodes < self.shown && self.graph.edges.len() < MOST_EDGES;
        if to as usize != nodes || !room {
            return;
        }
        let parent = &self.states.all[from];
        let mut node = self.names.node(&self.system, Some(parent), state);
        node.depth = self.graph.nodes[from].depth + 1;
        self.graph.nodes.push(node);
        if self.names.cells > MOST_CELLS {
            self.shown = nodes + 1;
        }
    }

    fn edge(
        &mut self,
        from: usize,
        to: Option<u32>,
        step: Step,
        choice: usize,
        violations: Vec<StepViolation>,
    ) {
        let Step { label, pid, process, span, steps } = step;
        let (from, choice) = (from as u32, choice as u32);
        self.graph.edges.push(StateEdge {
            from,
            to,
            label,
            pid,
            process,
            span,
            kept: false,
            choice,
            steps,
            violations,
        });
    }

    /// Marks what the reduced search visited.
    fn finish_reduced(&mut self) {
        let phase = std::mem::replace(&mut self.phase, Phase::Done);
        // Violations without a step come behind the steps of their state.
        self.sort_edges();
        if let Phase::Reduced(reduced) = phase {
            reduced.mark(&mut self.graph, &self.states, &self.names);
        }
    }

    /// Edges of a state by choice number; parents are numbers of edges.
    fn sort_edges(&mut self) {
        let mut order: Vec<usize> = (0..self.graph.edges.len()).collect();
        order.arrange_by_key(|&at| (self.graph.edges[at].from, self.graph.edges[at].choice));
        let mut place = vec![0u32; order.len()];
        for (now, &before) in order.iter().enumerate() {
            place[before] = now as u32;
        }
        self.graph.edges.arrange_by_key(|edge| (edge.from, edge.choice));
        for node in &mut self.graph.nodes {
            node.parent = node.parent.and_then(|at| place.get(at as usize).copied());
        }
    }
}
