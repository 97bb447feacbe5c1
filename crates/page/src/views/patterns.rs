//! The pattern helper: a pattern and a scope as sentences, their events filled in, the formula.

use crate::app::App;
use crate::completed_input::CompletedInput;
use leptos::html;
use leptos::prelude::*;
use promenade_protocol::{Level, PatternInfo};

/// The patterns in a sentence each.
const PATTERNS: &[(&str, &str)] = &[
    ("absence", "P never holds"),
    ("existence", "P holds at least once"),
    ("bounded existence (2)", "P becomes true at most twice"),
    ("universality", "P always holds"),
    ("precedence", "P does not hold before S has held"),
    ("response", "each P is followed by S"),
    ("precedence chain 2-1", "P does not hold before S and, after it, T"),
    ("precedence chain 1-2", "S with a later T does not come before P"),
    ("response chain 2-1", "each S with a later T is followed by P"),
    ("response chain 1-2", "each P is followed by S and, after it, by T"),
];

/// The scopes in a sentence each.
const SCOPES: &[(&str, &str)] = &[
    ("globally", "in the whole run"),
    ("before r", "up to the first R, if R comes"),
    ("after q", "from Q on"),
    ("between q and r", "from each Q up to the next R, if R comes"),
    ("after q until r", "from each Q up to the next R, or for ever"),
];

/// A name with its sentence.
fn sentence(list: &[(&str, &str)], name: &str) -> String {
    match list.iter().find(|(own, _)| *own == name) {
        Some((_, text)) => format!("{text} ({name})"),
        None => name.to_owned(),
    }
}

/// The helper, closed at first.
#[component]
pub fn PatternHelper() -> impl IntoView {
    let app = App::get();
    let open = app.patterns.open;
    view! {
        <details class="tool" id="patterns" prop:open=move || open.get() on:toggle=move |event| open.set(super::is_open(&event))>
            <summary>"Formula from a pattern"</summary>
            {move || open.get().then(|| view! { <Helper/> })}
        </details>
    }
}

#[component]
fn Helper() -> impl IntoView {
    let app = App::get();
    let helper = app.patterns;
    let lists = Memo::new(move |_| {
        let report = helper.report.get();
        report.map(|it| (it.patterns.clone(), it.scopes.clone())).unwrap_or_default()
    });
    let patterns = Signal::derive(move || lists.get().0);
    let scopes = Signal::derive(move || lists.get().1);
    let letters = Memo::new(move |_| {
        let of = |list: Vec<PatternInfo>, name: String| {
            list.into_iter().find(|it| it.name == name).map(|it| it.letters).unwrap_or_default()
        };
        let own = of(patterns.get(), helper.pattern.get());
        let within = of(scopes.get(), helper.scope.get());
        own.into_iter().chain(within).collect::<Vec<String>>()
    });
    view! {
        <div class="tool-body pattern">
            <Choice id="pattern-choice" label="Pattern" list=patterns sentences=PATTERNS chosen=helper.pattern/>
            <Choice id="scope-choice" label="Scope" list=scopes sentences=SCOPES chosen=helper.scope/>
            {move || {
                letters
                    .get()
                    .into_iter()
                    .map(|letter| view! { <EventField letter=letter/> })
                    .collect_view()
            }}
            <Made letters=letters/>
        </div>
    }
}

/// A pattern or a scope.
#[component]
fn Choice(
    id: &'static str,
    label: &'static str,
    list: Signal<Vec<PatternInfo>>,
    sentences: &'static [(&'static str, &'static str)],
    chosen: RwSignal<String>,
) -> impl IntoView {
    let node = NodeRef::<html::Select>::new();
    crate::events::keep_chosen(node, move || {
        let own = chosen.get();
        list.with(|list| list.iter().position(|it| it.name == own))
    });
    let options = move || {
        list.get()
            .into_iter()
            .map(|it| view! { <option value=it.name.clone()>{sentence(sentences, &it.name)}</option> })
            .collect_view()
    };
    view! {
        <div class="pattern-row">
            <label for=id>{label}</label>
            <select id=id node_ref=node on:change=move |event| chosen.set(event_target_value(&event))>
                {options}
            </select>
        </div>
    }
}

/// The event that a letter stands for.
#[component]
fn EventField(letter: String) -> impl IntoView {
    let app = App::get();
    let capital = letter.to_uppercase();
    let (own, other) = (letter.clone(), letter.clone());
    let value = Signal::derive(move || app.patterns.event(&own));
    let id = format!("event-{letter}");
    view! {
        <div class="pattern-row">
            <span class="pattern-letter" aria-hidden="true">{capital.clone()}</span>
            <CompletedInput
                id=id
                label=format!("{capital}, a condition over the variables of the model")
                placeholder="x == 1"
                value=value
                put=move |text| app.patterns.put(&other, text)
                enter=move || app.use_pattern()
            />
        </div>
    }
}

/// The formula, as far as it is complete.
#[component]
fn Made(letters: Memo<Vec<String>>) -> impl IntoView {
    let app = App::get();
    let missing = Memo::new(move |_| {
        let all = letters.get().into_iter();
        all.filter(|it| app.patterns.event(it).trim().is_empty())
            .map(|it| it.to_uppercase())
            .collect::<Vec<_>>()
    });
    let content = move || {
        let report = app.patterns.report.get()?;
        let wrong: Vec<_> = report
            .diagnostics
            .iter()
            .filter(|it| it.level == Level::Error)
            .map(|it| view! { <p class="wrong">{capital(&it.message)}</p> })
            .collect();
        if !wrong.is_empty() {
            return Some(view! { <div>{wrong}</div> }.into_any());
        }
        if report.formula.is_empty() {
            let missing = missing.get();
            return (!missing.is_empty()).then(|| {
                let stand = if missing.len() > 1 { "stand" } else { "stands" };
                let text = format!("Write what {} {stand} for.", missing.join(" and "));
                view! { <p class="meaning">{text}</p> }.into_any()
            });
        }
        Some(
            view! {
                <p class="pattern-sentence">{report.sentence.clone()}</p>
                <p><code class="pattern-formula">{report.formula.clone()}</code></p>
                <p>
                    <button class="action" on:click=move |_| app.use_pattern()>"Use this formula"</button>
                </p>
            }
            .into_any(),
        )
    };
    view! { <div class="pattern-made" aria-live="polite">{content}</div> }
}

/// A message about an event begins with its letter.
fn capital(text: &str) -> String {
    let mut all = text.chars();
    all.next().map(|first| first.to_uppercase().chain(all).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_name_their_pattern() {
        assert_eq!(sentence(PATTERNS, "absence"), "P never holds (absence)");
        assert_eq!(sentence(SCOPES, "new one"), "new one");
    }
}
