//! Words as text: `p, q; -; cycle{q; p}`.
//!
//! Positions are separated by `;`, the propositions that hold at one by `,` (or `&`); all others do
//! not hold there. `-` or an empty position: none holds. `!p` may be written and says the same as
//! leaving `p` out. The positions that repeat for ever stand in `cycle{ }` at the end; without it
//! the last position repeats.

use promenade_protocol::WordData;

/// Positions of a word; the checker takes no more.
pub const MOST: usize = 200;

/// The text of a word.
pub fn write(word: &WordData) -> String {
    let position = |holds: &Vec<String>| {
        if holds.is_empty() { "-".to_owned() } else { holds.join(", ") }
    };
    let all =
        |positions: &[Vec<String>]| positions.iter().map(position).collect::<Vec<_>>().join("; ");
    let cycle = format!("cycle{{{}}}", all(&word.cycle));
    if word.prefix.is_empty() { cycle } else { format!("{}; {cycle}", all(&word.prefix)) }
}

/// Reads a word over these propositions; the error is a sentence.
pub fn read(text: &str, propositions: &[String]) -> Result<WordData, String> {
    let text = text.trim();
    let (prefix, cycle) = match text.find("cycle") {
        Some(at)
            if text[at + 5..].trim_start().starts_with('{') && starts_position(&text[..at]) =>
        {
            let inside = text[at + 5..].trim_start()[1..].trim_end().trim_end_matches(';');
            let inside = inside.trim_end().strip_suffix('}');
            let inside = inside.ok_or("The brace after “cycle” is not closed at the end.")?;
            let before = text[..at].trim();
            (before.strip_suffix(';').unwrap_or(before), Some(inside))
        }
        _ => (text.trim_end_matches(';'), None),
    };
    let positions = |text: &str| -> Result<Vec<Vec<String>>, String> {
        if text.trim().is_empty() {
            return Ok(Vec::new());
        }
        let parts = split(text, ';');
        parts.iter().map(|part| position(part, propositions)).collect()
    };
    let mut prefix = positions(prefix)?;
    let cycle = match cycle {
        // `cycle{}` is one position at which nothing holds.
        Some(inside) if inside.trim().trim_end_matches(';').trim().is_empty() => vec![Vec::new()],
        Some(inside) => {
            let inside = inside.trim_end();
            positions(inside.strip_suffix(';').unwrap_or(inside))?
        }
        None => vec![prefix.pop().ok_or("A word has at least one position.")?],
    };
    if prefix.len() + cycle.len() > MOST {
        return Err(format!("A word has at most {MOST} positions."));
    }
    Ok(WordData { prefix, cycle })
}

/// Whether a new position begins after this text.
fn starts_position(before: &str) -> bool {
    let before = before.trim_end();
    before.is_empty() || before.ends_with(';')
}

/// Without blanks, to compare.
fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

fn known<'a>(text: &str, propositions: &'a [String]) -> Option<&'a String> {
    let wanted = bare(text);
    let wanted = wanted.as_str();
    let inner = wanted.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    propositions.iter().find(|it| {
        let own = bare(it);
        own == wanted || inner == Some(own.as_str())
    })
}

fn position(text: &str, propositions: &[String]) -> Result<Vec<String>, String> {
    let mut holds: Vec<String> = Vec::new();
    let mut fails: Vec<&String> = Vec::new();
    let mut waiting: Vec<&str> = split(text, ',');
    waiting.reverse();
    while let Some(part) = waiting.pop() {
        let part = part.trim();
        if part.is_empty() || part == "-" {
            continue;
        }
        if let Some(name) = known(part, propositions) {
            if !holds.contains(name) {
                holds.push(name.clone());
            }
        } else if let Some(name) = part.strip_prefix('!').and_then(|it| known(it, propositions)) {
            fails.push(name);
        } else {
            let parts: Vec<&str> =
                split(part, '&').into_iter().filter(|it| !it.is_empty()).collect();
            if parts.len() < 2 {
                return Err(unknown(part, propositions));
            }
            waiting.extend(parts.into_iter().rev());
        }
    }
    if let Some(name) = fails.into_iter().find(|name| holds.contains(name)) {
        return Err(format!("“{name}” cannot hold and not hold at the same position."));
    }
    // In the order of the formula.
    Ok(propositions.iter().filter(|name| holds.contains(name)).cloned().collect())
}

fn unknown(part: &str, propositions: &[String]) -> String {
    let list: Vec<String> = propositions.iter().take(8).map(|it| format!("“{it}”")).collect();
    if list.is_empty() {
        format!("“{part}” is not a proposition: the formula has none.")
    } else {
        format!("“{part}” is not a proposition of the formula; these are: {}.", list.join(", "))
    }
}

/// The parts between separators that stand outside of brackets and quotes.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut depth, mut quoted, mut from) = (0_u32, false, 0);
    let mut parts = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ if c == separator && depth == 0 => {
                parts.push(&text[from..at]);
                from = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(all: &[&str]) -> Vec<String> {
        all.iter().map(|it| (*it).to_owned()).collect()
    }

    #[test]
    fn words_are_read_as_written() {
        let propositions = names(&["p", "x == 1", "c ? [a, b]", "a[1] > 0"]);
        let word = WordData {
            prefix: vec![names(&["p", "x == 1"]), names(&[])],
            cycle: vec![names(&["c ? [a, b]"]), names(&["p", "a[1] > 0"])],
        };
        let text = write(&word);
        assert_eq!(text, "p, x == 1; -; cycle{c ? [a, b]; p, a[1] > 0}");
        assert_eq!(read(&text, &propositions), Ok(word));
        let only = WordData { prefix: vec![], cycle: vec![names(&[])] };
        assert_eq!(write(&only), "cycle{-}");
        for text in ["cycle{-}", "cycle { ; }", "-", " !p ;", "cycle{}"] {
            assert_eq!(read(text, &propositions), Ok(only.clone()), "{text}");
        }
    }

    #[test]
    fn other_spellings_are_understood() {
        let propositions = names(&["p", "q", "x & 1", "cycles"]);
        let read = |text: &str| read(text, &propositions).unwrap();
        let word = read("p & !q; q&&p ; cycle{ q; }");
        assert_eq!(word.prefix, [names(&["p"]), names(&["p", "q"])]);
        assert_eq!(word.cycle, [names(&["q"])]);
        assert_eq!(read("p; x & 1").cycle, [names(&["x & 1"])]);
        assert_eq!(read("(p), x&1").cycle, [names(&["p", "x & 1"])]);
        assert_eq!(read("cycles; p").prefix, [names(&["cycles"])]);
    }

    #[test]
    fn mistakes_are_named() {
        let propositions = names(&["p", "q"]);
        for (text, said) in [
            ("", "at least one position"),
            ("r", "“r” is not a proposition"),
            ("p, !p", "cannot hold and not hold"),
            ("cycle{p", "not closed"),
            ("p; cycle{p} q", "not closed"),
            ("p &", "is not a proposition"),
            (&"p;".repeat(300), "at most 200"),
        ] {
            let error = read(text, &propositions).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
        assert!(read("p", &[]).unwrap_err().contains("the formula has none"));
    }
}
