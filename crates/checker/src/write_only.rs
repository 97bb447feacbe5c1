//! Variables on whose values nothing depends are no part of states.

use promenade_analysis::{WriteOnly, leave_out};
use promenade_interp::{Interpreter, NamedValue, StateView};
use promenade_ir::Model;

/// Names in a sentence.
const MOST_NAMES: usize = 5;

/// Takes the write-only variables out of the states of a model. A sentence for
/// each kind.
pub(crate) fn take_out(model: &mut Model) -> Vec<String> {
    let Some((without, variables)) = leave_out(model) else { return Vec::new() };
    *model = without;
    let mut kinds: Vec<(String, Vec<&str>)> = Vec::new();
    for variable in &variables {
        let use_ = use_of(variable);
        match kinds.iter_mut().find(|(other, _)| *other == use_) {
            Some((_, names)) => names.push(&variable.name),
            None => kinds.push((use_, vec![&variable.name])),
        }
    }
    let sentence = |(use_, names): (String, Vec<&str>)| {
        let are = if names.len() == 1 { "is" } else { "are" };
        format!("{} {are} only {use_}: not part of a state.", listed(&names))
    };
    kinds.into_iter().map(sentence).collect()
}

/// `counted, printed and used for b`.
fn use_of(variable: &WriteOnly) -> String {
    let mut uses = Vec::new();
    if variable.counted {
        uses.push("counted".to_owned());
    }
    if variable.printed {
        uses.push("printed".to_owned());
    }
    if !variable.used_for.is_empty() {
        let others: Vec<&str> = variable.used_for.iter().map(String::as_str).collect();
        uses.push(format!("used for {}", listed(&others)));
    }
    match uses.pop() {
        None => "written".to_owned(),
        Some(last) if uses.is_empty() => last,
        Some(last) => format!("{} and {last}", uses.join(", ")),
    }
}

fn listed(names: &[&str]) -> String {
    let mut list: Vec<String> =
        names.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(MOST_NAMES) {
        0 => {}
        more => list.push(format!("{more} more")),
    }
    match list.pop() {
        Some(last) if !list.is_empty() => format!("{} and {last}", list.join(", ")),
        Some(only) => only,
        None => String::new(),
    }
}

/// How many values write-only variables have; they are the last of the globals.
fn cells(model: &Model) -> usize {
    let first = model.hidden_bytes - model.write_only_bytes;
    let left_out = model.hidden.iter().filter(|variable| variable.offset >= first);
    let length = |it: &promenade_ir::Dimension| it.length as usize;
    left_out
        .map(|it| it.path.iter().filter_map(|(_, it)| it.as_ref()).map(length).product::<usize>())
        .sum()
}

/// What makes a state another one.
pub(crate) fn decode_without(system: &Interpreter, state: &[u8]) -> StateView {
    let mut view = system.decode(state);
    view.globals.truncate(view.globals.len().saturating_sub(cells(system.model())));
    view
}

/// The write-only variables of a state with their values.
fn values(system: &Interpreter, state: &[u8]) -> Vec<NamedValue> {
    let mut all = system.decode(state).globals;
    all.split_off(all.len().saturating_sub(cells(system.model())))
}

/// What is to be said of a cycle from a state to another that is the same one but for write-only
/// variables.
pub(crate) fn drift(system: &Interpreter, entry: &[u8], end: &[u8]) -> Option<String> {
    if system.model().write_only_bytes == 0 || entry == end {
        return None;
    }
    let (before, after) = (values(system, entry), values(system, end));
    let differs = |(a, b): &(&NamedValue, &NamedValue)| a.value != b.value;
    let changed: Vec<&str> =
        before.iter().zip(&after).filter(differs).map(|(a, _)| a.name.as_str()).collect();
    let (it, is) = match changed.len() {
        0 => return None,
        1 => ("its value is that", "is"),
        _ => ("their values are those", "are"),
    };
    Some(format!(
        "The cycle changes {}, which {is} not part of a state: {it} of the first round.",
        listed(&changed)
    ))
}
