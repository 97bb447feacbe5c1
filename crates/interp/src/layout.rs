//! Where things are in a state vector, as data for display.

use crate::Interpreter;
use promenade_ir::{Channel, ChannelType, Model, Proctype, ScalarType, Variable};

/// What a stretch of the state vector belongs to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Component {
    /// Process count, last pid, positions of claim and trace assertion.
    Header,
    /// Locals of the claim.
    Claim,
    /// A global variable.
    Global,
    /// A global channel.
    Channel,
    /// A part of the record of each process of this type; offsets count from the record's start.
    Process(String),
    /// A hidden global; offsets count from the end of the last process record.
    Hidden,
}

/// One entry of the layout table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayoutEntry {
    /// What it belongs to.
    pub component: Component,
    /// The declared name, or what it is in words.
    pub name: String,
    /// Byte offset, see [`Component`].
    pub offset: u32,
    /// Bytes.
    pub bytes: u32,
    /// Type and values, in words.
    pub range: String,
    /// Bits that the values need, all elements of an array together.
    pub bits: u64,
}

/// Type and values in words, and the bits that they need.
type Values = (String, u64);

/// Bits that tell `values` values apart.
fn bits_for(values: u64) -> u64 {
    u64::from(values.saturating_sub(1).checked_ilog2().map_or(0, |last| last + 1))
}

/// A type with its values, and the bits that they need.
fn scalar(model: &Model, ty: ScalarType) -> Values {
    let (text, bits) = match ty {
        ScalarType::Bit => ("bit: 0, 1", 1),
        ScalarType::Bool => ("bool: false, true", 1),
        ScalarType::Byte => ("byte: 0 to 255", 8),
        ScalarType::Pid => ("pid: 0 to 255", 8),
        ScalarType::Chan => ("chan: a channel, or none", 8),
        ScalarType::Short => ("short: -32768 to 32767", 16),
        ScalarType::Int => ("int: -2147483648 to 2147483647", 32),
        ScalarType::Unsigned(n) => {
            let n = n.min(31);
            return (format!("unsigned: 0 to {}", (1u32 << n) - 1), u64::from(n));
        }
        ScalarType::Mtype(set) => {
            let set = model.mtypes.get(usize::from(set.0));
            let names = set.map_or(0, |set| set.members.len() as u64);
            let name = set.and_then(|set| set.name.as_ref());
            let name = name.map_or_else(String::new, |name| format!(":{name}"));
            let plural = if names == 1 { "" } else { "s" };
            // Nothing was assigned yet: zero is a value, too.
            return (format!("mtype{name}: {names} name{plural}, or none"), bits_for(names + 1));
        }
    };
    (text.to_owned(), bits)
}

/// The same for a channel.
fn buffer(model: &Model, ty: &ChannelType) -> Values {
    let fields: Vec<Values> = ty.fields.iter().map(|ty| scalar(model, *ty)).collect();
    let names: Vec<&str> =
        fields.iter().map(|(text, _)| text.split(':').next().unwrap_or(text)).collect();
    let message: u64 = fields.iter().map(|(_, bits)| bits).sum();
    let capacity = u64::from(ty.capacity);
    let text = match ty.capacity {
        0 => format!("rendezvous of {{{}}}", names.join(", ")),
        1 => format!("1 message of {{{}}}", names.join(", ")),
        n => format!("{n} messages of {{{}}}", names.join(", ")),
    };
    (text, bits_for(capacity + 1) + capacity * message)
}

/// How many elements a variable has.
fn elements(variable: &Variable) -> u64 {
    let lengths = variable.path.iter().filter_map(|(_, dimension)| *dimension);
    lengths.fold(1, |all, dimension| all.saturating_mul(u64::from(dimension.length.max(1))))
}

/// What it holds: type, values and bits.
fn values(model: &Model, variable: &Variable) -> Values {
    let (text, bits) = scalar(model, variable.ty);
    (text, bits.saturating_mul(elements(variable)))
}

/// All elements of a variable together: name, first byte, bytes.
fn extent(variable: &Variable) -> (String, u32, u32) {
    let mut name = String::new();
    let mut last = 0;
    for (number, (segment, dimension)) in variable.path.iter().enumerate() {
        if number > 0 {
            name.push('.');
        }
        name.push_str(segment);
        if let Some(dimension) = dimension {
            name.push_str(&format!("[{}]", dimension.length));
            last += (dimension.length.max(1) - 1) * dimension.stride;
        }
    }
    (name, variable.offset, last + variable.ty.bytes())
}

impl Interpreter {
    /// The layout of the state vector: fixed part, then one group per process type, then hidden
    /// globals.
    pub fn layout(&self) -> Vec<LayoutEntry> {
        let (model, p) = (&self.model, &self.program);
        let mut table = Vec::new();
        let mut add = |component: &Component, name: &str, offset: u32, bytes: u32, of: Values| {
            let component = component.clone();
            let name = name.to_owned();
            let (range, bits) = of;
            table.push(LayoutEntry { component, name, offset, bytes, range, bits });
        };
        let byte = |what: &str| (format!("{what}: 0 to 255"), 8);
        let place = |graph: &promenade_ir::Graph| {
            let locations = graph.locations.len() as u64;
            let plural = if locations == 1 { "" } else { "s" };
            (format!("{locations} place{plural}"), bits_for(locations))
        };
        add(&Component::Header, "number of processes", 0, 1, byte("count"));
        if let Some(at) = p.last_offset {
            add(&Component::Header, "_last", at, 1, byte("pid"));
        }
        if let Some(claim) = &p.claim {
            let own = self.options().claim.and_then(|c| model.claims.get(c));
            let of = own.map(|c| place(&c.process.graph)).unwrap_or_default();
            let (at, bytes) = (claim.location_offset, p.location_bytes);
            add(&Component::Header, "claim: location", at, bytes, of);
            for variable in own.iter().flat_map(|c| &c.process.locals) {
                let (name, at, bytes) = extent(variable);
                let of = values(model, variable);
                add(&Component::Claim, &name, claim.locals_offset + at, bytes, of);
            }
        }
        if let Some(trace) = &p.trace {
            let of = model.trace.as_ref().map(|t| place(&t.process.graph)).unwrap_or_default();
            let (at, bytes) = (trace.location_offset, p.location_bytes);
            add(&Component::Header, "trace: location", at, bytes, of);
        }
        for variable in &model.globals {
            let (name, at, bytes) = extent(variable);
            add(&Component::Global, &name, p.globals_offset + at, bytes, values(model, variable));
        }
        for (channel, &(at, ty)) in model.channels.iter().zip(&p.channels) {
            let ty = &model.channel_types[ty as usize];
            add(&Component::Channel, &channel.name, at, ty.bytes(), buffer(model, ty));
        }
        for (proctype, compiled) in model.proctypes.iter().zip(&p.types) {
            let component = Component::Process(proctype.name.clone());
            let of = place(&proctype.graph);
            self.process_layout(proctype, of, &compiled.channels, &mut |name, at, bytes, of| {
                add(&component, name, at, bytes, of);
            });
        }
        for variable in &model.hidden {
            let (name, at, bytes) = extent(variable);
            add(&Component::Hidden, &name, at, bytes, values(model, variable));
        }
        table
    }

    fn process_layout(
        &self,
        proctype: &Proctype,
        place: Values,
        channels: &[(u32, u16)],
        add: &mut dyn FnMut(&str, u32, u32, Values),
    ) {
        let (model, p) = (&self.model, &self.program);
        let types = model.proctypes.len() as u64;
        let plural = if types == 1 { "" } else { "s" };
        add("process type", 0, p.type_bytes, (format!("{types} type{plural}"), bits_for(types)));
        add("location", p.type_bytes, p.location_bytes, place);
        if let Some(at) = p.priority_offset {
            add("priority", at, 1, ("1 to 255".to_owned(), 8));
        }
        for variable in &proctype.locals {
            let (name, at, bytes) = extent(variable);
            add(&name, p.locals_offset + at, bytes, values(model, variable));
        }
        let named: &[Channel] = &proctype.channels;
        for (channel, &(at, ty)) in named.iter().zip(channels) {
            let ty = &model.channel_types[ty as usize];
            add(&channel.name, at, ty.bytes(), buffer(model, ty));
        }
    }
}
