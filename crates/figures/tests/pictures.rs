//! Pictures compared with files. With the variable `PROMENADE_UPDATE` set the files are written
//! instead.

mod common;

use promenade_figures::svg::{self, Theme};
use promenade_figures::{AutomatonOptions, Direction, Style, automaton_drawing, dot};
use std::path::Path;

fn compare(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures").join(name);
    if std::env::var_os("PROMENADE_UPDATE").is_some() {
        std::fs::write(&path, text).expect("writable");
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(known == text, "{} has changed; look at it after an update", path.display());
}

#[test]
fn several_marks_on_one_state() {
    let drawing =
        automaton_drawing(&common::two_fairness(), &AutomatonOptions::default()).expect("drawn");
    compare("two-fairness.svg", &svg::write(&drawing, "[]<>p && []<>q", Theme::Light));
}

#[test]
fn accepting_states() {
    let data = common::response();
    let drawing = automaton_drawing(&data, &AutomatonOptions::default()).expect("drawn");
    compare("response.svg", &svg::write(&drawing, &data.formula, Theme::Device));
    compare("response.dot", &dot::write(&data));
}

#[test]
fn components_of_every_kind() {
    let data = common::reactive();
    let options = AutomatonOptions { components: true, ..AutomatonOptions::default() };
    let drawing = automaton_drawing(&data, &options).expect("drawn");
    compare("reactive.svg", &svg::write(&drawing, &data.formula, Theme::Light));
    compare("reactive.dot", &dot::write(&data));
    let style = Style { direction: Direction::TopToBottom, ..Style::default() };
    let drawing = automaton_drawing(&data, &AutomatonOptions { style, ..options }).expect("drawn");
    compare("reactive-down.svg", &svg::write(&drawing, &data.formula, Theme::Dark));
}
