//! Property and settings in few bytes: only what differs from the defaults of version 1.
//!
//! A list of entries. An entry is a tag (`key * 4 + critical * 2 + kind`) and a value: kind 0 is a
//! varint, kind 1 a length and bytes. Unknown entries are skipped unless they are critical, that is,
//! unless the result would mean something else without them.

use super::LinkError;
use super::frame::{Reader, put_bytes, put_number, text};
use crate::{
    DeadVariables, Define, Emptiness, Fairness, Probing, Property, Proviso, Reduction, Search,
    Settings, Store, WriteOnly,
};

/// Keys. They are never used for anything else.
mod key {
    pub const SEARCH: u64 = 1;
    pub const ALL_ERRORS: u64 = 2;
    pub const STOP_AT: u64 = 3;
    pub const KEEP_VIOLATIONS: u64 = 4;
    pub const MEMORY_MIB: u64 = 5;
    pub const DEPTH_LIMIT: u64 = 6;
    pub const STATE_LIMIT: u64 = 7;
    pub const TIME_LIMIT: u64 = 8;
    pub const ASSERTIONS: u64 = 9;
    pub const END_STATES: u64 = 10;
    pub const EMPTY_CHANNELS: u64 = 11;
    pub const LOSE_MESSAGES: u64 = 12;
    pub const INNER_UNLESS: u64 = 13;
    pub const DEFINE: u64 = 14;
    pub const CLAIM: u64 = 15;
    pub const LTL: u64 = 16;
    pub const FORMULA: u64 = 17;
    pub const ACCEPTANCE: u64 = 18;
    pub const PROGRESS: u64 = 19;
    pub const FAIRNESS: u64 = 20;
    pub const EMPTINESS: u64 = 21;
    pub const STORE: u64 = 22;
    pub const HASHES: u64 = 23;
    pub const CELL_BITS: u64 = 24;
    pub const SEED: u64 = 25;
    pub const REDUCTION: u64 = 26;
    pub const SHUFFLE: u64 = 27;
    pub const CHAIN: u64 = 28;
    pub const MERGE: u64 = 29;
    pub const PROVISO: u64 = 30;
    pub const PROBING: u64 = 31;
    pub const DEAD_VARIABLES: u64 = 32;
    pub const WRITE_ONLY: u64 = 33;
}

const CRITICAL: u64 = 2;
const BYTES: u64 = 1;
/// Macros in a link.
const MAX_DEFINES: usize = 1000;

/// The settings that a link without entries means. Frozen: links leave them out.
fn version_1() -> Settings {
    Settings {
        search: Search::DepthFirst,
        all_errors: false,
        stop_at: None,
        keep_violations: 20,
        memory_mib: 512,
        depth_limit: None,
        state_limit: None,
        time_limit_seconds: None,
        assertions: true,
        end_states: true,
        empty_channels_at_end: false,
        lose_messages: false,
        inner_unless_first: false,
        fairness: Fairness::None,
        emptiness: Emptiness::Automatic,
        store: Store::Exact,
        hashes: 3,
        probing: Probing::Triple,
        cell_bits: 32,
        chain: 9,
        seed: 0,
        reduction: Reduction::None,
        proviso: Proviso::Automatic,
        merge: false,
        dead_variables: DeadVariables::Keep,
        write_only: WriteOnly::Keep,
        shuffle: 0,
        defines: Vec::new(),
    }
}

pub(super) fn write(property: &Property, settings: &Settings) -> Vec<u8> {
    let base = version_1();
    let mut out = Vec::new();
    let mut number = |key: u64, differs: bool, critical: u64, value: u64| {
        if differs {
            put_number(key * 4 + critical, &mut out);
            put_number(value, &mut out);
        }
    };
    let search = match settings.search {
        Search::DepthFirst => 0,
        Search::BreadthFirst => 1,
    };
    number(key::SEARCH, settings.search != base.search, 0, search);
    let mut flag = |key, value: bool, base: bool, critical| {
        number(key, value != base, critical, u64::from(value));
    };
    flag(key::ALL_ERRORS, settings.all_errors, base.all_errors, 0);
    flag(key::ASSERTIONS, settings.assertions, base.assertions, CRITICAL);
    flag(key::END_STATES, settings.end_states, base.end_states, CRITICAL);
    flag(key::EMPTY_CHANNELS, settings.empty_channels_at_end, base.empty_channels_at_end, CRITICAL);
    flag(key::LOSE_MESSAGES, settings.lose_messages, base.lose_messages, CRITICAL);
    flag(key::INNER_UNLESS, settings.inner_unless_first, base.inner_unless_first, CRITICAL);
    let weak = u64::from(settings.fairness == Fairness::Weak);
    number(key::FAIRNESS, settings.fairness != base.fairness, CRITICAL, weak);
    let emptiness = match settings.emptiness {
        Emptiness::Automatic => 0,
        Emptiness::NestedDfs => 1,
        Emptiness::Couvreur => 2,
        Emptiness::CouvreurShy => 3,
        Emptiness::CouvreurWithoutRem => 4,
        Emptiness::GeneralisedNestedDfs => 5,
        Emptiness::OriginalNestedDfs => 6,
        Emptiness::GeldenhuysValmari => 7,
    };
    number(key::EMPTINESS, settings.emptiness != base.emptiness, 0, emptiness);
    let store = match settings.store {
        Store::Exact => 0,
        Store::Automatic => 1,
        Store::Collapse => 2,
        Store::Caching => 3,
        Store::HashCompact => 4,
        Store::Bitstate => 5,
        Store::Automaton => 6,
        Store::Delta => 7,
    };
    number(key::STORE, settings.store != base.store, 0, store);
    number(key::HASHES, settings.hashes != base.hashes, 0, u64::from(settings.hashes));
    number(key::CELL_BITS, settings.cell_bits != base.cell_bits, 0, settings.cell_bits.into());
    number(key::MERGE, settings.merge != base.merge, 0, u64::from(settings.merge));
    let reset = u64::from(settings.dead_variables == DeadVariables::Reset);
    number(key::DEAD_VARIABLES, settings.dead_variables != base.dead_variables, 0, reset);
    let left_out = u64::from(settings.write_only == WriteOnly::LeaveOut);
    number(key::WRITE_ONLY, settings.write_only != base.write_only, 0, left_out);
    number(key::CHAIN, settings.chain != base.chain, 0, u64::from(settings.chain));
    number(key::SEED, settings.seed != base.seed, 0, u64::from(settings.seed));
    number(key::SHUFFLE, settings.shuffle != base.shuffle, 0, u64::from(settings.shuffle));
    let reduction = match settings.reduction {
        Reduction::None => 0,
        Reduction::AmpleSets => 1,
        Reduction::Automatic => 2,
    };
    number(key::REDUCTION, settings.reduction != base.reduction, 0, reduction);
    let proviso = match settings.proviso {
        Proviso::Automatic => 0,
        Proviso::Dynamic => 1,
        Proviso::Static => 2,
    };
    number(key::PROVISO, settings.proviso != base.proviso, 0, proviso);
    let probing = match settings.probing {
        Probing::Double => 0,
        Probing::EnhancedDouble => 1,
        Probing::Triple => 2,
        Probing::Independent => 3,
        Probing::Blocked => 4,
    };
    number(key::PROBING, settings.probing != base.probing, 0, probing);
    let differs = settings.keep_violations != base.keep_violations;
    number(key::KEEP_VIOLATIONS, differs, 0, u64::from(settings.keep_violations));
    let differs = settings.memory_mib != base.memory_mib;
    number(key::MEMORY_MIB, differs, 0, u64::from(settings.memory_mib));
    let limits = [
        (key::STOP_AT, settings.stop_at),
        (key::DEPTH_LIMIT, settings.depth_limit),
        (key::STATE_LIMIT, settings.state_limit),
        (key::TIME_LIMIT, settings.time_limit_seconds),
    ];
    for (key, limit) in limits {
        number(key, limit.is_some(), 0, u64::from(limit.unwrap_or(0)));
    }
    for define in &settings.defines {
        let value = define.value.as_ref().map_or(String::new(), |value| format!("={value}"));
        put_number(key::DEFINE * 4 + CRITICAL + BYTES, &mut out);
        put_bytes(format!("{}{value}", define.name).as_bytes(), &mut out);
    }
    let (key, text) = match property {
        Property::Safety => return out,
        Property::Claim { name } => (key::CLAIM, name.as_deref()),
        Property::Ltl { name } => (key::LTL, name.as_deref()),
        Property::Formula { text } => (key::FORMULA, Some(text.as_str())),
        Property::Acceptance { claim } => (key::ACCEPTANCE, claim.as_deref()),
        Property::Progress => (key::PROGRESS, None),
    };
    put_number(key * 4 + CRITICAL + BYTES, &mut out);
    put_bytes(text.unwrap_or("").as_bytes(), &mut out);
    out
}

pub(super) fn read(bytes: &[u8]) -> Result<(Property, Settings), LinkError> {
    let (mut property, mut settings) = (Property::default(), version_1());
    let mut reader = Reader(bytes);
    while !reader.is_empty() {
        let tag = reader.number()?;
        let critical = tag & CRITICAL != 0;
        let known = if tag & BYTES != 0 {
            entry_of_bytes(tag / 4, reader.bytes()?, &mut property, &mut settings)?
        } else {
            entry_of_number(tag / 4, reader.number()?, &mut settings)?
        };
        if !known && critical {
            return Err(LinkError::NewerContent);
        }
    }
    Ok((property, settings))
}

fn entry_of_number(key: u64, value: u64, settings: &mut Settings) -> Result<bool, LinkError> {
    let small = u32::try_from(value).map_err(|_| LinkError::Damaged);
    let flag = value != 0;
    match key {
        key::SEARCH => {
            settings.search = match value {
                0 => Search::DepthFirst,
                1 => Search::BreadthFirst,
                _ => return Ok(false),
            }
        }
        key::ALL_ERRORS => settings.all_errors = flag,
        key::STOP_AT => settings.stop_at = Some(small?),
        key::KEEP_VIOLATIONS => settings.keep_violations = small?,
        key::MEMORY_MIB => settings.memory_mib = small?,
        key::DEPTH_LIMIT => settings.depth_limit = Some(small?),
        key::STATE_LIMIT => settings.state_limit = Some(small?),
        key::TIME_LIMIT => settings.time_limit_seconds = Some(small?),
        key::ASSERTIONS => settings.assertions = flag,
        key::END_STATES => settings.end_states = flag,
        key::EMPTY_CHANNELS => settings.empty_channels_at_end = flag,
        key::LOSE_MESSAGES => settings.lose_messages = flag,
        key::INNER_UNLESS => settings.inner_unless_first = flag,
        key::FAIRNESS => {
            settings.fairness = match value {
                0 => Fairness::None,
                1 => Fairness::Weak,
                _ => return Ok(false),
            }
        }
        key::EMPTINESS => {
            settings.emptiness = match value {
                0 => Emptiness::Automatic,
                1 => Emptiness::NestedDfs,
                2 => Emptiness::Couvreur,
                3 => Emptiness::CouvreurShy,
                4 => Emptiness::CouvreurWithoutRem,
                5 => Emptiness::GeneralisedNestedDfs,
                6 => Emptiness::OriginalNestedDfs,
                7 => Emptiness::GeldenhuysValmari,
                _ => return Ok(false),
            }
        }
        key::STORE => {
            settings.store = match value {
                0 => Store::Exact,
                1 => Store::Automatic,
                2 => Store::Collapse,
                3 => Store::Caching,
                4 => Store::HashCompact,
                5 => Store::Bitstate,
                6 => Store::Automaton,
                7 => Store::Delta,
                _ => return Ok(false),
            }
        }
        key::HASHES => settings.hashes = small?,
        key::CELL_BITS => settings.cell_bits = small?,
        key::SEED => settings.seed = small?,
        key::CHAIN => settings.chain = small?,
        key::MERGE => settings.merge = flag,
        key::DEAD_VARIABLES => {
            settings.dead_variables = match value {
                0 => DeadVariables::Keep,
                1 => DeadVariables::Reset,
                _ => return Ok(false),
            }
        }
        key::WRITE_ONLY => {
            settings.write_only = match value {
                0 => WriteOnly::Keep,
                1 => WriteOnly::LeaveOut,
                _ => return Ok(false),
            }
        }
        key::SHUFFLE => settings.shuffle = small?,
        key::PROVISO => {
            settings.proviso = match value {
                0 => Proviso::Automatic,
                1 => Proviso::Dynamic,
                2 => Proviso::Static,
                _ => return Ok(false),
            }
        }
        key::PROBING => {
            settings.probing = match value {
                0 => Probing::Double,
                1 => Probing::EnhancedDouble,
                2 => Probing::Triple,
                3 => Probing::Independent,
                4 => Probing::Blocked,
                _ => return Ok(false),
            }
        }
        key::REDUCTION => {
            settings.reduction = match value {
                0 => Reduction::None,
                1 => Reduction::AmpleSets,
                2 => Reduction::Automatic,
                _ => return Ok(false),
            }
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn entry_of_bytes(
    key: u64,
    value: &[u8],
    property: &mut Property,
    settings: &mut Settings,
) -> Result<bool, LinkError> {
    let value = || text(value);
    match key {
        key::DEFINE => {
            let text = value()?;
            let (name, value) = match text.split_once('=') {
                Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                None => (text, None),
            };
            settings.defines.push(Define { name, value });
            if settings.defines.len() > MAX_DEFINES {
                return Err(LinkError::TooLarge);
            }
        }
        key::CLAIM => {
            let name = value()?;
            *property = Property::Claim { name: (!name.is_empty()).then_some(name) };
        }
        key::LTL => {
            let name = value()?;
            *property = Property::Ltl { name: (!name.is_empty()).then_some(name) };
        }
        key::FORMULA => *property = Property::Formula { text: value()? },
        key::ACCEPTANCE => {
            let name = value()?;
            *property = Property::Acceptance { claim: (!name.is_empty()).then_some(name) };
        }
        key::PROGRESS => *property = Property::Progress,
        _ => return Ok(false),
    }
    Ok(true)
}
