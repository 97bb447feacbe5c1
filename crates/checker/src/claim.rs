//! Never claims of a text as automata to be drawn: their control points with the statements between
//! them.

use crate::property::claim_name;
use promenade_automata::Components;
use promenade_base::arrange::Arrange;
use promenade_ir::{Action, Claim, EdgeId, Location, Model};
use promenade_protocol::{AutomatonData, AutomatonEdge, AutomatonState, ComponentKind};

/// Most states of a picture.
const MOST_STATES: usize = 500;

/// The states of a claim's picture by control point: those that can be reached, in the order of their
/// distance. Empty for a claim that was made from an automaton, whose control points are its states.
pub(crate) fn numbers(claim: &Claim) -> Vec<Option<u32>> {
    if claim.acceptance.is_some() {
        return Vec::new();
    }
    let locations = &claim.process.graph.locations;
    let mut numbers = vec![None; locations.len()];
    let mut order: Vec<u32> = Vec::new();
    let mut reach = |place: u32, order: &mut Vec<u32>| {
        if let Some(number @ None) = numbers.get_mut(place as usize) {
            *number = Some(order.len() as u32);
            order.push(place);
        }
    };
    reach(claim.process.entry.0, &mut order);
    let mut next = 0;
    while let Some(&place) = order.get(next) {
        next += 1;
        let edges = locations.get(place as usize).map_or(&[][..], |location| &location.edges);
        for edge in edges.iter().filter(|edge| !matches!(edge.action, Action::End)) {
            reach(edge.target.0, &mut order);
        }
    }
    numbers
}

/// A never claim as an automaton; `None` if it has too many control points to be drawn.
pub(crate) fn drawn(model: &Model, index: usize) -> Option<AutomatonData> {
    let claim = model.claims.get(index)?;
    let locations = &claim.process.graph.locations;
    let mut numbers = numbers(claim);
    if numbers.is_empty() {
        numbers = (0..locations.len() as u32).map(Some).collect();
    }
    let count = numbers.iter().flatten().count();
    if count > MOST_STATES {
        return None;
    }
    let marks = |id: EdgeId| {
        let all = claim.acceptance.iter().flat_map(|acceptance| &acceptance.marks);
        all.filter(|(edge, _)| *edge == id).fold(0, |sum, (_, marks)| sum | marks)
    };
    let number = |place: u32| numbers.get(place as usize).copied().flatten();
    let mut data = AutomatonData {
        formula: claim_name(model, index),
        states: vec![AutomatonState::default(); count],
        initial: number(claim.process.entry.0),
        sets: claim.acceptance.as_ref().map_or(1, |acceptance| acceptance.sets),
        state_based: claim.acceptance.is_none(),
        ..AutomatonData::default()
    };
    let mut graph = vec![Vec::new(); count];
    for (place, location) in locations.iter().enumerate() {
        let Some(from) = number(place as u32) else { continue };
        let end = place as u32 == claim.process.exit.0;
        if let Some(state) = data.states.get_mut(from as usize) {
            state.name = if end { "end".to_owned() } else { label(location) };
            state.accepting = location.accept;
        }
        for edge in location.edges.iter().filter(|edge| !matches!(edge.action, Action::End)) {
            let Some(to) = number(edge.target.0) else { continue };
            let marks = marks(edge.id) | u64::from(location.accept && data.state_based);
            graph[from as usize].push((to, marks));
            let text = model.statements.get(edge.statement.0 as usize);
            let text = text.map_or("", |statement| condition(&statement.text));
            let label =
                if asserts(&edge.action) { format!("{text} → assert") } else { text.to_owned() };
            data.edges.push(AutomatonEdge {
                from,
                to,
                label,
                marks: (0..data.sets.min(64)).filter(|set| marks >> set & 1 == 1).collect(),
            });
        }
    }
    data.edges.arrange_by_key(|edge| edge.from);
    let components = Components::of_edges(&graph, data.initial.unwrap_or(0));
    let all = if data.sets >= 64 { u64::MAX } else { (1 << data.sets) - 1 };
    data.components = (0..components.count())
        .map(|c| match (components.cyclic[c], components.accepting(c as u32, all)) {
            (false, _) => ComponentKind::Trivial,
            (true, false) => ComponentKind::Rejecting,
            (true, true) if components.common[c] & all == all => ComponentKind::Weak,
            (true, true) => ComponentKind::Accepting,
        })
        .collect();
    for (state, component) in data.states.iter_mut().zip(&components.of) {
        state.component = *component;
    }
    Some(data)
}

/// Whether an edge is a condition with an assertion behind it, in one atomic step.
fn asserts(action: &Action) -> bool {
    match action {
        Action::Sequence(actions) => actions.iter().any(|it| matches!(it, Action::Assert(_))),
        _ => false,
    }
}

/// The label by which a control point is known best.
fn label(location: &Location) -> String {
    let labels = location.labels.iter();
    let best =
        labels.max_by_key(|label| (label.starts_with("accept"), std::cmp::Reverse(label.len())));
    best.cloned().unwrap_or_default()
}

/// A statement as the condition of an edge: without the parentheses around it.
fn condition(text: &str) -> &str {
    let text = match text.trim() {
        "skip" => "true",
        text => text,
    };
    let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return text;
    };
    let mut depth = 0i32;
    let closed = inner.bytes().all(|byte| {
        depth += i32::from(byte == b'(') - i32::from(byte == b')');
        depth >= 0
    });
    if closed { inner.trim() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_protocol::{Experiment, File, Property};

    fn pictures(text: &str) -> Vec<AutomatonData> {
        let files = vec![File { name: "m.pml".to_owned(), text: text.to_owned() }];
        let (diagnostics, summary) = crate::parse(&Experiment { files, ..Experiment::default() });
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let claims = summary.properties.into_iter().filter(|info| match &info.property {
            Some(Property::Claim { .. }) => true,
            _ => {
                assert!(info.automaton.is_none(), "{}", info.title);
                false
            }
        });
        claims.filter_map(|info| info.automaton).collect()
    }

    #[test]
    fn a_claim_is_its_control_points() {
        let drawn = pictures(
            "byte x; active proctype A() { do :: x = 1 - x od }\n\
             never {\nT0_init:\n do\n :: (x == 0) -> goto T0_init\n\
             :: (x == 1) && (x != 3) -> goto accept_S1\n :: x == 5 -> break :: atomic { x == 7 -> assert(!(x == 7)) } od; skip;\n\
             accept_S1:\n if :: (x == 1) -> goto accept_S1 :: else -> goto T0_init fi;\n\
             never_reached: false }\n\
             never other { accept_all: skip }",
        );
        let names = |data: &AutomatonData| -> Vec<(String, bool)> {
            data.states.iter().map(|state| (state.name.clone(), state.accepting)).collect()
        };
        let named = |name: &str, accepting| (name.to_owned(), accepting);
        assert_eq!(
            names(&drawn[0]),
            [named("T0_init", false), named("accept_S1", true), named("", false)]
        );
        let edges: Vec<(u32, u32, &str, &[u32])> = drawn[0]
            .edges
            .iter()
            .map(|edge| (edge.from, edge.to, edge.label.as_str(), edge.marks.as_slice()))
            .collect();
        assert_eq!(
            edges,
            [
                (0, 0, "x == 0", &[][..]),
                (0, 1, "x == 1 && x != 3", &[]),
                (0, 2, "x == 5", &[]),
                (0, 0, "x == 7 → assert", &[]),
                (1, 1, "x == 1", &[0]),
                (1, 0, "else", &[0]),
                (2, 1, "true", &[]),
            ]
        );
        assert!(
            drawn[0]
                .states
                .iter()
                .all(|state| drawn[0].components[state.component as usize]
                    == ComponentKind::Accepting)
        );
        assert_eq!(drawn[1].formula, "the never claim `other`");
        assert_eq!(names(&drawn[1]), [named("accept_all", true), named("end", false)]);
    }
}
