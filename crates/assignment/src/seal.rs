//! Hidden parts of a student's edition: compressed and encrypted against casual reading.
//!
//! **This is obscurity, not secrecy.** The key is made of what stands in the same file, since the
//! student's own browser has to open the seal for its self-check; whoever wants to read the hidden
//! checks can. What counts is grading with the teacher's file, and an edition that leaves them out.

use crate::limits::SEALED_BYTES;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{ChaCha20Poly1305, Key, Nonce};
use promenade_protocol::link::{from_base64, to_base64};

/// Version of the seal, its first character.
const VERSION: char = '1';
/// Characters of a line.
const WIDTH: usize = 76;

/// FNV-1a with another start for each seed. A part of the format: seals that were made have to open
/// for ever, so it is not shared with anything that may change.
fn hash_bytes(seed: u64, bytes: &[u8]) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bytes
        .iter()
        .fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// Thirty-two bytes of a text.
fn key(id: &str) -> Key {
    let mut key = [0; 32];
    for (number, part) in key.chunks_mut(8).enumerate() {
        let seed = 0x7072_6f6d_656e_6164 ^ number as u64;
        part.copy_from_slice(&hash_bytes(seed, id.as_bytes()).to_le_bytes());
    }
    key.into()
}

/// Twelve bytes that differ where the content does; the same content gives the same seal.
fn nonce(content: &[u8]) -> [u8; 12] {
    let mut nonce = [0; 12];
    let words = [hash_bytes(1, content), hash_bytes(2, content)];
    for (byte, from) in nonce.iter_mut().zip(words.iter().flat_map(|word| word.to_le_bytes())) {
        *byte = from;
    }
    nonce
}

/// Seals a text for the assignment with this name. `None` if it is too long.
pub(crate) fn seal(id: &str, text: &str) -> Option<String> {
    if text.len() > SEALED_BYTES {
        return None;
    }
    let deflated = miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 9);
    let nonce = nonce(&deflated);
    let cipher = ChaCha20Poly1305::new(&key(id));
    let payload = Payload { msg: &deflated, aad: id.as_bytes() };
    let mut bytes = nonce.to_vec();
    bytes.extend(cipher.encrypt(&Nonce::from(nonce), payload).ok()?);
    let text = format!("{VERSION}{}", to_base64(&bytes));
    let mut lines = String::with_capacity(text.len() + text.len() / WIDTH + 1);
    // Base64 is ASCII, so every chunk is text.
    for chunk in text.as_bytes().chunks(WIDTH) {
        lines.push_str(std::str::from_utf8(chunk).unwrap_or(""));
        lines.push('\n');
    }
    Some(lines)
}

/// Opens a seal; an error says why it cannot be opened.
pub(crate) fn open(id: &str, sealed: &str) -> Result<String, &'static str> {
    const DAMAGED: &str = "the sealed part is damaged, or belongs to another assignment";
    let text: String = sealed.split_whitespace().collect();
    let inside = text
        .strip_prefix(VERSION)
        .ok_or("the sealed part was made by a newer version of Promenade, or is none")?;
    let bytes = from_base64(inside).map_err(|_| DAMAGED)?;
    let (nonce, rest) = bytes.split_first_chunk::<12>().ok_or(DAMAGED)?;
    let cipher = ChaCha20Poly1305::new(&key(id));
    let payload = Payload { msg: rest, aad: id.as_bytes() };
    let deflated = cipher.decrypt(&Nonce::from(*nonce), payload).map_err(|_| DAMAGED)?;
    let bytes = miniz_oxide::inflate::decompress_to_vec_with_limit(&deflated, SEALED_BYTES)
        .map_err(|_| "the sealed part is larger than one may be")?;
    String::from_utf8(bytes).map_err(|_| DAMAGED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sealed_comes_back() {
        let text = "```task\nid: a\nreference: [] (péché)\n```\n".repeat(50);
        let sealed = seal("a-1", &text).unwrap();
        assert!(!sealed.contains("reference") && sealed.len() < text.len());
        assert!(sealed.lines().all(|line| line.len() <= WIDTH));
        assert_eq!(open("a-1", &sealed).as_deref(), Ok(text.as_str()));
        assert_eq!(seal("a-1", &text), Some(sealed.clone()), "sealing is reproducible");
        assert_eq!(open("a-1", &sealed.replace('\n', "\r\n ")).as_deref(), Ok(text.as_str()));
    }

    #[test]
    fn damage_is_noticed() {
        let sealed = seal("a-1", "hidden").unwrap();
        assert!(open("a-2", &sealed).is_err());
        assert!(open("a-1", &sealed[..sealed.len() - 4]).is_err());
        let other = if sealed.as_bytes()[30] == b'A' { "B" } else { "A" };
        let mut changed = sealed.clone();
        changed.replace_range(30..31, other);
        assert!(open("a-1", &changed).is_err());
        for text in ["", "1", "2abc", "1é", "1AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"] {
            assert!(open("a-1", text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_bomb_is_refused() {
        assert_eq!(seal("a", &"x".repeat(SEALED_BYTES + 1)), None);
    }
}
