//! What is wrong with the text.

use super::{View, nothing, prose};
use crate::app::{App, missing_file};
use leptos::prelude::*;
use promenade_base::arrange::Arrange;
use promenade_protocol::{DiagnosticData, Level};

/// The view.
pub struct Problems;

impl View for Problems {
    fn id(&self) -> &'static str {
        "problems"
    }

    fn title(&self) -> &'static str {
        "Problems"
    }

    fn count(&self, app: App) -> Option<usize> {
        Some(app.diagnostics.with(Vec::len))
    }

    fn show(&self, app: App) -> AnyView {
        (move || {
            let mut list = app.diagnostics.get();
            // A warning may be but the shadow of an error.
            list.arrange_by_key(|it| (it.level != Level::Error, it.span.file, it.span.start));
            if list.is_empty() {
                return nothing("The text is fine: no errors, no warnings.");
            }
            view! {
                <div class="rows">
                    <ul>{list.into_iter().map(|it| problem(app, it)).collect_view()}</ul>
                </div>
            }
            .into_any()
        })
        .into_any()
    }
}

fn problem(app: App, it: DiagnosticData) -> impl IntoView {
    let (word, tone) = match it.level {
        Level::Error => ("error", "violated"),
        Level::Warning => ("warning", "partial"),
        Level::Note => ("note", "plain"),
    };
    let span = it.span;
    let place = app.place_label(span);
    let missing = missing_file(&it).map(|name| {
        let label = format!("Add {name}");
        view! {
            <button class="row related-row" on:click=move |_| app.add_file(name.clone())>
                <span class="row-about">{label}</span>
            </button>
        }
    });
    let related = it.related.into_iter().map(|(span, text)| {
        view! {
            <button class="row related-row" on:click=move |_| app.show_span(span)>
                <span class="row-about">{prose(&text)}</span>
                <span class="row-line">{app.place_label(span)}</span>
            </button>
        }
    });
    view! {
        <li>
            <button class="row tall" title=it.code on:click=move |_| app.show_span(span)>
                <span class="row-title">
                    <span class="dot" data-tone=tone></span>
                    <span class="unseen">{word}": "</span>
                    {prose(&it.message)}
                </span>
                <span class="row-line">{place}</span>
                <span class="row-about">{it.hint.as_deref().map(prose)}</span>
            </button>
            {missing}
            {related.collect_view()}
        </li>
    }
}
