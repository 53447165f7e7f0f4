//! Faults that facts of whole pages had, each with the page that showed it.

#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]

mod common;

use common::news::{HAN, TEXT, document};
use tamis::Extractor;
use tamis::facts::dates::Moment;

#[test]
fn the_name_of_a_blog_was_the_title_of_its_posts() {
    for head in [
        "<title>Harbour wall to be mended | Harbour Gazette</title><header><h1>Harbour Gazette</h1></header><h2>Harbour wall to be mended</h2>",
        "<title>Harbour wall to be mended | Harbour Gazette</title><header><h1>Harbour Gazette</h1></header>",
        "<title>Harbour wall to be mended - Ada's notes - Blogs</title><h1><a href=/ada>Ada's notes</a></h1><h3>Harbour wall to be mended</h3>",
        "<title>Harbour wall to be mended - Ada's notes - Blogs</title><h1><a href=/ada>Ada's notes</a></h1><div>Harbour wall to be mended</div>",
        // The name of the site may come first as well.
        "<title>Gazette | Harbour wall to be mended</title><h1>Harbour wall to be mended</h1><p>Gazette</p>",
    ] {
        let title = Extractor::new().extract(&format!("{head}{TEXT}")).title;
        assert_eq!(title.as_deref(), Some("Harbour wall to be mended"), "{head}");
    }
}

#[test]
fn the_name_of_a_chinese_blog_was_the_title_of_its_posts() {
    for head in [
        "<title>港口终于下雨了 - 阿达的日志 - 海港博客</title><h1>阿达的博客</h1><h3>日志</h3>",
        "<title>港口终于下雨了_阿达的空间_海港空间</title><h1>阿达的空间</h1><div>港口终于下雨了</div>",
        "<title>港口终于下雨了 - 阿达的专栏 - 博客频道 - 海港网</title><h2>阿达的专栏</h2><div>港口终于下雨了</div>",
    ] {
        let title = Extractor::new().extract(&format!("{head}{HAN}")).title;
        assert_eq!(title.as_deref(), Some("港口终于下雨了"), "{head}");
    }
    // The blog's own page is called so.
    let own = format!("<title>阿达的博客 - 海港博客</title><h1>阿达的博客</h1>{HAN}");
    assert_eq!(Extractor::new().extract(&own).title.as_deref(), Some("阿达的博客"));
}

#[test]
fn days_were_glued_to_titles() {
    for head in [
        "<title>Harbour wall to be mended | Harbour Gazette</title><h1>Harbour wall to be mended <time>15 May 2010</time></h1>",
        "<title>Harbour wall to be mended | Harbour Gazette</title><h1>Harbour wall to be mended 15 May 2010</h1>",
        "<title>Harbour wall to be mended | Harbour Gazette</title><h1>15.05.2010 - Harbour wall to be mended</h1>",
        "<meta property=og:title content='Harbour wall to be mended'><h1>Harbour wall to be mended (2010-05-15)</h1>",
    ] {
        let found = Extractor::new().extract(&format!("{head}{TEXT}"));
        assert_eq!(found.title.as_deref(), Some("Harbour wall to be mended"), "{head}");
        assert_eq!(found.published.as_deref(), Some("2010-05-15"), "{head}");
    }
    // Some pieces are called after a day.
    let title = "<title>Harbour minutes 15 May 2010</title><h1>Harbour minutes 15 May 2010</h1>";
    let html = format!("{title}{TEXT}");
    let found = Extractor::new().url("https://gazette.example/harbour-minutes").extract(&html);
    assert_eq!(found.title.as_deref(), Some("Harbour minutes 15 May 2010"));
}

#[test]
fn a_day_without_a_year_was_one_of_the_year_in_which_an_old_page_was_fetched() {
    let published = |rest: &str| {
        let html = format!("<html lang=en><h1>Harbour wall to be mended</h1><p>15 May</p>{TEXT}{rest}");
        Extractor::new().fetched(Moment::read("2021-03-04T12:00:00Z").unwrap()).extract(&html).published
    };
    assert_eq!(published("").as_deref(), Some("2020-05-15"));
    assert_eq!(published("<footer>© 2009 Harbour Gazette</footer>"), None);
    assert_eq!(published("<footer>© 2021 Harbour Gazette</footer>").as_deref(), Some("2020-05-15"));
    assert_eq!(
        published("<h3>Related</h3><ul><li><a href=/x>The wall of the harbour</a> 15 May 2009</ul>")
            .as_deref(),
        Some("2009-05-15")
    );
}

#[test]
fn data_of_elements_and_the_month_of_a_picture_were_not_asked() {
    let published =
        |head: &str| document(&format!("<html lang=en>{head}<h1>Harbour wall</h1>{TEXT}")).published;
    assert_eq!(published("<div data-date='15. Dezember 2010'></div>").as_deref(), Some("2010-12-15"));
    assert_eq!(published("<div data-date=2010-12-15></div><div data-date=2010-12-16></div>"), None);
    let picture = "<meta property=og:image content=https://gazette.example/up/2010/12/rain.jpg>";
    assert_eq!(
        published(&format!("<meta property=og:type content=article>{picture}")).as_deref(),
        Some("2010-12")
    );
    assert_eq!(published(picture), None, "who knows what page it is");
    assert_eq!(
        published(&format!("<meta property=og:type content=article>{picture}<p>3 May 2012</p>")).as_deref(),
        Some("2012-05-03")
    );
}

#[test]
fn days_on_which_a_page_was_made_ready_were_those_of_publication() {
    let published = |day: &str| {
        let head = "<meta name=dcterms.date content=2010-12-11T09:43+01:00>";
        let time = format!("<time datetime={day}T08:00:00+01:00>x</time>");
        document(&format!("<html lang=de>{head}<h1>Harbour wall</h1><p>{time}</p>{TEXT}")).published
    };
    assert_eq!(published("2010-12-15").as_deref(), Some("2010-12-15T08:00:00+01:00"));
    assert_eq!(published("2011-12-15").as_deref(), Some("2010-12-11T09:43+01:00"));
}

#[test]
fn the_day_of_a_review_was_that_of_the_goods() {
    let html = format!(
        "<html lang=en><h1>Big umbrella</h1>{TEXT}<h2>Reviews</h2><p>Reviewed by Bo on 3 May 2009</p><p>Keeps me dry.</p>"
    );
    assert_eq!(document(&html).published, None);
}

#[test]
fn the_day_on_which_an_office_wrote_was_that_of_publication() {
    let html = format!(
        "<h2>关于港口降雨的通知</h2><table><tr><td>成文日期：2010-12-14</td><td>发布日期：2010-12-15</td></tr></table>{HAN}"
    );
    assert_eq!(document(&html).published.as_deref(), Some("2010-12-15"));
}

#[test]
fn elements_that_a_template_glued_hid_the_day() {
    let published = |line: &str| {
        document(&format!("<html lang=en><h1>Harbour wall</h1><div>{line}</div>{TEXT}")).published
    };
    assert_eq!(published("<a href=/v>Virus-19</a><span>30 May 2021</span>").as_deref(), Some("2021-05-30"));
    assert_eq!(published("<em>2010-12-15 08:30</em><b>1st of 3</b>").as_deref(), Some("2010-12-15T08:30"));
    // Blocks beside them in the same element.
    let line = "<a href=/v>Virus-19</a><span>30 May 2021</span><div>Harbour</div>";
    assert_eq!(published(line).as_deref(), Some("2021-05-30"));
    assert_eq!(published("15<sup>th</sup> May 2010").as_deref(), Some("2010-05-15"));
}

#[test]
fn the_outlet_was_the_author() {
    let html = format!(
        "<meta name=author content=海港早班车><h1>港口终于下雨了</h1><p>2010-12-15 来源：海港早班车</p>{HAN}"
    );
    let found = document(&html);
    assert_eq!((found.source.as_deref(), found.authors), (Some("海港早班车"), Vec::new()));
}

#[test]
fn the_word_above_a_headline_was_part_of_it() {
    let title = |h1: &str| {
        let html = format!("<title>Harbour wall to be mended | Harbour Gazette</title><h1>{h1}</h1>{TEXT}");
        Extractor::new().extract(&html).title
    };
    for h1 in [
        "<span>Building</span> Harbour wall to be mended",
        "<span>Building:</span> <b>Harbour wall to be mended</b>",
        "<small>Building</small><br>Harbour wall to be mended",
    ] {
        assert_eq!(title(h1).as_deref(), Some("Harbour wall to be mended"), "{h1}");
    }
}

#[test]
fn the_section_was_the_title_of_a_page_without_headings() {
    let html = format!(
        "<title>明日天气预测--港口终于下雨了，花园不再干旱</title><div>明日天气预测</div><p>港口终于下雨了，花园不再干旱</p>{HAN}"
    );
    assert_eq!(Extractor::new().extract(&html).title.as_deref(), Some("港口终于下雨了，花园不再干旱"));
    let html = format!("<title>旗亭酒肆_海港论坛 - Powered by Discuz!</title>{HAN}");
    assert_eq!(Extractor::new().extract(&html).title.as_deref(), Some("旗亭酒肆"));
}

#[test]
fn a_day_was_read_as_one_behind_the_fetch() {
    let published = |fetched: &str| {
        let html = format!("<html lang=en-AU><h1>Harbour wall</h1><p>Posted 3/4/2021</p>{TEXT}");
        Extractor::new().fetched(Moment::read(fetched).unwrap()).extract(&html).published
    };
    assert_eq!(published("2021-03-10T12:00:00Z").as_deref(), Some("2021-03-04"));
    assert_eq!(published("2021-05-10T12:00:00Z").as_deref(), Some("2021-04-03"));
}

#[test]
fn whoever_made_the_look_of_a_page_was_its_author() {
    let authors = |value: &str| {
        let html = format!("<meta name=author content='{value}'><h1>Harbour wall</h1>{TEXT}");
        Extractor::new().url("https://gazette.example/wall").extract(&html).authors
    };
    assert_eq!(authors("Ada Finch - http://ada.example"), [""; 0]);
    assert_eq!(authors("Ada Finch, www.themes.example"), [""; 0]);
    assert_eq!(authors("Ada Finch (https://gazette.example/ada)"), ["Ada Finch"]);
    assert_eq!(authors("Ada Finch"), ["Ada Finch"]);
}

#[test]
fn editors_in_data_were_not_read() {
    let html = format!(
        r#"<script type=application/ld+json>{{"@type":"NewsArticle","author":{{"@type":"Person","name":"Ada Finch"}},
        "editor":[{{"@type":"Person","name":"Bo Lark"}},"Cy Wren"]}}</script><h1>Harbour wall</h1>{TEXT}"#
    );
    let found = document(&html);
    assert_eq!(
        (found.authors, found.editors),
        (vec!["Ada Finch".into()], vec!["Bo Lark".into(), "Cy Wren".into()])
    );
}

#[test]
fn programs_and_references_were_titles() {
    let title = |head: &str| Extractor::new().extract(&format!("{head}{TEXT}")).title;
    assert_eq!(title("<title>Untitled Document</title>"), None);
    assert_eq!(title("<title>无标题文档</title><h2>Rain at last</h2>").as_deref(), Some("Rain at last"));
    assert_eq!(title("<title>Rain &amp;amp; wind</title>").as_deref(), Some("Rain & wind"));
}

#[test]
fn another_date_of_the_line_did_not_settle_the_order() {
    let published = |head: &str| document(&format!("<html lang=en><h1>Rain</h1>{head}{TEXT}")).published;
    let line = "<p>Posted 3/4/2021, updated 25/4/2021</p>";
    assert_eq!(published(line).as_deref(), Some("2021-04-03"));
    assert_eq!(published("<p>Posted 3/4/2021, updated 4/25/2021</p>").as_deref(), Some("2021-03-04"));
    assert_eq!(
        published("<p>3/4/2021</p><p>Updated <time>25/4/2021</time></p>").as_deref(),
        Some("2021-04-03")
    );
}

#[test]
fn a_thread_had_the_day_on_which_its_writer_joined() {
    let post = |who: &str, joined: &str, when: &str, said: &str| {
        format!(
            "<div class=post><a class=username href=/user/{who}>{who}</a> <div>Joined: {joined}</div> <span>Posted {when}</span><p>{said}</p></div>"
        )
    };
    let html = format!(
        "<h1>Sundays</h1><div id=postlist>{}{}{}</div>",
        post(
            "ada",
            "3 May 2004",
            "14 March 2012, 10:15",
            "Does anybody know when the ferry runs on Sundays, and what it costs for two?"
        ),
        post(
            "ben",
            "9 June 2006",
            "15 March 2012, 11:20",
            "From May on, says the board at the pier, and it is four for each of you."
        ),
        post(
            "cy",
            "1 July 2001",
            "16 March 2012, 9:05",
            "The board is wrong, as every year; ask at the office behind the market."
        ),
    );
    assert_eq!(document(&html).published.as_deref(), Some("2012-03-14T10:15"));
}

#[test]
fn a_change_far_ahead_or_before_the_publication_was_given() {
    let page = |head: &str| document(&format!("{head}<h1>Rain</h1>{TEXT}"));
    let ahead = page("<meta property=article:modified_time content=2099-01-01>");
    assert_eq!((ahead.published, ahead.modified), (None, None));
    let before = page(
        "<meta property=article:published_time content=2010-12-15><meta property=article:modified_time content=2010-11-01>",
    );
    assert_eq!((before.published.as_deref(), before.modified), (Some("2010-12-15"), None));
    assert_eq!(page("<meta property=article:published_time content=1970-01-01>").published, None);
}

#[test]
fn other_pieces_in_json_ld_gave_their_day_and_author() {
    let item = r#"{"@type":"NewsArticle","headline":"Snow in the hills","datePublished":"2009-02-03","author":{"@type":"Person","name":"Bo Lark"}}"#;
    let list = format!(r#"{{"@type":"ItemList","itemListElement":[{{"@type":"ListItem","item":{item}}}]}}"#);
    let video = r#"{"@type":"VideoObject","name":"Snow in the hills","uploadDate":"2009-02-03","author":{"name":"Bo Lark"}}"#;
    for json in [list.as_str(), video] {
        let page = document(&format!(
            "<title>Rain at last - Gazette</title><script type=application/ld+json>{json}</script><h1>Rain at last</h1>{TEXT}"
        ));
        assert_eq!((page.published, page.authors), (None, vec![]), "{json}");
    }
}

#[test]
fn pictures_and_readers_gave_authors() {
    for html in [
        format!("<h1>Rain</h1><figure><img src=/a.jpg><figcaption>By Ada Finch</figcaption></figure>{TEXT}"),
        format!("<h1>Rain</h1>{TEXT}<div id=comments><p><a rel=author href=/u/1>Ada Finch</a></p></div>"),
    ] {
        assert_eq!(document(&html).authors, [""; 0], "{html}");
    }
}

#[test]
fn editors_and_sites_were_authors() {
    let page =
        document(&format!("<meta name=author content=李雷><h1>港口终于下雨了</h1>{HAN}<p>责编：李雷</p>"));
    assert_eq!((page.authors, page.editors), (vec![], vec!["李雷".to_owned()]));
    let page = document(&format!(
        "<title>港口终于下雨了_山谷新闻</title><meta name=author content=山谷><h1>港口终于下雨了</h1>{HAN}"
    ));
    assert_eq!(page.authors, [""; 0]);
}

#[test]
fn days_that_are_no_day_of_publication_won() {
    let sentence = "<p>The old wall, which the town had built by hand, fell into the sea on 15 December 2010, as many had feared it would do.</p>";
    let links = "<ul><li><a href=/a>Wind</a> <time datetime=2012-03-01>1 March</time><li><a href=/b>Snow</a> <time datetime=2012-03-02>2 March</time></ul>";
    let menu = "<p><a href=/m>News</a></p>".repeat(60);
    for html in [
        format!("<h1>Rain</h1>{sentence}{TEXT}"),
        format!(
            "<h1>Rain</h1><figure><img src=/a.jpg><figcaption>The wall, 15 December 2010</figcaption></figure>{TEXT}"
        ),
        format!("<header><div>15 December 2010</div></header>{menu}<h1>Rain</h1>{TEXT}"),
        format!("<h1>Rain</h1>{TEXT}{links}"),
    ] {
        assert_eq!(document(&html).published, None, "{html}");
    }
}

#[test]
fn links_to_comments_and_to_a_plain_next_page_were_not_seen() {
    let of = |path: &str| Some(format!("https://www.harbour-gazette.example{path}"));
    let page = document(&format!("<h1>Rain</h1>{TEXT}<p><a href=/talk/7>Read all 12 comments</a></p>"));
    assert_eq!(page.comments_page, of("/talk/7"));
    let page = document(&format!(
        "<h1>Rain</h1>{TEXT}<p><a href='https://other.example/talk'>Read all 12 comments</a></p>"
    ));
    assert_eq!(page.comments_page, None);
    let page = document(&format!("<h1>下雨</h1>{HAN}<p><a href=/talk/7>查看评论</a></p>"));
    assert_eq!(page.comments_page, of("/talk/7"));
    let page = document(&format!(
        "<h1>Rain</h1><p>Monday · <a href='/news/rain-at-last/comments'><b>12</b> comments</a></p>{TEXT}"
    ));
    assert_eq!(page.comments_page, of("/news/rain-at-last/comments"));
    let page = document(&format!(
        "<h1>Rain</h1>{TEXT}<p><a href='/comments/1'>3 comments</a></p><p><a href='/comments/2'>4 comments</a></p>"
    ));
    assert_eq!(page.comments_page, None);
    let page = document(&format!(
        "<h1>Rain</h1>{TEXT}<a rel=replies href='/news/rain-at-last#talk'>12 comments</a>"
    ));
    assert_eq!(page.comments_page, None);
    let page = document(&format!("<h1>Rain</h1>{TEXT}<p><a href='?page=2'>Next »</a></p>"));
    assert_eq!(page.next_page, of("/news/rain-at-last?page=2"));
    let page = document(&format!("<h1>Rain</h1>{TEXT}<p><a href=/sun>Next »</a></p>"));
    assert_eq!(page.next_page, None);
}

#[test]
fn small_faults() {
    let page = document(&format!("<h1>下雨</h1><p>发布时间：18-03-08 23:16</p>{HAN}"));
    assert_eq!(page.published.as_deref(), Some("2018-03-08T23:16"));
    let page = document(&format!(
        "<link rel=alternate type=APPLICATION/RSS+XML href=/feed><meta name=keywords content='Rain, rain, wind'>\
         <meta name=description content='&lt;p&gt;Nine dry &lt;b&gt;months&lt;/b&gt;&lt;/p&gt;'><h1>Rain</h1>\
         <figure><img srcset='/small.jpg 300w, /big.jpg 900w'></figure>{TEXT}\
         <footer><p>Text: <a href=https://creativecommons.org/licenses/by/4.0/>CC BY</a></p></footer>"
    ));
    assert_eq!(page.feeds, ["https://www.harbour-gazette.example/feed"]);
    assert_eq!(page.tags, ["Rain", "wind"]);
    assert_eq!(page.description.as_deref(), Some("Nine dry months"));
    assert_eq!(page.image.as_deref(), Some("https://www.harbour-gazette.example/small.jpg"));
    assert_eq!(page.licence.as_deref(), Some("https://creativecommons.org/licenses/by/4.0/"));
    let rights = "All that is said here may be read. ".repeat(8);
    assert_eq!(
        document(&format!("<meta name=dc.rights content='{rights}'><h1>Rain</h1>{TEXT}")).licence,
        None
    );
}

#[test]
fn bylines_of_teasers_took_the_author_away() {
    let data = "<script type=application/ld+json>{\"@type\":\"NewsArticle\",\"headline\":\"Rain\",\"author\":{\"@type\":\"Person\",\
         \"name\":\"Ada Finch\"}}</script>";
    let page = document(&format!("{data}<h1>Rain</h1><p>By Bo Lark</p><p>By Cy Moss</p>{TEXT}"));
    assert_eq!(page.authors, ["Ada Finch"]);
    let page = document(&format!("{data}<h1>Rain</h1><p>By Bo Lark</p>{TEXT}"));
    assert_eq!(page.authors, [""; 0]);
}

#[test]
fn the_seat_of_a_site_was_its_author() {
    let page = document(&format!(
        "<meta property=og:site_name content='Harbour Gazette'><meta name=author content='Harbour Gazette, Westport, Norland'>\
         <h1>Rain</h1>{TEXT}"
    ));
    assert_eq!(page.authors, [""; 0]);
}

#[test]
fn the_day_on_which_a_page_was_archived_was_its_day() {
    assert_eq!(document(&format!("<h1>Rain</h1><p>Archived on 15/12/2010</p>{TEXT}")).published, None);
}

#[test]
fn a_thread_was_called_as_its_board() {
    let post = |at: usize, subject: &str| {
        format!(
            "<div class=post><h3>{subject}</h3><a class=username href=/user/{at}>ada{at}</a> <span>2010-12-15 1{at}:00</span>\
             <p>Does anybody know when the ferry runs on Sundays, and what it costs for two with dog number {at}?</p></div>"
        )
    };
    let posts = format!("{}{}{}", post(1, "Sundays"), post(2, "Re: Sundays"), post(3, "Re: Sundays"));
    let head = "<title>Friends of the harbour • Sundays</title><h2>Sundays</h2>";
    let title = document(&format!("{head}<div id=postlist>{posts}</div>")).title;
    assert_eq!(title.as_deref(), Some("Sundays"));
}

#[test]
fn a_thread_had_the_day_of_the_post_that_was_linked_to() {
    let post = |at: usize| {
        format!(
            "<div class=post><a class=username href=/user/{at}>ada{at}</a> <time datetime='2010-12-1{at}T10:00:00Z'>1{at} \
             December 2010</time><p>Does anybody know when the ferry runs on Sundays, and what it costs for dog {at}?</p></div>"
        )
    };
    let html = format!(
        "<meta property=article:published_time content='2010-12-13T10:00:00Z'><h1>Sundays</h1><div id=postlist>{}{}{}</div>",
        post(1),
        post(2),
        post(3)
    );
    assert_eq!(document(&html).published.as_deref(), Some("2010-12-11T10:00:00Z"));
}

#[test]
fn the_day_of_the_last_change_was_that_of_publication() {
    let page = document(&format!(
        "<h1>雨终于来了</h1><p>更新时间：2010-12-17 10:00</p><p>发布时间：2010-12-15</p>{HAN}"
    ));
    assert_eq!(page.published.as_deref(), Some("2010-12-15"));
    assert_eq!(page.modified.as_deref(), Some("2010-12-17T10:00"));
    let page =
        document(&format!("<h1>雨终于来了</h1><p>发布时间：2010-12-15 | 修改时间：2010-12-16</p>{HAN}"));
    assert_eq!(page.published.as_deref(), Some("2010-12-15"));
    assert_eq!(page.modified.as_deref(), Some("2010-12-16"));
    for line in ["活动时间：2010-12-20", "Geburtsdatum: 15.12.1999", "今天是2010年12月15日 星期三"]
    {
        let page = document(&format!("<h1>雨终于来了</h1><p>{line}</p>{HAN}"));
        assert_eq!(page.published, None, "{line}");
    }
}

#[test]
fn the_day_of_another_story_was_that_of_the_page() {
    let card = |day: u8| {
        format!(
            "<article><a href=/s{day}><h3>A story of day {day}</h3></a><time datetime=2010-12-{day}>{day} December</time></article>"
        )
    };
    let cards: String = (11..=16).map(card).collect();
    let page = document(&format!("<main><h1>Rain at last</h1>{TEXT}</main><div>{cards}</div>"));
    assert_eq!(page.published, None);
    let page =
        document(&format!("<main><h1>Rain at last</h1><p>3 May 2010</p>{TEXT}</main><div>{cards}</div>"));
    assert_eq!(page.published.as_deref(), Some("2010-05-03"));
}

#[test]
fn the_day_of_the_first_comment_was_that_of_the_page() {
    let page = document(&format!(
        "<h1>Rain at last</h1>{TEXT}<h3>2 Responses to Rain at last</h3>\
        <ol><li><div>Bob says:</div><div>December 15, 2010 at 8:30 am</div><p>At last, yes.</p></li>\
        <li><div>Eve says:</div><div>December 16, 2010 at 9:30 am</div><p>And about time too.</p></li></ol>"
    ));
    assert_eq!(page.published, None);
}

#[test]
fn an_evening_was_a_morning() {
    let page = document(&format!(
        "<h1>Rain at last</h1><p><time datetime='2005-11-08T 8:50:09'>November 8, 2005 8:50 PM</time></p>{TEXT}"
    ));
    assert_eq!(page.published.as_deref(), Some("2005-11-08T20:50:09"));
}

#[test]
fn a_month_was_not_said_at_all() {
    for head in [
        "<meta property=article:published_time content=2010-12><h1>Rain at last</h1>",
        "<script type=application/ld+json>{\"@type\":\"Article\",\"datePublished\":\"2010-12\"}</script><h1>Rain at last</h1>",
        "<h1>Rain at last</h1><p>December 2010</p>",
        "<h1>Rain at last</h1><p>Published: December 2010</p>",
    ] {
        assert_eq!(document(&format!("{head}{TEXT}")).published.as_deref(), Some("2010-12"), "{head}");
    }
    let archive = "<h1>Rain at last</h1><p>December 2010</p><p>November 2010</p><p>October 2010</p>";
    assert_eq!(document(&format!("{archive}{TEXT}")).published, None, "months of an archive");
    let exact = "<meta name=date content=2010-11><h1>Rain at last</h1><p>15 December 2010</p>";
    assert_eq!(document(&format!("{exact}{TEXT}")).published.as_deref(), Some("2010-12-15"));
}

#[test]
fn posts_were_written_after_the_page_was_fetched() {
    let post = |who: &str, year: u16| {
        format!(
            "<div class=post><a class=username href=/user/{who}>{who}\u{202e}</a> <span>{year}-03-01 10:00</span>\
            <p>Does anybody know when the ferry runs on Sundays, and what it costs for {who} and me?</p></div>"
        )
    };
    let html = format!("<h1>Sundays</h1>{}{}{}", post("ada", 2019), post("ben", 2020), post("eve", 2040));
    let fetched = tamis::facts::dates::Moment::read("2021-01-01").unwrap();
    let posts = Extractor::new().fetched(fetched).extract(&html).posts;
    let times: Vec<_> = posts.iter().map(|post| post.time.as_deref()).collect();
    assert_eq!(times, [Some("2019-03-01T10:00"), Some("2020-03-01T10:00"), None]);
    assert_eq!(posts[0].author.as_deref(), Some("ada"), "without what turns the writing");
}

#[test]
fn characters_that_nobody_sees_were_facts() {
    let page = document(&format!(
        "<title>Har\u{ad}bour\u{200b} wall\u{1b}[31m mended</title><meta name=author content='Ada\u{202e} Miller'>\
        <meta name=description content='It\u{7} rained'><meta property=og:image content='/a\u{202e}b.jpg'>\
        <h1>Har\u{ad}bour wall mended</h1>{TEXT}"
    ));
    assert_eq!(page.title.as_deref(), Some("Harbour wall mended"));
    assert_eq!(page.authors, ["Ada Miller"]);
    assert_eq!(page.description.as_deref(), Some("It rained"));
    assert_eq!(page.image.as_deref(), Some("https://www.harbour-gazette.example/a%E2%80%AEb.jpg"));
}

#[test]
fn addresses_that_lead_nowhere_were_facts() {
    for href in ["mailto:ada@rain.example", "tel:1", "ftp://rain.example/", "https://", "http://[::1", "#"] {
        let page = document(&format!(
            "<link rel=canonical href='{href}'><link rel=alternate type=application/rss+xml href='{href}'>\
            <meta property=og:image content='{href}'><link rel=license href='{href}'><h1>Rain</h1>{TEXT}\
            <a rel=next href='{href}'>Next page</a>"
        ));
        let image = if href == "#" { page.image.clone() } else { None };
        assert_eq!(
            (page.canonical, page.image, page.licence, page.next_page),
            (None, image, None, None),
            "{href}"
        );
        assert!(page.feeds.is_empty(), "{href}");
    }
    // The page itself is not the next one.
    for href in ["", "#more", "/news/rain-at-last#2"] {
        let page = document(&format!("<h1>Rain</h1>{TEXT}<p><a rel=next href='{href}'>Next page</a>"));
        assert_eq!(page.next_page, None, "{href}");
    }
    // Nobody can go to an address without a host; where the page tells its own, others are known by it.
    let html = format!("<meta property=og:image content=/a.jpg><h1>Rain</h1>{TEXT}");
    assert_eq!(Extractor::new().extract(&html).image, None);
    let html = format!("<link rel=canonical href=https://rain.example/x>{html}");
    assert_eq!(Extractor::new().extract(&html).image.as_deref(), Some("https://rain.example/a.jpg"));
}

#[test]
fn the_licence_of_a_picture_was_that_of_the_page() {
    let link = "<a href=https://creativecommons.org/licenses/by/4.0/>CC BY</a>";
    let licence = |tail: &str| document(&format!("<h1>Rain</h1>{TEXT}{tail}")).licence;
    assert_eq!(licence(&format!("<p>Photo by Ada Miller, {link}</p>")), None);
    assert_eq!(
        licence(&format!("<figure><img src=/a.jpg><figcaption>Rain, {link}</figcaption></figure>")),
        None
    );
    assert!(licence(&format!("<footer><p>All texts: {link}</p></footer>")).is_some());
}

#[test]
fn the_reporter_was_a_part_of_the_source() {
    let page = document(&format!("<h1>雨终于来了</h1><p>来源：海港日报（记者张三）</p>{HAN}"));
    assert_eq!(page.source.as_deref(), Some("海港日报"));
}

#[test]
fn keywords_had_markup_and_numbers_of_programs() {
    let page = document(&format!(
        "<meta name=keywords content='&lt;b&gt;rain&lt;/b&gt;, 123e4567-e89b-12d3-a456-426614174000, harbour'><h1>Rain</h1>{TEXT}"
    ));
    assert_eq!(page.tags, ["rain", "harbour"]);
}

#[test]
fn the_next_label_was_a_part_of_the_author() {
    let authors = |line: &str| document(&format!("<h1>Rain</h1><div>{line}</div>{TEXT}")).authors;
    assert_eq!(authors("<span>Author: Ada Finch</span> <span>Date: 15 December 2010</span>"), ["Ada Finch"]);
    assert_eq!(authors("By Ada Finch Category: News"), ["Ada Finch"]);
    assert_eq!(document(&format!("<h1>雨</h1><p>作者：新华社记者王小明</p>{HAN}")).authors, ["王小明"]);
}

#[test]
fn a_line_that_says_what_day_it_is_gave_the_day_of_the_visit() {
    let page = |line: &str| {
        let fetched = tamis::facts::dates::Moment::read("2026-11-16").unwrap();
        Extractor::new().fetched(fetched).extract(&format!("<h1>雨</h1><p>{line}</p>{HAN}")).published
    };
    assert_eq!(page("今天是2010年12月15日 星期三"), None);
    assert_eq!(page("發布日期：99年12月15日"), None, "a year that is not known is not this one");
    assert_eq!(page("今天 08:30").as_deref(), Some("2026-11-16T08:30"));
}

#[test]
fn the_day_of_a_related_story_was_that_of_the_page() {
    let aside = "<aside><h3>Related</h3><a href=/snow>Snow in the hills</a> <time datetime=2010-12-15>15 December</time></aside>";
    assert_eq!(document(&format!("<h1>Rain</h1>{TEXT}{aside}")).published, None);
}

#[test]
fn the_licence_in_a_line_on_a_picture_was_that_of_the_page() {
    let line = "<p>Photo: Bob Miller, <a rel=license href=https://licences.example/by>CC BY</a></p>";
    assert_eq!(document(&format!("<h1>Rain</h1>{line}{TEXT}")).licence, None);
}

#[test]
fn the_head_of_a_thread_was_its_first_post() {
    let post = |who: &str, when: &str, said: &str| {
        format!(
            "<div class=post><a class=username href=/user/{who}>{who}</a> <span>Posted {when}</span><p>{said}</p></div>"
        )
    };
    let html = format!(
        "<h1>Sundays</h1><form><div class=post><p>Topic: when does the ferry run?</p></div>{}{}{}</form>",
        post(
            "ada",
            "14 March 2012, 10:15",
            "Does anybody know when the ferry runs on Sundays, and what it costs for two?"
        ),
        post(
            "bo",
            "14 March 2012, 11:02",
            "Twice, at nine and at four, if the ice allows; it says so on the board at the pier."
        ),
        post(
            "cy",
            "15 March 2012, 08:40",
            "The board is wrong, as every year; ask at the office behind the market."
        ),
    );
    let page = document(&html);
    assert_eq!(page.posts.first().and_then(|post| post.author.as_deref()), Some("ada"));
    assert_eq!(page.published.as_deref(), Some("2012-03-14T10:15"));
}
