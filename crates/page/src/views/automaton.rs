//! The automaton of the formula, of its negation, of a never claim, or of the counterexample that is
//! shown.

use super::timeline::Timeline;
use super::{View, nothing};
use crate::app::{App, Picture, Reading, Shared};
use crate::automaton::{Canvas, ExportMenu, Marked, acceptance};
use crate::icons;
use crate::playback::CLAIM;
use leptos::prelude::*;
use promenade_figures::svg::{set_colour, set_ink};
use promenade_figures::{AutomatonOptions, Direction, Drawing, Style, automaton_drawing};
use promenade_protocol::{AutomatonData, Given};
use web_sys::KeyboardEvent;

/// On narrower windows automata are drawn from top to bottom, in pixels.
const NARROW: f64 = 700.0;

/// The view.
pub struct Automaton;

impl View for Automaton {
    fn id(&self) -> &'static str {
        "automaton"
    }

    fn title(&self) -> &'static str {
        "Automaton"
    }

    fn show(&self, _app: App) -> AnyView {
        view! { <Content/> }.into_any()
    }
}

/// Whether there is something to show.
fn is_available(app: App, picture: Picture) -> bool {
    let reading = |good: fn(&Reading) -> bool| {
        app.formula.reading.with(|it| it.as_ref().is_some_and(|it| it.is_good() && good(it)))
    };
    match picture {
        Picture::Report => app.report_automaton().is_some(),
        // That of a counterexample is the same, with the state it is in.
        Picture::Claim => {
            let claim = app.claim_automaton();
            claim.is_some() && claim != app.report_automaton()
        }
        Picture::Formula => reading(|_| true),
        Picture::Negation => reading(|it| it.report.given == Given::Formula),
        Picture::Alternating => reading(|it| !it.report.alternating.states.is_empty()),
    }
}

#[component]
fn Content() -> impl IntoView {
    let app = App::get();
    let components = RwSignal::new(false);
    let picture = Memo::new(move |_| {
        let own = app.formula.picture.get();
        // Without what was wanted, what comes closest.
        let order = [own, Picture::Report, Picture::Claim, Picture::Negation, Picture::Formula];
        order.into_iter().find(|it| is_available(app, *it))
    });
    let data = Memo::new(move |before: Option<&Option<Shared<AutomatonData>>>| {
        let reading = app.formula.reading.get();
        let automaton = match picture.get()? {
            Picture::Report => app.report_automaton(),
            Picture::Claim => app.claim_automaton(),
            Picture::Formula => reading.map(|it| it.report.automaton.clone()),
            Picture::Negation => reading.map(|it| it.report.negation.clone()),
            Picture::Alternating => reading.map(|it| it.report.alternating.clone()),
        };
        // Another answer with the same automaton leaves the picture, and what is chosen in it.
        let automaton = automaton?;
        let same = before.and_then(|it| it.as_ref()).filter(|it| ***it == automaton);
        Some(same.cloned().unwrap_or_else(|| Shared::new(automaton)))
    });
    // An answer to what was typed or chosen last is still to come.
    let waits = Memo::new(move |_| {
        let options = app.formula.options.get();
        app.formula.text.with(|text| !text.trim().is_empty())
            && app.formula.current().is_none_or(|reading| reading.options != options)
    });
    let drawn = Memo::new(move |_| -> Option<Result<Shared<Drawing>, String>> {
        let data = data.get()?;
        let width = window().inner_width().ok().and_then(|it| it.as_f64()).unwrap_or(1000.0);
        let direction =
            if width < NARROW { Direction::TopToBottom } else { Direction::LeftToRight };
        let style = Style { direction, ..Style::default() };
        let options = AutomatonOptions { style, components: components.get() };
        Some(automaton_drawing(&data, &options).map(Shared::new).map_err(|it| it.to_string()))
    });
    let drawing = Memo::new(move |_| drawn.get().and_then(Result::ok));
    let marked = Signal::derive(move || {
        if picture.get() != Some(Picture::Report) {
            return Marked::default();
        }
        let step = app.step.get();
        app.playback.with(|playback| {
            let Some(playback) = playback else { return Marked::default() };
            let moved = playback.automaton_move(step);
            Marked {
                state: playback.automaton_state(step).map(|it| it as usize),
                edge: moved.map(|it| (it.from as usize, it.to as usize)),
            }
        })
    });
    let steps = move || {
        picture.get() == Some(Picture::Report)
            && app.playback.with(|it| it.as_ref().is_some_and(|it| it.follows_automaton()))
    };
    let press = move |event: KeyboardEvent| {
        match event.key().as_str() {
            "PageDown" if untrack(steps) => forward(app),
            "PageUp" if untrack(steps) => back(app),
            _ => return,
        }
        event.prevent_default();
    };
    // The frame of the picture stays while pictures change: whoever uses its keys keeps the focus.
    let is_missing = Memo::new(move |_| picture.get().is_none());
    let refused = Memo::new(move |_| match drawn.get() {
        Some(Err(why)) => Some(format!("The automaton is {why}. Its text can be exported.")),
        _ => data
            .with(|it| it.as_ref().is_some_and(|it| it.states.is_empty()))
            .then(|| "An automaton without states: it accepts nothing.".to_owned()),
    });
    move || {
        if is_missing.get() {
            let broken = app.formula.text.with(|text| !text.trim().is_empty());
            return nothing(if broken {
                "The formula in the properties cannot be read yet; its automaton is here when it can."
            } else {
                "Choose an ltl property or a never claim, or write a formula of your own in the properties: its automaton is here."
            });
        }
        view! {
            <div class="automaton" aria-busy=move || waits.get().to_string() on:keydown=press>
                <Tools picture=picture components=components data=data drawing=drawing/>
                {move || steps().then(|| view! { <Stepping/> <Timeline/> })}
                {move || match refused.get() {
                    Some(text) => view! { <p class="empty">{text}</p> }.into_any(),
                    None => view! { <Canvas data=data drawing=drawing marked=marked/> }.into_any(),
                }}
                <Legend data=data components=components/>
            </div>
        }
        .into_any()
    }
}

pub(super) fn forward(app: App) {
    app.playing.set(false);
    let step = app.step.get_untracked();
    if let Some(to) = app.playback.with_untracked(|it| it.as_ref().and_then(|it| it.next(step))) {
        app.go_to(to);
    }
}

pub(super) fn back(app: App) {
    app.playing.set(false);
    app.go_to(app.step.get_untracked().saturating_sub(1));
}

/// What is drawn, and how.
#[component]
fn Tools(
    picture: Memo<Option<Picture>>,
    components: RwSignal<bool>,
    data: Memo<Option<Shared<AutomatonData>>>,
    drawing: Memo<Option<Shared<Drawing>>>,
) -> impl IntoView {
    let app = App::get();
    let options = app.formula.options;
    let whose = move |own: Picture, label: &'static str, title: &'static str| {
        let possible = move || is_available(app, own);
        view! {
            <button
                class="segment"
                aria-pressed=move || (picture.get() == Some(own)).to_string()
                title=title
                hidden=move || !possible()
                on:click=move |_| app.formula.picture.set(own)
            >
                {label}
            </button>
        }
    };
    let given = Memo::new(move |_| {
        app.formula.reading.with(|it| it.as_ref().map(|it| it.report.given).unwrap_or_default())
    });
    let given = move || given.get();
    let of_formula = move || matches!(picture.get(), Some(Picture::Formula | Picture::Negation));
    let switch =
        move |label: &'static str, title: &'static str, on: Signal<bool>, set: Callback<bool>| {
            view! {
                <label class="toggle" title=title>
                    <input
                        type="checkbox"
                        prop:checked=move || on.get()
                        on:change=move |event| set.run(event_target_checked(&event))
                    />
                    {label}
                </label>
            }
        };
    let buchi = Signal::derive(move || options.with(|it| it.buchi));
    let raw = Signal::derive(move || options.with(|it| it.raw));
    let alternating = Signal::derive(move || options.with(|it| it.alternating));
    view! {
        <div class="automaton-tools">
            <div class="segments" role="group" aria-label="Whose automaton">
                {whose(Picture::Report, "Counterexample", "The automaton along which the run that is shown was found, with the state it is in")}
                {whose(Picture::Claim, "Claim", "The never claim of the text: the runs that must not exist")}
                {move || match given() {
                    Given::Formula => whose(Picture::Formula, "Formula", "The automaton that accepts the runs that satisfy the formula"),
                    Given::NeverClaim | Given::Hoa => whose(Picture::Formula, "Given", "The automaton in the box for formulas: the runs that must not exist"),
                }}
                {whose(Picture::Negation, "Negation", "The automaton that accepts the runs that violate the formula; a model is checked along this one")}
                {whose(Picture::Alternating, "Alternating", "The parts of the formula as states: where a run splits, it has to go on in all ways at once")}
            </div>
            {move || of_formula().then(|| view! {
                {switch("Büchi", "One acceptance condition, on states, instead of several on edges", buchi, Callback::new(move |on| options.update(|it| it.buchi = on)))}
                {switch("by alternation", "Made from the alternating automaton (Gastin and Oddoux), instead of the smallest that several ways lead to", alternating, Callback::new(move |on| options.update(|it| it.alternating = on)))}
                {switch("raw", "As the translation makes it, or as it was given, before it is made smaller", raw, Callback::new(move |on| options.update(|it| it.raw = on)))}
            })}
            {switch("components", "A frame around states that can reach each other", components.into(), Callback::new(move |on| components.set(on)))}
            <span class="automaton-space"></span>
            <ExportMenu data=data drawing=drawing/>
        </div>
        <p class="automaton-formula">
            <code>{move || data.with(|it| it.as_ref().map(|it| it.formula.clone()))}</code>
        </p>
    }
}

/// Through the counterexample, with the automaton in view.
#[component]
pub(super) fn Stepping() -> impl IntoView {
    let app = App::get();
    let about = move || {
        let step = app.step.get();
        app.playback.with(|playback| {
            let playback = playback.as_ref()?;
            let last = playback.steps();
            let text = match step.checked_sub(1).and_then(|it| playback.trace.steps.get(it)) {
                None => "initial state".to_owned(),
                Some(it) if it.pid == CLAIM && playback.has_automaton() => {
                    match playback.stands_still(step) {
                        true => "the run has ended and stays here".to_owned(),
                        false => "the property is violated, whatever follows".to_owned(),
                    }
                }
                Some(it) if it.pid == CLAIM => format!("claim: {}", it.text),
                Some(it) => format!("{}:{} {}", it.process, it.pid, it.text),
            };
            let again = playback.cycle_start().filter(|start| step > *start);
            let again = if again.is_some() { ", repeats for ever" } else { "" };
            Some((format!("step {step} of {last}{again}"), text))
        })
    };
    let first = move || app.step.get() == 0;
    let stops = move || {
        let step = app.step.get();
        app.playback.with(|it| it.as_ref().and_then(|it| it.next(step))).is_none()
    };
    view! {
        <div class="stepping" role="toolbar" aria-label="Steps of the counterexample">
            <button
                class="icon-button"
                aria-label="Step back (Page Up)"
                title="Step back (Page Up)"
                aria-disabled=move || first().to_string()
                on:click=move |_| back(app)
            >
                {icons::icon(icons::BACK)}
            </button>
            <button
                class="icon-button"
                aria-label="Step forward (Page Down)"
                title="Step forward (Page Down)"
                aria-disabled=move || stops().to_string()
                on:click=move |_| forward(app)
            >
                {icons::icon(icons::NEXT)}
            </button>
            <span class="stepping-place">{move || about().map(|it| it.0)}</span>
            <code class="stepping-text">{move || about().map(|it| it.1)}</code>
        </div>
    }
}

/// What the signs mean, in words.
#[component]
fn Legend(data: Memo<Option<Shared<AutomatonData>>>, components: RwSignal<bool>) -> impl IntoView {
    move || {
        let data = data.get()?;
        // Forks of an alternating automaton and what leaves them are none.
        let states = data.states.iter().filter(|it| !data.alternating || it.name.is_empty());
        let edges = data.edges.iter().filter(|it| !data.alternating || !it.label.is_empty());
        let states = crate::numbers::counted(states.count() as u64, "state", "states");
        let edges = crate::numbers::counted(edges.count() as u64, "edge", "edges");
        let determinism = if data.alternating {
            "A run is accepted if every branch of it is."
        } else if data.deterministic {
            "Deterministic: every step of a run leaves one way at most."
        } else {
            "A run is accepted if one way through is."
        };
        let kinds = components.get().then(|| {
            view! {
                <p class="legend-kinds">
                    <span><span class="frame-sample rejecting"></span>"no accepting cycle"</span>
                    <span><span class="frame-sample mixed"></span>"some accepting cycles"</span>
                    <span><span class="frame-sample weak"></span>"every cycle accepting"</span>
                </p>
            }
        });
        let marks: Vec<_> = (0..data.sets)
            .filter(|_| !data.state_based)
            .map(|set| {
                view! {
                    <span class="mark-sample" aria-hidden="true" style:background=set_colour(set) style:color=set_ink(set)>
                        {set}
                    </span>
                }
            })
            .collect();
        Some(view! {
            <div class="legend">
                <p>{acceptance(&data)} {marks}</p>
                <p class="faint">{format!("{states}, {edges}. {determinism}")}</p>
                {kinds}
            </div>
        })
    }
}
