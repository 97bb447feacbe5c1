//! How many workers a check has: a choice of this device, not of the document.

use crate::app::App;
use crate::combinations::cores_idle;
use crate::crew::{self, Cores, MOST};
use crate::events::keep_chosen;
use crate::options::{Refused, reason};
use leptos::prelude::*;

/// How many workers this device can run at once.
fn processors() -> u32 {
    let window = web_sys::window();
    let cores = window.map_or(1.0, |window| window.navigator().hardware_concurrency());
    (cores as u32).clamp(1, MOST)
}

fn choose(app: App, cores: Cores) {
    crew::keep(cores);
    app.cores.set(cores);
}

/// The part of the options.
#[component]
pub fn CoresChoice() -> impl IntoView {
    let app = App::get();
    let most = processors().max(2);
    let current = move || app.cores.get();
    let numbers: Vec<u32> = (2..=most).collect();
    let count = move |cores: Cores| match cores {
        Cores::One => most,
        Cores::Share(of) | Cores::Swarm(of) => of.min(most),
    };
    let row = move |name: &'static str, meaning: &'static str, value: fn(u32) -> Cores| {
        let same = move || {
            let chosen = current();
            value(chosen.count()) == chosen
        };
        let why = Memo::new(move |_| {
            app.property
                .with(|property| app.settings.with(|it| cores_idle(property, it, value(most))))
        });
        view! {
            <label class="choice" class:off=move || why.get().is_some()>
                <input
                    type="radio"
                    name="cores"
                    disabled=move || why.get().is_some()
                    prop:checked=same
                    on:change=move |_| choose(app, value(count(app.cores.get_untracked())))
                />
                <span>{name}</span>
                <span class="meaning">{meaning}</span>
                {move || why.get().and_then(|why| reason(Refused::Idle(why), same()))}
            </label>
        }
    };
    let node = NodeRef::new();
    keep_chosen(node, move || Some((count(current()) - 2) as usize));
    let change = move |event: leptos::ev::Event| {
        let Ok(of) = event_target_value(&event).parse() else { return };
        match app.cores.get_untracked() {
            Cores::Swarm(_) => choose(app, Cores::Swarm(of)),
            _ => choose(app, Cores::Share(of)),
        }
    };
    let options = numbers.into_iter().map(|of| view! { <option value=of>{of}</option> });
    let options = options.collect_view();
    view! {
        <fieldset>
            <legend>"Workers"</legend>
            {row("One", "One worker does the whole check.", |_| Cores::One)}
            {row(
                "Share the states",
                "Each worker stores and expands a part of the states, level by level: exact, breadth-first, and the same numbers as with one worker. Pays off from some hundred thousand states on.",
                Cores::Share,
            )}
            {row(
                "Swarm",
                "Each worker searches alone, with another seed and another order of steps; they share the memory. The first error or proof ends all. For stores that may miss states: together they miss fewer.",
                Cores::Swarm,
            )}
            <label class="field" hidden=move || current() == Cores::One>
                <select node_ref=node aria-label="Number of workers" on:change=change>
                    {options}
                </select>
                <span class="meaning">
                    "workers. This is a choice for this device and not part of links."
                </span>
            </label>
        </fieldset>
    }
}
