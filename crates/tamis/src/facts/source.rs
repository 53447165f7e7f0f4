//! Where a piece was taken over from, as reprinted news say it, and the name of the site itself.

use super::Around;
use super::evidence::{Evidence, Field, Origin};

const LABELS: &[&str] = &[
    "来源：",
    "来源:",
    "來源：",
    "來源:",
    "稿源：",
    "稿件来源：",
    "信息来源：",
    "文章来源：",
    "转自：",
    "转载自：",
    "摘自：",
    "出处：",
    "出處：",
    "Source: ",
    "SOURCE: ",
    "Quelle: ",
    "Fuente: ",
    "Fonte: ",
    "Источник: ",
    "Źródło: ",
    "Zdroj: ",
    "Kaynak: ",
    "出典：",
    "مەنبە: ",
    "مەنبەسى: ",
    "المصدر: ",
    "منبع: ",
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
        if text.len() > 400 || page.comments().part(place).is_some() || !text.contains([':', '：']) {
            continue;
        }
        for label in LABELS {
            let Some(at) = text.find(label) else { continue };
            let rest = text[at + label.len()..].trim_start();
            let end = rest
                .find(['|', '）', ')', '】', ']', '，', '。', '\u{3000}', '\t', ';', '；', '/'])
                .unwrap_or(rest.len());
            let is_wide = label.ends_with('：') || label.ends_with(':');
            let end = if is_wide { rest[..end].find(' ').unwrap_or(end) } else { end };
            let value = without_tail(&rest[..end]);
            if (2..=40).contains(&value.chars().count())
                && !is_no_name(value)
                && !value.chars().all(|c| c.is_ascii_digit() || c.is_ascii_punctuation())
            {
                evidence.add(Field::Source, value, Origin::Near, label.trim(), 80.0);
            }
        }
    }
}

/// The beginning of an address, or a word that says that nobody knows.
fn is_no_name(value: &str) -> bool {
    let no_names =
        ["http", "https", "www", "未知", "不详", "网络", "互联网", "本站", "本站原创", "原创", "unknown"];
    no_names.iter().any(|it| value.trim_end_matches([':', '：']).eq_ignore_ascii_case(it))
}

/// A name without what follows it in the same line: 作者, 时间, a number.
fn without_tail(value: &str) -> &str {
    let end = ["作者", "时间", "時間", "日期", "编辑", "發布", "发布", "责任", "点击", "浏览", "阅读"]
        .iter()
        .filter_map(|word| value.find(word))
        .min()
        .unwrap_or(value.len());
    value[..end].trim().trim_end_matches([':', '：', '-', ' '])
}
