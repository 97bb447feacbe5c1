//! Grading: right, wrong, cheating and broken submissions to every kind of task.

mod support;

use TaskStatus::{Failed, Inconclusive, Missing, Partial, Passed, Rejected};
use promenade_assignment::{
    Edition, Grader, Submission, grade, read, sample, student_edition, visible,
};
use promenade_protocol::link::{self, Link, Trail};
use promenade_protocol::{CheckStatus, TaskStatus};
use support::{Change, KINDS, kinds, status, told};

fn replace(from: &str, to: &str) -> impl Fn(&str) -> String {
    let (from, to) = (from.to_owned(), to.to_owned());
    move |text| text.replacen(&from, &to, 1)
}

/// Grades the sample solution with one file changed, and looks at one task and what is told.
fn file(task: &str, name: &str, from: &str, to: &str, expected: TaskStatus, part: &str) {
    let grade = Change::new().file(name, replace(from, to)).grade();
    let said = told(&grade, task);
    assert_eq!(status(&grade, task), expected, "{name}: `{from}` -> `{to}`: {said}");
    assert!(said.contains(part), "`{part}` is not in: {said}");
}

fn answer(task: &str, text: &str, expected: TaskStatus, part: &str) {
    let grade = Change::new().answer(task, text).grade();
    let said = told(&grade, task);
    assert_eq!(status(&grade, task), expected, "{text}: {said}");
    assert!(said.contains(part), "`{part}` is not in: {said}");
}

#[test]
fn the_sample_solution_has_full_points() {
    let grade = Change::new().grade();
    for task in &grade.tasks {
        assert_eq!(task.status, Passed, "{}: {}", task.id, told(&grade, &task.id));
    }
    assert_eq!((grade.score, grade.max), (19.0, 19.0));
    assert!(grade.problems.is_empty() && grade.is_complete());
}

#[test]
fn models_that_are_wrong() {
    file(
        "hold",
        "lock.pml",
        "atomic { !taken -> taken = true };",
        "taken = true;",
        Failed,
        "assertion violated",
    );
    file(
        "hold",
        "lock.pml",
        "atomic { !taken -> taken = true };",
        "!taken; taken = true;",
        Failed,
        "violated",
    );
    // Nobody ever gets in: safe, and of no use.
    file(
        "hold",
        "lock.pml",
        "atomic { !taken -> taken = true };",
        "false;",
        Failed,
        "no run does this any more",
    );
    file(
        "hold",
        "lock.pml",
        "!taken -> taken",
        "_pid == 0 && !taken -> taken",
        Failed,
        "P[1]@critical",
    );
    file(
        "hold",
        "lock.pml",
        "taken = false",
        "taken = fals",
        Failed,
        "cannot be checked: lock.pml:14",
    );
    file(
        "dining",
        "dining.pml",
        "first = 0; second = 1;",
        "first = _pid; second = 1 - _pid;",
        Failed,
        "invalid end state",
    );
    file(
        "dining",
        "dining.pml",
        "first = 0; second = 1;",
        "_pid == 0 -> first = 0; second = 1;",
        Failed,
        "no run does this any more",
    );
    file("dining", "dining.pml", "first = 0; second = 1;", "first = 0; second = 0;", Failed, "");
}

#[test]
fn a_model_from_a_description_is_put_into_its_environment() {
    file("server", "server.pml", "tell!n+1", "tell!n+2", Partial, "violated");
    file("server", "server.pml", "tell!n+1", "tell!5", Partial, "violated");
    file("server", "server.pml", "ask?n; tell!n+1", "ask?n", Failed, "invalid end state");
    file("server", "server.pml", "active proctype", "proctype", Failed, "");
    let grade = Change::new().file("server.pml", replace("tell!n+1", "tell!5")).grade();
    let server = grade.tasks.iter().find(|it| it.id == "server").expect("a task");
    assert_eq!(server.score, 2.0, "two of three checks: {}", told(&grade, "server"));
    // Errors are told at the student's own file.
    file("server", "server.pml", "byte n;", "byte n", Failed, "server.pml:3");
}

#[test]
fn locked_text_and_regions() {
    file(
        "hold",
        "lock.pml",
        "assert(inside == 1)",
        "assert(inside >= 1)",
        Rejected,
        "line 11: locked text was changed",
    );
    file(
        "hold",
        "lock.pml",
        "byte inside, x;\n",
        "byte inside, x; /* mine */\n",
        Rejected,
        "line 1",
    );
    file("hold", "lock.pml", "     inside--;\n", "", Rejected, "line 12: ");
    for cheat in ["#define assert(e) skip", "} active proctype Q() {", "/*", "od; do :: false; "] {
        file("hold", "lock.pml", "taken = false", cheat, Rejected, "in the region `give`");
    }
    file(
        "hold",
        "lock.pml",
        "     /* END EDIT */\n  od\n}",
        "     /* END EDIT */\n  od\n}\nltl a { true }",
        Rejected,
        "added",
    );
    // Line ends are not the student's doing.
    let grade = Change::new().file("lock.pml", |text| text.replace('\n', "\r\n")).grade();
    assert_eq!(status(&grade, "hold"), Passed, "{}", told(&grade, "hold"));
    // The other tasks are graded all the same.
    let grade = Change::new().file("lock.pml", replace("byte inside", "int inside")).grade();
    assert_eq!((status(&grade, "hold"), grade.score), (Rejected, 15.0));
}

#[test]
fn what_is_missing_is_told() {
    let grade = grade(&kinds(), Submission::default());
    assert!(grade.tasks.iter().all(|task| task.status == Missing), "{grade:?}");
    assert_eq!(grade.score, 0.0);
    let grade = Change::new().without("lock.pml").without("formula").grade();
    assert_eq!((status(&grade, "hold"), status(&grade, "formula")), (Missing, Missing));
    assert_eq!((status(&grade, "dining"), status(&grade, "claim")), (Passed, Passed));
}

/// The link of the sample solution, changed.
fn attack(edit: impl Fn(&mut Link)) -> String {
    let submission = Change::new().1;
    let (_, text) = submission.answers.iter().find(|(task, _)| task == "bug").expect("a link");
    let link::Target::Content(mut content) = link::parse(text).expect("a link").target else {
        panic!("a link with content")
    };
    edit(&mut content);
    format!("https://example.org/x/#{}", link::encode(&content).expect("small"))
}

#[test]
fn runs_are_replayed_on_the_teachers_model() {
    answer("bug", &attack(|_| {}), Passed, "assertion violated");
    // The text in the link does not matter, only the run.
    let other = attack(|link| link.experiment.files[0].text = "init { assert(false) }".to_owned());
    answer("bug", &other, Passed, "assertion violated");
    let trail =
        |edit: fn(&mut Trail)| attack(move |link| edit(link.trail.as_mut().expect("a run")));
    answer("bug", &trail(|it| it.choices.truncate(3)), Failed, "");
    answer("bug", &trail(|it| it.choices[0] = 77), Failed, "does not fit");
    answer("bug", &trail(|it| it.checksum ^= 1), Failed, "does not fit");
    answer("bug", &trail(|it| it.choices = vec![0; 1_000_000]), Failed, "more than 12 steps");
    answer("bug", &attack(|link| link.trail = None), Failed, "no counterexample");
    for text in ["I ran it and it failed", "#ex=peterson", "https://example.org/#1AAAA", "#2abc"] {
        answer("bug", text, Failed, "");
    }
}

#[test]
fn formulas() {
    answer("formula", "[] (p -> <> q)", Passed, "");
    answer("formula", "! <> (p && [] !q)", Passed, "");
    answer("formula", "[] (p -> q)", Failed, "holds on good.pml: violated");
    answer("formula", "<> q", Failed, "fails on early.pml");
    answer("formula", "true", Failed, "holds on this wrong model");
    answer("formula", "false", Failed, "violated");
    answer("formula", "[] <> q", Failed, "the formula forbids the run ({})*, and should allow");
    answer("formula", "[] (p -> X <> q)", Failed, "X is not allowed");
    answer("formula", "[] (p -> <> r)", Failed, "");
    answer("formula", "[] (p -> ", Failed, "cannot be read: column");
    answer("formula", "never { do :: true od }", Failed, "a formula is asked for");
    let deep = format!("{}p{}", "(".repeat(20_000), ")".repeat(20_000));
    answer("formula", &deep, Failed, "cannot be read");
}

#[test]
fn formulas_that_cannot_be_translated_end() {
    let fair: Vec<String> =
        (0..9).map(|n| format!("([]<> (p == {n}) -> []<> (q == {n}))")).collect();
    let hard = format!("!({})", fair.join(" && "));
    let grade = || Change::new().answer("formula", &hard).without("lock.pml").grade();
    let (first, second) = (grade(), grade());
    assert_eq!(first, second);
    assert_ne!(status(&first, "formula"), Passed);
}

#[test]
fn claims() {
    let hoa = "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"p\" \"q\"\nAcceptance: 1 Inf(0)\n--BODY--\n\
        State: 0\n[t] 0\n[0&!1] 1\nState: 1 {0}\n[!1] 1\n--END--\n";
    answer("claim", hoa, Passed, "means the same");
    answer("claim", "never { do :: p && !q -> break :: true od; accept: do :: !q od }", Passed, "");
    answer("claim", "never { do :: true od }", Failed, "the automaton does not accept the run");
    answer(
        "claim",
        "never { do :: p -> break :: true od }",
        Failed,
        "the automaton accepts the run",
    );
    answer("claim", "[] (p -> <> q)", Failed, "a never claim or an automaton");
    answer("claim", "never { goto nowhere }", Failed, "cannot be read");
    answer("claim", "HOA: v1 nonsense", Failed, "cannot be read");
}

#[test]
fn predictions() {
    answer("states", " 2 ", Passed, "");
    answer("states", "1,000", Failed, "a full search stores 2 states");
    answer("states", "two", Failed, "not a number");
    answer("states", "-1", Failed, "not a number");
    answer("lines", "7", Passed, "");
    answer("lines", "7, 8", Failed, "stand in line 7");
    answer("lines", "none", Failed, "");
    answer("runs", "C A", Passed, "");
    answer("runs", "A", Failed, "run C exists");
    answer("runs", "A, B, C", Failed, "run B does not exist");
    answer("runs", "A, C, D", Failed, "there is no run `D`");
    answer("verdict", "violated", Failed, "it holds");
    answer("verdict", "maybe", Failed, "");
}

#[test]
fn endless_models_end_at_the_same_state_each_time() {
    let endless = replace(
        "taken = false",
        "taken = false; do :: x = x + 1 :: x = x * 7 + inside :: break od",
    );
    let run = || {
        Change::new().file("server.pml", |text| {
        format!("{text}\nint a, b, c;\nactive proctype Long() {{ do :: a++ :: b++ :: c++ :: a + b + c == -1 -> break od }}\n")
    }).file("lock.pml", &endless).grade()
    };
    let (first, second) = (run(), run());
    assert_eq!(first, second);
    let server = first.tasks.iter().find(|it| it.id == "server").expect("a task");
    assert!(server.checks.iter().any(|it| it.status == CheckStatus::Inconclusive), "{server:?}");
    assert!(server.checks.iter().all(|it| it.states <= 20_001), "{server:?}");
    // A single step that never ends.
    let stuck = Change::new()
        .file("server.pml", |text| {
            format!("{text}\nint a; active proctype Q() {{ atomic {{ do :: a++ od }} }}\n")
        })
        .grade();
    assert_ne!(status(&stuck, "server"), Passed);
    // More processes, messages and values than there may be.
    for more in [
        "active proctype F() { do :: run G() od } proctype G() { do :: skip od }",
        "chan big = [255] of { int, int, int }; active proctype F() { int i; do :: big!i,i,i; i++ od }",
        "int many[100000]; active proctype F() { int i; do :: many[i] = i; i++ od }",
    ] {
        let grade = Change::new().file("server.pml", |text| format!("{text}\n{more}\n")).grade();
        assert_ne!(status(&grade, "server"), Passed, "{more}");
    }
}

#[test]
fn slices_do_not_matter() {
    let Change(assignment, submission) = Change::new().file("lock.pml", replace("!taken -> ", ""));
    let whole = grade(&assignment, submission.clone());
    let mut grader = Grader::new(&assignment, submission);
    let mut slices = 0;
    while !grader.advance(1) {
        slices += 1;
        assert!(slices < 1_000_000 && grader.progress().0 <= grader.progress().1);
    }
    assert_eq!(grader.finish(), whole);
    assert!(slices > 20);
}

#[test]
fn hidden_checks_that_were_read_out_do_not_help() {
    // A student opens the seal, and answers just what it asks.
    let sealed = student_edition(KINDS, Edition::Sealed).expect("an edition");
    let opened = read(&sealed).value;
    let spied = opened.file("client.pml").expect("the seal can be opened").text.clone();
    assert!(spied.contains("ask!4"));
    let tailored = "ask?n; if :: n == 4 -> tell!5 :: else -> tell!7 fi";
    let cheat = |text: &str| text.replacen("ask?n; tell!n+1", tailored, 1);
    assert_eq!(status(&Change::new().file("server.pml", cheat).grade(), "server"), Passed);
    // The teacher's file has one more check, which was never handed out.
    let more = KINDS
        .replacen(
            "ask!6; tell?answer; got = answer",
            "ask!6; tell?answer; got = answer; ask!0; tell?answer; assert(answer == 1)",
            1,
        )
        .replacen("  - deadlock\n", "  - deadlock\n  - assertions\n", 1);
    let teachers = read(&more);
    assert!(!teachers.has_errors());
    let Change(_, submission) = Change::new().file("server.pml", cheat);
    let graded = grade(&teachers.value, submission);
    assert_ne!(status(&graded, "server"), Passed, "{}", told(&graded, "server"));
    // What a student does to his own copy of the assignment changes nothing.
    let changed = sealed.replace("points: 4", "points: 400");
    assert_ne!(read(&changed).value.points(), kinds().points());
}

#[test]
fn students_see_what_they_may() {
    let grade =
        Change::new().file("lock.pml", replace("!taken -> ", "")).answer("states", "5").grade();
    let assignment = kinds();
    let shown = visible(&grade, &assignment);
    let text = format!("{shown:?}");
    let all = format!("{grade:?}");
    assert!(all.contains("[] (inside < 2)") && !text.contains("[] (inside < 2)"), "{text}");
    assert!(text.contains("hidden check 1") && text.contains("assertion violated"));
    assert!(!told(&shown, "states").contains('2'), "{}", told(&shown, "states"));
    let links = |grade: &promenade_protocol::Grade| {
        grade.tasks.iter().flat_map(|it| &it.checks).filter(|it| it.link.is_some()).count()
    };
    assert!(links(&shown) < links(&grade) && links(&shown) > 0);
    // The link opens, and shows what it should.
    let hold = shown.tasks.iter().find(|it| it.id == "hold").expect("a task");
    let link = hold.checks.iter().find_map(|it| it.link.clone()).expect("a counterexample");
    let link::Target::Content(content) = link::parse(&link).expect("a link").target else {
        panic!("a link with content")
    };
    assert!(content.trail.is_some() && content.experiment.files[0].name == "lock.pml");
}

#[test]
fn editions_for_students() {
    let solution = sample(&kinds());
    let full = grade(&kinds(), solution.clone());
    for (edition, complete) in [(Edition::Sealed, true), (Edition::Private, false)] {
        let text = student_edition(KINDS, edition).expect("an edition");
        for secret in [
            "inside < 2",
            "ask!4",
            "solution",
            "reference:",
            "first = 0; second = 1",
            "q = true; do :: q",
        ] {
            assert!(!text.contains(secret), "{edition:?} tells `{secret}`:\n{text}");
        }
        assert!(text.contains("- assertions") && text.contains("active [2] proctype P()"));
        let checked = read(&text);
        assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
        assert_eq!(checked.value.points(), kinds().points());
        let graded = grade(&checked.value, solution.clone());
        if complete {
            assert_eq!(graded, full, "sealed checks are the same");
        } else {
            assert_eq!(status(&graded, "hold"), Passed, "{}", told(&graded, "hold"));
            assert_eq!(status(&graded, "server"), Inconclusive, "{}", told(&graded, "server"));
        }
        assert!(student_edition(&text, edition).is_err(), "only from the author's file");
    }
}
