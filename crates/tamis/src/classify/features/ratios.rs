//! Paper 001: five ratios of a container's own content to that of the page.

use tamis_html::Name;

use super::{Columns, Context};
use crate::page::{NONE, Page, Sums};

/// Tags that count as containers. Content belongs to its nearest container only.
pub(super) fn is_container(name: Name) -> bool {
    matches!(
        name,
        Name::BODY
            | Name::DIV
            | Name::SECTION
            | Name::ARTICLE
            | Name::MAIN
            | Name::TD
            | Name::TABLE
            | Name::ASIDE
            | Name::HEADER
            | Name::FOOTER
            | Name::NAV
            | Name::UL
            | Name::OL
            | Name::FORM
    )
}

/// Per element, the nearest container (possibly itself) and the totals of the content it is nearest to.
pub(super) fn own_content(page: &Page<'_>) -> (Vec<u32>, Vec<Sums>) {
    let (elements, blocks) = (&page.elements, &page.blocks);
    let mut container: Vec<u32> = Vec::with_capacity(elements.len());
    for row in 0..elements.len() {
        let inherited = super::get_or(&container, elements.parent[row], NONE);
        container.push(if is_container(elements.name[row]) || inherited == NONE {
            row as u32
        } else {
            inherited
        });
    }
    let mut own = vec![Sums::default(); elements.len()];
    for block in 0..blocks.len() {
        let sum = &mut own[container[blocks.element[block] as usize] as usize];
        let counts = &blocks.counts[block];
        sum.characters += counts.characters;
        sum.link_characters += blocks.link_characters[block];
        sum.links += blocks.links[block];
        sum.images += blocks.images[block];
        sum.punctuation += counts.punctuation;
    }
    (container, own)
}

pub(super) fn add(context: Context<'_>, columns: &mut Columns) {
    let page = context.page;
    let (container, own) = (&context.derived.container, &context.derived.own_content);
    let total = page.blocks.total();
    let content = |b: usize| &own[container[page.blocks.element[b] as usize] as usize];
    columns.add("R1 text", |b| content(b).characters as f32 / (total.characters + 1) as f32);
    columns.add("R2 link text", |b| content(b).link_characters as f32 / (total.link_characters + 1) as f32);
    columns.add("R3 links", |b| content(b).links as f32 / (total.links + 1) as f32);
    columns.add("R4 pictures", |b| content(b).images as f32 / (total.images + 1) as f32);
    columns.add("R5 link share", |b| content(b).link_characters as f32 / (content(b).characters + 1) as f32);
}
