//! Pages of a few words. The trees have seen few of them, and all that they know of a page is less sure there: a notice of
//! two words and a line of copyright look much alike. But such a page has something to say, and its footer is not it.

mod words;

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
/// A sentence has at least so many words.
const SENTENCE: u32 = 5;
/// So far above a text its link stands, and the element that it has in common with a heading.
const NEAR: usize = 6;
/// What is said of a line that is left out here.
pub(super) const FRAMES: &str = "frame of a short page";
/// ... and of the one that is kept because nothing else would be.
pub(super) const ONLY: &str = "short page";

/// Settles what a short page says: what stands in its footer is left out, and so are links in its header and its navigation and rows
/// of links that are not likelier text than not; and where nothing would be kept, or nothing but lines of the frame, the most probable
/// block is that stands neither in the frame of the page nor in a link. Pages of links and of pictures may say nothing. A heading is no text
/// where lines stand below it.
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
    frame.into_iter().for_each(|place| leave_out(judgement, place));
    for place in at_edges(page, judgement) {
        leave_out(judgement, place);
    }
    // A menu and a notice look like a listing, but a listing has more links.
    let may_be_silent = match page_type {
        PageType::Pictures => true,
        PageType::Listing => page.total().links >= LINKS,
        _ => false,
    };
    if may_be_silent {
        return;
    }
    let may_be = |place: usize| {
        let block = &blocks[place];
        block.hidden.is_none()
            && block.veiled.is_none()
            && block.link_share() < 0.5
            && !stands_in(page, block, &FRAME)
            && !is_footer(place, block)
    };
    let is_notice = |place: usize| {
        let text = page.text(&blocks[place]);
        !words::is_of_frame(text) && !words::is_of_program(text)
    };
    let only = if judgement.kept().any(is_notice) {
        below_headings(page, judgement, |place| may_be(place) && is_notice(place))
    } else {
        let score = |place: usize| judgement.verdicts[place].score;
        let is_sentence = |place: usize| blocks[place].measures.text.words >= SENTENCE;
        let says_frame = judgement.kept().next().is_some();
        // In place of lines of the frame, only what is surely none.
        let places = (0..blocks.len())
            .filter(|place| may_be(*place) && (!says_frame || (is_notice(*place) && is_sentence(*place))));
        let rank = |place: usize| (is_notice(place), is_notice(place) && is_sentence(place));
        // Of blocks that are as probable, the first.
        let best = places
            .rev()
            .max_by(|one, other| rank(*one).cmp(&rank(*other)).then(score(*one).total_cmp(&score(*other))));
        if best.is_some() {
            let frame: Vec<usize> = judgement.kept().collect();
            frame.into_iter().for_each(|place| leave_out(judgement, place));
        }
        best.into_iter().collect()
    };
    for place in only {
        judgement.verdicts[place].keep = true;
        judgement.verdicts[place].why.push((ONLY, 1.0));
    }
}

/// The lines below the headings of a page of which nothing else is kept, up to the next heading, in the elements that these stand in.
fn below_headings(page: &Page<'_>, judgement: &Judgement, may_be: impl Fn(usize) -> bool) -> Vec<usize> {
    let blocks = page.blocks();
    if !judgement.kept().all(|place| is_heading(page, &blocks[place])) {
        return Vec::new();
    }
    let lines = |heading: usize| {
        let around = page.element(&blocks[heading]).parent().map(|around| around.id());
        let is_in = move |place: &usize| {
            let element = page.element(&blocks[*place]);
            let mut above = std::iter::once(element).chain(element.ancestors()).take(NEAR);
            above.any(|node| Some(node.id()) == around) && !is_heading(page, &blocks[*place])
        };
        (heading + 1..blocks.len()).take_while(is_in)
    };
    judgement.kept().flat_map(lines).filter(|place| may_be(*place)).collect()
}

fn is_heading(page: &Page<'_>, block: &Block) -> bool {
    page.element(block).heading_level().is_some()
}

fn leave_out(judgement: &mut Judgement, place: usize) {
    judgement.verdicts[place].keep = false;
    judgement.verdicts[place].why.push((FRAMES, 1.0));
}

/// The lines that are kept at the edges of a short page and say of themselves that they are its frame, if the page says something
/// besides: who asks for an address gets a page with nothing else.
fn at_edges(page: &Page<'_>, judgement: &Judgement) -> Vec<usize> {
    let blocks = page.blocks();
    let (first, last) = (blocks.iter().position(|block| block.hidden.is_none()), last_seen(blocks));
    let is_heading = |place: usize| is_heading(page, &blocks[place]);
    let is_about_address = || {
        let headings =
            (0..blocks.len()).filter(|place| is_heading(*place)).map(|place| page.text(&blocks[place]));
        words::is_about_address(&page.title()) || headings.into_iter().any(words::is_about_address)
    };
    let is_announced =
        |place: usize| place > 0 && page.text(&blocks[place - 1]).trim_end().ends_with([':', '：']);
    let is_edge = |place: &usize| {
        let text = page.text(&blocks[*place]);
        let is_first = Some(*place) == first;
        (is_first && names_site(page, &blocks[*place]))
            || ((is_first || *place >= last) && words::is_of_frame(text))
            || words::is_of_program(text)
            || (*place >= last && words::is_address(text) && !is_announced(*place) && !is_about_address())
    };
    let edges: Vec<usize> = judgement.kept().filter(is_edge).collect();
    let says_more = judgement.kept().any(|place| !edges.contains(&place) && !is_heading(place));
    if says_more { edges } else { Vec::new() }
}

/// Is a block a link to the first page of the site, and nothing else?
fn names_site(page: &Page<'_>, block: &Block) -> bool {
    let link =
        |run: &crate::block::Run| page.node(run.node).ancestors().take(NEAR).find(|node| node.is(Name::A));
    let is_first_page = |address: &str| {
        let path = address
            .split_once("://")
            .map_or(address, |(_, rest)| rest.find('/').map_or("", |at| &rest[at..]));
        matches!(path.trim_start_matches('.'), "" | "/" | "/index.html" | "/index.php" | "index.html")
    };
    block.measures.links == 1
        && page.runs(block).iter().all(|run| run.in_link)
        && page
            .runs(block)
            .first()
            .and_then(link)
            .and_then(|link| link.attribute_named(Name::HREF))
            .is_some_and(|address| is_first_page(&address))
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
    fn message_pages_of_forums_gave_their_footer() {
        let says = "抱歉，指定的主题不存在或已被删除或正在被审核";
        let discuz = format!(
            "<div id=hd><form><table><tr><td>用户名<td><input><td>自动登录<td><a href=/l>找回密码</a><tr><td>密码<td><input><td>\
            <a href=/r>立即注册</a></table></form><ul><li><a href=/f>论坛</a><li><a href=/g>群组</a></ul></div>\
            <div id=messagetext class=alert_error><p>{says}</p><p><a href=/b>[ 点击这里返回上一页 ]</a></p></div>\
            <div id=ft><div id=flk><p><a href=/a>Archiver</a>|<a href=/m>手机版</a> ( <a href=/i>浙ICP备12345678号</a> )</p>\
            <p>GMT+8, 2026-3-3 10:20<span>, Processed in 0.012 second(s), 6 queries.</span></p></div>\
            <div><p>Powered by <b><a href=/d>Discuz!</a></b> <em>X3.4</em></p><p>&copy; 2001-2017 Boats Inc.</p></div></div>"
        );
        assert_eq!(text(&discuz), says);
        let says = "Invalid Thread specified. If you followed a valid link, please notify the administrator";
        let vbulletin = format!(
            "<div><a href=/f>Forum</a> <a href=/n>What's New?</a></div><div class=standard_error><h2>Message</h2><div>{says}</div></div>\
            <div id=footer><ul><li><a href=/c>Contact Us</a></ul><p>All times are GMT. The time now is <span>10:20 AM</span>.</p>\
            <div>Powered by <a href=/v>vBulletin</a> Version 4.2.3</div><div>Copyright 2026 Boats Inc. All rights reserved.</div></div>"
        );
        assert_eq!(text(&vbulletin), says);
    }

    #[test]
    fn a_footer_that_was_kept_stood_for_the_message() {
        let html = "<div>Menu</div><p>The thread that you ask for is gone.</p><p>Processed in 0.012 second(s)</p><p>Powered by Boats</p>\
            <p>Harbour</p>";
        let page = Page::parse(html);
        let mut judgement = Judgement::of([false, false, true, true, false]);
        settle(&page, PageType::Forum, &mut judgement);
        assert_eq!(judgement.kept().collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn a_heading_stood_for_the_lines_below_it() {
        let html = "<div><a href=/>Home</a></div><div><h2>Öffnungszeiten</h2>Mo-Fr 8-12 Uhr<br>Telefon 040 123456\
            <p><a href=/t>Team</a></p></div><div>Hafenpraxis</div>";
        let page = Page::parse(html);
        let mut judgement = Judgement::of([false, true, false, false, false, false]);
        settle(&page, PageType::Other, &mut judgement);
        assert_eq!(judgement.kept().collect::<Vec<_>>(), [1, 2, 3]);
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

    #[test]
    fn addresses_cookies_letters_and_terms_stayed_on_short_pages() {
        let notice = "<p>The ferry does not sail today.</p>";
        for foot in [
            "Harbour Ltd, Harbour Street 3, Tel. 040 123456",
            "Hafen GmbH, Hafenstraße 3, 20457 Hamburg, Tel. 040 123456, USt-IdNr. DE123456789",
            "地址：港口路3号 电话：0571-1234567 技术支持：港口网络",
            "ئادرېس: پورت كوچىسى 3، تېلېفون: 0991-1234567",
            "We use cookies. <a href=/c>OK</a>",
            "Subscribe to our newsletter",
            "プライバシーポリシー | お問い合わせ",
            "Terms of use apply. Version 2.1",
        ] {
            assert_eq!(
                text(&format!("{notice}<div>{foot}</div>")),
                "The ferry does not sail today.",
                "{foot}"
            );
        }
        let head = "<div id=head><a href=/>Hafen GmbH</a></div>";
        assert_eq!(
            text(&format!("{head}<div>Vielen Dank für Ihre Nachricht.</div>")),
            "Vielen Dank für Ihre Nachricht."
        );
    }

    #[test]
    fn an_address_that_is_asked_for_stays() {
        let address = "Harbour Street 3, 20457 Hamburg, Tel. 040 123456";
        for page in [
            format!("<h1>Contact</h1><p>We are there from eight to four.</p><p>{address}</p>"),
            format!("<p>Write to us, or come by and ask for Ada:</p><p>{address}</p>"),
        ] {
            assert!(text(&page).ends_with(address), "{page}");
        }
    }
}
