//! The list of steps. Only the rows in sight exist, so that long traces scroll well.

use crate::app::{App, process_colour, process_label, process_name};
use crate::playback::{AutomatonMove, CLAIM};
use leptos::html;
use leptos::prelude::*;
use promenade_protocol::{MessageData, TraceStep};

/// The height of a row in pixels; the style sheet says the same.
const ROW: f64 = 28.0;
/// Rows made above and below those in sight.
const SPARE: f64 = 10.0;

/// The list: the initial state, the steps, and what is wrong at the end.
#[component]
pub fn Steps() -> impl IntoView {
    let app = App::get();
    let scroller = NodeRef::<html::Div>::new();
    let top = RwSignal::new(0.0_f64);
    let height = RwSignal::new(400.0_f64);
    let steps = Memo::new(move |_| app.playback.with(|it| it.as_ref().map_or(0, |it| it.steps())));
    let fault = Memo::new(move |_| {
        app.found(|found| found.message.clone()).is_some() || app.run().is_some()
    });
    let cycle =
        Memo::new(move |_| app.playback.with(|it| it.as_ref().and_then(|it| it.cycle_start())));
    let rows =
        move || steps.get() + 1 + usize::from(fault.get()) + usize::from(cycle.get().is_some());
    let measure = move || {
        if let Some(scroller) = scroller.get_untracked() {
            top.set(f64::from(scroller.scroll_top()));
            height.set(f64::from(scroller.client_height()));
        }
    };
    let window = Memo::new(move |_| {
        let first = (top.get() / ROW - SPARE).max(0.0) as usize;
        let count = (height.get() / ROW + 2.0 * SPARE) as usize + 1;
        (first, (first + count).min(rows()))
    });
    // The step that is shown is always in sight.
    Effect::new(move |_| {
        let step = app.step.get();
        let last = step == steps.get();
        let line = row_of(step, cycle.get());
        let Some(scroller) = scroller.get() else { return };
        request_animation_frame(move || {
            let row = if last && untrack(|| fault.get()) { line + 1 } else { line };
            let (from, to) = (line as f64 * ROW, (row + 1) as f64 * ROW);
            let (top, height) =
                (f64::from(scroller.scroll_top()), f64::from(scroller.client_height()));
            let margin = if height > 5.0 * ROW { ROW } else { 0.0 };
            if from - margin < top {
                scroller.set_scroll_top((from - margin).max(0.0) as i32);
            } else if to + margin > top + height {
                scroller.set_scroll_top((to + margin - height).ceil() as i32);
            }
            measure();
        });
    });
    let row = move |row: usize| {
        let cycle = cycle.get_untracked();
        if cycle.is_some_and(|start| row == start + 1) {
            return cycle_row(row);
        }
        let index = step_of(row, cycle);
        if index == 0 {
            return place(
                app,
                (0, row, false),
                view! { <span class="step-text">"initial state"</span> }.into_any(),
            );
        }
        if index > steps.get_untracked() {
            return fault_row(app, index, row);
        }
        let content = app.playback.with_untracked(|playback| {
            let playback = playback.as_ref()?;
            let step = playback.trace.steps.get(index - 1)?;
            let moved = playback.automaton_move(index);
            Some(if step.pid == CLAIM && playback.has_automaton() {
                still_row(moved, playback.stands_still(index)).into_any()
            } else {
                step_row(app, step, moved).into_any()
            })
        });
        let again = cycle.is_some_and(|start| index > start);
        place(app, (index, row, again), content.unwrap_or_else(|| ().into_any()))
    };
    view! {
        <div
            class="steps"
            id="steps"
            role="listbox"
            tabindex="0"
            aria-label="Steps of the run. Left and Right step, Space plays."
            aria-activedescendant=move || format!("step-{}", app.step.get())
            node_ref=scroller
            on:scroll=move |_| measure()
        >
            <div class="steps-space" style:height=move || format!("{}px", rows() as f64 * ROW)>
                <For
                    each=move || {
                        // A new trace has new rows.
                        app.playback.track();
                        let violation = app.violation.get();
                        let (from, to) = window.get();
                        (from..to).map(move |index| (violation, index))
                    }
                    key=|key| *key
                    children=move |(_, index)| row(index)
                />
            </div>
        </div>
    }
}

/// The row of a step: the steps of a cycle come after a row that says so.
fn row_of(step: usize, cycle: Option<usize>) -> usize {
    step + usize::from(cycle.is_some_and(|start| step > start))
}

/// The step of a row, which is not that of the cycle's heading.
fn step_of(row: usize, cycle: Option<usize>) -> usize {
    row - usize::from(cycle.is_some_and(|start| row > start))
}

/// The heading of a cycle.
fn cycle_row(row: usize) -> AnyView {
    view! {
        <div
            class="step step-cycle"
            id="step-cycle"
            role="presentation"
            style:transform=format!("translateY({}px)", row as f64 * ROW)
        >
            <span class="step-index" aria-hidden="true">"↻"</span>
            <span class="step-text">"from here the steps repeat for ever"</span>
        </div>
    }
    .into_any()
}

/// A step: its number, its row, and whether it is on the cycle.
fn place(app: App, (index, row, again): (usize, usize, bool), content: AnyView) -> AnyView {
    view! {
        <div
            class="step"
            class:again=again
            id=format!("step-{index}")
            role="option"
            aria-selected=move || (app.step.get() == index).to_string()
            style:transform=format!("translateY({}px)", row as f64 * ROW)
            on:click=move |_| {
                app.playing.set(false);
                app.go_to(index);
            }
        >
            <span class="step-index">{index}</span>
            {content}
        </div>
    }
    .into_any()
}

/// What is wrong at the end, in a line.
fn fault_text(app: App) -> String {
    if let Some(run) = app.run() {
        return run.end.line();
    }
    app.found(|found| match found.kind.as_str() {
        "invalid_end_state" => "invalid end state: no process can move".to_owned(),
        _ => found.message.clone(),
    })
    .unwrap_or_default()
}

fn fault_row(app: App, index: usize, row: usize) -> AnyView {
    let again = app.playback.with_untracked(|it| it.as_ref().and_then(|it| it.cycle_start()));
    if let Some(start) = again {
        let to = start + 1;
        return view! {
            <div
                class="step step-fault step-back"
                id="step-fault"
                role="presentation"
                style:transform=format!("translateY({}px)", row as f64 * ROW)
                title="Forward goes on at the start of the cycle"
                on:click=move |_| app.go_to(to)
            >
                <span class="step-index" aria-hidden="true">"↻"</span>
                <span class="step-text">{format!("and again from step {to}, for ever")}</span>
            </div>
        }
        .into_any();
    }
    let message =
        move || app.found(|found| found.message.clone()).unwrap_or_else(|| fault_text(app));
    // Which processes are stuck, and at what, is beside.
    let cut = app.playback.with_untracked(|it| it.as_ref().is_some_and(|it| it.trace.truncated));
    let short = move || {
        if cut {
            "the run goes on: it is too long to be shown whole".to_owned()
        } else {
            fault_text(app)
        }
    };
    let message = move || if cut { short() } else { message() };
    // A run that does not go wrong ends all the same.
    let calm = cut || untrack(|| app.run()).is_some_and(|run| !run.end.is_bad());
    view! {
        <div
            class="step step-fault"
            class:cut=calm
            id="step-fault"
            role="presentation"
            style:transform=format!("translateY({}px)", row as f64 * ROW)
            title=message
            on:click=move |_| app.go_to(index - 1)
        >
            <span class="step-index" aria-hidden="true">{if calm { "…" } else { "✕" }}</span>
            <span class="step-text">{short}</span>
        </div>
    }
    .into_any()
}

/// The chip of a process.
pub fn chip(name: &str, pid: u8) -> impl IntoView + use<> {
    view! {
        <span class="chip" data-process=process_colour(pid) title=process_name(name, pid)>
            {process_label(name, pid)}
        </span>
    }
}

fn message_text(message: &MessageData) -> String {
    let values = message.values.join(",");
    let MessageData { channel, kind, .. } = message;
    match kind.as_str() {
        "send" => format!("{channel} ← {values}"),
        "receive" => format!("{channel} → {values}"),
        "peek" => format!("{channel} ⇢ {values}"),
        "rendezvous" => format!("{channel} ⇄ {values}"),
        "lost" => format!("{channel} lost {values}"),
        other => format!("{channel} {other} {values}"),
    }
}

/// The move of the automaton in a step.
fn automaton_chip(moved: Option<AutomatonMove>) -> Option<impl IntoView + use<>> {
    moved.map(|AutomatonMove { from, to }| {
        let title = if from == to {
            format!("the automaton of the property stays in state {from}")
        } else {
            format!("the automaton of the property goes from state {from} to state {to}")
        };
        let text = if from == to { to.to_string() } else { format!("{from} → {to}") };
        view! {
            <span class="automaton-chip" class:moved={from != to} title=title>
                <span class="automaton-word">"automaton "</span>
                {text}
            </span>
        }
    })
}

/// The model does not move, and only the automaton does: the run has come to its end, or what has
/// happened decides the property already.
fn still_row(moved: Option<AutomatonMove>, ended: bool) -> impl IntoView {
    let (text, title) = if ended {
        (
            "the run has ended and stays here",
            "No process can move any more. A run that has come to its end counts as staying in its last state for ever.",
        )
    } else {
        (
            "the property is violated, whatever follows",
            "The automaton reads the state that was reached, and needs no further step.",
        )
    };
    view! {
        <span class="step-text still" title=title>{text}</span>
        {automaton_chip(moved)}
    }
}

/// Where a statement stands, and where the inlines are called that it stems from.
fn place_of(app: App, step: &TraceStep) -> impl IntoView + use<> {
    let called = step.calls.iter().map(|call| format!(" ← {}", app.line_label(*call)));
    let text = app.line_label(step.span) + &called.collect::<String>();
    let calls = step.calls.iter().map(|call| format!(", called at {}", app.place_label(*call)));
    let title = app.place_label(step.span) + &calls.collect::<String>();
    view! { <span class="step-line" title=title>{text}</span> }
}

fn step_row(app: App, step: &TraceStep, moved: Option<AutomatonMove>) -> impl IntoView + use<> {
    // A rendezvous is one message between two processes; what both wrote is in the title.
    let meeting = step.partner.as_ref().map(|(pid, name, text, _)| {
        let with = chip(name, *pid);
        let title = format!("{} meets {text}", step.text);
        let said = match &step.message {
            Some(message) => format!("{}: {}", message.channel, message.values.join(",")),
            None => title.clone(),
        };
        view! {
            <span class="step-with" role="img" aria-label="meets">"⇄"</span>
            {with}
            <span class="step-text" title=title>{said}</span>
        }
    });
    let alone = meeting.is_none().then(|| {
        let message = step.message.as_ref().map(|it| {
            let text = message_text(it);
            view! { <span class="step-message" title=format!("message: {text}")>{text.clone()}</span> }
        });
        view! {
            <span class="step-text" title=step.text.clone()>{step.text.clone()}</span>
            {message}
        }
    });
    let printed = (!step.printed.is_empty()).then(|| {
        let text = step.printed.clone();
        view! { <span class="step-printed" title=format!("prints: {text}")>{format!("“{}”", text.trim_end())}</span> }
    });
    let atomic = step.atomic.then(|| {
        view! { <span class="step-atomic" title="goes on in the same atomic sequence"></span> }
    });
    view! {
        {atomic}
        {chip(&step.process, step.pid)}
        {meeting}
        {alone}
        {printed}
        {automaton_chip(moved)}
        {place_of(app, step)}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heading_of_a_cycle_takes_a_row() {
        assert_eq!([0, 1, 2].map(|it| row_of(it, None)), [0, 1, 2]);
        assert_eq!([0, 1, 2, 3].map(|it| row_of(it, Some(1))), [0, 1, 3, 4]);
        assert_eq!([0, 1, 2].map(|it| row_of(it, Some(0))), [0, 2, 3]);
        for cycle in [None, Some(0), Some(2)] {
            for step in 0..6 {
                assert_eq!(step_of(row_of(step, cycle), cycle), step);
            }
        }
    }
}
