//! Blocks that mix text and noise: a date set in front of the first sentence, a link to more behind the last one, a bar of
//! buttons, a line of links among paragraphs, a signature.
//!
//! Blocks end at `br` and at every block element; what is looked at here stands in one run of words with the text, or in one
//! element with it. A piece is left out only at an edge of a block that is kept, or between two sentences of it, and only where
//! its words say what it is, by lists of many languages or as learned from labelled pages:
//!
//! - in front of the page's first sentence, what tells when and by whom it was written (`dateline.rs`);
//! - behind a sentence, a link whose words speak for noise, or a label and links ("Related: ..."), and rows of headlines
//!   (`leads.rs`);
//! - in front of a text and behind it, bars of buttons (`share.rs`);
//! - at the end of an element, lines that sign the text (`signed.rs`), or what stands below a line of dashes (`dashes.rs`).
//!
//! A whole block is left out where it is nothing but such a label and links, or a bar. What stands within a sentence is never
//! touched, nor is code.

mod dashes;
mod leads;
mod row;
mod share;
mod signed;
mod stands;
pub(super) mod words;

use std::ops::Range;

use tamis_html::{Name, NodeId};

pub(super) use self::row::Row;
pub(super) use self::stands::is_code;
use self::stands::{is_data, is_of_several};
use super::dateline;
use super::features::Words;
use super::odds::{Said, text_words};
use crate::block::{Block, Run};
use crate::characters::{Class, class, count};
use crate::page::Page;

/// Words that the rest of the block must have, or it is no text with something at its edge.
pub(super) const TEXT: u32 = 12;
/// Words that a piece at the edge has at most.
pub(super) const PIECE: u32 = 8;
/// How strongly the words of a link or label must speak for noise, in logarithms of odds.
const NOISE: f32 = -1.0;
/// A link of so many words that ends like a sentence is one.
const SENTENCE: u32 = 4;
/// So far above its words the mark stands that raises them.
const NEAR: usize = 3;
/// Words of the label before links that lead on; in some scripts a word is a character.
const OUTSIDE: u32 = 10;
/// What sentences end with.
const ENDS: [char; 15] = ['.', '!', '?', '。', '！', '？', '…', '؟', '۔', '।', '”', '"', '」', ')', '）'];

/// What stands in kept blocks and is none of the page's text.
///
/// ```
/// assert!(tamis::fused::mixed::Apart::default().whole.is_empty());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Apart {
    /// Whole texts, in the order of their nodes.
    pub whole: Vec<NodeId>,
    /// Bytes of texts that have words of the page's text as well, in the same order.
    pub parts: Vec<(NodeId, Range<usize>)>,
}

/// What is to be left out of the blocks that are kept.
///
/// ```
/// use tamis::{Page, fused::{Model, mixed}};
///
/// let page = Page::parse(
///     "<p><span>2026-03-01 10:20</span> The ferry runs again, says the company: twice a day, if the ice allows, \
///      and three times in May. Related: <a href=/more>Why the bridge closed</a></p>",
/// );
/// let apart = mixed::apart(&page, [0], &Model::shipped().words);
/// let texts: Vec<_> = apart.whole.iter().map(|node| page.node(*node).text()).collect();
/// assert_eq!(texts, ["2026-03-01 10:20", "Why the bridge closed"]);
/// let (node, bytes) = &apart.parts[0];
/// assert_eq!(page.node(*node).text()[bytes.clone()], *"Related: ");
/// ```
pub fn apart(page: &Page<'_>, kept: impl IntoIterator<Item = usize>, words: &Words) -> Apart {
    let mut apart = Apart::default();
    let mut is_first = true;
    let mut signature = 0..0;
    let kept: Vec<(usize, &Block)> =
        kept.into_iter().filter_map(|place| Some((place, page.blocks().get(place)?))).collect();
    let last_text =
        kept.iter().rev().find(|(_, block)| block.measures.text.words >= TEXT).map_or(0, |(place, _)| *place);
    for (place, block) in kept {
        let is_below = place >= last_text;
        let runs = page.runs(block);
        if is_code(page.element(block)) {
            continue;
        }
        if !signature.contains(&place) {
            signature = dashes::below(page, place);
        }
        if signature.contains(&place) || is_noise(page, block, runs, is_below) {
            apart.whole.extend(runs.iter().map(|run| run.node));
            continue;
        }
        for line in signed::lines(page, place) {
            apart.whole.extend(page.runs(&page.blocks()[line]).iter().map(|run| run.node));
        }
        if block.measures.text.words < TEXT {
            continue;
        }
        if is_first {
            is_first = false;
            dateline::leave_out(page, place, &mut apart);
        }
        apart.whole.extend(within(page, runs));
        apart.whole.extend(back(page, block, runs, words));
        pieces(page, block, runs, is_below, &mut apart);
    }
    apart.whole.sort_unstable();
    apart.whole.dedup();
    apart.parts.sort_unstable_by_key(|(node, bytes)| (*node, bytes.start));
    apart
}

/// Leaves labels with links and bars of buttons out of a block that has a text as well.
fn pieces(page: &Page<'_>, block: &Block, runs: &[Run], is_below: bool, apart: &mut Apart) {
    if let Some(piece) = signed::tail(page, block, runs, is_below) {
        apart.parts.push(piece);
    }
    let [first, .., last] = runs else { return };
    if is_of_several(page.element(block)) {
        return;
    }
    let is_label = |pair: &[Run]| {
        pair[1].in_link && !pair[0].in_link && leads::may_lead(&page.node(pair[0].node).text())
    };
    let labelled = runs.windows(2).any(is_label);
    let ends_with_links = last.in_link && runs[runs.len() - 2].in_link;
    if !labelled && !ends_with_links && !share::may_be(first) && !share::may_be(last) {
        return;
    }
    let row = Row::of(page, runs);
    let mut left = block.measures.text.words;
    let mut leave_out = |piece: Range<usize>| {
        let words = count(&row.text[piece.clone()]).words;
        if words + TEXT <= left {
            left -= words;
            row.leave_out(piece, apart);
        }
    };
    if share::may_be(first)
        && let Some(bar) = share::front(&row, runs.len())
    {
        leave_out(bar);
    }
    let mut behind = 0;
    for at in (1..runs.len()).filter(|at| labelled && is_label(&runs[at - 1..=*at])) {
        if let Some(piece) = leads::labelled(&row, runs, at).filter(|piece| piece.start >= behind) {
            behind = piece.end;
            leave_out(piece);
        }
    }
    let bar = if share::may_be(last) { share::back(&row, runs.len()) } else { None };
    let at_end = bar.or_else(|| leads::headlines(page, &row, runs).filter(|_| ends_with_links));
    if let Some(piece) = at_end.filter(|piece| piece.start >= behind) {
        leave_out(piece);
    }
}

/// Is a block nothing but links that lead on, with their label, or a bar of buttons?
fn is_noise(page: &Page<'_>, block: &Block, runs: &[Run], is_below: bool) -> bool {
    if is_data(page.element(block)) {
        return false;
    }
    leads_on(page, block)
        || (leads::may_name_neighbours(page.text(block))
            && leads::names_neighbours(&Row::of(page, runs), runs))
        || (runs.len() > 1
            && runs.iter().all(share::may_be)
            && share::is_bar(&Row::of(page, runs), runs.len()))
        || signed::is_credit(page.text(block), is_below)
}

/// The words behind the last sentence of a text, and where they begin; all of a text that is short. `None` where a long sentence has
/// not ended.
fn label_at_end(text: &str) -> Option<(usize, &str)> {
    const LOOKED_AT: usize = 90;
    let text = text.trim_end();
    let from = text.ceil_char_boundary(text.len().saturating_sub(LOOKED_AT));
    let is_end = |it: char| ENDS.contains(&it) || matches!(it, '(' | '（' | '[' | '【');
    let start = match text[from..].char_indices().rfind(|(_, it)| is_end(*it)) {
        Some((at, end)) => from + at + end.len_utf8(),
        None if from == 0 => 0,
        None => return None,
    };
    let label = text[start..].trim_start();
    Some((text.len() - label.len(), label))
}

/// Does a text begin as sentences do? Not with a small letter, a comma, or a bracket that closes.
pub(super) fn begins_anew(text: &str) -> bool {
    let begins = |first: char| {
        (is_letter(first) && !first.is_lowercase())
            || first.is_ascii_digit()
            || "“\"「『‘(（【[«".contains(first)
    };
    text.starts_with(begins)
}

/// Links between two sentences of a block that say of themselves that they lead on: "Related: ...".
fn within<'p>(page: &'p Page<'_>, runs: &'p [Run]) -> impl Iterator<Item = NodeId> + 'p {
    let pairs = runs.windows(2).filter(|pair| pair[1].in_link && !pair[0].in_link);
    pairs.filter_map(|pair| {
        let (before, text) = (page.node(pair[0].node).text(), page.node(pair[1].node).text());
        let (label, rest) = text.split_once([':', '：'])?;
        let leads = !rest.trim().is_empty() && leads::says_more(label);
        (leads && before.trim_end().ends_with(ENDS)).then_some(pair[1].node)
    })
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
        // An address that is shown is told for its own sake, and so is the sign of a footnote.
        && !text.contains("://")
        && !is_note_sign(page, last, &text)
        && !is_call(page, last)
        && !(count >= SENTENCE && text.trim_end().ends_with(ENDS))
        && odds(&text, words) <= NOISE;
    is_apart.then_some(last.node)
}

/// Does a link call somebody, or write to him? A text names such a link because it is of use.
fn is_call(page: &Page<'_>, run: &Run) -> bool {
    let link = page.node(run.node).ancestors().take(NEAR).find(|node| node.is(Name::A));
    let href = link.and_then(|link| link.attribute_named(Name::HREF));
    href.is_some_and(|href| {
        ["tel:", "mailto:", "sms:"].iter().any(|scheme| href.trim_start().starts_with(scheme))
    })
}

/// "[1]", or what is raised above the line: it belongs to the sentence.
fn is_note_sign(page: &Page<'_>, run: &Run, text: &str) -> bool {
    !text.contains(char::is_alphabetic)
        || page.node(run.node).ancestors().take(NEAR).any(|node| node.is(Name::SUP))
}

/// Is a block a label, and behind it nothing but links? In headings, tables and lists such a line is one of several that say something.
fn leads_on(page: &Page<'_>, block: &Block) -> bool {
    let measures = &block.measures;
    let outside = measures.text.words.saturating_sub(measures.link_text.words);
    if measures.links == 0
        || outside > OUTSIDE
        || measures.link_text.words < 2
        || is_of_several(page.element(block))
    {
        return false;
    }
    if outside == 0 {
        return leads::is_link_with_label(page, block);
    }
    let runs = page.runs(block);
    let Some(first) = runs.iter().position(|run| run.in_link).filter(|first| *first > 0) else {
        return false;
    };
    // What is set as code is told, not said.
    if page.text(block).contains("://") || page.node(runs[0].node).parent().is_some_and(is_code) {
        return false;
    }
    let row = Row::of(page, runs);
    let label = &row.text[..row.place(first).start];
    count(label).words == outside && leads::is_label(label, &row, runs, first)
}

pub(super) fn is_letter(character: char) -> bool {
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

    pub(super) fn left_out(html: &str) -> Vec<String> {
        let page = Page::parse(html);
        let apart = apart(&page, 0..page.blocks().len(), &Model::shipped().words);
        let whole = apart.whole.iter().map(|node| (*node, page.node(*node).text().into_owned()));
        let part = |(node, bytes): &(NodeId, Range<usize>)| {
            (*node, page.node(*node).text()[bytes.clone()].to_owned())
        };
        let mut all: Vec<_> = whole.chain(apart.parts.iter().map(part)).collect();
        all.sort();
        all.into_iter().map(|(_, text)| text).collect()
    }

    pub(super) const TEXT: &str =
        "The ferry runs again, says the company: twice a day, if the ice allows, and three times in May.";

    #[test]
    fn a_time_before_the_first_sentence_is_left_out() {
        assert_eq!(left_out(&format!("<p><time>1 March 2026</time> {TEXT}</p>")), ["1 March 2026"]);
        assert_eq!(left_out(&format!("<p><b>2026-03-01 10:20</b>{TEXT}</p>")), ["2026-03-01 10:20"]);
    }

    #[test]
    fn lines_of_lists_tables_and_headings_were_links_to_more() {
        let lines = "<h2>More: <a href=/x>The old harbour master</a></h2><ul><li>See also: <a href=/y>Laws of the harbour</a></ul>\
            <table><tr><td>Related: <a href=/z>The ferry of 1911</a><td>4</table><p>Registration: <a href=/r>https://harbour.example/register</a></p>";
        assert!(left_out(&format!("<p>{TEXT}</p>{lines}<p>{TEXT}</p>")).is_empty());
        let table = "<table><tr><th>Day<th>Event<tr><td>March 3<td>Next: <a href=/1>harbour fair</a>\
            <tr><td>March 4<td>Share: <a href=/f>Facebook</a> <a href=/t>Twitter</a></table>";
        assert!(left_out(&format!("<p>{TEXT}</p>{table}")).is_empty());
    }

    #[test]
    fn words_in_brackets_that_name_nobody_were_credits() {
        for words in [
            "(Writing by hand is good for the memory)",
            "(Editing by committee takes years)",
            "【审核：由部门经理完成】",
        ] {
            assert!(left_out(&format!("<div>{TEXT}<br>{words}</div>")).is_empty(), "{words}");
        }
        assert_eq!(
            left_out(&format!("<div>{TEXT}<br>(Writing by Ada Lind)</div>")),
            ["(Writing by Ada Lind)"]
        );
    }

    #[test]
    fn the_first_day_of_a_diary_was_left_out() {
        let day = |n: u32| format!("<p><b>{n} March 2026</b> {TEXT}</p>");
        assert!(left_out(&(1..4).map(day).collect::<String>()).is_empty());
        let plain = |n: u32| format!("<p>March {n}, 2026 {TEXT}</p>");
        assert!(left_out(&(1..4).map(plain).collect::<String>()).is_empty());
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
        for line in [
            "See also: <a href=/1>strlen</a>, <a href=/2>strcpy</a>",
            "関連記事：<a href=/1>第三条</a>、<a href=/2>第四条</a>",
            "<code>Related:</code> <a href=/1>The Related header field</a>",
        ] {
            assert!(left_out(&format!("<p>{TEXT}</p><p>{line}</p><p>{TEXT}</p>")).is_empty(), "{line}");
        }
    }

    #[test]
    fn a_block_of_links_alone_is_no_text_with_something_at_its_edge() {
        assert!(
            left_out("<p><a href=/a>Boats</a> <a href=/b>Harbours</a> <a href=/c>Piers</a></p>").is_empty()
        );
    }

    /// What is left out of a text with something behind it, and of one with something in front.
    fn left_out_at(front: &str, back: &str) -> String {
        left_out(&format!("<p>{TEXT}</p><p>{front}{TEXT}{back}</p>")).concat().trim().to_owned()
    }

    #[test]
    fn a_label_and_links_behind_a_sentence_were_text() {
        for (back, expected) in [
            (" Related: <a href=/x>Why the bridge closed</a>", "Related: Why the bridge closed"),
            (
                " <strong>See also:</strong> <a href=/x>Why the bridge closed</a>, <a href=/y>Ten things to do</a>",
                "See also:Why the bridge closed, Ten things to do",
            ),
            (" (Read more: <a href=/x>The bridge</a>)", "(Read more: The bridge)"),
            (" Lesen Sie auch: <a href=/x>Die Brücke</a>.", "Lesen Sie auch: Die Brücke."),
            (" مۇناسىۋەتلىك خەۋەر: <a href=/x>كۆۋرۈك تاقالدى</a>", "مۇناسىۋەتلىك خەۋەر: كۆۋرۈك تاقالدى"),
            (
                " <a href=/x>Why the bridge closed</a> <a href=/y>Ten things to do</a>",
                "Why the bridge closedTen things to do",
            ),
        ] {
            assert_eq!(left_out_at("", back), expected);
        }
        let chinese = "<p>票价不变，自行车平日免费；带车的人要提前两天预订。相关阅读：<a href=/a>大桥为何关闭</a> <a href=/b>十大景点</a></p>";
        assert_eq!(left_out(chinese).concat(), "相关阅读：大桥为何关闭十大景点");
    }

    #[test]
    fn labels_and_links_within_sentences_stay() {
        for back in [
            " It is related: <a href=/x>the bridge</a>",
            " They did so (this year), see also: <a href=/x>the bridge</a>",
            " Related: <a href=/x>the bridge</a> is closed.",
            " See also the alert of the harbour master: <a href=/x>The bridge</a>",
            " Read more: <a href=/x>https://bridge.example/</a>",
            " <a href=/x>Ada Lind</a> <a href=/y>Ben</a>",
            " See also: <a href=/x>Genesis 1</a>, <a href=/y>Exodus 20</a>.",
            " Siehe auch: <a href=/x>§ 433 BGB</a>, <a href=/y>§ 434 BGB</a>.",
            " Related: <a href=/x>Ada Lind</a> Is the daughter of the captain.",
            " Which songs did we sing? <a href=/x>Sailing Home Again</a> <a href=/y>What Shall We Do</a>",
            " He used three of them. <a href=/x>WeChat</a>, <a href=/y>Weibo</a>, <a href=/z>QQ</a>",
            " 常用的有三个。<a href=/x>微信</a>、<a href=/y>微博</a>、<a href=/z>豆瓣</a>",
            " （审核：部门经理）</p><p>The ferry runs again, says the company: twice a day, if the ice allows, and more in May.",
        ] {
            assert_eq!(left_out_at("", back), "", "{back}");
        }
    }

    #[test]
    fn a_block_of_many_rows_of_links_is_done_in_time() {
        let rows = "It runs. See also: <a href=/x>Why the bridge closed</a> ".repeat(20_000);
        assert!(left_out(&format!("<p>{rows}</p>")).len() > 20_000);
    }

    #[test]
    fn a_line_that_is_a_link_to_more_was_text() {
        let html = format!("<div>{TEXT}<br><a href=/x>Related: Why the bridge closed</a><br>{TEXT}</div>");
        assert_eq!(left_out(&html), ["Related: Why the bridge closed"]);
    }

    #[test]
    fn bars_of_buttons_were_text() {
        let links = "<a href=#>Facebook</a> | <a href=#>Twitter</a> | <a href=#>Email</a> ";
        assert_eq!(left_out_at(&format!("Share: {links}"), ""), "Share: Facebook | Twitter | Email");
        let spans = " <span>Share this:</span> <span>Facebook</span> <span>Pinterest</span>";
        assert_eq!(left_out_at("", spans), "Share this:FacebookPinterest");
        let buttons = " <a href=#>Share on Facebook</a> <a href=#>Share on X</a> <a href=#>Copy link</a>";
        assert_eq!(left_out_at("", buttons), "Share on FacebookShare on XCopy link");
        assert_eq!(left_out_at("", " 分享到：<a href=#>微信</a> <a href=#>微博</a>"), "分享到：微信微博");
        assert_eq!(left_out_at("", " They use <a href=#>Facebook</a> <a href=#>Twitter</a>"), "");
        assert_eq!(left_out_at("<b>Share</b> prices of <b>Facebook</b> fell: ", ""), "");
    }

    #[test]
    fn lines_of_neighbours_were_text() {
        let line = "<p>上一篇：<a href=/1>旧闻</a> 下一篇：<a href=/2>新闻</a></p>";
        assert_eq!(left_out(&format!("<p>{TEXT}</p>{line}")).len(), 4);
        assert_eq!(
            left_out(&format!("<p>{TEXT}</p><p>上一篇：没有了 下一篇：<a href=/2>新闻</a></p>")).len(),
            2
        );
        assert!(left_out("<p>上一篇博客中我们说过，<a href=/1>请求</a>到达之后怎样。</p>").is_empty());
        assert!(left_out("<p>Next: <a href=/1>the ferry</a> sails to the pier.</p>").is_empty());
    }

    #[test]
    fn signs_of_footnotes_and_linked_sentences_were_noise() {
        let page = |link: &str| {
            format!(
                "<p>The ferry runs again, says the company: twice a day, if the ice allows, and three times in May. {link}</p>"
            )
        };
        for link in [
            "<a href=#n1>[1]</a>",
            "<sup><a href=#n1>a</a></sup>",
            "<a href=#n2><sup>[note 2]</sup></a>",
            "<a href='tel:+4912345'>Call us now</a>",
            "<a href=/log>The bridge was closed in November.</a>",
        ] {
            assert!(left_out(&page(link)).is_empty(), "{link}");
        }
        assert_eq!(left_out(&page("<a href=/more>Read more</a>")), ["Read more"]);
    }

    #[test]
    fn signatures_without_dashes_were_text() {
        let signed = |lines: &str| left_out(&format!("<p>{TEXT}<br><br>{TEXT}<br><br>{lines}</p>")).join("|");
        assert_eq!(
            signed("Ada Lind<br>Senior Editor<br>ada@post.example"),
            "Ada Lind|Senior Editor|ada@post.example"
        );
        assert_eq!(
            signed("(Reporting by Ada Lind; Editing by Ben Moss)"),
            "(Reporting by Ada Lind; Editing by Ben Moss)"
        );
        assert_eq!(
            signed("Ada Lind is a reporter for the Island Post.<br>Follow her on Twitter @adalind"),
            "Ada Lind is a reporter for the Island Post.|Follow her on Twitter @adalind"
        );
        assert_eq!(signed("责任编辑：张三"), "责任编辑：张三");
        assert_eq!(signed("Ada Lind<br>Senior Editor"), "");
        assert_eq!(signed("Write to us:<br>ada@post.example"), "");
        assert_eq!(signed("Follow the signs to the harbour @ pier 4"), "");
        assert_eq!(signed("[Editing by Ada Lind's rules takes two hours a page.]"), "");
        assert_eq!(
            signed(
                "Send your letter to the address below.<br>Ada Lind<br>Harbour Office<br>crew@post.example"
            ),
            ""
        );
        assert_eq!(left_out(&format!("<p>{TEXT}</p><p>（责任编辑：李四）</p>")), ["（责任编辑：李四）"]);
        assert_eq!(left_out(&format!("<p>{TEXT}（责任编辑：李四）</p>")), ["（责任编辑：李四）"]);
        assert!(left_out(&format!("<p>{TEXT}</p><p>责任编辑：李四</p>")).is_empty());
    }
}
