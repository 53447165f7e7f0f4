//! The words that speak of comments: in classes and ids, and in headings of many languages.

use std::borrow::Cow;

use super::first_look::FirstLook;
use crate::characters::{Class, class, has_small, is_letter, is_number};

/// Does one class or id speak of a place for comments? `comment-list` does, `comment-count` does not.
pub(super) fn names_comments(token: &str) -> bool {
    let says = |word: Cow<'_, str>| {
        (word.starts_with("comment") && !word.starts_with("commenta")) || NAMES.contains(&&*word)
    };
    name_words(token).any(says) && !name_words(token).any(|word| NOT_A_PLACE.contains(&&*word))
}

/// Words of classes and ids, in small letters: `commentList-item_2` is `comment`, `list`, `item`.
pub(super) fn name_words(token: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let mut rest = token;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| !is_letter(c));
        let mut before_is_small = false;
        let end = rest
            .char_indices()
            .find(|(_, c)| {
                let new_word = !is_letter(*c) || (before_is_small && c.is_uppercase());
                before_is_small = c.is_lowercase();
                new_word
            })
            .map_or(rest.len(), |(end, _)| end);
        let (word, behind) = rest.split_at(end);
        rest = behind;
        // Most are small already.
        let is_small = word.bytes().all(|byte| byte.is_ascii_lowercase());
        let small = || if is_small { Cow::Borrowed(word) } else { Cow::Owned(word.to_lowercase()) };
        (!word.is_empty()).then(small)
    })
}

/// Beside all that begins with `comment`.
pub(super) const NAMES: [&str; 22] = [
    "commentaire",
    "commentaires",
    "commentarea",
    "cmt",
    "cmts",
    "comentario",
    "comentarios",
    "disqus",
    "huifu",
    "isso",
    "kommentar",
    "kommentare",
    "kommentarer",
    "komentar",
    "komentarze",
    "komentari",
    "liuyan",
    "pinglun",
    "reactions",
    "reacties",
    "respond",
    "utterances",
];

/// Beside the name of comments, these mean something about them, not the place where they stand.
const NOT_A_PLACE: [&str; 31] = [
    "allow",
    "btn",
    "button",
    "closed",
    "count",
    "counter",
    "disabled",
    "enabled",
    "feed",
    "has",
    "hide",
    "icon",
    "latest",
    "link",
    "links",
    "no",
    "num",
    "number",
    "off",
    "open",
    "policy",
    "popular",
    "recent",
    "review",
    "reviews",
    "rss",
    "status",
    "testimonial",
    "testimonials",
    "toggle",
    "widget",
];

/// How a short text heads a section of comments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Heads {
    /// "3 comments", "网友评论（12）", "Комментарии".
    Comments,
    /// "5 replies": a thread may say so as well.
    Replies,
}

/// Does a short text head a section of comments?
pub(super) fn heads(text: &str) -> Option<Heads> {
    // A sentence is no heading.
    if text.ends_with(['.', '。', '!', ';', ',']) {
        return None;
    }
    if text.len() > LONGEST_TEXT || is_too_long(text) || !may_head(text) {
        return None;
    }
    let (mut words, mut length) = (0, 0);
    let mut digits = false;
    let mut letters = String::with_capacity(text.len());
    for character in text.chars() {
        let is_digit = is_number(character);
        digits |= is_digit;
        if !is_digit && matches!(class(character), Class::PartOfWord | Class::WholeWord) {
            if has_small(character) {
                letters.extend(character.to_lowercase());
            } else {
                letters.push(character);
            }
            length += 1;
            // Too long for a heading by its letters alone, whatever follows.
            if length > LONGEST_HEADING && !begins_before_a_title(&letters) {
                return None;
            }
        } else if !letters.is_empty() && !letters.ends_with(' ') {
            letters.push(' ');
            words += 1;
        }
    }
    let letters = letters.trim_end();
    if letters.chars().count() > LONGEST_HEADING {
        // "12 responses to" and the title of the article.
        return (digits && begins_before_a_title(letters)).then_some(Heads::Comments);
    }
    // Words begin with a stem; scripts without spaces have no beginnings of words, there it may stand anywhere.
    let is_unspaced = |letter: char| matches!(letter, '\u{0E00}'..='\u{0E7F}' | '\u{3040}'..='\u{9FFF}');
    let bytes = letters.as_bytes();
    let has = |stems: &[&str]| {
        letters.char_indices().any(|(at, letter)| {
            let may_begin = is_unspaced(letter) || at == 0 || bytes[at - 1] == b' ';
            may_begin
                && bytes.get(at + 1).is_some_and(|second| SECOND_BYTES[usize::from(*second)])
                && stems.iter().any(|stem| begins_with(&letters[at..], stem))
        })
    };
    if words > MOST_WORDS {
        None
    } else if has(&STEMS) {
        Some(Heads::Comments)
    } else {
        (digits && has(&STEMS_WITH_A_COUNT)).then_some(Heads::Replies)
    }
}

/// As `starts_with`; most texts differ in the first two bytes already, and all stems have more.
fn begins_with(text: &str, stem: &str) -> bool {
    text.as_bytes().first_chunk::<2>() == stem.as_bytes().first_chunk::<2>() && text.starts_with(stem)
}

/// Have the first bytes of a text more letters of ASCII alone than a heading has letters? Then it heads comments only where
/// it goes on with a title, and the first of its letters say so.
fn is_too_long(text: &str) -> bool {
    let Some(first) = text.as_bytes().first_chunk::<64>() else { return false };
    // In bytes and without a way out, which the compiler turns into vector code.
    let letters = first.iter().fold(0_u8, |count, byte| count + u8::from(byte.is_ascii_alphabetic()));
    if usize::from(letters) <= LONGEST_HEADING {
        return false;
    }
    let start = first.iter().position(u8::is_ascii_alphabetic).unwrap_or_default();
    let begins = |lead: &&str| {
        let word = lead.split(' ').next().unwrap_or_default();
        text.as_bytes()[start..].get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word.as_bytes()))
    };
    !BEFORE_A_TITLE.iter().any(begins)
}

/// May one of the stems stand in a text? Those in ASCII have letters that the first look finds, and no letter of another
/// script becomes one of these when it is made small. Of the others, each has a letter of a script beyond Latin, or one of
/// two with an accent; so most texts in Latin letters need not be taken apart, whatever quotes and dashes they have.
fn may_head(text: &str) -> bool {
    let is_of_stem = |letter: char| matches!(letter, 'á' | 'Á' | 'é' | 'É' | '\u{0370}'..='\u{1FFF}' | '\u{2C00}'..='\u{10FFFF}');
    FirstLook::at(text).may_name_comments() || (!text.is_ascii() && text.chars().any(is_of_stem))
}

/// In bytes; with the title of an article in it.
const LONGEST_TEXT: usize = 400;
const LONGEST_HEADING: usize = 40;
const MOST_WORDS: usize = 6;

fn begins_before_a_title(letters: &str) -> bool {
    BEFORE_A_TITLE.iter().any(|lead| letters.starts_with(lead))
}

const BEFORE_A_TITLE: [&str; 8] = [
    "thought on",
    "thoughts on",
    "response to",
    "responses to",
    "comment on",
    "comments on",
    "replies to",
    "reply to",
];

pub(super) const STEMS: [&str; 37] = [
    "comment",
    "commentaire",
    "kommentar",
    "leserkommentar",
    "comentario",
    "comentário",
    "comentari",
    "commenti",
    "kommentti",
    "kommentit",
    "komentar",
    "komentář",
    "komentarz",
    "коммент",
    "коментар",
    "reacties",
    "yorum",
    "hozzászólás",
    "评论",
    "評論",
    "留言",
    "跟帖",
    "跟贴",
    "网友",
    "コメント",
    "댓글",
    "덧글",
    "σχόλια",
    "תגובות",
    "تعليق",
    "التعليق",
    "نظرات",
    "دیدگاه",
    "ئىنكاس",
    "باھا",
    "टिप्पण",
    "ความคิดเห็น",
];

/// These head other things as well: only "5 replies" is meant.
const STEMS_WITH_A_COUNT: [&str; 11] =
    ["repl", "respons", "thoughts", "回复", "回覆", "回應", "回应", "讨论", "ответ", "réponse", "antwort"];

/// The second bytes of all stems: most places of a text have another one, and so begin with no stem.
static SECOND_BYTES: [bool; 256] = {
    let mut is_second = [false; 256];
    let mut place = 0;
    while place < STEMS.len() + STEMS_WITH_A_COUNT.len() {
        let stem = if place < STEMS.len() { STEMS[place] } else { STEMS_WITH_A_COUNT[place - STEMS.len()] };
        is_second[stem.as_bytes()[1] as usize] = true;
        place += 1;
    }
    is_second
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_read_word_by_word() {
        let words: Vec<_> = name_words("commentList-item_2 x").collect();
        assert_eq!(words, ["comment", "list", "item", "x"]);
        for yes in ["comments", "commentlist", "comment-wrap", "disqus_thread", "postComments", "pinglun"] {
            assert!(names_comments(yes), "{yes}");
        }
        for no in
            ["comment-count", "comments-open", "no-comments", "commentary", "recommended", "recent-comments"]
        {
            assert!(!names_comments(no), "{no}");
        }
    }

    #[test]
    fn stems_pass_the_first_look_at_headings() {
        for stem in STEMS.iter().chain(&STEMS_WITH_A_COUNT).chain(&BEFORE_A_TITLE) {
            assert!(may_head(stem) && may_head(&stem.to_uppercase()), "{stem}");
        }
        assert!(!may_head("© Die “schöne” Müllerin – Lieder"));
    }

    #[test]
    fn headings_are_known_in_many_languages() {
        for yes in [
            "3 comments",
            "Comments (12)",
            "12 Responses to “A rather long title of an article about boats”",
            "网友评论（12）",
            "5 回复",
            "コメント",
            "Комментарии: 4",
            "Commentaires",
            "2 Kommentare",
            "Comentarios",
            "ئىنكاسلار (3)",
            "التعليقات",
            "ความคิดเห็น",
            "댓글 2",
        ] {
            assert!(heads(yes).is_some(), "{yes}");
        }
        for no in [
            "Reply",
            "回复",
            "Recommended",
            "Comment out all cases.",
            "The minister would not comment on the plans for the bridge, the paper said on Monday.",
            "",
        ] {
            assert_eq!(heads(no), None, "{no}");
        }
    }
}
