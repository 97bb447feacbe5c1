//! The word tester: a word as a table of propositions by positions, and what the formula in the box
//! and its automaton say about it.

use super::word_run::Run;
use crate::app::{App, Shared, Trial, is_automaton};
use crate::icons;
use leptos::prelude::*;
use promenade_protocol::WordData;
use web_sys::KeyboardEvent;

/// The tester, closed at first.
#[component]
pub fn WordTester() -> impl IntoView {
    let app = App::get();
    let open = app.words.open;
    view! {
        <details class="tool" id="words" prop:open=move || open.get() on:toggle=move |event| open.set(super::is_open(&event))>
            <summary>"Try a word"</summary>
            {move || open.get().then(|| view! { <Tester/> })}
        </details>
    }
}

/// How many positions come once, and how many repeat.
type Size = (usize, usize);

#[component]
fn Tester() -> impl IntoView {
    let app = App::get();
    // While a formula is read, what was known before stays.
    let propositions = Memo::new(move |before: Option<&Option<Vec<String>>>| {
        if app.formula.text.with(|text| text.trim().is_empty()) {
            return None;
        }
        match app.formula.current() {
            Some(_) => app.propositions(),
            None => before.cloned().flatten(),
        }
    });
    let size = Memo::new(move |_| app.words.word.with(|it| (it.prefix.len(), it.cycle.len())));
    let trial = Memo::new(move |_| {
        let trial = app.words.trial.get()?;
        let fits = (trial.word.prefix.len(), trial.word.cycle.len()) == size.get();
        (fits && app.formula.text.with(|text| *text == trial.formula)).then_some(trial)
    });
    let content = move || {
        let Some(names) = propositions.get() else {
            return view! {
                <p class="meaning tool-text">
                    "Write a formula into the box above: then you can say at which positions its propositions hold, and see what becomes of it."
                </p>
            }
            .into_any();
        };
        view! {
            <Answer trial=trial/>
            <div class="word-scroll">
                {move || table(app, &names, size.get(), trial)}
            </div>
            <Positions size=size/>
            <Typed/>
            <Findings trial=trial/>
            <Run trial=trial/>
        }
        .into_any()
    };
    view! { <div class="tool-body">{content}</div> }
}

/// Whether the word satisfies the formula.
#[component]
fn Answer(trial: Memo<Option<Shared<Trial>>>) -> impl IntoView {
    view! {
        <p class="word-answer" role="status">
            {move || {
                let trial = trial.get()?;
                if trial.report.propositions.is_empty() && !trial.report.diagnostics.is_empty() {
                    return None;
                }
                let (tone, sign, text) = match (is_automaton(&trial.formula), trial.report.satisfied) {
                    (false, true) => ("holds", "✓", "The word satisfies the formula."),
                    (false, false) => ("violated", "✗", "The word does not satisfy the formula."),
                    (true, true) => {
                        ("violated", "✓", "The automaton accepts the word: such a run must not exist.")
                    }
                    (true, false) => ("holds", "✗", "The automaton does not accept the word."),
                };
                Some(view! {
                    <span class="word-verdict" data-tone=tone>
                        <span aria-hidden="true">{sign}</span>
                        " "
                        {text}
                    </span>
                })
            }}
        </p>
    }
}

/// The classes of a cell: the positions that repeat stand in a bracket.
fn place(at: usize, (once, again): Size) -> &'static str {
    match at.checked_sub(once) {
        None => "",
        Some(0) if again == 1 => "again first last",
        Some(0) => "again first",
        Some(index) if index + 1 == again => "again last",
        Some(_) => "again",
    }
}

fn table(
    app: App,
    names: &[String],
    size: Size,
    trial: Memo<Option<Shared<Trial>>>,
) -> impl IntoView + use<> {
    let (once, again) = size;
    let count = once + again;
    let rows = names.len();
    // The cell that the Tab key reaches.
    let here = RwSignal::new((0_usize, 0_usize));
    let press = move |event: KeyboardEvent| {
        let (row, column) = here.get_untracked();
        let to = match event.key().as_str() {
            "ArrowRight" => (row, (column + 1).min(count.saturating_sub(1))),
            "ArrowLeft" => (row, column.saturating_sub(1)),
            "ArrowDown" => ((row + 1).min(rows.saturating_sub(1)), column),
            "ArrowUp" => (row.saturating_sub(1), column),
            "Home" => (row, 0),
            "End" => (row, count.saturating_sub(1)),
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        here.set(to);
        crate::events::focus(&format!("#letter-{}-{}", to.0, to.1));
    };
    let letters: Vec<_> = names
        .iter()
        .enumerate()
        .map(|(row, name)| {
            let cells: Vec<_> = (0..count)
                .map(|column| letter(app, here, (row, column), name.clone(), size))
                .collect();
            view! { <tr><th scope="row" title=name.clone()><code>{name.clone()}</code></th>{cells}</tr> }
        })
        .collect();
    let own = names.to_vec();
    let parts = move || {
        let trial = trial.get()?;
        let known = |text: &str| own.iter().any(|name| name == text);
        let last = trial.report.parts.len().saturating_sub(1);
        let parts = trial.report.parts.iter().enumerate();
        let rows: Vec<_> = parts
            .filter(|(index, part)| *index == last || !known(&part.text))
            .map(|(index, part)| values(&part.text, &part.values, index == last, size))
            .collect();
        Some(rows)
    };
    let states = move || trial.get().and_then(|trial| states(&trial, size));
    let head: Vec<_> = (0..count)
        .map(|at| view! { <th scope="col" class=place(at, size)>{at + 1}</th> })
        .collect();
    view! {
        <table class="word-table" on:keydown=press>
            <caption class="unseen">
                "The propositions of the formula at each position. Arrow keys move, space changes."
            </caption>
            <thead>
                <tr>
                    <td></td>
                    {(once > 0).then(|| view! { <th class="word-part" colspan=once.to_string()>"once"</th> })}
                    <th class="word-part word-loop" colspan=again.to_string()>
                        <span class="word-loop-name">"↻ for ever"</span>
                    </th>
                </tr>
                <tr><td></td>{head}</tr>
            </thead>
            <tbody class="letters">{letters}</tbody>
            <tbody class="parts">{parts}</tbody>
            <tbody class="parts">{states}</tbody>
        </table>
    }
}

fn letter(
    app: App,
    here: RwSignal<(usize, usize)>,
    (row, column): (usize, usize),
    name: String,
    size: Size,
) -> impl IntoView {
    let own = name.clone();
    let holds = Memo::new(move |_| {
        app.words.word.with(|WordData { prefix, cycle }| {
            prefix.iter().chain(cycle).nth(column).is_some_and(|it| it.contains(&own))
        })
    });
    let label = format!("{name} at position {}", column + 1);
    view! {
        <td class=place(column, size)>
            <button
                class="letter-key"
                id=format!("letter-{row}-{column}")
                aria-label=label
                aria-pressed=move || holds.get().to_string()
                tabindex=move || if here.get() == (row, column) { "0" } else { "-1" }
                on:focus=move |_| here.set((row, column))
                on:click=move |_| app.toggle_letter(column, &name)
            >
                {move || if holds.get() { "✓" } else { "·" }}
            </button>
        </td>
    }
}

/// A row of truth values.
fn values(text: &str, values: &[bool], whole: bool, size: Size) -> impl IntoView + use<> {
    let cells: Vec<_> = values
        .iter()
        .enumerate()
        .map(|(at, &value)| {
            let (sign, said) = if value { ("✓", "true") } else { ("✗", "false") };
            view! {
                <td class=place(at, size) data-value=said>
                    <span aria-hidden="true">{sign}</span>
                    <span class="unseen">{said}</span>
                </td>
            }
        })
        .collect();
    view! {
        <tr class:whole=whole><th scope="row" title=text.to_owned()><code>{text.to_owned()}</code></th>{cells}</tr>
    }
}

/// In which states of the automaton runs can be before each position; those in which a run ends are
/// struck out.
fn states(trial: &Trial, size: Size) -> Option<impl IntoView + use<>> {
    let report = &trial.report;
    if report.reached.is_empty() || report.automaton.states.is_empty() {
        return None;
    }
    let cells: Vec<_> = report
        .reached
        .iter()
        .enumerate()
        .map(|(at, reached)| {
            let ends = |state: &u32| report.stuck.get(at).is_some_and(|it| it.contains(state));
            let all: Vec<_> = reached
                .iter()
                .map(|state| {
                    if ends(state) {
                        view! { <s title="no edge can be taken here">{*state}</s> " " }.into_any()
                    } else {
                        view! { <span>{*state}</span> " " }.into_any()
                    }
                })
                .collect();
            let none = all.is_empty().then_some("–");
            view! { <td class=place(at, size)>{all}{none}</td> }
        })
        .collect();
    Some(
        view! { <tr class="word-states"><th scope="row">"states of the automaton"</th>{cells}</tr> },
    )
}

/// Buttons for the number of positions.
#[component]
fn Positions(size: Memo<Size>) -> impl IntoView {
    let app = App::get();
    let full = move || size.get().0 + size.get().1 >= crate::word_text::MOST;
    let group = move |name: &'static str, repeated: bool| {
        let least = move || if repeated { size.get().1 <= 1 } else { size.get().0 == 0 };
        let count = move || if repeated { size.get().1 } else { size.get().0 };
        let what = if repeated { "repeated position" } else { "position that comes once" };
        view! {
            <div class="word-count" role="group" aria-label=format!("Positions, {name}")>
                <span class="meaning">{name}</span>
                <button
                    class="icon-button"
                    aria-label=format!("Remove the last {what}")
                    title=format!("Remove the last {what}")
                    disabled=least
                    on:click=move |_| app.remove_position(repeated)
                >
                    {icons::icon(icons::MINUS)}
                </button>
                <span class="word-number">{count}</span>
                <button
                    class="icon-button"
                    aria-label=format!("Add a {what}")
                    title=format!("Add a {what}")
                    disabled=full
                    on:click=move |_| app.add_position(repeated)
                >
                    {icons::icon(icons::PLUS)}
                </button>
            </div>
        }
    };
    view! { <div class="word-counts">{group("once", false)} {group("for ever", true)}</div> }
}

/// The word as text.
#[component]
fn Typed() -> impl IntoView {
    let app = App::get();
    let mistake = move || app.words.mistake.get();
    view! {
        <div class="word-typed">
            <label for="word-text">"As text"</label>
            <input
                id="word-text"
                type="text"
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                aria-describedby="word-text-about"
                aria-invalid=move || mistake().is_some().then_some("true")
                prop:value=move || app.words.text.get()
                on:input=move |event| app.type_word(event_target_value(&event))
            />
            <p class="meaning" id="word-text-about" class:wrong=move || mistake().is_some()>
                {move || mistake().unwrap_or_else(|| {
                    "At each position the propositions that hold, with commas; “-” where none does. “;” separates positions. What repeats stands in cycle{ }.".to_owned()
                })}
            </p>
        </div>
    }
}

/// What the checker did not like.
#[component]
fn Findings(trial: Memo<Option<Shared<Trial>>>) -> impl IntoView {
    move || {
        let trial = trial.get()?;
        let all = trial.report.diagnostics.iter();
        // Findings about the formula stand under its box.
        let own: Vec<_> = all
            .filter(|it| matches!(it.code.as_str(), "word" | "automaton-too-large"))
            .map(|it| view! { <p class="tool-text wrong">{it.message.clone()}</p> })
            .collect();
        Some(own)
    }
}
