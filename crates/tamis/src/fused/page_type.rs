//! What kind of page it is: learned for the kinds that labelled pages name, by rule for the two that they do not.

use super::elements::Elements;
use super::trees::Forest;
use crate::page::Page;
use tamis_html::Name;

/// A kind of page.
///
/// ```
/// use tamis::fused::PageType;
///
/// assert_eq!(PageType::QuestionAndAnswers.name(), "q&a");
/// assert!(PageType::Forum.is_thread() && !PageType::Article.is_thread());
/// assert_eq!(PageType::ALL.len(), 8);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PageType {
    /// One piece: news, a blog entry, an essay.
    Article,
    /// A thread with its posts.
    Forum,
    /// Something that is read to look things up.
    Documentation,
    /// One thing that is sold or described by its properties.
    Product,
    /// Many entries that lead elsewhere.
    Listing,
    /// None of these: a service, a start page, a form.
    Other,
    /// A question and its answers.
    QuestionAndAnswers,
    /// Several pieces, each whole.
    MultiBody,
}

impl PageType {
    /// All of them; those that are learned come first.
    pub const ALL: [PageType; 8] = [
        PageType::Article,
        PageType::Forum,
        PageType::Documentation,
        PageType::Product,
        PageType::Listing,
        PageType::Other,
        PageType::QuestionAndAnswers,
        PageType::MultiBody,
    ];

    /// Is it made of posts?
    pub fn is_thread(self) -> bool {
        matches!(self, PageType::Forum | PageType::QuestionAndAnswers)
    }

    /// Its name in output.
    pub fn name(self) -> &'static str {
        match self {
            PageType::Article => "article",
            PageType::Forum => "forum",
            PageType::Documentation => "documentation",
            PageType::Product => "product",
            PageType::Listing => "listing",
            PageType::Other => "other",
            PageType::QuestionAndAnswers => "q&a",
            PageType::MultiBody => "multi-body",
        }
    }
}

/// How many kinds are learned.
///
/// ```
/// use tamis::fused::{LEARNED, PageType};
///
/// assert!(PageType::ALL[..LEARNED].contains(&PageType::Listing));
/// ```
pub const LEARNED: usize = 6;

/// How probable each kind is.
///
/// ```
/// use tamis::{Page, Site, fused};
///
/// let types = fused::look(&Page::parse("<p>Rain."), &Site::default(), fused::Model::shipped()).types;
/// let sum: f32 = fused::PageType::ALL.iter().map(|kind| types.of(*kind)).sum();
/// assert!((sum - 1.0).abs() < 1e-3);
/// assert!(types.best().1 >= 1.0 / 8.0);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Types([f32; PageType::ALL.len()]);

/// A thread on a page that calls itself questions and answers is one nearly always.
const CALLED_SO: f32 = 0.9;
/// A page that calls itself an article, and on which no posts are found, is no thread in most cases.
const NO_THREAD: f32 = 0.7;
/// So many words make a body.
const BODY_WORDS: u32 = 60;

/// What a page says of itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Says {
    /// That it is an article, and nothing on it looks like posts.
    Article,
    /// That it is questions and answers.
    Questions,
    Nothing,
}

impl Types {
    /// From the forests, one for each kind that is learned; where there are none, all kinds are as likely.
    ///
    /// ```
    /// use tamis::fused::{PageType, Types, trees::Forest};
    ///
    /// // Two forests without trees, of which the second has more to start with.
    /// let forests = [0.0, 2.0].map(|base| Forest { base, ..Forest::default() });
    /// assert_eq!(Types::learned(&forests, &[]).best().0, PageType::Forum);
    /// ```
    pub fn learned(forests: &[Forest], row: &[f32]) -> Types {
        let mut types = Types::default();
        for (forest, share) in forests.iter().zip(&mut types.0[..LEARNED]) {
            *share = forest.probability(row);
        }
        let sum: f32 = types.0.iter().sum();
        if sum <= 0.0 {
            return Types([1.0 / PageType::ALL.len() as f32; PageType::ALL.len()]);
        }
        types.0.iter_mut().for_each(|share| *share /= sum);
        types
    }

    /// Tells questions from threads, threads from articles that say so, and several bodies from one.
    pub(super) fn told_apart(mut self, says: Says, bodies: usize) -> Types {
        let mut moved = |from: PageType, to: PageType, share: f32| {
            let part = self.0[from as usize] * share;
            self.0[from as usize] -= part;
            self.0[to as usize] += part;
        };
        if says == Says::Article {
            moved(PageType::Forum, PageType::Article, NO_THREAD);
        }
        if says == Says::Questions {
            moved(PageType::Forum, PageType::QuestionAndAnswers, CALLED_SO);
            moved(PageType::Article, PageType::QuestionAndAnswers, CALLED_SO / 2.0);
        }
        if bodies > 1 {
            moved(PageType::Article, PageType::MultiBody, 1.0 - 1.0 / bodies as f32);
        }
        self
    }

    /// How probable a kind is.
    pub fn of(&self, kind: PageType) -> f32 {
        self.0[kind as usize]
    }

    /// The most probable kind.
    pub fn best(&self) -> (PageType, f32) {
        let best = PageType::ALL.into_iter().rev().max_by(|a, b| self.of(*a).total_cmp(&self.of(*b)));
        best.map_or((PageType::Other, 0.0), |kind| (kind, self.of(kind)))
    }
}

/// How many `article` elements hold a body of their own among the blocks that are kept.
pub(super) fn bodies(page: &Page<'_>, elements: &Elements, keep: impl Fn(usize) -> bool) -> usize {
    let mut words: Vec<(u32, u32)> = Vec::new();
    for (_, block) in page.blocks().iter().enumerate().filter(|(at, _)| keep(*at)) {
        let Some((place, _)) =
            elements.up(elements.place(block.element)).find(|(_, above)| above.name == Name::ARTICLE)
        else {
            continue;
        };
        match words.last_mut().filter(|(last, _)| *last == place) {
            Some((_, sum)) => *sum += block.measures.text.words,
            None => words.push((place, block.measures.text.words)),
        }
    }
    words.sort_unstable();
    words
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|body| body.iter().map(|(_, words)| words).sum::<u32>() >= BODY_WORDS)
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_calls_itself_questions_is_one() {
        let mut types = Types::default();
        types.0[PageType::Forum as usize] = 1.0;
        assert_eq!(types.best().0, PageType::Forum);
        assert_eq!(types.told_apart(Says::Questions, 0).best().0, PageType::QuestionAndAnswers);
    }

    #[test]
    fn a_page_without_posts_that_calls_itself_an_article_is_one() {
        let mut types = Types::default();
        types.0[PageType::Forum as usize] = 0.6;
        types.0[PageType::Article as usize] = 0.4;
        assert_eq!(types.told_apart(Says::Article, 0).best().0, PageType::Article);
        assert_eq!(types.told_apart(Says::Nothing, 0).best().0, PageType::Forum);
    }

    #[test]
    fn articles_with_a_body_each_are_counted() {
        let body = "<p>one two three four five six seven eight nine ten</p>".repeat(7);
        let html = format!("<article>{body}</article><article>{body}</article><article><p>short</article>");
        let page = Page::parse(&html);
        let elements = Elements::of(&page, &super::super::odds::Odds::default());
        assert_eq!(bodies(&page, &elements, |_| true), 2);
    }
}
