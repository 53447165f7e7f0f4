//! A block of a page in the field `blocks`.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use tamis::Analysis;
use tamis::document::{Comment, Paths};

/// A block of a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlockRecord {
    /// Its text.
    pub text: String,
    /// The name of its block-level element.
    pub kind: String,
    /// The XPath of that element.
    pub path: String,
    /// Byte range in the decoded source.
    pub span: [u32; 2],
    /// The score of the classifier, from 0 to 1.
    pub score: f32,
    /// Whether it is part of the main text.
    pub kept: bool,
    /// Its role in a reader comment: `body` for the text, `around` for names, times and buttons.
    #[serde(default)]
    pub comment: Option<Cow<'static, str>>,
}

/// All blocks of a page.
pub(crate) fn blocks(analysis: &Analysis<'_>, comments: &[Comment]) -> Vec<BlockRecord> {
    let (page, prediction) = (&analysis.page, &analysis.prediction);
    let mut paths = Paths::default();
    let mut rows: Vec<BlockRecord> = (0..page.blocks.len())
        .map(|block| {
            let element = page.dom.node(page.elements.node[page.blocks.element[block] as usize]);
            let span = page.blocks.span[block];
            BlockRecord {
                text: page.blocks.text(block).to_owned(),
                kind: element.and_then(|node| node.name()).unwrap_or_default().to_owned(),
                path: element.map(|node| paths.of(node)).unwrap_or_default(),
                span: [span.start, span.end],
                score: prediction.probabilities.get(block).copied().unwrap_or_default(),
                kept: prediction.kept.get(block) == Some(&true),
                comment: None,
            }
        })
        .collect();
    mark_comments(&mut rows, comments);
    rows
}

fn mark_comments(rows: &mut [BlockRecord], comments: &[Comment]) {
    for block in comments.iter().flat_map(|comment| &comment.blocks) {
        if let Some(row) = rows.get_mut(*block as usize) {
            row.comment = Some(Cow::Borrowed("body"));
        }
    }
    for comment in comments {
        let (Some(first), Some(last)) = (comment.blocks.iter().min(), comment.blocks.iter().max()) else {
            continue;
        };
        let (first, last) = (*first as usize, *last as usize);
        // Expands to the ends of the comment's element or the next comment, so no block is visited twice.
        for block in (0..first).rev() {
            if !mark_around(rows, block, comment) {
                break;
            }
        }
        for block in last + 1..rows.len() {
            if !mark_around(rows, block, comment) {
                break;
            }
        }
    }
}

/// Whether the block belongs to the comment and to no other.
fn mark_around(rows: &mut [BlockRecord], block: usize, comment: &Comment) -> bool {
    let row = &mut rows[block];
    let inside = comment.span.start <= row.span[0] && row.span[1] <= comment.span.end;
    let free = inside && row.comment.is_none();
    if free {
        row.comment = Some(Cow::Borrowed("around"));
    }
    free
}

#[cfg(test)]
mod tests {
    use crate::{Fields, Html, PageIn, Work, WorkOptions};

    #[test]
    fn blocks_of_comments_are_marked() {
        let story: String = (0..8)
            .map(|day| format!("<p>On day {day} it rained in the harbour, and the ferries stayed at the old pier until dusk.</p>"))
            .collect();
        let comment = |name: &str, text: &str| {
            format!(
                "<li class=comment><b class=comment-author>{name}</b> <time>May {}, 2024</time><p>{text}</p><a href=#>Reply</a></li>",
                name.len()
            )
        };
        let html = format!(
            "<article><h1>Rain</h1>{story}</article><section class=comments><h2>Comments</h2><ol>{}{}{}</ol></section>",
            comment("Ada", "I was there on the first day, and I have never been so wet in my life."),
            comment("Bert", "My umbrella did not survive the second evening, and neither did my hat."),
            comment("Clara", "Thank you for writing this down, I had already forgotten half of it.")
        );
        let work = Work::new(WorkOptions { fields: Fields::ALL, ..WorkOptions::default() });
        let blocks = work.extract(&PageIn::of(Html::Text(&html))).blocks.unwrap();
        let part = |start: &str| {
            blocks.iter().find(|block| block.text.starts_with(start)).unwrap().comment.as_deref()
        };
        assert_eq!(["I was", "My umbrella", "Thank you"].map(part), [Some("body"); 3], "{blocks:?}");
        assert_eq!(["Ada", "Bert", "Clara"].map(part), [Some("around"); 3], "{blocks:?}");
        assert_eq!(["On day 0", "On day 7", "Comments"].map(part), [None; 3], "{blocks:?}");
    }
}
