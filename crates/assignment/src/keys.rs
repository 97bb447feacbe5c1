//! The keys of front matter and tasks. The JSON schema and the help list the same ones.

use crate::format::Kind;

/// A key of the format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// It has a list of values.
    pub list: bool,
    /// Students do not see it in plain text.
    pub hidden: bool,
    /// The kinds of task that it belongs to; empty for all.
    pub kinds: &'static [Kind],
    /// What it says.
    pub doc: &'static str,
}

const fn key(name: &'static str, kinds: &'static [Kind], doc: &'static str) -> Key {
    Key { name, list: false, hidden: false, kinds, doc }
}

const fn list(name: &'static str, kinds: &'static [Kind], doc: &'static str) -> Key {
    Key { name, list: true, hidden: false, kinds, doc }
}

const fn hidden(key: Key) -> Key {
    Key { hidden: true, ..key }
}

/// Keys of the front matter.
pub const FRONT_KEYS: &[Key] = &[
    key("promenade-assignment", &[], "version of the format: 1"),
    key("id", &[], "name of the assignment in submissions: letters, digits and `-`"),
    key("title", &[], "title for people"),
    key("fields", &[], "what students say about themselves, with commas between: `name, id`"),
    key("feedback", &[], "what students are told of a check that fails: verdict, counterexample"),
    key("states", &[], "most states of one check"),
    key("memory", &[], "memory budget of one check in mebibytes"),
    key("edition", &[], "which edition this text is: author, sealed, private"),
];

use Kind::{Claim, DeadlockFree, FindBug, Formula, Hold, Model, Predict};

const MODELS: &[Kind] = &[Hold, DeadlockFree, Model];
const ONE_FILE: &[Kind] = &[Hold, DeadlockFree, Model, FindBug, Predict];
const SPECIFICATIONS: &[Kind] = &[Formula, Claim];
const ANSWERED: &[Kind] = &[FindBug, Formula, Claim, Predict];

/// Keys of a task.
pub const TASK_KEYS: &[Key] = &[
    key("id", &[], "name of the task in submissions and results"),
    key("kind", &[], "hold, deadlock-free, model, find-bug, formula, claim or predict"),
    key("title", &[], "title for people"),
    key("points", &[], "what the task is worth"),
    key("partial", &[], "yes: each check that passes counts, instead of all together"),
    key(
        "feedback",
        &[],
        "what students are told of a visible check that fails: verdict, counterexample",
    ),
    key("hidden-feedback", &[], "the same for hidden checks; verdict unless given"),
    list("hints", &[], "hints, opened one after the other"),
    key("hints-after", &[], "failed attempts before each hint"),
    key("states", &[], "most states of one check"),
    key("memory", &[], "memory budget of one check in mebibytes"),
    key("fairness", &[], "none or weak: which infinite runs count"),
    key("lose-messages", &[], "yes: messages sent to full channels are lost"),
    list("defines", &[], "macros: `N=3`"),
    key("file", ONE_FILE, "the model"),
    list("environment", ONE_FILE, "files that follow the model"),
    list("properties", MODELS, "what has to hold"),
    hidden(list("hidden-properties", MODELS, "what has to hold, unseen")),
    list("witnesses", MODELS, "formulas each of which some run has to satisfy"),
    hidden(list("hidden-witnesses", MODELS, "the same, unseen")),
    key("property", &[FindBug, Predict], "the property"),
    key("violation", &[FindBug], "the kind of violation that counts, such as assertion"),
    key("steps", &[FindBug], "most steps of the run"),
    list("models", SPECIFICATIONS, "files with models that are right"),
    hidden(list("hidden-models", SPECIFICATIONS, "the same, unseen")),
    list("mutants", SPECIFICATIONS, "files with models that are wrong"),
    hidden(list("hidden-mutants", SPECIFICATIONS, "the same, unseen")),
    hidden(key("reference", SPECIFICATIONS, "a formula or an automaton that means the same")),
    key("next", &[Formula], "yes: the formula may contain X"),
    key("question", &[Predict], "states, assertions, runs or verdict"),
    list("runs", &[Predict], "runs to choose from: `A: formula`"),
    key("withheld", &[], "yes: the author's edition has hidden checks that this one leaves out"),
    hidden(key("solution", ANSWERED, "the sample answer; never in a student's edition")),
];

/// The key with this name.
pub(crate) fn find(keys: &'static [Key], name: &str) -> Option<&'static Key> {
    keys.iter().find(|key| key.name == name)
}

/// The key that was probably meant.
pub(crate) fn similar(keys: &'static [Key], name: &str) -> Option<&'static str> {
    let near = |key: &&Key| {
        let (a, b) = (key.name, name);
        a.starts_with(b) && b.len() > 2 || b.starts_with(a) || differs_by_one(a, b)
    };
    keys.iter().find(near).map(|key| key.name)
}

/// Whether one letter more, less or another makes the one word the other.
fn differs_by_one(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let front = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let back = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let longest = a.len().max(b.len());
    longest > 2 && a.len().abs_diff(b.len()) <= 1 && front + back + 1 >= longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_typos_are_met() {
        for keys in [FRONT_KEYS, TASK_KEYS] {
            for (at, key) in keys.iter().enumerate() {
                assert!(keys[..at].iter().all(|other| other.name != key.name), "{}", key.name);
            }
        }
        assert_eq!(similar(TASK_KEYS, "propertis"), Some("properties"));
        assert_eq!(similar(TASK_KEYS, "witness"), Some("witnesses"));
        assert_eq!(similar(TASK_KEYS, "colour"), None);
    }
}
