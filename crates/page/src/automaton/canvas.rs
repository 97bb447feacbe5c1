//! A drawing as interactive SVG: zoom, pan, a part that is pointed at, a state that is marked.

use super::stage::{Stage, ZoomButtons};
use super::{Marked, Part, describe};
use crate::app::Shared;
use leptos::prelude::*;
use promenade_figures::svg::{arrow_points, line_places, path_data, set_colour, set_ink};
use promenade_figures::{Arrow, Drawing, DrawnEdge, DrawnNode, Path, Rect, Shape};
use promenade_protocol::AutomatonData;
use web_sys::KeyboardEvent;

/// The picture with its buttons; the part that is pointed at is said under it.
#[component]
pub fn Canvas(
    /// What is drawn.
    data: Memo<Option<Shared<AutomatonData>>>,
    /// Its drawing.
    drawing: Memo<Option<Shared<Drawing>>>,
    /// The state that is marked, and the edge that led to it.
    #[prop(into)]
    marked: Signal<Marked>,
) -> impl IntoView {
    let size = Signal::derive(move || {
        drawing.with(|drawing| drawing.as_ref().map(|it| (it.width, it.height)))
    });
    let stage = Stage::new(size);
    let chosen = RwSignal::new(None::<Part>);
    let pointed = RwSignal::new(None::<Part>);
    // A new picture is seen as a whole.
    Effect::new(move |_| {
        drawing.track();
        chosen.set(None);
        pointed.set(None);
        stage.show_all();
    });
    // All parts in the order of reading: each state with the edges that leave it.
    let parts = Memo::new(move |_| {
        let mut parts = Vec::new();
        drawing.with(|drawing| {
            let Some(drawing) = drawing else { return };
            for state in 0..drawing.nodes.len() {
                parts.push(Part::State(state));
                let out = drawing.edges.iter().filter(|it| it.from == state);
                parts.extend(out.map(|it| Part::Edge(it.id)));
            }
        });
        parts
    });
    let walk = move |forward: bool| {
        let all = parts.get_untracked();
        let here = chosen.get_untracked().and_then(|part| all.iter().position(|it| *it == part));
        let last = all.len().saturating_sub(1);
        let to = match here {
            None => Some(if forward { 0 } else { last }),
            Some(at) if forward => Some(if at == last { 0 } else { at + 1 }),
            Some(at) => Some(if at == 0 { last } else { at - 1 }),
        };
        chosen.set(to.and_then(|at| all.get(at).copied()));
    };
    let press = move |event: KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        match event.key().as_str() {
            _ if stage.press(&event) => {}
            "ArrowRight" | "ArrowDown" => walk(true),
            "ArrowLeft" | "ArrowUp" => walk(false),
            "Escape" if chosen.get_untracked().is_some() => chosen.set(None),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let said = move || {
        let part = pointed.get().or(chosen.get());
        let (Some(data), Some(drawing)) = (data.get(), drawing.get()) else { return None };
        part.map(|part| describe(&data, &drawing, part))
    };
    let tools = Tools { chosen, pointed, marked };
    let content = move || drawing.get().map(|drawing| picture(&drawing, tools));
    view! {
        <div class="canvas-frame">
            <div
                class="canvas"
                id="automaton-canvas"
                node_ref=stage.node
                tabindex="0"
                role="listbox"
                aria-label="The automaton. Arrow keys go through states and edges, plus and minus zoom, Shift with arrow keys moves, 0 shows everything."
                aria-activedescendant=move || chosen.get().map(part_id)
                aria-describedby="automaton-said"
                class:dragging=move || stage.is_dragged()
                on:keydown=press
                on:wheel=move |event| stage.wheel(&event)
                on:pointerdown=move |event| stage.down(&event)
                on:pointermove=move |event| stage.moved(&event)
                on:pointerup=move |event| stage.up(&event)
                on:pointercancel=move |event| stage.up(&event)
                on:dblclick=move |_| stage.fit()
            >
                <svg class="automaton-svg" width="100%" height="100%">
                    <g transform=move || stage.transform()>{content}</g>
                </svg>
            </div>
            <ZoomButtons stage=stage/>
        </div>
        <p class="automaton-said" id="automaton-said" role="status">
            {move || match said() {
                Some(text) => text,
                None => "Point at a state or an edge, or go through them with the arrow keys.".to_owned(),
            }}
        </p>
    }
}

#[derive(Clone, Copy)]
struct Tools {
    chosen: RwSignal<Option<Part>>,
    pointed: RwSignal<Option<Part>>,
    marked: Signal<Marked>,
}

fn part_id(part: Part) -> String {
    match part {
        Part::State(number) => format!("automaton-state-{number}"),
        Part::Edge(number) => format!("automaton-edge-{number}"),
    }
}

fn picture(drawing: &Drawing, tools: Tools) -> AnyView {
    let groups: Vec<_> = drawing
        .groups
        .iter()
        .map(|group| {
            let areas: Vec<_> =
                group.areas.iter().map(|area| rectangle("area", area, 12.0)).collect();
            view! { <g class=format!("group {}", group.classes.join(" "))>{areas}</g> }
        })
        .collect();
    let start = drawing.start.as_ref().map(|start| {
        view! { <g class="start">{line(&start.path, &start.arrow)}</g> }
    });
    let height = drawing.line_height;
    let edges: Vec<_> = drawing.edges.iter().map(|edge| edge_view(edge, height, tools)).collect();
    let nodes: Vec<_> = drawing.nodes.iter().map(|node| node_view(node, height, tools)).collect();
    view! { {groups} {start} {edges} {nodes} }.into_any()
}

fn rectangle(class: &'static str, area: &Rect, round: f64) -> impl IntoView + use<> {
    view! {
        <rect class=class x=area.x y=area.y width=area.width height=area.height rx=round></rect>
    }
}

fn line(path: &Path, arrow: &Arrow) -> impl IntoView + use<> {
    view! {
        <path class="line" d=path_data(path)></path>
        <polygon class="head" points=arrow_points(arrow)></polygon>
    }
}

fn text(lines: &[String], area: &Rect, height: f64) -> Vec<impl IntoView + use<>> {
    let places = line_places(area, lines.len(), height);
    lines
        .iter()
        .zip(places)
        .map(|(line, at)| view! { <text x=at.x y=at.y>{line.clone()}</text> })
        .collect()
}

fn edge_view(edge: &DrawnEdge, height: f64, tools: Tools) -> AnyView {
    let part = Part::Edge(edge.id);
    let ends = (edge.from, edge.to);
    let beads: Vec<_> = edge
        .beads
        .iter()
        .map(|bead| {
            let (x, y) = (bead.centre.x, bead.centre.y);
            view! {
                <g class="bead">
                    <circle cx=x cy=y r=bead.radius fill=set_colour(bead.set)></circle>
                    <text x=x y=y fill=set_ink(bead.set)>{bead.set}</text>
                </g>
            }
        })
        .collect();
    let label = edge.label.as_ref().map(|label| text(&label.lines, &label.area, height));
    let reach = edge.label.as_ref().map(|label| rectangle("reach", &label.area, 4.0));
    view! {
        <g
            class="edge"
            id=part_id(part)
            role="option"
            aria-label=edge.title.clone()
            aria-selected=move || (tools.chosen.get() == Some(part)).to_string()
            class:lit=move || tools.pointed.get() == Some(part) || tools.chosen.get() == Some(part)
            class:taken=move || tools.marked.get().edge == Some(ends)
            on:pointerenter=move |_| tools.pointed.set(Some(part))
            on:pointerleave=move |_| tools.pointed.set(None)
            on:click=move |_| tools.chosen.set(Some(part))
        >
            <path class="reach" d=path_data(&edge.path)></path>
            {reach}
            {line(&edge.path, &edge.arrow)}
            {beads}
            {label}
        </g>
    }
    .into_any()
}

fn node_view(node: &DrawnNode, height: f64, tools: Tools) -> AnyView {
    let part = Part::State(node.id);
    let number = node.id;
    let (x, y, radius) = (node.centre.x, node.centre.y, node.width / 2.0);
    let shape = match node.shape {
        Shape::Box | Shape::DoubleBox | Shape::Octagon => {
            rectangle("shape", &node.area(), 6.0).into_any()
        }
        Shape::Circle => view! { <circle class="shape" cx=x cy=y r=radius></circle> }.into_any(),
        Shape::DoubleCircle => view! {
            <circle class="shape" cx=x cy=y r=radius></circle>
            <circle class="ring" cx=x cy=y r=radius - Shape::RING></circle>
        }
        .into_any(),
    };
    view! {
        <g
            class=format!("node {}", node.classes.join(" "))
            id=part_id(part)
            role="option"
            aria-label=node.title.clone()
            aria-selected=move || (tools.chosen.get() == Some(part)).to_string()
            class:lit=move || tools.pointed.get() == Some(part) || tools.chosen.get() == Some(part)
            class:here=move || tools.marked.get().state == Some(number)
            on:pointerenter=move |_| tools.pointed.set(Some(part))
            on:pointerleave=move |_| tools.pointed.set(None)
            on:click=move |_| tools.chosen.set(Some(part))
        >
            {shape}
            {text(&node.lines, &node.area(), height)}
        </g>
    }
    .into_any()
}
