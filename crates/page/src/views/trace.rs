//! The trace: steps with the keys to go through them, values beside.

use super::steps::Steps;
use super::values::Values;
use super::{View, nothing};
use crate::app::App;
use crate::icons;
use leptos::prelude::*;
use std::time::Duration;
use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;

/// Time between two steps while playing.
const PACE: Duration = Duration::from_millis(700);

/// The view.
pub struct TraceView;

impl View for TraceView {
    fn id(&self) -> &'static str {
        "trace"
    }

    fn title(&self) -> &'static str {
        "Trace"
    }

    fn count(&self, app: App) -> Option<usize> {
        app.playback.with(|playback| playback.as_ref().map(|it| it.steps()))
    }

    fn waits(&self, app: App) -> bool {
        app.playback.with(Option::is_none)
    }

    fn show(&self, app: App) -> AnyView {
        (move || {
            if app.playback.with(Option::is_none) {
                return nothing(
                    "When a property is violated, the run that goes wrong is here: step by step, with \
                     the values after each step. Simulate shows one random run in the same way.",
                );
            }
            view! { <Trace/> }.into_any()
        })
        .into_any()
    }
}

#[component]
fn Trace() -> impl IntoView {
    let app = App::get();
    let last = move || app.playback.with(|it| it.as_ref().map_or(0, |it| it.steps()));
    let back = move || {
        app.playing.set(false);
        app.go_to(app.step.get_untracked().saturating_sub(1));
    };
    // An infinite run goes on at the start of its cycle.
    let after = move || {
        let step = app.step.get();
        app.playback.with(|it| it.as_ref().and_then(|it| it.next(step)))
    };
    let next = move || {
        app.playing.set(false);
        if let Some(step) = untrack(after) {
            app.go_to(step);
        }
    };
    let to = move |step: usize| {
        app.playing.set(false);
        app.go_to(step);
    };
    let play = move || {
        if !app.playing.get_untracked() && untrack(after).is_none() {
            app.go_to(0);
        }
        app.playing.update(|playing| *playing = !*playing);
    };
    let timer = set_interval_with_handle(
        move || {
            if app.playing.get_untracked() {
                match untrack(after) {
                    Some(step) => app.go_to(step),
                    None => app.playing.set(false),
                }
            }
        },
        PACE,
    )
    .ok();
    on_cleanup(move || {
        app.playing.set(false);
        if let Some(timer) = timer {
            timer.clear();
        }
    });
    let press = move |event: KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() || event.shift_key() {
            return;
        }
        // Controls inside keep the keys that they use themselves.
        let tag = event.target().and_then(|it| it.dyn_into::<web_sys::Element>().ok());
        let tag = tag.map(|it| it.tag_name()).unwrap_or_default();
        let own = matches!(tag.as_str(), "INPUT" | "SELECT" | "TEXTAREA");
        match event.key().as_str() {
            "ArrowRight" if !own => next(),
            "ArrowLeft" if !own => back(),
            "Home" if !own => to(0),
            "End" if !own => to(untrack(last)),
            " " if !own && tag != "BUTTON" => play(),
            _ => return,
        }
        event.prevent_default();
    };
    let at_start = move || app.step.get() == 0;
    let at_end = move || app.step.get() >= last();
    let stops = move || after().is_none();
    let button =
        move |label: &'static str, icon: &'static str, off: Signal<bool>, act: Callback<()>| {
            view! {
                <button
                    class="icon-button"
                    aria-label=label
                    title=label
                    aria-disabled=move || off.get().to_string()
                    on:click=move |_| act.run(())
                >
                    {icons::icon(icon)}
                </button>
            }
        };
    let start = Signal::derive(at_start);
    let end = Signal::derive(at_end);
    let stop = Signal::derive(stops);
    view! {
        <div class="trace" on:keydown=press>
            <div class="player" role="toolbar" aria-label="Steps">
                {button("To the start (Home)", icons::FIRST, start, Callback::new(move |()| to(0)))}
                {button("Back (Left)", icons::BACK, start, Callback::new(move |()| back()))}
                <button
                    class="icon-button play"
                    aria-label=move || if app.playing.get() { "Pause (Space)" } else { "Play (Space)" }
                    title=move || if app.playing.get() { "Pause (Space)" } else { "Play (Space)" }
                    on:click=move |_| play()
                >
                    {move || {
                        icons::icon(if app.playing.get() { icons::PAUSE } else { icons::PLAY })
                    }}
                </button>
                {button("Forward (Right)", icons::NEXT, stop, Callback::new(move |()| next()))}
                {button("To the end (End)", icons::LAST, end, Callback::new(move |()| to(untrack(last))))}
                <input
                    class="slider"
                    type="range"
                    min="0"
                    max=last
                    aria-label="Step"
                    prop:value=move || app.step.get().to_string()
                    on:input=move |event| {
                        if let Ok(step) = event_target_value(&event).parse() {
                            to(step);
                        }
                    }
                />
                <span class="step-number">
                    {move || format!("{} / {}", crate::numbers::grouped(app.step.get() as u64), crate::numbers::grouped(last() as u64))}
                </span>
            </div>
            <div class="trace-parts">
                <Steps/>
                <Values/>
            </div>
        </div>
    }
}
