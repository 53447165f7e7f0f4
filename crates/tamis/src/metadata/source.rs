//! The name of the site, and the outlet that a piece was taken from.

use super::candidate::{Evidence, comparison_key};
use super::labelled::{LabelKind, labelled};
use super::lexicon::{is_east_asian, phrases};
use super::view::{View, declared_site};
use crate::annotate::MetaField;
use crate::text::characters::lowercase;

/// Longest name of an outlet, in characters.
const MAX_NAME: usize = 40;
const MAX_LINE: usize = 400;

/// What the site calls itself.
pub(crate) fn site_name(view: &View<'_>, title: Option<&str>) -> Option<(String, Evidence, f32)> {
    let is_name = |name: &str| {
        (1..=80).contains(&name.chars().count())
            && !name.contains("://")
            && !name.to_lowercase().starts_with("www.")
    };
    let title = title.map(comparison_key).filter(|_| !view.is_front_page());
    for meta in view.head.metas(MetaField::SiteName) {
        // What a web app is called may be the page itself.
        let is_title = meta.priority < 9 && title.as_deref() == Some(&comparison_key(&meta.content));
        if is_name(&meta.content) && !is_title {
            return Some((meta.content.clone(), Evidence::Meta, if meta.priority == 9 { 0.95 } else { 0.7 }));
        }
        if meta.priority == 9 {
            break;
        }
    }
    if let Some(name) = declared_site(&view.head).filter(|name| is_name(name)) {
        return Some((name, Evidence::JsonLd, 0.85));
    }
    let last = view.title_parts.len().checked_sub(1).filter(|last| *last > 0)?;
    let parts = [view.title_part(last), view.title_part(0)];
    let part = parts.into_iter().find(|part| view.site.is_site(&comparison_key(part)))?;
    Some((part.to_owned(), Evidence::TitleElement, 0.7))
}

/// The outlet that the piece was taken from.
pub(crate) fn source(view: &View<'_>, language: Option<&str>) -> Option<(String, Evidence, f32)> {
    let is_own = |name: &str| view.site.is_site(&comparison_key(name));
    if let Some((first, last)) = view.text {
        let count = view.page.blocks.len();
        let above = first.saturating_sub(12)..(first + 4).min(count);
        let below = last.saturating_sub(1).max(above.end)..(last + 4).min(count);
        for block in above.chain(below) {
            let text = view.page.blocks.text(block);
            if text.len() > MAX_LINE || !may_name_source(text) || view.is_of_others(block) {
                continue;
            }
            let line = view.line(block);
            let found = labelled_source(&line, language).or_else(|| reprinted_from(&line));
            if let Some(name) = found.filter(|name| !is_own(name)) {
                return Some((name, Evidence::Label, 0.85));
            }
        }
    }
    let metas = view.head.metas(MetaField::Source).into_iter().map(|meta| &meta.content);
    let mut names = metas.filter(|name| is_outlet(name) && !is_own(name));
    names.next().map(|name| (name.clone(), Evidence::Meta, 0.6))
}

/// No label of a source stands without its mark, and what is said without one is said in Chinese.
fn may_name_source(line: &str) -> bool {
    !line.is_ascii() || line.contains([':', '|', '/'])
}

/// The value behind a label such as "Source:", unless it is that of a picture.
fn labelled_source(line: &str, language: Option<&str>) -> Option<String> {
    let labels = labelled(line, language).into_iter().filter(|label| label.kind == LabelKind::Source);
    labels.into_iter().find_map(|label| {
        let before = label.before.to_lowercase();
        if phrases("picture").at_end(&before).is_some()
            || phrases("picture").occurs(&before) && before.len() < 40
        {
            return None;
        }
        let marks = ['|', '（', '(', '）', ')', '】', ']', '，', '。', '\u{3000}', '\t', ';', '；', '/'];
        let value = label.value.split(marks).next().unwrap_or_default();
        // In Chinese a space ends the name.
        let is_wide = value.contains(is_east_asian);
        let value = if is_wide { value.split(' ').next().unwrap_or_default() } else { value };
        let value = without_date(value);
        is_outlet(value).then(|| value.to_owned())
    })
}

/// A name without the date that a template put behind it.
fn without_date(text: &str) -> &str {
    let digits = text
        .find(|c: char| c.is_ascii_digit())
        .filter(|at| text[*at..].bytes().filter(u8::is_ascii_digit).count() >= 4);
    text[..digits.unwrap_or(text.len())]
        .trim_matches(|c: char| c.is_whitespace() || "《》“”\"-–,.:：".contains(c))
}

fn is_outlet(value: &str) -> bool {
    let lowercase = lowercase(value);
    let is_host = !value.contains(' ') && value.contains('.');
    (2..=MAX_NAME).contains(&value.chars().count())
        && !value.contains("://")
        && value.contains(char::is_alphabetic)
        && value.split_whitespace().count() <= 6
        && (is_host || !value.starts_with(char::is_lowercase))
        && !phrases("lender").occurs(&lowercase)
        && !phrases("untitled").contains(&lowercase)
}

/// The outlet in 本文转载自《港口日报》.
fn reprinted_from(line: &str) -> Option<String> {
    let found = phrases("reprinted_from").find(line).into_iter();
    let (at, phrase) = found.into_iter().find(|(_, phrase)| phrase.text.starts_with(is_east_asian))?;
    let rest =
        line[at + phrase.text.len()..].trim_start_matches([' ', '《', '“', '「', '【', '@', ':', '：']);
    let marks = ['》', '”', '」', '】', '，', '。', '；', '、', '（', '(', '|', '！', ',', ' '];
    let name = rest.split(marks).next().unwrap_or_default();
    (2..=16).contains(&name.chars().count()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outlets_behind_labels() {
        for (line, expected) in [
            ("来源：港口日报 作者：王小明", Some("港口日报")),
            ("2010-12-15 08:30 来源：港口日报", Some("港口日报")),
            ("图片来源：港口日报", None),
            ("Quelle: Hafenblatt", Some("Hafenblatt")),
            ("Photo: Ada, Source: Getty Images", None),
        ] {
            assert_eq!(labelled_source(line, None).as_deref(), expected, "{line}");
        }
        assert_eq!(reprinted_from("本文转载自《港口日报》，作者李明").as_deref(), Some("港口日报"));
        assert_eq!(reprinted_from("终于下雨了"), None);
    }
}
