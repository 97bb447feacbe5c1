//! The gallery: example models embedded as text, and the parser of their headers.
//!
//! Every model is one file of `tests/suite/gallery/`. Its first comment is a header that people
//! can read and [`parse`] understands. It carries the title, a lesson, the parameters, the
//! expected verdicts and the expected counts, so that each example is a test as well.
//!
//! # The header
//!
//! ```text
//! /*
//!  * title: Peterson's mutual exclusion
//!  * topic: Mutual exclusion
//!  * level: 1
//!  * lesson: One paragraph in plain words. It may span several lines; each further
//!  *   line is indented by two more blanks.
//!  * see: peterson-swapped, dekker
//!  * parameters: N=2 2..4 number of processes
//!  * expect: safety holds
//!  * expect: ltl mutex holds
//!  * expect: ltl entry fair holds
//!  * expect[N=3]: safety violated assertion
//!  * states: 38
//!  * states[N=3]: 471
//!  */
//! ```
//!
//! Grammar, line by line (`{x}` any number of times, `[x]` optional, quotes around literal text):
//!
//! ```text
//! header       = "/*" newline { line newline } " */"
//! line         = " * " key [ settings ] ": " value  |  " *   " more-of-the-value
//! settings     = "[" setting { ", " setting } "]"          only after expect, states, transitions
//! setting      = NAME "=" integer
//!
//! title        = text                                       exactly once
//! topic        = the title of a Topic                       exactly once
//! level        = "1" | "2" | "3"                            exactly once
//! lesson       = text                                       exactly once
//! see          = file-name { ", " file-name }               at most once, names without ".pml"
//! parameters   = NAME "=" default " " min ".." max " " text   any number of times
//! expect       = "safety holds" | "safety violated" kind
//!              | "ltl" NAME [ "fair" ] ( "holds" | "violated" )
//!              | "progress" [ "fair" ] ( "holds" | "violated" )   at least once
//! kind         = "assertion" | "invalid-end-state" | "run-time-error" | "trace"
//! states       = positive integer                           any number of times
//! transitions  = positive integer                           any number of times
//! ```
//!
//! Keys may come in any order. Settings are values of declared parameters, within their ranges;
//! parameters that are not set have their defaults. The same settings may occur once per
//! property, once under `states` and once under `transitions`.
//!
//! - `safety` covers assertions, invalid end states, run-time errors and trace assertions, and
//!   ignores `ltl` blocks. If several kinds of error can be found, `kind` names the only one.
//! - `fair` means: under weak fairness.
//! - `progress` means: there is no cycle without progress.
//! - `states` and `transitions` are those of a full safety search without any reduction that goes
//!   on after errors (SPIN's way of counting).
//!
//! # The text of a model
//!
//! A parameter `N` is a macro that a definition on the command line may replace, so the text
//! contains `#ifndef N`, `#define N <default>`, `#endif`. Every `ltl` block has an expectation.
//! The tests of this crate check all this for every file.

#![forbid(unsafe_code)]

mod entries;
mod header;
mod parse;

pub use entries::{ENTRIES, Entry, find};
pub use header::{
    Count, ErrorKind, Expectation, ExpectedVerdict, Header, Parameter, Property, Setting, Topic,
};
pub use parse::{HeaderError, parse};
