//! What a result offers, as tabs under the verdict. A view is one type with its entry in [`VIEWS`].

mod assignment;
mod automaton;
mod fairness;
mod graph;
mod graph_canvas;
mod graph_export;
mod graph_state;
mod layout;
mod lesson;
mod outline;
mod patterns;
mod problems;
mod properties;
mod race;
mod reading;
mod statistics;
mod steps;
mod techniques;
mod timeline;
mod trace;
mod unreached;
mod values;
mod word_run;
mod words;

pub use reading::{capital, prose, small};

use crate::app::{App, Shown};
use crate::numbers::grouped;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

/// One tab.
pub trait View: Sync {
    /// Its name in links.
    fn id(&self) -> &'static str;
    /// Its name on the tab.
    fn title(&self) -> &'static str;
    /// A number beside the name.
    fn count(&self, _app: App) -> Option<usize> {
        None
    }
    /// Whether only a check can fill it, and none has.
    fn waits(&self, _app: App) -> bool {
        false
    }
    /// Whether it has a tab now.
    fn there(&self, _app: App) -> bool {
        true
    }
    /// What it shows.
    fn show(&self, app: App) -> AnyView;
}

/// All views, in the order of the tabs.
pub const VIEWS: &[&dyn View] = &[
    &assignment::Assignment,
    &lesson::Lesson,
    &properties::Properties,
    &trace::TraceView,
    &automaton::Automaton,
    &graph::StatesView,
    &statistics::StatisticsView,
    &unreached::UnreachedView,
    &problems::Problems,
    &outline::Outline,
];

/// The id of a view, if there is one with this name.
pub fn known(name: &str) -> Option<&'static str> {
    VIEWS.iter().map(|view| view.id()).find(|id| *id == name)
}

/// The tabs and the view that is chosen.
#[component]
pub fn Views() -> impl IntoView {
    let app = App::get();
    let press = move |event: KeyboardEvent| {
        let views: Vec<_> = untrack(|| VIEWS.iter().filter(|view| view.there(app)).collect());
        let here = views.iter().position(|view| view.id() == app.view.get_untracked()).unwrap_or(0);
        let last = views.len() - 1;
        let to = match event.key().as_str() {
            "ArrowRight" => (here + 1) % views.len(),
            "ArrowLeft" => (here + last) % views.len(),
            "Home" => 0,
            "End" => last,
            _ => return,
        };
        event.prevent_default();
        let id = views[to].id();
        app.view.set(id);
        crate::events::focus(&format!("#tab-{id}"));
    };
    let tab = move |view: &'static dyn View| {
        let id = view.id();
        let chosen = move || app.view.get() == id;
        view! {
            <button
                class="tab"
                class:waiting=move || view.waits(app)
                role="tab"
                hidden=move || !view.there(app)
                id=format!("tab-{id}")
                aria-selected=move || chosen().to_string()
                aria-controls="view"
                tabindex=move || if chosen() { "0" } else { "-1" }
                on:click=move |_| app.view.set(id)
            >
                {view.title()}
                {move || (app.fresh.get() == Some(id)).then(|| view! {
                    <span class="tab-new"></span>
                    <span class="unseen">" (new result)"</span>
                })}
                {move || view.count(app).filter(|count| *count > 0).map(|count| {
                    let short = if count < 10_000 { grouped(count as u64) } else { format!("{}k", count / 1000) };
                    view! { <span class="tab-count">{short}</span> }
                })}
            </button>
        }
    };
    let shown = Memo::new(move |_| app.view.get());
    // A tab that is chosen by the page may lie outside of a narrow screen.
    Effect::new(move |_| {
        let view = app.view.get();
        if app.fresh.get_untracked() == Some(view) {
            app.fresh.set(None);
        }
        let tab = document().get_element_by_id(&format!("tab-{view}"));
        if let Some(tab) = tab {
            let options = web_sys::ScrollIntoViewOptions::new();
            options.set_block(web_sys::ScrollLogicalPosition::Nearest);
            options.set_inline(web_sys::ScrollLogicalPosition::Nearest);
            tab.scroll_into_view_with_scroll_into_view_options(&options);
        }
    });
    // Another view begins at its top.
    let node = NodeRef::<leptos::html::Div>::new();
    Effect::new(move |_| {
        shown.track();
        if let Some(node) = node.get() {
            node.set_scroll_top(0);
        }
    });
    let content = move || {
        let id = shown.get();
        VIEWS.iter().find(|view| view.id() == id).map(|view| view.show(app))
    };
    let former = Memo::new(move |_| {
        let of_result = matches!(shown.get(), "trace" | "statistics" | "unreached");
        let there = app.shown.with(|it| matches!(it, Shown::Outcome(_) | Shown::Run(_)));
        of_result && there && (app.stale.get() || app.visible.get())
    });
    let former_mark =
        move || former.get().then(|| view! { <p class="former-run">"From the previous run"</p> });
    view! {
        <div class="tabs" role="tablist" aria-label="Details of the result" on:keydown=press>
            {VIEWS.iter().map(|view| tab(*view)).collect_view()}
        </div>
        <div
            class="view"
            id="view"
            node_ref=node
            role="tabpanel"
            aria-labelledby=move || format!("tab-{}", shown.get())
            class:stale=former
        >
            {former_mark}
            {content}
        </div>
    }
}

/// Above numbers that belong to another text, property or setting, while they do.
fn out_of_date(
    old: impl Fn() -> bool + Send + 'static,
    busy: impl Fn() -> bool + Copy + Send + Sync + 'static,
    again: impl Fn() + Copy + Send + Sync + 'static,
) -> impl IntoView {
    move || {
        old().then(|| {
            view! {
                <p class="out-of-date" role="status">
                    <span class="stale-mark">"out of date"</span>
                    <span class="meaning">"The text, the property or the options have changed since."</span>
                    <button class="quiet" disabled=busy on:click=move |_| again()>"Run again"</button>
                </p>
            }
        })
    }
}

/// What a view says when it has nothing to show.
fn nothing(text: &'static str) -> AnyView {
    view! { <p class="empty">{text}</p> }.into_any()
}

/// Whether the `<details>` that was opened or closed is open.
pub(crate) fn is_open(event: &leptos::ev::Event) -> bool {
    event_target::<web_sys::HtmlDetailsElement>(event).open()
}
