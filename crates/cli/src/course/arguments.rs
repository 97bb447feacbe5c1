//! The arguments of `grade` and `assignment`.

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

/// Where links lead unless something else is said: what `cargo xtask serve` serves.
const PAGE: &str = "http://127.0.0.1:8080/";
/// Most submissions graded at once.
const MOST_JOBS: usize = 64;

struct Reader<'a> {
    rest: std::slice::Iter<'a, String>,
    files: Vec<String>,
}

/// Reads what stands behind `grade` or `assignment`; an error is a sentence for the user.
pub(crate) fn read(command: &str, rest: &[String]) -> Result<Request, String> {
    let mut reader = Reader { rest: rest.iter(), files: Vec::new() };
    match command {
        "grade" => reader.grade(),
        _ => reader.author(),
    }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get).min(MOST_JOBS)
}

impl Reader<'_> {
    /// The next option with the value behind `=`; other words are files.
    fn option(&mut self) -> Result<Option<(String, Option<String>)>, String> {
        while let Some(word) = self.rest.next() {
            if word == "--" {
                self.files.extend(self.rest.by_ref().cloned());
                return Ok(None);
            }
            if word.starts_with("--") {
                return Ok(Some(match word.split_once('=') {
                    Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                    None => (word.clone(), None),
                }));
            }
            if word.starts_with('-') && word != "-" {
                return Err(format!("there is no option `{word}`"));
            }
            self.files.push(word.clone());
        }
        Ok(None)
    }

    fn value(&mut self, name: &str, given: Option<String>) -> Result<String, String> {
        given.or_else(|| self.rest.next().cloned()).ok_or_else(|| format!("`{name}` needs a value"))
    }

    fn number(&mut self, name: &str, given: Option<String>, most: usize) -> Result<usize, String> {
        let text = self.value(name, given)?;
        let number = text.parse().ok().filter(|number| (1..=most).contains(number));
        number.ok_or_else(|| format!("`{name}` needs a number from 1 to {most}, not `{text}`"))
    }

    fn grade(&mut self) -> Result<Request, String> {
        let mut request = GradeRequest {
            assignment: String::new(),
            submissions: Vec::new(),
            jobs: processors(),
            report: None,
            csv: None,
            json: None,
            junit: None,
            gradescope: None,
            page: PAGE.to_owned(),
            everything: false,
            similarity: 80,
        };
        let mut worker = false;
        while let Some((name, value)) = self.option()? {
            let to = |value: Option<String>| Some(value.map_or(To::Output, To::File));
            match name.as_str() {
                "--worker" => worker = true,
                "--jobs" => request.jobs = self.number(&name, value, MOST_JOBS)?,
                "--report" => request.report = Some(self.value(&name, value)?),
                "--csv" => request.csv = to(value),
                "--json" => request.json = to(value),
                "--junit" => request.junit = to(value),
                "--gradescope" => request.gradescope = to(value),
                "--page" => request.page = page(&self.value(&name, value)?)?,
                "--everything" if value.is_none() => request.everything = true,
                "--similarity" => {
                    request.similarity = self.number(&name, value, 100)? as u32;
                }
                _ => return Err(format!("there is no option `{name}`")),
            }
        }
        if worker {
            return Ok(Request::Worker);
        }
        let outputs = [&request.csv, &request.json, &request.junit, &request.gradescope];
        if outputs.iter().filter(|to| ***to == Some(To::Output)).count() > 1 {
            return Err("one form only can go to the standard output: `--csv=FILE`".to_owned());
        }
        let mut files = std::mem::take(&mut self.files).into_iter();
        request.assignment = files.next().ok_or("there is no assignment")?;
        request.submissions = files.collect();
        if request.submissions.is_empty() {
            return Err("there are no submissions".to_owned());
        }
        if request.gradescope.is_some() && request.submissions.len() > 1 {
            return Err("`--gradescope` is for one submission".to_owned());
        }
        Ok(Request::Grade(request))
    }

    fn author(&mut self) -> Result<Request, String> {
        const KNOWN: &str = "check, seal, mutants or html";
        let word = self.rest.next().ok_or(format!("`assignment` needs a word: {KNOWN}"))?;
        let mut wanted = match word.as_str() {
            "check" => Wanted::Check,
            "seal" => Wanted::Seal(Edition::Sealed),
            "mutants" => Wanted::Mutants,
            "html" => Wanted::Html,
            other => return Err(format!("`assignment {other}` is unknown: {KNOWN}")),
        };
        let (mut jobs, mut most, mut out) = (processors(), 200, To::Output);
        while let Some((name, value)) = self.option()? {
            match (name.as_str(), wanted) {
                ("--private", Wanted::Seal(_)) if value.is_none() => {
                    wanted = Wanted::Seal(Edition::Private);
                }
                ("--out", Wanted::Seal(_) | Wanted::Html) => {
                    out = To::File(self.value(&name, value)?);
                }
                ("--jobs", Wanted::Mutants) => jobs = self.number(&name, value, MOST_JOBS)?,
                ("--most", Wanted::Mutants) => most = self.number(&name, value, 10_000)?,
                _ => return Err(format!("there is no option `{name}` here")),
            }
        }
        match self.files.as_slice() {
            [file] => {
                let file = file.clone();
                Ok(Request::Author(AuthorRequest { wanted, file, jobs, most, out }))
            }
            [] => Err("there is no assignment".to_owned()),
            [first, ..] => Err(format!("one assignment at a time: `{first}` is not the only one")),
        }
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
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        read(&words[0], &words[1..])
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
