//! A message of a mailing list as archives show it, in the manner of Pipermail, Hypermail and MHonArc.
//!
//! Nothing repeats on such a page: it has one message, its writer and time, and above and below links to the messages before and
//! behind it and to lists of them all by date and by thread. These links are what the page is known by.

use tamis_html::Name;

use super::{Post, times};
use crate::block::Block;
use crate::page::Page;

/// How many of the first and of the last lines are looked at.
const NEAR: usize = 16;
/// The line of a name or a time has at most so many words.
const LINE: u32 = 24;

/// What the links say, without the first letters, which may be capitals. Those of the first group speak of nothing else.
const LISTS: [&str; 7] =
    ["essages sorted by", "ate Prev", "ate Next", "hread Prev", "hread Next", "ate Index", "hread Index"];
const OTHERS: [&str; 8] = [
    "revious message",
    "ext message",
    "ext in thread",
    "n reply to:",
    "ort by:",
    "hread view",
    "ate view",
    "ontemporary messages",
];

/// Is a page a message of a list?
pub(crate) fn is_letter(page: &Page<'_>) -> bool {
    let blocks = page.blocks();
    let (mut lists, mut others) = (0_u32, 0_u32);
    let near = blocks.iter().take(NEAR).chain(blocks.iter().skip(NEAR).rev().take(NEAR));
    for block in near.filter(|block| block.measures.text.words <= 40) {
        let text = page.text(block);
        let say = |marks: &[&str]| {
            marks
                .iter()
                .enumerate()
                .filter(|(_, mark)| text.contains(*mark))
                .fold(0, |bits, (at, _)| bits | 1 << at)
        };
        lists |= say(&LISTS);
        others |= say(&OTHERS);
    }
    lists != 0 && lists.count_ones() + others.count_ones() >= 2
}

/// The message, where the page is one.
pub(super) fn read(page: &Page<'_>) -> Option<Post> {
    if !is_letter(page) {
        return None;
    }
    let blocks = page.blocks();
    let says = |text: &str| LISTS.iter().chain(&OTHERS).any(|mark| text.contains(mark));
    let is_link = |block: &Block| block.measures.text.words <= 40 && says(page.text(block));
    // What is said stands in the widest gap between the lines of links.
    let (mut start, mut end, mut most) = (0, 0, 0);
    let (mut from, mut words) = (0, 0);
    for place in 0..=blocks.len() {
        match blocks.get(place).filter(|block| !is_link(block)) {
            Some(block) => words += block.measures.text.characters,
            None => {
                if words > most {
                    (start, end, most) = (from, place, words);
                }
                (from, words) = (place + 1, 0);
            }
        }
    }
    let mut post = Post::new(page.element(blocks.get(start)?).id(), 0..end);
    // The fields stand above the links, or above the words.
    let mut last = None;
    for place in 0..end {
        let block = &blocks[place];
        let text = page.text(block);
        let kind = Field::of(text);
        let is_time = block.measures.text.words <= LINE && times::tells(text);
        let is_head = kind.is_some() || is_time || page.element(block).is(Name::H1) || is_link(block);
        if place >= start && !is_head {
            break;
        }
        match kind {
            Some(Field::From(name)) => post.author = name_in(name).or(post.author),
            Some(Field::Answers(name)) => post.reply_to = name_in(name).or(post.reply_to),
            _ if is_time && post.time.is_none() && !matches!(kind, Some(Field::Other)) => {
                post.time = times::read(text);
                post.time_text = Some(text.to_owned());
                // The name stands right above the time, or in bold beside it.
                let line = last.filter(|_| post.author.is_none()).and_then(|place: usize| blocks.get(place));
                post.author = post.author.or_else(|| line.and_then(|line| bold_or_line(page, line)));
            }
            _ => {}
        }
        if !page.element(block).is(Name::H1) && !is_link(block) {
            last = Some(place);
        }
        if place >= start {
            start = place + 1;
        }
    }
    let is_foot = |block: &Block| {
        let text = page.text(block);
        ["Received on ", "This archive was generated"].iter().any(|foot| text.starts_with(foot))
    };
    post.body = (start..end).filter(|place| !is_foot(&blocks[*place])).collect();
    let longest = post.body.iter().max_by_key(|place| blocks[**place].measures.text.words)?;
    post.element = page.element(&blocks[*longest]).id();
    post.time.is_some().then_some(post)
}

/// The head of a message.
#[derive(Clone, Copy)]
enum Field<'t> {
    From(&'t str),
    Date,
    Answers(&'t str),
    Other,
}

impl Field<'_> {
    /// `From: Ann <ann@example.org>`.
    fn of(text: &str) -> Option<Field<'_>> {
        const OTHERS: [&str; 12] = [
            "to",
            "cc",
            "subject",
            "message-id",
            "references",
            "reply-to",
            "organization",
            "user-agent",
            "delivered-to",
            "list-id",
            "in-reply-to",
            "x-mailer",
        ];
        let (lead, rest) = text.split_at_checked(text.find(':')?)?;
        let lead = lead.trim();
        let is = |names: &[&str]| names.iter().any(|name| lead.eq_ignore_ascii_case(name));
        let rest = rest.get(1..)?.trim();
        if is(&["from", "author", "von", "de"]) || ["От", "发件人"].contains(&lead) {
            Some(Field::From(rest))
        } else if is(&["date", "datum", "sent"]) || ["Дата", "日期"].contains(&lead) {
            Some(Field::Date)
        } else if is(&["in reply to", "maybe in reply to"]) {
            Some(Field::Answers(rest.split(':').next().unwrap_or(rest)))
        } else {
            is(&OTHERS).then_some(Field::Other)
        }
    }
}

/// A name without the address beside it: `Ann Moss <ann@example.org>`, `Ann Moss (ann@example.org)`, `Ann Moss ann at example.org`.
fn name_in(text: &str) -> Option<String> {
    let end = text.find(['<', '[']).or_else(|| text.find('(').filter(|at| *at > 0)).unwrap_or(text.len());
    let mut words: Vec<&str> = text.get(..end)?.split_whitespace().collect();
    if let Some(at) = words.iter().position(|word| *word == "at").filter(|at| *at > 1 && at + 1 < words.len())
    {
        words.truncate(at - 1);
    }
    words.retain(|word| !word.contains('@'));
    let name = words.join(" ");
    let name = name.trim_matches(|c: char| "\"',:".contains(c));
    ((1..=60).contains(&name.chars().count())).then(|| name.to_owned())
}

/// The words in bold of a line, or its name.
fn bold_or_line(page: &Page<'_>, line: &Block) -> Option<String> {
    let mut runs = page.runs(line).iter();
    let bold =
        runs.find_map(|run| page.node(run.node).parent().filter(|it| it.is(Name::B) || it.is(Name::STRONG)));
    match bold {
        Some(bold) => name_in(&crate::characters::folded(&bold.text_content())),
        None => name_in(page.text(line)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "Does anybody know when the ferry runs on Sundays, and what it costs for two?";

    #[test]
    fn messages_of_lists() {
        let links = "<ul><li>Previous message: <a href=1.html>[Boats] Rain</a><li>Next message: <a href=3.html>[Boats] Fog</a>\
            <li><b>Messages sorted by:</b> <a href=date.html>[ date ]</a> <a href=thread.html>[ thread ]</a></ul>";
        let pipermail = format!(
            "<h1>[Boats] Sundays</h1><b>Ada Moss</b> <a href=m>ada at example.org</a><br><i>Mon Mar 1 10:00:00 CET 2021</i><p>{links}<hr>\
             <pre>{SAID}</pre><hr>{links}<a href=l>More information about the Boats mailing list</a>"
        );
        let hypermail = format!(
            "<h1>Sundays</h1><ul><li>Next message: <a href=3>Ben: \"Fog\"</a><li>In reply to: <a href=1>Cora: \"Rain\"</a>\
             <li>Messages sorted by: <a href=date.html>[ date ]</a></ul><p>From: Ada Moss &lt;ada@example.org&gt;<br>Date: Mon, 1 Mar 2021 \
             10:00:00 +0100</p><p>{SAID}</p><p>Received on Mon Mar 01 2021 - 10:00:00 CET</p><ul><li>Next message: <a href=3>Ben</a></ul>"
        );
        let mhonarc = format!(
            "[<a href=1>Date Prev</a>][<a href=3>Date Next</a>][<a href=t>Thread Index</a>]<h1>Sundays</h1><ul><li><em>From</em>: Ada Moss \
             &lt;ada@xxxx&gt;</li><li><em>To</em>: boats@xxxx</li><li><em>Date</em>: Mon, 1 Mar 2021 10:00:00 +0100</li></ul><hr><pre>{SAID}</pre>\
             <hr><ul><li>Prev by Date: <a href=1>Rain</a></li></ul>"
        );
        for (html, answers) in [(pipermail, None), (hypermail, Some("Cora")), (mhonarc, None)] {
            let page = Page::parse(&html);
            let post = read(&page).expect(&html);
            assert_eq!(post.author.as_deref(), Some("Ada Moss"), "{html}");
            assert!(
                post.time.as_deref().is_some_and(|time| time.starts_with("2021-03-01T10:00:00")),
                "{:?}",
                post.time
            );
            assert!(post.text(&page).starts_with(SAID), "{}", post.text(&page));
            assert_eq!(post.reply_to.as_deref(), answers);
        }
    }

    #[test]
    fn other_pages_are_no_messages() {
        for html in ["", "<p>Next message</p>", "<p>Messages sorted by</p>", "<p>It rained.</p>"] {
            assert_eq!(read(&Page::parse(html)), None, "{html}");
        }
    }
}
