//! Bytes here, UTF-16 units in the browser.

/// The UTF-16 offset of a byte offset; inside a character or past the end it is moved back.
pub fn to_utf16(text: &str, byte: usize) -> usize {
    let mut at = byte.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let head = &text[..at];
    if head.is_ascii() { at } else { head.encode_utf16().count() }
}

/// The byte offset of a UTF-16 offset; inside a character or past the end it is moved back.
pub fn to_byte(text: &str, units: usize) -> usize {
    if text.is_ascii() {
        return units.min(text.len());
    }
    let mut seen = 0;
    for (byte, character) in text.char_indices() {
        if seen + character.len_utf16() > units {
            return byte;
        }
        seen += character.len_utf16();
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let text = "ač€😀b";
        let places = [(0, 0), (1, 1), (3, 2), (6, 3), (10, 5), (11, 6)];
        for (byte, units) in places {
            assert_eq!(to_utf16(text, byte), units);
            assert_eq!(to_byte(text, units), byte);
        }
        assert_eq!(to_utf16(text, 2), 1);
        assert_eq!(to_byte(text, 4), 6);
        assert_eq!(to_utf16(text, 99), 6);
        assert_eq!(to_byte(text, 99), 11);
        assert_eq!(to_byte("ab", 9), 2);
    }
}
