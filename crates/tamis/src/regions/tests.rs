//! Regions of small pages.

use super::*;
use crate::classify::PageType;

/// Classifies every block with letters and more than two words as text.
fn with_page<R>(
    html: &str,
    page_type: PageType,
    then: impl FnOnce(&Page<'_>, &Annotations, &Prediction) -> R,
) -> R {
    let mut page = Page::parse(html);
    let none = crate::text::log_odds::LogOddsTable::default();
    page.classes.score(&none, &none, &[]);
    let mut annotations = Annotations::default();
    annotations.fill(&page, &none);
    let kept: Vec<bool> = page.blocks.counts.iter().map(|counts| counts.words > 4).collect();
    let probabilities = kept.iter().map(|kept| if *kept { 0.9 } else { 0.3 }).collect();
    let prediction = Prediction { probabilities, kept, page_type, ..Prediction::default() };
    then(&page, &annotations, &prediction)
}

fn text_of(page: &Page<'_>, blocks: &[u32]) -> String {
    blocks.iter().map(|block| page.blocks.text(*block as usize)).collect::<Vec<_>>().join("\n")
}

/// Author, time, number and text of each post.
fn posts(html: &str) -> Vec<(String, String, u32, String)> {
    with_page(html, PageType::Forum, |page, annotations, prediction| {
        let posts = regions(page, annotations, prediction).thread();
        let fields = |post: PostRegion| {
            let time = post.time.map_or(String::new(), |time| time.to_string());
            let text = text_of(page, &post.blocks);
            (post.author.unwrap_or_default(), time, post.number.unwrap_or_default(), text)
        };
        posts.into_iter().map(fields).collect()
    })
}

const TEXTS: [&str; 3] = [
    "Does anybody know when the ferry to the island runs on Sundays in May?",
    "From May on it runs every two hours, says the board at the pier.",
    "Thank you very much, that is good to know before we leave on Sunday.",
];
const NAMES: [&str; 3] = ["Ada", "Ben", "Ada"];

/// A thread with a template for each post: `$a` author, `$t` text, `$n` number.
fn page_of(before: &str, template: &str, after: &str) -> String {
    let mut html = before.to_owned();
    for (index, (name, text)) in NAMES.iter().zip(TEXTS).enumerate() {
        let number = (index + 1).to_string();
        html.push_str(&template.replace("$a", name).replace("$t", text).replace("$n", &number));
    }
    html + after
}

fn regions<'p>(page: &'p Page<'p>, annotations: &'p Annotations, prediction: &'p Prediction) -> Regions<'p> {
    Regions::new(page, annotations, prediction, &RegionContext::default())
}

#[test]
fn threads_of_many_shapes_are_read() {
    let shapes = [
        // One element per post.
        (
            "",
            "<div class=post><a class=username href=/u/$a>$a</a> <time>2026-03-0$n 10:00</time><i>#$n</i><p>$t</p></div>",
            "",
        ),
        // Classes alternate.
        (
            "<ol>",
            "<li class='odd$n'><b class=author>$a</b><span class=date>2026-03-0$n 10:00</span> <span>#$n</span><div>$t</div></li>",
            "</ol>",
        ),
        // Head and body in adjacent rows.
        (
            "<table>",
            "<tr><td>#$n <a href='/profile/$a'>$a</a> <small>2026-03-0$n 10:00</small></td></tr><tr><td>$t</td></tr>",
            "</table>",
        ),
        // Nothing but headings and paragraphs.
        ("", "<h4><a href='/user/$a'>$a</a> <i>2026-03-0$n 10:00</i> <u>#$n</u></h4><p>$t</p>", ""),
        // Rank, day of joining, number of posts and a signature repeat with their writer.
        (
            "",
            "<div class=post><dl><dt class=username>$a</dt><dd>Member</dd><dd>Joined: 1 May 2010</dd><dd>Posts: 42</dd></dl>\
             <p class=date>2026-03-0$n 10:00 <i>#$n</i></p><div class=content>$t</div><div class=signature>Yours, $a from the shore</div></div>",
            "",
        ),
    ];
    for (before, template, after) in shapes {
        let posts = posts(&page_of(before, template, after));
        let expected: Vec<_> = (0..3)
            .map(|at| {
                (
                    NAMES[at].to_owned(),
                    format!("2026-03-0{}T10:00", at + 1),
                    at as u32 + 1,
                    TEXTS[at].to_owned(),
                )
            })
            .collect();
        assert_eq!(posts, expected, "{template}");
    }
}

#[test]
fn other_pages_have_no_posts() {
    let html =
        page_of("", "<div class=post><b class=author>$a</b><time>2026-03-0$n</time><p>$t</p></div>", "");
    let count = |page_type| {
        with_page(&html, page_type, |page, annotations, prediction| {
            regions(page, annotations, prediction).thread().len()
        })
    };
    assert_eq!(count(PageType::Forum), 3);
    assert_eq!(count(PageType::Article), 0);
}

#[test]
fn quotes_and_edit_notes_are_told_from_the_text() {
    let quote = "<blockquote><cite>Ada wrote:</cite><p>Does anybody know when the ferry runs on Sundays?</p></blockquote>";
    let html = page_of(
        "",
        &format!(
            "<div class=post><b class=author>$a</b> <time>2026-03-0$n</time><div class=content>{quote}<p>$t</p>\
             <p>Last edited by $a on 9 March 2026</p></div></div>"
        ),
        "",
    );
    with_page(&html, PageType::Forum, |page, annotations, prediction| {
        let posts = regions(page, annotations, prediction).thread();
        assert_eq!(posts.len(), 3);
        for (post, text) in posts.iter().zip(TEXTS) {
            assert_eq!(post.quotes.len(), 1);
            assert_eq!(post.quotes[0].author.as_deref(), Some("Ada"));
            assert_eq!(post.reply_to.as_deref(), Some("Ada"));
            assert!(text_of(page, &post.blocks).ends_with(text));
        }
    });
}

#[test]
fn a_message_of_a_mailing_list_is_a_post_whatever_the_page_type() {
    let html = "<ul><li>Previous message: <a href=1>Boats</a><li>Next message: <a href=2>Piers</a></ul>\
        <h1>Ferries</h1><b>Ada Byron</b> <a href='mailto:a@example.org'>a at example.org</a><br><i>Sun Mar 1 10:00:00 2026</i><hr>\
        <pre>Does anybody know when the ferry to the island runs on Sundays?\n\nThank you for any help.</pre>\
        <ul><li>Messages sorted by: <a href=3>[ date ]</a></ul>";
    with_page(html, PageType::Article, |page, annotations, prediction| {
        let posts = regions(page, annotations, prediction).thread();
        assert_eq!(posts.len(), 1);
        assert_eq!(posts[0].author.as_deref(), Some("Ada Byron"));
        assert_eq!(posts[0].time.map(|time| time.to_string()).as_deref(), Some("2026-03-01T10:00:00"));
        assert!(text_of(page, &posts[0].blocks).starts_with("Does anybody know"));
    });
}

#[test]
fn comments_are_read_below_an_article() {
    let article = "<article><h1>Ferries</h1><p>The ferries to the islands will run every two hours from May on, \
        said the mayor on Monday, and every hour in July and August, when the visitors come.</p>\
        <p>There were four ferries a day before, and people had to wait for hours in the rain.</p></article>";
    let comment = "<li class=comment><div class=body><cite class=fn>$a</cite> <span class=date>March $n, 2026</span><p>$t</p></div></li>";
    let html = page_of(&format!("{article}<div id=comments><h3>3 comments</h3><ol>"), comment, "</ol></div>");
    with_page(&html, PageType::Article, |page, annotations, prediction| {
        // The comments are not part of the main text.
        let mut prediction = prediction.clone();
        for block in 0..page.blocks.len() {
            let text = page.blocks.text(block);
            prediction.kept[block] &= !TEXTS.contains(&text);
        }
        let found = regions(page, annotations, &prediction).comments();
        let texts: Vec<_> = found.iter().map(|comment| text_of(page, &comment.blocks)).collect();
        assert_eq!(texts, TEXTS);
        let authors: Vec<_> =
            found.iter().map(|comment| comment.author.as_deref().unwrap_or_default()).collect();
        assert_eq!(authors, NAMES);
        assert_eq!(found[2].time.map(|time| time.to_string()).as_deref(), Some("2026-03-03"));
        // Never the main text itself.
        prediction.kept.fill(false);
        for block in 0..page.blocks.len() {
            prediction.kept[block] = TEXTS.contains(&page.blocks.text(block));
        }
        assert!(regions(page, annotations, &prediction).comments().is_empty());
    });
}

#[test]
fn nested_comments_answer_the_one_they_are_nested_in() {
    let open = "<li class=comment><p class=meta><b class=author>$a</b> <time>2026-03-01 10:0$n</time></p><p class=text>$t</p>";
    let comment = |at: usize| {
        open.replace("$a", ["Ada", "Ben", "Cy"][at]).replace("$t", TEXTS[at]).replace("$n", &at.to_string())
    };
    let html = format!("<ol>{}<ol>{}</ol></li>{}</li></ol>", comment(0), comment(1) + "</li>", comment(2));
    with_page(&html, PageType::Forum, |page, annotations, prediction| {
        let posts = regions(page, annotations, prediction).thread();
        let answered: Vec<_> = posts.iter().map(|post| post.reply_to.as_deref()).collect();
        let texts: Vec<_> = posts.iter().map(|post| text_of(page, &post.blocks)).collect();
        assert_eq!(texts, TEXTS);
        assert_eq!(answered, [None, Some("Ada"), None]);
    });
}

#[test]
fn entries_of_a_listing_have_title_link_date_and_text() {
    let mut html = "<nav><ul><li><a href=/>Home</a><li><a href=/a>About us</a></ul></nav><main>".to_owned();
    for day in 1..=5 {
        html.push_str(&format!(
            "<div class=teaser><h2><a href='/news/{day}'>Ferry number {day} runs again on Sundays</a></h2>\
             <p class=date>{day} March 2026</p><p>It had been out of service for {day} months after the storm.</p></div>"
        ));
    }
    with_page(&(html + "</main>"), PageType::Listing, |page, annotations, prediction| {
        let entries = regions(page, annotations, prediction).listing();
        assert_eq!(entries.len(), 5);
        assert_eq!(entries[1].title, "Ferry number 2 runs again on Sundays");
        assert_eq!(entries[1].link.as_deref(), Some("/news/2"));
        assert_eq!(entries[1].date.map(|date| date.to_string()).as_deref(), Some("2026-03-02"));
        assert_eq!(
            text_of(page, &entries[1].blocks),
            "It had been out of service for 2 months after the storm."
        );
    });
}

#[test]
fn hostile_pages_are_read_in_linear_time() {
    let many = "<div class=post><b class=author>x</b> 1.1.2020 text of a post".repeat(3000);
    for html in [many.as_str(), &"<p>1.1.2020".repeat(20_000), "", "<p>", &"<b>".repeat(5000)] {
        let start = std::time::Instant::now();
        posts(html);
        with_page(html, PageType::Listing, |page, annotations, prediction| {
            regions(page, annotations, prediction).listing();
            regions(page, annotations, prediction).comments();
        });
        assert!(start.elapsed().as_secs() < 20);
    }
}
