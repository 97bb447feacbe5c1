//! Statements that no run executes; only known after a complete search.

use super::{View, nothing};
use crate::app::App;
use leptos::prelude::*;
use promenade_protocol::{Unreached, Verdict};

/// The view.
pub struct UnreachedView;

impl View for UnreachedView {
    fn id(&self) -> &'static str {
        "unreached"
    }

    fn title(&self) -> &'static str {
        "Unreached"
    }

    fn count(&self, app: App) -> Option<usize> {
        app.outcome().map(|outcome| outcome.report.unreached.len())
    }

    fn waits(&self, app: App) -> bool {
        app.outcome().is_none()
    }

    fn show(&self, app: App) -> AnyView {
        (move || {
            let Some(outcome) = app.outcome() else {
                return nothing("After a complete search: the statements that no run executes.");
            };
            if outcome.report.unreached.is_empty() {
                return nothing(match outcome.report.verdict {
                    Verdict::Holds if !outcome.replayed => "Every statement is executed in some run.",
                    _ => {
                        "Which statements are never executed is known only after a complete search."
                    }
                });
            }
            let mut groups: Vec<(String, Vec<Unreached>)> = Vec::new();
            for it in &outcome.report.unreached {
                match groups.iter_mut().find(|(process, _)| *process == it.process) {
                    Some((_, list)) => list.push(it.clone()),
                    None => groups.push((it.process.clone(), vec![it.clone()])),
                }
            }
            let group = move |(process, list): (String, Vec<Unreached>)| {
                view! {
                    <h3>{process}</h3>
                    <ul>
                        {list
                            .into_iter()
                            .map(|it| {
                                let span = it.span;
                                view! {
                                    <li>
                                        <button class="row" on:click=move |_| app.show_span(span)>
                                            <code class="row-text">{it.text}</code>
                                            <span class="row-line">{app.place_label(span)}</span>
                                        </button>
                                    </li>
                                }
                            })
                            .collect_view()}
                    </ul>
                }
            };
            view! {
                <div class="rows">
                    <p class="lead">
                        "No run of the model executes these statements. That is no error, but what is never reached was never tested either."
                    </p>
                    {groups.into_iter().map(group).collect_view()}
                </div>
            }
            .into_any()
        })
        .into_any()
    }
}
