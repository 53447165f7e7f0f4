//! Block tags and their five ratios: the input of the SVM of `svm` and `template-svm`.
//!
//! Section 5 of Yan and Wang 2020 ([`template_svm`](crate::template_svm)). A block tag is a `body`, `section` or `div`;
//! its counts exclude nested block tags.

use tamis::page::Page;
use tamis_html::{Name, NodeId};

use crate::outline::Outline;

/// Counts of a block tag or a page.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Statistics {
    /// Characters of text without white space.
    pub len: u32,
    /// Characters of text in links.
    pub link_len: u32,
    /// Links: `a` with an `href`.
    pub link_num: u32,
    /// `img` elements.
    pub pic_num: u32,
}

impl Statistics {
    /// R1 to R5. One is added to every divisor (section 5.2).
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
}

/// A block tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockTag {
    /// The element; the root for text outside of every block tag.
    pub element: NodeId,
    /// Its own content.
    pub inner: Statistics,
}

/// The block tags of a page in page order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockTags {
    /// The root, for content outside of every block tag, followed by the block tags.
    pub list: Vec<BlockTag>,
    /// For each block of the page, the index in `list` of its nearest block tag.
    pub of_block: Vec<usize>,
    /// Counts of the whole page.
    pub outer: Statistics,
}

impl BlockTags {
    /// Measures the block tags of a page, without the elements for which `is_removed` returns true and the texts
    /// directly in them.
    pub fn of(page: &Page<'_>, is_removed: impl Fn(NodeId) -> bool) -> BlockTags {
        let outline = Outline::of(page);
        let mut list = vec![BlockTag { element: page.dom.root().id(), inner: Statistics::default() }];
        // The nearest block tag of each element, itself included.
        let mut nearest: Vec<usize> = Vec::with_capacity(outline.elements.len());
        for element in &outline.elements {
            if [Name::BODY, Name::SECTION, Name::DIV].iter().any(|name| element.is(*name)) {
                nearest.push(list.len());
                list.push(BlockTag { element: element.id, inner: Statistics::default() });
                continue;
            }
            let around = nearest.get(element.parent as usize).copied().unwrap_or(0);
            nearest.push(around);
            if !is_removed(element.id) {
                list[around].inner.link_num += u32::from(element.is_link);
                list[around].inner.pic_num += u32::from(element.is(Name::IMG));
            }
        }
        let mut of_block = Vec::with_capacity(page.blocks.len());
        for block in 0..page.blocks.len() {
            let texts = outline.texts(page, block);
            let tag = |element: u32| nearest.get(element as usize).copied().unwrap_or(0);
            of_block.push(texts.first().map_or(0, |text| tag(text.element)));
            for text in texts {
                let element = outline.elements.get(text.element as usize);
                if !element.is_some_and(|element| is_removed(element.id)) {
                    let inner = &mut list[tag(text.element)].inner;
                    inner.len += text.characters;
                    inner.link_len += if text.in_link { text.characters } else { 0 };
                }
            }
        }
        let sum = |count: fn(&Statistics) -> u32| list.iter().map(|tag| count(&tag.inner)).sum();
        let outer = Statistics {
            len: sum(|inner| inner.len),
            link_len: sum(|inner| inner.link_len),
            link_num: sum(|inner| inner.link_num),
            pic_num: sum(|inner| inner.pic_num),
        };
        BlockTags { list, of_block, outer }
    }

    /// R1 to R5 of a block tag.
    pub fn ratios(&self, tag: &BlockTag) -> [f64; 5] {
        tag.inner.ratios(&self.outer)
    }
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

    fn statistics([len, link_len, link_num, pic_num]: [u32; 4]) -> Statistics {
        Statistics { len, link_len, link_num, pic_num }
    }

    /// Compares with a printed number; the paper truncates some to three decimals and rounds others.
    fn is_printed_as(value: f64, printed: f64) -> bool {
        let printed = (printed * 1000.0).round();
        (value * 1000.0).floor() == printed || (value * 1000.0).round() == printed
    }

    #[test]
    fn ratios_are_those_of_the_papers_tables() {
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
        assert_eq!(tags.outer, statistics([192, 16, 7, 1]), "the last row of table 3");
        assert_eq!(tags.list[0].inner, Statistics::default());
        for (tag, (counts, printed)) in tags.list[1..].iter().zip(TABLES) {
            assert_eq!(tag.inner, statistics(counts));
            for (value, printed) in tags.ratios(tag).into_iter().zip(printed) {
                assert!(is_printed_as(value, printed), "{counts:?}: {value} is not {printed}");
            }
        }
    }

    #[test]
    fn hidden_and_removed_content_does_not_count() {
        let html = "<div>one <a href=/>two</a><b>three</b></div><div hidden>four <a href=/>five</a><img src=x></div>";
        let page = Page::parse(html);
        let find = |name| page.dom.descendants().find(|node| node.is(name)).unwrap().id();
        assert_eq!(BlockTags::of(&page, |_| false).outer, statistics([11, 3, 1, 0]));
        let (bold, link) = (find(Name::B), find(Name::A));
        assert_eq!(BlockTags::of(&page, |id| id == bold || id == link).outer, statistics([3, 0, 0, 0]));
    }
}
