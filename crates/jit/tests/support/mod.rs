//! Compiled models run by a WebAssembly interpreter, beside the reference.
#![allow(dead_code)]

use promenade_base::SourceMap;
use promenade_interp::{Interpreter, Native, Record, Request, RunOptions, Stop};
use promenade_ir::Model;
use promenade_jit::{Compiled, NotCompiled, Settings, call, compile};
use promenade_promela::CompileOptions;
use promenade_transition_system::{Item, Selection, Successors, TransitionSystem};
use std::collections::HashSet;
use std::rc::Rc;
use wasmi::{Config, Engine, Instance, Linker, Memory, MemoryType, Module, Store, TypedFunc};

/// Where things are in the module's memory.
const CONTROL: usize = 1024;
const EXECUTED: usize = 4096;
const STATE: usize = 1 << 20;
const STACK: usize = 2 << 20;
const RECORDS: usize = 3 << 20;
const OUT: usize = 4 << 20;
const BYTES: usize = 8 << 20;

/// The code of a model in an engine.
pub struct Machine {
    store: Store<()>,
    memory: Memory,
    expand: TypedFunc<(u32, u32, u32), u32>,
    edges: usize,
    /// Room for successors and records of one call, to be exceeded now and then.
    room: (usize, usize),
    /// Calls that were answered, and how often the interpreter had to go on.
    pub calls: Rc<std::cell::Cell<(u64, u64)>>,
}

impl Machine {
    pub fn new(compiled: &Compiled, room: (usize, usize)) -> Self {
        let mut config = Config::default();
        config.set_max_recursion_depth(10_000);
        let engine = Engine::new(&config);
        let mut store = Store::new(&engine, ());
        let memory = Memory::new(&mut store, MemoryType::new((BYTES >> 16) as u32, None)).unwrap();
        let module = Module::new(&engine, &compiled.bytes).expect("the module is valid");
        let mut linker = Linker::new(&engine);
        linker.define("env", "memory", memory).unwrap();
        let instance: Instance = linker.instantiate_and_start(&mut store, &module).unwrap();
        let expand = instance.get_typed_func(&store, "expand").unwrap();
        let edges = compiled.edges as usize;
        assert!(EXECUTED + edges < STATE, "too many edges for the test's memory");
        Self { store, memory, expand, edges, room, calls: Rc::default() }
    }

    fn word(&self, number: usize) -> u32 {
        let at = CONTROL + 4 * number;
        let bytes = &self.memory.data(&self.store)[at..at + 4];
        u32::from_le_bytes(bytes.try_into().unwrap())
    }

    fn set(&mut self, number: usize, value: usize) {
        let at = CONTROL + 4 * number;
        let bytes = (value as u32).to_le_bytes();
        self.memory.data_mut(&mut self.store)[at..at + 4].copy_from_slice(&bytes);
    }
}

impl Native for Machine {
    fn run(
        &mut self,
        request: Request<'_>,
        bytes: &mut Vec<u8>,
        records: &mut Vec<Record>,
    ) -> Stop {
        let len = request.state.len();
        let mut high = request.high;
        let mut room = self.room;
        let begin = bytes.len();
        loop {
            let data = self.memory.data_mut(&mut self.store);
            data[STATE..STATE + len].copy_from_slice(request.state);
            // What is not the code's business must not be touched.
            data[STATE + len..STATE + len + 64].fill(0xaa);
            data[EXECUTED..EXECUTED + self.edges].fill(0);
            data[OUT + room.0..OUT + room.0 + 64].fill(0xaa);
            data[RECORDS + room.1..RECORDS + room.1 + 64].fill(0xaa);
            for (number, value) in [
                (call::OUT, OUT),
                (call::OUT_END, OUT + room.0),
                (call::RECORDS, RECORDS),
                (call::RECORDS_END, RECORDS + room.1),
                (call::EXECUTED, EXECUTED),
                (call::STACK, STACK),
                (call::STACK_END, STACK + call::LEAST_STACK),
                (call::TIMEOUT, usize::from(request.timeout)),
                (call::HIGH, usize::from(high)),
                (call::LOW, usize::from(request.low)),
            ] {
                self.set(number, value);
            }
            let arguments = (STATE as u32, len as u32, CONTROL as u32);
            let result = self.expand.call(&mut self.store, arguments).expect("no trap");
            let (out, end) = (self.word(call::OUT) as usize, self.word(call::RECORDS) as usize);
            let data = self.memory.data(&self.store);
            assert!(data[STATE..STATE + len] == *request.state, "the state was changed");
            assert!(data[STATE + len..STATE + len + 64].iter().all(|b| *b == 0xaa));
            assert!(data[OUT + room.0..OUT + room.0 + 64].iter().all(|b| *b == 0xaa));
            assert!(data[RECORDS + room.1..RECORDS + room.1 + 64].iter().all(|b| *b == 0xaa));
            let before = (bytes.len() - begin) as u32;
            bytes.extend_from_slice(&data[OUT..out]);
            for record in data[RECORDS..end].chunks(8) {
                let word = |at: usize| u32::from_le_bytes(record[at..at + 4].try_into().unwrap());
                records.push(Record { end: before + word(0), what: word(4) });
            }
            for edge in 0..self.edges {
                request.executed[edge] |= data[EXECUTED + edge] != 0;
            }
            let (calls, stops) = self.calls.get();
            self.calls.set((calls + 1, stops + u64::from(result == call::INTERPRET)));
            match result {
                call::DONE => return Stop::Done,
                call::ROOM if room.0 < 3 << 20 => {
                    high = self.word(call::PID) as u8;
                    room = (room.0 * 2, (room.1 * 2).min(1 << 19));
                }
                _ => {
                    return Stop::Interpret {
                        pid: self.word(call::PID) as u8,
                        edge: self.word(call::EDGE),
                        earlier: self.word(call::EARLIER) != 0,
                        escape: self.word(call::ESCAPE) as u16,
                    };
                }
            }
        }
    }
}

/// The executable model of a text.
pub fn model(text: &str) -> Option<Rc<Model>> {
    let options = CompileOptions::default();
    let compiled = promenade_promela::compile(&SourceMap::single("model", text), &options);
    compiled.value.map(|compiled| Rc::new(compiled.model))
}

/// What a comparison saw.
#[derive(Clone, Copy, Default, Debug)]
pub struct Seen {
    pub states: u64,
    pub items: u64,
    pub statements: u32,
    pub compiled: u32,
    /// Calls of generated code, and how often the interpreter went on.
    pub calls: u64,
    pub stops: u64,
}

/// Expands up to `limit` reached states by both engines and compares everything.
pub fn compare(model: &Rc<Model>, options: &RunOptions, limit: u64) -> Result<Seen, NotCompiled> {
    let mut reference = Interpreter::new(model.clone(), options.clone());
    let mut native = Interpreter::new(model.clone(), options.clone());
    let settings = Settings {
        check_assertions: options.check_assertions,
        weak_fairness: options.weak_fairness,
    };
    let compiled = compile(native.program(), settings)?;
    let machine = Machine::new(&compiled, (200, 16));
    let calls = machine.calls.clone();
    native.accelerate(Box::new(machine));
    let mut seen =
        Seen { statements: compiled.statements, compiled: compiled.compiled, ..Seen::default() };
    let (mut ours, mut theirs) = (Successors::new(false), Successors::new(false));
    reference.initial(&mut ours);
    native.initial(&mut theirs);
    assert_eq!(ours.items, theirs.items);
    let mut known: HashSet<Vec<u8>> = HashSet::new();
    let mut queue: std::collections::VecDeque<Vec<u8>> =
        ours.target(0).map(<[u8]>::to_vec).into_iter().collect();
    known.extend(queue.iter().cloned());
    while let Some(state) = queue.pop_front() {
        if seen.states >= limit {
            break;
        }
        seen.states += 1;
        let one = Selection::Process((seen.states % 3) as u8);
        for selection in [one, Selection::All] {
            reference.expand(&state, selection, &mut ours);
            native.expand(&state, selection, &mut theirs);
            if ours.items != theirs.items {
                for out in [&ours, &theirs] {
                    for choice in 0..out.items.len() {
                        println!("{:?} {:?}", out.items[choice], out.target(choice));
                    }
                }
            }
            assert_eq!(ours.items, theirs.items, "items of {state:?}, {selection:?}");
            assert_eq!(ours.bytes, theirs.bytes, "bytes of {state:?}, {selection:?}");
            assert_eq!(ours.marks, theirs.marks, "marks of {state:?}, {selection:?}");
            assert_eq!(ours.blocked, theirs.blocked, "blocked in {state:?}, {selection:?}");
            assert_eq!(ours.incomplete, theirs.incomplete);
        }
        seen.items += ours.items.len() as u64;
        for item in &ours.items {
            if let Item::Target { start, end, .. } = item {
                let target = ours.slice((*start, *end));
                if !known.contains(target) {
                    known.insert(target.to_vec());
                    queue.push_back(target.to_vec());
                }
            }
        }
    }
    assert_eq!(reference.executed(), native.executed(), "coverage");
    (seen.calls, seen.stops) = calls.get();
    Ok(seen)
}
