//! The propositions of a property along a run: read from the text, computed from the values of the
//! trace. What cannot be computed from them is unknown, and shown so.

use crate::playback::{Playback, Snapshot};
use promenade_base::{FileId, SourceMap, Span};
use promenade_promela_syntax::ast::{
    BinaryOperator, ChannelTest, Expr, ExprKind, Formula, FormulaKind, Item, Sequence, Statement,
    StatementKind, UnaryOperator, VarRef,
};
use promenade_promela_syntax::{ParseOptions, parse};
use promenade_protocol::{Experiment, Property, SlotOwner, SpanData};
use std::collections::HashMap;

/// Steps for which propositions are computed at most.
const MOST_STEPS: usize = 2_000;

/// A proposition and whether it holds in each state of a run; `None` is unknown.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// As it is written.
    pub text: String,
    /// By state, from the initial one on.
    pub holds: Vec<Option<bool>>,
}

/// The propositions of the formula that an experiment checks, along a run. Empty without a formula,
/// or if nothing about it can be computed.
pub fn rows(experiment: &Experiment, playback: &Playback) -> Vec<Row> {
    let Some((sources, atoms, labels)) = read(experiment) else { return Vec::new() };
    let slots = slots(playback);
    let states = playback.steps().min(MOST_STEPS);
    let mut rows: Vec<Row> = Vec::new();
    let mut kept: Vec<&Expr> = Vec::new();
    for atom in &atoms {
        let text = source_text(&sources, atom.span);
        if !rows.iter().any(|row| row.text == text) {
            rows.push(Row { text, holds: Vec::new() });
            kept.push(atom);
        }
    }
    playback.visit(states, |state| {
        let world = World { state, slots: &slots, labels: &labels };
        for (row, atom) in rows.iter_mut().zip(&kept) {
            row.holds.push(world.value(atom).map(|value| value.is_true()));
        }
    });
    if rows.iter().all(|row| row.holds.iter().all(Option::is_none)) {
        rows.clear();
    }
    rows
}

fn source_text(sources: &SourceMap, span: Span) -> String {
    let text = sources.get(span.file).map(|file| file.text()).unwrap_or_default();
    let text = text.get(span.start as usize..span.end as usize).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where the labels of process types are: type and label to the place of the statement.
type Labels = HashMap<(String, String), Span>;

fn read(experiment: &Experiment) -> Option<(SourceMap, Vec<Expr>, Labels)> {
    let typed = match &experiment.property {
        Property::Formula { text } => Some(text),
        Property::Ltl { .. } => None,
        _ => return None,
    };
    let mut sources = SourceMap::default();
    for (index, file) in experiment.files.iter().enumerate() {
        match typed {
            Some(formula) if index == 0 => {
                sources.add(file.name.as_str(), format!("{}\nltl {{ {formula} }}\n", file.text));
            }
            _ => {
                sources.add(file.name.as_str(), file.text.as_str());
            }
        }
    }
    let defines = &experiment.settings.defines;
    let defines = defines.iter().map(|it| (it.name.clone(), it.value.clone())).collect();
    let options = ParseOptions { defines, ..ParseOptions::default() };
    let tree = parse(&sources, &options).value;
    let mut labels = Labels::new();
    let mut blocks = Vec::new();
    for item in &tree.items {
        match item {
            Item::Proctype(it) => find_labels(&it.name.text, &it.body, &mut labels),
            Item::Init(it) => find_labels("init", &it.body, &mut labels),
            Item::Ltl(block) => blocks.push(block),
            _ => {}
        }
    }
    let block = match &experiment.property {
        Property::Ltl { name: Some(name) } => {
            blocks.iter().find(|it| it.name.as_ref().is_some_and(|it| &*it.text == name.as_str()))
        }
        Property::Ltl { name: None } => blocks.first(),
        _ => blocks.last(),
    };
    let mut atoms = Vec::new();
    find_atoms(block?.formula.as_ref()?, &mut atoms);
    Some((sources, atoms, labels))
}

fn find_atoms(formula: &Formula, out: &mut Vec<Expr>) {
    let mut waiting = vec![formula];
    while let Some(formula) = waiting.pop() {
        match &formula.kind {
            FormulaKind::Atom(Expr { kind: ExprKind::Int(_) | ExprKind::Bool(_), .. }) => {}
            FormulaKind::Atom(expression) => out.push(expression.clone()),
            FormulaKind::Not(f)
            | FormulaKind::Next(f)
            | FormulaKind::Always(f)
            | FormulaKind::Eventually(f) => waiting.push(f),
            FormulaKind::Binary(_, f, g) => waiting.extend([&**g, &**f]),
        }
    }
}

/// Notes labels in front of statements that are one step, whose place is that of the process.
fn find_labels(process: &str, body: &Sequence, out: &mut Labels) {
    let mut waiting: Vec<&Statement> = body.statements.iter().collect();
    while let Some(statement) = waiting.pop() {
        let plain = match &statement.kind {
            StatementKind::Assign(..)
            | StatementKind::Increment(_)
            | StatementKind::Decrement(_)
            | StatementKind::Expr(_)
            | StatementKind::Assert(_)
            | StatementKind::Printf(..)
            | StatementKind::Send { .. }
            | StatementKind::Receive { .. }
            | StatementKind::Skip { implied: false } => true,
            StatementKind::If(options) | StatementKind::Do(options) => {
                waiting.extend(options.iter().flat_map(|it| &it.statements));
                false
            }
            StatementKind::Atomic(body)
            | StatementKind::DStep(body)
            | StatementKind::Block(body) => {
                waiting.extend(&body.statements);
                false
            }
            StatementKind::Unless(main, escape) => {
                waiting.extend([&**main, &**escape]);
                false
            }
            StatementKind::ForRange { body, .. } | StatementKind::ForIn { body, .. } => {
                waiting.extend(&body.statements);
                false
            }
            _ => false,
        };
        if plain {
            for label in &statement.labels {
                out.insert((process.to_owned(), label.text.to_string()), statement.span);
            }
        }
    }
}

/// Slots by name: those of everybody, and those of a process.
type Slots = HashMap<(Option<u8>, String), Vec<usize>>;

fn slots(playback: &Playback) -> Slots {
    let mut slots = Slots::new();
    for (index, slot) in playback.trace.slots.iter().enumerate() {
        let owner = match slot.owner {
            SlotOwner::Process { pid } => Some(pid),
            SlotOwner::Global | SlotOwner::Channel => None,
        };
        slots.entry((owner, slot.name.clone())).or_default().push(index);
    }
    slots
}

/// A value as it is shown.
#[derive(Clone, PartialEq, Debug)]
enum Value {
    Number(i64),
    /// A name of an `mtype`.
    Name(String),
}

impl Value {
    fn is_true(&self) -> bool {
        // Names stand for numbers from 1 on.
        !matches!(self, Self::Number(0))
    }

    fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Name(_) => None,
        }
    }

    fn of(text: &str) -> Option<Self> {
        match text {
            "true" => Some(Self::Number(1)),
            "false" => Some(Self::Number(0)),
            _ => match text.parse() {
                Ok(number) => Some(Self::Number(number)),
                Err(_) if is_name(text) => Some(Self::Name(text.to_owned())),
                Err(_) => None,
            },
        }
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

struct World<'a> {
    state: &'a Snapshot,
    slots: &'a Slots,
    labels: &'a Labels,
}

impl World<'_> {
    fn value(&self, expression: &Expr) -> Option<Value> {
        match &expression.kind {
            ExprKind::Int(number) => Some(Value::Number(i64::from(*number))),
            ExprKind::Bool(truth) => Some(Value::Number(i64::from(*truth))),
            ExprKind::Var(variable) => self.variable(None, variable),
            ExprKind::Unary(operator, operand) => {
                let value = self.value(operand)?;
                Some(Value::Number(match operator {
                    UnaryOperator::Not => i64::from(!value.is_true()),
                    UnaryOperator::Negate => int(-value.number()?),
                    UnaryOperator::Complement => int(!value.number()?),
                }))
            }
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right),
            ExprKind::Conditional(condition, yes, no) => {
                self.value(if self.value(condition)?.is_true() { yes } else { no })
            }
            ExprKind::Len(channel) => Some(Value::Number(self.length(channel)?)),
            ExprKind::ChannelTest(test, channel) => {
                let empty = self.length(channel)? == 0;
                match test {
                    ChannelTest::Empty => Some(Value::Number(i64::from(empty))),
                    ChannelTest::NotEmpty => Some(Value::Number(i64::from(!empty))),
                    // How much fits is not among the values.
                    ChannelTest::Full | ChannelTest::NotFull => None,
                }
            }
            ExprKind::RemoteLabel { process, index, label } => {
                let pid = self.process(&process.text, index.as_deref())?;
                let at = self.state.positions.get(&pid)?;
                let label = self.labels.get(&(process.text.to_string(), label.text.to_string()))?;
                Some(Value::Number(i64::from(at.span.is_some_and(|span| same(&span, label)))))
            }
            ExprKind::RemoteVar { process, index, variable } => {
                let pid = self.process(&process.text, index.as_deref())?;
                self.variable(Some(pid), variable)
            }
            _ => None,
        }
    }

    fn binary(&self, operator: BinaryOperator, left: &Expr, right: &Expr) -> Option<Value> {
        use BinaryOperator as Op;
        let (left, right) = (self.value(left), self.value(right));
        let truth = |truth: bool| Some(Value::Number(i64::from(truth)));
        let (l, r) = match (operator, left, right) {
            // One side may decide alone.
            (Op::And, Some(it), _) | (Op::And, _, Some(it)) if !it.is_true() => {
                return truth(false);
            }
            (Op::Or, Some(it), _) | (Op::Or, _, Some(it)) if it.is_true() => return truth(true),
            (_, Some(l), Some(r)) => (l, r),
            _ => return None,
        };
        match operator {
            Op::And | Op::Or => return truth(operator == Op::And),
            // A name and a number: which number the name stands for is not known here, except that
            // it is none of those below 1.
            Op::Equal | Op::NotEqual => {
                let equal = match (&l, &r) {
                    (Value::Number(it), Value::Name(_)) | (Value::Name(_), Value::Number(it)) => {
                        if *it > 0 {
                            return None;
                        }
                        false
                    }
                    (l, r) => l == r,
                };
                return truth(equal == (operator == Op::Equal));
            }
            _ => {}
        }
        let (l, r) = (l.number()?, r.number()?);
        let shift = |by: i64| u32::try_from(by).ok().filter(|by| *by < 32);
        match operator {
            Op::Less => truth(l < r),
            Op::LessEqual => truth(l <= r),
            Op::Greater => truth(l > r),
            Op::GreaterEqual => truth(l >= r),
            Op::Add => Some(Value::Number(int(l + r))),
            Op::Sub => Some(Value::Number(int(l - r))),
            Op::Mul => Some(Value::Number(int(l * r))),
            Op::Div => l.checked_div(r).map(|it| Value::Number(int(it))),
            Op::Mod => l.checked_rem(r).map(|it| Value::Number(int(it))),
            Op::BitAnd => Some(Value::Number(l & r)),
            Op::BitOr => Some(Value::Number(l | r)),
            Op::BitXor => Some(Value::Number(l ^ r)),
            Op::ShiftLeft => shift(r).map(|by| Value::Number(int(l << by))),
            Op::ShiftRight => shift(r).map(|by| Value::Number(l >> by)),
            Op::Equal | Op::NotEqual | Op::And | Op::Or => None,
        }
    }

    /// The process that a remote reference means: the given number, or the only one of its type.
    fn process(&self, name: &str, index: Option<&Expr>) -> Option<u8> {
        if let Some(index) = index {
            let pid = u8::try_from(self.value(index)?.number()?).ok()?;
            return self.state.positions.get(&pid).filter(|it| it.name == name).map(|it| it.pid);
        }
        let mut all = self.state.positions.values().filter(|it| it.name == name);
        let one = all.next()?;
        all.next().is_none().then_some(one.pid)
    }

    fn name(&self, variable: &VarRef) -> Option<String> {
        let mut name = String::new();
        for segment in &variable.segments {
            if !name.is_empty() {
                name.push('.');
            }
            name.push_str(&segment.name.text);
            if let Some(index) = &segment.index {
                name.push_str(&format!("[{}]", self.value(index)?.number()?));
            }
        }
        Some(name)
    }

    fn shown(&self, owner: Option<u8>, name: &str) -> Option<&str> {
        let slots = self.slots.get(&(owner, name.to_owned()))?;
        slots.iter().find_map(|index| self.state.values.get(*index)?.as_deref())
    }

    fn variable(&self, owner: Option<u8>, variable: &VarRef) -> Option<Value> {
        let name = self.name(variable)?;
        if self.slots.contains_key(&(owner, name.clone())) {
            return Value::of(self.shown(owner, &name)?);
        }
        // What is no variable is a name of an `mtype`; special names are neither.
        let plain = owner.is_none() && is_name(&name) && !name.starts_with('_');
        plain.then_some(Value::Name(name))
    }

    fn length(&self, channel: &VarRef) -> Option<i64> {
        let shown = self.shown(None, &self.name(channel)?)?;
        match shown {
            "[]" => Some(0),
            messages if messages.starts_with('[') => Some(messages.matches('[').count() as i64),
            _ => None,
        }
    }
}

/// A result of arithmetic, cut to 32 bits.
fn int(value: i64) -> i64 {
    i64::from(value as i32)
}

fn same(at: &SpanData, place: &Span) -> bool {
    FileId(at.file) == place.file && (at.start, at.end) == (place.start, place.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_protocol::{
        Change, File, ProcessPosition, ProcessState, Settings, Slot, Trace, TraceStep,
    };

    const TEXT: &str = "mtype = { red, green }; mtype light; byte x; bool b[2]; chan q = [2] of { byte };\n\
        #define high (x >= 2)\nproctype P() { byte y; work: y = 1 }\n\
        ltl f { [] (high -> <> (light == green)) && b[1] && P[0]@work && P[0]:y == 1 && len(q) == 2 && full(q) }\n";

    fn run() -> Playback {
        let slot = |owner, name: &str| Slot {
            owner,
            name: name.to_owned(),
            type_name: String::new(),
            born: 0,
        };
        let at = TEXT.find("y = 1").unwrap() as u32;
        let set = |values: [&str; 5]| {
            let change = |(slot, value): (usize, &str)| Change {
                slot: slot as u32,
                value: Some(value.to_owned()),
            };
            values.into_iter().enumerate().map(change).collect::<Vec<_>>()
        };
        let span = SpanData { file: 0, start: at, end: at + 5, line: 1, column: 1 };
        let position = |span| ProcessPosition {
            pid: 0,
            name: "P".to_owned(),
            state: ProcessState::Running,
            span,
            automaton_state: None,
        };
        let step = TraceStep {
            pid: 0,
            process: "P".to_owned(),
            text: String::new(),
            span: SpanData::default(),
            calls: Vec::new(),
            partner: None,
            message: None,
            printed: String::new(),
            atomic: false,
            changes: set(["green", "2", "true", "[1] [2]", "1"]),
            positions: vec![position(None)],
        };
        Playback::new(Trace {
            slots: vec![
                slot(SlotOwner::Global, "light"),
                slot(SlotOwner::Global, "x"),
                slot(SlotOwner::Global, "b[1]"),
                slot(SlotOwner::Channel, "q"),
                slot(SlotOwner::Process { pid: 0 }, "y"),
            ],
            initial: set(["red", "1", "false", "[]", "0"]),
            initial_positions: vec![position(Some(span))],
            steps: vec![step],
            ..Trace::default()
        })
    }

    fn of(property: Property) -> Vec<(String, Vec<Option<bool>>)> {
        let files = vec![File { name: "m.pml".to_owned(), text: TEXT.to_owned() }];
        let experiment = Experiment { files, property, settings: Settings::default() };
        rows(&experiment, &run()).into_iter().map(|row| (row.text, row.holds)).collect()
    }

    #[test]
    fn propositions_are_computed_from_values() {
        let found = of(Property::Ltl { name: Some("f".to_owned()) });
        let wanted = |text: &str| {
            let row = found.iter().find(|(it, _)| it.contains(text));
            row.unwrap_or_else(|| panic!("{text} is not in {found:?}")).1.clone()
        };
        let rises = vec![Some(false), Some(true)];
        assert_eq!(wanted("light == green"), rises);
        assert_eq!(wanted("b[1]"), rises);
        assert_eq!(wanted("P[0]@work"), [Some(true), Some(false)]);
        assert_eq!(wanted("P[0]:y == 1"), rises);
        assert_eq!(wanted("len(q) == 2"), rises);
        assert_eq!(wanted("full(q)"), [None, None]);
        assert!(found.iter().any(|(_, holds)| *holds == rises), "{found:?}");
    }

    #[test]
    fn typed_formulas_and_none() {
        let formula = |text: &str| of(Property::Formula { text: text.to_owned() });
        assert_eq!(formula("<> (x + 1 == 3)")[0].1, [Some(false), Some(true)]);
        assert_eq!(formula("<> (x == 1 / 0)"), []);
        assert_eq!(formula("<> ("), []);
        assert_eq!(of(Property::Safety), []);
    }
}
