//! From a page to its document: the way in for most callers.

use std::borrow::Cow;
use std::sync::Arc;

use tamis_html::Limits;

use crate::arabic;
use crate::assemble::{Dating, assemble, comments_dated};
use crate::balance::Balance;
use crate::document::Document;
use crate::facts::dates::Moment;
use crate::facts::{self, Evidence};
use crate::feed::{self, Feed};
use crate::fused::{self, Model, PageType, Reasons};
use crate::judgement::Judgement;
use crate::methods::{Method, rbf, svm, template_svm};
use crate::own_model::{Kind, OwnModel};
use crate::page::Page;
use crate::site::Site;
use crate::without_script;

/// The main text and facts of a page, with the default settings.
///
/// ```
/// let html = "<title>Rain - The Gazette</title><nav><a href=/>Home</a> <a href=/news>News</a></nav>\
///     <h1>Rain at last</h1><p>It rained in the harbour on Monday, for the first time since the spring, and the \
///     gardens were glad of it.</p><p>More is expected until Thursday, says the weather office.</p>\
///     <footer><a href=/about>About us</a></footer>";
/// let document = tamis::extract(html);
/// assert_eq!(document.title.as_deref(), Some("Rain at last"));
/// assert!(document.to_text(&Default::default()).contains("It rained in the harbour"));
/// ```
pub fn extract(html: &str) -> Document {
    Extractor::new().extract(html)
}

/// Extraction with other settings than the default ones.
///
/// ```
/// use tamis::{Balance, Extractor, Method};
///
/// let extractor = Extractor::new().method(Method::Correlation).balance(Balance::Recall);
/// let document = extractor.extract("<p>A long enough sentence for a method that counts characters per link.");
/// assert!(!document.is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Extractor {
    method: Method,
    balance: Balance,
    site: Site,
    limits: Limits,
    comments: bool,
    url: Option<String>,
    model: Option<Arc<Model>>,
    machine: Option<Arc<rbf::Model>>,
    fetched: Option<Moment>,
    feeds: Vec<Arc<Feed>>,
    without_facts: bool,
}

impl Extractor {
    /// The default settings.
    ///
    /// ```
    /// let document = tamis::Extractor::new().extract("<p>It rained in the harbour on Monday, and on Tuesday.");
    /// assert!(!document.is_empty());
    /// ```
    pub fn new() -> Extractor {
        Extractor::default()
    }

    /// By which method blocks are judged. Default: [`Method::default`].
    ///
    /// ```
    /// use tamis::{Extractor, Method};
    ///
    /// let page = "<p>Short, but a sentence.<p><a href=/>Home</a>";
    /// assert!(Extractor::new().method(Method::Correlation).extract(page).is_empty());
    /// assert_eq!(Extractor::new().method(Method::Lines).extract(page).content.len(), 1);
    /// ```
    #[must_use]
    pub fn method(mut self, method: Method) -> Extractor {
        self.method = method;
        self
    }

    /// With which model the method [`Method::Fused`] decides. Default: the one that comes with the library.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use tamis::{Extractor, fused::Model};
    ///
    /// // A model that has learned nothing, and says nothing of any block.
    /// let extractor = Extractor::new().model(Arc::new(Model::default()));
    /// assert!(extractor.extract("<p>It rained in the harbour on Monday, and on Tuesday.").confidence.is_some());
    /// ```
    #[must_use]
    pub fn model(mut self, model: Arc<Model>) -> Extractor {
        self.model = Some(model);
        self
    }

    /// With which machine the methods [`Method::Svm`] and [`Method::TemplateSvm`] decide. Default: the one that comes with the
    /// library.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use tamis::{Extractor, Method, methods::rbf::Model};
    ///
    /// // A machine without support vectors calls everything main text where `rho` is below 0.
    /// let model: Model = "svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 2\nrho -1\nlabel 1 0\nSV\n".parse()?;
    /// let extractor = Extractor::new().method(Method::Svm).machine(Arc::new(model));
    /// assert!(!extractor.extract("<div><a href=/>Home</a></div>").is_empty());
    /// # Ok::<(), tamis::methods::rbf::ModelError>(())
    /// ```
    #[must_use]
    pub fn machine(mut self, machine: Arc<rbf::Model>) -> Extractor {
        self.machine = Some(machine);
        self
    }

    /// Likewise, with a model of either kind, as `tamis train` wrote it.
    ///
    /// ```
    /// use tamis::{Extractor, Method, OwnModel};
    ///
    /// let all = OwnModel::read("svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 2\nrho -1\nlabel 1 0\nSV\n")?;
    /// let extractor = Extractor::new().method(Method::Svm).own_model(&all);
    /// assert!(!extractor.extract("<div><a href=/>Home</a></div>").is_empty());
    /// # Ok::<(), tamis::own_model::OwnModelError>(())
    /// ```
    #[must_use]
    pub fn own_model(self, model: &OwnModel) -> Extractor {
        match &model.kind {
            Kind::Trees(trees) => self.model(Arc::clone(trees)),
            Kind::Machine(machine) => self.machine(Arc::clone(machine)),
        }
    }

    /// What matters more where a block is doubtful. Default: what the method says.
    ///
    /// ```
    /// use tamis::{Balance, Extractor, Method};
    ///
    /// let page = "<p>A sentence, with a comma.<p>Unsaid<p>Another, with a comma.";
    /// let extractor = Extractor::new().method(Method::Lines);
    /// assert_eq!(extractor.extract(page).content.len(), 2);
    /// assert_eq!(extractor.balance(Balance::Recall).extract(page).content.len(), 3);
    /// ```
    #[must_use]
    pub fn balance(mut self, balance: Balance) -> Extractor {
        self.balance = balance;
        self
    }

    /// What is known of the site; used by the methods that [use it](Method::uses_site). Default: nothing.
    ///
    /// ```
    /// use tamis::{Extractor, Method, Page, Site};
    ///
    /// let mut site = Site::default();
    /// site.observe(&Page::parse("<p>It snowed.<p>Mail us, or call."));
    /// let extractor = Extractor::new().method(Method::Lines).site(site);
    /// let document = extractor.extract("<p>It rained, and rained.<p>Mail us, or call.");
    /// assert_eq!(document.to_text(&Default::default()), "It rained, and rained.\n");
    /// ```
    #[must_use]
    pub fn site(mut self, site: Site) -> Extractor {
        self.site = site;
        self
    }

    /// Bounds on what a page may cost. Default: [`Limits::default`].
    ///
    /// ```
    /// use tamis::Extractor;
    /// use tamis_html::{Limit, Limits};
    ///
    /// let extractor = Extractor::new().limits(Limits { bytes: 8, ..Limits::default() });
    /// let page = extractor.page("<p>one two three");
    /// assert_eq!(page.dom().limit_reached(), Some(Limit::Bytes(8)));
    /// ```
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Extractor {
        self.limits = limits;
        self
    }

    /// Should the document have what readers wrote below the text? Default: no.
    ///
    /// Off, comments are left out, whatever the method says of them; on, they stand in [`Document::comments`], those that
    /// the method dropped included. They are told apart by [`Page::comments`]. Only where the method keeps nothing but
    /// what looks like comments, that is the main text, and stands in [`Document::content`].
    ///
    /// ```
    /// use tamis::{Extractor, Options};
    ///
    /// let html = "<h1>Rain at last</h1><p>It rained in the harbour on Monday, for the first time since the spring, \
    ///     and the gardens were glad of it. More is expected until Thursday, says the weather office, and then a \
    ///     week of wind from the west.</p><div id=comments><h3>1 comment</h3><div class=comment>\
    ///     <cite>Ada</cite><p>Not a drop in our street, I am afraid.</p></div></div>";
    /// let without = Extractor::new().extract(html);
    /// assert!(without.comments.is_empty());
    /// assert!(!without.to_text(&Options::default()).contains("Not a drop"));
    /// let with = Extractor::new().comments(true).extract(html);
    /// assert_eq!(with.content, without.content);
    /// assert!(with.to_text(&Options::default()).ends_with("Not a drop in our street, I am afraid.\n"));
    /// ```
    #[must_use]
    pub fn comments(mut self, comments: bool) -> Extractor {
        self.comments = comments;
        self
    }

    /// Where the page comes from. Default: unknown.
    ///
    /// ```
    /// use tamis::{Extractor, Method, Options};
    ///
    /// let extractor = Extractor::new().method(Method::Lines).url("https://example.com/news/");
    /// let document = extractor.extract("<p>See, there is <a href=more.html>more</a>.");
    /// let options = Options { links: true, ..Options::default() };
    /// assert_eq!(document.to_text(&options), "See, there is [more](https://example.com/news/more.html).\n");
    /// ```
    #[must_use]
    pub fn url(mut self, url: impl Into<String>) -> Extractor {
        self.url = Some(url.into());
        self
    }

    /// When the page was fetched: what "3 hours ago" counts from, and what no date may lie behind. Default: unknown.
    ///
    /// ```
    /// use tamis::{Extractor, Method, facts::dates::Moment};
    ///
    /// let fetched = Moment::read("2010-12-15T12:00:00+01:00").unwrap();
    /// let extractor = Extractor::new().method(Method::Lines).fetched(fetched);
    /// let document = extractor.extract("<h1>Rain</h1><p>3 hours ago</p><p>It rained, and it poured.");
    /// assert_eq!(document.published.as_deref(), Some("2010-12-15T09:00+01:00"));
    /// ```
    #[must_use]
    pub fn fetched(mut self, fetched: Moment) -> Extractor {
        self.fetched = Some(fetched);
        self
    }

    /// A feed of the site: what it says of a page is evidence for its facts, and for its text where the feed has all of it. May be called
    /// several times; of several feeds that have the page, the one that has it by the best address counts, of these the first. Default: none.
    ///
    /// The page's entry is the one with its [address](Extractor::url), or with the one that the page gives as its own; see
    /// [`Feed::entry`]. Where there is none, the feed says nothing.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use tamis::{Extractor, feed::Feed};
    ///
    /// let feed = Feed::read(
    ///     "<feed><entry><link href='https://gazette.example/rain'/><published>2010-12-15T08:30:00+08:00</published>\
    ///      <author><name>Ada Finch</name></author></entry></feed>",
    /// )?;
    /// let extractor = Extractor::new().feed(Arc::new(feed)).url("https://gazette.example/rain");
    /// let document = extractor.extract("<h1>Rain at last</h1><p>It rained in the harbour on Monday, and on Tuesday.");
    /// assert_eq!(document.published.as_deref(), Some("2010-12-15T08:30:00+08:00"));
    /// assert_eq!(document.authors, ["Ada Finch"]);
    /// # Ok::<(), tamis::feed::FeedError>(())
    /// ```
    #[must_use]
    pub fn feed(mut self, feed: Arc<Feed>) -> Extractor {
        self.feeds.push(feed);
        self
    }

    /// Should title, time, authors and the other facts be looked for? Default: yes. Whoever wants the text alone need not pay
    /// for them. The kind of page, the confidence, the posts of a thread and the entries of a listing are there all the same, and
    /// the title is what the `title` element says.
    ///
    /// ```
    /// let html = "<title>Rain - Gazette</title><h1>Rain</h1><p>It rained in the harbour on Monday, and on Tuesday.";
    /// let (with, without) = (tamis::extract(html), tamis::Extractor::new().facts(false).extract(html));
    /// assert_eq!((with.title.as_deref(), without.title.as_deref()), (Some("Rain"), Some("Rain - Gazette")));
    /// assert_eq!(with.content, without.content);
    /// ```
    #[must_use]
    pub fn facts(mut self, facts: bool) -> Extractor {
        self.without_facts = !facts;
        self
    }

    /// What the facts of a page are chosen from.
    ///
    /// ```
    /// use tamis::{Extractor, facts::Field};
    ///
    /// let extractor = Extractor::new();
    /// let page = extractor.page("<title>Rain - Gazette</title><h1>Rain</h1><p>It rained, and it poured.");
    /// let evidence = extractor.evidence(&page, &extractor.judge(&page));
    /// let titles: Vec<_> = evidence.of(Field::Title).map(|candidate| candidate.value.as_str()).collect();
    /// assert!(titles.contains(&"Rain") && titles.contains(&"Rain - Gazette"));
    /// ```
    pub fn evidence(&self, page: &Page<'_>, judgement: &Judgement) -> Evidence {
        let middle = judgement.in_middle();
        let main_text = page.comments().main_text(&middle);
        let told = feed::told(&self.feeds, page);
        let mut evidence =
            facts::fill(page, &main_text, self.fetched, &self.site, told, &mut Document::default());
        evidence.feed = feed::note(&self.feeds, page, told.as_ref());
        evidence.sort();
        evidence
    }

    /// The document of a page.
    ///
    /// ```
    /// use tamis::{Extractor, Method};
    ///
    /// let extractor = Extractor::new().method(Method::Density);
    /// for html in ["<p>One page, of many.", "<p>Another page."] {
    ///     assert!(!extractor.extract(html).is_empty());
    /// }
    /// ```
    pub fn extract(&self, html: &str) -> Document {
        let page = self.page(html);
        let judgement = self.judge_with(&page, Reasons::LeftOut);
        self.document(&page, &judgement)
    }

    /// The page, parsed and measured.
    ///
    /// ```
    /// let extractor = tamis::Extractor::new().url("https://example.com/");
    /// let page = extractor.page("<p>One.<p>Two.");
    /// assert_eq!((page.blocks().len(), page.url()), (2, Some("https://example.com/")));
    /// ```
    pub fn page<'s>(&self, html: &'s str) -> Page<'s> {
        let page = Page::within(without_script::parse(html, self.limits), self.limits.deadline);
        match &self.url {
            Some(url) => page.with_url(url.clone()),
            None => page,
        }
    }

    /// What the method says of a page, with the dial turned.
    ///
    /// ```
    /// use tamis::{Extractor, Method};
    ///
    /// let extractor = Extractor::new().method(Method::Lines);
    /// let page = extractor.page("<p>A sentence, with a comma.<p>Menu");
    /// assert_eq!(extractor.judge(&page).kept().collect::<Vec<_>>(), [0]);
    /// ```
    pub fn judge(&self, page: &Page<'_>) -> Judgement {
        self.judge_with(page, Reasons::Given)
    }

    fn judge_with(&self, page: &Page<'_>, reasons: Reasons) -> Judgement {
        if page.is_late() {
            return Judgement::of(page.blocks().iter().map(|_| false));
        }
        match self.method {
            // Its probabilities have a dial of their own.
            Method::Fused => {
                let model = self.model.as_deref().unwrap_or_else(|| Model::shipped());
                let whole_text = feed::told(&self.feeds, page).and_then(|told| told.whole_text());
                fused::judge_told(page, &self.site, whole_text.as_deref(), model, self.balance, reasons)
            }
            method => {
                let judgement = match (method, &self.machine) {
                    (Method::Svm, Some(machine)) => svm::judge_with(page, machine),
                    (Method::TemplateSvm, Some(machine)) => {
                        template_svm::judge_with(page, &self.site, machine)
                    }
                    _ => method.judge(page, &self.site),
                };
                self.balance.apply(page, judgement)
            }
        }
    }

    /// The document of the blocks that a judgement keeps, [comments](Extractor::comments) told apart.
    ///
    /// ```
    /// use tamis::{Extractor, Judgement};
    ///
    /// let extractor = Extractor::new();
    /// let page = extractor.page("<title>Rain</title><p>One.<p>Two.");
    /// // The blocks need not come from a method.
    /// let document = extractor.document(&page, &Judgement::of([false, true]));
    /// assert_eq!(document.to_text(&Default::default()), "Two.\n");
    /// ```
    pub fn document(&self, page: &Page<'_>, judgement: &Judgement) -> Document {
        let main_text = page.comments().main_text(judgement);
        let mut document = assemble(page, &main_text);
        if page.is_late() {
            return document;
        }
        // Whoever turns the dial wants more or less text, of the same page.
        let middle = judgement.in_middle();
        let mut month_first = None;
        if !self.without_facts {
            let told = feed::told(&self.feeds, page);
            let main_text = page.comments().main_text(&middle);
            let evidence = facts::fill(page, &main_text, self.fetched, &self.site, told, &mut document);
            // Of two readings of a day, posts have that of the facts.
            let published = document.published.as_deref().and_then(Moment::read);
            let by_day = published.and_then(|day| crate::posts::order_by_day(page.posts(), day));
            month_first = Some(by_day.unwrap_or_else(|| evidence.is_month_first()));
        }
        if let Some(whole) = &judgement.whole {
            document.page_type = Some(whole.page_type.name().to_owned());
            document.page_type_probability = Some(whole.probability);
            document.confidence = Some(whole.confidence);
        }
        if may_be_thread(page, judgement) {
            let language = document.language.as_deref();
            document.posts = crate::document::posts_of(page, judgement, self.fetched, language, month_first);
        }
        if judgement.whole.is_some_and(|whole| whole.page_type == PageType::Listing) {
            document.entries = crate::document::entries_of(page, |place| middle.keeps(place));
        }
        if self.comments && page.comments().apart_from(judgement) {
            let language = document.language.as_deref();
            let dating = Dating { fetched: self.fetched, language, month_first };
            document.comments = comments_dated(page, &dating);
        }
        if self.method.prepares_text() {
            document.change_words(&|words| match arabic::prepare(words) {
                Cow::Owned(prepared) => Some(prepared),
                Cow::Borrowed(_) => None,
            });
        }
        document
    }
}

/// Are posts given, as far as the kind of page goes? What repeats on a page that is something else, names and dates in it, is no thread,
/// however unsure its kind is: one answer must not contradict the other.
fn may_be_thread(page: &Page<'_>, judgement: &Judgement) -> bool {
    judgement.whole.is_none_or(|whole| whole.page_type.is_thread())
        // A message of a mailing list says so itself.
        || (page.posts().len() == 1 && crate::posts::is_letter(page))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::Whole;

    #[test]
    fn the_dial_changed_entries() {
        let rows: String = (1..9)
            .map(|n| {
                format!("<tr><td>{n}.<td><a href=/{n}>Harbour news {n}</a><tr><td><td>{n} points by ada")
            })
            .collect();
        let html = format!("<table>{rows}</table><div><p><a href=/a>Rules</a> of the harbour</p></div>");
        let page = Page::parse(&html);
        let entries = |kept: &dyn Fn(usize) -> bool, middle: Vec<bool>| {
            let mut judgement = Judgement::of((0..page.blocks().len()).map(kept));
            judgement.whole = Some(Whole { page_type: PageType::Listing, probability: 0.9, confidence: 0.9 });
            judgement.middle = middle;
            let entries = Extractor::new().document(&page, &judgement).entries;
            entries.into_iter().map(|entry| entry.title).collect::<Vec<_>>()
        };
        let (all, few) = (|_: usize| true, |place: usize| place + 1 == page.blocks().len());
        let middle: Vec<bool> = (0..page.blocks().len()).map(all).collect();
        assert!(!entries(&all, Vec::new()).is_empty());
        assert_eq!(entries(&few, middle), entries(&all, Vec::new()));
    }

    #[test]
    fn articles_goods_and_entries_had_posts() {
        let post = |name: &str, says: &str| {
            format!("<div class=item><a href=/u/{name}>{name}</a> <i>2026-03-01 10:00</i><p>{says}</p></div>")
        };
        let posts = post("Ada", "Does anybody know when the ferry runs on Sundays?")
            + &post("Ben", "From May on, says the board at the pier.")
            + &post("Eve", "Only if there is no wind, and never in the rain.");
        let given = |page_type, probability| {
            let page = Page::parse(&posts);
            let mut judgement = Judgement::of(page.blocks().iter().map(|_| true));
            judgement.whole = Some(Whole { page_type, probability, confidence: 0.9 });
            Extractor::new().document(&page, &judgement).posts.len()
        };
        assert_eq!(given(PageType::Forum, 0.4), 3);
        assert_eq!(given(PageType::QuestionAndAnswers, 0.4), 3);
        for other in [PageType::Article, PageType::Listing, PageType::Product, PageType::Other] {
            assert_eq!((given(other, 0.4), given(other, 0.7)), (0, 0), "{other:?}");
        }
    }
}
