//! What a page says it is: its description, keywords, sections, picture and kind.

use tamis_html::Name;

use super::Around;
use super::clean::{LONGEST_TEXT, beginning};
use super::evidence::{Evidence, Field, Origin};
use super::json_ld::{Json, references};
use super::scan::folded;
use crate::assemble::Address;

/// Puts the candidates for these facts among the evidence.
pub(super) fn gather(around: &Around<'_>, address: &Address, evidence: &mut Evidence) {
    let scan = &around.scan;
    let piece = around.piece();
    for (key, origin, weight) in [
        ("og:description", Origin::OpenGraph, 80.0),
        ("description", Origin::Meta, 78.0),
        ("twitter:description", Origin::Twitter, 70.0),
        ("dc.description", Origin::DublinCore, 60.0),
        ("dcterms.abstract", Origin::DublinCore, 58.0),
    ] {
        if let Some(value) = scan.meta_named(&[key]) {
            evidence.add(Field::Description, without_markup(value), origin, key, weight);
        }
    }
    if let Some(value) = piece.and_then(|piece| piece.text_of("description")) {
        evidence.add(Field::Description, without_markup(value), Origin::JsonLd, "description", 74.0);
    }
    if let Some(told) = &around.told
        && let Some(value) = told.description()
    {
        evidence.add(
            Field::Description,
            value,
            Origin::Feed,
            format!("entry {}, summary", told.number),
            72.0,
        );
    }
    tags(around, evidence);
    for (key, origin, weight) in [
        ("og:image", Origin::OpenGraph, 80.0),
        ("og:image:url", Origin::OpenGraph, 79.0),
        ("twitter:image", Origin::Twitter, 70.0),
        ("twitter:image:src", Origin::Twitter, 69.0),
        ("thumbnail", Origin::Meta, 50.0),
    ] {
        if let Some(value) = scan.meta_named(&[key]).filter(|value| !value.starts_with("data:")) {
            evidence.add(Field::Image, address.resolve(value), origin, key, weight);
        }
    }
    let image = piece.and_then(|piece| piece.get("image")).and_then(|image| image.each().next());
    if let Some(value) = image.and_then(|image| image.text().or_else(|| image.text_of("url"))) {
        evidence.add(Field::Image, address.resolve(value), Origin::JsonLd, "image", 74.0);
    }
    if let Some(value) = super::microdata::address(scan, "image") {
        evidence.add(Field::Image, address.resolve(&value), Origin::Microdata, "image", 60.0);
    }
    if evidence.of(Field::Image).next().is_none()
        && let Some(value) = first_picture(around)
    {
        evidence.add(Field::Image, address.resolve(&value), Origin::Near, "figure in the text", 30.0);
    }
    kind(around, evidence);
}

/// Words alone: some pages put the markup of their first lines where a text should be.
pub(crate) fn without_markup(value: &str) -> String {
    // Markup may take more room than the words.
    let value = beginning(value, 4 * LONGEST_TEXT);
    let text = references(value.to_owned());
    let has_markup =
        text.contains("</") || text.contains("<p") || text.contains("<br") || text.contains("/>");
    let text = if has_markup {
        let dom = tamis_html::parse(&text);
        dom.body().map(|body| super::scan::text_of(body, LONGEST_TEXT)).unwrap_or_default()
    } else {
        text
    };
    folded(&text)
}

/// The first picture that stands in a `figure` of the text, or right above it. Only asked where data name none.
fn first_picture(around: &Around<'_>) -> Option<String> {
    let (first, last) = around.text?;
    let places = first.saturating_sub(3)..=last;
    let figures = around.scan.figures.iter().copied();
    let near = figures.filter(|node| around.place_of(*node).is_some_and(|place| places.contains(&place)));
    near.flat_map(|figure| figure.descendants().filter(|node| node.is(Name::IMG)).take(1).collect::<Vec<_>>())
        .filter_map(|image| {
            let is_address = |it: &String| !it.is_empty() && !it.starts_with("data:");
            // A picture that is loaded late has another in its place until then.
            let plain = ["data-src", "data-original", "data-lazy-src", "src"]
                .iter()
                .filter_map(|name| image.attribute(name))
                .map(|it| it.trim().to_owned())
                .find(is_address);
            // The first of a set, without its width.
            let of_set = || {
                let set = ["srcset", "data-srcset"].iter().find_map(|name| image.attribute(name))?;
                set.split_whitespace().next().map(|it| it.trim_end_matches(',').to_owned())
            };
            plain.or_else(|| of_set().filter(is_address))
        })
        .next()
}

/// A keyword without markup.
fn words_of(part: &str) -> String {
    let part = references(part.to_owned());
    if !part.contains('<') {
        return folded(&part);
    }
    let dom = tamis_html::parse(&part);
    dom.body().map(|body| super::scan::text_of(body, 200)).unwrap_or_default()
}

/// Is it the number of a thing, as programs give it: `123e4567-e89b-12d3-a456-426614174000`?
fn is_uuid(word: &str) -> bool {
    word.len() == 36
        && word.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Keywords and sections, each by itself.
fn tags(around: &Around<'_>, evidence: &mut Evidence) {
    let mut several = |field: Field, value: &str, origin: Origin, detail: &'static str, weight: f32| {
        for part in value
            .split([',', ';', '，', '、', '；'])
            .map(words_of)
            .filter(|part| (2..=60).contains(&part.chars().count()) && !is_uuid(part))
            .take(40)
        {
            evidence.add(field, part, origin, detail, weight);
        }
    };
    for meta in &around.scan.metas {
        match meta.key.as_str() {
            "article:tag" | "og:article:tag" => {
                several(Field::Tag, &meta.content, Origin::OpenGraph, "article:tag", 80.0)
            }
            "keywords" | "news_keywords" | "parsely-tags" | "sailthru.tags" => {
                several(Field::Tag, &meta.content, Origin::Meta, "keywords", 60.0)
            }
            "dc.subject" | "dcterms.subject" => {
                several(Field::Tag, &meta.content, Origin::DublinCore, "subject", 50.0)
            }
            "article:section" | "og:article:section" => {
                several(Field::Category, &meta.content, Origin::OpenGraph, "article:section", 80.0)
            }
            "parsely-section" | "section" | "category" => {
                several(Field::Category, &meta.content, Origin::Meta, "section", 60.0)
            }
            _ => {}
        }
    }
    if let Some(piece) = around.piece() {
        for value in piece.get("keywords").into_iter().flat_map(Json::each).filter_map(Json::text) {
            several(Field::Tag, value, Origin::JsonLd, "keywords", 70.0);
        }
        for value in piece.get("articleSection").into_iter().flat_map(Json::each).filter_map(Json::text) {
            several(Field::Category, value, Origin::JsonLd, "articleSection", 78.0);
        }
    }
    let linked: Vec<(Field, String)> = around
        .scan
        .links
        .iter()
        .filter(|(rel, node)| node.is(tamis_html::Name::A) && rel.split_whitespace().any(|rel| rel == "tag"))
        .take(40)
        .map(|(rel, node)| {
            let field = if rel.contains("category") { Field::Category } else { Field::Tag };
            (field, super::scan::text_of(*node, 80))
        })
        .collect();
    for (field, value) in linked {
        several(field, &value, Origin::Link, "rel=tag", 50.0);
    }
    // Feeds do not tell sections and keywords apart.
    if let Some(told) = &around.told {
        for value in &told.entry.categories {
            several(Field::Tag, value, Origin::Feed, "category", 55.0);
        }
    }
}

/// What kind of page it is, in the words of the evaluation sets: article, forum, listing, product, other.
fn kind(around: &Around<'_>, evidence: &mut Evidence) {
    let of_json = |name: &str| match name {
        name if name.ends_with("Article")
            || name == "BlogPosting"
            || name == "Report"
            || name == "Recipe" =>
        {
            Some("article")
        }
        "DiscussionForumPosting" | "QAPage" | "Question" => Some("forum"),
        name if name.starts_with("Product") => Some("product"),
        "CollectionPage" | "ItemList" | "SearchResultsPage" => Some("listing"),
        _ => None,
    };
    if let Some(piece) = around.piece() {
        for kind in ["article", "forum", "product", "listing"] {
            if piece.is_a(|name| of_json(name) == Some(kind)) {
                evidence.add(Field::PageType, kind, Origin::JsonLd, "@type", 80.0);
            }
        }
    }
    // Microdata that speak of an article have its headline, its day or its text.
    let of_article = around.scan.properties.iter().find(|it| {
        it.names.split_whitespace().any(|name| matches!(name, "headline" | "datePublished" | "articleBody"))
    });
    let is_article = |scope: String| scope.ends_with("article") || scope.ends_with("blogposting");
    if of_article.and_then(|it| super::microdata::scope(it.node)).is_some_and(is_article) {
        evidence.add(Field::PageType, "article", Origin::Microdata, "itemtype", 50.0);
    }
    if let Some(value) = around.scan.meta_named(&["og:type"]) {
        let kind = match value.to_ascii_lowercase().as_str() {
            "article" | "blog" | "news" => "article",
            "product" | "og:product" | "product.item" => "product",
            _ => return,
        };
        evidence.add(Field::PageType, kind, Origin::OpenGraph, "og:type", 60.0);
    }
}
