//! base64url without padding (RFC 4648, section 5).

use super::LinkError;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Appends the text of `bytes`.
pub(super) fn encode(bytes: &[u8], text: &mut String) {
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..=chunk.len() {
            let six = word >> (18 - 6 * place) & 63;
            text.push(char::from(ALPHABET[six as usize]));
        }
    }
}

/// The bytes of a text. Padding and marks that cling to a link in running text (a full stop, a
/// bracket) are taken off its end.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, LinkError> {
    let text = text.trim_end_matches(|c: char| "=.,;:!?)]}>'\"".contains(c));
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut word, mut bits) = (0u32, 0);
    for c in text.bytes() {
        let six = value(c).ok_or(LinkError::BadCharacter)?;
        word = word << 6 | six;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((word >> bits) as u8);
            word &= (1 << bits) - 1;
        }
    }
    // A single character at the end is no byte; bits that are left over are zero.
    if bits == 6 {
        return Err(LinkError::CutOff);
    }
    if word != 0 { Err(LinkError::Damaged) } else { Ok(bytes) }
}

fn value(c: u8) -> Option<u32> {
    Some(u32::from(match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'-' => 62,
        b'_' => 63,
        _ => return None,
    }))
}
