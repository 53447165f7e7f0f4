//! Addresses that belong to a page: its own, the next one, its comments, its feeds.

use tamis_html::Name;

use super::Around;
use super::evidence::{Evidence, Field, Origin};
use crate::assemble::Address;

/// Puts the candidates for links among the evidence.
pub(super) fn gather(around: &Around<'_>, address: &Address, evidence: &mut Evidence) {
    for (rel, node) in &around.scan.links {
        let Some(href) = node.attribute_named(Name::HREF).filter(|href| !href.trim().is_empty()) else {
            continue;
        };
        let is_link = node.is(Name::LINK);
        for word in rel.split_whitespace() {
            let (field, weight) = match word {
                "canonical" if is_link => (Field::Canonical, 90.0),
                "next" => (Field::NextPage, if is_link { 90.0 } else { 80.0 }),
                "replies" => (Field::CommentsPage, 80.0),
                "license" => (Field::Licence, 90.0),
                "alternate" if is_link => {
                    let kind = node.attribute_named(Name::TYPE).unwrap_or_default();
                    let is_feed =
                        ["rss+xml", "atom+xml", "feed+json", "rdf+xml"].iter().any(|it| kind.contains(it));
                    if !is_feed {
                        continue;
                    }
                    (Field::Feed, 80.0)
                }
                _ => continue,
            };
            let value = address.resolve(&href);
            if crate::assemble::is_safe(&value) {
                evidence.add(field, value, Origin::Link, format!("rel={word}"), weight);
            }
        }
    }
    if let Some(url) = around.scan.meta_named(&["og:url"]) {
        evidence.add(Field::Canonical, address.resolve(url), Origin::OpenGraph, "og:url", 60.0);
    }
    if let Some(url) = around
        .piece()
        .and_then(|piece| piece.text_of("discussionUrl").or_else(|| piece.text_of("commentsUrl")))
    {
        evidence.add(Field::CommentsPage, address.resolve(url), Origin::JsonLd, "discussionUrl", 70.0);
    }
    if let Some(licence) = around.piece().and_then(|piece| piece.text_of("license")) {
        evidence.add(Field::Licence, licence, Origin::JsonLd, "license", 80.0);
    }
    if let Some(licence) = around.scan.meta_named(&["dcterms.license", "dc.rights.license", "license"]) {
        evidence.add(Field::Licence, licence, Origin::DublinCore, "license", 60.0);
    }
    labelled(around, address, evidence);
}

/// Links whose words say that the text goes on there.
fn labelled(around: &Around<'_>, address: &Address, evidence: &mut Evidence) {
    const NEXT: &[&str] = &[
        "下一页",
        "下一頁",
        "下页",
        "next page",
        "nächste seite",
        "page suivante",
        "página siguiente",
        "pagina successiva",
        "следующая страница",
        "次のページ",
        "次へ",
        "다음 페이지",
    ];
    let Some((_, last)) = around.text else { return };
    let page = around.page;
    for block in page.blocks().iter().skip(last.saturating_sub(1)).take(8) {
        if block.measures.links == 0 || page.text(block).len() > 200 {
            continue;
        }
        for run in page.runs(block).iter().filter(|run| run.in_link) {
            let node = page.node(run.node);
            let words = node.text().trim().to_lowercase();
            if !NEXT.iter().any(|next| words.starts_with(next)) {
                continue;
            }
            let link =
                node.ancestors().find(|it| it.is(Name::A)).and_then(|link| link.attribute_named(Name::HREF));
            if let Some(href) =
                link.filter(|href| !href.starts_with(['#']) && !href.starts_with("javascript"))
            {
                evidence.add(Field::NextPage, address.resolve(&href), Origin::Near, "its words", 70.0);
            }
        }
    }
}
