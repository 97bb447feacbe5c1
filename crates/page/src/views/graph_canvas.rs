//! The picture of a state graph. Its parts are plain markup with numbers: a few hundred states would be
//! too many components.

use crate::app::{App, GraphPath, Shared};
use crate::automaton::{Stage, ZoomButtons};
use crate::numbers::counted;
use leptos::prelude::*;
use promenade_figures::{Drawing, svg};
use promenade_protocol::StateGraph;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

/// From this scale on texts can be read.
const READABLE: f64 = 0.85;
/// From this scale on dots show their numbers.
const NUMBERS: f64 = 1.5;

/// A part that is pointed at: a node or an edge of the drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Node(usize),
    Edge(usize),
}

impl Part {
    /// The part that an element belongs to.
    fn of(target: Option<web_sys::EventTarget>) -> Option<Self> {
        let element = target?.dyn_into::<Element>().ok()?;
        let part = element.closest("[data-node], [data-edge]").ok()??;
        let number = |name: &str| part.get_attribute(name).and_then(|it| it.parse().ok());
        number("data-node").map(Self::Node).or_else(|| number("data-edge").map(Self::Edge))
    }

    fn selector(self) -> String {
        match self {
            Self::Node(number) => format!("[data-node=\"{number}\"]"),
            Self::Edge(number) => format!("[data-edge=\"{number}\"]"),
        }
    }
}

/// The picture with its buttons; the part that is pointed at is said under it.
#[component]
pub fn GraphCanvas(
    /// What is drawn.
    drawing: Memo<Option<Result<Shared<Drawing>, String>>>,
    /// The run that is shown.
    path: Memo<GraphPath>,
    /// States and steps have texts.
    texts: Signal<bool>,
    /// What is left out is shown, too.
    whole: RwSignal<bool>,
) -> impl IntoView {
    let app = App::get();
    let drawing = Memo::new(move |_| drawing.get().and_then(Result::ok));
    let pointed = RwSignal::new(None::<Part>);
    let size = Signal::derive(move || {
        drawing.with(|drawing| drawing.as_ref().map(|it| (it.width, it.height)))
    });
    let stage = Stage::new(size);
    Effect::new(move |_| {
        pointed.set(None);
        let first =
            drawing.with(|it| it.as_ref().and_then(|it| it.nodes.first()).map(|it| it.centre));
        match first {
            // Texts that cannot be read are of no use: then it begins at the initial state.
            Some(at) if texts.get() => stage.show_first(READABLE, (at.x, at.y)),
            _ => stage.show_all(),
        }
    });
    let parts = NodeRef::<leptos::svg::G>::new();
    // Marks are classes of elements; those that a mark had before are kept to take it away.
    let marks = move |class: &'static str, wanted: Signal<Vec<Part>>| {
        let marked = StoredValue::new_local(Vec::<Element>::new());
        Effect::new(move |_| {
            drawing.track();
            let Some(root) = parts.get() else { return };
            let wanted = wanted.get();
            // Also the markup of a new picture is there by then.
            marked.update_value(|old| {
                for element in old.drain(..) {
                    // The name of the class is valid.
                    let _ = element.class_list().remove_1(class);
                }
                let found =
                    wanted.iter().filter_map(|part| root.query_selector(&part.selector()).ok()?);
                old.extend(found.inspect(|element| {
                    let _ = element.class_list().add_1(class);
                }));
            });
        });
    };
    let chosen = Signal::derive(move || {
        app.graph.chosen.get().map(|it| Part::Node(it as usize)).into_iter().collect()
    });
    let lit = Signal::derive(move || pointed.get().into_iter().collect());
    let run = Signal::derive(move || {
        drawing.with(|drawing| {
            let Some(drawing) = drawing else { return Vec::new() };
            path.with(|path| {
                let on = |edge: usize| path.edges.contains(&(edge as u32));
                let edges = drawing.edges.iter().filter(|it| it.sources.iter().any(|at| on(*at)));
                let edges = edges.map(|it| Part::Edge(it.id));
                edges.chain(path.nodes.iter().map(|it| Part::Node(it.1 as usize))).collect()
            })
        })
    });
    marks("lit", lit);
    marks("path", run);
    marks("chosen", chosen);
    // The state that is looked at is seen.
    Effect::new(move |_| {
        let at = app.graph.chosen.get();
        let centre = drawing
            .with(|it| it.as_ref().and_then(|it| it.nodes.get(at? as usize)).map(|it| it.centre));
        if let Some(centre) = centre {
            stage.soon(move |stage| stage.reveal(centre.x, centre.y));
        }
    });
    // What the keys have come to is heard.
    let heard = RwSignal::new(String::new());
    let tell = move |number: u32| {
        let said = app.graph.drawn.with_untracked(|drawn| {
            let graph = &drawn.as_ref()?.graph;
            let node = graph.nodes.get(number as usize)?;
            let steps = graph.edges.iter().filter(|edge| edge.from == number).count() as u64;
            let steps = counted(steps, "step leads on", "steps lead on");
            Some(format!("{} {steps}.", super::graph_state::in_short(number as usize, node)))
        });
        heard.set(said.unwrap_or_default());
    };
    let press = move |event: KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let toward = match event.key().as_str() {
            _ if stage.press(&event) => None,
            "ArrowRight" => Some((1.0, 0.0)),
            "ArrowLeft" => Some((-1.0, 0.0)),
            "ArrowDown" => Some((0.0, 1.0)),
            "ArrowUp" => Some((0.0, -1.0)),
            _ => return,
        };
        if let Some(toward) = toward {
            let states = app
                .graph
                .drawn
                .with_untracked(|it| it.as_ref().map_or(0, |it| it.graph.nodes.len()));
            let here = app.graph.chosen.get_untracked();
            let next = drawing.with_untracked(|it| {
                it.as_ref().and_then(|it| neighbour(it, here? as usize, toward, states))
            });
            match (here, next) {
                (None, _) => {
                    app.look_at(0);
                    tell(0);
                }
                (_, Some(next)) => {
                    app.look_at(next as u32);
                    tell(next as u32);
                }
                (_, None) => heard.set("No state in this direction.".to_owned()),
            }
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let click = move |event: leptos::ev::MouseEvent| {
        let Some(part) = Part::of(event.target()) else { return };
        let ends =
            |it: &Shared<Drawing>, edge: usize| it.edges.get(edge).map(|it| (it.from, it.to));
        let node = drawing.with_untracked(|it| match part {
            Part::Node(node) => Some(node),
            Part::Edge(edge) => ends(it.as_ref()?, edge).map(|it| it.1),
        });
        let states =
            app.graph.drawn.with_untracked(|it| it.as_ref().map_or(0, |it| it.graph.nodes.len()));
        // Behind a violation there is no state: the one before it is looked at.
        let node = match node {
            Some(node) if node >= states => drawing.with_untracked(|it| {
                it.as_ref()
                    .and_then(|it| it.edges.iter().find(|it| it.to == node))
                    .map(|it| it.from)
            }),
            node => node,
        };
        if let Some(node) = node {
            app.look_at(node as u32);
        }
    };
    let said = move || {
        let part = pointed.get()?;
        let drawing = drawing.get()?;
        app.graph.drawn.with(|drawn| Some(describe(&drawn.as_ref()?.graph, &drawing, part)))
    };
    let close = Memo::new(move |_| stage.scale() >= NUMBERS);
    let markup =
        move || drawing.with(|it| it.as_ref().map(|it| svg::markup(it)).unwrap_or_default());
    view! {
        <div class="graph-picture">
            <div class="canvas-frame">
                <div
                    class="canvas"
                    id="graph-canvas"
                    node_ref=stage.node
                    tabindex="0"
                    role="application"
                    aria-label="The state graph. Arrow keys go from state to state along steps, plus and minus zoom, Shift with arrow keys moves, 0 shows everything."
                    aria-describedby="graph-said"
                    class:dragging=move || stage.is_dragged()
                    on:keydown=press
                    on:wheel=move |event| stage.wheel(&event)
                    on:pointerdown=move |event| stage.down(&event)
                    on:pointermove=move |event| stage.moved(&event)
                    on:pointerup=move |event| stage.up(&event)
                    on:pointercancel=move |event| stage.up(&event)
                    on:pointerover=move |event| pointed.set(Part::of(event.target()))
                    on:pointerleave=move |_| pointed.set(None)
                    on:click=click
                    on:dblclick=move |_| stage.fit()
                >
                    <svg
                        class="automaton-svg graph-svg"
                        class:close=move || close.get()
                        class:only-kept=move || !whole.get()
                        width="100%"
                        height="100%"
                    >
                        <g transform=move || stage.transform() node_ref=parts inner_html=markup></g>
                    </svg>
                </div>
                <ZoomButtons stage=stage/>
            </div>
            <p class="unseen" id="graph-heard" role="status">{heard}</p>
            <p class="automaton-said" id="graph-said">
                {move || said().unwrap_or_else(|| {
                    "Point at a state or a step; click a state, or go along the steps with the arrow keys.".to_owned()
                })}
            </p>
        </div>
    }
}

/// The state beside another one, along an edge, that lies best in a direction.
fn neighbour(drawing: &Drawing, here: usize, toward: (f64, f64), states: usize) -> Option<usize> {
    let from = drawing.nodes.get(here)?.centre;
    let ends = drawing.edges.iter().filter_map(|edge| match (edge.from, edge.to) {
        (a, b) if a == here => Some(b),
        (a, b) if b == here => Some(a),
        _ => None,
    });
    let rated = ends.filter(|node| *node < states && *node != here).filter_map(|node| {
        let to = drawing.nodes.get(node)?.centre;
        let (x, y) = (to.x - from.x, to.y - from.y);
        let along = x * toward.0 + y * toward.1;
        let across = (x * toward.1 - y * toward.0).abs();
        // In the half plane, the steeper the better, then the nearer.
        (along > 0.5).then_some((across / along + x.hypot(y) / 1e4, node))
    });
    rated.min_by(|a, b| a.0.total_cmp(&b.0)).map(|it| it.1)
}

/// A part in words.
fn describe(graph: &StateGraph, drawing: &Drawing, part: Part) -> String {
    match part {
        Part::Node(number) => match graph.nodes.get(number) {
            Some(node) => super::graph_state::in_short(number, node),
            None => {
                let edge = drawing.edges.iter().find(|edge| edge.to == number);
                let edge = edge.and_then(|it| graph.edges.get(*it.sources.first()?));
                let said = edge.and_then(|it| it.violations.first());
                said.map_or_else(String::new, |it| format!("Error: {}.", it.message))
            }
        },
        Part::Edge(number) => {
            let sources = drawing.edges.get(number).map_or(&[][..], |it| &it.sources);
            let texts: Vec<String> = sources
                .iter()
                .filter_map(|at| graph.edges.get(*at))
                .map(|edge| super::graph_state::step_in_short(graph, edge))
                .collect();
            texts.join(" · ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_figures::{Graph, Shape, Style, draw};

    #[test]
    fn arrow_keys_follow_edges() {
        let node = || (vec!["x".to_owned()], Shape::Box);
        let edge = |from, to| (from, to, String::new());
        let graph = Graph::new(vec![node(), node(), node()], vec![edge(0, 1), edge(1, 2)]);
        let drawing = draw(&graph, &Style::default()).unwrap();
        let (right, left, up) = ((1.0, 0.0), (-1.0, 0.0), (0.0, -1.0));
        assert_eq!(neighbour(&drawing, 0, right, 3), Some(1));
        assert_eq!(neighbour(&drawing, 1, right, 3), Some(2));
        assert_eq!(neighbour(&drawing, 1, left, 3), Some(0));
        assert_eq!(neighbour(&drawing, 0, left, 3), None);
        assert_eq!(neighbour(&drawing, 0, up, 3), None);
        // What stands for a violation is no state.
        assert_eq!(neighbour(&drawing, 1, right, 2), None);
    }
}
