//! Regions of a starter file that a student may change, and the comparison of all else.
//!
//! A region stands between two lines that hold nothing but a comment: `/* BEGIN EDIT name */` and
//! `/* END EDIT */` (or with `//`). Everything outside has to come back as it was, line by line;
//! only the kind of line end does not matter. What stands inside may not reach out: brackets,
//! `do`, `if`, comments and strings end where they began, and there are no preprocessor directives,
//! which could change what locked text means.

use promenade_base::{Diagnostic, FileId, Span};
use promenade_promela_syntax::highlight::{TokenClass, tokens};

/// Why a file cannot be graded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// The line of the submitted file, from 1.
    pub line: u32,
    /// What is wrong there.
    pub message: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    Locked(Vec<String>),
    Region { name: String, lines: Vec<String> },
}

/// A starter file as locked text and regions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    parts: Vec<Part>,
    /// Without markers all of the file may be changed.
    free: bool,
    directives: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Marker {
    Begin(String),
    End,
}

/// The marker in a line that holds nothing else.
fn marker(line: &str) -> Option<Marker> {
    let line = line.trim();
    let inside = match line.strip_prefix("/*") {
        Some(rest) => rest.strip_suffix("*/")?,
        None => line.strip_prefix("//")?,
    };
    let mut words = inside.split_whitespace();
    match (words.next()?, words.next()?) {
        ("BEGIN", "EDIT") => Some(Marker::Begin(words.collect::<Vec<_>>().join(" "))),
        ("END", "EDIT") => Some(Marker::End),
        _ => None,
    }
}

/// The lines of a text without their ends.
fn lines(text: &str) -> Vec<&str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines: Vec<&str> =
        text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    // A line end at the end of the file is none that matters.
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    lines
}

impl Template {
    /// Reads a starter file whose text begins at byte `start` of the assignment.
    pub(crate) fn read(
        text: &str,
        start: u32,
        directives: bool,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut parts = Vec::new();
        let mut locked: Vec<String> = Vec::new();
        let mut region: Option<(String, Vec<String>, Span)> = None;
        let mut at = start;
        for whole in text.split_inclusive('\n') {
            let line = whole.trim_end_matches(['\n', '\r']);
            let span = Span::new(FileId(0), at, at + line.len() as u32);
            at += whole.len() as u32;
            let mut wrong = |message: &str| {
                diagnostics.push(Diagnostic::error("region-markers", span, message));
            };
            match (marker(line), &mut region) {
                (Some(Marker::Begin(_)), Some(_)) => wrong("a region within a region"),
                (Some(Marker::End), None) => wrong("there is no region that could end here"),
                (Some(Marker::Begin(name)), None) => {
                    locked.push(line.to_owned());
                    parts.push(Part::Locked(std::mem::take(&mut locked)));
                    region = Some((name, Vec::new(), span));
                }
                (Some(Marker::End), Some(_)) => {
                    if let Some((name, lines, _)) = region.take() {
                        parts.push(Part::Region { name, lines });
                    }
                    locked.push(line.to_owned());
                }
                (None, Some((_, lines, _))) => lines.push(line.to_owned()),
                (None, None) => locked.push(line.to_owned()),
            }
        }
        if let Some((_, _, span)) = region {
            diagnostics.push(Diagnostic::error("region-markers", span, "this region has no end"));
        }
        let free = !parts.iter().any(|part| matches!(part, Part::Region { .. }));
        parts.push(Part::Locked(locked));
        Self { parts, free, directives }
    }

    /// The template of a starter file.
    pub fn new(text: &str, directives: bool) -> Self {
        Self::read(text, 0, directives, &mut Vec::new())
    }

    /// Whether all of the file may be changed.
    pub fn is_free(&self) -> bool {
        self.free
    }

    /// Ranges of lines, counted from 0, of the regions of a text that follows the template; all
    /// lines if it is free.
    ///
    /// # Errors
    /// It does not follow the template.
    pub fn regions(&self, text: &str) -> Result<Vec<(String, std::ops::Range<usize>)>, Rejection> {
        let all = lines(text);
        if self.free {
            return Ok(vec![(String::new(), 0..all.len())]);
        }
        let mut at = 0;
        let mut regions = Vec::new();
        for part in &self.parts {
            match part {
                Part::Locked(expected) => {
                    for wanted in expected {
                        if all.get(at) != Some(&wanted.as_str()) {
                            return Err(changed(&all, at, wanted));
                        }
                        at += 1;
                    }
                }
                Part::Region { name, .. } => {
                    let rest = all.get(at..).unwrap_or(&[]);
                    let length = rest.iter().position(|line| marker(line).is_some());
                    let end = at + length.unwrap_or(rest.len());
                    regions.push((name.clone(), at..end));
                    at = end;
                }
            }
        }
        if let Some(extra) = all.get(at) {
            let message =
                format!("there is locked text only, but this was added: `{}`", cut(extra));
            return Err(Rejection { line: at as u32 + 1, message });
        }
        Ok(regions)
    }

    /// Whether a text keeps all that is locked and its regions stay within themselves.
    ///
    /// # Errors
    /// The first place where it does not.
    pub fn verify(&self, text: &str) -> Result<(), Rejection> {
        let all = lines(text);
        for (name, range) in self.regions(text)? {
            if self.free {
                continue;
            }
            let inside = all.get(range.clone()).unwrap_or(&[]).join("\n");
            contained(&inside, self.directives).map_err(|(line, message)| Rejection {
                line: (range.start + line) as u32 + 1,
                message: match name.as_str() {
                    "" => message,
                    name => format!("in the region `{name}`: {message}"),
                },
            })?;
        }
        Ok(())
    }

    /// The starter file with every region filled by `fill`, which gets its name and its text.
    pub fn filled(&self, fill: &dyn Fn(&str, &str) -> String) -> String {
        let mut text = String::new();
        let mut push = |line: &str| {
            text.push_str(line);
            text.push('\n');
        };
        for part in &self.parts {
            match part {
                Part::Locked(lines) => lines.iter().for_each(|line| push(line)),
                Part::Region { name, lines } => {
                    let inside = fill(name, &lines.join("\n"));
                    inside.lines().for_each(&mut push);
                }
            }
        }
        text
    }
}

fn cut(line: &str) -> String {
    let line = line.trim();
    if line.chars().count() <= 60 {
        return line.to_owned();
    }
    format!("{}..", line.chars().take(58).collect::<String>())
}

fn changed(all: &[&str], at: usize, wanted: &str) -> Rejection {
    let line = at as u32 + 1;
    let message = match all.get(at) {
        None => format!("locked text is missing: `{}`", cut(wanted)),
        Some(found) if marker(found).is_some() => {
            format!("a marker of regions stands where there is none: `{}`", cut(found))
        }
        Some(found) => {
            format!("locked text was changed: `{}` instead of `{}`", cut(found), cut(wanted))
        }
    };
    Rejection { line, message }
}

/// Whether a region's text ends all that it begins, and begins all that it ends. The error has a
/// line, from 0.
fn contained(text: &str, directives: bool) -> Result<(), (usize, String)> {
    let line = |at: usize| text[..at].matches('\n').count();
    let mut open: Vec<(&str, usize)> = Vec::new();
    for (range, class) in tokens(text) {
        let word = &text[range.clone()];
        let wrong = |message: String| Err((line(range.start), message));
        match class {
            TokenClass::Comment | TokenClass::String => continue,
            TokenClass::Directive if !directives => {
                return wrong("preprocessor directives are not allowed in this region".to_owned());
            }
            TokenClass::Error if word.starts_with("/*") => {
                return wrong("this comment has no end".to_owned());
            }
            TokenClass::Error if word.starts_with(['"', '\'']) => {
                return wrong("this string has no end".to_owned());
            }
            _ => {}
        }
        let partner = match word {
            "(" => Some(")"),
            "[" => Some("]"),
            "{" => Some("}"),
            "do" => Some("od"),
            "if" => Some("fi"),
            _ => None,
        };
        if partner.is_some() {
            open.push((word, range.start));
            continue;
        }
        let opened = match word {
            ")" => "(",
            "]" => "[",
            "}" => "{",
            "od" => "do",
            "fi" => "if",
            _ => continue,
        };
        if open.pop().is_none_or(|(last, _)| last != opened) {
            return wrong(format!("`{word}` ends nothing that begins in this region"));
        }
    }
    match open.last() {
        Some((word, at)) => Err((line(*at), format!("`{word}` does not end in this region"))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STARTER: &str = "byte x;\nactive proctype P() {\n  /* BEGIN EDIT body */\n  skip\n  \
        /* END EDIT */\n  assert(x == 0)\n}\n// BEGIN EDIT\n// END EDIT\n";

    fn verify(text: &str) -> Result<(), Rejection> {
        Template::new(STARTER, false).verify(text)
    }

    #[test]
    fn regions_may_change_and_line_ends_too() {
        assert_eq!(verify(STARTER), Ok(()));
        assert_eq!(verify(&STARTER.replace('\n', "\r\n")), Ok(()));
        assert_eq!(verify(STARTER.trim_end()), Ok(()));
        let solved = STARTER.replace("skip", "do :: x < 3 -> x++ :: else -> break od; /* } */");
        assert_eq!(verify(&solved), Ok(()));
        assert_eq!(verify(&STARTER.replace("  skip\n", "")), Ok(()));
        let template = Template::new(STARTER, false);
        assert_eq!(template.filled(&|_, text| text.to_owned()), STARTER);
        let regions = template.regions(STARTER).unwrap();
        assert_eq!(regions, [("body".to_owned(), 3..4), (String::new(), 8..8)]);
    }

    #[test]
    fn locked_text_is_compared() {
        for (from, to, line) in [
            ("x == 0", "x >= 0", 6),
            ("byte x;\n", "", 1),
            ("assert(x == 0)", "assert(x == 0) ", 6),
            ("}\n//", "}\n\n//", 8),
            ("// END EDIT\n", "", 9),
            ("// END EDIT\n", "// END EDIT\nbyte y;\n", 10),
            ("  /* END EDIT */", "  /* END EDIT */\n /* BEGIN EDIT */", 6),
            ("  skip\n", "  skip\n  /* BEGIN EDIT */\n /* END EDIT */\n", 5),
        ] {
            let text = STARTER.replacen(from, to, 1);
            assert_ne!(text, STARTER);
            let rejection = verify(&text).expect_err(&text);
            assert_eq!(rejection.line, line, "{rejection:?} in\n{text}");
        }
    }

    #[test]
    fn regions_do_not_reach_out() {
        for body in [
            "#define assert(x) skip",
            "#if 0",
            "/* ",
            "\"abc",
            "} active proctype Q() {",
            "skip od; do :: skip",
            "fi",
            "(",
            "x = 1; do",
            "[)]",
        ] {
            let rejection = verify(&STARTER.replace("skip", body)).expect_err(body);
            assert_eq!(rejection.line, 4, "{body}");
        }
        let free = Template::new(STARTER, true);
        assert_eq!(free.verify(&STARTER.replace("skip", "#define a 1")), Ok(()));
        let all = Template::new("byte x;\n", false);
        assert!(all.is_free() && all.verify("#define x\n} /*").is_ok());
    }

    #[test]
    fn markers_that_do_not_fit_are_told() {
        for text in [
            "/* BEGIN EDIT */\n",
            "/* END EDIT */\n",
            "//BEGIN EDIT a\n//BEGIN EDIT b\n//END EDIT\n",
        ] {
            let mut diagnostics = Vec::new();
            Template::read(text, 0, false, &mut diagnostics);
            assert_eq!(diagnostics.len(), 1, "{text}");
        }
    }
}
