//! Guessing the encoding from the bytes and the top-level domain, for pages without a declaration.
//!
//! The guess is from `chardetng`, which was made for browsers. It has letter frequencies of many languages, but a
//! single invalid byte excludes an encoding. Real pages have such bytes (a comment truncated within a character), so
//! the guess is only one candidate in [`super::evidence`].

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP};
use memchr::{memchr_iter, memmem};

/// Bytes of the sample for the detector: thousands of words, after which the guess is stable. The detector is slow,
/// since it reads each byte once per known encoding.
const ENOUGH: usize = 16 * 1024;

/// The encoding that the bytes look like. `tld` is the last label of the host name, in lower case.
pub(super) fn guess(sample: &[u8], tld: Option<&str>) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    // Never the last chunk: a character truncated at the end must not count as an error.
    detector.feed(&sample[..sample.len().min(ENOUGH)], false);
    detector.guess(tld.map(str::as_bytes), Utf8Detection::Deny)
}

/// Whether 7-bit bytes are ISO-2022-JP: they have escape sequences to Japanese characters and no errors.
pub(super) fn is_iso_2022_jp(ascii: &[u8]) -> bool {
    memchr_iter(0x1B, ascii).any(|at| matches!(ascii[at + 1..], [b'$', b'B' | b'@', ..]))
        && ISO_2022_JP.decode_without_bom_handling_and_without_replacement(ascii).is_some()
}

/// The top-level domain of a URL in the form of the detector, if there is one.
pub(super) fn top_level_domain(url: &str) -> Option<String> {
    let start = memmem::find(url.as_bytes(), b"//")? + 2;
    let authority = url[start..].split(['/', '?', '#', '\\']).next()?;
    let host = authority.rsplit('@').next()?;
    let host = host.split(':').next()?.trim_end_matches('.');
    let (_, label) = host.rsplit_once('.')?;
    clean_tld(label)
}

/// A top-level domain in the form of the detector: lower case, without a dot, in ASCII.
pub(super) fn clean_tld(label: &str) -> Option<String> {
    let label = label.trim().trim_start_matches('.').to_ascii_lowercase();
    let is_name = !label.is_empty()
        && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        && !label.bytes().all(|b| b.is_ascii_digit());
    is_name.then_some(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_level_domain_is_found_in_any_url() {
        for (url, tld) in [
            ("https://www.example.com.cn/a?b#c", Some("cn")),
            ("//example.RU:8080/", Some("ru")),
            ("http://user:word@example.jp.", Some("jp")),
            ("https://[::1]/", None),
            ("http://127.0.0.1/", None),
            ("http://localhost/", None),
            ("http://пример.рф/", None),
            ("http://x.xn--p1ai/", Some("xn--p1ai")),
            ("mailto:a@b.de", None),
            ("", None),
        ] {
            assert_eq!(top_level_domain(url).as_deref(), tld, "{url}");
        }
    }

    #[test]
    fn iso_2022_jp_needs_japanese() {
        let (bytes, _, _) = ISO_2022_JP.encode("これは日本語です");
        assert!(is_iso_2022_jp(&bytes));
        assert!(!is_iso_2022_jp(b"\x1B[1mbold\x1B[0m in a terminal"));
        assert!(!is_iso_2022_jp(b"\x1B$B cut"));
        assert!(!is_iso_2022_jp(b"\x1B"));
    }
}
