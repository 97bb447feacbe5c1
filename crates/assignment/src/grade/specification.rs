//! Formulas and automata that are handed in: tried on models, and compared with a reference.

use super::judge::Expect;
use super::models::{Refused, of_formula};
use super::{Planned, Work};
use crate::format::{Assignment, Body, FileRef, Kind, Task};
use crate::limits;
use crate::submission::Submission;
use promenade_automata::text::{hoa, never};
use promenade_automata::{
    Automaton, Difference, Options, TooLarge, equivalent, equivalent_automata, translate,
};
use promenade_ltl::{Formula, Formulas, Lasso, Letter, Node, Propositions, Reading, parse};
use promenade_protocol::{CheckGrade, CheckStatus, File, TaskStatus};

/// Two languages that should be the same.
pub(super) enum Comparison {
    /// A formula with a formula.
    Formulas { answer: String, reference: String },
    /// An automaton with an automaton, or with a formula whose violations it should accept.
    Automata { answer: Box<Automaton>, reference: String },
}

/// The checks of a formula or an automaton.
pub(super) fn plan(
    assignment: &Assignment,
    task: &Task,
    submission: &Submission,
    answer: &str,
) -> Result<Vec<Planned>, Refused> {
    let Body::Specification { models, mutants, reference, next } = &task.body else {
        return Ok(Vec::new());
    };
    let claim = match read(task.kind, answer, *next) {
        Ok(claim) => claim,
        Err((status, message)) => {
            let (title, hidden) = ("answer".to_owned(), false);
            return Ok(vec![Planned { title, hidden, work: Work::Known { status, message } }]);
        }
    };
    let mut checks = Vec::new();
    for (files, expect, what) in
        [(models, Expect::Holds, "holds on"), (mutants, Expect::Fails, "fails on")]
    {
        for file in files {
            let title = format!("{what} {}", file.what);
            let text = model(assignment, submission, file)?;
            let experiment = of_formula(text, &task.settings, answer);
            let work = Work::Check { experiment, expect: expect.clone() };
            checks.push(Planned { title, hidden: file.hidden, work });
        }
    }
    if let Some(reference) = reference {
        let reference = reference.what.clone();
        let comparison = match claim {
            None => Comparison::Formulas { answer: answer.to_owned(), reference },
            Some(automaton) => Comparison::Automata { answer: Box::new(automaton), reference },
        };
        let title = "means the same as the reference".to_owned();
        checks.push(Planned { title, hidden: false, work: Work::Compare(Box::new(comparison)) });
    }
    Ok(checks)
}

fn model(
    assignment: &Assignment,
    submission: &Submission,
    file: &FileRef,
) -> Result<Vec<File>, Refused> {
    let judged = crate::Judged { file: file.what.clone(), environment: Vec::new() };
    match super::models::files(assignment, submission, &judged) {
        // A file that is left out is no fault of the student's.
        Err((TaskStatus::Missing, message)) => Err((TaskStatus::Inconclusive, message)),
        other => other,
    }
}

/// Reads an answer: the automaton, if one is asked for.
fn read(kind: Kind, answer: &str, next: bool) -> Result<Option<Automaton>, (CheckStatus, String)> {
    let unreadable = |message: String| (CheckStatus::Unreadable, message);
    let is_automaton = is_automaton(answer);
    if kind == Kind::Claim {
        if !is_automaton {
            let message = "a never claim or an automaton in the Hanoi format is asked for";
            return Err(unreadable(message.to_owned()));
        }
        let automaton = automaton(answer).map_err(unreadable)?;
        let states = automaton.states.len();
        if states > limits::CLAIM_STATES {
            let most = limits::CLAIM_STATES;
            return Err(unreadable(format!("the automaton has {states} states, more than {most}")));
        }
        return Ok(Some(automaton));
    }
    if is_automaton {
        return Err(unreadable("a formula is asked for, not an automaton".to_owned()));
    }
    let mut table = Formulas::new();
    let formula = formula(answer, &mut table, &mut Propositions::new()).map_err(unreadable)?;
    let has_next = |f: &Formula| matches!(table.node(*f), Node::Next(_));
    if !next && table.subformulas(formula).iter().any(has_next) {
        let message = "the operator X is not allowed here: it speaks about single steps";
        return Err((CheckStatus::Failed, message.to_owned()));
    }
    Ok(None)
}

fn is_automaton(text: &str) -> bool {
    text.trim_start().starts_with("HOA:") || never::is_claim(text)
}

fn formula(text: &str, table: &mut Formulas, names: &mut Propositions) -> Result<Formula, String> {
    let parsed = parse(text, Reading::Blocks);
    if let Some(error) = parsed.diagnostics.iter().find(|it| it.is_error()) {
        let before = text.get(..error.span.start as usize).unwrap_or("");
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        return Err(format!("the formula cannot be read: column {column}: {}", error.message));
    }
    let too_many = || "the formula has too many propositions".to_owned();
    parsed.value.formula_with(table, names).ok_or_else(too_many)
}

/// The automaton of a never claim or of a text in the Hanoi format.
fn automaton(text: &str) -> Result<Automaton, String> {
    let (found, diagnostics) = if never::is_claim(text) {
        let read = never::read(text);
        (read.value.map(|it| it.automaton), read.diagnostics)
    } else {
        let read = hoa::read(text);
        (read.value.into_iter().next().map(|it| it.automaton), read.diagnostics)
    };
    if let Some(error) = diagnostics.iter().find(|it| it.is_error()) {
        let before = text.get(..error.span.start as usize).unwrap_or("");
        let line = before.matches('\n').count() + 1;
        return Err(format!("the automaton cannot be read: line {line}: {}", error.message));
    }
    let mut automaton = found.ok_or("there is no automaton in the answer")?;
    // Propositions are the same where formulas would take them for the same.
    for atom in &mut automaton.atoms {
        let parsed = parse(atom, Reading::Blocks);
        if let ([one], false) = (parsed.value.atoms.as_slice(), parsed.has_errors()) {
            atom.clone_from(&one.text);
        }
    }
    Ok(automaton)
}

impl Comparison {
    pub(super) fn run(&self) -> CheckGrade {
        let (status, message) = match self.compare() {
            Ok(None) => (CheckStatus::Passed, "means the same as the reference".to_owned()),
            Ok(Some(message)) => (CheckStatus::Failed, message),
            Err(message) => (CheckStatus::Inconclusive, format!("not conclusive: {message}")),
        };
        CheckGrade { status, message, ..CheckGrade::default() }
    }

    /// A word that tells the two apart, in a sentence.
    fn compare(&self) -> Result<Option<String>, String> {
        let options = Options {
            states: limits::AUTOMATON_STATES,
            steps: limits::AUTOMATON_STEPS,
            ..Options::default()
        };
        let too_large = |error: TooLarge| error.to_string();
        let mut table = Formulas::new();
        let mut names = Propositions::new();
        match self {
            Self::Formulas { answer, reference } => {
                let reference = formula(reference, &mut table, &mut names)?;
                let known = names.texts().len();
                let answer = formula(answer, &mut table, &mut names)?;
                let difference =
                    equivalent(&mut table, answer, reference, &options).map_err(too_large)?;
                let words = [
                    "the formula allows",
                    "and should forbid",
                    "the formula forbids",
                    "and should allow",
                ];
                Ok(told(&difference, names.texts(), known, words))
            }
            Self::Automata { answer, reference } => {
                let reference = if is_automaton(reference) {
                    automaton(reference)?
                } else {
                    let holds = formula(reference, &mut table, &mut names)?;
                    let violated = table.not(holds);
                    let mut made = translate(&mut table, violated, &options).map_err(too_large)?;
                    made.name_atoms(names.texts());
                    made
                };
                let known = reference.atoms.len();
                // Both over the same propositions, so that letters are numbered alike.
                let mut atoms = reference.atoms.clone();
                atoms.extend(
                    answer.atoms.iter().filter(|it| !reference.atoms.contains(it)).cloned(),
                );
                let reference = reference.over(&atoms).map_err(too_large)?;
                let answer = answer.over(&atoms).map_err(too_large)?;
                let limit = limits::AUTOMATON_STATES;
                let difference =
                    equivalent_automata(&answer, &reference, limit).map_err(too_large)?;
                let words = [
                    "the automaton accepts",
                    "and should not",
                    "the automaton does not accept",
                    "and should",
                ];
                Ok(told(&difference, &atoms, known, words))
            }
        }
    }
}

/// The shorter word of a difference, in a sentence. Propositions behind the first `known` ones are
/// those of the answer alone.
fn told(
    difference: &Difference,
    names: &[String],
    known: usize,
    [first, and_first, second, and_second]: [&str; 4],
) -> Option<String> {
    let length = |word: &Option<Lasso>| word.as_ref().map_or(usize::MAX, Lasso::positions);
    let from_first = length(&difference.only_first) <= length(&difference.only_second);
    let (word, verb, and) = if from_first {
        (difference.only_first.as_ref()?, first, and_first)
    } else {
        (difference.only_second.as_ref()?, second, and_second)
    };
    let mut message = format!("{verb} the run {}, {and}", shown(word, names));
    let foreign: Vec<&str> = names.iter().skip(known).map(String::as_str).collect();
    if !foreign.is_empty() {
        message.push_str(&format!(
            "; it speaks of {}, which the reference does not",
            foreign.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")
        ));
    }
    Some(message)
}

/// `{p} ({} {p, q})*`
fn shown(word: &Lasso, names: &[String]) -> String {
    let letter = |letter: &Letter| {
        let held = names.iter().enumerate().filter(|(at, _)| *at < 64 && letter >> at & 1 == 1);
        format!("{{{}}}", held.map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", "))
    };
    let list = |letters: &[Letter]| letters.iter().map(letter).collect::<Vec<_>>().join(" ");
    match word.prefix() {
        [] => format!("({})*", list(word.cycle())),
        prefix => format!("{} ({})*", list(prefix), list(word.cycle())),
    }
}
