//! The code of one model with its memory.

use promenade_checker::native::{Native, Record, Request, Stop, call};
use wasmtime::{Extern, Instance, Memory, MemoryType, Module, Store, TypedFunc};

// Where things are in the memory. What has no fixed size follows the coverage bytes: the working
// space, the state, its successors, their records.
const CONTROL: usize = 64;
const EXECUTED: usize = 256;
/// Bytes of working space.
const STACK_BYTES: usize = 256 << 10;
/// Room for successors, at least; more than most states ever need, so that nothing is done twice.
const LEAST_ROOM: usize = 32 << 10;
/// Room for successors beyond which the interpreter is asked instead.
const MOST_ROOM: usize = 64 << 20;
const PAGE: usize = 64 << 10;

const _: () = assert!(STACK_BYTES >= call::LEAST_STACK && CONTROL + 4 * call::WORDS <= EXECUTED);

/// The code of one model in an engine.
pub(crate) struct Machine {
    store: Store<()>,
    memory: Memory,
    expand: TypedFunc<(u32, u32, u32), u32>,
    edges: usize,
    /// Where the working space starts, and where the state goes.
    stack: usize,
    state: usize,
    /// Room for successors that is worth while.
    most_room: usize,
}

impl Machine {
    /// Room for successors goes up to `room` bytes.
    pub(crate) fn new(module: &Module, edges: u32, room: usize) -> wasmtime::Result<Self> {
        let edges = edges as usize;
        let stack = (EXECUTED + edges).next_multiple_of(64);
        let state = stack + STACK_BYTES;
        let mut store = Store::new(module.engine(), ());
        let pages = (state + 2 * LEAST_ROOM).div_ceil(PAGE);
        let memory = Memory::new(&mut store, MemoryType::new(pages as u32, None))?;
        let instance = Instance::new(&mut store, module, &[Extern::Memory(memory)])?;
        let expand = instance.get_typed_func(&mut store, "expand")?;
        let most_room = room.min(MOST_ROOM);
        Ok(Self { store, memory, expand, edges, stack, state, most_room })
    }

    /// Makes the memory so large; false if that cannot be.
    fn reach(&mut self, end: usize) -> bool {
        let size = self.memory.data_size(&self.store);
        if end <= size {
            return true;
        }
        let more = (end - size).div_ceil(PAGE) as u64;
        self.memory.grow(&mut self.store, more).is_ok()
    }
}

/// What the code says in the control block.
fn word(control: &[u8; 4 * call::WORDS], number: usize) -> u32 {
    let at = 4 * number;
    u32::from_le_bytes([control[at], control[at + 1], control[at + 2], control[at + 3]])
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
        let mut high = request.high;
        let count = usize::from(high - request.low);
        let mut room = (len * (count + 2)).max(LEAST_ROOM);
        let mut record_room = (count + 16).max(LEAST_ROOM / 64);
        loop {
            let out = (self.state + len).next_multiple_of(8);
            let first = (out + room).next_multiple_of(8);
            let end = first + record_room * size_of::<Record>();
            if !self.reach(end) {
                return Stop::Failed;
            }
            let mut control = [0; 4 * call::WORDS];
            for (number, value) in [
                (call::OUT, out),
                (call::OUT_END, out + room),
                (call::RECORDS, first),
                (call::RECORDS_END, end),
                (call::EXECUTED, EXECUTED),
                (call::STACK, self.stack),
                (call::STACK_END, self.stack + STACK_BYTES),
                (call::TIMEOUT, usize::from(request.timeout)),
                (call::HIGH, usize::from(high)),
                (call::LOW, usize::from(request.low)),
            ] {
                control[4 * number..4 * number + 4].copy_from_slice(&(value as u32).to_le_bytes());
            }
            let data = self.memory.data_mut(&mut self.store);
            data[CONTROL..CONTROL + control.len()].copy_from_slice(&control);
            data[self.state..self.state + len].copy_from_slice(request.state);
            let arguments = (self.state as u32, len as u32, CONTROL as u32);
            let Ok(result) = self.expand.call(&mut self.store, arguments) else {
                // The stack was too small for it, as a rule.
                return Stop::Failed;
            };
            let data = self.memory.data(&self.store);
            control.copy_from_slice(&data[CONTROL..EXECUTED][..4 * call::WORDS]);
            let before = (bytes.len() - begin) as u32;
            let written = word(&control, call::OUT) as usize;
            let recorded = word(&control, call::RECORDS) as usize;
            bytes.extend_from_slice(&data[out..written]);
            let (words, _) = data[first..recorded].as_chunks::<4>();
            records.extend(words.chunks_exact(2).map(|pair| Record {
                end: before + u32::from_le_bytes(pair[0]),
                what: u32::from_le_bytes(pair[1]),
            }));
            let taken = &data[EXECUTED..EXECUTED + self.edges];
            for (flag, taken) in request.executed.iter_mut().zip(taken) {
                *flag |= *taken != 0;
            }
            let pid = word(&control, call::PID) as u8;
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
                        edge: word(&control, call::EDGE),
                        earlier: word(&control, call::EARLIER) != 0,
                        escape: word(&control, call::ESCAPE) as u16,
                    };
                }
            }
        }
    }
}
