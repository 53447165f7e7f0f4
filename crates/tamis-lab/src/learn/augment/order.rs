//! Sections that can change places: those beside the one that holds the main text.
//!
//! Order inside the main text is left alone: a text in another order is another text.

use tamis::Page;
use tamis_html::{NodeId, NodeRef, Step};

use super::super::lessons::Lesson;

/// A section with all of the main text, and those beside it with none.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) main: NodeId,
    pub(super) beside: Vec<NodeId>,
}

/// So much of the main text is all of it: labels err.
const ALL: f32 = 0.95;

/// The levels on the way from the body down to the main text.
pub(super) fn levels(page: &Page<'_>, lesson: &Lesson) -> Vec<Level> {
    let dom = page.dom();
    let (mut main, mut words) = (vec![0_u32; dom.len()], vec![0_u32; dom.len()]);
    for (place, block) in page.blocks().iter().enumerate().filter(|(place, _)| !lesson.hidden[*place]) {
        let at = page.element(block).id().index();
        let count = lesson.words[place].len() as u32;
        words[at] += count;
        main[at] += if lesson.cover[place] >= 0.5 { count } else { 0 };
    }
    for step in dom.root().walk() {
        if let Step::Leave(node) = step
            && let Some(parent) = node.parent()
        {
            let (from, to) = (node.id().index(), parent.id().index());
            main[to] += main[from];
            words[to] += words[from];
        }
    }
    let mut levels = Vec::new();
    let mut around = dom.body();
    while let Some(node) = around {
        let all = ALL * main[node.id().index()] as f32;
        around = node.children().find(|child| all > 0.0 && main[child.id().index()] as f32 >= all);
        let Some(holds) = around.filter(|holds| is_section(*holds)) else { continue };
        let is_other = |child: &NodeRef<'_>| {
            let at = child.id().index();
            *child != holds && words[at] > 0 && main[at] == 0 && is_section(*child)
        };
        let beside: Vec<NodeId> = node.children().filter(is_other).map(|child| child.id()).collect();
        if !beside.is_empty() {
            levels.push(Level { main: holds.id(), beside });
        }
    }
    levels
}

/// Cells of a row are columns on old pages.
fn is_section(node: NodeRef<'_>) -> bool {
    matches!(
        node.name(),
        Some(
            "div"
                | "section"
                | "aside"
                | "main"
                | "article"
                | "nav"
                | "header"
                | "footer"
                | "table"
                | "ul"
                | "ol"
                | "form"
                | "center"
                | "td"
        )
    )
}
