//! What one step touches.

use crate::cells::Cells;
use crate::channels::{ChannelRef, Channels};
use crate::walk::{Visitor, each_action, visit_action, visit_expr};
use promenade_ir::{
    Action, ChannelTest, Edge, Expr, Initializer, Location, LocationId, Model, Pattern, Place,
    Proctype, ProctypeId, Region,
};

/// How a step uses a channel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// `q!x`
    Send,
    /// `q!!x`
    SortedSend,
    /// `q?x`, or `q??x` that takes any message.
    Receive,
    /// `q??x` that looks for a message.
    RandomReceive,
    /// `full(q)`, `nfull(q)`
    SenseRoom,
    /// `empty(q)`, `nempty(q)`, `q?[x]`
    SenseMessage,
    /// `len(q)`, `q??[x]`
    SenseAll,
    /// Something else depends on whether a send can be made: an `else`, an escape of `unless`, an
    /// atomic sequence that would be interrupted.
    SendTested,
    /// The same for a receive.
    ReceiveTested,
    /// An atomic sequence that has done nothing yet but local work is interrupted unless a send can
    /// be made. Only who sees that local work notices when it was done.
    SendAwaited,
    /// The same for a receive.
    ReceiveAwaited,
}

/// Things in a step that are neither variables nor channels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Special(u16);

impl Special {
    /// Nothing of the kind.
    pub const NONE: Self = Self(0);
    /// Reads `timeout`.
    pub const TIMEOUT: Self = Self(1);
    /// Reads `_nr_pr`.
    pub const NR_PR: Self = Self(1 << 1);
    /// Reads `_last`.
    pub const LAST: Self = Self(1 << 2);
    /// Reads or sets a priority.
    pub const PRIORITY: Self = Self(1 << 3);
    /// Asks `enabled(p)` or `pc_value(p)`.
    pub const ENABLED: Self = Self(1 << 4);
    /// Reads `np_`.
    pub const NON_PROGRESS: Self = Self(1 << 5);
    /// Asks where another process is.
    pub const REMOTE_LOCATION: Self = Self(1 << 6);
    /// Reads locals of another process.
    pub const REMOTE_LOAD: Self = Self(1 << 7);
    /// Is an `else`.
    pub const ELSE: Self = Self(1 << 8);
    /// Creates a process.
    pub const RUN: Self = Self(1 << 9);
    /// Ends the process.
    pub const END: Self = Self(1 << 10);
    /// Writes a variable that is not its own (claims).
    pub const WRITES_GLOBAL: Self = Self(1 << 11);

    /// Both.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether there is something of `other` in it.
    pub const fn any_of(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// What a step touches, as written.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// Variables read.
    pub reads: Vec<Cells>,
    /// Variables written.
    pub writes: Vec<Cells>,
    /// Channels used.
    pub channels: Vec<(ChannelRef, Operation)>,
    /// Process types created.
    pub creates: Vec<ProctypeId>,
    /// Locations asked for.
    pub remote_locations: Vec<(ProctypeId, LocationId)>,
    /// Locals of others read.
    pub remote_cells: Vec<(ProctypeId, Cells)>,
    /// The rest.
    pub special: Special,
}

struct Collector<'a> {
    channels: &'a Channels,
    owner: Option<usize>,
    effects: Effects,
}

impl Visitor for Collector<'_> {
    fn expression(&mut self, expr: &Expr) {
        let special = match expr {
            Expr::Timeout => Special::TIMEOUT,
            Expr::NrPr => Special::NR_PR,
            Expr::Last => Special::LAST,
            Expr::Priority | Expr::GetPriority(_) => Special::PRIORITY,
            Expr::Enabled(_) | Expr::PcValue(_) => Special::ENABLED,
            Expr::NonProgress => Special::NON_PROGRESS,
            Expr::RemoteLocation { proctype, locations, .. } => {
                let all = locations.iter().map(|l| (*proctype, *l));
                self.effects.remote_locations.extend(all);
                Special::REMOTE_LOCATION
            }
            Expr::RemoteLoad { proctype, place, .. } => {
                self.effects.remote_cells.push((*proctype, Cells::of(place)));
                Special::REMOTE_LOAD
            }
            Expr::Len(q) => return self.uses(q, Operation::SenseAll),
            Expr::ChannelTest(ChannelTest::Full | ChannelTest::NotFull, q) => {
                return self.uses(q, Operation::SenseRoom);
            }
            Expr::ChannelTest(ChannelTest::Empty | ChannelTest::NotEmpty, q) => {
                return self.uses(q, Operation::SenseMessage);
            }
            Expr::Poll { channel, random, patterns } => {
                let looks = *random && patterns.iter().any(|p| matches!(p, Pattern::Match(_)));
                let operation = if looks { Operation::SenseAll } else { Operation::SenseMessage };
                return self.uses(channel, operation);
            }
            _ => return,
        };
        self.mark(special);
    }

    fn read(&mut self, place: &Place) {
        self.effects.reads.push(Cells::of(place));
    }

    fn write(&mut self, place: &Place) {
        self.effects.writes.push(Cells::of(place));
    }
}

impl Collector<'_> {
    fn uses(&mut self, channel: &Expr, operation: Operation) {
        self.effects.channels.push((self.channels.resolve(channel, self.owner), operation));
    }

    fn mark(&mut self, special: Special) {
        self.effects.special = self.effects.special.and(special);
    }

    /// A basic statement. `tested`: something depends on whether it can be executed.
    fn statement(&mut self, action: &Action, tested: bool) {
        visit_action(action, self);
        match action {
            Action::Send { channel, sorted, .. } => {
                self.uses(channel, if *sorted { Operation::SortedSend } else { Operation::Send });
                if tested {
                    self.uses(channel, Operation::SendTested);
                }
            }
            Action::Receive { channel, random, patterns, .. } => {
                let looks = *random && patterns.iter().any(|p| matches!(p, Pattern::Match(_)));
                let operation = if looks { Operation::RandomReceive } else { Operation::Receive };
                self.uses(channel, operation);
                if tested {
                    self.uses(channel, Operation::ReceiveTested);
                }
            }
            Action::Run { proctype, .. } => {
                self.effects.creates.push(*proctype);
                self.mark(Special::RUN);
            }
            Action::SetPriority { .. } => self.mark(Special::PRIORITY),
            Action::Else => self.mark(Special::ELSE),
            Action::End => self.mark(Special::END),
            _ => {}
        }
    }
}

/// The initial values of a process of some type: run by the one who creates it. What concerns
/// its own locals is left out, since nobody else sees them.
fn initial(model: &Model, proctype: ProctypeId, channels: &Channels, effects: &mut Effects) {
    let Some(ty) = model.proctypes.get(usize::from(proctype.0)) else { return };
    let owner = Some(usize::from(proctype.0));
    let mut collector = Collector { channels, owner, effects: Effects::default() };
    for initializer in &ty.initializers {
        if let Initializer::Value { value, .. } = initializer {
            visit_expr(value, &mut collector);
        }
    }
    let more = collector.effects;
    effects.reads.extend(more.reads.into_iter().filter(|c| c.region != Region::Local));
    // The new process's own cells cannot be resolved in the creator.
    let foreign =
        more.channels.into_iter().map(|(q, op)| (ChannelRef::Among(channels.among(&q)), op));
    effects.channels.extend(foreign);
    effects.remote_locations.extend(more.remote_locations);
    effects.remote_cells.extend(more.remote_cells);
    effects.special = effects.special.and(more.special);
}

/// What the edges of a location touch, the `provided` clause of the process type included (but see
/// [`inside`]).
pub fn of_location(
    model: &Model,
    channels: &Channels,
    owner: usize,
    location: &Location,
) -> Vec<Effects> {
    let other = |e: &Edge| e.escape > 0 || e.action.is_else();
    let tested = model.proctypes.get(owner).is_some_and(|p| p.deterministic)
        || location.edges.iter().any(other);
    location.edges.iter().map(|edge| of_edge(model, channels, owner, edge, tested)).collect()
}

/// The effects of one edge. `tested`: something depends on whether it can be executed.
fn of_edge(model: &Model, channels: &Channels, owner: usize, edge: &Edge, tested: bool) -> Effects {
    let mut collector = Collector { channels, owner: Some(owner), effects: Effects::default() };
    let proctype: Option<&Proctype> = model.proctypes.get(owner);
    if let Some(provided) = proctype.and_then(|p| p.provided.as_ref()) {
        visit_expr(provided, &mut collector);
    }
    let tested = tested || matches!(edge.action, Action::DStep(_) | Action::Sequence(_));
    each_action(&edge.action, &mut |action| collector.statement(action, tested));
    let mut effects = collector.effects;
    for proctype in effects.creates.clone() {
        initial(model, proctype, channels, &mut effects);
    }
    effects
}

/// Completes the effects of an edge that stands within an atomic sequence, which is interrupted where
/// the edge is not executable. `local`: nothing but local work was done before.
pub fn inside(effects: &mut Effects, local: bool) {
    let more = effects.channels.iter().filter_map(|(channel, operation)| {
        let operation = match (operation, local) {
            (Operation::Send | Operation::SortedSend, false) => Operation::SendTested,
            (Operation::Send | Operation::SortedSend, true) => Operation::SendAwaited,
            (Operation::Receive | Operation::RandomReceive, false) => Operation::ReceiveTested,
            (Operation::Receive | Operation::RandomReceive, true) => Operation::ReceiveAwaited,
            _ => return None,
        };
        Some((channel.clone(), operation))
    });
    let more: Vec<_> = more.collect();
    effects.channels.extend(more);
}

/// Whether a step is work of the process alone: it reads and writes nothing but locals that nobody
/// else looks at. `seen` says who looks at a byte.
pub fn is_local(effects: &Effects, seen: &dyn Fn(u32) -> bool) -> bool {
    let cells = effects.reads.iter().chain(&effects.writes);
    let mut watched = false;
    for written in &effects.writes {
        written.each_byte(&mut |byte| watched |= seen(byte));
    }
    cells.into_iter().all(|c| c.region == Region::Local)
        && !watched
        && effects.channels.is_empty()
        && (effects.special == Special::NONE || effects.special == Special::ELSE)
}

/// What an expression of a claim or formula touches.
pub fn of_expr(channels: &Channels, expr: &Expr) -> Effects {
    let mut collector = Collector { channels, owner: None, effects: Effects::default() };
    visit_expr(expr, &mut collector);
    collector.effects
}

/// What the steps of a claim touch.
pub fn of_claim(channels: &Channels, claim: &Proctype) -> Effects {
    let mut collector = Collector { channels, owner: None, effects: Effects::default() };
    for edge in claim.graph.locations.iter().flat_map(|l| &l.edges) {
        each_action(&edge.action, &mut |action| collector.statement(action, true));
    }
    let mut effects = collector.effects;
    if effects.writes.iter().any(|c| c.region != Region::Local) {
        effects.special = effects.special.and(Special::WRITES_GLOBAL);
    }
    effects.reads.retain(|c| c.region != Region::Local);
    effects
}
