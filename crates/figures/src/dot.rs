//! Automata as text for Graphviz.

use crate::automaton::{condition, shown_marks};
use crate::svg::set_colour;
use crate::text::printable;
use promenade_protocol::AutomatonData;
use std::fmt::Write;

/// The automaton as a graph in the DOT language. Edges to or from states that are not there are
/// kept: Graphviz adds the nodes.
pub fn write(data: &AutomatonData) -> String {
    let mut out = String::from("digraph automaton {\n  rankdir=LR\n");
    if !data.formula.is_empty() {
        let _ = writeln!(out, "  label={}\n  labelloc=t", quoted(&data.formula));
    }
    out.push_str("  node [shape=circle fontname=\"monospace\"]\n  edge [fontname=\"monospace\"]\n");
    if let Some(initial) = data.initial {
        let _ = writeln!(out, "  start [shape=point style=invis label=\"\"]\n  start -> {initial}");
    }
    for (i, state) in data.states.iter().enumerate() {
        let shape = if state.accepting && data.state_based { " shape=doublecircle" } else { "" };
        let tip = if state.meaning.is_empty() {
            String::new()
        } else {
            format!(" tooltip={}", quoted(&state.meaning))
        };
        let _ = writeln!(out, "  {i} [label=\"{i}\"{shape}{tip}]");
    }
    for edge in &data.edges {
        let marks = shown_marks(data, edge.from as usize, &edge.marks);
        let _ = write!(
            out,
            "  {} -> {} [label=<{}",
            edge.from,
            edge.to,
            escaped(condition(&edge.label))
        );
        for mark in marks {
            let _ = write!(out, " <font color=\"{}\"><b>({mark})</b></font>", set_colour(mark));
        }
        out.push_str(">]\n");
    }
    out.push_str("}\n");
    out
}

/// A quoted string of the language. A backslash must be doubled: in labels it begins an escape.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in printable(text).chars() {
        if matches!(c, '"' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
    out
}

/// Text inside a label between angle brackets.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in printable(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_protocol::{AutomatonEdge, AutomatonState};

    #[test]
    fn nothing_escapes_from_its_text() {
        let text = "\"];\nx -> y [label=<b>&\\";
        let data = AutomatonData {
            formula: text.into(),
            states: vec![AutomatonState { meaning: text.into(), ..AutomatonState::default() }],
            edges: vec![AutomatonEdge {
                label: text.into(),
                marks: vec![3],
                ..AutomatonEdge::default()
            }],
            initial: Some(0),
            ..AutomatonData::default()
        };
        let out = write(&data);
        let string = r#""\"]; x -> y [label=<b>&\\""#;
        assert!(out.contains(&format!("  label={string}\n")), "{out}");
        assert!(out.contains(&format!("tooltip={string}]\n")), "{out}");
        let label = "&quot;]; x -&gt; y [label=&lt;b&gt;&amp;\\";
        assert!(out.contains(&format!("  0 -> 0 [label=<{label} <font")), "{out}");
    }
}
