//! Which channels an expression may denote: a flow-insensitive points-to analysis over channel
//! variables, parameters and message fields.

use crate::bits::Bits;
use crate::cells::Cells;
use crate::walk::each_action;
use promenade_ir::{
    Action, ChannelTypeId, Expr, Initializer, Model, Pattern, Place, ProctypeId, Region, ScalarType,
};
use std::collections::{HashMap, HashSet};

/// A channel operand.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ChannelRef {
    /// Always the global channel with this number (from 1).
    Number(u32),
    /// What the process holds at this offset of its locals, a cell that does not change in the
    /// life of the process.
    Cell {
        /// Offset in the locals.
        offset: u32,
        /// What it may hold.
        among: Bits,
    },
    /// One of these abstract channels (see [`Channels`]).
    Among(Bits),
}

/// Abstract channels, numbered: the global ones in order, then for each process type its own (one
/// for all instances), then one that stands for "any".
#[derive(Clone, Debug)]
pub struct Channels {
    globals: usize,
    /// First abstract channel of each type.
    first_of: Vec<usize>,
    types: Vec<ChannelTypeId>,
    capacities: Vec<u32>,
    global_cells: HashMap<u32, Bits>,
    local_cells: Vec<HashMap<u32, Bits>>,
    /// What is sent in channel fields.
    messages: Bits,
    written_global: HashSet<u32>,
    written_local: Vec<HashSet<u32>>,
    /// Global cells that hold a channel from the start.
    initial: HashMap<u32, u32>,
}

impl Channels {
    /// Follows channels through the model.
    pub fn of(model: &Model) -> Self {
        let mut types: Vec<ChannelTypeId> = model.channels.iter().map(|c| c.ty).collect();
        let mut first_of = Vec::new();
        for proctype in &model.proctypes {
            first_of.push(types.len());
            types.extend(proctype.channels.iter().map(|c| c.ty));
        }
        let capacity = |ty: &ChannelTypeId| {
            model.channel_types.get(usize::from(ty.0)).map_or(0, |ty| ty.capacity)
        };
        let count = model.proctypes.len();
        let mut all = Self {
            globals: model.channels.len(),
            first_of,
            capacities: types.iter().map(capacity).collect(),
            messages: Bits::new(types.len() + 1),
            types,
            global_cells: HashMap::new(),
            local_cells: vec![HashMap::new(); count],
            written_global: HashSet::new(),
            written_local: vec![HashSet::new(); count],
            initial: HashMap::new(),
        };
        all.note_writes(model);
        while all.round(model) {}
        all
    }

    /// The abstract channel that stands for any.
    pub fn any(&self) -> usize {
        self.types.len()
    }

    /// An empty set of abstract channels.
    pub fn none(&self) -> Bits {
        Bits::new(self.types.len() + 1)
    }

    /// The abstract channel of a process's own channel.
    pub fn own(&self, proctype: usize, index: usize) -> usize {
        self.first_of.get(proctype).map_or(self.any(), |first| first + index)
    }

    /// How many global channels there are.
    pub fn globals(&self) -> usize {
        self.globals
    }

    /// Whether a set may hold a channel.
    pub fn may_hold(&self, set: &Bits, channel: usize) -> bool {
        set.contains(self.any()) || set.contains(channel)
    }

    /// Whether two sets may have a channel in common.
    pub fn may_meet(&self, a: &Bits, b: &Bits) -> bool {
        let any = self.any();
        a.meets(b) || (a.contains(any) && !b.is_empty()) || (b.contains(any) && !a.is_empty())
    }

    /// What an operand may denote.
    pub fn among(&self, channel: &ChannelRef) -> Bits {
        match channel {
            ChannelRef::Number(n) => {
                let mut set = self.none();
                set.insert(*n as usize - 1);
                set
            }
            ChannelRef::Cell { among, .. } | ChannelRef::Among(among) => among.clone(),
        }
    }

    /// Whether the operand may denote a channel that satisfies a test of its capacity.
    pub fn may_have(&self, channel: &ChannelRef, test: impl Fn(u32) -> bool) -> bool {
        let set = self.among(channel);
        let all = set.contains(self.any());
        self.capacities.iter().enumerate().any(|(n, c)| (all || set.contains(n)) && test(*c))
    }

    /// Resolves a channel operand of a process type (`None`: of a claim).
    pub fn resolve(&self, expr: &Expr, owner: Option<usize>) -> ChannelRef {
        let among = self.value(expr, owner);
        if let Expr::Load(place) = expr
            && place.ty == ScalarType::Chan
            && place.indices.is_empty()
        {
            match place.region {
                Region::Global if !self.written_global.contains(&place.offset) => {
                    if let Some(&channel) = self.initial.get(&place.offset) {
                        return ChannelRef::Number(channel + 1);
                    }
                }
                Region::Local
                    if owner.is_some_and(|t| !self.written_local[t].contains(&place.offset)) =>
                {
                    return ChannelRef::Cell { offset: place.offset, among };
                }
                _ => {}
            }
        }
        if let Expr::Const(n) = expr
            && usize::try_from(*n).is_ok_and(|n| n > 0 && n <= self.globals)
        {
            return ChannelRef::Number(*n as u32);
        }
        ChannelRef::Among(among)
    }

    /// Notes which channel cells change after their owner has come to life.
    fn note_writes(&mut self, model: &Model) {
        for (number, proctype) in model.proctypes.iter().enumerate() {
            for edge in proctype.graph.locations.iter().flat_map(|l| &l.edges) {
                each_action(&edge.action, &mut |action| {
                    let mut note = |place: &Place| {
                        if place.ty != ScalarType::Chan {
                            return;
                        }
                        let set = match place.region {
                            Region::Local => &mut self.written_local[number],
                            _ => &mut self.written_global,
                        };
                        set.extend(Cells::of(place).bytes());
                    };
                    match action {
                        Action::Assign { target: Some(place), .. }
                        | Action::Run { target: Some(place), .. } => note(place),
                        Action::Receive { patterns, .. } => {
                            for pattern in patterns {
                                if let Pattern::Store(place) = pattern {
                                    note(place);
                                }
                            }
                        }
                        _ => {}
                    }
                });
            }
        }
        for initializer in &model.initializers {
            match initializer {
                Initializer::Channel { place, channel } if place.region == Region::Global => {
                    for byte in Cells::of(place).bytes() {
                        if self.initial.insert(byte, *channel).is_some() {
                            self.written_global.insert(byte);
                        }
                    }
                }
                Initializer::Value { place, count, stride, .. }
                    if place.region == Region::Global && place.ty == ScalarType::Chan =>
                {
                    for n in 0..*count {
                        self.written_global.insert(place.offset + n * stride);
                    }
                }
                _ => {}
            }
        }
    }

    /// The channels that a value may be.
    fn value(&self, expr: &Expr, owner: Option<usize>) -> Bits {
        let mut set = self.none();
        match expr {
            Expr::Const(0) => {}
            Expr::Const(n) => {
                let at = usize::try_from(*n).ok().and_then(|n| n.checked_sub(1));
                set.insert(at.filter(|at| *at < self.globals).unwrap_or(self.any()));
            }
            Expr::Load(place) if place.ty == ScalarType::Chan => {
                let cells = match (place.region, owner) {
                    (Region::Local, Some(owner)) => self.local_cells.get(owner),
                    (Region::Global, _) => Some(&self.global_cells),
                    _ => None,
                };
                match cells {
                    Some(cells) => Cells::of(place).each_byte(&mut |byte| {
                        if let Some(more) = cells.get(&byte) {
                            set.unite(more);
                        }
                    }),
                    None => _ = set.insert(self.any()),
                }
            }
            Expr::Conditional(_, a, b) => {
                set = self.value(a, owner);
                set.unite(&self.value(b, owner));
            }
            _ => _ = set.insert(self.any()),
        }
        set
    }

    /// Adds to what a place may hold; true if that is new.
    fn flow(&mut self, place: &Place, owner: Option<usize>, value: &Bits) -> bool {
        if place.ty != ScalarType::Chan {
            return false;
        }
        let none = self.none();
        let cells = match (place.region, owner) {
            (Region::Local, Some(owner)) => &mut self.local_cells[owner],
            (Region::Global, _) => &mut self.global_cells,
            _ => return false,
        };
        let mut changed = false;
        Cells::of(place).each_byte(&mut |byte| {
            changed |= cells.entry(byte).or_insert_with(|| none.clone()).unite(value);
        });
        changed
    }

    /// Types of the channels that an operand may denote.
    fn types_of(&self, expr: &Expr, owner: usize) -> Vec<ChannelTypeId> {
        let set = self.value(expr, Some(owner));
        let all = set.contains(self.any());
        let chosen = self.types.iter().enumerate().filter(|(n, _)| all || set.contains(*n));
        let mut types: Vec<_> = chosen.map(|(_, ty)| *ty).collect();
        types.sort_unstable_by_key(|ty| ty.0);
        types.dedup();
        types
    }

    /// Whether field `at` of some (or of every) channel of these types holds a channel.
    fn holds_channel(model: &Model, types: &[ChannelTypeId], at: usize) -> (bool, bool) {
        let mut fields = types
            .iter()
            .filter_map(|ty| model.channel_types.get(usize::from(ty.0))?.fields.get(at));
        let some = fields.clone().any(|f| *f == ScalarType::Chan);
        (some, fields.all(|f| *f == ScalarType::Chan))
    }

    fn initialize(&mut self, initializers: &[Initializer], owner: Option<usize>) -> bool {
        let mut changed = false;
        for initializer in initializers {
            match initializer {
                Initializer::Value { place, value, count, stride } => {
                    let value = self.value(value, owner);
                    for n in 0..*count {
                        let offset = place.offset.wrapping_add(n.wrapping_mul(*stride));
                        let place = Place { offset, ..place.clone() };
                        changed |= self.flow(&place, owner, &value);
                        if place.ty != ScalarType::Chan {
                            break;
                        }
                    }
                }
                Initializer::Channel { place, channel } => {
                    let mut value = self.none();
                    value.insert(match owner {
                        Some(owner) => self.own(owner, *channel as usize),
                        None => *channel as usize,
                    });
                    changed |= self.flow(place, owner, &value);
                }
            }
        }
        changed
    }

    /// Applies every assignment once; true if something was new.
    fn round(&mut self, model: &Model) -> bool {
        let mut changed = self.initialize(&model.initializers, None);
        for (owner, proctype) in model.proctypes.iter().enumerate() {
            changed |= self.initialize(&proctype.initializers, Some(owner));
            for edge in proctype.graph.locations.iter().flat_map(|l| &l.edges) {
                each_action(&edge.action, &mut |action| {
                    changed |= self.apply(model, action, owner);
                });
            }
        }
        changed
    }

    fn apply(&mut self, model: &Model, action: &Action, owner: usize) -> bool {
        let mut changed = false;
        match action {
            Action::Assign { target: Some(place), value } if place.ty == ScalarType::Chan => {
                let value = self.value(value, Some(owner));
                changed = self.flow(place, Some(owner), &value);
            }
            Action::Run { proctype, arguments, target, .. } => {
                changed |= self.pass(model, *proctype, arguments, owner);
                if let Some(place) = target {
                    let mut value = self.none();
                    value.insert(self.any());
                    changed |= self.flow(place, Some(owner), &value);
                }
            }
            Action::Send { channel, arguments, .. } => {
                let types = self.types_of(channel, owner);
                for (at, argument) in arguments.iter().enumerate() {
                    if Self::holds_channel(model, &types, at).0 {
                        let value = self.value(argument, Some(owner));
                        changed |= self.messages.unite(&value);
                    }
                }
            }
            Action::Receive { channel, patterns, .. } => {
                let types = self.types_of(channel, owner);
                for (at, pattern) in patterns.iter().enumerate() {
                    let Pattern::Store(place) = pattern else { continue };
                    if place.ty == ScalarType::Chan {
                        let mut value = self.messages.clone();
                        if !Self::holds_channel(model, &types, at).1 {
                            value.insert(self.any());
                        }
                        changed |= self.flow(place, Some(owner), &value);
                    }
                }
            }
            _ => {}
        }
        changed
    }

    fn pass(&mut self, model: &Model, to: ProctypeId, arguments: &[Expr], owner: usize) -> bool {
        let to = usize::from(to.0);
        let Some(proctype) = model.proctypes.get(to) else { return false };
        let mut changed = false;
        for (parameter, argument) in proctype.parameters.iter().zip(arguments) {
            if parameter.ty == ScalarType::Chan {
                let value = self.value(argument, Some(owner));
                changed |= self.flow(parameter, Some(to), &value);
            }
        }
        changed
    }
}
