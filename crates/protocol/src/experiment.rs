//! What a user wants checked: model, property, settings.

use promenade_options::{Settings, Subject};
use serde::{Deserialize, Serialize};

/// One source file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct File {
    /// The name under which `#include` finds it.
    pub name: String,
    /// The text.
    pub text: String,
}

/// What to check.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Property {
    /// Assertions, invalid end states, run-time errors; claims in the text are left out.
    #[default]
    Safety,
    /// The same, with a never claim of the text moving along (as `pan -DSAFETY` does).
    Claim {
        /// Its name; `None` is the first in the text.
        name: Option<String>,
    },
    /// Every run satisfies the formula of an `ltl` block.
    Ltl {
        /// Its name; `None` is the first in the text.
        name: Option<String>,
    },
    /// Every run satisfies this formula.
    Formula {
        /// As in an `ltl` block, over the variables of the model.
        text: String,
    },
    /// No infinite run comes again and again to an accept label, of a process or of a never claim
    /// (as `pan -a` checks).
    Acceptance {
        /// The claim that moves along; `None` is the first in the text, if there is one.
        claim: Option<String>,
    },
    /// Every infinite run comes again and again to a progress label (as `pan -DNP -l` checks).
    Progress,
}

impl Property {
    /// Whether it is about infinite runs.
    pub fn is_infinite(&self) -> bool {
        !matches!(self, Self::Safety | Self::Claim { .. })
    }

    /// What legality depends on, as far as that can be said without the text. `has_claim` says that a
    /// never claim stands in it.
    pub fn subject(&self, has_claim: bool) -> Subject {
        let written_claim = match self {
            Self::Claim { .. } => true,
            Self::Acceptance { .. } => has_claim,
            _ => false,
        };
        let made = matches!(self, Self::Ltl { .. } | Self::Formula { .. } | Self::Progress);
        Subject {
            infinite: self.is_infinite(),
            claim: written_claim || made,
            written_claim,
            progress: *self == Self::Progress,
            sees_repetition: false,
        }
    }

    /// Whether a claim that moves along is written as statements in the text, which move like those
    /// of a process. Others are made from formulas: their moves are parts of the model's steps.
    pub fn claim_has_statements(&self) -> bool {
        matches!(self, Self::Safety | Self::Claim { .. } | Self::Acceptance { .. })
    }
}

/// A complete, reproducible experiment. Links carry it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Experiment {
    /// The first is the main file.
    pub files: Vec<File>,
    /// What to check.
    pub property: Property,
    /// How.
    pub settings: Settings,
}
