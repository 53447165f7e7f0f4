//! The pages of `Hostile`: bombs, wrong declarations and broken files, all under `/odd/`.
//!
//! A collector may store or refuse them, but must not crash or hang.

use std::fmt::Write;

use flate2::{Compress, Compression, FlushCompress};

use crate::discovery::gzip;
use crate::http::{Body, Reply};
use crate::pages::{self, Form};
use crate::site::{Site, World};

/// Links on one page.
const MANY_LINKS: usize = 200_000;
/// Length of the longest URL.
const LONG_LINK: usize = 2 << 20;
/// Entries of the large sitemap, more than the protocol allows.
const SITEMAP_ENTRIES: usize = 60_000;

/// Links of the front page besides stories.
pub(crate) fn links() -> &'static [&'static str] {
    &[
        "/odd/bomb.html",
        "/odd/endless.html",
        "/odd/many-links.html",
        "/odd/long-link.html",
        "/odd/escapes.html",
        "/odd/plain-as-gzip.html",
        "/odd/truncated.html",
        "/odd/wrong-charset.html",
        "/odd/broken.rss",
        "/odd/large-headers.html",
        "/odd/dropped.html",
        "/odd/pdf.html",
        "/odd/png.html",
    ]
}

/// Answers a request for one of the odd pages.
pub(crate) fn answer(world: &World, site: &Site, path: &str) -> Option<Reply> {
    let original = world.stories.get(site.stories.start)?;
    // A page similar to that of a story, which must not be taken for it.
    let story = || {
        let page = pages::story(world, site, site.stories.start, Form::Part(1), 0);
        page.replace(&original.url, &format!("{}{path}", site.base)).replace(&original.marker, "")
    };
    Some(match path.strip_prefix("/odd/")? {
        "bomb.html" => Reply::bytes("text/html", bomb()).with("Content-Encoding", "gzip"),
        "endless.html" => Reply {
            body: Body::Endless(b"<p>And another paragraph of this page.</p>\n"),
            ..Reply::html(String::new())
        },
        "many-links.html" => Reply::html(many_links(site)),
        "long-link.html" => {
            let content = format!("<p><a href=\"/odd/{}\">Here</a></p>", "x".repeat(LONG_LINK));
            Reply::html(pages::framed(site, "A long address", &content))
        }
        "escapes.html" => {
            let hostile = "\u{1b}[2J\u{1b}[31mPwned\u{1b}]0;title\u{7}\u{202e}gnp.exe\u{2066}\u{0}\r\n";
            Reply::html(story().replace(&original.title, hostile))
        }
        "plain-as-gzip.html" => Reply::html(story()).with("Content-Encoding", "gzip"),
        "truncated.html" => {
            let mut packed = gzip(story().as_bytes());
            packed.truncate(packed.len() / 2);
            Reply::bytes("text/html", packed).with("Content-Encoding", "gzip")
        }
        // Invalid UTF-8, declared as UTF-8 by header and element.
        "wrong-charset.html" => {
            let latin: Vec<u8> = story().chars().map(|c| u8::try_from(c).unwrap_or(0xE9)).collect();
            Reply::bytes("text/html; charset=utf-8", latin)
        }
        "html.rss" => Reply::text("application/rss+xml", story()),
        "broken.rss" => Reply::text(
            "application/rss+xml",
            "<?xml version=\"1.0\"?><rss><channel><item><title>Cut & <link>http://".to_owned(),
        ),
        "broken-sitemap.xml" => Reply::text(
            "application/xml",
            "<urlset><url><loc>not an address</loc></url><url><loc></url></loc><url>&nbsp;".to_owned(),
        ),
        "huge-sitemap.xml" => Reply::text("application/xml", huge_sitemap(site)),
        "large-headers.html" => Reply::html(story()).with("X-Filler", &"f".repeat(1 << 20)),
        "dropped.html" => Reply { body: Body::Dropped(story().into_bytes()), ..Reply::html(String::new()) },
        "pdf.html" => {
            Reply::bytes("text/html", b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n1 0 obj\n<<>>\nendobj\n%%EOF".to_vec())
        }
        "png.html" => {
            Reply::bytes("text/html", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08".to_vec())
        }
        _ => return None,
    })
}

/// A megabyte of gzip that decompresses to a gigabyte.
///
/// A fully flushed block does not refer to what came before it, so one block can be repeated. The checksum at the
/// end is wrong, which no client should read.
fn bomb() -> Vec<u8> {
    let mut block = Vec::with_capacity(64 * 1024);
    let blanks = vec![b' '; 1 << 20];
    Compress::new(Compression::best(), false).compress_vec(&blanks, &mut block, FlushCompress::Full).unwrap();
    let mut out = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF];
    for _ in 0..1024 {
        out.extend_from_slice(&block);
    }
    out.extend_from_slice(&[3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    out
}

/// All of them forbidden, so that a polite collector is not kept busy with them.
fn many_links(site: &Site) -> String {
    let mut content = String::with_capacity(MANY_LINKS * 48);
    for number in 0..MANY_LINKS {
        writeln!(content, "<a href=\"/nowhere/{number}\">Place {number}</a>").unwrap();
    }
    pages::framed(site, "Many links", &content)
}

fn huge_sitemap(site: &Site) -> String {
    let mut out = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n".to_owned();
    for number in 0..SITEMAP_ENTRIES {
        writeln!(out, "<url><loc>{}/nowhere/map/{number}</loc></url>", site.base).unwrap();
    }
    out + "</urlset>\n"
}
