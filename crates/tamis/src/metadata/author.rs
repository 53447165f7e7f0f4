//! Authors and editors: names of people, or what the page puts in their place.

use tamis_html::{Name, NodeRef};

use super::byline::{name_after_date, reporter_at_head, reporters, spaced_value, wide_value};
use super::candidate::{Evidence, Pool, Signs, comparison_key, signs};
use super::labelled::{LabelKind, Labelled, MAX_LINE, labelled};
use super::lexicon::{is_east_asian, phrases};
use super::names::{self, is_organisation, people};
use super::view::View;
use crate::annotate::MetaField;
use crate::annotate::json_ld::SchemaRole;
use crate::annotate::microdata::{Marked, text_of, value};
use crate::classify::PageType;

const MAX_CANDIDATES: usize = 40;
/// Values read from data.
const MAX_VALUES: usize = 100;
/// Longer values are texts, in bytes.
const MAX_VALUE: usize = 160;
/// Authors of one text that are no people may be this long, in characters.
const MAX_BYLINE: usize = 60;

use AuthorSign::*;

signs! { AuthorSign, "authors",
    Any "any", Hint "hint", JsonPerson "person in JSON-LD", JsonOrganisation "organisation in JSON-LD",
    JsonOther "author in JSON-LD", MetaStrong "meta author", MetaWeak "other meta author",
    Microdata "author in microdata", RelAuthor "rel=author", BylineAbove "byline above the text",
    BylineBelow "byline below the text", BylineSure "label that stands before people alone",
    BylineColon "label with a colon", AfterDate "byline behind a date",
    ClassAbove "class of an author above the text", ClassBelow "class of an author below the text",
    FewClasses "only name with such a class", NotPeople "no name of a person", Organisation "organisation",
    SiteName "name of the site", OneWord "one word", Pseudonym "written as no name is",
    TwoPeople "two people",
    Shown "shown near the text", HoldsOther "holds another candidate",
    HeldByOther "part of another candidate", AgainstData "data name somebody else",
    AgainstByline "a byline names somebody else", Listing "on a listing",
    Forum "on a forum", Product "on a product page", InHeadline "in the headline", TwoSources "two sources",
    ThreeSources "three sources", PeopleBeside "people are named beside", OneWordClass "one word of a class",
    OnlySource "only source",
}

/// A candidate: names of people, or one text that is none.
#[derive(Clone, Debug)]
pub(crate) struct Authors {
    pub(crate) names: Vec<String>,
    pub(crate) is_people: bool,
}

pub(crate) type AuthorPool = Pool<String, Authors>;

const SOURCES: [AuthorSign; 10] = [
    Hint,
    JsonPerson,
    JsonOther,
    MetaStrong,
    MetaWeak,
    Microdata,
    RelAuthor,
    BylineAbove,
    AfterDate,
    ClassAbove,
];

/// Collects the candidates for authors, and the names of editors.
pub(crate) fn candidates(view: &View<'_>, language: Option<&str>) -> (AuthorPool, Vec<String>) {
    let mut pool = Pool::new(MAX_CANDIDATES);
    let mut editors: Vec<String> = Vec::new();
    if let Some(hints) = view.context.hints.filter(|hints| !hints.authors.is_empty()) {
        add_names(&mut pool, hints.authors.clone(), Hint, Evidence::Hint);
    }
    from_json_ld(view, &mut pool, &mut editors);
    for meta in view.head.metas(MetaField::Author).into_iter().take(MAX_VALUES) {
        let sign = if meta.priority >= 6 { MetaStrong } else { MetaWeak };
        add(view, &mut pool, &meta.content, sign, Evidence::Meta);
    }
    merge_metas(view, &mut pool);
    from_marked(view, &mut pool);
    from_lines(view, language, &mut pool, &mut editors);
    from_classes(view, &mut pool);
    compare(view, &mut pool, &editors);
    editors.truncate(names::MAX_NAMES);
    (pool, editors)
}

fn add_names(
    pool: &mut AuthorPool,
    names: Vec<String>,
    sign: AuthorSign,
    evidence: Evidence,
) -> Option<&mut Signs> {
    let mut keys: Vec<String> = names.iter().map(|name| comparison_key(name)).collect();
    keys.sort();
    keys.dedup();
    if keys.iter().all(String::is_empty) {
        return None;
    }
    let candidate = pool.candidate(keys.join("|"), Authors { names, is_people: true }, evidence)?;
    candidate.signs.add(sign);
    Some(&mut candidate.signs)
}

/// Adds a text that is meant to name authors: the people in it, else the text itself.
fn add<'p>(
    view: &View<'_>,
    pool: &'p mut AuthorPool,
    text: &str,
    sign: AuthorSign,
    evidence: Evidence,
) -> Option<&'p mut Signs> {
    // "Ada Finch - Harbour Gazette"
    let cut = [" @ ", " | ", " - ", " – ", " — "].iter().find_map(|mark| text.split_once(mark));
    let text = cut.filter(|(_, tail)| view.site.is_own(&comparison_key(tail))).map_or(text, |(head, _)| head);
    let names = if view.site.is_exact(&comparison_key(text)) { Vec::new() } else { people(text) };
    if !names.is_empty() {
        return add_names(pool, names, sign, evidence);
    }
    let text = names::without_label(text).trim_matches([' ', ',', '.', '|', '-', '–', '@', ':']);
    let is_value = (2..=MAX_BYLINE).contains(&text.chars().count())
        && !text.contains(['{', '<', '=', '\n'])
        && !text.contains("://");
    let key = comparison_key(text);
    let is_noise = phrases("class_noise").contains(&text.to_lowercase());
    if !is_value || is_noise || !text.contains(char::is_alphabetic) || key.is_empty() {
        return None;
    }
    let candidate =
        pool.candidate(key, Authors { names: vec![text.to_owned()], is_people: false }, evidence)?;
    candidate.signs.add(sign);
    Some(&mut candidate.signs)
}

fn from_json_ld(view: &View<'_>, pool: &mut AuthorPool, editors: &mut Vec<String>) {
    let (Some(piece), graph) = (view.piece, &view.head.graph) else { return };
    let values = |key: &str| graph.get(piece, key).map(|value| graph.items(value)).unwrap_or_default();
    let authors = if graph.get(piece, "author").is_some() { values("author") } else { values("creator") };
    let (mut everybody, mut are_people, mut others) = (Vec::new(), true, Vec::new());
    for author in authors.into_iter().take(MAX_VALUES) {
        let role = graph.role(author);
        for name in
            graph.names(author).into_iter().take(names::MAX_NAMES).filter(|name| name.len() <= MAX_VALUE)
        {
            let found = if view.site.is_exact(&comparison_key(&name)) { Vec::new() } else { people(&name) };
            if role == Some(SchemaRole::Organisation) || found.is_empty() {
                others.push((name, role));
            } else {
                are_people &= role == Some(SchemaRole::Person);
                everybody.extend(found);
            }
        }
    }
    everybody.dedup();
    if everybody.is_empty() {
        for (name, role) in others.iter().take(2) {
            let sign = match role {
                Some(SchemaRole::Organisation) => JsonOrganisation,
                Some(SchemaRole::Person) => JsonPerson,
                _ => JsonOther,
            };
            add(view, pool, name, sign, Evidence::JsonLd);
        }
    } else {
        let sign = if are_people { JsonPerson } else { JsonOther };
        add_names(pool, everybody, sign, Evidence::JsonLd);
    }
    for editor in values("editor").into_iter().take(names::MAX_NAMES) {
        if graph.role(editor) != Some(SchemaRole::Organisation) {
            editors.extend(graph.names(editor).iter().flat_map(|name| people(name)));
        }
    }
}

/// Several `meta` elements of one key name several authors.
fn merge_metas(view: &View<'_>, pool: &mut AuthorPool) {
    let metas = view.head.metas(MetaField::Author);
    let Some(first) = metas.first() else { return };
    let same: Vec<_> = metas.iter().filter(|meta| meta.key == first.key).take(names::MAX_NAMES).collect();
    if same.len() > 1 {
        let mut all: Vec<String> = same.iter().flat_map(|meta| people(&meta.content)).collect();
        all.dedup();
        add_names(pool, all, MetaStrong, Evidence::Meta);
    }
}

/// Microdata and links with `rel=author`, near the text.
fn from_marked(view: &View<'_>, pool: &mut AuthorPool) {
    let node = |at: &Marked| view.page.dom.node(at.node).filter(|_| view.is_near(at.block as usize));
    let mut texts: Vec<String> = Vec::new();
    for property in &view.head.marked.properties {
        let is_author = property.names.iter().any(|name| name == "author" || name == "creator");
        if !is_author || property.scope == Some(SchemaRole::Foreign) {
            continue;
        }
        let Some(node) = node(&property.at) else { continue };
        let inner = node.descendants().take(60).find(|it| {
            let name = it
                .is_element()
                .then(|| it.attribute_named(Name::ITEMPROP).or_else(|| it.attribute_named(Name::PROPERTY)));
            name.flatten().is_some_and(|name| name.trim() == "name")
        });
        let text = value(inner.unwrap_or(node));
        if text.len() <= MAX_VALUE && !texts.contains(&text) {
            texts.push(text);
        }
    }
    // More are those of a thread, or of the works that a paper cites.
    if texts.len() <= 3 {
        let all: Vec<String> = texts.iter().flat_map(|text| people(text)).collect();
        if all.is_empty() {
            texts.iter().take(1).for_each(|text| {
                add(view, pool, text, Microdata, Evidence::Microdata);
            });
        } else {
            add_names(pool, all, Microdata, Evidence::Microdata);
        }
    }
    let is_author = |rel: &str| rel.split_ascii_whitespace().any(|rel| rel == "author");
    let links = view.head.marked.links.iter().filter(|(rel, _)| is_author(rel));
    let links = links.filter_map(|(_, at)| node(at).filter(|node| node.is(Name::A)));
    let mut linked: Vec<(NodeRef<'_>, String)> = Vec::new();
    for link in links.take(MAX_VALUES) {
        let text = text_of(link, MAX_VALUE, true, |_| false);
        // Those of one line wrote it together.
        let parent = |node: NodeRef<'_>| node.parent().map(|parent| parent.id());
        let is_beside = linked.first().is_none_or(|(first, _)| parent(*first) == parent(link));
        if !text.is_empty() && is_beside && !linked.iter().any(|(_, known)| *known == text) {
            linked.push((link, text));
        }
    }
    let all: Vec<String> = linked.iter().flat_map(|(_, text)| people(text)).collect();
    match (all.is_empty(), linked.first()) {
        (false, _) => _ = add_names(pool, all, RelAuthor, Evidence::Link),
        (true, Some((_, text))) => _ = add(view, pool, text, RelAuthor, Evidence::Link),
        _ => {}
    }
}

/// Lines near the text that say who wrote it.
fn from_lines(view: &View<'_>, language: Option<&str>, pool: &mut AuthorPool, editors: &mut Vec<String>) {
    let Some((first, last)) = view.text else { return };
    let count = view.page.blocks.len();
    let above = first.saturating_sub(14)..(first + 4).min(count);
    let below = last.saturating_sub(2).max(above.end)..(last + 5).min(count);
    for block in above.clone().chain(below) {
        let line = view.line(block);
        let line = match line.len() {
            0..=MAX_LINE => line.as_str(),
            _ if block <= first + 1 => reporter_at_head(&line),
            // The reporter or editor at the end of a long last paragraph.
            length if block >= last && line.ends_with(['）', ')']) => {
                &line[line.ceil_char_boundary(length - 60)..]
            }
            _ => continue,
        };
        let labels = labelled(line, language);
        let after_date = if labels.is_empty() { name_after_date(view, line, language) } else { None };
        if (labels.is_empty() && after_date.is_none()) || view.is_of_others(block) {
            continue;
        }
        let place = if above.contains(&block) { BylineAbove } else { BylineBelow };
        if let Some(names) = after_date {
            add_names(pool, names, AfterDate, Evidence::Label);
        }
        for label in labels {
            match label.kind {
                LabelKind::Editor => editors.extend(people(label.value)),
                LabelKind::Source => {}
                LabelKind::Byline | LabelKind::Reporter => {
                    let Some(signs) = add_labelled(view, pool, &label, place) else { continue };
                    signs.add_if(label.phrase.flags.sure, BylineSure);
                    signs.add_if(label.has_colon, BylineColon);
                }
            }
        }
    }
}

/// Adds the value of a byline label.
fn add_labelled<'p>(
    view: &View<'_>,
    pool: &'p mut AuthorPool,
    label: &Labelled<'_>,
    place: AuthorSign,
) -> Option<&'p mut Signs> {
    let value = label.value;
    if label.kind == LabelKind::Reporter && !label.has_colon {
        return add_names(pool, reporters(value)?, place, Evidence::Label);
    }
    let is_wide = value.starts_with(|c: char| is_east_asian(c) || "[【(（".contains(c));
    let head = if is_wide { wide_value(value) } else { spaced_value(value) };
    let is_caseless = !head.contains(|c: char| c.is_uppercase() || c.is_lowercase());
    // Where letters have no case, only a mark or a short line tells a name from a sentence.
    if !is_wide && is_caseless && !label.has_colon && head.split_whitespace().count() > 3 {
        return None;
    }
    let found = people(&head);
    let is_name_word =
        |word: &str| word.starts_with(char::is_uppercase) || phrases("particle").contains(word);
    if !found.is_empty() {
        // A small "by" begins sentences as well.
        let is_written = found.iter().all(|name| name.split(' ').all(is_name_word)) || is_caseless;
        return if label.is_capital || label.has_colon || is_written {
            add_names(pool, found, place, Evidence::Label)
        } else {
            None
        };
    }
    // "By the Gazette staff" is a byline, "by all means" is none.
    let is_short = head.split_whitespace().count() <= 5;
    let is_line = label.before.is_empty() && label.value.len() <= head.len() + 40;
    if (label.has_colon
        || label.phrase.flags.sure
        || (label.is_capital && is_line && head.split(' ').any(is_name_word)))
        && is_short
    {
        return add(view, pool, &head, place, Evidence::Label);
    }
    None
}

/// Elements whose class speaks of an author.
fn from_classes(view: &View<'_>, pool: &mut AuthorPool) {
    let Some((first, last)) = view.text else { return };
    let headline = comparison_key(&view.head.title);
    let mut found: Vec<(Vec<String>, bool)> = Vec::new();
    for at in view.head.marked.author_classes.iter() {
        let block = at.block as usize;
        let (is_above, is_below) =
            (block + 10 >= first && block <= first + 1, block >= last && block <= last + 4);
        if !(is_above || is_below) || view.is_of_others(block) {
            continue;
        }
        let Some(node) = view.page.dom.node(at.node) else { continue };
        let text = text_of(node, 200, true, |_| false);
        if text.len() > 80 {
            continue;
        }
        // Some templates give the headline such a class.
        if headline.contains(&comparison_key(&text)) && text.split_whitespace().count() != 2 {
            continue;
        }
        let names = people(&spaced_value(&text));
        let sign = if is_above { ClassAbove } else { ClassBelow };
        if names.is_empty() {
            let text = spaced_value(&text);
            let bare = names::without_label(&text).to_lowercase();
            let is_noise = phrases("class_noise").contains(bare.trim_matches(|c: char| !c.is_alphanumeric()));
            if text.split_whitespace().count() <= 3 && !is_noise && !bare.contains(['#', '>']) {
                add(view, pool, &text, sign, Evidence::ClassName);
            }
        } else if !found.iter().any(|(known, _)| *known == names) && found.len() < 6 {
            add_names(pool, names.clone(), sign, Evidence::ClassName);
            found.push((names, is_above));
        }
    }
    if let [(names, _)] = found.as_slice() {
        add_names(pool, names.clone(), FewClasses, Evidence::ClassName);
    }
}

/// Signs that take the page and all candidates together.
fn compare(view: &View<'_>, pool: &mut AuthorPool, editors: &[String]) {
    let near = view
        .text
        .map_or(0..0, |(first, last)| first.saturating_sub(14)..(last + 6).min(view.page.blocks.len()));
    let lines: Vec<String> = near
        .filter(|block| view.page.blocks.text(*block).len() <= 200)
        .take(60)
        .map(|block| comparison_key(view.page.blocks.text(block)))
        .collect();
    let headline = comparison_key(&view.head.title);
    let all: Vec<(String, Vec<String>, Signs, bool)> = pool
        .candidates
        .iter()
        .map(|it| {
            (
                it.key.clone(),
                it.value.names.iter().map(|name| comparison_key(name)).collect(),
                it.signs,
                it.value.is_people,
            )
        })
        .collect();
    let is_data = |signs: Signs| signs.has_any(&[JsonPerson, JsonOther, MetaStrong, Microdata]);
    let is_byline = |signs: Signs| signs.has_any(&[BylineAbove, AfterDate]);
    let editors: Vec<String> = editors.iter().map(|name| comparison_key(name)).collect();
    pool.candidates.retain(|candidate| {
        !candidate.value.names.iter().any(|name| editors.contains(&comparison_key(name)))
            || is_data(candidate.signs)
    });
    for candidate in &mut pool.candidates {
        let names: Vec<String> = candidate.value.names.iter().map(|name| comparison_key(name)).collect();
        let (signs, own) = (&mut candidate.signs, &candidate.value);
        signs.add(Any);
        let whole = names.concat();
        let is_person =
            own.is_people && own.names.iter().all(|name| name.contains(' ') || name.contains(is_east_asian));
        let is_site = names.iter().any(|name| view.site.is_own(name)) || view.site.is_exact(&whole);
        signs.add_if(is_site && !(is_person && signs.has(JsonPerson)), SiteName);
        signs.add_if(!own.is_people, NotPeople);
        signs.add_if(!own.is_people && is_organisation(&own.names[0]), Organisation);
        let is_word = |name: &String| !name.contains(' ') && !name.contains(is_east_asian);
        signs.add_if(own.names.iter().any(is_word), OneWord);
        let is_odd = |name: &String| {
            name.starts_with(char::is_lowercase)
                || name.contains(|c: char| c.is_ascii_digit() || "._".contains(c) && !name.contains(' '))
        };
        signs.add_if(own.names.iter().any(is_odd), Pseudonym);
        signs.add_if(names.len() == 2, TwoPeople);
        signs.add_if(
            names.iter().all(|name| name.len() > 2 && lines.iter().any(|line| line.contains(name.as_str()))),
            Shown,
        );
        signs.add_if(names.iter().any(|name| name.len() > 4 && headline.contains(name.as_str())), InHeadline);
        let shares = |other: &[String]| {
            names
                .iter()
                .any(|name| other.iter().any(|it| it.contains(name.as_str()) || name.contains(it.as_str())))
        };
        let others = || all.iter().filter(|(key, ..)| *key != candidate.key);
        let own_signs = *signs;
        let is_real = |signs: Signs| signs.has_any(&SOURCES);
        signs.add_if(
            !own.is_people && others().any(|(_, _, it, people)| *people && is_real(*it)),
            PeopleBeside,
        );
        signs.add_if(
            others()
                .any(|(_, other, ..)| other.len() < names.len() && other.iter().all(|it| names.contains(it))),
            HoldsOther,
        );
        signs.add_if(
            others()
                .any(|(_, other, ..)| other.len() > names.len() && names.iter().all(|it| other.contains(it))),
            HeldByOther,
        );
        signs.add_if(
            !is_data(own_signs)
                && others().any(|(_, other, it, people)| is_data(*it) && *people && !shares(other)),
            AgainstData,
        );
        signs.add_if(
            !is_byline(own_signs)
                && others().any(|(_, other, it, people)| is_byline(*it) && *people && !shares(other)),
            AgainstByline,
        );
        let page_type = view.prediction.page_type;
        signs.add_if(page_type == PageType::Listing, Listing);
        signs.add_if(page_type == PageType::Forum, Forum);
        signs.add_if(page_type == PageType::Product, Product);
        let sources = SOURCES.iter().filter(|sign| signs.has(**sign)).count();
        let is_class = signs.has_any(&[ClassAbove, ClassBelow]);
        signs.add_if(sources == 1, OnlySource);
        signs.add_if(sources <= 1 && is_class && signs.has(OneWord), OneWordClass);
        signs.add_if(sources == 2, TwoSources);
        signs.add_if(sources >= 3, ThreeSources);
    }
}
