//! What is kept, settled by rule, whatever the trees are; and what the dial does to it.
//!
//! The rules look at what is kept around a block, so that a few blocks more or less may turn their answer. So they are asked with the
//! dial in the middle first; then towards precision blocks are only left out, and towards recall only added. Whoever turns the dial
//! gets less of the same, or more.

use std::collections::BTreeSet;

use tamis_html::NodeId;

use super::{PageType, between, decode, features, listed, mixed, repeats, rows, short, writers};
use crate::balance::Balance;
use crate::block::Block;
use crate::characters::count;
use crate::judgement::Judgement;
use crate::page::Page;

/// What is said of a block that says again what another one says.
const TWICE: &str = "said twice";
/// ... of one that is left out whole by what it holds,
const BESIDE: &str = "beside the text";
/// ... and of one of which so many words are left out.
const IN_PART: &str = "words left out";

/// The reasons for which a rule goes against the trees, as `why` names them.
pub(crate) const REASONS: [&str; 11] = [
    TWICE,
    BESIDE,
    IN_PART,
    short::FRAMES,
    short::ONLY,
    rows::ROW_OF,
    rows::TERM_OF,
    between::CODE,
    between::REFERENCE,
    listed::ENTRY,
    writers::SIGNS,
];

/// Settles by rule what is kept, whatever the trees are: pages of a few words say something and lose their footer, listings of which nothing
/// would be kept have their entries, and what the blocks that are kept hold beside the text is left out: [copies](repeats), and what
/// stands at [edges](mixed).
///
/// ```
/// use tamis::{Judgement, Page, fused::{Model, PageType, tidy}};
///
/// let page = Page::parse(
///     "<p>The ferry runs again, says the company: twice a day, if the ice allows. <a href=/more>Read more</a></p>",
/// );
/// let mut judgement = Judgement::of([true]);
/// tidy(&page, PageType::Article, &Model::shipped().words, &mut judgement);
/// assert_eq!(judgement.apart.len(), 1);
/// assert_eq!(judgement.verdicts[0].why, [("words left out", 2.0)]);
/// ```
pub fn tidy(page: &Page<'_>, page_type: PageType, words: &features::Words, judgement: &mut Judgement) {
    settle(page, page_type, judgement);
    mixed::Apart { whole: judgement.apart, parts: judgement.cut } =
        mixed::apart(page, judgement.kept(), words);
    leave_out_whole(page, judgement, |_| true);
    tell_parts(page, judgement);
}

/// Which blocks are kept as a whole.
fn settle(page: &Page<'_>, page_type: PageType, judgement: &mut Judgement) {
    short::settle(page, page_type, judgement);
    listed::settle(page, page_type, judgement);
    if page_type.is_thread() {
        writers::settle(page, judgement);
        return;
    }
    // Forums set out their posts in tables.
    if page.posts().is_empty() {
        rows::settle(page, judgement);
        between::settle(page, judgement);
    }
    for copy in repeats::copies(page, judgement.kept()) {
        judgement.verdicts[copy].keep = false;
        judgement.verdicts[copy].why.push((TWICE, 1.0));
    }
}

/// Turns the dial on a judgement that is tidied with the dial in the middle: `turned` is what the trees say with it turned, and `cut`
/// where they were asked without.
pub(super) fn turn(
    page: &Page<'_>,
    page_type: PageType,
    words: &features::Words,
    balance: Balance,
    (even, cut): (Judgement, f32),
    mut turned: Judgement,
) -> Judgement {
    settle(page, page_type, &mut turned);
    let mut added = vec![false; turned.verdicts.len()];
    let pairs = turned.verdicts.iter_mut().zip(&even.verdicts).zip(&mut added);
    for ((verdict, middle), added) in pairs {
        // What a rule leaves out stays out.
        let is_left_out = !middle.keep && decode::is_kept(middle.score, cut);
        *added = balance == Balance::Recall && verdict.keep && !middle.keep && !is_left_out;
        verdict.keep = match balance {
            Balance::Precision => verdict.keep && middle.keep,
            Balance::Even => middle.keep,
            Balance::Recall => middle.keep || *added,
        };
        verdict.why.retain(|(name, _)| !REASONS.contains(name));
        verdict.why.extend(middle.why.iter().filter(|(name, _)| REASONS.contains(name)));
    }
    // The surer part of a text is better than none.
    if turned.kept().next().is_none() {
        for (verdict, middle) in turned.verdicts.iter_mut().zip(&even.verdicts) {
            verdict.keep = middle.keep;
        }
    }
    turned.middle = even.verdicts.iter().map(|verdict| verdict.keep).collect();
    (turned.apart, turned.cut) = (even.apart, even.cut);
    if added.contains(&true) {
        leave_out_of(page, words, &added, &mut turned);
    }
    turned
}

/// Leaves out of blocks that were added what they hold beside the text; the others stay as they are.
fn leave_out_of(page: &Page<'_>, words: &features::Words, added: &[bool], judgement: &mut Judgement) {
    let apart = mixed::apart(page, judgement.kept(), words);
    let blocks = page.blocks().iter().zip(added).filter(|(_, added)| **added);
    let own: BTreeSet<NodeId> = blocks.flat_map(|(block, _)| page.runs(block)).map(|run| run.node).collect();
    judgement.apart.extend(apart.whole.into_iter().filter(|node| own.contains(node)));
    judgement.apart.sort_unstable();
    judgement.cut.extend(apart.parts.into_iter().filter(|(node, _)| own.contains(node)));
    judgement.cut.sort_unstable_by_key(|(node, bytes)| (*node, bytes.start));
    leave_out_whole(page, judgement, |place| added[place]);
}

/// Of a block that is left out whole, nothing is kept.
fn leave_out_whole(page: &Page<'_>, judgement: &mut Judgement, may_go: impl Fn(usize) -> bool) {
    if judgement.apart.is_empty() {
        return;
    }
    let is_apart =
        |block: &Block| page.runs(block).iter().all(|run| judgement.apart.binary_search(&run.node).is_ok());
    for (place, (block, verdict)) in page.blocks().iter().zip(&mut judgement.verdicts).enumerate() {
        if verdict.keep && may_go(place) && is_apart(block) {
            verdict.keep = false;
            verdict.why.push((BESIDE, 1.0));
        }
    }
}

/// Tells of each block that is kept how many words of it are not.
fn tell_parts(page: &Page<'_>, judgement: &mut Judgement) {
    let Judgement { verdicts, apart, cut, .. } = judgement;
    if apart.is_empty() && cut.is_empty() {
        return;
    }
    let left_out = |node: NodeId| {
        if apart.binary_search(&node).is_ok() {
            return count(&page.node(node).text()).words;
        }
        let first = cut.partition_point(|(of, _)| *of < node);
        let parts = cut[first..].iter().take_while(|(of, _)| *of == node);
        parts.map(|(_, bytes)| count(&page.node(node).text()[bytes.clone()]).words).sum()
    };
    for (block, verdict) in page.blocks().iter().zip(verdicts).filter(|(_, verdict)| verdict.keep) {
        let words: u32 = page.runs(block).iter().map(|run| left_out(run.node)).sum();
        if words > 0 {
            verdict.why.push((IN_PART, f64::from(words)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Model, judge_with};
    use super::*;
    use crate::site::Site;

    /// Texts, menus, tables and links in another order each time.
    fn pages() -> impl Iterator<Item = String> {
        const PIECES: [&str; 12] = [
            "<p>The ferry runs again, says the company: twice a day, if the ice allows, and three times in May.</p>",
            "<p>March 3, 2026 | It sails on Sundays as well, when the market at the pier is open until noon.</p>",
            "<ul><li><a href=/>Home</a><li><a href=/n>News</a><li>About the harbour</ul>",
            "<table><tr><th>Boat<th>May<tr><td>Ferry<td>4.1<tr><td>Together<td>9.5</table>",
            "<p>Related: <a href=/x>Why the bridge closed in winter</a></p>",
            "<div><h3>What does it cost?</h3><p>As much as before.</p></div>",
            "<pre>let boats = read(harbour);</pre>",
            "<div>Tickets are sold at the pier.<br>--<br>Ada Moss</div>",
            "<dl><dt>Share<dd>What each owner has of a boat.</dl>",
            "<div class=side><p>Subscribe to our newsletter</p><p>More news from the islands, every day at noon</p></div>",
            "<h2>References</h2><ol><li>Lind: On ice<li>Moss: On boats</ol>",
            "<div class=copy><p>The ferry runs again, says the company: twice a day, if the ice allows, and three times in May.</p>\
             <p>Bicycles travel without charge on weekdays; those who bring a car must book two days before at least.</p></div>",
        ];
        let mut state = 1_u64;
        (0..300).map(move |_| {
            let mut next = |most: u64| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) % most
            };
            let pieces = 1 + next(10);
            (0..pieces).map(|_| PIECES[next(12) as usize]).collect()
        })
    }

    #[test]
    fn the_dial_gave_out_blocks_that_the_middle_did_not() {
        for html in pages() {
            let page = Page::parse(&html);
            let kept = |balance| -> Vec<usize> {
                judge_with(&page, &Site::default(), Model::shipped(), balance).kept().collect()
            };
            let [precision, even, recall] = [Balance::Precision, Balance::Even, Balance::Recall].map(kept);
            assert!(precision.iter().all(|place| even.contains(place)), "{html}");
            assert!(even.iter().all(|place| recall.contains(place)), "{html}");
            assert_eq!(precision.is_empty(), even.is_empty(), "{html}");
        }
    }
}
