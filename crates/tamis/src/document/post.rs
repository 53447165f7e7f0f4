//! The posts of a thread, as a document keeps them: without the page they were found on.

use std::collections::HashSet;

use tamis_html::Span;

use crate::facts::dates::{Hints, Moment, read};
use crate::judgement::Judgement;
use crate::page::Page;
use crate::paths::Paths;
use crate::posts;

/// What one person said in a thread.
///
/// ```
/// use tamis::document::Post;
///
/// let html = "<div><a href=/u/1>Ada</a> 2026-03-01 10:00 <p>Does anybody know when the ferry runs on Sundays?</p></div>\
///     <div><a href=/u/2>Ben</a> 2026-03-01 11:30 <p>From May on, says the board at the pier.</p></div>\
///     <div><a href=/u/1>Ada</a> 2026-03-01 12:00 <p>Thank you, that is good to know.</p></div>";
/// let document = tamis::extract(html);
/// let post: &Post = &document.posts[1];
/// assert_eq!((post.author.as_deref(), post.time.as_deref()), (Some("Ben"), Some("2026-03-01T11:30")));
/// assert_eq!((post.text.as_str(), post.path.as_str()), ("From May on, says the board at the pier.", "/html/body/div[2]"));
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Post {
    /// Who wrote it.
    pub author: Option<String>,
    /// When, as ISO 8601, where that could be read.
    pub time: Option<String>,
    /// When, as the page has it.
    pub time_text: Option<String>,
    /// Its number in the thread, where the page gives it one.
    pub number: Option<u32>,
    /// Whom it answers.
    pub reply_to: Option<String>,
    /// What it says, a block a line, with what it quotes.
    pub text: String,
    /// What it says itself, without what it quotes; none where it quotes nothing.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub own_text: Option<String>,
    /// What it quotes.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub quotes: Vec<Quoted>,
    /// The places of the blocks of its text in [`Page::blocks`](crate::Page::blocks).
    pub blocks: Vec<u32>,
    /// The XPath of its element, as [`Piece::path`](super::Piece::path).
    pub path: String,
    /// Where its element stands in the source of the page.
    #[cfg_attr(feature = "serde", serde(with = "super::span_as_pair"))]
    pub span: Span,
}

/// The words of somebody else in a post.
///
/// ```
/// let quoted = tamis::document::Quoted { author: Some("Ada".into()), text: "When does it run?".into() };
/// assert_eq!(quoted.author.as_deref(), Some("Ada"));
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Quoted {
    /// Whose words they are.
    pub author: Option<String>,
    /// The words, a block a line, without the label that says whose they are.
    pub text: String,
}

/// From this probability on a block of a post stays in it, though it is not among the main text.
const IN_DOUBT: f32 = 0.3;

/// The blocks of a post that are what it says. Which ones these are, posts tell by how they are built, and the main text by all that is known
/// of a block. Where both agree on a part of a post, what the main text is sure to leave out was a rank, a place or a signature. A quote stays:
/// lines that say whose it is look like labels.
fn said(post: &posts::Post, judgement: &Judgement) -> Vec<usize> {
    let is_sure = judgement.whole.is_some() && post.body.iter().any(|place| judgement.keeps(*place));
    if !is_sure {
        return post.body.clone();
    }
    let quoted: HashSet<usize> = post.quotes.iter().flat_map(|quote| quote.blocks.iter().copied()).collect();
    let stays = |place: &usize| {
        judgement.keeps(*place)
            || quoted.contains(place)
            || judgement.verdicts.get(*place).is_some_and(|verdict| verdict.score >= IN_DOUBT)
    };
    post.body.iter().copied().filter(stays).collect()
}

/// The blocks of what a post says itself, where it quotes something.
fn own(post: &posts::Post, said: &[usize]) -> Option<Vec<usize>> {
    let quoted: HashSet<usize> = post.quotes.iter().flat_map(|quote| quote.blocks.iter().copied()).collect();
    let own = || said.iter().copied().filter(|place| !quoted.contains(place)).collect();
    (!quoted.is_empty()).then(own)
}

/// When something was written, by what was read of it and by its words: "3 hours ago" counts from when the page was fetched, behind
/// which nothing was written.
pub(crate) fn written(
    time: Option<String>,
    words: Option<&str>,
    fetched: Option<Moment>,
    language: Option<&str>,
) -> Option<String> {
    let is_ahead = |time: &str| {
        let moment = read(time, &Hints { fetched, ..Hints::default() });
        moment.zip(fetched).is_some_and(|(moment, fetched)| moment.is_after(&fetched))
    };
    time.or_else(|| posts::time_told(words?, fetched?, language)).filter(|time| !is_ahead(time))
}

/// The posts of a page of which this is the main text.
pub(crate) fn of(
    page: &Page<'_>,
    judgement: &Judgement,
    fetched: Option<Moment>,
    language: Option<&str>,
    month_first: Option<bool>,
) -> Vec<Post> {
    let text = |places: &[usize], post: &posts::Post| {
        let labels: Vec<(usize, usize)> =
            post.quotes.iter().filter_map(|quote| posts::end_of_label(page, quote)).collect();
        let mut lines = Vec::new();
        for place in places {
            let Some(line) = page.blocks().get(*place).map(|block| page.text(block)) else { continue };
            // What says whose words follow is a line of its own.
            let label = labels.iter().find(|(at, _)| at == place);
            match label.and_then(|(_, end)| line.split_at_checked(*end)) {
                Some((label, words)) => lines.extend([label, words.trim_start()]),
                None => lines.push(line),
            }
        }
        lines.join("\n")
    };
    let clean = |name: String| crate::facts::clean::text(&name).into_owned();
    let mut paths = Paths::default();
    let mut found = posts::without_head(page, page.posts()).to_vec();
    if let Some(month_first) = month_first {
        posts::settle_order(&mut found, month_first, fetched);
    }
    found
        .into_iter()
        .map(|post| (said(&post, judgement), post))
        .map(|(said, post)| Post {
            text: text(&said, &post),
            own_text: own(&post, &said).map(|own| text(&own, &post)),
            quotes: post
                .quotes
                .into_iter()
                .map(|quote| Quoted {
                    text: posts::quoted_words(page, &quote),
                    author: quote.author.map(clean),
                })
                .collect(),
            blocks: said.iter().map(|place| *place as u32).collect(),
            path: paths.of(page.node(post.element)),
            span: page.node(post.element).span().unwrap_or(Span { start: 0, end: 0 }),
            author: post.author.map(clean).filter(|name| !name.is_empty()),
            time: written(post.time, post.time_text.as_deref(), fetched, language),
            time_text: post.time_text,
            number: post.number,
            reply_to: post.reply_to.map(clean),
        })
        .collect()
}
