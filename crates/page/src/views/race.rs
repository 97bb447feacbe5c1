//! The comparison of algorithms as a table.

use crate::app::{App, Entrant, Status, is_infinite};
use crate::numbers::{bytes, counted, duration, grouped};
use leptos::prelude::*;
use promenade_protocol::{Fairness, Report, Verdict};

/// The comparison, closed at first.
#[component]
pub fn Race() -> impl IntoView {
    let app = App::get();
    let open = app.race.open;
    view! {
        <details class="tool" id="race" prop:open=move || open.get() on:toggle=move |event| open.set(super::is_open(&event))>
            <summary>"Compare algorithms"</summary>
            {move || open.get().then(|| view! { <Comparison/> })}
        </details>
    }
}

#[component]
fn Comparison() -> impl IntoView {
    let app = App::get();
    let going = move || app.race.current.get().is_some();
    let busy = move || app.running.with(Option::is_some);
    let about = move || {
        let title = app.property_title(&app.property.get());
        format!(
            "Checks the chosen property, {title}, once with each algorithm that can. The verdict is the same; what it costs is not."
        )
    };
    let said = move || {
        if let Some(current) = app.race.current.get() {
            let (total, name) = app
                .race
                .entrants
                .with(|all| (all.len(), all.get(current).map(|it| it.name).unwrap_or_default()));
            let progress = app.running.with(|it| it.as_ref().map_or(0, |it| it.progress.states));
            let states = counted(progress, "state", "states");
            return format!("{} of {total}: {name}, {states}", current + 1);
        }
        if app.race.entrants.with(Vec::is_empty) {
            return String::new();
        }
        match (app.race_is_old(), app.race.ended_early.get()) {
            (true, _) => "",
            (false, true) => "ended early",
            (false, false) => "",
        }
        .to_owned()
    };
    view! {
        <div class="tool-body">
            <p class="meaning tool-text">{about}</p>
            <div class="race-actions">
                <button
                    class="quiet"
                    disabled=move || !going() && busy()
                    on:click=move |_| if going() { app.cancel() } else { app.begin_race() }
                >
                    {move || if going() { "Cancel" } else { "Compare" }}
                </button>
                <span class="meaning" role="status">{said}</span>
            </div>
            {move || table(app)}
        </div>
    }
}

/// A column: its heading and its number, smaller is better.
struct Column {
    name: &'static str,
    value: fn(&Report) -> Option<u64>,
    text: fn(u64) -> String,
}

/// The numbers that are compared.
const COLUMNS: &[Column] = &[
    Column { name: "states", value: |it| Some(it.statistics.states_stored), text: grouped },
    Column { name: "transitions", value: |it| Some(it.statistics.transitions), text: grouped },
    Column { name: "steps", value: |it| Some(it.statistics.steps), text: grouped },
    Column { name: "stack", value: |it| Some(it.statistics.stack_bytes), text: bytes },
    Column {
        name: "time",
        value: |it| Some((it.statistics.seconds * 1e6) as u64),
        text: |micros| duration(micros as f64 / 1e6),
    },
    Column {
        name: "run",
        value: |it| Some(it.violations.first()?.trace.choices.len() as u64),
        text: grouped,
    },
];

/// Whether the numbers of a check can be compared with others.
fn is_complete(report: &Report) -> bool {
    matches!(report.verdict, Verdict::Holds | Verdict::Violated)
}

/// The smallest value of a column as it is written, if there is something to compare.
fn best(entrants: &[Entrant], column: &Column) -> Option<String> {
    let complete = entrants.iter().filter_map(|it| it.outcome.as_ref());
    let values: Vec<u64> = complete
        .filter(|it| is_complete(&it.report))
        .filter_map(|it| (column.value)(&it.report))
        .collect();
    let least = (column.text)(values.iter().min().copied()?);
    // Differences that are not seen are none.
    values.iter().any(|value| (column.text)(*value) != least).then_some(least)
}

fn table(app: App) -> Option<impl IntoView + use<>> {
    let entrants = app.race.entrants.get();
    if entrants.is_empty() {
        return None;
    }
    let current = app.race.current.get();
    let has = |column: &&Column| {
        column.name != "run"
            || entrants
                .iter()
                .filter_map(|it| it.outcome.as_ref())
                .any(|it| (column.value)(&it.report).is_some())
    };
    let columns: Vec<(&Column, Option<String>)> =
        COLUMNS.iter().filter(has).map(|column| (column, best(&entrants, column))).collect();
    let heads: Vec<_> =
        columns.iter().map(|(column, _)| view! { <th scope="col">{column.name}</th> }).collect();
    let rows: Vec<_> = entrants
        .iter()
        .enumerate()
        .map(|(index, entrant)| {
            let status = status(entrant, current == Some(index), current.is_some());
            let cells: Vec<_> = columns
                .iter()
                .map(|(column, best)| cell(entrant, column, best.as_deref()))
                .collect();
            view! {
                <tr data-algorithm=entrant.name>
                    <th scope="row">{entrant.name}</th>
                    <td>
                        <span class="status" data-status=status.word()>
                            <span class="dot" data-tone=status.tone()></span>
                            {status.word()}
                        </span>
                    </td>
                    {cells}
                </tr>
            }
        })
        .collect();
    let first = entrants.first().map(|it| &it.experiment);
    let without = first
        .is_some_and(|it| is_infinite(&it.property) && it.settings.fairness == Fairness::Weak)
        .then(|| {
            view! {
                <p class="meaning tool-text">
                    "Searches for one acceptance set do not take part: fairness adds a set for each process."
                </p>
            }
        });
    let bold = columns.iter().any(|(_, best)| best.is_some()).then(|| {
        view! { <p class="meaning tool-text">"Bold: the smallest of its column. Times of a few milliseconds say little."</p> }
    });
    let old = Memo::new(move |_| app.race_is_old());
    let old = move || old.get();
    Some(view! {
        {super::out_of_date(old, move || app.running.with(Option::is_some), move || app.begin_race())}
        <div class="race-scroll" tabindex="0" role="group" aria-label="Results of the algorithms" class:stale=old>
            <table class="race-table">
                <thead><tr><th scope="col">"algorithm"</th><th scope="col">"verdict"</th>{heads}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        {bold}
        {without}
    })
}

fn status(entrant: &Entrant, runs: bool, going: bool) -> Status {
    match &entrant.outcome {
        None if runs => Status::Running,
        None if going => Status::Waiting,
        None => Status::Unknown,
        Some(outcome) => Status::of(&outcome.report),
    }
}

fn cell(entrant: &Entrant, column: &Column, best: Option<&str>) -> impl IntoView + use<> {
    let report = entrant.outcome.as_ref().map(|it| &it.report);
    let text = report.and_then(column.value).map(column.text);
    let is_best = text.is_some() && text.as_deref() == best && report.is_some_and(is_complete);
    let text = text.unwrap_or_else(|| "–".to_owned());
    view! {
        <td class="number" class:best=is_best>
            {text} {is_best.then(|| view! { <span class="unseen">" (smallest)"</span> })}
        </td>
    }
}
