//! Compiled models run by a WebAssembly interpreter, beside the reference.

use promenade_interp::{Native, Record, Request, Stop};
use promenade_jit::{Compiled, call};
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
        Self { store, memory, expand, edges, room }
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
