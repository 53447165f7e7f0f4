//! Dates of other stories and of readers: what stands below a heading that says so, cards side by side that lead elsewhere,
//! what somebody "says:".

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use tamis_html::{Name, NodeId, NodeRef};

use super::super::Around;
use super::super::scan::text_of;
use super::Search;
use crate::characters::small;

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
    "reviews",
    "customer reviews",
    "user reviews",
    "bewertungen",
    "kundenbewertungen",
    "avis clients",
    "opiniones",
    "avaliações",
    "recensioni",
    "beoordelingen",
    "отзывы",
    "用户评价",
    "商品评价",
    "レビュー",
    "comments",
    "kommentare",
    "commentaires",
    "comentarios",
    "comentários",
    "commenti",
    "комментарии",
    "网友评论",
    "댓글",
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
pub(in super::super) fn stretches(around: &Around<'_>) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open: Option<(u8, usize)> = None;
    let all = around.page.blocks().len();
    for (level, node) in &around.scan.headings {
        let Some(place) = around.place_of(*node) else { continue };
        if let Some((_, start)) = open.take_if(|(outer, _)| level <= outer) {
            found.push(start..place);
        }
        if open.is_none() && *level > 1 && is_of_others(&text_of(*node, 2 * LONGEST)) {
            open = Some((*level, place));
        }
    }
    found.extend(open.map(|(_, start)| start..all));
    // Not all pages make a heading of it: "5 Responses to Rain at last".
    if let Some((_, last)) = around.text {
        let lines = around.page.blocks().iter().enumerate().skip(last + 1).take(60);
        let answers =
            lines.filter(|(_, block)| says_answers(around.page.text(block))).map(|(place, _)| place);
        found.extend(answers.take(1).map(|start| start..all));
    }
    found
}

fn is_of_others(heading: &str) -> bool {
    says_others(heading) || says_answers(heading)
}

/// "5 Responses to Rain at last", "12 Kommentare", "3 条评论".
fn says_answers(line: &str) -> bool {
    const WORDS: &[&str] = &[
        "response",
        "comment",
        "repl",
        "thoughts on",
        "thought on",
        "kommentar",
        "antwort",
        "gedanke",
        "réponse",
        "comentario",
        "comentário",
        "respuesta",
        "reacti",
        "reageer",
        "комментар",
        "条评论",
        "條評論",
        "条回复",
        "件のコメント",
    ];
    if line.len() > 2 * LONGEST {
        return false;
    }
    let line = line.trim();
    // Small letters are never digits: the number stands there as it is.
    if !line.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let small = line.to_lowercase();
    let count = small.bytes().take_while(u8::is_ascii_digit).count();
    let rest = small[count..].trim_start();
    (1..=4).contains(&count) && WORDS.iter().any(|word| rest.starts_with(word))
}

/// Does a line stand right behind one in which a reader says something: "Bob says:"?
pub(super) fn is_said_by_reader(around: &Around<'_>, place: usize) -> bool {
    const SAYS: &[&str] = &[
        "says:",
        "said:",
        "wrote:",
        "sagt:",
        "schreibt:",
        "meint:",
        "dit :",
        "dice:",
        "пишет:",
        "说道：",
        "说：",
    ];
    let before = place.checked_sub(1).and_then(|before| around.page.blocks().get(before));
    before.map(|block| around.page.text(block).trim_end()).is_some_and(|text| {
        // All of them end with a colon, and few lines do.
        text.len() <= LONGEST && text.ends_with([':', '：']) && {
            let small = text.to_lowercase();
            SAYS.iter().any(|says| small.ends_with(says))
        }
    })
}

/// Does a line below the text stand above a button to answer it? Then it is that of a reader's comment.
pub(super) fn is_answered(around: &Around<'_>, place: usize) -> bool {
    const ANSWER: &[&str] = &[
        "reply",
        "reply ↓",
        "reply to this",
        "antworten",
        "répondre",
        "responder",
        "rispondi",
        "beantwoorden",
        "svara",
        "svar",
        "ответить",
        "відповісти",
        "odpowiedz",
        "回复",
        "回覆",
        "返信",
        "답글",
    ];
    let Some((_, last)) = around.text else { return false };
    let blocks = around.page.blocks();
    let next = blocks.get(place + 1..blocks.len().min(place + 5)).unwrap_or_default();
    place > last.saturating_sub(6)
        && next.iter().any(|block| {
            let text = around.page.text(block).trim();
            text.len() <= 24 && ANSWER.contains(&small(text).as_ref())
        })
}

/// Cards that stand side by side tell of other stories, whatever is written above them: three and more, each with a date and
/// with a link that is as long as a headline or is one. Those by the headline may be the page's own, unless they stand above it.
pub(super) fn cards(search: &mut Search<'_>) {
    const LEVELS: usize = 6;
    const FEWEST: usize = 3;
    // Posts are signed and lead to their writers.
    if search.shown.len() < 2 || !search.around.page.posts().is_empty() {
        return;
    }
    let mut below: HashMap<NodeId, HashMap<NodeId, NodeRef<'_>>> = HashMap::new();
    let mut paths: Vec<Vec<NodeId>> = Vec::with_capacity(search.shown.len());
    for (_, node, _) in &search.shown {
        let path: Vec<NodeRef<'_>> =
            std::iter::once(*node).chain(node.ancestors()).filter(NodeRef::is_element).take(LEVELS).collect();
        for (card, list) in path.iter().zip(path.iter().skip(1)) {
            below.entry(list.id()).or_default().insert(card.id(), *card);
        }
        paths.push(path.iter().map(|it| it.id()).collect());
    }
    let mut cards: HashSet<NodeId> = HashSet::new();
    let last = search.around.text.map(|(_, last)| last);
    // Below the text, two are enough.
    let is_below = |item: &NodeRef<'_>| {
        last.is_some_and(|last| search.around.place_of(*item).is_some_and(|place| place > last))
    };
    for items in below.values().filter(|items| items.len() >= 2) {
        let leading: Vec<&NodeRef<'_>> = items.values().filter(|item| is_card(**item)).collect();
        let fewest = if leading.iter().all(|item| is_below(item)) { 2 } else { FEWEST };
        for item in &leading {
            let alike = leading.iter().filter(|other| other.name_id() == item.name_id()).count();
            if alike >= fewest {
                cards.insert(item.id());
            }
        }
    }
    // What stands above the headline in such a row is none of its own either, however near.
    let headline = search.around.scan.headings.iter().find(|(level, _)| *level == 1);
    let headline = headline.and_then(|(_, node)| search.around.place_of(*node));
    let is_above = |node: NodeRef<'_>| {
        headline.is_some_and(|headline| {
            search.around.place_of(node).is_some_and(|place| place < headline)
                && !node.ancestors().any(|it| it.is(Name::ARTICLE))
        })
    };
    for ((place, node, is_away), path) in search.shown.iter().zip(paths) {
        if (*is_away || is_above(*node))
            && path.iter().any(|id| cards.contains(id))
            && let Some(candidate) = search.found.get_mut(*place)
        {
            candidate.weight = 0.0;
            candidate.detail = format!("{}; of another story", candidate.detail).into();
        }
    }
}

/// Does an element hold a link to a story?
fn is_card(node: NodeRef<'_>) -> bool {
    const LONG: usize = 16;
    let mut inside = std::iter::once(node).chain(node.descendants()).take(80).filter(NodeRef::is_element);
    let is_heading = |it: &NodeRef<'_>| {
        [Name::H2, Name::H3, Name::H4, Name::H5, Name::H6].into_iter().any(|name| it.is(name))
    };
    let has_heading = |link: &NodeRef<'_>| {
        link.ancestors().take(2).any(|it| is_heading(&it))
            || link.descendants().take(20).any(|it| is_heading(&it))
    };
    inside.any(|it| it.is(Name::A) && (has_heading(&it) || text_of(it, 60).len() >= LONG))
}

fn says_others(heading: &str) -> bool {
    if heading.len() > LONGEST {
        return false;
    }
    let small = small(heading.trim());
    // One byte tells most of them apart.
    let first = small.as_bytes().first();
    WORDS.iter().any(|word| word.as_bytes().first() == first && small.starts_with(word))
}

/// Does a block stand in one of the stretches?
pub(super) fn holds(stretches: &[Range<usize>], place: usize) -> bool {
    stretches.iter().any(|stretch| stretch.contains(&place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_above_what_readers_say() {
        assert!(says_answers("5 Responses to Rain at last") && says_answers("12 Kommentare"));
        assert!(says_answers("3 条评论") && says_answers("1 thought on “Rain at last”"));
        assert!(!says_answers("Comment") && !says_answers("5 reasons to stay") && !says_answers("2010"));
    }

    #[test]
    fn headings_of_lists_of_others() {
        assert!(says_others("Related stories") && says_others(" 相关新闻 ") && says_others("Lees ook:"));
        assert!(!says_others("Rain at last"));
        assert!(!says_others("Latest figures show that it rained for nine days in a row in the harbour"));
    }
}
