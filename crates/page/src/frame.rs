//! The frame of the page: bar, editor, splitter, result; on a phone one half at a time.

use crate::app::{App, Dialog, Half, Shown, interrupted};
use crate::confidence::ConfidenceBox;
use crate::drafts::Drafts;
use crate::editor_pane::EditorPane;
use crate::events::listen_window;
use crate::files::{self, FileInput};
use crate::gallery::Gallery;
use crate::help::Help;
use crate::notices::Notices;
use crate::options::Options;
use crate::share::Share;
use crate::splitter::Splitter;
use crate::top_bar::TopBar;
use crate::verdict::VerdictCard;
use crate::views::Views;
use crate::{keyboard, links};
use leptos::prelude::*;
use promenade_protocol::Verdict;

/// Puts the page into the document's body, in place of what the document shows until then.
pub fn mount() {
    if let Some(boot) = document().get_element_by_id("boot") {
        boot.remove();
    }
    mount_to_body(Page);
}

#[component]
fn Page() -> impl IntoView {
    let app = App::provide();
    let over = RwSignal::new(false);
    app.start_worker();
    let note = interrupted();
    links::open_at_start(app);
    if let Some(note) = note {
        app.offer(note);
    }
    app.keep_focus();
    app.follow();
    app.follow_formula();
    app.follow_word();
    app.follow_pattern();
    app.follow_graph();
    keyboard::listen(app);
    files::accept_drops(app, over);
    listen_window("hashchange", false, move |_: web_sys::Event| {
        links::open_fragment(app);
    });
    listen_window("pagehide", false, move |_: web_sys::Event| {
        app.keep();
    });
    let half = move |half: Half| (app.half.get() == half).to_string();
    view! {
        <TopBar/>
        <main id="halves" class="halves" data-half=move || {
            if app.half.get() == Half::Edit { "edit" } else { "result" }
        }>
            <section id="editor-half" class="half editor-half" aria-label="Editor">
                <EditorPane/>
            </section>
            <Splitter/>
            <section class="half result-half" aria-label="Result">
                <VerdictCard/>
                <ConfidenceBox/>
                <Views/>
            </section>
        </main>
        <nav class="switch" aria-label="Halves of the page">
            <button aria-pressed=move || half(Half::Edit) on:click=move |_| app.half.set(Half::Edit)>
                "Edit"
            </button>
            <button
                aria-pressed=move || half(Half::Result)
                on:click=move |_| app.half.set(Half::Result)
            >
                <span class="dot" data-tone=move || tone(app)></span>
                "Result"
            </button>
        </nav>
        <Gallery/>
        <Options/>
        <Share/>
        <Drafts/>
        <Show when=move || app.dialog.get() == Some(Dialog::Help)>
            <Help/>
        </Show>
        <FileInput/>
        <Notices/>
        <div class="drop" hidden=move || !over.get()>
            <p>"Drop a model to open it"</p>
        </div>
    }
}

/// The colour of the result: `holds`, `partial`, `violated`, `running`, `plain`.
pub fn tone(app: App) -> &'static str {
    if app.visible.get() {
        return "running";
    }
    app.shown.with(|shown| match shown {
        Shown::Nothing => "plain",
        Shown::WrongFormula => "violated",
        Shown::Trouble { .. } => "partial",
        Shown::Run(run) if run.end.is_bad() => "violated",
        Shown::Run(_) => "plain",
        Shown::Outcome(outcome) if outcome.mismatch.is_some() => "partial",
        Shown::Outcome(outcome) => match outcome.report.verdict {
            Verdict::Holds if outcome.replayed => "plain",
            Verdict::Holds if outcome.report.vacuity.is_some() => "partial",
            Verdict::Holds => "holds",
            Verdict::NoViolationFound { .. } => "partial",
            Verdict::Violated | Verdict::InputError => "violated",
            Verdict::InternalError { .. } => "partial",
        },
    })
}
