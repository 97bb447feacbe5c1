//! Linear temporal logic over numbered atomic propositions: formulas, their text, words.
//!
//! A [`Formula`] is a number in a table of [`Formulas`], so equal formulas have equal numbers. What
//! an atomic proposition means is its user's business; here it has a number below [`MAX_ATOMS`].

#![forbid(unsafe_code)]

pub mod advisor;
pub mod class;
mod formula;
mod normal_form;
pub mod parse;
pub mod patterns;
pub mod print;
pub mod random;
pub mod simplify;
mod word;

pub use formula::{Formula, Formulas, MAX_ATOMS, Node};
pub use normal_form::NormalForm;
pub use parse::{Parsed, Propositions, Reading, Syntax, parse};
pub use simplify::Simplifier;
pub use word::{Lasso, Letter, Truth};
