//! Small random Promela models, biased to what goes wrong in checkers: interleaved atomics,
//! rendezvous inside atomics, `else` and `timeout` beside channels, `unless`, blocked processes.
//!
//! Models are products of a few small processes over few variables, since those look like real
//! ones and stay small. Every text is accepted by SPIN by construction.

use promenade_base::random::Random;
use std::fmt::Write;

/// Which features a random model may use.
#[derive(Clone, Copy, Debug)]
pub struct Features {
    /// Buffered and rendezvous channels.
    pub channels: bool,
    /// `atomic` sequences.
    pub atomic: bool,
    /// `d_step` sequences.
    pub d_step: bool,
    /// `unless` escapes.
    pub unless: bool,
    /// `run` from an initial process.
    pub run: bool,
    /// `provided` clauses.
    pub provided: bool,
    /// Assertions.
    pub assertions: bool,
    /// Accept labels, above all at loops, in place of others.
    pub accept: bool,
}

impl Features {
    /// Everything but accept labels.
    pub const ALL: Features = Features {
        channels: true,
        atomic: true,
        d_step: true,
        unless: true,
        run: true,
        provided: true,
        assertions: true,
        accept: false,
    };
}

/// The model for a seed: same seed, same text.
pub fn random_model(seed: u64, features: Features) -> String {
    let mut writer = Writer { random: Random::new(seed), features, text: String::new(), labels: 0 };
    writer.model();
    writer.text
}

struct Writer {
    random: Random,
    features: Features,
    text: String,
    labels: u32,
}

/// Where a statement stands.
#[derive(Clone, Copy)]
struct Place {
    depth: usize,
    in_loop: bool,
    /// No label here: SPIN refuses one on the first statement of a block.
    first: bool,
    in_d_step: bool,
}

impl Writer {
    fn model(&mut self) {
        let _ = writeln!(self.text, "/* random model */\nbyte g, h;\nbit b;\nbyte a[2];");
        if self.features.channels {
            let (c, d) = (self.random.below(3), self.random.below(3));
            let _ = writeln!(self.text, "chan c = [{c}] of {{ byte }};");
            let _ = writeln!(self.text, "chan d = [{d}] of {{ byte, bit }};");
            let _ = writeln!(self.text, "chan r = [0] of {{ byte }};");
        }
        let processes = 2 + self.random.below(2);
        let started_by_run = self.features.run && self.random.chance(1, 3);
        for i in 0..processes {
            let active = if started_by_run { "" } else { "active " };
            let parameter = if started_by_run { "byte p" } else { "" };
            let provided = if self.features.provided && self.random.chance(1, 10) {
                " provided (g < 3)"
            } else {
                ""
            };
            let _ = writeln!(self.text, "{active}proctype P{i}({parameter}){provided} {{");
            let _ = writeln!(self.text, "  byte x = {};", self.random.below(2));
            let n = 1 + self.random.below(3);
            let place = Place { depth: 0, in_loop: false, first: true, in_d_step: false };
            self.sequence(n, place, 1);
            self.text.push_str("}\n");
        }
        if started_by_run {
            let atomic = self.random.chance(1, 2);
            self.text.push_str(if atomic { "init { atomic {\n" } else { "init {\n" });
            for i in 0..processes {
                let argument = self.random.below(3);
                let _ = writeln!(self.text, "  run P{i}({argument});");
            }
            self.text.push_str(if atomic { "} }\n" } else { "}\n" });
        }
    }

    fn indent(&mut self, level: usize) {
        for _ in 0..level {
            self.text.push_str("  ");
        }
    }

    fn sequence(&mut self, n: usize, place: Place, level: usize) {
        for i in 0..n {
            self.indent(level);
            self.statement(Place { first: i == 0, ..place }, level);
            self.text.push_str(if i + 1 < n { ";\n" } else { "\n" });
        }
    }

    fn statement(&mut self, place: Place, level: usize) {
        let simple = place.depth >= 3;
        match self.random.below(if simple { 9 } else { 16 }) {
            0..=2 => self.assignment(),
            3 => self.condition_statement(place),
            4 | 5 => self.channel_statement(place),
            6 if self.features.assertions => {
                let limit = self.random.below(4);
                let _ = write!(self.text, "assert(g != {limit})");
            }
            7 if place.in_loop && !place.in_d_step => self.text.push_str("break"),
            6..=8 => self.text.push_str(["skip", "printf(\"x\")", "g = 0"][self.random.below(3)]),
            9 | 10 => self.choice(place, level, "if", "fi"),
            11 if !place.in_d_step => {
                if self.features.accept && !place.first && self.random.chance(1, 2) {
                    self.labels += 1;
                    let _ = write!(self.text, "accept{}: ", self.labels);
                }
                let inner = Place { in_loop: true, ..place };
                self.choice(inner, level, "do", "od");
            }
            12 if self.features.atomic && !place.in_d_step => {
                self.block("atomic", place, level);
            }
            13 if self.features.d_step && !place.in_d_step => {
                let inner = Place { in_d_step: true, in_loop: false, ..place };
                self.block("d_step", inner, level);
            }
            14 if self.features.unless && !place.in_d_step => {
                self.block("", place, level);
                self.text.push_str(" unless ");
                self.text.push_str("{ ");
                self.condition();
                self.text.push_str("; ");
                self.assignment();
                self.text.push_str(" }");
            }
            15 if !place.first => {
                self.labels += 1;
                let label = self.labels;
                let prefixes = match self.features.accept {
                    true => ["end", "accept", "accept"],
                    false => ["end", "L", "progress"],
                };
                let prefix = prefixes[self.random.below(3)];
                let _ = write!(self.text, "{prefix}{label}: ");
                self.condition_or_assignment(place);
            }
            _ => self.block("", place, level),
        }
    }

    fn block(&mut self, keyword: &str, place: Place, level: usize) {
        let _ = writeln!(self.text, "{keyword} {{");
        let n = 1 + self.random.below(3);
        // The first statement of a d_step decides whether it may start; later ones must not block.
        let inner = Place { depth: place.depth + 1, ..place };
        if place.in_d_step {
            self.indent(level + 1);
            self.condition_or_assignment(Place { in_d_step: false, ..inner });
            for _ in 1..n {
                self.text.push_str(";\n");
                self.indent(level + 1);
                self.assignment();
            }
            self.text.push('\n');
        } else {
            self.sequence(n, inner, level + 1);
        }
        self.indent(level);
        self.text.push('}');
    }

    fn choice(&mut self, place: Place, level: usize, open: &str, close: &str) {
        let _ = writeln!(self.text, "{open}");
        let options = 1 + self.random.below(3);
        let inner = Place { depth: place.depth + 1, ..place };
        for _ in 0..options {
            self.indent(level);
            self.text.push_str(":: ");
            match self.random.below(4) {
                0 => self.channel_statement(inner),
                1 => self.assignment(),
                _ => self.condition(),
            }
            self.text.push_str(" ->\n");
            let n = 1 + self.random.below(2);
            self.sequence(n, inner, level + 1);
        }
        if open == "do" && self.random.chance(2, 3) {
            self.indent(level);
            self.text.push_str(":: ");
            self.condition();
            self.text.push_str(" -> break\n");
        }
        if place.in_d_step || self.random.chance(1, 3) {
            self.indent(level);
            self.text.push_str(":: else -> ");
            self.assignment();
            self.text.push('\n');
        }
        self.indent(level);
        self.text.push_str(close);
    }

    fn assignment(&mut self) {
        let k = self.random.below(4);
        let target = ["g", "h", "b", "x", "a[x%2]", "a[1]"][self.random.below(6)];
        match self.random.below(6) {
            0 => {
                let _ = write!(self.text, "{target} = {k}");
            }
            1 => {
                let _ = write!(self.text, "{target} = ({target} + 1) % 4");
            }
            2 => {
                let other = ["g", "h", "b", "x", "a[0]"][self.random.below(5)];
                let _ = write!(self.text, "{target} = {other}");
            }
            3 => {
                let _ = write!(self.text, "{target} = (g > {k} -> 0 : h)");
            }
            4 => {
                let _ = write!(self.text, "{target} = _nr_pr + _pid");
            }
            _ => {
                let _ = write!(self.text, "{target} = {target} ^ 1");
            }
        }
    }

    fn condition(&mut self) {
        let k = self.random.below(3);
        let left = ["g", "h", "b", "x", "a[b]"][self.random.below(5)];
        let operator = ["==", "!=", "<", ">="][self.random.below(4)];
        match self.random.below(8) {
            0 => self.text.push_str("timeout"),
            1 if self.features.channels => {
                let test = ["nempty(c)", "len(d) > 0", "nfull(c)", "empty(d)"];
                let chosen = test[self.random.below(4)];
                let _ = write!(self.text, "({chosen})");
            }
            2 => {
                let _ = write!(self.text, "({left} {operator} {k} && h < 3)");
            }
            _ => {
                let _ = write!(self.text, "({left} {operator} {k})");
            }
        }
    }

    fn condition_statement(&mut self, place: Place) {
        if place.in_d_step {
            self.assignment();
        } else {
            self.condition();
        }
    }

    fn condition_or_assignment(&mut self, place: Place) {
        if self.random.chance(1, 2) {
            self.condition_statement(place);
        } else {
            self.assignment();
        }
    }

    fn channel_statement(&mut self, place: Place) {
        if !self.features.channels || place.in_d_step {
            return self.assignment();
        }
        let k = self.random.below(3);
        match self.random.below(12) {
            0 => self.text.push_str("c!g"),
            1 => self.text.push_str("c?h"),
            2 => self.text.push_str("d!x,b"),
            3 => self.text.push_str("d?x,b"),
            4 => self.text.push_str("r!x"),
            5 => self.text.push_str("r?x"),
            6 => {
                let _ = write!(self.text, "c?{k}");
            }
            7 => self.text.push_str("d??eval(x),b"),
            8 => self.text.push_str("d!!g,1"),
            9 => self.text.push_str("r?eval(g)"),
            10 => self.text.push_str("c!h"),
            _ => {
                let _ = write!(self.text, "r!{k}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_seed_same_text() {
        assert_eq!(random_model(7, Features::ALL), random_model(7, Features::ALL));
        assert_ne!(random_model(7, Features::ALL), random_model(8, Features::ALL));
    }
}
