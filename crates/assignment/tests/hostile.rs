//! Assignment files and submissions that mean harm, or are just broken.

mod support;

use promenade_assignment::{ANSWERS, Submission, grade, limits, read};
use promenade_base::random::Random;
use promenade_protocol::TaskStatus;
use promenade_protocol::link::{self, Link};
use support::{Change, KINDS, kinds};

fn errors(text: &str) -> Vec<(&'static str, String)> {
    let checked = read(text);
    let found = checked.diagnostics.iter().filter(|it| it.is_error());
    found
        .map(|it| {
            let place = it.span.start as usize..it.span.end as usize;
            (it.code, text.get(place).expect("a place in the text").to_owned())
        })
        .collect()
}

const FRONT: &str = "---\npromenade-assignment: 1\nid: a\n---\n";

#[test]
fn mistakes_are_told_at_their_places() {
    let file = "```promela file=\"m.pml\"\ninit { skip }\n```\n";
    let task = |lines: &str| format!("{FRONT}{file}```task\nid: t\n{lines}```\n");
    for (text, code, place) in [
        (String::new(), "no-front-matter", ""),
        ("---\nid: a\n---\n".to_owned(), "no-version", "---"),
        ("---\npromenade-assignment: 2\nid: a\n---\n".to_owned(), "unknown-version", "2"),
        ("---\npromenade-assignment: 1\nid: a b\n---\n".to_owned(), "bad-id", "a b"),
        ("---\npromenade-assignment: 1\nid: a\ntitel: x\n---\n".to_owned(), "unknown-key", "titel"),
        (FRONT.to_owned(), "no-task", ""),
        (
            task("kind: hold\nfile: m.pml\nproperty: x\nproperties: safety\n"),
            "key-and-kind",
            "property",
        ),
        (task("kind: hold\nfile: n.pml\nproperties: safety\n"), "no-file", "n.pml"),
        (task("kind: hold\nfile: m.pml\nproperties: safty\n"), "bad-property", "safty"),
        (
            task("kind: hold\nfile: m.pml\nproperties: safety\nwitnesses: <> (p\n"),
            "bad-formula",
            "",
        ),
        (task("kind: hold\nfile: m.pml\nproperties: safety\npoints: -1\n"), "bad-value", "-1"),
        (
            task("kind: hold\nfile: m.pml\nproperties: safety\nstates: 99999999999\n"),
            "bad-value",
            "99999999999",
        ),
        (task("kind: dance\n"), "bad-value", "dance"),
        (task("file: m.pml\n"), "no-kind", "task"),
        (task("kind: predict\nfile: m.pml\nquestion: states\n"), "file-role", "m.pml"),
        (task("kind: formula\n"), "no-value", "task"),
        (task("kind: hold\nfile:\nproperties: safety\n"), "no-value", "file"),
        (format!("{FRONT}```promela file=\"../x\"\n```\n"), "bad-file-name", "../x"),
        (format!("{FRONT}{file}{file}"), "file-twice", "m.pml"),
        (
            format!("{FRONT}```promela file=\"m.pml\"\n/* END EDIT */\n```\n"),
            "region-markers",
            "/* END EDIT */",
        ),
        (format!("{FRONT}```sealed\n1abc\n```\n"), "sealed-part", "sealed"),
        (format!("{FRONT}```answer task=t\nx\n```\n"), "answer-in-assignment", "answer task=t"),
        (format!("{FRONT}{file}```promela solution=\"x.pml\"\n```\n"), "bad-solution", ""),
        (format!("{FRONT}```task\nid: t\n"), "block-open", "```task\n"),
    ] {
        let found = errors(&text);
        let fits = |(c, p): &&(&str, String)| *c == code && (place.is_empty() || p == place);
        assert!(found.iter().any(|it| fits(&it)), "{code} at `{place}`: {found:?} in\n{text}");
    }
}

#[test]
fn broken_assignments_are_read_to_the_end() {
    let mut random = Random::new(7);
    let pieces = [
        "```",
        "---\n",
        "task\n",
        "id: ",
        "kind: hold\n",
        "\u{feff}",
        "é",
        "sealed\n1",
        "  - ",
        "file=\"",
        "\r\n",
        "|\n",
        "~~~",
    ];
    for round in 0..3_000 {
        let mut bytes: Vec<char> = KINDS.chars().collect();
        for _ in 0..1 + random.below(6) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => {
                    let end = (at + random.below(400)).min(bytes.len());
                    bytes.drain(at..end);
                }
                1 => {
                    let piece = random.pick(&pieces).copied().unwrap_or("");
                    bytes.splice(at..at, piece.chars());
                }
                _ => {
                    let end = (at + random.below(300)).min(bytes.len());
                    let copy: Vec<char> = bytes[at..end].to_vec();
                    let to = random.below(bytes.len());
                    bytes.splice(to..to, copy);
                }
            }
        }
        let text: String = bytes.into_iter().collect();
        let checked = read(&text);
        for diagnostic in &checked.diagnostics {
            let (start, end) = (diagnostic.span.start as usize, diagnostic.span.end as usize);
            assert!(text.get(start..end).is_some(), "round {round}: {diagnostic:?}");
        }
        assert!(checked.diagnostics.len() <= limits::DIAGNOSTICS);
    }
}

#[test]
fn giant_assignments_are_bounded() {
    let long = format!("{FRONT}{}", "x".repeat(limits::ASSIGNMENT_BYTES));
    assert_eq!(errors(&long)[0].0, "assignment-too-long");
    let tasks: String = (0..5_000)
        .map(|n| format!("```task\nid: t{n}\nkind: formula\nreference: [] p\n```\n"))
        .collect();
    let checked = read(&format!("{FRONT}{tasks}"));
    assert!(checked.value.tasks.len() <= limits::TASKS && checked.has_errors());
    let files: String = (0..5_000).map(|n| format!("```promela given=\"f{n}\"\n```\n")).collect();
    assert!(read(&format!("{FRONT}{files}")).value.files.len() <= limits::FILES);
    let items = "  - safety\n".repeat(100_000);
    let text = format!(
        "{FRONT}```promela file=\"m\"\n```\n```task\nid: t\nkind: hold\nfile: m\nproperties:\n{items}```\n"
    );
    assert!(errors(&text).iter().any(|it| it.0 == "too-many-items"));
    let deep =
        format!("{FRONT}```task\nid: t\nkind: formula\nreference: {}\n```\n", "!".repeat(200_000));
    assert!(read(&deep).has_errors());
}

fn files(list: &[(&str, &[u8])]) -> Submission {
    let list: Vec<(String, Vec<u8>)> =
        list.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect();
    Submission::from_files("who", &list, &kinds())
}

#[test]
fn submissions_are_read_in_every_form() {
    let Change(assignment, mut solution) = Change::new();
    solution.assignment = Some("kinds".to_owned());
    solution.fields = vec![
        ("name".to_owned(), "Ada ```".to_owned()),
        ("Student-number".to_owned(), "12".to_owned()),
    ];
    let full = grade(&assignment, solution.clone());
    // A file.
    let text = solution.to_text();
    let read = files(&[("hand-in.md", text.as_bytes())]);
    assert!(read.problems.is_empty(), "{:?}", read.problems);
    assert_eq!(read.fields, solution.fields);
    let graded = grade(&assignment, read);
    assert_eq!((graded.score, &graded.tasks), (full.score, &full.tasks));
    // A link.
    let link = format!("https://example.org/#{}", solution.to_link().expect("small"));
    let read = Submission::from_link("x", &link, &assignment);
    assert!(read.problems.is_empty(), "{:?}", read.problems);
    assert_eq!(grade(&assignment, read).tasks, full.tasks);
    assert_eq!(grade(&assignment, files(&[("x.txt", link.as_bytes())])).tasks, full.tasks);
    // The files themselves, with windows' line ends and marks of the encoding.
    let mut list: Vec<(String, Vec<u8>)> = Vec::new();
    for (name, text) in &solution.files {
        list.push((name.clone(), format!("\u{feff}{}", text.replace('\n', "\r\n")).into_bytes()));
    }
    for (task, text) in &solution.answers {
        list.push((format!("{task}.txt"), text.clone().into_bytes()));
    }
    list.push(("notes.docx".to_owned(), vec![0xff, 0xfe]));
    let read = Submission::from_files("x", &list, &assignment);
    assert_eq!(read.problems, ["`notes.docx` is not text in UTF-8"]);
    assert_eq!(grade(&assignment, read).tasks, full.tasks);
}

#[test]
fn broken_submissions_are_told_and_graded_as_far_as_they_go() {
    let problem = |list: &[(&str, &[u8])], part: &str| {
        let submission = files(list);
        let all = submission.problems.join("; ");
        assert!(all.contains(part), "`{part}` is not in `{all}`");
        let graded = grade(&kinds(), submission);
        assert!(
            graded.score == 0.0 && graded.tasks.iter().all(|it| it.status != TaskStatus::Passed)
        );
    };
    problem(&[], "empty");
    problem(&[("lock.pml", b"\xff\xfe\x00")], "not text in UTF-8");
    problem(&[("lock.pml", &vec![b'x'; 2 << 20])], "too large");
    problem(&[("lock.pml", b"a"), ("lock.pml", b"b")], "two files");
    problem(&[("other.pml", b"init { skip }")], "no file of this assignment");
    problem(&[("x.txt", b"https://example.org/#1AAAA")], "link");
    problem(
        &[("x.md", b"---\npromenade-submission: 1\n---\n```promela file=\"evil.pml\"\nx\n```\n")],
        "`evil.pml`",
    );
    problem(
        &[("x.md", b"---\npromenade-submission: 1\n---\n```answer task=nothing\nx\n```\n")],
        "no task `nothing`",
    );
    problem(
        &[("x.md", b"---\npromenade-submission: 1\n---\n```answer task=formula\ntrue\n")],
        "no end",
    );
    problem(&[("x.md", b"---\npromenade-submission: 9\n---\n")], "another version");
    let many: Vec<(String, Vec<u8>)> = (0..500).map(|n| (format!("{n}.txt"), Vec::new())).collect();
    let submission = Submission::from_files("x", &many, &kinds());
    assert!(submission.problems[0].contains("more than"));
    let other = files(&[("x.md", b"---\npromenade-submission: 1\nassignment: else\n---\n")]);
    let graded = grade(&kinds(), other);
    assert!(graded.problems.iter().any(|it| it.contains("another assignment, `else`")));
}

#[test]
fn links_within_links_are_not_followed() {
    let mut address = String::from("#1");
    for _ in 0..3 {
        let mut link = Link::default();
        for name in ["x.txt", ANSWERS] {
            let text = address.clone();
            link.experiment.files.push(promenade_protocol::File { name: name.to_owned(), text });
        }
        address = format!("https://example.org/#{}", link::encode(&link).expect("small"));
    }
    let submission = Submission::from_link("x", &address, &kinds());
    assert!(submission.files.is_empty() && submission.answers.is_empty());
}

#[test]
fn names_do_not_reach_into_reports() {
    let text = "---\npromenade-submission: 1\nname: A\u{202e}da\u{7}<b>\nsecret: x\n---\n";
    let submission = files(&[("x.md", text.as_bytes())]);
    assert_eq!(submission.fields, [("name".to_owned(), "Ada <b>".to_owned())]);
    let long = format!("---\npromenade-submission: 1\nname: {}\n---\n", "x".repeat(100_000));
    assert_eq!(files(&[("x.md", long.as_bytes())]).fields[0].1.len(), limits::FIELD_CHARACTERS);
}
