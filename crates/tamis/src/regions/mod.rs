//! Regions: posts of threads, reader comments and entries of listings, read from repeated structure.

mod body;
mod comments;
mod items;
mod listing;
mod mailing_list;
mod phrases;
mod roles;
mod thread;
mod weights;

use std::cell::OnceCell;

use tamis_dates::{Hints, Moment};

use crate::annotate::{Annotations, Cells};
use crate::classify::{PageType, Prediction};
use crate::page::{NONE, Page};

use items::Tables;

/// A post of a thread.
#[derive(Clone, Debug, PartialEq)]
pub struct PostRegion {
    /// The row of its element, or of the element that opens it.
    pub element: u32,
    /// Its writer.
    pub author: Option<String>,
    /// Its time.
    pub time: Option<Moment>,
    /// Its time as the page shows it.
    pub time_text: Option<String>,
    /// Its number in the thread.
    pub number: Option<u32>,
    /// The blocks of its text, quotes included.
    pub blocks: Vec<u32>,
    /// What it quotes.
    pub quotes: Vec<QuoteRegion>,
    /// Whom it answers.
    pub reply_to: Option<String>,
}

impl Default for PostRegion {
    fn default() -> PostRegion {
        PostRegion {
            element: NONE,
            author: None,
            time: None,
            time_text: None,
            number: None,
            blocks: Vec::new(),
            quotes: Vec::new(),
            reply_to: None,
        }
    }
}

/// The words of others in a post.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuoteRegion {
    /// Whose words they are.
    pub author: Option<String>,
    /// Their blocks, with the line that names the author.
    pub blocks: Vec<u32>,
}

/// A reader's comment.
#[derive(Clone, Debug, PartialEq)]
pub struct CommentRegion {
    /// The row of its element, or of the element that opens it.
    pub element: u32,
    /// Its writer.
    pub author: Option<String>,
    /// Its time.
    pub time: Option<Moment>,
    /// Its time as the page shows it.
    pub time_text: Option<String>,
    /// The blocks of its text.
    pub blocks: Vec<u32>,
    /// Whom it answers.
    pub reply_to: Option<String>,
}

/// An entry of a listing.
#[derive(Clone, Debug, PartialEq)]
pub struct EntryRegion {
    /// The row of its element.
    pub element: u32,
    /// Its title.
    pub title: String,
    /// Where it leads, as on the page.
    pub link: Option<String>,
    /// Its date.
    pub date: Option<Moment>,
    /// Its date as the page shows it.
    pub date_text: Option<String>,
    /// The blocks of its text, without title and date.
    pub blocks: Vec<u32>,
}

/// What is known about a page from elsewhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct RegionContext<'c> {
    /// When the page was fetched.
    pub reference_time: Option<Moment>,
    /// Its language, as a BCP 47 tag.
    pub language: Option<&'c str>,
    /// Whether 3/4/2021 is the fourth of March.
    pub month_first: Option<bool>,
}

impl<'c> RegionContext<'c> {
    fn hints(&self) -> Hints<'c> {
        Hints { language: self.language, reference: self.reference_time, month_first: self.month_first }
    }
}

/// The bit of a forum in [`Head::declared_types`](crate::annotate::Head).
const DECLARED_FORUM: u32 = 1 << 3;

/// A page with a lower probability is not a thread, whatever its posts.
const MIN_THREAD_PROBABILITY: f32 = 0.2;
/// Signed posts that make a thread of a page that was taken for something else.
const MIN_POSTS: usize = 2;

/// Reads posts, comments and entries of a page.
pub struct Regions<'p> {
    page: &'p Page<'p>,
    annotations: &'p Annotations,
    prediction: &'p Prediction,
    hints: Hints<'p>,
    cells: OnceCell<Cells>,
}

impl<'p> Regions<'p> {
    /// The regions of a page.
    pub fn new(
        page: &'p Page<'p>,
        annotations: &'p Annotations,
        prediction: &'p Prediction,
        context: &RegionContext<'p>,
    ) -> Regions<'p> {
        Regions { page, annotations, prediction, hints: context.hints(), cells: OnceCell::new() }
    }

    /// The posts of a thread; empty unless the page is one. Signed and dated posts that hold most of the kept text make a
    /// thread of a page whose most probable type is another.
    #[inline(never)]
    pub fn thread(&self) -> Vec<PostRegion> {
        let Regions { page, annotations, prediction, .. } = *self;
        let is_thread = prediction.page_type == PageType::Forum
            || annotations.head.declared_types & DECLARED_FORUM != 0
            || mailing_list::is_message(page);
        let dates = || annotations.records.signal_counts(0, page.blocks.len())[0];
        if !is_thread
            && (prediction.thread_probability < MIN_THREAD_PROBABILITY || (dates() as usize) < MIN_POSTS)
        {
            return Vec::new();
        }
        let posts = thread::posts(self.tables(&prediction.probabilities));
        let is_article = posts.first().is_some_and(|post| post.author.is_none())
            && is_mostly_dropped(page, prediction, &posts[1..]);
        if !is_article && (is_thread || is_convincing(page, prediction, &posts)) { posts } else { Vec::new() }
    }

    /// The reader comments below an article. Ask only where [`thread`](Self::thread) finds fewer than two posts.
    pub fn comments(&self) -> Vec<CommentRegion> {
        let Prediction { kept, comment_probabilities, .. } = self.prediction;
        let probabilities = comments::probabilities(self.page, kept, comment_probabilities);
        // Most pages have none, and the cells are dear.
        match probabilities.iter().any(|probability| *probability >= comments::MIN_PROBABILITY) {
            true => comments::comments(self.tables(&probabilities)),
            false => Vec::new(),
        }
    }

    /// The entries of a listing; empty on other pages.
    pub fn listing(&self) -> Vec<EntryRegion> {
        if self.prediction.page_type != PageType::Listing {
            return Vec::new();
        }
        listing::entries(self.tables(&self.prediction.probabilities))
    }

    fn tables<'t>(&'t self, probabilities: &'t [f32]) -> Tables<'t> {
        Tables {
            page: self.page,
            annotations: self.annotations,
            prediction: self.prediction,
            probabilities,
            hints: &self.hints,
            cells: self.cells.get_or_init(|| Cells::new(self.page)),
        }
    }
}

/// Whether the classifier dropped most of what posts say: below an unsigned text, they are comments.
fn is_mostly_dropped(page: &Page<'_>, prediction: &Prediction, posts: &[PostRegion]) -> bool {
    let [said, kept] = words_of_posts(page, prediction, posts);
    kept * 2 < said
}

/// Words of posts, and how many of them are kept.
fn words_of_posts(page: &Page<'_>, prediction: &Prediction, posts: &[PostRegion]) -> [u32; 2] {
    let blocks = posts.iter().flat_map(|post| &post.blocks);
    blocks.fold([0, 0], |[said, kept], block| {
        let words = page.blocks.counts[*block as usize].words;
        let is_kept = prediction.kept[*block as usize];
        [said + words, kept + if is_kept { words } else { 0 }]
    })
}

/// Whether posts look like a thread by themselves: all but the first and a few others are signed and dated, they hold
/// most of the kept text, and most of what they say is kept.
fn is_convincing(page: &Page<'_>, prediction: &Prediction, posts: &[PostRegion]) -> bool {
    let signed = posts.iter().filter(|post| post.author.is_some() && post.time_text.is_some()).count();
    let is_kept = |block: &usize| prediction.kept[*block];
    let all_kept: u32 =
        (0..page.blocks.len()).filter(is_kept).map(|block| page.blocks.counts[block].words).sum();
    let [said, kept] = words_of_posts(page, prediction, posts);
    signed >= MIN_POSTS
        && posts.len() - signed <= 1.max(posts.len() / 4)
        && kept * 5 >= all_kept * 4
        && kept * 2 >= said
}

/// The text of blocks, one per line.
pub fn text_of(page: &Page<'_>, blocks: &[u32]) -> String {
    let room = blocks.iter().map(|block| page.blocks.text(*block as usize).len() + 1).sum();
    let mut text = String::with_capacity(room);
    for block in blocks {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(page.blocks.text(*block as usize));
    }
    text
}

#[cfg(test)]
mod tests;
