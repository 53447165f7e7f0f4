//! Page-level features, constant over all blocks.

use tamis_html::Name;

use super::{Columns, Context};
use crate::annotate::Head;

const TYPE_NAMES: [&str; 6] =
    ["page og article", "page article", "page product", "page forum", "page list", "page questions"];

pub(in crate::classify) fn add(context: Context<'_>, columns: &mut Columns) {
    let (page, annotations) = (context.page, context.annotations);
    let blocks = &page.blocks;
    let total = blocks.total();
    let characters = total.characters.max(1) as f32;
    let (mut in_long_blocks, mut longest_block, mut unsegmented, mut in_paragraphs, mut dated_blocks) =
        (0.0, 0.0_f32, 0.0, 0.0, 0.0);
    for block in 0..blocks.len() {
        let counts = &blocks.counts[block];
        let own = counts.characters as f32;
        if counts.words >= 20 && blocks.link_share(block) < 0.3 {
            in_long_blocks += own;
        }
        longest_block = longest_block.max(own);
        unsegmented += counts.unsegmented as f32;
        dated_blocks += f32::from(u8::from(annotations.labels.has_date[block]));
        if page.elements.name[blocks.element[block] as usize] == Name::P {
            in_paragraphs += own;
        }
    }
    // The largest record group with dates and bylines (a thread), and the largest with linked headlines (cards).
    let (mut thread, mut thread_items, mut cards) = (0.0_f32, 0.0, 0.0_f32);
    for group in annotations.records.groups.iter().filter(|group| group.is_record() && group.with_text > 1) {
        let (items, share) = (group.with_text as f32, group.characters as f32 / characters);
        if group.with_date as f32 > 0.6 * items && group.with_byline as f32 > 0.6 * items && share > thread {
            (thread, thread_items) = (share, items);
        }
        if group.with_headline as f32 > 0.6 * items {
            cards = cards.max(share);
        }
    }
    let articles = page.elements.name.iter().filter(|name| **name == Name::ARTICLE).count();
    let mut constant = |name, value: f32| columns.add(name, |_| value);
    constant("page characters", characters);
    constant("page blocks", blocks.len() as f32);
    constant("page links", total.link_characters as f32 / characters);
    constant("page per link", (total.characters - total.link_characters) as f32 / total.links.max(1) as f32);
    constant("page marks", total.punctuation as f32 / total.words.max(1) as f32);
    constant("page long", in_long_blocks / characters);
    constant("page longest", longest_block);
    constant("page whole words", unsegmented / characters);
    constant("page in p", in_paragraphs / characters);
    constant("page dated", dated_blocks);
    constant("page thread", thread);
    constant("page thread items", thread_items);
    constant("page cards", cards);
    constant("page articles", articles as f32);
    let best = super::get_or(&context.derived.sums, context.derived.best, Default::default());
    constant("page best", best.characters as f32 / characters);
    constant("page best links", best.link_characters as f32 / best.characters.max(1) as f32);
    for (index, name) in TYPE_NAMES.iter().enumerate().take(Head::DECLARED_TYPES.len()) {
        constant(name, f32::from((annotations.head.declared_types >> index & 1) as u8));
    }
}
