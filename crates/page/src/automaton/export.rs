//! Automata for other programs: pictures are saved, texts are copied, or saved where copying is refused.

use crate::app::{App, Shared};
use crate::files;
use crate::icons;
use crate::menu::{Item, Menu};
use crate::share::copy_text;
use leptos::prelude::*;
use promenade_figures::svg::{self, Theme};
use promenade_figures::{Drawing, dot};
use promenade_protocol::AutomatonData;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, CanvasRenderingContext2d, HtmlCanvasElement, HtmlImageElement};

/// Pixels of a saved picture for one of the drawing.
const SHARPNESS: f64 = 2.0;
/// Browsers make no larger canvas, in pixels of a side.
const LARGEST: f64 = 16_000.0;

/// The button and its menu.
#[component]
pub fn ExportMenu(
    /// What is drawn.
    data: Memo<Option<Shared<AutomatonData>>>,
    /// Its drawing.
    drawing: Memo<Option<Shared<Drawing>>>,
) -> impl IntoView {
    let app = App::get();
    let picture = move || -> Option<(String, Shared<Drawing>)> {
        let drawing = drawing.get_untracked()?;
        let title = data.with_untracked(|it| it.as_ref().map(|it| it.formula.clone()))?;
        let dark = dark();
        let theme = if dark { Theme::Dark } else { Theme::Light };
        Some((svg::write(&drawing, &title, theme), drawing))
    };
    let as_svg = move || {
        if let Some((text, _)) = picture()
            && files::save_text("automaton.svg", &text, "image/svg+xml").is_err()
        {
            app.warn("The browser did not let the page save a file.", None);
        }
    };
    let as_png = move || {
        let Some((text, drawing)) = picture() else { return };
        spawn_local(async move {
            if png("automaton.png", &text, (drawing.width, drawing.height)).await.is_err() {
                app.warn("The browser could not make a picture of it. Save it as SVG.", None);
            }
        });
    };
    let give = move |what: &'static str, name: &'static str, text: Option<String>| {
        let Some(text) = text.filter(|text| !text.is_empty()) else {
            app.notify("There is no formula whose automaton could be given.", None);
            return;
        };
        spawn_local(async move {
            if copy_text(&text).await {
                app.notify(format!("{what} copied."), None);
            } else if files::save_text(name, &text, "text/plain").is_err() {
                app.warn("The browser lets the page neither copy nor save.", None);
            }
        });
    };
    let of = move |pick: fn(&promenade_protocol::FormulaReport) -> &String| {
        untrack(|| app.formula.current()).map(|reading| pick(&reading.report).clone())
    };
    let items = vec![
        Item::new("Save as SVG", "", as_svg),
        Item::new("Save as PNG", "", as_png),
        Item::new("Copy for Graphviz (DOT)", "", move || {
            let text = data.with_untracked(|data| data.as_ref().map(|data| dot::write(data)));
            give("The automaton for Graphviz was", "automaton.dot", text);
        }),
        Item::new("Copy the formula's automaton (HOA)", "", move || {
            give("The automaton in the HOA format was", "automaton.hoa", of(|it| &it.hoa));
        }),
        Item::new("Copy the negation as never claim", "", move || {
            give("The never claim was", "never.pml", of(|it| &it.never_claim));
        }),
        Item::new("Copy the formula for LaTeX", "", move || {
            give("The formula for LaTeX was", "formula.tex", of(|it| &it.latex));
        }),
    ];
    view! { <Menu label="Export" icon=icons::EXPORT end=true items=items/> }
}

/// Whether the page is dark now.
pub fn dark() -> bool {
    let chosen = crate::events::root().and_then(|root| root.get_attribute("data-theme"));
    match chosen.as_deref() {
        Some("dark") => true,
        Some("light") => false,
        _ => web_sys::window()
            .and_then(|it| it.match_media("(prefers-color-scheme: dark)").ok().flatten())
            .is_some_and(|it| it.matches()),
    }
}

/// Saves a picture, given as SVG, as PNG.
pub async fn png(name: &str, text: &str, size: (f64, f64)) -> Result<(), JsValue> {
    let image = HtmlImageElement::new()?;
    image.set_src(&format!("data:image/svg+xml,{}", js_sys::encode_uri_component(text)));
    JsFuture::from(image.decode()).await?;
    let side = size.0.max(size.1).max(1.0);
    let factor = SHARPNESS.min(LARGEST / side);
    let (width, height) = (size.0 * factor, size.1 * factor);
    let canvas: HtmlCanvasElement = document().create_element("canvas")?.unchecked_into();
    canvas.set_width(width.ceil() as u32);
    canvas.set_height(height.ceil() as u32);
    let context = canvas.get_context("2d")?.ok_or(JsValue::NULL)?;
    let context: CanvasRenderingContext2d = context.unchecked_into();
    context.draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, width, height)?;
    let made = js_sys::Promise::new(&mut |resolve, _| {
        let done = Closure::once_into_js(move |blob: JsValue| {
            // Calling what settles a promise cannot fail.
            let _ = resolve.call1(&JsValue::UNDEFINED, &blob);
        });
        // Without a picture the promise stays open, and nothing is saved.
        let _ = canvas.to_blob(done.unchecked_ref());
    });
    let blob: Blob = JsFuture::from(made).await?.dyn_into()?;
    files::save_blob(name, &blob)
}
