//! What a task says about a model, in one line: `safety`, `fair ltl entry`, `formula [] (x < 3)`.

use promenade_protocol::{Fairness, Property};

/// A property as an assignment states it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PropertySpec {
    /// As it is written.
    pub text: String,
    /// What to check.
    pub property: Property,
    /// Only weakly fair runs count.
    pub fairness: Option<Fairness>,
    /// Assertions count.
    pub assertions: bool,
    /// Invalid end states count.
    pub end_states: bool,
}

/// Reads a property; an error is what is wrong with it.
///
/// ```text
/// [fair] safety | assertions | deadlock | ltl [NAME] | formula F | claim [NAME]
///        | acceptance [NAME] | progress
/// ```
pub fn property(text: &str) -> Result<PropertySpec, String> {
    let text = text.trim();
    let word = |text: &str| -> (String, String) {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        (word.to_owned(), rest.trim().to_owned())
    };
    let (mut first, mut rest) = word(text);
    let mut fairness = None;
    if first == "fair" {
        fairness = Some(Fairness::Weak);
        (first, rest) = word(&rest);
    }
    let mut spec = PropertySpec { text: text.to_owned(), fairness, ..PropertySpec::default() };
    let name = (!rest.is_empty()).then(|| rest.clone());
    let is_name = rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let mut named = true;
    match first.as_str() {
        "safety" => (spec.assertions, spec.end_states, named) = (true, true, false),
        "assertions" => (spec.assertions, named) = (true, false),
        "deadlock" => (spec.end_states, named) = (true, false),
        "ltl" => spec.property = Property::Ltl { name },
        "claim" => {
            (spec.assertions, spec.end_states) = (true, true);
            spec.property = Property::Claim { name };
        }
        "acceptance" => spec.property = Property::Acceptance { claim: name },
        "progress" => (spec.property, named) = (Property::Progress, false),
        "formula" if rest.is_empty() => {
            return Err("there is no formula behind `formula`".to_owned());
        }
        "formula" => {
            spec.property = Property::Formula { text: rest };
            return Ok(spec);
        }
        "" => return Err("there is no property".to_owned()),
        other => {
            return Err(format!(
                "`{other}` is not a property: expected safety, assertions, deadlock, ltl, formula, \
                 claim, acceptance or progress"
            ));
        }
    }
    if !named && !rest.is_empty() {
        return Err(format!("nothing is expected behind `{first}`, found `{rest}`"));
    }
    if named && !is_name {
        return Err(format!("`{rest}` is not a name"));
    }
    if fairness.is_some() && matches!(spec.property, Property::Safety | Property::Claim { .. }) {
        return Err(format!("fairness has no effect on `{first}`, a property of finite runs"));
    }
    Ok(spec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_read() {
        let fair = property("fair ltl entry").unwrap();
        assert_eq!(fair.property, Property::Ltl { name: Some("entry".to_owned()) });
        assert_eq!(fair.fairness, Some(Fairness::Weak));
        let formula = property("formula [] (a -> <> b)").unwrap();
        assert_eq!(formula.property, Property::Formula { text: "[] (a -> <> b)".to_owned() });
        assert!(!formula.assertions && !formula.end_states);
        let safety = property(" safety ").unwrap();
        assert!(safety.assertions && safety.end_states);
        assert!(!property("deadlock").unwrap().assertions);
        for wrong in
            ["", "fair", "safe", "safety x", "ltl a b", "formula", "fair safety", "fair claim"]
        {
            assert!(property(wrong).is_err(), "{wrong}");
        }
    }
}
