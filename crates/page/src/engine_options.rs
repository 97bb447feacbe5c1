//! The engine's part of the options: how states are remembered, and what is left out.

use crate::app::{App, Dialog, is_infinite};
use crate::combinations::{STORES, StoreChoice, reduction_refused, store_name, store_refused};
use crate::events::keep_chosen;
use crate::option_parts::Part;
use crate::options::{Refusal, Refused, change, radio};
use leptos::prelude::*;
use promenade_protocol::{
    DeadVariables, PlanNote, Probing, Proviso, Reduction, Settings, Store, WriteOnly,
};
use web_sys::{HtmlInputElement, HtmlSelectElement};

/// Whether something of the engine differs from the defaults.
fn is_changed(settings: &Settings) -> bool {
    let base = Settings::default();
    settings.store != base.store
        || settings.reduction != base.reduction
        || settings.proviso != base.proviso
        || settings.seed != base.seed
        || settings.hashes != base.hashes
        || settings.probing != base.probing
        || settings.cell_bits != base.cell_bits
        || settings.chain != base.chain
        || settings.merge != base.merge
        || settings.dead_variables != base.dead_variables
        || settings.write_only != base.write_only
}

/// The group, closed while nothing of it differs from the defaults.
#[component]
pub fn EngineGroup() -> impl IntoView {
    let app = App::get();
    let open = app.settings.with_untracked(is_changed);
    let now = move || {
        app.settings.with(|settings| {
            let reduction = match settings.reduction {
                Reduction::Automatic => "",
                Reduction::None => ", no reduction",
                Reduction::AmpleSets => ", with reduction",
            };
            format!("{}{reduction}", store_name(settings.store))
        })
    };
    view! {
        <Part id="engine" title="Engine" now=Signal::derive(now) open=open>
                <p class="meaning">
                    "For models that are too large or too slow. Otherwise leave it as it is. "
                    <button class="link-button" on:click=move |_| {
                        app.help.set("engine");
                        app.dialog.set(Some(Dialog::Help));
                    }>
                        "Which one when?"
                    </button>
                </p>
                <StoreOptions/>
                <ReductionOptions/>
        </Part>
    }
}

#[component]
fn StoreOptions() -> impl IntoView {
    let app = App::get();
    let row = move |choice: &'static StoreChoice| {
        let store = choice.store;
        let refused: Refusal = Box::new(move |app| {
            app.property.with(|property| {
                app.settings.with(|it| {
                    let why = store_refused(property, it, store)?;
                    // Said once above them all, and beside the one that is chosen.
                    let silent = is_infinite(property) && it.store != store;
                    Some(if silent { Refused::Silent } else { Refused::Not(why) })
                })
            })
        });
        radio(
            app,
            "store",
            choice.name,
            choice.meaning,
            move |settings| settings.store == store,
            move |settings| settings.store = store,
            Some(refused),
        )
    };
    let store = Memo::new(move |_| {
        let store = app.settings.with(|settings| settings.store);
        // For infinite runs it stays exact.
        let exact = store == Store::Automatic && app.property.with(is_infinite);
        if exact { Store::Exact } else { store }
    });
    let parameters = move || {
        let store = store.get();
        let hashes = (store == Store::Bitstate).then(|| {
            view! {
                <Number
                    id="engine-hashes"
                    name="Bits a state"
                    meaning="Bits that each state sets, 1 to 64. 3 suits most models, 6 in one block; more miss fewer states while the array is nearly empty."
                    range=(1, 64)
                    get=|it| it.hashes
                    set=|it, to| it.hashes = to
                />
            }
        });
        let probing = (store == Store::Bitstate).then(|| {
            view! {
                <Selection
                    id="engine-probing"
                    name="Places of the bits"
                    choices=PROBINGS
                    get=|it| it.probing
                    set=|it, to| it.probing = to
                />
            }
        });
        let width = store.has_signatures().then(|| {
            let meaning = if store == Store::Automatic {
                "Bits of a signature, 4 to 64, once whole states have no room. Each further bit halves what is missed."
            } else {
                "Bits of a signature, 4 to 64. Each further bit halves what is missed, but fewer states fit."
            };
            view! {
                <Number
                    id="engine-cell-bits"
                    name="Signature"
                    meaning=meaning
                    range=(4, 64)
                    get=|it| it.cell_bits
                    set=|it, to| it.cell_bits = to
                />
            }
        });
        let chain = (store == Store::Delta).then(|| {
            view! {
                <Number
                    id="engine-chain"
                    name="Longest chain"
                    meaning="Steps that a state may be away from one that is kept whole, 0 to 63. Longer chains take less memory and more time."
                    range=(0, 63)
                    get=|it| it.chain
                    set=|it, to| it.chain = to
                />
            }
        });
        let seed = store.has_seed().then(|| {
            view! {
                <Number
                    id="engine-seed"
                    name="Seed"
                    meaning="Chooses the hash functions. The same seed repeats a run; another one is an independent trial that misses other states."
                    range=(0, u32::MAX)
                    get=|it| it.seed
                    set=|it, to| it.seed = to
                />
            }
        });
        view! { {hashes} {probing} {width} {chain} {seed} }
    };
    view! {
        <fieldset>
            <legend>"Store: how visited states are remembered"</legend>
            <p
                class="meaning without-effect"
                hidden=move || app.property.with(|property| !is_infinite(property))
            >
                "For properties of infinite runs only the first two: their search has to find states again."
            </p>
            {STORES.iter().map(row).collect_view()}
            {parameters}
        </fieldset>
    }
}

/// One value to choose: it, its name, what it means.
type Choice<T> = (T, &'static str, &'static str);

const PROBINGS: &[Choice<Probing>] = &[
    (
        Probing::Triple,
        "Triple",
        "Triple hashing, from three numbers of one hash: fast, and practically as accurate as independent ones.",
    ),
    (
        Probing::Double,
        "Double",
        "Double hashing, from two numbers of one hash, at equal distances: a little faster; with many bits a state it misses more.",
    ),
    (
        Probing::EnhancedDouble,
        "Enhanced",
        "Enhanced double hashing, at distances that grow: between double and triple.",
    ),
    (
        Probing::Independent,
        "Independent",
        "A hash function for every bit: accurate by construction, and slowest; hardly better than triple hashing.",
    ),
    (
        Probing::Blocked,
        "One block",
        "All bits of a state beside each other, so that it waits for memory once: fastest, and further bits cost hardly any time. With as many bits it misses more.",
    ),
];

const PROVISOS: &[Choice<Proviso>] = &[
    (
        Proviso::Automatic,
        "Automatic",
        "What leaves out most: depth-first, the search looks at its path; otherwise loops are broken beforehand.",
    ),
    (
        Proviso::Dynamic,
        "On the stack, in the queue",
        "Steps of one process are enough if they lead away from the path of the search, or to states that still wait.",
    ),
    (
        Proviso::Static,
        "Static",
        "Every loop of a process is broken beforehand at a place where all steps are taken. Goes with every search and several workers.",
    ),
];

/// A choice among few, with the meaning of what is chosen.
#[component]
fn Selection<T: Copy + PartialEq + Send + Sync + 'static>(
    /// Of the field.
    id: &'static str,
    /// Its label.
    name: &'static str,
    /// What there is to choose.
    choices: &'static [Choice<T>],
    /// How it is read.
    get: fn(&Settings) -> T,
    /// How it is written.
    set: fn(&mut Settings, T),
) -> impl IntoView {
    let app = App::get();
    let chosen = move || {
        let own = app.settings.with(get);
        choices.iter().position(|(value, ..)| *value == own)
    };
    let choose = move |event: leptos::ev::Event| {
        let index = event_target::<HtmlSelectElement>(&event).selected_index();
        if let Some((value, ..)) = usize::try_from(index).ok().and_then(|at| choices.get(at)) {
            change(app, |settings| set(settings, *value));
        }
    };
    let node = NodeRef::new();
    keep_chosen(node, chosen);
    let option = |(_, name, _): &'static Choice<T>| view! { <option>{*name}</option> };
    view! {
        <div class="limit engine-number">
            <label for=id>{name}</label>
            <select id=id node_ref=node on:change=choose>
                {choices.iter().map(option).collect_view()}
            </select>
            <span class="meaning">
                {move || chosen().and_then(|at| choices.get(at)).map(|(.., meaning)| *meaning)}
            </span>
        </div>
    }
}

/// A whole number within a range.
#[component]
fn Number(
    /// Of the field.
    id: &'static str,
    /// Its label.
    name: &'static str,
    /// One line of help.
    meaning: &'static str,
    /// Smallest and largest value.
    range: (u32, u32),
    /// How it is read.
    get: fn(&Settings) -> u32,
    /// How it is written.
    set: fn(&mut Settings, u32),
) -> impl IntoView {
    let app = App::get();
    let put = move |event: leptos::ev::Event| {
        let field = event_target::<HtmlInputElement>(&event);
        let own = app.settings.with_untracked(get);
        let value = match field.value().trim().parse::<f64>() {
            // Nearest that is allowed: a number that is too large is meant to be large.
            Ok(value) if value.is_finite() => {
                value.round().clamp(f64::from(range.0), f64::from(range.1)) as u32
            }
            _ => own,
        };
        field.set_value(&value.to_string());
        if value != own {
            change(app, |settings| set(settings, value));
        }
    };
    view! {
        <div class="limit engine-number">
            <label for=id>{name}</label>
            <input
                id=id
                type="number"
                min=range.0.to_string()
                max=range.1.to_string()
                inputmode="numeric"
                prop:value=move || app.settings.with(get).to_string()
                on:change=put
            />
            <span class="meaning">{meaning}</span>
        </div>
    }
}

#[component]
fn ReductionOptions() -> impl IntoView {
    let app = App::get();
    let ample: Refusal = Box::new(|app| {
        let why = app.property.with(|property| {
            app.settings
                .with(|it| app.summary.with(|summary| reduction_refused(property, it, summary)))
        });
        why.map(Refused::Not)
    });
    let reduced = Memo::new(move |_| {
        // Another condition than usual may be why there can be no reduction.
        app.settings
            .with(|it| it.reduction == Reduction::AmpleSets || it.proviso != Proviso::default())
    });
    view! {
        <fieldset>
            <legend>"Reduction"</legend>
            {radio(
                app,
                "reduction",
                "Where it pays",
                "Up to 10,000 states: every state is visited. Larger depth-first searches for a first error begin anew with ample sets, if these leave something out. Bitstate, hash compaction and the state cache begin with them.",
                |settings| settings.reduction == Reduction::Automatic,
                |settings| settings.reduction = Reduction::Automatic,
                None,
            )}
            {radio(
                app,
                "reduction",
                "None",
                "Every state is visited. The numbers are those that SPIN gives without reduction.",
                |settings| settings.reduction == Reduction::None,
                |settings| settings.reduction = Reduction::None,
                None,
            )}
            {radio(
                app,
                "reduction",
                "Ample sets",
                "Of steps of different processes that do not influence each other only one order is explored. The verdict is the same, with fewer states.",
                |settings| settings.reduction == Reduction::AmpleSets,
                |settings| settings.reduction = Reduction::AmpleSets,
                Some(ample),
            )}
            {move || {
                reduced
                    .get()
                    .then(|| {
                        view! {
                            <Selection
                                id="engine-proviso"
                                name="Nobody is put off for ever"
                                choices=PROVISOS
                                get=|it| it.proviso
                                set=|it, to| it.proviso = to
                            />
                        }
                    })
            }}
            <label class="choice">
                <input
                    type="checkbox"
                    prop:checked=move || app.settings.with(|settings| settings.merge)
                    // What was chosen for another property can be taken back.
                    disabled=move || {
                        app.property.with(is_infinite) && !app.settings.with(|it| it.merge)
                    }
                    on:change=move |event| {
                        let on = event_target_checked(&event);
                        change(app, |settings| settings.merge = on);
                    }
                />
                <span>"Statement merging"</span>
                <span class="meaning">
                    "Steps that nobody can notice are made together with the step before. For properties of finite runs without a claim."
                </span>
            </label>
            <label class="choice">
                <input
                    id="dead-variables"
                    type="checkbox"
                    prop:checked=move || {
                        app.settings.with(|it| it.dead_variables == DeadVariables::Reset)
                    }
                    on:change=move |event| {
                        let to = match event_target_checked(&event) {
                            true => DeadVariables::Reset,
                            false => DeadVariables::Keep,
                        };
                        change(app, |settings| settings.dead_variables = to);
                    }
                />
                <span>"Reset dead variables"</span>
                <span class="meaning">
                    "A local variable is set to 0 where its value is not used any more: states that differ in nothing else become one. The verdict is the same, and runs are shown with the values of your text."
                </span>
            </label>
            <label class="choice">
                <input
                    id="write-only"
                    type="checkbox"
                    prop:checked=move || {
                        app.settings.with(|it| it.write_only == WriteOnly::LeaveOut)
                    }
                    on:change=move |event| {
                        let to = match event_target_checked(&event) {
                            true => WriteOnly::LeaveOut,
                            false => WriteOnly::Keep,
                        };
                        change(app, |settings| settings.write_only = to);
                    }
                />
                <span>"Leave out write-only variables"</span>
                <span class="meaning">
                    "A global variable that is only assigned, counted and printed is no part of a state. The verdict is the same."
                </span>
            </label>
            <p class="meaning without-effect" hidden=move || not_made(app).is_none()>
                {move || not_made(app).unwrap_or_default()}
            </p>
        </fieldset>
    }
}

/// What the last check said if it was asked for a reduction and found none to make.
fn not_made(app: App) -> Option<String> {
    let outcome = app.outcome().filter(|_| !app.stale.get())?;
    let wanted = outcome.report.experiment.settings.reduction == Reduction::AmpleSets;
    let note = outcome.plan.iter().find(|note: &&PlanNote| note.topic == "reduction")?;
    let why = note.text.strip_prefix("None, although asked for: ")?;
    let infinite = is_infinite(&outcome.report.experiment.property);
    let what = if infinite { "property" } else { "model" };
    wanted.then(|| format!("The last check could not reduce this {what}: {why}"))
}
