//! A signature below a line of dashes, in one element with the text that it signs.

use std::ops::Range;

use super::TEXT;
use crate::block::Block;
use crate::page::Page;
use crate::signature::{self, is_line_of_dashes};

/// So many lines above are looked at: for a text, and for other lines of dashes.
const ABOVE: usize = 64;

/// The line of dashes at this place and what stands below it, if these are the few last lines of an element with a text.
pub(super) fn below(page: &Page<'_>, place: usize) -> Range<usize> {
    let blocks = page.blocks();
    let Some(mark) = signature::mark(page.text(&blocks[place])) else { return 0..0 };
    let element = blocks[place].element;
    let is_in = |block: &&Block| block.element == element;
    let below = blocks[place + 1..].iter().take_while(is_in).map(|block| (block, page.text(block)));
    let Some(lines) = signature::lines(mark, below) else { return 0..0 };
    let mut has_text = false;
    for block in blocks[..place].iter().rev().take_while(is_in).take(ABOVE) {
        has_text |= block.measures.text.words >= TEXT;
        // Several such lines part what is said.
        if mark == signature::Mark::Person && is_line_of_dashes(page.text(block)) {
            return 0..0;
        }
    }
    if has_text && !signature::is_in_quote(page.element(&blocks[place])) {
        place..place + 1 + lines
    } else {
        0..0
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{TEXT, left_out};

    #[test]
    fn a_signature_below_dashes_is_left_out() {
        let signed = format!("<p>{TEXT}<br>--<br>Ada Moss, harbour reporter<br>Mail her</p><p>{TEXT}</p>");
        assert_eq!(left_out(&signed), ["--", "Ada Moss, harbour reporter", "Mail her"]);
        let row = "_".repeat(17);
        let motto = format!("<p>{TEXT}<br>{row}<br>Who sails slowly sails well.</p>");
        assert_eq!(left_out(&motto), [&row, "Who sails slowly sails well."]);
        let parted = format!("<p>{TEXT}<br>--<br>{TEXT} {TEXT}</p>");
        assert!(left_out(&parted).is_empty());
        assert!(left_out(&format!("<blockquote>{TEXT}<br>--<br>Ada Moss</blockquote>")).is_empty());
        assert!(left_out(&format!("<p>{TEXT}<br>--</p><p>Nothing stands below.</p>")).is_empty());
    }

    #[test]
    fn a_single_dash_was_a_line_of_dashes() {
        assert!(left_out(&format!("<div>{TEXT}<br>—<br>So it is.</div>")).is_empty());
        assert_eq!(left_out(&format!("<div>{TEXT}<br>--<br>Ada</div>")), ["--", "Ada"]);
    }

    #[test]
    fn answers_sums_and_dialogues_were_signatures() {
        for below in [
            "---<br>And then the sea was silent,<br>and nobody spoke.",
            "====<br>Total: 45 euros",
            "120<br>45<br>-----<br>165",
            "———<br>Chapter two",
            "——<br>“去坐渡轮。”",
            "-----------<br>رەھمەت، مەن بىلمەكچى بولغىنىم شۇ ئىدى.",
            "-----------<br>رەھمەت",
            "--<br>Thanks, that helped me.",
            "--<br>Ada<br>--<br>Ben",
            "____<br>42",
        ] {
            assert!(left_out(&format!("<div>{TEXT}<br>{below}</div>")).is_empty(), "{below}");
        }
    }
}
