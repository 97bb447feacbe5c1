//! A number that tells whether a replay arrived at the same state.

use promenade_base::hash::hash64;

/// 32 bits of a hash of a state without its hidden bytes. Links carry it.
pub fn checksum(state: &[u8], hidden_bytes: usize) -> u32 {
    let key = &state[..state.len().saturating_sub(hidden_bytes)];
    let hash = hash64(key, 0x7472_6169_6c00);
    (hash ^ (hash >> 32)) as u32
}
