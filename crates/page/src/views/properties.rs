//! All properties of the text with how it stands with them, and the box for a formula.

use super::View;
use super::patterns::PatternHelper;
use super::race::Race;
use super::reading::{FormulaReading, capital, prose};
use super::words::WordTester;
use crate::app::{App, Picture, Status, is_automaton, stated_formula};
use crate::formula_input::FormulaInput;
use leptos::prelude::*;
use promenade_protocol::{Level, Property, PropertyInfo};

/// The view.
pub struct Properties;

impl View for Properties {
    fn id(&self) -> &'static str {
        "properties"
    }

    fn title(&self) -> &'static str {
        "Properties"
    }

    fn show(&self, _app: App) -> AnyView {
        view! {
            <div class="properties">
                <List/>
                <Formula/>
                <PatternHelper/>
                <WordTester/>
                <Race/>
            </div>
        }
        .into_any()
    }
}

#[component]
fn List() -> impl IntoView {
    let app = App::get();
    let list = Memo::new(move |_| app.properties());
    let going = move || app.checks.total.get() > 0;
    let said = move || {
        if !going() {
            return String::new();
        }
        let total = app.checks.total.get();
        let done = total.saturating_sub(app.checks.left());
        format!("{done} of {total}")
    };
    view! {
        <section class="property-list" aria-label="Properties of the text">
            <div class="list-head">
                <h3>"Properties"</h3>
                <span class="meaning" role="status">{said}</span>
                <button
                    class="quiet check-all"
                    disabled=move || !going() && app.running.with(Option::is_some)
                    on:click=move |_| if going() { app.cancel() } else { app.check_all() }
                >
                    {move || if going() { "Cancel" } else { "Check all" }}
                </button>
            </div>
            <ul>
                {move || list.get().into_iter().map(|info| row(app, info)).collect_view()}
            </ul>
        </section>
    }
}

fn row(app: App, info: PropertyInfo) -> AnyView {
    let formula = stated_formula(&info);
    let shown = formula.clone().filter(|text| *text != info.title);
    let text = match &shown {
        Some(formula) => {
            view! { <code class="property-formula">{formula.clone()}</code> }.into_any()
        }
        None => view! { <span class="meaning">{info.description.clone()}</span> }.into_any(),
    };
    let Some(property) = info.property else {
        let block = info.span;
        let why = move || {
            app.diagnostics.with(|all| {
                let mut errors = all.iter().filter(|it| it.level == Level::Error);
                let own = errors.clone().find(|it| {
                    let (file, at) = (it.span.file, it.span.start);
                    block.is_some_and(|b| file == b.file && (b.start..=b.end).contains(&at))
                });
                let other = errors.next().map(|_| "The text has errors elsewhere".to_owned());
                own.map(|it| it.message.clone()).or(other).map(why_not)
            })
        };
        return view! {
            <li class="property-row" data-property=info.title.clone()>
                <span class="property-title">{info.title.clone()}</span>
                <span class="status">"cannot be checked"</span>
                <span class="property-text">{text}</span>
                {why}
            </li>
        }
        .into_any();
    };
    let own = property.clone();
    let chosen = move || app.property.with(|it| *it == own);
    let own = property.clone();
    let status = Memo::new(move |_| app.status(&own));
    let is_formula = matches!(property, Property::Formula { .. });
    let own_text = formula.clone().filter(|_| is_formula).unwrap_or_default();
    let tools = is_formula.then(|| {
        let (edited, deleted) = (property.clone(), own_text.clone());
        let is_checked = move || status.get().0.is_result();
        view! {
            <button
                class="link-button examine"
                title="Choose this formula and write on in the box below"
                on:click=move |_| {
                    app.select_property(edited.clone());
                    app.go_to_formula();
                }
            >
                {move || if is_checked() { "edit a copy" } else { "edit" }}
            </button>
            <button
                class="link-button examine"
                aria-label=format!("delete the formula {own_text}")
                disabled=move || app.running.with(Option::is_some)
                on:click=move |_| app.delete_formula(&deleted)
            >
                "delete"
            </button>
        }
    });
    let examine = formula.filter(|_| !is_formula).map(|formula| {
        view! {
            <button
                class="link-button examine"
                title="Write the formula into the box below"
                on:click=move |_| app.examine(formula.clone())
            >
                "examine"
            </button>
        }
    });
    let own = property.clone();
    let picture = info.automaton.is_some().then(|| {
        let own = own.clone();
        view! {
            <button
                class="link-button examine"
                title="Choose this property and draw the claim as an automaton"
                on:click=move |_| {
                    app.select_property(own.clone());
                    app.formula.picture.set(Picture::Claim);
                    app.view.set("automaton");
                }
            >
                "automaton"
            </button>
        }
    });
    let own_status = property.clone();
    let obstacle = move || app.obstacle(&property).map(why_not);
    view! {
        <li class="property-row" class:own=is_formula data-property=info.title.clone()>
            <button
                class="property-title"
                aria-pressed=move || chosen().to_string()
                title="Choose this property and show its result"
                on:click=move |_| app.select_property(own.clone())
            >
                {info.title.clone()}
            </button>
            <span class="status" data-status=move || status.get().0.word()>
                <span class="dot" data-tone=move || status.get().0.tone()></span>
                {move || app.status_text(&own_status)}
            </span>
            <span class="property-text" class:old=move || status.get().1>{text} {examine} {picture} {tools}</span>
            {obstacle}
        </li>
    }
    .into_any()
}

/// Why a property cannot be checked, below it.
fn why_not(why: String) -> impl IntoView + use<> {
    view! { <span class="property-obstacle">{prose(&capital(&why))}"."</span> }
}

#[component]
fn Formula() -> impl IntoView {
    let app = App::get();
    let good = move || app.formula.current().is_some_and(|reading| reading.is_good());
    let wrong = move || app.formula.text.with(|text| app.formula.is_wrong(text));
    let busy = move || app.running.with(Option::is_some);
    let given = move || app.formula.text.with(|text| is_automaton(text));
    let checked = move || {
        let text = app.formula.text.with(|text| text.trim().to_owned());
        let property = Property::Formula { text };
        let (status, _) = app.status(&property);
        (status != Status::Unknown).then(|| {
            let word = app.status_text(&property);
            view! {
                <span class="status formula-status">
                    <span class="dot" data-tone=status.tone()></span>
                    {word}
                </span>
            }
        })
    };
    view! {
        <section class="formula-box" aria-label="A formula of your own">
            <div class="list-head">
                <h3>"A formula of your own"</h3>
                {checked}
            </div>
            <FormulaInput/>
            <div class="formula-actions">
                <button class="action" disabled=move || !good() || wrong() || busy() on:click=move |_| app.check_formula()>
                    {move || if given() { "Check this automaton" } else { "Check this formula" }}
                </button>
                <button class="quiet" disabled=move || !good() on:click=move |_| {
                    app.formula.picture.set(Picture::Formula);
                    app.view.set("automaton");
                }>
                    "Show its automaton"
                </button>
                <button class="quiet" disabled=move || !good() on:click=move |_| app.append_formula()>
                    {move || if given() { "Copy as never claim into the text" } else { "Copy as ltl block into the text" }}
                </button>
            </div>
            <div id="formula-about"><FormulaReading/></div>
        </section>
    }
}
