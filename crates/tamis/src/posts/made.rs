//! Whether a page shows that a forum made it, where its head does not say so: by the line at its foot that names the
//! program, or by a line that numbers, signs and dates what follows.

use super::words::{number_in_line, signer};
use crate::page::Page;

/// How many of the last lines are looked at.
const LAST: usize = 16;

/// Forum programs, as they sign the foot of their pages.
const PROGRAMS: [&str; 14] = [
    "discuz",
    "fluxbb",
    "ipboard",
    "ip.board",
    "invision",
    "mybb",
    "nodebb",
    "phpbb",
    "phpwind",
    "punbb",
    "simple machines",
    "smf ",
    "vbulletin",
    "xenforo",
];

/// With what is known of the lines that tell times.
pub(super) fn by_forum(page: &Page<'_>, lines_of_times: &[bool]) -> bool {
    names_program(page) || has_numbered_line(page, lines_of_times)
}

/// "Powered by phpBB".
fn names_program(page: &Page<'_>) -> bool {
    let blocks = page.blocks();
    blocks[blocks.len().saturating_sub(LAST)..].iter().any(|block| {
        let text = page.text(block);
        if block.measures.text.words > 40 {
            return false;
        }
        let small = text.to_lowercase();
        small.split_once("powered by").is_some_and(|(_, rest)| {
            let rest = rest.trim_start();
            PROGRAMS.iter().any(|name| rest.starts_with(name))
        })
    })
}

/// `#1 Boats, by Ann, 2010-03-04 11:22`.
fn has_numbered_line(page: &Page<'_>, lines_of_times: &[bool]) -> bool {
    let mut lines = page.blocks().iter().zip(lines_of_times).filter(|(_, tells)| **tells);
    lines.any(|(block, _)| {
        let text = page.text(block);
        text.starts_with(['#', '第']) && number_in_line(text).is_some() && signer(text).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::super::outline::lines_of_times;
    use super::*;

    fn is_made(html: &str) -> bool {
        let page = Page::parse(html);
        by_forum(&page, &lines_of_times(&page))
    }

    #[test]
    fn forums_that_sign_in_capitals_were_missed() {
        assert!(is_made("<p>Rain.</p><p>POWERED BY PHPBB</p>"));
        assert!(is_made("<p>Rain.</p><p>powered by XENFORO</p>"));
    }

    #[test]
    fn forums_sign_their_pages() {
        assert!(is_made("<p>Rain.</p><center>Powered by <a href=/>phpBB</a> 2.0.4</center>"));
        assert!(is_made("<p>#1 下雨了 作者：小雨 发表时间：2010-3-4 11:22:33</p><p>雨</p>"));
        assert!(!is_made("<p>Powered by WordPress</p>"));
        assert!(!is_made("<p>It is powered by steam, unlike phpBB.</p>"));
        assert!(!is_made("<p>#1 in the charts, 2010-03-04 11:22</p>"));
    }
}
