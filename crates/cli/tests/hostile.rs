//! What others send: texts, reports and automata that want to mislead a terminal, never end, or say more
//! than they are asked.

use std::path::PathBuf;
use std::process::{Command, Stdio};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("promenade-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_promenade"));
        command.args(arguments).current_dir(&self.0).stdin(Stdio::null());
        command
    }

    /// Exit code, standard output, standard error.
    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let output = self.command(arguments).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn is_plain(text: &str) -> bool {
    text.chars()
        .all(|c| c == '\n' || c == '\t' || !c.is_control() && !"\u{202e}\u{200b}".contains(c))
}

#[test]
fn control_characters_never_reach_the_terminal() {
    let folder = Folder::new("escape");
    let evil = "\u{1b}]0;x\u{7}\u{202e}\u{200b}\u{9b}2J\r";
    let name = format!("m{}.pml", evil.replace('\r', ""));
    let text =
        format!("init {{ printf(\"{evil}\\n\"); assert(0) /* {evil} */ }}\nltl p {{ <> false }}\n");
    folder.write(&name, text);
    folder.write("wrong.pml", format!("init {{ printf(\"{evil}\", y) }}\n#include \"{evil}.h\"\n"));
    folder.write("link", format!("#1{evil}"));
    let formula = format!("[] {evil}");
    let hoa = format!(
        "HOA: v1 name: \"{evil}\" States: 1 Start: 0 AP: 1 \"{evil}\" Acceptance: 1 Inf(0) \
         --BODY-- State: 0 {{0}} [t] 0 --END--"
    );
    let (code, _, _) = folder.run(&["check", &name]);
    assert_eq!(code, 1);
    for arguments in [
        &["check", &name][..],
        &["check", &name, "--json"],
        &["check", &name, "--ltl", "p"],
        &["check", &name, "--formula", &formula],
        &["check", &name, "--formula", &hoa],
        &["simulate", &name],
        &["check", "wrong.pml"],
        &["check", evil],
        &["check", "wrong.pml", evil],
        &["trace", "link"],
        &["trace", evil],
        &["ltl", &hoa],
        &["ltl", &hoa, "--json"],
        &["ltl", &formula],
    ] {
        let (_, out, error) = folder.run(arguments);
        assert!(is_plain(&out) && is_plain(&error), "{arguments:?}: {out:?} {error:?}");
        assert!(!out.is_empty() || !error.is_empty(), "{arguments:?}");
    }
    // The characters are there, in another form, and JSON gives them back.
    let (_, out, _) = folder.run(&["simulate", &name]);
    assert!(out.contains("> \\x1b]0;x\\x07\\u{202e}\\u{200b}\\u{9b}2J"), "{out}");
    let (_, json, _) = folder.run(&["check", &name, "--json"]);
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["file"], serde_json::Value::from(name.as_str()));
}

#[test]
fn unusual_files_end_in_a_message() {
    let folder = Folder::new("unusual");
    folder.write("bytes.pml", [0xff, 0xfe, b'i', 0x80]);
    folder.write("bytes.link", [0xff, 0xfe, 0x80]);
    folder.write("empty", "");
    folder.write("folder.pml", "#include \".\"\ninit { skip }\n");
    std::fs::create_dir(folder.0.join("folder")).unwrap();
    for arguments in [
        &["check", "folder"][..],
        &["simulate", "folder"],
        &["trace", "folder"],
        &["share", "folder"],
        &["check", "bytes.pml"],
        &["trace", "bytes.link"],
        &["trace", "empty"],
        &["check", "folder.pml"],
    ] {
        let (code, out, error) = folder.run(arguments);
        assert_eq!(code, 3, "{arguments:?}: {out} {error}");
        assert!(!error.contains("panicked"), "{arguments:?}: {error}");
    }
    #[cfg(target_os = "linux")]
    for command in ["check", "simulate", "trace", "share"] {
        let (code, _, error) = folder.run(&[command, "/dev/zero"]);
        assert!(code == 3 && error.contains("large"), "{command}: {code} {error}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn nobody_has_to_read_the_answer() {
    let folder = Folder::new("unread");
    folder.write("m.pml", "init { assert(0) }\n");
    let run = |arguments: &[&str]| {
        let mut child = folder
            .command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for (arguments, code) in [
        (&["check", "m.pml"][..], 1),
        (&["check", "m.pml", "--json"], 1),
        (&["simulate", "m.pml"], 1),
        (&["share", "m.pml"], 0),
        (&["ltl", "[] p"], 0),
        (&["help"], 0),
        (&["version"], 0),
    ] {
        assert_eq!(run(arguments), (Some(code), String::new()), "{arguments:?}");
    }
}

#[test]
fn what_follows_an_automaton_is_not_left_out() {
    let folder = Folder::new("several");
    folder.write("m.pml", "byte x; init { x = 1 }\n");
    let hoa = "HOA: v1 States: 1 Start: 0 AP: 1 \"x == 1\" Acceptance: 1 Inf(0) --BODY-- State: 0 \
               {0} [0] 0 --END--";
    let claim = "never { accept: do :: x == 1 od }";
    for (text, wrong) in [
        (hoa.to_owned(), false),
        (format!("{hoa}\n{hoa}"), true),
        (format!("{hoa}\nrest"), true),
        (format!("{hoa}\nHOA: v1"), true),
        (claim.to_owned(), false),
        (format!("{claim} {claim}"), true),
        (format!("{claim} init {{ skip }}"), true),
    ] {
        let (code, out, error) = folder.run(&["check", "m.pml", "--formula", &text]);
        assert_eq!(code == 3, wrong, "{text}: {out} {error}");
        let (code, out, error) = folder.run(&["ltl", &text]);
        assert_eq!(code == 3, wrong, "{text}: {out} {error}");
    }
}

#[test]
fn unknown_options_of_a_report_are_named() {
    let folder = Folder::new("options");
    folder.write("m.pml", "init { assert(0) }\n");
    let (_, json, _) = folder.run(&["check", "m.pml", "--json"]);
    folder.write("report.json", &json);
    let (code, _, error) = folder.run(&["trace", "report.json"]);
    assert_eq!((code, error.as_str()), (1, ""));
    let mut report: serde_json::Value = serde_json::from_str(&json).unwrap();
    report["options"]["of_the_future"] = true.into();
    folder.write("report.json", report.to_string());
    let (code, _, error) = folder.run(&["trace", "report.json"]);
    assert!(code == 1 && error.contains("`of_the_future`"), "{code} {error}");
}

#[test]
fn searchers_report_the_same_shortest_run_each_time() {
    let folder = Folder::new("timing");
    folder.write(
        "m.pml",
        "byte x, y, z;\nactive [3] proctype P() { byte i; do :: i < 4 -> i++; x = x + _pid; y = x ^ i \
         :: i > 2 -> z++; assert(z < 3 || x % 3 == 0); break :: y == 7 -> assert(x != 5) od }\n",
    );
    let run = |arguments: &[&str]| {
        let (code, json, error) = folder.run(arguments);
        assert_eq!(code, 1, "{error}");
        let report: serde_json::Value = serde_json::from_str(&json).unwrap();
        let numbers = ["states_stored", "states_matched", "errors", "depth"]
            .map(|name| report["statistics"][name].clone());
        (report["trail"].clone(), report["violations"].clone(), numbers)
    };
    let first = run(&["check", "m.pml", "--searchers", "3", "--json"]);
    for _ in 0..8 {
        assert_eq!(run(&["check", "m.pml", "--searchers", "3", "--json"]), first);
    }
    let alone = run(&["check", "m.pml", "--search", "bfs", "--json"]);
    let length = |trail: &serde_json::Value| trail["prefix"].as_array().unwrap().len();
    assert!(length(&first.0) <= length(&alone.0), "{first:?} {alone:?}");
}
