//! What is open: files with property and settings, and where they came from.

use promenade_gallery::Entry;
use promenade_protocol::{Define, Experiment, File, Property, Settings};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Something to work on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Document {
    /// Different for each document that is opened.
    pub id: String,
    /// When it was last changed, in milliseconds since 1970.
    pub changed_at: f64,
    /// What is checked, and how.
    pub experiment: Experiment,
    /// The model of the gallery that it began as.
    #[serde(default)]
    pub origin: Option<String>,
    /// Formulas of the user's own, chosen or not.
    #[serde(default)]
    pub formulas: Vec<String>,
    /// What stands in the formula box, if the user wrote it.
    #[serde(default)]
    pub typed: Option<String>,
}

impl Document {
    /// A new document.
    pub fn new(experiment: Experiment, origin: Option<String>) -> Self {
        Self {
            id: fresh_id(),
            changed_at: crate::events::clock(),
            experiment,
            origin,
            formulas: Vec::new(),
            typed: None,
        }
    }

    /// One file.
    pub fn of_text(name: &str, text: &str, settings: Settings) -> Self {
        let files = vec![File { name: name.to_owned(), text: text.to_owned() }];
        Self::new(Experiment { files, property: Property::Safety, settings }, None)
    }

    /// A model of the gallery, without its header: the page shows that by itself.
    pub fn of_entry(entry: &Entry, settings: Settings) -> Self {
        let file = File { name: format!("{}.pml", entry.name), text: body(entry) };
        let experiment = Experiment { files: vec![file], property: Property::Safety, settings };
        Self::new(experiment, Some(entry.name.to_owned()))
    }

    /// The name of the main file.
    pub fn name(&self) -> &str {
        self.experiment.files.first().map_or("model.pml", |file| &file.name)
    }
}

/// The text of a gallery model without its header.
pub fn body(entry: &Entry) -> String {
    let lines = entry.header().map_or(0, |header| header.lines);
    let mut rest = entry.text;
    for _ in 0..lines {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    }
    rest.trim_start_matches('\n').to_owned()
}

/// Whether a text is still, in essence, the one that it began as: more than half of its lines are
/// there.
pub fn resembles(text: &str, first: &str) -> bool {
    fn lines(text: &str) -> impl Iterator<Item = &str> {
        // What stands in every text says nothing.
        text.lines().map(str::trim).filter(|line| line.len() > 3)
    }
    let here: HashSet<&str> = lines(text).collect();
    let (all, kept) = lines(first)
        .fold((0, 0), |(all, kept), line| (all + 1, kept + usize::from(here.contains(line))));
    2 * kept > all
}

/// A value among the definitions.
pub fn define(defines: &[Define], name: &str) -> Option<String> {
    defines.iter().find(|d| d.name == name).and_then(|d| d.value.clone())
}

/// Sets or removes a definition.
pub fn set_define(defines: &mut Vec<Define>, name: &str, value: Option<String>) {
    defines.retain(|d| d.name != name);
    if value.is_some() {
        defines.push(Define { name: name.to_owned(), value });
    }
}

/// An identity for a document that is opened.
pub fn fresh_id() -> String {
    // Only to tell the tabs and documents of one browser apart.
    format!("{:x}-{:x}", crate::events::clock() as u64, (js_sys::Math::random() * 4e9) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edited_model_is_still_that_of_the_gallery() {
        let first = "byte x;\n\nactive proctype A() {\n  x++;\n  assert(x == 1)\n}\n";
        assert!(resembles(first, first));
        assert!(resembles(
            "byte x, y;\nactive proctype A() {\n    x++;\n y++;\n assert(x == 1)\n}",
            first
        ));
        assert!(!resembles("byte z;\nactive proctype B() {\n  z++;\n}\n", first));
        assert!(!resembles("", first));
    }

    #[test]
    fn hardly_a_model_of_the_gallery_passes_for_another() {
        let texts: Vec<String> = promenade_gallery::ENTRIES.iter().map(body).collect();
        for (at, text) in texts.iter().enumerate() {
            // Those of one problem have many lines in common.
            let alike = texts.iter().filter(|first| resembles(text, first)).count();
            assert!(
                resembles(text, text) && alike <= 4,
                "{}: {alike}",
                promenade_gallery::ENTRIES[at].name
            );
        }
    }
}
