//! Pages of a few words. The trees have seen few of them, and all that they know of a page is less sure there: a notice of
//! two words and a line of copyright look much alike. But such a page has something to say, and its footer is not it.

use tamis_html::{Name, NodeRef};

use super::PageType;
use crate::block::Block;
use crate::judgement::Judgement;
use crate::methods::copyright;
use crate::page::Page;

/// A page is short up to so many words that are seen.
const SHORT: u32 = 120;
/// Where more of a line stands in links than this, it leads elsewhere; the marks between links are no words.
const LEADS_ON: f32 = 0.8;
/// A listing has at least so many links.
const LINKS: u32 = 10;
/// A line of rights has at most so many words, and stands among so many last lines that are seen.
const RIGHTS: u32 = 40;
const LAST: usize = 3;

/// Settles what a short page says: what stands in its footer is left out, and so are links in its header and its navigation and rows
/// of links that are not likelier text than not; and where nothing would be kept, the most probable
/// block is that stands neither in the frame of the page nor in a link. Pages of links and of pictures may say nothing.
pub(super) fn settle(page: &Page<'_>, page_type: PageType, judgement: &mut Judgement) {
    if page.total().text.words > SHORT {
        return;
    }
    let blocks = page.blocks();
    let last = last_seen(blocks);
    // Many sites have a footer that is no `footer`.
    let is_footer = |place: usize, block: &Block| {
        stands_in(page, block, &[Name::FOOTER]) || (place >= last && tells_rights(page, block))
    };
    let is_frame = |place: &usize| {
        let block = &blocks[*place];
        let leads_on = block.link_share() > LEADS_ON && judgement.verdicts[*place].score < 0.5;
        let is_row = block.measures.links > 1;
        (leads_on && (is_row || stands_in(page, block, &[Name::HEADER, Name::NAV])))
            || is_footer(*place, block)
    };
    let frame: Vec<usize> = judgement.kept().filter(is_frame).collect();
    frame.into_iter().for_each(|place| judgement.verdicts[place].keep = false);
    // A menu and a notice look like a listing, but a listing has more links.
    let may_be_silent = match page_type {
        PageType::Pictures => true,
        PageType::Listing => page.total().links >= LINKS,
        _ => false,
    };
    if judgement.kept().next().is_some() || may_be_silent {
        return;
    }
    let may_be = |place: usize, block: &Block| {
        block.hidden.is_none()
            && block.veiled.is_none()
            && block.link_share() < 0.5
            && !stands_in(page, block, &FRAME)
            && !is_footer(place, block)
    };
    let score = |place: &usize| judgement.verdicts[*place].score;
    let places = (0..blocks.len()).filter(|place| may_be(*place, &blocks[*place]));
    // Of blocks that are as probable, the first.
    let best = places.rev().max_by(|one, other| score(one).total_cmp(&score(other)));
    if let Some(place) = best {
        judgement.verdicts[place].keep = true;
        judgement.verdicts[place].why.push(("short page", 1.0));
    }
}

/// Where the last lines begin that are seen.
fn last_seen(blocks: &[Block]) -> usize {
    let seen = blocks.iter().enumerate().rev().filter(|(_, block)| block.hidden.is_none());
    seen.take(LAST).last().map_or(0, |(place, _)| place)
}

/// Does a line say whose the page is, and who may copy it?
fn tells_rights(page: &Page<'_>, block: &Block) -> bool {
    block.measures.text.words <= RIGHTS && copyright::tells_rights(page.text(block))
}

/// Parts of a page that frame its text, and controls.
const FRAME: [Name; 8] = [
    Name::NAV,
    Name::HEADER,
    Name::FOOTER,
    Name::ASIDE,
    Name::BUTTON,
    Name::SELECT,
    Name::LABEL,
    Name::DIALOG,
];

/// Does a block stand in one of these elements of the page? An article may have a header and a footer of its own.
fn stands_in(page: &Page<'_>, block: &Block, names: &[Name]) -> bool {
    let element = page.element(block);
    let is = |node: &NodeRef<'_>| node.name_id().is_some_and(|name| names.contains(&name));
    let around = || std::iter::once(element).chain(element.ancestors());
    around().any(|node| is(&node)) && !around().any(|node| node.is(Name::ARTICLE) || node.is(Name::MAIN))
}

#[cfg(test)]
mod tests {
    use super::super::judge;
    use super::*;
    use crate::site::Site;

    fn text(html: &str) -> String {
        let page = Page::parse(html);
        let judgement = judge(&page, &Site::default());
        judgement.kept().map(|place| page.text(&page.blocks()[place])).collect::<Vec<_>>().join(" / ")
    }

    #[test]
    fn a_short_page_came_with_its_footer() {
        let html = "<nav><a href=/>Home</a> <a href=/shop>Shop</a></nav><p>Closed today.</p>\
            <footer>Copyright 2026 The Harbour Shop. All rights reserved.</footer>";
        assert_eq!(text(html), "Closed today.");
    }

    #[test]
    fn a_footer_by_another_name_was_all_that_a_short_page_said() {
        let menu = "<div><a href=/>Home</a> <a href=/n>News</a> <a href=/s>Sport</a></div>";
        let html = format!(
            "{menu}<h1>Notice</h1><p>Closed today.</p><div class=bottom>Copyright 2026 Island Post. All rights reserved. \
            <a href=/i>Imprint</a> <a href=/p>Privacy</a></div>"
        );
        assert_eq!(text(&html), "Closed today.");
        let table = "<table><tr><td><a href=/>Home</a> | <a href=/n>News</a><tr><td>Thanks, your message has been sent.\
            <tr><td>Copyright 2026 Island Post, Harbour Street 3, all rights reserved</table>";
        assert_eq!(text(table), "Thanks, your message has been sent.");
    }

    #[test]
    fn a_short_page_came_back_empty() {
        let html = "<header><a href=/>The Harbour Shop</a></header><div>Gone fishing</div><nav><a href=/a>About</a></nav>";
        assert_eq!(text(html), "Gone fishing");
    }

    #[test]
    fn a_page_of_links_says_nothing_of_its_own() {
        let links: String = (0..12).map(|n| format!("<li><a href=/{n}>Harbour number {n}</a>")).collect();
        let html = format!("<ul>{links}</ul><p>12 links</p>");
        let page = Page::parse(&html);
        let mut judgement = Judgement::of(page.blocks().iter().map(|_| false));
        settle(&page, PageType::Listing, &mut judgement);
        assert!(judgement.kept().next().is_none());
    }
}
