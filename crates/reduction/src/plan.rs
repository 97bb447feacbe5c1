//! What can be said of a location once and for all.

use crate::conflict::{Conflict, conflict};
use crate::guard::own_guards;
use crate::sticky::{Step, Walks};
use crate::{Goal, Preserve, Reason};
use promenade_analysis::{
    Bits, ChannelRef, EdgeFacts, Facts, Operation, Special, promises_are_kept,
};
use promenade_ir::{Action, Edge, EdgeId, Expr, Model, Pattern};
use std::collections::HashSet;

/// A channel operation of a candidate.
#[derive(Clone, Debug)]
pub(crate) struct ChannelStep {
    pub edge: EdgeId,
    pub channel: ChannelRef,
    pub operation: Operation,
    /// Uses that disturb it always, and those that disturb it depending on the fill; by number.
    pub always: Bits,
    pub by_fill: Bits,
}

/// What has to be looked at in a state.
#[derive(Clone, Debug)]
pub(crate) struct Conditions {
    pub reads: Bits,
    pub writes: Bits,
    /// Both.
    pub touched: Bits,
    pub channels: Vec<ChannelStep>,
    /// Edges that lead to an offer of a rendezvous, with the uses that are decided by it.
    pub offers: Vec<(EdgeId, Bits)>,
    /// The process ends here.
    pub dies: bool,
    /// The edges concerned, as location and position.
    pub edges: Vec<(usize, usize)>,
}

impl Conditions {
    fn is_empty(&self) -> bool {
        self.reads.is_empty()
            && self.writes.is_empty()
            && self.channels.is_empty()
            && self.offers.is_empty()
            && !self.dies
    }
}

/// One edge of a location.
#[derive(Clone, Debug)]
pub(crate) struct Alternative {
    /// While one of these is false the edge is disabled, and stays so until the process moves.
    pub guards: Vec<Expr>,
    /// What has to be looked at otherwise, or why the edge is never part of an ample set.
    pub conditions: Result<Conditions, Reason>,
}

/// A location of a process type.
#[derive(Clone, Debug)]
pub(crate) enum Plan {
    /// Never an ample set.
    Never(Reason),
    /// Always one (if a step is enabled).
    Free,
    /// It depends.
    If(Vec<Alternative>),
}

/// Edges of one step, those of its atomic sequence included, that are looked at. Longer sequences are
/// rare, and to look at all edges from each of them on takes long.
const MOST_CLOSURE: usize = 500;

pub(crate) struct Planner<'a> {
    model: &'a Model,
    facts: &'a Facts,
    goal: &'a Goal,
    /// The property sees local work of processes.
    strict: bool,
    /// Channels that the trace assertion follows, with the direction, and what it reads.
    traced: Vec<(Bits, bool)>,
    trace_reads: Bits,
    /// Rendezvous channels for which it matters elsewhere whether they are offered.
    decisive: Bits,
}

impl<'a> Planner<'a> {
    pub(crate) fn new(model: &'a Model, facts: &'a Facts, goal: &'a Goal) -> Self {
        let strict = goal.accept_labels
            || goal.observed.as_ref().is_some_and(|o| {
                let seen = |sets: &[HashSet<u32>]| sets.iter().any(|set| !set.is_empty());
                seen(&o.locals) || seen(&o.locations) || o.special.any_of(Special::NON_PROGRESS)
            });
        let mut reads = facts.nothing_observed(model);
        let mut traced = Vec::new();
        for (_, event) in model.trace.iter().flat_map(|trace| &trace.events) {
            let channel = facts.channels.resolve(&event.channel, None);
            traced.push((facts.channels.among(&channel), event.send));
            facts.observe_expr(&mut reads, &event.channel);
            for pattern in &event.patterns {
                if let Pattern::Match(value) = pattern {
                    facts.observe_expr(&mut reads, value);
                }
            }
        }
        let mut decisive = facts.channels.none();
        for one in &facts.uses {
            let rendezvous = || facts.channels.may_have(&one.channel, |capacity| capacity == 0);
            if decides(one.operation, strict) && rendezvous() {
                decisive.unite(&facts.channels.among(&one.channel));
            }
        }
        Self { model, facts, goal, strict, traced, trace_reads: reads.objects, decisive }
    }

    /// Why nothing is reduced in this model at all.
    pub(crate) fn nowhere(&self) -> Option<Reason> {
        let all = self.facts.special;
        if self.model.uses_priorities || all.any_of(Special::PRIORITY) {
            return Some(Reason::Priorities);
        }
        if self.model.uses_last || all.any_of(Special::LAST) {
            return Some(Reason::Last);
        }
        if self.goal.preserve == Preserve::Safety && !promises_are_kept(self.model) {
            return Some(Reason::Promises);
        }
        if all.any_of(Special::ENABLED.and(Special::NON_PROGRESS)) {
            return Some(Reason::Enabled);
        }
        let everything = Special::TIMEOUT
            .and(Special::LAST)
            .and(Special::PRIORITY)
            .and(Special::ENABLED)
            .and(Special::WRITES_GLOBAL);
        if self.goal.observed.as_ref().is_some_and(|o| o.special.any_of(everything)) {
            return Some(Reason::PropertySeesAll);
        }
        self.goal.weak_fairness.then_some(Reason::WeakFairness)
    }

    /// Plans by type and location.
    pub(crate) fn plans(&self) -> Vec<Vec<Plan>> {
        let types = self.facts.types.iter().enumerate();
        types
            .map(|(ty, facts)| (0..facts.locations.len()).map(|at| self.plan(ty, at)).collect())
            .collect()
    }

    fn plan(&self, ty: usize, at: usize) -> Plan {
        let proctype = &self.model.proctypes[ty];
        let edges = &proctype.graph.locations[at].edges;
        let mut alternatives = Vec::new();
        for (number, edge) in edges.iter().enumerate() {
            let conditions = self.alternative(ty, at, number);
            // A clause that goes wrong does so whatever the guards say.
            let guards = match &proctype.provided {
                Some(_) => Vec::new(),
                None => own_guards(&edge.action),
            };
            match &conditions {
                Err(reason) if guards.is_empty() => return Plan::Never(*reason),
                Ok(conditions) if conditions.is_empty() => {}
                _ => alternatives.push(Alternative { guards, conditions }),
            }
        }
        match (edges.is_empty(), alternatives.is_empty()) {
            (true, _) => Plan::Never(Reason::NoEdges),
            (_, true) => Plan::Free,
            _ => Plan::If(alternatives),
        }
    }

    /// The edges that a step by an edge may take: itself, and those that an atomic sequence goes on
    /// with. All of them count, enabled or not. Also whether the edge itself may be taken again.
    /// `None` where they are too many.
    fn closure(&self, ty: usize, at: usize, number: usize) -> Option<(Vec<(usize, usize)>, bool)> {
        let locations = &self.facts.types[ty].locations;
        let own = (at, number);
        let mut edges = vec![own];
        let mut entered = Vec::new();
        let mut next = 0;
        while let Some(&(location, number)) = edges.get(next) {
            next += 1;
            if next > MOST_CLOSURE {
                return None;
            }
            let Some(edge) = locations.get(location).and_then(|l| l.edges.get(number)) else {
                continue;
            };
            let target = edge.target.0 as usize;
            if !edge.keeps_atomic || entered.contains(&target) {
                continue;
            }
            entered.push(target);
            let count = locations.get(target).map_or(0, |l| l.edges.len());
            let more = (0..count).map(|number| (target, number));
            edges.extend(more.filter(|pair| *pair != own));
        }
        Some((edges, entered.contains(&at)))
    }

    fn alternative(&self, ty: usize, at: usize, own: usize) -> Result<Conditions, Reason> {
        let facts = self.facts;
        let edge = facts.types[ty].locations[at].edges[own].id;
        let (edges, again) = self.closure(ty, at, own).ok_or(Reason::LongSequence(edge))?;
        let mut all = Conditions {
            reads: Bits::new(facts.objects()),
            writes: Bits::new(facts.objects()),
            touched: Bits::new(facts.objects()),
            channels: Vec::new(),
            offers: Vec::new(),
            dies: false,
            edges: edges.clone(),
        };
        for (location, number) in edges {
            let edge = &facts.types[ty].locations[location].edges[number];
            let code = &self.model.proctypes[ty].graph.locations[location].edges[number];
            self.special(edge)?;
            self.seen(ty, at, edge)?;
            self.offers(ty, edge, &mut all.offers);
            all.reads.unite(&edge.reads);
            all.writes.unite(&edge.writes);
            all.touched.unite(&edge.reads);
            all.touched.unite(&edge.writes);
            all.dies |= edge.special.any_of(Special::END);
            let first = (location, number) == (at, own)
                && !again
                && !matches!(code.action, Action::DStep(_));
            self.channels(edge, first, &mut all.channels)?;
        }
        if all.dies
            && let Some(observed) = &self.goal.observed
            && observed.special.any_of(existence())
        {
            return Err(Reason::Visible(facts.types[ty].locations[at].edges[own].id));
        }
        Ok(all)
    }

    /// What processes may do alone, by type, and what it would cost to forbid it.
    pub(crate) fn walks(&self, plans: &[Vec<Plan>]) -> Vec<Walks> {
        plans.iter().enumerate().map(|(ty, plans)| self.walks_of(ty, plans)).collect()
    }

    fn walks_of(&self, ty: usize, plans: &[Plan]) -> Walks {
        let proctype = &self.model.proctypes[ty];
        // In the middle of an atomic sequence a process rests rarely.
        let mut rests = vec![false; plans.len()];
        let entry = proctype.entry.0 as usize;
        let edges = proctype.graph.locations.iter().flat_map(|location| &location.edges);
        let ends = edges.filter(|edge| !edge.keeps_atomic).map(|edge| edge.target.0 as usize);
        for at in ends.chain([entry]) {
            rests.get_mut(at).into_iter().for_each(|rests| *rests = true);
        }
        let mut walks =
            Walks { steps: Vec::new(), costs: vec![0; plans.len()], distances: self.distances(ty) };
        for (at, plan) in plans.iter().enumerate() {
            if matches!(plan, Plan::Never(_)) {
                continue;
            }
            let mut cost = 4;
            for number in 0..proctype.graph.locations[at].edges.len() {
                let Ok(conditions) = self.alternative(ty, at, number) else { continue };
                cost = cost.min(self.cost(ty, &conditions));
                // On a cycle of states nobody ends.
                if conditions.dies {
                    continue;
                }
                walks.steps.push(self.step(ty, at, number, plans.len()));
            }
            walks.costs[at] = if rests[at] { cost } else { 0 };
        }
        walks
    }

    /// How many edges lead from the entry of a type to each location at least.
    fn distances(&self, ty: usize) -> Vec<u32> {
        let proctype = &self.model.proctypes[ty];
        let mut distances = vec![u32::MAX; proctype.graph.locations.len()];
        let mut queue = std::collections::VecDeque::new();
        if let Some(first) = distances.get_mut(proctype.entry.0 as usize) {
            *first = 0;
            queue.push_back(proctype.entry.0 as usize);
        }
        while let Some(at) = queue.pop_front() {
            let next = distances[at] + 1;
            for edge in &proctype.graph.locations[at].edges {
                let target = edge.target.0 as usize;
                if let Some(distance) = distances.get_mut(target).filter(|d| **d == u32::MAX) {
                    *distance = next;
                    queue.push_back(target);
                }
            }
        }
        distances
    }

    /// The step by an edge.
    fn step(&self, ty: usize, at: usize, number: usize, locations: usize) -> Step {
        let channels = &self.facts.channels;
        let mut to = Vec::new();
        let (mut may_take, mut may_put) = (channels.none(), channels.none());
        let certain = |action: &Action| match action {
            Action::Send { .. } => (false, true),
            Action::Receive { keep: false, .. } => (true, false),
            _ => (false, false),
        };
        let own = &self.model.proctypes[ty].graph.locations[at].edges[number].action;
        let (takes, puts) = certain(own);
        let mut first = None;
        let Some((closure, _)) = self.closure(ty, at, number) else {
            // It may lead anywhere and use any channel.
            may_take.insert(channels.any());
            may_put.insert(channels.any());
            let to = (0..locations).collect();
            return Step { from: at, to, takes: None, puts: None, may_take, may_put };
        };
        for (place, (location, number)) in closure.into_iter().enumerate() {
            let edge = &self.facts.types[ty].locations[location].edges[number];
            let target = edge.target.0 as usize;
            if target < locations && !to.contains(&target) {
                to.push(target);
            }
            for one in edge.uses.iter().map(|number| &self.facts.uses[*number as usize]) {
                let among = channels.among(&one.channel);
                match one.operation {
                    Operation::Send | Operation::SortedSend => _ = may_put.unite(&among),
                    Operation::Receive | Operation::RandomReceive => _ = may_take.unite(&among),
                    _ => continue,
                }
                if place == 0 {
                    first.get_or_insert(among);
                }
            }
        }
        Step {
            from: at,
            to,
            takes: first.clone().filter(|_| takes),
            puts: first.filter(|_| puts),
            may_take,
            may_put,
        }
    }

    /// How likely an edge is part of an ample set, from 1 (others are in the way as long as they
    /// live) to 4 (always).
    fn cost(&self, ty: usize, conditions: &Conditions) -> u8 {
        let model = self.model;
        let started = model.initial_processes.iter().filter(|p| usize::from(p.0) == ty).count();
        let alone = started == 1 && !self.facts.special.any_of(Special::RUN);
        let others =
            self.facts.types.iter().enumerate().filter(|(other, _)| *other != ty || !alone);
        let futures = others.filter_map(|(other, facts)| {
            let entry = model.proctypes.get(other)?.entry.0 as usize;
            facts.locations.get(entry).map(|location| &location.future)
        });
        let mut cost = 4;
        for future in futures {
            let steps = &conditions.channels;
            if conditions.touched.meets(&future.writes)
                || conditions.writes.meets(&future.reads)
                || steps.iter().any(|step| step.always.meets(&future.uses))
            {
                return 1;
            }
            if conditions.offers.iter().any(|(_, decided)| decided.meets(&future.uses)) {
                cost = cost.min(2);
            }
            if conditions.dies || steps.iter().any(|step| step.by_fill.meets(&future.uses)) {
                cost = cost.min(3);
            }
        }
        cost
    }

    fn special(&self, edge: &EdgeFacts) -> Result<(), Reason> {
        let has = |special| edge.special.any_of(special);
        if has(Special::TIMEOUT) {
            return Err(Reason::Timeout(edge.id));
        }
        if has(Special::NR_PR) {
            return Err(Reason::ProcessCount(edge.id));
        }
        if has(Special::RUN) {
            return Err(Reason::Creates(edge.id));
        }
        if has(Special::REMOTE_LOCATION.and(Special::REMOTE_LOAD)) {
            return Err(Reason::LooksAtProcess(edge.id));
        }
        Ok(())
    }

    /// Whether somebody sees what the edge changes: another process by a remote reference, or the
    /// property.
    fn seen(&self, ty: usize, at: usize, edge: &EdgeFacts) -> Result<(), Reason> {
        let target = edge.target.0;
        if edge.writes.meets(&self.trace_reads) {
            return Err(Reason::Traced(edge.id));
        }
        let observers = [
            (Some(&self.facts.remote), Reason::SeenByProcess(edge.id)),
            (self.goal.observed.as_ref(), Reason::Visible(edge.id)),
        ];
        for (observed, reason) in observers {
            let Some(observed) = observed else { continue };
            let (Some(locations), Some(locals)) =
                (observed.locations.get(ty), observed.locals.get(ty))
            else {
                return Err(reason);
            };
            let moves = target as usize != at
                && (locations.contains(&target) || locations.contains(&(at as u32)));
            let writes = edge.local_writes.iter().any(|byte| locals.contains(byte));
            if moves || writes || edge.writes.meets(&observed.objects) {
                return Err(reason);
            }
        }
        let graph = &self.model.proctypes[ty].graph;
        let here = &graph.locations[at];
        let there = graph.locations.get(target as usize).unwrap_or(here);
        let non_progress = Special::NON_PROGRESS;
        let observed = self.goal.observed.as_ref();
        let progress = observed.is_some_and(|o| o.special.any_of(non_progress));
        if (self.goal.accept_labels && here.accept != there.accept)
            || (progress && here.progress != there.progress)
        {
            return Err(Reason::Visible(edge.id));
        }
        Ok(())
    }

    /// The rendezvous that a step leads to an offer of, and that decide something elsewhere: the
    /// uses by others that would be decided.
    fn offers(&self, ty: usize, edge: &EdgeFacts, out: &mut Vec<(EdgeId, Bits)>) {
        if self.decisive.is_empty() {
            return;
        }
        let (facts, channels) = (self.facts, &self.facts.channels);
        let rendezvous = |q: &ChannelRef| channels.may_have(q, |capacity| capacity == 0);
        let target = facts.types[ty].locations.get(edge.target.0 as usize);
        for number in target.iter().flat_map(|t| &t.edges).flat_map(|e| &e.uses) {
            let one = &facts.uses[*number as usize];
            let receives = matches!(one.operation, Operation::Receive | Operation::RandomReceive);
            let among = channels.among(&one.channel);
            if !receives || !channels.may_meet(&self.decisive, &among) || !rendezvous(&one.channel)
            {
                continue;
            }
            let mut decided = Bits::new(facts.uses.len());
            for (number, other) in facts.uses.iter().enumerate() {
                if decides(other.operation, self.strict)
                    && rendezvous(&other.channel)
                    && channels.may_meet(&among, &channels.among(&other.channel))
                {
                    decided.insert(number);
                }
            }
            if !out.contains(&(edge.id, decided.clone())) {
                out.push((edge.id, decided));
            }
        }
    }

    /// The channel operations of an edge. Only the first step of a sequence is tried in a state
    /// that is known; the fill of a channel says nothing about later ones.
    fn channels(
        &self,
        edge: &EdgeFacts,
        first: bool,
        out: &mut Vec<ChannelStep>,
    ) -> Result<(), Reason> {
        let channels = &self.facts.channels;
        for number in &edge.uses {
            let one = &self.facts.uses[*number as usize];
            let changes = match one.operation {
                Operation::SendTested
                | Operation::ReceiveTested
                | Operation::SendAwaited
                | Operation::ReceiveAwaited => continue,
                Operation::SenseRoom | Operation::SenseMessage | Operation::SenseAll => false,
                _ => true,
            };
            let among = channels.among(&one.channel);
            if !channels.may_have(&one.channel, |capacity| capacity > 0) {
                return Err(Reason::Rendezvous(edge.id));
            }
            let sends = matches!(one.operation, Operation::Send | Operation::SortedSend);
            let follows = |(q, send): &(Bits, bool)| *send == sends && channels.may_meet(q, &among);
            if changes && self.traced.iter().any(follows) {
                return Err(Reason::Traced(edge.id));
            }
            let sees = |q: &ChannelRef| channels.may_meet(&channels.among(q), &among);
            if changes && self.goal.observed.as_ref().is_some_and(|o| o.channels.iter().any(sees)) {
                return Err(Reason::Visible(edge.id));
            }
            let mut step = ChannelStep {
                edge: edge.id,
                channel: one.channel.clone(),
                operation: one.operation,
                always: Bits::new(self.facts.uses.len()),
                by_fill: Bits::new(self.facts.uses.len()),
            };
            for (number, other) in self.facts.uses.iter().enumerate() {
                if !channels.may_meet(&among, &channels.among(&other.channel)) {
                    continue;
                }
                let lose = self.model.options.lose_messages;
                match conflict(one.operation, other.operation, lose, self.strict) {
                    Conflict::No => {}
                    Conflict::Fill if first => _ = step.by_fill.insert(number),
                    Conflict::Fill | Conflict::Always => _ = step.always.insert(number),
                }
            }
            out.push(step);
        }
        Ok(())
    }
}

/// Whether it matters elsewhere if a rendezvous is offered.
fn decides(operation: Operation, strict: bool) -> bool {
    operation == Operation::SendTested || (strict && operation == Operation::SendAwaited)
}

/// Ways to notice whether a process exists.
pub(crate) fn existence() -> Special {
    Special::NR_PR.and(Special::REMOTE_LOCATION).and(Special::REMOTE_LOAD).and(Special::RUN)
}

/// An edge of the model behind a pair of location and position.
pub(crate) fn edge_of(model: &Model, ty: usize, at: (usize, usize)) -> Option<&Edge> {
    model.proctypes.get(ty)?.graph.locations.get(at.0)?.edges.get(at.1)
}
