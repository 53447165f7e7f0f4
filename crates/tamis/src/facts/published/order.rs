//! Whether the month comes first in 3/4/2021: one answer for all dates of a page, those of its posts too.

use super::LONGEST_LINE;
use crate::facts::dates::{may_have_order, order};
use crate::page::Page;
use crate::posts::{self, Post};

/// Does the month come first in 3/4/2021? Americans write so; others do not. With why.
pub(crate) fn month_first(
    page: &Page<'_>,
    posts: &[Post],
    url: Option<&str>,
    language: Option<&str>,
) -> (Option<bool>, &'static str) {
    if let Some(month_first) = posts::order_said(posts).or_else(|| order_on_page(page)) {
        let why = if month_first {
            "month first: other dates of the page"
        } else {
            "day first: other dates of the page"
        };
        return (Some(month_first), why);
    }
    let in_thread = || {
        let month_first = posts::order_in_thread(posts)?;
        Some((
            Some(month_first),
            if month_first {
                "month first: posts follow each other"
            } else {
                "day first: posts follow each other"
            },
        ))
    };
    let Some(language) = language else {
        return in_thread().unwrap_or((None, "day first: the language is not known"));
    };
    let mut parts = language.split(['-', '_']);
    if !parts.next().is_some_and(|base| base.eq_ignore_ascii_case("en")) {
        return (Some(false), "day first: the language");
    }
    let url = url.unwrap_or_default();
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let path = path.split(['?', '#']).next().unwrap_or_default();
    // The region of the tag, else the one in the address: /en-gb/
    let of_path = || {
        let places = path.split('/').filter(|part| part.len() == 5);
        places.filter_map(|part| part.strip_prefix("en-").or_else(|| part.strip_prefix("en_"))).next()
    };
    if let Some(region) = parts.next().filter(|part| part.len() == 2).or_else(of_path) {
        let american = ["US", "PH", "CA"].iter().any(|it| it.eq_ignore_ascii_case(region));
        return (Some(american), if american { "month first: the region" } else { "day first: the region" });
    }
    let ending = host.split(':').next().unwrap_or_default().rsplit('.').next().unwrap_or_default();
    match ending {
        "us" | "gov" | "edu" => (Some(true), "month first: English, and no other country"),
        ending if ending.len() == 2 && ending != "io" => (Some(false), "day first: the country of the host"),
        _ => in_thread().unwrap_or((Some(true), "month first: English, and no other country")),
    }
}

/// What the dates of the page that can be read in one way only say of those that can be read in two; nothing where they
/// disagree.
fn order_on_page(page: &Page<'_>) -> Option<bool> {
    if !may_have_order(page.all_text()) {
        return None;
    }
    let lines = page.blocks().iter().map(|block| page.text(block)).filter(|text| text.len() <= LONGEST_LINE);
    let mut orders = lines.filter_map(order);
    let first = orders.next()?;
    orders.all(|other| other == first).then_some(first)
}
