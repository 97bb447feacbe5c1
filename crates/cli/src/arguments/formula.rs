//! `promenade ltl`: a formula and what is wanted of it.

use super::{Command, Format, FormulaRequest};
use crate::help::Topic;

/// Reads the arguments behind `ltl`.
pub(super) fn read(rest: &[String]) -> Result<Command, String> {
    let mut request = FormulaRequest {
        formula: String::new(),
        never: None,
        format: Format::Text,
        buchi: false,
        raw: false,
        alternating: false,
        negated: false,
    };
    let mut formula = None;
    let mut rest = rest.iter();
    let mut options = true;
    while let Some(text) = rest.next() {
        if options && text == "--" {
            options = false;
            continue;
        }
        if !options {
            if formula.replace(text.clone()).is_some() {
                return Err("one formula at a time, please: put it into quotes".to_owned());
            }
            continue;
        }
        let (name, given) = match text.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value)),
            _ => (text.as_str(), None),
        };
        match name {
            "--help" | "-h" => return Ok(Command::Help(Topic::Ltl)),
            "--ba" => request.buchi = true,
            "--tgba" => request.buchi = false,
            "--raw" => request.raw = true,
            "--negate" => request.negated = true,
            "--via" => {
                let value = given.or_else(|| rest.next().map(String::as_str));
                request.alternating = match value.ok_or("`--via` needs a value")? {
                    "best" => false,
                    "alternating" => true,
                    other => {
                        return Err(format!("a way is `best` or `alternating`, not `{other}`"));
                    }
                };
            }
            "--never" => {
                let value = given.or_else(|| rest.next().map(String::as_str));
                let value = value.ok_or("`--never` needs a file, or `-` for the standard input")?;
                request.never = Some(value.to_owned());
            }
            "--format" => {
                let value = given.or_else(|| rest.next().map(String::as_str));
                request.format = match value.ok_or("`--format` needs a value")? {
                    "text" => Format::Text,
                    "hoa" => Format::Hoa,
                    "dot" => Format::Dot,
                    "never" => Format::Never,
                    "latex" => Format::Latex,
                    "json" => Format::Json,
                    other => {
                        return Err(format!(
                            "a format is `text`, `hoa`, `dot`, `never`, `latex` or `json`, not \
                             `{other}`"
                        ));
                    }
                };
            }
            _ if name.starts_with("--") => return Err(format!("there is no option `{name}`")),
            _ if formula.is_some() => {
                return Err("one formula at a time, please: put it into quotes".to_owned());
            }
            _ => formula = Some(text.clone()),
        }
    }
    match (formula, &request.never) {
        (Some(_), Some(_)) => return Err("a formula or a claim, not both".to_owned()),
        (None, None) => return Err("there is no formula".to_owned()),
        (formula, _) => request.formula = formula.unwrap_or_default(),
    }
    Ok(Command::Ltl(request))
}
