//! The bar: name, gallery, file, property, options, check, share, theme, help.

use crate::app::{App, Dialog, WorkerState, is_infinite};
use crate::combinations::conflict;
use crate::crew::Cores;
use crate::document::Document;
use crate::events::keep_chosen;
use crate::files;
use crate::icons;
use crate::menu::{Item, Menu};
use crate::theme::ThemeMenu;
use leptos::prelude::*;
use promenade_protocol::{OptionId, Property, PropertyInfo, Settings};
use web_sys::HtmlSelectElement;

/// The bar at the top.
#[component]
pub fn TopBar() -> impl IntoView {
    let app = App::get();
    let items = vec![
        Item::new("New model", "", move || {
            app.leave_link();
            let text = "active proctype P() {\n  skip\n}\n";
            app.open(Document::of_text("model.pml", text, App::preferred_settings()));
            app.with_editor(|editor| editor.focus());
        }),
        Item::new("Open file…", "Ctrl+O", files::choose),
        Item::new("Download", "Ctrl+Shift+S", move || files::download(app)),
        Item::new("Add a file…", "", move || add_file(app)),
        Item::new("Reopen closed file", "", move || app.reopen_file())
            .only_if(Signal::derive(move || !app.closed.with(Vec::is_empty))),
        Item::new("Format", "Shift+Alt+F", move || app.format()),
        Item::new("Restore previous draft…", "", move || app.dialog.set(Some(Dialog::Drafts))),
    ];
    let changed = move || {
        let infinite = app.property.with(is_infinite);
        let own = app.settings.with(|settings| changes(settings, infinite));
        own + usize::from(app.cores.get() != Cores::default())
    };
    let wrong = Memo::new(move |_| {
        app.property
            .with(|property| app.settings.with(|it| conflict(property, it).map(|it| it.why)))
    });
    view! {
        <header class="bar">
            <h1 class="brand">
                <a href="./" aria-label="Promenade">
                    <svg class="mark" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
                        <path d="M4.5 15.5 10 5l5.5 10.5"/>
                        <circle cx="10" cy="5" r="2.6"/>
                        <circle cx="4.5" cy="15.5" r="2.6"/>
                        <circle class="mark-end" cx="15.5" cy="15.5" r="2.6"/>
                    </svg>
                    <span class="brand-name">"Promenade"</span>
                </a>
            </h1>
            <button class="bar-button" aria-label="Gallery" on:click=move |_| app.dialog.set(Some(Dialog::Gallery))>
                {icons::icon(icons::GALLERY)} <span class="bar-label">"Gallery"</span>
            </button>
            <Menu label="File" icon=icons::FILE items=items/>
            <span class="bar-space"></span>
            <PropertyChoice/>
            <button
                class="bar-button"
                class:wrong=move || wrong.get().is_some()
                aria-label=move || {
                    let wrong = if wrong.get().is_some() { ", they do not go together" } else { "" };
                    match changed() {
                        0 => "Options".to_owned(),
                        1 => format!("Options, 1 changed{wrong}"),
                        more => format!("Options, {more} changed{wrong}"),
                    }
                }
                title=move || wrong.get().map(|why| format!("The options do not go together. {why}"))
                on:click=move |_| app.dialog.set(Some(Dialog::Options))
            >
                {icons::icon(icons::OPTIONS)}
                <span class="bar-label">"Options"</span>
                <span class="badge" hidden=move || changed() == 0>{changed}</span>
            </button>
            <SimulateButton/>
            <CheckButton/>
            <button class="bar-button share-button" aria-label="Share" on:click=move |_| app.dialog.set(Some(Dialog::Share))>
                {icons::icon(icons::SHARE)} <span class="bar-label">"Share"</span>
            </button>
            <ThemeMenu/>
            <button
                class="bar-button icon-only"
                aria-label="Help"
                title="Help"
                aria-controls="help"
                aria-expanded=move || (app.dialog.get() == Some(Dialog::Help)).to_string()
                on:click=move |_| {
                    app.dialog.update(|dialog| {
                        *dialog = match dialog {
                            Some(Dialog::Help) => None,
                            _ => Some(Dialog::Help),
                        };
                    });
                }
            >
                {icons::icon(icons::HELP)}
            </button>
        </header>
    }
}

fn add_file(app: App) {
    if let Some(name) = app.missing_file() {
        return app.add_file(name);
    }
    let free = |name: &String| app.free_name(name) == *name;
    let name = (1..).map(|i| format!("include{i}.h")).find(free);
    app.add_file(name.unwrap_or_default());
    app.notify("Double click the tab to give it another name; #include \"name\" reads it.", None);
}

/// How many options differ from the defaults, of those that matter for a property about infinite runs
/// or about finite ones.
pub fn changes(settings: &Settings, infinite: bool) -> usize {
    let base = Settings::default();
    let counts = |id: &&OptionId| {
        let idle = matches!(id, OptionId::Fairness | OptionId::Emptiness) && !infinite;
        !idle && settings.get(**id) != base.get(**id)
    };
    OptionId::ALL.iter().filter(counts).count() + settings.defines.len()
}

#[component]
fn PropertyChoice() -> impl IntoView {
    let app = App::get();
    let list = Memo::new(move |_| app.properties());
    let option = move |(index, info): (usize, PropertyInfo)| {
        let possible = info.property.is_some();
        let title =
            if possible { info.title } else { format!("{} (cannot be checked yet)", info.title) };
        view! {
            <option
                value=index
                title=info.description
                disabled=!possible
            >
                {title}
            </option>
        }
    };
    // The menu shows the property that is checked, whatever was pressed.
    let again = RwSignal::new(0_u32);
    let choose = move |event: leptos::ev::Event| {
        let index = event_target::<HtmlSelectElement>(&event).selected_index();
        let chosen = usize::try_from(index).ok().and_then(|i| {
            list.with_untracked(|list| list.get(i).and_then(|it| it.property.clone()))
        });
        match chosen {
            Some(property) => app.select_property(property),
            // The last line: a formula that is to be written.
            None => app.write_formula(),
        }
        // While something runs it may be as before.
        again.update(|count| *count += 1);
    };
    let node = NodeRef::new();
    keep_chosen(node, move || {
        again.track();
        let own = app.property.get();
        let last = matches!(&own, Property::Formula { text } if text.is_empty());
        list.with(|list| {
            let found = list.iter().position(|it| it.property.as_ref() == Some(&own));
            found.or(last.then_some(list.len()))
        })
    });
    view! {
        <label class="property">
            <span class="property-label">"Property"</span>
            <select aria-label="Property" node_ref=node on:change=choose>
                {move || list.get().into_iter().enumerate().map(option).collect_view()}
                <option>"A formula of your own …"</option>
            </select>
        </label>
    }
}

#[component]
fn SimulateButton() -> impl IntoView {
    let app = App::get();
    view! {
        <button
            class="bar-button simulate"
            aria-label="Simulate"
            title="One random run (Ctrl+Shift+Enter)"
            aria-disabled=move || app.visible.get().to_string()
            on:click=move |_| app.simulate()
        >
            {icons::icon(icons::DIE)}
            <span class="bar-label">"Simulate"</span>
        </button>
    }
}

#[component]
fn CheckButton() -> impl IntoView {
    let app = App::get();
    let running = move || app.visible.get();
    let asked = move || app.running.with(|running| running.as_ref().is_some_and(|it| it.cancelled));
    let off =
        move || asked() || matches!(app.worker.get(), WorkerState::Unavailable(_)) && running();
    // It keeps the focus while it can do nothing.
    let press = move |_| match (untrack(off), app.visible.get_untracked()) {
        (true, _) => {}
        (false, true) => app.cancel(),
        (false, false) => app.check(),
    };
    view! {
        <button
            class="check"
            class:cancel=running
            title=move || if running() { "Cancel (Esc)" } else { "Check (Ctrl+Enter)" }
            aria-disabled=move || off().to_string()
            on:click=press
        >
            {move || if running() { "Cancel" } else { "Check" }}
        </button>
    }
}
