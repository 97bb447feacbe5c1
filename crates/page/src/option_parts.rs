//! Parts of the options that are closed until they are needed: what is reported, limits, macros and the
//! meaning of the language.

use crate::app::App;
use crate::icons;
use crate::options::change;
use leptos::prelude::*;
use promenade_protocol::{Define, Settings};

/// A yes-or-no option: its name, what it means, how it is read and written.
struct Flag {
    name: &'static str,
    meaning: &'static str,
    get: fn(&Settings) -> bool,
    set: fn(&mut Settings, bool),
}

const CHECKS: &[Flag] = &[
    Flag {
        name: "Assertions",
        meaning: "Report every assert whose condition can be false.",
        get: |it| it.assertions,
        set: |it, on| it.assertions = on,
    },
    Flag {
        name: "Deadlocks",
        meaning: "Report states without a next step in which a process is not at its end nor at an end label.",
        get: |it| it.end_states,
        set: |it, on| it.end_states = on,
    },
    Flag {
        name: "Channels must be empty at the end",
        meaning: "A valid end also needs empty channels.",
        get: |it| it.empty_channels_at_end,
        set: |it, on| it.empty_channels_at_end = on,
    },
];

const SEMANTICS: &[Flag] = &[
    Flag {
        name: "Full channels lose messages",
        meaning: "A send to a full channel goes on, and the message is gone. Otherwise it waits for room.",
        get: |it| it.lose_messages,
        set: |it, on| it.lose_messages = on,
    },
    Flag {
        name: "Inner unless first",
        meaning: "Of nested escapes the inner one wins. Otherwise the outer one does.",
        get: |it| it.inner_unless_first,
        set: |it, on| it.inner_unless_first = on,
    },
];

/// A limit: none, or a number.
struct Limit {
    id: &'static str,
    name: &'static str,
    unit: &'static str,
    get: fn(&Settings) -> Option<u32>,
    set: fn(&mut Settings, Option<u32>),
}

const LIMITS: &[Limit] = &[
    Limit {
        id: "limit-time",
        name: "Time",
        unit: "seconds",
        get: |it| it.time_limit_seconds,
        set: |it, to| it.time_limit_seconds = to,
    },
    Limit {
        id: "limit-states",
        name: "States",
        unit: "states",
        get: |it| it.state_limit,
        set: |it, to| it.state_limit = to,
    },
    Limit {
        id: "limit-depth",
        name: "Depth",
        unit: "steps; longer runs are cut off there",
        get: |it| it.depth_limit,
        set: |it, to| it.depth_limit = to,
    },
];

/// A part that is closed until it is needed: its name, what is chosen in it now, and its content.
/// It begins open if something in it differs from the defaults.
#[component]
pub(crate) fn Part(
    /// For styles and tests.
    id: &'static str,
    /// Its name.
    title: &'static str,
    /// What is chosen, in a few words.
    #[prop(into)]
    now: Signal<String>,
    /// Whether it begins open.
    open: bool,
    /// What is in it.
    children: Children,
) -> impl IntoView {
    view! {
        <details class="part" id=format!("part-{id}") open=open>
            <summary>
                <span class="part-title">{title}</span>
                <span class="meaning part-now">{move || now.get()}</span>
            </summary>
            <div class="part-body">{children()}</div>
        </details>
    }
}

/// Which of some flags differ from the defaults, in a few words.
fn changed_flags(settings: &Settings, flags: &[Flag]) -> Vec<String> {
    let base = Settings::default();
    let changed = flags.iter().filter(|it| (it.get)(settings) != (it.get)(&base));
    let word = |it: &Flag| {
        let name = it.name.to_lowercase();
        if (it.get)(settings) { name } else { format!("no {name}") }
    };
    changed.map(word).collect()
}

fn flags_now(app: App, flags: &'static [Flag], usual: &'static str) -> Signal<String> {
    Signal::derive(move || {
        let changed = app.settings.with(|settings| changed_flags(settings, flags));
        if changed.is_empty() { usual.to_owned() } else { changed.join(", ") }
    })
}

/// What counts as an error.
pub(crate) fn reported(app: App) -> impl IntoView {
    let open = app.settings.with_untracked(|it| !changed_flags(it, CHECKS).is_empty());
    let now = flags_now(app, CHECKS, "assertions, deadlocks, run-time errors");
    view! {
        <Part id="reported" title="What is reported" now=now open=open>
            <fieldset>
                <legend class="unseen">"What is reported"</legend>
                {CHECKS.iter().map(|flag| flag_row(app, flag)).collect_view()}
                <p class="meaning">
                    "Run-time errors (division by zero, a bad index, …) are always reported."
                </p>
            </fieldset>
        </Part>
    }
}

/// Where a check ends early.
pub(crate) fn limits(app: App) -> impl IntoView {
    let set = |settings: &Settings| {
        let word = |it: &Limit| {
            let unit = it.unit.split(';').next().unwrap_or_default();
            (it.get)(settings).map(|n| format!("{} {unit}", crate::numbers::grouped(u64::from(n))))
        };
        LIMITS.iter().filter_map(word).collect::<Vec<_>>()
    };
    let open = app.settings.with_untracked(|it| !set(it).is_empty());
    let now = Signal::derive(move || {
        let set = app.settings.with(set);
        if set.is_empty() { "none but the memory".to_owned() } else { set.join(", ") }
    });
    view! {
        <Part id="limits" title="Limits" now=now open=open>
            <fieldset>
                <legend class="unseen">"Limits"</legend>
                <p class="meaning">
                    "A check that reaches a limit ends with what it found up to then. Empty means none."
                </p>
                {LIMITS.iter().map(|limit| limit_row(app, limit)).collect_view()}
            </fieldset>
        </Part>
    }
}

/// Macros, and what the language means.
pub(crate) fn language(app: App) -> impl IntoView {
    let differs =
        |it: &Settings| !changed_flags(it, SEMANTICS).is_empty() || !it.defines.is_empty();
    let open = app.settings.with_untracked(differs);
    let now = Signal::derive(move || {
        app.settings.with(|settings| {
            let mut all: Vec<String> = settings
                .defines
                .iter()
                .map(|it| match &it.value {
                    Some(value) => format!("{} = {value}", it.name),
                    None => it.name.clone(),
                })
                .collect();
            all.extend(changed_flags(settings, SEMANTICS));
            if all.is_empty() { "as in the text".to_owned() } else { all.join(", ") }
        })
    });
    view! {
        <Part id="language" title="Macros and language" now=now open=open>
            <Defines/>
            <fieldset>
                <legend>"Meaning of the language"</legend>
                {SEMANTICS.iter().map(|flag| flag_row(app, flag)).collect_view()}
            </fieldset>
        </Part>
    }
}

fn flag_row(app: App, flag: &'static Flag) -> impl IntoView {
    view! {
        <label class="choice">
            <input
                type="checkbox"
                prop:checked=move || app.settings.with(flag.get)
                on:change=move |event| {
                    let on = event_target_checked(&event);
                    change(app, |settings| (flag.set)(settings, on));
                }
            />
            <span>{flag.name}</span>
            <span class="meaning">{flag.meaning}</span>
        </label>
    }
}

fn limit_row(app: App, limit: &'static Limit) -> impl IntoView {
    let put = move |event: leptos::ev::Event| {
        let text = event_target_value(&event);
        let value = text.trim().parse::<u32>().ok().filter(|value| *value > 0);
        if value.is_none() && !text.trim().is_empty() {
            app.notify("A limit is a whole number from 1 on. Empty means none.", None);
        }
        change(app, |settings| (limit.set)(settings, value));
    };
    view! {
        <div class="limit">
            <label for=limit.id>{limit.name}</label>
            <input
                id=limit.id
                type="number"
                min="1"
                max="4294967295"
                inputmode="numeric"
                placeholder="none"
                prop:value=move || {
                    app.settings.with(limit.get).map(|it| it.to_string()).unwrap_or_default()
                }
                on:change=put
            />
            <span class="meaning">{limit.unit}</span>
        </div>
    }
}

#[component]
fn Defines() -> impl IntoView {
    let app = App::get();
    let list = Memo::new(move |_| app.settings.with(|settings| settings.defines.clone()));
    let row = move |(index, item): (usize, Define)| {
        let name = item.name.clone();
        let label = format!("Remove {name}");
        let value = item.value.unwrap_or_default();
        let rename = move |event: leptos::ev::Event| {
            let name = event_target_value(&event).trim().to_owned();
            change(app, |settings| {
                if let Some(item) = settings.defines.get_mut(index) {
                    item.name = name;
                }
            });
        };
        let put = move |event: leptos::ev::Event| {
            let text = event_target_value(&event);
            change(app, |settings| {
                if let Some(item) = settings.defines.get_mut(index) {
                    item.value = (!text.trim().is_empty()).then(|| text.trim().to_owned());
                }
            });
        };
        let take = move |_| {
            change(app, |settings| {
                if index < settings.defines.len() {
                    settings.defines.remove(index);
                }
            });
        };
        view! {
            <div class="define">
                <input aria-label="Name of the macro" value=name on:change=rename spellcheck="false"/>
                <span aria-hidden="true">"="</span>
                <input aria-label="Its value" value=value on:change=put spellcheck="false"/>
                <button class="icon-button" aria-label=label on:click=take>
                    {icons::icon(icons::CLOSE)}
                </button>
            </div>
        }
    };
    let add = move |_| {
        let taken = |name: &str| list.with_untracked(|list| list.iter().any(|it| it.name == name));
        let name = ('N'..='Z').map(String::from).find(|name| !taken(name)).unwrap_or_default();
        change(app, |settings| settings.defines.push(Define { name, value: Some("3".to_owned()) }));
    };
    view! {
        <fieldset>
            <legend>"Macros"</legend>
            <p class="meaning">
                "Macros that replace those of the text, such as N = 4. They work for macros that the text defines with #ifndef."
            </p>
            {move || list.get().into_iter().enumerate().map(row).collect_view()}
            <button class="quiet" on:click=add>{icons::icon(icons::PLUS)} "Add a macro"</button>
        </fieldset>
    }
}
