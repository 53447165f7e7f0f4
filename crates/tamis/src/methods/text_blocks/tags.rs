//! What a tag does to the scan: the paper's table 1, and what has come into HTML since.

use tamis_html::Name;

/// What a tag does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Type II: a border between two blocks.
    Border,
    /// Type I with a link's text, which the counts leave out and the output may keep.
    Link,
    /// Type I: the tag goes with its content.
    Dropped,
    /// As [`Role::Dropped`], and elements of the same name may stand inside it.
    DroppedNested,
    /// Type I without content, or with content that the tokenizer has read as raw text.
    DroppedRaw,
    /// `h1` to `h6`, with their level: no borders in the paper, but where the title is looked for.
    Heading(u8),
    /// `title`: a text of its own, never part of the output.
    Title,
    /// A reader sees a new line here; the paper's counts do not.
    Line,
    /// Nothing.
    Inline,
}

/// The role of a tag with this name. `text` gives the name's text, asked for only where the name is not a known one.
#[inline]
pub(super) fn role<'n>(name: Name, text: impl FnOnce() -> &'n str) -> Role {
    match name {
        // Type II.
        Name::UL | Name::OL | Name::DL | Name::P | Name::HR | Name::BR | Name::DIV | Name::LI => Role::Border,
        Name::TABLE | Name::TR | Name::TD | Name::DT | Name::DD | Name::HEAD | Name::BODY | Name::TBODY => {
            Role::Border
        }
        // Type I. Comments are tokens of their own; `meta`, `param`, `input`, `image`, `area` and `embed` are empty.
        Name::A => Role::Link,
        Name::NOSCRIPT | Name::BUTTON | Name::SELECT | Name::OPTGROUP | Name::OPTION | Name::LABEL => {
            Role::Dropped
        }
        Name::LEGEND | Name::MAP | Name::FORM => Role::Dropped,
        Name::FIELDSET | Name::OBJECT => Role::DroppedNested,
        Name::SCRIPT | Name::STYLE | Name::TEXTAREA | Name::IFRAME => Role::DroppedRaw,
        // Never shown, and hardly met or not yet there when the paper was written.
        Name::NOEMBED | Name::NOFRAMES => Role::DroppedRaw,
        Name::VIDEO | Name::AUDIO | Name::CANVAS | Name::DATALIST => Role::Dropped,
        Name::SVG | Name::TEMPLATE => Role::DroppedNested,
        Name::H1 => Role::Heading(1),
        Name::H2 => Role::Heading(2),
        Name::H3 => Role::Heading(3),
        Name::H4 => Role::Heading(4),
        Name::H5 => Role::Heading(5),
        Name::H6 => Role::Heading(6),
        Name::TITLE => Role::Title,
        // What a reader sees on a line of its own, as `segment` has it.
        Name::ADDRESS | Name::ARTICLE | Name::ASIDE | Name::BLOCKQUOTE | Name::CAPTION | Name::CENTER => {
            Role::Line
        }
        Name::DETAILS | Name::DIALOG | Name::DIR | Name::FIGCAPTION | Name::FIGURE | Name::FOOTER => {
            Role::Line
        }
        Name::HEADER | Name::HGROUP | Name::HTML | Name::LISTING | Name::MAIN | Name::MENU | Name::NAV => {
            Role::Line
        }
        Name::PLAINTEXT | Name::PRE | Name::SEARCH | Name::SECTION | Name::SUMMARY | Name::TFOOT => {
            Role::Line
        }
        Name::TH | Name::THEAD | Name::XMP => Role::Line,
        Name::SPAN | Name::IMG | Name::I | Name::B | Name::EM | Name::STRONG | Name::META | Name::LINK => {
            Role::Inline
        }
        _ if text().contains('-') => Role::Line,
        _ => Role::Inline,
    }
}

/// Does a reader see a new line where an element of type I with this name begins or ends?
pub(super) fn breaks_line(name: Name) -> bool {
    matches!(
        name,
        Name::BUTTON
            | Name::FIELDSET
            | Name::FORM
            | Name::LEGEND
            | Name::NOSCRIPT
            | Name::OPTGROUP
            | Name::OPTION
            | Name::SELECT
            | Name::TEMPLATE
            | Name::TEXTAREA
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn role_of(name: Name) -> Role {
        role(name, || "")
    }

    #[test]
    fn the_papers_table() {
        let borders = [
            Name::UL,
            Name::OL,
            Name::DL,
            Name::P,
            Name::HR,
            Name::BR,
            Name::DIV,
            Name::LI,
            Name::TABLE,
            Name::TR,
            Name::TD,
            Name::DT,
            Name::DD,
            Name::HEAD,
            Name::BODY,
            Name::TBODY,
        ];
        assert!(borders.iter().all(|&name| role_of(name) == Role::Border));
        assert_eq!(role_of(Name::A), Role::Link);
        assert_eq!(role_of(Name::FORM), Role::Dropped);
        assert_eq!(role_of(Name::SCRIPT), Role::DroppedRaw);
    }

    #[test]
    fn headings_and_sections_are_no_borders() {
        assert_eq!(role_of(Name::H2), Role::Heading(2));
        assert_eq!(role_of(Name::SECTION), Role::Line);
        assert_eq!(role(Name::SPAN, || "span"), Role::Inline);
    }
}
