//! The robots.txt of every kind, and what each allows.
//!
//! [`allows`] implements the meaning of the rules in plain code, since a second robots.txt parser might share the
//! mistakes of the one under test.

use crate::http::{Body, Reply};
use crate::kinds::Kind;
use crate::site::{Site, World};

/// Rules beyond this many bytes must not count.
const MAX_ROBOTS_BYTES: usize = 500 * 1024;

/// Where the robots.txt of `RobotsMoved` is.
pub(crate) const MOVED_PATH: &str = "/policy/robots";

/// Answers a request for robots.txt.
pub(crate) fn answer(world: &World, site: &Site) -> Reply {
    let base = &site.base;
    let text = match site.kind {
        Kind::RobotsMissing => return Reply::error(404),
        Kind::RobotsForbidden => return Reply::error(403),
        Kind::RobotsBroken => return Reply::error(500),
        Kind::RobotsHangs => {
            return Reply { body: Body::Silence, delay: world.settings.hang, ..Reply::error(500) };
        }
        Kind::RobotsMoved => return Reply::redirect(301, MOVED_PATH),
        Kind::RobotsDenied => "User-agent: *\nDisallow: /\n".to_owned(),
        Kind::RobotsRules => format!(
            "# Everyone else stays out.\nUser-agent: *\nDisallow: /\n\nUser-agent: otherbot\n\
             user-agent: {}\nDisallow: /sport/\nAllow: /sport/*-final-\nAllow: /sport/$\nAllow: /sport/page/\n\
             Disallow: /*/draft- # not yet\nDisallow: /*.php$\nDisallow: /internal\n",
            world.settings.agent
        ),
        Kind::CrawlDelay => {
            format!("User-agent: *\nCrawl-delay: {}\n", world.settings.crawl_delay.as_secs_f64())
        }
        Kind::RobotsHuge => huge(),
        Kind::Sitemap => format!("User-agent: *\nDisallow:\n\nSitemap: {base}/sitemap-index.xml\n"),
        Kind::Hostile => format!(
            "\u{feff}User-agent: *\nDisallow: /nowhere/\nSitemap: {base}/odd/broken-sitemap.xml\n\
             Sitemap: {base}/odd/huge-sitemap.xml\nnonsense\n: :\n"
        ),
        _ => "User-agent: *\nDisallow:\n".to_owned(),
    };
    Reply::text("text/plain; charset=utf-8", text)
}

/// The target of the redirect of `RobotsMoved`.
pub(crate) fn moved() -> Reply {
    Reply::text("text/plain", "User-agent: *\nDisallow: /sport/\n".to_owned())
}

fn huge() -> String {
    let mut text = "User-agent: *\nDisallow: /sport/\n".to_owned();
    while text.len() < MAX_ROBOTS_BYTES + 1_000 {
        text.push_str("# This line is a comment and only takes up room.\n");
    }
    text.push_str("User-agent: *\nDisallow: /business/\n");
    while text.len() < 1024 * 1024 {
        text.push_str("# So is this one, in the part that nobody has to read.\n");
    }
    text
}

/// Whether the rules of a kind allow a path, which may have a query.
pub(crate) fn allows(kind: Kind, path: &str) -> bool {
    if path == "/robots.txt" {
        return true;
    }
    match kind {
        Kind::RobotsBroken | Kind::RobotsHangs | Kind::RobotsDenied => false,
        Kind::RobotsRules => {
            let is_open_sport =
                path == "/sport/" || path.starts_with("/sport/page/") || path.contains("-final-");
            let is_closed = (path.starts_with("/sport/") && !is_open_sport)
                || path.contains("/draft-")
                || path.ends_with(".php")
                || path.starts_with("/internal");
            !is_closed
        }
        Kind::RobotsHuge | Kind::RobotsMoved => !path.starts_with("/sport/"),
        Kind::Hostile => !path.starts_with("/nowhere/"),
        _ => true,
    }
}
