//! Reading nodes: kind, text, relatives.

use std::borrow::Cow;

use crate::arena::{Mark, NONE, RawNode};
use crate::attribute::{Attribute, AttributeNamespace, Attributes};
use crate::dom::{Dom, Namespace, NodeId};
use crate::name::Name;
use crate::references;
use crate::span::Span;
use crate::tokenizer::{Doctype, Piece};
use crate::walk::{Ancestors, Children, Descendants, NextSiblings, PreviousSiblings, Walk};

/// The kind of a node.
///
/// ```
/// use tamis_html::NodeKind;
///
/// let dom = tamis_html::parse("<!doctype html><!-- why --><p>text");
/// let kinds: Vec<_> = dom.root().children().map(|node| node.kind()).collect();
/// assert_eq!(kinds, [NodeKind::Doctype, NodeKind::Comment, NodeKind::Element]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum NodeKind {
    /// The root of a page.
    Document,
    /// The content of a `template`, which is the template's only child; and the root of a parsed fragment.
    Fragment,
    /// `<!doctype html>`
    Doctype,
    /// An element.
    Element,
    /// Characters.
    Text,
    /// A comment.
    Comment,
}

/// A node of a [`Dom`]; cheap to copy.
///
/// ```
/// use tamis_html::{Name, Namespace, NodeKind};
///
/// let dom = tamis_html::parse("<!doctype html><ul class=menu><li>one<li>two<li>three</ul>");
/// let list = dom.body().unwrap().first_child().unwrap();
///
/// // What it is.
/// assert_eq!((list.kind(), list.name(), list.name_id()), (NodeKind::Element, Some("ul"), Some(Name::UL)));
/// assert!(list.is_element() && list.namespace() == Namespace::Html);
/// assert_eq!(list.attributes().count(), 1);
/// assert_eq!(list.attribute_named(Name::CLASS).unwrap(), "menu");
/// assert_eq!(list.dom().node(list.id()), Some(list));
/// let doctype = dom.root().first_child().unwrap().doctype().unwrap();
/// assert_eq!(doctype.name.as_deref(), Some("html"));
///
/// // What it says, and where.
/// assert_eq!(list.text_content(), "onetwothree");
/// assert_eq!(list.span().unwrap().start, 15);
///
/// // Its relatives.
/// let (first, last) = (list.first_child().unwrap(), list.last_child().unwrap());
/// let middle = first.next_sibling().unwrap();
/// assert_eq!(last.previous_sibling(), Some(middle));
/// assert_eq!(middle.parent(), Some(list));
/// assert_eq!((list.children().count(), list.descendants().count(), list.walk().count()), (3, 6, 14));
/// assert_eq!(first.ancestors().filter_map(|node| node.name()).collect::<Vec<_>>(), ["ul", "body", "html"]);
/// assert_eq!((first.next_siblings().count(), last.previous_siblings().count()), (2, 2));
/// ```
#[derive(Clone, Copy)]
pub struct NodeRef<'d> {
    pub(crate) dom: &'d Dom<'d>,
    pub(crate) id: u32,
}

impl PartialEq for NodeRef<'_> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(&raw const self.dom.arena, &raw const other.dom.arena) && self.id == other.id
    }
}

impl Eq for NodeRef<'_> {}

impl std::fmt::Debug for NodeRef<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.name() {
            Some(name) => write!(f, "<{name}> #{}", self.id),
            None => write!(f, "{:?} #{}", self.kind(), self.id),
        }
    }
}

impl<'d> NodeRef<'d> {
    #[inline]
    pub(crate) fn raw(&self) -> &'d RawNode {
        self.dom.arena.node(self.id)
    }

    #[inline]
    fn at(&self, id: u32) -> Option<NodeRef<'d>> {
        (id != NONE).then_some(NodeRef { dom: self.dom, id })
    }

    /// The index of the node in its tree.
    #[inline]
    pub fn id(&self) -> NodeId {
        NodeId(self.id)
    }

    /// The tree it belongs to.
    #[inline]
    pub fn dom(&self) -> &'d Dom<'d> {
        self.dom
    }

    /// The kind of the node.
    #[inline]
    pub fn kind(&self) -> NodeKind {
        self.raw().kind()
    }

    /// Whether it is an element.
    #[inline]
    pub fn is_element(&self) -> bool {
        self.kind() == NodeKind::Element
    }

    /// Whether it is an HTML element of this name.
    ///
    /// ```
    /// use tamis_html::{Name, parse};
    ///
    /// let dom = parse("<svg><title>not this</title></svg><title>this</title>");
    /// assert_eq!(dom.descendants().filter(|node| node.is(Name::TITLE)).count(), 1);
    /// ```
    #[inline]
    pub fn is(&self, name: Name) -> bool {
        let raw = self.raw();
        raw.name() == name && raw.namespace() == Namespace::Html && raw.kind() == NodeKind::Element
    }

    /// The name of an element, in lower case except for some names of SVG (`foreignObject`).
    pub fn name(&self) -> Option<&'d str> {
        self.name_id().map(|name| self.dom.arena.names.text(name))
    }

    /// An element's name as a number.
    #[inline]
    pub fn name_id(&self) -> Option<Name> {
        self.is_element().then(|| self.raw().name())
    }

    /// The level of a heading, from 1 to 6; `None` for other nodes.
    ///
    /// ```
    /// let dom = tamis_html::parse("<h2>Rain</h2><p>All day.");
    /// let levels: Vec<_> = dom.descendants().filter_map(|node| node.heading_level()).collect();
    /// assert_eq!(levels, [2]);
    /// ```
    #[inline]
    pub fn heading_level(&self) -> Option<u8> {
        self.name_id()?.heading_level()
    }

    /// An element's namespace; HTML for nodes of other kinds.
    #[inline]
    pub fn namespace(&self) -> Namespace {
        self.raw().namespace()
    }

    /// An element's attributes, in source order.
    #[inline]
    pub fn attributes(&self) -> Attributes<'d> {
        let run = if self.is_element() { self.dom.arena.attributes_of(self.id) } else { &[] };
        Attributes {
            rest: run.iter(),
            names: &self.dom.arena.names,
            source: &self.dom.source,
            is_plain: self.dom.is_plain,
        }
    }

    /// The value of an attribute without a namespace. `name` must be in lower case.
    ///
    /// ```
    /// let dom = tamis_html::parse("<a href='/one?a&amp;b'>");
    /// let a = dom.descendants().find(|node| node.name() == Some("a")).unwrap();
    /// assert_eq!(a.attribute("href").unwrap(), "/one?a&b");
    /// assert_eq!(a.attribute("title"), None);
    /// ```
    pub fn attribute(&self, name: &str) -> Option<Cow<'d, str>> {
        self.attribute_named(self.dom.arena.names.find(name)?)
    }

    /// Like [`attribute`](Self::attribute), by number, which is faster for names known at compile time.
    #[inline]
    pub fn attribute_named(&self, name: Name) -> Option<Cow<'d, str>> {
        self.attributes()
            .find(|it| it.raw.name() == name && it.raw.namespace() == AttributeNamespace::None)
            .map(|it: Attribute<'d>| it.value())
    }

    /// The doctype, if it is one.
    pub fn doctype(&self) -> Option<&'d Doctype> {
        let raw = self.raw();
        (raw.kind() == NodeKind::Doctype).then(|| self.dom.arena.doctypes.get(raw.data as usize))?
    }

    /// The decoded characters of a text or comment; empty for other nodes. Borrowed from the source if possible.
    ///
    /// ```
    /// let dom = tamis_html::parse("<p>a &amp; b");
    /// let text = dom.body().unwrap().descendants().last().unwrap();
    /// assert_eq!(text.text(), "a & b");
    /// ```
    #[inline]
    pub fn text(&self) -> Cow<'d, str> {
        let mut pieces = self.pieces();
        let source = &self.dom.source;
        let read =
            |piece: Piece| references::read_of(piece.span.of(source), piece.reading, self.dom.is_plain);
        let Some(first) = pieces.next() else { return Cow::Borrowed("") };
        let mut text = read(first);
        for piece in pieces {
            text.to_mut().push_str(&read(piece));
        }
        text
    }

    /// The source spans of a text or comment. There is one, unless it is interrupted by markup that is not in the tree,
    /// as in `one</nothing>two`.
    ///
    /// ```
    /// let dom = tamis_html::parse("<p>one</nothing>two");
    /// let text = dom.body().unwrap().descendants().last().unwrap();
    /// let parts: Vec<_> = text.text_spans().map(|span| span.of(dom.source())).collect();
    /// assert_eq!(parts, ["one", "two"]);
    /// assert_eq!(text.text(), "onetwo");
    /// ```
    #[inline]
    pub fn text_spans(&self) -> impl Iterator<Item = Span> + use<'d> {
        self.pieces().map(|piece| piece.span)
    }

    /// Whether the source of a text is nothing but spaces, tabs and line ends of ASCII; faster than decoding it.
    ///
    /// ```
    /// let dom = tamis_html::parse("<p>a</p>\n <p>b");
    /// let texts = dom.body().unwrap().children().filter(|node| node.is_ascii_blank());
    /// assert_eq!(texts.map(|node| node.text().into_owned()).collect::<Vec<_>>(), ["\n "]);
    /// ```
    #[inline]
    pub fn is_ascii_blank(&self) -> bool {
        let source = self.dom.source();
        let is_blank = |span: Span| span.of(source).bytes().all(|byte| byte.is_ascii_whitespace());
        self.kind() == NodeKind::Text && self.text_spans().all(is_blank)
    }

    #[inline]
    fn pieces(&self) -> impl Iterator<Item = Piece> + use<'d> {
        let raw = *self.raw();
        let pieces = &self.dom.arena.pieces;
        let has_text = matches!(raw.kind(), NodeKind::Text | NodeKind::Comment);
        let first = has_text.then_some(Piece { span: raw.span, reading: raw.reading() });
        let mut next = if raw.is_text() { raw.data } else { NONE };
        first.into_iter().chain(std::iter::from_fn(move || {
            let further = pieces.get(next as usize)?;
            next = further.next;
            Some(further.piece)
        }))
    }

    /// The concatenated texts below the node, like the DOM's `textContent`. Words of adjacent blocks may touch, and
    /// scripts are included; for readable text, use the crate `tamis`.
    pub fn text_content(&self) -> String {
        let mut content = String::new();
        if self.kind() == NodeKind::Text {
            content.push_str(&self.text());
        }
        for node in self.descendants() {
            if node.kind() == NodeKind::Text {
                content.push_str(&node.text());
            }
        }
        content
    }

    /// The source span of the node.
    ///
    /// An element spans from its start tag to the end of its end tag, or to the position where it was closed without
    /// one. Implied elements (such as a `tbody`) and the document have no span. A text in several parts spans all of
    /// them; the span of a comment is its content.
    pub fn span(&self) -> Option<Span> {
        let raw = self.raw();
        match raw.kind() {
            NodeKind::Document | NodeKind::Fragment => None,
            NodeKind::Element => (!raw.is_marked(Mark::NoTag)).then_some(raw.span),
            _ => self.text_spans().reduce(|a, b| Span { start: a.start.min(b.start), end: a.end.max(b.end) }),
        }
        .or_else(|| self.doctype()?.span)
    }

    /// The parent.
    #[inline]
    pub fn parent(&self) -> Option<NodeRef<'d>> {
        self.at(self.raw().parent)
    }

    /// The first child.
    #[inline]
    pub fn first_child(&self) -> Option<NodeRef<'d>> {
        if self.raw().is_text() { None } else { self.at(self.raw().first) }
    }

    /// The last child.
    #[inline]
    pub fn last_child(&self) -> Option<NodeRef<'d>> {
        if self.raw().is_text() { None } else { self.at(self.dom.arena.last_child(self.id)) }
    }

    /// The sibling before it.
    #[inline]
    pub fn previous_sibling(&self) -> Option<NodeRef<'d>> {
        self.at(self.dom.arena.previous_sibling(self.id))
    }

    /// The sibling after it.
    #[inline]
    pub fn next_sibling(&self) -> Option<NodeRef<'d>> {
        self.at(self.raw().next)
    }

    /// The children, first to last.
    #[inline]
    pub fn children(&self) -> Children<'d> {
        Children { front: self.first_child(), back: self.last_child() }
    }

    /// The nodes below it, in page order.
    #[inline]
    pub fn descendants(&self) -> Descendants<'d> {
        Descendants::below(*self)
    }

    /// Its parent, the parent's parent and so on.
    #[inline]
    pub fn ancestors(&self) -> Ancestors<'d> {
        Ancestors(self.parent())
    }

    /// The siblings after it, nearest first.
    pub fn next_siblings(&self) -> NextSiblings<'d> {
        NextSiblings(self.next_sibling())
    }

    /// The siblings before it, nearest first.
    pub fn previous_siblings(&self) -> PreviousSiblings<'d> {
        PreviousSiblings(self.previous_sibling())
    }

    /// A walk over the node and its descendants, each entered and left.
    #[inline]
    pub fn walk(&self) -> Walk<'d> {
        Walk::over(*self)
    }
}
