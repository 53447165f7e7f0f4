//! Whitespace collapsing.

use super::characters::{Flags, flags};

/// Whether `text` contains only whitespace.
#[inline]
pub fn is_blank(text: &str) -> bool {
    match text.bytes().find(|byte| *byte > b' ') {
        None => true,
        Some(0..0x80) => false,
        Some(_) => text.chars().all(|character| flags(character).has(Flags::SPACE)),
    }
}

/// Appends `text` to `out`, collapsing each whitespace run to one space.
///
/// `pending_space` carries a space over to the next visible character. None is written at `start`, the start of the
/// line.
pub fn collapse_whitespace(text: &str, out: &mut String, start: usize, pending_space: &mut bool) {
    let trimmed = text.trim_matches(|c: char| c.is_ascii() && c <= ' ');
    if trimmed.is_empty() {
        *pending_space |= !text.is_empty();
        return;
    }
    let bytes = text.as_bytes();
    *pending_space |= bytes[0] <= b' ';
    if is_collapsed(trimmed.as_bytes()) {
        push_run(trimmed, out, start, pending_space);
    } else {
        collapse_slow(trimmed, out, start, pending_space);
    }
    *pending_space |= bytes[bytes.len() - 1] <= b' ';
}

/// Whether a character that starts with this byte may be white space or invisible.
const MAY_BE_SPACE: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(byte, 0..=0x20 | 0xC2 | 0xE1..=0xE3 | 0xEF | 0xF3);
        byte += 1;
    }
    table
};

fn collapse_slow(text: &str, out: &mut String, start: usize, pending_space: &mut bool) {
    let bytes = text.as_bytes();
    let may_be_space = |byte: &u8| MAY_BE_SPACE[usize::from(*byte)];
    let (mut from, mut at) = (0, 0);
    while let Some(ahead) = bytes[at..].iter().position(may_be_space) {
        at += ahead;
        let is_single = bytes[at] == b' ' && at > from;
        if is_single && bytes.get(at + 1).is_some_and(|next| !may_be_space(next)) {
            at += 1;
            continue;
        }
        let Some(character) = text[at..].chars().next() else { break };
        let end = at + character.len_utf8();
        if flags(character).has(Flags::SPACE) {
            push_run(&text[from..at], out, start, pending_space);
            *pending_space |= character.is_whitespace();
            from = end;
        }
        at = end;
    }
    push_run(&text[from..], out, start, pending_space);
}

/// Fast path: printable ASCII with single spaces needs no collapsing. No early exit, so that the loop vectorises.
#[inline]
fn is_collapsed(bytes: &[u8]) -> bool {
    let mut needs_collapsing = false;
    for (byte, next) in bytes.iter().zip(&bytes[1..]) {
        needs_collapsing |= ((*byte == b' ') & (*next == b' ')) | ((*byte as i8) < b' ' as i8);
    }
    !needs_collapsing && bytes[bytes.len() - 1].is_ascii()
}

#[inline]
fn push_run(run: &str, out: &mut String, start: usize, pending_space: &mut bool) {
    if run.is_empty() {
        return;
    }
    if *pending_space && out.len() > start {
        out.push(' ');
    }
    *pending_space = false;
    out.push_str(run);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_space_starts_with_a_known_byte() {
        for character in ('\0'..=char::MAX).filter(|character| flags(*character).has(Flags::SPACE)) {
            let first = character.encode_utf8(&mut [0; 4]).as_bytes()[0];
            assert!(MAY_BE_SPACE[usize::from(first)] || first == 0x7F, "{character:?}");
        }
    }

    #[test]
    fn whitespace_runs_collapse_across_calls() {
        let mut out = String::new();
        let mut pending_space = false;
        collapse_whitespace(" a \n b\u{a0}c", &mut out, 0, &mut pending_space);
        collapse_whitespace("d ", &mut out, 0, &mut pending_space);
        collapse_whitespace("e", &mut out, 0, &mut pending_space);
        assert_eq!(out, "a b cd e");
        let (mut out, mut pending_space) = (String::new(), false);
        collapse_whitespace("می\u{200c}خواهم a\u{200b}b\u{E0041}\u{E0042}c", &mut out, 0, &mut pending_space);
        assert_eq!(out, "می\u{200c}خواهم abc", "joiners stay, invisible characters go");
    }
}
