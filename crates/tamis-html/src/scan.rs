//! Vectorised searches for the end of a text, value or name.
//!
//! Each search also records in the same pass whether it crossed an `&`, so that no byte is read twice.

use crate::lanes::{Lanes, WIDTH};

/// The end of a search, and whether it crossed an `&`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Position of the byte searched for, or the length of the input.
    pub(crate) at: usize,
    /// There may be a character reference before it.
    pub(crate) ampersand: bool,
}

/// The position of the first `stop` from `at` on (or the end of the input), noting ampersands before it.
#[inline(always)]
pub(crate) fn until(bytes: &[u8], at: usize, stop: u8) -> Found {
    let (windows, tail) = bytes[at..].as_chunks::<WIDTH>();
    let mut ampersands = 0;
    let mut from = at;
    for window in windows {
        let lanes = Lanes::of(window);
        let stops = lanes.equal(stop);
        let here = lanes.equal(b'&');
        if stops != 0 {
            ampersands |= here & (stops - 1) & !stops;
            return Found { at: from + stops.trailing_zeros() as usize, ampersand: ampersands != 0 };
        }
        ampersands |= here;
        from += WIDTH;
    }
    let length = tail.iter().position(|&byte| byte == stop).unwrap_or(tail.len());
    let ampersand = ampersands != 0 || tail[..length].contains(&b'&');
    Found { at: from + length, ampersand }
}

/// The position of the first byte from `at` on that is one of the two, or the end of the input.
#[inline(always)]
pub(crate) fn until_either(bytes: &[u8], at: usize, one: u8, other: u8) -> usize {
    let (windows, tail) = bytes[at..].as_chunks::<WIDTH>();
    let mut from = at;
    for window in windows {
        let lanes = Lanes::of(window);
        let stops = lanes.equal(one) | lanes.equal(other);
        if stops != 0 {
            return from + stops.trailing_zeros() as usize;
        }
        from += WIDTH;
    }
    from + tail.iter().position(|&byte| byte == one || byte == other).unwrap_or(tail.len())
}

/// A name in a tag: its length, and its bytes packed into one number if it is short and plain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NameScan {
    /// The end of the name.
    pub(crate) end: usize,
    /// The verbatim bytes of the name, first byte lowest; zero if it is longer than 16 bytes or has a control
    /// character, and must be read byte by byte.
    pub(crate) packed: u128,
}

/// The mask that keeps the first bytes of 16.
static KEEP: [u128; WIDTH + 1] = {
    let mut keep = [0; WIDTH + 1];
    let mut length = 1;
    while length <= WIDTH {
        keep[length] = keep[length - 1] << 8 | 0xFF;
        length += 1;
    }
    keep
};

/// Reads the name that starts at `at`. In tags it ends before white space, `/` or `>`; in attributes before `=` too.
#[inline(always)]
pub(crate) fn name<const ATTRIBUTE: bool>(bytes: &[u8], at: usize) -> NameScan {
    if let Some(window) = bytes.get(at..).and_then(|rest| rest.first_chunk::<WIDTH>()) {
        let lanes = Lanes::of(window);
        let mut stops = lanes.at_most(b' ') | lanes.equal(b'/') | lanes.equal(b'>');
        if ATTRIBUTE {
            // A name may start with `=`.
            stops |= lanes.equal(b'=') & !1;
        }
        // A stop at the sixteenth byte makes a check unnecessary.
        let length = (stops | 1 << WIDTH).trailing_zeros() as usize;
        if let Some(&stop) = window.get(length)
            && ends_name::<ATTRIBUTE>(stop)
        {
            return NameScan { end: at + length, packed: u128::from_le_bytes(*window) & KEEP[length] };
        }
    }
    name_bytewise::<ATTRIBUTE>(bytes, at)
}

#[cold]
fn name_bytewise<const ATTRIBUTE: bool>(bytes: &[u8], at: usize) -> NameScan {
    let mut end = at;
    let mut plain = true;
    while let Some(&byte) = bytes.get(end) {
        if ends_name::<ATTRIBUTE>(byte) && !(ATTRIBUTE && byte == b'=' && end == at) {
            break;
        }
        plain &= byte != 0;
        end += 1;
    }
    let length = end - at;
    let mut window = [0; WIDTH];
    if plain && length <= WIDTH {
        window[..length].copy_from_slice(&bytes[at..end]);
    }
    NameScan { end, packed: u128::from_le_bytes(window) }
}

#[inline(always)]
fn ends_name<const ATTRIBUTE: bool>(byte: u8) -> bool {
    is_space(byte) || byte == b'/' || byte == b'>' || (ATTRIBUTE && byte == b'=')
}

/// The position of the first byte from `at` on that is not white space.
#[inline(always)]
pub(crate) fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && is_space(bytes[at]) {
        at += 1;
    }
    at
}

/// White space in tags, including carriage returns, which become line feeds.
#[inline(always)]
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | 0x0C)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn until_notes_only_ampersands_before_the_stop() {
        let text = b"a &amp; b and a good deal more < c &lt;";
        assert_eq!(until(text, 0, b'<'), Found { at: 31, ampersand: true });
        assert_eq!(until(text, 7, b'<'), Found { at: 31, ampersand: false });
        assert_eq!(until(text, 32, b'<'), Found { at: text.len(), ampersand: true });
        assert_eq!(until(b"", 0, b'<'), Found { at: 0, ampersand: false });
    }

    #[test]
    fn the_same_name_is_packed_the_same_at_the_end_of_the_input_and_before_it() {
        let pad = " ".repeat(20);
        for (text, length) in
            [("div", 3), ("DiV ", 3), ("H1>", 2), ("data-x=1", 6), ("=x", 2), ("figcaption/", 10)]
        {
            let long = format!("{text}{pad}");
            let near = name::<true>(text.as_bytes(), 0);
            let far = name::<true>(long.as_bytes(), 0);
            assert_eq!(near.end, length);
            assert_eq!(near, far, "{text}");
        }
    }

    #[test]
    fn long_names_and_control_characters_are_left_to_the_slow_road() {
        assert_ne!(name::<false>(b"abcdefghijklmnop>", 0).packed, 0);
        assert_eq!(name::<false>(b"abcdefghijklmnopq>", 0), NameScan { end: 17, packed: 0 });
        assert_eq!(name::<false>(b"ab\0c> and more behind it", 0), NameScan { end: 4, packed: 0 });
        assert_eq!(name::<false>(b"ab\x01c> and more behind it", 0).end, 4);
        assert_eq!(name::<false>(b"a=b> and more behind it .", 0).end, 3);
    }
}
