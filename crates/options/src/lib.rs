//! Every option of a check once, as data: its values, what they mean, how links write them, and what
//! goes with what.
//!
//! The page's rows, the words of the command line and their help, the keys of links, the types of the
//! npm package and the tables of the help are made from this catalogue. A new option is one line in
//! [`settings`], a new store one line in [`stores`], a new search for infinite runs one in
//! [`choices`].
#![forbid(unsafe_code)]

mod choices;
mod field;
pub mod legality;
mod settings;
mod spec;
mod stores;
pub mod words;

pub use choices::{
    DeadVariables, Emptiness, Fairness, Probing, Proviso, Reduction, Search, WriteOnly,
};
pub use field::{Field, Read};
pub use legality::{
    Effect, Idle, Names, Part, Refusal, Subject, Titles, Values, Workers, idle, refusals,
};
pub use settings::{Define, OPTIONS, OptionId, Settings};
pub use spec::{Choice, Group, Kind, OptionSpec, Traits};
pub use stores::Store;
