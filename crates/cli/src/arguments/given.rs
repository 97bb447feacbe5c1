//! What is given on a command line, in its order, and the words that give it.

use clap::ArgMatches;

/// One option of the command line.
#[derive(Clone, Debug)]
pub(super) struct Given {
    /// Its name without `--`.
    pub name: String,
    /// Its value, if it takes one.
    pub value: Option<String>,
    /// As it was written.
    pub words: String,
    /// Where it stands.
    at: usize,
}

/// All options that are given, in their order.
pub(super) fn given(matches: &ArgMatches, raw: &[String]) -> Vec<Given> {
    let mut all = Vec::new();
    for id in matches.ids().map(|id| id.as_str()) {
        if matches.value_source(id) != Some(clap::parser::ValueSource::CommandLine) || id == "files"
        {
            continue;
        }
        let places = matches.indices_of(id).into_iter().flatten();
        if let Ok(Some(values)) = matches.try_get_many::<String>(id) {
            let values = values.cloned();
            all.extend(places.zip(values).map(|(at, value)| of_value(id, value, raw, at)));
        } else {
            let words = format!("--{id}");
            all.extend(places.take(1).map(|at| Given {
                name: id.to_owned(),
                value: None,
                words: words.clone(),
                at,
            }));
        }
    }
    all.sort_by_key(|it| it.at);
    all
}

fn of_value(name: &str, value: String, raw: &[String], at: usize) -> Given {
    let joined = format!("--{name}={value}");
    let words = match value.as_str() {
        "" => format!("--{name}"),
        _ if raw.contains(&joined) => joined,
        value => format!("--{name} {value}"),
    };
    Given { name: name.to_owned(), value: Some(value), words, at }
}

/// A number from the command line.
pub(super) fn number<T: std::str::FromStr>(name: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| {
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            format!("`--{name}` cannot be as large as {text}")
        } else {
            format!("`--{name}` needs a number, not `{text}`")
        }
    })
}

/// A number from a range.
pub(super) fn within(name: &str, text: &str, least: u32, most: u32) -> Result<u32, String> {
    let number = number(name, text)?;
    if (least..=most).contains(&number) {
        return Ok(number);
    }
    Err(format!("`--{name}` needs a number from {least} to {most}, not {number}"))
}
