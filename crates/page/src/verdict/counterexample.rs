//! What the card says of a counterexample, and what can be done with it.

use crate::app::{App, is_infinite};
use crate::numbers::counted;
use crate::playback::CLAIM;
use leptos::prelude::*;
use promenade_protocol::{Experiment, Fairness, Property, Reduction, Search, TraceStep};

/// Longer runs may be worth a search for a shortest one.
const FEW_STEPS: usize = 5;

/// What can be done with a counterexample.
pub(super) fn offers(app: App) -> Option<AnyView> {
    let outcome = app.outcome().filter(|_| !app.visible.get() && !app.stale.get())?;
    let steps = app.playback.with(|it| it.as_ref().map(|it| it.steps()))?;
    let (fair, infinite) = app.found(|found| (found.fair, found.trace.cycle_start.is_some()))?;
    let Experiment { property, settings, .. } = &outcome.report.experiment;
    let view = (app.view.get() != "trace").then(|| {
        view! {
            <button class="quiet" id="show-run" on:click=move |_| {
                app.view.set("trace");
                request_animation_frame(|| crate::events::focus("#steps"));
            }>
                "Step through the run"
            </button>
        }
    });
    let finite = !infinite && matches!(property, Property::Safety | Property::Claim { .. });
    let shared = app.cores.get().suit(property, settings);
    let depth_first = settings.search == Search::DepthFirst && !shared;
    let shortest = (finite && depth_first && steps > FEW_STEPS && !outcome.replayed).then(|| {
        view! {
            <button
                class="quiet"
                id="shortest-run"
                on:click=move |_| app.check_with(|it| it.search = Search::BreadthFirst)
            >
                "Find a shortest run"
            </button>
        }
    });
    let weak = (fair == Some(false) && settings.fairness == Fairness::None).then(|| {
        view! {
            <button
                class="quiet"
                id="weak-fairness"
                on:click=move |_| app.check_with(|it| it.fairness = Fairness::Weak)
            >
                "Check with weak fairness"
            </button>
        }
    });
    Some(view! { <p class="card-actions card-offers">{view} {shortest} {weak}</p> }.into_any())
}

/// That no run is shorter, where the search makes sure of it: breadth-first, without a reduction, with
/// a store that misses no state.
pub(super) fn shortest_text(app: App) -> Option<String> {
    let outcome = app.outcome().filter(|it| !it.replayed && app.violation.get() == 0)?;
    let Experiment { property, settings, .. } = &outcome.report.experiment;
    let exact = settings.search == Search::BreadthFirst
        && settings.reduction != Reduction::AmpleSets
        && !settings.store.is_lossy()
        && !is_infinite(property);
    let steps = app.playback.with(|it| it.as_ref().map(|it| it.steps()))? as u64;
    let counted = counted(steps, "step", "steps");
    exact.then(|| format!("No run to an error is shorter: {counted}."))
}

/// In plain words that a counterexample is infinite, and where it repeats.
pub(super) fn infinite_text(app: App) -> Option<String> {
    app.found(|_| ())?;
    app.playback.with(|playback| {
        let playback = playback.as_ref()?;
        let start = playback.cycle_start()?;
        let steps = &playback.trace.steps;
        let alone = |step: &TraceStep| step.pid == CLAIM && playback.has_automaton();
        let standing = steps[start..].iter().all(alone);
        // The automaton may have moved alone before.
        let moved = steps.iter().rposition(|step| !alone(step)).map_or(0, |last| last + 1);
        let before = match if standing { moved } else { start } {
            0 => "From the very beginning".to_owned(),
            steps => format!("After {}", counted(steps as u64, "step", "steps")),
        };
        let length = (playback.steps() - start) as u64;
        Some(if standing {
            format!("The run comes to its end: {before} no process moves any more, and that is how it stays for ever.", before = before.to_lowercase())
        } else {
            format!(
                "The run is infinite. {before} {} over and over again, for ever.",
                if length == 1 {
                    "one step repeats".to_owned()
                } else {
                    format!("the same {} repeat", counted(length, "step", "steps"))
                }
            )
        })
    })
}

/// That a run is not weakly fair, and to whom.
pub(super) fn unfair_text(app: App) -> Option<String> {
    let (states, unfair) = app.found(|found| {
        let unfair = found.fairness.iter().filter(|it| !it.is_fair());
        let names = unfair.map(|it| format!("{}({})", it.process, it.pid)).collect::<Vec<_>>();
        (found.cycle_states, names)
    })?;
    let (last, others) = unfair.split_last()?;
    let states = match states {
        1 => "its only state".to_owned(),
        states => format!("all of its {states} states"),
    };
    Some(if others.is_empty() {
        format!("The cycle is not weakly fair: {last} is enabled in {states} and never moves.")
    } else {
        let list = others.join(", ");
        format!(
            "The cycle is not weakly fair: {list} and {last} are enabled in {states} and never move."
        )
    })
}
