//! Parts of the options that are closed until they are needed: what is reported, limits, macros and the
//! meaning of the language.

use crate::app::App;
use crate::icons;
use crate::options::change;
use leptos::prelude::*;
use promenade_protocol::{Define, OptionId, Settings};

/// What counts as an error.
const CHECKS: &[OptionId] = &[OptionId::Assertions, OptionId::EndStates, OptionId::EmptyChannels];

/// What the language means.
const SEMANTICS: &[OptionId] = &[OptionId::LoseMessages, OptionId::InnerUnless];

/// A limit: its option, the id of its field, and its unit.
type Limit = (OptionId, &'static str, &'static str);

const LIMITS: &[Limit] = &[
    (OptionId::TimeLimit, "limit-time", "seconds"),
    (OptionId::StateLimit, "limit-states", "states"),
    (OptionId::DepthLimit, "limit-depth", "steps; longer runs are cut off there"),
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
fn changed_flags(settings: &Settings, flags: &[OptionId]) -> Vec<String> {
    let base = Settings::default();
    let changed = flags.iter().filter(|it| settings.get(**it) != base.get(**it));
    let word = |it: &OptionId| {
        let name = it.spec().title.to_lowercase();
        if settings.get(*it) == Some(1) { name } else { format!("no {name}") }
    };
    changed.map(word).collect()
}

fn flags_now(app: App, flags: &'static [OptionId], usual: &'static str) -> Signal<String> {
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
                {CHECKS.iter().map(|flag| flag_row(app, *flag, None)).collect_view()}
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
        let word = |(option, _, unit): &Limit| {
            let unit = unit.split(';').next().unwrap_or_default();
            settings
                .get(*option)
                .map(|n| format!("{} {unit}", crate::numbers::grouped(u64::from(n))))
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
                {LIMITS.iter().map(|limit| limit_row(app, *limit)).collect_view()}
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
                {SEMANTICS.iter().map(|flag| flag_row(app, *flag, None)).collect_view()}
            </fieldset>
        </Part>
    }
}

/// A yes-or-no option. `off` says that it has no effect now; what was chosen for another property can
/// be taken back.
pub(crate) fn flag_row(app: App, option: OptionId, off: Option<fn(App) -> bool>) -> impl IntoView {
    let spec = option.spec();
    let is_on = move || app.settings.with(|it| it.get(option) == Some(1));
    view! {
        <label class="choice">
            <input
                id=spec.id.replace('_', "-")
                type="checkbox"
                prop:checked=is_on
                disabled=move || off.is_some_and(|off| off(app)) && !is_on()
                on:change=move |event| {
                    crate::options::set(app, option, u32::from(event_target_checked(&event)));
                }
            />
            <span>{spec.title}</span>
            <span class="meaning">{spec.doc}</span>
        </label>
    }
}

fn limit_row(app: App, (option, id, unit): Limit) -> impl IntoView {
    let put = move |event: leptos::ev::Event| {
        let text = event_target_value(&event);
        let value = text.trim().parse::<u32>().ok().filter(|value| *value > 0);
        if value.is_none() && !text.trim().is_empty() {
            app.notify("A limit is a whole number from 1 on. Empty means none.", None);
        }
        change(app, |settings| {
            settings.field_mut(option).set_number(value);
        });
    };
    view! {
        <div class="limit">
            <label for=id>{option.spec().title}</label>
            <input
                id=id
                type="number"
                min="1"
                max="4294967295"
                inputmode="numeric"
                placeholder="none"
                prop:value=move || {
                    app.settings.with(|it| it.get(option)).map(|it| it.to_string()).unwrap_or_default()
                }
                on:change=put
            />
            <span class="meaning">{unit}</span>
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
