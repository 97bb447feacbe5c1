//! The verdict card: always there, always of the same shape.

mod counterexample;

use self::counterexample::{infinite_text, offers, shortest_text, unfair_text};
use crate::app::{
    Again, App, Dialog, FORMULA_ERROR, NO_RUN, Outcome, Purpose, Running, Shared, Shown, fairly,
    refused, verdict_title, without_verdict,
};
use crate::combinations::conflict;
use crate::events::now;
use crate::frame::tone;
use crate::icons;
use crate::numbers::{bytes, counted, duration, grouped, percent, rate};
use crate::views::{capital, prose, small};
use leptos::prelude::*;
use promenade_protocol::{
    DiagnosticData, Experiment, Level, Property, SpanData, Statistics, Verdict,
};
use std::time::Duration;

/// After this time without news the card says so, in milliseconds.
const SILENCE: f64 = 4_000.0;

/// The card.
#[component]
pub fn VerdictCard() -> impl IntoView {
    let app = App::get();
    let icon = move || match tone(app) {
        "holds" => icons::icon(icons::HOLDS).into_any(),
        "violated" => icons::icon(icons::CLOSE).into_any(),
        "partial" => icons::icon(icons::PARTIAL).into_any(),
        _ => ().into_any(),
    };
    let stale = move || app.stale.get() && !app.visible.get();
    view! {
        <article
            class="card"
            id="verdict"
            data-tone=move || tone(app)
            class:stale=stale
            aria-label="Verdict"
        >
            <div class="card-head">
                <span class="card-icon" aria-hidden="true">{icon}</span>
                <h2 class="card-title">{move || title(app)}</h2>
                <span class="card-side">{move || side(app)}</span>
            </div>
            <div class="card-text">{move || text(app)}</div>
            <div class="measures">
                {move || match app.run() {
                    Some(run) if !app.visible.get() => view! { <Seed seed=run.seed/> }.into_any(),
                    // A replay stores no states.
                    _ if app.visible.get() && matches!(purpose(app), Some(Purpose::Replay(_))) => ().into_any(),
                    _ => remedies(app).unwrap_or_else(|| view! { <Figures/> }.into_any()),
                }}
            </div>
            <div class="card-end">
                {move || offers(app)}
                <div class="notes">{move || notes(app)}</div>
            </div>
        </article>
    }
}

fn title(app: App) -> String {
    if app.visible.get() {
        let cancelled = app.running.with(|it| it.as_ref().is_some_and(|it| it.cancelled));
        return match (cancelled, purpose(app)) {
            (true, _) => "Stopping…",
            (false, Some(Purpose::Simulate(_))) => "Running…",
            (false, Some(Purpose::Replay(_))) => "Replaying…",
            _ => "Checking…",
        }
        .to_owned();
    }
    app.shown.with(|shown| match shown {
        Shown::Nothing => "Not checked yet".to_owned(),
        Shown::WrongFormula => FORMULA_ERROR.to_owned(),
        Shown::Trouble { title, .. } => title.clone(),
        Shown::Outcome(outcome) => verdict_title(outcome, app.violation.get()),
        Shown::Run(run) => run.end.title().to_owned(),
    })
}

/// Why something runs, if anything does.
fn purpose(app: App) -> Option<Purpose> {
    app.running.with(|it| it.as_ref().map(|it| it.purpose))
}

fn side(app: App) -> AnyView {
    if app.visible.get() {
        return view! { <Elapsed/> }.into_any();
    }
    if app.stale.get()
        && let Some(run) = app.run()
    {
        let seed = run.seed;
        return view! {
            <span class="stale-mark">"out of date"</span>
            <button class="quiet" on:click=move |_| app.simulate_with(seed)>"Run again"</button>
        }
        .into_any();
    }
    if app.stale.get() {
        let again = if app.other_property().is_some() { "Check this one" } else { "Check again" };
        return view! {
            <span class="stale-mark">"out of date"</span>
            <button class="quiet" on:click=move |_| app.check()>{again}</button>
        }
        .into_any();
    }
    match app.shown.get() {
        Shown::Outcome(outcome) if outcome.replayed => "from a link, replayed here".into_any(),
        Shown::Outcome(outcome) if outcome.report.violations.len() > 1 => {
            let count = outcome.report.violations.len();
            let total = outcome.report.statistics.errors.max(count as u64);
            view! { <Chooser count=count total=total/> }.into_any()
        }
        Shown::Run(_) => "simulation, no proof".into_any(),
        // A text with errors may have lost the property; a formula with an error is in its box.
        _ if text_error(app).is_some() => ().into_any(),
        Shown::WrongFormula => ().into_any(),
        Shown::Outcome(outcome) => {
            let title = app.property_title(&outcome.report.experiment.property);
            named(format!("{title}{}", fairly(&outcome.report)))
        }
        _ => named(app.property_title(&app.property.get())),
    }
}

fn named(title: String) -> AnyView {
    view! { <span class="side-title" title=title.clone()>{title.clone()}</span> }.into_any()
}

#[component]
fn Elapsed() -> impl IntoView {
    let app = App::get();
    let time = RwSignal::new(now());
    let handle = set_interval_with_handle(move || time.set(now()), Duration::from_millis(100)).ok();
    on_cleanup(move || {
        if let Some(handle) = handle {
            handle.clear();
        }
    });
    move || {
        let since = app.running.with(|it| it.as_ref().map_or(0.0, |it| it.since));
        let seconds = ((time.get() - since) / 1000.0).max(0.0);
        format!("{seconds:.1}\u{a0}s")
    }
}

fn text(app: App) -> AnyView {
    if app.visible.get() {
        return view! { <RunningText/> }.into_any();
    }
    match app.shown.get() {
        Shown::Nothing
            if app.property.with(
                |it| matches!(it, Property::Formula { text } if app.formula.is_wrong(text)),
            ) =>
        {
            at_the_box().into_any()
        }
        Shown::Nothing => {
            let about = app.property.with(|property| {
                if matches!(property, Property::Formula { text } if text.is_empty()) {
                    return Some("Write a formula into the box in the Properties tab: every run has to satisfy it.".to_owned());
                }
                let mut all = app.properties().into_iter();
                let info = all.find(|it| it.property.as_ref() == Some(property))?;
                let about = info.description;
                match property {
                    Property::Formula { .. } => Some(about),
                    _ if about.is_empty() => None,
                    // It is no result.
                    _ => Some(format!("To be checked: {}", small(&about))),
                }
            });
            let about = about.unwrap_or_else(|| {
                "Every state that the model can reach is visited and looked at: violated assertions, \
                 deadlocks, run-time errors."
                    .to_owned()
            });
            view! {
                <p>{about}</p>
                <p class="faint">
                    "Press Check" <span class="key-hint">" or Ctrl+Enter"</span>
                    ". Simulate makes one random run."
                </p>
            }
            .into_any()
        }
        Shown::WrongFormula => at_the_box().into_any(),
        Shown::Trouble { text, again, .. } => view! {
            <p>{text}</p>
            {move || text_error(app).map(|it| first_error(app, &it))}
            {again
                .map(|again| {
                    view! {
                        <p>
                            <button class="quiet" on:click=move |_| match again {
                                Again::Check => app.check(),
                                Again::All => app.check_all(),
                            }>
                                {if again == Again::All { "Check all again" } else { "Check again" }}
                            </button>
                        </p>
                    }
                })}
        }
        .into_any(),
        Shown::Outcome(outcome) => outcome_text(app, &outcome).into_any(),
        Shown::Run(run) => view! {
            <p>{run.end.sentence(run.trace.steps.len())}</p>
            <p class="faint">
                "One run proves nothing: only a check looks at all of them."
            </p>
        }
        .into_any(),
    }
}

#[component]
fn RunningText() -> impl IntoView {
    let app = App::get();
    let time = RwSignal::new(now());
    let handle = set_interval_with_handle(move || time.set(now()), Duration::from_secs(1)).ok();
    on_cleanup(move || {
        if let Some(handle) = handle {
            handle.clear();
        }
    });
    let with = move |call: &dyn Fn(&Running) -> String| {
        app.running.with(|it| it.as_ref().map(call).unwrap_or_default())
    };
    let line = move || {
        with(&|running| {
            if matches!(running.purpose, Purpose::Simulate(_)) {
                return "One random run is being made.".to_owned();
            }
            let silent = time.get() - running.heard;
            if silent > SILENCE {
                return format!(
                    "No news for {:.0}\u{a0}s. Cancel ends the check at once; your text is safe.",
                    silent / 1000.0
                );
            }
            let progress = &running.progress;
            if matches!(running.purpose, Purpose::Replay(_)) {
                return "The run of the link is followed step by step.".to_owned();
            }
            let errors = match progress.errors {
                0 => "nothing wrong so far".to_owned(),
                more => counted(more, "error so far", "errors so far"),
            };
            format!(
                "{}, {errors}.",
                counted(progress.transitions, "step explored", "steps explored")
            )
        })
    };
    let store = move || {
        app.running.with(|it| {
            let progress = &it.as_ref()?.progress;
            let mut parts: Vec<String> =
                progress.load.map(|load| format!("load {}", percent(load))).into_iter().collect();
            if let Some(coverage) = progress.coverage {
                parts
                    .push(format!("{} of the states met so far kept, expected", percent(coverage)));
            }
            (!parts.is_empty()).then(|| format!("Store: {}.", parts.join(", ")))
        })
    };
    let note = move || {
        with(&|running| {
            let order = running.notes.iter().find(|note| note.topic == "search");
            order.map(|note| note.text.clone()).unwrap_or_default()
        })
    };
    view! {
        <p>{line}</p>
        {move || match store() {
            Some(text) => view! { <p class="running-store">{text}</p> }.into_any(),
            None => view! { <p class="faint running-note">{note}</p> }.into_any(),
        }}
    }
}

fn outcome_text(app: App, outcome: &Shared<Outcome>) -> impl IntoView + use<> {
    let report = &outcome.report;
    let mut summary = report.summary.clone();
    if let Some(rest) = without_verdict(&summary) {
        summary = capital(rest);
    }
    if summary.is_empty()
        && let Verdict::InternalError { message } = &report.verdict
    {
        summary.clone_from(message);
    }
    let message = move || app.found(|found| found.message.clone());
    let mismatch = outcome.mismatch.clone();
    let said = summary.to_lowercase();
    let other = move || {
        app.other_property().map(|was| {
            let title = app.property_title(&was);
            view! { <p class="other-property">"This is the result for " <code>{title}</code> "."</p> }
        })
    };
    view! {
        {other}
        {mismatch.map(|text| view! { <p class="mismatch">{text}</p> })}
        {move || {
            message()
                .filter(|message| !said.contains(&message.to_lowercase()))
                .map(|message| view! { <p class="fault"><code>{message}</code></p> })
        }}
        <p>{prose(&summary)}</p>
        {move || text_error(app).map(|it| first_error(app, &it))}
        {refusal(app, outcome)}
        {move || shortest_text(app).map(|text| view! { <p class="shortest">{text}</p> })}
        {move || infinite_text(app).map(|text| view! { <p class="infinite">{text}</p> })}
        {move || unfair_text(app).map(|text| view! { <p class="unfair">{text}</p> })}
    }
}

/// The first error of the text, where the text is why nothing could be done.
fn text_error(app: App) -> Option<DiagnosticData> {
    let wrong = !app.visible.get()
        && app.shown.with(|shown| match shown {
            Shown::Outcome(outcome) => {
                outcome.report.verdict == Verdict::InputError && refused(&outcome.report).is_none()
            }
            Shown::Trouble { title, .. } => title == NO_RUN,
            _ => false,
        });
    if !wrong {
        return None;
    }
    app.diagnostics.with(|all| {
        let errors = all.iter().filter(|it| it.level == Level::Error && it.span.is_in_file());
        errors.min_by_key(|it| (it.span.file, it.span.start)).cloned()
    })
}

fn first_error(app: App, it: &DiagnosticData) -> impl IntoView + use<> {
    let text = format!("{}: {}", capital(&app.place_label(it.span)), it.message);
    view! { <p class="first-error">{prose(&text)}</p> }
}

/// What is wrong with a formula is said there, and only there.
fn at_the_box() -> impl IntoView {
    view! { <p>"The box for formulas in the Properties tab shows what is wrong, and where."</p> }
}

/// What is wrong with a formula or options that cannot be checked.
fn refusal(app: App, outcome: &Outcome) -> Option<AnyView> {
    let report = &outcome.report;
    let what = refused(report)?;
    let error = report.diagnostics.iter().find(|it| it.level == Level::Error)?;
    if let Property::Formula { text } = &report.experiment.property
        && app.formula.is_wrong(text)
    {
        return Some(at_the_box().into_any());
    }
    // The summary of an error without a place is its message.
    let message = (error.span.end > 0).then(|| {
        let at = format!("Column {}: {}", error.span.column, error.message);
        view! { <p>{prose(&at)}</p> }
    });
    // There is a button for what the options need.
    let hint = error.hint.as_ref().filter(|_| what != SpanData::SETTINGS);
    Some(
        view! {
            {message}
            {hint.map(|hint| view! { <p class="faint">{prose(hint)}</p> })}
        }
        .into_any(),
    )
}

/// What to do about it, in the place of figures that there are not.
fn remedies(app: App) -> Option<AnyView> {
    let to_formula = || {
        view! {
            <button class="quiet" on:click=move |_| app.go_to_formula()>"Go to the formula"</button>
        }
        .into_any()
    };
    if !app.visible.get() && app.shown.with(|shown| *shown == Shown::WrongFormula) {
        return Some(view! { <p class="card-actions">{to_formula()}</p> }.into_any());
    }
    if let Some(error) = text_error(app) {
        return Some(
            view! {
                <p class="card-actions">
                    <button class="quiet" id="go-to-error" on:click=move |_| app.show_span(error.span)>
                        "Go to the error"
                    </button>
                    <button class="quiet" on:click=move |_| app.view.set("problems")>
                        "List all problems"
                    </button>
                </p>
            }
            .into_any(),
        );
    }
    let outcome = app.outcome().filter(|_| !app.visible.get())?;
    let Experiment { property, settings, .. } = &outcome.report.experiment;
    let actions = match refused(&outcome.report)? {
        SpanData::SETTINGS => {
            let remedy = conflict(property, settings).map(|it| {
                let (option, link) = it.remedy;
                view! {
                    <button class="quiet" on:click=move |_| app.check_with(|settings| {
                        settings.field_mut(option).set_number(Some(link));
                    })>
                        {it.label}
                    </button>
                }
            });
            view! {
                {remedy}
                <button class="quiet" on:click=move |_| app.dialog.set(Some(Dialog::Options))>"Options"</button>
            }
            .into_any()
        }
        _ if matches!(property, Property::Formula { .. }) => to_formula(),
        _ => return None,
    };
    Some(view! { <p class="card-actions">{actions}</p> }.into_any())
}

/// The seed of a run, and other runs.
#[component]
fn Seed(
    /// That of the run that is shown.
    seed: u64,
) -> impl IntoView {
    let app = App::get();
    let put = move |event: leptos::ev::Event| match event_target_value(&event).trim().parse() {
        Ok(seed) => app.simulate_with(seed),
        Err(_) => app.notify("A seed is a whole number from 0 on.", None),
    };
    view! {
        <div class="seed" data-seed=seed.to_string()>
            <label>
                "Seed"
                <input
                    type="text"
                    inputmode="numeric"
                    autocomplete="off"
                    value=seed.to_string()
                    title="The same seed gives the same run of the same text"
                    on:change=put
                />
            </label>
            <button class="quiet" on:click=move |_| app.simulate()>"New run"</button>
        </div>
    }
}

/// From one of several violations to the next.
#[component]
fn Chooser(
    /// How many are kept.
    count: usize,
    /// How many there are.
    total: u64,
) -> impl IntoView {
    let app = App::get();
    let step = move |by: isize| {
        let to = app.violation.get_untracked().saturating_add_signed(by);
        if to < count {
            app.show_violation(to);
        }
    };
    let more =
        if total > count as u64 { format!(", {} in all", grouped(total)) } else { String::new() };
    view! {
        <span class="chooser">
            <button
                class="icon-button"
                aria-label="Previous violation"
                disabled=move || app.violation.get() == 0
                on:click=move |_| step(-1)
            >
                {icons::icon(icons::BACK)}
            </button>
            <span>{move || format!("{} of {count}{more}", app.violation.get() + 1)}</span>
            <button
                class="icon-button"
                aria-label="Next violation"
                disabled=move || { app.violation.get() + 1 >= count }
                on:click=move |_| step(1)
            >
                {icons::icon(icons::NEXT)}
            </button>
        </span>
    }
}

/// The same figures in every state of the card.
#[component]
fn Figures() -> impl IntoView {
    let app = App::get();
    let numbers = Memo::new(move |_| {
        if app.visible.get() {
            return app.running.with(|it| {
                it.as_ref().map(|it| {
                    let p = &it.progress;
                    (p.states, rate(p.rate), p.max_depth, p.memory_bytes, p.budget_bytes)
                })
            });
        }
        app.outcome().filter(|outcome| !outcome.replayed && searched(&outcome.report.verdict)).map(
            |outcome| {
                let Statistics { states_stored, depth, memory_bytes, seconds, .. } =
                    outcome.report.statistics;
                let budget = u64::from(outcome.report.experiment.settings.memory_mib) << 20;
                (states_stored, duration(seconds), depth, memory_bytes, budget)
            },
        )
    });
    let figure = |label: Signal<&'static str>, value: Signal<String>| {
        view! {
            <div class="figure">
                <dt>{move || label.get()}</dt>
                <dd>{move || value.get()}</dd>
            </div>
        }
    };
    let nothing = || "–".to_owned();
    let states = Signal::derive(move || numbers.get().map_or_else(nothing, |n| grouped(n.0)));
    let pace = Signal::derive(move || numbers.get().map_or_else(nothing, |n| n.1));
    let depth = Signal::derive(move || numbers.get().map_or_else(nothing, |n| grouped(n.2)));
    let memory = Signal::derive(move || numbers.get().map_or_else(nothing, |n| bytes(n.3)));
    let budget = move || {
        let budget = numbers.get().map_or_else(
            || u64::from(app.settings.with(|settings| settings.memory_mib)) << 20,
            |n| n.4,
        );
        bytes(budget)
    };
    let share = move || {
        numbers.get().map_or(0.0, |n| if n.4 == 0 { 0.0 } else { n.3 as f64 / n.4 as f64 * 100.0 })
    };
    let pace_label = Signal::derive(move || if app.visible.get() { "pace" } else { "time" });
    let still = |text: &'static str| Signal::derive(move || text);
    view! {
        <dl class="figures">
            {figure(still("states"), states)} {figure(pace_label, pace)} {figure(still("depth"), depth)}
            {figure(still("memory"), memory)}
        </dl>
        <div class="budget">
            <div
                class="budget-bar"
                role="meter"
                aria-label="Memory used"
                aria-valuemin="0"
                aria-valuemax="100"
                aria-valuenow=move || format!("{:.0}", share())
            >
                <div class="budget-used" style:width=move || format!("{:.2}%", share().min(100.0))></div>
            </div>
            <span class="budget-text">{move || format!("{:.0}\u{a0}% of {}", share(), budget())}</span>
        </div>
    }
}

fn searched(verdict: &Verdict) -> bool {
    !matches!(verdict, Verdict::InputError | Verdict::InternalError { .. })
}

/// The restrictions under which the verdict stands.
fn notes(app: App) -> Option<impl IntoView> {
    if app.visible.get() {
        return None;
    }
    let outcome = app.outcome()?;
    let notes = outcome.report.notes.clone();
    if notes.is_empty() {
        return None;
    }
    let label = format!("What this means exactly ({})", notes.len());
    Some(view! {
        <details>
            <summary>{label}</summary>
            <ul>{notes.into_iter().map(|note| view! { <li>{prose(&note)}</li> }).collect_view()}</ul>
        </details>
    })
}
