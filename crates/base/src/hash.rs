//! Seeded 128-bit hashing of state vectors.
//!
//! The mixing step multiplies two 64-bit words to 128 bits and folds the halves, the construction
//! of the wyhash family (Wang Yi, public domain description); two independent lanes give 128 bits.
//! Not cryptographic: exact stores compare whole states.

const K: [u64; 4] =
    [0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db, 0x8ebc_6af0_9c88_c6e3, 0x5899_65cc_7537_4cc3];

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let wide = u128::from(a) * u128::from(b);
    (wide as u64) ^ ((wide >> 64) as u64)
}

#[inline(always)]
fn word(bytes: &[u8]) -> u64 {
    match bytes.first_chunk::<8>() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => {
            let mut padded = [0; 8];
            padded[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(padded)
        }
    }
}

/// 64-bit hash of `bytes`, different for different seeds.
#[inline]
pub fn hash64(bytes: &[u8], seed: u64) -> u64 {
    let mut h = seed ^ K[0] ^ (bytes.len() as u64).wrapping_mul(K[3]);
    let mut chunks = bytes.chunks_exact(16);
    for c in &mut chunks {
        h = fold(word(&c[..8]) ^ K[1], word(&c[8..]) ^ h);
    }
    let rest = chunks.remainder();
    if rest.len() > 8 {
        h = fold(word(&rest[..8]) ^ K[1], word(&rest[8..]) ^ h);
    } else if !rest.is_empty() {
        h = fold(word(rest) ^ K[1], h ^ K[2]);
    }
    fold(h ^ K[2], K[3] ^ bytes.len() as u64)
}

/// 128-bit hash of `bytes`: two lanes with different keys.
#[inline]
pub fn hash128(bytes: &[u8], seed: u64) -> u128 {
    let low = hash64(bytes, seed);
    let high = hash64(bytes, seed ^ 0x9e37_79b9_7f4a_7c15);
    u128::from(low) | (u128::from(high) << 64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn short_inputs_do_not_collide() {
        let mut seen = HashSet::new();
        for len in 0..40usize {
            for flip in 0..=len {
                let mut bytes = vec![0u8; len];
                if flip < len {
                    bytes[flip] = 1;
                }
                assert!(seen.insert(hash64(&bytes, 7)), "length {len}, flip {flip}");
            }
        }
    }

    #[test]
    fn seeds_matter() {
        assert_ne!(hash64(b"state", 1), hash64(b"state", 2));
        assert_ne!(hash128(b"state", 1) as u64, (hash128(b"state", 1) >> 64) as u64);
    }
}
