//! The words by which forums speak of writers, quotes and the numbers of posts. They help; no post is known by them alone.

use crate::characters::is_letter_or_number;

/// The words of a class or an address. They end where letters end, or where a small letter meets a capital.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.bytes().position(|byte| byte.is_ascii_alphabetic())?;
        let bytes = &rest.as_bytes()[start..];
        let goes_on = |pair: &[u8]| {
            pair[1].is_ascii_alphabetic() && !(pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
        };
        let end = start + 1 + bytes.windows(2).take_while(|pair| goes_on(pair)).count();
        // Only letters of ASCII were counted.
        let word = &rest[start..end];
        rest = &rest[end..];
        Some(word)
    })
}

/// Does a class or an address have one of these words?
#[inline]
pub(super) fn has_word(text: &str, list: &[&str]) -> bool {
    // Most words begin with another letter than all of the list.
    let bit = |word: &str| 1_u32 << (word.as_bytes()[0] & 31);
    let first_letters = list.iter().fold(0, |bits, it| bits | bit(it));
    let is = |word: &str, it: &str| word.len() == it.len() && it.eq_ignore_ascii_case(word);
    words(text).any(|word| first_letters & bit(word) != 0 && list.iter().any(|it| is(word, it)))
}

/// Does an address lead to a board of a forum, and not to somebody: `forum-20.html`, `viewforum.php?f=3`?
pub(super) fn leads_to_board(href: &str) -> bool {
    let page = href.split(['?', '#']).next().unwrap_or_default();
    let page = page.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let mut words = words(page).map(str::to_ascii_lowercase);
    match words.next().as_deref() {
        Some("forumdisplay" | "viewforum") => true,
        // Behind the number at most the ending.
        Some("forum") => page.bytes().any(|byte| byte.is_ascii_digit()) && words.all(|it| it.contains("htm")),
        _ => false,
    }
}

/// Does an address lead to a file, and not to somebody: `slides.pdf`?
pub(super) fn leads_to_file(href: &str) -> bool {
    const FILES: [&str; 12] =
        ["pdf", "ps", "doc", "docx", "ppt", "pptx", "xls", "xlsx", "zip", "epub", "mp3", "mp4"];
    let page = href.split(['?', '#']).next().unwrap_or_default();
    let ending = page.rsplit('/').next().and_then(|page| page.rsplit_once('.'));
    ending.is_some_and(|(_, ending)| FILES.iter().any(|it| it.eq_ignore_ascii_case(ending)))
}

/// Is a class or an id one that only threads have?
pub(crate) fn names_thread(name: &str) -> bool {
    has_word(name, &THREAD) || name.split_ascii_whitespace().any(|it| THREAD_NAMES.contains(&it))
}

/// Classes of names.
pub(super) const AUTHOR: [&str; 22] = [
    "author",
    "authi",
    "authorname",
    "bigusername",
    "creator",
    "displayname",
    "fn",
    "hcard",
    "handle",
    "largeusername",
    "member",
    "membername",
    "name",
    "nick",
    "nickname",
    "poster",
    "postauthor",
    "postername",
    "screenname",
    "user",
    "username",
    "writer",
];

/// Words in the addresses of profiles.
pub(super) const PROFILE: [&str; 15] = [
    "author",
    "authors",
    "member",
    "memberlist",
    "members",
    "people",
    "profile",
    "profiles",
    "showuser",
    "space",
    "u",
    "uid",
    "user",
    "userid",
    "users",
];

/// Classes that say how a piece is at the moment, not what it is.
pub(super) const STATE: [&str; 14] = [
    "active",
    "alt",
    "bg",
    "clearfix",
    "even",
    "first",
    "firstpost",
    "hidden",
    "js",
    "last",
    "new",
    "odd",
    "op",
    "sticky",
];

/// Classes and ids that only threads have.
pub(crate) const THREAD: [&str; 19] = [
    "authi",
    "forumline",
    "msgfont",
    "plhin",
    "postbit",
    "postbody",
    "postername",
    "posternamecontainer",
    "postlist",
    "postprofile",
    "postrow",
    "postmessage",
    "postmsg",
    "punviewtopic",
    "showthread",
    "threadtitle",
    "topicbody",
    "viewthread",
    "viewtopic",
];

/// Whole names of several words that only threads have, as static copies of Discourse do.
pub(crate) const THREAD_NAMES: [&str; 1] = ["post_container"];

/// Classes of times.
pub(super) const TIME: [&str; 9] =
    ["age", "date", "datetime", "relative", "relativetime", "time", "timeago", "timestamp", "when"];

/// Classes of headlines.
pub(super) const TITLE: [&str; 3] = ["headline", "heading", "title"];

/// Classes of remarks below a post.
pub(super) const REMARKS: [&str; 2] = ["comment", "comments"];

/// Classes of boxes with the words of others.
pub(super) const QUOTE: [&str; 12] = [
    "bbquote",
    "bquote",
    "citation",
    "cite",
    "quote",
    "quotebody",
    "quotebox",
    "quotecontainer",
    "quotecontent",
    "quoted",
    "quotemain",
    "quotetext",
];

/// Classes of what stands below each post of a writer, and of what is done with posts.
pub(super) const APART: [&str; 22] = [
    "action",
    "actions",
    "avatar",
    "badge",
    "btn",
    "button",
    "buttons",
    "controls",
    "edited",
    "editby",
    "likes",
    "lastedit",
    "moderation",
    "postbit",
    "profile",
    "rating",
    "reactions",
    "sig",
    "sign",
    "signature",
    "toolbar",
    "userinfo",
];

/// Classes, ids and properties of what numbers posts.
pub(super) const NUMBER: [&str; 11] = [
    "floor",
    "nodecounter",
    "num",
    "number",
    "position",
    "postcount",
    "postcounter",
    "postid",
    "postnum",
    "postnumber",
    "singlepost",
];

/// The number that a short text gives a post: `#3`, `3#`, `Post 3`, `3楼`, `第3楼`, 沙发.
pub(super) fn number(text: &str) -> Option<u32> {
    // Without a digit, only words of Chinese are numbers.
    if text.is_ascii() && !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let text = text.trim().trim_matches(|c: char| "[]()（）【】:：".contains(c)).trim();
    if text.chars().count() > 12 {
        return None;
    }
    for (name, number) in [("楼主", 1), ("樓主", 1), ("沙发", 2), ("沙發", 2), ("板凳", 3), ("地板", 4)]
    {
        if text == name {
            return Some(number);
        }
    }
    // All that follows is about digits.
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let lower = text.to_lowercase();
    let digits: String = lower.chars().filter(char::is_ascii_digit).collect();
    let around: String = lower.chars().filter(|c| !c.is_ascii_digit() && !c.is_whitespace()).collect();
    let says = [
        "#",
        "楼",
        "樓",
        "第楼",
        "第樓",
        "post#",
        "#post",
        "f",
        "no.",
        "post",
        "floor",
        "reply#",
        "message#",
        "№",
        "post:#",
        "postn°",
        "beitrag#",
        "beitrag",
        "сообщение#",
        "ответ#",
        "answer#",
        "comment#",
        "n°",
        "nr.",
        "号楼",
        "-قەۋەت",
        "قەۋەت",
        "reply",
        "message",
    ];
    if digits.is_empty() || digits.len() > 7 || !says.contains(&around.as_str()) {
        return None;
    }
    // The digits must stand together.
    lower.contains(&digits).then(|| digits.parse().ok()).flatten()
}

/// The number that a line gives a post beside its time: `#3 [2010-03-04 11:22]`, `Reply #3 on: May 3, 2011`,
/// `3楼 2010-3-4`, `Message 3 of 12, 3 May 2011`. A sign must say that it is one, and it stands first or last.
pub(super) fn number_in_line(line: &str) -> Option<u32> {
    const MOST: usize = 4;
    let is_mark = |c: char| c.is_whitespace() || "«»|[](),，·:：-–—•".contains(c);
    let words: Vec<&str> = line.split(is_mark).filter(|word| !word.is_empty()).collect();
    // Alone, the words for a post stand before other numbers as well: "Post 3 May".
    let has_sign = |text: &str| text.contains(['#', '№', '°', '楼', '樓']) || text.contains("قەۋەت");
    let is_of = |word: Option<&&str>| word.is_some_and(|it| ["of", "von", "de", "di", "из"].contains(it));
    for length in (1..=MOST.min(words.len())).rev() {
        let first = words[..length].join(" ");
        let goes_on =
            is_of(words.get(length)) && words.get(length + 1).is_some_and(|it| it.parse::<u32>().is_ok());
        if let Some(number) = number(&first).filter(|_| has_sign(&first) || goes_on) {
            return Some(number);
        }
        let last = words[words.len() - length..].join(" ");
        if let Some(number) = number(&last).filter(|_| has_sign(&last)) {
            return Some(number);
        }
    }
    None
}

/// Who signs a line that tells a time: `Posted on 2003-09-29 by Ann`, `作者：小雨 2010-3-4`.
pub(super) fn signer(line: &str) -> Option<&str> {
    const BEFORE: [&str; 12] = [
        "posted by",
        "written by",
        " by ",
        "by ",
        "von ",
        "作者:",
        "作者：",
        "楼主:",
        "楼主：",
        "发帖人：",
        "от ",
        "автор:",
    ];
    let small = line.to_ascii_lowercase();
    let (at, lead) =
        BEFORE.iter().filter_map(|lead| Some((small.find(lead)?, lead))).min_by_key(|(at, _)| *at)?;
    // In front of anything but a word, unless it is one of several letters that stand alone.
    let is_start =
        lead.starts_with(' ') || small.get(..at)?.chars().next_back().is_none_or(|c| !is_letter_or_number(c));
    let rest = line.get(at + lead.len()..).filter(|_| is_start)?.trim_start_matches([':', '：', ' ']);
    let ends =
        [" on ", " at ", " » ", " | ", " - ", ",", "，", " 发表", "发表于", "  ", " am ", " um ", " — ", "("];
    let end = ends.iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
    let name: Vec<&str> = rest
        .get(..end)?
        .split_whitespace()
        .take_while(|word| !word.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    let (first, last) = (name.first()?, name.last()?);
    // Both are parts of the line.
    let from = first.as_ptr() as usize - line.as_ptr() as usize;
    let to = last.as_ptr() as usize - line.as_ptr() as usize + last.len();
    let name = line.get(from..to)?.trim_matches(|c: char| ":：,".contains(c));
    (!name.is_empty() && name.split_whitespace().count() <= 3 && name.chars().count() <= 30).then_some(name)
}

/// Is it what somebody did, and not who it was? Q&A pages have it where others have names.
pub(super) fn is_no_writer(words: &str) -> bool {
    const DONE: [&str; 20] = [
        "回答",
        "回答者",
        "提问",
        "提问者",
        "回复",
        "回覆",
        "评论",
        "評論",
        "答案",
        "answer",
        "answers",
        "answered",
        "question",
        "asked",
        "reply",
        "comment",
        "antwort",
        "réponse",
        "respuesta",
        "ответ",
    ];
    let words = words.trim_matches(|c: char| !c.is_alphanumeric());
    words.len() <= 12 && DONE.contains(&words.to_lowercase().as_str())
}

/// What stands before the name of whom a quote is from.
const LEADS: [&str; 22] = [
    "originally posted by:",
    "originally posted by",
    "originally written by",
    "original von",
    "quote from:",
    "quote from",
    "quote by",
    "quote author=",
    "author=",
    "quoting",
    "posted by",
    "zitat von",
    "цитата от",
    "цитата:",
    "引用:",
    "引用：",
    "引用",
    "原帖由",
    "نەقىل:",
    "نەقىل :",
    "نەقىل",
    "ئەسلى يازما",
];

/// What stands behind it.
const WROTE: [&str; 18] = [
    " wrote",
    " said",
    " writes",
    " schrieb",
    " hat geschrieben",
    " a écrit",
    " escribió",
    " escreveu",
    " ha scritto",
    " написал",
    " пишет",
    " писал",
    "发表于",
    "發表於",
    "写道",
    "さんは",
    " scrisse",
    "يوللىغان ۋاقتى",
];

/// Who is quoted, from the line above a quote: `Ann wrote:`, `Originally posted by Ann`, `引用 Ann`. A sentence in which somebody said
/// something is no such line.
pub(super) fn quoted(line: &str) -> Option<&str> {
    quoted_by_lead(line).or_else(|| quoted_by_verb(line))
}

/// A name is short, whatever stands around it.
fn head(line: &str) -> &str {
    let line = line.trim().trim_start_matches(['“', '"', '«', '「', '[']).trim();
    match line.char_indices().nth(120) {
        Some((end, _)) => &line[..end],
        None => line,
    }
}

/// `Originally posted by Ann`, `Quote from: Ann on May 3`, `引用第2楼小雨于2010-3-4发表的`.
pub(super) fn quoted_by_lead(line: &str) -> Option<&str> {
    let line = head(line);
    let rest = LEADS.iter().find_map(|lead| {
        let start = line.get(..lead.len()).filter(|start| start.to_lowercase() == *lead);
        start.and_then(|_| line.get(lead.len()..))
    })?;
    let rest = rest.trim_start_matches([':', '：', ' ', '(']);
    // 第2楼
    let rest = match rest.strip_prefix('第').and_then(|it| it.split_once(['楼', '樓'])) {
        Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => rest,
        _ => rest,
    };
    let before_number = |mark: &str| {
        let at = rest.find(mark)?;
        let next = rest.get(at + mark.len()..)?.trim_start();
        next.starts_with(|c: char| c.is_ascii_digit()).then_some(at)
    };
    let ends = WROTE.iter().chain(&[" on ", " 于 ", " am ", " link="]).filter_map(|tail| rest.find(tail));
    let end = ends.chain(before_number("于")).min().unwrap_or(rest.len());
    name_of(rest.get(..end)?)
}

/// `Ann wrote:`, `@ann said in Boats:`, `On May 3, 2011, Ann wrote:`, `小雨 发表于 2010-3-4 11:22`.
fn quoted_by_verb(line: &str) -> Option<&str> {
    let line = head(line);
    // (2010-03-04, 10:00)Ann wrote:
    let line = match line.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        Some((time, rest)) if time.len() <= 40 => rest.trim_start(),
        _ => line,
    };
    let line = line.trim_end_matches(|c: char| c.is_whitespace() || "↑→»".contains(c));
    let small = line.to_ascii_lowercase();
    let (at, verb) =
        WROTE.iter().filter_map(|verb| Some((small.find(verb)?, verb))).min_by_key(|(at, _)| *at)?;
    let (before, behind) = (line.get(..at)?, line.get(at + verb.len()..)?.trim());
    // On May 3, 2011 at 10:00, Ann wrote:
    let before = match before.rsplit_once([',', '，']) {
        Some((time, name)) if super::times::tells(time) || time.starts_with("--- In ") => name,
        _ => before,
    };
    let name = name_of(before)?;
    let is_heading = behind.is_empty()
        || line.ends_with([':', '：'])
        || (!line.is_ascii() || behind.len() <= 40) && super::times::tells(behind);
    let words = name.split_whitespace().count();
    // "Bob the Builder wrote: The engine": in one line with the quote.
    let has_capital = |word: Option<&str>| word.is_some_and(|word| word.starts_with(char::is_uppercase));
    let mut parts = name.split_whitespace();
    let is_written = behind.starts_with([':', '：'])
        && *verb != " said"
        && has_capital(parts.next())
        && has_capital(parts.next_back());
    let is_name = words <= 2 || (is_heading || is_written) && words <= 4;
    ((is_heading || behind.starts_with([':', '：'])) && is_name && !is_nobody(name)).then_some(name)
}

/// Is the first word one that no name begins with? "He said", "The captain said".
fn is_nobody(name: &str) -> bool {
    const WORDS: [&str; 40] = [
        "a", "an", "and", "as", "but", "he", "her", "his", "i", "it", "my", "one", "our", "she", "so",
        "somebody", "someone", "that", "the", "their", "they", "this", "we", "what", "who", "you", "er",
        "ich", "sie", "der", "die", "das", "man", "wer", "il", "elle", "он", "она", "я", "кто",
    ];
    let first = name.split_whitespace().next().unwrap_or_default().to_lowercase();
    WORDS.contains(&first.as_str()) || ["他", "她", "我", "你", "我们", "他们"].contains(&name)
}

/// A name without what stands around it, where it is short enough for one.
fn name_of(text: &str) -> Option<&str> {
    let is_mark = |c: char| c.is_whitespace() || ":：,，\"“”«»《》[]「」@→↑".contains(c);
    // Dashes and the address of a letter: --- Ann <ann@example.org>
    let text = text.trim_start_matches(|c: char| c == '-' || c.is_whitespace());
    let text = text.split_once(" <").map_or(text, |(name, _)| name);
    let found = text.trim_matches(is_mark);
    // The link to what is quoted has words of its own.
    let found = ["View Post", "View post", "Go to post"]
        .iter()
        .find_map(|it| found.strip_suffix(it))
        .unwrap_or(found)
        .trim();
    let is_name = !found.is_empty()
        && found.split_whitespace().count() <= 4
        && found.chars().count() <= 40
        && found.chars().any(char::is_alphanumeric)
        && number(found).is_none();
    is_name.then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_were_writers() {
        assert!(leads_to_board("forum-20.html") && leads_to_board("/a/viewforum.php?f=3"));
        assert!(leads_to_board("https://boats.example/forumdisplay.php?fid=2"));
        assert!(!leads_to_board("/forum/ada.html") && !leads_to_board("/forum/member.php?u=3"));
        assert!(!leads_to_board("forum-user-20.html") && !leads_to_board(""));
    }

    #[test]
    fn files_were_writers() {
        assert!(leads_to_file("/a/slides.pdf") && leads_to_file("https://boats.example/x.PPTX?v=1"));
        assert!(!leads_to_file("/u/ada") && !leads_to_file("/u.pdf/ada") && !leads_to_file(""));
    }

    #[test]
    fn numbers_of_posts() {
        for (text, expected) in [
            ("#3", Some(3)),
            ("3#", Some(3)),
            ("第12楼", Some(12)),
            ("12 楼", Some(12)),
            ("沙发", Some(2)),
            ("Post #4", Some(4)),
            ("1#", Some(1)),
            ("2楼", Some(2)),
            ("Post #3", Some(3)),
            ("[Next #986]", None),
            ("[5]", None),
            ("3 replies", None),
            ("2010", None),
            ("#", None),
            ("#99999999999", None),
        ] {
            assert_eq!(number(text), expected, "{text}");
        }
    }

    #[test]
    fn numbers_beside_times() {
        for (line, expected) in [
            ("#1202 [2002-11-05 06:50:03]", Some(1202)),
            ("« Reply #3 on: May 03, 2011, 10:00:00 AM »", Some(3)),
            ("3楼 2010-3-4 11:22", Some(3)),
            ("发表于 2010-3-4 11:22 | 第3楼", Some(3)),
            ("May 3, 2011 - Post #7", Some(7)),
            ("Message 3 of 12, 3 May 2011", Some(3)),
            ("Posted: 3 May 2011, 10:00", None),
            ("Post 3 May 2011", None),
            ("2011-05-03 in reply to #7 by Ann", None),
            ("2011-05-03 10:00", None),
            ("#", None),
            ("", None),
        ] {
            assert_eq!(number_in_line(line), expected, "{line}");
        }
    }

    #[test]
    fn who_is_quoted() {
        for (line, expected) in [
            ("Ann wrote:", Some("Ann")),
            ("ئەسلى يازما ئادىل", Some("ئادىل")),
            ("Bob the Builder wrote: The engine is old.", Some("Bob the Builder")),
            ("People on the pier wrote: it rains.", None),
            ("Originally posted by Ann View Post", Some("Ann")),
            ("Originally Posted by Ben Hill", Some("Ben Hill")),
            ("引用：小雨 发表于 2010-3-4 11:22", Some("小雨")),
            ("原帖由 小雨 于 2010-3-4 发表", Some("小雨")),
            ("Quote from: Cora on May 3, 2011", Some("Cora")),
            ("author=Cora link=msg=14 date=1300000000 wrote:", Some("Cora")),
            ("Ann Wrote: →", Some("Ann")),
            ("(2010-03-04, 10:00)Ann Wrote: →", Some("Ann")),
            ("@ann said in Boats:", Some("ann")),
            ("On 3/4/2010 at 10:00 AM, Ann said:", Some("Ann")),
            ("引用第2楼小雨于2010-03-04 11:22发表的 Re:雨:", Some("小雨")),
            ("Zitat von Ann Moss", Some("Ann Moss")),
            ("[quote author=Ann link=topic=7 date=12]", Some("Ann")),
            ("--- In boats@example.org, \"Ann Moss\" <ann@...> wrote:", Some("Ann Moss")),
            ("نەقىل: ئايگۈل", Some("ئايگۈل")),
            ("It depends on the wind, as Ann said yesterday.", None),
            ("The captain said that it rains on Sundays", None),
            ("He said: not today.", None),
            ("It rained.", None),
            ("", None),
        ] {
            assert_eq!(quoted(line), expected, "{line}");
        }
    }

    #[test]
    fn who_signs_a_line() {
        for (line, expected) in [
            ("Posted on 2003-09-29 10:17:08 by Ann", Some("Ann")),
            ("by Ben Hill » Mon Mar 03, 2008 5:12 pm", Some("Ben Hill")),
            ("作者：小雨 发表时间：2008-12-10 8:42:55", Some("小雨")),
            ("Posted by: Cora 5/21/2024 4:47:57 AM", Some("Cora")),
            ("2003-09-29 nearby 7", None),
            ("2003-09-29", None),
        ] {
            assert_eq!(signer(line), expected, "{line}");
        }
    }

    #[test]
    fn words_of_classes() {
        assert!(has_word("postBody_user-name2", &["user"]));
        assert!(has_word("home.php?mod=space&uid=7", &PROFILE));
        assert!(!has_word("superuserx", &AUTHOR));
        assert!(!has_word("日本", &AUTHOR));
    }
}
