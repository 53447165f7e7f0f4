//! Block tags and their five ratios: what the support vector machine of `template-svm` and `svm` sees of a page.
//!
//! From the paper on templates and support vector machines, section 5. A block tag is a `body`, `section` or `div`;
//! it is measured by its own content, that of block tags inside it left out.

use tamis_html::{Name, NodeId};

use super::in_order::{Entry, InOrder};
use crate::page::Page;

/// What is counted of a block tag or a page.
///
/// ```
/// use tamis::{Page, methods::block_tags::{BlockTags, Statistics}};
///
/// let page = Page::parse("<body><div>Hello <a href=/>you</a></div>");
/// let tags = BlockTags::of(&page, |_| false);
/// assert_eq!(tags.outer, Statistics { len: 8, link_len: 3, link_num: 1, pic_num: 0 });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Statistics {
    /// Characters of text, white space left out.
    pub len: u32,
    /// Characters of text in links.
    pub link_len: u32,
    /// Links: `a` with an `href`.
    pub link_num: u32,
    /// `img` elements.
    pub pic_num: u32,
}

impl Statistics {
    /// R1 to R5. One is added to every divisor, so that none is zero (section 5.2).
    ///
    /// ```
    /// use tamis::methods::block_tags::Statistics;
    ///
    /// let outer = Statistics { len: 192, link_len: 16, link_num: 7, pic_num: 1 };
    /// let inner = Statistics { len: 6, link_len: 6, link_num: 2, pic_num: 0 };
    /// assert_eq!(inner.ratios(&outer)[2], 0.25);
    /// ```
    pub fn ratios(&self, outer: &Statistics) -> [f64; 5] {
        let ratio = |part: u32, whole: u32| f64::from(part) / (f64::from(whole) + 1.0);
        [
            ratio(self.len, outer.len),
            ratio(self.link_len, outer.link_len),
            ratio(self.link_num, outer.link_num),
            ratio(self.pic_num, outer.pic_num),
            ratio(self.link_len, self.len),
        ]
    }

    fn add(&mut self, other: &Statistics) {
        self.len += other.len;
        self.link_len += other.link_len;
        self.link_num += other.link_num;
        self.pic_num += other.pic_num;
    }
}

/// A block tag.
///
/// ```
/// use tamis::{Page, methods::block_tags::BlockTags};
///
/// let page = Page::parse("<body>one<div>three</div>");
/// let tags = BlockTags::of(&page, |_| false);
/// let seen: Vec<_> = tags.list.iter().map(|tag| (page.node(tag.element).name(), tag.inner.len)).collect();
/// assert_eq!(seen, [(None, 0), (Some("body"), 3), (Some("div"), 5)]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockTag {
    /// The element; the root for text outside of every block tag, which only fragments have.
    pub element: NodeId,
    /// Its own content.
    pub inner: Statistics,
}

/// The block tags of a page, in page order, and to which of them each block belongs.
///
/// ```
/// use tamis::{Page, methods::block_tags::BlockTags};
///
/// let page = Page::parse("<body>one<div>two <a href=/>three</a></div>four");
/// let tags = BlockTags::of(&page, |_| false);
/// assert_eq!(tags.outer.len, 15);
/// assert_eq!(tags.of_block, [1, 2, 1]);
/// assert_eq!((tags.list[2].inner.len, tags.list[2].inner.link_len), (8, 5));
/// assert_eq!(tags.ratios(&tags.list[2])[0], 8.0 / 16.0); // R1: its share of the page's text
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockTags {
    /// The root, for what stands in no block tag, and then the block tags.
    pub list: Vec<BlockTag>,
    /// For each block of the page, the place in `list` of its nearest block tag.
    pub of_block: Vec<usize>,
    /// What the whole page holds.
    pub outer: Statistics,
}

impl BlockTags {
    /// Measures the block tags of a page. Elements for which `is_removed` is true do not count, nor do the texts that
    /// stand directly in them. Hidden content does not count.
    pub fn of(page: &Page<'_>, is_removed: impl Fn(NodeId) -> bool) -> BlockTags {
        BlockTags::in_order(page, &InOrder::of(page), is_removed)
    }

    /// Likewise, of a page whose elements were put in order already.
    pub(crate) fn in_order(
        page: &Page<'_>,
        in_order: &InOrder,
        is_removed: impl Fn(NodeId) -> bool,
    ) -> BlockTags {
        let root = page.dom().root();
        let mut list = vec![BlockTag { element: root.id(), inner: Statistics::default() }];
        // For each element, the place in the list of the block tag that it is or stands in.
        let mut nearest: Vec<u32> = Vec::with_capacity(in_order.list.len());
        for entry in &in_order.list {
            if is_block_tag(entry) {
                nearest.push(list.len() as u32);
                list.push(BlockTag { element: entry.id, inner: Statistics::default() });
                continue;
            }
            let outside = nearest.get(entry.parent as usize).copied().unwrap_or(0);
            nearest.push(outside);
            // Nothing else is counted.
            if matches!(entry.name, Name::A | Name::IMG) && !is_removed(entry.id) {
                let inner = &mut list[outside as usize].inner;
                inner.link_num += u32::from(is_shown_link(page, entry));
                inner.pic_num += u32::from(is_shown_picture(page, entry));
            }
        }
        let nearest = |in_order: u32| nearest.get(in_order as usize).map_or(0, |tag| *tag as usize);
        let mut of_block = Vec::with_capacity(page.blocks().len());
        for block in page.blocks() {
            let places = in_order.runs(block);
            of_block.push(places.first().map_or(0, |place| nearest(place.nearest)));
            if block.hidden.is_some() {
                continue;
            }
            for (run, place) in page.runs(block).iter().zip(places) {
                let text = page.node(run.node);
                if text.parent().is_some_and(|parent| is_removed(parent.id())) {
                    continue;
                }
                let inner = &mut list[nearest(place.nearest)].inner;
                inner.len += run.characters;
                inner.link_len += if run.in_link { run.characters } else { 0 };
            }
        }
        let mut outer = Statistics::default();
        list.iter().for_each(|tag| outer.add(&tag.inner));
        BlockTags { list, of_block, outer }
    }

    /// R1 to R5 of a block tag.
    pub fn ratios(&self, tag: &BlockTag) -> [f64; 5] {
        tag.inner.ratios(&self.outer)
    }
}

fn is_block_tag(entry: &Entry) -> bool {
    matches!(entry.name, Name::BODY | Name::SECTION | Name::DIV) && entry.is_html
}

/// Links that are hidden, or inside of what is never shown, are not among the page's measures.
fn is_shown_link(page: &Page<'_>, entry: &Entry) -> bool {
    let node = page.node(entry.id);
    entry.is(Name::A) && page.measures(node).links > 0 && node.attribute_named(Name::HREF).is_some()
}

fn is_shown_picture(page: &Page<'_>, entry: &Entry) -> bool {
    entry.is(Name::IMG) && page.measures(page.node(entry.id)).images > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables 3 and 4 of the paper: text, link text, `a` and `img` of each block tag, and R1 to R5.
    const TABLES: [([u32; 4], [f64; 5]); 6] = [
        ([6, 6, 2, 0], [0.031, 0.353, 0.25, 0.0, 0.857]),
        ([10, 10, 5, 0], [0.052, 0.588, 0.625, 0.0, 0.909]),
        ([83, 0, 0, 0], [0.430, 0.0, 0.0, 0.0, 0.0]),
        ([13, 0, 0, 0], [0.067, 0.0, 0.0, 0.0, 0.0]),
        ([15, 0, 0, 1], [0.078, 0.0, 0.0, 0.5, 0.0]),
        ([65, 0, 0, 0], [0.336, 0.0, 0.0, 0.0, 0.0]),
    ];

    /// The paper cuts off some numbers after three places and rounds others.
    fn is_printed_as(value: f64, printed: f64) -> bool {
        let thousands = value * 1000.0;
        let printed = (printed * 1000.0).round();
        thousands.floor() == printed || thousands.round() == printed
    }

    #[test]
    fn the_ratios_are_those_of_the_papers_tables() {
        let statistics =
            |[len, link_len, link_num, pic_num]: [u32; 4]| Statistics { len, link_len, link_num, pic_num };
        let mut outer = Statistics::default();
        TABLES.iter().for_each(|(counts, _)| outer.add(&statistics(*counts)));
        assert_eq!(outer, statistics([192, 16, 7, 1]), "the last row of table 3");
        for (counts, printed) in TABLES {
            let ratios = statistics(counts).ratios(&outer);
            for (value, printed) in ratios.into_iter().zip(printed) {
                assert!(is_printed_as(value, printed), "{counts:?}: {value} is not {printed}");
            }
        }
    }

    #[test]
    fn a_page_with_the_counts_of_table_3_has_the_ratios_of_table_4() {
        let text = |length: usize| "字".repeat(length);
        let links =
            |each: &[usize]| each.iter().map(|&it| format!("<a href=/>{}</a>", text(it))).collect::<String>();
        let html = format!(
            "<body><p>{}</p><div>{}</div><div>{}<div>{}</div><div>{}<img src=x></div></div><div>{}</div>",
            links(&[3, 3]),
            links(&[2, 2, 2, 2, 2]),
            text(83),
            text(13),
            text(15),
            text(65),
        );
        let page = Page::parse(&html);
        let tags = BlockTags::of(&page, |_| false);
        assert_eq!(tags.outer, Statistics { len: 192, link_len: 16, link_num: 7, pic_num: 1 });
        assert_eq!(tags.list[0].inner, Statistics::default());
        for (tag, (_, printed)) in tags.list[1..].iter().zip(TABLES) {
            let ratios = tags.ratios(tag);
            assert!(
                ratios.into_iter().zip(printed).all(|(value, printed)| is_printed_as(value, printed)),
                "{tag:?}"
            );
        }
    }

    #[test]
    fn hidden_and_removed_content_does_not_count() {
        let page = Page::parse(
            "<div>one <a href=/>two</a><b>three</b></div><div hidden>four <a href=/>five</a><img src=x></div>",
        );
        let bold = page.dom().descendants().find(|node| node.is(Name::B)).unwrap().id();
        let link = page.dom().descendants().find(|node| node.is(Name::A)).unwrap().id();
        let tags = BlockTags::of(&page, |_| false);
        assert_eq!(tags.outer, Statistics { len: 11, link_len: 3, link_num: 1, pic_num: 0 });
        let tags = BlockTags::of(&page, |id| id == bold || id == link);
        assert_eq!(tags.outer, Statistics { len: 3, link_len: 0, link_num: 0, pic_num: 0 });
    }
}
