//! The standard's lists of elements, as bits.

use crate::dom::Namespace;
use crate::name::{KNOWN_COUNT, Name};

/// The lists that contain an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Traits(u16);

impl Traits {
    pub(super) const NONE: Traits = Traits(0);
    /// "Special" elements.
    pub(super) const SPECIAL: Traits = Traits(1);
    /// Bounds a scope.
    pub(super) const SCOPE: Traits = Traits(1 << 1);
    /// Special, except `address`, `div` and `p`: ends the search for an open list item.
    pub(super) const STOPS_ITEMS: Traits = Traits(1 << 2);
    /// Its end tag may be implied.
    pub(super) const IMPLIED_END: Traits = Traits(1 << 3);
    /// Its end tag may be implied at the end of a template.
    pub(super) const IMPLIED_END_THOROUGHLY: Traits = Traits(1 << 4);
    /// Formatting: `b`, `a` and so on.
    pub(super) const FORMATTING: Traits = Traits(1 << 5);
    /// Text and disallowed elements directly inside of it are foster-parented.
    pub(super) const FOSTERS: Traits = Traits(1 << 6);
    /// SVG or MathML.
    pub(super) const FOREIGN: Traits = Traits(1 << 7);
    /// MathML whose text is HTML.
    pub(super) const TEXT_POINT: Traits = Traits(1 << 8);
    /// SVG or MathML whose content is HTML.
    pub(super) const HTML_POINT: Traits = Traits(1 << 9);
    /// Closing it has a side effect (`option`, `select`).
    pub(super) const CLOSES_LOUDLY: Traits = Traits(1 << 10);

    #[inline(always)]
    pub(super) const fn has(self, other: Traits) -> bool {
        self.0 & other.0 != 0
    }

    const fn and(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }
}

const SPECIAL: &[Name] = &[
    Name::ADDRESS,
    Name::APPLET,
    Name::AREA,
    Name::ARTICLE,
    Name::ASIDE,
    Name::BASE,
    Name::BASEFONT,
    Name::BGSOUND,
    Name::BLOCKQUOTE,
    Name::BODY,
    Name::BR,
    Name::BUTTON,
    Name::CAPTION,
    Name::CENTER,
    Name::COL,
    Name::COLGROUP,
    Name::DD,
    Name::DETAILS,
    Name::DIR,
    Name::DIV,
    Name::DL,
    Name::DT,
    Name::EMBED,
    Name::FIELDSET,
    Name::FIGCAPTION,
    Name::FIGURE,
    Name::FOOTER,
    Name::FORM,
    Name::FRAME,
    Name::FRAMESET,
    Name::H1,
    Name::H2,
    Name::H3,
    Name::H4,
    Name::H5,
    Name::H6,
    Name::HEAD,
    Name::HEADER,
    Name::HGROUP,
    Name::HR,
    Name::HTML,
    Name::IFRAME,
    Name::IMG,
    Name::INPUT,
    Name::KEYGEN,
    Name::LI,
    Name::LINK,
    Name::LISTING,
    Name::MAIN,
    Name::MARQUEE,
    Name::MENU,
    Name::META,
    Name::NAV,
    Name::NOEMBED,
    Name::NOFRAMES,
    Name::NOSCRIPT,
    Name::OBJECT,
    Name::OL,
    Name::P,
    Name::PARAM,
    Name::PLAINTEXT,
    Name::PRE,
    Name::SCRIPT,
    Name::SEARCH,
    Name::SECTION,
    Name::SELECT,
    Name::SOURCE,
    Name::STYLE,
    Name::SUMMARY,
    Name::TABLE,
    Name::TBODY,
    Name::TD,
    Name::TEMPLATE,
    Name::TEXTAREA,
    Name::TFOOT,
    Name::TH,
    Name::THEAD,
    Name::TITLE,
    Name::TR,
    Name::TRACK,
    Name::UL,
    Name::WBR,
    Name::XMP,
];

const SCOPE: &[Name] = &[
    Name::APPLET,
    Name::CAPTION,
    Name::HTML,
    Name::TABLE,
    Name::TD,
    Name::TH,
    Name::MARQUEE,
    Name::OBJECT,
    Name::SELECT,
    Name::TEMPLATE,
];

const IMPLIED_END: &[Name] = &[
    Name::DD,
    Name::DT,
    Name::LI,
    Name::OPTGROUP,
    Name::OPTION,
    Name::P,
    Name::RB,
    Name::RP,
    Name::RT,
    Name::RTC,
];

const IMPLIED_END_IN_TABLES: &[Name] =
    &[Name::CAPTION, Name::COLGROUP, Name::TBODY, Name::TD, Name::TFOOT, Name::TH, Name::THEAD, Name::TR];

const FORMATTING: &[Name] = &[
    Name::A,
    Name::B,
    Name::BIG,
    Name::CODE,
    Name::EM,
    Name::FONT,
    Name::I,
    Name::NOBR,
    Name::S,
    Name::SMALL,
    Name::STRIKE,
    Name::STRONG,
    Name::TT,
    Name::U,
];

const FOSTERS: &[Name] = &[Name::TABLE, Name::TBODY, Name::TFOOT, Name::THEAD, Name::TR];

static HTML: [Traits; KNOWN_COUNT] = {
    let mut table = [Traits::NONE; KNOWN_COUNT];
    table = mark(table, SPECIAL, Traits::SPECIAL.and(Traits::STOPS_ITEMS));
    table[Name::ADDRESS.0 as usize] = Traits::SPECIAL;
    table[Name::DIV.0 as usize] = Traits::SPECIAL;
    table[Name::P.0 as usize] = Traits::SPECIAL;
    table = mark(table, SCOPE, Traits::SCOPE);
    table = mark(table, IMPLIED_END, Traits::IMPLIED_END.and(Traits::IMPLIED_END_THOROUGHLY));
    table = mark(table, IMPLIED_END_IN_TABLES, Traits::IMPLIED_END_THOROUGHLY);
    table = mark(table, FORMATTING, Traits::FORMATTING);
    table = mark(table, FOSTERS, Traits::FOSTERS);
    mark(table, &[Name::OPTION, Name::SELECT], Traits::CLOSES_LOUDLY)
};

const fn mark(mut table: [Traits; KNOWN_COUNT], names: &[Name], traits: Traits) -> [Traits; KNOWN_COUNT] {
    let mut i = 0;
    while i < names.len() {
        let at = names[i].0 as usize;
        table[at] = table[at].and(traits);
        i += 1;
    }
    table
}

/// The traits of an element; `html_inside` is for an `annotation-xml` whose encoding is HTML.
#[inline(always)]
pub(super) fn of(namespace: Namespace, name: Name, html_inside: bool) -> Traits {
    match namespace {
        Namespace::Html => HTML.get(name.0 as usize).copied().unwrap_or(Traits::NONE),
        _ => of_foreign(namespace, name, html_inside),
    }
}

#[cold]
fn of_foreign(namespace: Namespace, name: Name, html_inside: bool) -> Traits {
    let barrier = Traits::SPECIAL.and(Traits::SCOPE).and(Traits::STOPS_ITEMS).and(Traits::FOREIGN);
    match (namespace, name) {
        (Namespace::MathMl, Name::MI | Name::MO | Name::MN | Name::MS | Name::MTEXT) => {
            barrier.and(Traits::TEXT_POINT)
        }
        (Namespace::MathMl, Name::ANNOTATION_XML) if html_inside => barrier.and(Traits::HTML_POINT),
        (Namespace::MathMl, Name::ANNOTATION_XML) => barrier,
        (Namespace::Svg, Name::SVG_FOREIGNOBJECT | Name::DESC | Name::TITLE) => {
            barrier.and(Traits::HTML_POINT)
        }
        _ => Traits::FOREIGN,
    }
}
