//! Random Promela texts in which processes work with local variables for a while and then forget them:
//! scalars, arrays, structures, parameters, messages, and others that look at them from outside.

use promenade_base::random::Random;
use std::fmt::Write;

struct Writer {
    random: Random,
    text: String,
    process: usize,
    labels: usize,
    /// Whether other processes may look at the locals of the first one.
    watched: bool,
}

const READS: [&str; 8] = ["x", "y", "z", "v[0]", "v[x % 2]", "t.f", "t.a[y % 2]", "p"];
const WRITES: [&str; 8] = ["x", "y", "z", "v[1]", "v[y % 2]", "t.f", "t.a[x % 2]", "p"];

/// The model for a seed. The first process is `P0`, with pid 0 and the local variables `x` and `t.f`.
pub fn scratch_model(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0xdead_0a11);
    let processes = 2 + random.below(2);
    let watched = random.chance(1, 3);
    let mut w = Writer { random, text: String::new(), process: 0, labels: 0, watched };
    w.text.push_str("typedef T { byte f; byte a[2] };\nbyte g;\n");
    let capacity = 1 + w.random.below(2);
    let _ = writeln!(w.text, "chan c = [{capacity}] of {{ byte, byte }};");
    w.text.push_str("chan r = [0] of { byte };\n");
    let child = w.random.chance(1, 3);
    for process in 0..processes {
        w.process = process;
        let priority = w.random.chance(1, 12) && process > 0;
        let clause = if priority { " provided (g < 3)" } else { "" };
        let _ = writeln!(w.text, "active proctype P{process}(){clause} {{");
        let initial = w.random.below(2);
        let _ = writeln!(w.text, "  byte x = {initial}; byte y, z = 1, p; byte v[2]; T t;");
        let _ = writeln!(w.text, "  do\n  :: true ->");
        let n = 1 + w.random.below(3);
        w.sequence(n, 0, false);
        if w.random.chance(1, 3) {
            let k = w.random.below(3);
            let _ = writeln!(w.text, "  :: g == {k} -> break");
        }
        w.text.push_str("  od");
        if child && process == 0 {
            w.text.push_str(";\n  run Child(x)");
        }
        w.text.push_str("\n}\n");
    }
    if child {
        w.text.push_str("proctype Child(byte p) {\n  byte x = p; byte y, z; byte v[2]; T t;\n");
        w.process = 9;
        w.sequence(2, 1, false);
        w.text.push_str("}\n");
    }
    w.text
}

impl Writer {
    fn read(&mut self) -> &'static str {
        READS[self.random.below(READS.len())]
    }

    fn value(&mut self) -> String {
        let k = self.random.below(3);
        match self.random.below(6) {
            0 | 1 => format!("{k}"),
            2 => self.read().to_owned(),
            3 => format!("({} + 1) % 3", self.read()),
            4 => "g".to_owned(),
            _ => format!("({} == {k} -> {} : 0)", self.read(), self.read()),
        }
    }

    fn condition(&mut self, in_d_step: bool) -> String {
        let others = self.watched && self.process != 0 && !in_d_step;
        let k = self.random.below(3);
        match self.random.below(8) {
            0 if others => format!("(P0:x == {k})"),
            1 if others => format!("(P0:t.f != {k})"),
            0 | 1 => format!("g == {k}"),
            2 => "nempty(c)".to_owned(),
            3 => format!("c?[eval({}), _]", self.read()),
            _ => {
                let operator = ["==", "!=", "<", ">="][self.random.below(4)];
                format!("{} {operator} {k}", self.read())
            }
        }
    }

    fn assignment(&mut self) -> String {
        let target = WRITES[self.random.below(WRITES.len())];
        let value = self.value();
        format!("{target} = {value}")
    }

    fn sequence(&mut self, n: usize, depth: usize, in_d_step: bool) {
        for i in 0..n {
            self.statement(depth, in_d_step);
            self.text.push_str(if i + 1 < n { ";\n" } else { "\n" });
        }
    }

    fn statement(&mut self, depth: usize, in_d_step: bool) {
        let k = self.random.below(3);
        let small = if in_d_step { 8 } else { 14 };
        let most = if depth >= 3 { small } else { 20 };
        let kind = self.random.below(most);
        let text = match kind {
            0..=3 => self.assignment(),
            4 => format!("g = {}", self.value()),
            5 => format!("printf(\"%d\", {})", self.read()),
            6 => format!("assert({} != {k} || g != 2)", self.read()),
            7 => format!("g = (g + {}) % 3", self.read()),
            8 if !in_d_step => format!("c!{},{}", self.value(), self.value()),
            9 if !in_d_step => {
                // One variable for two fields is refused.
                let a = self.random.below(8);
                let b = (a + 1 + self.random.below(7)) % 8;
                let (a, b) = (WRITES[a], WRITES[b]);
                format!("c?{a},{b}")
            }
            10 if !in_d_step => {
                let b = WRITES[self.random.below(8)];
                let more = ["?", "??"][self.random.below(2)];
                format!("c{more}eval({}),{b}", self.read())
            }
            11 if !in_d_step => format!("r!{}", self.read()),
            12 if !in_d_step => format!("r?{}", WRITES[self.random.below(8)]),
            13 if !in_d_step => self.condition(in_d_step),
            14 | 15 => return self.choice(depth, in_d_step),
            16 if !in_d_step => return self.block("atomic", depth, false),
            17 if !in_d_step => return self.block("d_step", depth, true),
            18 if !in_d_step => {
                self.block("", depth, false);
                let (condition, read) = (self.condition(in_d_step), self.read());
                let _ = write!(self.text, " unless {{ {condition}; g = {read} }}");
                return;
            }
            19 if !in_d_step => {
                self.labels += 1;
                let label = self.labels;
                let body = self.assignment();
                let condition = self.condition(in_d_step);
                // A loop by a jump, which is left when it may be.
                format!("skip;\nL{label}: {body};\nif :: {condition} -> goto L{label} :: skip fi")
            }
            _ => self.assignment(),
        };
        self.text.push_str(&text);
    }

    fn block(&mut self, keyword: &str, depth: usize, in_d_step: bool) {
        let _ = writeln!(self.text, "{keyword} {{");
        let n = 1 + self.random.below(3);
        self.sequence(n, depth + 1, in_d_step);
        self.text.push('}');
    }

    fn choice(&mut self, depth: usize, in_d_step: bool) {
        let is_loop = !in_d_step && self.random.chance(1, 4);
        self.text.push_str(if is_loop { "do\n" } else { "if\n" });
        for _ in 0..1 + self.random.below(2) {
            let condition = self.condition(in_d_step);
            let _ = writeln!(self.text, ":: {condition} ->");
            let n = 1 + self.random.below(2);
            self.sequence(n, depth + 1, in_d_step);
        }
        if is_loop {
            self.text.push_str(":: break\nod");
        } else {
            let assignment = self.assignment();
            let _ = write!(self.text, ":: else -> {assignment}\nfi");
        }
    }
}
