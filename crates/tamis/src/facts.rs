//! The facts that stand near the text: title and report time, by the rules of the text-block paper; and what the page
//! says of itself. Other sources of facts have an issue of their own.

use tamis_html::{Name, NodeRef};

use crate::document::Document;
use crate::judgement::Judgement;
use crate::methods::text_blocks::clean_title;
use crate::page::Page;
use crate::report_time::ReportTime;

/// How many blocks before and after the first and the last main block are searched (the paper's i-2..i+2, j-2..j+2).
const NEAR: usize = 2;

pub(crate) fn fill(page: &Page<'_>, judgement: &Judgement, document: &mut Document) {
    document.url = page.url().map(str::to_owned);
    document.title = title(page, judgement);
    document.published = report_time(page, judgement).map(|time| time.to_string());
    document.language =
        page.dom().html().and_then(|html| html.attribute_named(Name::LANG)).and_then(language);
}

/// The highest heading near the first main block, or else the page's `title` without the site's name.
fn title(page: &Page<'_>, judgement: &Judgement) -> Option<String> {
    let near = judgement.kept().next().map(|first| around(page, first)).unwrap_or_default();
    let heading = near
        .filter_map(|place| {
            let block = &page.blocks()[place];
            Some((level(page.element(block))?, place))
        })
        .min();
    let title = match heading {
        Some((_, place)) => page.text(&page.blocks()[place]).to_owned(),
        None => clean_title(&page.title()),
    };
    Some(title).filter(|title| !title.is_empty())
}

fn report_time(page: &Page<'_>, judgement: &Judgement) -> Option<ReportTime> {
    let first = judgement.kept().next()?;
    let last = judgement.kept().last()?;
    around(page, first)
        .chain(around(page, last))
        .find_map(|place| ReportTime::find(page.text(&page.blocks()[place])))
}

fn around(page: &Page<'_>, place: usize) -> std::ops::Range<usize> {
    place.saturating_sub(NEAR)..(place + NEAR + 1).min(page.blocks().len())
}

fn level(node: NodeRef<'_>) -> Option<u8> {
    let levels = [Name::H1, Name::H2, Name::H3, Name::H4, Name::H5, Name::H6];
    levels.into_iter().zip(1..).find(|(name, _)| node.is(*name)).map(|(_, level)| level)
}

/// A language tag that looks like one: `en`, `zh-CN`, `ug`.
fn language(tag: std::borrow::Cow<'_, str>) -> Option<String> {
    let tag = tag.trim();
    let sound = tag
        .split(['-', '_'])
        .all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric()));
    (sound && tag.len() >= 2).then(|| tag.replace('_', "-"))
}
