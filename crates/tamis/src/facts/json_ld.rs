//! JSON-LD as pages have it: with comments, commas too many, line ends inside texts, several objects in a row, escaped
//! as HTML. What can be read is read; the rest is left out.
//!
//! Bounds: a mebibyte and twenty thousand values a page, however many scripts they stand in, nested 32 deep.

mod references;
mod value;

pub(super) use references::references;
pub(crate) use value::Json;

/// How much of the scripts of a page is read.
const MOST_BYTES: usize = 1 << 20;
/// How deep values are kept; what lies deeper is passed over.
const MOST_DEEP: usize = 32;
/// How many values of a page are kept.
const MOST_VALUES: usize = 20_000;

/// What may still be read of a page: its scripts share it.
pub(crate) struct Budget {
    bytes: usize,
    values: usize,
    /// Are texts of it HTML, which keeps its references?
    is_html: bool,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { bytes: MOST_BYTES, values: MOST_VALUES, is_html: false }
    }
}

impl Budget {
    /// That of a file of its own, whose texts stay as they are written.
    pub(crate) fn of_data(bytes: usize, values: usize) -> Budget {
        Budget { bytes, values, is_html: true }
    }

    pub(super) fn is_spent(&self) -> bool {
        self.bytes == 0 || self.values == 0
    }
}

/// The values that stand in a script, one behind the other, as far as the budget goes.
pub(crate) fn read(source: &str, budget: &mut Budget) -> Vec<Json> {
    let source = &source[..source.floor_char_boundary(budget.bytes)];
    budget.bytes = budget.bytes.saturating_sub(source.len().max(1));
    let unescaped = unescaped(source);
    let source = unescaped.as_deref().unwrap_or(source);
    // Behind a key in quotes stands one more of them before the colon.
    let has_bare_keys = ["@type:", "@context:", "datePublished:"].iter().any(|key| source.contains(key));
    let mut reader =
        Reader { rest: source, values: 0, most: budget.values, is_html: budget.is_html, has_bare_keys };
    let mut found = Vec::new();
    while let Some(start) = reader.rest.find(['{', '[']) {
        reader.rest = &reader.rest[start..];
        let before = reader.rest.len();
        found.push(reader.value(0));
        if reader.rest.len() == before || reader.values >= reader.most {
            break;
        }
    }
    budget.values = budget.values.saturating_sub(reader.values);
    found
}

/// A script that is escaped as HTML outside of texts too, so that every quote is a reference; nothing where it is not. What is
/// escaped inside of texts is read with them.
fn unescaped(source: &str) -> Option<String> {
    const DOUBLE: [&str; 5] = ["&quot;", "&#34;", "&#034;", "&#x22;", "&#X22;"];
    const SINGLE: [&str; 5] = ["&#39;", "&#039;", "&#x27;", "&#X27;", "&apos;"];
    let plain = |source: &str, all: &[&str], quote: &str| {
        all.iter().fold(source.to_owned(), |text, it| text.replace(it, quote)).replace("&amp;", "&")
    };
    let has = |source: &str, all: &[&str]| all.iter().any(|it| source.contains(it));
    if source.contains('"') || !source.contains('&') {
        return None;
    }
    if has(source, &DOUBLE) {
        return Some(plain(source, &DOUBLE, "\""));
    }
    if source.contains('\'') {
        return None;
    }
    if has(source, &SINGLE) {
        return Some(plain(source, &SINGLE, "'"));
    }
    // Escaped twice.
    let once = source.replace("&amp;", "&");
    has(&once, &DOUBLE).then(|| plain(&once, &DOUBLE, "\""))
}

/// A key without what says whose word it is: `schema:headline`, `https://schema.org/headline`.
fn own_key(key: String) -> String {
    // Few keys have a mark in them.
    if memchr::memchr2(b':', b'/', key.as_bytes()).is_none() {
        return key;
    }
    let own = key.strip_prefix("schema:").or_else(|| key.split_once("schema.org/").map(|(_, own)| own));
    own.map(str::to_owned).unwrap_or(key)
}

/// Does a text begin with a key that lacks its quotes: `datePublished: …`?
fn begins_with_key(text: &str) -> bool {
    let end = text
        .bytes()
        .take(64)
        .take_while(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'@' | b'$'))
        .count();
    end > 0 && text[end..].trim_start().starts_with(':')
}

struct Reader<'s> {
    rest: &'s str,
    values: usize,
    /// How many there may be.
    most: usize,
    /// Do texts keep their references?
    is_html: bool,
    /// Was there a key without quotes? Then others may be so too.
    has_bare_keys: bool,
}

impl Reader<'_> {
    /// A value. The depth is bounded, so this may call itself.
    fn value(&mut self, depth: usize) -> Json {
        self.skip_space();
        self.values += 1;
        match self.rest.bytes().next() {
            Some(b'{' | b'[') if depth >= MOST_DEEP || self.values > self.most => {
                self.pass_over();
                Json::Nothing
            }
            Some(b'{') => self.object(depth),
            Some(b'[') => self.list(depth),
            Some(b'"') => self.quoted('"').map_or(Json::Nothing, Json::Text),
            Some(b'\'') => self.quoted('\'').map_or(Json::Nothing, Json::Text),
            _ => self.bare(),
        }
    }

    fn object(&mut self, depth: usize) -> Json {
        self.step();
        let mut fields = Vec::new();
        loop {
            self.skip_space();
            match self.rest.bytes().next() {
                None => break,
                Some(b'}') => {
                    self.step();
                    break;
                }
                // Commas too many.
                Some(b',') => self.step(),
                // An end that belongs to something outside: the object was not closed.
                Some(b']') => break,
                Some(first) => {
                    let key = match first {
                        b'"' => self.quoted('"').unwrap_or_default(),
                        b'\'' => self.quoted('\'').unwrap_or_default(),
                        _ => match self.bare() {
                            Json::Text(key) | Json::Number(key) => key,
                            _ => String::new(),
                        },
                    };
                    self.skip_space();
                    if !self.rest.starts_with(':') {
                        // No value: a comma was forgotten, or this is something else.
                        if key.is_empty() {
                            self.step();
                        }
                        continue;
                    }
                    self.step();
                    self.has_bare_keys |= first.is_ascii_alphabetic();
                    let value = self.value(depth + 1);
                    if self.values <= self.most {
                        fields.push((own_key(key), value));
                    }
                }
            }
        }
        Json::Object(fields)
    }

    fn list(&mut self, depth: usize) -> Json {
        self.step();
        let mut values = Vec::new();
        loop {
            self.skip_space();
            match self.rest.bytes().next() {
                None => break,
                Some(b']') => {
                    self.step();
                    break;
                }
                Some(b',') => self.step(),
                Some(b'}' | b':') => {
                    // Not ours: the list was not closed.
                    if depth == 0 {
                        self.step();
                    }
                    break;
                }
                Some(_) => {
                    let value = self.value(depth + 1);
                    if self.values <= self.most {
                        values.push(value);
                    }
                }
            }
        }
        Json::List(values)
    }

    /// A text in quotes, which may go on over line ends. Nothing where the script ends inside of it: half a name is a wrong one.
    fn quoted(&mut self, quote: char) -> Option<String> {
        self.step();
        let mut text = String::new();
        loop {
            let Some(at) = memchr::memchr2(quote as u8, b'\\', self.rest.as_bytes()) else {
                // Never closed: the line is the text.
                let end = self.rest.find(['\n', '}']).unwrap_or(self.rest.len());
                text.push_str(&self.rest[..end]);
                self.rest = &self.rest[end..];
                if self.rest.trim().is_empty() {
                    self.rest = "";
                    return None;
                }
                break;
            };
            text.push_str(&self.rest[..at]);
            self.rest = &self.rest[at..];
            if self.rest.starts_with(quote) {
                self.step();
                // A quote that somebody forgot to escape: what follows is no end of a value.
                if self.is_end() {
                    break;
                }
                text.push(quote);
                continue;
            }
            self.escape(&mut text);
        }
        Some(if self.is_html { text } else { references(text) })
    }

    /// Is this a place at which a text may have ended?
    fn is_end(&self) -> bool {
        let rest = self.rest.trim_start();
        match rest.bytes().next() {
            None | Some(b'}' | b']' | b':' | b'/' | 0..0x20) => true,
            // Behind a comma stands the next value, or the next key.
            Some(b',') => {
                let next = rest[1..].trim_start();
                next.starts_with(['"', '\'', '{', '[', '}', ']', '/', '-', ','])
                    || next.starts_with(|c: char| c.is_ascii_digit())
                    || next.starts_with("true")
                    || next.starts_with("false")
                    || next.starts_with("null")
                    || next.is_empty()
                    || (self.has_bare_keys && begins_with_key(next))
            }
            // A comma was forgotten.
            Some(b'"') => true,
            _ => false,
        }
    }

    fn escape(&mut self, text: &mut String) {
        self.step();
        let Some(next) = self.rest.chars().next() else { return };
        self.rest = &self.rest[next.len_utf8()..];
        match next {
            'n' | 'r' | 't' => text.push(' '),
            'b' | 'f' => {}
            'u' => {
                let unit = |rest: &str| rest.get(..4).and_then(|hex| u32::from_str_radix(hex, 16).ok());
                let Some(first) = unit(self.rest) else { return };
                self.rest = &self.rest[4..];
                let mut code = first;
                if (0xD800..0xDC00).contains(&first)
                    && let Some(second) = self.rest.strip_prefix("\\u").and_then(unit)
                    && (0xDC00..0xE000).contains(&second)
                {
                    self.rest = &self.rest[6..];
                    code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                }
                text.push(char::from_u32(code).unwrap_or('\u{FFFD}'));
            }
            other => text.push(other),
        }
    }

    /// A word without quotes: a number, true, false, null, or a key that lacks its quotes.
    fn bare(&mut self) -> Json {
        let is_end = |c: char| c.is_control() || matches!(c, ',' | ':' | '}' | ']' | '{' | '[' | '"' | ' ');
        let end = self.rest.find(is_end).unwrap_or(self.rest.len());
        // At least one character, or there would be no end.
        let end = if end == 0 { self.rest.chars().next().map_or(0, char::len_utf8) } else { end };
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        match word.trim() {
            "true" | "false" | "null" | "undefined" | "" => Json::Nothing,
            word if word.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                Json::Number(word.to_owned())
            }
            word => Json::Text(word.to_owned()),
        }
    }

    /// Passes over an object or list, whatever is in it.
    fn pass_over(&mut self) {
        let mut open = 0_usize;
        let bytes = self.rest.as_bytes();
        let mut at = 0;
        let mut quoted = false;
        while at < bytes.len() {
            match bytes[at] {
                b'\\' if quoted => at += 1,
                b'"' => quoted = !quoted,
                b'{' | b'[' if !quoted => open += 1,
                b'}' | b']' if !quoted => {
                    open = open.saturating_sub(1);
                    if open == 0 {
                        at += 1;
                        break;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        let end = (at.min(bytes.len())..=bytes.len()).find(|&end| self.rest.is_char_boundary(end));
        self.rest = &self.rest[end.unwrap_or(bytes.len())..];
    }

    fn skip_space(&mut self) {
        // Between most values stands nothing, or spaces and ends of lines alone.
        let spaces =
            self.rest.bytes().take_while(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t')).count();
        self.rest = &self.rest[spaces..];
        let is_start = |byte: &u8| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'"' | b',' | b':' | b'{' | b'}' | b'[' | b']')
        };
        if self.rest.as_bytes().first().is_some_and(is_start) {
            return;
        }
        loop {
            self.rest = self.rest.trim_start_matches(|c: char| {
                c.is_whitespace() || c.is_control() || matches!(c, ';' | '\u{feff}')
            });
            let comment = if self.rest.starts_with("/*") {
                self.rest.find("*/").map_or(self.rest.len(), |end| end + 2)
            } else if self.rest.starts_with("//") {
                self.rest.find('\n').unwrap_or(self.rest.len())
            } else if self.rest.starts_with("<!--") {
                4
            } else if self.rest.starts_with("-->") {
                3
            } else {
                return;
            };
            self.rest = &self.rest[comment..];
        }
    }

    /// Steps over one ASCII character.
    fn step(&mut self) {
        let mut rest = self.rest.chars();
        rest.next();
        self.rest = rest.as_str();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(source: &str) -> Vec<Json> {
        super::read(source, &mut Budget::default())
    }

    fn headline(source: &str) -> Option<String> {
        read(source).iter().flat_map(Json::objects).find_map(|it| it.text_of("headline").map(str::to_owned))
    }

    #[test]
    fn sound_json() {
        let values = read(
            r#"{"@type":["NewsArticle"],"headline":"Rain \"at\" la\u0073t \ud83c\udf27","n":1.5,"x":null,"a":[{"name":"Ada"},"Bo"]}"#,
        );
        let [article] = &values[..] else { panic!("one value") };
        assert!(article.is_a(|name| name == "NewsArticle"));
        assert_eq!(article.text_of("headline"), Some("Rain \"at\" last 🌧"));
        assert_eq!(article.text_of("n"), Some("1.5"));
        assert_eq!(article.get("x"), Some(&Json::Nothing));
        assert_eq!(article.get("a").unwrap().each().count(), 2);
        assert_eq!(article.objects().count(), 2);
    }

    #[test]
    fn broken_json_is_still_read() {
        for (why, source) in [
            ("commas too many", r#"{"a":1,,"headline":"Rain",}"#),
            ("comments", "/* one */ {\"a\": 1, // two\n \"headline\": \"Rain\"}"),
            ("HTML comments", "<!-- {\"headline\":\"Rain\"} -->"),
            ("CDATA", "//<![CDATA[\n{\"headline\":\"Rain\"}\n//]]>"),
            ("several objects", r#"{"a":1}{"headline":"Rain"}"#),
            ("several objects with commas", r#"{"a":1},{"headline":"Rain"}"#),
            ("escaped as HTML", "{&quot;headline&quot;:&quot;Rain&quot;}"),
            ("escaped as HTML by numbers", "{&#34;headline&#34;:&#34;Rain&#34;}"),
            ("escaped as HTML by numbers of sixteen", "{&#x22;headline&#x22;:&#x22;Rain&#x22;}"),
            ("escaped as HTML, in single quotes", "{&#39;headline&#39;:&#39;Rain&#39;}"),
            ("escaped as HTML twice", "{&amp;quot;headline&amp;quot;:&amp;quot;Rain&amp;quot;}"),
            ("keys that say whose they are", r#"{"schema:headline":"Rain"}"#),
            ("keys that are addresses", r#"{"https://schema.org/headline":"Rain"}"#),
            ("no comma", "{\"a\":\"b\"\n\"headline\":\"Rain\"}"),
            ("not closed", r#"{"a":[1,2],"headline":"Rain""#),
            ("a text that is not closed", "{\"headline\":\"Rain\n}"),
            ("keys without quotes", "{headline:\"Rain\"}"),
            ("several keys without quotes", "{name:\"x\", headline:\"Rain\", datePublished: \"2010\"}"),
            ("only some keys without quotes", "{\"a\": \"b\", @type: \"Article\", headline: \"Rain\", }"),
            ("keys without quotes, texts in single ones", "{a: 'the \"best\" rain', headline: 'Rain', b: 1}"),
            ("single quotes", "{'headline':'Rain'}"),
            ("control characters", "{\u{1}\"headline\"\u{2}:\"Rain\"}"),
            ("an assignment", "var x = {\"headline\":\"Rain\"};"),
            ("a quote too many", r#"{"a":"the "best" rain","headline":"Rain"}"#),
        ] {
            assert_eq!(headline(source).as_deref().map(str::trim), Some("Rain"), "{why}");
        }
        assert_eq!(headline("{\"headline\":\"Rain\nat last\"}").as_deref(), Some("Rain\nat last"));
        assert_eq!(
            headline(r#"{"headline":"Rain &amp; wind &#8211; soon"}"#).as_deref(),
            Some("Rain & wind – soon")
        );
    }

    #[test]
    fn bombs_are_bounded() {
        for source in [
            "[".repeat(200_000),
            "{\"a\":".repeat(200_000),
            format!("[{}", "1,".repeat(400_000)),
            "\"".repeat(300_000),
            "{,".repeat(300_000),
            "]}".repeat(300_000),
            format!("{{\"headline\":\"{}\"}}", "é".repeat(2_000_000)),
        ] {
            let values: usize = read(&source).iter().map(|value| value.objects().count()).sum();
            assert!(values <= MOST_VALUES);
        }
    }

    #[test]
    fn a_hundred_scripts_had_a_hundred_budgets() {
        let script = format!("[{}1]", "1,".repeat(MOST_VALUES / 4));
        let mut budget = Budget::default();
        let read = (0..100).take_while(|_| {
            super::read(&script, &mut budget);
            !budget.is_spent()
        });
        assert_eq!(read.count(), 3);
        let mut budget = Budget::default();
        super::read(&" ".repeat(MOST_BYTES), &mut budget);
        assert!(budget.is_spent() && super::read("{}", &mut budget).is_empty());
    }

    #[test]
    fn half_a_name_was_a_name() {
        for source in [
            r#"{"a":1,"headline":"Rain at"#,
            "{\"a\":1,\"headline\":\"Rain at\n",
            r#"{"a":1,"headline":"Rain \"at"#,
        ] {
            assert_eq!(headline(source), None, "{source}");
            assert_eq!(read(source).iter().find_map(|it| it.text_of("a")), Some("1"), "{source}");
        }
    }

    #[test]
    fn what_is_nested_too_deep_is_passed_over() {
        let deep = format!("{{\"a\":{}1{},\"headline\":\"Rain\"}}", "[".repeat(100), "]".repeat(100));
        assert_eq!(headline(&deep).as_deref(), Some("Rain"));
    }
}
