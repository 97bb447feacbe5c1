//! The box for a formula: one line with completion of the model's names and of operators.

use crate::app::App;
use crate::language;
use crate::offsets::{to_byte, to_utf16};
use leptos::html;
use leptos::prelude::*;
use web_sys::{HtmlInputElement, KeyboardEvent};

/// More candidates are not listed.
const MOST: usize = 8;

/// Operators to press: what is written, its name, what it says.
const OPERATORS: &[(&str, &str, &str)] = &[
    ("[] ", "[]", "always: from now on at every step"),
    ("<> ", "<>", "eventually: now or at some later step"),
    ("X ", "X", "next: at the next step"),
    (" U ", "U", "until: the left side holds until the right side does, which happens"),
    (" W ", "W", "weak until: the left side holds until the right side does, or for ever"),
    (" V ", "V", "release: the right side holds until both do, or for ever"),
    (" -> ", "->", "implies"),
    (" <-> ", "<->", "exactly when"),
    (" && ", "&&", "and"),
    (" || ", "||", "or"),
    ("!", "!", "not"),
];

/// Candidates for the word at the cursor.
#[derive(Clone, PartialEq, Debug, Default)]
struct Offer {
    from: usize,
    to: usize,
    words: Vec<(String, String)>,
}

fn offer(app: App, text: &str, caret: usize) -> Offer {
    let found = app.files.with_untracked(|files| {
        app.settings.with_untracked(|settings| {
            language::complete_formula(files, &settings.defines, text, caret)
        })
    });
    let (from, to) = (found.replace.start as usize, found.replace.end as usize);
    let word = text.get(from..to).unwrap_or_default();
    let after_at = text.get(..from).is_some_and(|head| head.ends_with('@') || head.ends_with('.'));
    let single = |it: &str| it == word;
    let words: Vec<(String, String)> = found
        .candidates
        .into_iter()
        .filter(|it| !single(&it.text))
        .take(MOST)
        .map(|it| (it.text, it.detail))
        .collect();
    // Nothing is offered before anything is typed.
    if word.is_empty() && !after_at { Offer::default() } else { Offer { from, to, words } }
}

fn caret(input: &HtmlInputElement, text: &str) -> usize {
    let units = input.selection_start().ok().flatten().unwrap_or(u32::MAX);
    to_byte(text, units as usize)
}

/// Puts the cursor behind a byte of the text.
fn put_caret(input: &HtmlInputElement, text: &str, byte: usize) {
    let units = to_utf16(text, byte) as u32;
    let _ = input.focus();
    // A text field has a selection.
    let _ = input.set_selection_range(units, units);
}

/// The box with its list of candidates and the operators.
#[component]
pub fn FormulaInput() -> impl IntoView {
    let app = App::get();
    let node = NodeRef::<html::Input>::new();
    let offered = RwSignal::new(Offer::default());
    let chosen = RwSignal::new(0_usize);
    let replace = move |from: usize, to: usize, word: &str| {
        let Some(input) = node.get_untracked() else { return };
        let old = app.formula.text.get_untracked();
        let (head, tail) = (old.get(..from).unwrap_or(&old), old.get(to..).unwrap_or_default());
        let text = format!("{head}{word}{tail}");
        let at = head.len() + word.len();
        input.set_value(&text);
        app.set_formula(text.clone());
        put_caret(&input, &text, at);
        offered.set(Offer::default());
    };
    let accept = move |index: usize| {
        let Offer { from, to, words } = offered.get_untracked();
        if let Some((word, _)) = words.get(index) {
            replace(from, to, word);
        }
    };
    let typed = move |event: leptos::ev::Event| {
        let input: HtmlInputElement = event_target(&event);
        let text = input.value();
        let at = caret(&input, &text);
        app.set_formula(text.clone());
        chosen.set(0);
        offered.set(offer(app, &text, at));
    };
    let press = move |event: KeyboardEvent| {
        let count = offered.with_untracked(|it| it.words.len());
        let plain = !event.ctrl_key() && !event.meta_key() && !event.alt_key();
        match event.key().as_str() {
            "ArrowDown" if count > 0 => chosen.update(|it| *it = (*it + 1) % count),
            "ArrowUp" if count > 0 => chosen.update(|it| *it = (*it + count - 1) % count),
            "Enter" | "Tab" if count > 0 && plain && !event.shift_key() => {
                accept(chosen.get_untracked());
            }
            "Escape" if count > 0 => offered.set(Offer::default()),
            "Enter" if !event.shift_key() && !event.alt_key() => app.check_formula(),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let insert = move |text: &'static str| {
        let Some(input) = node.get_untracked() else { return };
        let old = app.formula.text.get_untracked();
        let at = caret(&input, &old);
        // No two blanks side by side, and none at the start.
        let head = old.get(..at).unwrap_or(&old);
        let bare = head.is_empty() || head.ends_with(' ');
        replace(at, at, if bare { text.trim_start() } else { text });
    };
    let open = move || offered.with(|it| !it.words.is_empty());
    let list = move || {
        offered
            .get()
            .words
            .into_iter()
            .enumerate()
            .map(|(index, (word, detail))| {
                view! {
                    <li
                        class="completion"
                        role="option"
                        id=format!("completion-{index}")
                        aria-selected=move || (chosen.get() == index).to_string()
                        on:mousedown=move |event| {
                            event.prevent_default();
                            accept(index);
                        }
                    >
                        <code>{word}</code>
                        <span class="meaning">{detail}</span>
                    </li>
                }
            })
            .collect_view()
    };
    view! {
        <div class="formula-line">
            <input
                id="formula"
                class="formula-input"
                type="text"
                role="combobox"
                aria-label="A formula over the variables of the model"
                aria-autocomplete="list"
                aria-expanded=move || open().to_string()
                aria-controls="completions"
                aria-activedescendant=move || open().then(|| format!("completion-{}", chosen.get()))
                aria-describedby="formula-about"
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                placeholder="[] (x == 1 -> <> y)"
                node_ref=node
                prop:value=move || app.formula.text.get()
                on:input=typed
                on:keydown=press
                on:blur=move |_| offered.set(Offer::default())
            />
            <ul class="completions" id="completions" role="listbox" aria-label="Names and operators" hidden=move || !open()>
                {list}
            </ul>
        </div>
        <div class="operators" role="toolbar" aria-label="Operators">
            {OPERATORS
                .iter()
                .map(|&(text, label, meaning)| {
                    view! {
                        <button
                            class="operator"
                            title=meaning
                            aria-label=format!("{label}, {meaning}")
                            on:mousedown=move |event| event.prevent_default()
                            on:click=move |_| insert(text)
                        >
                            {label}
                        </button>
                    }
                })
                .collect_view()}
        </div>
    }
}
