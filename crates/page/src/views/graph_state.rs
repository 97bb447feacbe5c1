//! A state of the graph: what the reduction does in it, where it leads, what it holds.

use super::prose;
use super::steps::chip;
use super::values::{Pick, Scene, statement};
use crate::app::{App, DrawnGraph, Shared, process_name, way_to};
use crate::numbers::counted;
use crate::playback::{CLAIM, Playback};
use leptos::prelude::*;
use promenade_protocol::{StateEdge, StateEnd, StateGraph, StateNode};

/// The panel beside the picture.
#[component]
pub fn StatePanel() -> impl IntoView {
    let app = App::get();
    move || {
        let drawn = app.graph.drawn.get()?;
        let number = app.graph.chosen.get().unwrap_or(0);
        let node = drawn.graph.nodes.get(number as usize)?;
        let path = app.graph_path();
        let beyond = path.and_then(|path| path.leaves_at).is_some_and(|at| app.step.get() > at);
        let beyond = beyond.then(|| {
            view! {
                <p class="graph-wrong" role="note">
                    "At this step the run has gone on to a state that is not in the picture. Show more states to see it."
                </p>
            }
        });
        Some(view! {
            <div class="graph-state" tabindex="0" role="group" aria-label="The state that is looked at">
                {beyond}
                <h3 class="graph-state-head">
                    {format!("State {number}")} {badges(number, node)}
                    <span class="faint">{distance(node)}</span>
                </h3>
                {reduction(&drawn.graph, node)}
                {steps(app, &drawn, number)}
                {values(app, &drawn, number)}
            </div>
        })
    }
}

fn distance(node: &StateNode) -> String {
    match node.depth {
        0 => String::new(),
        depth => format!("{} from the start", counted(u64::from(depth), "step", "steps")),
    }
}

fn badges(number: u32, node: &StateNode) -> Vec<impl IntoView + use<>> {
    let mut badges = Vec::new();
    if number == 0 {
        badges.push(("initial", ""));
    }
    match node.end {
        StateEnd::Valid => badges.push(("valid end", "good")),
        StateEnd::Invalid => badges.push(("deadlock", "bad")),
        StateEnd::Claim => badges.push(("the claim stops here", "")),
        StateEnd::None => {}
    }
    if !node.kept {
        badges.push(("left out", ""));
    }
    badges
        .into_iter()
        .map(|(text, tone)| view! { <span class="graph-badge" data-tone=tone>{text}</span> })
        .collect()
}

/// What the reduction does in a state, as a heading and lines.
fn verdict(graph: &StateGraph, node: &StateNode) -> (String, Vec<String>) {
    if let Some(why) = &graph.reduction.nowhere {
        return (format!("Not reduced anywhere: {why}."), Vec::new());
    }
    if !node.kept {
        let text = if graph.reduction.complete {
            "Left out: no step that is kept leads here."
        } else {
            "Not visited so far."
        };
        return (text.to_owned(), Vec::new());
    }
    if let Some(ample) = &node.ample {
        let name = process_name(&ample.process, ample.pid);
        return (
            format!("Reduced here: only {name} moves."),
            vec![format!("{name}: {}.", ample.text)],
        );
    }
    match node.end {
        StateEnd::Valid | StateEnd::Invalid => {
            return ("Nothing can move here.".to_owned(), Vec::new());
        }
        _ => {}
    }
    let lines: Vec<String> = node.reasons.iter().map(|reason| format!("{reason}.")).collect();
    let text = if lines.is_empty() {
        "Not reduced here."
    } else {
        "Not reduced here. No process suffices:"
    };
    (text.to_owned(), lines)
}

fn reduction(graph: &StateGraph, node: &StateNode) -> impl IntoView + use<> {
    let (text, lines) = verdict(graph, node);
    let lines = lines.into_iter().map(|line| view! { <li>{prose(&line)}</li> }).collect_view();
    view! {
        <div class="graph-why" data-reduced=node.ample.is_some().to_string()>
            <p><strong>{text}</strong></p>
            <ul>{lines}</ul>
        </div>
    }
}

/// The steps that leave a state.
fn steps(app: App, drawn: &Shared<DrawnGraph>, number: u32) -> impl IntoView + use<> {
    let graph = &drawn.graph;
    let row = |edge: &StateEdge| {
        let to = edge.to;
        let wrong = edge.violations.first().map(|it| it.message.clone());
        let target = match to {
            Some(to) => format!("→ {to}"),
            None => "✗".to_owned(),
        };
        let who = (edge.pid != CLAIM).then(|| chip(&edge.process, edge.pid));
        let left = !edge.kept;
        let says = step_in_short(graph, edge);
        view! {
            <li>
                <button
                    class="graph-step"
                    class:left=left
                    disabled=to.is_none()
                    title=says
                    on:click=move |_| {
                        if let Some(to) = to {
                            app.look_at(to);
                        }
                    }
                >
                    {who}
                    <code class="graph-step-text">{edge.label.clone()}</code>
                    {wrong.map(|text| view! { <span class="graph-wrong">{text}</span> })}
                    {left.then(|| view! { <span class="faint">"left out"</span> })}
                    <span class="graph-step-to">{target}</span>
                </button>
            </li>
        }
    };
    let rows: Vec<_> = graph.leaving(number).map(|(_, edge)| row(edge)).collect();
    let hidden = graph.nodes.get(number as usize).map_or(0, |it| it.hidden);
    let none = rows.is_empty() && hidden == 0;
    view! {
        <section class="group">
            <h4 class="group-head">"Steps from here"</h4>
            {none.then(|| view! { <p class="graph-none faint">"none"</p> })}
            <ul class="graph-steps">{rows}</ul>
            {(hidden > 0).then(|| view! {
                <p class="graph-none faint">
                    {format!("{} to states that are not shown", counted(u64::from(hidden), "step", "steps"))}
                </p>
            })}
        </section>
    }
}

/// The values, as in a trace.
fn values(app: App, drawn: &Shared<DrawnGraph>, number: u32) -> Vec<AnyView> {
    let playback = Playback::new(way_to(&drawn.graph, number));
    let playback = if drawn.graph.product { hide_claim(playback) } else { playback };
    let last = playback.steps();
    let state = playback.state(last);
    let before = playback.state(last.saturating_sub(1)).values;
    let changes = playback.changed(last);
    let text = |span: promenade_protocol::SpanData| {
        let file = drawn.experiment.files.get(usize::from(span.file))?;
        statement(&file.text, span)
    };
    let scene = Scene {
        app,
        slots: &playback.trace.slots,
        state: &state,
        before: &before,
        pick: Pick { wanted: "", changes: &changes, only: false },
        statement: &text,
        waits: &|_| None,
    };
    let mut parts = scene.groups(&playback.groups());
    if let Some(at) = state.positions.get(&CLAIM).and_then(|it| it.automaton_state) {
        parts.push(
            view! {
                <section class="group">
                    <h4 class="group-head">
                        <span class="automaton-chip moved">"A"</span>
                        <span class="group-name">{format!("automaton in state {at}")}</span>
                    </h4>
                </section>
            }
            .into_any(),
        );
    }
    parts
}

/// The automaton of a property is no process; its state is told apart.
fn hide_claim(playback: Playback) -> Playback {
    Playback::with_automaton(playback.trace)
}

/// A state in a sentence or two, for those who point at it.
pub(super) fn in_short(number: usize, node: &StateNode) -> String {
    let mut text = format!("State {number}: {}.", node.lines.join(", "));
    match node.end {
        StateEnd::Valid => text.push_str(" A valid end."),
        StateEnd::Invalid => {
            text.push_str(" A deadlock: no process can move, and not all are at an end.")
        }
        StateEnd::Claim => text.push_str(" The claim cannot go on."),
        StateEnd::None => {}
    }
    match (&node.ample, node.reasons.first()) {
        (Some(ample), _) => {
            let name = process_name(&ample.process, ample.pid);
            text.push_str(&format!(" Reduced here: only {name} moves, {}.", ample.text));
        }
        (None, Some(first)) if node.kept => {
            let more = node.reasons.len() - 1;
            let more = if more > 0 { format!("; and {more} more") } else { String::new() };
            text.push_str(&format!(" Not reduced here: {first}{more}."));
        }
        _ if !node.kept => text.push_str(" Left out by the reduction."),
        _ => {}
    }
    text
}

/// A step in a sentence.
pub(super) fn step_in_short(graph: &StateGraph, edge: &StateEdge) -> String {
    let who = if edge.pid == CLAIM {
        String::new()
    } else {
        format!("{} ", process_name(&edge.process, edge.pid))
    };
    let to = edge.to.map_or_else(|| "an error".to_owned(), |to| to.to_string());
    let mut text = format!("{} → {to}: {who}`{}`", edge.from, edge.label);
    if let Some(wrong) = edge.violations.first() {
        text.push_str(&format!(", {}", wrong.message));
    }
    if !edge.kept && graph.reduction.nowhere.is_none() {
        let from = graph.nodes.get(edge.from as usize);
        match from.and_then(|it| it.ample.as_ref()) {
            Some(ample) => {
                let name = process_name(&ample.process, ample.pid);
                text.push_str(&format!(". Left out: in state {} only {name} moves", edge.from));
            }
            None => text.push_str(&format!(". Left out with state {}", edge.from)),
        }
    }
    text.push('.');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_protocol::AmpleSet;

    #[test]
    fn reasons_are_told() {
        let ample = AmpleSet { pid: 1, process: "P".to_owned(), text: "t".to_owned() };
        let node = StateNode { kept: true, ample: Some(ample), ..StateNode::default() };
        let mut graph = StateGraph { nodes: vec![node], ..StateGraph::default() };
        graph.reduction.complete = true;
        assert_eq!(verdict(&graph, &graph.nodes[0]).0, "Reduced here: only P:1 moves.");
        let edge = StateEdge {
            to: Some(0),
            label: "x = 1".to_owned(),
            process: "Q".to_owned(),
            ..StateEdge::default()
        };
        assert_eq!(
            step_in_short(&graph, &edge),
            "0 → 0: Q:0 `x = 1`. Left out: in state 0 only P:1 moves."
        );
        let reasons =
            vec!["P:0: `x = 1` uses the global `x`, as process 1 may".to_owned(), "b".to_owned()];
        let node = StateNode { kept: true, reasons, ..StateNode::default() };
        assert_eq!(verdict(&graph, &node).1.len(), 2);
        assert!(in_short(3, &node).ends_with("as process 1 may; and 1 more."));
        let left = StateNode::default();
        assert!(verdict(&graph, &left).0.starts_with("Left out"));
        assert!(in_short(3, &left).ends_with("Left out by the reduction."));
    }
}
