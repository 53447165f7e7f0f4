//! A value of JSON, and what facts ask of it.

/// A value of JSON, as far as facts need it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Json {
    Text(String),
    /// A number, as it is written.
    Number(String),
    /// true, false, null, or what could not be read.
    Nothing,
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The field of an object; of a list, that of its first object.
    pub(crate) fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(fields) => fields.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            Json::List(values) => values.iter().find_map(|value| match value {
                Json::Object(_) => value.get(key),
                _ => None,
            }),
            _ => None,
        }
    }

    /// The text of a text or number.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) | Json::Number(text) => Some(text.trim()).filter(|text| !text.is_empty()),
            _ => None,
        }
    }

    /// The text of a field.
    pub(crate) fn text_of(&self, key: &str) -> Option<&str> {
        match self.get(key)? {
            Json::List(values) => values.iter().find_map(Json::text),
            value => value.text().or_else(|| value.get("@value").and_then(Json::text)),
        }
    }

    /// The values of a list, or the one value itself.
    pub(crate) fn each(&self) -> std::slice::Iter<'_, Json> {
        match self {
            Json::List(values) => values.iter(),
            value => std::slice::from_ref(value).iter(),
        }
    }

    /// Is it of a type whose name, without what stands before it, passes a test?
    pub(crate) fn is_a(&self, test: impl Fn(&str) -> bool) -> bool {
        self.get("@type").is_some_and(|kind| {
            kind.each()
                .filter_map(Json::text)
                .any(|name| test(name.rsplit(['/', '#', ':']).next().unwrap_or(name)))
        })
    }

    /// The objects in it that are not listed by another: what stands in a list of items is another piece.
    pub(crate) fn own_objects(&self) -> Objects<'_> {
        const LISTS: [&str; 7] = [
            "itemListElement",
            "hasPart",
            "relatedLink",
            "mentions",
            "citation",
            "comment",
            "suggestedAnswer",
        ];
        Objects { rest: vec![self], left_out: &LISTS }
    }

    /// All objects in it, from the outside to the inside, in order.
    pub(crate) fn objects(&self) -> Objects<'_> {
        Objects { rest: vec![self], left_out: &[] }
    }

    /// May there be an object in it, which it is itself or holds?
    fn may_hold_objects(&self) -> bool {
        matches!(self, Json::Object(_) | Json::List(_))
    }
}

/// The objects in a value, one after the other: most who ask need the first few alone.
pub(crate) struct Objects<'j> {
    /// What is still to be looked into, the next one last.
    rest: Vec<&'j Json>,
    /// The fields that are not looked into.
    left_out: &'static [&'static str],
}

impl<'j> Iterator for Objects<'j> {
    type Item = &'j Json;

    fn next(&mut self) -> Option<&'j Json> {
        while let Some(value) = self.rest.pop() {
            match value {
                Json::Object(fields) => {
                    let inner = fields.iter().rev().filter(|(key, value)| {
                        value.may_hold_objects() && !self.left_out.contains(&key.as_str())
                    });
                    self.rest.extend(inner.map(|(_, value)| value));
                    return Some(value);
                }
                Json::List(values) => {
                    self.rest.extend(values.iter().rev().filter(|value| value.may_hold_objects()));
                }
                _ => {}
            }
        }
        None
    }
}
