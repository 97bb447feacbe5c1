//! State graphs for other programs.

use crate::app::{App, GraphPath, Shared};
use crate::automaton::{dark, png};
use crate::files;
use crate::icons;
use crate::menu::{Item, Menu};
use crate::share::copy_text;
use leptos::prelude::*;
use promenade_figures::svg::{self, Theme};
use promenade_figures::{Drawing, dot};
use wasm_bindgen_futures::spawn_local;

/// The button and its menu.
#[component]
pub fn GraphExport(
    /// What is drawn.
    drawing: Memo<Option<Result<Shared<Drawing>, String>>>,
    /// The run that is shown.
    path: Memo<GraphPath>,
) -> impl IntoView {
    let app = App::get();
    let title = move || app.property_title(&app.property.get_untracked());
    let picture = move || -> Option<(String, (f64, f64))> {
        let drawing = drawing.get_untracked()?.ok()?;
        let mut marked = (*drawing).clone();
        let path = path.get_untracked();
        for edge in &mut marked.edges {
            if edge.sources.iter().any(|it| path.edges.contains(&(*it as u32))) {
                edge.classes.push("path".to_owned());
            }
        }
        let theme = if dark() { Theme::Dark } else { Theme::Light };
        let text = svg::write_states(&marked, &format!("State graph: {}", title()), theme);
        Some((text, (marked.width, marked.height)))
    };
    let graphviz = move || {
        let drawn = app.graph.drawn.get_untracked()?;
        Some(dot::write_states(&drawn.graph, &title(), &path.get_untracked().edges))
    };
    let save = move |name: &str, text: Option<String>, kind: &str| {
        if let Some(text) = text
            && files::save_text(name, &text, kind).is_err()
        {
            app.warn("The browser did not let the page save a file.", None);
        }
    };
    let items = vec![
        Item::new("Save as SVG", "", move || {
            save("states.svg", picture().map(|it| it.0), "image/svg+xml");
        }),
        Item::new("Save as PNG", "", move || {
            let Some((text, size)) = picture() else { return };
            spawn_local(async move {
                if png("states.png", &text, size).await.is_err() {
                    app.warn("The browser could not make a picture of it. Save it as SVG.", None);
                }
            });
        }),
        Item::new("Save for Graphviz (DOT)", "", move || {
            save("states.dot", graphviz(), "text/plain");
        }),
        Item::new("Copy for Graphviz (DOT)", "", move || {
            let Some(text) = graphviz() else { return };
            spawn_local(async move {
                if copy_text(&text).await {
                    app.notify("The state graph for Graphviz was copied.", None);
                } else {
                    app.warn("The browser does not let the page copy. Save it instead.", None);
                }
            });
        }),
    ];
    view! { <Menu label="Export" icon=icons::EXPORT end=true items=items/> }
}
