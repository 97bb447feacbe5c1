//! From the text of a model to its header. The grammar stands in the documentation of the crate.

use std::fmt;

use crate::header::{
    Count, ErrorKind, Expectation, ExpectedVerdict, Header, Parameter, Property, Setting, Topic,
    same_settings,
};

/// A fault in a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderError {
    /// The line of the file, counted from 1.
    pub line: usize,
    /// What is wrong, in one sentence.
    pub message: String,
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for HeaderError {}

/// Reads the header of a model. Either everything is right, or all faults are reported at once,
/// in the order of their lines.
pub fn parse(text: &str) -> Result<Header, Vec<HeaderError>> {
    let mut parser = Parser::default();
    let (fields, lines) = parser.fields(text);
    for field in &fields {
        if field.key == "parameters" {
            parser.parameter(field);
        }
    }
    for field in &fields {
        parser.field(field);
    }
    parser.finish(lines)
}

/// One key with its value, continuation lines joined.
struct Field<'a> {
    line: usize,
    key: &'a str,
    settings: Option<&'a str>,
    value: String,
}

#[derive(Default)]
struct Parser {
    errors: Vec<HeaderError>,
    title: Option<String>,
    topic: Option<Topic>,
    level: Option<u8>,
    lesson: Option<String>,
    see: Option<Vec<String>>,
    parameters: Vec<Parameter>,
    expectations: Vec<Expectation>,
    states: Vec<Count>,
    transitions: Vec<Count>,
}

impl Parser {
    fn error(&mut self, line: usize, message: impl Into<String>) {
        self.errors.push(HeaderError { line, message: message.into() });
    }

    /// Splits the header into fields; also gives the number of its lines.
    fn fields<'a>(&mut self, text: &'a str) -> (Vec<Field<'a>>, usize) {
        let mut fields: Vec<Field<'a>> = Vec::new();
        let mut lines = text.lines().zip(1..);
        if !matches!(lines.next(), Some(("/*", _))) {
            self.error(1, "the file must begin with a line `/*`");
            return (fields, 0);
        }
        let mut last = 1;
        for (text, line) in lines {
            last = line;
            if text == " */" {
                return (fields, line);
            }
            let Some(content) = text.strip_prefix(" * ") else {
                self.error(line, "a line of the header begins with ` * `");
                continue;
            };
            if let Some(more) = content.strip_prefix("  ") {
                match fields.last_mut() {
                    Some(field) => {
                        field.value.push(' ');
                        field.value.push_str(more.trim());
                    }
                    None => self.error(line, "there is nothing to continue here"),
                }
            } else if let Some(field) = Self::split(content, line) {
                fields.push(field);
            } else {
                self.error(line, "expected `key: value`");
            }
        }
        self.error(last, "the header is not closed by a line ` */`");
        (fields, last)
    }

    /// `key[settings]: value`.
    fn split(content: &str, line: usize) -> Option<Field<'_>> {
        let (head, value) = content.split_once(": ")?;
        let (key, settings) = match head.split_once('[') {
            Some((key, rest)) => (key, Some(rest.strip_suffix(']')?)),
            None => (head, None),
        };
        Some(Field { line, key, settings, value: value.trim().to_owned() })
    }

    fn field(&mut self, field: &Field<'_>) {
        let takes_settings = matches!(field.key, "expect" | "states" | "transitions");
        if field.settings.is_some() && !takes_settings {
            let message = format!("`{}` takes no settings", field.key);
            self.error(field.line, message);
        }
        if field.value.is_empty() {
            self.error(field.line, format!("`{}` has no value", field.key));
            return;
        }
        match field.key {
            "title" => self.title = self.once(self.title.is_some(), field, field.value.clone()),
            "lesson" => self.lesson = self.once(self.lesson.is_some(), field, field.value.clone()),
            "topic" => self.topic(field),
            "level" => self.level(field),
            "see" => {
                let names = field.value.split(", ").map(str::to_owned).collect();
                self.see = self.once(self.see.is_some(), field, names);
            }
            "parameters" => {} // read first, because settings refer to them
            "expect" => self.expectation(field),
            "states" => {
                if let Some(count) = self.count(field) {
                    Self::add_count(&mut self.errors, &mut self.states, count);
                }
            }
            "transitions" => {
                if let Some(count) = self.count(field) {
                    Self::add_count(&mut self.errors, &mut self.transitions, count);
                }
            }
            other => {
                let message = format!("unknown key `{other}`");
                self.error(field.line, message);
            }
        }
    }

    /// Reports a key that is given twice; the last value wins.
    fn once<T>(&mut self, given: bool, field: &Field<'_>, value: T) -> Option<T> {
        if given {
            let message = format!("`{}` is given twice", field.key);
            self.error(field.line, message);
        }
        Some(value)
    }

    fn topic(&mut self, field: &Field<'_>) {
        match Topic::from_title(&field.value) {
            Some(topic) => self.topic = self.once(self.topic.is_some(), field, topic),
            None => {
                let known = Topic::ALL.map(Topic::title).join(", ");
                let message = format!("unknown topic `{}`; there are: {known}", field.value);
                self.error(field.line, message);
            }
        }
    }

    fn level(&mut self, field: &Field<'_>) {
        match field.value.parse() {
            Ok(level @ 1..=3) => self.level = self.once(self.level.is_some(), field, level),
            _ => self.error(field.line, "the level is 1, 2 or 3"),
        }
    }

    /// `NAME=default min..max meaning`.
    fn parameter(&mut self, field: &Field<'_>) {
        let Some(parameter) = Self::read_parameter(&field.value) else {
            self.error(field.line, "expected `NAME=default min..max meaning`");
            return;
        };
        if !(parameter.min..=parameter.max).contains(&parameter.default) {
            self.error(field.line, "the default is outside the range");
        }
        if self.parameters.iter().any(|p| p.name == parameter.name) {
            let message = format!("parameter `{}` is declared twice", parameter.name);
            self.error(field.line, message);
        }
        self.parameters.push(parameter);
    }

    fn read_parameter(value: &str) -> Option<Parameter> {
        let (setting, rest) = value.split_once(' ')?;
        let (range, meaning) = rest.split_once(' ')?;
        let (min, max) = range.split_once("..")?;
        let setting = read_setting(setting)?;
        let meaning = meaning.trim();
        (!meaning.is_empty()).then_some(())?;
        Some(Parameter {
            name: setting.name,
            default: setting.value,
            min: min.parse().ok()?,
            max: max.parse().ok()?,
            meaning: meaning.to_owned(),
        })
    }

    /// The settings of a field; they must be values of declared parameters.
    fn settings(&mut self, field: &Field<'_>) -> Vec<Setting> {
        let mut settings: Vec<Setting> = Vec::new();
        for text in field.settings.iter().flat_map(|list| list.split(", ")) {
            let Some(setting) = read_setting(text) else {
                self.error(field.line, format!("expected `NAME=value`, found `{text}`"));
                continue;
            };
            let range = self.parameters.iter().find(|p| p.name == setting.name);
            let fault = match range {
                None => Some("is not a declared parameter"),
                Some(p) if !(p.min..=p.max).contains(&setting.value) => {
                    Some("is set to a value outside its range")
                }
                Some(_) if settings.iter().any(|s| s.name == setting.name) => Some("is set twice"),
                Some(_) => None,
            };
            if let Some(fault) = fault {
                self.error(field.line, format!("`{}` {fault}", setting.name));
            }
            settings.push(setting);
        }
        settings
    }

    fn expectation(&mut self, field: &Field<'_>) {
        let settings = self.settings(field);
        match read_expectation(&field.value) {
            Ok((property, verdict)) => {
                let repeated = self.expectations.iter().any(|other| {
                    other.property == property && same_settings(&other.settings, &settings)
                });
                if repeated {
                    self.error(field.line, format!("`{property}` is expected twice"));
                }
                self.expectations.push(Expectation {
                    settings,
                    property,
                    verdict,
                    line: field.line,
                });
            }
            Err(message) => self.error(field.line, message),
        }
    }

    fn count(&mut self, field: &Field<'_>) -> Option<Count> {
        let settings = self.settings(field);
        match field.value.parse() {
            Ok(value) if value > 0 => Some(Count { settings, value, line: field.line }),
            _ => {
                self.error(field.line, "expected a positive whole number");
                None
            }
        }
    }

    fn add_count(errors: &mut Vec<HeaderError>, counts: &mut Vec<Count>, count: Count) {
        if counts.iter().any(|other| same_settings(&other.settings, &count.settings)) {
            errors.push(HeaderError {
                line: count.line,
                message: "there is already a number for these settings".to_owned(),
            });
        }
        counts.push(count);
    }

    fn finish(mut self, lines: usize) -> Result<Header, Vec<HeaderError>> {
        let end = lines.max(1);
        for (present, key) in [
            (self.title.is_some(), "title"),
            (self.topic.is_some(), "topic"),
            (self.level.is_some(), "level"),
            (self.lesson.is_some(), "lesson"),
            (!self.expectations.is_empty(), "expect"),
        ] {
            // A field that is there but wrong has been reported at its own line.
            if !present && self.errors.is_empty() {
                self.error(end, format!("the header has no `{key}`"));
            }
        }
        match (self.title, self.topic, self.level, self.lesson) {
            (Some(title), Some(topic), Some(level), Some(lesson)) if self.errors.is_empty() => {
                Ok(Header {
                    title,
                    topic,
                    level,
                    lesson,
                    see: self.see.unwrap_or_default(),
                    parameters: self.parameters,
                    expectations: self.expectations,
                    states: self.states,
                    transitions: self.transitions,
                    lines,
                })
            }
            _ => {
                self.errors.sort_by_key(|error| error.line);
                Err(self.errors)
            }
        }
    }
}

/// `NAME=value`.
fn read_setting(text: &str) -> Option<Setting> {
    let (name, value) = text.split_once('=')?;
    let mut letters = name.chars();
    let first = letters.next()?;
    let is_name = (first.is_ascii_alphabetic() || first == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then_some(Setting { name: name.to_owned(), value: value.parse().ok()? })
}

/// `property verdict [kind]`.
fn read_expectation(value: &str) -> Result<(Property, ExpectedVerdict), String> {
    let words: Vec<&str> = value.split(' ').collect();
    let (property, rest) = match words.as_slice() {
        ["safety", rest @ ..] => (Property::Safety, rest),
        ["ltl", name, "fair", rest @ ..] => {
            let name = (*name).to_owned();
            (Property::Formula { name, fair: true }, rest)
        }
        ["ltl", name, rest @ ..] => {
            let name = (*name).to_owned();
            (Property::Formula { name, fair: false }, rest)
        }
        ["progress", "fair", rest @ ..] => (Property::Progress { fair: true }, rest),
        ["progress", rest @ ..] => (Property::Progress { fair: false }, rest),
        _ => return Err("expected `safety`, `ltl NAME` or `progress`".to_owned()),
    };
    let verdict = match (rest, property == Property::Safety) {
        (["holds"], _) => ExpectedVerdict::Holds,
        (["violated"], false) => ExpectedVerdict::Violated(None),
        (["violated", word], true) => ErrorKind::ALL
            .into_iter()
            .find(|kind| kind.word() == *word)
            .map(|kind| ExpectedVerdict::Violated(Some(kind)))
            .ok_or_else(|| format!("unknown kind of error `{word}`"))?,
        (["violated"], true) => {
            let kinds = ErrorKind::ALL.map(ErrorKind::word).join(", ");
            return Err(format!("safety violated by what? One of: {kinds}"));
        }
        _ => return Err("expected `holds` or `violated`".to_owned()),
    };
    Ok((property, verdict))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "/*\n * title: T\n * topic: Puzzles\n * level: 2\n * lesson: One\n *   two.\n \
                        * see: a, b-c\n * parameters: N=2 1..4 how many\n * expect: safety holds\n \
                        * expect[N=3]: safety violated invalid-end-state\n * expect: ltl p fair violated\n \
                        * states: 12\n * states[N=3]: 99\n */\nbyte x;\n";

    fn setting(name: &str, value: i64) -> Setting {
        Setting { name: name.to_owned(), value }
    }

    /// All messages for GOOD with one piece of text replaced.
    fn faults(from: &str, to: &str) -> Vec<String> {
        assert!(GOOD.contains(from), "{from}");
        match parse(&GOOD.replacen(from, to, 1)) {
            Ok(header) => panic!("accepted: {header:?}"),
            Err(errors) => errors.iter().map(HeaderError::to_string).collect(),
        }
    }

    #[test]
    fn reads_every_field() {
        let header = parse(GOOD).expect("a good header");
        assert_eq!(header.title, "T");
        assert_eq!(header.topic, Topic::Puzzles);
        assert_eq!(header.level, 2);
        assert_eq!(header.lesson, "One two.");
        assert_eq!(header.see, ["a", "b-c"]);
        assert_eq!(header.lines, 14);
        assert_eq!(header.parameters[0].meaning, "how many");
        assert_eq!(header.states_with(&[]), Some(12));
        assert_eq!(header.states_with(&[setting("N", 3)]), Some(99));
        assert_eq!(header.states_with(&[setting("N", 4)]), None);
        assert_eq!(header.transitions_with(&[]), None);
        let [plain, with_three, formula] = header.expectations.as_slice() else {
            panic!("three expectations");
        };
        assert_eq!(plain.verdict, ExpectedVerdict::Holds);
        assert_eq!(with_three.settings, [setting("N", 3)]);
        let kind = Some(ErrorKind::InvalidEndState);
        assert_eq!(with_three.verdict, ExpectedVerdict::Violated(kind));
        assert_eq!(formula.property.to_string(), "ltl p fair");
        assert_eq!(formula.line, 11);
    }

    #[test]
    fn reports_faults_with_their_lines() {
        for (from, to, expected) in [
            ("/*", "/**", "line 1: the file must begin with a line `/*`"),
            (" * title: T\n", "", "line 13: the header has no `title`"),
            ("title: T", "title T", "line 2: expected `key: value`"),
            ("title: T", "name: T", "line 2: unknown key `name`"),
            ("title: T", "title[N=2]: T", "line 2: `title` takes no settings"),
            ("level: 2", "level: 4", "line 4: the level is 1, 2 or 3"),
            ("level: 2", "title: U", "line 4: `title` is given twice"),
            ("N=2 1..4 how many", "N=2 1..4", "line 8: expected `NAME=default min..max meaning`"),
            ("N=2 1", "N=0 1", "line 8: the default is outside the range"),
            ("t[N=3]", "t[M=3]", "line 10: `M` is not a declared parameter"),
            ("t[N=3]", "t[N=7]", "line 10: `N` is set to a value outside its range"),
            ("t[N=3]", "t[N=3, N=2]", "line 10: `N` is set twice"),
            ("t[N=3]", "t[N]", "line 10: expected `NAME=value`, found `N`"),
            ("t[N=3]", "t", "line 10: `safety` is expected twice"),
            ("invalid-end-state", "deadlock", "line 10: unknown kind of error `deadlock`"),
            ("p fair violated", "p fair maybe", "line 11: expected `holds` or `violated`"),
            ("ltl p fair", "liveness", "line 11: expected `safety`, `ltl NAME` or `progress`"),
            ("12", "a few", "line 12: expected a positive whole number"),
            ("s[N=3]: 99", "s: 99", "line 13: there is already a number for these settings"),
            (" */\n", "\n", "line 14: a line of the header begins with ` * `"),
        ] {
            let found = faults(from, to);
            assert!(found.iter().any(|f| f == expected), "{from}: {found:?}");
        }
    }

    #[test]
    fn reports_all_faults_at_once_in_order() {
        let text = GOOD.replace("level: 2", "level: x").replace("Puzzles", "Riddles");
        let errors = parse(&text).expect_err("two faults");
        let lines: Vec<usize> = errors.iter().map(|error| error.line).collect();
        assert_eq!(lines, [3, 4]);
    }

    #[test]
    fn survives_any_cut() {
        for end in (0..GOOD.len()).filter(|&end| GOOD.is_char_boundary(end)) {
            let _ = parse(&GOOD[..end]);
            let _ = parse(&GOOD[end..]);
        }
    }
}
