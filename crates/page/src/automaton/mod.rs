//! Automata as pictures that can be explored.

mod canvas;
mod export;
mod stage;

pub use canvas::Canvas;
pub use export::{ExportMenu, dark, png};
pub use stage::{Stage, ZoomButtons};

use promenade_figures::Drawing;
use promenade_protocol::{AutomatonData, AutomatonState, ComponentKind};

/// A part of a picture that can be pointed at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// A state, by its number.
    State(usize),
    /// An edge of the drawing, by its number.
    Edge(usize),
}

/// What is marked in a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Marked {
    /// The state that a run is in.
    pub state: Option<usize>,
    /// The ends of the edge that it took last.
    pub edge: Option<(usize, usize)>,
}

/// What a component is worth, in words.
fn component_meaning(kind: ComponentKind) -> &'static str {
    match kind {
        ComponentKind::Trivial => "It is passed at most once.",
        ComponentKind::Rejecting => "No cycle here is accepting.",
        ComponentKind::Accepting => "Some cycles here are accepting, others are not.",
        ComponentKind::Weak => "Every cycle here is accepting.",
        ComponentKind::Terminal => "Whoever arrives here accepts, whatever comes.",
    }
}

/// A part in words.
pub fn describe(data: &AutomatonData, drawing: &Drawing, part: Part) -> String {
    match part {
        Part::State(number) => {
            let Some(state) = data.states.get(number) else { return String::new() };
            if data.alternating {
                return alternating(number, state);
            }
            let mut text = format!("State {number}");
            if !state.name.is_empty() {
                text.push_str(&format!(", {}", state.name));
            }
            if data.initial == Some(number as u32) {
                text.push_str(", initial");
            }
            if state.accepting && data.state_based {
                text.push_str(", accepting");
            }
            match state.meaning.as_str() {
                "" => text.push('.'),
                meaning => text.push_str(&format!(". From here on this has to hold: {meaning}")),
            }
            if !text.ends_with('.') {
                text.push('.');
            }
            let kind = data.components.get(state.component as usize).copied().unwrap_or_default();
            format!("{text} {}", component_meaning(kind))
        }
        Part::Edge(number) => {
            let Some(edge) = drawing.edges.get(number) else { return String::new() };
            let labels: Vec<&str> = edge
                .sources
                .iter()
                .filter_map(|&i| data.edges.get(i))
                .map(|it| match it.label.trim() {
                    "" | "1" | "t" => "true",
                    label => label,
                })
                .collect();
            let labels = labels.join(" or ");
            let mut own = edge.sources.iter().filter_map(|&i| data.edges.get(i));
            if data.alternating && own.all(|it| it.label.is_empty()) {
                return format!("From here a run goes on in state {}.", edge.to);
            }
            let when = if labels == "true" {
                "always possible".to_owned()
            } else {
                format!("when {labels}")
            };
            let (from, to) = (edge.from, edge.to);
            let ends = if from == to {
                format!("State {from} stays")
            } else {
                format!("From state {from} to state {to}")
            };
            let sets: Vec<String> = edge.beads.iter().map(|bead| bead.set.to_string()).collect();
            let marks = match sets.as_slice() {
                [] => String::new(),
                [one] => format!(" It carries the mark {one}."),
                many => format!(" It carries the marks {}.", many.join(", ")),
            };
            format!("{ends}: {when}.{marks}")
        }
    }
}

/// A state of an alternating automaton in words.
fn alternating(number: usize, state: &AutomatonState) -> String {
    match state.name.as_str() {
        "∧" => "Here a run splits: it goes on in all of these ways at once.".to_owned(),
        "∨" => "A run begins in one of these ways.".to_owned(),
        "⊤" => "Nothing is left to satisfy: whatever comes is accepted.".to_owned(),
        _ => {
            let stay = if state.accepting { " No branch may stay here for ever." } else { "" };
            format!("State {number}. From here on this has to hold: {}.{stay}", state.meaning)
        }
    }
}

/// What makes a run accepting, in words.
pub fn acceptance(data: &AutomatonData) -> String {
    if data.states.is_empty() {
        return "It has no states: no run is accepted.".to_owned();
    }
    if data.alternating {
        return if data.states.iter().any(|state| state.accepting) {
            "A run is a tree, and no branch of it may stay for ever in a state with a double circle."
        } else {
            "A run is a tree, and every branch of it has to go on."
        }
        .to_owned();
    }
    // The point behind the last statement of a never claim.
    let end = data.states.iter().enumerate().any(|(number, state)| {
        state.name == "end" && !data.edges.iter().any(|edge| edge.from as usize == number)
    });
    if end && !data.states.iter().any(|state| state.accepting) {
        return "A run is an error if the claim can be followed to its end.".to_owned();
    }
    if data.state_based {
        if end {
            return "Must be seen again and again: a state with a double circle; or the end must be reached."
                .to_owned();
        }
        return if data.states.iter().all(|state| state.accepting) {
            "Every infinite run is accepted.".to_owned()
        } else {
            "Must be seen again and again: a state with a double circle.".to_owned()
        };
    }
    match data.sets {
        0 => "Every infinite run is accepted.".to_owned(),
        1 => "Must be seen again and again: an edge with the mark 0.".to_owned(),
        sets => {
            let names: Vec<String> = (0..sets).map(|set| set.to_string()).collect();
            let (last, others) = names.split_last().map_or(("", &[][..]), |(l, o)| (l.as_str(), o));
            format!("Must be seen again and again: the marks {} and {last}.", others.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_figures::{AutomatonOptions, automaton_drawing};
    use promenade_protocol::AutomatonEdge;

    #[test]
    fn parts_are_put_into_words() {
        let state = |meaning: &str| AutomatonState {
            meaning: meaning.to_owned(),
            ..AutomatonState::default()
        };
        let edge = |from, to, label: &str, marks: &[u32]| AutomatonEdge {
            from,
            to,
            label: label.to_owned(),
            marks: marks.to_vec(),
        };
        let data = AutomatonData {
            states: vec![state("[] p"), state("")],
            edges: vec![edge(0, 1, "p", &[0, 1]), edge(1, 1, "1", &[])],
            initial: Some(0),
            sets: 2,
            components: vec![ComponentKind::Weak],
            ..AutomatonData::default()
        };
        let drawing = automaton_drawing(&data, &AutomatonOptions::default()).unwrap();
        let said = |part| describe(&data, &drawing, part);
        assert_eq!(
            said(Part::State(0)),
            "State 0, initial. From here on this has to hold: [] p. Every cycle here is accepting."
        );
        assert_eq!(
            said(Part::Edge(0)),
            "From state 0 to state 1: when p. It carries the marks 0, 1."
        );
        assert_eq!(said(Part::Edge(1)), "State 1 stays: always possible.");
        assert_eq!(said(Part::State(7)), "");
        assert_eq!(said(Part::Edge(7)), "");
        assert_eq!(acceptance(&data), "Must be seen again and again: the marks 0 and 1.");
        let named = |name: &str, accepting| AutomatonState {
            name: name.to_owned(),
            accepting,
            ..AutomatonState::default()
        };
        let claim = |accepting| AutomatonData {
            states: vec![named("T0_init", accepting), named("end", false)],
            edges: vec![edge(0, 1, "p", &[])],
            sets: 1,
            state_based: true,
            ..AutomatonData::default()
        };
        assert!(acceptance(&claim(false)).contains("followed to its end"));
        assert!(acceptance(&claim(true)).ends_with("or the end must be reached."));
        let said = describe(&claim(true), &drawing, Part::State(0));
        assert!(said.starts_with("State 0, T0_init, accepting."), "{said}");
        let fork = AutomatonData {
            states: vec![named("∧", false), AutomatonState { accepting: true, ..state("<>p") }],
            edges: vec![edge(0, 1, "", &[]), edge(1, 1, "p", &[])],
            initial: Some(0),
            sets: 1,
            state_based: true,
            alternating: true,
            ..AutomatonData::default()
        };
        let drawn = automaton_drawing(&fork, &AutomatonOptions::default()).unwrap();
        assert!(drawn.edges[0].label.is_none() && drawn.edges[1].label.is_some());
        assert!(describe(&fork, &drawn, Part::State(0)).contains("splits"));
        assert!(
            describe(&fork, &drawn, Part::State(1))
                .ends_with("hold: <>p. No branch may stay here for ever.")
        );
        assert_eq!(describe(&fork, &drawn, Part::Edge(0)), "From here a run goes on in state 1.");
        assert_eq!(describe(&fork, &drawn, Part::Edge(1)), "State 1 stays: when p.");
        assert!(acceptance(&fork).starts_with("A run is a tree"));
        assert_eq!(acceptance(&AutomatonData::default()), "It has no states: no run is accepted.");
    }
}
