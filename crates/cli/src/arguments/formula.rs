//! `promenade ltl`: a formula and what is wanted of it.

use super::{Format, FormulaRequest, files, has, value};
use clap::ArgMatches;

/// Reads the arguments behind `ltl`.
pub(super) fn request(matches: &ArgMatches) -> Result<FormulaRequest, String> {
    let formula = match files(matches).as_slice() {
        [] => None,
        [formula] => Some(formula.clone()),
        _ => return Err("one formula at a time, please: put it into quotes".to_owned()),
    };
    let never = value(matches, "never");
    match (&formula, &never) {
        (Some(_), Some(_)) => return Err("a formula or a claim, not both".to_owned()),
        (None, None) => return Err("there is no formula".to_owned()),
        _ => {}
    }
    let format = match value(matches, "format").as_deref() {
        Some("hoa") => Format::Hoa,
        Some("dot") => Format::Dot,
        Some("never") => Format::Never,
        Some("latex") => Format::Latex,
        Some("json") => Format::Json,
        _ => Format::Text,
    };
    Ok(FormulaRequest {
        formula: formula.unwrap_or_default(),
        never,
        format,
        buchi: has(matches, "ba"),
        raw: has(matches, "raw"),
        alternating: value(matches, "via").as_deref() == Some("alternating"),
        negated: has(matches, "negate"),
    })
}
