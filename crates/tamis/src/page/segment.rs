//! Segmentation: one tree walk splits the text into blocks.
//!
//! Blocks end at visual line breaks: block-level elements, table cells, list items, `br`, and elements that a `style`
//! attribute makes blocks. Inline tags never end a block, so words stay whole.

use tamis_html::{Deadline, Dom, Name, Namespace, NodeKind, NodeRef, Span};

use super::elements::{NONE, Region, region_of_role, region_of_tag};
use super::hidden::{HiddenBy, HiddenElement, HiddenText, StyleValues, drop_hidden_blocks};
use super::style_rules::{StyleRules, applies_to_screens, is_for_screen_readers};
use super::tags::{
    holds_end_of_noscript, is_block_level, is_copy_of_formula, is_never_rendered, is_ruby_annotation,
};
use super::{Marking, Tables};
use crate::text::characters::{Counts, count_visible};
use crate::text::hash::hash_combine;
use crate::text::whitespace::{collapse_whitespace, is_blank};

/// Bounds the tables: an element counts once, a block twice. Beyond it, elements end no blocks: all words stay, in fewer
/// lines. Far above what pages for readers have.
const MIN_ROOM: usize = 24_000;
/// Bytes of the source that make room for one more.
const BYTES_PER_ROOM: usize = 16;
/// Nodes between two looks at the clock.
const NODES_PER_DEADLINE_CHECK: u32 = 4096;

/// Fills `tables`, which must be cleared.
#[inline(never)]
pub(super) fn segment(dom: &Dom<'_>, hidden: HiddenText, deadline: Option<Deadline>, tables: &mut Tables) {
    let page = tables;
    let mut walker = Walker {
        page,
        keep_hidden: hidden == HiddenText::Keep,
        deadline,
        room: MIN_ROOM + dom.source().len() / BYTES_PER_ROOM,
        stack: Vec::with_capacity(64),
        current: None,
        line_breaks: 0,
        styles: StyleRules::default(),
        hidden_classes: Vec::new(),
        style_values: StyleValues::default(),
    };
    walker.walk(dom);
    walker.finish_block();
    let count = page.blocks.len() as u32;
    page.blocks.text_start.push(page.blocks.text.len() as u32);
    page.blocks.first_text_node.push(page.blocks.text_nodes.len() as u32);
    page.elements.first_block.push(count);
    drop_hidden_blocks(page);
    page.blocks.compute_prefix_sums();
}

/// An entry of the stack of open elements.
#[derive(Clone, Copy)]
struct OpenElement {
    /// The row in the element table; inline elements inherit that of their parent.
    row: u32,
    is_block: bool,
    in_link: bool,
    is_span: bool,
    hidden: Option<HiddenBy>,
    /// Inline markup bits, see [`Blocks::inline_markup`](super::Blocks::inline_markup).
    inline_markup: u8,
    /// Class of the innermost inline element.
    class: u32,
}

/// The block under construction.
struct OpenBlock {
    row: u32,
    hidden: Option<HiddenBy>,
    line_breaks: u8,
    inline_markup: u8,
    class: u32,
    start: usize,
    first_text_node: usize,
    span: Span,
    links: u32,
    images: u32,
    link_characters: u32,
    pending_space: bool,
    after_word: bool,
}

/// The state of the tree walk.
struct Walker<'p> {
    page: &'p mut Tables,
    keep_hidden: bool,
    deadline: Option<Deadline>,
    room: usize,
    stack: Vec<OpenElement>,
    current: Option<OpenBlock>,
    line_breaks: u8,
    styles: StyleRules,
    /// What hides elements of each class, as far as known.
    hidden_classes: Vec<Option<HiddenBy>>,
    style_values: StyleValues,
}

/// An element's relevant attributes, collected in one pass.
#[derive(Default)]
struct Attributes {
    class: u32,
    id: u32,
    regions: u32,
    has_href: bool,
    hidden: Option<HiddenBy>,
    is_block: bool,
    /// Whether there are others that metadata is read from.
    is_marked: bool,
}

impl Walker<'_> {
    fn walk(&mut self, dom: &Dom<'_>) {
        self.stack.push(OpenElement {
            row: NONE,
            is_block: true,
            in_link: false,
            is_span: false,
            hidden: None,
            inline_markup: 0,
            class: 0,
        });
        let root = dom.root();
        let Some(mut node) = root.first_child() else { return };
        let mut visited = 0_u32;
        loop {
            visited += 1;
            if visited.is_multiple_of(NODES_PER_DEADLINE_CHECK)
                && self.deadline.is_some_and(Deadline::has_passed)
            {
                return self.close_all();
            }
            let descend = match node.kind() {
                NodeKind::Text => {
                    self.text(node);
                    false
                }
                NodeKind::Element => self.enter(node),
                NodeKind::Fragment => {
                    let top = self.stack[self.stack.len() - 1];
                    self.stack.push(top);
                    true
                }
                _ => false,
            };
            if descend {
                if let Some(child) = node.first_child() {
                    node = child;
                    continue;
                }
                self.leave();
            }
            loop {
                if let Some(next) = node.next_sibling() {
                    node = next;
                    break;
                }
                let Some(parent) = node.parent().filter(|parent| *parent != root) else { return };
                node = parent;
                self.leave();
            }
        }
    }

    /// Opens an element. Returns whether to descend into it.
    fn enter(&mut self, node: NodeRef<'_>) -> bool {
        let name = node.name_id().unwrap_or(Name::DIV);
        let is_html = node.namespace() == Namespace::Html;
        if is_never_rendered(name, node) {
            match name {
                Name::TITLE if is_html && self.page.head.title.is_empty() => {
                    self.page.head.title = node.text_content();
                }
                Name::STYLE if !self.keep_hidden && applies_to_screens(node) => {
                    self.styles.read(&node.first_child().map(|css| css.text()).unwrap_or_default());
                }
                Name::IFRAME => self.page.head.has_open_iframe |= holds_end_of_noscript(node),
                Name::META => self.page.head.metas.push(node.id()),
                Name::LINK => self.page.head.links.push(node.id()),
                Name::SCRIPT
                    if node.attribute_named(Name::TYPE).is_some_and(|kind| kind.contains("ld+json")) =>
                {
                    self.page.head.json_ld.push(node.id());
                }
                _ => {}
            }
            // Descend into the head only to collect title, meta and JSON-LD.
            let is_head = name == Name::HEAD;
            self.page
                .head
                .marked
                .push((node.id(), if is_head { Marking::Attributes } else { Marking::Unread }));
            return is_head && self.push_head();
        }
        if is_html && is_ruby_annotation(name, node) {
            self.leave_unread(node);
            return false;
        }
        let parent_state = self.stack[self.stack.len() - 1];
        let is_crowded = 2 * self.page.blocks.len() + self.page.elements.name.len() > self.room;
        if matches!(name, Name::BR | Name::IMG) && is_html && node.attributes().len() > 0 {
            self.page.head.marked.push((node.id(), Marking::Attributes));
        }
        if name == Name::BR && is_html {
            if is_crowded {
                self.separate_words();
                return false;
            }
            self.finish_block();
            self.line_breaks = self.line_breaks.saturating_add(1);
            return false;
        }
        if name == Name::IMG && is_html {
            if let Some(current) = &mut self.current {
                current.images += 1;
            }
            return false;
        }
        let is_block_tag = is_html && is_block_level(name, node);
        let attributes = self.attributes(node, is_block_tag);
        if attributes.is_marked || matches!(name, Name::TIME | Name::BASE) {
            self.page.head.marked.push((node.id(), Marking::Attributes));
        } else if attributes.class != 0 {
            self.page.head.marked.push((node.id(), Marking::Class(attributes.class)));
        }
        let is_block = is_block_tag || (is_html && attributes.is_block && !is_crowded);
        let is_link = is_html && name == Name::A && attributes.has_href;
        if !is_block && attributes.hidden == Some(HiddenBy::Aria) && is_copy_of_formula(node) {
            self.leave_unread(node);
            return false;
        }
        let hidden_here = match name {
            Name::NOSCRIPT => {
                self.page.head.has_noscript = true;
                Some(HiddenBy::Noscript)
            }
            Name::TEMPLATE => Some(HiddenBy::Template),
            Name::DIALOG if node.attribute_named(Name::OPEN).is_none() => Some(HiddenBy::Dialog),
            _ => attributes.hidden.filter(|reason| is_block || *reason != HiddenBy::Aria),
        };
        let hidden_here = hidden_here
            .filter(|by| !self.keep_hidden || matches!(by, HiddenBy::Noscript | HiddenBy::Template));
        if let Some(by) = hidden_here
            && parent_state.hidden.is_none()
        {
            self.page.hidden.push(HiddenElement { node: node.id(), by });
        }
        let hidden = parent_state.hidden.or(hidden_here);
        // Hidden inline text is dropped for good; hidden blocks are judged by `drop_hidden_blocks`.
        if (!is_block || is_crowded) && hidden_here.is_some() {
            self.leave_unread(node);
            return false;
        }
        let mut open =
            OpenElement { is_block, hidden, in_link: parent_state.in_link || is_link, ..parent_state };
        open.is_span = name == Name::SPAN && !is_block;
        if is_block && is_crowded {
            self.separate_words();
        } else if is_block {
            self.finish_block();
            self.line_breaks = 0;
            open.row = self.add_row(node, name, &attributes, parent_state.row, open.in_link);
            open.inline_markup = 0;
            open.class = 0;
        } else {
            if attributes.class != 0 {
                open.class = attributes.class;
            }
            open.inline_markup |= match name {
                Name::B | Name::STRONG | Name::EM | Name::I => 1,
                Name::TIME => 2,
                Name::CODE => 4,
                _ => 0,
            };
            if let Some(current) = &mut self.current
                && is_link
            {
                // A link right after another link or a span, such as a label, starts a word.
                current.pending_space |= current.after_word;
                current.links += 1;
            }
        }
        self.stack.push(open);
        true
    }

    /// Notes that nothing below an element is read.
    fn leave_unread(&mut self, node: NodeRef<'_>) {
        let children = node.children().map(|child| (child.id(), Marking::Unread));
        self.page.head.marked.extend(children);
    }

    /// Opens the head as hidden, so that stray text in it is dropped.
    fn push_head(&mut self) -> bool {
        let top = self.stack[self.stack.len() - 1];
        self.stack.push(OpenElement { hidden: Some(HiddenBy::Template), ..top });
        true
    }

    fn add_row(
        &mut self,
        node: NodeRef<'_>,
        name: Name,
        attributes: &Attributes,
        parent: u32,
        in_link: bool,
    ) -> u32 {
        let page = &mut *self.page;
        let shape = page.classes.entries[attributes.class as usize].shape;
        let elements = &mut page.elements;
        let row = elements.name.len() as u32;
        let (mut regions, mut depth, mut class_path, mut tag_path) = (0, 0, 1, 1);
        if let Some(inherited) = elements.regions.get(parent as usize) {
            let parent_row = parent as usize;
            regions = *inherited & !Region::Link.bit();
            depth = elements.depth[parent_row] + 1;
            class_path = elements.class_path[parent_row];
            tag_path = elements.tag_path[parent_row];
        }
        regions |= region_of_tag(name) | attributes.regions;
        if in_link {
            regions |= Region::Link.bit();
        }
        let tag = tag_key(name, node);
        elements.node.push(node.id());
        elements.name.push(name);
        elements.parent.push(parent);
        elements.end.push(NONE);
        elements.depth.push(depth);
        elements.class.push([attributes.class, attributes.id]);
        elements.regions.push(regions);
        elements.class_path.push(hash_combine(class_path, tag ^ shape));
        elements.tag_path.push(hash_combine(tag_path, tag));
        elements.first_block.push(page.blocks.element.len() as u32);
        row
    }

    /// Separates words as the end of a block would.
    fn separate_words(&mut self) {
        self.page.blocks.merged = true;
        if let Some(current) = &mut self.current {
            current.pending_space = true;
        }
    }

    /// Ends the walk early: every open element ends here.
    fn close_all(&mut self) {
        while self.stack.len() > 1 {
            self.leave();
        }
    }

    fn leave(&mut self) {
        let Some(open) = self.stack.pop() else { return };
        let parent_state = self.stack[self.stack.len() - 1];
        if open.is_block && open.row != parent_state.row {
            self.finish_block();
            self.line_breaks = 0;
            self.page.elements.end[open.row as usize] = self.page.elements.name.len() as u32;
        }
        if open.is_block && open.row == parent_state.row && self.page.blocks.merged {
            self.separate_words();
        }
        if (open.is_span || (open.in_link && !parent_state.in_link))
            && let Some(current) = &mut self.current
        {
            current.after_word = true;
        }
    }

    fn attributes(&mut self, node: NodeRef<'_>, is_block: bool) -> Attributes {
        let mut collected = Attributes::default();
        for attribute in node.attributes() {
            match attribute.name_id() {
                Name::CLASS => {
                    collected.class = self.page.classes.intern(&attribute.value());
                    collected.hidden = collected.hidden.or(self.hidden_by_class(collected.class));
                }
                Name::ID if is_block => {
                    collected.id = self.page.classes.intern(&attribute.value());
                    if !self.styles.is_empty() {
                        let by_id = || self.styles.hides('#', &attribute.value());
                        collected.hidden = collected.hidden.or_else(by_id);
                    }
                }
                Name::HREF => collected.has_href = true,
                Name::STYLE => {
                    let style = self.style_values.read(&attribute.value());
                    collected.hidden = style.hidden.or(collected.hidden);
                    collected.is_block |= style.is_block;
                }
                Name::HIDDEN if !attribute.value().eq_ignore_ascii_case("until-found") => {
                    collected.hidden = Some(HiddenBy::Attribute);
                }
                Name::ARIA_HIDDEN if attribute.value().eq_ignore_ascii_case("true") => {
                    collected.hidden = collected.hidden.or(Some(HiddenBy::Aria));
                }
                Name::ROLE => collected.regions |= region_of_role(&attribute.value()),
                Name::ITEMPROP => {
                    collected.is_marked = true;
                    if matches!(&*attribute.value(), "articleBody" | "text" | "mainContentOfPage") {
                        collected.regions |= Region::ArticleBody.bit();
                    }
                }
                Name::PROPERTY | Name::REL | Name::ITEMTYPE => collected.is_marked = true,
                _ => {}
            }
        }
        collected
    }

    /// What hides the elements of a class. Each class is looked up once.
    fn hidden_by_class(&mut self, class: u32) -> Option<HiddenBy> {
        for id in self.hidden_classes.len()..=class as usize {
            let value = self.page.classes.text(id);
            let by_rule = if self.styles.is_empty() { None } else { self.styles.hides('.', value) };
            let by = by_rule.or_else(|| is_for_screen_readers(value).then_some(HiddenBy::ScreenReader));
            self.hidden_classes.push(by);
        }
        self.hidden_classes[class as usize]
    }

    fn text(&mut self, node: NodeRef<'_>) {
        // Most texts stand between tags and need no decoding.
        if node.is_ascii_blank() {
            self.current.iter_mut().for_each(|current| current.pending_space = true);
            return;
        }
        let parent_state = self.stack[self.stack.len() - 1];
        let text = node.text();
        if is_blank(&text) {
            // Soft hyphens and zero-width characters are blank, but part no words.
            if let Some(current) = &mut self.current {
                current.pending_space |= text.contains(char::is_whitespace);
            }
            return;
        }
        if parent_state.row == NONE {
            return;
        }
        let blocks = &mut self.page.blocks;
        let current = self.current.get_or_insert_with(|| OpenBlock {
            row: parent_state.row,
            hidden: parent_state.hidden,
            line_breaks: std::mem::take(&mut self.line_breaks),
            inline_markup: 0xFF,
            class: parent_state.class,
            start: blocks.text.len(),
            first_text_node: blocks.text_nodes.len(),
            span: Span { start: u32::MAX, end: 0 },
            links: u32::from(parent_state.in_link),
            images: 0,
            link_characters: 0,
            pending_space: false,
            after_word: false,
        });
        for span in node.text_spans() {
            current.span.start = current.span.start.min(span.start);
            current.span.end = current.span.end.max(span.end);
        }
        current.inline_markup &= parent_state.inline_markup;
        blocks.text_nodes.push(node.id());
        let before = blocks.text.len();
        collapse_whitespace(&text, &mut blocks.text, current.start, &mut current.pending_space);
        if parent_state.in_link {
            current.link_characters += count_visible(&blocks.text[before..]);
        }
        current.after_word = false;
    }

    fn finish_block(&mut self) {
        let Some(current) = self.current.take() else { return };
        let blocks = &mut self.page.blocks;
        let counts = Counts::of(&blocks.text[current.start..]);
        blocks.element.push(current.row);
        blocks.text_start.push(current.start as u32);
        blocks.first_text_node.push(current.first_text_node as u32);
        blocks.span.push(current.span);
        blocks.hidden.push(current.hidden);
        blocks.counts.push(counts);
        blocks.link_characters.push(current.link_characters.min(counts.characters));
        blocks.links.push(current.links);
        blocks.images.push(current.images);
        blocks.line_breaks.push(current.line_breaks);
        blocks.inline_class.push(current.class);
        blocks.inline_markup.push(current.inline_markup);
    }
}

fn tag_key(name: Name, node: NodeRef<'_>) -> u64 {
    // From the text, not `Name`: ids of custom elements differ between pages.
    let text = node.dom().name_text(name);
    text.bytes().take(8).fold(0, |key, byte| key << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests;
