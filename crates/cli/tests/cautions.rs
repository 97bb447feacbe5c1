//! What is less than it seems is said, and what could be tried next is offered.

use std::path::PathBuf;
use std::process::Command;

/// A folder of its own for each test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let path = std::env::temp_dir().join(format!("promenade-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        for (name, text) in files {
            std::fs::write(path.join(name), text).unwrap();
        }
        Self(path)
    }

    /// Checks `m.pml`: the exit code and what is printed.
    fn check(&self, options: &[&str]) -> (i32, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_promenade"));
        command.args(["check", "m.pml"]).args(options).current_dir(&self.0);
        let output = command.output().unwrap();
        (output.status.code().unwrap_or(-1), String::from_utf8(output.stdout).unwrap())
    }

    fn json(&self, options: &[&str]) -> (i32, serde_json::Value) {
        let (code, out) = self.check(&[options, &["--json"]].concat());
        (code, serde_json::from_str(&out).unwrap())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_formula_that_says_nothing_holds_vacuously() {
    let model = "byte x; active proctype P() { do :: x = 1 - x od }\n";
    let folder = Folder::new("vacuous", &[("m.pml", model)]);
    let check = |formula: &str| {
        let (code, object) = folder.json(&["--formula", formula]);
        assert_eq!((code, &object["verdict"]), (0, &"holds".into()), "{formula}");
        (object["vacuity"].clone(), object["summary"].as_str().unwrap().to_owned())
    };
    let (vacuity, summary) = check("[] (x == 7 -> <> (x == 1))");
    assert_eq!(vacuity, serde_json::json!({ "never": ["x == 7"], "whole": true }));
    assert!(summary.starts_with("Holds vacuously: all "), "{summary}");
    assert!(summary.contains("But `x == 7` is never true"), "{summary}");
    let (vacuity, summary) = check("[] (x == 7 -> <> (x == 1)) && [] (x == 0 -> x < 2)");
    assert_eq!(vacuity["whole"], false);
    assert!(summary.starts_with("Holds, in part vacuously: "), "{summary}");
    let (vacuity, summary) = check("<> (x == 1) || [] !(x == 1)");
    assert_eq!(vacuity, serde_json::json!({ "never": [], "whole": true }), "{summary}");
    assert!(check("[] (x < 2)").0.is_null());
}

#[test]
fn better_runs_are_offered() {
    let model = "bool flag; active proctype Loop() { do :: true od }\n\
                 active proctype Once() { flag = true }\n";
    let folder = Folder::new("offers", &[("m.pml", model)]);
    let check = |options: &[&str]| folder.check(options).1;
    let out = check(&["--formula", "<> flag"]);
    assert!(out.contains("The run is not weakly fair."), "{out}");
    assert!(out.contains("Once(1) is always enabled, never moves (unfair)"), "{out}");
    assert!(out.contains("Hint: `--fairness weak`"), "{out}");
    let (_, object) = folder.json(&["--formula", "<> flag"]);
    assert_eq!(object["fairness"]["weakly_fair"], false);
    assert_eq!(object["fairness"]["processes"][1]["moves"], 0);
    for options in [&["--formula", "[] !flag"][..], &["--formula", "<> [] !flag"]] {
        let out = check(&[options, &["--fairness", "weak"]].concat());
        assert!(!out.contains("not weakly fair") && !out.contains("Hint:"), "{out}");
    }
    let model = "byte x; active [2] proctype P() { do :: x < 9 -> x++ od; }\n\
                 active proctype Q() { x == 9; assert(false) }\n";
    let folder = Folder::new("shortest", &[("m.pml", model)]);
    let out = folder.check(&[]).1;
    assert!(out.contains("Hint: `--search bfs` finds a shortest run"), "{out}");
    for options in [&["--search", "bfs"][..], &["--searchers", "2"]] {
        let out = folder.check(options).1;
        assert!(out.contains("Violated") && !out.contains("Hint:"), "{out}");
    }
}

#[test]
fn steps_have_their_calls_and_values_their_names() {
    let model = "#include \"part.h\"\n#define BUSY 2\nmtype = { req, ack };\nbyte st, b;\n\
                 chan q = [1] of { byte, mtype };\n\
                 active proctype P() {\n  both(BUSY);\n  b = req;\n  assert(st == 0)\n}\n";
    let part = "inline one(v) {\n  st = v\n}\ninline both(v) {\n  one(v);\n  q!v,ack\n}\n";
    let folder = Folder::new("names", &[("m.pml", model), ("part.h", part)]);
    let (code, out) = folder.check(&[]);
    assert_eq!(code, 1, "{out}");
    let first = "[part.h:2:3, called at part.h:5:3, called at m.pml:7:3]  st = 2 (BUSY)";
    assert!(out.contains(first), "{out}");
    assert!(out.contains("[part.h:6:3, called at m.pml:7:3]  q = [2 (BUSY),ack]"), "{out}");
    assert!(out.contains("[m.pml:8:3]  b = 2 (req)"), "{out}");
    let (_, object) = folder.json(&[]);
    let calls = &object["trail"]["steps"][0]["calls"];
    assert_eq!((&calls[0]["file"], &calls[0]["line"]), (&"part.h".into(), &5.into()));
    assert_eq!((&calls[1]["file"], &calls[1]["line"]), (&"m.pml".into(), &7.into()));
}

#[test]
fn a_search_that_was_cut_off_says_what_its_numbers_are_about() {
    let model = "byte a, b, c; active proctype P() { do :: a++ :: b++ :: c++ :: a + b + c > 700 -> break od }\n";
    let folder = Folder::new("cut", &[("m.pml", model)]);
    let (code, out) = folder.check(&["--store", "bitstate", "--states", "100000"]);
    assert_eq!(code, 2, "{out}");
    assert!(
        out.contains("% of the states met, expected not to be lost to hash collisions"),
        "{out}"
    );
    assert!(out.contains("say\n    nothing about the rest."), "{out}");
}
