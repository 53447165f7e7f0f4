//! Pictures: which of them belong to the kept text, where they are, and their captions.
//!
//! Nothing classifies pictures, so they go with the text around them: a picture belongs if the blocks before and after
//! it are kept, or if it is close to a kept block in the same container. A `figure` also belongs to the `article` that
//! has most of the text. A caption goes with its picture, kept or not.

use tamis_html::{Name, NodeId, NodeRef};

use super::frame::{Frame, Lines, Role};
use super::picture_source::{addresses, is_image, is_image_file, is_ornament, source};
use super::{Composer, join};
use crate::document::layout::KeptSums;
use crate::document::{Image, Kind};
use crate::page::{NONE, Page};
use crate::text::hash::hash_text;
use crate::text::lexicon::{CLASS_TOKENS, concepts};

/// A figure with more blocks or characters than this is a section.
pub(super) const MAX_CAPTION_BLOCKS: usize = 6;
const MAX_CAPTION_CHARACTERS: u32 = 600;
/// Levels between a picture, or a block, and the container that they share.
const MAX_DISTANCE: u32 = 4;
/// Nodes of a figure that are searched for a picture.
const MAX_FIGURE_NODES: usize = 128;
/// Levels between a figure and the article that it belongs to.
const MAX_FIGURE_DEPTH: usize = 32;
/// Blocks between a figure and the kept text of its article.
const MAX_FIGURE_DISTANCE: usize = 12;
/// A picture that stands on a page so often is an ornament.
const MIN_REPEATS: usize = 3;

const CAPTION: u32 = concepts(&["caption"]);
/// Classes of regions beside the text.
const FURNITURE: u32 = concepts(&["nav", "footer", "related", "share", "ad", "author", "consent"]);
/// Of these, what a figure is not: `hide-for-print` is a class of figures.
const NO_FIGURE: u32 = concepts(&["share"]);

/// A picture or several with their captions.
#[derive(Default)]
pub(super) struct Figure {
    /// Text before the first picture.
    before: Lines,
    images: Vec<(NodeId, Image, Lines)>,
    has_caption: bool,
    /// Whether it is a figure by its class alone and has kept text, which then is the caption.
    only_kept: bool,
}

/// The figures of the article that has most of the kept text, sorted. Others may belong by what is around them.
pub(super) fn article_figures(page: &Page<'_>, kept: &[bool], sums: &KeptSums) -> Vec<u32> {
    let elements = &page.elements;
    let is_figure = |row: &u32| elements.name[*row as usize] == Name::FIGURE;
    let belongs = |figure: &u32| {
        let mut row = *figure;
        for _ in 0..MAX_FIGURE_DEPTH {
            if is_furniture(page, sums, row) {
                return false;
            }
            row = elements.parent[row as usize];
            match elements.name.get(row as usize) {
                Some(&Name::ARTICLE | &Name::MAIN) => {
                    let (from, to) = elements.blocks(row);
                    let (first, end) = elements.blocks(*figure);
                    let near = first.saturating_sub(MAX_FIGURE_DISTANCE).max(from)
                        ..(end + MAX_FIGURE_DISTANCE).min(to);
                    return 2 * sums.of(page, row).1 >= sums.total_characters()
                        && near.into_iter().any(|block| kept.get(block) == Some(&true));
                }
                Some(&Name::ASIDE | &Name::NAV | &Name::FOOTER | &Name::BODY) | None => return false,
                Some(_) => {}
            }
        }
        false
    };
    let is_teaser = |figure: &u32| {
        let Some(node) = page.dom.node(elements.node[*figure as usize]) else { return true };
        let around = node.ancestors().take(3);
        let mut links =
            around.chain(node.descendants().take(MAX_FIGURE_NODES)).filter(|node| super::is_link(*node));
        let leads_elsewhere = |link: NodeRef<'_>| {
            let href = link.attribute_named(Name::HREF).unwrap_or_default();
            !is_image_file(&href) && !href.trim_start().starts_with('#')
        };
        links.any(|link| leads_elsewhere(link) && link.descendants().take(32).any(is_image))
    };
    (0..elements.len() as u32).filter(is_figure).filter(|row| belongs(row) && !is_teaser(row)).collect()
}

/// Whether an element without kept text is beside the text by its class.
fn is_furniture(page: &Page<'_>, sums: &KeptSums, row: u32) -> bool {
    let class = page.elements.class[row as usize][0];
    let is_figure = page.elements.name[row as usize] == Name::FIGURE;
    let furniture = if is_figure { FURNITURE & !NO_FIGURE } else { FURNITURE };
    page.classes.concepts(class) & furniture != 0 && !sums.holds(page, row)
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
        let is_small = (from < to || name == Name::FIGURE)
            && to - from <= MAX_CAPTION_BLOCKS
            && page.blocks.sum(from, to).characters <= MAX_CAPTION_CHARACTERS;
        if !is_candidate || !is_small || self.is_in_text() {
            return None;
        }
        let class = page.elements.class[row as usize][0];
        if name != Name::FIGURE && page.classes.concepts(class) & CAPTION == 0 {
            return None;
        }
        let inner = &page.elements.name[row as usize + 1..page.elements.end[row as usize] as usize];
        if inner.iter().any(|name| is_section(*name)) {
            return None;
        }
        let is_picture = |node: NodeRef<'_>| is_image(node) && !is_ornament(node) && source(node).is_some();
        if !node.descendants().take(MAX_FIGURE_NODES).any(is_picture) {
            return None;
        }
        let belongs = self.sums.holds(page, row)
            || self.holds_row(&self.figures, row)
            || self.belongs(from.checked_sub(1), to);
        if belongs {
            let has_caption = inner.contains(&Name::FIGCAPTION);
            let only_kept = name != Name::FIGURE && self.sums.holds(page, row);
            self.open_frame(node, Role::Figure(Figure { has_caption, only_kept, ..Figure::default() }));
        }
        Some(belongs)
    }

    pub(super) fn image(&mut self, node: NodeRef<'_>) {
        let current = self.current_block();
        let is_figure = matches!(self.frames.last(), Some(Frame { role: Role::Figure(_), .. }));
        let is_wanted = is_figure
            || match current {
                Some(block) => self.line.as_ref().is_some_and(|line| line.block == block),
                None => {
                    let next = self.block_at(self.next_text);
                    !self.is_in_text() && self.belongs(next.checked_sub(1), next)
                }
            };
        if !is_wanted || is_ornament(node) {
            return;
        }
        let Some(src) = source(node).filter(|src| !self.is_repeated(src)) else { return };
        let Some(src) = self.urls.resolve(&src) else { return };
        let alt = node.attribute_named(Name::ALT).unwrap_or_default();
        let alt = alt.split_whitespace().collect::<Vec<_>>().join(" ");
        let image = Image { src, alt, caption: Vec::new() };
        if is_figure {
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
        if current.is_some() {
            self.write(|line, wraps, _| line.image(image, wraps));
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
        let siblings = [
            node.previous_siblings().find(|node| node.is_element()),
            node.next_siblings().find(|node| node.is_element()),
        ];
        let is_copy = siblings.into_iter().flatten().any(|node| picture_in(node).is_some());
        let Some(picture) = picture_in(node).filter(|_| !is_copy && self.swallowed.is_none()) else { return };
        // Trackers are in `noscript` as well, but nothing waits for them.
        let waits =
            |node: NodeRef<'_>| std::iter::once(node).chain(node.descendants().take(16)).any(is_image);
        if matches!(self.frames.last(), Some(Frame { role: Role::Figure(_), .. }))
            || siblings.into_iter().flatten().any(waits)
            || picture.attribute_named(Name::ALT).is_some_and(|alt| !alt.trim().is_empty())
            || picture.attribute_named(Name::WIDTH).is_some()
        {
            self.image(picture);
        }
    }

    /// Whether text that is not kept is the caption of the open figure, rather than a control of its viewer.
    pub(super) fn is_caption(&self, text: NodeRef<'_>) -> bool {
        let Some(Frame { node, role: Role::Figure(figure), .. }) = self.frames.last() else { return false };
        if figure.only_kept {
            return false;
        }
        let mut in_caption = !figure.has_caption;
        for above in text.ancestors().take_while(|above| above.id() != *node).take(MAX_FIGURE_DEPTH) {
            let class = above.attribute_named(Name::CLASS).unwrap_or_default();
            in_caption |= above.is(Name::FIGCAPTION) || CLASS_TOKENS.bits(&class) & CAPTION != 0;
            if above.is(Name::BUTTON)
                || above.attribute_named(Name::ROLE).is_some_and(|role| role.trim() == "button")
            {
                return false;
            }
        }
        in_caption
    }

    /// Whether a picture is all over the page: an icon, a star, a logo.
    fn is_repeated(&mut self, src: &str) -> bool {
        let page = self.page;
        let pictures = self.pictures.get_or_insert_with(|| {
            let images =
                [Name::IMG, Name::AMP_IMG].into_iter().flat_map(|name| page.dom.elements_named(name));
            let mut pictures: Vec<(u64, NodeId)> = images
                .flat_map(|image| addresses(image).map(move |it| (hash_text(&it), image.id())))
                .collect();
            pictures.sort_unstable();
            pictures.dedup();
            pictures
        });
        let hash = hash_text(src);
        let first = pictures.partition_point(|(other, _)| *other < hash);
        pictures.get(first + MIN_REPEATS - 1).is_some_and(|(other, _)| *other == hash)
    }

    /// Whether something between two blocks belongs to the kept text.
    fn belongs(&self, before: Option<usize>, after: usize) -> bool {
        let (is_before_kept, is_after_kept) =
            (before.is_some_and(|before| self.keeps(before)), self.keeps(after));
        let is_furniture = |row: &u32| is_furniture(self.page, &self.sums, *row);
        if !(is_before_kept || is_after_kept) || self.rows.iter().rev().take(3).any(is_furniture) {
            return false;
        }
        if is_before_kept && is_after_kept {
            return true;
        }
        let (kept, other) = if is_before_kept { (before, Some(after)) } else { (Some(after), before) };
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
            let own = self.span_of(node, &[]);
            let span = caption.span.map_or(own, |caption| join(own, caption));
            self.push(Kind::Image(image), node, span, caption.blocks);
        }
    }
}

/// The first usable picture at or directly below a node.
fn picture_in(node: NodeRef<'_>) -> Option<NodeRef<'_>> {
    let is_picture = |node: &NodeRef<'_>| is_image(*node) && source(*node).is_some();
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
