//! Attributes.

use std::borrow::Cow;

use crate::name::{Name, Names, SmallName};
use crate::references::{self, Reading};
use crate::span::Span;

/// The namespace of an attribute; only SVG and MathML elements have attributes with one.
///
/// ```
/// use tamis_html::AttributeNamespace;
///
/// let dom = tamis_html::parse("<svg><use xlink:href='#a' id=b>");
/// let shape = dom.descendants().find(|node| node.name() == Some("use")).unwrap();
/// let names: Vec<_> = shape.attributes().map(|it| (it.name(), it.namespace())).collect();
/// assert_eq!(names, [("href", AttributeNamespace::XLink), ("id", AttributeNamespace::None)]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum AttributeNamespace {
    /// None, as for nearly all attributes.
    None,
    /// `xlink:href` and similar.
    XLink,
    /// `xml:lang`, `xml:space`.
    Xml,
    /// `xmlns`, `xmlns:xlink`.
    Xmlns,
}

/// A stored attribute in twelve bytes: name and span of the raw value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawAttribute {
    pub(crate) value: Span,
    name: SmallName,
    /// The decoding in the lower three bits, then two for the namespace and one that marks the last of a tag.
    bits: u8,
}

const NAMESPACE_SHIFT: u8 = 3;
const LAST: u8 = 1 << 5;

impl RawAttribute {
    #[inline(always)]
    pub(crate) fn new(name: Name, value: Span, reading: Reading) -> RawAttribute {
        RawAttribute { value, name: SmallName::of(name), bits: reading.bits() }
    }

    #[inline(always)]
    pub(crate) fn name(&self) -> Name {
        self.name.name()
    }

    pub(crate) fn reading(&self) -> Reading {
        Reading::from_bits(self.bits)
    }

    #[inline]
    pub(crate) fn namespace(&self) -> AttributeNamespace {
        match self.bits >> NAMESPACE_SHIFT & 3 {
            1 => AttributeNamespace::XLink,
            2 => AttributeNamespace::Xml,
            3 => AttributeNamespace::Xmlns,
            _ => AttributeNamespace::None,
        }
    }

    /// Whether it is the last attribute of its tag.
    #[inline(always)]
    pub(crate) fn is_last(&self) -> bool {
        self.bits & LAST != 0
    }

    pub(crate) fn set_last(&mut self, last: bool) {
        self.bits = if last { self.bits | LAST } else { self.bits & !LAST };
    }

    /// Sets name and namespace in the tree.
    pub(crate) fn rename(&mut self, name: Name, namespace: AttributeNamespace) {
        self.name = SmallName::of(name);
        self.bits |= (namespace as u8) << NAMESPACE_SHIFT;
    }
}

/// One attribute of an element or tag.
///
/// ```
/// let dom = tamis_html::parse(r#"<a href="?a=1&amp;b=2" TITLE=Here>"#);
/// let a = dom.descendants().find(|node| node.name() == Some("a")).unwrap();
/// let pairs: Vec<_> = a.attributes().map(|it| (it.name(), it.value())).collect();
/// assert_eq!(pairs, [("href", "?a=1&b=2".into()), ("title", "Here".into())]);
/// let href = a.attributes().next().unwrap();
/// assert_eq!(href.name_id(), tamis_html::Name::HREF);
/// assert_eq!(href.namespace(), tamis_html::AttributeNamespace::None);
/// assert_eq!(href.value_span().of(dom.source()), "?a=1&amp;b=2");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'d> {
    pub(crate) raw: RawAttribute,
    pub(crate) names: &'d Names,
    pub(crate) source: &'d str,
    /// As in [`Dom`](crate::Dom).
    pub(crate) is_plain: bool,
}

impl<'d> Attribute<'d> {
    /// The name without its prefix, in lower case except for some names of SVG and MathML.
    #[inline]
    pub fn name(&self) -> &'d str {
        self.names.text(self.raw.name())
    }

    /// The name as a number, for fast comparison.
    #[inline]
    pub fn name_id(&self) -> Name {
        self.raw.name()
    }

    /// The namespace.
    #[inline]
    pub fn namespace(&self) -> AttributeNamespace {
        self.raw.namespace()
    }

    /// The decoded value; borrowed from the source if it has no references.
    #[inline]
    pub fn value(&self) -> Cow<'d, str> {
        references::read_of(self.raw.value.of(self.source), self.raw.reading(), self.is_plain)
    }

    /// The source span of the raw value without quotes; empty if the attribute has no value.
    pub fn value_span(&self) -> Span {
        self.raw.value
    }

    /// The name as in markup, with its prefix.
    pub(crate) fn qualified_name(&self) -> Cow<'d, str> {
        let name = self.name();
        match self.raw.namespace() {
            AttributeNamespace::None => Cow::Borrowed(name),
            AttributeNamespace::XLink => Cow::Owned(format!("xlink:{name}")),
            AttributeNamespace::Xml => Cow::Owned(format!("xml:{name}")),
            AttributeNamespace::Xmlns if name == "xmlns" => Cow::Borrowed(name),
            AttributeNamespace::Xmlns => Cow::Owned(format!("xmlns:{name}")),
        }
    }
}

/// Attributes in source order.
///
/// ```
/// let dom = tamis_html::parse("<p class=lead id=first>");
/// let attributes = dom.body().unwrap().first_child().unwrap().attributes();
/// assert_eq!(attributes.len(), 2);
/// assert_eq!(attributes.map(|it| it.name()).collect::<Vec<_>>(), ["class", "id"]);
/// ```
#[derive(Clone, Debug)]
pub struct Attributes<'d> {
    pub(crate) rest: std::slice::Iter<'d, RawAttribute>,
    pub(crate) names: &'d Names,
    pub(crate) source: &'d str,
    pub(crate) is_plain: bool,
}

impl<'d> Iterator for Attributes<'d> {
    type Item = Attribute<'d>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let raw = *self.rest.next()?;
        Some(Attribute { raw, names: self.names, source: self.source, is_plain: self.is_plain })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rest.size_hint()
    }
}

impl ExactSizeIterator for Attributes<'_> {}

/// The attributes from `first` up to the one marked as last.
#[inline]
pub(crate) fn run(all: &[RawAttribute], first: u32) -> &[RawAttribute] {
    let from = all.get(first as usize..).unwrap_or(&[]);
    let length = from.iter().position(RawAttribute::is_last).map_or(0, |last| last + 1);
    &from[..length]
}
