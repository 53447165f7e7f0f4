//! What no fact may hold: characters that are not seen and change how all around them is shown, and addresses that lead
//! nowhere.

use std::borrow::Cow;

/// An address is longer than this only to do harm.
const LONGEST_ADDRESS: usize = 8 << 10;

/// How many bytes of a text a fact has: what goes on is no description and no name.
pub(crate) const LONGEST_TEXT: usize = 4_000;

/// The beginning of a text, up to the last word that ends within so many bytes.
pub(crate) fn beginning(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let head = &text[..text.floor_char_boundary(most)];
    // Scripts without spaces are cut where they are.
    head.rfind(char::is_whitespace).filter(|end| end * 2 >= most).map_or(head, |end| &head[..end])
}

/// A text in one line without what is not seen: control characters and the sequences that steer terminals, marks that turn
/// the direction of writing, places where a word may break. What joins letters or parts them within a word stays: Persian and
/// many pictures are written with it.
pub(crate) fn text(text: &str) -> Cow<'_, str> {
    let is_plain = |text: &str| {
        let mut last = ' ';
        text.chars().all(|c| {
            let is_plain = is_plain_letter(c) || (c == ' ' && last != ' ');
            last = c;
            is_plain || (!c.is_whitespace() && !is_unseen(c))
        }) && !text.ends_with(' ')
    };
    let only_ascii = is_seen_ascii(text.as_bytes());
    if if only_ascii { is_folded_ascii(text.as_bytes()) } else { is_plain(text) } {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len());
    if only_ascii {
        // Nothing is to be done but to fold the spaces.
        for word in text.split_ascii_whitespace() {
            if !clean.is_empty() {
                clean.push(' ');
            }
            clean.push_str(word);
        }
        return Cow::Owned(clean);
    }
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c == '\u{1b}' && rest.peek() == Some(&'[') {
            // ESC [ 3 1 m
            rest.next();
            while rest.next_if(|c| matches!(c, '0'..='9' | ';' | '?')).is_some() {}
            rest.next_if(char::is_ascii_alphabetic);
        } else if c.is_whitespace() {
            if !clean.is_empty() && !clean.ends_with(' ') {
                clean.push(' ');
            }
        } else if is_plain_letter(c) || !is_unseen(c) {
            clean.push(c);
        }
    }
    clean.truncate(clean.trim_end().len());
    Cow::Owned(clean)
}

/// ASCII of letters, marks, spaces and ends of lines, which most texts are: nothing in it is unseen. Without a way out of the
/// loop, which the compiler then turns into vector code.
fn is_seen_ascii(bytes: &[u8]) -> bool {
    bytes.iter().fold(true, |all, byte| all & matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r'))
}

/// Is all white space of such a text single spaces between words? Likewise.
fn is_folded_ascii(bytes: &[u8]) -> bool {
    let (Some((first, _)), Some((last, _))) = (bytes.split_first(), bytes.split_last()) else { return true };
    let pairs = bytes.iter().zip(&bytes[1..]);
    *first > b' '
        && *last > b' '
        && pairs.fold(true, |all, (one, other)| all & (*one >= b' ') & ((*one > b' ') | (*other > b' ')))
}

/// Characters of the commonest scripts of which none is white space or unseen.
fn is_plain_letter(c: char) -> bool {
    matches!(c,
        '!'..='~' | '\u{ae}'..='\u{34e}' | '\u{350}'..='\u{61b}' | '\u{61d}'..='\u{10ff}' | '\u{2010}'..='\u{2027}'
        | '\u{3001}'..='\u{3163}' | '\u{3165}'..='\u{d7ff}')
}

/// Besides what steers and turns: joiners and fillers without a form, signs of music that begin and end, tags, and what is no
/// character. Tags also tell flags of regions apart, and hide whole sentences.
fn is_unseen(c: char) -> bool {
    (c.is_control() && !c.is_whitespace())
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fdd0}'..='\u{fdef}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffc}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e00ff}')
        // The last two of every plane are no characters.
        || c as u32 & 0xFFFE == 0xFFFE
}

/// What an address has as it is sent: nothing unseen, and no end of a line.
fn is_odd_in_address(c: char) -> bool {
    is_unseen(c) || c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// An address of the web, with what is not seen in it written as a browser sends it; nothing where it is none. Whose
/// address holds a password does not mean it for others.
pub(crate) fn address(address: &str) -> Option<Cow<'_, str>> {
    let address = address.trim_matches(|c: char| c.is_whitespace() || c.is_control());
    let (scheme, rest) = address.split_once("://")?;
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if !is_web || address.len() > LONGEST_ADDRESS || address.contains(['{', '}']) || !is_host(host) {
        return None;
    }
    let is_plain = address.bytes().fold(true, |all, byte| all & matches!(byte, b'!'..=b'~'));
    if is_plain || !address.chars().any(is_odd_in_address) {
        return Some(Cow::Borrowed(address));
    }
    let mut sent = String::with_capacity(address.len() + 8);
    let mut bytes = [0; 4];
    for c in address.chars() {
        match c {
            '\t' | '\n' | '\r' => {}
            c if is_odd_in_address(c) => {
                c.encode_utf8(&mut bytes).bytes().for_each(|byte| sent.push_str(&format!("%{byte:02X}")));
            }
            c => sent.push(c),
        }
    }
    Some(Cow::Owned(sent))
}

/// May what a caller calls the page's address stand among the facts? Addresses of the web and paths may, scripts and the like may
/// not, however they are written.
pub(crate) fn may_be_shown(url: &str) -> bool {
    let bare: String =
        url.chars().filter(|c| !c.is_whitespace() && !c.is_control() && !is_unseen(*c)).collect();
    let Some((scheme, rest)) = bare.split_once(':') else { return true };
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-'));
    // `C:\rain.html` is a path, `gazette.example:8080/rain` has a port.
    let is_path = scheme.len() == 1 || !is_scheme;
    let has_port = scheme.contains('.') && rest.starts_with(|c: char| c.is_ascii_digit());
    is_path || has_port || ["http", "https", "file"].iter().any(|it| scheme.eq_ignore_ascii_case(it))
}

fn is_host(host: &str) -> bool {
    let is_odd = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || is_unseen(c)
            || matches!(c, '@' | '<' | '>' | '"' | '\\' | '^' | '|' | '%')
    };
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or("", |(number, _)| number),
        None => host.split(':').next().unwrap_or_default(),
    };
    !host.contains(is_odd) && name.chars().any(char::is_alphanumeric)
}

/// Does a value begin with a scheme, as addresses do? `Foto:` and the like do not: a name follows them.
pub(super) fn has_scheme(value: &str) -> bool {
    let scheme = value.split_once(':').map_or("", |(scheme, _)| scheme);
    ["http", "https", "mailto", "tel", "ftp", "javascript", "data", "vbscript", "file", "about"]
        .iter()
        .any(|it| scheme.trim().eq_ignore_ascii_case(it))
}

/// The terms of use: an address, or words. A reference to a place that is not known is neither.
pub(super) fn licence(value: &str) -> Option<Cow<'_, str>> {
    let value = value.trim();
    if let Some(address) = address(value) {
        return Some(address);
    }
    let (head, tail) = value.split_once(':').unwrap_or((value, " "));
    let is_reference = value.starts_with(['/', '#', '.', '?'])
        || (!tail.starts_with(char::is_whitespace) && !head.contains(char::is_whitespace) && head.is_ascii());
    (!is_reference && value.len() <= LONGEST_ADDRESS).then(|| text(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_ascii_is_what_needs_no_change() {
        let is_plain = |text: &str| is_seen_ascii(text.as_bytes()) && is_folded_ascii(text.as_bytes());
        for plain in ["Rain at last", "~!", "a", ""] {
            assert!(is_plain(plain), "{plain:?}");
        }
        for other in
            [" a", "a ", "a  b", "a\tb", "a\u{7f}", "\u{7}", "R\u{e9}n\u{e9}", "a\n", "a \nb", "\n", " "]
        {
            assert!(!is_plain(other), "{other:?}");
        }
    }

    #[test]
    fn plain_letters_are_seen_and_no_space() {
        let plain = ('\0'..=char::MAX).filter(|c| is_plain_letter(*c));
        assert_eq!(plain.filter(|c| c.is_whitespace() || is_unseen(*c)).count(), 0);
    }

    #[test]
    fn characters_that_nobody_sees_went_through() {
        for (given, expected) in [
            ("Rain at last", "Rain at last"),
            ("Rain\u{7} at\u{1b}[31m last", "Rain at last"),
            ("Ada\u{202e} Miller", "Ada Miller"),
            ("Har\u{ad}bour\u{200b} wall\u{feff}", "Harbour wall"),
            ("\u{2066}Rain\u{2069}\u{0}", "Rain"),
            (" Rain \n at\tlast ", "Rain at last"),
            ("\u{200e}", ""),
            ("R\u{34f}a\u{115f}i\u{1160}n\u{17b4}\u{180b}\u{3164}\u{ffa0}\u{fffc}\u{fdd0}\u{1fffe}", "Rain"),
            ("Rain\u{1d173} at\u{e0041}\u{e007f} last\u{2028}", "Rain at last"),
            // Words of Persian, and a family.
            ("می\u{200c}خواهم", "می\u{200c}خواهم"),
            ("👩\u{200d}👧", "👩\u{200d}👧"),
        ] {
            assert_eq!(text(given), expected, "{given:?}");
        }
    }

    #[test]
    fn a_text_of_any_length_was_a_fact() {
        assert_eq!(beginning("Rain at last", 12), "Rain at last");
        assert_eq!(beginning("Rain at last", 9), "Rain at");
        assert_eq!(beginning("Rainatlast", 4), "Rain");
        assert_eq!(beginning("雨终于来了", 7), "雨终");
    }

    #[test]
    fn addresses_that_were_none() {
        for none in [
            "mailto:ada@rain.example",
            "tel:123",
            "ftp://rain.example/a",
            "https://",
            "https:///a",
            "http://[::1",
            "#",
            "#top",
            "",
            "rain.html",
            "/rain.html",
            "//rain.example/a",
            "http://user:pw@rain.example/",
            "javascript:alert(1)",
            "JaVaScRiPt://rain.example/%0aalert(1)",
            "https://rain.example/{{slug}}",
            "https://rain example/",
            "https://ra\u{202e}in.example/",
            "https://%00evil",
        ] {
            assert_eq!(address(none), None, "{none}");
        }
        for (given, expected) in [
            ("https://rain.example", "https://rain.example"),
            ("HTTPS://rain.example/a?b=@c#d", "HTTPS://rain.example/a?b=@c#d"),
            ("http://[::1]:80/a", "http://[::1]:80/a"),
            ("https://хмара.example/дощ", "https://хмара.example/дощ"),
            ("https://rain.example/a\u{202e}b\u{1}", "https://rain.example/a%E2%80%AEb"),
            ("https://rain.example/a\u{1}b\n", "https://rain.example/a%01b"),
            ("https://rain.example/a\u{2028}b", "https://rain.example/a%E2%80%A8b"),
        ] {
            assert_eq!(address(given).as_deref(), Some(expected), "{given:?}");
        }
    }

    #[test]
    fn a_script_was_the_address_of_a_page() {
        for no in
            ["javascript:alert(1)", " JAVA\tscript:alert(1)", "data:text/html,x", "mailto:ada@rain.example"]
        {
            assert!(!may_be_shown(no), "{no}");
        }
        for yes in [
            "https://rain.example/a:b",
            "HTTP://rain.example",
            "file:///rain.html",
            "rain.example:8080/a",
            "C:\\rain.html",
            "pages/rain.html",
            "/rain:1.html",
            "",
        ] {
            assert!(may_be_shown(yes), "{yes}");
        }
    }

    #[test]
    fn a_script_was_an_author() {
        assert!(has_scheme("JaVaScRiPt:alert") && has_scheme("https://rain.example/ada"));
        assert!(!has_scheme("Ada Miller") && !has_scheme("Text: Ada Miller"));
    }

    #[test]
    fn licences_are_addresses_or_words() {
        for yes in
            ["CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/", "Licence: ask us", "版权：海港网"]
        {
            assert_eq!(licence(yes).as_deref(), Some(yes), "{yes}");
        }
        for no in ["mailto:ada@rain.example", "tel:1", "/licence", "#", "javascript:alert(1)", "https://", ""]
        {
            assert_eq!(licence(no).filter(|it| !it.is_empty()), None, "{no}");
        }
    }
}
