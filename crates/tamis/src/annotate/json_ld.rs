//! JSON-LD: a lenient, non-recursive reader that fills a flat graph.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Bytes and values read per page, over all scripts.
const MAX_BYTES: usize = 1 << 20;
const MAX_VALUES: usize = 20_000;

/// What a schema.org type describes, from `data/schema-types.tsv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SchemaRole {
    /// Something beside the piece, such as a comment or an offer.
    Foreign,
    Person,
    Organisation,
    Site,
    /// The web page as such.
    Page,
    /// A recipe, a product, an event …
    Work,
    /// An article, a blog posting …
    Article,
}

static TYPES: LazyLock<Vec<(&'static str, bool, SchemaRole)>> = LazyLock::new(|| {
    let role = |name: &str| match name {
        "article" => SchemaRole::Article,
        "work" => SchemaRole::Work,
        "page" => SchemaRole::Page,
        "site" => SchemaRole::Site,
        "organisation" => SchemaRole::Organisation,
        "person" => SchemaRole::Person,
        _ => SchemaRole::Foreign,
    };
    let lines = include_str!("../../data/schema-types.tsv").lines().filter(|line| !line.starts_with('#'));
    let rows = lines.filter_map(|line| line.split_once('\t'));
    let mut types: Vec<_> = rows
        .map(|(name, role_name)| {
            let suffix = name.strip_prefix('*');
            (suffix.unwrap_or(name), suffix.is_some(), role(role_name))
        })
        .collect();
    // Whole names come before endings.
    types.sort_by_key(|(_, is_suffix, _)| *is_suffix);
    types
});

/// The role of a type such as `NewsArticle` or `https://schema.org/Person`.
pub(crate) fn schema_role(name: &str) -> Option<SchemaRole> {
    let name = name.trim().rsplit(['/', '#', ':']).next().unwrap_or_default();
    let found =
        TYPES.iter().find(
            |(known, is_suffix, _)| {
                if *is_suffix { name.ends_with(known) } else { name.eq_ignore_ascii_case(known) }
            },
        );
    found.map(|(.., role)| *role)
}

/// A range of the graph's text.
#[derive(Clone, Copy, Debug)]
struct Text {
    start: u32,
    end: u32,
}

#[derive(Debug)]
enum Value {
    Text(Text),
    List(Vec<u32>),
    Object(Vec<(Text, u32)>),
}

/// The values of all JSON-LD scripts of a page, in one arena.
#[derive(Debug, Default)]
pub(crate) struct JsonLdGraph {
    values: Vec<Value>,
    /// All keys and texts, one behind the other.
    text: String,
    roots: Vec<u32>,
    bytes: usize,
    /// Objects with a name, by `@id`.
    ids: HashMap<String, u32>,
}

impl JsonLdGraph {
    /// Adds a script.
    pub(crate) fn read(&mut self, script: &str) {
        let room = MAX_BYTES.saturating_sub(self.bytes);
        let script = &script[..script.floor_char_boundary(room)];
        self.bytes += script.len();
        self.text.reserve(script.len());
        let first = self.values.len();
        Reader { text: script, at: 0, open: Vec::new(), graph: self }.read();
        for value in first..self.values.len() {
            let value = value as u32;
            if self.get(value, "name").is_some()
                && let Some(id) = self.text_of(value, "@id")
            {
                let id = id.to_owned();
                self.ids.entry(id).or_insert(value);
            }
        }
    }

    fn slice(&self, text: Text) -> &str {
        &self.text[text.start as usize..text.end as usize]
    }

    /// The text that was written since a place.
    fn text_from(&self, start: usize) -> Text {
        Text { start: start as u32, end: self.text.len() as u32 }
    }

    /// The value of a key of an object.
    pub(crate) fn get(&self, value: u32, key: &str) -> Option<u32> {
        match self.values.get(value as usize)? {
            Value::Object(entries) => {
                entries.iter().find(|(known, _)| self.slice(*known) == key).map(|(_, value)| *value)
            }
            _ => None,
        }
    }

    /// The text of a value, or of the first in a list.
    pub(crate) fn text(&self, value: u32) -> Option<&str> {
        let value = match self.values.get(value as usize)? {
            Value::List(items) => self.values.get(*items.first()? as usize)?,
            value => value,
        };
        match value {
            Value::Text(text) => Some(self.slice(*text).trim()).filter(|text| !text.is_empty()),
            _ => None,
        }
    }

    /// The text at a key of an object.
    pub(crate) fn text_of(&self, value: u32, key: &str) -> Option<&str> {
        self.text(self.get(value, key)?)
    }

    /// The items of a list; any other value is a list of one.
    pub(crate) fn items(&self, value: u32) -> Vec<u32> {
        match self.values.get(value as usize) {
            Some(Value::List(items)) => items.clone(),
            Some(_) => vec![value],
            None => Vec::new(),
        }
    }

    /// The highest role among an object's types.
    pub(crate) fn role(&self, value: u32) -> Option<SchemaRole> {
        let types = self.items(self.get(value, "@type")?);
        types.iter().filter_map(|name| schema_role(self.text(*name)?)).max()
    }

    /// The names a value gives: its text, its `name`, its given and family name, or those of the object it refers to.
    pub(crate) fn names(&self, value: u32) -> Vec<String> {
        if let Some(text) = self.text(value) {
            return vec![text.to_owned()];
        }
        let target = match (self.get(value, "name"), self.text_of(value, "@id")) {
            (None, Some(id)) => self.ids.get(id).copied().unwrap_or(value),
            _ => value,
        };
        if let Some(name) = self.get(target, "name") {
            return self.items(name).iter().filter_map(|name| self.text(*name)).map(str::to_owned).collect();
        }
        match (self.text_of(target, "givenName"), self.text_of(target, "familyName")) {
            (Some(given), Some(family)) => vec![format!("{given} {family}")],
            _ => Vec::new(),
        }
    }

    /// Objects that describe the page itself rather than something it lists or mentions.
    pub(crate) fn own_objects(&self) -> Vec<u32> {
        const MAX_OBJECTS: usize = 200;
        let mut objects = Vec::new();
        let mut pending: Vec<u32> = self.roots.iter().rev().copied().collect();
        while let Some(value) = pending.pop() {
            match self.values.get(value as usize) {
                Some(Value::List(items)) => pending.extend(items.iter().rev()),
                Some(Value::Object(entries)) if objects.len() < MAX_OBJECTS => {
                    objects.push(value);
                    let inner = entries.iter().filter(|(key, _)| {
                        matches!(self.slice(*key), "@graph" | "mainEntity" | "mainEntityOfPage")
                    });
                    pending.extend(inner.rev().map(|(_, value)| *value));
                }
                _ => {}
            }
        }
        objects
    }

    /// Any object, in order of the scripts.
    pub(crate) fn find(&self, mut test: impl FnMut(u32) -> bool) -> Option<u32> {
        (0..self.values.len() as u32)
            .filter(|value| matches!(self.values[*value as usize], Value::Object(_)))
            .find(|value| test(*value))
    }
}

/// The reader's state. Errors in the syntax never stop it: it takes what it understands.
struct Reader<'t, 'g> {
    text: &'t str,
    at: usize,
    /// Open objects and lists, with the key that waits for its value.
    open: Vec<(u32, Option<Text>)>,
    graph: &'g mut JsonLdGraph,
}

impl Reader<'_, '_> {
    fn read(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            if self.graph.values.len() >= MAX_VALUES {
                return;
            }
            let rest = &self.text[self.at..];
            match byte {
                b'{' => self.open(Value::Object(Vec::new())),
                b'[' => self.open(Value::List(Vec::new())),
                b'}' | b']' => {
                    self.open.pop();
                    self.at += 1;
                }
                b'"' => {
                    let text = self.string();
                    self.add_text(text);
                }
                b'/' if rest.starts_with("//") => self.skip_past("\n"),
                b'/' if rest.starts_with("/*") => self.skip_past("*/"),
                b'<' if rest.starts_with("<!--") => self.at += 4,
                b'<' if rest.starts_with("<![CDATA[") => self.at += 9,
                b',' | b':' | b';' | b'>' | b'<' | b'/' => self.at += 1,
                byte if byte.is_ascii_whitespace() => self.at += 1,
                _ => {
                    let end =
                        rest.find([',', ':', '{', '}', '[', ']', '"', '\n']).unwrap_or(rest.len()).max(1);
                    let end = rest.ceil_char_boundary(end);
                    let word = rest[..end].trim();
                    self.at += end;
                    if word != "null" {
                        let start = self.graph.text.len();
                        self.graph.text.push_str(word);
                        self.add_text(self.graph.text_from(start));
                    } else if let Some((_, key)) = self.open.last_mut() {
                        *key = None;
                    }
                }
            }
        }
    }

    fn skip_past(&mut self, mark: &str) {
        let rest = &self.text[self.at..];
        self.at += rest.find(mark).map_or(rest.len(), |at| at + mark.len());
    }

    fn open(&mut self, value: Value) {
        self.at += 1;
        let id = self.attach(value);
        self.open.push((id, None));
    }

    /// Stores a value in the innermost open object or list.
    fn attach(&mut self, value: Value) -> u32 {
        let id = self.graph.values.len() as u32;
        self.graph.values.push(value);
        match self.open.last_mut() {
            None => self.graph.roots.push(id),
            Some((outer, key)) => match &mut self.graph.values[*outer as usize] {
                Value::Object(entries) => entries.extend(key.take().map(|key| (key, id))),
                Value::List(items) => items.push(id),
                Value::Text(_) => {}
            },
        }
        id
    }

    /// A text is a key inside of an object that waits for one, else a value.
    fn add_text(&mut self, mut text: Text) {
        const PREFIX: &str = "schema:";
        if let Some((outer, key @ None)) = self.open.last_mut()
            && matches!(self.graph.values[*outer as usize], Value::Object(_))
        {
            if self.graph.slice(text).starts_with(PREFIX) {
                text.start += PREFIX.len() as u32;
            }
            *key = Some(text);
        } else if !self.open.is_empty() {
            if may_have_markup(self.graph.slice(text)) {
                let plain = plain_text(self.graph.slice(text).to_owned());
                let start = self.graph.text.len();
                self.graph.text.push_str(&plain);
                text = self.graph.text_from(start);
            }
            self.attach(Value::Text(text));
        }
    }

    /// A string, up to a quote that something of the syntax follows: some pages do not escape quotes.
    fn string(&mut self) -> Text {
        self.at += 1;
        let start = self.graph.text.len();
        // Control characters beyond ASCII start with the last of these bytes.
        let ends_run = |byte: &u8| matches!(*byte, b'"' | b'\\' | 0..b' ' | 0x7F | 0xC2);
        while let Some(length) = self.text.as_bytes()[self.at..].iter().position(ends_run) {
            self.graph.text.push_str(&self.text[self.at..self.at + length]);
            let mut characters = self.text[self.at + length..].chars();
            match characters.next() {
                Some('"') if self.ends_string(self.at + length + 1) => {
                    self.at += length + 1;
                    return self.graph.text_from(start);
                }
                Some('\\') => match characters.next() {
                    Some('n' | 'r' | 't' | 'b' | 'f') => self.graph.text.push(' '),
                    Some('u') => self.graph.text.push(escaped(&mut characters)),
                    other => self.graph.text.extend(other),
                },
                Some(character) if !character.is_control() => self.graph.text.push(character),
                _ => self.graph.text.push(' '),
            }
            self.at = self.text.len() - characters.as_str().len();
        }
        // The script ends within the string, so its value is unknown.
        self.at = self.text.len();
        self.graph.text.truncate(start);
        self.graph.text_from(start)
    }

    fn ends_string(&self, at: usize) -> bool {
        const MAX_SPACE: usize = 200;
        let rest = &self.text.as_bytes()[at..];
        let space = rest.iter().take(MAX_SPACE).take_while(|byte| byte.is_ascii_whitespace()).count();
        match rest.get(space) {
            None | Some(b',' | b':' | b'}' | b']') => true,
            Some(b'"') => rest[..space].contains(&b'\n'),
            _ => false,
        }
    }
}

/// The character of a `\u` escape, surrogate pairs included.
fn escaped(characters: &mut std::str::Chars<'_>) -> char {
    fn unit(characters: &mut std::str::Chars<'_>) -> u32 {
        characters.by_ref().take(4).fold(0, |value, digit| value * 16 + digit.to_digit(16).unwrap_or(0))
    }
    let first = unit(characters);
    if !(0xD800..0xDC00).contains(&first) {
        return char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER);
    }
    let mut ahead = characters.clone();
    if (ahead.next(), ahead.next()) != (Some('\\'), Some('u')) {
        return char::REPLACEMENT_CHARACTER;
    }
    let second = unit(&mut ahead);
    *characters = ahead;
    let code = 0x10000 + ((first - 0xD800) << 10) + (second.wrapping_sub(0xDC00) & 0x3FF);
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn may_have_markup(text: &str) -> bool {
    const MAX_BYTES: usize = 2000;
    text.len() <= MAX_BYTES && memchr::memchr2(b'&', b'<', text.as_bytes()).is_some()
}

/// A text of data without the character references and the inline markup that some pages leave in it.
pub(crate) fn plain_text(text: String) -> String {
    if !may_have_markup(&text) {
        return text;
    }
    let has_markup = text.contains("</") || text.contains("<br") || text.contains("/>");
    if !(has_markup || text.contains('&') && text.contains(';')) {
        return text;
    }
    let source = if has_markup { text.replace("<br", " <br") } else { text.replace('<', "&lt;") };
    let dom = tamis_html::parse(&source);
    dom.body().map(|body| body.text_content()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(script: &str) -> (JsonLdGraph, u32) {
        let mut graph = JsonLdGraph::default();
        graph.read(script);
        let object = graph.own_objects().first().copied().unwrap_or(u32::MAX);
        (graph, object)
    }

    #[test]
    fn lenient_about_syntax() {
        for script in [
            r#"{"headline": "Rain", "author": {"name": "Ada"},}"#,
            "<!-- {\"headline\": \"Rain\",\n \"author\": [{\"name\": \"Ada\"}]} -->",
            "/* data */ {'x': 1, \"headline\": \"Rain\", // why\n \"author\": \"Ada\"}",
            "{headline: \"Ra\u{1}in\", x: tru, \"headline\": \"Rain\", \"author\": \"Ada\"",
            "//<![CDATA[\n{\"headline\": \"Rain\",\n\"author\": \"Ada\"}\n//]]>",
        ] {
            let (graph, object) = first(script);
            let author = graph.get(object, "author").map(|author| graph.names(graph.items(author)[0]));
            assert_eq!(author, Some(vec!["Ada".to_owned()]), "{script}");
        }
    }

    #[test]
    fn reads_escapes_quotes_and_references() {
        let (graph, object) = first(
            r#"{"a": "\u00e9\ud83d\ude00", "b": "the "old" harbour", "c": "Fish &amp; chips", "d": "H<sub>2</sub>O"}"#,
        );
        for (key, expected) in
            [("a", "é😀"), ("b", "the \"old\" harbour"), ("c", "Fish & chips"), ("d", "H2O")]
        {
            assert_eq!(graph.text_of(object, key), Some(expected));
        }
    }

    #[test]
    fn objects_of_a_graph_are_the_pages_own_and_refer_to_each_other() {
        let (graph, _) = first(
            r##"{"@graph": [{"@type": "NewsArticle", "author": {"@id": "#a"}}, {"@type": "Person", "@id": "#a", "name": "Ada"},
                {"@type": "ItemList", "itemListElement": [{"@type": "NewsArticle"}]}]}"##,
        );
        let roles: Vec<_> = graph.own_objects().into_iter().map(|object| graph.role(object)).collect();
        assert_eq!(roles, [None, Some(SchemaRole::Article), Some(SchemaRole::Person), None]);
        let article = graph.own_objects()[1];
        assert_eq!(
            graph.get(article, "author").map(|author| graph.names(author)),
            Some(vec!["Ada".to_owned()])
        );
    }

    #[test]
    fn broken_scripts_end() {
        for script in ["", "{", "[[[[", "\"", "{\"a", "}}}", &"[".repeat(100_000), &"{\"a\":".repeat(50_000)]
        {
            first(script);
        }
    }
}
