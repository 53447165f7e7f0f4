//! Posts, comments, entries and hidden passages of a document, from what was found on the page.

use std::collections::{HashMap, HashSet};

use tamis_html::Span;

use super::plain_text::text_of;
use super::{Comment, Entry, HiddenPassage, Paths, Post, Quoted, Urls};
use crate::page::{NONE, Page};
use crate::regions::{CommentRegion, EntryRegion, PostRegion};

/// Longest hidden passage that is reported, in bytes.
const MAX_HIDDEN_BYTES: usize = 1 << 16;

/// Posts of a thread.
pub(crate) fn posts(page: &Page<'_>, regions: Vec<PostRegion>) -> Vec<Post> {
    let mut paths = Paths::default();
    let post = |region: PostRegion| {
        let quoted: HashSet<u32> =
            region.quotes.iter().flat_map(|quote| quote.blocks.iter().copied()).collect();
        let own: Vec<u32> = region.blocks.iter().copied().filter(|block| !quoted.contains(block)).collect();
        let (path, span) = place(page, region.element, &mut paths);
        Post {
            author: region.author,
            time: region.time.map(|time| time.to_string()),
            time_text: region.time_text,
            number: region.number,
            reply_to: region.reply_to,
            text: text_of(page, &region.blocks),
            own_text: (!quoted.is_empty()).then(|| text_of(page, &own)),
            quotes: region
                .quotes
                .into_iter()
                .map(|quote| Quoted { text: text_of(page, &quote.blocks), author: quote.author })
                .collect(),
            blocks: region.blocks,
            path,
            span,
        }
    };
    regions.into_iter().map(post).collect()
}

/// Reader comments.
pub(crate) fn comments(page: &Page<'_>, regions: Vec<CommentRegion>) -> Vec<Comment> {
    let mut paths = Paths::default();
    // The latest comment of each author so far.
    let mut latest: HashMap<String, u32> = HashMap::new();
    let comment = |(index, region): (usize, CommentRegion)| {
        let (path, span) = place(page, region.element, &mut paths);
        let reply_to = region.reply_to.as_ref().and_then(|author| latest.get(author).copied());
        if let Some(author) = &region.author {
            latest.insert(author.clone(), index as u32);
        }
        Comment {
            author: region.author,
            time: region.time.map(|time| time.to_string()),
            time_text: region.time_text,
            reply_to,
            text: text_of(page, &region.blocks),
            blocks: region.blocks,
            path,
            span,
        }
    };
    regions.into_iter().enumerate().map(comment).collect()
}

/// Entries of a listing.
pub(crate) fn entries(page: &Page<'_>, url: Option<&str>, regions: Vec<EntryRegion>) -> Vec<Entry> {
    let urls = Urls::new(page, url);
    let entry = |region: EntryRegion| Entry {
        title: region.title,
        url: region.link.as_deref().and_then(|link| urls.resolve(link)),
        date: region.date.map(|date| date.to_string()),
        text: text_of(page, &region.blocks),
    };
    regions.into_iter().map(entry).collect()
}

/// Text that markup or invisible characters hide.
pub(crate) fn hidden(page: &Page<'_>) -> Vec<HiddenPassage> {
    let mut passages = Vec::new();
    for element in &page.hidden {
        let Some(node) = page.dom.node(element.node) else { continue };
        let mut text = node.text_content().split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            text.truncate(text.floor_char_boundary(MAX_HIDDEN_BYTES));
            let span = node.span().unwrap_or(Span { start: 0, end: 0 });
            passages.push(HiddenPassage { text, reason: element.by.name().to_owned(), span });
        }
    }
    passages.extend(tag_characters(page.dom.source()));
    passages
}

/// Runs of tag characters (U+E0020 to U+E007E), which mirror ASCII and are invisible. Behind a black flag they make the
/// flag of a region, such as that of England.
fn tag_characters(source: &str) -> Vec<HiddenPassage> {
    let mut passages: Vec<HiddenPassage> = Vec::new();
    // All of them start with the bytes F3 A0.
    for at in memchr::memmem::find_iter(source.as_bytes(), b"\xF3\xA0") {
        let Some(character) = source.get(at..).and_then(|rest| rest.chars().next()) else { continue };
        let Some(ascii) = (character as u32).checked_sub(0xE_0000).and_then(|code| u8::try_from(code).ok())
        else {
            continue;
        };
        let letter = char::from(ascii);
        let end = (at + character.len_utf8()) as u32;
        match passages.last_mut().filter(|last| last.span.end == at as u32) {
            Some(last) => {
                last.text.push(letter);
                last.span.end = end;
            }
            None => passages.push(HiddenPassage {
                text: letter.to_string(),
                reason: "tag-characters".to_owned(),
                span: Span { start: at as u32, end },
            }),
        }
    }
    let is_flag = |passage: &HiddenPassage| {
        let before = source.get(..passage.span.start as usize).unwrap_or_default();
        let region = passage.text.strip_suffix('\u{7f}').unwrap_or_default();
        before.ends_with('\u{1F3F4}')
            && (3..=6).contains(&region.len())
            && region.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    passages.retain(|passage| !is_flag(passage));
    passages
}

fn place(page: &Page<'_>, element: u32, paths: &mut Paths) -> (String, Span) {
    let node = (element != NONE).then(|| page.elements.node[element as usize]);
    let node = node.and_then(|node| page.dom.node(node));
    let path = node.map(|node| paths.of(node)).unwrap_or_default();
    (path, node.and_then(|node| node.span()).unwrap_or(Span { start: 0, end: 0 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_text_is_reported_with_its_reason() {
        let smuggled: String =
            "ignore".bytes().filter_map(|b| char::from_u32(0xE_0000 + u32::from(b))).collect();
        let html = format!("<p>Rain<span style='font-size:0'>obey</span>.<p hidden>secret<p>{smuggled}Sun");
        let page = Page::parse(&html);
        let found: Vec<(String, String)> =
            hidden(&page).into_iter().map(|passage| (passage.text, passage.reason)).collect();
        let expected = [("obey", "zero-size"), ("secret", "hidden"), ("ignore", "tag-characters")];
        assert_eq!(found, expected.map(|(text, reason)| (text.to_owned(), reason.to_owned())));
        let tags = |text: &str| -> String {
            text.bytes().filter_map(|byte| char::from_u32(0xE_0000 + u32::from(byte))).collect()
        };
        let flags = format!("<p>\u{1F3F4}{} \u{1F3F4}{}", tags("gbeng\u{7f}"), tags("obey me"));
        let found: Vec<String> = hidden(&Page::parse(&flags)).into_iter().map(|it| it.text).collect();
        assert_eq!(found, ["obey me"]);
        assert_eq!(page.blocks.text(0), "Rain.");
        assert_eq!(page.blocks.text(1), "Sun");
    }
}
