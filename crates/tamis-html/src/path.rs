//! The XPath of a node.

use crate::node::{NodeKind, NodeRef};

impl NodeRef<'_> {
    /// The XPath from the root to this node; `/` for the document and for doctypes, which XPath does not have. If
    /// several siblings have the same name, they are numbered from 1. Counting them takes time, so do not call this for
    /// every node.
    ///
    /// ```
    /// let dom = tamis_html::parse("<div>a</div><div><p>b</p>c</div>");
    /// let paths: Vec<_> = dom.body().unwrap().descendants().map(|node| node.path()).collect();
    /// assert_eq!(
    ///     paths,
    ///     [
    ///         "/html/body/div[1]",
    ///         "/html/body/div[1]/text()",
    ///         "/html/body/div[2]",
    ///         "/html/body/div[2]/p",
    ///         "/html/body/div[2]/p/text()",
    ///         "/html/body/div[2]/text()",
    ///     ]
    /// );
    /// ```
    pub fn path(&self) -> String {
        let mut steps: Vec<String> = Vec::new();
        let mut node = *self;
        while let Some(parent) = node.parent() {
            if let Some(step) = node.path_step() {
                steps.push(step);
            }
            node = parent;
        }
        let mut path = String::from(if steps.is_empty() { "/" } else { "" });
        for step in steps.iter().rev() {
            path.push('/');
            path.push_str(step);
        }
        path
    }

    /// The last step of the path; `None` for the content of a template, which XPath cannot address.
    fn path_step(&self) -> Option<String> {
        let name = match self.kind() {
            NodeKind::Element => self.name()?,
            NodeKind::Text => "text()",
            NodeKind::Comment => "comment()",
            NodeKind::Document | NodeKind::Doctype | NodeKind::Fragment => return None,
        };
        let alike = |other: &NodeRef<'_>| other.kind() == self.kind() && other.name_id() == self.name_id();
        let before = self.previous_siblings().filter(alike).count();
        let alone = before == 0 && !self.next_siblings().any(|other| alike(&other));
        Some(if alone { name.to_owned() } else { format!("{name}[{}]", before + 1) })
    }
}
