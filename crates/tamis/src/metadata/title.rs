//! The title: the headline of the piece, without the name of the site.

use std::collections::HashSet;

use tamis_html::{Name, Namespace, NodeRef};

use super::candidate::{Evidence, Pool, Signs, comparison_key, signs};
use super::lexicon::{is_east_asian, phrases};
use super::title_parts::{split, thread_title, without_open_end};
use super::view::{Heading, View};
use crate::annotate::json_ld::SchemaRole;
use crate::annotate::microdata::{self, text_of};
use crate::annotate::{MetaField, collapse};
use crate::text::characters::{is_alphanumeric, lowercase};
use crate::text::hash::hash_bytes;

/// Longer texts are no titles, in bytes.
const MAX_BYTES: usize = 400;
const MAX_CANDIDATES: usize = 48;
/// Headings below `h1` that are looked at.
const MAX_LOWER_HEADINGS: usize = 10;
/// Parts of `<title>` compared with headings.
const MAX_PARTS: usize = 12;
/// Shorter lines at the head of a text are names of sections as often.
const MIN_LINE: usize = 10;

use TitleSign::*;

signs! { TitleSign, "title",
    H1 "h1", OnlyH1 "only h1", FirstH1 "first h1", H1Near "h1 near the text", PartOfH1 "part of h1",
    H2Near "h2 near the text", H3Near "h3 near the text", H4Near "h4 near the text",
    HighestNear "highest heading before the text",
    HomeLink "link to the front page", Hidden "hidden heading", Og "og:title",
    OgCut "og:title without the site", Twitter "twitter:title", TwitterCut "twitter:title without the site",
    Meta "other meta title", MetaCut "other meta title without the site", JsonHeadline "headline in JSON-LD",
    JsonName "name in JSON-LD", Headline "headline in microdata", Title "whole title element",
    TitleCut "title element without the site", TitleHead "first part of the title element",
    TitleTail "last part of the title element", TitleWithoutTail "title element without its last part",
    TitleWithoutHead "title element without its first part", TitleLongest "longest part of the title element",
    PartOfTitle "a part of the title element", InTitle "inside of the title element",
    HoldsTitle "holds the title element", SiteName "name of the site", VeryShort "very short", Short "short",
    Long "long", VeryLong "very long", HasSeparator "has a separator", SlugAgrees "address agrees",
    SlugDisagrees "address disagrees", NothingOfTitle "no word of the title element",
    MuchOfTitle "half of its words in the title element", FrontPage "title element of a front page",
    ArticleH1 "h1 of a declared article", ProductH1 "h1 of a declared product",
    ThreadTitle "topic of a thread", BoardName "class of a site name",
    HeadShown "start of the title element below another heading",
    NameAbove "end of the title element above its start", KnownName "declared name of the site",
    SlugHasOther "address spells another part", Hint "hint", BlogName "named like a blog",
    LineShown "line at the head of the text", Rule "site rule",
}

pub(crate) type TitlePool = Pool<String, String>;

/// Collects the candidates.
pub(crate) fn candidates(view: &View<'_>) -> TitlePool {
    let mut pool = Pool::new(MAX_CANDIDATES);
    declared_in_meta(view, &mut pool);
    let backed: HashSet<String> = pool.candidates.iter().map(|candidate| candidate.key.clone()).collect();
    headings(view, &backed, &mut pool);
    title_element(view, &mut pool);
    compare(view, &mut pool);
    pool
}

fn add(pool: &mut TitlePool, text: &str, sign: TitleSign, evidence: Evidence) {
    let text = without_open_end(text.trim());
    if text.len() > MAX_BYTES {
        return;
    }
    let key = comparison_key(text);
    if key.is_empty() || phrases("untitled").contains(&key) {
        return;
    }
    if let Some(candidate) = pool.candidate(key, text.to_owned(), evidence) {
        candidate.signs.add(sign);
        // The elements of a heading stick together where others have a space.
        let words = |text: &str| text.split_whitespace().count();
        if text != candidate.value && words(text) > words(&candidate.value) {
            candidate.value = text.to_owned();
        }
    }
}

fn declared_in_meta(view: &View<'_>, pool: &mut TitlePool) {
    if let Some(title) = view.rule_values(|rules| &rules.title).first() {
        add(pool, &collapse(title), Rule, Evidence::SiteRule);
    }
    if let Some(title) = view.context.hints.and_then(|hints| hints.title.as_deref()) {
        add(pool, &collapse(title), Hint, Evidence::Hint);
    }
    for (key, sign, evidence) in
        [("headline", JsonHeadline, Evidence::JsonLd), ("name", JsonName, Evidence::JsonLd)]
    {
        if let Some(text) = view.piece_text(key) {
            add(pool, &collapse(text), sign, evidence);
        }
    }
    for property in &view.head.marked.properties {
        if property.names.contains(&"headline")
            && pool.candidates.len() < 8
            && let Some(node) = view.page.dom.node(property.at.node)
        {
            add(pool, &collapse(&microdata::value(node)), Headline, Evidence::Microdata);
        }
    }
    let h1s = view.headings.iter().filter(|heading| heading.level == 1).take(4);
    let mut shown: Vec<String> = h1s.filter_map(|heading| view.node(heading.row)).map(heading_text).collect();
    shown.push(view.head.title.clone());
    for meta in view.head.metas(MetaField::Title) {
        let (whole, cut) = match meta.priority {
            9 => (Og, OgCut),
            7 => (Twitter, TwitterCut),
            _ => (Meta, MetaCut),
        };
        if is_cut_at_quote(&shown, &meta.content) {
            continue;
        }
        add(pool, &meta.content, whole, Evidence::Meta);
        add(pool, view.site.without_site(&meta.content), cut, Evidence::Meta);
    }
}

/// Whether a template forgot to escape a quotation mark, so that the attribute ended there: `<title>` or a heading goes on
/// with the mark.
fn is_cut_at_quote(shown: &[String], content: &str) -> bool {
    shown.iter().any(|whole| {
        let rest = whole.strip_prefix(content.trim_end()).map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with(['"', '\'', '“', '‘', '„', '«', '”', '’']))
    })
}

fn headings(view: &View<'_>, backed: &HashSet<String>, pool: &mut TitlePool) {
    let title_heads: HashSet<String> = view
        .title_parts
        .iter()
        .take(MAX_PARTS)
        .map(|part| comparison_key(&view.head.title[..part.end]))
        .collect();
    let is_backed = |text: &str| {
        let key = comparison_key(text);
        backed.contains(&key) || title_heads.contains(&key)
    };
    let h1_count = view.headings.iter().filter(|heading| heading.level == 1).count();
    let (mut h1_seen, mut lower_seen) = (0, 0);
    let mut highest: Option<(u8, String)> = None;
    for heading in &view.headings {
        let distance = view.distance(heading.block);
        let is_near = distance.is_some_and(|distance| (-3..=14).contains(&distance));
        let is_h1 = heading.level == 1;
        if (!is_h1 && (!is_near || lower_seen >= MAX_LOWER_HEADINGS)) || (is_h1 && h1_seen >= MAX_PARTS) {
            continue;
        }
        h1_seen += usize::from(is_h1);
        lower_seen += usize::from(!is_h1);
        let Some(node) = view.node(heading.row) else { continue };
        let mut text = heading_text(node);
        if let Some(own) = without_day(view, &text).filter(|own| is_backed(own) && !is_backed(&text)) {
            text = own;
        }
        let own = without_edge(node, &text).find(|own| is_h1 && is_backed(own) && !is_backed(&text));
        if let Some(own) = own {
            text = own;
        }
        let text = without_open_end(view.site.without_tail(&text)).to_owned();
        let mut signs = Signs::default();
        if is_h1 {
            signs.add(H1);
            signs.add_if(h1_count == 1, OnlyH1);
            signs.add_if(h1_seen == 1, FirstH1);
            signs.add_if(is_near, H1Near);
            for part in node.children().filter(|it| it.is_element() && !is_not_headline(*it)).take(6) {
                add(pool, &heading_text(part), PartOfH1, Evidence::Heading);
            }
        } else {
            signs.add(match heading.level {
                2 => H2Near,
                3 => H3Near,
                _ => H4Near,
            });
        }
        place_signs(view, heading, node, &mut signs);
        if distance.is_some_and(|distance| distance >= 0)
            && highest.as_ref().is_none_or(|(level, _)| heading.level <= *level)
        {
            highest = Some((heading.level, comparison_key(&text)));
        }
        let key = comparison_key(&text);
        if text.len() <= MAX_BYTES
            && !key.is_empty()
            && let Some(candidate) = pool.candidate(key, text.clone(), Evidence::Heading)
        {
            candidate.signs.merge(signs);
            // What readers see is written with more care than data, unless its elements stick together.
            let words = |text: &str| text.split_whitespace().count();
            if is_h1 && words(&text) >= words(&candidate.value) {
                candidate.value = text;
            }
        }
    }
    if let Some((_, key)) = highest
        && let Some(candidate) = pool.candidates.iter_mut().find(|candidate| candidate.key == key)
    {
        candidate.signs.add(HighestNear);
    }
}

/// Signs of where a heading stands.
fn place_signs(view: &View<'_>, heading: &Heading, node: NodeRef<'_>, signs: &mut Signs) {
    let (from, to) = view.page.elements.blocks(heading.row);
    signs.add_if(from == to, Hidden);
    signs.add_if(is_home_link(view, node), HomeLink);
    let mut names = [Name::ID, Name::CLASS].into_iter().filter_map(|name| node.attribute_named(name));
    let is_site_name = names.any(|value| {
        value
            .split_ascii_whitespace()
            .any(|name| phrases("site_name_class").contains(&name.to_ascii_lowercase()))
    });
    signs.add_if(is_site_name, BoardName);
}

/// The text of a heading as readers see it: without buttons, dates, drawings and text for screen readers alone.
fn heading_text(node: NodeRef<'_>) -> String {
    let text = spaced(text_of(node, MAX_BYTES + 100, false, is_not_headline), || {
        text_of(node, MAX_BYTES + 100, true, is_not_headline)
    });
    let text = if text.is_empty() { text_of(node, MAX_BYTES + 100, false, |_| false) } else { text };
    let mut text = text.trim_end_matches(['¶', '#']).trim();
    // "原 荐 Rain at last": marks of a platform before the headline.
    while let Some((_, rest)) =
        text.split_once(' ').filter(|(first, _)| phrases("heading_badge").contains(first))
    {
        text = rest.trim_start();
    }
    // "Rain at last [edit]"
    while let Some(open) = text.rfind(['[', '【']).filter(|_| text.ends_with([']', '】'])) {
        let inner = text[open..].trim_matches(['[', ']', '【', '】', ' ']).to_lowercase();
        if open == 0 || !phrases("heading_button").contains(&inner) {
            break;
        }
        text = text[..open].trim_end();
    }
    text.to_owned()
}

/// Parts words that elements glue, "NewsRain at last": a small letter before a capital, where `apart` has a space.
fn spaced(text: String, apart: impl Fn() -> String) -> String {
    let is_glued = |pair: (char, char)| pair.0.is_lowercase() && pair.1.is_uppercase();
    if !text.chars().zip(text.chars().skip(1)).any(is_glued) {
        return text;
    }
    let (apart, mut joined) = (apart(), String::with_capacity(text.len() + 4));
    let mut glued = text.chars().peekable();
    for character in apart.chars() {
        if glued.peek() == Some(&character) {
            joined.extend(glued.next());
        } else if joined.chars().next_back().zip(glued.peek().copied()).is_some_and(is_glued) {
            joined.push(character);
        }
    }
    // Cut at different places.
    if glued.next().is_some() { text } else { joined }
}

/// Elements of a heading that are no part of the headline.
fn is_not_headline(node: NodeRef<'_>) -> bool {
    if node.namespace() == Namespace::Svg || node.is(Name::TIME) || node.is(Name::BUTTON) {
        return true;
    }
    let class = node.attribute_named(Name::CLASS).unwrap_or_default();
    let mut tokens = class.split_ascii_whitespace();
    if tokens.any(|token| phrases("hidden_class").contains(&token.to_ascii_lowercase())) {
        // A colon that is read aloud between a kicker and a headline belongs to both.
        return text_of(node, 80, false, |_| false).contains(char::is_alphanumeric);
    }
    let text = text_of(node, 60, true, |_| false);
    let bare = text.trim_matches(|c: char| c.is_whitespace() || "[]【】()（）|".contains(c)).to_lowercase();
    let is_known =
        |text: &str| ["heading_button", "heading_badge"].iter().any(|it| phrases(it).contains(text));
    bare.len() <= 40 && (is_known(&bare) || (!bare.is_empty() && bare.split_whitespace().all(is_known)))
}

/// A heading without the date that a template put before or behind it.
fn without_day(view: &View<'_>, text: &str) -> Option<String> {
    const BETWEEN: &[char] = &[
        ' ', '\u{3000}', '-', '–', '—', '|', '·', '•', ',', '(', ')', '[', ']', '（', '）', '【', '】', ':',
    ];
    /// Characters of a day's name before the date.
    const MAX_WEEKDAY: usize = 10;
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let dates = view.find_dates(text);
    let (first, last) = (dates.first()?, dates.last()?);
    let own = if text[last.range.end..].trim_matches(BETWEEN).is_empty() {
        &text[..last.range.start]
    } else if text[..first.range.start].trim_matches(BETWEEN).chars().count() <= MAX_WEEKDAY {
        &text[first.range.end..]
    } else {
        return None;
    };
    let own = own.trim_matches(BETWEEN);
    own.contains(char::is_alphabetic).then(|| own.to_owned())
}

/// A heading without what its first or last element holds: the words above a headline, a badge behind it.
fn without_edge(node: NodeRef<'_>, text: &str) -> impl Iterator<Item = String> {
    let is_shown = |it: &NodeRef<'_>| it.is_element() || !it.text().trim().is_empty();
    let mut children = node.children().take(MAX_PARTS).filter(is_shown);
    [(children.next(), true), (children.last(), false)].into_iter().filter_map(|(edge, is_first)| {
        let edge = heading_text(edge.filter(NodeRef::is_element)?);
        let strip = if is_first { str::strip_prefix } else { str::strip_suffix };
        let own = strip(text, edge.as_str()).filter(|_| !edge.is_empty())?;
        let own = own.trim_matches(|c: char| c.is_whitespace() || ":|-–—·/".contains(c));
        (!own.is_empty()).then(|| own.to_owned())
    })
}

/// Whether a heading is a link to the front page, as a logo is.
fn is_home_link(view: &View<'_>, node: NodeRef<'_>) -> bool {
    let around = node.ancestors().take(2).chain(node.descendants().take(6));
    let mut targets = around.filter(|it| it.is(Name::A)).filter_map(|it| it.attribute_named(Name::HREF));
    targets.any(|href| {
        let href = href.trim();
        let path = match href.split_once("//") {
            Some((_, rest)) => rest.find('/').map_or("/", |at| &rest[at..]),
            None => href,
        };
        matches!(path, "" | "/" | "./" | "#" | "/index.html" | "/index.php") && !view.is_front_page()
    })
}

fn title_element(view: &View<'_>, pool: &mut TitlePool) {
    let (whole, parts, evidence) = (view.head.title.as_str(), &view.title_parts, Evidence::TitleElement);
    if whole.is_empty() {
        return;
    }
    add(pool, whole, Title, evidence);
    if let Some(thread) = thread_title(whole) {
        add(pool, view.site.without_tail(thread), ThreadTitle, evidence);
    }
    add(pool, view.site.without_site(whole), TitleCut, evidence);
    if let [first, .., before, last] | [first @ before, last] = parts.as_slice() {
        add(pool, &whole[first.clone()], TitleHead, evidence);
        add(pool, &whole[last.clone()], TitleTail, evidence);
        add(pool, &whole[..before.end], TitleWithoutTail, evidence);
        add(pool, &whole[parts[1].start..], TitleWithoutHead, evidence);
        if let Some(longest) = parts.iter().max_by_key(|part| whole[(*part).clone()].chars().count()) {
            add(pool, &whole[longest.clone()], TitleLongest, evidence);
        }
    }
}

/// Whether metadata about the article, not the page, has this title.
fn is_backed(signs: Signs) -> bool {
    signs.has_any(&[Og, OgCut, Twitter, JsonHeadline, Headline, Hint])
}

/// Signs that take all candidates together.
fn compare(view: &View<'_>, pool: &mut TitlePool) {
    let whole = view.head.title.as_str();
    let title = comparison_key(whole);
    let parts: Vec<String> =
        view.title_parts.iter().take(MAX_PARTS).map(|part| comparison_key(&whole[part.clone()])).collect();
    let title_words = words(whole);
    let slug = view.slug_words();
    let spelt = |key: &str| slug.iter().filter(|word| key.contains(word.as_str())).count();
    let agrees = |key: &str| slug.len() >= 2 && spelt(key) * 10 >= slug.len() * 7;
    let slug_has_part = parts.len() > 1 && parts.iter().any(|part| agrees(part) && !view.site.is_site(part));
    let is_front_page = view.is_front_page();
    let is_inner = !is_front_page && parts.len() > 1 && !parts.iter().all(|part| view.site.is_site(part));
    let shown = Shown::find(view, pool);
    let lines = lines_at_head(view);
    let og_type = view.head.metas(MetaField::Type).first().map(|meta| meta.content.to_ascii_lowercase());
    let is_article = og_type.as_deref() == Some("article") || view.piece_role() == Some(SchemaRole::Article);
    let is_product = og_type.is_some_and(|kind| kind.contains("product"))
        || view.piece.is_some_and(|piece| {
            view.head.graph.text_of(piece, "@type").is_some_and(|kind| kind.starts_with("Product"))
        });
    for candidate in &mut pool.candidates {
        let (key, signs) = (&candidate.key, &mut candidate.signs);
        let length = key.chars().count();
        let is_part = parts.len() > 1 && parts.contains(key);
        if is_part {
            signs.add(PartOfTitle);
        } else if *key != title {
            signs.add_if(length > 3 && title.contains(key.as_str()), InTitle);
            signs.add_if(title.len() > 3 && key.contains(&title), HoldsTitle);
        }
        signs.add_if(view.site.is_site(key), SiteName);
        signs.add_if(is_inner && view.site.declared.contains(key) && !is_backed(*signs), KnownName);
        signs.add_if(shown.head.as_ref() == Some(key), HeadShown);
        signs.add_if(shown.names.contains(key), NameAbove);
        signs.add_if(is_part && length >= MIN_LINE && lines.contains(key), LineShown);
        let is_blog = phrases("blog_ending").at_end(&lowercase(&candidate.value)).is_some();
        signs.add_if(is_blog && !is_front_page && parts.first() != Some(key) && *key != title, BlogName);
        // A Chinese character says as much as several letters.
        let weight = length + 2 * candidate.value.chars().filter(|c| is_east_asian(*c)).count();
        match weight {
            0..=7 => signs.add(VeryShort),
            8..=17 => signs.add(Short),
            121..=180 => signs.add(Long),
            181.. => signs.add(VeryLong),
            _ => {}
        }
        // In a heading two colons stand as one does.
        let is_heading = signs.has_any(&[H1, H2Near, H3Near]);
        let has_separator =
            split(&candidate.value).len() > 1 && !(is_heading && candidate.value.contains(" :: "));
        signs.add_if(has_separator, HasSeparator);
        if agrees(key) {
            signs.add(SlugAgrees);
        } else if slug.len() >= 2 && spelt(key) == 0 {
            signs.add(SlugDisagrees);
            signs.add_if(slug_has_part && is_part && !is_backed(*signs), SlugHasOther);
        }
        let own = words(&candidate.value);
        let shared = own.iter().filter(|word| title_words.binary_search(word).is_ok()).count();
        signs.add_if(shared == 0, NothingOfTitle);
        signs.add_if(shared > 0 && shared * 2 >= own.len(), MuchOfTitle);
        signs.add_if(is_front_page && signs.has(Title), FrontPage);
        signs.add_if(is_article && signs.has(H1), ArticleH1);
        signs.add_if(is_product && signs.has(H1), ProductH1);
    }
}

/// Hashes of the distinct words of a text, lowercase and sorted; a Chinese character is one by itself.
fn words(text: &str) -> Vec<u64> {
    let lowercase = lowercase(text);
    let mut words: Vec<u64> = Vec::new();
    for word in lowercase.split(|c: char| !is_alphanumeric(c)).filter(|word| !word.is_empty()) {
        if !word.is_ascii() && word.contains(is_east_asian) {
            words.extend(word.chars().map(|c| hash_bytes(c.encode_utf8(&mut [0; 4]).as_bytes())));
        } else {
            words.push(hash_bytes(word.as_bytes()));
        }
    }
    words.sort_unstable();
    words.dedup();
    words
}

/// Keys of the short lines at the start of the text.
fn lines_at_head(view: &View<'_>) -> Vec<String> {
    let Some((first, _)) = view.text else { return Vec::new() };
    let blocks = first.saturating_sub(2)..(first + 2).min(view.page.blocks.len());
    let lines = blocks.map(|block| view.page.blocks.text(block)).filter(|line| line.len() <= MAX_BYTES);
    lines.map(comparison_key).collect()
}

/// What of `<title>` is shown on the page: a heading that is a later part of it names the blog or the site where the
/// first part stands below.
#[derive(Default)]
struct Shown {
    head: Option<String>,
    names: HashSet<String>,
}

impl Shown {
    fn find(view: &View<'_>, pool: &TitlePool) -> Shown {
        let (title, parts) = (view.head.title.as_str(), &view.title_parts);
        let mut shown = Shown::default();
        if !(2..=MAX_PARTS).contains(&parts.len()) {
            return shown;
        }
        let heads: Vec<String> =
            parts[..parts.len() - 1].iter().map(|part| comparison_key(&title[..part.end])).collect();
        let later: Vec<String> = parts[1..]
            .iter()
            .flat_map(|part| [comparison_key(&title[part.clone()]), comparison_key(&title[part.start..])])
            .collect();
        let is_head = |key: &String| !key.is_empty() && heads.contains(key) && !view.site.is_site(key);
        // Headings and lines near the text, in order.
        let Some((first, _)) = view.text else { return shown };
        let lines = first.saturating_sub(14)..(first + 3).min(view.page.blocks.len());
        let shortest = heads.iter().map(String::len).min().unwrap_or(0);
        let lines: Vec<(usize, String)> = lines
            .filter(|block| (shortest..=MAX_BYTES).contains(&view.page.blocks.text(*block).len()))
            .map(|block| (block, comparison_key(view.page.blocks.text(block))))
            .filter(|(_, key)| is_head(key))
            .collect();
        let h1s = view.headings.iter().filter(|heading| heading.level == 1).take(4);
        for heading in h1s {
            let Some(node) = view.node(heading.row) else { continue };
            let own = comparison_key(&heading_text(node));
            let is_declared = pool.get(&own).is_some_and(|candidate| is_backed(candidate.signs));
            if own.is_empty() || heads.contains(&own) || is_declared {
                continue;
            }
            let below = lines.iter().find(|(block, _)| *block > heading.block);
            let Some((_, head)) = below else { continue };
            let is_longer = head.chars().count() > own.chars().count();
            if later.contains(&own) && (is_longer || view.in_page_header(heading.block)) {
                shown.names.insert(own);
                shown.head = shown.head.take().or_else(|| Some(head.clone()));
            }
        }
        shown
    }
}
