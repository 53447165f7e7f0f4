//! Pages with and without comments, and pages that only look as if they had some.

use super::{Evidence, Part};
use crate::{Extractor, Judgement, Options, Page};

const TEXT: &str = "<h1>The river path</h1><p>A walk along the river, in the first warm week of the year: the path is dry \
    as far as the mill, and from there on it is not. Take boots, and something to eat, since the inn at the bridge is \
    closed until May and there is nothing else on the way but a shed.</p>";

fn page(rest: &str) -> String {
    format!("<title>The river path</title>{TEXT}{rest}")
}

/// What readers wrote, comment by comment.
fn comments(html: &str) -> Vec<String> {
    let page = Page::parse(html);
    crate::assemble::comments(&page).iter().map(|comment| comment.to_text().trim_end().to_owned()).collect()
}

#[test]
fn a_list_of_comments_with_replies() {
    let html = page(
        "<section id=comments><h2>3 comments</h2><ol class=commentlist>\
         <li class='comment even depth-1'><div class=comment-author>Ada</div><a href=#c1>2 March, 10:15</a>\
         <div class=comment-body><p>The inn is open.</p><ul><li>soup</li><li>bread</li></ul></div><a href=#r>Reply</a>\
         <ul class=children><li class='comment odd depth-2'><div class=comment-author>Ben</div>\
         <a href=#c2>2 March, 11:40</a><div class=comment-body><p>Thank you!</p></div><a href=#r>Reply</a></li></ul></li>\
         <li class='comment even depth-1'><div class=comment-author>Cem</div><a href=#c3>3 March, 8:02</a>\
         <div class=comment-body><p>Mud up to the knees.</p></div><a href=#r>Reply</a></li></ol></section>\
         <div id=respond><h3>Leave a comment</h3><form><textarea></textarea><button>Send</button></form></div>",
    );
    assert_eq!(comments(&html), ["The inn is open.\nsoup\nbread", "Thank you!", "Mud up to the knees."]);
    let parsed = Page::parse(&html);
    let found = parsed.comments();
    let evidence = &found.sections()[0].evidence;
    assert_eq!(evidence, &[Evidence::Name, Evidence::Heading, Evidence::Form, Evidence::Posts]);
    let all = Judgement::of(parsed.blocks().iter().map(|_| true));
    let main: Vec<&str> =
        found.main_text(&all).kept().map(|place| parsed.text(&parsed.blocks()[place])).collect();
    assert_eq!(main.len(), 2, "{main:?}");
    assert!(crate::assemble::comments(&parsed)[0].path.ends_with("ol/li[1]"));
}

#[test]
fn headings_of_many_languages_with_a_run_of_posts_are_enough() {
    for heading in
        ["网友评论（2）", "コメント", "Комментарии (2)", "ئىنكاسلار", "2 Kommentare", "التعليقات", "ความคิดเห็น"]
    {
        let html = page(&format!(
            "<h3>{heading}</h3><div><p><b>A</b> 2019-05-01 10:00</p><p>One thing to say.</p></div>\
             <div><p><b>B</b> 2019-05-02 11:30</p><p>And another thing.</p></div>"
        ));
        assert_eq!(comments(&html), ["One thing to say.", "And another thing."], "{heading}");
    }
}

#[test]
fn markup_says_what_a_comment_is() {
    let html = page(
        "<div><div itemscope itemtype='https://schema.org/Comment'><span itemprop=author>Ada</span>\
         <p itemprop=text>The shed has a roof now.</p></div></div>",
    );
    assert_eq!(comments(&html), ["The shed has a roof now."]);
}

#[test]
fn a_class_alone_is_not_believed() {
    let html =
        page("<div class=comments><p>The path was made by the mill's owners, a hundred years ago.</p></div>");
    assert!(Page::parse(&html).comments().sections().is_empty());
    let html = format!("<body class=comments><div id=comments>{TEXT}</div>");
    assert!(Page::parse(&html).comments().sections().is_empty());
}

#[test]
fn a_chapter_on_comments_was_taken_for_a_section_of_them() {
    let html =
        page("<section id=comments><h2>Comments</h2><p>A comment begins with a number sign.</p></section>");
    assert!(Page::parse(&html).comments().sections().is_empty());
}

#[test]
fn posts_of_a_thread_are_the_main_text() {
    let post = |n: u32| {
        format!(
            "<div class=post><b>User {n}</b> 2020-01-0{n} 10:00<p>What I know of the path along the river and the mill.</p></div>"
        )
    };
    // The first post stands before the "comments", in the same shape.
    let html =
        format!("{}<div id=comments><h3>2 comments</h3>{}{}</div>", post(1).repeat(4), post(2), post(3));
    assert!(Page::parse(&html).comments().sections().is_empty());
    // A line that opens a thread, and much that is said.
    let reply = "<li class=comment><b>B</b> 10:15<p>Well, it depends on what you want to do there, and when, and with whom.</p></li>";
    let html = format!(
        "<p>Who knows the path along the river? I would like to walk it in spring, with two children and a dog, \
        as far as the mill and back, and need to know about mud.</p><div id=comments><h3>40 comments</h3><ol>{}</ol></div>",
        reply.repeat(40)
    );
    assert!(Page::parse(&html).comments().sections().is_empty());
    let html = page(&format!("<div id=comments><h3>2 comments</h3><ol>{}</ol></div>", reply.repeat(2)));
    assert_eq!(Page::parse(&html).comments().sections().len(), 1);
    assert!(Page::parse(&html).with_url("https://example.org/forum/t1").comments().sections().is_empty());
}

/// A section of comments without any class, each as long as the text above it.
fn long_comments(count: usize) -> String {
    let comment = |n: usize| {
        format!(
            "<div><span>User {n}</span> <time>2026-03-01 10:{:02}</time><p>Number {n} has walked it, as far as the mill and \
             back, with two children and a dog, and would not do it again before May: the mud is deep, the inn is closed, \
             the shed has no roof, and the bus that should take people home in the evening is not to be relied upon.</p>\
             <a href=#>Reply</a></div>",
            n + 10
        )
    };
    let all: String = (0..count).map(comment).collect();
    format!("<section><h2>Comments ({count})</h2>{all}</section>")
}

#[test]
fn comments_longer_than_their_article_were_its_text() {
    let html = format!("<title>The river path</title><article>{TEXT}</article>{}", long_comments(20));
    assert_eq!(comments(&html).len(), 20);
    let page = Page::parse(&html);
    assert!(page.posts().is_empty());
    let text = crate::extract(&html).to_text(&Options::default());
    assert!(text.contains("A walk along the river") && !text.contains("has walked it"), "{text}");
    // Without the element, a heading speaks for a section that is not many times as long.
    assert_eq!(comments(&page_of_two_paragraphs(&long_comments(6))).len(), 6);
    // Where the posts are articles, the first of them is no text that the others are about.
    let posts = long_comments(20).replace("<div>", "<article>").replace("</div>", "</article>");
    let opening = TEXT.replace("<h1>", "<b>").replace("</h1>", "</b> 2026-03-01 10:15");
    assert!(comments(&format!("<article>{opening}</article>{posts}")).is_empty());
}

fn page_of_two_paragraphs(rest: &str) -> String {
    page(&format!("{}{rest}", &TEXT[TEXT.find("<p>").unwrap_or(0)..]))
}

#[test]
fn where_nothing_else_is_kept_comments_are_the_text() {
    let html = page(
        "<div id=comments><h3>1 comment</h3><div class=comment><cite>Ada</cite><p>The inn is open.</p></div></div>",
    );
    let page = Page::parse(&html);
    let only =
        Judgement::of((0..page.blocks().len()).map(|place| page.comments().part(place) == Some(Part::Body)));
    assert_eq!(only.kept().count(), 1);
    let document = Extractor::new().comments(true).document(&page, &only);
    assert_eq!(document.to_text(&Options::default()), "The inn is open.\n");
    assert!(document.comments.is_empty());
}

#[test]
fn rows_of_buttons_below_posts_headed_a_section() {
    let post = |n: u32, buttons: &str| {
        format!(
            "<div class=p><a href=/u/{n}>Writer {n}</a> <i>2026-03-0{n} 10:15</i><p>The path is dry as far as the mill, number {n} \
             says, and from there on it is not, so take boots and something to eat with you on the way.</p>{buttons}</div>"
        )
    };
    for row in [
        "<div><a href=#>Quote</a> <a href=#>Comment</a> <a href=#>Report</a></div>",
        "<div>Like Comment ({n}) Share</div>",
        "<div><span>引用</span> <span>评论</span></div>",
    ] {
        let html: String = (1..5).map(|n| post(n, &row.replace("{n}", &n.to_string()))).collect();
        let page = Page::parse(&html);
        assert!(page.comments().sections().is_empty(), "{row}");
        assert_eq!(page.posts().len(), 4, "{row}");
    }
}

#[test]
fn sections_inside_of_sections_cost_no_more_than_the_page() {
    let deep = format!("{TEXT}{}x 10:15", "<div class=comments><p>Comments</p>".repeat(20_000));
    let page = Page::parse(&deep);
    let begun = std::time::Instant::now();
    let _ = page.comments();
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    let wide = format!(
        "{TEXT}{}",
        "<div id=comments><h3>1 comment</h3><p class=comment><b>A</b> 10:15</p></div>".repeat(20_000)
    );
    let page = Page::parse(&wide);
    let begun = std::time::Instant::now();
    let _ = page.comments();
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}
