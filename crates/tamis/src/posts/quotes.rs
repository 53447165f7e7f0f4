//! Whose words a post quotes, and so whom it answers.

use tamis_html::{Name, NodeId, NodeRef, Step};

use super::classes::Class;
use super::outline::Outline;
use super::runs::Unit;
use super::words::{number, quoted, quoted_by_lead};
use super::{Post, Quote, times};
use crate::characters::folded;
use crate::hashing::{NumberMap, NumberSet};

/// The share of the posts, and of their words, that the box of what they say has.
const MOST: f32 = 0.6;
/// The share of their words where nothing but its element's name speaks of the box.
const NEARLY_ALL: f32 = 0.85;

/// The shape of what is called a quote and holds what the posts say themselves: some forums put that into a `blockquote`.
pub(super) fn body(outline: &Outline<'_>, units: &[Unit]) -> Option<u64> {
    // For each shape the posts that have it, once, and the words in it.
    let mut shapes: NumberMap<u64, (usize, u32, bool)> = NumberMap::default();
    let mut words = 0;
    let starts: NumberSet<NodeId> = units.iter().map(|unit| unit.element).collect();
    for unit in units {
        words += outline.words_in(unit.blocks.clone());
        let mut own: Vec<(u64, u32, bool)> = Vec::new();
        let top = outline.page.node(unit.element);
        let mut steps = top.walk();
        while let Some(step) = steps.next() {
            let Step::Enter(node) = step else { continue };
            // A post that stands in another is looked at by itself.
            if node != top && starts.contains(&node.id()) {
                steps.skip_below();
            } else if node.is_element() && outline.is_quote(node) {
                let class = outline.class(node);
                let is_named = class.has(Class::ANY) && !class.has(Class::QUOTE);
                let own_words = outline.words_in(outline.blocks_of(node.id()));
                own.push((outline.shape[node.id().index()], own_words, is_named));
                steps.skip_below();
            }
        }
        own.sort_unstable();
        for same in own.chunk_by(|one, other| one.0 == other.0).filter(|same| same.len() == 1) {
            let (shape, own_words, is_named) = same[0];
            let all = shapes.entry(shape).or_insert((0, 0, is_named));
            all.0 += 1;
            all.1 += own_words;
        }
    }
    let is_body = |(posts, own, is_named): (usize, u32, bool)| {
        let share = own as f32 / words.max(1) as f32;
        posts as f32 >= MOST * units.len() as f32 && share >= if is_named { MOST } else { NEARLY_ALL }
    };
    shapes.into_iter().filter(|(_, all)| is_body(*all)).map(|(shape, _)| shape).max()
}

/// Whose words are quoted, and so whom the post answers.
pub(super) fn read(outline: &Outline<'_>, post: &mut Post) {
    let page = outline.page;
    let line = |place: usize| page.blocks().get(place).map_or("", |block| page.text(block));
    if post.quotes.is_empty() {
        post.quotes = under_lines(outline, post);
    }
    for quote in &mut post.quotes {
        let Some(first) = quote.blocks.first().copied() else { continue };
        let at = post.body.partition_point(|place| *place < first);
        let before = at.checked_sub(1).map(|at| post.body[at]);
        let named = || quoted(line(first)).or_else(|| before.and_then(|place| quoted(line(place))));
        let named = || named().or_else(|| heads(line(first)).filter(|_| quote.blocks.len() > 1));
        quote.author = quote.author.take().or_else(|| named().map(str::to_owned));
        // What says whose words follow belongs to them: "Ann wrote:", "Quote:".
        let is_heading = |place: &&usize| {
            let words = line(**place);
            let names = || quoted(words).is_some_and(|name| quote.author.as_deref() == Some(name));
            words.chars().take(HEADING + 1).count() <= HEADING && (is_call(words) || names())
        };
        let headings = post.body[..at].iter().rev().take(2).take_while(is_heading).count();
        quote.blocks.splice(0..0, post.body[at - headings..at].iter().copied());
    }
    post.reply_to = post.quotes.iter().find_map(|quote| quote.author.clone());
    if post.reply_to.is_none()
        && let Some(first) = post.body.first()
    {
        post.reply_to = answered(line(*first)).map(str::to_owned);
    }
}

/// The line above a quote has no more characters.
const HEADING: usize = 120;
/// How far up from such a line its box is looked for.
const UP: usize = 4;

/// Quotes that only a line calls so: "Originally posted by Ann", in one box with what she wrote.
fn under_lines(outline: &Outline<'_>, post: &Post) -> Vec<Quote> {
    let page = outline.page;
    let mut quotes: Vec<Quote> = Vec::new();
    for place in &post.body {
        let Some(block) = page.blocks().get(*place) else { continue };
        let is_inside = quotes.last().and_then(|quote| quote.blocks.last()).is_some_and(|last| last >= place);
        if is_inside || block.measures.text.words > 10 || quoted_by_lead(page.text(block)).is_none() {
            continue;
        }
        let mut node = Some(page.element(block));
        for _ in 0..UP {
            let Some(around) = node else { break };
            let own = outline.blocks_of(around.id());
            let from = post.body.partition_point(|place| *place < own.start);
            let to = post.body.partition_point(|place| *place < own.end);
            let blocks = post.body.get(from..to).unwrap_or_default();
            if blocks.len() > 1 {
                // All that is said is no quote.
                let words = |blocks: &[usize]| match blocks {
                    [first, .., last] => outline.words_in(*first..last + 1),
                    _ => 0,
                };
                let is_part = 10 * words(blocks) <= 9 * words(&post.body);
                if is_part && blocks.len() < post.body.len() && blocks.first() == Some(place) {
                    quotes.push(Quote { author: None, blocks: blocks.to_vec() });
                }
                break;
            }
            node = around.parent();
        }
    }
    quotes
}

/// Whose words a quote holds, where its element says so, as Discourse, XenForo and Invision have it.
pub(super) fn told(quote: NodeRef<'_>) -> Option<String> {
    const TOLD: [&str; 4] = ["data-username", "data-quote", "data-author", "data-ipsquote-username"];
    let told = TOLD.iter().find_map(|told| quote.attribute(told)).map(|name| folded(&name));
    let is_name = |name: &String| !name.is_empty() && name.chars().count() <= 40;
    told.filter(is_name).or_else(|| {
        // In front of the words, in an element of its own.
        let cites = quote
            .descendants()
            .take(NEAR)
            .filter(|node| node.is(Name::CITE) || node.is(Name::B) || is_mention(*node));
        let named = |cite: NodeRef<'_>| {
            let words = folded(&cite.text_content());
            if is_mention(cite) { Some(words).filter(is_name) } else { quoted(&words).map(str::to_owned) }
        };
        cites.filter_map(named).next()
    })
}

/// Is it a link to the post of somebody, with the name as its words? Flarum has these.
pub(super) fn is_mention(node: NodeRef<'_>) -> bool {
    node.is(Name::A)
        && node.attribute_named(Name::CLASS).is_some_and(|class| {
            class.split_ascii_whitespace().any(|it| it == "PostMention" || it == "UserMention")
        })
}

/// How many nodes of a quote are looked at for whose it is.
const NEAR: usize = 12;

/// Is a line nothing but a word for quotes?
pub(super) fn is_call(line: &str) -> bool {
    let word = line.trim().trim_end_matches([':', '：']).trim();
    word.chars().count() <= 12 && CALLS.contains(&word.to_lowercase().as_str())
}

/// Words above quotes and other boxes.
const CALLS: [&str; 15] = [
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
    "نەقىل",
];

/// The name that a first line is with a colon: `Ann:`.
fn heads(line: &str) -> Option<&str> {
    let name = line.trim().strip_suffix([':', '：'])?.trim();
    let is_name = (1..=3).contains(&name.split_whitespace().count())
        && name.chars().count() <= 30
        && name.starts_with(char::is_alphanumeric)
        && name.chars().any(char::is_alphabetic)
        && number(name).is_none()
        && !times::tells(name)
        && !CALLS.contains(&name.to_lowercase().as_str());
    is_name.then_some(name)
}

/// `@Ann …`, `回复 Ann 的帖子`, `回复 3# Ann`, `回复 @Ann …`, `In reply to Ann:`.
fn answered(line: &str) -> Option<&str> {
    let is_name = |name: &&str| !name.is_empty() && name.chars().count() <= 30;
    if line.starts_with('@') {
        return mentioned(line).filter(is_name);
    }
    const REPLY: &str = "in reply to";
    if line.get(..REPLY.len()).is_some_and(|lead| lead.eq_ignore_ascii_case(REPLY)) {
        // Without the colon it may be a sentence: "In reply to all of you".
        let (name, _) = line.get(REPLY.len()..)?.split_once([':', '：'])?;
        let name = name.trim().trim_start_matches('@');
        return Some(name).filter(is_name).filter(|name| name.split_whitespace().count() <= 3);
    }
    let rest = ["回复", "回覆"].into_iter().find_map(|lead| line.strip_prefix(lead))?.trim_start();
    if rest.starts_with('@') {
        return mentioned(rest).filter(is_name);
    }
    let marks = ["的帖子", ":", "："].iter().filter_map(|end| rest.find(end)).min();
    let mut words = rest.get(..marks.unwrap_or(rest.len()))?.split_whitespace();
    let first = words.next()?;
    let name = match (number(first), marks) {
        // What stands behind the number of a post is whose it is, with or without a mark at its end.
        (Some(_), _) => words.next()?,
        (None, Some(_)) => first,
        (None, None) => return None,
    };
    Some(name.trim_start_matches('@')).filter(is_name)
}

/// The name behind the sign that a line begins with.
fn mentioned(line: &str) -> Option<&str> {
    line.strip_prefix('@')?.split([' ', ',', '，', ':', '：', '。', '.', '!', '！', '?', '？']).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_with_a_number_or_a_sign_answered_nobody() {
        for (line, wanted) in [
            ("回复 2# 阿花", Some("阿花")),
            ("回复 2# 阿花 星期天也开", Some("阿花")),
            ("回复 @Ada", Some("Ada")),
            ("回复 @Ada: 好", Some("Ada")),
            ("回复 3# Ada：好", Some("Ada")),
            ("回复 Ada 的帖子", Some("Ada")),
            ("@Ada, on Sundays", Some("Ada")),
            ("In reply to Ada:", Some("Ada")),
            ("In reply to all of you", None),
            ("In reply to what was said here about the ferry: no", None),
            ("回复太慢了", None),
            ("回复", None),
        ] {
            assert_eq!(answered(line), wanted, "{line}");
        }
    }
}
