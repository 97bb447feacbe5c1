//! The help panel. It lies over the result, so that the text stays in reach while reading.

use crate::app::App;
use crate::events::keep_chosen;
use crate::icons;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// A page, rendered when this crate was built.
struct Page {
    name: &'static str,
    title: &'static str,
    html: &'static str,
}

const PAGES: &[Page] = include!(concat!(env!("OUT_DIR"), "/help_pages.rs"));

fn page(name: &str) -> Option<&'static Page> {
    PAGES.iter().find(|page| page.name == name)
}

/// The panel.
#[component]
pub fn Help() -> impl IntoView {
    let app = App::get();
    let body = NodeRef::<html::Div>::new();
    let heading = NodeRef::<html::Select>::new();
    Effect::new(move |_| {
        if let Some(heading) = heading.get() {
            // It can have the focus.
            let _ = heading.focus();
        }
    });
    Effect::new(move |_| {
        let _ = app.help.get();
        if let Some(body) = body.get() {
            body.set_scroll_top(0);
        }
    });
    keep_chosen(heading, move || {
        let own = app.help.get();
        PAGES.iter().position(|page| page.name == own)
    });
    let follow = move |event: leptos::ev::MouseEvent| {
        let target = event.target().and_then(|it| it.dyn_into::<web_sys::Element>().ok());
        let link = target.and_then(|it| it.closest("a").ok().flatten());
        let Some(place) = link.and_then(|link| link.get_attribute("href")) else { return };
        event.prevent_default();
        if let Some(page) = place.strip_prefix("#help-").and_then(page) {
            app.help.set(page.name);
        }
    };
    let choose = move |event: leptos::ev::Event| {
        if let Some(page) = page(&event_target_value(&event)) {
            app.help.set(page.name);
        }
    };
    let html = move || page(app.help.get()).map_or("", |page| page.html);
    view! {
        <aside class="help" id="help" role="dialog" aria-label="Help">
            <header class="help-head">
                <select class="help-choice" node_ref=heading aria-label="Page of the help" on:change=choose>
                    {PAGES
                        .iter()
                        .map(|page| {
                            view! {
                                <option value=page.name>{page.title}</option>
                            }
                        })
                        .collect_view()}
                </select>
                <button class="icon-button" aria-label="Close the help" on:click=move |_| app.dialog.set(None)>
                    {icons::icon(icons::CLOSE)}
                </button>
            </header>
            <div class="help-body prose" node_ref=body tabindex="0" on:click=follow inner_html=html></div>
        </aside>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_pages() {
        for own in PAGES {
            for target in
                own.html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next())
            {
                let name = target.strip_prefix("#help-");
                assert!(
                    name.is_some_and(|name| page(name).is_some()),
                    "{} links to {target}",
                    own.name
                );
            }
            assert!(!own.html.contains("<script"));
        }
    }
}
