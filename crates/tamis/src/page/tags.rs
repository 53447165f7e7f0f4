//! What tags mean for segmentation.

use tamis_html::{Name, Namespace, NodeRef};

/// Whether nothing inside an element is shown as text.
pub(super) fn is_never_rendered(name: Name, node: NodeRef<'_>) -> bool {
    match node.namespace() {
        Namespace::Html => matches!(
            name,
            Name::SCRIPT
                | Name::STYLE
                | Name::HEAD
                | Name::TITLE
                | Name::META
                | Name::LINK
                | Name::IFRAME
                | Name::NOEMBED
                | Name::NOFRAMES
                | Name::OBJECT
                | Name::VIDEO
                | Name::AUDIO
                | Name::CANVAS
                | Name::DATALIST
                | Name::TEXTAREA
                | Name::OPTION
        ),
        Namespace::Svg => name == Name::SVG,
        Namespace::MathMl => matches!(name, Name::ANNOTATION | Name::ANNOTATION_XML),
    }
}

/// Whether an unclosed `iframe` consumed the end of a `noscript`.
pub(super) fn holds_end_of_noscript(iframe: NodeRef<'_>) -> bool {
    iframe
        .first_child()
        .is_some_and(|text| ["</noscript", "</NOSCRIPT"].iter().any(|end| text.text().contains(end)))
}

/// KaTeX writes a formula twice: as MathML, and as glyphs that are hidden from screen readers.
pub(super) fn is_copy_of_formula(node: NodeRef<'_>) -> bool {
    node.attribute_named(Name::CLASS).is_some_and(|class| class == "katex-html")
}

/// Whether an element separates the words before and after it, even where it ends no block.
pub(crate) fn separates_words(node: NodeRef<'_>) -> bool {
    let is_separator = |name: Name| name == Name::BR || is_block_level(name, node);
    node.namespace() == Namespace::Html && node.name_id().is_some_and(is_separator)
}

/// Whether an element tells how a base text is read, or brackets that. No words of the text: it would be neither read
/// nor found with both.
pub(crate) fn is_ruby_annotation(name: Name, node: NodeRef<'_>) -> bool {
    matches!(name, Name::RT | Name::RP | Name::RTC)
        && node.ancestors().take(3).any(|above| above.is(Name::RUBY))
}

/// Whether an element starts and ends a line.
pub(super) fn is_block_level(name: Name, node: NodeRef<'_>) -> bool {
    match name {
        Name::A
        | Name::B
        | Name::EM
        | Name::I
        | Name::INPUT
        | Name::LABEL
        | Name::SMALL
        | Name::SPAN
        | Name::STRONG
        | Name::SUP
        | Name::FONT
        | Name::TIME
        | Name::CODE => false,
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
        | Name::XMP => true,
        // Custom elements are far more often blocks than inline (MathJax is the exception).
        _ => node.name().is_some_and(|name| name.contains('-') && !name.starts_with("mjx-")),
    }
}
