//! The options: a form that explains itself. Every change counts at once.

use crate::app::{App, Dialog};
use crate::combinations::{emptiness_refused, fairness_refused, search_refused};
use crate::cores::CoresChoice;
use crate::crew::Cores;
use crate::dialog::Frame;
use crate::document::{define, set_define};
use crate::engine_options::EngineGroup;
use crate::events::keep_chosen;
use crate::icons;
use leptos::prelude::*;
use promenade_gallery::Parameter;
use promenade_protocol::{Define, Emptiness, Fairness, Property, Search, Settings};

/// Budgets to choose from, in MiB.
const BUDGETS: [u32; 6] = [64, 128, 256, 512, 1024, 2048];

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

/// Changes the settings of the document and those of new ones.
pub(crate) fn change(app: App, call: impl FnOnce(&mut Settings)) {
    app.settings.update(call);
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

fn reported(app: App) -> impl IntoView {
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

fn limits(app: App) -> impl IntoView {
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

fn language(app: App) -> impl IntoView {
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
        <Part id="language" title="Macros and meaning of the language" now=now open=open>
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

/// Why something cannot be chosen at present, if so.
pub(crate) type Refusal = Box<dyn Fn(App) -> Option<&'static str> + Send + Sync>;

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
    let reason = move || {
        why.get().map(|why| {
            // The property may have changed since it was chosen.
            let wrong = is_chosen();
            let text = if wrong { format!("{why} Choose another one.") } else { why.to_owned() };
            view! { <span class="refused" class:wrong=wrong>{text}</span> }
        })
    };
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
                app.property
                    .with(|property| app.settings.with(|it| search_refused(property, it, search)))
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

/// Said beside options that the property of the document does not depend on.
#[component]
fn Infinite() -> impl IntoView {
    let app = App::get();
    let without =
        move || app.property.with(|it| matches!(it, Property::Safety | Property::Claim { .. }));
    view! {
        <p class="meaning without-effect" hidden=move || !without()>
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
                    app.settings.with(|it| fairness_refused(property, it, fairness))
                })
            })),
        )
    };
    view! {
        <fieldset>
            <legend>"Fairness"</legend>
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
            <Infinite/>
        </fieldset>
    }
}

fn emptiness_name(emptiness: Emptiness) -> &'static str {
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
                    app.settings.with(|it| emptiness_refused(property, it, emptiness))
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
            <Infinite/>
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

fn limit_row(app: App, limit: &'static Limit) -> impl IntoView {
    let put = move |event: leptos::ev::Event| {
        let text = event_target_value(&event);
        let value = text.trim().parse::<u32>().ok().filter(|value| *value > 0);
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

/// The parameters that the gallery's model has, with their values to choose from.
#[component]
pub fn Parameters() -> impl IntoView {
    let app = App::get();
    let parameters = Memo::new(move |_| {
        let origin = app.origin.get()?;
        let header = promenade_gallery::find(&origin)?.header().ok()?;
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
            <legend>"Defines"</legend>
            <p class="meaning">
                "Macros that replace those of the text, such as N = 4. They work for macros that the text defines with #ifndef."
            </p>
            {move || list.get().into_iter().enumerate().map(row).collect_view()}
            <button class="quiet" on:click=add>{icons::icon(icons::PLUS)} "Add a macro"</button>
        </fieldset>
    }
}
