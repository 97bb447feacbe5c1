//! The engine's part of the options: how states are remembered, and what is left out.

use crate::app::{App, Dialog, is_infinite};
use crate::combinations::stores_for_infinite_runs;
use crate::events::keep_chosen;
use crate::option_parts::{Part, flag_row};
use crate::options::{radios, set};
use leptos::prelude::*;
use promenade_protocol::options::legality::is_used;
use promenade_protocol::options::{Group, Kind};
use promenade_protocol::{OptionId, Proviso, Reduction, Settings, Store};
use web_sys::{HtmlInputElement, HtmlSelectElement};

/// Whether something of the engine differs from the defaults.
fn is_changed(settings: &Settings) -> bool {
    let base = Settings::default();
    let engine = OptionId::ALL.iter().filter(|id| id.spec().group == Group::Engine);
    engine.into_iter().any(|id| settings.get(*id) != base.get(*id))
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
            format!("{}{reduction}", settings.store.choice().title)
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
    let used = Memo::new(move |_| {
        let mut settings = app.settings.get();
        // For infinite runs it stays exact.
        if settings.store == Store::Automatic && app.property.with(is_infinite) {
            settings.store = Store::Exact;
        }
        let of_store = |id: &OptionId| {
            id.spec().only_with.is_some_and(|(other, _)| other == OptionId::Store)
                && is_used(&settings, *id)
        };
        OptionId::ALL.iter().copied().filter(of_store).collect::<Vec<_>>()
    });
    let parameter = |option: OptionId| match option.spec().kind {
        Kind::Number { least, most } => {
            view! { <Number option=option range=(least, most)/> }.into_any()
        }
        _ => view! { <Selection option=option/> }.into_any(),
    };
    view! {
        <fieldset>
            <legend>"Store: how visited states are remembered"</legend>
            <p
                class="meaning without-effect"
                hidden=move || app.property.with(|property| !is_infinite(property))
            >
                {format!(
                    "For properties of infinite runs only {}: their search has to find states again.",
                    stores_for_infinite_runs(),
                )}
            </p>
            {radios(app, OptionId::Store)}
            {move || used.get().into_iter().map(parameter).collect_view()}
        </fieldset>
    }
}

/// The id of an option's field.
fn field_id(option: OptionId) -> String {
    format!("engine-{}", option.spec().id.replace('_', "-"))
}

/// A choice among few, with the meaning of what is chosen.
#[component]
fn Selection(
    /// The option.
    option: OptionId,
) -> impl IntoView {
    let app = App::get();
    let (id, choices) = (field_id(option), option.spec().choices());
    let chosen = move || {
        let own = app.settings.with(|it| it.get(option));
        choices.iter().position(|it| Some(it.link) == own)
    };
    let choose = move |event: leptos::ev::Event| {
        let index = event_target::<HtmlSelectElement>(&event).selected_index();
        if let Some(choice) = usize::try_from(index).ok().and_then(|at| choices.get(at)) {
            set(app, option, choice.link);
        }
    };
    let node = NodeRef::new();
    keep_chosen(node, chosen);
    view! {
        <div class="limit engine-number">
            <label for=id.clone()>{option.spec().title}</label>
            <select id=id node_ref=node on:change=choose>
                {choices.iter().map(|it| view! { <option>{it.title}</option> }).collect_view()}
            </select>
            <span class="meaning">
                {move || chosen().and_then(|at| choices.get(at)).map(|it| it.doc)}
            </span>
        </div>
    }
}

/// A whole number within a range.
#[component]
fn Number(
    /// The option.
    option: OptionId,
    /// Smallest and largest value.
    range: (u32, u32),
) -> impl IntoView {
    let app = App::get();
    let (id, spec) = (field_id(option), option.spec());
    let get = move |settings: &Settings| settings.get(option).unwrap_or_default();
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
            set(app, option, value);
        }
    };
    view! {
        <div class="limit engine-number">
            <label for=id.clone()>{spec.title}</label>
            <input
                id=id
                type="number"
                min=range.0.to_string()
                max=range.1.to_string()
                inputmode="numeric"
                prop:value=move || app.settings.with(get).to_string()
                on:change=put
            />
            <span class="meaning">{spec.doc}</span>
        </div>
    }
}

#[component]
fn ReductionOptions() -> impl IntoView {
    let app = App::get();
    let reduced = Memo::new(move |_| {
        // Another condition than usual may be why there can be no reduction.
        app.settings
            .with(|it| it.reduction == Reduction::AmpleSets || it.proviso != Proviso::default())
    });
    let infinite: fn(App) -> bool = |app| app.property.with(is_infinite);
    view! {
        <fieldset>
            <legend>{OptionId::Reduction.spec().title}</legend>
            {radios(app, OptionId::Reduction)}
            {move || reduced.get().then(|| view! { <Selection option=OptionId::Proviso/> })}
            {flag_row(app, OptionId::Merge, Some(infinite))}
            {flag_row(app, OptionId::DeadVariables, None)}
            {flag_row(app, OptionId::WriteOnly, None)}
            <p class="meaning without-effect" hidden=move || not_made(app).is_none()>
                {move || not_made(app).unwrap_or_default()}
            </p>
        </fieldset>
    }
}

/// What the last check said if it was asked for a reduction and found none to make.
fn not_made(app: App) -> Option<String> {
    let outcome = app.outcome().filter(|_| !app.stale.get())?;
    let why = outcome.plan.iter().find_map(|note| match &note.refused {
        Some(why) if note.topic == "reduction" => Some(why),
        _ => None,
    })?;
    let infinite = is_infinite(&outcome.report.experiment.property);
    let what = if infinite { "property" } else { "model" };
    Some(format!("The last check could not reduce this {what}: {why}."))
}
