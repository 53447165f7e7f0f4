//! Who wrote a page: names, and nothing else. A wrong name is worse than none.

mod chinese;
mod korean;
mod labels;
mod names;
mod words;

use std::borrow::Cow;
use std::collections::HashSet;

use tamis_html::{Name, NodeId, NodeRef};

use super::Around;
use super::dates::is_month_in;
use super::evidence::{Evidence, Field, Origin};
use super::json_ld::Json;
use super::scan::text_where;
use super::title::normal;
use names::names;

/// How many authors a piece may have; a list of more is a list of something else.
const MOST: usize = 12;
/// How many values are read for them.
const MOST_READ: usize = 200;
/// What is said of names that come from one list.
const LIST: &str = "list of authors";
/// What is said of names that data call a person's.
const PERSON: &str = "author, a person";
/// How long a value is that names people, in bytes; a longer one is a text.
const LONGEST_VALUE: usize = 160;
/// How long a line is that is read whole.
const LONGEST_LINE: usize = 320;

/// Is it a month or a day, in small letters, and nobody's name?
pub(crate) fn is_month_or_day(small: &str) -> bool {
    words::DAYS.contains(&small)
        || (is_month_in(small, &["en", "de", "fr", "es"]) && !words::PEOPLE_LIKE_MONTHS.contains(&small))
}

/// Does a line name who wrote or edited something, by a label? "By Ada Lind, staff writer"
pub(crate) fn is_byline(line: &str) -> bool {
    labels::may_name(line) && !labels::labelled(line, None).is_empty()
}

/// Puts the candidates for authors and editors among the evidence, and says who they are.
pub(super) fn gather(around: &Around<'_>, evidence: &mut Evidence) -> (Vec<String>, Vec<String>) {
    let start = evidence.candidates.len();
    declared(around, evidence);
    told(around, evidence);
    marked(around, evidence);
    let is_scattered = bylines(around, evidence);
    let known = &mut evidence.candidates[start..];
    // Data that name one and a byline that names another: one of them is wrong, and nobody can say which.
    let by = |origin: fn(Origin) -> bool, known: &[super::Candidate]| -> Vec<String> {
        let own = known.iter().filter(|it| it.field == Field::Author && it.weight > 0.0 && origin(it.origin));
        own.map(|it| normal(&it.value)).collect()
    };
    let line = by(|origin| origin == Origin::Near, known);
    let data = by(|origin| origin != Origin::Near, known);
    let holds = |name: &String| line.iter().any(|other| other.contains(name) || name.contains(other));
    if !line.is_empty() && !data.is_empty() && !data.iter().any(holds) {
        // Lines that name now one, now another are those of teasers.
        let doubtful = |it: &&mut super::Candidate| !is_scattered || it.origin == Origin::Near;
        let authors = known.iter_mut().filter(|it| it.field == Field::Author);
        authors.filter(doubtful).for_each(|it| reject(it, "data and byline name different people"));
    }
    named_after(around, known);
    several(known);
    // Whom the page calls its editor did not write it, whatever data say.
    // Where data name one person as both, she is both.
    let editors: Vec<String> = known
        .iter()
        .filter(|it| it.field == Field::Editor && it.origin == Origin::Near)
        .map(|it| normal(&it.value))
        .collect();
    let later: Vec<String> =
        around.title_parts().iter().skip(1).map(|part| normal(&around.title_text[part.clone()])).collect();
    for candidate in known.iter_mut().filter(|it| it.field == Field::Author) {
        let name = normal(&candidate.value);
        if editors.contains(&name) {
            reject(candidate, "the editor");
        } else if is_outlet(&name, &later) {
            reject(candidate, SITE);
        }
    }
    // The heaviest origin says who; what others add may be anybody.
    let best = known.iter().filter(|it| it.field == Field::Author).map(|it| it.weight).fold(0.0, f32::max);
    let mut authors: Vec<String> = Vec::new();
    for candidate in
        known.iter_mut().filter(|it| it.field == Field::Author && it.weight > 0.0 && it.weight >= best)
    {
        if authors.len() < MOST && !authors.iter().any(|name| same(name, &candidate.value)) {
            candidate.chosen = true;
            authors.push(candidate.value.clone());
        }
    }
    let editors = evidence.choose_all(Field::Editor, MOST);
    (authors, editors)
}

/// Takes out an author who is the outlet that the piece was taken over from.
pub(super) fn without_source(source: Option<&str>, authors: &mut Vec<String>, evidence: &mut Evidence) {
    let Some(source) = source.map(normal).filter(|source| !source.is_empty()) else { return };
    if !authors.iter().any(|name| normal(name) == source) {
        return;
    }
    authors.retain(|name| normal(name) != source);
    let same =
        evidence.candidates.iter_mut().filter(|it| it.field == Field::Author && normal(&it.value) == source);
    for candidate in same {
        candidate.chosen = false;
        reject(candidate, "the outlet that it was taken over from");
    }
}

/// Takes out the authors of a page that lists the pieces of a site.
pub(super) fn of_listing(authors: &mut Vec<String>, evidence: &mut Evidence) {
    authors.clear();
    for candidate in evidence.candidates.iter_mut().filter(|it| it.field == Field::Author && it.chosen) {
        candidate.chosen = false;
        reject(candidate, "the page is a listing");
    }
}

/// What is said of the site's own name.
const SITE: &str = "the site's name";

/// A candidate that cannot win, and why.
fn reject(candidate: &mut super::Candidate, why: &'static str) {
    candidate.weight = 0.0;
    candidate.detail = why.into();
}

/// A site may be called after who writes it: where data say that the name is a person's, it looks like one, and a byline has it
/// too, it is.
/// The site's name may be longer ("Ada Finch's blog"), but not hers: "Gazette Sport" is a desk of the Gazette.
fn named_after(around: &Around<'_>, known: &mut [super::Candidate]) {
    let is_doubtful = |it: &super::Candidate| it.field == Field::Author && it.weight <= 0.0;
    let with = |detail: &str, origin: Origin, known: &[super::Candidate]| -> Vec<String> {
        let own = known.iter().filter(|it| is_doubtful(it) && it.detail == detail && it.origin == origin);
        own.map(|it| normal(&it.value)).collect()
    };
    // Where somebody else is named, the site's name is that of the site.
    if known.iter().any(|it| it.field == Field::Author && it.origin == Origin::JsonLd && it.weight > 0.0) {
        return;
    }
    let lines = with(SITE, Origin::Near, known);
    let people = with(PERSON, Origin::JsonLd, known);
    for candidate in known.iter_mut().filter(|it| is_doubtful(it) && it.origin == Origin::JsonLd) {
        let name = normal(&candidate.value);
        let is_name =
            || around.site_names.iter().chain(&around.host_names).any(|own| own.contains(name.as_str()));
        if names::is_of_a_person(&candidate.value)
            && people.contains(&name)
            && lines.contains(&name)
            && is_name()
        {
            candidate.weight = 100.0;
        }
    }
}

/// Is a Chinese name that of the site, as `title` has it behind the headline: 港口 in 港口新闻?
fn is_outlet(name: &str, later: &[String]) -> bool {
    const ENDS: [&str; 12] =
        ["", "新闻", "新聞", "网", "網", "资讯", "财经", "体育", "娱乐", "科技", "频道", "博客"];
    name.chars().all(names::is_east_asian)
        && later.iter().filter_map(|part| part.strip_prefix(name)).any(|rest| ENDS.contains(&rest))
}

/// Data that name some of the people whom other data name: where JSON-LD has one and `meta` lists her among others, all of
/// them wrote it; where microdata mark several and other data one of them, the others are marked for something else.
fn several(known: &mut [super::Candidate]) {
    let of = |test: &dyn Fn(&super::Candidate) -> bool| -> Vec<String> {
        let own = known.iter().filter(|it| it.field == Field::Author && it.weight > 0.0 && test(it));
        let mut names: Vec<String> = own.map(|it| normal(&it.value)).collect();
        names.sort();
        names.dedup();
        names
    };
    let json = of(&|it| it.origin == Origin::JsonLd);
    let is_meta =
        |it: &super::Candidate| matches!(it.origin, Origin::Meta | Origin::OpenGraph | Origin::DublinCore);
    let list = of(&|it| is_meta(it) && it.detail == LIST);
    let meta = of(&is_meta);
    let marked = of(&|it| matches!(it.origin, Origin::Microdata | Origin::Rdfa));
    let holds = |all: &[String], some: &[String]| {
        !some.is_empty() && all.len() > some.len() && some.iter().all(|name| all.contains(name))
    };
    let all_of_them = holds(&list, &json) && list.len() <= MOST;
    let one_of_them = json.is_empty() && holds(&marked, &meta);
    if all_of_them || one_of_them {
        let theirs = known.iter_mut().filter(|it| it.field == Field::Author && it.weight > 0.0);
        let theirs = theirs.filter(|it| is_meta(it) && (!all_of_them || it.detail == LIST));
        theirs.for_each(|it| it.weight = 101.0);
    }
}

fn same(one: &str, other: &str) -> bool {
    normal(one) == normal(other)
}

/// Adds the names in a text that is meant as such.
fn add(
    around: &Around<'_>,
    evidence: &mut Evidence,
    text: &str,
    origin: Origin,
    detail: impl Into<Cow<'static, str>>,
    weight: f32,
) {
    let detail = detail.into();
    // "Ada @ Harbour Gazette", "Ada Finch - Harbour Gazette"
    let is_site = |text: &str| super::title::is_own_name(&normal(text), around);
    let cut = [" @ ", " | ", " - ", " – ", " — "].iter().find_map(|mark| text.split_once(mark));
    let text = cut.filter(|(_, tail)| is_site(tail)).map_or(text, |(head, _)| head);
    // "Salt and Pepper" is no couple where the site is called so.
    if is_called_as_site(text, around) {
        let why = if detail == PERSON { PERSON } else { SITE };
        evidence.add(Field::Author, labels::without_label(text), origin, why, 0.0);
        return;
    }
    let all = names(text, MOST);
    if all.is_empty() && text.len() <= LONGEST_VALUE {
        evidence.add(Field::Author, text.trim(), origin, "no name of a person", 0.0);
    }
    // Behind the site's name stand its seat and its business.
    let is_site_first = all.first().is_some_and(|first| is_site(first));
    for name in &all {
        let name = without_site(name, around);
        if !is_site_first && !is_site(name) {
            evidence.add(Field::Author, name, origin, detail.clone(), weight);
        } else {
            let why = if detail == PERSON { PERSON } else { SITE };
            evidence.add(Field::Author, name, origin, why, 0.0);
        }
    }
}

/// Is a whole value, as it stands, what the site or its host is called? It may not be split into names before that is asked.
fn is_called_as_site(text: &str, around: &Around<'_>) -> bool {
    // One word is not split.
    if !text.trim().contains(' ') {
        return false;
    }
    let whole = normal(labels::without_label(text));
    around.site_names.contains(&whole) || around.host_names.contains(&whole)
}

/// A name without that of the site behind it: "Ada Finch harbourlife" on harbourlife.example.
fn without_site<'t>(name: &'t str, around: &Around<'_>) -> &'t str {
    let Some((head, last)) = name.rsplit_once(' ') else { return name };
    // A family's name may be that of the site: "Ada Mary Finch" on finch.example. It has a capital, and small letters.
    if last.starts_with(char::is_uppercase) && last.chars().any(char::is_lowercase) {
        return name;
    }
    let own = normal(last);
    let is_site = around.site_names.contains(&own) || around.host_names.contains(&own);
    if is_site && names::is_of_a_person(head) { head } else { name }
}

fn declared(around: &Around<'_>, evidence: &mut Evidence) {
    let piece = around.own_piece();
    if let Some(piece) = piece {
        for author in
            piece.get("author").into_iter().chain(piece.get("creator")).flat_map(Json::each).take(MOST_READ)
        {
            if author.is_a(|name| name.ends_with("Organization")) {
                continue;
            }
            let is_person = author.is_a(|name| name == "Person");
            let detail = if is_person { PERSON } else { "author" };
            for name in around.things.names_of(author).iter().take(MOST) {
                add(around, evidence, name, Origin::JsonLd, detail, 100.0);
            }
        }
        for editor in piece.get("editor").into_iter().flat_map(Json::each).take(MOST) {
            let is_house = editor.is_a(|name| name.ends_with("Organization"));
            for name in around.things.names_of(editor).iter().flat_map(|text| names(text, MOST)) {
                if !is_house && !super::title::is_own_name(&normal(&name), around) {
                    evidence.add(Field::Editor, name, Origin::JsonLd, "editor", 90.0);
                }
            }
        }
    }
    for meta in &around.scan.metas {
        let Some((origin, weight)) = names_author(&meta.key, meta.is_microdata) else { continue };
        if is_signed_elsewhere(&meta.content, around) {
            evidence.add(Field::Author, meta.content.trim(), origin, "with an address elsewhere", 0.0);
            continue;
        }
        // One that lists several people lists all of them.
        let people = names(&meta.content, MOST);
        let is_list = people.len() > 1 && people.iter().all(|name| name.contains(' '));
        add(around, evidence, &meta.content, origin, if is_list { LIST } else { "author" }, weight);
    }
}

/// Does a value name a site elsewhere beside a person? So do those who made the page's look: "Ada Finch - http://ada.example".
fn is_signed_elsewhere(value: &str, around: &Around<'_>) -> bool {
    let Some((name, rest)) = value.split_once("://").or_else(|| value.split_once("www.")) else {
        return false;
    };
    let host = rest.split(['/', '?', '#', ' ', ')', ',']).next().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host).to_ascii_lowercase();
    let own = around.url.as_deref().unwrap_or_default().to_ascii_lowercase();
    let has_name = name.trim_end_matches("https").trim_end_matches("http").contains(char::is_alphabetic);
    has_name && host.contains('.') && !own.is_empty() && !own.contains(&host)
}

/// Whom a feed names. Below JSON-LD, since some programs put who has the account there; the feed's own author counts for entries that
/// name none, and for less.
fn told(around: &Around<'_>, evidence: &mut Evidence) {
    let Some(told) = around.told else { return };
    let (authors, whose, weight) = match told.entry.authors.as_slice() {
        [] => (told.feed.authors(), "author of the feed", 75.0),
        authors => (authors, "author", 90.0),
    };
    for author in authors {
        let detail = format!("entry {}, {whose}", told.number);
        add(around, evidence, author, Origin::Feed, detail, weight);
    }
}

/// Does a `meta` of this name say who wrote the page? The words of its name tell: `article:author`, `DC.Creator.PersonalName`,
/// `bt:author`, `byline`; not `author_url`, and not who made the site.
fn names_author(key: &str, is_microdata: bool) -> Option<(Origin, f32)> {
    const OTHERS: [&str; 12] = [
        "twitter", "web", "site", "theme", "template", "plugin", "comment", "image", "photo", "music",
        "video", "designer",
    ];
    let words: Vec<&str> = key.split(['.', ':', '_', '-', ' ']).filter(|it| !it.is_empty()).collect();
    let is_writer = |word: &str| matches!(word, "author" | "authors" | "creator" | "creators");
    let is_author = match words.as_slice() {
        [.., writer, "name" | "names" | "personalname" | "fullname"] => is_writer(writer),
        [.., last] => is_writer(last) || matches!(*last, "byline" | "byl" | "authorname" | "writer"),
        [] => false,
    };
    if !is_author || words.iter().any(|word| OTHERS.contains(word)) {
        return None;
    }
    match words[0] {
        "dc" | "dcterms" => Some((Origin::DublinCore, 80.0)),
        "article" | "og" => Some((Origin::OpenGraph, 80.0)),
        _ if key.ends_with("author") || key == "byl" => Some((Origin::Meta, 82.0)),
        _ if is_microdata => None,
        // Few pages have these, and some fill them with who made the page.
        _ => Some((Origin::Meta, 79.0)),
    }
}

/// What an element that names an author says: its data, else its words, each element inside a word apart.
fn said(node: NodeRef<'_>) -> String {
    let carried = node.attribute_named(Name::CONTENT).filter(|it| !it.trim().is_empty());
    carried.map_or_else(|| text_where(node, LONGEST_VALUE + 1, true, |_| false), |it| it.into_owned())
}

fn marked(around: &Around<'_>, evidence: &mut Evidence) {
    let mut found: Vec<(String, Origin)> = Vec::new();
    let mut known: HashSet<String> = HashSet::new();
    for property in &around.scan.properties {
        let is_author = property.names.split_whitespace().any(|name| {
            let name = name.rsplit(':').next().unwrap_or(name);
            name.eq_ignore_ascii_case("author") || name.eq_ignore_ascii_case("creator")
        });
        if !is_author || !is_near(around, property.node) || is_answer(property.node) {
            continue;
        }
        let inner = property.node.descendants().find(|it| {
            let own = if property.is_rdfa { Name::PROPERTY } else { Name::ITEMPROP };
            it.is_element() && it.attribute_named(own).is_some_and(|name| name.trim() == "name")
        });
        let origin = if property.is_rdfa { Origin::Rdfa } else { Origin::Microdata };
        let text = said(inner.unwrap_or(property.node));
        if is_called_as_site(&text, around) {
            evidence.add(Field::Author, text.trim(), origin, SITE, 0.0);
            continue;
        }
        // In the order of the page: the first writer is named first.
        let all = names(&text, MOST).into_iter().filter(|name| known.insert(name.clone()));
        found.extend(all.map(|name| (name, origin)));
    }
    // As many as these are those of a thread, or of the works that a paper names.
    let (weight, detail) = if found.len() <= 3 { (90.0, "author") } else { (0.0, "one of too many") };
    for (name, origin) in found {
        add(around, evidence, &name, origin, detail, weight);
    }
    let mut linked = around.scan.links.iter().filter(|(rel, node)| {
        rel.split_whitespace().any(|rel| rel == "author") && node.is(Name::A) && is_near(around, *node)
    });
    // A picture of her may be a link as well, and has no words.
    let Some((node, text)) =
        linked.by_ref().map(|(_, node)| (*node, said(*node))).find(|(_, text)| !text.trim().is_empty())
    else {
        return;
    };
    add(around, evidence, &text, Origin::Link, "rel=author", 78.0);
    // Those of the same byline wrote it too; the others may be anybody.
    let Some(line) = line_of(node, &text) else { return };
    for (_, other) in linked.take(MOST) {
        let text = said(*other);
        if !text.trim().is_empty() && line_of(*other, &text) == Some(line) {
            add(around, evidence, &text, Origin::Link, "rel=author", 78.0);
        }
    }
}

/// The element in which a name stands beside others: above those that hold nothing else. Nothing where that holds more than a line.
fn line_of(node: NodeRef<'_>, text: &str) -> Option<NodeId> {
    const LEVELS: usize = 4;
    let above = node.ancestors().filter(NodeRef::is_element).take(LEVELS);
    let mut lines = above.map(|it| (it, text_where(it, LONGEST_VALUE + 1, true, |_| false)));
    let (beside, whole) = lines.find(|(_, whole)| whole.trim() != text.trim())?;
    (whole.len() <= LONGEST_VALUE).then(|| beside.id())
}

/// Is a property that of an answer, a comment or a work that is named?
fn is_answer(node: NodeRef<'_>) -> bool {
    let scope =
        node.ancestors().filter(|it| it.is_element()).filter_map(|it| it.attribute_named(Name::ITEMTYPE));
    scope.take(3).any(|kind| {
        let kind = kind.trim().rsplit(['/', '#']).next().unwrap_or_default().to_ascii_lowercase();
        ["comment", "usercomments", "answer", "review", "question", "discussionforumposting"]
            .contains(&kind.as_str())
    })
}

/// Does a node stand close to the text, and not among comments?
fn is_near(around: &Around<'_>, node: NodeRef<'_>) -> bool {
    let Some(place) = around.place_of(node) else { return false };
    if around.page.comments().part(place).is_some() || around.is_of_others(node) {
        return false;
    }
    let Some((first, last)) = around.text else { return true };
    place + 16 >= first && place <= last + 8 && !around.is_node_of_another_story(node)
}

/// The dateline of a long text, if it names its reporter: 港口五月三日电（记者李明）.
fn reporter_at_head(text: &str) -> &str {
    let head = &text[..text.floor_char_boundary(150)];
    let open = head.find("（记者").or_else(|| head.find("(记者")).or_else(|| head.find("（記者"));
    let Some(open) = open else { return "" };
    let end = head[open..].find(['）', ')']).map_or(open, |end| open + end);
    &head[open..end]
}

/// Lines near the text that say who wrote it. Says whether two of them name different people.
fn bylines(around: &Around<'_>, evidence: &mut Evidence) -> bool {
    let Some((first, last)) = around.text else { return false };
    let mut lines: Vec<Vec<String>> = Vec::new();
    let page = around.page;
    let near = first.saturating_sub(14)..(first + 4).min(page.blocks().len());
    let behind =
        (last.saturating_sub(2)..(last + 5).min(page.blocks().len())).filter(|place| *place >= near.end);
    let language = evidence.of(Field::Language).find(|it| it.chosen).map(|it| it.value.clone());
    // Who answers in a thread did not begin it.
    let answers = page.posts().get(1..).unwrap_or_default();
    for place in near.clone().chain(behind) {
        if answers.iter().any(|post| post.blocks.contains(&place)) {
            continue;
        }
        // Most lines name nobody. The look takes no notice of white space, which is all that `line` may change.
        let text = page.text(&page.blocks()[place]);
        if text.len() <= LONGEST_LINE && !labels::may_name(text) {
            continue;
        }
        if page.comments().part(place).is_some() {
            continue;
        }
        let text = around.line(&page.blocks()[place], LONGEST_LINE);
        let text = text.as_ref();
        // A long text names its reporter at its beginning, or at its very end.
        let text = match text.len() {
            0..=LONGEST_LINE => text,
            _ if place <= first + 1 => reporter_at_head(text),
            length if place >= last && text.contains(['编', '編', '记', '記']) => {
                &text[text.ceil_char_boundary(length - 60)..]
            }
            _ => continue,
        };
        let labelled = labels::labelled(text, language.as_deref());
        if labelled.is_empty()
            || around.is_of_others(page.element(&page.blocks()[place]))
            || around.is_of_another_story(place)
        {
            continue;
        }
        let authors = labelled.iter().filter(|(field, _)| *field == Field::Author);
        let authors: Vec<String> = authors.map(|(_, name)| normal(name)).collect();
        if !authors.is_empty() {
            lines.push(authors);
        }
        for (field, value) in labelled {
            let weight = if near.contains(&place) { 70.0 } else { 60.0 };
            let is_site = super::title::is_own_name(&normal(&value), around);
            let (weight, detail) = if is_site { (0.0, SITE) } else { (weight, "after its label") };
            evidence.add(field, value, Origin::Near, detail, weight);
        }
    }
    let is_scattered = lines.iter().any(|line| line.iter().all(|name| !lines[0].contains(name)));
    if evidence.of(Field::Author).any(|it| it.weight >= 60.0) {
        return is_scattered;
    }
    // Classes speak of authors in many places; one whole name above the text, and no other, is believed.
    let mut found: Vec<String> = Vec::new();
    for node in &around.scan.signed {
        if around.is_of_others(*node)
            || !around.blocks_before_text(*node).is_some_and(|distance| (-1..=10).contains(&distance))
            || around.is_node_of_another_story(*node)
        {
            continue;
        }
        let text = said(*node);
        if text.len() <= 48 {
            for name in names(&text, 2) {
                if !found.iter().any(|known| same(known, &name)) {
                    found.push(name);
                }
            }
        }
    }
    let is_whole = |name: &String| name.split(' ').count() >= 2 && name.split(' ').count() <= 4;
    let is_sure = found.len() == 1 && found.iter().all(is_whole);
    let (weight, detail) = if is_sure { (64.0, "author") } else { (0.0, "not one whole name alone") };
    for name in found {
        add(around, evidence, &name, Origin::ClassName, detail, weight);
    }
    is_scattered
}
