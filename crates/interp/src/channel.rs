//! Channels as bytes: the length, then the slots, oldest message first, free slots zero.

use crate::eval::Context;
use crate::program::{CType, ChannelRef, Pat, Program};

/// Messages in a channel.
#[inline]
pub(crate) fn length(p: &Program, s: &[u8], q: ChannelRef) -> u32 {
    let at = q.offset as usize;
    if p.channel_types[q.ty as usize].length_bytes == 1 {
        u32::from(s[at])
    } else {
        u32::from(u16::from_le_bytes([s[at], s[at + 1]]))
    }
}

fn set_length(ty: &CType, s: &mut [u8], q: ChannelRef, length: u32) {
    let at = q.offset as usize;
    if ty.length_bytes == 1 {
        s[at] = length as u8;
    } else {
        s[at..at + 2].copy_from_slice(&(length as u16).to_le_bytes());
    }
}

/// Where a slot starts.
#[inline]
fn slot(ty: &CType, q: ChannelRef, index: u32) -> usize {
    (q.offset + ty.length_bytes + index * ty.message_bytes) as usize
}

/// The field of a message in a channel.
#[inline]
pub(crate) fn field(p: &Program, s: &[u8], q: ChannelRef, index: u32, field: usize) -> i32 {
    let ty = &p.channel_types[q.ty as usize];
    match ty.fields.get(field) {
        Some(&(kind, at)) => kind.load(s, slot(ty, q, index) + at as usize),
        None => 0,
    }
}

/// The first message that matches, looking at the oldest only unless `random`.
#[inline]
pub(crate) fn find(
    c: &Context<'_>,
    s: &[u8],
    q: ChannelRef,
    random: bool,
    patterns: &[Pat],
) -> Option<u32> {
    let length = length(c.p, s, q);
    let last = if random { length } else { length.min(1) };
    (0..last).find(|&index| {
        patterns.iter().enumerate().all(|(number, pattern)| match pattern {
            Pat::Match(e) => c.eval(e, s) == field(c.p, s, q, index, number),
            Pat::Store(_) | Pat::Any => true,
        })
    })
}

/// Whether a message at hand matches.
pub(crate) fn matches(c: &Context<'_>, s: &[u8], message: &[i32], patterns: &[Pat]) -> bool {
    patterns.iter().enumerate().all(|(number, pattern)| match pattern {
        Pat::Match(e) => c.eval(e, s) == message.get(number).copied().unwrap_or(0),
        Pat::Store(_) | Pat::Any => true,
    })
}

/// Copies a message out.
pub(crate) fn read(p: &Program, s: &[u8], q: ChannelRef, index: u32, message: &mut Vec<i32>) {
    let ty = &p.channel_types[q.ty as usize];
    let at = slot(ty, q, index);
    message.clear();
    message.extend(ty.fields.iter().map(|&(kind, offset)| kind.load(s, at + offset as usize)));
}

/// Takes a message out and moves the younger ones up.
pub(crate) fn remove(p: &Program, s: &mut [u8], q: ChannelRef, index: u32) {
    let ty = &p.channel_types[q.ty as usize];
    let length = length(p, s, q);
    let (from, end) = (slot(ty, q, index + 1), slot(ty, q, length));
    let to = slot(ty, q, index);
    s.copy_within(from..end, to);
    s[end - ty.message_bytes as usize..end].fill(0);
    set_length(ty, s, q, length - 1);
}

/// Puts a message in (the caller has looked that there is room): at the end, or if `sorted` before
/// the first message that is larger, fields compared from left to right. The values are compared as
/// they are, and cut to the field types when they are stored, as in SPIN.
pub(crate) fn insert(p: &Program, s: &mut [u8], q: ChannelRef, sorted: bool, message: &[i32]) {
    let ty = &p.channel_types[q.ty as usize];
    let length = length(p, s, q);
    let larger = |s: &[u8], index: u32| {
        let at = slot(ty, q, index);
        let there = ty.fields.iter().map(|&(kind, offset)| kind.load(s, at + offset as usize));
        there.cmp(message.iter().copied()) == std::cmp::Ordering::Greater
    };
    let index = if sorted { (0..length).find(|&i| larger(s, i)).unwrap_or(length) } else { length };
    let (at, end) = (slot(ty, q, index), slot(ty, q, length));
    s.copy_within(at..end, at + ty.message_bytes as usize);
    for (&(kind, offset), &value) in ty.fields.iter().zip(message) {
        kind.store(s, at + offset as usize, value);
    }
    set_length(ty, s, q, length + 1);
}
