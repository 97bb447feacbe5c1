//! How a state is laid out: which variable needs how many bits, and where it is.

use crate::app::{Outcome, Shared};
use crate::numbers::{counted, grouped};
use leptos::prelude::*;
use promenade_protocol::LayoutRow;

/// The table, closed at first.
#[component]
pub fn Layout(
    /// Whose states.
    outcome: Shared<Outcome>,
    /// It is open; kept from one result to the next.
    open: RwSignal<bool>,
) -> impl IntoView {
    let rows = outcome.report.layout.clone();
    let longest = outcome.report.statistics.state_bytes;
    (!rows.is_empty()).then(|| {
        view! {
            <details class="tool" id="layout" prop:open=move || open.get() on:toggle=move |event| open.set(super::is_open(&event))>
                <summary>"State layout"</summary>
                {move || open.get().then(|| table(&rows, longest))}
            </details>
        }
    })
}

fn table(rows: &[LayoutRow], longest: u64) -> impl IntoView + use<> {
    let about = format!(
        "A state is a row of bytes; the longest had {}. Fewer variables, smaller ranges and shorter \
         channels make states smaller, and often make fewer of them.",
        counted(longest, "byte", "bytes")
    );
    let groups: Vec<_> = rows.chunk_by(|a, b| a.part == b.part).map(group).collect();
    view! {
        <div class="tool-body">
            <p class="meaning tool-text">{about}</p>
            <div class="race-scroll" tabindex="0" role="group" aria-label="State layout">
                <table class="race-table layout-table">
                    <thead>
                        <tr>
                            <th scope="col">"variable"</th>
                            <th scope="col">"type and values"</th>
                            <th scope="col">"bits"</th>
                            <th scope="col">"bytes"</th>
                            <th scope="col">"offset"</th>
                        </tr>
                    </thead>
                    {groups}
                </table>
            </div>
        </div>
    }
}

fn group(rows: &[LayoutRow]) -> impl IntoView + use<> {
    let part = rows.first().map(|row| row.part.clone()).unwrap_or_default();
    let bytes: u64 = rows.iter().map(|row| u64::from(row.bytes)).sum();
    let title = format!("{part}, {}", counted(bytes, "byte", "bytes"));
    let row = |row: &LayoutRow| {
        view! {
            <tr>
                <th scope="row"><code>{row.name.clone()}</code></th>
                <td>{row.range.clone()}</td>
                <td class="number">{grouped(row.bits)}</td>
                <td class="number">{grouped(row.bytes.into())}</td>
                <td class="number">{grouped(row.offset.into())}</td>
            </tr>
        }
    };
    view! {
        <tbody>
            <tr class="layout-part"><th scope="rowgroup" colspan="5">{title}</th></tr>
            {rows.iter().map(row).collect_view()}
        </tbody>
    }
}
