//! The playground page: editor on the left, verdict and what belongs to it on the right.
//!
//! [`app::App`] holds the state; everything else shows a part of it or changes it. The checker is
//! known only as messages ([`worker_client`]), the text editor only as a binding ([`editor`]).
#![forbid(unsafe_code)]

mod app;
mod automaton;
mod combinations;
mod completed_input;
mod confidence;
mod cores;
mod courses;
mod crew;
mod dialog;
mod document;
mod drafts;
mod editor;
mod editor_pane;
mod engine_options;
mod events;
mod files;
mod formula_input;
mod frame;
mod gallery;
mod help;
mod icons;
mod keyboard;
mod language;
mod links;
mod menu;
mod naming;
mod notices;
mod numbers;
mod offsets;
mod option_parts;
mod options;
mod playback;
mod propositions;
mod share;
mod splitter;
mod storage;
mod theme;
mod top_bar;
mod verdict;
mod views;
mod word_text;
mod worker_client;

/// Shows the page in the document's body.
pub fn start() {
    console_error_panic_hook::set_once();
    frame::mount();
}
