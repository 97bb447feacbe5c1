//! The editor with the tabs of its files and a line of state below.

use crate::app::App;
use crate::editor::TextEditor;
use crate::icons;
use crate::numbers::counted;
use leptos::html;
use leptos::prelude::*;
use promenade_protocol::Level;
use web_sys::{HtmlInputElement, KeyboardEvent};

/// The left half.
#[component]
pub fn EditorPane() -> impl IntoView {
    let app = App::get();
    let host = NodeRef::<html::Div>::new();
    Effect::new(move |_| {
        if let Some(host) = host.get()
            && app.with_editor(|_| ()).is_none()
        {
            app.set_editor(TextEditor::new(&host, app));
            // What was known before the editor was there is shown now.
            app.diagnostics.update(|_| ());
            app.step.update(|_| ());
        }
    });
    // Another file becomes active: by its tab, by a step of the trace, by a jump.
    Effect::new(move |_| {
        let file = app.active.get();
        app.with_editor(|editor| editor.show(file));
    });
    view! {
        <FileTabs/>
        <div class="editor-host" id="editor" node_ref=host></div>
        <StateLine/>
    }
}

#[component]
fn FileTabs() -> impl IntoView {
    let app = App::get();
    let renaming = RwSignal::new(None::<usize>);
    let names = Memo::new(move |_| {
        app.files.with(|files| files.iter().map(|file| file.name.clone()).collect::<Vec<_>>())
    });
    let rename = move |file: usize, event: &leptos::ev::Event| {
        if renaming.get_untracked() == Some(file) {
            renaming.set(None);
            app.rename_file(file, event_target::<HtmlInputElement>(event).value());
        }
    };
    let tab = move |(file, name): (usize, String)| {
        let field = NodeRef::<html::Input>::new();
        Effect::new(move |_| {
            if let Some(field) = field.get() {
                // A text field can have the focus.
                let _ = field.focus();
                field.select();
            }
        });
        let shown = name.clone();
        let close_label = format!("Close {name}");
        let rename_label = format!("Rename {name}");
        view! {
            <div class="file-tab" data-active=move || (app.active.get() == file).to_string()>
                <Show
                    when=move || renaming.get() == Some(file)
                    fallback=move || {
                        let shown = shown.clone();
                        view! {
                            <button
                                class="file-name"
                                aria-pressed=move || (app.active.get() == file).to_string()
                                on:click=move |_| app.show_file(file)
                                on:dblclick=move |_| renaming.set(Some(file))
                            >
                                {shown}
                            </button>
                        }
                    }
                >
                    <input
                        class="file-rename"
                        node_ref=field
                        aria-label="File name"
                        value=name.clone()
                        on:change=move |event| rename(file, &event)
                        on:blur=move |_| renaming.set(None)
                        on:keydown=move |event: KeyboardEvent| {
                            if event.key() == "Escape" {
                                event.prevent_default();
                                renaming.set(None);
                            }
                        }
                    />
                </Show>
                <button
                    class="file-action"
                    title="Rename"
                    aria-label=rename_label
                    on:click=move |_| renaming.set(Some(file))
                >
                    {icons::icon(icons::EDIT)}
                </button>
                {(file > 0)
                    .then(|| {
                        view! {
                            <button
                                class="file-action"
                                title="Close"
                                aria-label=close_label
                                on:click=move |_| app.remove_file(file)
                            >
                                {icons::icon(icons::CLOSE)}
                            </button>
                        }
                    })}
            </div>
        }
    };
    view! {
        <div class="files" class:fixed=move || app.of_course() role="group" aria-label="Files of the model">
            {move || names.get().into_iter().enumerate().map(tab).collect_view()}
        </div>
    }
}

/// What is wrong with the text, in a line; a click shows the list.
#[component]
fn StateLine() -> impl IntoView {
    let app = App::get();
    let count = move |level: Level| {
        app.diagnostics.with(|list| list.iter().filter(|it| it.level == level).count() as u64)
    };
    let text = move || {
        let (errors, warnings) = (count(Level::Error), count(Level::Warning));
        match (errors, warnings) {
            (0, 0) => "No problems".to_owned(),
            (0, more) => counted(more, "warning", "warnings"),
            (some, 0) => counted(some, "error", "errors"),
            (some, more) => {
                format!(
                    "{}, {}",
                    counted(some, "error", "errors"),
                    counted(more, "warning", "warnings")
                )
            }
        }
    };
    let tone = move || {
        if count(Level::Error) > 0 {
            "violated"
        } else if count(Level::Warning) > 0 {
            "partial"
        } else {
            "plain"
        }
    };
    let processes = move || {
        let number = app.summary.with(|summary| summary.initial_processes);
        (number > 0)
            .then(|| counted(u64::from(number), "process at the start", "processes at the start"))
    };
    view! {
        <footer class="state-line">
            <button
                class="state-button"
                on:click=move |_| {
                    app.view.set("problems");
                    app.half.set(crate::app::Half::Result);
                }
            >
                <span class="dot" data-tone=tone></span>
                {text}
            </button>
            <span class="state-text">{processes}</span>
            <span class="state-text state-end">"Esc, then Tab leaves the editor"</span>
        </footer>
    }
}
