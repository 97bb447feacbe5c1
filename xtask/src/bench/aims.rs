//! What the numbers should be, and why they are not where they are not.

/// What a number should be.
#[derive(Clone, Copy, Debug)]
pub enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

/// A number that should be something.
#[derive(Clone, Debug)]
pub struct Aim {
    pub what: String,
    pub bound: Bound,
    /// What it is; `None` if nothing was measured.
    pub value: Option<f64>,
    /// What is known of the reason if it is not what it should be.
    pub reason: &'static str,
}

impl Aim {
    fn met(&self) -> Option<bool> {
        let value = self.value?;
        Some(match self.bound {
            Bound::AtLeast(least) => value >= least,
            Bound::AtMost(most) => value <= most,
        })
    }
}

/// All aims, and the reasons of those that were missed.
pub fn told<'a>(aims: impl Iterator<Item = &'a Aim>) -> String {
    let mut text = String::from(
        "\n## Aims\n\nGeometric means of the tables below, where nothing else is said.\n\n\
         | what | aim | measured | |\n|---|---:|---:|---|\n",
    );
    let mut reasons = String::new();
    for aim in aims {
        let bound = match aim.bound {
            Bound::AtLeast(least) => format!("at least {least}"),
            Bound::AtMost(most) => format!("at most {most}"),
        };
        let value = aim.value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"));
        let met = match aim.met() {
            None => "not measured",
            Some(true) => "met",
            Some(false) => "missed",
        };
        text.push_str(&format!("| {} | {bound} | {value} | {met} |\n", aim.what));
        if aim.met() == Some(false) {
            reasons.push_str(&format!("- {}: {}\n", aim.what, aim.reason));
        }
    }
    if !reasons.is_empty() {
        text.push_str("\nWhat was missed, and why, as far as we know:\n\n");
        text.push_str(&reasons);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missed_aim_has_its_reason() {
        let aim = |bound, value| Aim { what: "w".into(), bound, value, reason: "Because." };
        let text = |aims: &[Aim]| told(aims.iter());
        let met = text(&[aim(Bound::AtLeast(2.0), Some(2.0)), aim(Bound::AtMost(0.5), Some(0.5))]);
        assert!(
            met.contains("| w | at least 2 | 2.00 | met |") && !met.contains("Because"),
            "{met}"
        );
        let missed = text(&[aim(Bound::AtMost(0.5), Some(0.51)), aim(Bound::AtLeast(1.0), None)]);
        assert!(missed.contains("| w | at most 0.5 | 0.51 | missed |"), "{missed}");
        assert!(missed.contains("| - | not measured |") && missed.matches("Because").count() == 1);
    }
}
