//! `containers`: WIEHF, which scores every container by several features and merges main texts spread over several
//! containers.
//!
//! Liu, Dai, Yin, Jia, Hu, "Extracting webpages text information based on heterogeneous features fusion", 2014. The
//! container of the main text is near the title, repeats its words, has punctuation and few links; if the main text is
//! spread over several containers, they have the same class. `SD = DSD x (TSD + PSD)` for every container; then:
//!
//! 1. containers with `juli` = 1 and the same `class` (without one, the same other attributes) are merged: their `SD`
//!    and texts are added. By the formula, these are siblings, and an element with its grandchildren;
//! 2. the seven with the highest `SD` are taken. If the best has at least half of their text, `JULI` = 2, else 4;
//! 3. those with `juli` to the best of at most `JULI` are kept;
//! 4. if more than one is left, those with three or more words of the copyright lexicon and no punctuation are removed.
//!
//! Left open by the paper and decided here: containers are `div`, `table`, `tbody`, `td`, `section`, `article` and
//! `main`; text in none of them is never kept. Every element below `body` has its number on the path, or paths would
//! not be unique. `id` is no attribute to compare by. A merged container has the path of the first. Only containers
//! with text of their own take part. Of equally frequent title words the first wins. Lexicon words count once each.

mod merge;
mod title_words;

use std::collections::HashMap;

use tamis::page::Page;
use tamis_html::{Name, NodeId, NodeRef};

use title_words::TitleWords;

use crate::data;
use crate::judgement::{Curves, Judgement, Verdict, score};
use crate::outline::{Element, NONE, Outline};
use crate::punctuation;

/// q of DSD: each number on the path has a tenth of the weight of the one before.
const Q: f64 = 10.0;
/// Weights of the most frequent and the second title word.
const ALPHA: f64 = 0.5;
const BETA: f64 = 1.0;
/// Number of containers with the highest SD that are considered.
const TOP: usize = 7;
/// The best container is the only body from this share of the text of the seven.
const SINGLE_BODY: f64 = 0.5;
/// JULI for a single body, and for several.
const JULI_SINGLE: u32 = 2;
const JULI_MULTIPLE: u32 = 4;
/// A container without punctuation is noise if it has this many words of the copyright lexicon.
const COPYRIGHT_WORDS: usize = 3;

/// The paper's numbers of a container.
#[derive(Clone, Debug, Default)]
struct Container {
    /// Distance support: 1 / (r1 + r2 / q + r3 / q² …) for the numbers along the path, outermost first. The paper
    /// prints a positive exponent of q and gives an example with a negative one; the example is followed.
    dsd: f64,
    /// Title support: occurrences of the page's most frequent title word, and of the second, weighted.
    tsd: f64,
    /// Plain support: punctuation and links.
    psd: f64,
    /// Support of the container alone.
    sd: f64,
    /// Sum of `sd` over all that are merged into it.
    merged_sd: f64,
    /// Index of the container that it is merged into, or its own.
    merged_into: usize,
    /// Path distance to the best container, if it is one of the seven.
    juli: Option<u32>,
    keep: bool,
    characters: u32,
    link_characters: u32,
    punctuation: u32,
}

/// Judges a page. Evidence: DSD, TSD, PSD, SD, the SD of the merged group, and juli.
pub fn judge(page: &Page<'_>) -> Judgement {
    let Scored { list, elements, of_block, .. } = Scored::new(page);
    let best = list.iter().map(|container| container.merged_sd).fold(f64::MIN_POSITIVE, f64::max);
    let verdict = |container: &Option<usize>| {
        let Some(container) = container.and_then(|index| list.get(index)) else { return Verdict::default() };
        let first = &list[container.merged_into];
        let mut evidence = vec![
            ("DSD", container.dsd),
            ("TSD", container.tsd),
            ("PSD", container.psd),
            ("SD", container.sd),
            ("SD merged", first.merged_sd),
        ];
        evidence.extend(first.juli.map(|juli| ("juli", f64::from(juli))));
        Verdict { keep: container.keep, score: score(container.keep, first.merged_sd / best), evidence }
    };
    let verdicts = of_block.iter().map(verdict).collect();
    let merged = |container: &Container| list[container.merged_into].merged_sd;
    let curves = Curves {
        nodes: elements.into_iter().map(Some).collect(),
        series: vec![
            ("SD", list.iter().map(|container| container.sd).collect()),
            ("SD merged", list.iter().map(merged).collect()),
        ],
        thresholds: Vec::new(),
    };
    Judgement { verdicts, curves }
}

/// PSD: characters outside of links to those inside, weighted by the number of punctuation marks.
fn plain_support(characters_outside: u32, characters_inside: u32, punctuation: u32) -> f64 {
    let fp = match punctuation {
        0..3 => 0.001,
        3..6 => 0.1,
        _ => 0.5,
    };
    fp * f64::from(characters_outside) / f64::from(characters_inside.max(1))
}

/// The path distance of two elements: `(len i - pre) + (len j - pre) - 1` with `pre` the length of the common prefix of
/// their paths; 0 for an element and itself. The paper writes "different" prefix, but its examples use the common one.
fn juli(i: NodeRef<'_>, j: NodeRef<'_>) -> u32 {
    let path = |node: NodeRef<'_>| {
        let mut path: Vec<NodeId> = node.ancestors().map(|above| above.id()).collect();
        path.reverse();
        path.push(node.id());
        path
    };
    let (i, j) = (path(i), path(j));
    let pre = i.iter().zip(&j).take_while(|(a, b)| a == b).count();
    ((i.len() - pre) + (j.len() - pre)).saturating_sub(1) as u32
}

/// The containers of a page with own text, in document order.
#[derive(Default)]
struct Scored {
    list: Vec<Container>,
    /// Their elements.
    elements: Vec<NodeId>,
    /// The container of each block.
    of_block: Vec<Option<usize>>,
    /// From an element's node to its index in `list`.
    index: HashMap<NodeId, usize>,
}

impl Scored {
    fn new(page: &Page<'_>) -> Scored {
        let mut scored = Scored::collect(page);
        scored.score(page);
        scored.merge(page);
        scored.choose(page);
        scored
    }

    /// The containers with text, their counts and positions.
    fn collect(page: &Page<'_>) -> Scored {
        let outline = Outline::of(page);
        // `body` is not part of the paths and no container.
        let below_body = outline.body.start + usize::from(outline.has_body)..outline.body.end;
        let mut numbers: HashMap<(u32, Name), u32> = HashMap::new();
        // By element: the sum under DSD for its path, the weight of the next number, and the nearest container.
        let outside = (0.0, 1.0, NONE);
        let mut known: Vec<(f64, f64, u32)> = vec![outside; outline.elements.len()];
        for row in below_body {
            let element = &outline.elements[row];
            let (sum, weight, around) = known.get(element.parent as usize).copied().unwrap_or(outside);
            let number = numbers.entry((element.parent, element.name)).or_insert(0);
            *number += 1;
            let container = if is_container(element) { row as u32 } else { around };
            known[row] = (sum + f64::from(*number) * weight, weight / Q, container);
        }
        let mut scored = Scored::default();
        for block in 0..page.blocks.len() {
            let element = page.elements.node[page.blocks.element[block] as usize];
            let container = known.get(outline.row(element) as usize).map_or(NONE, |known| known.2);
            let Some(element) = outline.elements.get(container as usize) else {
                scored.of_block.push(None);
                continue;
            };
            let next = scored.list.len();
            let index = *scored.index.entry(element.id).or_insert(next);
            if index == next {
                let dsd = 1.0 / known[container as usize].0.max(f64::MIN_POSITIVE);
                scored.list.push(Container { dsd, merged_into: index, ..Container::default() });
                scored.elements.push(element.id);
            }
            let container = &mut scored.list[index];
            container.characters += page.blocks.counts[block].characters;
            container.link_characters += page.blocks.link_characters[block];
            container.punctuation += punctuation::count(page.blocks.text(block));
            scored.of_block.push(Some(index));
        }
        scored
    }

    /// The texts with the indices of their containers.
    fn texts<'p>(&'p self, page: &'p Page<'_>) -> impl Iterator<Item = (usize, &'p str)> {
        let blocks = self.of_block.iter().enumerate();
        blocks.filter_map(|(block, index)| Some(((*index)?, page.blocks.text(block))))
    }

    fn score(&mut self, page: &Page<'_>) {
        let words = TitleWords::of(page);
        let mut hits: Vec<(usize, usize)> = Vec::new();
        for (index, text) in self.texts(page) {
            if page.deadline_exceeded() {
                break;
            }
            words.find(text, |word| hits.push((index, word)));
        }
        let mut totals = vec![0_u32; words.len()];
        hits.iter().for_each(|(_, word)| totals[*word] += 1);
        let mut by_total: Vec<usize> = (0..words.len()).collect();
        by_total.sort_by_key(|word| std::cmp::Reverse(totals[*word]));
        let mut found = vec![[0_u32; 2]; self.list.len()];
        for (index, word) in hits {
            if let Some(rank) = by_total.iter().take(2).position(|frequent| *frequent == word) {
                found[index][rank] += 1;
            }
        }
        for (container, [first, second]) in self.list.iter_mut().zip(found) {
            let outside = container.characters.saturating_sub(container.link_characters);
            container.tsd = ALPHA * f64::from(first) + BETA * f64::from(second);
            container.psd = plain_support(outside, container.link_characters, container.punctuation);
            container.sd = container.dsd * (container.tsd + container.psd);
        }
    }

    fn choose(&mut self, page: &Page<'_>) {
        let mut top: Vec<usize> =
            (0..self.list.len()).filter(|index| self.list[*index].merged_into == *index).collect();
        top.sort_by(|a, b| self.list[*b].merged_sd.total_cmp(&self.list[*a].merged_sd));
        top.truncate(TOP);
        let Some(best) = top.first().copied() else { return };
        let (mut characters, mut punctuation) = (vec![0; self.list.len()], vec![0; self.list.len()]);
        for container in &self.list {
            characters[container.merged_into] += container.characters;
            punctuation[container.merged_into] += container.punctuation;
        }
        let text = |index: &usize| f64::from(characters[*index]);
        let share = text(&best) / top.iter().map(text).sum::<f64>().max(1.0);
        let reach = if share >= SINGLE_BODY { JULI_SINGLE } else { JULI_MULTIPLE };
        let node = |index: usize| page.dom.node(self.elements[index]);
        let distances: Vec<Option<u32>> =
            top.iter().map(|index| Some(juli(node(*index)?, node(best)?))).collect();
        for (index, juli) in top.iter().zip(distances) {
            self.list[*index].juli = juli;
        }
        let mut last = top;
        last.retain(|index| self.list[*index].juli.is_some_and(|juli| juli <= reach));
        if last.len() > 1 {
            last.retain(|index| punctuation[*index] != 0 || !self.is_copyright(page, *index));
        }
        for container in &mut self.list {
            container.keep = last.contains(&container.merged_into);
        }
    }

    fn is_copyright(&self, page: &Page<'_>, merged: usize) -> bool {
        let texts = self.texts(page).filter(|(index, _)| self.list[*index].merged_into == merged);
        let text: Vec<String> = texts.map(|(_, text)| text.to_lowercase()).collect();
        copyright_words(&text.join("\n")) >= COPYRIGHT_WORDS
    }
}

/// Number of different words of the copyright lexicon in a lowercase text.
fn copyright_words(text: &str) -> usize {
    data::rows(data::COPYRIGHT).filter(|(_, word)| text.contains(word)).count()
}

fn is_container(element: &Element) -> bool {
    let names = [Name::DIV, Name::TABLE, Name::TBODY, Name::TD, Name::SECTION, Name::ARTICLE, Name::MAIN];
    names.iter().any(|name| element.is(*name))
}

#[cfg(test)]
mod tests;
