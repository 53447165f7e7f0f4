//! What an element is to a reader, by its name and attributes: a block, hidden, never shown.

use tamis_html::{Name, NodeRef};

use crate::block::Hidden;

/// What the walk has seen of an element, kept for those who walk again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Seen(pub(super) u8);

impl Seen {
    pub(super) const NEVER_SHOWN: u8 = 1;
    pub(super) const HIDES: u8 = 2;
    pub(super) const BLOCK: u8 = 4;

    /// Is its text not for readers? What is inside of it was not looked at.
    #[inline]
    pub(crate) fn is_never_shown(self) -> bool {
        self.0 & Self::NEVER_SHOWN != 0
    }

    /// Does it hide all it holds, or is it never shown?
    #[inline]
    pub(crate) fn is_out_of_sight(self) -> bool {
        self.0 & (Self::NEVER_SHOWN | Self::HIDES) != 0
    }

    /// Does a reader see its content begin on a new line?
    #[inline]
    pub(crate) fn is_block(self) -> bool {
        self.0 & Self::BLOCK != 0
    }
}

/// Elements whose text is not for readers.
pub(super) fn is_never_shown(node: NodeRef<'_>) -> bool {
    let name = node.name_id();
    node.namespace() == tamis_html::Namespace::Html
        && matches!(
            name,
            Some(
                Name::SCRIPT
                    | Name::STYLE
                    | Name::HEAD
                    | Name::TITLE
                    | Name::IFRAME
                    | Name::NOEMBED
                    | Name::NOFRAMES
                    | Name::OBJECT
                    | Name::VIDEO
                    | Name::AUDIO
                    | Name::CANVAS
                    | Name::DATALIST
                    | Name::TEXTAREA
            )
        )
        || (node.namespace() == tamis_html::Namespace::Svg && name == Some(Name::SVG))
        // A formula in another form, beside the one that is shown.
        || (node.namespace() == tamis_html::Namespace::MathMl
            && matches!(name, Some(Name::ANNOTATION | Name::ANNOTATION_XML)))
}

/// Does a reader see its content begin on a new line?
pub(super) fn is_block(node: NodeRef<'_>) -> bool {
    if node.namespace() != tamis_html::Namespace::Html {
        return false;
    }
    let by_name = match node.name_id() {
        Some(
            Name::ADDRESS
            | Name::ARTICLE
            | Name::ASIDE
            | Name::BLOCKQUOTE
            | Name::BODY
            | Name::BUTTON
            | Name::CAPTION
            | Name::CENTER
            | Name::DD
            | Name::DETAILS
            | Name::DIALOG
            | Name::DIR
            | Name::DIV
            | Name::DL
            | Name::DT
            | Name::FIELDSET
            | Name::FIGCAPTION
            | Name::FIGURE
            | Name::FOOTER
            | Name::FORM
            | Name::H1
            | Name::H2
            | Name::H3
            | Name::H4
            | Name::H5
            | Name::H6
            | Name::HEADER
            | Name::HGROUP
            | Name::HR
            | Name::HTML
            | Name::LEGEND
            | Name::LI
            | Name::LISTING
            | Name::MAIN
            | Name::MENU
            | Name::NAV
            | Name::NOSCRIPT
            | Name::OL
            | Name::OPTGROUP
            | Name::OPTION
            | Name::P
            | Name::PLAINTEXT
            | Name::PRE
            | Name::SEARCH
            | Name::SECTION
            | Name::SELECT
            | Name::SUMMARY
            | Name::TABLE
            | Name::TBODY
            | Name::TD
            | Name::TEMPLATE
            | Name::TFOOT
            | Name::TH
            | Name::THEAD
            | Name::TR
            | Name::UL
            | Name::XMP,
        ) => true,
        // The commonest of those that are not.
        Some(
            Name::A
            | Name::B
            | Name::BR
            | Name::EM
            | Name::I
            | Name::IMG
            | Name::INPUT
            | Name::LABEL
            | Name::SMALL
            | Name::SPAN
            | Name::STRONG
            | Name::SUP,
        ) => false,
        // Elements that a page defines itself are blocks far more often than words.
        // Those of a formula stand in the line.
        _ => node.name().is_some_and(|name| name.contains('-') && !name.starts_with("mjx-")),
    };
    by_name
        || styled(node, |style| declares(style, "display", &["block", "flex", "grid", "table", "list-item"]))
}

/// What hides an element, if it says so itself.
pub(crate) fn hidden_by(node: NodeRef<'_>, is_block: bool) -> Option<Hidden> {
    match node.name_id() {
        Some(Name::NOSCRIPT) => return Some(Hidden::Noscript),
        Some(Name::TEMPLATE) => return Some(Hidden::Template),
        _ => {}
    }
    for attribute in node.attributes() {
        match attribute.name_id() {
            // `hidden=until-found` is found by readers who search.
            Name::HIDDEN if !attribute.value().eq_ignore_ascii_case("until-found") => {
                return Some(Hidden::Attribute);
            }
            // On an inline element it marks an icon; its text is seen all the same.
            Name::ARIA_HIDDEN if is_block && attribute.value().eq_ignore_ascii_case("true") => {
                return Some(Hidden::Aria);
            }
            Name::STYLE => {
                let style = attribute.value();
                if declares(&style, "display", &["none"]) || declares(&style, "visibility", &["hidden"]) {
                    return Some(Hidden::Style);
                }
            }
            _ => {}
        }
    }
    None
}

fn styled(node: NodeRef<'_>, test: impl Fn(&str) -> bool) -> bool {
    node.attribute_named(Name::STYLE).is_some_and(|style| test(&style))
}

/// Does a `style` attribute set `property` to one of these values?
fn declares(style: &str, property: &str, values: &[&str]) -> bool {
    // `display` and `visibility` have a letter that few other properties have.
    if !style.bytes().any(|byte| matches!(byte, b'y' | b'Y')) {
        return false;
    }
    style.split(';').any(|declaration| {
        let Some((name, value)) = declaration.split_once(':') else { return false };
        let value = value.trim();
        let value = value.strip_suffix("!important").map_or(value, str::trim_end);
        name.trim().eq_ignore_ascii_case(property)
            && values.iter().any(|wanted| value.eq_ignore_ascii_case(wanted))
    })
}
