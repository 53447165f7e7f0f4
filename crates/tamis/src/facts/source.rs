//! Where a piece was taken over from, as reprinted news say it, and the name of the site itself.

use tamis_html::{Name, NodeRef};

use super::Around;
use super::dates::Hints;
use super::evidence::{Evidence, Field, Origin};
use super::title::{normal, unescaped};

/// What stands before a source; a colon of any kind follows.
const LABELS: &[&str] = &[
    "来源",
    "来源于",
    "來源",
    "來源於",
    "稿源",
    "转自",
    "轉自",
    "转载自",
    "轉載自",
    "摘自",
    "出处",
    "出處",
    "出典",
    "Source",
    "SOURCE",
    "Quelle",
    "Fuente",
    "Fonte",
    "Источник",
    "Źródło",
    "Zdroj",
    "Kaynak",
    "مەنبە",
    "مەنبەسى",
    "المصدر",
    "منبع",
    "출처",
    "Nguồn",
];

/// What makes a source one of pictures or numbers, when it stands before it.
const OF_PICTURES: &[&str] = &[
    "图片", "圖片", "照片", "图", "圖", "视频", "數據", "数据", "资料", "資料", "封面", "image ", "photo ",
    "picture ", "images ", "photos ", "data ", "video ", "bild", "foto", "map ", "chart ", "graphic ",
    "figure ",
];

/// Who lends pictures.
const LENDERS: &[&str] = &[
    "getty",
    "shutterstock",
    "unsplash",
    "istock",
    "pexels",
    "pixabay",
    "adobe stock",
    "alamy",
    "depositphotos",
    "flickr",
    "视觉中国",
    "图虫",
];

/// Puts the candidates for the source and the site's name among the evidence.
pub(super) fn gather(around: &Around<'_>, headline: Option<&str>, evidence: &mut Evidence) {
    let headline = headline.map(normal).filter(|it| !it.is_empty() && !around.is_front_page());
    // What the program of a page is called may be the page itself.
    let is_headline =
        |key: &str, name: &str| key.starts_with("app") && headline.as_ref() == Some(&normal(name));
    for (key, origin, weight) in [
        ("og:site_name", Origin::OpenGraph, 90.0),
        ("application-name", Origin::Meta, 60.0),
        ("apple-mobile-web-app-title", Origin::Meta, 50.0),
        ("dc.publisher", Origin::DublinCore, 45.0),
    ] {
        let named = around.scan.meta_named(&[key]).filter(|name| is_name_of_site(name));
        if let Some(name) = named.filter(|name| !is_headline(key, name)) {
            evidence.add(Field::SiteName, unescaped(name), origin, key, weight);
        }
    }
    if let Some((name, whose)) = around.things.named_site().filter(|(name, _)| is_name_of_site(name)) {
        evidence.add(Field::SiteName, unescaped(name), Origin::JsonLd, whose, 80.0);
    }
    if let Some(told) = &around.told
        && let Some(name) = told.site_name()
    {
        evidence.add(Field::SiteName, name, Origin::Feed, "title of the feed", 58.0);
    }
    let title = around.title_text.as_str();
    let parts = around.title_parts();
    if parts.len() > 1 {
        for part in [parts.last(), parts.first()].into_iter().flatten() {
            let part = &title[part.clone()];
            if super::title::is_site_name(part, around) {
                let own = normal(part);
                let why = if around.remembered.contains(&own) {
                    "known from other pages of the site"
                } else if super::title::agrees_with_host(&own, around) {
                    "agrees with the host"
                } else {
                    "agrees with data of the site"
                };
                evidence.add(Field::SiteName, part, Origin::Title, why, 55.0);
            }
        }
    }
    stated(around, evidence);
}

/// May it be what a site is called? An address is not.
fn is_name_of_site(name: &str) -> bool {
    name.chars().count() <= 80
        && !name.contains("://")
        && !name.trim_start().to_lowercase().starts_with("www.")
}

/// Lines near the text that say where it comes from.
fn stated(around: &Around<'_>, evidence: &mut Evidence) {
    let is_own = |name: &str| super::title::is_site_name(name, around);
    if let Some(name) = around.scan.meta_named(&[
        "source",
        "mediaid",
        "contentsource",
        "article:source",
        "syndication-source",
    ]) && !name.contains("://")
        && name.chars().count() <= 40
        && !is_own(name)
    {
        evidence.add(Field::Source, name, Origin::Meta, "source", 50.0);
    }
    let Some((first, last)) = around.text else { return };
    let page = around.page;
    let count = page.blocks().len();
    let near = (first.saturating_sub(12)..(first + 4).min(count))
        .chain(last.saturating_sub(1).max(first + 4)..(last + 4).min(count));
    for place in near {
        let text = page.text(&page.blocks()[place]);
        if text.len() > 400 {
            continue;
        }
        if let Some(name) = reprinted(text).filter(|name| !is_own(name)) {
            evidence.add(Field::Source, name, Origin::Near, "reprinted", 74.0);
        }
        let is_said_by_readers = page.comments().part(place).is_some();
        if let Some(name) = taken_over(text).filter(|name| !is_said_by_readers && !is_own(name)) {
            evidence.add(Field::Source, name, Origin::Near, "taken over", 76.0);
        }
        if !has_label(text) || is_said_by_readers {
            continue;
        }
        if of_picture(page.element(&page.blocks()[place])) {
            continue;
        }
        for label in LABELS {
            let Some((before, behind)) = text.split_once(label) else { continue };
            let Some(rest) = behind.trim_start().strip_prefix([':', '：']) else { continue };
            // A word of its own, and not that of a picture.
            let is_wide = label.starts_with(|c| matches!(c, '\u{2e80}'..='\u{9fff}'));
            let small = before.to_lowercase();
            let is_word = !is_wide && before.ends_with(char::is_alphanumeric);
            if is_word || is_credit(&small) || OF_PICTURES.iter().any(|it| small.ends_with(it)) {
                continue;
            }
            let rest = rest.trim_start();
            // 来源：来源：港口日报
            let rest = rest.strip_prefix(label).map_or(rest, |it| it.trim_start_matches([':', '：', ' ']));
            let end = rest
                .find(['|', '（', '(', '）', ')', '】', ']', '，', '。', '\u{3000}', '\t', ';', '；', '/'])
                .unwrap_or(rest.len());
            let end = if is_wide { end_of_wide(&rest[..end]) } else { end };
            let rest = if is_wide { &rest[..end] } else { super::next_label::value(&rest[..end]) };
            let value = without_tail(rest);
            let lends = value.to_lowercase();
            if (2..=40).contains(&value.chars().count())
                && !is_no_name(value)
                && (is_wide || is_written_as_a_name(value))
                && !is_own(value)
                && !LENDERS.iter().any(|lender| lends.contains(lender))
                && !value.chars().all(|c| c.is_ascii_digit() || c.is_ascii_punctuation())
            {
                evidence.add(Field::Source, value, Origin::Near, *label, 80.0);
            }
        }
    }
}

/// Does what stands before a label speak of pictures: "Photo: Ada Finch, Source:"?
fn is_credit(small: &str) -> bool {
    ["photo", "picture", "image", "foto", "bild:", "credit", "©", "图片", "圖片"]
        .iter()
        .any(|it| small.contains(it))
}

/// Where the name of a source ends in a line of Chinese: at a space, but for those inside of names in other letters: Financial Times 中文网.
fn end_of_wide(text: &str) -> usize {
    const OUTLETS: [&str; 8] = ["网", "網", "报", "報", "社", "版", "刊", "频道"];
    let spaces = text.match_indices(' ').map(|(at, _)| at);
    let is_end = |at: &usize| {
        let behind = text[*at + 1..].split(' ').next().unwrap_or_default();
        let is_latin = text[..*at].ends_with(|c: char| c.is_ascii_alphabetic());
        let goes_on = behind.starts_with(|c: char| c.is_ascii_alphabetic())
            || (behind.chars().count() <= 6 && OUTLETS.iter().any(|it| behind.ends_with(it)));
        !(is_latin && goes_on)
    };
    spaces.into_iter().find(is_end).unwrap_or(text.len())
}

/// Is a source written as names are where letters have capitals? A host is, too.
fn is_written_as_a_name(value: &str) -> bool {
    let is_host = !value.contains(' ') && value.contains('.');
    let words = value.split_whitespace().count();
    words <= 6 && (is_host || !value.starts_with(char::is_lowercase))
}

/// The outlet behind words that say that a piece was taken over, without a colon: 本文转载自《港口日报》.
fn taken_over(text: &str) -> Option<&str> {
    if text.is_ascii() {
        return None;
    }
    let (before, behind) = ["转载自", "轉載自"].iter().find_map(|label| text.split_once(label))?;
    // With a colon it is a label as others are; who may not take it over is told so.
    if behind.trim_start().starts_with([':', '：'])
        || before.ends_with(['得', '请', '請', '勿', '许', '可', '图', '圖'])
    {
        return None;
    }
    let rest = behind.trim_start().trim_start_matches(['《', '“', '「', '【', '@']);
    let marks = [
        '》', '”', '」', '】', '，', '。', '；', '、', '（', '(', '|', '｜', '！', ',', ';', '\u{3000}', '\t',
    ];
    let end = rest.find(marks).unwrap_or(rest.len());
    let name = without_tail(&rest[..end_of_wide(&rest[..end])]);
    ((2..=16).contains(&name.chars().count()) && !is_no_name(name)).then_some(name)
}

/// Does a label stand right before a colon? Most lines have none, and need not be searched for each label.
fn has_label(text: &str) -> bool {
    let bytes = text.as_bytes();
    // A colon, or the first byte of a wide one.
    memchr::memchr2_iter(b':', 0xEF, bytes).any(|at| {
        let is_colon = bytes[at] == b':' || text[at..].starts_with('：');
        let before = text[..at].trim_end();
        is_colon && LABELS.iter().any(|label| before.ends_with(label))
    })
}

/// Does a line hold a word that all the leads of [`reprinted`] have, with a space behind it? Most lines have none, and need
/// not be searched for each lead.
fn has_lead(text: &str) -> bool {
    const WORDS: [&[u8]; 4] = [b"appeared", b"published", b"printed", b"erschienen"];
    let bytes = text.as_bytes();
    memchr::memchr_iter(b' ', bytes).any(|space| {
        let before = &bytes[..space];
        // The last letter tells most words apart from these.
        matches!(before.last(), Some(b'd' | b'D' | b'n' | b'N'))
            && WORDS.iter().any(|word| {
                let start = before.len().saturating_sub(word.len());
                before[start..].eq_ignore_ascii_case(word)
            })
    })
}

/// The outlet in a line that says where a piece appeared first: "This story originally appeared in Harbour Gazette."
fn reprinted(text: &str) -> Option<&str> {
    const LEADS: [&str; 14] = [
        "originally appeared in ",
        "originally appeared on ",
        "first appeared in ",
        "first appeared on ",
        "originally published by ",
        "originally published in ",
        "originally published on ",
        "first published by ",
        "first published in ",
        "republished from ",
        "reprinted from ",
        "zuerst erschienen in ",
        "zuerst erschienen auf ",
        "zuerst erschienen bei ",
    ];
    // A name goes on in capitals; these stand between.
    const BETWEEN: [&str; 8] = ["of", "the", "for", "and", "&", "für", "der", "de"];
    const MOST: usize = 6;
    if !has_lead(text) {
        return None;
    }
    let small = text.to_ascii_lowercase();
    let (at, lead) = LEADS.iter().find_map(|lead| small.find(lead).map(|at| (at, lead)))?;
    let rest = &text[at + lead.len()..];
    let rest = rest.strip_prefix("the ").unwrap_or(rest);
    let mut end = 0;
    let mut place = 0;
    for word in rest.split(' ').take(MOST) {
        let bare = word.trim_end_matches(['.', ',', ';', ':', ')', '”', '"']);
        if bare.starts_with(char::is_uppercase) {
            end = place + bare.len();
        } else if !BETWEEN.contains(&bare) {
            break;
        }
        place += word.len() + 1;
        if bare.len() < word.len() {
            break;
        }
    }
    let name = rest.get(..end)?;
    // "on March 3", "on Monday"
    let head = &rest[..rest.floor_char_boundary(40)];
    let is_time = super::dates::find(head, &Hints::default()).first().is_some_and(|dated| dated.place.start == 0)
            // The Sunday Times is a paper.
            || name.split(' ').all(|word| word.ends_with("day") || is_time_of_year(word));
    let is_name =
        (2..=60).contains(&name.chars().count()) && !name.contains(|c: char| c.is_ascii_digit()) && !is_time;
    is_name.then_some(name)
}

/// Is it a month or a part of the year, as magazines are dated: "in April 2020", "im Herbst"?
fn is_time_of_year(word: &str) -> bool {
    const SEASONS: [&str; 8] =
        ["Spring", "Summer", "Autumn", "Fall", "Winter", "Frühling", "Frühjahr", "Herbst"];
    let is_month = || super::dates::is_month_in(&word.to_lowercase(), &["en", "de"]);
    SEASONS.contains(&word) || (word.starts_with(char::is_uppercase) && is_month())
}

/// Does a line stand below a picture, by its element or by what a class calls it?
fn of_picture(node: NodeRef<'_>) -> bool {
    let mut around = std::iter::once(node).chain(node.ancestors()).filter(|it| it.is_element()).take(3);
    around.any(|it| {
        let is_figure = it.name_id().is_some_and(|name| matches!(name, Name::FIGURE | Name::FIGCAPTION));
        is_figure
            || it.attribute_named(Name::CLASS).is_some_and(|class| {
                let small = class.to_ascii_lowercase();
                ["caption", "credit", "photo", "footnote"].iter().any(|word| small.contains(word))
            })
    })
}

/// The beginning of an address, or a word that says that nobody knows.
fn is_no_name(value: &str) -> bool {
    let no_names = [
        "http",
        "https",
        "www",
        "未知",
        "不详",
        "网络",
        "互联网",
        "本站",
        "本站原创",
        "原创",
        "转载",
        "转载文章",
        "网络转载",
        "unknown",
    ];
    // Markup that was cut off, or that somebody typed.
    // Footnotes lead back: [↩].
    value.contains(['=', '"', '<', '>', '{', '[', '↩', '^', '©', '→', '…'])
        || is_credit(&value.to_lowercase())
        || no_names.iter().any(|it| value.trim_end_matches([':', '：']).eq_ignore_ascii_case(it))
}

/// A name without what follows it in the same line: 作者, 时间, a number.
fn without_tail(value: &str) -> &str {
    // 港口日报2010-12-15: the day of the paper.
    let day =
        super::dates::find(value, &Hints::default()).first().map_or(value.len(), |dated| dated.place.start);
    let value = if day > 0 { &value[..day] } else { value };
    let end = [
        "作者",
        "时间",
        "時間",
        "日期",
        "编辑",
        "發布",
        "发布",
        "责任",
        "点击",
        "浏览",
        "阅读",
        "网友评论",
        "我要评论",
        "评论",
        "字号",
        "分享",
    ]
    .iter()
    .filter_map(|word| value.find(word))
    .min()
    .unwrap_or(value.len());
    value[..end].trim().trim_end_matches([':', '：', '-', ' '])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_counts_were_parts_of_sources() {
        for (text, expected) in [
            ("港口日报2010-12-15", "港口日报"),
            ("港口网-《港口日报》2010年12月15日", "港口网-《港口日报》"),
            ("港口日报网友评论0条", "港口日报"),
            ("21世纪港口报道", "21世纪港口报道"),
        ] {
            assert_eq!(without_tail(text), expected, "{text}");
        }
        assert!(is_no_name("size=\"20\"") && is_no_name("转载文章") && !is_no_name("港口日报"));
    }

    #[test]
    fn names_in_two_scripts_were_cut() {
        for (text, expected) in [
            ("Harbour Times 中文网", "Harbour Times 中文网"),
            ("Harbour Times 作者", "Harbour Times"),
            ("港口日报 李明", "港口日报"),
            ("BBC", "BBC"),
        ] {
            assert_eq!(&text[..end_of_wide(text)], expected, "{text}");
        }
    }

    #[test]
    fn pieces_taken_over_without_a_colon_had_no_source() {
        for (text, expected) in [
            ("本文转载自 港口日报", Some("港口日报")),
            ("轉載自《港口日報》，作者李明", Some("港口日報")),
            ("转载自网络", None),
            ("未经许可不得转载自本站", None),
            ("转载自：港口日报", None),
            ("下雨了", None),
        ] {
            assert_eq!(taken_over(text), expected, "{text}");
        }
    }

    #[test]
    fn footnotes_and_credits_were_sources() {
        assert!(is_no_name("[↩") && is_no_name("Rain ↩") && is_no_name("Foto Ada Finch"));
        assert!(is_credit("photo: ada finch, ") && !is_credit("ada finch, "));
        assert!(
            !is_written_as_a_name("own figures of the harbour") && is_written_as_a_name("Harbour Gazette")
        );
        assert!(is_written_as_a_name("gazette.example") && is_written_as_a_name("항구일보"));
    }

    #[test]
    fn where_a_piece_appeared_first() {
        for (text, expected) in [
            ("This story originally appeared in Harbour Gazette.", Some("Harbour Gazette")),
            (
                "This article was originally published by the Bureau of Rain, and is shown here.",
                Some("Bureau of Rain"),
            ),
            ("Republished from The Ferry under a licence", Some("The Ferry")),
            ("Dieser Text ist zuerst erschienen in Hafen Zeitung.", Some("Hafen Zeitung")),
            ("Originally published on March 3, 2010", None),
            ("First published in 2010", None),
            // Months were outlets.
            ("This story was originally published in April 2020.", None),
            ("First published in May", None),
            ("Originally published in Summer 2010", None),
            ("It first appeared in March Hare Review", Some("March Hare Review")),
            ("She first appeared in a film about rain", None),
            ("It rained.", None),
        ] {
            assert_eq!(reprinted(text), expected, "{text}");
        }
    }
}
