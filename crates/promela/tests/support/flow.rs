//! Random texts that are mostly control flow: blocks, choices, loops, jumps, labels, atomics,
//! d_steps, escapes, inlines.

use promenade_base::random::Random;
use std::fmt::Write;

struct Flow {
    random: Random,
    text: String,
    labels: Vec<String>,
    next_label: usize,
    inline: bool,
}

/// Where a statement stands.
#[derive(Clone, Copy)]
struct At {
    depth: u32,
    in_loop: bool,
    atomic: bool,
    d_step: bool,
    /// Nothing stands in front of it in its sequence.
    first: bool,
}

/// A text for a seed.
pub fn random_flow(seed: u64) -> String {
    let mut flow = Flow {
        random: Random::new(seed.wrapping_mul(0x9e37_79b9).wrapping_add(17)),
        text: String::new(),
        labels: Vec::new(),
        next_label: 0,
        inline: false,
    };
    flow.model();
    flow.text
}

impl Flow {
    fn pick(&mut self, n: u32) -> u32 {
        self.random.below(u64::from(n) as _) as u32
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn model(&mut self) {
        self.push("byte x, y; chan q = [1] of { byte }; chan r = [0] of { byte };\n");
        if self.pick(2) == 0 {
            self.push("inline f(a) { ");
            let at = At { depth: 2, in_loop: false, atomic: false, d_step: false, first: true };
            self.inline_body(at);
            self.push(" }\n");
            self.inline = true;
        }
        let processes = 1 + self.pick(2);
        for p in 0..processes {
            self.labels.clear();
            self.next_label = 0;
            for l in 0..3 {
                self.labels.push(format!("L{l}"));
            }
            let _ = writeln!(self.text, "active proctype P{p}() {{");
            if self.pick(2) == 0 {
                self.push("  byte z = 1;\n");
            } else {
                self.push("  byte z;\n");
            }
            let at = At { depth: 3, in_loop: false, atomic: false, d_step: false, first: true };
            let count = 2 + self.pick(3);
            self.statements(at, count);
            // Labels that were not placed stand at the end.
            while self.next_label < self.labels.len() {
                let label = self.labels[self.next_label].clone();
                self.next_label += 1;
                let _ = write!(self.text, "; {label}: skip");
            }
            self.push("\n}\n");
        }
    }

    fn inline_body(&mut self, at: At) {
        self.push("a = a + 1; ");
        let count = 1 + self.pick(2);
        self.labels.clear();
        self.statements(at, count);
    }

    fn statements(&mut self, at: At, count: u32) {
        for i in 0..count {
            if i > 0 {
                self.push("; ");
            }
            // Labels stand on later statements of sequences outside of d_steps.
            let at = At { first: i == 0, ..at };
            let labelled = i > 0 && !at.d_step && self.next_label < self.labels.len();
            if labelled && self.pick(3) == 0 {
                let label = self.labels[self.next_label].clone();
                self.next_label += 1;
                let _ = write!(self.text, "{label}: ");
                self.statement(at, true);
            } else {
                self.statement(at, false);
            }
        }
    }

    fn variable(&mut self) -> &'static str {
        ["x", "y"][self.pick(2) as usize]
    }

    fn basic(&mut self, at: At) {
        let v = self.variable();
        let k = self.pick(3);
        // SPIN evaluates an assertion that opens a d_step even in the middle of a rendezvous.
        let kinds = match (at.d_step, at.first) {
            (true, true) => 4,
            (true, false) => 6,
            _ => 11,
        };
        match self.pick(kinds) {
            0 | 1 => {
                let _ = write!(self.text, "{v} = {k}");
            }
            2 => {
                let _ = write!(self.text, "{v} = ({v} + 1) % 3");
            }
            3 => self.push("skip"),
            4 => self.push("printf(\"a\")"),
            5 => {
                let _ = write!(self.text, "assert({v} != 2)");
            }
            6 => {
                let _ = write!(self.text, "{v} == {k}");
            }
            7 => {
                let _ = write!(self.text, "q!{k}");
            }
            8 => {
                let _ = write!(self.text, "q?{v}");
            }
            9 => {
                let _ = write!(self.text, "r!{k}");
            }
            _ => {
                let _ = write!(self.text, "r?{v}");
            }
        }
    }

    fn statement(&mut self, at: At, labelled: bool) {
        if at.depth == 0 {
            return self.basic(at);
        }
        let deeper = At { depth: at.depth - 1, ..at };
        match self.pick(16) {
            0..=3 => self.basic(at),
            4 | 5 => self.choice(deeper, false),
            6 | 7 => self.choice(deeper, true),
            8 if !at.d_step => {
                self.push("atomic { ");
                let count = 1 + self.pick(3);
                self.statements(At { atomic: true, in_loop: at.in_loop, ..deeper }, count);
                self.push(" }");
            }
            9 if !at.d_step && !labelled => {
                // SPIN refuses a d_step directly behind a loop.
                self.push(if at.first { "d_step { " } else { "skip; d_step { " });
                let count = 1 + self.pick(3);
                self.statements(At { d_step: true, in_loop: false, ..deeper }, count);
                self.push(" }");
            }
            10 => {
                self.push("{ ");
                let count = 1 + self.pick(2);
                self.statements(deeper, count);
                self.push(" }");
            }
            11 if !at.d_step && !labelled => {
                self.push("{ ");
                let count = 1 + self.pick(2);
                self.statements(At { in_loop: false, ..deeper }, count);
                self.push(" } unless { ");
                let v = self.variable();
                let k = self.pick(3);
                if self.pick(3) == 0 {
                    let w = self.variable();
                    let _ =
                        write!(self.text, "if :: {v} == {k} -> {w} = 1 :: {w} == 2 -> {v} = 0 fi");
                } else {
                    let _ = write!(self.text, "{v} == {k}");
                }
                if self.pick(2) == 0 {
                    self.push("; ");
                    let count = 1 + self.pick(2);
                    self.statements(At { in_loop: false, ..deeper }, count);
                }
                self.push(" }");
            }
            12 if !at.d_step && !self.labels.is_empty() => {
                let i = self.pick(self.labels.len() as u32) as usize;
                let _ = write!(self.text, "goto {}", self.labels[i]);
            }
            13 if at.in_loop => self.push("break"),
            14 if self.inline && !at.d_step => {
                let v = self.variable();
                let _ = write!(self.text, "f({v})");
            }
            15 if !labelled => match self.pick(2) {
                0 => {
                    let v = self.variable();
                    let _ = write!(self.text, "for ({v} : 0 .. 1) {{ ");
                    let count = 1 + self.pick(2);
                    self.statements(At { in_loop: true, ..deeper }, count);
                    self.push(" }");
                }
                _ => {
                    let v = self.variable();
                    let _ = write!(self.text, "select ({v} : 0 .. 2)");
                }
            },
            _ => self.basic(at),
        }
    }

    fn choice(&mut self, at: At, looping: bool) {
        self.push(if looping { "do " } else { "if " });
        let options = 1 + self.pick(3);
        let inner = At { in_loop: at.in_loop || looping, ..at };
        for _ in 0..options {
            self.push(":: ");
            if self.pick(2) == 0 {
                let v = self.variable();
                let k = self.pick(3);
                let _ = write!(self.text, "{v} == {k} -> ");
            }
            let count = 1 + self.pick(3);
            self.statements(inner, count);
            self.push(" ");
        }
        if self.pick(3) == 0 {
            self.push(":: else -> ");
            let count = 1 + self.pick(2);
            self.statements(inner, count);
            self.push(" ");
        } else if looping {
            self.push(":: x == 2 -> break ");
        }
        self.push(if looping { "od" } else { "fi" });
    }
}
