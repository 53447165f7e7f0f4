//! `containers`: WIEHF, a score for every container from several features, and the merging of pages with several
//! bodies.
//!
//! The paper: Liu, Dai, Yin, Jia, Hu, "Extracting webpages text information based on heterogeneous features fusion"
//! (2014). Designers put each part of a page into a container; the one with the main text is near the title, repeats
//! its words, has punctuation and few links; where the main text is spread over several, they look alike.
//!
//! `SD = DSD x (TSD + PSD)` for every container: see [`distance_support`], [`title_support`] and [`plain_support`]. Then:
//!
//! 1. containers with [`juli`] = 1 and the same `class` (without one, the same `style` and other attributes) are merged:
//!    their `SD` and texts are added. By the formula that is siblings, and an element with its grandchildren;
//! 2. the seven with the highest `SD` are taken. If the best has at least half of their text, `JULI` = 2, else 4;
//! 3. of the seven, those with `juli` to the best of at most `JULI` are kept;
//! 4. if more than one is left, those with three or more words of the copyright lexicon and no punctuation go.
//!
//! What the paper leaves open, and is decided here: containers are `div`, `table`, `tbody` and also `td`, `section`,
//! `article`, `main`; text in none of them (directly in `body`, say) is never kept. Every element below `body` has
//! its number on the path, or paths would not be unique. `id` is no attribute to compare by: no two elements share
//! one. A merged container has the path of the first. Only containers with visible text of their own take part. Of
//! title words that are equally frequent the one that comes first in the titles wins. Lexicon words count once each.
//!
//! ```
//! use tamis::{Page, methods::containers::*};
//!
//! assert_eq!((Q, ALPHA, BETA), (10.0, 0.5, 1.0)); // weights of place and title words
//! assert_eq!((TOP, SINGLE_BODY), (7, 0.5)); // the best seven, and half of their text
//! assert_eq!((JULI_SINGLE, JULI_MULTIPLE, COPYRIGHT_WORDS), (2, 4, 3));
//! let page = Page::parse("<title>Tides</title><div>The tides, high and low, turn at noon.</div>");
//! let list: Vec<Container> = containers(&page, Options { words: Words::Pairs });
//! assert!(list[0].keep && list[0].sd > 0.0);
//! ```

mod merge;
mod title_words;

use tamis_html::{Name, NodeId, NodeRef};

use super::copyright;
use super::in_order::{Entry, InOrder, NONE};
use crate::by_name::ByName;
use crate::judgement::{Judgement, Verdict};
use crate::page::Page;

/// The paper's `q` in [`distance_support`].
pub const Q: f64 = 10.0;
/// The weight of the most frequent title word.
pub const ALPHA: f64 = 0.5;
/// The weight of the second most frequent title word.
pub const BETA: f64 = 1.0;
/// How many containers are looked at in the end.
pub const TOP: usize = 7;
/// The share of the text of the seven from which on the best container stands for itself.
pub const SINGLE_BODY: f64 = 0.5;
/// The reach around the best container where it stands for itself.
pub const JULI_SINGLE: u32 = 2;
/// The reach around the best container where the main text is spread.
pub const JULI_MULTIPLE: u32 = 4;
/// So many words of the copyright lexicon make a container without punctuation noise.
pub const COPYRIGHT_WORDS: usize = 3;

/// How the words of Chinese titles are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Words {
    /// By a dictionary: nouns and names, as in the paper. It is loaded on the first Chinese title, which takes about
    /// 0.2 s. Needs the crate feature `jieba`; without it, as `Pairs`.
    #[default]
    Dictionary,
    /// Every two neighbouring characters are a word. Costs nothing to set up.
    Pairs,
}

/// What can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// How the words of Chinese titles are found.
    pub words: Words,
}

/// A container with the paper's numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Container {
    /// The element.
    pub element: NodeId,
    /// Distance support.
    pub dsd: f64,
    /// Title support.
    pub tsd: f64,
    /// Plain support: punctuation and links.
    pub psd: f64,
    /// Support of the container alone, before merging.
    pub sd: f64,
    /// Support after merging: the sum over all that are merged with it.
    pub merged_sd: f64,
    /// The place in the list of the container that it is merged into; its own if it is the first or alone.
    pub merged_into: usize,
    /// The path distance to the best container, if it is one of the seven.
    pub juli: Option<u32>,
    /// Is its text kept?
    pub keep: bool,
    characters: u32,
    link_characters: u32,
    punctuation: u32,
}

/// Judges a page as the paper does.
///
/// ```
/// use tamis::{Page, methods::containers};
///
/// let page = Page::parse(
///     "<title>The ferry</title><ul><li><a href=/>Home</a><li><a href=/news>News</a></ul>\
///      <div>The ferry runs again, says the company: twice a day, if the ice allows, and three times in May.</div>",
/// );
/// assert_eq!(containers::judge(&page).kept().collect::<Vec<_>>(), [2]);
/// ```
pub fn judge(page: &Page<'_>) -> Judgement {
    judge_with(page, Options::default())
}

/// Judges a page, with a choice.
///
/// ```
/// use tamis::{Page, methods::containers::{Options, Words, judge_with}};
///
/// let page = Page::parse("<title>北京地铁</title><div>北京地铁今天开通，地铁票价不变，欢迎乘坐。</div>");
/// assert!(judge_with(&page, Options { words: Words::Pairs }).keeps(0));
/// ```
pub fn judge_with(page: &Page<'_>, options: Options) -> Judgement {
    let scored = Scored::new(page, &InOrder::of(page), options);
    let verdicts = scored.each(|container, first, score| {
        let mut why = vec![
            ("DSD", container.dsd),
            ("TSD", container.tsd),
            ("PSD", container.psd),
            ("SD", container.sd),
            ("SD merged", first.merged_sd),
        ];
        why.extend(first.juli.map(|juli| ("juli", f64::from(juli))));
        Verdict { keep: container.keep, score, why }
    });
    Judgement { verdicts, ..Judgement::default() }
}

/// The scores alone.
pub(crate) fn scores(page: &Page<'_>, in_order: &InOrder, options: Options) -> Vec<f32> {
    Scored::new(page, in_order, options).each(|_, _, score| score)
}

/// The containers with text of their own, in page order.
///
/// ```
/// use tamis::{Page, methods::containers::{Options, containers}};
///
/// let page = Page::parse("<div><div>One, two, three.</div></div>");
/// let list = containers(&page, Options::default());
/// assert_eq!(list.len(), 1);
/// assert_eq!(list[0].dsd, 1.0 / 1.1); // html/body/div[1]/div[1]
/// assert_eq!(list[0].psd, 0.1 * 14.0); // three punctuation marks, 14 characters, no links
/// ```
pub fn containers(page: &Page<'_>, options: Options) -> Vec<Container> {
    Scored::new(page, &InOrder::of(page), options).list
}

/// DSD: 1 / (r1 + r2 / q + r3 / q² …) for the numbers along the path, the outermost first.
///
/// The paper prints `q` with a positive exponent and gives an example with a negative one. The example stands: it
/// says that outer containers weigh more.
///
/// ```
/// use tamis::methods::containers::distance_support;
///
/// assert_eq!(distance_support(&[1, 1]), 1.0 / 1.1); // html/body/div[1]/div[1]
/// ```
pub fn distance_support(numbers: &[u32]) -> f64 {
    let mut place = Place::default();
    for number in numbers {
        place = place.below(*number);
    }
    1.0 / place.sum.max(f64::MIN_POSITIVE)
}

/// TSD: how often the container has the page's most frequent title word, and the second.
///
/// ```
/// assert_eq!(tamis::methods::containers::title_support(4, 3), 5.0);
/// ```
pub fn title_support(first_word: u32, second_word: u32) -> f64 {
    ALPHA * f64::from(first_word) + BETA * f64::from(second_word)
}

/// PSD: characters outside of links to those inside, weighed by how much punctuation there is.
///
/// ```
/// use tamis::methods::containers::plain_support;
///
/// assert_eq!(plain_support(100, 10, 6), 5.0);
/// assert_eq!(plain_support(100, 0, 2), 0.1);
/// ```
pub fn plain_support(characters_outside: u32, characters_inside: u32, punctuation: u32) -> f64 {
    let fp = match punctuation {
        0..3 => 0.001,
        3..6 => 0.1,
        _ => 0.5,
    };
    fp * f64::from(characters_outside) / f64::from(characters_inside.max(1))
}

/// The path distance of two elements: `(len i - pre) + (len j - pre) - 1`, with `pre` the length of what their paths
/// share. The paper says "different" and means "common", as both its examples show. 0 for an element and itself.
///
/// ```
/// use tamis::{Page, methods::containers::juli};
///
/// let page = Page::parse("<div><p>a</p><p>b</p></div>");
/// let div = page.dom().body().unwrap().first_child().unwrap();
/// assert_eq!(juli(div.first_child().unwrap(), div.last_child().unwrap()), 1);
/// ```
pub fn juli(i: NodeRef<'_>, j: NodeRef<'_>) -> u32 {
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

/// Where a path stands on the line that DSD measures.
#[derive(Clone, Copy)]
struct Place {
    sum: f64,
    weight: f64,
}

impl Default for Place {
    fn default() -> Self {
        Place { sum: 0.0, weight: 1.0 }
    }
}

impl Place {
    fn below(self, number: u32) -> Place {
        Place { sum: self.sum + f64::from(number) * self.weight, weight: self.weight / Q }
    }
}

/// Of an element: where it stands on that line, and the place in the page of its nearest container, itself included.
#[derive(Clone, Copy)]
struct Stand {
    place: Place,
    container: u32,
}

impl Default for Stand {
    fn default() -> Self {
        Stand { place: Place::default(), container: NONE }
    }
}

struct Scored {
    list: Vec<Container>,
    /// The container of each block, by its place in the list.
    of_block: Vec<Option<u32>>,
    /// For each element of the page in order, its place in the list, or [`NONE`].
    places: Vec<u32>,
}

impl Scored {
    fn new(page: &Page<'_>, in_order: &InOrder, options: Options) -> Scored {
        let mut scored = Scored::collect(page, in_order);
        scored.support(page, options);
        scored.merge(page, in_order);
        scored.choose(page);
        scored
    }

    /// For each block: its container, the one that this is merged into, and the score.
    fn each<T: Default>(&self, say: impl Fn(&Container, &Container, f32) -> T) -> Vec<T> {
        let best = self.list.iter().map(|container| container.merged_sd).fold(f64::MIN_POSITIVE, f64::max);
        let of_block = |place: &Option<u32>| {
            let Some(container) = place.and_then(|place| self.list.get(place as usize)) else {
                return T::default();
            };
            let first = &self.list[container.merged_into];
            let strength = first.merged_sd / best;
            let score = if container.keep { 0.5 + strength / 2.0 } else { strength / 2.0 } as f32;
            say(container, first, score)
        };
        self.of_block.iter().map(of_block).collect()
    }

    /// The containers with text, what they hold, and where they stand.
    fn collect(page: &Page<'_>, in_order: &InOrder) -> Scored {
        // The body itself is not part of the paths, and no container.
        let mut stand = vec![Stand::default(); in_order.list.len()];
        let below_body = in_order.body.start + usize::from(in_order.has_body)..in_order.body.end;
        let top = in_order.list.get(below_body.start).map_or(0, |first| first.depth);
        // For each level, how many elements of each name have come below the one that is open there.
        let mut numbers: Vec<ByName<u32>> = vec![ByName::default()];
        for at in below_body {
            let entry = &in_order.list[at];
            let above = stand.get(entry.parent as usize).copied().unwrap_or_default();
            let level = (entry.depth - top) as usize;
            let number = numbers[level].of(entry.name, 0);
            *number += 1;
            let container = if is_container(entry) { at as u32 } else { above.container };
            stand[at] = Stand { place: above.place.below(*number), container };
            // An element that holds others begins a new count of them.
            if entry.size > 1 {
                match numbers.get_mut(level + 1) {
                    Some(numbers) => numbers.clear(),
                    None => numbers.push(ByName::default()),
                }
            }
        }
        let mut scored = Scored {
            list: Vec::new(),
            of_block: Vec::with_capacity(page.blocks().len()),
            places: vec![NONE; in_order.list.len()],
        };
        for block in page.blocks() {
            let stands = stand.get(in_order.place(block.element) as usize);
            let element = stands.map_or(NONE, |stand| stand.container) as usize;
            if element == NONE as usize || block.hidden.is_some() {
                scored.of_block.push(None);
                continue;
            }
            if scored.places[element] == NONE {
                let dsd = 1.0 / stand[element].place.sum.max(f64::MIN_POSITIVE);
                let place = scored.list.len();
                scored.places[element] = place as u32;
                scored.list.push(Container::new(in_order.list[element].id, dsd, place));
            }
            let place = scored.places[element];
            let container = &mut scored.list[place as usize];
            container.characters += block.measures.text.characters;
            container.link_characters += block.measures.link_text.characters;
            container.punctuation += block.measures.text.punctuation;
            scored.of_block.push(Some(place));
        }
        scored
    }

    /// The texts with the places of their containers.
    fn texts<'p>(&'p self, page: &'p Page<'_>) -> impl Iterator<Item = (usize, &'p str)> {
        let pairs = self.of_block.iter().zip(page.blocks());
        pairs.filter_map(|(place, block)| Some(((*place)? as usize, page.text(block))))
    }

    fn support(&mut self, page: &Page<'_>, options: Options) {
        let words = title_words::title_words(page, options.words);
        let finder = title_words::Finder::new(words.iter().map(String::as_str));
        let mut hits: Vec<(usize, usize)> = Vec::new();
        self.texts(page).for_each(|(place, text)| finder.find(text, |word| hits.push((place, word))));
        let mut totals = vec![0; words.len()];
        hits.iter().for_each(|(_, word)| totals[*word] += 1);
        let mut by_total: Vec<usize> = (0..words.len()).collect();
        by_total.sort_by_key(|word| std::cmp::Reverse(totals[*word]));
        let mut found = vec![[0; 2]; self.list.len()];
        for (place, word) in hits {
            if let Some(rank) = by_total.iter().take(2).position(|frequent| *frequent == word) {
                found[place][rank] += 1;
            }
        }
        for (container, [fw, sw]) in self.list.iter_mut().zip(found) {
            let outside = container.characters - container.link_characters.min(container.characters);
            container.tsd = title_support(fw, sw);
            container.psd = plain_support(outside, container.link_characters, container.punctuation);
            container.sd = container.dsd * (container.tsd + container.psd);
        }
    }

    fn choose(&mut self, page: &Page<'_>) {
        let merged = || (0..self.list.len()).filter(|place| self.list[*place].merged_into == *place);
        let mut top: Vec<usize> = merged().collect();
        top.sort_by(|a, b| self.list[*b].merged_sd.total_cmp(&self.list[*a].merged_sd));
        top.truncate(TOP);
        let Some(best) = top.first().copied() else { return };
        let (mut characters, mut punctuation) = (vec![0; self.list.len()], vec![0; self.list.len()]);
        for container in &self.list {
            characters[container.merged_into] += container.characters;
            punctuation[container.merged_into] += container.punctuation;
        }
        let text = |place: &usize| f64::from(characters[*place]);
        let share = text(&best) / top.iter().map(text).sum::<f64>().max(1.0);
        let reach = if share >= SINGLE_BODY { JULI_SINGLE } else { JULI_MULTIPLE };
        let best_node = page.node(self.list[best].element);
        for place in &top {
            self.list[*place].juli = Some(juli(page.node(self.list[*place].element), best_node));
        }
        let mut last: Vec<usize> = top;
        last.retain(|place| self.list[*place].juli.is_some_and(|juli| juli <= reach));
        if last.len() > 1 {
            last.retain(|place| punctuation[*place] != 0 || !self.is_copyright(page, *place));
        }
        for place in 0..self.list.len() {
            self.list[place].keep = last.contains(&self.list[place].merged_into);
        }
    }

    fn is_copyright(&self, page: &Page<'_>, merged: usize) -> bool {
        let of_it = self.texts(page).filter(|(place, _)| self.list[*place].merged_into == merged);
        let text: Vec<&str> = of_it.map(|(_, text)| text).collect();
        copyright::words_in(&text.join("\n").to_lowercase()) >= COPYRIGHT_WORDS
    }
}

impl Container {
    fn new(element: NodeId, dsd: f64, place: usize) -> Container {
        Container {
            element,
            dsd,
            tsd: 0.0,
            psd: 0.0,
            sd: 0.0,
            merged_sd: 0.0,
            merged_into: place,
            juli: None,
            keep: false,
            characters: 0,
            link_characters: 0,
            punctuation: 0,
        }
    }
}

fn is_container(entry: &Entry) -> bool {
    let is_one = matches!(
        entry.name,
        Name::DIV | Name::TABLE | Name::TBODY | Name::TD | Name::SECTION | Name::ARTICLE | Name::MAIN
    );
    is_one && entry.is_html
}

#[cfg(test)]
mod tests;
