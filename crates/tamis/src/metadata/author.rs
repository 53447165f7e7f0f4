//! Authors and editors: names of people, or what the page puts in their place.

use super::author_data::{from_json_ld, from_marked, from_metas};
use super::byline::{
    author_links, joined_label, linked_side_by_side, name_after_date, reporter_at_head, reporters,
    spaced_value, wide_value,
};
use super::candidate::{Evidence, Pool, Signs, comparison_key, signs};
use super::labelled::{LabelKind, Labelled, MAX_LINE, labelled};
use super::lexicon::is_east_asian;
use super::names::{self, is_name_word, people};
use super::not_people::{self, is_organisation};
use super::view::{View, declared_site};
use crate::annotate::MetaField;
use crate::annotate::microdata::text_of;
use crate::classify::PageType;

const MAX_CANDIDATES: usize = 40;
/// Authors of one text that are no people may be this long, in characters.
const MAX_BYLINE: usize = 60;

use AuthorSign::*;

signs! { AuthorSign, "authors",
    Any "any", Hint "hint", JsonPerson "person in JSON-LD", JsonOrganisation "organisation in JSON-LD",
    JsonOther "author in JSON-LD", JsonNoPerson "person in JSON-LD without a name of one", MetaStrong "meta author", MetaWeak "other meta author",
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
    OnlySource "only source", LinkAbove "link to an author's page above the text",
    LinkBelow "link to an author's page below the text", GivenName "known given name",
    SitePerson "site named after a person", Rule "site rule",
}

/// A candidate: names of people, or one text that is not a name.
#[derive(Clone, Debug)]
pub(crate) struct Authors {
    pub(crate) names: Vec<String>,
    pub(crate) is_people: bool,
}

impl Authors {
    /// Whether one list of names is part of the other.
    pub(crate) fn agrees_with(&self, other: &Authors) -> bool {
        let is_part = |few: &Authors, many: &Authors| {
            few.names.iter().all(|name| many.names.iter().any(|other| other.contains(name.as_str())))
        };
        is_part(self, other) || is_part(other, self)
    }
}

pub(crate) type AuthorPool = Pool<String, Authors>;

const SOURCES: [AuthorSign; 11] = [
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
    LinkAbove,
];

/// Collects the candidates for authors, and the names of editors with their evidence.
pub(crate) fn candidates(view: &View<'_>, language: Option<&str>) -> (AuthorPool, Vec<String>, Evidence) {
    let mut pool = Pool::new(MAX_CANDIDATES);
    let mut editors: Vec<String> = Vec::new();
    let ruled = view.rule_values(|rules| &rules.author);
    let ruled_people: Vec<String> = ruled.iter().flat_map(|text| people_of(view, text)).collect();
    match ruled.first() {
        Some(text) if ruled_people.is_empty() => _ = add(view, &mut pool, text, Rule, Evidence::SiteRule),
        Some(_) => _ = add_names(&mut pool, ruled_people, Rule, Evidence::SiteRule),
        None => {}
    }
    if let Some(hints) = view.context.hints.filter(|hints| !hints.authors.is_empty()) {
        add_names(&mut pool, hints.authors.clone(), Hint, Evidence::Hint);
    }
    from_json_ld(view, &mut pool, &mut editors);
    let editors_evidence = if editors.is_empty() { Evidence::Label } else { Evidence::JsonLd };
    from_metas(view, &mut pool);
    let site = view.head.metas(MetaField::SiteName).first().map(|meta| meta.content.clone());
    let site = site.or_else(|| declared_site(&view.head)).map(|name| people(&name)).unwrap_or_default();
    if matches!(site.as_slice(), [name] if names::has_given_name(name)) {
        add_names(&mut pool, site, SitePerson, Evidence::Meta);
    }
    from_marked(view, &mut pool);
    from_lines(view, language, &mut pool, &mut editors);
    from_classes(view, &mut pool);
    for (names, is_above) in author_links(view) {
        add_names(&mut pool, names, if is_above { LinkAbove } else { LinkBelow }, Evidence::Link);
    }
    compare(view, &mut pool, &editors);
    editors.truncate(names::MAX_NAMES);
    (pool, editors, editors_evidence)
}

pub(super) fn add_names(
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

/// The people that a text names, unless it is the name of the site and not that of a person as well.
pub(super) fn people_of(view: &View<'_>, text: &str) -> Vec<String> {
    let names = people(text);
    let is_site = view.site.is_exact(&comparison_key(text));
    if is_site && !names.iter().all(|name| names::has_given_name(name)) { Vec::new() } else { names }
}

/// Adds a text where authors are expected: the people in it, else the text itself.
pub(super) fn add<'p>(
    view: &View<'_>,
    pool: &'p mut AuthorPool,
    text: &str,
    sign: AuthorSign,
    evidence: Evidence,
) -> Option<&'p mut Signs> {
    // "Ada Finch - Harbour Gazette"
    let cut = [" @ ", " | ", " - ", " – ", " — "].iter().find_map(|mark| text.split_once(mark));
    let text = cut.filter(|(_, tail)| view.site.is_own(&comparison_key(tail))).map_or(text, |(head, _)| head);
    let names = people_of(view, text);
    if !names.is_empty() {
        return add_names(pool, names, sign, evidence);
    }
    add_byline(pool, text, sign, evidence)
}

/// Adds a text that names no people.
pub(super) fn add_byline<'p>(
    pool: &'p mut AuthorPool,
    text: &str,
    sign: AuthorSign,
    evidence: Evidence,
) -> Option<&'p mut Signs> {
    let text = names::without_time(names::without_label(text));
    let text = text.trim_matches([' ', ',', '.', '|', '-', '–', '@', ':', '»', '›']);
    let is_value = (2..=MAX_BYLINE).contains(&text.chars().count())
        && !text.contains(['{', '<', '=', '\n', '@'])
        && !text.contains("://");
    let key = comparison_key(text);
    if !is_value || names::is_noise(text) || !text.contains(char::is_alphabetic) || key.is_empty() {
        return None;
    }
    let candidate =
        pool.candidate(key, Authors { names: vec![text.to_owned()], is_people: false }, evidence)?;
    candidate.signs.add(sign);
    Some(&mut candidate.signs)
}

/// Lines near the text that say who wrote it.
fn from_lines(view: &View<'_>, language: Option<&str>, pool: &mut AuthorPool, editors: &mut Vec<String>) {
    let Some((first, last)) = view.text else { return };
    let count = view.page.blocks.len();
    let above = first.saturating_sub(14)..(first + 4).min(count);
    let below = last.saturating_sub(2).max(above.end)..(last + 5).min(count);
    for block in above.clone().chain(below) {
        let line = joined_label(view, block).unwrap_or_else(|| view.line(block));
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
    // In scripts without case, only punctuation or a short line distinguishes a name from a sentence.
    if !is_wide && is_caseless && !label.has_colon && head.split_whitespace().count() > 3 {
        return None;
    }
    let found = people(&head);
    if !found.is_empty() {
        // A small "by" begins sentences as well.
        let is_written = found.iter().all(|name| name.split(' ').all(is_name_word)) || is_caseless;
        return if label.is_capital || label.has_colon || is_written {
            add_names(pool, found, place, Evidence::Label)
        } else {
            None
        };
    }
    // "By the Gazette staff" is a byline, "by all means" is not.
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

/// Elements whose class names an author.
fn from_classes(view: &View<'_>, pool: &mut AuthorPool) {
    let Some((first, last)) = view.text else { return };
    let headline = comparison_key(&view.head.title);
    let mut found: Vec<(Vec<String>, bool)> = Vec::new();
    for at in view.head.marked.author_classes.iter() {
        let block = at.block as usize;
        let is_above = (block + 10 >= first && block <= first + 1)
            || view.headline.is_some_and(|headline| (headline..headline + 6).contains(&block));
        let is_below = block >= last && block <= last + 4;
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
        // One word of a class is a name only where it is known as one: "Login" has such classes as well.
        let beside = linked_side_by_side(node);
        let names = if beside.is_empty() { people(&spaced_value(&text)) } else { beside };
        let is_known = |name: &String| names::is_whole_or_given(name);
        let names = if names.iter().all(is_known) { names } else { Vec::new() };
        let sign = if is_above { ClassAbove } else { ClassBelow };
        if names.is_empty() {
            let text = spaced_value(&text);
            let bare = names::without_label(&text);
            if text.split_whitespace().count() <= 3 && !names::is_noise(bare) && !bare.contains(['#', '>']) {
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
    if pool.candidates.is_empty() {
        return;
    }
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
    let is_data = |signs: Signs| signs.has_any(&[Rule, JsonPerson, JsonOther, MetaStrong, Microdata]);
    let is_byline = |signs: Signs| signs.has_any(&[BylineAbove, AfterDate]);
    let editors: Vec<String> = editors.iter().map(|name| comparison_key(name)).collect();
    let title = view.title_parts.first().map(|part| comparison_key(&view.head.title[part.clone()]));
    pool.candidates.retain(|candidate| {
        // A template that has the headline in every field.
        let is_title = !candidate.value.is_people && title.as_ref() == Some(&candidate.key);
        (!is_title || view.site.is_site(&candidate.key))
            && (!candidate.value.names.iter().any(|name| editors.contains(&comparison_key(name)))
                || is_data(candidate.signs))
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
        // Declared houses have one word as often; beside people, they are the site.
        let is_lone_house = signs.has(JsonOrganisation) && all.iter().all(|(.., people)| !people);
        signs.add_if(own.names.iter().any(is_word) && !is_lone_house, OneWord);
        let is_odd = |name: &String| {
            name.starts_with(char::is_lowercase)
                || name.contains(|c: char| c.is_ascii_digit())
                || (!name.contains(' ') && not_people::is_handle(name))
        };
        signs.add_if(own.names.iter().any(is_odd), Pseudonym);
        signs.add_if(names.len() == 2, TwoPeople);
        signs.add_if(own.is_people && own.names.iter().all(|name| names::has_given_name(name)), GivenName);
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
