//! Random Promela texts biased to what reductions get wrong: local loops that never end, blocked
//! processes, alternatives that others enable, channels with one user on each side, atomic
//! sequences that block in the middle, rendezvous beside `else`.

use promenade_base::random::Random;
use std::fmt::Write;

struct Writer {
    random: Random,
    text: String,
    process: usize,
}

/// The model for a seed.
pub fn local_model(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0x5eed_1e55);
    let processes = 2 + random.below(2);
    let mut w = Writer { random, text: String::new(), process: 0 };
    w.text.push_str("byte g, h;\nchan r = [0] of { byte };\n");
    for q in 0..2 {
        let capacity = 1 + w.random.below(2);
        let _ = writeln!(w.text, "chan q{q} = [{capacity}] of {{ byte }};");
    }
    let by_run = w.random.chance(1, 3);
    for process in 0..processes {
        w.process = process;
        let head = if by_run { "proctype" } else { "active proctype" };
        let parameters = if by_run { "chan in, out" } else { "" };
        let _ = writeln!(w.text, "{head} P{process}({parameters}) {{\n  byte x, y;");
        if !by_run {
            let (a, b) = if w.random.chance(2, 3) {
                (process % 2, (process + 1) % 2)
            } else {
                (w.random.below(2), w.random.below(2))
            };
            let _ = writeln!(w.text, "  chan in = q{a}; chan out = q{b};");
        }
        if process == 0 {
            w.text.push_str("  x = 1;\nL0: y = 1;\n");
        }
        let n = 1 + w.random.below(4);
        w.sequence(n, 0, false);
        if w.random.chance(1, 4) {
            let loops = ["do :: x = 1 - x od", "do :: x = 0 :: y = (y + 1) % 3 od"];
            let chosen = w.random.below(2);
            let _ = writeln!(w.text, "  ; {}", loops[chosen]);
        }
        w.text.push_str("}\n");
    }
    if by_run {
        let atomic = w.random.chance(1, 2);
        w.text.push_str(if atomic { "init { atomic {\n" } else { "init {\n" });
        for process in 0..processes {
            let (a, b) = (process % 2, (process + 1) % 2);
            let _ = writeln!(w.text, "  run P{process}(q{a}, q{b});");
        }
        w.text.push_str(if atomic { "} }\n" } else { "}\n" });
    }
    w.text
}

impl Writer {
    fn sequence(&mut self, n: usize, depth: usize, in_loop: bool) {
        for i in 0..n {
            self.text.push_str("  ");
            self.statement(depth, in_loop);
            self.text.push_str(if i + 1 < n { ";\n" } else { "\n" });
        }
    }

    fn statement(&mut self, depth: usize, in_loop: bool) {
        match self.random.below(if depth >= 2 { 9 } else { 14 }) {
            0..=3 => self.local(),
            4 => self.global(),
            5 | 6 => self.channel(),
            7 if in_loop => self.text.push_str("break"),
            7 | 8 => self.guard(),
            9 | 10 => self.choice("if", "fi", depth, in_loop),
            11 => self.choice("do", "od", depth, true),
            12 if self.random.chance(1, 3) => {
                // Interrupted in the middle, for all to see or not.
                let before = ["g = 1", "h = 2", "x = 1", "y = x; h = y"][self.random.below(4)];
                let _ = write!(self.text, "atomic {{ {before}; ");
                self.channel();
                let after = ["g = 0", "assert(g != 1)", "h = 0", "x = 0"][self.random.below(4)];
                let _ = write!(self.text, "; {after} }}");
            }
            12 if self.random.chance(1, 4) => {
                self.text.push_str("atomic { do :: ");
                self.channel();
                self.text.push_str(" :: ");
                self.guard();
                self.text.push_str(" -> break od }");
            }
            12 => {
                let keyword = if self.random.chance(1, 5) { "d_step" } else { "atomic" };
                let _ = writeln!(self.text, "{keyword} {{");
                let n = 1 + self.random.below(3);
                if keyword == "d_step" {
                    for i in 0..n {
                        self.text.push_str("  ");
                        if self.random.chance(3, 4) {
                            self.local()
                        } else {
                            self.global()
                        }
                        self.text.push_str(if i + 1 < n { ";\n" } else { "\n" });
                    }
                } else {
                    self.sequence(n, depth + 1, false);
                }
                self.text.push('}');
            }
            _ => {
                self.text.push_str("{\n");
                let n = 1 + self.random.below(2);
                self.sequence(n, depth + 1, false);
                self.text.push_str("} unless { ");
                if self.random.chance(1, 2) {
                    self.guard()
                } else {
                    self.channel()
                }
                self.text.push_str("; ");
                self.local();
                self.text.push_str(" }");
            }
        }
    }

    fn choice(&mut self, open: &str, close: &str, depth: usize, in_loop: bool) {
        let _ = writeln!(self.text, "{open}");
        for _ in 0..1 + self.random.below(3) {
            self.text.push_str("  :: ");
            match self.random.below(3) {
                0 => self.local(),
                1 => self.guard(),
                _ => self.channel(),
            }
            self.text.push_str(" ->\n");
            let n = 1 + self.random.below(2);
            self.sequence(n, depth + 1, in_loop);
        }
        if open == "do" && self.random.chance(1, 2) {
            self.text.push_str("  :: ");
            self.guard();
            self.text.push_str(" -> break\n");
        }
        if self.random.chance(1, 3) {
            self.text.push_str("  :: else -> ");
            self.local();
            self.text.push('\n');
        }
        self.text.push_str(close);
    }

    fn local(&mut self) {
        let choices = ["x = 1 - x", "x = 1", "y = (y + 1) % 3", "y = x", "skip", "x = _pid"];
        let chosen = self.random.below(choices.len());
        self.text.push_str(choices[chosen]);
    }

    fn global(&mut self) {
        let k = self.random.below(3);
        let _ = match self.random.below(6) {
            0 => write!(self.text, "g = {k}"),
            1 => write!(self.text, "assert(g != {k})"),
            2 => write!(self.text, "assert(x + y < {})", k + 1),
            3 => write!(self.text, "g = _nr_pr"),
            4 => write!(self.text, "h = x"),
            _ => write!(self.text, "g = (g + 1) % 3"),
        };
    }

    fn guard(&mut self) {
        let k = self.random.below(3);
        let _ = match self.random.below(13) {
            0 => write!(self.text, "(g == {k})"),
            1 | 2 => write!(self.text, "(x == {k})"),
            3 => write!(self.text, "nempty(in)"),
            4 => write!(self.text, "nfull(out)"),
            5 => write!(self.text, "(len(q0) == {k})"),
            6 => write!(self.text, "timeout"),
            7 => write!(self.text, "in?[{k}]"),
            8 => write!(self.text, "(h == {k} && x == 0)"),
            9 => write!(self.text, "empty(q1)"),
            10 => write!(self.text, "(x == 1 && g == {k})"),
            11 => write!(self.text, "(g != {k} && y == 1)"),
            _ => write!(self.text, "(y < {k})"),
        };
    }

    fn channel(&mut self) {
        let k = self.random.below(2);
        let _ = match self.random.below(12) {
            0 | 1 => write!(self.text, "in?x"),
            2 | 3 => write!(self.text, "out!x"),
            4 => write!(self.text, "out!{k}"),
            5 => write!(self.text, "in?{k}"),
            6 => write!(self.text, "r!x"),
            7 => write!(self.text, "r?x"),
            8 => write!(self.text, "in??{k}"),
            9 => write!(self.text, "r!{k}"),
            10 => write!(self.text, "out!!{k}"),
            _ => write!(self.text, "in?<x>"),
        };
    }
}
