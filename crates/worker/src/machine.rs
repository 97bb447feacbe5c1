//! Generated code in the worker: a module on the worker's own memory, called by function pointer.
//!
//! A function pointer of WebAssembly is an index in the function table, so that a function of
//! another module is called like one of our own once it is in the table. (build.rs lets the table
//! grow.)
#![allow(unsafe_code)]

use js_sys::WebAssembly::{Instance, Module, Table};
use js_sys::{Function, Object, Reflect, Uint8Array};
use promenade_service::native::{Compiled, Engine, Loaded, Native, Record, Request, Stop, call};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};

/// Bytes of working space for generated code.
const STACK_BYTES: usize = 256 << 10;
/// Room for successors beyond which the interpreter is asked instead.
const MOST_ROOM: usize = 64 << 20;

type Expand = extern "C" fn(u32, u32, u32) -> u32;

/// Slots of the function table that are free again.
type Slots = Rc<RefCell<Vec<u32>>>;

/// The browser's engine.
#[derive(Default)]
pub(crate) struct Browser {
    free: Slots,
}

impl Engine for Browser {
    fn load(&self, compiled: &Compiled, most_bytes: usize) -> Loaded {
        match self.instantiate(compiled, most_bytes) {
            Ok(machine) => Loaded::Ready(Box::new(machine)),
            Err(e) => {
                let message = e.dyn_ref::<js_sys::Error>().map(|e| String::from(e.message()));
                Loaded::Refused(format!(
                    "the browser does not take the generated code ({})",
                    message.unwrap_or_else(|| "no reason given".to_owned())
                ))
            }
        }
    }
}

impl Browser {
    fn instantiate(&self, compiled: &Compiled, most_bytes: usize) -> Result<Machine, JsValue> {
        let bytes = Uint8Array::from(compiled.bytes.as_slice());
        let module = Module::new(&bytes.into())?;
        let environment = Object::new();
        Reflect::set(&environment, &"memory".into(), &wasm_bindgen::memory())?;
        let imports = Object::new();
        Reflect::set(&imports, &"env".into(), &environment)?;
        let instance = Instance::new(&module, &imports)?;
        let expand: Function = Reflect::get(&instance.exports(), &"expand".into())?.dyn_into()?;
        let table = wasm_bindgen::function_table().dyn_into::<Table>()?;
        let free = self.free.borrow_mut().pop();
        let slot = match free {
            Some(slot) => slot,
            None => table.grow(1)?,
        };
        let slot = Slot { number: slot, table, free: self.free.clone() };
        slot.table.set(slot.number, &expand)?;
        // SAFETY: in WebAssembly a function pointer is the index of the function in the table, and
        // the function that was put there has this type: it is the one that the module is made to
        // export. Elsewhere nobody comes here, as there is no function table to put anything in.
        let expand = unsafe { std::mem::transmute::<usize, Expand>(slot.number as usize) };
        Ok(Machine {
            expand,
            edges: compiled.edges as usize,
            most_room: most_bytes.min(MOST_ROOM),
            control: [0; call::WORDS],
            stack: vec![0; STACK_BYTES.max(call::LEAST_STACK)],
            unseen: Vec::new(),
            _slot: slot,
        })
    }
}

/// A slot of the function table, given back in the end.
struct Slot {
    number: u32,
    table: Table,
    free: Slots,
}

impl Drop for Slot {
    fn drop(&mut self) {
        // An empty slot lets the module go. If that fails, the next one takes its place.
        let _ = self.table.set_raw(self.number, &JsValue::NULL);
        self.free.borrow_mut().push(self.number);
    }
}

/// The code of one model.
struct Machine {
    expand: Expand,
    edges: usize,
    most_room: usize,
    control: [u32; call::WORDS],
    stack: Vec<u8>,
    /// Coverage that nobody wants.
    unseen: Vec<bool>,
    _slot: Slot,
}

impl Native for Machine {
    fn run(
        &mut self,
        request: Request<'_>,
        bytes: &mut Vec<u8>,
        records: &mut Vec<Record>,
    ) -> Stop {
        let begin = bytes.len();
        let len = request.state.len();
        let mut executed = request.executed;
        if executed.len() < self.edges {
            self.unseen.resize(self.edges, false);
            executed = &mut self.unseen;
        }
        let mut high = request.high;
        let mut room = len * (usize::from(high - request.low) + 2);
        let mut record_room = usize::from(high - request.low) + 16;
        let stack = self.stack.as_mut_ptr_range();
        let control = &mut self.control;
        control[call::EXECUTED] = executed.as_mut_ptr() as u32;
        control[call::STACK] = stack.start as u32;
        control[call::STACK_END] = stack.end as u32;
        control[call::TIMEOUT] = u32::from(request.timeout);
        control[call::LOW] = u32::from(request.low);
        loop {
            bytes.reserve(room);
            records.reserve(record_room);
            let (out, first) = (bytes.spare_capacity_mut(), records.spare_capacity_mut());
            let (out, first) = (out.as_mut_ptr_range(), first.as_mut_ptr_range());
            control[call::OUT] = out.start as u32;
            control[call::OUT_END] = out.end as u32;
            control[call::RECORDS] = first.start as u32;
            control[call::RECORDS_END] = first.end as u32;
            control[call::HIGH] = u32::from(high);
            let state = request.state.as_ptr() as u32;
            let before = (bytes.len() - begin) as u32;
            let result = (self.expand)(state, len as u32, control.as_mut_ptr() as u32);
            let written = control[call::OUT].wrapping_sub(out.start as u32) as usize;
            let recorded = control[call::RECORDS].wrapping_sub(first.start as u32) as usize;
            let (kept, known) = (bytes.len() + written, records.len());
            let known_now = known + recorded / size_of::<Record>();
            // SAFETY: the code has written so many bytes and records from the start of the spare
            // room on, and no more than there is room for: it looks at the ends before it writes.
            // A record is two words in the order of its fields.
            unsafe {
                bytes.set_len(kept);
                records.set_len(known_now);
            }
            if before > 0 {
                for record in &mut records[known..] {
                    record.end += before;
                }
            }
            let pid = control[call::PID] as u8;
            match result {
                call::DONE => return Stop::Done,
                call::ROOM if room < self.most_room => {
                    high = pid;
                    room *= 2;
                    record_room *= 2;
                }
                _ => {
                    return Stop::Interpret {
                        pid,
                        edge: control[call::EDGE],
                        earlier: control[call::EARLIER] != 0,
                        escape: control[call::ESCAPE] as u16,
                    };
                }
            }
        }
    }
}
