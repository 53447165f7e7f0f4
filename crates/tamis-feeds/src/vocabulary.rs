//! The meanings of element names in feeds, with any prefix: `data/elements.tsv`.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The role of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Entry,
    Skipped,
    Other,
    Title,
    Link,
    Id,
    /// The URL that a click counter redirects to.
    OriginalLink,
    Published,
    Updated,
    Author,
    Summary,
    Content,
    Category,
    Language,
}

impl Role {
    /// Whether it is a field of the feed or of an entry.
    pub(crate) fn is_field(self) -> bool {
        !matches!(self, Role::Entry | Role::Skipped | Role::Other)
    }

    /// Whether it may contain unescaped markup.
    pub(crate) fn may_have_markup(self) -> bool {
        matches!(self, Role::Summary | Role::Content)
    }
}

/// Labels of the column `value`.
const ROLES: [(&str, Role); 13] = [
    ("entry", Role::Entry),
    ("skipped", Role::Skipped),
    ("title", Role::Title),
    ("link", Role::Link),
    ("id", Role::Id),
    ("original-link", Role::OriginalLink),
    ("published", Role::Published),
    ("updated", Role::Updated),
    ("author", Role::Author),
    ("summary", Role::Summary),
    ("content", Role::Content),
    ("category", Role::Category),
    ("language", Role::Language),
];

/// RSS, Atom and RDF; names without a prefix belong to it.
pub(crate) const CORE: &str = "core";

#[derive(Default)]
struct Vocabulary {
    namespaces: Vec<(&'static str, &'static str)>,
    prefixes: HashMap<&'static str, &'static str>,
    elements: HashMap<(&'static str, &'static str), Role>,
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let mut all = Vocabulary::default();
    for line in include_str!("../data/elements.tsv").lines() {
        match line.split('\t').collect::<Vec<_>>()[..] {
            ["namespace", part, _, vocabulary] => all.namespaces.push((part, vocabulary)),
            ["prefix", prefix, _, vocabulary] => drop(all.prefixes.insert(prefix, vocabulary)),
            ["element", name, label, vocabulary] => {
                let role = ROLES.iter().find(|(it, _)| *it == label).map_or(Role::Other, |(_, role)| *role);
                all.elements.insert((vocabulary, name), role);
            }
            _ => {}
        }
    }
    all
});

/// Declared prefixes. Scopes are ignored: no feed uses one prefix for two namespaces.
#[derive(Default)]
pub(crate) struct Prefixes(HashMap<String, &'static str>);

/// Declared prefixes beyond these are ignored.
const MAX_PREFIXES: usize = 64;

impl Prefixes {
    /// Records an attribute that declares a prefix.
    pub(crate) fn declare(&mut self, attribute: &str, uri: &str) {
        let Some(prefix) = attribute.strip_prefix("xmlns:") else { return };
        if self.0.len() < MAX_PREFIXES {
            let uri = uri.to_ascii_lowercase();
            let found = VOCABULARY.namespaces.iter().find(|(part, _)| uri.contains(part));
            self.0.insert(prefix.to_owned(), found.map_or("", |(_, vocabulary)| vocabulary));
        }
    }

    /// The vocabulary of a name, by declaration or else by convention, and its local part.
    pub(crate) fn resolve<'n>(&self, name: &'n str) -> (&'static str, &'n str) {
        let Some((prefix, local)) = name.split_once(':') else { return (CORE, name) };
        let customary = || VOCABULARY.prefixes.get(prefix).copied().unwrap_or_default();
        (self.0.get(prefix).copied().unwrap_or_else(customary), local)
    }

    /// The role of an element.
    pub(crate) fn role(&self, name: &str) -> Role {
        VOCABULARY.elements.get(&self.resolve(name)).copied().unwrap_or(Role::Other)
    }
}
