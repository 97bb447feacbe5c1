//! Random program graphs, run here and by SPIN: stored, matched and errors must agree.
//!
//! The graphs are written as Promela with a label and a choice for every location, so that SPIN's
//! control points are these locations and no front end of ours is needed. Skipped with a message
//! where SPIN or gcc is missing. `PROMENADE_SEEDS=first-last` chooses other models than usual.

mod support;

use promenade_base::random::Random;
use promenade_interp::RunOptions;
use promenade_ir::*;
use promenade_testkit::{seeds, spin};
use promenade_transition_system::ViolationKind;
use std::fmt::Write;
use std::rc::Rc;
use support::*;

/// A statement in both forms.
struct Statement {
    text: String,
    action: Action,
}

struct Generator {
    random: Random,
    builder: Builder,
    capacities: [u32; 3],
    processes: usize,
    timeouts: bool,
    /// Priorities instead of rendezvous, which SPIN does not combine.
    priorities: bool,
    /// A child process that others may run.
    children: bool,
    claim: bool,
}

fn load(place: Place) -> Expr {
    Expr::Load(place)
}

impl Generator {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let priorities = random.chance(1, 6);
        let children = random.chance(1, 4);
        // SPIN counts a claim in `_nr_pr`, which children look at; we do not.
        let claim = !children && random.chance(1, 4);
        let capacities = if priorities {
            [1 + random.below(2) as u32, 1, 1]
        } else {
            [random.below(3) as u32, random.below(2) as u32, 0]
        };
        let mut builder = Builder::globals(3);
        for capacity in capacities {
            builder = builder.channel(capacity, &[ScalarType::Byte]);
        }
        let processes = 2 + random.below(2);
        let timeouts = random.chance(1, 3);
        builder.model.uses_priorities = priorities;
        Self { random, builder, capacities, processes, timeouts, priorities, children, claim }
    }

    fn pick(&mut self, n: u64) -> i32 {
        self.random.below(n as _) as i32
    }

    fn variable(&mut self) -> (String, Place) {
        match self.pick(4) {
            3 => ("l".to_owned(), local(0)),
            n => (format!("g{n}"), byte(n as u32)),
        }
    }

    fn assignment(&mut self) -> Statement {
        let (name, place) = self.variable();
        if self.random.chance(1, 2) {
            let k = self.pick(3);
            return Statement { text: format!("{name} = {k}"), action: set(place, number(k)) };
        }
        let up = binary(BinaryOp::Add, load(place.clone()), number(1));
        let value = binary(BinaryOp::Mod, up, number(3));
        Statement { text: format!("{name} = ({name} + 1) % 3"), action: set(place, value) }
    }

    fn condition(&mut self) -> Statement {
        let (name, place) = self.variable();
        let k = self.pick(3);
        let channel_number = self.pick(2);
        let q = || Box::new(channel(channel_number + 1));
        let polls = self.capacities[channel_number as usize] > 0;
        let (text, e) = match self.pick(8) {
            0 | 1 => (format!("{name} == {k}"), equal(place, k)),
            2 => (format!("{name} != {k}"), binary(BinaryOp::NotEqual, load(place), number(k))),
            3 => (
                format!("nempty(q{channel_number})"),
                Expr::ChannelTest(ChannelTest::NotEmpty, q()),
            ),
            4 => {
                (format!("nfull(q{channel_number})"), Expr::ChannelTest(ChannelTest::NotFull, q()))
            }
            5 if polls => (
                format!("q{channel_number}?[{k}]"),
                Expr::Poll {
                    channel: q(),
                    random: false,
                    patterns: vec![Pattern::Match(number(k))],
                },
            ),
            6 if self.timeouts => ("timeout".to_owned(), Expr::Timeout),
            _ => (
                format!("g0 < {k} || g1 == {k}"),
                Expr::Or(
                    Box::new(binary(BinaryOp::Less, load(byte(0)), number(k))),
                    Box::new(equal(byte(1), k)),
                ),
            ),
        };
        Statement { text, action: when(e) }
    }

    fn communication(&mut self) -> Statement {
        let q = self.pick(3);
        let k = self.pick(2);
        let (name, place) = self.variable();
        let e = channel(q + 1);
        let receiving = |text: &str, pattern| Statement {
            text: format!("q{q}?{text}"),
            action: receive(e.clone(), vec![pattern]),
        };
        match self.pick(8) {
            0..=2 => Statement { text: format!("q{q}!{k}"), action: send(e, &[k]) },
            3 => Statement {
                text: format!("q{q}!{name}"),
                action: Action::Send { channel: e, sorted: false, arguments: vec![load(place)] },
            },
            4 => receiving(&k.to_string(), Pattern::Match(number(k))),
            5 => receiving("_", Pattern::Any),
            6 => receiving(&format!("eval({name})"), Pattern::Match(load(place))),
            _ => receiving(&name, Pattern::Store(place)),
        }
    }

    /// Starts the child if there are few processes; two edges of an atomic sequence.
    fn run(&mut self) -> [Statement; 2] {
        let count = self.processes as i32 + 2;
        let few = binary(BinaryOp::Less, Expr::NrPr, number(count));
        let child = ProctypeId(self.processes as u16);
        let k = self.pick(3);
        let run = Action::Run {
            proctype: child,
            arguments: vec![number(k)],
            priority: None,
            target: None,
        };
        [
            Statement { text: format!("_nr_pr < {count}"), action: when(few) },
            Statement { text: format!("run C({k})"), action: run },
        ]
    }

    fn statement(&mut self) -> Statement {
        match self.pick(10) {
            0..=2 => self.assignment(),
            3..=4 => self.condition(),
            5 => {
                let (name, place) = self.variable();
                let k = self.pick(3);
                let e = binary(BinaryOp::NotEqual, load(place), number(k));
                Statement { text: format!("assert({name} != {k})"), action: Action::Assert(e) }
            }
            _ => self.communication(),
        }
    }

    /// A d_step whose later statements are assignments.
    fn d_step(&mut self) -> Statement {
        let mut list = vec![match self.pick(3) {
            0 => self.condition(),
            1 => self.assignment(),
            _ => {
                // A receive may start it, a send to a rendezvous channel may not.
                let k = self.pick(2);
                let q = self.pick(3);
                Statement {
                    text: format!("q{q}?{k}"),
                    action: receive(channel(q + 1), vec![Pattern::Match(number(k))]),
                }
            }
        }];
        for _ in 0..=self.pick(2) {
            list.push(self.assignment());
        }
        let texts: Vec<&str> = list.iter().map(|s| s.text.as_str()).collect();
        let text = format!("d_step {{ {} }}", texts.join("; "));
        let exit = list.len() as u32;
        let mut locations: Vec<Vec<EdgeSpec>> =
            list.into_iter().enumerate().map(|(i, s)| vec![edge(s.action, i as u32 + 1)]).collect();
        locations.push(Vec::new());
        let graph = self.builder.graph(locations);
        let start_edges = Some(vec![0]);
        let step = DStep { graph, entry: LocationId(0), exit: LocationId(exit), start_edges };
        Statement { text, action: Action::DStep(Box::new(step)) }
    }

    /// The edges of one option: first edge, edges of the locations between, its text.
    fn option(
        &mut self,
        first_free: u32,
        target: u32,
        goto: &str,
    ) -> (EdgeSpec, Vec<Vec<EdgeSpec>>, String) {
        if self.children && self.random.chance(1, 5) {
            let [few, run] = self.run();
            let text = format!("atomic {{ {}; {} }}; {goto}", few.text, run.text);
            let first = edge(few.action, first_free).atomic();
            return (first, vec![vec![edge(run.action, target)]], text);
        }
        let kind = self.pick(6);
        if kind == 5 {
            let s = self.d_step();
            return (edge(s.action, target), Vec::new(), format!("{}; {goto}", s.text));
        }
        let atomic = kind >= 3;
        let count = match kind {
            0 | 1 => 1,
            2 => 2,
            _ => 2 + self.pick(2) as u32,
        };
        let mut edges = Vec::new();
        let mut texts = Vec::new();
        for number in 0..count {
            let s = self.statement();
            let last = number + 1 == count;
            let mut spec = edge(s.action, if last { target } else { first_free + number });
            spec.keeps_atomic = atomic && !last;
            edges.push(spec);
            texts.push(s.text);
        }
        let text = if atomic {
            format!("atomic {{ {} }}; {goto}", texts.join("; "))
        } else {
            format!("{}; {goto}", texts.join("; "))
        };
        let first = edges.remove(0);
        (first, edges.into_iter().map(|e| vec![e]).collect(), text)
    }

    /// The same escape at a location inside.
    fn escapes(&mut self, spec: &EdgeSpec) -> EdgeSpec {
        edge(spec.action.clone(), spec.target).escape(1)
    }

    fn process(&mut self, number: usize) -> String {
        let named = 2 + self.pick(3) as u32;
        let mut provided = String::new();
        let mut clause = None;
        if self.random.chance(1, 8) {
            let k = self.pick(3);
            provided = format!(" provided (g2 != {k})");
            clause = Some(binary(BinaryOp::NotEqual, load(byte(2)), number_of(k)));
        }
        let priority = if self.priorities { 1 + self.pick(3) as u8 } else { 1 };
        if self.priorities {
            provided = format!(" priority {priority}{provided}");
        }
        let mut text = format!("active proctype P{number}(){provided} {{\n  byte l;\n");
        // Locations: the named ones, then E (a skip before the end), then those between.
        let leave = named;
        let mut heads = Vec::new();
        let mut between: Vec<Vec<EdgeSpec>> = Vec::new();
        for location in 0..named {
            let _ = writeln!(text, "L{location}:");
            let choice = text.len();
            let inner = between.len();
            text.push_str("  if\n");
            let mut head = Vec::new();
            for _ in 0..1 + self.pick(3) {
                let target = self.pick(u64::from(named) + 1) as u32;
                let goto =
                    if target == leave { "goto E".to_owned() } else { format!("goto L{target}") };
                let free = named + 1 + between.len() as u32;
                let (first, mut more, option) = self.option(free, target, &goto);
                head.push(first);
                between.append(&mut more);
                let _ = writeln!(text, "  :: {option}");
            }
            if self.random.chance(1, 3) {
                let target = self.pick(u64::from(named)) as u32;
                let s = self.assignment();
                let free = named + 1 + between.len() as u32;
                head.push(edge(Action::Else, free));
                between.push(vec![edge(s.action, target)]);
                let _ = writeln!(text, "  :: else -> {}; goto L{target}", s.text);
            }
            if self.random.chance(1, 5) {
                // An escape of one statement stands in front of everything at this location.
                let target = self.pick(u64::from(named)) as u32;
                let s =
                    if self.random.chance(1, 2) { self.condition() } else { self.communication() };
                text.insert_str(choice, "  {\n");
                let _ = writeln!(text, "  fi }} unless {{ {}; goto L{target} }};", s.text);
                head.insert(0, edge(s.action, target).escape(1));
                for list in &mut between[inner..] {
                    let again = self.escapes(&head[0]);
                    list.insert(0, again);
                }
            } else {
                text.push_str("  fi;\n");
            }
            heads.push(head);
        }
        text.push_str("E: skip\n}\n");
        let end = named + 1 + between.len() as u32;
        heads.push(vec![edge(Action::Skip, end)]);
        heads.append(&mut between);
        let mut proctype = self.builder.proctype(heads, 1);
        proctype.provided = clause;
        proctype.priority = priority;
        let id = ProctypeId(self.builder.model.proctypes.len() as u16);
        self.builder.model.proctypes.push(proctype);
        self.builder.model.initial_processes.push(id);
        text
    }

    /// A claim of two locations and its end.
    fn claim(&mut self) -> String {
        let mut heads = Vec::new();
        let mut text = "never {\n".to_owned();
        for location in 0..2 {
            let _ = write!(text, "N{location}:\n  if\n");
            let mut head = Vec::new();
            for _ in 0..1 + self.pick(3) {
                let k = self.pick(3);
                let g = self.pick(3);
                let target = if self.random.chance(1, 8) { 2 } else { self.pick(2) as u32 };
                let leave =
                    if target == 2 { "goto NE".to_owned() } else { format!("goto N{target}") };
                let op = if self.random.chance(1, 3) { "==" } else { "!=" };
                let _ = writeln!(text, "  :: g{g} {op} {k} -> {leave}");
                let binary_op = if op == "==" { BinaryOp::Equal } else { BinaryOp::NotEqual };
                head.push(edge(when(binary(binary_op, load(byte(g as u32)), number(k))), target));
            }
            text.push_str("  fi;\n");
            heads.push(head);
        }
        text.push_str("NE: g0 != 7\n}\n");
        heads.push(vec![edge(when(binary(BinaryOp::NotEqual, load(byte(0)), number(7))), 3)]);
        let process = self.builder.proctype(heads, 0);
        self.builder.model.claims.push(Claim {
            process,
            name: None,
            acceptance: None,
            labels: None,
        });
        text
    }

    fn model(mut self) -> (String, Model) {
        let mut text = "byte g0, g1, g2;\n".to_owned();
        for (number, capacity) in self.capacities.iter().enumerate() {
            let _ = writeln!(text, "chan q{number} = [{capacity}] of {{ byte }};");
        }
        for number in 0..self.processes {
            text.push_str(&self.process(number));
        }
        if self.children {
            let (first, second) = (self.statement(), self.assignment());
            let _ = writeln!(text, "proctype C(byte l) {{ {}; {} }}", first.text, second.text);
            let locations = vec![vec![edge(first.action, 1)], vec![edge(second.action, 2)]];
            let mut child = self.builder.proctype(locations, 1);
            child.parameters.push(local(0));
            self.builder.model.proctypes.push(child);
        }
        if self.claim {
            text.push_str(&self.claim());
        }
        (text, self.builder.model)
    }
}

fn number_of(k: i32) -> Expr {
    number(k)
}

#[test]
fn random_graphs_count_as_in_spin() {
    if !spin::available() {
        return println!("skipped: spin or gcc is not installed");
    }
    let folder = std::env::temp_dir().join(format!("promenade-graphs-{}", std::process::id()));
    let (mut compared, mut states, mut different) = (0, 0, Vec::new());
    for seed in seeds(1..=12) {
        let (text, model) = Generator::new(seed).model();
        let answer = match spin::reference(&text, &folder) {
            Ok(spin::Answer::Counts(counts)) => counts,
            Ok(other) => {
                println!("seed {seed}: {other:?}");
                continue;
            }
            Err(error) => return println!("skipped: {error}"),
        };
        let claim = (!model.claims.is_empty()).then_some(0);
        let options = RunOptions { claim, ..RunOptions::default() };
        let ours = count_up_to(&Rc::new(model), options, 2_000_000);
        compared += 1;
        states += ours.stored;
        // Where a claim completes, SPIN reports every move of the same step, and lets the claim die
        // where no process is left.
        let completes = ours.kinds.contains(&ViolationKind::ClaimCompleted);
        let same = if completes {
            let more = answer.stored.wrapping_sub(ours.stored);
            answer.errors > 0 && more <= ours.errors
        } else {
            (ours.stored, ours.matched, ours.errors)
                == (answer.stored, answer.matched, answer.errors)
        };
        if !same {
            println!("seed {seed}: ours {ours:?}, SPIN's {answer:?}\n{text}");
            different.push(seed);
        }
    }
    let _ = std::fs::remove_dir_all(folder);
    println!("{compared} models compared, {states} states");
    assert!(different.is_empty(), "different: {different:?}");
}
