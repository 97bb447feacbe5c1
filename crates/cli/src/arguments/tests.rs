//! Command lines, and what is read from them.

use super::*;
use promenade_protocol::Search;

fn read(line: &str) -> Result<Command, String> {
    parse(line.split_whitespace().map(OsString::from))
}

fn check(line: &str) -> Request {
    match read(line) {
        Ok(Command::Check(request)) => request,
        other => panic!("{other:?}"),
    }
}

#[test]
fn options_are_read() {
    let request = check(
        "check --search bfs a.pml --all-errors --memory=64 -DN=3 -D M --define K=a=b --time 5 \
         --no-assertions --empty-channels --json --spin-counting",
    );
    assert_eq!(request.file, "a.pml");
    let settings = &request.settings;
    assert_eq!(settings.search, Search::BreadthFirst);
    assert_eq!((settings.memory_mib, settings.time_limit_seconds), (64, Some(5)));
    assert_eq!((settings.all_errors, settings.stop_at), (true, None));
    assert_eq!(check("check --stop-at 4 a.pml").settings.stop_at, Some(4));
    assert!(!settings.assertions && settings.empty_channels_at_end && settings.end_states);
    assert!(request.json && request.spin_counting);
    let defines: Vec<(&str, Option<&str>)> =
        settings.defines.iter().map(|d| (d.name.as_str(), d.value.as_deref())).collect();
    assert_eq!(defines, [("N", Some("3")), ("M", None), ("K", Some("a=b"))]);
}

#[test]
fn claims_may_have_names() {
    let claim = |line: &str| match check(line).property {
        Property::Claim { name } => name,
        other => panic!("{line}: {other:?}"),
    };
    assert_eq!(claim("check --claim a.pml"), None);
    assert_eq!(claim("check a.pml --claim"), None);
    assert_eq!(claim("check a.pml --claim wait"), Some("wait".to_owned()));
    assert_eq!(claim("check --claim=wait a.pml"), Some("wait".to_owned()));
}

#[test]
fn formulas_are_read() {
    let read = |arguments: &[&str]| parse(arguments.iter().map(OsString::from));
    let Ok(Command::Ltl(request)) = read(&["ltl", "[] (p -> <> q)", "--ba", "--format=hoa"]) else {
        panic!("no formula");
    };
    assert_eq!(request.formula, "[] (p -> <> q)");
    assert!(request.buchi && request.format == Format::Hoa && !request.negated);
    for wrong in [
        &["ltl"][..],
        &["ltl", "p", "q"],
        &["ltl", "p", "--format", "x"],
        &["ltl", "--all", "p"],
        &["ltl", "--never"],
        &["ltl", "--never", "a.never", "p"],
    ] {
        assert!(read(wrong).is_err(), "{wrong:?}");
    }
}

#[test]
fn mistakes_are_explained() {
    for line in [
        "check a --keep 0",
        "check a --memory 0",
        "check a -- b",
        "check a --ltl p --progress",
        "check a --claim --claim=x",
        "check a --search bfs --search dfs",
        "check a --all-errors --stop-at 2",
        "check a --stop-at 2 --spin-counting",
        "check a --memory 1 --memory=2",
        "",
        "chek a.pml",
        "a.pml",
        "check",
        "check a b",
        "check a --memory",
        "check a --memory x",
        "check a --seed x",
        "check a --store lossy",
        "check a --hashes 0",
        "check a --cell-bits 65",
        "check a --reduction all",
        "check a --proviso never",
        "check a --probing once",
        "simulate a --json",
        "check a -x",
        "check a --json=1",
        "check a --search random",
        "trace x --define N",
        "check a -D =3",
        "help me",
    ] {
        assert!(read(line).is_err(), "{line}");
    }
    assert_eq!(read("check --help"), Ok(Command::Help(Topic::Check)));
    assert_eq!(check("check -- --help").file, "--help");
    assert_eq!(check("check --json -- -x.pml").file, "-x.pml");
    assert!(
        check("check a --search bfs --search bfs --progress --progress").settings.search
            == Search::BreadthFirst
    );
    let both = read("check a.pml --ltl p --fairness weak --progress");
    let told = "`--ltl p` and `--progress` both choose the property: give one of them";
    assert_eq!(both, Err(told.to_owned()));
    let large = read("check a.pml --memory 99999999999");
    assert_eq!(large, Err("`--memory` cannot be as large as 99999999999".to_owned()));
    let large = read("check a.pml --memory 999999999");
    let told = "`--memory` needs a number from 1 to 16777216, not 999999999";
    assert_eq!(large, Err(told.to_owned()));
    assert_eq!(read("--version"), Ok(Command::Version));
}

#[test]
fn a_name_is_not_a_file() {
    // `src` stands in the folder that the tests run in.
    assert!(std::path::Path::new("src").exists());
    let ltl = |line: &str| match check(line) {
        Request { property: Property::Ltl { name }, file, .. }
        | Request { property: Property::Claim { name }, file, .. }
        | Request { property: Property::Acceptance { claim: name }, file, .. } => (file, name),
        other => panic!("{line}: {other:?}"),
    };
    let named = || Some("src".to_owned());
    for option in ["--ltl", "--claim", "--acceptance"] {
        assert_eq!(ltl(&format!("check a.pml {option} src")), ("a.pml".to_owned(), named()));
        assert_eq!(ltl(&format!("check {option} src a.pml")), ("a.pml".to_owned(), named()));
        assert_eq!(ltl(&format!("check {option}=src a.pml")), ("a.pml".to_owned(), named()));
        assert_eq!(ltl(&format!("check {option} src --json -- a.pml")).1, named());
        // The only word is the file's name.
        assert_eq!(ltl(&format!("check {option} src")), ("src".to_owned(), None));
        assert_eq!(ltl(&format!("check {option} a.pml")), ("a.pml".to_owned(), None));
        assert!(read(&format!("check {option} unknown")).is_err());
        assert!(read(&format!("check {option} src a.pml b.pml")).is_err());
    }
}

#[test]
fn values_are_taken_as_they_are() {
    let formula = |arguments: &[&str]| match parse(arguments.iter().map(OsString::from)) {
        Ok(Command::Check(Request { property: Property::Formula { text }, file, .. })) => {
            (file, text)
        }
        other => panic!("{arguments:?}: {other:?}"),
    };
    for text in ["-x == 1", "--x", "[] (x == 1)", "src", "x=1", ""] {
        let expected = ("a.pml".to_owned(), text.to_owned());
        assert_eq!(formula(&["check", "--formula", text, "a.pml"]), expected);
        assert_eq!(formula(&["check", "a.pml", &format!("--formula={text}")]), expected);
    }
    for wrong in ["--keep -1", "--depth -1", "--search --json", "--memory =5", "--time"] {
        assert!(read(&format!("check a.pml {wrong}")).is_err(), "{wrong}");
    }
    assert_eq!(check("check a.pml -DN=-1").settings.defines[0].value.as_deref(), Some("-1"));
    assert!(read("check a.pml -D --json").is_err());
    // Without further errors there are none to keep.
    assert!(read("check a.pml --keep 5").is_err());
    assert_eq!(check("check a.pml --keep 5 --all-errors").settings.keep_violations, 5);
}
