//! What a page says of itself, in its head and in its JSON-LD: what it is, how its title goes, its text.

use crate::hashing::NumberSet;

use tamis_html::Name;

use super::super::odds::text_words;
use crate::page::Page;

/// What a page says it is, and words by which its own text can be known.
#[derive(Default)]
pub(super) struct Head {
    pub(super) og_article: bool,
    pub(super) article: bool,
    pub(super) product: bool,
    pub(super) forum: bool,
    pub(super) list: bool,
    pub(super) questions: bool,
    /// The words of the title.
    pub(super) title: NumberSet<u32>,
    /// Pairs of words of the description.
    pub(super) description: NumberSet<u32>,
    /// Pairs of words of the text that JSON-LD gives as the article's; else of the one that a feed has.
    pub(super) body: NumberSet<u32>,
    /// Is it a feed's?
    pub(super) is_fed: bool,
}

/// So much of an article's text in JSON-LD is looked at.
const MOST_BODY: usize = 1 << 17;

impl Head {
    pub(super) fn of(page: &Page<'_>, told: Option<&str>) -> Head {
        let mut head = Head::default();
        text_words(&page.title(), 32, |word| {
            head.title.insert(word);
        });
        for entry in &page.in_order().list {
            if !matches!(entry.name, Name::META | Name::SCRIPT) {
                continue;
            }
            let node = page.node(entry.id);
            if node.is(Name::META) {
                let content = || node.attribute_named(Name::CONTENT).unwrap_or_default();
                let named = |name: Name, is: &str| {
                    node.attribute_named(name).is_some_and(|value| value.eq_ignore_ascii_case(is))
                };
                if named(Name::PROPERTY, "og:type") {
                    head.og_article |= content().eq_ignore_ascii_case("article");
                    head.product |= content().contains("product");
                } else if named(Name::NAME, "description") || named(Name::PROPERTY, "og:description") {
                    pairs(&content(), 64, &mut head.description);
                }
            } else if node.is(Name::SCRIPT)
                && node.attribute_named(Name::TYPE).is_some_and(|kind| kind.contains("ld+json"))
            {
                head.read_json_ld(&node.text_content());
            }
        }
        if let Some(told) = told.filter(|_| head.body.is_empty()) {
            head.hear(told, page);
        }
        head
    }

    /// Takes the text that a feed has for the article's, if at least half of its pairs of words stand on the page: a page may show
    /// another text than its feed, or none to who has not paid.
    fn hear(&mut self, told: &str, page: &Page<'_>) {
        let (mut own, mut body) = (NumberSet::default(), NumberSet::default());
        pairs(page.all_text(), MOST_BODY, &mut own);
        pairs(told, MOST_BODY, &mut body);
        let shown = body.iter().filter(|it| own.contains(*it)).count();
        if shown * 2 >= body.len() {
            (self.body, self.is_fed) = (body, true);
        }
    }

    fn read_json_ld(&mut self, text: &str) {
        // Articles have questions that are asked often at their end, and say so; nobody asks anything there.
        let (mut asks, mut often_asked) = (false, false);
        let mut rest = text;
        while let Some(at) = memchr::memmem::find(rest.as_bytes(), b"\"@type\"") {
            rest = &rest[at + 7..];
            let value: String =
                rest.chars().take(60).filter(|c| !matches!(c, ' ' | ':' | '"' | '[')).collect();
            let is = |names: &[&str]| names.iter().any(|name| value.starts_with(name));
            self.article |= is(&["NewsArticle", "Article", "BlogPosting", "Report"]);
            self.product |= is(&["Product"]);
            self.forum |= is(&["DiscussionForum"]);
            asks |= is(&["QAPage", "Question"]);
            often_asked |= is(&["FAQPage"]);
            self.list |= is(&["ItemList", "CollectionPage"]);
        }
        let asks = asks && !often_asked;
        self.forum |= asks;
        self.questions |= asks;
        let mut rest = text;
        while let Some(at) = memchr::memmem::find(rest.as_bytes(), b"\"articleBody\"") {
            rest = rest[at + 13..].trim_start_matches([' ', ':', '\n', '\t']);
            if let Some(inside) = rest.strip_prefix('"') {
                pairs(&json_string(inside), MOST_BODY, &mut self.body);
            }
        }
    }
}

/// The string up to its closing mark, with escapes resolved, at most [`MOST_BODY`] bytes of it.
fn json_string(text: &str) -> String {
    let mut string = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' => match characters.next() {
                Some('n' | 'r' | 't') => string.push(' '),
                Some('u') => {
                    let digits: String = characters.by_ref().take(4).collect();
                    let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                    string.push(code.unwrap_or(' '));
                }
                Some(other) => string.push(other),
                None => break,
            },
            other => string.push(other),
        }
        if string.len() > MOST_BODY {
            break;
        }
    }
    string
}

fn pairs(text: &str, most: usize, into: &mut NumberSet<u32>) {
    let mut before = 0;
    text_words(text, most, |word| {
        into.insert(pair(before, word));
        before = word;
    });
}

/// A number for two words, one behind the other.
pub(super) fn pair(before: u32, word: u32) -> u32 {
    before.rotate_left(9).wrapping_mul(0x9E37_79B1) ^ word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_that_are_asked_often_made_a_thread_of_an_article() {
        let says = |ld: &str| {
            Head::of(&Page::parse(&format!("<script type=\"application/ld+json\">{ld}</script>")), None)
                .questions
        };
        assert!(!says(r#"{"@type":"FAQPage","mainEntity":[{"@type":"Question","name":"When?"}]}"#));
        assert!(says(r#"{"@type":"QAPage","mainEntity":{"@type":"Question","name":"When?"}}"#));
    }

    #[test]
    fn the_body_that_json_ld_gives_is_read() {
        let page = Page::parse(
            r#"<script type="application/ld+json">{"@type": "NewsArticle", "articleBody" : "The ferry \"Aino\"\nruns again"}</script>"#,
        );
        let head = Head::of(&page, None);
        let mut expected = NumberSet::default();
        pairs("The ferry Aino runs again", 9, &mut expected);
        assert!(head.article);
        assert_eq!(head.body, expected);
    }
}
