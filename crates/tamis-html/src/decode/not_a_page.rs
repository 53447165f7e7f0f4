//! Detection of input that is not a web page: images, archives, programs and other binary data.
//!
//! A parser builds a tree from any bytes, so untrusted input should be checked first. The check needs the decoded text
//! as well as the bytes, since UTF-16 is full of NUL bytes, and real pages have stray ones.

use super::Decoded;

/// Why bytes are not a web page.
///
/// ```
/// use tamis_html::decode::{NotAPage, check_page, decode};
///
/// let bytes = b"%PDF-1.7 ...";
/// let error = check_page(bytes, &decode(bytes, None)).unwrap_err();
/// assert_eq!(error, NotAPage::Format("a PDF document"));
/// assert_eq!(error.to_string(), "looks like a PDF document, not a web page");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotAPage {
    /// They start with the signature of this format.
    #[error("looks like {0}, not a web page")]
    Format(&'static str),
    /// They are compressed, and may be a page after decompression.
    #[error("is compressed ({0}): decompress it first")]
    Compressed(&'static str),
    /// Too many decoded characters are not text.
    #[error("looks like binary data, not a web page (if it is text, name its encoding)")]
    Binary,
}

/// Signatures of formats: offset and bytes. No text starts with these.
const FORMATS: [(usize, &[u8], &str); 27] = [
    (0, b"%PDF-", "a PDF document"),
    (0, b"\x89PNG\r\n\x1A\n", "a PNG picture"),
    (0, b"\xFF\xD8\xFF", "a JPEG picture"),
    (0, b"GIF87a", "a GIF picture"),
    (0, b"GIF89a", "a GIF picture"),
    (8, b"WEBP", "a WebP picture"),
    (0, b"II*\0", "a TIFF picture"),
    (0, b"MM\0*", "a TIFF picture"),
    (0, b"\0\0\x01\0", "an icon"),
    (4, b"ftyp", "a film or picture"),
    (8, b"WAVE", "a sound"),
    (8, b"AVI ", "a film"),
    (0, b"\x1A\x45\xDF\xA3", "a film"),
    (0, b"OggS\0", "a sound"),
    (0, b"fLaC\0", "a sound"),
    (0, b"ID3\x03", "a sound"),
    (0, b"ID3\x04", "a sound"),
    (0, b"PK\x03\x04", "a ZIP archive or office document"),
    (0, b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "an office document"),
    (0, b"{\\rtf", "an RTF document"),
    (0, b"7z\xBC\xAF\x27\x1C", "a 7z archive"),
    (0, b"Rar!\x1A\x07", "a RAR archive"),
    (257, b"ustar", "a tar archive"),
    (0, b"\x7FELF", "a program"),
    (0, b"wOFF", "a font"),
    (0, b"wOF2", "a font"),
    (0, b"SQLite format 3\0", "a database"),
];

const COMPRESSED: [(usize, &[u8], &str); 4] = [
    (0, b"\x1F\x8B", "gzip"),
    (4, b"1AY&SY", "bzip2"),
    (0, b"\xFD7zXZ\0", "xz"),
    (0, b"\x28\xB5\x2F\xFD", "zstd"),
];

/// Bytes of text that are checked.
const SAMPLE: usize = 16 << 10;
/// Non-text characters accepted on any page.
const FEW: usize = 8;
/// The maximum share of non-text characters without markup. Random bytes have over 10 %.
const TOO_MANY: f64 = 0.05;
/// The maximum share with markup: pages in a broken encoding have many.
const TOO_MANY_BESIDE_MARKUP: f64 = 0.4;
/// Markup that identifies pages, in lower case.
const MARKUP: [&str; 8] = ["<!doctype", "<html", "<head", "<body", "<title", "<div", "<p>", "<meta"];

/// Checks whether bytes can be a web page, by their signature and the decoded text.
///
/// Text without any markup is a page; so are pages with some NULs, and pages in UTF-16. Rejected are bytes with the
/// signature of another format, and bytes that decode to too many control and replacement characters: 5 %, or 40 % if
/// there is markup.
///
/// # Errors
/// What the bytes look like instead.
///
/// ```
/// use tamis_html::decode::{NotAPage, check_page, decode};
///
/// let check = |bytes: &[u8]| check_page(bytes, &decode(bytes, None));
/// assert_eq!(check(b"<p>Text, with a stray \0."), Ok(()));
/// assert_eq!(check(b"Text without any markup."), Ok(()));
/// assert_eq!(check(b"\x1F\x8B\x08\0\0"), Err(NotAPage::Compressed("gzip")));
/// assert_eq!(check(&[7; 100]), Err(NotAPage::Binary));
/// ```
pub fn check_page(bytes: &[u8], decoded: &Decoded<'_>) -> Result<(), NotAPage> {
    let begins = |at: usize, sign: &[u8]| bytes.get(at..).is_some_and(|bytes| bytes.starts_with(sign));
    if let Some((_, _, name)) = COMPRESSED.iter().find(|(at, sign, _)| begins(*at, sign)) {
        return Err(NotAPage::Compressed(name));
    }
    let is_riff = bytes.starts_with(b"RIFF");
    let found = FORMATS.iter().find(|(at, sign, _)| begins(*at, sign) && (*at != 8 || is_riff));
    if let Some((_, _, name)) = found {
        return Err(NotAPage::Format(name));
    }
    let text = &decoded.text;
    let sample = &text[..text.floor_char_boundary(SAMPLE)];
    if !has_strange(sample) {
        return Ok(());
    }
    let (mut all, mut strange, mut padding) = (0_usize, 0_usize, 0_usize);
    let mut before = ' ';
    for character in sample.chars() {
        all += 1;
        strange += usize::from(is_strange(character));
        padding += usize::from(character == '\0' && before == '\0');
        before = character;
    }
    let lower = sample.to_ascii_lowercase();
    let too_many = if MARKUP.iter().any(|sign| lower.contains(sign)) {
        // With markup, a run of NULs is padding and counts once.
        (strange - padding) as f64 > TOO_MANY_BESIDE_MARKUP * (all - padding) as f64
    } else {
        strange as f64 > TOO_MANY * all as f64
    };
    if too_many { Err(NotAPage::Binary) } else { Ok(()) }
}

/// Whether there are more than a few non-text characters. Usually there are none, so this is a vectorised byte scan.
fn has_strange(sample: &str) -> bool {
    let is_control =
        |byte: u8| (byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B)) || byte == 0x7F;
    let in_stretch =
        |bytes: &[u8]| usize::from(bytes.iter().map(|byte| u8::from(is_control(*byte))).sum::<u8>());
    let controls: usize = sample.as_bytes().chunks(128).map(in_stretch).sum();
    let unread = memchr::memmem::find_iter(sample.as_bytes(), "\u{FFFD}").take(FEW).count();
    controls + unread >= FEW
}

/// Control characters and the replacement character.
fn is_strange(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' | '\x0C' => false,
        // Texts may contain escape sequences of terminals and mail programs.
        '\x1B' => false,
        // In windows-1252 pages with another declaration, these are quotation marks and dashes.
        '\u{80}'..='\u{9F}' => false,
        _ => character == '\u{FFFD}' || character.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::{Decoder, decode};

    fn check(bytes: &[u8]) -> Result<(), NotAPage> {
        check_page(bytes, &decode(bytes, None))
    }

    /// Deterministic pseudo-random bytes.
    fn noise(length: usize) -> Vec<u8> {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as u8
        };
        (0..length).map(|_| next()).collect()
    }

    #[test]
    fn the_quick_look_counts_as_the_slow_one() {
        for character in ('\0'..='\u{FF}').chain(['\u{FFFC}', '\u{FFFD}', '\u{FEFF}', '字']) {
            let (few, more) = (character.to_string().repeat(FEW - 1), character.to_string().repeat(FEW));
            assert!(!has_strange(&few), "{character:?}");
            assert_eq!(has_strange(&more), is_strange(character), "{character:?}");
        }
    }

    #[test]
    fn formats_are_known_by_how_they_begin() {
        for (at, sign, name) in FORMATS {
            let mut bytes = if at == 8 { b"RIFF\x01\x02\x03\x04".to_vec() } else { vec![b'x'; at] };
            bytes.extend_from_slice(sign);
            bytes.extend(noise(100));
            assert_eq!(check(&bytes), Err(NotAPage::Format(name)), "{name}");
        }
        for (at, sign, name) in COMPRESSED {
            let bytes = [&b"BZh9"[..at], sign, &noise(100)].concat();
            assert_eq!(check(&bytes), Err(NotAPage::Compressed(name)));
        }
    }

    #[test]
    fn noise_of_any_length_is_rejected() {
        for length in [200, 1000, 10_000, 100_000] {
            assert_eq!(check(&noise(length)), Err(NotAPage::Binary), "{length}");
        }
        assert_eq!(check(&vec![0; 1000]), Err(NotAPage::Binary));
        let program =
            [b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xFF\xFF\0\0".as_slice(), &[0; 200], b"This program"].concat();
        assert_eq!(check(&program), Err(NotAPage::Binary));
    }

    #[test]
    fn texts_are_pages() {
        for text in [
            "",
            "x",
            "Just a line.\n",
            "BM and MZ and II and PK begin this text.",
            "ID3 tags explained",
            "WEBP",
        ] {
            assert_eq!(check(text.as_bytes()), Ok(()), "{text}");
        }
        assert_eq!(check("中文没有标记".as_bytes()), Ok(()));
        assert_eq!(check(b"<p>%PDF- is how PDF documents begin"), Ok(()));
    }

    #[test]
    fn utf_16_is_a_page_although_half_of_it_is_nul_bytes() {
        let page = "<!doctype html><title>Rain</title><p>It rained.";
        let little: Vec<u8> =
            [0xFF, 0xFE].into_iter().chain(page.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        let big: Vec<u8> =
            [0xFE, 0xFF].into_iter().chain(page.encode_utf16().flat_map(u16::to_be_bytes)).collect();
        assert_eq!(check(&little), Ok(()));
        assert_eq!(check(&big), Ok(()));
    }

    #[test]
    fn pages_with_stray_nuls_or_in_the_wrong_encoding_are_pages() {
        let padded = [&[0; 1000], b"a".as_slice(), &[0; 400], b"<title>short</title>"].concat();
        assert_eq!(check(&padded), Ok(()));
        let with_nuls = format!("<html><body>{}", "<p>text\0 ".repeat(50));
        assert_eq!(check(with_nuls.as_bytes()), Ok(()));
        let mut broken = b"<meta charset=utf-8><p>".to_vec();
        broken.extend(b"gr\xFC\xDFe aus K\xF6ln, sch\xF6n ".repeat(100));
        assert_eq!(check(&broken), Ok(()));
        let noise_with_a_tag = [b"<div>".as_slice(), &noise(5000)].concat();
        let decoded = Decoder::new().encoding_label("utf-8").unwrap().decode(&noise_with_a_tag);
        assert_eq!(check_page(&noise_with_a_tag, &decoded), Err(NotAPage::Binary));
    }
}
