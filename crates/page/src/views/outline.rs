//! What is in the text: definitions and properties; a click goes there.

use super::{View, nothing};
use crate::app::App;
use leptos::prelude::*;
use promenade_protocol::{PropertyInfo, Symbol};

/// The view.
pub struct Outline;

impl View for Outline {
    fn id(&self) -> &'static str {
        "outline"
    }

    fn title(&self) -> &'static str {
        "Outline"
    }

    fn show(&self, app: App) -> AnyView {
        (move || {
            app.summary.with(|summary| {
                if summary.symbols.is_empty() && summary.properties.is_empty() {
                    return nothing("Nothing is defined yet.");
                }
                let symbols = summary.symbols.iter().map(|it| symbol(app, it.clone()));
                let properties = summary.properties.iter().map(|it| property(app, it.clone()));
                view! {
                    <div class="rows">
                        <h3>"Properties"</h3>
                        <ul>{properties.collect_view()}</ul>
                        <h3>"Definitions"</h3>
                        <ul>{symbols.collect_view()}</ul>
                    </div>
                }
                .into_any()
            })
        })
        .into_any()
    }
}

fn symbol(app: App, symbol: Symbol) -> impl IntoView {
    let span = symbol.span;
    view! {
        <li>
            <button class="row" on:click=move |_| app.show_span(span)>
                <span class="row-kind">{symbol.kind}</span>
                <code class="row-text">{symbol.name}</code>
                <span class="row-line">{app.place_label(span)}</span>
            </button>
        </li>
    }
}

fn property(app: App, info: PropertyInfo) -> impl IntoView {
    let span = info.span;
    view! {
        <li>
            <button class="row tall" disabled=span.is_none() on:click=move |_| {
                if let Some(span) = span {
                    app.show_span(span);
                }
            }>
                <span class="row-title">{info.title}</span>
                <span class="row-line">{span.map(|span| app.place_label(span))}</span>
                <span class="row-about">{info.description}</span>
            </button>
        </li>
    }
}
