//! robots.txt according to RFC 9309.
//!
//! Cases that the RFC leaves open are handled like in large crawlers: a line may lack its colon, a product token ends
//! at the first invalid character, and lines other than `Allow` and `Disallow` do not end a run of `User-agent` lines.

use std::time::Duration;

use url::Url;

/// Maximum size that is parsed; the minimum that the RFC requires.
const MAX_BYTES: usize = 500 * 1024;
const MAX_SITEMAPS: usize = 1000;
const MAX_SITEMAP_BYTES: usize = 2048;
const MAX_CRAWL_DELAY: Duration = Duration::from_secs(24 * 3600);

/// The rules of one robots.txt.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Robots {
    groups: Vec<Group>,
    sitemaps: Vec<String>,
    disallow_all: bool,
}

/// Rules and the agents they apply to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Group {
    agents: Vec<Agent>,
    rules: Vec<Rule>,
    crawl_delay: Option<Duration>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Agent {
    Any,
    Named(String),
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Rule {
    allow: bool,
    /// Normalised path pattern, without a trailing `$`.
    pattern: String,
    /// The pattern ended in `$`: the whole path must match, not only a prefix.
    anchored: bool,
}

impl Robots {
    /// Allows everything, as a missing robots.txt (status 4xx) does.
    pub fn allow_all() -> Robots {
        Robots::default()
    }

    /// Disallows everything, as an unreachable robots.txt (status 5xx, timeout) does.
    pub fn disallow_all() -> Robots {
        Robots { disallow_all: true, ..Robots::default() }
    }

    /// Parses a file. Any bytes are accepted; invalid lines are skipped.
    pub fn parse(bytes: &[u8]) -> Robots {
        let mut bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        if bytes.len() > MAX_BYTES {
            let head = bytes.get(..MAX_BYTES).unwrap_or_default();
            // A truncated line could forbid more than the whole one: `Disallow: /` of `Disallow: /private`.
            let end = head.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(0);
            bytes = head.get(..end).unwrap_or_default();
        }
        let mut robots = Robots::default();
        let mut in_agents = false;
        for line in bytes.split(|byte| matches!(byte, b'\n' | b'\r')) {
            let Some((key, value)) = key_value(line) else { continue };
            match Key::of(key) {
                Some(Key::UserAgent) => {
                    let agent = agent_of(value);
                    if !in_agents {
                        robots.groups.push(Group::default());
                        in_agents = true;
                    }
                    if let (Some(group), Some(agent)) = (robots.groups.last_mut(), agent) {
                        group.agents.push(agent);
                    }
                }
                Some(Key::Rule { allow }) => {
                    in_agents = false;
                    // An empty pattern matches nothing.
                    if let Some(group) = robots.groups.last_mut()
                        && !value.is_empty()
                    {
                        group.rules.push(Rule::new(allow, value));
                    }
                }
                Some(Key::CrawlDelay) => {
                    if let Some(group) = robots.groups.last_mut() {
                        group.crawl_delay = group.crawl_delay.max(seconds(value));
                    }
                }
                Some(Key::Sitemap) if robots.sitemaps.len() < MAX_SITEMAPS => {
                    if let Ok(url) = std::str::from_utf8(value)
                        && (1..=MAX_SITEMAP_BYTES).contains(&url.len())
                    {
                        robots.sitemaps.push(url.to_owned());
                    }
                }
                Some(Key::Sitemap) | None => {}
            }
        }
        robots
    }

    /// Whether an agent may fetch a URL. `agent` is a product token or a `User-Agent` that begins with one.
    pub fn allows(&self, agent: &str, url: &Url) -> bool {
        if url.path() == "/robots.txt" {
            return true;
        }
        if self.disallow_all {
            return false;
        }
        let mut path = String::with_capacity(url.as_str().len());
        normalise(url.path().as_bytes(), false, &mut path);
        if let Some(query) = url.query() {
            path.push('?');
            normalise(query.as_bytes(), false, &mut path);
        }
        // The longest match decides; of equally long ones, `Allow`.
        let rules = self.groups_of(agent).into_iter().flat_map(|group| &group.rules);
        let decisive =
            rules.filter(|rule| rule.matches(&path)).max_by_key(|rule| (rule.octets(), rule.allow));
        decisive.is_none_or(|rule| rule.allow)
    }

    /// The `Crawl-delay` for an agent, at most a day. Not part of the RFC, but widely used.
    pub fn crawl_delay(&self, agent: &str) -> Option<Duration> {
        self.groups_of(agent).into_iter().filter_map(|group| group.crawl_delay).max()
    }

    /// The declared sitemaps, as written: at most 1,000, each of at most 2,048 bytes.
    pub fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }

    /// All groups that name the agent, or else those for `*`.
    fn groups_of(&self, agent: &str) -> Vec<&Group> {
        let token = product_token(agent.as_bytes());
        let named =
            |it: &Agent| matches!(it, Agent::Named(name) if name.as_bytes().eq_ignore_ascii_case(token));
        let own: Vec<&Group> = self.groups.iter().filter(|group| group.agents.iter().any(named)).collect();
        if !own.is_empty() {
            return own;
        }
        self.groups.iter().filter(|group| group.agents.contains(&Agent::Any)).collect()
    }
}

impl Rule {
    fn new(allow: bool, value: &[u8]) -> Rule {
        let anchored = value.ends_with(b"$");
        let mut pattern = String::with_capacity(value.len());
        normalise(value.strip_suffix(b"$").unwrap_or(value), true, &mut pattern);
        Rule { allow, pattern, anchored }
    }

    fn octets(&self) -> usize {
        self.pattern.len() + usize::from(self.anchored)
    }

    /// Matches the pieces between the `*` greedily, each at its first occurrence. This leaves the longest rest for the
    /// next pieces, so no backtracking is needed and time is linear.
    fn matches(&self, path: &str) -> bool {
        let mut pieces = self.pattern.split('*');
        let first = pieces.next().unwrap_or_default();
        let Some(mut rest) = path.strip_prefix(first) else { return false };
        let Some(last) = pieces.next_back() else { return !self.anchored || rest.is_empty() };
        for piece in pieces {
            match rest.split_once(piece) {
                Some((_, behind)) => rest = behind,
                None => return false,
            }
        }
        if self.anchored { rest.ends_with(last) } else { rest.contains(last) }
    }
}

enum Key {
    UserAgent,
    Rule { allow: bool },
    CrawlDelay,
    Sitemap,
}

impl Key {
    /// Accepts common misspellings, since their authors meant to forbid something.
    fn of(key: &[u8]) -> Option<Key> {
        match key.to_ascii_lowercase().as_slice() {
            b"user-agent" | b"useragent" | b"user agent" => Some(Key::UserAgent),
            b"allow" => Some(Key::Rule { allow: true }),
            b"disallow" | b"dissallow" | b"dissalow" | b"disalow" | b"diasllow" | b"disallaw" => {
                Some(Key::Rule { allow: false })
            }
            b"crawl-delay" | b"crawldelay" => Some(Key::CrawlDelay),
            b"sitemap" | b"site-map" => Some(Key::Sitemap),
            _ => None,
        }
    }
}

/// Key and value of a line, without its comment. If there is no colon, two words separated by white space.
fn key_value(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.split(|byte| *byte == b'#').next()?.trim_ascii();
    if let Some(colon) = line.iter().position(|byte| *byte == b':') {
        let (key, value) = line.split_at(colon);
        return Some((key.trim_ascii(), value.get(1..)?.trim_ascii()));
    }
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    match (words.next(), words.next(), words.next()) {
        (Some(key), Some(value), None) => Some((key, value)),
        _ => None,
    }
}

/// The agent of a `User-agent` line. `*` may be followed by white space and anything else.
fn agent_of(value: &[u8]) -> Option<Agent> {
    if let [b'*', rest @ ..] = value
        && rest.first().is_none_or(u8::is_ascii_whitespace)
    {
        return Some(Agent::Any);
    }
    let token = product_token(value);
    (!token.is_empty()).then(|| Agent::Named(String::from_utf8_lossy(token).to_ascii_lowercase()))
}

/// The leading letters, `-` and `_` of a user agent.
fn product_token(agent: &[u8]) -> &[u8] {
    let is_token = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_');
    let end = agent.iter().position(|byte| !is_token(byte)).unwrap_or(agent.len());
    agent.get(..end).unwrap_or_default()
}

fn seconds(value: &[u8]) -> Option<Duration> {
    let seconds: f64 = std::str::from_utf8(value).ok()?.split_ascii_whitespace().next()?.parse().ok()?;
    (seconds >= 0.0).then(|| Duration::from_secs_f64(seconds.min(MAX_CRAWL_DELAY.as_secs_f64())))
}

/// Normalises a path, query or pattern for comparison as in the RFC: decodes escapes of unreserved characters, writes
/// other escapes in upper case, and escapes bytes that are invalid in a URL. Also escapes `*` and `$`, except for the
/// wildcard of a pattern, so that `%2A` in a rule matches a literal star.
fn normalise(bytes: &[u8], is_pattern: bool, into: &mut String) {
    let hex = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escaped = match (byte, hex(bytes.get(at + 1)), hex(bytes.get(at + 2))) {
            (b'%', Some(high), Some(low)) => u8::try_from(high * 16 + low).ok(),
            _ => None,
        };
        at += if escaped.is_some() { 3 } else { 1 };
        let is_plain = match escaped {
            Some(value) => value.is_ascii_alphanumeric() || b"-._~".contains(&value),
            None => byte.is_ascii_graphic() && byte != b'$' && (byte != b'*' || is_pattern),
        };
        let value = escaped.unwrap_or(byte);
        if is_plain {
            into.push(char::from(value));
        } else {
            const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
            into.push('%');
            for digit in [value >> 4, value & 15] {
                into.push(char::from(DIGITS[usize::from(digit)]));
            }
        }
    }
}

#[cfg(test)]
mod tests;
