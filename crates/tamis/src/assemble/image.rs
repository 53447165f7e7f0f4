//! Pictures: which of them belong to the kept text, and where they really are.
//!
//! No method judges pictures, so they go with the text around them: a picture belongs if the text before and after it
//! is kept, or if it stands close to a kept block in the same container.

use tamis_html::{Name, NodeRef};

use super::Assembler;
use super::address::is_safe;
use super::frame::{Frame, Role};
use crate::document::{Image, Kind};

/// How far below a container a picture may stand, and the block that it goes with.
const NEAR: usize = 4;

/// Where pages put the address of a picture that a script loads later.
const LAZY: [Name; 3] = [Name::DATA_SRC, Name::DATA_ORIGINAL, Name::DATA_LAZY_SRC];

impl Assembler<'_> {
    pub(super) fn image(&mut self, node: NodeRef<'_>) {
        // What is no part of the text need not be looked at further.
        if self.page.measures(node).images == 0 {
            return;
        }
        if self.is_inside_line(node) {
            if let Some(image) = self.seen(node) {
                self.write(|line, around| line.image(image, around));
            }
            return;
        }
        if self.frames.last().is_some_and(|frame| frame.role.is_text()) {
            return;
        }
        let belongs = self.belongs(node);
        if !belongs && !matches!(self.frames.last(), Some(Frame { role: Role::Figure(_), .. })) {
            return;
        }
        let Some(image) = self.seen(node) else { return };
        self.flush();
        if let Some(Frame { role: Role::Figure(figure), content, .. }) = self.frames.last_mut()
            && !belongs
        {
            figure.doubtful.push(content.len());
        }
        let span = self.span_of(node.id(), &[]);
        self.push(Kind::Image(image), node.id(), span, Vec::new());
    }

    /// The picture, if a reader sees it.
    fn seen(&self, node: NodeRef<'_>) -> Option<Image> {
        if self.page.measures(node).images == 0 {
            return None;
        }
        let is_dot =
            |name| node.attribute_named(name).is_some_and(|size| matches!(size.trim(), "0" | "1" | "2"));
        if is_dot(Name::WIDTH) || is_dot(Name::HEIGHT) {
            return None;
        }
        let src = self.address.resolve(&source(node)?);
        let alt = node.attribute_named(Name::ALT).unwrap_or_default();
        let alt = alt.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(Image { src, alt, caption: Vec::new() })
    }

    /// Do words of the block of the open line come before and after it?
    fn is_inside_line(&self, node: NodeRef<'_>) -> bool {
        let block = self.line.as_ref().and_then(|line| self.page.blocks().get(line.last_block()));
        let start = node.span().map_or(0, |span| span.start);
        block.is_some_and(|block| (block.span.start..block.span.end).contains(&start))
    }

    fn belongs(&self, node: NodeRef<'_>) -> bool {
        let (before, after) = self.places.neighbours(node.span());
        let keeps = |block: Option<usize>| block.is_some_and(|block| self.judgement.keeps(block));
        let (kept, dropped) = match (keeps(before), keeps(after)) {
            (true, true) => return true,
            (true, false) => (before, after),
            (false, true) => (after, before),
            (false, false) => return false,
        };
        // It goes with the neighbour that it shares the smaller container with.
        let shared = |block: Option<usize>| block.and_then(|block| self.shared_depth(block));
        shared(kept)
            .is_some_and(|depth| self.open.len() - depth <= NEAR + 1 && Some(depth) >= shared(dropped))
    }

    /// How deep the smallest open element stands that holds the block, if it is not far above it. The body holds
    /// everything, so it tells nothing, except of text that stands directly in it.
    fn shared_depth(&self, block: usize) -> Option<usize> {
        let block = self.page.blocks().get(block)?;
        let element = self.page.node(block.element);
        let way = std::iter::once(element).chain(element.ancestors());
        let is_body = |node: &NodeRef<'_>| node.is(Name::BODY) || node.is(Name::HTML) || !node.is_element();
        way.zip((0..=block.depth as usize).rev())
            .take(NEAR)
            .take_while(|(node, _)| *node == element || !is_body(node))
            .find(|(node, depth)| self.open.get(*depth) == Some(&node.id()))
            .map(|(_, depth)| depth)
    }
}

/// Where a picture is: the address a script would load, before a placeholder.
fn source(node: NodeRef<'_>) -> Option<String> {
    let usable = |address: &str| {
        let address = address.trim();
        (!address.is_empty() && is_safe(address)).then(|| address.to_owned())
    };
    let lazy = || LAZY.iter().find_map(|name| usable(&node.attribute_named(*name)?));
    let own = || usable(&node.attribute_named(Name::SRC)?);
    let from_set = || {
        let set = node.attribute_named(Name::SRCSET).or_else(|| node.attribute_named(Name::DATA_SRCSET))?;
        usable(set.split_ascii_whitespace().next()?.trim_end_matches(','))
    };
    lazy().or_else(own).or_else(from_set)
}
