//! `promenade grade` and `promenade assignment` as a teacher runs them: whole classes, in every form
//! that they are handed in, some of them hostile.

use promenade_assignment::{Assignment, read, sample};
use std::path::{Path, PathBuf};
use std::process::Command;

const ASSIGNMENT: &str = include_str!("../../../tests/suite/assignments/mutual-exclusion.md");

/// A folder of its own for each test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("promenade-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("a.md"), ASSIGNMENT).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    fn run(&self, line: &str) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_promenade"));
        let output = command.args(line.split(' ')).current_dir(&self.0).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn assignment() -> Assignment {
    read(ASSIGNMENT).value
}

/// The sample solution: the model, then the answers.
fn solution() -> Vec<(String, String)> {
    let it = sample(&assignment());
    let answers = it.answers.into_iter().map(|(task, text)| (format!("{task}.txt"), text));
    it.files.into_iter().chain(answers).collect()
}

fn model() -> String {
    solution().remove(0).1
}

/// A zip file, stored or deflated: name, Unix mode, bytes.
fn zip(entries: &[(&str, u32, Vec<u8>)]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, mode, bytes) in entries {
        let packed = miniz_oxide::deflate::compress_to_vec(bytes, 6);
        let offset = out.len() as u32;
        let mut common = Vec::new();
        common.extend([20u16, 0, 8, 0, 0].iter().flat_map(|it| it.to_le_bytes()));
        let numbers = [rawzip::crc32(bytes), packed.len() as u32, bytes.len() as u32];
        common.extend(numbers.iter().flat_map(|it| it.to_le_bytes()));
        common.extend([name.len() as u16, 0].iter().flat_map(|it| it.to_le_bytes()));
        out.extend(0x0403_4b50u32.to_le_bytes());
        out.extend(&common);
        out.extend(name.as_bytes());
        out.extend(packed);
        directory.extend(0x0201_4b50u32.to_le_bytes());
        directory.extend((3u16 << 8 | 20).to_le_bytes());
        directory.extend(&common);
        directory.extend([0u16, 0, 0].iter().flat_map(|it| it.to_le_bytes()));
        directory.extend([mode << 16, offset].iter().flat_map(|it| it.to_le_bytes()));
        directory.extend(name.as_bytes());
    }
    let start = out.len() as u32;
    out.extend(&directory);
    out.extend(0x0605_4b50u32.to_le_bytes());
    let count = entries.len() as u16;
    out.extend([0, 0, count, count].iter().flat_map(|it: &u16| it.to_le_bytes()));
    out.extend([directory.len() as u32, start].iter().flat_map(|it| it.to_le_bytes()));
    out.extend(0u16.to_le_bytes());
    out
}

const FILE: u32 = 0o100_644;
const LINK: u32 = 0o120_777;

/// Marks by submission.
fn marks(csv: &str) -> Vec<(String, String)> {
    let mut lines = csv.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let score = head.iter().position(|it| *it == "score").unwrap();
    lines
        .map(|line| line.split(',').collect::<Vec<_>>())
        .map(|cells| (cells[0].to_owned(), cells[score].to_owned()))
        .collect()
}

fn class(folder: &Folder) {
    for (name, text) in solution() {
        folder.write(&format!("class/ada/{name}"), &text);
        folder.write(&format!("class/bob/{name}"), text.replace("wants[me] = true;", ""));
    }
    folder.write("class/cheat.pml", model().replace("assert(inside == 1);", "skip;"));
    let renamed = model().replace("me = ", "me =  ").replace("/* free", "/*  free");
    folder.write("class/eve/mutex.pml", renamed);
    folder.write("class/broken/mutex.pml", [0xff, 0xfe, 0x00]);
    folder.write("class/marks.xlsx", "not a submission");
    folder.write("class/.git/config", "nor this");
}

#[test]
fn a_class_is_graded() {
    let folder = Folder::new("class");
    class(&folder);
    let (code, out, errors) = folder.run(
        "grade a.md class --jobs 2 --csv --json=o.json --junit=o.xml --report r.html --page https://example.org/p/",
    );
    assert_eq!(code, 3, "one cannot be read: {out}{errors}");
    let marks = marks(&out);
    let names: Vec<&str> = marks.iter().map(|it| it.0.as_str()).collect();
    assert_eq!(names, ["ada", "bob", "broken", "cheat.pml", "eve"]);
    assert_eq!(marks[0].1, "10");
    assert_eq!((marks[2].1.as_str(), marks[3].1.as_str()), ("0", "0"));
    assert!(out.contains("rejected"), "{out}");
    let json: serde_json::Value = serde_json::from_str(&folder.read("o.json")).unwrap();
    assert_eq!(json["grades"].as_array().unwrap().len(), 5);
    let junit = folder.read("o.xml");
    assert_eq!(junit.matches("<testsuite ").count(), 5);
    assert!(junit.contains("<failure message=\"failed\">"));
    let report = folder.read("r.html");
    assert!(report.contains("href=\"https://example.org/p/#1"), "a counterexample to open");
    assert!(!report.contains("<script") && report.contains("default-src 'none'"));
    // Hidden checks are not told, unless the teacher asks.
    assert!(!report.contains("[] (inside &lt;= 1)"));
    folder.run("grade a.md class --report all.html --everything");
    assert!(folder.read("all.html").contains("[] (inside &lt;= 1)"));
    // The same result, however many are graded at once.
    let again = folder.run("grade a.md class --jobs 7 --csv").1;
    assert_eq!(again, out);
    let (_, text, _) = folder.run("grade a.md class --report folder");
    assert!(text.contains("5 submissions, 1 with full points"), "{text}");
    assert!(folder.read("folder/index.html").contains("0001-ada.html"));
    assert!(folder.read("folder/0001-ada.html").contains("10 of 10"));
}

#[test]
fn exit_codes_and_single_submissions() {
    let folder = Folder::new("single");
    for (name, text) in solution() {
        folder.write(&format!("right/{name}"), &text);
        folder.write(&format!("wrong/{name}"), text.replace("turn = other;", ""));
    }
    assert_eq!(folder.run("grade a.md right").0, 0);
    let (code, out, _) = folder.run("grade a.md wrong --gradescope");
    assert_eq!(code, 1);
    let results: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(results["tests"].as_array().unwrap().len(), 4);
    assert!(results["score"].as_f64().unwrap() < 10.0);
    assert_eq!(folder.run("grade nothing.md right").0, 3);
    assert_eq!(folder.run("grade a.md nothing").0, 3);
    assert_eq!(folder.run("grade a.md").0, 4);
    assert_eq!(folder.run("grade a.md right --report /nowhere/at/all.html").0, 6);
    assert_eq!(folder.run("grade --help").0, 0);
    // A link in the command line, and one in a file.
    let mut submission = sample(&assignment());
    submission.assignment = Some("mutual-exclusion".to_owned());
    let link = format!("https://example.org/#{}", submission.to_link().unwrap());
    assert_eq!(folder.run(&format!("grade a.md {link}")).0, 0);
    folder.write("ada.txt", &link);
    assert_eq!(folder.run("grade a.md ada.txt").0, 0);
    folder.write("ada.md", submission.to_text());
    assert_eq!(folder.run("grade a.md ada.md").0, 0);
}

#[test]
fn exports_of_learning_platforms() {
    let folder = Folder::new("moodle");
    let own = |student: &str| -> Vec<(String, u32, Vec<u8>)> {
        let file =
            |(name, text): (String, String)| (format!("{student}{name}"), FILE, text.into_bytes());
        solution().into_iter().map(file).collect()
    };
    let mut all = own("Ada L_12_assignsubmission_file_/");
    all.extend(own("Bob_13_assignsubmission_file_"));
    let inner: Vec<_> = own("work/");
    let inner: Vec<(&str, u32, Vec<u8>)> =
        inner.iter().map(|(name, mode, bytes)| (name.as_str(), *mode, bytes.clone())).collect();
    all.push(("Cy_14/work.zip".to_owned(), FILE, zip(&inner)));
    all.push(("__MACOSX/x.pml".to_owned(), FILE, b"x".to_vec()));
    let all: Vec<(&str, u32, Vec<u8>)> =
        all.iter().map(|(name, mode, bytes)| (name.as_str(), *mode, bytes.clone())).collect();
    folder.write("all.zip", zip(&all));
    let (code, out, errors) = folder.run("grade a.md all.zip --csv");
    assert_eq!(code, 0, "{out}{errors}");
    let expected = ["Ada L_12", "Bob_13", "Cy_14"].map(|name| (name.to_owned(), "10".to_owned()));
    assert_eq!(marks(&out), expected);
}

#[test]
fn hostile_zip_files_harm_nobody() {
    let folder = Folder::new("hostile");
    let good = model().into_bytes();
    let bomb = vec![0u8; 200 << 20];
    let inner = zip(&[("mutex.pml", FILE, good.clone())]);
    let nested = zip(&[("inner.zip", FILE, inner)]);
    let entries = [
        ("ada/mutex.pml", FILE, good.clone()),
        ("bomb/mutex.pml", FILE, bomb.clone()),
        ("bomb/other.pml", FILE, bomb),
        ("../../evil.pml", FILE, good.clone()),
        ("/etc/evil.pml", FILE, good.clone()),
        ("link/mutex.pml", LINK, b"/etc/passwd".to_vec()),
        ("nested/a.zip", FILE, nested),
        ("zoe/mutex.pml", FILE, good),
    ];
    folder.write("all.zip", zip(&entries));
    let (code, out, errors) = folder.run("grade a.md all.zip --csv");
    assert_eq!(code, 3, "{out}{errors}");
    let marks = marks(&out);
    let mark = |name: &str| marks.iter().find(|it| it.0 == name).map(|it| it.1.as_str());
    assert_eq!((mark("ada"), mark("zoe")), (Some("8"), Some("8")), "{out}");
    for name in ["bomb", "link", "nested"] {
        assert_eq!(mark(name), Some("0"), "{name}: {out}");
    }
    for part in ["unpacks to more", "symbolic links", "within a zip file", "leads out"] {
        assert!(out.contains(part), "`{part}` is not in {out}");
    }
    assert!(!out.contains("root:"));
    assert!(!Path::new("/etc/evil.pml").exists() && !folder.0.join("../../evil.pml").exists());
    for bytes in [b"PK\x03\x04 and nothing".to_vec(), zip(&[]), zip(&entries)[..300].to_vec()] {
        folder.write("bad.zip", &bytes);
        folder.write("ada/mutex.pml", model());
        let (code, out, _) = folder.run("grade a.md bad.zip ada --csv");
        assert_eq!(code, 3, "{out}");
        assert!(out.contains("ada,"), "{out}");
    }
}

#[cfg(unix)]
#[test]
fn folders_with_symbolic_links() {
    let folder = Folder::new("symbolic");
    folder.write("class/ada/mutex.pml", model());
    std::fs::create_dir_all(folder.0.join("class/eve")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", folder.0.join("class/eve/mutex.pml")).unwrap();
    std::os::unix::fs::symlink("..", folder.0.join("class/loop")).unwrap();
    let (code, out, _) = folder.run("grade a.md class --json");
    assert_eq!(code, 3);
    assert!(out.contains("symbolic links are not followed") && !out.contains("root:"), "{out}");
}

#[test]
fn markup_and_formulas_of_spreadsheets_do_no_harm() {
    let folder = Folder::new("markup");
    let text = "---\npromenade-submission: 1\nname: <img src=x onerror=alert(1)>\nid: =HYPERLINK(\"x\")\n---\n\
        ```answer task=flags\n<script>alert(1)</script>\n```\n";
    folder.write("<b>x.md", text);
    let (_, csv, _) = folder.run("grade a.md <b>x.md --csv --report r.html --junit=r.xml");
    assert!(csv.contains("'=HYPERLINK"), "{csv}");
    for name in ["r.html", "r.xml"] {
        let report = folder.read(name);
        for tag in ["<img", "<script", "<b>"] {
            assert!(!report.contains(tag), "{name}: {tag}");
        }
    }
}

#[test]
fn what_authors_do() {
    let folder = Folder::new("author");
    let (code, out, errors) = folder.run("assignment check a.md");
    assert_eq!(code, 0, "{out}{errors}");
    assert!(out.contains("exclusion: the sample solution passes"), "{out}");
    let (code, _, errors) = folder.run("assignment seal a.md --out s.md");
    assert_eq!(code, 0, "{errors}");
    let sealed = folder.read("s.md");
    assert!(sealed.contains("```sealed") && !sealed.contains("hidden-properties"));
    assert_eq!(folder.run("assignment seal a.md --private --out=p.md").0, 0);
    assert!(!folder.read("p.md").contains("```sealed"));
    assert_eq!(folder.run("assignment seal s.md").0, 3);
    assert_eq!(folder.run("assignment check s.md").0, 1);
    let (_, out, _) = folder.run("assignment mutants a.md --jobs 2");
    assert!(out.contains("Checks:") && out.contains("exclusion: safety"), "{out}");
    assert!(out.contains("dropped statement, `wants[me] = true` became `skip`: 1"), "{out}");
    let (code, html, _) = folder.run("assignment html a.md");
    assert!(code == 0 && html.contains("<h1>Mutual exclusion</h1>") && !html.contains("hidden-"));
    folder.write("bad.md", ASSIGNMENT.replace("kind: hold", "kind: holt"));
    let (code, _, errors) = folder.run("assignment check bad.md");
    assert_eq!(code, 3);
    assert!(errors.contains("bad.md:47:7: error: `holt`"), "{errors}");
    folder.write(
        "weak.md",
        ASSIGNMENT
            .replace("witnesses:\n  - <> Process[0]@critical\n  - <> Process[1]@critical\n", "")
            .replace(
                "hidden-witnesses:\n  - <> (Process[0]@critical && <> Process[1]@critical)\n",
                "",
            ),
    );
    let (code, out, _) = folder.run("assignment check weak.md");
    assert_eq!(code, 2, "{out}");
    assert!(out.contains("warning: a trivial answer passes"), "{out}");
}

#[test]
fn a_worker_takes_nothing_else() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_promenade"));
    command.args(["grade", "--worker"]).stdin(std::process::Stdio::null());
    assert_eq!(command.status().unwrap().code(), Some(3));
}
