//! Addresses, as users write them: shown without their secrets, and asked for in the ASCII that servers take.

use anyhow::{Result, bail};

/// The address of a page, `http://` or `https://`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address(String);

impl Address {
    /// What stands on the command line, if it is an address that can be fetched.
    pub(crate) fn named(argument: &str) -> Option<Address> {
        let (scheme, _) = argument.split_once("://")?;
        let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
        is_web.then(|| Address(argument.to_owned()))
    }

    /// For messages and results: without user name and password.
    pub(crate) fn shown(&self) -> String {
        without_secrets(&self.0)
    }

    /// As it is asked for: the host in the ASCII of the domain name system, other characters as escapes.
    #[cfg_attr(not(feature = "fetch"), allow(dead_code))]
    pub(crate) fn request(&self) -> Result<String> {
        let (scheme, rest) = self.0.split_once("://").unwrap_or(("http", &self.0));
        let rest = rest.split('#').next().unwrap_or("");
        let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        let (user, host) = match authority.rsplit_once('@') {
            Some((user, host)) => (Some(user), host),
            None => (None, authority),
        };
        let (name, port) =
            host.split_at(host.rfind(':').filter(|_| !host.ends_with(']')).unwrap_or(host.len()));
        if name.is_empty() {
            bail!("it names no host");
        }
        if !port.trim_start_matches(':').bytes().all(|it| it.is_ascii_digit()) {
            bail!("its port is no number");
        }
        let mut address = format!("{}://", scheme.to_ascii_lowercase());
        if let Some(user) = user {
            escape(user, &mut address);
            address.push('@');
        }
        address.push_str(&ascii_host(name)?);
        address.push_str(port);
        escape(path, &mut address);
        Ok(address)
    }
}

/// An address without user name and password.
pub(crate) fn without_secrets(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    format!("{scheme}://{host}{path}")
}

fn escape(part: &str, to: &mut String) {
    for byte in part.bytes() {
        if byte.is_ascii_graphic() && !b"<>\"{}|\\^`".contains(&byte) {
            to.push(char::from(byte));
        } else {
            to.push_str(&format!("%{byte:02X}"));
        }
    }
}

/// A host name in ASCII: labels in other scripts as Punycode, in the form that names are registered in (composed, in
/// lower case).
fn ascii_host(name: &str) -> Result<String> {
    if name.is_ascii() {
        return Ok(name.to_owned());
    }
    let name = composed(name).to_lowercase().replace('。', ".");
    let labels: Option<Vec<String>> = name
        .split('.')
        .map(|label| {
            if label.is_ascii() { Some(label.to_owned()) } else { Some(format!("xn--{}", punycode(label)?)) }
        })
        .collect();
    match labels {
        Some(labels) => Ok(labels.join(".")),
        None => bail!("its host name is too long"),
    }
}

#[cfg(feature = "fetch")]
fn composed(name: &str) -> String {
    use unicode_normalization::UnicodeNormalization;

    name.nfkc().collect()
}

#[cfg(not(feature = "fetch"))]
fn composed(name: &str) -> String {
    name.to_owned()
}

/// A label as RFC 3492 writes it; nothing where it has more characters than a label may.
fn punycode(label: &str) -> Option<String> {
    const BASE: u32 = 36;
    let digit =
        |value: u32| char::from(if value < 26 { b'a' + value as u8 } else { b'0' + (value - 26) as u8 });
    let all: Vec<u32> = label.chars().map(u32::from).collect();
    if all.len() > 63 {
        return None;
    }
    let mut code: String = label.chars().filter(char::is_ascii).collect();
    let basic = code.len() as u32;
    if basic > 0 {
        code.push('-');
    }
    let (mut n, mut delta, mut bias, mut handled) = (128_u32, 0_u32, 72_u32, basic);
    while (handled as usize) < all.len() {
        let next = all.iter().copied().filter(|it| *it >= n).min()?;
        delta = delta.checked_add((next - n).checked_mul(handled + 1)?)?;
        n = next;
        for &character in &all {
            if character < n {
                delta = delta.checked_add(1)?;
            }
            if character != n {
                continue;
            }
            let mut rest = delta;
            let mut k = BASE;
            loop {
                let threshold = k.saturating_sub(bias).clamp(1, 26);
                if rest < threshold {
                    break;
                }
                code.push(digit(threshold + (rest - threshold) % (BASE - threshold)));
                rest = (rest - threshold) / (BASE - threshold);
                k += BASE;
            }
            code.push(digit(rest));
            // How far apart the next one may be expected.
            delta = if handled == basic { delta / 700 } else { delta / 2 };
            delta += delta / (handled + 1);
            let mut steps = 0;
            while delta > 455 {
                delta /= BASE - 1;
                steps += BASE;
            }
            bias = steps + BASE * delta / (delta + 38);
            delta = 0;
            handled += 1;
        }
        delta += 1;
        n += 1;
    }
    Some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(address: &str) -> String {
        match Address::named(address).map(|address| address.request()) {
            Some(Ok(request)) => request,
            Some(Err(error)) => format!("{error}"),
            None => "no address".to_owned(),
        }
    }

    #[test]
    fn addresses_are_asked_for_in_ascii() {
        for (address, wanted) in [
            ("http://example.com", "http://example.com"),
            ("HTTPS://example.com/a?b#c", "https://example.com/a?b"),
            ("http://example.com:8080/a b/ü?q=中", "http://example.com:8080/a%20b/%C3%BC?q=%E4%B8%AD"),
            ("http://[::1]:80/", "http://[::1]:80/"),
            ("http://[::1]/", "http://[::1]/"),
            ("http://me:secret@example.com/", "http://me:secret@example.com/"),
            ("http://", "it names no host"),
            ("http:///a", "it names no host"),
            ("https://?a", "it names no host"),
            ("http://example.com:http/", "its port is no number"),
            ("ftp://example.com/", "no address"),
            ("page.html", "no address"),
        ] {
            assert_eq!(request(address), wanted, "{address}");
        }
    }

    #[test]
    fn names_in_other_scripts_become_punycode() {
        for (name, wanted) in [
            ("bücher.example", "xn--bcher-kva.example"),
            ("MÜNCHEN.example", "xn--mnchen-3ya.example"),
            ("例え.jp", "xn--r8jz45g.jp"),
            ("中国。中国", "xn--fiqs8s.xn--fiqs8s"),
            ("президент.рф", "xn--d1abbgf6aiiy.xn--p1ai"),
            ("ليهمابتكلموشعربي؟", "xn--egbpdaj6bu4bxfgehfvwxn"),
        ] {
            assert_eq!(ascii_host(name).unwrap(), wanted);
        }
        assert!(ascii_host(&"ü".repeat(64)).is_err());
    }

    #[test]
    fn secrets_are_not_shown() {
        for (address, wanted) in [
            ("https://me:secret@example.com/a@b", "https://example.com/a@b"),
            ("https://me:p@ss@example.com", "https://example.com"),
            ("https://example.com/?mail=a@b", "https://example.com/?mail=a@b"),
        ] {
            assert_eq!(without_secrets(address), wanted);
        }
    }
}
