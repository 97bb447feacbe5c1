//! From a claim's text to an automaton.
//!
//! The control points of the claim are the states, as SPIN makes them: jumps take no step, except in
//! front of an option; the first steps of an option belong to the choice. A claim that comes to its
//! end accepts whatever follows, and so does one whose assertion fails.

use super::syntax::{Kind, Outcome, Statement, read as read_tree};
use crate::{Automaton, Edge, Label};
use promenade_base::{Checked, Diagnostic, FileId, Span};
use std::collections::HashMap;

/// A claim that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The first comment inside of it: tools write the formula there.
    pub comment: Option<String>,
    /// Its statements with the braces around them.
    pub braces: Span,
    /// What it accepts, with accepting states; states are named by labels.
    pub automaton: Automaton,
}

/// Most control points.
const MOST_STATES: usize = 10_000;

/// Whether a text is meant as a never claim.
pub fn is_claim(text: &str) -> bool {
    let mut rest = text.trim_start();
    loop {
        let comment = if let Some(inside) = rest.strip_prefix("/*") {
            inside.find("*/").map(|at| at + 4)
        } else if rest.starts_with("//") {
            rest.find('\n').map(|at| at + 1)
        } else {
            None
        };
        match comment {
            Some(length) => rest = rest[length..].trim_start(),
            None => break,
        }
    }
    let Some(behind) = rest.strip_prefix("never") else { return false };
    if behind.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
        return false;
    }
    let behind = behind.trim_start_matches(|c: char| c.is_whitespace());
    let name = behind.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    name.trim_start().starts_with(['{', '/'])
}

/// The automaton of a claim that stands for itself; its conditions are taken as propositions. There
/// is a value exactly if no diagnostic is an error.
pub fn read(text: &str) -> Checked<Option<Read>> {
    let failed = |error: Diagnostic| Checked { value: None, diagnostics: vec![error] };
    if text.len() > u32::MAX as usize {
        let span = Span::new(FileId::default(), 0, 0);
        return failed(Diagnostic::error("never-syntax", span, "the text is too long"));
    }
    match automaton(text) {
        Ok((read, diagnostics)) => Checked { value: Some(read), diagnostics },
        Err(error) => failed(*error),
    }
}

fn automaton(text: &str) -> Outcome<(Read, Vec<Diagnostic>)> {
    let tree = read_tree(text)?;
    let mut graph = Graph { points: vec![Point::default()], labels: HashMap::new() };
    graph.collect(&tree.body)?;
    let initial = match tree.body.as_slice() {
        [] => END,
        body => {
            let initial = graph.entry(&body[0], None)?;
            graph.rest(body, initial, END, None)?;
            initial
        }
    };
    let automaton = graph.automaton(initial, tree.atoms)?;
    let mut diagnostics = Vec::new();
    let accepting = |state: usize| automaton.states[state].iter().any(|edge| edge.marks != 0);
    if !(0..automaton.states.len()).any(accepting) {
        let span = Span::new(FileId::default(), 0, text.len() as u32);
        let message = "no label that begins with `accept` and no end can be reached: the claim \
                       accepts no run";
        diagnostics.push(Diagnostic::warning("never-accepts-nothing", span, message));
    }
    Ok((
        Read { name: tree.name, comment: tree.comment, braces: tree.braces, automaton },
        diagnostics,
    ))
}

/// The control point behind the last statement.
const END: usize = 0;

/// A control point.
#[derive(Clone, Debug, Default)]
struct Point {
    edges: Vec<(Label, usize)>,
    labels: Vec<String>,
    /// A jump: this is another point.
    same_as: Option<usize>,
}

impl Point {
    fn accepting(&self) -> bool {
        self.labels.iter().any(|label| label.starts_with("accept"))
    }
}

struct Graph {
    points: Vec<Point>,
    labels: HashMap<String, usize>,
}

fn fail<T>(span: Span, message: impl Into<String>) -> Outcome<T> {
    Err(Box::new(Diagnostic::error("never-syntax", span, message)))
}

impl Graph {
    fn point(&mut self, span: Span) -> Outcome<usize> {
        if self.points.len() >= MOST_STATES {
            return fail(span, format!("the claim has more than {MOST_STATES} control points"));
        }
        self.points.push(Point::default());
        Ok(self.points.len() - 1)
    }

    /// A point for each label.
    fn collect(&mut self, list: &[Statement]) -> Outcome<()> {
        for statement in list {
            let mut own = None;
            for (label, span) in &statement.labels {
                // Several labels of a statement are one point.
                let point = match own {
                    Some(point) => point,
                    None => self.point(*span)?,
                };
                own = Some(point);
                self.points[point].labels.push(label.clone());
                if self.labels.insert(label.clone(), point).is_some() {
                    return fail(*span, format!("the label `{label}` is there twice"));
                }
            }
            match &statement.kind {
                Kind::Choice { options, .. } => {
                    for option in options {
                        self.collect(option)?;
                    }
                }
                Kind::Atomic(list) | Kind::Block(list) => self.collect(list)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn labelled(&self, label: &str, span: Span) -> Outcome<usize> {
        match self.labels.get(label) {
            Some(&point) => Ok(point),
            None => fail(span, format!("there is no label `{label}`")),
        }
    }

    fn leave(exit: Option<usize>, span: Span) -> Outcome<usize> {
        exit.map_or_else(|| fail(span, "`break` outside of `do`"), Ok)
    }

    /// The point in front of a statement that does not begin an option.
    fn entry(&mut self, statement: &Statement, exit: Option<usize>) -> Outcome<usize> {
        let own = statement.labels.first().and_then(|(label, _)| self.labels.get(label)).copied();
        let jump = match &statement.kind {
            Kind::Goto(label) => Some(self.labelled(label, statement.span)?),
            Kind::Break => Some(Self::leave(exit, statement.span)?),
            _ => None,
        };
        match (own, jump) {
            // A jump with a label that means something is a step of its own.
            (Some(own), Some(target)) => {
                if !self.points[own].accepting() {
                    self.points[own].same_as = Some(target);
                }
                Ok(own)
            }
            (None, Some(target)) => Ok(target),
            (Some(own), None) => Ok(own),
            (None, None) => self.point(statement.span),
        }
    }

    /// The statements of a list, the first of which leaves `from`, which is its own point.
    fn rest(
        &mut self,
        list: &[Statement],
        from: usize,
        to: usize,
        exit: Option<usize>,
    ) -> Outcome<()> {
        let mut places = vec![from];
        for statement in list.iter().skip(1) {
            places.push(self.entry(statement, exit)?);
        }
        places.push(to);
        for (number, statement) in list.iter().enumerate() {
            let jumps = matches!(statement.kind, Kind::Goto(_) | Kind::Break);
            if jumps && !self.points[places[number]].accepting_jump(statement) {
                continue;
            }
            self.statement(statement, places[number], places[number + 1], exit)?;
        }
        Ok(())
    }

    /// The statements of an option: the first steps leave the point of the choice.
    fn option(
        &mut self,
        list: &[Statement],
        choice: usize,
        to: usize,
        exit: Option<usize>,
    ) -> Outcome<()> {
        let Some(first) = list.first() else { return Ok(()) };
        let next = match list.get(1) {
            Some(second) => self.entry(second, exit)?,
            None => to,
        };
        let plain =
            first.labels.is_empty() && !matches!(first.kind, Kind::Choice { .. } | Kind::Block(_));
        if plain {
            self.statement(first, choice, next, exit)?;
        } else {
            // It has a point of its own, with edges of its own only; the choice has them too.
            let own = match first.labels.first() {
                Some((label, span)) => self.labelled(label, *span)?,
                None => self.point(first.span)?,
            };
            self.statement(first, own, next, exit)?;
            let edges = self.points[own].edges.clone();
            self.points[choice].edges.extend(edges);
        }
        if list.len() > 1 { self.rest(&list[1..], next, to, exit) } else { Ok(()) }
    }

    fn edge(&mut self, from: usize, label: Label, to: usize) {
        if !label.is_empty() {
            self.points[from].edges.push((label, to));
        }
    }

    fn statement(
        &mut self,
        statement: &Statement,
        from: usize,
        to: usize,
        exit: Option<usize>,
    ) -> Outcome<()> {
        let span = statement.span;
        match &statement.kind {
            Kind::Condition(label) => self.edge(from, label.clone(), to),
            Kind::Assert(label) => {
                self.edge(from, label.not(), END);
                self.edge(from, label.clone(), to);
            }
            Kind::Goto(label) => {
                let target = self.labelled(label, span)?;
                self.edge(from, Label::all(), target);
            }
            Kind::Break => {
                let target = Self::leave(exit, span)?;
                self.edge(from, Label::all(), target);
            }
            Kind::Else => return fail(span, "`else` does not begin an option"),
            Kind::Atomic(list) => self.atomic(list, from, to, exit)?,
            Kind::Block(list) => self.option(list, from, to, exit)?,
            Kind::Choice { repeats, options } => {
                let (back, exit) = if *repeats { (from, Some(to)) } else { (to, exit) };
                let is_else =
                    |list: &[Statement]| matches!(list.first(), Some(it) if it.kind == Kind::Else);
                let before = self.points[from].edges.len();
                for list in options.iter().filter(|list| !is_else(list)) {
                    self.option(list, from, back, exit)?;
                }
                let taken = self.points[from].edges[before..]
                    .iter()
                    .fold(Label::none(), |sum, (label, _)| sum.or(label));
                for (number, list) in options.iter().filter(|list| is_else(list)).enumerate() {
                    let Some(first) = list.first() else { continue };
                    if number > 0 {
                        return fail(first.span, "a second `else`");
                    }
                    let condition = Kind::Condition(taken.not());
                    let mut list = list.clone();
                    list[0].kind = condition;
                    self.option(&list, from, back, exit)?;
                }
            }
        }
        Ok(())
    }

    /// One step: a condition, assertions about the same moment, a jump.
    fn atomic(
        &mut self,
        list: &[Statement],
        from: usize,
        mut to: usize,
        exit: Option<usize>,
    ) -> Outcome<()> {
        let (mut guard, mut kept) = (Label::all(), Label::all());
        let mut jumped = false;
        for (number, statement) in list.iter().enumerate() {
            match &statement.kind {
                _ if jumped || !statement.labels.is_empty() => return unread(statement),
                Kind::Condition(label) if number == 0 => guard = label.clone(),
                Kind::Assert(label) => kept = kept.and(label),
                Kind::Goto(label) => {
                    to = self.labelled(label, statement.span)?;
                    jumped = true;
                }
                Kind::Break => {
                    to = Self::leave(exit, statement.span)?;
                    jumped = true;
                }
                _ => return unread(statement),
            }
        }
        self.edge(from, guard.minus(&kept), END);
        self.edge(from, guard.and(&kept), to);
        Ok(())
    }

    /// Where a point leads if it is a jump; a circle of jumps is none of the points.
    fn resolved(&self, point: usize) -> Option<usize> {
        let mut at = point;
        for _ in 0..=self.points.len() {
            match self.points[at].same_as {
                Some(next) => at = next,
                None => return Some(at),
            }
        }
        None
    }

    fn automaton(&self, initial: usize, atoms: Vec<String>) -> Outcome<Automaton> {
        let resolved = |point: usize| match self.resolved(point) {
            Some(point) => Ok(point),
            None => fail(Span::new(FileId::default(), 0, 0), "a circle of `goto` without a step"),
        };
        let mut states = Vec::with_capacity(self.points.len());
        for (number, point) in self.points.iter().enumerate() {
            let mark = u64::from(point.accepting());
            let mut edges = Vec::new();
            for (label, target) in &point.edges {
                let target = resolved(*target)? as u32;
                edges.push(Edge { label: label.clone(), target, marks: mark });
            }
            let ends = edges
                .iter()
                .filter(|edge| edge.target as usize == END)
                .fold(Label::none(), |sum, edge| sum.or(&edge.label));
            if number == END || ends.is_all() {
                // Whatever comes, the claim has been or will be followed to its end.
                edges = vec![Edge { label: Label::all(), target: number as u32, marks: 1 }];
            }
            states.push(edges);
        }
        let mut automaton = Automaton {
            states,
            initial: resolved(initial)? as u32,
            sets: 1,
            atoms,
            names: Vec::new(),
            state_based: true,
        };
        let name = |(number, point): (usize, &Point)| {
            let first = |begin: &str| point.labels.iter().find(|label| label.starts_with(begin));
            match first("accept").or(point.labels.first()) {
                Some(label) => label.clone(),
                None if number == END => "end".to_owned(),
                None => String::new(),
            }
        };
        automaton.names = self.points.iter().enumerate().map(name).collect();
        automaton.merge_edges();
        automaton.restrict(&|_| true);
        if automaton.names.iter().all(String::is_empty) {
            automaton.names.clear();
        }
        Ok(automaton)
    }
}

impl Point {
    /// Whether a jump from here is a step.
    fn accepting_jump(&self, statement: &Statement) -> bool {
        statement.labels.iter().any(|(label, _)| label.starts_with("accept"))
            && self.same_as.is_none()
    }
}

fn unread<T>(statement: &Statement) -> Outcome<T> {
    let message = "inside `atomic` only `condition -> assert(condition)` is read";
    let diagnostic = Diagnostic::error("never-unsupported", statement.span, message);
    Err(Box::new(diagnostic.with_hint("Write the claim into the model: there it can be checked.")))
}
