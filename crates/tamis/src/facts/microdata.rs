//! Microdata and RDFa: what an element with `itemprop` or `property` says.

use tamis_html::{Name, NodeRef};

use super::scan::{Scan, text_of};

/// Longer values are texts of their own.
const LONGEST: usize = 300;

/// The value of a property: that of the attribute which carries it, else the text.
pub(super) fn value(node: NodeRef<'_>) -> String {
    let carried = [Name::CONTENT, Name::DATETIME].into_iter().find_map(|name| node.attribute_named(name));
    let carried = carried.map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
    carried.unwrap_or_else(|| text_of(node, LONGEST))
}

/// The type of the thing that a property belongs to, in small letters, without what stands before its name.
pub(super) fn scope(node: NodeRef<'_>) -> Option<String> {
    let mut ancestors = node.ancestors();
    let scope = ancestors.find(|it| it.is_element() && it.attribute_named(Name::ITEMSCOPE).is_some())?;
    let kind = scope.attribute_named(Name::ITEMTYPE)?;
    Some(kind.trim().rsplit(['/', '#']).next()?.to_ascii_lowercase())
}

/// The address that the first property of a name leads to, if it is no property of a comment or a person.
pub(super) fn address(scan: &Scan<'_>, name: &str) -> Option<String> {
    let own =
        scan.properties.iter().filter(|it| !it.is_rdfa && it.names.split_whitespace().any(|it| it == name));
    let own = own.filter(|it| {
        !scope(it.node).is_some_and(|scope| {
            ["comment", "usercomments", "person", "organization", "answer", "review"]
                .contains(&scope.as_str())
                || (name == "license" && matches!(scope.as_str(), "imageobject" | "videoobject"))
        })
    });
    own.filter_map(|it| {
        let names = [Name::CONTENT, Name::HREF, Name::SRC];
        names.into_iter().find_map(|name| it.node.attribute_named(name))
    })
    .map(|value| value.trim().to_owned())
    .find(|value| !value.is_empty() && !value.starts_with("data:"))
}
