//! The box for a formula: one line with completion of the model's names, and operators to press.

use crate::app::App;
use crate::completed_input::{CompletedInput, caret, write};
use leptos::html;
use leptos::prelude::*;

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

/// The box with the operators.
#[component]
pub fn FormulaInput() -> impl IntoView {
    let app = App::get();
    let node = NodeRef::<html::Input>::new();
    let put = Callback::new(move |text| app.set_formula(text));
    let insert = move |text: &'static str| {
        let Some(input) = node.get_untracked() else { return };
        let old = app.formula.text.get_untracked();
        let at = caret(&input, &old);
        // No two blanks side by side, and none at the start.
        let head = old.get(..at).unwrap_or(&old);
        let bare = head.is_empty() || head.ends_with(' ');
        write(&input, &old, (at, at), if bare { text.trim_start() } else { text }, put);
    };
    view! {
        <CompletedInput
            id="formula"
            label="A formula over the variables of the model"
            described_by="formula-about"
            placeholder="[] (x == 1 -> <> y)"
            node=node
            value=app.formula.text
            put=put
            enter=move || app.check_formula()
        />
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
