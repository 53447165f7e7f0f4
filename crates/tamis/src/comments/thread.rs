//! Is the page a thread, or a shop's? Posts of forums, answers to questions and reviews of goods look like comments, but
//! they are the main text.

use tamis_html::{Name, NodeRef};

use super::layout::Marks;
use super::words::name_words;
use crate::page::Page;

/// Does the page say, by its markup, its software or its address, that what people say is what it is about?
pub(super) fn is_thread(page: &Page<'_>, marks: Marks) -> bool {
    marks.thread()
        || marks.goods
        || page.url().is_some_and(is_address_of_thread)
        || page.dom().descendants().take_while(|node| !node.is(Name::BODY)).any(says_in_head)
        || page.dom().body().is_some_and(|body| names_thread(body))
}

/// Does a `meta` or the `body` say that the page sells something? What people say there are reviews.
pub(super) fn is_mark_of_shop(node: NodeRef<'_>) -> bool {
    let is = |name: Name, test: fn(&str) -> bool| {
        node.attribute_named(name).is_some_and(|value| test(value.trim()))
    };
    (node.is(Name::META)
        && is(Name::PROPERTY, |name| name == "og:type")
        && is(Name::CONTENT, |kind| kind.to_lowercase().starts_with("product")))
        || (node.is(Name::BODY) && is(Name::CLASS, |class| has_word_of(class, &["product"])))
}

fn says_in_head(node: NodeRef<'_>) -> bool {
    let attribute = |name| node.attribute_named(name);
    match node.name_id() {
        Some(Name::META) => {
            let says =
                |test: fn(&str) -> bool| attribute(Name::CONTENT).is_some_and(|content| test(&content));
            // One look at all of them: few have a name that matters.
            node.attributes().any(|it| match it.name_id() {
                Name::NAME => it.value().eq_ignore_ascii_case("generator") && says(names_software),
                Name::PROPERTY => {
                    let value = it.value();
                    (value.eq_ignore_ascii_case("og:url") && says(is_address_of_thread))
                        || (value.eq_ignore_ascii_case("og:type") && says(is_product))
                }
                _ => false,
            })
        }
        Some(Name::LINK) => {
            attribute(Name::REL).is_some_and(|rel| rel.eq_ignore_ascii_case("canonical"))
                && attribute(Name::HREF).is_some_and(|href| is_address_of_thread(&href))
        }
        Some(Name::HTML) => names_thread(node),
        _ => false,
    }
}

fn is_product(content: &str) -> bool {
    content.trim().to_lowercase().starts_with("product")
}

fn names_software(content: &str) -> bool {
    let content = content.to_lowercase();
    SOFTWARE.iter().any(|name| content.contains(name))
}

fn names_thread(node: NodeRef<'_>) -> bool {
    let has = |name| node.attribute_named(name).is_some_and(|value| has_word_of(&value, &PAGE_NAMES));
    has(Name::ID) || has(Name::CLASS)
}

fn is_address_of_thread(url: &str) -> bool {
    name_words(url).any(|word| ADDRESS_WORDS.contains(&&*word) || word.starts_with("bbs"))
}

fn has_word_of(text: &str, list: &[&str]) -> bool {
    name_words(text).any(|word| list.contains(&&*word))
}

/// Forum software, as it signs its pages.
const SOFTWARE: [&str; 14] = [
    "bbpress",
    "discourse",
    "discuz",
    "flarum",
    "fluxbb",
    "ipboard",
    "mybb",
    "nodebb",
    "phpbb",
    "phpwind",
    "punbb",
    "vanilla",
    "vbulletin",
    "xenforo",
];

/// What forums call their pages in the `id` and `class` of `html` and `body`.
const PAGE_NAMES: [&str; 13] = [
    "bbpress",
    "bbs",
    "forum",
    "forums",
    "phpbb",
    "showthread",
    "thread",
    "threads",
    "topic",
    "topics",
    "product",
    "viewthread",
    "viewtopic",
];

/// What stands in the addresses of threads and questions, the names of some large sites among it.
const ADDRESS_WORDS: [&str; 27] = [
    "answers",
    "board",
    "boards",
    "discussion",
    "discussions",
    "forum",
    "forums",
    "forumdisplay",
    "lemmy",
    "lobste",
    "question",
    "questions",
    "quora",
    "reddit",
    "showthread",
    "showtopic",
    "stackexchange",
    "stackoverflow",
    "thread",
    "threads",
    "tieba",
    "topic",
    "topics",
    "viewthread",
    "viewtopic",
    "ycombinator",
    "zhihu",
];

#[cfg(test)]
mod tests {
    use super::super::layout::Said;
    use super::*;

    fn is_thread(page: &Page<'_>) -> bool {
        super::is_thread(page, Said::of(page).marks)
    }

    #[test]
    fn threads_say_so_in_many_places() {
        for html in [
            "<meta name=Generator content='phpBB 3'><p>x",
            "<body id=phpbb class='nojs'><p>x",
            "<div itemtype='https://schema.org/QAPage'>x</div>",
            "<link rel=canonical href='https://example.org/threads/boats.17/'><p>x",
        ] {
            assert!(is_thread(&Page::parse(html)), "{html}");
        }
        assert!(is_thread(&Page::parse("x").with_url("http://example.org/forum/viewtopic.php?t=1")));
        assert!(!is_thread(&Page::parse("<body class=single><p>x").with_url("http://example.org/boats/")));
    }
}
