//! One host and its pages.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use crate::http::{Reply, Request};
use crate::kinds::Kind;
use crate::pages::{Form, Furniture};
use crate::story::{SECTIONS, Settings, Story};
use crate::words::Language;
use crate::{date, discovery, hostile, pages, redirects, robots, traps};

/// `Limited` answers this many requests in a second.
const MAX_PER_SECOND: usize = 10;
/// The request to `Limited` that gets 503.
const OVERLOADED_AT: usize = 17;

/// State shared by the servers, apart from sockets and log.
pub(crate) struct World {
    pub(crate) settings: Settings,
    pub(crate) languages: Vec<Language>,
    pub(crate) stories: Vec<Story>,
    pub(crate) sites: Vec<Site>,
    /// Whether the second revisions are published.
    pub(crate) revised: AtomicBool,
}

/// A host.
pub(crate) struct Site {
    pub(crate) kind: Kind,
    /// `http://127.0.0.N:PORT`
    pub(crate) base: String,
    /// Index of the host whose stories it serves; its own unless it is a mirror.
    pub(crate) source: usize,
    /// Its stories, as a range of [`World::stories`].
    pub(crate) stories: Range<usize>,
    pub(crate) furniture: Furniture,
    pub(crate) memory: Mutex<Memory>,
    /// Counter for session ids.
    pub(crate) sessions: AtomicU64,
}

/// The state of a host.
#[derive(Default)]
pub(crate) struct Memory {
    /// Requests per story.
    visits: HashMap<usize, u32>,
    recent: VecDeque<Instant>,
    requests: usize,
}

impl Site {
    /// Answers a request.
    pub(crate) fn answer(&self, world: &World, request: &Request) -> Reply {
        if self.kind == Kind::Limited
            && let Some(refusal) = self.refuse()
        {
            return refusal;
        }
        let mut reply = match request.path.as_str() {
            "/robots.txt" => robots::answer(world, self),
            robots::MOVED_PATH if self.kind == Kind::RobotsMoved => robots::moved(),
            _ => self.page(world, request),
        };
        if self.kind == Kind::Slow {
            reply.delay = world.settings.slowness;
        }
        if self.kind == Kind::Traps {
            reply.modified = None;
        }
        reply.validated(request)
    }

    fn page(&self, world: &World, request: &Request) -> Reply {
        let special = match self.kind {
            Kind::Rss | Kind::Atom | Kind::JsonFeed | Kind::Sitemap => {
                discovery::answer(world, self, &request.path)
            }
            Kind::Redirects => redirects::answer(world, self, &request.path),
            Kind::Traps => traps::answer(world, self, request),
            Kind::Hostile => hostile::answer(world, self, &request.path),
            _ => None,
        };
        special
            .or_else(|| self.listing(world, &request.path))
            .or_else(|| self.copy(world, &request.path))
            .or_else(|| self.story(world, request))
            .unwrap_or_else(|| Reply::error(404))
    }

    fn listing(&self, world: &World, path: &str) -> Option<Reply> {
        let (section, page) = if path == "/" {
            (None, 1)
        } else {
            let mut parts = path.strip_prefix('/')?.strip_suffix('/')?.split('/');
            let name = parts.next()?;
            let section = SECTIONS.iter().position(|section| *section == name)?;
            let page = match (parts.next(), parts.next(), parts.next()) {
                (None, ..) => 1,
                (Some("page"), Some(number), None) => number.parse().ok()?,
                _ => return None,
            };
            (Some(section), page)
        };
        let text = pages::listing(world, self, section, page)?;
        Some(Reply { modified: Some(world.stories.get(self.stories.start)?.time), ..Reply::html(text) })
    }

    /// AMP and print copies, and pages of comments.
    fn copy(&self, world: &World, path: &str) -> Option<Reply> {
        let (form, name) = path.strip_prefix('/')?.split_once('/')?;
        let id: usize = name.strip_suffix(".html")?.rsplit('-').next()?.parse().ok()?;
        let story = world.stories.get(id).filter(|_| self.stories.contains(&id))?;
        let text = match form {
            "amp" if self.kind == Kind::Copies => pages::story(world, self, id, Form::Amp, 0),
            "print" if self.kind == Kind::Copies => pages::story(world, self, id, Form::Print, 0),
            "comments" if story.comment_page.is_some() => pages::comment_page(world, self, id),
            _ => return None,
        };
        Some(Reply { modified: Some(story.time), ..Reply::html(text) })
    }

    fn story(&self, world: &World, request: &Request) -> Option<Reply> {
        let id: usize = request.path.strip_suffix(".html")?.rsplit(['-', '/']).next()?.parse().ok()?;
        let story = world.stories.get(id).filter(|_| self.stories.contains(&id))?;
        if story.url.strip_prefix(&world.sites[self.source].base)? != request.path {
            return None;
        }
        let part = request.parameter("page").map_or(Ok(1), str::parse).ok()?;
        if !(1..=story.parts).contains(&part) {
            return None;
        }
        let visits = {
            let mut memory = self.memory.lock().unwrap();
            let visits = memory.visits.entry(id).or_default();
            *visits += 1;
            *visits - 1
        };
        if self.kind == Kind::Failing && visits == 0 {
            return Some(Reply::error(500));
        }
        let is_revised = story.update.is_some()
            && (world.revised.load(Ordering::Relaxed) || (world.settings.change_on_refetch && visits > 0));
        let text = pages::story(world, self, id, Form::Part(part), usize::from(is_revised));
        let modified = story.time + 3_600 * u64::from(is_revised);
        let reply = Reply { modified: Some(modified), ..Reply::html(text) };
        Some(match story.noindex && (id - self.stories.start) % 10 == 8 {
            true => reply.with("X-Robots-Tag", "noindex"),
            false => reply,
        })
    }

    /// The refusals of `Limited`.
    fn refuse(&self) -> Option<Reply> {
        let mut memory = self.memory.lock().unwrap();
        let now = Instant::now();
        memory.requests += 1;
        if memory.requests == OVERLOADED_AT {
            let wall = SystemTime::UNIX_EPOCH.elapsed().unwrap();
            let until = wall.as_secs() + 2;
            let wait = Duration::from_secs(until).saturating_sub(wall);
            let reply = Reply { retry_after: Some(wait), ..Reply::error(503) };
            return Some(reply.with("Retry-After", &date::http(until)));
        }
        while memory.recent.front().is_some_and(|time| now - *time >= Duration::from_secs(1)) {
            memory.recent.pop_front();
        }
        if memory.recent.len() < MAX_PER_SECOND {
            memory.recent.push_back(now);
            return None;
        }
        let reply = Reply { retry_after: Some(Duration::from_secs(1)), ..Reply::error(429) };
        Some(reply.with("Retry-After", "1"))
    }

    /// The path of a story on this host.
    pub(crate) fn path<'a>(&self, world: &'a World, id: usize) -> &'a str {
        &world.stories[id].url[world.sites[self.source].base.len()..]
    }

    /// How listings link to a story.
    pub(crate) fn link(&self, world: &World, id: usize) -> String {
        let path = self.path(world, id);
        let rank = id - self.stories.start;
        match self.kind {
            Kind::Redirects if rank % 3 == 1 => format!("/old/{id}"),
            Kind::Redirects if rank % 3 == 2 => format!("/hop/1/{id}"),
            Kind::Copies if rank % 4 == 1 => format!("/amp/{id}.html"),
            Kind::Copies if rank % 4 == 2 => format!("/print/{id}.html"),
            Kind::Traps => {
                let session = self.sessions.fetch_add(1, Ordering::Relaxed);
                format!("{path}?sid={:016x}", session.wrapping_mul(0x9E37_79B9_7F4A_7C15))
            }
            _ => path.to_owned(),
        }
    }

    /// The language of the host.
    pub(crate) fn language<'a>(&self, world: &'a World) -> &'a Language {
        &world.languages[self.kind.language()]
    }
}
