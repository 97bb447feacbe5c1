//! Graphviz text.

use crate::{Automaton, Components};
use std::fmt::Write;

/// What a picture shows.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Above the picture.
    pub title: String,
    /// Names of states instead of numbers, where known.
    pub names: bool,
    /// A frame around each component that has a cycle.
    pub components: bool,
}

/// Colours of acceptance sets; the number always stands beside.
const COLOURS: [&str; 8] =
    ["#1f78b4", "#ff4da0", "#ff7f00", "#6a3d9a", "#33a02c", "#e31a1c", "#c4c400", "#505050"];

/// The automaton as a Graphviz graph: accepting states as double circles if acceptance is on states,
/// else the numbers of acceptance sets on edges.
pub fn write(automaton: &Automaton, options: &Options) -> String {
    let mut text = String::from("digraph automaton {\n  rankdir=LR\n");
    if !options.title.is_empty() {
        let _ = writeln!(text, "  label={}\n  labelloc=t", quoted(&options.title));
    }
    text.push_str("  node [shape=circle]\n");
    if !automaton.states.is_empty() {
        text.push_str("  start [shape=point, width=0.01, label=\"\"]\n");
        let _ = writeln!(text, "  start -> {}", automaton.initial);
    }
    for state in 0..automaton.states.len() as u32 {
        let name = automaton.names.get(state as usize).filter(|_| options.names);
        let label = name.cloned().unwrap_or_else(|| state.to_string());
        let double = if automaton.state_based && automaton.accepting(state) {
            ", shape=doublecircle"
        } else {
            ""
        };
        let _ = writeln!(text, "  {state} [label={}{double}]", quoted(&label));
    }
    if options.components {
        clusters(automaton, &mut text);
    }
    for (state, edges) in automaton.states.iter().enumerate() {
        for edge in edges {
            let mut label = edge.label.text(&automaton.atoms);
            let mut style = String::new();
            if !automaton.state_based && edge.marks != 0 {
                let marks: Vec<u32> = crate::bits::bits_of(edge.marks).collect();
                let numbers: Vec<String> = marks.iter().map(u32::to_string).collect();
                let _ = write!(label, "\n{{{}}}", numbers.join(","));
                let colour = |set: &u32| COLOURS[*set as usize % COLOURS.len()];
                let colours: Vec<&str> = marks.iter().map(colour).collect();
                let _ = write!(style, ", color={}", quoted(&colours.join(":")));
            }
            let target = edge.target;
            let _ = writeln!(text, "  {state} -> {target} [label={}{style}]", quoted(&label));
        }
    }
    text.push_str("}\n");
    text
}

/// Frames: green for components with an accepting cycle, red for those without.
fn clusters(automaton: &Automaton, text: &mut String) {
    let components = Components::of(automaton);
    for component in 0..components.count() as u32 {
        if !components.cyclic[component as usize] {
            continue;
        }
        let accepting = components.accepting(component, automaton.all_marks());
        let colour = if accepting { "#33a02c" } else { "#e31a1c" };
        let _ = write!(text, "  subgraph cluster_{component} {{ color={};", quoted(colour));
        for (state, &own) in components.of.iter().enumerate() {
            if own == component {
                let _ = write!(text, " {state};");
            }
        }
        text.push_str(" }\n");
    }
}

fn quoted(text: &str) -> String {
    let mut result = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => result.push_str("\\\""),
            '\\' => result.push_str("\\\\"),
            '\n' => result.push_str("\\n"),
            c if c.is_control() => {}
            c => result.push(c),
        }
    }
    result.push('"');
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Edge, Label};

    #[test]
    fn picture() {
        let automaton = Automaton {
            states: vec![
                vec![Edge { label: Label::atom(0), target: 1, marks: 1 }],
                vec![Edge { label: Label::all(), target: 1, marks: 0 }],
            ],
            initial: 0,
            sets: 1,
            atoms: vec!["a \"b\"".to_owned()],
            names: Vec::new(),
            state_based: false,
        };
        let text = write(&automaton, &Options { components: true, ..Options::default() });
        assert!(
            text.contains("0 -> 1 [label=\"(a \\\"b\\\")\\n{0}\", color=\"#1f78b4\"]"),
            "{text}"
        );
        assert!(text.contains("cluster_"));
    }
}
