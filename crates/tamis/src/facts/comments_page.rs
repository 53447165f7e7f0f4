//! Where readers' comments stand, when that is a page of its own. Links of many kinds speak of comments: to the same page, to
//! other stories, to forms and rules. So the words must say that comments stand there, and the address must agree.

use std::borrow::Cow;

use tamis_html::{Name, NodeRef};

use super::Around;
use super::clean;
use super::evidence::{Evidence, Field, Origin};
use super::scan::{only_text, text_of};
use crate::assemble::{Address, is_safe};
use crate::page_address::{follows, site_of};

/// How many blocks before and behind the text are near it; further on, below the comments themselves, only an address that is
/// made from the page's own is believed.
const BEFORE: usize = 10;
const BEHIND: usize = 14;
/// What links weigh that speak of comments, and may be those of another story.
const WEAK: f32 = 50.0;
/// Longer words are a sentence.
const LONGEST: usize = 60;

/// What the words of a link say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Said {
    /// "Read all 12 comments", 查看评论.
    All,
    /// "12 comments", 评论(12).
    Counted,
    /// "Older comments": the others stand on a page further on.
    More,
    /// "Comments", which may be a part of the site as well.
    Alone,
}

/// Words for comments, in small letters, as they stand beside a number.
const COMMENTS: &[&str] = &[
    "comments",
    "comment",
    "readercomments",
    "kommentare",
    "kommentar",
    "leserkommentare",
    "commentaires",
    "commentaire",
    "comentarios",
    "comentario",
    "comentários",
    "comentário",
    "commenti",
    "commento",
    "reacties",
    "reactie",
    "kommentarer",
    "kommenttia",
    "komentarze",
    "komentarzy",
    "komentářů",
    "комментарии",
    "комментариев",
    "комментария",
    "комментарий",
    "yorum",
    "评论",
    "条评论",
    "评论条",
    "網友評論",
    "网友评论",
    "人评论",
    "評論",
    "則評論",
    "條評論",
    "条留言",
    "コメント",
    "件のコメント",
    "コメント件",
    "댓글",
    "개의댓글",
    "댓글개",
    "ئىنكاس",
    "تعليقات",
    "تعليق",
    "نظرات",
];

/// What words that lead to all of them begin with.
const READ: &[&str] = &["read", "view", "see", "show", "all", "alle", "voir", "ver", "leggi", "zu", "zum"];
const READ_WIDE: &[&str] = &[
    "查看评论",
    "查看全部评论",
    "查看所有评论",
    "查看网友评论",
    "查看更多评论",
    "全部评论",
    "所有评论",
    "查看評論",
    "全部評論",
    "コメントを見る",
    "コメント一覧",
    "すべてのコメント",
    "댓글보기",
    "댓글 보기",
];
const MORE: &[&str] = &[
    "older comments",
    "newer comments",
    "previous comments",
    "more comments",
    "load more comments",
    "see more comments",
    "ältere kommentare",
    "weitere kommentare",
    "commentaires précédents",
    "更多评论",
];

/// What the words of ASCII among them have in common.
const TELLING: [&[u8; 5]; 4] = [b"ommen", b"oment", b"react", b"yorum"];

/// Could words speak of comments? One of these letters stands in all words among [`COMMENTS`], [`READ_WIDE`] and [`MORE`], and
/// without one of those nothing is said. Other characters between the letters of ASCII do not count, as in [`said`]. Asked of every
/// link behind the text.
fn may_speak(words: &str) -> bool {
    let is_telling = |c: char| matches!(c, 'м' | 'М' | '论' | '論' | '言' | 'コ' | '댓' | 'ك' | 'ق' | 'ظ');
    if !words.is_ascii() && words.chars().any(is_telling) {
        return true;
    }
    // Which letters there are, a bit each: most words lack one of those that it takes.
    let bits = |word: &[u8]| word.iter().fold(0_u32, |bits, byte| bits | 1 << (byte & 31));
    let has = bits(words.as_bytes());
    if !TELLING.iter().any(|word| has & bits(*word) == bits(*word)) {
        return false;
    }
    let mut letters = [0; LONGEST];
    let own = words.bytes().filter(u8::is_ascii_alphabetic).map(|byte| byte.to_ascii_lowercase());
    let count = letters.iter_mut().zip(own).map(|(to, byte)| *to = byte).count();
    letters[..count].windows(5).any(|five| TELLING.iter().any(|word| five == *word))
}

fn said(words: &str) -> Option<Said> {
    if !may_speak(words) {
        return None;
    }
    let words = words.trim().trim_matches(|c: char| "«»‹›<>→←…+ \u{a0}".contains(c));
    let words = words.to_lowercase();
    if words.is_empty() || words.len() > LONGEST {
        return None;
    }
    if MORE.iter().any(|it| words.starts_with(it)) {
        return Some(Said::More);
    }
    let is_comments = |word: &str| {
        COMMENTS.contains(&word.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase().as_str())
    };
    let mut own = words.split_whitespace();
    let reads = own.next().is_some_and(|first| READ.contains(&first)) && own.any(is_comments);
    if reads || READ_WIDE.iter().any(|it| words.starts_with(it)) {
        return Some(Said::All);
    }
    let letters: String = words.chars().filter(|c| c.is_alphabetic()).collect();
    if !COMMENTS.contains(&letters.as_str()) {
        return None;
    }
    Some(if words.chars().any(char::is_numeric) { Said::Counted } else { Said::Alone })
}

/// An address without what does not tell pages apart: the scheme, `www`, the mark in the page, the name of an index.
fn bare(url: &str) -> &str {
    let url = url.split_once("://").map_or(url, |(_, rest)| rest);
    let url = url.split('#').next().unwrap_or_default();
    let url = url.strip_prefix("www.").unwrap_or(url);
    let ends = ["index.html", "index.htm", "index.php"];
    ends.iter().find_map(|end| url.strip_suffix(end)).unwrap_or(url).trim_end_matches('/')
}

/// Does an address lead away from a page?
pub(super) fn leads_away(own: Option<&str>, target: &str) -> bool {
    match own {
        Some(own) => bare(own) != bare(target),
        // Nobody knows where the page is: a mark is one in it, or in another story.
        None => !target.contains('#'),
    }
}

/// Do two addresses belong to one site?
fn same_site(one: &str, other: &str) -> bool {
    site_of(one).is_some_and(|site| site_of(other) == Some(site))
}

/// Does a parameter tell visitors apart, or where they came from, and not pages? Its name says so, or a long value of letters and digits.
fn is_of_visit(parameter: &str) -> bool {
    const NAMES: [&str; 14] = [
        "phpsessid",
        "jsessionid",
        "session",
        "sessionid",
        "session_id",
        "sess",
        "cfid",
        "cftoken",
        "token",
        "ref",
        "referer",
        "uid",
        "userid",
        "visitor",
    ];
    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    let small = name.to_ascii_lowercase();
    let is_mixed = value.len() >= 16
        && value.bytes().all(|it| it.is_ascii_alphanumeric())
        && value.bytes().any(|it| it.is_ascii_alphabetic());
    follows(parameter) || NAMES.contains(&small.as_str()) || small.starts_with("aspsession") || is_mixed
}

/// The path of an address, and its query.
fn parts(url: &str) -> (&str, &str) {
    let rest = bare(url);
    let path = rest.find('/').map_or("", |at| &rest[at..]);
    path.split_once('?').unwrap_or((path, ""))
}

/// Does an address go on from that of the page: a longer path, or a query that speaks of comments?
fn goes_on(own: &str, target: &str) -> bool {
    let ((own_path, own_query), (path, query)) = (parts(own), parts(target));
    let own_path = own_path.trim_end_matches('/');
    let Some(rest) = path.strip_prefix(own_path).filter(|_| own_path.len() > 1) else { return false };
    rest.starts_with('/') || (rest.is_empty() && query != own_query && has_comments(query))
}

/// Has an address the number or the name of the page in it?
fn is_made_from(own: &str, target: &str) -> bool {
    let ((own_path, own_query), (path, query)) = (parts(own), parts(target));
    if own_path.trim_end_matches('/') == path.trim_end_matches('/') {
        return false;
    }
    // A day stands in the addresses of all stories of that day.
    let is_day = |digits: &str| {
        matches!(digits.len(), 8 | 14) && (digits.starts_with("19") || digits.starts_with("20"))
    };
    let numbers = |text: &str| -> Vec<String> {
        let all = text.split(|c: char| !c.is_ascii_digit()).filter(|it| it.len() >= 5 && !is_day(it));
        all.map(str::to_owned).collect()
    };
    let asked = |query: &str| -> Vec<String> {
        query.split(['&', ';']).filter(|it| !is_of_visit(it)).flat_map(numbers).collect()
    };
    // `/rain;jsessionid=1234567`
    let of_path = |path: &str| numbers(path.split(';').next().unwrap_or_default());
    let theirs = [of_path(path), asked(query)].concat();
    if of_path(own_path).iter().chain(&asked(own_query)).any(|it| theirs.contains(it)) {
        return true;
    }
    let last = own_path.rsplit('/').find(|part| !part.is_empty()).unwrap_or_default();
    let name = last.rsplit_once('.').filter(|(_, ending)| ending.len() <= 5).map_or(last, |(name, _)| name);
    name.len() >= 8 && (path.contains(name) || query.contains(name))
}

/// Does an address speak of comments?
fn speaks(target: &str) -> bool {
    const WORDS: [&str; 8] = ["pinglun", "gentie", "talk", "discuss", "diskussion", "forum", "bbs", "reacti"];
    let small = bare(target).to_ascii_lowercase();
    has_comments(&small) || WORDS.iter().any(|word| small.contains(word))
}

fn has_comments(text: &str) -> bool {
    const WORDS: [&str; 4] = ["comment", "komment", "coment", "koment"];
    let small = text.to_ascii_lowercase();
    WORDS.iter().any(|word| small.contains(word))
}

/// Is an address that of a form?
fn is_form(target: &str) -> bool {
    const WORDS: [&str; 10] = [
        "login",
        "signin",
        "signup",
        "sign_in",
        "register",
        "einloggen",
        "postcomment",
        "newreply",
        "action=reply",
        "mod=post",
    ];
    let small = bare(target).to_ascii_lowercase();
    WORDS.iter().any(|word| small.contains(word))
}

/// Is an address that of rules, or of what the whole site has of comments?
fn is_of_site(target: &str) -> bool {
    let (path, query) = parts(target);
    let small = path.to_ascii_lowercase();
    let segments = path.split('/').filter(|it| !it.is_empty()).count();
    let has_digits = path.bytes().chain(query.bytes()).any(|byte| byte.is_ascii_digit());
    ["policy", "guideline", "rules"].iter().any(|word| small.contains(word))
        || (segments <= 1 && query.is_empty() && !has_digits)
}

/// How much a link is to be believed; nothing where it does not lead to the comments of this page.
fn weight(words: &str, own: Option<&str>, target: &str) -> Option<f32> {
    let said = said(words)?;
    let goes_on = own.is_some_and(|own| goes_on(own, target));
    let is_own = goes_on || own.is_some_and(|own| is_made_from(own, target));
    if !leads_away(own, target)
        || own.is_some_and(|own| !same_site(own, target))
        || is_form(target)
        || (is_of_site(target) && !is_own)
        // A mark in another page is that of another story.
        || (target.contains('#') && !goes_on)
    {
        return None;
    }
    match said {
        Said::All if is_own => Some(70.0),
        Said::Counted if is_own => Some(66.0),
        Said::Alone if is_own && speaks(target) => Some(54.0),
        Said::All | Said::Counted if speaks(target) => Some(WEAK),
        Said::More if goes_on => Some(40.0),
        _ => None,
    }
}

/// What a link says.
fn words_of(link: NodeRef<'_>) -> Cow<'_, str> {
    match only_text(link) {
        Some(Cow::Borrowed(text)) => clean::text(text),
        _ => text_of(link, LONGEST + 1).into(),
    }
}

/// Puts the links to comments among the evidence.
pub(super) fn gather(around: &Around<'_>, address: &Address, evidence: &mut Evidence) {
    let Some((first, last)) = around.text.filter(|_| !around.is_front_page()) else { return };
    let page = around.page;
    let own = around.url.as_deref();
    let blocks = page.blocks();
    let head = first.saturating_sub(BEFORE)..(first + 2).min(blocks.len());
    let tail = last.saturating_sub(1).max(head.end)..blocks.len();
    let mut found: Vec<(f32, String)> = Vec::new();
    for place in head.chain(tail) {
        let block = &blocks[place];
        let is_near = place <= last + BEHIND;
        if block.measures.links == 0 || page.text(block).len() > if is_near { 200 } else { 2 * LONGEST } {
            continue;
        }
        let mut seen = None;
        for run in page.runs(block).iter().filter(|run| run.in_link) {
            let Some(link) = page.node(run.node).ancestors().find(|it| it.is(Name::A)) else { continue };
            if seen.replace(link.id()) == Some(link.id()) {
                continue;
            }
            let words = words_of(link);
            if said(&words).is_none() {
                continue;
            }
            let Some(href) = link.attribute_named(Name::HREF).filter(|href| !href.starts_with('#')) else {
                continue;
            };
            let target = address.resolve(&href);
            let weight = weight(&words, own, &target).filter(|weight| is_near || *weight != WEAK);
            if let Some(weight) = weight.filter(|_| is_safe(&target)) {
                found.push((weight, target));
            }
        }
    }
    // As many as these are those of other stories.
    let weak: Vec<&String> = found.iter().filter(|it| it.0 == WEAK).map(|it| &it.1).collect();
    let is_list = weak.iter().any(|target| *target != weak[0]);
    for (weight, target) in found {
        let weight = if is_list && weight == WEAK { 0.0 } else { weight };
        evidence.add(Field::CommentsPage, target, Origin::Near, "its words", weight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_links_to_comments_say() {
        for (words, expected) in [
            ("Read all 12 comments", Some(Said::All)),
            ("View comments »", Some(Said::All)),
            ("Alle Kommentare anzeigen", Some(Said::All)),
            ("查看评论", Some(Said::All)),
            ("12 comments", Some(Said::Counted)),
            ("Comments (12)", Some(Said::Counted)),
            ("评论(12)", Some(Said::Counted)),
            ("12条评论", Some(Said::Counted)),
            ("コメント 12件", Some(Said::Counted)),
            ("12 комментариев", Some(Said::Counted)),
            ("« Older comments", Some(Said::More)),
            ("Comments", Some(Said::Alone)),
            ("评论", Some(Said::Alone)),
            ("Post your comment", None),
            ("Comment policy", None),
            ("comments powered by a plug-in", None),
            ("New comments", None),
            ("港口商业评论", None),
            ("Reader mail", None),
            ("", None),
        ] {
            assert_eq!(said(words), expected, "{words}");
        }
    }

    #[test]
    fn all_words_for_comments_pass_the_first_look() {
        for word in COMMENTS.iter().chain(READ_WIDE).chain(MORE) {
            assert!(may_speak(word) && may_speak(&word.to_uppercase()), "{word}");
        }
        assert!(!may_speak("Über uns") && !may_speak("港口新闻") && !may_speak("Committee"));
    }

    #[test]
    fn pages_of_comments() {
        let own = "https://www.a.example/news/rain-at-last-44391.html";
        for (words, target, expected) in [
            ("Comments (8)", "https://www.a.example/newscomm-44391.php", true),
            ("Read all comments", "https://www.a.example/newscomm-44391.php", true),
            ("2 评论", "https://comment.a.example/view.html?doc=44391", true),
            ("71 Kommentare", "https://www.a.example/forum/threads/rain-at-last-44391.9/", true),
            ("评论", "https://comment.a.example/view.html?doc=44391", true),
            (
                "Older comments",
                "https://www.a.example/news/rain-at-last-44391.html/comment-page-2/#comments",
                true,
            ),
            (
                "All comments",
                "https://www.a.example/news/rain-at-last-44391.html?all-comments=1#comments",
                true,
            ),
            // The same page.
            ("12 comments", "https://www.a.example/news/rain-at-last-44391.html#comments", false),
            ("Read all comments", "http://a.example/news/rain-at-last-44391.html", false),
            // Other stories, other sites, all stories, forms.
            ("12 comments", "https://www.a.example/news/sun-44392.html#comments", false),
            ("12 comments", "https://www.a.example/news/sun-44392.html", false),
            ("Older comments", "https://www.a.example/news/sun-44392.html/comment-page-2", false),
            ("Comments", "https://www.a.example/opinion/comments/", false),
            ("评论", "https://www.a.example/", false),
            ("Alle Kommentare", "https://www.a.example/alle-kommentare/", false),
            ("View comments", "https://b.example/plug-in/44391", false),
            ("See comments", "https://www.a.example/login?back=44391", false),
            ("评论", "https://www.a.example/forum.php?mod=post&action=reply&tid=44391", false),
            ("Read 64 comments", "https://www.a.example/poll/3281/sun", false),
        ] {
            assert_eq!(weight(words, Some(own), target).is_some(), expected, "{words} {target}");
        }
        // Without an address, a mark is one in the page.
        assert!(weight("4 comments", None, "index.htm#comments").is_none());
        assert!(weight("18 comments", None, "https://a.example/comments/post/12345").is_some());
    }

    #[test]
    fn comments_of_another_site_and_of_another_visit_were_taken() {
        assert!(
            !same_site("https://a.or.jp/x", "https://b.or.jp/x")
                && same_site("https://c.a.or.jp/x", "http://a.or.jp/")
        );
        assert!(!same_site("rain.html", "rain.html"));
        for (own, target, expected) in [
            (
                "https://a.example/news?id=44391&token=7654321",
                "https://a.example/talk?id=5&token=7654321",
                false,
            ),
            (
                "https://a.example/rain;jsessionid=7654321",
                "https://a.example/talk/5;jsessionid=7654321",
                false,
            ),
            (
                "https://a.example/news?sid=0a9f8e7654321b2c3d",
                "https://a.example/talk?id=5&sid=0a9f8e7654321b2c3d",
                false,
            ),
            ("https://a.example/news?utm_id=7654321", "https://a.example/talk?utm_id=7654321", false),
            ("https://a.example/news?sid=44391", "https://a.example/comments?sid=44391", true),
            ("https://a.example/news?id=44391&token=7654321", "https://a.example/talk?id=44391", true),
        ] {
            assert_eq!(is_made_from(own, target), expected, "{own} {target}");
        }
    }

    #[test]
    fn all_hosts_below_a_country_were_one_site() {
        assert!(same_site("https://news.a.com.cn/x", "https://comment5.a.com.cn/y"));
        assert!(!same_site("https://news.a.com.cn/x", "https://news.b.com.cn/x"));
        assert!(
            same_site("https://a.example/", "https://b.a.example/")
                && !same_site("https://a.example", "https://b.test")
        );
    }
}
