//! Automata and state graphs as text for Graphviz.

use crate::automaton::{condition, shown_marks};
use crate::svg::set_colour;
use crate::text::printable;
use promenade_protocol::{AutomatonData, StateEnd, StateGraph};
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

/// A state graph in the DOT language: what reduction leaves out is grey and dashed. `path` has the
/// numbers of edges to show in red.
pub fn write_states(data: &StateGraph, title: &str, path: &[u32]) -> String {
    let mut out = String::from("digraph states {\n  rankdir=TB\n");
    if !title.is_empty() {
        let _ = writeln!(out, "  label={}\n  labelloc=t", quoted(title));
    }
    out.push_str("  node [shape=box style=rounded fontname=\"monospace\"]\n  edge [fontname=\"monospace\"]\n");
    if !data.nodes.is_empty() {
        out.push_str("  start [shape=point style=invis label=\"\"]\n  start -> 0\n");
    }
    for (i, node) in data.nodes.iter().enumerate() {
        let mut label = format!("{i}");
        for line in &node.lines {
            label.push('\n');
            label.push_str(line);
        }
        let end = match node.end {
            StateEnd::Valid => " peripheries=2 color=\"#2F855A\"",
            StateEnd::Invalid => " shape=octagon style=solid color=\"#C53030\"",
            StateEnd::None | StateEnd::Claim => "",
        };
        let left = if node.kept { "" } else { " style=dashed fontcolor=gray50" };
        let left = if node.end == StateEnd::None && !node.kept {
            " style=dashed color=gray60 fontcolor=gray50"
        } else {
            left
        };
        let _ = writeln!(out, "  {i} [label={}{end}{left}]", quoted_lines(&label));
    }
    for (i, edge) in data.edges.iter().enumerate() {
        let to = match edge.to {
            Some(to) => to.to_string(),
            None => {
                let said = edge.violations.first().map_or("", |it| it.message.as_str());
                let _ = writeln!(
                    out,
                    "  wrong{i} [label={} shape=octagon style=solid color=\"#C53030\"]",
                    quoted(said)
                );
                format!("wrong{i}")
            }
        };
        let red = path.contains(&(i as u32)) || !edge.violations.is_empty();
        let look = match (edge.kept, red) {
            (true, true) => " penwidth=2 color=\"#C53030\"",
            (false, true) => " style=dashed color=\"#C53030\"",
            (true, false) => " penwidth=2",
            (false, false) => " style=dashed color=gray60 fontcolor=gray50",
        };
        let _ = writeln!(out, "  {} -> {to} [label={}{look}]", edge.from, quoted(&edge.label));
    }
    out.push_str("}\n");
    out
}

/// A quoted string with a line break for each line.
fn quoted_lines(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(quoted).collect();
    let inner: Vec<&str> = lines.iter().map(|line| &line[1..line.len() - 1]).collect();
    format!("\"{}\"", inner.join("\\n"))
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
