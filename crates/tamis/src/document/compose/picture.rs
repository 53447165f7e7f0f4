//! Pictures: which of them belong to the kept text, where they are, and their captions.
//!
//! Nothing classifies pictures, so they go with the text around them: a picture belongs if the blocks before and after
//! it are kept, or if it is close to a kept block in the same container. A caption goes with its picture, kept or not.

use std::collections::HashSet;
use std::sync::LazyLock;

use tamis_html::{Name, NodeId, NodeRef};

use super::Composer;
use super::frame::{Frame, Lines, Role};
use crate::document::{Image, Kind, is_safe_url};
use crate::page::NONE;
use crate::text::lexicon::{CLASS_TOKENS, CONCEPTS};

/// A figure with more blocks or characters than this is a section.
pub(super) const MAX_CAPTION_BLOCKS: usize = 6;
const MAX_CAPTION_CHARACTERS: u32 = 600;
/// Levels between a picture, or a block, and the container that they share.
const MAX_DISTANCE: u32 = 4;
/// Nodes of a figure that are searched for a picture.
const MAX_FIGURE_NODES: usize = 128;
/// Pictures of this many pixels in both directions are ornaments.
const MAX_ORNAMENT: u32 = 24;
/// Pictures of this many pixels in one direction are trackers or lines.
const MAX_TRACKER: u32 = 2;

static PLACEHOLDERS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let lines = include_str!("../../../data/image-placeholders.tsv").lines();
    lines.filter(|line| !line.starts_with('#')).collect()
});
static CAPTION: LazyLock<u32> =
    LazyLock::new(|| CONCEPTS.iter().position(|concept| *concept == "caption").map_or(0, |bit| 1 << bit));

/// A picture or several with their captions.
#[derive(Default)]
pub(super) struct Figure {
    /// Text before the first picture.
    before: Lines,
    images: Vec<(NodeId, Image, Lines)>,
}

impl Figure {
    /// Where the next line goes.
    pub(super) fn lines(&mut self) -> &mut Lines {
        self.images.last_mut().map_or(&mut self.before, |(_, _, lines)| lines)
    }
}

impl Composer<'_> {
    /// Enters a block-level element that may be a figure. `Some(true)`: it is one, and belongs; `Some(false)`: it does
    /// not belong.
    pub(super) fn enter_figure(&mut self, node: NodeRef<'_>, name: Name, row: u32) -> Option<bool> {
        let page = self.page;
        let (from, to) = page.elements.blocks(row);
        let is_candidate = match name {
            Name::FIGURE => true,
            Name::DIV | Name::P | Name::SECTION | Name::ASIDE | Name::CENTER => {
                page.elements.class[row as usize][0] != 0
            }
            _ => false,
        };
        let is_small = from < to
            && to - from <= MAX_CAPTION_BLOCKS
            && page.blocks.sum(from, to).characters <= MAX_CAPTION_CHARACTERS;
        if !is_candidate || !is_small || self.is_in_text() {
            return None;
        }
        let class = page.elements.class[row as usize][0] as usize;
        if name != Name::FIGURE && CLASS_TOKENS.bits(page.classes.text(class)) & *CAPTION == 0 {
            return None;
        }
        let inner = &page.elements.name[row as usize + 1..page.elements.end[row as usize] as usize];
        if inner.iter().any(|name| is_section(*name)) {
            return None;
        }
        let is_picture =
            |node: NodeRef<'_>| node.is(Name::IMG) && !is_ornament(node) && source(node).is_some();
        if !node.descendants().take(MAX_FIGURE_NODES).any(is_picture) {
            return None;
        }
        let belongs = self.sums.holds(page, row) || self.belongs(from.checked_sub(1), to);
        if belongs {
            self.open_frame(node, Role::Figure(Figure::default()));
        }
        Some(belongs)
    }

    pub(super) fn image(&mut self, node: NodeRef<'_>) {
        if is_ornament(node) {
            return;
        }
        let Some(src) = source(node).and_then(|src| self.urls.resolve(&src)) else { return };
        let alt = node.attribute_named(Name::ALT).unwrap_or_default();
        let alt = alt.split_whitespace().collect::<Vec<_>>().join(" ");
        let image = Image { src, alt, caption: Vec::new() };
        let current = self.current_block();
        if let Some(Frame { role: Role::Figure(_), .. }) = self.frames.last() {
            if current.is_none() {
                self.flush();
            }
            if let Some(Frame { role: Role::Figure(figure), .. }) = self.frames.last_mut()
                && figure.images.last().is_none_or(|(_, last, _)| last.src != image.src)
            {
                figure.images.push((node.id(), image, Lines::default()));
            }
            return;
        }
        if let Some(block) = current {
            if self.line.as_ref().is_some_and(|line| line.block == block) {
                self.write(|line, wraps, _| line.image(image, wraps));
            }
            return;
        }
        let next = self.block_at(self.next_text);
        if self.is_in_text() || !self.belongs(next.checked_sub(1), next) {
            return;
        }
        let is_repeated = self.line.is_none()
            && self
                .frames
                .last()
                .and_then(|frame| frame.content.last())
                .is_some_and(|piece| matches!(&piece.kind, Kind::Image(last) if last.src == image.src));
        if !is_repeated {
            self.flush();
            self.push(Kind::Image(image), node.id(), self.span_of(node.id(), &[]), Vec::new());
        }
    }

    /// A `noscript` may hold the picture that a script would load.
    pub(super) fn noscript(&mut self, node: NodeRef<'_>) {
        let before = node.previous_siblings().find(|node| node.is_element());
        let after = node.next_siblings().find(|node| node.is_element());
        let is_copy = [before, after].into_iter().flatten().any(|node| picture_in(node).is_some());
        if let Some(picture) = picture_in(node).filter(|_| !is_copy && self.swallowed.is_none()) {
            self.image(picture);
        }
    }

    /// Whether something between two blocks belongs to the kept text.
    fn belongs(&self, before: Option<usize>, after: usize) -> bool {
        let (kept, other) = match (before.is_some_and(|before| self.keeps(before)), self.keeps(after)) {
            (true, true) => return true,
            (false, false) => return false,
            (true, false) => (before, Some(after)),
            (false, true) => (Some(after), before),
        };
        // It goes with the block with which it shares the smaller container.
        let shared = |block: Option<usize>| block.and_then(|block| self.shared_depth(block));
        let own = self.rows.last().map_or(0, |row| self.page.elements.depth[*row as usize]);
        shared(kept).is_some_and(|depth| own - depth <= MAX_DISTANCE && Some(depth) >= shared(other))
    }

    /// The depth of the innermost open element that holds a block, if it is near. The body holds everything, so it
    /// counts only for text directly in it.
    fn shared_depth(&self, block: usize) -> Option<u32> {
        let elements = &self.page.elements;
        let here = *self.rows.last()?;
        let mut row = *self.page.blocks.element.get(block)?;
        for _ in 0..MAX_DISTANCE {
            if elements.is_inside(here, row) {
                return Some(elements.depth[row as usize]);
            }
            row = elements.parent[row as usize];
            if row == NONE || matches!(elements.name[row as usize], Name::BODY | Name::HTML) {
                return None;
            }
        }
        None
    }

    pub(super) fn close_figure(&mut self, node: NodeId, figure: Figure) {
        let mut before = figure.before;
        if figure.images.is_empty()
            && let Some(span) = before.span.filter(|_| !before.blocks.is_empty())
        {
            self.push(Kind::Paragraph { content: before.content }, node, span, before.blocks);
            return;
        }
        for (node, mut image, lines) in figure.images {
            let mut caption = std::mem::take(&mut before);
            if let Some(span) = lines.span {
                caption.push(lines.content, span, lines.blocks);
            }
            image.caption = caption.content;
            self.push(Kind::Image(image), node, self.span_of(node, &[]), caption.blocks);
        }
    }
}

/// The first usable picture at or directly below a node.
fn picture_in(node: NodeRef<'_>) -> Option<NodeRef<'_>> {
    let is_picture = |node: &NodeRef<'_>| node.is(Name::IMG) && source(*node).is_some();
    std::iter::once(node).chain(node.descendants().take(16)).find(is_picture)
}

/// Whether an element inside shows that something is more than a picture with its caption.
fn is_section(name: Name) -> bool {
    matches!(
        name,
        Name::TABLE
            | Name::PRE
            | Name::BLOCKQUOTE
            | Name::UL
            | Name::OL
            | Name::DL
            | Name::H1
            | Name::H2
            | Name::H3
            | Name::H4
            | Name::H5
            | Name::H6
    )
}

/// Whether a picture is a tracker or an ornament by its own account.
fn is_ornament(node: NodeRef<'_>) -> bool {
    let size = |name| {
        let value = node.attribute_named(name)?;
        let digits = value.trim().trim_end_matches("px");
        digits.parse::<f32>().ok().map(|size| size as u32)
    };
    let (width, height) = (size(Name::WIDTH), size(Name::HEIGHT));
    let is_at_most = |size: Option<u32>, most| size.is_some_and(|size| size <= most);
    let role = node.attribute_named(Name::ROLE).unwrap_or_default();
    is_at_most(width, MAX_TRACKER)
        || is_at_most(height, MAX_TRACKER)
        || (is_at_most(width, MAX_ORNAMENT) && is_at_most(height, MAX_ORNAMENT))
        || matches!(role.trim(), "presentation" | "none")
        || node.attribute_named(Name::ARIA_HIDDEN).is_some_and(|hidden| hidden == "true")
}

/// Where a picture is: what a script would load comes before a placeholder.
fn source(image: NodeRef<'_>) -> Option<String> {
    let usable = |url: &str| {
        let url = url.trim();
        let is_usable = !url.is_empty() && is_safe_url(url) && !is_placeholder(url);
        is_usable.then(|| url.to_owned())
    };
    let is_lazy = |name: &str| {
        name.strip_prefix("data-").is_some_and(|name| {
            (name.contains("src") || name.starts_with("original")) && !name.contains("set")
        })
    };
    let is_address = |value: &str| value.contains(['/', '.']) && !value.trim().contains(' ');
    let lazy = || {
        let mut values = image.attributes().filter(|it| is_lazy(it.name())).map(|it| it.value());
        values.find_map(|value| usable(&value).filter(|url| is_address(url)))
    };
    let own = || usable(&image.attribute_named(Name::SRC)?);
    let from_set = |node: NodeRef<'_>| {
        let sets = [Name::SRCSET, Name::DATA_SRCSET];
        sets.iter().find_map(|name| usable(largest(&node.attribute_named(*name)?)?))
    };
    let from_picture = || {
        let picture = image.parent().filter(|parent| parent.is(Name::PICTURE))?;
        picture.children().filter(|child| child.is(Name::SOURCE)).take(16).find_map(from_set)
    };
    lazy().or_else(own).or_else(|| from_set(image)).or_else(from_picture)
}

/// The largest picture of a `srcset`.
fn largest(set: &str) -> Option<&str> {
    let mut best: Option<(&str, f32)> = None;
    let mut candidates = Vec::new();
    let mut url = None;
    for token in set.split_ascii_whitespace() {
        match url.take() {
            Some(url) => {
                let size = token.trim_end_matches([',', 'w', 'x', 'h']).parse();
                candidates.push((url, size.unwrap_or(1.0)));
            }
            None => match token.strip_suffix(',') {
                Some(alone) => candidates.push((alone, 1.0)),
                None => url = Some(token),
            },
        }
    }
    candidates.extend(url.map(|url| (url, 1.0)));
    for (url, size) in candidates {
        if best.is_none_or(|(_, largest)| size > largest) {
            best = Some((url, size));
        }
    }
    best.map(|(url, _)| url)
}

/// Whether the name of a file says that it takes the place of a picture.
fn is_placeholder(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    let file = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let Some((stem, extension)) = file.rsplit_once('.') else { return false };
    matches!(extension, "gif" | "png" | "svg")
        && stem.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| PLACEHOLDERS.contains(word))
}
