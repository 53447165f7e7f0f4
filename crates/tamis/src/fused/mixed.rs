//! Blocks that mix text and noise: a date set in front of the first sentence, a link to more behind the last one, a line of
//! links among paragraphs, a signature below a line of dashes.
//!
//! Blocks end at `br` and at every block element; what is looked at here stands in one run of words with the text, or in one
//! element with it. A piece is left out only if it stands at the edge of a block that is kept, in an inline element of its
//! own, and is short: in front of the page's first sentence where it tells a time, behind a sentence where it is a link whose
//! words speak for noise, as learned from labelled pages. Between two sentences a link is left out that says of itself that it
//! leads on ("Related: ..."). A whole block is left out where it is a label and links, and the label
//! speaks for noise ("Read also: ..."); and so are the few last lines of an element below a line of dashes. What stands within a
//! sentence is never touched, nor is code.

use std::ops::Range;

use tamis_html::{Name, NodeId, NodeRef};

use super::features::Words;
use super::odds::{Said, text_words};
use crate::block::{Block, Run};
use crate::characters::{Class, class, count};
use crate::facts::dates::{Hints, find};
use crate::page::Page;
use crate::signature::{self, is_line_of_dashes};

/// Words that the rest of the block must have, or it is no text with something at its edge.
pub(super) const TEXT: u32 = 12;
/// Words that a piece at the edge has at most.
const PIECE: u32 = 8;
/// How strongly the words of a link or label must speak for noise, in logarithms of odds.
const NOISE: f32 = -1.0;
/// Words of the label before links that lead on.
const LABEL: u32 = 4;
/// What sentences end with.
const ENDS: [char; 15] = ['.', '!', '?', '。', '！', '？', '…', '؟', '۔', '।', '”', '"', '」', ')', '）'];

/// The texts at the edges of kept blocks that are none of the page's text, in page order.
///
/// ```
/// use tamis::{Page, fused::{Model, mixed}};
///
/// let page = Page::parse(
///     "<p><span>2026-03-01 10:20</span> The ferry runs again, says the company: twice a day, if the ice allows, \
///      and three times in May. <a href=/more>Read more</a></p>",
/// );
/// let apart = mixed::apart(&page, [0], &Model::shipped().words);
/// let texts: Vec<_> = apart.iter().map(|node| page.node(*node).text()).collect();
/// assert_eq!(texts, ["2026-03-01 10:20", "Read more"]);
/// ```
pub fn apart(page: &Page<'_>, kept: impl IntoIterator<Item = usize>, words: &Words) -> Vec<NodeId> {
    let mut apart = Vec::new();
    let mut is_first = true;
    let mut signature = 0..0;
    for (place, block) in kept.into_iter().filter_map(|place| Some((place, page.blocks().get(place)?))) {
        let runs = page.runs(block);
        if is_code(page.element(block)) {
            continue;
        }
        if is_line_of_dashes(page.text(block)) && !signature::is_in_quote(page.element(block)) {
            signature = signed(page, place);
        }
        if signature.contains(&place) || leads_on(page, block, words) {
            apart.extend(runs.iter().map(|run| run.node));
            continue;
        }
        if block.measures.text.words < TEXT {
            continue;
        }
        if is_first {
            is_first = false;
            apart.extend(front(page, block, runs));
        }
        apart.extend(within(page, runs));
        apart.extend(back(page, block, runs, words));
    }
    apart.dedup();
    apart
}

/// Links between two sentences of a block that say of themselves that they lead on: "Related: ...".
fn within<'p>(page: &'p Page<'_>, runs: &'p [Run]) -> impl Iterator<Item = NodeId> + 'p {
    let pairs = runs.windows(2).filter(|pair| pair[1].in_link && !pair[0].in_link);
    pairs.filter_map(|pair| {
        let (before, text) = (page.node(pair[0].node).text(), page.node(pair[1].node).text());
        let (label, rest) = text.split_once([':', '：'])?;
        let leads = count(label).words <= LABEL && !rest.trim().is_empty() && says_more(label);
        (leads && before.trim_end().ends_with(ENDS)).then_some(pair[1].node)
    })
}

/// The runs before the first sentence of a page that tell when it was written.
fn front(page: &Page<'_>, block: &Block, runs: &[Run]) -> Vec<NodeId> {
    let (mut words, mut tells) = (0, false);
    for (at, run) in runs.iter().enumerate() {
        let node = page.node(run.node);
        let text = node.text();
        // What follows begins anew: not with a comma, nor with a bracket that closes.
        let begins = |first| is_letter(first) || "“\"「『‘(（【[—–-".contains(first);
        if tells && words > 0 && text.trim_start().starts_with(begins) && !is_set_apart(node, block.element) {
            return runs[..at].iter().map(|run| run.node).collect();
        }
        words += count(&text).words;
        if words > PIECE || words + TEXT > block.measures.text.words || !is_set_apart(node, block.element) {
            break;
        }
        tells |= !find(&text, &Hints::default()).is_empty();
    }
    Vec::new()
}

/// The link behind the last sentence of a block that leads on.
fn back(page: &Page<'_>, block: &Block, runs: &[Run], words: &Words) -> Option<NodeId> {
    let [.., before, last] = runs else { return None };
    let text = page.node(last.node).text();
    let count = count(&text).words;
    let before = page.node(before.node).text();
    let is_apart = last.in_link
        && (1..=PIECE).contains(&count)
        && count + TEXT <= block.measures.text.words
        && before.trim_end().ends_with(ENDS)
        // An address that is shown is told for its own sake.
        && !text.contains("://")
        && odds(&text, words) <= NOISE;
    is_apart.then_some(last.node)
}

/// Is a block a label, and behind it nothing but links?
fn leads_on(page: &Page<'_>, block: &Block, words: &Words) -> bool {
    let measures = &block.measures;
    let outside = measures.text.words.saturating_sub(measures.link_text.words);
    if measures.links == 0 || outside == 0 || outside > LABEL || measures.link_text.words < 2 {
        return false;
    }
    let first = page.runs(block).iter().take_while(|run| !run.in_link);
    let label: String = first.map(|run| page.node(run.node).text()).collect();
    count(&label).words == outside
        && label.trim_end().ends_with([':', '：'])
        && (odds(&label, words) <= NOISE || says_more(&label))
}

fn says_more(label: &str) -> bool {
    let label = label.to_lowercase();
    MORE.iter().any(|lead| label.trim_start().starts_with(lead))
}

/// What stands before links to other texts of a site, in the languages of many sites.
const MORE: [&str; 32] = [
    "also read",
    "read also",
    "read next",
    "related",
    "auch interessant",
    "lesen sie auch",
    "mehr dazu",
    "à lire aussi",
    "lire aussi",
    "lea también",
    "lee también",
    "te puede interesar",
    "leia também",
    "veja também",
    "leggi anche",
    "lees ook",
    "läs också",
    "les også",
    "czytaj także",
    "czytaj też",
    "читайте также",
    "читайте також",
    "baca juga",
    "xem thêm",
    "اقرأ أيضا",
    "関連記事",
    "相关阅读",
    "相关新闻",
    "延伸阅读",
    "推荐阅读",
    "相關新聞",
    "延伸閱讀",
];

/// The line of dashes at this place and what stands below it, if these are the few last lines of an element with a text.
fn signed(page: &Page<'_>, place: usize) -> Range<usize> {
    let blocks = page.blocks();
    let element = blocks[place].element;
    let is_in = |block: &&Block| block.element == element;
    let lines = signature::lines(blocks[place + 1..].iter().take_while(is_in));
    let has_text =
        || blocks[..place].iter().rev().take_while(is_in).any(|block| block.measures.text.words >= TEXT);
    lines.filter(|_| has_text()).map_or(0..0, |lines| place..place + 1 + lines)
}

/// Is it a listing of a program, or does it stand in one?
pub(super) fn is_code(element: NodeRef<'_>) -> bool {
    let is = |node: NodeRef<'_>| matches!(node.name_id(), Some(Name::PRE | Name::CODE | Name::TEXTAREA));
    std::iter::once(element).chain(element.ancestors().take(4)).any(is)
}

/// Does a text stand in an inline element inside of the block's own?
fn is_set_apart(text: NodeRef<'_>, block: NodeId) -> bool {
    text.parent().is_some_and(|parent| parent.id() != block)
}

fn is_letter(character: char) -> bool {
    matches!(class(character), Class::PartOfWord | Class::WholeWord)
}

/// What the words of a piece say of it.
fn odds(text: &str, words: &Words) -> f32 {
    let mut said = Said::default();
    text_words(text, PIECE as usize, |word| said.hear(words.texts.of(word)));
    said.sum
}

#[cfg(test)]
mod tests {
    use super::super::Model;
    use super::*;

    fn left_out(html: &str) -> Vec<String> {
        let page = Page::parse(html);
        let apart = apart(&page, 0..page.blocks().len(), &Model::shipped().words);
        apart.iter().map(|node| page.node(*node).text().into_owned()).collect()
    }

    const TEXT: &str =
        "The ferry runs again, says the company: twice a day, if the ice allows, and three times in May.";

    #[test]
    fn a_time_before_the_first_sentence_is_left_out() {
        assert_eq!(left_out(&format!("<p><time>1 March 2026</time> {TEXT}</p>")), ["1 March 2026"]);
        assert_eq!(left_out(&format!("<p><b>2026-03-01 10:20</b>{TEXT}</p>")), ["2026-03-01 10:20"]);
    }

    #[test]
    fn a_time_within_a_sentence_stays() {
        assert!(left_out(&format!("<p><time>1 March 2026</time>, a Sunday: {TEXT}</p>")).is_empty());
        assert!(left_out(&format!("<p>On <time>1 March 2026</time> it was said: {TEXT}</p>")).is_empty());
    }

    #[test]
    fn a_link_to_more_behind_the_last_sentence_is_left_out() {
        assert_eq!(left_out(&format!("<p>{TEXT} <a href=/x>Read more</a></p>")), ["Read more"]);
    }

    #[test]
    fn a_link_that_calls_itself_related_is_left_out_between_sentences() {
        let link = "<a href=/x>Related: Why the bridge closed</a>";
        assert_eq!(left_out(&format!("<p>{TEXT} {link} {TEXT}</p>")), ["Related: Why the bridge closed"]);
        assert!(left_out(&format!("<p>{TEXT} It is in {link} {TEXT}</p>")).is_empty());
    }

    #[test]
    fn links_that_belong_to_a_sentence_stay() {
        assert!(left_out(&format!("<p>{TEXT} It sails to <a href=/x>Read more</a></p>")).is_empty());
        assert!(left_out(&format!("<p><a href=/x>The company</a> says: {TEXT}</p>")).is_empty());
        assert!(left_out(&format!("<p>{TEXT} <em>Nobody had hoped for that.</em></p>")).is_empty());
    }

    #[test]
    fn a_label_with_links_among_paragraphs_is_left_out() {
        let line = "<p>Read also: <a href=/1>Dam at a third</a> | <a href=/2>Barley prices rise</a></p>";
        assert_eq!(
            left_out(&format!("<p>{TEXT}</p>{line}<p>{TEXT}</p>")).first().map(String::as_str),
            Some("Read also: ")
        );
        assert!(left_out(&format!("<p>{TEXT}</p><p>They are: <a href=/1>Ada and Ben</a></p>")).is_empty());
    }

    #[test]
    fn a_signature_below_dashes_is_left_out() {
        let signed =
            format!("<p>{TEXT}<br>--<br>Ada Moss writes about the harbour.<br>Mail her</p><p>{TEXT}</p>");
        assert_eq!(left_out(&signed), ["--", "Ada Moss writes about the harbour.", "Mail her"]);
        let parted = format!("<p>{TEXT}<br>--<br>{TEXT} {TEXT}</p>");
        assert!(left_out(&parted).is_empty());
        assert!(left_out(&format!("<blockquote>{TEXT}<br>--<br>Ada Moss</blockquote>")).is_empty());
        assert!(left_out(&format!("<p>{TEXT}<br>--</p><p>Nothing stands below.</p>")).is_empty());
    }

    #[test]
    fn a_block_of_links_alone_is_no_text_with_something_at_its_edge() {
        assert!(left_out("<p><a href=/a>Share</a> <a href=/b>Tweet</a> <a href=/c>Print</a></p>").is_empty());
    }
}
