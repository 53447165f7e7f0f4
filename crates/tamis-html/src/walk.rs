//! Iterators over the tree, without recursion.

use crate::node::NodeRef;

/// The children of a node, double-ended.
///
/// ```
/// let dom = tamis_html::parse("<h1>a</h1><p>b<p>c");
/// let backwards: String = dom.body().unwrap().children().rev().map(|node| node.text_content()).collect();
/// assert_eq!(backwards, "cba");
/// ```
#[derive(Clone, Debug)]
pub struct Children<'d> {
    pub(crate) front: Option<NodeRef<'d>>,
    pub(crate) back: Option<NodeRef<'d>>,
}

impl<'d> Iterator for Children<'d> {
    type Item = NodeRef<'d>;

    #[inline]
    fn next(&mut self) -> Option<NodeRef<'d>> {
        let node = self.front?;
        if self.back == Some(node) {
            (self.front, self.back) = (None, None);
        } else {
            self.front = node.next_sibling();
        }
        Some(node)
    }
}

impl DoubleEndedIterator for Children<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        let node = self.back?;
        if self.front == Some(node) {
            (self.front, self.back) = (None, None);
        } else {
            self.back = node.previous_sibling();
        }
        Some(node)
    }
}

/// The descendants of a node in document order.
///
/// ```
/// let dom = tamis_html::parse("<ul><li>a<li>b</ul>");
/// let names: Vec<_> = dom.body().unwrap().descendants().filter_map(|node| node.name()).collect();
/// assert_eq!(names, ["ul", "li", "li"]);
/// ```
#[derive(Clone, Debug)]
pub struct Descendants<'d> {
    top: NodeRef<'d>,
    next: Option<NodeRef<'d>>,
}

impl<'d> Descendants<'d> {
    #[inline]
    pub(crate) fn below(top: NodeRef<'d>) -> Self {
        Descendants { top, next: top.first_child() }
    }
}

impl<'d> Iterator for Descendants<'d> {
    type Item = NodeRef<'d>;

    #[inline]
    fn next(&mut self) -> Option<NodeRef<'d>> {
        let node = self.next?;
        self.next = node.first_child().or_else(|| {
            let mut up = node;
            loop {
                if up == self.top {
                    return None;
                }
                match up.next_sibling() {
                    Some(next) => return Some(next),
                    None => up = up.parent()?,
                }
            }
        });
        Some(node)
    }
}

/// The ancestors of a node, from its parent up.
///
/// ```
/// let dom = tamis_html::parse("<ul><li>a");
/// let text = dom.descendants().last().unwrap();
/// let names: Vec<_> = text.ancestors().filter_map(|node| node.name()).collect();
/// assert_eq!(names, ["li", "ul", "body", "html"]);
/// ```
#[derive(Clone, Debug)]
pub struct Ancestors<'d>(pub(crate) Option<NodeRef<'d>>);

/// The siblings after a node.
///
/// ```
/// let dom = tamis_html::parse("<h1>a</h1><p>b<p>c");
/// let heading = dom.body().unwrap().first_child().unwrap();
/// assert_eq!(heading.next_siblings().map(|node| node.text_content()).collect::<String>(), "bc");
/// ```
#[derive(Clone, Debug)]
pub struct NextSiblings<'d>(pub(crate) Option<NodeRef<'d>>);

/// The siblings before a node.
///
/// ```
/// let dom = tamis_html::parse("<h1>a</h1><p>b<p>c");
/// let last = dom.body().unwrap().last_child().unwrap();
/// assert_eq!(last.previous_siblings().map(|node| node.text_content()).collect::<String>(), "ba");
/// ```
#[derive(Clone, Debug)]
pub struct PreviousSiblings<'d>(pub(crate) Option<NodeRef<'d>>);

macro_rules! chain {
    ($iterator:ident, $step:ident) => {
        impl<'d> Iterator for $iterator<'d> {
            type Item = NodeRef<'d>;

            #[inline]
            fn next(&mut self) -> Option<NodeRef<'d>> {
                let node = self.0?;
                self.0 = node.$step();
                Some(node)
            }
        }
    };
}

chain!(Ancestors, parent);
chain!(NextSiblings, next_sibling);
chain!(PreviousSiblings, previous_sibling);

/// A step of a [`Walk`].
///
/// ```
/// use tamis_html::Step;
///
/// let dom = tamis_html::parse("<p>");
/// let p = dom.body().unwrap().first_child().unwrap();
/// assert_eq!(p.walk().collect::<Vec<_>>(), [Step::Enter(p), Step::Leave(p)]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<'d> {
    /// Start of a node; its descendants follow.
    Enter(NodeRef<'d>),
    /// End of a node, after its descendants.
    Leave(NodeRef<'d>),
}

/// A depth-first walk over a node and its descendants, which enters and leaves each node.
///
/// ```
/// use tamis_html::Step;
///
/// let dom = tamis_html::parse("<p>a<b>c</b>");
/// let mut shape = String::new();
/// for step in dom.body().unwrap().walk() {
///     match step {
///         Step::Enter(node) => shape += node.name().unwrap_or("'"),
///         Step::Leave(_) => shape += ".",
///     }
/// }
/// assert_eq!(shape, "bodyp'.b'....");
/// ```
#[derive(Clone, Debug)]
pub struct Walk<'d> {
    top: NodeRef<'d>,
    next: Option<Step<'d>>,
    /// The node that the last step entered, if it entered one.
    entered: Option<NodeRef<'d>>,
}

impl<'d> Walk<'d> {
    #[inline]
    pub(crate) fn over(top: NodeRef<'d>) -> Self {
        Walk { top, next: Some(Step::Enter(top)), entered: None }
    }

    /// Skips the descendants of a node that was just entered; its [`Step::Leave`] still follows. Otherwise does
    /// nothing.
    ///
    /// ```
    /// use tamis_html::{Name, Step};
    ///
    /// let dom = tamis_html::parse("<p>a<script>b</script>c");
    /// let mut text = String::new();
    /// let mut walk = dom.root().walk();
    /// while let Some(step) = walk.next() {
    ///     match step {
    ///         Step::Enter(node) if node.is(Name::SCRIPT) => walk.skip_below(),
    ///         Step::Enter(node) => text += &node.text(),
    ///         Step::Leave(_) => {}
    ///     }
    /// }
    /// assert_eq!(text, "ac");
    /// ```
    #[inline]
    pub fn skip_below(&mut self) {
        if let Some(entered) = self.entered.take() {
            self.next = Some(Step::Leave(entered));
        }
    }
}

impl<'d> Iterator for Walk<'d> {
    type Item = Step<'d>;

    #[inline]
    fn next(&mut self) -> Option<Step<'d>> {
        let step = self.next?;
        self.entered = if let Step::Enter(node) = step { Some(node) } else { None };
        self.next = match step {
            Step::Enter(node) => Some(node.first_child().map_or(Step::Leave(node), Step::Enter)),
            Step::Leave(node) if node == self.top => None,
            Step::Leave(node) => match node.next_sibling() {
                Some(next) => Some(Step::Enter(next)),
                None => node.parent().map(Step::Leave),
            },
        };
        Some(step)
    }
}
