//! Checks every file of the gallery against the rules of its header.

use std::collections::BTreeSet;
use std::path::Path;

use promenade_gallery::{ENTRIES, Entry, Header, Property, find};

fn header(entry: &Entry) -> Header {
    entry.header().unwrap_or_else(|errors| {
        let list: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{}.pml\n{}", entry.name, list.join("\n"))
    })
}

/// The names of the `ltl` blocks in a text.
fn formulas(text: &str) -> BTreeSet<String> {
    text.lines()
        .filter_map(|line| line.strip_prefix("ltl "))
        .filter_map(|rest| rest.split_whitespace().next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_header_parses() {
    for entry in ENTRIES {
        header(entry);
    }
}

#[test]
fn at_least_fifteen_models_with_unique_names_and_titles() {
    assert!(ENTRIES.len() >= 15);
    let names: BTreeSet<_> = ENTRIES.iter().map(|entry| entry.name).collect();
    let titles: BTreeSet<_> = ENTRIES.iter().map(|entry| header(entry).title).collect();
    let texts: BTreeSet<_> = ENTRIES.iter().map(|entry| entry.text).collect();
    assert_eq!(names.len(), ENTRIES.len());
    assert_eq!(titles.len(), ENTRIES.len());
    assert_eq!(texts.len(), ENTRIES.len());
}

#[test]
fn the_table_lists_exactly_the_files_of_the_folder() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suite/gallery");
    let files: BTreeSet<String> = std::fs::read_dir(&folder)
        .expect("the folder of the gallery")
        .map(|file| file.expect("a readable folder").file_name())
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    let table: BTreeSet<String> = ENTRIES.iter().map(|e| format!("{}.pml", e.name)).collect();
    assert_eq!(files, table);
}

#[test]
fn grouped_by_topic_and_from_easy_to_hard() {
    let order: Vec<_> = ENTRIES.iter().map(header).map(|h| (h.topic, h.level)).collect();
    assert!(order.is_sorted(), "{order:?}");
}

#[test]
fn related_entries_exist() {
    for entry in ENTRIES {
        for name in header(entry).see {
            assert!(find(&name).is_some(), "{}: see {name}", entry.name);
            assert_ne!(name, entry.name);
        }
    }
}

#[test]
fn parameters_are_macros_that_can_be_replaced() {
    for entry in ENTRIES {
        for parameter in header(entry).parameters {
            let definition = format!(
                "#ifndef {0}\n#define {0} {1}\n#endif\n",
                parameter.name, parameter.default
            );
            let name = entry.name;
            assert!(entry.text.contains(&definition), "{name}: {definition}");
        }
    }
}

#[test]
fn every_property_has_an_expectation_and_every_setting_a_count() {
    for entry in ENTRIES {
        let header = header(entry);
        let mut expected = BTreeSet::new();
        let mut safety = 0;
        for expectation in &header.expectations {
            match &expectation.property {
                Property::Formula { name, .. } => _ = expected.insert(name.clone()),
                Property::Progress { .. } => {}
                Property::Safety => {
                    safety += 1;
                    let name = entry.name;
                    let states = header.states_with(&expectation.settings);
                    let transitions = header.transitions_with(&expectation.settings);
                    assert!(states.is_some_and(|n| n < 100_000), "{name}: {states:?}");
                    assert!(transitions >= states, "{name}: {transitions:?}");
                }
            }
        }
        assert_eq!(expected, formulas(entry.text), "{}", entry.name);
        assert_eq!(header.states.len(), safety, "{}", entry.name);
        assert_eq!(header.transitions.len(), safety, "{}", entry.name);
        assert!(header.states_with(&[]).is_some(), "{}", entry.name);
    }
}

#[test]
fn the_text_is_neat() {
    for entry in ENTRIES {
        for (line, number) in entry.text.lines().zip(1..) {
            let place = format!("{}.pml:{number}", entry.name);
            assert!(line.is_ascii(), "{place}: not ASCII");
            assert!(line.len() <= 80, "{place}: longer than 80 columns");
            assert!(!line.contains('\t'), "{place}: tab");
            assert_eq!(line, line.trim_end(), "{place}: blanks at the end");
        }
        assert!(entry.text.ends_with('\n') && !entry.text.ends_with("\n\n"));
    }
}

#[test]
fn the_counts_of_the_database_managers_follow_the_formula() {
    let entry = find("database-managers").expect("the entry");
    let header = header(entry);
    let default = header.parameters[0].default;
    for count in &header.states {
        let n = count.settings.first().map_or(default, |setting| setting.value);
        let n = u64::try_from(n).expect("a small positive number");
        let power = 3_u64.pow(u32::try_from(n - 1).expect("a small number"));
        assert_eq!(count.value, n * power + 1, "N={n}");
    }
}
