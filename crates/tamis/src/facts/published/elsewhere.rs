//! Dates of other stories: what stands below a heading that says so.

use std::ops::Range;

use super::super::Around;
use super::super::scan::text_of;

/// Longer headings are headlines.
const LONGEST: usize = 60;

/// What headings of lists of other stories begin with, in small letters.
const WORDS: &[&str] = &[
    "related",
    "latest",
    "recent",
    "more from",
    "more stories",
    "more news",
    "more on",
    "more in ",
    "more articles",
    "most read",
    "most popular",
    "popular",
    "trending",
    "recommended",
    "you may also like",
    "you might also like",
    "you may like",
    "also on",
    "read next",
    "read more",
    "see also",
    "don't miss",
    "further reading",
    "mehr zum thema",
    "mehr aus",
    "weitere artikel",
    "weitere beiträge",
    "weitere meldungen",
    "ähnliche",
    "verwandte",
    "das könnte",
    "neueste",
    "aktuelle beiträge",
    "aktuelle artikel",
    "meistgelesen",
    "beliebt",
    "lesen sie auch",
    "articles similaires",
    "à lire aussi",
    "derniers articles",
    "sur le même sujet",
    "artículos relacionados",
    "noticias relacionadas",
    "te puede interesar",
    "más leídas",
    "lo más",
    "articoli correlati",
    "leggi anche",
    "potrebbe interessarti",
    "ultime notizie",
    "notícias relacionadas",
    "leia também",
    "lees ook",
    "gerelateerd",
    "meer nieuws",
    "läs också",
    "les også",
    "læs også",
    "zobacz także",
    "czytaj także",
    "похожие",
    "читайте также",
    "последние новости",
    "相关",
    "相關",
    "推荐",
    "推薦",
    "最新",
    "热门",
    "熱門",
    "猜你喜欢",
    "延伸阅读",
    "延伸閱讀",
    "更多",
    "関連",
    "人気記事",
    "관련",
    "مۇناسىۋەتلىك",
    "ذات صلة",
];

/// The stretches of blocks below such headings, each up to the next heading that is as high.
pub(super) fn stretches(around: &Around<'_>) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open: Option<(u8, usize)> = None;
    let all = around.page.blocks().len();
    for (level, node) in &around.scan.headings {
        let Some(place) = around.place_of(*node) else { continue };
        if let Some((_, start)) = open.take_if(|(outer, _)| level <= outer) {
            found.push(start..place);
        }
        if open.is_none() && *level > 1 && says_others(&text_of(*node, LONGEST + 1)) {
            open = Some((*level, place));
        }
    }
    found.extend(open.map(|(_, start)| start..all));
    found
}

fn says_others(heading: &str) -> bool {
    let small = heading.trim().to_lowercase();
    heading.len() <= LONGEST && WORDS.iter().any(|word| small.starts_with(word))
}

/// Does a block stand in one of the stretches?
pub(super) fn holds(stretches: &[Range<usize>], place: usize) -> bool {
    stretches.iter().any(|stretch| stretch.contains(&place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_lists_of_others() {
        assert!(says_others("Related stories") && says_others(" 相关新闻 ") && says_others("Lees ook:"));
        assert!(!says_others("Rain at last"));
        assert!(!says_others("Latest figures show that it rained for nine days in a row in the harbour"));
    }
}
