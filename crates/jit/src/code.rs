//! A function body under construction: instructions, locals, labels.

use wasm_encoder::{BlockType, Function, InstructionSink, MemArg, MemArgTarget, ValType};

/// A block that can be left.
#[derive(Clone, Copy)]
pub(crate) struct Label(u32);

/// The body. All locals are 32-bit integers.
pub(crate) struct Code {
    bytes: Vec<u8>,
    parameters: u32,
    locals: u32,
    free: Vec<u32>,
    depth: u32,
    /// Where to go when the interpreter has to take over.
    pub bail: Label,
}

/// A place to go back to.
pub(crate) struct Mark(usize, u32);

/// An access at a fixed distance from the address on the stack.
pub(crate) fn at(offset: u32) -> MemArg {
    let target = MemArgTarget::Memory(0);
    MemArg { offset: u64::from(offset), align: 0, target, ordering: None }
}

impl Code {
    pub(crate) fn new(parameters: u32) -> Self {
        let free = Vec::new();
        Self { bytes: Vec::new(), parameters, locals: 0, free, depth: 0, bail: Label(0) }
    }

    pub(crate) fn i(&mut self) -> InstructionSink<'_> {
        InstructionSink::new(&mut self.bytes)
    }

    /// Closes the body.
    pub(crate) fn finish(mut self) -> Function {
        self.i().end();
        let mut function = Function::new([(self.locals, ValType::I32)]);
        function.raw(self.bytes);
        function
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark(self.bytes.len(), self.depth)
    }

    /// Forgets what was written since.
    pub(crate) fn back_to(&mut self, mark: Mark) {
        self.bytes.truncate(mark.0);
        self.depth = mark.1;
    }

    /// A local; zero at first if it is new, and it may be not.
    pub(crate) fn local(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.locals += 1;
            self.parameters + self.locals - 1
        })
    }

    /// A local of which nobody else knows, zero at first.
    pub(crate) fn fresh(&mut self) -> u32 {
        self.locals += 1;
        self.parameters + self.locals - 1
    }

    /// It may be used for something else.
    pub(crate) fn release(&mut self, local: u32) {
        self.free.push(local);
    }

    pub(crate) fn get(&mut self, local: u32) {
        self.i().local_get(local);
    }

    pub(crate) fn set(&mut self, local: u32) {
        self.i().local_set(local);
    }

    pub(crate) fn tee(&mut self, local: u32) {
        self.i().local_tee(local);
    }

    pub(crate) fn int(&mut self, value: i32) {
        self.i().i32_const(value);
    }

    /// Adds a constant.
    pub(crate) fn plus(&mut self, value: u32) {
        if value != 0 {
            self.i().i32_const(value as i32).i32_add();
        }
    }

    /// Multiplies with a constant.
    pub(crate) fn times(&mut self, value: u32) {
        if value != 1 {
            self.i().i32_const(value as i32).i32_mul();
        }
    }

    pub(crate) fn block(&mut self) -> Label {
        self.i().block(BlockType::Empty);
        self.opened()
    }

    /// Leaving its label means to begin again.
    pub(crate) fn repeat(&mut self) -> Label {
        self.i().loop_(BlockType::Empty);
        self.opened()
    }

    pub(crate) fn when(&mut self) {
        self.i().if_(BlockType::Empty);
        self.depth += 1;
    }

    /// Both ways give a number.
    pub(crate) fn choose(&mut self) {
        self.i().if_(BlockType::Result(ValType::I32));
        self.depth += 1;
    }

    pub(crate) fn otherwise(&mut self) {
        self.i().else_();
    }

    pub(crate) fn end(&mut self) {
        self.i().end();
        self.depth -= 1;
    }

    fn opened(&mut self) -> Label {
        self.depth += 1;
        Label(self.depth)
    }

    pub(crate) fn go(&mut self, label: Label) {
        let depth = self.depth - label.0;
        self.i().br(depth);
    }

    pub(crate) fn go_if(&mut self, label: Label) {
        let depth = self.depth - label.0;
        self.i().br_if(depth);
    }

    pub(crate) fn go_unless(&mut self, label: Label) {
        self.i().i32_eqz();
        self.go_if(label);
    }

    /// Gives up.
    pub(crate) fn give_up(&mut self) {
        self.go(self.bail);
    }

    pub(crate) fn give_up_if(&mut self) {
        self.go_if(self.bail);
    }

    /// Jumps by the number on the stack to `labels`, or to `other` if it is too large.
    pub(crate) fn jump(&mut self, labels: &[Label], other: Label) {
        let depth = self.depth;
        let distances: Vec<u32> = labels.iter().map(|label| depth - label.0).collect();
        self.i().br_table(distances, depth - other.0);
    }

    /// Replaces the number on the stack by `values[number]`; numbers beyond give `other`.
    pub(crate) fn look_up(&mut self, values: &[u32], other: u32) {
        if values.iter().all(|v| *v == other) {
            self.i().drop();
            return self.int(other as i32);
        }
        let number = self.local();
        self.set(number);
        let result = self.local();
        let done = self.block();
        // Equal values share a way out.
        let mut kinds: Vec<u32> = values.to_vec();
        kinds.push(other);
        kinds.sort_unstable();
        kinds.dedup();
        let labels: Vec<Label> = kinds.iter().map(|_| self.block()).collect();
        let label_of = |value: u32| {
            let found = kinds.binary_search(&value).unwrap_or(0);
            labels[labels.len() - 1 - found]
        };
        let ways: Vec<Label> = values.iter().map(|v| label_of(*v)).collect();
        self.get(number);
        self.jump(&ways, label_of(other));
        for value in &kinds {
            self.end();
            self.int(*value as i32);
            self.set(result);
            self.go(done);
        }
        self.end();
        self.get(result);
        self.release(number);
        self.release(result);
    }
}
