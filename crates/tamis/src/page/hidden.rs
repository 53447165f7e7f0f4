//! Text hidden by markup: who hides it, and what to do with it.

use tamis_html::NodeId;

use super::Tables;
use crate::text::hash::{Interner, hash_text};

/// Why an element is hidden. The discriminants are feature values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
#[non_exhaustive]
pub enum HiddenBy {
    /// `aria-hidden="true"`.
    Aria = 1,
    /// The `hidden` attribute.
    Attribute,
    /// `display: none`.
    Display,
    /// `noscript`.
    Noscript,
    /// `template`.
    Template,
    /// `visibility: hidden`.
    Visibility,
    /// `font-size: 0`, `opacity: 0`, or no width or height with hidden overflow.
    ZeroSize,
    /// Positioned outside of the screen.
    OffScreen,
    /// Text in the colour of its background.
    SameColour,
    /// A class for screen readers alone.
    ScreenReader,
    /// A closed `dialog`.
    Dialog,
}

impl HiddenBy {
    /// A stable name, as in CSS or HTML.
    pub fn name(self) -> &'static str {
        match self {
            HiddenBy::Aria => "aria-hidden",
            HiddenBy::Attribute => "hidden",
            HiddenBy::Display => "display:none",
            HiddenBy::Noscript => "noscript",
            HiddenBy::Template => "template",
            HiddenBy::Visibility => "visibility:hidden",
            HiddenBy::ZeroSize => "zero-size",
            HiddenBy::OffScreen => "off-screen",
            HiddenBy::SameColour => "same-colour",
            HiddenBy::ScreenReader => "screen-reader",
            HiddenBy::Dialog => "dialog",
        }
    }
}

/// What to do with hidden text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum HiddenText {
    /// Leave it out.
    #[default]
    Drop,
    /// Treat it as visible.
    Keep,
    /// Leave it out of the text and report it with its reason.
    Flag,
}

/// An element that markup hides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HiddenElement {
    /// The element.
    pub node: NodeId,
    /// The reason.
    pub by: HiddenBy,
}

/// The effect of a `style` attribute on what is visible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    pub hidden: Option<HiddenBy>,
    /// `display` makes an inline element a block.
    pub is_block: bool,
    /// `display` or `visibility` show an element.
    pub shows: bool,
}

/// Whether a `style` attribute takes an element out of the page.
pub(crate) fn is_display_none(style: &str) -> bool {
    parse_style(style).hidden == Some(HiddenBy::Display)
}

/// The values of the `style` attributes of a page. Each is read once.
#[derive(Default)]
pub(super) struct StyleValues {
    ids: Interner,
    styles: Vec<Style>,
}

impl StyleValues {
    pub(super) fn read(&mut self, value: &str) -> Style {
        let (id, is_new) = self.ids.intern(hash_text(value));
        if is_new {
            self.styles.push(parse_style(value));
        }
        self.styles[id as usize]
    }
}

/// Reads the declarations that hide an element or make it a block.
pub(super) fn parse_style(style: &str) -> Style {
    let mut parsed = Style::default();
    let (mut no_size, mut clips, mut positioned, mut off_screen) = (false, false, false, false);
    let (mut colour, mut background) = ("", "");
    for declaration in style.split(';').take(64) {
        let Some((name, value)) = declaration.split_once(':') else { continue };
        let (name, value) = (name.trim(), value.trim());
        let value = value.rsplit_once('!').map_or(value, |(value, _)| value.trim_end());
        let is = |expected: &str| value.eq_ignore_ascii_case(expected);
        // Longer names are none of these.
        let mut lowercase = [0; 16];
        let Some(buffer) = lowercase.get_mut(..name.len()) else { continue };
        buffer.copy_from_slice(name.as_bytes());
        buffer.make_ascii_lowercase();
        match &*buffer {
            b"display" if is("none") => parsed.hidden = Some(HiddenBy::Display),
            b"display" => {
                parsed.shows = true;
                parsed.is_block |= ["block", "flex", "grid", "table", "list-item"].iter().any(|v| is(v));
            }
            b"visibility" if is("visible") => parsed.shows = true,
            b"visibility" if is("hidden") || is("collapse") => parsed.hidden = Some(HiddenBy::Visibility),
            b"font-size" | b"opacity" if is_zero(value) => parsed.hidden = Some(HiddenBy::ZeroSize),
            b"font-size" if is("1px") || is("1pt") => parsed.hidden = Some(HiddenBy::ZeroSize),
            b"width" | b"height" | b"max-height" | b"max-width" if is_zero(value) || is("1px") => {
                no_size = true
            }
            b"overflow" | b"overflow-x" | b"overflow-y" if is("hidden") || is("clip") => clips = true,
            b"position" if is("absolute") || is("fixed") => positioned = true,
            b"left" | b"top" | b"right" if is_far(value) => off_screen = true,
            b"margin-left" if is_far(value) => parsed.hidden = Some(HiddenBy::OffScreen),
            b"transform" if value.starts_with("scale(0)") => parsed.hidden = Some(HiddenBy::ZeroSize),
            b"clip-path" if is("inset(100%)") || is("inset(50%)") => parsed.hidden = Some(HiddenBy::ZeroSize),
            b"color" if is("transparent") => parsed.hidden = Some(HiddenBy::SameColour),
            b"text-indent" if is_far(value) => parsed.hidden = Some(HiddenBy::OffScreen),
            b"clip" if value.contains("(0") || value.contains("(1px") => clips = true,
            b"color" => colour = value,
            b"background" | b"background-color" => background = value,
            _ => {}
        }
    }
    if parsed.hidden.is_none() {
        parsed.hidden = if no_size && clips {
            Some(HiddenBy::ZeroSize)
        } else if positioned && off_screen {
            Some(HiddenBy::OffScreen)
        } else if !colour.is_empty() && is_same_colour(colour, background) {
            Some(HiddenBy::SameColour)
        } else {
            None
        };
    }
    parsed
}

/// Whether two colours are the same in hexadecimal digits, long or short, or by the names of black and white.
fn is_same_colour(one: &str, other: &str) -> bool {
    fn canonical(colour: &str) -> impl Iterator<Item = u8> {
        let digits = match colour {
            _ if colour.eq_ignore_ascii_case("white") => "fff",
            _ if colour.eq_ignore_ascii_case("black") => "000",
            _ => colour.strip_prefix('#').unwrap_or(colour),
        };
        let is_short = digits.len() == 3 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let copies = if is_short { 2 } else { 1 };
        digits.bytes().flat_map(move |digit| std::iter::repeat_n(digit.to_ascii_lowercase(), copies))
    }
    canonical(one).eq(canonical(other))
}

/// Whether a length or number is zero: `0`, `0px`, `0.0`.
fn is_zero(value: &str) -> bool {
    let number = value.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
    !number.is_empty() && number.bytes().all(|byte| matches!(byte, b'0' | b'.')) && number != "."
}

/// Whether an offset moves an element out of the screen: below -500 units.
fn is_far(value: &str) -> bool {
    let Some(number) = value.strip_prefix('-') else { return false };
    if number
        .strip_suffix("vw")
        .or(number.strip_suffix("vh"))
        .is_some_and(|share| share.parse::<u32>().is_ok_and(|share| share >= 100))
    {
        return true;
    }
    let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
    number[..end].parse::<f64>().is_ok_and(|number| number >= 500.0) && !number.ends_with('%')
}

/// Removes hidden blocks, unless they make up so much of the page that they are unlikely to stay hidden.
pub(super) fn drop_hidden_blocks(page: &mut Tables) {
    let (mut visible, mut hidden_by_markup, mut noscript) = (0_u64, 0_u64, 0_u64);
    for (hidden, counts) in page.blocks.hidden.iter().zip(&page.blocks.counts) {
        *match hidden {
            None => &mut visible,
            Some(HiddenBy::Noscript) => &mut noscript,
            Some(HiddenBy::Template) => continue,
            Some(_) => &mut hidden_by_markup,
        } += u64::from(counts.characters);
    }
    let keep_all = hidden_by_markup + noscript > 9 * visible;
    let keep_noscript = noscript > visible && noscript >= 500;
    let keep_markup_hidden = 2 * hidden_by_markup > visible && hidden_by_markup >= 100;
    let keep = |hidden: Option<HiddenBy>| match hidden {
        None => true,
        Some(HiddenBy::Template) => false,
        Some(HiddenBy::Noscript) => keep_all || keep_noscript,
        Some(_) => keep_all || keep_markup_hidden,
    };
    if page.blocks.hidden.iter().all(|hidden| keep(*hidden)) {
        return;
    }
    let new_index = page.blocks.retain(keep);
    for first in &mut page.elements.first_block {
        *first = new_index[*first as usize];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_hide_in_many_ways() {
        for (style, by) in [
            ("display:none", HiddenBy::Display),
            ("color:red; DISPLAY : None !important", HiddenBy::Display),
            ("visibility:hidden", HiddenBy::Visibility),
            ("font-size:0px", HiddenBy::ZeroSize),
            ("opacity:0", HiddenBy::ZeroSize),
            ("font-size:1px", HiddenBy::ZeroSize),
            ("height:0;overflow:hidden", HiddenBy::ZeroSize),
            ("position:absolute;left:-9999px", HiddenBy::OffScreen),
            ("text-indent:-9999em", HiddenBy::OffScreen),
            ("color:#fff;background-color:#FFF", HiddenBy::SameColour),
            ("color:white;background:#ffffff", HiddenBy::SameColour),
            ("color:transparent", HiddenBy::SameColour),
            ("display : none ! important", HiddenBy::Display),
            ("transform:scale(0)", HiddenBy::ZeroSize),
            ("clip-path:inset(100%)", HiddenBy::ZeroSize),
            ("height:0;overflow-y:hidden", HiddenBy::ZeroSize),
            ("margin-left:-9999px", HiddenBy::OffScreen),
            ("position:fixed;left:-100vw", HiddenBy::OffScreen),
        ] {
            assert_eq!(parse_style(style).hidden, Some(by), "{style}");
        }
        for style in
            ["display:block", "opacity:0.5", "left:-5px;position:absolute", "font-size:10px", "height:0"]
        {
            assert_eq!(parse_style(style).hidden, None, "{style}");
        }
        assert!(parse_style("display:flex").is_block);
    }
}
