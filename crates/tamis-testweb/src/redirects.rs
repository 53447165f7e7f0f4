//! The redirects of `Redirects`: moved stories, chains, loops, and dead targets.

use crate::http::Reply;
use crate::kinds::Kind;
use crate::site::{Site, World};

/// A chain has this many redirects.
const CHAIN: usize = 5;

/// Links of the front page besides stories.
pub(crate) fn links() -> &'static [&'static str] {
    &["/loop/a", "/loop/self", "/away/story", "/away/denied", "/away/metadata", "/away/file", "/away/nothing"]
}

/// Answers with a redirect.
pub(crate) fn answer(world: &World, site: &Site, path: &str) -> Option<Reply> {
    let story = |id: &str| {
        let id: usize = id.parse().ok()?;
        site.stories.contains(&id).then(|| site.path(world, id).to_owned())
    };
    if let Some(id) = path.strip_prefix("/old/") {
        return Some(Reply::redirect(301, &story(id)?));
    }
    if let Some(rest) = path.strip_prefix("/hop/") {
        let (hop, id) = rest.split_once('/')?;
        let hop: usize = hop.parse().ok()?;
        let target = if hop < CHAIN { format!("/hop/{}/{id}", hop + 1) } else { story(id)? };
        return Some(Reply::redirect([301, 302, 303, 307, 308][hop % CHAIN], &target));
    }
    let first_of = |kind: Kind| {
        let other = world.sites.iter().find(|other| other.kind == kind && !other.stories.is_empty())?;
        Some(world.stories[other.stories.start].url.as_str())
    };
    let target = match path {
        "/loop/a" => "/loop/b",
        "/loop/b" => "/loop/a",
        "/loop/self" => "/loop/self",
        "/away/story" => first_of(Kind::Plain)?,
        "/away/denied" => first_of(Kind::RobotsDenied)?,
        "/away/metadata" => "http://169.254.169.254/latest/meta-data/",
        "/away/file" => "file:///etc/passwd",
        "/away/nothing" => "",
        _ => return None,
    };
    Some(Reply::redirect(302, target))
}
