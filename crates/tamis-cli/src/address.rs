//! URLs as users write them: shown without credentials, requested as the URL standard has them.

use url::Url;

/// The URL of a page, `http://` or `https://`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address(String);

impl Address {
    /// An argument that is a URL which can be fetched.
    pub(crate) fn named(argument: &str) -> Option<Address> {
        let (scheme, _) = argument.split_once("://")?;
        let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
        is_web.then(|| Address(argument.to_owned()))
    }

    /// For messages and results: without user name and password.
    pub(crate) fn shown(&self) -> String {
        without_secrets(&self.0)
    }

    /// As it is requested: the host in Punycode, other characters percent-encoded.
    #[cfg_attr(not(feature = "fetch"), allow(dead_code, reason = "nothing is requested"))]
    pub(crate) fn url(&self) -> anyhow::Result<Url> {
        Ok(Url::parse(&self.0)?)
    }
}

/// A URL without user name and password. By hand, since it must also work on what is not a valid URL.
pub(crate) fn without_secrets(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    format!("{scheme}://{host}{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_requested_in_ascii() {
        for (address, wanted) in [
            ("HTTPS://example.com/a?b", "https://example.com/a?b"),
            ("http://example.com:8080/a b/ü?q=中", "http://example.com:8080/a%20b/%C3%BC?q=%E4%B8%AD"),
            ("http://me:secret@example.com/", "http://me:secret@example.com/"),
            ("http://MÜNCHEN.example", "http://xn--mnchen-3ya.example/"),
            ("http://", "empty host"),
            ("http://example.com:http/", "invalid port number"),
            ("ftp://example.com/", "not a URL"),
            ("page.html", "not a URL"),
        ] {
            let url = match Address::named(address).map(|address| address.url()) {
                Some(Ok(url)) => url.to_string(),
                Some(Err(error)) => error.to_string(),
                None => "not a URL".to_owned(),
            };
            assert_eq!(url, wanted, "{address}");
        }
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
