//! Why a counterexample is weakly fair, process by process.

use super::steps::chip;
use crate::app::App;
use leptos::prelude::*;
use promenade_protocol::FairnessEvidence;

/// With more processes than this, the list is closed at first.
const OPEN: usize = 4;

/// The list, under a fair counterexample.
#[component]
pub fn FairnessOfRun() -> impl IntoView {
    let app = App::get();
    move || {
        let evidence = app.found(|found| found.fairness.clone()).filter(|it| !it.is_empty())?;
        app.playback.with(Option::is_some).then_some(())?;
        let open = evidence.len() <= OPEN;
        let rows: Vec<_> = evidence.iter().map(|it| row(app, it)).collect();
        Some(view! {
            <details class="group fairness" open=open>
                <summary class="group-head">"Why this run is fair"</summary>
                <ul>{rows}</ul>
            </details>
        })
    }
}

fn row(app: App, it: &FairnessEvidence) -> impl IntoView + use<> {
    let place = |raw: u32| {
        app.playback.with(|playback| playback.as_ref().map_or(0, |it| it.place(raw as usize)))
    };
    let link = |text: String, step: usize| {
        view! {
            <button
                class="link-button"
                on:click=move |_| {
                    app.playing.set(false);
                    app.go_to(step);
                    app.view.set("trace");
                }
            >
                {text}
            </button>
        }
    };
    let said = match (it.moves_at, it.disabled_at) {
        (Some(at), _) => {
            let step = place(at) + 1;
            view! { " moves again and again, at " {link(format!("step {step}"), step)} }.into_any()
        }
        (None, Some(at)) => {
            let before = place(at);
            let text = format!("step {}", before + 1);
            view! { " cannot move again and again, before " {link(text, before)} }.into_any()
        }
        (None, None) => view! { ": no single step of the cycle shows it" }.into_any(),
    };
    view! {
        <li>
            {chip(&it.process, it.pid)} " "
            <strong>{format!("{}({})", it.process, it.pid)}</strong>
            {said}
        </li>
    }
}
