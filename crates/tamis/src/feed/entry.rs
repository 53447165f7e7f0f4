//! What a feed says of one page.

use crate::assemble::Address;
use crate::facts::{clean, text_of, without_markup};

/// How many of one thing an entry may have; more say nothing.
pub(super) const MOST: usize = 100;
/// How much of a text is read as words, in bytes.
const MOST_WORDS: usize = 1 << 20;

/// What a feed says of one page.
///
/// ```
/// use tamis::feed::{Entry, Feed};
///
/// let feed = Feed::read(
///     "<rss><item><title>Rain</title><pubDate>Tue, 14 Dec 2010 08:30:00 +0800</pubDate><category>Weather</category>\
///      <guid>https://gazette.example/rain</guid><description>It &lt;b&gt;rained&lt;/b&gt;.</description></item></rss>",
/// )?;
/// let entry: &Entry = &feed.entries()[0];
/// assert_eq!(entry.links, ["https://gazette.example/rain"]);
/// assert_eq!(entry.published.as_deref(), Some("Tue, 14 Dec 2010 08:30:00 +0800"));
/// assert_eq!(entry.summary.as_ref().unwrap().words(), "It rained.");
/// assert_eq!(entry.categories, ["Weather"]);
/// # Ok::<(), tamis::feed::FeedError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Entry {
    /// The addresses of the page: its link, its lasting one (`guid`, `id`), the one before a counter of clicks was put in between.
    pub links: Vec<String>,
    /// The title, without markup.
    pub title: Option<String>,
    /// When it was published, as it is written, but with the year in full, and China's time not as that of Chicago.
    pub published: Option<String>,
    /// When it was changed last, likewise.
    pub updated: Option<String>,
    /// Who wrote it: names, without addresses of mail.
    pub authors: Vec<String>,
    /// What it is about. Some feeds have the whole text here.
    pub summary: Option<Content>,
    /// Sections and keywords; feeds do not tell them apart.
    pub categories: Vec<String>,
    /// The language, where the entry has one of its own, as it is written.
    pub language: Option<String>,
    /// The text, or the beginning of it.
    pub content: Option<Content>,
    /// The name of the feed that it was taken from, where another site collects entries.
    pub source: Option<String>,
    /// Where that one is found.
    pub(super) source_address: Option<String>,
    /// What its addresses are relative to.
    pub(super) base: Option<String>,
}

/// A text of a feed.
///
/// ```
/// use tamis::feed::Content;
///
/// assert_eq!(Content::Html("<p>It rained.</p><p>It poured.</p>".into()).words(), "It rained. It poured.");
/// assert_eq!(Content::Text("a < b".into()).words(), "a < b");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// Words alone.
    Text(String),
    /// HTML, as it is written.
    Html(String),
}

impl Content {
    /// Its words without markup, in one line.
    ///
    /// ```
    /// use tamis::feed::Content;
    ///
    /// assert_eq!(Content::Html("It rained<script>count()</script> &amp; poured.".into()).words(), "It rained & poured.");
    /// ```
    pub fn words(&self) -> String {
        match self {
            Content::Text(text) => clean::text(text).into_owned(),
            Content::Html(html) => {
                let dom = tamis_html::parse(html);
                dom.body().map(|body| text_of(body, MOST_WORDS)).unwrap_or_default()
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        let (Content::Text(text) | Content::Html(text)) = self;
        text.trim().is_empty()
    }
}

impl Entry {
    /// Makes its addresses whole, and leaves out what is none; its times are those of the feed's country.
    pub(super) fn settle(&mut self, around: &Address, language: Option<&str>) {
        if self.language.as_deref().or(language).is_some_and(is_chinese) {
            for time in [&mut self.published, &mut self.updated].into_iter().flatten() {
                *time = with_time_of_china(time);
            }
        }
        let own = self.base.as_deref().map(|base| Address::relative_to(Some(&around.resolve(base))));
        let address = own.as_ref().unwrap_or(around);
        let whole = |link: &String| {
            let link = address.resolve(link);
            clean::address(&link).map(|it| it.into_owned())
        };
        let mut links: Vec<String> = Vec::new();
        for link in self.links.iter().filter_map(whole) {
            if !links.contains(&link) {
                links.push(link);
            }
        }
        self.links = links;
    }

    /// Does an entry with the same address speak of the same? Titles tell; where there are none, the texts.
    pub(super) fn is_same(&self, other: &Entry) -> bool {
        let has_same_text = self.content == other.content && self.summary == other.summary;
        self.title == other.title && (self.title.is_some() || has_same_text)
    }

    /// Says from which feed it was taken.
    pub(super) fn add_source(&mut self, name: &str, address: Option<String>) {
        let name = without_markup(name);
        if self.source.is_none() && !name.is_empty() {
            self.source = Some(name);
            self.source_address = address;
        }
    }

    pub(super) fn add_author(&mut self, text: &str) {
        add_person(&mut self.authors, text);
    }

    pub(super) fn add_category(&mut self, text: &str) {
        const NONE: [&str; 6] =
            ["uncategorized", "uncategorised", "未分类", "未分類", "non classé", "sin categoría"];
        let text = without_markup(text);
        let is_address = text.contains("://") || text.starts_with("www.");
        if is_address || NONE.contains(&text.to_lowercase().as_str()) {
            return;
        }
        if !text.is_empty() && self.categories.len() < MOST && !self.categories.contains(&text) {
            self.categories.push(text);
        }
    }
}

/// Adds the name of a person, if there is one.
pub(super) fn add_person(people: &mut Vec<String>, text: &str) {
    if let Some(name) = person(text)
        && people.len() < MOST
        && !people.contains(&name)
    {
        people.push(name);
    }
}

/// A name without the address of mail beside it: `desk@gazette.example (Ada Finch)`, `Ada Finch <ada@gazette.example>`.
fn person(text: &str) -> Option<String> {
    let text = clean::text(text);
    let bracketed = text.split_once('(').and_then(|(mail, rest)| {
        let name = rest.trim_end().strip_suffix(')')?;
        (mail.contains('@') && !name.contains('@')).then_some(name)
    });
    let words = bracketed.unwrap_or(&text).split(' ').filter(|word| !word.contains('@'));
    let name = words.collect::<Vec<_>>().join(" ");
    let name = without_markup(name.trim());
    (!name.is_empty()).then_some(name)
}

fn is_chinese(language: &str) -> bool {
    language.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("zh"))
}

/// A time in which `CST` is China's.
fn with_time_of_china(time: &str) -> String {
    let words: Vec<&str> = time.split_whitespace().collect();
    match words.split_last() {
        Some((&"CST", before)) => format!("{} +0800", before.join(" ")),
        _ => time.to_owned(),
    }
}

/// A time with its year in full, which the oldest form of mail has in two digits: `Tue, 14 Dec 10 08:30 GMT`.
pub(super) fn with_whole_year(time: &str) -> String {
    let words: Vec<&str> = time.split_whitespace().collect();
    let is_short = |at: usize| {
        let year = words[at].as_bytes();
        let is_day = |word: &str| word.len() <= 2 && word.bytes().all(|it| it.is_ascii_digit());
        year.len() == 2
            && year.iter().all(u8::is_ascii_digit)
            && at >= 2
            && is_day(words[at - 2])
            && words[at - 1].bytes().all(|it| it.is_ascii_alphabetic())
            && words.get(at + 1).is_some_and(|clock| clock.contains(':'))
    };
    match (0..words.len().min(6)).find(|&at| is_short(at)) {
        Some(at) => {
            let century = if words[at] < "70" { "20" } else { "19" };
            let whole = format!("{century}{}", words[at]);
            [&words[..at], &[whole.as_str()], &words[at + 1..]].concat().join(" ")
        }
        None => time.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_of_two_digits_was_no_year() {
        for (written, meant) in [
            ("Tue, 4 Dec 10 08:30:00 GMT", "Tue, 4 Dec 2010 08:30:00 GMT"),
            ("14 Dec 99 08:30 EST", "14 Dec 1999 08:30 EST"),
            ("Tue, 14 Dec 2010 08:30:00 GMT", "Tue, 14 Dec 2010 08:30:00 GMT"),
            ("2010-12-14T08:30:00Z", "2010-12-14T08:30:00Z"),
            ("10", "10"),
            ("", ""),
        ] {
            assert_eq!(with_whole_year(written), meant, "{written}");
        }
    }

    #[test]
    fn people_without_their_mail() {
        for (text, expected) in [
            ("Ada Finch", Some("Ada Finch")),
            ("noreply@gazette.example (Ada Finch)", Some("Ada Finch")),
            (" desk@gazette.example  ( Ada  Finch ) ", Some("Ada Finch")),
            ("Ada Finch <ada@gazette.example>", Some("Ada Finch")),
            ("ada@gazette.example", None),
            ("ada@gazette.example Ada Finch", Some("Ada Finch")),
            ("王小明", Some("王小明")),
            ("Ada Finch (Harbour desk)", Some("Ada Finch (Harbour desk)")),
            ("", None),
        ] {
            assert_eq!(person(text).as_deref(), expected, "{text}");
        }
    }
}
