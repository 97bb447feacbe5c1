//! Random Promela texts, each about one corner of the language: where an `else` stands, values that
//! do not fit in message fields, remote references in d_steps, messages with too few or too many
//! fields, values of structures and numbers in place of channels, `enabled` about others that ask.
//!
//! They are as small as the corner allows, and accepted by SPIN as far as it can be foreseen.

use promenade_base::random::Random;
use std::fmt::Write;

/// What a text is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Corner {
    /// `else` as the first step of blocks, atomic sequences, d_steps, inner choices and inlines.
    Else,
    /// Sorted sends and receives with values that are larger than the fields.
    SortedSends,
    /// `P[i]:x` and `P[i]@l` inside d_steps.
    RemoteInDStep,
    /// Messages with a wrong number of fields, over rendezvous and buffered channels.
    ShortMessages,
    /// Values given to structures, and numbers given to channels.
    Structures,
    /// `enabled` about processes that ask themselves, in circles too.
    Enabled,
    /// Jumps into and out of atomic sequences with loops.
    AtomicLoops,
}

impl Corner {
    /// All of them.
    pub const ALL: [Corner; 7] = [
        Corner::Else,
        Corner::SortedSends,
        Corner::RemoteInDStep,
        Corner::ShortMessages,
        Corner::Structures,
        Corner::Enabled,
        Corner::AtomicLoops,
    ];
}

/// The model for a seed: same seed, same text.
pub fn corner_model(corner: Corner, seed: u64) -> String {
    let mut w = Writer { random: Random::new(seed ^ 0xc0_12e5), text: String::new(), names: 0 };
    match corner {
        Corner::Else => w.elses(),
        Corner::SortedSends => w.sorted_sends(),
        Corner::RemoteInDStep => w.remotes(),
        Corner::ShortMessages => w.short_messages(),
        Corner::Structures => w.structures(),
        Corner::Enabled => w.enabled(),
        Corner::AtomicLoops => w.atomic_loops(),
    }
    w.text
}

struct Writer {
    random: Random,
    text: String,
    names: u32,
}

impl Writer {
    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.random.below(list.len())]
    }

    fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn condition(&mut self) -> String {
        let k = self.random.below(3);
        let left = self.pick(&["v", "w", "x"]);
        let op = self.pick(&["==", "!=", "<"]);
        format!("({left} {op} {k})")
    }

    fn assignment(&mut self) -> String {
        let target = self.pick(&["v", "w", "x"]);
        let k = self.random.below(3);
        match self.random.below(3) {
            0 => format!("{target} = {k}"),
            1 => format!("{target} = ({target} + 1) % 3"),
            _ => {
                let other = self.pick(&["v", "w", "x"]);
                format!("{target} = {other}")
            }
        }
    }

    fn elses(&mut self) {
        self.put("byte v, w = 1;\ninline E(a) { else -> a = 2 }\n");
        self.put("inline C(c, a) { if :: c -> a = 1 :: else -> a = 0 fi }\n");
        for process in 0..2 {
            let _ = writeln!(self.text, "active proctype P{process}() {{ byte x; byte i;");
            let count = 1 + self.random.below(2);
            for _ in 0..count {
                self.choice_with_else();
            }
            if self.random.chance(1, 4) {
                self.put("  assert(v != 2);\n");
            }
            self.put("  skip\n}\n");
        }
    }

    /// A choice in some surroundings, with at most one `else` that belongs to it.
    fn choice_with_else(&mut self) {
        match self.random.below(8) {
            0 => {
                self.put("  {\n");
                self.options();
                let (c, a) = (self.condition(), self.assignment());
                let _ = writeln!(self.text, "  }} unless {{ {c}; {a} }};");
            }
            1 => {
                self.put("  for (i : 0 .. 1) {\n");
                self.options();
                self.put("  };\n");
            }
            2 => {
                let a = self.assignment();
                let first = self.pick(&["else", "else -> else", "v == v -> else"]);
                let _ = writeln!(self.text, "  d_step {{ {first} -> {a} }};");
            }
            3 => {
                self.put("  atomic {\n");
                self.options();
                self.put("  };\n");
            }
            4 => {
                self.names += 1;
                let _ = writeln!(self.text, "L{}:", self.names);
                self.options();
            }
            5 => {
                let a = self.assignment();
                let _ = writeln!(self.text, "  d_step {{ {a};");
                self.options_in_d_step();
                self.put("  };\n");
            }
            _ => self.options(),
        }
    }

    fn options(&mut self) {
        let do_loop = self.random.chance(1, 4);
        self.put(if do_loop { "  do\n" } else { "  if\n" });
        let count = 1 + self.random.below(3);
        let place = self.random.below(count + 1);
        let has_else = self.random.chance(5, 6);
        for number in 0..=count {
            let leave = if do_loop { "; break" } else { "" };
            let text = if number == place && has_else { self.with_else() } else { self.guarded() };
            let _ = writeln!(self.text, "  :: {text}{leave}");
        }
        self.put(if do_loop { "  od;\n" } else { "  fi;\n" });
    }

    fn options_in_d_step(&mut self) {
        let (c, a, b) = (self.condition(), self.assignment(), self.assignment());
        match self.random.below(3) {
            0 => {
                let _ = writeln!(self.text, "  if :: {c} -> {a} :: else -> {b} fi");
            }
            1 => {
                let _ = writeln!(self.text, "  if :: else -> {a} :: {c} -> {b} fi");
            }
            _ => {
                let inner = format!("if :: {c} -> {a} :: else -> skip fi");
                let _ = writeln!(self.text, "  if :: v == 5 -> skip :: else -> {inner}; {b} fi");
            }
        }
    }

    /// An option that opens with an `else` of its choice.
    fn with_else(&mut self) -> String {
        let a = self.assignment();
        match self.random.below(7) {
            0 | 1 => format!("d_step {{ else -> {a} }}"),
            2 => format!("atomic {{ else -> {a} }}"),
            3 => format!("{{ else -> {a} }}"),
            4 => format!("d_step {{ {{ else; {a} }}; x = 1 }}"),
            5 => "E(x)".to_owned(),
            _ => format!("else -> {a}"),
        }
    }

    /// An option that opens with something else.
    fn guarded(&mut self) -> String {
        let (c, a, b) = (self.condition(), self.assignment(), self.assignment());
        match self.random.below(8) {
            0 => format!("d_step {{ {c} -> {a} }}"),
            1 => format!("atomic {{ {c}; {a}; {b} }}"),
            2 => format!("{{ {c}; {a} }}"),
            3 => format!("d_step {{ if :: {c} -> {a} :: else -> {b} fi }}"),
            4 => format!("skip; C({c}, x)"),
            5 => format!("{c} -> else -> {a}"),
            6 => a,
            _ => format!("{c} -> {a}"),
        }
    }

    fn value(&mut self) -> String {
        let constants = [
            "-1", "0", "1", "2", "3", "127", "128", "255", "256", "257", "300", "-129", "32767",
            "32768", "65535", "70000", "-70000",
        ];
        match self.random.below(4) {
            0 => self.pick(&["x", "y - 1", "x * 200", "-x", "y + 255", "g - 1"]).to_owned(),
            _ => self.pick(&constants).to_owned(),
        }
    }

    fn sorted_sends(&mut self) {
        let fields = 1 + self.random.below(3);
        let types = ["byte", "bit", "bool", "short", "int", "mtype", "byte", "short"];
        let chosen: Vec<&str> = (0..fields).map(|_| self.pick(&types)).collect();
        // SPIN puts back what `eval` gives after the step where it undoes a receive: it must be what it
        // was before.
        self.put("mtype = { red, green };\nint g = 1, k = 256;\n");
        let _ = writeln!(self.text, "chan q = [3] of {{ {} }};", chosen.join(", "));
        let _ = writeln!(self.text, "chan r = [0] of {{ {} }};", chosen.join(", "));
        let processes = 1 + self.random.below(2);
        for process in 0..processes {
            let _ = writeln!(self.text, "active proctype P{process}() {{ int x = 1; short y;");
            let mut sent = 0;
            for _ in 0..3 + self.random.below(3) {
                let list: Vec<String> = (0..fields).map(|_| self.value()).collect();
                let values = list.join(", ");
                let targets = &["x", "y", "g"][..fields];
                let mut mixed: Vec<String> = targets.iter().map(|t| (*t).to_owned()).collect();
                let at = self.random.below(fields);
                mixed[at] = match self.random.below(2) {
                    0 => self.pick(&["-1", "255", "256", "1", "0", "300"]).to_owned(),
                    _ => self.pick(&["eval(k)", "eval(k - 1)", "eval(-k)", "eval(1)"]).to_owned(),
                };
                let text = match self.random.below(if sent == 0 { 4 } else { 9 }) {
                    0..=2 => {
                        sent += 1;
                        format!("q!!{values}")
                    }
                    3 => {
                        sent += 1;
                        format!("q!{values}")
                    }
                    4 | 5 => format!("q?{}", targets.join(", ")),
                    6 => format!("if :: q??{} :: else fi", mixed.join(", ")),
                    7 => format!("if :: q?[{}] -> g = 7 :: else fi", mixed.join(", ")),
                    _ => format!("q?{}", mixed.join(", ")),
                };
                let _ = writeln!(self.text, "  {text};");
            }
            let list: Vec<String> = (0..fields).map(|_| self.value()).collect();
            match self.random.below(4) {
                0 => {
                    let _ = writeln!(self.text, "  r!{};", list.join(", "));
                }
                1 => {
                    let _ = writeln!(self.text, "  r?{};", ["x", "y", "g"][..fields].join(", "));
                }
                _ => {}
            }
            let k = self.value();
            let _ = writeln!(self.text, "  assert(x != {k})\n}}");
        }
    }

    fn remotes(&mut self) {
        self.put("byte v, w;\nactive proctype P0() {\n  byte x = 3; short y; byte a[2];\n");
        self.put("  x++;\nL: y = x - 5; a[1] = 2;\nM: d_step { x++; v = x }\n}\n");
        self.put("active proctype P1() {\n  byte x; short z;\n");
        for _ in 0..1 + self.random.below(3) {
            // SPIN refuses those in conditions, and labels everywhere.
            let refused = self.random.chance(1, 8);
            let first = match self.random.below(4) {
                0 => self.condition(),
                1 if refused => "P0[0]@L".to_owned(),
                2 if refused => "!P0@M".to_owned(),
                _ => "skip".to_owned(),
            };
            let _ = write!(self.text, "  d_step {{ {first}");
            for _ in 0..1 + self.random.below(3) {
                let target = self.pick(&["v", "w", "x", "z"]);
                let from = self.pick(&[
                    "P0[0]:x",
                    "P0[w]:x",
                    "P0:y",
                    "P0[0]:a[1]",
                    "P0[0]:y + P0[0]:x",
                    "P0[0]:a[w % 2] + v",
                ]);
                let _ = write!(self.text, "; {target} = {from}");
            }
            if self.random.chance(1, 3) {
                let guard = if refused { "P0[0]:x > 3" } else { "v > 1" };
                let _ = write!(self.text, "; if :: {guard} -> v = 9 :: else -> w = P0[0]:x fi");
            }
            self.put(" };\n");
        }
        self.put("  w = 0\n}\n");
    }

    fn short_messages(&mut self) {
        // Of a message SPIN puts back only the fields that were named, and zeros for the others.
        let d = self.random.below(3);
        self.put("byte v;\nchan c = [0] of { byte, byte };\n");
        let _ = writeln!(self.text, "chan d = [{d}] of {{ byte, byte, bit }};");
        for process in 0..2 + self.random.below(2) {
            let _ = writeln!(self.text, "active proctype P{process}() {{ byte x, y;");
            for _ in 0..1 + self.random.below(3) {
                let text = match self.random.below(8) {
                    0 | 1 => self.pick(&["c!1", "c!1,0", "c!v,0", "c!2"]),
                    2 => self.pick(&["d!1", "d!1,2", "d!1,2,1", "d!!2,1"]),
                    3 | 4 => self.pick(&["c?x", "c?x,y", "c?1,x", "c?_"]),
                    5 => self.pick(&["d?x,y,_", "d?x,1,v", "d??1,x,_"]),
                    6 => "v = (v + 1) % 3",
                    _ => self.pick(&[
                        "if :: c!1 :: c?x fi",
                        "if :: c?x -> v = 1 :: v == 1 fi",
                        "atomic { x = 1; c!1; v = 2 }",
                        "atomic { c?x; v = 2 }",
                    ]),
                };
                let _ = writeln!(self.text, "  {text};");
            }
            self.put("  skip\n}\n");
        }
    }

    fn structures(&mut self) {
        let a = self.pick(&["", " = 4"]);
        let c = self.pick(&["", " = [1] of { byte }", " = 0"]);
        let _ = writeln!(self.text, "typedef T {{ byte a{a}; byte b; chan c{c} }};");
        let value = self.pick(&["", " = 3", " = 255"]);
        let _ = writeln!(self.text, "typedef U {{ T t{value}; byte x = 2 }};");
        self.put("chan all = [2] of { byte };\nchan some = [1] of { chan };\n");
        let (v, w) = (self.pick(&["", " = 5", "[2] = 5"]), self.pick(&["", " = 7"]));
        let index = if v.starts_with('[') { "[1]" } else { "" };
        let _ = writeln!(self.text, "T t{v};\nU u{w};\nbyte n;");
        let spare = self.pick(&["", " = 0", " = 1"]);
        let _ = writeln!(self.text, "chan spare{spare};");
        for process in 0..1 + self.random.below(2) {
            let _ = writeln!(self.text, "active proctype P{process}() {{ T l = 9; chan d = all;");
            for _ in 0..2 + self.random.below(4) {
                let text = match self.random.below(10) {
                    0 => format!("t{index}.c = {}", self.random.below(2)),
                    1 => format!("t{index}.c = all"),
                    2 => format!("if :: t{index}.c == 1 -> t{index}.c!n :: else fi"),
                    3 => "l.c = 0; l.c = all; l.c!u.x".to_owned(),
                    4 => "n = l.a + u.t.a + u.x".to_owned(),
                    5 => "some!0; some?d; n = d".to_owned(),
                    6 => "some!all; some?d; n = d".to_owned(),
                    7 => "n = all; d = n; if :: nfull(d) -> d!1 :: else fi".to_owned(),
                    8 => format!("if :: spare == 0 -> n = t{index}.b :: spare != 0 -> n = 1 fi"),
                    _ => "if :: len(all) > 0 -> all?n :: len(all) == 0 -> u.t.b = u.t.a fi"
                        .to_owned(),
                };
                let _ = writeln!(self.text, "  {text};");
            }
            self.put("  skip\n}\n");
        }
    }

    fn enabled(&mut self) {
        let processes = 2 + self.random.below(2);
        self.put("byte v, w;\n");
        for process in 0..processes {
            let provided = if self.random.chance(1, 5) {
                let other = (process + 1) % processes;
                let clause = self.pick(&["v < 2", "w == 0", "enabled"]);
                if clause == "enabled" {
                    format!(" provided (enabled({other}))")
                } else {
                    format!(" provided ({clause})")
                }
            } else {
                String::new()
            };
            let _ = writeln!(self.text, "active proctype P{process}(){provided} {{ byte x;");
            for _ in 0..1 + self.random.below(3) {
                let other = self.random.below(processes + 1);
                let (c, a) = (self.condition(), self.assignment());
                let text = match self.random.below(9) {
                    0 if other != process => format!("enabled({other})"),
                    1 if other != process => format!("!enabled({other})"),
                    2 if other != process => format!("{c} && enabled({other})"),
                    3 if other != process => format!("if :: enabled({other}) -> {a} :: {c} fi"),
                    4 if other != process => format!("x = enabled({other})"),
                    5 => format!("w = pc_value({other}) > 0"),
                    6 => "timeout".to_owned(),
                    7 => c,
                    _ => a,
                };
                let _ = writeln!(self.text, "  {text};");
            }
            self.put("  skip\n}\n");
        }
    }

    fn atomic_loops(&mut self) {
        self.put("byte v, w;\n");
        for process in 0..1 + self.random.below(2) {
            let _ = writeln!(self.text, "active proctype P{process}() {{ byte x;");
            let count = 2 + self.random.below(2);
            for block in 0..count {
                let kind = self.pick(&["atomic", "atomic", ""]);
                let _ = write!(self.text, "B{block}: {kind} {{ ");
                let opening = self.pick(&["x = 0", "x = 1 - x", "skip", "v = 1"]);
                let looping = self.pick(&[
                    "do :: true -> LN: skip :: break od",
                    "do :: x < 2 -> x++; LN: skip :: else -> break od",
                    "do :: x = 1 - x; LN: skip :: x == 1 -> break od",
                    "if :: x == 0 -> LN: x = 1 :: else -> skip fi",
                    "LN: x = (x + 1) % 3; if :: x == 0 -> skip :: x == 1 -> goto LN :: x == 2 fi",
                    "d_step { x = 0; do :: x < 3 -> x++ :: else -> break od }; LN: skip",
                ]);
                let looping = looping.replace("LN", &format!("L{block}"));
                let _ = write!(self.text, "{opening}; {looping} }};\n  ");
                if self.random.chance(2, 3) {
                    let (to, label) = (self.random.below(count), self.pick(&["L", "L", "B"]));
                    let c = self.condition();
                    let jump = format!("goto {label}{to}");
                    let _ = match self.random.below(3) {
                        0 => writeln!(self.text, "if :: {jump} :: skip fi;"),
                        1 => writeln!(self.text, "if :: {c} -> {jump} :: else fi;"),
                        _ => writeln!(self.text, "if :: x = 0; {jump} :: v = 1 fi;"),
                    };
                }
            }
            self.put("  v = 0\n}\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_seed_same_text() {
        for corner in Corner::ALL {
            assert_eq!(corner_model(corner, 7), corner_model(corner, 7));
            assert_ne!(corner_model(corner, 7), corner_model(corner, 8));
        }
    }
}
