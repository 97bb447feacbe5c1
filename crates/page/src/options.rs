//! The options: a form that explains itself. Every change counts at once.

use crate::app::{App, Dialog, NoticeAction, is_infinite};
use crate::combinations::{emptiness_refused, fairness_refused, search_idle, search_refused};
use crate::cores::CoresChoice;
use crate::crew::Cores;
use crate::dialog::Frame;
use crate::document::{define, set_define};
use crate::engine_options::EngineGroup;
use crate::events::keep_chosen;
use crate::option_parts::{Part, language, limits, reported};
use leptos::prelude::*;
use promenade_gallery::Parameter;
use promenade_protocol::{Emptiness, Fairness, Search, Settings};

/// Budgets to choose from, in MiB.
const BUDGETS: [u32; 6] = [64, 128, 256, 512, 1024, 2048];

/// Changes the settings of the document and those of new ones.
pub(crate) fn change(app: App, call: impl FnOnce(&mut Settings)) {
    app.settings.update(call);
    app.withdraw(&[NoticeAction::Options]);
    app.prefer_settings();
    app.changed();
}

/// The dialog.
#[component]
pub fn Options() -> impl IntoView {
    let app = App::get();
    let reset = move |_| {
        change(app, |settings| *settings = Settings::default());
        crate::crew::keep(Cores::One);
        app.cores.set(Cores::One);
    };
    // What does not go with the rest is shown first.
    Effect::new(move |_| {
        if app.dialog.get() == Some(Dialog::Options) {
            request_animation_frame(|| {
                let wrong = document().query_selector(".form .refused.wrong").ok().flatten();
                if let Some(choice) = wrong.and_then(|it| it.closest("fieldset").ok().flatten()) {
                    choice.scroll_into_view();
                }
            });
        }
    });
    let body = move || {
        (app.dialog.get() == Some(Dialog::Options)).then(|| {
            view! {
                <div class="form">
                    <Parameters/>
                    <SearchChoice/>
                    <ErrorsChoice/>
                    <FairnessChoice/>
                    <BudgetChoice/>
                    <CoresChoice/>
                    <div class="form-parts">
                        {reported(app)}
                        {limits(app)}
                        <EngineGroup/>
                        <EmptinessChoice/>
                        {language(app)}
                    </div>
                    <p class="form-end">
                        <button class="quiet" on:click=reset>"Reset to the defaults"</button>
                    </p>
                </div>
            }
        })
    };
    view! {
        <Frame dialog=Dialog::Options title="Options">
            {body}
        </Frame>
    }
}

/// Why something cannot be chosen at present.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The checker would refuse it.
    Not(&'static str),
    /// It would change nothing.
    Idle(&'static str),
    /// The same, as the group says by itself.
    Silent,
}

/// Says whether something cannot be chosen at present.
pub(crate) type Refusal = Box<dyn Fn(App) -> Option<Refused> + Send + Sync>;

/// The reason beside a choice that cannot be made.
pub(crate) fn reason(why: Refused, chosen: bool) -> Option<impl IntoView> {
    // The property may have changed since it was chosen.
    let (text, wrong) = match why {
        Refused::Not(why) if chosen => (format!("{why} Choose another one."), true),
        Refused::Not(why) | Refused::Idle(why) => (why.to_owned(), false),
        Refused::Silent => return None,
    };
    Some(view! { <span class="refused" class:wrong=wrong>{text}</span> })
}

/// One of several: its name, what it means, and why it cannot be chosen if that is so.
pub(crate) fn radio(
    app: App,
    group: &'static str,
    name: &'static str,
    meaning: &'static str,
    chosen: impl Fn(&Settings) -> bool + Copy + Send + Sync + 'static,
    choose: impl Fn(&mut Settings) + Copy + 'static,
    refused: Option<Refusal>,
) -> impl IntoView {
    let why = Memo::new(move |_| refused.as_ref().and_then(|refused| refused(app)));
    let is_chosen = move || app.settings.with(|settings| chosen(settings));
    let reason = move || why.get().and_then(|why| reason(why, is_chosen()));
    view! {
        <label class="choice" class:off=move || why.get().is_some()>
            <input
                type="radio"
                name=group
                disabled=move || why.get().is_some()
                prop:checked=is_chosen
                on:change=move |_| change(app, choose)
            />
            <span>{name}</span>
            <span class="meaning">{meaning}</span>
            {reason}
        </label>
    }
}

#[component]
fn SearchChoice() -> impl IntoView {
    let app = App::get();
    let row = move |search: Search, name, meaning| {
        radio(
            app,
            "search",
            name,
            meaning,
            move |settings| settings.search == search,
            move |settings| settings.search = search,
            Some(Box::new(move |app: App| {
                app.property.with(|property| {
                    let refused = app.settings.with(|it| search_refused(property, it, search));
                    let idle = || search_idle(property, search).map(Refused::Idle);
                    refused.map(Refused::Not).or_else(idle)
                })
            })),
        )
    };
    view! {
        <fieldset>
            <legend>"Order of the search"</legend>
            {row(
                Search::DepthFirst,
                "Depth-first",
                "Follows one run as far as it goes. Finds errors early; traces may be long.",
            )}
            {row(
                Search::BreadthFirst,
                "Breadth-first",
                "Visits states by their distance from the start. Traces are as short as possible.",
            )}
        </fieldset>
    }
}

/// Said above options that the property of the document does not depend on.
#[component]
fn Infinite() -> impl IntoView {
    let app = App::get();
    let with = move || app.property.with(is_infinite);
    view! {
        <p class="meaning without-effect" hidden=with>
            {move || {
                let title = app.property.with(|property| app.property_title(property));
                format!("Without effect for the property that is chosen ({title}): it looks at finite runs only.")
            }}
        </p>
    }
}

#[component]
fn FairnessChoice() -> impl IntoView {
    let app = App::get();
    let row = move |fairness: Fairness, name, meaning| {
        radio(
            app,
            "fairness",
            name,
            meaning,
            move |settings| settings.fairness == fairness,
            move |settings| settings.fairness = fairness,
            Some(Box::new(move |app: App| {
                app.property.with(|property| {
                    if !is_infinite(property) {
                        return (fairness != Fairness::None).then_some(Refused::Silent);
                    }
                    app.settings
                        .with(|it| fairness_refused(property, it, fairness))
                        .map(Refused::Not)
                })
            })),
        )
    };
    view! {
        <fieldset>
            <legend>"Fairness"</legend>
            <Infinite/>
            {row(
                Fairness::None,
                "None",
                "Every infinite run counts, also one in which a process that could move never does.",
            )}
            {row(
                Fairness::Weak,
                "Weak",
                "Only runs count in which every process that can always move from some point on does move again and again.",
            )}
        </fieldset>
    }
}

pub(crate) fn emptiness_name(emptiness: Emptiness) -> &'static str {
    match emptiness {
        Emptiness::Automatic => "Automatic",
        Emptiness::NestedDfs => "Nested depth-first search",
        Emptiness::Couvreur => "Couvreur",
        Emptiness::CouvreurShy => "Couvreur, shy",
        Emptiness::CouvreurWithoutRem => "Couvreur, without a list",
        Emptiness::GeneralisedNestedDfs => "Generalised nested depth-first search",
        Emptiness::GeldenhuysValmari => "Geldenhuys and Valmari",
        Emptiness::OriginalNestedDfs => "Original nested search",
    }
}

#[component]
fn EmptinessChoice() -> impl IntoView {
    let app = App::get();
    let row = move |emptiness: Emptiness, name, meaning| {
        radio(
            app,
            "emptiness",
            name,
            meaning,
            move |settings| settings.emptiness == emptiness,
            move |settings| settings.emptiness = emptiness,
            Some(Box::new(move |app: App| {
                app.property.with(|property| {
                    if !is_infinite(property) {
                        return (emptiness != Emptiness::Automatic).then_some(Refused::Silent);
                    }
                    app.settings
                        .with(|it| emptiness_refused(property, it, emptiness))
                        .map(Refused::Not)
                })
            })),
        )
    };
    let open = app.settings.with_untracked(|it| it.emptiness != Emptiness::Automatic);
    let now =
        Signal::derive(move || app.settings.with(|it| emptiness_name(it.emptiness).to_owned()));
    view! {
        <Part id="cycles" title="Search for infinite runs" now=now open=open>
        <fieldset>
            <legend class="unseen">"Search for infinite runs"</legend>
            <Infinite/>
            {row(
                Emptiness::Automatic,
                emptiness_name(Emptiness::Automatic),
                "What suits the property; the statistics say what was chosen and why.",
            )}
            {row(
                Emptiness::NestedDfs,
                emptiness_name(Emptiness::NestedDfs),
                "A second search looks for a way back to each accepting step. Needs the least memory, but cannot be combined with fairness.",
            )}
            {row(
                Emptiness::Couvreur,
                emptiness_name(Emptiness::Couvreur),
                "Finds the strongly connected parts in one search, and stops as soon as one of them is accepting.",
            )}
            {row(
                Emptiness::CouvreurShy,
                emptiness_name(Emptiness::CouvreurShy),
                "The same, but looks at steps to known states first: fewer states where a cycle is near.",
            )}
            {row(
                Emptiness::CouvreurWithoutRem,
                emptiness_name(Emptiness::CouvreurWithoutRem),
                "The same with less memory: a finished part is explored again to mark its states.",
            )}
            {row(
                Emptiness::GeneralisedNestedDfs,
                emptiness_name(Emptiness::GeneralisedNestedDfs),
                "Nested search for several acceptance sets, so it can be combined with fairness.",
            )}
            {row(
                Emptiness::GeldenhuysValmari,
                emptiness_name(Emptiness::GeldenhuysValmari),
                "Strongly connected parts in one search that stops at the first way back over an accepting step. Cannot be combined with fairness.",
            )}
            {row(
                Emptiness::OriginalNestedDfs,
                emptiness_name(Emptiness::OriginalNestedDfs),
                "The first form of 1992, to compare with: it finds cycles later. Cannot be combined with fairness.",
            )}
        </fieldset>
        </Part>
    }
}

#[component]
fn ErrorsChoice() -> impl IntoView {
    let app = App::get();
    let row = move |all: bool, name, meaning| {
        radio(
            app,
            "errors",
            name,
            meaning,
            move |settings| settings.all_errors == all,
            move |settings| settings.all_errors = all,
            None,
        )
    };
    view! {
        <fieldset>
            <legend>"Errors"</legend>
            {row(false, "Stop at the first", "The usual way: one counterexample at a time.")}
            {row(true, "Find all", "Goes on, counts every error, and keeps the first ones with their traces.")}
        </fieldset>
    }
}

#[component]
fn BudgetChoice() -> impl IntoView {
    let app = App::get();
    let choose = move |event: leptos::ev::Event| {
        if let Ok(memory) = event_target_value(&event).parse() {
            change(app, |settings| settings.memory_mib = memory);
        }
    };
    let budgets = Memo::new(move |_| {
        let own = app.settings.with(|settings| settings.memory_mib);
        let mut all = BUDGETS.to_vec();
        if !all.contains(&own) {
            all.push(own);
            all.sort_unstable();
        }
        all
    });
    let options = move || {
        let option = |budget: u32| {
            let text = if budget >= 1024 && budget.is_multiple_of(1024) {
                format!("{} GiB", budget / 1024)
            } else {
                format!("{budget} MiB")
            };
            view! { <option value=budget>{text}</option> }
        };
        budgets.get().into_iter().map(option).collect_view()
    };
    let node = NodeRef::new();
    keep_chosen(node, move || {
        let own = app.settings.with(|settings| settings.memory_mib);
        budgets.with(|all| all.iter().position(|it| *it == own))
    });
    view! {
        <fieldset>
            <legend>"Memory budget"</legend>
            <label class="field">
                <select node_ref=node aria-label="Memory budget" on:change=choose>{options}</select>
                <span class="meaning">
                    "Never exceeded: when it is used up the check ends with what it found. A phone has some hundred MiB to spare, a desktop one or two GiB."
                </span>
            </label>
        </fieldset>
    }
}

/// The parameters that the gallery's model has, with their values to choose from.
#[component]
pub fn Parameters() -> impl IntoView {
    let app = App::get();
    let parameters = Memo::new(move |_| {
        let header = app.entry()?.header().ok()?;
        Some(header.parameters)
    });
    let row = move |parameter: Parameter| {
        let Parameter { name, default, min, max, meaning } = parameter;
        let own = name.clone();
        let value = move || {
            let set = app.settings.with(|settings| define(&settings.defines, &own));
            set.and_then(|it| it.parse::<i64>().ok()).unwrap_or(default)
        };
        let key = name.clone();
        let choose = move |event: leptos::ev::Event| {
            let Ok(value) = event_target_value(&event).parse::<i64>() else { return };
            let value = (value != default).then(|| value.to_string());
            change(app, |settings| set_define(&mut settings.defines, &key, value));
        };
        let options = (min..=max).map(|it| view! { <option value=it>{it}</option> }).collect_view();
        let node = NodeRef::new();
        keep_chosen(node, move || usize::try_from(value() - min).ok());
        view! {
            <label class="field">
                <code>{name}</code>
                <select node_ref=node on:change=choose>{options}</select>
                <span class="meaning">{meaning}</span>
            </label>
        }
    };
    move || {
        let list = parameters.get().unwrap_or_default();
        (!list.is_empty()).then(|| {
            view! {
                <fieldset>
                    <legend>"Parameters of this model"</legend>
                    {list.into_iter().map(row).collect_view()}
                </fieldset>
            }
        })
    }
}
