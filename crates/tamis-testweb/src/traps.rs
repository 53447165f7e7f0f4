//! The traps of `Traps`: endless pages. Links to its stories also have a new session id every time.

use std::fmt::Write;

use crate::http::{Reply, Request};
use crate::kinds::Kind;
use crate::pages;
use crate::site::{Site, World};

/// Entry points of the traps.
pub(crate) fn links() -> &'static [&'static str] {
    &["/calendar/2025/1/", "/browse?sort=date", "/deep/er/"]
}

/// Whether a path belongs to a trap.
pub(crate) fn is_trap(kind: Kind, path: &str) -> bool {
    kind == Kind::Traps && ["/calendar/", "/browse", "/deep/"].iter().any(|trap| path.starts_with(trap))
}

/// Answers with a page of a trap.
pub(crate) fn answer(world: &World, site: &Site, request: &Request) -> Option<Reply> {
    let path = request.path.as_str();
    if let Some(date) = path.strip_prefix("/calendar/") {
        return calendar(site, date);
    }
    if path == "/browse" {
        return Some(browse(world, site, &request.target()));
    }
    if path.starts_with("/deep/") {
        return Some(deep(world, site, path));
    }
    None
}

/// A folder that contains the same folders.
fn deep(world: &World, site: &Site, path: &str) -> Reply {
    let mut content = "<ul class=\"folders\">".to_owned();
    for folder in ["deep/er/", "deep/est/", "er/"] {
        write!(content, "<li><a href=\"{path}{folder}\">{folder}</a></li>").unwrap();
    }
    content.push_str("</ul>\n");
    site.stories.clone().skip(10).take(10).for_each(|id| pages::teaser(world, site, id, &mut content));
    Reply::html(pages::framed(site, "Archive", &content))
}

/// A month with a link for every day, and links to the months around it.
fn calendar(site: &Site, date: &str) -> Option<Reply> {
    let mut parts = date.trim_end_matches('/').split('/');
    let year: u32 = parts.next()?.parse().ok()?;
    let month: u32 = parts.next()?.parse().ok().filter(|month| (1..=12).contains(month))?;
    let (previous, next) = match month {
        1 => ((year.checked_sub(1)?, 12), (year, 2)),
        12 => ((year, 11), (year.checked_add(1)?, 1)),
        _ => ((year, month - 1), (year, month + 1)),
    };
    let mut content = "<table class=\"calendar\"><tr>".to_owned();
    for day in 1..=28 {
        write!(content, "<td><a href=\"/calendar/{year}/{month}/{day}/\">{day}</a></td>").unwrap();
        if day % 7 == 0 {
            content.push_str("</tr><tr>");
        }
    }
    content.push_str("</tr></table>");
    for (year, month) in [previous, next] {
        write!(content, " <a href=\"/calendar/{year}/{month}/\">{year}-{month:02}</a>").unwrap();
    }
    Some(Reply::html(pages::framed(site, &format!("Calendar {year}-{month:02}"), &content)))
}

/// The same listing under every combination of parameters, each with links to more combinations.
fn browse(world: &World, site: &Site, target: &str) -> Reply {
    let mut content = "<ul class=\"filters\">".to_owned();
    for filter in ["sort=title", "sort=date", "view=compact", "colour=red", "from=2", "size=50"] {
        write!(content, "<li><a href=\"{target}&amp;{filter}\">{filter}</a></li>").unwrap();
    }
    content.push_str("</ul>\n");
    site.stories.clone().take(10).for_each(|id| pages::teaser(world, site, id, &mut content));
    Reply::html(pages::framed(site, "Browse", &content))
}
