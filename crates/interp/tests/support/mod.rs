//! Hand-built models and a plain depth-first count over an interpreter.
#![allow(dead_code)]

use promenade_interp::{Interpreter, RunOptions};
use promenade_ir::*;
use promenade_transition_system::{
    Blocked, Item, Selection, Successors, TransitionSystem, ViolationKind,
};
use std::collections::HashSet;
use std::rc::Rc;

/// What a search over everything counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    pub stored: u64,
    pub matched: u64,
    pub errors: u64,
    pub kinds: Vec<ViolationKind>,
}

/// Depth first over everything, counting as the reference run does.
pub fn count(model: &Rc<Model>, options: RunOptions) -> Counts {
    count_up_to(model, options, u64::MAX)
}

pub fn count_up_to(model: &Rc<Model>, options: RunOptions, limit: u64) -> Counts {
    let mut system = Interpreter::new(model.clone(), options);
    let mut out = Successors::new(false);
    let mut counts = Counts::default();
    let mut seen = HashSet::new();
    let hidden = system.hidden_bytes();
    let mut stack: Vec<Vec<u8>> = Vec::new();
    system.initial(&mut out);
    let mut arrivals = arrivals(&out, &mut counts);
    arrivals.reverse();
    stack.append(&mut arrivals);
    while let Some(state) = stack.pop() {
        if !seen.insert(state[..state.len() - hidden].to_vec()) {
            counts.matched += 1;
            continue;
        }
        counts.stored += 1;
        if counts.stored >= limit {
            break;
        }
        system.expand(&state, Selection::All, &mut out);
        if out.blocked == Some(Blocked::InvalidEnd) {
            counts.errors += 1;
            counts.kinds.push(ViolationKind::InvalidEndState);
        }
        let mut next = self::arrivals(&out, &mut counts);
        if out
            .items
            .iter()
            .any(|i| matches!(i, Item::Violation { violation, .. } if violation.kind.fatal()))
        {
            break;
        }
        next.reverse();
        stack.append(&mut next);
    }
    counts
}

fn arrivals(out: &Successors, counts: &mut Counts) -> Vec<Vec<u8>> {
    let mut states = Vec::new();
    for item in &out.items {
        match item {
            Item::Target { start, end, .. } => states.push(out.slice((*start, *end)).to_vec()),
            Item::Violation { violation, .. } => {
                counts.errors += 1;
                counts.kinds.push(violation.kind);
            }
        }
    }
    states
}

/// stored, matched, errors
pub fn numbers(model: Model) -> (u64, u64, u64) {
    let counts = count(&Rc::new(model), RunOptions::default());
    (counts.stored, counts.matched, counts.errors)
}

/// Builds models by hand; edges are given as (action, target) per location.
#[derive(Default)]
pub struct Builder {
    pub model: Model,
}

pub struct EdgeSpec {
    pub action: Action,
    pub target: u32,
    pub keeps_atomic: bool,
    pub escape: u16,
}

pub fn edge(action: Action, target: u32) -> EdgeSpec {
    EdgeSpec { action, target, keeps_atomic: false, escape: 0 }
}

impl EdgeSpec {
    pub fn atomic(mut self) -> Self {
        self.keeps_atomic = true;
        self
    }

    pub fn escape(mut self, number: u16) -> Self {
        self.escape = number;
        self
    }
}

pub fn byte(offset: u32) -> Place {
    Place { region: Region::Global, offset, ty: ScalarType::Byte, indices: Vec::new() }
}

pub fn local(offset: u32) -> Place {
    Place { region: Region::Local, offset, ty: ScalarType::Byte, indices: Vec::new() }
}

pub fn number(value: i32) -> Expr {
    Expr::Const(value)
}

pub fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, Box::new(a), Box::new(b))
}

pub fn equal(place: Place, value: i32) -> Expr {
    binary(BinaryOp::Equal, Expr::Load(place), number(value))
}

pub fn set(place: Place, value: Expr) -> Action {
    Action::Assign { target: Some(place), value }
}

pub fn when(e: Expr) -> Action {
    Action::Condition(e)
}

pub fn channel(number: i32) -> Expr {
    Expr::Const(number)
}

pub fn send(channel: Expr, arguments: &[i32]) -> Action {
    let arguments = arguments.iter().map(|&v| number(v)).collect();
    Action::Send { channel, sorted: false, arguments }
}

pub fn receive(channel: Expr, patterns: Vec<Pattern>) -> Action {
    Action::Receive { channel, random: false, keep: false, patterns }
}

impl Builder {
    pub fn globals(bytes: u32) -> Self {
        let mut builder = Self::default();
        builder.model.global_bytes = bytes;
        builder.model.globals = (0..bytes)
            .map(|offset| Variable {
                path: vec![(format!("g{offset}"), None)],
                ty: ScalarType::Byte,
                offset,
                span: Default::default(),
                parameter: false,
            })
            .collect();
        builder
    }

    pub fn channel(mut self, capacity: u32, fields: &[ScalarType]) -> Self {
        let ty = ChannelTypeId(self.model.channel_types.len() as u16);
        self.model.channel_types.push(ChannelType { capacity, fields: fields.to_vec() });
        let name = format!("q{}", self.model.channels.len());
        self.model.channels.push(Channel { ty, name });
        self
    }

    pub fn graph(&mut self, locations: Vec<Vec<EdgeSpec>>) -> Graph {
        let mut graph = Graph::default();
        for edges in locations {
            let mut location = Location::default();
            for spec in edges {
                let id = EdgeId(self.model.edge_count);
                self.model.edge_count += 1;
                location.edges.push(Edge {
                    id,
                    statement: StatementId(0),
                    action: spec.action,
                    target: LocationId(spec.target),
                    keeps_atomic: spec.keeps_atomic,
                    escape: spec.escape,
                });
            }
            graph.locations.push(location);
        }
        graph
    }

    /// A process type whose last location is its end.
    pub fn proctype(&mut self, mut locations: Vec<Vec<EdgeSpec>>, local_bytes: u32) -> Proctype {
        locations.push(vec![edge(Action::End, 0)]);
        let mut graph = self.graph(locations);
        let exit = LocationId(graph.locations.len() as u32 - 1);
        if let Some(last) = graph.locations.last_mut() {
            last.valid_end = true;
        }
        Proctype {
            name: format!("P{}", self.model.proctypes.len()),
            span: Default::default(),
            parameters: Vec::new(),
            locals: Vec::new(),
            local_bytes,
            initializers: Vec::new(),
            channels: Vec::new(),
            graph,
            entry: LocationId(0),
            exit,
            provided: None,
            deterministic: false,
            priority: 1,
        }
    }

    /// An active process; the end is location `locations.len()`.
    pub fn active(mut self, locations: Vec<Vec<EdgeSpec>>) -> Self {
        let proctype = self.proctype(locations, 2);
        let id = ProctypeId(self.model.proctypes.len() as u16);
        self.model.proctypes.push(proctype);
        self.model.initial_processes.push(id);
        self
    }

    pub fn end_label(mut self, process: usize, location: usize) -> Self {
        self.model.proctypes[process].graph.locations[location].valid_end = true;
        self
    }

    pub fn numbers(self) -> (u64, u64, u64) {
        numbers(self.model)
    }

    pub fn kinds(self) -> Vec<ViolationKind> {
        count(&Rc::new(self.model), RunOptions::default()).kinds
    }
}
