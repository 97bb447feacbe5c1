//! The options: a form that explains itself. Every change counts at once.

use crate::app::{App, Dialog, NoticeAction, is_infinite};
use crate::combinations::{idle, refused};
use crate::cores::CoresChoice;
use crate::crew::Cores;
use crate::dialog::Frame;
use crate::document::{define, set_define};
use crate::engine_options::EngineGroup;
use crate::events::keep_chosen;
use crate::option_parts::{Part, language, limits, reported};
use leptos::prelude::*;
use promenade_gallery::Parameter;
use promenade_protocol::options::Choice;
use promenade_protocol::{Emptiness, OptionId, Property, Settings};

/// Budgets to choose from, in MiB.
const BUDGETS: [u32; 6] = [64, 128, 256, 512, 1024, 2048];

/// Changes the settings of the document and those of new ones.
pub(crate) fn change(app: App, call: impl FnOnce(&mut Settings)) {
    app.settings.update(call);
    app.withdraw(&[NoticeAction::Options]);
    app.prefer_settings();
    app.changed();
}

/// Gives an option another value.
pub(crate) fn set(app: App, option: OptionId, value: u32) {
    change(app, |settings| {
        settings.field_mut(option).set_number(Some(value));
    });
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
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The checker would refuse it.
    Not(String),
    /// It would change nothing.
    Idle(String),
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
        Refused::Not(why) | Refused::Idle(why) => (why, false),
        Refused::Silent => return None,
    };
    Some(view! { <span class="refused" class:wrong=wrong>{text}</span> })
}

/// One of several: its name, what it means, and why it cannot be chosen if that is so.
pub(crate) fn radio(
    app: App,
    (option, link): (OptionId, u32),
    name: &'static str,
    meaning: &'static str,
    refused: Option<Refusal>,
) -> impl IntoView {
    let why = Memo::new(move |_| refused.as_ref().and_then(|refused| refused(app)));
    let is_chosen = move || app.settings.with(|it| it.get(option) == Some(link));
    let reason = move || why.get().and_then(|why| reason(why, is_chosen()));
    view! {
        <label class="choice" class:off=move || why.with(Option::is_some)>
            <input
                type="radio"
                name=option.spec().id
                disabled=move || why.with(Option::is_some)
                prop:checked=is_chosen
                on:change=move |_| set(app, option, link)
            />
            <span>{name}</span>
            <span class="meaning">{meaning}</span>
            {reason}
        </label>
    }
}

/// All values of an option, each with the reason where it cannot be chosen.
pub(crate) fn radios(app: App, option: OptionId) -> impl IntoView {
    let row = move |choice: &'static Choice| {
        let value = (option, choice.link);
        let refused: Refusal = Box::new(move |app: App| {
            app.property.with(|property| app.settings.with(|it| why_not(app, property, it, value)))
        });
        radio(app, value, choice.title, choice.doc, Some(refused))
    };
    option.spec().choices().iter().map(row).collect_view()
}

fn why_not(
    app: App,
    property: &Property,
    settings: &Settings,
    value: (OptionId, u32),
) -> Option<Refused> {
    let (option, link) = value;
    let infinite = property.is_infinite();
    let only_infinite = matches!(option, OptionId::Fairness | OptionId::Emptiness);
    if only_infinite && !infinite {
        // Said above them all.
        return idle(property, settings, value).map(|_| Refused::Silent);
    }
    let refused = app.summary.with(|summary| refused(property, settings, Some(summary), value));
    match refused {
        // Said once above them all, and beside the one that is chosen.
        Some(_) if option == OptionId::Store && infinite && settings.get(option) != Some(link) => {
            Some(Refused::Silent)
        }
        Some(why) => Some(Refused::Not(why)),
        None => idle(property, settings, value).map(|why| Refused::Idle(why.to_owned())),
    }
}

#[component]
fn SearchChoice() -> impl IntoView {
    view! {
        <fieldset>
            <legend>{OptionId::Search.spec().title}</legend>
            {radios(App::get(), OptionId::Search)}
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
    view! {
        <fieldset>
            <legend>{OptionId::Fairness.spec().title}</legend>
            <Infinite/>
            {radios(App::get(), OptionId::Fairness)}
        </fieldset>
    }
}

#[component]
fn EmptinessChoice() -> impl IntoView {
    let app = App::get();
    let open = app.settings.with_untracked(|it| it.emptiness != Emptiness::Automatic);
    let now =
        Signal::derive(move || app.settings.with(|it| it.emptiness.choice().title.to_owned()));
    let title = OptionId::Emptiness.spec().title;
    view! {
        <Part id="cycles" title=title now=now open=open>
        <fieldset>
            <legend class="unseen">{title}</legend>
            <Infinite/>
            {radios(app, OptionId::Emptiness)}
        </fieldset>
        </Part>
    }
}

#[component]
fn ErrorsChoice() -> impl IntoView {
    let app = App::get();
    let spec = OptionId::AllErrors.spec();
    let first = "The usual way: one counterexample at a time.";
    view! {
        <fieldset>
            <legend>"Errors"</legend>
            {radio(app, (OptionId::AllErrors, 0), "Stop at the first", first, None)}
            {radio(app, (OptionId::AllErrors, 1), spec.title, spec.doc, None)}
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
