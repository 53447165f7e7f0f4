//! Intermediate values shared by several feature families.

use tamis_html::Name;

use crate::annotate::Annotations;
use crate::page::{NONE, Page, Sums};
use crate::text::hash::Interner;
use crate::text::log_odds::LogOddsSum;

/// Number of ancestors per block that get features.
pub(super) const ANCESTOR_LEVELS: usize = 5;

/// Derived columns, per element unless stated otherwise.
#[derive(Debug, Default)]
pub struct Derived {
    /// Totals over the subtree.
    pub sums: Vec<Sums>,
    /// The nearest ancestor with more characters, skipping wrappers.
    pub wider_ancestor: Vec<u32>,
    /// Readability score.
    pub score: Vec<f32>,
    /// The highest score on the path from the root.
    pub max_path_score: Vec<f32>,
    /// The element with the highest score of the page.
    pub best: u32,
    /// Log-odds of the element's own class and id.
    pub own_log_odds: Vec<f32>,
    /// Log-odds of all classes and ids on the path from the root.
    pub path_log_odds: Vec<LogOddsSum>,
    /// Log-odds of the nearest class or id with known tokens.
    pub nearest_log_odds: Vec<f32>,
    /// Comment log-odds of all classes and ids on the path from the root.
    pub comment_log_odds: Vec<f32>,
    /// Class concepts on the path from the root.
    pub concepts: Vec<u32>,
    /// Per block: its element and ancestors, each with more characters than the one before.
    pub ancestors: Vec<[u32; ANCESTOR_LEVELS]>,
    /// Per block: the id of its class path.
    pub class_path_id: Vec<u32>,
    pub class_path_count: usize,
    /// Per block: the id of its tag path.
    pub tag_path_id: Vec<u32>,
    pub tag_path_count: usize,
    /// Per block: the nearest heading before it.
    pub preceding_heading: Vec<u32>,
    /// The nearest container (papers 001 and 003).
    pub container: Vec<u32>,
    /// Totals over the blocks whose nearest container this is.
    pub own_content: Vec<Sums>,
    /// Position score of the path from the root (paper 003).
    pub dsd: Vec<f32>,
    /// Title words in a container's own content.
    pub own_title_words: Vec<u16>,
    interner: Interner,
}

impl Derived {
    #[inline(never)]
    pub fn fill(&mut self, page: &Page<'_>, annotations: &Annotations) {
        let elements = &page.elements;
        let count = elements.len();
        self.sums.clear();
        self.wider_ancestor.clear();
        self.own_log_odds.clear();
        self.path_log_odds.clear();
        self.nearest_log_odds.clear();
        self.comment_log_odds.clear();
        self.concepts.clear();
        let classes = &page.classes.entries;
        for row in 0..count {
            let (first, last) = elements.blocks(row as u32);
            let sum = page.blocks.sum(first, last);
            let parent = elements.parent[row];
            let [class, id] = elements.class[row];
            let (class, id) = (&classes[class as usize], &classes[id as usize]);
            let mut own = class.log_odds;
            own.merge(&id.log_odds);
            let mut path = own;
            let mut concepts = class.concepts | id.concepts;
            let (mut nearest, mut comment) = (own.sum, class.comment_log_odds + id.comment_log_odds);
            let mut wider = NONE;
            if parent != NONE {
                let parent_row = parent as usize;
                path.merge(&self.path_log_odds[parent_row]);
                concepts |= self.concepts[parent_row];
                comment += self.comment_log_odds[parent_row];
                if own.known == 0 {
                    nearest = self.nearest_log_odds[parent_row];
                }
                wider = if self.sums[parent_row].characters == sum.characters {
                    self.wider_ancestor[parent_row]
                } else {
                    parent
                };
            }
            self.sums.push(sum);
            self.wider_ancestor.push(wider);
            self.own_log_odds.push(own.sum);
            self.path_log_odds.push(path);
            self.nearest_log_odds.push(nearest);
            self.comment_log_odds.push(comment);
            self.concepts.push(concepts);
        }
        self.fill_scores(page);
        self.fill_blocks(page);
        self.fill_containers(page, annotations);
    }

    fn fill_containers(&mut self, page: &Page<'_>, annotations: &Annotations) {
        let elements = &page.elements;
        (self.container, self.own_content) = super::ratios::own_content(page);
        // 1 / sum(index_i / 10^(i-1)) over the sibling indices of the containers on the path.
        self.dsd.clear();
        let mut paths: Vec<(f32, f32)> = Vec::with_capacity(elements.len());
        for row in 0..elements.len() {
            let (sum, scale) = paths.get(elements.parent[row] as usize).copied().unwrap_or((0.0, 1.0));
            let own = if super::ratios::is_container(elements.name[row]) && elements.name[row] != Name::BODY {
                (sum + annotations.records.sibling_index[row].max(1) as f32 * scale, scale / 10.0)
            } else {
                (sum, scale)
            };
            paths.push(own);
            self.dsd.push(1.0 / own.0.max(1e-3));
        }
        self.own_title_words.clear();
        self.own_title_words.resize(elements.len(), 0);
        for (row, words) in page.blocks.element.iter().zip(&annotations.labels.title_hits) {
            let container = self.container[*row as usize] as usize;
            self.own_title_words[container] =
                self.own_title_words[container].saturating_add(u16::from(*words));
        }
    }

    /// Each paragraph adds points to its ancestors, halved at every level.
    fn fill_scores(&mut self, page: &Page<'_>) {
        let (elements, blocks) = (&page.elements, &page.blocks);
        self.score.clear();
        self.score.resize(elements.len(), 0.0);
        for block in 0..blocks.len() {
            let counts = &blocks.counts[block];
            if counts.characters - blocks.link_characters[block] < 25 {
                continue;
            }
            let points =
                1.0 + (counts.punctuation as f32).min(12.0) / 2.0 + (counts.words as f32 / 20.0).min(3.0);
            let mut row = blocks.element[block];
            if matches!(
                elements.name[row as usize],
                Name::P | Name::PRE | Name::LI | Name::TD | Name::BLOCKQUOTE | Name::DD
            ) {
                row = elements.parent[row as usize];
            }
            let mut decay = 1.0;
            for _ in 0..5 {
                let Some(score) = self.score.get_mut(row as usize) else { break };
                *score += points * decay;
                row = elements.parent[row as usize];
                decay /= 2.0;
            }
        }
        self.max_path_score.clear();
        self.best = 0;
        let mut best = 0.0;
        for row in 0..elements.len() {
            let sum = &self.sums[row];
            let link_share = sum.link_characters as f32 / sum.characters.max(1) as f32;
            let score = self.score[row] * (1.0 - link_share);
            self.score[row] = score;
            if score > best {
                (best, self.best) = (score, row as u32);
            }
            let inherited = self.max_path_score.get(elements.parent[row] as usize).copied().unwrap_or(0.0);
            self.max_path_score.push(score.max(inherited));
        }
    }

    fn fill_blocks(&mut self, page: &Page<'_>) {
        let (elements, blocks) = (&page.elements, &page.blocks);
        self.ancestors.clear();
        self.class_path_id.clear();
        self.tag_path_id.clear();
        self.preceding_heading.clear();
        let mut heading = NONE;
        for block in 0..blocks.len() {
            let row = blocks.element[block];
            let mut ancestors = [NONE; ANCESTOR_LEVELS];
            let mut next = row;
            for level in &mut ancestors {
                if next == NONE {
                    break;
                }
                *level = next;
                next = self.wider_ancestor[next as usize];
            }
            self.ancestors.push(ancestors);
            self.preceding_heading.push(heading);
            if elements.name[row as usize].heading_level().is_some() {
                heading = block as u32;
            }
        }
        self.interner.clear();
        for block in 0..blocks.len() {
            let (id, _) = self.interner.intern(elements.class_path[blocks.element[block] as usize]);
            self.class_path_id.push(id);
        }
        self.class_path_count = self.class_path_id.iter().max().map_or(0, |id| *id as usize + 1);
        self.interner.clear();
        for block in 0..blocks.len() {
            let (id, _) = self.interner.intern(elements.tag_path[blocks.element[block] as usize]);
            self.tag_path_id.push(id);
        }
        self.tag_path_count = self.tag_path_id.iter().max().map_or(0, |id| *id as usize + 1);
    }
}
