//! What the page's own `style` elements hide: rules for one class or one `id`, outside of media queries.
//!
//! A class that another rule shows, as `.open .menu` does, waits for a click: it is not hidden.

use std::sync::LazyLock;

use memchr::memmem;
use tamis_html::{Name, NodeRef};

use super::hidden::{HiddenBy, parse_style};
use crate::text::hash::FastMap;

/// Bytes read of all `style` elements, and rules kept.
const MAX_BYTES: usize = 1 << 16;
const MAX_RULES: usize = 200;
/// Places where a class is mentioned that are looked at.
const MAX_MENTIONS: usize = 50;
/// One of these is part of every declaration that hides.
const NEEDLES: [&[u8]; 4] = [b"none", b"hidden", b"clip", b"-999"];

#[derive(Debug, Default)]
pub(super) struct StyleRules {
    css: String,
    /// By selector, `.class` or `#id`: what hides it, and whether another rule shows it, once anybody asks.
    hidden: FastMap<String, (HiddenBy, Option<bool>)>,
    /// The selector that is looked up.
    selector: String,
}

impl StyleRules {
    pub(super) fn is_empty(&self) -> bool {
        self.hidden.is_empty()
    }

    /// Reads the text of a `style` element.
    pub(super) fn read(&mut self, css: &str) {
        let css = &css[..css.floor_char_boundary(MAX_BYTES.saturating_sub(self.css.len()))];
        let hits = NEEDLES.iter().flat_map(|needle| memmem::find_iter(css.as_bytes(), needle));
        let mut hits: Vec<usize> = hits.collect();
        hits.sort_unstable();
        let mut hits = hits.into_iter().peekable();
        // The start of the prelude before the next brace, and the number of open at-rule blocks.
        let (mut start, mut depth) = (0, 0_u32);
        let mut selectors = "";
        for brace in memchr::memchr2_iter(b'{', b'}', css.as_bytes()) {
            let text = &css[start..brace];
            if css.as_bytes()[brace] == b'{' {
                depth += u32::from(!selectors.is_empty());
                selectors = text;
            } else if selectors.is_empty() {
                depth = depth.saturating_sub(1);
            } else {
                while hits.next_if(|hit| *hit < start).is_some() {}
                if depth == 0 && hits.peek().is_some_and(|hit| *hit < brace) {
                    self.add(selectors, text);
                }
                selectors = "";
            }
            start = brace + 1;
        }
        self.css.push_str(css);
    }

    fn add(&mut self, selectors: &str, declarations: &str) {
        let selectors = selectors.rsplit(['/', ';']).next().unwrap_or(selectors);
        let Some(by) = parse_style(declarations).hidden else { return };
        for selector in selectors.split(',').map(str::trim) {
            let is_simple = selector.starts_with(['.', '#']) && selector[1..].bytes().all(is_name_byte);
            if is_simple && self.hidden.len() < MAX_RULES {
                self.hidden.insert(selector.to_owned(), (by, None));
            }
        }
    }

    /// What hides an element of these classes, or of this `id`; `mark` is a full stop or a hash.
    pub(super) fn hides(&mut self, mark: char, value: &str) -> Option<HiddenBy> {
        let StyleRules { css, hidden, selector } = self;
        value.split_ascii_whitespace().take(MAX_MENTIONS).find_map(|name| {
            selector.clear();
            selector.push(mark);
            selector.push_str(name);
            let (by, shown) = hidden.get_mut(selector.as_str())?;
            (!*shown.get_or_insert_with(|| is_shown(css, selector))).then_some(*by)
        })
    }
}

/// Whether another rule shows what a selector names.
fn is_shown(css: &str, selector: &str) -> bool {
    let bytes = css.as_bytes();
    memmem::find_iter(bytes, selector).take(MAX_MENTIONS).any(|at| {
        let end = at + selector.len();
        let brace = memchr::memchr2(b'{', b'}', &bytes[end..]).map(|brace| end + brace);
        let Some(open) = brace.filter(|brace| bytes[*brace] == b'{' && !is_name_byte(bytes[end])) else {
            return false;
        };
        let close = memchr::memchr(b'}', &bytes[open..]).map_or(css.len(), |close| open + close);
        parse_style(&css[open + 1..close]).shows
    })
}

/// Whether a `style` element is for screens, and for browsers that run scripts.
pub(super) fn applies_to_screens(style: NodeRef<'_>) -> bool {
    let is_screen =
        |media: &str| media.trim().is_empty() || media.contains("all") || media.contains("screen");
    !style.parent().is_some_and(|parent| parent.is(Name::NOSCRIPT))
        && style.attribute("media").is_none_or(|media| is_screen(&media))
}

/// Whether a class value has a name that frameworks give to text for screen readers alone.
pub(super) fn is_for_screen_readers(value: &str) -> bool {
    // Nearly all others lack these pairs of letters. Without early exit, so it auto-vectorises.
    let pairs = value.as_bytes().iter().zip(value.as_bytes().iter().skip(1));
    let may_be = pairs.fold(false, |found, (first, second)| {
        found
            | ((*second == b'-') & ((*first == b'r') | (*first == b'y')))
            | ((*first == b'y') & (*second == b'h'))
    });
    may_be && value.split_ascii_whitespace().any(|name| SCREEN_READER_CLASSES.contains(&name))
}

/// Names that frameworks give to text for screen readers.
static SCREEN_READER_CLASSES: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("../../data/screen-reader-classes.txt").lines().collect());

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_rules_hide() {
        let mut rules = StyleRules::default();
        rules.read(
            "@import url(a.css); /* Traps. */ .trap, #bait{display:none} p.warn{display:none}\
             @media print{.news{display:none} .more{display:none}} .menu{display:none} .open .menu{display:block}\
             .reader{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}\
             .grey{color:#777} .menu-bar{display: none}",
        );
        for (mark, value, by) in [
            ('.', "a trap", Some(HiddenBy::Display)),
            ('#', "bait", Some(HiddenBy::Display)),
            ('.', "reader", Some(HiddenBy::ZeroSize)),
            ('.', "menu-bar", Some(HiddenBy::Display)),
            ('.', "warn", None),
            ('.', "news", None),
            ('.', "more", None),
            ('.', "menu", None),
            ('.', "grey", None),
            ('#', "trap", None),
        ] {
            assert_eq!(rules.hides(mark, value), by, "{mark}{value}");
        }
        rules.read("} { a } {{{ .late{display:none}");
    }
}
