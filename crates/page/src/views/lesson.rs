//! The lesson of a gallery model: what it teaches, what a check will say, its parameters.

use super::{View, nothing};
use crate::app::App;
use crate::gallery::{self, expectation_line, level_name};
use crate::options::Parameters;
use leptos::prelude::*;
use promenade_gallery::{Entry, Expectation, Header};

/// The view.
pub struct Lesson;

impl View for Lesson {
    fn id(&self) -> &'static str {
        "lesson"
    }

    fn title(&self) -> &'static str {
        "Lesson"
    }

    fn show(&self, app: App) -> AnyView {
        (move || {
            let origin = app.origin.get();
            let entry = origin.as_deref().and_then(promenade_gallery::find);
            match entry.and_then(|entry| Some((entry, entry.header().ok()?))) {
                Some((entry, header)) => lesson(app, entry, header).into_any(),
                None => nothing(
                    "Models from the gallery come with a lesson. This text is your own: the outline \
                     shows what is in it.",
                ),
            }
        })
        .into_any()
    }
}

fn expectations(title: &'static str, list: Vec<&Expectation>) -> Option<impl IntoView + use<>> {
    let rows: Vec<_> = list
        .into_iter()
        .map(|it| {
            let (what, word, tone) = expectation_line(it);
            view! {
                <li>
                    <span class="dot" data-tone=tone></span>
                    <code>{what}</code>
                    <span>{word}</span>
                </li>
            }
        })
        .collect();
    (!rows.is_empty()).then(|| {
        view! {
            <h4>{title}</h4>
            <ul class="expectations">{rows}</ul>
        }
    })
}

fn lesson(app: App, entry: &'static Entry, header: Header) -> impl IntoView {
    let related: Vec<(&'static Entry, String)> = header
        .see
        .iter()
        .filter_map(|name| {
            let entry = promenade_gallery::find(name)?;
            Some((entry, entry.header().ok()?.title))
        })
        .collect();
    let safety = |it: &&Expectation| matches!(it.property, promenade_gallery::Property::Safety);
    let (now, later): (Vec<_>, Vec<_>) = header.expectations.iter().partition(safety);
    let states = header.states_with(&[]);
    view! {
        <div class="lesson prose" data-model=entry.name>
            <h3>{header.title.clone()}</h3>
            <p class="faint">{format!("{} · {}", header.topic.title(), level_name(header.level))}</p>
            <p>{header.lesson.clone()}</p>
            {expectations("What a check of safety says", now)}
            {expectations("What its formulas are, for a checker of liveness", later)}
            {states
                .map(|states| {
                    view! {
                        <p class="faint">
                            {format!("{} without reductions.", crate::numbers::counted(states, "state", "states"))}
                        </p>
                    }
                })}
            <Parameters/>
            {(!related.is_empty())
                .then(|| {
                    view! {
                        <h4>"See also"</h4>
                        <ul class="related">
                            {related
                                .into_iter()
                                .map(|(entry, title)| {
                                    view! {
                                        <li>
                                            <button class="link-button" on:click=move |_| gallery::open(app, entry)>
                                                {title}
                                            </button>
                                        </li>
                                    }
                                })
                                .collect_view()}
                        </ul>
                    }
                })}
        </div>
    }
}
