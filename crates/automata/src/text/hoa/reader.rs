//! Reading the format.

use super::condition::Condition;
use super::lexer::{Token, words};
use crate::{Automaton, Edge, Label, Marks};
use promenade_base::{Checked, Diagnostic, FileId, Span};
use std::collections::HashMap;

/// An automaton that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The automaton. Several initial states are joined in a fresh one.
    pub automaton: Automaton,
    /// Where it begins.
    pub span: Span,
}

/// Most states that are read.
const STATES: u64 = 1 << 20;

/// Most nested parentheses.
const DEPTH: usize = 200;

/// The automata of a text, without those that end in `--ABORT--`. Reading stops at the first error.
pub fn read(text: &str) -> Checked<Vec<Read>> {
    let mut diagnostics = Vec::new();
    if text.len() > u32::MAX as usize {
        let span = Span::new(FileId::default(), 0, 0);
        diagnostics.push(Diagnostic::error("hoa-syntax", span, "the text is too long"));
        return Checked { value: Vec::new(), diagnostics };
    }
    let words = words(text, &mut diagnostics);
    let end = text.len() as u32;
    let mut value = Vec::new();
    if diagnostics.is_empty() {
        let mut reader = Reader { words: &words, at: 0, end, depth: 0, head: Head::default() };
        loop {
            match reader.automaton() {
                Ok(Some(read)) => value.push(read),
                Ok(None) => {}
                Err(error) => {
                    diagnostics.push(*error);
                    break;
                }
            }
            if reader.at == words.len() {
                break;
            }
        }
    }
    Checked { value, diagnostics }
}

/// What the header says.
#[derive(Clone, Debug, Default)]
struct Head {
    name: Option<String>,
    states: Option<u64>,
    start: Vec<(u32, Span)>,
    atoms: Vec<String>,
    aliases: HashMap<String, Label>,
    sets: u32,
    condition: Option<Condition>,
}

struct Reader<'a> {
    words: &'a [(Token, Span)],
    at: usize,
    end: u32,
    depth: usize,
    head: Head,
}

/// A state as read.
struct State {
    number: usize,
    name: Option<String>,
    edges: Vec<Edge>,
    /// An edge has marks of its own.
    marked_edges: bool,
}

type Outcome<T> = Result<T, Box<Diagnostic>>;

impl Reader<'_> {
    fn peek(&self) -> Option<&Token> {
        self.words.get(self.at).map(|word| &word.0)
    }

    fn span(&self) -> Span {
        let end = Span::new(FileId::default(), self.end, self.end);
        self.words.get(self.at).map_or(end, |word| word.1)
    }

    fn is_sign(&self, sign: char) -> bool {
        self.peek() == Some(&Token::Sign(sign))
    }

    fn take_sign(&mut self, sign: char) -> bool {
        let found = self.is_sign(sign);
        self.at += usize::from(found);
        found
    }

    fn error<T>(&self, code: &'static str, message: impl Into<String>) -> Outcome<T> {
        Err(Box::new(Diagnostic::error(code, self.span(), message)))
    }

    fn expect_sign(&mut self, sign: char) -> Outcome<()> {
        if self.take_sign(sign) {
            return Ok(());
        }
        self.error("hoa-syntax", format!("expected `{sign}`"))
    }

    fn number(&mut self, limit: u64, code: &'static str, what: &str) -> Outcome<u64> {
        match self.peek() {
            Some(&Token::Number(number)) if number < limit => {
                self.at += 1;
                Ok(number)
            }
            Some(Token::Number(_)) => self.error(code, format!("{what} is too large")),
            _ => self.error("hoa-syntax", format!("expected {what}")),
        }
    }

    fn text(&mut self, code: &'static str) -> Outcome<String> {
        match self.peek() {
            Some(Token::Text(text)) => {
                let text = text.clone();
                self.at += 1;
                Ok(text)
            }
            _ => self.error(code, "expected a name in quotes"),
        }
    }

    /// One automaton; `None` if it was aborted.
    fn automaton(&mut self) -> Outcome<Option<Read>> {
        self.head = Head::default();
        let span = self.span();
        match self.peek() {
            Some(Token::Header(name)) if name == "HOA" => self.at += 1,
            _ => return self.error("hoa-syntax", "expected `HOA: v1`"),
        }
        match self.peek() {
            Some(Token::Word(version)) if version == "v1" => self.at += 1,
            _ => return self.error("hoa-version", "only version v1 of the format is read"),
        }
        loop {
            match self.peek().cloned() {
                Some(Token::Header(name)) => self.header(&name)?,
                Some(Token::Body) => break,
                Some(Token::Abort) => {
                    self.at += 1;
                    return Ok(None);
                }
                _ => return self.error("hoa-syntax", "expected a header item or `--BODY--`"),
            }
        }
        let Some(condition) = &self.head.condition else {
            return self.error("hoa-acceptance", "the item `Acceptance:` is missing");
        };
        let Some(clauses) = condition.clauses() else {
            return self.error("hoa-acceptance", "the condition takes more than 64 sets");
        };
        self.at += 1;
        let marks = |on: Marks| {
            let met = clauses.iter().enumerate().filter(|(_, clause)| clause.met(on));
            met.fold(0, |marks, (set, _)| marks | 1 << set)
        };
        let Some((mut states, mut names, on_states)) = self.body(&marks)? else {
            return Ok(None);
        };
        if let Some(count) = self.head.states {
            if states.len() as u64 > count {
                return self.error("hoa-state", format!("there are more than {count} states"));
            }
            states.resize(count as usize, Vec::new());
            names.resize(count as usize, String::new());
        }
        if names.iter().all(String::is_empty) {
            names.clear();
        }
        let head = std::mem::take(&mut self.head);
        if let Some(&(_, span)) = head.start.iter().find(|s| s.0 as usize >= states.len()) {
            let message = "the initial state does not exist";
            return Err(Box::new(Diagnostic::error("hoa-state", span, message)));
        }
        let mut initial: Vec<u32> = head.start.iter().map(|s| s.0).collect();
        let mut sets = clauses.len() as u32;
        if clauses.iter().any(|clause| clause.is_empty()) {
            // A set that nothing meets: there is no accepting run.
            initial.clear();
            sets = 0;
        }
        let mut automaton = Automaton {
            states,
            initial: 0,
            sets,
            atoms: head.atoms,
            names,
            state_based: on_states && sets <= 1,
        };
        start(&mut automaton, &initial);
        Ok(Some(Read { name: head.name, automaton, span }))
    }

    /// The states with their edges and names, and whether no edge has marks of its own; `None` if
    /// the automaton was aborted.
    #[allow(clippy::type_complexity)]
    fn body(
        &mut self,
        marks: &dyn Fn(Marks) -> Marks,
    ) -> Outcome<Option<(Vec<Vec<Edge>>, Vec<String>, bool)>> {
        let mut states: Vec<Vec<Edge>> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        let mut declared: Vec<bool> = Vec::new();
        let mut on_states = true;
        loop {
            match self.peek() {
                Some(Token::Header(name)) if name == "State" => {
                    self.at += 1;
                    let place = self.at;
                    let state = self.state(marks)?;
                    let last = state.edges.iter().map(|edge| edge.target as usize).max();
                    let needed = last.unwrap_or(0).max(state.number) + 1;
                    if states.len() < needed {
                        states.resize(needed, Vec::new());
                        names.resize(needed, String::new());
                        declared.resize(needed, false);
                    }
                    if std::mem::replace(&mut declared[state.number], true) {
                        self.at = place;
                        let message = format!("state {} is there twice", state.number);
                        return self.error("hoa-state", message);
                    }
                    on_states &= !state.marked_edges;
                    states[state.number] = state.edges;
                    names[state.number] = state.name.unwrap_or_default();
                }
                Some(Token::End) => {
                    self.at += 1;
                    return Ok(Some((states, names, on_states)));
                }
                Some(Token::Abort) => {
                    self.at += 1;
                    return Ok(None);
                }
                _ => return self.error("hoa-syntax", "expected `State:` or `--END--`"),
            }
        }
    }

    /// A header item; items that are not known are skipped.
    fn header(&mut self, name: &str) -> Outcome<()> {
        // The format: unknown items that start with a capital letter may change the meaning.
        let known = ["States", "Start", "AP", "Alias", "Acceptance"].contains(&name);
        if !known && name.starts_with(|c: char| c.is_ascii_uppercase()) {
            return self.error("hoa-syntax", format!("the item `{name}:` is not known"));
        }
        self.at += 1;
        match name {
            "States" => {
                self.head.states =
                    Some(self.number(STATES, "hoa-state", "the number of states")?);
            }
            "Start" => {
                let span = self.span();
                let state = self.number(STATES, "hoa-state", "the initial state")?;
                if self.is_sign('&') {
                    return self.error("hoa-alternation", "alternating automata are not read");
                }
                self.head.start.push((state as u32, span));
            }
            "AP" => {
                let count = self.number(65, "hoa-proposition", "the number of propositions")?;
                for _ in 0..count {
                    let atom = self.text("hoa-proposition")?;
                    self.head.atoms.push(atom);
                }
            }
            "Alias" => {
                let Some(Token::Alias(alias)) = self.peek().cloned() else {
                    return self.error("hoa-syntax", "expected `@` and a name");
                };
                self.at += 1;
                let label = self.label_or()?;
                self.head.aliases.insert(alias, label);
            }
            "Acceptance" => {
                let sets = self.number(65, "hoa-acceptance", "the number of acceptance sets")?;
                self.head.sets = sets as u32;
                self.head.condition = Some(self.condition(false)?);
            }
            "name" => self.head.name = Some(self.text("hoa-syntax")?),
            _ => {
                while !matches!(
                    self.peek(),
                    None | Some(Token::Header(_) | Token::Body | Token::End | Token::Abort)
                ) {
                    self.at += 1;
                }
            }
        }
        Ok(())
    }

    /// A condition up to the next operator that binds weaker.
    fn condition(&mut self, tight: bool) -> Outcome<Condition> {
        self.depth += 1;
        if self.depth > DEPTH {
            return self.error("hoa-syntax", "too many nested parentheses");
        }
        let mut parts = vec![if tight { self.basic()? } else { self.condition(true)? }];
        let sign = if tight { '&' } else { '|' };
        while self.take_sign(sign) {
            parts.push(if tight { self.basic()? } else { self.condition(true)? });
        }
        self.depth -= 1;
        Ok(match (parts.len(), tight) {
            (1, _) => parts.remove(0),
            (_, true) => Condition::And(parts),
            (_, false) => Condition::Or(parts),
        })
    }

    fn basic(&mut self) -> Outcome<Condition> {
        if self.take_sign('(') {
            let inner = self.condition(false)?;
            self.expect_sign(')')?;
            return Ok(inner);
        }
        let word = match self.peek() {
            Some(Token::Word(word)) => word.as_str(),
            _ => "",
        };
        match word {
            "t" => {
                self.at += 1;
                Ok(Condition::True)
            }
            "f" => {
                self.at += 1;
                Ok(Condition::False)
            }
            "Inf" => {
                self.at += 1;
                self.expect_sign('(')?;
                let not = self.take_sign('!');
                let sets = u64::from(self.head.sets);
                let set = self.number(sets, "hoa-acceptance", "the number of a set")? as u32;
                self.expect_sign(')')?;
                Ok(Condition::Inf { set, not })
            }
            "Fin" => self.error("hoa-acceptance", "conditions with `Fin` are not read"),
            _ => self.error("hoa-acceptance", "expected an acceptance condition"),
        }
    }

    /// A label: products, joined by `|`.
    fn label_or(&mut self) -> Outcome<Label> {
        self.depth += 1;
        if self.depth > DEPTH {
            return self.error("hoa-syntax", "too many nested parentheses");
        }
        let mut label = self.label_and()?;
        while self.take_sign('|') {
            label = label.or(&self.label_and()?);
        }
        self.depth -= 1;
        Ok(label)
    }

    fn label_and(&mut self) -> Outcome<Label> {
        let mut label = self.label_basic()?;
        while self.take_sign('&') {
            label = label.and(&self.label_basic()?);
        }
        Ok(label)
    }

    fn label_basic(&mut self) -> Outcome<Label> {
        let mut not = false;
        while self.take_sign('!') {
            not = !not;
        }
        let label = if self.take_sign('(') {
            let inner = self.label_or()?;
            self.expect_sign(')')?;
            inner
        } else {
            let label = match self.peek() {
                Some(Token::Word(word)) if word == "t" => Label::all(),
                Some(Token::Word(word)) if word == "f" => Label::none(),
                Some(Token::Number(number)) => {
                    if *number >= self.head.atoms.len() as u64 {
                        return self.error("hoa-proposition", "there is no such proposition");
                    }
                    Label::atom(*number as u32)
                }
                Some(Token::Alias(name)) => match self.head.aliases.get(name) {
                    Some(label) => label.clone(),
                    None => return self.error("hoa-syntax", format!("`@{name}` is not defined")),
                },
                _ => return self.error("hoa-syntax", "expected a label"),
            };
            self.at += 1;
            label
        };
        Ok(if not { label.not() } else { label })
    }

    /// A label in brackets, if there is one.
    fn bracketed(&mut self) -> Outcome<Option<Label>> {
        if !self.take_sign('[') {
            return Ok(None);
        }
        let label = self.label_or()?;
        self.expect_sign(']')?;
        Ok(Some(label))
    }

    /// Acceptance sets in braces, if there are some.
    fn braced(&mut self) -> Outcome<Option<Marks>> {
        if !self.take_sign('{') {
            return Ok(None);
        }
        let mut marks = 0;
        while !self.take_sign('}') {
            let sets = u64::from(self.head.sets);
            marks |= 1 << self.number(sets, "hoa-acceptance", "the number of a set")?;
        }
        Ok(Some(marks))
    }

    /// A state after `State:`, with its edges.
    fn state(&mut self, marks: &dyn Fn(Marks) -> Marks) -> Outcome<State> {
        let on_state = self.bracketed()?;
        let number = self.number(STATES, "hoa-state", "the number of a state")? as usize;
        let name = match self.peek() {
            Some(Token::Text(name)) => Some(name.clone()),
            _ => None,
        };
        self.at += usize::from(name.is_some());
        let own = self.braced()?.unwrap_or(0);
        let mut state = State { number, name, edges: Vec::new(), marked_edges: false };
        let atoms = self.head.atoms.len() as u32;
        let mut implicit = 0u64;
        while matches!(self.peek(), Some(Token::Sign('[') | Token::Number(_))) {
            let label = match (self.bracketed()?, &on_state) {
                (Some(_), Some(_)) => {
                    return self.error("hoa-syntax", "a label on the state and on its edge");
                }
                (Some(label), None) => label,
                (None, Some(label)) => label.clone(),
                (None, None) => {
                    // One edge for each letter, in the order of their binary numbers.
                    if atoms > 20 || implicit >> atoms != 0 {
                        return self.error("hoa-syntax", "more edges without label than letters");
                    }
                    implicit += 1;
                    Label::letter(implicit - 1, (1 << atoms) - 1)
                }
            };
            let target = self.number(STATES, "hoa-state", "the number of a state")? as u32;
            if self.is_sign('&') {
                return self.error("hoa-alternation", "alternating automata are not read");
            }
            let on_edge = self.braced()?;
            state.marked_edges |= on_edge.is_some();
            let on_edge = marks(own | on_edge.unwrap_or(0));
            state.edges.push(Edge { label, target, marks: on_edge });
        }
        if implicit != 0 && implicit != 1 << atoms {
            return self.error("hoa-syntax", "fewer edges without label than letters");
        }
        Ok(state)
    }
}

/// Sets the initial state; several are joined in a fresh one.
fn start(automaton: &mut Automaton, initial: &[u32]) {
    match initial {
        [] => *automaton = Automaton::nothing(std::mem::take(&mut automaton.atoms)),
        [only] => automaton.initial = *only,
        _ => {
            automaton.initial = automaton.states.len() as u32;
            let edges = initial.iter().flat_map(|&state| &automaton.states[state as usize]);
            let mut edges: Vec<Edge> = edges.cloned().collect();
            if automaton.state_based {
                // Nothing leads back here: the mark of this state means nothing.
                edges.iter_mut().for_each(|edge| edge.marks = 0);
            }
            automaton.states.push(edges);
            if !automaton.names.is_empty() {
                automaton.names.push(String::new());
            }
        }
    }
    automaton.merge_edges();
}
