//! The values of bylines: where the names behind a label end.

use tamis_html::{Name, NodeRef};

use super::han::{is_han_name, leading_names};
use super::lexicon::phrases;
use super::names::people;
use super::view::View;
use crate::annotate::microdata::text_of;
use crate::text::characters::lowercase;
use crate::text::lexicon::{MONTH, PHRASES};

/// The dateline of a long text, if it names its reporter: 港口五月三日电（记者李明）.
pub(super) fn reporter_at_head(text: &str) -> &str {
    let head = &text[..text.floor_char_boundary(150)];
    let reporter = phrases("reporter")
        .find(head)
        .into_iter()
        .find(|(at, _)| head[..*at].trim_end().ends_with(['（', '(']));
    let Some((start, _)) = reporter else { return "" };
    let end = head[start..].find(['）', ')']).map_or(start, |end| start + end);
    &head[start..end]
}

/// The names behind a label in Chinese and its like, up to where something else begins.
pub(super) fn wide_value(text: &str) -> String {
    let mut rest = text.trim_start();
    // [美]约翰: a country goes; 【李明】: brackets around a name too.
    if let Some(inner) = rest.strip_prefix(['[', '【', '(', '（', '〔', '［']) {
        let end = inner.find([']', '】', ')', '）', '〕', '］']).unwrap_or(inner.len());
        let behind = inner[end..].trim_start_matches([']', '】', ')', '）', '〕', '］', ' ']);
        rest = if behind.starts_with(char::is_alphabetic) { behind } else { &inner[..end] };
    }
    let marks =
        ['|', '｜', '）', ')', '】', ']', '（', '(', '【', '[', '，', '。', '；', ';', ':', '：', '\t'];
    let line = rest.split(marks).next().unwrap_or_default();
    let words: Vec<&str> = line.split([' ', '\u{3000}', '、']).filter(|word| !word.is_empty()).collect();
    let names = leading_names(&words);
    match names.len() {
        1..=6 => names.join("、"),
        _ => words.first().map(|word| (*word).to_owned()).unwrap_or_default(),
    }
}

/// The names behind a label in scripts with spaces: up to a time, a place or another part of the line.
pub(super) fn spaced_value(text: &str) -> String {
    let end = text.find(['|', '•', '·', '–', '—', '\n', ':', '(']).unwrap_or(text.len());
    // A digit within a word belongs to a pseudonym.
    let in_word = |at: usize| text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let mut numbers = text.match_indices(|c: char| c.is_ascii_digit()).filter(|(at, _)| !in_word(*at));
    let digits = numbers.next().map_or(text.len(), |(at, _)| at);
    let head = text[..end.min(digits)].trim_end();
    // "By Ada Finch May 5": a month before a number is not part of the name.
    let last = head.rsplit(' ').next().unwrap_or_default();
    let is_month = digits < end && PHRASES.bits(last) & MONTH != 0;
    let head = if is_month { head[..head.len() - last.len()].trim_end() } else { head };
    // "ada. Data publikacji Pon": the label of a date, without a colon.
    let lowercase = head.to_lowercase();
    let dates = phrases("published").find(&lowercase).into_iter();
    let label = dates.filter(|(at, phrase)| *at > 0 && phrase.text.contains(' ')).map(|(at, _)| at).min();
    let head = label.and_then(|at| head.get(..at)).unwrap_or(head).trim_end();
    head.trim_end_matches([',', '-', '،']).replace(", and ", ", ")
}

/// The people whose links stand side by side with nothing that parts them.
pub(super) fn linked_side_by_side(node: NodeRef<'_>) -> Vec<String> {
    let links = node.children().take(40).filter(NodeRef::is_element);
    let names = links.map(|link| match people(&text_of(link, 100, true, |_| false)).as_slice() {
        [name] if link.is(Name::A) && name.contains(' ') => Some(name.clone()),
        _ => None,
    });
    names.collect::<Option<Vec<String>>>().filter(|names| names.len() > 1).unwrap_or_default()
}

/// The names behind the word for a reporter, where no mark parts them: all must look like names.
pub(super) fn reporters(text: &str) -> Option<Vec<String>> {
    let end = text.find(['）', ')', '】', ']', '|', '｜', '/', '／']).unwrap_or(text.len());
    let is_photographer = |word: &str| phrases("photographer").at_end(word).is_some();
    if is_photographer(
        text[end..]
            .trim_start_matches(['/', '／', ' '])
            .chars()
            .next()
            .map(String::from)
            .unwrap_or_default()
            .as_str(),
    ) {
        return None;
    }
    let mut names = Vec::new();
    for word in text[..end].split([' ', '\u{3000}', '、']).filter(|word| !word.is_empty()) {
        if is_photographer(word) {
            return None;
        }
        let bare = phrases("report_ending")
            .at_end(word)
            .map_or(word, |ending| &word[..word.len() - ending.text.len()]);
        if !is_han_name(bare) {
            break;
        }
        names.push(bare.to_owned());
    }
    // A sentence goes on: 记者了解到.
    (!names.is_empty() && names.len() <= 6).then_some(names)
}

/// The people behind a date: "Posted on 15 December 2010 by Ada Finch".
pub(super) fn name_after_date(view: &View<'_>, line: &str, language: Option<&str>) -> Option<Vec<String>> {
    const MAX_WORDS: usize = 6;
    if line.len() > 120 || !line.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let lowercase = lowercase(line);
    let labels = phrases("byline_after_date").find(&lowercase);
    let (at, label) = labels.into_iter().find(|(at, label)| {
        *at > 0 && label.applies(language) && lowercase[at + label.text.len()..].starts_with(' ')
    })?;
    let (before, behind) = (line.get(..at)?, line.get(at + label.text.len()..)?);
    let words = before.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).count();
    if words > MAX_WORDS || view.find_dates(before).is_empty() {
        return None;
    }
    let names = people(&spaced_value(behind.trim_start()));
    let is_name = |name: &String| {
        name.split(' ').all(|word| word.starts_with(char::is_uppercase) || phrases("particle").contains(word))
    };
    (!names.is_empty() && names.iter().all(is_name)).then_some(names)
}

/// A label that has a block of its own, with the short block behind it: "Written by", "Ada Finch".
pub(super) fn joined_label(view: &View<'_>, block: usize) -> Option<String> {
    const MAX_LABEL: usize = 24;
    const MAX_NAME: usize = 80;
    let blocks = &view.page.blocks;
    let label = Some(blocks.text(block)).filter(|text| (2..=MAX_LABEL).contains(&text.len()))?;
    let bare = label.trim_end_matches([':', '：', ' ']).to_lowercase();
    let phrase = phrases("byline").get(&bare).filter(|it| it.flags.sure || !it.flags.colon)?;
    let name = (block + 1 < blocks.len()).then(|| view.line(block + 1)).filter(|it| it.len() <= MAX_NAME)?;
    let mark = if phrase.flags.colon && !label.contains([':', '：']) { ":" } else { "" };
    Some(format!("{label}{mark} {name}"))
}

/// People whose names are links to the page of an author, near the text; those of one block together, and whether they
/// stand above the text.
pub(super) fn author_links(view: &View<'_>) -> Vec<(Vec<String>, bool)> {
    const MAX_LINE: usize = 300;
    let Some((first, last)) = view.text else { return Vec::new() };
    let blocks = &view.page.blocks;
    let above = first.saturating_sub(14)..(first + 4).min(blocks.len());
    let below = last.saturating_sub(2).max(above.end)..(last + 5).min(blocks.len());
    let mut found: Vec<(Vec<String>, bool)> = Vec::new();
    for block in above.clone().chain(below) {
        if blocks.links[block] == 0 || blocks.text(block).len() > MAX_LINE || view.is_of_others(block) {
            continue;
        }
        let nodes = blocks.text_nodes(block).iter().take(20).filter_map(|id| view.page.dom.node(*id));
        let links = nodes.filter_map(|node| node.ancestors().take(4).find(|it| it.is(Name::A)));
        let mut names: Vec<String> = Vec::new();
        for link in
            links.filter(|link| link.attribute_named(Name::HREF).is_some_and(|it| is_author_page(&it)))
        {
            let people = people(&text_of(link, 100, true, |_| false));
            let fresh: Vec<String> = people.into_iter().filter(|name| !names.contains(name)).collect();
            names.extend(fresh);
        }
        if !names.is_empty() && !found.iter().any(|(known, _)| *known == names) {
            found.push((names, above.contains(&block)));
        }
    }
    found
}

/// Whether an address is that of an author: something follows a word for authors.
fn is_author_page(href: &str) -> bool {
    let mut parts = href.split(['/', '?', '=', '&', '#']).filter(|part| !part.is_empty());
    let is_word = |part: &str| phrases("author_path").contains(&part.to_ascii_lowercase());
    parts.any(is_word) && parts.next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_end_where_something_else_begins() {
        for (text, expected) in [
            ("Ada Finch | News", "Ada Finch"),
            ("Ada Finch May 5, 2010", "Ada Finch"),
            ("ada. Data publikacji Pon", "ada."),
            ("Ann Lee, Bob Ray, and Cy Fox", "Ann Lee, Bob Ray, Cy Fox"),
        ] {
            assert_eq!(spaced_value(text), expected);
        }
        for (text, expected) in [
            ("李明（港口大学）", "李明"),
            ("[美]约翰", "约翰"),
            ("【李明】", "李明"),
            ("李明 王芳 2010-12-15", "李明、王芳"),
            ("王小明 方 雷 摄", "王小明、方雷"),
            ("李明 浏览次数", "李明"),
        ] {
            assert_eq!(wide_value(text), expected);
        }
    }

    #[test]
    fn reporters_are_names_and_no_photographers() {
        for (text, expected) in [
            ("李明 王芳", Some(vec!["李明", "王芳"])),
            ("李明 港口报道", Some(vec!["李明"])),
            ("李明、王芳）", Some(vec!["李明", "王芳"])),
            ("王小明/摄", None),
            ("了解到，港口下雨了", None),
        ] {
            assert_eq!(
                reporters(text),
                expected.map(|names| names.into_iter().map(str::to_owned).collect()),
                "{text}"
            );
        }
    }
}
