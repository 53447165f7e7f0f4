//! The explanation as a table for the terminal.

use super::Explanation;
use crate::comments::Part;
use crate::fused::{BlockClass, REASONS};
use crate::judgement::Whole;

/// Columns that a method's verdict takes: a mark and its score.
const METHOD_WIDTH: usize = 8;

pub(super) fn table(explanation: &Explanation<'_>, width: usize) -> String {
    let mut out = String::new();
    let heads: Vec<String> =
        explanation.methods.iter().map(|(method, _)| fit(method.name(), METHOD_WIDTH)).collect();
    let fixed = 4 + 1 + heads.len() * (METHOD_WIDTH + 1) + 6 + 6;
    let text_width = width.saturating_sub(fixed).max(20);
    out.push_str(&format!("{:>4} {} words links text\n", "#", heads.join(" ")));
    for (place, block) in explanation.page.blocks().iter().enumerate() {
        out.push_str(&format!("{place:>4} "));
        for (_, judgement) in &explanation.methods {
            let (mark, score) = match judgement.verdicts.get(place) {
                Some(verdict) if verdict.keep => ('+', verdict.score),
                Some(verdict) => ('-', verdict.score),
                None => ('?', 0.0),
            };
            out.push_str(&fit(&format!("{mark} {score:.2}"), METHOD_WIDTH));
            out.push(' ');
        }
        let links = block.measures.links;
        out.push_str(&format!("{:>5} {links:>5} ", block.measures.text.words));
        if block.hidden.is_some() {
            out.push_str("(hidden) ");
        } else if block.veiled.is_some() {
            out.push_str("(veiled) ");
        }
        match explanation.page.comments().part(place) {
            Some(Part::Body) => out.push_str("(comment) "),
            Some(Part::Around) => out.push_str("(by a comment) "),
            None => {}
        }
        let told = explanation.methods.iter().find_map(|(_, judgement)| judgement.classes.get(place));
        if let Some(class @ (BlockClass::Title | BlockClass::Byline | BlockClass::Caption)) =
            told.map(|classes| classes.best().0)
        {
            out.push_str(&format!("({}) ", class.name()));
        }
        // What a rule did against the score is said, or nobody knows why a block that is sure is not there.
        for (_, judgement) in &explanation.methods {
            let why = judgement.verdicts.get(place).map_or(&[][..], |verdict| &verdict.why);
            for (name, number) in why.iter().filter(|(name, _)| REASONS.contains(name)) {
                let times = if *number > 1.0 { format!("{number} ") } else { String::new() };
                out.push_str(&format!("({times}{name}) "));
            }
        }
        out.push_str(
            &fit(explanation.page.text(block), text_width).trim_end().replace(char::is_control, " "),
        );
        out.push('\n');
    }
    for (method, judgement) in &explanation.methods {
        if let Some(Whole { page_type, probability, confidence }) = judgement.whole {
            out.push_str(&format!(
                "{method}: {} ({probability:.2}), confidence {confidence:.2}\n",
                page_type.name()
            ));
        }
    }
    out
}

/// The text in exactly so many columns; Han and other wide characters take two.
fn fit(text: &str, width: usize) -> String {
    let mut fitted = String::new();
    let mut used = 0;
    for character in text.chars() {
        let columns = 1
            + usize::from(matches!(character as u32, 0x1100..=0x115F | 0x2E80..=0xA4CF | 0xAC00..=0xD7A3
            | 0xF900..=0xFAFF | 0xFE30..=0xFE6F | 0xFF00..=0xFF60 | 0xFFE0..=0xFFE6 | 0x1F300..=0x1FAFF | 0x2_0000..=0x3_FFFD));
        if used + columns > width {
            break;
        }
        fitted.push(character);
        used += columns;
    }
    fitted.extend(std::iter::repeat_n(' ', width - used));
    fitted
}

#[cfg(test)]
mod tests {
    use super::fit;

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(fit("abc", 5), "abc  ");
        assert_eq!(fit("港口新闻", 5), "港口 ");
    }
}
