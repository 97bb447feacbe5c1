//! The words of the command line for options and values.

use crate::{Choice, OptionId};

/// The word that chooses an option, with `--`. A flag that is on by default is switched off.
pub fn option(id: OptionId) -> &'static str {
    match id {
        OptionId::Search => "--search",
        OptionId::AllErrors => "--all-errors",
        OptionId::Assertions => "--no-assertions",
        OptionId::EndStates => "--no-end-states",
        OptionId::EmptyChannels => "--empty-channels",
        OptionId::LoseMessages => "--lose-messages",
        OptionId::InnerUnless => "--inner-unless",
        OptionId::Fairness => "--fairness",
        OptionId::Emptiness => "--algorithm",
        OptionId::Store => "--store",
        OptionId::Hashes => "--hashes",
        OptionId::CellBits => "--cell-bits",
        OptionId::Merge => "--merge",
        OptionId::DeadVariables => "--dead-variables",
        OptionId::WriteOnly => "--write-only",
        OptionId::Chain => "--chain",
        OptionId::Seed => "--seed",
        OptionId::Shuffle => "--shuffle",
        OptionId::Reduction => "--reduction",
        OptionId::Proviso => "--proviso",
        OptionId::Probing => "--probing",
        OptionId::KeepViolations => "--keep",
        OptionId::MemoryMib => "--memory",
        OptionId::StopAt => "--stop-at",
        OptionId::DepthLimit => "--depth",
        OptionId::StateLimit => "--states",
        OptionId::TimeLimit => "--time",
    }
}

/// What an option chooses, as a part of a sentence. Two options may choose the same.
pub fn chooses(id: OptionId) -> &'static str {
    match id {
        OptionId::Search => "the order of the search",
        OptionId::AllErrors | OptionId::StopAt => "where to stop",
        OptionId::KeepViolations => "how many errors are kept",
        OptionId::MemoryMib => "the memory",
        OptionId::DepthLimit => "the depth",
        OptionId::StateLimit => "the number of states",
        OptionId::TimeLimit => "the time",
        OptionId::Fairness => "fairness",
        OptionId::Emptiness => "the algorithm",
        OptionId::Store => "the store",
        OptionId::Hashes => "the number of hashes",
        OptionId::Probing => "how bits are placed",
        OptionId::CellBits => "the size of a cell",
        OptionId::Reduction => "the reduction",
        OptionId::Proviso => "the condition on cycles",
        OptionId::DeadVariables => "what becomes of dead variables",
        OptionId::WriteOnly => "what becomes of write-only variables",
        OptionId::Chain => "the length of chains",
        OptionId::Shuffle => "the order of steps",
        OptionId::Seed => "the seed",
        OptionId::Merge => "statement merging",
        OptionId::Assertions => "whether assertions are checked",
        OptionId::EndStates => "whether end states are checked",
        OptionId::EmptyChannels => "what a valid end state is",
        OptionId::LoseMessages => "what full channels do",
        OptionId::InnerUnless => "which escape wins",
    }
}

/// What a value of an option is called.
pub fn a_value(id: OptionId) -> &'static str {
    match id {
        OptionId::Search => "a search",
        OptionId::Fairness => "fairness",
        OptionId::Emptiness => "an algorithm",
        OptionId::Store => "a store",
        OptionId::Probing => "probing",
        OptionId::Reduction => "a reduction",
        OptionId::Proviso => "a condition on cycles",
        other => chooses(other),
    }
}

/// The word for a value.
pub fn value(id: OptionId, choice: &Choice) -> String {
    let short = match (id, choice.id) {
        (OptionId::Search, "depth_first") => "dfs",
        (OptionId::Search, "breadth_first") => "bfs",
        (OptionId::Emptiness, "original_nested_dfs") => "nested-dfs-original",
        (OptionId::Probing, "enhanced_double") => "enhanced",
        (OptionId::Reduction, "automatic") => "auto",
        (OptionId::Reduction, "ample_sets") => "ample",
        (_, id) => return id.replace('_', "-"),
    };
    short.to_owned()
}
