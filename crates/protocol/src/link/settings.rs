//! Property and settings in few bytes: only what differs from what a link leaves unsaid.
//!
//! A list of entries. An entry is a tag (`key * 4 + critical * 2 + kind`) and a value: kind 0 is a
//! varint, kind 1 a length and bytes. Unknown entries are skipped unless they are critical, that is,
//! unless the result would mean something else without them. The keys of options and the numbers of
//! their values stand in the catalogue.

use super::LinkError;
use super::frame::{Reader, put_bytes, put_number, text};
use crate::{Define, OptionId, Property, Settings};
use promenade_options::{Kind, Read};

/// Keys of what is no option of the catalogue. They are never used for anything else.
mod key {
    pub const DEFINE: u64 = 14;
    pub const CLAIM: u64 = 15;
    pub const LTL: u64 = 16;
    pub const FORMULA: u64 = 17;
    pub const ACCEPTANCE: u64 = 18;
    pub const PROGRESS: u64 = 19;
}

const CRITICAL: u64 = 2;
const BYTES: u64 = 1;
/// Macros in a link.
const MAX_DEFINES: usize = 1000;

pub(super) fn write(property: &Property, settings: &Settings) -> Vec<u8> {
    let mut out = Vec::new();
    for id in OptionId::ALL {
        let spec = id.spec();
        let value = settings.get(*id);
        if value != spec.unsaid {
            let critical = if spec.critical { CRITICAL } else { 0 };
            put_number(u64::from(spec.link) * 4 + critical, &mut out);
            put_number(u64::from(value.unwrap_or(0)), &mut out);
        }
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
    let (mut property, mut settings) = (Property::default(), Settings::unsaid());
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
    let mut all = OptionId::ALL.iter();
    let Some(id) = all.find(|id| u64::from(id.spec().link) == key) else { return Ok(false) };
    let value = match (u32::try_from(value), id.spec().kind) {
        (Ok(value), _) => value,
        (Err(_), Kind::Flag) => 1,
        (Err(_), Kind::Choice(_)) => return Ok(false),
        (Err(_), Kind::Number { .. } | Kind::Limit) => return Err(LinkError::Damaged),
    };
    Ok(settings.field_mut(*id).set_number(Some(value)) == Read::Done)
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
