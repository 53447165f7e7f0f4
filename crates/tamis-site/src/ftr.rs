//! Translates ftr-site-config, the site patterns of full-text feed readers, into rules.
//!
//! A file is named after its host and has lines of a directive and a value, mostly XPath. XPath with an exact
//! equivalent among our selectors is translated; everything else is reported with its line.

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
    /// The translated rules.
    pub rules: SiteRules,
    /// The lines without an equivalent.
    pub untranslated: Vec<Untranslated>,
}

/// A line that was not translated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untranslated {
    /// The line, from 1.
    pub line: usize,
    /// The text.
    pub text: String,
    /// The reason.
    pub reason: &'static str,
}

/// Directives for tests, parsers and fallbacks.
const WITHOUT_EFFECT: [&str; 6] =
    ["test_url", "test_contains", "tidy", "parser", "prune", "autodetect_on_failure"];
const FORM: &str = "XPath of this form is not supported";

impl Import {
    /// Translates a file; `None` if its name is not a host.
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
            _ => return Err("no equivalent rule"),
        };
        let selector = if directive == "strip_id_or_class" {
            let name = value.trim_matches(['\'', '"']).replace('"', "");
            format!("[class*=\"{name}\"], [id*=\"{name}\"]").parse().map_err(|_| FORM)?
        } else {
            translate(value, is_field)?
        };
        if !list.contains(&selector) {
            list.push(selector);
        }
        Ok(())
    }
}

/// Translates an XPath. For fields, the first match is used anyway. Parsing the result detects invalid names and
/// literals.
fn translate(xpath: &str, is_field: bool) -> Result<Selector, &'static str> {
    let paths = split_outside(xpath, '|').into_iter().map(|path| path_to_css(path.trim(), is_field));
    paths.collect::<Result<Vec<_>, _>>()?.join(", ").parse().map_err(|_| FORM)
}

fn path_to_css(path: &str, is_field: bool) -> Result<String, &'static str> {
    let path = match path.strip_prefix('(').and_then(|inner| inner.rsplit_once(')')) {
        Some((inner, "")) => inner,
        Some((inner, "[1]")) if is_field => inner,
        Some(_) => return Err("selecting one of several matches is not supported"),
        None => path,
    };
    // From the root there is only `html`.
    let from_root = || path.strip_prefix('/').filter(|rest| rest.starts_with("html"));
    let path = path.strip_prefix("//").or_else(from_root).ok_or(FORM)?;
    let (mut css, mut relation) = (String::new(), "");
    for step in split_outside(path, '/') {
        let attribute = step.strip_prefix('@').filter(|_| is_field && relation == " > ");
        match attribute {
            // Between the slashes of `//`.
            _ if step.is_empty() => relation = " ",
            Some(name) => css += &format!("::attr({name})"),
            None => {
                css += relation;
                css += &step_to_css(step)?;
                relation = " > ";
            }
        }
    }
    Ok(css)
}

fn step_to_css(step: &str) -> Result<String, &'static str> {
    let (name, predicates) = step.split_at(step.find('[').unwrap_or(step.len()));
    // Names with dots would be read as classes.
    if name.contains(['.', '#', ',', ' ']) {
        return Err(FORM);
    }
    let mut css = name.to_owned();
    for (index, predicate) in split_outside(predicates, ']').into_iter().enumerate() {
        let Some(predicate) = predicate.trim().strip_prefix('[').map(str::trim) else {
            return if predicate.trim().is_empty() { Ok(css) } else { Err(FORM) };
        };
        if predicate.parse::<u32>().is_ok() {
            // After another predicate, a position counts the remaining elements.
            if index > 0 || name == "*" {
                return Err(FORM);
            }
            css += &format!(":nth-of-type({predicate})");
            continue;
        }
        for condition in predicate.split(" and ") {
            css += &match call(condition, "not") {
                Some(inner) => format!(":not({})", condition_to_css(inner)?),
                None => condition_to_css(condition)?,
            };
        }
    }
    Ok(css)
}

/// A condition on an attribute. Classes are compared by word as `concat(' ', normalize-space(@class), ' ')`.
fn condition_to_css(text: &str) -> Result<String, &'static str> {
    let name = |text: &str| text.trim().strip_prefix('@').map(str::to_owned).ok_or(FORM);
    for (function, operator) in [("contains", "*="), ("starts-with", "^=")] {
        let Some(inner) = call(text, function) else { continue };
        let [attribute, value] = split_outside(inner, ',').try_into().map_err(|_| FORM)?;
        let padded = call(attribute, "concat").map(|inner| split_outside(inner, ','));
        let bare = padded.as_ref().map_or(Some(attribute), |parts| parts.get(1).copied()).ok_or(FORM)?;
        let name = name(call(bare, "normalize-space").unwrap_or(bare))?;
        let value = value.trim();
        let content = value.get(1..value.len().saturating_sub(1)).filter(|it| !it.is_empty()).ok_or(FORM)?;
        if padded.is_none() {
            return Ok(format!("[{name}{operator}{value}]"));
        }
        let word = content.strip_prefix(' ').and_then(|it| it.strip_suffix(' '));
        let word = word.filter(|word| operator == "*=" && !word.contains([' ', '"'])).ok_or(FORM)?;
        return Ok(format!("[{name}~=\"{word}\"]"));
    }
    match text.split_once('=') {
        Some((attribute, value)) => Ok(format!("[{}={}]", name(attribute)?.trim(), value.trim())),
        None => Ok(format!("[{}]", name(text)?)),
    }
}

/// The arguments of a call of `function`.
fn call<'t>(text: &'t str, function: &str) -> Option<&'t str> {
    text.trim().strip_prefix(function)?.strip_prefix('(')?.strip_suffix(')')
}

/// Splits at a character outside of quotation marks and brackets, or at one that closes the outermost bracket.
fn split_outside(text: &str, separator: char) -> Vec<&str> {
    let (mut depth, mut quote) = (0_usize, None);
    let is_separator = |c: char| {
        match (quote, c) {
            (Some(open), _) => quote = (c != open).then_some(open),
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | '[') => depth += 1,
            (None, ')' | ']') => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == separator && depth == 0 && quote.is_none()
    };
    text.split(is_separator).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RuleSet;

    #[test]
    fn xpath_is_translated_or_rejected() {
        for line in include_str!("../tests/xpath.tsv").lines().skip(1) {
            let (xpath, expected) = line.split_once('\t').unwrap();
            let translated = translate(xpath, true).map_or_else(|_| "none".to_owned(), |it| it.to_string());
            assert_eq!(translated, expected, "{xpath}");
        }
        assert!(translate("(//div)[1]", false).is_err(), "all matches of a text count");
        for part in ["[@a or @b]", "(", "[not(", "//p", "[@a and @a"] {
            assert!(translate(&format!("//p{}", part.repeat(10_000)), true).is_err(), "{part}");
        }
    }

    #[test]
    fn files_become_valid_tables() {
        let import = Import::parse("a.example.txt", include_str!("../tests/a.example.txt")).unwrap();
        let lines: Vec<usize> = import.untranslated.iter().map(|it| it.line).collect();
        assert_eq!(lines, [9, 12, 13, 14]);
        let set = RuleSet::parse(&import.to_toml()).unwrap();
        assert_eq!(set.for_url("http://a.example/1"), Some(&import.rules));
        assert!(import.rules.keep_first);
        assert_eq!(import.rules.drop[1].to_string(), "[class*=\"share\"], [id*=\"share\"]");
        assert_eq!(Import::parse("README", ""), None);
        assert_eq!(Import::parse(".b.example.txt", "").unwrap().rules.host, "*.b.example");
    }
}
