//! What changed from one state to the next, as changes of slots.

use promenade_interp::{CLAIM_PID, ChannelView, Interpreter, NamedValue, StateView};
use promenade_ir::{Channel, Model, ScalarType, Variable};
use promenade_protocol::{Change, Slot, SlotOwner};
use std::borrow::Cow;

/// The slots of a run, and which of them are in use now.
#[derive(Default)]
pub(crate) struct SlotTable {
    pub slots: Vec<Slot>,
    globals: Vec<Live>,
    /// By pid; the claim's are apart.
    locals: Vec<Locals>,
    claim: Vec<Live>,
    channels: Vec<Live>,
    global_types: Vec<String>,
    local_types: Vec<Vec<String>>,
    claim_types: Vec<String>,
}

/// The slots of a process.
struct Locals {
    type_index: usize,
    cells: Vec<Live>,
}

/// A slot that has a value now.
struct Live {
    slot: u32,
    value: String,
}

impl SlotTable {
    /// An empty table for runs of this system.
    pub(crate) fn new(system: &Interpreter) -> Self {
        let model = system.model();
        let mut global_types = cell_types(model, &model.globals);
        global_types.extend(cell_types(model, &model.hidden));
        let claim = system.options().claim.and_then(|claim| model.claims.get(claim));
        Self {
            global_types,
            local_types: model.proctypes.iter().map(|p| cell_types(model, &p.locals)).collect(),
            claim_types: claim
                .map(|claim| cell_types(model, &claim.process.locals))
                .unwrap_or_default(),
            ..Self::default()
        }
    }

    /// How many cells are looked at per step.
    pub(crate) fn width(&self) -> usize {
        let locals: usize = self.locals.iter().map(|locals| locals.cells.len() + 1).sum();
        self.globals.len() + locals + self.claim.len() + self.channels.len() + 1
    }

    /// Notes a new state; gives the changes. `step` is its number, 0 for the initial state.
    pub(crate) fn update(&mut self, model: &Model, view: &StateView, step: u32) -> Vec<Change> {
        let mut changes = Changes { slots: &mut self.slots, step, list: Vec::new() };
        let same = |live: &[Live], values: &[NamedValue]| {
            live.len() == values.len()
                && live.iter().zip(values).all(|(live, value)| live.value == value.value)
        };
        if !same(&self.globals, &view.globals) {
            let now = cells(SlotOwner::Global, &self.global_types, &view.globals);
            changes.row(&mut self.globals, now);
        }
        // The youngest die first.
        while self.locals.len() > view.processes.len() {
            if let Some(locals) = self.locals.pop() {
                changes.gone(locals.cells);
            }
        }
        for (pid, process) in view.processes.iter().enumerate() {
            let owner = SlotOwner::Process { pid: process.pid };
            if self.locals.len() <= pid {
                self.locals.push(Locals { type_index: process.type_index, cells: Vec::new() });
            }
            let locals = &mut self.locals[pid];
            if locals.type_index != process.type_index {
                changes.gone(std::mem::take(&mut locals.cells));
                locals.type_index = process.type_index;
            }
            if !same(&locals.cells, &process.locals) {
                let types = self.local_types.get(process.type_index).map_or(&[][..], |t| t);
                changes.row(&mut locals.cells, cells(owner, types, &process.locals));
            }
        }
        if !same(&self.claim, &view.claim_locals) {
            let owner = SlotOwner::Process { pid: CLAIM_PID };
            changes.row(&mut self.claim, cells(owner, &self.claim_types, &view.claim_locals));
        }
        let channels = view.channels.iter().map(|channel| Cell {
            owner: SlotOwner::Channel,
            name: channel_label(view, channel),
            type_name: move || {
                channel_of(model, view, channel.number)
                    .map_or_else(String::new, |channel| channel_type(model, channel))
            },
            value: messages(&channel.messages).into(),
        });
        changes.row(&mut self.channels, channels);
        changes.list
    }
}

/// A cell of the state to be; its type is needed only where it is new.
struct Cell<'a, T> {
    owner: SlotOwner,
    name: Cow<'a, str>,
    type_name: T,
    value: Cow<'a, str>,
}

/// The cells of variables.
fn cells<'a>(
    owner: SlotOwner,
    types: &'a [String],
    values: &'a [NamedValue],
) -> impl ExactSizeIterator<Item = Cell<'a, impl FnOnce() -> String>> {
    values.iter().enumerate().map(move |(number, value)| Cell {
        owner: owner.clone(),
        name: value.name.as_str().into(),
        type_name: move || types.get(number).cloned().unwrap_or_default(),
        value: value.value.as_str().into(),
    })
}

struct Changes<'a> {
    slots: &'a mut Vec<Slot>,
    step: u32,
    list: Vec<Change>,
}

impl Changes<'_> {
    fn gone(&mut self, cells: Vec<Live>) {
        self.list.extend(cells.iter().map(|live| Change { slot: live.slot, value: None }));
    }

    /// Brings a row of cells up to date: what is too much is gone, what is new gets a slot.
    fn row<'a, T: FnOnce() -> String>(
        &mut self,
        row: &mut Vec<Live>,
        now: impl ExactSizeIterator<Item = Cell<'a, T>>,
    ) {
        if row.len() > now.len() {
            let gone = row.split_off(now.len());
            self.gone(gone);
        }
        for (number, cell) in now.enumerate() {
            match row.get_mut(number) {
                Some(live) if self.is(live.slot, &cell) => {
                    if live.value != cell.value {
                        let value = cell.value.into_owned();
                        live.value.clone_from(&value);
                        self.list.push(Change { slot: live.slot, value: Some(value) });
                    }
                }
                Some(live) => {
                    self.list.push(Change { slot: live.slot, value: None });
                    *live = self.born(cell);
                }
                None => {
                    let live = self.born(cell);
                    row.push(live);
                }
            }
        }
    }

    fn is<T>(&self, slot: u32, cell: &Cell<T>) -> bool {
        self.slots.get(slot as usize).is_some_and(|slot| slot.name == cell.name)
    }

    fn born<T: FnOnce() -> String>(&mut self, cell: Cell<T>) -> Live {
        let Cell { owner, name, type_name, value } = cell;
        let slot = self.slots.len() as u32;
        let (name, value) = (name.into_owned(), value.into_owned());
        self.slots.push(Slot { owner, name, type_name: type_name(), born: self.step });
        self.list.push(Change { slot, value: Some(value.clone()) });
        Live { slot, value }
    }
}

/// The name of a channel among all: `q`, `P(1):q`.
pub(crate) fn channel_label<'v>(view: &StateView, channel: &'v ChannelView) -> Cow<'v, str> {
    match channel.owner.and_then(|pid| view.processes.get(usize::from(pid))) {
        Some(process) => format!("{}({}):{}", process.proctype, process.pid, channel.name).into(),
        None => channel.name.as_str().into(),
    }
}

/// `[msg,1] [ack,0]`, empty `[]`.
pub(crate) fn messages(messages: &[Vec<String>]) -> String {
    if messages.is_empty() {
        return "[]".to_owned();
    }
    let shown: Vec<String> =
        messages.iter().map(|fields| format!("[{}]", fields.join(","))).collect();
    shown.join(" ")
}

/// The declaration of a channel by its number in a state.
pub(crate) fn channel_of<'m>(
    model: &'m Model,
    view: &StateView,
    number: u8,
) -> Option<&'m Channel> {
    let mut left = usize::from(number).checked_sub(1)?;
    if let Some(channel) = model.channels.get(left) {
        return Some(channel);
    }
    left -= model.channels.len();
    for process in &view.processes {
        let channels = &model.proctypes.get(process.type_index)?.channels;
        if let Some(channel) = channels.get(left) {
            return Some(channel);
        }
        left -= channels.len();
    }
    None
}

/// Types of the cells of variables, in the order in which states are decoded.
fn cell_types(model: &Model, variables: &[Variable]) -> Vec<String> {
    let mut types = Vec::new();
    for variable in variables {
        let length = |d: &promenade_ir::Dimension| d.length as usize;
        let cells: usize =
            variable.path.iter().filter_map(|(_, d)| d.as_ref().map(length)).product();
        types.resize(types.len() + cells, type_name(model, variable.ty));
    }
    types
}

/// A scalar type as written in a declaration.
pub(crate) fn type_name(model: &Model, ty: ScalarType) -> String {
    match ty {
        ScalarType::Bit => "bit".to_owned(),
        ScalarType::Bool => "bool".to_owned(),
        ScalarType::Byte => "byte".to_owned(),
        ScalarType::Pid => "pid".to_owned(),
        ScalarType::Chan => "chan".to_owned(),
        ScalarType::Short => "short".to_owned(),
        ScalarType::Int => "int".to_owned(),
        ScalarType::Unsigned(width) => format!("unsigned : {width}"),
        ScalarType::Mtype(set) => {
            match model.mtypes.get(usize::from(set.0)).and_then(|set| set.name.as_deref()) {
                Some(name) => format!("mtype:{name}"),
                None => "mtype".to_owned(),
            }
        }
    }
}

fn channel_type(model: &Model, channel: &Channel) -> String {
    let Some(ty) = model.channel_types.get(usize::from(channel.ty.0)) else {
        return "chan".to_owned();
    };
    let fields: Vec<String> = ty.fields.iter().map(|field| type_name(model, *field)).collect();
    format!("chan [{}] of {{ {} }}", ty.capacity, fields.join(", "))
}
