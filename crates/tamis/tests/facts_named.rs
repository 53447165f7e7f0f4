//! Faults that titles and authors of whole pages had, each with the page that showed it.

#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]

mod common;

use common::news::{HAN, TEXT, document};
use tamis::Extractor;
use tamis::facts::{Field, Origin};
use tamis::fused::PageType;

fn title(head: &str) -> Option<String> {
    Extractor::new().extract(&format!("{head}{TEXT}")).title
}

#[test]
fn a_right_image_heading_made_the_title_wrong() {
    for head in [
        "<title>Rain at last | Harbour Gazette</title><h1><img src=a.png alt='Rain at last'></h1>",
        "<title>Rain at last | Harbour Gazette</title><h1><img src=a.png title='Rain at last'></h1>",
        "<title>Harbour Gazette</title><meta property=og:title content='Rain at last'><h1><img src=a.png alt='Rain at last'></h1>",
        // A logo.
        "<title>Rain at last | Harbour Gazette</title><h1><a href=/><img src=a.png alt='Harbour Gazette'></a></h1>",
        "<title>Rain at last | Harbour Gazette</title><h1><img src=a.png alt='Harbour Gazette'></h1>",
        "<title>Rain at last | Harbour Gazette</title>",
    ] {
        assert_eq!(title(head).as_deref(), Some("Rain at last"), "{head}");
    }
}

#[test]
fn the_known_name_of_the_site_was_the_title() {
    let of = |head: &str, text: &str| document(&format!("{head}{text}")).title;
    for head in [
        "<meta property=og:site_name content=海港日报><title>雨终于来了丨海港日报</title><h1>海港日报</h1>",
        "<meta property=og:site_name content=海港日报><title>雨终于来了【海港日报】</title><h1>海港日报</h1>",
        "<title>雨终于来了·海港网</title>",
        "<title>雨终于来了【海港日报】</title>",
    ] {
        assert_eq!(of(head, HAN).as_deref(), Some("雨终于来了"), "{head}");
    }
    // The address spells the other part.
    let head = "<title>Rain at last – Valley Herald</title><h1>Valley Herald</h1>";
    assert_eq!(of(head, TEXT).as_deref(), Some("Rain at last"));
    // A front page is called as the site is.
    let front = Extractor::new().url("https://harbour.example/").extract(&format!(
        "<meta property=og:site_name content='Harbour Gazette'><title>Harbour Gazette</title><h1>Harbour Gazette</h1>{TEXT}"
    ));
    assert_eq!(front.title.as_deref(), Some("Harbour Gazette"));
}

#[test]
fn quotation_marks_were_cut_through() {
    for (head, expected) in [
        (
            "<title>« Rain at last » says the mayor of the harbour</title>",
            "« Rain at last » says the mayor of the harbour",
        ),
        (
            "<title>The mayor: «Rain - at last», and more | Gazette</title>",
            "The mayor: «Rain - at last», and more",
        ),
    ] {
        assert_eq!(title(head).as_deref(), Some(expected), "{head}");
    }
    let page = document(&format!("<title>《雨-终于来了》今日上映-海港网</title>{HAN}"));
    assert_eq!(page.title.as_deref(), Some("《雨-终于来了》今日上映"));
}

#[test]
fn a_heading_showed_where_a_bare_hyphen_parts_the_title() {
    let text = "<p>يامغۇر توققۇز كۈن ياغدى، دەريا سۈيى ئىككى مېتىر ئۆرلىدى، باغلار ئەمدى قۇرغاق ئەمەس، دېدى ئىدارە. پورتتىكى كۆۋرۈك تاقالدى، ماشىنىلار شەھەر ئىچىدىن ماڭىدۇ.</p>";
    let page = document(&format!(
        "<title>ئاتا-ئانا ۋە يامغۇر-پورت تورى</title><h2>پورت تور بېكىتى</h2><h3>ئاتا-ئانا ۋە يامغۇر</h3>{text}"
    ));
    assert_eq!(page.title.as_deref(), Some("ئاتا-ئانا ۋە يامغۇر"));
}

#[test]
fn hidden_words_and_icons_were_in_titles() {
    for heading in [
        "Rain at last<span style='display:none'>secret</span>",
        "<svg><title>icon</title></svg>Rain at last",
        "Rain at last<span class=mw-editsection>[edit]</span>",
    ] {
        let head = format!("<title>Harbour Gazette</title><h1>{heading}</h1>");
        assert_eq!(title(&head).as_deref(), Some("Rain at last"), "{head}");
    }
    // The title of a drawing is not that of the page.
    let page = "<body><svg><title>Menu</title></svg><h1>Rain at last</h1>";
    assert_eq!(title(page).as_deref(), Some("Rain at last"));
}

#[test]
fn the_account_of_a_site_vetoed_its_writer() {
    let page = document(&format!(
        "<meta name=twitter:site content='@AdaFinch'><meta name=author content='Ada Finch'><h1>Rain</h1>{TEXT}"
    ));
    assert_eq!(page.authors, ["Ada Finch"]);
}

#[test]
fn a_site_called_after_its_writer_had_none() {
    let of = |kind: &str, line: &str| {
        let json = format!(
            r#"{{"@type":"BlogPosting","headline":"Rain at last","author":{{"@type":"{kind}","name":"Ada Finch"}}}}"#
        );
        document(&format!(
            "<meta property=og:site_name content='Ada Finch Blog'><script type=application/ld+json>{json}</script><h1>Rain at last</h1><p>{line}</p>{TEXT}"
        ))
        .authors
    };
    assert_eq!(of("Person", "By Ada Finch"), ["Ada Finch"]);
    assert_eq!(of("Person", "Welcome"), [""; 0]);
    assert_eq!(of("Thing", "By Ada Finch"), [""; 0]);
    // A desk of a paper is no person, whatever data say.
    let json = r#"{"@type":"NewsArticle","author":{"@type":"Person","name":"Gazeta Sport"}}"#;
    let desk = document(&format!(
        "<meta property=og:site_name content=Gazeta><script type=application/ld+json>{json}</script><h1>Rain</h1><p>By Gazeta Sport</p>{TEXT}"
    ));
    assert_eq!(desk.authors, [""; 0]);
}

#[test]
fn glued_elements_were_glued_into_names() {
    for line in [
        "<p><span>By<!-- --> </span><a href=/ada><span>Ada Finch</span></a><span>March 26, 2025</span></p>",
        "<p><b>By</b><a href=/ada>Ada Finch</a><time>March 26, 2025</time></p>",
        "<div class=author><span>Author</span><span>Ada Finch</span></div>",
        "<div itemprop=author><b>Author</b><span>Ada</span> <span>Finch</span></div>",
    ] {
        let page = document(&format!("<h1>Rain at last</h1>{line}{TEXT}"));
        assert_eq!(page.authors, ["Ada Finch"], "{line}");
    }
}

#[test]
fn values_that_name_nobody_were_authors() {
    for value in [
        "Foto: charlotte",
        "HARBOUR CO.,INC",
        "Harbour Gartenbau Genossenschaft",
        "WordPress",
        "不详",
        "JaVaScRiPt:alert(1)",
    ] {
        let page = document(&format!("<meta name=author content='{value}'><h1>Rain</h1>{TEXT}"));
        assert_eq!(page.authors, [""; 0], "{value}");
    }
    let page = document(&format!("<h1>Rain</h1><p>By Valley Gazette</p>{TEXT}"));
    assert_eq!(page.authors, [""; 0]);
    for (value, expected) in [
        ("김바다 기자", "김바다"),
        ("Ada Finch @ Harbour Gazette", "Ada Finch"),
        ("Ada @ Harbour Gazette", "Ada"),
        ("Ada Finch - Harbour Gazette", "Ada Finch"),
    ] {
        let page = document(&format!("<meta name=author content='{value}'><h1>Rain</h1>{TEXT}"));
        assert_eq!(page.authors, [expected], "{value}");
    }
}

#[test]
fn only_a_list_of_metas_named_authors() {
    for key in [
        "article_author",
        "authors",
        "creator",
        "byline",
        "bt:author",
        "DC.Creator.PersonalName",
        "article:author_name",
    ] {
        let page = document(&format!("<meta name='{key}' content='Ada Finch'><h1>Rain</h1>{TEXT}"));
        assert_eq!(page.authors, ["Ada Finch"], "{key}");
    }
    for key in ["twitter:creator", "web_author", "author-url", "author_image", "theme-author"] {
        let page = document(&format!("<meta name='{key}' content='Ada Finch'><h1>Rain</h1>{TEXT}"));
        assert_eq!(page.authors, [""; 0], "{key}");
    }
}

#[test]
fn who_wrote_a_related_story_was_the_author() {
    for below in [
        "<h3>Related</h3><h4><a href=/a>Ship lost</a></h4><p>By Bob Smith</p>",
        "<h3>Related</h3><h4><a href=/a>Ship lost</a></h4><p>By <a rel=author href=/bob>Bob Smith</a></p>",
        "<h3>Related</h3><h4><a href=/a>Ship lost</a></h4><p>By Bob Smith</p><h4><a href=/b>Ship found</a></h4><p>By Cy Wren</p>",
    ] {
        let authors = document(&format!("<h1>Old wall</h1>{TEXT}{below}")).authors;
        assert_eq!(authors, [""; 0], "{below}");
        let authors = document(&format!("<h1>Old wall</h1><p>By Ada Finch</p>{TEXT}{below}")).authors;
        assert_eq!(authors, ["Ada Finch"], "{below}");
    }
}

#[test]
fn a_site_of_two_words_was_a_couple() {
    for head in [
        "<meta property=og:site_name content='Salt and Pepper'><meta name=author content='Salt and Pepper'>",
        "<meta property=og:site_name content='Lekker en Simpel'><meta name=author content='Lekker en Simpel'>",
        "<meta property=og:site_name content='Mac &amp; i'><meta name=author content='Mac &amp; i'>",
    ] {
        assert_eq!(document(&format!("{head}<h1>Old wall</h1>{TEXT}")).authors, [""; 0], "{head}");
    }
    let head = "<meta property=og:site_name content=ebrosia>";
    let by = "<span itemprop=author>Bo Lark, Ada Finch ebrosia</span>";
    assert_eq!(document(&format!("{head}<h1>Old wall</h1>{by}{TEXT}")).authors, ["Bo Lark", "Ada Finch"]);
    // Beside a person the site is no person.
    let head = r#"<meta property=og:site_name content='Food Republic'><script type="application/ld+json">{"@type":"Article","author":
        [{"@type":"Person","name":"Ada Finch"},{"@type":"Person","name":"Food Republic"}]}</script>"#;
    let by = "<p>By Food Republic</p>";
    assert_eq!(document(&format!("{head}<h1>Old wall</h1>{by}{TEXT}")).authors, ["Ada Finch"]);
}

#[test]
fn the_second_of_two_writers_was_left_out() {
    for by in [
        "<p>By <a rel=author href=/a>Cy Finch</a> and <a rel=author href=/b>Bob Smith</a></p>",
        "<ul><li><a rel=author href=/a>Cy Finch</a></li><li><a rel=author href=/b>Bob Smith</a></li></ul>",
        "<p><span itemprop=author>Cy Finch</span> <span itemprop=author>Bob Smith</span></p>",
        r#"<script type="application/ld+json">{"@type":"Article","author":{"@type":"Person","name":["Cy Finch","Bob Smith"]}}</script>"#,
        r#"<script type="application/ld+json">{"@type":"Article","author":[{"@type":"Person","givenName":"Cy","familyName":"Finch"},
            {"@type":"Person","name":"Bob Smith"}]}</script>"#,
    ] {
        let authors = document(&format!("<h1>Old wall</h1>{by}{TEXT}")).authors;
        assert_eq!(authors, ["Cy Finch", "Bob Smith"], "{by}");
    }
    let by = "<div class=author><span>Ada Finch</span><span>Senior Reporter</span></div>";
    assert_eq!(document(&format!("<h1>Old wall</h1>{by}{TEXT}")).authors, ["Ada Finch"]);
}

#[test]
fn half_a_name_of_broken_json_ld_was_an_author() {
    let json =
        r#"{"@type":"NewsArticle","headline":"Rain at last","author":{"@type":"Person","name":"Ada Fi"#;
    let page =
        document(&format!("<h1>Rain at last</h1>{TEXT}<script type=application/ld+json>{json}</script>"));
    assert_eq!(page.authors, [""; 0]);
}

#[test]
fn who_answers_was_an_author_of_the_thread() {
    let post = |who: &str, minute: u32, said: &str| {
        format!(
            "<div class=post><div>作者：<a href=/u/{minute}>{who}</a></div><div>发表于 2010-12-15 08:{minute}</div><div class=t_f>{said}</div></div>"
        )
    };
    let page = document(&format!(
        "<title>什么时候下雨-港口论坛</title><h1>什么时候下雨</h1>{}{}{}",
        post("海风", 31, "请问大家，什么时候才会下雨呢？我的花园已经干了三个星期了。"),
        post("渔夫", 32, "电台说明天会下雨，可是谁还相信呢？反正我是不信的。"),
        post("面包师", 33, "昨天晚上我们这里已经下雨了，请耐心等待，把水桶放出来。"),
    ));
    assert!(!page.authors.iter().any(|name| name == "渔夫" || name == "面包师"), "{:?}", page.authors);
}

#[test]
fn authors_that_were_turned_down_were_not_shown() {
    let extractor = Extractor::new();
    let html = format!(
        "<meta name=author content='Foto: charlotte'><h1>Rain</h1><p property=author>Ada Finch</p>{TEXT}"
    );
    let page = extractor.page(&html);
    let evidence = extractor.evidence(&page, &extractor.judge(&page));
    let authors: Vec<_> = evidence.of(Field::Author).collect();
    assert!(
        authors.iter().any(|it| it.value == "Foto: charlotte" && it.weight == 0.0 && !it.detail.is_empty())
    );
    assert!(authors.iter().any(|it| it.value == "Ada Finch" && it.origin == Origin::Rdfa && it.chosen));
}

#[test]
fn stores_desks_and_the_site_itself_were_people() {
    let by = |site: &str, name: &str| {
        let json = format!(
            r#"{{"@type":"BlogPosting","headline":"Rain at last","author":{{"@type":"Person","name":"{name}"}}}}"#
        );
        document(&format!(
            "<meta property=og:site_name content='{site}'><script type=application/ld+json>{json}</script><h1>Rain at last</h1><p>By {name}</p>{TEXT}"
        ))
        .authors
    };
    assert_eq!(by("Ada Finch", "Ada Finch"), ["Ada Finch"]);
    assert_eq!(by("Harbour Lamp Store", "Harbour Lamp Store"), [""; 0]);
    assert_eq!(by("HARBOUR lamp", "HARBOUR lamp"), [""; 0]);
    assert_eq!(by("The Valley", "Ada Finch, CEPF®"), ["Ada Finch"]);
    assert_eq!(by("The Valley", "Deutsche Hafen-Agentur"), [""; 0]);
}

#[test]
fn a_listing_of_a_site_had_an_author() {
    let extractor = Extractor::new();
    let html = format!("<meta name=author content='Ada Finch'><h1>News</h1>{TEXT}");
    let page = extractor.page(&html);
    let mut judgement = extractor.judge(&page);
    let whole = judgement.whole.as_mut().unwrap();
    whole.page_type = PageType::Article;
    assert_eq!(extractor.document(&page, &judgement).authors, ["Ada Finch"]);
    for (probability, expected) in [(0.9, &[][..]), (0.4, &["Ada Finch"])] {
        let whole = judgement.whole.as_mut().unwrap();
        (whole.page_type, whole.probability) = (PageType::Listing, probability);
        assert_eq!(extractor.document(&page, &judgement).authors, expected, "{probability}");
    }
}

#[test]
fn markup_of_data_stood_in_titles() {
    let json = r#"{"@type":"NewsArticle","headline":"Rain<br/>at <i>last</i>"}"#;
    assert_eq!(
        title(&format!("<script type=application/ld+json>{json}</script>")).as_deref(),
        Some("Rain at last")
    );
    let meta = "<meta property=og:title content='Rain&lt;br /&gt;at &lt;i&gt;last&lt;/i&gt; &amp;amp; wind'>";
    assert_eq!(title(meta).as_deref(), Some("Rain at last & wind"));
}

#[test]
fn an_address_or_the_headline_was_the_name_of_the_site() {
    let site = |head: &str| document(&format!("{head}<h1>Rain at last</h1>{TEXT}")).site_name;
    assert_eq!(site("<meta property=og:site_name content='https://www.gazette.example'>"), None);
    assert_eq!(site("<meta property=og:site_name content='www.gazette.example'>"), None);
    assert_eq!(
        site("<meta property=og:site_name content='Gazette.example'>").as_deref(),
        Some("Gazette.example")
    );
    assert_eq!(site("<meta name=application-name content='Rain at last'>"), None);
    assert_eq!(site("<meta name=application-name content='The Valley'>").as_deref(), Some("The Valley"));
}

#[test]
fn explanations_named_other_origins() {
    let extractor = Extractor::new();
    let of = |html: &str, field: Field| {
        let html = format!("{html}{TEXT}");
        let page = extractor.page(&html);
        let evidence = extractor.evidence(&page, &extractor.judge(&page));
        evidence.of(field).map(|it| (it.origin, it.detail.to_string())).collect::<Vec<_>>()
    };
    let titles = of("<p property=schema:headline>Rain at last, says the mayor</p>", Field::Title);
    assert!(titles.iter().any(|(origin, _)| *origin == Origin::Rdfa), "{titles:?}");
    let json = r#"{"@type":"WebSite","name":"The Valley"}"#;
    let sites = of(
        &format!("<title>Rain - The Valley</title><script type=application/ld+json>{json}</script>"),
        Field::SiteName,
    );
    assert_eq!(
        sites,
        [(Origin::JsonLd, "WebSite".to_owned()), (Origin::Title, "agrees with data of the site".to_owned())]
    );
}

#[test]
fn a_script_was_the_address_of_a_page() {
    let url = |url: &str| Extractor::new().url(url).extract(&format!("<h1>Rain</h1>{TEXT}")).url;
    assert_eq!(url("javascript:alert(1)"), None);
    assert_eq!(url("https://gazette.example/rain").as_deref(), Some("https://gazette.example/rain"));
    assert_eq!(url("pages/rain.html").as_deref(), Some("pages/rain.html"));
}

#[test]
fn the_site_months_and_pictures_were_sources() {
    let source = |site: &str, line: &str, text: &str| {
        document(&format!("<meta property=og:site_name content='{site}'><h1>Rain at last</h1>{line}{text}"))
            .source
    };
    for (line, expected) in [
        ("<p>Source: Valley Gazette</p>", Some("Valley Gazette")),
        ("<p>Source: The Ferry</p>", None),
        ("<p>Source: harbour-gazette.example</p>", None),
        ("<p>This story was originally published in April 2020.</p>", None),
        ("<p>Photo: Ada Finch, Source: Valley Gazette</p>", None),
        ("<div class=wp-caption-text><p>Source: Valley Gazette</p></div>", None),
        ("<p>Nguồn: Báo Cảng</p>", Some("Báo Cảng")),
        ("<p>출처: 항구일보</p>", Some("항구일보")),
    ] {
        assert_eq!(source("The Ferry", line, TEXT).as_deref(), expected, "{line}");
    }
    for (line, expected) in [
        ("<p>来源：Harbour Times 中文网 作者：李明</p>", Some("Harbour Times 中文网")),
        ("<p>来源于：港口日报</p>", Some("港口日报")),
        ("<p>来源：来源：港口日报</p>", Some("港口日报")),
        ("<p>本文转载自 港口日报</p>", Some("港口日报")),
        ("<p>轉載自：港口日報</p>", Some("港口日報")),
        ("<p>来源：山谷网</p>", None),
    ] {
        assert_eq!(source("山谷网", line, HAN).as_deref(), expected, "{line}");
    }
}

#[test]
fn a_section_of_the_site_was_the_title() {
    let head = "<title>Babies Who Eat Peanuts Early May Avoid Allergy</title><h1>Allergies Health Center</h1>\
        <h2>Babies Who Eat Peanuts Early May Avoid Allergy</h2>";
    assert_eq!(title(head).as_deref(), Some("Babies Who Eat Peanuts Early May Avoid Allergy"));
    let head = "<title>Superbugs: What They Are and How You Get Them</title><h1>Information and Resources</h1>\
        <h2>Superbugs: What They Are and How You Get Them</h2>";
    assert_eq!(title(head).as_deref(), Some("Superbugs: What They Are and How You Get Them"));
    // What metadata call so is no section.
    let head = format!("<meta property=og:title content='Information and Resources'>{head}");
    assert_eq!(title(&head).as_deref(), Some("Information and Resources"));
}

#[test]
fn words_in_angle_brackets_were_left_out_of_titles() {
    let head = r#"<script type="application/ld+json">{"@type":"Article","headline":"Using List<String> &amp; Map<K> in Java"}</script>"#;
    assert_eq!(title(head).as_deref(), Some("Using List<String> & Map<K> in Java"));
}

#[test]
fn the_name_of_the_site_and_a_colon_stayed_before_the_title() {
    let of = |url: &str, head: &str| Extractor::new().url(url).extract(&format!("{head}{TEXT}")).title;
    let head = "<title>Gazette: Rain at last in the harbour</title>";
    let found = of("https://gazette.example/rain-at-last-in-the-harbour", head);
    assert_eq!(found.as_deref(), Some("Rain at last in the harbour"));
    // The page is about the Gazette.
    let found = of("https://gazette.example/gazette-rain-at-last-in-the-harbour", head);
    assert_eq!(found.as_deref(), Some("Gazette: Rain at last in the harbour"));
}

#[test]
fn the_name_of_a_site_was_escaped() {
    let head = "<meta property=og:site_name content='Bricelet &amp;amp; Baklava'><title>Rain at last | Bricelet &amp; Baklava</title>";
    let found = document(&format!("{head}{TEXT}"));
    assert_eq!(found.site_name.as_deref(), Some("Bricelet & Baklava"));
    assert_eq!(found.title.as_deref(), Some("Rain at last"));
}

#[test]
fn a_paper_of_sundays_was_no_source() {
    let of = |line: &str| document(&format!("<h1>Rain at last</h1>{TEXT}<p>{line}</p>")).source;
    let found = of("This story originally appeared in the Sunday Times.");
    assert_eq!(found.as_deref(), Some("Sunday Times"));
    assert_eq!(of("This story first appeared on Monday, and was changed since."), None);
}

#[test]
fn what_nobody_sees_was_in_facts() {
    let head = "<meta name=author content='Ada\0 Finch'><meta property=og:image content='//%00evil/a.png'>";
    let found = document(&format!("<h1>Rain at last</h1>{head}{TEXT}"));
    assert_eq!(found.authors, ["Ada Finch"]);
    assert_eq!(found.image, None);
}

#[test]
fn descriptions_and_titles_had_no_bound() {
    let long = "rain ".repeat(100_000);
    let found = document(&format!("<title>{long}</title><meta name=description content='{long}'>{TEXT}"));
    assert!(found.description.is_some_and(|it| (3_000..=4_000).contains(&it.len())));
    assert!(found.title.is_none_or(|it| it.len() <= 400));
}
