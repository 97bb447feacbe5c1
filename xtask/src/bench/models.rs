//! The models: the gallery, and the corpus with SPIN's numbers where there is one.

use super::Plan;
use crate::places;
use crate::shell::{Outcome, say};
use std::fs;
use std::path::PathBuf;

/// A model to measure.
pub struct Model {
    /// What the table calls it.
    pub name: String,
    /// The source text.
    pub file: PathBuf,
    /// How many states a full search stores, where that is known beforehand.
    pub states: Option<u64>,
    /// How deep a full search goes, where that is known.
    pub depth: Option<u64>,
}

impl Model {
    /// The source text, with the texts that it includes, each by its name.
    pub fn texts(&self) -> Result<Vec<(String, String)>, String> {
        let mut texts: Vec<(String, String)> = Vec::new();
        let mut names = vec!["model.pml".to_owned()];
        while let Some(name) = names.pop() {
            let file =
                if texts.is_empty() { self.file.clone() } else { self.file.with_file_name(&name) };
            let text = fs::read_to_string(&file)
                .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
            let new = included(&text).filter(|name| !texts.iter().any(|(known, _)| known == name));
            names.extend(new.map(str::to_owned));
            texts.push((name, text));
        }
        Ok(texts)
    }
}

/// The names in `#include "..."`.
fn included(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("#include"));
    lines.filter_map(|rest| rest.trim().strip_prefix('"')?.split('"').next())
}

/// All models that the plan asks for, gallery first.
pub fn list(plan: &Plan) -> Outcome<Vec<Model>> {
    let mut models = gallery()?;
    match corpus() {
        None => {
            say("no corpus: set PROMENADE_CORPUS to its folder, or put it beside the checkout as \
             shared/corpus; only the gallery is measured")
        }
        Some(folder) => {
            for part in ["spin-examples", "beem"] {
                models.extend(part_of_corpus(&folder, part)?);
            }
        }
    }
    models.retain(|model| {
        model.states.is_none_or(|states| states <= plan.max_states)
            && plan.filter.as_ref().is_none_or(|text| model.name.contains(text.as_str()))
    });
    if models.is_empty() {
        return Err("no model has that in its name".into());
    }
    Ok(models)
}

fn gallery() -> Outcome<Vec<Model>> {
    let folder = places::root().join("tests/suite/gallery");
    let entries = fs::read_dir(&folder)
        .map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut models: Vec<Model> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|file| file.extension().is_some_and(|extension| extension == "pml"))
        .map(|file| {
            let name = file.file_stem().unwrap_or_default().to_string_lossy();
            let states = fs::read_to_string(&file).ok().and_then(|text| counted(&text));
            Model { name: format!("gallery/{name}"), file: file.clone(), states, depth: None }
        })
        .collect();
    models.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(models)
}

/// The number of states in a gallery model's header, for its own parameters.
fn counted(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.trim().strip_prefix("* states:"))?;
    line.trim().parse().ok()
}

/// The folder of the corpus, if there is one.
pub fn corpus() -> Option<PathBuf> {
    let named = std::env::var_os("PROMENADE_CORPUS").map(PathBuf::from);
    let beside = places::root().join("../shared/corpus");
    named.into_iter().chain([beside]).find(|folder| folder.is_dir())
}

/// The rows of a table of expectations that a full search finished.
fn part_of_corpus(corpus: &std::path::Path, part: &str) -> Outcome<Vec<Model>> {
    let table = corpus.join(part).join("expected.tsv");
    let text = fs::read_to_string(&table)
        .map_err(|error| format!("cannot read {}: {error}", table.display()))?;
    let mut models = Vec::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        // file, way, status, stored, matched, transitions, depth, ...
        let [name, "full", "ok", stored, _, _, depth, ..] = cells.as_slice() else { continue };
        models.push(Model {
            name: format!("{part}/{name}"),
            file: corpus.join(part).join(name),
            states: stored.parse().ok(),
            depth: depth.parse().ok(),
        });
    }
    Ok(models)
}
