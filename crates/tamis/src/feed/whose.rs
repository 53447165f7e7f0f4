//! Whose word a feed is: that of the page's site, that of another one, or that of readers.
//!
//! A feed of another site (a planet, a list of links) has the page's address, but gives times, names and words of its own. Sites are told
//! apart by the end of their hosts. A feed of comments has the page's address once for each comment.

use crate::page_address;

/// Hosts that serve feeds of others, or that nobody meant to name.
const NOBODYS: [&str; 6] = ["feedburner", "feedproxy", "feedblitz", "feedpress", "localhost", "127.0.0.1"];

/// The site that an address is of; nothing where the host serves feeds of others.
pub(super) fn site_of(url: &str) -> Option<String> {
    let host = page_address::host_of(url)?;
    if NOBODYS.iter().any(|name| host.contains(name)) { None } else { page_address::site_of(url) }
}

/// Does a feed with this title have what readers say? 评论 alone is what the editors think.
pub(super) fn is_of_comments(title: &str) -> bool {
    const BEGINNINGS: [&str; 15] = [
        "comments on",
        "comments for",
        "comments:",
        "kommentare zu",
        "kommentare für",
        "commentaires sur",
        "commentaires pour",
        "comentarios en",
        "comentarios de",
        "comentários sobre",
        "commenti a",
        "комментарии к",
        "комментарии на",
        "评论：",
        "评论:",
    ];
    const ENDS: [&str; 6] = ["的评论", "的評論", "的留言", "的回复", "へのコメント", "的迴響"];
    let title = title.trim();
    let begins = |beginning: &&str| {
        let start: String = title.chars().take(beginning.chars().count()).collect();
        let rest = &title[start.len()..];
        // "Comments format" is no such word.
        start.to_lowercase() == **beginning
            && (!beginning.ends_with(char::is_alphabetic) || !rest.starts_with(char::is_alphabetic))
    };
    BEGINNINGS.iter().any(begins) || ENDS.iter().any(|end| title.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_are_told_apart_by_the_end_of_their_hosts() {
        for (url, site) in [
            ("https://www.gazette.example/rain", Some("gazette.example")),
            ("http://feeds.gazette.example:8080/rss", Some("gazette.example")),
            ("https://news.gazette.co.uk/", Some("gazette.co.uk")),
            ("https://gazette.com.cn?p=7", Some("gazette.com.cn")),
            ("https://intranet/rain", Some("intranet")),
            ("https://feeds.feedburner.com/gazette", None),
            ("https://feedproxy.google.com/~r/gazette", None),
            ("http://localhost:1313/", None),
            ("/rain", None),
        ] {
            assert_eq!(site_of(url).as_deref(), site, "{url}");
        }
    }

    #[test]
    fn titles_of_feeds_of_comments() {
        for title in [
            "Comments on: Rain",
            "Comments for Gazette",
            "Kommentare zu Regen",
            "评论：下雨了",
            "港口日报的评论",
        ] {
            assert!(is_of_comments(title), "{title}");
        }
        for title in ["Gazette", "Comments format weekly", "Commentary", "评论", "评论频道", "", "C"] {
            assert!(!is_of_comments(title), "{title}");
        }
    }
}
