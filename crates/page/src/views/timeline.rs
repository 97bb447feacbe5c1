//! The propositions of a formula along a run, a row each: filled where they hold, with the cycle
//! bracketed.

use crate::app::{App, Shared, Shown};
use crate::propositions::{Row, rows};
use leptos::html;
use leptos::prelude::*;

/// Width of a state and height of a row, in pixels; the style sheet knows the height too.
const WIDTH: f64 = 14.0;
const HEIGHT: f64 = 20.0;
/// Room for the bracket.
const TOP: f64 = 12.0;

/// Equal values side by side.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Stretch {
    from: usize,
    to: usize,
    value: Option<bool>,
}

fn stretches(values: &[Option<bool>]) -> Vec<Stretch> {
    let mut out: Vec<Stretch> = Vec::new();
    for (at, value) in values.iter().enumerate() {
        match out.last_mut() {
            Some(last) if last.value == *value => last.to = at + 1,
            _ => out.push(Stretch { from: at, to: at + 1, value: *value }),
        }
    }
    out
}

/// The rows, if there is anything to show.
#[component]
pub fn Timeline() -> impl IntoView {
    let app = App::get();
    let known = Memo::new(move |_| {
        let playback = app.playback.get()?;
        let experiment = app.shown.with(|shown| match shown {
            Shown::Outcome(outcome) => Some(outcome.report.experiment.clone()),
            Shown::Run(run) => Some(run.experiment.clone()),
            _ => None,
        })?;
        let rows = rows(&experiment, &playback);
        (!rows.is_empty()).then(|| (Shared::new(rows), playback.cycle_start()))
    });
    move || known.get().map(|(rows, cycle)| view! { <Strip rows=rows cycle=cycle/> })
}

#[component]
fn Strip(rows: Shared<Vec<Row>>, cycle: Option<usize>) -> impl IntoView {
    let app = App::get();
    let scroller = NodeRef::<html::Div>::new();
    let states = rows.first().map_or(0, |row| row.holds.len());
    // The last state of an infinite run is that in which its cycle begins.
    let columns = if cycle.is_some() { states.saturating_sub(1) } else { states };
    let column = move || {
        let step = app.step.get();
        match cycle {
            Some(start) if step >= columns => start,
            _ => step,
        }
    };
    Effect::new(move |_| {
        let at = column() as f64 * WIDTH;
        let Some(scroller) = scroller.get() else { return };
        request_animation_frame(move || {
            let (left, width) =
                (f64::from(scroller.scroll_left()), f64::from(scroller.client_width()));
            if at < left || at + WIDTH > left + width {
                scroller.set_scroll_left((at - width / 2.0).max(0.0) as i32);
            }
        });
    });
    let width = columns as f64 * WIDTH + 2.0;
    let height = TOP + rows.len() as f64 * HEIGHT;
    let bars: Vec<_> = rows
        .iter()
        .enumerate()
        .flat_map(|(row, it)| {
            let shown = it.holds.get(..columns).unwrap_or(&it.holds);
            stretches(shown).into_iter().map(move |part| {
                let class = match part.value {
                    Some(true) => "holds",
                    Some(false) => "fails",
                    None => "unknown",
                };
                let (y, high) = match part.value {
                    Some(true) => (3.0, HEIGHT - 6.0),
                    _ => (HEIGHT - 5.0, 2.0),
                };
                let x = part.from as f64 * WIDTH + 1.0;
                let wide = (part.to - part.from) as f64 * WIDTH - 2.0;
                let y = TOP + row as f64 * HEIGHT + y;
                view! { <rect class=class x=x y=y width=wide height=high rx="2"></rect> }
            })
        })
        .collect();
    let bracket = cycle.map(|start| {
        let (from, to) = (start as f64 * WIDTH + 1.0, columns as f64 * WIDTH - 1.0);
        let line = format!("M{from} {height}V4H{to}V{height}Z");
        view! { <path class="timeline-cycle" d=line><title>"repeats for ever"</title></path> }
    });
    let names: Vec<_> = rows
        .iter()
        .map(|row| {
            let (text, holds) = (row.text.clone(), row.holds.clone());
            let word = move || match holds.get(column()).copied().flatten() {
                Some(true) => "holds",
                Some(false) => "does not hold",
                None => "unknown",
            };
            let sign = {
                let word = word.clone();
                move || match word() {
                    "holds" => "●",
                    "unknown" => "?",
                    _ => "○",
                }
            };
            view! {
                <li title=text.clone()>
                    <span aria-hidden="true">{sign}</span>
                    <code>{text.clone()}</code>
                    <span class="unseen">{word}</span>
                </li>
            }
        })
        .collect();
    let click = move |event: leptos::ev::MouseEvent| {
        let at = (f64::from(event.offset_x()) / WIDTH).floor().max(0.0) as usize;
        app.playing.set(false);
        app.go_to(at.min(columns.saturating_sub(1)));
    };
    view! {
        <section class="timeline" aria-label="Propositions along the run">
            <ul class="timeline-names">{names}</ul>
            <div class="timeline-scroll" node_ref=scroller>
                <svg width=width height=height + 2.0 on:click=click aria-hidden="true">
                    <rect
                        class="timeline-here"
                        x=move || column() as f64 * WIDTH
                        y=TOP - 4.0
                        width=WIDTH
                        height=height - TOP + 4.0
                        rx="3"
                    ></rect>
                    {bars}
                    {bracket}
                </svg>
            </div>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_make_one_bar() {
        let values = [Some(true), Some(true), None, Some(false), Some(true)];
        let parts: Vec<_> =
            stretches(&values).into_iter().map(|it| (it.from, it.to, it.value)).collect();
        assert_eq!(
            parts,
            [(0, 2, Some(true)), (2, 3, None), (3, 4, Some(false)), (4, 5, Some(true))]
        );
        assert!(stretches(&[]).is_empty());
    }
}
