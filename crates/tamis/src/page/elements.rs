//! The element table: block-level elements in document order, as a struct of arrays.

use tamis_html::{Name, NodeId};

/// Sentinel for "no element" (or no group, no item, no block).
pub const NONE: u32 = u32::MAX;

/// Page regions declared by tags and roles, as bits. Elements inherit the regions of their ancestors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Region {
    Article,
    Main,
    Nav,
    Header,
    Footer,
    Aside,
    Form,
    Table,
    List,
    Quote,
    Figure,
    Pre,
    Heading,
    DefinitionList,
    Section,
    Control,
    ArticleBody,
    Dialog,
    Link,
}

impl Region {
    /// Feature names, in bit order.
    pub const NAMES: [&str; 19] = [
        "in article",
        "in main",
        "in nav",
        "in header",
        "in footer",
        "in aside",
        "in form",
        "in table",
        "in list",
        "in quote",
        "in figure",
        "in pre",
        "in heading",
        "in dl",
        "in section",
        "in control",
        "in articleBody",
        "in dialog",
        "in link",
    ];

    pub const fn bit(self) -> u32 {
        1 << self as u8
    }
}

/// Block-level elements. The subtree of `e` is the range `e..end[e]`.
#[derive(Debug, Default)]
pub struct Elements {
    pub node: Vec<NodeId>,
    pub name: Vec<Name>,
    pub parent: Vec<u32>,
    pub end: Vec<u32>,
    pub depth: Vec<u32>,
    /// Ids of `class` and `id` in the class table.
    pub class: Vec<[u32; 2]>,
    /// Bits of [`Region`].
    pub regions: Vec<u32>,
    /// Hash of the tags and class shapes on the path from the root.
    pub class_path: Vec<u64>,
    /// Hash of the tags on the path from the root.
    pub tag_path: Vec<u64>,
    /// Index of the first block in or after the element, plus a final entry.
    pub first_block: Vec<u32>,
}

impl Elements {
    pub fn clear(&mut self) {
        self.node.clear();
        self.name.clear();
        self.parent.clear();
        self.end.clear();
        self.depth.clear();
        self.class.clear();
        self.regions.clear();
        self.class_path.clear();
        self.tag_path.clear();
        self.first_block.clear();
    }

    pub fn len(&self) -> usize {
        self.name.len()
    }

    pub fn is_empty(&self) -> bool {
        self.name.is_empty()
    }

    /// The half-open range of blocks in an element's subtree.
    #[inline]
    pub fn blocks(&self, element: u32) -> (usize, usize) {
        let end = self.end[element as usize] as usize;
        (self.first_block[element as usize] as usize, self.first_block[end] as usize)
    }

    /// Whether `inner` is `outer` or a descendant of it.
    #[inline]
    pub fn is_inside(&self, inner: u32, outer: u32) -> bool {
        outer <= inner && inner < self.end[outer as usize]
    }
}

/// The region bit of a tag, or 0.
#[inline]
pub(super) fn region_of_tag(name: Name) -> u32 {
    let region = match name {
        Name::DIV | Name::P | Name::SPAN => return 0,
        Name::ARTICLE => Region::Article,
        Name::MAIN => Region::Main,
        Name::NAV => Region::Nav,
        Name::HEADER => Region::Header,
        Name::FOOTER => Region::Footer,
        Name::ASIDE => Region::Aside,
        Name::FORM => Region::Form,
        Name::TABLE => Region::Table,
        Name::UL | Name::OL | Name::MENU => Region::List,
        Name::BLOCKQUOTE => Region::Quote,
        Name::FIGURE => Region::Figure,
        Name::PRE => Region::Pre,
        Name::H1 | Name::H2 | Name::H3 | Name::H4 | Name::H5 | Name::H6 => Region::Heading,
        Name::DL => Region::DefinitionList,
        Name::SECTION => Region::Section,
        Name::BUTTON | Name::SELECT | Name::OPTION | Name::LABEL | Name::LEGEND => Region::Control,
        Name::DIALOG => Region::Dialog,
        _ => return 0,
    };
    region.bit()
}

/// The region bit of an ARIA role, or 0.
pub(super) fn region_of_role(role: &str) -> u32 {
    let region = match role {
        "main" => Region::Main,
        "article" => Region::Article,
        "navigation" | "menu" | "menubar" => Region::Nav,
        "banner" => Region::Header,
        "contentinfo" => Region::Footer,
        "complementary" => Region::Aside,
        "search" | "form" => Region::Form,
        "dialog" | "alertdialog" => Region::Dialog,
        "button" => Region::Control,
        _ => return 0,
    };
    region.bit()
}
