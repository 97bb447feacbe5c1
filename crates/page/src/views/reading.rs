//! What is known of the formula in the box: errors with their places, or how it is read and what it is.

use crate::app::{App, Reading, Shared};
use crate::numbers::counted;
use leptos::prelude::*;
use promenade_protocol::{AdviceData, DiagnosticData, Given, Level, WordData};

/// Under the box.
#[component]
pub fn FormulaReading() -> impl IntoView {
    let app = App::get();
    move || {
        if app.formula.text.with(|text| text.trim().is_empty()) {
            let wanted = app.formula.wanted.get();
            return view! {
                {wanted.then(|| view! { <p class="formula-wanted">"Write a formula first: it is what is checked."</p> })}
                <p class="meaning formula-empty">
                    "Propositions are conditions over the variables of the model; the formula says when they have to hold along every run. A never claim or an automaton in the Hanoi format can be pasted here, too."
                </p>
            }
            .into_any();
        }
        let Some(reading) = app.formula.current() else {
            return view! { <p class="meaning formula-empty">"…"</p> }.into_any();
        };
        let findings = reading.report.diagnostics.iter();
        let mut findings: Vec<_> = findings.map(|it| finding(app, &reading.text, it)).collect();
        if reading.is_good() {
            // It is a formula; whether it is one of this model is another question.
            let text = reading.text.trim();
            let names = app.formula.wrong(text);
            findings.extend(names.iter().map(|it| finding(app, text, it)));
        }
        let known = reading.is_good().then(|| known(app, &reading));
        view! {
            <div class="findings" aria-live="polite">{findings}</div>
            {known}
        }
        .into_any()
    }
}

/// With a capital at the start.
pub fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}

/// With a small letter at the start.
pub fn small(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_lowercase());
    first.map(|first| first.chain(characters).collect()).unwrap_or_default()
}

/// Text in which no line ends inside an arrow, as it would after the hyphen.
fn unbroken(text: &str) -> Vec<AnyView> {
    let arrow = || view! { <span class="arrow">"->"</span> }.into_any();
    let mut parts = Vec::new();
    for (index, part) in text.split("->").enumerate() {
        parts.extend((index > 0).then(arrow));
        parts.push(part.to_owned().into_any());
    }
    parts
}

/// A sentence with code between backquotes.
pub fn prose(text: &str) -> Vec<AnyView> {
    // An odd number of backquotes means that they are no pairs.
    if text.matches('`').count() % 2 == 1 {
        return unbroken(text);
    }
    let part = |(index, part): (usize, &str)| {
        let parts = unbroken(part);
        if index % 2 == 1 { view! { <code>{parts}</code> }.into_any() } else { parts.into_any() }
    };
    text.split('`').enumerate().map(part).collect()
}

/// An error with the place, marked in the formula.
fn finding(app: App, text: &str, it: &DiagnosticData) -> impl IntoView + use<> {
    let end = text.len();
    let (from, to) = ((it.span.start as usize).min(end), (it.span.end as usize).min(end));
    let cut = |a: usize, b: usize| text.get(a..b).unwrap_or_default().to_owned();
    let place = (to > 0 || from > 0).then(|| {
        let at = cut(from, to);
        // A place behind the last character is shown as a gap.
        let at = if at.is_empty() { "\u{a0}".to_owned() } else { at };
        view! {
            <code class="finding-place">
                {cut(0, from)}<mark>{at}</mark>{cut(to, end)}
            </code>
        }
    });
    let fix = it.fix.as_ref().and_then(|fix| fix.applied(text)).map(|put| {
        let formula = put.clone();
        view! {
            <button class="suggestion" title="Write it into the box" on:click=move |_| app.set_formula(put.clone())>
                <code>{formula}</code>
            </button>
        }
    });
    let tone = if it.level == Level::Error { "violated" } else { "partial" };
    let message = match it.span.column {
        0 | 1 if from == 0 && to == 0 => it.message.clone(),
        column => format!("Column {column}: {}", it.message),
    };
    view! {
        <div class="finding">
            <p class="finding-text"><span class="dot" data-tone=tone></span> <span>{prose(&message)}</span></p>
            {place}
            {it.hint.as_deref().map(|hint| view! { <p class="meaning">{prose(hint)}</p> })}
            {fix}
        </div>
    }
}

fn row(name: &'static str, content: impl IntoView) -> impl IntoView {
    view! {
        <div class="known-row">
            <dt>{name}</dt>
            <dd>{content}</dd>
        </div>
    }
}

fn known(app: App, reading: &Shared<Reading>) -> impl IntoView + use<> {
    let report = &reading.report;
    let formula = report.given == Given::Formula;
    let constant = report.constant.map(|always| {
        row(
            "attention",
            if !formula {
                "It accepts no run: nothing can violate it."
            } else if always {
                "It holds on every run of every model: checking it says nothing."
            } else {
                "No run of any model satisfies it."
            },
        )
    });
    let pattern = report.pattern.clone().map(|text| row("in words", text));
    let class = report.class.clone();
    let meaning = report.class_meaning.clone();
    let class = (!class.is_empty()).then(|| {
        row(
            if formula { "class" } else { "property" },
            view! { <strong>{class}</strong> <span class="meaning">{meaning}</span> },
        )
    });
    let stutter = report.stutter_invariant.map(|invariant| {
        let text = if invariant {
            "Repeating a step never changes its truth."
        } else {
            "Repeating a step can change its truth:"
        };
        let words = report.stutter_words.as_ref().filter(|_| !invariant).map(|(yes, no)| {
            let attempt = |word: &WordData| {
                let word = word.clone();
                view! {
                    <button
                        class="link-button try"
                        title="Open this word in the word tester below"
                        on:click=move |_| {
                            app.try_word(word.clone());
                            crate::events::focus("#words > summary");
                        }
                    >
                        "try it"
                    </button>
                }
            };
            view! {
                <div class="words">
                    <p>{word(yes)} <span class="word-verdict" data-tone="holds">"satisfies it"</span> {attempt(yes)}</p>
                    <p>{word(no)} <span class="word-verdict" data-tone="violated">"does not"</span> {attempt(no)}</p>
                </div>
            }
        });
        row("repetition", view! { {text} {words} })
    });
    let advice: Vec<_> = report.advice.iter().map(|it| advice(app, it)).collect();
    let negative = (!formula).then(|| {
        let count = report.automaton.states.len() as u64;
        let size = counted(count, "state", "states");
        row(
            "meaning",
            format!(
                "The runs that must not exist, as an automaton with {size}: the model is right if none of its runs is accepted. A formula says the opposite, what has to hold; SPIN checks one by the never claim of its negation."
            ),
        )
    });
    view! {
        <dl class="known">
            {row("read as", view! { <code class="grouped">{report.grouped.clone()}</code> })}
            {negative}
            {pattern}
            {constant}
            {class}
            {stutter}
        </dl>
        {(!advice.is_empty()).then(|| view! { <div class="advice">{advice}</div> })}
    }
}

/// A word: what holds at each position, the positions that repeat in brackets.
fn word(word: &WordData) -> impl IntoView + use<> {
    let letter = |holds: &Vec<String>| {
        let text = if holds.is_empty() { "nothing".to_owned() } else { holds.join(", ") };
        view! { <span class="letter" class:none=holds.is_empty()>{text}</span> }
    };
    let prefix: Vec<_> = word.prefix.iter().map(letter).collect();
    let cycle: Vec<_> = word.cycle.iter().map(letter).collect();
    view! {
        <span class="word">
            {prefix}
            <span class="word-cycle" title="repeats for ever">{cycle} <span role="img" aria-label="for ever">"↻"</span></span>
        </span>
    }
}

fn advice(app: App, it: &AdviceData) -> impl IntoView + use<> {
    let suggestions: Vec<_> = it
        .suggestions
        .iter()
        .map(|suggestion| {
            let formula = suggestion.formula.clone();
            let put = suggestion.formula.clone();
            view! {
                <li>
                    <button class="suggestion" title="Write it into the box" on:click=move |_| app.set_formula(put.clone())>
                        <code>{formula}</code>
                    </button>
                    <span class="meaning">{prose(&suggestion.meaning)}</span>
                </li>
            }
        })
        .collect();
    view! {
        <div class="hint">
            <p>{prose(&it.message)}</p>
            <p class="meaning">{prose(&it.reason)}</p>
            <ul class="suggestions">{suggestions}</ul>
        </div>
    }
}
