//! Facts of whole pages, as a caller sees them.

#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]

mod common;

use common::news::{HAN, TEXT, document};
use tamis::facts::Field;
use tamis::facts::dates::Moment;
use tamis::{Extractor, Page, Site};

#[test]
fn a_title_without_the_sites_name() {
    for head in [
        "<title>Rain at last | Harbour Gazette</title><h1>Rain at last</h1>",
        "<title>Rain at last - Harbour Gazette</title>",
        "<title>Harbour Gazette: Home</title><meta property=og:title content='Rain at last'><h1>Rain at last</h1>",
        "<title>Rain at last — Weather — Harbour Gazette</title><h1><a href=/>Harbour Gazette</a></h1><h2>Rain at last</h2>",
        "<title>Rain at last</title><h1><img src=logo.png alt='Harbour Gazette'></h1>",
    ] {
        assert_eq!(document(&format!("{head}{TEXT}")).title.as_deref(), Some("Rain at last"), "{head}");
    }
    let title = |head: &str| document(&format!("{head}{HAN}")).title;
    assert_eq!(title("<title>港口终于下雨了_港口新闻网</title>").as_deref(), Some("港口终于下雨了"));
    assert_eq!(
        title("<title>港口终于下雨了－港口新闻网</title><h1>港口终于下雨了</h1>").as_deref(),
        Some("港口终于下雨了")
    );
}

#[test]
fn times_from_data_and_from_lines() {
    let published = |head: &str| document(&format!("{head}{TEXT}")).published;
    let json = r#"<script type="application/ld+json">{"@type":"NewsArticle",,"datePublished":"2010-12-15T08:30:00+01:00","dateModified":"2011-01-02"}</script>"#;
    let page = document(&format!("{json}<h1>Rain at last</h1>{TEXT}<footer>© 2012 Gazette</footer>"));
    assert_eq!(page.published.as_deref(), Some("2010-12-15T08:30:00+01:00"));
    assert_eq!(page.modified.as_deref(), Some("2011-01-02"));
    assert_eq!(published("<h1>Rain</h1><p>Published 15 December 2010</p>").as_deref(), Some("2010-12-15"));
    assert_eq!(
        published("<h1>Rain</h1><p>15 December 2010. Updated 3 January 2011</p>").as_deref(),
        Some("2010-12-15")
    );
    assert_eq!(
        published("<h1>Rain</h1><time datetime='2010-12-15T08:30Z'>Wednesday</time>").as_deref(),
        Some("2010-12-15T08:30Z")
    );
    assert_eq!(published("<h1>Rain</h1><p>Copyright 15 December 2010"), None);
}

#[test]
fn never_later_than_the_page_was_fetched() {
    let html = format!("<meta name=pubdate content=2013-01-01><h1>Rain</h1><p>15 December 2010</p>{TEXT}");
    let fetched = Moment::read("2011-01-01").unwrap();
    assert_eq!(Extractor::new().fetched(fetched).extract(&html).published.as_deref(), Some("2010-12-15"));
    assert_eq!(Extractor::new().extract(&html).published.as_deref(), Some("2013-01-01"));
}

#[test]
fn the_order_of_day_and_month() {
    let published = |head: &str| document(&format!("{head}{TEXT}")).published;
    assert_eq!(published("<html lang=en-US><h1>Rain</h1><p>3/4/2021</p>").as_deref(), Some("2021-03-04"));
    assert_eq!(published("<html lang=en-GB><h1>Rain</h1><p>3/4/2021</p>").as_deref(), Some("2021-04-03"));
    let settled = "<html lang=en-US><h1>Rain</h1><p>3/4/2021</p><time datetime=2021-04-03>3 April</time>";
    assert_eq!(published(settled).as_deref(), Some("2021-04-03"), "another date of the page decides");
}

#[test]
fn comments_and_related_stories_have_dates_of_their_own() {
    let html = format!(
        "<h1>Rain at last</h1><p>15 December 2010</p>{TEXT}<div id=comments><h3>2 comments</h3>\
         <div class=comment><cite>Ada</cite> <time datetime=2011-02-03>3 Feb</time><p>Not a drop in our street.</p></div>\
         <div class=comment><cite>Bo</cite> <time datetime=2011-02-04>4 Feb</time><p>Nor in ours, I am afraid.</p></div></div>\
         <aside><ul><li><a href=/a>Wind at last</a> 1 March 2012<li><a href=/b>Snow at last</a> 2 March 2012</ul></aside>"
    );
    assert_eq!(document(&html).published.as_deref(), Some("2010-12-15"));
}

#[test]
fn authors_editors_and_the_source() {
    let page = document(&format!(
        "<h1>港口终于下雨了</h1><p>2010年12月15日 08:30 来源：山谷日报 作者：王小明</p>{HAN}<p>责任编辑：李雷</p>"
    ));
    assert_eq!((page.authors, page.editors), (vec!["王小明".to_owned()], vec!["李雷".to_owned()]));
    assert_eq!(page.source.as_deref(), Some("山谷日报"));
    assert_eq!((page.published.as_deref(), page.language.as_deref()), (Some("2010-12-15T08:30"), Some("zh")));
    let page = document(&format!("<h1>Rain</h1><p>By Ada Finch, 15 December 2010</p>{TEXT}"));
    assert_eq!(page.authors, ["Ada Finch"]);
    let page = document(&format!("<meta name=author content='Harbour Gazette'><h1>Rain</h1>{TEXT}"));
    assert!(page.authors.is_empty(), "the site is no author");
}

#[test]
fn the_rest() {
    let page = document(&format!(
        "<html lang=en><link rel=canonical href=/rain><link rel=next href=/rain?page=2><link rel=alternate type=application/rss+xml href=/feed>\
         <link rel=license href=https://licence.example/by><meta name=description content='Nine dry months &amp; then rain'>\
         <meta name=keywords content='rain, harbour'><meta property=article:section content=Weather><meta property=og:image content=/rain.jpg>\
         <meta property=og:type content=article><meta property=og:site_name content='Harbour Gazette'><h1>Rain</h1>{TEXT}"
    ));
    let of = |path: &str| Some(format!("https://www.harbour-gazette.example{path}"));
    assert_eq!(
        (page.canonical, page.next_page, page.image),
        (of("/rain"), of("/rain?page=2"), of("/rain.jpg"))
    );
    assert_eq!(page.feeds, [of("/feed").unwrap()]);
    assert_eq!(page.licence.as_deref(), Some("https://licence.example/by"));
    assert_eq!(page.description.as_deref(), Some("Nine dry months & then rain"));
    assert_eq!(
        (page.tags, page.categories),
        (vec!["rain".to_owned(), "harbour".to_owned()], vec!["Weather".to_owned()])
    );
    assert_eq!(
        (page.page_type.as_deref(), page.site_name.as_deref()),
        (Some("article"), Some("Harbour Gazette"))
    );
    assert_eq!((page.language.as_deref(), page.direction.as_deref()), (Some("en"), Some("ltr")));
}

#[test]
fn broken_json_ld_is_read() {
    let day = r#""@type":"NewsArticle","datePublished":"2010-12-15""#;
    for (fault, json) in [
        ("comments", format!("/* the piece */ {{{day} // the day\n}}")),
        ("a trailing comma", format!("{{{day},}}")),
        ("several objects", format!("{{\"@type\":\"WebSite\",\"name\":\"Gazette\"}}{{{day}}}")),
        ("a list with a trailing comma", format!("[{{{day}}},]")),
        ("HTML escapes", format!("{{{day}}}").replace('"', "&quot;")),
        ("a comment of HTML around it", format!("<!-- {{{day}}} -->")),
        ("a line break in a text", format!("{{\"headline\":\"Rain\nat last\",{day}}}")),
        ("an end that is missing", format!("{{{day}")),
    ] {
        let html = format!("<script type=application/ld+json>{json}</script><h1>Rain at last</h1>{TEXT}");
        assert_eq!(document(&html).published.as_deref(), Some("2010-12-15"), "{fault}");
    }
}

#[test]
fn a_copyright_year_is_no_date() {
    let html = format!(
        "<h1>Rain at last</h1>{TEXT}<footer>© 2012 Harbour Gazette</footer><p>Copyright 1 January 2012</p>"
    );
    assert_eq!(document(&html).published, None);
}

#[test]
fn dates_of_other_calendars_and_numerals() {
    for (text, day) in [
        ("民國99年12月15日", "2010-12-15"),
        ("二零一零年十二月十五日", "2010-12-15"),
        ("二〇一〇年十二月十五日 下午三时", "2010-12-15"),
        ("۲۴ آذر ۱۳۸۹", "2010-12-15"),
        ("15 ธันวาคม 2553", "2010-12-15"),
        ("١٥ ديسمبر ٢٠١٠", "2010-12-15"),
        ("2010-يىلى 15-دېكابىر", "2010-12-15"),
    ] {
        let page = document(&format!("<h1>Rain at last</h1><p>{text}</p>{TEXT}"));
        let found = page.published.as_deref().and_then(|found| found.get(..10));
        assert_eq!(found, Some(day), "{text}");
    }
}

#[test]
fn relative_times_count_from_the_fetch() {
    let at = |text: &str| {
        let fetched = Moment::read("2010-12-15T12:00Z").unwrap();
        let html = format!("<h1>Rain at last</h1><p>{text}</p>{TEXT}");
        Extractor::new().fetched(fetched).extract(&html).published
    };
    assert_eq!(at("3 hours ago").as_deref(), Some("2010-12-15T09:00Z"));
    assert_eq!(at("3小时前").as_deref(), Some("2010-12-15T09:00Z"));
    assert_eq!(at("Yesterday").as_deref(), Some("2010-12-14"));
    let html = format!("<h1>Rain at last</h1><p>3 hours ago</p>{TEXT}");
    assert_eq!(Extractor::new().extract(&html).published, None, "nothing to count from");
}

#[test]
fn data_that_only_know_the_last_change_lose_against_the_headline() {
    let json = r#"<script type="application/ld+json">{"@type":"NewsArticle","datePublished":"2012-05-06","dateModified":"2012-05-04"}</script>"#;
    let page = document(&format!("{json}<h1>Rain at last</h1><p>15 December 2010</p>{TEXT}"));
    assert_eq!(page.published.as_deref(), Some("2010-12-15"));
}

#[test]
fn what_was_first_published_is_the_day_of_publication() {
    let page = document(&format!(
        "<h1>Rain at last</h1><p>3 May 2012</p>{TEXT}<p>This article was originally published on 15 December 2010.</p>"
    ));
    assert_eq!(page.published.as_deref(), Some("2010-12-15"));
}

#[test]
fn a_day_and_a_clock_that_grew_together() {
    let page = document(&format!("<h1>Rain at last</h1><p>ada28.09.1912:44</p>{TEXT}"));
    assert_eq!(page.published.as_deref(), Some("2019-09-28T12:44"));
}

#[test]
fn the_month_in_an_address_may_be_a_word() {
    let html = format!("<html lang=en><h1>Rain</h1><p>03/10/2023</p>{TEXT}");
    let page = Extractor::new().url("https://gazette.example/blog/2023/october/03/rain/").extract(&html);
    assert_eq!(page.published.as_deref(), Some("2023-10-03"));
    let page = Extractor::new().url("https://gazette.example/en-gb/rain/").extract(&html);
    assert_eq!(page.published.as_deref(), Some("2023-10-03"), "the region in the address");
}

#[test]
fn nobody_is_named_where_data_and_byline_disagree() {
    let head = "<meta name=author content='Cy Wren'><h1>Rain</h1>";
    let page = document(&format!("{head}<p>By Ada Finch</p>{TEXT}"));
    assert!(page.authors.is_empty(), "{:?}", page.authors);
    assert_eq!(document(&format!("{head}{TEXT}")).authors, ["Cy Wren"]);
}

#[test]
fn a_heading_that_repeats_the_sites_name() {
    let page = document(&format!(
        "<meta property=og:site_name content='Harbour Gazette'><title>Rain at last | Harbour Gazette</title>\
         <h1>Rain at last | Harbour Gazette</h1>{TEXT}"
    ));
    assert_eq!(page.title.as_deref(), Some("Rain at last"));
}

#[test]
fn microdata_rdfa_and_dublin_core() {
    let published = |head: &str| document(&format!("{head}{TEXT}")).published;
    for head in [
        "<div itemscope itemtype=https://schema.org/Article><h1>Rain</h1><meta itemprop=datePublished content=2010-12-15>",
        "<div vocab=https://schema.org/ typeof=Article><h1>Rain</h1><span property=datePublished content=2010-12-15>today</span>",
        "<meta name=DC.date.issued content=2010-12-15><h1>Rain</h1>",
        "<meta name=dcterms.created content=2010-12-15><h1>Rain</h1>",
    ] {
        assert_eq!(published(head).as_deref(), Some("2010-12-15"), "{head}");
    }
    let page = document(&format!("<meta name=DC.creator content='Ada Finch'><h1>Rain</h1>{TEXT}"));
    assert_eq!(page.authors, ["Ada Finch"]);
}

#[test]
fn links_to_more() {
    let page = document(&format!(
        "<h1>Rain</h1>{TEXT}<p><a href=/rain/2>Next page</a></p><a rel=replies href=/rain/talk>12 comments</a>"
    ));
    assert_eq!(page.next_page.as_deref(), Some("https://www.harbour-gazette.example/rain/2"));
    assert_eq!(page.comments_page.as_deref(), Some("https://www.harbour-gazette.example/rain/talk"));
}

#[test]
fn the_site_memory_tells_which_part_of_a_title_is_the_sites() {
    // Nothing but the memory says that the first and longer part is the site's.
    let of = |title: &str, text: &str| {
        format!(
            "<title>The great harbour and valley gazette - {title}</title>\
             <div><a href=/>The great harbour and valley gazette</a></div>{text}"
        )
    };
    let mut site = Site::default();
    for day in 0..30 {
        let text = format!("<p>On day {day} of the year it was dry, and the {day} gardens were brown.</p>");
        site.observe(&Page::parse(&of(&format!("Day {day} was dry"), &text)));
    }
    let page = of("Rain", TEXT);
    let knowing = Extractor::new().site(site);
    assert_eq!(knowing.extract(&page).title.as_deref(), Some("Rain"));
    // The evidence said that the host agreed.
    let parsed = knowing.page(&page);
    let evidence = knowing.evidence(&parsed, &knowing.judge(&parsed));
    let named = evidence.of(Field::SiteName).map(|it| it.detail.as_ref()).collect::<Vec<_>>();
    assert_eq!(named, ["known from other pages of the site"]);
    assert_ne!(Extractor::new().extract(&page).title.as_deref(), Some("Rain"), "without a memory");
}

#[test]
fn hostile_pages_are_bounded() {
    for html in [
        "<time datetime=2010-12-15>x</time>".repeat(20_000),
        "<h1 class=date>2010-12-15</h1>".repeat(20_000),
        format!("<title>{}</title>", "a | b - ".repeat(50_000)),
        format!("<script type=application/ld+json>{}</script>", "[{\"a\":".repeat(100_000)),
        "<meta name=author content='Ada Finch, Bo Lark'>".repeat(20_000),
        "<p>作者：王小明 来源：山谷日报 2010年12月15日</p>".repeat(10_000),
    ] {
        let _ = document(&html);
    }
}

#[test]
fn addresses_that_do_something_are_no_facts() {
    let page = document(&format!(
        "<meta property=og:url content='javascript:alert(1)'><meta property=og:image content='java\tscript:alert(1)'>\
         <meta name=license content='javascript:alert(1)'><link rel=next href='{{page.NEXT}}'><h1>Rain</h1>{TEXT}"
    ));
    assert_eq!((page.canonical, page.image, page.licence, page.next_page), (None, None, None, None));
}

#[test]
fn a_title_of_a_hundred_thousand_underscores_takes_no_time() {
    let title = "_a".repeat(500_000);
    let page = document(&format!("<meta property=og:title content='{title}'><h1>Rain</h1>{TEXT}"));
    assert_eq!(page.title.as_deref(), Some("Rain"));
}

#[test]
fn times_of_posts_did_not_count_from_the_fetch() {
    let post = |who: &str, when: &str, said: &str| {
        format!(
            "<div class=post><a class=username href=/user/{who}>{who}</a> <span>{when}</span><p>{said}</p></div>"
        )
    };
    let html = format!(
        "<h1>Sundays</h1><div id=postlist>{}{}{}</div>",
        post(
            "ada",
            "5 hours ago",
            "Does anybody know when the ferry runs on Sundays, and what it costs for two?"
        ),
        post(
            "ben",
            "3 hours ago",
            "From May on it leaves at nine, says the board at the pier; the dogs go for free."
        ),
        post(
            "cora",
            "2 hours ago",
            "We took it last year. Bring something warm, since the wind is cold out there."
        ),
    );
    let times = |extractor: Extractor| -> Vec<Option<String>> {
        extractor.extract(&html).posts.into_iter().map(|post| post.time).collect()
    };
    let fetched = Extractor::new().fetched(Moment::read("2021-03-04T12:00:00Z").unwrap());
    assert_eq!(
        times(fetched),
        ["2021-03-04T07:00Z", "2021-03-04T09:00Z", "2021-03-04T10:00Z"].map(|it| Some(it.to_owned()))
    );
    assert_eq!(times(Extractor::new()), [None, None, None]);
}

#[test]
fn a_heading_alone_says_that_stories_are_others() {
    let page = document(&format!(
        "<h1>Rain</h1>{TEXT}<h3>Related</h3><div><a href=/sun>Sun again</a></div><div>15 December 2010</div>\
         <div><time datetime=2010-12-16>yesterday</time></div>"
    ));
    assert_eq!(page.published, None);
    let page = document(&format!("<h1>Rain</h1>{TEXT}<p>Ada wrote on 15 December 2010:</p>"));
    assert_eq!(page.published, None);
}

#[test]
fn a_day_far_ahead_won_without_a_fetch_time() {
    let page = document(&format!(
        "<meta name=pubdate content=2098-01-01><h1>Rain</h1><p>15 December 2010</p>{TEXT}"
    ));
    assert_eq!(page.published.as_deref(), Some("2010-12-15"));
    let page = document(&format!(
        "<meta name=pubdate content=2041-01-01><h1>Rain</h1>{TEXT}<p>© 2012 Harbour Gazette</p>"
    ));
    assert_eq!(page.published, None);
    let page = document(&format!(
        "<meta name=pubdate content=2035-01-01><h1>Rain</h1>{TEXT}<p>© 2034 Harbour Gazette</p>"
    ));
    assert_eq!(page.published.as_deref(), Some("2035-01-01"));
}

#[test]
fn an_address_in_a_line_was_read_as_a_day() {
    let page = document(&format!(
        "<h1>Rain</h1>{TEXT}<p>Permalink: https://gazette.example/2021/jan21/rain.html</p>"
    ));
    assert_eq!(page.published, None);
}

#[test]
fn what_was_ready_before_its_day_lost_it() {
    // Written on the 7th, to be shown on the 25th; a hidden line tells the change.
    let page = document(&format!(
        "<meta property=article:published_time content=2022-12-25T11:00:02+00:00>\
         <meta property=article:modified_time content=2022-12-07T09:10:52+00:00>\
         <h1>Rain</h1><p><span>2022-12-07T10:10:52+01:00</span> 25 December 2022</p>{TEXT}"
    ));
    assert_eq!(page.published.as_deref().map(|day| &day[..10]), Some("2022-12-25"));
}

#[test]
fn a_bare_date_in_data_was_believed_before_the_headline() {
    let page =
        document(&format!("<meta name=date content=2020-02-12><h1>Rain</h1><p>5 February 2020</p>{TEXT}"));
    assert_eq!(page.published.as_deref(), Some("2020-02-05"));
}

#[test]
fn one_of_two_authors_was_lost() {
    let page = document(&format!(
        "<script type=application/ld+json>{{\"@type\":\"NewsArticle\",\"author\":{{\"name\":\"Ada Finch\"}}}}</script>\
         <meta name=author content='Ada Finch, Bo Lark'><h1>Rain</h1>{TEXT}"
    ));
    assert_eq!(page.authors, ["Ada Finch", "Bo Lark"]);
}

#[test]
fn credits_of_pictures_were_sources() {
    for line in ["图片来源：山谷日报", "Photo source: Valley Post", "Source: Getty Images"] {
        let page = document(&format!("<h1>Rain</h1><p>{line}</p>{TEXT}"));
        assert_eq!(page.source, None, "{line}");
    }
    let page = document(&format!("<h1>Rain</h1><p>稿源: 山谷日报</p>{TEXT}"));
    assert_eq!(page.source.as_deref(), Some("山谷日报"));
}

#[test]
fn the_next_story_is_not_the_next_page() {
    let page = document(&format!("<link rel=next href=/sun><h1>Rain</h1>{TEXT}"));
    assert_eq!(page.next_page, None);
    let page = document(&format!("<h1>Rain</h1>{TEXT}<a rel=next href=/x9>Next page</a>"));
    assert_eq!(page.next_page.as_deref(), Some("https://www.harbour-gazette.example/x9"));
}

#[test]
fn pictures_licences_and_subjects_of_microdata_and_dublin_core() {
    let page = document(&format!(
        "<meta name=dc.subject content='rain, harbour'><div itemscope itemtype=https://schema.org/NewsArticle>\
         <h1 itemprop=headline>Rain</h1><a itemprop=license href=/cc>by</a><img itemprop=image src=/rain.jpg>{TEXT}</div>"
    ));
    assert_eq!(page.image.as_deref(), Some("https://www.harbour-gazette.example/rain.jpg"));
    assert_eq!(page.licence.as_deref(), Some("https://www.harbour-gazette.example/cc"));
    assert_eq!(page.tags, ["rain", "harbour"]);
    let page = document(&format!("<h1>Rain</h1><figure><img src=/drops.jpg></figure>{TEXT}"));
    assert_eq!(page.image.as_deref(), Some("https://www.harbour-gazette.example/drops.jpg"));
}

#[test]
fn a_question_in_a_title_is_no_site() {
    let page = document(&format!("<title>Rain – at last? – Gazette</title>{TEXT}"));
    assert_eq!(page.title.as_deref(), Some("Rain – at last?"));
}

#[test]
fn nine_thousand_authors_took_seconds() {
    let people: String = (0..9_000)
        .map(|at| format!("{{\"@type\":\"Person\",\"@id\":\"#{at}\",\"name\":\"Ada Finch\"}},"))
        .collect();
    let ids: String = (0..9_000).map(|at| format!("{{\"@id\":\"#{at}\"}},")).collect();
    let script = format!("[{{\"@type\":\"Article\",\"author\":[{ids}]}},{people}]");
    let page = document(&format!("<script type=application/ld+json>{script}</script><h1>Rain</h1>{TEXT}"));
    assert!(page.authors.len() <= 1);
}
