//! Where things are in a state vector, as data for display.

use crate::Interpreter;
use promenade_ir::{Channel, Proctype, Variable};

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
        let mut add = |component: &Component, name: &str, offset: u32, bytes: u32| {
            let component = component.clone();
            table.push(LayoutEntry { component, name: name.to_owned(), offset, bytes });
        };
        add(&Component::Header, "number of processes", 0, 1);
        if let Some(at) = p.last_offset {
            add(&Component::Header, "_last", at, 1);
        }
        if let Some(claim) = &p.claim {
            add(&Component::Header, "claim: location", claim.location_offset, p.location_bytes);
            let locals = self.options().claim.and_then(|c| model.claims.get(c));
            for variable in locals.iter().flat_map(|c| &c.process.locals) {
                let (name, at, bytes) = extent(variable);
                add(&Component::Claim, &name, claim.locals_offset + at, bytes);
            }
        }
        if let Some(trace) = &p.trace {
            add(&Component::Header, "trace: location", trace.location_offset, p.location_bytes);
        }
        for variable in &model.globals {
            let (name, at, bytes) = extent(variable);
            add(&Component::Global, &name, p.globals_offset + at, bytes);
        }
        for (channel, &(at, ty)) in model.channels.iter().zip(&p.channels) {
            add(&Component::Channel, &channel.name, at, model.channel_types[ty as usize].bytes());
        }
        for (proctype, compiled) in model.proctypes.iter().zip(&p.types) {
            let component = Component::Process(proctype.name.clone());
            self.process_layout(proctype, &compiled.channels, &mut |name, at, bytes| {
                add(&component, name, at, bytes);
            });
        }
        for variable in &model.hidden {
            let (name, at, bytes) = extent(variable);
            add(&Component::Hidden, &name, at, bytes);
        }
        table
    }

    fn process_layout(
        &self,
        proctype: &Proctype,
        channels: &[(u32, u16)],
        add: &mut dyn FnMut(&str, u32, u32),
    ) {
        let p = &self.program;
        add("process type", 0, p.type_bytes);
        add("location", p.type_bytes, p.location_bytes);
        if let Some(at) = p.priority_offset {
            add("priority", at, 1);
        }
        for variable in &proctype.locals {
            let (name, at, bytes) = extent(variable);
            add(&name, p.locals_offset + at, bytes);
        }
        let named: &[Channel] = &proctype.channels;
        for (channel, &(at, ty)) in named.iter().zip(channels) {
            add(&channel.name, at, self.model.channel_types[ty as usize].bytes());
        }
    }
}
