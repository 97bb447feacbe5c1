//! The state graph that is drawn: asked for when its tab is seen, laid over with the run that is shown.

use super::{App, Shared, Shown};
use crate::playback::Playback;
use leptos::prelude::*;
use promenade_protocol::{Experiment, Property, Request, Settings, StateGraph, Trace, TraceStep};
use std::time::Duration;

/// The text has to rest this long before its graph is drawn.
const PAUSE: Duration = Duration::from_millis(250);
/// Limits to choose from.
pub const LIMITS: [u32; 3] = [50, 200, 500];

/// A graph with what it is the graph of.
#[derive(Clone, PartialEq, Debug)]
pub struct DrawnGraph {
    /// Text, property and settings.
    pub experiment: Experiment,
    /// The graph.
    pub graph: StateGraph,
}

/// The run that is shown, as a way through the graph.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphPath {
    /// Steps of the trace, each with the state in which the run is after them.
    pub nodes: Vec<(usize, u32)>,
    /// The edges between them.
    pub edges: Vec<u32>,
    /// The step after which the run goes on to states that the graph does not show, if it does.
    pub leaves_at: Option<usize>,
}

impl GraphPath {
    /// Where the run is after a step: in the last state before it that the graph shows.
    pub fn node_at(&self, step: usize) -> Option<u32> {
        self.nodes.iter().rev().find(|it| it.0 <= step).map(|it| it.1)
    }

    /// The step in which the run is in a state, the nearest to another step.
    pub fn step_of(&self, node: u32, near: usize) -> Option<usize> {
        let all = self.nodes.iter().filter(|it| it.1 == node);
        all.map(|it| it.0).min_by_key(|step| step.abs_diff(near))
    }
}

/// The state of the tab. It is cheap to copy.
#[derive(Clone, Copy)]
pub struct GraphTool {
    /// At most this many states are shown.
    pub limit: RwSignal<u32>,
    /// What is drawn.
    pub drawn: RwSignal<Option<Shared<DrawnGraph>>>,
    /// Another graph is waited for.
    pub waiting: RwSignal<bool>,
    /// The state that is looked at.
    pub chosen: RwSignal<Option<u32>>,
    /// The request that is waited for.
    asked: StoredValue<Option<(u32, Experiment, u32)>>,
    /// What the checker failed on.
    failed: StoredValue<Option<(Experiment, u32)>>,
    changes: StoredValue<u32>,
}

impl GraphTool {
    pub(super) fn new() -> Self {
        Self {
            limit: RwSignal::new(LIMITS[1]),
            drawn: RwSignal::new(None),
            waiting: RwSignal::new(false),
            chosen: RwSignal::new(None),
            asked: StoredValue::new(None),
            failed: StoredValue::new(None),
            changes: StoredValue::new(0),
        }
    }
}

/// Whether two settings give the same states and steps.
fn same_states(a: &Settings, b: &Settings) -> bool {
    let of = |it: &Settings| {
        (
            (it.assertions, it.end_states, it.empty_channels_at_end),
            (it.lose_messages, it.inner_unless_first, it.fairness, it.emptiness),
            it.defines.clone(),
        )
    };
    of(a) == of(b)
}

/// Whether runs of one experiment are runs of the other, choice by choice.
fn same_runs(a: &Experiment, b: &Experiment) -> bool {
    a.files == b.files && a.property == b.property && same_states(&a.settings, &b.settings)
}

/// The way of a trace through a graph.
fn path_of(graph: &StateGraph, playback: &Playback) -> GraphPath {
    if graph.nodes.is_empty() {
        return GraphPath::default();
    }
    let edges = graph.walk(&playback.trace.choices);
    let mut nodes = vec![(0, 0)];
    let mut given = 0usize;
    for edge in edges.iter().filter_map(|edge| graph.edges.get(*edge as usize)) {
        given += edge.steps as usize;
        let step = given.checked_sub(1).map_or(0, |last| playback.place(last) + 1);
        let step = step.min(playback.steps());
        if let Some(to) = edge.to {
            nodes.push((step, to));
        }
    }
    let whole = edges.len() >= playback.trace.choices.len();
    let leaves_at = nodes.last().map(|last| last.0).filter(|_| !whole);
    GraphPath { nodes, edges, leaves_at }
}

impl App {
    /// Keeps the graph in step with the text as long as its tab is seen.
    pub fn follow_graph(&self) {
        let app = *self;
        Effect::new(move |_| {
            app.files.track();
            app.property.track();
            app.settings.track();
            app.graph.limit.track();
            if app.view.get() != "graph" {
                return;
            }
            app.graph.changes.update_value(|count| *count = count.wrapping_add(1));
            let change = app.graph.changes.get_value();
            let pause = if app.graph.drawn.with_untracked(Option::is_some) {
                PAUSE
            } else {
                Duration::ZERO
            };
            set_timeout(
                move || {
                    if app.graph.changes.get_value() == change {
                        app.ask_graph();
                    }
                },
                pause,
            );
        });
        // The state that is looked at moves along with the run.
        Effect::new(move |_| {
            let step = app.step.get();
            let node = app.graph_path().and_then(|path| path.node_at(step));
            if node.is_some() {
                app.graph.chosen.set(node);
            }
        });
    }

    /// Asks for the graph, unless it is there or on its way.
    fn ask_graph(&self) {
        let (experiment, limit) = (self.experiment(), self.graph.limit.get_untracked());
        let same = |was: &Experiment, most: u32| {
            most == limit
                && was.settings.search == experiment.settings.search
                && same_runs(was, &experiment)
        };
        let asked = self.graph.asked.get_value();
        if asked.as_ref().is_some_and(|(_, was, most)| same(was, *most)) {
            return;
        }
        let Some(client) = self.client() else { return };
        if let Some((job, ..)) = asked {
            self.graph.asked.set_value(None);
            client.send(Request::Cancel { job });
        }
        self.graph.waiting.set(false);
        let there = |drawn: &Option<Shared<DrawnGraph>>| {
            drawn.as_ref().is_some_and(|it| same(&it.experiment, it.graph.limit))
        };
        let failed = self.graph.failed.get_value();
        if self.graph.drawn.with_untracked(there)
            || failed.as_ref().is_some_and(|(was, most)| same(was, *most))
        {
            return;
        }
        let job = client.next_job();
        self.graph.asked.set_value(Some((job, experiment.clone(), limit)));
        self.graph.waiting.set(true);
        client.send(Request::Graph { job, experiment, limit });
    }

    /// Takes an answer; only the latest request counts.
    pub(super) fn hear_graph(&self, job: u32, graph: StateGraph) {
        let asked = self.graph.asked.get_value().filter(|(asked, ..)| *asked == job);
        let Some((_, experiment, _)) = asked else { return };
        self.graph.asked.set_value(None);
        self.graph.waiting.set(false);
        let first = (!graph.nodes.is_empty()).then_some(0);
        self.graph.chosen.set(first);
        self.graph.drawn.set(Some(Shared::new(DrawnGraph { experiment, graph })));
        let step = self.step.get_untracked();
        if let Some(node) = untrack(|| self.graph_path()).and_then(|path| path.node_at(step)) {
            self.graph.chosen.set(Some(node));
        }
    }

    /// Asks again after the worker was replaced.
    pub(super) fn renew_graph(&self) {
        if self.graph.asked.with_value(Option::is_some) {
            self.graph.asked.set_value(None);
            self.ask_graph();
        }
    }

    /// Gives up what the worker may have died of.
    pub(super) fn drop_graph(&self) {
        if let Some((_, experiment, limit)) = self.graph.asked.get_value() {
            self.graph.asked.set_value(None);
            self.graph.waiting.set(false);
            self.graph.failed.set_value(Some((experiment, limit)));
        }
    }

    /// The way of the run that is shown, if it is one through the graph that is drawn.
    pub fn graph_path(&self) -> Option<GraphPath> {
        let drawn = self.graph.drawn.get()?;
        let playback = self.playback.get()?;
        let fits = self.shown.with(|shown| match shown {
            Shown::Outcome(outcome) => same_runs(&outcome.report.experiment, &drawn.experiment),
            // A random run follows no formula.
            Shown::Run(run) => {
                same_runs(&run.experiment, &drawn.experiment)
                    && matches!(run.experiment.property, Property::Safety | Property::Claim { .. })
            }
            _ => false,
        });
        fits.then(|| path_of(&drawn.graph, &playback))
    }

    /// Looks at a state; the run that is shown goes there if it passes it.
    pub fn look_at(&self, node: u32) {
        self.graph.chosen.set(Some(node));
        let step = self.step.get_untracked();
        let path = untrack(|| self.graph_path());
        if let Some(to) = path.and_then(|path| path.step_of(node, step)) {
            self.playing.set(false);
            self.go_to(to);
        }
    }
}

/// The way to a state, as a trace: the shortest one.
pub fn way_to(graph: &StateGraph, node: u32) -> Trace {
    let mut steps = Vec::new();
    let mut at = node;
    while let Some(here) = graph.nodes.get(at as usize)
        && let Some(edge) = here.parent.and_then(|edge| graph.edges.get(edge as usize))
        && steps.len() < graph.nodes.len()
    {
        steps.push(TraceStep {
            pid: edge.pid,
            process: edge.process.clone(),
            text: edge.label.clone(),
            span: edge.span,
            calls: Vec::new(),
            partner: None,
            message: None,
            printed: String::new(),
            atomic: false,
            changes: here.changes.clone(),
            positions: here.positions.clone(),
        });
        at = edge.from;
    }
    steps.reverse();
    let first = graph.nodes.first();
    Trace {
        slots: graph.slots.clone(),
        initial: first.map(|it| it.changes.clone()).unwrap_or_default(),
        initial_positions: first.map(|it| it.positions.clone()).unwrap_or_default(),
        steps,
        ..Trace::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_protocol::{Change, Slot, SlotOwner, StateEdge, StateNode};

    fn graph() -> StateGraph {
        let change = |value: &str| vec![Change { slot: 0, value: Some(value.to_owned()) }];
        let node =
            |parent, value| StateNode { parent, changes: change(value), ..StateNode::default() };
        let edge = |from, to, choice, steps| StateEdge {
            from,
            to: Some(to),
            choice,
            steps,
            ..StateEdge::default()
        };
        StateGraph {
            nodes: vec![node(None, "a"), node(Some(0), "b"), node(Some(2), "c")],
            edges: vec![edge(0, 1, 0, 1), edge(1, 0, 0, 1), edge(1, 2, 1, 3)],
            slots: vec![Slot {
                owner: SlotOwner::Global,
                name: "x".to_owned(),
                type_name: "byte".to_owned(),
                born: 0,
            }],
            ..StateGraph::default()
        }
    }

    fn trace(choices: &[u32], steps: usize) -> Playback {
        let step = TraceStep {
            pid: 0,
            process: "P".to_owned(),
            text: String::new(),
            span: promenade_protocol::SpanData::default(),
            calls: Vec::new(),
            partner: None,
            message: None,
            printed: String::new(),
            atomic: false,
            changes: Vec::new(),
            positions: Vec::new(),
        };
        Playback::new(Trace {
            steps: vec![step; steps],
            choices: choices.to_vec(),
            ..Trace::default()
        })
    }

    #[test]
    fn runs_are_ways_through_the_graph() {
        let path = path_of(&graph(), &trace(&[0, 0, 0, 1], 6));
        assert_eq!(path.nodes, [(0, 0), (1, 1), (2, 0), (3, 1), (6, 2)]);
        assert_eq!(path.edges, [0, 1, 0, 2]);
        // In the middle of an atomic sequence.
        assert_eq!([3, 4, 6].map(|step| path.node_at(step)), [Some(1), Some(1), Some(2)]);
        assert_eq!([0, 2, 3].map(|near| path.step_of(1, near)), [Some(1), Some(1), Some(3)]);
        assert_eq!(path.step_of(7, 0), None);
        assert_eq!(path_of(&StateGraph::default(), &trace(&[0], 1)), GraphPath::default());
        // Out of the part that is shown.
        assert_eq!(path_of(&graph(), &trace(&[0, 9, 0], 3)).edges, [0]);
    }

    #[test]
    fn the_way_to_a_state_gives_its_values() {
        let way = Playback::new(way_to(&graph(), 2));
        assert_eq!(way.steps(), 2);
        assert_eq!(way.state(2).values[0].as_deref(), Some("c"));
        assert_eq!(way.state(1).values[0].as_deref(), Some("b"));
        assert_eq!(way_to(&graph(), 9).steps.len(), 0);
    }
}
