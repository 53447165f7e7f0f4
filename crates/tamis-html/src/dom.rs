//! The tree of a page: all nodes in one arena, linked by index.
//!
//! Such a tree is built, walked and dropped without recursion, and its nodes are contiguous in memory. Texts, names and
//! values are spans of the source.

use std::borrow::Cow;

use crate::arena::{Arena, FurtherPiece, RawNode};
use crate::attribute::RawAttribute;
use crate::limits::Limit;
use crate::name::Name;
use crate::node::NodeKind;
use crate::node::NodeRef;
use crate::tokens::TokenLog;
use crate::walk::Descendants;

/// The index of a node in its [`Dom`].
///
/// ```
/// let dom = tamis_html::parse("<p>text");
/// let id = dom.body().unwrap().id();
/// assert_eq!(dom.node(id).unwrap().name(), Some("body"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The index, for tables parallel to the tree.
    ///
    /// ```
    /// let dom = tamis_html::parse("<p>text");
    /// let mut seen = vec![false; dom.len()];
    /// for node in dom.descendants() {
    ///     seen[node.id().index()] = true;
    /// }
    /// assert_eq!(seen.iter().filter(|seen| **seen).count(), 5); // html, head, body, p and its text
    /// ```
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The inverse of [`index`](Self::index).
    ///
    /// ```
    /// use tamis_html::NodeId;
    ///
    /// let dom = tamis_html::parse("<p>text");
    /// assert_eq!(dom.node(NodeId::from_index(0)), Some(dom.root()));
    /// ```
    pub fn from_index(index: usize) -> NodeId {
        NodeId(index as u32)
    }
}

/// The namespace of an element.
///
/// ```
/// use tamis_html::Namespace;
///
/// let dom = tamis_html::parse("<p><svg><path></svg><math><mi>x</math>");
/// let of = |name| dom.descendants().find(|node| node.name() == Some(name)).unwrap().namespace();
/// assert_eq!([of("p"), of("path"), of("mi")], [Namespace::Html, Namespace::Svg, Namespace::MathMl]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Namespace {
    /// HTML.
    Html,
    /// MathML, from `<math>` on.
    MathMl,
    /// SVG, from `<svg>` on.
    Svg,
}

/// The rendering mode of browsers for the page's doctype.
///
/// ```
/// use tamis_html::{QuirksMode, parse};
///
/// assert_eq!(parse("<!doctype html><p>").quirks_mode(), QuirksMode::NoQuirks);
/// assert_eq!(parse("<p>").quirks_mode(), QuirksMode::Quirks);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum QuirksMode {
    /// A modern doctype.
    #[default]
    NoQuirks,
    /// A doctype of the transitional kind.
    LimitedQuirks,
    /// No doctype or a very old one.
    Quirks,
}

/// A parsed page.
///
/// Node 0 is the document, [`root`](Dom::root). The tree owns or borrows the source it was parsed from.
///
/// ```
/// let dom = tamis_html::parse("<title>A page</title><p>One<p>Two");
/// let paragraphs: Vec<_> =
///     dom.descendants().filter(|node| node.name() == Some("p")).map(|p| p.text_content()).collect();
/// assert_eq!(paragraphs, ["One", "Two"]);
///
/// let parts = [dom.html(), dom.head(), dom.body()].map(|node| node.and_then(|node| node.name()));
/// assert_eq!(parts, [Some("html"), Some("head"), Some("body")]);
/// assert_eq!(dom.root().first_child(), dom.html());
/// let title = dom.head().unwrap().first_child().unwrap();
/// assert_eq!(dom.node(title.id()), Some(title));
/// assert_eq!(dom.name_text(tamis_html::Name::TITLE), "title");
/// assert_eq!(dom.quirks_mode(), tamis_html::QuirksMode::Quirks, "there is no doctype");
/// assert!(dom.len() > 8 && !dom.is_empty() && dom.memory() > 0);
/// assert!(dom.source().starts_with("<title>"));
/// ```
#[derive(Clone, Debug)]
pub struct Dom<'s> {
    pub(crate) source: Cow<'s, str>,
    /// Whether only references of the source need decoding.
    pub(crate) is_plain: bool,
    pub(crate) arena: Arena,
    pub(crate) quirks: QuirksMode,
    pub(crate) scripting: bool,
    pub(crate) limit_reached: Option<Limit>,
    /// The tokens that it was built from, if they were recorded.
    pub(crate) tokens: Option<TokenLog>,
}

impl<'s> Dom<'s> {
    /// The document node, or the root of a fragment.
    #[inline]
    pub fn root(&self) -> NodeRef<'_> {
        NodeRef { dom: self, id: 0 }
    }

    /// The node with this id, if it exists.
    #[inline]
    pub fn node(&self, id: NodeId) -> Option<NodeRef<'_>> {
        (id.index() < self.len()).then_some(NodeRef { dom: self, id: id.0 })
    }

    /// All nodes below the document, in document order.
    pub fn descendants(&self) -> Descendants<'_> {
        self.root().descendants()
    }

    /// The `html` element.
    pub fn html(&self) -> Option<NodeRef<'_>> {
        self.root().children().find(|node| node.is(Name::HTML))
    }

    /// The `head` element.
    pub fn head(&self) -> Option<NodeRef<'_>> {
        self.html()?.children().find(|node| node.is(Name::HEAD))
    }

    /// The `body` or `frameset` element.
    pub fn body(&self) -> Option<NodeRef<'_>> {
        self.html()?.children().find(|node| node.is(Name::BODY) || node.is(Name::FRAMESET))
    }

    /// The HTML elements of a name, in the order in which they were made, including removed ones.
    ///
    /// ```
    /// let dom = tamis_html::parse("<title>a</title><svg><title>b</title></svg>");
    /// assert_eq!(dom.elements_named(tamis_html::Name::TITLE).count(), 1);
    /// ```
    pub fn elements_named(&self, name: Name) -> impl Iterator<Item = NodeRef<'_>> {
        let ids = (0_u32..).zip(&self.arena.nodes);
        let named = ids.filter(move |(_, node)| node.name() == name && node.kind() == NodeKind::Element);
        named.map(|(id, _)| NodeRef { dom: self, id }).filter(|node| node.namespace() == Namespace::Html)
    }

    /// The number of nodes, including removed ones: one more than the highest [`NodeId::index`].
    #[inline]
    pub fn len(&self) -> usize {
        self.arena.nodes.len()
    }

    /// Whether there is only the document node, which is possible for a fragment.
    pub fn is_empty(&self) -> bool {
        self.len() <= 1
    }

    /// The text the page was parsed from, up to the limit on its size.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The text of a name.
    pub fn name_text(&self, name: Name) -> &str {
        self.arena.names.text(name)
    }

    /// The number of a name in lower case, if it is known at compile time or a tag or an attribute of the page has it.
    ///
    /// ```
    /// let dom = tamis_html::parse("<x-y>");
    /// assert!(dom.name_of("x-y").is_some() && dom.name_of("x-z").is_none());
    /// ```
    pub fn name_of(&self, text: &str) -> Option<Name> {
        self.arena.names.find(text)
    }

    /// The rendering mode of browsers.
    pub fn quirks_mode(&self) -> QuirksMode {
        self.quirks
    }

    /// The limit that the page reached, if any; the tree is then incomplete. Of several limits, the most severe: bytes
    /// before nodes, attributes and depth.
    ///
    /// ```
    /// use tamis_html::{Limit, Limits, Parser};
    ///
    /// let limits = Limits { nodes: 100, ..Limits::default() };
    /// let page = "<p>a".repeat(1000);
    /// let dom = Parser::new().limits(limits).parse(&page);
    /// assert_eq!(dom.limit_reached(), Some(Limit::Nodes(100)));
    /// assert!(dom.len() > 40 && dom.len() <= 100);
    /// ```
    pub fn limit_reached(&self) -> Option<Limit> {
        self.limit_reached
    }

    /// The memory of the tree in bytes, without the source.
    pub fn memory(&self) -> usize {
        let arena = &self.arena;
        arena.nodes.capacity() * size_of::<RawNode>()
            + arena.attributes.capacity() * size_of::<RawAttribute>()
            + arena.pieces.capacity() * size_of::<FurtherPiece>()
            + arena.names.memory()
    }
}
