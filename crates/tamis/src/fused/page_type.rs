//! What kind of page it is: learned for the kinds that labelled pages name, by rule for the three that they do not.

use super::elements::Elements;
use super::features::heading_level;
use super::trees::Forest;
use crate::block::Block;
use crate::page::Page;
use tamis_html::Name;

/// A kind of page.
///
/// ```
/// use tamis::fused::PageType;
///
/// assert_eq!(PageType::QuestionAndAnswers.name(), "q&a");
/// assert!(PageType::Forum.is_thread() && !PageType::Article.is_thread());
/// assert_eq!(PageType::ALL.len(), 9);
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
    /// Pictures, and next to no words.
    Pictures,
}

impl PageType {
    /// All of them; those that are learned come first.
    pub const ALL: [PageType; 9] = [
        PageType::Article,
        PageType::Forum,
        PageType::Documentation,
        PageType::Product,
        PageType::Listing,
        PageType::Other,
        PageType::QuestionAndAnswers,
        PageType::MultiBody,
        PageType::Pictures,
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
            PageType::Pictures => "pictures",
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
/// assert!(types.best().1 >= 1.0 / 9.0);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Types([f32; PageType::ALL.len()]);

/// A thread on a page that calls itself questions and answers is one nearly always.
const CALLED_SO: f32 = 0.9;
/// A page that calls itself an article, and on which no posts are found, is no thread in most cases.
const NO_THREAD: f32 = 0.7;
/// So many words make a body.
const BODY_WORDS: u32 = 60;
/// So many texts below headlines that are links are bodies of one page.
const LEAST_BELOW_HEADLINES: usize = 3;

/// A page that does not speak of a thread, and on which no posts are found, is none.
const NO_POSTS: f32 = 0.8;
/// A page of links or pictures and no prose is what it shows.
const SHOWS_IT: f32 = 0.9;
/// A block with so many words outside of links is prose, and a page with fewer words of it has none.
const PROSE: u32 = 8;
const NO_PROSE: u32 = 20;
/// So many links or pictures make a page of them.
const LINKS: u32 = 10;
const PICTURES: u32 = 8;
/// Where there are more, the pictures stand beside something.
const WORDS_A_PICTURE: u32 = 3;
/// The share of a page's words that stand in links where it is made of them.
const LINKED: f32 = 0.6;

/// What stands on a page, where its words do not say what it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shows {
    /// Links, and no prose.
    Links,
    /// Pictures, and no prose.
    Pictures,
    /// Pieces that lead elsewhere, and no posts.
    Entries,
    /// Neither posts nor a word of a thread.
    NoThread,
    /// Something else.
    Other,
}

impl Shows {
    /// What a page shows of which these blocks are kept. Entries are looked for only where the page might be a thread.
    pub(super) fn of(page: &Page<'_>, may_be_thread: bool, keep: impl Fn(usize) -> bool) -> Shows {
        let total = page.total();
        let seen = page.blocks().iter().filter(|block| block.hidden.is_none());
        let prose = seen.filter(|block| block.link_share() < 0.5 && block.measures.text.words >= PROSE);
        let has_prose = prose.map(|block| block.measures.text.words).sum::<u32>() >= NO_PROSE;
        let linked = total.link_text.words as f32 / total.text.words.max(1) as f32;
        let is_thread = !page.posts().is_empty() || page.comments().says_thread();
        if is_thread {
            Shows::Other
        } else if !has_prose && total.images >= PICTURES && total.images * WORDS_A_PICTURE > total.text.words
        {
            Shows::Pictures
        } else if !has_prose && total.links >= LINKS && linked >= LINKED {
            Shows::Links
        } else if !may_be_thread {
            Shows::Other
        } else if crate::entries::find(page, keep).is_empty() {
            Shows::NoThread
        } else {
            Shows::Entries
        }
    }
}

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

    /// Tells questions from threads, threads from what only looks like them, and several bodies from one.
    pub(super) fn told_apart(mut self, says: Says, shows: Shows, bodies: usize) -> Types {
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
        let any = [PageType::Article, PageType::Forum, PageType::Documentation, PageType::Other];
        match shows {
            Shows::Links => any.into_iter().for_each(|from| moved(from, PageType::Listing, SHOWS_IT)),
            Shows::Pictures => {
                any.into_iter()
                    .chain([PageType::Listing])
                    .for_each(|from| moved(from, PageType::Pictures, SHOWS_IT));
            }
            Shows::Entries => moved(PageType::Forum, PageType::Listing, NO_POSTS),
            Shows::NoThread => moved(PageType::Forum, PageType::Other, NO_POSTS),
            Shows::Other => {}
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

/// How many bodies the blocks that are kept make up: `article` elements that hold one each, or texts each below a heading
/// that leads to it.
pub(super) fn bodies(page: &Page<'_>, elements: &Elements, keep: impl Fn(usize) -> bool) -> usize {
    in_articles(page, elements, &keep).max(below_headlines(page, &keep))
}

fn in_articles(page: &Page<'_>, elements: &Elements, keep: impl Fn(usize) -> bool) -> usize {
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

/// The front page of a journal: its texts stand below each other, each with its headline, which is a link. Of the headings that
/// are links those of the highest level count, and one or two of them may be anything.
fn below_headlines(page: &Page<'_>, keep: impl Fn(usize) -> bool) -> usize {
    let seen = || page.blocks().iter().enumerate().filter(|(_, block)| block.hidden.is_none());
    let level = |block: &Block| match heading_level(page.element(block).name_id()) {
        level @ 1.0..=3.0 if block.link_share() > 0.9 => Some(level),
        _ => None,
    };
    // The words that are kept below the last heading of each level, and how many of these were bodies.
    let (mut words, mut bodies) = ([None; 3], [0; 3]);
    let end = |words: &mut Option<u32>, bodies: &mut usize| {
        *bodies += usize::from(words.take().is_some_and(|words| words >= BODY_WORDS));
    };
    for (at, block) in seen() {
        if let Some(level) = level(block) {
            let level = level as usize - 1;
            end(&mut words[level], &mut bodies[level]);
            words[level] = Some(0);
        } else if keep(at) {
            words.iter_mut().flatten().for_each(|words| *words += block.measures.text.words);
        }
    }
    words.iter_mut().zip(&mut bodies).for_each(|(words, bodies)| end(words, bodies));
    bodies.into_iter().find(|bodies| *bodies >= LEAST_BELOW_HEADLINES).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_calls_itself_questions_is_one() {
        let mut types = Types::default();
        types.0[PageType::Forum as usize] = 1.0;
        assert_eq!(types.best().0, PageType::Forum);
        assert_eq!(types.told_apart(Says::Questions, Shows::Other, 0).best().0, PageType::QuestionAndAnswers);
    }

    #[test]
    fn a_page_without_posts_that_calls_itself_an_article_is_one() {
        let mut types = Types::default();
        types.0[PageType::Forum as usize] = 0.6;
        types.0[PageType::Article as usize] = 0.4;
        assert_eq!(types.told_apart(Says::Article, Shows::Other, 0).best().0, PageType::Article);
        assert_eq!(types.told_apart(Says::Nothing, Shows::Other, 0).best().0, PageType::Forum);
    }

    #[test]
    fn pages_of_links_and_of_pictures_are_told_by_what_they_show() {
        let shows = |html: &str| Shows::of(&Page::parse(html), true, |_| true);
        let links: String = (0..12).map(|n| format!("<li><a href=/{n}>Harbour number {n}</a>")).collect();
        assert_eq!(shows(&format!("<h1>Harbours</h1><ul>{links}</ul>")), Shows::Links);
        let pictures: String = (0..12).map(|n| format!("<img src={n}.jpg>")).collect();
        assert_eq!(shows(&format!("<h1>Boats</h1>{pictures}<p>Copyright")), Shows::Pictures);
        let prose = "<p>It rained in the harbour on Monday, for the first time since May, and the gardens were glad of it.";
        assert_eq!(shows(&prose.repeat(3)), Shows::NoThread);
        let teasers: String =
            (0..4).map(|n| format!("<div><h2><a href=/{n}>Rain number {n}</a></h2>{prose}</div>")).collect();
        assert_eq!(shows(&teasers), Shows::Entries);
    }

    #[test]
    fn articles_with_a_body_each_are_counted() {
        let body = "<p>one two three four five six seven eight nine ten</p>".repeat(7);
        let html = format!("<article>{body}</article><article>{body}</article><article><p>short</article>");
        let page = Page::parse(&html);
        let elements = Elements::of(&page, &super::super::odds::Odds::default());
        assert_eq!(bodies(&page, &elements, |_| true), 2);
    }

    #[test]
    fn a_journal_without_article_elements_had_one_body() {
        let count = |html: &str| {
            let page = Page::parse(html);
            bodies(&page, &Elements::of(&page, &super::super::odds::Odds::default()), |_| true)
        };
        let text = "<p>one two three four five six seven eight nine ten</p>".repeat(7);
        let posts: String = (1..=4)
            .map(|n| format!("<div class=hentry><h2><a href=/{n}>Number {n}</a></h2>{text}</div>"))
            .collect();
        assert_eq!(count(&posts), 4);
        let article =
            format!("<h1>Number</h1>{text}<h2><a href=#a>A part</a></h2>{text}<h2>Another</h2>{text}");
        assert_eq!(count(&article), 0);
    }
}
