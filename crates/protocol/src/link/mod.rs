//! Links: an experiment with its counterexample in the fragment of an address.
//!
//! ```text
//! fragment = "#" target { "&" key "=" value }
//! target   = "1" base64url            version 1, see below
//!          | "ex=" name               a model of the gallery
//!          | "assignment=" name       an assignment of the gallery
//! ```
//!
//! The base64url text (RFC 4648 section 5, no padding) holds raw deflate (RFC 1951) of a frame: three
//! bytes of checksum (FNV-1a of the rest, folded), then sections. A section is its number, its
//! length, its bytes; numbers are varints (seven bits a byte, lowest first). Sections with unknown
//! numbers are skipped. Side keys (`view`, `step`) are readable and may be dropped; unknown ones are
//! ignored.
//!
//! **Decoders are kept.** What version 1 wrote, every later Promenade reads.

mod base64;
mod frame;
mod settings;
#[cfg(test)]
mod tests;

use crate::Experiment;
use std::fmt;

/// More characters than this are not looked at.
pub const MAX_CHARACTERS: usize = 2 << 20;
/// Bytes after inflating; more is refused before it is made.
pub const MAX_BYTES: usize = 4 << 20;
/// Files in a link.
pub const MAX_FILES: usize = 200;
/// Choices in a link.
pub const MAX_CHOICES: usize = 2_000_000;

/// A counterexample: choice numbers in the fixed order of successors.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trail {
    /// One per stored state, see [`crate::Trace::choices`].
    pub choices: Vec<u32>,
    /// Checksum of the last state, see [`crate::Trace::checksum`].
    pub checksum: u32,
    /// For an infinite run: how many choices come before its cycle.
    pub stem: Option<u32>,
}

/// What a link carries.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Link {
    /// Files, property, settings.
    pub experiment: Experiment,
    /// A counterexample.
    pub trail: Option<Trail>,
    /// Free text of who made the link; empty if there is none.
    pub notes: String,
    /// Version of the checker that made it; empty if unknown.
    pub version: String,
}

/// What an address points to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Target {
    /// Nothing: an empty fragment, or side keys only.
    #[default]
    Nothing,
    /// A model of the gallery.
    Example(String),
    /// An assignment of the gallery.
    Assignment(String),
    /// Everything is in the link.
    Content(Box<Link>),
}

/// A fragment, read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fragment {
    /// What to open.
    pub target: Target,
    /// `&view=`: the part of the result to show.
    pub view: Option<String>,
    /// `&step=`: the step of the counterexample to show.
    pub step: Option<u32>,
}

/// Why a link cannot be read. The text of each is a sentence for the user.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkError {
    /// It begins with something that is no version.
    NotALink,
    /// It begins with a version of the future.
    NewerVersion,
    /// A section or setting of the future that cannot be left out without changing the meaning.
    NewerContent,
    /// More characters than [`MAX_CHARACTERS`].
    TooLong,
    /// More bytes than [`MAX_BYTES`] after inflating, or too many parts.
    TooLarge,
    /// A character that does not belong into a link.
    BadCharacter,
    /// It ends too early: something was cut off.
    CutOff,
    /// Its bytes are not what was written.
    Damaged,
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotALink => {
                "This is not a link to a model: the part behind # does not begin as such a link does."
            }
            Self::NewerVersion => {
                "This link was made by a newer version of Promenade. Reload the page to get it."
            }
            Self::NewerContent => {
                "This link asks for something that only a newer version of Promenade can do. \
                 Reload the page to get it."
            }
            Self::TooLong => "This link is too long to be read. Ask for the model as a file.",
            Self::TooLarge => {
                "What this link contains is larger than a link may be, so it was not opened."
            }
            Self::BadCharacter => {
                "This link contains characters that do not belong there. Copy it again, whole."
            }
            Self::CutOff => {
                "The end of this link is missing. Some programs cut long links: copy it again, \
                 whole, or ask for the model as a file."
            }
            Self::Damaged => "This link is damaged: it was changed on its way. Copy it again.",
        })
    }
}

impl std::error::Error for LinkError {}

/// The fragment of a link, without `#` and side keys.
///
/// Not everything can be written: what the decoder would refuse is an error here already.
pub fn encode(link: &Link) -> Result<String, LinkError> {
    let frame = frame::write(link)?;
    if frame.len() > MAX_BYTES {
        return Err(LinkError::TooLarge);
    }
    let deflated = miniz_oxide::deflate::compress_to_vec(&frame, 10);
    let mut text = String::from("1");
    base64::encode(&deflated, &mut text);
    if text.len() > MAX_CHARACTERS {
        return Err(LinkError::TooLong);
    }
    Ok(text)
}

/// Writes a whole fragment, without `#`.
pub fn write(fragment: &Fragment) -> Result<String, LinkError> {
    let mut text = match &fragment.target {
        Target::Nothing => String::new(),
        Target::Example(name) if is_word(name) => format!("ex={name}"),
        Target::Assignment(name) if is_word(name) => format!("assignment={name}"),
        Target::Example(_) | Target::Assignment(_) => return Err(LinkError::BadCharacter),
        Target::Content(link) => encode(link)?,
    };
    let view = fragment.view.as_ref().filter(|view| is_word(view));
    let step = fragment.step.map(|step| step.to_string());
    for (key, value) in [("view", view.cloned()), ("step", step)] {
        if let Some(value) = value {
            let separator = if text.is_empty() { "" } else { "&" };
            text.push_str(&format!("{separator}{key}={value}"));
        }
    }
    Ok(text)
}

/// Reads a fragment, with or without `#`, or a whole address.
pub fn parse(text: &str) -> Result<Fragment, LinkError> {
    if text.len() > MAX_CHARACTERS {
        return Err(LinkError::TooLong);
    }
    let text = text.trim();
    let text = text.split_once('#').map_or(text, |(_, fragment)| fragment);
    let mut fragment = Fragment::default();
    for (number, part) in text.split('&').enumerate() {
        match part.split_once('=') {
            Some(("ex", name)) if is_word(name) => {
                fragment.target = Target::Example(name.to_owned());
            }
            Some(("assignment", name)) if is_word(name) => {
                fragment.target = Target::Assignment(name.to_owned());
            }
            Some(("ex" | "assignment", _)) => return Err(LinkError::BadCharacter),
            Some(("view", value)) if is_word(value) => fragment.view = Some(value.to_owned()),
            Some(("step", value)) => fragment.step = value.parse().ok(),
            Some((key, _)) if is_word(key) && !looks_like_payload(key) => {}
            _ if number == 0 && !part.is_empty() => {
                fragment.target = Target::Content(Box::new(payload(part)?));
            }
            _ => {}
        }
    }
    Ok(fragment)
}

/// Bytes as text for files and addresses: base64url without padding.
pub fn to_base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() / 3 * 4 + 4);
    base64::encode(bytes, &mut text);
    text
}

/// The bytes of such a text.
///
/// # Errors
/// It is cut off, or has other characters.
pub fn from_base64(text: &str) -> Result<Vec<u8>, LinkError> {
    base64::decode(text)
}

/// A key is short; what begins with a digit is a payload with padding.
fn looks_like_payload(key: &str) -> bool {
    key.starts_with(|c: char| c.is_ascii_digit())
}

fn is_word(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    !text.is_empty() && text.len() <= 100 && text.chars().all(fits)
}

fn payload(text: &str) -> Result<Link, LinkError> {
    let mut characters = text.chars();
    match characters.next() {
        Some('1') => {}
        Some('2'..='9') => return Err(LinkError::NewerVersion),
        _ => return Err(LinkError::NotALink),
    }
    let deflated = base64::decode(characters.as_str())?;
    let frame = inflate(&deflated)?;
    frame::read(&frame)
}

fn inflate(deflated: &[u8]) -> Result<Vec<u8>, LinkError> {
    use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};
    decompress_to_vec_with_limit(deflated, MAX_BYTES).map_err(|error| match error.status {
        TINFLStatus::HasMoreOutput => LinkError::TooLarge,
        TINFLStatus::FailedCannotMakeProgress | TINFLStatus::NeedsMoreInput => LinkError::CutOff,
        _ => LinkError::Damaged,
    })
}
