//! The assignment that is open: instructions, tasks, checks. Its script fills the view.

use super::View;
use crate::app::App;
use crate::courses::Place;
use leptos::prelude::*;

/// The view.
pub struct Assignment;

impl View for Assignment {
    fn id(&self) -> &'static str {
        "assignment"
    }

    fn title(&self) -> &'static str {
        "Assignment"
    }

    fn there(&self, app: App) -> bool {
        app.of_course()
    }

    fn show(&self, _app: App) -> AnyView {
        view! { <Place what="pane"/> }.into_any()
    }
}
