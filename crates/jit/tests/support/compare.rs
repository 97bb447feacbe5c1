//! Expands states by generated code and by the interpreter, and compares all that comes out.

use promenade_base::SourceMap;
use promenade_interp::{Interpreter, Native, Record, Request, RunOptions, Stop};
use promenade_ir::Model;
use promenade_jit::{Compiled, NotCompiled, Settings, compile};
use promenade_promela::CompileOptions;
use promenade_transition_system::{Item, Selection, Successors, TransitionSystem};
use std::cell::Cell;
use std::collections::HashSet;
use std::rc::Rc;

/// Makes generated code callable.
pub type Load<'l> = &'l dyn Fn(&Compiled) -> Box<dyn Native>;

/// Counts calls, and how often the interpreter had to go on.
struct Counted {
    code: Box<dyn Native>,
    calls: Rc<Cell<(u64, u64)>>,
}

impl Native for Counted {
    fn run(
        &mut self,
        request: Request<'_>,
        bytes: &mut Vec<u8>,
        records: &mut Vec<Record>,
    ) -> Stop {
        let stop = self.code.run(request, bytes, records);
        let (calls, stops) = self.calls.get();
        self.calls.set((calls + 1, stops + u64::from(stop != Stop::Done)));
        stop
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
pub fn compare(
    model: &Rc<Model>,
    options: &RunOptions,
    limit: u64,
    load: Load,
) -> Result<Seen, NotCompiled> {
    let mut reference = Interpreter::new(model.clone(), options.clone());
    let mut native = Interpreter::new(model.clone(), options.clone());
    let settings = Settings {
        check_assertions: options.check_assertions,
        weak_fairness: options.weak_fairness,
    };
    let compiled = compile(native.program(), settings)?;
    let calls = Rc::new(Cell::new((0, 0)));
    native.accelerate(Box::new(Counted { code: load(&compiled), calls: calls.clone() }));
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
