//! A drawing as interactive SVG: zoom, pan, a part that is pointed at, a state that is marked.

use super::{Marked, Part, describe};
use crate::app::Shared;
use crate::icons;
use leptos::html;
use leptos::prelude::*;
use promenade_figures::svg::{arrow_points, line_places, path_data, set_colour, set_ink};
use promenade_figures::{Arrow, Drawing, DrawnEdge, DrawnNode, Path, Rect, Shape};
use promenade_protocol::AutomatonData;
use web_sys::{KeyboardEvent, PointerEvent, WheelEvent};

/// Zoom factors.
const SMALLEST: f64 = 0.2;
const LARGEST: f64 = 4.0;
/// Height that is left free for the buttons, in pixels.
const BUTTONS: f64 = 44.0;
/// How far the arrow keys move the picture, in pixels.
const MOVE: f64 = 40.0;

/// Where the drawing lies in the canvas.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Place {
    scale: f64,
    x: f64,
    y: f64,
}

impl Place {
    /// Everything is seen, in the middle, not larger than it was drawn.
    fn fit(drawing: &Drawing, width: f64, height: f64) -> Self {
        // The buttons for zooming lie over the lower edge.
        let height = (height - BUTTONS).max(height / 2.0);
        let ratio = (width / drawing.width.max(1.0)).min(height / drawing.height.max(1.0));
        let scale = ratio.clamp(SMALLEST, 1.25);
        let x = (width - drawing.width * scale) / 2.0;
        // What does not fit even so begins at its start.
        let y = ((height - drawing.height * scale) / 2.0).max(0.0);
        Self { scale, x: x.max(0.0), y }
    }

    /// Larger or smaller, with a point of the canvas kept where it is.
    fn zoomed(self, factor: f64, (x, y): (f64, f64)) -> Self {
        let scale = (self.scale * factor).clamp(SMALLEST, LARGEST);
        let by = scale / self.scale;
        Self { scale, x: x - (x - self.x) * by, y: y - (y - self.y) * by }
    }

    fn moved(self, x: f64, y: f64) -> Self {
        Self { x: self.x + x, y: self.y + y, ..self }
    }
}

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
    let node = NodeRef::<html::Div>::new();
    let place = RwSignal::new(Place { scale: 1.0, x: 0.0, y: 0.0 });
    // Where it was put so that everything is seen; elsewhere it was put by the user.
    let fitted = StoredValue::new(place.get_untracked());
    let chosen = RwSignal::new(None::<Part>);
    let pointed = RwSignal::new(None::<Part>);
    let pointers = RwSignal::new(Vec::<(i32, f64, f64)>::new());
    let size = move || {
        node.get_untracked().map_or((400.0, 300.0), |it| {
            (f64::from(it.client_width()), f64::from(it.client_height()))
        })
    };
    let fit = move || {
        let (width, height) = size();
        drawing.with_untracked(|drawing| {
            if let Some(drawing) = drawing {
                let fitting = Place::fit(drawing, width, height);
                fitted.set_value(fitting);
                place.set(fitting);
            }
        });
    };
    // A new picture is seen as a whole.
    Effect::new(move |_| {
        drawing.track();
        chosen.set(None);
        pointed.set(None);
        if node.get().is_some() {
            request_animation_frame(fit);
        }
    });
    crate::events::listen_size(node, move || {
        if place.get_untracked() == fitted.get_value() {
            fit();
        }
    });
    let zoom = move |factor: f64| {
        let (width, height) = size();
        place.update(|it| *it = it.zoomed(factor, (width / 2.0, height / 2.0)));
    };
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
        let shift = event.shift_key();
        let by = |x: f64, y: f64| place.update(|it| *it = it.moved(x, y));
        match event.key().as_str() {
            "ArrowLeft" if shift => by(MOVE, 0.0),
            "ArrowRight" if shift => by(-MOVE, 0.0),
            "ArrowUp" if shift => by(0.0, MOVE),
            "ArrowDown" if shift => by(0.0, -MOVE),
            "ArrowRight" | "ArrowDown" => walk(true),
            "ArrowLeft" | "ArrowUp" => walk(false),
            "+" | "=" => zoom(1.25),
            "-" => zoom(0.8),
            "0" => fit(),
            "Escape" if chosen.get_untracked().is_some() => chosen.set(None),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let local = move |x: i32, y: i32| {
        node.get_untracked().map_or((0.0, 0.0), |it| {
            let area = it.get_bounding_client_rect();
            (f64::from(x) - area.left(), f64::from(y) - area.top())
        })
    };
    let wheel = move |event: WheelEvent| {
        event.prevent_default();
        let factor = (-event.delta_y() * 0.002).clamp(-0.5, 0.5).exp();
        place.update(|it| *it = it.zoomed(factor, local(event.client_x(), event.client_y())));
    };
    let down = move |event: PointerEvent| {
        let (x, y) = local(event.client_x(), event.client_y());
        pointers.update(|all| {
            all.retain(|it| it.0 != event.pointer_id());
            all.push((event.pointer_id(), x, y));
        });
    };
    let moved = move |event: PointerEvent| {
        let id = event.pointer_id();
        let mut all = pointers.get_untracked();
        let Some(at) = all.iter().position(|it| it.0 == id) else { return };
        let (x, y) = local(event.client_x(), event.client_y());
        let (_, old_x, old_y) = all[at];
        if let Some(element) = node.get_untracked() {
            // So that a drag may leave the canvas; the pointer is pressed, so this cannot fail.
            let _ = element.set_pointer_capture(id);
        }
        match all.iter().find(|it| it.0 != id).copied() {
            None => place.update(|it| *it = it.moved(x - old_x, y - old_y)),
            Some((_, other_x, other_y)) => {
                let distance = |x: f64, y: f64| (x - other_x).hypot(y - other_y).max(8.0);
                let factor = distance(x, y) / distance(old_x, old_y);
                let middle = ((x + other_x) / 2.0, (y + other_y) / 2.0);
                place.update(|it| *it = it.zoomed(factor, middle));
            }
        }
        all[at] = (id, x, y);
        pointers.set(all);
    };
    let up = move |event: PointerEvent| {
        pointers.update(|all| all.retain(|it| it.0 != event.pointer_id()));
    };
    let said = move || {
        let part = pointed.get().or(chosen.get());
        let (Some(data), Some(drawing)) = (data.get(), drawing.get()) else { return None };
        part.map(|part| describe(&data, &drawing, part))
    };
    let transform = move || {
        let Place { scale, x, y } = place.get();
        format!("translate({x:.2} {y:.2}) scale({scale:.4})")
    };
    let tools = Tools { chosen, pointed, marked };
    let content = move || drawing.get().map(|drawing| picture(&drawing, tools));
    let button = |label: &'static str, icon: &'static str, act: Callback<()>| {
        view! {
            <button class="icon-button" aria-label=label title=label on:click=move |_| act.run(())>
                {icons::icon(icon)}
            </button>
        }
    };
    view! {
        <div class="canvas-frame">
            <div
                class="canvas"
                id="automaton-canvas"
                node_ref=node
                tabindex="0"
                role="listbox"
                aria-label="The automaton. Arrow keys go through states and edges, plus and minus zoom, Shift with arrow keys moves, 0 shows everything."
                aria-activedescendant=move || chosen.get().map(part_id)
                aria-describedby="automaton-said"
                class:dragging=move || pointers.with(|all| !all.is_empty())
                on:keydown=press
                on:wheel=wheel
                on:pointerdown=down
                on:pointermove=moved
                on:pointerup=up
                on:pointercancel=up
                on:dblclick=move |_| fit()
            >
                <svg class="automaton-svg" width="100%" height="100%">
                    <g transform=transform>{content}</g>
                </svg>
            </div>
            <div class="zoom" role="toolbar" aria-label="Zoom">
                {button("Larger (+)", icons::PLUS, Callback::new(move |()| zoom(1.25)))}
                {button("Smaller (-)", icons::MINUS, Callback::new(move |()| zoom(0.8)))}
                {button("Show everything (0)", icons::FIT, Callback::new(move |()| fit()))}
            </div>
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
        Shape::Box => rectangle("shape", &node.area(), 6.0).into_any(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_keep_the_middle() {
        let drawing = Drawing { width: 200.0, height: 100.0, ..Drawing::default() };
        let place = Place::fit(&drawing, 400.0, 300.0 + BUTTONS);
        assert_eq!(place, Place { scale: 1.25, x: 75.0, y: 87.5 });
        let larger = place.zoomed(2.0, (200.0, 150.0));
        assert_eq!((larger.scale, larger.x, larger.y), (2.5, -50.0, 25.0));
        assert_eq!(place.zoomed(100.0, (0.0, 0.0)).scale, LARGEST);
        assert_eq!(place.zoomed(0.0, (0.0, 0.0)).scale, SMALLEST);
        // Too large to be seen whole: the start is seen.
        let drawing = Drawing { width: 9000.0, height: 10.0, ..Drawing::default() };
        assert_eq!(Place::fit(&drawing, 400.0, 300.0).x, 0.0);
    }
}
