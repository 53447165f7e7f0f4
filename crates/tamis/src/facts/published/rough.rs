//! The month or the year of publication, where a page names no day.

use super::super::dates::{Moment, Precision, rough};
use super::super::evidence::{Field, Origin};
use super::labels::{Label, label};
use super::metadata::meaning;
use super::{Search, visible};

/// A day that weighs less is hardly believed: a month that the page declares is better.
const LEAST: f32 = 20.0;

/// Puts months and years among the candidates, if there is no better one.
pub(super) fn gather(search: &mut Search<'_>) {
    if search.found.iter().any(|it| it.field == Field::Published && it.weight >= LEAST) {
        return;
    }
    let around = search.around;
    let language = search.hints.language;
    let named = around.own_piece().and_then(|piece| piece.text_of("datePublished"));
    if let Some(moment) = named.and_then(|text| rough(text, language)) {
        search.add(Field::Published, moment, Origin::JsonLd, "datePublished", 34.0);
    }
    for meta in &around.scan.metas {
        if let Some((Field::Published, _)) = meaning(&meta.key)
            && let Some(moment) = rough(&meta.content, language)
        {
            search.add(Field::Published, moment, Origin::Meta, meta.key.clone(), 32.0);
        }
    }
    // A line by the headline that is no more than a month, with a label or without one. A year alone may be anything.
    let mut months: Vec<(Moment, &str)> = Vec::new();
    for place in visible::by_headline(search) {
        let text = around.page.text(&around.page.blocks()[place]);
        if text.len() > 80 {
            continue;
        }
        let mut ends = text.rmatch_indices(char::is_whitespace).map(|(at, _)| at).skip(1).take(2);
        let whole = std::iter::once(0).chain(ends.by_ref()).find_map(|at| {
            let is_said = matches!(label(&text[..at], ""), Some(Label::Published | Label::First));
            let moment = rough(&text[at..], language).filter(|_| at == 0 || is_said)?;
            (moment.precision() == Precision::Month).then_some(moment)
        });
        months.extend(whole.map(|moment| (moment, text)));
    }
    // Several are those of an archive, which lead to what was written in each.
    if let [(moment, text)] = months[..] {
        search.add(Field::Published, moment, Origin::Near, format!("by the headline: {text}"), 30.0);
    }
}
