//! Pages of a few words. The trees have seen few of them, and all that they know of a page is less sure there: a notice of
//! two words and a line of copyright look much alike. But such a page has something to say, and its footer is not it.

use tamis_html::{Name, NodeRef};

use super::PageType;
use crate::block::Block;
use crate::judgement::Judgement;
use crate::page::Page;

/// A page is short up to so many words that are seen.
const SHORT: u32 = 120;
/// Where more of a line stands in links than this, it leads elsewhere.
const LEADS_ON: f32 = 0.9;

/// Settles what a short page says: what stands in its footer is left out, and so are links in its header and its navigation
/// that are not likelier text than not; and where nothing would be kept, the most probable
/// block is that stands neither in the frame of the page nor in a link. Pages of links and of pictures may say nothing.
pub(super) fn settle(page: &Page<'_>, page_type: PageType, judgement: &mut Judgement) {
    if page.total().text.words > SHORT {
        return;
    }
    let blocks = page.blocks();
    let is_frame = |place: &usize| {
        let block = &blocks[*place];
        let leads_on = block.link_share() > LEADS_ON && judgement.verdicts[*place].score < 0.5;
        (leads_on && stands_in(page, block, &[Name::HEADER, Name::NAV]))
            || stands_in(page, block, &[Name::FOOTER])
    };
    let frame: Vec<usize> = judgement.kept().filter(is_frame).collect();
    frame.into_iter().for_each(|place| judgement.verdicts[place].keep = false);
    if judgement.kept().next().is_some() || matches!(page_type, PageType::Listing | PageType::Pictures) {
        return;
    }
    let may_be = |block: &Block| {
        block.hidden.is_none()
            && block.veiled.is_none()
            && block.link_share() < 0.5
            && !stands_in(page, block, &FRAME)
    };
    let score = |place: &usize| judgement.verdicts[*place].score;
    let places = (0..blocks.len()).filter(|place| may_be(&blocks[*place]));
    // Of blocks that are as probable, the first.
    let best = places.rev().max_by(|one, other| score(one).total_cmp(&score(other)));
    if let Some(place) = best {
        judgement.verdicts[place].keep = true;
        judgement.verdicts[place].why.push(("short page", 1.0));
    }
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
