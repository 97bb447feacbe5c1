//! Light, dark, or what the system says. `www/theme.js` applies the choice before the page starts.

use crate::events::set_root_attribute;
use crate::icons;
use crate::menu::{Item, Menu};
use crate::storage::{self, Place};
use leptos::prelude::*;

const KEY: &str = "theme";

/// The button with the three choices.
#[component]
pub fn ThemeMenu() -> impl IntoView {
    let theme = RwSignal::new(storage::load::<String>(Place::Device, KEY).unwrap_or_default());
    Effect::new(move |_| {
        let theme = theme.get();
        let known = matches!(theme.as_str(), "light" | "dark");
        set_root_attribute("data-theme", known.then_some(theme.as_str()));
    });
    let item = move |label: &'static str, value: &'static str| Item {
        chosen: Some(Signal::derive(move || theme.get() == value)),
        ..Item::new(label, "", move || {
            theme.set(value.to_owned());
            storage::save(Place::Device, KEY, &value);
        })
    };
    let items = vec![item("Like the system", ""), item("Light", "light"), item("Dark", "dark")];
    view! { <Menu label="Theme" icon=icons::THEME small=true end=true items=items/> }
}
