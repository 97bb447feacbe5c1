//! What a check that may have missed states says about them, and how to become surer.

use crate::app::{App, Outcome, Shared, Together};
use crate::events::focus;
use crate::events::is_narrow;
use crate::numbers::{chance, counted, expected, grouped, percent};
use crate::views::is_open;
use leptos::prelude::*;
use promenade_protocol::options::{Kind, OptionId};
use promenade_protocol::{
    Advice, Confidence, Fairness, Probing, Reduction, Search, Settings, StoppedBy, Store, Verdict,
};

/// The box between the verdict and its details; there is none where nothing was left to chance. It
/// stays while the check is repeated, so that nothing moves.
#[component]
pub fn ConfidenceBox() -> impl IntoView {
    let app = App::get();
    // A phone has no room for all of it beside the verdict.
    let open = RwSignal::new(!is_narrow());
    move || {
        let outcome = app.outcome().filter(|it| !it.replayed)?;
        let report = &outcome.report;
        let partial = matches!(report.verdict, Verdict::NoViolationFound { .. });
        let holds = report.verdict == Verdict::Holds;
        match &report.confidence {
            Some(confidence) if partial || holds => {
                if app.trials.was_pressed() {
                    request_animation_frame(focus_again);
                }
                Some(details(app, &outcome, confidence, open).into_any())
            }
            None if holds && report.experiment.settings.store == Store::Automatic => {
                Some(exact_to_the_end(&outcome).into_any())
            }
            _ => None,
        }
    }
}

/// Gives the focus back to the button that was pressed, unless the user has moved on.
fn focus_again() {
    let elsewhere = document().active_element().is_some_and(|it| it.tag_name() != "BODY");
    if !elsewhere {
        focus("#another-seed");
    }
}

fn exact_to_the_end(outcome: &Outcome) -> impl IntoView + use<> {
    let stored = outcome.report.statistics.states_stored;
    let text = format!(
        "The automatic store had room for whole states to the end ({}): nothing was left to chance.",
        counted(stored, "state", "states")
    );
    view! {
        <section class="confidence" id="confidence" data-tone="holds" aria-label="Confidence">
            <p>{text}</p>
        </section>
    }
}

fn details(
    app: App,
    outcome: &Shared<Outcome>,
    it: &Confidence,
    open: RwSignal<bool>,
) -> impl IntoView + use<> {
    let lossy = it.any_omission > 0.0;
    let tone = if lossy { "partial" } else { "holds" };
    let title = if lossy { "How sure is this?" } else { "Nothing was left to chance" };
    let kept = match it.kept_as.as_str() {
        "whole states" => format!("{}: whole states", it.store),
        kept_as => format!("{}: each state is kept as {kept_as}", it.store),
    };
    let old = move || app.stale.get() || app.visible.get();
    // What is said while the rest is folded.
    let short = match it.expected_omissions {
        Some(_) if lossy => format!("{} of the states met kept", percent(it.coverage)),
        _ => it.store.clone(),
    };
    let side = move || match (old(), open.get()) {
        (true, _) => "of the last run".to_owned(),
        (false, true) => kept.clone(),
        (false, false) => short.clone(),
    };
    view! {
        <section class="confidence" id="confidence" data-tone=tone aria-label="Confidence" class:stale=old>
            <details open=open.get_untracked() on:toggle=move |event| open.set(is_open(&event))>
                <summary class="confidence-head">
                    <h3>{title}</h3>
                    <span class="meaning">{side}</span>
                </summary>
                {it.partial.then(|| view! {
                    <p class="confidence-text">
                        "The search was cut off: these numbers are about the part that was explored. Nothing is known about the rest."
                    </p>
                })}
                {load(it)}
                {lossy.then(|| figures(it))}
                <p class="confidence-text">{words(outcome, it)}</p>
                {trials(app, outcome)}
                {lossy.then(|| actions(app, outcome, it.advice.clone()))}
            </details>
        </section>
    }
}

/// How full the store is.
fn load(it: &Confidence) -> Option<impl IntoView + use<>> {
    if it.places == 0 {
        return None;
    }
    let share = it.places_used as f64 / it.places as f64;
    let unit = if it.kept_as.contains("of an array") { "bits" } else { "places" };
    let text = format!(
        "{} of {} {unit} used ({})",
        grouped(it.places_used),
        grouped(it.places),
        percent(share)
    );
    let now = format!("{:.0}", share * 100.0);
    let width = format!("{:.2}%", (share * 100.0).min(100.0));
    Some(view! {
        <div class="budget">
            <div
                class="budget-bar"
                role="meter"
                aria-label="Load of the store"
                aria-valuemin="0"
                aria-valuemax="100"
                aria-valuenow=now
            >
                <div class="budget-used" style:width=width></div>
            </div>
            <span class="budget-text">{text}</span>
        </div>
    })
}

fn figures(it: &Confidence) -> impl IntoView + use<> {
    let unknown = || "unknown".to_owned();
    let rows = [
        (
            "missed, expected",
            it.expected_omissions.map_or_else(unknown, |it| {
                // Not nothing, however little.
                expected(it.max(f64::MIN_POSITIVE))
            }),
        ),
        ("any missed", chance(it.any_omission)),
        (
            "of the states met, kept",
            it.expected_omissions.map_or_else(unknown, |_| percent(it.coverage)),
        ),
    ];
    let figure = |(label, value): (&'static str, String)| {
        view! {
            <div class="figure">
                <dt>{label}</dt>
                <dd>{value}</dd>
            </div>
        }
    };
    view! { <dl class="figures confidence-figures">{rows.into_iter().map(figure).collect_view()}</dl> }
}

/// The figures as sentences.
fn words(outcome: &Outcome, it: &Confidence) -> String {
    if it.any_omission <= 0.0 && it.replaced > 0 {
        return format!(
            "Every state that was met was explored. To make room, {} forgotten, and explored again \
             when met again; the counts include that.",
            counted(it.replaced, "state was", "states were")
        );
    }
    if it.any_omission <= 0.0 {
        return "Every state that was met was explored, and none had to be forgotten to make room."
            .to_owned();
    }
    if it.expected_omissions.is_none() {
        return "Every place is used, so any new state looks like a known one. Most states may have \
                been missed: take more memory, or fewer bits a state."
            .to_owned();
    }
    let early = outcome.report.verdict != Verdict::NoViolationFound { why: StoppedBy::Omissions };
    let missed = 1.0 - it.coverage;
    let part = percent(it.coverage);
    let about = if part.starts_with(char::is_numeric) { "About " } else { "" };
    let first = format!(
        "A new state that looks like a known one is skipped, with all that only it leads to. \
         {about}{part} of the states that the search met were kept",
    );
    let first = first.replace(". more than", ". More than").replace(". less than", ". Less than");
    if early {
        return format!("{first}; nothing is known beyond them.");
    }
    format!(
        "{first}: each of them was skipped with probability {}. What only skipped states lead to is \
         not counted.",
        chance(missed)
    )
}

/// Several runs together.
fn trials(app: App, outcome: &Shared<Outcome>) -> Option<impl IntoView + use<>> {
    let Together { runs, missed, any, .. } = app.trials.together(outcome)?;
    (runs > 1).then(|| {
        let text = format!(
            "{runs} independent runs found nothing: the probability that all of them missed a given \
             state is {}, that they all missed any state at all {}.",
            chance(missed),
            chance(any)
        );
        view! { <p class="confidence-text" id="trials"><strong>{text}</strong></p> }
    })
}

/// What differs between two settings, in words.
pub(crate) fn difference(from: &Settings, to: &Settings) -> String {
    let mut list = Vec::new();
    if from.search != to.search {
        list.push(match to.search {
            Search::DepthFirst => "depth-first search".to_owned(),
            Search::BreadthFirst => "breadth-first search".to_owned(),
        });
    }
    if from.fairness != to.fairness {
        list.push(match to.fairness {
            Fairness::None => "no fairness".to_owned(),
            Fairness::Weak => "weak fairness".to_owned(),
        });
    }
    if from.emptiness != to.emptiness {
        list.push(format!("{} search for infinite runs", to.emptiness.choice().title));
    }
    if from.defines != to.defines {
        let macros = to.defines.iter();
        let each = macros.map(|it| format!("{} = {}", it.name, it.value.as_deref().unwrap_or("")));
        let text = each.collect::<Vec<_>>().join(", ");
        list.push(if text.is_empty() { "macros as in the text".to_owned() } else { text });
    }
    let mut triple = false;
    if from.store != to.store {
        list.push(format!(
            "store {} instead of {}",
            to.store.choice().title,
            from.store.choice().title
        ));
    }
    let mut number = |name: &str, from: u32, to: u32| {
        if from != to {
            list.push(format!("{to} {name} instead of {from}"));
        }
    };
    if to.store == Store::Bitstate {
        number("bits a state", from.hashes, to.hashes);
        triple = from.probing != to.probing && to.probing == Probing::Triple;
    }
    if to.store.has(promenade_protocol::Traits::USES_SIGNATURES) {
        number("bits a signature", from.cell_bits, to.cell_bits);
    }
    number("MiB", from.memory_mib, to.memory_mib);
    if triple {
        list.push("triple hashing".to_owned());
    }
    if from.reduction != to.reduction {
        list.push(
            match to.reduction {
                Reduction::Automatic => "with reduction where it pays",
                Reduction::None => "without reduction",
                Reduction::AmpleSets => "with reduction",
            }
            .to_owned(),
        );
    }
    for id in OptionId::ALL.iter().filter(|id| !SAID.contains(id)) {
        let (spec, value) = (id.spec(), to.get(*id));
        if from.get(*id) != value {
            let value = match (spec.kind, value) {
                (Kind::Flag, Some(1)) => "on".to_owned(),
                (Kind::Flag, _) => "off".to_owned(),
                (Kind::Choice(_), Some(link)) => {
                    spec.choice(link).map_or("", |it| it.title).to_owned()
                }
                (_, Some(number)) => number.to_string(),
                (_, None) => "none".to_owned(),
            };
            list.push(format!("{}: {value}", spec.title));
        }
    }
    list.join(", ")
}

/// Options for whose changes there are words of their own, or that go with one of these.
const SAID: [OptionId; 9] = [
    OptionId::Search,
    OptionId::Fairness,
    OptionId::Emptiness,
    OptionId::Store,
    OptionId::Hashes,
    OptionId::Probing,
    OptionId::CellBits,
    OptionId::MemoryMib,
    OptionId::Reduction,
];

fn actions(app: App, outcome: &Shared<Outcome>, advice: Option<Advice>) -> impl IntoView + use<> {
    // The settings of a run that is out of date would replace later ones.
    let off = move || app.stale.get() || app.running.with(Option::is_some);
    let own = outcome.report.experiment.settings.clone();
    let outcome = outcome.clone();
    let recommended = advice.map(|advice| {
        let changes = difference(&own, &advice.settings);
        let about = match expected(advice.expected_omissions).as_str() {
            "0" => format!("Changes: {changes}. {}", advice.text),
            missed => format!("Changes: {changes}. {} Missed, expected: {missed}.", advice.text),
        };
        view! {
            <div class="confidence-action">
                <button class="quiet" id="as-recommended" disabled=off on:click=move |_| app.check_as_recommended(&advice)>
                    "Run again as recommended"
                </button>
                <span class="meaning">{about}</span>
            </div>
        }
    });
    view! {
        <div class="confidence-actions">
            {recommended}
            <div class="confidence-action">
                <button class="quiet" id="another-seed" disabled=off on:click=move |_| app.check_with_new_seed(&outcome)>
                    "Run again with another seed"
                </button>
                <span class="meaning">
                    "Another seed misses other states: what several runs have all missed becomes unlikely fast."
                </span>
            </div>
        </div>
    }
}
