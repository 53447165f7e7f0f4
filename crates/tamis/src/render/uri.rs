//! Addresses for formats that take nothing but addresses.
//!
//! XML's `anyURI` and Markdown's links want what RFC 3986 calls a reference. Pages have anything: spaces, brackets, a second
//! `#`, a colon where no scheme is. Browsers make do, and so does this: it escapes what may not stand where it stands,
//! and never gives up. Letters of all scripts stay as they are, since `anyURI` has them.

/// The address, as a reference that is well-formed.
pub(super) fn uri(address: &str) -> String {
    let (scheme, rest) = split_scheme(address);
    let (before, fragment) = match rest.split_once('#') {
        Some((before, fragment)) => (before, Some(fragment)),
        None => (rest, None),
    };
    let mut uri = String::with_capacity(address.len() + 8);
    if let Some(scheme) = scheme {
        uri.push_str(scheme);
        uri.push(':');
    }
    let path = match before.strip_prefix("//") {
        Some(before) => {
            let end = before.find(['/', '?']).unwrap_or(before.len());
            uri.push_str("//");
            add_authority(&before[..end], &mut uri);
            &before[end..]
        }
        None => {
            // A colon before the first slash would make a scheme of what stands before it.
            let first = before.split(['/', '?']).next().unwrap_or("");
            if scheme.is_none() && first.contains(':') {
                uri.push_str("./");
            }
            before
        }
    };
    add_escaped(path, &[], &mut uri);
    if let Some(fragment) = fragment {
        uri.push('#');
        add_escaped(fragment, &[], &mut uri);
    }
    uri
}

/// What stands before the first colon, if it can be a scheme.
fn split_scheme(address: &str) -> (Option<&str>, &str) {
    match address.split_once(':') {
        Some((scheme, rest))
            if scheme.starts_with(|it: char| it.is_ascii_alphabetic())
                && scheme.bytes().all(|it| it.is_ascii_alphanumeric() || b"+-.".contains(&it)) =>
        {
            (Some(scheme), rest)
        }
        _ => (None, address),
    }
}

/// User, host and port. A port that is empty goes, as in browsers; one that is no number becomes part of the name.
fn add_authority(authority: &str, uri: &mut String) {
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    if let Some(user) = user {
        add_escaped(user, &['@'], uri);
        uri.push('@');
    }
    if let Some((inside, port)) = host.strip_prefix('[').and_then(|host| host.split_once(']'))
        && inside.contains(':')
        && inside.bytes().all(|it| it.is_ascii_hexdigit() || b":.".contains(&it))
        && (port.is_empty() || port.strip_prefix(':').is_some_and(is_number))
    {
        uri.push('[');
        uri.push_str(inside);
        uri.push(']');
        uri.push_str(port);
        return;
    }
    let (name, port) = match host.rsplit_once(':') {
        Some((name, "")) => (name, None),
        Some((name, port)) if is_number(port) => (name, Some(port)),
        _ => (host, None),
    };
    add_escaped(name, &[':', '@'], uri);
    if let Some(port) = port {
        uri.push(':');
        uri.push_str(port);
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit())
}

/// Adds `part` with escapes for what may stand nowhere unescaped, and for `also`.
fn add_escaped(part: &str, also: &[char], uri: &mut String) {
    for (at, character) in part.char_indices() {
        let escape = match character {
            '%' => !is_escape(&part.as_bytes()[at..]),
            '<' | '>' | '"' | '{' | '}' | '|' | '\\' | '^' | '`' | '[' | ']' | '#' => true,
            _ => character.is_control() || character.is_whitespace() || also.contains(&character),
        };
        if escape {
            let mut bytes = [0; 4];
            for byte in character.encode_utf8(&mut bytes).bytes() {
                uri.push_str(&format!("%{byte:02X}"));
            }
        } else {
            uri.push(character);
        }
    }
}

fn is_escape(bytes: &[u8]) -> bool {
    matches!(bytes, [b'%', a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn what_is_well_formed_stays() {
        for address in [
            "",
            "https://example.com/a/b?c=d&e=f",
            "https://user:pass@example.com:8080/a%20b;x=1?q=1:2#top",
            "http://[2001:db8::1]:80/",
            "//example.com/a",
            "../a/b:c",
            "?q=a:b",
            "#note-1",
            "mailto:someone@example.com",
            "https://例え.jp/道?ك=1",
            "data:text/plain,hello",
        ] {
            assert_eq!(uri(address), address);
        }
    }

    #[test]
    fn what_may_not_stand_there_is_escaped() {
        for (address, wanted) in [
            ("/a b<c>\"{d}|\\^`", "/a%20b%3Cc%3E%22%7Bd%7D%7C%5C%5E%60"),
            ("/img[0-28].jpg", "/img%5B0-28%5D.jpg"),
            ("/a#/#b", "/a#/%23b"),
            ("/50%", "/50%25"),
            ("/%zz%41", "/%25zz%41"),
            ("mail to:x", "./mail%20to:x"),
            ("mailto%20:x@y.example", "./mailto%20:x@y.example"),
            ("http://http://example.com/", "http://http//example.com/"),
            ("http://example.com:port/", "http://example.com%3Aport/"),
            ("http://[x]/", "http://%5Bx%5D/"),
            ("http://a@b@c/", "http://a%40b@c/"),
            ("/a\u{3000}b\n", "/a%E3%80%80b%0A"),
        ] {
            assert_eq!(uri(address), wanted, "{address}");
        }
    }
}
