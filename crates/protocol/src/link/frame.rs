//! The frame: checksum and length-prefixed sections.

use super::{Link, LinkError, MAX_CHOICES, MAX_FILES, Trail, settings};
use crate::File;

/// Numbers of sections. They are never used for anything else.
const FILE: u64 = 1;
const SETTINGS: u64 = 2;
const TRAIL: u64 = 3;
const NOTES: u64 = 4;
const VERSION: u64 = 5;
const STEM: u64 = 6;

const CHECK_BYTES: usize = 3;

/// FNV-1a (Fowler, Noll, Vo), 32 bits folded to 24.
fn check(bytes: &[u8]) -> [u8; CHECK_BYTES] {
    let hash =
        bytes.iter().fold(0x811c_9dc5_u32, |h, b| (h ^ u32::from(*b)).wrapping_mul(0x0100_0193));
    let folded = (hash >> 24 ^ hash) & 0xff_ffff;
    [folded as u8, (folded >> 8) as u8, (folded >> 16) as u8]
}

/// Appends a varint.
pub(super) fn put_number(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a length and bytes.
pub(super) fn put_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    put_number(bytes.len() as u64, out);
    out.extend_from_slice(bytes);
}

/// Reads what the functions above write.
pub(super) struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn number(&mut self) -> Result<u64, LinkError> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first().ok_or(LinkError::CutOff)?;
            self.0 = rest;
            let part = u64::from(byte & 0x7f);
            if shift == 63 && part > 1 {
                return Err(LinkError::Damaged);
            }
            value |= part << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(LinkError::Damaged)
    }

    pub(super) fn small(&mut self) -> Result<u32, LinkError> {
        u32::try_from(self.number()?).map_err(|_| LinkError::Damaged)
    }

    pub(super) fn bytes(&mut self) -> Result<&'a [u8], LinkError> {
        let length = usize::try_from(self.number()?).map_err(|_| LinkError::Damaged)?;
        if length > self.0.len() {
            return Err(LinkError::CutOff);
        }
        let (bytes, rest) = self.0.split_at(length);
        self.0 = rest;
        Ok(bytes)
    }
}

pub(super) fn text(bytes: &[u8]) -> Result<String, LinkError> {
    String::from_utf8(bytes.to_vec()).map_err(|_| LinkError::Damaged)
}

pub(super) fn write(link: &Link) -> Result<Vec<u8>, LinkError> {
    let experiment = &link.experiment;
    let choices = link.trail.as_ref().map_or(0, |trail| trail.choices.len());
    if experiment.files.len() > MAX_FILES || choices > MAX_CHOICES {
        return Err(LinkError::TooLarge);
    }
    let mut out = vec![0; CHECK_BYTES];
    let mut section = |number: u64, bytes: &[u8]| {
        put_number(number, &mut out);
        put_bytes(bytes, &mut out);
    };
    for file in &experiment.files {
        let mut bytes = Vec::with_capacity(file.text.len() + file.name.len() + 2);
        put_bytes(file.name.as_bytes(), &mut bytes);
        bytes.extend_from_slice(file.text.as_bytes());
        section(FILE, &bytes);
    }
    let bytes = settings::write(&experiment.property, &experiment.settings);
    if !bytes.is_empty() {
        section(SETTINGS, &bytes);
    }
    if let Some(trail) = &link.trail {
        let mut bytes = trail.checksum.to_le_bytes().to_vec();
        for choice in &trail.choices {
            put_number(u64::from(*choice), &mut bytes);
        }
        section(TRAIL, &bytes);
        if let Some(stem) = trail.stem {
            let mut bytes = Vec::new();
            put_number(u64::from(stem), &mut bytes);
            section(STEM, &bytes);
        }
    }
    for (number, text) in [(NOTES, &link.notes), (VERSION, &link.version)] {
        if !text.is_empty() {
            section(number, text.as_bytes());
        }
    }
    seal(&mut out);
    Ok(out)
}

/// Writes the checksum in front of the sections.
pub(super) fn seal(frame: &mut [u8]) {
    if let Some((sum, sections)) = frame.split_at_mut_checked(CHECK_BYTES) {
        sum.copy_from_slice(&check(sections));
    }
}

pub(super) fn read(bytes: &[u8]) -> Result<Link, LinkError> {
    let (sum, bytes) = bytes.split_at_checked(CHECK_BYTES).ok_or(LinkError::CutOff)?;
    if sum != check(bytes) {
        return Err(LinkError::Damaged);
    }
    let mut link = Link::default();
    // What a link without a section for them means.
    (link.experiment.property, link.experiment.settings) = settings::read(&[])?;
    let mut stem = None;
    let mut reader = Reader(bytes);
    while !reader.is_empty() {
        let number = reader.number()?;
        let bytes = reader.bytes()?;
        match number {
            FILE => {
                let mut reader = Reader(bytes);
                let name = text(reader.bytes()?)?;
                let file = File { name, text: text(reader.0)? };
                link.experiment.files.push(file);
                if link.experiment.files.len() > MAX_FILES {
                    return Err(LinkError::TooLarge);
                }
            }
            SETTINGS => {
                let (property, settings) = settings::read(bytes)?;
                (link.experiment.property, link.experiment.settings) = (property, settings);
            }
            STEM => stem = Some(Reader(bytes).small()?),
            TRAIL => link.trail = Some(trail(bytes)?),
            NOTES => link.notes = text(bytes)?,
            VERSION => link.version = text(bytes)?,
            _ => {}
        }
    }
    if let Some(trail) = &mut link.trail {
        trail.stem = stem;
    }
    Ok(link)
}

fn trail(bytes: &[u8]) -> Result<Trail, LinkError> {
    let (checksum, rest) = bytes.split_first_chunk::<4>().ok_or(LinkError::CutOff)?;
    let mut trail = Trail { checksum: u32::from_le_bytes(*checksum), ..Trail::default() };
    let mut reader = Reader(rest);
    while !reader.is_empty() {
        if trail.choices.len() >= MAX_CHOICES {
            return Err(LinkError::TooLarge);
        }
        trail.choices.push(reader.small()?);
    }
    Ok(trail)
}
