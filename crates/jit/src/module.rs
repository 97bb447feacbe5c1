//! The module as a whole: which functions there are, and how they find each other.

use crate::code::Code;
use crate::layout::Layout;
use crate::{d_step, driver, helpers, location, rendezvous};
use promenade_interp::program::{DStep, Graph, Op, PType, Program};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use wasm_encoder::{
    CodeSection, ConstExpr, ElementSection, Elements, EntityType, ExportKind, ExportSection,
    Function, FunctionSection, GlobalSection, GlobalType, ImportSection, MemoryType, Module,
    RefType, TableSection, TableType, TypeSection, ValType,
};

/// Edges of a model that is compiled, at most.
const MOST_EDGES: usize = 30_000;
/// Bytes of a module, at most.
const MOST_BYTES: usize = 16 << 20;

/// What a location's function says: no edge was executable.
pub(crate) const NONE: i32 = 0;
/// What it says where the interpreter has to take over (1 is: some edge was executable).
pub(crate) const BAIL: i32 = 2;

// Globals of the module.
pub(crate) const OUT: u32 = 0;
pub(crate) const OUT_END: u32 = 1;
pub(crate) const RECORDS: u32 = 2;
pub(crate) const RECORDS_END: u32 = 3;
pub(crate) const BEGIN: u32 = 4;
pub(crate) const EXECUTED: u32 = 5;
pub(crate) const STACK: u32 = 6;
pub(crate) const STACK_END: u32 = 7;
pub(crate) const TIMEOUT: u32 = 8;
pub(crate) const FULL: u32 = 9;
pub(crate) const FUEL: u32 = 10;
pub(crate) const EDGE: u32 = 11;
pub(crate) const EARLIER: u32 = 12;
pub(crate) const ESCAPE: u32 = 13;
pub(crate) const CHANNEL_TYPE: u32 = 14;
const GLOBALS: u32 = 15;

/// Choices of a run that are part of the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Evaluate assertions.
    pub check_assertions: bool,
    /// Transitions need the fairness marks of all processes that took part.
    pub weak_fairness: bool,
}

/// A module with what its caller has to know.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The module.
    pub bytes: Vec<u8>,
    /// Edge ids are below this.
    pub edges: u32,
    /// Edges of process types and the claim.
    pub statements: u32,
    /// Of these, edges that were compiled.
    pub compiled: u32,
}

/// Why a model is interpreted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotCompiled {
    /// It has priorities, `provided` clauses or `D_proctype`s.
    Clauses,
    /// Promises of exclusive use are watched.
    Promises,
    /// The code would be too large.
    TooLarge,
    /// Nothing in it can be compiled.
    Nothing,
}

impl NotCompiled {
    /// The reason in words.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Clauses => "priorities, `provided` and `D_proctype` are not compiled",
            Self::Promises => "`xr` and `xs` are watched",
            Self::TooLarge => "the model is too large to be compiled",
            Self::Nothing => "none of its statements can be compiled",
        }
    }
}

/// The construct is left to the interpreter.
#[derive(Debug)]
pub(crate) struct Unsupported;

/// Who evaluates, in which state: numbers of locals.
#[derive(Clone, Copy)]
pub(crate) struct Context {
    /// Address of the state.
    pub state: u32,
    /// Its length.
    pub len: u32,
    /// Where the process record starts, counted from the state; none for a claim.
    pub base: Option<u32>,
    /// Where the locals start, counted from there.
    pub locals: u32,
    pub pid: u32,
    /// The word that tells whether this is inside an atomic sequence, where it matters.
    pub inside: Option<u32>,
}

/// Writes code.
pub(crate) struct Emitter<'g> {
    pub g: &'g Generator<'g>,
    pub code: Code,
}

/// Numbers of helper functions.
pub(crate) struct Functions {
    pub copy: u32,
    pub clear: u32,
    pub shift_down: u32,
    pub shift_up: u32,
    pub emit: u32,
    pub channel: u32,
    pub base_of: u32,
    pub oldest: u32,
    pub bases: u32,
    pub channel_count: u32,
    pub non_progress: u32,
    pub offer: u32,
    pub nobody: u32,
}

const FUNCTIONS: Functions = Functions {
    copy: 1,
    clear: 2,
    shift_down: 3,
    shift_up: 4,
    emit: 5,
    channel: 6,
    base_of: 7,
    oldest: 8,
    bases: 9,
    channel_count: 10,
    non_progress: 11,
    offer: 12,
    nobody: 13,
};
const FIRST_STEP: u32 = 14;

/// Numbers of function types that are called by table.
pub(crate) struct Types {
    pub step: u32,
    pub take: u32,
}

/// What all functions are made from.
pub(crate) struct Generator<'p> {
    pub p: &'p Program,
    pub settings: Settings,
    pub layout: Layout,
    pub functions: Functions,
    pub types: Types,
    /// Fields of a message that is handed over; none where the interpreter does that.
    pub message_fields: Option<usize>,
    pub channel_types_in_use: Vec<u16>,
    /// First slot of each type in the table.
    slots: Vec<u32>,
    slot_count: u32,
    d_steps: HashMap<*const DStep, u32>,
}

impl Generator<'_> {
    /// The function of a location.
    pub(crate) fn step_function(&self, ty: usize, location: usize) -> u32 {
        FIRST_STEP + self.slots[ty] + location as u32
    }

    /// Where the functions of a type's locations begin in the table.
    pub(crate) fn step_slot(&self, ty: usize) -> u32 {
        self.slots[ty]
    }

    /// The same for the functions that take messages.
    pub(crate) fn take_slot(&self, ty: usize) -> u32 {
        self.slot_count + self.slots[ty]
    }

    /// Where the functions of the claim's locations begin in the table.
    pub(crate) fn claim_slot(&self) -> u32 {
        2 * self.slot_count
    }

    /// Whether a process of the type ever takes a message that is handed over.
    pub(crate) fn takes(&self, ty: usize) -> bool {
        let process = &self.p.types[ty];
        (0..process.graph.locations.len()).any(|l| rendezvous::may_take(self.p, process, l))
    }

    /// The function of a d_step, if it has one.
    pub(crate) fn d_step_function(&self, step: &DStep) -> Option<u32> {
        self.d_steps.get(&std::ptr::from_ref(step)).copied()
    }
}

/// Compiles a program for runs with these settings.
pub fn compile(p: &Program, settings: Settings) -> Result<Compiled, NotCompiled> {
    if !p.promises.is_empty() {
        return Err(NotCompiled::Promises);
    }
    if !p.plain_processes {
        return Err(NotCompiled::Clauses);
    }
    if p.types.iter().map(|ty| ty.graph.edges.len()).sum::<usize>() > MOST_EDGES {
        return Err(NotCompiled::TooLarge);
    }
    let mut slots = Vec::new();
    let mut slot_count = 0;
    for ty in &p.types {
        slots.push(slot_count);
        slot_count += ty.graph.locations.len() as u32;
    }
    let in_use: BTreeSet<u16> =
        p.channels.iter().chain(p.types.iter().flat_map(|ty| &ty.channels)).map(|q| q.1).collect();
    let mut g = Generator {
        p,
        settings,
        layout: Layout::of(p),
        functions: FUNCTIONS,
        types: Types { step: 0, take: 1 },
        message_fields: rendezvous::fields(p, settings.weak_fairness),
        channel_types_in_use: in_use.into_iter().collect(),
        slots,
        slot_count,
        d_steps: HashMap::new(),
    };
    let fields = g.message_fields.unwrap_or(0);
    let mut sections = Sections::new(fields);
    sections.helpers(&g, fields);
    // The functions of d_steps come last, but who calls them has to know whether they exist.
    let takers: Vec<(usize, usize)> = match g.message_fields {
        Some(_) => {
            locations(p).filter(|(ty, l)| rendezvous::may_take(p, &p.types[*ty], *l)).collect()
        }
        None => Vec::new(),
    };
    let mut next = FIRST_STEP + slot_count + takers.len() as u32;
    let mut bodies = Vec::new();
    for ty in &p.types {
        for step in d_steps(ty) {
            if let Ok(function) = d_step::function(&g, step) {
                bodies.push(function);
                g.d_steps.insert(std::ptr::from_ref(step), next);
                next += 1;
            }
        }
    }
    let mut compiled = 0;
    for (ty, number) in locations(p) {
        let (function, edges) = location::function(&g, ty, number);
        sections.add(STEP, &function);
        compiled += edges;
    }
    let mut table: Vec<u32> = (FIRST_STEP..FIRST_STEP + slot_count).collect();
    table.resize(2 * slot_count as usize, FUNCTIONS.nobody);
    for (index, &(ty, number)) in takers.iter().enumerate() {
        sections.add(TAKE, &rendezvous::function(&g, ty, number, fields));
        let slot = g.take_slot(ty) as usize + number;
        if let Some(entry) = table.get_mut(slot) {
            *entry = FIRST_STEP + slot_count + index as u32;
        }
    }
    for function in &bodies {
        sections.add(STEP, function);
    }
    if let Some(claim) = &p.claim {
        for number in 0..claim.process.graph.locations.len() {
            let (function, edges) = location::of_claim(&g, claim, number);
            sections.add(STEP, &function);
            table.push(next);
            next += 1;
            compiled += edges;
        }
    }
    if compiled == 0 {
        return Err(NotCompiled::Nothing);
    }
    let bytes = sections.module(&table);
    if bytes.len() > MOST_BYTES {
        return Err(NotCompiled::TooLarge);
    }
    let claim = p.claim.iter().map(|claim| &claim.process.graph);
    let graphs = p.types.iter().map(|ty| &ty.graph).chain(claim);
    let statements = graphs.map(|graph| graph.edges.len() as u32).sum();
    Ok(Compiled { bytes, edges: edges(p), statements, compiled })
}

/// All locations of all types, in the order of their functions.
fn locations(p: &Program) -> impl Iterator<Item = (usize, usize)> {
    p.types
        .iter()
        .enumerate()
        .flat_map(|(ty, process)| (0..process.graph.locations.len()).map(move |l| (ty, l)))
}

fn d_steps(ty: &PType) -> impl Iterator<Item = &DStep> {
    ty.graph.edges.iter().filter_map(|edge| match &edge.op {
        Op::DStep(step) => Some(&**step),
        _ => None,
    })
}

/// One more than the largest edge id.
fn edges(p: &Program) -> u32 {
    fn of(graph: &Graph) -> u32 {
        let inner = |op: &Op| match op {
            Op::DStep(step) => of(&step.graph),
            _ => 0,
        };
        graph.edges.iter().map(|edge| (edge.id + 1).max(inner(&edge.op))).max().unwrap_or(0)
    }
    let claim = p.claim.iter().map(|claim| &claim.process.graph);
    p.types.iter().map(|ty| &ty.graph).chain(claim).map(of).max().unwrap_or(0)
}

// Function types: parameters and results are all 32-bit integers.
const STEP: u32 = 0;
const TAKE: u32 = 1;
const OFFER: u32 = 2;
const ONE: u32 = 3;
const TWO: u32 = 4;
const THREE: u32 = 5;
const TWO_NONE: u32 = 6;
const THREE_NONE: u32 = 7;

/// Sections under construction.
struct Sections {
    types: TypeSection,
    functions: FunctionSection,
    code: CodeSection,
}

impl Sections {
    fn new(fields: usize) -> Self {
        let mut types = TypeSection::new();
        let kinds: [(usize, usize); 8] =
            [(5, 1), (6 + fields, 1), (5 + fields, 1), (1, 1), (2, 1), (3, 1), (2, 0), (3, 0)];
        for (parameters, results) in kinds {
            let ints = |count| vec![ValType::I32; count];
            types.ty().function(ints(parameters), ints(results));
        }
        Self { types, functions: FunctionSection::new(), code: CodeSection::new() }
    }

    fn add(&mut self, ty: u32, function: &Function) {
        self.functions.function(ty);
        self.code.function(function);
    }

    /// In the order of [`FUNCTIONS`], the exported one in front.
    fn helpers(&mut self, g: &Generator<'_>, fields: usize) {
        self.add(THREE, &driver::expand(g));
        self.add(THREE_NONE, &helpers::copy(g));
        self.add(TWO_NONE, &helpers::clear());
        self.add(THREE_NONE, &helpers::shift_down(g));
        self.add(THREE_NONE, &helpers::shift_up());
        self.add(THREE, &helpers::emit(g));
        self.add(TWO, &helpers::channel(g));
        self.add(TWO, &helpers::base_of(g));
        self.add(TWO, &helpers::oldest(g));
        self.add(TWO_NONE, &helpers::bases(g));
        self.add(ONE, &helpers::channel_count(g));
        self.add(ONE, &helpers::non_progress(g));
        self.add(OFFER, &rendezvous::offer(g, fields));
        self.add(TAKE, &rendezvous::nobody(fields));
    }

    fn module(self, table: &[u32]) -> Vec<u8> {
        let mut imports = ImportSection::new();
        let memory = MemoryType {
            minimum: 0,
            maximum: None,
            memory64: false,
            shared: false,
            page_size_log2: None,
        };
        imports.import("env", "memory", EntityType::Memory(memory));
        let size = table.len() as u64;
        let mut tables = TableSection::new();
        tables.table(TableType {
            element_type: RefType::FUNCREF,
            minimum: size,
            maximum: Some(size),
            table64: false,
            shared: false,
        });
        let mut globals = GlobalSection::new();
        for _ in 0..GLOBALS {
            let ty = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
            globals.global(ty, &ConstExpr::i32_const(0));
        }
        let mut exports = ExportSection::new();
        exports.export("expand", ExportKind::Func, 0);
        let mut elements = ElementSection::new();
        let functions = Elements::Functions(Cow::Borrowed(table));
        elements.active(None, &ConstExpr::i32_const(0), functions);
        let mut module = Module::new();
        module
            .section(&self.types)
            .section(&imports)
            .section(&self.functions)
            .section(&tables)
            .section(&globals)
            .section(&exports)
            .section(&elements)
            .section(&self.code);
        module.finish()
    }
}
