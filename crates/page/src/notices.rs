//! Messages at the lower edge: they cover nothing that is needed and move nothing.

use crate::app::{App, Dialog, Notice, NoticeAction};
use crate::events::listen_window;
use crate::{files, icons};
use leptos::prelude::*;
use std::time::Duration;

/// How long a passing notice is shown.
const SHOWN: Duration = Duration::from_secs(4);
/// And one that offers something.
const OFFERED: Duration = Duration::from_secs(8);

/// The notice, if there is one, and the voice for screen readers.
#[component]
pub fn Notices() -> impl IntoView {
    let app = App::get();
    listen_window("promenade:update", false, move |_: web_sys::Event| {
        app.warn("A new version of this page is ready.", Some(NoticeAction::Update));
    });
    Effect::new(move |_| {
        let Some(notice) = app.notice.get() else { return };
        if !notice.stays {
            let shown = if notice.action.is_some() { OFFERED } else { SHOWN };
            set_timeout(
                move || {
                    if app.notice.get_untracked().as_ref() == Some(&notice) {
                        app.notice.set(None);
                    }
                },
                shown,
            );
        }
    });
    let act = move |action: NoticeAction| {
        app.notice.set(None);
        match action {
            NoticeAction::Download => files::download(app),
            NoticeAction::Reopen => {
                app.reopen_file();
                app.with_editor(|editor| editor.focus());
            }
            NoticeAction::Options => app.undo_options(),
            NoticeAction::Drafts => app.dialog.set(Some(Dialog::Drafts)),
            NoticeAction::Update => {
                app.keep();
                if let (Ok(event), Some(window)) =
                    (web_sys::Event::new("promenade:switch"), web_sys::window())
                {
                    // It fails only for an event that is being sent already.
                    let _ = window.dispatch_event(&event);
                }
            }
        }
    };
    let notice = move |notice: Notice| {
        view! {
            <div class="notice">
                <p>{notice.text}</p>
                {notice
                    .action
                    .map(|action| {
                        view! {
                            <button class="quiet" on:click=move |_| act(action)>
                                {action.label()}
                            </button>
                        }
                    })}
                <button
                    class="icon-button"
                    aria-label="Close the message"
                    on:click=move |_| app.notice.set(None)
                >
                    {icons::icon(icons::CLOSE)}
                </button>
            </div>
        }
    };
    view! {
        <div class="notices" role="status">
            {move || app.notice.get().map(notice)}
        </div>
        <div class="unseen" role="status" aria-live="polite">
            {move || app.announcement.get()}
        </div>
    }
}
