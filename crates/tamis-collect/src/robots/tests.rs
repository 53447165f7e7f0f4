//! Cases as data: a file, an agent, and which paths the agent may fetch (`+`) or not (`-`).

use super::*;

fn url(path: &str) -> Url {
    Url::parse(&format!("https://a.example{path}")).unwrap()
}

/// `(description, file, agent, paths)`
type Case = (&'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip]
const CASES: &[Case] = &[
    ("an empty file allows all", "", "tamis", "+/ +/x"),
    ("an empty pattern matches nothing", "user-agent: *\ndisallow:\nallow:", "tamis", "+/ +/x"),
    ("rules before any agent are ignored", "disallow: /\nuser-agent: tamis\nallow: /x", "tamis", "+/ +/x"),
    ("agents match whatever the case", "USER-AGENT: TaMiS\nDISALLOW: /x", "tamis", "-/x +/y"),
    ("paths match only in the same case", "user-agent: *\ndisallow: /Private", "tamis", "+/private -/Private"),
    ("a version in the line does not count", "user-agent: tamis/7.1\ndisallow: /", "tamis", "-/x"),
    ("a whole user agent is known by its product", "user-agent: tamis\ndisallow: /", "Tamis/0.1 (+https://b.example)", "-/x"),
    ("a longer name is another agent", "user-agent: tamis-news\ndisallow: /", "tamis", "+/x"),
    ("a shorter name is another agent", "user-agent: tam\ndisallow: /", "tamis", "+/x"),
    ("the agent's own group replaces that for all", "user-agent: *\ndisallow: /\nuser-agent: tamis\ndisallow: /x", "tamis", "+/ -/x"),
    ("the order of groups does not matter", "user-agent: tamis\nallow: /\nuser-agent: *\ndisallow: /", "tamis", "+/x"),
    ("an own group without rules allows all", "user-agent: *\ndisallow: /\nuser-agent: tamis\n", "tamis", "+/x"),
    ("others fall back to the group for all", "user-agent: x\nallow: /\nuser-agent: *\ndisallow: /", "tamis", "-/x"),
    ("without a group for all, all is allowed", "user-agent: x\ndisallow: /", "tamis", "+/x"),
    ("groups of one agent are merged", "user-agent: tamis\ndisallow: /a\nuser-agent: *\ndisallow: /b\nuser-agent: tamis\ndisallow: /c", "tamis", "-/a +/b -/c"),
    ("agents share a group", "user-agent: x\nuser-agent: tamis\nuser-agent: y\ndisallow: /a", "tamis", "-/a +/b"),
    ("blank lines do not end a group", "user-agent: tamis\n\n\ndisallow: /a\n\ndisallow: /b", "tamis", "-/a -/b"),
    ("sitemaps and unknown lines do not end a run of agents", "user-agent: tamis\nsitemap: https://a.example/s\nfoo: bar\nuser-agent: x\ndisallow: /", "tamis", "-/a"),
    ("a star with words behind it is for all", "user-agent: * all of you\ndisallow: /a", "tamis", "-/a"),
    ("a star within a name is no wildcard", "user-agent: *tamis\ndisallow: /a\nuser-agent: tam*\ndisallow: /a", "tamis", "+/a"),
    ("an agent that is no name matches nobody", "user-agent: 7\ndisallow: /a", "tamis", "+/a"),
    ("white space around everything", "  user-agent \t: \t tamis  \n\tdisallow\t:\t/a\t", "tamis", "-/a"),
    ("a colon may be missing", "user-agent tamis\ndisallow /a", "tamis", "-/a"),
    ("three words without a colon are no line", "user-agent: tamis\ndisallow /a /b", "tamis", "+/a"),
    ("comments end a line", "user-agent: tamis # us\ndisallow: /a#b\n#disallow: /c", "tamis", "-/a +/c"),
    ("common misspellings are understood", "useragent: tamis\ndissallow: /a\ndisalow: /b", "tamis", "-/a -/b"),
    ("all line ends count", "user-agent: tamis\rdisallow: /a\r\ndisallow: /b\n\rdisallow: /c", "tamis", "-/a -/b -/c"),
    ("a byte order mark is skipped", "\u{feff}user-agent: tamis\ndisallow: /a", "tamis", "-/a"),
    ("bytes before the first key spoil that line only", "x\u{feff}user-agent: tamis\nuser-agent: tamis\ndisallow: /a", "tamis", "-/a"),
    ("the longest match wins, wherever it stands", "user-agent: *\nallow: /a/b\ndisallow: /a\nallow: /a/b/c/d\ndisallow: /a/b/c", "tamis", "-/a/x +/a/b -/a/b/c +/a/b/c/d"),
    ("allow wins a tie", "user-agent: *\ndisallow: /a\nallow: /a\nallow: /b/\ndisallow: /b/", "tamis", "+/a/x +/b/"),
    ("patterns match beginnings", "user-agent: *\ndisallow: /fish", "tamis", "-/fish -/fish.html -/fish/salmon -/fishheads?id=1 +/catfish +/?id=fish +/Fish"),
    ("a slash at the end means the folder", "user-agent: *\ndisallow: /fish/", "tamis", "-/fish/ -/fish/salmon -/fish/?id=1 +/fish +/fish.html"),
    ("a trailing star adds nothing", "user-agent: *\ndisallow: /fish*", "tamis", "-/fish -/fishheads/y -/fish/ +/catfish"),
    ("a star within a path", "user-agent: *\ndisallow: /fish*.php", "tamis", "-/fish.php -/fishheads/catfish.php?p=1 +/Fish.PHP +/fish.html"),
    ("a star at the beginning", "user-agent: *\ndisallow: *.php", "tamis", "-/index.php -/a/b.php?c -/a.php/ +/ +/windows.PHP"),
    ("a dollar ends the path", "user-agent: *\ndisallow: /*.php$", "tamis", "-/a.php -/b/a.php +/a.php?x +/a.php/ +/a.php5"),
    ("the last piece may stand twice", "user-agent: *\ndisallow: /*ab$\ndisallow: /c*d*d$", "tamis", "-/ab/ab +/ab/a -/c/d/dd +/cd"),
    ("only the front page", "user-agent: *\ndisallow: /$", "tamis", "-/ +/a +/?q"),
    ("a dollar elsewhere is a character", "user-agent: *\ndisallow: /a$b", "tamis", "-/a$b/c +/a"),
    ("a pattern without a slash matches no path", "user-agent: *\ndisallow: fish", "tamis", "+/fish"),
    ("queries are part of the path", "user-agent: *\ndisallow: /*?sort=\nallow: /?", "tamis", "-/a?sort=up +/a?x=1 -/?sort=up +/?sor"),
    ("raw and escaped characters are the same", "user-agent: *\ndisallow: /港口\ndisallow: /foo/bar?baz=http%3a%2f%2fx", "tamis", "-/%E6%B8%AF%E5%8F%A3/1 -/港口 -/foo/bar?baz=http%3A%2F%2Fx +/foo/bar?baz=http://x"),
    ("escapes of unreserved characters are resolved", "user-agent: *\ndisallow: /foo/%62%61%7A\ndisallow: /%7Eada", "tamis", "-/foo/baz -/~ada -/%7eada -/foo/b%61z"),
    ("escaped special characters are literal", "user-agent: *\ndisallow: /with-a-%2A.html\ndisallow: /foo-%24", "tamis", "-/with-a-*.html +/with-a-b.html -/foo-$ +/foo-"),
    ("an escaped slash is no slash", "user-agent: *\ndisallow: /a%2fb", "tamis", "-/a%2Fb +/a/b"),
    ("robots.txt itself is always allowed", "user-agent: *\ndisallow: /", "tamis", "+/robots.txt -/robots.txt.bak"),
    // RFC 9309, section 5.1, with other names.
    ("rfc: simple example, first agent", "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\nUser-Agent: alphabot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\nUser-Agent: betabot\nUser-Agent: gammabot\nAllow:/example/page.html\nAllow:/example/allowed.gif\nDisallow:/\n\nUser-Agent: quietbot\n\nEOF", "alphabot", "-/ +/example/page.html +/example/allowed.gif -/example/x.gif"),
    ("rfc: simple example, empty group", "User-Agent: *\nDisallow: *.gif$\nUser-Agent: alphabot\nDisallow:/\nUser-Agent: quietbot\n\nEOF", "quietbot", "+/ +/a.gif"),
    ("rfc: simple example, everyone else", "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\nUser-Agent: alphabot\nDisallow:/", "tamis", "+/ -/a.gif +/a.gif2 -/example/page +/publications/x"),
    // RFC 9309, section 5.2.
    ("rfc: longest match", "User-Agent: alphabot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif", "alphabot", "+/example/page/x -/example/page/disallowed.gif"),
];

#[test]
fn every_case_holds() {
    for (what, file, agent, paths) in CASES {
        let robots = Robots::parse(file.as_bytes());
        for path in paths.split(' ') {
            let (sign, path) = path.split_at(1);
            assert_eq!(robots.allows(agent, &url(path)), sign == "+", "{what}: {path}");
        }
    }
}

#[test]
fn presets_say_all_or_nothing_but_never_forbid_robots_txt() {
    assert!(Robots::allow_all().allows("tamis", &url("/x")));
    assert!(!Robots::disallow_all().allows("tamis", &url("/x")));
    assert!(Robots::disallow_all().allows("tamis", &url("/robots.txt")));
}

#[test]
fn crawl_delays_are_read_per_agent_and_bounded() {
    let delay = |file: &str| Robots::parse(file.as_bytes()).crawl_delay("tamis");
    for (file, expected) in [
        ("user-agent: *\ncrawl-delay: 2.5", Some(2500)),
        ("user-agent: *\ncrawl-delay: 2\nallow: /\nuser-agent: tamis\ncrawl-delay: 7", Some(7000)),
        // Only `Allow` and `Disallow` end a run of agents.
        ("user-agent: *\ncrawl-delay: 2\nuser-agent: tamis\ndisallow:", Some(2000)),
        ("user-agent: *\ncrawl-delay: 2\ndisallow:\nuser-agent: tamis\ndisallow:", None),
        ("user-agent: tamis\ncrawl-delay: 3\nuser-agent: tamis\ncrawl-delay: 9", Some(9000)),
        ("user-agent: tamis\ncrawl-delay: 1e300", Some(24 * 3600 * 1000)),
        ("user-agent: tamis\ncrawl-delay: inf", Some(24 * 3600 * 1000)),
        ("user-agent: tamis\ncrawl-delay: NaN", None),
        ("user-agent: tamis\ncrawl-delay: -1", None),
        ("user-agent: tamis\ncrawl-delay: soon", None),
        ("crawl-delay: 5", None),
    ] {
        assert_eq!(delay(file), expected.map(Duration::from_millis), "{file}");
    }
}

#[test]
fn sitemaps_belong_to_no_group_and_are_bounded() {
    let robots = Robots::parse(
        b"Sitemap: https://a.example/1.xml\nuser-agent: x\nsite-map : /2.xml # old\nsitemap:\n",
    );
    assert_eq!(robots.sitemaps(), ["https://a.example/1.xml", "/2.xml"]);
    assert_eq!(Robots::parse("sitemap: /x\n".repeat(5000).as_bytes()).sitemaps().len(), MAX_SITEMAPS);
    assert!(Robots::parse(format!("sitemap: /{}", "x".repeat(9999)).as_bytes()).sitemaps().is_empty());
}

#[test]
fn only_whole_lines_of_the_first_500_kib_count() {
    let padding = "#".repeat(MAX_BYTES - 40);
    // The limit truncates the rule after `/pri`.
    let start = format!("user-agent: *\n{padding}\n");
    let start = format!("{start}{}disallow: /pri", " ".repeat(MAX_BYTES - start.len() - 14));
    assert_eq!(start.len(), MAX_BYTES);
    assert!(Robots::parse(format!("{start}vate").as_bytes()).allows("tamis", &url("/print")));
    assert!(!Robots::parse(start.as_bytes()).allows("tamis", &url("/print")));
    assert!(Robots::parse(&vec![b'x'; 2 * MAX_BYTES]).allows("tamis", &url("/")));
}

#[test]
fn hostile_files_are_read_in_linear_time() {
    let stars = format!("user-agent: *\ndisallow: /{}b$\n", "*a".repeat(100_000));
    let long = url(&format!("/{}", "a".repeat(1900)));
    assert!(Robots::parse(stars.as_bytes()).allows("tamis", &long));
    let many = format!("user-agent: *\n{}", "disallow:/*a*a*a*a*b\n".repeat(20_000));
    assert!(Robots::parse(many.as_bytes()).allows("tamis", &long));
    let agents = "user-agent: tamis\ndisallow:/x\n".repeat(15_000);
    assert!(!Robots::parse(agents.as_bytes()).allows("tamis", &url("/x")));
    for bytes in
        [&b"\xFF\xFE\x00u\x00s"[..], b"user-agent: \xFF\ndisallow: \xFF%", b":::\n:\n#\n%", b"\0\0\0"]
    {
        assert!(Robots::parse(bytes).allows("tamis", &url("/x")));
    }
}

proptest::proptest! {
    #[test]
    fn any_bytes_are_read(bytes: Vec<u8>, path in "/[*$%a-c/?]{0,20}") {
        let robots = Robots::parse(&bytes);
        assert!(robots.allows("tamis", &url("/robots.txt")));
        robots.allows("tamis", &url(&path));
    }

    #[test]
    fn matching_agrees_with_a_naive_matcher(pattern in "/[ab*]{0,8}\\$?", path in "/[ab]{0,8}") {
        fn naive(pattern: &[u8], path: &[u8]) -> bool {
            match pattern {
                [] => true,
                [b'$'] => path.is_empty(),
                [b'*', rest @ ..] => (0..=path.len()).any(|at| naive(rest, &path[at..])),
                [byte, rest @ ..] => path.first() == Some(byte) && naive(rest, &path[1..]),
            }
        }
        let robots = Robots::parse(format!("user-agent: *\ndisallow: {pattern}").as_bytes());
        let expected = naive(pattern.as_bytes(), path.as_bytes());
        assert_eq!(!robots.allows("tamis", &url(&path)), expected, "{pattern} {path}");
    }
}
