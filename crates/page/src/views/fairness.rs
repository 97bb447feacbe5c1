//! Whether a counterexample is weakly fair, process by process.

use super::steps::chip;
use crate::app::App;
use crate::numbers::{counted, grouped};
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
        let (fair, states) = app.found(|found| (found.fair, found.cycle_states))?;
        let title = match fair {
            Some(false) => "Why this run is not weakly fair",
            _ => "Why this run is weakly fair",
        };
        let rows: Vec<_> = evidence.iter().map(|it| row(app, it, states)).collect();
        Some(view! {
            <details class="group fairness" open=open>
                <summary class="group-head">{title}</summary>
                <ul>{rows}</ul>
            </details>
        })
    }
}

fn row(app: App, it: &FairnessEvidence, states: u32) -> impl IntoView + use<> {
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
    let enabled = match it.enabled {
        0 => " is never enabled on the cycle".to_owned(),
        all if all == states => format!(" is enabled in {}", of_states(states)),
        some => format!(" is enabled in {some} of {}", counted(states.into(), "state", "states")),
    };
    let moves = match it.moves {
        0 if it.enabled == 0 => "",
        0 => ", never moves",
        1 => ", moves once",
        _ => ", moves again and again",
    };
    let link = match (it.moves_at, it.disabled_at) {
        (Some(at), _) => {
            let step = place(at) + 1;
            Some(view! { ", at " {link(format!("step {step}"), step)} }.into_any())
        }
        (None, Some(at)) if it.enabled > 0 => {
            let before = place(at);
            let text = format!("step {}", before + 1);
            Some(view! { "; not enabled before " {link(text, before)} }.into_any())
        }
        _ => None,
    };
    let unfair = (!it.is_fair()).then(|| view! { <strong class="unfair">" – unfair"</strong> });
    view! {
        <li>
            {chip(&it.process, it.pid)} " "
            <strong>{format!("{}({})", it.process, it.pid)}</strong>
            {enabled} {moves} {link} {unfair}
        </li>
    }
}

/// All states of the cycle, in words.
fn of_states(states: u32) -> String {
    match states {
        1 => "its one state".to_owned(),
        states => format!("all {} states", grouped(states.into())),
    }
}
