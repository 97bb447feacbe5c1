//! The state graph: everything that can happen, and what partial-order reduction leaves out of it.

use super::View;
use super::automaton::{Stepping, back, forward};
use super::graph_canvas::GraphCanvas;
use super::graph_export::GraphExport;
use super::graph_state::StatePanel;
use crate::app::{App, DrawnGraph, LIMITS, Shared};
use crate::numbers::{counted, grouped};
use leptos::prelude::*;
use promenade_figures::{Drawing, StateOptions, can_have_texts, should_have_texts, state_drawing};
use promenade_protocol::{Reduction, StateGraph};
use web_sys::KeyboardEvent;

/// On narrower windows the picture is about as wide as high, in pixels.
const NARROW: f64 = 760.0;

/// The view.
pub struct StatesView;

impl View for StatesView {
    fn id(&self) -> &'static str {
        "graph"
    }

    fn title(&self) -> &'static str {
        "States"
    }

    fn show(&self, _app: App) -> AnyView {
        view! { <Content/> }.into_any()
    }
}

#[component]
fn Content() -> impl IntoView {
    let app = App::get();
    let data = app.graph.drawn;
    // As suits the size, unless the user chose.
    let texts = RwSignal::new(None::<bool>);
    let has_texts = Memo::new(move |_| {
        data.with(|drawn| {
            let Some(drawn) = drawn else { return (false, false) };
            let can = can_have_texts(&drawn.graph);
            (can, can && texts.get().unwrap_or_else(|| should_have_texts(&drawn.graph)))
        })
    });
    let drawing = Memo::new(move |_| -> Option<Result<Shared<Drawing>, String>> {
        let drawn = data.get()?;
        let width = window().inner_width().ok().and_then(|it| it.as_f64()).unwrap_or(1000.0);
        let aspect = if width < NARROW { 1.0 } else { 0.85 };
        let texts = texts.get().unwrap_or_else(|| should_have_texts(&drawn.graph));
        let drawing = state_drawing(&drawn.graph, &StateOptions { aspect, texts });
        Some(drawing.map(Shared::new).map_err(|it| it.to_string()))
    });
    let path = Memo::new(move |_| app.graph_path().unwrap_or_default());
    let steps = move || !path.with(|path| path.edges.is_empty());
    let whole = RwSignal::new(true);
    let press = move |event: KeyboardEvent| {
        match event.key().as_str() {
            "PageDown" if untrack(steps) => forward(app),
            "PageUp" if untrack(steps) => back(app),
            _ => return,
        }
        event.prevent_default();
    };
    let trouble = Memo::new(move |_| {
        data.with(|drawn| match drawn {
            None => Some("The graph is drawn as soon as the checker is ready.".to_owned()),
            Some(drawn) => trouble(app, &drawn.graph),
        })
    });
    // The frame of the picture stays while pictures change: whoever uses its keys keeps the focus.
    let refused = Memo::new(move |_| match drawing.get() {
        Some(Err(why)) => Some(format!("The graph is {why}. It can be exported for Graphviz.")),
        _ => None,
    });
    move || {
        if let Some(text) = trouble.get() {
            return view! { <p class="empty" role="status">{text}</p> }.into_any();
        }
        view! {
            <div class="graph" on:keydown=press>
                <div class="automaton-tools">
                    <Limit/>
                    <label class="toggle" title="States and steps that the reduction leaves out, in grey">
                        <input
                            type="checkbox"
                            prop:checked=move || whole.get()
                            on:change=move |event| whole.set(event_target_checked(&event))
                        />
                        "left out"
                    </label>
                    <label
                        class="toggle"
                        title="What each state holds and each step does, in the picture"
                        hidden=move || !has_texts.get().0
                    >
                        <input
                            type="checkbox"
                            prop:checked=move || has_texts.get().1
                            on:change=move |event| texts.set(Some(event_target_checked(&event)))
                        />
                        "texts"
                    </label>
                    <span class="automaton-space"></span>
                    <button
                        class="link-button graph-help"
                        on:click=move |_| {
                            app.help.set("state-graph");
                            app.dialog.set(Some(crate::app::Dialog::Help));
                        }
                    >
                        "How to read it"
                    </button>
                    <GraphExport drawing=drawing path=path/>
                </div>
                <Numbers/>
                {move || steps().then(|| view! { <Stepping/> })}
                {move || match refused.get() {
                    Some(text) => nothing_but(&text),
                    None => view! {
                        <div class="graph-parts">
                            <GraphCanvas
                                drawing=drawing
                                path=path
                                texts=Signal::derive(move || has_texts.get().1)
                                whole=whole
                            />
                            <StatePanel/>
                        </div>
                    }
                    .into_any(),
                }}
                <Legend texts=has_texts/>
            </div>
        }
        .into_any()
    }
}

fn nothing_but(text: &str) -> AnyView {
    view! { <p class="empty">{text.to_owned()}</p> }.into_any()
}

/// Why there is no picture.
fn trouble(app: App, graph: &StateGraph) -> Option<String> {
    if let Some(first) = graph.diagnostics.first() {
        return Some(if first.span.is_in_file() {
            format!(
                "There is no graph of a text with errors: {}: {}.",
                app.place_label(first.span),
                first.message
            )
        } else {
            format!("There is no graph for what is to be checked: {}.", first.message)
        });
    }
    if graph.nodes.is_empty() {
        let why = graph.initial_violation.as_ref();
        return Some(match (why, &graph.partial) {
            (Some(why), _) => format!("There is no state: {why}."),
            (None, Some(why)) => format!("There is no graph. {why}"),
            (None, None) => "There is no state.".to_owned(),
        });
    }
    None
}

/// How many states are shown at most.
#[component]
fn Limit() -> impl IntoView {
    let app = App::get();
    let choice = move |limit: u32| {
        view! {
            <button
                class="segment"
                aria-pressed=move || (app.graph.limit.get() == limit).to_string()
                title=format!("Show at most {limit} states")
                on:click=move |_| app.graph.limit.set(limit)
            >
                {limit}
            </button>
        }
    };
    view! {
        <span class="graph-limit">
            <span class="faint" id="graph-limit-label">"states"</span>
            <span class="segments" role="group" aria-labelledby="graph-limit-label">
                {LIMITS.iter().map(|limit| choice(*limit)).collect_view()}
            </span>
        </span>
    }
}

/// What the reduction saves, in a sentence.
pub(super) fn saved(graph: &StateGraph, chosen: bool) -> String {
    let reduction = &graph.reduction;
    // The picture shows it also where a check is not asked for it.
    let (with, are) = if chosen {
        ("The reduction", "are left out by the reduction")
    } else {
        ("A reduction", "would be left out by a reduction")
    };
    if let Some(why) = &reduction.nowhere {
        return format!("There is no reduction of this: {why}.");
    }
    match (graph.counted, reduction.complete) {
        (true, true) => {
            let states = graph.states.saturating_sub(reduction.states);
            let steps = graph.transitions.saturating_sub(reduction.transitions);
            if states == 0 && steps == 0 {
                let would = if chosen { "leaves" } else { "would leave" };
                return format!("{with} {would} nothing out: no process can be put off anywhere.");
            }
            format!(
                "{} of {} and {} of {} {are}.",
                grouped(states),
                counted(graph.states, "state", "states"),
                grouped(steps),
                counted(graph.transitions, "transition", "transitions"),
            )
        }
        (false, true) => format!(
            "{with} {} {} and {} of the model; all else {} left out.",
            if chosen { "visits" } else { "would visit" },
            counted(reduction.states, "state", "states"),
            counted(reduction.transitions, "transition", "transitions"),
            if chosen { "is" } else { "would be" },
        ),
        (_, false) => {
            "Also with a reduction there are more states than are counted here.".to_owned()
        }
    }
}

/// What can be done about a partial picture.
fn advice(graph: &StateGraph, limit: u32) -> String {
    let next =
        LIMITS.iter().find(|it| **it > limit && graph.counted && graph.states <= u64::from(**it));
    match next {
        Some(next) => format!("With the limit {next} all are shown."),
        None => "For a whole picture make the model smaller: fewer processes, smaller constants, shorter channels. A check has no such limit.".to_owned(),
    }
}

#[component]
fn Numbers() -> impl IntoView {
    let app = App::get();
    let text = move || {
        app.graph.drawn.with(|drawn| {
            let Some(drawn) = drawn else { return (String::new(), None) };
            let graph = &drawn.graph;
            let partial = graph.partial.as_ref();
            let partial = partial.map(|why| format!("{why} {}", advice(graph, graph.limit)));
            let chosen = app.settings.with(|it| it.reduction == Reduction::AmpleSets);
            (saved(graph, chosen), partial)
        })
    };
    let about = move || {
        app.graph.drawn.with(|drawn| {
            drawn.as_ref().map(|it| it.graph.reduction.about.clone()).unwrap_or_default()
        })
    };
    let old = move || is_old(app);
    view! {
        <div class="graph-numbers" role="status">
            <p title=about>
                <strong>{move || text().0}</strong>
                {move || {
                    (app.graph.waiting.get() || old())
                        .then(|| view! { <span class="faint">" Drawing anew …"</span> })
                }}
            </p>
            {move || text().1.map(|text| view! { <p class="graph-partial">{text}</p> })}
        </div>
    }
}

/// Whether the picture belongs to another text.
fn is_old(app: App) -> bool {
    app.graph.drawn.with(|drawn: &Option<Shared<DrawnGraph>>| {
        drawn.as_ref().is_some_and(|drawn| {
            app.files.with(|files| *files != drawn.experiment.files)
                || app.property.with(|property| *property != drawn.experiment.property)
        })
    })
}

/// What the signs mean.
#[component]
fn Legend(texts: Memo<(bool, bool)>) -> impl IntoView {
    let app = App::get();
    let sample = |class: &'static str, shape: AnyView, text: &'static str| {
        view! {
            <span class="graph-sample">
                <svg class=format!("graph-svg {class}") width="26" height="16" viewBox="0 0 26 16" aria-hidden="true">
                    {shape}
                </svg>
                {text}
            </span>
        }
    };
    let line = || view! { <path class="line" d="M1,8 L25,8"></path> }.into_any();
    let with_line = |class: &'static str| {
        view! {
            <g class=format!("edge {class}")><path class="line" d="M11,8 L25,8"></path></g>
            <g class=format!("node {class}")><circle class="shape" cx="7" cy="8" r="5.5"></circle></g>
        }
        .into_any()
    };
    let dot = |ring: bool| {
        view! {
            <circle class="shape" cx="13" cy="8" r="7"></circle>
            {ring.then(|| view! { <circle class="ring" cx="13" cy="8" r="4"></circle> })}
        }
        .into_any()
    };
    let stop = || {
        view! { <polygon class="shape" points="10,1 16,1 20,5 20,11 16,15 10,15 6,11 6,5"></polygon> }
            .into_any()
    };
    let group =
        |class: &'static str, inner: AnyView| view! { <g class=class>{inner}</g> }.into_any();
    let has_path = move || app.graph_path().is_some_and(|path| !path.edges.is_empty());
    let numbers = move || match texts.get() {
        (_, true) => {
            if app.property.with(crate::app::is_infinite) {
                "In a state: its number, the state of the automaton (A), the line that each process stands at, what has just changed."
            } else {
                "In a state: its number, the line that each process stands at, what has just changed."
            }
        }
        (true, false) => "",
        (false, false) => "Zoom in for the numbers of the states; point at a part for its text.",
    };
    view! {
        <div class="legend graph-legend">
            <div class="legend-kinds">
                {sample("", with_line("kept"), "kept")}
                {sample("", with_line("left"), "left out")}
                {sample("", group("node kept valid-end", dot(true)), "valid end")}
                {sample("", group("node kept invalid-end", stop()), "deadlock or error")}
                {move || has_path().then(|| sample("", group("edge kept path", line()), "the run shown"))}
                {sample("", group("node kept chosen", dot(false)), "looked at")}
            </div>
            <p class="faint">{numbers}</p>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_protocol::ReductionData;

    #[test]
    fn savings_are_put_into_words() {
        // Numbers and nouns stay on one line.
        let saved = |graph: &StateGraph| saved(graph, true).replace('\u{a0}', " ");
        let reduction = ReductionData {
            states: 17,
            transitions: 26,
            complete: true,
            ..ReductionData::default()
        };
        let mut graph = StateGraph {
            states: 26,
            transitions: 46,
            counted: true,
            reduction,
            limit: 50,
            ..StateGraph::default()
        };
        assert_eq!(
            saved(&graph),
            "9 of 26 states and 20 of 46 transitions are left out by the reduction."
        );
        let not_chosen = super::saved(&graph, false);
        assert!(not_chosen.ends_with(" would be left out by a reduction."), "{not_chosen}");
        graph.counted = false;
        assert!(saved(&graph).starts_with("The reduction visits 17 states and 26 transitions"));
        graph.reduction.nowhere = Some("the model uses priorities".to_owned());
        assert_eq!(saved(&graph), "There is no reduction of this: the model uses priorities.");
        graph.counted = true;
        graph.states = 120;
        assert_eq!(advice(&graph, 50), "With the limit 200 all are shown.");
        graph.states = 5000;
        assert!(advice(&graph, 50).contains("smaller"));
    }
}
