//! Translates ftr-site-config, the site patterns of full-text feed readers, into rules.
//!
//! A file has the name of its host and lines of a directive and a value, mostly XPath. The part of XPath that has an
//! exact equal among our selectors is translated; all else is reported with its line.

use tamis::page::SiteRules;
use tamis_html::Selector;

use crate::rules::{host, to_toml};

/// The rules of one file.
///
/// ```
/// use tamis_site::Import;
///
/// let import = Import::parse(".gazette.example.txt", "body: //div[@id='story']\ntitle: //h1[last()]").unwrap();
/// assert_eq!(import.to_toml(), "[[site]]\nhost = \"*.gazette.example\"\nkeep = [\n    \"div[id='story']\",\n]\n");
/// assert_eq!(import.untranslated[0].line, 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Import {
    /// What could be translated.
    pub rules: SiteRules,
    /// What could not.
    pub untranslated: Vec<Untranslated>,
}

/// A line that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untranslated {
    /// The line, from 1.
    pub line: usize,
    /// Its text.
    pub text: String,
    /// Why.
    pub reason: &'static str,
}

/// Directives about tests, parsers and what is done where nothing matches: rules need none of it.
const WITHOUT_EFFECT: [&str; 6] =
    ["test_url", "test_contains", "tidy", "parser", "prune", "autodetect_on_failure"];
/// Selectors that `or` may multiply into.
const MAX_ALTERNATIVES: usize = 32;
const FORM: &str = "XPath of this form is not supported";

impl Import {
    /// Translates a file; nothing if its name is not that of a host.
    pub fn parse(file_name: &str, text: &str) -> Option<Import> {
        let name = file_name.strip_suffix(".txt").unwrap_or(file_name);
        let name = name.strip_prefix('.').map_or(name.to_owned(), |name| format!("*.{name}"));
        let mut import = Import::default();
        import.rules.host = host(&name).filter(|host| host.trim_start_matches("*.").contains('.'))?;
        let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim).enumerate();
        for (index, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            let (directive, value) = line.split_once(':').unwrap_or((line, ""));
            if let Err(reason) = import.add(directive.trim(), value.trim()) {
                import.untranslated.push(Untranslated { line: index + 1, text: line.to_owned(), reason });
            }
        }
        // Lines of `body` are alternatives.
        import.rules.keep_first = import.rules.keep.len() > 1;
        Some(import)
    }

    /// The rules as TOML, for [`RuleSet::parse`](crate::RuleSet::parse).
    pub fn to_toml(&self) -> String {
        to_toml(&self.rules)
    }

    fn add(&mut self, directive: &str, value: &str) -> Result<(), &'static str> {
        let rules = &mut self.rules;
        let (list, is_field) = match directive {
            "body" => (&mut rules.keep, false),
            "strip" | "strip_id_or_class" => (&mut rules.drop, false),
            "title" => (&mut rules.title, true),
            "author" => (&mut rules.author, true),
            "date" => (&mut rules.date, true),
            known if WITHOUT_EFFECT.contains(&known) => return Ok(()),
            _ => return Err("rules have nothing like it"),
        };
        let selector = if directive == "strip_id_or_class" {
            let name = value.trim_matches(['\'', '"']).replace('"', "");
            format!("[class~=\"{name}\"], [id~=\"{name}\"]").parse().map_err(|_| FORM)?
        } else {
            translate(value, is_field)?
        };
        if !list.contains(&selector) {
            list.push(selector);
        }
        Ok(())
    }
}

/// Translates an XPath. Of a field, the first match is used anyway.
fn translate(xpath: &str, is_field: bool) -> Result<Selector, &'static str> {
    let mut selectors = Vec::new();
    for path in alternatives(xpath) {
        let path = path.trim();
        let inner = path.strip_prefix('(').and_then(|inner| inner.rsplit_once(')'));
        let path = match inner {
            Some((inner, "")) => inner,
            Some((inner, "[1]")) if is_field => inner,
            Some(_) => return Err("one of several matches cannot be chosen"),
            None => path,
        };
        selectors.extend(Scanner(path.trim()).path(is_field)?);
    }
    selectors.join(", ").parse().map_err(|_| FORM)
}

/// Splits at `|` outside of quotation marks and brackets.
fn alternatives(xpath: &str) -> Vec<&str> {
    let (mut depth, mut quote) = (0_usize, None);
    let is_bar = |c: char| {
        match (quote, c) {
            (Some(open), _) => quote = (c != open).then_some(open),
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | '[') => depth += 1,
            (None, ')' | ']') => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == '|' && depth == 0 && quote.is_none()
    };
    xpath.split(is_bar).collect()
}

/// What is left to read.
struct Scanner<'t>(&'t str);

impl<'t> Scanner<'t> {
    fn eat(&mut self, wanted: &str) -> bool {
        let rest = self.0.trim_start().strip_prefix(wanted);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn expect(&mut self, wanted: &str) -> Result<(), &'static str> {
        if self.eat(wanted) { Ok(()) } else { Err(FORM) }
    }

    /// A name without a prefix or an axis.
    fn name(&mut self) -> Result<&'t str, &'static str> {
        let rest = self.0.trim_start();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "-_".contains(c))).unwrap_or(rest.len());
        self.0 = &rest[end..];
        if end == 0 || self.0.starts_with([':', '(']) { Err(FORM) } else { Ok(&rest[..end]) }
    }

    /// A literal with its quotation marks, which selectors use in the same way.
    fn literal(&mut self) -> Result<&'t str, &'static str> {
        let rest = self.0.trim_start();
        let quote = rest.chars().next().filter(|c| "'\"".contains(*c)).ok_or(FORM)?;
        let end = rest[1..].find(quote).ok_or("a quotation mark is not closed")? + 2;
        self.0 = &rest[end..];
        Ok(&rest[..end])
    }

    /// The selectors of a path: several where predicates have `or`.
    fn path(mut self, is_field: bool) -> Result<Vec<String>, &'static str> {
        let mut paths = vec![String::new()];
        while !self.0.trim().is_empty() {
            let is_start = paths[0].is_empty();
            let relation = match (self.eat("//"), is_start) {
                (true, false) => " ",
                (true, true) => "",
                // From the root there is only `html`.
                (false, true) if self.0.starts_with("/html") && self.eat("/") => "",
                (false, true) => return Err(FORM),
                (false, false) => self.expect("/").map(|()| " > ")?,
            };
            if relation == " > " && is_field && self.eat("@") {
                let attribute = [format!("::attr({})", self.name()?)];
                return if self.0.is_empty() { product(&paths, &attribute, "") } else { Err(FORM) };
            }
            let name = if self.eat("*") { "*" } else { self.name()? };
            let mut steps = vec![name.to_owned()];
            let mut is_position_possible = name != "*";
            while self.eat("[") {
                steps = product(&steps, &self.predicate(is_position_possible)?, "")?;
                is_position_possible = false;
                self.expect("]")?;
            }
            paths = product(&paths, &steps, relation)?;
        }
        Ok(paths)
    }

    /// The alternatives of a predicate.
    fn predicate(&mut self, is_position_possible: bool) -> Result<Vec<String>, &'static str> {
        // Behind another predicate, a position counts what is left.
        if is_position_possible && self.0.trim_start().starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(vec![format!(":nth-of-type({})", self.name()?)]);
        }
        let mut alternatives = vec![String::new()];
        loop {
            let is_not = self.eat("not(");
            let condition = self.condition()?;
            if is_not {
                self.expect(")")?;
            }
            let condition = if is_not { format!(":not({condition})") } else { condition };
            alternatives.last_mut().ok_or(FORM)?.push_str(&condition);
            if self.eat("or ") {
                alternatives.push(String::new());
            } else if !self.eat("and ") {
                return Ok(alternatives);
            }
        }
    }

    /// A condition on an attribute. Classes are compared by word as `concat(' ', normalize-space(@class), ' ')`.
    fn condition(&mut self) -> Result<String, &'static str> {
        let operator = match (self.eat("contains("), self.eat("starts-with(")) {
            (true, _) => "*=",
            (_, true) => "^=",
            _ if self.eat("@") => {
                let name = self.name()?;
                let value = if self.eat("=") { format!("={}", self.literal()?) } else { String::new() };
                return Ok(format!("[{name}{value}]"));
            }
            _ => return Err(FORM),
        };
        let is_padded = self.eat("concat(");
        if is_padded {
            self.literal()?;
            self.expect(",")?;
        }
        let is_normal = self.eat("normalize-space(");
        self.expect("@")?;
        let name = self.name()?;
        if is_normal {
            self.expect(")")?;
        }
        if is_padded {
            self.expect(",")?;
            self.literal()?;
            self.expect(")")?;
        }
        self.expect(",")?;
        let literal = self.literal()?;
        self.expect(")")?;
        let value = &literal[1..literal.len() - 1];
        let word = value.strip_prefix(' ').and_then(|value| value.strip_suffix(' '));
        match word.filter(|word| !word.is_empty() && !word.contains([' ', '"'])) {
            Some(word) if is_padded && operator == "*=" => Ok(format!("[{name}~=\"{word}\"]")),
            _ if is_padded || value.is_empty() => Err(FORM),
            _ => Ok(format!("[{name}{operator}{literal}]")),
        }
    }
}

/// Every one of `left` with every one of `right` behind it.
fn product(left: &[String], right: &[String], between: &str) -> Result<Vec<String>, &'static str> {
    if left.len() * right.len() > MAX_ALTERNATIVES {
        return Err("too many alternatives");
    }
    Ok(left.iter().flat_map(|one| right.iter().map(move |other| format!("{one}{between}{other}"))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RuleSet;

    #[test]
    fn xpath_becomes_css_or_is_left_out() {
        for line in include_str!("../tests/xpath.tsv").lines().skip(1) {
            let (xpath, expected) = line.split_once('\t').unwrap();
            let translated = translate(xpath, true).map_or_else(|_| "none".to_owned(), |it| it.to_string());
            assert_eq!(translated, expected, "{xpath}");
        }
        assert!(translate("(//div)[1]", false).is_err(), "of a text, all matches count");
        for part in ["[@a or @b]", "(", "[not(", "//p", "[@a and @a"] {
            assert!(translate(&format!("//p{}", part.repeat(10_000)), true).is_err(), "{part}");
        }
    }

    #[test]
    fn files_become_tables_that_can_be_read() {
        let import = Import::parse("a.example.txt", include_str!("../tests/a.example.txt")).unwrap();
        let lines: Vec<usize> = import.untranslated.iter().map(|it| it.line).collect();
        assert_eq!(lines, [9, 12, 13, 14]);
        let set = RuleSet::parse(&import.to_toml()).unwrap();
        assert_eq!(set.for_url("http://a.example/1"), Some(&import.rules));
        assert!(import.rules.keep_first);
        assert_eq!(import.rules.drop[1].to_string(), "[class~=\"share\"], [id~=\"share\"]");
        assert_eq!(Import::parse("README", ""), None);
        assert_eq!(Import::parse(".b.example.txt", "").unwrap().rules.host, "*.b.example");
    }
}
