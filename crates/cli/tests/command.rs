//! The program as a user runs it: texts, exit codes, JSON.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const WRONG: &str = "#include \"n.h\"\nbyte x, done;\nactive [N] proctype P() {\n  byte t;\n  \
                     t = x; x = t + 1;\n  done++;\n  if :: done == N -> assert(x == N) :: else fi\n}\n";

/// A folder of its own for each test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("promenade-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("n.h"), "#ifndef N\n#define N 2\n#endif\n").unwrap();
        std::fs::write(path.join("wrong.pml"), WRONG).unwrap();
        std::fs::write(path.join("right.pml"), "init { assert(true) }\n").unwrap();
        Self(path)
    }

    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let output = self.command(arguments).output().unwrap();
        read(output)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_promenade"));
        command.args(arguments).current_dir(&self.0);
        command
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn read(output: Output) -> (i32, String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

#[test]
fn exit_codes() {
    let folder = Folder::new("codes");
    assert_eq!(folder.run(&["check", "right.pml"]).0, 0);
    assert_eq!(folder.run(&["check", "wrong.pml"]).0, 1);
    assert_eq!(folder.run(&["check", "wrong.pml", "--states", "5"]).0, 2);
    assert_eq!(folder.run(&["check", "missing.pml"]).0, 3);
    assert_eq!(folder.run(&["check", "n.h", "-DN=1", "--claim"]).0, 3);
    assert_eq!(folder.run(&["check"]).0, 4);
    assert_eq!(folder.run(&["check", "right.pml", "--frobnicate"]).0, 4);
    assert_eq!(folder.run(&["help"]).0, 0);
    assert_eq!(folder.run(&["version"]).1, format!("promenade {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_verdict_comes_first_and_the_run_is_there() {
    let folder = Folder::new("text");
    let (_, text, _) = folder.run(&["check", "wrong.pml"]);
    assert!(text.starts_with("Violated: assertion violated: x == 2."), "{text}");
    assert!(text.contains("wrong.pml:7:22") && text.contains("states, stored"), "{text}");
    let (code, text, _) = folder.run(&["check", "wrong.pml", "-DN=1"]);
    assert!(code == 0 && text.starts_with("Holds: all "), "{text}");
    let mut child = folder
        .command(&["check", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"init { x = 1 }\n").unwrap();
    let (code, text, _) = read(child.wait_with_output().unwrap());
    assert_eq!(code, 3);
    assert!(text.contains("  1 | init { x = 1 }\n    |        ^"), "{text}");
}

#[test]
fn json_has_the_fields_promised() {
    let folder = Folder::new("json");
    let (code, text, _) = folder.run(&["check", "wrong.pml", "--json"]);
    assert_eq!(code, 1);
    let object: serde_json::Value = serde_json::from_str(&text).unwrap();
    for field in [
        "promenade",
        "file",
        "property",
        "options",
        "verdict",
        "why",
        "kind",
        "message",
        "location",
        "states_stored",
        "states_matched",
        "transitions",
        "atomic_steps",
        "depth",
        "errors",
        "state_bytes",
        "memory_bytes",
        "seconds",
        "confidence",
        "trail",
        "unreached",
        "diagnostics",
    ] {
        assert!(object.get(field).is_some(), "{field}");
    }
    assert_eq!(object["verdict"], "violated");
    assert_eq!(object["kind"], "assertion");
    assert_eq!(object["location"]["line"], 7);
    assert!(object["trail"]["steps"][0]["location"]["file"] == "wrong.pml");
    assert!(object["why"].is_null());
    // The same counterexample again, from the report and from a link.
    std::fs::write(folder.0.join("report.json"), &text).unwrap();
    let (code, from_report, complaint) = folder.run(&["trace", "report.json"]);
    assert_eq!(code, 1, "{complaint}");
    let (_, link, _) = folder.run(&["share", "wrong.pml", "--trace"]);
    let (code, from_link, complaint) = folder.run(&["trace", &format!("https://x.y/{link}")]);
    assert_eq!(code, 1, "{complaint}");
    assert_eq!(from_link, from_report);
    // It does not fit another text.
    std::fs::write(folder.0.join("n.h"), "#define N 1\n").unwrap();
    assert_eq!(folder.run(&["trace", "report.json"]).0, 2);
    let (_, link, _) = folder.run(&["share", "right.pml"]);
    assert_eq!(folder.run(&["trace", link.trim()]).0, 3);
    assert_eq!(folder.run(&["trace", "#1damaged"]).0, 3);
}

#[test]
fn json_says_what_stopped_a_run_and_what_cannot_be_read() {
    let folder = Folder::new("why");
    let json = |arguments: &[&str]| {
        let (code, text, _) = folder.run(&[&["check", "--json"], arguments].concat());
        (code, serde_json::from_str::<serde_json::Value>(&text).unwrap())
    };
    let (code, object) = json(&["wrong.pml", "--all-errors", "--states", "70"]);
    assert_eq!(
        (code, &object["verdict"], &object["why"]),
        (1, &"violated".into(), &"states".into())
    );
    // An error that ends the search, after another.
    let text =
        "proctype P() { assert(false) }\nproctype Q() { run Q() }\ninit { run P(); run Q() }\n";
    std::fs::write(folder.0.join("fatal.pml"), text).unwrap();
    let (code, object) = json(&["fatal.pml", "--all-errors"]);
    assert_eq!((code, &object["why"], &object["errors"]), (1, &"fatal".into(), &2.into()));
    let summary = object["summary"].as_str().unwrap();
    assert!(summary.contains("not everything was explored: nothing can be said"), "{summary}");
    let (code, object) = json(&["missing.pml"]);
    assert_eq!((code, &object["verdict"]), (3, &"input_error".into()));
    assert_eq!(object["file"], "missing.pml");
    assert!(object["message"].as_str().unwrap().starts_with("cannot read `missing.pml`: "));
    std::fs::write(folder.0.join("bad.pml"), "byte x;\ninit { y = 1 }\n").unwrap();
    let (code, object) = json(&["bad.pml"]);
    assert_eq!((code, &object["location"]["line"]), (3, &2.into()));
    assert!(object["message"].as_str().unwrap().contains("`y`"), "{object}");
}

#[test]
fn options_without_effect_are_named() {
    let folder = Folder::new("effect");
    let (code, text, _) =
        folder.run(&["check", "right.pml", "--algorithm", "couvreur", "--fairness", "weak"]);
    assert_eq!(code, 0);
    assert!(text.contains("The algorithm for accepting cycles has no effect"), "{text}");
    assert!(text.contains("Fairness has no effect"), "{text}");
    let (code, _, complaint) = folder.run(&["check", "right.pml", "--progress", "--claim"]);
    assert_eq!(code, 4);
    assert!(complaint.contains("`--progress` and `--claim` both choose"), "{complaint}");
    assert_eq!(folder.run(&["check", "--", "right.pml"]).0, 0);
}

#[test]
fn counting_as_spin_takes_all_errors_and_the_first_claim() {
    let folder = Folder::new("spin");
    let (_, text, _) = folder.run(&["check", "wrong.pml", "--spin-counting", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&text).unwrap();
    // What reduces has no effect.
    let plain = ["check", "wrong.pml", "--spin-counting", "--json"];
    let reduces = ["--merge", "--reduction", "ample", "--dead-variables", "reset"];
    let reduced = folder.run(&[&plain[..], &reduces[..]].concat()).1;
    let also: serde_json::Value = serde_json::from_str(&reduced).unwrap();
    assert_eq!(also["states_stored"], object["states_stored"]);
    let notes = also["notes"].to_string();
    assert!(notes.contains("No reduction was made") && notes.contains("No statements were merged"));
    assert!(notes.contains("No dead variables were reset, although asked for"));
    assert!(!object["notes"].to_string().contains("asked for: `--spin-counting`"), "{object}");
    // As SPIN counts.
    assert_eq!(object["errors"], 7);
    assert_eq!((&object["states_stored"], &object["states_matched"]), (&81.into(), &48.into()));
    let claim = "byte x;\nactive proctype P() { x = 1; x = 2 }\nnever { do :: x == 2 -> break :: else od }\n";
    std::fs::write(folder.0.join("claim.pml"), claim).unwrap();
    let (_, text, _) = folder.run(&["check", "claim.pml", "--spin-counting", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&object["property"], &object["kind"]),
        (&"claim".into(), &"claim_completed".into())
    );
    assert_eq!(folder.run(&["check", "claim.pml"]).0, 0);
}

#[test]
fn dead_variables_are_reset_only_when_asked_for() {
    let folder = Folder::new("dead");
    let text = "byte g; active [2] proctype P() { byte x; do :: x = 1; g = x :: x = 2; g = x od }";
    std::fs::write(folder.0.join("dead.pml"), text).unwrap();
    let run = |more: &[&str]| {
        let (code, text, _) = folder.run(&[&["check", "dead.pml", "--json"], more].concat());
        assert_eq!(code, 0, "{text}");
        let object: serde_json::Value = serde_json::from_str(&text).unwrap();
        (object["states_stored"].as_u64().unwrap(), object["notes"].to_string())
    };
    let (kept, said) = run(&[]);
    assert!(!said.contains("Dead variables"), "{said}");
    assert_eq!(run(&["--dead-variables", "keep"]), (kept, said));
    let (reset, said) = run(&["--dead-variables", "reset", "--engine", "interpret"]);
    assert!(reset < kept && said.contains("Dead variables were reset, as asked"), "{reset} {said}");
    for more in [&["--engine", "compiled"][..], &["--searchers", "2"], &["--search", "bfs"]] {
        assert_eq!(run(&[&["--dead-variables", "reset"], more].concat()).0, reset, "{more:?}");
    }
}

#[test]
fn write_only_variables_are_left_out_unless_kept() {
    let folder = Folder::new("write-only");
    let text = "byte n; bit b; active proctype P() { do :: b = 1 - b; n++ od }";
    std::fs::write(folder.0.join("count.pml"), text).unwrap();
    let run = |more: &[&str]| {
        let (code, text, _) = folder.run(&[&["check", "count.pml", "--json"], more].concat());
        assert_eq!(code, 0, "{text}");
        let object: serde_json::Value = serde_json::from_str(&text).unwrap();
        let said =
            object["notes"].to_string().contains("`n` is only counted: not part of a state.");
        (object["states_stored"].as_u64().unwrap(), said)
    };
    for more in [&[][..], &["--engine", "compiled"], &["--searchers", "2"], &["--search", "bfs"]] {
        assert_eq!(run(more), (4, true), "{more:?}");
    }
    for more in [&["--write-only", "keep"][..], &["--spin-counting"]] {
        assert_eq!(run(more), (512, false), "{more:?}");
    }
}

#[test]
fn engines_agree() {
    let folder = Folder::new("engines");
    let counted = |more: &[&str]| {
        let all = ["check", "wrong.pml", "-DN=3", "--all-errors", "--json"];
        let (code, text, _) = folder.run(&[&all[..], more].concat());
        assert_eq!(code, 1);
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        let engine = report["engine"].as_str().unwrap().to_owned();
        let numbers = ["states_stored", "transitions", "errors", "depth", "trail", "unreached"];
        (numbers.map(|field| report[field].clone()), engine)
    };
    let (numbers, engine) = counted(&["--engine", "interpret"]);
    assert_eq!(engine, "Interpreted.");
    // What is so small is over before compiling would pay.
    assert_eq!(counted(&["--engine=auto"]), (numbers.clone(), engine));
    let (compiled, engine) = counted(&["--engine", "compiled"]);
    assert_eq!((compiled, engine.as_str()), (numbers, "Compiled to WebAssembly."));
    for threads in ["--searchers=2", "--swarm=2"] {
        let (shared, engine) = counted(&["--engine", "compiled", threads, "--search", "bfs"]);
        assert_eq!(engine, "Compiled to WebAssembly.");
        if threads != "--swarm=2" {
            let (alone, _) = counted(&["--engine", "interpret", "--search", "bfs"]);
            assert_eq!(shared[..3], alone[..3]);
        }
    }
    let (_, text, _) = folder.run(&["check", "wrong.pml", "--engine", "compiled"]);
    assert!(text.contains("\n    Compiled to WebAssembly.\n"), "{text}");
    let (code, _, message) = folder.run(&["check", "wrong.pml", "--engine", "fast"]);
    assert!(code == 4 && message.contains("`compiled`, not `fast`"), "{message}");
}

#[test]
fn simulations_are_reproducible() {
    let folder = Folder::new("simulate");
    let once = folder.run(&["simulate", "wrong.pml", "--seed", "4"]);
    assert_eq!(once, folder.run(&["simulate", "wrong.pml", "--seed", "4"]));
    assert!(once.1.contains("The run ended after "), "{}", once.1);
}

#[test]
fn infinite_runs_are_found_and_replayed() {
    let folder = Folder::new("infinite");
    let text = "byte x;\nactive proctype P() { do :: x = 1 - x :: x == 0 -> progress: skip od }\n\
                ltl small { [] (x < 2) }\nltl stays { <> [] (x == 1) }\n";
    std::fs::write(folder.0.join("live.pml"), text).unwrap();
    assert_eq!(folder.run(&["check", "live.pml", "--ltl", "small"]).0, 0);
    assert_eq!(folder.run(&["check", "live.pml", "--formula", "[] (x < 2)"]).0, 0);
    assert_eq!(folder.run(&["check", "live.pml", "--acceptance"]).0, 0);
    assert_eq!(folder.run(&["check", "live.pml", "--ltl", "nobody"]).0, 3);
    assert_eq!(folder.run(&["check", "live.pml", "--formula", "[] (x <"]).0, 3);
    assert_eq!(folder.run(&["check", "live.pml", "--formula", "true } byte y; ltl q { true"]).0, 3);
    let fair = ["check", "live.pml", "--ltl", "stays", "--fairness", "weak"];
    assert_eq!(folder.run(&[&fair[..], &["--algorithm", "nested-dfs"]].concat()).0, 4);
    for options in [
        &["--ltl", "stays"][..],
        &["--ltl=stays", "--fairness", "weak"],
        &["--ltl", "stays", "--algorithm", "couvreur"],
        &["--ltl", "stays", "--algorithm", "nested-dfs"],
        &["--ltl", "stays", "--algorithm", "nested-dfs-original"],
        &["--ltl", "stays", "--algorithm", "geldenhuys-valmari"],
        &["--progress"],
        &["--formula", "<> [] (x == 1)"],
    ] {
        let (code, out, _) = folder.run(&[&["check", "live.pml"], options].concat());
        assert_eq!(code, 1, "{options:?}");
        assert!(out.contains("for ever ---"), "{options:?}: {out}");
        let (code, json, _) = folder.run(&[&["check", "live.pml", "--json"], options].concat());
        assert_eq!(code, 1, "{options:?}");
        let report: serde_json::Value = serde_json::from_str(&json).unwrap();
        let kind =
            if options == ["--progress"] { "non_progress_cycle" } else { "acceptance_cycle" };
        assert_eq!(report["kind"], kind, "{options:?}");
        assert!(!report["trail"]["cycle"].as_array().unwrap().is_empty(), "{options:?}");
        std::fs::write(folder.0.join("report.json"), json).unwrap();
        let (code, out, _) = folder.run(&["trace", "report.json"]);
        assert_eq!(code, 1, "{options:?}: {out}");
        let (_, link, _) = folder.run(&[&["share", "live.pml", "--trace"], options].concat());
        let (code, out, _) = folder.run(&["trace", link.trim()]);
        assert_eq!(code, 1, "{options:?}: {out}");
        assert!(out.contains("for ever ---"), "{options:?}: {out}");
    }
}

/// Steps have the numbers of the page: the moves of a formula's automaton are parts of steps.
#[test]
fn steps_are_counted_without_the_automaton() {
    let folder = Folder::new("numbers");
    let text = "byte x;\nactive proctype P() { x = 1; x = 2; do :: x = 3 :: x = 4 od }\n";
    std::fs::write(folder.0.join("m.pml"), text).unwrap();
    let (code, out, _) = folder.run(&["check", "m.pml", "--formula", "<> (x == 9)"]);
    assert_eq!(code, 1);
    let steps = out.lines().filter(|line| line.contains("P(0)  x =")).count();
    assert!(out.contains(&format!("Run, {steps} steps:")), "{out}");
    for (number, value) in [(1, 1), (2, 2), (3, 3)] {
        assert!(out.contains(&format!("{number:6}  P(0)  x = {value} ")), "{out}");
    }
    // A run that has come to its end.
    std::fs::write(folder.0.join("end.pml"), "byte x;\nactive proctype P() { x = 1 }\n").unwrap();
    let (code, out, _) = folder.run(&["check", "end.pml", "--formula", "<> (x == 9)"]);
    assert_eq!(code, 1);
    assert!(out.contains("the run has ended and stays here"), "{out}");
    let (_, out, _) =
        folder.run(&["simulate", "m.pml", "--formula", "<> (x == 9)", "--steps", "5"]);
    assert!(out.contains("     5  P(0)"), "{out}");
}

/// Errors in a formula have their places in it; it never hinders the rest.
#[test]
fn a_formula_has_errors_of_its_own() {
    let folder = Folder::new("formula-errors");
    std::fs::write(folder.0.join("m.pml"), "byte x;\nactive proctype P() { x = 1 }\n").unwrap();
    let check = |formula: &str| folder.run(&["check", "m.pml", "--formula", formula]);
    let (code, out, _) = check("[] (x <= yy)");
    assert_eq!(code, 3);
    assert!(out.contains("`yy` is not declared"), "{out}");
    assert!(out.contains("--> formula:1:10\n    |\n  1 | [] (x <= yy)\n"), "{out}");
    let (code, out, _) = check("[] (x <= 1 &&");
    assert_eq!(code, 3);
    assert!(out.contains("found the end of the formula") && !out.contains('}'), "{out}");
    let (code, out, _) = check("[] (x < 1); x");
    assert!(code == 3 && out.contains("--> formula:1:11"), "{out}");
    let (code, out, _) = check("never { do :: x == 1 :: zz od }");
    assert!(code == 3 && out.contains("--> formula:1:25"), "{out}");
    assert_eq!(check(" ").0, 3);
    let json = folder.run(&["check", "m.pml", "--formula", "[] (x <= yy)", "--json"]).1;
    let object: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(object["location"]["file"], "formula");
    assert_eq!(object["location"]["column"], 10);
}

/// Options that do not go together are wrong usage, and so are those without effect.
#[test]
fn options_have_to_go_together() {
    let folder = Folder::new("together");
    for (options, told) in [
        (
            &["--store", "hash-compact", "--progress"][..],
            "`--store hash-compact` does not go with `--progress`",
        ),
        (
            &["--store", "caching", "--search", "bfs"],
            "`--store caching` does not go with `--search bfs`",
        ),
        (&["--searchers", "2", "--progress"], "`--searchers 2` does not go with `--progress`"),
        (
            &["--searchers=2", "--store=bitstate"],
            "`--searchers 2` does not go with `--store bitstate`",
        ),
        (
            &["--acceptance", "--fairness", "weak", "--algorithm", "nested-dfs"],
            "`--algorithm nested-dfs` does not go with `--fairness weak`",
        ),
        (&["--stop-at", "2", "--all-errors"], "both choose where to stop"),
        (&["--stop-at=2", "--spin-counting"], "`--stop-at=2` does not go with `--spin-counting`"),
        (
            &["--write-only=leave-out", "--spin-counting"],
            "`--write-only=leave-out` does not go with `--spin-counting`",
        ),
        (&["--write-only", "off"], "is `leave-out` or `keep`, not `off`"),
        (&["--searchers", "2", "--search", "dfs"], "does not go with `--searchers`"),
        (&["--hashes", "4"], "`--hashes 4` has no effect without `--store bitstate`"),
        (&["--chain=4"], "`--chain=4` has no effect"),
        (&["--probing", "double"], "`--probing double` has no effect without `--store bitstate`"),
        (
            &["--proviso=static", "--reduction", "none"],
            "`--proviso=static` has no effect without a reduction",
        ),
        (
            &["--dead-variables", "reset", "--dead-variables=keep"],
            "both choose what becomes of dead variables",
        ),
        (&["--dead-variables", "zero"], "is `keep` or `reset`, not `zero`"),
        (&["--seed", "4"], "`--seed 4` has no effect"),
        (&["--cell-bits", "20", "--store", "bitstate"], "`--cell-bits 20` has no effect"),
    ] {
        let (code, out, error) = folder.run(&[&["check", "right.pml"], options].concat());
        assert_eq!((code, out.as_str()), (4, ""), "{options:?}");
        assert!(error.contains(told), "{options:?}: {error}");
        // A script is told the same.
        let (code, json, _) = folder.run(&[&["check", "right.pml", "--json"], options].concat());
        let object: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!((code, &object["verdict"]), (4, &"usage_error".into()), "{options:?}");
        assert!(object["message"].as_str().unwrap().contains(told), "{options:?}: {json}");
        assert_eq!(object["diagnostics"][0]["location"]["file"], "options", "{json}");
        assert_eq!(object["diagnostics"][0]["message"], object["message"], "{json}");
    }
    for line in [&["--json"][..], &["check", "right.pml", "--json=yes"], &["ltl", "--json"]] {
        let (code, json, _) = folder.run(line);
        let object: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!((code, &object["verdict"]), (4, &"usage_error".into()), "{line:?}");
    }
    for options in [
        &["--store", "bitstate", "--hashes", "4", "--seed", "7"][..],
        &["--store", "automatic", "--cell-bits", "20", "--seed", "7"],
        &["--swarm", "2", "--seed", "7"],
        &["--searchers", "2"],
    ] {
        let (code, _, error) = folder.run(&[&["check", "right.pml"], options].concat());
        assert!(code == 0 || code == 2, "{options:?}: {error}");
    }
    let (_, json, _) = folder.run(&["check", "right.pml", "--swarm", "2", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&object["swarm"], object["searchers"].is_null()), (&2.into(), true));
    let (code, json, _) = folder.run(&["check", "right.pml", "--swarm", "2", "--ltl", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((code, &object["verdict"]), (3, &"input_error".into()));
    assert_eq!(object["notes"], serde_json::json!([]), "nothing was searched");
    let (code, link, error) =
        folder.run(&["share", "right.pml", "--trace", "--store", "bitstate", "--progress"]);
    assert!(code == 4 && link.is_empty() && error.contains("does not go with"), "{error}");
    let (code, link, error) = folder.run(&["share", "right.pml", "--spin-counting", "--merge"]);
    assert!(code == 0 && link.starts_with('#') && error.contains("No statements"), "{error}");
    let (code, _, error) = folder.run(&["share", "right.pml", "--searchers", "2"]);
    assert!(code == 4 && error.contains("a link does not say"), "{error}");
    let (code, link, _) = folder.run(&["share", "wrong.pml", "--searchers", "2", "--trace"]);
    assert!(code == 0 && folder.run(&["trace", link.trim()]).0 == 1, "{link}");
}

/// The share of one searcher is not taken for what the user gave.
#[test]
fn a_swarm_tells_whose_memory_it_was() {
    let folder = Folder::new("swarm");
    let text = "int a, b, c;\nactive [3] proctype P() { do :: a++ :: b++ :: c++ od }\n";
    std::fs::write(folder.0.join("much.pml"), text).unwrap();
    let (code, out, _) =
        folder.run(&["check", "much.pml", "--swarm=2", "--memory=4", "--write-only=keep"]);
    assert_eq!(code, 2);
    assert!(out.contains("share of the memory, 2 of 4 MiB, was used up"), "{out}");
}

#[test]
fn latex_needs_no_automaton() {
    let folder = Folder::new("latex");
    let part = |i: u32| format!("([] <> p{i} -> [] <> q{i})");
    let formula = (0..12).map(part).collect::<Vec<_>>().join(" && ");
    let (code, out, error) = folder.run(&["ltl", &formula, "--format", "latex"]);
    assert!(code == 0 && error.is_empty() && out.contains("\\Box"), "{error}");
    let (code, _, error) = folder.run(&["ltl", &formula, "--format", "hoa"]);
    assert!(code == 3 && error.contains("too large"), "{error}");
}

/// A never claim in place of a formula: read, written in other formats, checked.
#[test]
fn claims_in_place_of_formulas() {
    let folder = Folder::new("claims");
    let claim = "never { /* <>[] (x == 1) */\nT0_init:\n\tdo\n\t:: (1) -> goto T0_init\n\
                 \t:: (x == 1) -> goto accept_S1\n\tod;\naccept_S1:\n\tdo\n\
                 \t:: (x == 1) -> goto accept_S1\n\tod;\n}\n";
    std::fs::write(folder.0.join("stays.never"), claim).unwrap();
    let model = "byte x; active proctype A() { do :: x = 1 - x od }\n";
    std::fs::write(folder.0.join("live.pml"), model).unwrap();
    std::fs::write(folder.0.join("stop.pml"), "byte x; active proctype A() { x = 1 }\n").unwrap();
    let (code, text, _) = folder.run(&["ltl", "--never", "stays.never"]);
    assert_eq!(code, 0);
    assert!(text.contains("never claim (<>[] (x == 1))"), "{text}");
    assert!(text.contains("2 states, 3 edges, accepting states"), "{text}");
    let by = |way: &str| folder.run(&["ltl", "[] (p -> <> q)", "--via", way, "--raw"]).1;
    assert!(by("alternating").contains("alternating       2 states"), "{}", by("alternating"));
    assert_eq!(folder.run(&["ltl", "p", "--via", "x"]).0, 4);
    let (code, hoa, _) = folder.run(&["ltl", "--never=stays.never", "--format", "hoa"]);
    assert!(code == 0 && hoa.starts_with("HOA: v1"), "{hoa}");
    let (_, never, _) = folder.run(&["ltl", &hoa, "--format", "never"]);
    assert!(never.contains("(x == 1) -> goto accept_S1"), "{never}");
    for text in [claim, &hoa, &never] {
        assert_eq!(folder.run(&["check", "live.pml", "--formula", text]).0, 0, "{text}");
        let (code, report, _) = folder.run(&["check", "stop.pml", "--formula", text]);
        assert_eq!(code, 1, "{report}");
        assert!(report.contains("the given claim accepts an infinite run"), "{report}");
    }
    let (code, _, error) = folder.run(&["ltl", "--negate", &hoa]);
    assert_eq!(code, 3);
    assert!(error.contains("the complement of an automaton is not made"), "{error}");
    std::fs::write(folder.0.join("wrong.never"), "never {\n\tif\n\t:: x -> goto S\n\tfi }")
        .unwrap();
    let (code, _, error) = folder.run(&["ltl", "--never", "wrong.never"]);
    assert_eq!(code, 3);
    assert!(error.contains("there is no label `S`, line 3\n  \t:: x -> goto S\n"), "{error}");
    let (code, _, error) = folder.run(&["ltl", "--never", "live.pml"]);
    assert!(code == 3 && error.contains("no never claim"), "{error}");
    let inside = "never { x == 1 }; byte y; never a { skip }";
    assert_eq!(folder.run(&["check", "live.pml", "--formula", inside]).0, 3);
}

/// Several searchers finish a level: the report says so once, and the numbers are the same each time.
#[test]
fn a_limit_of_states_is_told_once() {
    let folder = Folder::new("limit");
    let text =
        "byte a, b, c;\nactive [3] proctype P() { do :: a++ :: b++ :: c++ :: a + b + c < 0 od }\n";
    std::fs::write(folder.0.join("much.pml"), text).unwrap();
    let run = |options: &[&str]| {
        let (code, json, _) =
            folder.run(&[&["check", "much.pml", "--json", "--states", "1000"], options].concat());
        let object: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!((code, &object["why"]), (2, &"states".into()), "{options:?}");
        (object["states_stored"].as_u64().unwrap(), object["summary"].as_str().unwrap().to_owned())
    };
    let (alone, summary) = run(&[]);
    assert!(alone == 1000 && summary.ends_with("the limit of 1,000 states was reached."));
    assert_eq!(run(&["--searchers", "1"]).0, 1000);
    let (together, summary) = run(&["--searchers", "2"]);
    assert!(together > 1000, "{together}");
    let told = "the limit of 1,000 states was passed within a level of the search, which several \
                searchers finish.";
    assert!(summary.ends_with(told), "{summary}");
    for searchers in ["--searchers=2", "--searchers=3"] {
        assert_eq!(run(&[searchers]), (together, summary.clone()));
    }
}

/// What could not be written is neither a verdict nor a mistake of the checker.
#[test]
fn output_that_cannot_be_written_has_its_own_code() {
    let folder = Folder::new("full");
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else {
        return println!("skipped: there is no /dev/full");
    };
    for arguments in [&["check", "right.pml"][..], &["check", "right.pml", "--json"], &["help"]] {
        let mut command = folder.command(arguments);
        command.stdout(full.try_clone().unwrap());
        let (code, _, error) = read(command.output().unwrap());
        assert_eq!(code, 6, "{error}");
        assert!(error.contains("the output could not be written"), "{error}");
    }
}

/// Runs that several searchers find with compiled code are as short as those of one, and replay.
#[test]
fn compiled_searchers_find_runs_that_replay() {
    let folder = Folder::new("compiled-team");
    let deadlock = "byte forks[3] = 1; chan hand = [0] of { byte };\n\
                    active [3] proctype P() { byte got; do :: atomic { forks[_pid] > 0 -> \
                    forks[_pid]-- }; if :: atomic { forks[(_pid + 1) % 3] > 0 -> \
                    forks[(_pid + 1) % 3]-- } :: hand?got fi; d_step { forks[_pid]++; \
                    forks[(_pid + 1) % 3]++ } od }\n";
    std::fs::write(folder.0.join("deadlock.pml"), deadlock).unwrap();
    let claim = "byte x; active [2] proctype P() { do :: x < 9 -> x++ :: x > 0 -> x-- od }\n\
                 never { do :: x == 7 -> break :: else od }\n";
    std::fs::write(folder.0.join("claim.pml"), claim).unwrap();
    let fault =
        "byte a[4], i; active [2] proctype P() { do :: a[i] = 1; i++ :: i > 0 -> i-- od }\n";
    std::fs::write(folder.0.join("fault.pml"), fault).unwrap();
    for (arguments, kind) in [
        (&["wrong.pml", "-DN=3"][..], "assertion"),
        (&["wrong.pml", "-DN=3", "--reduction", "ample"], "assertion"),
        (&["deadlock.pml"], "invalid_end_state"),
        (&["claim.pml", "--claim"], "claim_completed"),
        (&["fault.pml"], "index_out_of_bounds"),
    ] {
        let run = |engine: &str, more: &[&str]| {
            let all = ["check", "--json", "--search", "bfs", "--engine", engine];
            let (code, json, error) = folder.run(&[&all[..], arguments, more].concat());
            assert_eq!(code, 1, "{arguments:?} {more:?}: {json}{error}");
            let object: serde_json::Value = serde_json::from_str(&json).unwrap();
            assert_eq!(object["kind"], kind, "{arguments:?}");
            (json, object)
        };
        let length = |of: &serde_json::Value| of["trail"]["steps"].as_array().unwrap().len();
        let (_, alone) = run("interpret", &[]);
        for searchers in ["--searchers=2", "--searchers=3"] {
            for errors in [&[searchers][..], &[searchers, "--all-errors"]] {
                let (json, object) = run("compiled", errors);
                assert_eq!(object["engine"], "Compiled to WebAssembly.", "{arguments:?}");
                assert_eq!(length(&object), length(&alone), "{arguments:?} {errors:?}");
                std::fs::write(folder.0.join("report.json"), json).unwrap();
                let (code, _, error) = folder.run(&["trace", "report.json"]);
                assert_eq!(code, 1, "{arguments:?} {errors:?}: {error}");
            }
        }
    }
}

/// The command line refuses what the catalogue refuses, with its reason, and runs what it does not.
#[test]
fn the_command_line_agrees_with_the_catalogue() {
    use promenade_protocol::options::{Effect, Values, Workers, refusals, words};
    use promenade_protocol::{OptionId, Property, Settings};
    let folder = Folder::new("legal");
    let text = "byte x;\nactive proctype P() { accept: do :: x < 2 -> progress: x++ :: x > 0 -> x-- od }\n\
                ltl p { [] (x < 3) }\n";
    std::fs::write(folder.0.join("m.pml"), text).unwrap();
    let lists = OptionId::ALL.iter().copied();
    // Parameters without effect are refused by the command line alone.
    let lists = lists.filter(|id| id.spec().only_with.is_none());
    let values: Vec<_> =
        lists.flat_map(|id| id.spec().choices().iter().map(move |it| (id, it))).collect();
    let properties = [
        (None, Property::Safety),
        (Some("--ltl"), Property::Ltl { name: None }),
        (Some("--acceptance"), Property::Acceptance { claim: None }),
        (Some("--progress"), Property::Progress),
    ];
    let (mut refused, mut ran) = (0, 0);
    for (number, (a, x)) in values.iter().enumerate() {
        for (b, y) in values.iter().skip(number + 1).filter(|it| it.0 != *a) {
            let (flag, property) = &properties[(refused + ran) % 4];
            let share = (refused + ran) % 3 == 0 && *a != OptionId::Search;
            let mut line = vec!["check".to_owned(), "m.pml".to_owned()];
            for (id, choice) in [(a, x), (b, y)] {
                line.extend([words::option(*id).to_owned(), words::value(*id, choice)]);
            }
            line.extend(flag.map(str::to_owned));
            line.extend(share.then(|| "--workers=2".to_owned()));
            let words: Vec<&str> = line.iter().map(String::as_str).collect();
            let (code, out, complaint) = folder.run(&words);
            let settings = Settings::default().with(*a, x.link).with(*b, y.link);
            let workers = if share { Workers::Share(2) } else { Workers::One };
            let all = refusals(&Values {
                settings: &settings,
                subject: property.subject(false),
                workers,
            });
            match all.iter().find(|it| it.effect == Effect::Refused) {
                Some(refusal) => {
                    refused += 1;
                    assert_eq!(code, 4, "{line:?}: {out}");
                    let told = complaint.contains(" does not go with ");
                    assert!(told && complaint.contains(refusal.why), "{line:?}: {complaint}");
                }
                None => {
                    ran += 1;
                    assert!(code < 3, "{line:?}: {complaint}{out}");
                }
            }
        }
    }
    assert!(refused > 40 && ran > 150, "{refused} {ran}");
}

#[test]
fn misspelt_words_are_put_right_and_shells_are_served() {
    let folder = Folder::new("misspelt");
    for (line, told) in [
        (&["chek", "right.pml"][..], "`chek` is not a command: `promenade check`?"),
        (&["check", "right.pml", "--stor", "exact"], "there is no option `--stor`: `--store`?"),
        (&["check", "right.pml", "--store", "exatc"], "not `exatc`: `exact`?"),
        (&["check", "right.pml", "--bfs"], "there is no option `--bfs`: `--search bfs`?"),
        (&["simulate", "right.pml", "--json"], "there is no option `--json` here"),
        (&["check", "right.pml", "--json=1"], "`--json` takes no value"),
        (&["check", "right.pml", "--memory"], "`--memory` needs a value"),
        (&["completions", "tcsh"], "a shell is `bash`, `zsh` or `fish`, not `tcsh`"),
        (&["completions"], "completions are for bash, zsh or fish"),
    ] {
        let (code, _, complaint) = folder.run(line);
        assert_eq!(code, 4, "{line:?}");
        assert!(complaint.contains(told), "{line:?}: {complaint}");
    }
    for (line, contained) in [
        (&["completions", "bash"][..], "--store"),
        (&["completions", "zsh"], "hash-compact"),
        (&["completions", "fish"], "spin-counting"),
        (&["man"], "dead\\-variables"),
        (&["help", "check"], "a state is a tree"),
        (&["check", "right.pml", "-h"], "How far the search goes"),
    ] {
        let (code, out, complaint) = folder.run(line);
        assert_eq!(code, 0, "{line:?}: {complaint}");
        assert!(out.contains(contained), "{line:?}");
    }
    // As the value of an option it asks for no help.
    let (code, out, _) = folder.run(&["check", "right.pml", "--formula", "-h"]);
    assert!(code == 3 && out.contains("`h` is not declared"), "{out}");
}
