//! The values after a step: globals, channels, then each process with its place and its locals.

use super::fairness::FairnessOfRun;
use super::steps::chip;
use crate::app::{App, process_name};
use crate::playback::{Group, Snapshot};
use leptos::prelude::*;
use promenade_protocol::{ProcessPosition, ProcessState, Slot, SlotOwner, SpanData};
use std::collections::HashSet;
use std::sync::Arc;

/// More rows are not shown at once; the filter finds the others.
const MOST: usize = 400;

/// The table with its filter, and the printed text.
#[component]
pub fn Values() -> impl IntoView {
    let app = App::get();
    let filter = RwSignal::new(String::new());
    let only_changed = RwSignal::new(false);
    let groups = Memo::new(move |_| {
        app.playback.with(|playback| playback.as_ref().map(|it| it.groups()).unwrap_or_default())
    });
    let changed = Memo::new(move |_| {
        let step = app.step.get();
        app.playback
            .with(|playback| playback.as_ref().map(|it| it.changed(step)).unwrap_or_default())
    });
    let before = Memo::new(move |_| {
        let step = app.step.get();
        let before = app.playback.with(|playback| {
            playback.as_ref().map(|it| it.state(step.saturating_sub(1))).unwrap_or_default()
        });
        before.values
    });
    let table = move || {
        let wanted = filter.get().to_lowercase();
        let changes = changed.get();
        let only = only_changed.get();
        let Some(playback) = app.playback.get() else { return Vec::new() };
        let step = app.step.get();
        let at_end = playback.is_end(step);
        let waits = |pid: u8| {
            let of = |found: &promenade_protocol::Found| {
                found.blocked.iter().find(|it| it.0 == pid).map(|it| it.2.clone())
            };
            app.found(of).flatten().filter(|text| at_end && !text.is_empty())
        };
        let scene = Scene {
            app,
            slots: &playback.trace.slots,
            state: &app.snapshot.get(),
            before: &before.get(),
            pick: Pick { wanted: &wanted, changes: &changes, only },
            statement: &|span| app.shown_text(span.file, |text| statement(text, span)),
            waits: &waits,
        };
        scene.groups(&groups.get())
    };
    view! {
        <div class="values">
            <div class="values-head">
                <input
                    class="filter"
                    type="search"
                    placeholder="Find a variable"
                    aria-label="Find a variable"
                    prop:value=move || filter.get()
                    on:input=move |event| filter.set(event_target_value(&event))
                />
                <label class="toggle">
                    <input
                        type="checkbox"
                        prop:checked=move || only_changed.get()
                        on:change=move |event| only_changed.set(event_target_checked(&event))
                    />
                    "changed only"
                </label>
            </div>
            <div class="values-body" tabindex="0" role="group" aria-label="Values after this step">
                <AutomatonPlace/>
                <FairnessOfRun/>
                {table}
                <Printed/>
            </div>
        </div>
    }
}

/// Which rows are shown.
pub(super) struct Pick<'a> {
    /// Part of a name.
    pub wanted: &'a str,
    /// Slots that changed.
    pub changes: &'a HashSet<usize>,
    /// Only those.
    pub only: bool,
}

/// A state to be shown, with what is known around it.
pub(super) struct Scene<'a> {
    pub app: App,
    pub slots: &'a [Slot],
    pub state: &'a Snapshot,
    /// Values before the last step.
    pub before: &'a [Option<Arc<str>>],
    pub pick: Pick<'a>,
    /// The statement at a place of the text.
    pub statement: &'a dyn Fn(SpanData) -> Option<String>,
    /// What a process is stuck at.
    pub waits: &'a dyn Fn(u8) -> Option<String>,
}

/// The first line of a statement, if it is not too long.
pub(super) fn statement(text: &str, span: SpanData) -> Option<String> {
    let text = text.get(span.start as usize..span.end as usize)?;
    let text = text.lines().next().unwrap_or_default().trim();
    Some(text.chars().take(60).collect())
}

impl Scene<'_> {
    /// The tables.
    pub(super) fn groups(&self, groups: &[Group]) -> Vec<AnyView> {
        let mut left = MOST;
        groups.iter().filter_map(|group| self.group(group, &mut left)).collect()
    }

    fn group(&self, group: &Group, left: &mut usize) -> Option<AnyView> {
        let pick = &self.pick;
        let position = match group.owner {
            SlotOwner::Process { pid } => Some(self.state.positions.get(&pid).cloned()?),
            _ => None,
        };
        let prefix = position.as_ref().map(|it| it.name.to_lowercase()).unwrap_or_default();
        let mut rows: Vec<AnyView> = Vec::new();
        for &index in &group.slots {
            let Some(slot) = self.slots.get(index) else { continue };
            let Some(Some(value)) = self.state.values.get(index) else { continue };
            let new = pick.changes.contains(&index);
            // A channel that nothing else was assigned to is among the channels.
            if group.owner == SlotOwner::Global && slot.type_name == "chan" && **value == *slot.name
            {
                continue;
            }
            let named = pick.wanted.is_empty()
                || slot.name.to_lowercase().contains(pick.wanted)
                || (!prefix.is_empty() && prefix.contains(pick.wanted));
            if !named || (pick.only && !new) {
                continue;
            }
            if *left == 0 {
                rows.push(view! { <tr><td colspan="3" class="meaning">"and more: use the filter"</td></tr> }.into_any());
                break;
            }
            *left -= 1;
            let old = self.before.get(index).cloned().flatten().filter(|old| new && old != value);
            rows.push(
                view! {
                    <tr class:changed=new>
                        <th scope="row" title=slot.type_name.clone()>{slot.name.clone()}</th>
                        <td class="value">{value.to_string()}</td>
                        <td class="was">{old.map(|old| format!("was {old}"))}</td>
                    </tr>
                }
                .into_any(),
            );
        }
        let heading = match (&group.owner, &position) {
            (SlotOwner::Global, _) => view! { <span>"Globals"</span> }.into_any(),
            (SlotOwner::Channel, _) => view! { <span>"Channels"</span> }.into_any(),
            (SlotOwner::Process { pid }, Some(position)) => {
                self.process_heading(*pid, position).into_any()
            }
            _ => return None,
        };
        if rows.is_empty() && (position.is_none() || !pick.wanted.is_empty() || pick.only) {
            return None;
        }
        Some(
            view! {
                <section class="group">
                    <h3 class="group-head">{heading}</h3>
                    <table class="cells"><tbody>{rows}</tbody></table>
                </section>
            }
            .into_any(),
        )
    }

    fn process_heading(&self, pid: u8, position: &ProcessPosition) -> impl IntoView + use<> {
        let app = self.app;
        let blocked = (self.waits)(pid);
        let span = position.span;
        let place = match (position.state, span) {
            (ProcessState::Ended, _) => "at its end".to_owned(),
            (_, Some(span)) => app.place_label(span),
            _ => String::new(),
        };
        let next = span.filter(|_| blocked.is_none()).and_then(self.statement);
        let stuck = blocked.is_some();
        view! {
            {chip(&position.name, pid)}
            <span class="group-name">{process_name(&position.name, pid)}</span>
            <button
                class="group-place"
                disabled=span.is_none()
                on:click=move |_| {
                    if let Some(span) = span {
                        app.show_span(span);
                    }
                }
            >
                {place}
            </button>
            <code class="group-next" class:stuck=stuck>
                {blocked.map(|text| format!("waits: {text}")).or(next)}
            </code>
        }
    }
}

/// Where the automaton of the property is, with what it waits for there.
#[component]
fn AutomatonPlace() -> impl IntoView {
    let app = App::get();
    move || {
        let step = app.step.get();
        let state = app.playback.with(|it| it.as_ref().and_then(|it| it.automaton_state(step)))?;
        if !app.playback.with(|it| it.as_ref().is_some_and(|it| it.has_automaton())) {
            return None;
        }
        let automaton = app.report_automaton();
        let meaning = automaton
            .as_ref()
            .and_then(|it| it.states.get(state as usize))
            .map(|it| it.meaning.clone())
            .filter(|meaning| !meaning.is_empty());
        let drawn = automaton.is_some();
        Some(view! {
            <section class="group">
                <h3 class="group-head">
                    <span class="automaton-chip moved">"A"</span>
                    <span class="group-name">"automaton"</span>
                    <button
                        class="group-place"
                        disabled=!drawn
                        on:click=move |_| app.view.set("automaton")
                    >
                        {format!("state {state}")}
                    </button>
                    <code class="group-next" title=meaning.clone()>{meaning.clone()}</code>
                </h3>
            </section>
        })
    }
}

/// Text that was printed up to the step.
#[component]
fn Printed() -> impl IntoView {
    let app = App::get();
    move || {
        let step = app.step.get();
        let playback = app.playback.get()?;
        if !playback.prints() {
            return None;
        }
        let text: String = playback.printed(step).into_iter().map(|(_, text)| text).collect();
        Some(view! {
            <section class="group">
                <h3 class="group-head">"Printed so far"</h3>
                <pre class="printed">{if text.is_empty() { "nothing".to_owned() } else { text }}</pre>
            </section>
        })
    }
}
