//! What kind of page it is: learned for the kinds that labelled pages name, by rule for the three that they do not.

use super::trees::Forest;
use crate::entries::{self, Entry};
use crate::page::Page;

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
/// Below this probability the trees are in doubt of what a page is.
const IN_DOUBT: f32 = 0.6;
/// The share of what is kept that teasers hold on a page of them, and the words that the longest of them does not have.
const TEASERS: f32 = 0.8;
const WHOLE: u32 = 60;
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
    /// Such pieces, and next to nothing else.
    Teasers,
    /// Neither posts nor a word of a thread.
    NoThread,
    /// Something else.
    Other,
}

impl Shows {
    /// What a page shows of which the trees say this and these blocks are kept. Entries are looked for only where the page might
    /// be a thread, or where the trees are in doubt.
    pub(super) fn of(page: &Page<'_>, learned: &Types, keep: impl Fn(usize) -> bool) -> Shows {
        let (best, probability) = learned.best();
        let may_be_thread = best == PageType::Forum;
        let is_in_doubt = best != PageType::Listing && probability < IN_DOUBT;
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
        } else if !may_be_thread && !is_in_doubt {
            Shows::Other
        } else {
            let entries = entries::find(page, &keep);
            match (may_be_thread, entries.is_empty()) {
                (true, true) => Shows::NoThread,
                (true, false) => Shows::Entries,
                (false, true) => Shows::Other,
                (false, false) => are_teasers(page, &entries, keep),
            }
        }
    }
}

/// Are the entries of a page teasers, and most of what is kept? Pieces that are whole have longer paragraphs.
fn are_teasers(page: &Page<'_>, entries: &[Entry], keep: impl Fn(usize) -> bool) -> Shows {
    let words = |place: usize| if keep(place) { page.blocks()[place].measures.text.words } else { 0 };
    let all = || (0..page.blocks().len()).map(words);
    let in_entries: u32 = entries.iter().flat_map(|entry| entry.blocks.clone()).map(words).sum();
    let is_most = in_entries as f32 >= TEASERS * all().sum::<u32>() as f32;
    let are_short = all().max().is_some_and(|longest| longest < WHOLE);
    if is_most && are_short { Shows::Teasers } else { Shows::Other }
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
        // Articles that answer questions in passing say so as well: what is no thread is not asked about.
        if says == Says::Questions {
            moved(PageType::Forum, PageType::QuestionAndAnswers, CALLED_SO);
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
            Shows::Teasers => {
                let any = [PageType::Article, PageType::Other];
                any.into_iter().for_each(|from| moved(from, PageType::Listing, NO_POSTS));
            }
            // Of pages that only look like threads nearly all are articles.
            Shows::NoThread => moved(PageType::Forum, PageType::Article, NO_POSTS),
            Shows::Other => {}
        }
        if bodies > 1 {
            // More than half, of two as well.
            moved(PageType::Article, PageType::MultiBody, 1.0 - 1.0 / (bodies + 1) as f32);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn surely(kind: PageType) -> Types {
        let mut types = Types::default();
        types.0[kind as usize] = 1.0;
        types
    }

    #[test]
    fn teasers_were_an_article() {
        let mut types = surely(PageType::Article);
        let teaser = |n: u32| {
            format!(
                "<div><h2><a href=/{n}>Rain number {n}</a></h2><p>It rained in the harbour on day {n}.</div>"
            )
        };
        let html: String = (1..8).map(teaser).collect();
        let page = Page::parse(&html);
        assert_eq!(Shows::of(&page, &types, |_| true), Shows::Other, "where the trees are sure");
        types.0[PageType::Article as usize] = 0.4;
        assert_eq!(Shows::of(&page, &types, |_| true), Shows::Teasers);
        let told = types.told_apart(Says::Nothing, Shows::Teasers, 0);
        assert_eq!(told.best().0, PageType::Listing);
        let whole = html.replace("It rained", &"It rained, and then it rained again. ".repeat(12));
        assert_eq!(Shows::of(&Page::parse(&whole), &types, |_| true), Shows::Other, "pieces that are whole");
    }

    #[test]
    fn two_bodies_were_an_article() {
        let told =
            |bodies| surely(PageType::Article).told_apart(Says::Nothing, Shows::Other, bodies).best().0;
        assert_eq!([0, 1, 2, 3].map(told)[..2], [PageType::Article; 2]);
        assert_eq!([0, 1, 2, 3].map(told)[2..], [PageType::MultiBody; 2]);
    }

    #[test]
    fn a_thread_that_calls_itself_questions_is_one() {
        let types = surely(PageType::Forum);
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
        let shows = |html: &str| Shows::of(&Page::parse(html), &surely(PageType::Forum), |_| true);
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
}
