//! A page, measured once for all methods: its tree, what each element holds, and its blocks in order.

use std::sync::OnceLock;

use tamis_html::{Deadline, Dom, Limits, NodeId, NodeRef};

use crate::block::{Block, Blocks, Run};
use crate::characters::Counts;
use crate::comments::Comments;
use crate::methods::in_order::InOrder;
use crate::posts::{self, Post};
use crate::segment::Seen;
use crate::without_script;

/// What an element holds, everything below it included. Hidden text and text that is never shown (scripts, styles)
/// does not count.
///
/// ```
/// let page = tamis::Page::parse("<p>One <a href=/>link</a>.<img src=a.jpg><script>not text</script>");
/// let total = page.total();
/// assert_eq!((total.text.words, total.link_text.words, total.links, total.images), (2, 1, 1, 1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Measures {
    /// All text.
    pub text: Counts,
    /// The text inside links.
    pub link_text: Counts,
    /// Links: `a` elements with an `href`.
    pub links: u32,
    /// Pictures: `img`, `picture`, `svg` and `video` count once each.
    pub images: u32,
}

impl Measures {
    pub(crate) fn add(&mut self, other: &Measures) {
        self.text += other.text;
        self.link_text += other.link_text;
        self.links += other.links;
        self.images += other.images;
    }
}

/// Steps of a loop between two looks at the clock. A step may go up through all elements around a block.
const STEPS_PER_LOOK: usize = 256;

/// A page with what every method needs. It does not change once it is made.
///
/// ```
/// let page = tamis::Page::parse("<h1>Title</h1><p>One <a href='/x'>link</a>.<p>Two.");
/// let texts: Vec<_> = page.blocks().iter().map(|block| page.text(block)).collect();
/// assert_eq!(texts, ["Title", "One link.", "Two."]);
/// let body = page.dom().body().unwrap();
/// assert_eq!(page.measures(body).links, 1);
/// ```
#[derive(Clone, Debug)]
pub struct Page<'s> {
    dom: Dom<'s>,
    url: Option<String>,
    measures: Vec<Measures>,
    blocks: Blocks,
    seen: Vec<Seen>,
    comments: OnceLock<Comments>,
    posts: OnceLock<Vec<Post>>,
    in_order: OnceLock<InOrder>,
    deadline: Option<Deadline>,
}

impl<'s> Page<'s> {
    /// Parses and measures a page.
    ///
    /// ```
    /// let page = tamis::Page::parse("<td>one</td><td>two</td>");
    /// assert_eq!(page.blocks().len(), 1);
    /// ```
    pub fn parse(html: &'s str) -> Page<'s> {
        Page::new(without_script::parse(html, Limits::default()))
    }

    /// Measures a page that is parsed already.
    ///
    /// ```
    /// use tamis_html::Parser;
    ///
    /// let dom = Parser::new().parse_owned(format!("<p>{}", "One."));
    /// assert_eq!(tamis::Page::new(dom).blocks().len(), 1);
    /// ```
    pub fn new(dom: Dom<'s>) -> Page<'s> {
        Page::within(dom, None)
    }

    /// Likewise, within a time, which holds for all that is done with the page from then on: what takes long looks at the clock,
    /// and ends early where the time is over. What it gives then is of no use; [`Page::is_late`] tells.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tamis_html::{Deadline, Parser};
    ///
    /// let dom = Parser::new().parse("<p>One.<p>Two.");
    /// let page = tamis::Page::within(dom, Some(Deadline::after(Duration::from_secs(60))));
    /// assert!(!page.is_late() && page.blocks().len() == 2);
    /// ```
    pub fn within(dom: Dom<'s>, deadline: Option<Deadline>) -> Page<'s> {
        let (blocks, measures, seen) = crate::segment::segment(&dom, deadline);
        let (comments, posts, in_order) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Page { dom, url: None, measures, blocks, seen, comments, posts, in_order, deadline }
    }

    /// Is the time of the page over? Then nothing that was asked of it counts. It is never late where there is no deadline.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tamis::Extractor;
    /// use tamis_html::{Deadline, Limits};
    ///
    /// assert!(!tamis::Page::parse("<p>One.").is_late());
    /// let limits = Limits { deadline: Some(Deadline::after(Duration::ZERO)), ..Limits::default() };
    /// let extractor = Extractor::new().limits(limits);
    /// let page = extractor.page("<p>One sentence, which nobody has the time to read.");
    /// assert!(extractor.judge(&page).kept().next().is_none() && page.is_late());
    /// ```
    pub fn is_late(&self) -> bool {
        self.deadline.is_some_and(Deadline::has_passed)
    }

    /// Likewise in a long loop: the clock is looked at once in some hundred steps.
    #[inline]
    pub(crate) fn is_late_at(&self, step: usize) -> bool {
        step.is_multiple_of(STEPS_PER_LOOK) && self.is_late()
    }

    /// Says where the page comes from.
    ///
    /// ```
    /// let page = tamis::Page::parse("<p>One.").with_url("https://example.com/one");
    /// assert_eq!(page.url(), Some("https://example.com/one"));
    /// ```
    #[must_use]
    pub fn with_url(mut self, url: impl Into<String>) -> Page<'s> {
        self.url = Some(url.into());
        // The address says whether the page is a thread.
        self.comments = OnceLock::new();
        self.posts = OnceLock::new();
        self
    }

    /// Where the page comes from, if known.
    ///
    /// ```
    /// assert_eq!(tamis::Page::parse("<p>One.").url(), None);
    /// ```
    pub fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// The tree.
    pub fn dom(&self) -> &Dom<'s> {
        &self.dom
    }

    /// The blocks, in page order: every text that a reader could see is in exactly one of them.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks.list
    }

    /// The text of a block, its white space folded.
    pub fn text(&self, block: &Block) -> &str {
        &self.blocks.text[block.text.clone()]
    }

    /// The texts of all blocks, one behind the other.
    pub(crate) fn all_text(&self) -> &str {
        &self.blocks.text
    }

    /// The texts of the tree that make up all blocks, in page order.
    pub(crate) fn all_runs(&self) -> &[Run] {
        &self.blocks.runs
    }

    /// The texts of the tree that make up a block.
    ///
    /// ```
    /// let page = tamis::Page::parse("<p>One <b>bold</b> word");
    /// assert_eq!(page.runs(&page.blocks()[0]).len(), 3);
    /// ```
    pub fn runs(&self, block: &Block) -> &[Run] {
        &self.blocks.runs[block.runs.clone()]
    }

    /// The block-level element in which a block stands.
    ///
    /// ```
    /// let page = tamis::Page::parse("<ul><li>One <b>bold</b> word</ul>");
    /// assert_eq!(page.element(&page.blocks()[0]).path(), "/html/body/ul/li");
    /// ```
    pub fn element(&self, block: &Block) -> NodeRef<'_> {
        self.node(block.element)
    }

    /// A node of the page. The number must come from this page.
    ///
    /// ```
    /// let page = tamis::Page::parse("<h1>One</h1>");
    /// assert_eq!(page.node(page.blocks()[0].element).name(), Some("h1"));
    /// ```
    pub fn node(&self, id: NodeId) -> NodeRef<'_> {
        self.dom.node(id).unwrap_or_else(|| self.dom.root())
    }

    /// What an element holds.
    pub fn measures(&self, element: NodeRef<'_>) -> &Measures {
        &self.measures[element.id().index().min(self.measures.len() - 1)]
    }

    /// What was seen of an element when the page was cut into blocks.
    #[inline]
    pub(crate) fn seen(&self, element: NodeRef<'_>) -> Seen {
        self.seen.get(element.id().index()).copied().unwrap_or_default()
    }

    /// What the whole page holds.
    ///
    /// ```
    /// let page = tamis::Page::parse("<p>One two.<p>Three.");
    /// assert_eq!(page.total().text.words, 3);
    /// ```
    pub fn total(&self) -> &Measures {
        &self.measures[0]
    }

    /// The readers' comments among the blocks, looked for when first asked for.
    ///
    /// ```
    /// assert!(tamis::Page::parse("<p>A text.").comments().sections().is_empty());
    /// ```
    pub fn comments(&self) -> &Comments {
        self.comments.get_or_init(|| Comments::of(self))
    }

    /// The posts of a thread, in page order; none where the page is no thread.
    ///
    /// ```
    /// assert!(tamis::Page::parse("<p>It rained.").posts().is_empty());
    /// ```
    pub fn posts(&self) -> &[Post] {
        self.posts.get_or_init(|| posts::find(self))
    }

    /// Its elements in page order, put so once for all who look at each of them.
    pub(crate) fn in_order(&self) -> &InOrder {
        self.in_order.get_or_init(|| InOrder::of(self))
    }

    /// The text of the `title` element, its white space folded; empty where there is none.
    ///
    /// ```
    /// assert_eq!(tamis::Page::parse("<title> Rain\n at last </title>").title(), "Rain at last");
    /// ```
    pub fn title(&self) -> String {
        let title = self.dom.descendants().find(|node| node.is(tamis_html::Name::TITLE));
        let text = title.map(|title| title.text_content()).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
