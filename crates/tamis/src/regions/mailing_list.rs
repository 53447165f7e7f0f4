//! Messages of mailing-list archives, as Pipermail, Hypermail and MHonArc show them.
//!
//! Nothing repeats on such a page: it has one message, and above and below it links to its neighbours and to indexes.

use crate::page::Page;

use super::phrases::Phrase;

/// First and last blocks in which links are looked for.
const MAX_BLOCKS: usize = 16;
/// Longer blocks are text.
const MAX_LINK_WORDS: u32 = 40;
/// Different links that make a page a message.
const MIN_LINKS: usize = 2;
/// Lines that the header of a message has at most.
const MAX_HEADER_LINES: usize = 16;

/// Whether a page is a message of an archive.
pub(super) fn is_message(page: &Page<'_>) -> bool {
    let count = page.blocks.len();
    let ends = (0..count.min(MAX_BLOCKS)).chain(count.saturating_sub(MAX_BLOCKS).max(MAX_BLOCKS)..count);
    let mut found: Vec<&str> = Vec::new();
    let may_link = |block: &usize| {
        page.blocks.counts[*block].words <= MAX_LINK_WORDS && page.blocks.link_characters[*block] > 0
    };
    for block in ends.filter(may_link) {
        let mut rest = page.blocks.text(block);
        while let Some((before, behind)) = Phrase::ListLink.around(rest) {
            let phrase = &rest[before.len()..rest.len() - behind.len()];
            if !found.iter().any(|other| other.eq_ignore_ascii_case(phrase)) {
                found.push(phrase);
            }
            rest = behind;
        }
    }
    found.len() >= MIN_LINKS
}

/// Removes header lines such as `Subject: Ferries` from the start of a body, and the archive's notes from its end.
pub(super) fn trim(page: &Page<'_>, body: &mut Vec<u32>) {
    let text = |block: &u32| page.blocks.text(*block as usize);
    let is_field = |block: &&u32| {
        page.blocks.counts[**block as usize].words <= MAX_LINK_WORDS
            && Phrase::Field.after(text(block)).is_some_and(|rest| rest.starts_with(':'))
    };
    let fields = body.iter().take(MAX_HEADER_LINES).take_while(is_field).count();
    if fields > 1 && fields < body.len() {
        body.drain(..fields);
    }
    while body.len() > 1 && body.last().is_some_and(|block| Phrase::Foot.after(text(block)).is_some()) {
        body.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_known_by_their_links() {
        let archive = "<ul><li>Previous message: <a href=1>a</a><li>Next message: <a href=2>b</a>\
            <li>Messages sorted by: <a href=3>[ date ]</a></ul><pre>The ferry is late.</pre>";
        assert!(is_message(&Page::parse(archive)));
        assert!(!is_message(&Page::parse("<p>Next message: the ferry is late.</p>")));
    }

    #[test]
    fn header_lines_are_no_text() {
        let page = Page::parse(
            "<p>From: Ann<p>Date: today<p>Subject: Ferries<p>Note: it is late.<p>Received on Monday",
        );
        let mut body: Vec<u32> = (0..page.blocks.len() as u32).collect();
        trim(&page, &mut body);
        assert_eq!(body, [3]);
    }
}
