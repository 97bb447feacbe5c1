//! Choice numbers as few bytes: for links.
//!
//! Most steps of a run have few alternatives, and many have one. With the number of alternatives of
//! each step known (the reader replays as it reads, or has [`crate::Replayed::radices`]) a run would
//! take a number in mixed radix; but a link must also be readable when the model has changed, so
//! the code here stands alone: runs of equal numbers, as variable-length numbers.

/// Why bytes are not a list of choices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecodeError {
    /// The bytes end within a number.
    Truncated,
    /// A number does not fit into 32 bits.
    TooLarge,
    /// More choices than the reader takes.
    TooMany,
}

impl std::fmt::Display for DecodeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Truncated => "the run is cut off",
            Self::TooLarge => "the run contains a number that is too large",
            Self::TooMany => "the run is too long",
        })
    }
}

impl std::error::Error for DecodeError {}

fn put(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

fn take(bytes: &mut &[u8]) -> Result<u64, DecodeError> {
    let mut n = 0u64;
    for shift in (0..63).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or(DecodeError::Truncated)?;
        *bytes = rest;
        n |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(n);
        }
    }
    Err(DecodeError::TooLarge)
}

/// Writes choices. Each number is doubled; with one added, how often it comes again follows.
pub fn encode(choices: &[u32]) -> Vec<u8> {
    let mut out = Vec::new();
    for run in choices.chunk_by(|a, b| a == b) {
        let Some(&first) = run.first() else { continue };
        let number = u64::from(first) << 1;
        // A repetition costs at least two bytes: short runs of short numbers are written out.
        if run.len() <= 2 && first < 64 {
            for _ in run {
                put(&mut out, number);
            }
        } else if run.len() == 1 {
            put(&mut out, number);
        } else {
            put(&mut out, number | 1);
            put(&mut out, run.len() as u64 - 2);
        }
    }
    out
}

/// Reads what [`encode`] wrote, at most `limit` choices.
///
/// # Errors
///
/// A [`DecodeError`] if the bytes are not a list of choices; memory use is bounded by `limit`.
pub fn decode(mut bytes: &[u8], limit: usize) -> Result<Vec<u32>, DecodeError> {
    let mut choices = Vec::new();
    while !bytes.is_empty() {
        let number = take(&mut bytes)?;
        let choice = u32::try_from(number >> 1).map_err(|_| DecodeError::TooLarge)?;
        let again = if number & 1 == 1 { take(&mut bytes)?.saturating_add(1) } else { 0 };
        let count = usize::try_from(again).unwrap_or(usize::MAX).saturating_add(1);
        if count > limit.saturating_sub(choices.len()) {
            return Err(DecodeError::TooMany);
        }
        choices.resize(choices.len() + count, choice);
    }
    Ok(choices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_base::random::Random;

    #[test]
    fn what_was_written_is_read() {
        let mut random = Random::new(3);
        for round in 0..3000 {
            let length = random.below(60);
            let mut choices = Vec::new();
            for _ in 0..length {
                let choice = match random.below(4) {
                    0 => random.next_u64() as u32,
                    1 => random.below(200) as u32,
                    _ => random.below(3) as u32,
                };
                choices.resize(choices.len() + 1 + random.below(4), choice);
            }
            let bytes = encode(&choices);
            assert_eq!(decode(&bytes, choices.len()), Ok(choices.clone()), "round {round}");
            if let Some(fewer) = choices.len().checked_sub(1) {
                assert_eq!(decode(&bytes, fewer), Err(DecodeError::TooMany));
            }
        }
        assert_eq!(encode(&vec![0; 1_000_000]).len(), 4);
    }

    #[test]
    fn hostile_bytes_are_refused_within_bounds() {
        let mut random = Random::new(4);
        for _ in 0..20_000 {
            let bytes: Vec<u8> = (0..random.below(12)).map(|_| random.next_u64() as u8).collect();
            if let Ok(choices) = decode(&bytes, 1000) {
                assert!(choices.len() <= 1000);
            }
        }
        assert_eq!(decode(&[0x80], 9), Err(DecodeError::Truncated));
        assert_eq!(decode(&[0xff; 12], 9), Err(DecodeError::TooLarge));
    }
}
