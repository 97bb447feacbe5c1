//! Weak fairness among more processes than a word of acceptance sets has room for.

use std::path::PathBuf;
use std::process::{Command, Output};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("promenade-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Code and text of a check of a formula.
    fn check(&self, text: &str, formula: &str, more: &[&str]) -> (i32, String) {
        let file = self.0.join("model.pml");
        std::fs::write(&file, text).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_promenade"));
        command.arg("check").arg(&file).args(["--ltl", formula]).args(more);
        let Output { status, stdout, stderr } = command.output().unwrap();
        let text = [stdout, stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        (status.code().unwrap_or(-1), text.concat())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const FORMULAS: &str = "ltl moves { []<> b } ltl rests { <>[] b }";

/// Each process can always move; the last one is the only one to change `b`.
fn at_once(processes: usize) -> String {
    let last = processes - 1;
    format!(
        "bool b; active [{processes}] proctype P() {{ do :: atomic {{ _pid == {last} -> b = !b }} \
         :: _pid != {last} od }} {FORMULAS}"
    )
}

/// The same with processes that are created one by one.
fn one_by_one(processes: usize) -> String {
    let last = processes - 1;
    format!(
        "byte k; bool b; proctype P() {{ do :: atomic {{ _pid == {last} -> b = !b }} \
         :: _pid != {last} od }} active proctype Main() {{ do :: atomic {{ k < {last} -> run P(); \
         k++ }} :: k == {last} -> break od; do :: k > 0 od }} {FORMULAS}"
    )
}

/// A token goes round in a ring; the last process waits for nothing.
fn ring(processes: usize) -> String {
    let others = processes - 1;
    format!(
        "byte t; bool b; active [{others}] proctype P() {{ do :: atomic {{ t == _pid -> \
         t = (t + 1) % {others} }} od }} active proctype Last() {{ do :: b = !b od }} {FORMULAS}"
    )
}

#[test]
fn all_processes_of_the_language_have_their_sets() {
    let folder = Folder::new("fairness");
    for processes in [3, 63, 64, 65, 100, 129, 200, 255] {
        for text in [at_once(processes), one_by_one(processes), ring(processes)] {
            let told = |(code, text): &(i32, String)| format!("{processes}: {code}\n{text}");
            let plain = folder.check(&text, "moves", &[]);
            assert_eq!(plain.0, 1, "{}", told(&plain));
            for algorithm in ["automatic", "couvreur-shy", "couvreur-without-rem"] {
                let fair = ["--fairness", "weak", "--algorithm", algorithm];
                let unfair_only = folder.check(&text, "moves", &fair);
                assert_eq!(unfair_only.0, 0, "{}", told(&unfair_only));
                let mut json = fair.to_vec();
                json.push("--json");
                let cycle = folder.check(&text, "rests", &json);
                assert_eq!(cycle.0, 1, "{}", told(&cycle));
                let said = cycle.1.replace(' ', "");
                assert!(said.contains("\"weakly_fair\":true"), "{}", told(&cycle));
            }
        }
    }
}

#[test]
fn the_search_without_room_is_replaced_or_gives_up() {
    let folder = Folder::new("fairness-room");
    let generalised = ["--fairness", "weak", "--algorithm", "generalised-nested-dfs"];
    for (text, holds, violated) in [
        (at_once(60), 0, 1),
        (at_once(63), 0, 1),
        (at_once(100), 0, 1),
        (one_by_one(60), 0, 1),
        // Not known: fairness to the process that comes last cannot be told.
        (one_by_one(100), 2, 2),
    ] {
        assert_eq!(folder.check(&text, "moves", &generalised).0, holds, "{text}");
        assert_eq!(folder.check(&text, "rests", &generalised).0, violated, "{text}");
    }
}
