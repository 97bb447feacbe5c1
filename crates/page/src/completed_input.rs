//! A line for a formula that offers the names of the model and the operators while one types.

use crate::app::App;
use crate::language;
use crate::offsets::{to_byte, to_utf16};
use leptos::html;
use leptos::prelude::*;
use web_sys::{ClipboardEvent, HtmlInputElement, KeyboardEvent};

/// More candidates are not listed.
const MOST: usize = 8;

/// Candidates for the word at the cursor.
#[derive(Clone, PartialEq, Debug, Default)]
struct Offer {
    from: usize,
    to: usize,
    words: Vec<(String, String)>,
    /// The word is a name already.
    complete: bool,
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
    let complete = found.candidates.iter().any(|it| it.text == word);
    let words: Vec<(String, String)> = found
        .candidates
        .into_iter()
        .filter(|it| it.text != word)
        .take(MOST)
        .map(|it| (it.text, it.detail))
        .collect();
    // Nothing is offered before anything is typed.
    if word.is_empty() && !after_at {
        Offer::default()
    } else {
        Offer { from, to, words, complete }
    }
}

/// The byte of the text before which the cursor stands.
pub fn caret(input: &HtmlInputElement, text: &str) -> usize {
    let units = input.selection_start().ok().flatten().unwrap_or(u32::MAX);
    to_byte(text, units as usize)
}

/// Puts the cursor behind a byte of the text.
pub fn put_caret(input: &HtmlInputElement, text: &str, byte: usize) {
    let units = to_utf16(text, byte) as u32;
    let _ = input.focus();
    // A text field has a selection.
    let _ = input.set_selection_range(units, units);
}

/// The line with its list of candidates.
#[component]
pub fn CompletedInput(
    /// The id of the field; that of the list is made from it.
    #[prop(into)]
    id: String,
    /// What it is for.
    #[prop(into)]
    label: String,
    /// The id of what describes it.
    #[prop(optional)]
    described_by: Option<&'static str>,
    /// An example.
    #[prop(optional)]
    placeholder: &'static str,
    /// The field.
    #[prop(optional)]
    node: NodeRef<html::Input>,
    /// What stands in it.
    #[prop(into)]
    value: Signal<String>,
    /// Takes what is written.
    #[prop(into)]
    put: Callback<String>,
    /// Enter, while nothing is offered.
    #[prop(into)]
    enter: Callback<()>,
) -> impl IntoView {
    let app = App::get();
    let offered = RwSignal::new(Offer::default());
    let chosen = RwSignal::new(0_usize);
    let accept = move |index: usize| {
        let Offer { from, to, words, .. } = offered.get_untracked();
        let Some(input) = node.get_untracked() else { return };
        if let Some((word, _)) = words.get(index) {
            write(&input, &value.get_untracked(), (from, to), word, put);
            offered.set(Offer::default());
        }
    };
    let typed = move |event: leptos::ev::Event| {
        let input: HtmlInputElement = event_target(&event);
        let text = input.value();
        let at = caret(&input, &text);
        put.run(text.clone());
        chosen.set(0);
        offered.set(offer(app, &text, at));
    };
    // A field of one line drops line ends; in automata they separate words.
    let pasted = move |event: ClipboardEvent| {
        let text = event.clipboard_data().and_then(|it| it.get_data("text/plain").ok());
        let Some(text) = text.filter(|text| text.trim().contains('\n')) else { return };
        event.prevent_default();
        let input: HtmlInputElement = event_target(&event);
        let old = input.value();
        let from = caret(&input, &old);
        let units = input.selection_end().ok().flatten().unwrap_or(u32::MAX);
        let to = to_byte(&old, units as usize).max(from);
        write(&input, &old, (from, to), &one_line(&text), put);
        offered.set(Offer::default());
    };
    let press = move |event: KeyboardEvent| {
        let count = offered.with_untracked(|it| it.words.len());
        let plain = !event.ctrl_key() && !event.meta_key() && !event.alt_key();
        // What is written may be all that is meant.
        let complete = chosen.get_untracked() == 0 && offered.with_untracked(|it| it.complete);
        match event.key().as_str() {
            "Enter" if complete && plain && !event.shift_key() => {
                offered.set(Offer::default());
                enter.run(());
            }
            "ArrowDown" if count > 0 => chosen.update(|it| *it = (*it + 1) % count),
            "ArrowUp" if count > 0 => chosen.update(|it| *it = (*it + count - 1) % count),
            "Enter" | "Tab" if count > 0 && plain && !event.shift_key() => {
                accept(chosen.get_untracked());
            }
            "Escape" if count > 0 => offered.set(Offer::default()),
            "Enter" if !event.shift_key() && !event.alt_key() => enter.run(()),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let open = move || offered.with(|it| !it.words.is_empty());
    let option = id.clone();
    let list = move || {
        let option = option.clone();
        offered
            .get()
            .words
            .into_iter()
            .enumerate()
            .map(move |(index, (word, detail))| {
                view! {
                    <li
                        class="completion"
                        role="option"
                        id=format!("{option}-completion-{index}")
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
    let list_id = format!("{id}-completions");
    let active = id.clone();
    view! {
        <div class="formula-line">
            <input
                id=id
                class="formula-input"
                type="text"
                role="combobox"
                aria-label=label
                aria-autocomplete="list"
                aria-expanded=move || open().to_string()
                aria-controls=list_id.clone()
                aria-activedescendant=move || {
                    open().then(|| format!("{active}-completion-{}", chosen.get()))
                }
                aria-describedby=described_by
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                placeholder=placeholder
                node_ref=node
                prop:value=move || value.get()
                on:input=typed
                on:paste=pasted
                on:keydown=press
                on:blur=move |_| offered.set(Offer::default())
            />
            <ul class="completions" id=list_id role="listbox" aria-label="Names and operators" hidden=move || !open()>
                {list}
            </ul>
        </div>
    }
}

/// Writes a word in place of some bytes, with the cursor behind it.
pub fn write(
    input: &HtmlInputElement,
    old: &str,
    (from, to): (usize, usize),
    word: &str,
    put: Callback<String>,
) {
    let (head, tail) = (old.get(..from).unwrap_or(old), old.get(to..).unwrap_or_default());
    let text = format!("{head}{word}{tail}");
    let at = head.len() + word.len();
    input.set_value(&text);
    put.run(text.clone());
    put_caret(input, &text, at);
}

/// A text of several lines in one; comments up to the end of a line are closed.
fn one_line(text: &str) -> String {
    let line = |line: &str| match line.find("//") {
        Some(at) if !line[..at].contains('"') => {
            format!("{}/*{} */", &line[..at], line[at + 2..].replace("*/", "* /"))
        }
        _ => line.to_owned(),
    };
    text.trim().lines().map(|it| line(it.trim())).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_one() {
        assert_eq!(one_line("HOA: v1\nStates: 2\r\n  Start: 0\n"), "HOA: v1 States: 2 Start: 0");
        assert_eq!(one_line("never { // of */ it\n\tskip }"), "never { /* of * / it */ skip }");
        assert_eq!(one_line("AP: 1 \"a // b\"\nx"), "AP: 1 \"a // b\" x");
    }
}
