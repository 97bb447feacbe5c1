//! The conformance table: printed at the end of the test run and written to `tests/out/`.

use crate::row::Outcome;
use std::fmt::Write;
use std::path::Path;

/// How a row came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// As SPIN.
    Equal,
    /// Not as SPIN, on purpose, for the reason listed.
    Exception(&'static str),
    /// A defect of ours (or a listed exception that is none any more).
    Different(String),
    /// Not compared, and why.
    LeftOut(String),
}

/// One line.
#[derive(Clone, Debug)]
pub struct Line {
    /// Model, with flags that matter.
    pub name: String,
    /// What Promenade says.
    pub ours: Option<Outcome>,
    /// What SPIN says.
    pub theirs: Option<Outcome>,
    /// The comparison.
    pub agreement: Agreement,
}

/// All lines as text: differences first, then exceptions, then equal rows in short, then what was
/// left out.
pub fn render(lines: &[Line]) -> String {
    let mut text = String::from("Conformance with SPIN 6.5.2\n");
    let count = |wanted: fn(&Agreement) -> bool| {
        lines.iter().filter(|line| wanted(&line.agreement)).count()
    };
    let _ = writeln!(
        text,
        "{} equal, {} listed exceptions, {} different, {} left out\n",
        count(|a| *a == Agreement::Equal),
        count(|a| matches!(a, Agreement::Exception(_))),
        count(|a| matches!(a, Agreement::Different(_))),
        count(|a| matches!(a, Agreement::LeftOut(_))),
    );
    let _ = writeln!(text, "{:<58} {:<28} {:<28} agreement", "model", "ours", "SPIN's");
    let show = |outcome: &Option<Outcome>| {
        outcome.as_ref().map_or_else(|| "-".to_owned(), Outcome::to_string)
    };
    let order = |line: &&Line| match line.agreement {
        Agreement::Different(_) => 0,
        Agreement::Exception(_) => 1,
        Agreement::Equal => 2,
        Agreement::LeftOut(_) => 3,
    };
    let mut sorted: Vec<&Line> = lines.iter().collect();
    sorted.sort_by_key(order);
    for line in sorted {
        let agreement = match &line.agreement {
            Agreement::Equal => "equal".to_owned(),
            Agreement::Exception(why) => format!("listed exception: {why}"),
            Agreement::Different(why) => format!("DIFFERENT: {why}"),
            Agreement::LeftOut(why) => format!("left out: {why}"),
        };
        let _ = writeln!(
            text,
            "{:<58} {:<28} {:<28} {agreement}",
            line.name,
            show(&line.ours),
            show(&line.theirs)
        );
    }
    text
}

/// Writes the table where the test command looks for it.
pub fn write(text: &str) -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("out");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("conformance.txt"), text)
}
