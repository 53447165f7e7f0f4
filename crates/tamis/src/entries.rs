//! The entries of a listing: pieces that stand beside others of the same make, each with a link that names it.
//!
//! Results of a search, the goods of a category, the headlines of a day: a listing repeats one piece, and what a reader wants
//! of it is where each leads and what is said of it. Pieces are known by their place and make. What their classes are called
//! says nothing here, so it works on pages without any.
//!
//! ```
//! let page = tamis::Page::parse("<h1>News</h1>\
//!     <div><h2><a href=/1>Harbour dues go up</a></h2><p>The council says that it has no choice.</p></div>\
//!     <div><h2><a href=/2>Ferry back on Monday</a></h2><p>It runs twice a day, if the ice allows.</p></div>\
//!     <div><h2><a href=/3>Rain until Thursday</a></h2><p>Then wind from the west, says the office.</p></div>");
//! let entries = tamis::entries::find(&page, |_| true);
//! assert_eq!(entries.len(), 3);
//! assert_eq!((entries[1].title.as_str(), entries[1].text(&page).as_str()),
//!     ("Ferry back on Monday", "It runs twice a day, if the ice allows."));
//! ```

use std::borrow::Cow;
use std::ops::Range;

use tamis_html::{Name, NodeId, NodeRef, Step};

use crate::block::Block;
use crate::characters::folded;
use crate::facts::dates::{Hints, find as find_dates};
use crate::hashing::NumberMap;
use crate::page::Page;
use crate::posts::{Classes, mix};

/// One entry of a listing.
///
/// ```
/// use tamis::entries::{Entry, find};
///
/// let html = "<ul><li><a href=/1>The harbour</a> 1 May<li><a href=/2>The ferry</a> 2 May<li><a href=/3>The mill</a> 3 May</ul>";
/// let page = tamis::Page::parse(html);
/// let entry: &Entry = &find(&page, |_| true)[2];
/// assert_eq!((entry.title.as_str(), entry.blocks.clone()), ("The mill", 2..3));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its element; where entries have none of their own, its heading.
    pub element: NodeId,
    /// All blocks of it.
    pub blocks: Range<usize>,
    /// What it is called.
    pub title: String,
    /// The link that leads to it.
    pub link: NodeId,
}

impl Entry {
    /// What is said beside its title, a block a line.
    pub fn text(&self, page: &Page<'_>) -> String {
        let blocks = page.blocks().get(self.blocks.clone()).unwrap_or_default();
        let is_said = |block: &&Block| block.hidden.is_none() && !page.element(block).is(Name::BUTTON);
        // "The mill 3 May": behind the title in the line of its link.
        let beside = |block: &Block| {
            let text = page.text(block);
            let behind = text.strip_prefix(self.title.as_str()).filter(|behind| {
                behind.is_empty() || block.measures.links > 0 && behind.starts_with(char::is_whitespace)
            });
            behind.unwrap_or(text).trim().to_owned()
        };
        let texts = blocks.iter().filter(is_said).map(beside);
        texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
    }
}

/// Fewer pieces are no listing.
const LEAST: usize = 3;
/// A link that names something has so many characters.
const NAME_CHARACTERS: u32 = 5;
/// What the words of a piece count that are not kept, beside those that are.
const NOT_KEPT: f32 = 0.1;
/// The share of what is kept that the pieces hold at least.
const COVERAGE: f32 = 0.3;
/// Where hardly anything of them is kept: how many there are at least, and their share of all that is seen.
const ROW: usize = 8;
const COVERAGE_OF_ALL: f32 = 0.08;
/// More entries than this are not given, nor looked at one by one.
const MOST: usize = 10_000;

/// The entries of a page, in page order, found with the help of the blocks that are kept; none where nothing repeats. At most
/// 10,000 are given, the first of the page.
///
/// ```
/// let page = tamis::Page::parse("<h1>Rain</h1><p>It rained in the harbour on Monday, for the first time since May.");
/// assert!(tamis::entries::find(&page, |_| true).is_empty());
/// ```
pub fn find(page: &Page<'_>, keep: impl Fn(usize) -> bool) -> Vec<Entry> {
    find_by(page, LEAST, COVERAGE, |place| if keep(place) { 1.0 } else { NOT_KEPT })
}

/// The entries of a page that is known to be a listing. Of a shop's shelf, what is kept may be the words about it alone: then a
/// long row of pieces is enough.
///
/// ```
/// let shelf: String = (1..10).map(|n| format!("<li><a href=/{n}>Boat number {n}</a>")).collect();
/// let html = format!("<p>{}</p><ul>{shelf}</ul>", "What we have is what we build, in the yard behind the mill. ".repeat(9));
/// let page = tamis::Page::parse(&html);
/// assert!(tamis::entries::find(&page, |place| place == 0).is_empty());
/// assert_eq!(tamis::entries::of_listing(&page, |place| place == 0).len(), 9);
/// ```
pub fn of_listing(page: &Page<'_>, keep: impl Fn(usize) -> bool) -> Vec<Entry> {
    let found = find(page, keep);
    if found.is_empty() { find_by(page, ROW, COVERAGE_OF_ALL, |_| 1.0) } else { found }
}

/// ... of at least so many pieces that hold that share of what the blocks count.
fn find_by(page: &Page<'_>, least: usize, coverage: f32, counts: impl Fn(usize) -> f32) -> Vec<Entry> {
    let layout = Layout::of(page, counts);
    let all: f32 = layout.weights.last().copied().unwrap_or(0.0);
    let mut best: Option<(f32, Vec<Piece>)> = None;
    for group in layout.groups.iter().filter(|group| group.pieces.len() >= least) {
        let pieces = layout.whole(group);
        let weight: f32 = pieces.iter().map(|piece| layout.weight(&piece.blocks)).sum();
        // Cells before the rows they stand in: of two sets with the same words, the one with more pieces.
        // Roots, unlike other powers, are the same on every machine.
        let score = weight * (pieces.len() as f32).sqrt().sqrt();
        if weight >= coverage * all && best.as_ref().is_none_or(|(most, _)| score > *most) {
            best = Some((score, pieces));
        }
    }
    let pieces = best.map(|(_, pieces)| pieces).unwrap_or_default();
    let mut entries: Vec<Entry> =
        pieces.into_iter().take(MOST).filter_map(|piece| entry(page, piece)).collect();
    entries.sort_by_key(|entry| entry.blocks.start);
    // "Read more", as often as there are pieces, names nothing.
    let mut titles: Vec<&str> = entries.iter().map(|entry| entry.title.as_str()).collect();
    titles.sort_unstable();
    titles.dedup();
    if titles.len() < least.max(entries.len() / 8) { Vec::new() } else { entries }
}

/// An element that may be an entry.
#[derive(Clone, Debug)]
struct Piece {
    element: NodeId,
    parent: Option<NodeId>,
    blocks: Range<usize>,
}

/// Elements with the same path that have a link to name them, in page order.
#[derive(Default)]
struct Group {
    pieces: Vec<Piece>,
    are_headings: bool,
}

/// Where elements of one make stand, from one walk over the tree.
struct Layout {
    groups: Vec<Group>,
    /// How much stands before each block.
    weights: Vec<f32>,
}

impl Layout {
    fn of(page: &Page<'_>, counts: impl Fn(usize) -> f32) -> Layout {
        const NONE: u32 = u32::MAX;
        let mut block_of = vec![NONE; page.dom().len()];
        let mut layout = Layout { groups: Vec::new(), weights: vec![0.0] };
        let mut weight = 0.0;
        for (place, block) in page.blocks().iter().enumerate() {
            page.runs(block).iter().for_each(|run| block_of[run.node.index()] = place as u32);
            if block.hidden.is_none() {
                weight += block.measures.text.words as f32 * counts(place);
            }
            layout.weights.push(weight);
        }
        let mut classes = Classes::default();
        let mut numbers: NumberMap<u64, usize> = NumberMap::default();
        let mut open: Vec<Open> = Vec::new();
        let mut seen = 0;
        let mut steps = page.dom().root().walk();
        while let Some(step) = steps.next() {
            match step {
                Step::Enter(node) if !node.is_element() => {
                    let block = block_of[node.id().index()];
                    seen = if block == NONE { seen } else { seen.max(block as usize + 1) };
                }
                Step::Enter(node) => {
                    if is_beside(node) || page.measures(node).text.characters == 0 {
                        // What is passed by has blocks all the same.
                        seen = node
                            .descendants()
                            .map(|below| block_of[below.id().index()])
                            .filter(|block| *block != NONE)
                            .fold(seen, |seen, block| seen.max(block as usize + 1));
                        steps.skip_below();
                        continue;
                    }
                    let above = open.last().map_or(0, |above| above.path);
                    let name = node.name().unwrap_or_default().bytes();
                    let shape = name.fold(classes.of(node).shape, |hash, byte| mix(hash, u64::from(byte)));
                    open.push(Open {
                        node: node.id(),
                        path: mix(above, shape),
                        start: seen,
                        is_named: names(page, node),
                    });
                }
                Step::Leave(node) if open.last().is_some_and(|open| open.node == node.id()) => {
                    let Some(element) = open.pop() else { continue };
                    if let Some(above) = open.last_mut() {
                        above.is_named |= element.is_named;
                    }
                    if element.is_named && element.start < seen {
                        let number = *numbers.entry(element.path).or_insert(layout.groups.len());
                        if number == layout.groups.len() {
                            layout.groups.push(Group { are_headings: is_heading(node), ..Group::default() });
                        }
                        let parent = node.parent().map(|parent| parent.id());
                        let piece = Piece { element: node.id(), parent, blocks: element.start..seen };
                        layout.groups[number].pieces.push(piece);
                    }
                }
                Step::Leave(_) => {}
            }
        }
        layout
    }

    /// The pieces with all their blocks: a heading has those up to the next one.
    fn whole(&self, group: &Group) -> Vec<Piece> {
        let mut pieces = group.pieces.clone();
        if !group.are_headings {
            return pieces;
        }
        // Where each heading has a box of its own, that is the entry, and the heading only its name.
        if pieces.iter().any(|piece| piece.parent != pieces[0].parent) {
            return Vec::new();
        }
        let mut longest = 1;
        for place in 1..pieces.len() {
            let next = pieces[place].blocks.start;
            let before = &mut pieces[place - 1];
            before.blocks.end = next.max(before.blocks.end);
            longest = longest.max(before.blocks.len());
        }
        if let Some(last) = pieces.last_mut() {
            last.blocks.end = (last.blocks.start + longest).min(self.weights.len() - 1).max(last.blocks.end);
        }
        pieces
    }

    fn weight(&self, blocks: &Range<usize>) -> f32 {
        self.weights[blocks.end] - self.weights[blocks.start]
    }
}

/// An element on the way down.
struct Open {
    node: NodeId,
    path: u64,
    start: usize,
    /// Is there a link in it that names something?
    is_named: bool,
}

/// Is it a link with a name that leads to another place?
fn names(page: &Page<'_>, node: NodeRef<'_>) -> bool {
    node.is(Name::A)
        && page.measures(node).text.characters >= NAME_CHARACTERS
        && node.attribute_named(Name::HREF).is_some_and(|href| {
            let href = href.trim();
            !href.is_empty() && !href.starts_with('#') && crate::assemble::is_safe(href)
        })
}

/// Parts of a page that repeat links, beside what it lists.
fn is_beside(node: NodeRef<'_>) -> bool {
    matches!(node.name_id(), Some(Name::NAV | Name::FOOTER | Name::ASIDE))
}

fn is_heading(node: NodeRef<'_>) -> bool {
    node.heading_level().is_some() || node.is(Name::DT)
}

/// The name of a piece: its heading, or its longest link.
fn entry(page: &Page<'_>, piece: Piece) -> Option<Entry> {
    let element = page.node(piece.element);
    let inside = || std::iter::once(element).chain(element.descendants());
    let length = |link: &NodeRef<'_>| page.measures(*link).text.characters;
    let title = |node: NodeRef<'_>| Some(folded(&node.text_content())).filter(|title| is_title(title));
    let heading = inside().find(|node| is_heading(*node) && page.measures(*node).text.characters > 0);
    // In a heading, the longest link; but one whose address goes on from there leads further, as where the owner is linked before
    // the thing ("owner / thing").
    let in_heading = heading.and_then(|heading| {
        let links = || heading.descendants().filter(|node| names(page, *node));
        let longest = links().max_by_key(length).map(|longest| {
            let start = address(longest);
            let further = links().filter(|link| address(*link).starts_with(start.trim_end_matches('/')));
            further.max_by_key(|link| address(*link).len()).unwrap_or(longest)
        });
        Some((longest, title(heading)?))
    });
    // Else the first of the longest.
    let longest = || {
        let links = inside().filter(|node| names(page, *node)).filter_map(|link| Some((link, title(link)?)));
        links.fold(None, |best: Option<(NodeRef<'_>, String)>, link| match best {
            Some(best) if length(&best.0) >= length(&link.0) => Some(best),
            _ => Some(link),
        })
    };
    let (link, title) = match in_heading {
        Some((Some(link), title)) => (link, title),
        Some((None, title)) => (longest()?.0, title),
        None => longest()?,
    };
    Some(Entry { element: piece.element, blocks: piece.blocks, title, link: link.id() })
}

fn address(link: NodeRef<'_>) -> Cow<'_, str> {
    link.attribute_named(Name::HREF).unwrap_or_default()
}

/// Does a text name something? A number or a price alone does not, nor does "Image"; a date does.
fn is_title(text: &str) -> bool {
    const WORDS: [&str; 34] = [
        "image",
        "images",
        "img",
        "photo",
        "picture",
        "bild",
        "foto",
        "imagen",
        "imagem",
        "immagine",
        "afbeelding",
        "obraz",
        "изображение",
        "фото",
        "图片",
        "圖片",
        "图",
        "画像",
        "写真",
        "eur",
        "euro",
        "usd",
        "gbp",
        "chf",
        "kr",
        "zł",
        "kč",
        "ft",
        "lei",
        "rs",
        "руб",
        "р",
        "元",
        "円",
    ];
    let is_number =
        |c: char| c.is_numeric() || c.is_whitespace() || ".,'’+-–%#()*".contains(c) || is_currency(c);
    let words = text.split(is_number).filter(|word| !word.is_empty());
    let mut names = words.filter(|word| !WORDS.contains(&word.to_lowercase().as_str()));
    names.next().is_some() || !find_dates(text, &Hints::default()).is_empty()
}

/// A sign for money.
fn is_currency(c: char) -> bool {
    matches!(c, '$' | '¢'..='¥' | '\u{20A0}'..='\u{20CF}' | '؋' | '฿' | '￥' | '＄' | '￡')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(html: &str) -> Vec<String> {
        find(&Page::parse(html), |_| true).into_iter().map(|entry| entry.title).collect()
    }

    #[test]
    fn headings_without_boxes_reach_up_to_the_next() {
        let html = "<h1>News</h1><h2><a href=/1>Harbour dues</a></h2><p>The council has no choice.<p>So it says.\
            <h2><a href=/2>The ferry</a></h2><p>It runs twice a day.<h2><a href=/3>Rain again</a></h2><p>Until Thursday.";
        let page = Page::parse(html);
        let entries = find(&page, |_| true);
        let texts: Vec<_> = entries.iter().map(|entry| entry.text(&page)).collect();
        assert_eq!(
            texts,
            ["The council has no choice.\nSo it says.", "It runs twice a day.", "Until Thursday."]
        );
    }

    #[test]
    fn a_shelf_of_which_only_the_words_about_it_are_kept_had_no_entries() {
        let words = "<p>Boats of wood and of tin, for the river, the bay and the pond in the park: what we have is what we \
            build ourselves, in the yard behind the mill, in winter, when nobody wants to sail, and what is not sold by May \
            goes to the children of the town, who know best of all what a boat is good for, and how long one lasts.</p>";
        let piece = |n: u32| format!("<li><a href=/{n}>Boat number {n}</a> {n}0 crowns</li>");
        let shelf = |count: u32| (0..count).map(piece).collect::<String>();
        let kept_words = |html: &str| {
            let page = Page::parse(html);
            of_listing(&page, |place| place == 0).len()
        };
        assert_eq!(kept_words(&format!("{words}<ul>{}</ul>", shelf(9))), 9);
        // So few may as well be a menu.
        assert_eq!(kept_words(&format!("{words}<ul>{}</ul>", shelf(4))), 0);
    }

    #[test]
    fn a_menu_is_no_listing_and_read_more_no_name() {
        let menu = "<nav><ul><li><a href=/1>Harbour</a><li><a href=/2>Ferries</a><li><a href=/3>Weather</a></ul></nav>";
        assert!(titles(&format!("{menu}<p>It rained in the harbour on Monday.")).is_empty());
        let more: String =
            (0..4).map(|n| format!("<p>It rained on day {n}. <a href=/{n}>Read more</a></p>")).collect();
        assert!(titles(&more).is_empty());
    }

    #[test]
    fn an_owner_linked_before_the_thing_gave_its_address_to_it() {
        let piece = |name: &str| {
            format!(
                "<article><h3><a href=/harbour>harbour</a> / <a href=/harbour/{name}>{name}</a></h3><p>It does {name}.</article>"
            )
        };
        let html = ["harbour", "ferry", "lanterns"].map(piece).concat();
        let page = Page::parse(&html);
        let entries = find(&page, |_| true);
        let address =
            |entry: &Entry| page.node(entry.link).attribute("href").unwrap_or_default().into_owned();
        assert_eq!(entries[0].title, "harbour / harbour");
        assert_eq!(
            entries.iter().map(address).collect::<Vec<_>>(),
            ["/harbour/harbour", "/harbour/ferry", "/harbour/lanterns"]
        );
    }

    #[test]
    fn numbers_prices_and_image_were_titles() {
        let piece = |n: u32| {
            format!(
                "<div><a href=/p/{n}>1{n}.999,00 €</a><a href=/i/{n}>Image</a><a href=/{n}>Boat {n}</a><p>It has oars.</div>"
            )
        };
        assert_eq!(titles(&(1..5).map(piece).collect::<String>()), ["Boat 1", "Boat 2", "Boat 3", "Boat 4"]);
        for text in ["12345", "€ 12.50", "USD 1,200.00", "Image", "IMAGE 3", "图片", "-20 %", "12 990 kr"]
        {
            assert!(!is_title(text), "{text}");
        }
        for text in ["Boat 3", "2026-03-01", "1 March 2026", "3D", "Images of rain", "雨"] {
            assert!(is_title(text), "{text}");
        }
    }

    #[test]
    fn what_is_said_of_an_entry_began_with_its_title_and_ended_with_a_button() {
        let piece = |n: u32| {
            format!("<div><a href=/{n}>Copper kettle {n}</a> 20 crowns<button>Add to cart</button></div>")
        };
        let html: String = (1..5).map(piece).collect();
        let page = Page::parse(&html);
        assert!(find(&page, |_| true).iter().all(|entry| entry.text(&page) == "20 crowns"));
    }

    #[test]
    fn cells_of_a_grid_are_entries() {
        let cell = |n: u32| format!("<td><a href=/{n}>Boat number {n}</a><br>100 a day</td>");
        let row = |n: u32| format!("<tr>{}{}</tr>", cell(n), cell(n + 1));
        assert_eq!(titles(&format!("<table>{}{}</table>", row(1), row(3))).len(), 4);
    }
}
