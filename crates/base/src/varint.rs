//! Numbers of variable length: seven bits a byte, the lowest first; the highest bit says that more follow.

/// Hands out the bytes of a number.
#[inline]
pub fn put(mut number: u64, out: &mut impl FnMut(u8)) {
    while number >= 0x80 {
        out(number as u8 | 0x80);
        number >>= 7;
    }
    out(number as u8);
}

/// Reads a number from bytes; `None` if they end before it does, or it is too large.
#[inline]
pub fn read(bytes: &mut impl Iterator<Item = u8>) -> Option<u64> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = bytes.next()?;
        number |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            return Some(number);
        }
        shift += 7;
    }
}

/// Takes a number from the front; see [`read`].
#[inline]
pub fn take(bytes: &mut &[u8]) -> Option<u64> {
    read(&mut std::iter::from_fn(|| {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        Some(*byte)
    }))
}

/// The same for numbers of four bytes.
#[inline]
pub fn take_u32(bytes: &mut &[u8]) -> Option<u32> {
    take(bytes)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut bytes = Vec::new();
            put(number, &mut |byte| bytes.push(byte));
            let mut rest = &[&bytes[..], &[7]].concat()[..];
            assert_eq!((take(&mut rest), rest), (Some(number), &[7][..]));
            assert_eq!(take(&mut &bytes[..bytes.len() - 1]), None);
            assert_eq!(take_u32(&mut &bytes[..]), u32::try_from(number).ok());
        }
        assert_eq!(take(&mut &[0x80; 12][..]), None);
    }
}
