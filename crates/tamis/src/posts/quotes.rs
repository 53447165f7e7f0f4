//! Whose words a post quotes, and so whom it answers.

use tamis_html::NodeRef;

use super::parts::folded;
use super::words::{number, quoted};
use super::{Post, times};
use crate::page::Page;

/// Whose words are quoted, and so whom the post answers.
pub(super) fn read(page: &Page<'_>, post: &mut Post) {
    let line = |place: usize| page.blocks().get(place).map_or("", |block| page.text(block));
    for quote in &mut post.quotes {
        let Some(first) = quote.blocks.first().copied() else { continue };
        let before = post.body[..post.body.partition_point(|place| *place < first)].last().copied();
        let named = || quoted(line(first)).or_else(|| before.and_then(|place| quoted(line(place))));
        let named = || named().or_else(|| heads(line(first)).filter(|_| quote.blocks.len() > 1));
        quote.author = quote.author.take().or_else(|| named().map(str::to_owned));
    }
    post.reply_to = post.quotes.iter().find_map(|quote| quote.author.clone());
    if post.reply_to.is_none()
        && let Some(first) = post.body.first()
    {
        post.reply_to = answered(line(*first)).map(str::to_owned);
    }
}

/// Whose words a quote holds, where its element says so, as Discourse, XenForo and Invision have it.
pub(super) fn told(quote: NodeRef<'_>) -> Option<String> {
    const TOLD: [&str; 4] = ["data-username", "data-quote", "data-author", "data-ipsquote-username"];
    let name = TOLD.iter().find_map(|told| quote.attribute(told))?;
    let name = folded(&name);
    (!name.is_empty() && name.chars().count() <= 40).then_some(name)
}

/// The name that a first line is with a colon: `Ann:`.
fn heads(line: &str) -> Option<&str> {
    const WORDS: [&str; 14] = [
        "quote",
        "quotes",
        "code",
        "spoiler",
        "note",
        "edit",
        "zitat",
        "citation",
        "cita",
        "citazione",
        "citaat",
        "цитата",
        "引用",
        "引言",
    ];
    let name = line.trim().strip_suffix([':', '：'])?.trim();
    let is_name = (1..=3).contains(&name.split_whitespace().count())
        && name.chars().count() <= 30
        && name.starts_with(char::is_alphanumeric)
        && name.chars().any(char::is_alphabetic)
        && number(name).is_none()
        && !times::tells(name)
        && !WORDS.contains(&name.to_lowercase().as_str());
    is_name.then_some(name)
}

/// `@Ann …`, `回复 Ann 的帖子`.
fn answered(line: &str) -> Option<&str> {
    let rest = ["回复 ", "回覆 ", "@"].into_iter().find_map(|lead| line.strip_prefix(lead))?;
    let name = rest.split([' ', ',', '，', ':', '：']).find(|word| number(word).is_none())?;
    (!name.is_empty() && name.chars().count() <= 30).then_some(name)
}
