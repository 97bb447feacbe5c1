//! The gallery dialog: models by topic, each with its lesson and what a check will say.

use crate::app::{App, Dialog};
use crate::courses::Place;
use crate::dialog::Frame;
use crate::document::Document;
use leptos::prelude::*;
use promenade_gallery::{ENTRIES, Entry, Expectation, ExpectedVerdict, Header, Property, Topic};

/// `easy`, `medium`, `advanced`.
pub fn level_name(level: u8) -> &'static str {
    match level {
        1 => "easy",
        2 => "medium",
        _ => "advanced",
    }
}

/// An expectation as a line: what, under which settings, and the verdict.
pub fn expectation_line(expectation: &Expectation) -> (String, &'static str, &'static str) {
    let mut what = match &expectation.property {
        Property::Safety => "safety".to_owned(),
        Property::Formula { name, fair: false } => format!("ltl {name}"),
        Property::Formula { name, fair: true } => format!("ltl {name}, weak fairness"),
        Property::Progress { fair: false } => "progress".to_owned(),
        Property::Progress { fair: true } => "progress, weak fairness".to_owned(),
    };
    if !expectation.settings.is_empty() {
        let settings: Vec<String> = expectation.settings.iter().map(ToString::to_string).collect();
        what = format!("{what}, {}", settings.join(", "));
    }
    match expectation.verdict {
        ExpectedVerdict::Holds => (what, "holds", "holds"),
        ExpectedVerdict::Violated(_) => (what, "violated", "violated"),
    }
}

/// Opens a model and writes its address.
pub fn open(app: App, entry: &Entry) {
    app.dialog.set(None);
    app.leave_link();
    app.open(Document::of_entry(entry, App::preferred_settings()));
    if let Some(history) = web_sys::window().and_then(|w| w.history().ok()) {
        // Where it is forbidden the address does not change; nothing depends on it.
        let _ = history.replace_state_with_url(
            &wasm_bindgen::JsValue::NULL,
            "",
            Some(&format!("#ex={}", entry.name)),
        );
    }
}

/// What has the focus at first: the search, but on a phone, where it would bring up the keyboard over
/// the models, the first of them.
fn first() -> &'static str {
    if crate::events::is_narrow() { "#dialog-gallery .model" } else { "#dialog-gallery .filter" }
}

/// The dialog.
#[component]
pub fn Gallery() -> impl IntoView {
    let app = App::get();
    let filter = RwSignal::new(String::new());
    // Who opens it again looks for something else.
    Effect::new(move |_| {
        if app.dialog.get() != Some(Dialog::Gallery) {
            filter.set(String::new());
        }
    });
    let all: Vec<(&'static Entry, Header)> =
        ENTRIES.iter().filter_map(|entry| Some((entry, entry.header().ok()?))).collect();
    let all = StoredValue::new(all);
    let fits = move |header: &Header, entry: &Entry| {
        let wanted = filter.get().to_lowercase();
        wanted.split_whitespace().all(|word| {
            header.title.to_lowercase().contains(word)
                || entry.name.contains(word)
                || header.lesson.to_lowercase().contains(word)
        })
    };
    let model = move |entry: &'static Entry, header: &Header| {
        let level = level_name(header.level);
        let plain = || header.expectations.iter().filter(|it| it.settings.is_empty());
        let verdicts = plain().map(|it| {
            let (what, word, tone) = expectation_line(it);
            view! { <li><span class="dot" data-tone=tone></span>{format!("{what} {word}")}</li> }
        });
        view! {
            <li>
                <button class="model" data-model=entry.name on:click=move |_| open(app, entry)>
                    <span class="model-title">{header.title.clone()}</span>
                    <span class="model-level">{level}</span>
                    <span class="model-lesson">{header.lesson.clone()}</span>
                    <ul class="model-verdicts">{verdicts.collect_view()}</ul>
                </button>
            </li>
        }
    };
    let group = move |topic: Topic| {
        let models = all.with_value(|all| {
            all.iter()
                .filter(|(entry, header)| header.topic == topic && fits(header, entry))
                .map(|(entry, header)| model(entry, header))
                .collect_view()
        });
        (!models.is_empty()).then(|| {
            view! {
                <section class="topic">
                    <h3>{topic.title()}</h3>
                    <ul class="models">{models}</ul>
                </section>
            }
        })
    };
    // Nothing of it is made before it is opened for the first time.
    let body = move || {
        (app.dialog.get() == Some(Dialog::Gallery)).then(|| {
            view! {
                <input
                    class="filter"
                    type="search"
                    placeholder="Find a model"
                    aria-label="Find a model"
                    prop:value=move || filter.get()
                    on:input=move |event| filter.set(event_target_value(&event))
                />
                <div class="topics">
                    {move || {
                        let groups: Vec<_> = Topic::ALL.into_iter().filter_map(group).collect();
                        let none = groups.is_empty();
                        (groups, none.then(|| view! { <p class="empty" role="status">"No model fits."</p> }))
                    }}
                </div>
                <Place what="gallery"/>
            }
        })
    };
    view! {
        <Frame dialog=Dialog::Gallery title="Gallery" wide=true first=first>
            {body}
        </Frame>
    }
}
