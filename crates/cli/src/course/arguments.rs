//! The arguments of `grade` and `assignment`.

use crate::arguments::commands::PAGE;
use crate::arguments::{files, has, value};
use clap::ArgMatches;
use promenade_assignment::Edition;
use std::num::NonZeroUsize;

/// What to do.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Request {
    /// Grade submissions that come through the standard input; started by `grade` itself.
    Worker,
    Grade(GradeRequest),
    Author(AuthorRequest),
}

/// Where something is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum To {
    /// The standard output.
    Output,
    File(String),
}

/// `promenade grade`
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct GradeRequest {
    pub assignment: String,
    pub submissions: Vec<String>,
    pub jobs: usize,
    /// An HTML file, or a folder for one file per submission.
    pub report: Option<String>,
    pub csv: Option<To>,
    pub json: Option<To>,
    pub junit: Option<To>,
    pub gradescope: Option<To>,
    /// Address of the page, in front of the `#` of links.
    pub page: String,
    /// Hidden checks are shown with everything that is known of them.
    pub everything: bool,
    /// Pairs that share at least this percentage are listed.
    pub similarity: u32,
}

/// What an author wants of an assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    Check,
    Seal(Edition),
    Mutants,
    Html,
}

/// `promenade assignment`
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct AuthorRequest {
    pub wanted: Wanted,
    pub file: String,
    pub jobs: usize,
    /// Most mutants.
    pub most: usize,
    /// Where the result is written.
    pub out: To,
}

/// Most submissions graded at once.
const MOST_JOBS: usize = 64;

/// Reads the options of `grade` or `assignment`; an error is a sentence for the user.
pub(crate) fn request(command: &str, matches: &ArgMatches) -> Result<Request, String> {
    match command {
        "grade" => grade(matches),
        _ => author(matches),
    }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get).min(MOST_JOBS)
}

fn number(matches: &ArgMatches, name: &str, usual: usize, most: usize) -> Result<usize, String> {
    let Some(text) = value(matches, name) else { return Ok(usual) };
    let number = text.parse().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| format!("`--{name}` needs a number from 1 to {most}, not `{text}`"))
}

fn to(text: String) -> To {
    if text.is_empty() { To::Output } else { To::File(text) }
}

fn grade(matches: &ArgMatches) -> Result<Request, String> {
    if has(matches, "worker") {
        return Ok(Request::Worker);
    }
    let output = |name| value(matches, name).map(to);
    let mut files = files(matches).into_iter();
    let request = GradeRequest {
        assignment: files.next().ok_or("there is no assignment")?,
        submissions: files.collect(),
        jobs: number(matches, "jobs", processors(), MOST_JOBS)?,
        report: value(matches, "report"),
        csv: output("csv"),
        json: output("json"),
        junit: output("junit"),
        gradescope: output("gradescope"),
        page: page(&value(matches, "page").unwrap_or_else(|| PAGE.to_owned()))?,
        everything: has(matches, "everything"),
        similarity: number(matches, "similarity", 80, 100)? as u32,
    };
    let outputs = [&request.csv, &request.json, &request.junit, &request.gradescope];
    if outputs.iter().filter(|to| ***to == Some(To::Output)).count() > 1 {
        return Err("one form only can go to the standard output: `--csv=FILE`".to_owned());
    }
    if request.submissions.is_empty() {
        return Err("there are no submissions".to_owned());
    }
    if request.gradescope.is_some() && request.submissions.len() > 1 {
        return Err("`--gradescope` is for one submission".to_owned());
    }
    Ok(Request::Grade(request))
}

fn author(matches: &ArgMatches) -> Result<Request, String> {
    const KNOWN: &str = "check, seal, mutants or html";
    let Some((word, matches)) = matches.subcommand() else {
        return Err(format!("`assignment` needs a word: {KNOWN}"));
    };
    let wanted = match word {
        "check" => Wanted::Check,
        "seal" if has(matches, "private") => Wanted::Seal(Edition::Private),
        "seal" => Wanted::Seal(Edition::Sealed),
        "mutants" => Wanted::Mutants,
        _ => Wanted::Html,
    };
    let jobs = number(matches, "jobs", processors(), MOST_JOBS)?;
    let most = number(matches, "most", 200, 10_000)?;
    let out = value(matches, "out").map_or(To::Output, To::File);
    match files(matches).as_slice() {
        [file] => {
            let file = file.clone();
            Ok(Request::Author(AuthorRequest { wanted, file, jobs, most, out }))
        }
        [] => Err("there is no assignment".to_owned()),
        [first, ..] => Err(format!("one assignment at a time: `{first}` is not the only one")),
    }
}

/// An address that may stand in a page.
fn page(text: &str) -> Result<String, String> {
    let fits = ["http://", "https://", "file://"].iter().any(|start| text.starts_with(start));
    if !fits || text.contains(['#', '"', '<', '>', ' ']) {
        return Err(format!("`{text}` is not the address of a page: `https://example.org/`"));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Result<Request, String> {
        match crate::arguments::parse(line.split_whitespace().map(std::ffi::OsString::from))? {
            crate::arguments::Command::Course(request) => Ok(request),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn grading() {
        let Ok(Request::Grade(it)) =
            words("grade a.md x y.zip --jobs 2 --csv=o.csv --json --everything")
        else {
            panic!("a request to grade")
        };
        assert_eq!((it.assignment.as_str(), it.jobs, it.everything), ("a.md", 2, true));
        assert_eq!(it.submissions, ["x", "y.zip"]);
        assert_eq!((it.csv, it.json), (Some(To::File("o.csv".to_owned())), Some(To::Output)));
        for wrong in [
            "grade",
            "grade a",
            "grade a b --jobs 0",
            "grade a b --csv --json",
            "grade a b --colour",
            "grade a b c --gradescope",
            "grade a b --page javascript:x",
            "grade a b -x",
        ] {
            assert!(words(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn authors() {
        let Ok(Request::Author(it)) = words("assignment seal a.md --private --out=b.md") else {
            panic!("an author's request")
        };
        assert_eq!(it.wanted, Wanted::Seal(Edition::Private));
        assert_eq!(it.out, To::File("b.md".to_owned()));
        for wrong in [
            "assignment",
            "assignment check",
            "assignment look a",
            "assignment check a b",
            "assignment check a --private",
        ] {
            assert!(words(wrong).is_err(), "{wrong}");
        }
    }
}
