//! Executes generated code outside of browsers, by Wasmtime with its compiler Cranelift.
//!
//! Generated code has a memory of its own: a state is copied there, its successors back, which costs
//! little beside what they cost to make. Compiling takes some hundredths of a second; a thread of
//! its own does it while the search goes on. Whatever threads of one check have the same model share
//! the compiled code.
#![forbid(unsafe_code)]

mod machine;

use machine::Machine;
use promenade_checker::native::{Compiled, Engine, Loaded};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use wasmtime::{Config, Module, OptLevel};

/// Bytes of stack for generated code: it follows an atomic sequence by calls inside calls.
const STACK_BYTES: usize = 768 << 10;
/// Address space that is set aside for a memory, and as much behind it: with these, whatever 32-bit
/// address the code computes needs no comparison.
const RESERVED_BYTES: u64 = 4 << 30;

/// Transitions after which it is thought of.
const FIRST: u64 = 10_000;
/// It is begun when the search has lasted about three times as long as compiling will, so that no
/// check costs much more than it must: so much time, and so much more for each byte of the module.
const LEAST_TIME: Duration = Duration::from_millis(20);
const TIME_FOR_BYTE: Duration = Duration::from_micros(6);

/// The engine; copies share what is compiled.
#[derive(Clone, Default)]
pub struct Wasmtime {
    shared: Arc<Shared>,
    eager: bool,
}

/// What is made once.
#[derive(Default)]
struct Shared {
    engine: OnceLock<Result<wasmtime::Engine, String>>,
    modules: Mutex<Vec<Arc<Code>>>,
}

/// Generated code, and what became of it.
struct Code {
    bytes: Vec<u8>,
    asked: Instant,
    begun: AtomicBool,
    module: OnceLock<Result<Module, String>>,
}

impl Code {
    /// Whether it is time to compile, which is said to one only.
    fn is_due(&self) -> bool {
        let bytes = u32::try_from(self.bytes.len()).unwrap_or(u32::MAX);
        self.asked.elapsed() >= LEAST_TIME + TIME_FOR_BYTE.saturating_mul(bytes)
            && !self.begun.swap(true, Ordering::Relaxed)
    }
}

impl Wasmtime {
    /// An engine for searches that last.
    pub fn new() -> Self {
        Self::default()
    }

    /// An engine that searches use from their first step on.
    pub fn eager() -> Self {
        Self { eager: true, ..Self::default() }
    }

    /// The entry of this code.
    fn code(&self, compiled: &Compiled) -> Arc<Code> {
        // A list that is added to is whole at any moment.
        let mut modules = self.shared.modules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(code) = modules.iter().find(|code| code.bytes == compiled.bytes) {
            return code.clone();
        }
        let code = Arc::new(Code {
            bytes: compiled.bytes.clone(),
            asked: Instant::now(),
            begun: AtomicBool::new(false),
            module: OnceLock::new(),
        });
        modules.push(code.clone());
        code
    }
}

impl Shared {
    /// The compiled module; whoever asks meanwhile waits.
    fn compile<'c>(&self, code: &'c Code) -> &'c Result<Module, String> {
        code.module.get_or_init(|| {
            let made = self.engine.get_or_init(|| made(wasmtime::Engine::new(&config())));
            let engine = made.as_ref().map_err(Clone::clone)?;
            self::made(Module::from_binary(engine, &code.bytes))
        })
    }
}

/// What the code is compiled for: speed, and no debugging.
fn config() -> Config {
    let mut config = Config::new();
    config
        .cranelift_opt_level(OptLevel::Speed)
        .wasm_backtrace_max_frames(None)
        .native_unwind_info(false)
        .generate_address_map(false)
        .table_lazy_init(false)
        .memory_reservation(RESERVED_BYTES)
        .memory_may_move(false)
        .max_wasm_stack(STACK_BYTES);
    config
}

/// Errors in words.
fn made<T>(result: wasmtime::Result<T>) -> Result<T, String> {
    result.map_err(|why| format!("Wasmtime does not take the generated code ({why:#})"))
}

impl Engine for Wasmtime {
    fn load(&self, compiled: &Compiled, most_bytes: usize) -> Loaded {
        let code = self.code(compiled);
        let module = if self.eager {
            self.shared.compile(&code)
        } else if let Some(module) = code.module.get() {
            module
        } else if code.is_due() {
            let (shared, same) = (self.shared.clone(), code.clone());
            let begun = thread::Builder::new().spawn(move || {
                shared.compile(&same);
            });
            if begun.is_ok() {
                return Loaded::Later;
            }
            // There are no threads any more.
            self.shared.compile(&code)
        } else {
            return Loaded::Later;
        };
        let machine = module
            .as_ref()
            .map_err(Clone::clone)
            .and_then(|module| made(Machine::new(module, compiled.edges, most_bytes)));
        match machine {
            Ok(machine) => Loaded::Ready(Box::new(machine)),
            Err(why) => Loaded::Refused(why),
        }
    }

    fn pays_after(&self, _statements: u32) -> u64 {
        if self.eager { 0 } else { FIRST }
    }
}
