//! Dates that a reader sees: `time` elements, lines near the headline, lines elsewhere.

use tamis_html::{Name, NodeId, NodeRef};

use super::super::dates::{Dated, Form, Moment, find, read};
use super::super::evidence::{Field, Origin};
use super::super::scan::text_of;
use super::elsewhere;
use super::fetched;
use super::labels::{Label, label};
use super::metadata::in_comments;
use super::{Candidate, LONGEST_LINE, Search};

/// How many dates are taken from lines inside the text, and from lines far from it.
const MOST_FAR: usize = 12;

/// Where a block stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Zone {
    /// Between the headline and the text, or close around.
    Head,
    /// Right behind the text.
    Tail,
    /// In the text.
    Inside,
    Far,
}

/// Where the headline stands: the last `h1` before the text, or else the nearest heading before it.
fn headline(search: &Search<'_>) -> Option<usize> {
    let around = search.around;
    let (first, _) = around.text?;
    let before = around.scan.headings.iter().filter_map(|(level, node)| {
        let place = around.place_of(*node)?;
        (place <= first + 2 && first.saturating_sub(place) <= 40).then_some((*level, place))
    });
    before.min_by_key(|(level, place)| (*level, first.abs_diff(*place))).map(|(_, place)| place)
}

fn zone(place: usize, headline: Option<usize>, text: Option<(usize, usize)>) -> Zone {
    let Some((first, last)) = text else { return if place < 30 { Zone::Head } else { Zone::Far } };
    let start = headline.map_or(first.saturating_sub(6), |headline| headline.min(first).saturating_sub(4));
    if (start..=first + 2).contains(&place) {
        Zone::Head
    } else if place > first && place < last {
        Zone::Inside
    } else if (last..=last + 4).contains(&place) {
        Zone::Tail
    } else {
        Zone::Far
    }
}

/// `time` elements.
pub(super) fn times(search: &mut Search<'_>) {
    let around = search.around;
    let headline = headline(search);
    // <abbr class=published title="2010-12-15T08:30:00Z">
    let is_short = |node: &&NodeRef<'_>| node.is(Name::ABBR) && node.attribute_named(Name::TITLE).is_some();
    let shorts = around.scan.dated.iter().filter(is_short);
    for (count, node) in around.scan.times.iter().chain(shorts).enumerate() {
        let carried = node
            .attribute_named(Name::DATETIME)
            .or_else(|| node.attribute_named(Name::CONTENT))
            .or_else(|| node.attribute_named(Name::TITLE).filter(|_| node.is(Name::ABBR)));
        let text = text_of(*node, 80);
        let carried = carried.as_deref().and_then(|value| read(value, &search.hints));
        // Beside an attribute, words that count from the fetch say nothing new.
        let hints = if carried.is_some() { search.hints.without_fetch() } else { search.hints };
        let said = find(&text, &hints).into_iter().next();
        // 02-12-2025 is no better for standing in an attribute.
        let other = said
            .as_ref()
            .and_then(|dated| dated.other)
            .filter(|_| carried.is_none_or(|it| Some(it) == said.as_ref().map(|dated| dated.moment)));
        let form = said.as_ref().filter(|_| carried.is_none()).map_or(Form::Whole, |dated| dated.form);
        let words = said.map(|dated| dated.moment);
        let Some(moment) = carried.map(|it| it.corrected_by(words)).or(words) else { continue };
        if in_comments(search, *node) {
            continue;
        }
        let names = names(*node);
        let zone = around.place_of(*node).map_or(Zone::Far, |place| zone(place, headline, around.text));
        let mut weight = match zone {
            Zone::Head => 74.0,
            Zone::Tail => 44.0,
            Zone::Inside => 40.0,
            Zone::Far => 26.0,
        };
        if node.attribute("pubdate").is_some() || names.contains("publish") || names.contains("entry-date") {
            weight += 8.0;
        }
        let is_aside = is_aside(search, *node);
        if is_aside {
            weight -= 30.0;
        }
        let is_other = zone != Zone::Head
            && (around.place_of(*node).is_some_and(|place| elsewhere::holds(&search.others, place))
                || (matches!(zone, Zone::Far | Zone::Tail) && in_linked_item(*node))
                || around.place_of(*node).is_some_and(|place| elsewhere::is_said_by_reader(around, place)));
        search.shown.push((search.found.len(), *node, zone != Zone::Head));
        // One more exact copy of the date says no more; the tenth `time` of a list says less.
        weight -= (count as f32).min(10.0) * 0.6;
        let before = text_before(*node);
        let said = label(&before, "");
        let field = match said {
            Some(Label::Other) => {
                search.shown.pop();
                continue;
            }
            Some(Label::Modified) => Field::Modified,
            _ if names.contains("updated") && !names.contains("publish") || names.contains("modified") => {
                Field::Modified
            }
            _ => Field::Published,
        };
        match said {
            Some(Label::Published) => weight += 8.0,
            Some(Label::First) => weight += 30.0,
            _ => {}
        }
        if zone == Zone::Head
            && headline.is_some_and(|headline| around.place_of(*node).is_some_and(|place| place < headline))
        {
            weight -= 12.0;
        }
        // When the page was changed may stand in a side column; when it appeared, hardly below its text.
        let is_other =
            is_other || (is_aside && field == Field::Published && matches!(zone, Zone::Far | Zone::Tail));
        let weight = if is_other { 0.0 } else { weight.max(1.0) };
        let detail = if is_other { "of another story" } else { zone_name(zone) }.into();
        search.found.push(Candidate {
            moment,
            other,
            field,
            origin: Origin::Time,
            detail,
            weight,
            is_vague: false,
            form,
        });
    }
}

/// What elements carry for scripts: the last resort, and only where all of it is of one day. Lists of stories carry many.
pub(super) fn carried(search: &mut Search<'_>) {
    let around = search.around;
    let mut found: Vec<Moment> = Vec::new();
    for (node, value) in &around.scan.carried {
        if let Some(moment) = read(value, &search.hints)
            && !in_comments(search, *node)
        {
            found.push(moment);
        }
    }
    let Some(first) = found.first() else { return };
    if found.iter().all(|it| it.day_number() == first.day_number()) {
        let best = found.iter().max_by_key(|it| it.precision()).unwrap_or(first);
        search.add(Field::Published, *best, Origin::Time, "carried by an element, for scripts", 22.0);
    }
}

fn zone_name(zone: Zone) -> &'static str {
    match zone {
        Zone::Head => "by the headline",
        Zone::Tail => "below the text",
        Zone::Inside => "inside the text",
        Zone::Far => "elsewhere",
    }
}

/// Does a node stand in an item of a list that leads elsewhere?
fn in_linked_item(node: NodeRef<'_>) -> bool {
    let item = node.ancestors().filter(NodeRef::is_element).take(6).find(|it| it.is(Name::LI));
    // A link around the date itself, or to a name, is that of a post or a byline.
    item.is_some_and(|item| {
        let mut links = item.descendants().take(40).filter(|it| it.is(Name::A));
        links.any(|link| !node.ancestors().take(4).any(|it| it == link) && text_of(link, 40).len() >= 4)
            && !item.ancestors().take(4).any(|it| names(it).contains("header"))
    })
}

/// Does a node stand in the header of the page, and not in that of the piece?
fn in_page_header(node: NodeRef<'_>) -> bool {
    let outer = || std::iter::once(node).chain(node.ancestors()).filter(NodeRef::is_element).take(12);
    outer().any(|it| it.is(Name::HEADER)) && !outer().any(|it| it.is(Name::ARTICLE) || it.is(Name::MAIN))
}

/// The class and id of an element.
fn names(node: NodeRef<'_>) -> String {
    let mut names = String::new();
    for name in [Name::CLASS, Name::ID] {
        if let Some(value) = node.attribute_named(name) {
            names.push_str(&value.to_ascii_lowercase());
            names.push(' ');
        }
    }
    names
}

/// The words of the same block before a node.
fn text_before(node: NodeRef<'_>) -> String {
    let mut before = String::new();
    let mut sibling = node.previous_sibling();
    for _ in 0..3 {
        let Some(it) = sibling else { break };
        let text = if it.is_element() { text_of(it, 60) } else { it.text().into_owned() };
        before.insert_str(0, &format!("{text} "));
        sibling = it.previous_sibling();
    }
    before
}

/// Does an element stand beside the text rather than in it? What is known of an element is kept: many dates stand below
/// the same ones.
fn is_aside(search: &mut Search<'_>, node: NodeRef<'_>) -> bool {
    let mut below: Vec<NodeId> = Vec::new();
    let mut found = false;
    for it in node.ancestors().filter(NodeRef::is_element) {
        if let Some(&known) = search.asides.get(&it.id()) {
            found = known;
            break;
        }
        below.push(it.id());
        if says_aside(it) {
            found = true;
            break;
        }
    }
    search.asides.extend(below.into_iter().map(|id| (id, found)));
    found
}

fn says_aside(node: NodeRef<'_>) -> bool {
    const WORDS: &[&str] = &[
        "related",
        "sidebar",
        "recommend",
        "popular",
        "trending",
        "latest-",
        "recent",
        "most-read",
        "widget",
        "footer",
        "teaser",
    ];
    if node.is(Name::BODY) || node.is(Name::HTML) {
        return false;
    }
    node.is(Name::ASIDE)
        || node.is(Name::NAV)
        || (node.is(Name::FOOTER) && !node.ancestors().any(|outer| outer.is(Name::ARTICLE)))
        || {
            let names = names(node);
            // Two letters tell most places apart from where a word begins.
            let may_begin = |two: &[u8]| {
                matches!(two, b"re" | b"si" | b"po" | b"tr" | b"la" | b"mo" | b"wi" | b"fo" | b"te")
            };
            let mut places = names.as_bytes().windows(2).enumerate().filter(|(_, two)| may_begin(two));
            places.any(|(at, _)| WORDS.iter().any(|word| names.as_bytes()[at..].starts_with(word.as_bytes())))
        }
}

/// Dates in lines of text.
pub(super) fn blocks(search: &mut Search<'_>) {
    let around = search.around;
    let page = around.page;
    let headline = headline(search);
    let language = search.hints.language;
    let (mut far, mut inside) = (0, 0);
    let mut dated = around.scan.dated.iter().filter_map(|node| around.place_of(*node)).collect::<Vec<_>>();
    dated.sort_unstable();
    for (place, block) in page.blocks().iter().enumerate() {
        let text = page.text(block);
        if text.len() < 4 || page.comments().part(place).is_some() {
            continue;
        }
        let zone = zone(place, headline, around.text);
        // Days without a year, and such as count from the fetch, are looked for where a page tells its own.
        let is_near = matches!(zone, Zone::Head | Zone::Tail) && search.hints.fetched.is_some();
        if text.len() < 6 && !is_near {
            continue;
        }
        let hints = if is_near { search.hints } else { search.hints.without_fetch() };
        if (zone == Zone::Far && far >= MOST_FAR) || (zone == Zone::Inside && inside >= MOST_FAR) {
            continue;
        }
        let is_line = text.len() <= LONGEST_LINE;
        // Inside the text, a long block tells its date at its very beginning or not at all.
        let is_dateline = !is_line && zone == Zone::Inside;
        if !is_line && zone == Zone::Far {
            continue;
        }
        let text = match (is_line, is_dateline) {
            (true, _) => text,
            (_, false) => head(text, 120),
            (_, true) => head(text, 24),
        };
        let mut dates = find(text, &hints);
        // `Virus 19<b>30 May 2021</b>`, `08:30<b>1st post</b>`: by the headline, elements that templates glue are looked at apart.
        let apart;
        let mut text = text;
        let digits = || text.bytes().filter(u8::is_ascii_digit).take(5).count();
        if zone == Zone::Head && is_line && (!dates.is_empty() || digits() == 5) {
            apart = around.line(block, LONGEST_LINE);
            let better = find(&apart, &hints);
            let exact = |dates: &[Dated]| dates.first().map(|it| it.moment.precision());
            if better.len() >= dates.len() && exact(&better) > exact(&dates) {
                (dates, text) = (better, apart.as_ref());
            }
        }
        for Dated { moment, place: at, other, form } in dates {
            if is_dateline && at.start > 0 {
                continue;
            }
            let (before, behind) = (&text[..at.start], &text[at.end..]);
            // In an address, numbers stand side by side that are no date.
            let word = before.rfind(char::is_whitespace).map_or(before, |space| &before[space..]);
            if word.contains("://") || word.contains("www.") {
                continue;
            }
            // Nor is a value of code that the text shows: {"datePublished":"2010-12-15"}
            if behind.starts_with('"') && before.trim_end_matches(['"', ' ']).ends_with("\":") {
                continue;
            }
            let said = label(before, behind);
            if matches!(form, Form::NoYear | Form::Relative)
                && !((zone == Zone::Head || said.is_some())
                    && headline != Some(place)
                    && fetched::tells_its_day(text, &at, form, said.is_some()))
            {
                continue;
            }
            let mut weight = match zone {
                Zone::Head => 60.0,
                Zone::Tail => 34.0,
                Zone::Inside => 14.0,
                Zone::Far => 18.0,
            };
            // A line that is nothing but its date, or begins with it.
            let rest = text.len() - (at.end - at.start);
            weight += match rest {
                0..=3 => 6.0,
                4..=40 => 2.0,
                41..=80 => -6.0,
                _ => -18.0,
            };
            // In a sentence, a date says when something happened.
            if rest > 60 && said.is_none() && text.trim_end().ends_with(['.', '。', '!', '?']) {
                weight -= 16.0;
            }
            // So it does below a picture; and a day far above the text is today's.
            let tells_before = || before.split_whitespace().count() >= 3 || before.chars().count() > 24;
            // "was published on 3 May and has no answers" and "wurde am 3. Mai veröffentlicht"
            let said_behind = || matches!(label(head(behind, 60), ""), Some(Label::Published | Label::First));
            let in_sentence = said.is_none()
                && (if zone == Zone::Head { rest > 60 } else { rest > 12 })
                && tells_before()
                && (!is_line || text.trim_end().ends_with(['.', '。', '!', '?']))
                && !said_behind();
            let is_of_others = || said.is_none() && around.is_of_others(page.element(block));
            let is_today = || {
                said.is_none()
                    && zone == Zone::Far
                    && around.text.is_some_and(|(first, _)| place < first)
                    && rest <= 40
                    && dated.binary_search(&place).is_err()
                    && in_page_header(page.element(block))
            };
            // So do programs that say when it is fetched.
            let is_fetch_day = || {
                said.is_none()
                    && moment.local.hour.is_none()
                    && headline.is_some_and(|headline| place < headline)
                    && around.fetched.is_some_and(|fetched| fetched.day_number() == moment.day_number())
            };
            // "14.11.12 Error-correcting conditions" is the number of a section.
            let is_section = || {
                form == Form::ShortYear
                    && before.is_empty()
                    && (language.is_some_and(|it| it.starts_with("en"))
                        || around.scan.headings.iter().any(|(_, node)| around.place_of(*node) == Some(place)))
                    && text[at.clone()].matches('.').count() == 2
                    && behind.trim_start().starts_with(char::is_alphabetic)
            };
            // What a cell or a line of a list tells, the one before it names: Born, Died.
            let is_of_cell = || {
                let element = page.element(block);
                before.is_empty()
                    && (element.is(Name::TD) || element.is(Name::DD))
                    && place.checked_sub(1).and_then(|before| page.blocks().get(before)).is_some_and(|name| {
                        let name = page.text(name);
                        name.len() <= 40 && label(&format!("{}: ", name.trim()), "") == Some(Label::Other)
                    })
            };
            // Above the headline, some pages tell today's date.
            if zone == Zone::Head && headline.is_some_and(|headline| place < headline) {
                weight -= 12.0;
            }
            if !is_line {
                weight -= 22.0;
            }
            if dated.binary_search(&place).is_ok() {
                weight += 9.0;
            }
            weight += match form {
                Form::Whole => 0.0,
                Form::ShortYear => -12.0,
                Form::NoYear => -14.0,
                Form::Relative => -6.0,
            };
            if block.link_share() > 0.6 && rest > 12 {
                weight -= 24.0;
            }
            if block.hidden.is_some() {
                weight -= 10.0;
            }
            if zone != Zone::Inside && weight > 8.0 && is_aside(search, page.element(block)) {
                weight -= 18.0;
            }
            let field = match said {
                Some(Label::Other) => {
                    weight = 0.0;
                    Field::Published
                }
                Some(Label::Modified) => {
                    weight += if zone == Zone::Inside { 26.0 } else { 0.0 };
                    Field::Modified
                }
                Some(Label::Published) => {
                    // When an office wrote it: 发布日期 is better.
                    let is_draft = ["成文", "印发", "签发"].iter().any(|it| before.contains(it));
                    weight -= if is_draft { 6.0 } else { 0.0 };
                    weight += if zone == Zone::Inside { 26.0 } else { 12.0 };
                    Field::Published
                }
                // Whatever else the page shows is later.
                Some(Label::First) => {
                    weight = f32::max(weight, 40.0) + 40.0;
                    Field::Published
                }
                None => Field::Published,
            };
            far += usize::from(zone == Zone::Far);
            inside += usize::from(zone == Zone::Inside);
            let detail = format!("{}: {}", zone_name(zone), head(text, 60));
            let is_other = zone != Zone::Head
                && (elsewhere::holds(&search.others, place)
                    || elsewhere::is_said_by_reader(around, place)
                    || elsewhere::is_answered(around, place));
            // A card may be a link, which is no block.
            let inner = page.runs(block).first().and_then(|run| page.node(run.node).parent());
            let node = inner.unwrap_or_else(|| page.element(block));
            search.shown.push((search.found.len(), node, zone != Zone::Head));
            let is_none = is_fetch_day() || is_section() || is_of_cell();
            let weight = if is_none || is_other || in_sentence || is_of_others() || is_today() {
                0.0
            } else if weight <= 0.0 && said != Some(Label::Other) {
                1.0
            } else {
                weight
            };
            let origin = if zone == Zone::Far { Origin::Text } else { Origin::Near };
            search.found.push(Candidate {
                moment,
                other,
                field,
                origin,
                detail: detail.into(),
                weight,
                is_vague: false,
                form,
            });
        }
    }
}

/// The blocks by the headline.
pub(super) fn by_headline(search: &Search<'_>) -> Vec<usize> {
    let (around, headline) = (search.around, headline(search));
    let blocks = around.page.blocks().iter().enumerate().filter(|(_, block)| block.hidden.is_none());
    let places = blocks.map(|(place, _)| place);
    places.filter(|place| zone(*place, headline, around.text) == Zone::Head).collect()
}

/// The first bytes of a text, whole characters.
fn head(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}
