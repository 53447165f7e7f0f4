//! Dates in data: JSON-LD, microdata, `meta`, scripts.

use super::super::dates::read;
use super::super::evidence::{Field, Origin};
use super::super::json_ld::{self, Budget, Json};
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
        search.add(field, moment, origin(&meta.key, meta.is_microdata), meta.key.clone(), weight);
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

/// Whose vocabulary the name of a `meta` is of.
pub(super) fn origin(key: &str, is_microdata: bool) -> Origin {
    match key.split([':', '.']).next().unwrap_or_default() {
        "og" | "article" | "book" => Origin::OpenGraph,
        "dc" | "dcterms" => Origin::DublinCore,
        "twitter" => Origin::Twitter,
        _ if is_microdata => Origin::Microdata,
        _ => Origin::Meta,
    }
}

/// What a feed says of the page: as sure as JSON-LD, which comes first where both say something else.
pub(super) fn told(search: &mut Search<'_>) {
    let Some(told) = search.around.told else { return };
    for (value, field, what, weight) in [
        (&told.entry.published, Field::Published, "published", 98.0),
        (&told.entry.updated, Field::Modified, "updated", 90.0),
    ] {
        if let Some(moment) = value.as_deref().and_then(|text| read(text, &search.hints)) {
            search.add(field, moment, Origin::Feed, format!("entry {}, {what}", told.number), weight);
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
pub(super) fn meaning(key: &str) -> Option<(Field, f32)> {
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

/// Where the JSON-LD of other pieces stands, which was weighed already.
fn lists(search: &Search<'_>) -> Vec<std::ops::Range<usize>> {
    let source = search.around.page.dom().source();
    let scripts = search.around.scan.json_ld.iter().take(40).flat_map(|node| node.children());
    let spans = scripts.filter_map(|text| text.span()).map(|span| span.start as usize..span.end as usize);
    spans
        .filter(|span| {
            let text = source.get(span.clone()).unwrap_or_default();
            is_read(text)
                || [&b"itemListElement"[..], b"VideoObject"]
                    .iter()
                    .any(|it| memchr::memmem::find(text.as_bytes(), it).is_some())
        })
        .collect()
}

/// Is a script JSON-LD that is read as such, and has its dates there? Then these were weighed already, or belong to something else.
fn is_read(script: &str) -> bool {
    let values = json_ld::read(script, &mut Budget::default());
    values.iter().flat_map(Json::objects).any(|it| it.get("datePublished").is_some())
}

/// Where scripts stand in a source: not those in comments of HTML. Each byte is looked at once or twice.
fn in_scripts(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let begins = |at: usize, word: &[u8]| {
        bytes.get(at..at + word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word))
    };
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    let mut from = 0;
    while let Some(at) = memchr::memchr(b'<', &bytes[from..]).map(|at| from + at) {
        from = at + 1;
        match open {
            Some(start) if begins(at, b"</script") => {
                found.push(start..at);
                open = None;
            }
            Some(_) => {}
            None if begins(at, b"<!--") => {
                from = memchr::memmem::find(&bytes[at..], b"-->").map_or(bytes.len(), |end| at + end);
            }
            None if begins(at, b"<script") => open = Some(at),
            None => {}
        }
    }
    found.extend(open.map(|start| start..bytes.len()));
    found
}

/// Does a place lie in a tag, and so in an attribute of it?
fn in_attribute(bytes: &[u8], at: usize) -> bool {
    let before = &bytes[at.saturating_sub(200_000)..at];
    memchr::memrchr(b'<', before).is_some_and(|open| {
        before.get(open + 1).is_some_and(u8::is_ascii_alphabetic)
            && memchr::memchr(b'>', &before[open..]).is_none()
    })
}

/// Does what is told at a place of data belong to another piece than the page, by the keys it stands below? The marks that open what is
/// around it are looked for backwards.
fn is_of_another(source: &str, at: usize) -> bool {
    const OTHERS: [&str; 14] = [
        "review",
        "comment",
        "mention",
        "citation",
        "related",
        "recommend",
        "itemlist",
        "video",
        "suggest",
        "answer",
        "trending",
        "popular",
        "latest",
        "similar",
    ];
    const FAR: usize = 16_000;
    const DEEP: usize = 12;
    let start = source.ceil_char_boundary(at.saturating_sub(FAR));
    let before = &source[start..at];
    let (mut inner, mut levels) = (0_usize, 0);
    for (place, byte) in before.bytes().enumerate().rev() {
        match byte {
            b'}' | b']' => inner += 1,
            b'{' | b'[' if inner > 0 => inner -= 1,
            b'{' | b'[' => {
                // The key stands right before it: "related":[
                let key = before[..place].trim_end_matches([' ', '\n', '\r', '\t', ':', '"', '\\', '\'']);
                let key =
                    key.trim_end_matches("&quot;").trim_end_matches([':', ' ']).trim_end_matches("&quot;");
                let key = key.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next();
                let key = key.unwrap_or_default().to_ascii_lowercase().replace('_', "");
                if OTHERS.iter().any(|other| key.starts_with(other)) {
                    return true;
                }
                levels += 1;
                if levels >= DEEP {
                    return false;
                }
            }
            _ => {}
        }
    }
    false
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
    let mut programs: Option<Vec<std::ops::Range<usize>>> = None;
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
            let programs = programs.get_or_insert_with(|| in_scripts(bytes));
            let is_data = programs.iter().any(|script| script.contains(&start)) || in_attribute(bytes, start);
            if !is_data || is_of_another(source, start) {
                continue;
            }
            let rest = &source[start + key.len()..];
            let value = rest[..rest.floor_char_boundary(60)].replace("&quot;", "\"");
            let value = value.trim_start_matches([':', ' ', '"', '\\', '\'']);
            let value = value.split(['"', ',', '}', '\\']).next().unwrap_or_default();
            if let Some(moment) = read(value, &search.hints) {
                seen[place] = true;
                search.add(Field::Published, moment, Origin::Script, *key, *weight);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_and_attributes_are_told_from_text_and_comments() {
        let source = "<p>a</p><!-- <script>b</script> --><SCRIPT>c<!-- d</Script><i e='f'>g</i><script>h";
        let in_script = |letter: char| {
            let at = source.rfind(letter).unwrap_or_default();
            in_scripts(source.as_bytes()).iter().any(|it| it.contains(&at))
        };
        assert!(in_script('d') && in_script('h'));
        assert!(!in_script('b') && !in_script('f') && !in_script('g'));
        assert!(in_attribute(source.as_bytes(), source.find('f').unwrap_or_default()));
        assert!(!in_attribute(source.as_bytes(), source.find('g').unwrap_or_default()));
    }

    #[test]
    fn keys_tell_whose_a_date_is() {
        for (source, expected) in [
            (r#"{"related":[{"a":{}},{"@"#, true),
            (r#"{"related":[{"a":{}}],"article":{"@"#, false),
            ("{&quot;comments&quot;:{&quot;@", true),
            ("{\\\"itemList\\\":[{\\\"@", true),
            ("港口{recommended_posts:[{@", true),
            // A key that is no ASCII was cut inside of a letter.
            ("{\"文\":{\"@", false),
            ("é{\"@", false),
        ] {
            assert_eq!(is_of_another(source, source.find('@').unwrap_or_default()), expected, "{source}");
        }
    }
}
