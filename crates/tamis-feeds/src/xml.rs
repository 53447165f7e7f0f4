//! RSS and Atom, from the tokens of the HTML tokenizer.
//!
//! Accepts what a strict XML reader refuses: bare `&`, HTML references, unquoted attributes, truncated documents. Does
//! not expand declared entities, so entity bombs have no effect. Names are in lower case.
//!
//! One pass, no tree. An element with a role is a field and ends at its end tag; if that is missing, where another
//! field or an entry begins or ends.

use tamis_html::Name;
use tamis_html::tokenizer::{Piece, Tag, Token, Tokenizer};

use crate::entry::{EntryDraft, add_person, set_content, set_once};
use crate::feed::{FeedDraft, Limits};
use crate::vocabulary::{CORE, Prefixes, Role};
use crate::{Content, FeedError, text};

pub(crate) fn read(source: &str, limits: Limits) -> Result<FeedDraft, FeedError> {
    let mut tokens = Tokenizer::new(source);
    tokens.set_cdata_allowed(true);
    let mut reader = Reader { source, limit: limits.values_per_entry, ..Reader::default() };
    while reader.feed.entries.len() < limits.entries {
        match tokens.next_token() {
            Token::StartTag(tag) => reader.start(&tokens, &tag)?,
            Token::EndTag(tag) => reader.end(&tokens, &tag),
            Token::Text(piece) => reader.text(&tokens, piece),
            Token::Comment(_) | Token::Doctype(_) => {}
            Token::EndOfFile => {
                // A truncated field may have a different meaning.
                reader.field = None;
                reader.end_entry();
                break;
            }
        }
    }
    if reader.feed.is_feed { Ok(reader.feed) } else { Err(FeedError::NotAFeed(beginning(source))) }
}

/// The first characters, quoted for a message.
fn beginning(source: &str) -> String {
    let start: String = source.chars().take_while(|it| !it.is_control()).take(40).collect();
    format!("{:?}", start.trim())
}

/// A trimmed attribute that is not empty.
fn attribute(tokens: &Tokenizer<'_>, tag: &Tag, name: &str) -> Option<String> {
    let found = tokens.attributes(tag).find(|it| it.name() == name);
    found.map(|it| it.value().trim().to_owned()).filter(|it| !it.is_empty())
}

#[derive(Default)]
struct Reader<'s> {
    source: &'s str,
    /// [`Limits::values_per_entry`](crate::Limits::values_per_entry).
    limit: usize,
    prefixes: Prefixes,
    feed: FeedDraft,
    entry: Option<EntryDraft>,
    field: Option<OpenField>,
    /// A skipped element, and the number of open elements of its name.
    skipped: Option<(Name, usize)>,
}

/// A field whose end tag has not been reached.
struct OpenField {
    role: Role,
    name: Name,
    /// Number of open elements of its name inside it.
    nested: usize,
    /// Number of open elements inside it.
    inner: usize,
    /// Start of its content.
    start: usize,
    text: String,
    form: Form,
    /// `false` for a `guid` with `isPermaLink="false"`.
    is_permalink: bool,
    /// Inside an author: whether an element other than the name is open.
    is_aside: bool,
}

/// The encoding of a field's content.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Not declared: text that may contain markup.
    Undeclared,
    Text,
    Html,
    /// Unescaped markup.
    Xhtml,
}

impl Reader<'_> {
    fn start(&mut self, tokens: &Tokenizer<'_>, tag: &Tag) -> Result<(), FeedError> {
        let in_markup = self.field.as_ref().is_some_and(|it| it.role.may_have_markup());
        if !in_markup && self.skipped.is_none() {
            for attribute in tokens.attributes(tag).filter(|it| it.name().starts_with("xmlns:")) {
                self.prefixes.declare(attribute.name(), &attribute.value());
            }
        }
        if !self.feed.is_feed {
            return self.start_feed(tokens, tag);
        }
        let role = self.prefixes.role(tokens.name(tag.name));
        if role == Role::Entry {
            self.start_entry(tokens, tag);
            return Ok(());
        }
        if let Some((name, open)) = &mut self.skipped {
            *open += usize::from(*name == tag.name && !tag.self_closing);
            return Ok(());
        }
        if let Some(field) = &mut self.field {
            // A field that cannot contain another one was not closed.
            let is_over = role.is_field() && !field.role.may_have_markup() && field.form != Form::Xhtml;
            if !is_over {
                let is_name = self.prefixes.resolve(tokens.name(tag.name)).1 == "name";
                field.open_inner(tag, is_name, self.source);
                return Ok(());
            }
            self.end_field(tag.span.start as usize);
        }
        match role {
            _ if role.is_field() => self.start_field(role, tokens, tag),
            Role::Skipped if !tag.self_closing => self.skipped = Some((tag.name, 1)),
            _ => {}
        }
        Ok(())
    }

    fn start_feed(&mut self, tokens: &Tokenizer<'_>, tag: &Tag) -> Result<(), FeedError> {
        match self.prefixes.resolve(tokens.name(tag.name)).1 {
            "rss" | "rdf" | "feed" | "channel" => self.feed.is_feed = true,
            "html" | "head" | "body" => return Err(FeedError::WebPage),
            _ => return Err(FeedError::NotAFeed(beginning(tag.span.of(self.source)))),
        }
        self.feed.head.entry.language = attribute(tokens, tag, "xml:lang");
        self.feed.head.base = attribute(tokens, tag, "xml:base");
        Ok(())
    }

    fn start_entry(&mut self, tokens: &Tokenizer<'_>, tag: &Tag) {
        self.end_field(tag.span.start as usize);
        self.end_entry();
        let mut entry = EntryDraft { base: attribute(tokens, tag, "xml:base"), ..EntryDraft::default() };
        entry.entry.language = attribute(tokens, tag, "xml:lang");
        // The URL in RSS 1.0, with any prefix of RDF.
        let about = tokens
            .attributes(tag)
            .find(|it| self.prefixes.resolve(it.name()) == (CORE, "about") && it.name().contains(':'));
        if let Some(about) = about {
            entry.add_id(about.value().trim(), true, self.limit);
        }
        self.entry = Some(entry);
        if tag.self_closing {
            self.end_entry();
        }
    }

    fn start_field(&mut self, role: Role, tokens: &Tokenizer<'_>, tag: &Tag) {
        let value = |name: &str| attribute(tokens, tag, name);
        if let (Role::Link, Some(href)) = (role, value("href")) {
            self.add_link(href, value("rel").as_deref().unwrap_or("alternate"));
        } else if let (Role::Category, Some(entry)) = (role, &mut self.entry) {
            let term = value("label").or_else(|| value("term")).unwrap_or_default();
            entry.add_category(&term, self.limit);
        }
        if tag.self_closing {
            return;
        }
        let is = |name: &str, expected: &str| value(name).is_some_and(|it| it.eq_ignore_ascii_case(expected));
        let form = match value("type").unwrap_or_default().to_ascii_lowercase().as_str() {
            "text" | "text/plain" => Form::Text,
            "html" | "text/html" => Form::Html,
            // Atom 0.3 declares whether it is escaped.
            "xhtml" | "application/xhtml+xml" if !is("mode", "escaped") => Form::Xhtml,
            _ => Form::Undeclared,
        };
        self.field = Some(OpenField {
            role,
            name: tag.name,
            nested: 0,
            inner: 0,
            start: tag.span.end as usize,
            text: String::new(),
            form,
            is_permalink: !is("ispermalink", "false"),
            is_aside: false,
        });
    }

    fn add_link(&mut self, link: String, relation: &str) {
        let is_page = relation == "alternate";
        match &mut self.entry {
            Some(entry) if is_page && entry.links.len() < self.limit => entry.links.push(link),
            None if is_page || relation == "self" => self.feed.add_address(link, is_page, self.limit),
            _ => {}
        }
    }

    fn text(&mut self, tokens: &Tokenizer<'_>, piece: Piece) {
        let Some(field) = self.field.as_mut().filter(|_| self.skipped.is_none()) else { return };
        match field.role {
            // HTML would decode the `&copy` of `?a=1&copy=2`.
            Role::Link | Role::OriginalLink | Role::Id => {
                let raw = piece.span.of(self.source);
                field.text.push_str(&raw.replace("&amp;", "&").replace("&#38;", "&").replace("&#x26;", "&"));
            }
            Role::Author if field.is_aside => {}
            _ => field.text.push_str(&tokens.text(piece)),
        }
    }

    fn end(&mut self, tokens: &Tokenizer<'_>, tag: &Tag) {
        if self.prefixes.role(tokens.name(tag.name)) == Role::Entry {
            self.end_field(tag.span.start as usize);
            self.end_entry();
        } else if let Some((name, open)) = &mut self.skipped {
            *open -= usize::from(*name == tag.name);
            if *open == 0 {
                self.skipped = None;
            }
        } else if self.field.as_mut().is_some_and(|field| field.close_inner(tag, self.source)) {
            self.end_field(tag.span.start as usize);
        }
    }

    fn end_entry(&mut self) {
        self.skipped = None;
        self.feed.entries.extend(self.entry.take());
    }

    /// Stores the value of the open field, whose content ends at `end`.
    fn end_field(&mut self, end: usize) {
        let Some(OpenField { role, start, text, form, is_permalink, .. }) = self.field.take() else {
            return;
        };
        let written = text.trim();
        let content = || match form {
            Form::Text => Content::Text(written.to_owned()),
            Form::Undeclared | Form::Html => Content::Html(written.to_owned()),
            Form::Xhtml => Content::Html(self.source[start..end].to_owned()),
        };
        let plain = || match form {
            Form::Undeclared | Form::Text => text::plain(written),
            Form::Html | Form::Xhtml => content().to_text(),
        };
        let draft = self.entry.as_mut().unwrap_or(&mut self.feed.head);
        match role {
            Role::Title => set_once(&mut draft.entry.title, plain()),
            Role::Link => self.add_link(written.to_owned(), "alternate"),
            Role::Id => draft.add_id(written, is_permalink, self.limit),
            Role::OriginalLink => set_once(&mut draft.original_link, written.to_owned()),
            Role::Published => set_once(&mut draft.published, written.to_owned()),
            Role::Updated => set_once(&mut draft.updated, written.to_owned()),
            Role::Language => set_once(&mut draft.entry.language, written.to_owned()),
            Role::Author => add_person(&mut draft.entry.authors, written, self.limit),
            Role::Category => draft.add_category(written, self.limit),
            Role::Summary => set_content(&mut draft.entry.summary, content()),
            Role::Content => set_content(&mut draft.entry.content, content()),
            Role::Entry | Role::Skipped | Role::Other => {}
        }
    }
}

impl OpenField {
    /// Handles a start tag inside it, which may be unescaped markup.
    fn open_inner(&mut self, tag: &Tag, is_name: bool, source: &str) {
        if !tag.self_closing {
            self.nested += usize::from(tag.name == self.name);
            self.inner += 1;
            self.is_aside = !is_name;
        }
        if self.role.may_have_markup() {
            self.text.push_str(tag.span.of(source));
        }
    }

    /// Handles an end tag inside it. Returns whether it ends the field.
    fn close_inner(&mut self, tag: &Tag, source: &str) -> bool {
        // An end tag without a start tag is a misspelt end of the field.
        let is_misspelt = self.inner == 0 && !self.role.may_have_markup();
        if is_misspelt || (tag.name == self.name && self.nested == 0) {
            return true;
        }
        self.nested -= usize::from(tag.name == self.name);
        self.inner = self.inner.saturating_sub(1);
        self.is_aside = false;
        if self.role.may_have_markup() {
            self.text.push_str(tag.span.of(source));
        }
        false
    }
}
