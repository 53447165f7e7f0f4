//! One walk over the page that picks up whatever may speak of its facts. Nothing is decided here.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use tamis_html::{Name, Namespace, NodeKind, NodeRef, Step};

use crate::page::Page;

/// How many of one thing are kept: a page that has more of them says nothing with the rest.
const MOST: usize = 400;
/// The same for pictures with a caption: that of the text is one of the first.
const MOST_FIGURES: usize = 40;
/// How many bytes of `title` are looked at: several times what any title has.
const LONGEST_TITLE: usize = 2_000;

/// A `meta` element: what it is about, in small letters, and what it says.
pub(super) struct Meta<'d> {
    pub(super) key: String,
    pub(super) content: Cow<'d, str>,
    /// Is it a part of microdata, which may stand in the middle of the page, and not one of `head`?
    pub(super) is_microdata: bool,
    pub(super) node: NodeRef<'d>,
}

/// An element that carries `itemprop` or RDFa's `property`.
pub(super) struct Property<'d> {
    pub(super) names: Cow<'d, str>,
    pub(super) node: NodeRef<'d>,
    pub(super) is_rdfa: bool,
}

/// What was picked up.
#[derive(Default)]
pub(super) struct Scan<'d> {
    pub(super) title: Option<NodeRef<'d>>,
    pub(super) metas: Vec<Meta<'d>>,
    /// The keys of these, once they are many.
    more: HashSet<String>,
    /// `link`, and `a` with a `rel`.
    pub(super) links: Vec<(String, NodeRef<'d>)>,
    pub(super) json_ld: Vec<NodeRef<'d>>,
    pub(super) times: Vec<NodeRef<'d>>,
    pub(super) headings: Vec<(u8, NodeRef<'d>)>,
    pub(super) properties: Vec<Property<'d>>,
    pub(super) figures: Vec<NodeRef<'d>>,
    /// Elements whose class or id speaks of a date.
    pub(super) dated: Vec<NodeRef<'d>>,
    /// Elements whose class or id speaks of an author.
    pub(super) signed: Vec<NodeRef<'d>>,
    /// What elements carry for scripts under a name that speaks of a date: `data-date`, `data-published`.
    pub(super) carried: Vec<(NodeRef<'d>, Cow<'d, str>)>,
}

impl<'d> Scan<'d> {
    /// Classes and ids are looked at only in `near`, stretches of the source around the ends of the text.
    pub(super) fn of(page: &'d Page<'_>, near: &[Range<u32>]) -> Scan<'d> {
        let mut scan = Scan::default();
        let source = page.dom().source();
        for entry in &page.in_order().list {
            scan.look_at(page.node(entry.id), source, near);
        }
        scan
    }

    fn look_at(&mut self, node: NodeRef<'d>, source: &str, near: &[Range<u32>]) {
        match node.name_id() {
            Some(Name::META) => return self.meta(node),
            // A drawing has a title as well.
            Some(Name::TITLE) if self.title.is_none() && node.namespace() == Namespace::Html => {
                self.title = Some(node);
            }
            Some(Name::SCRIPT) => {
                let kind = node.attribute_named(Name::TYPE).unwrap_or_default();
                // Most are programs.
                let is_data = kind.contains('+') && kind.to_ascii_lowercase().contains("ld+json");
                if is_data && self.json_ld.len() < MOST {
                    self.json_ld.push(node);
                }
                return;
            }
            Some(Name::TIME) if self.times.len() < MOST => self.times.push(node),
            Some(Name::LINK) => {
                if let Some(rel) = node.attribute_named(Name::REL)
                    && self.links.len() < MOST
                {
                    self.links.push((rel.to_ascii_lowercase(), node));
                }
                if node.attribute_named(Name::ITEMPROP).is_none() {
                    return;
                }
            }
            Some(Name::FIGURE) if self.figures.len() < MOST_FIGURES && node.is(Name::FIGURE) => {
                self.figures.push(node);
            }
            Some(name) => {
                if let Some(level) = name.heading_level().filter(|_| self.headings.len() < MOST) {
                    self.headings.push((level, node));
                }
            }
            None => {}
        }
        for attribute in node.attributes() {
            match attribute.name_id() {
                // As it is written: no reference spells a word that is looked for.
                Name::CLASS | Name::ID => {
                    let span = attribute.value_span();
                    if near.iter().any(|stretch| stretch.contains(&span.start)) {
                        self.named(node, span.of(source));
                    }
                }
                Name::ITEMPROP => self.property(node, attribute.value(), false),
                Name::PROPERTY => self.property(node, attribute.value(), true),
                Name::REL if node.is(Name::A) && self.links.len() < MOST => {
                    self.links.push((attribute.value().to_ascii_lowercase(), node));
                }
                // As long as a date may be; the name is asked last.
                _ => {
                    let span = attribute.value_span();
                    if (6..=40).contains(&span.end.saturating_sub(span.start))
                        && self.carried.len() < MOST
                        && carries_date(attribute.name())
                    {
                        self.carried.push((node, attribute.value()));
                    }
                }
            }
        }
    }

    fn meta(&mut self, node: NodeRef<'d>) {
        let Some(content) = node.attribute_named(Name::CONTENT).filter(|content| !content.trim().is_empty())
        else {
            return;
        };
        let itemprop = node.attribute_named(Name::ITEMPROP);
        let is_microdata = itemprop.is_some();
        let key = node
            .attribute_named(Name::PROPERTY)
            .or_else(|| node.attribute_named(Name::NAME))
            .or(itemprop)
            .or_else(|| node.attribute_named(Name::HTTP_EQUIV));
        let Some(key) = key.map(|key| key.trim().to_ascii_lowercase()) else { return };
        // However many tags come first, what a key says for the first time is kept.
        if self.metas.len() >= MOST {
            if self.more.is_empty() {
                self.more = self.metas.iter().map(|meta| meta.key.clone()).collect();
            }
            if self.more.len() >= 2 * MOST || !self.more.insert(key.clone()) {
                return;
            }
        }
        self.metas.push(Meta { key, content, is_microdata, node });
    }

    fn property(&mut self, node: NodeRef<'d>, names: Cow<'d, str>, is_rdfa: bool) {
        if self.properties.len() < MOST {
            self.properties.push(Property { names, node, is_rdfa });
        }
    }

    /// Looks for words in a class or an id.
    fn named(&mut self, node: NodeRef<'d>, value: &str) {
        let (dated, signed) = speaks_of(value);
        if dated && self.dated.len() < MOST && self.dated.last().is_none_or(|last| *last != node) {
            self.dated.push(node);
        }
        if signed && self.signed.len() < MOST && self.signed.last().is_none_or(|last| *last != node) {
            self.signed.push(node);
        }
    }

    /// The first content of any of these metas, in the order of the keys.
    pub(super) fn meta_named(&self, keys: &[&str]) -> Option<&str> {
        keys.iter()
            .find_map(|key| self.metas.iter().find(|meta| meta.key == *key).map(|meta| meta.content.trim()))
    }

    /// The `title` element, its white space folded; of one that is too long, its beginning.
    pub(super) fn title_text(&self) -> String {
        let whole = self.title.map(|title| title.text_content()).unwrap_or_default();
        folded(super::clean::beginning(&whole, LONGEST_TITLE))
    }
}

/// Does an attribute of a page's own carry a date, by its name? When it was changed, or when something begins, is another one.
fn carries_date(name: &str) -> bool {
    let Some(own) = name.strip_prefix("data-") else { return false };
    matches!(
        own,
        "date"
            | "datetime"
            | "date-time"
            | "pubdate"
            | "pub-date"
            | "published"
            | "publish-date"
            | "published-at"
            | "published-date"
            | "publish-time"
            | "publication-date"
            | "post-date"
            | "posted"
            | "timestamp"
    )
}

/// A bit for each letter with which one of the words begins.
const FIRST: u32 = 1 << 1 | 1 << 2 | 1 << 4 | 1 << 6 | 1 << 16 | 1 << 20 | 1 << 23;

/// Do classes speak of a date, of an author? One look at each byte.
fn speaks_of(value: &str) -> (bool, bool) {
    let bytes = value.as_bytes();
    let (mut dated, mut signed) = (false, false);
    for (at, window) in bytes.windows(4).enumerate() {
        // The words begin with a, b, d, f, p, t or w; most letters do not.
        if FIRST >> (window[0] & 31) & 1 == 0 {
            continue;
        }
        let four = [window[0] | 0x20, window[1] | 0x20, window[2] | 0x20, window[3] | 0x20];
        match &four {
            // Not `update-form`, but `updated`; not `candidate`.
            b"date" => {
                dated |= !follows(bytes, at, b"up")
                    && !follows(bytes, at, b"candi")
                    && !follows(bytes, at, b"vali")
            }
            b"time" => {
                dated |= !goes_on(bytes, at + 4, b"line")
                    && !goes_on(bytes, at + 4, b"r")
                    && !follows(bytes, at, b"run")
            }
            b"publ" | b"fech" | b"datu" | b"post" => {
                dated |= four[0] != b'p'
                    || four[1] == b'u'
                    || goes_on(bytes, at + 4, b"ed")
                    || goes_on(bytes, at + 4, b"-info");
            }
            b"auth" => signed |= goes_on(bytes, at + 4, b"or"),
            b"byli" | b"writ" | b"auto" => signed |= four != *b"auto" || goes_on(bytes, at + 4, b"r"),
            _ => {}
        }
    }
    (dated, signed)
}

fn follows(bytes: &[u8], at: usize, before: &[u8]) -> bool {
    at.checked_sub(before.len()).is_some_and(|start| bytes[start..at].eq_ignore_ascii_case(before))
}

fn goes_on(bytes: &[u8], at: usize, with: &[u8]) -> bool {
    bytes.get(at..at + with.len()).is_some_and(|next| next.eq_ignore_ascii_case(with))
}

/// A text with its white space folded, and without what is not seen in it.
pub(super) fn folded(text: &str) -> String {
    super::clean::text(text).into_owned()
}

/// What an element says to a reader, white space folded; scripts and styles inside are left out, and past a bound the
/// rest.
pub(crate) fn text_of(node: NodeRef<'_>, most: usize) -> String {
    text_where(node, most, false, |_| false)
}

/// The text of an element that holds one and nothing else, as most links and headings do: it need not be put together.
pub(super) fn only_text(node: NodeRef<'_>) -> Option<Cow<'_, str>> {
    let text = node.first_child().filter(|child| child.kind() == NodeKind::Text)?;
    text.next_sibling().is_none().then(|| text.text())
}

/// The same, without the elements inside that a test names. `borders`: every element is a word apart, as in lines that are
/// put together by a template: `By<a>Ada Finch</a><time>…`.
pub(super) fn text_where(
    node: NodeRef<'_>,
    most: usize,
    borders: bool,
    is_left_out: impl Fn(NodeRef<'_>) -> bool,
) -> String {
    if let Some(text) = only_text(node) {
        return folded(&text);
    }
    let mut text = String::new();
    let mut left_out: Option<NodeRef<'_>> = None;
    // Did a line end, and nothing stand behind it yet?
    let mut is_broken = false;
    for step in node.walk() {
        let inside = match step {
            Step::Enter(inside) => inside,
            Step::Leave(inside) => {
                if left_out == Some(inside) {
                    left_out = None;
                }
                if borders && inside.is_element() {
                    text.push(' ');
                }
                continue;
            }
        };
        if text.len() >= most {
            break;
        }
        if inside == node || left_out.is_some() {
            continue;
        }
        if inside.is_element() {
            // Elements that are no part of a line part words.
            let is_line_end = inside.is(Name::BR);
            let is_break = is_line_end || is_apart(inside) || inside.previous_sibling().is_some_and(is_apart);
            is_broken |= is_line_end && !borders;
            if (is_break || borders) && !text.is_empty() {
                text.push(' ');
            }
            let is_silent =
                matches!(html_name(inside), Some(Name::SCRIPT | Name::STYLE | Name::NOSCRIPT | Name::TITLE));
            if is_silent || is_left_out(inside) {
                left_out = Some(inside);
            }
            continue;
        }
        // Behind a line of its own begins another.
        let said = inside.text();
        if is_broken && !said.trim().is_empty() {
            is_broken = false;
            // Chinese goes on in the next line without a space.
            if text.trim_end().ends_with(is_wide) && said.trim_start().starts_with(is_wide) {
                text.truncate(text.trim_end().len());
                text.push_str(said.trim_start());
                continue;
            }
        }
        if inside.previous_sibling().is_some_and(is_apart) {
            text.push(' ');
        }
        text.push_str(&said);
    }
    folded(&text)
}

/// Is it a character, or a mark, of a script that has no spaces between words?
fn is_wide(c: char) -> bool {
    matches!(c, '\u{3001}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ff01}'..='\u{ff5e}')
}

/// Does a page show an element on a line of its own, by what it is or by its style?
fn is_apart(node: NodeRef<'_>) -> bool {
    if !node.is_element() {
        return false;
    }
    let by_style = || {
        node.attribute_named(Name::STYLE).filter(|style| style.len() >= "display:block".len()).is_some_and(
            |style| {
                let style: String = style.chars().filter(|c| !c.is_whitespace()).collect();
                style.to_ascii_lowercase().contains("display:block")
            },
        )
    };
    !is_inline(node) || by_style()
}

fn is_inline(node: NodeRef<'_>) -> bool {
    matches!(
        html_name(node),
        Some(
            Name::SPAN
                | Name::A
                | Name::B
                | Name::I
                | Name::EM
                | Name::STRONG
                | Name::SMALL
                | Name::FONT
                | Name::U
                | Name::SUP
                | Name::SUB
                | Name::MARK
                | Name::CODE
                | Name::ABBR
                | Name::CITE
                | Name::Q
                | Name::DEL
                | Name::INS
                | Name::BDI
                | Name::WBR
        )
    )
}

/// The name of an element of HTML.
fn html_name(node: NodeRef<'_>) -> Option<Name> {
    node.name_id().filter(|_| node.namespace() == Namespace::Html)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_speak_of_dates_and_authors() {
        for (value, expected) in [
            ("post-date", (true, false)),
            ("entry-time", (true, false)),
            ("published", (true, false)),
            ("Byline", (false, true)),
            ("articleAuthor", (false, true)),
            ("autor", (false, true)),
            ("updates-form", (false, false)),
            ("timeline", (false, false)),
            ("candidates", (false, false)),
            ("post", (false, false)),
            ("posted-on", (true, false)),
            ("authority-box", (false, true)),
            ("auto", (false, false)),
        ] {
            assert_eq!(speaks_of(value), expected, "{value}");
        }
    }

    #[test]
    fn a_meta_behind_four_hundred_others_was_not_seen() {
        let mut html = "<meta property=article:tag content=rain>".repeat(2 * MOST);
        (0..4 * MOST).for_each(|number| html.push_str(&format!("<meta name=x{number} content=1>")));
        let many = Page::parse(&html);
        assert_eq!(Scan::of(&many, &[]).metas.len(), 3 * MOST - 1, "and yet there is an end");
        let html = "<meta property=article:tag content=rain>".repeat(2 * MOST)
            + "<meta property=article:published_time content=2010-12-15>";
        let page = Page::parse(&html);
        assert_eq!(Scan::of(&page, &[]).meta_named(&["article:published_time"]), Some("2010-12-15"));
    }

    #[test]
    fn the_text_of_an_element() {
        let page = Page::parse("<h1>Rain <script>x</script><span>at</span>\n<br>last<div>now</div></h1>");
        let heading = page.dom().descendants().find(|node| node.is(Name::H1)).unwrap();
        assert_eq!(text_of(heading, 1_000), "Rain at last now");
    }

    #[test]
    fn chinese_lines_of_a_heading_had_a_space_between() {
        for (html, said) in [
            ("<h1>海港终于<br>下雨了</h1>", "海港终于下雨了"),
            ("<h1>海港终于 <br/>\n <span>下雨了</span></h1>", "海港终于下雨了"),
            ("<h1>「港」で<br>雨が降る</h1>", "「港」で雨が降る"),
            ("<h1>海港<br>Rain</h1>", "海港 Rain"),
            ("<h1>항구에<br>비가 온다</h1>", "항구에 비가 온다"),
            ("<h1><div>本地新闻</div>海港终于下雨了</h1>", "本地新闻 海港终于下雨了"),
        ] {
            let page = Page::parse(html);
            let heading = page.dom().descendants().find(|node| node.is(Name::H1)).unwrap();
            assert_eq!(text_of(heading, 1_000), said, "{html}");
        }
    }

    #[test]
    fn two_lines_of_a_heading_were_glued() {
        for (html, said) in [
            ("<h1><div>Local news</div>Harbour wall</h1>", "Local news Harbour wall"),
            ("<h1><div>Local news</div><span>Harbour wall</span></h1>", "Local news Harbour wall"),
            (
                "<h1><span style='display: block'>Local news</span>Harbour wall</h1>",
                "Local news Harbour wall",
            ),
            ("<h1>Local news<br>Harbour wall</h1>", "Local news Harbour wall"),
            ("<h1>Har<span>bour</span> w<code>all</code></h1>", "Harbour wall"),
        ] {
            let page = Page::parse(html);
            let heading = page.dom().descendants().find(|node| node.is(Name::H1)).unwrap();
            assert_eq!(text_of(heading, 1_000), said, "{html}");
        }
    }
}
