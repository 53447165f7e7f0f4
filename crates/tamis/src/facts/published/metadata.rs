//! Dates in data: JSON-LD, microdata, `meta`, the address, scripts.

use super::super::dates::{Hints, read};
use super::super::evidence::{Field, Origin};
use super::super::json_ld::Json;
use super::super::microdata;
use super::Search;

/// What the page declares about itself.
pub(super) fn declared(search: &mut Search<'_>) {
    let around = search.around;
    if let Some(piece) = around.own_piece() {
        let is_page = piece.is_a(|name| name.ends_with("Page"));
        json(search, piece, if is_page { 86.0 } else { 100.0 });
        if !is_page && let Some(page) = around.things.web_page() {
            json(search, page, 70.0);
        }
    }
    for meta in &around.scan.metas {
        let Some((field, weight)) = meaning(&meta.key) else { continue };
        if meta.is_microdata && is_foreign(meta.node) {
            continue;
        }
        let Some(moment) = read(&meta.content, &search.hints) else { continue };
        let origin = match meta.key.split([':', '.']).next().unwrap_or_default() {
            "og" | "article" | "book" => Origin::OpenGraph,
            "dc" | "dcterms" => Origin::DublinCore,
            "twitter" => Origin::Twitter,
            _ if meta.is_microdata => Origin::Microdata,
            _ => Origin::Meta,
        };
        search.add(field, moment, origin, meta.key.clone(), weight);
        let is_vague = ["date", "dc.date", "dcterms.date"].contains(&meta.key.as_str());
        if let Some(last) = search.found.last_mut() {
            last.is_vague = is_vague && !meta.is_microdata;
        }
    }
    for property in &around.scan.properties {
        for name in property.names.split_whitespace() {
            let name = name.rsplit(':').next().unwrap_or(name);
            let Some((field, weight)) = meaning(&name.to_ascii_lowercase()) else { continue };
            if is_foreign(property.node) || in_comments(search, property.node) {
                continue;
            }
            let Some(moment) = read(&microdata::value(property.node), &search.hints) else { continue };
            let origin = if property.is_rdfa { Origin::Rdfa } else { Origin::Microdata };
            search.add(field, moment, origin, name.to_owned(), weight - 4.0);
        }
    }
}

fn json(search: &mut Search<'_>, thing: &Json, weight: f32) {
    for (key, field, factor) in [
        ("datePublished", Field::Published, 1.0),
        ("dateCreated", Field::Published, 0.72),
        ("uploadDate", Field::Published, 0.7),
        ("datePosted", Field::Published, 0.8),
        ("dateModified", Field::Modified, 1.0),
    ] {
        if let Some(moment) = thing.text_of(key).and_then(|text| read(text, &search.hints)) {
            search.add(field, moment, Origin::JsonLd, key, weight * factor);
        }
    }
}

/// Does a property belong to something that is not the piece?
fn is_foreign(node: tamis_html::NodeRef<'_>) -> bool {
    microdata::scope(node).is_some_and(|scope| {
        [
            "comment",
            "usercomments",
            "person",
            "answer",
            "offer",
            "review",
            "event",
            "imageobject",
            "videoobject",
        ]
        .contains(&scope.as_str())
    })
}

pub(super) fn in_comments(search: &Search<'_>, node: tamis_html::NodeRef<'_>) -> bool {
    let around = search.around;
    around.place_of(node).is_some_and(|place| around.page.comments().part(place).is_some())
}

/// Which time a property speaks of, and how much it is to be believed.
fn meaning(key: &str) -> Option<(Field, f32)> {
    // Most properties speak of no time.
    if !key
        .as_bytes()
        .windows(3)
        .any(|it| matches!(it, b"dat" | b"tim" | b"pub" | b"iss" | b"cre" | b"mod" | b"rev"))
    {
        return None;
    }
    let last = key.rsplit([':', '.', '_', '-']).next().unwrap_or(key);
    let bare: String = key.chars().filter(char::is_ascii_alphanumeric).collect();
    let has = |words: &[&str]| words.iter().any(|word| bare.contains(word));
    if key.len() > 40
        || has(&[
            "expir",
            "unpublish",
            "valid",
            "birth",
            "death",
            "start",
            "end",
            "copyright",
            "event",
            "air",
        ])
    {
        return None;
    }
    if has(&["modif", "updat", "revis", "lastmod", "lastedit", "review"]) {
        return (has(&["date", "time", "modif", "updated", "revised"]) || last == "lastmod")
            .then_some((Field::Modified, 80.0));
    }
    if has(&[
        "datepublished",
        "publishedtime",
        "publishtime",
        "pubdate",
        "publishdate",
        "publisheddate",
        "publicationdate",
        "publisheddatetime",
        "pubtime",
        "dateissued",
        "publishedat",
        "originalpublicationdate",
        "firstpublish",
    ]) {
        return Some((Field::Published, 95.0));
    }
    if has(&[
        "issued",
        "releasedate",
        "datecreated",
        "created",
        "createat",
        "createdate",
        "creationdate",
        "articledate",
        "sailthrudate",
        "displaydate",
        "postdate",
        "dateposted",
        "dcdate",
        "dctermsdate",
        "citationdate",
        "onlinedate",
    ]) {
        return Some((Field::Published, 84.0));
    }
    matches!(
        bare.as_str(),
        "date"
            | "dateiso"
            | "time"
            | "timestamp"
            | "ptime"
            | "articlepublished"
            | "published"
            | "dcsdate"
            | "eomportaluuiddate"
            | "publicationtime"
    )
    .then_some((Field::Published, 78.0))
}

/// `/2010/12/15/`, `/2010/december/15/`, `/2010-12-15-`, `/20101215/` in the address.
pub(super) fn address(search: &mut Search<'_>) {
    let around = search.around;
    let path = around.path();
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let no_hints = Hints::default();
    let mut found = None;
    for (place, part) in parts.iter().enumerate() {
        let is_number = |part: &str, digits: std::ops::RangeInclusive<usize>| {
            digits.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        let is_year = |part: &str| is_number(part, 4..=4);
        let is_month = |part: &str| {
            is_number(part, 1..=2) || (part.len() >= 3 && part.bytes().all(|byte| byte.is_ascii_alphabetic()))
        };
        let text = if is_year(part) && parts.len() > place + 2 && is_month(parts[place + 1]) {
            // /2010/december/15/, and the day may go on as a name: /2010/12/15-rain
            let day: String = parts[place + 2].chars().take_while(char::is_ascii_digit).collect();
            (1..=2).contains(&day.len()).then(|| format!("{part}-{}-{day}", parts[place + 1]))
        } else if is_year(part) && parts.len() > place + 1 && is_number(parts[place + 1], 4..=4) {
            // /2010/1215/
            Some(format!("{part}-{}-{}", &parts[place + 1][..2], &parts[place + 1][2..]))
        } else {
            date_in(part)
        };
        let Some(text) = text else { continue };
        if let Some(moment) = read(&text, &no_hints).filter(|moment| moment.local.year >= 1990) {
            found = Some(moment);
            break;
        }
    }
    if let Some(moment) = found {
        search.add(Field::Published, moment, Origin::Url, path.to_owned(), 82.0);
    }
}

/// `2010-12-15`, `29-10-2021` or `20101215` in a part of an address.
fn date_in(part: &str) -> Option<String> {
    let bytes = part.as_bytes();
    if bytes.len() == 10 && bytes[2] == b'-' && bytes[5] == b'-' {
        return Some(part.to_owned());
    }
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut at = 0;
    while at < bytes.len() {
        if !digit(at) {
            at += 1;
            continue;
        }
        let end = (at..=bytes.len()).find(|&end| !digit(end)).unwrap_or(bytes.len());
        let year: u32 = if end - at >= 4 { part[at..at + 4].parse().ok()? } else { 0 };
        if (1990..=2099).contains(&year) {
            if end - at == 8 {
                return Some(format!(
                    "{}-{}-{}",
                    &part[at..at + 4],
                    &part[at + 4..at + 6],
                    &part[at + 6..end]
                ));
            }
            if end - at == 4 && matches!(bytes.get(end), Some(b'-' | b'_')) {
                let rest = &part[end + 1..];
                let mut numbers = rest.split(['-', '_', '.']);
                let (month, day) = (numbers.next()?, numbers.next().unwrap_or_default());
                let is = |text: &str| {
                    (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
                };
                if is(month) && is(day) {
                    return Some(format!("{}-{month}-{day}", &part[at..end]));
                }
            }
        }
        at = end;
    }
    None
}

/// Where the JSON-LD of other pieces stands, which was weighed already.
fn lists(search: &Search<'_>) -> Vec<std::ops::Range<usize>> {
    let source = search.around.page.dom().source();
    let scripts = search.around.scan.json_ld.iter().take(40).flat_map(|node| node.children());
    let spans = scripts.filter_map(|text| text.span()).map(|span| span.start as usize..span.end as usize);
    spans
        .filter(|span| {
            let text = source.get(span.clone()).unwrap_or_default().as_bytes();
            [&b"itemListElement"[..], b"VideoObject"]
                .iter()
                .any(|it| memchr::memmem::find(text, it).is_some())
        })
        .collect()
}

/// Data that scripts carry for themselves, under names that speak of publishing. Only asked where nothing better is.
pub(super) fn scripts(search: &mut Search<'_>) {
    let source = search.around.page.dom().source();
    let keys: [(&str, f32); 6] = [
        ("datePublished", 60.0),
        ("publishedAt", 48.0),
        ("published_at", 48.0),
        ("publishDate", 48.0),
        ("publish_date", 48.0),
        ("publish_time", 46.0),
    ];
    // One look over the page for what the names have in common.
    let bytes = source.as_bytes();
    let mut seen = [false; 6];
    let lists = lists(search);
    for at in memchr::memmem::find_iter(bytes, b"ublish").take(400) {
        if lists.iter().any(|list| list.contains(&at)) {
            continue;
        }
        for (place, (key, weight)) in keys.iter().enumerate() {
            let before = key.find("ublish").unwrap_or(0);
            let Some(start) =
                at.checked_sub(before).filter(|start| bytes[*start..].starts_with(key.as_bytes()))
            else {
                continue;
            };
            let rest = &bytes[start + key.len()..];
            // In quotes, or in references to quotes.
            let quoted = rest.starts_with(b"\"") || rest.starts_with(b"&quot;") || rest.starts_with(b"\\\"");
            if seen[place] || !quoted {
                continue;
            }
            let rest = &source[start + key.len()..];
            let end = (0..=60.min(rest.len())).rev().find(|&end| rest.is_char_boundary(end)).unwrap_or(0);
            let value = rest[..end].replace("&quot;", "\"");
            let value = value.trim_start_matches([':', ' ', '"', '\\', '\'']);
            let value = value.split(['"', ',', '}', '\\']).next().unwrap_or_default();
            if let Some(moment) = read(value, &search.hints) {
                seen[place] = true;
                search.add(Field::Published, moment, Origin::Script, *key, *weight);
            }
        }
    }
}
