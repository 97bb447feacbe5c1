//! The numbers of a run, each with what it means.

use super::layout::Layout;
use super::techniques::TechniquesTable;
use super::{View, nothing};
use crate::app::App;
use crate::numbers::{bytes, duration, grouped, rate};
use leptos::prelude::*;
use promenade_protocol::{PlanNote, Statistics, Verdict};

/// The view.
pub struct StatisticsView;

impl View for StatisticsView {
    fn id(&self) -> &'static str {
        "statistics"
    }

    fn title(&self) -> &'static str {
        "Statistics"
    }

    fn waits(&self, app: App) -> bool {
        app.outcome().is_none()
    }

    fn show(&self, app: App) -> AnyView {
        let layout = RwSignal::new(false);
        let numbers = move || {
            let Some(outcome) = app.outcome() else {
                return nothing("After a check: how much was explored, and what it cost.");
            };
            if outcome.replayed {
                return nothing("A counterexample from a link was replayed; nothing was searched.");
            }
            if outcome.report.verdict == Verdict::InputError {
                return nothing("Nothing was searched: there is an error to mend first.");
            }
            let rows = rows(&outcome.report.statistics);
            let version = outcome.report.version.clone();
            view! {
                <table class="numbers">
                    <tbody>
                        {rows
                            .into_iter()
                            .map(|(name, value, meaning)| {
                                view! {
                                    <tr>
                                        <th scope="row">{name}</th>
                                        <td class="number">{value}</td>
                                        <td class="meaning">{meaning}</td>
                                    </tr>
                                }
                            })
                            .collect_view()}
                    </tbody>
                </table>
                {plan(&outcome.plan)}
                <p class="faint foot">{format!("Promenade {version}")}</p>
                <Layout outcome=outcome.clone() open=layout/>
            }
            .into_any()
        };
        // The comparison does not need a result, and is not redrawn with it.
        view! {
            <div class="result-numbers">{numbers}</div>
            <TechniquesTable/>
        }
        .into_any()
    }
}

type Row = (&'static str, String, &'static str);

fn rows(it: &Statistics) -> Vec<Row> {
    let per_second = it.states_per_second().map_or("-".to_owned(), rate);
    let per_state = it.store_bytes.checked_div(it.states_stored).map_or("-".to_owned(), bytes);
    let mut rows = vec![
        ("States stored", grouped(it.states_stored), "different states that were visited and kept"),
        (
            "States matched",
            grouped(it.states_matched),
            "arrivals at a state that was known already",
        ),
        ("Transitions", grouped(it.transitions), "stored and matched together"),
        (
            "Atomic steps",
            grouped(it.atomic_steps),
            "steps inside atomic sequences, not counted as states",
        ),
        (
            "Depth",
            grouped(it.depth),
            "moves on the longest path that was followed, those of an automaton and of an inner search included",
        ),
        ("Steps", grouped(it.steps), "all that were looked at, those of inner searches included"),
        ("Peak stack", grouped(it.peak_stack), "most states on stacks or in the queue at once"),
        ("Errors", grouped(it.errors), "violations that were found"),
        ("State vector", bytes(it.state_bytes), "the longest state"),
        ("Memory for states", bytes(it.store_bytes), "everything that recognises known states"),
        ("Memory a state", per_state, "that divided by the states stored"),
        ("Memory for the search", bytes(it.stack_bytes), "its stack or queue"),
        ("Memory in all", bytes(it.memory_bytes), "the most that was charged to the budget"),
        ("Time", duration(it.seconds), "of the search"),
        ("Pace", per_second, "states per second"),
        ("Reading the text", duration(it.compile_seconds), "from the text to the executable model"),
    ];
    // Of searchers that share the states nobody counts it.
    rows.retain(|(name, _, _)| *name != "Peak stack" || it.peak_stack > 0);
    // Without an inner search they are the transitions.
    rows.retain(|(name, _, _)| *name != "Steps" || it.steps > it.transitions);
    if it.states_reduced > 0 {
        let meaning = "states of which only the steps of one process were taken";
        rows.insert(1, ("States reduced", grouped(it.states_reduced), meaning));
    }
    if it.states_before > 0 {
        let meaning = "states before a reduction, or of searches with a bound; they count in time, \
                       pace and memory in all only";
        rows.insert(1, ("Other searches", grouped(it.states_before), meaning));
    }
    rows
}

fn plan(notes: &[PlanNote]) -> Option<impl IntoView + use<>> {
    let rows: Vec<_> = notes
        .iter()
        .map(|note| view! { <li><span class="row-kind">{note.topic.clone()}</span>{note.text.clone()}</li> })
        .collect();
    (!rows.is_empty()).then(|| {
        view! {
            <section class="plan">
                <h3>"How it was done"</h3>
                <ul>{rows}</ul>
            </section>
        }
    })
}
