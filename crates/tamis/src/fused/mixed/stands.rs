//! Where a block stands: lines of lists, tables and listings of programs are told from others by their elements, and what they say is
//! one of several things that are said in the same way.

use tamis_html::{Name, NodeRef};

/// Is it a heading, or does it stand in a cell, an entry of a list or a definition?
pub(super) fn is_of_several(element: NodeRef<'_>) -> bool {
    let is = |node: NodeRef<'_>| {
        node.name_id().is_some_and(|name| {
            name.heading_level().is_some()
                || matches!(name, Name::TD | Name::TH | Name::LI | Name::DT | Name::DD)
        })
    };
    std::iter::once(element).chain(element.ancestors().take(2)).any(is)
}

/// Does it stand in a cell of a table with a head? What a column is about may be anything.
pub(super) fn is_data(element: NodeRef<'_>) -> bool {
    /// Children are looked at so far: white space and a caption stand before the first row.
    const FIRST: usize = 6;
    let child = |of: NodeRef<'_>, name: Name| of.children().take(FIRST).any(|child| child.is(name));
    let mut around = std::iter::once(element).chain(element.ancestors().take(6));
    let Some(row) = around.find(|node| node.is(Name::TR)) else { return false };
    let Some(group) = row.parent() else { return false };
    let top = group.children().take(FIRST).find(|node| node.is(Name::TR));
    top.is_some_and(|top| child(top, Name::TH))
        || group.parent().is_some_and(|table| child(table, Name::THEAD))
}

/// Is it a listing of a program, or does it stand in one?
pub(in crate::fused) fn is_code(element: NodeRef<'_>) -> bool {
    let is = |node: NodeRef<'_>| matches!(node.name_id(), Some(Name::PRE | Name::CODE | Name::TEXTAREA));
    std::iter::once(element).chain(element.ancestors().take(4)).any(is)
}
