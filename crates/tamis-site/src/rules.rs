//! Rules that users write for sites: a TOML file of `[[site]]` tables, looked up by URL.

use std::collections::BTreeMap;

use tamis::page::SiteRules;
use tamis_html::{Selector, SelectorError};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::key;

/// The rules of many sites.
///
/// ```
/// use tamis_site::RuleSet;
///
/// let rules = RuleSet::parse("[[site]]\nhost = '*.gazette.example'\nkeep = ['div.story']\ntitle = 'h1'")?;
/// let host = |url| rules.for_url(url).map(|rules| rules.host.as_str());
/// assert_eq!(host("https://www.gazette.example/rain"), Some("*.gazette.example"));
/// assert_eq!(host("https://courier.example/"), None);
/// let error = RuleSet::parse("[[site]]\nhost = 'a.example'\nkepe = 'p'").unwrap_err();
/// assert_eq!((error.line, error.column), (3, 1));
/// # Ok::<(), tamis_site::RuleError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleSet {
    sites: BTreeMap<String, SiteRules>,
    digest: u128,
}

/// An error in a file of rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct RuleError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong, with the remedy.
    pub problem: String,
}

const KEYS: &str = "host, keep, keep_first, drop, title, author, date";
const SITE: &str = "rules must be in tables that start with [[site]]";

impl RuleSet {
    /// Parses the text of a file. Unknown keys are errors.
    pub fn parse(text: &str) -> Result<RuleSet, RuleError> {
        let reader = Reader { text };
        let table = DeTable::parse(text).map_err(|error| {
            reader.fail(error.span().unwrap_or_default().start, error.message().replace('\n', "; "))
        })?;
        let mut sites = BTreeMap::new();
        for (key, value) in table.get_ref() {
            let tables = value.get_ref().as_array().filter(|_| key.get_ref() == "site");
            for table in tables.ok_or_else(|| reader.fail(key.span().start, SITE))? {
                let rules = reader.site(table)?;
                let host = table.get_ref().get("host").map_or(0, |host| host.span().start);
                if sites.insert(rules.host.clone(), rules).is_some() {
                    return Err(reader.fail(host, "this host occurs twice: join the tables"));
                }
            }
        }
        Ok(RuleSet { sites, digest: xxhash_rust::xxh3::xxh3_128(text.as_bytes()) })
    }

    /// The rules for a page: those of its host, with or without `www.`, or those of the most specific `*.` pattern.
    pub fn for_url(&self, url: &str) -> Option<&SiteRules> {
        let host = key::host_of(url)?;
        let bare = host.strip_prefix("www.").unwrap_or(&host);
        let exact = [host.clone(), bare.to_owned(), format!("www.{bare}")];
        let parents =
            std::iter::successors(Some(host.as_str()), |host| host.split_once('.').map(|(_, parent)| parent));
        exact
            .into_iter()
            .chain(parents.map(|parent| format!("*.{parent}")))
            .find_map(|name| self.sites.get(&name))
    }

    /// The rules of all sites, by host.
    pub fn sites(&self) -> impl ExactSizeIterator<Item = &SiteRules> {
        self.sites.values()
    }

    /// Identifies the text that the rules were parsed from.
    pub fn digest(&self) -> u128 {
        self.digest
    }
}

/// A normalised host; the prefix `*.` includes its subdomains.
pub(crate) fn host(name: &str) -> Option<String> {
    let (prefix, bare) = name.strip_prefix("*.").map_or(("", name), |bare| ("*.", bare));
    let is_host = !bare.contains(['/', ':', '@', '*']);
    key::host(bare).filter(|_| is_host).map(|host| format!("{prefix}{host}"))
}

/// Reads tables of a text.
struct Reader<'t> {
    text: &'t str,
}

impl Reader<'_> {
    fn fail(&self, at: usize, problem: impl Into<String>) -> RuleError {
        let before = &self.text[..self.text.floor_char_boundary(at)];
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        RuleError { line: before.matches('\n').count() + 1, column, problem: problem.into() }
    }

    fn site(&self, table: &Spanned<DeValue<'_>>) -> Result<SiteRules, RuleError> {
        let mut rules = SiteRules::default();
        let pairs = table.get_ref().as_table().ok_or_else(|| self.fail(table.span().start, SITE))?;
        for (key, value) in pairs {
            let (name, at) = (&**key.get_ref(), value.span().start);
            let list = match name {
                "host" => {
                    let host = value.get_ref().as_str().and_then(host);
                    let remedy = "give a host such as 'example.com' or '*.example.com'";
                    rules.host = host.ok_or_else(|| self.fail(at, remedy))?;
                    continue;
                }
                "keep_first" => {
                    let flag = value.get_ref().as_bool();
                    rules.keep_first = flag.ok_or_else(|| self.fail(at, "give true or false"))?;
                    continue;
                }
                "keep" => &mut rules.keep,
                "drop" => &mut rules.drop,
                "title" => &mut rules.title,
                "author" => &mut rules.author,
                "date" => &mut rules.date,
                _ => {
                    let problem = format!("unknown key `{name}`: the keys are {KEYS}");
                    return Err(self.fail(key.span().start, problem));
                }
            };
            *list = match value.get_ref() {
                DeValue::Array(items) => {
                    items.iter().map(|it| self.selector(it)).collect::<Result<_, _>>()?
                }
                _ => vec![self.selector(value)?],
            };
            if matches!(name, "keep" | "drop") && list.iter().any(Selector::reads_attribute) {
                return Err(self.fail(at, "only title, author and date may have ::attr(): leave it out"));
            }
        }
        if rules.host.is_empty() {
            return Err(self.fail(table.span().start, "a site needs a `host`"));
        }
        Ok(rules)
    }

    fn selector(&self, value: &Spanned<DeValue<'_>>) -> Result<Selector, RuleError> {
        let start = value.span().start;
        let text = value.get_ref().as_str();
        let text = text.ok_or_else(|| self.fail(start, "give a CSS selector, or a list of them"))?;
        text.parse().map_err(|error: SelectorError| {
            // With escapes, or over several lines, only the start of the text is known.
            let is_plain = self.text.get(start + 1..).is_some_and(|rest| rest.starts_with(text));
            let at = if is_plain { start + 1 + error.position } else { start };
            self.fail(at, format!("in this selector: {}", error.problem))
        })
    }
}

/// The rules as TOML that [`RuleSet::parse`] reads.
pub(crate) fn to_toml(rules: &SiteRules) -> String {
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let mut out = format!("[[site]]\nhost = {}\n", quoted(&rules.host));
    for (name, selectors) in rules.fields().into_iter().filter(|(_, selectors)| !selectors.is_empty()) {
        let lines = selectors.iter().map(|selector| format!("    {},\n", quoted(&selector.to_string())));
        out += &format!("{name} = [\n{}]\n", lines.collect::<String>());
    }
    out + if rules.keep_first { "keep_first = true\n" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_specific_host_wins() {
        let hosts = ["a.example", "*.a.example", "*.news.a.example", "www.b.example", "*.münchen.example"];
        let text: String = hosts.iter().map(|host| format!("[[site]]\nhost = '{host}'\n")).collect();
        let rules = RuleSet::parse(&text).unwrap();
        for (url, expected) in [
            ("https://WWW.A.example:8080/x", Some("a.example")),
            ("https://shop.a.example", Some("*.a.example")),
            ("https://old.news.a.example/", Some("*.news.a.example")),
            ("http://b.example/", Some("www.b.example")),
            ("http://nota.example/", None),
            ("https://xn--mnchen-3ya.example/", Some("*.münchen.example")),
            ("page.html", None),
        ] {
            assert_eq!(rules.for_url(url).map(|rules| rules.host.as_str()), expected, "{url}");
        }
    }

    #[test]
    fn errors_name_the_place_and_the_remedy() {
        for line in include_str!("../tests/rule-errors.tsv").lines().skip(1) {
            let [text, line, column, part] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
            let error = RuleSet::parse(&text.replace("\\n", "\n")).unwrap_err();
            let place = (error.line.to_string(), error.column.to_string());
            assert_eq!((place.0.as_str(), place.1.as_str()), (line, column), "{text}: {error}");
            assert!(error.problem.contains(part), "{error}");
        }
    }
}
