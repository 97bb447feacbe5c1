//! Choice of ample sets: processes whose steps alone suffice in a state.
//!
//! A process suffices if all steps that it may make from its location, enabled or not (with what an
//! atomic sequence goes on with; only those are left out that the process alone could enable), are invisible to the property and independent of everything that
//! the other processes may do before it moves, and if nobody else can change which of them are
//! enabled. (D. Peled, Combining partial order reductions with on-the-fly model-checking, 1994;
//! G. J. Holzmann, D. Peled, An improvement in formal verification, 1994.) What others may do is what
//! can be reached from their present locations, so that a variable that only one process goes on
//! using is as good as its own, and channels are told apart by their numbers in the state.

use crate::conflict::settled;
use crate::guard::value;
use crate::plan::{Alternative, ChannelStep, Conditions, Plan, Planner, edge_of, existence};
use crate::sticky::{self, Sticky};
use crate::{CycleProviso, Goal, Preserve, Reason};
use promenade_analysis::{Bits, ChannelRef, Facts};
use promenade_ir::{EdgeId, Model};
use promenade_transition_system::TransitionSystem;
use std::rc::Rc;

/// Finds ample sets for one model and one goal.
///
/// The search expands a candidate alone and keeps that if the process has a step, no item is a
/// violation that ends its path, and [`Selector::proviso`] is met; otherwise it goes on with the
/// next candidate, and at last expands everything. Successors of candidates that failed may be kept.
pub struct Selector {
    model: Rc<Model>,
    facts: Facts,
    plans: Vec<Vec<Plan>>,
    nowhere: Option<Reason>,
    proviso: CycleProviso,
    /// Sticky locations by type; none where the search watches cycles.
    sticky: Sticky,
    /// Channels of each type.
    own_channels: Vec<usize>,
    control: Vec<(u32, u32)>,
}

impl Selector {
    /// Looks through the model.
    pub fn new(model: Rc<Model>, goal: &Goal) -> Self {
        let facts = Facts::of(&model);
        Self::with_facts(model, facts, goal)
    }

    /// With facts at hand.
    pub fn with_facts(model: Rc<Model>, facts: Facts, goal: &Goal) -> Self {
        let planner = Planner::new(&model, &facts, goal);
        let nowhere = planner.nowhere();
        let plans = if nowhere.is_some() { Vec::new() } else { planner.plans() };
        let sticky = if goal.sticky && nowhere.is_none() && goal.preserve != Preserve::Deadlocks {
            let lossy = model.options.lose_messages;
            sticky::choose(&planner.walks(&plans), &facts.channels, lossy)
        } else {
            Vec::new()
        };
        let own_channels = model.proctypes.iter().map(|p| p.channels.len()).collect();
        let proviso = goal.proviso();
        Self { model, facts, plans, nowhere, proviso, sticky, own_channels, control: Vec::new() }
    }

    /// The facts of the model.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The condition on cycles that the search has to check.
    pub fn proviso(&self) -> CycleProviso {
        self.proviso
    }

    /// With other sticky locations, by type, to show what they are good for.
    pub fn with_sticky(self, sticky: Vec<Vec<bool>>) -> Self {
        Self { sticky, ..self }
    }

    /// Sticky locations by type; empty where the search has to watch cycles.
    pub fn sticky(&self) -> &[Vec<bool>] {
        &self.sticky
    }

    /// Why there is no reduction in this model at all, if so.
    pub fn nowhere(&self) -> Option<Reason> {
        self.nowhere
    }

    /// Whether all steps of a location suffice in every state in which they can be made.
    pub(crate) fn is_free(&self, ty: usize, location: usize) -> bool {
        let plan = self.plans.get(ty).and_then(|plans| plans.get(location));
        self.nowhere.is_none() && matches!(plan, Some(Plan::Free))
    }

    /// Goes to a state.
    pub fn prepare<S: TransitionSystem + ?Sized>(&mut self, system: &S, state: &[u8]) {
        if self.nowhere.is_none() {
            system.control(state, &mut self.control);
        }
    }

    /// The youngest process below pid `limit` whose steps suffice in the prepared state, which is
    /// `state` still. Start with 256; go on with the last answer to get the next candidate.
    pub fn candidate_below<S: TransitionSystem + ?Sized>(
        &self,
        system: &S,
        state: &[u8],
        limit: u16,
    ) -> Option<u8> {
        if self.nowhere.is_some() {
            return None;
        }
        let count = self.control.len().min(usize::from(limit)).min(256);
        (0..count as u16)
            .rev()
            .map(|pid| pid as u8)
            .find(|pid| self.examine(system, state, *pid, false).is_ok())
    }

    /// All candidates from the youngest.
    pub fn candidates<S: TransitionSystem + ?Sized>(
        &mut self,
        system: &S,
        state: &[u8],
        out: &mut Vec<u8>,
    ) {
        out.clear();
        self.prepare(system, state);
        let mut limit = 256;
        while let Some(pid) = self.candidate_below(system, state, limit) {
            out.push(pid);
            limit = u16::from(pid);
        }
    }

    /// For every process by pid why its steps do not suffice, or `None` if they do.
    pub fn explain<S: TransitionSystem + ?Sized>(
        &mut self,
        system: &S,
        state: &[u8],
    ) -> Vec<Option<Reason>> {
        system.control(state, &mut self.control);
        let count = self.control.len().min(256) as u16;
        (0..count).map(|pid| self.examine(system, state, pid as u8, true).err()).collect()
    }

    /// Whether a process suffices. The edge of a reason is right only if `explain`.
    fn examine<S: TransitionSystem + ?Sized>(
        &self,
        system: &S,
        state: &[u8],
        pid: u8,
        explain: bool,
    ) -> Result<(), Reason> {
        if let Some(reason) = self.nowhere {
            return Err(reason);
        }
        let (ty, at) = self.control.get(usize::from(pid)).ok_or(Reason::NoControl)?;
        let plans = self.plans.get(*ty as usize).ok_or(Reason::NoControl)?;
        let marks = self.sticky.get(*ty as usize);
        let sticky = marks.and_then(|marks| marks.get(*at as usize)).copied().unwrap_or(false);
        if sticky && !explain {
            return Err(Reason::Sticky);
        }
        let stands = if sticky { Err(Reason::Sticky) } else { Ok(()) };
        match plans.get(*at as usize).ok_or(Reason::NoControl)? {
            Plan::Never(reason) => Err(*reason),
            Plan::Free => stands,
            Plan::If(alternatives) => {
                let all = alternatives.iter().try_for_each(|one| match &one.conditions {
                    _ if self.shut(one, system, state, pid) => Ok(()),
                    Ok(conditions) => {
                        self.conditions(conditions, system, state, (*ty as usize, pid), explain)
                    }
                    Err(reason) => Err(*reason),
                });
                all.and(stands)
            }
        }
    }

    /// Whether only the process itself can enable the statement, and has not.
    fn shut<S: TransitionSystem + ?Sized>(
        &self,
        one: &Alternative,
        system: &S,
        state: &[u8],
        pid: u8,
    ) -> bool {
        if one.guards.is_empty() {
            return false;
        }
        let Some(locals) = system.locals(state, pid) else { return false };
        one.guards.iter().any(|guard| value(guard, locals) == Some(0))
    }

    fn conditions<S: TransitionSystem + ?Sized>(
        &self,
        conditions: &Conditions,
        system: &S,
        state: &[u8],
        at: (usize, u8),
        explain: bool,
    ) -> Result<(), Reason> {
        self.variables(conditions, at.0, at.1, explain)?;
        let pid = at.1;
        self.death(conditions, system, state, pid)?;
        for (edge, decided) in &conditions.offers {
            if self.others(pid).any(|(_, future)| future.uses.meets(decided)) {
                return Err(Reason::OffersRendezvous(*edge));
            }
        }
        for step in &conditions.channels {
            self.channel(step, system, state, pid)?;
        }
        Ok(())
    }

    /// What each other process may still do.
    fn others(&self, pid: u8) -> impl Iterator<Item = (u8, &promenade_analysis::Future)> {
        self.control.iter().enumerate().filter_map(move |(other, (ty, at))| {
            let location = self.facts.types.get(*ty as usize)?.locations.get(*at as usize)?;
            (other != usize::from(pid)).then_some((other as u8, &location.future))
        })
    }

    fn variables(
        &self,
        conditions: &Conditions,
        ty: usize,
        pid: u8,
        explain: bool,
    ) -> Result<(), Reason> {
        let (reads, writes) = (&conditions.reads, &conditions.writes);
        if conditions.touched.is_empty() {
            return Ok(());
        }
        for (by, future) in self.others(pid) {
            if !conditions.touched.meets(&future.writes) && !writes.meets(&future.reads) {
                continue;
            }
            let object = reads
                .first_common(&future.writes)
                .or_else(|| writes.first_common(&future.writes))
                .or_else(|| writes.first_common(&future.reads));
            let Some(object) = object else { continue };
            let edge = if explain { self.edge_with(conditions, ty, object) } else { EdgeId(0) };
            return Err(Reason::Variable { edge, object: object as u32, by });
        }
        Ok(())
    }

    /// The first edge of an alternative that uses an object.
    fn edge_with(&self, conditions: &Conditions, ty: usize, object: usize) -> EdgeId {
        let touches = |at: &&(usize, usize)| {
            let edge = &self.facts.types[ty].locations[at.0].edges[at.1];
            edge.reads.contains(object) || edge.writes.contains(object)
        };
        let found = conditions.edges.iter().find(touches);
        let edge = found.and_then(|at| edge_of(&self.model, ty, *at));
        edge.map_or(EdgeId(0), |edge| edge.id)
    }

    /// Nobody may notice that the process is gone: by creating processes (whose pids would differ),
    /// counting them, looking into them, or using its channels.
    fn death<S: TransitionSystem + ?Sized>(
        &self,
        conditions: &Conditions,
        system: &S,
        state: &[u8],
        pid: u8,
    ) -> Result<(), Reason> {
        if !conditions.dies {
            return Ok(());
        }
        let own = self.channels_of(usize::from(pid));
        let before: usize = (0..usize::from(pid)).map(|p| self.channels_of(p)).sum();
        let first = self.facts.channels.globals() + before + 1;
        for (by, future) in self.others(pid) {
            if future.special.any_of(existence()) {
                return Err(Reason::Death { by });
            }
            for channel in first..first + own {
                let Some(kind) = self.kind(channel as u32) else { continue };
                let mut uses = future.uses.iter();
                if uses.any(|u| self.denotes(system, state, by, u, channel as u32, kind)) {
                    return Err(Reason::Death { by });
                }
            }
        }
        Ok(())
    }

    fn channels_of(&self, pid: usize) -> usize {
        let ty = self.control.get(pid).map(|(ty, _)| *ty as usize);
        ty.and_then(|ty| self.own_channels.get(ty)).copied().unwrap_or(0)
    }

    /// The abstract channel with a number, and the process that owns it.
    fn kind(&self, number: u32) -> Option<(usize, Option<usize>)> {
        let at = (number as usize).checked_sub(1)?;
        let globals = self.facts.channels.globals();
        let Some(mut left) = at.checked_sub(globals) else { return Some((at, None)) };
        for (pid, (ty, _)) in self.control.iter().enumerate() {
            let own = self.channels_of(pid);
            if left < own {
                return Some((self.facts.channels.own(*ty as usize, left), Some(pid)));
            }
            left -= own;
        }
        None
    }

    /// Whether a use by process `pid` may be one of channel `number`.
    fn denotes<S: TransitionSystem + ?Sized>(
        &self,
        system: &S,
        state: &[u8],
        pid: u8,
        one: usize,
        number: u32,
        kind: (usize, Option<usize>),
    ) -> bool {
        let channels = &self.facts.channels;
        match &self.facts.uses[one].channel {
            ChannelRef::Number(n) => *n == number,
            ChannelRef::Cell { offset, among } => {
                channels.may_hold(among, kind.0)
                    && system
                        .locals(state, pid)
                        .and_then(|locals| locals.get(*offset as usize))
                        .is_none_or(|byte| u32::from(*byte) == number)
            }
            ChannelRef::Among(among) => channels.may_hold(among, kind.0),
        }
    }

    /// The number of the channel that the candidate uses, if it is certain.
    fn number<S: TransitionSystem + ?Sized>(
        &self,
        channel: &ChannelRef,
        system: &S,
        state: &[u8],
        pid: u8,
    ) -> Option<u32> {
        match channel {
            ChannelRef::Number(number) => Some(*number),
            ChannelRef::Cell { offset, .. } => {
                let number = *system.locals(state, pid)?.get(*offset as usize)?;
                (number > 0).then_some(u32::from(number))
            }
            ChannelRef::Among(_) => None,
        }
    }

    fn channel<S: TransitionSystem + ?Sized>(
        &self,
        step: &ChannelStep,
        system: &S,
        state: &[u8],
        pid: u8,
    ) -> Result<(), Reason> {
        let edge = step.edge;
        let unknown = Reason::UnknownChannel(edge);
        let number = self.number(&step.channel, system, state, pid).ok_or(unknown)?;
        let kind = self.kind(number).ok_or(unknown)?;
        let (length, capacity) = system.channel_fill(state, number).ok_or(unknown)?;
        if capacity == 0 {
            return Err(Reason::Rendezvous(edge));
        }
        // A younger owner may die first and take the channel along.
        if let Some(owner) = kind.1.filter(|owner| *owner > usize::from(pid)) {
            return Err(Reason::Channel { edge, channel: number, by: owner as u8 });
        }
        let settled = settled(step.operation, length, capacity);
        for (by, future) in self.others(pid) {
            let may = |set: &Bits| {
                let uses = future.uses.iter().filter(|u| set.contains(*u));
                uses.into_iter().any(|u| self.denotes(system, state, by, u, number, kind))
            };
            if step.always.meets(&future.uses) && may(&step.always) {
                return Err(Reason::Channel { edge, channel: number, by });
            }
            if !settled && step.by_fill.meets(&future.uses) && may(&step.by_fill) {
                return Err(if length == 0 {
                    Reason::Empty { edge, channel: number, by }
                } else {
                    Reason::Full { edge, channel: number, by }
                });
            }
        }
        Ok(())
    }
}
