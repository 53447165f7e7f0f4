//! RSS and Atom, off the tokens of HTML.
//!
//! The tokenizer of pages reads what a strict reader of XML refuses: bare `&`, references of HTML, attributes without quotes, cut-off
//! ends. It also replaces no entity that a feed declares, so that none can grow. What XML has and HTML has not, CDATA, it knows from
//! drawings. Names come in small letters; nothing here depends on capitals.
//!
//! One pass, no tree: an element that says something of an entry or of the feed is a field, and lasts until its end tag; where that is
//! missing, until another field or an entry begins or ends.

use tamis_html::Name;
use tamis_html::tokenizer::{Piece, Tag, Token, Tokenizer};

use super::entry::{MOST, add_person, with_whole_year};
use super::vocabulary::{Prefixes, What, is_aside, is_entry, meaning};
use super::{Content, Draft, Entry, FeedError, Limits};
use crate::facts::without_markup;

pub(super) fn read(source: &str, limits: Limits) -> Result<Draft, FeedError> {
    let mut tokens = Tokenizer::new(source);
    tokens.set_cdata_allowed(true);
    let mut reader = Reader {
        source,
        prefixes: Prefixes::default(),
        feed: Draft::default(),
        entry: None,
        field: None,
        aside: None,
        taken_from: None,
        is_feed: false,
    };
    while reader.feed.entries.len() < limits.entries {
        match tokens.next_token() {
            Token::StartTag(tag) => reader.start(&tokens, &tag)?,
            Token::EndTag(tag) => reader.end(&tokens, &tag),
            Token::Text(piece) => reader.text(&tokens, piece),
            Token::Comment(_) | Token::Doctype(_) => {}
            Token::EndOfFile => {
                // A field that is cut off may say something else than the whole.
                reader.field = None;
                reader.end_entry();
                break;
            }
        }
    }
    match reader.is_feed {
        true => Ok(reader.feed),
        false => Err(FeedError::NotAFeed(beginning(source))),
    }
}

/// The first characters, for a message.
fn beginning(source: &str) -> String {
    let start: String = source.chars().take_while(|c| !c.is_control()).take(40).collect();
    format!("{:?}", start.trim())
}

struct Reader<'s> {
    source: &'s str,
    prefixes: Prefixes,
    feed: Draft,
    /// The entry that is open.
    entry: Option<Entry>,
    field: Option<Field>,
    /// An element that is passed over, and how often its name is open.
    aside: Option<(Name, usize)>,
    /// What such an element says of the feed that the entry was taken from.
    taken_from: Option<TakenFrom>,
    /// Was the first element one of a feed?
    is_feed: bool,
}

/// The feed that an entry was taken from: a name alone in RSS, an element for each thing in Atom.
#[derive(Default)]
struct TakenFrom {
    title: String,
    address: Option<String>,
    /// Does it have elements, and is the title open?
    has_parts: bool,
    in_title: bool,
}

/// An element that says something, while it is open.
struct Field {
    what: What,
    name: Name,
    /// How often its name is open inside of it.
    again: usize,
    /// Tags that are open inside of it.
    inner: usize,
    /// Where its content begins.
    start: usize,
    text: String,
    form: Form,
    /// Is it the address of something else: a `guid` that is no permanent link?
    is_void: bool,
    /// Inside of an author, the element that is open.
    part: Option<Name>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Words, in which some feeds put markup.
    Unsaid,
    Text,
    Html,
    /// Markup that is not escaped.
    Xhtml,
}

impl Reader<'_> {
    fn start(&mut self, tokens: &Tokenizer<'_>, tag: &Tag) -> Result<(), FeedError> {
        let name = tokens.name(tag.name);
        if self.field.as_ref().is_none_or(|field| !field.what.may_have_markup()) && self.aside.is_none() {
            for attribute in tokens.attributes(tag).filter(|it| it.name().starts_with("xmlns:")) {
                self.prefixes.note(attribute.name(), &attribute.value());
            }
        }
        let (vocabulary, local) = self.prefixes.resolve(name);
        let value = |name: &str| {
            let named = tokens.attributes(tag).find(|it| it.name() == name);
            named.map(|it| it.value().trim().to_owned()).filter(|it| !it.is_empty())
        };
        if !self.is_feed {
            match local {
                "rss" | "rdf" | "feed" | "channel" => self.is_feed = true,
                "html" | "head" | "body" => return Err(FeedError::WebPage),
                _ => return Err(FeedError::NotAFeed(beginning(tag.span.of(self.source)))),
            }
            self.feed.language = value("xml:lang");
            self.feed.base = value("xml:base");
            return Ok(());
        }
        if is_entry(vocabulary, local) {
            self.end_field(tag.span.start as usize);
            self.end_entry();
            self.aside = None;
            // RSS 1.0 has the address here as well.
            let links = value("rdf:about").into_iter().collect();
            self.entry = Some(Entry {
                links,
                language: value("xml:lang"),
                base: value("xml:base"),
                ..Entry::default()
            });
            if tag.self_closing {
                self.end_entry();
            }
            return Ok(());
        }
        if let Some((aside, open)) = &mut self.aside {
            *open += usize::from(*aside == tag.name && !tag.self_closing);
            if let Some(from) = &mut self.taken_from {
                from.has_parts = true;
                let what = meaning(vocabulary, local);
                from.in_title = what == Some(What::Title) && !tag.self_closing;
                if what == Some(What::Link) && value("rel").is_none_or(|it| it == "alternate" || it == "self")
                {
                    from.address = from.address.take().or_else(|| value("href"));
                }
            }
            return Ok(());
        }
        let what = meaning(vocabulary, local);
        if let Some(field) = &mut self.field {
            // A field that cannot hold another was not closed. Writers have names and addresses, and links inside of texts are links.
            let is_over = what.is_some() && !field.what.may_have_markup() && field.form != Form::Xhtml;
            if !is_over {
                field.open(tag, self.source);
                return Ok(());
            }
            self.end_field(tag.span.start as usize);
        }
        let Some(what) = what else {
            if is_aside(vocabulary, local) && !tag.self_closing {
                self.aside = Some((tag.name, 1));
                if local == "source" && self.entry.is_some() {
                    self.taken_from = Some(TakenFrom { address: value("url"), ..TakenFrom::default() });
                }
            }
            return Ok(());
        };
        match what {
            What::Link if value("href").is_some() => {
                let (rel, href) = (value("rel"), value("href").unwrap_or_default());
                let rel = rel.as_deref().unwrap_or("alternate");
                if self.entry.is_none() && matches!(rel, "alternate" | "self") && self.feed.homes.len() < MOST
                {
                    self.feed.homes.push(href.clone());
                }
                match &mut self.entry {
                    Some(entry) if rel == "alternate" && entry.links.len() < MOST => entry.links.push(href),
                    // What addresses are relative to where nothing else is said.
                    None if rel == "alternate" => self.feed.site = Some(href),
                    None if rel == "self" && self.feed.site.is_none() => self.feed.site = Some(href),
                    _ => {}
                }
            }
            What::Category if value("term").or_else(|| value("label")).is_some() => {
                if let (Some(entry), Some(term)) = (&mut self.entry, value("label").or_else(|| value("term")))
                {
                    entry.add_category(&term);
                }
            }
            _ => {}
        }
        if tag.self_closing {
            return Ok(());
        }
        let kind = value("type").unwrap_or_default().to_ascii_lowercase();
        let is_escaped = value("mode").is_some_and(|mode| mode.eq_ignore_ascii_case("escaped"));
        let form = match kind.as_str() {
            "text" | "text/plain" => Form::Text,
            "html" | "text/html" => Form::Html,
            // Atom 0.3 escapes it all the same, and says so.
            "xhtml" | "application/xhtml+xml" if !is_escaped => Form::Xhtml,
            _ if local == "encoded" => Form::Html,
            _ => Form::Unsaid,
        };
        let is_void = value("ispermalink").is_some_and(|it| it.eq_ignore_ascii_case("false"));
        let start = tag.span.end as usize;
        self.field = Some(Field {
            what,
            name: tag.name,
            again: 0,
            inner: 0,
            start,
            text: String::new(),
            form,
            is_void,
            part: None,
        });
        Ok(())
    }

    fn text(&mut self, tokens: &Tokenizer<'_>, piece: Piece) {
        if self.aside.is_some() {
            if let Some(from) = self.taken_from.as_mut().filter(|from| from.in_title || !from.has_parts) {
                from.title.push_str(&tokens.text(piece));
            }
            return;
        }
        let Some(field) = &mut self.field else { return };
        match field.what {
            // `?a=1&copy=2` has no sign of copyright.
            What::Link | What::OwnLink => {
                let raw = piece.span.of(self.source);
                field.text.push_str(&raw.replace("&amp;", "&").replace("&#38;", "&").replace("&#x26;", "&"));
            }
            What::Author if field.part.is_some_and(|part| !is_name(tokens.name(part))) => {}
            _ => field.text.push_str(&tokens.text(piece)),
        }
    }

    fn end(&mut self, tokens: &Tokenizer<'_>, tag: &Tag) {
        let (vocabulary, local) = self.prefixes.resolve(tokens.name(tag.name));
        if is_entry(vocabulary, local) {
            self.end_field(tag.span.start as usize);
            self.end_entry();
            self.aside = None;
            return;
        }
        if let Some((aside, open)) = &mut self.aside {
            *open -= usize::from(*aside == tag.name);
            let is_over = *open == 0;
            if let Some(from) = &mut self.taken_from {
                from.in_title = false;
            }
            if is_over {
                self.aside = None;
                if let (Some(from), Some(entry)) = (self.taken_from.take(), &mut self.entry) {
                    entry.add_source(&from.title, from.address);
                }
            }
            return;
        }
        if self.field.as_mut().is_some_and(|field| field.close(tag, self.source)) {
            self.end_field(tag.span.start as usize);
        }
    }

    fn end_entry(&mut self) {
        self.taken_from = None;
        if let Some(entry) = self.entry.take() {
            self.feed.entries.push(entry);
        }
    }

    /// Takes what the field says, whose content ends here.
    fn end_field(&mut self, end: usize) {
        let Some(field) = self.field.take() else { return };
        let text = field.text.trim();
        let words = || match field.form {
            Form::Unsaid | Form::Text => without_markup(text),
            Form::Html => Content::Html(text.to_owned()).words(),
            Form::Xhtml => Content::Html(self.source[field.start..end].to_owned()).words(),
        };
        let once = |into: &mut Option<String>, value: String| {
            if into.is_none() && !value.is_empty() {
                *into = Some(value);
            }
        };
        let Some(entry) = &mut self.entry else {
            match field.what {
                What::Title => once(&mut self.feed.title, words()),
                What::Link => {
                    if !text.is_empty() && self.feed.homes.len() < MOST {
                        self.feed.homes.push(text.to_owned());
                    }
                    once(&mut self.feed.site, text.to_owned());
                }
                What::Language => once(&mut self.feed.language, text.to_owned()),
                What::Author => add_person(&mut self.feed.authors, text),
                _ => {}
            }
            return;
        };
        match field.what {
            What::Title => once(&mut entry.title, words()),
            What::Link | What::OwnLink => {
                if !field.is_void && !text.is_empty() && entry.links.len() < MOST {
                    entry.links.push(text.to_owned());
                }
            }
            What::Published => once(&mut entry.published, with_whole_year(text)),
            What::Updated => once(&mut entry.updated, with_whole_year(text)),
            What::Language => once(&mut entry.language, text.to_owned()),
            What::Author => entry.add_author(text),
            What::Category => entry.add_category(text),
            What::Summary | What::Content => {
                let content = match field.form {
                    Form::Text => Content::Text(text.to_owned()),
                    Form::Unsaid | Form::Html => Content::Html(text.to_owned()),
                    Form::Xhtml => Content::Html(self.source[field.start..end].to_owned()),
                };
                let into = if field.what == What::Summary { &mut entry.summary } else { &mut entry.content };
                if into.is_none() && !content.is_empty() {
                    *into = Some(content);
                }
            }
        }
    }
}

/// Is an element of an author the name?
fn is_name(name: &str) -> bool {
    name.rsplit(':').next() == Some("name")
}

impl Field {
    /// A tag inside of it, which may be markup that nobody escaped.
    fn open(&mut self, tag: &Tag, source: &str) {
        if !tag.self_closing {
            self.again += usize::from(tag.name == self.name);
            self.inner += 1;
            self.part = Some(tag.name);
        }
        if self.what.may_have_markup() {
            self.text.push_str(tag.span.of(source));
        }
    }

    /// An end tag inside of it. Does it end the field?
    fn close(&mut self, tag: &Tag, source: &str) -> bool {
        if tag.name == self.name && self.again == 0 {
            return true;
        }
        // What ends nothing that is open was meant to end this one.
        if self.inner == 0 && !self.what.may_have_markup() {
            return true;
        }
        self.again -= usize::from(tag.name == self.name);
        self.inner = self.inner.saturating_sub(1);
        self.part = None;
        if self.what.may_have_markup() {
            self.text.push_str(tag.span.of(source));
        }
        false
    }
}
