//! The state vector as a table for people.

use promenade_interp::{Component, Interpreter};
use promenade_protocol::LayoutRow;

/// The elements of the state vector, in its order.
pub(crate) fn rows(system: &Interpreter) -> Vec<LayoutRow> {
    let part = |component: &Component| match component {
        Component::Header => "fixed part".to_owned(),
        Component::Claim => "claim".to_owned(),
        Component::Global => "global variables".to_owned(),
        Component::Channel => "channels".to_owned(),
        Component::Process(name) => format!("each process {name}"),
        Component::Hidden => "hidden, not compared".to_owned(),
    };
    let entries = system.layout().into_iter();
    entries
        .map(|entry| LayoutRow {
            part: part(&entry.component),
            name: entry.name,
            range: entry.range,
            bits: entry.bits,
            offset: entry.offset,
            bytes: entry.bytes,
        })
        .collect()
}
