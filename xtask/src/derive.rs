//! What is made from the catalogue of options and kept in files that people read: the settings of the
//! npm package's types, and tables and lists of the help.
//!
//! A derived part stands between two marks, of which the first names it.

use crate::places;
use crate::shell::{Outcome, say};
use promenade_options::{
    Group, Kind, OPTIONS, OptionId, OptionSpec, Settings, Store, Traits, words,
};
use std::fmt::Write;
use std::fs;

/// A derived part: its file, its name, and its text.
type Part = (&'static str, &'static str, fn() -> String);

const PARTS: [Part; 9] = [
    ("www/npm/index.d.ts", "settings", settings_type),
    ("www/help/command-line.md", "property", || rows(Group::Property)),
    ("www/help/command-line.md", "language", || rows(Group::Language)),
    ("www/help/command-line.md", "search", || rows(Group::Search)),
    ("www/help/command-line.md", "engine", || rows(Group::Engine)),
    ("www/help/engine.md", "stores", stores),
    ("www/help/options.md", "search", || values(OptionId::Search)),
    ("www/help/options.md", "parameters", parameters),
    ("www/help/options.md", "emptiness", || values(OptionId::Emptiness)),
];

/// Writes all derived parts.
pub fn write() -> Outcome {
    for part in PARTS {
        let path = places::root().join(part.0);
        let (text, fresh) = compare(part)?;
        if text != fresh {
            fs::write(&path, fresh)
                .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
            say(format!("{}: {}", part.0, part.1));
        }
    }
    Ok(())
}

/// Fails where a derived part is not what it would be now.
pub fn check() -> Outcome {
    let mut stale = Vec::new();
    for part in PARTS {
        let (text, fresh) = compare(part)?;
        if text != fresh {
            stale.push(format!("{} ({})", part.0, part.1));
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    Err(format!("these are stale: {}; run `cargo xtask derive`", stale.join(", ")))
}

/// The file as it is, and as it should be.
fn compare((file, name, make): Part) -> Outcome<(String, String)> {
    let path = places::root().join(file);
    let text = fs::read_to_string(&path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let fresh = replaced(&text, file, name, &make())?;
    Ok((text, fresh))
}

fn replaced(text: &str, file: &str, name: &str, part: &str) -> Outcome<String> {
    let marks = if file.ends_with(".md") {
        (format!("<!-- derived: {name} -->\n"), "<!-- end -->")
    } else {
        (format!("// derived: {name}\n"), "// end")
    };
    let missing = || format!("{file} has no derived part `{name}`");
    let start = text.find(&marks.0).ok_or_else(missing)? + marks.0.len();
    let rest = text.get(start..).ok_or_else(missing)?;
    let end = start + rest.find(marks.1).ok_or_else(missing)?;
    let (before, after) = (text.get(..start), text.get(end..));
    Ok(format!("{}{part}{}", before.unwrap_or_default(), after.unwrap_or_default()))
}

fn settings_type() -> String {
    let mut out =
        "/** What is left out has the page's default. */\nexport interface Settings {\n".to_owned();
    for spec in OPTIONS {
        let kind = match spec.kind {
            Kind::Flag => "boolean".to_owned(),
            Kind::Number { .. } => "number".to_owned(),
            Kind::Limit => "number | null".to_owned(),
            Kind::Choice(all) => {
                all.iter().map(|it| format!("\"{}\"", it.id)).collect::<Vec<_>>().join(" | ")
            }
        };
        let _ = writeln!(out, "  /** {} */\n  {}?: {kind};", spec.doc, spec.id);
    }
    out.push_str("  /** Macros, as with `-D`. */\n");
    out.push_str("  defines?: { name: string; value?: string | null }[];\n}\n");
    out
}

/// The value that an option has without being chosen, as the command line writes it.
fn default(id: OptionId) -> Option<String> {
    let value = Settings::default().get(id)?;
    Some(match id.spec().choice(value) {
        Some(choice) => words::value(id, choice),
        None if id == OptionId::MemoryMib => "1024".to_owned(),
        None => value.to_string(),
    })
}

/// What an option takes, as the command line writes it.
fn takes(id: OptionId, spec: &OptionSpec) -> &'static str {
    match (spec.kind, id) {
        (Kind::Flag, _) => "",
        (Kind::Choice(_), _) => " NAME",
        (_, OptionId::MemoryMib) => " MB",
        (_, OptionId::TimeLimit) => " SECONDS",
        _ => " N",
    }
}

/// The options of a group for the command line.
fn rows(group: Group) -> String {
    let mut out = "| Option | Meaning |\n|---|---|\n".to_owned();
    for id in OptionId::ALL.iter().copied().filter(|id| id.spec().group == group) {
        let spec = id.spec();
        let doc = match id {
            OptionId::Assertions => "Violated assertions are not reported.",
            OptionId::EndStates => "Invalid end states are not reported.",
            _ => spec.doc,
        };
        let standard = default(id);
        let more = match spec.kind {
            Kind::Choice(all) => {
                let word = |it| {
                    let word = words::value(id, it);
                    let is_default = standard.as_ref() == Some(&word);
                    format!("`{word}`{}", if is_default { " (default)" } else { "" })
                };
                format!(" {}.", all.iter().map(word).collect::<Vec<_>>().join(", "))
            }
            Kind::Number { .. } => standard.map_or(String::new(), |it| format!(" Default: {it}.")),
            Kind::Flag | Kind::Limit => String::new(),
        };
        let _ = writeln!(out, "| `{}{}` | {doc}{more} |", words::option(id), takes(id, spec));
    }
    out
}

fn stores() -> String {
    let mut out =
        "| Store | What it does | Proof? | Infinite runs? |\n|---|---|---|---|\n".to_owned();
    for store in Store::ALL {
        let choice = store.choice();
        let proof = match (store, store.is_lossy()) {
            (Store::Automatic, _) => "while exact",
            (_, true) => "no",
            (_, false) => "yes",
        };
        let infinite = if store.has(Traits::FINDS_AGAIN) { "yes" } else { "no" };
        let _ = writeln!(out, "| **{}** | {} | {proof} | {infinite} |", choice.title, choice.doc);
    }
    out
}

/// The values of an option as a list.
fn values(id: OptionId) -> String {
    let standard = Settings::default().get(id);
    let mut out = String::new();
    for choice in id.spec().choices() {
        let mark = if Some(choice.link) == standard { " (default)" } else { "" };
        let _ = writeln!(out, "- **{}**{mark}: {}", choice.title, choice.doc);
    }
    out
}

/// The options of the engine as a list.
fn parameters() -> String {
    let mut out = String::new();
    // The order of steps is for the command line.
    let of_engine = |id: &&OptionId| id.spec().group == Group::Engine && **id != OptionId::Shuffle;
    for id in OptionId::ALL.iter().filter(of_engine) {
        let spec = id.spec();
        let standard = Settings::default().get(*id).unwrap_or_default();
        // The page has switches for these.
        let switch = matches!(id, OptionId::DeadVariables | OptionId::WriteOnly);
        let value = match spec.choice(standard) {
            Some(choice) if !switch => choice.title.to_owned(),
            None if !matches!(spec.kind, Kind::Flag) => standard.to_string(),
            _ => if standard == 1 { "on" } else { "off" }.to_owned(),
        };
        let _ = writeln!(out, "- **{}** ({value}): {}", spec.title, spec.doc);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_files_are_fresh() {
        check().unwrap();
    }

    #[test]
    fn a_part_is_replaced_and_a_missing_one_is_an_error() {
        let text = "a\n<!-- derived: x -->\nold\n<!-- end -->\nb\n";
        let fresh = replaced(text, "f.md", "x", "new\n").unwrap();
        assert_eq!(fresh, "a\n<!-- derived: x -->\nnew\n<!-- end -->\nb\n");
        assert!(replaced(text, "f.md", "y", "").is_err());
        assert!(replaced(text, "f.ts", "x", "").is_err());
    }
}
