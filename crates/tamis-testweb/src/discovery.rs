//! Feeds and sitemaps: the only complete lists on the hosts that have them.
//!
//! Links in feeds carry tracking parameters, and those of the Atom feed are relative.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::{Compression, write::GzEncoder};

use crate::date;
use crate::http::Reply;
use crate::kinds::Kind;
use crate::pages::render_entry;
use crate::site::{Site, World};
use crate::words::render;

/// Most URLs per sitemap.
const MAX_PER_SITEMAP: usize = 10_000;

/// Templates of the part before the entries, an entry, and the part after.
type Templates = [&'static str; 3];

const RSS: Templates =
    [include_str!("../data/rss-head.xml"), include_str!("../data/rss-item.xml"), "</channel></rss>\n"];
const ATOM: Templates =
    [include_str!("../data/atom-head.xml"), include_str!("../data/atom-entry.xml"), "</feed>\n"];
const JSON: Templates =
    [include_str!("../data/feed-head.json"), include_str!("../data/feed-item.json"), "]}\n"];
const SITEMAP: Templates =
    [include_str!("../data/sitemap-head.xml"), include_str!("../data/sitemap-url.xml"), "</urlset>\n"];
const NEWS_SITEMAP: Templates =
    [include_str!("../data/sitemap-head.xml"), include_str!("../data/news-sitemap-url.xml"), "</urlset>\n"];

/// Answers requests for feeds and sitemaps.
pub(crate) fn answer(world: &World, site: &Site, path: &str) -> Option<Reply> {
    let newest = world.stories.get(site.stories.start).map_or(0, |story| story.time);
    let list = |ids: &mut dyn Iterator<Item = usize>, [head, entry, tail]: Templates| {
        let mut out = String::new();
        render(head, &[("base", &site.base), ("time", &date::iso(newest))], &mut out);
        ids.for_each(|id| render_entry(world, site, id, entry, &mut out));
        out + tail
    };
    if let Some((_, media_type)) = site.kind.feed().filter(|(feed, _)| *feed == path) {
        let templates = match site.kind {
            Kind::Rss => RSS,
            Kind::Atom => ATOM,
            _ => JSON,
        };
        let text = list(&mut site.stories.clone(), templates);
        return Some(Reply { modified: Some(newest), ..Reply::text(media_type, text) });
    }
    if site.kind != Kind::Sitemap {
        return None;
    }
    let parts = site.stories.len().div_ceil(MAX_PER_SITEMAP).max(3);
    if path == "/sitemap-index.xml" {
        return Some(Reply::text("application/xml", index(site, parts, &date::iso(newest))));
    }
    let name = path.strip_prefix("/sitemaps/")?;
    let part: usize = name.split('.').next()?.parse().ok()?;
    if part >= parts || *name != file_name(part) {
        return None;
    }
    let mut ids = site.stories.clone().skip(part).step_by(parts);
    Some(match part % 3 {
        0 => Reply::bytes("application/gzip", gzip(list(&mut ids, SITEMAP).as_bytes())),
        1 => {
            Reply::text("text/plain", ids.fold(String::new(), |all, id| all + &world.stories[id].url + "\n"))
        }
        _ => Reply::text("application/xml", list(&mut ids, NEWS_SITEMAP)),
    })
}

/// Compresses bytes at a fast level.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Every third sitemap is gzipped, every third is plain text, and the rest are news sitemaps.
fn file_name(part: usize) -> String {
    format!("{part}.{}", ["xml.gz", "txt", "news.xml"][part % 3])
}

fn index(site: &Site, parts: usize, time: &str) -> String {
    let mut out = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n".to_owned();
    for part in 0..parts {
        let (base, name) = (&site.base, file_name(part));
        writeln!(out, "<sitemap><loc>{base}/sitemaps/{name}</loc><lastmod>{time}</lastmod></sitemap>")
            .unwrap();
    }
    out + "</sitemapindex>\n"
}
