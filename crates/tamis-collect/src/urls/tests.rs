//! Normalisation and patterns of URLs.

use proptest::prelude::*;

use super::*;

fn url(text: &str) -> Url {
    parse(text).unwrap()
}

#[test]
fn references_are_resolved_to_one_spelling() {
    let base = Url::parse("https://news.example/a/b").unwrap();
    let long = format!("/{}", "x".repeat(MAX_URL_BYTES));
    for (href, expected) in [
        ("c", Some("https://news.example/a/c")),
        ("  ../c \n", Some("https://news.example/c")),
        ("//OTHER.example:443/./x/../y", Some("https://other.example/y")),
        ("http://other.example:80", Some("http://other.example/")),
        ("http://other.example.:8080/", Some("http://other.example:8080/")),
        ("https://ada:word@other.example/", Some("https://other.example/")),
        ("?q=1#top", Some("https://news.example/a/b?q=1")),
        ("?", Some("https://news.example/a/b")),
        ("?&a=1&&b=2&", Some("https://news.example/a/b?a=1&b=2")),
        ("?b=2&utm_source=x&a=1&FBCLID=y", Some("https://news.example/a/b?b=2&a=1")),
        ("?PHPSESSID=abc", Some("https://news.example/a/b")),
        ("?sid=0123456789abcdef0123&f=2", Some("https://news.example/a/b?f=2")),
        ("?sid=1234&s=rain", Some("https://news.example/a/b?sid=1234&s=rain")),
        ("?print=1&amp=1", Some("https://news.example/a/b?print=1&amp=1")),
        ("/c;jsessionid=A1B2?x=1", Some("https://news.example/c?x=1")),
        ("/c;v=1;JSESSIONID=A1;w=2/d", Some("https://news.example/c;v=1;w=2/d")),
        ("/%e6%b8%af/%7eada%2Fx", Some("https://news.example/%E6%B8%AF/~ada%2Fx")),
        ("/港?港", Some("https://news.example/%E6%B8%AF?%E6%B8%AF")),
        ("http://[::1]:8080/x", Some("http://[::1]:8080/x")),
        ("mailto:a@b.example", None),
        ("javascript:void(0)", None),
        ("data:text/html,x", None),
        ("ftp://a.example/", None),
        ("http://", None),
        ("http://a b/", None),
        (long.as_str(), None),
    ] {
        assert_eq!(resolve(href, &base).as_ref().map(Url::as_str), expected, "{href}");
    }
}

#[test]
fn hosts_origins_and_sites() {
    for (text, host, origin_of, site) in [
        ("https://News.Example.co.uk/x", "news.example.co.uk", "https://news.example.co.uk", "example.co.uk"),
        (
            "http://blog.example.com:8080/",
            "blog.example.com:8080",
            "http://blog.example.com:8080",
            "example.com",
        ),
        ("http://127.0.0.3:8080/", "127.0.0.3:8080", "http://127.0.0.3:8080", "127.0.0.3:8080"),
        ("http://[::1]/", "[::1]", "http://[::1]", "[::1]"),
        ("http://news.intranet/", "news.intranet", "http://news.intranet", "news.intranet"),
        ("http://localhost:81/", "localhost:81", "http://localhost:81", "localhost:81"),
        ("https://github.io/", "github.io", "https://github.io", "github.io"),
        ("https://ada.github.io/", "ada.github.io", "https://ada.github.io", "ada.github.io"),
    ] {
        let url = url(text);
        assert_eq!((host_key(&url).as_str(), origin(&url).as_str()), (host, origin_of), "{text}");
        assert_eq!(site_of(&url), site, "{text}");
    }
}

#[test]
fn copies_fold_into_their_original() {
    for (copy, original) in [
        ("https://a.com/2026/rain-at-last/amp/", Some("https://a.com/2026/rain-at-last/")),
        ("https://a.com/story-17/amp", Some("https://a.com/story-17")),
        ("https://a.com/rain.html/print", Some("https://a.com/rain.html")),
        ("https://amp.a.com/rain", Some("https://a.com/rain")),
        ("https://a.com/rain?amp=1", Some("https://a.com/rain")),
        ("https://a.com/rain?id=7&amp", Some("https://a.com/rain?id=7")),
        ("https://a.com/rain?view=print&id=7", Some("https://a.com/rain?id=7")),
        ("https://a.com/rain?outputType=amp", Some("https://a.com/rain")),
        ("https://a.com/rain?print=yes", Some("https://a.com/rain")),
        ("https://a.com/rain?print=7231", None),
        ("https://a.com/rain?view=list", None),
        ("https://a.com/gear/amp/", None),
        ("https://a.com/amp/", None),
        ("https://a.com/services/print/", None),
        ("https://amp.com/rain", None),
        ("https://amplify.a.com/rain", None),
        ("https://a.com/rain-in-print", None),
    ] {
        assert_eq!(folded(&url(copy)).as_ref().map(Url::as_str), original, "{copy}");
    }
}

#[test]
fn patterns_are_shapes() {
    for (path, shape) in [
        ("/", "/"),
        ("/calendar?month=11&day=mon", "/calendar?day&month=#"),
        ("/Calendar?day=tue&month=12", "/calendar?day&month=#"),
        ("/calendar/2026-11-18", "/calendar/@date"),
        ("/calendar/20261118/", "/calendar/@date/"),
        ("/2026/11/18/rain-at-last", "/#/#/#/@slug"),
        ("/story123.html", "/story#.html"),
        ("/item/6f1d2c3b-0000-4a5b-8c9d-1234567890ab", "/item/@hex"),
        ("/list?filter[3]=a&from=2026-11-18&token=0123456789abcdef", "/list?filter[#]&from=@date&token=@hex"),
        ("/a/b/c/d/e/f/g/h/i/j/k/l/m/n", "/a/b/c/d/e/f/g/h/i/j/k/l/…"),
    ] {
        assert_eq!(pattern(&url(&format!("https://a.com{path}"))), shape, "{path}");
    }
}

#[test]
fn traps_show_in_the_address() {
    let parameters: String = (0..13).map(|index| format!("p{index}=1&")).collect();
    for (path, why) in [
        ("/news/2011/11/11/11/rain", None),
        ("/a/b/a/c", None),
        ("/css/news/css/x/css/", Some("repeated path segment")),
        ("/en/news/en/news", Some("repeated pair of path segments")),
        ("/1/2/3/4/5/6/7/8/9/10/11/12/13", Some("too many path segments")),
        (&format!("/?{parameters}"), Some("too many parameters")),
    ] {
        assert_eq!(is_trap_shaped(&url(&format!("https://a.com{path}"))), why, "{path}");
    }
}

/// References similar to URLs, and arbitrary ones.
fn references() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("http://".to_owned()),
        Just("https:".to_owned()),
        Just("//a.com".to_owned()),
        Just(";jsessionid=".to_owned()),
        Just("utm_x=1&".to_owned()),
        Just("%2e%2E/".to_owned()),
        Just("%%34%31".to_owned()),
        Just("user:word@".to_owned()),
        "[/?&;=#%.:@a-c0-9A-F]{0,6}",
        ".{0,3}",
    ];
    prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn resolving_is_idempotent_and_clean(href in references()) {
        let base = Url::parse("https://ada:word@news.example/a/b?c#d").unwrap();
        if let Some(first) = resolve(&href, &base) {
            prop_assert!(matches!(first.scheme(), "http" | "https"));
            prop_assert!(first.username().is_empty() && first.password().is_none() && first.fragment().is_none());
            prop_assert!(first.as_str().len() <= MAX_URL_BYTES && first.query() != Some(""));
            prop_assert_eq!(resolve(first.as_str(), &base), Some(first.clone()));
            prop_assert_eq!(parse(first.as_str()), Some(first.clone()));
            if let Some(original) = folded(&first) {
                prop_assert_eq!(parse(original.as_str()), Some(original));
            }
            let _ = (pattern(&first), is_trap_shaped(&first), site_of(&first));
        }
    }
}
