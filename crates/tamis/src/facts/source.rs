//! Where a piece was taken over from, as reprinted news say it, and the name of the site itself.

use tamis_html::{Name, NodeRef};

use super::Around;
use super::dates::Hints;
use super::evidence::{Evidence, Field, Origin};

/// What stands before a source; a colon of any kind follows.
const LABELS: &[&str] = &[
    "来源",
    "來源",
    "稿源",
    "转自",
    "转载自",
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
pub(super) fn gather(around: &Around<'_>, evidence: &mut Evidence) {
    for (key, origin, weight) in [
        ("og:site_name", Origin::OpenGraph, 90.0),
        ("application-name", Origin::Meta, 60.0),
        ("apple-mobile-web-app-title", Origin::Meta, 50.0),
        ("dc.publisher", Origin::DublinCore, 45.0),
    ] {
        if let Some(name) = around.scan.meta_named(&[key]).filter(|name| name.chars().count() <= 80) {
            evidence.add(Field::SiteName, name, origin, key, weight);
        }
    }
    if let Some(name) = around.things.site_name().filter(|name| name.chars().count() <= 80) {
        evidence.add(Field::SiteName, name, Origin::JsonLd, "publisher", 80.0);
    }
    if let Some(told) = &around.told
        && let Some(name) = told.site_name()
    {
        evidence.add(Field::SiteName, name, Origin::Feed, "title of the feed", 58.0);
    }
    let title = around.title_text.as_str();
    let parts = super::title::separators(title);
    if parts.len() > 1 {
        for part in [parts.last(), parts.first()].into_iter().flatten() {
            let part = &title[part.clone()];
            if super::title::is_site_name(part, around) {
                evidence.add(Field::SiteName, part, Origin::Title, "agrees with the host", 55.0);
            }
        }
    }
    stated(around, evidence);
}

/// Lines near the text that say where it comes from.
fn stated(around: &Around<'_>, evidence: &mut Evidence) {
    if let Some(name) = around.scan.meta_named(&[
        "source",
        "mediaid",
        "contentsource",
        "article:source",
        "syndication-source",
    ]) && !name.contains("://")
        && name.chars().count() <= 40
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
        let is_own = |name: &str| super::title::is_site_name(name, around);
        if text.len() > 400 {
            continue;
        }
        if let Some(name) = reprinted(text).filter(|name| !is_own(name)) {
            evidence.add(Field::Source, name, Origin::Near, "reprinted", 74.0);
        }
        if !has_label(text) || page.comments().part(place).is_some() {
            continue;
        }
        if in_figure(page.element(&page.blocks()[place])) {
            continue;
        }
        for label in LABELS {
            let Some((before, behind)) = text.split_once(label) else { continue };
            let Some(rest) = behind.trim_start().strip_prefix([':', '：']) else { continue };
            // A word of its own, and not that of a picture.
            let small = before.to_lowercase();
            let is_word = label.is_ascii() && before.ends_with(char::is_alphanumeric);
            if is_word || OF_PICTURES.iter().any(|it| small.ends_with(it)) {
                continue;
            }
            let rest = rest.trim_start();
            let end = rest
                .find(['|', '（', '(', '）', ')', '】', ']', '，', '。', '\u{3000}', '\t', ';', '；', '/'])
                .unwrap_or(rest.len());
            let is_wide = label.starts_with(|c| matches!(c, '\u{2e80}'..='\u{9fff}'));
            let end = if is_wide { rest[..end].find(' ').unwrap_or(end) } else { end };
            let rest = if is_wide { &rest[..end] } else { super::next_label::value(&rest[..end]) };
            let value = without_tail(rest);
            let lends = value.to_lowercase();
            if (2..=40).contains(&value.chars().count())
                && !is_no_name(value)
                && !LENDERS.iter().any(|lender| lends.contains(lender))
                && !value.chars().all(|c| c.is_ascii_digit() || c.is_ascii_punctuation())
            {
                evidence.add(Field::Source, value, Origin::Near, *label, 80.0);
            }
        }
    }
}

/// Does a label stand right before a colon? Most lines have none, and need not be searched for each label.
fn has_label(text: &str) -> bool {
    text.match_indices([':', '：']).any(|(at, _)| {
        let before = text[..at].trim_end();
        LABELS.iter().any(|label| before.ends_with(label))
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
    let is_time =
        super::dates::find(head, &Hints::default()).first().is_some_and(|dated| dated.place.start == 0)
            || name.split(' ').next().is_some_and(|word| word.ends_with("day"));
    let is_name =
        (2..=60).contains(&name.chars().count()) && !name.contains(|c: char| c.is_ascii_digit()) && !is_time;
    is_name.then_some(name)
}

/// Does a line stand below a picture?
fn in_figure(node: NodeRef<'_>) -> bool {
    let around = std::iter::once(node).chain(node.ancestors()).take(3);
    around.filter_map(|it| it.name_id()).any(|name| matches!(name, Name::FIGURE | Name::FIGCAPTION))
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
    value.contains(['=', '"', '<', '>', '{'])
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
            ("She first appeared in a film about rain", None),
            ("It rained.", None),
        ] {
            assert_eq!(reprinted(text), expected, "{text}");
        }
    }
}
