//! Interprets a response: a story, links to follow, a feed, a redirect, a failure.
//!
//! Pages are handled by page type: links of listings are followed, stories are stored. Pages announced by a feed or a
//! news sitemap are always stories; front pages and seeds never are.

use std::sync::{Arc, RwLock};
use std::time::{Duration, SystemTime};

use tamis::page::Page;
use tamis_corpus::{CommentDraft, Draft, Engine, PageInput, RawDraft, RawRole};
use tamis_feeds::{Entry, Feed};
use tamis_fetch::Response;
use tamis_site::{Known, PageRecord, SiteKey};
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

use crate::frontier::{Due, Found, Kind};
use crate::links::{self, PageLinks};
use crate::next_part;
use crate::plan::{Plan, Validators, Verdict};
use crate::scope::{Decision, Scope};
use crate::settings::{AGENT, Settings};
use crate::{feed, sitemap, urls};

/// A page with this many links into its own folder is an index, whatever its page type.
const INDEX_LINKS: usize = 5;
/// Longest chain of redirects.
const MAX_REDIRECTS: u32 = 10;
/// A `meta refresh` counts as a redirect up to this delay.
const REFRESH: Duration = Duration::from_secs(5);
/// Pause after 429 or 503 without `Retry-After`.
const OVERLOADED: Duration = Duration::from_secs(60);

/// What the interpretation of a page needs besides the page.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) settings: Arc<Settings>,
    pub(crate) scope: Arc<RwLock<Scope>>,
    pub(crate) engine: Engine,
    /// The memory of the page's site, once it has enough pages.
    pub(crate) site: Option<Arc<Known>>,
    /// Feeds of the host.
    pub(crate) feeds: Vec<Arc<Feed>>,
    /// Store the page itself.
    pub(crate) keep_raw: bool,
    /// The page would become part of the site memory's sample.
    pub(crate) observe: bool,
}

/// An interpreted response.
pub(crate) struct Interpreted {
    pub(crate) plan: Plan,
    /// A feed that was read.
    pub(crate) feed: Option<Arc<Feed>>,
    /// The target of a seed's redirect, whose site joins the collection.
    pub(crate) new_seed: Option<Url>,
}

/// Interprets the response to a request for `due`.
pub(crate) fn response(context: &Context, due: Due, url: &Url, response: &Response, now: i64) -> Interpreted {
    let status = response.status;
    let plan = |verdict| Plan::new(due.clone(), Some(status), verdict);
    let simple = |verdict| Interpreted { plan: plan(verdict), feed: None, new_seed: None };
    match status {
        304 => simple(Verdict::Unchanged),
        301 | 302 | 303 | 307 | 308 => match response.location() {
            Some(location) => redirect(context, due, url, &location, status),
            None => simple(Verdict::Failed {
                reason: format!("status {status} without a usable Location"),
                retry: false,
                host: false,
            }),
        },
        200 | 203 => body(context, due, url, response, now),
        404 | 410 => simple(Verdict::Gone),
        429 | 503 => {
            let wait = response.retry_after(SystemTime::now()).unwrap_or_default();
            let reason = match wait.as_secs() {
                0 => format!("status {status}"),
                seconds => format!("status {status}, Retry-After {seconds} s"),
            };
            let wait = if wait.is_zero() { OVERLOADED.min(context.settings.retry * 2) } else { wait };
            simple(Verdict::HeldBack { reason, until: now + crate::limiter::millis(wait) })
        }
        408 | 425 | 500..=599 => {
            simple(Verdict::Failed { reason: format!("status {status}"), retry: true, host: false })
        }
        _ => simple(Verdict::Refused {
            reason: format!("refused by the server: status {status}"),
            until: None,
        }),
    }
}

fn redirect(context: &Context, due: Due, url: &Url, location: &Url, status: u16) -> Interpreted {
    let permanent = matches!(status, 301 | 308);
    let target = urls::resolve(location.as_str(), url);
    let shown = target.as_ref().map_or_else(|| shown(location), Url::to_string);
    let mut new_seed = None;
    let refused = match &target {
        None => Some("not a web address".to_owned()),
        Some(target) if target == url => Some("it leads to itself".to_owned()),
        Some(_) if due.redirects >= MAX_REDIRECTS => Some(format!("more than {MAX_REDIRECTS} redirects")),
        Some(target) => match admits(context, target, due.kind) {
            Err(Decision::OutOfScope) if due.is_seed() => {
                new_seed = Some(target.clone());
                None
            }
            Err(decision) => Some(reason(&decision)),
            Ok(()) => None,
        },
    };
    let found = target.filter(|_| refused.is_none()).map(|target| Found {
        url: target.to_string(),
        host: urls::host_key(&target),
        kind: due.kind,
        depth: due.depth,
        redirects: due.redirects + 1,
        story_id: due.story_id,
        part: due.part,
        changed: None,
    });
    let mut plan = Plan::new(due, Some(status), Verdict::Redirect { to: shown, permanent, refused });
    plan.found = found.into_iter().collect();
    Interpreted { plan, feed: None, new_seed }
}

fn body(context: &Context, due: Due, url: &Url, response: &Response, now: i64) -> Interpreted {
    let digest = xxh3_64(&response.body) as i64;
    let validators = Validators {
        etag: response.etag().map(str::to_owned),
        last_modified: response.last_modified().map(str::to_owned),
        digest: Some(digest),
    };
    let mut interpreted = if due.digest == Some(digest) && due.fetched.is_some() {
        let plan = Plan::new(due, Some(response.status), Verdict::Unchanged);
        Interpreted { plan, feed: None, new_seed: None }
    } else {
        match due.kind {
            Kind::Feed => feed_entries(context, due, url, response),
            Kind::Sitemap => sitemap_entries(context, due, url, response),
            Kind::Seed => seed(context, due, url, response, now),
            _ => page(context, due, url, response, now),
        }
    };
    interpreted.plan.validators = Some(validators);
    interpreted
}

/// Tells by its content whether a seed is a feed, a sitemap or a page.
fn seed(context: &Context, due: Due, url: &Url, response: &Response, now: i64) -> Interpreted {
    let start = response.body.trim_ascii_start();
    let packed = start.starts_with(b"\x1F\x8B");
    let xml = [b"<?xml".as_slice(), b"<rss", b"<feed", b"<rdf", b"<RDF", b"<urlset", b"<sitemapindex", b"{"]
        .iter()
        .any(|tag| start.starts_with(tag) || start.starts_with(b"\xEF\xBB\xBF"));
    let listed = url.path().ends_with(".txt") && start.starts_with(b"http");
    if packed || xml || listed {
        if feed::parse(&response.body, response.content_type(), url).is_ok() {
            return feed_entries(context, due, url, response);
        }
        if sitemap::parse(&response.body, url, sitemap::Limits::default()).is_ok() {
            return sitemap_entries(context, due, url, response);
        }
    }
    page(context, due, url, response, now)
}

fn feed_entries(context: &Context, due: Due, url: &Url, response: &Response) -> Interpreted {
    let status = Some(response.status);
    let read = match feed::parse(&response.body, response.content_type(), url) {
        Ok(read) => read,
        Err(error) => {
            let verdict = Verdict::Failed { reason: error.to_string(), retry: false, host: false };
            return Interpreted { plan: Plan::new(due, status, verdict), feed: None, new_seed: None };
        }
    };
    let entries = read.items.len();
    let anywhere = due.depth == 0;
    let found = read.items.iter().filter_map(|item| {
        let changed = item.updated.or(item.published);
        found(context, &item.url, Kind::Story, due.depth + 1, anywhere, changed)
    });
    let found = found.collect();
    let mut plan = Plan::new(due, status, Verdict::List { what: "feed", entries, damage: None });
    plan.found = found;
    plan.kind = Some(Kind::Feed);
    Interpreted { plan, feed: Some(read.feed), new_seed: None }
}

fn sitemap_entries(context: &Context, due: Due, url: &Url, response: &Response) -> Interpreted {
    let status = Some(response.status);
    let read = match sitemap::parse(&response.body, url, sitemap::Limits::default()) {
        Ok(read) => read,
        Err(error) => {
            let verdict = Verdict::Failed { reason: error.to_string(), retry: false, host: false };
            return Interpreted { plan: Plan::new(due, status, verdict), feed: None, new_seed: None };
        }
    };
    let entries = read.entries.len();
    let found = read.entries.iter().filter_map(|entry| {
        let url = urls::parse(&entry.url)?;
        let kind = match read.kind {
            sitemap::SitemapKind::Index => Kind::Sitemap,
            sitemap::SitemapKind::Pages if entry.news.is_some() => Kind::Story,
            sitemap::SitemapKind::Pages => Kind::Page,
        };
        // Pages of a sitemap have no link depth of their own; they count as linked from a front page.
        found(context, &url, kind, due.depth.min(1) + 1, false, entry.modified)
    });
    let found = found.collect();
    let cut = read.truncated || response.truncated;
    let damage = read.damaged.filter(|_| !response.truncated).map(|damage| format!("damaged: {damage}"));
    let damage = damage.or_else(|| cut.then(|| "read up to the limit only".to_owned()));
    let mut plan = Plan::new(due, status, Verdict::List { what: "sitemap", entries, damage });
    plan.found = found;
    plan.kind = Some(Kind::Sitemap);
    Interpreted { plan, feed: None, new_seed: None }
}

/// What is collected from a page while it is parsed.
struct Seen {
    links: PageLinks,
    record: Option<PageRecord>,
    posts: Vec<CommentDraft>,
    next: Option<Url>,
}

fn page(context: &Context, due: Due, url: &Url, response: &Response, now: i64) -> Interpreted {
    let status = Some(response.status);
    let simple =
        |due, verdict| Interpreted { plan: Plan::new(due, status, verdict), feed: None, new_seed: None };
    if response.skipped {
        let what = response.content_type().unwrap_or("an unknown type").to_owned();
        return simple(due, Verdict::Skipped { reason: format!("not a web page but {what}") });
    }
    let input = PageInput { body: &response.body, url, content_type: response.content_type(), fetched: now };
    let hints = context.feeds.iter().find_map(|feed| feed.entry_for(url.as_str(), None)).map(Entry::hints);
    let look = |page: &Page<'_>, document: &tamis::Document| Seen {
        links: links::of_page(page, url, context.settings.max_links),
        record: context.observe.then(|| PageRecord::of(page, Some(url.as_str()))),
        posts: if due.kind == Kind::Comments { posts(document) } else { Vec::new() },
        next: document
            .metadata
            .next_page
            .as_deref()
            .and_then(|next| urls::resolve(next, url))
            .or_else(|| next_part::next_link(page, url)),
    };
    let (mut draft, seen) =
        match context.engine.extract(&input, context.site.as_deref(), hints.as_ref(), look) {
            Ok(extracted) => extracted,
            Err(error) => {
                return simple(due, Verdict::Skipped { reason: error.to_string() });
            }
        };
    if let Some(refresh) = seen.links.refresh.as_ref().filter(|refresh| refresh.after <= REFRESH)
        && draft.text.split_whitespace().nth(50).is_none()
    {
        return redirect(context, due, url, &refresh.url, 302);
    }
    add_server_directives(&mut draft, response);
    if due.kind == Kind::Comments && draft.comments.is_empty() {
        draft.comments = seen.posts;
    }
    let record = seen.record.and_then(|record| Some((SiteKey::from_url(url.as_str())?, record)));
    let page_type = draft.page_type.clone().unwrap_or_default();
    let is_front = url.path() == "/" && url.query().is_none();
    let is_story = match due.kind {
        Kind::Part | Kind::Comments | Kind::Story => true,
        Kind::Seed if is_front => false,
        _ => !is_front && !next_part::is_numbered(url) && draft.is_story() && !is_index(url, &seen.links),
    };
    let has_text = !draft.text.trim().is_empty() || due.kind == Kind::Comments;
    let verdict = if is_story && has_text {
        content(context, &due, url, draft, seen.next.as_ref(), response, now)
    } else if matches!(due.kind, Kind::Part | Kind::Comments | Kind::Story) {
        Verdict::Skipped { reason: "no text".to_owned() }
    } else {
        Verdict::Listing { page_type }
    };
    // Links of stories are not followed, since listings have them too. Links of seeds always are.
    let follow = (matches!(verdict, Verdict::Listing { .. }) || due.kind == Kind::Seed)
        && !seen.links.nofollow
        && !forbids_following(response);
    let mut found =
        if follow { follow_links(context, &due, &seen.links, seen.next.as_ref()) } else { Vec::new() };
    found.extend(original(context, &due, url, &verdict));
    let mut plan = Plan::new(due, status, verdict);
    plan.found = found;
    plan.record = record;
    Interpreted { plan, feed: None, new_seed: None }
}

fn content(
    context: &Context,
    due: &Due,
    url: &Url,
    mut draft: Draft,
    next: Option<&Url>,
    response: &Response,
    now: i64,
) -> Verdict {
    if !context.settings.wants_language(draft.language.as_deref()) {
        let language = draft.language.unwrap_or_default();
        return Verdict::Skipped { reason: format!("in another language ({language})") };
    }
    draft.identity = identity(context, &draft, url);
    let part = due.part.unwrap_or(1);
    let next_part = next
        .filter(|next| due.kind != Kind::Comments && next_part::is_next_part(url, next))
        .filter(|next| part < context.settings.max_parts && urls::host_key(next) == urls::host_key(url))
        .and_then(|next| found(context, next, Kind::Part, due.depth + 1, false, None))
        .map(|found| Found { part: Some(part + 1), ..found });
    let comments_page = draft
        .comments_page
        .as_deref()
        .filter(|_| due.kind != Kind::Comments)
        .and_then(|page| urls::resolve(page, url))
        .filter(|page| page != url)
        .and_then(|page| found(context, &page, Kind::Comments, due.depth + 1, false, None));
    let raw = context.keep_raw.then(|| RawDraft {
        url: draft.url.clone(),
        role: match due.kind {
            Kind::Part => RawRole::Part,
            Kind::Comments => RawRole::Comments,
            _ => RawRole::Story,
        },
        part,
        fetched: now,
        content_type: response.content_type().map(str::to_owned),
        body: tamis_corpus::compress(&response.body),
    });
    Verdict::Content { draft: Box::new(draft), raw, next_part, comments_page }
}

/// Whether a page is the index of its folder: `/sport/` with many links to `/sport/2026/…`. The classifier may take
/// teasers for an article, especially in languages without spaces; URLs do not mislead.
fn is_index(url: &Url, links: &PageLinks) -> bool {
    let folder = url.path();
    let below = |link: &&links::Link| {
        link.url.host_str() == url.host_str()
            && link.url.path().strip_prefix(folder).is_some_and(|rest| rest.len() > 1)
    };
    folder.ends_with('/') && links.links.iter().filter(below).take(INDEX_LINKS).count() == INDEX_LINKS
}

/// The URL that identifies the story: the canonical one if it is credible, or the original of an AMP or print copy.
fn identity(context: &Context, draft: &Draft, url: &Url) -> String {
    let canonical = draft.canonical.as_deref().and_then(|canonical| urls::resolve(canonical, url));
    // Careless sites declare their front page as canonical on every page.
    let canonical = canonical.filter(|it| it.path() != "/" || it.query().is_some());
    let canonical = canonical.filter(|canonical| admits(context, canonical, Kind::Page).is_ok());
    canonical.or_else(|| urls::folded(url)).map_or_else(|| url.to_string(), |identity| identity.to_string())
}

/// The page that a stored AMP or print copy declares as its original, which has a better text.
fn original(context: &Context, due: &Due, url: &Url, verdict: &Verdict) -> Option<Found> {
    let Verdict::Content { draft, .. } = verdict else { return None };
    let original = urls::parse(&draft.identity).filter(|original| original != url)?;
    matches!(due.kind, Kind::Seed | Kind::Page | Kind::Story)
        .then(|| found(context, &original, Kind::Page, due.depth, false, None))
        .flatten()
}

fn follow_links(context: &Context, due: &Due, links: &PageLinks, next: Option<&Url>) -> Vec<Found> {
    let mut all = Vec::new();
    if due.depth == 0 {
        all.extend(links.feeds.iter().filter_map(|feed| found(context, feed, Kind::Feed, 1, false, None)));
    }
    // The next page of a listing is as far from the seed as the listing.
    all.extend(next.and_then(|next| found(context, next, Kind::Page, due.depth, false, None)));
    if due.depth < context.settings.depth {
        let links = links.links.iter().filter(|link| !link.nofollow && !feed::is_media(&link.url));
        all.extend(
            links.filter_map(|link| found(context, &link.url, Kind::Page, due.depth + 1, false, None)),
        );
    }
    all
}

/// A URL to be added to the frontier, if it is in scope. AMP and print copies become their original.
fn found(
    context: &Context,
    url: &Url,
    kind: Kind,
    depth: u32,
    anywhere: bool,
    changed: Option<i64>,
) -> Option<Found> {
    let original = if matches!(kind, Kind::Page | Kind::Story) { urls::folded(url) } else { None };
    let url = original.as_ref().unwrap_or(url);
    match admits(context, url, Kind::Page) {
        Ok(()) => {}
        Err(Decision::OutOfScope) if anywhere => {}
        Err(_) => return None,
    }
    if urls::is_trap_shaped(url).is_some() {
        return None;
    }
    Some(Found {
        url: url.to_string(),
        host: urls::host_key(url),
        kind,
        depth,
        redirects: 0,
        story_id: None,
        part: None,
        changed,
    })
}

/// Whether a URL is in scope. Stories announced by a feed may be on any site.
pub(crate) fn admits(context: &Context, url: &Url, kind: Kind) -> Result<(), Decision> {
    let scope = context.scope.read().unwrap_or_else(std::sync::PoisonError::into_inner);
    match scope.decide(url) {
        Decision::InScope => Ok(()),
        Decision::OutOfScope if kind == Kind::Story => Ok(()),
        decision => Err(decision),
    }
}

/// Why a URL is not fetched.
pub(crate) fn reason(decision: &Decision) -> String {
    match decision {
        Decision::InScope => "in scope".to_owned(),
        Decision::OutOfScope => "outside of the collected sites".to_owned(),
        Decision::Excluded(pattern) => format!("excluded by the pattern {pattern}"),
        Decision::NotIncluded => "matches no include pattern".to_owned(),
    }
}

/// Whether `X-Robots-Tag` has `nofollow`, for all agents or for ours.
fn forbids_following(response: &Response) -> bool {
    response.robots_tags().any(|tag| {
        let tag = tag.to_ascii_lowercase();
        let rules = match tag.split_once(':') {
            Some((agent, rules)) if agent.trim() == AGENT => rules,
            Some(_) => return false,
            None => tag.as_str(),
        };
        rules.split(',').any(|rule| matches!(rule.trim(), "nofollow" | "none"))
    })
}

/// Records the directives of `X-Robots-Tag` beside those of the page.
fn add_server_directives(draft: &mut Draft, response: &Response) {
    let tags: Vec<String> = response.robots_tags().take(8).map(|tag| tag.trim().to_lowercase()).collect();
    if !tags.is_empty() {
        let all = draft.robots.take().into_iter().chain(tags);
        draft.robots = Some(all.collect::<Vec<_>>().join(", "));
    }
}

/// The posts of a thread as comments. An unsigned first post is the beginning of the story.
fn posts(document: &tamis::Document) -> Vec<CommentDraft> {
    let is_story = document.posts.first().is_some_and(|post| post.author.is_none());
    let posts = document.posts.iter().skip(usize::from(is_story)).map(|post| CommentDraft {
        author: post.author.clone(),
        time: post.time.clone(),
        text: post.own_text.clone().unwrap_or_else(|| post.text.clone()),
        reply_to: None,
    });
    posts.filter(|post| !post.text.trim().is_empty()).collect()
}

/// A URL that cannot be fetched, for messages: truncated, without credentials.
fn shown(url: &Url) -> String {
    let mut shown = tamis_fetch::without_credentials(url).to_string();
    if shown.len() > 200 {
        let end = (0..=200).rev().find(|end| shown.is_char_boundary(*end)).unwrap_or(0);
        shown.truncate(end);
        shown.push('…');
    }
    shown
}
