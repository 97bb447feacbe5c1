//! The lesson of a gallery model: what it teaches, what a check will say, its parameters.

use super::{View, nothing};
use crate::app::App;
use crate::gallery::{self, expectation_line, level_name};
use crate::options::Parameters;
use leptos::prelude::*;
use promenade_gallery::{Entry, Expectation, Header};
use promenade_protocol::{Define, Fairness, Property};

/// The view.
pub struct Lesson;

impl View for Lesson {
    fn id(&self) -> &'static str {
        "lesson"
    }

    fn title(&self) -> &'static str {
        "Lesson"
    }

    fn there(&self, app: App) -> bool {
        !app.of_course()
    }

    fn show(&self, app: App) -> AnyView {
        // Not with every letter that is typed.
        let own = Memo::new(move |_| app.entry().map(|entry| entry.name));
        (move || {
            let entry = own.get().and_then(promenade_gallery::find);
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

/// Sets property, fairness and parameters as an expectation has them, and checks.
fn try_out(app: App, it: &Expectation) {
    let (property, fair) = match &it.property {
        promenade_gallery::Property::Safety => (Property::Safety, false),
        promenade_gallery::Property::Formula { name, fair } => {
            (Property::Ltl { name: Some(name.clone()) }, *fair)
        }
        promenade_gallery::Property::Progress { fair } => (Property::Progress, *fair),
    };
    let fairness = if fair { Fairness::Weak } else { Fairness::None };
    let defines = it.settings.iter().map(|setting| Define {
        name: setting.name.clone(),
        value: Some(setting.value.to_string()),
    });
    let defines: Vec<Define> = defines.collect();
    app.choose_property(property);
    app.check_with(|settings| {
        settings.fairness = fairness;
        settings.defines = defines;
    });
}

fn expectations(app: App, list: &[Expectation]) -> Option<impl IntoView + use<>> {
    let row = |it: &Expectation| {
        let (what, word, tone) = expectation_line(it);
        let own = it.clone();
        let label = format!("check it: {what}");
        view! {
            <li>
                <span class="dot" data-tone=tone></span>
                <code>{what}</code>
                <span>{word}</span>
                <button
                    class="link-button try"
                    aria-label=label
                    disabled=move || app.running.with(Option::is_some)
                    on:click=move |_| try_out(app, &own)
                >
                    "check it"
                </button>
            </li>
        }
    };
    let rows: Vec<_> = list.iter().map(row).collect();
    (!rows.is_empty()).then(|| {
        view! {
            <h4>"What a check will say"</h4>
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
    let states = header.states_with(&[]);
    view! {
        <div class="lesson prose" data-model=entry.name>
            <h3>{header.title.clone()}</h3>
            <p class="faint">{format!("{} · {}", header.topic.title(), level_name(header.level))}</p>
            <p>{header.lesson.clone()}</p>
            {expectations(app, &header.expectations)}
            {states
                .map(|states| {
                    view! {
                        <p class="faint">
                            {format!("Safety has {} without reductions.", crate::numbers::counted(states, "state", "states"))}
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
