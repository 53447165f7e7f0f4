//! What the names of a feed's elements mean, whatever their prefixes.

use std::collections::HashMap;

/// Whose word a name is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Vocabulary {
    /// RSS, Atom or RDF.
    Core,
    DublinCore,
    /// The module of RSS that has whole texts.
    Content,
    /// What a counter of clicks adds.
    FeedBurner,
    Other,
}

/// What an element says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum What {
    Title,
    Link,
    /// The address that is counted on to stay; also the address before a counter was put in between.
    OwnLink,
    Published,
    Updated,
    Author,
    Summary,
    Content,
    Category,
    Language,
}

impl What {
    /// May it hold markup that nobody escaped?
    pub(super) fn may_have_markup(self) -> bool {
        matches!(self, What::Summary | What::Content)
    }
}

/// The prefixes that a feed declares. Where they are declared does not matter: nobody uses one for two things.
#[derive(Default)]
pub(super) struct Prefixes {
    known: HashMap<String, Vocabulary>,
}

/// So many are noted.
const MOST: usize = 64;

impl Prefixes {
    /// Notes an attribute, if it declares a prefix.
    pub(super) fn note(&mut self, name: &str, value: &str) {
        if let Some(prefix) = name.strip_prefix("xmlns:")
            && self.known.len() < MOST
        {
            self.known.insert(prefix.to_owned(), of_namespace(value));
        }
    }

    /// Whose word a name is, and the word.
    pub(super) fn resolve<'n>(&self, name: &'n str) -> (Vocabulary, &'n str) {
        let Some((prefix, local)) = name.split_once(':') else { return (Vocabulary::Core, name) };
        let usual = || match prefix {
            "dc" | "dcterms" => Vocabulary::DublinCore,
            "content" => Vocabulary::Content,
            "feedburner" => Vocabulary::FeedBurner,
            "rdf" | "rss" | "atom" | "a10" => Vocabulary::Core,
            _ => Vocabulary::Other,
        };
        (self.known.get(prefix).copied().unwrap_or_else(usual), local)
    }
}

fn of_namespace(uri: &str) -> Vocabulary {
    let uri = uri.trim().to_ascii_lowercase();
    let has = |part: &str| uri.contains(part);
    if has("purl.org/dc/") {
        Vocabulary::DublinCore
    } else if has("purl.org/rss/1.0/modules/content") {
        Vocabulary::Content
    } else if has("feedburner") {
        Vocabulary::FeedBurner
    } else if has("/modules/") {
        Vocabulary::Other
    } else if has("w3.org/2005/atom")
        || has("purl.org/atom/")
        || has("purl.org/rss/")
        || has("22-rdf-syntax-ns")
        || has("netscape.com/rdf")
        || has("userland.com/rss")
    {
        Vocabulary::Core
    } else {
        Vocabulary::Other
    }
}

/// What an element says of its entry or of the feed; nothing where it says something else.
pub(super) fn meaning(vocabulary: Vocabulary, local: &str) -> Option<What> {
    Some(match (vocabulary, local) {
        (Vocabulary::Core | Vocabulary::DublinCore, "title") => What::Title,
        (Vocabulary::Core, "link") => What::Link,
        (Vocabulary::Core, "guid" | "id") | (Vocabulary::FeedBurner, "origlink") => What::OwnLink,
        (Vocabulary::Core, "pubdate" | "published" | "issued" | "created")
        | (Vocabulary::DublinCore, "date" | "issued" | "created") => What::Published,
        (Vocabulary::Core, "updated" | "modified") | (Vocabulary::DublinCore, "modified") => What::Updated,
        (Vocabulary::Core, "author") | (Vocabulary::DublinCore, "creator") => What::Author,
        (Vocabulary::Core, "description" | "summary")
        | (Vocabulary::DublinCore, "description" | "abstract") => What::Summary,
        (Vocabulary::Core, "content") | (Vocabulary::Content, "encoded") => What::Content,
        (Vocabulary::Core, "category") | (Vocabulary::DublinCore, "subject") => What::Category,
        (Vocabulary::Core | Vocabulary::DublinCore, "language") => What::Language,
        _ => return None,
    })
}

/// Does an element hold the facts of something else: the feed's picture, the feed that an entry was taken from?
pub(super) fn is_aside(vocabulary: Vocabulary, local: &str) -> bool {
    vocabulary == Vocabulary::Core
        && matches!(local, "image" | "textinput" | "source" | "contributor" | "items")
}

/// Does an element hold an entry?
pub(super) fn is_entry(vocabulary: Vocabulary, local: &str) -> bool {
    vocabulary == Vocabulary::Core && matches!(local, "item" | "entry")
}
