//! Taking apart pieces that are too large for a chunk.

use std::ops::Range;

use super::ChunkOptions;
use crate::document::{Image, Inline, Kind, Piece, Style, TableRow, inline_text};
use crate::text::characters::{Flags, flags};

/// The parts of a piece: the first in `room`, the others within the maximum. Parts of an element that does not fit by
/// itself are given without it. `None` if there is nothing to take apart.
pub(super) fn split(piece: &Piece, room: usize, options: &ChunkOptions) -> Option<Vec<Piece>> {
    let part =
        |kind| Piece { kind, path: piece.path.clone(), span: piece.span, blocks: piece.blocks.clone() };
    let limits = Limits { room, max: options.max };
    let loose = options.separator();
    let mut parts = Vec::new();
    // Runs of elements that fit together, and what is inside of those that do not fit by themselves.
    let mut container = |count: usize,
                         (separator, overhead): (usize, usize),
                         run: &dyn Fn(Range<usize>) -> Kind,
                         inside: &dyn Fn(usize) -> Vec<Piece>| {
        let sizes = (0..count).map(|index| options.size_of(run(index..index + 1)));
        for (range, fits) in limits.runs(sizes, separator, overhead) {
            if fits { parts.push(part(run(range))) } else { parts.extend(inside(range.start)) }
        }
    };
    match &piece.kind {
        Kind::Heading { content, .. } | Kind::Paragraph { content } => {
            let slices = slices(content, &limits, options);
            parts.extend(slices.into_iter().map(|content| part(Kind::Paragraph { content })));
        }
        Kind::Code { language, text } => {
            let code = |text: &str| Kind::Code { language: language.clone(), text: text.to_owned() };
            let cuts = cuts(text, &limits, options, |range| options.size_of(code(&text[range])));
            parts.extend(cuts.into_iter().map(|range| part(code(text[range].trim_matches('\n')))));
        }
        Kind::List { ordered, start, items } => {
            let list = |range: Range<usize>| {
                let start = start.saturating_add(u32::try_from(range.start).unwrap_or(u32::MAX));
                Kind::List { ordered: *ordered, start, items: items[range].to_vec() }
            };
            container(items.len(), (loose, 0), &list, &|item| items[item].content.clone());
        }
        Kind::Definitions { entries } => {
            let definitions = |range: Range<usize>| Kind::Definitions { entries: entries[range].to_vec() };
            container(entries.len(), (loose, 0), &definitions, &|entry| entries[entry].content.clone());
        }
        Kind::Table { caption, rows } => {
            let columns = |row: &TableRow| row.cells.iter().map(|cell| usize::from(cell.colspan)).sum();
            let columns: usize = rows.iter().map(columns).max().unwrap_or(0);
            let header = if loose == 2 { 8 * columns + 4 } else { 0 };
            let table = |range: Range<usize>| {
                let caption = if range.start == 0 { caption.clone() } else { Vec::new() };
                Kind::Table { caption, rows: rows[range].to_vec() }
            };
            container(rows.len(), (1, header), &table, &|row| {
                let caption = Some(caption).filter(|caption| row == 0 && !caption.is_empty());
                let caption = caption.map(|caption| part(Kind::Paragraph { content: caption.clone() }));
                let cells = rows[row].cells.iter().flat_map(|cell| cell.content.clone());
                caption.into_iter().chain(cells).collect()
            });
        }
        Kind::Quote { cite, content } => {
            let quote =
                |range: Range<usize>| Kind::Quote { cite: cite.clone(), content: content[range].to_vec() };
            // Lines between pieces are quoted as well.
            container(content.len(), (2 * loose, 0), &quote, &|child| vec![content[child].clone()]);
        }
        Kind::Footnote { content, .. } => parts.extend_from_slice(content),
        Kind::Image(image) if !image.caption.is_empty() => {
            parts.push(part(Kind::Image(Image { caption: Vec::new(), ..image.clone() })));
            parts.push(part(Kind::Paragraph { content: image.caption.clone() }));
        }
        _ => {}
    }
    let is_other = |part: &Piece| part.kind != piece.kind && !matches!(piece.kind, Kind::Heading { .. });
    (parts.len() > 1 || parts.first().is_some_and(is_other)).then_some(parts)
}

struct Limits {
    room: usize,
    max: usize,
}

impl Limits {
    /// Ranges of elements that fit together, and whether they do: an element that is too large is a range of its own.
    fn runs(
        &self,
        sizes: impl Iterator<Item = usize>,
        separator: usize,
        overhead: usize,
    ) -> Vec<(Range<usize>, bool)> {
        let mut runs: Vec<(Range<usize>, bool)> = Vec::new();
        let mut total = usize::MAX;
        for (index, size) in sizes.enumerate() {
            let limit = if runs.len() <= 1 { self.room } else { self.max };
            let together = total.saturating_add(separator).saturating_add(size);
            match runs.last_mut() {
                Some((run, true)) if together <= limit => {
                    run.end += 1;
                    total = together;
                }
                _ => {
                    let fits = size <= self.max;
                    runs.push((index..index + 1, fits));
                    total = size.saturating_add(overhead);
                }
            }
        }
        runs
    }
}

/// Ranges of a text that fit, cut at the best places: line ends of code, sentence ends, words.
fn cuts(
    text: &str,
    limits: &Limits,
    options: &ChunkOptions,
    size_of: impl Fn(Range<usize>) -> usize,
) -> Vec<Range<usize>> {
    let ends = ends(text);
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut next = 0;
    let mut start = 0;
    while next < ends.len() {
        let limit = if ranges.is_empty() { limits.room } else { limits.max };
        // No text is larger than what it holds, so a first guess needs no rendering.
        let mut last = next;
        let mut size = 0;
        let mut from = start;
        while last < ends.len() {
            size += options.size(&text[from..ends[last].0]);
            if size > limit && last > next {
                break;
            }
            from = ends[last].0;
            last += 1;
        }
        last = best(&ends[next..last], last == ends.len()) + next;
        while last > next + 1 && size_of(start..ends[last - 1].0) > limit {
            let fewer = next + (last - next) * 3 / 4;
            last = best(&ends[next..fewer.max(next + 1)], false) + next;
        }
        ranges.push(start..ends[last - 1].0);
        start = ends[last - 1].0;
        next = last;
    }
    ranges
}

/// How many of the pieces of text to take: up to the last end of a sentence or line, if there is one.
fn best(ends: &[(usize, bool)], is_all: bool) -> usize {
    if is_all {
        return ends.len();
    }
    ends.iter().rposition(|(_, is_sentence)| *is_sentence).map_or(ends.len(), |last| last + 1)
}

/// Where words end, with the space after them, and whether a sentence or a line ends there.
fn ends(text: &str) -> Vec<(usize, bool)> {
    let mut ends = Vec::new();
    let mut characters = text.char_indices().peekable();
    let is_ideograph = |c: char| flags(c).has(Flags::UNSEGMENTED) && c >= '\u{3041}';
    let mut ends_sentence = false;
    let mut is_line = false;
    while let Some((_, character)) = characters.next() {
        let class = flags(character);
        let Some(&(index, next)) = characters.peek() else {
            ends.push((text.len(), true));
            break;
        };
        let in_space = character.is_whitespace();
        is_line |= character == '\n';
        if !in_space {
            // Closing quotation marks and brackets belong to the sentence.
            ends_sentence =
                class.has(Flags::SENTENCE_END) || (ends_sentence && class.has(Flags::PUNCTUATION));
        }
        let is_wide = !in_space && character >= '\u{3001}' && !next.is_whitespace();
        let is_end = (in_space && !next.is_whitespace())
            || (is_wide && is_ideograph(next) && (is_ideograph(character) || class.has(Flags::PUNCTUATION)));
        if is_end {
            ends.push((index, ends_sentence || is_line));
            (ends_sentence, is_line) = (false, false);
        }
    }
    ends
}

/// Inline content in parts that fit.
fn slices(content: &[Inline], limits: &Limits, options: &ChunkOptions) -> Vec<Vec<Inline>> {
    let leaves = Leaves::new(content);
    let text = inline_text(content);
    let slice = |range: Range<usize>| {
        let end = range.start + text[range.clone()].trim_end().len();
        leaves.slice(range, end)
    };
    let ranges =
        cuts(&text, limits, options, |range| options.size_of(Kind::Paragraph { content: slice(range) }));
    if ranges.is_empty() {
        return vec![content.to_vec()];
    }
    ranges.into_iter().map(slice).filter(|content| !content.is_empty()).collect()
}

/// Inline content as a flat list, for slicing it by offsets into its text.
struct Leaves<'d> {
    /// Start of each leaf, the leaf, and the inlines around it.
    leaves: Vec<(usize, &'d Inline, Vec<&'d Inline>)>,
    end: usize,
}

impl<'d> Leaves<'d> {
    fn new(content: &'d [Inline]) -> Leaves<'d> {
        fn collect<'d>(content: &'d [Inline], around: &mut Vec<&'d Inline>, leaves: &mut Leaves<'d>) {
            for inline in content {
                if inline.content().is_empty() || is_annotation(inline) {
                    leaves.leaves.push((leaves.end, inline, around.clone()));
                    leaves.end += inline_text(std::slice::from_ref(inline)).len();
                } else {
                    around.push(inline);
                    collect(inline.content(), around, leaves);
                    around.pop();
                }
            }
        }
        let mut leaves = Leaves { leaves: Vec::new(), end: 0 };
        collect(content, &mut Vec::new(), &mut leaves);
        leaves
    }

    /// What is in a range, with the markup around it, but no text from `text_end` on. Formulas are not cut.
    fn slice(&self, range: Range<usize>, text_end: usize) -> Vec<Inline> {
        let end_of = |index: usize| self.leaves.get(index + 1).map_or(self.end, |(start, ..)| *start);
        let first = self.leaves.partition_point(|(start, ..)| *start < range.start);
        let first = first - usize::from(first > 0 && end_of(first - 1) > range.start);
        let mut open: Vec<&Inline> = Vec::new();
        let mut levels: Vec<Vec<Inline>> = vec![Vec::new()];
        for (index, (start, leaf, around)) in self.leaves.iter().enumerate().skip(first) {
            let is_last = range.end == self.end;
            // An annotation has no text; it goes with the end of its base.
            let place = start.saturating_sub(usize::from(is_annotation(leaf)));
            if place >= range.end && !is_last {
                break;
            }
            let from = range.start.saturating_sub(*start);
            let to = text_end.min(end_of(index)).saturating_sub(*start);
            let cut = match leaf {
                Inline::Text { .. } | Inline::Code { .. } if from >= to => continue,
                Inline::Text { text } => Inline::text(&text[from..to]),
                Inline::Code { text } => Inline::Code { text: text[from..to].to_owned() },
                _ if place < range.start => continue,
                leaf => (*leaf).clone(),
            };
            let same = |(one, other): &(&&Inline, &&Inline)| std::ptr::eq(**one, **other);
            let common = open.iter().zip(around).take_while(same).count();
            close(&mut open, &mut levels, common);
            for inline in &around[open.len()..] {
                open.push(inline);
                levels.push(Vec::new());
            }
            if let Some(level) = levels.last_mut() {
                level.push(cut);
            }
        }
        close(&mut open, &mut levels, 0);
        let mut content = levels.pop().unwrap_or_default();
        while matches!(content.first(), Some(Inline::Break)) {
            content.remove(0);
        }
        content.pop_if(|last| matches!(last, Inline::Break));
        content
    }
}

fn is_annotation(inline: &Inline) -> bool {
    matches!(inline, Inline::Styled { style: Style::RubyText, .. })
}

/// Closes markup until `count` are open.
fn close(open: &mut Vec<&Inline>, levels: &mut Vec<Vec<Inline>>, count: usize) {
    while open.len() > count
        && let (Some(inline), Some(inside)) = (open.pop(), levels.pop())
    {
        let closed = match inline {
            Inline::Styled { style, .. } => Inline::Styled { style: *style, content: inside },
            Inline::Link { href, .. } => Inline::Link { href: href.clone(), content: inside },
            Inline::FootnoteRef { label, .. } => {
                Inline::FootnoteRef { label: label.clone(), content: inside }
            }
            other => other.clone(),
        };
        if let Some(level) = levels.last_mut() {
            level.push(closed);
        }
    }
}
