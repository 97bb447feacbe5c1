//! The faults that public models and users brought up, as the corpus lists them: each row's right
//! answer from the command. A row that this file does not know is a failure.

use promenade_testkit::corpus::Corpus;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// No row may take longer, on whatever machine: hangs are what some of the rows are about.
const PATIENCE: Duration = Duration::from_secs(400);

struct Run {
    code: i32,
    text: String,
}

impl Run {
    fn says(&self, words: &str) -> bool {
        self.text.contains(words)
    }

    /// States stored, states matched, transitions.
    fn counts(&self) -> (u64, u64, u64) {
        let number = |words: &str| {
            let line = self.text.lines().find(|line| line.trim_end().contains(words));
            let digits: String = line
                .unwrap_or_default()
                .trim_start()
                .chars()
                .take_while(|c| c.is_ascii_digit() || *c == ',')
                .filter(char::is_ascii_digit)
                .collect();
            digits.parse().unwrap_or(u64::MAX)
        };
        (number(" states, stored"), number(" states, matched"), number(" transitions (="))
    }

    fn errors(&self) -> Option<u64> {
        let rest = self.text.split("errors: ").nth(1)?;
        rest.split_whitespace().next()?.parse().ok()
    }
}

struct Wild(PathBuf);

impl Wild {
    fn run(&self, arguments: &[&str]) -> Run {
        let mut child = Command::new(env!("CARGO_BIN_EXE_promenade"))
            .args(arguments)
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let readers = [reader(child.stdout.take().unwrap()), reader(child.stderr.take().unwrap())];
        let started = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if started.elapsed() > PATIENCE {
                let _ = child.kill();
                let _ = child.wait();
                panic!("{arguments:?} did not end within {PATIENCE:?}");
            }
            #[expect(clippy::disallowed_methods, reason = "a test may wait")]
            std::thread::sleep(Duration::from_millis(5));
        };
        let text = readers.map(|reader| reader.join().unwrap()).concat();
        println!("{arguments:?}: {:?}\n{text}", status.code());
        Run { code: status.code().unwrap_or(-1), text }
    }

    fn check(&self, file: &str, more: &[&str]) -> Run {
        self.run(&[&["check", file], more].concat())
    }

    fn counting(&self, file: &str) -> Run {
        self.check(file, &["--spin-counting"])
    }
}

fn reader(mut pipe: impl std::io::Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

const HOLDS: i32 = 0;
const VIOLATED: i32 = 1;
const INPUT: i32 = 3;

/// What is wrong with the answers on a row; `None` where the row is not known here.
type Answer = fn(&Wild, &str) -> Result<(), String>;

fn expect(right: bool, what: &str) -> Result<(), String> {
    if right { Ok(()) } else { Err(what.to_owned()) }
}

fn formulas(wild: &Wild, file: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(wild.0.join(file)).unwrap();
    let names = text.lines().filter_map(|line| line.strip_prefix("ltl "));
    for name in names.filter_map(|rest| rest.split_whitespace().next()) {
        // `pan -a` finds an acceptance cycle for each of them.
        let run = wild.check(file, &["--ltl", name]);
        expect(
            run.code == VIOLATED && run.says("does not satisfy the formula")
                || run.says("breaks the formula"),
            name,
        )?;
    }
    Ok(())
}

fn refused(wild: &Wild, file: &str, words: &str) -> Result<(), String> {
    let run = wild.check(file, &[]);
    expect(run.code == INPUT && run.says(words), words)
}

fn counted(wild: &Wild, file: &str, code: i32, counts: (u64, u64, u64)) -> Result<Run, String> {
    let run = wild.counting(file);
    expect(run.code == code, "exit code")?;
    expect(run.counts() == counts, &format!("{:?} instead of {counts:?}", run.counts()))?;
    Ok(run)
}

const ROWS: &[(&str, Answer)] = &[
    ("guarded-index-in-formula.pml", |wild, file| {
        expect(wild.check(file, &["--ltl", "f"]).code == HOLDS, "holds")
    }),
    ("six-response-formulas.pml", formulas),
    ("three-nested-until-responses.pml", formulas),
    ("conjunctions.pml", formulas),
    ("shuffle-in-liveness.pml", |wild, file| {
        let few = (0..8).any(|seed| {
            let run = wild.check(file, &["--ltl", "never_bad", "--shuffle", &seed.to_string()]);
            run.code == VIOLATED && run.counts().0 < 1000
        });
        expect(few, "no order finds the violation after a few states")
    }),
    ("else-first-in-d-step.pml", |wild, file| {
        let run = counted(wild, file, HOLDS, (4, 0, 4))?;
        expect(run.errors() == Some(0), "errors")
    }),
    ("write-only-counter.pml", |wild, file| {
        let run = wild.check(file, &[]);
        expect(run.code == HOLDS && run.counts().0 == 4 && run.says("trips"), "holds in 4 states")
    }),
    ("puzzle-with-a-counter.pml", |wild, file| {
        let run = wild.check(file, &["--ltl", "shut"]);
        expect(run.code == VIOLATED && run.says("presses"), "violated, presses is named")
    }),
    ("pid-as-receive-target.pml", |wild, file| refused(wild, file, "eval(_pid)")),
    ("stray-comment-end.pml", |wild, file| {
        let run = wild.counting(file);
        expect(run.says("comment") && run.says("nest"), "comments do not nest")?;
        expect(run.code == INPUT || run.counts().0 == 4, "an error, or SPIN's four states")
    }),
    ("next-is-a-name.pml", |wild, file| {
        let run = wild.check(file, &["--ltl", "bounded"]);
        let told = run.code == INPUT && run.says("`next`") && run.says("operator");
        expect(told || run.code == HOLDS || run.code == VIOLATED, "accepted, or told of")
    }),
    ("structure-with-value.pml", |wild, file| {
        let run = wild.counting(file);
        let warned = run.code == HOLDS && run.counts().0 == 3 && run.says("ignored");
        expect(warned, "holds in 3 states with a warning")
    }),
    ("channel-set-to-number.pml", |wild, file| {
        let run = wild.counting(file);
        expect(run.code == HOLDS && run.counts().0 == 7, "holds in 7 states")?;
        expect(run.says("warning"), "a warning")
    }),
    ("promise-broken.pml", |wild, file| {
        let run = wild.check(file, &[]);
        let told = run.code == VIOLATED || run.code == INPUT;
        expect(told && run.says("xs"), "the broken promise is told")
    }),
    ("mutual-enabled.pml", |wild, file| {
        let run = wild.check(file, &[]);
        expect([0, 1, 2, 3].contains(&run.code), "a verdict")
    }),
    ("sorted-send-of-a-large-value.pml", |wild, file| {
        let run = wild.check(file, &[]);
        expect(run.code == VIOLATED && run.says("assertion"), "violated: assertion")
    }),
    ("remote-variable-in-d-step.pml", |wild, file| {
        let run = counted(wild, file, HOLDS, (18, 3, 21))?;
        expect(run.errors() == Some(0), "errors")
    }),
    ("too-many-processes-for-fairness.pml", |wild, file| {
        let weak = ["--fairness", "weak"];
        let [p, q] =
            ["p", "q"].map(|name| wild.check(file, &[&["--ltl", name], &weak[..]].concat()).code);
        expect(p == HOLDS && q == HOLDS, &format!("both hold; the codes are {p} and {q}"))
    }),
    ("merge-with-endless-atomic.pml", |wild, file| {
        expect(wild.check(file, &["--merge"]).code == HOLDS, "holds")
    }),
    ("hostile.link", |wild, file| {
        let run = wild.run(&["trace", file]);
        expect(run.code != 101 && run.code != -1 && run.code != 5, "ends with a message")
    }),
    ("escape.link", |wild, file| {
        let run = wild.run(&["trace", file]);
        let raw = run.text.chars().any(|c| c.is_control() && c != '\n');
        expect(!raw && run.says("evil"), "control characters are shown")
    }),
    ("two-workers-shortest.pml", |wild, file| {
        // Four choices; steps inside an atomic sequence count in the run.
        let all_same = (0..20).all(|_| {
            let run = wild.check(file, &["--searchers", "2"]);
            run.code == VIOLATED && run.says("end state") && run.says("Run, 6 steps")
        });
        expect(all_same, "the shortest run each time")
    }),
    ("time-limit-with-large-states.pml", |wild, file| {
        let started = Instant::now();
        let run = wild.check(file, &["--time", "3"]);
        expect(run.code == 2, "not conclusive")?;
        expect(started.elapsed() < Duration::from_secs(60), "stops after some 3 s")
    }),
    ("formula-named-like-a-file.pml", |wild, file| {
        let folder = std::env::temp_dir().join(format!("promenade-safe-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::copy(wild.0.join(file), folder.join("m.pml")).unwrap();
        std::fs::write(folder.join("safe"), "not a model").unwrap();
        let run = Wild(folder.clone()).check("m.pml", &["--ltl", "safe"]);
        let _ = std::fs::remove_dir_all(folder);
        expect(run.code == HOLDS, "holds")
    }),
    ("one-bad-formula.pml", |wild, file| {
        expect(wild.check(file, &[]).code == HOLDS, "safety")?;
        expect(wild.check(file, &["--ltl", "good"]).code == HOLDS, "the good formula")?;
        let bad = wild.check(file, &["--ltl", "bad"]);
        expect(bad.code == INPUT && bad.says("(x == 1)"), "the bad one, put right")
    }),
    ("define-beside-define.pml", |wild, file| {
        let run = wild.check(file, &["-DN=5"]);
        expect(run.code == HOLDS && run.says("warning") && run.says("`N`"), "a warning")
    }),
    ("short-message-over-rendezvous.pml", |wild, file| {
        let run = counted(wild, file, VIOLATED, (7, 1, 8))?;
        expect(run.errors() == Some(3), "errors")
    }),
    ("any violated model", |wild, _| {
        let file = "short-message-over-rendezvous.pml";
        let run = wild.check(file, &["--all-errors", "--keep", "5", "--spin-counting"]);
        expect(run.text.matches("\nRun, ").count() > 1, "the runs of all kept errors")
    }),
];

#[test]
fn every_row_is_answered_right() {
    let corpus = match Corpus::find() {
        Ok(corpus) => corpus,
        Err(why) => return println!("faults found in the wild: skipped, {why}"),
    };
    let table = corpus.path("wild", "expected.tsv");
    let Ok(table) = std::fs::read_to_string(&table) else {
        assert!(std::env::var_os("CI").is_none(), "no {}", table.display());
        return println!("faults found in the wild: skipped, this corpus has none");
    };
    let wild = Wild(corpus.path("wild", ""));
    let filter = std::env::var("PROMENADE_ROWS").unwrap_or_default();
    let mut wrong = Vec::new();
    let files = table.lines().skip(1).filter_map(|line| line.split('\t').next());
    for file in files.filter(|file| file.contains(&filter)) {
        let known = ROWS.iter().find(|(name, _)| *name == file);
        let answer = match known {
            Some((_, answer)) => answer(&wild, file),
            None => Err("this row has no test".to_owned()),
        };
        match answer {
            Ok(()) => println!("{file}: right"),
            Err(what) => wrong.push(format!("{file}: {what}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is listed here is there.
#[test]
fn no_row_is_stale() {
    let Ok(corpus) = Corpus::find() else { return };
    for (file, _) in ROWS.iter().filter(|(file, _)| Path::new(file).extension().is_some()) {
        let path = corpus.path("wild", file);
        assert!(path.is_file() || !corpus.path("wild", "").is_dir(), "{}", path.display());
    }
}
